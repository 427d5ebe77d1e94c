"""Whole responses: exact in the same format, losses reported elsewhere, fit for the next request."""

import copy
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from anthropic.types.beta import BetaMessage, message_create_params
from hypothesis import given, strategies as st
from openai.types.chat import ChatCompletion
from pydantic import BaseModel, TypeAdapter

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import documents, share, spoke_responses
from interlingua.testing.splitting import split
from laws import answers, closed, oracles, over, recorded, sdks
from laws.families import ANSWERING, KNOWN, KNOWN_ANSWERING, MAIN, STREAMING
from laws.streaming import judged

SDK: dict[str, type[BaseModel]] = {"openai_chat": ChatCompletion, "anthropic": AnthropicMessage}

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")
read_as = pytest.mark.parametrize(("api", "format"), recorded.READ_AS)
read_as_hub = pytest.mark.parametrize(("api", "format"), recorded.HUBS)


# The same format


def not_exact(body: Any, format: il.FormatName) -> list[str]:
    """Law 2: what a response is dumped as in the same format, where that is not what came; no loss may be reported either."""
    again = il.dump_response(il.load_response(copy.deepcopy(body), format), format, on_loss="raise")
    return [] if documents.canonical(again) == documents.canonical(body) else [documents.difference(body, again)]


@pytest.mark.traffic
@read_as
def test_recorded_responses_come_back_as_they_were(
    traffic: Path, api: str, format: il.FormatName, record_property: Callable[[str, int], None]
) -> None:
    def judge(record: recorded.Record) -> list[str]:
        return not_exact(record.body, format) if share.judged(record.id not in ERRORS_OF_200, least=0.95) else []

    judged(recorded.responses(traffic, api), judge, functools.partial(record_property, f"{format} responses exact"))


# Recorded with the status 200, but an error and nothing else; they raise `ProviderError`, see test_provider_errors.py.
ERRORS_OF_200 = {"d3f900564fe8c15c"}
ODD = {"3f9560686221a882"}
"""Responses of fixtures that no request can repeat: a block of Bedrock with a type, which botocore does not know."""


@over.formats(SDK)
@given(data=st.data())
def test_an_sdks_object_is_read_as_its_dict_is(format: il.FormatName, data: st.DataObject) -> None:
    body = data.draw(testing.responses(format, odd=False))
    is_of_beta = any("mcp_tool" in block["type"] for block in body.get("content", ()))  # only the beta has types for MCP calls
    response = il.load_response((BetaMessage if is_of_beta else SDK[format]).model_validate(body), format)
    assert response == il.load_response(body, format)
    assert response.origin == format


@over.formats(KNOWN_ANSWERING)
@given(data=st.data())
def test_a_response_means_what_its_body_says(format: il.FormatName, data: st.DataObject) -> None:
    body = data.draw(testing.responses(format))
    response = il.load_response(body, format)
    assert (response.id, response.model) == (body.get("id"), body.get("model"))
    for number, choice in enumerate(response.choices):
        said, message = answers.answer(body, format, number), choice.message
        refusals = "".join(part.refusal for part in message.parts if isinstance(part, il.RefusalPart))
        assert message.text + refusals == "".join(said.text)
        if share.judged(not any(isinstance(part, il.OpaquePart) for part in message.parts), least=0.7):
            assert message.thinking == "".join(said.thinking)
        uses = message.tool_uses
        assert [(use.id, use.name) for use in uses] == [(id, name) for id, (name, _) in zip(said.ids, said.calls, strict=True)]
        for use, (_, given_arguments) in zip(uses, said.calls, strict=True):
            assert documents.canonical(documents.arguments(use.arguments or "{}")) == given_arguments
        assert choice.stop_reason == said.reason
        assert choice.incomplete is None
    numbers = answers.usage(body, format)
    for key in il.Usage.model_fields:
        if key != "native":
            assert (getattr(response.usage, key, None) or 0) == numbers.get(key, 0), key


JSON = testing.json_values(max_leaves=20)


# Elsewhere


