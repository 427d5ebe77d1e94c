"""What a payload looks like, by the marks of each format.

The facts of a payload are collected once, from a bounded part of it. A shape fits if the payload has the marks that it needs
and none that it excludes. If one shape's marks are all among another's, and both fit, only the second is named. A shape that is
named alone therefore has a mark that no other has; a mark that payloads of two formats may have must be listed for both. The
module is imported when an error is reported, when `detect` is called, or for `source="auto"`.
"""

from __future__ import annotations

import re
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from pydantic import BaseModel

from ..codec.format import Format
from ..codec.marks import Kind, Marks, Meaning, Shape
from ..codec.table import blamed, outside
from ..errors import BrokenFormat
from ..formats import FORMATS
from ..model.base import Json, parse_json


class Detected(NamedTuple):
    """A shape that a payload may have: the format, the kind of payload, and the marks that support this.

    `supported` is whether `FORMATS` has `format`; an API without a format has another name, such as `langchain`.
    """

    format: str
    kind: Kind
    reasons: tuple[str, ...]
    supported: bool


# The shapes that are not those of a format

_FOREIGN = Marks(
    (
        Shape(
            "langchain",
            "request",
            "messages",
            "messages[].type=human messages[].type=ai messages[].type=AIMessageChunk messages[].role=human messages[].role=ai "
            "messages[].lc messages[].data.content",
            "messages[].content messages[].additional_kwargs messages[].response_metadata messages[].type=system "
            "messages[].type=tool",
        ),
        Shape(
            "ai_sdk",
            "request",
            "messages",
            "messages[].parts[].type messages[].content[].type=tool-call messages[].content[].type=tool-result "
            "messages[].content[].toolCallId",
            "messages[].role=user messages[].role=assistant messages[].role=system messages[].role=tool messages[].id",
        ),
        Shape(
            "interlingua",
            "request",
            "messages",
            "messages[].wire messages[].provider_data origin provider_data wire version messages[].role=opaque "
            "messages[].role=text messages[].content[].source.type=file_id messages[].content[].issuer",
            "messages[].role=user messages[].role=assistant messages[].role=system "
            "messages[].role=developer messages[].role=tool "
            "messages[].content[].type=tool_use messages[].content[].type=tool_result messages[].tool_calls[].arguments",
            never="system tools[].input_schema tools[].function messages[].tool_calls[].function",
        ),
        Shape(
            "interlingua",
            "response",
            "choices",
            "origin choices[].stop_reason choices[].message.wire",
            "choices[].message choices[].message.content usage.input_tokens model id",
            never="choices[].finish_reason",
        ),
    ),
    {
        "langchain": "LangChain",
        "ai_sdk": "the AI SDK",
        "interlingua": "this package",
    },
    words={
        "role": {
            "human": Meaning("LangChain's", "user"),
            "ai": Meaning("LangChain's", "assistant"),
        },
        "type": {
            "tool-call": Meaning("the AI SDK's", "tool_use"),
            "tool-result": Meaning("the AI SDK's", "tool_result"),
        },
    },
)
"""APIs and libraries that have no format, and canonical data."""

_CANONICAL = Shape(
    "interlingua",
    "request",
    "messages",
    more="messages[].role=system messages[].role=developer messages[].role=user messages[].role=assistant messages[].role=tool "
    "messages[].tool_call_id messages[].reasoning_content messages[].tool_calls[].arguments:text "
    "messages[].content[].type=tool_use messages[].content[].type=tool_result messages[].content[].type=image "
    "messages[].content[].type=thinking messages[].content[].type=file messages[].content[].type=image_url "
    "messages[].content[].type=input_audio messages[].content[].cache_control messages[].content[].source.media_type "
    "messages[].content[].source.type messages[].content[].input:text messages[].refusal messages[].content[].type=refusal "
    "messages[].content[].type=redacted_thinking messages[].content[].citations",
)
"""What canonical messages share with those of most providers: no reason to take them for those of one."""


# The facts


_FACTS = 2000
"""How many values of a payload are looked at."""
_ITEMS = 100
"""How many of one list or object."""
_LEVELS = 6
_LONGEST = 80
"""The longest word that is a mark."""
_KINDS: dict[type, str] = {str: ":text", int: ":number", float: ":number", list: ":list", tuple: ":list"}


_ENDS = re.compile(r"_(20\d{6})$|_tool_result$")
"""Ends of words that are marks: the date of a version, and what the results of an API's own tools have in common."""

_BEGINNING = re.compile(r"<\|[a-z_]+\|>")
"""The beginning of a text that is a mark, however long the text is: a special token of a tokenizer."""

