"""What the functions of Converse share: the provider's limits, the profile of a calling form, and the state of a dump.

The limits are the service model's (botocore 1.44.5, `bedrock-runtime` 2023-09-30).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from pydantic import TypeAdapter

from ...codec.citable import move_document_fields
from ...codec.fields import Wire
from ...codec.ids import IdRules
from ...codec.turns import BlockDump
from ...model.base import Json
from .blobs import NOT_BASE64, holds_blobs

FAMILY = "bedrock"
RELATIVE = "anthropic"
"""The format family that has some of Converse's blocks and fields in another spelling."""
LONGEST_NAME = 64
IDS = IdRules("[A-Za-z0-9_.:-]", 64, unique=False)


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


@dataclass(frozen=True)
class ConverseProfile:
    """How Converse is called, for `format_for`."""

    sdk: bool = False
    """Whether bodies are boto3's arguments and results, which have `modelId`, and bytes for blobs."""
    nova: bool = False
    """Whether bodies are Amazon Nova's for InvokeModel, which have other settings, and whose stream events are bytes."""
    system_in_conversation: bool = False
    """Whether a system message may follow other messages; if not, it becomes a user message."""
    unsigned_thinking: bool = False
    """Whether unsigned reasoning of other providers may be sent; Claude refuses it, Nova and others accept it."""
    issuers: frozenset[str] = frozenset({"bedrock", "anthropic"})
    """The issuers whose signatures and encrypted reasoning Bedrock accepts; Claude's are the same on all its hosts."""


class ConverseDump(BlockDump):
    """A dump to the Converse shape."""

    profile: ConverseProfile
    is_response = False
    """Whether a response is dumped: no server checks its signatures."""

    def begin(self) -> None:
        """Begin without documents."""
        super().begin()
        self.documents: dict[str, int] = {}
        """How many documents were written, or left out, under each name."""
        self.with_document: dict[str, str] = {}
        """The pointers of messages that have documents and are not written exactly, and the pointers of their sources."""

    def drop_blob(self, at: str) -> None:
        """Report that the blob at a pointer of the output is left out; the loss points to the innermost known object around."""
        owner = at
        while owner and owner not in self.places:
            owner = owner.rpartition("/")[0]
        self.drop(self.places.get(owner, ""), NOT_BASE64)

    def own_value(self, owner: Any, path: str, what: str) -> Wire | None:
        """A copy of a value that is kept verbatim; None, with a report, if it is another family's, or boto3 cannot take it."""
        value = super().own_value(owner, path, what)
        needs_blobs = self.profile.sdk and not self.exact
        if value is not None and needs_blobs and not holds_blobs(value):
            return self.refuse(path, NOT_BASE64)
        return value

    def adopt(self, _family: str, overlay: Wire, out: Wire, /) -> Wire:
        """Write the fields of other providers' documents that Converse's documents have too."""
        return move_document_fields(overlay, out["document"]) if "document" in out else overlay

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, in which `copied` replaces the messages written so far."""
        made = super().fork(written, copied)
        made.documents = self.documents.copy()
        made.with_document = self.with_document.copy()
        return made


def own_data(owner: Any) -> Wire:
    """The provider data of an object for Bedrock."""
    found: dict[str, Wire] = owner.provider_data or {}
    return found.get(FAMILY, {})


def one_field(value: Json) -> tuple[str, Json]:
    """The name and the value of the only field of an object; an empty name and None for any other value."""
    return next(iter(value.items())) if type(value) is dict and len(value) == 1 else ("", None)


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a block or tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}