def lost_in_silence(body: Any, source: il.FormatName, target: il.FormatName) -> list[str]:
    """Law 3, there and back: what a response says, the other one says, or a loss names it."""
    response = il.load_response(body, source)
    losses: list[il.Loss] = []
    out = il.dump_response(response, target, on_loss=losses.append)
    faults = answers.untold((body, source), (out, target), response, losses)
    again = il.load_response(out, target)
    back_losses: list[il.Loss] = []
    back = il.dump_response(again, source, on_loss=back_losses.append)
    faults += [f"back: {fault}" for fault in answers.untold((out, target), (back, source), again, back_losses)]
    assert documents.canonical(json.loads(json.dumps(out))) == documents.canonical(out)
    return faults


@over.pairs(KNOWN_ANSWERING)
@given(data=st.data())
def test_nothing_is_lost_in_silence(target: il.FormatName, sources: list[il.FormatName], data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sources))
    body = data.draw(testing.responses(source))
    assert lost_in_silence(body, source, target) == []


@over.pairs(MAIN)
@given(data=st.data())
def test_what_comes_out_is_the_sdks_response(target: il.FormatName, sources: list[il.FormatName], data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sources))
    body = data.draw(testing.responses(source, odd=False))
    out = il.dump_response(il.load_response(body, source), target, on_loss="ignore")
    # What the source has no word for is not invented.
    assert sdks.response_faults(sdks.whole(out, target), target) == []


def relatives(format: str) -> list[il.FormatName]:
    """The other formats of the family that have answers."""
    return [name for name in ANSWERING if il.FORMATS[name].family == il.FORMATS[format].family and name != format]


@over.formats([format for format in ANSWERING if relatives(format)])
@given(data=st.data())
def test_a_family_loses_none_of_its_own_fields_in_silence(format: il.FormatName, data: st.DataObject) -> None:
    response = il.load_response(data.draw(testing.responses(format)), format)
    for relative in relatives(format):
        assert spoke_responses.lost_between(response, il.FORMATS[relative]) == []


def test_a_field_that_the_target_writes_from_another_is_reported() -> None:
    entry = {"type": "reasoning.encrypted", "format": "google-gemini-v1", "data": "ZGF0YTA="}
    said = {"role": "assistant", "content": "a", "thinking_blocks": [{"type": "thinking", "thinking": ""}]}
    choice = {"index": 0, "finish_reason": "stop", "message": said | {"reasoning_details": [entry]}}
    response = il.load_response({"object": "chat.completion", "choices": [choice]}, "xai")
    losses: list[il.Loss] = []
    il.dump_response(response, "openrouter", on_loss=losses.append)
    assert "/choices/0/message/provider_data/openai/reasoning_details" in [loss.path for loss in losses]


@pytest.mark.traffic
@read_as_hub
def test_recorded_responses_lose_nothing_in_silence(traffic: Path, api: str, format: il.FormatName) -> None:
    target: il.FormatName = "openai_chat" if format == "anthropic" else "anthropic"

    def judge(record: recorded.Record) -> list[str]:
        is_answer = share.judged(not record.body.get("error"), least=0.95)
        return lost_in_silence(record.body, format, target) if is_answer else []

    judged(recorded.responses(traffic, api), judge)


@pytest.mark.traffic
@read_as
def test_recorded_responses_lose_nothing_in_silence_in_any_format_and_back(
    traffic: Path, api: str, format: il.FormatName
) -> None:
    related = relatives(format)
    targets: list[il.FormatName] = [name for name in ANSWERING if name in related or (name in MAIN and name != format)]

    def judge(record: recorded.Record) -> Iterator[str]:
        if not share.judged(not record.body.get("error"), least=0.95):
            return
        response = il.load_response(record.body, format)
        for target in targets:
            yield from (f"to {target}: {fault}" for fault in spoke_responses.lost_between(response, il.FORMATS[target]))
            there = il.load_response(il.dump_response(response, target, on_loss="ignore"), target)
            yield from (f"from {target}: {fault}" for fault in spoke_responses.lost_between(there, il.FORMATS[format]))

    judged(recorded.responses(traffic, api), judge)


# The next request


