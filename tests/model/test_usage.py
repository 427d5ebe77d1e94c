"""Usage: one meaning for every provider's counts, and sums of them."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il

COUNTS = [name for name in il.Usage.model_fields if name != "native"]
usages = st.fixed_dictionaries({}, optional={name: st.none() | st.integers(0, 10**9) for name in COUNTS}).map(
    il.Usage.model_validate
)


@given(usages, usages)
def test_a_sum_counts_what_either_counts_and_has_no_count_where_neither_has_one(one: il.Usage, other: il.Usage) -> None:
    both = one + other
    for name in COUNTS:
        counts = [count for count in (getattr(one, name), getattr(other, name)) if count is not None]
        assert getattr(both, name) == (sum(counts) if counts else None)
    assert both.total_input_tokens == one.total_input_tokens + other.total_input_tokens
    assert both.total_tokens == one.total_tokens + other.total_tokens
    assert both == other + one


@given(st.lists(usages, min_size=1, max_size=4))
def test_python_can_sum_them(several: list[il.Usage]) -> None:
    assert sum(several, start=il.Usage()).total_tokens == sum(usage.total_tokens for usage in several)
    added: Any = sum(several)
    assert added == sum(several, start=il.Usage())


def test_a_sum_is_no_providers_own_object() -> None:
    usage = il.Usage(input_tokens=1, native={"openai": {"prompt_tokens": 1}})
    assert (usage + usage).to_dict() == {"input_tokens": 2}


def test_anything_else_does_not_add() -> None:
    other: Any = "x"
    assert il.Usage.__add__(il.Usage(), other) is NotImplemented
    assert il.Usage.__radd__(il.Usage(), other) is NotImplemented


# What hosts count in their own way

_USAGES: list[tuple[str, dict[str, Any], dict[str, int], list[str]]] = [
    (
        "openai_chat",
        {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 15}},
        {"input_tokens": 0, "cache_read_tokens": 10, "output_tokens": 2},
        ["/prompt_tokens_details/cached_tokens"],
    ),
    (
        "openai_responses",
        {"input_tokens": 10, "output_tokens": 2, "input_tokens_details": {"cached_tokens": -3}, "total_tokens": 12},
        {"input_tokens": 10, "cache_read_tokens": 0, "output_tokens": 2},
        ["/input_tokens_details/cached_tokens"],
    ),
    (
        "openai_chat",
        {
            "prompt_tokens": 9,
            "completion_tokens": 2,
            "completion_tokens_details": {"reasoning_tokens": 25},
            "total_tokens": 11,
        },
        {"input_tokens": 9, "output_tokens": 2, "reasoning_tokens": 2},
        ["/completion_tokens_details/reasoning_tokens"],
    ),
    (
        "openai_chat",  # xAI's, where the total has the reasoning besides
        {
            "prompt_tokens": 12,
            "completion_tokens": 2,
            "completion_tokens_details": {"reasoning_tokens": 320},
            "total_tokens": 334,
        },
        {"input_tokens": 12, "output_tokens": 322, "reasoning_tokens": 320},
        [],
    ),
    (
        "openai_chat",
        {"prompt_tokens": 12, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 3}},
        {"input_tokens": 12, "output_tokens": 2, "reasoning_tokens": 3},
        [],
    ),
    (
        "openai_responses",
        {"input_tokens": 9, "output_tokens": 2, "output_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 11},
        {"input_tokens": 9, "output_tokens": 2, "reasoning_tokens": 2},
        ["/output_tokens_details/reasoning_tokens"],
    ),
    ("openai_chat", {"prompt_tokens": 9.0, "completion_tokens": 2.0}, {"input_tokens": 9, "output_tokens": 2}, []),
    (
        "deepseek",
        {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 5},
        {"input_tokens": 5, "cache_read_tokens": 4, "output_tokens": 2},
        [],
    ),
    (
        "openai_chat",  # Moonshot's and Together's
        {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11, "cached_tokens": 4},
        {"input_tokens": 5, "cache_read_tokens": 4, "output_tokens": 2},
        [],
    ),
    (
        "mistral",
        {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11, "num_cached_tokens": 4},
        {"input_tokens": 5, "cache_read_tokens": 4, "output_tokens": 2},
        [],
    ),
    (
        "litellm",
        {
            "prompt_tokens": 12,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 4, "cache_creation_tokens": 3},
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 3,
            "total_tokens": 14,
        },
        {"input_tokens": 5, "cache_read_tokens": 4, "cache_write_tokens": 3, "output_tokens": 2},
        [],
    ),
    (
        "litellm",
        {"prompt_tokens": 12, "completion_tokens": 2, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 3},
        {"input_tokens": 5, "cache_read_tokens": 4, "cache_write_tokens": 3, "output_tokens": 2},
        [],
    ),
    (
        "openai_chat",  # DashScope's
        {
            "prompt_tokens": 12,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 4, "cache_creation_input_tokens": 3},
        },
        {"input_tokens": 5, "cache_read_tokens": 4, "cache_write_tokens": 3, "output_tokens": 2},
        [],
    ),
    (
        "openai_chat",  # vLLM's
        {
            "prompt_tokens": 12,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 4, "created_cache_tokens": 3},
        },
        {"input_tokens": 5, "cache_read_tokens": 4, "cache_write_tokens": 3, "output_tokens": 2},
        [],
    ),
    (
        "openai_chat",  # a count that is not what another field says
        {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}, "cached_tokens": 3},
        {"input_tokens": 5, "cache_read_tokens": 4, "output_tokens": 2},
        ["/cached_tokens"],
    ),
    ("gemini", {"candidatesTokenCount": 5}, {"input_tokens": 0, "output_tokens": 5}, []),
    ("gemini", {"candidatesTokenCount": 5, "totalTokenCount": 12}, {"input_tokens": 7, "output_tokens": 5}, []),
    (
        "gemini",
        {"promptTokenCount": 3, "toolUsePromptTokenCount": 7, "cachedContentTokenCount": 4, "totalTokenCount": 10},
        {"input_tokens": 6, "cache_read_tokens": 4, "output_tokens": 0},
        [],
    ),
    (
        "bedrock_converse",
        {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
        {"input_tokens": 0, "output_tokens": 0},
        [],
    ),
]


_BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "openai_chat": ("usage", {"choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}}]}),
    "openai_responses": ("usage", {"object": "response", "status": "completed", "output": []}),
    **dict.fromkeys(
        ("deepseek", "mistral", "litellm"),
        ("usage", {"choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}}]}),
    ),
    "gemini": ("usageMetadata", {"candidates": [{"content": {"role": "model", "parts": [{"text": "hi"}]}}]}),
    "bedrock_converse": ("usage", {"output": {"message": {"role": "assistant", "content": [{"text": "hi"}]}}}),
}


_APART: list[tuple[dict[str, Any], dict[str, int], int]] = [
    (
        {"prompt_tokens": 9, "completion_tokens": 248, "prompt_tokens_details": {"audio_tokens": 375}, "total_tokens": 632},
        {"input_tokens": 384, "output_tokens": 248, "input_audio_tokens": 375},
        632,
    ),
    (
        {"prompt_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 8},
        {"input_tokens": 5, "output_tokens": 3, "reasoning_tokens": 3},
        8,
    ),
    (
        {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"audio_tokens": 5}, "total_tokens": 13},
        {"input_tokens": 9, "output_tokens": 4, "input_audio_tokens": 5},
        13,
    ),
]


@pytest.mark.parametrize(("usage", "counts", "total"), _APART)
def test_a_part_that_the_total_has_besides_is_added_to_its_whole(
    usage: dict[str, Any], counts: dict[str, int], total: int
) -> None:
    """Mistral counts audio so, and xAI reasoning; OpenAI counts each as a part."""
    loaded = il.load_response(_BODIES["openai_chat"][1] | {"usage": usage}, "openai_chat")
    assert loaded.usage is not None
    assert loaded.usage.replace(native=None) == il.Usage(**counts, native=None)
    assert loaded.usage.total_tokens == total
    assert il.dump_response(loaded, "openai_chat", on_loss="raise")["usage"] == usage
    written = il.dump_response(loaded, "gemini", on_loss="ignore")["usageMetadata"]
    assert written["totalTokenCount"] == total


@pytest.mark.parametrize(("format", "usage", "counts", "capped"), _USAGES)
def test_counts_of_hosts_with_ways_of_their_own(
    format: il.FormatName, usage: dict[str, Any], counts: dict[str, int], capped: list[str]
) -> None:
    key, body = _BODIES[format]
    loaded = il.load_response(body | {key: usage}, format)
    assert loaded.usage is not None
    native = loaded.usage.to_dict().pop("native")
    assert loaded.usage.to_dict() == {**counts, "native": native}
    assert il.dump_response(loaded, format)[key] == usage
    losses: list[il.Loss] = []
    converted = il.load_response(il.dump_response(loaded, "anthropic", on_loss=losses.append), "anthropic")
    assert [loss.path for loss in losses if "/usage" in loss.path] == [
        f"/usage/native/{family}{path}" for family in native for path in capped
    ]
    assert converted.usage is not None
    assert converted.usage.total_input_tokens == loaded.usage.total_input_tokens


def test_reasoning_that_is_no_part_of_the_output_is_a_part_of_the_total() -> None:
    used = {
        "prompt_tokens": 12,
        "completion_tokens": 2,
        "total_tokens": 334,
        "completion_tokens_details": {"reasoning_tokens": 320},
    }
    loaded = il.load_response(_BODIES["openai_chat"][1] | {"usage": used}, "openai_chat")
    there = il.load_response(il.dump_response(loaded, "anthropic", on_loss="ignore"), "anthropic")
    back = il.dump_response(there, "openai_chat", on_loss="ignore")
    assert back["usage"]["total_tokens"] == 334
    assert il.load_response(back, "openai_chat").usage == (loaded.usage or il.Usage()).replace(native={"openai": back["usage"]})


@pytest.mark.parametrize("indices", [(1, 0), (1, None), (2, 0, 1), (None, 1), (None, None), (0, 0)])
def test_the_candidates_of_gemini_go_by_their_index(indices: tuple[int | None, ...]) -> None:
    body = {"candidates": [_candidate(position, index) for position, index in enumerate(indices)]}
    expected = sorted(range(len(indices)), key=lambda position: (indices[position] or 0, position))
    loaded = il.load_response(body, "gemini")
    assert [choice.message.text for choice in loaded.choices] == [f"text {position}" for position in expected]
    assert il.dump_response(loaded, "gemini") == body
    if len({index or 0 for index in indices}) == len(indices):
        streamed = il.accumulate(il.reader("gemini").read([body]))
        assert [choice.message.text for choice in streamed.choices] == [f"text {position}" for position in expected]


def _candidate(position: int, index: int | None) -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": [{"text": f"text {position}"}]}, "finishReason": "STOP"}
    return candidate if index is None else candidate | {"index": index}


def test_the_total_of_converse_has_the_cached_input() -> None:
    """As recorded responses of Bedrock count: 458 + 2098 read from the cache + 4 = 2560."""
    used = {"input_tokens": 4, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 10, "output_tokens": 2}
    body = {"role": "assistant", "content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn", "usage": used}
    written = il.dump_response(il.load_response(body, "anthropic"), "bedrock_converse", on_loss="ignore")
    counts = {"inputTokens": 4, "cacheReadInputTokens": 100, "cacheWriteInputTokens": 10, "outputTokens": 2}
    assert written["usage"] == {**counts, "totalTokens": 116}
    chat = il.dump_response(il.load_response(written, "bedrock_converse"), "openai_chat", on_loss="ignore")
    assert chat["usage"]["total_tokens"] == 116


# Totals of the input, of which a provider may not count each kind apart

_ANSWER: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
_CACHED = {"input_tokens": 3, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 5000, "output_tokens": 7}
_WRITTEN = "/usage/cache_write_tokens"
_TOTALS: list[tuple[il.FormatName, dict[str, Any], list[str]]] = [
    (
        "openai_chat",
        {
            "prompt_tokens": 5103,
            "prompt_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 5000},
            "completion_tokens": 7,
            "total_tokens": 5110,
        },
        [],
    ),
    (
        "gemini",
        {"promptTokenCount": 5103, "cachedContentTokenCount": 100, "candidatesTokenCount": 7, "totalTokenCount": 5110},
        [_WRITTEN],
    ),
    (
        "gemini_interactions",
        {"total_input_tokens": 5103, "total_cached_tokens": 100, "total_output_tokens": 7, "total_tokens": 5110},
        [_WRITTEN],
    ),
    ("cohere", {"tokens": {"input_tokens": 5103, "output_tokens": 7}, "cached_tokens": 100}, [_WRITTEN]),
    ("ollama", {"prompt_eval_count": 5103, "prompt_eval_cached_count": 100, "eval_count": 7}, [_WRITTEN]),
    ("ollama_generate", {"prompt_eval_count": 5103, "prompt_eval_cached_count": 100, "eval_count": 7}, [_WRITTEN]),
    ("bedrock_text", {"prompt_token_count": 5103, "generation_token_count": 7}, ["/usage/cache_read_tokens", _WRITTEN]),
]
"""The provider's object for `_CACHED`, and the paths of the counts that it does not have apart."""


