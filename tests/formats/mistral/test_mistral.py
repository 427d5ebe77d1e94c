"""What only Mistral's chat does: ids of nine characters, reasoning in the content, what stands between messages, flat media."""

import re
from random import Random
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.splitting import split

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

ID = re.compile(r"[A-Za-z0-9]{9}")


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": text}


def called(*ids: str) -> dict[str, Any]:
    calls = [{"id": id, "type": "function", "function": {"name": "add", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": "4"}


def written(*messages: dict[str, Any], **settings: Any) -> tuple[dict[str, Any], list[il.Loss]]:
    """A request of Chat as Mistral gets it, and what that loses."""
    conversion = il.convert({"messages": [*messages], **settings}, source="openai_chat", target="mistral")
    return dict(conversion.payload), [*conversion.losses]


def thought(*texts: str, **more: Any) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": text} for text in texts], **more}


# Ids


def ids_of(payload: Any) -> tuple[list[str], list[str]]:
    """The ids of calls, and those that the results answer."""
    calls = [call["id"] for message in payload["messages"] for call in message.get("tool_calls") or ()]
    return calls, [message["tool_call_id"] for message in payload["messages"] if message["role"] == "tool"]


def test_ids_become_hashes_of_nine_characters_and_each_is_told_once() -> None:
    payload, losses = written(said("q"), called("call_1", "call_2"), result("call_2"), result("call_1"))
    calls, answered = ids_of(payload)
    assert answered == calls[::-1]
    assert len(set(calls)) == 2
    assert all(map(ID.fullmatch, calls))
    assert [(loss.kind, loss.path, calls[i] in loss.detail) for i, loss in enumerate(losses)] == [
        ("changed", "/messages/1/tool_calls/0/id", True),
        ("changed", "/messages/1/tool_calls/1/id", True),
    ]
    again, _ = written(said("q"), called("call_1", "call_2"), result("call_2"), result("call_1"))
    assert again == payload


def test_an_id_that_fits_stays_even_where_it_is_the_hash_of_another() -> None:
    (taken,), _ = ids_of(written(said("q"), called("call_1"), result("call_1"))[0])
    for ids in (("call_1", taken), (taken, "call_1")):
        payload, losses = written(said("q"), called(*ids), *map(result, ids))
        calls, answered = ids_of(payload)
        assert calls == answered
        assert len(set(calls)) == 2
        assert all(map(ID.fullmatch, calls))
        assert {loss.kind for loss in losses} == {"changed"}
    assert ids_of(written(said("q"), called("aB3dE6gH9"), result("aB3dE6gH9"))[0]) == (["aB3dE6gH9"], ["aB3dE6gH9"])


def test_many_ids_stay_different() -> None:
    ids = [f"call_{i}" for i in range(3000)]
    calls, answered = ids_of(written(said("q"), called(*ids), *map(result, ids))[0])
    assert calls == answered
    assert len(set(calls)) == len(ids)  # some of whose hashes begin with the same letters


def test_a_call_without_an_id_gets_one_of_nine_characters() -> None:
    asked: list[il.Message] = [il.UserMessage(content="q"), il.AssistantMessage(content=[il.ToolUsePart(name="add", input={})])]
    (id,), _ = ids_of(il.dump(il.Request(messages=asked), "mistral"))
    assert ID.fullmatch(id)


def test_a_call_that_another_dialect_answered_with_gets_another_id() -> None:
    request = il.load({"model": "m", "messages": [said("q")]}, "mistral")
    answer: dict[str, Any] = {"choices": [{"index": 0, "message": called("call_1"), "finish_reason": "tool_calls"}]}
    message = il.load_response(answer, "deepseek").message
    calls, _ = ids_of(il.dump(request.replace(messages=[*request.messages, message]), "mistral"))
    assert all(map(ID.fullmatch, calls))


# Reasoning


def test_reasoning_in_the_content_goes_to_a_field_and_back() -> None:
    answer: dict[str, Any] = said("a", "assistant") | {"content": [thought("hm"), {"type": "text", "text": "a"}]}
    body = {"model": "m", "messages": [said("q"), answer, said("r")]}
    there = il.convert(body, source="mistral", target="deepseek")
    assert there.payload["messages"][1] == answer | {"content": "a", "reasoning_content": "hm"}
    back = il.convert(there.payload, source="deepseek", target="mistral")
    assert back.payload == body
    assert [*there.losses, *back.losses] == []


def test_reasoning_in_several_texts_or_after_text_reaches_others_and_an_edit_wins() -> None:
    late: list[Any] = [{"type": "text", "text": "x"}, thought("c", "d"), {"type": "text", "text": "y"}]
    messages = [said("q"), {"role": "assistant", "content": [thought("a", "b"), *late]}, said("r")]
    body = {"model": "m", "messages": messages}
    request = il.load(body, "mistral")
    assert il.dump(request, "mistral", on_loss="raise") == body
    answer = request.messages[1]
    assert isinstance(answer, il.AssistantMessage)
    assert [(part.type, getattr(part, "thinking", None)) for part in answer.parts] == [
        ("thinking", "ab"),
        ("text", None),
        ("thinking", "cd"),
        ("text", None),
    ]
    there = il.convert(body, source="mistral", target="deepseek")
    assert there.payload["messages"][1]["reasoning_content"] == "ab\n\ncd"
    assert answer.thinking_blocks is not None
    (block,) = answer.thinking_blocks
    assert isinstance(block, il.ThinkingPart)
    edited = answer.replace(thinking_blocks=[block.replace(thinking="abc")])
    written_again = il.dump(request.replace(messages=[request.messages[0], edited, request.messages[2]]), "mistral")
    assert written_again["messages"][1]["content"] == [thought("abc"), *late]


def test_reasoning_that_is_text_alone_or_holds_more_goes_back_as_it_was() -> None:
    odd = [thought(), {"type": "thinking", "thinking": "vLLM's"}, {"type": "thinking", "thinking": [{"type": "reference"}]}]
    body = {"model": "m", "messages": [said("q"), {"role": "assistant", "content": [{"type": "text", "text": "x"}, *odd]}]}
    assert il.dump(il.load(body, "mistral"), "mistral", on_loss="raise") == body


BLOCKS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "One.", "signature": "c2ln"},
    {"type": "thinking", "thinking": " Two.", "signature": "c2ln"},
    {"type": "text", "text": "Three."},
    {"type": "text", "text": " Four."},
]


@pytest.mark.parametrize("source", ["openai_chat", "anthropic", "bedrock_converse", "gemini", "mistral"])
def test_a_stream_has_its_usage_beside_the_finish_reason(source: il.FormatName) -> None:
    """Clients read the choice of every chunk; Mistral sends none without one."""
    writer = il.writer(source)
    events: list[il.Event] = [
        il.MessageStart(id="m", model="m", created=1),
        il.TextDelta(index=0, text="Hi."),
        il.Stop(stop_reason="stop"),
        il.UsageUpdate(usage=il.Usage(input_tokens=3, output_tokens=2)),
        il.StreamEnd(),
    ]
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    sent = list(il.restream(chunks, source=source, target="mistral"))
    assert [len(chunk["choices"]) for chunk in sent] == [1] * len(sent)
    assert sent[-1]["choices"][0]["finish_reason"] == "stop"
    assert sent[-1]["usage"]["total_tokens"] == 5


@pytest.mark.parametrize("seed", range(5))
def test_an_answer_says_the_same_whole_and_in_a_stream(seed: int) -> None:
    usage = {"input_tokens": 1, "output_tokens": 1}
    body: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": BLOCKS, "usage": usage}
    body |= {"stop_reason": "end_turn", "stop_sequence": None}
    whole_losses: list[il.Loss] = []
    losses: list[il.Loss] = []
    whole = il.dump_response(il.load_response(body, "anthropic"), "mistral", on_loss=whole_losses.append)
    content = whole["choices"][0]["message"]["content"]
    assert content == [thought("One.\n\n Two."), {"type": "text", "text": "Three. Four."}]
    chunks = split(body, "anthropic", Random(seed))
    sent = list(il.restream(chunks, source="anthropic", target="mistral", on_loss=losses.append))
    assert {(loss.kind, loss.path) for loss in losses} == {(loss.kind, loss.path) for loss in whole_losses}
    reader = il.reader("mistral")
    list(reader.read(sent))
    folded = il.dump_response(reader.response, "openrouter")["choices"][0]["message"]
    assert (folded["reasoning"] if "reasoning" in folded else folded["reasoning_details"][0]["text"]) == "One.\n\n Two."
    assert folded["content"] == "Three. Four."


def test_calls_are_sent_in_their_order_whichever_is_whole_first() -> None:
    """Clients of OpenAI's shape take a call to be the next of the list when its chunk comes."""
    events: list[il.Event] = [
        il.MessageStart(id="m", model="m", created=1, origin="openai_chat"),
        *(il.ToolUseStart(index=number, id=f"call_{number}", name="add") for number in range(3)),
        *(il.ArgumentsDelta(index=number, arguments=text) for number, text in ((0, "{"), (2, "{}"), (1, "{}"), (0, "}"))),
        il.Stop(stop_reason="tool_calls"),
        il.StreamEnd(),
    ]
    writer = il.writer("mistral")
    sent = [chunk for event in events for chunk in writer.feed(event)]
    calls = [call for chunk in sent for choice in chunk["choices"] for call in choice["delta"].get("tool_calls", ())]
    assert [(call["index"], call["function"]["arguments"]) for call in calls] == [(0, "{}"), (1, "{}"), (2, "{}")]


TEXTS: list[Any] = [
    {"type": "text", "text": "One"},
    {"type": "reference", "reference_ids": [1]},
    {"type": "text", "text": "Two"},
]
ELSEWHERE: list[il.FormatName] = ["openai_chat", "deepseek", "anthropic", "gemini"]


@pytest.mark.parametrize("target", ELSEWHERE)
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_loses_the_same_whole_and_in_a_stream(target: il.FormatName, seed: int) -> None:
    message = {"role": "assistant", "content": TEXTS}
    body: dict[str, Any] = {"id": "x", "model": "m", "created": 1, "choices": [{"index": 0, "message": message}]}
    body["choices"][0]["finish_reason"] = "stop"
    whole: list[il.Loss] = []
    streamed: list[il.Loss] = []
    il.dump_response(il.load_response(body, "mistral"), target, on_loss=whole.append)
    list(il.restream(split(body, "mistral", Random(seed)), source="mistral", target=target, on_loss=streamed.append))
    assert {(loss.kind, loss.path) for loss in streamed} == {(loss.kind, loss.path) for loss in whole}


def test_fragments_of_reasoning_are_one_block() -> None:
    deltas: list[Any] = [[thought("O", closed=True)], [thought("ne", closed=True)], [thought()], "Two"]
    chunks = [{"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": None}]} for content in deltas]
    reader = il.reader("mistral")
    list(reader.read([*chunks, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]))
    message = reader.response.message
    assert [block.thinking for block in message.thinking_blocks or () if isinstance(block, il.ThinkingPart)] == ["One"]
    assert message.text == "Two"


