"""Which canonical messages could have been loaded from the Interactions API."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Content, Wire, spelling
from ...codec.native import NativeTable, settable
from ...model.base import Json
from ..gemini.media import source_at
from .base import FAMILY, ISSUER
from .parts import PART_FIELDS, PART_LOADERS
from .steps import is_model_step
from .wire import CONTENT_TYPES, STEP_TYPES, is_turn

_SINGLE = frozenset({"thinking", "tool_use"})
"""The types of parts that are each a step of the model."""


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from this format; None if only a round trip can show that."""
    role: str = message.role
    if role == "opaque":
        wire: Wire = message.value
        given = ("user_input", "function_result", *CONTENT_TYPES)  # without a step around it, content would be the user's
        known = wire.get("type") in given or is_turn(wire) or is_model_step(wire)
        return message.format == FAMILY and not known
    content: Content = message.content
    word = spelling(message, "item_type")
    if word in ("turn", "outputs"):  # other words are those of other formats
        return _is_own_list(message, word)
    if role == "tool":
        differs = isinstance(content, tuple) and not _is_result(content)
    elif role == "system":
        differs = type(content) is not str or message.provider_data is not None
    elif not isinstance(content, tuple):
        return False
    elif role == "assistant":
        differs = not content or message.provider_data is not None or _TYPES_OF_USERS in _types(content)
    else:
        differs = bool(_types(content) & {*_SINGLE, "tool_result", "json"})
    return False if differs else _TABLE.accepts(message)


_TYPES_OF_USERS = "tool_result"


def _is_own_list(message: Any, word: str) -> bool | None:
    """Whether a message is a turn of the API's first version, or the outputs of a response of that version."""
    if message.role not in ("user", "assistant") or not isinstance(message.content, tuple):
        return False
    if word == "outputs" and not (message.role == "assistant" and message.wire.response):
        return False
    return None if _TABLE.accepts(message) is not False else False


def _types(content: tuple[Any, ...]) -> set[str]:
    return {part.type for part in content}


def _is_result(content: tuple[Any, ...]) -> bool:
    """Whether the content of a result is only an object, or has no object."""
    values = [part for part in content if part.type == "json"]
    return not values or (len(content) == 1 and type(values[0].value) is dict and values[0].provider_data is None)


def _has_own_source(part: Any) -> bool | None:
    source = part.source
    if source.type == "base64":
        return None if spelling(part, "data") is not None or "-" in source.data or "_" in source.data else True
    if source.type == "text":
        return False
    uri: str = source.url if source.type == "url" else source.file_id
    if not uri or (source.type == "file_id" and source.issuer != ISSUER):
        return False
    given = source.to_dict()
    return None not in given.values() and source_at(uri)["type"] == source.type


def _is_unknown(part: Any) -> bool | None:
    """Whether this format would keep the part whole too: as content, or as a step of the model."""
    kind: Json = part.value.get("type")
    if part.format != FAMILY:
        return False
    known = type(kind) is not str or kind in PART_LOADERS or kind in STEP_TYPES
    return None if known or part.provider_data is not None else True


def _thinks(part: Any) -> bool | None:
    if part.signature is not None and part.issuer != ISSUER:
        return False
    if spelling(part, "texts") is not None:
        return None
    return True


_GIVEN = settable("role content")
_MEDIA = frozenset({"type"}) | PART_FIELDS
_TABLE = NativeTable(
    family=FAMILY,
    messages={
        "system": _GIVEN,
        "user": _GIVEN,
        "assistant": _GIVEN,
        "tool": settable("role content tool_call_id name is_error"),
    },
    parts={
        "text": settable("type text citations"),
        "image": settable("type source detail"),
        "audio": settable("type source"),
        "video": settable("type source"),
        "file": settable("type source"),
        "json": settable("type value"),
        "thinking": settable("type thinking signature issuer"),
        "tool_use": settable("type id name input"),
        "tool_result": settable("type tool_use_id content name is_error"),
        "opaque": settable("type format value"),
    },
    checks={
        "text": lambda part: None if part.citations else True,
        "image": _has_own_source,
        "audio": _has_own_source,
        "video": _has_own_source,
        "file": _has_own_source,
        "json": lambda part: type(part.value) is dict,
        "thinking": _thinks,
        "tool_use": lambda part: None if part.wire is not None and part.wire.spelling else type(part.input) is dict,
        "tool_result": lambda _part: None,
        "opaque": _is_unknown,
    },
    nullable=frozenset(),
    keys={
        "user": frozenset({"type", "role", "content"}),
        "assistant": frozenset({"type", "role", "content"}),
        "tool": frozenset({"type", "result", "call_id", "name", "is_error"}),
        "text": frozenset({"type", "text", "annotations", "content"}),
        "image": _MEDIA | {"content"},
        "audio": _MEDIA | {"content"},
        "video": _MEDIA | {"content"},
        "file": _MEDIA | {"content"},
        "thinking": frozenset({"type", "summary", "signature"}),
        "tool_use": frozenset({"type", "id", "name", "arguments"}),
        "tool_result": frozenset({"type", "result", "call_id", "name", "is_error"}),
    },
)