def _from_anthropic(target: il.FormatName) -> tuple[dict[str, Any], list[Any], list[il.Loss], list[il.Loss]]:
    """An answer of Anthropic with these counts, whole and streamed, in another format; and the losses of both."""
    text = {"type": "text", "text": "hi"}
    body = _ANSWER | {"content": [text], "stop_reason": "end_turn", "usage": _CACHED}
    begun: dict[str, Any] = _ANSWER | {"content": [], "stop_reason": None, "usage": _CACHED | {"output_tokens": 1}}
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    stream: list[dict[str, Any]] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": text},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]
    lost: list[il.Loss] = []
    whole = il.dump_response(il.load_response(body, "anthropic"), target, on_loss=lost.append)
    lost_there: list[il.Loss] = []
    chunks = list(il.restream(stream, source="anthropic", target=target, usage=True, on_loss=lost_there.append))
    return whole, chunks, lost, lost_there


@pytest.mark.parametrize(("target", "counts", "paths"), _TOTALS)
def test_the_total_of_the_input_has_what_is_not_counted_apart(
    target: il.FormatName, counts: dict[str, Any], paths: list[str]
) -> None:
    whole, chunks, *losses = _from_anthropic(target)
    for response in (il.load_response(whole, target), il.accumulate(il.reader(target).read(chunks))):
        usage = response.usage
        assert usage is not None
        assert [*(usage.native or {}).values()] == [counts]
        assert (usage.total_input_tokens, usage.total_tokens) == (5103, 5110)
    for found in losses:
        assert [loss.path for loss in found if loss.path.startswith("/usage")] == paths


