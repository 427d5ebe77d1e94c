"""Streams of the Responses API whose events have no `output_index`, as those of llama.cpp's server (`server-task.cpp`).

It begins items one after another, and ends them all at the end.
"""

from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import share

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")
FORMAT: il.FormatName = "openai_responses"
SAID: dict[str, Any] = {"type": "output_text", "text": "One moment.", "annotations": [], "logprobs": []}
THOUGHT: dict[str, Any] = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [],
    "content": [{"type": "reasoning_text", "text": "Look it up."}],
    "encrypted_content": "",
}
MESSAGE: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [SAID]}


def call(city: str) -> dict[str, Any]:
    arguments = f'{{"city":"{city}"}}'
    return {"id": f"fc_{city}", "call_id": f"call_{city}", "type": "function_call", "name": "weather", "arguments": arguments}


ITEMS = [THOUGHT, MESSAGE, call("Oslo"), call("Rome")]


def added(item: dict[str, Any]) -> dict[str, Any]:
    """The first event of an item."""
    empty: dict[str, Any] = {"content": []} if "content" in item else {"arguments": ""}
    return {"type": "response.output_item.added", "item": item | empty}


def deltas(name: str, item: dict[str, Any], *texts: str) -> list[dict[str, Any]]:
    return [{"type": f"response.{name}.delta", "item_id": item["id"], "delta": text} for text in texts]


