"""What is odd about the responses and streams of Chat Completions hosts, and about what others' become there."""

import copy
import json
import pickle
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

import interlingua as il

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

FRAME: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
REQUEST = [il.UserMessage(content="Hi.")]


def body(message: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi."} if message is None else message}
    return {**FRAME, "choices": [choice | {"finish_reason": "stop"}], **more}


def called(*calls: Any, **more: Any) -> dict[str, Any]:
    return body({"role": "assistant", "content": None, "tool_calls": list(calls), **more})


def function(name: str = "f", arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"id": "call_a", "type": "function", "function": {"name": name, "arguments": arguments}, **more}


def dumped(response: il.Response, target: str = "openai_chat") -> tuple[dict[str, Any], set[tuple[str, str]]]:
    told: list[il.Loss] = []
    out = il.dump_response(response, target, on_loss=told.append)
    return out, {(loss.kind, loss.path) for loss in told}


# Whole responses

ODD: dict[str, dict[str, Any]] = {
    "an error and nothing else": {"error": {"message": "filtered", "code": "content_filter", "innererror": {"code": 1}}},
    "choices that are null": {"choices": None, "error": None},
    "a choice without message": {**FRAME, "choices": [{"index": 0, "content_filter_results": {}, "finish_reason": "stop"}]},
    "a message that is null": {**FRAME, "choices": [{"message": None, "finish_reason": None}]},
    "no role": body({"content": "Hi."}),
    "a role that is null": body({"role": None, "content": "Hi."}),
    "no content": body({"role": "assistant", "refusal": None}),
    "no object": {key: value for key, value in body().items() if key != "object"},
    "a null id and time": body() | {"id": None, "created": None},
    "a usage that is null": body(usage=None),
    "half a usage": body(usage={"prompt_tokens": 3, "completion_tokens": None, "total_tokens": 2.5}),
    "calls without id": called({"function": {"name": "f", "arguments": "{}"}}, {"id": None, **function()}),
    "arguments as an object": called(function(arguments={"a": [1]})),
    "arguments that are null": called(function(arguments=None), {"id": "b", "function": {"name": "f"}}),
    "calls that are numbered": called(function(index=0), function(index=None), function(index=7)),
    "empty text beside calls": called(function(), content=""),
    "a call in the first spelling": body(
        {"role": "assistant", "function_call": {"name": "f", "arguments": ""}, "tool_calls": []}
    ),
    "reasoning twice": body({"role": "assistant", "reasoning_content": "x", "reasoning": "x"}),
    "reasoning of two kinds": body({"role": "assistant", "reasoning_content": "x", "reasoning": "y"}),
    "reasoning that nobody knows": body({"role": "assistant", "reasoning": {"x": 1}, "reasoning_details": [{"type": "x"}]}),
    "Mistral's parts": body(
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "x"}], "closed": True},
                {"type": "text", "text": "Hi."},
            ],
        }
    ),
    "what hosts add": body(citations=["u"], x_groq={"id": "r"}, provider="P", service_tier=None),
    "what hosts add to a message": body({"role": "assistant", "content": "", "annotations": [], "audio": None}),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("format", ["openai_chat", "openrouter", "verifiers"])
def test_odd_responses_come_home_as_they_were(name: str, format: str) -> None:
    assert il.dump_response(il.load_response(ODD[name], format), format, on_loss="raise") == ODD[name]


def test_an_error_in_a_body_of_200_is_a_response_without_choices() -> None:
    response = il.load_response(ODD["an error and nothing else"], "openai_chat")
    assert response.choices == ()
    assert response.message.parts == ()
    assert (response.provider_data or {})["openai"]["error"]["code"] == "content_filter"


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        ({"choices": [{"message": {"tool_calls": [{"function": {"name": "f", "arguments": 5}}]}}]}, "function/arguments"),
        ({"choices": [{"message": {"content": 5}}]}, "/choices/0/message/content"),
        ({"choices": [{"message": 5}]}, "/choices/0/message"),
        ({"choices": {}}, "/choices"),
        ({"usage": []}, "/usage"),
    ],
)
def test_what_makes_no_sense_is_one_fault_with_its_place(bad: dict[str, Any], path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load_response(bad, "openai_chat")
    assert len(caught.value.faults) == 1
    assert caught.value.faults[0].path.endswith(path)


def test_input_is_counted_in_kinds_that_do_not_overlap() -> None:
    details = {"cached_tokens": 60, "cache_write_tokens": 30, "audio_tokens": 4}
    spent = {"reasoning_tokens": 5, "audio_tokens": 2}
    told = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "prompt_tokens_details": details}
    usage = il.load_response(body(usage=told | {"completion_tokens_details": spent}), "openai_chat").usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens, usage.output_tokens) == (10, 60, 30, 7)
    assert (usage.reasoning_tokens, usage.input_audio_tokens, usage.output_audio_tokens) == (5, 4, 2)
    assert (usage.total_input_tokens, usage.total_tokens) == (100, 107)


def test_a_host_that_counts_what_was_cached_apart_is_believed() -> None:
    used = {"prompt_tokens": 12, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4000}}
    usage = il.load_response(body(usage=used), "openai_chat").usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens) == (12, 4000)


