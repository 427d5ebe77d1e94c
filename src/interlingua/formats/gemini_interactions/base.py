"""What the functions of the Interactions API share: the provider's limits, the validators, and the state of a dump.

Signatures of thoughts and addresses of Google's files are the same as in `gemini`, the relative that this format declares. A
step of the model that becomes several parts is a model output. Its fields besides the content are in the provider data of its
first part; a field of the part itself is recorded as such if its name does not show it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import Wire
from ...codec.hosted.code_runs import CodeRuns
from ..gemini.base import FAMILY as GEMINI, LONGEST_NAME

__all__ = ["FAMILY", "ISSUER", "LONGEST_NAME", "InteractionsDump", "adapter", "keep_whole"]

FAMILY = "gemini_interactions"
ISSUER = GEMINI
"""The issuer of signatures and of files' addresses, the same as in Google's other API."""


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


_REQUEST_FIELDS = frozenset(
    "annotations channels data end_index error is_error mime_type name processing resolution sample_rate signature start_index"
    " summary title uri url".split()
)
"""The fields of steps, content and citations that may be provider data; the server refuses any field that it does not know."""


class InteractionsDump(Dump):
    """A dump to the Interactions API."""

    is_response = False
    """Whether a response is dumped."""
    code_runs: CodeRuns | None = None
    """The code of other providers' servers in the current message; None before the first."""
    offset = 0
    """The index of the first step that is written."""

    def place(self, written: list[Wire]) -> str:
        """The pointer of the step that follows the written steps."""
        return f"/steps/{self.offset + len(written)}" if self.is_response else f"/input/{len(written)}"

    def is_foreign(self, issuer: str | None) -> bool:
        """Whether Google can neither verify nor read what this issuer made."""
        return not self.exact and issuer not in (None, ISSUER)

    def is_response_only(self, key: str) -> bool:
        """Whether no step or content in a request may have this field."""
        return key not in _REQUEST_FIELDS


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a part, a step or a tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}
