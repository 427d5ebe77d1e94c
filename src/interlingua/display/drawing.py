"""An outline as elements of HTML, for pages and for notebooks.

Whatever comes from a conversation is text: `markup` escapes it. Images are shown where they are small and in the conversation,
and their first bytes are those of an image; addresses are shown and never followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from .images import shown as shown_image
from .json_text import Member, indented, members
from .markup import NOTHING, Markup, element, joined, void
from .outline import Fact, Mark, Outline, Piece, ToolLine, Turn, nodes_of
from .texts import counted, one_line, with_code, without_base64

ROLES = {"system": "System", "developer": "Developer", "user": "User", "assistant": "Assistant", "tool": "Tool", "text": "Text"}
"""The names of roles; that of any other is shown as it is."""

KINDS = {
    "dropped": "left out, because the target has no place for it",
    "changed": "carried in another form",
    "moved": "carried in another place",
    "added": "not in the conversation, but required there",
    "response_only": "what only a response has, such as its time; expected",
    "error": "the provider refuses this",
    "warning": "the provider may refuse this",
    "note": "noticed in the conversation itself",
}
"""What marks mean."""


@dataclass(frozen=True)
class Room:
    """How much is shown: turns, characters of a text, members of a list; and whether there are anchors and headings.

    Of several conversations on a page, each has a `prefix` for its anchors, and its headings are one level `deeper`.
    """

    turns: int = 10**9
    text: int = 10**9
    items: int = 10**9
    whole_page: bool = True
    prefix: str = ""
    deeper: int = 0


PAGE = Room()
NOTEBOOK = Room(turns=40, text=4000, items=20, whole_page=False)

_LONG_TEXT = 6000
"""The longest text that is not folded."""
_LONG_CODE = 1500
"""The longest JSON, arguments or results that are not folded."""
_LONG_FACT = 160


ItemT = TypeVar("ItemT")
_Found: TypeAlias = tuple[Mark, str | None]
"""A mark, and the anchor of where it is drawn."""


def drawn(outline: Outline, room: Room = PAGE, title: str | None = None) -> tuple[Markup, Markup]:
    """The head of an outline, and the rest: the report and the messages."""
    drawing = Drawing(room, _only_format(outline))
    head = drawing.head(outline, title)
    turns = drawing.turns(outline.turns, "Answers" if outline.kind == "response" else "Messages")
    return head, joined(drawing.report(outline.marks), turns)


class Drawing:
    """One conversation under way; it collects the marks that it draws. Marks do not repeat the format that all have."""

    def __init__(self, room: Room, format: str = "") -> None:
        self.room = room
        self.format = format
        self.marked: list[_Found] = []
        self._anchors: set[str] = set()

    # The whole

    def head(self, outline: Outline, title: str | None) -> Markup:
        """The title, the settings and the tools."""
        shown = title or outline.title
        under = element("p", "il-quiet", outline.title) if title else NOTHING
        return joined(self.heading(1, "il-title", shown), under, self.facts(outline.facts), self.tools(outline.tools))

    def turns(self, turns: Sequence[Turn], name: str) -> Markup:
        """The turns; those in the middle are counted only, where there is no room."""
        shown = [turn for turn in turns if not _is_elsewhere(turn)]
        if not shown:
            return NOTHING
        left = len(shown) - self.room.turns
        if left > 0:
            last = self.room.turns // 4
            between = element("li", "il-gap", f"{counted(left, 'message')} more")
            items = [*map(self.turn, shown[: self.room.turns - last]), between, *map(self.turn, shown[-last:])]
        else:
            items = list(map(self.turn, shown))
        title = self.heading(2, "il-sub", name) if self.room.whole_page else NOTHING
        return element("section", None, title, element("ol", "il-turns", *items))

    def turn(self, turn: Turn) -> Markup:
        """A message."""
        kind = turn.role if turn.role in ROLES else "other"
        name = NOTHING if turn.name is None else joined(" ", element("bdi", "il-name", turn.name))
        role = self.heading(3, "il-who", element("span", "il-role", ROLES.get(turn.role, turn.role)), name)
        parts = self.some(turn.parts, self.piece, "part")
        body = [*parts, self.elsewhere(turn.answers), self.facts(turn.facts), self.marks(turn.marks)]
        if not turn.parts and not turn.answers:
            body.insert(0, element("p", "il-quiet", "No content"))
        head = element("div", "il-head", role, self.place(turn.at))
        return element("li", f"il-turn il-{kind}", head, element("div", "il-body", *body), id=self.anchor(turn.at))

    def elsewhere(self, answers: Sequence[str]) -> Markup:
        """Where the results of a message are that stand beside their calls."""
        if not answers:
            return NOTHING
        links = [part for at in answers for part in (" ", self.link(at, at))]
        several = "Its results stand beside their calls:" if len(answers) > 1 else "Its result stands beside the call:"
        return element("p", "il-quiet", several, *links)

    def tools(self, tools: Sequence[ToolLine]) -> Markup:
        """The tools that may be called."""
        if not tools:
            return NOTHING
        marked = sum(len(tool.marks) + sum(len(fact.marks) for fact in tool.facts) for tool in tools)
        summary = counted(len(tools), "tool")
        if marked:
            summary += f", {counted(marked, 'mark')}"
        items = [element("li", None, tool) for tool in self.some(tools, self.tool, "tool")]
        return _details("il-tools", summary, element("ul", None, *items))

    def tool(self, tool: ToolLine) -> Markup:
        """A tool."""
        described = self.text(tool.description) if tool.description else NOTHING
        schema = _details(None, "Parameters", _code(indented(tool.schema))) if tool.schema else NOTHING
        named = element("p", None, element("strong", None, element("bdi", None, tool.name or "a tool without a name")))
        return joined(named, described, schema, self.facts(tool.facts), self.marks(tool.marks))

    # Parts

    def piece(self, piece: Piece) -> Markup:
        """A part of a message."""
        if piece.kind == "call":
            return self.call(piece)
        if piece.kind == "result":
            return element("div", "il-call", self.result(piece))
        if piece.kind in ("json", "opaque"):
            inside = [
                self.label(piece),
                self.code(indented(piece.text), "JSON"),
                self.facts(piece.facts),
                self.marks(piece.marks),
            ]
            return element("div", "il-call", element("div", "il-said", *inside))
        drawn = self.content(piece)
        more = joined(self.facts(piece.facts), self.marks(piece.marks))
        return element("div", "il-part", drawn, more) if more else drawn

    def content(self, piece: Piece) -> Markup:
        """The content of a part, without its facts and marks."""
        label = _capital(piece.label)
        match piece.kind:
            case "text":
                return self.text(piece.text)
            case "refusal":
                return joined(element("p", "il-label", label), self.text(piece.text))
            case "thinking":
                return _details("il-think", label, self.text(piece.text, fold=False))
            case "media":
                return self.media(piece)
            case _:
                return element("p", "il-chip", label)

    def call(self, piece: Piece) -> Markup:
        """A call with its results."""
        arguments = self.arguments(piece.text)
        call = element("div", "il-said", self.label(piece), arguments, self.facts(piece.facts), self.marks(piece.marks))
        return element("div", "il-call", call, *self.some(piece.results, self.result, "result"))

    def result(self, piece: Piece) -> Markup:
        """What a tool gave back."""
        parts = self.some(piece.parts, self.output, "part") or [element("p", "il-quiet", "empty")]
        css = "il-result il-failed" if piece.failed else "il-result"
        inside = [self.label(piece), *parts, self.facts(piece.facts), self.marks(piece.marks)]
        return element("div", css, *inside, id=self.anchor(piece.at))

    def output(self, piece: Piece) -> Markup:
        """A part of a result: text there is what a program wrote."""
        if piece.kind not in ("text", "json"):
            return self.piece(piece)
        return joined(
            self.code(indented(piece.text), "Text" if piece.kind == "text" else "JSON"),
            self.facts(piece.facts),
            self.marks(piece.marks),
        )

    def label(self, piece: Piece) -> Markup:
        """The line above a call or a result."""
        return element(
            "div", "il-label", element("strong", None, element("bdi", None, _capital(piece.label))), self.place(piece.at)
        )

    def arguments(self, text: str) -> Markup:
        """The arguments of a call: a line for each member of an object, and any other text as it is."""
        found = members(text)
        if found is None:
            return self.code(text, "Arguments")
        if not found:
            return element("p", "il-quiet", "no arguments")
        rows = [self.argument(member) for member in found[: self.room.items]]
        return element("dl", "il-arguments", *rows, self.rest(found))

    def argument(self, member: Member) -> Markup:
        """One argument of a call."""
        text = member.value if member.is_text else indented(member.value)
        name = element("dt", None, element("bdi", None, member.name))
        return element("div", None, name, element("dd", None, self.code(text, "Text")))

    def media(self, piece: Piece) -> Markup:
        """An image where it can be shown, and else what is known of the media."""
        image = None if piece.media is None else shown_image(piece.media)
        label = _capital(piece.label)
        if image is not None:
            url, (width, height) = image
            size = {"width": str(width), "height": str(height)}
            picture = void("img", src=url, alt="Image in this message, without a description", **size)
            caption = element("figcaption", None, element("bdi", None, label), f", {width:,} × {height:,} pixels")
            return element("figure", None, picture, caption)
        chip = element("p", "il-chip", element("bdi", None, label))
        return joined(chip, self.text(piece.text)) if piece.text else chip

    # Texts

    def text(self, text: str, *, fold: bool = True) -> Markup:
        """Text that people or models wrote."""
        if not text:
            return element("p", "il-quiet", "empty text")
        shown = self.cut(text)
        pieces = [element("code", "il-fence", piece, dir="ltr") if is_code else piece for piece, is_code in with_code(shown)]
        drawn = element("div", "il-text", *pieces, dir="auto")
        if not fold or len(shown) <= _LONG_TEXT:
            return drawn
        return _details("il-long", joined(counted(len(text)), ": ", element("bdi", None, one_line(text, 120))), drawn)

    def code(self, text: str, label: str) -> Markup:
        """Text that programs wrote."""
        shown = self.cut(text)
        if len(shown) <= _LONG_CODE and shown.count("\n") <= 24:
            return _code(shown)
        summary = joined(label, ", ", counted(len(text)), ": ", element("bdi", None, one_line(text, 80)))
        return _details("il-long", summary, _code(shown))

    def cut(self, text: str) -> str:
        """A text without base64, and no longer than there is room."""
        text = without_base64(text)
        most = self.room.text
        return text if len(text) <= most else f"{text[:most]}… ({counted(len(text) - most)} more)"

    # Facts and marks

    def facts(self, facts: Sequence[Fact]) -> Markup:
        """Settings and the like, by name."""
        if not facts:
            return NOTHING
        return element("dl", "il-facts", *map(self.fact, facts[: self.room.items]), self.rest(facts))

    def fact(self, fact: Fact) -> Markup:
        """One of them."""
        text = self.cut(fact.text)
        value: str = element("bdi", None, text)
        if len(text) > _LONG_FACT or "\n" in text:
            value = _details("il-long", one_line(text, 60), _code(indented(text)))
        return element("div", None, element("dt", None, fact.name), element("dd", None, value, self.marks(fact.marks)))

    def marks(self, marks: Sequence[Mark]) -> Markup:
        """Losses, problems and notes."""
        return joined(*map(self.mark, marks))

    def mark(self, mark: Mark) -> Markup:
        """One of them, which the report leads to."""
        at = f"/mark/{len(self.marked)}"
        self.marked.append((mark, at))
        kind = _kind(mark)
        format = "" if self.format else mark.format
        children = [element("strong", None, f"{format} {_words(kind)}".strip()), " ", element("span", None, mark.text)]
        if mark.kind != "note":
            children += [" ", element("code", None, mark.path or "the whole")]
            if mark.to is not None and mark.to != mark.path:
                children += [" → ", element("code", None, mark.to)]
            if mark.kind != "loss":
                children += [" ", element("span", "il-rule", mark.code)]
        return element("p", f"il-mark il-{kind}", *children, id=self.anchor(at))

    def report(self, others: Sequence[Mark]) -> Markup:
        """All losses and problems that have been drawn, and others, like ones together, with links to their places."""
        groups: dict[str, dict[tuple[str, str], list[_Found]]] = defaultdict(lambda: defaultdict(list))
        for mark, at in [*((mark, None) for mark in others), *self.marked]:
            if mark.kind != "note":
                groups[_kind(mark)][mark.format, mark.text].append((mark, at))
        if not groups:
            return NOTHING
        rows: list[Markup] = []
        for kind in [kind for kind in KINDS if kind in groups]:
            total = sum(map(len, groups[kind].values()))
            count = element("p", None, element("strong", None, f"{total:,} {_words(kind)}"), ": ", KINDS[kind])
            alike = self.some(list(groups[kind].items()), lambda group: self.alike(*group[0], group[1]), "reason")
            items = [element("li", None, each) for each in alike]
            rows.append(element("li", f"il-kind il-{kind}", count, element("ul", None, *items)))
        title = f"Losses and problems for {self.format}" if self.format else "Losses and problems"
        return element("section", "il-report", self.heading(2, "il-sub", title), element("ul", None, *rows))

    def alike(self, format: str, text: str, found: list[_Found]) -> Markup:
        """The places of marks with the same text."""
        reason = f"{format}: {text}" if format and not self.format else text
        links = self.some(found, lambda each: self.link(each[1], each[0].path or "the whole"), "place")
        places = element("ul", "il-places", *[element("li", None, link) for link in links])
        if len(found) > 3:
            places = _details(None, f"{len(found):,} places", places)
        return joined(element("span", None, reason), " ", places)

    # As much as there is room for

    def some(self, items: Sequence[ItemT], draw: Callable[[ItemT], Markup], noun: str) -> list[Markup]:
        """The first items, drawn, and how many more there are."""
        drawn = [draw(item) for item in items[: self.room.items]]
        left = len(items) - len(drawn)
        return [*drawn, element("p", "il-quiet", f"{counted(left, noun)} more")] if left else drawn

    def rest(self, items: Sequence[object]) -> Markup:
        """The row of a list of names that says how many more there are."""
        left = len(items) - self.room.items
        return element("div", None, element("dt", None, "…"), element("dd", None, f"{left:,} more")) if left > 0 else NOTHING

    # Names of places

    def heading(self, level: int, css: str, *children: str) -> Markup:
        """A heading, which is none in a notebook: its headings are the notebook's own."""
        return element(f"h{level + self.room.deeper}" if self.room.whole_page else "p", css, *children)

    def anchor(self, at: str) -> str | None:
        """The name of an element, where there may be such names; of two with one pointer, the first has it."""
        if not self.room.whole_page or at in self._anchors:
            return None
        self._anchors.add(at)
        return self.room.prefix + _id(at)

    def link(self, at: str | None, text: str) -> Markup:
        """A link to a place on the page, if there is one."""
        if at is None or not self.room.whole_page:
            return element("code", None, text)
        return element("a", None, element("code", None, text), href=f"#{self.room.prefix}{_id(at)}")

    def place(self, at: str) -> Markup:
        """The pointer of an owner."""
        return element("code", "il-path", at) if at else NOTHING


def _is_elsewhere(turn: Turn) -> bool:
    """Whether everything in a turn is drawn beside the calls that it answers."""
    return bool(turn.answers) and not (turn.parts or turn.facts or turn.marks)


def _id(at: str) -> str:
    return "at" + at.replace("/", "-")


def _only_format(outline: Outline) -> str:
    """The format whose losses and problems these are, if they are of one."""
    formats = {mark.format for node in (outline, *nodes_of(outline)) for mark in node.marks if mark.kind != "note"}
    return formats.pop() if len(formats) == 1 else ""


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _kind(mark: Mark) -> str:
    return mark.code if mark.kind == "loss" and mark.code in KINDS else mark.kind


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _details(css: str | None, summary: str, *children: str) -> Markup:
    return element("details", css, element("summary", None, summary), *children)


def _code(text: str) -> Markup:
    first = Markup("\n") if text.startswith("\n") else NOTHING  # HTML leaves out the first line break
    return element("pre", None, first, text)
