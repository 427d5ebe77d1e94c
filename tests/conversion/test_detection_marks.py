"""Each mark of a shape says alone what a request is: those of the official clients, and those by hand."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import anthropic.types
import anthropic.types.beta
import pytest
from anthropic.types import message_create_params as anthropic_params, message_param
from anthropic.types.beta import message_create_params as anthropic_beta
from openai.types.chat import completion_create_params as chat_params
from openai.types.responses import response_create_params as responses_params

import interlingua as il


def typed_fields(*types: Any) -> set[str]:
    """The fields of an SDK's types of a request."""
    return {name for each in types for name in each.__annotations__}


def type_words(module: Any, names: str) -> set[str]:
    """The words that are the `type` of an SDK's types with such names."""
    types = [getattr(module, each) for each in dir(module) if re.fullmatch(names, each)]
    hints = [get_type_hints(each).get("type") for each in types if hasattr(each, "__required_keys__")]
    return {word for hint in hints for word in get_args(hint) if isinstance(word, str)}


def tool_types() -> set[str]:
    """The types of Anthropic's own tools."""
    names = "(Tool|WebSearchTool|WebFetchTool|CodeExecutionTool|MemoryTool)[A-Za-z]*_?20[0-9]{6}Param"
    return type_words(anthropic.types, names) | type_words(anthropic.types.beta, "Beta" + names)


def block_types() -> set[str]:
    """The types of the blocks that requests of Anthropic hold."""
    contents = [get_type_hints(each)["content"] for each in flattened(message_param.MessageParam)]
    blocks = [block for each in contents for block in flattened(each) if hasattr(block, "__required_keys__")]
    hints = [get_type_hints(block).get("type") for block in blocks]
    return {word for hint in hints for word in get_args(hint) if isinstance(word, str)}


def flattened(kind: Any) -> Iterator[Any]:
    """The members of unions, at any depth."""
    members = get_args(kind)
    if not members:
        yield kind
    for member in members:
        yield from flattened(member)


FAMILY_OF = {"openai_chat", "anthropic", "openai_responses", "gemini", "google_genai", "bedrock_converse"}


USER: list[dict[str, Any]] = [{"role": "user", "content": "Hi."}]
BLOCKS = typed_fields(anthropic_params.MessageCreateParamsBase, anthropic_beta.MessageCreateParamsBase)
CHAT_FIELDS = typed_fields(chat_params.CompletionCreateParamsBase)
RESPONSES_FIELDS = typed_fields(responses_params.ResponseCreateParamsBase)
SAMPLING = {"temperature", "top_p", "top_k", "stop", "thinking", "cache_control", "fallbacks"}
"""Fields that more providers have than the clients say, or that are marks with a certain value alone."""


def said(**fields: Any) -> dict[str, Any]:
    return {"messages": USER, **fields}


def holding(*blocks: Any, **fields: Any) -> dict[str, Any]:
    """A request whose first message holds these parts, or has these fields."""
    return {"messages": [{"role": "user", "content": [*blocks] or "Hi.", **fields}]}


