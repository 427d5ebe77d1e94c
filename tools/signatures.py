"""Writes `src/interlingua/_signatures.pyi`: for type checkers, what functions return, by the name of the format.

Run `python tools/signatures.py` after a change of `FORMATS`, of the types in a format's `payloads`, or of a function that
`calls` lists. With `--check` it writes nothing and reports whether the file is stale. Of a format without payload types, a
request is a `dict[str, Any]`.

A misspelt name costs one error. mypy reports one if the last overload takes `Sequence[KnownWord]`. Pyright reports each call
that matches no overload twice, so for Pyright a function has one signature: its last parameter, which nobody passes, has an
overloaded function as its default, and that has the type of the result. mypy does not infer types from defaults.
"""

import sys
from textwrap import indent
from typing import Any, NamedTuple

from generated import PACKAGE, overloads, run
from interlingua.formats import CHOICES, FORMATS

FILE = PACKAGE / "_signatures.pyi"

HEAD = """\
# What functions return, by the name of the format or the kind of the value. Written by `tools/signatures.py`: do not edit.
# A name that may be any has the last overload, which the checkers call unsafe:
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false, reportRedeclaration=false

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable, Sequence
from typing import Any, Literal, Never, Protocol, TypeAlias, TypeVar, overload

from .checking.repairing.pairs import Policy
from .codec.format import Format
from .conversion.context import RequestContext
from .conversion.converted import Conversion
from .conversion.filling import Fill
from .conversion.losses import OnLoss
from .conversion.restreaming import AsyncRestream, Restream
from .errors import Repair
{imports}
from .model.exchange import Conversation, Request
from .model.messages import Message, MessageBase

FormatName: TypeAlias = Literal{names}

# Every text resembles a sequence of these, and none is one. A last overload that takes it makes mypy blame a misspelt word in
# one error, where it would list all overloads.
class KnownWord: ...

# What Pyright says a misspelt name is not.
class KnownFormat: ...

AnyFormat: TypeAlias = FormatName | Format | Sequence[KnownWord]
AnyOnLoss: TypeAlias = OnLoss | Sequence[KnownWord]
AnyCheck: TypeAlias = Literal["raise"] | Sequence[KnownWord] | None
AnyPolicy: TypeAlias = Policy | Sequence[KnownWord]

# What Pyright takes a type variable for that an argument left open, and, being outside of all bounds, one for Any.
class Open: ...
class Unknown: ...

FormatT = TypeVar("FormatT", bound=FormatName | Format | KnownFormat)
ValueT = TypeVar("ValueT", bound=Request | Conversation | Open)
ChunksT = TypeVar("ChunksT", bound=AsyncIterable[Any] | Open)
ResultT = TypeVar("ResultT")

# Decorators: each gives its function a type.
{decorators}

# True for mypy alone.
MYPY: bool

if MYPY:
{overloaded}
else:
{inferred}
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
TEXTS = 'foreign_reasoning: Literal["drop", "text"] = "drop", media: Literal["drop", "placeholder"] = "drop"'
OPTIONS = (
    "strict: bool = False, model: str | None = None, stream: bool | None = None, check: bool = False, "
    f"prefer: Iterable[FormatName | Format] = (), carry: bool = False, {TEXTS}"
)
RESTREAMED = (
    'on_loss: {on_loss} = "warn", usage: bool = False, request: Conversion[Any] | RequestContext | None = None, '
    "fill: bool | Fill = False, carry: bool = False"
)

KNOWN = {"format": "FormatName | Format", "on_loss": "OnLoss", "check": 'Literal["raise"] | None', "policy": "Policy"}
"""The types of parameters that are words."""
ANY = {"format": "AnyFormat", "on_loss": "AnyOnLoss", "check": "AnyCheck", "policy": "AnyPolicy"}
"""Those types in overloads that take misspelt words, for mypy."""

LISTED = "Iterable[MessageBase | dict[str, Any]]"
VARIABLES = {
    "target": ("FormatT", "FormatT"),
    "messages": ("ValueT", f"{LISTED} | ValueT"),
    "value": ("ValueT", f"{LISTED} | ValueT"),
    "chunks": ("ChunksT", "Iterable[Any] | ChunksT"),
}
"""The type variable of each parameter that decides a result, and the type of the parameter, of which lists take theirs."""
OPEN = {LISTED: "Open", "Iterable[Any]": "Open"}
"""What those arguments leave the type variable as."""

Types = dict[str, str]


class Case(NamedTuple):
    """What a function returns for arguments of these types."""

    types: Types
    result: str


class Group(NamedTuple):
    """Cases in which the other parameters are the same."""

    others: Types
    cases: list[Case]


class Call(NamedTuple):
    """A function whose result depends on the types of some arguments, the `keys`.

    `last` is what it returns where those types are not known.
    """

    name: str
    function: str
    parameters: str
    keys: list[str]
    groups: list[Group]
    last: Case

    @property
    def overloads(self) -> list[str]:
        """Its signatures for mypy."""
        by_name = "target" in self.keys
        words = KNOWN if by_name else ANY
        cases = [(group.others | case.types, case.result) for group in self.groups for case in group.cases]
        each = [self.signature(words | types, result) for types, result in cases]
        return [*each, self.signature(ANY | self.last.types, self.last.result)] if by_name else each

    def signature(self, types: Types, result: str, more: str = "") -> str:
        return f"(self, {self.parameters.format(**types)}{more}) -> {result}"

    @property
    def inferred(self) -> str:
        """The functions that have its results, and its signature, for Pyright: one for each group."""
        variables = ", ".join(VARIABLES[key][0] for key in self.keys)
        types = KNOWN | {key: VARIABLES[key][1] for key in self.keys}
        lines: list[str] = []
        signatures: list[str] = []
        for number, group in enumerate(self.groups, 1):
            results = f"{self.function}_{number}"
            more = f", _result: Callable[[{variables}], ResultT] = {results}"
            signatures.append(self.signature(types | group.others, "ResultT", more))
            # An open type variable takes the first type within its bound.
            cases = sorted(group.cases, key=lambda case: OPEN.keys().isdisjoint(case.types.values()))
            for case in [*self.unknown, *cases, self.last]:
                kinds = [case.types.get(key, "Any") for key in self.keys]
                parameters = ", ".join(f"{key}: {OPEN.get(kind, kind)}" for key, kind in zip(self.keys, kinds, strict=True))
                lines += [f"@overload\ndef {results}({parameters}, /) -> {case.result}: ..."]
        if "target" in self.keys:
            # Language servers offer the words of a literal, not those of a type variable. No call matches this signature.
            offered = KNOWN | self.last.types | {"target": KNOWN["format"]}
            signatures.append(self.signature(offered, self.last.result, ", _result: Never"))
        return "\n".join([*lines, f"class {self.name}(Protocol):", *overloads("__call__", signatures)])

    @property
    def unknown(self) -> list[Case]:
        """The results for a misspelt name, and for an argument of the type Any."""
        misspelt = [Case({"target": "KnownFormat"}, "Any")] if "target" in self.keys else []
        return misspelt + [Case({key: "Unknown"}, self.last.result) for key in self.keys if key != "target"]


def rows() -> list[Row]:
    """A row for each triple of payload types, with the names of its formats."""
    found: dict[tuple[type[Any], ...], list[str]] = {}
    for name, format in FORMATS.items():
        types = () if format.payloads is None else format.payloads(format)
        found.setdefault(types, []).append(name)
    found[()] += CHOICES
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


def calls() -> list[Call]:
    """The functions of this package whose results depend on a format's name, or on the kind of a value."""
    table = rows()
    whole = [Case({"messages": LISTED, "target": row.literal}, row.messages) for row in table]
    whole += [Case({"messages": "Request", "target": row.literal}, row.payload) for row in table]
    whole += [Case({"messages": "Conversation", "target": row.literal}, row.history) for row in table]
    bare = [case for case in whole if case.types["messages"] == LISTED]
    bare += [Case({"messages": "Request | Conversation", "target": row.literal}, row.history) for row in table]
    anything = {"messages": f"Request | Conversation | {LISTED}", "target": "AnyFormat", "settings": "bool = True"}
    dump = Call(
        "Dump",
        "dump",
        'messages: {messages}, target: {target}, *, on_loss: {on_loss} = "warn", settings: {settings}, '
        "check: {check} = None, " + TEXTS,
        ["messages", "target"],
        [Group({"settings": "Literal[True] = True"}, whole), Group({"settings": "Literal[False]"}, bare)],
        Case(anything, OTHERS),
    )
    convert = Call(
        "Convert",
        "convert",
        'payload: Any, *, source: {format} | Literal["auto"], target: {target}, ' + OPTIONS,
        ["target"],
        [Group({}, [Case({"target": row.literal}, f"Conversion[{row.payload}]") for row in table])],
        Case({"target": "AnyFormat"}, f"Conversion[{OTHERS}]"),
    )
    history = Call(
        "DumpHistory",
        "dump_history",
        'target: {target}, *, on_loss: {on_loss} = "warn"',
        ["target"],
        [Group({}, [Case({"target": row.literal}, row.messages) for row in table])],
        Case({"target": "AnyFormat"}, OTHERS),
    )
    restream = Call(
        "RestreamChunks",
        "restream",
        "chunks: {chunks}, *, source: {format}, target: {format}, " + RESTREAMED,
        ["chunks"],
        [Group({}, [Case({"chunks": "Iterable[Any]"}, "Restream"), Case({"chunks": "AsyncIterable[Any]"}, "AsyncRestream")])],
        Case({"chunks": "Iterable[Any] | AsyncIterable[Any]"}, "Any"),
    )
    sent = [Case({"chunks": "Iterable[Any]"}, "Generator[bytes]")]
    sent += [Case({"chunks": "AsyncIterable[Any]"}, "AsyncGenerator[bytes]")]
    sse = Call(
        "SSE",
        "sse",
        'chunks: {chunks}, target: {format}, *, on_loss: {on_loss} = "warn", fill: bool | Fill = False',
        ["chunks"],
        [Group({}, sent)],
        Case({"chunks": "Iterable[Any] | AsyncIterable[Any]"}, "Any"),
    )
    kinds = {"Request": "Request", "Conversation": "Conversation", LISTED: "list[Message]"}
    repair = Call(
        "RepairValue",
        "repair",
        'value: {value}, format: {format}, *, policy: {policy} = "drop", warnings: bool = False',
        ["value"],
        [Group({}, [Case({"value": kind}, f"tuple[{result}, list[Repair]]") for kind, result in kinds.items()])],
        Case({"value": f"Request | Conversation | {LISTED}"}, "tuple[Any, list[Repair]]"),
    )
    return [dump, convert, history, restream, sse, repair]


def text() -> str:
    """The whole file, before it is formatted."""
    table = calls()
    decorators = [f"def type_of_{call.function}(function: Callable[..., Any], /) -> {call.name}: ..." for call in table]
    overloaded = [line for call in table for line in (f"class {call.name}(Protocol):", *overloads("__call__", call.overloads))]
    inferred = [call.inferred for call in table]
    return HEAD.format(
        imports=imports(),
        names=[*FORMATS, *CHOICES],
        decorators="\n".join(decorators),
        overloaded=indent("\n".join(overloaded), "    "),
        inferred=indent("\n".join(inferred), "    "),
    )


if __name__ == "__main__":
    sys.exit(run(FILE, text, "signatures.py"))