def answered(message: il.AssistantMessage) -> list[il.Message] | None:
    """What follows an answer: the results of its calls, or another word; None where two calls have one id, or some have none.

    A call alone needs no id, as the `function_call` of Chat has none.
    """
    ids = [use.id for use in message.tool_uses]
    if len(set(ids)) < len(ids) or (None in ids and len(ids) > 1):
        return None
    if not ids:
        return [il.UserMessage(content="Go on.")]
    return [*il.tool_results(message, [{"id": id, "content": [{"type": "text", "text": "done"}]} for id in ids])]


CALLED = {"name": "look_up", "arguments": "{}"}


def faults_of(payload: Any, format: il.FormatName) -> list[closed.Fault]:
    """What a request is blamed for; blocks and citations that no published type knows are nobody's to judge."""
    format = "bedrock_converse" if format == "bedrock_boto3" else format
    known = copy.deepcopy(payload)
    if format in sdks.SDKS:
        known = sdks.SDKS[format].known(known)
    if format not in KNOWN:
        return oracles.all_faults(known, format)
    for message in known["messages"]:
        if isinstance(message.get("content"), list):
            known_parts: list[Any] = [
                part if part.get("type") != "x_unknown" else {"type": "text", "text": "-"} for part in message["content"]
            ]
            message["content"] = known_parts or "-"
            for part in known_parts:
                if part.get("type") == "text" and documents.is_array(part.get("citations")):
                    part["citations"] = [cited for cited in part["citations"] if cited.get("type") not in ("x_unknown", 1)]
    found = list(oracles.server_faults(known, format))
    if format in sdks.SDKS:
        published = sdks.request_faults(known, format)
        beta = beta_faults(known) if published and format == "anthropic" else published
        # An answer to a beta request goes into a beta request, of which there is no published schema.
        found += beta + sdks.spec_faults(known, format) if beta == published else beta
    return found


@functools.cache
def beta_type() -> TypeAdapter[Any]:
    """The request of Anthropic's beta API, extra keys forbidden."""
    return TypeAdapter(closed.Closed().hint(message_create_params.MessageCreateParamsNonStreaming))


def beta_faults(payload: Any) -> list[closed.Fault]:
    found = closed.typed_faults(beta_type(), payload, "beta")
    return [fault for fault in found if fault.pointer not in (*sdks.SDKS["anthropic"].missing, "/stream")]


def unsigned(message: il.AssistantMessage) -> il.AssistantMessage:
    """The message without signatures of its text and its calls."""
    data = message.to_dict()
    for owner in [*(data.get("tool_calls") or ()), *(data["content"] if documents.is_array(data.get("content")) else ())]:
        if owner.get("type") != "thinking":
            owner.pop("signature", None)
    return il.AssistantMessage.model_validate(data)


def refused(body: Any, format: il.FormatName, wire_request: Any) -> list[str]:
    """Law 9: the faults of the next request, as messages alone and as the request that the response answered, continued."""
    message = il.load_response(body, format).message
    if getattr(il.FORMATS[format].profile, "signatures", "") is None:  # hosts of Gemini alone get theirs back
        message = unsigned(message)
    followed = answered(message)
    asked: list[il.Message] = [il.UserMessage(content="Hi.")]
    faults = [f"alone: {fault}" for fault in faults_of(il.dump([*asked, message], format, on_loss="ignore"), format)]
    if share.judged(followed is not None, least=0.95, of="answers") and followed is not None:
        payload = il.dump([*asked, message, *followed], format, on_loss="ignore")
        faults += [f"answered: {fault}" for fault in faults_of(payload, format)]
    request = il.load(wire_request, format)
    if request.messages and request.messages[-1].role == "assistant":
        request = request.replace(messages=(*request.messages, *asked))
    before = {(fault.pointer, fault.rule) for fault in faults_of(il.dump(request, format, on_loss="ignore"), format)}
    if followed is not None:
        longer = request.replace(messages=(*request.messages, message, *followed))
        payload = il.dump(longer, format, on_loss="ignore")
        found = [fault for fault in faults_of(payload, format) if (fault.pointer, fault.rule) not in before]
        faults += [f"continued: {fault}" for fault in found]
    return faults


