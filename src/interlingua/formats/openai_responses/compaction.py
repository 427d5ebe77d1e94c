"""Compaction: the server sums up a conversation (openai 3.52.0, `ContextManagement` in `response_create_params.py`)."""

from __future__ import annotations

from ...codec.shared import Setting
from ...model.base import Json

_TYPE = "compaction"
_LEAST = 1000
"""The smallest number of tokens that the server accepts (its specification)."""


def _read(entries: Json) -> Json:
    entry: Json = entries[0] if type(entries) is list and len(entries) == 1 else None
    if type(entry) is not dict or entry.get("type") != _TYPE or not entry.keys() <= {"type", "compact_threshold"}:
        return None
    most: Json = entry.get("compact_threshold")
    return True if most is None else most if type(most) is int else None


def _write(value: int) -> Json:
    return [{"type": _TYPE} | ({} if value is True else {"compact_threshold": value})]


COMPACTION = Setting(("context_management",), least=_LEAST, raised=True, reads=_read, writes=_write)
