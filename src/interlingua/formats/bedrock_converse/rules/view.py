"""The view of a body of Bedrock's Converse.

A block is an object whose only key says what it is. boto3's blobs are bytes, and text in the place of a blob is what it holds;
those of the HTTP API are base64 text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ....codec.rules.view import (
    Block,
    Call,
    Mark,
    Media,
    OutputSchema,
    Result,
    Text,
    Thought,
    ToolDefinition,
    Turn,
    View,
    object_of,
    objects,
)
from ....model.base import Json
from ..caching import INSIDE

_USUAL_ROLES = ("user", "assistant")
_MEDIA = ("image", "document", "video", "audio")


def view(body: dict[str, Any], *, sdk: bool = False, nova: bool = False) -> View:
    """The view of a request's body, or of the keywords of boto3's `converse`; texts of Nova may have cache points."""
    seen = View(body, tools(body), outputs(body))
    for at, tool in _tools(body):
        if isinstance(tool.get("cachePoint"), dict):
            _see_mark(tool, at, seen)
    for at, block in objects(body.get("system"), "/system"):
        _see_block(_see_mark_inside(block, at, seen) if nova else block, at, -1, seen, sdk=sdk)
    for at, message in objects(body.get("messages"), "/messages"):
        role = message.get("role")
        turn = Turn(at, role if isinstance(role, str) else None, message)
        seen.turns.append(turn)
        content: Json = message.get("content")
        if not content or role not in _USUAL_ROLES:
            seen.special.append(turn)
        for at_block, block in objects(content, f"{at}/content"):
            if not _is_usual_text(block):
                seen_block = _see_mark_inside(block, at_block, seen) if nova else block
                _see_block(seen_block, at_block, len(seen.turns) - 1, seen, sdk=sdk)
    return seen


view_of_nova = partial(view, nova=True)
"""The view of a request's body of Nova."""


def tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The tools of a body."""
    found: list[ToolDefinition] = []
    for at, tool in _tools(body):
        for key in ("toolSpec", "systemTool"):
            spec: Json = tool.get(key)
            if isinstance(spec, dict):
                found.append(_tool(spec, f"{at}/{key}"))
    return found


def outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schema of a structured answer in a body."""
    output = object_of(object_of(object_of(body.get("outputConfig"), "textFormat"), "structure"), "jsonSchema")
    at = "/outputConfig/textFormat/structure/jsonSchema/schema"
    return [OutputSchema(output["schema"], at, True)] if "schema" in output else []


def _is_usual_text(block: dict[str, Any]) -> bool:
    """Whether a block is only a text, of ASCII and not blank, which no rule refuses; most blocks are."""
    text = block.get("text")
    return len(block) == 1 and isinstance(text, str) and text.isascii() and not (not text or text.isspace())


def _see_text(text: str, at: str, turn: int, seen: View, *, in_result: bool = False) -> None:
    if not text or text.isspace():
        seen.blank.append(Text(at, text, turn, in_result))
    elif not text.isascii():
        seen.wide.append(Text(at, text, turn, in_result))


def _tools(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    return objects(object_of(body, "toolConfig").get("tools"), "/toolConfig/tools")


def _tool(spec: dict[str, Any], at: str) -> ToolDefinition:
    schema = object_of(spec, "inputSchema").get("json")
    strict = spec.get("strict") is True
    return ToolDefinition(at, spec.get("name"), f"{at}/name", schema, f"{at}/inputSchema/json", strict, spec)


def _see_block(block: dict[str, Any], at: str, turn: int, seen: View, *, sdk: bool) -> None:
    kind = kind_of(block)
    content: Json = block.get(kind)
    if kind == "text":
        if isinstance(content, str):
            _see_text(content, f"{at}/text", turn, seen)
    elif not isinstance(content, dict):
        seen.others.append(Block(at, turn, kind, block))
    elif kind == "toolUse" and content.get("type", "tool_use") == "tool_use":
        _see_call(content, f"{at}/toolUse", turn, seen)
    elif kind == "toolResult":
        _see_result(content, f"{at}/toolResult", turn, seen, sdk=sdk)
    elif kind in _MEDIA:
        _see_media(content, f"{at}/{kind}", turn, seen, kind=kind, sdk=sdk)
    elif kind == "reasoningContent" and isinstance(content.get("reasoningText"), dict):
        reasoning = content["reasoningText"]
        seen.thoughts.append(Thought(at, turn, reasoning.get("signature"), reasoning))
    else:
        if kind == "cachePoint":
            _see_mark(block, at, seen)
        seen.others.append(Block(at, turn, kind, block))


def _see_mark_inside(block: dict[str, Any], at: str, seen: View) -> dict[str, Any]:
    """The block of a text without the cache point inside it."""
    if block.keys() != INSIDE or not isinstance(block["cachePoint"], dict):
        return block
    _see_mark(block, at, seen)
    return {"text": block["text"]}


def kinds_of(turn: Turn) -> list[str]:
    """The types of the blocks of a message."""
    return [kind_of(block) for _, block in objects(turn.value.get("content"), "")]


def kind_of(block: Mapping[str, Any]) -> str:
    """The type of a block: its only key, or an empty text if it does not have exactly one."""
    return next(iter(block)) if len(block) == 1 else ""


def _see_call(call: dict[str, Any], at: str, turn: int, seen: View) -> None:
    seen.calls.append(
        Call(
            at,
            turn,
            call.get("toolUseId"),
            f"{at}/toolUseId",
            call.get("name"),
            f"{at}/name",
            call.get("input"),
            f"{at}/input",
        )
    )


def _see_result(result: dict[str, Any], at: str, turn: int, seen: View, *, sdk: bool) -> None:
    if result.get("type", "tool_result") != "tool_result":
        seen.others.append(Block(at, turn, "toolResult", result))
    else:
        content = result.get("content")
        failed = result.get("status") == "error"
        seen.results.append(Result(at, turn, result.get("toolUseId"), f"{at}/toolUseId", content=content, failed=failed))
    for at_block, block in objects(result.get("content"), f"{at}/content"):
        kind = kind_of(block)
        value: Json = block.get(kind)
        if kind == "text" and isinstance(value, str):
            _see_text(value, f"{at_block}/text", turn, seen, in_result=True)
        elif kind in _MEDIA and isinstance(value, dict):
            _see_media(value, f"{at_block}/{kind}", turn, seen, kind=kind, sdk=sdk, in_result=True)
        else:
            seen.others.append(Block(at_block, turn, kind, block))


def _see_media(media: dict[str, Any], at: str, turn: int, seen: View, *, kind: str, sdk: bool, in_result: bool = False) -> None:
    source = object_of(media, "source")
    data: Json = source.get("bytes")
    uri = object_of(source, "s3Location").get("uri")
    format = media.get("format")
    seen.media.append(
        Media(
            at,
            turn,
            kind,
            format if isinstance(format, str) else None,
            data if not sdk and isinstance(data, str) else None,
            uri if isinstance(uri, str) else None,
            in_result,
            _raw(data) if sdk else None,
            media,
        )
    )


def _raw(data: Json | bytes | bytearray | memoryview) -> bytes | None:
    if isinstance(data, str):
        return data.encode(errors="surrogatepass")
    return bytes(data) if isinstance(data, bytes | bytearray | memoryview) else None


def _see_mark(block: dict[str, Any], at: str, seen: View) -> None:
    ttl = object_of(block, "cachePoint").get("ttl")
    seen.marks.append(Mark(f"{at}/cachePoint", ttl if isinstance(ttl, str) else "5m", "cachePoint", block))
