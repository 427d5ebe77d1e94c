"""`openapi`: its documents are valid, and say of each version what the other does, and what the typed bodies do."""

from typing import Any, Literal

import jsonschema_rs
import pytest
from fastapi import FastAPI
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

import interlingua as il
import interlingua.fastapi
from formats.cases import HAS_BYTES, cases
from interlingua.formats import bodies as names
from schemas.bodies.test_bodies import NEW, ROLES, WRONG, body_of, references

FORMATS: list[Any] = [format for format in il.FORMATS if format not in HAS_BYTES]


@pytest.mark.parametrize("format", FORMATS)
def test_the_documents_are_valid(format: il.FormatName) -> None:
    documents = [il.openapi(format, version="3.0"), il.openapi(format, version="3.1")]
    OpenAPIV30SpecValidator(documents[0]).validate()
    OpenAPIV31SpecValidator(documents[1]).validate()
    assert [document["openapi"] for document in documents] == ["3.0.3", "3.1.0"]
    expected = [name for table in (names.REQUESTS, names.RESPONSES) for name, of in table.items() if of == format]
    for document in documents:
        schemas = document["components"]["schemas"]
        assert schemas.keys() - set(references(document)) == {*expected, "ErrorBody"}
        assert set(references(document)) <= schemas.keys()
    assert documents[0]["components"]["schemas"].keys() == documents[1]["components"]["schemas"].keys()


@pytest.mark.parametrize("format", FORMATS)
def test_the_components_are_those_of_an_application(format: il.FormatName) -> None:
    def handler(body: Any) -> Any:
        return body

    handler.__annotations__ = {"body": body_of(format)}
    app = FastAPI()
    app.post("/")(handler)
    components = app.openapi()["components"]["schemas"]
    del components["HTTPValidationError"], components["ValidationError"]
    documented = il.openapi(format)["components"]["schemas"]
    assert components == {name: documented[name] for name in components}


def schema_of(format: il.FormatName, version: Literal["3.0", "3.1"], name: str) -> Any:
    document = il.openapi(format, version)
    return {"$ref": f"#/components/schemas/{name}", "components": document["components"]}


def verdicts(format: il.FormatName, name: str, values: list[Any]) -> list[bool]:
    """What the component of each version says of the values, which must be the same."""
    old = OAS30Validator(schema_of(format, "3.0", name))
    new = jsonschema_rs.validator_for(schema_of(format, "3.1", name))
    said = [new.is_valid(value) for value in values]
    assert [not list(old.iter_errors(value)) for value in values] == said  # pyright: ignore[reportUnknownMemberType] -- untyped
    return said


@pytest.mark.parametrize("format", WRONG)
def test_both_versions_say_the_same_of_requests(format: Any) -> None:
    [name] = [name for name, of in names.REQUESTS.items() if of == format]
    right = [case.read("request") for case in cases("request") if case.format == format and str(case) not in ROLES]
    assert all(verdicts(format, name, right + [NEW[each] for each in NEW if each == format]))
    wrong = [wire for wire, place in WRONG[format] if not {"usr", "tool", "assistant"} & {str(place[-1])}]
    assert not all(verdicts(format, name, wrong))


@pytest.mark.parametrize("format", sorted({case.format for case in cases("response")} - set(HAS_BYTES)))
def test_both_versions_say_the_same_of_responses(format: Any) -> None:
    [name] = [name for name, of in names.RESPONSES.items() if of == format]
    assert all(verdicts(format, name, [case.read("response") for case in cases("response") if case.format == format]))


def test_the_error_is_that_of_error_body() -> None:
    schema = il.openapi("anthropic")["components"]["schemas"]["ErrorBody"]
    with pytest.raises(il.InvalidPayload) as caught:
        il.load({"messages": [{"role": "user", "content": 7}] * 300}, "anthropic")
    body = il.error_body(caught.value)
    assert body["more"] > 0
    assert jsonschema_rs.is_valid(schema, body)
    interlingua.fastapi.ErrorBody.model_validate(body)
    assert schema["properties"].keys() == interlingua.fastapi.ErrorBody.model_fields.keys()


def test_what_has_no_document() -> None:
    with pytest.raises(il.UnknownFormat, match="JSON"):
        il.openapi("bedrock_boto3")
    version: Any = "2.0"
    with pytest.raises(ValueError, match=r"3\.0"):
        il.openapi("anthropic", version)


def test_a_document_is_the_callers_own() -> None:
    il.openapi("anthropic")["components"]["schemas"]["ErrorBody"]["properties"].clear()
    assert il.openapi("anthropic")["components"]["schemas"]["ErrorBody"]["properties"]
