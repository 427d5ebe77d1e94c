"""What fields of a Chat profile say of a host, in conversions to it."""

import json
from typing import Any

import pytest

import interlingua as il

ASKED: dict[str, Any] = {"role": "user", "content": "Hi."}
STRICT = il.format_for(il.ChatProfile(media_kinds=frozenset({"image"}), most_choices=1), "strict")


def converted(body: dict[str, Any], target: il.Format, source: il.FormatName = "deepseek") -> tuple[Any, list[tuple[str, str]]]:
    made = il.convert({"messages": [ASKED], **body}, source=source, target=target)
    return made.payload, [(loss.kind, loss.path) for loss in made.losses]


def test_a_host_gets_the_kinds_of_media_that_it_takes() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://media.example/1.png"}}
    audio = {"type": "input_audio", "input_audio": {"data": "ZGF0YQ==", "format": "wav"}}
    file = {"type": "file", "file": {"file_data": "data:application/pdf;base64,ZGF0YQ=="}}
    body = {"messages": [{"role": "user", "content": [image, audio, file]}]}
    payload, losses = converted(body, STRICT)
    assert payload["messages"][0]["content"] == [image]
    assert losses == [("dropped", "/messages/0/content/1"), ("dropped", "/messages/0/content/2")]
    assert converted(body, STRICT, "openai_chat")[0]["messages"][0]["content"] == [image]


def test_a_host_without_media_gets_no_part_of_another_type() -> None:
    texts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    other = {"type": "thinking", "thinking": [{"type": "text", "text": "c"}]}
    body = {"messages": [{"role": "system", "content": [texts[0], other, texts[1]]}, ASKED]}
    payload, losses = converted(body, il.format_of("deepseek"), "mistral")
    assert payload["messages"][0]["content"] == "a\nb"
    joined = [("changed", f"/messages/0/content/{i}") for i in (0, 2)]
    assert losses == [("dropped", "/messages/0/content/1"), *joined]
    assert converted(body, il.format_of("vllm"), "mistral") == (body, [])
    assert il.dump(il.load(body, "deepseek"), "deepseek", on_loss="raise") == body


def test_a_host_is_not_asked_for_more_answers_than_it_gives() -> None:
    payload, losses = converted({"n": 3}, STRICT)
    assert "n" not in payload
    assert losses == [("dropped", "/n")]
    assert converted({"n": 1}, STRICT) == ({"messages": [ASKED], "n": 1}, [])
    gemini = {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}], "generationConfig": {"candidateCount": 3}}
    made = il.convert(gemini, source="gemini", target=STRICT)
    assert "n" not in made.payload


def test_a_closed_host_does_not_get_options_and_efforts_of_others() -> None:
    options = {"include_usage": True, "continuous_usage_stats": True}
    payload, losses = converted({"stream": True, "stream_options": options, "reasoning_effort": "ultra"}, STRICT)
    assert payload == {"messages": [ASKED], "stream": True, "stream_options": {"include_usage": True}}
    assert losses == [("dropped", "/reasoning_effort"), ("dropped", "/stream_options/continuous_usage_stats")]
    assert "stream_options" not in converted({"stream_options": {"continuous_usage_stats": True}}, STRICT)[0]


def test_xai_gets_no_stop_sequences_and_no_penalties() -> None:
    body = {"stop": ["a", "b"], "presence_penalty": 0.5, "frequency_penalty": 1}
    payload, losses = converted(body, il.format_of("xai"))
    assert payload == {"messages": [ASKED]}
    assert sorted(losses) == [("dropped", f"/{key}") for key in ("frequency_penalty", "presence_penalty", "stop")]
    own: Any = {"messages": [ASKED], **body}
    assert il.dump(il.load(own, "xai"), "xai", on_loss="raise") == own


ANSWER: dict[str, Any] = {
    "object": "chat.completion",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}],
    "service_tier": "on_demand",
}


