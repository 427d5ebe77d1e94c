"""The canonical messages: strict and exact."""

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import interlingua as il
from interlingua.model.base import members
from laws.everything import (
    EVERYTHING,
    FLAGS,
    LISTS,
    OBJECTS,
    TAGS,
    TEXTS,
    Transcript,
    assistant,
    everything,
    fault_paths,
    is_free,
    messages,
    misjudged,
    models,
    nodes,
    pickled,
    put,
    same,
    user,
)


def test_the_sample_has_every_field_of_every_class() -> None:
    given: dict[type[BaseModel], set[str]] = {}
    for message in il.validate(EVERYTHING):
        for model in models(message):
            given.setdefault(type(model), set()).update(model.model_fields_set)
    assert {cls.__name__: fields for cls, fields in given.items() if fields != set(cls.model_fields)} == {}
    assert set(members(il.Message)) | set(members(il.Part)) <= given.keys()


# Law 1


def test_what_validates_comes_back_identical() -> None:
    found = il.validate(everything())
    assert same([message.to_dict() for message in found], EVERYTHING)
    text = json.dumps(EVERYTHING)
    for again in ([message.to_dict() for message in found], found, tuple(found), text, text.encode()):
        assert il.validate(again) == found


@messages
def test_every_canonical_dump_is_the_same(message: il.Message) -> None:
    expected = message.to_dict()
    assert same(message.model_dump(), expected)
    assert same(json.loads(message.model_dump_json()), expected)
    assert same(TypeAdapter(il.Message).dump_python(message), expected)
    assert same(json.loads(TypeAdapter(il.Message).dump_json(message)), expected)
    assert il.validate([message.model_dump()]) == il.validate(f"[{message.model_dump_json()}]") == [message]


@messages
def test_the_tag_comes_first(message: il.Message) -> None:
    assert next(iter(message)) == next(iter(message.to_dict())) == "role"


def test_messages_in_a_model_of_the_users_own() -> None:
    transcript = Transcript.model_validate({"title": "t", "messages": EVERYTHING, "last": EVERYTHING[3]})
    expected = {"title": "t", "messages": EVERYTHING, "last": EVERYTHING[3]}
    assert same(transcript.model_dump(), expected)
    assert same(transcript.model_dump(mode="json"), expected)
    assert same(json.loads(transcript.model_dump_json()), expected)
    assert Transcript.model_validate_json(transcript.model_dump_json()) == transcript
    assert Transcript.model_validate(transcript.model_dump()) == transcript


def test_presence_survives_a_model_of_the_users_own() -> None:
    wire: list[dict[str, Any]] = [{"role": "assistant"}, {"role": "assistant", "content": None, "tool_calls": []}]
    transcript = Transcript.model_validate({"title": "t", "messages": wire})
    assert transcript.model_dump()["messages"] == wire
    assert json.loads(transcript.model_dump_json())["messages"] == wire


def test_the_schema_says_the_same_of_input_and_output() -> None:
    adapter = TypeAdapter[il.Message](il.Message)
    schema = adapter.json_schema()
    assert adapter.json_schema(mode="serialization") == schema
    assert {cls.__name__ for cls in members(il.Message)} <= schema["$defs"].keys()
    untagged = [
        name
        for name, definition in schema["$defs"].items()
        for tag in {"role", "type"} & definition.get("properties", {}).keys()
        if tag not in definition["required"]
    ]
    assert untagged == []


def test_schemas_can_be_made_again_and_again() -> None:
    made = [TypeAdapter[il.Message](il.Message).json_schema() for _ in range(8)]
    assert all(schema == made[0] for schema in made)


# Presence


PRESENCE: list[dict[str, Any]] = [
    {"role": "assistant"},
    {"role": "assistant", "content": None},
    {"role": "assistant", "content": ""},
    {"role": "assistant", "content": []},
    {"role": "assistant", "tool_calls": None},
    {"role": "assistant", "tool_calls": []},
    {"role": "assistant", "thinking_blocks": []},
    {"role": "assistant", "reasoning_content": ""},
    {"role": "assistant", "provider_data": {}},
    {"role": "assistant", "provider_data": {"openai": {}}},
    {"role": "assistant", "provider_data": {"openai": {"audio": None}}},
]


