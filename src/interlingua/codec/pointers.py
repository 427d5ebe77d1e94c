"""Where a wire request holds what a pointer into its canonical form points at.

One walk follows the pointer and the wire together. A table for each format says what canonical fields are called on the wire.
Where a format has several spellings of a field, the table names them all, and the wire tells which one it has. A pointer to
something inside a text or a number means that text or number.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..model.base import Json
from .fields import Wire, join

Names = Mapping[str, str | tuple[str, ...]]
"""What canonical fields are called on the wire: `path/to/field`, or each of several spellings."""

_SAME: Mapping[str, Any] = MappingProxyType({})


class Kind(NamedTuple):
    """One kind of owner: its fields that have another name on the wire, and the owners in it."""

    names: Names = _SAME
    owners: Mapping[str, str] = _SAME
    """The kind of the owners (or the one owner) in a canonical field."""


def pointers(kinds: Mapping[str, Kind], system: str | None = None) -> Callable[[Wire, str], str]:
    """The `locate` of a format; `kinds` has an entry for `request` and for each kind of owner in it.

    `system` is the field that holds the system text, which is the first canonical message.
    """
    requests = kinds["request"]
    moved = {name.partition("/")[0] for name in (*requests.names, *requests.owners)}

    def locate(wire: Wire, pointer: str) -> str:
        tokens = pointer.split("/")[1:]
        if len(tokens) == 1 and tokens[0] not in moved:
            return pointer  # most settings
        if tokens[:1] == ["provider_data"]:
            return join(tokens[2:])
        if len(tokens) > 1 and tokens[0] == "messages" and system is not None and wire.get(system) is not None:
            if tokens[1] == "0":
                return _in_system(kinds, wire[system], tokens, "/" + system)
            tokens[1] = str(int(tokens[1]) - 1)
        return walk(kinds, "request", wire, tokens, "")

    return locate


def _in_system(kinds: Mapping[str, Kind], held: Json, tokens: Sequence[str], out: str) -> str:
    """A pointer into the first message, whose content is the value of the field of the system text."""
    if type(held) is not list or len(tokens) < 4:
        return out
    return walk(kinds, kinds["message"].owners["content"], held[int(tokens[3])], tokens[4:], f"{out}/{tokens[3]}")


def walk(kinds: Mapping[str, Kind], kind: str, held: Json, tokens: Sequence[str], out: str) -> str:
    """Where an owner of this kind, which stands at `out`, has what the rest of a pointer points at."""
    while tokens:
        names, owners = kinds.get(kind, Kind())
        if tokens[0] not in owners:
            return _field(held, tokens, names, out)
        kind = owners[tokens[0]]
        out, value = _find(held, names.get(tokens[0], tokens[0]), out)
        held = value
        index = tokens[1] if len(tokens) > 1 and tokens[1].isdigit() else ""
        if type(held) is list and index:
            held = held[int(index)] if int(index) < len(held) else None
            out += "/" + index
        elif type(held) is not dict:
            return _inside(held, tokens[1:], out)
        tokens = tokens[2 if index else 1 :]
    return out


def _field(owner: Json, tokens: Sequence[str], names: Names, out: str) -> str:
    """A field of an owner, or something inside one."""
    if tokens[0] == "provider_data":
        return out + join(tokens[2:])
    if tokens[0] == "value":  # of what is kept verbatim
        return out + join(tokens[1:])
    length = 2 if "/".join(tokens[:2]) in names else 1
    out, held = _find(owner, names.get("/".join(tokens[:length]), tokens[0]), out)
    return _inside(held, tokens[length:], out)


def _find(owner: Json, spellings: str | tuple[str, ...], out: str) -> tuple[str, Any]:
    """The first spelling that the owner has, and its value; where it has none, the one that it has most of."""
    found: list[tuple[int, str]] = []
    for path in (spellings,) if isinstance(spellings, str) else spellings:
        held: Json = owner
        depth = 0
        for token in path.split("/"):
            held = held.get(token) if type(held) is dict else None
            depth += held is not None
        if held is not None:
            return f"{out}/{path}", held
        found.append((depth, path))
    deepest = max(depth for depth, _ in found)
    return next(f"{out}/{path}" for depth, path in reversed(found) if depth == deepest), None


def _inside(held: Json, tokens: Sequence[str], out: str) -> str:
    """The rest of a pointer, which ends at a text, a number or a truth value."""
    return out if type(held) in (str, int, float, bool) else out + join(tokens)
