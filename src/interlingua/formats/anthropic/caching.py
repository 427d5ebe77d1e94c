"""Cache marks: the field `cache_control` of a tool or block, which ends a prefix that the server caches.

A mark is `{"type": "ephemeral"}`, perhaps with a time to live of `5m` or `1h` (anthropic 2.11.0,
`types/cache_control_ephemeral_param.py`). The server accepts four marks in a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...codec.caching import report_marked
from ...codec.fields import FieldReader, Wire, value_at
from ...codec.settings import cache_time
from ...model.base import Json
from ...model.exchange import Caching
from .base import FAMILY, REASONING, Mark, MessagesDump

MOST_MARKS = 4
_TIMES = ("5m", "1h")


def load_cache(reader: FieldReader, out: dict[str, Any]) -> None:
    """Load the mark of a tool or block; what else a mark has is kept as provider data, and one of another type whole."""
    mark: Json = reader.wire.get("cache_control")
    if type(mark) is not dict or mark.get("type") != "ephemeral" or type(mark.get("ttl", "")) is not str:
        return
    loaded: dict[str, Any] = {}
    reader.inside("cache_control").move(loaded, "type", "ttl")
    out["cache_control"] = loaded


def dump_cache(owner: Any, out: Wire, path: str, at: str, d: MessagesDump) -> None:
    """Write the mark of a tool or block."""
    mark = owner.cache_control
    d.marks.append(Mark(at, path, d.exact))
    out["cache_control"] = {"type": mark.type} | cache_time(d, mark.ttl, path + "/cache_control", *_TIMES)


def count_mark(value: Wire, path: str, at: str, d: MessagesDump) -> None:
    """Count the mark of a tool or block that is kept whole, if it has one."""
    if value.get("cache_control") is not None:
        d.marks.append(Mark(at, path + "/value", d.exact))


def mark_last(message: Any, out: Wire, key: str, path: str, at: str, d: MessagesDump) -> None:
    """Write a message's mark on the last block of its content: Anthropic has no marks on messages themselves."""
    if not out.get(key):
        d.drop(path + "/cache_control", "a cache mark must be on a block, and the message has none")
        return
    if isinstance(out[key], str):
        out[key] = [{"type": "text", "text": out[key]}]
        d.places[f"{at}/0"] = path + "/content"
    block = out[key][-1]
    here = f"{at}/{len(out[key]) - 1}"
    if not _can_be_marked(block):
        d.drop(path + "/cache_control", "the last block has a cache mark already, or cannot have one")
        return
    d.report(
        "moved",
        path + "/cache_control",
        here + "/cache_control",
        "a cache mark must be on a block: the message's is put on its last block",
    )
    dump_cache(message, block, path, here, d)
    report_marked(path, here, d)


def _can_be_marked(block: Json) -> bool:
    return type(block) is dict and "cache_control" not in block and block.get("type") not in REASONING


def fit_marks(out: Wire, d: MessagesDump) -> None:
    """Drop what the server does not accept of the marks: too many of them, and at Bedrock and Vertex AI their `scope`."""
    if not d.same_family and "cache_control" in out:
        _fit_automatic(out, d)
    _limit_marks(out, d)
    if d.profile.version is not None:
        _drop_scopes(out, d)


def _drop_scopes(out: Wire, d: MessagesDump) -> None:
    """Drop the `scope` of every mark that is not written as loaded, also in what is kept whole."""
    known = {mark.at: mark for mark in d.marks}
    lists = [(out.get(key), f"/{key}") for key in ("tools", "system")]
    lists += [(message.get("content"), f"/messages/{i}/content") for i, message in enumerate(out["messages"])]
    for blocks, under in lists:
        for at, owner in _marked(blocks, under):
            mark = known.get(at)
            is_exact = d.same_format if mark is None else mark.exact
            if not is_exact and owner["cache_control"].pop("scope", None) is not None:
                path = _place(at, d) if mark is None else _owned(mark.path)
                d.drop(path + "/cache_control/scope", f"{d.target.name} refuses the `scope` of a cache mark")


def _marked(blocks: Json, under: str) -> Iterator[tuple[str, Wire]]:
    """The tools or blocks that have a mark, and those inside of blocks, with their pointers in the output."""
    block: Json
    for i, block in enumerate(blocks if type(blocks) is list else ()):
        if type(block) is not dict:
            continue
        at = f"{under}/{i}"
        if type(block.get("cache_control")) is dict:
            yield at, block
        yield from _marked(block.get("content"), at + "/content")
        yield from _marked(value_at(block, ("source", "content")), at + "/source/content")


