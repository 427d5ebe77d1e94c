"""What a conversation becomes in several formats, as elements of HTML: columns beside one another, or below one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .drawing import KINDS, ROLES, Drawing, Room
from .forms import Cell, Forms, Line, Row
from .markup import NOTHING, Markup, element, joined

_DEEPEST = 9
"""How many levels of JSON are indented."""
_SHORT = 30
"""The longest value in one line with its pointer."""


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
            said = [
                element("span", f"il-count il-{kind}", element("strong", None, f"{counts[kind]:,} {kind.replace('_', ' ')}"))
                for kind in KINDS
                if kind in counts
            ]
            inside = joined(*said) if said else joined("nothing is lost")
            items.append(element("div", None, element("dt", None, name), element("dd", None, inside)))
        kinds = {loss.kind for losses in whole.losses for loss in losses}
        meant = "; ".join(f"{kind.replace('_', ' ')}: {KINDS[kind]}" for kind in KINDS if kind in kinds)
        legend = element("p", "il-quiet", f"{meant}.") if meant else NOTHING
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


def _json(lines: Iterable[Line]) -> Markup:
    """JSON in lines; those that a loss points at are marked."""
    drawn = [
        element("mark" if line.marked else "span", f"il-line il-deep-{min(line.depth, _DEEPEST)}", line.text) for line in lines
    ]
    return element("div", "il-json", *drawn)
