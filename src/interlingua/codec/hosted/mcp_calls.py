"""Calls that the provider's server itself made to the tools of MCP servers, and the results of these calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from ...model.base import Json
from ..fields import unknown_fields, value_at


class McpCall(NamedTuple):
    """A call, its result, or both."""

    id: str
    """The id of both."""
    server: str = ""
    """The name of the MCP server."""
    name: str | None = None
    """The name of the tool; None for the part with the result."""
    arguments: Json = None
    """The arguments, as JSON text or as an object."""
    output: Sequence[str] | None = None
    """The texts of the result, none of which is empty; None for the part with the call."""
    failed: bool = False
    """Whether the call failed."""
    rest: Sequence[str] = ()
    """Pointers to the fields that other providers' calls do not have."""

    @property
    def what(self) -> str:
        """Its name in losses."""
        return "an MCP call"

    @property
    def asks(self) -> bool:
        """Whether it has the call."""
        return self.name is not None

    @property
    def answers(self) -> bool:
        """Whether it has the result."""
        return self.output is not None

    def answered(self, result: Self) -> Self:
        """The call with its result, which is in another part."""
        return self._replace(output=result.output, failed=result.failed, rest=result.rest)


def texts_in(content: Json, pointer: str) -> tuple[list[str], list[str]]:
    """The texts in the content of a result, and pointers to whatever else is in it."""
    if type(content) is str:
        return ([content] if content else []), []
    texts: list[str] = []
    rest: list[str] = []
    parts: list[Json] = content if type(content) is list else []
    for i, part in enumerate(parts):
        text: Json = value_at(part, ("text",)) if value_at(part, ("type",)) == "text" else None
        if type(text) is not str:
            rest.append(f"{pointer}/{i}")
            continue
        texts += [text] if text else []
        rest += unknown_fields(part, ("type", "text"), f"{pointer}/{i}")
    if content is not None and type(content) is not list:
        rest.append(pointer)
    return texts, rest
