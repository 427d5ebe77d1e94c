"""Stored data: what is in `stored/` loads for ever, a later version is refused in one sentence, values travel unchanged."""

import hashlib
import json
from collections import OrderedDict
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, ValidationError

import interlingua as il
from interlingua import testing
from interlingua.model.base import members
from laws.everything import models
from laws.samples import STORED, sorted_json

stored = pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)


# What is stored


def test_stored_files_are_frozen() -> None:
    """A file may be added, with its sum; what is there stays as it is, or nobody's old data can be relied on."""
    sums = (STORED[0].parent / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert sums == [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in STORED]


@stored
def test_a_stored_conversation_loads_and_is_its_json(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    wire = json.loads(text)
    for spelled in (text, text.encode(), wire, wire | {"messages": il.validate(wire["messages"])}):
        conversation = il.validate(spelled, il.Conversation)
        assert sorted_json(conversation.to_dict()) == sorted_json(wire)
        assert sorted_json(json.loads(conversation.model_dump_json())) == sorted_json(wire)


def test_every_class_and_field_that_can_be_stored_is_stored() -> None:
    given: dict[type[BaseModel], set[str]] = {}
    for file in STORED:
        for model in models(il.validate(file.read_bytes(), il.Conversation)):
            given.setdefault(type(model), set()).update(model.model_fields_set)
    sources = {il.UrlSource, il.Base64Source, il.FileIdSource, il.TextSource}
    assert {*members(il.Message), *members(il.Part), *members(il.AnyTool), *sources} <= given.keys()
    assert {
        cls.__name__: set(cls.model_fields) - fields for cls, fields in given.items() if fields != set(cls.model_fields)
    } == {}


# Versions


LATER: dict[str, Any] = {"version": 2, "messages": 5, "novel": {"a": [1]}, "tools": {"x": None}}
WRONG_VERSIONS: list[Any] = [0, -1, True, 1.0, "1", None, [1], {}]


def reported(data: Any) -> list[dict[str, str]]:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(data, il.Conversation)
    return caught.value.errors


@pytest.mark.parametrize("number", [2, 3, 10**30])
def test_a_later_version_is_one_fault_whatever_else_is_in_it(number: int) -> None:
    later: dict[str, Any] = LATER | {"version": number}
    reason = "must be at most 1, the latest version that this release knows: update interlingua to read it"
    expected = [{"path": "/version", "reason": reason}]
    for data in (later, OrderedDict(later), json.dumps(later), json.dumps(later).encode()):
        assert reported(data) == expected
    with pytest.raises(ValidationError) as caught:
        il.Conversation(**later)
    assert il.error_body(caught.value) == {"errors": expected}
    with pytest.raises(ValidationError) as caught:
        il.Conversation(messages=()).replace(version=cast("Any", number))
    assert il.error_body(caught.value) == {"errors": expected}


@pytest.mark.parametrize("number", WRONG_VERSIONS, ids=repr)
def test_what_is_no_version_is_one_fault(number: Any) -> None:
    wrong = LATER | {"version": number}
    for data in (wrong, OrderedDict(wrong), json.dumps(wrong)):
        assert reported(data) == [{"path": "/version", "reason": "Input should be 1"}]


def test_stored_data_has_a_version() -> None:
    assert reported({"messages": []}) == [{"path": "/version", "reason": "Field required"}]
    assert il.Conversation(messages=()).to_dict() == {"version": 1, "messages": []}


class Rows(BaseModel):
    rows: dict[str, il.Conversation]


def test_a_later_version_in_an_envelope_is_pointed_at() -> None:
    for data in (LATER, OrderedDict(LATER), LATER | {"version": True}):
        with pytest.raises(ValidationError) as caught:
            Rows.model_validate({"rows": {"a": data}})
        assert [entry["path"] for entry in il.error_body(caught.value)["errors"]] == ["/rows/a/version"]
        with pytest.raises(ValidationError) as caught:
            Rows.model_validate_json(json.dumps({"rows": {"a": data}}))
        assert [entry["path"] for entry in il.error_body(caught.value)["errors"]] == ["/rows/a/version"]


@given(conversation=testing.stored_conversations(), format=st.sampled_from(sorted(il.FORMATS)))
def test_a_conversation_is_dumped_with_its_tools(conversation: il.Conversation, format: il.FormatName) -> None:
    losses: list[il.Loss] = []
    body = il.dump(conversation, format, on_loss=losses.append)
    held = {name: getattr(conversation, name) for name in ("messages", "tools") if name in conversation}
    same: list[il.Loss] = []
    assert body == il.dump(il.Request(**held), format, on_loss=same.append)
    assert losses == same
    assert {loss.path.split("/")[1] for loss in losses} <= {"messages", "tools"}
    stored = conversation.replace(id="a", metadata={"topic": "greetings"})
    assert il.dump(stored, format, on_loss=same.append) == body
    assert same == losses * 2
