"""Every format, dialects included, by name: the one table."""

from __future__ import annotations

from types import MappingProxyType

from ..codec.format import Dump, Format
from ..errors import UnknownFormat
from . import anthropic, openai_chat, openai_completions

FORMATS = MappingProxyType(
    {**openai_chat.DIALECTS, **anthropic.DIALECTS, openai_completions.FORMAT.name: openai_completions.FORMAT}
)
"""Every format by name."""


def format_of(format: str | Format) -> Format:
    """The format that a caller named; raises `UnknownFormat`."""
    if isinstance(format, Format):
        return format
    try:
        return FORMATS[format]
    except (KeyError, TypeError):
        raise UnknownFormat(str(format), FORMATS) from None


def new_dump(target: Format, origin: str | None) -> Dump:
    """A dump of what was loaded from the format named `origin`, or of what was built by hand."""
    made: Dump = target.new_dump(target, FORMATS.get(origin or ""), same_format=origin == target.name, formats=FORMATS)
    return made
