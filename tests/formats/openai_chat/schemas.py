"""The schemas of Chat's responses and chunks, from which `tests/schemas/test_loaders.py` draws documents."""

from typing import Any

from interlingua.formats.openai_chat.base import adapter
from schemas.wires import Schemas, fields, of_types


def _chunk(response: Any, message: Any) -> Any:
    choice = fields(index={"enum": [0, 0, 1]}, delta=message)
    choice["properties"]["finish_reason"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    chunk = fields(choices={"type": "array", "items": choice})
    chunk["properties"] |= {key: schema for key, schema in response["properties"].items() if key != "choices"}
    return chunk


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response,), shared = of_types(adapter("Response"))
    message = shared["SaidMessage"]
    kinds = [kind for kind in message["properties"]["content"]["oneOf"] if kind.get("type") != "object"]
    delta = {**message, "properties": {**message["properties"], "content": {"oneOf": kinds}}}
    return Schemas(response, _chunk(shared["Response"], delta), shared)  # a delta adds to text or to a list
