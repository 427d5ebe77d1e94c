"""Laws of schemas in the subset of OpenAPI that older models of Gemini take, and what becomes of them in a dump."""

import json
from copy import deepcopy
from typing import Any

import pytest
from google.genai import types
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.codec.rules.view import OutputSchema, SchemaView, ToolDefinition
from interlingua.formats import gemini
from interlingua.testing.lawbook import share
from schemas.test_adapting import DOCUMENTS, PURPOSES, SIMPLE, accepts, schemas

OLDER = gemini.format_for(il.GeminiProfile(openapi_schemas=True), "gemini_older")
CALL = gemini.format_for(il.GeminiProfile(openapi_schemas=True, as_call=True), "genai_older")
DRAWN = st.one_of(schemas(), SIMPLE)


def is_taken(schema: dict[str, Any]) -> None:
    """Raise what google-genai raises for a schema, whose model forbids unknown fields."""
    assert types.Schema.model_config.get("extra") == "forbid"
    types.Schema.model_validate(schema)


def problems(schema: dict[str, Any], purpose: str) -> list[tuple[str, str]]:
    """What `check` finds in a schema of Google's dialect."""
    assert OLDER.rules is not None
    tools = [ToolDefinition("", "f", "", schema, "", True, {})] if purpose == "tool" else []
    outputs = [OutputSchema(schema, "", True)] if purpose == "response" else []
    seen = SchemaView({}, tools, outputs)
    return [(rule.code, at) for rule, find in OLDER.rules(OLDER).about_schemas for at, _ in find(seen)]


def as_json_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """What a schema of OpenAPI means in JSON Schema."""
    out = {key: value for key, value in schema.items() if key != "nullable"}
    if "type" in out:
        out["type"] = out["type"].lower()
    if "items" in out:
        out["items"] = as_json_schema(out["items"])
    if "anyOf" in out:
        out["anyOf"] = [as_json_schema(each) for each in out["anyOf"]]
    if "properties" in out:
        out["properties"] = {name: as_json_schema(each) for name, each in out["properties"].items()}
    return {"anyOf": [out, {"type": "null"}]} if schema.get("nullable") else out


@pytest.mark.parametrize("target", [OLDER, CALL], ids=["rest", "call"])
@pytest.mark.parametrize("purpose", PURPOSES)
@given(schema=DRAWN)
def test_what_is_adapted_is_taken_and_not_changed_again(target: Any, purpose: Any, schema: Any) -> None:
    before = deepcopy(schema)
    made = il.adapt_schema(schema, target, purpose)
    assert schema == before
    assert problems(made.schema, purpose) == []
    is_taken(made.schema)
    assert il.adapt_schema(made.schema, target, purpose) == (made.schema, (), False)
    assert all(exists(schema, loss.path) for loss in made.losses), made.losses
    assert len({*made.losses}) == len(made.losses)


def exists(schema: Any, pointer: str) -> bool:
    """Whether a pointer leads somewhere."""
    value: Any = schema
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        inside = value if value.__class__ is dict else {str(i): each for i, each in enumerate(value)}
        if name not in inside:
            return False
        value = inside[name]
    return True


@pytest.mark.parametrize("purpose", PURPOSES)
@given(schema=DRAWN, documents=st.lists(DOCUMENTS, min_size=1, max_size=8))
def test_what_only_one_of_the_schemas_accepts_is_a_loss(purpose: Any, schema: Any, documents: list[Any]) -> None:
    made = il.adapt_schema(schema, OLDER, purpose)
    for document in documents:
        before, after = accepts(schema, document), accepts(as_json_schema(made.schema), document)
        if before is False and after:
            assert {loss.kind for loss in made.losses} & {"changed", "dropped"}, (made, document)
        if before and after is False:
            assert made.losses, (made, document)
    share.judged(not made.losses, least=0.05, of=f"without loss, {purpose}")


