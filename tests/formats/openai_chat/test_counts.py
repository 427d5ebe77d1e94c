"""Counts of tokens that hosts have in fields of their own."""

from typing import Any

import pytest

import interlingua as il


def answer(**usage: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}
    counts = {"prompt_tokens": 50, "completion_tokens": 20, "total_tokens": 70, **usage}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": counts}


WRITTEN = {"prompt_tokens_details": {"cached_tokens": 30, "cache_creation_tokens": 5}}
MIRRORED = {"cache_read_input_tokens": 30, "cache_creation_input_tokens": 5}
COUNTED: list[tuple[dict[str, Any], dict[str, int]]] = [
    ({"prompt_cache_hit_tokens": 30, "prompt_cache_miss_tokens": 20}, {"input_tokens": 20, "cache_read_tokens": 30}),
    ({"cached_tokens": 30}, {"input_tokens": 20, "cache_read_tokens": 30}),
    (WRITTEN | MIRRORED, {"input_tokens": 15, "cache_read_tokens": 30, "cache_write_tokens": 5}),
    (MIRRORED, {"input_tokens": 15, "cache_read_tokens": 30, "cache_write_tokens": 5}),
    ({"reasoning_tokens": 12}, {"input_tokens": 50, "output_tokens": 20, "reasoning_tokens": 12}),
    ({"reasoning_tokens": 12, "total_tokens": 82}, {"input_tokens": 50, "output_tokens": 32, "reasoning_tokens": 12}),
]


@pytest.mark.parametrize(("usage", "counts"), COUNTED)
def test_a_count_in_a_field_of_its_own_is_read_and_is_no_loss(usage: dict[str, Any], counts: dict[str, int]) -> None:
    body = answer(**usage)
    response = il.load_response(body, "openai_chat")
    assert response.usage is not None
    assert counts.items() <= response.usage.to_dict().items()
    losses: list[il.Loss] = []
    il.dump_response(response, "anthropic", on_loss=losses.append)
    assert [loss.path for loss in losses if loss.path.startswith("/usage")] == []
    assert il.dump_response(response, "openai_chat", on_loss="raise") == body


PLACES = {
    "cache_read_tokens": ("prompt_tokens_details", "cached_tokens"),
    "cache_write_tokens": ("prompt_tokens_details", "cache_write_tokens"),
    "reasoning_tokens": ("completion_tokens_details", "reasoning_tokens"),
}


@pytest.mark.parametrize(("usage", "counts"), [*COUNTED, ({"prompt_tokens_details": None, "cached_tokens": 30}, COUNTED[1][1])])
@pytest.mark.parametrize("source", ["deepseek", "litellm"])
def test_clients_of_another_host_find_a_count_in_its_usual_place(source: Any, usage: Any, counts: dict[str, int]) -> None:
    response: Any = il.load_response(answer(**usage), source)
    written: Any = il.dump_response(response, "openai_chat", on_loss="raise")["usage"]
    for name, (details, key) in PLACES.items():
        place: dict[str, Any] = written.get(details) or {}
        assert counts.get(name) == place.get(key)
    again: Any = il.load_response(answer() | {"usage": written}, "openai_chat")
    assert again.usage == response.usage.replace(native={"openai": written})


@pytest.mark.parametrize(
    ("usage", "path"),
    [
        ({"reasoning_tokens": 900}, "/reasoning_tokens"),
        ({"cached_tokens": 60}, "/cached_tokens"),
        ({"cached_tokens": -1}, "/cached_tokens"),
        ({"cache_read_input_tokens": 30, "cache_creation_input_tokens": 30}, "/cache_creation_input_tokens"),
        ({"prompt_tokens_details": {"cached_tokens": 30}, "cached_tokens": 20}, "/cached_tokens"),
    ],
)
def test_a_count_that_means_something_else_is_reported(usage: dict[str, Any], path: str) -> None:
    response = il.load_response(answer(**usage), "openai_chat")
    losses: list[il.Loss] = []
    il.dump_response(response, "anthropic", on_loss=losses.append)
    assert [loss.path for loss in losses if loss.path.startswith("/usage")] == ["/usage/native/openai" + path]


def test_a_count_that_has_changed_is_in_its_usual_place_alone() -> None:
    response = il.load_response(answer(**WRITTEN, **MIRRORED, prompt_cache_miss_tokens=20), "openai_chat")
    assert response.usage is not None
    changed = response.replace(usage=response.usage.replace(cache_read_tokens=31))
    usage: Any = il.dump_response(changed, "openai_chat", on_loss="raise")["usage"]
    assert (
        usage
        == answer(prompt_tokens=51, total_tokens=71, prompt_tokens_details={"cached_tokens": 31, "cache_write_tokens": 5})[
            "usage"
        ]
    )


