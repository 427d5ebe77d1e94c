"""Toy, a provider that does not exist: a format as "To add a format" in CONTRIBUTING asks for it.

Wire reference: none. A request is `{"engine", "turns": [{"role", "items"}]}`. An item is a text, a call with its input as JSON
text, or the result of a call. Items of any other kind are kept whole.

Cannot carry: the developer role, participants' names, cache marks, reasoning, refusals, media, results that are not one text,
custom tools, settings other than the engine.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Discriminator, Tag, TypeAdapter, with_config
from typing_extensions import TypedDict

from interlingua import Request
from interlingua.codec import (
    BlockDump,
    FieldReader,
    Format,
    Json,
    Kind,
    Marks,
    NativeTable,
    Shape,
    Turns,
    Wire,
    all_of,
    copy_wire,
    has_text,
    locator,
    other_than,
    pieces_of,
    plain_text,
    settable,
)

if TYPE_CHECKING:
    from interlingua.codec.strategies.wire import Strategies

FAMILY = "toy"

# Wire types

_OPEN = ConfigDict(extra="allow", strict=True)


@with_config(_OPEN)
class Text(TypedDict):
    """Text."""

    kind: Literal["text"]
    text: str


@with_config(_OPEN)
class Call(TypedDict):
    """A call of a tool."""

    kind: Literal["call"]
    id: NotRequired[str]
    tool: str
    input: str


@with_config(_OPEN)
class Result(TypedDict):
    """The result of a call."""

    kind: Literal["result"]
    id: NotRequired[str]
    output: str


def item_tag(item: Json) -> str | None:
    kind: Json = item.get("kind") if isinstance(item, dict) else None
    return None if not isinstance(kind, str) else f"<{kind}>" if kind in ITEMS else "<other>"


Item = Annotated[
    Annotated[Text, Tag("<text>")]
    | Annotated[Call, Tag("<call>")]
    | Annotated[Result, Tag("<result>")]
    | Annotated[dict[str, Any], other_than("kind", "text", "call", "result"), Tag("<other>")],
    Discriminator(item_tag, custom_error_type="no_kind", custom_error_message="Input should be an object with a kind"),
]


@with_config(_OPEN)
class Turn(TypedDict):
    """What one side says in a row."""

    role: Literal["guide", "human", "bot"]
    items: list[Item]


@with_config(_OPEN)
class Body(TypedDict):
    """The body of a request."""

    turns: list[Turn]
    engine: NotRequired[str]


@cache
def adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Body)


# Tables

ROLES = {"guide": "system", "human": "user", "bot": "assistant"}
ITEMS = {
    "text": ("text", {"text": "text"}),
    "call": ("tool_use", {"id": "id", "tool": "name", "input": "input"}),
    "result": ("tool_result", {"id": "tool_use_id", "output": "content"}),
}
NATIVE = NativeTable(
    family=FAMILY,
    messages=dict.fromkeys(ROLES.values(), settable("role content")),
    parts={kind: settable(" ".join(["type", *names.values()])) for kind, names in ITEMS.values()}
    | {"opaque": settable("type format value")},
    checks={
        "tool_use": lambda call: type(call.input) is str,
        "tool_result": lambda result: type(result.content) is str,
        "opaque": lambda part: part.format == FAMILY and item_tag(part.value) == "<other>",
    },
    nested=True,
)
POINTERS = {
    "request": Kind({"messages": "turns", "model": "engine"}, {"messages": "message"}),
    "message": Kind({"content": "items"}, {"content": "part"}),
    "part": Kind({"name": "tool", "tool_use_id": "id", "content": "output"}),
}

# Items


def load_item(wire: Wire) -> dict[str, Any]:
    if wire["kind"] not in ITEMS:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    kind, names = ITEMS[wire["kind"]]
    reader, out = FieldReader(wire, "kind"), {"type": kind}
    reader.move(out, **names)
    return reader.keep(out, FAMILY)


def dump_item(part: Any, path: str, at: str, d: BlockDump, role: str) -> Wire | None:
    if part.type == "tool_use":
        return dump_call(part, part.input, path, at, d)
    if part.type == "tool_result":
        return dump_result(part, path, at, d)
    if part.type == "text":
        return dump_rest("", part, text_item(part.text), path, at, d)
    if part.type == "opaque" and part.format == FAMILY:
        return dump_rest("", part, {**copy_wire(part.value)}, path, at, d)
    d.drop(path, "Toy has only texts, calls and results")
    return None


def dump_call(call: Any, _: Any, path: str, at: str, d: BlockDump) -> Wire:
    out = {"kind": "call", "tool": call.name, "input": call.arguments}
    if (id := d.call_id(call, path, at)) is not None:
        out["id"] = id
    return dump_rest("custom", call, out, path, at, d)


def dump_result(owner: Any, path: str, at: str, d: BlockDump) -> Wire:
    said, (id, _) = pieces_of(owner.content, path), d.result_id(owner, path, at)
    out = {"kind": "result", "output": plain_text(said, path, at, d)}
    if type(owner.content) is not str:
        d.places[f"{at}/output"] = path
    if not has_text(said):
        said_at = path if owner.content is None else path + "/content"
        d.report("changed", said_at, at, "the output of a call must be a text; sent as an empty one")
    if id is not None:
        out["id"] = id
    return dump_rest("is_error", owner, out, path, at, d)


def dump_rest(lost: str, owner: Any, out: Wire, path: str, at: str, d: BlockDump) -> Wire:
    d.places[at] = path
    for field in ("cache_control", "signature", "citations", *lost.split()):
        if owner.get(field) is not None:
            d.drop(f"{path}/{field}", f"{FAMILY} has no field `{field}`")
    if owner.provider_data is not None:
        d.lay_provider_data(owner, out, path)
    return out


# Turns and requests


def is_native(message: Any) -> bool | None:
    """Whether the message could have been loaded from Toy; None if it has provider data, so that only a dump can show it."""
    if message.role == "opaque" or not isinstance(message.content, tuple):
        return False
    return all_of((NATIVE.accepts(message), None if message.provider_data else True))


def load_turn(wire: Wire) -> dict[str, Any]:
    out = {"role": ROLES[wire["role"]], "content": [load_item(item) for item in wire["items"]]}
    return FieldReader(wire, "role", "items").keep(out, FAMILY)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: BlockDump) -> None:
    dump_rest("name", message, out, path, at, d)


def text_item(text: str) -> Wire:
    return {"kind": "text", "text": text}


TURNS = Turns(
    part=dump_item,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=text_item,
    content="items",
    roles={role: word for word, role in ROLES.items()},
)


def load_request(wire: Wire) -> dict[str, Any]:
    reader = FieldReader(adapter().validate_python(wire), "turns")
    out: dict[str, Any] = {"messages": [load_turn(turn) for turn in wire["turns"]]}
    reader.move(out, engine="model")
    return reader.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Any], d: BlockDump) -> Wire:
    d.reserve(messages)
    out: Wire = {"turns": []} if request.model is None else {"engine": request.model, "turns": []}
    TURNS.write(messages, 0, out["turns"], d)
    lost = sorted(request.model_fields_set - {"messages", "model", "origin", "provider_data", "wire"})
    return dump_rest(" ".join(lost), request, out, "", "", d)


MARKS = Marks((Shape(FAMILY, "request", "turns", "turns[].items", "engine:text"),))


def strategies() -> "Strategies":
    from .strategies import STRATEGIES  # Hypothesis is needed by tests alone

    return STRATEGIES


FORMAT = Format(
    name=FAMILY,
    family=FAMILY,
    adapter=adapter,
    load=load_request,
    dump=dump_request,
    locating=locator(POINTERS),
    native=is_native,
    new_dump=BlockDump,
    listed="turns",
    marks=lambda: MARKS,
    strategies=strategies,
)
