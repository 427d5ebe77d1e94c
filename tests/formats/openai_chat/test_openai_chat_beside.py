"""Gemini's signatures and citations in Chat's shape: read, written where each host has them, and else reported as lost."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import body, chunk, delta, function, read

HOSTS: list[il.FormatName] = ["gemini_openai", "litellm", "openrouter"]


def detail(signature: str, **more: Any) -> dict[str, Any]:
    return {"type": "reasoning.encrypted", "data": signature, "format": "google-gemini-v1", **more}


GOOGLE = {"google": {"thought_signature": "A"}}
LITELLM = {"thought_signature": "A"}
SIGNED: dict[str, dict[str, Any]] = {
    "a call at Google": {"content": None, "tool_calls": [function(id="a", extra_content=GOOGLE), function(id="b")]},
    "a text at Google": {"content": "Hi.", "extra_content": GOOGLE},
    "an empty text at Google": {"content": "", "extra_content": GOOGLE},
    "an empty text at LiteLLM": {"content": "", "provider_specific_fields": {"thought_signatures": ["T"]}},
    "an empty text at OpenRouter": {
        "content": "",
        "reasoning_details": [detail("T"), detail("A", id="a", index=1)],
        "tool_calls": [function(id="a")],
    },
    "a thought at Google": {"content": "Hi.", "extra_content": {"google": {"thought": True, "thought_signature": "A"}, "x": 1}},
    "no text at Google": {"content": None, "extra_content": GOOGLE, "thought_signature": "A"},
    "all at LiteLLM": {
        "content": "Hi.",
        "tool_calls": [function(id="a", provider_specific_fields={**LITELLM, "x": 1}), function(id="b")],
        "provider_specific_fields": {"thought_signatures": ["T", "A"], "x": 1},
    },
    "calls alone at LiteLLM": {
        "content": "Hi.",
        "tool_calls": [{**function(id="a"), "function": {"name": "f", "arguments": "", "provider_specific_fields": LITELLM}}],
        "provider_specific_fields": {"thought_signatures": ["A"]},
    },
    "others at LiteLLM": {"content": "Hi.", "provider_specific_fields": {"thought_signatures": ["T", "A"]}},
    "all at OpenRouter": {
        "content": "Hi.",
        "reasoning_details": [
            {"type": "reasoning.text", "text": "Hm.", "format": "google-gemini-v1", "index": 0},
            detail("T", index=0),
            detail("A", id="b", index=1),
        ],
        "tool_calls": [function(id="a"), function(id="b")],
    },
    "a call that is not there at OpenRouter": {"content": "Hi.", "reasoning_details": [detail("T"), detail("A", id="b")]},
    "out of order at OpenRouter": {
        "content": None,
        "reasoning_details": [detail("B", id="b"), detail("A", id="a")],
        "tool_calls": [function(id="a"), function(id="b")],
    },
}


def streamed(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The chunks of a message, whose fields come one after the other; details come first, as OpenRouter sends them."""
    fields = sorted(message, key=lambda key: (key != "reasoning_details", key != "content"))
    pieces: list[dict[str, Any]] = [delta(role="assistant")]
    for key in fields:
        value = message[key]
        if key == "tool_calls":
            pieces += [delta(tool_calls=[call | {"index": i}]) for i, call in enumerate(value)]
        else:
            pieces.append(delta(**{key: value}))
    return [*pieces, delta(0, "stop")]


def answers(message: dict[str, Any], format: il.FormatName) -> Iterator[il.Response]:
    """The response with a message, read whole and as a stream."""
    yield il.load_response(body({"role": "assistant", **message}), format)
    reader = il.reader(format)
    list(reader.read(copy.deepcopy(streamed(message))))
    yield reader.response


@pytest.mark.parametrize("format", ["openai_chat", *HOSTS])
@pytest.mark.parametrize("name", SIGNED)
def test_an_agent_sends_back_the_signatures_that_it_got(name: str, format: il.FormatName) -> None:
    message = SIGNED[name]
    for response in answers(message, format):
        assert il.dump_response(response, format, on_loss="raise")["choices"][0]["message"] == {"role": "assistant", **message}
        asked = il.load({"messages": [{"role": "user", "content": "q"}]}, format)
        longer = asked.replace(messages=[*asked.messages, response.message])
        sent = il.dump(longer, format, on_loss="ignore")["messages"][1:]
        if name == "no text at Google":
            assert sent == []  # reasoning without text says nothing else
        elif not name.startswith(("others", "a call that", "out of order")):
            assert signatures(sent[0]) == signatures(message)
        assert all(each["content"] == message["content"] for each in sent)


