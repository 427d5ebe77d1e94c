"""JSON documents as the judges compare them, and pointers into them."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from typing_extensions import TypeIs

from ...formats import FORMATS


def is_object(value: Any) -> TypeIs[dict[str, Any]]:
    return isinstance(value, dict)


def is_array(value: Any) -> TypeIs[list[Any]]:
    return isinstance(value, list)


def canonical(value: Any) -> str:
    """JSON as sorted text: in Python `1 == True == 1.0`, in JSON they are three values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, default=_bytes)


def is_json(value: Any) -> bool:
    """Whether it has no blobs."""
    return '"<bytes>"' not in canonical(value)


def _bytes(value: bytes) -> dict[str, str]:
    """Blobs, which some formats have in place of base64, are no text."""
    return {"<bytes>": value.hex()}


def escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Each value at the end of a path, with its pointer; an empty object counts as such a value."""
    if not (is_object(value) and value):
        yield pointer, value
        return
    for key, item in value.items():
        yield from leaves(item, f"{pointer}/{escaped(key)}")


def under(pointer: str, ancestor: str) -> bool:
    return pointer.startswith(ancestor + "/")


def below(pointer: str, ancestor: str) -> list[str]:
    return tokens(pointer[len(ancestor) :])


class Missing(LookupError):
    pass


def resolve(document: Any, pointer: str) -> Any:
    if pointer and not pointer.startswith("/"):
        raise Missing(pointer)
    for token in tokens(pointer):
        try:
            document = document[int(token)] if is_array(document) else document[token]
        except (KeyError, IndexError, ValueError, TypeError):
            raise Missing(pointer) from None
    return document


def resolves(document: Any, pointer: str) -> bool:
    try:
        resolve(document, pointer)
    except Missing:
        return False
    return True


def delete(document: Any, path: list[str], *, items: bool = True) -> None:
    """Delete what path names, and what stands empty afterwards; in a list only if items says so."""
    if not path:
        return
    head = path[0]
    rest = path[1:]
    if is_object(document) and head in document:
        if rest:
            delete(document[head], rest, items=items)
            if document[head] in ({}, []):
                del document[head]
        else:
            del document[head]
    elif is_array(document) and head.isdigit() and int(head) < len(document):
        if rest:
            delete(document[int(head)], rest, items=items)
        elif items:
            del document[int(head)]


def ruin(document: Any) -> None:
    """Empty every object and list that can be reached, to see whether anything else holds them."""
    for item in list(document.values()) if is_object(document) else list(document):
        if is_object(item) or is_array(item):
            ruin(item)
    document.clear()


def removed(payload: dict[str, Any], path: str) -> Iterator[dict[str, Any]]:
    """The payload without what path names: the key or item gone, then null, [] and "" where it is required."""
    holder, last = path.rpartition("/")[::2]
    token = tokens("/" + last)[0]
    left = copy.deepcopy(payload)
    container = resolve(left, holder)
    if is_array(container):
        del container[int(token)]
        yield left
        if container == [] and holder:
            yield from removed(payload, holder)
        return
    del container[token]
    yield left
    empties: tuple[Any, ...] = (None, [], "")
    for empty in empties:
        left = copy.deepcopy(payload)
        resolve(left, holder)[token] = empty
        yield left


FREE = frozenset({"arguments", "parameters", "input", "input_schema", "schema", "json_schema", "logit_bias"})
"""Keys beneath which JSON is the user's own, where null and [] are values."""


SWITCHES = frozenset[str]().union(*(format.switches for format in FORMATS.values()))
"""Fields that an empty object turns on."""


_FALSE = frozenset({"is_error", "prefix"})


_USUAL = {"detail": "auto", "parallel_tool_calls": True}
"""What a target without the field does anyway."""


def is_absent(key: str, value: Any) -> bool:
    """Whether a field counts as absent: null, [], {}, that a result is no error or a message no prefix, and what is usual."""
    if key in FREE:
        return value is None
    if key in _USUAL and value == _USUAL[key]:
        return True
    if value is False:
        return key in _FALSE
    return value in (None, []) or (value == {} and key not in SWITCHES)


def squeezed(value: Any) -> Any:
    """Without what counts as absent, but where an object has no other fields: their names say what it is."""
    if is_object(value):
        kept = {key: item if key in FREE else squeezed(item) for key, item in value.items() if not is_absent(key, item)}
        return kept or {key: item for key, item in value.items() if item == {}}
    if is_array(value):
        return [squeezed(item) for item in value]
    return value


def is_hollow(value: Any) -> bool:
    """Whether a value says nothing: null, an empty list or object, or an object of nothing but such values."""
    return value in (None, [], {}) or (is_object(value) and all(map(is_hollow, value.values())))


USUAL_FIELDS: dict[str, Any] = {
    "caller": {"type": "direct"},
    "delta": {"role": "assistant", "content": ""},
    "finishMessage": "Model generated function call(s).",
    "format": "unknown",
}
"""Providers' own fields, with the values that say nothing besides the rest of an answer.

They say that the model made a call, and no program; nothing, beside the message; that there are calls; that nobody signed the
reasoning.
"""


def without(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key not in keys}


def _pairs(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    return found if len(found) == len(pairs) else {"<repeated keys>": [list(pair) for pair in pairs]}


def _number(text: str) -> Any:
    """Numbers are equal where they are the same decimal number, whether or not a double holds it."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number if Decimal(repr(number)) == Decimal(text) else {"<number>": str(Decimal(text))}


def _no_constant(text: str) -> float:
    raise ValueError(text)


def arguments(value: Any) -> Any:
    """Tool arguments as JSON, or as text marked so when they are not JSON that can be held."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, object_pairs_hook=_pairs, parse_float=_number, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return {"<not json>": value}


def tool_schema(schema: Any) -> Any:
    """A schema without empty keywords; None for a tool without arguments: no parameters, or an object of no properties."""
    shortened = _without_empty(schema)
    return None if shortened in (None, {}, {"type": "object"}) else shortened


def _without_empty(schema: Any) -> Any:
    """A schema without empty `properties`, and without `items` that may be anything."""
    if is_object(schema):
        return {
            key: _without_empty(value) for key, value in schema.items() if key not in ("properties", "items") or value != {}
        }
    return [_without_empty(each) for each in schema] if is_array(schema) else schema


def difference(one: Any, other: Any, pointer: str = "") -> str:
    """Where two JSON values first part, shortly."""
    if is_object(one) and is_object(other):
        for key in sorted({*one, *other}):
            if key not in one or key not in other:
                return f"{pointer}/{key} is {'missing' if key in one else 'extra'}: {_short(one.get(key, other.get(key)))}"
            if canonical(one[key]) != canonical(other[key]):
                return difference(one[key], other[key], f"{pointer}/{key}")
    if is_array(one) and is_array(other):
        for index, (first, last) in enumerate(zip(one, other, strict=False)):
            if canonical(first) != canonical(last):
                return difference(first, last, f"{pointer}/{index}")
        return f"{pointer} has {len(other)} items, not {len(one)}"
    return f"{pointer} is {_short(other)}, not {_short(one)}"


def _short(value: Any) -> str:
    text = canonical(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
