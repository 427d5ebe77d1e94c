"""The maps of reasoning that stands in the content, as parts whose text is a list of texts."""

from __future__ import annotations

from typing import Any

from ...codec.carrying import issuer_of
from ...codec.fields import FieldReader, Wire, spelling
from ...model.base import Json
from .base import FAMILY

_TEXT = "text"
"""How reasoning is spelled that is a text without a list."""


def load_listed(part: Json, issuer: str) -> dict[str, Any] | None:
    """A part of reasoning with a list of texts alone, of which there may be several; None for any other."""
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
    """A part that was loaded, with a record of its spelling where it is reasoning without a list."""
    if part["type"] != "thinking":
        return part
    record: Wire = part.get("wire") or {}
    return part | {"wire": record | {"spelling": {**record.get("spelling", {}), "texts": _TEXT}}}


def dump_texts(block: Any, *, exact: bool) -> str | list[Wire]:
    """The text of reasoning as a list: one text, or those that it was loaded from, if no edit has changed its length."""
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
    """The text of a part, or a fragment, of reasoning with a list of texts alone."""
    items: Json = part.get("thinking") if type(part) is dict and part.get("type") == "thinking" else None
    texts: list[Any] = [_text_of(item) for item in items] if type(items) is list else [None]
    return None if None in texts else "".join(texts)


def _text_of(item: Json) -> str | None:
    """The text of a part that is nothing else."""
    is_text = type(item) is dict and len(item) == 2 and item.get("type") == "text"
    text: Json = item.get("text") if type(item) is dict and is_text else None
    return text if type(text) is str else None


def leading_blocks(content: Json, issuer: str) -> list[dict[str, Any]]:
    """The parts of reasoning that a list of content begins with."""
    found: list[dict[str, Any]] = []
    for part in content if type(content) is list else ():
        if (block := load_listed(part, issuer)) is None:
            break
        found.append(block)
    return found
