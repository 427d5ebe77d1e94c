"""What is odd about the streams of Chat Completions and its hosts."""

import copy
import pickle
from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import STOP, body, chunk, delta, details, fragment, message, read

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def test_whole_calls_without_index_and_id_are_calls_of_their_own() -> None:
    calls = [{"type": "function", "function": {"name": "f", "arguments": "{}"}}] * 2
    assert [call.name for call in message(delta(tool_calls=calls)).tool_uses] == ["f", "f"]


def test_a_delta_may_have_one_call_without_a_list() -> None:
    pieces = [("f", '{"a": '), ("f", "1}"), ("g", "{}")]
    calls = [
        {"index": ord(name) - ord("f"), "id": "", "type": "function", "function": {"name": name, "arguments": text}}
        for name, text in pieces
    ]
    reply = message(*[delta(role="assistant", tool_calls=call) for call in calls], format="huggingface")
    assert [(use.name, use.input) for use in reply.tool_uses] == [("f", '{"a": 1}'), ("g", "{}")]


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


ENDS: list[list[dict[str, Any]]] = [
    [{"finish_reason": "stop", "stop_reason": "END"}],
    [{"stop_reason": None}, {"stop_reason": "END"}, {"finish_reason": "stop"}],
    [{"finish_reason": "stop", "stop_reason": None}, {"stop_reason": "END"}],
    [{"stop_reason": "END"}],
]


@pytest.mark.parametrize("ends", ENDS)
def test_a_stop_sequence_may_come_before_or_after_the_reason(ends: list[dict[str, Any]]) -> None:
    delta_of: dict[str, Any] = {"index": 0, "delta": {}}
    response, events = read([delta(content="Hi."), *(chunk(delta_of | end) for end in ends)])
    choice = response.choices[0]
    finished = any("finish_reason" in end for end in ends)
    assert (choice.stop_reason, choice.stop_sequence) == (("stop_sequence", "END") if finished else (None, None))
    writer = il.writer("openai_chat")
    home = [made for event in events for made in writer.feed(event)]
    assert read(home)[0] == response
    assert not writer.losses


def test_padding_says_nothing() -> None:
    padded: list[dict[str, Any]] = [delta(content=text) | {"obfuscation": "x" * 3, "p": "abc"} for text in "abc"]
    padded[1]["choices"][0]["obfuscation"] = "y"
    whole = il.load_response(body({"role": "assistant", "content": "abc"}), "openai_chat")
    assert read([delta(role="assistant"), *padded, STOP])[0] == whole


@pytest.mark.parametrize("choices", [None, []])
def test_chunks_without_choices_are_taken(choices: Any) -> None:
    empty = {key: value for key, value in chunk().items() if key != "choices"}
    sent = [empty, empty | {"choices": choices}, delta(role="assistant", content="Hi."), empty, STOP]
    assert read(sent)[0] == read([delta(role="assistant", content="Hi."), STOP])[0]


@pytest.mark.parametrize("place", range(4))
def test_what_was_used_is_sent_anywhere(place: int) -> None:
    used = {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
    chunks = [delta(role="assistant", content=""), delta(content="Hi."), STOP, chunk()]
    for number, each in enumerate(chunks):
        each["usage"] = used if number == place else None
    usage = read(chunks)[0].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.native) == (2, 1, {"openai": used})


def test_numbers_sent_piece_by_piece_come_together() -> None:
    chunks = [delta(role="assistant") | {"usage": {"prompt_tokens": 2}}, STOP | {"usage": {"completion_tokens": 1}}]
    usage = read(chunks)[0].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (2, 1)


def test_a_null_in_a_later_report_takes_no_number_away() -> None:
    first = {"usage": {"prompt_tokens": 2, "completion_tokens": 1}}
    usage = read([delta(role="assistant") | first, STOP | {"usage": {"prompt_tokens": None, "completion_tokens": 3}}])[0].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (2, 3)


