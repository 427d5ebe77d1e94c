"""Whether a message could have been loaded from a format, decided from the fields that it sets and the kinds of its parts.

A message is native to a format if loading what the format's same-format dump writes for it gives the message back. Native
messages in a request of that format are dumped exactly; every other message follows the rules for conversions. The check is
cheap: a table says which fields each role and each type of part may set, and small functions check what a table cannot say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..errors import escape
from .format import Content

_COMMON = frozenset({"provider_data", "wire", "extra"})
_NO_CHECKS: Mapping[str, Callable[[Any], bool]] = MappingProxyType({})
_SAME_NAMES: Mapping[str, str] = MappingProxyType({})


def fields(text: str, *, cache: bool = False) -> frozenset[str]:
    """The fields that an owner may set, by name, besides those that all owners have."""
    return _COMMON | {*text.split(), *(("cache_control",) if cache else ())}


class NativeTable(NamedTuple):
    """What messages and parts loaded from one format look like."""

    family: str
    messages: Mapping[str, frozenset[str]]
    """The fields that a message of each role may set."""
    parts: Mapping[str, frozenset[str]]
    """The fields that a part of each type may set."""
    checks: Mapping[str, Callable[[Any], bool]] = _NO_CHECKS
    """What else must be true of a part of a type."""
    nullable: frozenset[str] = frozenset()
    """Fields that may be null; `role.field` or `type.field`."""
    wire_names: Mapping[str, str] = _SAME_NAMES
    """Fields that have another name on the wire."""

    def accepts(self, message: Any) -> bool:
        """Whether the fields of a message, and all parts of its content, are native."""
        known = self.messages.get(message.role)
        if known is None or not self.fits(message, known, message.role):
            return False
        content: Content = message.content if message.role != "opaque" else None
        return not isinstance(content, tuple) or all(map(self.accepts_part, content))

    def accepts_part(self, part: Any) -> bool:
        """Whether a part is native."""
        kind = part.type
        known = self.parts.get(kind)
        if known is None or not self.fits(part, known, kind):
            return False
        check = self.checks.get(kind)
        return check is None or check(part)

    def fits(self, owner: Any, known: frozenset[str], kind: str) -> bool:
        """Whether an owner sets only known fields, none of them null, and provider data that no field overwrites."""
        given = owner.model_fields_set
        if not given <= known:
            return False
        values: Mapping[str, Any] = owner.__dict__
        for name in given:
            if values[name] is None and f"{kind}.{name}" not in self.nullable:
                return False
        if "cache_control" in given and "ttl" in owner.cache_control and owner.cache_control.ttl is None:
            return False
        return "provider_data" not in given or self._may_lie_over(owner)

    def _may_lie_over(self, owner: Any) -> bool:
        overlay = owner.provider_data.get(self.family)
        if not overlay or len(owner.provider_data) > 1:
            return False
        written = {self.wire_names.get(name, name) for name in owner.model_fields_set - _COMMON}
        partial = (owner.wire.partial or ()) if owner.wire is not None else ()
        return all(key not in written or "/" + escape(key) in partial for key in overlay)
