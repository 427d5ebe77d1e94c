"""Processes one document. A task and its outcome are values that can be sent to another process.

A task reads the JSON of a document, finds the conversations in it (`pieces`: the whole, some columns, or what the layout of a
row says), and fills in the `Outcome`. `perform` runs it and turns errors into faults of the outcome.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import ValidationError

from ..checking.checks import check
from ..codec.batches import Layout
from ..codec.format import Format
from ..conversion.canonical import OWN, messages_of, read_any, read_own
from ..conversion.detection import detect, likeness
from ..conversion.json_text import parse
from ..conversion.layouts import LAYOUTS, RowConversation, conversations, fields_of, layout_of, name_of
from ..conversion.requests import convert
from ..conversion.responses import load_response
from ..conversion.rows import convert_payload, convert_row, opened, within
from ..conversion.sources import Form, may_be, request_forms
from ..errors import Fault, InterlinguaError, InvalidPayload, Loss, LossyConversion, Problem, error_body, escape
from ..formats import FORMATS
from ..model.base import Json
from ..model.messages import Message
from ..model.shortened import shortened
from .document import Document

AUTO = "auto"
"""Where the format of the source is found out."""


@dataclass
class Outcome:
    """The result of a task with a document."""

    where: str
    line: int | None = None
    id: str | int | None = None
    output: str | None = None
    key: str | None = None
    """What identifies it, where it is compared with others."""
    faults: list[Fault] = field(default_factory=list[Fault])
    losses: list[Loss] = field(default_factory=list[Loss])
    problems: list[tuple[Problem, str]] = field(default_factory=list[tuple[Problem, str]])
    """What a provider would refuse, with excerpts."""
    count: int = 0
    """How many messages there are, where they are counted."""
    notes: list[str] = field(default_factory=list[str])
    failed: bool = False
    shape: str | None = None
    """What is written, where documents of different shapes may come in."""


@dataclass(frozen=True)
class Options:
    """What a task does with documents; `columns` are the fields of a row that hold the conversations."""

    source: str
    target: str = ""
    strict: bool = False
    model: str | None = None
    stream: bool | None = None
    columns: tuple[str, ...] = ()
    layout: str | None = None
    """The layout of the rows; None where documents are conversations, or where that is found out."""
    ascii_only: bool = False
    prefer: tuple[str, ...] = ()
    """The formats that are preferred where a document may be of several."""
    say_source: bool = False
    """Whether what is written has the fields `source` and `layout`, which say what was detected."""


Task: TypeAlias = Callable[[Document, Options, Outcome], None]


def perform(task: Task, document: Document, options: Options) -> Outcome:
    """Do a task, and turn what goes wrong into faults."""
    outcome = Outcome(document.where, document.line)
    try:
        task(document, options, outcome)
    except LossyConversion as error:
        outcome.notes.clear()
        outcome.losses += error.losses
        outcome.failed = True
    except (InterlinguaError, ValidationError) as error:
        body = error_body(error)
        outcome.notes.clear()
        outcome.faults += [Fault(fault["path"], fault["reason"]) for fault in body["errors"]]
        if "more" in body:
            outcome.notes.append(f"and {body['more']} more")
        if isinstance(error, InvalidPayload) and error.hint is not None:
            outcome.notes.append(error.hint.partition(": use ")[0])  # what follows is for programs in Python
        outcome.failed = True
    except MemoryError:
        outcome = Outcome(document.where, document.line, faults=[_TOO_LARGE], failed=True)
    return outcome


_TOO_LARGE = Fault("", "the document does not fit into memory")


# Tasks


def convert_document(document: Document, options: Options, outcome: Outcome) -> None:
    """Convert the conversations of a document."""
    data = parsed(document)
    outcome.id = id_of(data)
    source = options.source
    layout = layout_for(data, options, outcome)
    if layout is not None:
        made = convert_row(data, layout, options.target, source=given_source(options), **_of_convert(options))
        data = made.payload
        source = made.source
        outcome.losses += made.losses
    elif not options.columns:
        source, data = _convert(data, options, outcome)
    for column in dict.fromkeys(options.columns):
        data = _with_column(data, column, options, outcome)
    outcome.shape = _shape(data, layout)
    if options.say_source:
        data = _with_source(data, source, layout)
    indent = None if document.line is not None else 2
    try:
        outcome.output = json.dumps(data, indent=indent, ensure_ascii=options.ascii_only)
    except TypeError:
        raise InvalidPayload([_AS_BYTES]) from None


def validate_document(document: Document, options: Options, outcome: Outcome) -> None:
    """Validate the conversations of a document."""
    data = parsed(document)
    outcome.id = id_of(data)
    for conversation, answers in pieces(data, options, outcome):
        with within(conversation.pointer):
            outcome.count += len(messages_in(conversation, answers=answers))
    noun = "message" if outcome.count == 1 else "messages"
    outcome.output = f"{document.where}: valid, {outcome.count} {noun}"


def messages_in(conversation: RowConversation, *, answers: bool) -> Sequence[Message]:
    """The messages of a request, or the answers of a response."""
    if answers:
        response = load_response(conversation.payload, FORMATS[conversation.format])
        return [choice.message for choice in response.choices]
    return messages_of(read_any(conversation.payload, conversation.format))


def check_document(document: Document, options: Options, outcome: Outcome) -> None:
    """Find what the target's provider would refuse in a document, which may be of another format; responses are left out."""
    data = parsed(document)
    outcome.id = id_of(data)
    problems: dict[tuple[Problem, str], None] = {}
    for conversation, answers in pieces(data, options, outcome):
        if answers:
            continue
        with within(conversation.pointer):
            found = _problems(conversation, options)
        for problem in found:
            located = problem._replace(path=conversation.pointer(problem.path))
            problems[located, excerpt(conversation.payload, problem.path)] = None
    outcome.problems += problems
    outcome.failed = any(problem.severity == "error" for problem, _ in outcome.problems)


