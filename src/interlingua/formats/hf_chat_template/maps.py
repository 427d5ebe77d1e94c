"""Load the arguments of a chat template as a canonical request, and dump them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.settings import dump_rest, fit_effort, report_budget
from ...model.exchange import Request
from ...model.messages import Message
from ..openai_chat.base import FAMILY, ChatDump
from ..openai_chat.maps import dump_tools, load_tool
from ..openai_chat.messages import dump_messages, flush_strays, load_messages
from ..openai_chat.prefill import fit_prefill
from ..openai_chat.profiles import ChatProfile
from ..openai_chat.thinking import VARIABLES, load_enabled

_VARIABLES = frozenset(
    {"documents", "add_generation_prompt", "continue_final_message", "chat_template_kwargs", "enable_thinking"}
)
"""Fields in which Chat servers (vLLM, SGLang) accept variables for their templates; from there, they go to templates too."""


@cache
def adapter(name: Literal["Frame", "Request"]) -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- building the wire types takes long

    return TypeAdapter(getattr(wire, name))


class TemplateDump(ChatDump):
    """A dump to a chat template, which needs no ids of calls and accepts any name of a tool."""

    def call_id(self, call: Any, path: str, at: str) -> str | None:
        """The id to write for a call; None if the call has none."""
        return None if call.id is None else super().call_id(call, path, at)

    def result_id(self, result: Any, path: str, at: str) -> tuple[str | None, bool]:
        """The id of the call that a result answers; None if it has none. The name of the tool is written too."""
        raw: str | None = result.tool_call_id if "role" in vars(result) else result.tool_use_id
        return (None, False) if raw is None else super().result_id(result, path, at)

    def fitting_name(self, raw: str, _longest: int, /) -> str:
        """The name itself."""
        return raw


def load_request(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """Load the arguments as the data of a canonical request; raises pydantic's `ValidationError` at the first bad message."""
    fields = FieldReader(adapter("Frame").validator.validate_python(wire))
    out: dict[str, Any] = {"messages": load_messages(fields.take("messages"), profile)}
    tools: list[Wire] | None = fields.take("tools")
    if tools is not None:
        out["tools"] = [load_tool(tool, profile) for tool in tools]
    fields.move_typed(out, str, "reasoning_effort")
    load_enabled(fields, out, "enable_thinking")
    if "reasoning_budget" not in out and "enable_thinking" not in wire:
        load_enabled(fields.inside(VARIABLES), out, VARIABLES)
    return fields.keep(out, FAMILY)


def _dump_disabled(request: Request, out: Wire, d: ChatDump) -> None:
    """Dump that the model must not think, as `enable_thinking`, which is a variable of many templates."""
    if d.same_family and spelling(request, "reasoning_budget") == VARIABLES:
        out[VARIABLES] = {"enable_thinking": False}
        return
    out["enable_thinking"] = False
    if request.reasoning_budget:
        d.drop("/reasoning_budget", "the effort `none` disables reasoning, so the budget is left out")


def dump_request(request: Request, messages: Sequence[Message], d: ChatDump) -> Wire:
    """Dump the arguments."""
    d.reserve(messages, request.tools or ())
    out: Wire = {"messages": d.progress.messages}
    dump_messages(messages, 0, d)
    flush_strays(d)
    if d.has_tools(request):
        dump_tools(request, out, d)
    if request.reasoning_budget == 0 or (request.reasoning_effort == "none" and not d.same_family):
        _dump_disabled(request, out, d)
    else:
        report_budget(request, d)
    effort = fit_effort(request, None, d)
    if effort is not None and (effort != "none" or d.same_family):
        out["reasoning_effort"] = effort
    out = dump_rest(request, out, d, written=("tools", "reasoning_effort", "reasoning_budget"), fields=_VARIABLES)
    fit_prefill(request, out, d)
    return out
