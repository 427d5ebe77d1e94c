"""A refused body and a near miss for each rule of Converse."""

from base64 import b64decode, b64encode
from typing import Any, TypeAlias

from checking.refusals import bedrock_tools_cases
from checking.refusals.cases import Case


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    asked = {"role": "user", "content": [{"text": "What is 2 + 2?"}]}
    return {"messages": [asked, *messages], "toolConfig": {"tools": [TOOL]}, **fields}


TOOL: dict[str, Any] = {"toolSpec": {"name": "add", "inputSchema": {"json": {"type": "object", "properties": {}}}}}


def user(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return {"role": "user", "content": [{"text": each} if isinstance(each, str) else each for each in blocks]}


def said(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return user(*blocks) | {"role": "assistant"}


def call(id: str, **fields: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": id, "name": "add", "input": {}, **fields}}


def result(id: str, *content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": id, "content": list(content) or [{"text": "4"}], **fields}}


Parts: TypeAlias = tuple[str, dict[str, Any], str, dict[str, Any]]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
REASONING = {"reasoningContent": {"reasoningText": {"text": "Add them.", "signature": "c2ln"}}}
POINT = {"cachePoint": {"type": "default"}}
HOUR = {"cachePoint": {"type": "default", "ttl": "1h"}}
ANSWERED = (said(call("a")), user(result("a")))
SERVER_CALL = call("s", type="server_tool_use")
SERVER_RESULT = result("s", type="nova_code_interpreter_result")
IN_S3 = {"s3Location": {"uri": "s3://bucket/it"}}


def image(data: str = PNG, format: str = "png") -> dict[str, Any]:
    return {"image": {"format": format, "source": {"bytes": data}}}


def png(width: int) -> dict[str, Any]:
    return image(b64encode(b64decode(PNG)[:16] + width.to_bytes(4) + b64decode(PNG)[20:]).decode())


def document(name: str, format: str = "pdf", data: Any = "JVBERi0=") -> dict[str, Any]:
    return {"document": {"name": name, "format": format, "source": {"bytes": data}}}


def video(**source: Any) -> dict[str, Any]:
    return {"video": {"format": "mp4", "source": source or {"bytes": "AAAA"}}}


def thinking(budget: int = 1024, **settings: Any) -> dict[str, Any]:
    fields = {"thinking": {"type": "enabled", "budget_tokens": budget}}
    return {"additionalModelRequestFields": fields, "inferenceConfig": {"maxTokens": 4096, **settings}}


def tools(**fields: Any) -> dict[str, Any]:
    return {"toolConfig": {"tools": [TOOL], **fields}}


def settings(**fields: Any) -> dict[str, Any]:
    return body(inferenceConfig=fields)


MESSAGES: list[Parts] = [
    ("no-messages", body() | {"messages": []}, "/messages", body()),
    ("role-invalid", body(user("4") | {"role": "tool"}), "/messages/1/role", body(said("4"))),
    ("system-role-refused", body(user("Be brief.") | {"role": "system"}), "/messages/1", body(system=[{"text": "Be brief."}])),
    ("first-not-user", {"messages": [said("Hi."), user("Hi.")]}, "/messages/0", {"messages": [user("Hi.")]}),
    ("roles-not-alternating", body(user("Please.")), "/messages/1", body(said("4"), user("Thanks."))),
    ("empty-message", body(said()), "/messages/1", body(said("4"))),
    ("empty-text", body(said("4", "")), "/messages/1/content/1/text", body(said("4"))),
    ("empty-text", body(system=[{"text": ""}]), "/system/0/text", body(system=[])),
    ("blank-text", body(said("\n"), user("Why?")), "/messages/1/content/0/text", body(said("4\n"), user("Why?"))),
    (
        "empty-result-text",
        body(said(call("a")), user(result("a", {"text": ""}))),
        "/messages/2/content/0/toolResult/content/0/text",
        body(*ANSWERED),
    ),
    ("trailing-whitespace", body(said("It is ")), "/messages/1/content/0/text", body(said("It "), user("Is?"))),
    ("lone-surrogate", body(said("\ud83d")), "/messages/1/content/0/text", body(said("\U0001f600"))),
    (
        "block-of-several-kinds",
        body(said({"text": "4", **POINT})),
        "/messages/1/content/0",
        body(said("4", POINT | {"text": None})),
    ),
]

CALLS: list[Parts] = [
    (
        "call-without-result",
        body(said(call("a"), call("b")), user(result("a")), said("4"), user("Well?")),
        "/messages/1/content/1/toolUse",
        body(said(call("a"), call("b")), user(result("a")), said("4"), user(result("b"))),
    ),
    (
        "call-without-result",
        body(said(call("a")), user("Well?"), *ANSWERED),
        "/messages/1/content/0/toolUse",
        body(said(call("a")), user("Well?"), said("Wait."), user(result("a"))),
    ),
    (
        "result-far-from-call",
        body(said(call("a"), call("b")), user(result("a")), user(result("b"))),
        "/messages/3/content/0/toolResult",
        body(said(call("a"), call("b")), user(result("b"), result("a"))),
    ),
    (
        "result-far-from-call",
        body(said(call("a")), user("Well?"), said("Wait."), user(result("a"))),
        "/messages/4/content/0/toolResult",
        body(*ANSWERED, *ANSWERED),
    ),
    (
        "result-without-call",
        body(user(result("a")), said(call("a")), user("Well?")),
        "/messages/1/content/0/toolResult",
        body(said(call("a")), user("Well?"), said("Wait."), user(result("a"))),
    ),
    (
        "result-without-call",
        body(said(call("a")), user("Well?"), said("Wait."), user(result("a")), said("4"), user(result("a"))),
        "/messages/6/content/0/toolResult",
        body(said(call("a")), user("Well?"), said("Wait."), user(result("a")), said("4"), user("Why?")),
    ),
    ("ends-with-call", body(said(call("a"))), "/messages/1/content/0/toolUse", body(*ANSWERED)),
    (
        "result-without-call",
        body(*ANSWERED, said("4"), user(result("a"))),
        "/messages/4/content/0/toolResult",
        body(*ANSWERED, *ANSWERED),
    ),
    (
        "result-duplicate",
        body(said(call("a")), user(result("a"), result("a"))),
        "/messages/2/content/1/toolResult/toolUseId",
        body(said(call("a")), user(result("a", {"text": "4"}, {"text": "four"}))),
    ),
    (
        "error-result-content",
        body(
            said(call("a")), {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [], "status": "error"}}]}
        ),
        "/messages/2/content/0/toolResult/content",
        body(
            said(call("a")),
            {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [], "status": "success"}}]},
        ),
    ),
    (
        "error-result-not-text",
        body(said(call("a")), user(result("a", image(), status="error"))),
        "/messages/2/content/0/toolResult/content/0",
        body(said(call("a")), user(result("a", image(), status="success"))),
    ),
    (
        "result-not-object",
        body(said(call("a")), user(result("a", {"json": [4]}))),
        "/messages/2/content/0/toolResult/content/0/json",
        body(said(call("a")), user(result("a", {"json": {"sums": [4]}}))),
    ),
    (
        "result-with-other-content",
        body(said(call("a")), user(result("a"), video())),
        "/messages/2/content/1",
        body(said(call("a")), user(result("a"), POINT, "Why?", image())),
    ),
    (
        "tool-id-pattern",
        body(said(call("a" * 65)), user(result("a" * 65))),
        "/messages/1/content/0/toolUse/toolUseId",
        body(said(call("a.:-b")), user(result("a.:-b"))),
    ),
    (
        "tool-id-duplicate",
        body(said(call("a"), call("a")), user(result("a"))),
        "/messages/1/content/1/toolUse/toolUseId",
        body(*ANSWERED, *ANSWERED),
    ),
    (
        "args-not-object",
        body(said(call("a", input="{}")), user(result("a"))),
        "/messages/1/content/0/toolUse/input",
        body(*ANSWERED),
    ),
    ("tools-missing-for-history", body(*ANSWERED, toolConfig={}), "/toolConfig", body(*ANSWERED)),
]