def detect_document(document: Document, _options: Options, outcome: Outcome) -> None:
    """Say what a document looks like."""
    data = parsed(document)
    outcome.id = id_of(data)
    found = [each._asdict() for each in detect(data)]
    outcome.output = json.dumps({"where": document.where, "candidates": found})
    outcome.failed = not found


# Pieces

_AS_BYTES = Fault("", "the format has bytes, which JSON cannot hold")


def parsed(document: Document) -> Any:
    try:
        return parse(document.text)
    except InvalidPayload as error:
        if document.line is None:
            raise
        faults = [fault._replace(reason=fault.reason.replace("at line 1 column", "at column")) for fault in error.faults]
        raise InvalidPayload(faults) from None


def id_of(data: Json) -> str | int | None:
    """The id of a row or a batch request, if it has one."""
    for key in ("id", "custom_id"):
        if isinstance(data, dict) and isinstance(data.get(key), str | int):
            found: str | int = data[key]
            return found
    return None


def payloads_in(data: Any, options: Options) -> list[tuple[str, Any]]:
    """The conversations of a document, each with the pointer to it."""
    if not options.columns:
        return [("", data)]
    return [(_pointer(column), _column(data, column)) for column in dict.fromkeys(options.columns)]


def _pointer(column: str) -> str:
    return f"/{escape(column)}"


def _column(data: Json, column: str) -> Any:
    with within(_pointer(column)):
        if not isinstance(data, dict) or column not in data:
            raise InvalidPayload([Fault("", "the row must have this column")])
        value: Json = data[column]
        return parse(value) if isinstance(value, str) else value


def layout_for(data: Any, options: Options, outcome: Outcome) -> Layout | None:
    """The layout of a row, if it has one; where that is found out, it is noted."""
    if options.layout is not None:
        return LAYOUTS[options.layout]
    if options.source != AUTO or options.columns:
        return None
    name = layout_of(data)
    if name is None:
        return None
    outcome.notes.append(f"detected as a row of {name}")
    return LAYOUTS[name]


def pieces(data: Any, options: Options, outcome: Outcome) -> Iterator[tuple[RowConversation, bool]]:
    """The conversations of a document, and whether each is a response."""
    layout = layout_for(data, options, outcome)
    if layout is not None:
        row, _ = opened(data, layout)
        for conversation in conversations(row, layout, given_source(options)):
            yield conversation, layout.answers
        return
    for at, payload in payloads_in(data, options):
        with within(at):
            source = source_of(payload, options, outcome)
        yield RowConversation(source, payload, at.__add__), False


def given_source(options: Options) -> str | None:
    """The format of the source, if it was given."""
    return None if options.source in (AUTO, "") else options.source


def prefer_of(options: Options) -> list[Format]:
    """The formats that are preferred where a payload may be of several."""
    return [FORMATS[name] for name in options.prefer]


