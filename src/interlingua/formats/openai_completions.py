"""OpenAI's legacy Completions: a prompt of plain text, where `TextMessage` is at home.

Wire reference: `POST /v1/completions`, openai 3.52.0 (`types/completion_create_params.py`). A string prompt is one text
message, a list of strings one each; prompts of token numbers are kept as they are.

Cannot carry: roles, parts other than text, tools; a conversation becomes one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Discriminator, Tag, TypeAdapter, with_config
from typing_extensions import TypedDict

from ..codec.fields import Wire, join, keep_unknown, spelling
from ..codec.format import Dump, Format
from ..codec.native import NativeTable, fields
from ..model.base import Json, Number, shape
from ..model.exchange import Request
from ..model.messages import Message

FAMILY = "openai"

# Wire types


def _piece(value: Json) -> str | None:
    return _PIECES.get(type(value))


_PIECES: dict[type, str] = {str: "<text>", int: "<token>", list: "<tokens>"}
_Piece = Annotated[
    Annotated[str, Tag("<text>")] | Annotated[int, Tag("<token>")] | Annotated[list[int], Tag("<tokens>")],
    Discriminator(
        _piece, custom_error_type="no_piece", custom_error_message="Input should be text, a token's number or a list of them"
    ),
]


@with_config(ConfigDict(extra="allow", strict=True))
class WireRequest(TypedDict, total=False):
    """The request body."""

    prompt: Annotated[
        Annotated[str, Tag("<text>")] | Annotated[list[_Piece], Tag("<parts>")] | Annotated[None, Tag("<null>")],
        Discriminator(shape),
    ]
    model: str | None
    max_tokens: int | None
    temperature: Number | None
    top_p: Number | None
    stop: Annotated[
        Annotated[str, Tag("<text>")] | Annotated[list[str], Tag("<parts>")] | Annotated[None, Tag("<null>")],
        Discriminator(shape),
    ]
    user: str | None
    stream: bool | None


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a request body, built on first use."""
    return TypeAdapter(WireRequest)


# Requests

_SAME = ("model", "max_tokens", "temperature", "top_p", "user", "stream")
_FIELDS = frozenset(
    "best_of echo frequency_penalty logit_bias logprobs n presence_penalty seed stop stream_options suffix".split()
)


def load_request(wire: Wire) -> dict[str, Any]:
    """A request body as the data of a canonical request."""
    wire = adapter().validate_python(wire)
    prompt = wire.get("prompt")
    out: dict[str, Any] = {"messages": []}
    taken, spelled = set[str](), dict[str, Any]()
    if type(prompt) is str:
        out["messages"] = [{"role": "text", "content": prompt}]
        taken.add("prompt")
    elif prompt and all(type(text) is str for text in prompt):
        out["messages"] = [{"role": "text", "content": text} for text in prompt]
        taken.add("prompt")
        spelled["prompt"] = "list"
    for key in _SAME:
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    stop = wire.get("stop")
    if stop is not None:
        out["stop"] = [stop] if type(stop) is str else stop
        taken.add("stop")
        if type(stop) is str:
            spelled["stop"] = "text"
    return keep_unknown(out, wire, taken, FAMILY, spelled)


def dump_request(request: Request, given: Sequence[Message], d: Dump) -> Wire:
    """A request body; a conversation becomes one text, and is told."""
    out: Wire = {}
    texts = [message for message in given if message.role == "text"]
    listed = spelling(request, "prompt") == "list"
    if texts and len(texts) == len(given):
        for i, message in enumerate(texts):
            _dump_frame(message, f"/messages/{i}", d)
        if len(texts) == 1 and not listed:
            out["prompt"] = texts[0].content
            d.places["/prompt"] = "/messages/0"
        else:
            out["prompt"] = [text.content for text in texts]
            d.places.update((f"/prompt/{i}", f"/messages/{i}") for i in range(len(texts)))
    elif given:
        out["prompt"] = _flatten(given, d)
    for key in _SAME:
        if getattr(request, key) is not None:
            out[key] = getattr(request, key)
    if request.stop is not None:
        text = d.same_format and len(request.stop) == 1 and spelling(request, "stop") == "text"
        most = len(request.stop) if d.same_format else 4
        out["stop"] = request.stop[0] if text else list(request.stop[:most])
        for i in reversed(range(most, len(request.stop))):
            d.drop(f"/stop/{i}", "there are at most 4 stop sequences")
    for key in request:
        if key not in (*_SAME, "messages", "stop", "origin", "provider_data", "wire") and getattr(request, key) not in (
            None,
            (),
        ):
            d.drop("/" + key, "there is no such field")
    if request.provider_data is not None:
        d.lay_provider_data(request, out, "", _FIELDS.__contains__)
    return out


def _dump_frame(message: Any, path: str, d: Dump) -> None:
    for key in ("name", "cache_control"):
        if getattr(message, key) is not None:
            d.drop(f"{path}/{key}", "a prompt is text alone")
    if message.provider_data is not None:
        d.lay_provider_data(message, {}, path, lambda _: False)


def _flatten(given: Sequence[Message], d: Dump) -> str:
    texts: list[str] = []
    for i, message in enumerate(given):
        path = f"/messages/{i}"
        text = "\n".join(part.text for part in message.parts if part.type == "text")
        if text:
            texts.append(text)
            d.report("changed", path, "/prompt", "a conversation becomes one text")
        else:
            d.drop(path, "a prompt is text alone")
    return "\n\n".join(texts)


# Pointers


def locate(wire: Wire, pointer: str) -> str:
    """Where the wire request holds what a pointer into its canonical form points at."""
    head, _, rest = pointer.removeprefix("/").partition("/")
    if head == "messages" and rest:
        index, _, field = rest.partition("/")
        prompt = "/prompt" if type(wire.get("prompt")) is str else f"/prompt/{index}"
        return prompt + ("/" + field if field and field != "content" else "")
    if head == "provider_data":
        return join(rest.split("/")[1:])
    if head == "stop" and type(wire.get("stop")) is str:
        return "/stop"
    return pointer


TABLE = NativeTable(family=FAMILY, messages={"text": fields("role content") - {"provider_data"}}, parts={})


def _owners_stay(wire: Wire) -> bool:
    return False


FORMAT = Format(
    name="openai_completions",
    family=FAMILY,
    adapter=adapter,
    load=load_request,
    dump=dump_request,
    locate=locate,
    owners_stay=_owners_stay,
    native=TABLE.accepts,
    new_dump=Dump,
    listed="prompt",
)
