"""Which canonical messages could have been loaded from a Chat Completions host."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ...codec.fields import Content, Wire, spelling
from ...codec.media import Media, data_uri, read_data_uri
from ...codec.native import NativeTable, both, fields, is_usual_source
from ...model.base import Json
from .base import CACHE_FIELDS, FAMILY
from .parts import PART_LOADERS
from .profiles import ChatProfile
from .reasoning import block_field, detail_issuer

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_CALL_FIELDS = fields("id name arguments custom")
_MEDIA_FIELDS = fields("url detail data format")
_BLOCK_FIELDS = fields("type thinking data signature issuer summary")


@cache
def native_check(profile: ChatProfile) -> Callable[[Any], bool | None]:
    """The check for one profile: whether a message could have been loaded from such a host; None where in doubt."""
    table = _table(profile)

    def native(message: Any) -> bool | None:
        if message.role == "opaque":
            return _is_unknown_message(message, profile)
        if message.role == "text" and not profile.text_role:
            return False
        verdict = table.accepts(message) if _marks_have_fields(message, profile) else False
        if message.role == "assistant" and verdict is not False:
            for part in (_role, _calls, _blocks):
                verdict = both(verdict, part(message, table, profile))
        return verdict

    return native


def _marks_have_fields(message: Any, profile: ChatProfile) -> bool:
    """Whether all cache marks of a message have a field: the host's, or the one that they were loaded from."""
    content: Content = message.content if profile.cache is None else None
    owners = () if profile.cache and profile.message_cache else (message,)
    owners += content if isinstance(content, tuple) else ()
    return all(owner.cache_control is None or spelling(owner, "cache") in CACHE_FIELDS for owner in owners)


def _table(profile: ChatProfile) -> NativeTable:
    said = fields("role content name", cache=True)
    assistant = "reasoning_content reasoning thinking_blocks reasoning_details refusal tool_calls function_call".split()
    return NativeTable(
        family=FAMILY,
        messages={
            **dict.fromkeys(("system", "developer", "user"), said),
            "tool": said | {"tool_call_id"},
            "assistant": said | {"reasoning_content", "thinking_blocks", "refusal", "tool_calls"},
            "text": fields("role content"),
        },
        parts={
            "text": fields("type text", cache=True),
            "image_url": fields("type image_url", cache=True),
            "input_audio": fields("type input_audio", cache=True),
            "file": fields("type source filename", cache=True),
            "refusal": fields("type refusal", cache=True),
            "thinking": fields("type thinking signature issuer", cache=True),
            "redacted_thinking": fields("type data issuer", cache=True),
            "opaque": frozenset({"type", "format", "value"}),
        },
        checks={
            "image_url": _has_own_media,
            "input_audio": _has_own_media,
            "file": _has_own_source,
            "thinking": _signed_by_anthropic,
            "redacted_thinking": _made_by_anthropic,
            "opaque": _is_unknown_part,
        },
        nullable=frozenset({"assistant.content"}),
        keys={
            **{role: frozenset({"role", "content", "name", *CACHE_FIELDS}) for role in ("system", "developer", "user", "text")},
            "tool": frozenset({"role", "content", "name", "tool_call_id", *CACHE_FIELDS}),
            "assistant": frozenset({"content", "name", *assistant, *CACHE_FIELDS}),
            **{
                kind: frozenset({"type", kind, *CACHE_FIELDS})
                for kind in ("text", "image_url", "input_audio", "file", "refusal")
            },
            "thinking": frozenset({"type", "thinking", "signature", *CACHE_FIELDS}),
            "redacted_thinking": frozenset({"type", "data", *CACHE_FIELDS}),
        },
    )


_MEDIA = NativeTable(
    family=FAMILY, messages={}, parts={}, keys={"call": frozenset({"id", "type", "name", "arguments", "function", "custom"})}
)


def _is_unknown_message(message: Any, profile: ChatProfile) -> bool:
    role = message.value.get("role")
    known = role in _ROLES or (role == "text" and profile.text_role and type(message.value.get("content")) is str)
    return message.format == FAMILY and type(role) is str and not known


def _is_unknown_part(part: Any) -> bool | None:
    """Whether the part is kept verbatim; a known kind is where its body cannot be read."""
    wire: Wire = part.value
    kind: Json = wire.get("type")
    if part.format != FAMILY or type(kind) is not str:
        return False
    return None if kind in PART_LOADERS else True


def _has_own_source(part: Any) -> bool:
    source = part.source
    if not is_usual_source(source):
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


def _has_own_media(part: Any) -> bool | None:
    return _MEDIA.fits(getattr(part, part.type), _MEDIA_FIELDS, "media")


def _made_by_anthropic(part: Any) -> bool:
    return bool(part.issuer == "anthropic")


def _signed_by_anthropic(part: Any) -> bool:
    return bool(part.issuer == (None if part.signature is None else "anthropic"))


# Assistant messages


def _role(message: Any, table: NativeTable, profile: ChatProfile) -> bool:
    """Whether the role is the usual one; only an answer may have another, in its provider data."""
    overlays: Wire = message.provider_data or {}
    return "role" not in overlays.get(FAMILY, {}) or bool(message.wire is not None and message.wire.response)


def _calls(message: Any, table: NativeTable, profile: ChatProfile) -> bool | None:
    verdict: bool | None = True
    for call in message.tool_calls or ():
        verdict = both(verdict, _MEDIA.fits(call, _CALL_FIELDS, "call"))
        if call.custom is not None:
            verdict = both(verdict, None if call.custom else False)
        if call.provider_data is not None and (spelling(call, "call") or profile.tool_calls) == "flat":
            verdict = both(verdict, None)  # what a nested call held has no place in a flat one
    return verdict


def _blocks(message: Any, table: NativeTable, profile: ChatProfile) -> bool | None:
    verdict: bool | None = True
    anthropic = block_field(spelling(message, "thinking"), profile) == "thinking_blocks"
    for block in message.thinking_blocks or ():
        verdict = both(verdict, _block(block, table) if anthropic else _detail(block))
    return verdict


def _block(block: Any, table: NativeTable) -> bool | None:
    return table.accepts_part(block) if "cache_control" not in block else False


def _detail(block: Any) -> bool | None:
    """Whether a block of reasoning is what one of `reasoning_details` becomes."""
    verdict = _MEDIA.fits(block, _BLOCK_FIELDS, "block")
    overlays: Wire = block.provider_data or {}
    own: Wire = overlays.get(FAMILY, {})
    issuer = detail_issuer(spelling(block, "format") or own.get("format"))
    if block.type == "redacted_thinking":
        return both(verdict, bool(block.issuer == issuer))
    if block.summary:
        return both(verdict, block.signature is None and block.issuer is None)
    return both(verdict, block.summary is None and bool(block.issuer == (None if block.signature is None else issuer)))