def _owned(path: str) -> str:
    """The pointer to the provider data of an owner, or to a value that is kept whole."""
    return path if path.endswith("/value") else f"{path}/provider_data/{FAMILY}"


def _place(at: str, d: MessagesDump) -> str:
    """The pointer in the canonical request of an object whose mark was not loaded, or which is inside a block kept whole."""
    inside = ""
    while at and at not in d.places:
        at, _, last = at.rpartition("/")
        inside = f"/{last}{inside}"
    path = d.places.get(at, "")
    return f"{path}/value{inside}" if inside else _owned(path)


def _fit_automatic(out: Wire, d: MessagesDump) -> None:
    """Fit the mark of the request itself, which the server puts on the last block, to those of blocks and tools."""
    content: Json = out["messages"][-1].get("content") if out["messages"] else None
    last: Json = content[-1] if type(content) is list and content else None
    path = f"/provider_data/{d.source.family if d.source is not None else FAMILY}/cache_control"
    if type(last) is dict and "cache_control" in last:
        del out["cache_control"]
        d.drop(path, "the cache mark would be that of the last block, which already has one")
    elif _ttl(out) == "1h" and any(_ttl(_owner(out, mark)) != "1h" for mark in d.marks):
        out["cache_control"] = {"type": "ephemeral"}
        d.drop(path + "/ttl", "a cache mark of one hour must not come after one of five minutes")


def _ttl(owner: Wire) -> Json:
    ttl: Json = value_at(owner, ("cache_control", "ttl"))
    return ttl


def _owner(out: Wire, mark: Mark) -> Wire:
    """The tool or block that has a mark."""
    owner: Any = out
    for token in mark.at.split("/")[1:]:
        owner = owner[int(token) if token.isdecimal() else token]
    found: Wire = owner
    return found


def _limit_marks(out: Wire, d: MessagesDump) -> None:
    """Drop marks beyond the number that the server accepts; the marks of tools and of the last messages stay."""
    if len(d.marks) <= _most(out):
        return
    room = max(_most(out) - sum(mark.exact for mark in d.marks), 0)
    counted = sorted((mark for mark in d.marks if not mark.exact), key=lambda mark: _MARK_ORDER[mark.at.split("/")[1]])
    for mark in counted[: max(len(counted) - room, 0)]:
        if _owner(out, mark).pop("cache_control", None) is not None:
            d.drop(
                mark.path + "/cache_control",
                f"a request must have at most {MOST_MARKS} cache marks: the first of them are left out",
            )


def _most(out: Wire) -> int:
    """The number of marks that blocks and tools may have: the mark of the request itself counts, too."""
    return MOST_MARKS - (out.get("cache_control") is not None)


_MARK_ORDER = {"system": 0, "messages": 1, "tools": 2}


# The marks that a request asks for


def dump_caching(caching: Caching, out: Wire, d: MessagesDump) -> None:
    """Set the cache marks that the request asks for, as many as the server accepts."""
    mark: Wire = {"type": "ephemeral"} | cache_time(d.by_rules(), caching.ttl, "/caching", *_TIMES)
    room = _most(out) - sum("cache_control" in block for block in _blocks(out))
    for holder, key in _wanted(caching, out):
        if isinstance(holder[key], str):
            holder[key] = [{"type": "text", "text": holder[key]}]
        last: Any = next((each for each in reversed(holder[key]) if key != "tools" or not each.get("defer_loading")), None)
        if room > 0 and last and _can_be_marked(last):
            last["cache_control"] = dict(mark)
            room -= 1


def _wanted(caching: Caching, out: Wire) -> Iterator[tuple[Wire, str]]:
    """The objects whose last item is to be marked, and the field of each that has the items."""
    for key in ("tools", "system"):
        if getattr(caching, key) and out.get(key):
            yield out, key
    if caching.messages:
        for message in out["messages"][-caching.messages :]:
            if isinstance(message.get("content"), str | list):
                yield message, "content"


def _blocks(out: Wire) -> Iterator[Wire]:
    """Everything that may have a mark: tools, system blocks, blocks of messages, and blocks in tool results."""
    yield from out.get("tools", ())
    holders = [{"content": out.get("system")}, *out["messages"]]
    while holders:
        content: Json = holders.pop().get("content")
        blocks: list[Wire] = [block for block in content if type(block) is dict] if type(content) is list else []
        yield from blocks
        holders += [block for block in blocks if block.get("type") == "tool_result"]
