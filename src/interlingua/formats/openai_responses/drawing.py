"""Images in other providers' answers, written as the items that the image tool of the Responses API leaves."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.magic import image_type_of
from ...model.parts import OpaquePart
from .base import FAMILY, ItemsDump

DRAWN = "image_generation_call"


def as_drawn(part: Any, path: str, d: ItemsDump) -> Any:
    """The item in place of an image in an answer of another provider, which is reported; any other part as it is.

    An item has the image in base64 and no media type, which readers tell by its first bytes.
    """
    fields: Wire = part.__dict__  # a flat call has no type
    if fields.get("type") != "image" or part.source.type != "base64" or d.exact:
        return part
    source = part.source
    if source.media_type != image_type_of(source.data):
        return part
    d.report("changed", path, None, f"an image in an answer becomes an item of type {DRAWN}, as if a tool had made it")
    d.drop_named(part, path, "detail", "cache_control")
    d.drop_unplaced(part, path)
    item: Wire = {"type": DRAWN, "result": source.data}
    d.lay_provider_data(part, item, path)
    return OpaquePart(format=FAMILY, value=item)
