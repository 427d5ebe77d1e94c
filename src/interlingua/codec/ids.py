"""Tool-call ids across formats: reversible where possible, so that calls and results stay paired and ids round-trip.

An id that a target refuses is escaped: `il_`, then letters, digits and hyphens as they are, and every other character as
`_<hex>_`. A repeated id gets an ordinal, `il2_…`. A dump undoes an escape that this module would have written, and escapes an
id that only looks like one. So a conversion there and back restores every id, and two ids never become one.
"""

import copy
import re
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Self

_ESCAPED = re.compile(r"il(|[2-9]|[1-9][0-9]+)_((?:[A-Za-z0-9-]|_[0-9a-f]+_)*)")
_UNSAFE = re.compile(r"[^A-Za-z0-9-]")


def encode(raw: str, ordinal: int = 1) -> str:
    """The escape of an id's `ordinal`-th use."""
    number = str(ordinal) if ordinal > 1 else ""
    return f"il{number}_" + _UNSAFE.sub(lambda match: f"_{ord(match[0]):x}_", raw)


def decode(escaped: str) -> tuple[str, int] | None:
    """The id and ordinal behind an escape; None where `encode` would not have written it."""
    match = _ESCAPED.fullmatch(escaped)
    if match is None:
        return None
    try:
        raw = re.sub(r"_([0-9a-f]+)_", lambda hexa: chr(int(hexa[1], 16)), match[2])
        raw.encode()
    except (ValueError, OverflowError):
        return None
    ordinal = int(match[1] or 1) if len(match[1]) < 10 else 0
    return (raw, ordinal) if encode(raw, ordinal) == escaped else None


class IdRules:
    """What a format accepts as a tool call's id.

    `character` is a pattern for one of its characters, `shortest` and `longest` how many there may be; if `unique`, no id is
    used twice.
    """

    def __init__(self, character: str, longest: int, *, unique: bool, shortest: int = 1) -> None:
        self.longest = longest
        self.unique = unique
        length = f"{{{shortest},{longest}}}"
        self.accepts = re.compile(f"(?:{character}){length}", re.DOTALL).fullmatch
        self.takes_plainly = re.compile(f"(?!il)(?:{character}){length}", re.DOTALL).fullmatch


_UNKNOWN = IdRules("[A-Za-z0-9_-]", 128, unique=True)
"""The rules of an unknown source: as strict as most formats, so that escapes are undone."""


def _escapes(raw: str, source: IdRules, target: IdRules) -> bool:
    """Whether `raw`, found at `source`, is the escape of an id that came from `target`."""
    found = decode(raw) if raw.startswith("il") else None
    if found is None:
        return False
    base, ordinal = found
    if _escapes(base, target, source):
        return False  # the earlier conversion would have undone it instead of escaping it again
    return source.unique if ordinal > 1 else not source.accepts(base) or decode(base) is not None


_NAME = re.compile(r"[A-Za-z0-9_-]+")


def tool_name(raw: str, longest: int) -> str:
    """A tool's name in at most `longest` letters, digits, `_` and `-`; a hash keeps different names different."""
    if len(raw) <= longest and _NAME.fullmatch(raw):
        return raw
    return re.sub(r"[^A-Za-z0-9_-]", "_", raw)[: longest - 9] + "-" + _digest(raw)[:8]


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415 -- few conversions need it, and importing the package should cost little

    return hashlib.sha256(text.encode()).hexdigest()


