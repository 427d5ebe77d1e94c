"""What providers refuse in the list of tools, in the names of tools, and in the tool choice."""

from __future__ import annotations

from re import Pattern
from typing import Any

from .view import Found, View, object_of, objects


def unlike_names(view: View, pattern: Pattern[str], *, calls: bool = True) -> Found:
    """The names of tools that do not match the provider's pattern, in definitions and, with `calls`, in calls."""
    good: set[str] = set()
    named = [(tool.name, tool.name_at) for tool in view.tools]
    if calls:
        named += [(call.name, call.name_at) for call in view.calls]
    for name, at in named:
        if not isinstance(name, str) or name in good:
            continue
        if pattern.fullmatch(name):
            good.add(name)
        else:
            yield at, f"the name of a tool must match {pattern.pattern}"


def repeated_names(view: View) -> Found:
    """The tools that have the name of an earlier tool."""
    seen: set[str] = set()
    for tool in view.tools:
        if isinstance(tool.name, str):
            if tool.name in seen:
                yield tool.name_at, "the names of tools must differ, and another tool has this name"
            seen.add(tool.name)


def chosen_functions(body: dict[str, Any]) -> list[tuple[str, Any]]:
    """The functions that OpenAI's `tool_choice` names, alone or as allowed tools, nested or flat, with their pointers."""
    at = "/tool_choice"
    choice = object_of(body, "tool_choice")
    entries = [(at, choice)]
    if choice.get("type") == "allowed_tools":
        if "allowed_tools" in choice:
            at = f"{at}/allowed_tools"
            choice = object_of(choice, "allowed_tools")
        entries = list(objects(choice.get("tools"), f"{at}/tools"))
    return [
        (f"{at}/function/name", object_of(each, "function").get("name"))
        if "function" in each
        else (f"{at}/name", each.get("name"))
        for at, each in entries
        if each.get("type") == "function"
    ]


def missing_choices(view: View, chosen: list[tuple[str, Any]]) -> Found:
    """The names in a tool choice that no tool has."""
    names = {tool.name for tool in view.tools if isinstance(tool.name, str)}
    for at, name in chosen:
        if isinstance(name, str) and name not in names:
            yield at, "the tool choice must name a tool of the request"
