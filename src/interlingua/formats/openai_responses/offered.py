"""Functions and free-form tools inside other tools and inside items: namespaces, `additional_tools`, and search results.

(openai 3.52.0: `namespace_tool_param.py`, `custom_tool_param.py`, `response_input_item_param.py`; recorded requests of Codex.)
"""

from __future__ import annotations

from collections.abc import Iterator

from ...codec.fields import Wire
from ...codec.members import LONGEST_ABOUT, Member
from ...model.base import Json

TOOL_ITEMS = frozenset({"additional_tools", "tool_search_output"})
"""The types of items that declare further tools from there on; tools found by a server's search are declared before."""


def offers(value: Wire) -> Iterator[Member]:
    """The functions and free-form tools inside a tool or an item."""
    kind: Json = value.get("type")
    if type(kind) is not str:
        return
    if kind in TOOL_ITEMS:
        for i, tool in _objects(value):
            at = f"/tools/{i}"
            if tool.get("type") == "namespace":
                yield from _in_group(tool, at)
            else:
                yield Member(at, None, False, tool)
    elif kind == "namespace":
        yield from _in_group(value, "")
    elif kind == "custom" and type(name := value.get("name")) is str and name:
        yield Member("", None, True, value)


def _in_group(group: Wire, at: str) -> Iterator[Member]:
    name = group.get("name")
    description = group.get("description")
    about = description if type(description) is str and len(description) <= LONGEST_ABOUT else ""
    for i, tool in _objects(group):
        yield Member(f"{at}/tools/{i}", name if type(name) is str and name else None, False, tool, about)
    if description:
        yield Member(f"{at}/description", None, False, {"type": "description"}, about)


def _objects(holder: Wire) -> Iterator[tuple[int, Wire]]:
    tools: Json = holder.get("tools")
    for i, tool in enumerate(tools if type(tools) is list else ()):
        if type(tool) is dict:
            yield i, tool
