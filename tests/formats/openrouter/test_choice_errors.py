"""Errors beside the delta of a choice, which end a stream of OpenRouter."""

from typing import Any

import pytest

import interlingua as il

ERROR = {"code": 502, "message": "no", "metadata": {"provider_name": "P"}}
TARGETS: list[il.FormatName] = ["openrouter", "openai_chat", "anthropic", "openai_responses", "gemini"]


def chunk(content: str, finish: str | None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": finish, **more}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


@pytest.mark.parametrize("target", TARGETS)
def test_an_error_of_a_choice_is_an_error_of_the_stream(target: il.FormatName) -> None:
    chunks: list[Any] = []
    stream = il.restream(
        [chunk("Hi", None), chunk("", "error", error=ERROR)], source="openrouter", target=target, on_loss="ignore"
    )
    with pytest.raises(il.ProviderError) as caught:
        chunks.extend(stream)
    assert (caught.value.message, caught.value.code, caught.value.status) == ("no", 502, 502)
    again = il.reader(target)
    with pytest.raises(il.ProviderError):
        list(again.read(chunks))


@pytest.mark.parametrize("more", [{}, {"error": None}])
def test_a_stream_that_ends_with_the_reason_error_alone_reports_it_as_its_reason(more: dict[str, Any]) -> None:
    reader = il.reader("openrouter")
    list(reader.read([chunk("Hi", None), chunk("", "error", **more)]))
    assert reader.response.choices[0].stop_reason == "error"