@pytest.mark.parametrize(
    ("schema", "expected", "losses"),
    [
        ({"const": "a"}, {"type": "STRING", "enum": ["a"]}, []),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "STRING", "enum": ["a"], "nullable": True}, []),
        ({"type": ["string", "array"], "maxLength": 3}, None, []),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "INTEGER", "nullable": True}, []),
        (
            {"allOf": [{"type": "number", "minimum": 1}, {"type": "integer", "minimum": 2}]},
            {"type": "INTEGER", "minimum": 2},
            [],
        ),
        ({"$ref": "#/$defs/leaf", "description": "Of it."}, {"type": "BOOLEAN", "description": "Of it."}, []),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer", "description": "A."}], "description": "Both.", "title": "T"},
            {
                "anyOf": [
                    {"type": "STRING", "description": "Both.", "title": "T"},
                    {"type": "INTEGER", "description": "A.\n\nBoth.", "title": "T"},
                ]
            },
            [],
        ),
        ({"type": "string", "format": "uri"}, {"type": "STRING", "description": "{format: uri}"}, ["format"]),
        (
            {"type": "integer", "exclusiveMinimum": 0},
            {"type": "INTEGER", "description": "{exclusiveMinimum: 0}"},
            ["exclusiveMinimum"],
        ),
        ({"type": "integer", "enum": [1, 2]}, {"type": "INTEGER", "description": "{enum: [1, 2]}"}, ["enum"]),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}},
                "allOf": [{"required": ["a"]}, {"required": ["b"]}],
            },
            {
                "type": "OBJECT",
                "properties": {"a": {"type": "BOOLEAN"}, "b": {"type": "BOOLEAN"}},
                "required": ["a", "b"],
            },
            [],
        ),
        (
            {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/none"}]},
            {"type": "STRING", "nullable": True},
            [],
        ),
        ({"type": "object", "additionalProperties": True}, {"type": "OBJECT"}, []),
        ({"type": "object", "patternProperties": {"^a": {}}}, {"type": "OBJECT"}, ["patternProperties"]),
        ({"type": "string", "if": {}, "then": {"minLength": 1}}, {"type": "STRING"}, ["if", "then"]),
        ({"type": "string", "$comment": "x", "x-own": 1}, {"type": "STRING"}, ["$comment", "x-own"]),
    ],
)
def test_a_keyword_becomes_what_the_subset_has(schema: Any, expected: Any, losses: list[str]) -> None:
    whole = {"type": "object", "properties": {"p": schema}, "$defs": {"leaf": {"type": "boolean"}, "none": {"type": "null"}}}
    made = il.adapt_schema(whole, OLDER)
    if expected is None:
        expected = {"anyOf": [{"type": "STRING", "maxLength": 3}, {"type": "ARRAY", "items": {"type": "STRING"}}]}
        assert [loss.path for loss in made.losses] == ["/properties/p"]
    else:
        about = {loss.path.removeprefix("/properties/p/") for loss in made.losses} - {"/properties/p"}
        assert about == {*losses}
    assert made.schema == {"type": "OBJECT", "properties": {"p": expected}}


def test_the_schema_of_a_tool_does_not_take_null() -> None:
    made = il.adapt_schema({"anyOf": [{"type": "object"}, {"type": "null"}]}, OLDER)
    assert made.schema == {"type": "OBJECT"}
    assert [(loss.path, loss.kind) for loss in made.losses] == [("", "changed")]
    answer = il.adapt_schema({"anyOf": [{"type": "object"}, {"type": "null"}]}, OLDER, "response")
    assert answer == ({"type": "OBJECT", "nullable": True}, (), False)


def test_a_schema_that_repeats_itself_ends_and_says_where() -> None:
    node = {
        "type": "object",
        "description": "A node.",
        "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}},
    }
    made = il.adapt_schema(
        {"type": "object", "properties": {"first": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}, OLDER
    )
    inner = {"type": "OBJECT", "description": "A node."}
    assert made.schema["properties"]["first"]["properties"] == {"next": inner, "n": {"type": "INTEGER"}}
    assert [(loss.path, loss.kind) for loss in made.losses] == [("/$defs/node/properties/next/$ref", "dropped")]


def _doubling(n: int) -> dict[str, Any]:
    defs: dict[str, Any] = {f"d{i}": {"properties": {key: {"$ref": f"#/$defs/d{i + 1}"} for key in "pq"}} for i in range(n)}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, f"d{n}": {"type": "string"}}}


def _each_of_each(n: int) -> dict[str, Any]:
    refs = {f"p{i}": {"$ref": f"#/$defs/d{i}"} for i in range(n)}
    return {"type": "object", "properties": refs, "$defs": {f"d{i}": {"type": "object", "properties": refs} for i in range(n)}}