def _of_convert(options: Options) -> dict[str, Any]:
    """The options of `convert`."""
    return {"strict": options.strict, "model": options.model, "stream": options.stream}


def _with_column(data: Json, column: str, options: Options, outcome: Outcome) -> Json:
    """A row with the conversation in a column converted; one that was JSON text is JSON text again."""
    count = len(outcome.losses)
    at = _pointer(column)
    payload = _column(data, column)
    with within(at):
        _, made = _convert(payload, options, outcome)
    outcome.losses[count:] = [loss._replace(path=at + loss.path) for loss in outcome.losses[count:]]
    row: dict[str, Any] = data if isinstance(data, dict) else {}
    if isinstance(row[column], str):
        made = json.dumps(made, ensure_ascii=False)
    return row | {column: made}


def _shape(data: Json, layout: Layout | None) -> str:
    """What is written for a document."""
    if layout is None:
        return "a list of messages" if isinstance(data, list) else "a request or a conversation"
    if layout.listed is not None:
        return f"a row of {_name_of_layout(layout)}"
    return "a result of a batch" if layout.answers else "a request of a batch"


def _name_of_layout(layout: Layout) -> str:
    return next(name for name, each in LAYOUTS.items() if each is layout)


def _with_source(data: Json, source: str, layout: Layout | None) -> Json:
    """What is written, with what was detected. Raises `InvalidPayload` if it has no place for that."""
    if not isinstance(data, dict):
        raise InvalidPayload([Fault("", "a list of messages has no place for the fields source and layout")])
    for name in ("source", "layout"):
        if name in data:
            raise InvalidPayload([Fault(_pointer(name), "the row already has this field: leave out --say-source")])
    return {**data, "source": source, "layout": None if layout is None else _name_of_layout(layout)}


def _convert(payload: Any, options: Options, outcome: Outcome) -> tuple[str, Any]:
    """The format of a payload, and the payload in the form of the target; adds to the losses and notes."""
    source = source_of(payload, options, outcome)
    made = convert_payload(payload, source, options.target, **_of_convert(options))
    outcome.losses += made.losses
    if made.path is not None and FORMATS[options.target].in_url:
        outcome.notes.append(f"for {made.path}")
    return source, made.payload


def _problems(conversation: RowConversation, options: Options) -> Sequence[Problem]:
    target = FORMATS[options.target]
    payload = conversation.payload
    if conversation.format == options.target:
        return check(payload, target)
    if conversation.format == OWN:
        return check(read_own(payload), target)
    return convert(payload, source=FORMATS[conversation.format], target=target, check=True).problems


def converted_columns(options: Options) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    """The columns whose conversations become others, None where documents are no rows; and those that there may be then."""
    if not options.target:
        return frozenset(), ()
    if options.columns:
        return frozenset(options.columns), ()
    if options.layout is None:
        return None, ()
    fields = fields_of(LAYOUTS[options.layout])
    system = None if options.target == OWN else FORMATS[options.target].system
    beside = (system,) if system else ()
    return frozenset(fields), beside


# The format of the source


def source_of(payload: Any, options: Options, outcome: Outcome) -> str:
    """The format that a payload is read as; where that is found out, it is noted. Raises `InvalidPayload`."""
    if options.source != AUTO:
        return options.source
    name = the_only(request_forms(payload, prefer_of(options)), payload)
    outcome.notes.append(f"detected as {name}")
    return name


def the_only(found: Sequence[Form], payload: Json) -> str:
    """The name of the one format that a payload may be of. Raises `InvalidPayload` if there is none, or more."""
    if not found:
        reason = "it does not look like a request in a known format: name its format with --from"
        raise InvalidPayload([Fault("", reason)], likeness(payload))
    if len(found) > 1:
        raise InvalidPayload([Fault("", f"{may_be(found)}: name one with --from, or list one with --prefer")])
    return name_of(found[0])


# What is at a place


def excerpt(payload: Json, path: str) -> str:
    """What is at a place of a payload, in 100 characters at most; of a place that is not there, what holds it."""
    for escaped in path.split("/")[1:]:
        key = escaped.replace("~1", "/").replace("~0", "~")
        if isinstance(payload, dict) and key in payload:
            payload = payload[key]
        elif isinstance(payload, list) and key.isdecimal() and int(key) < len(payload):
            payload = payload[int(key)]
    text = shortened(payload)
    return text if len(text) <= 100 else text[:99] + "…"
