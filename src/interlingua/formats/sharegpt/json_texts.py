"""JSON inside the texts of a row: calls and tools, which are one object or a list of objects.

Such a text is loaded only if writing it again gives the same meaning. Its spelling is recorded, and is written again if the
objects have not changed.
"""

from __future__ import annotations

import json
from typing import Any

from ...codec.fields import spelling
from ...model.base import Json, copy_json, exact_number


def _read_json(text: str) -> Any:
    """The data of a JSON text without repeated keys, and without numbers that a double cannot hold; None for any other text."""
    try:
        return copy_json(json.loads(text, parse_float=exact_number, parse_constant=_refuse, object_pairs_hook=_once))
    except (ValueError, RecursionError):
        return None


def _refuse(word: str) -> None:
    raise ValueError(word)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key must not be repeated")
    return made


def objects_in(text: str) -> list[dict[str, Any]] | None:
    """The objects in a JSON text of one object or a list; None if it is neither."""
    value: Json = _read_json(text)
    objects: list[Any] = value if type(value) is list else [value]
    are_objects = objects and all(type(item) is dict for item in objects)
    return objects if are_objects else None


def as_recorded(owner: Any, key: str, now: list[dict[str, Any]], text: str) -> str:
    """The recorded text of these objects, if it still has the same meaning; otherwise the new text."""
    recorded = spelling(owner, key)
    if recorded is None or recorded == text:
        return text
    before = objects_in(recorded)
    is_same = before is not None and json.dumps(before, sort_keys=True) == json.dumps(now, sort_keys=True)
    return recorded if is_same else text
