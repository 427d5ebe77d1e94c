"""What is odd about Anthropic's responses, and about what others' become there."""

import json
from typing import Any

import pytest
from anthropic.types import DocumentBlockParam
from pydantic import TypeAdapter

import interlingua as il
from formats.anthropic.events import BODY, CITATION, REQUEST, home

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def losses_of(response: il.Response, target: il.FormatName = "anthropic") -> tuple[dict[str, Any], set[tuple[str, str]]]:
    reported: list[il.Loss] = []
    body = il.dump_response(response, target, on_loss=reported.append)
    return body, {(loss.kind, loss.path) for loss in reported}


# Whole responses


def test_a_response_is_blocks_in_their_order() -> None:
    response = il.load_response(BODY, "anthropic")
    kinds = [part.type for part in response.message.parts]
    assert kinds == ["thinking", "redacted_thinking", "text", "opaque", "opaque", "opaque", "tool_use"]
    assert (response.stop_reason, response.native_stop_reason) == ("tool_calls", "tool_use")
    assert home(BODY) == BODY


@pytest.mark.parametrize("body", [[], {"content": "Hi."}, {"content": [{"text": "Hi."}]}, {"usage": 1}, {"stop_reason": 1}])
def test_what_is_no_response_is_reported_by_its_place(body: Any) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load_response(body, "anthropic")
    assert len(caught.value.faults) == 1


def test_input_is_counted_in_kinds_that_do_not_overlap() -> None:
    usage = il.load_response(BODY, "anthropic").usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens) == (3, 20, 100)
    assert (usage.output_tokens, usage.reasoning_tokens) == (7, 5)
    assert usage.native == {"anthropic": BODY["usage"]}


def test_edited_numbers_win_over_what_was_recorded() -> None:
    response = il.load_response(BODY, "anthropic")
    assert response.usage is not None
    fewer = response.usage.replace(input_tokens=1, cache_read_tokens=None, reasoning_tokens=None)
    expected = BODY["usage"] | {"input_tokens": 1}
    del expected["cache_read_input_tokens"], expected["output_tokens_details"]
    assert il.dump_response(response.replace(usage=fewer), "anthropic")["usage"] == expected


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop_sequence"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "context_window"),
        ("tool_use", "tool_calls"),
        ("refusal", "refusal"),
        ("pause_turn", "pause"),
        ("compaction", "compaction"),
        ("word_of_tomorrow", "word_of_tomorrow"),
    ],
)
def test_a_stop_reason_keeps_its_word(word: str, reason: str) -> None:
    response = il.load_response(BODY | {"stop_reason": word}, "anthropic")
    assert (response.stop_reason, response.native_stop_reason) == (reason, word)
    assert il.dump_response(response, "asktable")["stop_reason"] == word
    edited = response.replace(choices=(response.choices[0].replace(stop_reason="length"),))
    assert il.dump_response(edited, "anthropic")["stop_reason"] == "max_tokens"


@pytest.mark.parametrize(
    ("reason", "word", "reported"),
    [("stop", "end_turn", False), ("content_filter", "refusal", True), ("eos", "end_turn", True), (None, None, False)],
)
def test_another_providers_stop_reason_becomes_the_nearest(reason: str | None, word: str | None, reported: bool) -> None:
    choice = il.Choice(message=il.AssistantMessage(content="Hi."), stop_reason=reason)
    body, losses = losses_of(il.Response(choices=(choice,), origin="openai_chat"))
    assert body["stop_reason"] == word
    assert (("changed", "/choices/0/stop_reason") in losses) is reported


def test_clackys_rules_follow_from_the_canonical_response() -> None:
    response = il.load_response(BODY | {"stop_reason": "max_tokens"}, "anthropic")
    usage, message = response.usage, response.message
    assert usage is not None
    prompt = (usage.input_tokens or 0) + (usage.cache_read_tokens or 0)
    this_turn = (usage.input_tokens or 0) + (usage.cache_write_tokens or 0) + (usage.output_tokens or 0)
    assert (prompt, usage.output_tokens, this_turn) == (23, 7, 110)
    words = {word: il.load_response({"stop_reason": word}, "anthropic").stop_reason for word in ("end_turn", "tool_use")}
    assert (words, response.stop_reason) == ({"end_turn": "stop", "tool_use": "tool_calls"}, "length")
    assert message.text == "Hi."
    assert [(use.id, use.name, json.loads(use.arguments)) for use in message.tool_uses] == [("toolu_0", "f", {"a": 1})]