def test_groq_may_send_its_numbers_in_a_field_of_its_own() -> None:
    chunks = [delta(role="assistant"), STOP | {"x_groq": {"id": "r", "usage": {"prompt_tokens": 2}}}]
    usage = read(chunks)[0].usage
    assert usage is not None
    assert usage.input_tokens == 2


def test_an_object_in_the_frame_keeps_a_null_that_a_later_chunk_adds() -> None:
    chunks = [delta(role="assistant") | {"meta": {"a": 1}}, STOP | {"meta": {"a": 1, "b": None}}]
    assert read(chunks)[0].provider_data == {"openai": {"meta": {"a": 1, "b": None}}}


def test_text_and_the_end_come_in_one_chunk() -> None:
    response, events = read([delta(role="assistant", content="Hi.", finish="length")])
    assert (response.message.text, response.stop_reason) == ("Hi.", "length")
    assert [type(event) for event in events[-4:]] == [il.TextDelta, il.PartStop, il.Stop, il.StreamEnd]


def test_what_comes_after_the_end_is_not_lost() -> None:
    late = delta(content=" And more.", tool_calls=[fragment("f", "{}", id="a", type="function", index=0)])
    response, events = read([delta(role="assistant", content="Hi."), STOP, late, delta(finish="tool_calls")])
    assert (response.message.text, response.stop_reason) == ("Hi. And more.", "tool_calls")
    assert [event.name for event in events if isinstance(event, il.ToolUse)] == ["f"]


@pytest.mark.parametrize("end", [[STOP], [STOP, "[DONE]"]])
def test_annotations_after_the_end_are_not_lost(end: list[Any]) -> None:
    cited = {"type": "url_citation", "url_citation": {"url": "https://a.b", "title": "t", "start_index": 0, "end_index": 2}}
    response, events = read([delta(role="assistant", content="Hi."), *end, delta(annotations=[cited])])
    assert il.dump_response(response, "openai_chat")["choices"][0]["message"]["annotations"] == [cited]
    assert il.accumulate(events) == response


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
    reply = message(*(delta(audio=piece) for piece in pieces))
    own = (reply.provider_data or {})["openai"]
    assert own["audio"] == {"id": "a", "data": "ZGF0YQ==", "expires_at": 9}
    assert reply.text == "Hi."


def test_what_nobody_knows_is_kept() -> None:
    deltas = [delta(x_list=[1], x_text="a", x_object={"a": 1}, channel="analysis", x_null=None)]
    deltas += [delta(x_list=[2], x_text="b", x_object={"b": 2}, channel="analysis")]
    own = (message(*deltas).provider_data or {})["openai"]
    expected = {"x_list": [1, 2], "x_text": "ab", "x_object": {"a": 1, "b": 2}, "channel": "analysis", "x_null": None}
    assert {key: own[key] for key in expected} == expected


def test_what_chunks_repeat_is_reported_once() -> None:
    """Perplexity sends lists, and the message so far, in every chunk."""
    chunks: list[dict[str, Any]] = []
    for number, text in enumerate(["", "a", "ab"]):
        choice = {"index": 0, "delta": {"role": "assistant", "content": text[-1:]}, "message": {"content": text}}
        chunks.append(chunk(choice, related_questions=["u", "v"][: number + 1]))
    response, events = read([*chunks, STOP])
    assert response.message.text == "ab"
    assert response.provider_data == {"openai": {"related_questions": ["u", "v"]}}
    assert response.choices[0].provider_data is None
    assert sum("related_questions" in str(event) for event in events) == 3  # the first list, that it is gone, and the second


