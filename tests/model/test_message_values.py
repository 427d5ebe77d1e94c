"""Messages as values: frozen, their own, changed only as copies, and readable like the dicts that they are written as."""

import copy
import json
import math
import pickle
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import interlingua as il
from laws.everything import (
    DATA,
    EVERYTHING,
    FLAT,
    assistant,
    everything,
    messages,
    models,
    nested,
    nodes,
    pickled,
    same,
    spoil,
    user,
)

# Frozen, and nobody's but its own


@messages
def test_messages_are_frozen(message: il.Message) -> None:
    for name in (*type(message).model_fields, "novel"):
        with pytest.raises(ValidationError):
            setattr(message, name, "x")
        with pytest.raises(ValidationError):
            delattr(message, name)
    for change in ("__setitem__", "__delitem__", "update", "pop", "clear", "setdefault"):
        assert not hasattr(message, change)
    held = [(name, getattr(model, name)) for model in models(message) for name in model.model_fields_set]
    assert [name for name, value in held if isinstance(value, list) and name != "value"] == []  # free JSON has lists


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
def test_what_comes_out_is_the_callers_own(message: Any) -> None:
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
    assert message.to_dict()["content"][0]["input"] == {"a": [1]}


# Changed copies


def model_copy(message: il.AssistantMessage, **changes: Any) -> il.AssistantMessage:
    return message.model_copy(update=changes)


CHANGES: list[Callable[..., il.AssistantMessage]] = [il.AssistantMessage.replace, model_copy, il.AssistantMessage.__replace__]
if sys.version_info >= (3, 13):
    CHANGES.append(copy.replace)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__qualname__)
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
    mapping: Any = message  # which takes any key
    assert isinstance(message, Mapping)
    assert len(message) == len(expected)
    assert list(message) == list(expected) == list(message.keys())
    assert same(list(message.values()), list(expected.values()))
    assert same(list(message.items()), list(expected.items()))
    assert same({**message}, expected)
    assert same(dict(message), expected)
    for key in expected:
        assert key in message
        assert same(mapping[key], expected[key])
        assert same(mapping.get(key, "default"), expected[key])
    others: set[Any] = {*type(message).model_fields, *METHODS, "novel", "", 0, None} - expected.keys()
    for key in others:
        assert key not in message
        assert mapping.get(key, "default") == "default"
        assert mapping.get(key) is None
        with pytest.raises(KeyError):
            mapping[key]


def plain(value: Any) -> bool:
    return all(type(item) in (dict, list, str, int, float, bool, type(None)) for _, item in nodes(value))


@messages
def test_dict_access_gives_plain_values_and_attributes_give_models(message: il.Message) -> None:
    mapping: Any = message
    assert all(plain(mapping[key]) for key in mapping)
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
def test_parts_are_read_like_dicts_too(part: il.Part) -> None:
    expected = part.to_dict()
    mapping: Any = part
    assert isinstance(part, Mapping)
    assert part == expected
    assert same({**part}, expected)
    assert all(same(mapping[key], expected[key]) for key in mapping)
    assert len(part) == len(expected)
    with pytest.raises(KeyError):
        mapping["novel"]


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
