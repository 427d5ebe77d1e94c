"""The canonical messages: strict, frozen, exact, and readable like the dicts that they are written as."""

import copy
import json
import math
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from typing_extensions import TypeIs

import interlingua as il

# Every field of every message and part, in messages without a fault

DATA = {"some_vendor": {"a/b": {"c~d": [1, 2.5, True, None, "é"]}}}
MARK = {"type": "ephemeral", "ttl": "1h"}
SHARED = {"cache_control": MARK, "provider_data": DATA}
TEXT: dict[str, Any] = {"type": "text", "text": "x", **SHARED}

EVERYTHING: list[dict[str, Any]] = [
    {"role": "system", "content": [TEXT], "name": "n", **SHARED},
    {"role": "developer", "content": "x", "name": "n", **SHARED},
    {
        "role": "user",
        "content": [
            TEXT,
            {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}, "detail": "low", **SHARED},
            {"type": "image", "source": {"type": "base64", "data": "AAAA", "media_type": "image/png"}},
            {"type": "audio", "source": {"type": "base64", "data": "AAAA", "media_type": "audio/wav"}, **SHARED},
            {"type": "video", "source": {"type": "file_id", "file_id": "file_1", "issuer": "gemini"}, **SHARED},
            {
                "type": "file",
                "source": {"type": "text", "text": "x", "media_type": "text/plain"},
                "filename": "a.txt",
                **SHARED,
            },
            {
                "type": "image_url",
                "image_url": {"url": "https://example.com/a.png", "detail": "low", "provider_data": DATA},
                **SHARED,
            },
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav", "provider_data": DATA}, **SHARED},
            {"type": "tool_result", "tool_use_id": "c", "content": [TEXT], "is_error": True, "name": "f", **SHARED},
            {"type": "tool_result", "tool_use_id": "c", "content": "x"},
            {"type": "opaque", "format": "some_vendor", "value": {"type": "novel", "of": [1]}, **SHARED},
        ],
        "name": "n",
        **SHARED,
    },
    {
        "role": "assistant",
        "content": "x",
        "reasoning_content": "hm",
        "thinking_blocks": [
            {"type": "thinking", "thinking": "hm", "signature": "s", "summary": False, "issuer": "anthropic", **SHARED},
            {"type": "redacted_thinking", "data": "AAAA", "issuer": "anthropic", **SHARED},
        ],
        "refusal": "no",
        "tool_calls": [{"id": "c", "name": "f", "arguments": '{"a": 1}', "custom": False, **SHARED}],
        "name": "n",
        **SHARED,
    },
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "tool_use", "id": "c", "name": "f", "input": {"a": [1]}, "custom": False, **SHARED},
            {"type": "tool_use", "id": "d", "name": "f", "input": '{"a": 1}'},
            {"type": "refusal", "refusal": "no", **SHARED},
        ],
    },
    {"role": "tool", "tool_call_id": "c", "content": "x", "is_error": False, "name": "f", **SHARED},
    {"role": "text", "content": "x", "name": "n", **SHARED},
    {"role": "opaque", "format": "some_vendor", "value": {"novel": True}},
]

FREE = ("provider_data", "input", "value")


def everything() -> list[dict[str, Any]]:
    """A copy in which no two places share a value."""
    found: list[dict[str, Any]] = json.loads(json.dumps(EVERYTHING))
    return found


def is_object(value: Any) -> TypeIs[dict[Any, Any]]:
    return isinstance(value, dict)


def is_list(value: Any) -> TypeIs[list[Any]]:
    return isinstance(value, list)


def is_tuple(value: Any) -> TypeIs[tuple[Any, ...]]:
    return isinstance(value, tuple)


def entries(value: Any) -> list[tuple[Any, Any]]:
    """The entries of an object or a list, none of anything else."""
    if is_object(value):
        return list(value.items())
    return list(enumerate(value)) if is_list(value) else []


