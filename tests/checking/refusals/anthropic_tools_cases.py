"""A refused body and a near miss for each rule about tools, structured answers and fields of Anthropic's shape."""

from typing import Any

from checking.refusals.cases import Case

ASK = {"role": "user", "content": "What is 2 + 2?"}
NUMBER = {"type": "number"}
ADDING = {"type": "object", "properties": {"a": NUMBER, "b": NUMBER}, "required": ["a", "b"], "additionalProperties": False}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}


def tool(name: str = "add", schema: Any = ADDING, **fields: Any) -> dict[str, Any]:
    return {"name": name, "input_schema": schema, **fields}


def body(*tools: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 4096, "messages": [ASK], "tools": [*(tools or [tool()])], **fields}


def having(schema: Any, **fields: Any) -> dict[str, Any]:
    """A body whose tool has a property of a schema."""
    return body(tool(schema={**ADDING, "properties": {"a": schema}, "required": []}, **fields))


def answering(schema: Any) -> dict[str, Any]:
    return body(output_config={"format": {"type": "json_schema", "schema": schema}})


def choosing(**choice: Any) -> dict[str, Any]:
    return body(SEARCH, tool_choice=choice)


def numbered(count: int) -> dict[str, Any]:
    return body(*(tool(f"add{number}", strict=True) for number in range(count)))


def case(code: str, refused: Any, path: str, accepted: Any) -> Case:
    return Case("anthropic", code, refused, path, accepted)


def message(**fields: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 4096, "messages": [{**ASK, **fields}]}


ROOT = "/tools/0/input_schema"
A = f"{ROOT}/properties/a"

CASES = [
    case("tool-name-pattern", body(tool("math.add")), "/tools/0/name", body(tool("a" * 128))),
    case("tool-name-pattern", body(SEARCH, tool("a" * 129)), "/tools/1/name", body(SEARCH, tool("math-add_2"))),
    case("tool-name-duplicate", body(SEARCH, tool("web_search")), "/tools/1/name", body(SEARCH, tool("search"))),
    case("schema-root-not-object", body(tool(schema={"properties": {}})), ROOT, body(tool(schema={"type": "object"}))),
    case("schema-root-combinator", body(tool(schema={**ADDING, "oneOf": [{}]})), f"{ROOT}/oneOf", having({"oneOf": [{}]})),
    case(
        "schema-invalid",
        having({"type": "number", "exclusiveMinimum": True}),
        f"{A}/exclusiveMinimum",
        having({"type": "number", "exclusiveMinimum": 0, "x-unit": 3}),
    ),
    case("schema-invalid", having({"items": [NUMBER]}), f"{A}/items", having({"prefixItems": [NUMBER]})),
    case(
        "strict-additional-properties",
        answering({"type": "object", "properties": {"a": NUMBER}}),
        "/output_config/format/schema",
        body(tool(schema={"type": "object", "properties": {"a": NUMBER}})),
    ),
    case(
        "strict-additional-properties",
        having({"type": "object", "properties": {}}, strict=True),
        A,
        having({"type": "object", "properties": {}, "additionalProperties": False}, strict=True),
    ),
    case(
        "strict-schema-keyword", having({"type": "number", "minimum": 0}, strict=True), f"{A}/minimum", having({"minimum": 0})
    ),
    case("strict-tools-too-many", numbered(21), "/tools", numbered(20)),
    case(
        "tool-choice-unknown", choosing(type="tool", name="add"), "/tool_choice/name", choosing(type="tool", name="web_search")
    ),
    case(
        "tool-choice-unknown",
        {**choosing(type="tool", name="sub"), "mcp_servers": []},
        "/tool_choice/name",
        {**choosing(type="tool", name="sub"), "mcp_servers": [{"type": "url", "name": "math", "url": "https://a.b"}]},
    ),
    case(
        "tool-choice-without-tools",
        {**message(), "tools": [], "tool_choice": {"type": "any"}},
        "/tool_choice",
        {**message(), "tool_choice": None},
    ),
    case("tool-choice-without-tools", {**message(), "tool_choice": {"type": "auto"}}, "/tool_choice", choosing(type="auto")),
    case("unknown-field", body(response_format={"type": "text"}), "/response_format", body(context_management={})),
    case("unknown-field", message(tool_calls=[]), "/messages/0/tool_calls", message(cache_control={"type": "ephemeral"})),
    case("unknown-field", message(reasoning_content="4", name="n"), "/messages/0/name", message()),
    case("field-misspelt", body(systm="Add."), "/systm", body(system="Add.")),
    case("field-misspelt", message(roel="user"), "/messages/0/roel", message()),
    case("field-misspelt", body(tool(descriptoin="Adds.")), "/tools/0/descriptoin", body(tool(description="Adds."))),
]
