"""Conversations as columns: every row comes back as it was, through Arrow's memory, its files, and Parquet."""

import io
import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import interlingua as il
from interlingua.arrow import (
    MESSAGES,
    SCHEMA,
    columns,
    convert_batch,
    from_arrow,
    load_batch,
    output_schema,
    to_arrow,
    validate_batch,
)
from interlingua.model.base import members
from interlingua.testing import messages, payloads, stored_conversations
from laws.families import MAIN
from laws.samples import STORED, sorted_json

# Its stubs leave most types unknown.
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")


def in_a_file(batch: Any) -> Any:
    out = io.BytesIO()
    with pa.ipc.new_file(out, batch.schema) as writer:
        writer.write_batch(batch)
    return pa.ipc.open_file(out.getvalue()).read_all()


def in_parquet(batch: Any, *, arrow_schema: bool = True) -> Any:
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_batches([batch]), out, store_schema=arrow_schema)
    return parquet.read_table(io.BytesIO(out.getvalue()))


WAYS: dict[str, Callable[[Any], Any]] = {
    "memory": lambda batch: batch,
    "file": in_a_file,
    "Parquet": in_parquet,
    "Parquet of another program": partial(in_parquet, arrow_schema=False),
}


def dicts(values: Iterable[Any]) -> list[str]:
    return [sorted_json(value.to_dict()) for value in values]


@pytest.mark.parametrize("way", WAYS)
def test_every_field_of_every_class(way: str) -> None:
    stored = [il.validate(path.read_bytes(), il.Conversation) for path in STORED]
    batch = WAYS[way](to_arrow(stored))
    assert dicts(from_arrow(batch)) == dicts(stored)
    assert way != "memory" or batch.schema.equals(SCHEMA)


@settings(max_examples=15)
@given(st.lists(stored_conversations(), max_size=3), st.sampled_from(sorted(WAYS)))
def test_any_conversations(stored: list[il.Conversation], way: str) -> None:
    assert dicts(from_arrow(WAYS[way](to_arrow(stored)))) == dicts(stored)


@settings(max_examples=25)
@given(st.lists(messages(), max_size=4), st.sampled_from(sorted(WAYS)))
def test_any_messages(listed: list[il.Message], way: str) -> None:
    [made] = from_arrow(WAYS[way](to_arrow([listed])))
    assert dicts(made.messages) == dicts(listed)