def test_a_refusal_becomes_text() -> None:
    payload, losses = written(said("q"), {"role": "assistant", "content": None, "refusal": "No."}, said("Why?"))
    assert payload["messages"][1] == {"role": "assistant", "content": [{"type": "text", "text": "No."}]}
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/messages/1/refusal")]


# Messages


def roles(payload: dict[str, Any]) -> list[str]:
    return [message["role"] for message in payload["messages"]]


ANSWERED = [said("q"), called("aB3dE6gH9"), result("aB3dE6gH9"), said("and?")]


def test_an_assistant_message_stands_between_a_result_and_the_user() -> None:
    payload, losses = written(*ANSWERED, model="m")
    assert roles(payload) == ["user", "assistant", "tool", "assistant", "user"]
    assert payload["messages"][3] == said("", "assistant")
    assert [(loss.kind, loss.path, loss.at) for loss in losses] == [("added", "/messages/3", "/messages/3")]
    assert il.check(payload, "mistral") == []


def test_none_stands_there_where_the_profile_says_so_or_the_request_had_none() -> None:
    lenient = il.format_for(il.MistralProfile(user_follows_result=True), "lenient")
    request = {"model": "m", "messages": ANSWERED}
    assert roles(il.convert(request, source="openai_chat", target=lenient, strict=True).payload) == roles(request)
    assert il.dump(il.load(request, "mistral"), "mistral", on_loss="raise") == request
    assert [(each.code, each.severity) for each in il.check(request, "mistral")] == [("user-after-result", "warning")]


