"""A refused body and a near miss for each rule of Gemini."""

from typing import Any

from checking.refusals.cases import Case

USER = {"role": "user", "parts": [{"text": "What is 2 + 2?"}]}


def body(*contents: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"contents": [USER, *contents], **fields}


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def call(name: str = "add", signature: str | None = None, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"functionCall": {"name": name, "args": {}, **fields}}
    return made if signature is None else made | {"thoughtSignature": signature}


def results(*names: str, **fields: Any) -> dict[str, Any]:
    parts = [{"functionResponse": {"name": name, "response": {"result": 4}}} for name in names]
    return {"role": "user", "parts": parts, **fields}


def functions(schema: Any = None, key: str = "parameters", **fields: Any) -> dict[str, Any]:
    declared = {"name": "add", "description": "Adds"} | ({} if schema is None else {key: schema}) | fields
    return body(tools=[{"functionDeclarations": [declared]}])


def within(**node: Any) -> dict[str, Any]:
    """Parameters with one property."""
    return functions({"type": "object", "properties": {"a": node}})


def inline(mime: str, data: str = "aGk=") -> dict[str, Any]:
    return {"contents": [{"parts": [{"text": "What is it?"}, {"inlineData": {"mimeType": mime, "data": data}}]}]}


NODE = "/tools/0/functionDeclarations/0/parameters/properties/a"
SIGNATURE = "c2lnbmVk"


def case(code: str, refused: dict[str, Any], path: str, accepted: dict[str, Any]) -> Case:
    return Case("gemini", code, refused, path, accepted)


