"""The maps of content blocks: each `load_x` with the `dump_x` that undoes it.

The functions that write a part have one signature: the part, its pointer (`path`), the pointer of the block (`at`), the dump
with the rules for the part's message (`d`), and the role of that message. They return None and report it for a part that has
no place there. `d.exact` means that the part is written as it was loaded; the rules of the API are for all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.fields import Content, FieldReader, Wire, copy_wire, spelling
from ...model.base import Json
from ...model.parts import to_json
from .base import FAMILY, LONGEST_NAME, ConverseDump, keep_whole, own_data
from .caching import cache_point
from .citations import dump_cited, load_cited
from .media import dump_image_url, dump_input_audio, dump_media, load_media

UNKNOWN = "SDK_UNKNOWN_MEMBER"
"""What botocore makes of a member of a union that it does not know: its name, without its content."""


def load_block(wire: Wire) -> dict[str, Any]:
    """A content block; one without canonical meaning is kept whole."""
    if len(wire) != 1:
        return keep_whole(wire)
    held: Json
    ((key, held),) = wire.items()
    if key == "text":
        return {"type": "text", "text": held}
    loader = LOADERS.get(key)
    if loader is None or type(held) is not dict:
        return keep_whole(wire)
    reader, block = FieldReader(wire), FieldReader(held)
    out = loader(key, block, reader)
    if out is None:
        return keep_whole(wire)
    reader.left(key, block.rest)
    return reader.keep(out, FAMILY)


def dump_block(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | list[Wire] | None:
    """A content block for a message of `role`, with its cache point; None, and reported, if it has no place there."""
    kind = part.type
    if not d.exact and kind not in _ALLOWED[role]:
        d.drop(path, f"{kind} parts have no place in a message of role {role}")
        return None
    if kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    if kind == "tool_result":
        return dump_result(part, path, at, d)
    out = _WRITERS[kind](part, path, at, d, role)
    if out is None:
        return None
    d.drop_unplaced(part, path, *(("signature",) if kind in ("thinking", "redacted_thinking") else ("citations", "media_type")))
    return _with_fields(part, out, path, at, d)


_MEDIA = frozenset({"image", "file", "video", "audio", "image_url", "input_audio"})
_ALLOWED = {
    "system": frozenset({"text", "opaque"}),
    "user": _MEDIA | {"text", "opaque", "tool_result"},
    "assistant": frozenset({"text", "refusal", "thinking", "redacted_thinking", "opaque", "tool_use"}),
    "tool": (_MEDIA - {"audio", "input_audio"}) | {"text", "json", "opaque"},
}
"""The types of parts that have a place in messages of a role, and in results."""
_ALLOWED["developer"] = _ALLOWED["system"]


def _with_fields(owner: Any, out: Wire, path: str, at: str, d: ConverseDump) -> Wire | list[Wire]:
    """What was written for an owner, with its provider data and its cache point."""
    d.places[at] = path
    if owner.provider_data is not None:
        d.lay_provider_data(owner, out, path)
    return out if owner.cache_control is None else [out, cache_point(owner, path, d)]


# Text, and what is kept whole


def _load_guarded(key: str, block: FieldReader, reader: FieldReader) -> dict[str, Any] | None:
    """A text that the guardrail looks at; what it is to the guardrail stays provider data."""
    held = FieldReader(block.take("text", dict) or {})
    if (text := held.take("text", str)) is None:
        return None
    return {"type": "text", "text": text, "provider_data": {FAMILY: {key: {"text": held.rest, **block.rest}}}}


def _load_cited(key: str, block: FieldReader, reader: FieldReader) -> dict[str, Any] | None:
    return load_cited(block, reader)


def _dump_text(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if not d.exact and not part.text.strip():
        if (
            part.text
            or part.cache_control is not None
            or part.provider_data is not None
            or part.citations
            or role != "assistant"
        ):
            d.drop(path, "blank text is refused")
        return None
    own = own_data(part) if d.same_family else {}
    guard: Json = own.get("guardContent")
    guarded: Json = guard.get("text") if type(guard) is dict else None
    if type(guard) is dict and type(guarded) is dict:
        return {"guardContent": copy_wire(guard) | {"text": copy_wire(guarded) | {"text": part.text}}}
    cited = dump_cited(part, path, d, role)
    return {"text": part.text} if cited is None else {"citationsContent": cited}


def _dump_refusal(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if not part.refusal.strip():
        d.drop(path, "blank text is refused")
        return None
    d.report("changed", path, at, "a refusal becomes text")
    return {"text": part.refusal}


def _dump_json(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    # The server accepts objects alone.
    value: Json = part.value
    return {"json": copy_wire(value)} if d.exact or type(value) is dict else {"text": to_json(value)}


def _dump_opaque(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if part.format != FAMILY:
        d.drop(path, d.no_place("a part of this type", part.format))
        return None
    if d.from_response and UNKNOWN in part.value:
        d.report("response_only", path, None, "only its name is known")
        return None
    out: Wire = copy_wire(part.value)
    return out


# Reasoning


def _load_reasoning(key: str, block: FieldReader, reader: FieldReader) -> dict[str, Any] | None:
    if (data := block.take("redactedContent", str)) is not None:
        return {"type": "redacted_thinking", "data": data, "issuer": FAMILY}
    held = FieldReader(block.take("reasoningText", dict) or {})
    if (text := held.take("text", str)) is None:
        return None
    signature = held.take("signature", str)
    reader.partial[f"{key}/reasoningText"] = held.rest
    out = {"type": "thinking", "thinking": text}
    return out if signature is None else out | {"signature": signature, "issuer": FAMILY}


def _dump_thinking(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if d.is_foreign(part.issuer):
        d.drop(path, f"only {part.issuer} can verify or read it")
        return None
    if part.type == "redacted_thinking":
        return {"reasoningContent": {"redactedContent": part.data}}
    if not (part.signature or part.thinking or d.exact):
        d.drop(path, "empty text is refused")
        return None
    if part.summary is not None:
        d.report("changed", path, at, "thinking is not marked as a summary here")
    signed = {} if part.signature is None else {"signature": part.signature}
    return {"reasoningContent": {"reasoningText": {"text": part.thinking, **signed}}}


# Tool calls


def _load_call(key: str, block: FieldReader, reader: FieldReader) -> dict[str, Any] | None:
    given, kind = block.wire.get("input"), block.take("type")
    if kind not in (None, "tool_use") or type(given) not in (dict, str):
        return None  # of a tool that the server runs
    if kind is not None:
        reader.spelling["type"] = kind
    out: dict[str, Any] = {"type": "tool_use"}
    block.move(out, "name", "input", toolUseId="id")
    return out


def dump_call(call: Any, arguments: Any, path: str, at: str, d: ConverseDump) -> Wire | list[Wire]:
    """A tool call; `arguments` is its input or its argument text."""
    if d.exact:
        held = {"toolUseId": d.call_id(call, path, at), "name": call.name, "input": copy_wire(arguments)}
        if (kind := spelling(call, "type")) is not None:
            held["type"] = kind
    else:
        d.drop_unplaced(call, path)
        id = d.call_id(call, path, at)
        value = fit_arguments(call, arguments, path, at + "/toolUse/input", d)
        held = {"toolUseId": id, "name": d.tool_name(call.name, path, LONGEST_NAME), "input": value}
    return _with_fields(call, {"toolUse": held}, path, at, d)


# Tool results


def _load_result(key: str, block: FieldReader, reader: FieldReader) -> dict[str, Any] | None:
    if block.wire.get("type") is not None:
        return None  # of a tool that the server ran
    out: dict[str, Any] = {"type": "tool_result"}
    block.move(out, toolUseId="tool_use_id")
    out["content"] = [_load_result_block(wire) for wire in block.take("content")]
    if block.wire.get("status") in ("success", "error"):
        out["is_error"] = block.take("status") == "error"
    return out


RESULT_KEYS = frozenset({"text", "json", "image", "document", "video"})
"""The blocks in tool results that have canonical meaning."""


def _load_result_block(wire: Wire) -> dict[str, Any]:
    if wire.keys() == {"json"}:
        return {"type": "json", "value": wire["json"]}
    return load_block(wire) if RESULT_KEYS.issuperset(wire) else keep_whole(wire)


def dump_result(owner: Any, path: str, at: str, d: ConverseDump) -> Wire | list[Wire]:
    """A tool's result, of a message or of a part."""
    id, named = d.result_id(owner, path, at)
    held: Wire = {"toolUseId": id, "content": _dump_result_content(owner.content, path, at, d)}
    if owner.is_error is not None:
        held["status"] = "error" if owner.is_error else "success"
    if owner.name is not None and not named:
        d.drop(path + "/name", "results have no name here")
    return _with_fields(owner, {"toolResult": held}, path, at, d)


