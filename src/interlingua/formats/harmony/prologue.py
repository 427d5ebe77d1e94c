"""The messages that begin a prompt: the system message, and the tools and the response format in the developer message.

The system message says who the model is, how much it reasons and which channels it has; nothing in it is a message of a
conversation. Its reasoning effort is a setting of the request. Its other lines are provider data where they differ from those
that openai-harmony 0.0.8 writes. A system message with anything else, such as built-in tools, stays a message of plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...codec.dump import Dump
from ...codec.fields import asks_for_text
from ...model.base import Json
from ...model.exchange import INVENTED_NAME
from .texts import FUNCTIONS, escaped, neutral
from .typescript import lost, read_json, read_type, to_json_text, write_type

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
    """What a developer message says; a part that it lacks is None or empty."""

    instructions: str | None
    tools: list[dict[str, Any]] | None = None
    listed: str = ""
    """The section that lists the tools."""
    form: dict[str, Any] | None = None
    """The response format."""


def read_developer(text: str) -> Developer:
    """Read a developer message; tools and response formats in any other form stay part of the instructions."""
    form, before_form = _read_last_form(text)
    before, found, listed = before_form.rpartition(_TOOLS)
    tools = read_tools(found + listed) if found else None
    if tools is None:
        before = before_form
        listed = ""
    elif before.endswith("\n\n"):
        before = before[:-2]
    elif before:
        return Developer(text.removeprefix(INSTRUCTIONS))
    if not before and (tools or form):
        return Developer(None, tools, found + listed if tools else "", form)
    if not before.startswith(INSTRUCTIONS):
        return Developer(text.removeprefix(INSTRUCTIONS))
    return Developer(before.removeprefix(INSTRUCTIONS), tools, found + listed if tools else "", form)


def write_developer(instructions: str | None, *sections: str) -> str:
    """The text of a developer message with these sections, of which empty ones are left out."""
    first = [] if instructions is None else [INSTRUCTIONS + instructions]
    return "\n\n".join([*first, *filter(None, sections)])


# Response formats

_FORM = re.compile(r"# Response Formats\n\n## (?P<name>[^\n]+)\n\n(?P<comments>(?:// [^\n]*\n)*)(?P<schema>\{[^\n]*\})")


def _read_last_form(text: str) -> tuple[dict[str, Any] | None, str]:
    """The response format with which a text ends, and the text before it; None, and the whole text, for any other."""
    at = text.rfind("# Response Formats\n\n## ")
    form = read_form(text[at:]) if at >= 0 else None
    if form is None or (at and not text[:at].endswith("\n\n")):
        return None, text
    return form, text[: max(at - 2, 0)]


def read_form(text: str) -> dict[str, Any] | None:
    """The response format of a section that `write_form` writes; None for any other text."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    form: dict[str, Any] = {"type": "json_schema", "name": found["name"], "json_schema": read_json(found["schema"])}
    if found["comments"]:
        form["description"] = "\n".join([line[3:] for line in found["comments"][:-1].split("\n")])
    return form if type(form["json_schema"]) is dict and write_form(form) == text else None


def write_form(form: Mapping[str, Any]) -> str:
    """The section of the developer message with a response format."""
    described: str | None = form.get("description")
    comments = "" if described is None else "".join(f"// {line}\n" for line in described.split("\n"))
    return f"# Response Formats\n\n## {form['name']}\n\n{comments}{escaped(to_json_text(form['json_schema']))}"


def fit_form(form: Any, d: Dump) -> str:
    """The section with the response format of a request; empty, with a report, if it cannot be written."""
    if form is None or asks_for_text(form):
        return ""
    if form.json_schema is None:
        d.drop("/response_format", "a response format of harmony must have a schema: describe the format in the instructions")
        return ""
    made: dict[str, Any] = {"type": "json_schema", "name": form.name or INVENTED_NAME, "json_schema": form.json_schema}
    if form.description is not None:
        made["description"] = form.description
    text = write_form(made)
    if neutral(text) != text or read_form(text) != made:
        d.drop("/response_format", "the name and the description must be plain lines, without special tokens of harmony")
        return ""
    if form.strict is not None:
        d.drop("/response_format/strict", "harmony has no strict response formats: constrain the sampling at the server")
    return text


# Tools


def read_tools(listed: str) -> list[dict[str, Any]] | None:
    """The functions in a section that lists tools; None for any other text."""
    *declared, end = listed.removeprefix(_TOOLS).split(" => any;\n\n")
    if end != _END:
        return None
    tools: list[dict[str, Any]] = []
    for one in declared:
        tool = read_tool(one + " => any;\n\n")
        if tool is None:
            return None
        tools.append(tool)
    return tools


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
    given = ("description",) if path in d.free_form else ("description", "parameters")
    if again is None or write_tool(again) != text:
        at = f"{path}/parameters" if "parameters" in given else path
        d.report("changed", at, "/prompt", "the schema has no TypeScript type: the arguments may be anything")
        again = read_tool(neutral(write_tool(made | {"parameters": {}}))) or {"name": made["name"]}
    else:
        for kind, where in lost({key: made[key] for key in given if key in made}, again, path):
            d.report("dropped" if kind == "dropped" else "changed", where, None if kind == "dropped" else "/prompt", _TYPES)
    d.drop_named(tool, path, "strict", "cache_control")
    d.drop_fields(tool, path)
    return again


_TYPES = "harmony lists tools as TypeScript types, which cannot express this"


def function_of(name: str | None) -> str | None:
    """The name of a function in the namespace of functions; None for any other author or recipient."""
    found = (name or "").removeprefix(FUNCTIONS)
    return found if found and found != name else None


def lines_of(recorded: Json) -> Iterator[tuple[str, str | None]]:
    """The lines of the system message, with those that were recorded."""
    known: dict[str, Any] = recorded if type(recorded) is dict else {}
    for name, usual in USUAL.items():
        value = known.get(name, usual)
        is_line = type(value) is str and "\n" not in value
        if not (value is None or is_line):
            value = usual
        yield name, value
