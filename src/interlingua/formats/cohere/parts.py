"""Load and dump content parts: each `dump_x` undoes its `load_x`.

The role of a message decides which parts it may have. A part of any other kind is kept whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...codec.image_files import image_of_file, report_image
from ...codec.media import EMPTY, fit_uri, image_by_url, image_url_part, is_empty
from ...codec.readable import readable_text, send_as_text
from ...codec.text_files import file_as_text, text_of_file
from ...model.base import Json
from ...model.parts import to_json
from .base import FAMILY, keep_whole

Pointed: TypeAlias = list[tuple[str, Any]]
"""Parts, calls or texts, each with its pointer."""

PART_TYPES: Mapping[str, frozenset[str]] = {
    "system": frozenset({"text"}),
    "user": frozenset({"text", "image_url"}),
    "assistant": frozenset({"text", "thinking"}),
    "tool": frozenset({"text", "document"}),
}
"""The types of the parts that a message of each role may have."""

REACHABLE = ("http:", "https:", "data:")
"""How the URL of an image begins."""


def load_content(content: str | list[Wire], role: str) -> str | list[dict[str, Any]]:
    """Load text, or parts."""
    return content if isinstance(content, str) else [load_part(part, role) for part in content]


def load_part(wire: Wire, role: str) -> dict[str, Any]:
    """Load a part of a message of `role`; one without a canonical form in that role is kept whole."""
    kind: str = wire["type"]
    if kind not in PART_TYPES[role]:
        return keep_whole(wire)
    if kind == "text" and len(wire) == 2:
        return wire  # true of most parts
    fields = FieldReader(wire, "type")
    return fields.keep(_LOADERS[kind](fields), FAMILY)


def dump_part(part: Any, path: str, at: str, d: Dump, role: str) -> Wire | None:
    """Dump a part for a message of `role`; None, with a report, if it has no place there."""
    out: Wire | str = _dump_text(part, role, d) if part.type == "text" else _form_of(part, role, d)
    if isinstance(out, str):
        return d.refuse(path, out)
    d.places[at] = path
    if part.type == "refusal":
        d.report("changed", path, at, "Cohere has no refusals: the refusal becomes text")
    elif part.type == "opaque":
        send_as_text(part, path, at, d)
    elif part.type == "file" and out["type"] == "image_url":
        report_image(part, path, at, d)
        fit_uri(part, out, ("image_url", "url"), path, at, d)
    elif part.type == "file":
        file_as_text(part, path, at, d)
    elif not d.exact:
        fit_uri(part, out, ("image_url", "url"), path, at, d)
    placed = ("citations",) if role == "assistant" else ()
    finish_part(part, out, path, d, *placed)
    return out


def finish_part(part: Any, out: Wire, path: str, d: Dump, *placed: str) -> None:
    """Write and report the fields of a part besides its content; `placed` are the fields that are written elsewhere."""
    if not d.exact:
        d.drop_unplaced(part, path, *placed)
    if part.type == "thinking" and part.summary is not None:
        d.report("changed", path, None, "Cohere does not mark reasoning as a summary")
    if part.cache_control is not None:
        d.drop(path + "/cache_control", "Cohere has no cache marks")
    if part.provider_data is not None:
        d.lay_provider_data(part, out, path)


def _form_of(part: Any, role: str, d: Dump) -> Wire | str:
    """The form of a part other than text in a message of `role`, or why it has no place there."""
    kind = part.type
    if kind == "opaque":
        return copy_wire(part.value) if part.format == FAMILY else _form_of_foreign(part, d)
    if kind == "json":
        return _dump_json(part.value, role)
    if kind == "thinking" and role == "assistant":
        if part.thinking or d.exact:
            return {"type": "thinking", "thinking": part.thinking}
        return "empty reasoning is left out"
    if kind == "refusal" and role == "assistant":
        return {"type": "text", "text": part.refusal}
    if kind in ("image", "image_url", "file") and not d.exact and is_empty(part):
        return EMPTY
    if kind in ("image", "image_url") and role == "user":
        return _reachable(_dump_image(part, d), d)
    if kind == "file" and role == "user" and (image := image_of_file(part, d)) is not None:
        return _reachable(image_by_url(image), d)
    if (text := text_of_file(part, d)) is not None:
        return {"type": "text", "text": text}
    return f"Cohere does not take {kind.replace('_', ' ')} parts in a message of role {role}"


def _form_of_foreign(part: Any, d: Dump) -> Wire | str:
    text = readable_text(part, d)
    return d.no_place_for(part, "part") if text is None else {"type": "text", "text": text}


# Each type of part


def _load_text(fields: FieldReader) -> dict[str, Any]:
    return {"type": "text", "text": fields.take("text")}


def _dump_text(part: Any, role: str, d: Dump) -> Wire:
    if role == "tool" and d.exact and spelling(part, "text") == "document":
        return {"type": "document", "document": {"data": part.text}}
    return {"type": "text", "text": part.text}


def _load_thinking(fields: FieldReader) -> dict[str, Any]:
    return {"type": "thinking", "thinking": fields.take("thinking")}


def _load_image(fields: FieldReader) -> dict[str, Any]:
    image = FieldReader(fields.take("image_url"))
    out: dict[str, Any] = {}
    image.move_typed(out, str, "url", "detail")
    return {"type": "image_url", "image_url": image.keep(out, FAMILY)}


def _dump_image(part: Any, d: Dump) -> Wire | str:
    if part.type == "image_url":
        image = image_url_part(part.image_url.url, part.image_url.detail)
        d.lay_provider_data(part.image_url, image["image_url"], "")
        return image
    return image_by_url(part)


def _reachable(image: Wire | str, d: Dump) -> Wire | str:
    """The object for an image, or why Cohere cannot read its URL."""
    if isinstance(image, str) or d.exact or image["image_url"]["url"].lower().startswith(REACHABLE):
        return image
    return "an image must have a URL that begins with http: or https:, or base64 data"


def _load_document(fields: FieldReader) -> dict[str, Any]:
    """Load a document in a result: its data are JSON, or a text, and its id is in a field beside them."""
    data = fields.inside("document").take("data")
    if type(data) is not str:
        return {"type": "json", "value": data}
    fields.spelling["text"] = "document"
    return {"type": "text", "text": data}


def _dump_json(value: Json, role: str) -> Wire:
    """Dump JSON as a document, if it is an object, or as text."""
    if role == "tool" and type(value) is dict:
        return {"type": "document", "document": {"data": copy_wire(value)}}
    return {"type": "text", "text": to_json(value)}


_LOADERS: Mapping[str, Callable[[FieldReader], dict[str, Any]]] = {
    "text": _load_text,
    "thinking": _load_thinking,
    "image_url": _load_image,
    "document": _load_document,
}
