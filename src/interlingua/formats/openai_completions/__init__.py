"""OpenAI's legacy Completions: a prompt of plain text, which is a `TextMessage` in canonical form.

Wire reference: `POST /v1/completions`, openai 3.52.0 (`types/completion_create_params.py`). A prompt that is a string is one
text message; in a list of strings, each is one message. Prompts of token numbers have no canonical form and are kept as they
are. Answers are in `answers` and `stream`.

Cannot carry: roles, parts other than text, tools; a conversation becomes one text. Of answers everything but their texts, and
why they ended; in a stream, more than one answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import ConfigDict, Discriminator, Tag, TypeAdapter, with_config
from typing_extensions import TypedDict

from ...codec.dump import Dump
from ...codec.error_bodies import error_fields, error_object
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.format import Format, Formats, Reading, Writing
from ...codec.limits import LONGEST_USER
from ...codec.native import NativeTable, settable
from ...codec.one_text import TEXT_ALONE, one_text
from ...codec.pointers import Kind, locator
from ...codec.provider_data import ask_for_usage
from ...codec.settings import dump_rest, fit_user
from ...codec.shared import Setting, Shared, same
from ...model.base import BY_SHAPE, Json, Number
from ...model.exchange import Request
from ...model.messages import Message
from ..openai_chat.counts import COUNTS
from ..openai_chat.error_words import OPENAI_WORDS
from . import answers

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.strategies.wire import Strategies

FAMILY = "openai"

# Wire types


def _piece(value: Json) -> str | None:
    return _PIECES.get(type(value))


_Text = Annotated[str, Tag("<text>")]
_PIECES: dict[type, str] = {str: "<text>", int: "<token>", list: "<tokens>"}
_Piece = Annotated[
    _Text | Annotated[int, Tag("<token>")] | Annotated[list[int], Tag("<tokens>")],
    Discriminator(
        _piece, custom_error_type="no_piece", custom_error_message="Input should be text, a token's number or a list of them"
    ),
]


@with_config(ConfigDict(extra="allow", strict=True))
class WireRequest(TypedDict, total=False):
    """The request body."""

    prompt: Annotated[str | list[_Piece] | None, BY_SHAPE]
    model: str | None
    max_tokens: int | None
    temperature: Number | None
    top_p: Number | None
    stop: Annotated[str | list[str] | None, BY_SHAPE]
    user: str | None
    stream: bool | None


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a request body, built on first use."""
    return TypeAdapter(WireRequest)


# Requests

_SAME = ("model", "max_tokens", "temperature", "top_p", "stream")
_FIELDS = frozenset(
    "best_of echo frequency_penalty logit_bias logprobs n presence_penalty seed stop stream_options suffix".split()
)
_SHARED: Shared = same("seed") | {
    "frequency_penalty": Setting(("frequency_penalty",), least=-2, most=2),
    "include_usage": Setting(("stream_options", "include_usage")),
    "n": Setting(("n",), least=1, most=128),
    "presence_penalty": Setting(("presence_penalty",), least=-2, most=2),
}
"""Settings without a canonical field that other formats have too; the `logprobs` of a prompt are a number."""


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {"messages": []}
    prompt = reader.wire.get("prompt")
    texts: list[Any] = [prompt] if type(prompt) is str else prompt or []
    if texts and all(type(text) is str for text in texts):
        out["messages"] = [{"role": "text", "content": text} for text in texts]
        reader.know("prompt")
        if texts is prompt:
            reader.spelling["prompt"] = "list"
    reader.move(out, *_SAME, "user", "stop")
    if type(out.get("stop")) is str:
        out["stop"] = [out["stop"]]
        reader.spelling["stop"] = "text"
    return reader.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Message], d: Dump) -> Wire:
    """Dump a request body; a conversation becomes one text, which is reported."""
    out: Wire = {}
    if messages:
        out["prompt"] = _dump_prompt(request, messages, d)
    for key in _SAME:
        if getattr(request, key) is not None:
            out[key] = getattr(request, key)
    if (user := fit_user(request, LONGEST_USER, d)) is not None:
        out["user"] = user
    if request.stop or (request.stop is not None and d.same_format):
        out["stop"] = _dump_stop(request, request.stop, d)
    dump_rest(request, out, d, (*_SAME, "user", "stop"), _FIELDS)
    if request.stream:
        ask_for_usage(out, d)
    return out


