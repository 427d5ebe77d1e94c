"""`source="auto"`: the format is found out, or the error says what it may be."""

import json
from typing import Any

import pytest

import interlingua as il

ASKED = {"role": "user", "content": "Is it warm in Oslo?"}
SEARCH = {"model": "m", "tools": [{"type": "web_search_20250305", "name": "web_search"}], "messages": [ASKED]}
CHAT = {"model": "m", "messages": [ASKED], "n": 2}
PLAIN = {"model": "m", "messages": [ASKED]}
EITHER = {"model": "m", "messages": [ASKED], "max_tokens": 9, "thinking": {"type": "enabled", "budget_tokens": 2000}}
"""Anthropic's, that of a host with Chat's shape, or Cohere's, which keeps the budget for itself."""
ANSWER = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "No."}], "stop_reason": "end_turn"}


@pytest.mark.parametrize(
    ("payload", "format"),
    [
        (CHAT, "openai_chat"),
        (SEARCH, "anthropic"),
        ({"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}, "gemini"),
        ({"messages": [{"role": "user", "content": [{"text": "Hi."}]}]}, "bedrock_converse"),
        ({"model": "m", "input": "Hi."}, "openai_responses"),
        ({"model": "m", "input": "Hi.", "temperature": 1}, "openai_responses"),
        ({"model": "m", "messages": [ASKED], "temperature": 1}, "openai_chat"),
        ({"model": "m", "messages": [ASKED], "temperature": 1, "options": {"num_ctx": 9}}, "ollama"),
        ({"model": "m", "prompt": "Hi.", "temperature": 1}, "openai_completions"),
        ({"model": "m", "prompt": "Hi.", "raw": True}, "ollama_generate"),
        ({"messages": [ASKED], "provider": {"order": ["x"]}}, "openrouter"),
        ([{"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}]}], "verifiers"),
        ({"conversations": [{"from": "human", "value": "Hi."}]}, "sharegpt"),
    ],
)
def test_what_is_certain_is_read_as_that(payload: Any, format: il.FormatName) -> None:
    assert il.load(payload, "auto") == il.load(payload, format)
    assert il.load(json.dumps(payload), "auto").origin == format
    made = il.convert(payload, source="auto", target="gemini")
    assert made.source == format
    assert made.payload == il.convert(payload, source=format, target="gemini").payload
    assert il.convert(payload, source=format, target="gemini").source == format


def test_what_says_the_same_in_all_of_its_formats_is_read_as_the_likeliest() -> None:
    assert len(il.detect(PLAIN)) > 1
    assert il.load(PLAIN, "auto").origin == "openai_chat"
    assert il.load([ASKED], "auto").origin == "openai_chat"
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    called = {"role": "assistant", "content": "", "tool_calls": [call]}
    answered = {"role": "tool", "tool_call_id": "c", "content": "4"}
    assert il.load([ASKED, called, answered], "auto").origin == "openai_chat"


def test_a_null_says_nothing() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    said = [
        ASKED,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "4"},
    ]
    assert "cohere" in [found.format for found in il.detect({"messages": said})]
    assert il.load({"messages": said}, "auto").origin == "openai_chat"


def test_what_is_ambiguous_is_an_error_with_both_candidates() -> None:
    for call in (lambda: il.load(EITHER, "auto"), lambda: il.convert(EITHER, source="auto", target="gemini")):
        with pytest.raises(il.InvalidPayload, match=r"fits anthropic and cohere.*name one .*, or list one in `prefer`"):
            call()


@pytest.mark.parametrize(
    ("prefer", "format"),
    [
        (["anthropic"], "anthropic"),
        (["openai_chat", "anthropic"], "openai_chat"),
        (["gemini", "anthropic"], "anthropic"),
        (["openrouter"], "openrouter"),
        ([il.FORMATS["deepseek"]], "deepseek"),
    ],
)
def test_the_first_preferred_that_it_may_be_is_taken(prefer: list[Any], format: il.FormatName) -> None:
    assert il.load(EITHER, "auto", prefer=prefer) == il.load(EITHER, format)
    assert il.convert(EITHER, source="auto", target="gemini", prefer=prefer).source == format


def test_what_is_certain_is_not_changed_by_a_preference() -> None:
    assert il.load(SEARCH, "auto", prefer=["openai_chat"]).origin == "anthropic"
    assert il.load(CHAT, "auto", prefer=["anthropic"]).origin == "openai_chat"
    assert il.load(CHAT, "auto", prefer=["litellm"]).origin == "litellm"


def test_a_preference_is_a_list_of_known_formats() -> None:
    misspelt: Any = "antropic"
    with pytest.raises(il.UnknownFormat):
        il.load(EITHER, "auto", prefer=[misspelt])
    no_list: Any = "anthropic"
    with pytest.raises(TypeError, match="list"):
        il.load(EITHER, "auto", prefer=no_list)


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"a": 1}, "does not look like a payload of a known format: name its format as the source$"),
        ({"messages": [{"type": "human", "content": "Hi."}]}, "a request of LangChain .*interlingua has no format for it"),
        ({"version": 1, "messages": [ASKED]}, "of this package .*il.validate"),
        ({"prompt": [ASKED], "chosen": [], "rejected": []}, "a row of the layout trl_preference: use convert_batch"),
        ("{", "JSON"),
        (None, "does not look like a payload of a known format"),
        (5, "does not look like a payload of a known format"),
    ],
)
def test_what_is_of_no_format_is_an_error_that_says_what_it_looks_like(payload: Any, said: str) -> None:
    with pytest.raises(il.InvalidPayload, match=said) as caught:
        il.load(payload, "auto")
    assert "Oslo" not in str(caught.value)


def test_a_response_is_found_out() -> None:
    chat = {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "No."}}]}
    assert il.load_response(ANSWER, "auto") == il.load_response(ANSWER, "anthropic")
    assert il.load_response(json.dumps(chat), "auto").origin == "openai_chat"
    assert il.load_response(chat, "auto", prefer=["deepseek"]).origin == "deepseek"
    with pytest.raises(il.InvalidPayload, match="does not look like a payload of a known format"):
        il.load_response({"a": 1}, "auto")


def test_an_error_body_is_found_out() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    with pytest.raises(il.ProviderError) as caught:
        il.load_response(body, "auto")
    assert (caught.value.origin, caught.value.type) == ("anthropic", "overloaded_error")
    with pytest.raises(il.ProviderError):
        il.load_response({"error": {"message": "no", "type": "invalid_request_error"}}, "auto", status=400)


def test_an_sdks_objects_are_found_out() -> None:
    from anthropic.types import Message

    body = {"id": "m", "model": "m", "usage": {"input_tokens": 1, "output_tokens": 1}, **ANSWER}
    assert il.load_response(Message.model_validate(body), "auto").origin == "anthropic"
