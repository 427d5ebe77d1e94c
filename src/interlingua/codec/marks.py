"""Marks: facts by which the format of a payload is recognised.

A mark is a key in a payload (`choices[].delta`), a word (`type=message_start`), a text or number (`error:text`), the end of a
word (`type=*_DATE`), the special token that a text begins with (`prompt=<|start|>*`), or objects without a `type` in a list
(`content[].!type`). A payload fits a shape if it has all marks that the shape needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["request", "messages", "response", "chunk", "error"]


class Shape(NamedTuple):
    """The marks of one kind of payload, of a format or of another API; separated by spaces."""

    format: str
    kind: Kind
    needed: str
    """The marks that a payload must have; a bare list is treated as the value of the first key."""
    any: str = ""
    """Marks of which a payload must have at least one, if there are any."""
    more: str = ""
    """Marks that make this shape more likely."""
    never: str = ""
    """Marks that only payloads of another shape have."""
    rare: str = ""
    """Marks that the payload may have but others have more often, so that they do not make this shape more likely."""


class Meaning(NamedTuple):
    """The meaning of a word from another API."""

    whose: str
    """The API of the word, as in "this is ... word for"."""
    ours: str
    """The word of this package for it."""


class Marks(NamedTuple):
    """How payloads of a format are recognised, and those of its dialects and of similar APIs that have no format."""

    shapes: tuple[Shape, ...]
    titles: Mapping[str, str] = MappingProxyType({})
    """The names of formats in errors, if they differ from the usual ones."""
    also_called: Mapping[str, str] = MappingProxyType({})
    """The format for each other name that people use for it."""
    words: Mapping[str, Mapping[str, Meaning]] = MappingProxyType({})
    """The words, by field (`role` or `type`), for which this package has other words."""
    tool_fields: Mapping[str, str] = MappingProxyType({})
    """The format for each field that only its tools have."""
    tool_types: Mapping[str, str] = MappingProxyType({})
    """The format for each type that only its tools have; types are regular expressions."""
    nested_call: str | None = None
    """The hint in an error about a call that is nested as in this format."""
