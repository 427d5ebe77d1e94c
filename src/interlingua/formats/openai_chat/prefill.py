"""The beginning of the answer: an assistant message at the end of a request, which the answer continues (prefill)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ...codec.fields import Wire
from ...codec.ordering import is_history
from ...model.exchange import Request
from .base import FAMILY, ChatDump
from .profiles import ChatProfile

_OF_MESSAGE = ("prefix", "partial")
_OF_REQUEST = {"continue_final_message": True, "add_generation_prompt": False}

MARKS: Mapping[str, str] = {
    **{key: key for key in _OF_MESSAGE},
    **dict.fromkeys(_OF_REQUEST, "continue_final_message"),
}
"""The fields by which hosts know that the answer continues the last message, each with the field that must be true for it."""


def goes_on(profile: ChatProfile) -> Literal["never", "marked", "always"]:
    """Whether answers of a host continue an assistant message at the end of a request."""
    if profile.prefill == "always":
        return "always"
    return "marked" if profile.prefill is not None or profile.prefix else "never"


def fit_prefill(request: Request, out: Wire, d: ChatDump) -> None:
    """Write the host's mark on a final assistant message, if the source had one or the host requires it.

    Only servers that always understand their mark get it if the source needs none: other hosts take it for some models alone.
    """
    messages = d.progress.messages
    last = messages[-1] if messages else {}
    if d.progress.ends_exactly or last.get("role") != "assistant" or last.get("tool_calls"):
        return
    if d.begun is None and (not d.profile.prefix or not d.settings or is_history(request)):
        return  # what follows the message may have no place here, but a host that requires the mark looks at the last one
    own = d.profile.prefill
    is_marked = d.begun is not None and _is_marked(request)
    if d.profile.prefix:
        _require_prefix(last, f"/messages/{len(messages) - 1}", d, is_marked=is_marked)
    elif own == "continue_final_message":
        if is_marked or _is_unsaid(out, d):
            _unmark(last, out, d)
            out |= _fields(d)
    elif own not in (None, "always") and is_marked:
        _unmark(last, out, d)
        last[own] = True


def _is_marked(request: Request) -> bool:
    """Whether the source asked for it by a field, of the request or of its last message."""
    owners: tuple[Any, ...] = (request, request.messages[-1])
    data: list[Mapping[str, Wire]] = [owner.provider_data or {} for owner in owners]
    overlays = [each.get(FAMILY, {}) for each in data]
    return any(overlay.get(mark) is True for overlay in overlays for mark in MARKS.values())


def _is_unsaid(out: Wire, d: ChatDump) -> bool:
    """Whether the source continues its last message without a field, so that the fields must be added; they are reported."""
    if d.source is None or d.source.goes_on != "always" or "continue_final_message" in out:
        return False
    for key in _fields(d):
        d.report("added", "", "/" + key, "without this field, the host begins a new message")
    return True


def _fields(d: ChatDump) -> Wire:
    """The fields to write on the request. A chat template needs only one, since it begins a new message only if asked to."""
    return {"continue_final_message": True} if d.target.rendered else {**_OF_REQUEST}


def _unmark(last: Wire, out: Wire, d: ChatDump) -> None:
    """Remove the marks of other hosts; report one that contradicts the others."""
    if out.get("add_generation_prompt") is True:
        d.drop(
            f"/provider_data/{FAMILY}/add_generation_prompt",
            "the answer continues the last message instead of beginning a new one",
        )
    for key in _OF_MESSAGE:
        last.pop(key, None)
    for key in _OF_REQUEST:
        out.pop(key, None)


def _require_prefix(last: Wire, at: str, d: ChatDump, *, is_marked: bool) -> None:
    if last.get("prefix") is True:
        return
    if is_marked:
        last["prefix"] = True
        return
    detail = "an assistant message at the end must have `prefix`, which says that the answer continues it"
    if "prefix" in last:
        d.report("changed", f"{d.places[at]}/provider_data/{FAMILY}/prefix", at + "/prefix", detail)
    else:
        d.report("added", d.places[at], at + "/prefix", detail)
    last["prefix"] = True