@pytest.mark.parametrize("wire", PRESENCE, ids=str)
def test_absent_null_and_empty_stay_what_they_are(wire: dict[str, Any]) -> None:
    (message,) = il.validate([wire])
    assert message.to_dict() == wire
    assert json.loads(message.model_dump_json()) == wire
    assert assistant(**wire) == message
    for kept in (copy.deepcopy(message), pickled(message), message.replace(), message.model_copy()):
        assert kept.to_dict() == wire


def test_absent_null_and_empty_differ() -> None:
    found = [assistant(**wire) for wire in PRESENCE]
    assert len(set(found)) == len(PRESENCE)
    assert [[a == b for b in found] for a in found] == [[i == j for j in range(len(found))] for i in range(len(found))]


def test_a_tag_that_is_left_out_is_given_all_the_same() -> None:
    assert user(content="x").to_dict() == {"role": "user", "content": "x"}
    assert user(content="x") == user(role="user", content="x")
    assert il.TextPart(text="x").to_dict() == {"type": "text", "text": "x"}
    assert "role" in assistant()


def test_numbers_and_booleans_are_distinguished() -> None:
    found = [il.ToolUsePart(name="f", input={"a": value}) for value in (1, 1.0, True, "1")]
    assert len(set(found)) == 4
    assert not any(a == b for i, a in enumerate(found) for b in found[:i])
    assert [type(part.to_dict()["input"]["a"]) for part in found] == [int, float, bool, str]


# Strictness: one fault, one error, its place


@pytest.mark.parametrize("wrong", [5, True, b"x", 1.5], ids=repr)
def test_nothing_becomes_text(wrong: Any) -> None:
    assert misjudged([path for path in TEXTS if not is_free(path)], wrong) == {}


@pytest.mark.parametrize("wrong", [1, 0, "true", 1.0, "yes"], ids=repr)
def test_nothing_becomes_a_boolean(wrong: Any) -> None:
    assert misjudged(FLAGS, wrong) == {}


@pytest.mark.parametrize("wrong", ["novel", 5, None, ["text"], {}], ids=repr)
def test_an_unknown_tag_is_one_fault(wrong: Any) -> None:
    assert misjudged(TAGS, wrong) == {}


@pytest.mark.parametrize("path", TAGS)
def test_a_missing_tag_is_one_fault(path: str) -> None:
    data = everything()
    owner, _, tag = path.rpartition("/")
    del dict(nodes(data))[owner][tag]
    assert fault_paths(data) == [path]


@pytest.mark.parametrize("field", ["novel", "a~1b~0c", "model_config", "to_dict", "parts"])
def test_an_unknown_field_is_one_fault(field: str) -> None:
    assert misjudged([f"{path}/{field}" for path in OBJECTS], "x") == {}


@pytest.mark.parametrize("wrong", [5, "x", [], None, b"x"], ids=repr)
def test_a_value_is_no_object(wrong: Any) -> None:
    nullable = [path for path in OBJECTS if path.endswith(("/cache_control", "/wire"))] if wrong is None else []
    assert misjudged([path for path in OBJECTS if path not in nullable], wrong) == {}


@pytest.mark.parametrize("wrong", [5, True, {}, {"0": "x"}, b"x"], ids=repr)
def test_a_value_is_no_list(wrong: Any) -> None:
    assert misjudged(LISTS, wrong) == {}


ONE_SHOT: dict[str, Callable[[list[Any]], Any]] = {
    "generator": lambda items: (item for item in items),
    "iterator": iter,
    "map": lambda items: map(copy.copy, items),
    "dict values": lambda items: dict(enumerate(items)).values(),
}


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("make", ONE_SHOT.values(), ids=ONE_SHOT.keys())
def test_iterators_are_refused_unread(path: str, make: Callable[[list[Any]], Any]) -> None:
    data = everything()
    items = dict(nodes(data))[path]
    stream = make(items)
    put(data, path, stream)
    assert fault_paths(data) == [path]
    assert list(stream) == items


@pytest.mark.parametrize("make", ONE_SHOT.values(), ids=ONE_SHOT.keys())
def test_an_iterator_of_messages_is_refused_unread(make: Callable[[list[Any]], Any]) -> None:
    stream = make(everything())
    assert fault_paths(stream) == [""]
    assert list(stream) == EVERYTHING


