"""Values of a wrong type, for every public function: our errors, or a TypeError that says what is wrong.

Data (payloads, messages, results, responses) are refused with `InvalidPayload`, streams, their chunks and their events with
`StreamError`, formats with `UnknownFormat`. Anything else that is wrong about a call is a `TypeError` or a `ValueError`.
"""

import asyncio
import contextlib
import copy
import inspect
import traceback
from collections.abc import AsyncIterable, Callable, Iterator
from functools import partial
from typing import Any

import pytest

import interlingua as il
from formats.refused import refused
from interlingua.model.base import Json
from interlingua.testing.lawbook import documents

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

ours: Any = il  # with arguments that type checkers refuse
USER = il.UserMessage(content="a", name="n")
CALL = il.AssistantMessage(tool_calls=[il.ToolCall(id="1", name="f", arguments="{}")])


def same(value: Any) -> Any:
    return value


def one(_message: Any) -> int:
    return 1


def generator() -> Iterator[int]:
    yield 5


VALUES: list[Any] = [None, 5, 1.5, float("nan"), "x", "", "{", b"", b"{", bytearray(b"1"), True, object(), dict, il]
CONTAINERS: list[Any] = [[], (), {}, [None], [5], [[]], {None: 1}, {5: 5}, {1}]
PARTS: Any = [{"type": []}]

WRONG: list[Callable[[], Any]] = [
    *(partial(same, value) for value in (*VALUES, *CONTAINERS)),
    generator,
    partial(same, USER),
    lambda: il.TextPart(text="a"),
    lambda: il.Request(messages=[]),
    lambda: il.Response(choices=[]),
    lambda: il.Conversation(messages=[]),
    il.StreamEnd,
    il.Usage,
    lambda: il.FORMATS["anthropic"],
    lambda: ValueError("x"),
    lambda: {"messages": 5},
    lambda: {"role": []},
    lambda: {"role": "user", "content": object()},
    lambda: {"role": "user", "content": PARTS},
    lambda: {"role": "user", "content": "a", "provider_data": {"<x>": 5}},
    lambda: {"type": {}, "choices": [None], "content": [None]},
]


async def listed(values: AsyncIterable[Any]) -> list[Any]:
    return [value async for value in values]


def builder(method: str, *before: Any) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        made: Any = il.ChatMessageBuilder("Be brief.")
        return getattr(made, method)(*before, value)

    return call


