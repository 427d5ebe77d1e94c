"""ShareGPT: a row of a dataset for training, whose turns each have a `from` and a `value`, both text.

Wire reference: `data/README.md`, `src/llamafactory/data/converter.py` and `formatter.py` of LLaMA-Factory (commit 02e2fb34).
Turns are from `human`, `gpt`, `system`, `function_call` and `observation`; other datasets' words for the same are read, too.
The value of a `function_call` is the JSON text of one call or a list of calls, each a name and arguments; `tools` is the JSON
text of a list of functions. The system text is a field of the row or the first turn. Calls and tools that are not such JSON are
kept as they are. Trainers may require more: LLaMA-Factory skips rows whose turns do not alternate between the two sides.

Cannot carry: ids of calls (results follow the order of their calls, an empty one as an empty turn), participants'
names, reasoning, media, error flags, cache marks, content as parts, settings.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Discriminator, Tag, TypeAdapter, with_config
from typing_extensions import TypedDict

from ...codec.arguments import fit_arguments
from ...codec.dump import NOTHING_LEFT, Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.format import Format
from ...codec.native import NativeTable, settable
from ...codec.one_text import has_text, plain_text, text_pieces
from ...codec.pointers import Items, Kind, locator, system_in
from ...codec.settings import dump_empty_system, dump_rest, load_system
from ...model.base import Json, other_than
from ...model.exchange import Request
from ...model.messages import is_call, piece_kind, pieces_of
from ...model.parts import to_json
from .json_texts import as_recorded, objects_in

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.marks import Marks
    from ...codec.strategies.wire import Strategies

FAMILY = "sharegpt"

# Tables

ROLES = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("gpt", "assistant", "chatgpt", "bing", "bard"), "assistant"),
    "system": "system",
    "function_call": "call",
    **dict.fromkeys(("observation", "tool", "function_response"), "tool"),
}
"""The roles of turns; the first word of each is written."""
_WORDS = {role: word for word, role in reversed(ROLES.items())}
_OPEN = ConfigDict(extra="allow", strict=True)

# Wire types


_Word = Literal[
    "human",
    "user",
    "gpt",
    "assistant",
    "chatgpt",
    "bing",
    "bard",
    "system",
    "function_call",
    "observation",
    "tool",
    "function_response",
]
Turn = TypedDict("Turn", {"from": _Word, "value": str})
Turn.__doc__ = "What one side says."
with_config(_OPEN)(Turn)


def _tag(turn: Json) -> str | None:
    word: Json = turn.get("from") if isinstance(turn, dict) else None
    if type(word) is not str:
        return None
    return "<turn>" if word in ROLES else "<other>"


_Turn = Annotated[
    Annotated[Turn, Tag("<turn>")] | Annotated[dict[str, Any], other_than("from", *ROLES), Tag("<other>")],
    Discriminator(_tag, custom_error_type="no_turn", custom_error_message="Input should be an object with from"),
]


@with_config(_OPEN)
class Row(TypedDict):
    """One row."""

    conversations: list[_Turn]
    system: NotRequired[str | None]


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a row, built on first use."""
    return TypeAdapter(Row)


# Calls


def _load_calls(text: str) -> list[dict[str, Any]] | None:
    calls = objects_in(text)
    if calls is None:
        return None
    out: list[dict[str, Any]] = []
    for call in calls:
        if type(call.get("name")) is not str or type(call.get("arguments")) not in (str, dict):
            return None
        reader = FieldReader(call)
        made = {"type": "tool_use"}
        reader.move(made, name="name", arguments="input")
        out.append(reader.keep(made, FAMILY))
    return out


def _dump_calls(message: Any, calls: Sequence[tuple[str, Any]], at: str, d: Dump) -> str:
    objects = [_dump_call(call, where, at, d) for where, call in calls]
    text = to_json(objects[0] if len(objects) == 1 else objects)
    return as_recorded(message, "value", objects, text) if d.exact else text