def test_an_edit_of_what_was_used_wins() -> None:
    used = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10, "cost": 0.5, "completion_tokens_details": None}
    response = il.load_response(body(usage=used), "openai_chat")
    assert response.usage is not None
    edited = response.replace(usage=response.usage.replace(output_tokens=5, reasoning_tokens=2))
    out, told = dumped(edited)
    assert out["usage"] == used | {
        "completion_tokens": 5,
        "total_tokens": 14,
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    assert not told


def anthropic(content: list[Any], **more: Any) -> il.Response:
    frame = {"id": "msg_0", "type": "message", "role": "assistant", "model": "claude", "content": content}
    return il.load_response({**frame, "stop_reason": "end_turn", "stop_sequence": None, **more}, "anthropic")


def test_what_anthropic_used_is_counted_openais_way() -> None:
    used = {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 100, "output_tokens": 7}
    out, _ = dumped(anthropic([], usage=used))
    assert out["usage"] == {
        "prompt_tokens": 123,
        "completion_tokens": 7,
        "total_tokens": 130,
        "prompt_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 100},
    }


@pytest.mark.parametrize(
    ("word", "written", "same"),
    [
        ("end_turn", "stop", True),
        ("max_tokens", "length", True),
        ("tool_use", "tool_calls", True),
        ("stop_sequence", "stop", False),
        ("refusal", "content_filter", False),
        ("pause_turn", "length", False),
        ("model_context_window_exceeded", "length", False),
        ("x_unknown", "stop", False),
    ],
)
def test_a_reason_to_stop_without_a_word_here_is_told(word: str, written: str, same: bool) -> None:
    out, told = dumped(anthropic([], stop_reason=word))
    assert out["choices"][0]["finish_reason"] == written
    assert (("changed", "/choices/0/stop_reason") not in told) is same


def test_words_for_why_it_ended_are_kept_unless_edited() -> None:
    response = il.load_response(body({"function_call": {"name": "f", "arguments": ""}}), "openai_chat")
    choice = response.choices[0].replace(stop_reason="tool_calls", native_stop_reason="function_call")
    assert dumped(response.replace(choices=[choice]))[0]["choices"][0]["finish_reason"] == "function_call"
    edited = response.replace(choices=[choice.replace(stop_reason="length")])
    assert dumped(edited)[0]["choices"][0]["finish_reason"] == "length"


def test_the_text_of_an_answer_is_one_text() -> None:
    out, told = dumped(anthropic([{"type": "text", "text": "The sky "}, {"type": "text", "text": "is blue."}]))
    assert out["choices"][0]["message"] == {"role": "assistant", "content": "The sky is blue."}
    assert told == {("changed", "/choices/0/message/content/0"), ("changed", "/choices/0/message/content/1")}


def test_a_refusal_among_the_parts_goes_to_its_field() -> None:
    message = il.AssistantMessage(content=(il.TextPart(text="No: "), il.RefusalPart(refusal="I will not.")))
    out, told = dumped(il.Response(choices=(il.Choice(message=message),)))
    assert out["choices"][0]["message"] == {"role": "assistant", "content": "No: ", "refusal": "I will not."}
    assert not told


def test_an_answer_without_words_has_null_content() -> None:
    out, told = dumped(il.Response(choices=(il.Choice(message=il.AssistantMessage()),)))
    assert out["choices"] == [{"index": 0, "message": {"role": "assistant", "content": None}}]
    assert not told


def test_audio_goes_back_by_its_id() -> None:
    audio = {"id": "audio_0", "data": "ZGF0YQ==", "transcript": "Hi.", "expires_at": 9}
    message = il.load_response(body({"role": "assistant", "content": None, "audio": audio}), "openai_chat").message
    told: list[il.Loss] = []
    payload = il.dump([*REQUEST, message], "openai_chat", on_loss=told.append)
    assert payload["messages"][1]["audio"] == {"id": "audio_0"}
    assert [loss.kind for loss in told] == ["response_only"]


def test_the_numbers_of_calls_do_not_go_back_and_are_not_missed() -> None:
    reply = il.load_response(called(function(index=0)), "openai_chat").message
    payload = il.dump([*REQUEST, reply], "openai_chat", on_loss="raise")
    assert payload["messages"][1]["tool_calls"] == [function()]


def test_an_answer_keeps_its_ids_in_a_request_that_goes_home() -> None:
    """An id that looks like an escape of ours is not undone while the results keep it."""
    request = il.load({"messages": [{"role": "user", "content": "Hi."}]}, "openai_chat")
    message = il.load_response(called({**function(), "id": "il2_x"}), "openai_chat").message
    result = il.ToolMessage(tool_call_id="il2_x", content="done")
    payload = il.dump(request.replace(messages=[*request.messages, message, result]), "openai_chat")
    assert payload["messages"][1]["tool_calls"][0]["id"] == payload["messages"][2]["tool_call_id"] == "il2_x"


# Streams: reading


def chunk(*choices: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**FRAME, "object": "chat.completion.chunk", "choices": list(choices), **more}


def delta(number: int = 0, /, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return chunk({"index": number, "delta": fields, "finish_reason": finish})


STOP = delta(finish="stop")


def read(chunks: Iterable[Any], format: str = "openai_chat") -> tuple[il.Response, list[il.Event]]:
    reader = il.reader(format)
    events = list(reader.read(chunks))
    return reader.response, events


def message(*chunks: dict[str, Any], format: str = "openai_chat") -> il.AssistantMessage:
    return read([delta(role="assistant"), *chunks, STOP], format)[0].message


def fragment(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    held = {"name": name, "arguments": arguments}
    return {**more, "function": {key: value for key, value in held.items() if value is not None}}


CALLS: dict[str, list[list[dict[str, Any]]]] = {
    "by index": [
        [fragment("f", "", id="a", type="function", index=0)],
        [fragment("g", "", id="b", type="function", index=1)],
        [fragment(None, '{"x"', index=0), fragment(None, '{"y"', index=1)],
        [fragment(None, ":1}", index=0)],
        [fragment(None, ":2}", index=1)],
    ],
    "by id": [
        [fragment("f", '{"x"', id="a", type="function")],
        [fragment("g", '{"y"', id="b", type="function", index=None)],
        [fragment(None, ":1}", id="a"), fragment(None, ":2}", id="b")],
    ],
    "by arrival": [
        [fragment("f", '{"x"', id="a", type="function")],
        [fragment(None, ":1}")],
        [fragment("g", '{"y"', id="b", type="function")],
        [fragment(None, ":2}", id="")],
    ],
    "two under one index": [
        [fragment("f", '{"x"', id="a", type="function", index=0)],
        [fragment(None, ":1}", index=0)],
        [fragment("g", '{"y"', id="b", type="function", index=0)],
        [fragment(None, ":2}", index=0)],
    ],
    "two under one index, mixed": [
        [fragment("f", '{"x"', id="a", type="function", index=0)],
        [fragment("g", '{"y"', id="b", type="function", index=0)],
        [fragment(None, ":1}", id="a", index=0)],
        [fragment(None, ":2}", id="b", index=0)],
    ],
    "ids and names again and again": [
        [fragment("f", '{"x"', id="a", type="function", index=0)],
        [fragment("f", ":1}", id="a", type="function", index=0)],
        [fragment("g", '{"y"', id="b", type="function", index=1)],
        [fragment("g", ":2}", id="b", type=None, index=1)],
    ],
    "ids made up for each fragment": [
        [fragment("f", '{"x"', id="a", type="function", index=0)],
        [fragment(None, ":1}", id="z", index=0)],
        [fragment("g", '{"y":2}', id="b", type="function", index=1)],
    ],
    "the name after the arguments": [
        [fragment(None, "{", id="a", type="function", index=0)],
        [fragment(None, '"x"', index=0)],
        [fragment("f", ":1}", index=0)],
        [fragment("g", '{"y":2}', id="b", type="function", index=1)],
    ],
    "the id after the name": [
        [fragment("f", '{"x":1}', type="function", index=0)],
        [fragment(id="a", index=0), fragment("g", '{"y":2}', id="b", type="function", index=1)],
    ],
    "nulls for what was told": [
        [fragment("f", '{"x"', id="a", type="function", index=0), fragment("g", "", id="b", type="function", index=1)],
        [{"index": 0, "id": None, "type": None, "function": {"name": None, "arguments": ":1}"}}],
        [{"index": 1, "id": None, "type": None, "function": {"name": None, "arguments": '{"y":2}'}}],
    ],
}


@pytest.mark.parametrize("name", CALLS)
def test_fragments_of_calls_find_their_call(name: str) -> None:
    reply = message(*(delta(tool_calls=calls) for calls in CALLS[name]))
    assert reply["tool_calls"] == [
        {"id": "a", "name": "f", "arguments": '{"x":1}'},
        {"id": "b", "name": "g", "arguments": '{"y":2}'},
    ]


def test_whole_calls_without_index_and_id_are_calls_of_their_own() -> None:
    calls = [{"type": "function", "function": {"name": "f", "arguments": "{}"}}] * 2
    assert [call.name for call in message(delta(tool_calls=calls)).tool_uses] == ["f", "f"]


ARGUMENTS: list[tuple[list[Any], str]] = [
    ([{"a": 1}], '{"a": 1}'),
    ([{}], "{}"),
    ([{}, '{"a":1}'], '{"a":1}'),
    ([None, ""], ""),
    (["{", "}"], "{}"),
]


@pytest.mark.parametrize(("pieces", "text"), ARGUMENTS)
def test_arguments_may_be_an_object_or_nothing(pieces: list[Any], text: str) -> None:
    first = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": pieces[0]}}
    rest = [{"index": 0, "function": {"arguments": piece}} for piece in pieces[1:]]
    response, events = read([delta(tool_calls=[call]) for call in [first, *rest]] + [STOP])
    assert response.message.tool_uses[0].input == text
    assert [event.arguments for event in events if isinstance(event, il.ToolUse)] == [text]
    assert "".join(event.arguments for event in events if isinstance(event, il.ArgumentsDelta)) == text


def test_a_call_in_the_first_spelling_streams_as_a_call() -> None:
    reply = message(
        delta(function_call={"name": "f", "arguments": ""}), delta(function_call={"arguments": "{}"}), format="deepseek"
    )
    assert [(use.id, use.name, use.input) for use in reply.tool_uses] == [(None, "f", "{}")]


def test_the_first_real_id_and_model_count() -> None:
    """Azure begins with what it filtered, and with nothing but empty texts."""
    first = {"id": "", "object": "", "created": 0, "model": "", "choices": [], "prompt_filter_results": [{"prompt_index": 0}]}
    later = [each | {"id": "other", "model": "other"} for each in (delta(content="!"), STOP)]
    response, events = read([first, delta(role="assistant", content="Hi"), *later])
    assert (response.id, response.model, response.created) == ("c", "m", 1)
    assert response.provider_data == {"openai": {"prompt_filter_results": [{"prompt_index": 0}]}}
    assert [type(event) for event in events].count(il.MessageStart) == 1


def test_padding_says_nothing() -> None:
    padded: list[dict[str, Any]] = [delta(content=text) | {"obfuscation": "x" * 3, "p": "abc"} for text in "abc"]
    padded[1]["choices"][0]["obfuscation"] = "y"
    whole = il.load_response(body({"role": "assistant", "content": "abc"}), "openai_chat")
    assert read([delta(role="assistant"), *padded, STOP])[0] == whole


@pytest.mark.parametrize("choices", [None, []])
def test_chunks_without_choices_are_taken(choices: Any) -> None:
    empty = {key: value for key, value in chunk().items() if key != "choices"}
    told = [empty, empty | {"choices": choices}, delta(role="assistant", content="Hi."), empty, STOP]
    assert read(told)[0] == read([delta(role="assistant", content="Hi."), STOP])[0]


@pytest.mark.parametrize("place", range(4))
def test_what_was_used_is_told_anywhere(place: int) -> None:
    used = {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
    chunks = [delta(role="assistant", content=""), delta(content="Hi."), STOP, chunk()]
    for number, each in enumerate(chunks):
        each["usage"] = used if number == place else None
    usage = read(chunks)[0].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.native) == (2, 1, {"openai": used})


def test_numbers_told_piece_by_piece_come_together() -> None:
    chunks = [delta(role="assistant") | {"usage": {"prompt_tokens": 2}}, STOP | {"usage": {"completion_tokens": 1}}]
    usage = read(chunks)[0].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (2, 1)


def test_groq_may_tell_its_numbers_in_a_field_of_its_own() -> None:
    chunks = [delta(role="assistant"), STOP | {"x_groq": {"id": "r", "usage": {"prompt_tokens": 2}}}]
    usage = read(chunks)[0].usage
    assert usage is not None
    assert usage.input_tokens == 2


def test_text_and_the_end_come_in_one_chunk() -> None:
    response, events = read([delta(role="assistant", content="Hi.", finish="length")])
    assert (response.message.text, response.stop_reason) == ("Hi.", "length")
    assert [type(event) for event in events[-4:]] == [il.TextDelta, il.PartStop, il.Stop, il.StreamEnd]


def test_what_comes_after_the_end_is_not_lost() -> None:
    late = delta(content=" And more.", tool_calls=[fragment("f", "{}", id="a", type="function", index=0)])
    response, events = read([delta(role="assistant", content="Hi."), STOP, late, delta(finish="tool_calls")])
    assert (response.message.text, response.stop_reason) == ("Hi. And more.", "tool_calls")
    assert [event.name for event in events if isinstance(event, il.ToolUse)] == ["f"]


def test_a_call_that_goes_on_after_the_end_is_complete_once_more() -> None:
    def calls(name: str | None, arguments: str, **more: Any) -> dict[str, Any]:
        return delta(tool_calls=[fragment(name, arguments, index=0, **more)])

    chunks = [
        delta(role="assistant"),
        calls("f", '{"a"', id="a", type="function"),
        STOP,
        delta(content="x"),
        calls(None, ":1}"),
    ]
    response, events = read([*chunks, delta(finish="tool_calls")])
    assert [event.arguments for event in events if isinstance(event, il.ToolUse)] == ['{"a"', '{"a":1}']
    assert response.message.tool_uses[0].parsed == {"a": 1}


def test_what_fragments_of_a_call_have_besides_is_kept() -> None:
    plain = [fragment(None, "x", index=0)]
    odd = {"index": 0, "function": {"arguments": "x", "y": 1}}
    first = [fragment("f", "", id="a", type="function", index=0)]
    reply = message(*(delta(tool_calls=calls) for calls in (first, plain, plain, [odd], plain)))
    assert [use.input for use in reply.tool_uses] == ["xxxx"]
    assert reply.to_dict()["tool_calls"][0]["provider_data"]["openai"]["function"] == {"y": 1}


def test_an_empty_finish_reason_in_every_chunk_is_none() -> None:
    chunks = [delta(role="assistant", content=text, finish="") for text in "ab"]
    assert read(chunks)[0].choices[0].incomplete
    assert read([*chunks, STOP])[0].stop_reason == "stop"


def test_calls_are_complete_at_the_end_in_their_order() -> None:
    calls = [fragment(name, "{}", id=name, type="function", index=index) for index, name in enumerate("fg")]
    _, events = read([delta(role="assistant", content="x"), delta(tool_calls=calls), delta(finish="tool_calls")])
    after = [(event.type, event.get("index")) for event in events if event.type in ("tool_use", "part_stop", "stop")]
    assert after == [("part_stop", 0), ("tool_use", 1), ("part_stop", 1), ("tool_use", 2), ("part_stop", 2), ("stop", None)]


def test_several_choices_are_kept_apart() -> None:
    chunks = [delta(1, content="x"), chunk(*(delta(n, content=str(n))["choices"][0] for n in (0, 1))), delta(0, finish="stop")]
    response, _ = read([*chunks, delta(1, finish="length")])
    assert [(choice.message.text, choice.stop_reason) for choice in response.choices] == [("0", "stop"), ("x1", "length")]


def details(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return delta(reasoning_details=list(entries), **more)


def test_fragments_of_reasoning_are_joined_and_labels_are_not() -> None:
    entry = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0, "id": "r"}
    chunks = [details(entry | {"text": text, "signature": ""}, reasoning=text) for text in ("Let me", " see.")]
    chunks.append(details({**entry, "signature": "c2ln"}))
    chunks.append(details({"type": "reasoning.encrypted", "data": "eA==", "format": "anthropic-claude-v1", "index": 0}))
    response, events = read([delta(role="assistant"), *chunks, STOP], "openrouter")
    thinking, redacted, *_ = (*(response.message.thinking_blocks or ()), None, None)
    assert isinstance(thinking, il.ThinkingPart)
    assert (thinking.thinking, thinking.signature, thinking.issuer) == ("Let me see.", "c2ln", "anthropic")
    assert thinking.provider_data is not None
    assert thinking.provider_data["openai"]["id"] == "r"
    assert isinstance(redacted, il.RedactedThinkingPart)
    assert (response.message.reasoning_content, response.message.thinking) == ("Let me see.", "Let me see.")
    assert {event.field for event in events if isinstance(event, il.ThinkingDelta) and event.thinking} == {"both"}
    assert [event.signature for event in events if isinstance(event, il.SignatureDelta)] == ["c2ln"]


def test_neighbours_without_index_are_one_block() -> None:
    pieces = [
        {"type": "thinking", "thinking": "a"},
        {"type": "thinking", "thinking": "b"},
        {"type": "thinking", "signature": "s"},
    ]
    reply = message(*(delta(thinking_blocks=[piece]) for piece in pieces), format="litellm")
    assert reply["thinking_blocks"] == [{"type": "thinking", "thinking": "ab", "signature": "s", "issuer": "anthropic"}]


def test_a_block_of_reasoning_without_an_end_has_no_signature() -> None:
    entry = {"type": "reasoning.text", "text": "Let me", "format": "anthropic-claude-v1", "index": 0}
    response, _ = read([delta(role="assistant"), details(entry)], "openrouter")
    assert response.choices[0].incomplete
    assert [part.get("signature") for part in response.message.parts] == [None]


def test_mistrals_lists_are_parts() -> None:
    def thought(text: str) -> dict[str, Any]:
        return {"type": "thinking", "thinking": [{"type": "text", "text": text}], "closed": text == "b"}

    said = [delta(content=[thought("a")]), delta(content=[thought("b")]), delta(content=[{"type": "text", "text": "H"}])]
    reply = message(delta(content=""), *said, delta(content="i."))
    whole = {"type": "thinking", "thinking": [{"type": "text", "text": "ab"}], "closed": True}
    assert reply["content"] == [{"type": "opaque", "format": "openai", "value": whole}, {"type": "text", "text": "Hi."}]


def test_audio_grows_and_its_id_does_not() -> None:
    pieces = [
        {"id": "a", "transcript": "Hi"},
        {"id": "a", "data": "ZGF0", "transcript": "."},
        {"data": "YQ==", "expires_at": 9},
    ]
    own = (message(*(delta(audio=piece) for piece in pieces)).provider_data or {})["openai"]
    assert own["audio"] == {"id": "a", "data": "ZGF0YQ==", "transcript": "Hi.", "expires_at": 9}


def test_what_nobody_knows_is_kept() -> None:
    deltas = [delta(x_list=[1], x_text="a", x_object={"a": 1}, channel="analysis", x_null=None)]
    deltas += [delta(x_list=[2], x_text="b", x_object={"b": 2}, channel="analysis")]
    own = (message(*deltas).provider_data or {})["openai"]
    expected = {"x_list": [1, 2], "x_text": "ab", "x_object": {"a": 1, "b": 2}, "channel": "analysis", "x_null": None}
    assert {key: own[key] for key in expected} == expected


def test_what_chunks_repeat_is_told_once() -> None:
    """Perplexity tells its sources, and the message so far, in every chunk."""
    chunks: list[dict[str, Any]] = []
    for number, text in enumerate(["", "a", "ab"]):
        choice = {"index": 0, "delta": {"role": "assistant", "content": text[-1:]}, "message": {"content": text}}
        chunks.append(chunk(choice, citations=["u", "v"][: number + 1]))
    response, events = read([*chunks, STOP])
    assert response.message.text == "ab"
    assert response.provider_data == {"openai": {"citations": ["u", "v"]}}
    assert response.choices[0].provider_data is None
    assert sum("citations" in str(event) for event in events) == 3  # the first list, that it is gone, and the second


def test_a_whole_message_instead_of_deltas_is_read() -> None:
    whole = {"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}
    assert read([chunk(whole)])[0].message.text == "Hi."


def test_an_error_inside_a_stream_is_an_event() -> None:
    error = {"code": "tool_use_failed", "message": "no call"}
    response, events = read([delta(role="assistant", content="Hi."), {"error": error}])
    assert [event.error for event in events if isinstance(event, il.ErrorEvent)] == [error]
    assert response.choices[0].incomplete


BROKEN: list[dict[str, Any]] = [
    {"choices": {}},
    {"choices": [None]},
    {"choices": [{"index": "0"}]},
    {"choices": [{"index": -1}]},
    {"choices": [{"delta": []}]},
    {"choices": [{"delta": {}, "finish_reason": 5}]},
    {"id": 5},
    {"usage": [], "choices": []},
    delta(content=5),
    delta(content=[{"text": "no type"}]),
    delta(refusal=[]),
    delta(tool_calls={}),
    delta(tool_calls=[None]),
    delta(tool_calls=[{"function": "f"}]),
    delta(tool_calls=[{"id": 5, "function": {"name": "f"}}]),
    delta(tool_calls=[{"index": 0, "function": {"name": 5}}]),
    delta(tool_calls=[{"index": 0, "function": {"name": "f", "arguments": 5}}]),
    delta(function_call=[]),
    delta(content="\ud800"),
    delta(x_unknown=float("nan")),
]


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_chunk_is_told_and_what_was_read_stays(broken: dict[str, Any]) -> None:
    reader = il.reader("openai_chat")
    for sound in (delta(role="assistant", content="Hi."), delta(content="!")):
        reader.feed(sound)
    with pytest.raises(il.StreamError) as caught:
        reader.feed(broken)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    assert reader.response.message.text == "Hi.!"


def test_what_is_broken_is_told_at_the_end_at_the_latest() -> None:
    reader = il.reader("openai_chat")
    reader.feed(delta(role="assistant", tool_calls=[fragment("f", "", index=0)]))
    reader.feed(delta(tool_calls=[{"index": 0, "x": float("nan")}]))
    with pytest.raises(il.StreamError):
        reader.feed("[DONE]")


def test_more_of_a_text_is_read_at_a_glance_and_nothing_is_overlooked() -> None:
    """The quick way takes only chunks that have nothing but text to tell."""

    def padded(each: dict[str, Any], **more: Any) -> dict[str, Any]:
        return each | {"obfuscation": "x", **more}

    def unpadded(**more: Any) -> dict[str, Any]:
        return delta(content="x") | more

    with_logprobs = delta(content="x")
    with_logprobs["choices"][0]["logprobs"] = {"content": [{"token": "x"}]}
    with_tokens = delta(content="x")
    with_tokens["choices"][0]["token_ids"] = [1]
    odd = [
        padded(with_tokens),
        padded(with_tokens),
        padded(delta(content="x"), usage={"prompt_tokens": 1}),
        unpadded(system_fingerprint="fp"),
        unpadded(),
        unpadded(service_tier="default"),
        padded(delta(content="x", x_unknown=1)),
        padded(with_logprobs),
        padded(with_logprobs),
        padded(chunk(delta(content="x")["choices"][0], delta(1, content="y")["choices"][0])),
        padded(delta(content="x", finish="length")),
    ]
    plain = padded(delta(content="x"))
    chunks = [padded(with_tokens)] * 3 + [each for other in odd for each in (plain, plain, other)]
    response, events = read([delta(role="assistant", content=""), *chunks])
    assert response.message.text == "x" * len(chunks)
    assert sum(isinstance(event, il.TextDelta) for event in events) == len(chunks) + 1
    assert response.usage is not None
    own = (response.provider_data or {})["openai"]
    assert (own["system_fingerprint"], own["service_tier"]) == ("fp", "default")
    assert (response.message.provider_data or {})["openai"]["x_unknown"] == 1
    beside = (response.choices[0].provider_data or {})["openai"]
    assert (len(beside["logprobs"]["content"]), beside["token_ids"]) == (2, [1] * 5)
    assert [choice.message.text for choice in response.choices[1:]] == ["y"]
    assert response.stop_reason == "length"


@pytest.mark.parametrize(
    "message", [{"content": "x", "reasoning_content": "r"}, {"content": None, "refusal": "no"}, {"x_unknown": 1}], ids=str
)
def test_an_answer_without_a_role_keeps_what_it_has(message: dict[str, Any]) -> None:
    whole = {"choices": [{"message": message}]}
    assert il.dump_response(il.load_response(whole, "deepseek"), "deepseek") == whole


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("text", ["x", "é"])
def test_an_event_that_is_read_at_a_glance_is_what_validation_makes(number: int, text: str) -> None:
    call = {"index": 0, "function": {"arguments": text}}
    begun = [delta(number, role="assistant", content="x"), delta(number, content="x")]
    called = [delta(number, tool_calls=[{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{"}}])]
    told = [delta(number, content=text)] * 2
    argued = [delta(number, tool_calls=[call])] * 2
    _, events = read([*begun, *told, *called, *argued])
    deltas = [event for event in events if isinstance(event, il.TextDelta | il.ArgumentsDelta)]
    assert len(deltas) == 7
    for event in deltas:
        made = type(event)(**event.to_dict())
        assert (vars(event), event.model_fields_set) == (vars(made), made.model_fields_set)
        assert (event, hash(event), repr(event)) == (made, hash(made), repr(made))
        assert pickle.loads(pickle.dumps(event)) == copy.deepcopy(event) == event.replace() == made  # noqa: S301 -- our own


@pytest.mark.timing
def test_reading_takes_as_long_for_each_chunk_of_a_longer_stream() -> None:
    def seconds(count: int, make: Callable[[int], dict[str, Any]]) -> float:
        chunks = [delta(role="assistant"), *(make(number) for number in range(count)), STOP]
        best = 9e9
        for _ in range(3):
            start = time.perf_counter()
            read(chunks)
            best = min(best, time.perf_counter() - start)
        return best / count

    makers: tuple[Callable[[int], dict[str, Any]], ...] = (
        lambda _: delta(content="x"),
        lambda number: delta(tool_calls=[fragment("f" if number == 0 else None, "x", index=0)]),
        lambda number: delta(tool_calls=[fragment("f", "x", index=number)]),
        lambda _: delta(x_list=[1], audio={"data": "x"}),
        lambda number: details({"type": "reasoning.text", "text": "x", "index": number}),
        lambda number: delta(content="x", finish="stop") | {"x_object": {str(number): 1}},
    )
    for make in makers:
        assert seconds(4000, make) < 4 * seconds(500, make)


# Streams: writing


def written(events: Iterable[il.Event], target: str = "openai_chat") -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    writer = il.writer(target)
    chunks = [made for event in events for made in writer.feed(event)]
    return chunks, {(loss.kind, loss.path) for loss in writer.losses}


def sdk_fold(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """What the official client makes of a stream."""
    state: ChatCompletionStreamState[Any] = ChatCompletionStreamState()
    for each in chunks:
        made: Any = construct_type(type_=ChatCompletionChunk, value=json.loads(json.dumps(each)))
        state.handle_chunk(made)
    return state.current_completion_snapshot.to_dict(mode="json")


EVENTS: list[il.Event] = [
    il.MessageStart(id="msg_0", model="claude", origin="anthropic", spelling="blocks"),
    il.UsageUpdate(usage=il.Usage(input_tokens=3, output_tokens=1)),
    il.ThinkingDelta(index=0, thinking="Let me"),
    il.ThinkingDelta(index=0, thinking=" see."),
    il.SignatureDelta(index=0, signature="c2ln", issuer="anthropic"),
    il.PartStop(index=0),
    il.RedactedThinking(index=1, data="eA==", issuer="anthropic"),
    il.PartStop(index=1),
    il.TextDelta(index=2, text="Hi"),
    il.TextDelta(index=2, text="."),
    il.PartStop(index=2),
    il.ToolUseStart(index=3, id="toolu_0", name="f"),
    il.ArgumentsDelta(index=3, arguments='{"a"'),
    il.ToolUseStart(index=4, id="toolu_1", name="g"),
    il.ArgumentsDelta(index=3, arguments=":1}"),
    il.ToolUse(index=3, id="toolu_0", name="f", arguments='{"a":1}'),
    il.PartStop(index=3),
    il.ToolUse(index=4, id="toolu_1", name="g", arguments=""),
    il.PartStop(index=4),
    il.UsageUpdate(usage=il.Usage(input_tokens=3, output_tokens=9)),
    il.Stop(stop_reason="tool_calls", native_stop_reason="tool_use"),
    il.StreamEnd(),
]


def test_a_stream_from_elsewhere_has_the_shape_that_clients_know() -> None:
    chunks, told = written(EVENTS)
    assert {(each["id"], each["object"], each["model"]) for each in chunks} == {("msg_0", "chat.completion.chunk", "claude")}
    deltas = [each["choices"][0]["delta"] for each in chunks[:-1]]
    assert deltas[0] == {"role": "assistant", "content": "Hi"}
    calls = [call for each in deltas for call in each.get("tool_calls", ())]
    assert [(call["index"], call.get("id"), call.get("type"), call["function"].get("name")) for call in calls] == [
        (0, "toolu_0", "function", "f"), (0, None, None, None), (1, "toolu_1", "function", "g"), (0, None, None, None),
        (1, None, None, None),
    ]  # fmt: skip
    assert [each["choices"][0]["finish_reason"] for each in chunks[:-1]] == [None] * (len(chunks) - 2) + ["tool_calls"]
    assert (chunks[-1]["choices"], chunks[-1]["usage"]["total_tokens"]) == ([], 12)
    assert told == {("dropped", "/choices/0/message/content/0"), ("dropped", "/choices/0/message/content/1")}
    folded = sdk_fold(chunks)
    assert folded["choices"][0]["message"]["content"] == "Hi."
    arguments = [call["function"]["arguments"] for call in folded["choices"][0]["message"]["tool_calls"]]
    assert arguments == ['{"a":1}', "{}"]
    assert folded["usage"]["total_tokens"] == 12


@pytest.mark.parametrize(
    ("target", "field", "told"),
    [
        ("deepseek", {"reasoning_content": "Let me see."}, {("dropped", "0/signature"), ("dropped", "1")}),
        (
            "litellm",
            {
                "thinking_blocks": [
                    {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln", "index": 0},
                    {"type": "redacted_thinking", "data": "eA==", "index": 1},
                ]
            },
            set[Any](),
        ),
        (
            "openrouter",
            {
                "reasoning_details": [
                    {
                        "type": "reasoning.text",
                        "text": "Let me see.",
                        "signature": "c2ln",
                        "format": "anthropic-claude-v1",
                        "index": 0,
                    },
                    {"type": "reasoning.encrypted", "data": "eA==", "format": "anthropic-claude-v1", "index": 1},
                ]
            },
            set[Any](),
        ),
    ],
)
def test_reasoning_goes_to_the_field_that_the_host_has(target: str, field: dict[str, Any], told: set[Any]) -> None:
    chunks, losses = written(EVENTS, target)
    assert sdk_fold(chunks)["choices"][0]["message"].items() >= field.items()
    assert losses == {(kind, f"/choices/0/message/content/{rest}") for kind, rest in told}


def test_the_order_that_is_lost_is_told() -> None:
    events: list[il.Event] = [
        il.MessageStart(origin="anthropic", spelling="blocks"),
        il.TextDelta(index=0, text="a"),
        il.ToolUseStart(index=1, id="t", name="f"),
        il.TextDelta(index=2, text="b"),
        il.OpaqueEvent(index=3, format="anthropic", value={"type": "server_tool_use"}),
        il.Stop(stop_reason="stop_sequence", stop_sequence="x"),
    ]
    chunks, told = written(events)
    path = "/choices/0/message/content"
    assert told == {
        ("changed", f"{path}/0"),
        ("changed", f"{path}/2"),
        ("moved", f"{path}/2"),
        ("dropped", f"{path}/3"),
        ("changed", "/choices/0/stop_reason"),
        ("dropped", "/choices/0/stop_sequence"),
    }
    assert sdk_fold(chunks)["choices"][0]["message"]["content"] == "ab"


def test_what_came_with_other_fields_goes_home_with_them() -> None:
    entry = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
    odd = {**fragment("f", {"a": 1}, id="a", index=0), "extra_content": {"google": {"thought_signature": "s"}}}
    chunks = [
        chunk(service_tier=None, x_list=[1], usage=None),
        delta(role="assistant", content=None, refusal=None) | {"system_fingerprint": "fp"},
        details(entry | {"text": "a"}, reasoning="a"),
        details(entry | {"signature": "s"}),
        delta(tool_calls=[odd]),
        delta(x_text="a", annotations=[{"type": "x"}], audio={"id": "a", "data": "x"}),
        delta(x_text="b", annotations=[{"type": "y"}], audio={"data": "y"}),
        chunk({"index": 0, "delta": {}, "logprobs": {"content": [{"token": "x"}]}, "finish_reason": "tool_calls", "x": 1}),
        chunk(usage={"prompt_tokens": 1, "cost": 0.5}),
    ]
    response, events = read(chunks)
    again, told = written(events)
    assert not told
    assert read(again)[0] == response
    assert (again[0]["x_list"], again[0]["service_tier"]) == ([1], None)
    annotations = [each["choices"][0]["delta"]["annotations"] for each in again if "annotations" in str(each)]
    assert annotations == [[{"type": "x"}, {"type": "y"}]]  # the official client takes such a list once only


def test_choices_begin_in_their_order_for_the_official_client() -> None:
    _, events = read([delta(1, content="b"), delta(0, content="a"), delta(0, finish="stop"), delta(1, finish="stop")])
    folded = sdk_fold(written(events)[0])
    assert [choice["message"]["content"] for choice in folded["choices"]] == ["a", "b"]


def test_reasoning_that_is_told_twice_is_written_once() -> None:
    entry = {"type": "reasoning.text", "text": "x", "index": 0}
    _, events = read([delta(reasoning="x"), details(entry), STOP], "openrouter")
    chunks, _ = written(events, "deepseek")
    assert sdk_fold(chunks)["choices"][0]["message"]["reasoning_content"] == "x"


def test_what_was_used_is_written_when_it_is_told_after_the_end() -> None:
    events: list[il.Event] = [il.MessageStart(), il.TextDelta(index=0, text="a"), il.Stop(stop_reason="stop")]
    chunks, _ = written([*events, il.UsageUpdate(usage=il.Usage(output_tokens=1))])
    assert (chunks[-1]["choices"], chunks[-1]["usage"]) == ([], {"completion_tokens": 1})


def test_an_error_is_written_as_one() -> None:
    assert written([il.ErrorEvent(error={"message": "x"})])[0] == [{"error": {"message": "x"}}]


def test_what_is_done_to_a_chunk_that_was_written_changes_no_event() -> None:
    def told(number: int) -> il.Update:
        return il.Update(of="message", data={"provider_data": {"openai": {"annotations": [{"n": [number]}]}}})

    writer = il.writer("openai_chat")
    events: list[il.Event] = [il.MessageStart(origin="openai_chat"), told(1), told(2), il.Stop(stop_reason="stop")]
    before = [event.to_dict() for event in events]
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    (annotations,) = [found for chunk in chunks if (found := chunk["choices"][0]["delta"].get("annotations"))]
    assert annotations == [{"n": [1]}, {"n": [2]}]
    for annotation in annotations:
        annotation["n"].clear()
    assert [event.to_dict() for event in events] == before


def test_the_signature_of_a_summary_is_told() -> None:
    summary = il.ThinkingPart(thinking="x", signature="s", summary=True)
    told: list[il.Loss] = []
    body = il.dump([il.AssistantMessage(content="y", thinking_blocks=(summary,))], "openrouter", on_loss=told.append)
    assert body["messages"][0]["reasoning_details"] == [{"type": "reasoning.summary", "summary": "x"}]
    assert [(loss.kind, loss.path) for loss in told] == [("dropped", "/0/thinking_blocks/0/signature")]
    events: list[il.Event] = [
        il.MessageStart(),
        il.ThinkingDelta(index=0, thinking="x"),
        il.Update(of="part", index=0, data={"summary": True}),
        il.SignatureDelta(index=0, signature="s"),
        il.Stop(stop_reason="stop"),
    ]
    chunks, losses = written(events, "openrouter")
    assert "signature" not in str(chunks)
    assert losses == {("dropped", "/choices/0/message/thinking_blocks/0/signature")}
