"""Building blocks of strategies for streams: text cut into pieces, tracks of deltas that alternate, blocks that grow.

If the random source is a `Hosts`, the streams also have the habits of other hosts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple, TypeVar

from typing_extensions import TypeIs

from ...model.base import Json

Chunk = Any
"""A dict, or the text that marks the end of a stream."""
Track = list[dict[str, Any]]
"""Deltas that keep this order, although others may come between them."""
WholeT = TypeVar("WholeT", str, bytes, list[Any])


class Hosts(Random):
    """A random source for streams as any host may cut them; with any other `Random`, they are cut as the provider cuts them."""


def cut(whole: WholeT, number: int, random: Random) -> list[WholeT]:
    """The pieces of a text or list that is cut in this number of random places."""
    places: list[int] = sorted(random.randint(0, len(whole)) for _ in range(number))
    return [whole[start:end] for start, end in zip([0, *places], [*places, len(whole)], strict=True)]


def pieces(text: str, random: Random, most: int = 6) -> list[str]:
    """The pieces of a text that is cut in random places; some may be empty."""
    return cut(text, random.randint(0, most), random)


def is_list(value: object) -> TypeIs[list[Any]]:
    return isinstance(value, list)


def often(random: Random) -> bool:
    return random.random() < 0.5


def habit(random: Random, chance: float) -> bool:
    """Whether this stream or chunk has a habit of other hosts, with this chance; never without `Hosts`."""
    return isinstance(random, Hosts) and random.random() < chance


def interleave(tracks: list[Track], random: Random) -> Track:
    """The deltas of all tracks in one list; each track keeps its order."""
    waiting: list[Track] = [list(reversed(track)) for track in tracks if track]
    out: Track = []
    while waiting:
        track = random.choice(waiting)
        out.append(track.pop())
        waiting = [track for track in waiting if track]
    return out


# Blocks: each starts, grows by deltas, and stops

Growing = Callable[[dict[str, Any], str, Random], "tuple[Any, list[Any]] | None"]
"""How a field of a block is sent: its value at the start and its pieces, or None if it is sent whole at the start."""


class Growth(NamedTuple):
    """A field of a block that comes in deltas."""

    field: str
    delta: str
    """The type of the deltas."""
    piece: str
    """The field of a delta with a piece."""
    cut: Growing


Kinds = Mapping[str, tuple[tuple[Growth, ...], ...]]
"""The growing fields of each kind of block, as tracks: tracks alternate, and the fields of one track follow one another."""


def start_and_deltas(block: dict[str, Any], kinds: Kinds, random: Random) -> tuple[dict[str, Any], Track]:
    """The start of a block, and its deltas."""
    start = dict(block)
    tracks: list[Track] = []
    for growths in kinds.get(block["type"], ()):
        tracks.append([])
        for field, delta, piece, grow in growths:
            if field in block and (grown := grow(block, field, random)) is not None:
                start[field] = grown[0]
                tracks[-1] += [{"type": delta, piece: each} for each in grown[1]]
    return start, interleave(tracks, random)


def text_growth(block: dict[str, Any], field: str, random: Random) -> tuple[str, list[Any]]:
    some = pieces(block[field], random)
    if not block[field] and often(random):
        return "", []
    begun = some.pop(0) if random.random() < 0.1 else ""
    return begun, some


def items_growth(block: dict[str, Any], field: str, random: Random) -> tuple[list[Any], list[Any]] | None:
    return ([], block[field]) if block[field] and often(random) else None


def whole_growth(block: dict[str, Any], field: str, random: Random) -> tuple[str, list[Any]] | None:
    value: Json = block[field]
    return ("", [value]) if isinstance(value, str) and (value or often(random)) else None


def alone_growth(block: dict[str, Any], field: str, random: Random) -> tuple[None, list[Any]] | None:
    return (None, [block[field]]) if block.keys() == {"type", field} and often(random) else None


def json_growth(block: dict[str, Any], field: str, random: Random) -> tuple[Any, list[Any]] | None:
    value: Json = block[field]
    if not isinstance(value, dict) or (value and random.random() < 0.1):
        return None  # sent whole at the start, as calls inside a code execution are
    if not value and often(random):
        grown: list[Any] = [] if often(random) else [""]
        return value, grown
    text = json.dumps(value, ensure_ascii=often(random), indent=random.choice([None, None, 1]))
    return {}, ["", *pieces(text, random)]