def test_a_flat_answer_becomes_blocks() -> None:
    message = il.AssistantMessage(
        content=" ",
        reasoning_content="hm",
        thinking_blocks=(il.ThinkingPart(thinking="hm", signature="c2ln", issuer="anthropic"),),
        refusal="No.",
        tool_calls=(il.ToolCall(id="f:0", name="f.g", arguments="{"),),
    )
    usage = il.Usage(input_tokens=3, output_tokens=4, reasoning_tokens=2, input_audio_tokens=1)
    choices = (il.Choice(message=message, stop_reason="tool_calls"), il.Choice(message=message))
    body, losses = losses_of(il.Response(id="c", created=1, choices=choices, usage=usage, origin="openai_chat"))
    name = body["content"][2].pop("name")
    assert name.startswith("f_g-")
    assert body == {
        "id": "c",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "text", "text": "No."},
            {"type": "tool_use", "id": "il_f_3a_0", "input": {"INVALID_JSON": "{"}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 4, "output_tokens_details": {"thinking_tokens": 2}},
    }
    assert losses == {
        ("response_only", "/created"),
        ("dropped", "/usage/input_audio_tokens"),
        ("dropped", "/choices/0/message/content"),
        ("changed", "/choices/0/message/refusal"),
        ("changed", "/choices/0/message/tool_calls/0/name"),
        ("changed", "/choices/0/message/tool_calls/0/arguments"),
        ("dropped", "/choices/1"),
    }


def test_text_alone_becomes_a_block() -> None:
    said = il.Choice(message=il.AssistantMessage(content="Hi."))
    assert losses_of(il.Response(choices=(said,)))[0]["content"] == [{"type": "text", "text": "Hi."}]
    nothing = il.Response(choices=(il.Choice(message=il.AssistantMessage(content=" ")),))
    assert losses_of(nothing) == (
        {"type": "message", "role": "assistant", "content": [], "stop_reason": None, "stop_sequence": None},
        {("dropped", "/choices/0/message/content")},
    )


def test_the_next_request_leaves_out_what_only_responses_have() -> None:
    odd: dict[str, Any] = {"type": "text", "text": "Hi.", "parsed_output": {}, "x": 1}
    message = il.load_response(BODY | {"content": [*BODY["content"], odd]}, "anthropic").message
    reported: list[il.Loss] = []
    sent = il.dump([*REQUEST, message], "anthropic", on_loss=reported.append)["messages"][1]["content"]
    assert sent[2]["citations"] == [{key: value for key, value in CITATION.items() if key != "file_id"}]
    assert "abort_reason" not in sent[5]["content"]
    assert sent[6] == BODY["content"][6]
    assert sent[7] == {"type": "text", "text": "Hi."}
    assert {loss.kind for loss in reported} == {"response_only"}
    assert {loss.path for loss in reported} == {
        "/1/content/2/citations/0/file_id",
        "/1/content/5/value/content/abort_reason",
        "/1/content/7/provider_data/anthropic/parsed_output",
        "/1/content/7/provider_data/anthropic/x",
    }


def test_a_message_without_content_has_no_block_for_its_cache_mark() -> None:
    message = il.AssistantMessage(cache_control=il.CacheControl(type="ephemeral"))
    body, losses = losses_of(il.Response(choices=(il.Choice(message=message),), origin="anthropic"))
    assert "content" not in body
    assert losses == {("dropped", "/choices/0/message/cache_control")}


MARKED = il.CacheControl(type="ephemeral")
UNMARKABLE = [il.ThinkingPart(thinking="x", signature="eA=="), il.TextPart(text="x", cache_control=MARKED)]


@pytest.mark.parametrize("last", UNMARKABLE, ids=lambda part: part.type)
def test_a_mark_for_which_the_last_block_has_no_place_is_dropped(last: il.Part) -> None:
    message = il.AssistantMessage(content=[last], cache_control=MARKED)
    _, losses = losses_of(il.Response(choices=(il.Choice(message=message),), origin="anthropic"))
    assert losses == {("dropped", "/choices/0/message/cache_control")}


def test_a_tool_input_that_names_cache_marks_takes_none_of_them_away() -> None:
    marks = [{"cache_control": {"type": "ephemeral"}} for _ in range(5)]
    call = il.ToolUsePart(id="c", name="f", input={"marks": marks})
    messages: list[il.Message] = [il.UserMessage(content="x"), il.AssistantMessage(content=[call])]
    messages.append(il.ToolMessage(tool_call_id="c", content="x"))
    body = il.dump(il.Request(messages=messages, caching=il.Caching(messages=1)), "anthropic", on_loss="raise")
    assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


# Parts that are kept whole

RESULT: dict[str, Any] = {"type": "search_result", "source": "https://example.com", "title": "x", "content": []}
MARK: dict[str, Any] = {"type": "ephemeral", "ttl": "1h"}


