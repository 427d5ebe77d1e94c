"""The outline of a conversation, as plain data: the terminal and the pages draw this and nothing else.

`outline(value)` takes messages, a `Request`, a `Conversation`, a `Response` or a `Conversion`, and returns an `Outline`:

    Outline    kind, title, facts, tools, turns, marks
    Turn       at, number, role, name, facts, parts, answers, marks          one message, or one answer of a response
    Piece      at, kind, label, text, folded, failed, media, facts, parts, results, marks          one part of a message
    Media      kind, name, media_type, size, held, place
    Fact       at, name, text, marks          a setting, a cache mark, a signature, a citation, a stop reason, usage
    ToolLine   at, name, description, schema, facts, marks
    Mark       kind, code, text, path, to, format          a loss, a problem, or a note of the outline itself

`at` is the JSON Pointer of an owner, in the document that losses and problems of the same value point into: the list of the
messages' dicts, or `value.to_dict()`. Marks are at the narrowest owner that their path leads to.

A piece's `label` says in a few words what it is, and its `text` is its exact content: a call's arguments as they are spelled,
a document's text, JSON as text. Only a result has `parts`. `folded` is whether a view shows the label alone, until it is asked
for more.

Calls have their results beside them, in `results`. A result that stands beside its call is not among the parts of its own
message: that turn has the result's pointer in `answers`, and often nothing else, so that views may leave it out. A call without
a result, and a result without a call, have a mark of kind `note`.

Texts are as they are in the conversation, control characters and all: views show `harmless(text)`. Of media and signatures
only the size is given, and of what may be base64 in JSON only the beginning; in texts, views shorten it by `without_base64`.
Nothing else is left out. The cost is linear in the value and its marks.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar, assert_never, cast
from urllib.parse import unquote_to_bytes

from ..checking.repairing.pairs import pairs_of
from ..conversion.converted import Conversion
from ..conversion.requests import request_of
from ..errors import Loss, Problem
from ..model.exchange import AnyTool, Choice, Conversation, OpaqueTool, Request, Response
from ..model.messages import Message, MessageBase, OpaqueMessage, ToolMessage, content_of, pieces_of
from ..model.parts import (
    AudioPart,
    Base64Source,
    Citation,
    FileIdSource,
    FilePart,
    ImagePart,
    ImageUrlPart,
    InputAudioPart,
    JsonPart,
    OpaqueCitation,
    OpaquePart,
    Part,
    RedactedThinkingPart,
    RefusalPart,
    Source,
    TextPart,
    TextSource,
    ThinkingPart,
    ToolCall,
    ToolResultPart,
    ToolUsePart,
    UrlSource,
    VideoPart,
)
from ..model.shown import repr_html, rich_console
from .texts import counted, size_in_words, without_base64

Showable: TypeAlias = "Outline | Request | Conversation | Response | Conversion[Any] | Iterable[MessageBase | dict[str, Any]]"
"""What an outline can be made of."""

PieceKind: TypeAlias = Literal["text", "thinking", "redacted_thinking", "refusal", "call", "result", "media", "json", "opaque"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A remark about an owner.

    `kind` is `loss`, a problem's severity (`error`, `warning`), or `note`. `code` is the kind of the loss, or the problem's
    rule. `path` is where it points, and `to` where a loss points in the output. `format` is whose it is.
    """

    kind: Literal["loss", "error", "warning", "note"]
    text: str
    path: str
    code: str = ""
    to: str | None = None
    format: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and a short text, which a view shows in a line."""

    at: str
    name: str
    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Media:
    """What is known of an image, of audio, video or a document.

    `size` is in bytes, where the media are in the message. `held` is how they are there, and `place` the URL or the file's id.
    `data` is the base64 text of media in the message, for views that show images; `to_dict()` leaves it out.
    """

    kind: Literal["image", "audio", "video", "file"]
    held: Literal["base64", "url", "file_id", "text"]
    name: str | None = None
    media_type: str | None = None
    size: int | None = None
    place: str | None = None
    data: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a message, or a result with parts of its own."""

    at: str
    kind: PieceKind
    label: str
    text: str = ""
    folded: bool = False
    failed: bool = False
    """Whether this is the result of a tool that failed."""
    media: Media | None = None
    facts: tuple[Fact, ...] = ()
    parts: tuple[Piece, ...] = ()
    results: tuple[Piece, ...] = ()
    """The results of a call."""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, or one answer of a response."""

    at: str
    number: int
    """Counted from 1."""
    role: str
    name: str | None = None
    facts: tuple[Fact, ...] = ()
    parts: tuple[Piece, ...] = ()
    answers: tuple[str, ...] = ()
    """The pointers of this message's results that stand beside their calls."""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool that may be called; `schema` is JSON text."""

    at: str
    name: str
    description: str = ""
    schema: str = ""
    facts: tuple[Fact, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to see of a value."""

    kind: Literal["messages", "request", "conversation", "response", "conversion"]
    title: str
    facts: tuple[Fact, ...] = ()
    tools: tuple[ToolLine, ...] = ()
    turns: tuple[Turn, ...] = ()
    marks: tuple[Mark, ...] = field(default=())
    """What points at the whole, or nowhere."""

    _repr_html_ = repr_html
    __rich_console__ = rich_console

    def to_dict(self) -> dict[str, Any]:
        """The outline as JSON data, without what is empty."""
        return cast("dict[str, Any]", _as_json(self))


def outline(value: Showable, *, marks: Iterable[Mark] = ()) -> Outline:
    """Make the outline of messages, a request, a conversation, a response or a conversion. The paths of `marks` point into it.

    An outline is plain data, which rich and notebooks show. That of a conversion has the losses and problems, but no turns.
    Raises `InvalidPayload`.
    """
    return _with_marks(_outline_of(value), marks)


def marks_of(found: Iterable[Loss | Problem], format: str = "") -> Iterator[Mark]:
    """Losses and problems as marks."""
    for each in found:
        if isinstance(each, Loss):
            yield Mark("loss", each.detail, each.path, each.kind, each.at, format)
        else:
            yield Mark(each.severity, each.message, each.path, each.code, format=format)


# Values


def _outline_of(value: Showable) -> Outline:
    if isinstance(value, Outline):
        return value
    if isinstance(value, Response):
        return _of_response(value)
    if isinstance(value, Conversion):
        return _of_conversion(value)
    if isinstance(value, Request):
        title = "Request" if value.model is None else f"Request to {value.model}"
        return _with_messages(value.messages, "/messages", "request", title, _settings(value), value.tools)
    if isinstance(value, Conversation):
        title = "Conversation" if value.id is None else f"Conversation {value.id}"
        return _with_messages(value.messages, "/messages", "conversation", title, _settings(value), value.tools)
    return _with_messages(request_of(value).messages, "", "messages", "Messages")


def _with_messages(
    messages: Sequence[Message],
    base: str,
    kind: Literal["messages", "request", "conversation"],
    title: str,
    facts: tuple[Fact, ...] = (),
    tools: Sequence[AnyTool] | None = None,
) -> Outline:
    turns = _turns(messages, [f"{base}/{i}" for i in range(len(messages))])
    title = f"{title}, {counted(len(turns), 'message')}"
    return Outline(kind, title, facts, tuple(_tool(f"/tools/{i}", tool) for i, tool in enumerate(tools or ())), turns)


_ELSEWHERE = {"messages", "message", "tools", "version", "choices", "usage", "wire"}
"""The fields of a value that are not facts: they are shown otherwise, or are the package's own records."""


def _settings(value: Any, at: str = "") -> tuple[Fact, ...]:
    """The fields of a request, conversation, response or choice that are shown in a line."""
    shown = {name: value[name] for name in value if name not in _ELSEWHERE and value[name] is not None}
    return tuple(Fact(f"{at}/{name}", name, _words(setting)) for name, setting in shown.items())


def _of_response(response: Response) -> Outline:
    counts: dict[str, Any] = {} if response.usage is None else response.usage.to_dict()
    usage = (Fact(f"/usage/{name}", name, _words(count)) for name, count in counts.items() if count is not None)
    turns = tuple(_answer(f"/choices/{i}", i + 1, choice) for i, choice in enumerate(response.choices))
    title = "Response" if response.model is None else f"Response of {response.model}"
    return Outline("response", title, (*_settings(response), *usage), (), turns)


def _answer(at: str, number: int, choice: Choice) -> Turn:
    """The turn of a choice: its pointer is the choice's, which its message is a part of."""
    (turn,) = _turns([choice.message], [f"{at}/message"], answered_later=True)
    return replace(turn, at=at, number=number, facts=_settings(choice, at) + turn.facts)


def _of_conversion(conversion: Conversion[Any]) -> Outline:
    endpoint = conversion.endpoint._asdict()
    facts = tuple(Fact("", name, _words(value)) for name, value in endpoint.items() if value is not None)
    title = f"Conversion, {counted(len(conversion.losses), 'loss', 'losses')}"
    if conversion.problems:
        title += f", {counted(len(conversion.problems), 'problem')}"
    return Outline("conversion", title, facts, (), (), tuple(marks_of((*conversion.losses, *conversion.problems))))


def _tool(at: str, tool: AnyTool) -> ToolLine:
    if isinstance(tool, OpaqueTool):
        named = tool.value.get("name") or tool.value.get("type")
        return ToolLine(at, named if isinstance(named, str) else "", f"a tool of {tool.format}", _words(tool.value))
    schema = "" if tool.parameters is None else _words(tool.parameters)
    return ToolLine(at, tool.name, tool.description or "", schema, _facts(tool, at))


# Turns


def _turns(messages: Sequence[Message], places: Sequence[str], *, answered_later: bool = False) -> tuple[Turn, ...]:
    """The turns of messages; `places` are their pointers, and `answered_later` says that results come elsewhere."""
    pairs = pairs_of(messages)
    results: dict[str, list[Piece]] = defaultdict(list)
    beside: dict[int, list[str]] = defaultdict(list)
    for result in pairs.all_results():
        at = _place(places, result.message, result.at)
        call = result.call
        if call is not None and call.message < result.message:
            results[_place(places, call.message, call.at)].append(_result(at, result.value, call.value.name))
            beside[result.message].append(at)
    out: list[Turn] = []
    for i, message in enumerate(messages):
        answers = tuple(beside[i])
        parts = tuple(piece for piece in _pieces(message, places[i]) if piece.at not in answers)
        if not answered_later:
            last = i == len(messages) - 1
            parts = tuple(_with_results(piece, tuple(results[piece.at]), last=last) for piece in parts)
        out.append(Turn(places[i], i + 1, message.role, _name(message), _facts_of(message, places[i]), parts, answers))
    return tuple(out)


def _place(places: Sequence[str], message: int, at: str) -> str:
    """A pointer of `pairs_of` as one of this outline."""
    return places[message] + at.removeprefix(f"/messages/{message}")


def _with_results(piece: Piece, results: tuple[Piece, ...], *, last: bool) -> Piece:
    if piece.kind == "call":
        note = Mark("note", "no result yet" if last else "no result answers this call", piece.at)
        return replace(piece, results=results, marks=() if results else (note,))
    if piece.kind == "result":
        return replace(piece, marks=(Mark("note", "no earlier call waits for this result", piece.at),))
    return piece


def _name(message: Message) -> str | None:
    return None if isinstance(message, OpaqueMessage | ToolMessage) else message.name


def _facts_of(message: Message, at: str) -> tuple[Fact, ...]:
    """The facts of a message as a whole; those of a tool message are its result's."""
    return () if isinstance(message, ToolMessage) else _facts(message, at)


def _pieces(message: Message, at: str) -> Iterator[Piece]:
    if isinstance(message, OpaqueMessage):
        yield _opaque(at, "message", message.format, message.value)
    elif isinstance(message, ToolMessage):
        yield _result(at, message)
    else:
        for place, content in content_of(message, at):
            yield _piece(place, content)


# Pieces


def _piece(at: str, content: str | Part | ToolCall) -> Piece:
    match content:
        case str():
            return Piece(at, "text", "text", content)
        case TextPart():
            citations = tuple(
                Fact(f"{at}/citations/{i}", "citation", _citation(each)) for i, each in enumerate(content.citations or ())
            )
            return Piece(at, "text", "text", content.text, facts=citations + _facts(content, at))
        case ThinkingPart():
            noun = "summary of reasoning" if content.summary else "reasoning"
            label = f"{noun}, {counted(len(content.thinking))}"
            return Piece(at, "thinking", label, content.thinking, folded=True, facts=_facts(content, at))
        case RedactedThinkingPart():
            label = f"encrypted reasoning, {counted(len(content.data))}"
            return Piece(at, "redacted_thinking", label, folded=True, facts=_facts(content, at))
        case RefusalPart():
            return Piece(at, "refusal", "refusal", content.refusal, facts=_facts(content, at))
        case ToolUsePart() | ToolCall():
            return Piece(at, "call", f"call of {content.name}", content.arguments, facts=_facts(content, at))
        case ToolResultPart():
            return _result(at, content)
        case JsonPart():
            return Piece(at, "json", "JSON", _words(content.value), facts=_facts(content, at))
        case OpaquePart():
            return _opaque(at, "part", content.format, content.value, _facts(content, at))
        case ImagePart() | AudioPart() | VideoPart() | FilePart() | ImageUrlPart() | InputAudioPart():
            return _media_piece(at, content)
        case _:
            assert_never(content)


def _result(at: str, result: ToolMessage | ToolResultPart, called: str | None = None) -> Piece:
    """The piece of a result; `called` is the name in its call, for results that have none."""
    name = called if result.name is None else result.name
    label = "result" if name is None else f"result of {name}"
    failed = bool(result.is_error)
    if failed:
        label += ", failed"
    parts = tuple(_piece(f"{at}{place}", each) for place, each in pieces_of(result.content, ""))
    return Piece(at, "result", label, failed=failed, facts=_facts(result, at), parts=parts)


def _opaque(at: str, what: str, format: str, value: dict[str, Any], facts: tuple[Fact, ...] = ()) -> Piece:
    tag = value.get("type")
    label = f"{what} that only {format} has"
    if isinstance(tag, str):
        label += f", {tag}"
    return Piece(at, "opaque", label, _words(value), facts=facts)


# Media


def _media_piece(at: str, part: ImagePart | AudioPart | VideoPart | FilePart | ImageUrlPart | InputAudioPart) -> Piece:
    facts = _facts(part, at)
    text = ""
    if isinstance(part, ImageUrlPart):
        media = _at_url("image", part.image_url.url)
        facts = _facts(part.image_url, f"{at}/image_url") + facts
    elif isinstance(part, InputAudioPart):
        media = Media("audio", "base64", media_type=f"audio/{part.input_audio.format}", size=_size(part.input_audio.data))
        facts = _facts(part.input_audio, f"{at}/input_audio") + facts
    else:
        media = _media(part.type, part.source)
        if isinstance(part.source, TextSource):
            text = part.source.text
    if isinstance(part, FilePart):
        media = replace(media, name=part.filename)
    size = None if media.size is None else size_in_words(media.size)
    words = (media.kind, media.name, media.media_type, size, media.place)
    return Piece(at, "media", ", ".join([word for word in words if word]), text, media=media, facts=facts)


def _media(kind: Literal["image", "audio", "video", "file"], source: Source) -> Media:
    match source:
        case UrlSource():
            found = _at_url(kind, source.url)
            return found if source.media_type is None else replace(found, media_type=source.media_type)
        case Base64Source():
            return Media(kind, "base64", media_type=source.media_type, size=_size(source.data), data=source.data)
        case FileIdSource():
            return Media(kind, "file_id", media_type=source.media_type, place=source.file_id)
        case TextSource():
            size = len(source.text.encode())
            return Media(kind, "text", media_type=source.media_type, size=size)
        case _:
            assert_never(source)


def _at_url(kind: Literal["image", "audio", "video", "file"], url: str) -> Media:
    """Media at a URL, or in one."""
    if url[:5].lower() != "data:":
        return Media(kind, "url", place=url)
    head, _, data = url[5:].partition(",")
    media_type, *options = head[:200].split(";")
    if "base64" in options:
        return Media(kind, "base64", media_type=media_type or None, size=_size(data), data=data)
    return Media(kind, "base64", media_type=media_type or None, size=len(unquote_to_bytes(data)))


def _size(data: str) -> int:
    """How many bytes base64 text holds."""
    return (len(data) - sum(map(data.count, "= \r\n"))) * 3 // 4


# Facts

_FACTS = (
    "id",
    "tool_use_id",
    "tool_call_id",
    "custom",
    "strict",
    "detail",
    "cache_control",
    "signature",
    "provider_data",
    "extra",
)
"""The fields of owners that are shown in a line."""


def _facts(owner: Any, at: str) -> tuple[Fact, ...]:
    names = [name for name in _FACTS if name in owner and owner[name] is not None]
    facts = [Fact(f"{at}/{name}", name, _fact(owner, name)) for name in names]
    origin: str | None = getattr(getattr(owner, "wire", None), "origin", None)
    if origin is not None:
        facts.append(Fact(f"{at}/wire", "origin", origin))
    return tuple(facts)


def _fact(owner: Any, name: str) -> str:
    if name == "cache_control":
        ttl = owner.cache_control.ttl
        return f"cached up to this place for {ttl}" if ttl else "cached up to this place"
    if name == "signature":
        length = counted(len(owner.signature))
        return f"{length}, of {owner.issuer}" if owner.issuer else length
    return _words(owner[name])


def _citation(citation: Citation) -> str:
    """What is cited, where, and which words of the text it supports."""
    if isinstance(citation, OpaqueCitation):
        return f"only {citation.format} has it: {_words(citation.value)}"
    words: list[str] = []
    for name, value in citation.to_dict().items():
        if name in ("title", "url", "source"):
            words.append(str(value))
        elif name not in ("type", "wire", "start", "end", "cited_text"):
            words.append(f"{name} {_words(value)}")
    if citation.cited_text is not None:
        words.append(f"“{citation.cited_text}”")
    if citation.start is not None or citation.end is not None:
        words.append(f"for characters {citation.start} to {citation.end}")
    return ", ".join(words) or citation.type


def _words(value: Any) -> str:
    """A value in words: text as it is, and anything else as JSON text without base64."""
    return value if isinstance(value, str) else without_base64(json.dumps(value, ensure_ascii=False))


# Marks


def _with_marks(whole: Outline, marks: Iterable[Mark]) -> Outline:
    """The outline with each mark at the narrowest owner that its path leads to."""
    known = {""} | {node.at for node in nodes_of(whole)}
    found: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        if not isinstance(mark, Mark):  # pyright: ignore[reportUnnecessaryIsInstance] -- for callers who do not check types
            raise TypeError("marks must be Mark objects, as marks_of makes them")
        place = mark.path
        while place not in known:
            place = place.rpartition("/")[0]
        found[place].append(mark)
    return _marked(whole, found) if found else whole


_Node: TypeAlias = Turn | Piece | Fact | ToolLine
NodeT = TypeVar("NodeT", bound="Outline | _Node")


def _children(node: Outline | _Node) -> dict[str, tuple[_Node, ...]]:
    match node:
        case Outline():
            return {"facts": node.facts, "tools": node.tools, "turns": node.turns}
        case Turn():
            return {"facts": node.facts, "parts": node.parts}
        case Piece():
            return {"facts": node.facts, "parts": node.parts, "results": node.results}
        case ToolLine():
            return {"facts": node.facts}
        case Fact():
            return {}
        case _:
            assert_never(node)


def nodes_of(node: Outline | _Node) -> Iterator[_Node]:
    """What is inside of an outline or a part of it, at any depth."""
    for children in _children(node).values():
        for child in children:
            yield child
            yield from nodes_of(child)


def _marked(node: NodeT, found: dict[str, list[Mark]]) -> NodeT:
    """The node with its marks; its children take theirs first, so that a tool message's are at its result."""
    changes: dict[str, Any] = {
        name: tuple(_marked(child, found) for child in children) for name, children in _children(node).items()
    }
    marks: list[Mark] = []
    if isinstance(node, Outline):
        marks = found.pop("", [])
    elif node.at:
        marks = found.pop(node.at, [])
    return replace(node, **changes, marks=(*node.marks, *marks))


_EMPTY = ((), None, "", False)


def _as_json(value: Any) -> Any:
    """Dataclasses as dicts, without what is empty."""
    if is_dataclass(value):
        shown: dict[str, Any] = {each.name: getattr(value, each.name) for each in fields(value) if each.repr}
        return {name: _as_json(item) for name, item in shown.items() if name == "at" or item not in _EMPTY}
    items: Any = value
    return [_as_json(item) for item in items] if isinstance(value, tuple) else value
