"""Writes `src/interlingua/_signatures.pyi`: for type checkers, what `dump` and `convert` return for each name of a format.

Run `python tools/signatures.py` after a change of `FORMATS` or of `payloads.PAYLOADS`. With `--check` it writes nothing and
reports whether the file is stale. Formats without a row in `PAYLOADS` have the types of the format that has one and shares
their `dump`; where there is none, a request is a `dict[str, Any]`.
"""

import sys
from typing import Any, NamedTuple

from generated import PACKAGE, overloads, run
from interlingua.formats import FORMATS
from interlingua.payloads import PAYLOADS

FILE = PACKAGE / "_signatures.pyi"

HEAD = """\
# What the functions that write requests return, by the name of the format. Written by `tools/signatures.py`: do not edit.
# A name that may be any has the last overload, which the checkers call unsafe:
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, TypeAlias, overload

from .codec.format import Format
from .front import Conversion
from .losses import OnLoss
from .model.exchange import Conversation, Request
from .model.messages import MessageBase
from .payloads import {payloads}

FormatName: TypeAlias = Literal{names}

# Decorators: each gives its function the overloads below it.
def dump_by_name(function: Callable[..., Any], /) -> Dump: ...
def convert_by_name(function: Callable[..., Any], /) -> Convert: ...
def dump_history_by_name(function: Callable[..., Any], /) -> DumpHistory: ...
"""


class Row(NamedTuple):
    """The types of the formats that write requests of one shape."""

    payload: str
    history: str
    messages: str
    names: list[str]

    @property
    def literal(self) -> str:
        return f"Literal{self.names}"


OTHERS = "dict[str, Any]"
LISTED = "Iterable[MessageBase | dict[str, Any]]"
DUMPED = (
    ("Request", "payload", "Literal[True] = True"),
    ("Request", "history", "Literal[False]"),
    ("Conversation", "history", "bool = True"),
    (LISTED, "messages", "bool = True"),
)
"""What is dumped, as which types of a row, and the type of `settings`."""


def row_of(name: str) -> str | None:
    """The format in `PAYLOADS` whose requests have the shape of this one's."""
    if name in PAYLOADS:
        return name
    return next((known for known in PAYLOADS if FORMATS[known].dump == FORMATS[name].dump), None)


def rows() -> list[Row]:
    """A row for each pair of payload types, with the names of its formats."""
    found: dict[str | None, list[str]] = {}
    for name in FORMATS:
        found.setdefault(row_of(name), []).append(name)
    types: dict[str | None, tuple[str, str, str]] = {known: type_names(*PAYLOADS[known]) for known in PAYLOADS}
    return [Row(*types.get(known, (OTHERS, OTHERS, OTHERS)), names) for known, names in found.items()]


def type_names(payload: type[Any], history: type[Any], messages: type[Any]) -> tuple[str, str, str]:
    return payload.__name__, history.__name__, messages.__name__


def text() -> str:
    """The whole file, before it is formatted."""
    table = rows()
    on_loss = '*, on_loss: OnLoss = "warn"'
    formats = "FormatName | Format"
    check = 'check: Literal["raise"] | None = None'
    dumps = [
        f"(self, messages: {kind}, target: {row.literal}, {on_loss}, settings: {settings}, {check}) -> {getattr(row, types)}"
        for kind, types, settings in DUMPED
        for row in table
    ]
    anything = f"Request | Conversation | {LISTED}"
    dumps += [f"(self, messages: {anything}, target: {formats}, {on_loss}, settings: bool = True, {check}) -> {OTHERS}"]
    source = f"(self, payload: Any, *, source: {formats}, target"
    options = "strict: bool = False, model: str | None = None, stream: bool | None = None, check: bool = False"
    converts = [f"{source}: {row.literal}, {options}) -> Conversion[{row.payload}]" for row in table]
    converts += [f"{source}: {formats}, {options}) -> Conversion[{OTHERS}]"]
    histories = [f"(self, target: {row.literal}, {on_loss}) -> {row.messages}" for row in table]
    histories += [f"(self, target: {formats}, {on_loss}) -> {OTHERS}"]
    used = sorted({name for row in table for name in (row.payload, row.history, row.messages)} - {OTHERS})
    lines = [HEAD.format(payloads=", ".join(used), names=[*FORMATS])]
    for name, signatures in (("Dump", dumps), ("Convert", converts), ("DumpHistory", histories)):
        lines += [f"class {name}(Protocol):", *overloads("__call__", signatures)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(run(FILE, text, "signatures.py"))