def _dump_call(call: Any, path: str, at: str, d: Dump) -> Wire:
    arguments = call.input if "input" in vars(call) else call.arguments
    name = d.full_name(call, path)
    if not d.exact:
        arguments = fit_arguments(call, arguments, path, at, d)
    out: Wire = {"name": name, "arguments": arguments}
    if call.id is not None:
        d.report("changed", path + "/id", None, "ShareGPT's calls have no ids: they are paired with their results by order")
    d.drop_named(call, path, "cache_control", "signature")
    d.lay_provider_data(call, out, path, lambda _key: False)
    return out


# Tools


def _load_tools(value: Json) -> list[dict[str, Any]] | None:
    """Load the functions in `tools`, which is JSON text; tools of any other kind are kept as they are."""
    declared = objects_in(value) if type(value) is str else None
    return None if declared is None else [_load_tool(tool) for tool in declared]


def _load_tool(tool: dict[str, Any]) -> dict[str, Any]:
    function: Any = tool["function"] if tool.keys() == {"type", "function"} and tool["type"] == "function" else tool
    if _is_declaration(function):
        return {"type": "function", **function}
    return {"type": "opaque", "format": FAMILY, "value": tool}


def _is_declaration(function: Json) -> bool:
    if not isinstance(function, dict) or "name" not in function:
        return False
    return all(type(item) is _TYPES.get(key) for key, item in function.items())


_TYPES = {"name": str, "description": str, "parameters": dict}


def _tool_wire(tool: Any) -> dict[str, Any]:
    """The wire form of a tool without a recorded spelling."""
    if tool["type"] == "opaque":
        return dict(tool["value"])
    return {key: tool[key] for key in _TYPES if tool.get(key) is not None}


def _dump_tools(request: Request, d: Dump) -> str | None:
    tools: list[dict[str, Any]] = []
    recorded = spelling(request, "tools") if d.same_format else None
    if recorded is not None and _load_tools(recorded) == [tool.to_dict() for tool in request.tools or ()]:
        return recorded
    for path, tool in d.tools_of(request):
        if tool.type == "opaque":
            made = d.own_value(tool, path, "tool")
            if made is not None:
                tools.append(made)
                d.places["/tools"] = ""
            continue
        d.places["/tools"] = ""
        tools.append(_tool_wire(tool))
        d.drop_named(tool, path, "strict", "cache_control")
        d.drop_fields(tool, path)
    return to_json(tools) if tools else None


# Turns


def load_turn(wire: Wire) -> dict[str, Any]:
    """Load a turn as a message. If its kind is unknown, or its value should be calls and is not, it is kept whole."""
    role = ROLES.get(wire["from"])
    calls = _load_calls(wire["value"]) if role == "call" else None
    if role is None or (role == "call" and calls is None):
        return {"role": "opaque", "format": FAMILY, "value": wire}
    reader = FieldReader(wire, "from", "value")
    if role == "system":
        reader.spelling["system"] = "message"
    if wire["from"] != _WORDS[role]:
        reader.spelling["from"] = wire["from"]
    if calls is None:
        return reader.keep({"role": role, "content": wire["value"]}, FAMILY)
    usual = [{"name": call["name"], "arguments": call["input"]} for call in calls]
    if to_json(usual[0] if len(usual) == 1 else usual) != wire["value"]:
        reader.spelling["value"] = wire["value"]
    return reader.keep({"role": "assistant", "content": calls}, FAMILY)


