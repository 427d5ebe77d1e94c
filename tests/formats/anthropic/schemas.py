"""The schemas of Anthropic's responses and chunks, from which `tests/schemas/test_loaders.py` draws documents."""

from typing import Any

from interlingua.formats.anthropic.base import adapter
from schemas.wires import Schemas, fields, of_types


def _chunk(envelope: Any, response: Any, block: Any) -> Any:
    index = {"enum": [0, 1, 2]}
    kinds = ("text_delta", "thinking_delta", "signature_delta", "input_json_delta", "citations_delta", "compaction_delta", "x")
    texts = {key: {"type": "string"} for key in ("text", "thinking", "signature", "partial_json")}
    delta = fields(type={"enum": [*kinds]}, **texts, citation={"type": "object"})
    return {
        "anyOf": [
            fields(type={"const": "message_start"}, message=response),
            fields(type={"const": "content_block_start"}, index=index, content_block=block),
            fields(type={"const": "content_block_delta"}, index=index, delta=delta),
            fields(type={"const": "content_block_stop"}, index=index),
            fields(type={"const": "message_delta"}, delta=envelope, usage={"type": "object"}),
            fields(type={"const": "message_stop"}),
        ]
    }


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response, envelope, block), shared = of_types(*map(adapter, ("Response", "Envelope", "SaidBlock")))
    return Schemas(response, _chunk(envelope, response, block), shared)