CASES = [
    case("no-messages", {"contents": [], "systemInstruction": USER}, "/contents", body()),
    case(
        "role-invalid",
        body({"role": "assistant", "parts": [{"text": "4"}]}),
        "/contents/1/role",
        {"contents": [{"parts": [{"text": "What is 2 + 2?"}]}]},
    ),
    case(
        "role-function",
        body(model(call()), results("add", role="function")),
        "/contents/2/role",
        body(model(call()), results("add")),
    ),
    case("empty-message", body({"role": "model", "parts": []}), "/contents/1", body(model({"text": "4"}))),
    case(
        "part-without-data",
        body(model({"text": "4"}, {"thought": True})),
        "/contents/1/parts/1",
        body(model({"text": "4"}, {"thought": True, "thoughtSignature": SIGNATURE})),
    ),
    case(
        "empty-text",
        body(model({"text": ""})),
        "/contents/1/parts/0/text",
        body(model({"text": "", "thoughtSignature": SIGNATURE})),
    ),
    case(
        "call-turn-misplaced",
        {"contents": [model(call()), results("add")]},
        "/contents/0",
        body(model({"text": "I add."}), model(call()), results("add")),
    ),
    case(
        "result-without-call",
        body(model(call()), results("add"), model({"text": "4"}), results("add")),
        "/contents/4/parts/0/functionResponse",
        body(model(call()), results("add"), model({"text": "4"})),
    ),
    case(
        "result-count-mismatch",
        body(model(call(), call("sub")), results("add")),
        "/contents/2",
        body(model(call(), call("sub")), results("sub"), results("add")),
    ),
    case(
        "result-count-mismatch",
        body(model(call()), USER),
        "/contents/1",
        body(model(call()), results("add"), USER),
    ),
    case(
        "shape",
        body(model(call()), {"role": "user", "parts": [{"functionResponse": {"name": "add", "response": [4]}}]}),
        "/contents/2/parts/0/functionResponse/response",
        body(model(call()), {"role": "user", "parts": [{"functionResponse": {"name": "add", "response": {"sums": [4]}}}]}),
    ),
    case(
        "tool-id-duplicate",
        body(model(call(id="a"), call(id="a")), results("add", "add")),
        "/contents/1/parts/1/functionCall/id",
        body(model(call(id="a")), results("add"), model(call(id="a")), results("add")),
    ),
    case(
        "result-with-other-content",
        body(model(call()), {"role": "user", "parts": [*results("add")["parts"], {"text": "Go on."}]}),
        "/contents/2/parts/1/text",
        body(model(call()), results("add"), model({"text": "4"}), USER),
    ),
    case(
        "thought-signature-missing",
        body(model(call(signature=SIGNATURE)), results("add"), model(call()), results("add")),
        "/contents/3/parts/0/functionCall",
        body(model(call(signature=SIGNATURE), call()), results("add", "add")),
    ),
    case(
        "reasoning-signature-invalid",
        body(model(call(signature="not base64!")), results("add")),
        "/contents/1/parts/0/functionCall",
        body(model(call(signature="_-8")), results("add")),
    ),
    case("media-type-unsupported", inline("image/jpg"), "/contents/0/parts/1/inlineData", inline("image/jpeg")),
    case(
        "media-data-invalid",
        inline("image/png", "data:image/png;base64,aGk="),
        "/contents/0/parts/1/inlineData",
        inline("image/png"),
    ),
    case(
        "thinking-level-and-budget",
        body(generationConfig={"thinkingConfig": {"thinkingBudget": 1024, "thinkingLevel": "LOW"}}),
        "/generationConfig/thinkingConfig",
        body(generation_config={"thinking_config": {"thinking_budget": 1024}}),
    ),
    case(
        "cached-content-conflict",
        functions() | {"cachedContent": "cachedContents/1"},
        "/tools",
        body(cachedContent="cachedContents/1", generationConfig={"temperature": 1}),
    ),
    case(
        "stop-sequences-too-many",
        body(generationConfig={"stopSequences": list("abcdef")}),
        "/generationConfig/stopSequences",
        body(generationConfig={"stopSequences": list("abcde")}),
    ),
    case(
        "number-out-of-range",
        body(generationConfig={"temperature": 2.1}),
        "/generationConfig/temperature",
        body(generationConfig={"temperature": 2, "topP": 0}),
    ),
    case(
        "field-misspelt",
        body(generationConfig={"temprature": 1}),
        "/generationConfig/temprature",
        body(generationConfig={"topP": 1, "top_k": 1, "anotherSetting": 1}),
    ),
    case(
        "native-and-function-tools",
        body(tools=[*functions()["tools"], {"googleSearch": {}}]),
        "/tools/1/googleSearch",
        body(tools=[*functions()["tools"], {"googleSearch": {}}], toolConfig={"includeServerSideToolInvocations": True}),
    ),
    case(
        "tool-choice-unknown",
        functions() | {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["sub"]}}},
        "/toolConfig/functionCallingConfig/allowedFunctionNames/0",
        functions() | {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["add"]}}},
    ),
    case(
        "tool-name-pattern",
        functions(name="2nd"),
        "/tools/0/functionDeclarations/0/name",
        functions(name="math.add:now"),
    ),
    case(
        "tool-name-duplicate",
        body(tools=[*functions()["tools"], *functions()["tools"]]),
        "/tools/1/functionDeclarations/0/name",
        body(tools=[*functions()["tools"], *functions(name="sub")["tools"]]),
    ),
    case(
        "schema-additional-properties",
        within(type="object", properties={"b": {"type": "string"}}, additionalProperties=False),
        f"{NODE}/additionalProperties",
        functions({"type": "object", "properties": {}, "additionalProperties": False}, "parametersJsonSchema"),
    ),
    case("schema-unknown-keyword", within(const="a"), f"{NODE}/const", within(type="string", enum=["a"])),
    case("schema-unknown-keyword", within(type=["string", "null"]), f"{NODE}/type", within(type="string", nullable=True)),
    case("array-items-missing", within(type="ARRAY"), NODE, within(type="ARRAY", items={})),
    case("schema-enum-not-string", within(type="string", enum=[1]), f"{NODE}/enum", within(type="string", enum=["1"])),
    case(
        "schema-required-undefined",
        functions({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}),
        "/tools/0/functionDeclarations/0/parameters/required/0",
        functions({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
    ),
    case(
        "schema-props-on-non-object",
        within(type="string", properties={"b": {"type": "string"}}),
        f"{NODE}/properties",
        within(type="object", properties={"b": {"type": "string"}}),
    ),
    case(
        "schema-root-not-object",
        functions({"type": "string"}),
        "/tools/0/functionDeclarations/0/parameters",
        functions({"type": "OBJECT", "properties": {}}),
    ),
    case("schema-type-missing", within(description="a number"), NODE, within(anyOf=[{"type": "string"}])),
    case("object-properties-empty", within(type="object"), NODE, functions({"type": "object", "properties": {}})),
    case(
        "schema-anyof-alongside",
        within(anyOf=[{"type": "string"}], description="a"),
        f"{NODE}/anyOf",
        within(anyOf=[{"type": "string", "description": "a"}]),
    ),
    Case(
        "google_genai",
        "tool-name-duplicate",
        {"contents": "Hi", "config": {"tools": [{"function_declarations": [{"name": "a"}, {"name": "a"}]}]}},
        "/config/tools/0/function_declarations/1/name",
        {"contents": ["Hi"], "config": {"tools": [{"function_declarations": [{"name": "a"}, {"name": "b"}]}]}},
    ),
]
