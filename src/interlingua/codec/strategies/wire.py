"""What a format has for tests: strategies for the requests that it takes and the responses that its provider sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

from .cutting import Chunk

Wires = st.SearchStrategy[dict[str, Any]]

# The first argument of these functions is a `Format`, which refers to this module and so is not imported here.


class ResponseStrategies(NamedTuple):
    """What a provider sends."""

    whole: Callable[[Any, bool], Wires]
    """Whole responses of a format; with the odd shapes of real ones, or without."""
    streamable: Callable[[dict[str, Any]], dict[str, Any] | None]
    """The part of a whole response that its stream carries, or None where it has no stream."""
    split: Callable[[dict[str, Any], Random], list[Chunk]]
    """The chunks of one stream of a response that is streamable; a `Hosts` adds the habits of other hosts."""


class Known(NamedTuple):
    """What canonical values may have that one provider alone knows."""

    issuer: str = ""
    """Who gives its signatures and file ids, if anyone does."""
    thinks: bool = False
    """Whether it signs reasoning."""
    data: Mapping[str, dict[str, Any]] = MappingProxyType({})
    """Fields of messages by role, and of parts by type, that its requests take."""
    page: dict[str, Any] | None = None
    """A part that users and tools may show, which is opaque here."""
    search: tuple[dict[str, Any], ...] = ()
    """Parts that the assistant may have in a row, which are opaque here."""
    reasoning_format: str | None = None
    """A spelling of the format of its reasoning."""


class Strategies(NamedTuple):
    """What goes over the wire, to a provider and back."""

    requests: Callable[[Any, bool], Wires]
    """Requests of sound conversations that a format takes; odd or not."""
    spoil: Callable[[st.DrawFn, dict[str, Any]], str]
    """Puts one thing wrong into a request that is not odd, and gives the pointer of the one fault that `load` reports."""
    responses: ResponseStrategies | None = None
    known: Known = Known()
