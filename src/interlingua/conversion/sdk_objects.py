"""Objects of providers' SDKs as the JSON that they were made of."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

_OBJECT_DEPTH = 12
"""How many levels deep SDK objects and tuples are searched for; free JSON below that accepts tuples."""


def unwrap(value: BaseModel | dict[str, Any] | list[Any] | tuple[Any, ...] | None, depth: int = 0) -> Any:
    """The same data with models, tuples and mappings as dicts and lists; the value itself where nothing differs."""
    if depth > _OBJECT_DEPTH:
        return value
    if isinstance(value, BaseModel):
        return dumped(value)
    if isinstance(value, list | tuple):
        items = [unwrap(item, depth + 1) for item in value]
        return value if type(value) is list and _are_same(items, value) else items
    if isinstance(value, Mapping):
        fields = {key: unwrap(item, depth + 1) for key, item in value.items()}
        return value if type(value) is dict and _are_same(fields.values(), value.values()) else fields
    return value


def dumped(value: BaseModel) -> Any:
    """The JSON that an SDK's object was made of; the object itself if it has no JSON form."""
    options: dict[str, Any] = {"exclude_unset": True, "by_alias": True, "warnings": False}
    try:
        made = value.model_dump(mode="json", **options)
        if value.model_config.get("ser_json_bytes") != "base64":
            return made
        return _with_base64(made, value.model_dump(**options))
    except (ValueError, TypeError, AttributeError, RecursionError):  # of pydantic, and of methods of the object's class
        return value


def _with_base64(made: Any, data: bytes | Mapping[str, Any] | list[Any] | tuple[Any, ...] | None) -> Any:
    """JSON with bytes in the usual alphabet of base64; pydantic's is that for URLs."""
    if isinstance(data, bytes):
        return b64encode(data).decode()
    if isinstance(data, Mapping):
        pairs = zip(made.items(), data.values(), strict=True)
        return {key: _with_base64(item, original) for (key, item), original in pairs}
    if isinstance(data, list | tuple):
        return [_with_base64(*pair) for pair in zip(made, data, strict=True)]
    return made


def _are_same(values: Iterable[Any], others: Iterable[Any]) -> bool:
    return all(a is b for a, b in zip(values, others, strict=True))
