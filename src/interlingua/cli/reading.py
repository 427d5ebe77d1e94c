"""The values that `show` and `diff` read: requests, conversations and responses, in documents and in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

import click
from pydantic import ValidationError

from ..conversion.canonical import OWN, read_any
from ..conversion.detection import detect
from ..conversion.layouts import conversations
from ..conversion.rows import within
from ..conversion.sources import read_response, response_forms
from ..errors import InterlinguaError
from ..model.exchange import Conversation, Request, Response
from ..model.messages import Message
from . import report
from .document import Document
from .documents import Source, files
from .work import AUTO, Options, Outcome, given_source, layout_for, parsed, payloads_in, prefer_of, source_of, the_only

Value: TypeAlias = Request | Conversation | Response | list[Message]


# Files


def source_of_files(patterns: Sequence[str]) -> Source:
    """The documents of files. Raises click's `UsageError` for one that cannot be read."""
    try:
        return Source(files(patterns))
    except OSError as error:
        raise click.UsageError(f"cannot read {error.filename}: {error.strerror}") from None


def chosen(source: Source, lines: Sequence[int], limit: int | None) -> Iterator[Document]:
    """The documents of some files: those of the given lines, and at most `limit` of them.

    Raises click's `UsageError` if none has such a line.
    """
    found = False
    matching = (document for document in source if not lines or document.line in lines)
    for document in islice(matching, limit):
        found = True
        yield document
    if lines and not found:
        where = f"{', '.join(source.names[:3])}, line {', '.join(map(str, lines))}"
        raise click.UsageError(f"{where} has no conversation")


def say_notes(outcome: Outcome, noted: set[str], *, quiet: bool) -> None:
    """Say what was found out about a document, before it is shown; each once."""
    if not quiet:
        for note in outcome.notes:
            if note not in noted:
                report.say(f"{outcome.where}: {note}")
    noted.update(outcome.notes)
    outcome.notes.clear()


# Values


def values(document: Document, options: Options, outcome: Outcome) -> Iterator[tuple[str, Value]]:
    """The values in a document, each with its pointer. Raises `InvalidPayload`."""
    data = parsed(document)
    layout = layout_for(data, options, outcome)
    if layout is not None:
        read_one: Callable[[Any, str], Value] = read_response if layout.answers else read_any
        for conversation in conversations(data, layout, given_source(options)):
            with within(conversation.pointer):
                value = read_one(conversation.payload, conversation.format)
            yield conversation.pointer(""), value
        return
    for at, payload in payloads_in(data, options):
        with within(at):
            value = read(payload, options, outcome)
        yield at, value


def read(payload: Any, options: Options, outcome: Outcome) -> Value:
    """The messages, request, conversation or response that a payload is. Raises `InvalidPayload`."""
    found = detect(payload)
    answers = any(each.kind == "response" and (each.supported or each.format == OWN) for each in found)
    likely = answers and not any(each.kind in ("request", "messages") for each in found)
    if options.source != AUTO:
        readers: list[Callable[[Any, str], Value]] = [read_any, read_response]
        return _first(payload, options.source, reversed(readers) if likely else readers)
    if not likely:
        return read_any(payload, source_of(payload, options, outcome))
    name = the_only(response_forms(payload, prefer_of(options)), payload)
    outcome.notes.append(f"detected as a response of {name}")
    return read_response(payload, name)


def _first(payload: Any, source: str, readers: Iterable[Callable[[Any, str], Value]]) -> Value:
    """What the first of the readers makes of a payload that does not refuse it. Raises the error of the first of all."""
    errors: list[Exception] = []
    for reader in readers:
        try:
            return reader(payload, source)
        except (InterlinguaError, ValidationError) as error:
            errors.append(error)
    raise errors[0]
