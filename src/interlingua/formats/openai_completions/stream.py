"""Read and write streams of text completions, in which each chunk has the shape of a whole response."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...codec.dump import Dump
from ...codec.fields import Wire
from ...codec.streams.text_streams import TextReading, TextStream, with_reason
from ...model.base import Json
from ...model.exchange import Choice, Response
from ..openai_chat.counts import COUNTS
from .answers import FAMILY, METADATA, dump_end, dump_frame, in_lists, load_response


def _load_chunk(wire: Wire) -> dict[str, Any]:
    """Load a chunk, in which the text, the reason to stop and the usage say nothing if they are null."""
    numbers: list[int] = []
    chunk = {key: value for key, value in wire.items() if value is not None or key != "usage"}
    choices: Json = chunk.get("choices")
    if type(choices) is list:
        chunk["choices"] = [_without_nulls(choice, numbers, i) for i, choice in enumerate(choices)]
    data = load_response(chunk)
    data.pop("wire", None)
    for number, choice in zip(numbers, data["choices"], strict=True):
        choice["index"] = number
        choice["done"] = "stop_reason" in choice
    return data


def _without_nulls(choice: Json, numbers: list[int], position: int) -> Json:
    """A choice without the nulls, and with its number in the chunk in place of its number in the answer."""
    if type(choice) is not dict:
        return choice
    number: Json = choice.get("index")
    numbers.append(number if type(number) is int and number >= 0 else 0)
    filled = {key: value for key, value in choice.items() if value is not None or key not in ("text", "finish_reason")}
    return {**filled, "index": position}


def reading(name: str) -> TextReading:
    """The reading of one stream."""
    return TextReading(name, FAMILY, _load_chunk)


def _begin(response: Response, d: Dump) -> tuple[Wire, Mapping[str, str]]:
    return dump_frame(response, d), {"text": "/choices/0/text"}


def _piece(frame: Wire, _kind: str, text: str) -> Wire:
    return {**frame, "choices": [{"text": text, "index": 0, "finish_reason": None}]}


def _last(response: Response, d: Dump, *, usage: bool) -> list[Wire]:
    response = with_reason(response, "/choices/0/finish_reason", d)
    choice = response.choices[0] if response.choices else Choice(message=response.message)
    ended: Wire = {"text": "", "index": 0}
    dump_end(choice, "/choices/0", ended, d, streamed=True)
    frame = dump_frame(response, d)
    last = {**frame, "choices": [ended]}
    d.lay_provider_data(response, last, "", None if d.same_format else METADATA.__contains__)
    if response.usage is None:
        return [last]
    counts = COUNTS.dump(response.usage, d.unsaid, d.drop, exact=d.exact)
    return [last, {**frame, "choices": [], "usage": counts}] if usage else [last]


def _lay_tokens(chunks: list[Wire], tokens: list[Wire]) -> None:
    chunks[0]["choices"][0]["logprobs"] = in_lists(tokens)


def _error(error: Wire) -> Wire:
    return {"error": error}


def stream(*, usage: bool) -> TextStream:
    """How the chunks are written, with or without one for the usage."""
    return TextStream(_begin, _piece, partial(_last, usage=usage), _error, _lay_tokens)