def test_a_whole_message_instead_of_deltas_is_read() -> None:
    whole = {"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}
    assert read([chunk(whole)])[0].message.text == "Hi."


@pytest.mark.parametrize(
    ("first", "more", "reasoning"),
    [
        ({"content": "Hi."}, {"reasoning": "Hm."}, "Hm."),
        ({"reasoning_content": "Hm."}, {"reasoning": "Hm."}, "Hm."),
        ({"content": "Hi.", "reasoning_content": "Hm."}, {}, "Hm."),
        ({"content": "Hi."}, {"reasoning": None}, ""),
    ],
)
def test_a_whole_message_after_deltas_adds_what_they_have_not(
    first: dict[str, Any], more: dict[str, Any], reasoning: str
) -> None:
    whole = {"index": 0, "message": {"role": "assistant", "content": "Hi.", **more}, "finish_reason": "stop"}
    reply = message(delta(role="assistant", **first), chunk(whole))
    assert (reply.text, reply.thinking) == ("Hi.", reasoning)


CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
SIGNED = {"type": "reasoning.text", "text": "w", "signature": "sg", "format": "anthropic-claude-v1"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}
AFTER: list[tuple[dict[str, Any], dict[str, Any], il.FormatName]] = [
    ({"content": "", "tool_calls": [{"index": 0, **CALL}]}, {"content": "hello", "tool_calls": [CALL]}, "openai_chat"),
    ({"content": "h", "reasoning_content": ""}, {"content": "h", "reasoning_content": "w"}, "openai_chat"),
    ({"content": "h", "reasoning": "w"}, {"content": "h", "reasoning": "w", "reasoning_details": [SIGNED]}, "openrouter"),
    ({"reasoning_details": [SIGNED]}, {"content": "h", "reasoning": "w", "reasoning_details": [SIGNED]}, "openrouter"),
    ({"images": [PICTURE]}, {"content": "h", "images": [PICTURE]}, "openai_chat"),
    ({"x_f": [1]}, {"content": "h", "x_f": [1]}, "openai_chat"),
    ({"x_f": []}, {"content": "h", "x_f": [1]}, "openai_chat"),
    ({"audio": {"id": "a", "data": "aGk="}}, {"content": None, "audio": {"id": "a", "data": "aGk="}}, "openai_chat"),
]


@pytest.mark.parametrize(("first", "last", "format"), AFTER)
def test_a_whole_message_after_deltas_is_the_message(
    first: dict[str, Any], last: dict[str, Any], format: il.FormatName
) -> None:
    last = {"role": "assistant", **last}
    whole = chunk({"index": 0, "message": last, "finish_reason": "stop"})
    response = read([delta(role="assistant", **first), whole], format)[0]
    dumped = il.dump_response(response, format, on_loss="raise")["choices"][0]["message"]
    expected = il.dump_response(il.load_response(body(last), format), format)["choices"][0]["message"]
    assert dumped == expected
    blocks = response.message.to_blocks()
    assert blocks.thinking == ("w" if "w" in str(last) else "")


def test_an_error_inside_a_stream_is_an_event() -> None:
    error = {"code": "tool_use_failed", "message": "no call"}
    response, events = read([delta(role="assistant", content="Hi."), {"error": error}])
    assert [event.error for event in events if isinstance(event, il.ErrorEvent)] == [error]
    assert response.choices[0].incomplete


@pytest.mark.parametrize("chunk", [{"object": "error", "message": "no", "code": 400}, {"detail": "no"}, {"message": "no"}])
def test_an_error_of_another_shape_is_an_event_too(chunk: dict[str, Any]) -> None:
    assert read([delta(role="assistant", content="Hi."), chunk])[1][-1] == il.ErrorEvent(error=chunk)


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
    delta(tool_calls="f"),
    delta(tool_calls=[None]),
    delta(tool_calls=[{"function": "f"}]),
    delta(tool_calls=[{"id": 5, "function": {"name": "f"}}]),
    delta(tool_calls=[{"index": 0, "function": {"name": 5}}]),
    delta(tool_calls=[{"index": 0, "function": {"name": "f", "arguments": 5}}]),
    delta(function_call=[]),
    delta(content="\udc00"),
    delta(x_unknown=float("nan")),
]


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_chunk_is_reported_and_what_was_read_stays(broken: dict[str, Any]) -> None:
    reader = il.reader("openai_chat")
    for sound in (delta(role="assistant", content="Hi."), delta(content="!")):
        reader.feed(sound)
    with pytest.raises(il.StreamError) as caught:
        reader.feed(broken)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
    assert reader.response.message.text == "Hi.!"