def nodes(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside, with its JSON Pointer."""
    yield path, value
    for key, item in entries(value):
        yield from nodes(item, f"{path}/" + str(key).replace("~", "~0").replace("/", "~1"))


def put(document: Any, path: str, value: Any) -> None:
    *way, last = [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]
    for token in way:
        document = {str(key): item for key, item in entries(document)}[token]
    document[int(last) if isinstance(document, list) else last] = value


def spoil(document: Any) -> None:
    """Change every object and list in it."""
    for _, value in list(nodes(document)):
        if is_object(value):
            value["spoilt"] = 1
        elif is_list(value):
            value.append("spoilt")


def is_free(path: str) -> bool:
    return any(token in FREE for token in path.split("/"))


STRINGS = [path for path, value in nodes(EVERYTHING) if isinstance(value, str)]
TAGS = [path for path in STRINGS if path.rpartition("/")[2] in ("role", "type") and not is_free(path)]
TEXTS = [path for path in STRINGS if path not in TAGS]
FLAGS = [path for path, value in nodes(EVERYTHING) if isinstance(value, bool) and not is_free(path)]
OBJECTS = [path for path, value in nodes(EVERYTHING) if isinstance(value, dict) and not is_free(path)]
LISTS = [path for path, value in nodes(EVERYTHING) if isinstance(value, list) and path and not is_free(path)]


def faults(data: Any) -> list[dict[str, str]]:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(data)
    return caught.value.errors


def fault_paths(data: Any) -> list[str]:
    return [fault["path"] for fault in faults(data)]


def pickled(value: il.Message, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 -- pickled in this line


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same JSON, where 1, 1.0 and true are three."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def assistant(**fields: Any) -> il.AssistantMessage:
    return il.AssistantMessage(**fields)


def user(**fields: Any) -> il.UserMessage:
    return il.UserMessage(**fields)


def models(value: Any) -> Iterator[BaseModel]:
    if isinstance(value, BaseModel):
        yield value
        for name in value.model_fields_set:
            yield from models(getattr(value, name))
    elif is_tuple(value):
        for item in value:
            yield from models(item)


def test_the_sample_has_every_field_of_every_class() -> None:
    given: dict[type[BaseModel], set[str]] = {}
    for message in il.validate(EVERYTHING):
        for model in models(message):
            given.setdefault(type(model), set()).update(model.model_fields_set)
    assert {cls.__name__: fields for cls, fields in given.items() if fields != set(cls.model_fields)} == {}
    assert set(get_args(il.Message)) | set(get_args(il.AnyPart)) <= given.keys()


messages = pytest.mark.parametrize(
    "message", il.validate(EVERYTHING), ids=[f"{i} {message['role']}" for i, message in enumerate(EVERYTHING)]
)


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
    assert same(TypeAdapter(il.TaggedMessage).dump_python(message), expected)
    assert same(json.loads(TypeAdapter(il.TaggedMessage).dump_json(message)), expected)
    assert il.validate([message.model_dump()]) == il.validate(f"[{message.model_dump_json()}]") == [message]


@messages
def test_the_tag_comes_first(message: il.Message) -> None:
    assert next(iter(message)) == next(iter(message.to_dict())) == "role"


class Transcript(BaseModel):
    """A model of a user's own that holds messages."""

    title: str
    messages: list[il.TaggedMessage]
    last: il.AssistantMessage | None = None


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
    adapter = TypeAdapter[il.Message](il.TaggedMessage)
    schema = adapter.json_schema()
    assert adapter.json_schema(mode="serialization") == schema
    assert {cls.__name__ for cls in get_args(il.Message)} <= schema["$defs"].keys()
    untagged = [
        name
        for name, definition in schema["$defs"].items()
        for tag in {"role", "type"} & definition["properties"].keys()
        if tag not in definition["required"]
    ]
    assert untagged == []


def test_schemas_can_be_made_again_and_again() -> None:
    made = [TypeAdapter[il.Message](il.TaggedMessage).json_schema() for _ in range(8)]
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


def test_numbers_and_booleans_are_told_apart() -> None:
    found = [il.ToolUsePart(name="f", input={"a": value}) for value in (1, 1.0, True, "1")]
    assert len(set(found)) == 4
    assert not any(a == b for i, a in enumerate(found) for b in found[:i])
    assert [type(part["input"]["a"]) for part in found] == [int, float, bool, str]


# Strictness: one fault, one error, its place


def misjudged(paths: list[str], wrong: Any) -> dict[str, list[str]]:
    """The places where a wrong value is not the one fault that it is, with the faults told instead."""
    found: dict[str, list[str]] = {}
    for path in paths:
        data = everything()
        put(data, path, wrong)
        told = fault_paths(data)
        if told != [path]:
            found[path] = told
    return found


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
    nullable = [path for path in OBJECTS if path.endswith("/cache_control")] if wrong is None else []
    assert misjudged([path for path in OBJECTS if path not in nullable], wrong) == {}


@pytest.mark.parametrize("wrong", [5, True, {}, {"0": "x"}, b"x"], ids=repr)
def test_a_value_is_no_list(wrong: Any) -> None:
    assert misjudged(LISTS, wrong) == {}


ONE_SHOT: dict[str, Callable[[list[Any]], Any]] = {
    "generator": lambda items: (item for item in items),
    "iterator": iter,
    "map": lambda items: map(dict, items),
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


def test_every_fault_is_told() -> None:
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


# Text and free JSON


def test_a_lone_surrogate_is_a_fault_in_its_place() -> None:
    assert misjudged(TEXTS, "\ud800") == {}


@pytest.mark.parametrize("field", ["input", "value", "provider_data"])
def test_a_lone_surrogate_in_a_key_is_a_fault(field: str) -> None:
    data = everything()
    path = next(path for path, value in nodes(data) if path.endswith("/" + field) and isinstance(value, dict))
    put(data, path, {"vendor": {"\udfff": 1}})
    (fault,) = faults(data)
    assert fault["path"].startswith(path)
    json.dumps(fault).encode()


def test_a_lone_surrogate_in_json_text_is_a_fault() -> None:
    assert len(faults(r'[{"role": "user", "content": "\ud800"}]')) == 1
    assert il.validate(r'[{"role": "user", "content": "\ud83d\ude00"}]')[0]["content"] == "😀"


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, b"x", {1}, Decimal(1), 1j, {1: "x"}], ids=repr)
def test_free_json_is_json(wrong: Any) -> None:
    for field, path in (("provider_data", "/0/provider_data/vendor/a"), ("input", "/0/content/0/input/a")):
        data: list[dict[str, Any]] = [{"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]}]
        put(
            data,
            "/0/provider_data" if field == "provider_data" else path[:-2],
            {"vendor": {}} if field == "provider_data" else {},
        )
        put(data, path, wrong)
        (fault,) = faults(data)
        assert fault["path"].startswith(path)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_no_number_beyond_a_float_comes_from_json_text(number: str) -> None:
    assert len(faults(f'[{{"role": "user", "content": "x", "provider_data": {{"vendor": {{"a": {number}}}}}}}]')) == 1


def test_numbers_stay_exact() -> None:
    data = {"big": 10**40, "small": -(2**70), "float": 0.1, "whole": 1.0, "zero": -0.0}
    part = il.ToolUsePart(name="f", input=data)
    assert same(part["input"], data)
    assert same(json.loads(part.model_dump_json())["input"], data)
    assert same(part.parsed, data)


def nested(depth: int, leaf: Any = None) -> dict[str, Any]:
    """An object `depth` levels deep."""
    value: dict[str, Any] = {} if leaf is None else leaf
    for _ in range(depth - 1):
        value = {"a": value}
    return value


PLACES: dict[str, Callable[[dict[str, Any]], list[dict[str, Any]]]] = {
    "input": lambda value: [{"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": value}]}],
    "provider data": lambda value: [{"role": "user", "content": "x", "provider_data": {"vendor": value}}],
    "provider data of a part": lambda value: [
        {"role": "user", "content": [{"type": "text", "text": "x", "provider_data": {"vendor": value}}]}
    ],
    "provider data of a call": lambda value: [
        {"role": "assistant", "tool_calls": [{"name": "f", "arguments": "", "provider_data": {"vendor": value}}]}
    ],
    "opaque part": lambda value: [{"role": "user", "content": [{"type": "opaque", "format": "vendor", "value": value}]}],
    "opaque message": lambda value: [{"role": "opaque", "format": "vendor", "value": value}],
}
places = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())


