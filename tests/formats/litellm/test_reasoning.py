"""Reasoning in answers for LiteLLM's clients: its blocks, and their text beside them, as LiteLLM's own answers have them."""

from typing import Any

import pytest

import interlingua as il

BLOCKS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "One.", "signature": "c2lnMQ=="},
    {"type": "text", "text": "A"},
    {"type": "redacted_thinking", "data": "ZGF0YQ=="},
    {"type": "thinking", "thinking": "Two.", "signature": "c2lnMg=="},
    {"type": "text", "text": "B"},
]
ANSWER: dict[str, Any] = {
    "type": "message",
    "id": "m",
    "role": "assistant",
    "model": "claude",
    "content": BLOCKS,
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def chunks() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"type": "message_start", "message": ANSWER | {"content": [], "stop_reason": None}}]
    for index, block in enumerate(BLOCKS):
        kind: str = block["type"]
        begun = {**block, kind: ""} if kind in block else block
        made.append({"type": "content_block_start", "index": index, "content_block": begun | {"signature": ""}})
        if kind in block:
            half = len(block[kind]) // 2
            deltas = [{"type": f"{kind}_delta", kind: text} for text in (block[kind][:half], block[kind][half:])]
            deltas += [{"type": "signature_delta", "signature": block["signature"]}] if "signature" in block else []
            made += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        made.append({"type": "content_block_stop", "index": index})
    made.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}})
    return [*made, {"type": "message_stop"}]


def message(target: il.FormatName, *, streamed: bool) -> dict[str, Any]:
    response = il.load_response(ANSWER, "anthropic")
    if not streamed:
        made: dict[str, Any] = il.dump_response(response, target, on_loss="ignore")["choices"][0]["message"]
        return made
    written = list(il.restream(chunks(), source="anthropic", target=target, on_loss="ignore"))
    deltas = [choice["delta"] for chunk in written for choice in chunk["choices"]]
    said = il.accumulate(il.reader(target).read(written)).message.to_dict()
    return said | {"reasoning_content": "".join(delta.get("reasoning_content", "") for delta in deltas)}


@pytest.mark.parametrize("streamed", [False, True])
def test_the_text_of_the_blocks_is_beside_them(streamed: bool) -> None:
    made = message("litellm", streamed=streamed)
    assert made["reasoning_content"] == "One.Two."
    assert [block.get("thinking") for block in made["thinking_blocks"]] == ["One.", None, "Two."]
    assert not message("verifiers", streamed=streamed).get("reasoning_content")


def test_the_text_beside_the_blocks_is_no_further_reasoning() -> None:
    body = il.dump_response(il.load_response(ANSWER, "anthropic"), "litellm", on_loss="ignore")
    again = il.dump_response(il.load_response(body, "litellm"), "anthropic", on_loss="ignore")
    assert [block.get("thinking") for block in again["content"]] == ["One.", None, "Two.", None]


def test_a_request_has_the_blocks_alone() -> None:
    asked: list[dict[str, Any]] = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": BLOCKS}]
    made = il.convert({"model": "claude", "max_tokens": 9, "messages": asked}, source="anthropic", target="litellm").payload
    assert "reasoning_content" not in made["messages"][1]


# The budget in a request, which LiteLLM takes as Anthropic does


def asked(thinking: dict[str, Any]) -> dict[str, Any]:
    return {"model": "claude", "max_tokens": 9000, "messages": [{"role": "user", "content": "Go."}], "thinking": thinking}


BUDGETS: list[tuple[il.FormatName, dict[str, Any]]] = [
    ("anthropic", {"thinking": {"type": "enabled", "budget_tokens": 2000}}),
    ("openrouter", {"reasoning": {"max_tokens": 2000}}),
    ("vllm", {"reasoning_effort": "low"}),
]


@pytest.mark.parametrize(("target", "expected"), BUDGETS)
def test_a_budget_is_read_and_goes_where_the_target_has_it(target: il.FormatName, expected: dict[str, Any]) -> None:
    request = asked({"type": "enabled", "budget_tokens": 2000})
    assert il.dump(il.load(request, "litellm"), "litellm", on_loss="raise") == request
    made = il.convert(request, source="litellm", target=target)
    assert {key: made.payload.get(key) for key in expected} == expected
    assert [loss.path for loss in made.losses] == ["/thinking"] * ("reasoning_effort" in expected)


