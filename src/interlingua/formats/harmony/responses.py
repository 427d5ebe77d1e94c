"""Load and dump whole responses of text completions: each `dump_x` undoes its `load_x`.

The text of a choice goes on where its prompt ends, after `<|start|>assistant`. All its messages are one canonical message,
whose content is always a list. Servers may leave out the token that ends a text. What cannot be read as messages of the
assistant, such as a text without its special tokens, stays one opaque part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.text_answers import answers_to_write
from ...model.exchange import Choice, Response
from ..openai_chat.counts import COUNTS as COUNTS_OF_OPENAI
from ..openai_completions.answers import OBJECT, STOPS, adapter
from .base import FAMILY, HarmonyDump
from .dumps import dump_parts
from .messages import AnswerPart, load_part, write_answer
from .reading import parts_in
from .texts import END, OPEN, RETURN

COUNTS = replace(COUNTS_OF_OPENAI, family=FAMILY)
METADATA = frozenset("kv_transfer_params object service_tier system_fingerprint".split())
"""Fields that say how a response was made."""

# Texts


def load_text(text: str) -> dict[str, Any]:
    """Load the text of a choice as an assistant message."""
    parts = parts_in(text)
    out: dict[str, Any] = {"role": "assistant", "content": [load_part(part) for part in parts]}
    return out if text == write_text(parts) else out | {"wire": {"spelling": {"text": text}}}


def write_text(parts: Sequence[AnswerPart]) -> str:
    """The text of a choice with these parts; a final text ends the response."""
    text = write_answer(parts, as_model=True).removeprefix(OPEN)
    is_final = bool(parts) and parts[-1].kind == "text" and parts[-1].channel != "commentary"
    return text.removesuffix(END) + RETURN if is_final else text


def _dump_text(message: Any, path: str, d: HarmonyDump) -> str:
    """Dump the text of a choice."""
    parts = list(dump_parts(message, path, d))
    recorded = spelling(message, "text") if d.exact else None
    if recorded is not None and _without_record(load_text(recorded)) == _without_record(message.to_dict()):
        return recorded
    return write_text(parts)


def _without_record(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key not in ("wire", "extra")}


# Choices


def load_choice(wire: Wire, position: int) -> dict[str, Any]:
    """Load one choice."""
    fields = FieldReader(wire)
    text = fields.take("text")
    out: dict[str, Any] = {"message": {"role": "assistant"} if text is None else load_text(text)}
    if "finish_reason" in wire:
        fields.know("finish_reason")
        word = wire["finish_reason"]
        out |= {"stop_reason": None} if word is None else STOPS.load(word)
    if type(wire.get("index")) is int and wire["index"] == position:
        fields.know("index")
    fields.spelling |= {key: "absent" for key in ("text", "index") if key not in wire}
    return fields.keep(out, FAMILY)


def _dump_choice(choice: Choice, position: int, d: HarmonyDump) -> Wire:
    path = f"/choices/{position}"
    out: Wire = {}
    own = (choice.provider_data or {}).get(FAMILY, {}) if d.exact else {}
    if "index" not in own and not (d.exact and spelling(choice, "index")):
        out["index"] = position
    says_nothing = choice.message.model_fields_set <= {"role", "wire"}
    is_absent = "text" in own or (d.exact and spelling(choice, "text") is not None)
    if not (says_nothing and is_absent):
        d.at = f"{path}/text"
        out["text"] = _dump_text(choice.message, f"{path}/message", d.response_rules(choice.message))
        d.places[d.at] = f"{path}/message"
    word = d.stop_word(STOPS, choice, path, f"{path}/finish_reason")
    if word is not None or (d.exact and "stop_reason" in choice):
        out["finish_reason"] = word
    if choice.stop_sequence is not None:
        d.drop(f"{path}/stop_sequence", "responses of text completions have no field for the stop sequence")
    d.lay_provider_data(choice, out, path, None if d.exact else frozenset({"logprobs"}).__contains__)
    return out


# Responses


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {key: fields.wire[key] for key in ("id", "model", "created", "usage") if key in fields.wire}
    fields.know(*out)
    if out.get("usage") is not None:
        out["usage"] = COUNTS.load(out["usage"])
    out["choices"] = [load_choice(choice, i) for i, choice in enumerate(fields.take("choices") or ())]
    if fields.wire.get("object") == OBJECT:
        fields.know("object")
    fields.spelling |= {key: "absent" for key in ("object", "choices") if key not in fields.wire}
    return fields.keep(out, FAMILY)


def dump_response(response: Response, d: HarmonyDump) -> Wire:
    """Dump a response body."""
    out: Wire = {} if _lacks(response, "object", d) else {"object": OBJECT}
    for key in ("id", "created", "model"):
        value = getattr(response, key)
        if value is not None or (d.exact and key in response):
            out[key] = value
    if response.choices or not _lacks(response, "choices", d):
        out["choices"] = [_dump_choice(choice, i, d) for i, choice in enumerate(answers_to_write(response, d))]
    if response.usage is not None and ((usage := COUNTS.dump(response.usage, d.unsaid, d.drop)) or d.exact):
        out["usage"] = usage
    elif d.exact and "usage" in response:
        out["usage"] = None
    d.lay_provider_data(response, out, "", None if d.exact else METADATA.__contains__)
    return out


def _lacks(response: Response, key: str, d: Dump) -> bool:
    """Whether a field was missing, or could not be read, in the response that is dumped again."""
    own: dict[str, Any] = (response.provider_data or {}).get(FAMILY, {})
    return d.exact and (key in own or spelling(response, key) is not None)
