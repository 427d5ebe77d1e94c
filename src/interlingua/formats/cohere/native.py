"""Which canonical messages could have been loaded from Cohere's Chat."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Content, spelling
from ...codec.native import NativeTable, all_of, settable
from ...model.base import Json
from .base import FAMILY, PLAN, is_plan
from .parts import PART_TYPES
from .wire import PARTS, ROLES

_CANONICAL = {"json": "document"}
"""The name of a part's type on the wire, if it is another."""
_MEDIA = settable("url detail")


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from Cohere's form; None if only a round trip can show that."""
    if message.role == "opaque":
        role: Json = message.value.get("role")
        return message.format == FAMILY and type(role) is str and role not in ROLES
    verdict = _TABLE.accepts(message)
    content: Content = message.content
    if verdict is False or not isinstance(content, tuple):
        return verdict
    if message.role != "assistant":
        known = PART_TYPES[message.role]
        fits = all(part.type == "opaque" or _CANONICAL.get(part.type, part.type) in known for part in content)
        return verdict if fits else False
    ranks = [_rank(part) for part in content]
    if ranks != sorted(ranks) or ranks.count(0) > 1:
        return False
    beside = any(spelling(part, "content") is not None for part in content) or message.provider_data is not None
    has_place = None if beside else True
    return all_of((verdict, has_place))


def _rank(part: Any) -> int:
    """The place of a part in a message: first the plan, then the content, then the calls."""
    if is_plan(part):
        return 0
    return 2 if part.type == "tool_use" else 1


def _has_own_citations(part: Any) -> bool | None:
    return None if part.citations else "citations" not in part.model_fields_set


def _is_unknown(part: Any) -> bool | None:
    kind: Json = part.value.get("type")
    if part.format != FAMILY or type(kind) is not str:
        return False
    return None if kind in PARTS else True


def _thinks(part: Any) -> bool:
    """Whether reasoning is a part of the content, or a plan with nothing but text."""
    return not is_plan(part) or (bool(part.thinking) and part.provider_data is None)


_COMMON = settable("role content")
_TABLE = NativeTable(
    family=FAMILY,
    messages={"system": _COMMON, "user": _COMMON, "assistant": _COMMON, "tool": _COMMON | {"tool_call_id"}},
    parts={
        "text": settable("type text citations"),
        "thinking": settable("type thinking"),
        "image_url": settable("type image_url"),
        "json": settable("type value"),
        "tool_use": settable("type id name input"),
        "opaque": frozenset({"type", "format", "value"}),
    },
    checks={
        "text": _has_own_citations,
        "thinking": _thinks,
        "image_url": lambda part: NativeTable(FAMILY, {}, {}).fits(part.image_url, _MEDIA, "media"),
        "json": lambda part: type(part.value) is dict,
        "tool_use": lambda part: type(part.input) is str,
        "opaque": _is_unknown,
    },
    nullable=frozenset({"assistant.content", "json.value"}),
    keys={
        "assistant": frozenset({"role", "content", PLAN, "tool_calls", "citations"}),
        "json": frozenset({"type", "document"}),
        "tool_use": frozenset({"id", "type", "function"}),
    },
)
