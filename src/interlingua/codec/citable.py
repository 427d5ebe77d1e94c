"""Texts that a model can cite: the blocks of a document or of a search result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import escape
from ..model.base import Json
from .fields import Wire, is_empty, join, value_at


class ReadableText(NamedTuple):
    """The text of a part for providers that do not have the part, and pointers to the data in it that the text lacks."""

    text: str
    others: Sequence[str]


class ReadableMedia(NamedTuple):
    """The image or audio in such a part, as base64, and pointers to the data in the part that this lacks."""

    media_type: str
    data: str
    others: Sequence[str]


def texts_of(content: Json, pointer: str) -> tuple[list[str], list[str]]:
    """The texts in a text or a list of text blocks, and pointers to everything else, including blank text, which is refused."""
    if type(content) is str:
        return ([content], []) if content.strip() else ([], [pointer])
    texts: list[str] = []
    others: list[str] = []
    blocks: list[Json] = content if type(content) is list else []
    for i, block in enumerate(blocks):
        wire: Wire = block if type(block) is dict and block.get("type", "text") == "text" else {}
        text: Json = wire.get("text")
        if type(text) is str and text.strip():
            texts.append(text)
            others += [f"{pointer}/{i}{rest}" for rest in besides(wire, "type", "text")]
        else:
            others.append(f"{pointer}/{i}")
    return texts, others


def besides(wire: Wire, *known: str) -> list[str]:
    """Pointers to the fields of an object that are not `known` and not empty."""
    return [f"/{escape(key)}" for key, value in wire.items() if key not in known and not is_empty(value)]


def as_text(value: Wire, path: tuple[str, ...], *names: str) -> ReadableText | None:
    """A document or a search result as one text, for models that cannot cite it; None if it has no text.

    Its texts are at this path. Before them are the fields with these names, such as its title and its source.
    """
    texts, others = texts_of(value_at(value, path), join(path))
    if not texts:
        return None
    fields = {name: value.get(name) for name in names}
    shown = {name: field for name, field in fields.items() if type(field) is str and field.strip()}
    holder, *inner = path
    if inner:
        others += [f"/{holder}{pointer}" for pointer in besides(value[holder], "type", *inner)]
    text = "\n".join(texts)
    if shown:
        text = "\n".join(shown.values()) + "\n\n" + text
    return ReadableText(text, [*others, *besides(value, "type", holder, *shown)])


def is_switch(value: Json) -> bool:
    """Whether a value only switches citations on or off: `{"enabled": true}`."""
    return type(value) is dict and value.keys() == {"enabled"} and type(value["enabled"]) is bool


def move_document_fields(document: Wire, out: Wire) -> Wire:
    """Move a document's fields other than its content to `out`, if they have the usual form; returns the other fields."""
    context: Json = document.get("context")
    moved = {"citations": document["citations"]} if is_switch(document.get("citations")) else {}
    if type(context) is str and context.strip():
        moved["context"] = context
    out.update({key: value.copy() if type(value) is dict else value for key, value in moved.items() if key not in out})
    return {key: value for key, value in document.items() if key not in moved}