THINKING: list[Parts] = [
    (
        "temperature-with-thinking",
        body(**thinking(temperature=0)),
        "/inferenceConfig/temperature",
        body(**thinking(temperature=1)),
    ),
    (
        "thinking-budget-range",
        body(**thinking(4096), toolConfig={}),
        "/additionalModelRequestFields/thinking/budget_tokens",
        body(**thinking(1024), toolConfig={}),
    ),
    (
        "thinking-budget-with-tools",
        body(**thinking(4096)),
        "/additionalModelRequestFields/thinking/budget_tokens",
        body(**thinking(4095)),
    ),
    (
        "forced-tool-with-thinking",
        body(**thinking(), **tools(toolChoice={"any": {}})),
        "/toolConfig/toolChoice",
        body(**thinking(), **tools(toolChoice={"auto": {}})),
    ),
    (
        "reasoning-not-accepted-back",
        body(said({"reasoningContent": {"reasoningText": {"text": "Add."}}}, "4"), user("Why?")),
        "/messages/1/content/0",
        body(said(REASONING, "4"), user("Why?")),
    ),
    (
        "beta-flag-invalid",
        body(additionalModelRequestFields={"anthropic_beta": ["oauth-2025-04-20"]}),
        "/additionalModelRequestFields/anthropic_beta/0",
        body(additionalModelRequestFields={"anthropic_beta": ["interleaved-thinking-2025-05-14"]}),
    ),
]

