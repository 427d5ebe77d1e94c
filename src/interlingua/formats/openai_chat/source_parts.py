"""Images and documents with a `source`, as Anthropic has them, in a Chat message: gateways pass them on to Claude.

(litellm 1.110.2, `anthropic_messages_pt`; Helicone's `toAnthropic`.)
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...model.base import Json
from .base import ChatDump

_FIELDS = {"base64": ("media_type", "data"), "url": ("url",), "text": ("media_type", "data")}
"""The fields of each type of source besides its type, all of them texts."""
_SOURCES = {"image": ("base64", "url"), "document": ("base64", "url", "text")}
"""The types of sources of each type of part."""
_WORD = "source"
"""The spelling of the media of such a part."""


def _load(fields: FieldReader) -> dict[str, Any] | None:
    """Load an image or a document; None if its source cannot be read."""
    kind: str = fields.wire["type"]
    source: Json = fields.wire.get("source")
    if type(source) is not dict or not all(type(value) is str for value in source.values()):
        return None
    word: Json = source.get("type")
    if word not in _SOURCES[kind] or source.keys() != {"type", *_FIELDS[str(word)]}:
        return None
    fields.know("source")
    fields.spelling["media"] = _WORD
    loaded = {"text" if word == "text" and key == "data" else key: value for key, value in source.items()}
    out: dict[str, Any] = {"type": "image" if kind == "image" else "file", "source": loaded}
    if kind == "document":
        fields.move_typed(out, str, title="filename")
    return out


LOADERS = dict.fromkeys(_SOURCES, _load)
"""The loader of each type of part."""


def _kind_of(part: Any) -> str:
    """The type that Anthropic has for an image or a file."""
    return "image" if part.type == "image" else "document"


def has_source(part: Any) -> bool:
    """Whether a part was loaded from one with a `source`, and has a source that can be written there."""
    is_known = spelling(part, "media") == _WORD and part.source.type in _SOURCES[_kind_of(part)]
    return is_known and None not in _written(part.source).values()


def source_form(part: Any, d: ChatDump) -> Wire | None:
    """The image or the document as it was; None for parts that were written otherwise, or go to another format."""
    if not (d.exact and has_source(part)):
        return None
    out: Wire = {"type": _kind_of(part), "source": _written(part.source)}
    return out if part.type == "image" or part.filename is None else out | {"title": part.filename}


def _written(source: Any) -> Wire:
    """A source as Anthropic has it."""
    if source.type == "url":
        return {"type": "url", "url": source.url}
    data = source.text if source.type == "text" else source.data
    return {"type": source.type, "media_type": source.media_type, "data": data}


def unplaced(part: Any, d: ChatDump) -> frozenset[str]:
    """The fields of a document that have no place in the part of another type that is sent for it."""
    return frozenset() if d.exact or spelling(part, "media") != _WORD else _OF_DOCUMENTS


_OF_DOCUMENTS = frozenset({"citations", "context"})
