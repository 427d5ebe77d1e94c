"""Spoken answers: their transcript is text everywhere else."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import REQUEST, body, chunk, read

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

AUDIO = {"id": "audio_0", "data": "ZGF0YQ==", "transcript": "Hi there.", "expires_at": 9}
SPOKEN = {"role": "assistant", "content": None, "audio": AUDIO}
DELTAS: list[dict[str, Any]] = [
    {"role": "assistant", "content": None, "audio": {"id": "audio_0", "transcript": "Hi "}},
    {"audio": {"data": "ZGF0"}},
    {"audio": {"transcript": "there."}},
    {"audio": {"data": "YQ=="}},
    {"audio": {"expires_at": 9}},
]
CHUNKS = [
    *(chunk({"index": 0, "delta": each, "finish_reason": None}) for each in DELTAS),
    chunk({"index": 0, "delta": {}, "finish_reason": "stop"}),
]
OTHERS: list[il.FormatName] = ["anthropic", "openai_responses", "gemini", "bedrock_converse", "cohere", "ollama", "groq"]


def answered(message: dict[str, Any]) -> il.Response:
    return il.load_response(body(message), "openai_chat")


@pytest.mark.parametrize("target", OTHERS)
def test_the_words_of_a_spoken_answer_arrive_as_text_and_the_audio_is_reported(target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    out = il.dump_response(answered(SPOKEN), target, on_loss=losses.append)
    assert il.load_response(out, target).message.text == "Hi there."
    assert [loss.path for loss in losses if loss.kind == "dropped"] == ["/choices/0/message/provider_data/openai/audio"]


@pytest.mark.parametrize("target", OTHERS)
def test_the_words_of_a_spoken_answer_are_streamed_as_they_come(target: il.FormatName) -> None:
    reader = il.reader("openai_chat")
    writer = il.writer(target)
    first = [written for event in reader.feed(CHUNKS[0]) for written in writer.feed(event)]
    assert "Hi " in str(first)
    rest = [written for each in CHUNKS[1:] for event in reader.feed(each) for written in writer.feed(event)]
    last = [written for event in reader.close() for written in writer.feed(event)]
    again = il.reader(target)
    for each in (*first, *rest, *last):
        again.feed(each)
    again.close()
    assert again.response.message.text == "Hi there."
    assert [loss.path for loss in writer.losses if loss.kind == "dropped"] == ["/choices/0/message/provider_data/openai/audio"]


@pytest.mark.parametrize("content", [{"content": None}, {"content": ""}, {}])
def test_a_spoken_answer_comes_back_as_it_was(content: dict[str, Any]) -> None:
    answer = body({"role": "assistant", **content, "audio": AUDIO})
    assert il.dump_response(il.load_response(answer, "openai_chat"), "openai_chat", on_loss="raise") == answer
    assert (
        il.dump_response(il.load_response(answer, "openai_chat"), "openrouter", on_loss="raise")["choices"][0]["message"][
            "audio"
        ]
        == AUDIO
    )


@pytest.mark.parametrize("target", ["openai_chat", "openrouter"])
def test_a_spoken_stream_has_its_words_in_the_audio_again(target: il.FormatName) -> None:
    written = list(il.restream(CHUNKS, source="openai_chat", target=target, on_loss="raise"))
    again, sent = read(written, target)[0].message, read(CHUNKS)[0].message
    assert (again.content, again.provider_data) == (sent.content, sent.provider_data)
    assert not any(choice["delta"].get("content") for each in written for choice in each["choices"])


def test_a_stream_and_the_whole_of_a_spoken_answer_are_the_same() -> None:
    assert read(CHUNKS)[0].message == answered(SPOKEN).message


def test_an_answer_with_other_text_keeps_its_transcript_beside_it() -> None:
    """Some hosts repeat the text there: it must not be said twice."""
    message = answered(SPOKEN | {"content": "Hi there."}).message
    assert message.text == "Hi there."
    assert (message.provider_data or {})["openai"]["audio"] == AUDIO


@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai_responses", "groq"])
def test_the_history_has_the_words_elsewhere(target: il.FormatName) -> None:
    payload = il.dump([*REQUEST, answered(SPOKEN).message], target)
    assert "Hi there." in str(payload)


def test_an_edited_transcript_is_not_hidden_behind_the_id_of_its_audio_that_is_gone() -> None:
    message = answered(SPOKEN).message.replace(provider_data=None)
    payload = il.dump([*REQUEST, message], "openai_chat")
    assert payload["messages"][1] == {"role": "assistant", "content": "Hi there."}


@pytest.mark.parametrize("pieces", [["", "Hi"], ["Hi", ""], ["", ""]])
def test_an_empty_piece_of_a_transcript_says_nothing(pieces: list[str]) -> None:
    deltas = [{"audio": {"id": "audio_0", "transcript": piece}} for piece in pieces]
    chunks = [
        chunk({"index": 0, "delta": {"role": "assistant", "content": None, **each}, "finish_reason": None}) for each in deltas
    ]
    audio = {"id": "audio_0", "transcript": "".join(pieces)}
    assert read([*chunks, CHUNKS[-1]])[0].message == answered(SPOKEN | {"audio": audio}).message


def test_audio_of_an_answer_is_only_of_answers_at_hosts_without_audio_in_requests() -> None:
    audio = {"id": "a", "data": "ZGF0YTA=", "expires_at": 0, "transcript": "Hi."}
    message = {"role": "assistant", "content": None, "audio": audio}
    body = {"id": "f", "model": "m", "object": "chat.completion", "created": 0}
    body |= {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    answer = il.load_response(body, "xai").message
    losses: list[il.Loss] = []
    [written] = il.dump([answer], "xai", on_loss=losses.append)["messages"]
    assert written == {"role": "assistant", "content": "Hi."}
    assert [(loss.kind, loss.path) for loss in losses] == [("response_only", "/0/provider_data/openai/audio")]


@pytest.mark.parametrize("source", ["openai_chat", "deepseek"])
def test_a_host_that_requires_content_gets_the_words_of_a_spoken_answer(source: il.FormatName) -> None:
    said = {"role": "assistant", "content": None, "audio": AUDIO}
    body = {"object": "chat.completion", "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}
    answer = il.load_response(body, source).message
    losses: list[il.Loss] = []
    made = il.dump([il.UserMessage(content="q"), answer], "deepseek", on_loss=losses.append)
    assert made["messages"][1]["content"] == "Hi there."
    assert {loss.kind for loss in losses} == {"response_only"}
