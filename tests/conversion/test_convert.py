"""A conversion does what loading and dumping do, although it builds no models: the same payload, or the same faults."""

import copy
import gc
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.model.base import Json
from interlingua.testing.lawbook import documents, share
from laws import over

FORMATS = [name for name, format in il.FORMATS.items() if format.listed != "prompt"]

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


ODD: list[Any] = [None, True, 5, 1.5, "x", "é", "", [], {}, {"type": "text", "text": "x"}, nested(150), 10**4299]
NOT_JSON: list[Any] = [float("nan"), float("inf"), "\ud800", 10**4300, object(), b"x", (1,), {1: 2}, {"\ud800": 1}, nested(250)]


def spoilt(value: Json) -> st.SearchStrategy[Any]:
    """What JSON cannot hold and is otherwise like the value, or anything else that is odd."""
    match value:
        case str():
            return st.just(value + "\ud800")
        case dict() | list():
            return st.sampled_from(NOT_JSON).map(partial(_with, value))
        case _:
            return st.sampled_from(NOT_JSON).map(copy.deepcopy)


def _with(container: Json, held: Any) -> Any:
    value = copy.deepcopy(held)
    return {**container, "x": value} if isinstance(container, dict) else [container, value]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in a payload, with each key of it."""
    inner: Iterable[tuple[Any, Any]] = ()
    if documents.is_object(value):
        inner = value.items()
    elif documents.is_array(value):
        inner = enumerate(value)
    for key, held in inner:
        yield value, key
        yield from places(held)


def loaded_and_dumped(payload: Any, source: il.FormatName, target: il.FormatName) -> Any:
    try:
        return documents.canonical(il.dump(il.load(payload, source), target))
    except il.InvalidPayload as error:
        return error.faults


def converted(payload: Any, source: il.FormatName, target: il.FormatName) -> Any:
    try:
        return documents.canonical(il.convert(payload, source=source, target=target).payload)
    except il.InvalidPayload as error:
        return error.faults


@over.pairs(FORMATS)
@given(data=st.data())
def test_a_conversion_is_a_load_and_a_dump(target: il.FormatName, sources: list[il.FormatName], data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sources))
    payload = copy.deepcopy(data.draw(testing.payloads(source)))
    chosen = st.sampled_from(list(places(payload)))
    match data.draw(st.sampled_from(["spoilt", "odd", "as it was"])):
        case "spoilt":
            holder, key = data.draw(chosen)
            holder[key] = data.draw(spoilt(holder[key]))
        case "odd":
            holder, key = data.draw(chosen)
            holder[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
        case _:
            pass
    made = converted(payload, source, target)
    assert made == loaded_and_dumped(payload, source, target)
    share.judged(isinstance(made, str), least=0.2)


@pytest.mark.parametrize("source", ["openai_chat", "anthropic"])
def test_places_are_translated_later_from_what_was_converted(source: il.FormatName) -> None:
    payload = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"}]}
    payload |= {"system": "You"} if source == "anthropic" else {}
    target: il.FormatName = "openai_chat" if source == "anthropic" else "anthropic"
    converted = il.convert(payload, source=source, target=target)
    payload.clear()
    assert "/messages/0" in converted.places.values()
    assert converted.places == dict(converted.places)
    assert copy.deepcopy(converted).places == converted.places


# Memory

LONG = {"id": "x" * 300, "type": "function", "function": {"name": "f", "arguments": "{}"}}
TALK = {
    "model": "m",
    "seed": 1,
    "messages": [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": None, "tool_calls": [LONG]},
        {"role": "tool", "tool_call_id": LONG["id"], "content": [{"type": "text", "text": "x"}]},
    ],
}


@pytest.fixture
def collect() -> Iterator[Callable[[], int]]:
    """Counts what has been left for the garbage collector since the last call."""
    gc.freeze()  # what is there need not be looked through
    gc.disable()
    yield gc.collect
    gc.enable()


@pytest.mark.parametrize("target", FORMATS)
def test_a_conversion_leaves_no_cycles_to_the_garbage_collector(target: il.FormatName, collect: Callable[[], int]) -> None:
    def work() -> None:
        il.convert(TALK, source="openai_chat", target=target)
        il.dump(il.load(TALK, "openai_chat"), target)
        if il.FORMATS[target].dump_response is not None:
            choice = il.Choice(message=il.AssistantMessage(content="x"), stop_reason="stop")
            il.load_response(il.dump_response(il.Response(choices=[choice]), target), target)

    work()  # builds what is built on first use
    collect()
    work()
    assert collect() == 0
