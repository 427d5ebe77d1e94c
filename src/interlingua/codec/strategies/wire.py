"""A format's strategies for tests: the requests that it accepts, and the responses that its provider sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

from .cutting import Chunk

Wires = st.SearchStrategy[dict[str, Any]]

# The first argument of these functions is a `Format`; that module refers to this one, so it is not imported.


class ResponseStrategies(NamedTuple):
    """The responses that a provider sends."""

    whole: Callable[[Any, bool], Wires]
    """Whole responses of a format; the second argument is whether they may have unusual shapes that real responses have."""
    streamable: Callable[[dict[str, Any]], dict[str, Any] | None]
    """The part of a whole response that its stream also has; None if it cannot be streamed."""
    split: Callable[[dict[str, Any], Random], list[Chunk]]
    """The chunks of one stream of a response that can be streamed; a `Hosts` adds the habits of other hosts."""


class Known(NamedTuple):
    """Fields of canonical values that only one provider knows."""

    issuer: str = ""
    """The issuer of its signatures and file ids, if it has any."""
    thinks: bool = False
    """Whether it signs reasoning."""
    data: Mapping[str, dict[str, Any]] = MappingProxyType({})
    """Fields of messages, by role, and of parts, by type, that the provider's requests may have."""
    page: dict[str, Any] | None = None
    """A part without a canonical form in user and tool messages."""
    search: tuple[dict[str, Any], ...] = ()
    """Consecutive parts without a canonical form in assistant messages."""
    reasoning_format: str | None = None
    """One of the spellings of the format of its reasoning."""


class Strategies(NamedTuple):
    """The strategies for what a provider receives and sends."""

    requests: Callable[[Any, bool], Wires]
    """Requests with valid conversations for a format; the second argument is whether they may be unusual."""
    spoil: Callable[[st.DrawFn, dict[str, Any]], str]
    """Plants one fault in a request that is not unusual, and returns the pointer that `load` reports."""
    responses: ResponseStrategies | None = None
    known: Known = Known()
