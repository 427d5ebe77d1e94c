"""Which canonical messages could have been loaded from Anthropic Messages."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Content, Wire
from ...codec.native import NativeTable, all_of, is_usual_source, settable
from ...model.base import Json
from .base import FAMILY
from .blocks import LOADERS, RESULT_TYPES
from .media import SOURCES


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from this format."""
    if message.role == "opaque":
        return message.format == FAMILY and _is_unknown_message(message.value)
    if type(message.content) not in (str, tuple):
        return False
    # A leading system message cannot have provider data.
    lifted = message.role == "system" and message.provider_data is not None
    has_place = None if lifted else True
    return all_of((TABLE.accepts(message), has_place))


def _has_own_source(part: Any) -> bool:
    source = part.source
    if not is_usual_source(source):
        return False
    if source.type == "file_id":
        return bool(source.issuer == FAMILY)
    return source.type == "url" or (source.media_type is not None and bool(source.type == "base64" or part.type == "file"))


def _has_own_content(part: Any) -> bool | None:
    content: Content = part.content
    if part.tool_use_id is None:
        return False
    return all_of(map(_is_result_block, content if isinstance(content, tuple) else ()))


def _is_result_block(block: Any) -> bool | None:
    if block.type == "opaque":
        return block.format == FAMILY and (block.value.get("type") not in RESULT_TYPES or _is_unknown_block(block))
    return TABLE.accepts_part(block) if block.type in ("text", "image", "file") else False


def _is_unknown_message(wire: Wire) -> bool:
    role = wire.get("role")
    known = role in ("user", "assistant") or (role == "system" and wire.get("content") is not None)
    return type(role) is str and not known


def _is_unknown_block(part: Any) -> bool | None:
    """Whether a block is kept whole; for a type that requests have and answers do not, only a round trip shows it."""
    kind: Json = part.value.get("type")
    source: Json = part.value.get("source")
    if part.format != FAMILY or type(kind) is not str:
        return False
    unread = kind in SOURCES and type(source) is dict and source.get("type") not in SOURCES[kind]
    return True if unread or kind not in LOADERS else None


TABLE = NativeTable(
    family=FAMILY,
    messages={role: settable("role content") for role in ("user", "assistant", "system")},
    parts={
        "text": settable("type text citations", cache=True),
        "image": settable("type source", cache=True),
        "file": settable("type source filename", cache=True),
        "thinking": settable("type thinking signature issuer"),
        "redacted_thinking": settable("type data issuer"),
        "tool_use": settable("type id name input", cache=True),
        "tool_result": settable("type tool_use_id content is_error", cache=True),
        "opaque": frozenset({"type", "format", "value"}),
    },
    checks={
        "text": lambda part: None if part.citations else True,
        "image": _has_own_source,
        "file": _has_own_source,
        "thinking": lambda part: part.issuer == (None if part.signature is None else FAMILY),
        "redacted_thinking": lambda part: part.issuer == FAMILY,
        "tool_use": lambda part: part.id is not None,
        "tool_result": _has_own_content,
        "opaque": _is_unknown_block,
    },
    nullable=frozenset({"text.citations", "tool_result.content"}),
    keys={"file": frozenset({"type", "source", "title", "cache_control"})},
)
