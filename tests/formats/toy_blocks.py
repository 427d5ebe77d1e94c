"""Toy of blocks, another provider that does not exist: messages of blocks, whole answers, streams of events, errors.

Wire reference: none. A request is `{"model", "log": [{"role", "blocks"}]}`. A block is a text, a call with its input, the
result of a call, or of a kind that is kept whole. A response is `{"model", "blocks", "stop", "usage"}`. Its stream is
`open`, then `start`, `more` and `end` of each block, and `close` with the rest.

Cannot carry: the developer role, names, cache marks, reasoning, refusals, media, results that are not one text, custom tools,
settings other than the model; of responses, more than one answer, ids, times and stop sequences.
"""

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Annotated, Any, Literal, NotRequired

from hypothesis import strategies as st
from pydantic import ConfigDict, Discriminator, Tag, TypeAdapter, with_config
from typing_extensions import TypedDict

from interlingua import (
    Choice,
    ErrorEvent,
    Event,
    MessageStart,
    OpaqueEvent,
    ProviderError,
    Request,
    Response,
    Stop,
    StreamEnd,
    StreamError,
    Update,
    UsageUpdate,
)
from interlingua.codec import (
    Block,
    BlockDump,
    BlockShape,
    BlockWriting,
    FieldReader,
    Format,
    Formats,
    Json,
    Kind,
    Marks,
    NativeTable,
    OpenArguments,
    PartEvents,
    Shape,
    Steps,
    StopTable,
    StreamedPart,
    Turns,
    UsageTable,
    Wire,
    added_text,
    all_of,
    copy_wire,
    error_object,
    field_of,
    fit_arguments,
    has_text,
    is_error,
    late_citations,
    locator,
    other_than,
    pieces_of,
    plain_text,
    read_error,
    settable,
    without_arguments,
)
from interlingua.codec.rules.rule import RuleSet, errors
from interlingua.codec.rules.view import Found, View
from interlingua.codec.strategies import primitives as draw_from
from interlingua.codec.strategies.cutting import Chunk, pieces
from interlingua.codec.strategies.wire import ResponseStrategies, Strategies

FAMILY = "toy_blocks"

# Wire types

_OPEN = ConfigDict(extra="allow", strict=True)


@with_config(_OPEN)
class Text(TypedDict):
    """Text."""

    type: Literal["text"]
    text: str


@with_config(_OPEN)
class Call(TypedDict):
    """A call of a tool."""

    type: Literal["call"]
    id: NotRequired[str]
    tool: str
    input: dict[str, Any]


@with_config(_OPEN)
class Result(TypedDict):
    """The result of a call."""

    type: Literal["result"]
    id: NotRequired[str]
    output: str


def block_tag(block: Json) -> str | None:
    kind: Json = block.get("type") if isinstance(block, dict) else None
    return None if not isinstance(kind, str) else f"<{kind}>" if kind in BLOCKS else "<other>"


AnyBlock = Annotated[
    Annotated[Text, Tag("<text>")]
    | Annotated[Call, Tag("<call>")]
    | Annotated[Result, Tag("<result>")]
    | Annotated[dict[str, Any], other_than("type", "text", "call", "result"), Tag("<other>")],
    Discriminator(block_tag, custom_error_type="no_type", custom_error_message="Input should be an object with a type"),
]


@with_config(_OPEN)
class Entry(TypedDict):
    """What one side says in a row."""

    role: Literal["system", "user", "model"]
    blocks: list[AnyBlock]


@with_config(_OPEN)
class Body(TypedDict):
    """The body of a request."""

    log: list[Entry]
    model: NotRequired[str]


@with_config(_OPEN)
class Counts(TypedDict, total=False):
    """What was used."""

    read: int
    written: int


@with_config(_OPEN)
class Close(TypedDict, total=False):
    """What a response says besides its blocks."""

    model: str
    stop: str
    usage: Counts


class Answer(Close):
    """A response."""

    blocks: list[AnyBlock]


@cache
def adapter(kind: Any = Body) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


# Tables

