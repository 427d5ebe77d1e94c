"""Fields are called misspelt only where they are one slip away from a known one, and no field of an SDK is."""

import re
from collections.abc import Iterator
from typing import Any

import anthropic.types
import openai.types.chat
import pytest
from anthropic.types import message_create_params
from anthropic.types.beta import message_create_params as anthropic_beta
from hypothesis import given, strategies as st
from openai.types.chat import completion_create_params as chat
from openai.types.responses import response_create_params as responses, response_input_item_param, tool_param
from openai.types.shared_params import FunctionDefinition

import interlingua as il
from interlingua.codec.rules.spelling import is_slip

ROLES = ("User", "Assistant", "System", "Developer", "Tool", "Function")
TOOL_TYPES = "(Tool|WebSearchTool|CodeExecutionTool|MemoryTool|WebFetchTool|ToolSearchTool)[A-Za-z]*[0-9]*Param"
WORDS = st.text("abc", max_size=6)


def slips(word: str) -> Iterator[str]:
    """All texts of these letters that are one slip away."""
    for at in range(len(word) + 1):
        yield from (word[:at] + letter + word[at:] for letter in "abc")
        if at < len(word):
            yield word[:at] + word[at + 1 :]
            yield from (word[:at] + letter + word[at + 1 :] for letter in "abc")
            yield word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


@given(WORDS)
def test_what_is_one_slip_away_is_found(word: str) -> None:
    assert all(is_slip(other, word) for other in slips(word) if other != word)


@given(WORDS, WORDS)
def test_nothing_else_is_a_slip(one: str, other: str) -> None:
    assert is_slip(one, other) == (one != other and one in set(slips(other)))


def fields(*types: Any) -> set[str]:
    return {name for each in types for name in each.__annotations__}


def misspelt(body: dict[str, Any], format: il.FormatName) -> list[str]:
    return [problem.path for problem in il.check(body, format) if problem.code == "field-misspelt"]


def all_fields(module: Any, name: str = ".*") -> set[str]:
    """The fields of the types of a module that have such a name."""
    types = [getattr(module, each) for each in dir(module) if re.fullmatch(name, each)]
    return fields(*(each for each in types if hasattr(each, "__required_keys__")))


BODY, MESSAGE, TOOL = "body", "message", "tool"
KNOWN: list[tuple[il.FormatName, str, set[str]]] = [
    ("openai_chat", BODY, fields(chat.CompletionCreateParamsBase)),
    ("openai_chat", MESSAGE, fields(*(getattr(openai.types.chat, f"ChatCompletion{role}MessageParam") for role in ROLES))),
    ("openai_chat", TOOL, fields(FunctionDefinition)),
    ("openai_responses", BODY, fields(responses.ResponseCreateParamsBase)),
    ("openai_responses", MESSAGE, all_fields(response_input_item_param)),
    ("openai_responses", TOOL, all_fields(tool_param)),
    ("anthropic", BODY, fields(message_create_params.MessageCreateParamsBase, anthropic_beta.MessageCreateParamsBase)),
    ("anthropic", TOOL, all_fields(anthropic.types, TOOL_TYPES)),
]


@pytest.mark.parametrize(("format", "place", "names"), KNOWN, ids=lambda value: value if isinstance(value, str) else "")
def test_no_field_of_an_sdk_is_misspelt(format: il.FormatName, place: str, names: set[str]) -> None:
    assert names
    said = dict.fromkeys(names, "user")
    listed = "input" if format == "openai_responses" else "messages"
    function = {"type": "function", "function": said} if format == "openai_chat" else {**said, "type": "function"}
    bodies: dict[str, dict[str, Any]] = {BODY: said, MESSAGE: {listed: [said]}, TOOL: {listed: [], "tools": [function]}}
    assert misspelt(bodies[place], format) == []
