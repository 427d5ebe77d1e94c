"""The maps of messages, which are contents here: how one is read, and what it has besides its parts."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from ...codec.fields import Wire, spelling
from ...codec.turns import Turns
from ...model.base import Json
from .base import FAMILY, GeminiDump, WireReader
from .parts import NO_MARKS, dump_call, dump_part, dump_result, lay_provider_data, load_part

_ROLES: dict[Any, str] = {"user": "user", "model": "assistant", None: "user", "function": "user"}


def load_content(wire: Wire | str) -> dict[str, Any]:
    """A message; one of an unknown role is kept whole."""
    if isinstance(wire, str):
        return {"role": "user", "content": [{"type": "text", "text": wire}], "wire": {"spelling": {"content": "text"}}}
    role = wire.get("role")
    if role not in _ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    return load_body(WireReader(wire), _ROLES[role], ("user", "model"))


def load_body(reader: WireReader, role: str, usual: Container[str]) -> dict[str, Any]:
    """The parts of a content as a message of this role, which is spelled in one of the usual ways or another."""
    word = reader.take("role")
    reader.known.add("role")
    if word not in usual:
        reader.spelling["role"] = word if word is not None else "<null>" if "role" in reader.wire else "<absent>"
    parts: Json = reader.take("parts")
    if type(parts) is not list:
        reader.spelling["parts"] = "object" if parts is not None else "null" if "parts" in reader.wire else "absent"
        reader.known.add("parts")
        parts = [] if parts is None else [parts]
    return reader.keep({"role": role, "content": [load_part(part) for part in parts]}, FAMILY)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: GeminiDump) -> None:
    """Name, cache mark and provider data of a message."""
    if message.name is not None and message.role != "tool":
        d.drop(path + "/name", "messages have no name here")
    if message.cache_control is not None:
        d.drop(path + "/cache_control", NO_MARKS)
    if message.provider_data is not None:
        lay_provider_data(message, out, path, d, ())


def respell(message: Any, out: Wire) -> None:
    """Spell the role and the parts of a content that is written exactly as they were."""
    role, parts = spelling(message, "role"), spelling(message, "parts")
    if role is not None:
        out["role"] = None if role == "<null>" else role
    if role == "<absent>":
        del out["role"]
    if parts == "object" and len(out["parts"]) == 1:
        out["parts"] = out["parts"][0]
    elif parts in ("absent", "null") and not out["parts"]:
        out["parts"] = None
        if parts == "absent":
            del out["parts"]


TURNS = Turns(
    family=FAMILY,
    part=dump_part,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=lambda text: {"text": text},
    messages="contents",
    content="parts",
    roles={"user": "user", "assistant": "model"},
)


def respell_all(messages: Sequence[Any], out: list[Any], d: GeminiDump) -> None:
    """Spell the contents of native messages as they were."""
    for i, written in enumerate(out):
        index = d.places.get(f"/contents/{i}", "").rpartition("/")[2]
        message = messages[int(index)] if index else None
        if message is None or message.role not in ("user", "assistant") or message.wire is None:
            continue
        if message.wire.spelling is not None and d.rules_for(message).exact:
            respell(message, written)
            if spelling(message, "content") == "text" and written == {"role": "user", "parts": [{"text": message.text}]}:
                out[i] = message.text