@places
@pytest.mark.parametrize("depth", [201, 1_000, 10_000])
def test_deep_nesting_is_one_fault(place: Callable[[dict[str, Any]], Any], depth: int) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(place(nested(depth)))
    assert len(caught.value.errors) == 1
    assert len(json.dumps(il.error_body(caught.value))) < 1000


@places
@pytest.mark.parametrize("depth", [100, 195, 199, 200])
def test_nesting_up_to_the_limit_is_kept_in_python_and_in_json_text(place: Callable[[dict[str, Any]], Any], depth: int) -> None:
    data = place(nested(depth))
    found = il.validate(data)
    assert same([message.to_dict() for message in found], data)
    assert same(json.loads(found[0].model_dump_json()), data[0])
    assert il.validate(json.dumps(data)) == found


def test_deep_parameters_of_a_tool() -> None:
    assert il.Tool(name="f", parameters=nested(200))["parameters"] == nested(200)
    with pytest.raises(ValidationError):
        il.Tool(name="f", parameters=nested(10_000))


@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_json_text_is_one_fault(opening: str, depth: int) -> None:
    assert fault_paths(opening * depth) == [""]
    assert len(faults(f'[{{"role": "user", "content": {opening * depth}')) == 1


def test_depth_elsewhere_is_one_fault() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    assert fault_paths(deep) == ["/0"]
    assert fault_paths([{"role": "user", "content": deep}]) == ["/0/content/0"]
    assert user(content="x") != {"role": "user", "content": deep}