WHOLE: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], set[str]]] = [
    (RESULT, {"cache_control": MARK}, RESULT | {"cache_control": MARK}, set[str]()),
    (
        RESULT,
        {"provider_data": {"anthropic": {"citations": {"enabled": True}}}},
        RESULT | {"citations": {"enabled": True}},
        set(),
    ),
    (RESULT, {"provider_data": {"openai": {"x": 1}}}, RESULT, {"/0/content/0/provider_data/openai/x"}),
    (
        RESULT | {"cache_control": {"type": "ephemeral"}},
        {"cache_control": MARK},
        RESULT | {"cache_control": MARK},
        {"/0/content/0/value/cache_control"},
    ),
]


@pytest.mark.parametrize(("value", "fields", "block", "lost"), WHOLE)
def test_an_opaque_part_is_sent_with_its_cache_mark_and_provider_data(
    value: dict[str, Any], fields: dict[str, Any], block: dict[str, Any], lost: set[str]
) -> None:
    part = il.validate({"type": "opaque", "format": "anthropic", "value": value, **fields}, il.OpaquePart)
    losses: list[il.Loss] = []
    body = il.dump([il.UserMessage(content=(part,))], "anthropic", on_loss=losses.append)
    assert body["messages"][0]["content"] == [block]
    assert {loss.path for loss in losses} == lost


def test_a_part_without_a_type_may_end_an_answer() -> None:
    """In a request of others, where thinking at the end is left out."""
    part = il.OpaquePart(format="anthropic", value={"a": 1})
    answer = il.AssistantMessage(content=[part, il.ThinkingPart(thinking="x", signature="s", issuer="anthropic")])
    body = il.dump([il.UserMessage(content="q"), answer], "anthropic", on_loss="ignore")
    assert body["messages"][1]["content"] == [{"a": 1}]


@pytest.mark.parametrize("value", ['{"a": 1, "a": 2}', '{"a": {"b": 1, "b": 2}}', '[{"a": [{"b": 1, "b": 2}]}]'])
def test_a_repeated_key_of_arguments_is_reported_at_any_depth(value: str) -> None:
    reported: list[il.Loss] = []
    call = il.ToolCall(id="c", name="f", arguments=f'{{"x": {value}}}')
    il.dump([il.AssistantMessage(tool_calls=[call])], "anthropic", on_loss=reported.append)
    assert [loss.detail for loss in reported] == ["the arguments repeat a key, and the last value counts"]


def test_only_the_first_user_message_behind_results_joins_them() -> None:
    call = {"id": "c", "name": "f", "arguments": "{}"}
    messages = il.validate(
        [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": "x"},
            {"role": "user", "content": "one"},
            {"role": "user", "content": "two"},
        ]
    )
    _, results, last = il.dump(messages, "anthropic")["messages"]
    assert [block["type"] for block in results["content"]] == ["tool_result", "text"]
    assert last == {"role": "user", "content": "two"}


def test_the_system_text_is_text_whoever_it_is_from() -> None:
    shown: dict[str, Any] = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    reported: list[il.Loss] = []
    leading: dict[str, Any] = {"role": "developer", "content": [{"type": "text", "text": "a"}, shown]}
    messages = [leading, {"role": "user", "content": "q"}]
    assert il.dump(messages, "anthropic", on_loss=reported.append).get("system") == [{"type": "text", "text": "a"}]
    assert ("/0/content/1", "dropped") in [(loss.path, loss.kind) for loss in reported]


@pytest.mark.parametrize(("word", "reported"), [("pdf", True), ("md", True), ("txt", False), (None, False)])
def test_a_document_given_as_text_is_plain_text(word: str | None, reported: bool) -> None:
    document = {"name": "n", "source": {"text": "Hi."}} | ({} if word is None else {"format": word})
    payload = {"messages": [{"role": "user", "content": [{"text": "What is this?"}, {"document": document}]}]}
    result = il.convert(payload, source="bedrock_converse", target="anthropic")
    block: Any = result.payload["messages"][0]["content"][1]
    assert TypeAdapter(DocumentBlockParam).validate_python(block) == block
    assert block["source"] == {"type": "text", "data": "Hi.", "media_type": "text/plain"}
    at = "/messages/0/content/1"
    changed = [("changed", f"{at}/document/source", f"{at}/source")]
    assert [(loss.kind, loss.path, loss.at) for loss in result.losses] == (changed if reported else [])


def test_the_type_of_a_text_comes_back_as_it_was() -> None:
    source = {"type": "text", "data": "Hi.", "media_type": "text/markdown"}
    payload = {"messages": [{"role": "user", "content": [{"type": "document", "source": source}]}]}
    assert il.convert(payload, source="anthropic", target="anthropic").payload == payload