@pytest.mark.parametrize("format", ["gemini", "cohere"])
def test_input_that_is_not_counted_apart_is_counted_without_other_input(format: il.FormatName) -> None:
    usage = il.Usage(cache_write_tokens=5, output_tokens=1)
    response = il.Response(choices=[il.Choice(message=il.AssistantMessage(content="hi"))], usage=usage)
    made = il.load_response(il.dump_response(response, format, on_loss="ignore"), format).usage
    assert made is not None
    assert (made.input_tokens, made.output_tokens) == (5, 1)


def test_input_is_not_counted_where_a_provider_counts_none() -> None:
    response = il.Response(
        model="anthropic.claude-v2",
        choices=[il.Choice(message=il.AssistantMessage(content="hi"))],
        usage=il.Usage(input_tokens=3, cache_write_tokens=5),
    )
    losses: list[il.Loss] = []
    assert il.dump_response(response, "bedrock_text", on_loss=losses.append) == {"completion": "hi"}
    assert {"/usage/input_tokens", "/usage/cache_write_tokens"} <= {loss.path for loss in losses}


def test_reasoning_that_is_more_than_the_output_is_lost_where_it_is_a_part_of_it() -> None:
    response = il.load_response(_BODIES["openai_chat"][1], "openai_chat")
    for counts, lost in (
        ({"input_tokens": 1, "output_tokens": 2, "reasoning_tokens": 3}, ["/usage/reasoning_tokens"]),
        ({"input_tokens": 1, "output_tokens": -2}, []),
    ):
        losses: list[il.Loss] = []
        usage = il.Usage.model_validate(counts)
        written = il.dump_response(response.replace(usage=usage), "openai_chat", on_loss=losses.append)["usage"]
        assert [loss.path for loss in losses if loss.path.startswith("/usage")] == lost
        assert written["total_tokens"] == written["prompt_tokens"] + written["completion_tokens"]


