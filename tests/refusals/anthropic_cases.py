"""A refused body and a near miss for each rule of Anthropic Messages."""

from base64 import b64decode, b64encode
from typing import Any

from refusals import anthropic_tools_cases
from refusals.cases import Case


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    asked = {"role": "user", "content": "What is 2 + 2?"}
    return {"model": "m", "max_tokens": 4096, "messages": [asked, *messages], "tools": [TOOL], **fields}


TOOL: dict[str, Any] = {"name": "add", "description": "Adds.", "input_schema": {"type": "object", "properties": {}}}


def user(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return {"role": "user", "content": [text(each) if isinstance(each, str) else each for each in blocks]}


def said(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return user(*blocks) | {"role": "assistant"}


def text(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **fields}


def call(id: str, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "add", "input": {}, **fields}


def result(id: str, content: Any = "4", **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **fields}


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
THINK = {"type": "thinking", "thinking": "Add them.", "signature": "c2ln"}
ENABLED = {"type": "enabled", "budget_tokens": 1024}
MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


def image(data: str = PNG, media_type: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def document(data: bytes, media_type: str = "application/pdf") -> dict[str, Any]:
    source = {"type": "base64", "media_type": media_type, "data": b64encode(data).decode()}
    return {"type": "document", "source": source}


def png(width: int, height: int = 1) -> str:
    return b64encode(b64decode(PNG)[:16] + width.to_bytes(4) + height.to_bytes(4) + b64decode(PNG)[24:]).decode()


def server_call(id: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "2 + 2"}}


def server_result(id: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": id, "content": []}


def system(content: Any) -> dict[str, Any]:
    return {"role": "system", "content": content}


def hosted(version: str, **fields: Any) -> dict[str, Any]:
    """A body of InvokeModel or rawPredict."""
    return {key: value for key, value in body(**fields).items() if key != "model"} | {"anthropic_version": version} | fields


BEDROCK = "bedrock-2023-05-31"
ANSWERED = (said(call("a")), user(result("a")))

MESSAGES = [
    Case("anthropic", "no-messages", body() | {"messages": []}, "/messages", body()),
    Case(
        "anthropic",
        "messages-too-many",
        body(*[user("Again.")] * 100_000),
        "/messages",
        body(*[user("Again.")] * 99_999),
    ),
    Case("anthropic", "role-invalid", body(user("4") | {"role": "tool"}), "/messages/1/role", body(said("4"))),
    Case(
        "anthropic",
        "system-role-refused",
        {"model": "m", "max_tokens": 1, "messages": [system("Be brief."), user("Hi.")]},
        "/messages/0",
        body(system("Be brief."), said("4"), system=""),
    ),
    Case(
        "anthropic",
        "system-role-refused",
        body(system("Be brief."), system([text("In French.")])),
        "/messages/2",
        body(system([{"type": "tool_removal", "tool": {"type": "tool_reference", "name": "add"}}]), system("In French.")),
    ),
    Case("anthropic", "empty-message", body(said(), user("And 3 + 3?")), "/messages/1", body(said())),
    Case("anthropic", "empty-message", body(said("4"), user("") | {"content": ""}), "/messages/2", body(said("4"))),
    Case(
        "anthropic",
        "empty-text",
        body(said("4", ""), user("Why?")),
        "/messages/1/content/1/text",
        body(said("4"), user("Why?")),
    ),
    Case("anthropic", "empty-text", body(system=[text("")]), "/system/0/text", body(system="")),
    Case(
        "anthropic",
        "empty-text",
        body(said(call("a")), user(result("a", [text("")]))),
        "/messages/2/content/0/content/0/text",
        body(said(call("a")), user(result("a", ""))),
    ),
    Case(
        "anthropic", "blank-text", body(said("\n"), user("Why?")), "/messages/1/content/0/text", body(said("4\n"), user("Why?"))
    ),
    Case(
        "anthropic", "trailing-whitespace", body(said("It is ")), "/messages/1/content/0/text", body(said("It "), user("Is?"))
    ),
    Case(
        "anthropic",
        "lone-surrogate",
        body(said(call("a", input={"a": ["\ud83d"]})), user(result("a"))),
        "/messages/1/content/0/input/a/0",
        body(said(call("a", input={"a": ["\U0001f600"]})), user(result("a"))),
    ),
]

CALLS = [
    Case(
        "anthropic",
        "call-without-result",
        body(said(call("a"), call("b")), user(result("a")), user(result("b"))),
        "/messages/1/content/1",
        body(said(call("a"), call("b")), user(result("b"), result("a"))),
    ),
    Case("anthropic", "ends-with-call", body(said(call("a"))), "/messages/1/content/0", body(*ANSWERED)),
    Case("anthropic", "result-without-call", body(user(result("a"))), "/messages/1/content/0", body(*ANSWERED)),
    Case(
        "anthropic",
        "result-id-mismatch",
        body(said(call("a")), user(result("b"))),
        "/messages/2/content/0/tool_use_id",
        body(*ANSWERED),
    ),
    Case(
        "anthropic",
        "result-duplicate",
        body(said(call("a")), user(result("a"), result("a"))),
        "/messages/2/content/1/tool_use_id",
        body(said(call("a")), user(result("a", [text("4"), text("four")]))),
    ),
    Case(
        "anthropic",
        "result-not-first",
        body(said(call("a")), user("It is", result("a"))),
        "/messages/2/content/1",
        body(said(call("a")), user(result("a"), "It is?")),
    ),
    Case(
        "anthropic",
        "error-result-content",
        body(said(call("a")), user(result("a", [image()], is_error=True))),
        "/messages/2/content/0/content/0",
        body(said(call("a")), user(result("a", [image()], is_error=False))),
    ),
    Case(
        "anthropic",
        "block-in-wrong-role",
        body(said("4", result("a"))),
        "/messages/1/content/1",
        body(said(server_call(), server_result(), "4")),
    ),
    Case(
        "anthropic",
        "tool-id-pattern",
        body(said(call("a.b")), user(result("a.b"))),
        "/messages/1/content/0/id",
        body(said(call("a-b")), user(result("a-b"))),
    ),
    Case(
        "anthropic",
        "tool-id-duplicate",
        body(*ANSWERED, *ANSWERED),
        "/messages/3/content/0/id",
        body(*ANSWERED, said(call("b")), user(result("b"))),
    ),
    Case(
        "anthropic",
        "args-not-object",
        body(said(call("a", input="{}")), user(result("a"))),
        "/messages/1/content/0/input",
        body(*ANSWERED),
    ),
    Case("anthropic", "tools-missing-for-history", body(*ANSWERED, tools=[]), "/tools", body(*ANSWERED)),
    Case(
        "anthropic",
        "unpaired-server-tool",
        body(said(server_result(), server_call(), "4")),
        "/messages/1/content/0",
        body(said(server_call()), said(server_result(), "4")),
    ),
    Case(
        "anthropic",
        "server-call-without-result",
        body(said(server_call()), user("Go on.")),
        "/messages/1/content/0",
        body(said(server_call(), call("a")), user(result("a"))),
    ),
    Case(
        "anthropic",
        "server-tool-id-pattern",
        body(said(server_call("call_1"), server_result("call_1"), "4")),
        "/messages/1/content/0/id",
        body(said(server_call(), server_result(), "4")),
    ),
]

THINKING = [
    Case(
        "anthropic",
        "reasoning-signature-invalid",
        body(said({"type": "thinking", "thinking": "Add.", "signature": ""}, "4"), user("Why?")),
        "/messages/1/content/0",
        body(said(THINK | {"thinking": ""}, "4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-empty",
        body(said({"type": "thinking", "thinking": ""}, "4"), user("Why?")),
        "/messages/1/content/0",
        body(said(THINK | {"thinking": ""}, "4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-last-block",
        body(said("4", THINK), user("Why?")),
        "/messages/1/content/1",
        body(said(THINK), said("4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-must-lead",
        body(said("I add.", call("a")), user(result("a")), said(THINK, call("b")), user(result("b")), thinking=ENABLED),
        "/messages/1/content/0",
        body(said("I add.", call("a")), user(result("a"), "And 3 + 3?"), thinking=ENABLED),
    ),
    Case(
        "anthropic",
        "thinking-while-disabled",
        body(said(THINK, call("a")), user(result("a")), thinking={"type": "disabled"}),
        "/messages/1/content/0",
        body(said(THINK, "4"), user("Why?"), thinking={"type": "disabled"}),
    ),
    Case(
        "anthropic",
        "temperature-with-thinking",
        body(thinking=ENABLED, temperature=0.5),
        "/temperature",
        body(thinking=ENABLED, temperature=1.0),
    ),
    Case("anthropic", "top-k-with-thinking", body(thinking=ENABLED, top_k=4), "/top_k", body(top_k=4)),
    Case(
        "anthropic",
        "thinking-budget-range",
        body(thinking={"type": "enabled", "budget_tokens": 1023}),
        "/thinking/budget_tokens",
        body(thinking=ENABLED),
    ),
    Case(
        "anthropic_bedrock",
        "thinking-budget-range",
        hosted(BEDROCK, thinking={"type": "enabled", "budget_tokens": 4096}, tools=[]),
        "/thinking/budget_tokens",
        hosted(BEDROCK, thinking={"type": "enabled", "budget_tokens": 4096}),
    ),
    Case(
        "anthropic",
        "thinking-budget-with-tools",
        body(thinking={"type": "enabled", "budget_tokens": 4096}),
        "/thinking/budget_tokens",
        body(thinking={"type": "enabled", "budget_tokens": 4095}),
    ),
    Case(
        "anthropic",
        "forced-tool-with-thinking",
        body(thinking=ENABLED, tool_choice={"type": "any"}),
        "/tool_choice",
        body(thinking={"type": "adaptive"}, tool_choice={"type": "any"}),
    ),
]

MEDIA = [
    Case(
        "anthropic",
        "media-type-unsupported",
        body(user(image(media_type="image/jpg"))),
        "/messages/1/content/0/source/media_type",
        body(user(document(b"%PDF-1.7"))),
    ),
    Case(
        "anthropic",
        "media-data-invalid",
        body(user(image(f"data:image/png;base64,{PNG}"))),
        "/messages/1/content/0/source/data",
        body(user(image(PNG))),
    ),
    Case(
        "anthropic",
        "media-type-mismatch",
        body(said(call("a")), user(result("a", [image(media_type="image/webp")]))),
        "/messages/2/content/0/content/0",
        body(said(call("a")), user(result("a", [image()]))),
    ),
    Case(
        "anthropic",
        "pdf-refused",
        body(user(document(b"Some text."))),
        "/messages/1/content/0/source/data",
        body(user({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Some text."}})),
    ),
    Case(
        "anthropic",
        "image-too-large-bytes",
        body(user(image(PNG[:-4] + "A" * (10 << 20)))),
        "/messages/1/content/0",
        body(user(image(PNG[:-4] + "A" * (5 << 20)))),
    ),
    Case(
        "anthropic",
        "image-over-old-limit",
        body(user(image(PNG[:-4] + "A" * (5 << 20)))),
        "/messages/1/content/0",
        body(user(image(PNG[:-4] + "A" * (4 << 20)))),
    ),
    Case(
        "anthropic",
        "image-too-large-pixels",
        body(user(image(png(1, 8001)))),
        "/messages/1/content/0",
        body(user(image(png(8000)))),
    ),
    Case(
        "anthropic",
        "many-images-too-large",
        body(user(*[image()] * 20, image(png(2001)))),
        "/messages/1/content/20",
        body(user(*[image()] * 19, image(png(2001)))),
    ),
    Case(
        "anthropic_vertex",
        "url-source-unsupported",
        hosted("vertex-2023-10-16", messages=[user({"type": "image", "source": {"type": "url", "url": "https://a.example/"}})]),
        "/messages/0/content/0/source",
        hosted("vertex-2023-10-16", messages=[user(image())]),
    ),
]

SETTINGS = [
    Case(
        "anthropic",
        "cache-marks-too-many",
        body(user(text("a", **MARK), text("b", **MARK), text("c", **MARK)), system=[text("d", **MARK)], tools=[TOOL | MARK]),
        "/messages/1/content/2/cache_control",
        body(user(text("a", **MARK), text("b", **MARK)), system=[text("d", **MARK)], tools=[TOOL | MARK]),
    ),
    Case(
        "anthropic",
        "cache-marks-too-many",
        body(user(text("a", **MARK), text("b", **MARK), text("c", **MARK), "d"), tools=[TOOL | MARK], **MARK),
        "/cache_control",
        body(user(text("a", **MARK), text("b", **MARK), text("c", **MARK)), tools=[TOOL | MARK], **MARK),
    ),
    Case(
        "anthropic",
        "cache-ttl-order",
        body(user(text("a", **HOUR)), tools=[TOOL | MARK]),
        "/messages/1/content/0/cache_control",
        body(user(text("a", **MARK)), tools=[TOOL | HOUR]),
    ),
    Case(
        "anthropic",
        "cache-ttl-order",
        body(user(text("a", **HOUR)), **MARK),
        "/cache_control",
        body(user(text("a", **HOUR)), **HOUR),
    ),
    Case(
        "anthropic",
        "cache-mark-on-empty",
        body(said(THINK | MARK, "4"), user("Why?")),
        "/messages/1/content/0/cache_control",
        body(said(THINK, text("4", **MARK)), user("Why?")),
    ),
    Case(
        "anthropic",
        "max-tokens-missing",
        {"model": "m", "messages": [user("Hi.")]},
        "/max_tokens",
        {"messages": [user("Hi.")]},
    ),
    Case("anthropic", "number-out-of-range", body(temperature=1.5), "/temperature", body(temperature=1)),
    Case("anthropic", "stop-sequence-blank", body(stop_sequences=["\n"]), "/stop_sequences/0", body(stop_sequences=["\n4"])),
    Case(
        "anthropic",
        "user-id-too-long",
        body(metadata={"user_id": "u" * 513}),
        "/metadata/user_id",
        body(metadata={"user_id": "u" * 512}),
    ),
    Case(
        "anthropic",
        "effort-unsupported",
        body(output_config={"effort": "minimal"}),
        "/output_config/effort",
        body(output_config={"effort": "max"}),
    ),
    Case("anthropic_bedrock", "envelope-version", hosted(BEDROCK, model="m"), "/model", hosted(BEDROCK)),
    Case("anthropic_bedrock", "envelope-version", hosted("vertex-2023-10-16"), "/anthropic_version", hosted(BEDROCK)),
    Case(
        "anthropic_vertex",
        "vertex-envelope-version",
        hosted(BEDROCK),
        "/anthropic_version",
        hosted("vertex-2023-10-16", stream=True),
    ),
    Case(
        "anthropic_bedrock",
        "beta-flag-invalid",
        hosted(BEDROCK, anthropic_beta=["oauth-2025-04-20"]),
        "/anthropic_beta/0",
        hosted(BEDROCK, anthropic_beta=["interleaved-thinking-2025-05-14"]),
    ),
]

REDACTED = {"type": "redacted_thinking", "data": "ZGF0YQ=="}
EDGES = [
    Case(
        "anthropic",
        "system-role-refused",
        body(system("Be brief."), user("Why?")),
        "/messages/1",
        body(system([]), user("Why?"), system("Be brief."), said("4")),
    ),
    Case(
        "anthropic",
        "empty-text",
        body(said(text(""), call("a")), user(result("a"))),
        "/messages/1/content/0/text",
        body(said(" ", call("a")), user(result("a", " ")), system=" "),
    ),
    Case(
        "anthropic",
        "blank-text",
        body(user(" ") | {"content": " "}, system=[text("a")]),
        "/messages/1/content",
        body(said("a", call("a")), user(result("a", [text(" ")])), system=" "),
    ),
    Case("anthropic", "blank-text", body(system=[text("a"), text(" ")]), "/system/1/text", body(system=[text("a ")])),
    Case(
        "anthropic",
        "trailing-whitespace",
        body(said("4") | {"content": "It is\n"}),
        "/messages/1/content",
        body(said("It is\n", call("a"))),
    ),
    Case(
        "anthropic",
        "trailing-whitespace",
        body(said("It", "is\t")),
        "/messages/1/content/1/text",
        body(said("It\t", "is"), user("Is it?\n")),
    ),
    Case(
        "anthropic",
        "call-without-result",
        body(said(call("a")), user("Well?")),
        "/messages/1/content/0",
        body(*ANSWERED, said(call("b"))),
    ),
    Case(
        "anthropic",
        "result-without-call",
        body(said(call("a")), user(result("a"), result("b"))),
        "/messages/2/content/1",
        body(said(call("a")), user(result("b"))),
    ),
    Case(
        "anthropic",
        "result-not-first",
        body(said(call("a"), call("b")), user("It is", result("a"), result("b"))),
        "/messages/2/content/1",
        body(said(call("a"), call("b")), user(result("a"), "It is", result("b"))),
    ),
    Case(
        "anthropic",
        "block-in-wrong-role",
        body(user(REDACTED, "Hi")),
        "/messages/1/content/0",
        body(said(REDACTED, "4"), user(image())),
    ),
    Case("anthropic", "block-in-wrong-role", body(user(call("a"))), "/messages/1/content/0", body(said(call("a")))),
    Case(
        "anthropic",
        "tools-missing-for-history",
        body(user(result("a")), tools=None),
        "/tools",
        body(said("4"), user("Why?"), tools=None),
    ),
    Case(
        "anthropic",
        "server-call-without-result",
        body(said(server_call(), server_result(), server_call("srvtoolu_2")), user("Go on."), said("4"), user("Why?")),
        "/messages/1/content/2",
        body(said(server_call(), server_result(), "4"), user("Go on."), said(server_call("srvtoolu_2"))),
    ),
    Case(
        "anthropic",
        "thinking-last-block",
        body(said("4", REDACTED)),
        "/messages/1/content/1",
        body(said(REDACTED, "4", server_call())),
    ),
    Case(
        "anthropic",
        "reasoning-signature-invalid",
        body(said({"type": "thinking", "thinking": "Add.", "signature": None}, "4")),
        "/messages/1/content/0",
        body(said({"type": "thinking", "thinking": "", "signature": ""}, "4"), said(THINK, "4")),
    ),
    Case(
        "anthropic",
        "thinking-empty",
        body(said({"type": "thinking", "thinking": "", "signature": ""}, "4")),
        "/messages/1/content/0",
        body(said({"type": "thinking", "thinking": "Add."}, "4")),
    ),
    Case(
        "anthropic",
        "thinking-must-lead",
        body(said(call("a")), user(result("a")), thinking=ENABLED),
        "/messages/1/content/0",
        body(said(REDACTED, call("a")), user(result("a")), said("I add.", call("b")), user(result("b")), thinking=ENABLED),
    ),
    Case(
        "anthropic",
        "thinking-must-lead",
        body(said(call("a")), user(result("a")), system([]), thinking=ENABLED),
        "/messages/1/content/0",
        body(said("I add."), thinking=ENABLED),
    ),
    Case(
        "anthropic",
        "thinking-while-disabled",
        body(
            said("I add.", call("a")),
            user(result("a")),
            said(THINK, call("b")),
            user(result("b")),
            thinking={"type": "disabled"},
        ),
        "/messages/3/content/0",
        body(said(THINK, call("a")), user(result("a"), "Why?"), thinking={"type": "disabled"}),
    ),
    Case("anthropic", "top-k-with-thinking", body(thinking={"type": "adaptive"}, top_k=1), "/top_k", body(thinking=ENABLED)),
    Case(
        "anthropic",
        "temperature-with-thinking",
        body(thinking={"type": "adaptive"}, temperature=0),
        "/temperature",
        body(thinking={"type": "disabled"}, temperature=0),
    ),
    Case(
        "anthropic",
        "cache-marks-too-many",
        body(user(*(text("a", **MARK) for _ in range(5))), **MARK),
        "/messages/1/content/4/cache_control",
        body(user(text("a", **MARK), text("b", **MARK), "c"), **MARK),
    ),
    Case(
        "anthropic",
        "cache-ttl-order",
        body(user(text("a", **MARK), text("b", **HOUR), text("c", **HOUR))),
        "/messages/1/content/2/cache_control",
        body(user(text("a", **HOUR), "b"), **MARK),
    ),
    Case(
        "anthropic",
        "cache-mark-on-empty",
        body(user(text("", **MARK), "a")),
        "/messages/1/content/0/cache_control",
        body(*ANSWERED[:1], user(result("a", "", **MARK))),
    ),
    Case(
        "anthropic_vertex",
        "max-tokens-missing",
        {"anthropic_version": "vertex-2023-10-16", "messages": [user("Hi.")]},
        "/max_tokens",
        {"anthropic_version": "vertex-2023-10-16", "messages": [user("Hi.")], "max_tokens": 0},
    ),
    Case(
        "anthropic",
        "effort-unsupported",
        body(output_config={"effort": "highest"}),
        "/output_config/effort",
        body(output_config={"effort": None}),
    ),
]

PLAIN: dict[str, Any] = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Some text."}}
CITED = PLAIN | {"citations": {"enabled": True}}
FORMAT = {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object", "additionalProperties": False}}}}
BESIDE_ONE_ANOTHER = [
    Case(
        "anthropic",
        "block-in-wrong-role",
        body(said("It is", image()), user("Why?")),
        "/messages/1/content/1",
        body(said(call("a")), user(result("a", [image()]), image(), PLAIN)),
    ),
    Case(
        "anthropic",
        "block-in-wrong-role",
        body(said({"type": "container_upload", "file_id": "file_1"}, "4")),
        "/messages/1/content/0",
        body(user({"type": "container_upload", "file_id": "file_1"})),
    ),
    Case(
        "anthropic_bedrock",
        "reasoning-signature-invalid",
        hosted(BEDROCK, messages=[user("Hi."), said(THINK | {"signature": "skip: it"}, "4"), user("Why?")]),
        "/messages/1/content/0/signature",
        hosted(BEDROCK, messages=[user("Hi."), said(THINK, "4"), user("Why?")]),
    ),
    Case(
        "anthropic",
        "redacted-thinking-invalid",
        body(said(REDACTED | {"data": ""}, "4"), user("Why?")),
        "/messages/1/content/0/data",
        body(said(REDACTED, "4"), user("Why?")),
    ),
    Case(
        "anthropic",
        "thinking-not-first",
        body(said("I add.", THINK, "4"), user("Why?")),
        "/messages/1/content/0",
        body(said(THINK, "4"), said("I add.", THINK, "4"), user("Why?"), said(REDACTED, THINK, "4")),
    ),
    Case(
        "anthropic",
        "media-type-unsupported",
        body(user(PLAIN | {"source": PLAIN["source"] | {"media_type": "text/markdown"}})),
        "/messages/1/content/0/source/media_type",
        body(user(PLAIN)),
    ),
    Case(
        "anthropic",
        "citations-with-output-schema",
        body(user(CITED), **FORMAT),
        "/messages/1/content/0",
        body(user(PLAIN | {"citations": {"enabled": False}}), **FORMAT),
    ),
    Case(
        "anthropic",
        "citations-mixed",
        body(user(CITED), said("4"), user(PLAIN)),
        "/messages/3/content/0",
        body(user(CITED), said("4"), user(CITED)),
    ),
    Case(
        "anthropic",
        "prefill-with-output-schema",
        body(said("{"), **FORMAT),
        "/messages/1",
        body(said("4"), user("Why?"), **FORMAT),
    ),
]

CASES = [*MESSAGES, *CALLS, *THINKING, *MEDIA, *SETTINGS, *EDGES, *BESIDE_ONE_ANOTHER, *anthropic_tools_cases.CASES]
