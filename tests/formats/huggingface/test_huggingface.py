"""The published schema of Hugging Face's task judges requests; it has no type for what its providers say beside an answer.

Its schema of answers demands a `system_fingerprint`, and its schema of chunks a `role` in each delta, which half of the
recorded answers of its providers do not have, so that OpenAI's client judges those, as it does for other hosts.
"""

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, strategies as st

import interlingua as il
from formats.cases import cases
from interlingua import testing
from interlingua.testing.lawbook.documents import is_array, is_object
from laws import recorded
from laws.sdks import SPECS

SOURCES: list[il.FormatName] = ["openai_chat", "anthropic", "gemini", "openai_responses", "mistral", "cohere", "groq"]

BESIDE = frozenset({"metadata", "parallel_tool_calls"})
"""What a profile does not say of a host, and the schema does not have: it is not closed, and passes them on."""


@functools.cache
def schema() -> jsonschema_rs.Draft202012Validator:
    file = SPECS / "hf-chat-completion-input.json"
    if not file.is_file():
        pytest.skip("no specifications here")
    document = json.loads(file.read_text("utf-8"))
    body = document["$defs"]["ChatCompletionInputMessageBody"]
    body["anyOf"] = body.pop("oneOf")  # it was recorded to accept content beside calls
    del document["$id"], document["$schema"]
    return jsonschema_rs.Draft202012Validator(_with_nulls(document) | {"additionalProperties": False})


def _with_nulls(value: Any) -> Any:
    """A schema in which what is nullable may be null, as OpenAPI 3.0 has it."""
    if is_array(value):
        return [_with_nulls(item) for item in value]
    if not is_object(value):
        return value
    made = {key: _with_nulls(item) for key, item in value.items() if key != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if value.get("nullable") is True else made


def faults(body: Any) -> list[str]:
    known = {key: value for key, value in body.items() if key not in BESIDE}
    return [error.message for error in schema().iter_errors(json.loads(json.dumps(known)))]


@given(data=st.data())
def test_what_is_written_for_it_fits_the_schema(data: st.DataObject) -> None:
    schema()
    source = data.draw(st.sampled_from(SOURCES))
    body = data.draw(testing.payloads(source, odd=False))
    assert faults(il.convert(body, source=source, target="huggingface").payload) == []


@pytest.mark.parametrize("case", [case for case in cases("request") if case.format == "huggingface"], ids=str)
def test_its_cases_fit_the_schema(case: Any) -> None:
    assert faults(case.read("request")) == []


@pytest.mark.traffic
def test_recorded_requests_fit_the_schema(traffic: Path) -> None:
    found = {record.id: faults(record.body) for record in recorded.requests(traffic, "huggingface")}
    assert found
    assert {id: messages for id, messages in found.items() if messages} == {}


@pytest.mark.parametrize("kind", ["json", "json_object"])
def test_the_schema_of_an_answer_may_be_the_value_of_its_format(kind: str) -> None:
    wanted = {"type": "object", "properties": {"city": {"type": "string"}}}
    request: dict[str, Any] = {
        "model": "m",
        "messages": [{"role": "user", "content": "Where is it?"}],
        "response_format": {"type": kind, "value": wanted},
    }
    assert il.convert(request, source="huggingface", target="huggingface").payload == request
    converted = il.convert(request, source="huggingface", target="gemini")
    assert converted.payload.get("generationConfig") == {"responseMimeType": "application/json", "responseJsonSchema": wanted}
    assert converted.losses == ()
    form = il.convert(request, source="huggingface", target="groq").payload.get("response_format")
    assert form == {"type": "json_schema", "json_schema": {"name": "response", "schema": wanted}}
    changed = il.load(request, "huggingface").replace(
        response_format={"type": "json_schema", "name": "x", "json_schema": wanted}
    )
    written = il.dump(changed, "huggingface").get("response_format")
    assert written == {"type": "json_schema", "json_schema": {"name": "x", "schema": wanted}}
