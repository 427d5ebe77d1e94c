"""Read and write streams of Ollama's generate, in which each line has the shape of a whole answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.error_bodies import read_error
from ...codec.fields import Wire
from ...codec.streams.text_streams import TextReading, TextStream
from ...model.exchange import Response
from .base import FAMILY, OllamaDump
from .generated import FIELDS, PLACES, load_response
from .responses import dump_envelope, dump_frame


class _Lines:
    """Loads the lines of one stream; each has the time at which it was made, and the first line's counts."""

    def __init__(self) -> None:
        self._has_time = False

    def load(self, wire: Wire) -> dict[str, Any]:
        """The data of a response of a line; raises pydantic's `ValidationError`."""
        data = load_response(wire)
        time: str | None = data.pop("wire", {}).get("spelling", {}).get("created_at")
        if time is not None and not self._has_time:
            self._has_time = True
            data["wire"] = {"spelling": {"created_at": time}}
        data["choices"][0]["done"] = wire.get("done") is True
        data.get("provider_data", {}).get(FAMILY, {}).pop("done", None)
        return data


def reading(name: str) -> TextReading:
    """The reading of one stream."""
    return TextReading(name, FAMILY, _Lines().load)


def _begin(response: Response, d: OllamaDump) -> tuple[Wire, Mapping[str, str]]:
    frame: Wire = {}
    dump_frame(response, frame, d)
    return frame, PLACES


def _piece(frame: Wire, kind: str, text: str) -> Wire:
    return {**frame, "response": "", FIELDS[kind]: text, "done": False}


def _last(response: Response, d: OllamaDump) -> list[Wire]:
    out: Wire = {"response": "", "done": True}
    dump_envelope(response, out, d, streamed=True)
    return [out]


def _error(error: Wire) -> Wire:
    return {"error": read_error({"error": error}).message}


def _lay_tokens(chunks: list[Wire], tokens: list[Wire]) -> None:
    chunks[-1]["logprobs"] = tokens


STREAM = TextStream(_begin, _piece, _last, _error, _lay_tokens)
