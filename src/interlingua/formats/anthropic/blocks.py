"""The maps of content blocks: each `load_x` with the `dump_x` that undoes it.

The functions that write a part have one signature: the part, its pointer (`path`), the pointer of the block (`at`), the dump
with the rules for the part's message (`d`), and the role of that message. They return None for a part that has no place there,
and report it. `d.exact` means that the part is written as it was loaded; the rules of the API are for all others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic_core import from_json

from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...codec.media import decode_text, invented_filename, media_in, media_type_of, usual_type
from ...errors import escape
from ...model.base import Json
from ...model.messages import OpaquePart, ToolCall, ToolMessage, ToolResultPart, ToolUsePart
from .base import FAMILY, IMAGE_TYPES, LONGEST_NAME, REASONING, TEXT_TYPES, MessagesDump, refuse_field, rest_of
from .caching import dump_cache, load_cache

# Blocks

_SAME_FIELDS = {"text": ("text",), "tool_use": ("id", "name", "input")}
"""The fields of blocks that are the same in canonical form."""
_SAME_LENGTH = {kind: 1 + len(names) for kind, names in _SAME_FIELDS.items()}


def load_block(wire: Wire) -> dict[str, Any]:
    """A content block; one without canonical meaning is kept whole."""
    kind = wire["type"]
    if len(wire) == _SAME_LENGTH.get(kind):
        return wire
    loader = LOADERS.get(kind)
    reader = FieldReader(wire)
    out = None if loader is None else loader(reader)
    if out is None:
        return keep_whole(wire)
    reader.known.add("type")
    if kind not in REASONING:
        load_cache(reader, out)
    return reader.keep(out, FAMILY)


def keep_whole(wire: Wire) -> dict[str, Any]:
    """A block or tool that has no canonical form."""
    return {"type": "opaque", "format": FAMILY, "value": wire}


def dump_block(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    """A content block for a message of `role`; None, and reported, if it has no place there."""
    kind = part.type
    if kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    allowed = _ALLOWED.get(role)
    if allowed is not None and kind not in allowed and not d.exact:
        d.drop(path, f"{kind} parts have no place in a message of role {role}")
        return None
    out = _WRITERS.get(kind, _drop_part)(part, path, at, d, role)
    if out is None:
        return None
    d.places[at] = path
    if part.cache_control is not None:
        if kind in REASONING and not d.exact:
            d.drop(path + "/cache_control", "thinking holds no cache mark")
        else:
            dump_cache(part, out, path, at, d)
    if part.provider_data is not None:
        _lay_provider_data(part, out, path, d)
    return out


_ANYWHERE = REASONING | {"text", "opaque", "tool_use", "tool_result"}
_ALLOWED = {"system": _ANYWHERE, "assistant": _ANYWHERE | {"refusal"}}
"""The types of parts that have a place in messages of a role, where not all have."""


def _drop_part(part: Any, path: str, at: str, d: MessagesDump, role: str) -> None:
    d.drop(path, f"{part.type.replace('_', ' ')} is not taken")


# What responses have and requests may not

_REQUEST_FIELDS = frozenset({"citations", "caller", "toolset_name"})
"""The fields without canonical form that blocks of requests may have; the server refuses fields that it does not know."""


def _lay_provider_data(part: Any, out: Wire, path: str, d: MessagesDump) -> None:
    d.lay_provider_data(part, out, path)
    if not d.from_response or isinstance(part, OpaquePart):
        return
    path = f"{path}/provider_data/{FAMILY}"
    keys = [key for key in part.provider_data.get(FAMILY, ()) if key not in _REQUEST_FIELDS]
    _drop_response_only(out, keys, path, d)
    citations: Json = out.get("citations")
    for i, citation in enumerate(citations if type(citations) is list else ()):
        _drop_response_only(citation, ("file_id",), f"{path}/citations/{i}", d)


def _drop_response_only(holder: Json, keys: Iterable[str], path: str, d: MessagesDump) -> None:
    if type(holder) is dict:
        for key in keys:
            if key in holder:
                del holder[key]
                d.report("response_only", f"{path}/{escape(key)}", None, "requests have no such field")


# Text, and what is kept whole


def _load_same(reader: FieldReader) -> dict[str, Any]:
    kind = reader.wire["type"]
    out: dict[str, Any] = {"type": kind}
    reader.move(out, *_SAME_FIELDS[kind])
    return out


def _dump_text(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if d.exact or part.text.strip():
        return {"type": "text", "text": part.text}
    if part.text or part.cache_control is not None or part.provider_data is not None or role != "assistant":
        d.drop(path, "empty text is refused")
    return None


def _dump_refusal(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if role != "assistant":
        _drop_part(part, path, at, d, role)
    elif d.exact or part.refusal.strip():
        d.report("changed", path, at, "a refusal becomes text")
        return {"type": "text", "text": part.refusal}
    else:
        d.drop(path, "empty text is refused")
    return None


def _dump_opaque(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if part.format != FAMILY:
        d.drop(path, f"only {part.format} knows parts of this type")
        return None
    out: Wire = copy_wire(part.value)
    if part.cache_control is not None and out.pop("cache_control", None) is not None:
        d.drop(path + "/value/cache_control", "the part has another cache mark")
    if d.from_response:
        _drop_response_only(out, d.response_only, path + "/value", d)
        _drop_response_only(out.get("content"), d.response_only, path + "/value/content", d)
    return out


# Media


def _load_media(reader: FieldReader) -> dict[str, Any] | None:
    kind, source = reader.wire["type"], FieldReader(reader.wire["source"])
    if source.wire["type"] not in SOURCES[kind]:
        return None
    out: dict[str, Any] = {"type": "image" if kind == "image" else "file", "source": _load_source(source)}
    reader.left("source", rest_of(source))
    if kind == "document":
        reader.rename(out, {"title": "filename"})
    return out


SOURCES = {"image": ("base64", "url", "file"), "document": ("base64", "url", "file", "text")}
"""The types of sources with canonical meaning."""


def _load_source(source: FieldReader) -> dict[str, Any]:
    kind = source.take("type")
    if kind == "file":
        return {"type": "file_id", "file_id": source.take("file_id"), "issuer": FAMILY}
    if kind == "text":
        return {"type": kind, "text": source.take("data"), "media_type": source.take("media_type")}
    out = {"type": kind}
    source.move(out, *(("url",) if kind == "url" else ("data", "media_type")))
    return out


def _dump_source(source: Any) -> Wire:
    if source.type == "base64":
        out = {"type": "base64", "data": source.data}
        return out if source.media_type is None else out | {"media_type": source.media_type}
    if source.type == "url":
        return {"type": "url", "url": source.url}
    if source.type == "file_id":
        return {"type": "file", "file_id": source.file_id}
    return {"type": "text", "data": source.text, "media_type": "text/plain" if source.media_type is None else source.media_type}


def _dump_media(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    """An image or a document."""
    kind = "document" if part.type == "file" else "image"
    if kind == "image" and part.detail is not None:
        d.drop(path + "/detail", _NO_DETAIL)
    source = _dump_source(part.source) if d.exact else _fit_source(kind, part, path, at, d)
    if source is None:
        return None
    out: Wire = {"type": kind, "source": source}
    if kind == "document" and part.filename is not None:
        # A name that another format invented for a file without one is not a title.
        invented = invented_filename(source.get("media_type", ""))
        if d.exact or part.filename != invented or part.source.type not in ("base64", "text"):
            out["title"] = part.filename
    return out


def _fit_source(kind: str, part: Any, path: str, at: str, d: MessagesDump) -> Wire | None:
    source = part.source
    if source.type != "base64":
        refusal = _source_refusal(kind, source, d)
        if refusal is None:
            return _dump_source(source)
        d.drop(path, refusal)
        return None
    guessed = media_type_of(part.filename, source.data) if kind == "document" else None
    media_type = source.media_type or guessed or ""
    out = _base64_source(kind, media_type, source.data)
    if out is None:
        d.drop(path, "images are JPEG, PNG, GIF or WebP, documents are PDF or text")
    elif out["media_type"] != media_type:
        detail = "text documents are plain text" if out["type"] == "text" else "its type has another name here"
        d.report("changed", path + "/source", at + "/source", detail)
    return out


def _source_refusal(kind: str, source: Any, d: MessagesDump) -> str | None:
    """Why a source that is not base64 is refused."""
    if source.type == "file_id" and d.is_foreign(source.issuer):
        return f"the file id is known to {source.issuer} only"
    if source.type == "url" and not _on_the_web(source.url):
        return "media are given by an http URL or in base64"
    if source.type == "text" and (kind == "image" or not source.text.strip()):
        return "a text document holds text, and an image none"
    return None


def _base64_source(kind: str, media_type: str, data: str) -> Wire | None:
    usual = usual_type(media_type)
    if usual in IMAGE_TYPES if kind == "image" else usual == "application/pdf":
        return {"type": "base64", "data": data, "media_type": usual}
    if kind == "document" and (usual.startswith("text/") or usual in TEXT_TYPES):
        text = decode_text(data)
        return {"type": "text", "data": text, "media_type": "text/plain"} if text else None
    return None


def _on_the_web(url: str) -> bool:
    return url.startswith(("https:", "http:"))


_NO_DETAIL = "there is no detail of images"


def _dump_image_url(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    image = part.image_url
    source = _image_source(image.url)
    if source is None:
        d.drop(path, "images are JPEG, PNG, GIF or WebP, in base64 or by URL")
        return None
    if source["type"] == "base64" and not image.url.startswith(f"data:{source['media_type']};base64,"):
        d.report("changed", path + "/image_url/url", at + "/source", "the data URI is read as it is usually written")
    if image.detail is not None:
        d.drop(path + "/image_url/detail", _NO_DETAIL)
    if image.provider_data is not None:
        d.lay_provider_data(image, {}, path + "/image_url", refuse_field)
    return {"type": "image", "source": source}


def _image_source(url: str) -> Wire | None:
    media = media_in(url) if url[:5].lower() == "data:" else None
    if media is not None:
        return _base64_source("image", media.media_type, media.data)
    return {"type": "url", "url": url} if _on_the_web(url) else None


# Reasoning


def _load_thinking(reader: FieldReader) -> dict[str, Any]:
    out = {"type": "thinking", "thinking": reader.take("thinking")}
    signature = reader.take("signature")
    return out if signature is None else out | {"signature": signature, "issuer": FAMILY}


def _load_redacted(reader: FieldReader) -> dict[str, Any]:
    return {"type": "redacted_thinking", "data": reader.take("data"), "issuer": FAMILY}


def _dump_thinking(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    if d.is_foreign(part.issuer):
        d.drop(path, f"only {part.issuer} can verify or read it")
        return None
    if part.type == "redacted_thinking":
        return {"type": "redacted_thinking", "data": part.data}
    if part.signature is None and not d.exact and not (d.profile.unsigned_thinking and part.thinking):
        d.drop(path, "thinking without a signature is refused")
        return None
    if part.summary is not None:
        d.report("changed", path, at, "summaries are not marked as such")
    out = {"type": "thinking", "thinking": part.thinking}
    return out if part.signature is None else out | {"signature": part.signature}


# Tool calls


def dump_call(call: ToolCall | ToolUsePart, given: Any, path: str, at: str, d: MessagesDump) -> Wire:
    """A tool call; `given` is its input or its argument text."""
    d.places[at] = path
    if d.exact:
        out: Wire = {"type": "tool_use", "name": call.name, "input": copy_wire(given)}
        if call.id is not None:
            out["id"] = d.ids.exact_call(call.id)
    else:
        if call.id is not None:
            id = d.ids.call(call.id, path, d.source_ids)
        else:
            id = d.ids.call_without_id(call.name)
            d.report("changed", path, at, "tool calls need an id")
        value = _fit_input(call, given, path, at, d)
        out = {"type": "tool_use", "id": id, "name": d.tool_name(call.name, path, LONGEST_NAME), "input": value}
    if call.cache_control is not None:
        dump_cache(call, out, path, at, d)
    if call.provider_data is not None:
        _lay_provider_data(call, out, path, d)
    return out


def _fit_input(call: Any, given: Any, path: str, at: str, d: MessagesDump) -> Any:
    if call.custom:
        d.report("changed", path, at, "a custom tool's text becomes the input of a function")
        return {"input": given}
    if not d.reads_input:
        return given if type(given) is str else json.dumps(given, ensure_ascii=False)
    if type(given) is not str:
        return copy_wire(given)
    value, wrong = _read_arguments(given)
    if wrong is not None:
        field = "/input" if type(call) is ToolUsePart else "/arguments"
        d.report("changed", path + field, at + "/input", wrong)
    return value


def _read_arguments(text: str) -> tuple[dict[str, Any], str | None]:
    """A call's argument text as the object that Anthropic wants, and what that loses, where it loses anything."""
    if text == "":
        return {}, "no arguments become an empty object"
    try:
        value: Json = from_json(text, allow_inf_nan=False)
    except ValueError:
        return {"INVALID_JSON": text}, "the arguments are not JSON; they are sent as text inside an object"
    if type(value) is not dict:
        return {"INVALID_JSON": text}, "the arguments are not an object; they are sent as text inside one"
    if len(value) == text.count(":"):
        for item in value.values():
            if type(item) is not str and type(item) is not int:
                break
        else:
            return value, None
    return _read_carefully(text, value)