_Value: TypeAlias = Mapping[str, Any] | BaseModel | list[Any] | tuple[Any, ...] | str | float | None


def _facts(payload: Any) -> set[str]:
    """The facts of a payload, level by level, until there are enough."""
    found: set[str] = set()
    waiting: deque[tuple[str, _Value, int]] = deque([("", payload, 0)])
    for _ in range(_FACTS):
        if not waiting:
            break
        path, value, level = waiting.popleft()
        found.update((path, path + _KINDS.get(type(value), "")))
        if isinstance(value, str):
            beginning = _BEGINNING.match(value)
            if beginning is not None:
                found.add(f"{path}={beginning[0]}*")
            if len(value) <= _LONGEST:
                found.update((f"{path}={value}", f"{path}={value.partition('.')[0]}.*"))
                end = _ENDS.search(value)
                if end is not None:
                    found.add(f"{path}=*{'_DATE' if end[1] else end[0]}")
        elif level < _LEVELS:
            waiting.extend((path + token, item, level + 1) for token, item in _members(value, path, found))
    return found


def _members(value: _Value, path: str, found: set[str]) -> Iterator[tuple[str, Any]]:
    """The fields or items of a value, each with the end of its path; nulls are left out."""
    if isinstance(value, Mapping):
        dot = "." if path else ""
        if path.endswith("[]") and value.get("type") is None:
            found.add(path + ".!type")
        fields = islice(value.items(), _ITEMS)
        yield from ((f"{dot}{key}", item) for key, item in fields if item is not None and len(str(key)) <= _LONGEST)
    elif isinstance(value, BaseModel):
        yield from _members(vars(value), path, found)
    elif isinstance(value, list | tuple):
        yield from (("[]", item) for item in islice(value, _ITEMS))


class _Fitting(NamedTuple):
    """A shape that a payload may have, its marks there, and those marks as they are compared with other shapes'."""

    shape: Shape
    marks: tuple[str, ...]
    compared: frozenset[str]


@cache
def _words(marks: str) -> tuple[str, ...]:
    """The marks of a shape, of which there are as many as formats have."""
    return tuple(marks.split())


def _fitting(shape: Shape, facts: set[str], *, bare: bool) -> _Fitting | None:
    """The marks of a shape that a payload has; None if it is not of this shape."""
    needed = _words(shape.needed)
    cut = 0
    if bare:
        if shape.kind != "request":
            return None
        # The list stands for the field that has the messages, which is the first mark.
        listed = needed[0].partition(":")[0]
        needed = needed[1:]
        facts = {listed + fact for fact in facts}
        cut = len(listed)
    if not facts.issuperset(needed) or not facts.isdisjoint(_words(shape.never)):
        return None
    any_of = _present(shape.any, facts)
    if shape.any and not any_of:
        return None
    marks = tuple(dict.fromkeys((*needed, *any_of, *_present(shape.more, facts))))
    if not marks:
        return None
    compared = (*marks, *_present(shape.rare, facts))
    return _Fitting(shape, marks, frozenset([mark[cut:] for mark in compared]))


def _present(marks: str, facts: set[str]) -> list[str]:
    """Those of a shape's marks that are facts of the payload."""
    return [mark for mark in _words(marks) if mark in facts]


# The public function, and hints for errors


@cache
def _marks() -> tuple[Marks, ...]:
    """The marks of all formats, which dialects share, those of other packages, and the foreign ones."""
    known = dict.fromkeys(format.marks for format in FORMATS.values() if format.marks is not None)
    return (*(marks() for marks in known), *_marks_from_outside(), _FOREIGN)


def _marks_from_outside() -> Iterator[Marks]:
    """The marks of formats that other packages register; a package that is broken is left out with a warning."""
    for name in outside():
        try:
            format = FORMATS[name]
            with blamed(name):
                marks = None if format.marks is None else format.marks()
        except BrokenFormat as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        else:
            if marks is not None:
                yield marks


def known_shapes() -> Iterator[Shape]:
    for marks in _marks():
        yield from marks.shapes


def _title(format: str) -> str:
    return next((marks.titles[format] for marks in _marks() if format in marks.titles), format)


# What callers mean, for errors


def meant_format(word: str) -> str:
    """The format that people call by this name; the word itself if none is known by it."""
    return next((marks.also_called[word] for marks in _marks() if word in marks.also_called), word)


_NO_MEANING = Meaning("", "")
_NO_WORDS: Mapping[str, Meaning] = {}


def meant_word(field: str, word: str) -> Meaning:
    """The canonical word for a role or a type of another API; an empty meaning for any other word."""
    known = (marks.words.get(field, _NO_WORDS) for marks in _marks())
    return next((words[word] for words in known if word in words), _NO_MEANING)


