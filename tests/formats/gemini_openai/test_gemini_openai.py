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
    assert made.losses == ()
