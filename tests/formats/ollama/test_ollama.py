"""What Ollama's chat alone does: one text, images beside it, streams that nobody asks for, efforts that are true or false."""

from typing import Any

import ollama
import pytest

import interlingua as il
from clients.test_official_clients import PIXEL

ANSWERS: list[tuple[il.FormatName, dict[str, Any], dict[str, Any], type[Any]]] = [
    (
        "ollama",
        {"message": {"role": "assistant", "content": "Hi."}},
        {"message": {"role": "assistant", "content": ""}},
        ollama.ChatResponse,
    ),
    ("ollama_generate", {"response": "Hi."}, {"response": ""}, ollama.GenerateResponse),
]
"""What says a text in a body, what says none, and the client's model of both."""
ASKED = {"role": "user", "content": "Go."}
PNG = il.ImagePart(source=il.Base64Source(media_type="image/png", data=PIXEL))
LINK = il.ImagePart(source=il.UrlSource(url="https://a.example/a.png"))
A, B = il.TextPart(text="a"), il.TextPart(text="b")


@pytest.mark.parametrize(
    ("content", "written", "lost"),
    [
        ([PNG, A], {"content": "a", "images": [PIXEL]}, []),
        ([A, PNG], {"content": "a", "images": [PIXEL]}, ["moved /0/content/1"]),
        ([A, B], {"content": "a\nb"}, ["changed /0/content/0", "changed /0/content/1"]),
        ([A, LINK], {"content": "a"}, ["dropped /0/content/1"]),
        ([PNG], {"content": "", "images": [PIXEL]}, []),
    ],
)
def test_a_message_has_one_text_and_images_before_it(content: list[Any], written: dict[str, Any], lost: list[str]) -> None:
    losses: list[il.Loss] = []
    made: Any = il.dump([il.UserMessage(content=content)], "ollama", on_loss=losses.append)
    assert made == {"messages": [{"role": "user", **written}]}
    assert [f"{loss.kind} {loss.path}" for loss in losses] == lost


def test_the_data_of_an_image_say_its_media_type() -> None:
    request = il.load({"messages": [{**ASKED, "images": [PIXEL, "/9j/4AAQ", "AAAA"]}]}, "ollama")
    sources = [part.source.media_type for part in request.messages[0].parts if isinstance(part, il.ImagePart)]
    assert sources == ["image/png", "image/jpeg", None]


@pytest.mark.parametrize(
    ("think", "effort", "back"),
    [(False, "none", False), ("low", "low", "low"), ("max", "max", "max"), (None, "minimal", "low"), (None, "xhigh", "max")],
)
def test_an_effort_is_a_level_or_false(think: Any, effort: str, back: Any) -> None:
    if think is not None:
        assert il.load({"model": "m", "messages": [ASKED], "think": think}, "ollama").reasoning_effort == effort
    asked = il.Request(messages=[il.UserMessage(content="Go.")], reasoning_effort=effort)
    assert il.dump(asked, "ollama", on_loss="ignore").get("think") == back


def test_reasoning_without_a_level_is_adaptive_thinking() -> None:
    body = {"model": "m", "messages": [ASKED], "think": True, "stream": False}
    made: Any = il.convert(body, source="ollama", target="anthropic")
    assert made.payload["thinking"] == {"type": "adaptive"}
    back = il.convert({**made.payload, "max_tokens": 9}, source="anthropic", target="ollama").payload
    assert back.get("think") is True


def test_a_request_that_does_not_say_it_streams() -> None:
    body = {"model": "m", "messages": [ASKED]}
    assert il.load(body, "ollama").stream is True
    made = il.convert(body, source="openai_chat", target="ollama")
    assert made.payload == {**body, "stream": False}
    assert [(loss.kind, loss.at) for loss in made.losses] == [("added", "/stream")]
    assert il.dump(il.load({"messages": [ASKED]}, "ollama"), "ollama", on_loss="raise") == {"messages": [ASKED]}


