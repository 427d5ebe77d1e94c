"""Alpaca: a row of a dataset for training, with an instruction, perhaps an input, and the output.

Wire reference: `data/README.md` and `src/llamafactory/data/converter.py` of LLaMA-Factory (commit 02e2fb34), Stanford's
`alpaca_data.json`. The user's message is the instruction and, on the next line, the input. `history` has the turns before:
pairs of the texts of the user and the assistant. `system` has the system text.

Cannot carry: roles besides these, turns that do not alternate, tools, calls and results, participants' names, reasoning, media,
cache marks, content as parts, settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from ...codec.dump import NOTHING_LEFT, Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.format import Format
from ...codec.native import NativeTable, settable
from ...codec.one_text import has_text, plain_text, says_something, text_pieces
from ...codec.pointers import Items, Kind, locator, system_in
from ...codec.settings import dump_empty_system, dump_rest, load_system
from ...model.exchange import Request

if TYPE_CHECKING:
    from ...codec.marks import Marks
    from ...codec.strategies.wire import Strategies

FAMILY = "alpaca"

# Wire types


@with_config(ConfigDict(extra="allow", strict=True))
class Row(TypedDict, total=False):
    """One row."""

    instruction: str | None
    input: str | None
    output: str | None
    system: str | None
    history: list[Annotated[list[str], Field(min_length=2, max_length=2)]] | None


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a row, built on first use."""
    return TypeAdapter(Row)


# Rows


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a row as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire))
    messages = load_system(reader)
    pairs: list[list[str]] = reader.wire.get("history") or []
    for asked, answered in pairs:
        messages += ({"role": "user", "content": asked}, {"role": "assistant", "content": answered})
    instruction = reader.take("instruction")
    if instruction is not None:
        messages.append(_load_question(instruction, reader))
    output = reader.take("output")
    if output is not None:
        messages.append({"role": "assistant", "content": output})
    if pairs and instruction is None:
        reader.spelling["history"] = str(len(pairs))
    if pairs:
        reader.know("history")
    return reader.keep({"messages": messages}, FAMILY)


def _load_question(instruction: str, reader: FieldReader) -> dict[str, Any]:
    """Join the instruction and, on the next line, the input, whose length is recorded."""
    more = reader.take("input", str)
    if more is None:
        return {"role": "user", "content": instruction}
    content = f"{instruction}\n{more}" if more else instruction
    return {"role": "user", "content": content, "wire": {"spelling": {"input": str(len(more))}}}


class _TextMessage(NamedTuple):
    """A message with text, its role and its pointer, and the dump with the rules for it."""

    role: str
    message: Any
    path: str
    d: Dump


def dump_request(request: Request, messages: Sequence[Any], d: Dump) -> Wire:
    """Dump a row."""
    out = dump_empty_system(request, d)
    texts = list(_with_text(messages, d))
    if texts and texts[0].role == "system":
        out["system"] = _dump_text(texts[:1], "/system")
        del texts[0]
    _dump_turns(request, texts, out, d)
    return dump_rest(request, out, d, written=())


def _with_text(messages: Sequence[Any], base: Dump) -> Iterator[_TextMessage]:
    """The messages with text, and the roles to write them with; all others are reported."""
    first = True
    for i, message in enumerate(messages):
        path = f"/messages/{i}"
        d = base.rules_for(message)
        role = message.role
        if role == "opaque":
            d.drop(path, d.no_place_for(message, "message"))
        elif role == "tool":
            d.drop(path, "Alpaca's rows do not take tool results")
        elif not has_text(text_pieces(message, path), d):
            d.drop(path, NOTHING_LEFT)
        elif role in ("system", "developer") and first:
            if d.exact or says_something(text_pieces(message, path), d):
                yield _TextMessage("system", message, path, d)
                first = False
            else:
                d.drop(path, NOTHING_LEFT)
        else:
            first = False
            yield _TextMessage("assistant" if role == "assistant" else "user", message, path, d)


