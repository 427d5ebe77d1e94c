"""Streams whose usage is in another field than `usage`: in Groq's `x_groq`, or in the last choice, as at Moonshot."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import chunk, delta, read

USED = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
MOONSHOT = il.format_for(il.HOSTS["moonshot"], "moonshot")
SAID = [delta(role="assistant", content=""), delta(content="Hi.")]
IN_CHOICE = [*SAID, chunk({"index": 0, "delta": {}, "finish_reason": "stop", "usage": USED})]
IN_GROQ = [*SAID, chunk({"index": 0, "delta": {}, "finish_reason": "stop"}, x_groq={"id": "req", "usage": USED})]
HELD = [
    pytest.param(IN_CHOICE, MOONSHOT, id="moonshot"),
    pytest.param(IN_CHOICE, il.FORMATS["openai_chat"], id="openai_chat"),
    pytest.param(IN_GROQ, il.FORMATS["groq"], id="groq"),
]


@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai_responses", "bedrock_converse", "cohere", "ollama"])
@pytest.mark.parametrize(("chunks", "source"), HELD)
def test_what_was_used_reaches_other_formats(chunks: list[Any], source: il.Format, target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    reader = il.reader(target)
    for each in il.restream(chunks, source=source, target=target, on_loss=losses.append):
        reader.feed(each)
    reader.close()
    usage = reader.response.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (3, 2)
    assert [loss.path for loss in losses if loss.kind != "response_only"] == []


@pytest.mark.parametrize("trailing", [[], [chunk(usage=USED)]])
@pytest.mark.parametrize(("chunks", "source"), HELD)
def test_the_same_format_has_each_usage_once(chunks: list[Any], source: il.Format, trailing: list[Any]) -> None:
    sent = [*chunks, *trailing]
    written = list(il.restream(sent, source=source, target=source, usage=True, on_loss="raise"))
    assert str(written).count("'prompt_tokens'") == str(sent).count("'prompt_tokens'")
    assert [each.get("usage") for each in written][-1:] == [each.get("usage") for each in sent][-1:]


def test_another_host_of_the_family_has_the_usage_in_its_own_field_alone() -> None:
    written = list(il.restream(IN_CHOICE, source=MOONSHOT, target="openrouter", usage=True))
    assert [each["usage"] for each in written if "usage" in each][-1:] == [USED]
    assert not any("usage" in choice for each in written for choice in each["choices"])


def test_a_later_usage_counts() -> None:
    more = USED | {"completion_tokens": 4, "total_tokens": 7}
    usage = read([*IN_CHOICE, chunk(usage=more)])[0].usage
    assert usage is not None
    assert usage.output_tokens == 4


def test_the_last_usage_in_a_choice_counts() -> None:
    first = USED | {"completion_tokens": 1, "total_tokens": 4}
    begun = chunk({"index": 0, "delta": {"role": "assistant", "content": "Hi."}, "finish_reason": None, "usage": first})
    usage = read([begun, *IN_CHOICE[-1:]])[0].usage
    assert usage is not None
    assert usage.output_tokens == 2
    written = list(il.restream([begun, *IN_CHOICE[-1:]], source="openai_chat", target="openai_chat", usage=True))
    assert written[-1] == IN_CHOICE[-1]
    assert not any("usage" in each for each in written)


def test_a_usage_that_comes_twice_ends_a_message_of_anthropic_once() -> None:
    sent = [*IN_GROQ, chunk(usage=USED)]
    written = list(il.restream(sent, source="groq", target="anthropic"))
    assert [each["type"] for each in written].count("message_delta") == 1
