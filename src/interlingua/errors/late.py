"""What the lower floors need of upper ones, which they do not import: it is bound late, when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_BOUND = {
    # What came in.
    "dump": "interlingua.conversion.requests",
    "dump_response": "interlingua.conversion.responses",
    # How messages and values show themselves.
    "dump_as": "interlingua.conversion.requests",
    "dump_in_context": "interlingua.conversion.requests",
    "outline": "interlingua.display.outline",
    "fragment": "interlingua.display.page",
    "drawn": "interlingua.display.terminal",
    "drawn_difference": "interlingua.display.beside",
    "page_of_difference": "interlingua.display.page",
    "text_of_difference": "interlingua.display.printing",
    # What formats know of the words that callers use.
    "meant_format": "interlingua.conversion.detection",
    "meant_word": "interlingua.conversion.detection",
    "tool_format": "interlingua.conversion.detection",
    "nested_call": "interlingua.conversion.detection",
    # The format of a payload whose source is "auto".
    "request_format": "interlingua.conversion.sources",
    "response_format": "interlingua.conversion.sources",
}
"""Functions of upper floors, each with its module: the only place where a lower floor names a higher one."""


def late(function: str) -> Any:
    """A function of an upper floor, whose module is imported if it is not yet."""
    return getattr(import_module(_BOUND[function]), function)
