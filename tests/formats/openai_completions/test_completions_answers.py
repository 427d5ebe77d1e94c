"""Log probabilities of text completions and of Chat are carried both ways, whole and streamed."""

from typing import Any

import pytest

import interlingua as il

LISTS: dict[str, list[Any]] = {
    "tokens": ["a", "b"],
    "token_logprobs": [-0.5, -1.0],
    "text_offset": [0, 1],
    "top_logprobs": [{"a": -0.5}, {"b": -1.0}],
}
COMPLETION: dict[str, Any] = {
    "id": "c",
    "object": "text_completion",
    "created": 1,
    "model": "m",
    "choices": [{"text": "ab", "index": 0, "logprobs": LISTS, "finish_reason": "stop"}],
}


def token(text: str, logprob: float) -> dict[str, Any]:
    one = {"token": text, "logprob": logprob, "bytes": [*text.encode()]}
    return one | {"top_logprobs": [one]}


CHAT: dict[str, Any] = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "ab"},
            "finish_reason": "stop",
            "logprobs": {"content": [token("a", -0.5), token("b", -1.0)], "refusal": None},
        }
    ],
}


@pytest.mark.parametrize(("source", "target"), [("openai_completions", "openai_chat"), ("openai_chat", "openai_completions")])
def test_probabilities_are_carried(source: il.FormatName, target: il.FormatName) -> None:
    bodies = {"openai_completions": COMPLETION, "openai_chat": CHAT}
    losses: list[il.Loss] = []
    response = il.load_response(bodies[source], source)
    assert il.dump_response(response, target, on_loss=losses.append) == bodies[target]
    assert [loss for loss in losses if loss.kind != "response_only"] == []


def test_probabilities_of_a_stream_are_carried() -> None:
    frame = {key: COMPLETION[key] for key in ("id", "object", "created", "model")}
    cut = [{name: column[i : i + 1] for name, column in LISTS.items()} for i in range(2)]
    chunks = [
        {**frame, "choices": [{"text": text, "index": 0, "logprobs": lists, "finish_reason": reason}]}
        for text, lists, reason in (("a", cut[0], None), ("b", cut[1], "stop"))
    ]
    losses: list[il.Loss] = []
    passed_on = il.restream(chunks, source="openai_completions", target="openai_chat", on_loss=losses.append)
    reader = il.reader("openai_chat")
    list(reader.read(list(passed_on)))
    made = il.dump_response(reader.response, "openai_chat")
    assert made["choices"][0]["logprobs"]["content"] == CHAT["choices"][0]["logprobs"]["content"]
    assert [loss for loss in losses if loss.kind != "response_only"] == []


def test_a_client_that_does_not_ask_for_the_usage_gets_none() -> None:
    made = il.convert({"model": "m", "prompt": "Hi.", "stream": True}, source="openai_completions", target="openai_chat")
    answer = il.load_response({**CHAT, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}, "openai_chat")
    chat = il.writer("openai_chat")
    assert answer.usage is not None
    events: list[il.Event] = [il.MessageStart(origin="openai_chat"), il.TextDelta(index=0, text="ab")]
    events += [il.UsageUpdate(usage=answer.usage), il.Stop(stop_reason="stop"), il.StreamEnd()]
    chunks = [chunk for event in events for chunk in chat.feed(event)]
    out = list(il.restream(chunks, source="openai_chat", target="openai_completions", request=made, on_loss="ignore"))
    assert not any("usage" in chunk for chunk in out)
    assert any("usage" in chunk for chunk in il.restream(chunks, source="openai_chat", target="openai_completions", usage=True))
