"""The schemas of Converse's responses and chunks, from which `tests/schemas/test_loaders.py` draws documents."""

from typing import Any

from interlingua.formats.bedrock_converse.base import adapter
from schemas.wires import Schemas, fields, of_types


def _chunk(envelope: Any, block: Any) -> Any:
    at, text, anything = {"contentBlockIndex": {"type": "integer"}}, {"type": "string"}, {"type": "object"}
    deltas = [
        fields(text=text),
        fields(toolUse=fields(input=text)),
        fields(toolResult={"type": "array"}),
        fields(reasoningContent=anything),
        fields(citation=anything),
        fields(image=anything),
    ]
    return {
        "anyOf": [
            fields(messageStart=fields(role=text)),
            fields(contentBlockStart=fields(start=block, **at)),
            fields(contentBlockDelta=fields(delta={"anyOf": deltas}, **at)),
            fields(contentBlockStop=fields(**at)),
            fields(messageStop=envelope),
            fields(metadata=envelope),
        ]
    }


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response, envelope, block), shared = of_types(*map(adapter, ("Response", "Envelope", "Block")))
    return Schemas(response, _chunk(envelope, block), shared)