class ToolIds:
    """The ids of one dump: `call` for each tool call in order, `result` for each result.

    Both need the rules of the format that an id comes from, where that is known: an escape that was not needed there is not one
    of ours. `hashed` is called once for each id that had to become a hash. An exact id stays as it is.
    """

    def __init__(self, rules: IdRules, hashed: Callable[[str, str], None]) -> None:
        self.rules = rules
        self.hashed = hashed
        self.reserved: set[str] = set()
        """The ids of calls that are written exactly, which no other call may get."""
        self.current: dict[str, str] = {}
        self.open: dict[str, str] = {}
        self.written: set[str] = set()
        self.uses: dict[str, int] = {}
        self.first: dict[str, str] = {}  # what the first use of an id became
        self.taken: dict[str, str] = {}
        self.unanswered: OrderedDict[str, deque[str]] = OrderedDict()  # a dict finds its first key slowly after deletions
        self.invented = 0

    def fork(self, hashed: Callable[[str, str], None]) -> Self:
        """An independent copy."""
        made = copy.copy(self)
        made.hashed = hashed
        for name in ("reserved", "current", "open", "written", "uses", "first", "taken"):
            setattr(made, name, getattr(self, name).copy())
        made.unanswered = OrderedDict((name, ids.copy()) for name, ids in self.unanswered.items())
        return made

    def exact_call(self, raw: str) -> str:
        """The id of a call that is written as it stood."""
        self.open[raw] = self.current[raw] = raw
        self.uses.setdefault(raw, 1)
        return raw

    def exact_result(self, raw: str) -> str:
        """The id of a result that is written as it stood: its own, unless its call got another one."""
        return self.open.pop(raw, raw)

    def call(self, raw: str, path: str, source: IdRules | None) -> str:
        """The target's id for a call. Unanswered calls that share an id, a fault of the conversation, keep sharing it."""
        if raw in self.open:
            return self.current[raw]
        if raw not in self.uses and raw not in self.reserved and self.rules.takes_plainly(raw):
            # Not used before, not refused, not like an escape: most ids.
            self.uses[raw] = 1
            mapped = raw
        else:
            mapped = self._map(raw, path, "/id", source)
        self.open[raw] = self.current[raw] = mapped
        self.written.add(mapped)
        return mapped

    def result(self, raw: str, path: str, field: str, source: IdRules | None) -> str:
        """The target's id for a result: that of the latest call with its id."""
        mapped = self.open.pop(raw, None)
        if mapped is not None:
            self.written.discard(mapped)
            return mapped
        if raw not in self.current:
            self.current[raw] = raw if raw in self.reserved else self._map(raw, path, field, source)
        return self.current[raw]

    def call_without_id(self, name: str) -> str:
        """An id for a call that has none, different from all others."""
        self.invented += 1
        while (id := f"call-{self.invented}") in self.uses or id in self.reserved:
            self.invented += 1
        self.uses[id] = 1
        self.unanswered.setdefault(name, deque()).append(id)
        return id

    def result_without_id(self, name: str | None) -> str:
        """The id given to the first unanswered call of that tool, else of any; a new one where there is none."""
        if name is None or name not in self.unanswered:
            if not self.unanswered:
                self.call_without_id("")
            name = next(iter(self.unanswered))
        waiting = self.unanswered[name]
        found = waiting.popleft()
        if not waiting:
            del self.unanswered[name]
        return found

    def _map(self, raw: str, path: str, field: str, source: IdRules | None) -> str:
        rules = self.rules
        decoded = self._decoded(raw, source) if raw.startswith("il") else None
        base = raw if decoded is None else decoded
        uses = self.uses[base] = self.uses.get(base, 0) + 1
        mapped = base
        if uses > 1:
            mapped = encode(base, uses) if rules.unique or base in self.written else self.first.get(base, base)
        elif not rules.accepts(base) or (decoded is None and base.startswith("il") and decode(base) is not None):
            mapped = encode(base)
        while mapped in self.reserved:
            uses = self.uses[base] = uses + 1
            mapped = encode(base, uses)
        if not rules.accepts(mapped):
            mapped = self._hash(base, uses if rules.unique else 1)
            self.hashed(path + field, mapped)
        self.taken[mapped] = base
        self.first.setdefault(base, mapped)
        return mapped

    def _decoded(self, raw: str, source: IdRules | None) -> str | None:
        if not _escapes(raw, source or _UNKNOWN, self.rules):
            return None
        base, ordinal = decode(raw) or ("", 0)
        repeats = ordinal == 1 or self.uses.get(base, 0) == ordinal - 1
        return base if repeats and base not in self.written else None

    def _hash(self, base: str, use: int) -> str:
        salt = 0
        while True:
            digest = _digest(f"{base}\0{use}\0{salt}")
            mapped = f"ilh{digest}"[: min(self.rules.longest, 40)]
            if self.taken.get(mapped, base) == base:
                return mapped
            salt += 1
