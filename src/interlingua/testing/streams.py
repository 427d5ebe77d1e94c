"""Strategies for the canonical events of a stream."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from ..model import events as e
from ..model.exchange import Usage
from .canonical import FAMILIES, ISSUERS, Strategies, any_of, given
from .envelopes import ENVELOPES, STOP_REASONS
from .primitives import BASE64, IDS, NAMES, arguments, json_objects, text

_CHOICE: dict[str, Any] = {"choice": st.integers(0, 2)}
_INDEX: dict[str, Any] = {"index": st.integers(0, 3)}

EVENTS: Strategies = {
    e.TextDelta: given(e.TextDelta, {"text": text(), **_INDEX}, _CHOICE),
    e.MessageStart: given(
        e.MessageStart,
        {},
        {
            "id": text(),
            "model": NAMES,
            "created": st.integers(0, 2**33) | st.floats(0, 2**33),
            "origin": st.sampled_from(["openai_chat", "anthropic", "else"]),
            "spelling": st.sampled_from(["flat", "blocks"]),
            **_CHOICE,
        },
    ),
    e.ThinkingDelta: given(
        e.ThinkingDelta, {"thinking": text(), **_INDEX}, {"field": st.sampled_from(get_args(e.ThinkingField)), **_CHOICE}
    ),
    e.SignatureDelta: given(e.SignatureDelta, {"signature": BASE64, **_INDEX}, {"issuer": ISSUERS, **_CHOICE}),
    e.RedactedThinking: given(e.RedactedThinking, {"data": BASE64, **_INDEX}, {"issuer": ISSUERS, **_CHOICE}),
    e.RefusalDelta: given(e.RefusalDelta, {"refusal": text(), **_INDEX}, _CHOICE),
    e.ToolUseStart: given(e.ToolUseStart, {"name": NAMES, **_INDEX}, {"id": IDS, "custom": st.booleans(), **_CHOICE}),
    e.ArgumentsDelta: given(e.ArgumentsDelta, {"arguments": arguments(), **_INDEX}, _CHOICE),
    e.ToolUse: given(
        e.ToolUse, {"name": NAMES, "arguments": arguments(), **_INDEX}, {"id": IDS, "custom": st.booleans(), **_CHOICE}
    ),
    e.PartStop: given(e.PartStop, _INDEX, _CHOICE),
    e.Update: given(
        e.Update,
        {"of": st.sampled_from(["response", "choice", "message", "part"]), "data": json_objects()},
        {"join": st.booleans(), **_INDEX, **_CHOICE},
    ),
    e.UsageUpdate: given(e.UsageUpdate, {"usage": ENVELOPES[Usage]}, {}),
    e.Stop: given(e.Stop, {}, {"stop_reason": STOP_REASONS, "native_stop_reason": NAMES, "stop_sequence": text(), **_CHOICE}),
    e.StreamEnd: given(e.StreamEnd, {}, {}),
    e.OpaqueEvent: given(e.OpaqueEvent, {"format": FAMILIES, "value": json_objects()}, {**_INDEX, **_CHOICE}),
    e.ErrorEvent: given(e.ErrorEvent, {"error": json_objects()}, {}),
}


def events() -> st.SearchStrategy[e.Event]:
    """Any event, valid by itself; a stream of them that makes a response is what a reader makes of `chunks(format)`."""
    return any_of(EVENTS)
