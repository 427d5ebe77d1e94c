"""A schema that the target refuses, and the source does not, is adapted, and what that costs is reported at its keywords."""

from copy import deepcopy
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.model.base import Json
from interlingua.testing.lawbook import share
from laws.families import MAIN

SAID = {"role": "user", "content": "Go."}
BOUNDS: dict[str, Json] = {"minimum": 1, "maxItems": 3, "prefixItems": [{"type": "string"}], "oneOf": [{"type": "string"}]}


REFUSING = ("anthropic",)
"""Formats that refuse such schemas of another one also where they need not be strict."""

ADAPTED = ("bedrock_converse",)
"""Sources whose requests are dumped by `asking` from those of another format, which adapts their schemas already."""


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
def test_no_schema_is_refused_that_the_source_takes(source: str, target: str, schema: Any) -> None:
    payload = asking(source, schema)
    made = il.convert(payload, source=il.format_of(source), target=il.format_of(target))
    assert codes(made.payload, target) <= codes(payload, source)
    changes = [loss.path for loss in made.losses if loss.kind in ("changed", "added")]
    about = [path for path in changes if "chema" in path or path.startswith("/format")]
    if target in REFUSING:
        share.judged(about != [], least=0.4 if source in ADAPTED else 0.75, of=f"{source} to {target}")


@pytest.mark.parametrize(
    ("keyword", "value", "words"),
    [
        ("minimum", 1, "{minimum: 1}"),
        ("maxItems", 3, "{maxItems: 3}"),
        ("prefixItems", [{"type": "string"}], '{prefixItems: [{"type": "string"}]}'),
    ],
)
def test_what_anthropic_refuses_of_a_schema_of_gemini_is_put_in_words(keyword: str, value: Any, words: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, keyword: value}}}
    made: il.Conversion[Any] = il.convert(asking("gemini", schema), source="gemini", target="anthropic")
    at = "/generationConfig/responseJsonSchema"
    assert {(loss.path, loss.kind) for loss in made.losses} == {
        (at, "changed"),
        (f"{at}/properties/a", "changed"),
        (f"{at}/properties/a/{keyword}", "changed"),
    }
    sent = made.payload["output_config"]["format"]["schema"]
    assert sent["properties"]["a"] == {"type": "array", "items": {"type": "string"}, "description": words}
    assert sent["additionalProperties"] is False


def test_a_strict_tool_is_adapted_and_a_schema_of_the_same_demands_is_not() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}
    tools = [{"type": "function", "function": {"name": "f", "strict": True, "parameters": schema}}]
    payload = {"model": "m", "max_tokens": 99, "messages": [SAID], "tools": tools}
    made: il.Conversion[Any] = il.convert(payload, source="openai_chat", target="anthropic")
    at = "/tools/0/function/parameters"
    inside = f"{at}/properties/a"
    assert {(loss.path, loss.kind) for loss in made.losses} == {(path, "changed") for path in (at, inside, f"{inside}/minimum")}
    assert made.payload["tools"][0]["strict"] is True
    assert il.check(made.payload, "anthropic") == []
    assert il.convert(payload, source="openai_chat", target="openai_responses").losses == ()


def test_strict_is_given_up_in_a_dump_and_reported() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}
    tool = il.Tool(name="f", strict=True, parameters=schema)
    losses: list[il.Loss] = []
    for target, field in (("openai_chat", "function"), ("openai_responses", None)):
        losses.clear()
        body = il.dump(il.Request(messages=[], tools=[tool]), il.format_of(target), on_loss=losses.append)
        sent = body["tools"][0] if field is None else body["tools"][0][field]
        assert (sent["parameters"], sent.get("strict", False)) == (schema, False)
        assert [loss.path for loss in losses] == [
            "/tools/0/parameters/properties/a/additionalProperties",
            "/tools/0/strict",
        ]


