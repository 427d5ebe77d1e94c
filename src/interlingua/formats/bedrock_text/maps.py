"""Load and dump requests and whole responses: each `dump_x` undoes its `load_x`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.native import NativeTable, settable
from ...codec.one_text import TEXT_ALONE, one_text
from ...codec.pointers import Items, Kind, locator
from ...codec.settings import dump_rest
from ...codec.text_answers import answer_texts
from ...model.exchange import Choice, Request, Response
from ...model.messages import Message
from .rows import FAMILY, GUARDRAIL, ROWS, Row, row_of_request, row_of_response, row_to_write


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


# Requests

_PROMPTS = ("inputText", "message", "prompt")
_FIELDS = frozenset(
    "num_generations return_likelihoods numResults minTokens countPenalty presencePenalty frequencyPenalty chat_history "
    "preamble seed images".split()
)


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter().validator.validate_python(wire))
    row = row_of_request(wire)
    out: dict[str, Any] = {"messages": []}
    prompt = fields.take(row.prompt)
    if prompt is not None:
        out["messages"].append({"role": "text", "content": prompt})
    settings = fields.inside(row.within) if row.within is not None else fields
    settings.move(out, **{key: name for name, key in row.settings.items()})
    if type(out.get("stop")) is str:
        out["stop"] = [out["stop"]]
        fields.spelling["stop"] = "text"
    fields.move(out, "stream")
    if "stream" in out:
        fields.spelling["stream"] = "body"
    fields.spelling["family"] = row.name
    return fields.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Message], d: Dump) -> Wire:
    """Dump a request body; a conversation becomes one text, which is reported."""
    row = row_to_write(request.model, spelling(request, "family") if d.same_family else None)
    out: Wire = {}
    if messages:
        out[row.prompt] = _dump_prompt(messages, f"/{row.prompt}", d)
    settings = _dump_settings(request, row, d)
    if settings:
        out |= settings if row.within is None else {row.within: settings}
    if d.same_format and request.stream is not None and spelling(request, "stream") == "body":
        out["stream"] = request.stream
    return dump_rest(request, out, d, row.written, _FIELDS)


def _dump_settings(request: Request, row: Row, d: Dump) -> Wire:
    out: Wire = {}
    for name, key in row.settings.items():
        value: Any = getattr(request, name)
        if value is None:
            continue
        if name != "stop":
            out[key] = value
        elif value or d.same_format:
            was_text = d.same_format and spelling(request, "stop") == "text"
            out[key] = value[0] if was_text and len(value) == 1 else list(value)
    return out


def _dump_prompt(messages: Sequence[Any], at: str, d: Dump) -> str:
    first = messages[0]
    if len(messages) > 1 or first.role != "text":
        return one_text(messages, d, at=at)
    d.places[at] = "/messages/0"
    for key in ("name", "cache_control"):
        if getattr(first, key) is not None:
            d.drop(f"/messages/0/{key}", TEXT_ALONE)
    d.drop_fields(first, "/messages/0")
    text: str = first.content
    return text


def _prompts(wire: Wire) -> Items:
    """The message of a request: its prompt."""
    return [(key, wire[key]) for key in (row_of_request(wire).prompt,) if wire.get(key) is not None]


_SETTINGS = {
    name: tuple(
        dict.fromkeys(
            f"{row.within}/{row.settings[name]}" if row.within else row.settings[name]
            for row in ROWS.values()
            if name in row.settings
        )
    )
    for name in ("max_tokens", "temperature", "top_p", "top_k", "stop")
}
locating = locator({"request": Kind(_SETTINGS, {"messages": "message"}, {"messages": _prompts})})
TABLE = NativeTable(family=FAMILY, messages={"text": settable("role content") - {"provider_data"}}, parts={})

# Responses

BLOCKED = "content_filter"
"""Why an answer ended that a guardrail put in the place of the model's; it has no word for that."""


def load_response(wire: Wire, row: Row | None = None) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("Response").validator.validate_python(wire))
    row = row or row_of_response(wire)
    out: dict[str, Any] = {}
    if row.has_id:
        fields.move_typed(out, str, "id")
    if row.listed is None:
        out["choices"] = [_load_answer(fields, row)]
    else:
        readers = [FieldReader(item) for item in fields.take(row.listed)]
        out["choices"] = [reader.keep(_load_answer(reader, row), FAMILY) for reader in readers]
    counts = _take_counts(fields, out["choices"], row)
    if counts:
        out["usage"] = row.counts.load(counts)
    if wire.get(GUARDRAIL) == "INTERVENED" and row.counted in counts and "stop_reason" not in out["choices"][0]:
        out["choices"][0]["stop_reason"] = BLOCKED
        fields.spelling["reason"] = "absent"
    fields.spelling["family"] = row.name
    return fields.keep(out, FAMILY)