ROLES = {"system": "system", "user": "user", "model": "assistant"}
BLOCKS = {
    "text": ("text", {"text": "text"}),
    "call": ("tool_use", {"id": "id", "tool": "name", "input": "input"}),
    "result": ("tool_result", {"id": "tool_use_id", "output": "content"}),
}
NATIVE = NativeTable(
    family=FAMILY,
    messages=dict.fromkeys(ROLES.values(), settable("role content")),
    parts={kind: settable(" ".join(["type", *names.values()])) for kind, names in BLOCKS.values()}
    | {"opaque": settable("type format value")},
    checks={
        "tool_use": lambda call: type(call.input) is dict,
        "tool_result": lambda result: type(result.content) is str,
        "opaque": lambda part: part.format == FAMILY and block_tag(part.value) == "<other>",
    },
    nested=True,
)
POINTERS = {
    "request": Kind({"messages": "log"}, {"messages": "message"}),
    "message": Kind({"content": "blocks"}, {"content": "part"}),
    "part": Kind({"name": "tool", "tool_use_id": "id", "content": "output"}),
}
STOPS = StopTable({"done": "stop", "cut": "length", "called": "tool_calls"}, nearest={}, default="done")
COUNTS = UsageTable(FAMILY, {"input_tokens": ("read",), "output_tokens": ("written",)})

# Blocks


def load_block(wire: Wire) -> dict[str, Any]:
    if wire["type"] not in BLOCKS:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    kind, names = BLOCKS[wire["type"]]
    reader, out = FieldReader(wire, "type"), {"type": kind}
    reader.move(out, **names)
    return reader.keep(out, FAMILY)


def dump_block(part: Any, path: str, at: str, d: BlockDump, role: str) -> Wire | None:
    if part.type == "tool_use":
        return dump_call(part, part.input, path, at, d)
    if part.type == "tool_result":
        return dump_result(part, path, at, d)
    if part.type == "text":
        return dump_rest("", part, text_block(part.text), path, at, d)
    if part.type == "opaque" and part.format == FAMILY:
        return dump_rest("", part, {**copy_wire(part.value)}, path, at, d)
    return d.refuse(path, "blocks are texts, calls and results")


def dump_call(call: Any, given: Any, path: str, at: str, d: BlockDump) -> Wire:
    # What comes of a stream in this format is passed on as it comes.
    input = copy_wire(given) if d.exact else fit_arguments(call, given, path, f"{at}/input", d)
    out = {"type": "call", "tool": call.name, "input": input}
    if (id := d.call_id(call, path, at)) is not None:
        out["id"] = id
    return dump_rest("", call, out, path, at, d)


def dump_result(owner: Any, path: str, at: str, d: BlockDump) -> Wire:
    said, (id, _) = pieces_of(owner.content, path), d.result_id(owner, path, at)
    out = {"type": "result", "output": plain_text(said, path, at, d)}
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
            d.drop(f"{path}/{field}", f"{FAMILY} has no such field")
    if owner.provider_data is not None:
        d.lay_provider_data(owner, out, path)
    return out


def dump_frame(message: Any, out: Wire, path: str, at: str, d: BlockDump) -> None:
    dump_rest("name", message, out, path, at, d)


def text_block(text: str) -> Wire:
    return {"type": "text", "text": text}


TURNS = Turns(
    part=dump_block,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=text_block,
    content="blocks",
    roles={role: word for word, role in ROLES.items()},
)

# Requests


def is_native(message: Any) -> bool | None:
    if message.role == "opaque" or not isinstance(message.content, tuple):
        return False
    return all_of((NATIVE.accepts(message), None if message.provider_data else True))


def load_entry(wire: Wire) -> dict[str, Any]:
    out = {"role": ROLES[wire["role"]], "content": [load_block(block) for block in wire["blocks"]]}
    return FieldReader(wire, "role", "blocks").keep(out, FAMILY)


def load_request(wire: Wire) -> dict[str, Any]:
    reader = FieldReader(adapter().validate_python(wire), "log")
    out: dict[str, Any] = {"messages": [load_entry(entry) for entry in wire["log"]]}
    reader.move(out, "model")
    return reader.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Any], d: BlockDump) -> Wire:
    d.reserve(messages)
    out: Wire = {"log": []} if request.model is None else {"model": request.model, "log": []}
    TURNS.write(messages, 0, out["log"], d)
    lost = sorted(request.model_fields_set - {"messages", "model", "origin", "provider_data", "wire"})
    return dump_rest(" ".join(lost), request, out, "", "", d)


