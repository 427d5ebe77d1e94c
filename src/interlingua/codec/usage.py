"""The usage and the stop reason of a response, as tables that are read in both directions.

A `UsageTable` has the place of each canonical count in a provider's usage object. Providers count differently: some include
cached tokens in the input, some do not include reasoning in the output. Reading makes the canonical kinds of input disjoint;
writing adds them up again as the provider does. A kind of input that a provider does not count apart is a part of its input.
A `StopTable` translates the words for why a message ended.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..errors import LossKind, escape
from ..model.base import Json
from ..model.exchange import Usage
from .fields import Wire, copy_wire, is_empty, join, value_at

COUNTS = tuple(name for name in Usage.model_fields if name not in ("native", "wire"))


class _Places(NamedTuple):
    """Where a provider's object, or an object inside it, has its counts."""

    counts: dict[str, str]
    """The name of each count; an empty one if it is not canonical."""
    objects: dict[str, _Places]


@dataclass(frozen=True, eq=False)
class UsageTable:
    """Where a provider's usage object has each count, and which counts include others."""

    family: str
    fields: Mapping[str, tuple[str, ...]]
    """The path of each canonical count in the provider's object, key by key."""
    input_includes: tuple[str, ...] = ()
    """The counts that the provider also includes in its input; canonical kinds of input do not overlap."""
    output_includes_reasoning: bool = True
    reasoning_in_total: bool = False
    """Whether reasoning may have no count, and be what the total has beside input and output."""
    total: tuple[str, ...] | None = None
    """The path of the sum of all input and output."""
    more_input: tuple[tuple[str, ...], ...] = ()
    """The paths of further counts of input, which are part of the total."""
    repeated: tuple[tuple[str, ...], ...] = ()
    """The paths of counts that only repeat others, such as those that a client copies from the first of several requests."""
    instead: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Further paths of counts, which some hosts have in place of the usual ones; the first that has a count is read."""
    listed: tuple[str, str] | None = None
    """The field with a list of objects like this one, and the type of those that are not in its counts."""
    required: bool = False
    """Whether every response has this object, so that an object of zeros means that the counts are not known."""
    omits_zero: bool = False
    """Whether the provider leaves out counts that are zero."""
    respelled: UsageTable | None = None
    """The table for an object in the other spelling, if the provider has two."""
    otherwise: UsageTable | None = None
    """The table for an object without this table's input and output: some hosts send the usage object of another API."""

    def of(self, wire: Wire) -> UsageTable:
        """The table for the spelling of an object, which is that of most counts: proxies add fields of their own in either."""
        other = self.respelled
        return self if other is None or other.known_in(wire) <= self.known_in(wire) else other

    def known_in(self, wire: Wire) -> int:
        """How many fields of an object the table knows."""
        places = self._places
        return len(wire.keys() & (places.counts.keys() | places.objects.keys()))

    @cached_property
    def _elsewhere(self) -> dict[str, str]:
        """The count in each of the places that some hosts have instead, by the pointer under which it is found first."""
        return {join(map(escape, path)): name for name, path in self.instead}

    @cached_property
    def _places(self) -> _Places:
        """All counts of the provider's object, nested as in the object."""
        paths: list[tuple[str, tuple[str, ...]]] = [*self.fields.items()]
        paths += [("", path) for path in (*self.more_input, *self.repeated)]
        paths += [(join(map(escape, path)), path) for _, path in self.instead]
        if self.total is not None:
            paths.append(("", self.total))
        places = _Places({}, {})
        for name, (*keys, last) in paths:
            holder = places
            for key in keys:
                holder = holder.objects.setdefault(key, _Places({}, {}))
            holder.counts[last] = holder.counts.get(last) or name
        return places

    def read(self, wire: Wire) -> dict[str, int]:
        """The canonical counts of a provider's object: no count is negative, and no part is more than its whole."""
        out = self._read_own(wire)
        if self.listed is not None and self.listed[0] in wire:
            for other in self._listed_in(wire):
                for name, count in self._read_own(other).items():
                    out[name] = out.get(name, 0) + count
        return out

    def _listed_in(self, wire: Wire) -> list[Wire]:
        """The objects in the list that are not in the counts."""
        key, kind = self.listed or ("", "")
        others: Json = wire.get(key)
        objects: list[Wire] = [other for other in others if type(other) is dict] if type(others) is list else []
        return [other for other in objects if other.get("type") == kind]

    def _read_own(self, wire: Wire) -> dict[str, int]:
        """The counts of an object, without those of the objects that it lists."""
        given = self._given(wire, None)
        if self.required and not any(given.values()):
            return {}
        out = given.copy()
        if min(given.values(), default=0) < 0:
            out = {name: max(count, 0) for name, count in given.items()}
        more = self._more_input(wire) if self.more_input else 0
        if self.omits_zero:
            total = None if self.total is None else _whole(value_at(wire, self.total))
            out = self._with_zeros(out, more, total)
        self._add_apart(out, given, wire)
        if "input_tokens" in out:
            out["input_tokens"] += more
            for name in self.input_includes:
                if name in out:
                    out[name] = min(out[name], out["input_tokens"])
                    out["input_tokens"] -= out[name]
        if "reasoning_tokens" in given and self._has_too_much_reasoning(given, wire):
            out["reasoning_tokens"] = out["output_tokens"]
        if not self.output_includes_reasoning and not out.keys().isdisjoint(("output_tokens", "reasoning_tokens")):
            out["output_tokens"] = out.get("output_tokens", 0) + out.get("reasoning_tokens", 0)
        return out

    def _given(self, wire: Wire, others: list[str] | None) -> dict[str, int]:
        """The counts of an object by name, wherever it has them; appends the pointers of all other numbers to `others`."""
        given: dict[str, int] = {}
        if wire:
            _find(wire, self._places, "", given, others)
        if self._elsewhere.keys().isdisjoint(given):
            return given
        for pointer, name in self._elsewhere.items():
            if (count := given.pop(pointer, None)) is None:
                continue
            is_apart = name in _COUNTED_APART and self._is_apart(count, given, wire)
            if name not in given and (is_apart or 0 <= count <= self._room(name, given, count)):
                given[name] = count
            if given.get(name) != count and others is not None:
                others.append(pointer)
        return given

    def _room(self, name: str, given: Mapping[str, int], default: int) -> int:
        """How large a count can be as a part of the output, or of the input beside its other parts."""
        if name not in self.input_includes:
            return given.get("output_tokens", default)
        beside = sum(given.get(other, 0) for other in self.input_includes)
        return given.get("input_tokens", default + beside) - beside

    def _is_apart(self, count: int, given: Mapping[str, int], wire: Wire) -> bool:
        """Whether a count is just what the total has besides input and output."""
        total = None if self.total is None else _whole(value_at(wire, self.total))
        return total == given.get("input_tokens", 0) + given.get("output_tokens", 0) + count

    def _with_zeros(self, out: dict[str, int], more: int, total: int | None) -> dict[str, int]:
        """The counts, and zero for input or output that the provider left out; the input is what remains of the total."""
        if not (out or more or total is not None):
            return out
        others = out.get("output_tokens", 0) + out.get("reasoning_tokens", 0) + more
        return {"input_tokens": 0 if total is None else max(total - others, 0), "output_tokens": 0} | out

    def _add_apart(self, out: dict[str, int], given: dict[str, int], wire: Wire) -> None:
        """Add the reasoning or audio that the host leaves out of its output or input, and counts only in the total.

        It is known by the total, which is then larger than input and output by just this count.
        """
        total = None if self.total is None else _whole(value_at(wire, self.total))
        if total is None or not self.output_includes_reasoning or self.omits_zero:
            return
        beside = total - given.get("input_tokens", 0) - given.get("output_tokens", 0)
        if beside <= 0:
            return
        apart = next((name for name in _COUNTED_APART if given.get(name) == beside), None)
        is_rest = given.keys() >= {"input_tokens", "output_tokens"} and "reasoning_tokens" not in given
        if apart is None and self.reasoning_in_total and is_rest:
            apart = "reasoning_tokens"
        if apart is not None:
            whole = "output_tokens" if apart == "reasoning_tokens" else "input_tokens"
            out[apart] = beside
            out[whole] = out.get(whole, 0) + beside

    def _has_too_much_reasoning(self, given: dict[str, int], wire: Wire) -> bool:
        """Whether reasoning is more than the output, although the total includes it there."""
        reasoning = given.get("reasoning_tokens")
        output = given.get("output_tokens")
        if self.total is None or not self.output_includes_reasoning:
            return False
        if reasoning is None or output is None:
            return False
        return reasoning > max(output, 0) and value_at(wire, self.total) == given.get("input_tokens", 0) + output

    def _more_input(self, wire: Wire) -> int:
        return sum(max(_whole(value_at(wire, path)) or 0, 0) for path in self.more_input)

    def _other_table(self, wire: Wire, known: Mapping[str, int]) -> UsageTable | None:
        """The table `otherwise`, if its counts are in the object, and neither input nor output of this table is."""
        other = self.otherwise
        if other is None or not known.keys().isdisjoint(("input_tokens", "output_tokens")):
            return None
        return other if other.read(wire) else None

    def load(self, wire: Wire) -> dict[str, Any]:
        """The data of a `Usage`, which includes the whole object of the provider."""
        counts = self.read(wire)
        if (other := self._other_table(wire, counts)) is not None:
            counts = other.read(wire)
        return {**counts, "native": {self.family: wire}}

    def unsaid(self, wire: dict[str, Json]) -> Iterator[tuple[str, str]]:
        """Pointers to the fields of a provider's object that no count keeps, and why they are lost."""
        if (table := self.of(wire)) is not self:
            yield from table.unsaid(wire)
            return
        others: list[str] = []
        given = self._given(wire, others)
        if (other := self._other_table(wire, given)) is not None:
            yield from other.unsaid(wire)
            return
        for pointer in others:
            yield pointer, "`usage` has no field for this number"
        included = sum([given.get(name, 0) for name in self.input_includes])
        input_fits = included <= given.get("input_tokens", 0)
        output_fits = given.get("reasoning_tokens", 0) <= given.get("output_tokens", 0)
        if input_fits and output_fits and min(given.values(), default=0) >= 0:
            return  # nearly always
        read = self._read_own(wire)
        if not read:
            return
        for name, count in given.items():
            is_part = name not in ("input_tokens", "output_tokens")
            if count < 0:
                yield join(map(escape, self.fields[name])), "a count must not be negative"
            elif is_part and count != read.get(name):
                whole = "output" if name == "reasoning_tokens" else "input"
                why = f"the count is part of the {whole} tokens, and must not exceed them"
                yield join(map(escape, self.fields[name])), why

    def dump(
        self,
        usage: Usage,
        unsaid: Callable[[str, Wire], Iterable[tuple[str, str]]],
        drop: Callable[[str, str], None],
        *,
        exact: bool = True,
    ) -> Wire:
        """The provider's object: the loaded one, with the counts that have changed since.

        `unsaid` yields the fields that no count keeps, for the objects of other families. Unless `exact`, an object of another
        host in the same family gets its counts under the usual names.
        """
        native = usage.native or {}
        own = native.get(self.family)
        out: Wire = copy_wire(own) if own else {}
        known = self.read(out) if out else {}
        if (table := self._other_table(out, known)) is not None:
            if exact:
                return table.dump(usage, unsaid, drop)
            for path in table.fields.values():
                _put(out, path, None)
        for family, other in native.items():
            if family != self.family:
                for pointer, why in unsaid(family, other):
                    drop(f"/usage/native/{family}{pointer}", why)
        wanted = self._wanted(usage, drop)
        if known != wanted:
            if self.listed is not None and self._listed_in(out):
                del out[self.listed[0]]  # what it has besides no longer adds up
            self._report_total(out, wanted, drop)
            if self.total is not None and self.output_includes_reasoning and _has_more_reasoning(wanted):
                del wanted["reasoning_tokens"]
                drop("/usage/reasoning_tokens", f"{self.family} counts reasoning as part of the output, whose count is smaller")
            self._write(out, wanted, known)
        elif not exact and self.instead and out:
            self._repeat_usual(out, known)
        return out

    def _repeat_usual(self, out: Wire, known: Mapping[str, int]) -> None:
        """Also write counts that the source host had elsewhere to their usual places, where all clients read them."""
        for name, _ in self.instead:
            if name in known and value_at(out, self.fields[name]) is None:
                _put(out, self.fields[name], known[name])

    def _report_total(self, own: Wire, wanted: Mapping[str, int], drop: Callable[[str, str], None]) -> None:
        """Report the total that a relative gave, if it is more than the counts, and would mean reasoning here."""
        if self.reasoning_in_total and self.total and replace(self, reasoning_in_total=False).read(own) == wanted:
            why = "the target would read the rest of this total as reasoning: the sum of input and output is sent"
            drop(f"/usage/native/{self.family}" + join(self.total), why)

    def _wanted(self, usage: Usage, drop: Callable[[str, str], None]) -> dict[str, int]:
        """The counts to write, by name; reports those that the provider does not count, or not apart from the input."""
        wanted: dict[str, int] = {}
        counts = vars(usage)
        for name in COUNTS:
            count: int | None = counts[name]
            if count is None:
                continue
            if name in self.fields:
                wanted[name] = count
            elif count and name in _CACHED and "input_tokens" in self.fields:
                # The input of such a provider is the whole prompt, whatever became of its tokens in a cache.
                wanted["input_tokens"] = wanted.get("input_tokens", 0) + count
                drop(f"/usage/{name}", f"{self.family} does not count this separately from other input")
            elif count:  # a count of zero means no more than an absent one
                drop(f"/usage/{name}", f"{self.family} does not count this")
        return wanted

    def _write(self, out: Wire, wanted: Mapping[str, int], known: Mapping[str, int]) -> None:
        """Write the counts as the provider counts: a count that is included in another one is added to it, and to the total."""
        included = sum([wanted.get(name, 0) for name in self.input_includes])
        apart = self._more_input(out) if self.more_input else 0
        if apart > wanted.get("input_tokens", 0) + included:
            apart = 0
            for path in self.more_input:
                _put(out, path, None)
        for path in (*self.repeated, *(path for _, path in self.instead)) if out else ():
            _put(out, path, None)
        reasoning = 0 if self.output_includes_reasoning else wanted.get("reasoning_tokens", 0)
        more = {"input_tokens": included - apart, "output_tokens": -reasoning}
        for name, path in self.fields.items():
            if name in wanted or (included and name == "input_tokens"):
                _put(out, path, wanted.get(name, 0) + more.get(name, 0))
            elif name in known:
                _put(out, path, None)
        if self.total is not None:
            _put(out, self.total, self._total(out, wanted, reasoning + apart))

    def _total(self, out: Wire, wanted: Mapping[str, int], more: int) -> int | None:
        """The sum of the counts that were written and of `more`; None if the input or the output is not a number."""
        counts = [value_at(out, self.fields[name]) for name in ("input_tokens", "output_tokens")]
        if not all(type(count) is int for count in counts):
            return None
        beside = [wanted.get(name, 0) for name in _CACHED if name in self.fields and name not in self.input_includes]
        return sum([*counts, *beside]) + more


