"""Blobs: base64 text in JSON, `bytes` for boto3.

botocore accepts text for a blob too, and encodes it: base64 text would be encoded twice. So text in the place of a blob is what
the blob holds, and is read as its bytes.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from ...model.base import MAX_DEPTH, Json

_PLACES = frozenset({("source", "bytes"), ("reasoningContent", "redactedContent")})
"""Where blobs are: a field, and the field of the object that has it."""
_FREE = frozenset({"input", "json", "additionalModelRequestFields", "additionalModelResponseFields"})
"""Fields whose values are the caller's own JSON."""


def encoded(value: Any) -> Any:
    """A copy with base64 text for bytes, and for text in the place of a blob."""
    return _encoded(value, ("", ""), True, 0, {})


def encoded_answer(value: Any) -> Any:
    """A copy of a response or a chunk with base64 text for bytes."""
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
        seen[key] = value  # in case it holds itself
        if isinstance(value, dict):
            made: Any = {}
            for name, item in value.items():
                made[name] = _encoded(item, (at[1], name), texts and name not in _FREE, depth + 1, seen)
        else:
            made = [_encoded(item, at, texts, depth + 1, seen) for item in value]
        seen[key] = made
    return seen[key]


def decoded(value: Json, at: tuple[str, str] = ("", "")) -> Any:
    """A copy with bytes for base64 text."""
    if type(value) is str:
        return b64decode(value) if at in _PLACES else value
    if type(value) is dict:
        return {key: item if key in _FREE else decoded(item, (at[1], key)) for key, item in value.items()}
    return [decoded(item, at) for item in value] if type(value) is list else value
