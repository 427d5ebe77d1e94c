"""What differs between two conversations, as plain data.

`diff(a, b)` lines up the contents of two values: messages, requests, conversations or responses of any origin. It compares
meaning, as `fingerprint` does: neither ids nor spellings count. A `Unit` is what one speaker says until another does, or one
result;
units that are the same are lined up, and those between them by their role. With `exact`, a unit is a message with everything
that it has, and the settings come first.

Lining up takes about linear time for any input: what begins and ends alike is taken away, then what both have exactly once is
matched (in order, by the longest chain), and `difflib` is only asked about the short gaps between.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Literal, TypeAlias, TypeVar

from ..conversion.requests import request_of
from ..errors import escape
from ..errors.late import late
from ..history.items import Item, located
from ..model.base import Json
from ..model.exchange import Conversation, Request, Response
from ..model.messages import Message, MessageBase
from .outline import Piece, nodes_of, outline
from .texts import without_base64

Comparable: TypeAlias = "Request | Conversation | Response | Iterable[MessageBase | dict[str, Any]]"
"""What can be compared."""
_Value: TypeAlias = Request | Conversation | Response | list[Message]
Change: TypeAlias = Literal["same", "changed", "removed", "added"]
_ItemT = TypeVar("_ItemT")


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a message, or with `exact` any field of it: its pointer, what it is, its text, and what is compared."""

    at: str
    label: str
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Unit:
    """What is lined up."""

    role: str
    name: str | None
    fields: tuple[Field, ...]

    @property
    def key(self) -> str:
        """What is compared."""
        return json.dumps([self.role, self.name, *(field.key for field in self.fields)])


@dataclass(frozen=True, slots=True)
class Pair:
    """Two fields that stand beside one another."""

    change: Change
    a: Field | None
    b: Field | None