def test_parallel_calls_without_ids_are_answered_by_name_and_order() -> None:
    calls: list[dict[str, Any]] = [{"function": {"name": name, "arguments": {}}} for name in ("f", "g", "f")]
    results = [{"role": "tool", "tool_name": name, "content": text} for name, text in (("g", "1"), ("f", "2"), ("f", "3"))]
    messages = [ASKED, {"role": "assistant", "content": "", "tool_calls": calls}, *results]
    made: Any = il.convert({"messages": messages}, source="ollama", target="openai_chat").payload
    assert [call["id"] for call in made["messages"][1]["tool_calls"]] == ["call-1", "call-2", "call-3"]
    assert [result["tool_call_id"] for result in made["messages"][2:]] == ["call-2", "call-1", "call-3"]
    back = il.load(il.convert({"messages": made["messages"]}, source="openai_chat", target="ollama").payload, "ollama")
    assert [message.to_dict()["content"] for message in back.messages[2:]] == ["1", "2", "3"]


def test_a_result_without_an_id_keeps_its_name_after_a_call_with_an_empty_id() -> None:
    calls: list[dict[str, Any]] = [{"id": id, "function": {"name": "f", "arguments": {}}} for id in ("", "call_1")]
    results = [{"role": "tool", "tool_call_id": "call_1", "content": "1"}, {"role": "tool", "tool_name": "f", "content": "2"}]
    body = {"messages": [ASKED, {"role": "assistant", "content": "", "tool_calls": calls}, *results]}
    assert il.dump(il.load(body, "ollama"), "ollama", on_loss="raise") == body


@pytest.mark.parametrize(("target", "word"), [("openai_chat", "tool_calls"), ("anthropic", "tool_use"), ("gemini", "STOP")])
def test_an_answer_with_calls_stopped_for_them(target: il.FormatName, word: str) -> None:
    call: Any = {"function": {"name": "f", "arguments": {}}, "id": "c1"}
    message: Any = {"role": "assistant", "content": "", "tool_calls": [call]}
    chunks: list[Any] = [{"message": message, "done": False}, {"message": {"content": ""}, "done": True, "done_reason": "stop"}]
    whole = il.load_response({"message": message, "done": True, "done_reason": "stop"}, "ollama")
    streamed = il.restream(chunks, source="ollama", target=target, on_loss="raise")
    assert word in str([*streamed])
    assert (whole.stop_reason, streamed.response.stop_reason) == ("tool_calls", "tool_calls")
    answer = il.dump_response(whole, target, on_loss="raise")
    assert word in str(answer)
    back = il.dump_response(il.load_response(answer, target), "ollama", on_loss="raise")
    assert back["done_reason"] == "stop"


@pytest.mark.parametrize("word", ["stop", "tool_calls", "length", "load"])
@pytest.mark.parametrize("calls", [[], [{"function": {"name": "f", "arguments": {}}}]])
def test_the_word_for_the_stop_of_an_answer_stays(word: str, calls: list[Any]) -> None:
    body: Any = {"message": {"role": "assistant", "content": "a", "tool_calls": calls}, "done": True, "done_reason": word}
    assert il.dump_response(il.load_response(body, "ollama"), "ollama", on_loss="raise") == body
    made = il.restream([body], source="ollama", target="ollama", on_loss="raise")
    assert [chunk.get("done_reason") for chunk in made][-1] == word


def test_a_stop_without_its_calls_is_reported() -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": "a"}, "finish_reason": "tool_calls"}]}
    losses: list[il.Loss] = []
    assert il.dump_response(il.load_response(body, "openai_chat"), "ollama", on_loss=losses.append)["done_reason"] == "stop"
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/choices/0/stop_reason")]


@pytest.mark.parametrize("text", ["2026-08-07T06:08:14.732370123Z", "2026-08-07T08:08:14+02:00"])
def test_the_time_keeps_its_text_as_long_as_it_is_the_same(text: str) -> None:
    body = {"model": "m", "created_at": text, "message": {"role": "assistant", "content": "Hi."}, "done": True}
    response = il.load_response(body, "ollama")
    assert response.created == 1786082894
    assert il.dump_response(response, "ollama") == body
    assert il.dump_response(response.replace(created=0), "ollama")["created_at"] == "1970-01-01T00:00:00Z"


