"""Load messages, and dump what a message has besides its content."""

from __future__ import annotations

from collections.abc import Sequence
from operator import methodcaller
from typing import Any

from ...codec.fields import FieldReader, Wire
from ...codec.turns import Turns
from ...model.base import Json
from ...model.messages import is_call
from .base import FAMILY, MessagesDump
from .blocks import dump_block, dump_call, dump_result, load_block
from .caching import dump_cache, mark_last
from .tool_changes import only_changes

_CLEARED = "clear_at"
"""The field of a system message that says when the model no longer sees its text."""
_clear_at = methodcaller("get", _CLEARED)


def load_messages(wires: Sequence[Wire]) -> list[dict[str, Any]]:
    """Load messages; text of the system that the model no longer sees, because a later user message clears it, is kept whole.

    (anthropic 2.14.0, `types/beta/beta_system_message_param.py`.)
    """
    messages = [load_message(wire) for wire in wires]
    if any(map(_clear_at, wires)):
        last_user = max((i for i, wire in enumerate(wires) if wire["role"] == "user"), default=0)
        for i, wire in enumerate(wires[:last_user]):
            if wire["role"] == "system" and wire.get(_CLEARED) == "next_user_message" and _is_text(wire.get("content")):
                messages[i] = {"role": "opaque", "format": FAMILY, "value": wire}
    return messages


def _is_text(content: Json) -> bool:
    return isinstance(content, str) or (isinstance(content, list) and all(block["type"] == "text" for block in content))


def left_out(value: Wire) -> str | None:
    """Why other providers do not get a message or part that is kept whole; None if its type says enough."""
    content: Json = value.get("content")
    if only_changes([value]) or only_changes(content):
        return "other providers are offered the same tools throughout the conversation"
    if value.get("role") == "system" and _CLEARED in value and _is_text(content):
        return "the model no longer sees this message, because a later user message clears it"
    return None


def load_message(wire: Wire) -> dict[str, Any]:
    """Load a message; of an unknown role, or of the system without content or with changes of tools alone, it is kept whole."""
    role = wire["role"]
    content: Json = wire.get("content")
    if role not in ("user", "assistant", "system") or content is None or (role == "system" and only_changes(content)):
        return {"role": "opaque", "format": FAMILY, "value": wire}
    out = {"role": role, "content": [load_block(block) for block in content] if type(content) is list else content}
    reader = FieldReader(wire, *out)
    if role == "system":
        reader.spelling["system"] = "message"
    return reader.keep(out, FAMILY)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: MessagesDump) -> None:
    """Write the name, cache mark and provider data of a message, or of the system text; a result's name is already reported."""
    is_result = out.get("type") == "tool_result"
    if message.name is not None and not is_result:
        d.drop(path + "/name", "Anthropic messages have no `name` field")
    key = "system" if "system" in out else "content"
    if message.cache_control is not None and is_result:
        dump_cache(message, out, path, at, d)
    elif message.cache_control is not None:
        mark_last(message, out, key, path, f"{at}/{key}", d)
    if key == "system":
        d.drop_fields(message, path)
    else:
        d.lay_provider_data(message, out, path)


def _text(text: str) -> Wire:
    return {"type": "text", "text": text}


def _respell(written: Wire, path: str, at: str, d: MessagesDump) -> None:
    """Return content as the list, or, if it is text alone, as the string that the profile requires."""
    content: Json = written["content"]
    if d.content == "list" and isinstance(content, str):
        d.places[f"{at}/content/0"] = path + "/content"
        written["content"] = [_text(content)]
    elif d.content == "string" and type(content) is list and all(part == _text(part.get("text", "")) for part in content):
        written["content"] = "\n".join(part["text"] for part in content)
        for i in range(len(content)):
            origin = d.places.pop(f"{at}/content/{i}")
            if len(content) > 1:
                d.report(
                    "changed",
                    origin,
                    at + "/content",
                    "content is written as a string, as requested: its texts are joined with line breaks",
                )
            elif origin != path + "/content":
                d.places[at + "/content"] = origin


def _end(parts: list[Wire], path: str, under: str, d: MessagesDump) -> None:
    """Leave out thinking at the end of another provider's answer, as Anthropic refuses it there."""
    if d.same_family or d.is_response:
        return
    while parts and parts[-1].get("type") in ("thinking", "redacted_thinking"):
        parts.pop()
        d.drop(d.places.pop(f"{under}{len(parts)}", path), "a message must not end with thinking: add a text after it")


def _calls_last(pieces: list[tuple[str, Any]], at: str, d: MessagesDump) -> list[tuple[str, Any]]:
    """Put the calls of another provider's answer behind its text, since their results must follow them directly.

    Evidence: "`tool_use` ids were found without `tool_result` blocks immediately after" for text between calls
    (BerriAI/litellm#22946), and refusals of what follows a call in its message (vercel/ai#16312, stacklok/mecatl#1481).
    """
    calls = [is_call(piece) for _, piece in pieces]
    if d.same_family or d.is_response or True not in calls:
        return pieces
    first = calls.index(True)
    for path, piece in pieces[first:]:
        if not is_call(piece):
            d.report("moved", path, at, "text must come before the tool calls of its message")
    return sorted(pieces, key=lambda piece: is_call(piece[1]))  # keeps the order otherwise


TURNS = Turns(
    part=dump_block,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=_text,
    later_system=True,
    blank=str.isspace,
    respell=_respell,
    end=_end,
    order=_calls_last,
    one_text=True,
    joins="results",
)
