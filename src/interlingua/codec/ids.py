"""Tool-call ids across formats: reversible where possible, so that calls and results stay paired and ids round-trip.

Each format accepts only some texts as ids, and has a bijection between all texts and these ids. A conversion decodes an id of
the source to a text, and encodes this text as an id of the target. So two ids never become one, and a chain of conversions that
returns to its first format, through any others, ends with the ids that it began with.

An id that the format refuses is *escaped*: `il_`, then letters, digits and hyphens unchanged, and every other character as
`_<hex>_`. A text that looks like an escape, and would be decoded as one, is escaped too.

An id that is in use is *numbered*: `il2-<check>_<id>`. Where a format wants unique ids, all ids so far are in use; elsewhere,
only those of unanswered calls. An id that already has this number gets the next one, as guests move on in Hilbert's hotel.
"""

import copy
import re
from binascii import crc32
from bisect import bisect_left, bisect_right
from collections import OrderedDict, deque
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from typing import Any, Self

from ..errors import Loss

_ESCAPED = re.compile(r"il_((?:[A-Za-z0-9-]|_[0-9a-f]+_)*)").fullmatch
_UNSAFE = re.compile(r"[^A-Za-z0-9-]")
_NUMBERED = re.compile(r"il([2-9]|[1-9][0-9]{1,99})-[0-9a-f]{4}_(.*)", re.DOTALL).fullmatch


def escape_id(text: str) -> str:
    """The escape of a text."""
    return "il_" + _UNSAFE.sub(lambda match: f"_{ord(match[0]):x}_", text)


def unescape_id(id: str) -> str | None:
    """The text behind an escape; None if `escape_id` would not have written this id."""
    if (match := _ESCAPED(id)) is None:
        return None
    try:
        text = re.sub(r"_([0-9a-f]+)_", lambda hexa: chr(int(hexa[1], 16)), match[1])
        text.encode()
    except (ValueError, OverflowError):
        return None
    return text if escape_id(text) == id else None


def number_id(id: str, number: int) -> str:
    """An id with a number; number 1 leaves it as it is. The checksum tells numbered ids from ids that only look like one."""
    return id if number == 1 else f"il{number}-{crc32(f'{number}_{id}'.encode()) & 0xFFFF:04x}_{id}"


def split_number(id: str) -> tuple[str, int]:
    """An id without its number, and the number: 1 if it has none."""
    match = _NUMBERED(id) if id.startswith("il") else None
    if match is not None and number_id(match[2], int(match[1])) == id:
        return match[2], int(match[1])
    return id, 1


class IdRules:
    """What a format accepts as the id of a tool call.

    `character` is a pattern for one character of an id, which has from `shortest` to `longest` characters. `unique` is whether
    no id may be used twice.
    """

    def __init__(self, character: str, longest: int, *, unique: bool, shortest: int = 1) -> None:
        self.longest = longest
        self.unique = unique
        self.length = f"have {longest} letters and digits" if shortest == longest else f"have at most {longest} characters"
        length = f"{{{shortest},{longest}}}"
        self.accepts = re.compile(f"(?:{character}){length}", re.DOTALL).fullmatch
        self.takes_plainly = re.compile(f"(?!il)(?:{character}){length}", re.DOTALL).fullmatch

    def write(self, text: str) -> str:
        """The id that stands for a text: the text itself, or its escape, which may be too long for the format."""
        return text if self.accepts(text) and self.read(text) == text else escape_id(text)

    def hashed(self, text: str) -> str:
        """An id made from a hash of the text."""
        return ("ilh" + _digest(text))[: min(self.longest, 40)]

    def numbered(self, number: int) -> str:
        """The id for the call of this number among those that have none."""
        id = f"call-{number}"
        return id if self.accepts(id) else "call" + str(number).zfill(self.longest - len("call"))

    def read(self, id: str) -> str:
        """The text that an id stands for: the inverse of `write`. It is never empty, because no id is."""
        text = unescape_id(id) if id.startswith("il_") else None
        return id if not text or (self.accepts(text) and self.read(text) == text) else text


ANY_ID = IdRules(".", 2**31, unique=False)
"""The rules of a format that accepts any id but an empty one."""


def given_id(raw: str | None, *, exact: bool) -> str | None:
    """An id; None in place of an empty one, which some hosts give to all calls, unless it is to be written exactly."""
    return raw if exact else raw or None


_UNKNOWN = IdRules("[A-Za-z0-9_-]", 128, unique=True)
"""The rules assumed for an unknown source: as strict as those of most formats, so that escapes are decoded."""


_NAME = re.compile(r"[A-Za-z0-9_-]+")


def tool_name(raw: str, longest: int) -> str:
    """A tool's name in at most `longest` letters, digits, `_` and `-`; a hash keeps different names different."""
    if len(raw) <= longest and _NAME.fullmatch(raw):
        return raw
    return re.sub(r"[^A-Za-z0-9_-]", "_", raw)[: longest - 9] + "-" + _digest(raw)[:8]


