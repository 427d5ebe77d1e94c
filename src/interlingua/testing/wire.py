"""Strategies for what goes over the wire: requests that a provider takes, responses that it sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, overload

from hypothesis import strategies as st

from ..codec.format import Format
from ..errors import UnknownFormat
from ..formats import FORMATS, format_of
from ..model.exchange import Response
from ..payloads import FormatName
from . import (
    alpaca_requests,
    anthropic_chunks,
    anthropic_requests,
    anthropic_responses,
    bedrock_requests,
    bedrock_responses,
    chat_chunks,
    chat_requests,
    chat_responses,
    completions_requests,
    gemini_chunks,
    gemini_requests,
    gemini_responses,
    openai_responses_chunks,
    openai_responses_requests,
    openai_responses_responses,
    sharegpt_requests,
)
from .canonical import of
from .cutting import Chunk
from .spoiling import spoil_items, spoil_messages, spoil_prompt

Wires = st.SearchStrategy[dict[str, Any]]


class Answers(NamedTuple):
    """What one wire shape's provider sends."""

    whole: Callable[[Format, bool], Wires]
    """Whole responses of a format of this shape; with the odd shapes of real ones, or without."""
    streamable: Callable[[dict[str, Any]], dict[str, Any] | None]
    """The part of a whole response that its stream carries, or None where it has no stream."""
    split: Callable[[dict[str, Any], Random], list[Chunk]]
    """The chunks of one stream of a response that is streamable; a `Hosts` adds the habits of other hosts."""


class Shape(NamedTuple):
    """What goes over the wire in one shape, which the formats of a family share."""

    requests: Callable[[Format, bool], Wires]
    """Requests that a format of this shape takes, of sound conversations; odd or not."""
    spoil: Callable[[st.DrawFn, dict[str, Any]], str]
    """Puts one thing wrong into a request that is not odd, and gives the pointer of the one fault that `load` reports."""
    answers: Answers | None = None


SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "openai": Shape(
            chat_requests.requests,
            spoil_messages,
            Answers(chat_responses.responses, chat_chunks.streamable, chat_chunks.split),
        ),
        "bedrock": Shape(
            bedrock_requests.requests,
            bedrock_requests.spoil,
            Answers(bedrock_responses.responses, bedrock_responses.streamable, bedrock_responses.split),
        ),
        "anthropic": Shape(
            anthropic_requests.requests,
            spoil_messages,
            Answers(anthropic_responses.responses, anthropic_chunks.streamable, anthropic_chunks.split),
        ),
        "gemini": Shape(
            gemini_requests.requests,
            gemini_requests.spoil,
            Answers(gemini_responses.responses, gemini_chunks.streamable, gemini_chunks.split),
        ),
        "openai_responses": Shape(
            openai_responses_requests.requests,
            spoil_items,
            Answers(openai_responses_responses.responses, openai_responses_chunks.streamable, openai_responses_chunks.split),
        ),
        "openai_completions": Shape(completions_requests.requests, spoil_prompt),
        "sharegpt": Shape(sharegpt_requests.requests, sharegpt_requests.spoil),
        "alpaca": Shape(alpaca_requests.requests, alpaca_requests.spoil),
    }
)
"""The shape of each family, or of a single format of it, which goes before; a new wire shape adds one row."""


def shape_of(format: FormatName | Format) -> Shape:
    """The wire shape of a format; raises `UnknownFormat` for one of the caller's own."""
    known = format_of(format)
    shape = SHAPES.get(known.name) or SHAPES.get(known.family)
    if shape is None:
        raise UnknownFormat(f"{known.name} (of payloads)", FORMATS)
    return shape


def answering(format: FormatName | Format) -> Answers:
    """What the provider of a format sends; raises `UnknownFormat` where that is not known."""
    answers = shape_of(format).answers
    if answers is None:
        raise UnknownFormat(f"{format_of(format).name} (of responses)", FORMATS)
    return answers


def payloads(format: FormatName | Format, *, odd: bool = True) -> Wires:
    """Wire requests of a sound conversation; with unknown fields, nulls and broken arguments if `odd`."""
    return shape_of(format).requests(format_of(format), odd)


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
