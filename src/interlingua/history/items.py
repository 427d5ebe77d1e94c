"""The items of a conversation: what each part says, without its spelling, as fingerprints and `diff` compare it.

An item consists of text, lists and objects; free JSON in it is canonical JSON text. `docs/fingerprint.md` has the algorithm for
other languages. Stored fingerprints must stay valid, so the algorithm never changes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring as _quoted
from typing import Any

from ..model.base import MAX_DEPTH, Json
from ..model.messages import Message, content_of, piece_kind, pieces_of

Item = dict[str, Any]


def located(messages: Iterable[tuple[Message, str]]) -> Iterator[tuple[str, Item]]:
    """The items of messages, of which each comes with its pointer; the items come with theirs."""
    calls = _Calls()
    return (pair for message, at in messages for pair in _items(message, at, calls))


class _Calls:
    """The calls of a conversation, numbered from 1, and which of them still wait for a result."""

    def __init__(self) -> None:
        self._count = 0
        self._last: dict[str, int] = {}
        self._answered: set[int] = set()
        self._by_id: defaultdict[str, deque[int]] = defaultdict(deque)
        self._by_name: defaultdict[str, deque[int]] = defaultdict(deque)
        self._without_id: deque[int] = deque()
        self._with_id: deque[int] = deque()

    def add(self, call: Any) -> None:
        """Number a call."""
        self._count += 1
        if call.id is not None:
            self._last[call.id] = self._count
            self._by_id[call.id].append(self._count)
            self._with_id.append(self._count)
        else:
            self._by_name[call.name].append(self._count)
            self._without_id.append(self._count)

    def answered_by(self, id: str | None, name: str | None) -> int | None:
        """The number of the call that a result answers."""
        if id is not None:
            return self._take(self._by_id[id]) or self._last.get(id)
        named = None if name is None else self._take(self._by_name[name])
        return named or self._take(self._without_id) or self._take(self._with_id)

    def _take(self, waiting: deque[int]) -> int | None:
        while waiting:
            number = waiting.popleft()
            if number not in self._answered:
                self._answered.add(number)
                return number
        return None


# Items. Their keys are written in alphabetical order, in which they are hashed.


def _items(message: Any, at: str, calls: _Calls) -> Iterator[tuple[str, Item]]:
    speaker: Item = {"role": message.role}
    if message.role == "opaque":
        yield at, _opaque(message, speaker)
        return
    if message.role == "tool":
        yield at, _result(message, message.tool_call_id, calls)
        return
    if message.name is not None:
        speaker = {"name": message.name, **speaker}
    for place, piece in content_of(message, at):
        kind = piece_kind(piece)
        if kind == "tool_result":
            yield place, _result(piece, piece.tool_use_id, calls)
            continue
        if kind == "tool_use":
            calls.add(piece)
        item = _item(piece, speaker)
        if item is not None:
            yield place, item


def _result(result: Any, id: str | None, calls: _Calls) -> Item:
    items = [_item(piece, {}, in_result=True) for _, piece in pieces_of(result.content, "")]
    call = calls.answered_by(id, result.name)
    out: Item = {} if call is None else {"call": str(call)}
    out["content"] = [item for item in items if item is not None]
    if result.is_error:
        out["is_error"] = True
    return {**out, "role": "tool", "type": "tool_result"}


def _item(piece: Any, who: Item, *, in_result: bool = False) -> Item | None:
    """The item of a text, a part or a flat call, with its speaker; None if it has no meaning."""
    match piece_kind(piece):
        case "text":
            return _text(piece if type(piece) is str else piece.text, who, in_result=in_result)
        case "thinking":
            return {**who, "text": piece.thinking, "type": "thinking"} if piece.thinking else None
        case "redacted_thinking":
            return None
        case "refusal":
            return {**who, "text": piece.refusal, "type": "refusal"} if piece.refusal else None
        case "tool_use":
            return _call(piece, who)
        case "json":
            return {"json": canonical_json(piece.value), **who, "type": "json"}
        case "opaque":
            return _opaque(piece, who)
        case _:
            return _media(piece, who)


def _text(text: str, who: Item, *, in_result: bool) -> Item | None:
    """Text. That of a result is JSON where it can be read as such: providers take one or the other."""
    value = canonical_text(text) if in_result else None
    if value is not None:
        return {"json": value, **who, "type": "json"}
    return {**who, "text": text, "type": "text"} if text else None


def _call(call: Any, who: Item) -> Item:
    arguments = call.input if "input" in vars(call) else call.arguments
    tool: Item = {"tool": call.name, "type": "tool_use"}
    if call.custom:
        text = arguments if type(arguments) is str else canonical_json(arguments)
        return {"custom": True, **who, "text": text, **tool}
    value = canonical_text(arguments) if type(arguments) is str else canonical_json(arguments)
    if value is None:
        return {**who, "text": arguments, **tool}
    return {"json": value, **who, **tool}


def _opaque(owner: Any, who: Item) -> Item:
    """What a format alone knows, without the cache mark that may stand in it."""
    value = {key: item for key, item in owner.value.items() if key != "cache_control"}
    return {"format": owner.format, "json": canonical_json(value), **who, "type": "opaque"}


def _media(part: Any, who: Item) -> Item:
    if part.type == "image_url":
        return _at(part.image_url.url, "image", who)
    if part.type == "input_audio":
        return _data(part.input_audio.data, f"audio/{part.input_audio.format}", "audio", who)
    source = part.source
    match source.type:
        case "url":
            return _at(source.url, part.type, who)
        case "base64":
            return _data(source.data, source.media_type or "", part.type, who)
        case "file_id":
            return {"file_id": source.file_id, **who, "type": part.type}
        case _:
            return _bytes(source.text.encode(), source.media_type or "text/plain", part.type, who)


def _at(url: str, kind: str, who: Item) -> Item:
    """Media at a URL, or in it."""
    if url[:5].translate(_LOWER) == "data:":
        head, comma, data = url[5:].partition(",")
        media_type, _, parameters = head.partition(";")
        if comma and parameters.translate(_LOWER).rpartition(";")[2] == "base64":
            return _data(data, media_type, kind, who)
    return {**who, "type": kind, "url": url}


def _data(data: str, media_type: str, kind: str, who: Item) -> Item:
    """Media as base64, in any alphabet, with padding and line breaks or without; as its text where it is not base64."""
    digits = data.translate(_BASE64).rstrip("=")
    if _IS_BASE64(digits) is None or len(digits) % 4 == 1:
        return {"base64": data, **_typed(media_type), **who, "type": kind}
    padding = "=" * (-len(digits) % 4)
    return _bytes(base64.b64decode(digits + padding), media_type, kind, who)


def _bytes(data: bytes, media_type: str, kind: str, who: Item) -> Item:
    return {**_typed(media_type), **who, "sha256": hashlib.sha256(data).hexdigest(), "type": kind}


def _typed(media_type: str) -> Item:
    usual = media_type.partition(";")[0].strip(" \t").translate(_LOWER)
    if not usual:
        return {}
    return {"media_type": "image/jpeg" if usual == "image/jpg" else usual}


# Unicode's rules for letters differ between versions of Python; these are ASCII's.
_LOWER = {ord(letter): ord(letter) + 32 for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_BASE64: Mapping[int, str | None] = {**dict.fromkeys(map(ord, " \t\r\n")), ord("-"): "+", ord("_"): "/"}
_IS_BASE64 = re.compile(r"[A-Za-z0-9+/]*").fullmatch


# Canonical JSON


class _Number(str):
    """A number in its canonical spelling."""

    __slots__ = ()


def canonical_json(value: Json) -> str:
    """The canonical text of a JSON value: keys sorted by code points, no spaces, numbers as exact decimals."""
    match value:
        case _Number():
            return value
        case str():
            return _quoted(value)
        case True:
            return "true"
        case False:
            return "false"
        case None:
            return "null"
        case int() | float():
            return _number(repr(value))
        case dict():
            return "{" + ",".join([f"{_quoted(key)}:{canonical_json(value[key])}" for key in sorted(value)]) + "}"
        case _:
            return "[" + ",".join(map(canonical_json, value)) + "]"


def canonical_text(text: str) -> str | None:
    """The canonical text of a JSON text; None if it is not JSON, or nests deeper than free JSON may.

    The last value of a repeated key counts.
    """
    if _BEGINS_AS_JSON(text) is None or not _is_shallow(text):
        return None
    try:
        made = canonical_json(_exactly.decode(text))
        made.encode()
    except ValueError:  # not JSON, or with a lone surrogate
        return None
    return made


def _number(text: str) -> _Number:
    """A decimal number as its digits, without zeros at either end, and an exponent where it is not 0: `15e2`, `-1e-1`, `0`.

    Raises `ValueError` for an exponent of more than nine digits.
    """
    mantissa, _, power = text.replace("E", "e").partition("e")
    sign = "-" if mantissa[0] == "-" else ""
    whole, _, fraction = mantissa.removeprefix("-").partition(".")
    significant = (whole + fraction).lstrip("0")
    short = significant.rstrip("0")
    power_digits = power.lstrip("+-").lstrip("0") or "0"
    if len(power_digits) > _LONGEST_EXPONENT:
        raise ValueError("an exponent must have at most nine digits")
    exponent = -int(power_digits) if power[:1] == "-" else int(power_digits)
    exponent += len(significant) - len(short) - len(fraction)
    if not short:
        return _Number("0")
    return _Number(f"{sign}{short}e{exponent}" if exponent else sign + short)


_LONGEST_EXPONENT = 9


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} must be JSON")


_exactly = json.JSONDecoder(parse_int=_number, parse_float=_number, parse_constant=_no_number)
"""Reads JSON with numbers as they are spelled."""

_BEGINS_AS_JSON = re.compile(r'[ \t\r\n]*(?:[{\["0-9-]|true|false|null)').match
"""Whether a text may be JSON: most text of results is words, and the parser's errors cost more than this."""
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
"""A string, whole or up to the end of the text, or a bracket."""


def _is_shallow(text: str) -> bool:
    """Whether a text nests no deeper than free JSON may: Python's parser has limits that differ between its versions."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return True
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > MAX_DEPTH:
            return False
    return True
