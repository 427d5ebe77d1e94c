"""A function without `strict`: Responses makes it strict where its schema can be, and no other format does."""

from typing import Any

import pytest

import interlingua as il
from interlingua.codec.schemas.adapting import adapt
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


# The totals of Claude


CLAUDE: list[il.FormatName] = ["anthropic", "anthropic_bedrock", "bedrock_converse"]


def _nullable(count: int) -> dict[str, Any]:
    return _closed({f"p{number}": {"type": ["string", "null"]} for number in range(count)}, required=count)


def _optional(count: int) -> dict[str, Any]:
    return _closed({f"p{number}": {"type": "string"} for number in range(count)}, required=0)


def _closed(properties: dict[str, Any], *, required: int) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties][:required], "additionalProperties": False}


def _asked(schemas: list[dict[str, Any] | None], answer: dict[str, Any] | None = None) -> il.Request:
    tools = [il.Tool(name=f"f{number}", strict=True, parameters=schema) for number, schema in enumerate(schemas)]
    form = None if answer is None else il.ResponseFormat(type="json_schema", json_schema=answer)
    return il.Request(messages=[il.UserMessage(content="Go.")], max_tokens=9, tools=tools, response_format=form)


def _strict_of(body: Any) -> list[bool]:
    tools = body["toolConfig"]["tools"] if "toolConfig" in body else body["tools"]
    return [tool.get("toolSpec", tool).get("strict", False) for tool in tools]


def _unstrict(body: Any, target: il.FormatName) -> set[str]:
    return {each.code for each in il.check(body, target) if each.code.startswith("strict-")}


TOTALS: list[tuple[list[dict[str, Any] | None], dict[str, Any] | None, list[int]]] = [
    ([_nullable(5)] * 5, None, [3, 4]),
    ([_nullable(4)] * 4, None, []),
    ([_optional(6)] * 4, None, []),
    ([_optional(6)] * 5, None, [4]),
    ([_closed({}, required=0)] * 20, None, []),
    ([_closed({}, required=0)] * 22, None, [20, 21]),
    ([None] * 21, None, [20]),
    ([_nullable(12), _nullable(5), _nullable(4)], None, [1]),
    ([_nullable(4)] * 4, _nullable(4), [3]),
    ([_optional(1), _closed({}, required=0)], _optional(24), [0]),
]
"""The schemas of strict tools, that of an answer, which cannot be without it, and the tools that are no longer strict."""


@pytest.mark.parametrize("target", CLAUDE)
@pytest.mark.parametrize(("schemas", "answer", "given_up"), TOTALS)
def test_tools_are_strict_as_long_as_the_totals_of_a_request_allow(
    target: il.FormatName, schemas: list[dict[str, Any] | None], answer: dict[str, Any] | None, given_up: list[int]
) -> None:
    losses: list[il.Loss] = []
    body: Any = il.dump(_asked(schemas, answer), target, on_loss=losses.append)
    assert [number for number, strict in enumerate(_strict_of(body)) if not strict] == given_up
    assert [(loss.kind, loss.path) for loss in losses if "`strict`" in loss.detail or loss.path.endswith("/strict")] == [
        (kind, f"/tools/{number}/{field}")
        for number in given_up
        for kind, field in (("changed", "parameters"), ("dropped", "strict"))
        if field == "strict" or schemas[number] is not None
    ]
    assert _unstrict(body, target) <= {"strict-schema-too-complex"}
    again: list[il.Loss] = []
    assert il.dump(il.load(body, target), target, on_loss=again.append) == body
    assert again == []


@pytest.mark.parametrize("target", CLAUDE)
def test_a_conversion_keeps_to_the_totals_as_a_dump_does(target: il.FormatName) -> None:
    functions = [{"name": f"f{number}", "strict": True, "parameters": _nullable(5)} for number in range(5)]
    tools = [{"type": "function", "function": each} for each in functions]
    asked = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "max_tokens": 9, "tools": tools}
    found = il.convert(asked, source="openai_chat", target=target)
    assert _strict_of(found.payload) == [True, True, True, False, False]
    assert found.payload == il.dump(il.load(asked, "openai_chat"), target, on_loss="ignore")


