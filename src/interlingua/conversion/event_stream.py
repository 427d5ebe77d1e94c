"""The messages of an AWS event stream, read from bytes that are cut anywhere, and written.

A message is its length and that of its headers, a checksum of both, the headers, the payload, and a checksum of all. A header
is a name, a type and a value; those that say what a message is are text (Smithy, "Amazon Event Stream Specification";
botocore 1.44.8, `eventstream.py`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, TypeAlias
from zlib import crc32

from pydantic_core import to_json

from ..codec.event_frames import Frame, unframe
from ..errors import StreamError
from ..model.base import Json, parse_json

Named: TypeAlias = tuple[Any, str | None]
"""A chunk, and the name of its event, if its transport says it."""

_LENGTHS = struct.Struct(">II")
_CHECKSUM = struct.Struct(">I")
_BEFORE = _LENGTHS.size + _CHECKSUM.size
"""How many bytes precede the headers."""
_AROUND = _BEFORE + _CHECKSUM.size
_LONGEST = 1 << 24
"""The longest message that is read, in bytes; that of the specification is the same."""
_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""The length of a header's value, by its type; that of bytes and of text stands before them."""
_BYTES = 6
_TEXT = 7


class Messages:
    """The messages in the pieces of a body."""

    def __init__(self) -> None:
        self._rest = bytearray()
        """The beginning of a message."""

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[Named]:
        """The chunks in bytes cut anywhere. Raises `StreamError`."""
        self._rest += data
        while (message := self._next()) is not None:
            chunk = _read(*message)
            if chunk is not None:
                yield chunk
        if final and self._rest:
            raise StreamError("the body ended inside a message of its event stream")

    def _next(self) -> tuple[dict[str, str], bytes] | None:
        """The headers and the payload of the next message, if all of it is there."""
        rest = self._rest
        if len(rest) < _BEFORE:
            return None
        length, headers = _LENGTHS.unpack_from(rest)
        if not _AROUND + headers <= length <= _LONGEST:
            raise StreamError("the lengths in a message of the event stream do not match")
        _check(rest, _LENGTHS.size)
        if len(rest) < length:
            return None
        message = bytes(rest[:length])
        del rest[:length]
        _check(message, length - _CHECKSUM.size)
        return _headers(message[_BEFORE : _BEFORE + headers]), message[_BEFORE + headers : -_CHECKSUM.size]


def _check(data: bytes | bytearray, at: int) -> None:
    """Check the checksum at a place, which is that of all before it."""
    if _CHECKSUM.unpack_from(data, at)[0] != crc32(memoryview(data)[:at]):
        raise StreamError("the checksum of a message of the event stream is wrong")


def _headers(data: bytes) -> dict[str, str]:
    """The headers that are text."""
    found: dict[str, str] = {}
    at = 0
    try:
        while at < len(data):
            end = at + 1 + data[at]
            name = data[at + 1 : end].decode()
            kind = data[end]
            at = end + 1
            if kind in (_BYTES, _TEXT):
                size = int.from_bytes(data[at : at + 2], "big")
                at += 2
            else:
                size = _SIZES[kind]
            value = data[at : at + size]
            at += size
            if kind == _TEXT:
                found[name] = value.decode()
    except (IndexError, KeyError, UnicodeDecodeError):
        at = len(data) + 1
    if at != len(data):
        raise StreamError("the headers of a message of the event stream are malformed")
    return found


def _read(headers: dict[str, str], payload: bytes) -> Named | None:
    """The chunk in a message; None if it is none, as the first message of some streams is."""
    kind = headers.get(":message-type", "event")
    if kind == "error":
        return {"error": {"code": headers.get(":error-code"), "message": headers.get(":error-message", "")}}, None
    name = headers.get(f":{kind}-type")
    if name == "initial-response":
        return None
    chunk = _object(payload)
    if name == "chunk":
        return unframe(chunk, None), None
    return ({name: chunk}, None) if kind == "exception" and name is not None else (chunk, name)


def _object(payload: bytes) -> dict[str, Any]:
    try:
        value: Json = parse_json(payload or b"{}")
    except (ValueError, RecursionError):
        value = None
    if type(value) is not dict:
        raise StreamError("the payload of a message of the event stream must be a JSON object")
    return value


def write_message(frame: Frame) -> bytes:
    """The bytes of a message. Raises pydantic's `PydanticSerializationError` for what is not JSON."""
    kind = "exception" if frame.is_exception else "event"
    fields = {f":{kind}-type": frame.name, ":content-type": "application/json", ":message-type": kind}
    headers = b"".join(_header(key.encode(), value.encode()) for key, value in fields.items())
    data = to_json(frame.payload)
    prelude = _LENGTHS.pack(_AROUND + len(headers) + len(data), len(headers))
    message = prelude + _CHECKSUM.pack(crc32(prelude)) + headers + data
    return message + _CHECKSUM.pack(crc32(message))


def _header(name: bytes, value: bytes) -> bytes:
    return bytes([len(name)]) + name + bytes([_TEXT]) + len(value).to_bytes(2, "big") + value