def test_the_total_of_a_relative_is_no_reasoning_where_that_is_counted_in_the_total() -> None:
    counted = {"prompt_tokens": 35, "completion_tokens": 12, "total_tokens": 109}
    audio = {"prompt_tokens": 9, "completion_tokens": 20, "total_tokens": 36, "prompt_tokens_details": {"audio_tokens": 7}}
    message = {"role": "assistant", "content": "a"}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    losses: list[il.Loss] = []
    response = il.load_response(body | {"usage": counted}, "openai_chat")
    made = il.dump_response(response, "gemini_openai", on_loss=losses.append)["usage"]
    assert made == counted | {"total_tokens": 47}
    assert [(loss.kind, loss.path) for loss in losses] == [("response_only", "/usage/native/openai/total_tokens")]
    assert il.load_response(body | {"usage": made}, "gemini_openai").usage == il.Usage(
        input_tokens=35, output_tokens=12, native={"openai": made}
    )
    response = il.load_response(body | {"usage": audio}, "openai_chat")
    assert il.dump_response(response, "gemini_openai", on_loss="raise")["usage"] == audio


@pytest.mark.parametrize("count", [1, None])
def test_an_edit_of_a_count_that_a_host_has_elsewhere_wins(count: int | None) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 5}
    loaded = il.load_response(_BODIES["deepseek"][1] | {"usage": usage}, "deepseek")
    assert loaded.usage is not None
    edited = loaded.replace(usage=loaded.usage.replace(cache_read_tokens=count))
    again = il.load_response(il.dump_response(edited, "deepseek"), "deepseek")
    assert again.usage is not None
    assert (again.usage.input_tokens, again.usage.cache_read_tokens) == (5, count)
