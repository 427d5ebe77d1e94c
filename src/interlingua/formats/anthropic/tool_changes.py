"""System messages that add tools to the conversation, or remove them.

(anthropic 2.14.0, `beta_request_tool_addition_block_param.py`, `beta_tool_change_tool_definition_param.py`.)

What is added is a reference to one of the request's tools, or the definition of a further tool.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...codec.fields import Wire, value_at
from ...codec.members import Member
from ...model.base import Json

_CHANGES = frozenset({"tool_addition", "tool_removal"})


def only_changes(content: Json) -> bool:
    """Whether the content of a system message does nothing but change the tools."""
    return type(content) is list and bool(content) and all(_kind(block) in _CHANGES for block in content)


def offers(value: Wire) -> Iterator[Member]:
    """The tools that a system message or one of its blocks defines; if there are any, its other changes too, as non-tools."""
    content: Json = value.get("content") if value.get("role") == "system" else None
    blocks = [(f"/content/{i}", block) for i, block in enumerate(content)] if isinstance(content, list) else [("", value)]
    found = [_member(at, block) for at, block in blocks if _kind(block) in _CHANGES]
    if any(member.value["type"] == "function" for member in found):
        yield from found


def _member(at: str, block: Json) -> Member:
    definition: Json = value_at(block, ("tool", "definition"))
    if not isinstance(definition, dict) or _kind(definition) not in (None, "custom"):
        return Member(at, None, False, {"type": "change"})
    fields = {key: value for key, value in definition.items() if key != "input_schema"}
    schema = definition.get("input_schema")
    return Member(f"{at}/tool/definition", None, False, {**fields, "type": "function", "parameters": schema})


def _kind(block: Json) -> Json:
    kind: Json = block.get("type") if isinstance(block, dict) else None
    return kind if isinstance(kind, str) else None
