"""What an attacker sends: documents of the wire, streams and events that were sound, with one to three things changed.

A change puts an odd value in a place, takes a field away, moves or repeats something, gives a tag or a key of a neighbour's, or
grafts a part of another document. Nothing here knows a format; everything follows from the seed of `random`.
"""

import contextlib
import copy
import itertools
import json
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from pydantic import ValidationError

import interlingua as il
from interlingua import testing
from interlingua.model.base import Json
from interlingua.testing.lawbook.documents import is_array, is_object

HIGH, LOW = "\ud83d", "\ude00"
"""The two halves of a character that JavaScript may cut."""


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**70, -0.0, 1.5, 1e400, float("nan")),
    *(
        "",
        " ",
        "x",
        "0",
        "null",
        "{}",
        "{",
        '{"a": 1}',
        "\x00",
        "\u202e",
        "é",
        "🙂",
        HIGH,
        LOW,
        "a" + HIGH,
        LOW + "a",
        "=" * 9,
    ),
    *(
        "data:image/png;base64,!",
        "data:,",
        "data:image/png;base64,aGk=",
        "https://[",
        "a/b~c",
        "il2_x",
        "aGk",
        "2024-13-99",
    ),
    *(
        [],
        {},
        [None],
        [[]],
        [{}],
        {"": None},
        {"type": None},
        {"type": "text"},
        {"type": []},
        {"text": None},
        ["x"],
        [1, "x"],
    ),
    *({"a": HIGH}, {HIGH: 1}, {"a": {"b": [1.0, 2**70]}}, {"role": "user"}, {"format": 5}, {"index": -1}),
)
ODD: tuple[Callable[[], Any], ...] = tuple(partial(copy.deepcopy, value) for value in _VALUES)
"""Odd values that JSON text can hold; each is made anew."""

DEPTHS = (150, 250, 5000)
"""How deep values may be nested that are put in last, because Python itself cannot copy the deepest."""

NOT_JSON: tuple[Callable[[], Any], ...] = (
    *(lambda: b"x", lambda: b"\xff", lambda: (), lambda: (1, "x"), lambda: {1: 2}, lambda: {None: 2}, lambda: {1, 2}),
    *(object, lambda: dict, lambda: iter(()), lambda: 1j, lambda: bytearray(b"x"), lambda: range(2), lambda: Ellipsis),
    *(lambda: il.UserMessage(content="a"), lambda: il.TextPart(text="a"), il.StreamEnd),
)
"""Odd values that only a caller in Python can pass."""


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """So many values of a strategy, the same ones in every run."""
    values: list[Any] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
        phases=[Phase.generate],
    )
    @given(strategy)
    def take(value: Any) -> None:
        values.append(value)

    take()
    return values


def events_of(chunks: list[Any], format: il.FormatName) -> list[il.Event]:
    """The events of a stream that is sound."""
    return list(il.reader(format).read(copy.deepcopy(chunks)))


STRATEGIES: dict[str, Callable[[il.FormatName], st.SearchStrategy[Any]]] = {
    "requests": testing.payloads,
    "responses": testing.responses,
    "streams": testing.chunks,
    "canonical requests": lambda _format: testing.requests().map(il.Request.to_dict),
}


class Seeds:
    """Sound documents of every format; each kind is drawn on first use."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._known: dict[tuple[str, str], list[Any]] = {}

    def of(self, kind: str, format: il.FormatName) -> list[Any]:
        """Requests, responses or streams of a format; requests of the package's own form."""
        key = kind, format
        if key not in self._known:
            self._known[key] = drawn(STRATEGIES[kind](format), self._count)
        return self._known[key]


# Changes


def places(value: Json) -> Iterator[tuple[Any, Any]]:
    """Each place in a document: what holds it, and its key there."""
    waiting: list[Json] = [value]
    while waiting:
        holder: Any = waiting.pop()
        keys: Any = list(holder) if is_object(holder) else range(len(holder)) if is_array(holder) else ()
        for key in keys:
            yield holder, key
            waiting.append(holder[key])


def put(random: Random, holder: Any, key: Any, _all: list[Any], _other: Any) -> None:
    holder[key] = random.choice(ODD)()


def put_object(random: Random, holder: Any, key: Any, _all: list[Any], _other: Any) -> None:
    holder[key] = random.choice(NOT_JSON)()


def put_key(random: Random, holder: Any, key: Any, all: list[Any], other: Any) -> None:
    """A key that is no text."""
    if is_object(holder):
        made: Any = holder
        made[random.choice((1, None, 1.5, b"x", (1,)))] = made.pop(key)
    else:
        put_object(random, holder, key, all, other)


def leave_out(_random: Random, holder: Any, key: Any, _all: list[Any], _other: Any) -> None:
    del holder[key]


