"""Gemini's signatures in Chat Completions messages, in the places where its hosts have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from ....codec.strategies.primitives import BASE64, NAMES, fields

_GOOGLE = "extra_content"
_LITELLM = "provider_specific_fields"


@st.composite
def signed(draw: st.DrawFn, message: dict[str, Any]) -> dict[str, Any]:
    """The message, with its text and some of its calls signed."""
    place = draw(st.sampled_from([_GOOGLE, _LITELLM, "function", "reasoning_details"]))
    functions = [call for call in message.get("tool_calls") or () if "function" in call]
    chosen = [call for call in functions if draw(st.booleans())]
    has_text = isinstance(message.get("content"), str) and draw(st.booleans())
    signatures = [draw(BASE64) for _ in range(has_text + len(chosen))]
    of_calls = dict(zip(map(id, chosen), signatures[has_text:], strict=True))
    more = draw(fields({}, {"x_unknown": NAMES}))
    if place == "reasoning_details":
        entries = _details(draw, signatures, [None, *chosen] if has_text else chosen)
        before: list[Any] = message.get(place) or []
        return message | ({place: before + entries} if entries else {})
    calls = [
        call if id(call) not in of_calls else _signed_call(call, place, of_calls[id(call)], more)
        for call in message.get("tool_calls") or ()
    ]
    out = message | ({"tool_calls": calls} if calls else {})
    if place == _GOOGLE and has_text:
        out[_GOOGLE] = {"google": {"thought_signature": signatures[0], **more}}
    elif place != _GOOGLE and draw(st.booleans()):
        out[_LITELLM] = {"thought_signatures": signatures, **more}
    return out


def _details(draw: st.DrawFn, signatures: list[str], signed: Sequence[dict[str, Any] | None]) -> list[dict[str, Any]]:
    """Entries of encrypted reasoning with signatures: of these calls, or of the text where the entry is None."""
    entries: list[dict[str, Any]] = []
    for signature, call in zip(signatures, signed, strict=True):
        entry = {"type": "reasoning.encrypted", "format": "google-gemini-v1", "data": signature}
        if call is not None and isinstance(call.get("id"), str):
            entry["id"] = call["id"]
        entries.append(entry)
    if draw(st.booleans()):
        entries = [entry | {"index": draw(st.integers(0, 2))} for entry in entries]
    return entries


def _signed_call(call: dict[str, Any], place: str, signature: str, more: dict[str, Any]) -> dict[str, Any]:
    signed = {"thought_signature": signature}
    if place == "function":
        return call | {"function": call["function"] | {_LITELLM: signed | more}}
    return call | {place: {"google": signed} | more if place == _GOOGLE else signed | more}
