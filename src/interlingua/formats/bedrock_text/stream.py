"""The chunks of streams: each is a partial answer, in most families of the shape that a whole one has.

Titan's and Cohere's have the fields of one answer beside those of the response, and other names for some. Jurassic has no
streams: what is written for it are whole answers in pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.dump import Dump
from ...codec.exceptions import written_exception
from ...codec.fields import Wire
from ...codec.streams.text_streams import TextReading, TextStream, with_reason
from ...model.base import Json
from ...model.exchange import Response
from .maps import dump_response, load_response, put, row_of_answer
from .rows import FAMILY, METRICS, ROWS, Row, row_of_response

_TITAN = {"outputText": "outputText", "completionReason": "completionReason", "totalOutputTextTokenCount": "tokenCount"}
"""The fields of an answer in a chunk of Titan's, and in a whole response."""
_KNOWN = frozenset(
    key
    for row in ROWS.values()
    for key in (*row.text, *row.reason, row.sequence, *(path[0] for path in row.counts.fields.values()), *_TITAN)
)
"""The fields that are read of a chunk."""
_GENERATION = ("text", "finish_reason")
"""The same of Cohere's former text generation."""


class Chunks:
    """Loads the chunks of one stream; its first chunk says which family it is of."""

    def __init__(self) -> None:
        self._row: Row | None = None

    def load(self, chunk: Wire) -> dict[str, Any]:
        """The data of a response of a chunk; raises pydantic's `ValidationError`."""
        wire = _without_nulls(chunk)
        row = self._row = self._row or _row_of_chunk(wire)
        has_ended = METRICS in wire or (row.name == "titan" and "totalOutputTextTokenCount" in wire)
        whole = _as_whole(wire, row)
        if row.listed is not None and type(whole.get(row.listed)) is list:
            whole[row.listed] = list(map(_without_nulls, whole[row.listed]))
        if row.listed is not None and whole.get(row.listed) is None:
            whole[row.listed] = []
        data = load_response(whole, row)
        data["wire"]["spelling"].pop("text", None)  # only a whole answer without a text says something by that
        choices: list[dict[str, Any]] = data["choices"]
        if METRICS in wire and not choices:
            choices.append({"message": {"role": "assistant", "content": []}})
        for choice in choices:
            choice["done"] = has_ended or "stop_reason" in choice
        return data


def _without_nulls(value: Json) -> Any:
    """An object without those fields that are null until a chunk has a value for them."""
    if type(value) is not dict:
        return value
    return {key: item for key, item in value.items() if item is not None or key not in _KNOWN}


def _row_of_chunk(wire: Wire) -> Row:
    if "event_type" in wire:
        return ROWS["command_r"]
    if "is_finished" in wire:
        return ROWS["command"]
    return ROWS["titan"] if "outputText" in wire else row_of_response(wire)


def _as_whole(wire: Wire, row: Row) -> Wire:
    """A chunk in the shape of a whole response."""
    if row.name == "titan" and "results" not in wire:
        item = {name: wire.pop(key) for key, name in _TITAN.items() if key in wire}
        wire.pop("index", None)
        return {**wire, "results": [item]}
    if row.name == "command" and "generations" not in wire:
        item = {key: wire.pop(key) for key in _GENERATION if key in wire}
        wire.pop("index", None)
        wire.pop("is_finished", None)
        return {**wire, "generations": [item]}
    if row.name == "command_r":
        whole: Wire = wire.pop("response", None)
        if type(whole) is dict:  # at the end, which repeats the text
            wire |= {key: value for key, value in whole.items() if key not in ("text", *wire)}
        wire.pop("event_type", None)
        wire.pop("is_finished", None)
    return wire


def _begin(response: Response, d: Dump) -> tuple[Wire, Mapping[str, str]]:
    row = row_of_answer(response, d)
    start = "" if row.listed is None else f"/{row.listed}/0"
    return {"": row.name}, {"text": f"{start}/{'/'.join(row.text)}"}


def _piece(frame: Wire, _kind: str, text: str) -> Wire:
    row = ROWS[frame[""]]
    out: Wire = {}
    put(out, row.text, text)
    if row.name == "titan":
        return {**out, "index": 0}
    if row.name == "command":
        return {**out, "is_finished": False}
    if row.name == "command_r":
        return {"event_type": "text-generation", **out, "is_finished": False}
    return out if row.listed is None else {row.listed: [out]}


def _last(response: Response, d: Dump) -> list[Wire]:
    """The chunk with why the answer ended, and with everything else."""
    row = row_of_answer(response, d)
    start = "" if row.listed is None else f"/{row.listed}/0"
    body = dump_response(with_reason(response, f"{start}/{'/'.join(row.reason)}", d), d)
    if row.name == "titan":
        item: Wire = body.pop("results")[0]
        names = {name: key for key, name in _TITAN.items()}
        return [body | {names.get(key, key): value for key, value in item.items()} | {"index": 0}]
    if row.name == "command":
        return [body | body.pop("generations")[0] | {"is_finished": True}]
    if row.name == "command_r":
        reason = {key: body.pop(key) for key in ("finish_reason",) if key in body}
        return [{"event_type": "stream-end", **reason, "response": body, "is_finished": True}]
    return [body]


def reading(name: str) -> TextReading:
    """The reading of one stream."""
    return TextReading(name, FAMILY, Chunks().load)


STREAM = TextStream(_begin, _piece, _last, written_exception)
