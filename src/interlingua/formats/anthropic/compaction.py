"""Compaction: the server sums up a conversation, a beta (anthropic 2.11.0, `beta_compact_20260112_edit_param.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from ...codec.citable import ReadableText, besides
from ...codec.fields import Wire, is_empty, value_at
from ...codec.shared import Setting
from ...model.base import Json

BETA = "compact-2026-01-12"
_TYPE = "compact_20260112"
_LEAST = 50_000
"""The smallest number of tokens that the server accepts (its documentation)."""


def _edit(management: Json) -> tuple[int, Wire]:
    """The compaction among the edits of the context, after its index; an empty edit unless there is exactly one."""
    edits: Json = value_at(management, ("edits",))
    found = [(i, edit) for i, edit in enumerate(edits if type(edits) is list else ()) if value_at(edit, ("type",)) == _TYPE]
    return found[0] if len(found) == 1 else (0, {})


def _read(management: Json) -> Json:
    edit = _edit(management)[1]
    trigger: Json = edit.get("trigger")
    if not edit or trigger is None:
        return True if edit else None
    value: Json = value_at(trigger, ("value",))
    return value if value_at(trigger, ("type",)) == "input_tokens" and type(value) is int else None


def _left_out(management: Wire) -> Sequence[str]:
    place, edit = _edit(management)
    more = [f"/edits/{place}/{key}" for key, value in edit.items() if key not in ("type", "trigger") and _says(value)]
    return more + [f"/edits/{i}" for i in range(len(management["edits"])) if i != place]


def _says(value: Json) -> bool:
    return value is not False and not is_empty(value)


def _write(value: int) -> Json:
    trigger: Wire = {} if value is True else {"trigger": {"type": "input_tokens", "value": value}}
    return {"edits": [{"type": _TYPE, **trigger}]}


def _refuse(_value: object) -> str:
    return f"compaction is a beta, `{BETA}`; to ask for it, use `AnthropicProfile(compaction=True)` and name the beta"


def summary(block: Wire) -> ReadableText | None:
    """The summary in a compaction block; None if the server could not sum up.

    Source: anthropic 2.11.0, `beta_compaction_block_param.py`.
    """
    text: Json = block.get("content")
    return ReadableText(text, besides(block, "type", "content")) if type(text) is str and text.strip() else None


def compaction(*, is_sent: bool) -> Setting:
    """The compaction setting; unless `is_sent`, it is left out of other providers' requests, with a report."""
    check = None if is_sent else _refuse
    path = ("context_management",)
    return Setting(path, least=_LEAST, raised=True, check=check, reads=_read, writes=_write, left_out=_left_out)
