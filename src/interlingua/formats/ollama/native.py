"""Which canonical messages could have been loaded from Ollama's chat."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Content
from ...codec.native import NativeTable, all_of, settable
from ...model.base import Json
from .base import FAMILY
from .images import is_own_address, is_own_image
from .messages import CALL, IMAGE, ROLES, TEXT, THINKING

_RANKS = {"thinking": THINKING, "image": IMAGE, "opaque": IMAGE, "text": TEXT, "tool_use": CALL}


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from Ollama's form; None if only a round trip can show that."""
    if message.role == "opaque":
        role: Json = message.value.get("role")
        return message.format == FAMILY and type(role) is str and role.lower() not in ROLES
    verdict = _TABLE.accepts(message)
    content: Content = message.content
    if verdict is False or not isinstance(content, tuple):
        return verdict
    ranks = [_RANKS[part.type] for part in content]
    if ranks != sorted(ranks) or ranks.count(THINKING) > 1 or ranks.count(TEXT) > 1:
        return False
    if message.role != "assistant":
        return verdict if IMAGE in ranks and not {THINKING, CALL} & {*ranks} else False
    return verdict if ranks and ranks != [TEXT] else all_of((verdict, None))


def _says_something(part: Any) -> bool:
    return getattr(part, part.type) != "" and part.provider_data is None


_COMMON = settable("role content")
_FIELDS = frozenset({"role", "content", "thinking", "images", "tool_calls", "tool_name", "tool_call_id"})
"""The fields of a message, whose types are the same for every role."""
_TABLE = NativeTable(
    family=FAMILY,
    messages={
        "system": _COMMON,
        "user": _COMMON,
        "assistant": _COMMON,
        "tool": _COMMON | {"tool_call_id", "name"},
    },
    parts={
        "text": settable("type text"),
        "thinking": settable("type thinking"),
        "image": settable("type source"),
        "tool_use": settable("type id name input"),
        "opaque": frozenset({"type", "format", "value"}),
    },
    checks={
        "text": _says_something,
        "thinking": _says_something,
        "image": lambda part: part.provider_data is None and is_own_image(part),
        "opaque": is_own_address,
    },
    nullable=frozenset({"assistant.content"}),
    keys={
        **dict.fromkeys(("system", "user", "assistant", "tool"), _FIELDS),
        "tool_use": frozenset({"id", "type", "function"}),
    },
)