# Two spellings


def test_the_parts_of_the_flat_spelling() -> None:
    message = assistant(
        content="text",
        reasoning_content="one two",
        thinking_blocks=[
            {"type": "thinking", "thinking": "one ", "signature": "s"},
            {"type": "redacted_thinking", "data": "AAAA"},
            {"type": "thinking", "thinking": "two"},
        ],
        refusal="no",
        tool_calls=[{"id": "c", "name": "f", "arguments": '{"a": 1}'}, {"id": "d", "name": "g", "arguments": ""}],
    )
    assert [part.to_dict() for part in message.parts] == [
        {"type": "thinking", "thinking": "one ", "signature": "s"},
        {"type": "redacted_thinking", "data": "AAAA"},
        {"type": "thinking", "thinking": "two"},
        {"type": "text", "text": "text"},
        {"type": "refusal", "refusal": "no"},
        {"type": "tool_use", "id": "c", "name": "f", "input": '{"a": 1}'},
        {"type": "tool_use", "id": "d", "name": "g", "input": ""},
    ]
    assert message.thinking == "one two"
    assert message.text == "text"
    assert [(call.id, call.name, call.parsed) for call in message.tool_uses] == [("c", "f", {"a": 1}), ("d", "g", None)]


def test_the_parts_of_the_block_spelling_keep_their_order() -> None:
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}},
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "b"},
        {"type": "tool_use", "id": "d", "name": "f", "input": "{}"},
    ]
    message = assistant(content=blocks)
    assert [part.to_dict() for part in message.parts] == blocks
    assert (message.text, message.thinking) == ("ab", "hm")
    assert [call.id for call in message.tool_uses] == ["c", "d"]
    assert message["content"] == blocks


def test_reasoning_text_that_no_block_has_is_a_part_of_its_own() -> None:
    message = assistant(reasoning_content="summary", thinking_blocks=[{"type": "thinking", "thinking": "all of it"}])
    assert [part.to_dict() for part in message.parts] == [
        {"type": "thinking", "thinking": "summary"},
        {"type": "thinking", "thinking": "all of it"},
    ]
    assert [part.to_dict() for part in assistant(reasoning_content="hm").parts] == [{"type": "thinking", "thinking": "hm"}]
    assert assistant(reasoning_content="").parts == ()


@messages
def test_every_message_can_be_asked_for_its_meaning(message: il.Message) -> None:
    assert isinstance(message.parts, tuple)
    assert message.text == "".join(part.text for part in message.parts if isinstance(part, il.TextPart))
    assert message.thinking == "".join(part.thinking for part in message.parts if isinstance(part, il.ThinkingPart))
    assert message.tool_uses == tuple(part for part in message.parts if isinstance(part, il.ToolUsePart))


@pytest.mark.parametrize("cls", [il.SystemMessage, il.DeveloperMessage, il.UserMessage, il.AssistantMessage])
def test_text_and_one_text_part_mean_the_same(cls: type[il.SystemMessage]) -> None:
    text = cls(content="x", name="n")
    blocks = text.to_blocks()
    assert blocks.to_dict() == {"role": text.role, "content": [{"type": "text", "text": "x"}], "name": "n"}
    assert blocks.parts == text.parts
    assert text.content == "x"


FLAT: dict[str, Any] = {
    "role": "assistant",
    "content": "text",
    "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s", "issuer": "anthropic"}],
    "tool_calls": [
        {"id": "c", "name": "f", "arguments": '{"a":1}', **SHARED},
        {"name": "t", "arguments": "free", "custom": True},
    ],
    "name": "n",
    **SHARED,
}