def test_the_old_field_of_a_response_format_is_read_and_comes_back() -> None:
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}]}
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    old: dict[str, Any] = body | {"output_format": {"type": "json_schema", "schema": schema}}
    request = il.load(old, "anthropic")
    assert request.response_format == il.ResponseFormat(type="json_schema", json_schema=schema)
    assert il.dump(request, "anthropic") == old
    edited = request.replace(response_format={"type": "json_schema", "json_schema": {"type": "object"}})
    again: dict[str, Any] = {**il.dump(edited, "anthropic")}
    assert again["output_format"]["schema"] == {"type": "object"}
    array = {"type": "json_schema", "schema": {"type": "array"}}
    both: dict[str, Any] = {**old, "output_config": {"format": array}}
    assert il.load(both, "anthropic").response_format == il.ResponseFormat(type="json_schema", json_schema={"type": "array"})
    assert il.dump(il.load(both, "anthropic"), "anthropic") == both
    unknown = body | {"output_format": {"type": "grammar"}}
    assert il.load(unknown, "anthropic").response_format is None
    assert il.dump(il.load(unknown, "anthropic"), "anthropic") == unknown


def test_the_error_mark_of_a_result_with_a_cache_mark_is_read() -> None:
    marks = {"is_error": True, "cache_control": {"type": "ephemeral"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_a", "content": "No such thing.", **marks}
    payload: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [result]}]}
    [message] = il.load(payload, "anthropic").messages
    [part] = message.parts
    assert isinstance(part, il.ToolResultPart)
    assert part.is_error
    assert part.provider_data is None


TEXT_CLEARED = "the model no longer sees this message, because a later user message clears it"


def test_text_that_a_later_message_clears_is_not_sent_elsewhere() -> None:
    reminder = {"role": "system", "content": "It is Monday.", "clear_at": "next_user_message"}
    body: dict[str, Any] = {"max_tokens": 10, "messages": [{"role": "user", "content": "What day is it?"}, reminder]}
    shown = il.convert(body, source="anthropic", target="openai_chat")
    assert shown.payload["messages"][1] == {"role": "system", "content": "It is Monday."}
    asked_again = {**body, "messages": [*body["messages"], {"role": "user", "content": "And now?"}]}
    cleared = il.convert(asked_again, source="anthropic", target="openai_chat")
    assert "Monday" not in str(cleared.payload)
    assert [(loss.kind, loss.path, loss.detail) for loss in cleared.losses] == [("dropped", "/messages/1", TEXT_CLEARED)]


SAME_TOOLS = "other providers are offered the same tools throughout the conversation"


def change(kind: str, **tool: Any) -> dict[str, Any]:
    return {"type": f"tool_{kind}", "tool": tool}


OLD: dict[str, Any] = {"name": "old", "input_schema": {"type": "object", "properties": {}}}
NEW: dict[str, Any] = {**OLD, "name": "new"}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "bedrock_converse", "cohere", "ollama"])
def test_a_tool_that_is_defined_beside_text_is_sent(target: il.FormatName) -> None:
    added = change("addition", type="tool_definition", definition=NEW)
    removed = change("removal", type="tool_reference", name="old")
    system = {"role": "system", "content": [{"type": "text", "text": "The list changes."}, added, removed]}
    body: dict[str, Any] = {"max_tokens": 10, "messages": [{"role": "user", "content": "Hello."}, system], "tools": [OLD]}
    made = il.convert(body, source="anthropic", target=target)
    sent = il.load(made.payload, target)
    assert [tool.to_dict()["name"] for tool in sent.tools or ()] == ["old", "new"]
    assert "The list changes." in str(made.payload)
    losses = {loss.path: (loss.kind, loss.detail) for loss in made.losses}
    assert losses["/messages/1/content/1"][0] == "moved"
    assert losses["/messages/1/content/2"] == ("dropped", SAME_TOOLS)


def test_a_message_that_offers_a_tool_again_is_left_out() -> None:
    system = {"role": "system", "content": [change("addition", type="tool_reference", name="old")]}
    body: dict[str, Any] = {"max_tokens": 10, "messages": [{"role": "user", "content": "Hello."}, system], "tools": [OLD]}
    losses = il.convert(body, source="anthropic", target="openai_chat").losses
    assert [(loss.kind, loss.path, loss.detail) for loss in losses] == [("dropped", "/messages/1", SAME_TOOLS)]


def test_a_call_in_the_system_text_is_found() -> None:
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "old", "input": {}}
    body: dict[str, Any] = {
        "max_tokens": 10,
        "system": [call],
        "messages": [{"role": "user", "content": "Hello."}],
        "tools": [OLD],
    }
    assert "call-without-result" in [problem.code for problem in il.check(body, "anthropic_vertex")]
