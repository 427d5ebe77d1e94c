"""Ollama's generate: a prompt of plain text, which is a `TextMessage` in canonical form, usually after a system message.

Wire reference: `POST /api/generate`, the server's source of 2026-08-21 (ollama/ollama, `api/types.go`, `GenerateRequest`), and
ollama 0.6.3 (`_types.py`). The settings are the chat's. Images, `suffix`, `template`, `raw` and `context` become provider
data. An answer is one text, with reasoning beside it (`generated`).

Cannot carry: roles besides system, parts other than text, tools; a conversation becomes one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...codec.fields import FieldReader, Wire
from ...codec.format import Format, Formats, Reading, Writing
from ...codec.native import NativeTable, settable
from ...codec.one_text import TEXT_ALONE, one_text
from ...codec.pointers import Items, Kind, locator
from ...codec.settings import dump_empty_system, dump_rest, load_system
from ...model.exchange import Request
from ...model.messages import Message
from . import generated, responses
from .base import FAMILY, OllamaDump, adapter
from .maps import REQUEST_FIELDS, SHARED, WRITTEN, dump_settings, load_settings
from .pointers import SETTINGS

if TYPE_CHECKING:
    from ...codec.marks import Marks
    from ...codec.rules.rule import RuleSet
    from ...codec.strategies.wire import Strategies

_FIELDS = REQUEST_FIELDS | {"context", "images", "raw", "suffix", "template"}


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("GenerateRequest").validator.validate_python(wire))
    messages = load_system(fields)
    prompt = fields.take("prompt")
    if prompt is not None:
        messages.append({"role": "text", "content": prompt})
    return load_settings(fields, {"messages": messages})


def dump_request(request: Request, messages: Sequence[Message], d: OllamaDump) -> Wire:
    """Dump a request body; a conversation becomes one text, which is reported."""
    out = dump_empty_system(request, d)
    count = _dump_system(messages, out, d)
    rest = messages[count:]
    if len(rest) == 1 and rest[0].role == "text":
        out["prompt"] = rest[0].content
        d.places["/prompt"] = f"/messages/{count}"
        _drop_frame(rest[0], f"/messages/{count}", d)
    elif rest:
        out["prompt"] = one_text(messages, d, count)
    if len(request.model_fields_set) == 1:
        return out
    dump_settings(request, out, d)
    return dump_rest(request, out, d, WRITTEN, _FIELDS)


def _dump_system(messages: Sequence[Message], out: Wire, d: OllamaDump) -> int:
    """Write the text of a leading system message; return how many messages it takes, 0 or 1."""
    first = messages[0] if messages else None
    if first is None or first.role != "system":
        return 0
    if type(first.content) is not str or not first.content:
        return 0
    out["system"] = first.content
    d.places["/system"] = "/messages/0"
    _drop_frame(first, "/messages/0", d)
    return 1


def _drop_frame(message: Any, path: str, d: OllamaDump) -> None:
    for key in ("name", "cache_control"):
        if getattr(message, key) is not None:
            d.drop(f"{path}/{key}", TEXT_ALONE)
    d.drop_fields(message, path)


def _texts(wire: Wire) -> Items:
    """The messages of a request: its system text, and its prompt."""
    found = [(key, wire.get(key)) for key in ("system", "prompt")]
    return [(key, text) for key, text in found if text or (text is not None and key == "prompt")]


_POINTERS = {"request": Kind(SETTINGS, {"messages": "message"}, {"messages": _texts})}
_TEXT = settable("role content") - {"provider_data"}
TABLE = NativeTable(family=FAMILY, messages={"text": _TEXT, "system": _TEXT}, parts={})


def _native(message: Any) -> bool | None:
    """Whether a message could have been loaded from a prompt, or from a system text."""
    if message.role == "system" and not (type(message.content) is str and message.content):
        return False
    return TABLE.accepts(message)


def _read(format: Format) -> Reading:
    from .generated_stream import reading  # noqa: PLC0415 -- events are imported on first use

    return reading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from ...codec.streams.text_streams import TextShape  # noqa: PLC0415 -- likewise
    from .generated_stream import STREAM  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, TextShape(STREAM), at="")


def _rules(_format: Format) -> RuleSet:
    from .rules.generate import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _marks() -> Marks:
    from .marks import GENERATE  # noqa: PLC0415 -- imported on first use

    return GENERATE


def _strategies() -> Strategies:
    from .strategies import GENERATE  # noqa: PLC0415 -- Hypothesis is an extra

    return GENERATE


FORMAT = Format(
    name="ollama_generate",
    family=FAMILY,
    adapter=partial(adapter, "GenerateRequest"),
    load=load_request,
    dump=dump_request,
    locating=locator(_POINTERS),
    native=_native,
    new_dump=OllamaDump,
    listed="prompt",
    path=lambda _model, _stream: "/api/generate",
    response_adapter=partial(adapter, "GenerateResponse"),
    load_response=generated.load_response,
    dump_response=generated.dump_response,
    response_fields=("response", "done"),
    required=generated.REQUIRED,
    dump_error=responses.dump_error,
    stream_error=responses.stream_error,
    reading=_read,
    writing=_write,
    stream_type="application/x-ndjson",
    pieces_in=frozenset({"response", "thinking"}),
    response_metadata=responses.METADATA,
    usage=responses.COUNTS,
    probabilities=responses.PROBABILITIES,
    rules=_rules,
    marks=_marks,
    strategies=_strategies,
    shared=SHARED,
)
