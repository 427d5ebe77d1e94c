"""Load messages, and dump what a message has besides its content, and the system text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...codec.fields import FieldReader, Wire
from ...codec.turns import Turns
from .base import FAMILY, ConverseDump
from .blocks import dump_block, dump_call, dump_result, load_block
from .caching import load_list, mark_last

ROLES = frozenset({"user", "assistant", "system"})


def load_message(wire: Wire) -> dict[str, Any]:
    """Load a message; one of an unknown role is kept whole."""
    if wire["role"] not in ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    out = {"role": wire["role"], "content": load_list(wire["content"], load_block)}
    reader = FieldReader(wire, *out)
    if out["role"] == "system":
        reader.spelling["system"] = "message"
    return reader.keep(out, FAMILY)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: ConverseDump) -> None:
    """Write the name, cache mark and provider data of a message, or of the system text; a result's are already written."""
    if "toolResult" in out:
        return
    if message.name is not None:
        d.drop(path + "/name", "Converse messages have no `name` field")
    key = "system" if "system" in out else "content"
    if message.cache_control is not None:
        mark_last(message, out.get(key, []), path, f"{at}/{key}", d)
    if key == "system":
        d.drop_fields(message, path)
    else:
        d.lay_provider_data(message, out, path)


TURNS = Turns(
    part=dump_block,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=lambda text: {"text": text},
    later_system=True,
    blank=str.isspace,
    joins="role",
)
_SYSTEM = replace(TURNS, content="system")


def dump_system(out: Wire, d: ConverseDump, lifted: Sequence[Any]) -> None:
    """Write leading system messages to the `system` field, which is a list of blocks."""
    holder: Wire = {"system": []}
    _SYSTEM.lift(lifted, holder, "", "/system", d)
    if holder["system"] or d.rules_for(lifted[0]).exact:
        out |= holder
