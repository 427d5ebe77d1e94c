"""Converts rows of datasets and batch files, and single payloads, for the command and for Arrow.

`layouts` finds the conversations of a row and puts the converted ones back; this module converts each. Paths in errors and
losses are translated from the conversation to the row (`within`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..codec.batches import Layout, pointer_of
from ..codec.format import Format
from ..errors import Fault, InvalidPayload, Loss, LossyConversion
from ..formats import format_of
from ..model.base import Json
from .canonical import OWN, convert_own
from .json_text import parse
from .layouts import RowConversation, conversations, converted, fields_of, fits_batch, in_rows, name_of
from .losses import unexpected
from .requests import convert
from .responses import dump_response, load_response


@contextmanager
def within(at: str | Callable[[str], str]) -> Generator[None]:
    """Errors about what is at a pointer of a document, with paths into the document."""
    pointer = at if callable(at) else at.__add__
    try:
        yield
    except InvalidPayload as error:
        raise InvalidPayload([fault._replace(path=pointer(fault.path)) for fault in error.faults], error.hint) from None
    except LossyConversion as error:
        raise LossyConversion([loss._replace(path=pointer(loss.path)) for loss in error.losses]) from None


class Made(NamedTuple):
    """What a payload became, its losses, and the path that it is sent to."""

    payload: Any
    losses: Sequence[Loss]
    path: str | None = None
    source: str = ""
    """The format of the conversations of a row."""


def convert_payload(payload: Any, source: str | Format, target: str | Format, **options: Any) -> Made:
    """A request or a conversation in the form of the target; options and errors are those of `convert`."""
    if OWN in (source, target):
        return Made(*convert_own(payload, source, target, **options))
    result = convert(payload, source=format_of(source), target=format_of(target), **options)
    return Made(result.payload, result.losses, result.endpoint.path)


def convert_row(row: Any, layout: Layout, target: str | Format, *, source: str | None = None, **options: Any) -> Made:
    """A row with its conversations converted, and its losses. `source` is their format, if it is not the layout's.

    Fields that are JSON text are JSON text again. Raises `InvalidPayload`, and what `convert` does.
    """
    if not fits_batch(layout, target):
        raise InvalidPayload(
            [Fault("", f"{name_of(target)} does not have a layout of batch files: see `interlingua formats --layouts`")]
        )
    target = in_rows(target, layout)
    row, texts = opened(row, layout)
    found = conversations(row, layout, source)
    made: list[tuple[Any, Sequence[Loss]]] = []
    for conversation in found:
        with within(conversation.pointer):
            if layout.answers:
                made.append(_convert_answer(conversation, target, strict=options.get("strict", False)))
            else:
                result = convert_payload(conversation.payload, conversation.format, target, **options)
                made.append((result.payload, result.losses))
    made_row, losses = converted(row, layout, target, found, made)
    written = {key: json.dumps(made_row[key], ensure_ascii=False) for key in texts if key in made_row}
    return Made(made_row | written, losses, source=found[0].format if found else layout.format)


def opened(row: Json, layout: Layout) -> tuple[Any, list[str]]:
    """The row with its fields that are JSON text read, and their names."""
    if not isinstance(row, dict):
        return row, []
    texts: dict[str, Any] = {}
    for key in fields_of(layout):
        value: Json = row.get(key)
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
            with within(pointer_of((key,))):
                texts[key] = parse(value)
    return row | texts, [*texts]


def _convert_answer(answer: RowConversation, target: str | Format, *, strict: bool) -> tuple[Any, Sequence[Loss]]:
    """A response in the form of the target; the paths of losses are those of its canonical form."""
    response = load_response(answer.payload, format_of(answer.format))
    if target == OWN:
        return response.to_dict(), ()
    losses: list[Loss] = []
    made = dump_response(response, format_of(target), on_loss=losses.append)
    if strict and unexpected(losses):
        raise LossyConversion(losses)
    return made, losses
