"""Several forms of a conversation beside one another in the terminal, or below one another where there is no room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from .forms import Cell, Forms, Line
from .terminal import Indented, heading, mark_line
from .texts import harmless, one_line

_NARROWEST = 34
"""The narrowest column; with less, columns stand below one another."""
_GAP = 2
"""The spaces between two columns."""
_SHORT = 30
"""The longest value in one line with its pointer."""
_DEEPEST = 20
"""How many levels of JSON are indented."""


@dataclass(frozen=True)
class Columns:
    """Columns beside one another, or below one another with their titles."""

    titles: Sequence[Text]
    cells: Sequence[Sequence[RenderableType]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = (options.max_width - _GAP * (len(self.cells) - 1)) // len(self.cells)
        if width < _NARROWEST:
            for title, cell in zip(self.titles, self.cells, strict=True):
                if cell:
                    yield title
                    yield from cell
            return
        drawn = [
            console.render_lines(Group(title, *cell), options.update(width=width), pad=False)
            for title, cell in zip(self.titles, self.cells, strict=True)
        ]
        for lines in zip_longest(*drawn, fillvalue=[]):
            yield from _in_a_row(lines, width + _GAP)


def _in_a_row(lines: Sequence[list[Segment]], width: int) -> Iterator[Segment]:
    """The lines of columns as one, with spaces between them and none at its end."""
    missing = 0
    for line in lines:
        if line:
            yield Segment(" " * missing)
            yield from line
            missing = 0
        missing += width - Segment.get_line_length(line)
    yield Segment.line()


def drawn_forms(whole: Forms) -> Iterator[RenderableType]:
    """A value in several formats: a heading for each message, and below it what each format has of it."""
    yield Indented(Text(one_line(whole.title), "bold"))
    for row in whole.rows:
        yield Text("")
        yield Indented(Text("request and settings", "bold") if row.turn is None else heading(row.turn))
        titles = [Text(name, "bold reverse") for name in whole.formats]
        yield Columns(titles, [list(_cell(cell)) for cell in row.cells])


def _cell(cell: Cell) -> Iterator[RenderableType]:
    for at, lines in cell.owners.items():
        if len(lines) == 1 and not lines[0].marked and len(lines[0].text) <= _SHORT:
            yield Indented(Text.assemble((one_line(at), "dim"), f" {harmless(lines[0].text)}"))
            continue
        yield Indented(Text(one_line(at), "dim"))
        yield from _lines(lines)
    for mark in cell.marks:
        yield Indented(mark_line(mark))
    if not (cell.owners or cell.marks):
        yield Text("(nothing)", "dim")


def _lines(lines: Iterable[Line]) -> Iterator[RenderableType]:
    for line in lines:
        text = Text(("! " if line.marked else "") + harmless(line.text), "yellow" if line.marked else "")
        yield Indented(text, 2 * min(line.depth, _DEEPEST) + (0 if line.marked else 2))
