"""What the functions of Cohere's Chat share: the provider's limits, the validators, and what is kept whole."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import Wire, spelling
from ...codec.ids import IdRules

FAMILY = "cohere"
LONGEST_NAME = 64
IDS = IdRules(".", 2**31, unique=False)
PLAN = "tool_plan"
"""The field of a message with the model's plan, which comes before its calls."""


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


class CohereDump(Dump):
    """A dump to Cohere's Chat."""

    is_response = False
    """Whether a response is dumped: its content is always a list."""


def own_data(owner: Any) -> Wire:
    """The provider data of an object for Cohere."""
    found: dict[str, Wire] = owner.provider_data or {}
    return found.get(FAMILY, {})


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a part or tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}


def is_plan(part: Any) -> bool:
    """Whether a part is reasoning that was loaded from the field `tool_plan`."""
    return part.type == "thinking" and spelling(part, "place") == PLAN
