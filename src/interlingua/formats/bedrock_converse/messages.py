"""The maps of messages, and of the system text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.turns import Turns
from .base import FAMILY, ConverseDump, refuse_field
from .blocks import dump_block, dump_call, dump_result, load_block
from .caching import load_list, mark_last

ROLES = frozenset({"user", "assistant", "system"})


def load_message(wire: Wire) -> dict[str, Any]:
    """A message; one of an unknown role is kept whole."""
    if wire["role"] not in ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    out = {"role": wire["role"], "content": load_list(wire["content"], load_block)}
    if len(wire) == 2 and out["role"] != "system":
        return out  # most messages
    reader = FieldReader(wire, *out)
    if out["role"] == "system":
        reader.spelling["system"] = "message"
    return reader.keep(out, FAMILY)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: ConverseDump, accepts: Any = None) -> None:
    """Name, cache mark and provider data of a message with content at `at`; a result has its own written already."""
    if "toolResult" in out:
        return
    if message.name is not None:
        d.drop(path + "/name", "messages have no name here")
    if message.cache_control is not None:
        mark_last(message, out["content"], path, at if accepts is not None else at + "/content", d)
    if message.provider_data is not None:
        d.lay_provider_data(message, out, path, accepts)


def _text(text: str) -> Wire:
    return {"text": text}


def _keeps(message: Any, d: ConverseDump) -> bool:
    """Whether a system message after the first messages stays one."""
    native = spelling(message, "system") == "message" if d.exact else d.profile.system_in_conversation
    return bool(message.role == "system" and native)


TURNS = Turns(
    family=FAMILY,
    part=dump_block,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=_text,
    keeps=_keeps,
    blank=str.isspace,
    joins=True,
    alternates=True,
)


def _dump_system_frame(message: Any, held: Wire, path: str, at: str, d: ConverseDump) -> None:
    """What a system message has besides its content."""
    dump_frame(message, {"content": held["system"]}, path, "/system", d, accepts=refuse_field)


_SYSTEM = replace(TURNS, content="system", frame=_dump_system_frame)


def dump_system(out: Wire, d: ConverseDump, lifted: Sequence[Any]) -> None:
    """Write leading system messages to the `system` field, which is a list of blocks."""
    held: Wire = {"system": []}
    _SYSTEM.lift(lifted, held, "", "/system", d)
    if held["system"] or d.rules_for(lifted[0]).exact:
        out["system"] = held["system"]
