"""The maps of content parts: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire, copy_wire, keep_unknown, spelling
from ...codec.media import Media, data_uri, encode_text, invented_filename, read_data_uri
from ...errors import escape
from ...model.base import Json
from ...model.messages import (
    AnyPart,
    FilePart,
    RedactedThinkingPart,
    ThinkingPart,
)
from .base import CACHE_FIELDS, FAMILY, NO_FIELDS, ChatDump, dump_cache, load_cache
from .profiles import ChatProfile

# Parts

_IMAGE_URL_FIELDS = frozenset({"url", "detail"})


def load_part(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A content part; what has no canonical meaning is kept whole."""
    kind = wire["type"]
    if kind == "text" and len(wire) == 2:
        return wire
    loader = PART_LOADERS.get(kind)
    out: dict[str, Any] | None = None
    taken, spelled = {"type"}, dict[str, Any]()
    if loader is not None:
        out = loader(wire, taken, spelled)
    if out is None:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    if len(wire) > 2:
        load_cache(wire, out, taken, profile.cache)
    return keep_unknown(out, wire, taken, FAMILY, spelled, partial=out.pop("<nested>", None))


def _load_text(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    taken.add("text")
    return {"type": "text", "text": wire["text"]}


def _load_image(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    taken.add("image_url")
    image = wire["image_url"]
    if type(image) is str:
        spelled["image_url"] = "text"
        return {"type": "image_url", "image_url": {"url": image}}
    known = {key: image[key] for key in ("url", "detail") if image.get(key) is not None}
    if type(known.get("detail", "")) is not str:
        del known["detail"]
    return {"type": "image_url", "image_url": keep_unknown(known, image, set(known), FAMILY)}


def _load_audio(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    audio: Json = wire["input_audio"]
    if type(audio) is not dict:
        return None
    taken.add("input_audio")
    known = {key: audio[key] for key in ("data", "format")}
    return {"type": "input_audio", "input_audio": keep_unknown(known, audio, set(known), FAMILY)}


def _load_file(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    file = dict(wire["file"])
    data, file_id = file.get("file_data"), file.get("file_id")
    if data is not None:
        media = read_data_uri(data)
        if media is not None:
            source = {"type": "base64", "data": media.data, "media_type": media.media_type}
        elif data.startswith(("http:", "https:", "data:")):
            source = {"type": "url", "url": data}
        else:
            source = {"type": "base64", "data": data}
        del file["file_data"]
    elif file_id is not None:
        source = {"type": "file_id", "file_id": file_id, "issuer": FAMILY}
        del file["file_id"]
    else:
        return None
    taken.add("file")
    out: dict[str, Any] = {"type": "file", "source": source}
    if file.get("filename") is not None:
        out["filename"] = file.pop("filename")
    if file:
        out["<nested>"] = {"file": file}
    return out


def _load_refusal(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    taken.add("refusal")
    return {"type": "refusal", "refusal": wire["refusal"]}


def load_thinking(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    """A thinking block in Anthropic's shape; whoever signed it is Anthropic, whichever host passes it on."""
    if type(wire.get("thinking")) is not str:
        return None
    taken.add("thinking")
    out = {"type": "thinking", "thinking": wire["thinking"]}
    if type(wire.get("signature")) is str:
        taken.add("signature")
        out |= {"signature": wire["signature"], "issuer": "anthropic"}
    return out


def load_redacted(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    """A redacted thinking block in Anthropic's shape."""
    if type(wire.get("data")) is not str:
        return None
    taken.add("data")
    return {"type": "redacted_thinking", "data": wire["data"], "issuer": "anthropic"}


PART_LOADERS: dict[str, Any] = {
    "text": _load_text,
    "image_url": _load_image,
    "input_audio": _load_audio,
    "file": _load_file,
    "refusal": _load_refusal,
    "thinking": load_thinking,
    "redacted_thinking": load_redacted,
}


def dump_part(part: AnyPart, path: str, at: str, d: ChatDump, role: str) -> Wire | None:
    """A content part for a message of `role`; None, and told, where it has no place there."""
    if part.type == "text":
        out: Wire | None = {"type": "text", "text": part.text}
    elif part.type == "opaque":
        if part.format == FAMILY and (d.exact or d.profile.open):
            d.places[at] = path
            return copy_wire(part.value)
        d.drop(path, f"only {part.format} knows parts of this type")
        return None
    elif part.type == "refusal" and (role == "assistant" or d.exact):
        out = {"type": "refusal", "refusal": part.refusal}
    elif part.type == "thinking" or part.type == "redacted_thinking":  # noqa: PLR1714 -- what checkers narrow by
        out = dump_thinking(part, path, d)
    elif not d.exact and (not d.profile.media or role not in ("user", "tool") or (role == "tool" and not d.profile.tool_media)):
        out = None
        d.drop(path, f"{part.type} parts have no place in a message of role {role}")
    else:
        out = _dump_media(part, path, at, d)
    if out is None:
        return None
    d.places[at] = path
    if part.cache_control is not None:
        dump_cache(part, out, path, at, d, allowed=part.type != "refusal")
    if part.provider_data is not None:
        d.keep_fields(part, out, path, NO_FIELDS, CACHE_FIELDS)
    return out


def _dump_media(part: AnyPart, path: str, at: str, d: ChatDump) -> Wire | None:
    if part.type == "image_url":
        if d.exact and spelling(part, "image_url") == "text" and len(part.image_url) == 1:
            return {"type": "image_url", "image_url": part.image_url.url}
        image: Wire = {"url": part.image_url.url}
        if part.image_url.detail is not None:
            image["detail"] = part.image_url.detail
        if part.image_url.provider_data is not None:
            d.keep_fields(part.image_url, image, path + "/image_url", NO_FIELDS)
        return {"type": "image_url", "image_url": image}
    if part.type == "input_audio":
        audio: Wire = {"data": part.input_audio.data, "format": part.input_audio.format}
        if part.input_audio.provider_data is not None:
            d.keep_fields(part.input_audio, audio, path + "/input_audio", NO_FIELDS)
        return {"type": "input_audio", "input_audio": audio}
    if part.type == "image":
        return _dump_image(part, path, d)
    if part.type == "file":
        return _dump_file(part, path, at, d)
    if part.type == "audio" and part.source.type == "base64":
        kind = (part.source.media_type or "").removeprefix("audio/")
        if kind in ("wav", "mp3") or (kind and d.profile.open):
            return {"type": "input_audio", "input_audio": {"data": part.source.data, "format": kind}}
    d.drop(path, f"{part.type} parts have no place here")
    return None


def _dump_image(part: Any, path: str, d: ChatDump) -> Wire | None:
    source = part.source
    if source.type == "url":
        image = {"url": source.url}
    elif source.type == "base64" and source.media_type is not None:
        image = {"url": data_uri(Media(source.media_type, source.data))}
    else:
        d.drop(path, "images are given by URL or by base64 with a media type")
        return None
    if part.detail is not None:
        image["detail"] = part.detail
    return {"type": "image_url", "image_url": image}


def _dump_file(part: FilePart, path: str, at: str, d: ChatDump) -> Wire | None:
    source = part.source
    file: Wire = {}
    if source.type == "file_id":
        if not d.exact and source.issuer is not None and not d.profile.issuers & {source.issuer, "*"}:
            d.drop(path, f"the file id is known to {source.issuer} only")
            return None
        file["file_id"] = source.file_id
    elif source.type == "url":
        if not d.exact and d.profile.cache != "cache_control" and not source.url.startswith("data:"):
            d.drop(path, "documents are not taken by URL")
            return None
        file["file_data"] = source.url
    elif source.type == "base64":
        file["file_data"] = source.data if source.media_type is None else data_uri(Media(source.media_type, source.data))
    else:
        file["file_data"] = data_uri(Media(source.media_type or "text/plain", encode_text(source.text)))
    if part.filename is not None:
        file["filename"] = part.filename
    elif not d.same_family and source.type in ("base64", "text"):
        kind = (file["file_data"].removeprefix("data:")).partition(";")[0]
        file["filename"] = invented_filename(kind)
        d.report("added", path, at + "/file/filename", "file data needs a file name")
    return {"type": "file", "file": file}


def dump_thinking(part: ThinkingPart | RedactedThinkingPart, path: str, d: ChatDump) -> Wire | None:
    """A thinking block in Anthropic's shape."""
    if part.type == "redacted_thinking":
        if _foreign(part, d):
            d.drop(path, f"only {part.issuer} can read it")
            return None
        return {"type": "redacted_thinking", "data": part.data}
    out = {"type": "thinking", "thinking": part.thinking}
    if part.signature is not None:
        if _foreign(part, d):
            d.drop(path + "/signature", f"only {part.issuer} can verify it")
        else:
            out["signature"] = part.signature
    return out


def _foreign(part: ThinkingPart | RedactedThinkingPart, d: ChatDump) -> bool:
    return not d.exact and part.issuer is not None and not d.profile.signers & {part.issuer, "*"}


# Content


def load_content(wire: Wire, out: dict[str, Any], spelled: Wire, profile: ChatProfile) -> None:
    """A message's content, where it cannot be null: null is recorded, and read as no text."""
    content = wire["content"]
    if content is None:
        spelled["content"] = "null"
        out["content"] = ""
    else:
        out["content"] = content if type(content) is str else [load_part(part, profile) for part in content]


def dump_content(content: str | tuple[AnyPart, ...], path: str, at: str, d: ChatDump, role: str) -> Any:
    """Content as text or list, as the profile says; None where all of it had to be left out."""
    if isinstance(content, str):
        return content if d.exact or d.profile.content != "list" else [{"type": "text", "text": content}]
    parts: list[Wire] = []
    for i, part in enumerate(content):
        out = dump_part(part, f"{path}/content/{i}", f"{at}/content/{len(parts)}", d, role)
        if out is not None:
            parts.append(out)
    return as_profiled(parts, path, at, d) if parts or d.exact else None


def as_profiled(parts: list[Wire], path: str, at: str, d: ChatDump) -> Any:
    """A list of parts, or the one string that a host wants where they are text alone."""
    if d.exact:
        return parts
    if d.profile.content != "string" or not all(
        part.get("type") == "text" and isinstance(part.get("text"), str) for part in parts
    ):
        return parts or ""
    for i, part in enumerate(parts):
        origin = d.places.pop(f"{at}/content/{i}")
        if len(parts) > 1:
            how = "" if d.is_response else " with line breaks"
            d.report("changed", origin, f"{at}/content", f"its texts are joined{how} into one")
        else:
            d.places[f"{at}/content"] = origin
        for key in part.keys() - {"type", "text"}:
            field = "cache_control" if key in CACHE_FIELDS else f"provider_data/{FAMILY}/{escape(key)}"
            d.drop(f"{origin}/{field}", "text without parts holds no fields")
    for i in reversed(range(len(d.losses))):
        loss = d.losses[i]
        if loss.at is None or not loss.at.startswith(at):
            break
        if loss.at.startswith(f"{at}/content/"):
            d.losses[i] = loss._replace(at=f"{at}/content")
    # An answer's texts are one text that something interrupted, as its stream would have it.
    return ("" if d.is_response else "\n").join(part["text"] for part in parts)
