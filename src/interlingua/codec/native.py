"""Decides whether a message could have been loaded from a format.

An owner is a message, a part or a call. A message is native to a format if the format's same-format dump of it loads as the
same message. A request of this format dumps native messages exactly; all other messages follow the rules for conversions. A
table decides nearly all cases: it has the fields that each role and each type of part may set, and functions for what a table
cannot express. If provider data have a key that the loader reads, the table is in doubt, and the message is dumped and loaded
to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from ..errors import escape
from ..model.base import Json
from ..model.exchange import Choice, Request, Response
from .fields import Content, read_in_part
from .format import Format
from .table import NO_FORMATS

_RECORDS = frozenset({"wire", "extra"})
_COMMON = _RECORDS | {"provider_data"}


def settable(text: str, *, cache: bool = False) -> frozenset[str]:
    """A set of the fields that a message or part may set: those named in `text`, and those that all may set."""
    return _COMMON | {*text.split(), *(("cache_control",) if cache else ())}


def all_of(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether all verdicts are true; None if the result is in doubt."""
    found = set(verdicts)
    return False if False in found else None if None in found else True


def is_usual_source(source: Any) -> bool:
    """Whether a source has no null, and, if it is a URL or a file id, no media type, which only few formats have there."""
    given: dict[str, Any] = source.to_dict()
    return None not in given.values() and not ("media_type" in given and source.type in ("url", "file_id"))


@dataclass(frozen=True, eq=False)
class NativeTable:
    """What messages and parts from one format look like. A verdict is True, False, or None if it is in doubt."""

    family: str
    messages: Mapping[str, frozenset[str]]
    """The fields that a message of each role may set."""
    parts: Mapping[str, frozenset[str]]
    """The fields that a part of each type may set."""
    checks: Mapping[str, Callable[[Any], bool | None]] = field(default_factory=dict[str, Callable[[Any], bool | None]])
    """What else must be true of a part of each type."""
    nullable: frozenset[str] = frozenset()
    """Fields that may be null; `role.field` or `type.field`."""
    keys: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The wire keys that the loader reads in each role and type of part, if they are not the names of the fields."""
    nested: bool = False
    """Whether provider data of parts belong in an object that the loader reads; such parts are always in doubt."""
    marks: frozenset[str] = frozenset()
    """The wire keys that the loader also reads in all other roles and types of parts."""

    def accepts(self, message: Any) -> bool | None:
        """Whether the fields of a message and all parts of its content are native."""
        if (known := self.messages.get(message.role)) is None:
            return False
        verdict = self.fits(message, known, message.role)
        content: Content = message.content
        if verdict is False or not isinstance(content, tuple):
            return verdict
        return all_of((verdict, *map(self.accepts_part, content)))

    def accepts_part(self, part: Any) -> bool | None:
        """Whether a part is native."""
        kind = part.type
        if (known := self.parts.get(kind)) is None:
            return False
        check = self.checks.get(kind)
        verdict = self.fits(part, known, kind)
        if self.nested and part.provider_data is not None:
            verdict = all_of((verdict, None))
        return verdict if check is None or verdict is False else all_of((verdict, check(part)))

    def fits(self, owner: Any, known: frozenset[str], kind: str) -> bool | None:
        """Whether an owner sets only known fields, none to null, and has provider data that the loader would keep there."""
        given: set[str] = owner.model_fields_set
        if not given <= known:
            return False
        values: Mapping[str, Any] = owner.__dict__
        for name in given:
            if values[name] is None and name not in _RECORDS and f"{kind}.{name}" not in self.nullable:
                return False
        if "cache_control" in given and "ttl" in owner.cache_control and owner.cache_control.ttl is None:
            return False
        return "provider_data" not in given or self._leaves(owner, kind, known)

    def _leaves(self, owner: Any, kind: str, known: frozenset[str]) -> bool | None:
        """Whether the loader would leave the owner's provider data unread; `known` are the fields that the owner may set."""
        overlay = owner.provider_data.get(self.family)
        if not overlay or len(owner.provider_data) > 1:
            return False
        record = owner.wire
        partial, _ = read_in_part(record)
        keys = self.keys.get(kind, known - _COMMON | self.marks)
        unread = known - owner.model_fields_set  # if the key and the field have different names, only a dump can tell
        whole = {key for key, left in overlay.items() if not left or type(left) is not dict or "/" + escape(key) not in partial}
        clashes = keys & whole
        # Loaders keep null, unless a record shows that another field was read instead.
        surely = all(overlay[key] is None and key in unread and f"{kind}.{key}" not in self.nullable for key in clashes)
        is_recorded = record is not None and (record.spelling or partial)
        return True if surely and not (clashes and is_recorded) else None


def is_native(message: Any, target: Format) -> bool:
    """Whether a message could have been loaded from the target."""
    verdict = target.native(message)
    return round_trips(message, target) if verdict is None else verdict


def round_trips(message: Any, target: Format) -> bool:
    """Whether a message comes back from a same-format dump and load, apart from our records.

    An assistant message is tried as a response, too, because that may have fields that requests must not have.
    """
    record = message.wire
    if record is not None:  # of a message, or of a request or response itself
        message = message.replace(wire={name: record[name] for name in record if name not in ("origin", "response")})
    is_answer = record is not None and bool(record.response)
    return (is_answer and _comes_back(_from_response, message, target)) or _comes_back(_from_request, message, target)


def _comes_back(again: Callable[[Any, Format, Any], list[Any]], message: Any, target: Format) -> bool:
    d = target.new_dump(replace(target, native=bool), target, same_format=True, formats=NO_FORMATS)
    try:
        found = Request(messages=tuple(again(message, target, d))).messages
    except ValidationError:
        return False
    return bool(_bare([one.to_dict() for one in found]) == _bare([message.to_dict()]))


def _from_response(message: Any, target: Format, d: Any) -> list[Any]:
    """A message that was dumped and loaded as the answer of a response; none where the format has no responses."""
    if target.load_response is None or target.dump_response is None:
        return []
    answered = target.load_response(target.dump_response(Response(choices=(Choice(message=message),)), d))
    return [choice["message"] for choice in answered["choices"]]


def _from_request(message: Any, target: Format, d: Any) -> list[Any]:
    """A message that was dumped and loaded in a request."""
    found: list[Any] = target.load(target.dump(Request(messages=()), [message], d)).get("messages", [])
    return found


def _bare(value: Json) -> Any:
    """Canonical data without records; free JSON is unchanged."""
    if type(value) is list:
        return [_bare(item) for item in value]
    free = ("provider_data", "value", "input")
    if type(value) is dict:
        return {key: item if key in free else _bare(item) for key, item in value.items() if key not in _RECORDS}
    return value