@pytest.mark.parametrize("role", ["system", "developer"])
def test_system_text_after_an_answer_becomes_the_users(role: str) -> None:
    payload, losses = written(said("Brief.", "system"), said("q"), said("a", "assistant"), said("Loud.", role), model="m")
    assert roles(payload) == ["system", "user", "assistant", "user"]
    assert [(loss.kind, loss.path, loss.at) for loss in losses] == [("changed", "/messages/3", "/messages/3")]
    payload, losses = written(*ANSWERED[:-1], said("Loud.", role), model="m")
    assert roles(payload) == ["user", "assistant", "tool", "assistant", "user"]
    assert [loss.kind for loss in losses] == ["changed", "added"]
    assert il.check(payload, "mistral") == []


def test_only_a_request_marks_a_last_answer_as_a_prefix() -> None:
    payload, losses = written(said("q"), said("He", "assistant"), model="m")
    assert payload["messages"][1] == said("He", "assistant") | {"prefix": True}
    assert [(loss.kind, loss.at) for loss in losses] == [("added", "/messages/1/prefix")]
    assert written(said("q"), said("He", "assistant")) == ({"messages": [said("q"), said("He", "assistant")]}, [])
    for prefix in (True, False):
        body = {"model": "m", "messages": [said("q"), said("He", "assistant") | {"prefix": prefix}]}
        assert il.dump(il.load(body, "mistral"), "mistral", on_loss="raise") == body


