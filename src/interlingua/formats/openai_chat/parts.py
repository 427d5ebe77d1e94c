"""Load and dump content parts: each `dump_x` undoes its `load_x`.

To dump a part, `form_of` first returns what the part becomes, or why it has no place, and reports nothing. So it is known
before the first part is written whether content can be one string, for hosts that require one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ...codec.carrying import issuer_of
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...codec.magic import is_data_uri
from ...codec.media import (
    EMPTY,
    Media,
    audio_format,
    data_uri,
    encode_text,
    fit_uri,
    image_by_url,
    image_url_part,
    is_empty,
    name_for,
    read_data_uri,
    report_media,
    source_of,
    type_of,
)
from ...codec.text_files import text_of_file
from ...errors import excerpt
from ...model.base import Json
from ...model.parts import Part, to_json
from .base import CACHE_FIELDS, FAMILY, REASONING, ChatDump, dump_cache, load_cache
from .files import file_to_send, finish_file, needs_name
from .foreign import finish_foreign, form_of_foreign
from .joined import join_texts
from .listed import as_text, dump_texts, form_of_thinking, load_listed
from .media_urls import BY_URL, form_by_url, is_by_url, load_untyped, takes_all, typed
from .profiles import ChatProfile
from .source_parts import LOADERS as SOURCE_LOADERS, source_form, unplaced
from .typed_media import form_of_typed, load_typed
from .untyped import is_by_uuid

Pointed: TypeAlias = list[tuple[str, Any]]
"""Parts or calls, each with its pointer."""

# Parts


def load_part(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """Load a content part; one without a canonical form is kept whole."""
    if wire.get("type") == "text" and len(wire) == 2:
        return wire
    if "type" not in wire:
        return load_untyped(wire, lambda named: load_part(named, profile))
    fields = FieldReader(wire)
    kind = fields.take("type")
    flat = FLAT_LOADERS.get(kind) if profile.flat_media else None
    others = SOURCE_LOADERS if profile.flat_media else _MORE_LOADERS
    loader = PART_LOADERS.get(kind) or (load_typed if profile.typed_media else others.get(kind))
    out = flat(fields, profile) if flat is not None else None
    if out is None and loader is not None:
        out = loader(fields)
        if flat is not None:
            fields.spelling["media"] = "nested"
    if out is None:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    load_cache(fields, out, profile.cache)
    return fields.keep(out, FAMILY)


def form_of(part: Any, role: str, d: ChatDump) -> Wire | str:
    """The form of a part in a message of `role`, without cache mark and provider data, or why it has no place there."""
    kind = part.type
    if kind in ("text", "json"):
        return {"type": "text", "text": part.text if kind == "text" else to_json(part.value)}
    if kind == "opaque":
        return copy_wire(part.value) if _is_own(part, d) else form_of_foreign(part, role, form_of, d)
    if kind == "file":
        part = file_to_send(part, d, may_be_image=_may_hold(role, "image", d))
        kind = part.type
    if not d.exact and (why := _why_no_place(part, role, d)) is not None:
        return _or_text(why, part, d)
    if kind in REASONING:
        return _form_of_reasoning(part, d)
    if kind == "refusal" and not (d.exact or d.profile.refusals):
        return {"type": "text", "text": part.refusal}
    if d.profile.typed_media and not (d.exact and kind in PART_LOADERS):
        return _or_text(form_of_typed(part, d), part, d)
    nested = not d.profile.flat_media or (d.exact and spelling(part, "media") in ("nested", "source"))
    form = (None if nested else _FLAT_FORMS.get(kind)) or _FORMS.get(kind)
    if form is None:
        return f"{d.target.name} does not take {kind.replace('_', ' ')} parts"
    return _or_text(form(part, d), part, d)


def _or_text(form: Wire | str, part: Any, d: ChatDump) -> Wire | str:
    """The form of a part; if there is none, and the part is a file of text, its text."""
    return form if isinstance(form, dict) or (text := text_of_file(part, d)) is None else {"type": "text", "text": text}


def _form_of_reasoning(part: Any, d: ChatDump) -> Wire | str:
    thought = form_of_thinking(part, d)
    if part.type == "thinking" and d.profile.reasoning == "content" and not isinstance(thought, str):
        thought["thinking"] = dump_texts(part, exact=d.exact)
    return thought


def _is_own(part: Any, d: ChatDump) -> bool:
    """Whether the host knows the type of a part that is kept whole."""
    kind: Json = part.value.get("type")
    is_open = d.profile.open and (d.profile.media or d.of_response or kind == "text")
    is_known = d.exact or d.profile.media_by_uuid or not is_by_uuid(part.value)
    return part.format == FAMILY and is_known and (d.exact or is_open or kind in [*d.profile.own_parts])


def _why_no_place(part: Any, role: str, d: ChatDump) -> str | None:
    """Why a message of `role` has no place for a part; None if it has one."""
    if part.type in _MEDIA and is_empty(part):
        return EMPTY
    takes = _may_hold(role, part.type, d)
    return None if takes else f"{d.target.name} does not take {part.type.replace('_', ' ')} parts in a message of role {role}"


def _may_hold(role: str, kind: str, d: ChatDump) -> bool:
    if kind == "refusal":
        return role == "assistant"
    if kind in REASONING:
        return role == "assistant" or d.profile.reasoning == "content"
    profile = d.profile
    accepted = profile.media and (_KIND_OF.get(kind, kind) in profile.media_kinds or (kind == "video" and takes_all(d)))
    return accepted and (role == "user" or (role == "tool" and profile.tool_media))


_MEDIA = frozenset({"image", "image_url", "audio", "input_audio", "video", "file"})
_KIND_OF = {"image_url": "image", "input_audio": "audio"}
"""The kind of media, by the type of a part in OpenAI's spelling."""
_PLACED = {"thinking": ("signature",), "text": ("signature", "citations"), "json": ("signature",)}
"""The fields of an assistant message's parts that are written elsewhere, by type."""


