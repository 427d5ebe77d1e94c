"""Blobs: base64 text in JSON, `bytes` for boto3.

botocore also accepts text for a blob, and encodes it: base64 text would be encoded twice. So text in the place of a blob is
read as the blob's content, and not as base64.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

from ...errors import escape
from ...model.base import MAX_DEPTH, Json

_PLACES = frozenset({("source", "bytes"), ("reasoningContent", "redactedContent")})
"""The places of blobs: a field, and the field of the object around it."""
_FREE = frozenset({"input", "json", "additionalModelRequestFields", "additionalModelResponseFields"})
"""Fields whose values are the caller's own JSON."""


def encoded(value: Any) -> Any:
    """A copy in which base64 text replaces bytes, and text in the place of a blob."""
    return _encoded(value, ("", ""), True, 0, {})


def encoded_answer(value: Any) -> Any:
    """A copy of a response or a chunk in which base64 text replaces bytes."""
    return _encoded(value, ("", ""), False, 0, {})


def _encoded(
    value: Json | bytes | bytearray | memoryview, at: tuple[str, str], texts: bool, depth: int, seen: dict[Any, Any]
) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(value).decode()
    if type(value) is str:
        return b64encode(value.encode(errors="surrogatepass")).decode() if texts and at in _PLACES else value
    if not isinstance(value, dict | list) or depth > MAX_DEPTH:
        return value
    key = id(value), at
    if key not in seen:
        seen[key] = value  # in case an object contains itself
        if isinstance(value, dict):
            made: Any = {}
            for name, item in value.items():
                made[name] = _encoded(item, (at[1], name), texts and name not in _FREE, depth + 1, seen)
        else:
            made = [_encoded(item, at, texts, depth + 1, seen) for item in value]
        seen[key] = made
    return seen[key]


NOT_BASE64 = "boto3 takes bytes, and the data are not base64: send base64"


def is_base64(data: str) -> bool:
    """Whether a text is base64, with its padding and nothing else."""
    try:
        b64decode(data, validate=True)
    except ValueError:
        return False
    return True


def holds_blobs(value: Json) -> bool:
    """Whether all blobs in a value are base64."""
    try:
        with_bytes(value)
    except ValueError:
        return False
    return True


def decoded(value: Json, report: Callable[[str], None]) -> Any:
    """A copy in which bytes replace base64 text.

    Text in the place of a blob that is not base64 is left out; `report` receives its pointer.
    """
    try:
        return with_bytes(value)
    except ValueError:
        return with_bytes(_without_bad_blobs(value, ("", ""), "", report))


def with_bytes(value: Json, at: tuple[str, str] = ("", "")) -> Any:
    """A copy in which bytes replace base64 text. Raises `ValueError` if a blob is not base64."""
    if type(value) is str:
        return b64decode(value, validate=True) if at in _PLACES else value
    if type(value) is dict:
        return {key: item if key in _FREE else with_bytes(item, (at[1], key)) for key, item in value.items()}
    return [with_bytes(item, at) for item in value] if type(value) is list else value


def _without_bad_blobs(value: Json, at: tuple[str, str], pointer: str, report: Callable[[str], None]) -> Any:
    if type(value) is list:
        kept: list[Any] = []
        for i, item in enumerate(value):
            if _is_bad(item, at):
                report(f"{pointer}/{i}")
            else:
                kept.append(_without_bad_blobs(item, at, f"{pointer}/{i}", report))
        return kept
    if type(value) is not dict:
        return value
    out: dict[str, Any] = {}
    for key, item in value.items():
        here = (at[1], key)
        if key in _FREE:
            out[key] = item
        elif _is_bad(item, here):
            report(f"{pointer}/{escape(key)}")
        else:
            out[key] = _without_bad_blobs(item, here, f"{pointer}/{escape(key)}", report)
    return out


def _is_bad(value: Json, at: tuple[str, str]) -> bool:
    return type(value) is str and at in _PLACES and not is_base64(value)
