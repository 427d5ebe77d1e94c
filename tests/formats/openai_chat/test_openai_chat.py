"""What is odd about the responses of Chat Completions hosts, and about what others' become there."""

from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import REQUEST, body, called, function

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def dumped(response: il.Response, target: il.FormatName = "openai_chat") -> tuple[dict[str, Any], set[tuple[str, str]]]:
    reported: list[il.Loss] = []
    out = il.dump_response(response, target, on_loss=reported.append)
    return out, {(loss.kind, loss.path) for loss in reported}


# Whole responses


def test_an_error_in_a_body_of_200_is_an_error_all_the_same() -> None:
    body = {"error": {"message": "filtered", "code": "content_filter", "innererror": {"code": 1}}}
    with pytest.raises(il.ProviderError) as caught:
        il.load_response(body, "openai_chat", status=200)
    assert (caught.value.message, caught.value.code, caught.value.status) == ("filtered", "content_filter", None)
    assert il.dump_error(caught.value, "openai_chat") == body


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
    counts = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "prompt_tokens_details": details}
    usage = il.load_response(body(usage=counts | {"completion_tokens_details": spent}), "openai_chat").usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens, usage.output_tokens) == (10, 60, 30, 7)
    assert (usage.reasoning_tokens, usage.input_audio_tokens, usage.output_audio_tokens) == (5, 4, 2)
    assert (usage.total_input_tokens, usage.total_tokens) == (100, 107)


def test_what_was_cached_is_at_most_the_prompt() -> None:
    used = {"prompt_tokens": 12, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4000}}
    usage = il.load_response(body(usage=used), "openai_chat").usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens) == (0, 12)