def test_what_is_broken_is_reported_at_the_end_at_the_latest() -> None:
    reader = il.reader("openai_chat")
    reader.feed(delta(role="assistant", tool_calls=[fragment("f", "", index=0)]))
    reader.feed(delta(tool_calls=[{"index": 0, "x": float("nan")}]))
    with pytest.raises(il.StreamError):
        reader.feed("[DONE]")


def test_more_of_a_text_is_read_at_a_glance_and_nothing_is_overlooked() -> None:
    """The quick way takes only chunks that have nothing but text."""

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
    sent = [delta(number, content=text)] * 2
    argued = [delta(number, tool_calls=[call])] * 2
    _, events = read([*begun, *sent, *called, *argued])
    deltas = [event for event in events if isinstance(event, il.TextDelta | il.ArgumentsDelta)]
    assert len(deltas) == 7
    for event in deltas:
        made = type(event)(**event.to_dict())
        assert (vars(event), event.model_fields_set) == (vars(made), made.model_fields_set)
        assert (event, hash(event), repr(event)) == (made, hash(made), repr(made))
        assert pickle.loads(pickle.dumps(event)) == copy.deepcopy(event) == event.replace() == made  # noqa: S301 -- our own


def test_a_fragment_without_id_and_name_at_an_unknown_index_belongs_to_the_open_call() -> None:
    first = {"index": 0, "id": "call_1", "function": {"name": "f", "arguments": '{"a":'}}
    fragments = [{"index": 1, "function": {"arguments": " 1}"}}, {"index": 1, "id": "call_2", "function": {"name": "g"}}]
    calls = message(delta(tool_calls=[first]), *(delta(tool_calls=[fragment]) for fragment in fragments)).tool_uses
    assert [(call.id, call.name, call.arguments) for call in calls] == [("call_1", "f", '{"a": 1}'), ("call_2", "g", "")]


@pytest.mark.parametrize("functions", [[], [{"name": "g", "parameters": {"type": "object", "properties": {}}}]])
def test_losses_of_tools_are_in_tools_beside_functions(functions: list[Any]) -> None:
    function: dict[str, Any] = {"name": "f", "parameters": {"type": "object", "properties": {}}, "strict": True}
    body: dict[str, Any] = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi."}],
        "tools": [{"type": "function", "function": function}],
        "functions": functions,
        "tool_choice": "required",
        "function_call": "auto",
    }
    assert il.dump(il.load(body, "openai_chat"), "openai_chat", on_loss="raise") == body
    losses = il.convert(body, source="openai_chat", target="ollama").losses
    paths = {loss.path for loss in losses if loss.kind != "added"}
    assert paths - {"/functions"} == {"/tools/0/function/strict", "/tool_choice", "/function_call"}


def test_the_error_of_a_call_without_its_function_says_what_a_call_is() -> None:
    call = {"id": "a", "type": "function", "function": None}
    answer = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}
    why = "/choices/0/message/tool_calls/0: Input should be an object with a function or a custom call"
    with pytest.raises(il.InvalidPayload, match=why):
        il.load_response(answer, "openai_chat")


