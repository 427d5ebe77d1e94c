"""Tool choices that allow only some of the tools, which OpenAI's APIs call allowed tools.

(openai 3.52.0: `chat_completion_allowed_tools_param.py`, `responses/tool_choice_allowed_param.py`.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from ..model.base import Json
from .fields import Wire, value_at

TYPE = "allowed_tools"
_MODES = ("auto", "required")
_KINDS = ("function", "custom")
Named = Callable[[str, str], Wire]
"""Makes an API's reference to a tool, from the tool's name and kind."""


class Allowed(NamedTuple):
    """A tool choice that was loaded."""

    choice: dict[str, Any]
    kinds: str | None
    """The kinds of the tools, if not all are functions."""


def load_allowed(value: Json, named: Named) -> Allowed | None:
    """The tool choice from an object with a mode and tools; None if it contains anything else."""
    if type(value) is not dict or value.keys() != {"mode", "tools"} or value["mode"] not in _MODES:
        return None
    entries: Json = value["tools"]
    found = [_entry(entry, named) for entry in entries] if type(entries) is list else []
    if not found or None in found:
        return None
    kinds, names = zip(*(entry for entry in found if entry is not None), strict=True)
    return Allowed({"type": value["mode"], "allowed": [*names]}, " ".join(kinds) if "custom" in kinds else None)


def _entry(entry: Json, named: Named) -> tuple[str, str] | None:
    """The kind and the name of a tool; None if the entry has another form."""
    for kind in _KINDS:
        name = value_at(entry, (kind, "name")) or value_at(entry, ("name",))
        if type(name) is str and entry == named(name, kind):
            return kind, name
    return None


def dump_allowed(choice: Any, kinds: str | None, customs: Collection[str], named: Named) -> Wire:
    """The object with the mode and the tools; `kinds` are those that were recorded, and `customs` the names of custom tools."""
    names: Sequence[str] = choice.allowed
    recorded = (kinds or "").split()
    if len(recorded) != len(names):
        recorded = ["custom" if name in customs else "function" for name in names]
    return {"mode": choice.type, "tools": [named(name, kind) for name, kind in zip(names, recorded, strict=True)]}
