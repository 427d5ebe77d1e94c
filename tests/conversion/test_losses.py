"""How losses are reported: one warning a call, which Python shows once for a place; what is no reason to warn."""

import json
import re
import warnings
from collections.abc import Callable
from typing import Any

import pydantic
import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.codec.pointers import Kind, locator
from interlingua.conversion.losses import summary
from interlingua.formats.gemini.spellings import snake
from laws import over
from laws.families import ANSWERING, CALLING

# Warnings

FIELDS = st.sampled_from(["name", "content/0", "content/17/signature", "tool_calls/3"])
LOSSES = st.builds(
    il.Loss,
    path=st.builds("/messages/{}/{}".format, st.integers(0, 10**6), FIELDS),
    at=st.none(),
    kind=st.sampled_from(["dropped", "changed", "moved", "added"]),
    detail=st.builds("there is no place{}".format, st.sampled_from(["", "; sent as call_1", "; sent as call_2"])),
)


@given(losses=st.lists(LOSSES, min_size=1), order=st.randoms(), shift=st.integers(1, 10**6))
def test_a_warning_is_the_same_for_the_same_kinds_of_losses(losses: list[il.Loss], order: Any, shift: int) -> None:
    again = [loss._replace(path=re.sub(r"\d+", lambda n: str(int(n[0]) + shift), loss.path)) for loss in losses]
    order.shuffle(again)
    assert summary(losses + again, "anthropic") == summary(losses, "anthropic")
    assert re.search(r"\d", summary(losses, "anthropic")) is None


@over.formats(ANSWERING)
@given(response=testing.responses(), messages=st.lists(testing.messages(), max_size=2))
def test_the_body_is_the_same_whether_anybody_wants_the_losses(
    format: il.FormatName, response: il.Response, messages: list[il.Message]
) -> None:
    losses: list[il.Loss] = []
    heard = il.dump_response(response, format, on_loss=losses.append)
    assert il.dump_response(response, format, on_loss="ignore") == heard
    said = il.dump([*messages, response.message], format, on_loss=losses.append)
    assert il.dump([*messages, response.message], format, on_loss="ignore") == said


class Stored(pydantic.BaseModel):
    """A user's own model."""

    messages: list[il.Message]


NAMED = [il.UserMessage(content="hi", name="mira") for _ in range(3)]
ANSWER = il.Choice(message=il.AssistantMessage(content="Yes."), stop_reason="stop")


def builder_of(messages: list[il.UserMessage]) -> il.ChatMessageBuilder:
    builder = il.ChatMessageBuilder()
    for message in messages:
        builder.append(message)
    return builder


CALLS: dict[str, Callable[[int], object]] = {
    "dump": lambda n: il.dump(NAMED[:n], "anthropic"),
    "dump of a request": lambda n: il.dump(il.Request(messages=NAMED[:n]), "anthropic"),
    "dump of calls": lambda n: il.dump([called(f"f:{i}.{'x' * i}") for i in range(n)], "anthropic"),
    "dump_as": lambda n: NAMED[n - 1].dump_as("anthropic"),
    "model_dump": lambda n: NAMED[n - 1].model_dump(context={"format": "anthropic"}),
    "model_dump_json": lambda n: NAMED[n - 1].model_dump_json(context={"format": "anthropic"}),
    "a conversation's": lambda n: il.Conversation(messages=NAMED[:n]).model_dump(context={"format": "anthropic"}),
    "a user's model's": lambda n: Stored(messages=[*NAMED[:n]]).model_dump(context={"format": "anthropic"}),
    "no one message": lambda n: il.SystemMessage(content="x" * n).model_dump(context={"format": "anthropic"}),
    "builder.dump": lambda n: builder_of(NAMED[:n]).dump("anthropic"),
    "builder.dump_anthropic": lambda n: builder_of(NAMED[:n]).dump_anthropic(),
    "restream": lambda n: list(il.restream(answering(n), source="openai_chat", target="anthropic")),
    "sse": lambda n: list(il.sse(il.restream(answering(n), source="openai_chat", target="anthropic"), "anthropic")),
    "dump_response": lambda n: il.dump_response(il.Response(choices=[ANSWER] * (n + 1)), "anthropic"),
}


def answering(others: int) -> list[dict[str, Any]]:
    """The chunks of a stream with so many answers besides the first."""
    choices: list[dict[str, Any]] = [{"index": n, "delta": {"content": "Yes."}} for n in range(others + 1)]
    ends: list[dict[str, Any]] = [{"index": n, "delta": {}, "finish_reason": "stop"} for n in range(others + 1)]
    return [{"choices": [choice]} for choice in choices + ends]


