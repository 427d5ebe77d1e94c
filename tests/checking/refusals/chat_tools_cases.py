"""A refused body and a near miss for each rule about tools, structured answers and fields of Chat's shape."""

from typing import Any

import interlingua as il
from checking.refusals.cases import Case

ASK = {"role": "user", "content": "What is 2 + 2?"}
NUMBER = {"type": "number"}
ADDING = {"type": "object", "properties": {"a": NUMBER, "b": NUMBER}, "required": ["a", "b"], "additionalProperties": False}


def tool(name: str = "add", /, **fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": ADDING, **fields}}


def body(*tools: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [ASK], "tools": [*(tools or [tool()])], **fields}


def with_schema(**fields: Any) -> dict[str, Any]:
    """A body whose tool has a schema with other fields; None leaves one out."""
    schema = {key: value for key, value in {**ADDING, **fields}.items() if value is not None}
    return body(tool(parameters=schema))


def with_property(schema: Any, *, strict: bool = False) -> dict[str, Any]:
    return body(tool(parameters={**ADDING, "properties": {"a": schema}, "required": ["a"]}, strict=strict))


def strictly(**fields: Any) -> dict[str, Any]:
    return body(tool(parameters={**ADDING, **fields}, strict=True))


def answering(format: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [ASK], "response_format": format}


def choosing(choice: Any) -> dict[str, Any]:
    return body(tool_choice=choice)


def calling(name: str) -> dict[str, Any]:
    call = {"id": "a", "type": "function", "function": {"name": name, "arguments": "{}"}}
    answer = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {**body(), "messages": [ASK, answer, {"role": "tool", "tool_call_id": "a", "content": "4"}]}


def case(code: str, refused: Any, path: str, accepted: Any, format: il.FormatName = "openai_chat") -> Case:
    return Case(format, code, refused, path, accepted)


def chosen(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


ROOT = "/tools/0/function/parameters"
A = f"{ROOT}/properties/a"

CASES = [
    case("tool-name-pattern", body(tool("math.add")), "/tools/0/function/name", body(tool("math_add-2"))),
    case("tool-name-pattern", body(tool(), tool("")), "/tools/1/function/name", body(tool(), tool("a"))),
    case(
        "tool-name-pattern",
        body(*[tool()] * 2, tool("a" * 129)),
        "/tools/2/function/name",
        body(*[tool()] * 2, tool("a" * 128)),
    ),
    case("tool-name-pattern", calling("math add"), "/messages/1/tool_calls/0/function/name", calling("math-add")),
    case("tool-name-too-long", body(tool("a" * 65)), "/tools/0/function/name", body(tool("a" * 64))),
    case("tool-choice-unknown", choosing(chosen("sub")), "/tool_choice/function/name", choosing(chosen("add"))),
    case(
        "tool-choice-unknown",
        choosing({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [chosen("add"), chosen("sub")]}}),
        "/tool_choice/allowed_tools/tools/1/function/name",
        choosing({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [chosen("add")]}}),
    ),
    case(
        "tool-choice-without-tools",
        {"messages": [ASK], "tool_choice": "auto"},
        "/tool_choice",
        {"messages": [ASK], "tool_choice": None},
    ),
    case(
        "tool-choice-without-tools",
        {"messages": [ASK], "parallel_tool_calls": False},
        "/parallel_tool_calls",
        body(parallel_tool_calls=False),
    ),
    case("schema-root-not-object", body(tool(parameters={})), ROOT, body({"type": "function", "function": {"name": "add"}})),
    case("schema-root-not-object", body(tool(), tool(parameters=NUMBER)), "/tools/1/function/parameters", body(tool(), tool())),
    case(
        "schema-root-not-object",
        answering({"type": "json_schema", "json_schema": {"name": "n", "strict": True, "schema": {"type": "string"}}}),
        "/response_format/json_schema/schema",
        answering({"type": "json_schema", "json_schema": {"name": "n", "strict": True, "schema": ADDING}}),
    ),
    case("schema-root-combinator", with_schema(anyOf=[{}]), f"{ROOT}/anyOf", with_property({"anyOf": [{}]})),
    case("array-items-missing", with_property({"type": "array"}), A, with_property({"type": "array", "items": NUMBER})),
    case(
        "array-items-missing",
        with_property({"anyOf": [{"type": ["array", "null"]}]}),
        f"{A}/anyOf/0",
        with_property({"anyOf": [{"type": ["string", "null"]}]}),
    ),
    case("schema-invalid", with_property("number"), f"{ROOT}/properties", with_property(True)),
    case("schema-invalid", with_schema(required="a"), f"{ROOT}/required", with_schema(required=[])),
    case("schema-invalid", with_property({"type": "dict"}), f"{A}/type", with_property({"type": "object", "properties": {}})),
    case(
        "schema-invalid", with_property({"items": [3]}), f"{A}/items", with_property({"items": [{}], "exclusiveMinimum": True})
    ),
    case("strict-additional-properties", strictly(additionalProperties=True), ROOT, with_schema(additionalProperties=True)),
    case(
        "strict-additional-properties",
        with_property({"type": "object", "properties": {}}, strict=True),
        A,
        with_property({"type": "object", "properties": {}, "additionalProperties": False}, strict=True),
    ),
    case("strict-required-all", strictly(required=["a"]), ROOT, with_schema(required=["a"])),
    case(
        "strict-schema-keyword",
        with_property({"oneOf": [NUMBER]}, strict=True),
        f"{A}/oneOf",
        with_property({"anyOf": [NUMBER]}, strict=True),
    ),
    case(
        "strict-ref-siblings",
        with_property({"$ref": "#", "description": "d"}, strict=True),
        A,
        with_property({"$ref": "#"}, strict=True),
    ),
    case("object-schema-missing-properties", with_schema(properties=None, required=None), ROOT, with_schema(properties={})),
    case("tools-too-many", body(*map(tool, map(str, range(129)))), "/tools", body(*map(tool, map(str, range(128))))),
    case("tool-shape-wrong", body({"name": "add", "parameters": ADDING}), "/tools/0", body({"function": tool()["function"]})),
    case(
        "tool-shape-wrong",
        body(tool(), {"type": None, "name": "add"}),
        "/tools/1",
        body({**tool(), "name": "add"}, {"type": "web_search", "name": "search"}, {"type": "custom", "custom": {"name": "c"}}),
    ),
    case(
        "tool-calls-empty",
        {"messages": [ASK, {"role": "assistant", "content": "4", "tool_calls": []}]},
        "/messages/1/tool_calls",
        {"messages": [ASK, {"role": "assistant", "content": "4", "tool_calls": None}]},
    ),
    case("empty-tools-array", {"messages": [ASK], "tools": []}, "/tools", {"messages": [ASK], "tools": None}, "deepseek"),
    case(
        "response-format-shape",
        answering(ADDING),
        "/response_format/type",
        answering({"type": "json_schema", "json_schema": {"name": "n", "schema": ADDING}}),
    ),
    case("response-format-shape", answering("text"), "/response_format", answering({"type": "text"})),
    case(
        "json-schema-unavailable",
        answering({"type": "json_schema", "json_schema": {"name": "n", "schema": ADDING}}),
        "/response_format/type",
        answering({"type": "text"}),
        "deepseek",
    ),
    case("tool-name-duplicate", body(tool(), tool()), "/tools/1/function/name", body(tool(), tool("sub")), "deepseek"),
    case("array-items-missing", with_property({"type": "array"}), A, with_schema(), "gemini_openai"),
    case("schema-required-undefined", with_schema(required=["c"]), f"{ROOT}/required/0", with_schema(), "gemini_openai"),
    case(
        "object-properties-empty",
        with_property({"type": "object"}),
        A,
        with_schema(properties={}, required=[]),
        "gemini_openai",
    ),
    case("field-misspelt", body(temprature=1), "/temprature", body(temperature=1, top_k=1, top_a=1, models=["m"])),
    case(
        "field-misspelt",
        {"messages": [{**ASK, "nmae": "n"}]},
        "/messages/0/nmae",
        {"messages": [{**ASK, "name": "n", "extra_content": {}}]},
    ),
    case("field-misspelt", body(tool(stirct=True)), "/tools/0/function/stirct", body(tool(strict=True))),
]