# Responses


def load_response(wire: Wire) -> dict[str, Any]:
    answer = adapter(Answer).validate_python(wire)
    choice: dict[str, Any] = {"message": {"role": "assistant", "content": [load_block(block) for block in answer["blocks"]]}}
    reader = FieldReader(answer, "blocks")
    out = load_close(reader, choice)
    return reader.keep(out | {"choices": [choice]}, FAMILY)


def load_close(reader: FieldReader, choice: dict[str, Any]) -> dict[str, Any]:
    """What a response says besides its blocks, as the data of a response and its choice."""
    out: dict[str, Any] = {}
    reader.move(out, "model")
    if (usage := reader.take("usage")) is not None:
        out["usage"] = COUNTS.load(usage)
    if (word := reader.take("stop")) is not None:
        choice |= STOPS.load(word)
    return out


MESSAGE = "/choices/0/message"


def dump_response(response: Response, d: BlockDump) -> Wire:
    out: Wire = {"blocks": TURNS.answer(response.message, MESSAGE, "", d.response_rules(response.message))["blocks"]}
    for number in range(1, len(response.choices)):
        d.drop(f"/choices/{number}", "toy responses have one answer")
    return dump_close(response, out, d)


def dump_close(response: Response, out: Wire, d: BlockDump) -> Wire:
    dump_rest("name", response.message, {}, MESSAGE, "/blocks", d)
    choice = response.choices[0] if response.choices else Choice(message=response.message)
    if response.model is not None:
        out["model"] = response.model
    if (word := d.stop_word(STOPS, choice, "/choices/0", "/stop")) is not None:
        out["stop"] = word
    if response.usage is not None and ((usage := COUNTS.dump(response.usage, d.unsaid, d.drop)) or d.exact):
        out["usage"] = usage
    if choice.stop_sequence is not None:
        d.drop("/choices/0/stop_sequence", "toy responses have no field for the stop sequence")
    for key in ("id", "created"):
        if getattr(response, key) is not None:
            d.report("response_only", f"/{key}", None, "responses have no such field here")
    d.lay_provider_data(choice, out, "/choices/0")
    d.lay_provider_data(response, out, "")
    return out


# Streams


class BlocksReading:
    """Reads one stream."""

    def __init__(self, format: Format) -> None:
        self._name = format.name
        self._parts = PartEvents()
        self._open: dict[int, StreamedPart] = {}

    def grow(self, chunk: Wire) -> list[Event] | None:
        del chunk  # `read` takes them all
        return None

    def read(self, chunk: Wire) -> list[Event]:
        kind, events = chunk.get("on"), list[Event]()
        if kind == "open":
            events.append(MessageStart(origin=self._name, spelling="blocks"))
        elif kind in ("start", "more", "end"):
            self._block(kind, field_of(chunk, "at", int) or 0, chunk, events)
        elif kind == "close":
            self._close(chunk, events)
        elif is_error(chunk):
            events.append(ErrorEvent(error=chunk["error"] if isinstance(chunk.get("error"), dict) else chunk))
        else:
            events.append(OpaqueEvent(format=FAMILY, value=chunk))
        return events

    def end(self) -> list[Event]:
        events: list[Event] = []
        for part in self._open.values():
            self._parts.end(part, events)
        self._open.clear()
        return events

    def _block(self, kind: str, at: int, chunk: Wire, events: list[Event]) -> None:
        if kind == "start":
            block = adapter(AnyBlock).validate_python(copy_wire(chunk.get("block")))
            self._open[at] = self._parts.begin(load_block(block), events)
        elif (part := self._open.get(at)) is None:
            raise StreamError("/at: no block is open there")
        elif kind == "end":
            self._parts.end(self._open.pop(at), events)
        elif part.kind in ("text", "tool_use"):
            self._parts.grow(part, field_of(chunk, "more", str) or "", events)

    def _close(self, chunk: Wire, events: list[Event]) -> None:
        reader, choice = FieldReader(adapter(Close).validate_python(copy_wire(chunk)), "on"), dict[str, Any]()
        out = load_close(reader, choice)
        events += self.end()
        if "usage" in out:
            events.append(UsageUpdate(usage=out.pop("usage")))
        if rest := reader.keep(out, FAMILY):
            events.append(Update(of="response", data=rest))
        if choice:
            events.append(Stop(**choice))
        events.append(StreamEnd())