def called(id: str) -> il.AssistantMessage:
    return il.AssistantMessage(tool_calls=[il.ToolCall(id=id, name=f"get weather {id}", arguments="{}")])


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_loop_warns_once_at_the_line_of_the_user(call: Callable[[int], object]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for n in (1, 2, 3, 2, 3):
            call(n)
    assert [(warning.category, warning.filename) for warning in caught] == [(il.LossWarning, __file__)]
    assert caught[0].lineno == call.__code__.co_firstlineno


# What only a response has

DESCRIBED: dict[str, dict[str, Any]] = {
    "openai_chat": {
        "id": "c",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m",
        "service_tier": "default",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": 9,
            "completion_tokens": 4,
            "total_tokens": 13,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0},
        },
    },
    "openrouter": {
        "id": "gen-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m",
        "provider": "Host",
        "choices": [
            {"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop", "native_finish_reason": "STOP"}
        ],
    },
    "anthropic": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "Hi."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "container": {"id": "container_1", "expires_at": "2026-01-01T00:00:00Z"},
        "context_management": {"applied_edits": []},
        "usage": {"input_tokens": 9, "output_tokens": 4, "service_tier": "standard", "cache_creation_input_tokens": 0},
    },
}


CHOICE: dict[str, Any] = {"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}
CANDIDATE: dict[str, Any] = {"content": {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}}
ABOUT: dict[str, tuple[il.FormatName, dict[str, Any]]] = {
    "the price at Venice": ("openai_chat", {"choices": [CHOICE], "cost": {"usd": 0.1}, "venice_parameters": {"x": 1}}),
    "the price at Copilot": ("openai_chat", {"choices": [CHOICE], "copilot_usage": {"total_nano_aiu": 5}}),
    "letters that hide the length": ("openai_chat", {"choices": [CHOICE | {"message": CHOICE["message"] | {"padding": "ab"}}]}),
    "the route at Vercel": (
        "openai_chat",
        {"choices": [CHOICE | {"message": CHOICE["message"] | {"provider_metadata": {"gateway": {"cost": "0.1"}}}}]},
    ),
    "a delta without text": ("openai_chat", {"choices": [CHOICE | {"delta": {"role": "assistant", "content": ""}}]}),
    "that Gemini made calls": (
        "gemini",
        {"candidates": [CANDIDATE | {"finishReason": "STOP", "finishMessage": "Model generated function call(s)."}]},
    ),
}
"""What hosts say about an answer beside it."""


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "cohere", "ollama", "openai_responses"])
@pytest.mark.parametrize("case", ABOUT)
def test_what_a_host_says_about_an_answer_is_no_reason_to_warn(case: str, target: il.FormatName) -> None:
    source, body = ABOUT[case]
    losses: list[il.Loss] = []
    il.dump_response(il.load_response(body, source), target, on_loss=losses.append)
    assert [loss for loss in losses if loss.kind != "response_only" and not loss.detail.startswith("a tool call must")] == []
    assert il.dump_response(il.load_response(body, source), source, on_loss="raise") == body


@pytest.mark.parametrize("message", ["Unexpected tool call: f", ""])
def test_why_an_answer_failed_is_a_loss(message: str) -> None:
    candidate = CANDIDATE | {"finishReason": "UNEXPECTED_TOOL_CALL", "finishMessage": message}
    losses: list[il.Loss] = []
    il.dump_response(il.load_response({"candidates": [candidate]}, "gemini"), "anthropic", on_loss=losses.append)
    assert ("dropped", "/choices/0/provider_data/gemini/finishMessage") in [(loss.kind, loss.path) for loss in losses]


RENAMED = {"id": "responseId", "model": "modelVersion", "usage": "usageMetadata", "service_tier": "serviceTier"}
"""What Gemini calls fields of responses."""
USAGES = ("usage", "usageMetadata", "usage_metadata")
"""The objects that have the tier of service at some."""


@pytest.mark.parametrize("target", ANSWERING)
@pytest.mark.parametrize("source", DESCRIBED)
def test_what_describes_a_response_is_in_the_losses_and_no_reason_to_warn(source: il.FormatName, target: il.FormatName) -> None:
    response = il.load_response(DESCRIBED[source], source)
    losses: list[il.Loss] = []
    body = il.dump_response(response, target, on_loss=losses.append)
    assert {loss.kind for loss in losses} <= {"response_only"}
    fields = body.keys() | {field for usage in USAGES for field in body.get(usage, {})}
    table = il.FORMATS[target].usage
    if table is not None and table.fields["input_tokens"][0] in body:
        fields.add("usage")
    for key in DESCRIBED[source].keys() - {"object", "type", "role", "content", "choices", "stop_reason", "stop_sequence"}:
        renamed = RENAMED.get(key, key)
        carried = fields & {key, f"{key}_at", renamed, snake(renamed)}
        assert carried or any(loss.path.endswith(f"/{key}") for loss in losses), key
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        il.dump_response(response, target)
    il.dump_response(response, target, on_loss="raise")


def test_content_that_is_lost_is_a_reason_to_warn() -> None:
    body = json.loads(json.dumps(DESCRIBED["openai_chat"]))
    body["choices"][0]["logprobs"] = {"content": [{"token": "Hi", "logprob": -0.1}]}
    body["related_questions"] = ["Where is it?"]
    response = il.load_response(body, "openai_chat")
    with pytest.raises(il.LossyConversion) as caught:
        il.dump_response(response, "anthropic", on_loss="raise")
    lost = {loss.path.rpartition("/")[2] for loss in caught.value.losses if loss.kind == "dropped"}
    assert lost == {"logprobs", "related_questions"}


