"""Records of how owners stood on the wire, what the application adds, and answers of other providers among native messages."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import share
from laws import over
from laws.everything import is_object, models, nodes

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def keys(value: Any) -> set[str]:
    return {str(key) for _, inner in nodes(value) if is_object(inner) for key in inner}


# The record

NOT_KEYS: dict[str, set[str]] = {
    "google_genai": {"generationConfig", "arguments"},
    "harmony": {"model_identity", "knowledge_cutoff", "conversation_start_date", "valid_channels"},
}
"""The provider's names for what its requests have without a key: what the arguments of a call hold, or lines of a text."""


@over.formats(il.FORMATS)
@given(data=st.data())
def test_provider_data_holds_only_fields_of_the_provider(format: il.FormatName, data: st.DataObject) -> None:
    payload = data.draw(testing.payloads(format))
    known = keys(payload) | NOT_KEYS.get(format, set())
    for owner in models(il.load(payload, format)):
        overlays: dict[str, Any] = getattr(owner, "provider_data", None) or {}
        assert all(keys(overlay) <= known for overlay in overlays.values())


BROKEN: dict[str, Any] = {
    "partial": 5,
    "standalone": "x",
    "spelling": {"stop": 5},
    "origin": 5,
    "response": "yes",
    "novel": 1,
}


@pytest.mark.parametrize(("field", "value"), BROKEN.items(), ids=BROKEN)
def test_a_broken_record_is_one_fault(field: str, value: Any) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate([{"role": "user", "content": "x", "wire": {field: value}}])
    (fault,) = caught.value.faults
    assert fault.path == "/0/wire/spelling/stop" if field == "spelling" else f"/0/wire/{field}"


@pytest.mark.parametrize("target", il.FORMATS)
@pytest.mark.parametrize(
    "record",
    [
        {"partial": ["x", "/x/~2", ""]},
        {"standalone": ["/x"]},
        {"spelling": {"max_tokens": "messages", "reasoning": "role", "thinking": "content", "stop": "novel"}},
        {"origin": "no such format", "response": True},
    ],
    ids=["partial", "standalone", "spelling", "origin"],
)
def test_a_hostile_record_breaks_no_dump(target: il.FormatName, record: dict[str, Any]) -> None:
    own: dict[str, Any] = {"wire": record, "provider_data": {"openai": {"x": 5}, "anthropic": {"x": {"y": []}}}}
    message: dict[str, Any] = {"role": "assistant", "content": "x", "reasoning_content": "hm", "thinking_blocks": [], **own}
    request = il.validate({"messages": [message], "max_tokens": 5, "stop": ["x"], "origin": target, **own}, il.Request)
    json.dumps(il.dump(request, target))
    json.dumps(il.dump(request.replace(origin=None), target))


@pytest.mark.parametrize("target", il.FORMATS)
def test_provider_data_that_looks_like_a_record_is_only_provider_data(target: il.FormatName) -> None:
    messages = il.validate([{"role": "user", "content": "x", "provider_data": {"openai": {"<spelling>": {"within": 5}}}}])
    json.dumps(il.dump(messages, target))


def test_what_was_not_read_of_an_object_is_lost_by_itself_at_any_depth() -> None:
    payload = {
        "messages": [{"role": "user", "content": "x"}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "response", "schema": {"type": "object", "additionalProperties": False}, "novel": {"a": 1}},
            "other": 1,
        },
    }
    lost = {loss.path for loss in il.convert(payload, source="openai_chat", target="anthropic").losses}
    assert lost == {"/response_format/other", "/response_format/json_schema/novel"}


def test_settings_of_the_output_are_lost_by_themselves() -> None:
    form = {"type": "json_schema", "schema": {"type": "object"}, "novel": 1}
    payload = {
        "model": "m",
        "max_tokens": 5,
        "messages": [{"role": "user", "content": "x"}],
        "output_config": {"effort": "low", "format": form, "other": [1]},
    }
    assert il.dump(il.load(payload, "anthropic"), "anthropic") == payload
    lost = {loss.path for loss in il.convert(payload, source="anthropic", target="openai_chat").losses}
    assert {"/output_config/other", "/output_config/format/novel"} <= lost
    assert "/output_config" not in lost


# The application's own data


@over.formats(il.FORMATS, "target")
@given(messages=testing.conversations())
def test_the_applications_data_is_never_sent_and_never_a_loss(target: il.FormatName, messages: list[il.Message]) -> None:
    marked = [message.replace(extra={"row": 7}) for message in messages]
    losses: dict[bool, list[il.Loss]] = {True: [], False: []}
    sent = [il.dump(given, target, on_loss=losses[given is marked].append) for given in (marked, messages)]
    assert sent[0] == sent[1]
    assert losses[True] == losses[False]


def has_spellings(message: il.Message) -> bool:
    return not isinstance(message, il.OpaqueMessage | il.TextMessage | il.ToolMessage)


@given(share.such(testing.messages(), has_spellings))
def test_the_applications_data_outlives_a_respelling(message: Any) -> None:
    message = message.replace(extra={"row": 7})
    assert message.to_blocks().extra == {"row": 7}
    if isinstance(message, il.AssistantMessage):
        assert message.to_flat()[0].extra == {"row": 7}
    if isinstance(message, il.UserMessage):
        assert any(flat.extra == {"row": 7} for flat in message.to_flat()[0])


