"""The schemas of the responses and events of OpenAI's Responses, from which `tests/schemas/test_loaders.py` draws documents."""

from typing import Any

from interlingua.formats.openai_responses.base import adapter
from schemas.wires import Schemas, fields, of_types


def _chunk(response: Any, item: Any) -> Any:
    """An event of OpenAI Responses: of the whole response, of an item, of a part, or of a piece of one."""
    text, index = {"type": "string"}, {"enum": [0, 0, 1]}
    stages = [f"response.{stage}" for stage in ("created", "in_progress", "completed", "incomplete")]
    pieces = [f"response.{kind}.delta" for kind in ("output_text", "refusal", "reasoning_text", "function_call_arguments", "x")]
    items, parts = ([f"response.{kind}.{stage}" for stage in ("added", "done")] for kind in ("output_item", "content_part"))
    part = fields(type={"enum": ["output_text", "refusal", "x"]}, text=text, refusal=text)
    at = {"output_index": index, "content_index": index}
    return {
        "anyOf": [
            fields(type={"enum": stages}, response=response),
            fields(type={"enum": items}, output_index=index, item=item),
            fields(type={"enum": parts}, part=part, **at),
            fields(type={"enum": pieces}, delta=text, **at),
        ]
    }


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response, item), shared = of_types(*map(adapter, ("Response", "Item")))
    return Schemas(response, _chunk(response, item), shared)
