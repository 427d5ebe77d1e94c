"""A refused body and a near miss for each rule about tools, structured answers and fields of Converse."""

from typing import Any

from checking.refusals.cases import Case

ASK = {"role": "user", "content": [{"text": "What is 2 + 2?"}]}
NUMBER = {"type": "number"}
ADDING = {"type": "object", "properties": {"a": NUMBER}, "additionalProperties": False}


def tool(name: str = "add", schema: Any = ADDING, **fields: Any) -> dict[str, Any]:
    return {"toolSpec": {"name": name, "inputSchema": {"json": schema}, **fields}}


def body(*tools: dict[str, Any], **config: Any) -> dict[str, Any]:
    return {"messages": [ASK], "toolConfig": {"tools": [*(tools or [tool()])], **config}}


def having(schema: Any, **fields: Any) -> dict[str, Any]:
    """A body whose tool has a property of a schema."""
    return body(tool(schema={**ADDING, "properties": {"a": schema}}, **fields))


def choosing(name: str) -> dict[str, Any]:
    return body(toolChoice={"tool": {"name": name}})


def case(code: str, refused: Any, path: str, accepted: Any) -> Case:
    return Case("bedrock_converse", code, refused, path, accepted)


ROOT = "/toolConfig/tools/0/toolSpec"
A = f"{ROOT}/inputSchema/json/properties/a"
FREE: dict[str, Any] = {"type": "object", "properties": {}}

CASES = [
    case("tool-name-pattern", body(tool("a" * 65)), f"{ROOT}/name", body(tool("a" * 64))),
    case("schema-root-not-object", body(tool(schema={})), f"{ROOT}/inputSchema/json", body(tool(schema={"type": "object"}))),
    case("empty-tools-array", {"messages": [ASK], "toolConfig": {"tools": []}}, "/toolConfig/tools", {"messages": [ASK]}),
    case("tool-description-empty", body(tool(description="")), f"{ROOT}/description", body(tool(description="Adds."))),
    case("tool-choice-unknown", choosing("sub"), "/toolConfig/toolChoice/tool/name", choosing("add")),
    case("strict-schema-keyword", having({"minimum": 0}, strict=True), f"{A}/minimum", having({"minLength": 1}, strict=True)),
    case("strict-additional-properties", having(FREE, strict=True), A, having(FREE)),
    case("field-misspelt", {**body(), "inferenceConfg": {}}, "/inferenceConfg", {**body(), "inferenceConfig": {}}),
    case(
        "field-misspelt",
        {**body(), "inferenceConfig": {"maxToken": 1}},
        "/inferenceConfig/maxToken",
        {**body(), "inferenceConfig": {"maxTokens": 1}},
    ),
    case("field-misspelt", body(tool(decription="Adds.")), f"{ROOT}/decription", body(tool(description="Adds."))),
]
