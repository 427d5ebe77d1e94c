"""Which canonical messages could have been loaded from harmony."""

from __future__ import annotations

from typing import Any

from ...codec.native import NativeTable, settable
from .base import FAMILY
from .messages import is_read_back

_FIELDS = settable("role content") - {"provider_data"}
_TABLE = NativeTable(
    family=FAMILY,
    messages={
        "system": _FIELDS,
        "developer": _FIELDS,
        "user": _FIELDS | {"name"},
        "assistant": _FIELDS,
        "tool": _FIELDS | {"name"},
        "opaque": settable("role format value") - {"provider_data"},
    },
    parts={
        "text": settable("type text") - {"provider_data"},
        "thinking": settable("type thinking") - {"provider_data"},
        "tool_use": settable("type name input") - {"provider_data"},
        "opaque": settable("type format value") - {"provider_data"},
    },
)


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from a text; None if only a round trip can show that."""
    if message.role == "opaque":
        return None if message.format == FAMILY else False
    if not _TABLE.accepts(message):
        return False
    if message.role == "assistant":
        return None
    return type(message.content) is str and is_read_back(message)
