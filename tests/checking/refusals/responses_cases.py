"""A refused body and a near miss for each rule of the Responses API."""

from typing import Any

from checking.refusals.cases import Case

ASK = {"role": "user", "content": "What is 2 + 2?"}
SAID = {"role": "assistant", "content": "4"}
NUMBER = {"type": "number"}
ADDING = {"type": "object", "properties": {"a": NUMBER, "b": NUMBER}, "required": ["a", "b"], "additionalProperties": False}
STORED = "rs_" + "0" * 50


def body(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "input": [ASK, *items], **fields}


def call(call_id: Any = "a", /, **fields: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "add", "arguments": "{}", **fields}


def output(id: Any = "a", content: Any = "4", **fields: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": content, **fields}


def called(id: str) -> dict[str, Any]:
    return body(call(id), output(id))


def reasoning(**fields: Any) -> dict[str, Any]:
    return {"type": "reasoning", "summary": [], **fields}


def message(role: str, *parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": list(parts), **fields}


def text(type: str, **fields: Any) -> dict[str, Any]:
    return {"type": type, "text": "4", **fields}


def tool(**fields: Any) -> dict[str, Any]:
    return {"type": "function", "name": "add", "parameters": ADDING, **fields}


def answering(**format: Any) -> dict[str, Any]:
    return body(text={"format": format})


def case(code: str, refused: Any, path: str, accepted: Any) -> Case:
    return Case("openai_responses", code, refused, path, accepted)


def file(data: str) -> dict[str, Any]:
    return {"type": "input_file", "filename": "f", "file_data": data}


def image(url: str) -> dict[str, Any]:
    return body(message("user", {"type": "input_image", "image_url": url}))


PICTURE = "data:image/png;base64,iVBORw0KGgo="

CASES = [
    case("result-without-call", body(SAID, SAID, output()), "/input/3", body({"id": "fc_1"}, output())),
    case(
        "responses-reasoning-without-follower",
        body(*[SAID] * 4, reasoning(id=STORED), {**ASK, "id": "msg_1"}),
        "/input/5",
        body(*[SAID] * 4, reasoning(id=STORED), call(id="fc_1"), output()),
    ),
    case(
        "responses-item-not-stored",
        body({"id": "msg_1"}, SAID, store=False),
        "/input/1",
        body(reasoning(), call(id="fc_1"), output(), store=False),
    ),
    case(
        "responses-item-id-format",
        body(SAID, call(id="fc_a.b"), output()),
        "/input/2/id",
        body(SAID, call(id="fc_a-b"), output()),
    ),
    case(
        "responses-duplicate-item",
        body(SAID, reasoning(id="rs_1"), call(id="rs_1"), output()),
        "/input/3/id",
        body(*[reasoning(id="rs_fe1da043-2876-9377-ba15-75b595faacba")] * 2, *[message("user", text("input_text"))] * 2),
    ),
    case("responses-role-tool", body(SAID, {"role": "tool", "content": "4"}), "/input/2/role", body(SAID, ASK)),
    case(
        "media-type-unsupported",
        body(SAID, *image("data:image/tiff;base64,SUkqAA==")["input"][1:]),
        "/input/2/content/0/image_url",
        body(
            message("user", file("data:application/pdf;base64,JVBERi0="), *image("https://a.b/c.tiff")["input"][1]["content"])
        ),
    ),
    case("no-messages", {"input": ""}, "/input", body()),
    case(
        "tool-choice-without-tools",
        {"input": "Hi", "tool_choice": {"type": "function", "name": "add"}},
        "/tool_choice",
        body(
            {"type": "additional_tools", "role": "developer", "tools": [tool()]},
            tool_choice={"type": "function", "name": "add"},
        ),
    ),
    case(
        "tool-choice-without-tools",
        {"input": "Hi", "tools": [], "tool_choice": {"type": "web_search"}},
        "/tool_choice",
        {"input": "Hi", "tools": [{"type": "web_search"}], "tool_choice": {"type": "web_search"}},
    ),
    case(
        "strict-required-all",
        body(tools=[tool(parameters={**ADDING, "required": ["a"]}, strict=True)]),
        "/tools/0/parameters",
        body(tools=[tool(parameters={**ADDING, "required": ["a"]})], tool_choice="required"),
    ),
    case("call-without-result", body(call("a"), call("b"), output("b")), "/input/1", body(call(), SAID, output())),
    case(
        "call-without-result",
        body(SAID, {"type": "custom_tool_call", "call_id": "a", "name": "add", "input": "2 2"}),
        "/input/2",
        body(call(), conversation="conv_1"),
    ),
    case("result-without-call", body(output()), "/input/1", body(output(), previous_response_id="resp_1")),
    case(
        "result-without-call",
        body(SAID, output(), call()),
        "/input/2",
        body({"type": "item_reference", "id": "fc_1"}, output()),
    ),
    case("responses-reasoning-without-follower", body(reasoning(id=STORED), SAID), "/input/1", body(reasoning(), SAID)),
    case(
        "responses-reasoning-without-follower",
        body(SAID, reasoning(id=STORED)),
        "/input/2",
        body(reasoning(id=STORED), message("assistant", text("output_text"), id="msg_1")),
    ),
    case(
        "responses-reasoning-without-follower",
        body(SAID, ASK, reasoning(id=STORED), reasoning(id=STORED[:-1] + "1"), ASK),
        "/input/3",
        body(SAID, ASK, reasoning(id=STORED), reasoning(id=STORED[:-1] + "1"), call(), output()),
    ),
    case(
        "responses-reasoning-without-follower",
        body(SAID, ASK, SAID, reasoning(id=STORED, encrypted_content="e"), ASK),
        "/input/4",
        body(SAID, ASK, SAID, reasoning(id=STORED, encrypted_content="e"), ASK, store=False),
    ),
    case(
        "responses-item-status-refused",
        body(reasoning(status=None), SAID),
        "/input/1/status",
        body(call(status=None), output()),
    ),
    case("responses-reasoning-summary-missing", body({"type": "reasoning"}, SAID), "/input/1", body(reasoning(), SAID)),
    case(
        "responses-item-not-stored",
        body({"type": "item_reference", "id": "msg_1"}, store=False),
        "/input/1",
        body({"type": "item_reference", "id": "msg_1"}),
    ),
    case(
        "responses-item-not-stored",
        body(SAID, reasoning(id="rs_1"), SAID, store=False),
        "/input/2",
        body(SAID, reasoning(id="rs_1", encrypted_content="e"), SAID, store=False),
    ),
    case(
        "responses-item-id-format",
        body({**call(), "id": "call_1"}, output()),
        "/input/1/id",
        body({**call(), "id": "fc_1"}, output()),
    ),
    case("responses-duplicate-item", body({**SAID, "id": "msg_1"}, {**SAID, "id": "msg_1"}), "/input/2/id", body(SAID, SAID)),
    case("responses-call-id-length", called("a" * 65), "/input/1/call_id", called("a" * 64)),
    case("responses-call-id-length", body(ASK, call(""), output("")), "/input/2/call_id", called("a")),
    case("responses-call-id-length", body(call(None)), "/input/1", called("a")),
    case(
        "responses-role-tool",
        body(message("tool", text("input_text"))),
        "/input/1/role",
        body(message("user", text("input_text"))),
    ),
    case("responses-role-tool", body({**SAID, "tool_calls": []}), "/input/1/tool_calls", body(SAID)),
    case(
        "role-invalid",
        body(message("model", text("output_text"))),
        "/input/1/role",
        body(message("assistant", text("output_text"))),
    ),
    case("content-null", body({**SAID, "content": None}), "/input/1/content", body({**SAID, "content": ""})),
    case("content-null", body({"role": "assistant"}), "/input/1", body(message("assistant"))),
    case(
        "responses-part-type-wrong",
        body(message("user", text("text"))),
        "/input/1/content/0/type",
        body(message("user", text("input_text"))),
    ),
    case(
        "responses-part-type-wrong",
        body(call(), output(content=[text("text")])),
        "/input/2/output/0/type",
        body(call(), output(content=[text("input_text")])),
    ),
    case(
        "responses-part-role-wrong",
        body(message("assistant", text("input_text"))),
        "/input/1/content/0/type",
        body(message("assistant", text("output_text"), {"type": "refusal", "refusal": "No."})),
    ),
    case(
        "responses-part-role-wrong",
        body(SAID, message("user", text("output_text"))),
        "/input/2/content/0/type",
        body(SAID, message("user", text("input_text"))),
    ),
    case("extra-field-refused", body({**SAID, "metadata": {}}), "/input/1/metadata", body(SAID, metadata={})),
    case(
        "extra-field-refused",
        body(message("user", text("input_text", cache_control={}))),
        "/input/1/content/0/cache_control",
        body(message("user", text("input_text", prompt_cache_breakpoint={}))),
    ),
    case(
        "file-data-format",
        body(call(), output(content=[file("data:audio/mpeg;base64,SUQz")])),
        "/input/2/output/0/file_data",
        body(call(), output(content=[file("data:application/pdf;base64,JVBERi0=")])),
    ),
    case(
        "file-data-format",
        body(message("user", file("JVBERi0="))),
        "/input/1/content/0/file_data",
        body(message("user", file("data:text/plain;base64,aGk="))),
    ),
    case("image-data-invalid", image("data:image/png,iVBORw0KGgo="), "/input/1/content/0/image_url", image(PICTURE)),
    case("image-url-scheme", image("picture.png"), "/input/1/content/0/image_url", image("https://a.b/c")),
    case("media-type-unsupported", image("data:image/tiff;base64,SUkqAA=="), "/input/1/content/0/image_url", image(PICTURE)),
    case("responses-param-moved", body(reasoning_effort="low"), "/reasoning_effort", body(reasoning={"effort": "low"})),
    case("responses-param-unknown", body(stop=["."]), "/stop", body(max_tool_calls=1)),
    case("responses-max-output-min", body(max_output_tokens=15), "/max_output_tokens", body(max_output_tokens=16)),
    case("number-out-of-range", body(temperature=-1), "/temperature", body(temperature=2, top_p=0, top_logprobs=20)),
    case(
        "response-and-conversation",
        body(previous_response_id="resp_1", conversation="conv_1"),
        "/conversation",
        body(previous_response_id="resp_1", conversation=None),
    ),
    case("no-messages", {"input": []}, "/input", {"input": [], "previous_response_id": "resp_1"}),
    case(
        "json-object-needs-word",
        answering(type="json_object"),
        "/text/format",
        {**answering(type="json_object"), "instructions": "Reply in Json."},
    ),
    case(
        "response-format-shape",
        answering(type="json_schema", json_schema={"name": "n", "schema": ADDING}),
        "/text/format",
        answering(type="json_schema", name="n", schema=ADDING),
    ),
    case(
        "tool-shape-wrong",
        body(tools=[{"type": "function", "function": {"name": "add", "parameters": ADDING}}]),
        "/tools/0",
        body(tools=[tool()]),
    ),
    case("tool-choice-without-tools", body(tool_choice="required"), "/tool_choice", body(tool_choice="auto")),
    case(
        "tool-choice-unknown",
        body(tools=[tool()], tool_choice={"type": "function", "name": "sub"}),
        "/tool_choice/name",
        body(
            {"type": "additional_tools", "role": "developer", "tools": [tool(name="sub")]},
            tools=[tool()],
            tool_choice={"type": "function", "name": "sub"},
        ),
    ),
    case(
        "tool-name-pattern",
        body(tools=[{"type": "namespace", "name": "math", "tools": [tool(name="math.add")]}]),
        "/tools/0/tools/0/name",
        body(tools=[{"type": "namespace", "name": "math", "tools": [tool(name="math_add")]}]),
    ),
    case(
        "strict-additional-properties",
        answering(type="json_schema", name="n", strict=True, schema={**ADDING, "additionalProperties": True}),
        "/text/format/schema",
        answering(type="json_schema", name="n", schema={**ADDING, "additionalProperties": True}),
    ),
    case(
        "tool-with-minimal-effort",
        body(tools=[tool(), {"type": "web_search"}], reasoning={"effort": "minimal"}),
        "/tools/1",
        body(tools=[tool()], reasoning={"effort": "minimal"}),
    ),
    case("field-misspelt", body(instuctions="Add."), "/instuctions", body(instructions="Add.", top_k=1)),
    case("field-misspelt", body({**SAID, "contnet": "4"}), "/input/1/contnet", body({**SAID, "phase": "final_answer"})),
    case(
        "field-misspelt", body(tools=[tool(desciption="Adds.")]), "/tools/0/desciption", body(tools=[tool(description="Adds.")])
    ),
]