def signatures(message: Any) -> list[str]:
    """All signatures of a message, whatever holds them; LiteLLM reads what its list repeats from the calls."""
    details = [item["data"] for item in message.get("reasoning_details", ()) if item["type"] == "reasoning.encrypted"]
    holders = [message, *message.get("tool_calls", ())]
    holders += [call.get("function", {}) for call in message.get("tool_calls", ())]
    found = [holder["extra_content"]["google"]["thought_signature"] for holder in holders if "extra_content" in holder]
    own = [holder.get("provider_specific_fields", {}) for holder in holders]
    listed = [one for each in own for one in each.get("thought_signatures", ())]
    return sorted({*details, *found, *listed, *(each["thought_signature"] for each in own if "thought_signature" in each)})


def test_a_signature_belongs_to_its_call_or_text() -> None:
    for name, expected in {
        "a call at Google": [("a", "A"), ("b", None)],
        "all at LiteLLM": ["T", ("a", "A"), ("b", None)],
        "all at OpenRouter": [None, "T", ("a", None), ("b", "A")],
        "an empty text at Google": ["A"],
        "an empty text at LiteLLM": ["T"],
        "an empty text at OpenRouter": ["T", ("a", "A")],
    }.items():
        for response in answers(SIGNED[name], "openai_chat"):
            parts = response.message.parts
            said = [(p.id, p.signature) if isinstance(p, il.ToolUsePart) else p.signature for p in parts]
            assert said == expected
            assert {p.issuer for p in parts if p.signature is not None} == {"gemini"}


@pytest.mark.parametrize("format", ["openai_chat", *HOSTS])
def test_a_stream_with_blocks_in_both_fields_is_written_as_it_was_read(format: il.FormatName) -> None:
    message = {"content": "Hi.", "reasoning_details": [detail("T")], "thinking_blocks": [{"type": "thinking", "thinking": "x"}]}
    reader, writer, again = il.reader(format), il.writer(format), il.reader(format)
    list(again.read([wire for event in reader.read(streamed(message)) for wire in writer.feed(event)]))
    assert writer.losses == ()
    assert again.response == reader.response


@pytest.mark.parametrize("format", ["openai_chat", *HOSTS])
def test_blocks_that_follow_signatures_are_read_as_in_the_whole(format: il.FormatName) -> None:
    blocks = [{"type": "thinking", "thinking": "x"}, {"type": "redacted_thinking", "data": "eA=="}]
    before, after = detail("T"), detail("A", id="a")
    message = {"content": "Hi.", "tool_calls": [function(id="a")], "thinking_blocks": blocks}
    *chunks, end = streamed({**message, "reasoning_details": [before]})
    response, events = read([*chunks, delta(reasoning_details=[after]), end], format)
    sent = {"role": "assistant", **message, "reasoning_details": [before, after]}
    assert response == il.accumulate(events) == il.load_response(body(sent), format)
    assert il.dump_response(response, format, on_loss="raise")["choices"][0]["message"] == sent


def gemini_answer(issuer: str = "gemini") -> il.AssistantMessage:
    """What an answer of Gemini's own format is."""
    text = il.TextPart(text="Let me see.", signature="T", issuer=issuer)
    call = il.ToolUsePart(id="a", name="f", input="{}", signature="A", issuer=issuer)
    return il.AssistantMessage(content=[text, call])


@pytest.mark.parametrize("target", [*HOSTS, "openai_chat", "deepseek", "verifiers"])
def test_signatures_of_gemini_itself_go_where_the_host_takes_them(target: il.FormatName) -> None:
    reported: list[il.Loss] = []
    sent = il.dump([il.UserMessage(content="q"), gemini_answer()], target, on_loss=reported.append)["messages"][1]
    if target in HOSTS:
        assert signatures(sent) == ["A", "T"]
        assert reported == []
        [_, again] = il.load({"messages": [{"role": "user", "content": "q"}, sent]}, target).messages
        assert [part.signature for part in again.parts] == ["T", "A"]
    else:
        stand_in = ["/1"] if target == "deepseek" else []  # for the reasoning that calls must have there
        assert sorted(loss.path for loss in reported) == [*stand_in, "/1/content/0/signature", "/1/content/1/signature"]
        assert signatures(sent) == []


