"""Which canonical messages could have been loaded from Gemini."""

from typing import Any

from ...codec.fields import spelling
from ...codec.native import NativeTable, settable
from ...model.base import Json
from .base import FAMILY, ROLES, value_of
from .media import has_level, kind_of
from .parts import LOADED
from .spellings import spellings


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from this format."""
    if message.role == "opaque":
        role: Json = message.value.get("role")
        if message.format != FAMILY or type(role) is not str or role in ROLES:
            return False
        return None if "parts" in message.value else True
    stands_elsewhere = message.role == "system" and spelling(message, "system") is not None  # in another format
    if stands_elsewhere or type(message.content) is not tuple:
        return False
    return TABLE.accepts(message)


def _signed_here(part: Any) -> bool:
    return bool(part.issuer == (None if part.signature is None else FAMILY))


def _has_own_source(part: Any) -> bool | None:
    source = part.source
    if not _signed_here(part) or source.type == "text" or None in source.to_dict().values():
        return False
    if part.type == "image" and not has_level(part.detail):
        return False
    return bool(part.type == kind_of(source.media_type)) if source.type == "base64" else None


def _has_own_content(part: Any) -> bool | None:
    if not _signed_here(part) or part.content is None or part.is_error is False:
        return False
    return True if type(part.content) is str else None


def _is_unknown(part: Any) -> bool | None:
    if part.format != FAMILY:
        return False
    return None if any(value_of(part.value, member) is not None for member in LOADED) else True


_MEDIA = dict.fromkeys(("image", "audio", "video", "file"), settable("type source filename detail signature issuer"))
_KEYS = spellings(*LOADED, "thoughtSignature")
TABLE = NativeTable(
    family=FAMILY,
    messages={role: settable("role content") for role in ("user", "assistant", "system")},
    parts={
        "text": settable("type text signature issuer"),
        "thinking": settable("type thinking signature issuer"),
        **_MEDIA,
        "tool_use": settable("type id name input signature issuer"),
        "tool_result": settable("type tool_use_id content is_error name signature issuer"),
        "opaque": frozenset({"type", "format", "value"}),
    },
    checks={
        "text": _signed_here,
        "thinking": _signed_here,
        **dict.fromkeys(_MEDIA, _has_own_source),
        "tool_use": lambda part: _signed_here(part) and type(part.input) is dict,
        "tool_result": _has_own_content,
        "opaque": _is_unknown,
    },
    keys={
        **dict.fromkeys(("text", "thinking", *_MEDIA, "tool_use", "tool_result"), _KEYS | {"thought"}),
        **dict.fromkeys(("user", "assistant", "system"), frozenset({"role", "parts"})),
    },
)
