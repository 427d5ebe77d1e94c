"""A refused body and a near miss for each rule of Chat Completions."""

from typing import Any

from checking.refusals import chat_tools_cases
from checking.refusals.cases import Case

ADD: dict[str, Any] = {"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {}}}}
PNG = "data:image/png;base64,iVBORw0KGgo="


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "What is 2 + 2?"}, *messages], **fields}


def call(*ids: str, **fields: Any) -> dict[str, Any]:
    made = [{"id": id, "type": "function", "function": {"name": "add", "arguments": "{}"} | fields} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(id: str | None, content: Any = "4") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def answered(*ids: str, **fields: Any) -> tuple[dict[str, Any], ...]:
    return (call(*ids, **fields), *(result(id) for id in ids))


def user(*parts: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(parts), **fields}


def image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def file(data: str) -> dict[str, Any]:
    return {"type": "file", "file": {"filename": "a.pdf", "file_data": data}}


def marked(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}


def audio(format: str) -> dict[str, Any]:
    return {"type": "input_audio", "input_audio": {"data": "SUQz", "format": format}}


def signed(id: str, *, signature: str | None = None) -> dict[str, Any]:
    message = call(id)
    if signature is not None:
        message["tool_calls"][0]["extra_content"] = {"google": {"thought_signature": signature}}
    return message


SAID = {"role": "user", "content": "Well?"}
APART = (call("a"), SAID, result("a"))

MESSAGES = [
    Case("openai_chat", "no-messages", {"model": "m", "messages": []}, "/messages", body()),
    Case(
        "openai_chat",
        "role-invalid",
        body({"role": "model", "content": "4"}),
        "/messages/1/role",
        body({"role": "developer", "content": "Be brief."}),
    ),
    Case(
        "openai_chat",
        "content-null",
        body({"role": "assistant", "content": None}),
        "/messages/1/content",
        body({"role": "assistant", "content": ""}, {"role": "assistant", "content": None, "refusal": "No."}, *answered("a")),
    ),
    Case(
        "openai_chat",
        "empty-message",
        body(user()),
        "/messages/1/content",
        body({**call("a"), "content": []}, result("a")),
    ),
    Case(
        "openai_chat",
        "empty-message",
        body(call("a"), result("a", None)),
        "/messages/2/content",
        body(call("a"), result("a", "")),
    ),
    Case(
        "openai_chat",
        "message-name-pattern",
        body({"role": "user", "content": "Hi", "name": "Ann Lee"}),
        "/messages/1/name",
        body({"role": "user", "content": "Hi", "name": "Ann_Lee@home"}),
    ),
    Case(
        "openai_chat",
        "message-name-too-long",
        body({"role": "user", "content": "Hi", "name": "a" * 65}),
        "/messages/1/name",
        body({"role": "user", "content": "Hi", "name": "a" * 64}),
    ),
    Case(
        "openai_chat",
        "function-name-missing",
        body({"role": "function", "content": "4"}),
        "/messages/1/name",
        body({"role": "function", "content": None, "name": "add"}),
    ),
    Case(
        "openai_chat",
        "extra-field-refused",
        body({"role": "assistant", "content": "4", "parsed": None}),
        "/messages/1/parsed",
        body({"role": "assistant", "content": "4", "refusal": None, "annotations": []}),
    ),
    Case(
        "openai_chat",
        "messages-too-many",
        body(*[{"role": "user", "content": "Hi"}] * 2048),
        "/messages",
        body(*[{"role": "user", "content": "Hi"}] * 2047),
    ),
    Case(
        "openai_chat",
        "text-too-long",
        body({"role": "user", "content": "a" * 1_048_577}),
        "/messages/1/content",
        body({"role": "user", "content": "a" * 1_048_576}, user({"type": "text", "text": "a" * 1_048_576})),
    ),
    Case(
        "openai_chat",
        "lone-surrogate",
        body(user({"type": "text", "text": "cut \ud83d"})),
        "/messages/1/content/0/text",
        body(user({"type": "text", "text": "whole \U0001f600"}), {"role": "user", "content": "Grüße"}),
    ),
    Case(
        "openai_chat",
        "lone-surrogate",
        body(tools=[{"type": "function", "function": {"name": "add", "description": "cut \ud83d"}}]),
        "/tools/0/function/description",
        body(tools=[{"type": "function", "function": {"name": "add", "description": "whole \U0001f600"}}]),
    ),
    Case(
        "openai_chat",
        "lone-surrogate",
        body({"role": "user", "content": "cut \ud83d"}),
        "/messages/1/content",
        body({"role": "user", "content": "whole \U0001f600"}),
    ),
    Case(
        "deepseek",
        "lone-surrogate",
        body(*answered("a", arguments='{"a": "\ud83d"}')),
        "/messages/1/tool_calls/0/function/arguments",
        body(*answered("a", arguments='{"a": "\U0001f600"}')),
    ),
]

CALLS = [
    Case(
        "openai_chat",
        "call-without-result",
        body(call("a", "b"), result("a")),
        "/messages/1/tool_calls/1",
        body(call("a", "b"), result("b"), result("a")),
    ),
    Case(
        "openai_chat",
        "result-without-call",
        body(result("a")),
        "/messages/1",
        {"model": "m", "messages": [*answered("a")]},
    ),
    Case("openai_chat", "call-without-result", body(*APART), "/messages/1/tool_calls/0", body(*answered("a"), SAID)),
    Case("openai_chat", "result-without-call", body(*APART), "/messages/3", body(*answered("a"), SAID)),
    Case("deepseek", "call-without-result", body(*APART), "/messages/1/tool_calls/0", body(call("a"), result("a"), SAID)),
    Case("openrouter", "result-far-from-call", body(*APART), "/messages/3", body(*answered("a"), SAID, *answered("a"))),
    Case(
        "gemini_openai",
        "result-far-from-call",
        body(call("a", "b"), result("a"), SAID, result("b")),
        "/messages/4",
        body(*answered("a", "b"), SAID),
    ),
    Case("litellm", "call-without-result", body(call("a"), SAID), "/messages/1/tool_calls/0", body(*APART)),
    Case("litellm", "call-without-result", body(call("a"), SAID, *answered("a")), "/messages/1/tool_calls/0", body(*APART)),
    Case("litellm", "result-without-call", body(result("a"), call("a"), SAID), "/messages/1", body(*APART)),
    Case("openrouter", "result-without-call", body(*APART, SAID, result("a")), "/messages/5", body(*APART, SAID)),
    Case(
        "openai_chat",
        "result-duplicate",
        body(call("a"), result("a"), result("a")),
        "/messages/3/tool_call_id",
        body(*answered("a"), *answered("a")),
    ),
    Case(
        "openai_chat",
        "tool-call-id-missing",
        body(call("a"), result(None)),
        "/messages/2/tool_call_id",
        body(*answered("a")),
    ),
    Case("openai_chat", "call-id-missing", body(call("")), "/messages/1/tool_calls/0/id", body(*answered("a"))),
    Case(
        "openai_chat",
        "tool-id-duplicate",
        body(call("a", "a"), result("a")),
        "/messages/1/tool_calls/1/id",
        body(*answered("a"), *answered("a")),
    ),
    Case(
        "openai_chat",
        "tool-call-id-too-long",
        body(*answered("a" * 65)),
        "/messages/2/tool_call_id",
        body(*answered("a" * 64)),
    ),
    Case(
        "openai_chat",
        "tools-too-many",
        body(*answered(*map(str, range(129)))),
        "/messages/1/tool_calls",
        body(*answered(*map(str, range(128)))),
    ),
    Case(
        "openai_chat",
        "arguments-not-string",
        body(*answered("a", arguments={"b": 1})),
        "/messages/1/tool_calls/0/function/arguments",
        body(*answered("a", arguments="no JSON")),
    ),
    Case(
        "openai_chat",
        "call-shape-wrong",
        body({"role": "assistant", "tool_calls": [{"id": "a", "name": "add", "arguments": "{}"}]}, result("a")),
        "/messages/1/tool_calls/0",
        body(
            {"role": "assistant", "tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "run", "input": "1"}}]},
            result("a"),
        ),
    ),
]

MEDIA = [
    Case(
        "openai_chat",
        "part-type-missing",
        body(user({"text": "Hi"})),
        "/messages/1/content/0/type",
        body(user({"type": "text", "text": "Hi"})),
    ),
    Case(
        "openai_chat",
        "part-type-unsupported",
        body(user({"type": "tool_result", "tool_use_id": "a"})),
        "/messages/1/content/0/type",
        body(user({"type": "video_url", "video_url": {"url": "https://example.com/a.mp4"}})),
    ),
    Case(
        "openai_chat",
        "refusal-not-alone",
        body({"role": "assistant", "content": [{"type": "text", "text": "No."}, {"type": "refusal", "refusal": "No."}]}),
        "/messages/1/content/1",
        body({"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}),
    ),
    Case(
        "openai_chat",
        "media-not-in-user",
        body(call("a"), result("a", [image(PNG)])),
        "/messages/2/content/0",
        body(call("a"), result("a", [{"type": "text", "text": "4"}]), user(image(PNG))),
    ),
    Case(
        "openai_chat",
        "image-url-not-object",
        body(user({"type": "image_url", "image_url": PNG})),
        "/messages/1/content/0/image_url",
        body(user(image(PNG))),
    ),
    Case(
        "openai_chat",
        "image-data-invalid",
        body(user(image("data:image/png;base64,"))),
        "/messages/1/content/0/image_url/url",
        body(user(image(PNG))),
    ),
    Case(
        "openai_chat",
        "image-data-invalid",
        body(user({"type": "text", "text": "Hi"}, image("data:image/png;base64,iVBOR"))),
        "/messages/1/content/1/image_url/url",
        body(user(image("data:image/png;base64,iVBORw0KGgo"))),
    ),
    Case(
        "deepseek",
        "image-data-invalid",
        body(user(image("data:image/png,iVBORw0KGgo="))),
        "/messages/1/content/0/image_url/url",
        body(user({"type": "text", "text": PNG})),
    ),
    Case(
        "openai_chat",
        "image-url-scheme",
        body(user(image("images/cat.png"))),
        "/messages/1/content/0/image_url/url",
        body(user(image("https://example.com/cat.png"))),
    ),
    Case(
        "openai_chat",
        "image-url-unreachable",
        body(user(image("gs://bucket/cat.png"))),
        "/messages/1/content/0/image_url/url",
        body(user(image("HTTPS://example.com/cat.png"), image(PNG))),
    ),
    Case(
        "openai_chat",
        "media-type-unsupported",
        body(user(image("data:image/tiff;base64,SUkqAA=="))),
        "/messages/1/content/0/image_url/url",
        body(user(image("data:image/JPEG;base64,/9j/"))),
    ),
    Case(
        "openai_chat",
        "media-type-unsupported",
        body(user(audio("flac"))),
        "/messages/1/content/0/input_audio/format",
        body(user(audio("mp3"))),
    ),
    Case(
        "openai_chat",
        "media-type-unsupported",
        body(user({"type": "text", "text": "Hi"}, image("data:image/png;base64,QUJDRA=="))),
        "/messages/1/content/1/image_url/url",
        body(user(image(PNG), image("data:image/webp;base64,UklGRiQAAABXRUJQ"))),
    ),
    Case(
        "openai_chat",
        "image-too-large-bytes",
        body(user(image(PNG[: PNG.index(",") + 1] + "AAAA" * 7_000_000))),
        "/messages/1/content/0/image_url/url",
        body(user(image(PNG[: PNG.index(",") + 1] + "AAAA" * 6_990_000))),
    ),
    Case(
        "openai_chat",
        "file-data-format",
        body(user(file("gs://bucket/a.pdf"))),
        "/messages/1/content/0/file/file_data",
        body(user(file("data:application/pdf;base64,JVBERi0="))),
    ),
    Case(
        "openai_chat",
        "file-data-format",
        body(user(image(PNG), file("data:application/pdf;base64,%PDF-1.7"))),
        "/messages/1/content/1/file/file_data",
        body(user(file("https://example.com/a.pdf"), {"type": "file", "file": {"file_id": "file-1"}})),
    ),
]

SETTINGS = [
    Case("openai_chat", "number-out-of-range", body(temperature=-1), "/temperature", body(temperature=0, top_p=1, n=None)),
    Case("deepseek", "number-out-of-range", body(top_p=1.5), "/top_p", body(temperature=2)),
    Case("openai_completions", "number-out-of-range", {"prompt": "a", "best_of": 21}, "/best_of", {"prompt": "a"}),
    Case("openai_chat", "max-tokens-too-small", body(max_tokens=0), "/max_tokens", body(max_tokens=1)),
    Case(
        "openai_chat",
        "max-tokens-twice",
        body(max_tokens=9, max_completion_tokens=9),
        "/max_tokens",
        body(max_tokens=None, max_completion_tokens=9),
    ),
    Case(
        "openai_chat",
        "stream-options-without-stream",
        body(stream_options={"include_usage": True}),
        "/stream_options",
        body(stream_options={"include_usage": True}, stream=True),
    ),
    Case("openai_chat", "metadata-without-store", body(metadata={"a": "b"}), "/metadata", body(metadata={}, store=False)),
    Case(
        "openai_chat",
        "metadata-too-large",
        body(metadata={"a": "b" * 513}, store=True),
        "/metadata/a",
        body(metadata={"a": "b" * 512}, store=True),
    ),
    Case(
        "openai_chat",
        "metadata-too-large",
        body(metadata=dict.fromkeys(map(str, range(17)), "a"), store=True),
        "/metadata",
        body(metadata=dict.fromkeys(map(str, range(16)), "a"), store=True),
    ),
    Case(
        "openai_chat",
        "top-logprobs-without-logprobs",
        body(top_logprobs=2),
        "/top_logprobs",
        body(top_logprobs=2, logprobs=True),
    ),
    Case(
        "openai_chat",
        "audio-settings-missing",
        body(modalities=["text", "audio"]),
        "/modalities",
        body(modalities=["text", "audio"], audio={"voice": "alloy", "format": "wav"}),
    ),
    Case(
        "openai_chat",
        "json-object-needs-word",
        body(response_format={"type": "json_object"}),
        "/messages",
        body({"role": "system", "content": "Answer in Json."}, response_format={"type": "json_object"}),
    ),
    Case(
        "deepseek",
        "json-object-needs-word",
        body(user({"type": "text", "text": "Hi"}), response_format={"type": "json_object"}),
        "/messages",
        body(user({"type": "text", "text": "As JSON"}), response_format={"type": "json_object"}),
    ),
    Case("openai_chat", "stop-too-many", body(stop=list("abcde")), "/stop", body(stop=list("abcd"))),
    Case("openai_chat", "setting-too-long", body(user="a" * 65), "/user", body(user="a" * 64, stop="longer than four")),
]

HOSTS = [
    Case(
        "deepseek",
        "role-invalid",
        body({"role": "developer", "content": "Be brief."}),
        "/messages/1/role",
        body({"role": "system", "content": "Be brief."}),
    ),
    Case(
        "deepseek",
        "modality-unsupported-image",
        body(user(image(PNG))),
        "/messages/1/content/0/type",
        body(user({"type": "text", "text": "Hi"})),
    ),
    Case(
        "deepseek",
        "content-must-be-string",
        body({"role": "assistant", "content": [{"type": "text", "text": "4"}]}),
        "/messages/1/content",
        body(user({"type": "text", "text": "Hi"}), {"role": "assistant", "content": "4"}),
    ),
    Case(
        "deepseek",
        "reasoning-content-missing",
        body(*answered("a")),
        "/messages/1/reasoning_content",
        body({**call("a"), "reasoning_content": ""}, result("a"), {"role": "assistant", "content": "4"}),
    ),
    Case(
        "deepseek",
        "reasoning-content-missing",
        body({"role": "user", "content": "Now?"}, *answered("a"), thinking={"type": "enabled"}),
        "/messages/2/reasoning_content",
        body(*answered("a"), thinking={"type": "disabled"}),
    ),
    Case(
        "deepseek",
        "forced-tool-choice-in-thinking",
        body(tools=[ADD], tool_choice="required", thinking={"type": "enabled"}),
        "/tool_choice",
        body(tools=[ADD], tool_choice="required", thinking={"type": "disabled"}),
    ),
    Case(
        "gemini_openai",
        "json-mode-with-tools",
        body(tools=[ADD], response_format={"type": "json_object"}),
        "/response_format",
        body(tools=[ADD], response_format={"type": "text"}),
    ),
    Case(
        "openrouter",
        "reasoning-effort-and-budget",
        body(reasoning={"effort": "low", "max_tokens": 100}),
        "/reasoning/effort",
        body(reasoning={"effort": "low"}),
    ),
    Case(
        "openrouter",
        "cache-marks-too-many",
        body(user(*[marked("Hi")] * 5)),
        "/messages/1/content/4/cache_control",
        body(user(*[marked("Hi")] * 4)),
    ),
    Case(
        "gemini_openai",
        "thought-signature-missing",
        body(signed("a", signature="c2ln"), result("a"), signed("b"), result("b")),
        "/messages/3/tool_calls/0",
        body(signed("a", signature="c2ln"), result("a"), {"role": "user", "content": "And 3 + 3?"}, *answered("b")),
    ),
    Case("gemini_openai", "openai-field-unknown", body(seed=1), "/seed", body(top_p=0.5)),
]

CASES = [*MESSAGES, *CALLS, *MEDIA, *SETTINGS, *HOSTS, *chat_tools_cases.CASES]
