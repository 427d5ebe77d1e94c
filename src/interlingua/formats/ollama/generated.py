"""Load and dump the answers of Ollama's generate: one text, with reasoning beside it; generated images are provider data.

The other fields are the chat's.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.required import RequiredFields
from ...codec.text_answers import answer_texts
from ...model.exchange import Response
from .base import FAMILY, OllamaDump, adapter
from .responses import MESSAGE, dump_envelope, load_whole_envelope

REQUIRED = RequiredFields(
    {"model": ("model", None), "created": ("created_at", None), "usage": ("prompt_eval_count", None)},
    body=((("response",), ""),),
    chunks=((("response",), ""),),
)
"""By ollama 0.6.3, `_types.py`, no field is required; programs read `response`."""
FIELDS = {"thinking": "thinking", "text": "response"}
"""The field for each kind of part, in their order."""
PLACES = {kind: f"/{key}" for kind, key in FIELDS.items()}
"""The pointer of each."""


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("GenerateResponse").validator.validate_python(wire))
    out: dict[str, Any] = {}
    choice = load_whole_envelope(fields, out)
    content: list[dict[str, Any]] = []
    for kind, key in FIELDS.items():
        text = fields.take(key)
        if text:
            content.append({"type": kind, kind: text})
        elif text is None and kind == "text":
            fields.spelling[key] = "absent"
        elif text == "" and kind == "thinking":
            fields.spelling[key] = "empty"
    message = {"role": "assistant", "content": content}
    return fields.keep(out | {"choices": [{"message": message} | choice]}, FAMILY)


def dump_response(response: Response, d: OllamaDump) -> Wire:
    """Dump a response body; Ollama's responses have one answer, the first."""
    message = response.message
    out: Wire = {}
    texts = answer_texts(message, MESSAGE, PLACES, d)
    if texts["thinking"] or (d.same_format and spelling(response, "thinking") == "empty"):
        out["thinking"] = texts["thinking"]
    if texts["text"] or not (d.same_format and spelling(response, "response") == "absent"):
        out["response"] = texts["text"]
    if not (d.same_format and spelling(response, "done") == "other"):
        out["done"] = True
    d.drop_named(message, MESSAGE, "name", "cache_control")
    d.drop_fields(message, MESSAGE)
    dump_envelope(response, out, d)
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "Ollama's responses have one answer; the others are left out")
    return out