def test_only_the_assistant_says_prefix_and_a_last_answer_says_true() -> None:
    payload, losses = written(said("q") | {"prefix": True}, said("He", "assistant") | {"prefix": False}, model="m")
    assert payload["messages"] == [said("q"), said("He", "assistant") | {"prefix": True}]
    assert [(loss.kind, loss.path, loss.at) for loss in losses] == [
        ("dropped", "/messages/0/prefix", None),
        ("changed", "/messages/1/prefix", "/messages/1/prefix"),
    ]


@pytest.mark.parametrize("role", ["user", "system"])
@pytest.mark.parametrize("target", ["openai_chat", "deepseek", "mistral"])
def test_a_message_without_parts_becomes_one_with_an_empty_text(role: str, target: il.FormatName) -> None:
    source: il.FormatName = "openai_chat" if target == "mistral" else "mistral"
    messages: list[dict[str, Any]] = [{"role": role, "content": []}, said("q")]
    conversion = il.convert({"messages": messages}, source=source, target=target)
    assert conversion.payload["messages"] == [said("", role), said("q")]
    losses = [(loss.kind, loss.path, loss.at) for loss in conversion.losses]
    assert losses == [("changed", "/messages/0", "/messages/0/content")]
    body = {"messages": messages}
    assert il.dump(il.load(body, source), source, on_loss="raise") == body


@pytest.mark.parametrize("role", ["user", "system", "assistant", "tool"])
@pytest.mark.parametrize("reasoning", ["Hm.", [{"type": "text", "text": "Hm."}], []], ids=["text", "list", "nothing"])
def test_reasoning_stays_as_it_was_spelled_in_a_message_of_any_role(role: str, reasoning: Any) -> None:
    body = {"messages": [{"role": role, "content": [{"type": "thinking", "thinking": reasoning}]}]}
    assert il.dump(il.load(body, "mistral"), "mistral", on_loss="raise") == body


def test_a_message_without_content_is_what_is_empty() -> None:
    (problem,) = il.check({"model": "m", "messages": [said("q"), {"role": "assistant"}, said("r")]}, "mistral")
    assert (problem.code, problem.path) == ("assistant-empty", "/messages/1")


# Settings and media


