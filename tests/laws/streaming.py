"""Streams for tests: whole responses cut into chunks, and what is read of them."""

import contextlib
import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from anthropic._models import construct_type_unchecked
from anthropic.types import RawMessageStreamEvent
from anthropic.types.beta import BetaRawMessageStreamEvent
from hypothesis import strategies as st
from openai._models import construct_type
from openai.types.chat import ChatCompletionChunk
from pydantic import BaseModel, TypeAdapter

import interlingua as il
from interlingua import testing
from interlingua.codec.strategies.cutting import Hosts
from interlingua.testing.lawbook import documents
from interlingua.testing.splitting import split, streamable
from laws import recorded
from laws.families import ANTHROPIC, MAIN

SDK = ("openai_chat", "anthropic")
"""The hubs, whose SDKs' objects of chunks and accumulators the tests know."""
SHAPED: tuple[il.FormatName, ...] = (*MAIN, "openrouter")
"""The formats whose streams differ in more than a profile."""

RANDOMS = st.integers(0, 2**32).map(Hosts)


@st.composite
def _streamed(draw: st.DrawFn, format: il.FormatName, *, odd: bool) -> tuple[dict[str, Any], list[Any]]:
    body = streamable(draw(testing.responses(format, odd=odd)), format)
    assert body is not None
    return body, split(body, format, draw(RANDOMS))


def streamed(format: il.FormatName, *, odd: bool = True) -> st.SearchStrategy[tuple[dict[str, Any], list[Any]]]:
    """A whole response, and the chunks of a stream of it."""
    return _streamed(format, odd=odd)


def read(chunks: Iterable[Any], format: il.FormatName) -> tuple[il.Reader, list[il.Event]]:
    """The reader and the events of a stream; the error that it may report is the reader's too."""
    reader = il.reader(format)
    events: list[il.Event] = []
    with contextlib.suppress(il.ProviderError):
        events.extend(reader.read(chunks))
    return reader, events


_FLAT_ORDER = {"thinking": 0, "text": 1, "refusal": 2, "tool_use_start": 3, "arguments": 3}


def goes_back(events: Iterable[il.Event]) -> bool:
    """Whether a flat message says more of a field after one that the whole message has behind it."""
    furthest: dict[int, int] = {}
    flat: set[int] = set()
    for event in events:
        if isinstance(event, il.MessageStart) and event.spelling == "flat":
            flat.add(event.choice)
        elif (order := _FLAT_ORDER.get(event.type)) is not None and (choice := getattr(event, "choice", 0)) in flat:
            if order < furthest.get(choice, 0):
                return True
            furthest[choice] = order
    return False


def cut_off(chunks: Iterable[Any], format: il.FormatName) -> il.Reader:
    """A reader of a stream whose end has not come."""
    reader = il.reader(format)
    for chunk in chunks:
        reader.feed(chunk)
    return reader


def as_dicts(events: Iterable[il.Event]) -> list[dict[str, Any]]:
    return [event.to_dict() for event in events]


def difference(whole: il.Response, folded: il.Response) -> str:
    return "" if whole == folded else documents.difference(whole.to_dict(), folded.to_dict())


def judged(
    records: Iterator[recorded.Record],
    judge: Callable[[recorded.Record], Iterable[str]],
    counted: Callable[[int], object] = lambda _: None,
) -> None:
    """Fail with all that a judge finds in recorded traffic; `counted` takes the number of records."""
    count = 0
    faults: list[str] = []
    for record in records:
        count += 1
        try:
            faults += [f"{record.id}: {fault}" for fault in judge(record)]
        except Exception as error:  # noqa: BLE001 - any error is reported together with its record
            faults.append(f"{record.id}: {type(error).__name__}: {str(error)[:300]}")
    assert count
    counted(count)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults)


# Before its end


def unfinished(chunks: list[Any], format: il.FormatName) -> Iterator[str]:
    """What is wrong with the responses of a stream's beginnings: each is one, and is marked incomplete until its end."""
    reader = il.reader(format)
    if reader.complete or reader.response.choices:
        yield "complete before the first chunk"
    begun: set[int] = set()
    stopped: set[int] = set()
    ended = False
    for place, chunk in enumerate(chunks):
        events = reader.feed(copy.deepcopy(chunk))
        for event in events:
            ended = ended or isinstance(event, il.StreamEnd)
            if isinstance(event, il.MessageStart):
                begun.add(event.choice)
            if isinstance(event, il.Stop):
                stopped.add(event.choice)
        response = reader.response
        for number, choice in zip(sorted(begun), response.choices, strict=True):  # the second may be the first to begin
            if (choice.incomplete is None) != (ended or number in stopped):
                yield f"after chunk {place}: choice {number} is {choice.incomplete}"
        if il.Response.model_validate(response.to_dict()) != response:
            yield f"after chunk {place}: the response is not one"
    reader.close()
    alone, _ = read(copy.deepcopy(chunks), format)
    if alone.response != reader.response:
        yield "looking at the response changes it"


EVENTS: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
BETA_EVENTS: TypeAdapter[Any] = TypeAdapter(BetaRawMessageStreamEvent)


def sdk_object(chunk: dict[str, Any], format: il.FormatName) -> BaseModel:
    """The official SDK's object of a chunk; raises pydantic's error where its types do not take it."""
    if format == "openai_chat":
        return ChatCompletionChunk.model_validate(chunk)
    is_of_beta = "mcp_tool" in str(chunk.get("content_block", {}).get("type"))  # only the beta has types for MCP calls
    made: BaseModel = (BETA_EVENTS if is_of_beta else EVENTS).validate_python(chunk)
    return made


def as_sent(chunk: dict[str, Any], format: il.FormatName) -> BaseModel:
    """The object that the official client makes of a chunk, whatever is in it."""
    kind: Any = ChatCompletionChunk if format == "openai_chat" else RawMessageStreamEvent
    construct: Any = construct_type if format == "openai_chat" else construct_type_unchecked
    made: BaseModel = construct(type_=kind, value=copy.deepcopy(chunk))
    return made


def with_usage(body: dict[str, Any], format: il.FormatName) -> dict[str, Any]:
    """A response with what the SDK's accumulators cannot do without."""
    used = {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
    if format in ANTHROPIC:
        used = {"input_tokens": 2, "output_tokens": 1}
    return {"usage": used} | body


def a_chunk(finish: str | None = None, /, beside: dict[str, Any] | None = None, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish} | (beside or {})
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
