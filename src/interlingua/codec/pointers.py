"""Where a wire request holds what a pointer into its canonical form points at: one walk, and a table for each format.

The walk goes along the pointer and through the wire at once. A table says what a canonical field is called on the wire; where
a format has several spellings it names them all, and the wire tells which one it has. What a pointer says beyond a text or a
number is about that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..model.base import Json
from .fields import Wire, join

Names = Mapping[str, str | tuple[str, ...]]
"""What canonical fields are called on the wire: `path/to/field`, or the several ways that it is spelled."""

_NONE: Mapping[str, Any] = MappingProxyType({})


class Within(NamedTuple):
    """What stands in an owner: its fields that have another name, and the owners in it."""

    names: Names = _NONE
    owners: Mapping[str, str] = _NONE
    """The kind of the owners (or the one) under a canonical field."""
    shift: Mapping[str, int] = _NONE
    """How many of the canonical owners in a list come before those that are in the wire's."""


_PLAIN = Within()


def pointers(
    kinds: Mapping[str, Within],
    lifted: tuple[str, ...] = (),
    respell: Callable[[str], str] | None = None,
    places: Mapping[str, Callable[[Wire, int], str]] = _NONE,
    skips: Callable[[Any], bool] | None = None,
) -> Callable[[Wire, str], str]:
    """The `locate` of a format; `kinds` has an entry for `request` and for each kind of owner in it.

    `lifted` is where the system text stands that is the first message: its field, and that of its content if it has one.
    `respell` is another spelling that any field may have. `places` tells where an owner of the request is that is not at
    its index of a list. `skips` tells what stands in the lists of the wire and is no owner.
    """
    renamed = respell or skips or "messages" in kinds["request"].names or "content" in kinds["message"].names

    def locate(wire: Wire, pointer: str) -> str:
        tokens = pointer.split("/")[1:]
        held: Json = wire
        kind, out, at, end = "request", "", 0, len(tokens)
        if lifted and end > 1 and tokens[0] == "messages":
            out, held = find(wire, lifted[:1], "")
            if held is None:
                out, held = "", wire
            elif tokens[1] != "0":
                tokens[1] = str(int(tokens[1]) - 1)
                out, held = "", wire
            elif len(lifted) > 1:
                kind, at = "message", 2
            elif end > 3 and type(held) is list:  # it is its message's content
                tokens[3] = tokens[3] if skips is None else str(_skipping(held, int(tokens[3]), skips))
                kind, out, held, at = kinds["message"].owners["content"], f"{out}/{tokens[3]}", held[int(tokens[3])], 4
            else:
                return out + join(tokens[3:]) if type(held) is list else out
        if not (at or renamed) and (end == 2 or (end == 4 and tokens[2] == "content")) and tokens[0] == "messages":
            return "/" + "/".join(tokens)  # nearly all owners
        while at < end:
            names, owners, shift = kinds.get(kind, _PLAIN)
            head = tokens[at]
            inner = owners.get(head)
            index = tokens[at + 1] if at + 1 < end else ""
            if skips is not None and head == "cache_control":  # it stands behind its owner
                above, _, last = out.rpartition("/")
                return f"{above}/{int(last) + 1}" if last.isdigit() else out
            if inner is None or (index and f"{head}/{index}" in names):
                return field(held, tokens[at:], names, out)
            if index and kind == "request" and head in places:
                out, held = find(held, (places[head](wire, int(index)),), out)
                kind, at = inner, at + 2
                continue
            spelled = names.get(head, head)
            out, held = find(held, (spelled,) if type(spelled) is str else spelled, out)
            if type(held) is list and index.isdigit():
                place = int(index) - shift.get(head, 0)
                if skips is not None:
                    place = _skipping(held, place, skips)
                kind, out, held, at = inner, f"{out}/{place}", held[place] if place < len(held) else None, at + 2
            elif type(held) is dict:
                kind, at = inner, at + (2 if index.isdigit() else 1)
            else:
                return _free(held, tokens[at + 1 :], out)
        return out

    def field(owner: Any, tokens: Sequence[str], names: Names, out: str) -> str:
        """A field of an owner, and what stands in it."""
        head = tokens[0]
        if head == "provider_data":
            return out + join(tokens[2:])
        if head == "value":  # of what is kept whole
            return out + join(tokens[1:])
        length = 2 if len(tokens) > 1 and f"{head}/{tokens[1]}" in names else 1
        spelled = names.get("/".join(tokens[:length]), head)
        place, held = find(owner, (spelled,) if type(spelled) is str else spelled, out)
        return _free(held, tokens[length:], place)

    def find(owner: Any, spellings: Sequence[str], out: str) -> tuple[str, Any]:
        """The first spelling that the owner has, and what stands there; the last one where it has none."""
        only = spellings[0]
        if len(spellings) == 1 and type(owner) is dict and only in owner:
            return f"{out}/{only}", owner[only]  # nearly all fields
        best: tuple[int, str, Any] = -1, out, None
        for spelled in spellings:
            place, held, steps = out, owner, 0
            for token in spelled.split("/"):
                key = token
                if respell is not None and type(held) is dict and token not in held and respell(token) in held:
                    key = respell(token)
                place += "/" + key
                there = key in held if type(held) is dict else type(held) is list and int(key) < len(held)
                held = held[int(key) if type(held) is list else key] if there else None
                steps += there
            rank = steps if held is None else steps + 100
            if rank > best[0] or rank == best[0] < 100:
                best = rank, place, held
        return best[1:]

    return locate


def _skipping(held: list[Any], index: int, skips: Callable[[Any], bool]) -> int:
    """The index in a list of the owner of that number, where not all that stands in it is one."""
    for place, item in enumerate(held):
        if place and skips(item):
            continue
        if index == 0:
            return place
        index -= 1
    return len(held)


def _free(held: Json, tokens: Sequence[str], out: str) -> str:
    """The rest of a pointer, which ends at a text, a number or a truth value."""
    return out if type(held) in (str, int, float, bool) else out + join(tokens)
