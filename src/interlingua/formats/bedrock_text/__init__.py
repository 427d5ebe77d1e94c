"""Prompts of plain text for Amazon Bedrock's InvokeModel, each family of models with its own names of fields.

Wire reference: `InvokeModel` and `InvokeModelWithResponseStream`, whose bodies are those of each family of models; botocore
1.44.8 has no model of them, so the names of fields are those of the service's user guide and of recorded traffic (`rows`). A
prompt is one text message. The family that is written follows from the model's id; without one, it is that of the body that was
loaded, else Llama's. A prompt is sent as it is, so a chat template must be applied before.

Cannot carry: roles, parts other than text, tools; a conversation becomes one text. Of answers everything but text and, in some
families, the counts, the id and the stop sequence.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...codec.dump import Dump
from ...codec.error_bodies import exception_object
from ...codec.event_frames import frame_bytes, unframe
from ...codec.exceptions import EXCEPTION_WORDS, stream_exception
from ...codec.format import Format, Formats, Reading, Writing
from . import maps, rows

if TYPE_CHECKING:
    from ...codec.marks import Marks
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "FORMATS"]


def _path(model: str, stream: bool) -> str:
    return f"/model/{quote(model, safe=':')}/invoke{'-with-response-stream' if stream else ''}"


def _read(format: Format) -> Reading:
    from .stream import reading  # noqa: PLC0415 -- events are imported on first use

    return reading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from ...codec.streams.text_streams import TextShape  # noqa: PLC0415 -- likewise
    from .stream import STREAM  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, TextShape(STREAM), at="")


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="bedrock_text",
    family=rows.FAMILY,
    adapter=maps.adapter,
    load=maps.load_request,
    dump=maps.dump_request,
    locating=maps.locating,
    native=maps.TABLE.accepts,
    new_dump=Dump,
    listed="prompt",
    path=_path,
    in_url=frozenset({"model", "stream"}),
    response_adapter=partial(maps.adapter, "Response"),
    load_response=maps.load_response,
    dump_response=maps.dump_response,
    response_fields=("results", "generation", "outputs", "generations", "completions", "completion", "text"),
    required=rows.REQUIRED,
    dump_error=exception_object,
    error_words=EXCEPTION_WORDS,
    stream_error=stream_exception,
    reading=_read,
    writing=_write,
    unframe=unframe,
    frame=frame_bytes,
    stream_type="application/vnd.amazon.eventstream",
    pieces_in=frozenset({"outputText", "generation", "outputs", "completion", "completions", "text"}),
    response_metadata=rows.METADATA,
    marks=_marks,
    strategies=_strategies,
    usage=rows.COUNTS,
)
FORMATS = {FORMAT.name: FORMAT}
