"""Load and dump content blocks: each `dump_x` undoes its `load_x`.

The functions that write a part have one signature: the part, its pointer (`path`), the pointer of the block (`at`), the dump
with the rules for the part's message (`d`), and the role of that message. They return None, and report it, if the part has
no place there. If `d.exact` is true, the part is written as it was loaded; otherwise the rules of the API apply.

Blocks that are the same in canonical form are not rewritten. Otherwise, content in lists would cost 25 % more.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.carrying import is_unreadable, issuer_of, unreadable
from ...codec.failed import added_text
from ...codec.fields import FieldReader, Wire, copy_wire
from ...codec.hosted.references import write_reference
from ...codec.hosted.server_calls import ServerCall, foreign_call
from ...model.base import Json
from ...model.messages import ToolMessage
from ...model.parts import ToolCall, ToolResultPart, ToolUsePart, to_json
from . import media
from .base import FAMILY, FIELD_OF, LONGEST_NAME, REASONING, RELATIVE, MessagesDump, drop_response_only
from .caching import count_mark, dump_cache, load_cache
from .citable import dump_citable
from .citations import dump_citations, load_citations
from .web_answers import is_foreign_search

# Blocks

_SAME_FIELDS = {"text": ("text",), "tool_use": ("id", "name", "input")}
"""The required fields of blocks, by type, that are the same in canonical form."""
_LENGTHS = {kind: 1 + len(names) for kind, names in _SAME_FIELDS.items()}


def load_block(wire: Wire) -> dict[str, Any]:
    """Load a content block; one without a canonical form is kept whole."""
    kind = wire["type"]
    if len(wire) == _LENGTHS.get(kind):
        return wire  # true of most blocks
    loader = LOADERS.get(kind)
    reader = FieldReader(wire)
    out = None if loader is None else loader(reader)
    if out is None:
        return keep_whole(wire)
    reader.know("type")
    if kind not in REASONING:
        load_cache(reader, out)
    if kind == "text":
        load_citations(reader, out)
    return reader.keep(out, FAMILY)


def load_known(wire: Wire, types: Container[str]) -> dict[str, Any]:
    """Load a content block where only blocks of these types have a canonical form."""
    return load_block(wire) if wire["type"] in types else keep_whole(wire)


RESULT_TYPES = ("text", "image", "document")
"""The types of blocks in tool results that have a canonical form."""


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a block or tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}


def dump_block(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | list[Wire] | None:
    """Dump a content block for a message of `role`, or both of a server's call; None, with a report, if it has no place."""
    kind = part.type
    if not d.exact and role in _ALLOWED and kind not in _ALLOWED[role]:
        return d.refuse(path, f"Anthropic does not take {kind.replace('_', ' ')} parts in a message of role {role}")
    if kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    if kind == "opaque" and role == "assistant" and (called := foreign_call(part, d)) is not None:
        return _write_call(part, called, path, at, d)
    out = _WRITERS.get(kind, _drop_part)(part, path, at, d, role)
    if out is None:
        return None
    d.places[at] = path
    if not d.exact:
        d.drop_unplaced(part, path, *_PLACED.get(kind, ()))
    if part.cache_control is not None:
        if kind in REASONING and not d.exact:
            d.drop(path + "/cache_control", "thinking must not have a cache mark: put it on another block")
        else:
            dump_cache(part, out, path, at, d)
    if part.provider_data is not None:
        _lay_provider_data(part, out, path, d)
    return out


_PLACED = {"text": ("citations",), "thinking": ("signature",)}
"""The fields of a part, by its type, that Anthropic has a place for."""
_ALLOWED = {
    "system": frozenset({"text", "json", "opaque"}),
    "assistant": frozenset({*REASONING, "text", "json", "opaque", "tool_use", "tool_result", "refusal"}),
}
"""The types of parts that messages of a role may have; a role that is missing may have any."""


