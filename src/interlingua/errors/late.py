"""What lower layers need of higher ones, which they do not import: it is bound late, when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_BOUND = {
    # The body that a request or a response was loaded from.
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
    # The table of formats, for a format that stands for several.
    "format_of": "interlingua.formats",
}
"""Functions of higher layers, each with its module: the only place where a lower layer names a higher one."""


def late(function: str) -> Any:
    """A function of a higher layer, whose module is imported if it is not yet."""
    return getattr(import_module(_BOUND[function]), function)
