"""Google's endpoint for Chat: thoughts that only the total counts, and disabled reasoning."""

import json
from pathlib import Path
from typing import Any

import interlingua as il

CASE = Path(__file__).parent / "cases" / "answer_thoughts_in_total"


def test_what_the_total_has_beside_input_and_output_is_reasoning() -> None:
    body: Any = json.loads((CASE / "response.json").read_text("utf-8"))
    response = il.load_response(body, "gemini_openai")
    assert response.usage is not None
    assert (response.usage.output_tokens, response.usage.reasoning_tokens) == (99, 93)
    usage: Any = il.dump_response(response, "openai_chat", on_loss="ignore")["usage"]
    assert usage["completion_tokens"] == 99
    assert usage["total_tokens"] == 108
    counted = body | {"usage": usage}
    assert il.load_response(counted, "gemini_openai").usage == il.load_response(counted, "openai_chat").usage


def test_disabled_reasoning_is_the_effort_none() -> None:
    body: Any = {"messages": [{"role": "user", "content": "Hi."}], "thinking": {"type": "disabled"}}
    made = il.convert(body, source="anthropic", target="gemini_openai")
    assert made.payload.get("reasoning_effort") == "none"
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/thinking")]


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def test_a_signature_that_comes_in_a_later_fragment_of_its_call_is_sent_with_it() -> None:
    call = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}
    chunks = [
        _chunk({"role": "assistant", "tool_calls": [call]}),
        _chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"x":1}'}}]}),
        _chunk({"tool_calls": [{"index": 0, "extra_content": {"google": {"thought_signature": "U0lH"}}}]}),
        _chunk({}, "tool_calls"),
    ]
    stream = il.restream(chunks, source="gemini_openai", target="gemini")
    parts = [part for chunk in stream for each in chunk["candidates"] for part in each.get("content", {}).get("parts", ())]
    assert parts == [{"functionCall": {"name": "f", "args": {"x": 1}, "id": "a"}, "thoughtSignature": "U0lH"}]
    assert all(loss.kind == "response_only" for loss in stream.losses)
