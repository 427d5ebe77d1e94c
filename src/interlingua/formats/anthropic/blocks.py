"""The maps of content blocks: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

import json
import math
from typing import Any

from pydantic_core import from_json

from ...codec.fields import Wire, copy_wire, keep_unknown, spelling
from ...codec.media import decode_text, invented_filename, media_in, media_type_of, usual_type
from ...errors import escape
from ...model.base import Json
from ...model.messages import ToolCall, ToolMessage, ToolResultPart, ToolUsePart
from .base import FAMILY, IMAGE_TYPES, LONGEST_NAME, TEXT_TYPES, MessagesDump, dump_cache, load_cache

# Blocks


def load_block(wire: Wire) -> dict[str, Any]:
    """A content block; what has no canonical meaning is kept whole."""
    kind = wire["type"]
    if kind == "text" and len(wire) == 2:
        return wire
    loader = LOADERS.get(kind)
    taken = {"type"}
    out: dict[str, Any] | None = None if loader is None else loader(wire, taken)
    if out is None:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    if len(taken) == len(wire) and "<nested>" not in out:
        return out
    if kind not in ("thinking", "redacted_thinking"):
        load_cache(wire, out, taken)
    nested = out.pop("<nested>", None)
    return keep_unknown(out, wire, taken, FAMILY, partial={"source": nested} if nested else None)


def _load_text(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("text")
    return {"type": "text", "text": wire["text"]}


def _load_source(source: Wire) -> tuple[dict[str, Any], Wire]:
    kind = source["type"]
    if kind == "base64":
        out = {"type": kind, "data": source["data"], "media_type": source["media_type"]}
        known = {"type", "data", "media_type"}
    elif kind == "url":
        out, known = {"type": kind, "url": source["url"]}, {"type", "url"}
    elif kind == "file":
        out, known = {"type": "file_id", "file_id": source["file_id"], "issuer": FAMILY}, {"type", "file_id"}
    else:
        out = {"type": kind, "text": source["data"], "media_type": source["media_type"]}
        known = {"type", "data", "media_type"}
    return out, {key: value for key, value in source.items() if key not in known}


def _dump_source(source: Any) -> Wire:
    if source.type == "base64":
        return {"type": "base64", "data": source.data} | (
            {} if source.media_type is None else {"media_type": source.media_type}
        )
    if source.type == "url":
        return {"type": "url", "url": source.url}
    if source.type == "file_id":
        return {"type": "file", "file_id": source.file_id}
    return {"type": "text", "data": source.text, "media_type": "text/plain" if source.media_type is None else source.media_type}


SOURCES = {"image": ("base64", "url", "file"), "document": ("base64", "url", "file", "text")}


def _load_media(wire: Wire, taken: set[str]) -> dict[str, Any] | None:
    if wire["source"]["type"] not in SOURCES[wire["type"]]:
        return None
    source, rest = _load_source(wire["source"])
    taken.add("source")
    out: dict[str, Any] = {"type": "image" if wire["type"] == "image" else "file", "source": source}
    if wire["type"] == "document" and wire.get("title") is not None:
        out["filename"] = wire["title"]
        taken.add("title")
    if rest:
        out["<nested>"] = rest
    return out


def _load_thinking(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("thinking")
    out = {"type": "thinking", "thinking": wire["thinking"]}
    if wire.get("signature") is not None:
        taken.add("signature")
        out |= {"signature": wire["signature"], "issuer": FAMILY}
    return out


def _load_redacted(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("data")
    return {"type": "redacted_thinking", "data": wire["data"], "issuer": FAMILY}


def _load_tool_use(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken |= {"id", "name", "input"}
    return {"type": "tool_use", "id": wire["id"], "name": wire["name"], "input": wire["input"]}


def _load_tool_result(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("tool_use_id")
    out: dict[str, Any] = {"type": "tool_result", "tool_use_id": wire["tool_use_id"]}
    if "content" in wire:
        content: Json = wire["content"]
        out["content"] = [_load_result_block(block) for block in content] if type(content) is list else content
        taken.add("content")
    if wire.get("is_error") is not None:
        out["is_error"] = wire["is_error"]
        taken.add("is_error")
    return out


def _load_result_block(wire: Wire) -> dict[str, Any]:
    if wire["type"] in ("text", "image", "document"):
        return load_block(wire)
    return {"type": "opaque", "format": FAMILY, "value": wire}


LOADERS: dict[str, Any] = {
    "text": _load_text,
    "image": _load_media,
    "document": _load_media,
    "thinking": _load_thinking,
    "redacted_thinking": _load_redacted,
    "tool_use": _load_tool_use,
    "tool_result": _load_tool_result,
}


def dump_block(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    """A content block for a message of `role`; None, and told, where it has no place there."""
    kind = part.type
    out: Wire | None
    if kind == "text":
        if not d.exact and not part.text.strip():
            if part.text or part.cache_control is not None or part.provider_data is not None or role != "assistant":
                d.drop(path, "empty text is refused")
            return None
        out = {"type": "text", "text": part.text}
    elif kind == "opaque":
        if part.format != FAMILY:
            d.drop(path, f"only {part.format} knows parts of this type")
            return None
        out = copy_wire(part.value)
    elif kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    elif kind == "tool_result":
        out = dump_result(part, part.tool_use_id, path, at, d)
        if part.name is not None:
            d.drop(path + "/name", "results have no name here")
    elif kind in ("thinking", "redacted_thinking"):
        out = _dump_thinking(part, path, at, d)
    elif kind == "refusal" and role == "assistant":
        if d.exact or (part.refusal and not part.refusal.isspace()):
            out = {"type": "text", "text": part.refusal}
            d.report("changed", path, at, "a refusal becomes text")
        else:
            out = None
            d.drop(path, "empty text is refused")
    elif not d.exact and role in ("assistant", "system"):
        out = None
        d.drop(path, f"{kind} parts have no place in a message of role {role}")
    else:
        out = _dump_media(part, path, at, d)
    if out is None:
        return None
    d.places[at] = path
    if kind != "opaque":
        if part.cache_control is not None:
            if kind in ("thinking", "redacted_thinking") and not d.exact:
                d.drop(path + "/cache_control", "thinking holds no cache mark")
            else:
                dump_cache(part, out, path, at, d)
        if part.provider_data is not None:
            d.lay_provider_data(part, out, path)
            if d.from_response:
                _trim(part, out, path, d)
    elif d.from_response:
        _trim_whole(out, path + "/value", d)
    return out


_REQUEST_FIELDS = frozenset({"citations", "caller", "toolset_name"})
"""What blocks of requests may have beside what is canonical; the server refuses fields that it does not know."""
_NOT_TAKEN = "requests have no such field"


def _trim(part: Any, out: Wire, path: str, d: MessagesDump) -> None:
    """Leave out what the part has from a response and a request may not have."""
    path = f"{path}/provider_data/{FAMILY}"
    for key in part.provider_data.get(FAMILY, {}):
        if key in out and key not in _REQUEST_FIELDS:
            del out[key]
            d.report("response_only", f"{path}/{escape(key)}", None, _NOT_TAKEN)
    citations: Json = out.get("citations")
    citation: Json
    for i, citation in enumerate(citations if type(citations) is list else ()):
        if type(citation) is dict and "file_id" in citation:
            del citation["file_id"]
            d.report("response_only", f"{path}/citations/{i}/file_id", None, _NOT_TAKEN)


def _trim_whole(out: Wire, path: str, d: MessagesDump) -> None:
    holder: Json
    for holder, where in ((out, path), (out.get("content"), path + "/content")):
        for key in d.response_only:
            if type(holder) is dict and key in holder:
                del holder[key]
                d.report("response_only", f"{where}/{key}", None, _NOT_TAKEN)


def _dump_thinking(part: Any, path: str, at: str, d: MessagesDump) -> Wire | None:
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
    signed = {} if part.signature is None else {"signature": part.signature}
    return {"type": "thinking", "thinking": part.thinking, **signed}


def _dump_media(part: Any, path: str, at: str, d: MessagesDump) -> Wire | None:
    if part.type == "image_url":
        image = part.image_url
        source = _image_source(image.url)
        if source is None:
            d.drop(path, "images are JPEG, PNG, GIF or WebP, in base64 or by URL")
            return None
        if source["type"] == "base64" and not _as_usual(image.url, source["media_type"]):
            d.report("changed", path + "/image_url/url", at + "/source", "the data URI is read as it is usually written")
        if image.detail is not None:
            d.drop(path + "/image_url/detail", "there is no detail of images")
        if image.provider_data is not None:
            d.lay_provider_data(image, {}, path + "/image_url", lambda _: False)
        return {"type": "image", "source": source}
    if part.type == "image":
        if part.detail is not None:
            d.drop(path + "/detail", "there is no detail of images")
        return _sourced("image", part, path, at, d)
    if part.type == "file":
        return _sourced("document", part, path, at, d)
    d.drop(path, f"{part.type.replace('_', ' ')} is not taken")
    return None


def _image_source(url: str) -> Wire | None:
    media = media_in(url) if url[:5].lower() == "data:" else None
    if media is None:
        return {"type": "url", "url": url} if _on_the_web(url) else None
    if media.media_type not in IMAGE_TYPES:
        return None
    return {"type": "base64", "data": media.data, "media_type": media.media_type}


def _as_usual(url: str, media_type: str) -> bool:
    return url.startswith(f"data:{media_type};base64,")


def _on_the_web(url: str) -> bool:
    return url.startswith(("https:", "http:"))


def _sourced(kind: str, part: Any, path: str, at: str, d: MessagesDump) -> Wire | None:
    source = part.source
    out: Wire = {"type": kind, "source": _dump_source(source)}
    if not d.exact:
        if source.type == "file_id" and d.is_foreign(source.issuer):
            d.drop(path, f"the file id is known to {source.issuer} only")
            return None
        if source.type == "base64":
            guessed = media_type_of(part.filename, source.data) if kind == "document" else None
            given = source.media_type or guessed or ""
            repaired = _base64_source(kind, given, source.data)
            if repaired is None:
                d.drop(path, "images are JPEG, PNG, GIF or WebP, documents are PDF or text")
                return None
            out["source"] = repaired
            if repaired["media_type"] != given:
                what = "text documents are plain text" if repaired["type"] == "text" else "its type has another name here"
                d.report("changed", path + "/source", at + "/source", what)
        elif source.type == "url" and not _on_the_web(source.url):
            d.drop(path, "media are given by an http URL or in base64")
            return None
        elif source.type == "text" and (kind == "image" or not source.text.strip()):
            d.drop(path, "a text document holds text, and an image none")
            return None
    if kind == "document" and part.filename is not None:
        # A name that a format made up for want of one is not a title.
        invented = invented_filename(out["source"].get("media_type", ""))
        if d.exact or part.filename != invented or source.type not in ("base64", "text"):
            out["title"] = part.filename
    return out


def _base64_source(kind: str, given: str, data: str) -> Wire | None:
    media_type = usual_type(given)
    if (kind == "image" and media_type in IMAGE_TYPES) or (kind == "document" and media_type == "application/pdf"):
        return {"type": "base64", "data": data, "media_type": media_type}
    if kind == "document" and (media_type.startswith("text/") or media_type in TEXT_TYPES):
        text = decode_text(data)
        return {"type": "text", "data": text, "media_type": "text/plain"} if text else None
    return None


# Tool calls and results


def dump_call(call: ToolCall | ToolUsePart, given: Any, path: str, at: str, d: MessagesDump) -> Wire:
    """A tool call."""
    d.places[at] = path
    raw = call.id
    if d.exact:
        out: Wire = {"type": "tool_use", "name": call.name, "input": copy_wire(given)}
        if raw is not None:
            out["id"] = d.ids.exact_call(raw)
    else:
        if raw is not None:
            raw = d.ids.call(raw, path, d.source_ids)
        else:
            raw = d.ids.call_without_id(call.name)
            d.report("changed", path, at, "tool calls need an id")
        if type(given) is str and d.reads_input and not call.custom:
            value, wrong = read_arguments(given)
            if wrong is not None:
                field = "/input" if type(call) is ToolUsePart else "/arguments"
                d.report("changed", path + field, at + "/input", wrong)
        else:
            value = _other_input(call, given, path, at, d)
        name = d.tool_name(call.name, path, LONGEST_NAME)
        out = {"type": "tool_use", "id": raw, "name": name, "input": value}
    if call.cache_control is not None:
        dump_cache(call, out, path, at, d)
    if call.provider_data is not None:
        d.lay_provider_data(call, out, path)
        if d.from_response:
            _trim(call, out, path, d)
    return out


def _other_input(call: Any, given: Any, path: str, at: str, d: MessagesDump) -> Any:
    if call.custom:
        d.report("changed", path, at, "a custom tool's text becomes the input of a function")
        return {"input": given}
    if type(given) is str:
        return given
    return copy_wire(given) if d.reads_input else json.dumps(given, ensure_ascii=False)


def read_arguments(text: str) -> tuple[dict[str, Any], str | None]:
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


def dump_result(owner: ToolMessage | ToolResultPart, raw: str | None, path: str, at: str, d: MessagesDump) -> Wire:
    """A tool's result, of a message or of a part."""
    content = owner.content
    if type(content) is str and content and raw is not None and not d.exact and owner.wire is owner.provider_data is None:
        field = "/tool_call_id" if type(owner) is not ToolResultPart else "/tool_use_id"
        plain: Wire = {"type": "tool_result", "tool_use_id": d.ids.result(raw, path, field, d.source_ids), "content": content}
        return plain if owner.is_error is None else plain | {"is_error": owner.is_error}
    out: Wire = {"type": "tool_result"}
    if owner.wire is not None and raw is not None and (role := spelling(owner, "role")) is not None:
        d.report("changed", path, at, f"a {role} message becomes a tool result")
    if d.exact:
        if raw is not None:
            out["tool_use_id"] = d.ids.exact_result(raw)
    elif raw is not None:
        field = "/tool_use_id" if isinstance(owner, ToolResultPart) else "/tool_call_id"
        out["tool_use_id"] = d.ids.result(raw, path, field, d.source_ids)
    else:
        out["tool_use_id"] = d.ids.result_without_id(owner.name)
        d.report("changed", path, at, "tool results need the id of a call")
    if isinstance(content, str):
        if content or d.exact:
            out["content"] = content
    elif content is None:
        if d.exact and "content" in owner:
            out["content"] = None
    else:
        blocks: list[Wire] = []
        for i, part in enumerate(content):
            if owner.is_error and part.type not in ("text", "opaque") and not d.exact:
                d.drop(f"{path}/content/{i}", "an error's content is text alone")
                continue
            block = dump_block(part, f"{path}/content/{i}", f"{at}/content/{len(blocks)}", d, "tool")
            if block is not None:
                blocks.append(block)
        if blocks or d.exact:
            out["content"] = blocks
    if owner.is_error is not None:
        out["is_error"] = owner.is_error
    return out
