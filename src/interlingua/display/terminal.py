"""An outline in the terminal, drawn with rich: indented text, which wraps in any width and says everything without colour, too.

All text goes through `harmless` and into `Text`, so that nothing in a conversation is read as markup, as an emoji's name or as
an escape sequence. What may be base64 is shortened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from .json_text import indented
from .outline import Fact, Mark, Outline, Piece, ToolLine, Turn
from .texts import harmless, one_line, without_base64

_ROLES = {
    "system": "bold magenta",
    "developer": "bold magenta",
    "user": "bold cyan",
    "assistant": "bold green",
    "tool": "bold yellow",
}
_MARKS = {"error": "red", "warning": "yellow", "loss": "yellow", "note": "magenta"}
_PIECES = {"text": "", "thinking": "italic", "refusal": "red", "call": "blue", "result": "", "media": "cyan"}
_LINE = 60
"""The longest arguments that stand in one line with the name of what is called."""


@dataclass(frozen=True)
class Look:
    """How much is shown: reasoning unfolded, and every fact and mark at its full length, with tools' schemas."""

    reasoning: bool = False
    full: bool = False


_NARROWEST = 20


def console(**options: Any) -> Console:
    """A console that reads no markup in what it prints; in a pipe it has no colours."""
    made = Console(highlight=False, markup=False, emoji=False, **options)
    made.width = max(made.width, _NARROWEST)  # some programs say that a terminal has no columns
    return made


def drawn(whole: Outline, look: Look = Look()) -> Iterator[RenderableType]:
    """An outline as lines of text."""
    yield Indented(Text(one_line(whole.title), "bold"))
    yield from _marks(whole.marks, 0)
    yield from _facts(whole.facts, 0, look)
    for tool in whole.tools:
        yield from _tool(tool, look)
    for turn in whole.turns:
        has_content = turn.parts or turn.facts or turn.marks
        if has_content or not turn.answers:
            yield Text("")
            yield from drawn_turn(turn, look)


def drawn_turn(turn: Turn, look: Look = Look()) -> Iterator[RenderableType]:
    """A message: a heading, and its parts below it."""
    yield Indented(heading(turn))
    yield from _marks(turn.marks, 2)
    yield from _facts(turn.facts, 2, look)
    if turn.answers:
        words = "1 result, beside its call" if len(turn.answers) == 1 else f"{len(turn.answers):,} results, beside their calls"
        yield Indented(Text(f"({words})", "dim"), 2)
    for piece in turn.parts:
        yield from _piece(piece, 2, look)
    if not (turn.parts or turn.answers):
        yield Indented(Text("(empty)", "dim"), 2)


def heading(turn: Turn) -> Text:
    """The number of a message, and who speaks."""
    name = [(f" {one_line(turn.name)}", "bold")] if turn.name is not None else []
    return Text.assemble((f"{turn.number} ", "dim"), (one_line(turn.role), _ROLES.get(turn.role, "bold")), *name)


@dataclass(frozen=True)
class Indented:
    """Text behind some spaces, wrapped."""

    text: Text
    spaces: int = 0

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        spaces = min(self.spaces, options.max_width // 4)
        for line in self.text.wrap(console, options.max_width - spaces, overflow="fold"):
            line.rstrip()
            line.stylize_before(self.text.style)  # which `render` leaves out where there are no others
            if line:
                yield Segment(" " * spaces)
            yield from line.render(console, "\n")


# Pieces


def _piece(piece: Piece, indent: int, look: Look, *, beside: bool = False) -> Iterator[RenderableType]:
    """A piece and what is in it; a result that stands `beside` its call does not repeat the call's id."""
    folded = piece.folded and not look.reasoning
    text = "" if folded else shown_text(piece)
    parts = piece.parts
    if piece.kind == "result" and len(parts) == 1 and _is_text_alone(parts[0]):
        text = shown_text(parts[0])
        parts = ()
    yield from _labelled(piece, text, indent, folded=folded)
    yield from _marks(piece.marks, indent + 2)
    facts: Iterable[Fact] = piece.facts
    if beside and not look.full:
        known = (f"{piece.at}/tool_use_id", f"{piece.at}/tool_call_id")
        facts = [fact for fact in facts if fact.marks or fact.at not in known]
    yield from _facts(facts, indent + 2, look)
    for inner in parts:
        yield from _piece(inner, indent + 2, look)
    for result in piece.results:
        yield from _piece(result, indent + 2, look, beside=True)


def _is_text_alone(piece: Piece) -> bool:
    """Whether a piece is text, and nothing is to be shown of it but that text."""
    return piece.kind == "text" and not piece.facts and not piece.marks


def _labelled(piece: Piece, text: str, indent: int, *, folded: bool) -> Iterator[RenderableType]:
    """The label of a piece and its text, in one line if both are short; text in a message has no label."""
    style = "red" if piece.failed else _PIECES.get(piece.kind, "")
    if piece.kind == "text":
        yield Indented(Text(text, style) if text else Text("(empty)", "dim"), indent)
        return
    label = Text.assemble("- " if folded else "", (one_line(piece.label), f"bold {style}"))
    inline = piece.kind in ("call", "result") and len(text) <= _LINE and "\n" not in text
    if text and inline:
        label.append(f" {text}", style)
    yield Indented(label, indent)
    if text and not inline:
        yield Indented(Text(text, style), indent + 2)


def shown_text(piece: Piece) -> str:
    """The text of a piece as it is shown: harmless, without base64, and JSON indented where it is long."""
    text = without_base64(piece.text)
    return harmless(indented(text, _LINE) if piece.kind in ("call", "json", "opaque") else text)


def _tool(tool: ToolLine, look: Look) -> Iterator[RenderableType]:
    description = harmless(tool.description) if look.full else one_line(tool.description)
    yield Indented(Text.assemble(("tool ", "dim"), (one_line(tool.name), "bold"), f" {description}"))
    yield from _marks(tool.marks, 2)
    if look.full:
        yield Indented(Text(harmless(indented(tool.schema))), 2)
    yield from _facts(tool.facts, 2, look)


# Lines


def _facts(facts: Iterable[Fact], indent: int, look: Look) -> Iterator[RenderableType]:
    for fact in facts:
        text = harmless(without_base64(fact.text)) if look.full else one_line(without_base64(fact.text))
        yield Indented(Text.assemble((f"{fact.name} ", "dim"), text), indent)
        yield from _marks(fact.marks, indent + 2)


def _marks(marks: Iterable[Mark], indent: int) -> Iterator[RenderableType]:
    for mark in marks:
        yield Indented(mark_line(mark), indent)


def mark_line(mark: Mark) -> Text:
    """A loss, a problem or a note, in a line."""
    style = _MARKS[mark.kind]
    kind = f"{mark.code} for {mark.format}".lstrip() if mark.format else mark.code
    about = f" {one_line(kind)}" if kind else ""
    place = "" if mark.kind == "note" else f" ({one_line(mark.path) or 'the whole'})"
    words = f"{about}: {one_line(mark.text, 400)}"
    return Text.assemble((mark.kind.upper(), f"bold {style}"), (words, style), (place, "dim"))
