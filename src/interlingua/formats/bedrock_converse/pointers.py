"""Where the fields of a canonical request are in a Converse request, with its cache points."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...codec.fields import Wire, copy_wire, value_at
from ...codec.pointers import Items, Kind, Locate, locator
from ...model.base import Json
from .base import FAMILY
from .caching import is_marked_text, owners_in
from .citations import bare_citations, is_text_alone
from .maps import INFERENCE
from .media import TYPES

_MORE = "additionalModelRequestFields"
_FORM = "outputConfig/textFormat"
_REASONING = "reasoningContent/reasoningText"
_REQUEST: dict[str, Any] = {name: f"inferenceConfig/{key}" for key, name in INFERENCE.items()} | {
    "model": "modelId",
    "tools": "toolConfig/tools",
    "tool_choice": "toolConfig/toolChoice",
    "tool_choice/name": "toolConfig/toolChoice/tool/name",
    "top_k": f"{_MORE}/top_k",
    "reasoning_budget": (f"{_MORE}/thinking", f"{_MORE}/reasoning_config"),
    "reasoning_effort": ("outputConfig/effort", f"{_MORE}/reasoning_effort"),
    "response_format": _FORM,
    "response_format/json_schema": f"{_FORM}/structure/jsonSchema/schema",
    **{f"response_format/{key}": f"{_FORM}/structure/jsonSchema/{key}" for key in ("name", "description")},
    "metadata": "requestMetadata",
}
_SAME = ("model", "tools", "tool_choice", "tool_choice/name", "temperature", "stop")
_NOVA: dict[str, Any] = {name: _REQUEST[name] for name in _SAME} | {
    "max_tokens": ("inferenceConfig/maxTokens", "inferenceConfig/max_new_tokens"),
    "top_p": ("inferenceConfig/topP", "inferenceConfig/top_p"),
    "top_k": ("inferenceConfig/topK", "inferenceConfig/top_k"),
    "reasoning_budget": "inferenceConfig/reasoningConfig",
    "reasoning_effort": "inferenceConfig/reasoningConfig/maxReasoningEffort",
}
"""The names of settings in Nova's bodies."""
_PART: dict[str, Any] = {
    "text": ("text", "citationsContent/content", "guardContent/text/text"),
    "citations": "citationsContent/citations",
    "thinking": f"{_REASONING}/text",
    "signature": f"{_REASONING}/signature",
    "data": "reasoningContent/redactedContent",
    "source": tuple(f"{kind}/source" for kind in TYPES),
    "source/media_type": tuple(f"{kind}/format" for kind in TYPES),
    "filename": "document/name",
    "id": "toolUse/toolUseId",
    "name": "toolUse/name",
    "input": "toolUse/input",
    "tool_use_id": "toolResult/toolUseId",
    "is_error": "toolResult/status",
    "content": "toolResult/content",
}
for _name, _key in (("data", "bytes"), ("text", "text"), ("file_id", "s3Location/uri")):
    _PART[f"source/{_name}"] = tuple(f"{kind}/source/{_key}" for kind in TYPES)
_TOOL = {key: f"toolSpec/{key}" for key in ("name", "description", "strict")} | {"parameters": "toolSpec/inputSchema/json"}


def _blocks(holder: Json) -> Items:
    """The blocks of a message, or of the system text, without the cache points."""
    blocks: Json = holder.get("content") if type(holder) is dict else holder
    under = "content/" if type(holder) is dict else ""
    return [(f"{under}{i}", blocks[i]) for i in owners_in(blocks)] if type(blocks) is list else []


def _tools(wire: Wire) -> Items:
    tools: list[Json] = wire["toolConfig"]["tools"]
    return [(f"toolConfig/tools/{i}", tools[i]) for i in owners_in(tools, tools=True)]


def _locator(names: dict[str, Any]) -> Callable[[Wire], Locate]:
    """Return the `locating` for requests whose fields have these names."""
    return locator(
        {
            "request": Kind(names, {"messages": "message", "tools": "tool"}, {"tools": _tools}, {"messages": "system"}),
            "message": Kind(owners={"content": "part"}, items={"content": _blocks}),
            "tool": Kind(_TOOL),
            "part": Kind(_PART, {"content": "part", "citations": "citation"}),
            "citation": Kind({"cited_text": "sourceContent"}),
        },
    )


_locating = _locator(_REQUEST)
_locating_of_nova = _locator(_NOVA)
_CITED = re.compile(r"(/messages/\d+/content/\d+)/citations(?:/(\d+)(.*))?").fullmatch
_MARK = re.compile(r"(/tools/\d+|/messages/\d+/content/\d+)/cache_control(.*)").fullmatch


class _Behind(NamedTuple):
    """Pointers to what follows a block or tool and belongs to it."""

    lists: list[str]
    """The lists of citations in blocks of their own."""
    citations: list[str]
    """Each of these citations."""
    point: str
    """The item behind these blocks, which is the cache point of a marked block or tool."""


def locating(wire: Wire, *, nova: bool = False) -> Locate:
    """Translate canonical pointers into pointers to the request; the mark of a block or tool is the cache point after it."""
    # An empty text is not a message.
    shown = {key: value for key, value in wire.items() if key != "system" or value}
    locate = _locating_of_nova(shown) if nova else _locating(shown)
    known: dict[str, _Behind] = {}

    def behind(owner: str) -> _Behind:
        if owner not in known:
            known[owner] = _behind(owner, wire)
        return known[owner]

    def located(pointer: str) -> Sequence[str]:
        if (match := _MARK(pointer)) is not None:
            owner = locate(match[1])[0]
            is_inside = is_marked_text(_at(owner, wire))
            return ((owner if is_inside else behind(owner).point) + f"/cachePoint{match[2]}",)
        cited = _CITED(pointer)
        found = None if cited is None else behind(locate(cited[1])[0])
        if cited is None or found is None or not found.lists:
            return locate(pointer)
        return found.lists if cited[2] is None else (found.citations[int(cited[2])] + _field(cited[3]),)

    return located


def _behind(owner: str, wire: Wire) -> _Behind:
    """What follows the block or tool at this pointer and belongs to it."""
    holder, _, index = owner.rpartition("/")
    blocks: list[Json] = _at(holder, wire)
    end = int(index) + 1
    lists: list[str] = []
    citations: list[str] = []
    while end < len(blocks) and is_text_alone(blocks[int(index)]) and (count := len(bare_citations(blocks[end]))):
        at = f"{holder}/{end}/citationsContent/citations"
        lists.append(at)
        citations += [f"{at}/{i}" for i in range(count)]
        end += 1
    return _Behind(lists, citations, f"{holder}/{end}")


def _field(rest: str) -> str:
    """The rest of a pointer into a citation, with the wire's names."""
    return rest.removeprefix(f"/provider_data/{FAMILY}").replace("/cited_text", "/sourceContent", 1)


def _at(pointer: str, wire: Wire) -> Any:
    """The block or tool to which a pointer points."""
    found: Any = wire
    for token in pointer.split("/")[1:]:
        key: Any = int(token) if found.__class__ is list else token
        found = found[key]
    return found


def shape(wire: Wire) -> Wire:
    """A copy of the messages and the system text, and of what tells tools from the cache points among them."""
    out: Wire = {key: copy_wire(wire[key]) for key in ("messages", "system") if key in wire}
    tools: list[Wire] | None = value_at(wire, ("toolConfig", "tools"))
    if tools:
        out["toolConfig"] = {"tools": [copy_wire(tool) if "cachePoint" in tool else dict.fromkeys(tool) for tool in tools]}
    return out
