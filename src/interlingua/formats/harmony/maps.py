"""Load and dump requests: each `dump_x` undoes its `load_x`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.efforts import effort_for_budget, nearest_effort, nearest_of
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.pointers import Kind, Locate, locator
from ...codec.settings import dump_rest, fit_choice, fit_effort
from ...codec.shared import Setting, Shared, same
from ...model.exchange import Request
from ..openai_completions import adapter
from .base import FAMILY, HarmonyDump
from .dumps import dump_messages, fit_developer
from .messages import load_messages
from .prologue import (
    EFFORTS,
    USUAL,
    USUAL_EFFORT,
    fit_form,
    fit_tools,
    lines_of,
    read_developer,
    read_system,
    read_tools,
    write_developer,
    write_system,
    write_tools,
)
from .texts import WireMessage, messages_of, neutral, split_end, usual_end, with_end, write_message

# Settings

_SAME = ("model", "max_tokens", "temperature", "top_p", "user", "stream")
_WRITTEN = (*_SAME, "stop", "tools", "tool_choice", "reasoning_effort", "reasoning_budget", "response_format")
SHARED: Shared = same("seed") | {
    "frequency_penalty": Setting(("frequency_penalty",), least=-2, most=2),
    "n": Setting(("n",), least=1, most=128),
    "presence_penalty": Setting(("presence_penalty",), least=-2, most=2),
}
"""Settings of text completions without a canonical field that other formats have too."""


def _load_settings(reader: FieldReader, out: dict[str, Any]) -> None:
    reader.move(out, *_SAME, "stop")
    if type(out.get("stop")) is str:
        out["stop"] = [out["stop"]]
        reader.spelling["stop"] = "text"


def _dump_settings(request: Request, out: Wire, d: HarmonyDump) -> None:
    for key in _SAME:
        if getattr(request, key) is not None:
            out[key] = getattr(request, key)
    stop = request.stop
    if stop or (stop is not None and d.same_format):
        is_text = d.same_format and len(stop) == 1 and spelling(request, "stop") == "text"
        out["stop"] = stop[0] if is_text else list(stop)


def _dump_effort(request: Request, d: HarmonyDump) -> str | None:
    """The effort to write; a budget becomes an effort. Without either, the usual one, unless a recorded prompt has none."""
    if d.exact and request.reasoning_effort is None:
        return None if spelling(request, "effort") == "absent" else USUAL_EFFORT
    nearest = nearest_of(EFFORTS)
    effort = nearest_effort(fit_effort(request, {*EFFORTS, *nearest}, d), nearest, "/prompt", d)
    instead = effort_for_budget(request, "/prompt", d, EFFORTS)
    if request.reasoning_budget is not None and instead is None:
        d.drop("/reasoning_budget", "harmony has efforts instead of budgets: set `reasoning_effort`")
    return effort or instead or USUAL_EFFORT


def _report_choice(request: Request, tools: Sequence[dict[str, Any]], d: HarmonyDump) -> None:
    """Report a tool choice, unless it is the usual one."""
    if request.tool_choice is None:
        return
    choice, _ = fit_choice(request.tool_choice, [tool["name"] for tool in tools], 64, d)
    if choice is not None and not (choice.type == "auto" and request.tool_choice.allowed):
        d.drop("/tool_choice", "harmony has no tool choice: to keep the model from calling tools, leave them out")


# Prompts


def _load_prompt(prompt: str, reader: FieldReader, out: dict[str, Any]) -> None:
    """Load the text of a prompt; lines of the system message that are not usual stay in the provider data."""
    text, ending = split_end(prompt)
    found = messages_of(text)
    rest: dict[str, Any] = {}
    system = read_system(_first_content(found, "system"))
    if system is None:
        reader.spelling["system"] = "absent"
    else:
        del found[0]
    _load_tools(found, reader, out)
    if system is not None:
        lines, effort, has_functions = system
        rest = {name: line for name, line in lines.items() if line != USUAL[name]}
        if effort is None:
            reader.spelling["effort"] = "absent"
        else:
            out["reasoning_effort"] = effort
        if has_functions != ("tools" in out):
            reader.spelling["functions"] = "announced" if has_functions else "absent"
    out["messages"] += load_messages(found)
    says_something = out["messages"] or "tools" in out or "response_format" in out
    if ending != usual_end(text) or not says_something:
        reader.spelling["prompt"] = ending
    reader.know("prompt")
    if rest:
        reader.left("prompt", rest)


def _first_content(found: Sequence[WireMessage | str], author: str) -> str:
    """The content of the first message, if it has this author and nothing else in its header."""
    first = found[0] if found else ""
    if isinstance(first, str):
        return ""
    return first.content if first.text == write_message(author, first.content) else ""


def _load_tools(found: list[WireMessage | str], reader: FieldReader, out: dict[str, Any]) -> None:
    """Load the developer message that has tools or a response format, and remove it; another spelling of tools is recorded."""
    instructions, tools, listed, form = read_developer(_first_content(found, "developer"))
    if tools is None and form is None:
        return
    following = found[1] if len(found) > 1 else ""
    if instructions is None and not isinstance(following, str) and following.author == "developer":
        return  # a dump would write the tools into this message
    del found[0]
    if tools is not None:
        out["tools"] = tools
        if listed != write_tools(tools):
            reader.spelling["tools"] = listed
    if form is not None:
        out["response_format"] = form
    if instructions is not None:
        out["messages"].append({"role": "developer", "content": instructions})


def _listed(request: Request, tools: Sequence[dict[str, Any]], d: HarmonyDump) -> str:
    """The section that lists the tools, as it was recorded if the tools are still the same."""
    recorded = spelling(request, "tools") if d.same_format else None
    own = [tool.to_dict() for tool in request.tools or ()]
    if recorded is not None and neutral(recorded) == recorded and read_tools(recorded) == own:
        return recorded
    return write_tools(tools) if tools else ""


def _dump_prompt(request: Request, messages: Sequence[Any], tools: Sequence[dict[str, Any]], form: str, d: HarmonyDump) -> str:
    """Write the prompt: the system message, the developer message with the tools, the other messages, and the end."""
    texts: list[str] = []
    effort = _dump_effort(request, d)
    if not (d.same_format and spelling(request, "system") == "absent"):
        texts.append(write_message("system", _system_text(request, effort, tools, d)))
    if d.settings and not d.same_format and request.model is not None:
        d.report("added", "", "/prompt", "a prompt of harmony begins with a system message: the usual one is added")
    start = 0
    if tools or form:
        instructions, start = fit_developer(messages, d)
        texts.append(write_message("developer", write_developer(instructions, _listed(request, tools, d), form)))
    texts += dump_messages(messages, start, d)
    return with_end("".join(texts), spelling(request, "prompt") if d.same_format else None)


def _system_text(request: Request, effort: str | None, tools: Sequence[dict[str, Any]], d: HarmonyDump) -> str:
    """The system message, with the lines that a loaded prompt has in place of the usual ones."""
    own = (request.provider_data or {}).get(FAMILY, {}).get("prompt") if d.same_format else None
    functions = spelling(request, "functions") if d.same_format else None
    has_functions = bool(tools) if functions is None else functions == "announced"
    return neutral(write_system(dict(lines_of(own)), effort, has_functions=has_functions))


# Requests


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {"messages": []}
    prompt = reader.wire.get("prompt")
    if type(prompt) is str:
        _load_prompt(prompt, reader, out)
    _load_settings(reader, out)
    return reader.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Any], d: HarmonyDump) -> Wire:
    """Dump a request body."""
    d.find_tools(messages, request.tools or ())
    out: Wire = {}
    tools = fit_tools(request, d)
    _report_choice(request, tools, d)
    form = fit_form(request.response_format, d)
    had_prompt = d.same_format and spelling(request, "prompt") is not None
    says_something = messages or tools or form
    if says_something or had_prompt:
        out["prompt"] = _dump_prompt(request, messages, tools, form, d)
        d.places["/prompt"] = ""
    else:
        d.drop_named(request, "", "reasoning_effort", "reasoning_budget")
    _dump_settings(request, out, d)
    return dump_rest(request, out, d, _WRITTEN, _FIELDS)


_FIELDS = frozenset(
    "best_of echo frequency_penalty logit_bias logprobs n presence_penalty seed stop stream_options suffix".split()
)

# Pointers

_IN_PROMPT = ("/messages", "/tools", "/reasoning_effort", "/response_format", f"/provider_data/{FAMILY}/prompt")
_located = locator({"request": Kind()})


def locating(wire: Wire) -> Locate:
    """Translates pointers into the canonical request: all that the prompt says is at `/prompt`."""
    locate = _located(wire)
    is_text = type(wire.get("prompt")) is str

    def located(pointer: str) -> Sequence[str]:
        in_prompt = is_text and any(pointer == start or pointer.startswith(start + "/") for start in _IN_PROMPT)
        return ("/prompt",) if in_prompt else locate(pointer)

    return located