@pytest.mark.parametrize(
    ("seeds", "sent", "lost"),
    [
        ({"random_seed": None, "seed": 2}, 2, []),
        ({"random_seed": 2, "seed": None}, 2, []),
        ({"random_seed": 10**6, "seed": int("1000000")}, 10**6, []),
        ({"random_seed": 1, "seed": 2}, 1, ["/seed"]),
    ],
)
def test_of_two_seeds_one_is_sent(seeds: dict[str, Any], sent: int, lost: list[str]) -> None:
    payload, losses = written(said("q"), model="m", **seeds)
    assert payload == {"model": "m", "messages": [said("q")], "random_seed": sent}
    assert [loss.path for loss in losses] == lost


def test_a_file_in_both_spellings_keeps_both() -> None:
    part = {"type": "file", "file_id": "f1", "file": {"file_id": "f2"}}
    body = {"messages": [{"role": "user", "content": [part]}]}
    assert il.dump(il.load(body, "mistral"), "mistral", on_loss="raise") == body


def test_settings_have_their_names_here() -> None:
    settings = {"seed": 3, "max_completion_tokens": 5, "stop": ["a", "b", "c", "d", "e"]}
    payload, losses = written(said("q"), model="m", stream=True, stream_options={"include_usage": True}, **settings)
    expected = {"model": "m", "random_seed": 3, "max_tokens": 5, "stop": settings["stop"], "stream": True}
    assert payload == {"messages": [said("q")], **expected}
    assert losses == []
    back: Any = il.convert(payload, source="mistral", target="openai_chat").payload
    assert back["seed"] == 3
    assert "random_seed" not in back


def test_every_setting_of_the_sdk_is_sent() -> None:
    from mistralai.client.models import ChatCompletionRequest

    own: dict[str, Any] = dict.fromkeys(ChatCompletionRequest.model_fields, 1) | {
        "model": "m",
        "messages": [said("q")],
        "stop": ["a"],
        "stream": True,
        "metadata": {"run": "1"},
        "response_format": {"type": "text"},
        "reasoning_effort": "high",
        "parallel_tool_calls": False,
        "tools": [{"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {}}}}],
        "tool_choice": "auto",
        "service_tier": "auto",
    }
    lenient = il.format_for(il.ChatProfile(open=True), "lenient")
    conversion = il.convert(own, source=lenient, target="mistral")
    assert [*conversion.losses] == []
    assert conversion.payload == own


@pytest.mark.parametrize(("source", "said_as"), [("openai_chat", 1.8), ("openai_chat", 2), ("gemini", 1.8)])
def test_a_temperature_is_kept_within_the_range(source: il.FormatName, said_as: float) -> None:
    request = il.Request(model="m", messages=[il.UserMessage(content="q")], temperature=said_as)
    asked = il.dump(request, source)
    conversion = il.convert(asked, source=source, target="mistral")
    assert dict(conversion.payload)["temperature"] == 1.5
    temperatures = [loss for loss in conversion.losses if loss.path.endswith("temperature")]
    assert [(loss.kind, loss.at) for loss in temperatures] == [("changed", "/temperature")]
    assert il.check(dict(conversion.payload), "mistral") == []
    within = il.dump(request.replace(temperature=1.5), source)
    assert [loss for loss in il.convert(within, source=source, target="mistral").losses if loss.kind == "changed"] == []


def test_a_seed_below_zero_is_left_out() -> None:
    payload, losses = written(said("q"), model="m", seed=-1)
    assert payload == {"model": "m", "messages": [said("q")]}
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/seed")]
    assert il.convert({"messages": [said("q")], "seed": -1}, source="deepseek", target="openai_chat").losses == ()


def test_a_tier_of_service_is_sent_to_hosts_that_have_it() -> None:
    asked = {"model": "m", "messages": [said("q")], "service_tier": "flex"}
    conversion = il.convert(asked, source="openai_chat", target="mistral")
    assert "service_tier" not in conversion.payload
    assert [(loss.kind, loss.path) for loss in conversion.losses] == [("dropped", "/service_tier")]


STANDARD: list[tuple[il.FormatName, str]] = [
    ("mistral", "standard_only"),
    ("anthropic", "standard_only"),
    ("openai_chat", "default"),
    ("openrouter", "default"),
    ("groq", "on_demand"),
]


@pytest.mark.parametrize(("source", "given"), STANDARD)
@pytest.mark.parametrize(("target", "word"), STANDARD)
def test_standard_capacity_alone_has_other_words(source: il.FormatName, given: str, target: il.FormatName, word: str) -> None:
    asked = {"model": "m", "max_tokens": 9, "messages": [said("q")], "service_tier": given}
    conversion = il.convert(asked, source=source, target=target)
    assert dict(conversion.payload)["service_tier"] == word
    among_hosts = given != word and "anthropic" not in (source, target)
    losses = [(loss.kind, loss.path, loss.at) for loss in conversion.losses]
    assert losses == [("changed", "/service_tier", "/service_tier")] * among_hosts
    assert il.check(dict(conversion.payload), target) == []


PDF, WAV = "data:application/pdf;base64,JVBERi0=", "UklGRg=="
FLAT = [
    {"type": "document_url", "document_url": PDF, "document_name": "a.pdf"},
    {"type": "input_audio", "input_audio": WAV},
    {"type": "file", "file_id": "f1"},
]
NESTED = [
    {"type": "file", "file": {"file_data": PDF, "filename": "a.pdf"}},
    {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
]


def test_media_stand_flat_in_their_part() -> None:
    payload, losses = written({"role": "user", "content": NESTED})
    assert payload["messages"][0]["content"] == FLAT[:2]
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/messages/0/content/1/input_audio/format")]
    for parts in (FLAT, NESTED):
        body = {"messages": [{"role": "user", "content": parts}]}
        assert il.dump(il.load(body, "mistral"), "mistral", on_loss="raise") == body
    there = il.convert({"messages": [{"role": "user", "content": FLAT[:1]}]}, source="mistral", target="openai_chat")
    assert there.payload["messages"][0]["content"] == NESTED[:1]


# Errors


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"object": "error", "message": "Rate limit exceeded", "type": "rate_limited", "param": None, "code": "1300"}, "Rate"),
    ({"detail": "Unauthorized"}, "Unauthorized"),
    ({"message": "Unauthorized", "request_id": "r"}, "Unauthorized"),
    ({"object": "error", "message": {"detail": [{"type": "missing", "msg": "Field required"}]}}, "Field required"),
    ({"detail": [{"type": "missing", "loc": ["body", "model"], "msg": "Field required", "input": {}}]}, "Field required"),
]


