"""Strategies for what goes over the wire: requests that a provider takes, responses that it sends."""

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
    """Wire requests of a sound conversation; with unknown fields, nulls and broken arguments if `odd`."""
    return strategies_of(format).requests(format_of(format), odd)


@overload
def responses() -> st.SearchStrategy[Response]: ...
@overload
def responses(format: FormatName | Format, *, odd: bool = True) -> Wires: ...
def responses(format: FormatName | Format | None = None, *, odd: bool = True) -> st.SearchStrategy[Any]:
    """Canonical responses; or, of a format, whole wire responses as its provider sends them.

    Those have text, reasoning, refusals, tool calls, several choices. With `odd`, also what hosts make of that: reasoning
    and unknown fields of every spelling, nulls and absent fields, ids that are missing, arguments that are broken, content
    as a list, counts that do not add up.
    """
    if format is None:
        return of(Response)
    return answering(format).whole(format_of(format), odd)