@dataclass(frozen=True, slots=True)
class Row:
    """Two units that stand beside one another, with their fields."""

    change: Change
    a: Unit | None
    b: Unit | None
    fields: tuple[Pair, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """The result of `diff`. It is true if anything differs, as a list of differences would be.

    `str()` shows the two values side by side in plain text, which needs rich (the extra `cli`); rich prints them in colour.
    """

    rows: tuple[Row, ...]

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return all(row.change == "same" for row in self.rows)

    def __bool__(self) -> bool:
        return not self.equal

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        counts = Counter(row.change for row in self.rows)
        return f"<Difference: {', '.join(f'{count:,} {change}' for change, count in counts.items()) or 'nothing to compare'}>"

    def __rich_console__(self, _console: Any, _options: Any) -> Iterator[Any]:
        shown: Iterator[Any] = late("drawn_difference")(self, ("a", "b"))
        return shown

    def to_text(self, names: tuple[str, str] = ("a", "b"), *, whole: bool = False, width: int = 100) -> str:
        """The two values side by side in plain text, or one below the other if `width` is small.

        Equal content is only counted, unless `whole` shows it, too. Raises `ImportError` without rich, which is in the extra
        `cli`.
        """
        text: str = late("text_of_difference")(self, names, whole=whole, width=width)
        return text

    def to_html(self, names: tuple[str, str] = ("a", "b")) -> str:
        """A whole page of HTML: one file without scripts, which loads nothing."""
        page: str = late("page_of_difference")(self, names)
        return page

    def to_dict(self) -> dict[str, Any]:
        """The difference as JSON data; of equal content, only the pointers."""
        return {"equal": self.equal, "rows": [_row_as_json(row) for row in self.rows]}


def diff(a: Comparable, b: Comparable, *, exact: bool = False) -> Difference:
    """Compare two requests, conversations, responses or lists of messages. The result is true if anything differs.

    Their meaning is compared, as in fingerprints, without ids, spellings, settings and tools; `exact` compares everything.
    Raises `InvalidPayload`.
    """
    units = _exact_units if exact else _units
    first = list(units(_value(a)))
    second = list(units(_value(b)))
    pairs = _paired(
        [unit.key for unit in first],
        [unit.key for unit in second],
        [unit.role for unit in first],
        [unit.role for unit in second],
    )
    return Difference(tuple(_row(_item(first, i), _item(second, j)) for i, j in pairs))


# What is compared


def _value(value: Comparable) -> _Value:
    """A value whose messages can be read more than once. Raises `InvalidPayload`."""
    return value if isinstance(value, Request | Conversation | Response) else list(request_of(value).messages)


def _messages(value: _Value) -> list[tuple[Message, str]]:
    """The messages of a value, with their pointers."""
    if isinstance(value, Response):
        return [(choice.message, f"/choices/{i}/message") for i, choice in enumerate(value.choices)]
    listed = value if isinstance(value, list) else value.messages
    base = "/messages" if isinstance(value, Request | Conversation) else ""
    return [(message, f"{base}/{i}") for i, message in enumerate(listed)]


def _units(value: _Value) -> Iterator[Unit]:
    """The content of messages, grouped by speaker; each result alone, and each answer of a response."""
    pieces = {node.at: node for node in nodes_of(outline(value)) if isinstance(node, Piece)}
    messages = _messages(value)
    sections = [[message] for message in messages] if isinstance(value, Response) else [messages]
    for section in sections:
        items = list(located(section))
        speakers = [_speaker(item, i) for i, (_, item) in enumerate(items)]
        for (role, name, _), group in groupby(zip(speakers, items, strict=True), key=lambda pair: pair[0]):
            yield Unit(role, name, tuple(_field(at, item, pieces[at]) for _, (at, item) in group))


def _speaker(item: Item, number: int) -> tuple[str, str | None, int]:
    """Who speaks: a role and a name, and for a result its number, which keeps it apart from the one before it."""
    own = number if item["role"] == "tool" else -1
    return item["role"], item.get("name"), own


def _field(at: str, item: Item, piece: Piece) -> Field:
    data = f", sha256 {item['sha256'][:12]}" if "sha256" in item else ""
    call = f", of call {item['call']}" if "call" in item else ""
    inside = [part.text or f"({part.label})" for part in piece.parts]
    text = "\n".join([piece.text, *inside] if piece.text else inside)
    content = {name: value for name, value in item.items() if name not in ("role", "name")}
    return Field(at, piece.label + data + call, text, _canonical(content))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _exact_units(value: _Value) -> Iterator[Unit]:
    """All that a value has: its settings, then each message."""
    if isinstance(value, Request | Conversation | Response):
        settings = {name: setting for name, setting in value.to_dict().items() if name not in ("messages", "choices")}
        yield Unit("settings", None, tuple(_exact_fields(settings, "")))
    if isinstance(value, Response):
        for i, choice in enumerate(value.choices):
            yield Unit("choice", None, tuple(_exact_fields(choice.to_dict(), f"/choices/{i}")))
        return
    for message, at in _messages(value):
        yield Unit(message.role, getattr(message, "name", None), tuple(_exact_fields(message.to_dict(), at)))


def _exact_fields(data: dict[str, Json], at: str) -> Iterator[Field]:
    """The fields of an object, and the items of those that are lists."""
    for name, value in data.items():
        items: list[tuple[str, Json]] = [("", value)]
        if isinstance(value, list) and value:
            items = [(f"/{i}", item) for i, item in enumerate(value)]
        for index, item in items:
            text = item if isinstance(item, str) else without_base64(json.dumps(item, ensure_ascii=False))
            yield Field(f"{at}/{escape(name)}{index}", name, text, _canonical([name, item]))


# What stands beside what


def _row(a: Unit | None, b: Unit | None) -> Row:
    if b is None:
        removed = () if a is None else a.fields
        return Row("removed", a, None, tuple(Pair("removed", field, None) for field in removed))
    if a is None:
        return Row("added", None, b, tuple(Pair("added", None, field) for field in b.fields))
    if a.key == b.key:
        return Row("same", a, b, tuple(Pair("same", *pair) for pair in zip(a.fields, b.fields, strict=True)))
    pairs = _paired(
        [field.key for field in a.fields],
        [field.key for field in b.fields],
        [_first_word(field.label) for field in a.fields],
        [_first_word(field.label) for field in b.fields],
    )
    return Row("changed", a, b, tuple(_pair(_item(a.fields, i), _item(b.fields, j)) for i, j in pairs))


def _first_word(label: str) -> str:
    """The kind of a part, without its length and its name."""
    return label.partition(",")[0].partition(" ")[0]


def _item(items: Sequence[_ItemT], index: int | None) -> _ItemT | None:
    return None if index is None else items[index]


def _pair(a: Field | None, b: Field | None) -> Pair:
    if a is None or b is None:
        return Pair("removed" if b is None else "added", a, b)
    return Pair("same" if a.key == b.key else "changed", a, b)


_Pairs: TypeAlias = "Iterator[tuple[int | None, int | None]]"


def _paired(a: Sequence[str], b: Sequence[str], kinds_of_a: Sequence[str], kinds_of_b: Sequence[str]) -> _Pairs:
    """The indices of what stands beside one another: what is the same, and between that, what is of the same kind, in order."""
    from_a = from_b = 0
    for i, j in [*matches(a, b), (len(a), len(b))]:
        kinds = matches(kinds_of_a[from_a:i], kinds_of_b[from_b:j])
        for m, n in [*((from_a + m, from_b + n) for m, n in kinds), (i, j)]:
            yield from ((x, None) for x in range(from_a, m))
            yield from ((None, x) for x in range(from_b, n))
            if m < len(a) and n < len(b):
                yield m, n
            from_a = m + 1
            from_b = n + 1


_SMALL = 400
"""How many pairs of items `difflib` may look at in a gap: its time grows faster than its input."""


def matches(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Indices of equal items, growing in both: as many as are found in about linear time."""
    start, ends = _ends(a, b)
    found = [(i, i) for i in range(start)]
    end_a = len(a) - ends
    end_b = len(b) - ends
    i = start
    j = start
    for m, n in [*_anchors(a[start:end_a], b[start:end_b], start), (end_a, end_b)]:
        found += _in_gap(a[i:m], b[j:n], i, j)
        if m < end_a and n < end_b:
            found.append((m, n))
        i = m + 1
        j = n + 1
    return [*found, *((end_a + k, end_b + k) for k in range(ends))]


def _ends(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[int, int]:
    """How many items two sequences have in common at their beginnings, and at their ends."""
    most = min(len(a), len(b))
    start = 0
    while start < most and a[start] == b[start]:
        start += 1
    end = 0
    while end < most - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return start, end


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable], offset: int) -> list[tuple[int, int]]:
    """The longest chain of the items that both sequences have exactly once, as patience sorting finds it.

    `tails[n]` is the least place in `b` where a chain of `n + 1` items ends, `last[n]` the item that ends it, and `before[i]`
    the item before the item `i` in its chain, or -1.
    """
    counts_a = Counter(a)
    counts_b = Counter(b)
    place = {item: j for j, item in enumerate(b) if counts_b[item] == 1}
    once = [(i, place[item]) for i, item in enumerate(a) if counts_a[item] == 1 and item in place]
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, j) in enumerate(once):
        length = bisect_left(tails, j)
        before.append(last[length - 1] if length else -1)
        if length == len(tails):
            tails.append(j)
            last.append(index)
        else:
            tails[length] = j
            last[length] = index
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append((once[index][0] + offset, once[index][1] + offset))
        index = before[index]
    return chain[::-1]


def _in_gap(a: Sequence[Hashable], b: Sequence[Hashable], at_a: int, at_b: int) -> list[tuple[int, int]]:
    """Equal items of two gaps: at their ends, and between these if there are few."""
    start, ends = _ends(a, b)
    found = [(at_a + i, at_b + i) for i in range(start)]
    inner_a = a[start : len(a) - ends]
    inner_b = b[start : len(b) - ends]
    if 0 < len(inner_a) * len(inner_b) <= _SMALL:
        for m, n, size in SequenceMatcher(None, inner_a, inner_b, autojunk=False).get_matching_blocks():
            found += [(at_a + start + m + k, at_b + start + n + k) for k in range(size)]
    else:
        pairs = enumerate(zip(inner_a, inner_b, strict=False))
        found += [(at_a + start + i, at_b + start + i) for i, (x, y) in pairs if x == y]
    return [*found, *((at_a + len(a) - ends + k, at_b + len(b) - ends + k) for k in range(ends))]


# What differs within a text

_WORD = re.compile(r"\w+|\s+|[^\w\s]")


def changed_words(a: str, b: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Two texts in pieces, each with whether it is in this text alone."""
    words_a: list[str] = _WORD.findall(a)
    words_b: list[str] = _WORD.findall(b)
    pairs = matches(words_a, words_b)
    in_common = _length(words_a[i] for i, _ in pairs)
    if 3 * in_common < min(_length(words_a), _length(words_b)):
        pairs = []  # a few words in common, by chance
    return _runs(words_a, {i for i, _ in pairs}), _runs(words_b, {j for _, j in pairs})


def _length(words: Iterable[str]) -> int:
    """How many characters words have, spaces aside."""
    return sum(len(word.strip()) for word in words)


def _runs(words: Iterable[str], kept: set[int]) -> list[tuple[str, bool]]:
    runs = groupby(enumerate(words), key=lambda pair: pair[0] not in kept)
    return [("".join(word for _, word in run), changed) for changed, run in runs]


# As JSON


def _row_as_json(row: Row) -> dict[str, Any]:
    sides = {
        side: {"role": unit.role, "name": unit.name, "at": [field.at for field in unit.fields]}
        for side, unit in (("a", row.a), ("b", row.b))
        if unit is not None
    }
    fields = [_pair_as_json(pair) for pair in row.fields if pair.change != "same"]
    return {"change": row.change, **sides, **({"fields": fields} if fields else {})}


def _pair_as_json(pair: Pair) -> dict[str, Any]:
    sides = {
        name: {"at": field.at, "label": field.label, "text": field.text}
        for name, field in (("a", pair.a), ("b", pair.b))
        if field is not None
    }
    return {"change": pair.change, **sides}
