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
    """What a payload of a format, or of another API, looks like; marks are separated by spaces."""

    format: str
    kind: Kind
    needed: str
    """The marks that must all be there; a bare list is taken for the first of them."""
    any: str = ""
    """Marks of which one must be there, if there are any."""
    more: str = ""
    """Marks that make it likelier."""
    never: str = ""
    """Marks of something else."""
    rare: str = ""
    """Marks that it may have, and others have oftener: they do not make it likelier."""


class Meaning(NamedTuple):
    """A word of another API."""

    whose: str
    """Whose word it is, as in "this is ... word for"."""
    ours: str
    """What means the same in this package."""


class Marks(NamedTuple):
    """How the payloads of a format are recognised, and those of its dialects and of relatives that have no format."""

    shapes: tuple[Shape, ...]
    titles: Mapping[str, str] = MappingProxyType({})
    """What errors call a format, if not by its name."""
    also_called: Mapping[str, str] = MappingProxyType({})
    """Other names that people have for formats: the format of each."""
    words: Mapping[str, Mapping[str, Meaning]] = MappingProxyType({})
    """Its words for what this package calls otherwise, by the field that they stand in: `role` or `type`."""
    tool_fields: Mapping[str, str] = MappingProxyType({})
    """The fields that only its tools have: the format of each."""
    tool_types: Mapping[str, str] = MappingProxyType({})
    """The types that only its tools have, as regular expressions: the format of each."""
    nested_call: str | None = None
    """What an error says of a call that is nested as its calls are."""
