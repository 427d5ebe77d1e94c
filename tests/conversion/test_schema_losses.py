"""A schema that the target refuses, and the source did not, is a loss: of answers and of strict tools, warnings included."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.model.base import Json
from interlingua.testing.lawbook import share
from laws.families import MAIN

SAID = {"role": "user", "content": "Go."}
REFUSED = "refuses this schema"
BOUNDS: dict[str, Json] = {"minimum": 1, "maxItems": 3, "prefixItems": [{"type": "string"}], "oneOf": [{"type": "string"}]}


REFUSING = ("anthropic",)
"""Formats that refuse such schemas of another one also where they need not be strict."""


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Schemas of objects, closed or open, with all fields required or not, with keywords that some providers refuse."""
    kept = draw(st.lists(st.sampled_from(sorted(BOUNDS)), max_size=2, unique=True))
    field: dict[str, Any] = {"type": draw(st.sampled_from(["string", "integer"]))} | {key: BOUNDS[key] for key in kept}
    more: dict[str, Any] = {}
    if draw(st.booleans()):
        more["additionalProperties"] = False
    if draw(st.booleans()):
        more["required"] = ["a"]
    return {"type": "object", "properties": {"a": field}, **more}


def asking(source: str, schema: Any) -> Any:
    """A request of a format for an answer that satisfies a schema."""
    if source == "openai_chat":
        form = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
        return {"model": "m", "max_tokens": 99, "messages": [SAID], "response_format": form}
    if source == "openai_responses":
        return {"model": "m", "input": [SAID], "text": {"format": {"type": "json_schema", "name": "n", "schema": schema}}}
    if source == "anthropic":
        form = {"format": {"type": "json_schema", "schema": schema}}
        return {"model": "m", "max_tokens": 99, "messages": [SAID], "output_config": form}
    if source == "gemini":
        config = {"responseMimeType": "application/json", "responseJsonSchema": schema}
        return {"contents": [{"role": "user", "parts": [{"text": "Go."}]}], "generationConfig": config}
    request = il.load(asking("openai_chat", schema), "openai_chat")
    return il.dump(request, il.format_of(source), on_loss="ignore")


def codes(payload: Any, format: str) -> set[str]:
    """The rules about schemas that a request does not keep."""
    found = il.check(payload, il.format_of(format))
    return {each.code for each in found if each.code.startswith(("strict-", "schema-", "array-", "json-schema"))}


@pytest.mark.parametrize(("source", "target"), [*permutations(MAIN, 2)])
@given(schema=schemas())
def test_a_schema_that_only_the_target_refuses_is_a_loss(source: str, target: str, schema: Any) -> None:
    payload = asking(source, schema)
    made = il.convert(payload, source=il.format_of(source), target=il.format_of(target))
    new = codes(made.payload, target) - codes(payload, source)
    reported = [loss for loss in made.losses if REFUSED in loss.detail]
    assert len(reported) == len(new), (new, reported)
    assert {loss.kind for loss in reported} <= {"changed"}
    if target in REFUSING:
        share.judged(new != set(), least=0.75, of=f"{source} to {target}")
    else:
        assert new == set()


@pytest.mark.parametrize(("keyword", "value"), [("minimum", 1), ("maxItems", 3), ("prefixItems", [{"type": "string"}])])
def test_what_anthropic_refuses_of_a_schema_of_gemini_is_at_its_schema(keyword: str, value: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, keyword: value}}}
    losses = il.convert(asking("gemini", schema), source="gemini", target="anthropic").losses
    assert {(loss.path, loss.kind) for loss in losses} == {("/generationConfig/responseJsonSchema", "changed")}
    assert ["additionalProperties" in loss.detail for loss in losses] == [True, False]


def test_a_strict_tool_is_reported_and_a_fault_that_was_there_is_not() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}
    tools = [{"type": "function", "function": {"name": "f", "strict": True, "parameters": schema}}]
    payload = {"model": "m", "max_tokens": 99, "messages": [SAID], "tools": tools}
    found = [str(loss) for loss in il.convert(payload, source="openai_chat", target="anthropic").losses]
    assert [REFUSED in loss and "minimum" in loss for loss in found] == [True]
    assert il.convert(payload, source="openai_chat", target="openai_responses").losses == ()
