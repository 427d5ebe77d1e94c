"""Writes `src/interlingua/_signatures.pyi`: for type checkers, what `dump` and `convert` return for each name of a format.

Run `python tools/signatures.py` after a change of `FORMATS` or of the types in a format's `payloads`. With `--check` it writes
nothing and reports whether the file is stale. Of a format without such types, a request is a `dict[str, Any]`.
"""

import sys
from typing import Any, NamedTuple

from generated import PACKAGE, overloads, run
from interlingua.formats import FORMATS

FILE = PACKAGE / "_signatures.pyi"

HEAD = """\
# What the functions that write requests return, by the name of the format. Written by `tools/signatures.py`: do not edit.
# A name that may be any has the last overload, which the checkers call unsafe:
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

from .codec.format import Format
from .conversion.converted import Conversion
from .conversion.losses import OnLoss
{imports}
from .model.exchange import Conversation, Request
from .model.messages import MessageBase

FormatName: TypeAlias = Literal{names}

# Every text resembles a sequence of these, and none is one. A last overload that takes it makes mypy blame a misspelt word in
# one error, where it would list all overloads.
class KnownWord: ...

AnyFormat: TypeAlias = FormatName | Format | Sequence[KnownWord]
AnyOnLoss: TypeAlias = OnLoss | Sequence[KnownWord]
AnyCheck: TypeAlias = Literal["raise"] | Sequence[KnownWord] | None

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


def rows() -> list[Row]:
    """A row for each triple of payload types, with the names of its formats."""
    found: dict[tuple[type[Any], ...], list[str]] = {}
    for name, format in FORMATS.items():
        types = () if format.payloads is None else format.payloads(format)
        found.setdefault(types, []).append(name)
    return [Row(*type_names(types), names) for types, names in found.items()]


def type_names(types: tuple[type[Any], ...]) -> tuple[str, str, str]:
    if not types:
        return OTHERS, OTHERS, OTHERS
    request, history, messages = types
    return request.__name__, history.__name__, messages.__name__


def imports() -> str:
    """The lines that import the types, module by module."""
    homes: dict[str, set[str]] = {}
    for format in FORMATS.values():
        for kind in () if format.payloads is None else format.payloads(format):
            homes.setdefault(kind.__module__.removeprefix("interlingua"), set()).add(kind.__name__)
    return "\n".join(f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(homes.items()))


def text() -> str:
    """The whole file, before it is formatted."""
    table = rows()
    on_loss = '*, on_loss: OnLoss = "warn"'
    check = 'check: Literal["raise"] | None = None'
    texts = 'foreign_reasoning: Literal["drop", "text"] = "drop", media: Literal["drop", "placeholder"] = "drop"'
    dumps = [
        f"(self, messages: {kind}, target: {row.literal}, {on_loss}, settings: {settings}, {check}, {texts})"
        f" -> {getattr(row, types)}"
        for kind, types, settings in DUMPED
        for row in table
    ]
    words = '*, on_loss: AnyOnLoss = "warn", settings: bool = True, check: AnyCheck = None, ' + texts
    anything = f"Request | Conversation | {LISTED}"
    dumps += [f"(self, messages: {anything}, target: AnyFormat, {words}) -> {OTHERS}"]
    payload = "(self, payload: Any, *, source: AnyFormat | Literal['auto'], target"
    options = "strict: bool = False, model: str | None = None, stream: bool | None = None, check: bool = False"
    options += ", prefer: Iterable[FormatName | Format] = (), carry: bool = False, " + texts
    converts = [f"{payload}: {row.literal}, {options}) -> Conversion[{row.payload}]" for row in table]
    converts += [f"{payload}: AnyFormat, {options}) -> Conversion[{OTHERS}]"]
    histories = [f"(self, target: {row.literal}, {on_loss}) -> {row.messages}" for row in table]
    histories += [f'(self, target: AnyFormat, *, on_loss: AnyOnLoss = "warn") -> {OTHERS}']
    lines = [HEAD.format(imports=imports(), names=[*FORMATS])]
    for name, signatures in (("Dump", dumps), ("Convert", converts), ("DumpHistory", histories)):
        lines += [f"class {name}(Protocol):", *overloads("__call__", signatures)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(run(FILE, text, "signatures.py"))
