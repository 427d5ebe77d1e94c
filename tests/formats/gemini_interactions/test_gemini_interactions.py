"""What the Interactions API alone does: thoughts between steps, turns and outputs of its first version, bytes in citations."""

from typing import Any

import pytest

import interlingua as il

NAME: il.FormatName = "gemini_interactions"
ASKED: dict[str, Any] = {"type": "user_input", "content": [{"type": "text", "text": "Go."}]}
THOUGHT: dict[str, Any] = {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "Call f."}]}
CALL: dict[str, Any] = {"type": "function_call", "id": "a", "name": "f", "arguments": {"n": 1}}
RESULT: dict[str, Any] = {"type": "function_result", "call_id": "a", "name": "f", "result": {"m": 2}}


def output(*texts: str) -> dict[str, Any]:
    return {"type": "model_output", "content": [{"type": "text", "text": text} for text in texts]}


def test_steps_of_the_model_in_a_row_are_one_message_in_their_order() -> None:
    request = il.load({"input": [ASKED, THOUGHT, output("A."), CALL, RESULT, output("B.")]}, NAME)
    assert [message.role for message in request.messages] == ["user", "assistant", "tool", "assistant"]
    answer = request.messages[1]
    assert [part.type for part in answer.parts] == ["thinking", "text", "tool_use"]
    assert isinstance(answer.parts[0], il.ThinkingPart)
    assert (answer.parts[0].thinking, answer.parts[0].signature, answer.parts[0].issuer) == ("Call f.", "c2ln", "gemini")


def test_a_signed_thought_of_an_answer_goes_back_before_its_call() -> None:
    body = {"id": "v1_a", "object": "interaction", "status": "requires_action", "steps": [THOUGHT, CALL]}
    response = il.load_response(body, NAME)
    assert (response.stop_reason, response.native_stop_reason) == ("tool_calls", "requires_action")
    history = [il.UserMessage(content="Go."), response.message, il.ToolMessage(tool_call_id="a", content="2")]
    steps = il.dump(history, NAME, on_loss="raise")["input"]
    assert steps == [ASKED, THOUGHT, CALL, {"type": "function_result", "call_id": "a", "result": "2"}]


def test_a_signature_of_another_provider_is_left_out_and_its_text_is_not() -> None:
    thinking = il.ThinkingPart(thinking="Call f.", signature="c2ln", issuer="anthropic")
    losses: list[il.Loss] = []
    history = [il.UserMessage(content="Go."), il.AssistantMessage(content=[thinking, il.TextPart(text="A.")])]
    steps = il.dump(history, NAME, on_loss=losses.append)["input"]
    assert steps[1:] == [{"type": "thought", "summary": THOUGHT["summary"]}, output("A.")]
    assert [(loss.path, loss.kind) for loss in losses] == [("/1/content/0/signature", "dropped")]


def test_messages_that_follow_turns_are_steps() -> None:
    payload = {"input": [{"role": "user", "content": "Go."}, {"role": "model", "content": "A."}]}
    request = il.load(payload, NAME)
    more = request.replace(messages=(*request.messages, il.UserMessage(content="And?")))
    followed = il.dump(more, NAME, on_loss="raise")["input"]
    assert followed == [*payload["input"], {"type": "user_input", "content": [{"type": "text", "text": "And?"}]}]


def test_an_answer_of_the_first_version_goes_on_in_steps() -> None:
    outputs = [{"type": "thought", "signature": "c2ln"}, {"type": "text", "text": "A."}]
    body = {"id": "v1_a", "object": "interaction", "status": "completed", "role": "model", "outputs": outputs}
    response = il.load_response(body, NAME)
    assert il.dump_response(response, NAME) == body
    steps = il.dump([il.UserMessage(content="Go."), response.message], NAME, on_loss="raise")["input"]
    assert steps[1:] == [outputs[0], output("A.")]


def test_an_input_of_content_becomes_a_step_when_the_conversation_goes_on() -> None:
    content = [{"type": "text", "text": "Go."}, {"type": "image", "data": "aGk=", "mime_type": "image/png"}]
    request = il.load({"input": content}, NAME)
    more = request.replace(messages=(*request.messages, il.AssistantMessage(content="A.")))
    assert il.dump(more, NAME)["input"] == [{"type": "user_input", "content": content}, output("A.")]


def test_places_in_a_text_are_bytes_there_and_characters_here() -> None:
    cited = {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 3, "end_index": 9}
    text = "üb: Grüße"
    step = {"type": "model_output", "content": [{"type": "text", "text": text, "annotations": [cited]}]}
    message = il.load_response({"status": "completed", "steps": [step]}, NAME).message
    [part] = message.parts
    assert isinstance(part, il.TextPart)
    assert part.citations is not None
    [citation] = part.citations
    assert isinstance(citation, il.UrlCitation)
    assert text[citation.start : citation.end] == text.encode()[3:9].decode()


