"""Several conversations as elements of HTML: columns beside one another, or below one another on a phone.

They are what one conversation becomes in several formats, or two conversations with what differs between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

from .difference import Change, Difference, Field, Pair, Row as Compared, changed_words
from .drawing import KINDS, ROLES, Drawing, Room
from .forms import Cell, Forms, Line, Row
from .markup import NOTHING, Markup, element, joined
from .texts import counted, harmless, one_line, without_base64

_DEEPEST = 9
"""How many levels of JSON are indented."""
_SHORT = 30
"""The longest value in one line with its pointer."""
_FOLDED = 100
"""The longest text that is not folded beside others that have changed."""


def drawn_forms(whole: Forms, room: Room, title: str | None = None) -> tuple[Markup, Markup]:
    """The head of several forms, and their rows: one for each message, with a column for each format."""
    drawing = _Columns(room)
    named = f"{whole.title}, as {' and '.join(whole.formats)}"
    under = element("p", "il-quiet", named) if title else NOTHING
    head = joined(drawing.heading(1, "il-title", title or named), under)
    rows = [drawing.row(whole, row) for row in whole.rows]
    return head, joined(drawing.summary(whole), *rows)


class _Columns(Drawing):
    """The rows of forms under way."""

    def summary(self, whole: Forms) -> Markup:
        """How much each format loses."""
        items: list[Markup] = []
        for name, losses in zip(whole.formats, whole.losses, strict=True):
            counts = Counter[str](loss.kind for loss in losses)
            kinds = [kind for kind in KINDS if kind in counts]
            shown = joined(*[_count(kind, counts[kind]) for kind in kinds]) if kinds else joined("nothing is lost")
            items.append(element("div", None, element("dt", None, name), element("dd", None, shown)))
        lost = {loss.kind for losses in whole.losses for loss in losses}
        meanings = [f"{kind.replace('_', ' ')}: {KINDS[kind]}" for kind in KINDS if kind in lost]
        legend = element("p", "il-quiet", f"{'; '.join(meanings)}.") if meanings else NOTHING
        return joined(element("dl", "il-summary", *items), legend)

    def row(self, whole: Forms, row: Row) -> Markup:
        """A message in each of the formats."""
        cells = [self.cell(name, cell) for name, cell in zip(whole.formats, row.cells, strict=True)]
        columns = element("div", "il-columns", *cells)
        if row.turn is None:
            return element("section", "il-row", self.heading(2, "il-who", "Request and settings"), columns)
        role = element("span", "il-role", ROLES.get(row.turn.role, row.turn.role))
        head = element("div", "il-head", self.heading(2, "il-who", role), self.place(row.turn.at))
        kind = row.turn.role if row.turn.role in ROLES else "other"
        return element("section", f"il-row il-{kind}", head, columns, id=self.anchor(row.turn.at))

    def cell(self, name: str, cell: Cell) -> Markup:
        """What a format has of a message."""
        owners = [self.owner(at, lines) for at, lines in cell.owners.items()]
        nothing = [] if owners else [element("p", "il-quiet", "nothing")]
        return element("div", "il-cell", element("p", "il-format", name), *owners, *nothing, self.marks(cell.marks))

    def owner(self, at: str, lines: Sequence[Line]) -> Markup:
        """An owner of the payload: its pointer, and its JSON, in one line if it is short."""
        if len(lines) == 1 and not lines[0].marked and len(lines[0].text) <= _SHORT:
            return element("p", "il-short", self.place(at), " ", element("code", None, lines[0].text))
        return joined(self.place(at), _json(lines))


def _count(kind: str, count: int) -> Markup:
    """How many losses are of a kind."""
    return element("span", f"il-count il-{kind}", element("strong", None, f"{count:,} {kind.replace('_', ' ')}"))


def _json(lines: Iterable[Line]) -> Markup:
    """JSON in lines; those that a loss points at are marked."""
    drawn = [
        element("mark" if line.marked else "span", f"il-line il-deep-{min(line.depth, _DEEPEST)}", line.text) for line in lines
    ]
    return element("div", "il-json", *drawn)


# What differs

_CHANGES: dict[Change, str] = {"same": "the same", "changed": "changed", "removed": "only in A", "added": "only in B"}
"""The labels of rows and of the fields in them."""


def drawn_difference(found: Difference, names: tuple[str, str], room: Room) -> tuple[Markup, Markup]:
    """The head of a difference, and its rows; those that are the same are folded."""
    drawing = Drawing(room)
    named = [
        element("div", None, element("dt", None, side), element("dd", None, name))
        for side, name in zip("AB", names, strict=True)
    ]
    counts = Counter(row.change for row in found.rows)
    summary = ", ".join(f"{counted(counts[change], 'turn')} {word}" for change, word in _CHANGES.items() if counts[change])
    head = joined(
        drawing.heading(1, "il-title", "The same" if found.equal else "Different"),
        element("dl", "il-summary", *named),
        element("p", "il-quiet", summary or "nothing to compare"),
    )
    parts: list[Markup] = []
    for same, rows in groupby(found.rows, key=lambda row: row.change == "same"):
        drawn = [_compared(row, drawing) for row in rows]
        folded = element("summary", None, f"{counted(len(drawn), 'turn')} the same")
        parts.append(element("details", "il-same", folded, *drawn) if same else joined(*drawn))
    return head, joined(*parts)


def _compared(row: Compared, drawing: Drawing) -> Markup:
    """A turn of both."""
    unit = row.a or row.b
    role = "" if unit is None else unit.role
    names = dict.fromkeys(each.name for each in (row.a, row.b) if each is not None and each.name is not None)
    who = element("span", "il-role", ROLES.get(role, role))
    name = element("bdi", "il-name", " / ".join(names)) if names else NOTHING
    change = element("span", f"il-change il-is-{row.change}", _CHANGES[row.change])
    head = element("div", "il-head", drawing.heading(2, "il-who", who, " ", name), change)
    cells = [_side(row.fields, side) for side in ("A", "B")]
    return element("section", f"il-row il-{role if role in ROLES else 'other'}", head, element("div", "il-columns", *cells))


def _side(pairs: Iterable[Pair], side: Literal["A", "B"]) -> Markup:
    """The content of one of the two."""
    fields: list[Markup] = []
    for pair in pairs:
        field, other = (pair.a, pair.b) if side == "A" else (pair.b, pair.a)
        if field is not None:
            fields.append(_field(pair.change, field, other, side))
    nothing = [] if fields else [element("p", "il-quiet", "nothing")]
    return element("div", "il-cell", element("p", "il-format", side), *fields, *nothing)


def _marked_words(text: str, other: str, side: Literal["A", "B"]) -> Markup:
    """The text of one side, with the words marked that the other side does not have."""
    if side == "A":
        name = "del"
        words = changed_words(text, other)[0]
    else:
        name = "ins"
        words = changed_words(other, text)[1]
    return joined(*[element(name, None, word) if is_alone else word for word, is_alone in words])


def _field(change: Change, field: Field, other: Field | None, side: Literal["A", "B"]) -> Markup:
    """A part of a turn; where it has changed, the words that only this side has are marked."""
    text = without_base64(field.text)
    content: Markup
    if change != "changed" or other is None:
        content = joined(text)
    elif (field.label, field.text) == (other.label, other.text):
        content = element("span", "il-quiet", "the difference is in data or spelling, which are not shown")
    else:
        content = _marked_words(harmless(text), harmless(without_base64(other.text)), side)
    label = element(
        "p", "il-label", element("span", None, f"{field.label}, {_CHANGES[change]}"), element("code", "il-path", field.at)
    )
    shown = element("div", "il-text", content, dir="auto") if content else NOTHING
    if change == "same" and len(text) > _FOLDED:
        shown = element("details", None, element("summary", None, one_line(text, 60)), shown)
    return element("div", f"il-field il-is-{change}", label, shown)
