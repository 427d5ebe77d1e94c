"""Load and dump the answers of text completions: each choice is one text, with why it ended.

The log probabilities are lists side by side (openai 3.54.0, `types/completion_choice.py`); Chat has an object for each token.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Any

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from ...codec.answers import probabilities_of
from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.probabilities import Probabilities, Read, token_of
from ...codec.required import RequiredFields, Table, place_of, total_of
from ...codec.text_answers import answer_texts, answers_to_write
from ...codec.usage import StopTable
from ...model.base import Json, Number
from ...model.exchange import Choice, Response
from ..openai_chat.counts import COUNTS

FAMILY = "openai"
OBJECT = "text_completion"
METADATA = frozenset({"system_fingerprint", "object", "service_tier"})
_COUNTED: Table = (
    (("usage", "prompt_tokens"), 0),
    (("usage", "completion_tokens"), 0),
    (("usage", "total_tokens"), total_of("prompt_tokens", "completion_tokens")),
)
REQUIRED = RequiredFields(
    {"id": ("id", "cmpl-0"), "model": ("model", "unknown"), "created": ("created", 0), "usage": ("usage", None)},
    body=(
        (("object",), OBJECT),
        (("choices",), list[Wire]()),
        (("choices", "*", "index"), place_of),
        (("choices", "*", "text"), ""),
        (("choices", "*", "finish_reason"), "stop"),
        *_COUNTED,
    ),
    chunks=((("object",), OBJECT), *_COUNTED),
)
"""Required fields: openai 3.54.0, `types/completion.py`, `completion_choice.py`, `completion_usage.py`."""
STOPS = StopTable(
    {word: word for word in ("stop", "length", "content_filter")},
    nearest={
        **dict.fromkeys(("tool_calls", "stop_sequence", "cancelled", "error", "malformed"), "stop"),
        **dict.fromkeys(("context_window", "pause", "compaction"), "length"),
        "refusal": "content_filter",
    },
    default="stop",
)


@with_config(ConfigDict(extra="allow", strict=True))
class _WireChoice(TypedDict, total=False):
    text: str | None
    index: int | None
    finish_reason: str | None


@with_config(ConfigDict(extra="allow", strict=True))
class WireResponse(TypedDict, total=False):
    """The response body, and each chunk of a stream."""

    id: str | None
    model: str | None
    created: Number | None
    choices: list[_WireChoice] | None
    usage: dict[str, Any] | None


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a response body, built on first use."""
    return TypeAdapter(WireResponse)


# Log probabilities


def _read_probabilities(overlay: Wire) -> Read | None:
    lists: Json = overlay.get("logprobs")
    if type(lists) is not dict:
        return None
    tokens: Any = lists.get("tokens")
    numbers: Any = lists.get("token_logprobs")
    tops: Any = lists.get("top_logprobs") or [Wire() for _ in tokens or ()]
    columns = (tokens, numbers, tops)
    if not all(type(column) is list and column for column in columns) or len(set(map(len, columns))) > 1:
        return None
    if not all(type(token) is str and _is_number(number) for token, number in zip(tokens, numbers, strict=True)):
        return None
    if not all(type(top) is dict and all(map(_is_number, top.values())) for top in tops):
        return None
    made = [
        token_of(token, number, [token_of(text, other) for text, other in top.items()])
        for token, number, top in zip(tokens, numbers, tops, strict=True)
    ]
    return Read(made, "logprobs")


def _is_number(value: Json) -> bool:
    return type(value) in (int, float)


PROBABILITIES = Probabilities(_read_probabilities, has_bytes=False)


def in_lists(tokens: list[Wire]) -> Wire:
    """Tokens in the shared form as lists side by side."""
    texts = [token["token"] for token in tokens]
    out: Wire = {
        "tokens": texts,
        "token_logprobs": [token["logprob"] for token in tokens],
        "text_offset": [*accumulate(map(len, texts[:-1]), initial=0)],
    }
    tops = [{top["token"]: top["logprob"] for top in token.get("top_logprobs", ())} for token in tokens]
    return out | {"top_logprobs": tops} if any(tops) else out


