"""What requests say of the reasoning and the usage in the answer, which some providers give anyway."""

from typing import Any, get_args

import pytest

import interlingua as il
from conversion.carried_settings import CHAT, Case, check_carried

CASES = {
    "reasoning that is shown and can be sent back": Case(
        "openai_responses",
        {"reasoning": {"effort": "high", "summary": "detailed"}, "include": ["reasoning.encrypted_content"]},
        "openrouter",
        {"reasoning_effort": "high"},
        back=False,
    ),
    "reasoning that is not shown, in the object of its effort": Case(
        "anthropic",
        {"max_tokens": 9, "thinking": {"type": "adaptive", "display": "omitted"}, "output_config": {"effort": "low"}},
        "openrouter",
        {"max_tokens": 9, "reasoning": {"effort": "low", "exclude": True}},
        back=False,
    ),
    "reasoning that is not shown": Case(
        "openrouter",
        {"reasoning": {"effort": "high", "exclude": True}},
        "gemini",
        {"generationConfig": {"thinkingConfig": {"thinkingLevel": "HIGH", "includeThoughts": False}}},
        back=False,
        hand=False,
    ),
    "reasoning that a host always shows": Case(
        "openrouter",
        {"reasoning": {"effort": "high", "exclude": True}},
        "mistral",
        {"reasoning_effort": "high"},
        [("dropped", "/reasoning/exclude")],
        back=False,
        hand=False,
    ),
    "reasoning in its own field": Case(
        "groq",
        {"reasoning_format": "parsed", "reasoning_effort": "low"},
        "gemini",
        {"generationConfig": {"thinkingConfig": {"thinkingLevel": "LOW", "includeThoughts": True}}},
        back=False,
        hand=False,
    ),
    "reasoning in its own field, as always": Case(
        "groq", {"reasoning_format": "parsed"}, "mistral", {}, back=False, hand=False
    ),
    "reasoning in its own field, which not every model has": Case(
        "gemini",
        {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}},
        "groq",
        {},
        [("dropped", "/generationConfig/thinkingConfig")],
        back=False,
    ),
    "usage that is asked for twice": Case(
        "openrouter",
        {"stream": True, "usage": {"include": True}, "stream_options": {"include_usage": True}},
        "anthropic",
        {"stream": True},
        back=False,
        hand=False,
    ),
    "usage that is not wanted, which has no effect": Case(
        "openrouter", {"usage": {"include": False}}, "openai_chat", {}, back=False, hand=False
    ),
    "an effort beside the one in an object": Case(
        "litellm",
        {"reasoning": {"effort": "low"}, "reasoning_effort": "high"},
        "openrouter",
        {"reasoning": {"effort": "low"}},
        [("dropped", "/reasoning_effort")],
        back=False,
        hand=False,
    ),
    "disabled reasoning with a budget": Case(
        "openrouter",
        {"max_tokens": 9000, "reasoning": {"enabled": False, "max_tokens": 2000}},
        "anthropic",
        {"max_tokens": 9000, "thinking": {"type": "disabled"}},
        [("dropped", "/reasoning/max_tokens")],
        back=False,
    ),
    "disabled reasoning with a budget and an effort": Case(
        "openrouter",
        {"reasoning": {"enabled": False, "max_tokens": 2000, "effort": "high"}},
        "deepseek",
        {"thinking": {"type": "disabled"}},
        [("dropped", "/reasoning/effort"), ("dropped", "/reasoning/max_tokens")],
        back=False,
        hand=False,
    ),
    "enabled reasoning with a budget": Case(
        "openrouter",
        {"max_tokens": 9000, "reasoning": {"enabled": True, "max_tokens": 2000}},
        "anthropic",
        {"max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 2000}},
        back=False,
    ),
    "reasoning that is hidden where it is never shown": Case(
        "groq", {"reasoning_format": "hidden"}, "openai_responses", {}, back=False, hand=False
    ),
    "reasoning that no answer has": Case(
        "openai_responses",
        {"include": ["reasoning.encrypted_content"]},
        "openai_chat",
        {},
        [("dropped", "/include")],
        back=False,
    ),
    "adaptive thinking beside an effort": Case(
        "anthropic",
        {"max_tokens": 20, "thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
        "openai_responses",
        {"max_output_tokens": 20, "reasoning": {"effort": "low"}},
        back=False,
    ),
    "adaptive thinking without an effort": Case(
        "anthropic",
        {"max_tokens": 20, "thinking": {"type": "adaptive"}},
        "openai_responses",
        {"max_output_tokens": 20},
        [("dropped", "/thinking")],
        back=False,
    ),
    "usage that every whole answer has": Case("openrouter", {"usage": {"include": True}}, "openai_chat", {}, back=False),
    "usage of a stream, asked for in another field": Case(
        "openrouter",
        {"stream": True, "usage": {"include": True}},
        "openai_chat",
        {"stream": True, "stream_options": {"include_usage": True}},
        back=False,
        hand=False,
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_answers_have_anyway_is_no_loss(case: Case) -> None:
    check_carried(case)


# Usage in streams

STREAMS: list[il.FormatName] = [name for name in get_args(il.FormatName) if il.FORMATS[name].writing is not None]
ALWAYS: list[il.FormatName] = [name for name in STREAMS if il.FORMATS[name].always_counts]
ASKED: list[il.FormatName] = [name for name in STREAMS if name not in ALWAYS]
ASKS = {"stream": True, "stream_options": {"include_usage": True}}


@pytest.mark.parametrize("target", ASKED)
@pytest.mark.parametrize("source", ALWAYS)
def test_a_stream_that_always_has_its_usage_asks_for_it(source: il.FormatName, target: il.FormatName) -> None:
    body = il.dump([il.UserMessage(content="a")], source, on_loss="ignore")
    streamed = il.convert(body, source=source, target=target, stream=True)
    assert streamed.payload["stream_options"] == {"include_usage": True}
    assert [(loss.kind, loss.at) for loss in streamed.losses if "usage" in loss.detail] == [
        ("added", "/stream_options/include_usage")
    ]
    for stream in (None, False):
        assert "stream_options" not in il.convert(body, source=source, target=target, stream=stream).payload
    back = il.convert(streamed.payload, source=target, target=source)
    if il.FORMATS[source].family != il.FORMATS[target].family:
        assert "/stream_options" not in {loss.path for loss in back.losses}


@pytest.mark.parametrize("target", ALWAYS)
def test_usage_that_is_asked_for_is_not_lost_where_it_always_comes(target: il.FormatName) -> None:
    usual: list[dict[str, Any]] = [{"include_usage": True}, {"include_usage": False}, {"include_obfuscation": False}]
    for options in usual:
        asked = il.convert(CHAT | {"stream": True, "stream_options": options}, source="openai_chat", target=target)
        assert [loss for loss in asked.losses if loss.path.startswith("/stream_options")] == []
    for options in ({"include_usage": 1}, {"include_usage": True, "other": 1}):
        said = il.convert(CHAT | {"stream": True, "stream_options": options}, source="openai_chat", target=target)
        assert [loss.kind for loss in said.losses if loss.path.startswith("/stream_options")] == ["dropped"]
    whole = il.convert(CHAT | ASKS | {"stream": False}, source="openai_chat", target=target)
    assert [loss.path for loss in whole.losses if loss.path.startswith("/stream_options")] != []


def test_a_request_that_was_built_by_hand_asks_for_nothing() -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], stream=True)
    assert "stream_options" not in il.dump(request, "openai_chat", on_loss="raise")
    assert il.dump(il.load(CHAT | {"stream": True}, "openai_chat"), "litellm", on_loss="raise") == CHAT | {"stream": True}