def dump_part(part: Any, path: str, at: str, d: ChatDump, role: str) -> Wire | None:
    """Dump a content part for a message of `role`; None, with a report, if it has no place there."""
    fields = part.__dict__
    kind: str = fields["type"]
    out: Wire | str = {"type": "text", "text": fields["text"]} if kind == "text" else form_of(part, role, d)
    if isinstance(out, str):
        return d.refuse(path, out)
    d.places[at] = path
    if not d.exact and (kind != "text" or fields.get("signature") is not None or fields.get("citations")):
        d.drop_unplaced(part, path, *(_PLACED.get(kind, ()) if role == "assistant" or kind in REASONING else ()))
    if kind != "text":
        _finish(part, kind, out, path, at, d)
    if fields.get("cache_control") is not None:
        # A part that is kept whole may have a mark already.
        dump_cache(part, out, path, d, allowed=d.exact or (kind != "refusal" and CACHE_FIELDS.isdisjoint(out)))
    if fields.get("provider_data") is not None:
        d.keep_fields(part, out, path, d.profile.part_fields, CACHE_FIELDS | unplaced(part, d))
    return out


_NO_FORMAT = "audio is sent as bare base64, without a field for its format"
_URIS = (("image_url", "url"), ("file", "file_data"), ("document_url",), ("video_url", "url"), ("audio_url", "url"))