def _drop_part(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    return d.refuse(path, f"Anthropic does not take {part.type.replace('_', ' ')} parts in a message of role {role}")


def _write_call(part: Any, called: ServerCall, path: str, at: str, d: MessagesDump) -> list[Wire] | None:
    from .server_calls import write_call  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return write_call(called, part, path, at, d)


# Fields that responses have and requests must not have

_REQUEST_FIELDS = frozenset({"citations", "caller", "toolset_name"})
"""The fields without a canonical form that blocks of requests may have; the server refuses fields that it does not know."""


def _lay_provider_data(part: Any, out: Wire, path: str, d: MessagesDump) -> None:
    became_image = out.get("type") == "image" and part.type == "file"
    d.lay_provider_data(part, out, path, media.is_of_image if became_image else None)
    if d.from_response and "value" not in vars(part):
        keys = [key for key in part.provider_data.get(FAMILY, ()) if key not in _REQUEST_FIELDS]
        drop_response_only(out, keys, f"{path}/provider_data/{FAMILY}", d)


# Text, and what is kept whole


def _load_same(reader: FieldReader) -> dict[str, Any]:
    kind = reader.wire["type"]
    out: dict[str, Any] = {"type": kind}
    reader.move(out, *_SAME_FIELDS[kind])
    return out


def _dump_text(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if d.exact or (part.text and not part.text.isspace()):
        out: Wire = {"type": "text", "text": part.text}
        cited = None if part.citations is None else dump_citations(part, path, d)
        if cited or (d.exact and "citations" in part):
            out["citations"] = cited
        return out
    beside = (part.citations, part.signature, part.cache_control, part.provider_data)
    if part.text or beside != (None, None, None, None) or role != "assistant":
        d.drop(path, "Anthropic refuses empty text: it is left out")
    return None


def _dump_refusal(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if role != "assistant":
        return _drop_part(part, path, at, d, role)
    if not part.refusal.strip():
        return d.refuse(path, "Anthropic refuses empty text: it is left out")
    d.report("changed", path, at, "Anthropic has no refusals: the refusal becomes text")
    return {"type": "text", "text": part.refusal}


def _dump_opaque(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if part.format == RELATIVE:
        return dump_citable(part, path, at, d, role)
    if role == "tool" and (reference := write_reference(part, path, at, d, LONGEST_NAME)) is not None:
        return reference
    out = d.own_value(part, path, "part")
    if out is None:
        return None
    if not (d.exact or d.is_response) and is_foreign_search(out):
        return d.refuse(path, "only the provider that ran this web search can read its results: the search is left out")
    if d.profile.only_inline and not (d.exact or d.is_response):
        kind: Json = out.get("type")
        if type(kind) is str and FIELD_OF.get(kind) in d.profile.refused_fields:
            return d.refuse(path, d.no_place_for(part, "part"))
        if kind == "document" and not media.keep_inline(out, path, d):
            return None
    if part.cache_control is not None and out.pop("cache_control", None) is not None:
        d.drop(path + "/value/cache_control", "the part has another cache mark, which is sent")
    count_mark(out, path, at, d)
    if d.from_response:
        drop_response_only(out, d.target.response_only, path + "/value", d)
        drop_response_only(out.get("content"), d.target.response_only, path + "/value/content", d)
    return out


# Reasoning


def _load_thinking(reader: FieldReader) -> dict[str, Any]:
    out = {"type": "thinking", "thinking": reader.take("thinking")}
    signature = reader.take("signature")
    return out if signature is None else out | {"signature": signature, "issuer": issuer_of(signature, FAMILY)}


def _load_redacted(reader: FieldReader) -> dict[str, Any]:
    data = reader.take("data")
    return {"type": "redacted_thinking", "data": data, "issuer": issuer_of(data, FAMILY)}


def _dump_thinking(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    unsigned = (d.profile.unsigned_thinking or d.is_response) and part.type == "thinking" and part.thinking
    if is_unreadable(part, d) and not unsigned:
        return d.refuse(path, unreadable(part))
    if part.type == "redacted_thinking":
        return {"type": "redacted_thinking", "data": part.data}
    if not (part.signature or d.exact or unsigned):
        return d.refuse(
            path, "thinking must have a signature; to send it without, use `AnthropicProfile(unsigned_thinking=True)`"
        )
    if part.summary is not None:
        d.report("changed", path, at, "Anthropic does not mark thinking as a summary")
    out = {"type": "thinking", "thinking": part.thinking}
    signature = d.sent_signature(part, path)
    needs_signature = d.is_response and not (d.exact or d.profile.unsigned_thinking)
    if signature is None and needs_signature:
        if not d.may_be_signed:
            d.report("changed", path, at, EMPTY_SIGNATURE)
        signature = ""
    return out if signature is None else out | {"signature": signature}


EMPTY_SIGNATURE = "thinking must have a signature: sent with an empty one, which Anthropic does not take back in a request"


# Tool calls


def dump_call(call: ToolCall | ToolUsePart, arguments: Any, path: str, at: str, d: MessagesDump) -> Wire:
    """Dump a tool call; `arguments` is its input, or its argument text."""
    d.places[at] = path
    if d.exact:
        out: Wire = {"type": "tool_use", "name": call.name, "input": copy_wire(arguments)}
    else:
        if d.reads_input or call.custom:
            arguments = fit_arguments(call, arguments, path, at + "/input", d)
        elif type(arguments) is not str:
            arguments = to_json(arguments)
        out = {"type": "tool_use", "name": d.tool_name(d.full_name(call, path), path, LONGEST_NAME), "input": arguments}
        if call.signature is not None:
            d.drop_unplaced(call, path)
    if (id := d.call_id(call, path, at)) is not None:
        out["id"] = id
    if call.cache_control is not None:
        dump_cache(call, out, path, at, d)
    if call.provider_data is not None:
        _lay_provider_data(call, out, path, d)
        if id is not None and type(toolset := out.get("toolset_name")) is str:
            d.toolsets[id] = toolset
    return out


# Tool results


def _load_tool_result(reader: FieldReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "tool_result"}
    reader.move(out, "tool_use_id", "is_error")
    reader.know("content")
    if "content" in reader.wire:
        content: Json = reader.wire["content"]
        out["content"] = [load_known(block, RESULT_TYPES) for block in content] if type(content) is list else content
    return out


def dump_result(owner: ToolMessage | ToolResultPart, path: str, at: str, d: MessagesDump) -> Wire:
    """Dump a tool result from a tool message or from a part."""
    id, named = d.result_id(owner, path, at)
    out: Wire = {"type": "tool_result"} if id is None else {"type": "tool_result", "tool_use_id": id}
    if owner.content and type(owner.content) is str:
        out["content"] = owner.content
    else:
        _dump_other_content(owner, out, path, at, d)
    if owner.is_error is not None:
        out["is_error"] = owner.is_error
    if owner.is_error and "content" not in out and not d.exact:
        out["content"] = added_text(path, at + "/content", d)
    if owner.name is not None and not named:
        d.drop(path + "/name", "Anthropic's tool results have no `name` field")
    if id in d.toolsets and not d.exact and owner.provider_data is None:
        out["toolset_name"] = d.toolsets[id]
    return out


def _dump_other_content(owner: Any, out: Wire, path: str, at: str, d: MessagesDump) -> None:
    """Dump the content of a result that is empty or consists of parts."""
    content: tuple[Any, ...] | str | None = owner.content
    if not isinstance(content, tuple):
        if d.exact and "content" in owner:
            out["content"] = content
        return
    blocks: list[Wire] = []
    for i, part in enumerate(content):
        where = f"{path}/content/{i}"
        if owner.is_error and not d.exact and _holds_media(part):
            d.drop(where, "a tool result with `is_error: true` must have only text")
        elif (block := dump_block(part, where, f"{at}/content/{len(blocks)}", d, "tool")) is not None:
            blocks += block if isinstance(block, list) else [block]
    if blocks or d.exact:
        out["content"] = blocks


def _holds_media(part: Any) -> bool:
    if part.type == "opaque":
        return part.value.get("type") in ("search_result", "document") or part.format == RELATIVE
    return part.type not in ("text", "json")


def _dump_result_part(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire:
    return dump_result(part, path, at, d)


# The tables

LOADERS: dict[str, Callable[[FieldReader], dict[str, Any] | None]] = {
    "text": _load_same,
    "tool_use": _load_same,
    "image": media.load_media,
    "document": media.load_media,
    "thinking": _load_thinking,
    "redacted_thinking": _load_redacted,
    "tool_result": _load_tool_result,
}
"""The loader of each block type of the wire."""

_WRITERS: dict[str, Callable[[Any, str, str, MessagesDump, str], Wire | None]] = {
    "text": _dump_text,
    "json": lambda part, _path, _at, _d, _role: {"type": "text", "text": to_json(part.value)},
    "refusal": _dump_refusal,
    "opaque": _dump_opaque,
    "image": media.dump_media,
    "file": media.dump_media,
    "image_url": media.dump_media,
    "thinking": _dump_thinking,
    "redacted_thinking": _dump_thinking,
    "tool_result": _dump_result_part,
}
"""The function that dumps each canonical type of part; Anthropic has no place for any other type."""