# Responses


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {}
    fields.move(out, "id", "model", "created")
    if fields.wire.get("object") == OBJECT:
        fields.know("object")
    else:
        fields.spelling["object"] = "other"
    choices = fields.take("choices")
    if choices is None:
        fields.spelling["choices"] = "absent"
    out["choices"] = [_load_choice(choice, i) for i, choice in enumerate(choices or ())]
    usage = fields.take("usage")
    if usage is not None:
        out["usage"] = COUNTS.load(usage)
    return fields.keep(out, FAMILY)


def _load_choice(wire: Wire, position: int) -> dict[str, Any]:
    fields = FieldReader(wire)
    text = fields.take("text")
    if text is None:
        fields.spelling["text"] = "absent"
    content = [{"type": "text", "text": text}] if text else []
    out: dict[str, Any] = {"message": {"role": "assistant", "content": content}}
    word = fields.take("finish_reason")
    if word is not None:
        out |= STOPS.load(word)
    if wire.get("index") == position:
        fields.know("index")
    else:
        fields.spelling["index"] = "other"
    return fields.keep(out, FAMILY)


def dump_response(response: Response, d: Dump) -> Wire:
    """Dump a response body."""
    out = dump_frame(response, d)
    if d.same_format and spelling(response, "object") == "other":
        del out["object"]
    if response.choices or not (d.same_format and spelling(response, "choices") == "absent"):
        out["choices"] = [_dump_choice(choice, i, d) for i, choice in enumerate(answers_to_write(response, d))]
    if response.usage is not None:
        out["usage"] = COUNTS.dump(response.usage, d.unsaid, d.drop, exact=d.exact)
    d.lay_provider_data(response, out, "", None if d.same_format else METADATA.__contains__)
    return out


def dump_frame(response: Response, _d: Dump) -> Wire:
    """What every chunk of a stream says as well: who answered, and when."""
    names = ("id", "created", "model")
    return {"object": OBJECT} | {key: value for key in names if (value := getattr(response, key)) is not None}


def _dump_choice(choice: Choice, position: int, d: Dump) -> Wire:
    path = f"/choices/{position}"
    message = choice.message
    text = answer_texts(message, f"{path}/message", {"text": f"{path}/text"}, d)["text"]
    out: Wire = {}
    if text or not (d.same_format and spelling(choice, "text") == "absent"):
        out["text"] = text
    if not (d.same_format and spelling(choice, "index") == "other"):
        out["index"] = position
    d.drop_named(message, f"{path}/message", "name", "cache_control")
    d.drop_fields(message, f"{path}/message")
    dump_end(choice, path, out, d)
    return out


def dump_end(choice: Choice, path: str, out: Wire, d: Dump, *, streamed: bool = False) -> None:
    """Write why a choice ended, and what else it has besides its text."""
    word = _word(choice, path, d)
    if word is not None:
        out["finish_reason"] = word
    if choice.stop_sequence is not None:
        d.drop(f"{path}/stop_sequence", f"responses of {d.target.name} have no field for the stop sequence")
    d.lay_provider_data(choice, out, path, None if d.same_format else _is_no_field)
    tokens = probabilities_of(choice, path, f"{path}/logprobs", d, streamed=streamed)
    if tokens is not None:
        out["logprobs"] = in_lists(tokens)


def _word(choice: Choice, path: str, d: Dump) -> str | None:
    """The word for why a choice ended; a relative's own word, such as that for calls, is none of this API's."""
    at = f"{path}/finish_reason"
    reason = choice.stop_reason
    is_relative = d.same_family and not d.same_format
    if reason is None or reason in STOPS.words or not is_relative:
        return d.stop_word(STOPS, choice, path, at)
    d.stop_word(STOPS, choice.replace(stop_reason=None), path, at)
    word, _ = STOPS.dump(reason, None, same_family=False)
    d.report("changed", path + "/stop_reason", at, f"{d.target.name} does not have this stop reason; sent as {word}")
    return word


def _is_no_field(_key: str) -> bool:
    return False