def tool_format(tool: Mapping[str, Any]) -> str | None:
    """The format that a tool seems to be of; None if that cannot be seen."""
    for marks in _marks():
        for field, format in marks.tool_fields.items():
            if field in tool:
                return format
    kind: Json = tool.get("type")
    if not isinstance(kind, str):
        return None
    for marks in _marks():
        for pattern, format in marks.tool_types.items():
            if re.fullmatch(pattern, kind):
                return format
    return None


def nested_call() -> str:
    """What an error says of a call that is nested as those of a provider are."""
    return next(marks.nested_call for marks in _marks() if marks.nested_call is not None)


def detect(payload: Any) -> list[Detected]:
    """List the formats that a request, response, chunk or error body may have, the likeliest first; empty if none fits.

    `payload` is a dict, a bare list of messages, an SDK's object, or JSON text. Only a bounded part of the payload
    is read. If only one format is named, it has a mark that no other known format has: a request with only user text may be
    in several formats.
    """
    return likeliest(payload, known_shapes())


def likeliest(payload: Any, shapes: Iterable[Shape]) -> list[Detected]:
    if isinstance(payload, str | bytes | bytearray):
        try:
            payload = parse_json(payload)
        except (ValueError, RecursionError):
            return []
    bare = isinstance(payload, list | tuple)
    facts = _facts(payload)
    fitting = [one for one in (_fitting(shape, facts, bare=bare) for shape in shapes) if one is not None]
    found: list[Detected] = []
    for shape, marks, compared in fitting:
        if not any(compared < other.compared for other in fitting):
            found.append(Detected(shape.format, "messages" if bare else shape.kind, marks, shape.format in FORMATS))
    found.sort(key=lambda one: (-len(one.reasons), not one.supported))
    named: dict[tuple[str, Kind], Detected] = {}
    for one in found:
        named.setdefault((one.format, one.kind), one)  # a format may have several shapes of one kind
    return [*named.values()]


_NOUNS: dict[Kind, str] = {
    "request": "a request",
    "messages": "messages",
    "response": "a response",
    "chunk": "a chunk of a stream",
    "error": "an error body",
}
_CALLS: dict[Kind, str] = {
    "request": 'il.load(payload, "{}")',
    "messages": 'il.load(messages, "{}")',
    "response": 'il.load_response(body, "{}")',
    "chunk": 'il.reader("{}").feed(chunk)',
    "error": 'il.load_response(body, "{}")',
}
_OTHER_CALLS: dict[tuple[str, Kind], str] = {
    ("interlingua", "request"): "il.validate(data, il.Request), or il.Conversation",
    ("interlingua", "messages"): "il.validate(messages)",
    ("langchain", "messages"): 'langchain_core\'s convert_to_openai_messages, then il.load(messages, "openai_chat")',
}


def hint(payload: Any, kind: Kind, format: Format | None = None) -> str | None:
    """What a payload looks like and what reads it, if it is not what was expected; None if nothing can be said.

    `format` is the format that it should have, or None for canonical data.
    """
    found = likeliest(payload, (*known_shapes(), _CANONICAL) if format is None else known_shapes())
    if not found or any(_is_expected(one, kind, format) for one in found):
        return None
    return _likeness(found)


def likeness(payload: Any) -> str | None:
    """What a payload looks like and what reads it; None if nothing can be said."""
    found = detect(payload)
    return _likeness(found) if found else None


def _likeness(found: Sequence[Detected]) -> str:
    first = found[0]
    names = " or ".join(dict.fromkeys(_title(one.format) for one in found[:2] if one.kind == first.kind))
    marks = ", ".join(first.reasons[:3])
    way_out = "interlingua has no format for it"
    if (first.format, first.kind) in _OTHER_CALLS:
        way_out = f"use {_OTHER_CALLS[first.format, first.kind]}"
    elif first.supported:
        way_out = f"use {_CALLS[first.kind].format(first.format)}"
    return f"it looks like {_NOUNS[first.kind]} of {names} ({marks}): {way_out}"


def _is_expected(found: Detected, kind: Kind, format: Format | None) -> bool:
    if format is None:
        return found.format == "interlingua" and found.kind == kind
    requests = ("request", "messages")
    if found.kind != kind and not (found.kind in requests and kind in requests):
        return False
    if found.format == format.name:
        return True
    if not found.supported:
        return False
    # A dialect is read by the functions of its format.
    known = FORMATS.get(found.format, format)
    return known.dump is format.dump if kind in requests else known.dump_response is format.dump_response
