"""Strategies for wire data: requests that a provider accepts, and responses that it sends."""

from __future__ import annotations

from typing import Any, overload

from hypothesis import strategies as st

from ..codec.format import Format
from ..codec.strategies.wire import ResponseStrategies, Strategies, Wires
from ..errors import UnknownFormat
from ..formats import FormatName, format_of
from ..model.exchange import Response
from .canonical import of


def strategies_of(format: FormatName | Format) -> Strategies:
    """The strategies of a format; raises `UnknownFormat` for one that has none."""
    known = format_of(format)
    if known.strategies is None:
        raise UnknownFormat(known.name, lacks="payloads")
    return known.strategies()


def answering(format: FormatName | Format) -> ResponseStrategies:
    """What the provider of a format sends; raises `UnknownFormat` where that is not known."""
    answers = strategies_of(format).responses
    if answers is None:
        raise UnknownFormat(format_of(format).name, lacks="responses")
    return answers


def payloads(format: FormatName | Format, *, odd: bool = True) -> Wires:
    """Wire requests with a valid conversation; with `odd`, also unknown fields, nulls and malformed arguments."""
    return strategies_of(format).requests(format_of(format), odd)


@overload
def responses() -> st.SearchStrategy[Response]: ...
@overload
def responses(format: FormatName | Format, *, odd: bool = True) -> Wires: ...
def responses(format: FormatName | Format | None = None, *, odd: bool = True) -> st.SearchStrategy[Any]:
    """Canonical responses or, with a format, whole wire responses as its provider sends them.

    Wire responses have text, reasoning, refusals, tool calls and several choices. With `odd`, they also have what some hosts
    send: reasoning and unknown fields in every spelling, nulls, missing fields and ids, malformed arguments, content as a list,
    and counts that do not add up.
    """
    if format is None:
        return of(Response)
    return answering(format).whole(format_of(format), odd)