CALLS: dict[str, list[Callable[[Any], Any]]] = {
    "ChatMessageBuilder": [
        ours.ChatMessageBuilder,
        builder("append"),
        builder("append_openai_message"),
        builder("append_tool_result", "1"),
        lambda value: ours.ChatMessageBuilder().append_tool_result(value, "a"),
        builder("append_openai_delta"),
        builder("append_anthropic_event"),
        builder("dump"),
    ],
    "accumulate": [ours.accumulate, lambda value: ours.accumulate([value])],
    "adapt_schema": [
        lambda value: ours.adapt_schema(value, "anthropic"),
        lambda value: ours.adapt_schema({"properties": value, "oneOf": value, "$ref": value}, "openai_chat", strict=True),
        lambda value: ours.adapt_schema({}, value),
        lambda value: ours.adapt_schema({}, "anthropic", value),
    ],
    "check": [
        lambda value: ours.check(value, "anthropic"),
        lambda value: ours.check([value], "openai_chat"),
        lambda value: ours.check({"messages": value}, "openai_chat"),
        lambda value: ours.check([USER, value], "anthropic"),
        lambda value: ours.check([USER], value),
        lambda value: ours.check([USER], "hf_chat_template", template=value),
    ],
    "convert": [
        lambda value: ours.convert(value, source="openai_chat", target="anthropic"),
        lambda value: ours.convert([value], source="anthropic", target="openai_chat"),
        lambda value: ours.convert([], source=value, target="anthropic"),
        lambda value: ours.convert([], source="anthropic", target=value),
        lambda value: ours.convert([], source="anthropic", target="openai_chat", model=value),
        lambda value: ours.convert([], source="anthropic", target="openai_chat", stream=value),
        lambda value: ours.convert([], source="anthropic", target="openai_chat", foreign_reasoning=value),
        lambda value: ours.convert([], source="anthropic", target="openai_chat", media=value),
    ],
    "detect": [ours.detect, lambda value: ours.detect([value])],
    "diff": [lambda value: ours.diff([USER], value), lambda value: ours.diff([USER, value], [], exact=True)],
    "dump": [
        lambda value: ours.dump(value, "anthropic"),
        lambda value: ours.dump([value], "anthropic"),
        lambda value: ours.dump([], value),
        lambda value: ours.dump([], "anthropic", foreign_reasoning=value),
        lambda value: ours.dump([], "anthropic", media=value),
        lambda value: ours.dump([USER], "anthropic", on_loss=value) if not callable(value) else None,
        lambda value: ours.UserMessage(content="a").dump_as(value),
        lambda value: USER.dump_as("openai_chat", content=value),
    ],
    "dump_error": [
        lambda value: ours.dump_error(value, "anthropic"),
        lambda value: ours.dump_error(value, "openai_chat"),
        lambda value: ours.dump_error(il.StreamError("x"), value),
    ],
    "dump_response": [
        lambda value: ours.dump_response(value, "anthropic"),
        lambda value: ours.dump_response(il.Response(choices=[]), value),
        lambda value: ours.dump_response(il.Response(choices=[]), "anthropic", fill=value),
    ],
    "endpoint": [
        lambda value: ours.endpoint(value, "anthropic"),
        lambda value: ours.endpoint(il.Request(messages=()), value),
    ],
    "error_body": [ours.error_body, lambda value: ours.error_body(ValueError(), most=value)],
    "fingerprint": [ours.fingerprint, lambda value: ours.fingerprint([USER, value])],
    "format_for": [ours.format_for, lambda value: ours.format_for(il.ChatProfile(), value)],
    "format_of": [ours.format_of],
    "html": [
        lambda value: ours.html([USER, value], "anthropic"),
        lambda value: ours.html([USER], value),
        lambda value: ours.html([USER], formats=[value]),
    ],
    "is_tool_result": [
        ours.is_tool_result,
        lambda value: ours.is_tool_result({"role": value, "content": [value]}),
        lambda value: ours.is_tool_result({"role": "user", "content": value}),
    ],
    "json_schema": [ours.json_schema],
    "load": [
        lambda value: ours.load(value, "anthropic"),
        lambda value: ours.load(value, "openai_chat"),
        lambda value: ours.load(value, "openai_completions"),
        lambda value: ours.load([value], "anthropic"),
        lambda value: ours.load([], value),
        lambda value: ours.load([], "anthropic", model=value),
    ],
    "load_batch": [
        lambda value: list(ours.load_batch(value)),
        lambda value: list(ours.load_batch([value])),
        lambda value: list(ours.load_batch([{"key": value, "response": value}])),
        lambda value: list(ours.load_batch([], layout=value)),
        lambda value: list(ours.load_batch([], source=value)),
    ],
    "load_response": [
        lambda value: ours.load_response(value, "anthropic"),
        lambda value: ours.load_response({"choices": [value]}, "openai_chat"),
        lambda value: ours.load_response({}, value),
    ],
    "reader": [
        ours.reader,
        lambda value: ours.reader("anthropic").feed(value),
        lambda value: ours.reader("openai_chat").feed(value),
        lambda value: ours.reader("anthropic").feed_bytes(value),
        lambda value: list(ours.reader("anthropic").read(value)),
        lambda value: list(ours.reader("anthropic").read([value])),
        lambda value: asyncio.run(listed(ours.reader("anthropic").aread(value))),
    ],
    "merge_runs": [ours.merge_runs, lambda value: ours.merge_runs([USER, value])],
    "openapi": [ours.openapi, lambda value: ours.openapi("anthropic", value)],
    "outline": [ours.outline, lambda value: ours.outline([USER, value])],
    "repair": [
        lambda value: ours.repair(value, "anthropic"),
        lambda value: ours.repair([value], "openai_chat"),
        lambda value: ours.repair([USER], value),
        lambda value: ours.repair([USER], "anthropic", policy=value),
    ],
    "restream": [
        lambda value: list(ours.restream(value, source="anthropic", target="openai_chat")),
        lambda value: list(ours.restream([value], source="openai_chat", target="anthropic")),
        lambda value: ours.restream([], source=value, target="anthropic"),
        lambda value: ours.restream([], source="anthropic", target=value),
        lambda value: ours.restream([], source="anthropic", target="openai_chat", fill=value),
    ],
    "show": [
        ours.show,
        lambda value: ours.show([USER], value),
        lambda value: ours.show([USER], formats=value),
        lambda value: ours.show([USER], file=value),
    ],
    "sse": [lambda value: list(ours.sse(value, "anthropic")), lambda value: list(ours.sse([value], "openai_chat"))],
    "strip_reasoning": [ours.strip_reasoning, lambda value: ours.strip_reasoning([USER, value])],
    "template_report": [ours.template_report],
    "tool_results": [
        lambda value: ours.tool_results(value, {}),
        lambda value: ours.tool_results(CALL, value),
        lambda value: ours.tool_results(CALL, [value]),
        lambda value: ours.tool_results(CALL, {"1": value}),
        lambda value: ours.tool_results(CALL, [{"id": value, "content": "a"}]),
    ],
    "tool_use_ids": [
        ours.tool_use_ids,
        lambda value: ours.tool_use_ids({"role": "tool", "tool_call_id": value}),
        lambda value: ours.tool_use_ids({"role": "user", "content": [value, {"type": "tool_result", "tool_use_id": value}]}),
    ],
    "training_mask": [
        lambda value: ours.training_mask(value, template="a"),
        lambda value: ours.training_mask({"messages": value}, template="a"),
        lambda value: ours.training_mask([USER], template=value),
        lambda value: ours.training_mask([USER], template="a", train_on=value),
        lambda value: ours.training_mask([USER], template="a", format=value),
    ],
    "trim": [
        lambda value: ours.trim(value, keep=0, count=len),
        lambda value: ours.trim([USER, value], keep=0, count=one),
        lambda value: ours.trim([USER], keep=value, count=one),
        lambda value: ours.trim([USER], keep=0, count=value) if not callable(value) else None,
    ],
    "units": [ours.units, lambda value: ours.units([USER, value])],
    "validate": [
        ours.validate,
        lambda value: ours.validate([value]),
        lambda value: ours.validate([], value),
        lambda value: ours.validate(value, il.Conversation),
        lambda value: ours.validate({"messages": value}, il.Request),
    ],
    "writer": [
        ours.writer,
        lambda value: ours.writer("anthropic").feed(value),
        lambda value: ours.writer("openai_chat").feed(value),
    ],
}