def _dump_result_content(content: Content, path: str, at: str, d: ConverseDump) -> list[Wire]:
    if isinstance(content, str):
        if content.strip():
            return [{"text": content}]
        if content:
            d.drop(path + "/content", "blank text is refused")
    blocks: list[Wire] = []
    for i, part in enumerate(content if isinstance(content, tuple) else ()):
        where = f"{path}/content/{i}"
        written = dump_block(part, where, f"{at}/toolResult/content/{len(blocks)}", d, "tool")
        if isinstance(written, list):
            d.drop(where + "/cache_control", "there are no marks in results")
            written = written[0]
        if written is not None:
            blocks.append(written)
    return blocks


# The tables

LOADERS: dict[str, Callable[[str, FieldReader, FieldReader], dict[str, Any] | None]] = {
    "image": load_media,
    "document": load_media,
    "video": load_media,
    "audio": load_media,
    "toolUse": _load_call,
    "toolResult": _load_result,
    "reasoningContent": _load_reasoning,
    "citationsContent": _load_cited,
    "guardContent": _load_guarded,
}
"""The function that reads a block, for each key of the wire."""

_WRITERS: dict[str, Callable[[Any, str, str, ConverseDump, str], Wire | None]] = {
    "text": _dump_text,
    "refusal": _dump_refusal,
    "json": _dump_json,
    "opaque": _dump_opaque,
    "thinking": _dump_thinking,
    "redacted_thinking": _dump_thinking,
    "image_url": dump_image_url,
    "input_audio": dump_input_audio,
    **dict.fromkeys(("image", "file", "video", "audio"), dump_media),
}
"""The function that writes a part, for each canonical type."""