class BlocksShape(BlockShape):
    """The chunks of one stream."""

    signed = ()

    def refuses_plain(self) -> str | None:
        return "there is no reasoning here"

    def ready(self, block: Block, _d: BlockDump) -> bool:
        return block.kind in ("text", "tool_use") and block.has_content

    def pass_on(self, event: ErrorEvent | OpaqueEvent) -> list[Wire]:
        if isinstance(event, ErrorEvent):
            return [{"on": "error", **dump_error(read_error({"error": event.error}))}]
        return [copy_wire(event.value)] if event.format == FAMILY else []

    def message_start(self, response: Response, d: BlockDump) -> list[Wire]:
        del response, d  # there is nothing to say yet
        return [{"on": "open"}]

    def block_start(self, block: Block, part: Any, at: str, d: BlockDump) -> list[Wire] | None:
        begun = ""
        if block.kind == "tool_use" and not (block.stopped or d.exact):
            part, field, begun = without_arguments(part)
            block.arguments = OpenArguments(f"{block.path}/{field}", at + "/input", custom=bool(part.custom))
        wire = TURNS.piece(part, block.path, at, d, "assistant")
        if not isinstance(wire, dict):
            return None
        more = ""
        if block.arguments is not None:
            wire["input"], more = {}, block.arguments.add(begun, whole=block.is_whole)
        elif wire["type"] == "text":
            wire["text"], more = "", wire["text"]
        elif wire["type"] == "call" and wire["input"] != {}:
            given = wire["input"]
            wire["input"], more = {}, given if isinstance(given, str) else json.dumps(given)
        return [{"on": "start", "at": block.written, "block": wire}, *_more(block, more)]

    def grow(self, block: Block, event: Any, d: BlockDump) -> list[Wire]:
        if isinstance(event, Update):
            for _, path in late_citations(block, event.data, d):
                d.drop(path, f"{FAMILY} has no such field")
            return []
        if block.arguments is not None and event.type == "arguments":
            return _more(block, block.arguments.add(event.arguments))
        return _more(block, added_text(event, block, d))

    def block_stop(self, block: Block, d: BlockDump) -> list[Wire]:
        rest = [] if block.arguments is None else _more(block, block.arguments.end(d))
        return [*rest, {"on": "end", "at": block.written}]

    def message_stop(self, response: Response, d: BlockDump) -> list[Wire]:
        del response, d  # all is said at the end
        return []

    def end(self, response: Response, d: BlockDump) -> list[Wire]:
        return [copy_wire({"on": "close", **dump_close(response, {}, d)})]


def _more(block: Block, text: str | None) -> list[Wire]:
    return [{"on": "more", "at": block.written, "more": text}] if text else []


def writing(format: Format, formats: Formats) -> BlockWriting:
    return BlockWriting(format, formats, BlocksShape(), at="/blocks")


def dump_error(error: ProviderError) -> Wire:
    return error_object(error, fields=("message", "type"))


# What else a folder has: a rule, marks and strategies


def log_empty(view: View) -> Found:
    """The log has an entry.

    Evidence: none, as the provider does not exist.
    """
    if view.body.get("log") == []:
        yield "/log", "the log has no entry"


RULES = RuleSet(View, errors(log_empty), tools=lambda _: [], outputs=lambda _: [])
MARKS = Marks(
    (
        Shape(FAMILY, "request", "log", "log[].blocks", "log[].role=user model:text"),
        Shape(FAMILY, "response", "blocks", "blocks[].type stop:text usage.read model:text blocks:list", never="role"),
        Shape(FAMILY, "chunk", "on:text", "at:number block more:text stop:text usage"),
    )
)


