"""Treatments of form: media without a type, schemas and their names, other words for a role."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...codec.fields import copy_wire, spelling
from ...codec.format import Format
from ...codec.ids import tool_name
from ...codec.magic import first_bytes, kind_of
from ...codec.media import Media, data_uri, invented_filename, name_for
from ...codec.media_types import usual_type
from ...codec.rules.media import is_base64
from ...codec.schemas.nodes import SchemaNode, nodes
from ...conversion.requests import load
from ...errors import InvalidPayload
from ...formats import new_dump
from ...model.base import Json
from ...model.exchange import Request, ResponseFormat
from ...model.messages import AssistantMessage, Message, MessageBase, OpaqueMessage
from ...model.parts import Base64Source, FilePart, ImagePart, ImageUrlPart, UrlSource
from .draft import Draft
from .treatments import Codes, Edit, apply


def say_media_types(draft: Draft, codes: Codes) -> bool:
    """Add the media type to bare base64, if its first bytes show a document or an image."""
    does = "the data get the media type that their first bytes show"
    return apply(draft, {pointer: Edit(code, _with_media_type, does) for pointer, code in codes.items()})


def _with_media_type(part: Any) -> Any:
    """A part whose media have a media type; the part itself if they have one already, or if theirs is unknown."""
    if isinstance(part, FilePart) and isinstance(part.source, Base64Source) and part.source.media_type is None:
        kind = _kind_of(part.source.data, "application/")
        return part if kind is None else part.replace(source=part.source.replace(media_type=kind))
    if isinstance(part, ImagePart) and isinstance(part.source, UrlSource):
        kind = _kind_of(part.source.url, "image/")
        return part if kind is None else part.replace(source=Base64Source(data=part.source.url, media_type=kind))
    if isinstance(part, ImageUrlPart):
        url = part.image_url.url
        kind = _kind_of(url, "image/")
        return part if kind is None else part.replace(image_url=part.image_url.replace(url=data_uri(Media(kind, url))))
    return part


def _kind_of(data: str, prefix: str) -> str | None:
    """The media type that base64 shows, if it begins so."""
    kind = kind_of(first_bytes(data))
    return kind if kind is not None and kind.startswith(prefix) and is_base64(data) else None


def name_files(draft: Draft, codes: Codes) -> bool:
    """Give a name to files that are sent as data without one."""
    return apply(
        draft, {pointer: Edit(code, _with_filename, "the file gets an invented name") for pointer, code in codes.items()}
    )


def _with_filename(part: Any) -> Any:
    """A file with a name; the part itself where it has one."""
    if not isinstance(part, FilePart) or part.filename:
        return part
    media_type: str | None = getattr(part.source, "media_type", None)
    if media_type is None:
        return part.replace(filename=name_for(getattr(part.source, "url", getattr(part.source, "data", ""))))
    return part.replace(filename=invented_filename(usual_type(media_type)))


def close_objects(draft: Draft, codes: Codes) -> bool:
    """Forbid further properties in the objects of a strict schema, where the schema does not say whether they are allowed."""
    does = "objects of the schema without `additionalProperties` get `additionalProperties: false`"
    return apply(draft, {pointer: Edit(code, _closed, does) for pointer, code in codes.items()})


def _closed(owner: Any) -> Any:
    """A tool or response format whose objects say whether they take further properties."""
    field = "parameters" if getattr(owner, "type", None) == "function" else "json_schema"
    schema: dict[str, Any] | None = getattr(owner, field, None)
    if not any(map(_says_nothing_of_others, nodes(schema, ""))):
        return owner
    closed = copy_wire(schema)
    for node in filter(_says_nothing_of_others, nodes(closed, "")):
        node.schema["additionalProperties"] = False
    return owner.replace(**{field: closed})


def _says_nothing_of_others(node: SchemaNode) -> bool:
    return "object" in node.types and "additionalProperties" not in node.schema


def change_schema_names(draft: Draft, codes: Codes) -> bool:
    """Write the name of an answer's schema with accepted characters only."""
    does = "the schema's name is written with accepted characters only"
    return apply(draft, {pointer: Edit(code, _with_name, does) for pointer, code in codes.items()})


def _with_name(owner: Any) -> Any:
    if isinstance(owner, ResponseFormat) and owner.name is not None:
        return owner.replace(name=tool_name(owner.name, 64))
    return owner


# Roles


def respell_roles(draft: Draft, codes: Codes) -> bool:
    """Write a role as the provider's word for it: the assistant's role, or a role for which a message has an older word."""
    does = "the role gets the provider's word for it"
    edits: dict[str, Edit] = {}
    for pointer, code in codes.items():
        message = draft.find(pointer)
        if isinstance(message, OpaqueMessage):
            edits[pointer] = Edit(code, partial(_as_assistant, format=draft.format), does)
        elif isinstance(message, MessageBase):
            edits[pointer] = Edit(code, _without_word, does)
    return apply(draft, edits)


def _as_assistant(message: OpaqueMessage, format: Format) -> Message:
    """A message of the role `assistant`, as one of the assistant, where the provider has another word for that."""
    request = Request(messages=[AssistantMessage(content="-")])
    written: dict[str, Json] = format.dump(request, request.messages, new_dump(format, None))
    messages: Json = written.get(format.listed)
    word: Json = messages[-1].get("role") if isinstance(messages, list) else None
    if message.value.get("role") != "assistant" or word in (None, "assistant"):
        return message
    try:
        loaded = load({format.listed: [{**message.value, "role": word}]}, format).messages
    except InvalidPayload:
        return message
    return loaded[0] if len(loaded) == 1 else message


def _without_word(message: Any) -> Any:
    """The message without the record that the wire had another word for its role."""
    if spelling(message, "role") is None:
        return message
    kept = message.wire.to_dict()
    kept["spelling"] = {key: word for key, word in kept["spelling"].items() if key != "role"} or None
    kept = {key: value for key, value in kept.items() if value is not None}
    return message.replace(wire=kept or None)
