"""Which canonical messages could have been loaded from Responses."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Content, Wire, spelling
from ...codec.media import Media, data_uri, read_data_uri
from ...codec.native import NativeTable, is_usual_source, settable
from ...model.base import Json
from .base import FAMILY, ISSUER
from .items import ASSISTANT_LOADERS, OUTPUTS, is_assistant_item, usual_form
from .parts import PART_FIELDS, PART_LOADERS
from .wire import id_field, is_message


def is_native(message: Any) -> bool | None:
    """Whether a message could have been loaded from this format."""
    role: str = message.role
    if role == "opaque":
        wire: Wire = message.value
        return message.format == FAMILY and not (is_message(wire) or is_assistant_item(wire) or wire.get("type") in OUTPUTS)
    content: Content = message.content
    if isinstance(content, str):
        # Instructions cannot have provider data.
        differs = spelling(message, "system") == "instructions" and message.provider_data is not None
    elif role == "assistant":
        # An answer is loaded as parts, even if it is one text.
        is_answer = message.wire is not None and message.wire.response
        is_one_text = content is not None and len(content) == 1 and _is_flat(content[0])
        differs = not content or message.provider_data is not None or (is_one_text and not is_answer)
    else:
        differs = content is None or any(part.type in _OWN_ITEMS for part in content)
    return False if differs else _TABLE.accepts(message)


_OWN_ITEMS = frozenset({"thinking", "redacted_thinking", "tool_use"})


def _is_flat(part: Any) -> bool:
    """Whether a message with only this part is written as one text, which would not be loaded as a part."""
    return part.type == "text" and (spelling(part, "content") or usual_form(part.model_fields_set, 1)) == "text"


# Parts


def _has_own_source(part: Any) -> bool:
    source = part.source
    is_file = part.type == "file"
    if source.type == "base64":
        if source.media_type is None:
            return is_file and read_data_uri(source.data) is None
        media = Media(source.media_type, source.data)
        return read_data_uri(data_uri(media)) == media
    if not is_usual_source(source):
        return False
    if source.type == "file_id":
        return bool(source.issuer == ISSUER)
    return source.type == "url" and (is_file or read_data_uri(source.url) is None)


def _is_unknown(part: Any) -> bool | None:
    """Whether Responses would keep this part whole too: as content, or as an item of the assistant."""
    if part.format != FAMILY or part.provider_data is not None:
        return None if part.format == FAMILY else False
    kind: Json = part.value.get("type")
    if type(kind) is not str or kind in PART_LOADERS or kind in ASSISTANT_LOADERS:
        return None
    return True if is_assistant_item(part.value) else None


def _has_other_id(call: Any) -> bool:
    """Whether the item of a call without an id has one, which would be loaded as the id of the call."""
    return call.id is None and call.provider_data is not None and id_field(call.provider_data.get(FAMILY, {})) == "id"


_OF_MESSAGES = frozenset({"type", "role", "content", "prompt_cache_breakpoint"})
_OF_REASONING = frozenset({"type", "summary", "content", "encrypted_content"})
_GIVEN = {role: settable("role content") for role in ("user", "assistant", "system", "developer")}
_TABLE = NativeTable(
    family=FAMILY,
    messages=_GIVEN | {"tool": settable("role content tool_call_id name")},
    parts={
        "text": settable("type text citations", cache=True),
        "refusal": settable("type refusal", cache=True),
        "image": settable("type source detail", cache=True),
        "file": settable("type source filename", cache=True),
        "thinking": settable("type thinking summary"),
        "redacted_thinking": settable("type data issuer"),
        "tool_use": settable("type id name input custom"),
        "opaque": settable("type format value"),
    },
    checks={
        "text": lambda part: None if part.citations else True,
        "image": _has_own_source,
        "file": _has_own_source,
        "thinking": lambda part: part.summary is None or part.summary,
        "redacted_thinking": lambda part: part.issuer == ISSUER and part.data != "",
        "tool_use": lambda part: type(part.input) is str and part.custom is not False and not _has_other_id(part),
        "opaque": _is_unknown,
    },
    keys={
        **dict.fromkeys(_GIVEN, frozenset({"type", "role", "content"})),
        "tool": frozenset({"type", "output", "call_id", "name"}),
        "text": _OF_MESSAGES | {"text", "annotations"},
        "refusal": _OF_MESSAGES | {"refusal"},
        "image": _OF_MESSAGES | {"image_url", "file_id", "detail"},
        "file": _OF_MESSAGES | {"file_data", "file_url", "file_id", "filename"},
        "thinking": _OF_REASONING | {"text"},
        "redacted_thinking": _OF_REASONING | PART_FIELDS,
        "tool_use": frozenset({"type", "call_id", "name", "arguments", "input"}),
    },
)