@pytest.mark.parametrize(
    "empty",
    [
        {"index": 0},
        {"index": 0, "id": None, "type": "function", "function": {"name": None, "arguments": ""}},
        {"index": 0, "id": "", "type": "function", "function": {"name": "", "arguments": ""}},
    ],
)
def test_a_fragment_of_a_call_that_says_nothing_is_no_call(empty: dict[str, Any]) -> None:
    def sent(reason: str | None = None, **fields: Any) -> dict[str, Any]:
        return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": fields, "finish_reason": reason}]}

    begun = [sent(role="assistant", content="Hi."), sent(tool_calls=[empty])]
    losses: list[il.Loss] = []
    written: list[Any] = list(
        il.restream([*begun, sent("stop")], source="openai_chat", target="anthropic", on_loss=losses.append)
    )
    assert [each["content_block"]["type"] for each in written if each["type"] == "content_block_start"] == ["text"]
    assert "/choices/0/message/provider_data/openai/tool_calls" in [loss.path for loss in losses]
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    more = [sent(tool_calls=[{"index": 0, **call}]), sent("tool_calls")]
    whole = il.accumulate(il.reader("openai_chat").read([*begun, *more]))
    assert il.dump_response(whole, "openai_chat", on_loss="raise")["choices"][0]["message"]["tool_calls"] == [call]


HOSTS_WORDS = {
    "eos": ("stop", "end_turn", "stop"),
    "eos_token": ("stop", "end_turn", "stop"),
    "sensitive": ("content_filter", "refusal", "content_filter"),
    "guardrail_intervened": ("content_filter", "refusal", "content_filter"),
    "model_context_window_exceeded": ("context_window", "model_context_window_exceeded", "length"),
    "insufficient_system_resource": ("error", "end_turn", "insufficient_system_resource"),
    "abort": ("cancelled", "end_turn", "length"),
    "malformed_function_call": ("malformed", "end_turn", "malformed_function_call"),
    "end_turn": ("stop", "end_turn", "stop"),
    "max_tokens": ("length", "max_tokens", "length"),
    "pause_turn": ("pause", "pause_turn", "length"),
    "content_filtered": ("content_filter", "refusal", "content_filter"),
    "STOP": ("stop", "end_turn", "stop"),
    "MAX_TOKENS": ("length", "max_tokens", "length"),
    "SAFETY": ("content_filter", "refusal", "content_filter"),
    "MALFORMED_FUNCTION_CALL": ("malformed", "end_turn", "MALFORMED_FUNCTION_CALL"),
    "COMPLETE": ("stop", "end_turn", "stop"),
    "STOP_SEQUENCE": ("stop_sequence", "stop_sequence", "stop"),
}
"""What the words of some hosts mean, and what they are for Anthropic and for another host of Chat."""


@pytest.mark.parametrize("word", HOSTS_WORDS)
def test_the_words_of_hosts_for_why_an_answer_ended_are_read(word: str) -> None:
    reason, anthropic, chat = HOSTS_WORDS[word]
    wire = body()
    wire["choices"][0]["finish_reason"] = word
    response = il.load_response(wire, "vllm")
    assert (response.stop_reason, response.native_stop_reason) == (reason, word)
    assert il.dump_response(response, "vllm", on_loss="raise") == wire
    assert il.dump_response(response, "anthropic")["stop_reason"] == anthropic
    assert il.dump_response(response, "openai_chat")["choices"][0]["finish_reason"] == chat
    chunks = [delta(role="assistant", content="Hi.", finish=word)]
    assert read(chunks)[0].stop_reason == reason
    streamed = list(il.restream(chunks, source="vllm", target="vllm", on_loss="raise"))
    assert [choice["finish_reason"] for each in streamed for choice in each["choices"] if choice["finish_reason"]] == [word]


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("value", [float("inf"), b"x", {1}, 10**5000, nested(300)], ids=["inf", "bytes", "set", "long", "deep"])
def test_an_object_as_the_content_of_an_answer_is_json(value: Any) -> None:
    body = {"choices": [{"index": 0, "message": {"role": "assistant", "content": {"a": value}}, "finish_reason": "stop"}]}
    with pytest.raises(il.InvalidPayload) as caught:
        il.load_response(body, "openai_chat")
    assert il.error_body(caught.value)["errors"][0]["path"].startswith("/choices/0/message/content/a")
