"""The second copy of Claude's reasoning blocks in LiteLLM's answers, in `provider_specific_fields` (litellm 1.106.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...model.base import Json
from .base import to_json

if TYPE_CHECKING:
    from typing import Any

    from ...model import events as e
    from .open_choice import OpenChoice
    from .written import WrittenChoice, WrittenStream

HOLDER = "provider_specific_fields"
"""The field that has the copy."""
_BLOCKS = "thinking_blocks"
_TWICE = "twice"


def repeats_blocks(message: Wire) -> bool:
    """Whether a message or delta has equal reasoning blocks in both places."""
    blocks: Json = message.get(_BLOCKS)
    beside: Json = message[HOLDER]
    again: Json = beside.get(_BLOCKS) if type(beside) is dict else None
    return bool(blocks) and blocks == again and to_json(blocks) == to_json(again)


def know_copy(fields: FieldReader) -> None:
    """Take the copy, if the blocks themselves were read and are equal; fields that are all null say nothing."""
    if _BLOCKS not in fields.rest and repeats_blocks(fields.wire):
        fields.know_inside(HOLDER, _BLOCKS, standalone=True)
        fields.spelling["blocks"] = _TWICE
        return
    beside: Json = fields.wire[HOLDER]
    if type(beside) is dict and beside and all(value is None for value in beside.values()):
        fields.left(HOLDER, beside, standalone=True)


def write_copy(message: Any, out: Wire) -> None:
    """Write the blocks of a message a second time, if it had them twice."""
    if spelling(message, "blocks") == _TWICE and _BLOCKS in out:
        out[HOLDER] = {_BLOCKS: copy_wire(out[_BLOCKS])}


def read_once(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> Wire:
    """A delta without the copy, which is recorded; unchanged if the message's blocks are read from another field."""
    if choice.blocks.field not in (None, _BLOCKS):
        return delta
    if not choice.blocks.twice:
        choice.blocks.twice = True
        events.append(choice.spelled("blocks", _TWICE))
    beside = {key: value for key, value in delta[HOLDER].items() if key != _BLOCKS}
    return delta | {HOLDER: beside or None}


def with_copy(s: WrittenStream, choice: WrittenChoice, delta: Wire) -> Wire:
    """A delta with its blocks a second time, if the message had them twice."""
    if s.same_format and choice.spelled.get("blocks") == _TWICE and _BLOCKS in delta:
        delta[HOLDER] = {_BLOCKS: copy_wire(delta[_BLOCKS])}
    return delta
