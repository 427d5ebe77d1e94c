"""The values that all strategies use: text, JSON, names, ids and media."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from hypothesis import strategies as st

# Values that break converters, and arbitrary ones; few draws each, so that conversations are cheap to make and to shrink.
PHRASES = ("a", "é", "Hi there.", "漢字 🙂", "line\nbreak", '"quoted" \\', " led by a space", "\u0000\u202e", "0", "null", "{}")
OBJECTS: tuple[dict[str, Any], ...] = (
    {},
    {"q": "x"},
    {"a": 2**70, "b": -0.0, "c": 1.0, "d": 1},
    {"nested": {"list": [None, True, {"": []}]}, "a/b": "~"},
)


_ANY = st.text(max_size=5)
# In a new folder, Hypothesis first makes a table of Unicode. Make it when this module is imported, because an example
# that makes it is so slow that a health check fails.
_ANY.validate()
_SEEN = st.sampled_from(PHRASES)
_BLANK = st.sampled_from(("", " ", "\n\t")) | _SEEN | _ANY


# Each function makes its strategy only once: Hypothesis analyses every new strategy, which takes longer than a draw.


def text(*, blank: bool = True) -> st.SearchStrategy[str]:
    """Valid text; if `blank` is false, it is neither blank nor ends in white space."""
    return _BLANK if blank else _SEEN


def json_values(*, max_leaves: int = 5) -> st.SearchStrategy[Any]:
    """Any JSON value, including big integers, floats, nulls and nested values."""
    return _json_values(max_leaves)


@cache
def _json_values(max_leaves: int) -> st.SearchStrategy[Any]:
    numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(), inner, max_size=3),
        max_leaves=max_leaves,
    )


def json_objects() -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects."""
    return _json_objects()


@cache
def _json_objects() -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from(OBJECTS).map(copy.deepcopy) | st.dictionaries(text(), json_values(max_leaves=2), max_size=2)


def arguments(*, broken: bool = True) -> st.SearchStrategy[str]:
    """The argument text of a tool call: a JSON object; if `broken`, sometimes invalid text such as models write."""
    return _arguments(broken)


def called(odd: bool) -> st.SearchStrategy[str]:
    """The name of a tool; an odd request may have one that many providers refuse."""
    return _CALLED if odd else NAMES


@cache
def _arguments(broken: bool) -> st.SearchStrategy[str]:
    sound = json_objects().map(lambda value: json.dumps(value, ensure_ascii=False))
    odd = st.sampled_from(["", "{", "[1]", "null", '{"a": 1, "a": 2}', '{"a": NaN}', " {} ", '{"a":1.0}'])
    numbers = st.sampled_from(["1e999", "12345678901234567890.5", "1e-400", "0.10000000000000001", "1e22", "-0.0", "5e-324"])
    return sound | odd | numbers.map('{{"a": 1, "b": [{}]}}'.format) if broken else sound


NAMES = st.sampled_from(("f", "get_weather", "n-0", "Z9"))
_CALLED = st.sampled_from(("f", "get_weather", "n-0", "fs.read"))
PORTABLE_IDS = st.integers(0, 999).map("call_{}".format)
IDS = PORTABLE_IDS | st.sampled_from(["a.b", "a:b", "a b", "il_a_2e_b", "il2_x", "functions.f:0", "é"])
BASE64 = st.integers(0, 9).map(lambda n: base64.b64encode(b"data%d" % n).decode())
MEDIA_TYPES = st.sampled_from(["image/png", "image/jpeg", "image/gif", "image/webp"])
URLS = st.integers(0, 99).map("https://media.example/{}.png".format)
DATA_URIS = st.builds("data:{};base64,{}".format, MEDIA_TYPES, BASE64)
_HEADS = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF\x24\0\0\0WAVEfmt ", b"RIFF\x24\0\0\0WEBPVP8 "]
IMAGES = BASE64 | st.sampled_from(_HEADS).map(lambda head: base64.b64encode(head).decode())
"""The data of images, whose first bytes may show another media type than the one that is said."""
IMAGE_URIS = st.builds("data:{};base64,{}".format, MEDIA_TYPES, IMAGES)
COUNTS = st.integers(0, 10**6)
SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict[str, Any], type=st.just("object"), properties=st.builds(dict[str, Any])
)


# Wire objects


def fields(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that always have the `required` fields, and sometimes the `optional` ones."""
    return st.fixed_dictionaries(required, optional=optional)


def but_for_one(objects: st.SearchStrategy[dict[str, Any]], usual: Iterable[str]) -> st.SearchStrategy[dict[str, Any]]:
    """The objects, but sometimes without one of their usual fields."""

    def drawn(whole: dict[str, Any], left_out: str | None) -> dict[str, Any]:
        return {key: value for key, value in whole.items() if key != left_out}

    return st.builds(drawn, objects, st.sampled_from([None, None, None, *usual]))


def unknown_fields(odd: bool, **more: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """An unknown field and, if `odd`, fields that only some hosts know."""
    return {**more, "x_unknown": json_values(max_leaves=2)} if odd else {}


def merged(first: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    """One object with the fields of two."""
    return first | rest


def whole(messages: st.SearchStrategy[list[dict[str, Any]]], settings: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Requests with these messages and any of the settings."""
    return st.builds(merged, st.fixed_dictionaries({"messages": messages}), fields({}, settings))
