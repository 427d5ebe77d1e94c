"""What OpenAI's Chat Completions, and hosts of the same shape, refuse."""

from __future__ import annotations

from typing import Any

from ..model.base import Json
from . import chat_tools, pairing
from .rules import RuleSet, errors, warnings
from .view import Call, Found, Media, OutputSchema, Result, Text, Thought, ToolDefinition, Turn, View, object_of, objects

# The view


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    seen = View(body)
    for at, message in objects(body.get("messages"), "/messages"):
        role = message.get("role")
        turn = len(seen.turns)
        seen.turns.append(Turn(at, role if isinstance(role, str) else None, message))
        content: Json = message.get("content")
        if isinstance(content, str):
            seen.texts.append(Text(f"{at}/content", content, turn, role == "tool"))
        elif isinstance(content, list):
            _see_parts(content, at, turn, seen, in_result=role == "tool")
        if role == "assistant":
            _see_calls(message, at, turn, seen)
            if isinstance(thinking := message.get("reasoning_content"), str):
                seen.thoughts.append(Thought(f"{at}/reasoning_content", turn, None, {"thinking": thinking}))
        elif role == "tool":
            seen.results.append(Result(at, turn, message.get("tool_call_id"), f"{at}/tool_call_id"))
    for at, tool in objects(body.get("tools"), "/tools"):
        function = object_of(tool, "function")
        at_function = f"{at}/function"
        seen.tools.append(
            ToolDefinition(
                at,
                function.get("name"),
                f"{at_function}/name",
                function.get("parameters"),
                f"{at_function}/parameters",
                function.get("strict") is True,
                tool,
            )
        )
    answer = object_of(object_of(body, "response_format"), "json_schema")
    if "schema" in answer:
        at = "/response_format/json_schema/schema"
        seen.outputs.append(OutputSchema(answer["schema"], at, answer.get("strict") is True))
    return seen


def _see_parts(content: Json, at: str, turn: int, seen: View, *, in_result: bool) -> None:
    for at_part, part in objects(content, f"{at}/content"):
        kind = part.get("type")
        if kind == "text" and isinstance(part.get("text"), str):
            seen.texts.append(Text(f"{at_part}/text", part["text"], turn, in_result))
        elif kind == "image_url":
            url = object_of(part, "image_url").get("url")
            seen.media.append(Media(at_part, turn, "image", None, None, url if isinstance(url, str) else None, in_result))


def _see_calls(message: dict[str, Any], at: str, turn: int, seen: View) -> None:
    for at_call, call in objects(message.get("tool_calls"), f"{at}/tool_calls"):
        function = object_of(call, "function")
        at_function = f"{at_call}/function"
        seen.calls.append(
            Call(
                at_call,
                turn,
                call.get("id"),
                f"{at_call}/id",
                function.get("name"),
                f"{at_function}/name",
                function.get("arguments"),
                f"{at_function}/arguments",
            )
        )


# Rules


def call_without_result(view: View) -> Found:
    """Every tool call is answered by the tool messages directly after its message.

    Evidence: the server's text "must be followed by tool messages responding to each 'tool_call_id'" (agno-agi/agno#3105,
    BerriAI/litellm#10083); DeepSeek's "insufficient tool messages".
    """
    return pairing.unanswered(view, run=True)


def result_without_call(view: View) -> Found:
    """A tool message answers a call of the assistant message before its run of tool messages.

    Evidence: the server's text "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
    (itmisx/deepx-code#94, FoundationAgents/OpenManus#23).
    """
    return pairing.orphans(view, run=True)


def result_duplicate(view: View) -> Found:
    """A tool call has one result.

    Evidence: the server's text "Duplicate value for 'tool_call_id'" (agno-agi/agno#5116, fatwang2/search2ai#30).
    """
    return pairing.repeated_results(view, run=True)


_RULES = (*errors(call_without_result, result_without_call, result_duplicate), *warnings())

_TOOL_RULES = {"deepseek": chat_tools.DEEPSEEK_RULES, "gemini_openai": chat_tools.GEMINI_RULES}

RULES = {
    name: RuleSet(view, (*_RULES, *_TOOL_RULES.get(name, chat_tools.RULES)))
    for name in (
        "openai_chat",
        "verifiers",
        "litellm",
        "gemini_openai",
        "openhands",
        "clacky",
        "deepseek",
        "openrouter",
    )
}
"""The rules of each host's format, by its name."""