def with_reasoning_in_output(
    usage: Usage, at: str, name: str, report: Callable[[LossKind, str, str | None, str], None]
) -> Usage:
    """The usage for a provider that counts reasoning apart from the rest of the output; `at` is the pointer of that rest.

    If the reasoning is more than the output, the output is raised, and this is reported; `name` is the format's name.
    """
    if usage.reasoning_tokens is None:
        return usage
    if usage.output_tokens is None:
        why = f"{name} counts reasoning as part of the output, whose count is missing"
        report("dropped", "/usage/reasoning_tokens", None, why)
        return usage.replace(reasoning_tokens=None)
    if usage.output_tokens < usage.reasoning_tokens:
        report("changed", "/usage/output_tokens", at, "the output tokens must include the reasoning tokens; raised to match")
        return usage.replace(output_tokens=usage.reasoning_tokens)
    return usage


def _find(wire: dict[str, Json], places: _Places, at: str, given: dict[str, int], others: list[str] | None) -> None:
    """Add the counts in an object to `given`, and pointers to its other values to `others`; `at` is the object's pointer."""
    counts, objects = places
    for key, value in wire.items():
        name = counts.get(key)
        if name is not None and (count := value if type(value) is int else _whole(value)) is not None:
            if name:
                given[name] = count
        elif key in objects and type(value) is dict:
            _find(value, objects[key], f"{at}/{key}", given, others)
        elif others is not None and not is_empty(value):
            others.append(f"{at}/{escape(key)}")