SAID = ("is not iterable", "requires an object with")
"""What Python says of an argument that has to be iterable."""


def test_every_public_function_is_called() -> None:
    functions = {name for name in il.__all__ if inspect.isfunction(getattr(il, name))}
    assert functions - CALLS.keys() == set()


def complaint(call: Callable[[Any], Any], value: Any) -> str | None:
    """What is wrong with the error that a call raises, if it raises one."""
    try:
        call(value)
    except il.InterlinguaError as error:
        return f"{error} shows an object" if " at 0x" in str(error) else None
    except (TypeError, ValueError) as error:
        raised = traceback.extract_tb(error.__traceback__)[-1]
        said = "/interlingua/" in raised.filename and (raised.line or "").startswith("raise ")
        return None if said or any(words in str(error) for words in SAID) else f"{raised}: {error!r}"
    return None


@pytest.mark.parametrize("name", CALLS)
def test_wrong_types_give_errors_that_say_so(name: str) -> None:
    assert [fault for call in CALLS[name] for make in WRONG if (fault := complaint(call, make()))] == []


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"provider_data": {"<x>": 5}}, "/0/provider_data/<x>"),
        ({"provider_data": {"a/b": 5}}, "/0/provider_data/a~1b"),
        ({"provider_data": {None: {}}}, "/0/provider_data"),
        ({"provider_data": {"x": {None: 1}}}, "/0/provider_data/x"),
        ({"wire": {"spelling": {"<x>": 5}}}, "/0/wire/spelling/<x>"),
        ({"wire": {"spelling": {None: "a"}}}, "/0/wire/spelling"),
        ({"extra": {"<x>": {"<y>": object()}}}, "/0/extra/<x>/<y>"),
        ({None: 1}, "/0"),
    ],
)
def test_the_place_of_a_wrong_value_is_its_whole_path(value: dict[Any, Any], path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate([{"role": "user", "content": "a"} | value])
    assert [fault.path for fault in caught.value.faults] == [path]


@pytest.mark.parametrize("value", [None, 5, object()])
def test_what_is_no_stream_or_no_event_is_a_stream_error(value: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: ours.accumulate(value),
        lambda: ours.accumulate([value]),
        lambda: ours.writer("anthropic").feed(value),
        lambda: list(ours.reader("anthropic").read(value)),
        lambda: ours.reader("anthropic").feed_bytes(value),
        lambda: ours.restream(value, source="anthropic", target="openai_chat"),
    ]
    for call in calls:
        with pytest.raises(il.StreamError):
            call()


NO_TEXT = (1, None, 1.5, b"x", (1,))
"""Keys of dicts that JSON does not have."""


def objects(value: Json) -> Iterator[dict[Any, Any]]:
    """Every object in a body."""
    if documents.is_object(value):
        yield value
    for item in value.values() if documents.is_object(value) else value if documents.is_array(value) else ():
        yield from objects(item)


def with_key(body: Any, place: int, key: Any, *, moved: bool) -> Any:
    """A body with a key that is no text, in addition or in place of the first, in one of its objects."""
    body = copy.deepcopy(body)
    holder = list(objects(body))[place]
    holder[key] = holder.pop(next(iter(holder))) if moved and holder else {}
    return body


@pytest.mark.parametrize("format", sorted({case.format for case in refused()}))
def test_a_key_that_is_no_text_gives_our_errors(format: il.FormatName) -> None:
    """In the bodies of the rules, so that they say something of the key; and in all objects of these bodies."""
    bodies = [case.refused for case in refused() if case.format == format and "$repeat" not in str(case.said)]
    for number, body in enumerate(bodies):
        for place in range(len(list(objects(body)))):
            key = NO_TEXT[(number + place) % len(NO_TEXT)]
            for moved in (False, True):
                wrong = with_key(body, place, key, moved=moved)
                il.check(wrong, format)
                calls: list[Callable[[], object]] = [
                    partial(il.load, wrong, format),
                    partial(il.repair, wrong, format),
                    partial(il.convert, wrong, source=format, target="openai_responses"),
                ]
                for call in calls:
                    with contextlib.suppress(il.InvalidPayload):
                        call()