def test_a_schema_at_home_is_exact() -> None:
    for name in MAIN:
        payload = asking(name, {"type": "object", "properties": {"a": {"type": "array", "minimum": 1, "oneOf": [{}]}}})
        request = il.load(payload, il.format_of(name))
        assert il.dump(request, il.format_of(name), on_loss="raise") == payload


@pytest.mark.parametrize(
    ("target", "at"),
    [
        ("gemini", ("generationConfig", "responseJsonSchema")),
        ("anthropic", ("output_config", "format", "schema")),
    ],
)
def test_the_name_and_description_of_an_answer_are_those_of_its_schema_where_that_has_none(
    target: il.FormatName, at: tuple[str, ...]
) -> None:
    empty: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    named = {"title": "n", "description": "Of the form."}
    for own, lost in (
        ({}, {"name": "changed", "description": "changed", "schema": "changed"}),
        ({"description": "Its own."}, {"name": "changed", "description": "dropped", "schema": "changed"}),
        ({"title": "n"}, {"description": "changed", "schema": "changed"}),
        ({"title": "Its own."}, {"name": "dropped", "description": "changed", "schema": "changed"}),
        ({"title": "n", "description": "Its own."}, {"description": "dropped"}),
    ):
        payload = asking("openai_chat", empty | own)
        payload["response_format"]["json_schema"]["description"] = "Of the form."
        before = deepcopy(payload)
        made = il.convert(payload, source="openai_chat", target=target)
        sent: Any = made.payload
        for key in at:
            sent = sent[key]
        assert sent == empty | named | own
        assert {loss.path.rpartition("/")[2]: loss.kind for loss in made.losses} == lost
        assert payload == before
        back: Any = il.convert(made.payload, source=target, target="openai_chat").payload
        assert back["response_format"]["json_schema"]["schema"] == sent
        assert back["response_format"]["json_schema"]["name"] == ("n" if sent["title"] == "n" else "response")


@pytest.mark.parametrize("beside", [{"$ref": "#/$defs/A"}, {"anyOf": [{"$ref": "#/$defs/A"}]}])
def test_a_reference_or_an_alternative_has_no_title_beside_it(beside: dict[str, Any]) -> None:
    schema: dict[str, Any] = {**beside, "$defs": {"A": {"type": "object", "properties": {}, "additionalProperties": False}}}
    made: Any = il.convert(asking("openai_chat", schema), source="openai_chat", target="gemini")
    sent = made.payload["generationConfig"]["responseJsonSchema"]
    assert ("title" in sent) is sent.keys().isdisjoint(("$ref", "anyOf"))


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("title", "name"), [("Port", "Port"), ("A port", "response"), ("", "response"), ("x" * 65, "response")]
)
def test_the_title_of_a_schema_is_its_name_where_it_may_be(target: il.FormatName, title: str, name: str) -> None:
    config = {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object", "title": title}}
    asked = {"contents": [{"role": "user", "parts": [{"text": "q"}]}], "generationConfig": config}
    made = il.convert(asked, source="gemini", target=target)
    request = il.load(made.payload, target)
    assert request.response_format is not None
    assert request.response_format.name == name
    assert [loss.kind for loss in made.losses if loss.at is not None and loss.at.endswith("/name")] == ["added"]


# Sizes


NAMES = [f"p{i}" for i in range(5_001)]
LARGE: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in NAMES},
    "required": NAMES,
    "additionalProperties": False,
}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_a_schema_that_fits_but_for_its_size_is_sent_without_strict(target: il.FormatName) -> None:
    tool = {"name": "f", "description": "d", "input_schema": LARGE, "strict": True}
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}], "tools": [tool]}
    result: Any = il.convert(asked, source="anthropic", target=target)
    sent = result.payload["tools"][0]
    assert sent.get("function", sent).get("strict") is not True
    assert "/tools/0/strict" in [loss.path for loss in result.losses if loss.kind == "dropped"]
