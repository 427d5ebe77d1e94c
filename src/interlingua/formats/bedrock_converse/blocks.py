"""Load and dump content blocks: each `dump_x` undoes its `load_x`.

The functions that write a part have one signature: the part, its pointer (`path`), the pointer of the block (`at`), the dump
with the rules for the part's message (`d`), and the role of that message. They return None, and report it, if the part has
no place there. If `d.exact` is true, the part is written as it was loaded; otherwise the rules of the API apply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.carrying import is_unreadable, issuer_of, unreadable
from ...codec.failed import added_text
from ...codec.fields import Content, FieldReader, Wire, copy_wire, spelling, value_at
from ...codec.readable import send_as_media, send_as_text
from ...model.base import Json
from ...model.parts import to_json
from .base import FAMILY, LONGEST_NAME, RELATIVE, ConverseDump, keep_whole, one_field, own_data
from .blobs import NOT_BASE64, is_base64
from .caching import NOT_AFTER_REASONING, cache_point, is_marked_text, load_marked_text
from .citable import dump_citable
from .citations import dump_cited, load_cited, put_behind
from .media import dump_media, load_media

UNKNOWN = "SDK_UNKNOWN_MEMBER"
"""The key that botocore gives to a member of a union that it does not know; it keeps the name, and not the content."""
_BLANK = "Converse refuses blank text: it is left out"


def load_block(wire: Wire) -> dict[str, Any]:
    """Load a content block; one without a canonical form is kept whole."""
    if "text" in wire and (len(wire) == 1 or _is_text(wire)):
        return {"type": "text", "text": wire["text"]} if len(wire) == 1 else _load_text(wire)
    if "text" in wire and is_marked_text(wire):
        return load_marked_text(wire)
    key, content = one_field(wire)
    if key not in LOADERS or type(content) is not dict:
        return keep_whole(wire)
    reader = FieldReader(wire)
    out = LOADERS[key](key, reader.inside(key))
    if out is None:
        return keep_whole(wire)
    return out if "provider_data" in out else reader.keep(out, FAMILY)


def dump_block(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | list[Wire] | None:
    """Dump a content block for a message of `role`, with its cache point; None, with a report, if it has no place there."""
    kind = part.type
    if not d.exact and kind not in _ALLOWED[role]:
        return d.refuse(path, f"Converse does not take {kind.replace('_', ' ')} parts in a message of role {role}")
    if kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    if kind == "tool_result":
        return dump_result(part, path, at, d)
    if kind == "opaque" and part.format == RELATIVE and (cited := dump_citable(part, path, at, d, role)) is not None:
        return cited
    out = _WRITERS.get(kind, dump_media)(part, path, at, d, role)
    if out is None:
        return None
    d.drop_unplaced(part, path, *(("signature",) if kind in ("thinking", "redacted_thinking") else ("citations", "media_type")))
    written = _with_fields(part, out, path, at, d)
    # A tool's result has no such blocks.
    return put_behind(part, written, d) if kind == "text" and "citationsContent" in out and role != "tool" else written


_MEDIA = frozenset({"image", "file", "video", "audio", "image_url", "input_audio"})
_ALLOWED = {
    "system": frozenset({"text", "opaque"}),
    "developer": frozenset({"text", "opaque"}),
    "user": _MEDIA | {"text", "opaque", "tool_result"},
    "assistant": frozenset({"text", "refusal", "thinking", "redacted_thinking", "opaque", "tool_use"}),
    "tool": (_MEDIA - {"audio", "input_audio"}) | {"text", "json", "opaque"},
}
"""The types of parts that messages of a role, and tool results, may have."""


def _with_fields(owner: Any, out: Wire, path: str, at: str, d: ConverseDump) -> Wire | list[Wire]:
    """Return the written blocks of a part or result with its provider data and its cache point."""
    d.places[at] = path
    if owner.provider_data is not None:
        d.lay_provider_data(owner, out, path)
    if owner.cache_control is None:
        return out
    if "reasoningContent" in out and not d.exact:
        d.drop(path + "/cache_control", NOT_AFTER_REASONING)
        return out
    if d.exact and spelling(owner, "cache_control") == "inside" and "text" in out:
        return out | cache_point(owner, path, d)
    return [out, cache_point(owner, path, d)]


# Text, and what is kept whole


def _is_text(wire: Wire) -> bool:
    """Whether a block with several fields is text with additional data."""
    return type(wire["text"]) is str and wire.keys().isdisjoint((*LOADERS, "json", "cachePoint"))


def _load_text(wire: Wire) -> dict[str, Any]:
    return FieldReader(wire, "text").keep({"type": "text", "text": wire["text"]}, FAMILY)


def _load_guarded(key: str, block: FieldReader) -> dict[str, Any] | None:
    """Load a text that the guardrail checks; the guardrail's own fields stay in provider data."""
    guarded = FieldReader(block.take("text", dict) or {})
    if (text := guarded.take("text", str)) is None:
        return None
    return {"type": "text", "text": text, "provider_data": {FAMILY: {key: {"text": guarded.rest, **block.rest}}}}


