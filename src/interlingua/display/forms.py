"""What a conversation becomes in several formats, beside one another, as plain data.

`forms(value, formats)` dumps messages, a request, a conversation or a response to each format, and sorts what it gets into
rows: the first is for what belongs to no message, such as settings and tools, and there is one for each message or answer. In a
row, each format has a `Cell`: the owners of its payload that come from this message, and the losses in it. An owner that comes
from several messages, such as a user's message made of results, is in the row of the first. A payload's owner is JSON in lines;
those that a loss points at are marked.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from ..codec.format import Format
from ..conversion.losses import distinct, of_response
from ..conversion.requests import exactly, request_of, supported
from ..errors import Loss, escape
from ..formats import new_dump
from ..model.base import Json
from ..model.exchange import Conversation, Request, Response
from ..model.messages import MessageBase
from .outline import Mark, Turn, marks_of, outline
from .texts import counted, without_base64

Dumpable: TypeAlias = "Request | Conversation | Response | Sequence[MessageBase | dict[str, Any]]"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of JSON text; `at` is the pointer of the value that it begins, ends or is."""

    at: str
    depth: int
    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What a format has of a message: the owners by their pointers, and what is lost."""

    owners: Mapping[str, tuple[Line, ...]]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A message in each of the formats; without a turn, what belongs to no message."""

    turn: Turn | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """A value in several formats."""

    title: str
    formats: tuple[str, ...]
    rows: tuple[Row, ...]
    payloads: tuple[Any, ...]
    losses: tuple[tuple[Loss, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """The payload and the losses of each format as data."""
        columns = zip(self.formats, self.payloads, self.losses, strict=True)
        forms = [
            {"format": name, "payload": payload, "losses": [loss._asdict() for loss in losses]}
            for name, payload, losses in columns
        ]
        return {"title": self.title, "forms": forms}


class _Written(NamedTuple):
    """A dump: the payload, its losses, and where its owners come from."""

    payload: dict[str, Any]
    losses: tuple[Loss, ...]
    places: Mapping[str, str]


def forms(value: Dumpable, formats: Iterable[Format]) -> Forms:
    """A value in each of the formats. Raises `InvalidPayload`, and `UnknownFormat` for a format that has no responses."""
    formats = tuple(formats)
    whole = outline(value)
    bare = whole.kind == "messages"
    written = [_written(value, format, bare=bare) for format in formats]
    listed = {"messages": "", "response": "/choices"}.get(whole.kind, "/messages")
    columns = [_column(each, listed) for each in written]
    rows = [Row(turn, tuple(column.get(i, Cell({})) for column in columns)) for i, turn in enumerate(whole.turns)]
    settings = tuple(column.get(-1, Cell({})) for column in columns)
    if any(cell.owners or cell.marks for cell in settings):
        rows.insert(0, Row(None, settings))
    names = tuple(format.name for format in formats)
    payloads = tuple(each.payload for each in written)
    return Forms(whole.title, names, tuple(rows), payloads, tuple(each.losses for each in written))


def _written(value: Dumpable, format: Format, *, bare: bool) -> _Written:
    if isinstance(value, Response):
        d = new_dump(format, value.origin)
        body = supported(format, format.dump_response, "responses")(exactly(Response, value), d)
        return _Written(body, distinct(of_response(d.losses)), d.places)
    request = exactly(Request, value) if isinstance(value, Request) else request_of(value)
    d = new_dump(format, request.origin)
    body = format.dump(request, request.messages, d)
    cut = len("/messages") if bare else 0
    return _Written(body, distinct(d.losses, cut), {at: path[cut:] for at, path in d.places.items()})


def _column(written: _Written, listed: str) -> dict[int, Cell]:
    """The cells of a format by the index of the message; -1 is for what belongs to none."""
    owners = dict(_owners(written.payload))
    row_of: dict[str, int] = {}
    for at, path in written.places.items():
        tokens = at.split("/")
        owner = ""
        for at_owner in ("/".join(tokens[:2]), "/".join(tokens[:3])):
            if at_owner in owners:
                owner = at_owner
        index = _index(path, listed)
        row_of[owner] = min(index, row_of.get(owner, index))
    marked = {loss.at for loss in written.losses if loss.at is not None}
    shown: dict[int, dict[str, tuple[Line, ...]]] = defaultdict(dict)
    for at, value in owners.items():
        parent = at.rpartition("/")[0]
        inside = parent != "" and parent in marked
        shown[row_of.get(at, -1)][at] = tuple(_lines(value, at, marked, inside=inside))
    lost: dict[int, list[Loss]] = defaultdict(list)
    for loss in written.losses:
        lost[_index(loss.path, listed)].append(loss)
    return {i: Cell(shown[i], tuple(marks_of(lost[i]))) for i in {*shown, *lost}}


def _index(path: str, listed: str) -> int:
    """The index of the message that a pointer leads into, or -1."""
    prefix = f"{listed}/"
    if not path.startswith(prefix):
        return -1
    index = path.removeprefix(prefix).partition("/")[0]
    return int(index) if index.isdecimal() and index.isascii() else -1


def _owners(payload: dict[str, Json]) -> Iterator[tuple[str, Any]]:
    """The fields of a payload, and the items of those that are lists."""
    for key, value in payload.items():
        at = f"/{escape(key)}"
        if isinstance(value, list) and value:
            yield from ((f"{at}/{i}", item) for i, item in enumerate(value))
        else:
            yield at, value


# JSON in lines

_LINE = 60
"""The longest object or list that is in one line."""


def _lines(
    value: Any, at: str, marked: set[str], depth: int = 0, before: str = "", after: str = "", *, inside: bool
) -> Iterator[Line]:
    """A value in lines: each member of an object or list has its own, unless all of them are short."""
    inside = inside or at in marked
    items = _items(value, at)
    text: str | None = None
    if not items:
        text = _leaf(value)
    elif not any(place in marked for place, _, _ in items):
        text = _in_a_line(value)
    if text is not None:
        yield Line(at, depth, before + text + after, inside)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield Line(at, depth, before + opening, inside)
    for i, (place, name, item) in enumerate(items, 1):
        yield from _lines(item, place, marked, depth + 1, name, "," if i < len(items) else "", inside=inside)
    yield Line(at, depth, closing + after, inside)


def _items(value: Json, at: str) -> list[tuple[str, str, Any]]:
    """The members of a value, each with its pointer and its name as JSON text."""
    if isinstance(value, dict):
        return [(f"{at}/{escape(key)}", f"{_leaf(key)}: ", item) for key, item in value.items()]
    if isinstance(value, list):
        return [(f"{at}/{i}", "", item) for i, item in enumerate(value)]
    return []


def _in_a_line(value: Json) -> str | None:
    """A value in one line, if it is short and not nested."""
    items = [item for _, _, item in _items(value, "")]
    if len(items) > 4 or not all(item in ({}, []) or len(str(item)) <= _LINE for item in items):
        return None
    text = _leaf(value)
    return text if len(text) <= _LINE or not items else None


def _leaf(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=_bytes)
    return without_base64(_DATA.sub(_beginning, text))


def _bytes(value: bytes) -> str:
    return f"({counted(len(value), 'byte')})"


_DATA = re.compile(r'(?<=[",])(?=[A-Za-z+/_-]*\d)(?=[A-Z\d+/_-]*[a-z])(?=[a-z\d+/_-]*[A-Z])[A-Za-z\d+/_-]{64,}={0,2}(?=")')
"""A text, or the end of one, that is all base64: shorter ones than in prose, where paths and names have the same letters."""


def _beginning(found: re.Match[str]) -> str:
    return f"{found[0][:12]}… ({counted(len(found[0]))})"