@pytest.mark.parametrize("target", HOSTS)
def test_an_empty_text_of_gemini_keeps_its_signature(target: il.FormatName) -> None:
    part = {"text": "", "thoughtSignature": "VA=="}
    answer = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    whole = il.dump_response(il.load_response(answer, "gemini"), target, on_loss="raise")
    reader, writer, again = il.reader("gemini"), il.writer(target), il.reader(target)
    list(again.read([chunk for event in reader.read([answer]) for chunk in writer.feed(event)]))
    assert writer.losses == ()
    for response in il.load_response(whole, target), again.response:
        [found] = response.message.parts
        assert isinstance(found, il.TextPart)
        assert (found.text, found.signature, found.issuer) == ("", "VA==", "gemini")


@pytest.mark.parametrize("target", HOSTS)
def test_a_signature_of_another_issuer_is_reported(target: il.FormatName) -> None:
    reported: list[il.Loss] = []
    il.dump([il.UserMessage(content="q"), gemini_answer(issuer="anthropic")], target, on_loss=reported.append)
    assert sorted(loss.path for loss in reported) == ["/1/content/0/signature", "/1/content/1/signature"]


@pytest.mark.parametrize("target", HOSTS)
def test_a_signature_of_another_issuer_is_written_nowhere_beside_one_of_gemini(target: il.FormatName) -> None:
    text = {"type": "text", "text": "Hi.", "signature": "T", "issuer": "gemini"}
    call = {"type": "tool_use", "id": "a", "name": "f", "input": "{}", "signature": "A", "issuer": "anthropic"}
    reported: list[il.Loss] = []
    sent: Any = il.dump(il.validate([{"role": "assistant", "content": [text, call]}]), target, on_loss=reported.append)
    assert [loss.path for loss in reported] == ["/0/content/1/signature"]
    assert signatures(sent["messages"][0]) == ["T"]


# Citations

PAGE = {"type": "url_citation", "url_citation": {"url": "https://a.example/", "title": "A", "start_index": 0, "end_index": 3}}
CITED: dict[str, dict[str, Any]] = {
    "a page": {"content": "Hi.", "annotations": [PAGE]},
    "a page with an excerpt": {
        "content": "Hi.",
        "annotations": [{"type": "url_citation", "url_citation": {"url": "u", "content": "x", "title": None}, "x": 1}],
    },
    "other kinds": {
        "content": "Hi.",
        "annotations": [{"type": "function_citation", "function_citation": {"tool_call_id": "a"}}, PAGE, {"x": 1}],
    },
    "no citation": {"content": "Hi.", "annotations": []},
    "no text": {"content": None, "annotations": [PAGE]},
    "several texts": {
        "content": [{"type": "text", "text": "a"}, {"type": "x"}, {"type": "text", "text": "b"}],
        "annotations": [PAGE],
    },
}


@pytest.mark.parametrize("name", CITED)
def test_annotations_are_citations_of_the_text(name: str) -> None:
    message = CITED[name]
    for response in answers(message, "openai_chat"):
        assert il.dump_response(response, "openai_chat", on_loss="raise")["choices"][0]["message"] == {
            "role": "assistant",
            **message,
        }
        reported: list[il.Loss] = []
        sent = il.dump([il.UserMessage(content="q"), response.message], "openai_chat", on_loss=reported.append)["messages"][1:]
        assert all("annotations" not in each for each in sent)
        assert {loss.kind for loss in reported} <= {"response_only", "dropped"}
        assert name == "several texts" or all(each["content"] == message["content"] for each in sent)


def test_a_citation_of_another_kind_is_kept_whole() -> None:
    for response in answers(CITED["other kinds"], "openai_chat"):
        [part] = response.message.parts
        assert isinstance(part, il.TextPart)
        assert [citation.type for citation in part.citations or ()] == ["opaque", "url", "opaque"]


def test_citations_before_the_text_are_of_the_text() -> None:
    chunks = [delta(role="assistant", annotations=[PAGE]), delta(content="Hi"), delta(content="."), delta(0, "stop"), chunk()]
    reader = il.reader("openrouter")
    list(reader.read(chunks))
    [part] = reader.response.message.parts
    assert isinstance(part, il.TextPart)
    assert part.text == "Hi."
    assert [citation.to_dict() for citation in part.citations or ()] == [
        {"type": "url", "url": "https://a.example/", "title": "A", "start": 0, "end": 3}
    ]


ELSEWHERE: list[dict[str, Any]] = [
    {"type": "text", "text": "One. "},
    {
        "type": "text",
        "text": "Two.",
        "citations": [
            {"type": "url", "url": "https://a.example/", "title": "A", "cited_text": "two"},
            {"type": "url", "url": "https://b.example/", "start": 1, "end": 3},
            {"type": "document", "document": 0},
        ],
    },
]