def test_flat_to_blocks_and_back() -> None:
    flat = assistant(**FLAT)
    blocks = flat.to_blocks()
    assert not {"tool_calls", "thinking_blocks", "reasoning_content", "refusal"} & blocks.keys()
    assert [part["type"] for part in blocks["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert blocks.parts == flat.parts
    assert blocks["provider_data"] == DATA
    assert blocks.to_blocks() == blocks
    back, lost = blocks.to_flat()
    assert lost == ()
    assert back == flat


def test_blocks_to_flat_tells_the_order_that_it_loses() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    text = {"type": "text", "text": "a"}
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}
    ordered, lost = assistant(content=[thinking, text, call]).to_flat()
    assert lost == ()
    assert ordered.to_dict() == {
        "role": "assistant",
        "content": "a",
        "thinking_blocks": [thinking],
        "tool_calls": [{"id": "c", "name": "f", "arguments": '{"a": 1}'}],
    }
    for blocks in ([text, thinking, call], [thinking, call, text], [call, thinking], [text, call, text]):
        shuffled, lost = assistant(content=blocks).to_flat()
        assert len(lost) == 1
        assert "order" in lost[0]
        assert len(shuffled.parts) == len(blocks)
        assert [call.id for call in shuffled.tool_calls or ()] == ["c"]


def test_results_in_a_user_message_and_tool_messages_are_two_spellings() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "x", "is_error": True, "name": "f", **SHARED}
    text = {"type": "text", "text": "and"}
    flat, lost = user(content=[result, result | {"tool_use_id": "d"}, text], name="n").to_flat()
    assert lost == ()
    assert [message.to_dict() for message in flat] == [
        {"role": "tool", "tool_call_id": "c", "content": "x", "is_error": True, "name": "f", **SHARED},
        {"role": "tool", "tool_call_id": "d", "content": "x", "is_error": True, "name": "f", **SHARED},
        {"role": "user", "content": [text], "name": "n"},
    ]
    assert isinstance(flat[0], il.ToolMessage)
    assert flat[0].to_blocks() == user(content=[result])
    assert user(content="x").to_flat() == ((user(content="x"),), ())


def test_results_behind_other_parts_lose_their_order() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "x"}
    flat, lost = user(content=[{"type": "text", "text": "and"}, result]).to_flat()
    assert [message["role"] for message in flat] == ["tool", "user"]
    assert len(lost) == 1


def test_tool_calls_in_both_spellings_are_one_fault() -> None:
    data: list[dict[str, Any]] = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}],
            "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}, {"id": "d", "name": "f", "arguments": "{}"}],
        }
    ]
    (fault,) = faults(data)
    assert fault["path"] == "/0/tool_calls"
    assert "tool_calls" in fault["reason"]
    assert "tool_use" in fault["reason"]
    with pytest.raises(ValidationError) as caught:
        assistant(**data[0])
    assert len(caught.value.errors()) == 1
    with pytest.raises(ValidationError):
        assistant(content=data[0]["content"]).replace(tool_calls=data[0]["tool_calls"])


@pytest.mark.parametrize("more", [{"type": "function"}, {}, {"type": "function", "index": 0}])
def test_nested_calls_are_told_the_way_in(more: dict[str, Any]) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "{}"}, **more}
    found = faults([{"role": "assistant", "content": None, "tool_calls": [call, call]}])
    assert [fault["path"] for fault in found] == ["/0/tool_calls/0", "/0/tool_calls/1"]
    assert all('load(..., "openai_chat")' in fault["reason"] for fault in found)


# Tool arguments


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ('{"a": 1}', {"a": 1}),
        ('{ "a":1.0 }', {"a": 1.0}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("{}", {}),
        ("", None),
        ("{", None),
        ("null", None),
        ("[1]", None),
        ('"x"', None),
        ('{"a": 1} x', None),
        ('{"a": NaN}', None),
        ('{"a": 1e400}', None),
        (r'{"a": "\ud800"}', None),
    ],
)
def test_argument_text_stays_the_text_that_it_is(text: str, parsed: dict[str, Any] | None) -> None:
    call, part = il.ToolCall(name="f", arguments=text), il.ToolUsePart(name="f", input=text)
    assert call["arguments"] == part["input"] == part.arguments == text
    assert same([call.parsed, part.parsed], [parsed, parsed])
    (used,) = assistant(tool_calls=[call]).tool_uses
    assert used == part


def test_arguments_as_an_object() -> None:
    part = il.ToolUsePart(name="f", input={"city": "Zürich", "n": [1, 1.0, None]})
    assert part.parsed == {"city": "Zürich", "n": [1, 1.0, None]}
    assert same(json.loads(part.arguments), part.parsed)


