"""Which canonical messages could have been loaded from a Chat Completions host."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...codec.fields import Wire, spelling
from ...codec.media import Media, data_uri, read_data_uri
from ...codec.native import NativeTable, fields
from ...model.base import Json
from .base import FAMILY, own_fields
from .parts import PART_LOADERS, load_part
from .profiles import ChatProfile
from .reasoning import block_field, detail_issuer

KNOWN_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


@cache
def native_check(profile: ChatProfile) -> Callable[[Any], bool]:
    """The check for one profile: whether a same-format dump of a message loads as the message."""
    table = _table(profile)

    def is_native(message: Any) -> bool:
        if message.role == "opaque":
            return _is_unknown_message(message, profile)
        if message.role == "text" and not profile.text_role:
            return False
        return table.accepts(message) and (message.role != "assistant" or _has_own_fields(message, table, profile))

    return is_native


def _table(profile: ChatProfile) -> NativeTable:
    parts, messages = profile.cache is not None, profile.cache is not None and profile.message_cache
    said = fields("role content name", cache=messages)
    return NativeTable(
        family=FAMILY,
        messages={
            **dict.fromkeys(("system", "developer", "user"), said),
            "tool": said | {"tool_call_id"},
            "assistant": said | {"reasoning_content", "thinking_blocks", "refusal", "tool_calls"},
            "text": fields("role content"),
        },
        parts={
            "text": fields("type text", cache=parts),
            "image_url": fields("type image_url", cache=parts),
            "input_audio": fields("type input_audio", cache=parts),
            "file": fields("type source filename", cache=parts),
            "refusal": fields("type refusal", cache=parts),
            "thinking": fields("type thinking signature issuer", cache=parts),
            "redacted_thinking": fields("type data issuer", cache=parts),
            "opaque": frozenset({"type", "format", "value"}),
        },
        checks={
            "image_url": _has_own_image,
            "input_audio": _has_own_audio,
            "file": _has_own_source,
            "thinking": _signed_by_anthropic,
            "redacted_thinking": _made_by_anthropic,
            "opaque": _is_unknown_part,
        },
        nullable=frozenset({"assistant.content"}),
        # The role of an answer may be another word, which no field overwrites.
        wire_names={"role": "", "cache_control": profile.cache or ""},
    )


def _is_unknown_message(message: Any, profile: ChatProfile) -> bool:
    role = message.value.get("role")
    known = role in KNOWN_ROLES or (role == "text" and profile.text_role and type(message.value.get("content")) is str)
    return message.format == FAMILY and type(role) is str and not known


_MEDIA = NativeTable(family=FAMILY, messages={}, parts={})
_MEDIA_FIELDS = fields("url detail data format")


def _has_own_image(part: Any) -> bool:
    return _MEDIA.fits(part.image_url, _MEDIA_FIELDS, "media")


def _has_own_audio(part: Any) -> bool:
    return _MEDIA.fits(part.input_audio, _MEDIA_FIELDS, "media")


def _has_own_source(part: Any) -> bool:
    source = part.source
    if any(value is None for value in source.to_dict().values()):
        return False
    if source.type == "file_id":
        return bool(source.issuer == FAMILY)
    if source.type == "url":
        return source.url.startswith(("http:", "https:", "data:")) and read_data_uri(source.url) is None
    if source.type != "base64":
        return False
    if source.media_type is None:
        return not source.data.startswith(("http:", "https:", "data:"))
    media = Media(source.media_type, source.data)
    return read_data_uri(data_uri(media)) == media


def _signed_by_anthropic(part: Any) -> bool:
    return bool(part.issuer == (None if part.signature is None else "anthropic"))


def _made_by_anthropic(part: Any) -> bool:
    return bool(part.issuer == "anthropic")


def _is_unknown_part(part: Any) -> bool:
    wire: Wire = part.value
    kind: Json = wire.get("type")
    if part.format != FAMILY or type(kind) is not str or kind in ("text", "image_url", "refusal"):
        return False
    if kind == "file":
        file: Json = wire.get("file")
        return type(file) is dict and file.get("file_data") is None and file.get("file_id") is None
    if kind == "input_audio":
        return "input_audio" in wire and type(wire["input_audio"]) is not dict
    return kind not in PART_LOADERS or load_part(wire, ChatProfile())["type"] == "opaque"


# Assistant messages


def _has_own_fields(message: Any, table: NativeTable, profile: ChatProfile) -> bool:
    if not all(map(_is_own_call, message.tool_calls or ())):
        return False
    if not message.thinking_blocks:
        return True
    if block_field(spelling(message, "thinking"), profile) == "thinking_blocks":
        return all(block.cache_control is None and table.accepts_part(block) for block in message.thinking_blocks)
    return all(map(_is_own_detail, message.thinking_blocks))


_CALL_FIELDS = fields("id name arguments custom")


def _is_own_call(call: Any) -> bool:
    return _MEDIA.fits(call, _CALL_FIELDS, "call") and call.custom is not False


def _is_own_detail(block: Any) -> bool:
    """Whether a block of reasoning is what one of `reasoning_details` becomes."""
    issuer = detail_issuer(spelling(block, "format") or own_fields(block).get("format"))
    if block.type == "redacted_thinking":
        return bool(block.issuer == issuer)
    if block.summary:
        return block.signature is None and block.issuer is None
    return block.summary is None and bool(block.issuer == (None if block.signature is None else issuer))
