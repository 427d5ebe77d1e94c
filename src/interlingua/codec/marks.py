"""Marks: facts by which the shape of a payload is known.

A mark is a fact about a payload: a key that is there (`choices[].delta`), a word that it has (`type=message_start`), text or a
number in it (`error:text`), the end of a word (`type=*_DATE`), or objects of a list without a `type` (`content[].!type`). A
payload fits a shape where it has all of the marks that the shape needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["request", "messages", "response", "chunk", "error"]


class Shape(NamedTuple):
    """The marks of payloads of a format or of another API, separated by spaces."""

    format: str
    kind: Kind
    needed: str
    """The marks that a payload must have; a bare list is read as the first."""
    any: str = ""
    """Marks of which a payload must have at least one, if any are listed."""
    more: str = ""
    """Marks that make this shape more likely."""
    never: str = ""
    """Marks that only payloads of another shape have."""
    rare: str = ""
    """Marks that it may have and that others have more often: they do not make it more likely."""


class Meaning(NamedTuple):
    """A word of another API."""

    whose: str
    """The API that the word is from, as in "this is ... word for"."""
    ours: str
    """This package's word for it."""


class Marks(NamedTuple):
    """How the payloads of a format are recognised, and those of its dialects and of relatives that have no format."""

    shapes: tuple[Shape, ...]
    titles: Mapping[str, str] = MappingProxyType({})
    """The name of a format in errors, if it is not the usual one."""
    also_called: Mapping[str, str] = MappingProxyType({})
    """Other names that people have for formats: the format of each."""
    words: Mapping[str, Mapping[str, Meaning]] = MappingProxyType({})
    """Its words that this package has other words for, by their field: `role` or `type`."""
    tool_fields: Mapping[str, str] = MappingProxyType({})
    """The fields that only its tools have: the format of each."""
    tool_types: Mapping[str, str] = MappingProxyType({})
    """The types that only its tools have, as regular expressions: the format of each."""
    nested_call: str | None = None
    """The hint in an error for a call that is nested as in this format."""
