"""Errors beside the delta or the message of a choice at OpenRouter."""

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


@pytest.mark.parametrize("target", ["openrouter", "openai_chat"])
def test_a_stream_has_the_error_of_a_choice_once(target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    chunks: list[Any] = []
    stream = il.restream(
        [chunk("Hi", None), chunk("", "error", error=ERROR)], source="openrouter", target=target, on_loss=losses.append
    )
    with pytest.raises(il.ProviderError):
        chunks.extend(stream)
    assert [choice for each in chunks for choice in each.get("choices", ()) if "error" in choice] == []
    assert [each["error"] for each in chunks if "error" in each] == [ERROR]
    assert losses == []


def answer(content: str | None, *, at_top: bool = False, others: tuple[str, ...] = ()) -> dict[str, Any]:
    error = {"error": ERROR}
    choices: list[dict[str, Any]] = [
        {"index": n, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for n, text in enumerate(others)
    ]
    failed = {"index": len(others), "message": {"role": "assistant", "content": content}, "finish_reason": "error"}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    return body | {"choices": [*choices, failed if at_top else failed | error]} | (error if at_top else {})


@pytest.mark.parametrize("at_top", [False, True])
@pytest.mark.parametrize("content", ["", None])
def test_an_answer_that_is_an_error_alone_raises_it(content: str | None, *, at_top: bool) -> None:
    body = answer(content, at_top=at_top)
    with pytest.raises(il.ProviderError) as caught:
        il.load_response(body, "openrouter")
    assert (caught.value.message, caught.value.code, caught.value.status, caught.value.body) == ("no", 502, 502, body)


@pytest.mark.parametrize("at_top", [False, True])
def test_an_answer_that_failed_after_some_text_has_the_text_and_the_error(*, at_top: bool) -> None:
    for body in (answer("Hi", at_top=at_top), answer("", at_top=at_top, others=("Hi",))):
        response = il.load_response(body, "openrouter")
        assert (response.choices[0].message.text, response.choices[-1].stop_reason) == ("Hi", "error")
        assert il.dump_response(response, "openrouter") == body


def test_only_the_error_is_taken_out_of_the_choice() -> None:
    failed = chunk("Hi", "error", error="error", flag="error")
    made: list[Any] = []
    with pytest.raises(il.ProviderError):
        made.extend(il.restream([failed], source="openrouter", target="openrouter", on_loss="ignore"))
    choices = [choice for each in made for choice in each.get("choices", ())]
    assert [choice["flag"] for choice in choices if "flag" in choice] == ["error"]
    assert [choice["finish_reason"] for choice in choices if choice.get("finish_reason")] == ["error"]