MEDIA: list[Parts] = [
    (
        "media-type-unsupported",
        body(user(image(format="jpg"))),
        "/messages/1/content/0/image/format",
        body(said("4"), user(image())),
    ),
    (
        "media-data-invalid",
        body(said("4"), user(image(f"data:image/png;base64,{PNG}"))),
        "/messages/2/content/0/image/source/bytes",
        body(said("4"), user(image())),
    ),
    ("media-type-mismatch", body(user(image(format="webp"))), "/messages/1/content/0/image", body(said("4"), user(image()))),
    ("media-not-in-user", body(said(image())), "/messages/1/content/0/image", body(said("4"), user(image()))),
    (
        "image-too-large-bytes",
        body(user(image(PNG[:-4] + "A" * (6 << 20)))),
        "/messages/1/content/0/image",
        body(said("4"), user(image(PNG[:-4] + "A" * (4 << 20)))),
    ),
    ("image-too-large-pixels", body(user(png(8001))), "/messages/1/content/0/image", body(user(png(8000)))),
    ("too-many-images", body(user(*[image()] * 21)), "/messages/1/content/20/image", body(user(*[image()] * 20))),
    (
        "document-name-charset",
        body(user("See", document("Report  1"))),
        "/messages/1/content/1/document/name",
        body(user("See", document(" Report_1 (a) [b]-"))),
    ),
    (
        "document-name-charset",
        body(user("See", document("report.pdf"), document("Bericht für"))),
        "/messages/1/content/2/document/name",
        body(user("See", document("report"))),
    ),
    (
        "document-name-duplicate",
        body(said(call("a")), user(result("a", document("a")), "See", document("a"))),
        "/messages/2/content/2/document/name",
        body(said(call("a")), user(result("a", document("a")), "See", document("a 2"))),
    ),
    ("document-without-text", body(user(document("a"), image())), "/messages/1", body(user(document("a"), "See"))),
    (
        "too-many-documents",
        body(user("See", *(document(f"a {n}") for n in range(6)))),
        "/messages/1/content/6/document",
        body(user("See", *(document(f"a {n}") for n in range(5)))),
    ),
    (
        "document-too-large-bytes",
        body(user("See", document("a", data="A" * (8 << 20)))),
        "/messages/1/content/1/document",
        body(user("See", document("a", data="A" * (5 << 20)))),
    ),
    (
        "url-source-unsupported",
        body(user("See", video(**IN_S3))),
        "/messages/1/content/1/video/source/s3Location",
        body(user("See", video())),
    ),
    (
        "block-type-unsupported",
        body(said(call("a")), user(result("a", video()))),
        "/messages/2/content/0/toolResult/content/0/video",
        body(said(call("a")), user(result("a")), said("4"), user(video())),
    ),
]