class _Turns:
    """The turns that are being written."""

    def __init__(self) -> None:
        self.turns: list[Wire] = []
        self.called: dict[str, int] = {}
        """The numbers of the latest calls, by id."""
        self.named: dict[str, deque[int]] = {}
        """The numbers of calls that have neither an id nor a result yet, by name."""

    @property
    def at(self) -> str:
        """The pointer of the next turn."""
        return f"/conversations/{len(self.turns)}"

    def add(self, message: Any, role: str, text: str, path: str, d: Dump) -> Wire:
        """Add a turn."""
        word = spelling(message, "from") if d.exact else None
        if word is None or ROLES.get(word) != role:
            word = _WORDS[role]
        turn: Wire = {"from": word, "value": text}
        d.places[self.at] = path
        if role == "call" or type(message.content) is not str:
            d.places[f"{self.at}/value"] = path
        self.turns.append(turn)
        return turn

    def add_text(
        self, message: Any, role: str, pieces: Sequence[tuple[str, Any]], path: str, d: Dump, changed: str | None = None
    ) -> Wire | None:
        """Add a turn with the text of the pieces, if they have any; `changed` is reported if the turn changes the message."""
        if not has_text(pieces, d):
            return d.refuse(path, NOTHING_LEFT)
        return self.add(message, role, plain_text(pieces, path, f"{self.at}/value", d, changed), path, d)

    def write(self, message: Any, path: str, d: Dump) -> None:
        """Write a message other than a result."""
        if message.role == "opaque":
            kept = d.own_value(message, path, "message")
            if kept is not None:
                d.places[self.at] = path
                self.turns.append(kept)
            return
        count = len(self.turns)
        if message.role == "assistant":
            self._answer(message, path, d)
        else:
            self._question(message, path, d)
        d.drop_named(message, path, "name", "cache_control")
        if message.provider_data is not None:
            turn = self.turns[count] if len(self.turns) > count else Wire()
            d.lay_provider_data(message, turn, path, lambda _key: False)

    def _question(self, message: Any, path: str, d: Dump) -> None:
        """Write a message of the user or the application: its results, then its text."""
        pieces = text_pieces(message, path)
        role = "user"
        if message.role in ("system", "developer") and (d.exact or not self.turns):
            role = "system"
        changed: str | None = None
        if message.role != role:
            changed = f"ShareGPT's rows do not take a {message.role} message in that place: it becomes a {role} message"
        results = [piece for piece in pieces if _is_result(piece[1])]
        self.results([(where, part, d) for where, part in results])
        rest = [piece for piece in pieces if not _is_result(piece[1])]
        if results and pieces[: len(results)] != results and has_text(rest, d):
            d.report("moved", path, self.at, "tool results must come before the other content of their message")
        if results and not has_text(rest, d):
            plain_text(rest, path, self.at, d)
        else:
            self.add_text(message, role, rest, path, d, changed)

    def _answer(self, message: Any, path: str, d: Dump) -> None:
        """Write a turn with the text, and a turn with the calls."""
        pieces = text_pieces(message, path)
        calls = [piece for piece in pieces if is_call(piece[1])]
        rest = [piece for piece in pieces if not is_call(piece[1])]
        changed: str | None = None
        if calls:
            rest = [piece for piece in rest if piece[1] != ""]
            changed = "the text of a message with calls is sent in a separate turn, before the turn of the calls"
        if has_text(rest, d) or not calls:
            self.add_text(message, "assistant", rest, path, d, changed)
        else:
            plain_text(rest, path, self.at, d)
        if calls:
            self.called = {}
            self.named = {}
            for number, (_, call) in enumerate(calls):
                if call.id is not None:
                    self.called[call.id] = number
                else:
                    self.named.setdefault(call.name, deque()).append(number)
            self.add(message, "call", _dump_calls(message, calls, f"{self.at}/value", d), path, d)

    def results(self, results: Sequence[tuple[str, Any, Dump]]) -> None:
        """Write consecutive results, each with its pointer, in the order of their calls."""
        answered = [(self._answered(result), (path, result, d)) for path, result, d in results]
        answered.sort(key=lambda item: item[0])
        for number, (call, (path, result, d)) in enumerate(answered):
            if results[number][0] != path:
                d.report("moved", path, self.at, "tool results must be in the order of their calls")
            pieces = pieces_of(result.content, path)
            if call == sys.maxsize or has_text(pieces, d):
                turn = self.add_text(result, "tool", pieces, path, d)
            else:  # without an empty turn, the next result would be that of this call
                turn = self.add(result, "tool", plain_text(pieces, path, f"{self.at}/value", d), path, d)
            if turn is not None:
                for key in ("tool_call_id", "tool_use_id", "name"):
                    if getattr(result, key, None) is not None:
                        d.report("changed", f"{path}/{key}", None, _BY_ORDER)
            d.drop_error_flag(result, path)
            d.drop_named(result, path, "cache_control", "signature")
            if result.provider_data is not None:
                d.lay_provider_data(result, Wire() if turn is None else turn, path, lambda _key: False)

    def _answered(self, result: Any) -> int:
        """The number of the latest call that a result answers; a large number if it answers no call."""
        id: str | None = result.tool_call_id if "role" in vars(result) else result.tool_use_id
        if id is not None:
            return self.called.get(id, sys.maxsize)
        named = self.named.get(result.name or "")
        return named.popleft() if named else sys.maxsize