class FreeNames:
    """Finds unused names for tools whose own name the target refuses."""

    request: tuple[Iterable[Any], Iterable[Any]] = (), ()
    """The messages and tools whose names are in use."""
    _used: set[str] | None = None

    def take(self, name: str, longest: int, others: Container[str]) -> str:
        """This name, or another one made from it if it is in use; `others` are in use, too."""
        used = self._used
        if used is None:
            messages, tools = self.request
            used = self._used = {tool.name for tool in tools if tool.type != "opaque"}
            used.update(name for message in messages if message.role == "assistant" for name in _called(message))
        while name in used or name in others:
            name = tool_name(f"{name}.", longest)  # the dot is not allowed, so the name gets a hash
        used.add(name)
        return name


def _called(answer: Any) -> Iterator[str]:
    """The names of the tools that an assistant message calls, in `tool_calls` or in parts."""
    yield from (call.name for call in answer.tool_calls or ())
    content: Any = answer.content
    if content.__class__ is tuple:
        yield from (part.name for part in content if part.type == "tool_use")


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 -- few conversions need it, and importing the package should cost little

    return hashlib.sha256(text.encode()).hexdigest()


class _Numbers(dict[str, list[int]]):
    """The numbers of the numbered ids in use, sorted, by the id without its number; the parameter `ids` is all ids in use.

    An id and its numbered forms are an endless sequence. Its n-th id is written as the n-th one that is free.
    """

    __slots__ = ()

    def copy(self) -> "_Numbers":
        return _Numbers({id: used.copy() for id, used in self.items()})

    def free(self, id: str, ids: Container[str]) -> str:
        """The id to write for this one: if it is the n-th of its sequence, the n-th that is free."""
        id, number = split_number(id)
        used = self.get(id, [])
        first = _in_use(id, ids)
        before = bisect_right(range(len(used)), number, key=lambda i: used[i] - i - first)
        return number_id(id, number + first + before)

    def rank(self, id: str, ids: Container[str]) -> str:
        """The id that a free one is written for: the inverse of `free`."""
        id, number = split_number(id)
        return number_id(id, number if number == 1 else number - _in_use(id, ids) - bisect_left(self.get(id, []), number))

    def mark(self, id: str, *, in_use: bool) -> None:
        """Record whether an id is in use."""
        id, number = split_number(id)
        if number > 1:
            used = self.setdefault(id, [])
            at = bisect_left(used, number)
            is_present = at < len(used) and used[at] == number
            if in_use and not is_present:
                used.insert(at, number)
            elif is_present and not in_use:
                del used[at]


def _in_use(id: str, ids: Container[str]) -> bool:
    """Whether the first id of a sequence is in use; an id that has a number itself belongs to another sequence."""
    return id in ids and split_number(id)[1] == 1


class Unanswered:
    """The unanswered calls that had no id of their own, in order, by the ids that they were given."""

    def __init__(self) -> None:
        self.names: OrderedDict[str, str] = OrderedDict()  # a dict finds its first key slowly after deletions
        self.ids: dict[str, deque[str]] = {}

    def copy(self) -> Self:
        """An independent copy."""
        made = copy.copy(self)
        made.names = self.names.copy()
        made.ids = {name: ids.copy() for name, ids in self.ids.items()}
        return made

    def add(self, id: str, name: str) -> None:
        """Add a call of this tool."""
        self.names[id] = name
        self.ids.setdefault(name, deque()).append(id)

    def take(self, name: str | None) -> tuple[str, str] | None:
        """Remove the first call of this tool, or of any tool if None, because it is answered; returns its id and its tool."""
        if name is None:
            name = next(iter(self.names.values()), None)
        if name is None or not self.ids.get(name):
            return None
        id = self.ids[name].popleft()
        return id, self.names.pop(id)


_COPIED = ("reserved", "current", "open", "names", "used", "source_numbers", "numbers", "texts", "hashes", "unanswered")
"""The attributes that `fork` copies."""