ARGUMENTS: dict[str, Any] = {
    "big": 10**300,
    "small": -(10**40),
    "one": 1,
    "1.0": 1.0,
    "-0": -0.0,
    "deep": [[None, {}, []]],
    "true": True,
}
NESTED: list[Any] = [
    {"role": "assistant"},
    {"role": "assistant", "content": None},
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": []},
    {"role": "assistant", "tool_calls": None, "thinking_blocks": []},
    {"role": "assistant", "tool_calls": [], "thinking_blocks": None, "extra": None, "wire": None, "name": None},
    {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": json.dumps(ARGUMENTS)}]},
    {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": ARGUMENTS, "id": None}]},
    {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": ""}], "extra": {"deep": [None, [None]]}},
    {"role": "user", "content": [{"type": "tool_result"}, {"type": "tool_result", "content": None}]},
    {"role": "user", "content": [{"type": "tool_result", "content": ""}, {"type": "tool_result", "content": []}]},
    {"role": "user", "content": [{"type": "json", "value": None}, {"type": "json", "value": [10**30, 0.1, 1e300]}]},
    {
        "role": "user",
        "content": [{"type": "text", "text": "", "citations": []}, {"type": "text", "text": "é🙂", "citations": None}],
    },
]


@pytest.mark.parametrize("way", WAYS)
def test_absent_null_and_empty_differ(way: str) -> None:
    made = from_arrow(WAYS[way](to_arrow([[message] for message in NESTED])))
    assert [sorted_json(each.to_dict()["messages"]) for each in made] == [sorted_json([message]) for message in NESTED]


def test_absent_null_and_empty_differ_in_conversations() -> None:
    stored: list[dict[str, Any]] = [
        {"version": 1, "messages": []},
        {"version": 1, "id": None, "messages": [], "tools": None, "metadata": None},
    ]
    stored.append({"version": 1, "id": "", "messages": [], "tools": [], "metadata": {}})
    values = [il.validate(each, il.Conversation) for each in stored]
    assert dicts(from_arrow(to_arrow(values))) == list(map(sorted_json, stored))
    assert from_arrow(to_arrow([])) == []


def fields_of(*unions: Any) -> set[str]:
    return {name for union in unions for cls in members(union) for name in cls.model_fields}


SHAPES: dict[str, set[str]] = {
    "version id messages tools metadata": set(il.Conversation.model_fields),
    "messages": fields_of(il.Message),
    "messages/content_parts": fields_of(il.Part),
    "messages/content_parts/content_parts": fields_of(il.ResultContentPart),
    "messages/content_parts/source": fields_of(il.Source),
    "messages/content_parts/image_url": set(il.ImageUrl.model_fields),
    "messages/content_parts/input_audio": set(il.InputAudio.model_fields),
    "messages/thinking_blocks": fields_of(il.ThinkingBlock),
    "messages/tool_calls": set(il.ToolCall.model_fields),
    "tools": fields_of(il.AnyTool),
}


@pytest.mark.parametrize("path", SHAPES)
def test_every_field_has_a_column(path: str) -> None:
    shape: Any = columns.CONVERSATION
    for name in [] if " " in path else path.split("/"):
        shape = shape[name] if type(shape[name]) is dict else shape[name][0]
    assert {"input" if name == "input_object" else name.removesuffix("_parts") for name in shape} == SHAPES[path]


def test_the_columns_are_for_queries() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    history = il.validate(
        [
            {"role": "user", "content": [{"type": "text", "text": "What is it?"}, image]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "name": "look", "arguments": "{}"}]},
            {"role": "tool", "tool_call_id": "c", "content": "A cat."},
        ]
    )
    row: Any = to_arrow([history]).to_pylist()[0]["messages"]
    assert [message["role"] for message in row] == ["user", "assistant", "tool"]
    assert [message["content"] for message in row] == [None, None, "A cat."]
    assert row[0]["content_parts"][1]["source"]["url"] == "https://example.com/a.png"
    assert (row[1]["nulls"], row[1]["tool_calls"][0]["name"]) == (["content"], "look")


# Columns as input and output of batch functions


@settings(max_examples=15)
@given(st.sampled_from(MAIN), st.data())
def test_a_loaded_batch_becomes_the_same_payloads_again(format: il.FormatName, data: st.DataObject) -> None:
    listed = data.draw(st.lists(payloads(format), max_size=3))
    texts = [*map(json.dumps, listed), "7"]
    batch = pa.RecordBatch.from_pydict({"p": pa.array(texts, pa.string())})
    step = partial(load_batch, source=format, column="p", prefix="load_")
    loaded = step(batch)
    assert loaded.schema.equals(output_schema(step, batch.schema))
    assert loaded.schema.field("p").type == MESSAGES
    *made, wrong = convert_batch(loaded, source="interlingua", target=format, column="p").to_pylist()
    assert [sorted_json(json.loads(row["p"])) for row in made] == list(map(sorted_json, listed))
    assert [(row["error"], row["losses"]) for row in made] == [(None, [])] * len(listed)
    assert (wrong["p"], wrong["load_error"] is None) == (None, False)


def test_messages_alone_and_conversations_are_loaded_as_what_they_are() -> None:
    history = [{"role": "user", "content": "hi"}]
    stored = {"version": 1, "id": "c", "messages": history, "metadata": None}
    batch = pa.RecordBatch.from_pydict({"messages": [json.dumps(history), json.dumps(stored), json.dumps({"messages": [{}]})]})
    loaded = load_batch(batch, source="interlingua")
    assert loaded.column("messages_rest").to_pylist() == [None, '{"version":1,"id":"c","metadata":null}', None]
    again = convert_batch(loaded.drop_columns("error"), source="interlingua", target="interlingua")
    assert [text and json.loads(text) for text in again.column("messages").to_pylist()] == [history, stored, None]
    alone = convert_batch(loaded.select(["messages"]), source="interlingua", target="interlingua")
    assert [text and json.loads(text) for text in alone.column("messages").to_pylist()] == [history, history, None]
    with pytest.raises(ValueError, match="these are columns of load_batch"):
        from_arrow(loaded)
    with pytest.raises(ValueError, match='the column has canonical messages: pass source="interlingua"'):
        convert_batch(loaded, source="openai_chat", target="anthropic", prefix="a_")


# What other programs may write


def changed(**fields: Any) -> Any:
    """A table of one conversation that another program has changed."""
    [row] = to_arrow([[{"role": "user", "content": "hi"}]]).to_pylist()
    known: Any = SCHEMA
    kinds: Any = {field.name: field.type for field in known} | {name: pa.array([value]).type for name, value in fields.items()}
    return pa.Table.from_pylist([row | fields], schema=pa.schema(kinds))


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"version": 2}, "/version", "must be at most 1"),
    ({"metadata": "{"}, "", "not JSON"),
    ({"metadata": "[]"}, "/metadata", "Input should be an object"),
    ({"messages": "[]"}, "/messages", "a list of messages"),
    ({"messages": None}, "/messages", "Field required"),
    ({"messages": [{"role": "user", "content": "a", "mood": "b"}]}, "/messages/0/mood", "Extra inputs"),
    (
        {"messages": [{"role": "user", "content_parts": [{"type": "text", "nulls": ["text"]}]}]},
        "/messages/0/content/0/text",
        "string",
    ),
    ({"messages": [None]}, "/messages/0", "valid dictionary"),
    ({"nulls": ["mood"]}, "/mood", "Extra inputs"),
    ({"nulls": 5}, "", "nulls must be a list of the names of fields"),
    ({"nulls": "id"}, "", "nulls must be a list of the names of fields"),
    ({"nulls": [["id"]]}, "", "nulls must be a list of the names of fields"),
    (
        {"messages": [{"role": "user", "content": "a", "content_parts": [{"type": "text", "text": "b"}]}]},
        "",
        "only one of content and content_parts may have a value",
    ),
]


