"""What a format has for tests: strategies for the requests that it takes and the responses that its provider sends."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
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


class Strategies(NamedTuple):
    """What goes over the wire, to a provider and back."""

    requests: Callable[[Any, bool], Wires]
    """Requests of sound conversations that a format takes; odd or not."""
    spoil: Callable[[st.DrawFn, dict[str, Any]], str]
    """Puts one thing wrong into a request that is not odd, and gives the pointer of the one fault that `load` reports."""
    responses: ResponseStrategies | None = None