@pytest.mark.parametrize(
    ("budget", "thinking"),
    [
        (3000, {"type": "enabled", "budget_tokens": 3000, "display": "omitted"}),
        (0, {"type": "disabled", "display": "omitted"}),
        (None, None),
    ],
)
def test_an_edit_of_the_budget_wins(budget: int | None, thinking: dict[str, Any] | None) -> None:
    request = il.load(asked({"type": "enabled", "budget_tokens": 2000, "display": "omitted"}), "litellm")
    made = il.dump(request.replace(reasoning_budget=budget), "litellm", on_loss="ignore")
    assert made.get("thinking") == thinking


@pytest.mark.parametrize(
    "thinking", [{"type": "enabled"}, {"type": "adaptive"}, {"type": "enabled", "budget_tokens": "many"}, {"budget_tokens": 5}]
)
def test_thinking_without_a_budget_stays_as_it_is(thinking: dict[str, Any]) -> None:
    request = il.load(asked(thinking), "litellm")
    assert request.reasoning_budget is None
    assert il.dump(request, "litellm", on_loss="raise") == asked(thinking)


# Budgets that are a number in a field of their own

GOOGLE = {"extra_body": {"google": {"thinking_config": {"thinking_budget": 2000, "include_thoughts": True}}}}
"""What Google's endpoint of Chat's shape takes."""
DASHSCOPE = {"enable_thinking": True, "thinking_budget": 2000}
PLACES: list[tuple[dict[str, Any], str]] = [
    (GOOGLE, "/extra_body/google/thinking_config/thinking_budget"),
    (DASHSCOPE, "/enable_thinking"),
    ({"thinking_budget": 2000}, "/thinking_budget"),
]


@pytest.mark.parametrize(("fields", "path"), PLACES)
@pytest.mark.parametrize("host", ["gemini_openai", "dashscope", "openai_chat"])
def test_budgets_of_google_and_dashscope_are_read(fields: dict[str, Any], path: str, host: str) -> None:
    format = il.format_for(il.HOSTS[host], host) if host in il.HOSTS else il.format_of(host)
    request = {"model": "m", "max_tokens": 9000, "messages": [{"role": "user", "content": "Go."}], **fields}
    assert il.dump(il.load(request, format), format, on_loss="raise") == request
    made = il.convert(request, source=format, target="anthropic")
    assert {**made.payload.get("thinking", {}), "display": "any"} == {
        "type": "enabled",
        "budget_tokens": 2000,
        "display": "any",
    }
    assert path not in [loss.path for loss in made.losses]
    losses = il.convert(request, source=format, target="openai_responses").losses
    assert [loss.kind for loss in losses if loss.path == path] == ["changed"]
    edited = il.dump(il.load(request, format).replace(reasoning_budget=3000), format, on_loss="ignore")
    assert il.load(edited, format).reasoning_budget == 3000


@pytest.mark.parametrize("budget", [-1, 0])
def test_a_budget_of_google_that_is_no_number_of_tokens_is_read(budget: int) -> None:
    request = asked({}) | {"extra_body": {"google": {"thinking_config": {"thinking_budget": budget}}}}
    del request["thinking"]
    assert il.dump(il.load(request, "gemini_openai"), "gemini_openai", on_loss="raise") == request
    payload: Any = il.convert(request, source="gemini_openai", target="gemini", strict=True).payload
    assert payload["generationConfig"]["thinkingConfig"] == {"thinkingBudget": budget}


@pytest.mark.parametrize(
    "fields", [{"thinking_budget": -1}, {"thinking_budget": "x"}, {"extra_body": {"google": 5}}, {"extra_body": []}]
)
def test_what_is_no_budget_stays_as_it_is(fields: dict[str, Any]) -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "Go."}], **fields}
    assert il.load(request, "gemini_openai").reasoning_budget is None
    assert il.dump(il.load(request, "gemini_openai"), "gemini_openai", on_loss="raise") == request


def test_a_budget_beside_disabled_thinking_is_not_read() -> None:
    request = {"messages": [{"role": "user", "content": "Go."}], "enable_thinking": False, "thinking_budget": 5}
    made = il.convert(request, source="openai_chat", target="anthropic")
    assert "thinking" not in made.payload
    assert {loss.path for loss in made.losses} == {"/enable_thinking", "/thinking_budget"}


# The level of thinking at Google's endpoint


def leveled(level: Any, **more: Any) -> dict[str, Any]:
    thinking = {"thinking_config": {"thinking_level": level, **more}}
    return {"model": "m", "messages": [{"role": "user", "content": "Go."}], "extra_body": {"google": thinking}}