@over.formats([name for name in ANSWERING if name != "google_genai"])  # whose bodies are Gemini's, and its calls nobody judges
@given(data=st.data())
def test_an_answer_goes_back_into_the_next_request(format: il.FormatName, data: st.DataObject) -> None:
    body = data.draw(testing.responses(format))
    wire_request = data.draw(testing.payloads(format, odd=False))
    if share.judged(not faults_of(wire_request, format), least=0.85):
        assert refused(body, format, wire_request) == []


LEGACY = {
    "choices": [{"finish_reason": "function_call", "message": {"role": "assistant", "content": None, "function_call": CALLED}}]
}
"""A whole answer in OpenAI's first spelling of calls."""
AS_FUNCTION = {"role": "function", "name": "look_up", "content": "done"}


@pytest.mark.parametrize(
    "result",
    [
        il.ToolMessage(content="done"),
        il.ToolMessage(content="done", tool_call_id="call_1"),
        il.ToolMessage(content="done", tool_call_id="look_up", name="look_up"),
        il.ToolMessage(content=[il.TextPart(text="done")]),
        il.UserMessage(content=[il.ToolResultPart(content="done", tool_use_id="call_1")]),
        il.ToolMessage(content="done").replace(wire={"origin": "anthropic"}),
    ],
)
def test_the_result_of_a_function_call_is_a_message_of_role_function(result: il.Message) -> None:
    message = il.load_response(LEGACY, "openai_chat").message
    asked = il.load([{"role": "user", "content": "Hi."}], "openai_chat")
    for history in ([*asked.messages, message, result], asked.replace(messages=[*asked.messages, message, result])):
        losses: list[il.Loss] = []
        written = il.dump(history, "openai_chat", on_loss=losses.append)["messages"]
        assert written[1:] == [{"role": "assistant", "content": None, "function_call": CALLED}, AS_FUNCTION]
        assert {loss.kind for loss in losses} == {"changed"}


@pytest.mark.parametrize("host", ["deepseek", "gemini_openai", "clacky", "openhands"])
@pytest.mark.parametrize("source", ["openai_chat", "deepseek"])
def test_a_host_without_the_role_function_gets_a_tool_call_and_its_result(source: il.FormatName, host: il.FormatName) -> None:
    message = il.load_response(LEGACY, source).message
    history = [il.UserMessage(content="Hi."), message, *il.tool_results(message, [{"content": "done"}])]
    _, said, result = il.dump(history, host)["messages"]
    assert "function_call" not in said
    assert result["role"] == "tool"
    assert [call["id"] for call in said["tool_calls"]] == [result["tool_call_id"]]
    problems = il.check([{"role": "user", "content": "Hi."}, said, result], host)
    assert [problem for problem in problems if problem.severity == "error"] == []


def test_a_builder_writes_the_result_of_a_function_call_with_any_id() -> None:
    builder = il.ChatMessageBuilder()
    builder.append({"role": "user", "content": "Hi."})
    builder.append(il.load_response(LEGACY, "openai_chat").message)
    builder.append_tool_result("call_1", "done")
    for _ in range(2):  # the second from what is kept of the first
        written = builder.dump("openai_chat", on_loss="ignore")["messages"]
        assert written[1:3] == [{"role": "assistant", "content": None, "function_call": CALLED}, AS_FUNCTION]
        builder.append({"role": "user", "content": "Thanks."})


def test_a_request_with_a_function_call_is_answered_by_a_function_and_its_own_results_stay() -> None:
    asked = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": None, "function_call": CALLED}]
    request = il.load(asked, "openai_chat")
    longer = request.replace(messages=(*request.messages, il.ToolMessage(content="done")))
    assert il.dump(longer, "openai_chat", on_loss="ignore")["messages"] == [*asked, AS_FUNCTION]
    for wrong in ({"role": "tool", "content": "x"}, {"role": "tool", "content": "x", "tool_call_id": "1"}):
        body = {"messages": [*asked, wrong]}
        assert il.dump(il.load(body, "openai_chat"), "openai_chat", on_loss="raise") == body


