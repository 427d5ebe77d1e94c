"""The second copy of Claude's reasoning blocks in LiteLLM's answers, in `provider_specific_fields` (litellm 1.106.2)."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType

from ...codec.fields import FieldReader, Wire, copy_wire
from ...model.base import Json

HOLDER = "provider_specific_fields"
"""The field that has the copy."""
_BLOCKS = "thinking_blocks"
TWICE = "twice"
"""The recorded spelling of blocks that a message has in both places."""
_DEEPEST = 8
"""How deep the fields of a block may be nested for it to be compared with its copy."""
_COMPARED = (str, int, bool, NoneType)
"""The types of values that are compared; equal numbers of other types may be written differently."""


def repeats_blocks(message: Wire) -> bool:
    """Whether a message or delta has equal reasoning blocks in both places."""
    blocks: Json = message.get(_BLOCKS)
    beside: Json = message[HOLDER]
    return bool(blocks) and type(beside) is dict and _is_same(blocks, beside.get(_BLOCKS), _DEEPEST)


def _is_same(one: Json, other: Json, depth: int) -> bool:
    """Whether two values are written the same; not if they are nested deeper than `depth`."""
    if depth == 0:
        return False
    if type(one) is dict and type(other) is dict:
        return list(one) == list(other) and _are_same([*one.values()], [*other.values()], depth)
    if type(one) is list and type(other) is list:
        return _are_same(one, other, depth)
    return type(one) is type(other) and type(one) in _COMPARED and one == other


def _are_same(some: Sequence[Json], others: Sequence[Json], depth: int) -> bool:
    return len(some) == len(others) and all(_is_same(*pair, depth - 1) for pair in zip(some, others, strict=True))


def know_copy(fields: FieldReader) -> None:
    """Take the copy, if the blocks themselves were read and are equal; fields that are all null say nothing."""
    if _BLOCKS not in fields.rest and repeats_blocks(fields.wire):
        fields.know_inside(HOLDER, _BLOCKS, standalone=True)
        fields.spelling["blocks"] = TWICE
        return
    beside: Json = fields.wire[HOLDER]
    if type(beside) is dict and beside and all(value is None for value in beside.values()):
        fields.left(HOLDER, beside, standalone=True)


def repeat_blocks(out: Wire, spelled: Json) -> Wire:
    """Write the blocks of a message or delta a second time, if the spelling says that there was a copy."""
    if spelled == TWICE and _BLOCKS in out:
        out[HOLDER] = {_BLOCKS: copy_wire(out[_BLOCKS])}
    return out


def without_copy(delta: Wire) -> Wire:
    """A delta without the copy of its blocks, and without the field that had it if there was nothing else."""
    beside = {key: value for key, value in delta[HOLDER].items() if key != _BLOCKS}
    rest = {key: value for key, value in delta.items() if key != HOLDER}
    return rest | {HOLDER: beside} if beside else rest
