"""Adapts a schema for hosts that refuse most keywords beside a reference, and a list in `items`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.base import Json
from ...model.parts import to_json
from ..fields import Wire
from .cycles import resolve
from .nodes import SchemaNode, new_node

if TYPE_CHECKING:
    from .inlining import Adapting

_FOLLOWED = 8
"""How many references are followed, one from the other; longer chains would take quadratic time, and nobody writes them."""
_BESIDE = "`$ref` must have no keyword beside it that the schema it names may have, too"


def stand_alone(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Leave a reference alone, and write one schema for all items of an array."""
    if not a.dialect.lone_refs:
        return
    if "$ref" in out and len(out) > 1 and not node.root:
        _leave_alone(out, node, a)
    if isinstance(out.get("items"), list):
        _join_items(out, node, a)


def _leave_alone(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Remove what stands beside a reference; the description says the rest, if the schema that is named has none."""
    named = _named(out["$ref"], a)
    may_describe = "description" not in named
    for key in [key for key in out if key != "$ref"]:
        if key in named and to_json(named[key]) == to_json(out[key]):
            del out[key]  # the schema means the same without it
        elif not may_describe:
            a.report("dropped", node, key, _BESIDE)
            del out[key]
        elif key != "description":
            a.put_in_words(out, key, node)


def _named(ref: Json, a: Adapting) -> Wire:
    """What a reference names, with what the references there name."""
    named: Wire = {}
    for _ in range(_FOLLOWED):
        found = resolve(a.root, ref) if isinstance(ref, str) else None
        if not isinstance(found, dict):
            break
        named = found | named
        ref = found.get("$ref")
    return named


def _join_items(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Let each item fit any of the schemas that stood for the items by their place."""
    given: list[Json] = out["items"]
    listed = [each for each in given if isinstance(each, dict)]
    for place, each in enumerate(given):
        if isinstance(each, dict):
            origin = new_node((each, (), False, node, ("items", str(place)), node.depth + 1))
            a.moved.setdefault(id(each), origin)
    distinct = list({to_json(each): each for each in listed}.values())
    takes_any = not distinct or any(each is True for each in given)
    out["items"] = {} if takes_any else distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    a.report("changed", node, "items", "`items` must be one schema: each item may fit any of those in the list")
