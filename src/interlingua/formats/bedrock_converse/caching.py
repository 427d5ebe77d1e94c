"""Cache points: objects among blocks and tools that mark the end of a prefix, which the server caches.

In canonical form, a cache point is the mark on the block or tool before it (botocore 1.44.5: `CachePointBlock`, of type
`default`, with a time to live of `5m` or `1h`). Nova's bodies may also have it inside the block of a text (the guide "Prompt
caching" of Bedrock, in its example of InvokeModel).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...codec.caching import report_marked
from ...codec.fields import FieldReader, Wire
from ...codec.settings import cache_time
from ...model.base import Json
from ...model.exchange import Caching
from .base import FAMILY, ConverseDump, one_field
from .citations import bare_citations, is_text_alone, load_behind

_TIMES = ("5m", "1h")


def _is_point(wire: Json) -> bool:
    key, point = one_field(wire)
    if key != "cachePoint" or type(point) is not dict or point.get("type") != "default":
        return False
    return len(point) == 1 or (len(point) == 2 and type(point.get("ttl")) is str)


INSIDE = frozenset({"text", "cachePoint"})
"""The keys of a text that has its cache point inside."""


def is_marked_text(wire: Json) -> bool:
    """Whether a block is a text that has its cache point inside."""
    return (
        type(wire) is dict
        and wire.keys() == INSIDE
        and type(wire["text"]) is str
        and _is_point({"cachePoint": wire["cachePoint"]})
    )


def _mark(point: Wire) -> Wire:
    """The mark that a cache point is."""
    return {"type": "ephemeral", **{key: value for key, value in point.items() if key == "ttl"}}


def load_marked_text(wire: Wire) -> dict[str, Any]:
    """Load a text that has its cache point inside."""
    reader = FieldReader(wire, "text", "cachePoint")
    reader.spelling["cache_control"] = "inside"
    return reader.keep({"type": "text", "text": wire["text"], "cache_control": _mark(wire["cachePoint"])}, FAMILY)


def owners_in(wires: Sequence[Json], *, tools: bool = False) -> list[int]:
    """The blocks or tools in a list: all items except the citations and the cache point that belong to the item before them."""
    out: list[int] = []
    may_have_more = False
    for i, wire in enumerate(wires):
        if may_have_more:
            if _is_point(wire):
                may_have_more = False
                continue
            is_cited = not tools and type(wire) is dict and "citationsContent" in wire
            if is_cited and is_text_alone(wires[out[-1]]) and bare_citations(wire):
                continue
        out.append(i)
        may_have_more = type(wire) is dict and (wire.keys() == {"toolSpec"} if tools else "cachePoint" not in wire)
    return out


def load_list(wires: Sequence[Wire], load: Callable[[Wire], dict[str, Any]], *, tools: bool = False) -> list[dict[str, Any]]:
    """Load blocks or tools, with their citations and marks."""
    owners = owners_in(wires, tools=tools)
    out = [load(wires[i]) for i in owners]
    for place, i in enumerate(owners):
        end = owners[place + 1] if place + 1 < len(owners) else len(wires)
        if i + 1 < end:
            out[place] = {**out[place], **_load_more(wires[i + 1 : end])}
    return out


def _load_more(blocks: Sequence[Wire]) -> dict[str, Any]:
    """The fields of a block or tool that are behind it: its citations, then its mark."""
    if "cachePoint" not in blocks[-1]:
        return load_behind(blocks)
    mark = {"cache_control": _mark(blocks[-1]["cachePoint"])}
    return mark if len(blocks) == 1 else load_behind(blocks[:-1]) | mark


NOT_AFTER_REASONING = "a cache point must not follow reasoning: put the mark on another block"


def cache_point(owner: Any, path: str, d: ConverseDump) -> Wire:
    """Dump an object's mark as the cache point to write after it."""
    return point(owner.cache_control.ttl, path, d)


def point(ttl: str | None, path: str, d: ConverseDump) -> Wire:
    """A cache point with this time to live."""
    return {"cachePoint": {"type": "default"} | cache_time(d, ttl, path + "/cache_control", *_TIMES)}


def mark_last(message: Any, content: list[Any], path: str, at: str, d: ConverseDump) -> None:
    """Write a message's mark after its last block: Converse has no marks on messages themselves."""
    if not content or "cachePoint" in content[-1]:
        d.drop(
            path + "/cache_control",
            "the last block has a cache point already"
            if content
            else "a cache point must follow a block, and the message has none",
        )
        return
    if "reasoningContent" in content[-1]:
        d.drop(path + "/cache_control", NOT_AFTER_REASONING)
        return
    last = f"{at}/{len(content) - 1}"
    here = f"{at}/{len(content)}"
    content.append(cache_point(message, path, d))
    d.report(
        "moved", path + "/cache_control", here, "a cache point must be among the blocks: the message's follows its last block"
    )
    report_marked(path, last, d)


def dump_caching(caching: Caching, out: Wire, d: ConverseDump) -> None:
    """Set the cache marks that the request asks for."""
    point: Wire = {"type": "default"} | cache_time(d.by_rules(), caching.ttl, "/caching", *_TIMES)
    lists: list[Any] = [out.get("toolConfig", {}).get("tools") if caching.tools else None]
    lists.append(out.get("system") if caching.system else None)
    lists += [message["content"] for message in out["messages"][-caching.messages :]] if caching.messages else []
    for blocks in lists:
        if blocks and "reasoningContent" in blocks[-1]:
            d.drop("/caching", NOT_AFTER_REASONING)
        elif blocks and "cachePoint" not in blocks[-1]:
            blocks.append({"cachePoint": dict(point)})
