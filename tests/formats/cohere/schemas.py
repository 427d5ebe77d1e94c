"""The schemas of Cohere's responses and chunks, from which `tests/schemas/test_loaders.py` draws documents."""

from typing import Any

from interlingua.formats.cohere.base import adapter
from schemas.wires import Schemas, fields, of_types


def _chunk(response: Any, part: Any, call: Any) -> Any:
    at, text = {"enum": [0, 1, 2]}, {"type": "string"}

    def said(kind: str, **message: Any) -> Any:
        return fields(type={"const": kind}, index=at, delta=fields(message=fields(**message)))

    return {
        "anyOf": [
            fields(type={"const": "message-start"}, id=text),
            said("content-start", content=part),
            said("content-delta", content=fields(text=text)),
            said("content-delta", content=fields(thinking=text)),
            fields(type={"const": "content-end"}, index=at),
            said("tool-plan-delta", tool_plan=text),
            said("tool-call-start", tool_calls=call),
            said("tool-call-delta", tool_calls=fields(function=fields(arguments=text))),
            fields(type={"const": "tool-call-end"}, index=at),
            said("citation-start", citations={"type": "object"}),
            fields(type={"const": "citation-end"}, index=at),
            fields(type={"const": "message-end"}, delta=response),
        ]
    }


def schemas() -> Schemas:
    """The schemas of a response and of a chunk, and the definitions that they refer to."""
    (response, part, call), shared = of_types(*map(adapter, ("Response", "Part", "Call")))
    return Schemas(response, _chunk(response, part, call), shared)
