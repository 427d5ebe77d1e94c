"""What OpenAI's Responses API refuses.

A fault is an error where no other host of the API is known to take it; ids, statuses and limits of OpenAI alone are warnings.
State that OpenAI keeps (an earlier response, a conversation, a stored prompt, items by reference) can hold what a body lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....codec.rules import pairing
from ....codec.rules.media import see_uri
from ....codec.rules.packed import packed_in
from ....codec.rules.rule import RuleSet, errors, fault
from ....codec.rules.view import (
    Call,
    Found,
    OutputSchema,
    Result,
    Text,
    Thought,
    ToolDefinition,
    Turn,
    View,
    object_of,
    objects,
)
from ....model.base import Json
from ...openai_chat.rules.functions import goes_on
from . import items as responses_items, settings as responses_settings
from .items import is_message, kind_of

# The view

_ARGUMENTS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "computer_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
}
"""The items that ask the client to run something, and the field of their input."""

_OUTPUTS = frozenset(f"{kind}_output" for kind in _ARGUMENTS)
_USUAL_ROLES = frozenset({"user", "assistant", "system", "developer"})
_CALL = frozenset({"type", "call_id", "name", "arguments"})
_RESULT = frozenset({"type", "call_id", "output"})


def view(body: dict[str, Any]) -> View:
    """The view of a request's body; every item is a turn, and its role is None if it is not a message."""
    seen = View(body, outputs=_outputs(body), unseen_texts=_texts)
    for at, item in objects(body.get("input"), "/input"):
        role: Json = item.get("role")
        turn = Turn(at, role if isinstance(role, str) and is_message(item) else None, item)
        seen.turns.append(turn)
        if turn.role in _USUAL_ROLES and len(item) == 2 and isinstance(item.get("content"), str):
            continue
        _see_item(item, at, seen)
        if item.keys() != _CALL and not (item.keys() == _RESULT and isinstance(item["output"], str)):
            seen.special.append(turn)
    seen.tools += _settings_tools(body)
    return seen


def _settings_tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The tools of a body, besides those in its items."""
    return _functions(body.get("tools"), "/tools")


def _outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schema of a structured answer in a body."""
    answer = object_of(object_of(body, "text"), "format")
    if answer.get("type") == "json_schema" and "schema" in answer:
        return [OutputSchema(answer["schema"], "/text/format/schema", answer.get("strict") is True)]
    return []


def _see_item(item: dict[str, Any], at: str, seen: View) -> None:
    turn = len(seen.turns) - 1
    kind = kind_of(item)
    if kind == "message":
        _see_media(item.get("content"), f"{at}/content", turn, seen)
    elif kind == "reasoning":
        seen.thoughts.append(Thought(at, turn, item.get("encrypted_content"), item))
    elif kind in _ARGUMENTS:
        key = _ARGUMENTS[kind]
        call_id = item.get("call_id")
        name = item.get("name")
        arguments = item.get(key)
        seen.calls.append(Call(at, turn, call_id, f"{at}/call_id", name, f"{at}/name", arguments, f"{at}/{key}"))
    elif kind in _OUTPUTS:
        seen.results.append(Result(at, turn, item.get("call_id"), f"{at}/call_id"))
        _see_media(item.get("output"), f"{at}/output", turn, seen, in_result=True)
    elif kind in ("additional_tools", "tool_search_output"):
        seen.tools += _functions(item.get("tools"), f"{at}/tools")


def _see_media(content: Json, at: str, turn: int, seen: View, *, in_result: bool = False) -> None:
    for at_part, part in objects(content, at):
        if part.get("type") == "input_image":
            see_uri(part.get("image_url"), "image", f"{at_part}/image_url", turn, seen, in_result=in_result)
        elif part.get("type") == "input_file":
            see_uri(part.get("file_data"), "file", f"{at_part}/file_data", turn, seen, in_result=in_result)


def _texts(seen: View) -> Iterator[Text]:
    """All texts of messages and outputs."""
    for key in ("instructions", "input"):
        if isinstance(seen.body.get(key), str):
            yield Text(f"/{key}", seen.body[key], -1)
    for index, turn in enumerate(seen.turns):
        for key in ("content", "output"):
            content: Json = turn.value.get(key)
            if isinstance(content, str):
                yield Text(f"{turn.at}/{key}", content, index, key == "output")
            for at, part in objects(content, f"{turn.at}/{key}"):
                if isinstance(part.get("text"), str):
                    yield Text(f"{at}/text", part["text"], index, key == "output")


def _functions(tools: Json, at: str) -> list[ToolDefinition]:
    found: list[ToolDefinition] = []
    for at_tool, tool in _tools(tools, at):
        if tool.get("type") in ("function", "custom"):
            name = tool.get("name")
            schema = tool.get("parameters")
            strict = tool.get("strict") is True
            found.append(ToolDefinition(at_tool, name, f"{at_tool}/name", schema, f"{at_tool}/parameters", strict, tool))
    return found


def _tools(tools: Json, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tools of a list, and those in its namespaces, which are never nested."""
    for at_tool, tool in objects(tools, at):
        yield at_tool, tool
        if tool.get("type") == "namespace":
            yield from objects(tool.get("tools"), f"{at_tool}/tools")


# Calls and their outputs


def _goes_on(view: View) -> bool:
    """Whether calls or outputs may be missing because the server keeps or has shortened the history."""
    return goes_on(view.body) or any(kind_of(turn.value) in ("item_reference", "compaction") for turn in view.special)


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every call of a tool that the client runs must have its output in the input.

    Evidence: the server's text "No tool output found for function call" (tjardoo/openai-client#124, lace-ai/gai#49).
    """
    return iter(()) if _goes_on(view) else pairing.unanswered_anywhere(view)


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """Every output of a tool must have its call in the input, unless an earlier response or a conversation may have it.

    Evidence: the server's text "No tool call found for function call output with call_id" (continuedev/continue#10092,
    leookun/cursor-byok#307, agentscope-ai/AgentTeams#299). The call may be a search for tools that the client ran: the server
    took the output of a function for it (pydantic/pydantic-ai, `test_tool_availability_portability`).
    """
    if _goes_on(view):
        return
    ids = (turn.value.get("call_id") for turn in view.special if kind_of(turn.value) == "tool_search_call")
    searches = {id for id in ids if isinstance(id, str)}
    of_searches = {result.at for result in view.results if isinstance(result.id, str) and result.id in searches}
    yield from ((at, why) for at, why in pairing.orphans_anywhere(view) if at not in of_searches)


_RULES = (
    *errors(call_without_result, result_without_call, packed_in("encrypted_content")),
    *responses_items.RULES,
    *responses_settings.RULES,
)

RULES = {name: RuleSet(view, _RULES, _settings_tools, _outputs) for name in ("openai_responses",)}
"""The rules of each host's format, by its name."""