@pytest.mark.parametrize(("fields", "path", "reason"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_with_a_row(fields: dict[str, Any], path: str, reason: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        from_arrow(changed(**fields))
    fault = caught.value.faults[0]
    assert (fault.path, reason in fault.reason) == ("/0" + path, True), fault


def test_text_that_is_not_utf_8_is_a_fault_of_its_row() -> None:
    table = changed().drop_columns(["id"])
    ids = pa.array([b"a", b"\xff"], pa.binary()).view(pa.string())
    with pytest.raises(il.InvalidPayload) as caught:
        from_arrow(pa.concat_tables([table, table]).append_column("id", ids))
    assert caught.value.faults == (("/1", "the text must be UTF-8"),)


def test_two_columns_of_one_name_are_refused() -> None:
    table = changed()
    with pytest.raises(ValueError, match="the batch has 2 columns of the name 'id'"):
        from_arrow(table.append_column("id", table["id"]))


def test_columns_of_the_user_are_left_alone() -> None:
    table = pa.Table.from_batches([to_arrow([[{"role": "user", "content": "hi"}]])])
    assert len(from_arrow(table.append_column("split", pa.array(["train"])))) == 1
    [only] = from_arrow(table.select(["messages"]))
    assert only.to_dict() == {"version": 1, "messages": [{"role": "user", "content": "hi"}]}
    assert validate_batch(table).column("error").to_pylist() == [None]


def test_what_is_wrong_with_a_conversation_says_which_it_is() -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        to_arrow([[], [{"role": "user"}]])
    assert caught.value.faults == (("/1/0/content", "Field required"),)
    text: Any = "[]"
    with pytest.raises(il.InvalidPayload, match=r"/1: .*a list of messages"):
        to_arrow([[], text])


def test_models_of_the_caller_are_whole() -> None:
    class Mine(il.UserMessage, frozen=True):
        mood: str

    class Titled(il.Conversation, frozen=True):
        title: str

    with pytest.raises(il.InvalidPayload, match="/mood: Extra inputs"):
        to_arrow([[Mine(content="a", mood="b")]])
    with pytest.raises(il.InvalidPayload, match="/title: Extra inputs"):
        to_arrow([Titled(messages=[], title="a")])
