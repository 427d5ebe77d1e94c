"""The messages that begin a prompt: the system message, and the tools in the developer message.

The system message says who the model is, how much it reasons and which channels it has; nothing in it is a message of a
conversation. Its reasoning effort is a setting of the request. Its other lines are provider data where they differ from those
that openai-harmony 0.0.8 writes. A system message with anything else, such as built-in tools, stays a message of plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...codec.dump import Dump
from ...model.base import Json
from .texts import FUNCTIONS, neutral
from .typescript import lost, read_type, write_type

# The system message

USUAL: Mapping[str, str | None] = {
    "model_identity": "You are ChatGPT, a large language model trained by OpenAI.",
    "knowledge_cutoff": "2024-06",
    "conversation_start_date": None,
    "valid_channels": "analysis, commentary, final",
}
"""The lines that openai-harmony writes, under its names."""
USUAL_EFFORT = "medium"
EFFORTS = frozenset({"low", "medium", "high"})
_SYSTEM = re.compile(
    r"(?P<model_identity>[^\n]+)"
    r"(?:\nKnowledge cutoff: (?P<knowledge_cutoff>[^\n]+))?"
    r"(?:\nCurrent date: (?P<conversation_start_date>[^\n]+))?"
    r"(?:\n\nReasoning: (?P<effort>\S+))?"
    r"(?:\n\n# Valid channels: (?P<valid_channels>[^\n.]+)\. Channel must be included for every message\."
    r"(?P<note>\nCalls to these tools must go to the commentary channel: 'functions'\.)?)?"
)


def read_system(text: str) -> tuple[dict[str, str | None], str | None, bool] | None:
    """The lines, the effort, and whether functions are announced; None for any other text."""
    found = _SYSTEM.fullmatch(text)
    if found is None:
        return None
    return {name: found[name] for name in USUAL}, found["effort"], found["note"] is not None


def write_system(lines: Mapping[str, str | None], effort: str | None, *, has_functions: bool) -> str:
    """The text of the system message; a line that is None is left out."""
    top = [lines["model_identity"]]
    top += [f"Knowledge cutoff: {lines['knowledge_cutoff']}"] if lines["knowledge_cutoff"] else []
    top += [f"Current date: {lines['conversation_start_date']}"] if lines["conversation_start_date"] else []
    sections = ["\n".join(line for line in top if line)]
    if effort:
        sections.append(f"Reasoning: {effort}")
    if lines["valid_channels"]:
        note = "\nCalls to these tools must go to the commentary channel: 'functions'." if has_functions else ""
        channels = f"# Valid channels: {lines['valid_channels']}."
        sections.append(f"{channels} Channel must be included for every message.{note}")
    return "\n\n".join(sections)


# The developer message

INSTRUCTIONS = "# Instructions\n\n"
_TOOLS = "# Tools\n\n## functions\n\nnamespace functions {\n\n"
_END = "} // namespace functions"


class Developer(NamedTuple):
    """What a developer message says; a part that it lacks is None."""

    instructions: str | None
    tools: list[dict[str, Any]] | None = None
    listed: str = ""
    """The section that lists the tools."""


def read_developer(text: str) -> Developer:
    """Read a developer message; tools that are listed in any other way stay part of the instructions."""
    before, found, listed = text.rpartition(_TOOLS)
    tools = read_tools(found + listed) if found else None
    if tools is not None and not before:
        return Developer(None, tools, found + listed)
    has_instructions = before.startswith(INSTRUCTIONS) and before[len(INSTRUCTIONS) :].endswith("\n\n")
    if tools is None or not has_instructions:
        return Developer(text.removeprefix(INSTRUCTIONS))
    return Developer(before[len(INSTRUCTIONS) : -2], tools, found + listed)


def write_developer(instructions: str | None, listed: str = "") -> str:
    """The text of a developer message with this section of tools."""
    sections = [] if instructions is None else [INSTRUCTIONS + instructions]
    return "\n\n".join([*sections, listed] if listed else sections)


def read_tools(listed: str) -> list[dict[str, Any]] | None:
    """The functions in a section that lists tools; None for any other text."""
    *declared, end = listed.removeprefix(_TOOLS).split(" => any;\n\n")
    tools = [read_tool(one + " => any;\n\n") for one in declared]
    return None if end != _END or None in tools else [tool for tool in tools if tool is not None]


def write_tools(tools: Sequence[Mapping[str, Any]]) -> str:
    """The section of the developer message that lists functions."""
    return _TOOLS + "".join(map(write_tool, tools)) + _END


def write_tool(tool: Mapping[str, Any]) -> str:
    """A function as a TypeScript type, with its description as comments before it."""
    comments = "".join(f"// {line}\n" for line in _lines(tool.get("description") or ""))
    parameters = tool.get("parameters")
    arguments = "" if parameters is None else f"_: {write_type(parameters)}"
    return f"{comments}type {tool['name']} = ({arguments}) => any;\n\n"


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


_COMMENTS = re.compile(r"(?:// [^\n]*\n)+")
_TOOL = re.compile(r"type (?P<name>[^\s<>|()]+) = \((?:_: (?P<type>.*))?\) => any;", re.DOTALL)


def read_tool(text: str) -> dict[str, Any] | None:
    """The function of a TypeScript type that `write_tool` writes; None for any other text."""
    comments = _COMMENTS.match(text)
    start = 0 if comments is None else comments.end()
    found = _TOOL.fullmatch(text[start:].removesuffix("\n\n"))
    if found is None:
        return None
    tool: dict[str, Any] = {"type": "function", "name": found["name"]}
    if start:
        tool["description"] = "\n".join([line[3:] for line in text[: start - 1].split("\n")])
    if found["type"] is not None:
        parameters = read_type(found["type"])
        if parameters is None:
            return None
        tool["parameters"] = parameters
    return tool


# The tools of a request


def fit_tools(request: Any, d: Dump) -> list[dict[str, Any]]:
    """The functions to write; reports what their types do not keep."""
    return [written for path, tool in d.tools_of(request) if (written := _fit_tool(tool, path, d)) is not None]


def _fit_tool(tool: Any, path: str, d: Dump) -> dict[str, Any] | None:
    if tool.type == "opaque":
        d.drop(path, d.no_place_for(tool, "tool"))
        return None
    made: dict[str, Any] = {"name": tool.name if d.exact else d.tool_name(tool.name, path, 64)}
    for key in ("description", "parameters"):
        if getattr(tool, key) is not None:
            made[key] = getattr(tool, key)
    text = neutral(write_tool(made))
    again = read_tool(text)
    if again is None or write_tool(again) != text:
        d.report("changed", f"{path}/parameters", "/prompt", "the schema has no TypeScript type: the arguments may be anything")
        again = read_tool(neutral(write_tool(made | {"parameters": {}}))) or {"name": made["name"]}
    else:
        for kind, where in lost({key: made[key] for key in made if key != "name"}, again, path):
            d.report("dropped" if kind == "dropped" else "changed", where, None if kind == "dropped" else "/prompt", _TYPES)
    d.drop_named(tool, path, "strict", "cache_control")
    d.drop_fields(tool, path)
    return again


_TYPES = "harmony lists tools as TypeScript types, which cannot say this"


def function_of(name: str | None) -> str | None:
    """The name of a function in the namespace of functions; None for any other author or recipient."""
    found = (name or "").removeprefix(FUNCTIONS)
    return found if found and found != name else None


def lines_of(recorded: Json) -> Iterator[tuple[str, str | None]]:
    """The lines of the system message, with those that were recorded."""
    known: dict[str, Any] = recorded if type(recorded) is dict else {}
    for name, usual in USUAL.items():
        value = known.get(name, usual)
        yield name, value if value is None or (type(value) is str and "\n" not in value) else usual