def test_an_answer_names_a_tier_of_service_that_its_host_has() -> None:
    lost: list[il.Loss] = []
    response = il.load_response(ANSWER, "deepseek")
    assert "service_tier" not in il.dump_response(response, STRICT, on_loss=lost.append)
    assert [loss.path for loss in lost] == ["/provider_data/openai/service_tier"]
    chunk = {
        "object": "chat.completion.chunk",
        "service_tier": "on_demand",
        "choices": [{"index": 0, "delta": {"content": "Hi."}}],
    }
    written = list(il.restream([chunk, "[DONE]"], source="deepseek", target=STRICT, on_loss="ignore"))
    assert [each for each in written if "service_tier" in each] == []


@pytest.mark.parametrize(
    ("profile", "body"),
    [
        (il.ChatProfile(), {"error": {"message": "no", "type": "a", "param": None, "code": "b"}}),
        (il.ChatProfile(errors="flat"), {"object": "error", "message": "no", "type": "a", "param": None, "code": "b"}),
        (il.ChatProfile(errors="text"), {"code": "b", "error": "no"}),
    ],
    ids=["object", "flat", "text"],
)
def test_an_error_has_the_shape_of_its_host(profile: il.ChatProfile, body: Any) -> None:
    assert il.dump_error(il.ProviderError("no", type="a", code="b"), il.format_for(profile, "mine")) == body


@pytest.mark.parametrize("store", [{}, {"store": False}, {"store": None}])
def test_openai_gets_metadata_only_with_store(store: dict[str, Any]) -> None:
    body = {"input": "Hi.", "metadata": {"run": "7"}, **store}
    made: Any = il.convert(body, source="openai_responses", target="openai_chat", check=True)
    assert "metadata" not in made.payload
    assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/metadata")]
    assert made.problems == ()
    stored: Any = il.convert({**body, "store": True}, source="openai_responses", target="openai_chat", check=True)
    assert (stored.payload["metadata"], stored.losses, stored.problems) == ({"run": "7"}, (), ())
    for host in ("openrouter", "litellm", "mistral", "vllm"):
        sent: Any = il.convert(body, source="openai_responses", target=host).payload
        assert sent["metadata"] == {"run": "7"}
    back = {"messages": [ASKED], "metadata": {"run": "7"}, **store}
    assert il.dump(il.load(back, "openai_chat"), "openai_chat", on_loss="raise") == back


def test_whole_numbers_of_other_hosts_become_integers() -> None:
    body = {"messages": [ASKED], "seed": 7.0, "n": 1.0, "logprobs": True, "top_logprobs": 2.0}
    made = il.convert(body, source="vllm", target="openai_chat", check=True)
    sent = {key: value for key, value in made.payload.items() if type(value) in (int, float)}
    assert json.dumps(sent, sort_keys=True) == '{"n": 1, "seed": 7, "top_logprobs": 2}'
    assert (made.losses, made.problems) == ((), ())
    there: Any = il.convert(body, source="vllm", target="mistral").payload
    assert there["random_seed"] == 7
    assert json.dumps(il.dump(il.load(body, "vllm"), "vllm", on_loss="raise"), sort_keys=True) == json.dumps(
        body, sort_keys=True
    )


@pytest.mark.parametrize("source", ["vllm", "ollama"])
def test_a_temperature_that_only_some_servers_take_is_lowered(source: il.FormatName) -> None:
    body = {"model": "m", "messages": [ASKED], "temperature": 2.5}
    if source == "ollama":
        body = {"model": "m", "messages": [ASKED], "options": {"temperature": 2.5}}
    request = il.load(body, source)
    for target in map(il.format_of, ("openai_chat", "openai_responses", "deepseek", "groq", "gemini", "google_genai")):
        losses: list[il.Loss] = []
        sent = il.dump(request, target, on_loss=losses.append)
        assert "'temperature': 2}" in str(sent) or "'temperature': 2," in str(sent)
        assert [(loss.kind, loss.path) for loss in losses if loss.path == "/temperature"] == [("changed", "/temperature")]
        assert [problem for problem in il.check(sent, target) if problem.severity == "error"] == []
    for host in (il.format_of("vllm"), il.format_of("sglang")):
        kept: dict[str, Any] = il.dump(request, host, on_loss="ignore")
        assert kept["temperature"] == 2.5
