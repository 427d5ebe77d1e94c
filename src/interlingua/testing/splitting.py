"""Strategies for streams: cut a whole wire response into chunks, as its provider would send it.

They are written from the providers' documentation and from recorded streams, and do not use the readers of streams. With a
`cutting.Hosts` as the source of randomness, the chunks also have the habits of other hosts. `streamable` gives the part of a
whole response that a stream carries: fields that serve only the framing of a chunk are the same in every response.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from hypothesis import strategies as st

from ..codec.format import Format
from ..codec.strategies.cutting import Chunk
from ..formats import FormatName
from .wire import answering, responses


def chunks(format: FormatName | Format, of: dict[str, Any] | None = None) -> st.SearchStrategy[list[dict[str, Any]]]:
    """The chunks of one stream, as the format's provider sends them: of any response, or of the response that `of` is.

    Text and arguments are cut anywhere. Choices, text and calls, and parallel calls may alternate. Usage comes at the end, or
    from the start. Read in order, the chunks give the same as `il.load_response` of the whole response. `of` must be a response
    as `responses(format, odd=False)` draws them, without other fields.
    """

    def cut(whole: dict[str, Any], random: Random) -> list[dict[str, Any]]:
        return [chunk for chunk in split(whole, format, random) if not isinstance(chunk, str)]

    wholes = responses(format, odd=False) if of is None else st.just(of)
    return st.builds(cut, wholes, st.randoms(use_true_random=False))


def streamable(body: dict[str, Any], format: FormatName | Format) -> dict[str, Any] | None:
    """The part of a whole response that its stream carries; None if such a response has no stream."""
    return answering(format).streamable(body)


def split(body: dict[str, Any], format: FormatName | Format, random: Random) -> list[Chunk]:
    """The chunks of one stream of a response that is streamable."""
    return copy.deepcopy(answering(format).split(body, random))
