"""What a format has for tests: strategies for the requests that it accepts and the responses that its provider sends."""

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
    """Whole responses of a format; with unusual shapes that real responses have, or without."""
    streamable: Callable[[dict[str, Any]], dict[str, Any] | None]
    """The part of a whole response that its stream has; None if it has no stream."""
    split: Callable[[dict[str, Any], Random], list[Chunk]]
    """The chunks of one stream of a response that is streamable; a `Hosts` adds the habits of other hosts."""


class Known(NamedTuple):
    """What canonical values may have that only one provider knows."""

    issuer: str = ""
    """The issuer of its signatures and file ids, if it has any."""
    thinks: bool = False
    """Whether it signs reasoning."""
    data: Mapping[str, dict[str, Any]] = MappingProxyType({})
    """Fields of messages by role, and of parts by type, that its requests may have."""
    page: dict[str, Any] | None = None
    """A part of user and tool messages that has no canonical form."""
    search: tuple[dict[str, Any], ...] = ()
    """Consecutive parts of assistant messages that have no canonical form."""
    reasoning_format: str | None = None
    """A spelling of the format of its reasoning."""


class Strategies(NamedTuple):
    """The strategies for what goes to a provider and comes back."""

    requests: Callable[[Any, bool], Wires]
    """Requests with valid conversations that a format accepts; unusual ones or not."""
    spoil: Callable[[st.DrawFn, dict[str, Any]], str]
    """Plants one fault into a request that is not unusual, and returns the pointer of the fault that `load` reports."""
    responses: ResponseStrategies | None = None
    known: Known = Known()