@pytest.mark.parametrize(("body", "message"), ERRORS)
def test_errors_are_read_whatever_their_shape(body: dict[str, Any], message: str) -> None:
    with pytest.raises(il.ProviderError, match=message):
        il.load_response(body, "mistral", status=401)


def test_a_message_that_is_an_object_has_its_type_beside_it() -> None:
    detail = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
    body = {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error", "param": None, "code": None}
    with pytest.raises(il.ProviderError) as raised:
        il.load_response(body, "mistral")
    assert (raised.value.message, raised.value.type) == ("Extra inputs are not permitted", "invalid_request_error")
    nested: dict[str, Any] = {"message": "deep"}
    for _ in range(50):
        nested = {"object": "error", "message": nested}
    with pytest.raises(il.ProviderError, match="without a message"):
        il.load_response(nested, "mistral")


def test_an_error_of_its_gateway_is_recognised() -> None:
    found = il.detect({"message": "Unauthorized", "request_id": "c61f2f15feca71626a990e3740f99245"})
    assert [(one.format, one.kind) for one in found] == [("mistral", "error")]
    assert "mistral" not in {one.format for one in il.detect({"message": "no"})}


def test_its_errors_are_recognised() -> None:
    body = {"object": "error", "message": "no", "type": "rate_limited", "param": None, "code": "1300", "raw_status_code": 429}
    found = il.detect(body)
    assert ("mistral", "error") in {(one.format, one.kind) for one in found}
    assert not any(one.kind == "request" for one in found)


@pytest.mark.parametrize("prefix", [None, True])
@pytest.mark.parametrize("size", [1, 3])
def test_names_of_authors_are_left_out_by_repair(prefix: bool | None, size: int) -> None:
    named = [said(str(i)) | {"name": f"n{i}"} for i in range(size)]
    last = [] if prefix is None else [said("He", "assistant") | {"prefix": prefix}]
    request = il.load({"model": "m", "messages": [*named, *last]}, "mistral")
    fixed, repairs = il.repair(request, "mistral")
    assert [repair.code for repair in repairs] == ["message-name-refused"] * size
    assert il.dump(fixed, "mistral") == {"model": "m", "messages": [*(said(str(i)) for i in range(size)), *last]}


FUNCTION = {"name": "add", "arguments": "{}"}
REPAIRED: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    ("role-invalid", [said("Be brief.", "developer"), said("q")], [said("Be brief.", "system"), said("q")]),
    (
        "message-field-refused",
        [said("q"), said("a", "assistant") | {"reasoning_content": "hm", "weight": 1}, said("r")],
        [said("q"), {"role": "assistant", "content": [thought("hm"), {"type": "text", "text": "a"}]}, said("r")],
    ),
    (
        "message-field-refused",
        [said("q"), {"role": "assistant", "content": None, "refusal": "No."}, said("r")],
        [said("q"), {"role": "assistant", "content": [{"type": "text", "text": "No."}]}, said("r")],
    ),
    (
        "last-message-assistant",
        [said("q"), said("He", "assistant") | {"prefix": False}],
        [said("q"), said("He", "assistant") | {"prefix": True}],
    ),
    (
        "last-message-assistant",
        [said("q"), said("He", "assistant")],
        [said("q"), said("He", "assistant") | {"prefix": True}],
    ),
]