def _long_and_often(n: int) -> dict[str, Any]:
    long = {"type": "object", "description": "x" * 100 * n, "properties": {f"q{i}": {"const": i} for i in range(n)}}
    return {"type": "object", "properties": {f"p{i}": {"$ref": "#/$defs/d"} for i in range(n)}, "$defs": {"d": long}}


def _beside_many(n: int) -> dict[str, Any]:
    beside = {f"q{i}": {"type": "string"} for i in range(n)}
    return {"type": "object", "properties": {"a": {"anyOf": [{"minimum": i} for i in range(n)], "properties": beside}}}


@pytest.mark.parametrize("make", [_doubling, _each_of_each, _long_and_often, _beside_many])
def test_what_is_written_more_than_once_is_bounded(make: Any) -> None:
    schema = make(60 if make is _each_of_each else 600)
    made = il.adapt_schema(schema, OLDER)
    assert len(json.dumps(made.schema)) < 5 * len(json.dumps(schema)) + 1_000_000
    assert any("too large" in loss.detail for loss in made.losses)
    is_taken(made.schema)


# Dumps

PLAIN = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}
ASKED = il.Request(
    messages=[il.UserMessage(content="Go.")],
    tools=[il.Tool(name="f", parameters=PLAIN)],
    response_format=il.ResponseFormat(type="json_schema", json_schema=PLAIN),
)
SENT = {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": True}}, "required": ["a"]}


def test_schemas_are_sent_in_the_fields_of_the_subset_and_read_again() -> None:
    body: Any = il.dump(ASKED, OLDER, on_loss="raise")
    assert body["tools"][0]["functionDeclarations"] == [{"name": "f", "parameters": SENT}]
    assert body["generationConfig"] == {"responseMimeType": "application/json", "responseSchema": SENT}
    call: Any = il.dump(ASKED.replace(model="m"), CALL, on_loss="raise")
    assert call["config"]["tools"][0]["function_declarations"] == [{"name": "f", "parameters": SENT}]
    assert call["config"]["response_schema"] == SENT
    types.GenerateContentConfig.model_validate(call["config"])
    for payload, target in ((body, OLDER), (call, CALL)):
        assert il.check(payload, target) == []
        request = il.load(payload, target)
        assert request.tools is not None
        assert request.response_format is not None
        assert [request.tools[0].to_dict()["parameters"], request.response_format["json_schema"]] == [PLAIN, PLAIN]
        assert il.dump(request, target, on_loss="raise") == payload


@given(schema=DRAWN)
def test_what_is_sent_comes_back_as_it_was_sent_and_is_no_fault(schema: Any) -> None:
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}]}
    tool = {"name": "f", "description": "d", "input_schema": schema}
    made: Any = il.convert({**body, "tools": [tool]}, source="anthropic", target=OLDER)
    assert not {each.code for each in il.check(made.payload, OLDER)} - {"object-properties-empty"}
    request = il.load(made.payload, OLDER)
    assert il.dump(request, OLDER, on_loss="raise") == made.payload
    again: Any = il.convert(il.dump(request, "anthropic", on_loss="ignore"), source="anthropic", target=OLDER)
    assert again.payload["tools"] == made.payload["tools"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "STRING", "nullable": True, "enum": ["a"]},
        {"type": "string", "nullable": True},
        {"type": 1, "nullable": True, "description": "d"},
        {"type": ["string", "null"]},
        {"type": ["STRING", "NULL"], "nullable": True},
        {"type": "STRING", "nullable": True, "enum": ["a", None]},
        {"type": "STRING", "nullable": False},
        {"type": "NULL", "nullable": True},
        {"anyOf": [{"type": "STRING"}, {"type": ["string", "null"]}, {"type": "string", "nullable": True}], "nullable": True},
        {"nullable": True},
    ],
)
def test_null_in_a_schema_at_home_is_exact(schema: Any) -> None:
    parameters = {"type": "OBJECT", "properties": {"a": schema, "b": {"type": "INTEGER", "nullable": True}}}
    declared = [{"name": "f", "parameters": parameters}]
    body = {"contents": [{"role": "user", "parts": [{"text": "q"}]}], "tools": [{"functionDeclarations": declared}]}
    assert il.dump(il.load(body, "gemini"), "gemini", on_loss="raise") == body
    sent: Any = il.convert(body, source="gemini", target="openai_chat").payload
    assert sent["tools"][0]["function"]["parameters"]["properties"]["b"] == {"type": ["integer", "null"]}
