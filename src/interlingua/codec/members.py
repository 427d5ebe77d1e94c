"""The tools inside a provider's own tools and items, and the names that a dump writes for them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .fields import Wire

LONGEST_ABOUT = 1024
"""The longest description of a group that is repeated in each of its tools: no server refuses a text of this length."""
NAMED_BY_GROUP = "the name of a tool begins with that of its group"


def undeferred(target: str) -> str:
    """The loss detail of a deferred tool, if the target cannot defer it."""
    return f"{target} does not defer this tool: it is sent with the others"


class SentTool(NamedTuple):
    """A tool of the source that a dump wrote under another name."""

    namespace: str | None
    """The group that it belongs to, if any."""
    name: str
    """Its name in the source, within its group."""
    kind: Literal["function", "custom"]
    """Whether its arguments are JSON, or free text."""


class Member(NamedTuple):
    """A function or a free-form tool in a value that a format keeps verbatim."""

    pointer: str
    """Its pointer in that value."""
    namespace: str | None
    """The group that it belongs to, if any."""
    whole: bool
    """Whether that value is this tool, rather than a group of tools."""
    value: Wire
    """Its `type`, `name`, `description`, and its `parameters` and `strict`, or as a free-form tool (`custom`) its `format`.

    Anything else that a list of functions cannot have, such as the `description` of a group, has another type.
    """
    about: str = ""
    """The description of its group, if that is short enough to stand before its own."""