@pytest.mark.parametrize("make", [set, frozenset])
def test_sets_are_refused(make: Callable[[list[Any]], Any]) -> None:
    parts = make([il.TextPart(text="a"), il.TextPart(text="b")])
    assert fault_paths([{"role": "user", "content": parts}]) == ["/0/content"]
    assert fault_paths([{"role": "assistant", "tool_calls": make([il.ToolCall(name="f", arguments="")])}]) == ["/0/tool_calls"]
    assert fault_paths(make([user(content="x")])) == [""]


@pytest.mark.parametrize("field", ["messages", "tools", "stop"])
@pytest.mark.parametrize("make", [set, frozenset, iter], ids=["set", "frozenset", "iterator"])
def test_a_request_takes_neither_sets_nor_iterators(field: str, make: Callable[[list[Any]], Any]) -> None:
    items: dict[str, list[Any]] = {"messages": [user(content="x")], "tools": [il.Tool(name="f")], "stop": ["a"]}
    given = make(items[field])
    fields: dict[str, Any] = {"messages": (), field: given}
    with pytest.raises(ValidationError) as caught:
        il.Request(**fields)
    assert len(caught.value.errors()) == 1
    assert list(given) == items[field]


@pytest.mark.parametrize("wrong", [math.inf, math.nan, "1", True], ids=repr)
def test_a_wrong_number_is_one_fault(wrong: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        il.Request(messages=(), temperature=wrong)
    assert [fault["path"] for fault in il.error_body(caught.value)["errors"]] == ["/temperature"]


def test_lists_and_tuples_are_both_sequences() -> None:
    parts = [{"type": "text", "text": "x"}]
    assert user(content=parts) == user(content=tuple(parts)) == user(content=(il.TextPart(text="x"),))
    assert il.validate(({"role": "user", "content": tuple(parts)},)) == [user(content=parts)]


@pytest.mark.parametrize(
    "data", [None, 5, "", "x", b"\xff", "[", "{}", '{"role": "user", "content": "x"}', {"role": "user"}], ids=repr
)
def test_what_is_no_list_of_messages(data: Any) -> None:
    assert fault_paths(data) == [""]


@pytest.mark.parametrize("item", [5, None, "x", [], [{}]], ids=repr)
def test_what_is_no_message(item: Any) -> None:
    assert fault_paths([item, {"role": "user", "content": "x"}, item]) == ["/0", "/2"]


def test_a_known_tag_with_a_bad_body_never_becomes_something_looser() -> None:
    assert fault_paths([{"role": "user", "content": [{"type": "text"}, {"type": "image", "source": {"type": "url"}}]}]) == [
        "/0/content/0/text",
        "/0/content/1/source/url",
    ]


def test_every_fault_is_reported() -> None:
    data = [
        {"role": "user", "content": 5},
        {"role": "nobody"},
        {"role": "tool", "tool_call_id": 5, "content": [{"type": "text", "text": 5}, {"type": "novel"}]},
    ]
    assert fault_paths(data) == ["/0/content", "/1/role", "/2/tool_call_id", "/2/content/0/text", "/2/content/1/type"]


def test_the_classes_raise_pydantics_error() -> None:
    with pytest.raises(ValidationError) as caught:
        user(content=[{"type": "text", "text": 5}])
    assert [fault["path"] for fault in il.error_body(caught.value)["errors"]] == ["/content/0/text"]


def test_errors_echo_nothing_of_the_input() -> None:
    secret = "sk-12345"
    data = [{"role": "user", "content": [{"type": "text", "text": [secret]}, {"type": secret}], "name": {secret: 1}}]
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(data)
    assert secret not in str(caught.value) + str(il.error_body(caught.value))


def test_validate_says_what_it_takes_for_a_model() -> None:
    union: Any = il.Message
    with pytest.raises(TypeError, match="TypeAdapter"):
        il.validate([], union)


class Notes(BaseModel):
    parts: list[il.Part]
    tools: list[il.AnyTool]


def test_parts_and_tools_in_a_model_of_the_users_own_have_one_fault_each() -> None:
    with pytest.raises(ValidationError) as caught:
        Notes.model_validate({"parts": [{"type": "text"}], "tools": [{"type": "function"}]})
    assert [entry["path"] for entry in il.error_body(caught.value)["errors"]] == ["/parts/0/text", "/tools/0/name"]