@pytest.mark.parametrize(("code", "messages", "expected"), REPAIRED)
def test_what_is_refused_is_written_as_a_conversion_writes_it(
    code: str, messages: list[dict[str, Any]], expected: list[dict[str, Any]]
) -> None:
    request = il.load({"model": "m", "messages": messages}, "mistral")
    fixed, repairs = il.repair(request, "mistral")
    assert il.dump(fixed, "mistral") == {"model": "m", "messages": expected}
    assert code in {repair.code for repair in repairs}
    assert il.check(fixed, "mistral") == []


def test_a_history_that_ends_with_an_answer_gets_no_prefix_by_repair() -> None:
    message = il.AssistantMessage(content="a", reasoning_content="hm", provider_data={"openai": {"weight": 1}}, extra={"id": 7})
    history: list[il.Message] = [il.UserMessage(content="q"), message]
    fixed, _ = il.repair(
        il.load({"messages": il.dump(il.Request(messages=history), "deepseek")["messages"]}, "mistral"), "mistral"
    )
    assert "prefix" not in str(il.dump(fixed, "mistral"))
    request = il.Request(messages=history, origin="mistral")
    assert il.repair(request, "mistral")[0].messages[1].extra == {"id": 7}


def test_a_result_without_the_id_of_its_call_gets_it_by_repair() -> None:
    answered = {key: value for key, value in result("aB3dE6gH9").items() if key != "tool_call_id"}
    request = il.load({"model": "m", "messages": [said("q"), called("aB3dE6gH9"), answered]}, "mistral")
    fixed, repairs = il.repair(request, "mistral")
    assert [repair.code for repair in repairs] == ["tool-call-id-missing"]
    assert ids_of(il.dump(fixed, "mistral")) == (["aB3dE6gH9"], ["aB3dE6gH9"])


def test_a_function_and_its_result_in_the_first_spelling_stay_together_by_repair() -> None:
    messages = [
        said("q"),
        {"role": "assistant", "content": "", "function_call": FUNCTION},
        said("4", "function") | {"name": "add"},
    ]
    fixed, _ = il.repair(il.load({"model": "m", "messages": messages}, "mistral"), "mistral")
    (call,), (answered,) = ids_of(il.dump(fixed, "mistral"))
    assert call == answered
    assert il.check(fixed, "mistral") == []


def test_a_call_that_is_written_anew_keeps_its_result() -> None:
    messages = [said("q"), called("call_1", "call_2") | {"weight": 1}, result("call_1"), result("call_2")]
    fixed, repairs = il.repair(il.load({"model": "m", "messages": messages}, "mistral"), "mistral")
    payload = il.dump(fixed, "mistral")
    calls, answered = ids_of(payload)
    assert calls == answered
    assert len(set(calls)) == 2
    assert "weight" not in str(payload)
    assert [repair.code for repair in repairs].count("call-id-format") == 4