ALONE: list[tuple[il.FormatName, dict[str, Any]]] = [
    *(("anthropic", said(**{field: "x"})) for field in sorted(BLOCKS - CHAT_FIELDS - SAMPLING)),
    *(("openai_chat", said(**{field: "x"})) for field in sorted(CHAT_FIELDS - BLOCKS - SAMPLING)),
    *(
        ("openai_responses", {"model": "m", "input": "x", field: "x"})
        for field in sorted(RESPONSES_FIELDS - {"input", "model", "prompt"})
    ),
    *(("anthropic", said(tools=[{"type": kind, "name": "x"}])) for kind in sorted(tool_types())),
    *(("anthropic", holding({"type": kind})) for kind in sorted(block_types() - {"text", "image"})),
    ("anthropic", holding({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}})),
    ("anthropic", said(tools=[{"name": "f", "input_schema": {}}])),
    ("anthropic", said(tool_choice={"type": "any"})),
    ("anthropic", said(service_tier="standard_only")),
    ("openai_chat", said(tools=[{"type": "function", "function": {"name": "f"}}])),
    ("openai_chat", said(tools=[{"type": "custom", "custom": {"name": "f"}}])),
    ("openai_chat", said(tool_choice="auto")),
    ("openai_chat", said(tool_choice={"type": "allowed_tools", "allowed_tools": {}})),
    ("openai_chat", said(service_tier="flex")),
    *(("openai_chat", holding({"type": kind})) for kind in ("image_url", "input_audio", "refusal", "video_url")),
    *(("openai_chat", holding(**{field: [{"function": {"name": "f"}}]})) for field in ("tool_calls",)),
    *(("openai_chat", holding(role=role)) for role in ("developer", "tool", "function")),
    *(
        ("bedrock_converse", said(**{field: {}}))
        for field in (
            "inferenceConfig toolConfig guardrailConfig outputConfig performanceConfig promptVariables requestMetadata "
            "serviceTier additionalModelRequestFields additionalModelResponseFieldPaths"
        ).split()
    ),
    *(
        ("bedrock_converse", holding({kind: {}}))
        for kind in (
            "text image document video audio toolUse toolResult reasoningContent cachePoint guardContent searchResult "
            "citationsContent"
        ).split()
    ),
    *(
        ("openai_responses", {"input": [{"type": kind}]})
        for kind in (
            "message function_call function_call_output reasoning item_reference computer_call_output custom_tool_call_output"
        ).split()
    ),
    ("gemini", {"contents": [{"parts": []}]}),
    ("gemini", {"contents": {"parts": []}}),
    ("gemini", {"contents": [{"role": "user", "parts": []}]}),
    *(
        ("gemini", {"contents": [{"parts": []}], field: {}})
        for field in "generationConfig systemInstruction safetySettings toolConfig cachedContent labels serviceTier".split()
    ),
    ("google_genai", {"contents": "Hi."}),
    ("google_genai", {"contents": [{"parts": []}], "config": {}}),
]


@pytest.mark.parametrize(("format", "payload"), ALONE, ids=json.dumps)
def test_each_mark_alone_is_enough(format: il.FormatName, payload: dict[str, Any]) -> None:
    found = [each.format for each in il.detect(payload)]
    assert found[:1] == [format]
    assert [name for name in found if name in FAMILY_OF] == [format]
    for listed in ("messages", "input", "contents"):
        if isinstance(payload.get(listed), list) and len(payload) == 1:
            assert il.detect(payload[listed])[:1] == [(format, "messages", *il.detect(payload[listed])[0][2:])]


HOSTS_TAKE: list[dict[str, Any]] = [
    said(thinking={"type": "enabled", "budget_tokens": 2000}),
    said(cache_control={"type": "ephemeral"}),
    said(fallbacks=["m"]),
    said(max_tokens=9, top_k=5),
    said(metadata={"user_id": "u"}),
    holding({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}),
    holding({"type": "image"}),
]
"""Requests that are Anthropic's by their fields, which hosts with Chat's shape take, too."""


@pytest.mark.parametrize("payload", HOSTS_TAKE, ids=json.dumps)
def test_what_hosts_with_chats_shape_take_is_not_certain(payload: dict[str, Any]) -> None:
    found = [each.format for each in il.detect(payload)]
    assert found[0] == "anthropic"
    assert "openai_chat" in found


def test_a_system_message_is_not_certain() -> None:
    """Anthropic takes one in the middle of a conversation."""
    found = [each.format for each in il.detect(holding(role="system"))]
    assert found[0] == "openai_chat"
    assert "anthropic" in found


LIKE_CHAT = {"cohere", "ollama"}
"""What has the shape of Chat where a request says little."""


def test_no_mark_says_more_than_it_means() -> None:
    """What both Chat and Anthropic take is a request of either."""
    shared: list[dict[str, Any]] = [
        {},
        {"model": "m"},
        {"max_tokens": 5},
        {"temperature": 1},
        {"stream": True},
        {"metadata": {}},
    ]
    for fields in shared:
        assert {each.format for each in il.detect(said(**fields))} - LIKE_CHAT == {"openai_chat", "anthropic"}
