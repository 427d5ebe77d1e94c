"""Strategies for streams: a whole wire response, cut into the chunks that its provider would send it in.

Written from the providers' documentation and from recorded streams; nothing here knows how a stream is read. A
`cutting.Hosts` as the source of chance adds the habits of other hosts. `streamable` gives the part of a whole response that a
stream carries: what a chunk has for framing alone is the same in every whole.
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
    """The chunks of one stream, as the format's provider sends them: those of any response, or those `of` this one.

    Text and arguments are cut anywhere; several choices, text and calls, parallel calls alternate; usage comes at
    the end, or from the start. What they make, read in order, is `il.load_response` of the whole. The whole is one of
    `responses(format, odd=False)`, or has no fields but those.
    """

    def cut(whole: dict[str, Any], random: Random) -> list[dict[str, Any]]:
        return [chunk for chunk in split(whole, format, random) if not isinstance(chunk, str)]

    wholes = responses(format, odd=False) if of is None else st.just(of)
    return st.builds(cut, wholes, st.randoms(use_true_random=False))


def streamable(body: dict[str, Any], format: FormatName | Format) -> dict[str, Any] | None:
    """The part of a whole response that its stream carries; None where such a response has no stream."""
    return answering(format).streamable(body)


def split(body: dict[str, Any], format: FormatName | Format, random: Random) -> list[Chunk]:
    """The chunks of one stream of a response that is streamable."""
    return copy.deepcopy(answering(format).split(body, random))