class ToolIds:
    """The ids of one dump: `call` returns the id to write for each tool call in order, `result` for each result.

    Both take the rules of the format that the id comes from, if it is known. An id that does not fit, or would become the same
    as another one, is replaced by a hash, which is reported to `losses`. An exact id stays as it is.
    """

    def __init__(self, rules: IdRules, losses: list[Loss]) -> None:
        self.rules = rules
        self.losses = losses
        self.reserved: set[str] = set()
        """The ids of calls that are written exactly; no other call may get them."""
        self.current: dict[str, str] = {}
        """The target's id for each id of the source; `open` has only those of unanswered calls."""
        self.open: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """The tool name of the latest call, by source id."""
        self.used: set[str] = set()
        """The target's ids that are in use."""
        self.texts: set[str] = set()
        """The texts that escaped ids of the source were decoded to."""
        self.hashes: dict[str, str] = {}
        """The ids that were replaced by hashes, by hash."""
        self.invented = 1
        self.source_numbers = _Numbers()
        self.numbers = _Numbers()

    @cached_property
    def unanswered(self) -> Unanswered:
        """The calls without an id that have no result yet; most dumps have none."""
        return Unanswered()

    @cached_property
    def code_paths(self) -> dict[str, dict[str, int]]:
        """The pointers of executed code without an id, by the code, each with its number; most dumps have none."""
        return {}

    def fork(self, losses: list[Loss]) -> Self:
        """An independent copy that reports to other losses."""
        made = copy.copy(self)
        made.losses = losses
        if "code_paths" in vars(self):
            made.code_paths = {code: paths.copy() for code, paths in self.code_paths.items()}
        for name in _COPIED:
            setattr(made, name, getattr(self, name).copy())
        return made

    def reserve(self, id: str) -> None:
        """Reserve an id, so that no other call gets it."""
        self.reserved.add(id)
        self.used.add(id)
        self.numbers.mark(id, in_use=True)

    def exact_call(self, raw: str) -> str:
        """The id of a call that is written exactly, which is unchanged."""
        self.open[raw] = self.current[raw] = raw
        return raw

    def exact_result(self, raw: str) -> str:
        """The id of a result that is written exactly: its own id, unless its call got another one."""
        return self.open.pop(raw, raw)

    def call(self, raw: str, path: str, source: IdRules | None) -> str:
        """The target's id for a call. Unanswered calls that share an id, a fault of the conversation, keep sharing one."""
        if raw in self.open:
            if (mapped := self.current[raw]) in self.hashes:
                self._report(mapped, path + "/id")
            return mapped
        if raw not in self.used and raw not in self.texts and self.rules.takes_plainly(raw):
            # Most ids: not in use, not refused, and not like an escape.
            id = mapped = raw
        else:
            id, clashes = self._written(raw, source or _UNKNOWN)
            id = self.numbers.free(id, self.used)
            mapped = self._fitting(id, path + "/id", clashes=clashes)
            self.source_numbers.mark(raw, in_use=True)
            self.numbers.mark(id, in_use=True)
        self.used.add(id)
        self.open[raw] = self.current[raw] = mapped
        return mapped

    def result(self, raw: str, path: str, field: str, source: IdRules | None) -> str:
        """The target's id for a result: the one that the latest call with the same id got."""
        if raw in self.open:
            mapped = self.open.pop(raw)
            id = self.hashes.get(mapped, mapped)
            if self.source_numbers and source is not None and not source.unique:
                self.source_numbers.mark(raw, in_use=False)
            if not self.rules.unique and id not in self.reserved:
                self.used.discard(id)
                if self.numbers:
                    self.numbers.mark(id, in_use=False)
            return mapped
        if raw in self.current or raw in self.reserved:
            return self.current.get(raw, raw)
        id, clashes = self._written(raw, source or _UNKNOWN)
        numbered = split_number(raw)[1] > 1 or split_number(id)[1] > 1  # it may be the id of a call
        return self._fitting(id, path + field, clashes=clashes or numbered)

    def free_id(self) -> str:
        """The id for the next call without one; no other call has it."""
        while (id := self.rules.numbered(self.invented)) in self.used or id in self.current:
            self.invented += 1
        return id

    def call_without_id(self, name: str) -> str:
        """Give an id to a call that has none, and return it."""
        self.reserve(id := self.free_id())
        self.unanswered.add(id, name)
        return id

    def result_without_id(self, name: str | None) -> tuple[str, bool]:
        """The id for a result without one: that of the first unanswered call of its tool, else of any tool, else a new id.

        Calls that had no id come first. Also returns whether the name of the tool led to the call: then the result needs no
        name.
        """
        chosen = self.unanswered.take(name)
        if (found := chosen or self.unanswered.take(None)) is not None:
            return found[0], chosen is not None and name is not None
        if self.open:
            return self.open.pop(next(iter(self.open))), False
        id = self.call_without_id("")
        self.unanswered.take("")
        return id, False

    def _written(self, raw: str, source: IdRules) -> tuple[str, bool]:
        """The target's id for an id of the source, before numbering, and whether it clashes with another id.

        A clash is an id that its own format refuses and that is the text behind another id: both would become the same.
        """
        id = self.source_numbers.rank(raw, self.current if source.unique else self.open)
        text = source.read(id)
        if id in self.texts if text == id else text in self.current and source.read(text) == text:
            return escape_id(id), True
        if text != id:
            self.texts.add(text)
        return self.rules.write(text), False

    def _fitting(self, id: str, path: str, *, clashes: bool) -> str:
        """The id itself; a hash of it if it clashes with another id, does not fit, or is the hash that replaces another id."""
        if not clashes and self.rules.accepts(id) and id not in self.hashes:
            return id
        salt = 0
        while True:
            mapped = self.rules.hashed(f"{salt} {id}")
            if mapped not in self.used and mapped not in self.current and self.hashes.setdefault(mapped, id) == id:
                self._report(mapped, path)
                return mapped
            salt += 1

    def _report(self, mapped: str, path: str) -> None:
        self.losses.append(Loss(path, None, "changed", f"the id of a tool call must {self.rules.length}; sent as {mapped}"))
