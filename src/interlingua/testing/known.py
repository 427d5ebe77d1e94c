"""What the formats' providers alone know, as far as canonical values may have it."""

from __future__ import annotations

from ..codec.format import Format
from ..codec.strategies.wire import Known
from ..formats import FORMATS


def known_to(format: Format) -> Known:
    """What the provider of a format knows."""
    return Known() if format.strategies is None else format.strategies().known


_KNOWN = {each: known_to(each) for each in FORMATS.values()}

ISSUERS = tuple(dict.fromkeys(known.issuer for known in _KNOWN.values() if known.issuer))
"""Who gives signatures and file ids."""
THINKERS = tuple(dict.fromkeys(known.issuer for known in _KNOWN.values() if known.thinks))
"""Those of them who sign reasoning."""
FAMILIES = (*dict.fromkeys(format.family for format, known in _KNOWN.items() if known.data), "else")
"""Families with provider data, and another."""
REASONING_FORMATS = tuple(dict.fromkeys(known.reasoning_format for known in _KNOWN.values() if known.reasoning_format))
"""Spellings of the format of reasoning."""