def test_a_place_outside_of_the_text_is_reported_and_left_out() -> None:
    citation = il.UrlCitation(url="https://a.example", start=1, end=2)
    lost: list[il.Loss] = []
    payload = il.dump([il.AssistantMessage(content=[il.TextPart(text="a", citations=[citation])])], NAME, on_loss=lost.append)
    cited = {"type": "url_citation", "url": "https://a.example", "start_index": 1}
    assert payload["input"][0]["content"][0]["annotations"] == [cited]
    assert [(loss.kind, loss.path) for loss in lost] == [("dropped", "/0/content/0/citations/0/end")]


@pytest.mark.parametrize(("effort", "level"), [("none", "minimal"), ("low", "low"), ("xhigh", "xhigh"), ("max", "xhigh")])
def test_an_effort_is_a_thinking_level(effort: str, level: str) -> None:
    payload = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "reasoning_effort": effort}
    converted = il.convert(payload, source="openai_chat", target=NAME)
    assert converted.payload["generation_config"]["thinking_level"] == level
    assert [loss.kind for loss in converted.losses] == ([] if effort == level else ["changed"])
    assert il.load(converted.payload, NAME).reasoning_effort == level


def test_a_schema_of_an_answer_goes_both_ways() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    form = {"type": "text", "mime_type": "application/json", "schema": schema}
    request = il.load({"input": "Go.", "response_format": form}, NAME)
    assert request.response_format == il.ResponseFormat(type="json_schema", json_schema=schema)
    chat = il.convert({"model": "m", "input": "Go.", "response_format": form}, source=NAME, target="openai_chat")
    form_there: Any = chat.payload.get("response_format")
    assert form_there["json_schema"]["schema"] == schema
    back = il.convert(chat.payload, source="openai_chat", target=NAME).payload
    assert back["response_format"]["schema"]["properties"] == schema["properties"]


def test_a_choice_of_one_tool_names_it() -> None:
    tools = [il.Tool(name="f", parameters={"type": "object", "properties": {}})]
    choice = il.ToolChoice(type="tool", name="f")
    request = il.Request(messages=[il.UserMessage(content="Go.")], tools=tools, tool_choice=choice)
    payload = il.dump(request, NAME, on_loss="raise")
    assert payload["generation_config"] == {"tool_choice": {"allowed_tools": {"mode": "any", "tools": ["f"]}}}
    assert il.load(payload, NAME).tool_choice == choice


def test_a_stream_without_its_end_mark_is_complete() -> None:
    reader = il.reader(NAME)
    done = {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": "completed"}}
    begun = {"event_type": "step.start", "index": 0, "step": output("A.")}
    for chunk in (begun, {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "B."}}, done):
        reader.feed(chunk)
    reader.close()
    assert reader.complete
    assert reader.response.message.text == "A.B."


WHOLE: list[dict[str, Any]] = [
    {"type": "model_output"},
    {"type": "model_output", "content": None},
    {"type": "model_output", "text": "a", "content": [{"type": "text", "text": "b"}, {"type": "text", "text": "c"}]},
    {"type": "thought", "summary": [{"type": "image", "data": "aGk=", "mime_type": "image/png"}], "signature": "ZGF0YQ=="},
]
"""Steps that are kept whole, as no part of a message can have what they say."""


@pytest.mark.parametrize("step", WHOLE)
def test_a_step_that_is_kept_whole_comes_whole_in_a_stream(step: dict[str, Any]) -> None:
    steps = [output("A."), step, output("B.")]
    chunks: list[dict[str, Any]] = [
        {"event_type": event, "index": i, "step": each} for i, each in enumerate(steps) for event in ("step.start", "step.stop")
    ]
    chunks.append({"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": "completed"}})
    reader = il.reader(NAME)
    for chunk in il.restream(chunks, source=NAME, target=NAME):
        reader.feed(chunk)
    assert il.dump_response(reader.response, NAME)["steps"] == steps


def test_an_empty_text_with_citations_that_are_dropped_is_still_a_text() -> None:
    citations = {"citations": [{"type": "document", "file_id": "f1", "issuer": "openai"}]}
    text: list[il.Event] = [il.TextDelta(index=0, text=""), il.Update(of="part", index=0, data=citations), il.PartStop(index=0)]
    writer, reader = il.writer(NAME), il.reader(NAME)
    for event in (il.MessageStart(), *text, il.Stop(stop_reason="stop"), il.StreamEnd()):
        for chunk in writer.feed(event):
            reader.feed(chunk)
    assert {loss.path for loss in writer.losses} == {"/choices/0/message/content/0/citations/0"}
    assert reader.response.message.content == (il.TextPart(text=""),)


