"""Where the fields of a canonical request are in a Chat Completions request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, copy_wire, value_at
from ...codec.pointers import Kind, Locate, locator
from ...model.base import Json
from .base import STRUCTURED
from .beside import CALL_PLACES, FIELDS, TEXT_PLACES, is_signature
from .listed import leading_blocks
from .maps import FUNCTION_FIELDS, SCHEMA_FIELDS
from .server_tools import FIELD as SEARCH_FIELD
from .typed_media import TYPED_FIELDS

_SPAN = {"start": "url_citation/start_index", "end": "url_citation/end_index"}
_MARK = {"cache_control": ("prompt_cache_breakpoint", "cache_control", "copilot_cache_control")}

_locating = locator(
    {
        "request": Kind(
            names={
                "tools": ("tools", "functions"),
                "reasoning_effort": (
                    *("reasoning_effort", "reasoning/effort", "extra_body/google/thinking_config/thinking_level"),
                ),
                "reasoning_budget": (
                    *("reasoning/max_tokens", "reasoning/enabled", "thinking"),
                    *("chat_template_kwargs/enable_thinking", "enable_thinking", "thinking_budget"),
                    "thinking_token_budget",
                    "extra_body/google/thinking_config/thinking_budget",
                ),
                "max_tokens": ("max_completion_tokens", "max_tokens"),
                "tool_choice": ("tool_choice", "function_call"),
                "tool_choice/name": ("tool_choice/function/name", "tool_choice/custom/name", "function_call/name"),
                "tool_choice/allowed": "tool_choice/allowed_tools/tools",
                "response_format": ("response_format", f"{STRUCTURED}/json", "guided_json"),
                **{f"response_format/{name}": f"response_format/json_schema/{key}" for key, name in SCHEMA_FIELDS.items()},
                "response_format/json_schema": (
                    *(f"{STRUCTURED}/json", "guided_json", "response_format/schema", "response_format/value"),
                    "response_format/json_schema/schema",
                ),
            },
            owners={"messages": "message", "tools": "tool"},
        ),
        "tool": Kind(names={**{key: (key, f"custom/{key}", f"function/{key}") for key in FUNCTION_FIELDS}, **_MARK}),
        "message": Kind(
            names={
                "reasoning_content": ("reasoning_content", "reasoning", "thinking", "reasoning_text"),
                "thinking_blocks": ("thinking_blocks", "reasoning_details"),
                "tool_calls": ("tool_calls", "function_call"),
                "citations": "annotations",
                "signature": (*map("/".join, TEXT_PLACES.values()), "reasoning_details"),
                **_MARK,
            },
            owners={"content": "part", "tool_calls": "call", "thinking_blocks": "block", "citations": "citation"},
        ),
        "citation": Kind(names={key: f"url_citation/{key}" for key in ("url", "title", "cited_text")} | _SPAN),
        "block": Kind(names={"thinking": ("thinking", "text", "summary")}),
        "call": Kind(
            names={
                "name": ("name", "custom/name", "function/name"),
                "arguments": ("arguments", "custom/input", "function/arguments"),
                "signature": tuple(map("/".join, CALL_PLACES.values())),
                **_MARK,
            },
        ),
        "part": Kind(
            names={
                "source": (
                    *TYPED_FIELDS,
                    *("file/file_data", "file/file_id", "document_url", "input_audio", "file_id"),
                    *("video_url/url", "video_url", "audio_url/url", "audio_url", "source"),
                ),
                "filename": ("file/filename", "document_name", "title"),
                **_MARK,
            },
            owners={"image_url": "media", "input_audio": "media"},
        ),
    },
)

_BESIDE = re.compile("^(/messages/([0-9]+))/content/([0-9]+)/(citations|signature)")
_SIGNATURE = re.compile("/messages/([0-9]+)(?:/tool_calls/([0-9]+))?/signature")


def locating(wire: Wire) -> Locate:
    """Translate canonical pointers into pointers to the request; signatures and citations are in fields of the message."""
    locate = _locating(wire)

    def located(pointer: str) -> Sequence[str]:
        if "/citations" not in pointer and "/signature" not in pointer:
            return locate(pointer)
        if (beside := _BESIDE.match(pointer)) and value_at(_part_in(wire, beside), (beside[4],)) is None:
            pointer = f"{beside[1]}/{beside[4]}{pointer[beside.end() :]}"
        place = (found := _SIGNATURE.fullmatch(pointer)) and _among_details(wire["messages"][int(found[1])], found)
        return (place,) if place else locate(pointer)

    return located


def _part_in(wire: Wire, pointer: re.Match[str]) -> Json:
    """The part of the wire's content that a pointer is about; None if there is none."""
    content: Json = wire["messages"][int(pointer[2])].get("content")
    number = int(pointer[3])
    return content[number] if type(content) is list and number < len(content) else None


def _among_details(message: Wire, pointer: re.Match[str]) -> str | None:
    """The pointer to the entry of `reasoning_details` with the signature of a call or of the text."""
    id = None if pointer[2] is None else message["tool_calls"][int(pointer[2])].get("id")
    details: list[Any] = message.get("reasoning_details") or []
    places = [n for n, detail in enumerate(details) if is_signature(detail) and detail.get("id") == id]
    return f"/messages/{pointer[1]}/reasoning_details/{places[-1]}" if places else None


_MOVED = frozenset({"reasoning", "reasoning_text", "thinking", "reasoning_details", "function_call", *FIELDS})
"""Message fields whose parts or calls have another place in canonical form."""
_MOVED_BESIDE = frozenset({"functions", SEARCH_FIELD})
"""Request fields whose tools have another place in canonical form, or that become tools."""


def shape(wire: Wire) -> Wire | None:
    """A copy of a request, if parts, calls or tools have another place in canonical form; None otherwise."""
    is_same = _MOVED_BESIDE.isdisjoint(wire) and all(map(_MOVED.isdisjoint, wire["messages"]))
    return None if is_same else copy_wire(wire)


# Reasoning that the content begins with

_INSIDE = re.compile("/messages/([0-9]+)/(thinking_blocks|content)/([0-9]+)(/.*)?")


def locating_lists(wire: Wire) -> Locate:
    """`locating` for a host with reasoning in the content: there, a message's other parts come after its reasoning."""
    locate = locating(wire)

    def located(pointer: str) -> Sequence[str]:
        found = _INSIDE.fullmatch(pointer)
        if found is None:
            return locate(pointer)
        message = found[1]
        field = found[2]
        number = int(found[3])
        rest = found[4] or ""
        content: Json = wire["messages"][int(message)].get("content")
        if field == "content":
            number += _blocks_before(wire["messages"][int(message)])
        part: Json = content[number] if type(content) is list and number < len(content) else None
        if type(part) is not dict or type(part.get("thinking")) is not list:
            return locate(f"/messages/{message}/{field}/{number}{rest}")
        if rest == "/thinking" and len(part["thinking"]) == 1:
            rest += "/0/text"
        return _locating(wire)(f"/messages/{message}/content/{number}{rest}")

    return located


def shape_lists(wire: Wire) -> Wire | None:
    """`shape` for a host with reasoning in the content."""
    return copy_wire(wire) if any(map(_blocks_before, wire["messages"])) else shape(wire)


def _blocks_before(message: Wire) -> int:
    return len(leading_blocks(message.get("content"), "")) if message.get("role") == "assistant" else 0
