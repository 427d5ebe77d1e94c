"""Pages that a provider's server opened: what other providers' clients see of them."""

from typing import Any

import pytest

import interlingua as il
from conversion.server_answers import blocks, chunks_of_blocks, converted, items, of_content, said
from interlingua.testing.lawbook.documents import canonical
from laws import sdks

A: il.FormatName = "anthropic"
R: il.FormatName = "openai_responses"
S: il.FormatName = "gemini_interactions"
URL = "https://a.org"
SAYS = {"type": "text", "text": "A fox."}
PAGE = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "A fox."}, "title": "A"}
ASKED = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_fetch", "input": {"url": URL}}
RESULT: dict[str, Any] = {
    "type": "web_fetch_tool_result",
    "tool_use_id": "srvtoolu_1",
    "caller": {"type": "direct"},
    "content": {"type": "web_fetch_result", "url": URL, "content": PAGE, "retrieved_at": None},
}
FAILED = {**RESULT, "content": {"type": "web_fetch_tool_result_error", "error_code": "unavailable"}}
ITEM: dict[str, Any] = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "open_page", "url": URL},
}


def pages(id: str, status: str = "success", *urls: str, named: bool = True) -> list[dict[str, Any]]:
    """The two steps of the Interactions API."""
    listed = urls or (URL,)
    result = [({"url": url} if named else {}) | {"status": status} for url in listed]
    return [
        {"type": "url_context_call", "id": id, "arguments": {"urls": [*listed]}},
        {"type": "url_context_result", "call_id": id, "result": result},
    ]


def interaction(*steps: Any) -> dict[str, Any]:
    output = {"type": "model_output", "content": [SAYS]}
    return {"id": "i", "model": "m", "status": "completed", "steps": [*steps, output]}


def opened(body: Any) -> list[dict[str, Any]]:
    """What was opened, in an answer."""
    content: list[dict[str, Any]] = body.get("content", body.get("output", body.get("steps")))
    return [each for each in content if each["type"] not in ("text", "message", "model_output")]


LOST = [("dropped", "/1/value/content/content")]
PAIRS: list[tuple[dict[str, Any], il.FormatName, il.FormatName, list[Any], list[Any]]] = [
    (blocks(ASKED, RESULT, SAYS), A, R, [ITEM], LOST),
    (blocks(ASKED, FAILED, SAYS), A, R, [{**ITEM, "status": "failed"}], [("dropped", "/1/value/content/error_code")]),
    (blocks(ASKED, RESULT, SAYS), A, S, pages("srvtoolu_1", named=False), LOST),
    (items(ITEM, said("A fox.")), R, S, pages("ws_1"), []),
    (interaction(*pages("1")), S, R, [ITEM], []),
    (interaction(*pages("1", "paywall")), S, R, [{**ITEM, "status": "failed"}], []),
    (items(ITEM, said("A fox.")), R, A, [], [("dropped", "/0")]),
    (interaction(*pages("1")), S, A, [], [("dropped", "/0"), ("dropped", "/1")]),
    (interaction(*pages("1", "success", URL, URL)), S, R, [], [("dropped", "/0"), ("dropped", "/1")]),
]


@pytest.mark.parametrize(("body", "source", "target", "made", "lost"), PAIRS)
def test_a_page_is_opened_at_the_target_too(
    body: dict[str, Any], source: il.FormatName, target: il.FormatName, made: list[Any], lost: list[Any]
) -> None:
    payload, losses = converted(body, source, target)
    assert opened(payload) == made
    assert sdks.response_faults(sdks.whole(payload, target), target) == []
    assert [loss for loss in losses if loss[0] == "dropped"] == lost
    chunks = chunks_of_blocks(body) if source == A else _chunks_of(body)
    written: list[il.Loss] = []
    streamed = list(il.restream(chunks, source=source, target=target, on_loss=written.append, fill=True))
    reader = il.reader(target)
    list(reader.read(streamed))
    assert canonical(opened(il.dump_response(reader.response, target))) == canonical(made)
    assert sorted(of_content(written)) == sorted(losses)


def _chunks_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    if "output" in body:
        chunks: list[dict[str, Any]] = [{"type": "response.created", "response": {**body, "output": []}}]
        for i, item in enumerate(body["output"]):
            chunks += [
                {"type": f"response.output_item.{stage}", "output_index": i, "item": item} for stage in ("added", "done")
            ]
        return [*chunks, {"type": "response.completed", "response": body}]
    begun: dict[str, Any] = {**body, "steps": []}
    chunks = [{"event_type": "interaction.created", "interaction": begun}]
    for i, step in enumerate(body["steps"]):
        chunks += [{"event_type": "step.start", "index": i, "step": step}, {"event_type": "step.stop", "index": i}]
    return [*chunks, {"event_type": "interaction.completed", "interaction": begun}]


def test_the_loss_says_that_the_text_of_the_page_is_missing() -> None:
    losses: list[il.Loss] = []
    il.dump_response(il.load_response(items(ITEM, said("A fox.")), R), A, on_loss=losses.append)
    assert "the text of the page" in next(loss.detail for loss in losses if loss.kind == "dropped")


def test_a_history_with_a_page_has_it_at_responses_alone() -> None:
    question = {"role": "user", "content": "Who?"}
    asked = [question, {"role": "assistant", "content": [ASKED, RESULT, SAYS]}, question]
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": asked}
    made: Any = il.convert(body, source=A, target=R)
    assert made.payload["input"][1] == ITEM
    elsewhere = il.convert(body, source=A, target=S)
    assert URL not in str(elsewhere.payload)
    lost = [loss.path for loss in elsewhere.losses if "opened elsewhere" in loss.detail]
    assert lost == ["/messages/1/content/0", "/messages/1/content/1"]
