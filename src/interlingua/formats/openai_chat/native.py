"""Which canonical messages could have been loaded from a Chat Completions host."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...codec.fields import Content, Wire, spelling
from ...codec.native import NativeTable, all_of, settable
from ...model.base import Json, exact_object
from .base import CACHE_FIELDS, FAMILY, own_fields, to_json
from .media_urls import BY_URL
from .parts import FLAT_LOADERS, PART_LOADERS
from .profiles import REASONING_TEXTS, ChatProfile
from .reasoning import block_field
from .source_parts import LOADERS, has_source

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_CALL_FIELDS = settable("id name arguments custom signature issuer", cache=True)
_BESIDE = frozenset({"signature", "issuer", "citations"})
"""Fields of a text or a call that the wire has in fields of the message; only a round trip shows whether it can."""
_BESIDE_CALLS = _BESIDE | {"cache_control"}
"""The same for a call, whose cache mark only some hosts take."""
_MEDIA_FIELDS = settable("url detail data format")


def is_native(message: Any, profile: ChatProfile) -> bool | None:
    """Whether a message could have been loaded from a host of this profile; None if that is uncertain."""
    if message.role == "opaque":
        return _is_unknown_message(message, profile)
    if message.role == "text" and not profile.text_role:
        return False
    table = _TYPED_TABLE if profile.typed_media else _FLAT_TABLE if profile.flat_media else _TABLE
    verdict = table.accepts(message) if _marks_have_fields(message, profile) else False
    if message.role != "assistant" or verdict is False:
        return verdict
    blocks = True if message.thinking_blocks is None else _blocks(message, profile)
    calls = (all_of((_call(call), _has_own_arguments(call, profile))) for call in message.tool_calls or ())
    # Content that was no list on the wire is written so again, and only what is in other fields makes it a part again.
    was_text = True if spelling(message, "content") is None else None
    return all_of((verdict, _has_usual_role(message), blocks, was_text, *calls))


def _marks_have_fields(message: Any, profile: ChatProfile) -> bool:
    """Whether the host has a field for each cache mark of a message, or the mark was loaded from another field."""
    content: Content = message.content if profile.cache is None else None
    owners = () if profile.cache and profile.message_cache else (message,)
    owners += content if isinstance(content, tuple) else ()
    return all(owner.cache_control is None or spelling(owner, "cache") in CACHE_FIELDS for owner in owners)


def _is_unknown_message(message: Any, profile: ChatProfile) -> bool:
    role = message.value.get("role")
    known = role in ROLES or (role == "text" and profile.text_role and type(message.value.get("content")) is str)
    return message.format == FAMILY and type(role) is str and not known


def _is_unknown_part(part: Any) -> bool | None:
    """Whether a part is kept verbatim as its type is unknown; None for a known type, whose body may be unreadable."""
    wire: Wire = part.value
    kind: Json = wire.get("type")
    if part.format == FAMILY and "type" not in wire:
        return None
    if part.format != FAMILY or type(kind) is not str:
        return False
    return None if kind in PART_LOADERS or kind in FLAT_LOADERS or kind in BY_URL or kind in LOADERS else True


def _has_own_media(part: Any) -> bool | None:
    if spelling(part, "place") is not None:
        return None  # an image of an answer, which comes back after the text
    return NativeTable(FAMILY, {}, {}).fits(getattr(part, part.type), _MEDIA_FIELDS, "media")


# Assistant messages


def _has_usual_role(message: Any) -> bool:
    """Whether the role is the usual one; in an answer, provider data may name another."""
    has_other = message.provider_data is not None and "role" in own_fields(message)
    return not has_other or bool(message.wire is not None and message.wire.response)


def _call(call: Any) -> bool | None:
    if call.custom is False:
        return False
    # Provider data may be inside the function, where the loader reads as well.
    in_doubt = call.custom or call.provider_data is not None or not _BESIDE_CALLS.isdisjoint(call.model_fields_set)
    verdict = _TABLE.fits(call, _CALL_FIELDS, "call")
    return None if in_doubt and verdict else verdict


def _has_own_arguments(call: Any, profile: ChatProfile) -> bool | None:
    """Whether arguments that are written as an object are loaded again as they are; None if only a round trip shows it."""
    if profile.arguments == "text" or call.custom or spelling(call, "arguments") == "text":
        return True
    value = exact_object(call.arguments)
    # A legacy `function_call` keeps them as text: only a round trip shows it.
    return True if value is None or to_json(value) == call.arguments else None


def _blocks(message: Any, profile: ChatProfile) -> bool | None:
    if block_field(spelling(message, "thinking"), profile) in ("reasoning_details", "content"):
        return None
    return all_of(_TABLE.accepts_part(block) if "cache_control" not in block else False for block in message.thinking_blocks)


_MESSAGE = settable("role content name", cache=True)
_ASSISTANT = (*REASONING_TEXTS, *"thinking thinking_blocks reasoning_details refusal tool_calls function_call".split())
_TABLE = NativeTable(
    family=FAMILY,
    messages={
        **dict.fromkeys(("system", "developer", "user"), _MESSAGE),
        "tool": _MESSAGE | {"tool_call_id"},
        "assistant": _MESSAGE | {"reasoning_content", "thinking_blocks", "refusal", "tool_calls"},
        "text": settable("role content"),
    },
    parts={
        "text": settable("type text signature issuer citations", cache=True),
        "image": settable("type source", cache=True),
        "image_url": settable("type image_url", cache=True),
        "input_audio": settable("type input_audio", cache=True),
        "file": settable("type source filename", cache=True),
        "video": settable("type source", cache=True),
        "audio": settable("type source", cache=True),
        "refusal": settable("type refusal", cache=True),
        "thinking": settable("type thinking signature issuer", cache=True),
        "redacted_thinking": settable("type data issuer", cache=True),
        "opaque": frozenset({"type", "format", "value"}),
    },
    checks={
        "text": lambda part: True if _BESIDE.isdisjoint(part.model_fields_set) else None,
        "image": lambda part: None if has_source(part) else False,
        "image_url": _has_own_media,
        "input_audio": _has_own_media,
        **dict.fromkeys(("file", "video", "audio"), lambda _: None),  # only a round trip shows how the wire would spell it
        "thinking": lambda part: part.issuer == (None if part.signature is None else "anthropic"),
        "redacted_thinking": lambda part: part.issuer == "anthropic",
        "opaque": _is_unknown_part,
    },
    nullable=frozenset({"assistant.content"}),
    keys={
        "assistant": frozenset({"content", "name", *_ASSISTANT, *CACHE_FIELDS}),
        "file": frozenset({"type", "file", *CACHE_FIELDS}),
        "call": frozenset({"id", "type", "name", "arguments", "function", "custom", *CACHE_FIELDS}),
    },
    marks=CACHE_FIELDS,
)


def _unknown(_: Any) -> None:
    """Only a round trip shows how the wire would spell it."""


_FLAT_TABLE = replace(
    _TABLE,
    parts={**_TABLE.parts, "audio": settable("type source")},
    checks={**_TABLE.checks, "audio": _unknown, "input_audio": _unknown, "thinking": _unknown},
)
"""The table for hosts whose media are flat."""

_IN_DOUBT = dict.fromkeys(("image", "audio", "video"), _unknown)
_TYPED_TABLE = replace(
    _TABLE, parts={**_TABLE.parts, **dict.fromkeys(_IN_DOUBT, settable("type source"))}, checks={**_TABLE.checks, **_IN_DOUBT}
)
"""The table for hosts whose media are beside their type."""