def done(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.done", "item": item}


STREAM: list[dict[str, Any]] = [
    {"type": "response.created", "response": {"id": "resp_1", "object": "response", "status": "in_progress"}},
    added(THOUGHT),
    *deltas("reasoning_text", THOUGHT, "Look ", "it up."),
    added(MESSAGE),
    {"type": "response.content_part.added", "item_id": "msg_1", "part": {"type": "output_text", "text": ""}},
    *deltas("output_text", MESSAGE, "One ", "moment."),
    *(event for item in ITEMS[2:] for event in (added(item), *deltas("function_call_arguments", item, item["arguments"]))),
    done(THOUGHT),
    {"type": "response.content_part.done", "item_id": "msg_1", "part": SAID},
    *map(done, ITEMS[1:]),
    {
        "type": "response.completed",
        "response": {"id": "resp_1", "object": "response", "model": "m", "status": "completed", "output": ITEMS},
    },
]


def test_each_piece_comes_with_its_event() -> None:
    reader = il.reader(FORMAT)
    said = [[event.text for event in reader.feed(chunk) if isinstance(event, il.TextDelta)] for chunk in STREAM]
    assert [texts for chunk, texts in zip(STREAM, said, strict=True) if chunk["type"] == "response.output_text.delta"] == [
        ["One "],
        ["moment."],
    ]
    assert reader.response.message == il.load_response(STREAM[-1]["response"], FORMAT).message


@pytest.mark.parametrize("chunks", [STREAM, STREAM[:-1]], ids=["whole", "without the last snapshot"])
@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini", FORMAT])
def test_nothing_is_said_twice_in_another_format(chunks: list[dict[str, Any]], target: il.FormatName) -> None:
    reader = il.reader(target)
    for chunk in il.restream([*chunks, *([] if chunks is STREAM else ["[DONE]"])], source=FORMAT, target=target):
        reader.feed(chunk)
    message = reader.response.message
    assert (message.text, [use.parsed for use in message.tool_uses]) == ("One moment.", [{"city": "Oslo"}, {"city": "Rome"}])


def test_items_that_only_end_are_several() -> None:
    """As some hosts send them, without the ids of items, too."""
    items = [{key: value for key, value in item.items() if key != "id"} for item in ITEMS]
    reader = il.reader(FORMAT)
    for chunk in [STREAM[0], *map(done, items), "[DONE]"]:
        reader.feed(chunk)
    assert reader.response.message == il.load_response({"object": "response", "output": items}, FORMAT).message


def test_the_end_of_a_call_without_the_id_of_its_item_belongs_to_its_call() -> None:
    items = [call("Oslo"), call("Rome")]
    ends = [{key: value for key, value in item.items() if key != "id"} for item in items]
    reader = il.reader(FORMAT)
    for chunk in [STREAM[0], *map(added, items), *map(done, ends), "[DONE]"]:
        reader.feed(chunk)
    assert [(use.id, use.parsed) for use in reader.response.message.tool_uses] == [
        ("call_Oslo", {"city": "Oslo"}),
        ("call_Rome", {"city": "Rome"}),
    ]


def test_deltas_may_come_without_the_start_of_their_items() -> None:
    reader = il.reader(FORMAT)
    chunks = [*deltas("reasoning_summary_text", THOUGHT, "Look ", "it up."), *deltas("output_text", MESSAGE, "One ", "moment.")]
    for chunk in [STREAM[0], *chunks, "[DONE]"]:
        reader.feed(chunk)
    parts = reader.response.message.parts
    assert [(part.type, part.get("thinking"), part.get("text")) for part in parts] == [
        ("thinking", "Look it up.", None),
        ("text", None, "One moment."),
    ]


def said(response: il.Response) -> list[str]:
    """What a response says, in any order."""
    fields = ("text", "thinking", "refusal", "id", "name", "input", "data", "value")
    return sorted(repr([getattr(part, field, None) for field in fields]) for part in response.message.content or ())


@given(chunks=testing.chunks(FORMAT), ends=st.booleans())
def test_nothing_is_lost_without_indices(chunks: list[Any], ends: bool) -> None:
    sent = [chunk for chunk in chunks if ends or chunk.get("type") not in ("response.completed", "response.incomplete")]
    bare = [{key: value for key, value in chunk.items() if key != "output_index"} for chunk in sent]
    share.judged(len({chunk["output_index"] for chunk in sent if "output_index" in chunk}) > 1, least=0.3)
    one, other = il.reader(FORMAT), il.reader(FORMAT)
    for mine, theirs in zip(sent, bare, strict=True):
        one.feed(mine)
        other.feed(theirs)
    assert said(other.response) == said(one.response)


@pytest.mark.parametrize("given", [{"part": {"type": "summary_text", "text": ""}}, {}])
def test_a_delta_without_an_index_belongs_to_the_part_that_began_last(given: dict[str, Any]) -> None:
    item: dict[str, Any] = {"id": "rs_1", "type": "reasoning", "summary": []}
    begun = {"type": "response.reasoning_summary_part.added", "item_id": "rs_1", "output_index": 0}
    grown = {"type": "response.reasoning_summary_text.delta", "item_id": "rs_1", "output_index": 0}
    chunks: list[dict[str, Any]] = [
        STREAM[0],
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        begun | {"summary_index": 0, **given},
        grown | {"delta": "Look"},
        grown | {"delta": "."},
        begun | {"summary_index": 1, **given},
        grown | {"delta": "Think."},
        {"type": "response.completed", "response": {"id": "resp_1", "object": "response", "status": "completed"}},
    ]
    reader = il.reader(FORMAT)
    for chunk in chunks:
        reader.feed(chunk)
    parts: Any = reader.response.message.parts
    assert [part.thinking for part in parts] == ["Look.", "Think."]


@pytest.mark.parametrize(("end", "text"), [("No, sorry.", "No, sorry."), ("No", "No,"), ("Yes.", "No,")])
def test_the_end_of_a_text_adds_what_its_deltas_left_out(end: str, text: str) -> None:
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    chunks: list[dict[str, Any]] = [
        STREAM[0],
        {"type": "response.refusal.delta", **place, "delta": "No,"},
        {"type": "response.refusal.done", **place, "refusal": end},
        {"type": "response.completed", "response": {"id": "resp_1", "object": "response", "status": "completed"}},
    ]
    reader = il.reader(FORMAT)
    for chunk in chunks:
        reader.feed(chunk)
    parts: Any = reader.response.message.parts
    assert [part.refusal for part in parts] == [text]


BEGUN = {"id": "resp_1", "object": "response", "status": "in_progress"}
PART: dict[str, Any] = {"type": "output_text", "text": "", "annotations": []}
ENDED = {"type": "response.completed", "response": {"id": "resp_1", "object": "response", "status": "completed"}}
WITHOUT: dict[str, tuple[dict[str, Any], list[dict[str, Any]], list[str]]] = {
    "a text after another": (
        {"id": "msg_1", "type": "message", "role": "assistant", "content": []},
        [
            {"type": "response.content_part.added", "content_index": 0, "part": PART},
            {"type": "response.output_text.delta", "content_index": 0, "delta": "A"},
            {"type": "response.content_part.added", "content_index": 1, "part": PART},
            {"type": "response.output_text.delta", "delta": "B"},
            {"type": "response.output_text.delta", "delta": "B"},
            {"type": "response.output_text.done", "text": "BBC"},
        ],
        ["A", "BBC"],
    ),
    "the end of a summary": (
        {"id": "rs_1", "type": "reasoning", "summary": []},
        [
            {"type": "response.reasoning_summary_part.added", "summary_index": 0},
            {"type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": "A"},
            {"type": "response.reasoning_summary_part.added", "summary_index": 1},
            {"type": "response.reasoning_summary_text.done", "text": "B"},
        ],
        ["A", "B"],
    ),
    "a summary beside the reasoning itself": (
        {"id": "rs_1", "type": "reasoning", "summary": [], "content": []},
        [
            {"type": "response.content_part.added", "content_index": 0, "part": {"type": "reasoning_text", "text": ""}},
            {"type": "response.reasoning_text.delta", "content_index": 0, "delta": "raw"},
            {"type": "response.reasoning_summary_part.added", "summary_index": 0},
            {"type": "response.reasoning_summary_text.delta", "delta": "sum"},
        ],
        ["raw", "sum"],
    ),
}


@pytest.mark.parametrize(("item", "events", "texts"), WITHOUT.values(), ids=list(WITHOUT))
def test_events_without_an_index_belong_to_the_part_of_their_kind_that_began_last(
    item: dict[str, Any], events: list[dict[str, Any]], texts: list[str]
) -> None:
    place = {"output_index": 0, "item_id": item["id"]}
    first = [{"type": "response.created", "response": BEGUN}, {"type": "response.output_item.added", **place, "item": item}]
    reader = il.reader(FORMAT)
    for chunk in [*first, *({**place, **event} for event in events), ENDED]:
        reader.feed(chunk)
    parts: Any = reader.response.message.parts
    assert [part.get("text") or part.get("thinking") for part in parts] == texts
