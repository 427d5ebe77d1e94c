"""Sends text in place of reasoning and media that the target of a request does not accept.

The rules of each format decide what is lost. So a first dump finds the losses, and a second dump writes the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..errors import Loss
from ..model.exchange import Request
from ..model.light import Light
from ..model.parts import TextPart
from .carrying import place_before
from .dump import Dump
from .fields import Content, Wire
from .format import Format
from .media import source_of
from .ordering import dump_request

ForeignReasoning: TypeAlias = Literal["drop", "text"]
"""What happens to readable reasoning that the target does not accept: it is left out, or sent as text."""
LostMedia: TypeAlias = Literal["drop", "placeholder"]
"""What happens to media that the target does not accept: they are left out, or a short text names them."""

_MEDIA = {"image": "image", "image_url": "image", "audio": "audio", "input_audio": "audio", "video": "video", "file": "file"}
"""The word for each type of part in a placeholder."""
_REASONING_AS_TEXT = "the target does not take this reasoning: it is sent as text in <thinking> tags"
_MEDIA_AS_TEXT = "the target does not take this part: a text that names it is sent"


def dump_with_texts(
    format: Format, request: Any, new_dump: Callable[[], Dump], reasoning: ForeignReasoning, media: LostMedia
) -> tuple[Wire, Dump]:
    """The body of a request with texts in place of what it would lose, and the dump that wrote it."""
    d = new_dump()
    body = dump_request(format, request, d)
    texts = _Texts(reasoning == "text", media == "placeholder")
    changed = texts.put_into(request, d.losses)
    if changed is None:
        return body, d
    d = new_dump()
    foreign = [changed.messages[i] for i in texts.messages]
    d.native |= {id(message): (message, False) for message in foreign}  # written by the rules, as in the first dump
    body = dump_request(format, changed, d)
    written = {path: at for at, path in reversed(d.places.items())}
    lost = {loss.path for loss in d.losses if loss.kind == "dropped"}
    for path, why in texts.put:
        if path not in lost:
            d.report("changed", path, written.get(path), why)
    for at, path in d.places.items():
        d.places[at] = place_before(path, texts.moved)
    d.losses[:] = [loss._replace(path=place_before(loss.path, texts.moved)) for loss in d.losses]
    return body, d


@dataclass
class _Texts:
    """Puts texts into a request, and records where."""

    reasoning: bool
    media: bool
    messages: list[int] = field(default_factory=list[int])
    """The indices of the messages that got a text."""
    put: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The pointer of each text in the new request, and the detail of its loss."""
    moved: dict[str, str] = field(default_factory=dict[str, str])
    """The original pointers of values that have moved, by their pointers in the new request."""

    def put_into(self, request: Any, losses: Sequence[Loss]) -> Request | None:
        """The request with a text for each part that was dropped; None if it needs no text."""
        dropped = {path for path, _, kind, _ in losses if kind == "dropped" and path.startswith("/messages/")}
        messages = list(request.messages)
        for i in sorted({int(path.split("/", 3)[2]) for path in dropped}):
            if messages[i].role != "opaque":
                self._put_into_message(messages, i, dropped)
        return _with(request, messages=tuple(messages)) if self.messages else None

    def _put_into_message(self, messages: list[Any], i: int, dropped: Collection[str]) -> None:
        message = messages[i]
        path = f"/messages/{i}"
        already = len(self.put)
        fields: dict[str, Any] = {}
        lost = _Everything() if path in dropped else dropped
        if message.role == "assistant" and self.reasoning:
            fields = self._flat_reasoning(message, path, lost)
        lead: tuple[Any, ...] = fields.get("content", ())
        content: Content = message.content
        if isinstance(content, tuple):
            fields["content"] = lead + self._parts(content, path + "/content", path + "/content", lost, len(lead))
            if lead:
                self.moved |= {f"{path}/content/{len(lead) + j}": f"{path}/content/{j}" for j in range(len(content))}
        elif content and lead:
            fields["content"] = (*lead, TextPart(text=content))
            self.moved[f"{path}/content/{len(lead)}"] = path + "/content"
        if len(self.put) > already:
            messages[i] = _with(message, **fields)
            self.messages.append(i)

    def _flat_reasoning(self, message: Any, path: str, lost: Container[str]) -> dict[str, Any]:
        """The fields to change in a message: dropped reasoning outside its content becomes text at the start of the content."""
        texts: list[Any] = []
        kept: list[Any] = []
        field = message.reasoning_content
        where = path + "/reasoning_content"
        blocks: Sequence[Any] = message.thinking_blocks or ()
        joined = "".join(block.thinking for block in blocks if block.type == "thinking")
        if field and where in lost and field != joined:
            self._lead(texts, field, where, path)
        for j, block in enumerate(blocks):
            where = f"{path}/thinking_blocks/{j}"
            if where in lost and _has_thinking(block):
                self._lead(texts, block.thinking, where, path)
            else:
                self.moved[f"{path}/thinking_blocks/{len(kept)}"] = where
                kept.append(block)
        if not texts:
            return {}
        return {"content": tuple(texts), "reasoning_content": None, "thinking_blocks": tuple(kept) or None}

    def _lead(self, texts: list[Any], reasoning: str, where: str, path: str) -> None:
        at = f"{path}/content/{len(texts)}"
        self.moved[at] = where
        self.put.append((at, _REASONING_AS_TEXT))
        texts.append(_as_text(reasoning))

    def _parts(self, parts: Sequence[Any], path: str, new: str, lost: Container[str], before: int = 0) -> tuple[Any, ...]:
        """The parts at `path`, with texts for dropped ones; they will be at `new`, after `before` other parts."""
        made: list[Any] = []
        for j, part in enumerate(parts):
            where = f"{path}/{j}"
            at = f"{new}/{before + j}"
            is_lost = where in lost
            kind = part.type
            inside: Content = part.content if kind == "tool_result" else None
            if isinstance(inside, tuple):
                inner = self._parts(inside, where + "/content", at + "/content", lost)
                made.append(_with(part, content=inner))
            elif is_lost and self.media and kind in _MEDIA:
                self.put.append((at, _MEDIA_AS_TEXT))
                made.append(_placeholder(part))
            elif is_lost and self.reasoning and _has_thinking(part):
                self.put.append((at, _REASONING_AS_TEXT))
                made.append(_as_text(part.thinking))
            else:
                made.append(part)
        return tuple(made)


class _Everything:
    """Stands for all pointers, because the whole message is lost."""

    def __contains__(self, _: object) -> bool:
        return True


def _has_thinking(part: Any) -> bool:
    """Whether a part is thinking that people can read."""
    return part.type == "thinking" and bool(part.thinking.strip())


def _as_text(reasoning: str) -> TextPart:
    return TextPart(text=f"<thinking>\n{reasoning}\n</thinking>")


def _placeholder(part: Any) -> TextPart:
    """A text that names the media and keeps their cache mark."""
    media_type: str | None = source_of(part).media_type
    kind = f"{_MEDIA[part.type]} omitted" + (f": {media_type}" if media_type else "")
    marked = {} if part.cache_control is None else {"cache_control": part.cache_control.to_dict()}
    return TextPart(text=f"[{kind}]", **marked)


def _with(value: Any, **fields: Any) -> Any:
    """A copy of a model or a light value, with these fields changed."""
    if not isinstance(value, Light):
        return value.replace(**fields)
    made: Any = object.__new__(type(value))
    made.__dict__ = vars(value) | fields
    return made