def test_a_custom_tools_input_is_free_text() -> None:
    call = il.ToolCall(id="c", name="patch", arguments="*** Begin", custom=True)
    (part,) = assistant(tool_calls=[call]).parts
    assert part.to_dict() == {"type": "tool_use", "id": "c", "name": "patch", "input": "*** Begin", "custom": True}
    assert assistant(content=[part]).to_flat()[0]["tool_calls"] == [call.to_dict()]


def test_very_deep_argument_text_is_no_object() -> None:
    text = '{"a":' * 10_000 + "1" + "}" * 10_000
    assert il.ToolCall(name="f", arguments=text).parsed is None
    assert il.ToolUsePart(name="f", input=text).parsed is None


# Frozen, and nobody's but its own


@messages
def test_messages_are_frozen(message: il.Message) -> None:
    for name in type(message).model_fields:
        with pytest.raises(ValidationError):
            setattr(message, name, "x")
        with pytest.raises(ValidationError):
            delattr(message, name)
    with pytest.raises(ValidationError):
        message.novel = 1  # type: ignore[union-attr]
    for change in ("__setitem__", "__delitem__", "update", "pop", "clear", "setdefault"):
        assert not hasattr(message, change)
    assert not any(isinstance(getattr(model, name), list) for model in models(message) for name in model.model_fields_set)


def test_what_goes_in_is_neither_changed_nor_kept() -> None:
    data = everything()
    found = il.validate(data)
    assert same(data, EVERYTHING)
    spoil(data)
    assert same([message.to_dict() for message in found], EVERYTHING)


def test_what_a_class_is_given_is_not_kept() -> None:
    data = copy.deepcopy(DATA)
    parts, parameters = [{"type": "text", "text": "x", "provider_data": data}], nested(3)
    message, tool = user(content=parts, provider_data=data), il.Tool(name="f", parameters=parameters)
    parts.clear()
    data["some_vendor"]["a/b"]["c~d"].clear()
    parameters["a"].clear()
    assert message.to_dict() == {
        "role": "user",
        "content": [{"type": "text", "text": "x", "provider_data": DATA}],
        "provider_data": DATA,
    }
    assert tool["parameters"] == nested(3)


@messages
def test_what_comes_out_is_the_callers_own(message: il.Message) -> None:
    before = json.dumps(message.to_dict())
    ways: list[Callable[[], Any]] = [
        message.to_dict,
        message.model_dump,
        lambda: list(message.values()),
        lambda: [message[key] for key in message],
        lambda: [message.get(key) for key in message],
        lambda: dict(message.items()),
        lambda: {**message},
        lambda: [part.to_dict() for part in message.parts],
    ]
    for way in ways:
        spoil(way())
        assert json.dumps(message.to_dict()) == before


def test_a_dump_is_the_callers_own() -> None:
    message = assistant(content=[{"type": "tool_use", "id": "c", "name": "f", "input": {"a": [1]}}])
    message.dump_as("anthropic")["content"][0]["input"]["a"].append("spoilt")
    message.model_dump(context={"format": "anthropic"})["content"][0]["input"]["a"].append("spoilt")
    assert message["content"][0]["input"] == {"a": [1]}


# Changed copies


def model_copy(message: il.AssistantMessage, **changes: Any) -> il.AssistantMessage:
    return message.model_copy(update=changes)


CHANGES: list[Callable[..., il.AssistantMessage]] = [il.AssistantMessage.replace, model_copy, il.AssistantMessage.__replace__]
if sys.version_info >= (3, 13):
    CHANGES.append(copy.replace)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_copy_is_validated(change: Callable[..., il.AssistantMessage]) -> None:
    message = assistant(**FLAT)
    changed = change(message, content="new")
    assert type(changed) is il.AssistantMessage
    assert changed.to_dict() == FLAT | {"content": "new"}
    assert message.to_dict() == FLAT
    assert change(message, refusal=None).to_dict() == FLAT | {"refusal": None}
    assert change(message, content=[{"type": "text", "text": "x"}]).content == (il.TextPart(text="x"),)
    wrongs: list[dict[str, Any]] = [{"content": 5}, {"novel": 1}, {"role": "user"}, {"tool_calls": [{}]}, {"provider_data": 1}]
    for wrong in wrongs:
        with pytest.raises(ValidationError):
            change(message, **wrong)


