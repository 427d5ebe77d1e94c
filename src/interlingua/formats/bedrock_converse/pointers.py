"""What the fields of a canonical request are called in a Converse request, and where its owners stand among cache points."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.pointers import Kind, Locate, lifted, pointers
from ...model.base import Json
from .caching import owners_in
from .maps import INFERENCE
from .media import TYPES

_MORE, _FORM, _REASONING = "additionalModelRequestFields", "outputConfig/textFormat", "reasoningContent/reasoningText"
_REQUEST: dict[str, Any] = {name: f"inferenceConfig/{key}" for key, name in INFERENCE.items()} | {
    "model": "modelId",
    "tools": "toolConfig/tools",
    "tool_choice": "toolConfig/toolChoice",
    "top_k": f"{_MORE}/top_k",
    "reasoning_budget": (f"{_MORE}/thinking", f"{_MORE}/reasoning_config"),
    "reasoning_effort": ("outputConfig/effort", f"{_MORE}/reasoning_effort"),
    "response_format": _FORM,
    "response_format/json_schema": f"{_FORM}/structure/jsonSchema/schema",
    "metadata": "requestMetadata",
}
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
_locating = pointers(
    {
        "request": Kind(_REQUEST, {"messages": "message", "tools": "tool"}, {"messages": lifted("system")}),
        "message": Kind(owners={"content": "part"}),
        "tool": Kind(_TOOL),
        "part": Kind(_PART, {"content": "part", "citations": "citation"}),
        "citation": Kind({"cited_text": "sourceContent"}),
    },
)


def locating(wire: Wire) -> Locate:
    """Where the wire has what pointers point at; cache points are left out once, and counted again in each pointer."""
    shifts, plain = _shifts(wire), dict(wire)
    if wire.get("system") == []:
        del plain["system"]  # which is no message
    for at, kept in shifts.items():
        _, field, index, *_ = [*at.split("/"), ""]
        if field == "system":
            plain[field] = [wire[field][i] for i in kept]
        elif field == "toolConfig":
            plain[field] = {**wire[field], "tools": [wire[field]["tools"][i] for i in kept]}
        else:
            if plain[field] is wire[field]:
                plain[field] = wire[field].copy()
            message = wire[field][int(index)]
            plain[field][int(index)] = {**message, "content": [message["content"][i] for i in kept]}
    locate = _locating(plain)
    return lambda pointer: [_shifted(shifts, at) for at in locate(pointer)]


def _shifted(shifts: dict[str, list[int]], pointer: str) -> str:
    """A pointer among owners as one among owners and cache points."""
    tokens = pointer.split("/") if shifts else []
    for depth in (2, 3, 4):
        kept = shifts.get("/".join(tokens[:depth]), ()) if len(tokens) > depth else ()
        if kept and tokens[depth].isdecimal():
            at = kept[int(tokens[depth])]
            if tokens[depth + 1 : depth + 2] == ["cache_control"]:
                at, tokens[depth + 1] = at + 1, "cachePoint"
            tokens[depth] = str(at)
            return "/".join(tokens)
    return pointer


def _shifts(wire: Wire) -> dict[str, list[int]]:
    """Of each list with cache points that mark owners: which of its items are the owners."""
    messages: Json = wire.get("messages")
    config: Json = wire.get("toolConfig")
    lists: dict[str, Json] = {"/system": wire.get("system")}
    message: Json
    for i, message in enumerate(messages if type(messages) is list else ()):
        lists[f"/messages/{i}/content"] = message.get("content") if type(message) is dict else None
    if type(config) is dict:
        lists["/toolConfig/tools"] = config.get("tools")
    return {
        at: owners_in(held, tools=at == "/toolConfig/tools")
        for at, held in lists.items()
        if type(held) is list and any(type(item) is dict and "cachePoint" in item for item in held)
    }
