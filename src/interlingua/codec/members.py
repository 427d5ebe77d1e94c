"""What formats say of the tools in their own tools and items, and what a dump says of the names that it wrote for them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .fields import Wire

LONGEST_ABOUT = 1024
"""How long the description of a group may be to be repeated in each of its tools: no server refuses a text of that length."""
NAMED_BY_GROUP = "the name of a tool begins with that of its group"


def undeferred(target: str) -> str:
    """What is said of a tool that is not to be read before it is found, where the target cannot defer it."""
    return f"{target} does not defer this tool: it is sent with the others"


class SentTool(NamedTuple):
    """What a tool of the source is that a dump wrote under another name."""

    namespace: str | None
    """The group that it belongs to, if any."""
    name: str
    """Its name in the source, within its group."""
    kind: Literal["function", "custom"]
    """Whether its arguments are JSON, or free text."""


class Member(NamedTuple):
    """A function or a free-form tool in a value that a format keeps verbatim."""

    pointer: str
    """Where it stands in that value."""
    namespace: str | None
    """The group that it belongs to, if any."""
    whole: bool
    """Whether that value is this tool, rather than a group of tools."""
    value: Wire
    """Its `type`, `name`, `description`, and its `parameters` and `strict`, or as a free-form tool (`custom`) its `format`.

    Of any other type is what has no place in a list of functions, such as the `description` of a group.
    """
    about: str = ""
    """The description of its group, if that is short enough to stand before its own."""