def _dump_prompt(request: Request, messages: Sequence[Message], d: Dump) -> str | list[str]:
    texts = [message for message in messages if message.role == "text"]
    if len(texts) < len(messages):
        return one_text(messages, d)
    for i, message in enumerate(texts):
        _dump_frame(message, f"/messages/{i}", d)
    if len(texts) == 1 and spelling(request, "prompt") != "list":
        d.places["/prompt"] = "/messages/0"
        return texts[0].content
    d.places.update((f"/prompt/{i}", f"/messages/{i}") for i in range(len(texts)))
    return [text.content for text in texts]


def _dump_frame(message: Any, path: str, d: Dump) -> None:
    for key in ("name", "cache_control"):
        if getattr(message, key) is not None:
            d.drop(f"{path}/{key}", TEXT_ALONE)
    d.drop_fields(message, path)


def _dump_stop(request: Request, stop: Sequence[str], d: Dump) -> str | list[str]:
    """Write stop sequences, at most four (openai 3.52.0, `types/completion_create_params.py`)."""
    if d.same_format:
        return stop[0] if len(stop) == 1 and spelling(request, "stop") == "text" else list(stop)
    for i in reversed(range(4, len(stop))):
        d.drop(f"/stop/{i}", "`stop` must have at most 4 entries: the others are left out")
    return list(stop[:4])


# Pointers


def _prompts(wire: Wire) -> list[tuple[str, Json]]:
    """The messages of a request: its prompt, or each prompt in a list."""
    prompt: str | list[Any] | None = wire.get("prompt")
    if isinstance(prompt, str):
        return [("prompt", prompt)]
    return [(f"prompt/{i}", item) for i, item in enumerate(prompt or ())]


_POINTERS = {"request": Kind({"messages": "prompt"}, {"messages": "message"}, {"messages": _prompts})}


TABLE = NativeTable(family=FAMILY, messages={"text": settable("role content") - {"provider_data"}}, parts={})


def _asks_for_usage(wire: Wire) -> bool:
    options: Json = wire.get("stream_options")
    return isinstance(options, dict) and options.get("include_usage") is True


def _read(format: Format) -> Reading:
    from .stream import reading  # noqa: PLC0415 -- events are imported on first use

    return reading(format.name)


def _write(format: Format, formats: Formats, *, usage: bool = True) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from ...codec.streams.text_streams import TextShape  # noqa: PLC0415 -- likewise
    from .stream import stream  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, TextShape(stream(usage=usage)), at="")


def _rules(_format: Format) -> RuleSet:
    from .rules import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _payloads(_format: Format) -> PayloadTypes:
    from .payloads import PAYLOADS  # noqa: PLC0415 -- imported on first use

    return PAYLOADS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from ..openai_chat.batches import BATCHES  # noqa: PLC0415 -- imported on first use; OpenAI's APIs share the files

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


_ERROR_FIELDS = ("message", "type", "param", "code")
FORMAT = Format(
    name="openai_completions",
    family=FAMILY,
    adapter=adapter,
    load=load_request,
    dump=dump_request,
    locating=locator(_POINTERS),
    native=TABLE.accepts,
    new_dump=Dump,
    listed="prompt",
    path=lambda _model, _stream: "/completions",
    response_adapter=answers.adapter,
    load_response=answers.load_response,
    dump_response=answers.dump_response,
    response_fields=("choices",),
    required=answers.REQUIRED,
    reading=_read,
    writing=_write,
    writing_without_usage=partial(_write, usage=False),
    asks_for_usage=_asks_for_usage,
    end_mark="[DONE]",
    pieces_in=frozenset({"choices"}),
    response_metadata=answers.METADATA,
    usage=COUNTS,
    probabilities=answers.PROBABILITIES,
    rules=_rules,
    dump_error=partial(error_object, fields=_ERROR_FIELDS),
    stream_error=partial(error_fields, fields=_ERROR_FIELDS),
    error_words=OPENAI_WORDS,
    marks=_marks,
    batch=_batch,
    payloads=_payloads,
    strategies=_strategies,
    shared=_SHARED,
)
FORMATS = {FORMAT.name: FORMAT}