def test_the_applications_data_of_a_tool_message_outlives_a_respelling() -> None:
    assert il.ToolMessage(content="x", tool_call_id="c", extra={"row": 7}).to_blocks().extra == {"row": 7}


# Answers of other providers


CHAT_ANSWER: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "annotations": [],
                "tool_calls": [
                    {"id": "functions.f:0", "type": "function", "function": {"name": "get.weather", "arguments": "{}"}}
                ],
            },
        }
    ],
}
CLAUDE_ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "AAAA"},
        {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Paris"}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


@pytest.mark.parametrize(("source", "body"), [("openai_chat", CHAT_ANSWER), ("anthropic", CLAUDE_ANSWER)])
def test_an_answer_says_where_it_comes_from(source: il.FormatName, body: dict[str, Any]) -> None:
    message = il.load_response(body, source).message
    assert message.wire is not None
    assert (message.wire.origin, message.wire.response) == (source, True)


def asked(source: il.FormatName, answer: dict[str, Any], target: il.FormatName) -> tuple[dict[str, Any], dict[str, str]]:
    """The answer of another provider and its result, appended to a request of the target; what is lost, by path."""
    request = il.load({"messages": [{"role": "user", "content": "x"}]}, target)
    message = il.load_response(answer, source).message
    results = il.tool_results(message, {call.id or "": "sunny" for call in message.tool_uses})
    losses: list[il.Loss] = []
    body = il.dump(request.replace(messages=[*request.messages, message, *results]), target, on_loss=losses.append)
    return body, {loss.path: loss.kind for loss in losses}


def test_a_chat_answer_in_a_request_to_anthropic_follows_anthropics_rules() -> None:
    body, lost = asked("openai_chat", CHAT_ANSWER, "anthropic")
    (call,) = body["messages"][1]["content"]
    (result,) = body["messages"][2]["content"]
    assert call["id"] == result["tool_use_id"] == "il_functions_2e_f_3a_0"
    assert call["name"] != "get.weather"
    assert lost == {"/messages/1/tool_calls/0/name": "changed"}


def test_claudes_answer_in_a_request_to_a_chat_host_follows_its_rules() -> None:
    body, lost = asked("anthropic", CLAUDE_ANSWER, "openai_chat")
    sent = json.dumps(body)
    assert "c2ln" not in sent
    assert "AAAA" not in sent
    assert body["messages"][1]["tool_calls"][0]["id"] == body["messages"][2]["tool_call_id"] == "toolu_1"
    assert {"/messages/1/content/0", "/messages/1/content/1"} <= lost.keys()


def test_a_foreign_call_never_gets_the_id_of_a_native_one() -> None:
    native = {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}]}
    request = il.load({"messages": [native, {"role": "tool", "tool_call_id": "c", "content": "1"}]}, "openai_chat")
    answer = il.AssistantMessage(
        content=[il.ToolUsePart(id="c", name="f", input={})], wire=il.WireRecord(origin="anthropic", response=True)
    )
    result = il.ToolMessage(tool_call_id="c", content="2")
    messages = il.dump(request.replace(messages=[*request.messages, answer, result]), "openai_chat")["messages"]
    assert messages[:2] == [native, {"role": "tool", "tool_call_id": "c", "content": "1"}]
    assert messages[2]["tool_calls"][0]["id"] == messages[3]["tool_call_id"] != "c"


OTHERS: tuple[il.FormatName, ...] = ("openai_responses", "anthropic", "bedrock_converse")
GEMINI_ANSWER: dict[str, Any] = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in ("f", "g")]},
            "finishReason": "STOP",
        }
    ]
}
LEGACY_ANSWER: dict[str, Any] = {
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "finish_reason": "function_call",
            "message": {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        }
    ],
}


CALLED: list[tuple[il.FormatName, dict[str, Any], il.FormatName]] = [
    *[("gemini", GEMINI_ANSWER, target) for target in ("openai_chat", "litellm", *OTHERS)],
    *[("openai_chat", LEGACY_ANSWER, target) for target in OTHERS],  # Chat itself gets its first spelling, without ids
]


@pytest.mark.parametrize(("source", "answer", "target"), CALLED, ids=lambda value: value if type(value) is str else "")
@pytest.mark.parametrize("bare", [False, True])
def test_the_results_of_calls_without_ids_answer_their_calls_anywhere(
    source: il.FormatName, answer: dict[str, Any], target: il.FormatName, bare: bool
) -> None:
    message = il.load_response(answer, source).message
    names = [call.name for call in message.tool_uses][::-1]
    results = il.tool_results(message, [{"name": name, "content": f"of {name}"} for name in names])
    asking = il.load(il.dump([il.UserMessage(content="x")], target), target)
    history = [*asking.messages, message, *results]
    body = il.dump(history if bare else asking.replace(messages=history), target)
    sent = il.load(body, target).messages
    called = {call.id: call.name for each in sent if isinstance(each, il.AssistantMessage) for call in each.tool_uses}
    answers = [each.to_blocks() if isinstance(each, il.ToolMessage) else each for each in sent]
    answered = [part for each in answers for part in each.parts if isinstance(part, il.ToolResultPart)]
    assert [called[part.tool_use_id] for part in answered] == names
    assert all(f"of {name}" in part.model_dump_json() for name, part in zip(names, answered, strict=True))
