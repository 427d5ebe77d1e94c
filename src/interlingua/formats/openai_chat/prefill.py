"""The beginning of the answer: an assistant message at the end of a request, which the answer continues (prefill)."""

from __future__ import annotations

from collections.abc import Mapping

from ...codec.fields import Wire
from .base import FAMILY, ChatDump

_OF_MESSAGE = ("prefix", "partial")
_OF_REQUEST = {"continue_final_message": True, "add_generation_prompt": False}

MARKS: Mapping[str, bool] = {**dict.fromkeys(_OF_MESSAGE, True), **_OF_REQUEST}
"""The fields by which hosts know that the answer continues the last message, and the values that say so."""


def fit_prefill(out: Wire, d: ChatDump) -> None:
    """Write the host's mark on a final assistant message, if the source had one or the host requires it.

    Only servers that always understand their mark get it if the source needs none: other hosts take it for some models alone.
    """
    messages = d.progress.messages
    last = messages[-1] if messages else {}
    if d.progress.ends_exactly or last.get("role") != "assistant" or last.get("tool_calls"):
        return
    if d.profile.prefix:
        _require_prefix(last, f"/messages/{len(messages) - 1}", d)
        return
    own = d.profile.prefill
    if own is None or own == "always":
        return
    on_request = own == "continue_final_message"
    is_marked = out.get("continue_final_message") is True or any(last.get(key) is True for key in _OF_MESSAGE)
    if on_request and not is_marked and d.source is not None and d.source.goes_on == "always":
        is_marked = True
        for key in _OF_REQUEST:
            d.report("added", "", "/" + key, "without this field, the host begins a new message")
    if not is_marked:
        return
    for key in _OF_MESSAGE:
        last.pop(key, None)
    for key in _OF_REQUEST:
        out.pop(key, None)
    if on_request:
        out |= _OF_REQUEST
    else:
        last[own] = True


def _require_prefix(last: Wire, at: str, d: ChatDump) -> None:
    if last.get("prefix") is True:
        return
    detail = "an assistant message at the end must have `prefix`, which says that the answer continues it"
    if "prefix" in last:
        d.report("changed", f"{d.places[at]}/provider_data/{FAMILY}/prefix", at + "/prefix", detail)
    else:
        d.report("added", d.places[at], at + "/prefix", detail)
    last["prefix"] = True