def test_an_object_of_another_kind_stays_as_it_is() -> None:
    body = {"id": "v1_a", "object": "response", "status": "completed", "steps": [output("A.")]}
    assert il.dump_response(il.load_response(body, NAME), NAME) == body


def test_half_a_character_in_a_cited_text_is_a_fault_with_its_place() -> None:
    cited = {"type": "text", "text": "\ud83d", "annotations": [{"type": "url_citation", "start_index": 0, "end_index": 1}]}
    body = {"id": "v1_a", "status": "completed", "steps": [{"type": "model_output", "content": [cited]}]}
    with pytest.raises(il.InvalidPayload) as found:
        il.load_response(body, NAME)
    assert [fault.path for fault in found.value.faults] == ["/steps/0/content/0/text"]


def test_a_loss_of_allowed_tools_names_their_list() -> None:
    choice = {"allowed_tools": {"mode": "auto", "tools": ["f"]}}
    tools: list[dict[str, Any]] = [
        {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}} for name in "fg"
    ]
    body = {"input": [ASKED], "tools": tools, "generation_config": {"tool_choice": choice}}
    made = il.convert(body, source=NAME, target="asktable")
    paths = {loss.path for loss in made.losses}
    assert "/generation_config/tool_choice/allowed_tools/tools" in paths
    assert "/generation_config/tool_choice/allowed" not in paths


@pytest.mark.parametrize("role", ["system", "developer"])
def test_system_text_alone_becomes_the_input(role: str) -> None:
    asked = {"messages": [{"role": "system", "content": "First."}, {"role": role, "content": "Last."}]}
    made: Any = il.convert(asked, source="openai_chat", target="gemini_interactions").payload
    assert made["system_instruction"] == "First."
    assert made["input"] == [{"type": "user_input", "content": [{"type": "text", "text": "Last."}]}]


def test_a_budget_of_zero_is_the_least_level_of_thinking() -> None:
    parts = [{"text": "Hi."}]
    budget = {"thinkingConfig": {"thinkingBudget": 0}}
    body: Any = {"contents": [{"role": "user", "parts": parts}], "generationConfig": budget}
    made = il.convert(body, source="gemini", target="gemini_interactions")
    assert made.payload.get("generation_config") == {"thinking_level": "minimal"}
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/generationConfig/thinkingConfig/thinkingBudget")]


# The response format of the first version, which is the schema itself

FIRST_SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def first_format(schema: Any = FIRST_SCHEMA, mime_type: str = "application/json") -> dict[str, Any]:
    return {"model": "m", "input": "Hi.", "response_format": schema, "response_mime_type": mime_type}


def test_the_schema_of_the_first_version_is_a_response_format() -> None:
    loaded = il.load(first_format(), "gemini_interactions")
    assert loaded.response_format is not None
    assert loaded.response_format.json_schema == FIRST_SCHEMA
    assert il.dump(loaded, "gemini_interactions", on_loss="raise") == first_format()
    made: Any = il.convert(first_format(), source="gemini_interactions", target="gemini", strict=True).payload
    assert made["generationConfig"]["responseMimeType"] == "application/json"
    chat: Any = il.convert(first_format(), source="gemini_interactions", target="openai_chat").payload
    assert chat["response_format"]["json_schema"]["schema"] == FIRST_SCHEMA
    named = loaded.response_format.replace(name="answer")
    again: Any = il.dump(loaded.replace(response_format=named), "gemini_interactions", on_loss="ignore")
    schema = FIRST_SCHEMA | {"title": "answer"}
    assert again["response_format"] == {"type": "text", "mime_type": "application/json", "schema": schema}


@pytest.mark.parametrize("schema", [{}, None])
def test_a_media_type_without_a_schema_is_any_json(schema: Any) -> None:
    alone = {"model": "m", "input": "Hi.", "response_mime_type": "application/json"}
    for body in (alone, first_format(schema)):
        assert il.dump(il.load(body, "gemini_interactions"), "gemini_interactions", on_loss="raise") == body
        chat: Any = il.convert(body, source="gemini_interactions", target="openai_chat", strict=True).payload
        assert chat["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    "odd",
    [
        first_format(mime_type="text/plain"),
        first_format({"type": "text", "mime_type": "application/json", "schema": FIRST_SCHEMA}),
        first_format([FIRST_SCHEMA]),
    ],
)
def test_a_response_format_of_another_kind_stays_as_it_is(odd: dict[str, Any]) -> None:
    assert il.dump(il.load(odd, "gemini_interactions"), "gemini_interactions", on_loss="raise") == odd


def test_a_loss_in_the_schema_of_the_first_version_points_into_it() -> None:
    losses = il.convert(first_format(FIRST_SCHEMA | {"not": {}}), source="gemini_interactions", target="anthropic").losses
    assert "/response_format/not" in [loss.path for loss in losses]