@pytest.mark.parametrize("cited", [{"type": 1, "value": {}}, {"type": "web_search_result_location", "cited_text": "a"}])
def test_an_answer_with_an_odd_citation_goes_back_into_the_next_request(cited: Any) -> None:
    body = {"role": "assistant", "content": [{"type": "text", "text": "Hi.", "citations": [cited]}], "stop_reason": "end_turn"}
    wire_request = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi."}]}
    assert refused(body, "anthropic", wire_request) == []


@over.formats(MAIN)
@given(data=st.data())
def test_what_only_responses_have_is_left_out_without_a_warning(format: il.FormatName, data: st.DataObject) -> None:
    body = data.draw(testing.responses(format, odd=False))
    message = il.load_response(body, format).message
    if not share.judged(bool(message.parts), least=0.75):  # one that says nothing has no place in a request
        return
    losses: list[il.Loss] = []
    il.dump([il.UserMessage(content="Hi."), message], format, on_loss=losses.append)
    assert {loss.kind for loss in losses} <= {"response_only"}
    request = il.load(il.dump([il.UserMessage(content="Hi.")], format), format)
    il.dump(request.replace(messages=(*request.messages, message)), format, on_loss="raise")


@pytest.mark.traffic
@read_as
def test_recorded_answers_go_back_into_the_next_request(traffic: Path, api: str, format: il.FormatName) -> None:
    def judge(record: recorded.Record) -> list[str]:
        asked = record.request or il.dump([il.UserMessage(content="Hi.")], format)
        is_answer = share.judged(not record.body.get("error") and record.id not in ODD, least=0.95)
        return refused(record.body, format, asked) if is_answer else []

    judged(recorded.responses(traffic, api), judge)


@pytest.mark.parametrize(
    ("format", "body", "path"),
    [
        ("anthropic", {"content": [{"type": "text", "text": "\ud800"}]}, "/content/0/text"),
        ("openai_chat", {"choices": [{"message": {"content": "\ud800"}}]}, "/choices/0/message/content"),
        ("openai_chat", {"choices": [], "usage": {"prompt_tokens": 10**4300}}, "/usage/prompt_tokens"),
        ("openai_chat", {"choices": [], "x_unknown": {"a/b": float("inf")}}, "/x_unknown/a~1b"),
    ],
)
def test_what_json_cannot_carry_is_reported_in_its_place(format: il.FormatName, body: dict[str, Any], path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load_response(body, format)
    assert [fault.path for fault in caught.value.faults] == [path]


CITED = ("Rome has ", "2.8 million people", ".")
"""The texts of an answer of which the second has citations."""


@pytest.mark.parametrize("target", STREAMING)
def test_the_texts_of_an_answer_are_joined_with_nothing_between_them(target: il.FormatName) -> None:
    content: list[dict[str, Any]] = [{"type": "text", "text": text} for text in CITED]
    body: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": content}
    body |= {"stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 2}}
    whole = il.load_response(il.dump_response(il.load_response(body, "anthropic"), target), target)
    chunks = split(body, "anthropic", Random(1))
    streamed = il.accumulate(il.reader(target).read(il.restream(chunks, source="anthropic", target=target)))
    for response in (whole, streamed):
        assert "".join(part.text for part in response.message.parts if isinstance(part, il.TextPart)) == "".join(CITED)


@pytest.mark.parametrize("target", ["ollama", "ollama_generate", "harmony", "openai_completions", "bedrock_text"])
def test_a_refusal_stands_apart_from_the_text_before_it(target: il.FormatName) -> None:
    message = {"role": "assistant", "content": "Here is a part.", "refusal": "No more."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    whole = il.load_response(il.dump_response(il.load_response(body, "openai_chat"), target), target)
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas = [
        {"role": "assistant", "content": "Here is "},
        {"content": "a part."},
        {"refusal": "No "},
        {"refusal": "more."},
        {},
    ]
    reasons = [None] * 4 + ["stop"]
    chunks = [
        frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        for delta, reason in zip(deltas, reasons, strict=True)
    ]
    streamed = il.accumulate(il.reader(target).read(il.restream(chunks, source="openai_chat", target=target)))
    assert whole.message.text == "Here is a part.\nNo more."
    if target != "harmony":  # whose streams have a message for each
        assert streamed.message.text == whole.message.text
