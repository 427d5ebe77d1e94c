"""The schemas of the Interactions API's responses and events, from which `tests/schemas/test_loaders.py` draws documents."""

from typing import Any

from interlingua.formats.gemini_interactions.base import adapter
from schemas.wires import Schemas, fields, of_types

_BEGUN: list[dict[str, Any]] = [
    {"type": "model_output", "content": [{"type": "text", "text": "a"}]},
    {"type": "function_call", "id": "a", "name": "f", "arguments": {}},
]
"""Steps as they begin, without which most other events say nothing."""


def _chunk(response: Any, step: Any, content: Any) -> Any:
    at, text = {"enum": [0, 0, 1]}, {"type": "string"}

    def grown(delta: Any) -> Any:
        return fields(event_type={"const": "step.delta"}, index=at, delta=delta)

    return {
        "anyOf": [
            fields(event_type={"enum": ["interaction.created", "interaction.completed"]}, interaction=response),
            fields(event_type={"const": "step.start"}, index=at, step=step),
            *(fields(event_type={"const": "step.start"}, index=at, step={"const": each}) for each in _BEGUN),
            grown(content),
            grown(fields(type={"const": "arguments_delta"}, arguments=text)),
            grown(fields(type={"const": "thought_signature"}, signature=text)),
            grown(fields(type={"const": "thought_summary"}, content=content)),
            grown(fields(type={"const": "text_annotation_delta"}, annotations={"type": "array", "items": {"type": "object"}})),
            fields(event_type={"const": "step.stop"}, index=at),
        ]
    }


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response, step, content), shared = of_types(*map(adapter, ("Response", "Step", "Content")))
    return Schemas(response, _chunk(response, step, content), shared)