@pytest.mark.parametrize("more", [{}, {"include_thoughts": True}])
@pytest.mark.parametrize("level", ["minimal", "low", "MEDIUM", "HIGH"])
def test_a_level_of_google_is_an_effort(level: str, more: dict[str, Any]) -> None:
    request = leveled(level, **more)
    loaded = il.load(request, "gemini_openai")
    assert loaded.reasoning_effort == level.lower()
    assert il.dump(loaded, "gemini_openai", on_loss="raise") == request
    gemini: Any = il.convert(request, source="gemini_openai", target="gemini").payload
    shown = {"includeThoughts": True} if more else {}
    assert gemini["generationConfig"]["thinkingConfig"] == {"thinkingLevel": level.upper(), **shown}
    anthropic: Any = il.convert(leveled("high", **more), source="gemini_openai", target="anthropic").payload
    assert anthropic["output_config"] == {"effort": "high"}
    responses = il.convert(request, source="gemini_openai", target="openai_responses")
    written: Any = responses.payload
    assert written["reasoning"]["effort"] == level.lower()
    assert "/extra_body/google/thinking_config/thinking_level" not in [loss.path for loss in responses.losses]


def test_an_edited_level_wins() -> None:
    loaded = il.load(leveled("LOW"), "gemini_openai")
    edited: Any = il.dump(loaded.replace(reasoning_effort="high"), "gemini_openai", on_loss="raise")
    assert edited == leveled("HIGH")
    assert il.dump(loaded.replace(reasoning_effort="none"), "gemini_openai").get("reasoning_effort") == "none"


@pytest.mark.parametrize(
    "odd", [leveled("Low"), leveled(5), leveled("low", thinking_budget=9), leveled("low") | {"reasoning_effort": "low"}]
)
def test_a_level_that_is_unknown_or_not_alone_stays_as_it_is(odd: dict[str, Any]) -> None:
    loaded = il.load(odd, "gemini_openai")
    assert loaded.reasoning_effort == odd.get("reasoning_effort")
    assert il.dump(loaded, "gemini_openai", on_loss="raise") == odd


# DashScope, which takes an effort or a budget


@pytest.mark.parametrize("fields", [DASHSCOPE, {"thinking_budget": 2000}])
def test_a_budget_in_dashscopes_field_stays_in_it(fields: dict[str, Any]) -> None:
    request = {"model": "m", "messages": [{"role": "user", "content": "Go."}], **fields}
    dashscope = il.format_for(il.HOSTS["dashscope"], "dashscope")
    assert il.convert(request, source="openai_chat", target=dashscope, strict=True).payload == request


def test_dashscope_gets_an_effort_without_the_budget_beside_it() -> None:
    request = {
        "model": "m",
        "messages": [{"role": "user", "content": "Go."}],
        "reasoning_effort": "low",
        "thinking_budget": 2000,
    }
    made = il.convert(request, source="openai_chat", target=il.format_for(il.HOSTS["dashscope"], "dashscope"), check=True)
    assert made.payload["reasoning_effort"] == "low"
    assert "thinking_budget" not in made.payload
    assert [(loss.path, loss.detail) for loss in made.losses] == [
        ("/thinking_budget", "dashscope takes an effort or a budget, and not both")
    ]
    assert made.problems == ()


# Whether Google's endpoint shows its thoughts


@pytest.mark.parametrize("shown", [True, False])
def test_thoughts_that_google_shows_are_asked_for_elsewhere(shown: bool) -> None:
    request = leveled("low", include_thoughts=shown)
    gemini: Any = il.convert(request, source="gemini_openai", target="gemini", strict=True).payload
    assert gemini["generationConfig"]["thinkingConfig"] == {"thinkingLevel": "LOW", "includeThoughts": shown}
    anthropic: Any = il.convert(request, source="gemini_openai", target="anthropic").payload
    assert anthropic["thinking"]["display"] == ("summarized" if shown else "omitted")


def test_google_is_asked_to_show_thoughts_only_without_an_effort() -> None:
    """It takes an effort or an object for thinking."""
    body = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}
    thinking: dict[str, Any] = {"includeThoughts": True}
    shown = il.convert(body | {"generationConfig": {"thinkingConfig": thinking}}, source="gemini", target="gemini_openai")
    payload: Any = shown.payload
    assert payload["extra_body"] == {"google": {"thinking_config": {"include_thoughts": True}}}
    assert shown.losses == ()
    thinking["thinkingLevel"] = "LOW"
    beside = il.convert(body | {"generationConfig": {"thinkingConfig": thinking}}, source="gemini", target="gemini_openai")
    assert beside.payload.get("reasoning_effort") == "low"
    assert "extra_body" not in beside.payload
    assert [loss.path for loss in beside.losses] == ["/generationConfig/thinkingConfig/includeThoughts"]