SETTINGS: list[Parts] = [
    (
        "cache-mark-misplaced",
        body(said(REASONING, POINT, "4")),
        "/messages/1/content/1/cachePoint",
        body(said(REASONING, "4", POINT)),
    ),
    (
        "cache-mark-misplaced",
        body(user("a", POINT, HOUR)),
        "/messages/1/content/2/cachePoint",
        body(user("a", HOUR, "b", HOUR)),
    ),
    (
        "cache-mark-after-media",
        body(user("a", document("a", "txt"), POINT)),
        "/messages/1/content/2/cachePoint",
        body(user("a", document("a"), POINT)),
    ),
    (
        "cache-marks-too-many",
        body(user("a", POINT, "b", POINT, "c", POINT), toolConfig={"tools": [TOOL, POINT]}, system=[{"text": "d"}, POINT]),
        "/messages/1/content/5/cachePoint",
        body(user("a", POINT, "b", POINT), toolConfig={"tools": [TOOL, POINT]}, system=[{"text": "d"}, POINT]),
    ),
    (
        "cache-ttl-order",
        body(user("a", HOUR), system=[{"text": "b"}, POINT]),
        "/messages/1/content/1/cachePoint",
        body(user("a", POINT), system=[{"text": "b"}, HOUR]),
    ),
    ("number-out-of-range", settings(maxTokens=0), "/inferenceConfig/maxTokens", settings(maxTokens=1, temperature=1, topP=0)),
    ("stop-sequence-blank", settings(stopSequences=[""]), "/inferenceConfig/stopSequences/0", settings(stopSequences=["\n"])),
    (
        "entries-too-many",
        body(requestMetadata={f"k{n}": "v" for n in range(17)}),
        "/requestMetadata",
        body(requestMetadata={f"k{n}": "v" for n in range(16)}),
    ),
]

EDGES: list[Parts] = [
    (
        "empty-text",
        body(user("")),
        "/messages/1/content/0/text",
        body(said(" ", call("a")), user(result("a", {"text": ""}))),
    ),
    (
        "blank-text",
        body(said(" ", call("a")), user(result("a"))),
        "/messages/1/content/0/text",
        body(said(call("a")), user(result("a", {"text": " "}))),
    ),
    ("trailing-whitespace", body(said("It", "is\t")), "/messages/1/content/1/text", body(said("It\t", "is"), user("Is it?\n"))),
    (
        "call-without-result",
        body(said(call("a")), user("Well?")),
        "/messages/1/content/0/toolUse",
        body(*ANSWERED, said(call("b"))),
    ),
    (
        "error-result-content",
        body(
            said(call("a")), {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [], "status": "error"}}]}
        ),
        "/messages/2/content/0/toolResult/content",
        body(said(call("a")), user(result("a", status="error"))),
    ),
    (
        "result-with-other-content",
        body(said(call("a")), user(result("a"), "See", document("a"))),
        "/messages/2/content/2",
        body(said(SERVER_CALL, SERVER_RESULT, call("a")), user(result("a"))),
    ),
    ("tools-missing-for-history", body(said(call("a")), toolConfig={}), "/toolConfig", body(said("4"), toolConfig={})),
    (
        "forced-tool-with-thinking",
        body(**thinking(), **tools(toolChoice={"tool": {"name": "add"}})),
        "/toolConfig/toolChoice",
        body(**tools(toolChoice={"tool": {"name": "add"}})),
    ),
    (
        "document-without-text",
        body(user(document("a"), " ")),
        "/messages/1",
        body(said(call("a")), user(result("a", document("a")))),
    ),
    (
        "image-too-large-bytes",
        body(user(image(PNG[:-4] + "A" * (6 << 20)))),
        "/messages/1/content/0/image",
        body(user("See", document("a", data="A" * (6 << 20)))),
    ),
    (
        "block-type-unsupported",
        body(said(call("a")), user(result("a", video()))),
        "/messages/2/content/0/toolResult/content/0/video",
        body(said(call("a")), user(result("a", image()))),
    ),
    (
        "cache-mark-after-media",
        body(user("a", video(), POINT)),
        "/messages/1/content/2/cachePoint",
        body(user(POINT, image(), POINT, "a")),
    ),
    (
        "entries-too-many",
        body(additionalModelResponseFieldPaths=["/a"] * 11),
        "/additionalModelResponseFieldPaths",
        body(additionalModelResponseFieldPaths=["/a"] * 10, inferenceConfig={"stopSequences": ["a"] * 2500}),
    ),
    (
        "entries-too-many",
        settings(stopSequences=["a"] * 2501),
        "/inferenceConfig/stopSequences",
        settings(stopSequences=["a"] * 2500),
    ),
]

BOTO3 = [
    Case(
        "bedrock_boto3",
        "media-data-invalid",
        body(said("4"), user({"image": {"format": "png", "source": {"bytes": b""}}})),
        "/messages/2/content/0/image/source/bytes",
        body(said("4"), user({"image": {"format": "png", "source": {"bytes": b64decode(PNG)}}})),
    ),
]

CASES = [
    *bedrock_tools_cases.CASES,
    *(Case("bedrock_converse", *each) for each in (*MESSAGES, *CALLS, *THINKING, *MEDIA, *SETTINGS, *EDGES)),
    *BOTO3,
]
