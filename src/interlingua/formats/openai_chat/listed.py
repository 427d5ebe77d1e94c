"""Load and dump reasoning in the content: parts whose text is a list of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ...codec.carrying import is_unreadable, issuer_of, unreadable, why_silent
from ...codec.fields import FieldReader, Wire, spelling
from ...model.base import Json
from .base import FAMILY, ChatDump

_TEXT = "text"
"""The recorded spelling of reasoning whose text is not in a list."""


def form_of_thinking(part: Any, d: ChatDump) -> Wire | str:
    """A thinking block in Anthropic's shape, or why it cannot be sent."""
    foreign = is_unreadable(part, d)
    if part.type == "redacted_thinking":
        return unreadable(part) if foreign else {"type": "redacted_thinking", "data": part.data}
    signed = {} if part.signature is None or foreign else {"signature": part.signature}
    return why_silent(part, d) or {"type": "thinking", "thinking": part.thinking, **signed}


def load_listed(part: Json, issuer: str) -> dict[str, Any] | None:
    """Load a part of reasoning whose list has only texts; None for any other part."""
    text = listed_text(part)
    if type(part) is not dict or text is None or not part["thinking"]:
        return None
    fields = FieldReader(part, "type", "thinking")
    out: dict[str, Any] = {"type": "thinking", "thinking": text}
    if len(part["thinking"]) > 1:
        fields.spelling["texts"] = " ".join(str(len(item["text"])) for item in part["thinking"])
    if (signature := fields.take("signature", str)) is not None:
        out |= {"signature": signature, "issuer": issuer_of(signature, issuer)}
    return fields.keep(out, FAMILY)


def as_text(part: dict[str, Any]) -> dict[str, Any]:
    """Record on a loaded part that its reasoning was not in a list, if so."""
    if part["type"] != "thinking":
        return part
    record: Wire = part.get("wire") or {}
    return part | {"wire": record | {"spelling": {**record.get("spelling", {}), "texts": _TEXT}}}


def dump_texts(block: Any, *, exact: bool) -> str | list[Wire]:
    """Write the text of reasoning as a list: the texts that it was loaded from, or one text if an edit changed its length."""
    text: str = block.thinking
    spelled = spelling(block, "texts") if exact else None
    if spelled == _TEXT:
        return text
    lengths = [int(word) for word in spelled.split() if word.isdecimal() and len(word) < 10] if spelled else []
    if sum(lengths) != len(text):
        lengths = [len(text)]
    texts: list[Wire] = []
    start = 0
    for length in lengths or [0]:
        texts.append({"type": "text", "text": text[start : start + length]})
        start += length
    return texts


def listed_text(part: Json) -> str | None:
    """The text of a part, or of a fragment, whose list has only texts."""
    items: Json = part.get("thinking") if type(part) is dict and part.get("type") == "thinking" else None
    texts: list[Any] = [_text_of(item) for item in items] if type(items) is list else [None]
    return None if None in texts else "".join(texts)


def _text_of(item: Json) -> str | None:
    """The text of an item that is only a text."""
    is_text = type(item) is dict and len(item) == 2 and item.get("type") == "text"
    text: Json = item.get("text") if type(item) is dict and is_text else None
    return text if type(text) is str else None


def leading_blocks(content: Json, issuer: str) -> list[dict[str, Any]]:
    """Load the parts of reasoning at the beginning of the content."""
    found: list[dict[str, Any]] = []
    for part in content if type(content) is list else ():
        if (block := load_listed(part, issuer)) is None:
            break
        found.append(block)
    return found


def joined(items: Iterable[Json]) -> Iterator[Json]:
    """The items, with each run of texts joined into one."""
    for is_text, group in groupby(items, _is_text):
        if is_text:
            yield {"type": "text", "text": "".join(item["text"] for item in group if type(item) is dict)}
        else:
            yield from group


def _is_text(item: Json) -> bool:
    return type(item) is dict and len(item) == 2 and item.get("type") == "text" and type(item.get("text")) is str
