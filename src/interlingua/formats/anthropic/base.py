"""What the functions of Anthropic Messages share: the provider's limits, the profile of a host, and the state of a dump.

The limits are the API's (anthropic 2.11.0: `types/tool_param.py`, `types/output_config_param.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Self

from pydantic import TypeAdapter

from ...codec.citable import move_document_fields
from ...codec.fields import Wire
from ...codec.hosted.references import defer
from ...codec.ids import IdRules
from ...codec.turns import BlockDump
from ...errors import escape, excerpt
from ...model.base import Json

FAMILY = "anthropic"
RELATIVE = "bedrock"
"""The format family that has some of Anthropic's blocks and fields in another spelling."""


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


LONGEST_NAME = 128
IDS = IdRules("[A-Za-z0-9_-]", 128, unique=True)
EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})
REASONING = ("thinking", "redacted_thinking")
"""Types of blocks that cannot have a cache mark."""
OWN_FIELDS = frozenset("cache_control container diagnostics fallbacks inference_geo mcp_servers service_tier speed".split())
"""Fields that only Anthropic's own API takes."""
OWN_TOOLS = ("web_fetch_", "code_execution_", "mcp_toolset", "advisor_")
"""How the types of tools begin that only Anthropic's own servers run."""
FIELD_OF = {"container_upload": "container", "fallback": "fallbacks"}
"""The field of a body that a type of block belongs to: a host that refuses the field refuses the block, too."""


@dataclass(frozen=True)
class AnthropicProfile:
    """What one host or model accepts, for `format_for`; every host and model accepts what the defaults allow."""

    system_in_conversation: bool = False
    """Whether a system message may follow other messages; if not, it becomes a user message."""
    sampling: bool = False
    """Whether `temperature`, `top_p` and `top_k` may be sent: older models accept them, newer ones do not."""
    input_as_text: bool = False
    """Whether tool input is JSON text (AskTable)."""
    content: Literal["keep", "string", "list"] = "keep"
    """How content is written: as it was loaded, as one string if it is text alone, or always as a list (AskTable)."""
    effort_alone: bool = False
    """Whether an effort is sent without `thinking`, for models that think by default, or that are not meant to think.

    If not, adaptive thinking is added, because older models do not think without it.
    """
    unsigned_thinking: bool = False
    """Whether thinking without a signature may be sent."""
    compaction: bool = False
    """Whether another provider's request may ask for compaction, a beta of newer models that the caller must name.

    The beta is `compact-2026-01-12`, in the header `anthropic-beta`; if the body has betas (Bedrock), it is added there.
    """
    mcp: bool = False
    """Whether another provider's request may have MCP servers, and calls of their tools: a beta that the caller must name.

    The beta is `mcp-client-2025-11-20`, in the header `anthropic-beta`.
    """
    issuers: frozenset[str] = frozenset({"anthropic"})
    """The issuers whose signatures, encrypted reasoning and file ids the host accepts."""
    signers: frozenset[str] = frozenset({"bedrock"})
    """Further issuers whose signatures and encrypted reasoning the host accepts.

    Claude's are the same on all its hosts. Converse has signatures of no other model: the others refuse the field
    (earendil-works/pi#686 and #727).
    """
    max_tokens: int | None = None
    """The `max_tokens` to send for another provider's request that has none, since Anthropic requires it; None adds nothing.

    It is not added to a dump of messages alone, or of messages and tools without settings.
    """
    version: str | None = None
    """The `anthropic_version` of a request body, for hosts that require it there (Bedrock, Vertex AI)."""
    in_url: frozenset[str] = frozenset()
    """Which of `model` and `stream` are in the URL, and not in the body."""
    paths: tuple[str, str] = ("/v1/messages", "/v1/messages")
    """The paths of the URL for a whole answer and for a stream; `{}` is the model."""
    betas: bool = False
    """Whether a request body has the field `anthropic_beta`; on other hosts, it is a header."""
    only_inline: bool = False
    """Whether media must be in the body: neither at a URL, nor in a file that the server has (Bedrock, Vertex AI)."""
    refused_fields: frozenset[str] = frozenset()
    """The fields of a body that only other hosts take."""
    refused_tools: tuple[str, ...] = ()
    """Prefixes of the types of tools that only other hosts' servers run."""
    framed: bool = False
    """Whether the events of a stream are inside the events of an AWS event stream, and errors are exceptions (Bedrock)."""


class Mark(NamedTuple):
    """A cache mark: its pointer in the output, the pointer of the object that has it, and whether it is written as loaded."""

    at: str
    path: str
    exact: bool


class MessagesDump(BlockDump):
    """A dump to the Messages shape."""

    longest_name = LONGEST_NAME
    profile: AnthropicProfile
    is_response = False
    """Whether a response is dumped: it may have fields that requests must not have."""
    may_be_signed = False
    """Whether thinking may get its signature later in the stream."""

    def begin(self) -> None:
        """Begin without cache marks."""
        super().begin()
        self.content = self.profile.content
        self.reads_input = not self.profile.input_as_text
        self.marks: list[Mark] = []
        self.mcp_servers: list[Wire] = []
        """The MCP servers that another provider's request declares."""
        self.toolsets: dict[str, str] = {}
        """The toolset of each call that has one, by the id that was sent: its result must name it too."""

    def adopt(self, family: str, overlay: Wire, out: Wire, /) -> Wire:
        """Write the fields of other providers' documents that Anthropic's have too, and the mark of a deferred tool."""
        overlay = defer(family, overlay, out, self) if self.refers else overlay
        if out.get("type") != "document":
            return overlay
        document: Json = overlay.get("document") if family == RELATIVE else None
        if type(document) is dict:
            return overlay | {"document": move_document_fields(document, out)}
        return move_document_fields(overlay, out)

    def declare_server(self, server: Wire, path: str) -> None:
        """Add an MCP server of another provider's request, whose tool has been written."""
        at = f"/mcp_servers/{len(self.mcp_servers)}"
        self.mcp_servers.append(server)
        self.places[at] = path
        self.report("added", path, at, "MCP servers are declared in a field of the request, too")

    def is_foreign(self, issuer: str | None) -> bool:
        """Whether Claude can neither verify nor read what this issuer made."""
        return issuer not in self.profile.signers and super().is_foreign(issuer)

    def knows_file(self, issuer: str | None) -> bool:
        """Whether the host may know a file id of this issuer."""
        return not super().is_foreign(issuer)

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, in which `copied` replaces the messages written so far."""
        made = super().fork(written, copied)
        made.marks = self.marks.copy()
        made.toolsets = self.toolsets.copy()
        return made


def drop_response_only(holder: Json, keys: Iterable[str], path: str, d: MessagesDump) -> None:
    """Remove the fields that requests must not have from a block and the blocks inside it."""
    if type(holder) is dict:
        for key in keys:
            if key in holder:
                del holder[key]
                d.report(
                    "response_only",
                    f"{path}/{escape(key)}",
                    None,
                    f"requests must not have `{excerpt(key)}`, which only responses have",
                )