def _read_carefully(text: str, value: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    repeated = False

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        made = dict(found)
        repeated = repeated or len(made) != len(found)
        return made

    if not _finite(json.loads(text, object_pairs_hook=pairs)):
        return {"INVALID_JSON": text}, "a number is beyond what a float can be; the arguments are sent as text inside an object"
    return value, "keys are given twice; the last one counts" if repeated else None


def _finite(value: Json) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(_finite(item) for item in value.values())
    return not isinstance(value, list) or all(_finite(item) for item in value)


# Tool results


def _load_tool_result(reader: FieldReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "tool_result"}
    reader.move(out, "tool_use_id", "is_error")
    if "content" in reader.wire:
        content: Json = reader.wire["content"]
        out["content"] = [_load_result_block(block) for block in content] if type(content) is list else content
        reader.known.add("content")
    return out


def _load_result_block(wire: Wire) -> dict[str, Any]:
    return load_block(wire) if wire["type"] in ("text", "image", "document") else keep_whole(wire)


def dump_result(owner: ToolMessage | ToolResultPart, raw: str | None, path: str, at: str, d: MessagesDump) -> Wire:
    """A tool's result, of a message or of a part; `raw` is the id of its call."""
    if owner.wire is not None and raw is not None and (role := spelling(owner, "role")) is not None:
        d.report("changed", path, at, f"a {role} message becomes a tool result")
    out: Wire = {"type": "tool_result"}
    if raw is None:
        if not d.exact:
            out["tool_use_id"] = d.ids.result_without_id(owner.name)
            d.report("changed", path, at, "tool results need the id of a call")
    elif d.exact:
        out["tool_use_id"] = d.ids.exact_result(raw)
    else:
        field = "/tool_use_id" if isinstance(owner, ToolResultPart) else "/tool_call_id"
        out["tool_use_id"] = d.ids.result(raw, path, field, d.source_ids)
    content = owner.content
    if type(content) is str:
        if content or d.exact:
            out["content"] = content
    elif content is None:
        if d.exact and "content" in owner:
            out["content"] = None
    elif (blocks := _dump_result_parts(owner, content, path, at, d)) or d.exact:
        out["content"] = blocks
    if owner.is_error is not None:
        out["is_error"] = owner.is_error
    return out


def _dump_result_parts(owner: Any, content: Sequence[Any], path: str, at: str, d: MessagesDump) -> list[Wire]:
    blocks: list[Wire] = []
    for i, part in enumerate(content):
        where = f"{path}/content/{i}"
        if owner.is_error and part.type not in ("text", "opaque") and not d.exact:
            d.drop(where, "an error's content is text alone")
        elif (block := dump_block(part, where, f"{at}/content/{len(blocks)}", d, "tool")) is not None:
            blocks.append(block)
    return blocks


def _dump_result_part(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire:
    out = dump_result(part, part.tool_use_id, path, at, d)
    if part.name is not None:
        d.drop(path + "/name", "results have no name here")
    return out


# The tables

LOADERS: dict[str, Callable[[FieldReader], dict[str, Any] | None]] = {
    "text": _load_same,
    "tool_use": _load_same,
    "image": _load_media,
    "document": _load_media,
    "thinking": _load_thinking,
    "redacted_thinking": _load_redacted,
    "tool_result": _load_tool_result,
}
"""The function that reads a block, for each type of the wire."""

_WRITERS: dict[str, Callable[[Any, str, str, MessagesDump, str], Wire | None]] = {
    "text": _dump_text,
    "refusal": _dump_refusal,
    "opaque": _dump_opaque,
    "image": _dump_media,
    "file": _dump_media,
    "image_url": _dump_image_url,
    "thinking": _dump_thinking,
    "redacted_thinking": _dump_thinking,
    "tool_result": _dump_result_part,
}
"""The function that writes a part, for each canonical type; the others have no place here."""