@messages
def test_copies_and_pickles_are_equal(message: il.Message) -> None:
    copies = [
        copy.copy(message),
        copy.deepcopy(message),
        message.model_copy(),
        message.model_copy(deep=True),
        message.replace(),
    ]
    copies += [pickled(message, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for made in copies:
        assert type(made) is type(message)
        assert made == message
        assert hash(made) == hash(message)
        assert same(made.to_dict(), message.to_dict())
        assert same({**made}, {**message})


def test_equality_is_of_what_was_given() -> None:
    assert user(content="x") == user(content="x") != user(content="y")
    assert il.SystemMessage(content="x") != il.DeveloperMessage(content="x")
    assert user(content="x") != user(content=[{"type": "text", "text": "x"}])
    assert len({user(content="x"), user(content="x"), user(content="y")}) == 2
    a = il.ToolUsePart(name="f", input={"a": 1, "b": 2})
    b = il.ToolUsePart(name="f", input={"b": 2, "a": 1})
    assert a == b
    assert hash(a) == hash(b)


# Dict access


METHODS = "to_dict replace parts text tool_uses keys get model_fields model_dump __class__ dump_as".split()


@messages
def test_a_message_is_its_dict(message: il.Message) -> None:
    expected = message.to_dict()
    assert isinstance(message, Mapping)
    assert len(message) == len(expected)
    assert list(message) == list(expected) == list(message.keys())
    assert same(list(message.values()), list(expected.values()))
    assert same(list(message.items()), list(expected.items()))
    assert same({**message}, expected)
    assert same(dict(message), expected)
    for key in expected:
        assert key in message
        assert same(message[key], expected[key])
        assert same(message.get(key, "default"), expected[key])
    others: set[Any] = {*type(message).model_fields, *METHODS, "novel", "", 0, None} - expected.keys()
    for key in others:
        assert key not in message
        assert message.get(key, "default") == "default"
        assert message.get(key) is None
        with pytest.raises(KeyError):
            message[key]


def plain(value: Any) -> bool:
    return all(type(item) in (dict, list, str, int, float, bool, type(None)) for _, item in nodes(value))


@messages
def test_dict_access_gives_plain_values_and_attributes_give_models(message: il.Message) -> None:
    assert all(plain(message[key]) for key in message)
    assert plain(message.to_dict())
    assert plain(message.model_dump())
    if not isinstance(message, il.OpaqueMessage) and isinstance(message.content, tuple):
        assert all(isinstance(part, BaseModel) for part in message.content)


@messages
def test_a_message_equals_its_dict_and_no_other(message: il.Message) -> None:
    expected = message.to_dict()
    assert message == expected
    assert expected == message
    assert message != {**expected, "novel": 1}
    assert message != {key: value for key, value in expected.items() if key != "role"}
    assert message not in (None, 5, "x", list(expected.items()), {"role": object()}, {"a": math.nan})


def test_equality_with_a_dict_is_equality_of_json() -> None:
    part = il.ToolUsePart(name="f", input={"1": 1})
    wire: dict[str, Any] = {"type": "tool_use", "name": "f"}
    assert part == wire | {"input": {"1": 1}}
    assert part != wire | {"input": {"1": True}}
    assert part != wire | {"input": {"1": 1.0}}
    assert part != wire | {"input": {1: 1}}


PARTS = [part for message in il.validate(EVERYTHING) for part in message.parts]


@pytest.mark.parametrize("part", PARTS, ids=[f"{i} {part['type']}" for i, part in enumerate(PARTS)])
def test_parts_are_read_like_dicts_too(part: il.AnyPart) -> None:
    expected = part.to_dict()
    assert isinstance(part, Mapping)
    assert part == expected
    assert same({**part}, expected)
    assert all(same(part[key], expected[key]) for key in part)
    assert len(part) == len(expected)
    with pytest.raises(KeyError):
        part["novel"]


def test_a_message_matches_mapping_and_class_patterns() -> None:
    subject: Any = user(content=[{"type": "text", "text": "x"}], name="n")
    match subject:
        case {"role": "user", "content": [{"type": "text", "text": text}], **rest}:
            assert (text, rest) == ("x", {"name": "n"})
        case _:
            pytest.fail("the mapping pattern did not match")
    subject = assistant(content=None)
    match subject:
        case {"tool_calls": _}:
            pytest.fail("a field that was not given matched")
        case il.AssistantMessage(role="assistant", content=None, tool_calls=None):
            pass
        case _:
            pytest.fail("the class pattern did not match")


def test_truth_and_membership_are_those_of_a_dict() -> None:
    assert bool(assistant())
    assert "content" not in assistant()
    assert "content" in assistant(content=None)
    assert assistant(content=None).get("content", "default") is None
    assert [key for key in ("role", "name", "content") if key in user(content="x")] == ["role", "content"]


# One message in a provider's form


CALLING = assistant(content="text", tool_calls=[{"id": "c", "name": "f", "arguments": '{"a": 1}'}])
IN_ANTHROPIC = {
    "role": "assistant",
    "content": [{"type": "text", "text": "text"}, {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}],
}
IN_OPENAI = {
    "role": "assistant",
    "content": "text",
    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
}


@pytest.mark.parametrize(
    ("format", "expected"), [("anthropic", IN_ANTHROPIC), ("openai_chat", IN_OPENAI), ("verifiers", CALLING.to_dict())]
)
def test_one_message_in_a_providers_form(format: str, expected: dict[str, Any]) -> None:
    for target in (format, il.FORMATS[format]):
        assert CALLING.dump_as(target, on_loss="raise") == expected
        assert CALLING.model_dump(context={"format": target}) == expected
        assert json.loads(CALLING.model_dump_json(context={"format": target})) == expected
    assert CALLING.model_dump(context={"other": 1}) == CALLING.model_dump(context={}) == CALLING.to_dict()


def test_the_context_reaches_messages_in_a_model_of_the_users_own() -> None:
    transcript = Transcript(title="t", messages=[user(content="x"), CALLING], last=CALLING)
    expected = {"title": "t", "messages": [{"role": "user", "content": "x"}, IN_ANTHROPIC], "last": IN_ANTHROPIC}
    assert transcript.model_dump(context={"format": "anthropic"}) == expected
    assert json.loads(transcript.model_dump_json(context={"format": "anthropic"})) == expected


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_content_as_string_or_list(format: str) -> None:
    text, parts = user(content="x"), user(content=[{"type": "text", "text": "x"}])
    blocks = [{"type": "text", "text": "x"}]
    assert text.dump_as(format, content="keep")["content"] == "x"
    assert parts.dump_as(format, content="keep")["content"] == blocks
    for message in (text, parts):
        assert message.dump_as(format, content="string")["content"] == "x"
        assert message.dump_as(format, content="list")["content"] == blocks
        assert message.model_dump(context={"format": format, "content": "list"})["content"] == blocks


def test_what_one_message_loses() -> None:
    message = user(content="x", name="mira")
    with pytest.raises(il.LossyConversion) as caught:
        message.dump_as("anthropic", on_loss="raise")
    assert [(loss.kind, loss.path) for loss in caught.value.losses] == [("dropped", "/name")]
    told: list[il.Loss] = []
    assert message.dump_as("anthropic", on_loss=told.append) == {"role": "user", "content": "x"}
    assert tuple(told) == caught.value.losses
    with pytest.warns(il.LossWarning, match="/name"):
        message.dump_as("anthropic")
    with pytest.warns(il.LossWarning, match="/name"):
        assert message.model_dump(context={"format": "anthropic"}) == {"role": "user", "content": "x"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert message.dump_as("anthropic", on_loss="ignore") == {"role": "user", "content": "x"}


SEVERAL = user(content=[{"type": "tool_result", "tool_use_id": c, "content": "x"} for c in "cd"])


@pytest.mark.parametrize(
    ("message", "format"),
    [(il.SystemMessage(content="x"), "anthropic"), (SEVERAL, "openai_chat"), (user(content=""), "anthropic")],
    ids=["lifted", "several", "none"],
)
def test_what_is_not_exactly_one_message_there(message: il.UserMessage, format: str) -> None:
    with pytest.raises(ValueError, match="dump"):
        message.dump_as(format, on_loss="ignore")
    with pytest.warns(il.LossWarning, match="dump"):
        assert message.model_dump(context={"format": format}) == message.to_dict()


def test_an_opaque_message_has_a_form_at_home_only() -> None:
    wire = {"role": "novel", "content": [1]}
    message = il.OpaqueMessage(format="anthropic", value=wire)
    assert message.dump_as("anthropic", on_loss="raise") == wire
    assert message.model_dump(context={"format": "anthropic"}) == wire
    with pytest.raises(ValueError, match="dump"):
        message.dump_as("openai_chat", on_loss="ignore")
    with pytest.warns(il.LossWarning, match="dump"):
        assert message.model_dump(context={"format": "openai_chat"}) == message.to_dict()


def test_a_format_that_nobody_knows() -> None:
    with pytest.raises(il.UnknownFormat):
        CALLING.dump_as("novel")