def test_an_edit_of_what_was_used_wins() -> None:
    used = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10, "cost": 0.5, "completion_tokens_details": None}
    response = il.load_response(body(usage=used), "openai_chat")
    assert response.usage is not None
    edited = response.replace(usage=response.usage.replace(output_tokens=5, reasoning_tokens=2))
    out, reported = dumped(edited)
    assert out["usage"] == used | {
        "completion_tokens": 5,
        "total_tokens": 14,
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    assert not reported


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
def test_a_reason_to_stop_without_a_word_here_is_reported(word: str, written: str, same: bool) -> None:
    called: list[Any] = [{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}] if word == "tool_use" else []
    out, reported = dumped(anthropic(called, stop_reason=word))
    assert out["choices"][0]["finish_reason"] == written
    assert (("changed", "/choices/0/stop_reason") not in reported) is same


STOPPED = {"finish_reason": "stop", "stop_reason": "END"}


def test_the_stop_sequence_that_vllm_names_is_that_of_the_answer() -> None:
    wire = body()
    wire["choices"][0] |= STOPPED
    response = il.load_response(wire, "openai_chat")
    assert (response.stop_reason, response.native_stop_reason, response.choices[0].stop_sequence) == (
        "stop_sequence",
        "stop",
        "END",
    )
    claudes = il.dump_response(response, "anthropic", on_loss="raise")
    assert (claudes["stop_reason"], claudes["stop_sequence"]) == ("stop_sequence", "END")
    assert il.dump_response(response, "openai_chat", on_loss="raise") == wire


@pytest.mark.parametrize("reason", [None, 7, ""])
def test_what_is_no_stop_sequence_stays_a_field_of_the_host(reason: int | str | None) -> None:
    wire = body()
    wire["choices"][0]["stop_reason"] = reason
    response = il.load_response(wire, "openai_chat")
    assert (response.stop_reason, response.choices[0].stop_sequence) == ("stop", None)
    assert il.dump_response(response, "openai_chat") == wire


def test_the_stop_sequence_goes_to_hosts_that_take_more_than_openai_documents() -> None:
    response = anthropic([{"type": "text", "text": "Hi."}], stop_reason="stop_sequence", stop_sequence="END")
    choice = il.dump_response(response, "litellm", on_loss="raise")["choices"][0]
    assert {key: choice[key] for key in STOPPED} == STOPPED
    out, reported = dumped(response)
    assert "stop_reason" not in out["choices"][0]
    assert reported == {("changed", "/choices/0/stop_reason"), ("dropped", "/choices/0/stop_sequence")}


def test_words_for_why_it_ended_are_kept_unless_edited() -> None:
    response = il.load_response(body({"function_call": {"name": "f", "arguments": ""}}), "openai_chat")
    choice = response.choices[0].replace(stop_reason="tool_calls", native_stop_reason="function_call")
    assert dumped(response.replace(choices=[choice]))[0]["choices"][0]["finish_reason"] == "function_call"
    edited = response.replace(choices=[choice.replace(stop_reason="length")])
    assert dumped(edited)[0]["choices"][0]["finish_reason"] == "length"


def test_the_text_of_an_answer_is_one_text() -> None:
    out, reported = dumped(anthropic([{"type": "text", "text": "The sky "}, {"type": "text", "text": "is blue."}]))
    assert out["choices"][0]["message"] == {"role": "assistant", "content": "The sky is blue."}
    assert reported == {("changed", "/choices/0/message/content/0"), ("changed", "/choices/0/message/content/1")}


def test_a_refusal_among_the_parts_goes_to_its_field() -> None:
    message = il.AssistantMessage(content=(il.TextPart(text="No: "), il.RefusalPart(refusal="I will not.")))
    out, reported = dumped(il.Response(choices=(il.Choice(message=message),)))
    assert out["choices"][0]["message"] == {"role": "assistant", "content": "No: ", "refusal": "I will not."}
    assert not reported


TEXT, NO = il.TextPart(text="No: "), il.RefusalPart(refusal="I will not.")


@pytest.mark.parametrize(
    ("parts", "written", "reported"),
    [
        ([NO], {"content": [NO.to_dict()]}, []),
        ([TEXT, NO], {"content": [TEXT.to_dict()], "refusal": NO.refusal}, []),
        ([NO, TEXT], {"content": [TEXT.to_dict()], "refusal": NO.refusal}, [("moved", "/1/content/0")]),
        (
            [NO, NO],
            {"content": None, "refusal": NO.refusal * 2},
            [("changed", "/1/content/0"), ("changed", "/1/content/1")],
        ),
        (
            [TEXT, NO.replace(provider_data={"openai": {"x": 1}})],
            {"content": [TEXT.to_dict()], "refusal": NO.refusal},
            [("dropped", "/1/content/1/provider_data/openai/x")],
        ),
    ],
)
def test_a_refusal_is_a_part_of_a_request_only_if_it_is_alone(
    parts: list[Any], written: dict[str, Any], reported: list[tuple[str, str]]
) -> None:
    messages = [il.UserMessage(content="Do it."), il.AssistantMessage(content=parts)]
    losses: list[il.Loss] = []
    body = il.dump(messages, "openai_chat", on_loss=losses.append)
    assert body["messages"][1] == {"role": "assistant", **written}
    assert [(loss.kind, loss.path) for loss in losses] == reported


def test_refusals_of_one_answer_that_are_joined_are_reported() -> None:
    said = il.RefusalPart(refusal="I will "), il.TextPart(text="No."), il.RefusalPart(refusal="not.")
    out, reported = dumped(il.Response(choices=(il.Choice(message=il.AssistantMessage(content=said)),)))
    assert out["choices"][0]["message"] == {"role": "assistant", "content": "No.", "refusal": "I will not."}
    assert reported == {("changed", f"/choices/0/message/content/{i}") for i in (0, 2)}


def test_refusals_of_one_stream_that_are_joined_are_reported() -> None:
    writer = il.writer("openai_chat")
    start = il.MessageStart(id="m", model="m", created=1, origin="openai_responses", spelling="blocks")
    refusals = [il.RefusalDelta(index=i, refusal=text) for i, text in ((0, "I "), (0, "will "), (1, "not"), (2, "."))]
    events: list[il.Event] = [start, *refusals, il.Stop(stop_reason="stop"), il.StreamEnd()]
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    assert "".join(delta.get("refusal", "") for delta in deltas) == "I will not."
    assert [(loss.kind, loss.path) for loss in writer.losses] == [
        ("changed", f"/choices/0/message/content/{i}") for i in range(3)
    ]


REFUSAL = il.RefusalDelta(index=1, refusal="No."), il.RefusalPart(refusal="No.")
THOUGHT = il.ThinkingDelta(index=2, thinking="Hm."), il.ThinkingPart(thinking="Hm.")
CALL = il.ToolUseStart(index=3, id="c", name="f"), il.ToolUsePart(id="c", name="f", input={})


@pytest.mark.parametrize(("first", "second"), [(CALL, REFUSAL), (REFUSAL, THOUGHT)])
def test_a_part_that_a_refusal_changes_places_with_is_reported_as_moved(first: Any, second: Any) -> None:
    _, reported = dumped(
        il.Response(choices=(il.Choice(message=il.AssistantMessage(content=(first[1], second[1]))),)), "clacky"
    )
    writer = il.writer("clacky")
    start = il.MessageStart(origin="openai_responses", spelling="blocks")
    for event in (start, first[0], second[0], il.Stop(stop_reason="length"), il.StreamEnd()):
        writer.feed(event)
    assert {(loss.kind, loss.path) for loss in writer.losses} == reported == {("moved", "/choices/0/message/content/1")}


@pytest.mark.parametrize("words", [{}, {"text": None}, {"text": 3}])
def test_a_text_part_without_a_text_is_not_joined_with_others(words: dict[str, Any]) -> None:
    """In formats whose content is one string where it is text alone."""
    part = {"type": "text", **words}
    message = il.UserMessage(content=[il.TextPart(text="a"), il.OpaquePart(format="openai", value=part)])
    assert il.dump([message], "openhands", on_loss="raise")["messages"][0]["content"] == [{"type": "text", "text": "a"}, part]


def test_an_answer_without_words_has_null_content() -> None:
    out, reported = dumped(il.Response(choices=(il.Choice(message=il.AssistantMessage()),)))
    assert out["choices"] == [{"index": 0, "message": {"role": "assistant", "content": None}}]
    assert not reported


def test_audio_goes_back_by_its_id() -> None:
    audio = {"id": "audio_0", "data": "ZGF0YQ==", "transcript": "Hi.", "expires_at": 9}
    message = il.load_response(body({"role": "assistant", "content": None, "audio": audio}), "openai_chat").message
    reported: list[il.Loss] = []
    payload = il.dump([*REQUEST, message], "openai_chat", on_loss=reported.append)
    assert payload["messages"][1]["audio"] == {"id": "audio_0"}
    assert payload["messages"][1].keys() <= {"role", "audio", "content"}
    assert not payload["messages"][1].get("content")
    assert {(loss.kind, loss.path) for loss in reported} == {
        ("response_only", "/1/content/0"),
        ("response_only", "/1/provider_data/openai/audio"),
    }


def test_the_numbers_of_calls_do_not_go_back_and_are_not_missed() -> None:
    reply = il.load_response(called(function(index=0)), "openai_chat").message
    payload = il.dump([*REQUEST, reply], "openai_chat", on_loss="raise")
    assert payload["messages"][1]["tool_calls"] == [function()]


def test_the_number_of_a_legacy_call_stays_in_the_answer_alone() -> None:
    answer = body({"content": None, "function_call": {"name": "f", "arguments": "{}", "index": 0}})
    response = il.load_response(answer, "openai_chat")
    assert il.dump_response(response, "openai_chat", on_loss="raise") == answer
    payload = il.dump([*REQUEST, response.message], "openai_chat", on_loss="raise")
    assert payload["messages"][1]["function_call"] == {"name": "f", "arguments": "{}"}


def test_an_answer_keeps_its_ids_in_a_request_that_goes_back() -> None:
    """An id that looks like an escape of ours is not undone while the results keep it."""
    request = il.load({"messages": [{"role": "user", "content": "Hi."}]}, "openai_chat")
    message = il.load_response(called({**function(), "id": "il2_x"}), "openai_chat").message
    result = il.ToolMessage(tool_call_id="il2_x", content="done")
    payload = il.dump(request.replace(messages=[*request.messages, message, result]), "openai_chat")
    assert payload["messages"][1]["tool_calls"][0]["id"] == payload["messages"][2]["tool_call_id"] == "il2_x"


@pytest.mark.parametrize(
    ("source", "target", "added"),
    [("openrouter", "openai_chat", True), ("openrouter", "litellm", False), ("openai_chat", "openrouter", False)],
)
def test_a_file_gets_a_name_where_it_needs_one(source: il.FormatName, target: il.FormatName, added: bool) -> None:
    file = {"file_data": "data:application/pdf;base64,JVBERi0="}
    payload = {"model": "m", "messages": [{"role": "user", "content": [{"type": "file", "file": file}]}]}
    made = il.convert(payload, source=source, target=target, check=True)
    named = {"filename": "document.pdf"} if added else {}
    assert made.payload["messages"][0]["content"][0]["file"] == file | named
    assert [(loss.path, loss.kind) for loss in made.losses] == [("/messages/0/content/0", "added")] * added
    assert made.problems == ()


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    "file",
    [
        {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": ""},
        {"file_data": "data:application/pdf;name=x.pdf;base64,JVBERi0="},
        {"file_data": "DATA:Application/PDF;base64,JVBERi0="},
    ],
)
def test_a_file_gets_a_name_however_its_data_are_written(file: dict[str, str], target: il.FormatName) -> None:
    payload = {"model": "m", "messages": [{"role": "user", "content": [{"type": "file", "file": file}]}]}
    made = il.convert(payload, source="openrouter", target=target, check=True)
    assert "document.pdf" in str(made.payload)
    assert "added" in [loss.kind for loss in made.losses]
    assert "filename-missing" not in [each.code for each in made.problems]


def test_what_another_dialect_writes_over_is_lost_and_nothing_else() -> None:
    said: dict[str, Any] = {"role": "assistant", "content": "y", "reasoning": {"b": None}, "reasoning_content": "u"}
    payload = {"model": "m", "messages": [{"role": "user", "content": "x"}, said]}
    assert il.convert(payload, source="deepseek", target="vllm").losses == ()
    said["reasoning"] = {"b": None, "c": 1}
    assert [loss.path for loss in il.convert(payload, source="deepseek", target="vllm").losses] == ["/messages/1/reasoning/c"]


@pytest.mark.parametrize("kind", [[], {}, None, 5, "novel"])
def test_a_schema_beside_a_type_that_is_unknown_comes_back(kind: Any) -> None:
    wire = {"messages": [{"role": "user", "content": "Hi."}], "response_format": {"type": kind, "schema": {"type": "object"}}}
    assert il.dump(il.load(wire, "openai_chat"), "openai_chat", on_loss="raise") == wire