def _alternatives(count: int) -> dict[str, Any]:
    """An object whose properties are optional, because each alternative has others."""
    return {
        "type": "object",
        "anyOf": [_closed({f"{key}{i}": {"type": "string"} for i in range(count)}, required=count) for key in "ab"],
    }


@pytest.mark.parametrize(
    "schema",
    [
        _alternatives(8),
        _closed({f"p{i}": {"type": "string", "oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]} for i in range(10)}, required=10),
    ],
)
def test_schemas_that_grow_when_they_are_adapted_are_counted_as_they_are_sent(schema: dict[str, Any]) -> None:
    body: Any = il.dump(_asked([schema, schema]), "anthropic", on_loss="ignore")
    assert _strict_of(body) == [True, False]


def test_the_tools_of_a_group_are_counted_too() -> None:
    functions = [
        {"type": "function", "name": f"f{i}", "parameters": _closed({}, required=0), "strict": True} for i in range(21)
    ]
    group = {"type": "namespace", "name": "ns", "description": "d", "tools": functions}
    asked = {"model": "m", "input": "Go.", "max_output_tokens": 20, "tools": [group]}
    found = il.convert(asked, source="openai_responses", target="anthropic")
    assert _strict_of(found.payload) == [True] * 20 + [False]


def test_a_tool_that_is_not_strict_takes_nothing_of_the_totals() -> None:
    tools = [il.Tool(name=f"f{number}", strict=number % 2 == 0, parameters=_nullable(8)) for number in range(4)]
    body: Any = il.dump(_asked([]).model_copy(update={"tools": tools}), "anthropic", on_loss="ignore")
    assert _strict_of(body) == [True, False, True, False]


def test_what_a_strict_tool_would_have_lost_is_kept_where_strict_is_given_up() -> None:
    bounded = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"type": ["string", "null"]}}}
    losses: list[il.Loss] = []
    body: Any = il.dump(_asked([_nullable(15), _nullable(1), bounded]), "anthropic", on_loss=losses.append)
    assert _strict_of(body) == [True, True, False]
    assert body["tools"][2]["input_schema"] == bounded
    assert [loss.path for loss in losses] == ["/tools/2/parameters", "/tools/2/strict"]


def test_a_dump_does_not_count_the_tools_of_another() -> None:
    for _ in range(2):
        body: Any = il.dump(_asked([_nullable(8)] * 2), "anthropic", on_loss="raise")
        assert _strict_of(body) == [True, True]


@pytest.mark.parametrize(("source", "target"), [("anthropic", "anthropic_bedrock"), ("anthropic", "anthropic")])
def test_the_tools_of_a_host_of_claude_stay_as_they_are(source: il.FormatName, target: il.FormatName) -> None:
    tools = [{"name": f"f{number}", "strict": True, "input_schema": _nullable(5)} for number in range(5)]
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Go."}], "tools": tools}
    body: Any = il.convert(asked, source=source, target=target).payload
    assert body["tools"] == tools
    assert _unstrict(body, target) == {"strict-schema-too-large"}


def test_a_schema_of_an_answer_that_need_not_be_strict_is_not_strict_at_responses() -> None:
    """The server makes it strict where the request does not say, and refuses optional properties then."""
    schema = {"type": "object", "properties": {"note": {"type": "string"}}, "additionalProperties": False}
    form = {"type": "json_schema", "schema": schema}
    body = {"messages": [{"role": "user", "content": "Hi"}], "output_config": {"format": form}}
    sent: Any = il.convert(body, source="anthropic", target="openai_responses").payload
    assert sent["text"]["format"] == form | {"name": "response", "strict": False}
    home = {"input": "Hi", "text": {"format": form | {"name": "n"}}}
    assert il.dump(il.load(home, "openai_responses"), "openai_responses") == home
