"""What the functions of the Interactions API share: the provider's limits, the validators, a dump under way.

The signatures of thoughts and the addresses of Google's files are those of `gemini`, its declared relative. A step of the model
that becomes several parts is a model output. Its fields besides the content are in the provider data of its first part; fields
of that part itself are recorded as such where their names do not say it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import Wire
from ..gemini.base import FAMILY as GEMINI, LONGEST_NAME

__all__ = ["FAMILY", "ISSUER", "LONGEST_NAME", "InteractionsDump", "adapter", "keep_whole"]

FAMILY = "gemini_interactions"
ISSUER = GEMINI
"""Who makes signatures and the addresses of files; Google's other API has the same."""


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of one of the wire types, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


_REQUEST_FIELDS = frozenset(
    "annotations channels data end_index error is_error mime_type name processing resolution sample_rate signature start_index"
    " summary title uri url".split()
)
"""The fields of steps, content and citations that may be provider data; the server refuses all that it does not know."""


class InteractionsDump(Dump):
    """A dump to the Interactions API."""

    is_response = False
    """Whether a response is written."""
    offset = 0
    """The index of the first step that is written."""

    def place(self, written: list[Wire]) -> str:
        """The pointer of the step that follows those that are written."""
        return f"/steps/{self.offset + len(written)}" if self.is_response else f"/input/{len(written)}"

    def is_foreign(self, issuer: str | None) -> bool:
        """Whether Google can neither verify nor read what this issuer made."""
        return not self.exact and issuer not in (None, ISSUER)

    def is_response_only(self, key: str) -> bool:
        """Whether no step or content of a request may have this field."""
        return key not in _REQUEST_FIELDS


def keep_whole(wire: Wire) -> dict[str, Any]:
    """A part, a step or a tool that has no canonical form."""
    return {"type": "opaque", "format": FAMILY, "value": wire}