def test_citations_of_other_formats_are_annotations_of_the_whole_text() -> None:
    answer = il.AssistantMessage(content=ELSEWHERE)
    response = il.Response(choices=[{"message": answer, "stop_reason": "stop"}])
    reported: list[il.Loss] = []
    whole = il.dump_response(response, "openai_chat", on_loss=reported.append)["choices"][0]["message"]
    assert whole["content"] == "One. Two."
    assert [annotation["url_citation"] for annotation in whole["annotations"]] == [
        {"url": "https://a.example/", "title": "A", "start_index": 5, "end_index": 9},
        {"url": "https://b.example/", "title": "", "start_index": 6, "end_index": 8},
    ]
    path = "/choices/0/message/content/1/citations"
    lost = {f"{path}/0/cited_text", f"{path}/2"}
    assert lost <= {loss.path for loss in reported if loss.kind == "dropped"}
    writer = il.writer("openai_chat")
    events: list[Any] = [il.MessageStart(spelling="blocks")]
    for index, part in enumerate(ELSEWHERE):
        events.append(il.TextDelta(index=index, text=part["text"]))
        if "citations" in part:
            events.append(il.Update(of="part", index=index, data={"citations": part["citations"]}))
        events.append(il.PartStop(index=index))
    chunks = [piece for event in [*events, il.Stop(stop_reason="stop"), il.StreamEnd()] for piece in writer.feed(event)]
    reader = il.reader("openai_chat")
    list(reader.read(chunks))
    assert il.dump_response(reader.response, "openai_chat", on_loss="raise")["choices"][0]["message"] == whole
    assert lost <= {loss.path for loss in writer.losses}


def test_what_stands_beside_a_signature_is_reported_alone() -> None:
    beside = {"google": {"thought_signature": "A", "x": 1}}
    said = {
        "role": "assistant",
        "content": "Hi.",
        "tool_calls": [function(id="a", extra_content=beside)],
        "extra_content": beside,
    }
    losses = il.convert({"messages": [said]}, source="openrouter", target="gemini_openai").losses
    assert sorted(loss.path for loss in losses) == [
        "/messages/0/extra_content/google/x",
        "/messages/0/tool_calls/0/extra_content/google/x",
    ]


@pytest.mark.parametrize(
    "dropped",
    [
        {"type": "opaque", "format": "gemini", "value": {"executable_code": {"code": "1"}}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "ZGF0YQ=="}},
    ],
)
def test_a_part_that_is_dropped_does_not_keep_the_text_before_it_from_being_the_last(dropped: dict[str, Any]) -> None:
    text = {"type": "text", "text": "a", "signature": "ZGF0YQ==", "issuer": "gemini"}
    losses: list[il.Loss] = []
    messages = il.validate([{"role": "assistant", "content": [text, dropped]}])
    payload: Any = il.dump(messages, "litellm", on_loss=losses.append)
    assert payload["messages"][0]["provider_specific_fields"] == {"thought_signatures": ["ZGF0YQ=="]}
    assert [loss.path for loss in losses] == ["/0/content/1"]


@pytest.mark.parametrize("sent", [None, 5, {"a": 1}, [1]])
@pytest.mark.parametrize("target", HOSTS)
@pytest.mark.parametrize("field", ["reasoning_details", "provider_specific_fields"])
@pytest.mark.parametrize(
    "signed", [{"tool_calls": [{**function(id="a"), "index": 0, "extra_content": GOOGLE}]}, {"extra_content": GOOGLE}]
)
def test_a_stream_that_has_something_else_where_a_signature_goes_is_signed(
    signed: dict[str, Any], field: str, target: il.FormatName, sent: Any
) -> None:
    chunks = [delta(content="Hi.", **{field: sent}), delta(**signed), delta(finish="stop")]
    answer, _ = read(il.restream(chunks, source="openai_chat", target=target, on_loss="ignore"), target)
    assert answer.message.parts[-1].signature == "A"


@pytest.mark.parametrize("sent", [None, 5, {"a": 1}])
@pytest.mark.parametrize("target", ["openai_chat", *HOSTS])
def test_a_stream_that_has_something_else_where_citations_go_has_them(target: il.FormatName, sent: Any) -> None:
    page = {"type": "url_citation", "url_citation": {"url": "https://a", "title": "t", "start_index": 0, "end_index": 3}}
    chunks = [delta(content="Hi.", annotations=sent), delta(annotations=[page]), delta(finish="stop")]
    answer, _ = read(il.restream(chunks, source="openai_chat", target=target, on_loss="ignore"), target)
    text: Any = answer.message.parts[-1]
    assert [citation.url for citation in text.citations] == ["https://a"]
