"""A function without `strict`: Responses makes it strict where its schema can be, and no other format does."""

from typing import Any

import pytest

import interlingua as il
from interlingua.codec.adapting import adapt
from interlingua.codec.strictness import may_be_strict

OPTIONAL: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
OTHERS: list[il.FormatName] = ["openai_chat", "litellm", "anthropic", "gemini", "bedrock_converse", "cohere", "mistral"]


def _within(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}}


def _losses(tool: dict[str, Any], target: il.FormatName, source: il.FormatName = "openai_responses") -> list[tuple[str, str]]:
    body = {"model": "m", "input": "Go.", "tools": [{"type": "function", "name": "f", "parameters": OPTIONAL, **tool}]}
    losses = il.convert(body, source=source, target=target).losses
    return [(loss.kind, loss.path) for loss in losses if "without `strict`" in loss.detail]


@pytest.mark.parametrize("target", OTHERS)
def test_leaving_responses_it_is_no_longer_strict(target: il.FormatName) -> None:
    for strict in ({}, {"strict": None}):
        assert _losses(strict, target) == [("changed", "/tools/0")]
    for said in (True, False):
        assert _losses({"strict": said}, target) == []
    assert _losses({"parameters": None}, target) == []
    assert _losses({"parameters": {}}, target) == []
    assert _losses({"parameters": _within({"type": "object"})}, target) == []


def test_at_home_it_is_as_it_was() -> None:
    assert _losses({}, "openai_responses") == []


def test_a_function_of_a_namespace_and_one_beside_it_are_reported_and_a_free_form_tool_is_not() -> None:
    function = {"type": "function", "name": "f", "parameters": OPTIONAL}
    group = {"type": "namespace", "name": "g", "description": "", "tools": [function]}
    body = {"model": "m", "input": "Go.", "tools": [function, group, {"type": "custom", "name": "c"}]}
    losses = il.convert(body, source="openai_responses", target="anthropic").losses
    found = [loss.path for loss in losses if "without `strict`" in loss.detail]
    assert found == ["/tools/0", "/tools/1/tools/0"]


@pytest.mark.parametrize("source", ["openai_chat", "anthropic"])
def test_a_function_of_another_format_is_not_made_strict_by_responses(source: il.FormatName) -> None:
    messages = [{"role": "user", "content": "Go."}]
    tool: dict[str, Any] = {"name": "f", "input_schema": OPTIONAL}
    if source == "openai_chat":
        tool = {"type": "function", "function": {"name": "f", "parameters": OPTIONAL}}
    asked = {"model": "m", "max_tokens": 9, "messages": messages, "tools": [tool]}
    made: Any = il.convert(asked, source=source, target="openai_responses")
    assert made.payload["tools"][0]["strict"] is False
    assert not [loss for loss in made.losses if "strict" in loss.detail]


SCHEMAS: list[dict[str, Any]] = [
    OPTIONAL,
    {"type": "object"},
    {**OPTIONAL, "additionalProperties": False, "required": ["a"]},
    {**OPTIONAL, "additionalProperties": True},
    _within({"type": "object"}),
    _within({"type": "object", "additionalProperties": {"type": "string"}}),
    _within({"type": "object", "patternProperties": {}}),
    _within({"allOf": [{"type": "string"}]}),
    _within({"allOf": [{"type": "string"}, {"minLength": 1}]}),
    _within({"oneOf": [{"type": "string"}]}),
    _within({"type": "array", "items": {"type": "object"}}),
    _within({}),
    _within({**OPTIONAL, "additionalProperties": True}),
    _within({"type": "object", "additionalProperties": {}}),
    _within({"type": "object", "additionalProperties": False}),
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_whether_a_schema_may_be_strict_is_what_its_adaptation_says(schema: dict[str, Any]) -> None:
    dialects = il.format_of("openai_responses").known_dialects
    assert dialects is not None
    strict = dialects.of("tool", strict=True)
    assert may_be_strict(schema, strict) is adapt(schema, strict, strict=True).strict