def said(odd: bool) -> st.SearchStrategy[Wire]:
    return draw_from.fields({"type": st.just("text"), "text": draw_from.text(blank=odd)}, draw_from.unknown_fields(odd))


def called(odd: bool) -> st.SearchStrategy[Wire]:
    given = {"type": st.just("call"), "tool": draw_from.NAMES, "input": draw_from.json_objects()}
    return draw_from.fields(given, draw_from.unknown_fields(odd))


OTHER = st.just({"type": "map", "x": 1})


@st.composite
def requests(draw: st.DrawFn, _: Any, odd: bool) -> Wire:
    log = [{"role": "system", "blocks": [draw(said(odd))]}] if draw(st.booleans()) else []
    for number in range(draw(st.integers(1, 3))):
        log.append({"role": "user", "blocks": [draw(said(odd)), *([draw(OTHER)] if odd and draw(st.booleans()) else [])]})
        calls = [{**call, "id": f"call_{number}_{at}"} for at, call in enumerate(draw(st.lists(called(odd), max_size=2)))]
        if calls:
            results = [{"type": "result", "id": call["id"], "output": draw(draw_from.text(blank=odd))} for call in calls]
            log += [{"role": "model", "blocks": calls}, {"role": "user", "blocks": results}]
        log.append({"role": "model", "blocks": [draw(said(odd))]})
    return draw(draw_from.fields({"log": st.just(log)}, {"model": st.just("m"), **draw_from.unknown_fields(odd)}))


def spoil(draw: st.DrawFn, payload: Wire) -> str:
    index = draw(st.integers(0, len(payload["log"]) - 1))
    payload["log"][index]["role"] = draw(st.sampled_from([5, None, "nobody"]))
    return f"/log/{index}/role"


def responses(_: Any, odd: bool) -> st.SearchStrategy[Wire]:
    with_ids = st.lists(called(odd), max_size=2).map(lambda calls: [{**call, "id": f"c{at}"} for at, call in enumerate(calls)])
    others = st.lists(OTHER, max_size=1) if odd else st.just(list[Wire]())
    blocks = st.tuples(st.lists(said(odd), min_size=1, max_size=2), others, with_ids).map(
        lambda kinds: [*kinds[0], *kinds[1], *kinds[2]]
    )
    usage = draw_from.fields({"read": draw_from.COUNTS, "written": draw_from.COUNTS}, draw_from.unknown_fields(odd))
    always = {"blocks": blocks, "stop": st.sampled_from([*STOPS.words, "paused"])}
    return draw_from.fields(always, {"model": st.just("m"), "usage": usage, **draw_from.unknown_fields(odd)})


def split(body: Wire, random: Random) -> list[Chunk]:
    chunks: list[Chunk] = [{"on": "open"}]
    for at, block in enumerate(body["blocks"]):
        start: Wire = block
        text = ""
        if block["type"] == "text":
            start, text = block | {"text": ""}, block["text"]
        elif block["type"] == "call":
            start, text = block | {"input": Wire()}, json.dumps(block["input"])
        chunks.append({"on": "start", "at": at, "block": start})
        chunks += [{"on": "more", "at": at, "more": piece} for piece in pieces(text, random)]
        chunks.append({"on": "end", "at": at})
    return [*chunks, {"on": "close"} | {key: value for key, value in body.items() if key != "blocks"}]


STRATEGIES = Strategies(requests, spoil, ResponseStrategies(responses, copy_wire, split))

FORMAT = Format(
    name=FAMILY,
    family=FAMILY,
    adapter=adapter,
    load=load_request,
    dump=dump_request,
    locating=locator(POINTERS),
    native=is_native,
    new_dump=BlockDump,
    listed="log",
    history=Steps(TURNS.write),
    load_response=load_response,
    dump_response=dump_response,
    response_fields=("blocks",),
    dump_error=dump_error,
    reading=BlocksReading,
    writing=writing,
    event_field="on",
    pieces_in=frozenset({"more"}),
    rules=lambda _: RULES,
    marks=lambda: MARKS,
    strategies=lambda: STRATEGIES,
    usage=COUNTS,
)
