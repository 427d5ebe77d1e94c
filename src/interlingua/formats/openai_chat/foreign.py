"""Parts that only another provider has: those with a text are sent as text, and references to tools as the host has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...codec.fields import Wire
from ...codec.hosted.references import KIND, reference_of, write_reference
from ...codec.readable import media_in, readable_text, send_as_media, send_as_text
from .base import LONGEST_NAME, ChatDump


def form_of_foreign(part: Any, role: str, form_of: Callable[[Any, str, ChatDump], Wire | str], d: ChatDump) -> Wire | str:
    """The form of another provider's part in a message of `role`, or why it has no place there."""
    if (media := media_in(part, d)) is not None:
        return form_of(media, role, d)
    if (text := readable_text(part, d)) is not None:
        return {"type": "text", "text": text}
    if role == "tool" and reference_of(part, d) is not None:
        return {"type": KIND}  # its name is decided when it is written
    return d.no_place_for(part, "part")


def finish_foreign(part: Any, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Write the name of a reference to a tool, and report what changes."""
    if send_as_media(part, path, at, d, "image", "audio") is not None:
        return
    if send_as_text(part, path, at, d) is None and out.keys() == {"type"}:
        out |= write_reference(part, path, at, d, LONGEST_NAME) or {}