def counted(names: tuple[str, str], first: int = 5) -> dict[str, Any]:
    """A usage object in one API's names: of the input or prompt, and of the output or completion."""
    whole, rest = names
    details = {f"{whole}_tokens_details": {"cached_tokens": 3}, f"{rest}_tokens_details": {"reasoning_tokens": 1}}
    return {f"{whole}_tokens": first, f"{rest}_tokens": 2, "total_tokens": first + 2, **details}


BODIES: dict[il.FormatName, dict[str, Any]] = {
    "openai_chat": answer(),
    "openai_completions": answer()
    | {"object": "text_completion", "choices": [{"index": 0, "text": "Yes.", "finish_reason": "stop", "logprobs": None}]},
    "openai_responses": {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": []},
}
OF_CHAT, OF_RESPONSES = ("prompt", "completion"), ("input", "output")


@pytest.mark.parametrize("format", list(BODIES))
def test_counts_may_have_the_names_of_another_api(format: il.FormatName) -> None:
    names = OF_CHAT if format == "openai_responses" else OF_RESPONSES
    body = {**BODIES[format], "usage": counted(names)}
    response = il.load_response(body, format)
    assert response.usage is not None
    assert il.dump_response(response, format, on_loss="raise") == body
    losses: list[il.Loss] = []
    usage = il.dump_response(response, "anthropic", on_loss=losses.append)["usage"]
    assert usage == {
        "input_tokens": 2,
        "cache_read_input_tokens": 3,
        "output_tokens": 2,
        "output_tokens_details": {"thinking_tokens": 1},
    }
    assert [loss.path for loss in losses if loss.path.startswith("/usage")] == []
    changed = response.replace(usage=response.usage.replace(input_tokens=3))
    assert il.dump_response(changed, format, on_loss="raise")["usage"] == counted(names, 6)


@pytest.mark.parametrize(
    ("beside", "counts"),
    [
        ({"cached_tokens": 3}, {"cache_read_tokens": 3}),
        ({"reasoning_tokens": 1}, {"reasoning_tokens": 1}),
        ({"completion_tokens_details": {"reasoning_tokens": 1}}, {"reasoning_tokens": 1}),
        ({"cache_read_input_tokens": 3, "cache_creation_input_tokens": 1}, {"cache_read_tokens": 3, "cache_write_tokens": 1}),
        ({"prompt_cache_hit_tokens": 3, "prompt_cache_miss_tokens": 2}, {"cache_read_tokens": 3}),
    ],
)
def test_other_names_may_stand_beside_counts_that_hosts_have_elsewhere(beside: Any, counts: dict[str, int]) -> None:
    body = {**answer(), "usage": {"input_tokens": 5, "output_tokens": 2, **beside}}
    response = il.load_response(body, "openai_chat")
    assert il.dump_response(response, "openai_chat", on_loss="raise") == body
    assert response.usage is not None
    assert counts.items() <= response.usage.to_dict().items()
    usage = il.dump_response(response, "deepseek", on_loss="raise")["usage"]
    assert il.load_response({**answer(), "usage": usage}, "deepseek").usage == response.usage.replace(native={"openai": usage})
    assert usage["prompt_tokens"] == 5
    assert usage.keys().isdisjoint(("input_tokens", "output_tokens"))


def test_a_stream_may_have_counts_with_the_names_of_another_api() -> None:
    frame: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = {"index": 0, "delta": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}
    chunks: list[dict[str, Any]] = [{**frame, "choices": [said]}, {**frame, "choices": [], "usage": counted(OF_RESPONSES)}]
    reader = il.reader("openai_chat")
    for chunk in chunks:
        reader.feed(chunk)
    assert reader.response.usage is not None
    assert (reader.response.usage.input_tokens, reader.response.usage.output_tokens) == (2, 2)
    assert list(il.restream(chunks, source="openai_chat", target="openai_chat", usage=True))[-1]["usage"] == counted(
        OF_RESPONSES
    )
    written = list(il.restream(chunks, source="groq", target="openai_chat", usage=True))[-1]["usage"]
    assert counted(OF_CHAT).items() <= written.items()


def test_counts_of_other_names_beside_the_usual_ones_are_reported() -> None:
    response = il.load_response(answer(input_tokens=0), "openai_chat")
    losses: list[il.Loss] = []
    il.dump_response(response, "anthropic", on_loss=losses.append)
    assert [loss.path for loss in losses if loss.path.startswith("/usage")] == ["/usage/native/openai/input_tokens"]