def _dump_text(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if not d.exact and not part.text.strip():
        beside = (part.signature, part.cache_control, part.provider_data)
        has_more = part.text or part.citations or beside != (None, None, None)
        if has_more or role != "assistant":
            d.drop(path, _BLANK)
        return None
    guard: Json = own_data(part).get("guardContent") if d.same_family else None
    if type(guard) is dict and type(guard.get("text")) is dict:
        return {"guardContent": copy_wire(guard) | {"text": copy_wire(guard["text"]) | {"text": part.text}}}
    cited = dump_cited(part, path, d, role)
    return {"text": part.text} if cited is None else {"citationsContent": cited}


def _dump_refusal(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if not part.refusal.strip():
        return d.refuse(path, _BLANK)
    d.report("changed", path, at, "Converse has no refusals: the refusal becomes text")
    return {"text": part.refusal}


def _dump_json(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire:
    # The server accepts only objects.
    value: Json = part.value
    return {"json": copy_wire(value)} if d.exact or type(value) is dict else {"text": to_json(value)}


def _dump_opaque(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if d.from_response and part.format == FAMILY and UNKNOWN in part.value:
        d.report("response_only", path, None, "botocore does not know this block, and gives only its name")
        return None
    if (text := send_as_text(part, path, at, d)) is not None:
        return {"text": text}
    media = send_as_media(part, path, at, d, *(_ALLOWED[role] & _MEDIA))
    return d.own_value(part, path, "part") if media is None else dump_media(media, path, at, d, role)


# Reasoning

_UNSIGNED = "reasoning must have a signature; to send it without, use `ConverseProfile(unsigned_thinking=True)`"


def _load_reasoning(key: str, block: FieldReader) -> dict[str, Any] | None:
    if (data := block.take("redactedContent", str)) is not None:
        return {"type": "redacted_thinking", "data": data, "issuer": issuer_of(data, FAMILY)}
    out: dict[str, Any] = {"type": "thinking"}
    block.inside("reasoningText").move_typed(out, str, "signature", text="thinking")
    if "thinking" not in out:
        if "signature" not in out or value_at(block.wire, ("reasoningText", "text")) is not None:
            return None
        out["thinking"] = ""  # as in a stream, if the model keeps its reasoning to itself
        block.spelling["text"] = "absent"
    return out | {"issuer": issuer_of(out["signature"], FAMILY)} if "signature" in out else out


def _dump_thinking(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    if is_unreadable(part, d) and (part.type == "redacted_thinking" or not part.thinking):
        return d.refuse(path, unreadable(part))
    if part.type == "redacted_thinking":
        if d.profile.sdk and not is_base64(part.data):
            return d.refuse(path, NOT_BASE64)
        return {"reasoningContent": {"redactedContent": part.data}}
    if not (part.signature or part.thinking or d.exact):
        return d.refuse(path, "Converse refuses empty reasoning: it is left out")
    is_signed = part.signature and not is_unreadable(part, d)
    may_be_unsigned = d.is_response or d.same_family or d.profile.unsigned_thinking
    if not is_signed and not may_be_unsigned:
        return d.refuse(path, _UNSIGNED)
    if part.summary is not None:
        d.report("changed", path, at, "Converse does not mark reasoning as a summary")
    signature = d.sent_signature(part, path)
    signed = {"signature": signature} if signature or (signature == "" and d.exact) else {}
    return {"reasoningContent": {"reasoningText": {**_reasoning_text(part, d), **signed}}}


def _reasoning_text(part: Any, d: ConverseDump) -> Wire:
    is_absent = d.exact and not part.thinking and spelling(part, "text") == "absent"
    return {} if is_absent else {"text": part.thinking}


# Tool calls


def _load_call(key: str, block: FieldReader) -> dict[str, Any] | None:
    given = block.wire.get("input")
    kind = block.take("type")
    if kind not in (None, "tool_use") or type(given) not in (dict, str):
        return None  # a call of a tool that the server runs
    if kind is not None:
        block.spelling["type"] = kind
    out: dict[str, Any] = {"type": "tool_use"}
    block.move(out, "name", "input", toolUseId="id")
    return out


def dump_call(call: Any, arguments: Any, path: str, at: str, d: ConverseDump) -> Wire | list[Wire]:
    """Dump a tool call; `arguments` is its input, or its argument text."""
    use: Wire = {"toolUseId": d.call_id(call, path, at), "name": call.name, "input": arguments}
    if d.exact:
        use["input"] = copy_wire(arguments)
        if (kind := spelling(call, "type")) is not None:
            use["type"] = kind
    else:
        d.drop_unplaced(call, path)
        use["input"] = fit_arguments(call, arguments, path, at + "/toolUse/input", d)
        use["name"] = d.tool_name(d.full_name(call, path), path, LONGEST_NAME)
    return _with_fields(call, {"toolUse": use}, path, at, d)


# Tool results


def _load_result(key: str, block: FieldReader) -> dict[str, Any] | None:
    if block.wire.get("type") is not None:
        return None  # a result of a tool that the server ran
    out: dict[str, Any] = {"type": "tool_result"}
    block.move(out, toolUseId="tool_use_id")
    out["content"] = [_load_result_block(wire) for wire in block.take("content")]
    if block.wire.get("status") in ("success", "error"):
        out["is_error"] = block.take("status") == "error"
    return out


RESULT_KEYS = frozenset({"text", "json", "image", "document", "video"})
"""The blocks in tool results that have a canonical form."""


def _load_result_block(wire: Wire) -> dict[str, Any]:
    if wire.keys() == {"json"}:
        return {"type": "json", "value": wire["json"]}
    return keep_whole(wire) if RESULT_KEYS.isdisjoint(wire) else load_block(wire)


def dump_result(owner: Any, path: str, at: str, d: ConverseDump) -> Wire | list[Wire]:
    """Dump a tool result from a tool message or from a part."""
    id, named = d.result_id(owner, path, at)
    content, mark = _dump_result_content(owner.content, path, at, d)
    result: Wire = {"toolUseId": id, "content": content}
    if owner.is_error is not None:
        result["status"] = "error" if owner.is_error else "success"
    if owner.is_error and not content and not d.exact:
        content.append({"text": added_text(path, f"{at}/toolResult/content/0", d)})
    if owner.name is not None and not named:
        d.drop(path + "/name", "Converse's tool results have no `name` field")
    written = _with_fields(owner, {"toolResult": result}, path, at, d)
    return written if mark is None else _mark_result(written, *mark, path, at, d)


def _mark_result(written: Wire | list[Wire], marked: str, point: Wire, path: str, at: str, d: ConverseDump) -> list[Wire]:
    """Write the cache mark of a part after the result that holds the part, unless the result itself has a mark."""
    if isinstance(written, list):
        d.drop(marked, "Converse has no cache points in tool results, and the result has one already")
        return written
    place, _, index = at.rpartition("/")
    d.report(
        "moved",
        marked,
        f"{place}/{int(index) + 1}",
        "Converse has no cache points in tool results: the point follows the result",
    )
    return [written, point]


def _dump_result_content(content: Content, path: str, at: str, d: ConverseDump) -> tuple[list[Wire], tuple[str, Wire] | None]:
    """The blocks in a result, and the last mark among them, with its pointer."""
    if isinstance(content, str):
        if content and not content.strip():
            d.drop(path + "/content", _BLANK)
        return [{"text": content}] if content.strip() else [], None
    blocks: list[Wire] = []
    mark: tuple[str, Wire] | None = None
    for i, part in enumerate(content or ()):
        where = f"{path}/content/{i}"
        written = dump_block(part, where, f"{at}/toolResult/content/{len(blocks)}", d, "tool")
        if isinstance(written, list):
            if mark is not None:
                d.drop(mark[0], "Converse has no cache points in tool results, and only the last mark can follow the result")
            written, point = written
            mark = where + "/cache_control", point
        if written is not None:
            blocks.append(written)
    return blocks, mark


# The tables

LOADERS: dict[str, Callable[[str, FieldReader], dict[str, Any] | None]] = {
    **dict.fromkeys(("image", "document", "video", "audio"), load_media),
    "toolUse": _load_call,
    "toolResult": _load_result,
    "reasoningContent": _load_reasoning,
    "citationsContent": load_cited,
    "guardContent": _load_guarded,
}
"""The loader of a block, by the key of the wire; `text` has its own."""

_WRITERS: dict[str, Callable[[Any, str, str, ConverseDump, str], Wire | None]] = {
    "text": _dump_text,
    "refusal": _dump_refusal,
    "json": _dump_json,
    "opaque": _dump_opaque,
    "thinking": _dump_thinking,
    "redacted_thinking": _dump_thinking,
}
"""The function that dumps each canonical type of part other than media."""