def _load_answer(fields: FieldReader, row: Row) -> dict[str, Any]:
    """Load an answer: its text, and why it ended."""
    holder, key = _holder(fields, row.text)
    text = holder.take(key, str)
    if text is None:
        fields.spelling["text"] = "absent"
    holder, key = _holder(fields, row.reason)
    word = holder.take(key, str)
    choice: dict[str, Any] = {} if word is None else row.stops.load(word)
    if row.sequence is not None:
        fields.move_typed(choice, str, **{row.sequence: "stop_sequence"})
    content = [{"type": "text", "text": text}] if text else []
    return {"message": {"role": "assistant", "content": content}, **choice}


def _holder(fields: FieldReader, path: tuple[str, ...]) -> tuple[FieldReader, str]:
    return (fields, path[0]) if len(path) == 1 else (fields.inside(path[0]), path[1])


def _take_counts(fields: FieldReader, choices: list[dict[str, Any]], row: Row) -> Wire:
    """Take the counts of a body; Titan has that of the output in its one answer."""
    counts: Wire = {}
    for (key,) in row.counts.fields.values():
        if type(fields.wire.get(key)) in _NUMBERS and key != row.counted:
            counts[key] = fields.take(key)
    data: Wire = choices[0].get("provider_data", {}).get(FAMILY, {}) if len(choices) == 1 else {}
    if row.counted is not None and type(data.get(row.counted)) in _NUMBERS:
        counts[row.counted] = data.pop(row.counted)
        if not data:
            del choices[0]["provider_data"]
    return counts


_NUMBERS = (int, float)


def dump_response(response: Response, d: Dump) -> Wire:
    """Dump a response body, in the fields of the family that the model's id names, or that it was loaded from."""
    row = row_of_answer(response, d)
    choices = response.choices
    if row.listed is None and not choices:
        choices = (Choice(message=response.message),)
    if row.listed is None or not (row.several or d.same_format):
        for i in range(1, len(choices)):
            d.drop(f"/choices/{i}", "a response of this family of models has one answer; the others are left out")
        choices = choices[:1]
    if d.same_format and spelling(response, "reason") == "absent" and choices[0].stop_reason == BLOCKED:
        choices = (choices[0].replace(stop_reason=None), *choices[1:])
    out: Wire = {}
    if row.has_id and response.id is not None:
        out["id"] = response.id
    if row.listed is None:
        _dump_answer(choices[0], response, "/choices/0", "", out, row, d)
    else:
        items: list[Wire] = [{} for _ in choices]
        out[row.listed] = items
        for i, choice in enumerate(choices):
            _dump_answer(choice, choice, f"/choices/{i}", f"/{row.listed}/{i}", items[i], row, d)
    dump_envelope(response, out, row, d)
    return out


def row_of_answer(response: Response, d: Dump) -> Row:
    """The family that a response is written in."""
    return row_to_write(response.model, spelling(response, "family") if d.same_family else None)


def dump_envelope(response: Response, out: Wire, row: Row, d: Dump) -> None:
    """Write the fields of a response besides its answers."""
    absent = ("model", "created") if row.has_id else ("id", "model", "created")
    for key in absent:
        if getattr(response, key) is not None:
            d.report("response_only", "/" + key, None, f"responses of {d.target.name} have no field for `{key}`")
    if response.usage is not None:
        counts = row.counts.dump(response.usage, d.unsaid, d.drop)
        counted = counts.pop(row.counted, None) if row.counted is not None else None
        if row.listed is not None and counted is not None:
            for item in out.get(row.listed, ())[:1]:
                item[row.counted] = counted
        out |= counts
    d.lay_provider_data(response, out, "")


def _dump_answer(choice: Choice, owner: Any, path: str, at: str, out: Wire, row: Row, d: Dump) -> None:
    """Write an answer: its text, and why it ended; `owner` is the object that says how it was spelled."""
    where = f"{at}/{'/'.join(row.text)}"
    message = choice.message
    text = answer_texts(message, f"{path}/message", {"text": where}, d)["text"]
    if text or not (d.exact and spelling(owner, "text") == "absent"):
        put(out, row.text, text)
    dump_reason(choice, path, at, out, row, d)
    d.drop_named(message, f"{path}/message", "name", "cache_control")
    d.drop_fields(message, f"{path}/message")
    d.lay_provider_data(choice, out, path)


def dump_reason(choice: Choice, path: str, at: str, out: Wire, row: Row, d: Dump) -> None:
    """Write why an answer ended."""
    word = d.stop_word(row.stops, choice, path, f"{at}/{'/'.join(row.reason)}")
    if word is not None:
        put(out, row.reason, word)
    if choice.stop_sequence is not None and row.sequence is not None:
        out[row.sequence] = choice.stop_sequence
    elif choice.stop_sequence is not None:
        d.drop(f"{path}/stop_sequence", f"responses of {d.target.name} have no field for the stop sequence")


def put(out: Wire, path: tuple[str, ...], value: str) -> None:
    """Set the text at a path, in objects that are made where they are missing."""
    for key in path[:-1]:
        out = out.setdefault(key, {})
    out[path[-1]] = value