_BY_ORDER = "ShareGPT's results have no id and no name: they are paired with their calls by order"


def _is_result(piece: Any) -> bool:
    return piece_kind(piece) == "tool_result"


# Rows


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a row as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire), "conversations")
    out: dict[str, Any] = {"messages": [*load_system(reader), *map(load_turn, wire["conversations"])]}
    tools = _load_tools(reader.wire.get("tools"))
    if tools is not None:
        out["tools"] = tools
        reader.take("tools")
        if to_json([_tool_wire(tool) for tool in tools]) != wire["tools"]:
            reader.spelling["tools"] = wire["tools"]
    return reader.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Any], d: Dump) -> Wire:
    """Dump a row."""
    d.find_tools(messages, request.tools or ())
    made = _Turns()
    start = 0
    out = dump_empty_system(request, d) | {"conversations": made.turns}
    if messages and _is_field(messages[0], d.rules_for(messages[0])):
        out["system"] = messages[0].content
        start = 1
        d.places["/system"] = "/messages/0"
    for run in _runs(messages, start):
        items = [(f"/messages/{i}", messages[i], d.rules_for(messages[i])) for i in run]
        path, message, rules = items[0]
        if message.role == "tool":
            made.results(items)
        else:
            made.write(message, path, rules)
    tools = _dump_tools(request, d)
    if tools is not None:
        out["tools"] = tools
    return dump_rest(request, out, d, written=("tools",))


def _is_field(message: Any, d: Dump) -> bool:
    """Whether a first message goes into the field `system`."""
    if not d.exact or message.role != "system":
        return False
    return spelling(message, "system") is None and bool(message.content)


def _runs(messages: Sequence[Any], start: int) -> Iterator[list[int]]:
    """The indices of the messages from `start`, in groups: consecutive tool messages together, any other message alone."""
    run: list[int] = []
    for i in range(start, len(messages)):
        if run and (messages[run[-1]].role != "tool" or messages[i].role != "tool"):
            yield run
            run = []
        run.append(i)
    if run:
        yield run


# Native messages


def _is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from a row; None for calls, which are compared after they are written."""
    if message.role == "opaque":
        return None if message.format == FAMILY else False
    if message.role == "assistant" and type(message.content) is tuple:
        return None
    if message.role == "system" and message.provider_data is not None and spelling(message, "system") is None:
        return False
    return type(message.content) is str and NATIVE.accepts(message)


NATIVE = NativeTable(
    family=FAMILY,
    messages={role: settable("role content") for role in ("system", "user", "assistant", "tool")},
    parts={},
    keys=dict.fromkeys(("system", "user", "assistant", "tool"), frozenset({"from", "value"})),
)


# Pointers


def _messages(wire: Wire) -> Items:
    return [*system_in(wire), *((f"conversations/{i}", turn) for i, turn in enumerate(wire["conversations"]))]


POINTERS = {
    "request": Kind({"messages": "conversations"}, {"messages": "message"}, {"messages": _messages}),
    "message": Kind({"content": "value"}, {"content": "part"}),
}


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="sharegpt",
    family=FAMILY,
    adapter=adapter,
    load=load_request,
    dump=dump_request,
    locating=locator(POINTERS),
    native=_is_native,
    new_dump=Dump,
    listed="conversations",
    roles=frozenset(ROLES),
    role_field="from",
    marks=_marks,
    batch=_batch,
    strategies=_strategies,
    allowed_tools=0,
)
FORMATS = {FORMAT.name: FORMAT}