def test_text_that_goes_on_after_a_call_joins_the_text_before_it() -> None:
    lines: list[Any] = [{"message": {"role": "assistant", "content": text}, "done": False} for text in ("a", "", "b")]
    lines[1]["message"]["tool_calls"] = [{"function": {"name": "f", "arguments": {"n": 1.0}}}]
    reader = il.reader("ollama")
    list(reader.read([*lines, {"message": {"content": ""}, "done": True, "done_reason": "stop"}]))
    assert [part.type for part in reader.response.message.parts] == ["text", "tool_use"]
    assert reader.response.message.text == "ab"


def test_a_word_for_the_end_in_a_chunk_that_is_not_the_last_is_kept() -> None:
    chunks: list[Any] = [
        {"message": {"role": "assistant", "content": "a"}, "done": False, "done_reason": "load"},
        {"message": {"role": "assistant", "content": "b"}, "done": True, "done_reason": "stop"},
    ]
    response = il.accumulate(il.reader("ollama").read(chunks))
    assert response.choices[0].native_stop_reason == "stop"
    assert response.provider_data == {"ollama": {"done_reason": "load"}}


@pytest.mark.parametrize("target", ["sharegpt", "alpaca", "hf_chat_template"])
def test_a_stream_that_nobody_asked_for_is_no_loss(target: il.FormatName) -> None:
    body: dict[str, Any] = {"model": "m", "messages": [ASKED, {"role": "assistant", "content": "Hi."}]}

    def lost(body: dict[str, Any]) -> list[str]:
        return [loss.path for loss in il.convert(body, source="ollama", target=target).losses if loss.path == "/stream"]

    assert lost(body) == []
    assert lost(body | {"stream": True}) == ["/stream"]


# Counts


@pytest.mark.parametrize(("format", "answer", "nothing", "model"), ANSWERS)
def test_the_count_of_the_prompt_includes_what_was_read_from_a_cache(
    format: il.FormatName, answer: dict[str, Any], nothing: dict[str, Any], model: type[Any]
) -> None:
    frame = {"model": "m", "created_at": "2026-09-17T15:42:59.7420965Z"}
    ended = {"done": True, "done_reason": "stop", "prompt_eval_count": 1000, "prompt_eval_cached_count": 900, "eval_count": 7}
    body = frame | answer | ended
    chunks = [frame | answer | {"done": False}, frame | nothing | ended]
    whole = il.load_response(body, format)
    streamed = il.accumulate(il.reader(format).read(chunks))
    for response in (whole, streamed):
        assert response.usage is not None
        counts = response.usage.replace(native=None)
        assert counts == il.Usage(input_tokens=100, cache_read_tokens=900, output_tokens=7, native=None)
        assert il.dump_response(response, format, on_loss="raise") == body
    assert list(il.restream(chunks, source=format, target=format, on_loss="raise")) == chunks
    there = il.dump_response(whole, "openai_chat", on_loss="ignore")["usage"]
    assert there["prompt_tokens"] == 1000
    assert there["prompt_tokens_details"] == {"cached_tokens": 900}
    assert model.model_validate(body).prompt_eval_count == 1000


@pytest.mark.parametrize(("format", "answer", "nothing", "model"), ANSWERS)
@pytest.mark.parametrize("cached", [None, 0, 5])
def test_a_count_of_the_cache_is_written_where_it_is_known(
    format: il.FormatName, answer: dict[str, Any], nothing: dict[str, Any], model: type[Any], cached: int | None
) -> None:
    del nothing
    usage = il.Usage(input_tokens=3, cache_read_tokens=cached, output_tokens=1)
    response = il.Response(choices=[il.Choice(message=il.AssistantMessage(content="Hi."))], usage=usage)
    made = il.dump_response(response, format, on_loss="raise")
    counted = {} if cached is None else {"prompt_eval_cached_count": cached}
    assert made == answer | {"done": True, "prompt_eval_count": 3 + (cached or 0), "eval_count": 1} | counted
    assert model.model_validate(made).eval_count == 1


def test_an_empty_text_beside_results_is_reported() -> None:
    results = (il.ToolResultPart(tool_use_id="c", content="x"), il.TextPart(text=""))
    call = il.ToolCall(id="c", name="f", arguments="{}")
    messages = [il.AssistantMessage(tool_calls=(call,)), il.UserMessage(content=results)]
    losses: list[il.Loss] = []
    body = il.dump(messages, "ollama", on_loss=losses.append)
    assert [message["role"] for message in body["messages"]] == ["assistant", "tool"]
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/1/content/1")]