def _dump_turns(request: Request, texts: list[_TextMessage], out: Wire, d: Dump) -> None:
    """Write the turns: pairs into the history, then the last ones."""
    recorded = _recorded_pairs(request, texts) if d.same_format else None
    if recorded is None:
        sides = _alternating(texts)
        pairs = max(len(sides) - 1, 0) // 2
    else:
        sides = [[one] for one in texts]
        pairs = recorded
    if pairs:
        history: list[list[str]] = []
        for i in range(pairs):
            question = _dump_text(sides[2 * i], f"/history/{i}/0")
            history.append([question, _dump_text(sides[2 * i + 1], f"/history/{i}/1")])
        out["history"] = history
    for side in sides[2 * pairs :]:
        if side and side[0].role == "assistant":
            out["output"] = _dump_text(side, "/output")
        elif side or not d.same_format:
            _dump_question(side, out)


def _alternating(texts: list[_TextMessage]) -> list[list[_TextMessage]]:
    """Group the messages into turns: the user's come first, and consecutive messages of one side are one turn."""
    sides: list[list[_TextMessage]] = []
    for one in texts:
        if sides and sides[-1] and sides[-1][0].role == one.role:
            sides[-1].append(one)
            continue
        if not sides and one.role == "assistant":
            sides.append([])
        sides.append([one])
    return sides


def _recorded_pairs(request: Request, texts: list[_TextMessage]) -> int | None:
    """The number of pairs in the history of a row without an instruction, if the messages still fit such a row."""
    recorded = spelling(request, "history")
    if recorded is None:
        return None
    pairs = _number(recorded)
    roles = [one.role for one in texts]
    of_pairs = ["user", "assistant"] * min(pairs, len(texts))
    return pairs if roles in (of_pairs, [*of_pairs, "assistant"]) else None


def _dump_text(side: Sequence[_TextMessage], at: str) -> str:
    """The text of one turn."""
    texts: list[str] = []
    for one in side:
        _, message, path, d = one
        changed = _JOINED if len(side) > 1 else _other_role(one)
        texts.append(plain_text(text_pieces(message, path), path, at, d, changed))
        d.drop_named(message, path, "name", "cache_control")
        d.drop_fields(message, path)
        d.places.setdefault(at, path)
    return "\n".join(texts)


_JOINED = "turns must alternate: consecutive messages of one side become one text"


def _other_role(one: _TextMessage) -> str | None:
    """The report for a message whose role changes."""
    if one.message.role == one.role:
        return None
    return f"Alpaca's rows do not take a {one.message.role} message in that place: it becomes a {one.role} message"


def _dump_question(side: Sequence[_TextMessage], out: Wire) -> None:
    """Write the instruction and the input, if the text still ends with an input of the recorded length."""
    text = _dump_text(side, "/instruction")
    is_exact = bool(side) and side[0].d.exact
    recorded = spelling(side[0].message, "input") if is_exact and len(side) == 1 else None
    length = 0 if recorded is None else _number(recorded)
    if 0 < length < len(text) and text[-length - 1] == "\n":
        out |= {"instruction": text[: -length - 1], "input": text[-length:]}
    else:
        out["instruction"] = text
        if recorded is not None or not is_exact:
            out["input"] = ""


def _number(text: str) -> int:
    """A recorded number; 0 if none was recorded."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


# Native messages


def _is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from a row."""
    if message.role == "opaque" or type(message.content) is not str:
        return False
    if message.role == "system" and not message.content:
        return None
    return NATIVE.accepts(message)


NATIVE = NativeTable(
    family=FAMILY,
    messages={role: settable("role content") - {"provider_data"} for role in ("system", "user", "assistant")},
    parts={},
)


# Pointers


def _messages(wire: Wire) -> Items:
    """The fields of a row that become messages, in order."""
    items = [*system_in(wire)]
    history: list[list[str]] = wire.get("history") or []
    for i, pair in enumerate(history):
        items += [(f"history/{i}/{side}", text) for side, text in enumerate(pair)]
    return items + [(key, wire[key]) for key in ("instruction", "output") if wire.get(key) is not None]


POINTERS = {"request": Kind({}, {"messages": "message"}, {"messages": _messages})}


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="alpaca",
    family=FAMILY,
    adapter=adapter,
    load=load_request,
    dump=dump_request,
    locating=locator(POINTERS),
    native=_is_native,
    new_dump=Dump,
    listed="history",
    system="system",
    marks=_marks,
    strategies=_strategies,
)
FORMATS = {FORMAT.name: FORMAT}
