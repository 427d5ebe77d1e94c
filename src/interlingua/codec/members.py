"""The tools inside a provider's own tools and items, and the names with which a dump writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeAlias

from .fields import Content, Wire

_role = attrgetter("role")
LONGEST_ABOUT = 1024
"""The longest description of a group that is repeated in each of its tools; no server refuses a text of this length."""
NAMED_BY_GROUP = "the name of a tool begins with that of its group"


def undeferred(target: str) -> str:
    """The loss detail for a deferred tool if the target cannot defer it."""
    return f"{target} does not defer this tool: it is sent with the others"


def additions(messages: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """The opaque messages, and the opaque parts of system messages, with their pointers: they may add tools."""
    if {"opaque", "system"}.isdisjoint(map(_role, messages)):
        return
    for i, message in enumerate(messages):
        content: Content = message.content if message.role == "system" else None
        if message.role == "opaque":
            yield f"/messages/{i}", message
        elif type(content) is tuple:
            for j, part in enumerate(content):
                if part.type == "opaque":
                    yield f"/messages/{i}/content/{j}", part


class SentTool(NamedTuple):
    """The tool of the source for a name that a dump wrote."""

    namespace: str | None
    """Its group, if it is in one."""
    name: str
    """Its name in the source, within its group."""
    kind: Literal["function", "custom"]
    """Whether its arguments are JSON (`function`) or free text (`custom`)."""


class Offered(NamedTuple):
    """A tool to write, and its pointer in the canonical request."""

    path: str
    tool: Any
    changes: tuple[tuple[str, str], ...] = ()
    """The changes to report: a pointer and a detail for each."""
    always: bool = False
    """Whether it is sent even if the tool choice does not allow it, because it searches the tools that are sent."""
    server: Wire | None = None
    """The object of its MCP server in the target's field of the request."""


class HostedTool(NamedTuple):
    """A tool that the provider runs, in the form of another of the provider's APIs."""

    pointer: str
    """Its pointer in the opaque value that it was read from."""
    value: Wire
    rest: list[str]
    """Pointers in the opaque value to the fields that the other API does not have."""


class Member(NamedTuple):
    """A function or a free-form tool inside an opaque value."""

    pointer: str
    """Its pointer in the opaque value."""
    namespace: str | None
    """Its group, if it is in one."""
    whole: bool
    """Whether the opaque value is this tool itself, and not a group of tools."""
    value: Wire
    """Its `type`, `name`, `description`, and its `parameters` and `strict`, or for a free-form tool (`custom`) its `format`.

    Other things that a list of functions cannot have, such as the `description` of a group, have another type.
    """
    about: str = ""
    """The description of its group, if it is short enough to be put before the tool's own."""


Hosted: TypeAlias = Mapping[str, Callable[[Wire], list[HostedTool]]]
"""By family: turns an opaque tool into those of another API; into none if that API has none."""
