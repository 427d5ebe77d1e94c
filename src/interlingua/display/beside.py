"""Several conversations beside one another in the terminal, or below one another where there is no room.

`drawn_forms` draws one value in several formats, `drawn_difference` two values and what differs. Both arrange cells in
`Columns`, which measures the terminal only when rich draws it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from .difference import Change, Difference, Field, Pair, changed_words
from .forms import Cell, Forms, Line
from .terminal import Indented, heading, mark_line
from .texts import counted, harmless, one_line, without_base64

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
        if length := Segment.get_line_length(line):
            yield Segment(" " * missing)
            yield from line
            missing = 0
        missing += width - length
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
        indent = 2 * min(line.depth, _DEEPEST)
        if line.marked:
            yield Indented(Text("! " + harmless(line.text), "yellow"), indent)
        else:
            yield Indented(Text(harmless(line.text)), indent + 2)


# What differs

_SIGNS: dict[Change, tuple[str, str]] = {
    "same": ("=", "dim"),
    "changed": ("~", "yellow"),
    "removed": ("-", "red"),
    "added": ("+", "green"),
}
"""The sign of what has changed, which says so without colour."""


def drawn_difference(found: Difference, names: tuple[str, str], *, whole: bool = False) -> Iterator[RenderableType]:
    """What differs, the first value on the left; of what is the same, how much it is, or `whole` as well."""
    for same, rows in groupby(found.rows, key=lambda row: row.change == "same" and not whole):
        if same:
            count = sum(1 for _ in rows)
            yield Text(f"= {counted(count, 'turn')} the same", "dim")
            continue
        for row in rows:
            sign, style = _SIGNS[row.change]
            speakers = dict.fromkeys(
                one_line(f"{unit.role} {unit.name or ''}").strip() for unit in (row.a, row.b) if unit is not None
            )
            yield Indented(Text(f"{sign} {' / '.join(speakers)}", f"bold {style}"))
            titles = [Text(one_line(name), "bold reverse") for name in names]
            yield Columns(titles, [[*_side(row.fields, 0)], [*_side(row.fields, 1)]])
    yield Text("the same" if found.equal else "different", "bold")


def _side(pairs: Iterable[Pair], side: int) -> Iterator[RenderableType]:
    for pair in pairs:
        field, other = (pair.a, pair.b) if side == 0 else (pair.b, pair.a)
        if field is not None:
            yield from _field(pair.change, field, other, side)


def _field(change: Change, field: Field, other: Field | None, side: int) -> Iterator[RenderableType]:
    sign, style = _SIGNS[change]
    text = harmless(without_base64(field.text))
    yield Indented(Text.assemble((f"{sign} {one_line(field.label)}", style), (f" {one_line(field.at)}", "dim")))
    if change == "same" or other is None:
        shown = Text(text, style) if other is None else Text(one_line(text, 60), style)
        if shown:
            yield Indented(shown, 2)
    elif (field.label, field.text) == (other.label, other.text):
        yield Indented(Text("(the difference is in data or spelling, which are not shown)", style), 2)
    else:
        pair = (text, harmless(without_base64(other.text)))
        before, after = pair if side == 0 else pair[::-1]
        yield _Words(changed_words(before, after)[side], side)


_SIGNS_OF_WORDS = (("[-", "-]"), ("{+", "+}"))
_STYLES_OF_WORDS = ("bold reverse red", "bold reverse green")


@dataclass(frozen=True)
class _Words:
    """A text in pieces. Changed pieces are coloured; without colour they stand between signs."""

    pieces: Sequence[tuple[str, bool]]
    side: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        before = ""
        after = ""
        if console.color_system is None or console.no_color:
            before, after = _SIGNS_OF_WORDS[self.side]
        style = _STYLES_OF_WORDS[self.side]
        words = [(f"{before}{word}{after}", style) if changed else (word, "") for word, changed in self.pieces]
        yield Indented(Text.assemble(*words), 2)