@pytest.mark.parametrize("target", CALLING)
def test_the_signature_of_an_empty_text_beside_a_call_is_sent_or_reported(target: il.FormatName) -> None:
    signed = il.TextPart(text="", signature="c2lnbmVk", issuer="gemini")
    answer = il.AssistantMessage(content=[signed, il.ToolUsePart(id="call_1", name="f", input={})])
    losses: list[il.Loss] = []
    body = il.dump([il.UserMessage(content="Hi"), answer], target, on_loss=losses.append)
    assert "c2lnbmVk" in repr(body) or [loss for loss in losses if loss.path.startswith("/1/content/0")]


def test_a_field_that_the_wire_has_in_no_spelling_has_the_place_of_the_last_one() -> None:
    locating = locator({"request": Kind({"limit": ("limits/most", "limit", "most")})})
    assert locating({})("/limit") == ("/most",)
    assert locating({"limits": {}})("/limit") == ("/limits/most",)
    assert locating({"limit": 5})("/limit") == ("/limit",)


@pytest.mark.parametrize("target", ["gemini", "deepseek"])
def test_a_signature_in_the_content_of_chat_is_lost_there(target: il.FormatName) -> None:
    thinking = {"type": "thinking", "thinking": "x", "signature": "s"}
    answer = {"role": "assistant", "content": [thinking, {"type": "text", "text": "a"}]}
    payload = {"model": "m", "messages": [{"role": "user", "content": "Hi."}, answer, {"role": "user", "content": "Go."}]}
    lost = [loss.path for loss in il.convert(payload, source="litellm", target=target).losses if loss.kind == "dropped"]
    assert lost
    assert all(path.startswith("/messages/1/content/0") for path in lost)


def test_a_message_of_which_nothing_is_left_has_the_reason_of_what_it_held() -> None:
    thought: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
    searches = [
        {"type": "web_search_call", "id": f"ws_{n}", "status": "completed", "action": {"type": "open_page"}} for n in (1, 2)
    ]
    asked = {"role": "user", "content": "Hi."}
    wire: dict[str, Any] = {"model": "m", "input": [asked, thought, asked, *searches, asked, thought, searches[0]]}
    result = il.convert(wire, source="openai_responses", target="openai_chat")
    nowhere = "openai_chat has no place for a part of type web_search_call of the openai_responses family"
    several = "nothing in this message can be sent to the target"
    assert {loss.path: loss.detail for loss in result.losses if loss.kind == "dropped"} == {
        "/input/1": "openai_chat does not take reasoning",
        "/input/3": nowhere,
        "/input/4": nowhere,
        "/input/6": several,
        "/input/7": several,
    }


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini", "bedrock_converse", "cohere", "ollama", "openrouter"])
def test_reasoning_that_is_only_an_id_is_no_reason_to_warn(target: il.FormatName) -> None:
    kept: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": []}
    text: dict[str, Any] = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "hi", "annotations": []}],
    }
    body: dict[str, Any] = {"id": "r", "object": "response", "model": "m", "status": "completed", "output": [kept, text]}
    losses: list[il.Loss] = []
    il.dump_response(il.load_response(body, "openai_responses"), target, on_loss=losses.append)
    assert [loss.kind for loss in losses if loss.path == "/choices/0/message/content/0"] == ["response_only"]
    said = {**kept, "summary": [{"type": "summary_text", "text": "hm"}, {"type": "other"}]}
    losses.clear()
    il.dump_response(il.load_response(body | {"output": [said, text]}, "openai_responses"), target, on_loss=losses.append)
    assert [loss.kind for loss in losses if loss.path == "/choices/0/message/content/0"] == ["dropped"]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini"])
def test_a_call_that_the_model_made_itself_says_nothing_more(target: il.FormatName) -> None:
    for caller, lost in (({"type": "direct"}, []), ({"type": "code_execution_20250825", "tool_id": "s"}, ["dropped"])):
        call = {"type": "tool_use", "id": "t", "name": "f", "input": {}, "caller": caller}
        body = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": [call], "stop_reason": "tool_use"}
        losses: list[il.Loss] = []
        il.dump_response(il.load_response(body, "anthropic"), target, on_loss=losses.append)
        assert [loss.kind for loss in losses if loss.path.endswith("/caller")] == lost
        turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": [call]}]
        asked = il.convert({"messages": turns}, source="anthropic", target=target)
        assert [loss.kind for loss in asked.losses if "/caller" in loss.path] == lost


@pytest.mark.parametrize("target", ["bedrock_converse", "anthropic"])
def test_an_item_of_which_nothing_is_left_is_reported_once(target: il.FormatName) -> None:
    said = {"role": "assistant", "content": "a"}
    empty = {"role": "assistant", "content": "", "phase": "commentary"}
    body = {"model": "m", "input": [{"role": "user", "content": "q"}, said, empty]}
    losses = il.convert(body, source="openai_responses", target=target).losses
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/input/2/content"), ("dropped", "/input/2/phase")]