def _whole(value: Json) -> int | None:
    """A count as an integer (some providers write it with a fraction of 0); None for any other value."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float and value.is_integer() else None


def _has_more_reasoning(counts: Mapping[str, int]) -> bool:
    """Whether reasoning is more than the output."""
    return counts.keys() >= {"output_tokens", "reasoning_tokens"} and counts["reasoning_tokens"] > counts["output_tokens"]


_COUNTED_APART = ("reasoning_tokens", "input_audio_tokens")
_CACHED = ("cache_read_tokens", "cache_write_tokens")
"""Kinds of input beside `input_tokens`: part of the total, whether or not the provider includes them in its input."""
NO_COUNTS = UsageTable("", {})


def _put(out: Wire, path: tuple[str, ...], count: int | None) -> None:
    """Set the count at a path; None removes it, together with the objects that become empty."""
    key = path[0]
    value: Any = count
    if len(path) > 1:
        value = out[key] if type(out.get(key)) is dict else {}
        _put(value, path[1:], count)
    if value is None or value == {}:
        out.pop(key, None)
    else:
        out[key] = value


MEANT = {
    "tool_calls": "the target has a separate stop reason for an answer with tool calls",
    "refusal": "the target has a separate stop reason for an answer that is only a refusal",
    "stop": "an answer without tool calls must not say that it stopped for them",
}
"""Why a stop reason is replaced by another, by the reason that is meant."""


@dataclass(frozen=True, eq=False)
class StopTable:
    """A provider's words for why a message ended; a word that is not in the table is kept as it is."""

    words: Mapping[str, str]
    """The canonical reason for each word; if several words have one reason, the first is written."""
    nearest: Mapping[str, str]
    """The word to write for a reason for which the provider has no word."""
    default: str
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    """The canonical reason for each word that only some hosts have: it goes back only to hosts of the same shape."""
    ends_calls: Collection[str] = ()
    """The words that also end answers with tool calls, whose reason is then `tool_calls`."""

    def load(self, word: str, *, calls: bool = False) -> dict[str, Any]:
        """The stop reason of a choice, for a word of the provider; `calls` is whether the answer has tool calls."""
        return {"stop_reason": self.reason_of(word, calls=calls), "native_stop_reason": word}

    def reason_of(self, word: str, *, calls: bool = False) -> str:
        """The canonical reason for a word; a word that no table has is its own reason."""
        if calls and word in self.ends_calls:
            return "tool_calls"
        return self.words.get(word) or self.others.get(word, word)

    def meaning(self, reason: str, kinds: Collection[str]) -> str:
        """What a reason means for an answer with parts of these kinds, if the provider has a word for that.

        Some hosts use `stop` for answers with tool calls and for refusals. Clients of other providers expect a separate reason,
        by which they know to run tools or to handle a refusal. A part without words does not count, because some hosts send an
        empty text with each refusal. Some hosts say that an answer without tool calls stopped for them, and clients then wait
        for a call.
        """
        if reason == "tool_calls":
            return reason if "tool_use" in kinds else "stop"
        if reason != "stop":
            return reason
        meant = reason
        if "tool_use" in kinds:
            meant = "tool_calls"
        elif "refusal" in kinds and "text" not in kinds:
            meant = "refusal"
        return meant if meant in self.words.values() else reason

    def dump(
        self, reason: str, word: str | None, *, same_family: bool, exact: bool = False, accepts_any: bool = False
    ) -> tuple[str, bool]:
        """The word for a reason, and whether it means the same.

        `word`, which was loaded, is written if it still fits, and if this host may have it: a relative's may be unknown here.
        """
        is_loaded = same_family and word is not None and self.reason_of(word) == reason
        has_other = reason in self.nearest or (word in self.others and reason in self.words.values())
        if word is not None and is_loaded and (exact or not has_other):
            return word, True
        if reason in self.nearest:
            return self.nearest[reason], False
        for own, meaning in self.words.items():
            if meaning == reason:
                return own, True
        return (reason, True) if same_family or accepts_any else (self.default, False)
