"""Images in other providers' answers, written as the items that the image tool of the Responses API leaves."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.magic import image_type_of
from ...codec.media import read_data_uri
from ...model.parts import OpaquePart
from .base import FAMILY, ItemsDump

DRAWN = "image_generation_call"


def as_drawn(part: Any, path: str, d: ItemsDump) -> Any:
    """The item in place of an image in an answer of another provider, which is reported; any other part as it is.

    An item has the image in base64 and no media type, which readers tell by its first bytes.
    """
    data = None if d.exact else _data_of(part)
    if data is None:
        return part
    d.report("changed", path, None, f"an image in an answer becomes an item of type {DRAWN}, as if a tool had made it")
    d.drop_named(part, path, "detail", "cache_control")
    if part.type == "image_url":
        d.drop_named(part.image_url, path + "/image_url", "detail")
        d.drop_fields(part.image_url, path + "/image_url")
    d.drop_unplaced(part, path)
    item: Wire = {"type": DRAWN, "result": data}
    d.lay_provider_data(part, item, path)
    return OpaquePart(format=FAMILY, value=item)


def _data_of(part: Any) -> str | None:
    """The base64 of an image whose first bytes show its media type; None for any other part."""
    kind = part.__dict__.get("type")  # a flat call has no type
    if kind not in ("image", "image_url"):
        return None
    source = read_data_uri(part.image_url.url) if kind == "image_url" else part.source
    if source is None or source.type != "base64" or source.media_type != image_type_of(source.data):
        return None
    return str(source.data)