def _finish(part: Any, kind: str, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Write and report what belongs to one type of part."""
    for place in () if d.exact or kind == "opaque" else _URIS:
        fit_uri(part, out, place, path, at, d)
    if kind in ("image", "image_url", "input_audio"):
        _finish_media(part, kind, out, path, at, d)
    elif kind == "audio" and "input_audio" in out and not d.exact:
        _report_audio(part, out["input_audio"], f"{path}/source/media_type", at, d)
    elif kind == "refusal" and out.get("type") == "text":
        d.report("changed", path, at, f"{d.target.name} has no refusals: the refusal becomes text")
    elif kind == "file":
        finish_file(part, out, path, at, d)
    elif kind == "opaque":
        finish_foreign(part, out, path, at, d)
    elif kind == "thinking":
        d.sent_signature(part, path)  # the form leaves out a signature that it reports


def _finish_media(part: Any, kind: str, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Write and report what an image or audio has besides its data."""
    if kind == "image" and "image_url" in out:
        return  # the detail is in it already
    if kind not in out:
        report_media(part, None, path, at, d)
        if kind == "image_url" and out["url"] != part.image_url.url:
            d.report("changed", f"{path}/image_url/url", f"{at}/url", "the data URI is written in its usual form")
    elif type(out[kind]) is dict:
        d.keep_fields(getattr(part, kind), out[kind], f"{path}/{kind}")
    elif kind == "input_audio":
        d.drop(f"{path}/{kind}/format", _NO_FORMAT)
        d.drop_fields(part.input_audio, f"{path}/{kind}")


def _report_audio(part: Any, written: Json, path: str, at: str, d: ChatDump) -> None:
    """Report an audio's media type, if it is known and the wire's spelling loses it."""
    source = source_of(part) if type(written) is dict else part.source
    if source.type != "base64" or source.media_type is None:
        return
    if type(written) is not dict:
        d.report("changed", path, f"{at}/input_audio", _NO_FORMAT)
    elif source.media_type != f"audio/{written['format']}":
        detail = f"{d.target.name} has another name for this audio format; sent as {excerpt(written['format'])}"
        d.report("changed", path, f"{at}/input_audio/format", detail)


# Each type of part


def _load_words(fields: FieldReader) -> dict[str, Any]:
    """Load text or a refusal from the field with the same name as its type."""
    kind = fields.wire["type"]
    return {"type": kind, kind: fields.take(kind)}


def _load_image_url(fields: FieldReader) -> dict[str, Any] | None:
    if (url := fields.take("image_url", str)) is not None:
        fields.spelling["image_url"] = "text"
        return {"type": "image_url", "image_url": {"url": url}}
    return _load_object(fields, "image_url", "url", "detail")


def _dump_image_url(part: Any, d: ChatDump) -> Wire:
    image = part.image_url
    if d.exact and spelling(part, "image_url") == "text" and len(image) == 1:
        return typed(part, {"type": "image_url", "image_url": image.url}, d)
    return typed(part, image_url_part(image.url, image.detail), d)


def _load_object(fields: FieldReader, kind: str, *keys: str) -> dict[str, Any] | None:
    """Load a part whose canonical form has the same type and the same object."""
    media = fields.take(kind, dict)
    if media is None:
        return None
    inner = FieldReader(media)
    out: dict[str, Any] = {}
    inner.move_typed(out, str, *keys)
    return {"type": kind, kind: inner.keep(out, FAMILY)}


def _audio(data: str, kind: str) -> Wire:
    return {"type": "input_audio", "input_audio": {"data": data, "format": kind}}


def _dump_audio(part: Any, d: ChatDump) -> Wire | str:
    source = source_of(part, exact=d.exact)
    media_type = (source.media_type or "") if source.type == "base64" else ""
    kind = media_type.removeprefix("audio/") if d.exact else audio_format(media_type)
    if kind in ("wav", "mp3") or (kind and d.profile.open):
        return _audio(source.data, kind)
    return f"{d.target.name} takes audio as base64 of wav or mp3: set `media_type` to audio/wav or audio/mp3"


def _load_flat_audio(fields: FieldReader, _: ChatProfile) -> dict[str, Any] | None:
    """Load audio that is a URL, a data URI or base64."""
    text = fields.take("input_audio", str)
    return None if text is None else {"type": "audio", "source": _file_source(text)}


def _dump_flat_audio(part: Any, d: ChatDump) -> Wire | str:
    source = part.input_audio if part.type == "input_audio" else part.source
    if part.type == "audio" and source.type not in ("url", "base64"):
        return "audio must have a URL or base64 data"
    is_bare = part.type == "input_audio" or (source.type == "base64" and not d.exact)
    return {"type": "input_audio", "input_audio": source.data if is_bare else _flat_source(source)}


def _flat_source(source: Any) -> str:
    """A source from a URL or from base64 data, bare or in a data URI with the media type."""
    if source.type == "url":
        return str(source.url)
    return str(source.data) if source.media_type is None else data_uri(source)


def _load_document(fields: FieldReader, _: ChatProfile) -> dict[str, Any] | None:
    url = fields.take("document_url", str)
    if url is None:
        return None
    out: dict[str, Any] = {"type": "file", "source": _url_source(url)}
    fields.move_typed(out, str, document_name="filename")
    return out


def _url_source(url: str) -> dict[str, Any]:
    media = read_data_uri(url)
    return {"type": "url", "url": url} if media is None else media._asdict()


def _load_flat_file(fields: FieldReader, profile: ChatProfile) -> dict[str, Any] | None:
    if "file" in fields.wire or (id := fields.take("file_id", str)) is None:
        return None
    return {"type": "file", "source": {"type": "file_id", "file_id": id, "issuer": profile.issuer}}


def _dump_document(part: Any, d: ChatDump) -> Wire | str:
    source = part.source
    if source.type == "file_id":
        if not d.exact and source.issuer is not None and not d.profile.issuers & {source.issuer, "*"}:
            return f"only {excerpt(source.issuer)} knows the file id: send the data"
        return {"type": "file", "file_id": source.file_id}
    if source.type == "text":
        source = Media(source.media_type or "text/plain", encode_text(source.text))
    elif source.type == "base64" and source.media_type is None and not is_data_uri(source.data):
        source = Media(type_of(source, part.filename), source.data)
        if not source.media_type:
            return "the data of a document must have a media type: set `media_type`"
    out: Wire = {"type": "document_url", "document_url": _flat_source(source)}
    return out if part.filename is None else out | {"document_name": part.filename}


def _load_file(fields: FieldReader) -> dict[str, Any] | None:
    file = fields.inside("file")
    if (data := file.take("file_data")) is not None:
        source = _file_source(data)
    elif (id := file.take("file_id")) is not None:
        source = {"type": "file_id", "file_id": id, "issuer": FAMILY}
    else:
        return None
    out: dict[str, Any] = {"type": "file", "source": source}
    file.move(out, "filename")
    return out


def _file_source(data: str) -> dict[str, Any]:
    media = read_data_uri(data)
    if media is not None:
        return {"type": "base64", "data": media.data, "media_type": media.media_type}
    if data.startswith(("http:", "https:", "data:")):
        return {"type": "url", "url": data}
    return {"type": "base64", "data": data}


def _dump_file(part: Any, d: ChatDump) -> Wire | str:
    source = part.source
    if source.type == "file_id":
        if not d.exact and source.issuer is not None and not d.profile.issuers & {source.issuer, "*"}:
            return f"only {excerpt(source.issuer)} knows the file id: send the data"
        file = {"file_id": source.file_id}
    elif source.type == "url":
        if not d.exact and d.profile.cache != "cache_control" and not source.url.startswith("data:"):
            return f"{d.target.name} does not take documents by URL: send the data"
        file = {"file_data": source.url}
    elif source.type == "base64":
        file = {"file_data": source.data if source.media_type is None else data_uri(Media(source.media_type, source.data))}
    else:
        file = {"file_data": data_uri(Media(source.media_type or "text/plain", encode_text(source.text)))}
    if part.filename is not None:
        file["filename"] = part.filename
    is_data = source.type in ("base64", "text") or (source.type == "url" and is_data_uri(source.url))
    if is_data and not part.filename and needs_name(d):
        file["filename"] = name_for(file["file_data"])
    return {"type": "file", "file": file}


BLOCKS_ISSUER = "anthropic"
"""The signer of thinking blocks, whichever host passes them on."""


def _load_thinking(fields: FieldReader) -> dict[str, Any] | None:
    """Load a thinking block in Anthropic's shape; Anthropic signed it, whichever host passes it on."""
    text = fields.take("thinking", str)
    if text is None:
        return None
    out = {"type": "thinking", "thinking": text}
    if (signature := fields.take("signature", str)) is not None:
        out |= {"signature": signature, "issuer": issuer_of(signature, BLOCKS_ISSUER)}
    return out


def _load_redacted(fields: FieldReader) -> dict[str, Any] | None:
    data = fields.take("data", str)
    return None if data is None else {"type": "redacted_thinking", "data": data, "issuer": issuer_of(data, BLOCKS_ISSUER)}


def load_block(block: Json) -> dict[str, Any] | None:
    """Load a thinking block of a message's `thinking_blocks`; None for any other value."""
    if type(block) is not dict or block.get("type") not in ("thinking", "redacted_thinking"):
        return None
    fields = FieldReader(block)
    out = PART_LOADERS[fields.take("type")](fields)
    return None if out is None else fields.keep(out, FAMILY)


PART_LOADERS: dict[str, Callable[[FieldReader], dict[str, Any] | None]] = {
    "text": _load_words,
    "image_url": _load_image_url,
    "input_audio": lambda fields: _load_object(fields, "input_audio", "data", "format"),
    "file": _load_file,
    "refusal": _load_words,
    "thinking": _load_thinking,
    "redacted_thinking": _load_redacted,
}
_MORE_LOADERS = BY_URL | SOURCE_LOADERS
FLAT_LOADERS: dict[str, Callable[[FieldReader, ChatProfile], dict[str, Any] | None]] = {
    "input_audio": _load_flat_audio,
    "document_url": _load_document,
    "file": _load_flat_file,
}
"""The loaders for hosts whose media are flat."""
_FLAT_FORMS: dict[str, Callable[[Any, ChatDump], Wire | str]] = {
    "input_audio": _dump_flat_audio,
    "audio": _dump_flat_audio,
    "file": _dump_document,
}
_FORMS: dict[str, Callable[[Any, ChatDump], Wire | str]] = {
    "image_url": _dump_image_url,
    "image": lambda part, d: source_form(part, d) or image_by_url(part),
    "input_audio": lambda part, _: _audio(part.input_audio.data, part.input_audio.format),
    "audio": lambda part, d: form_by_url(part, d) if is_by_url(part, d) else _dump_audio(part, d),
    "video": form_by_url,
    "file": lambda part, d: source_form(part, d) or _dump_file(part, d),
    "refusal": lambda part, _: {"type": "refusal", "refusal": part.refusal},
}


# Content


def load_content(content: str | list[Wire] | None, profile: ChatProfile) -> Any:
    """Load text, parts or null."""
    if type(content) is not list:
        return content
    parts = [load_part(part, profile) for part in content]
    return [as_text(part) for part in parts] if profile.reasoning == "content" else parts


def load_reasoned(content: str | list[Wire] | None, profile: ChatProfile) -> Any:
    """Load the content of an assistant message, which may have reasoning among its parts."""
    if type(content) is not list:
        return content
    return [load_listed(part, profile.issuer) or as_text(load_part(part, profile)) for part in content]


def dump_content(content: str | tuple[Part, ...], path: str, at: str, d: ChatDump, role: str) -> Any:
    """Dump content as text or list, by the profile; None if all of it had to be left out."""
    if isinstance(content, str):
        return content if d.exact or d.content != "list" else [{"type": "text", "text": content}]
    return dump_parts([(f"{path}/content/{i}", part) for i, part in enumerate(content)], at, d, role)


def dump_parts(
    parts: Pointed,
    at: str,
    d: ChatDump,
    role: str,
    moved: Mapping[str, str] | None = None,
    *,
    as_text: bool = False,
    before: int = 0,
) -> Any:
    """Dump parts, each with its pointer, as the content of the message at `at`; None if every part had to be left out.

    `moved` has, by pointer, why a part changes its place. If `as_text`, text alone becomes one string.
    `before` is the number of parts that precede these in the content.
    """
    joined = as_text or ((d.content == "string" or role in d.profile.string_roles) and _is_text(parts, role, d))
    place = f"{at}/content"
    written: list[Wire] = []
    origins: list[str] = []
    for path, part in parts:
        here = place if joined else f"{place}/{before + len(written)}"
        out = dump_part(part, path, here, d, role)
        if out is not None:
            if moved and path in moved:
                d.report("moved", path, here, moved[path])
            written.append(out)
            origins.append(path)
    if not written and not d.exact:
        return None
    if not joined:
        return written
    # The text of these is sent instead, which is reported.
    as_texts = {"opaque", "file"} if d.profile.refusals else {"opaque", "file", "refusal"}
    reported = {path: part.type for path, part in parts if part.type in as_texts}
    return join_texts(written, origins, reported, place, d)


def has_place(part: Any, role: str, d: ChatDump) -> bool:
    """Whether any of a part is written in a message of `role`."""
    return part.type == "text" or not isinstance(form_of(part, role, d), str)


def _is_text(parts: Pointed, role: str, d: ChatDump) -> bool:
    """Whether parts become text alone, which is written as one string."""
    return not (d.exact or any(_is_listed(part, role, d) for _, part in parts))


def _is_listed(part: Any, role: str, d: ChatDump) -> bool:
    """Whether a part becomes something other than text, so that content must be a list."""
    if part.type in ("text", "json"):
        return False
    form = form_of(part, role, d)
    return not isinstance(form, str) and (form.get("type") != "text" or type(form.get("text")) is not str)
