"""Parts of the content with reasoning in a summary, as Databricks has them, are kept whole."""

from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import STOP, body, delta

TEXT = {"type": "text", "text": "Yes."}
SIGNED = {"type": "summary_text", "text": "Hm.", "signature": "c2ln"}
ENCRYPTED = {"type": "summary_encrypted_text", "data": "eA=="}


def part(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "summary": list(items), **more}


PARTS = [part(SIGNED), part(ENCRYPTED), part(SIGNED, id="r"), part(SIGNED, ENCRYPTED), part()]


@pytest.mark.parametrize("format", ["openai_chat", "mistral", "litellm"])
@pytest.mark.parametrize("said", PARTS)
def test_a_stream_keeps_what_a_whole_answer_keeps(said: dict[str, Any], format: il.FormatName) -> None:
    answer = body({"role": "assistant", "content": [said, TEXT]})
    whole = il.load_response(answer, format)
    assert il.dump_response(whole, format, on_loss="raise") == answer

    chunks = [delta(role="assistant", content=[said]), delta(content=[TEXT]), STOP]
    written = list(il.restream(chunks, source=format, target=format, on_loss="raise"))
    assert written[0]["choices"][0]["delta"]["content"] == [said]
    for each in (chunks, written):
        reader = il.reader(format)
        for chunk in each:
            list(reader.feed(chunk))
        reader.close()
        [choice] = il.dump_response(reader.response, format, on_loss="raise")["choices"]
        assert choice["message"] == answer["choices"][0]["message"]


@pytest.mark.parametrize("target", ["anthropic", "deepseek", "mistral", "groq", "vllm"])
def test_another_host_gets_the_part_or_a_report_of_its_place(target: il.FormatName) -> None:
    said = {"role": "assistant", "content": [part(SIGNED), TEXT]}
    request = {"model": "m", "messages": [{"role": "user", "content": "Is it?"}, said, {"role": "user", "content": "Why?"}]}
    assert il.check(request, "openai_chat") == []
    converted = il.convert(request, source="openai_chat", target=target)
    content = converted.payload["messages"][1]["content"]
    is_sent = type(content) is list and part(SIGNED) in content
    is_reported = "/messages/1/content/0" in [loss.path for loss in converted.losses]
    assert is_sent != is_reported
