"""Messages of other providers, appended to a loaded request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.native import is_native
from ...conversion.requests import load, validate
from ...errors import Loss
from ...formats import FORMATS
from ...model.exchange import Request
from ...model.messages import DeveloperMessage, Message, SystemMessage, ToolMessage
from ...model.parts import Part, ToolResultPart
from ..dialogues import conversations
from ..wire import payloads
from . import share
from .documents import is_array, is_object
from .drawn import conversing, written_by

NOVEL = st.integers(0, 999).map("zz_{}".format) | st.integers(0, 99).map("zz.{}".format)
"""Ids that no request has."""


@st.composite
def begun(draw: st.DrawFn, target: Format, *, calling: bool = False) -> dict[str, Any]:
    """A payload that may end anywhere, or anywhere behind its first call if `calling`."""

    def has_call(payload: dict[str, Any], upto: int | None = None) -> bool:
        return called({**payload, target.listed: payload[target.listed][:upto]}, target) != []

    def is_tested(payload: dict[str, Any]) -> bool:
        return is_array(payload.get(target.listed)) and (not calling or has_call(payload))

    payload = draw(share.such(payloads(target), is_tested))
    listed = payload[target.listed]
    least = next(upto for upto in range(len(listed) + 1) if has_call(payload, upto)) if calling else 0
    del listed[draw(st.integers(least, len(listed))) :]
    return payload


@st.composite
def appended(draw: st.DrawFn, target: Format, ids: st.SearchStrategy[str]) -> list[Message]:
    """Messages that a request of the target does not write exactly, from the user or the assistant on."""
    origins = [name for name, format in FORMATS.items() if conversing(format) and name != target.name]
    origin = draw(st.sampled_from(origins))
    conversation = [m for m in draw(conversations()) if not isinstance(m, SystemMessage | DeveloperMessage)]
    renamed = _renamings(draw, conversation, ids)
    made: list[Message] = []
    for message in conversation:
        given = _rename(message, renamed)
        native = is_native(given, target)
        if native or draw(st.booleans()):
            given = given.replace(
                wire={"origin": origin, "response": True} if given.role == "assistant" else {"origin": origin}
            )
        made.append(given)
    return made


def _renamings(draw: st.DrawFn, conversation: Sequence[Message], ids: st.SearchStrategy[str]) -> dict[str, str]:
    used = [call.id for message in conversation for call in message.tool_uses if call.id is not None]
    new = draw(st.lists(ids, min_size=len(used), max_size=len(used), unique=True))
    return dict(zip(used, new, strict=True))


def _rename(message: Message, ids: dict[str, str]) -> Message:
    """The message with other ids of calls, and other names of tools."""

    def renamed(value: Any) -> Any:
        if is_array(value):
            return [renamed(item) for item in value]
        if not is_object(value):
            return value
        out = {key: item if key in ("input", "arguments") else renamed(item) for key, item in value.items()}
        is_call = "name" in out and ("arguments" in out or "input" in out)
        for key in ("tool_call_id", "tool_use_id", *(("id",) if is_call else ())):
            if key in out:
                out[key] = ids.get(out[key], out[key])
        if is_call or (out.get("type") == "tool_result" and "name" in out):
            out["name"] = f"x.{out['name']}"
        return out

    return validate([renamed(message.to_dict())])[0]


def marks(value: Any) -> int:
    """How many cache marks there are."""
    if is_array(value):
        return sum(map(marks, value))
    if not is_object(value):
        return 0
    inside = sum(map(marks, value.values()))
    return inside + 1 if "cache_control" in value else inside


def joined(request: Request, messages: Sequence[Message], format: Format) -> tuple[dict[str, Any], list[Loss]]:
    """The body of the request with the messages appended, and its losses."""
    losses: list[Loss] = []
    return written_by(format, request.replace(messages=[*request.messages, *messages]), losses), losses


def reported(losses: Sequence[Loss], path: str, at: str) -> list[tuple[Any, ...]]:
    """Losses of the messages from `path` on, counted from there; `at` is where the first stands in the output."""
    return sorted((str(counted(loss.path, path)), str(counted(loss.at, at)), loss.kind, loss.detail) for loss in losses)


def counted(pointer: str | None, start: str) -> str | None:
    """A pointer to a message, or into it, with the number that the message has counted from `start`."""
    if pointer is None:
        return None
    first = int(start)
    at = re.fullmatch(r"(?:/[a-z]+)?/(\d+)(.*)", pointer, re.DOTALL)
    return pointer if at is None else f"{int(at[1]) - first}{at[2]}"


def answered(messages: Sequence[Message]) -> Iterator[int | None]:
    """For each result, the number of the call that it answers: the last before it with its id."""
    calls: dict[str | None, int] = {}
    numbers = count()
    for message in messages:
        for call in message.tool_uses:
            calls[call.id] = next(numbers)
        results: list[Part] = [message.result] if isinstance(message, ToolMessage) else [*message.parts]
        yield from [calls.get(part.tool_use_id) for part in results if isinstance(part, ToolResultPart)]


def called(payload: Any, format: Format) -> list[str]:
    """The ids of calls in a request."""
    messages = load(payload, format).messages
    return [call.id for message in messages for call in message.tool_uses if call.id is not None]
