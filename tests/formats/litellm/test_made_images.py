"""Images that the assistant made, which LiteLLM and OpenRouter have beside the content of its messages."""

from typing import Any

import pytest

import interlingua as il

HOSTS: list[il.FormatName] = ["litellm", "openrouter"]
URL = "data:image/png;base64,iVBORw0KGgo="
INLINE = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
IMAGE = {"type": "image_url", "image_url": {"url": URL}}


def gemini(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP"}], "responseId": "r"}


def dumped(response: il.Response, target: il.FormatName) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    losses: list[il.Loss] = []
    body = il.dump_response(response, target, on_loss=losses.append)
    return body["choices"][0]["message"] if "choices" in body else body, [(loss.kind, loss.path) for loss in losses]


@pytest.mark.parametrize("target", HOSTS)
def test_an_image_of_gemini_is_beside_the_text_and_leads_back(target: il.FormatName) -> None:
    body = gemini({"text": "A map."}, INLINE, INLINE)
    message, lost = dumped(il.load_response(body, "gemini"), target)
    assert message["content"] == "A map."
    assert message["images"] == [IMAGE | {"index": 0}, IMAGE | {"index": 1}]
    assert lost == []
    answer: Any = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    back, _ = dumped(il.load_response(answer, target), "gemini")
    assert back["candidates"][0]["content"]["parts"] == body["candidates"][0]["content"]["parts"]


@pytest.mark.parametrize("target", HOSTS)
def test_an_image_before_the_text_is_moved_and_one_alone_is_not(target: il.FormatName) -> None:
    message, lost = dumped(il.load_response(gemini(INLINE, {"text": "A map."}), "gemini"), target)
    assert message["content"] == "A map."
    assert lost == [("moved", "/choices/0/message/content/0")]
    message, lost = dumped(il.load_response(gemini(INLINE), "gemini"), target)
    assert (message["content"], message["images"], lost) == (None, [IMAGE | {"index": 0}], [])


@pytest.mark.parametrize("target", ["openai_chat", "deepseek"])
def test_other_hosts_have_no_place_for_it(target: il.FormatName) -> None:
    message, lost = dumped(il.load_response(gemini({"text": "A map."}, INLINE), "gemini"), target)
    assert "images" not in message
    assert lost == [("dropped", "/choices/0/message/content/1")]


CHUNKS: list[list[dict[str, Any]]] = [
    [{"role": "assistant", "content": ""}, {"content": "A"}, {"images": [IMAGE | {"index": 0}]}, {"content": " map."}],
    [{"role": "assistant", "images": [IMAGE]}, {"images": [IMAGE]}],
    [{"role": "assistant", "content": None}, {"images": [IMAGE | {"index": 0}]}],
    [{"role": "assistant", "content": ""}, {"images": [IMAGE | {"index": 0}]}],
    [{"role": "assistant", "content": "A"}, {"images": [IMAGE, {"type": "other"}]}],
    [{"role": "assistant", "content": "A"}, {"images": []}],
]


@pytest.mark.parametrize("source", [*HOSTS, "openai_chat"])
@pytest.mark.parametrize("deltas", CHUNKS)
def test_a_stream_folds_into_the_whole(source: il.FormatName, deltas: list[dict[str, Any]]) -> None:
    whole: dict[str, Any] = {}
    for delta in deltas:
        for key, value in delta.items():
            whole[key] = whole[key] + value if whole.get(key) and key != "role" else value
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks: list[Any] = [{**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    answer = {**frame, "object": "chat.completion", "choices": [{"index": 0, "message": whole, "finish_reason": "stop"}]}
    reader = il.reader(source)
    for chunk in chunks:
        list(reader.feed(chunk))
    reader.close()
    assert reader.response == il.load_response(answer, source)
    assert il.dump_response(reader.response, source) == answer
    again = il.reader(source)
    for chunk in il.restream(chunks, source=source, target=source):
        list(again.feed(chunk))
    again.close()
    assert il.dump_response(again.response, source)["choices"][0]["message"].get("images") == whole.get("images")


@pytest.mark.parametrize("target", HOSTS)
def test_a_stream_of_gemini_has_its_image_beside_the_text(target: il.FormatName) -> None:
    chunks = [gemini({"text": "A map."}), gemini(INLINE)]
    stream = il.restream(chunks, source="gemini", target=target, on_loss="raise")
    deltas: list[Any] = [choice["delta"] for chunk in stream for choice in chunk["choices"]]
    assert [delta["images"] for delta in deltas if "images" in delta] == [[IMAGE | {"index": 0}]]
    assert "".join(delta.get("content") or "" for delta in deltas) == "A map."


def test_a_loss_of_an_image_leads_to_it_in_a_request() -> None:
    answer = {"role": "assistant", "content": "A map.", "images": [IMAGE | {"index": 0}]}
    asked: Any = {
        "model": "m",
        "messages": [{"role": "user", "content": "Draw."}, answer, {"role": "user", "content": "More."}],
    }
    assert il.dump(il.load(asked, "openrouter"), "openrouter") == asked
    done = il.convert(asked, source="openrouter", target="openai_chat")
    assert [(loss.kind, loss.path) for loss in done.losses] == [("dropped", "/messages/1/images/0")]
    there: Any = il.convert(asked, source="openrouter", target="gemini")
    assert there.payload["contents"][1]["parts"] == [{"text": "A map."}, INLINE]
    assert there.losses == ()
