"""Which fragments of blocks of reasoning in a stream can be read."""

from __future__ import annotations

from ...codec.fields import Wire
from ...model.base import Json
from .open_choice import OpenChoice
from .profiles import REASONING_TEXTS
from .reasoning import DETAIL_FIELDS

ENCRYPTED = ("redacted_thinking", "reasoning.encrypted")
BLOCK_TYPES = {"thinking_blocks": ("thinking", "redacted_thinking"), "reasoning_details": tuple(DETAIL_FIELDS)}
"""The types of blocks that can be read, by the field that has the blocks."""
TEXT_FIELDS = {"thinking": "thinking", "redacted_thinking": "data", **DETAIL_FIELDS}
"""The field, by block type, of the text or the encrypted data."""
REASONING_FORMS = (frozenset(REASONING_TEXTS), frozenset(BLOCK_TYPES))
"""The fields of reasoning text, and those of blocks; a message has each form in one of its fields, or repeats it."""
REASONING_FIELDS = REASONING_FORMS[0] | REASONING_FORMS[1]


def are_read(blocks: Json, choice: OpenChoice) -> bool:
    """Whether all `thinking_blocks` of a delta are read."""
    if type(blocks) is not list or choice.blocks.field not in (None, "thinking_blocks"):
        return False
    return all(is_fragment(raw, "thinking_blocks") for raw in blocks)


def is_fragment(raw: Json, key: str) -> bool:
    """Whether an entry of a field of blocks can be read."""
    kind: Json = raw.get("type") if type(raw) is dict else None
    if type(raw) is not dict or type(kind) is not str or kind not in BLOCK_TYPES[key]:
        return False
    text = raw.get(TEXT_FIELDS[kind])
    return type(text) is str or (text is None and kind not in ENCRYPTED)


def text_of(raw: Wire) -> str:
    """The readable text of a fragment."""
    return "" if raw["type"] in ENCRYPTED else raw.get(TEXT_FIELDS[raw["type"]]) or ""
