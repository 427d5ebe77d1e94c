"""Which canonical messages could have been loaded from Converse."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Content, Wire, spelling
from ...codec.native import NativeTable, all_of, settable
from .base import FAMILY
from .blobs import is_base64
from .blocks import LOADERS, RESULT_KEYS
from .media import INVENTED, TYPES
from .messages import ROLES


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from this format."""
    if message.role == "opaque":
        role = message.value.get("role")
        return bool(message.format == FAMILY and type(role) is str and role not in ROLES)
    content: Content = message.content
    if not isinstance(content, tuple):
        return False
    # A leading system message is the system text, which cannot have provider data, nor blocks that only messages have.
    lifted = message.role == "system" and spelling(message, "system") != "message"
    has_place = None if lifted and (message.provider_data or not content) else True
    return all_of((TABLE.accepts(message), has_place))


def _has_own_source(part: Any) -> bool:
    source = part.source
    kind = "document" if part.type == "file" else part.type
    if kind == "document" and part.filename is not None and INVENTED(part.filename):
        return False
    if None in source.to_dict().values() or source.media_type not in (None, *TYPES[kind].values()):
        return False
    if source.type == "file_id":
        return bool(source.issuer == FAMILY)
    return source.type == "base64" or (source.type == "text" and kind == "document")


def _has_own_data(part: Any) -> bool | None:
    if part.issuer != FAMILY:
        return False
    return True if is_base64(part.data) else None  # boto3 cannot accept it


def _has_own_content(part: Any) -> bool | None:
    content: Content = part.content
    if part.tool_use_id is None or not isinstance(content, tuple):
        return False
    return all_of(map(_is_result_block, content))


def _is_result_block(block: Any) -> bool | None:
    if "cache_control" in block:
        return False
    if block.type == "json":
        return bool(block.model_fields_set <= {"type", "value", "wire"})
    if block.type == "opaque":
        return None if block.value.keys() & RESULT_KEYS else _is_unknown_block(block)
    return TABLE.accepts_part(block) if block.type in ("text", "image", "file", "video") else False


def _is_unknown_block(part: Any) -> bool | None:
    wire: Wire = part.value
    if part.format != FAMILY or part.provider_data is not None:
        return False
    return True if wire.keys().isdisjoint((*LOADERS, "text", "cachePoint")) else None


TABLE = NativeTable(
    family=FAMILY,
    messages={role: settable("role content") for role in ROLES},
    parts={
        "text": settable("type text citations", cache=True),
        **dict.fromkeys(("image", "video", "audio"), settable("type source", cache=True)),
        "file": settable("type source filename", cache=True),
        "thinking": settable("type thinking signature issuer", cache=True),
        "redacted_thinking": settable("type data issuer", cache=True),
        "tool_use": settable("type id name input", cache=True),
        "tool_result": settable("type tool_use_id content is_error", cache=True),
        "opaque": settable("type format value", cache=True),
    },
    checks={
        "text": lambda part: None if part.citations is not None else True,
        **dict.fromkeys(("image", "file", "video", "audio"), _has_own_source),
        "thinking": lambda part: part.issuer == (None if part.signature is None else FAMILY),
        "redacted_thinking": _has_own_data,
        "tool_use": lambda part: part.id is not None,
        "tool_result": _has_own_content,
        "opaque": _is_unknown_block,
    },
    nested=True,
)
