"""Messages as one text, for formats in which a turn is a text: joins the texts, and reports the loss of everything else."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..model.messages import content_of, piece_kind
from ..model.parts import to_json
from .dump import Dump
from .readable import readable_text, send_as_text
from .text_files import file_as_text, text_of_file

_TEXTS = ("text", "refusal", "json")
_APART = frozenset({"file", "refusal"})


def text_pieces(message: Any, path: str) -> list[tuple[str, Any]]:
    """The pieces of a message, in order, as from `content_of`; one empty text for a message that is an empty text."""
    return content_of(message, path) or ([(path + "/content", "")] if message.content == "" else [])


def has_text(pieces: Iterable[tuple[str, Any]], d: Dump | None = None) -> bool:
    """Whether any piece has a text, even an empty one; with a dump, an opaque part that the target can read counts, too."""
    return any(_is_text(piece, d) for _, piece in pieces)


def says_something(pieces: Iterable[tuple[str, Any]], d: Dump) -> bool:
    """Whether any piece has a text that is not empty."""
    return any(getattr(piece, getattr(piece, "type", ""), piece) != "" for _, piece in pieces if _is_text(piece, d))


def _is_text(piece: Any, d: Dump | None) -> bool:
    kind = piece_kind(piece)
    if d is None or kind not in ("opaque", "file"):
        return kind in _TEXTS
    return (readable_text if kind == "opaque" else text_of_file)(piece, d) is not None


def plain_text(pieces: Iterable[tuple[str, Any]], path: str, at: str, d: Dump, changed: str | None = None) -> str:
    """The text of the pieces of the message or result at `path`, written at `at`; reports parts that are not text.

    Several texts are joined by line breaks, which is reported; `changed` is reported instead, if it is given.
    """
    texts = [text for where, piece in pieces if (text := text_of_part(piece, where, at, d)) is not None]
    if changed is not None or len(texts) > 1:
        d.report(
            "changed", path, at, changed or f"{d.target.name} has one text in this place: the texts are joined by line breaks"
        )
    return "\n".join(texts)


def following(text: str, kind: str, before: str) -> str:
    """A text that follows another in an answer, given the kinds of both; a line break parts refusals and files from others."""
    if kind == "thinking":
        return following_block(text)
    return "\n" + text if not _APART.isdisjoint((kind, before)) else text


def following_block(text: str) -> str:
    """The text of a block of reasoning that follows another. A blank line separates them, because many begin with a heading."""
    return text and f"\n\n{text}"


def text_of_part(piece: Any, where: str, at: str, d: Dump, *also: str) -> str | None:
    """The text of a piece at `where`, written at `at`; None, with a report, if it is not text or of a kind in `also`."""
    if type(piece) is str:
        return piece
    kind = piece_kind(piece)
    if kind == "opaque" and (text := send_as_text(piece, where, at, d)) is not None:
        return text
    if kind == "file" and (text := file_as_text(piece, where, at, d)) is not None:
        d.drop_fields(piece, where)
        return text
    if kind not in _TEXTS and kind not in also:
        d.drop(where, f"{d.target.name} does not take {_NOUNS.get(kind, 'media')}")
        return None
    for name in ("cache_control", "signature", "citations"):
        if getattr(piece, name, None):
            d.drop(f"{where}/{name}", f"{d.target.name} has no field `{name}`")
    d.drop_fields(piece, where)
    if kind == "refusal":
        d.report("changed", where, at, f"{d.target.name} has no refusals: the refusal becomes text")
    return str(to_json(piece.value) if kind == "json" else getattr(piece, kind))


_NOUNS = {
    "thinking": "reasoning",
    "redacted_thinking": "reasoning",
    "opaque": "a part of another format",
    "tool_use": "a tool call",
    "tool_result": "a tool result",
}


TEXT_ALONE = "a prompt must be only text"


def one_text(messages: Sequence[Any], d: Dump, start: int = 0, at: str = "/prompt") -> str:
    """All text of the messages from index `start`, for the field at `at`; reports each change."""
    texts: list[str] = []
    for i, message in enumerate(messages[start:], start):
        path = f"/messages/{i}"
        pieces = [] if message.role == "opaque" else content_of(message, path)
        found = [_prompt_of(piece, d) for _, piece in pieces]
        text = "\n".join([part for part in found if part is not None])
        if text:
            texts.append(text)
            d.report("changed", path, at, "a prompt is one text: the messages are joined into it")
        else:
            d.drop(path, TEXT_ALONE)
    return "\n\n".join(texts)


def _prompt_of(piece: Any, d: Dump) -> str | None:
    if type(piece) is str:
        return piece
    kind = getattr(piece, "type", None)
    if kind == "json":
        return to_json(piece.value)
    if kind in ("opaque", "file"):
        return (readable_text if kind == "opaque" else text_of_file)(piece, d)
    text: str | None = getattr(piece, "text", None)
    return text