def add(random: Random, holder: Any, key: Any, _all: list[Any], other: Any) -> None:
    if is_array(holder):
        holder.insert(random.randint(0, len(holder)), copy.deepcopy(random.choice((holder[key], random.choice(ODD)()))))
    else:
        known = [name for place, name in places(other) if is_object(place)]
        holder[random.choice(known or ["x"])] = random.choice(ODD)()


def rename(random: Random, holder: Any, key: Any, everything: list[Any], _other: Any) -> None:
    """The key of another object, or another place in the list."""
    if is_object(holder):
        names = [name for place, name in everything if is_object(place)]
        holder[random.choice(names)] = holder.pop(key)
    else:
        holder.insert(random.randint(0, len(holder) - 1), holder.pop(key))


def graft(random: Random, holder: Any, key: Any, _all: list[Any], other: Any) -> None:
    """What stands somewhere in another document."""
    found = list(itertools.islice(places(other), 400))
    if found:
        place, name = random.choice(found)
        holder[key] = copy.deepcopy(place[name])


def swap(random: Random, holder: Any, key: Any, everything: list[Any], _other: Any) -> None:
    """What stands somewhere in the same document."""
    place, name = random.choice(everything)
    holder[key] = copy.deepcopy(place[name])


def wrap(random: Random, holder: Any, key: Any, _all: list[Any], _other: Any) -> None:
    value = holder[key]
    holder[key] = random.choice(([value], {"a": value}, {"type": value}, str(value), [value, value]))


def cut_text(random: Random, holder: Any, key: Any, _all: list[Any], _other: Any) -> None:
    """Text with half a character at one of its ends, or cut short."""
    value = holder[key]
    if isinstance(value, str):
        holder[key] = random.choice((value + HIGH, LOW + value, value[: len(value) // 2], value[:1] + HIGH + value[1:]))
    else:
        holder[key] = None


PLAIN = (put, put, put, leave_out, add, rename, graft, swap, wrap, cut_text)
"""The changes that leave a document one that JSON text can hold, the usual ones more often."""


def changed(random: Random, document: Any, other: Any, *, python: bool = False) -> Any:
    """A copy of a document with one to three changes; with a value that is not JSON if `python`."""
    whole = [copy.deepcopy(document)]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        everything = [(whole, 0), *places(whole[0])] if random.random() < 0.02 else list(places(whole[0]))
        if not everything:
            break
        change = random.choice((put_object, put_object, put_key)) if python and random.random() < 0.5 else random.choice(PLAIN)
        holder, key = random.choice(everything)
        change(random, holder, key, everything, other)
        if not whole:
            return None
    if random.random() < 0.03 and (everything := list(places(whole[0]))):
        holder, key = random.choice(everything)
        holder[key] = nested(random.choice(DEPTHS))
    return whole[0]


def reordered(random: Random, sequence: list[Any], other: list[Any]) -> list[Any]:
    """A list in another order: something left out, repeated, moved, or put in from another list."""
    made = list(sequence)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(made) + 1)
        what = random.randrange(5)
        if what == 0 and made:
            del made[random.randrange(len(made))]
        elif what == 1 and made:
            made.insert(at, made[random.randrange(len(made))])
        elif what == 2 and made:
            moved = made.pop(random.randrange(len(made)))
            made.insert(min(at, len(made)), moved)
        elif what == 3 and other:
            made.insert(at, random.choice(other))
        else:
            made = made[:at] or made
    return made


def spoiled_text(random: Random, text: str) -> str | bytes:
    """JSON text, or its bytes, cut or with characters that do not belong there."""
    at = random.randrange(len(text) + 1)
    return random.choice(
        (
            text[:at],
            text[:at] + random.choice((HIGH, LOW, "\x00", '"', "{", "]", "NaN", "\\ud83d", "\ufeff", "9" * 5000)) + text[at:],
            text.encode("utf-8", "surrogatepass")[:at] + random.choice((b"\xff", b"\xed\xa0\xbd", b"\x00", b"")),
            text.replace('"', '"' + HIGH, 1),
        )
    )


def json_text(document: Any) -> str | None:
    """The JSON text of a document, where it has one."""
    try:
        return json.dumps(document)
    except (TypeError, ValueError, RecursionError):
        return None


def is_plain(document: Any) -> bool:
    """Whether a document is what its JSON text says: a tuple, for one, is no value of JSON."""
    text = json_text(document)
    return text is not None and json.loads(text) == document


def as_events(random: Random, events: list[il.Event], other: list[il.Event]) -> list[il.Event]:
    """Valid events in a senseless order, some with other values in their fields."""
    made: list[il.Event] = []
    for event in reordered(random, events, other):
        if random.random() < 0.15:
            plain = changed(random, event.to_dict(), random.choice(other).to_dict() if other else {})
            with contextlib.suppress(ValidationError, TypeError):
                sound: Any = event
                made.append(sound.__class__.model_validate(plain))
        else:
            made.append(event)
    return made
