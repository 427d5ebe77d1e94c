"""Tool search: a provider's own tool finds the tools that are deferred, whose definitions the model does not read before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .fields import Wire


@dataclass(frozen=True)
class ToolSearch:
    """How a provider has tool search that its server runs."""

    read: Callable[[Wire], Sequence[str] | None]
    """Reads a tool: pointers to what others have no word for. None for any other tool, and for a search that clients run."""
    kind: str | None
    """The type of the tool that a dump writes; None where requests of others may not ask for it."""
    deferral: str
    """The field of a tool that says that it is deferred."""
    name: str | None = None
    """The name that the search has among the functions, which no other may have."""

    @property
    def tool(self) -> Wire:
        """The tool that a dump writes."""
        return {"type": self.kind} | ({} if self.name is None else {"name": self.name})
