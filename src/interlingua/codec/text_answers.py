"""Answers that are one text: how formats with prompts write any answer as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..model.exchange import Choice, Response
from ..model.messages import content_of
from .dump import Dump
from .one_text import following, text_of_part


def answers_to_write(response: Response, d: Dump) -> Sequence[Choice]:
    """The answers of a response: of another provider's the first alone, since a stream of text has only one answer."""
    if d.same_format:
        return response.choices
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "a stream of text has one answer; the others are left out")
    return response.choices[:1]


def answer_texts(message: Any, path: str, places: Mapping[str, str], d: Dump) -> dict[str, str]:
    """The text of the answer at `path`, and its reasoning if that is among the `places` where each is written.

    Reports other parts, several texts as joined, and reasoning after text as moved.
    """
    found: dict[str, list[str]] = {kind: [] for kind in places}
    before = ""
    for where, piece in content_of(message, path):
        own = getattr(piece, "type", "text")
        kind = kind_of(own, places)
        text = text_or_reasoning(piece, where, places[kind], d, kind)
        if text is None:
            continue
        if kind == "thinking" and found["text"] and not d.same_family:
            d.report("moved", where, None, MOVED)
        if not found[kind]:
            d.places[places[kind]] = where
        else:
            text = following(text, own, before)
        found[kind].append(text)
        if kind == "text":
            before = own
    for kind, texts in found.items():
        if len(texts) > 1:
            d.report("changed", path, places[kind], JOINED)
    return {kind: "".join(texts) for kind, texts in found.items()}


MOVED = "an answer has reasoning before its text"
JOINED = "an answer is one text: several are joined"
"""Nothing comes between them: the texts of an answer are one, interrupted by citations and other parts."""


def kind_of(kind: str, places: Mapping[str, str]) -> str:
    """The kind of part that a part of this kind is written as."""
    return "thinking" if kind == "thinking" and "thinking" in places else "text"


def text_or_reasoning(piece: Any, where: str, at: str, d: Dump, kind: str) -> str | None:
    """The text of a piece, or its reasoning; None if it has none, with a report unless it is an empty text."""
    text = text_of_part(piece, where, at, d, kind)
    if text is None or kind == "text":
        return text if text or d.exact else None  # an empty text says nothing
    if not text and not d.exact:
        d.drop(where, "empty reasoning is left out")
        return None
    if piece.summary is not None:
        d.report("changed", where, at, f"{d.target.name} does not mark reasoning as a summary")
    return text
