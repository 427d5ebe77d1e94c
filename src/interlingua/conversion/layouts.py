"""Finds the conversations in rows of datasets and batch files, and puts the converted ones back.

Each format lists the layouts of its rows in `batches`. A row of one provider's batch file becomes a row of another's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ..codec.batches import Batches, BatchFiles, Failure, Layout, Row, field_at, object_at, pointer_of
from ..codec.error_bodies import read_error
from ..codec.format import Format
from ..errors import Fault, InvalidPayload, Loss
from ..formats import FORMATS, format_of
from ..model.base import Json
from .canonical import OWN
from .detection import likeness


def _batches() -> Iterator[Batches]:
    """What the formats know of rows."""
    for load in dict.fromkeys(format.batch for format in FORMATS.values() if format.batch is not None):
        yield load()


_BATCHES = tuple(_batches())
_FILES = tuple(each.files for each in _BATCHES if each.files is not None)

LAYOUTS: Mapping[str, Layout] = {
    **{name: layout for files in _FILES for name, layout in (files.requests | files.results).items()},
    **{name: layout for each in _BATCHES for name, layout in each.datasets.items()},
}
"""Every layout by name; of two that fit a row, the first is more precise."""


_PREFERENCES = [each.preference for each in _BATCHES if each.preference is not None]


def layout_of(row: Json) -> str | None:
    """The layout of a row that is known by its fields; None for any other."""
    if not isinstance(row, dict):
        return None
    found: str | None = None
    most = 0
    for name, layout in LAYOUTS.items():
        marks = _marks_in(row, layout)
        if marks > most:  # of several with as many marks, the first
            found, most = name, marks
    if found is None:
        return None
    # If the prompt is a text, the row may be anything.
    is_text = type(row.get(LAYOUTS[found].listed or "")) is str
    return None if is_text else found


def _marks_in(row: dict[str, Any], layout: Layout) -> int:
    """How many fields of a row mark it as one of this layout; 0 if it is of another."""
    if not all(row.get(key) == value for key, value in layout.constants.items()):
        return 0
    return max([len(marks) for marks in (layout.marks, layout.failed) if row.keys() >= {*marks}], default=0)


class RowConversation(NamedTuple):
    """A conversation in a row: its format, the request or response, and what translates pointers in it to those in the row."""

    format: str
    payload: Any
    pointer: Callable[[str], str]


def conversations(row: Json, layout: Layout, source: str | None = None) -> list[RowConversation]:
    """The conversations of a row: that of its messages, and each that continues it, or stands in another field.

    `source` is their format, if it is another. A row whose messages are text, or which has an error in place of a response, has
    none. Raises `InvalidPayload`.
    """
    if layout.answers and files_of(layout).failure(object_at(row, ())) is not None:
        return []
    holder = object_at(row, layout.at)
    format = source or _format_in(object_at(row, ()), holder, layout)
    if layout.listed is None:
        return [RowConversation(format, holder, pointer_of(layout.at).__add__)]
    messages: Json = field_at(holder, layout.listed, layout.at)
    if isinstance(messages, str):
        return []
    named = _listed(format)
    beside = {key: holder[key] for key in layout.beside if key in holder}
    before: list[Any] = messages if isinstance(messages, list) and not layout.whole else []
    pointer = _Pointers(layout, named, len(before))
    found = [RowConversation(format, {named: messages, **beside}, pointer.of(None))]
    for place in _places(row, layout):
        more = place.value
        is_one = isinstance(more, dict)
        if is_one:
            more = [more]
        if not isinstance(messages, list) or not isinstance(more, list):
            raise InvalidPayload([Fault(pointer_of(place.path), "Input should be a list of messages")])
        payload = {named: [*before, *more], **beside}
        found.append(RowConversation(format, payload, pointer.of(place.path, alone=is_one)))
    return found


class _Place(NamedTuple):
    """Where a row has messages that continue those of its prompt, and what it has there."""

    path: tuple[str, ...]
    value: Json


def _places(row: Json, layout: Layout) -> list[_Place]:
    """The places of messages that continue a prompt. Raises `InvalidPayload`."""
    if layout.wrapped is None:
        return [_Place((key,), field_at(row, key, ())) for key in layout.continued]
    found: list[_Place] = []
    for key in layout.continued:
        items: Json = field_at(row, key, ())
        if not isinstance(items, list):
            raise InvalidPayload([Fault(pointer_of((key,)), "Input should be a list")])
        for i, item in enumerate(items):
            path = (key, str(i))
            found.append(_Place((*path, layout.wrapped), field_at(item, layout.wrapped, path)))
    return found


def _replace_at(out: Row, path: Sequence[str], value: Any) -> None:
    """Put a value into a row at a place, in copies of the list and the object around it."""
    key, *inside = path
    if inside:
        place = int(inside[0])
        field = inside[1]
        out[key] = [{**item, field: value} if i == place else item for i, item in enumerate(out[key])]
    else:
        out[key] = value


def converted(
    row: Json,
    layout: Layout,
    target: str | Format,
    found: Sequence[RowConversation],
    made: Sequence[tuple[Any, Sequence[Loss]]],
) -> tuple[Any, list[Loss]]:
    """The row with what its conversations became, in their order, each with its losses; and the losses of the row.

    Raises `InvalidPayload` if a conversation can no longer be divided, or a field has the name of another one.
    """
    row = object_at(row, ())
    if not found:
        return _as_result(row, layout, target, None) if layout.answers else (row, [])
    losses = _losses_of_row(found, made, 0 if layout.whole else 1)
    if layout.listed is None:
        put = _as_result if layout.answers else _as_request
        out, more = put(row, layout, target, made[0][0])
        return out, losses + more
    named = _listed(target)
    first: Row = {**made[0][0]}
    prompt: Json = [] if layout.whole else first.get(named)
    out = _with_fields(row, layout, found[0].format, named, first)
    answers: list[list[Any]] = []
    for place, (whole, _) in zip(_places(row, layout), made[1:], strict=True):
        rest = _rest(whole, first, named, prompt)
        if rest is None:
            raise InvalidPayload(
                [Fault(pointer_of(place.path), f"{name_of(target)} cannot divide the conversation where the row does")]
            )
        answers.append(rest)
        was_one = isinstance(place.value, dict)
        _replace_at(out, place.path, rest[0] if was_one and len(rest) == 1 else rest)
    return _as_preference(row, layout, target, first, answers) or _as_tuning(out, layout, target), losses


def _as_preference(row: Row, layout: Layout, target: str | Format, prompt: Row, answers: list[list[Any]]) -> Row | None:
    """A row of two answers in the target's layout; None if the target has none, or the same. Raises `InvalidPayload`."""
    own = next((each for each in _PREFERENCES if LAYOUTS[each.layout] is layout), None)
    batches = None if own is None or target == OWN else _batches_of(format_of(target))
    wanted = None if batches is None else batches.preference
    if own is None or wanted is None or wanted is own:
        return None
    order = own.order(row)
    made = None if order is None else wanted.written(prompt, answers[order[0]], answers[order[1]])
    if made is None:
        reason = f"{name_of(target)} takes two answers of one message each, one of them preferred"
        raise InvalidPayload([Fault(pointer_of(layout.continued[:1]), reason)])
    known = fields_of(layout)
    return made | {key: value for key, value in row.items() if key not in known and key not in made}


def _as_tuning(out: Row, layout: Layout, target: str | Format) -> Row:
    """A row for tuning in which the constant fields of the target's layout replace those of its own layout."""
    batches = None if target == OWN or not layout.tunes else _batches_of(format_of(target))
    if batches is None or layout.continued:
        return out
    wanted: Mapping[str, Json] = LAYOUTS[batches.tuning].constants if batches.tuning is not None else {}
    return {**wanted, **{key: value for key, value in out.items() if key in wanted or key not in layout.constants}}


def _losses_of_row(found: Sequence[RowConversation], made: Sequence[tuple[Any, Sequence[Loss]]], first: int) -> list[Loss]:
    """The losses of a row's conversations, with pointers into the row, each once.

    The conversations that continue a prompt report its losses, too, which may depend on what follows; then the `first` that is
    looked at comes after the prompt.
    """
    losses: dict[Loss, None] = {}
    for conversation, (_, lost) in zip(found[first:] or found, made[first:] or made, strict=True):
        for loss in lost:
            losses[loss._replace(path=conversation.pointer(loss.path))] = None
    return [loss._replace(at=None) for loss in losses]


def fields_of(layout: Layout) -> tuple[str, ...]:
    """The fields of a row that conversations are in."""
    inside = layout.at[:1] or ((layout.listed or ""), *layout.beside)
    return (*inside, *layout.continued)


def in_rows(target: str | Format, layout: Layout) -> str | Format:
    """The target as rows of the layout have it."""
    return _tuned(format_of(target)) if layout.tunes and target != OWN else target


@cache
def _tuned(format: Format) -> Format:
    batches = _batches_of(format)
    if batches is None or batches.tuned is None:
        return format
    tuned: Format = batches.tuned(format)
    return tuned


def fits_batch(layout: Layout, target: str | Format) -> bool:
    """Whether there is a layout for what a batch file becomes."""
    return layout.listed is not None or target == OWN or _files_for(format_of(target)) is not None


# Pieces of a row


def name_of(format: str | Format) -> str:
    """What a format, or the package's own form, is called."""
    return format if isinstance(format, str) else format.name


def _listed(format: str | Format) -> str:
    return "messages" if format == OWN else format_of(format).listed


def _format_in(row: Row, holder: Row, layout: Layout) -> str:
    """The format of a conversation, as a field of the row, or of the object, says it."""
    if layout.by_field:
        return _format_by_field(holder, layout)
    if layout.says is None:
        return layout.format
    key, meanings = layout.says
    word: Json = holder.get(key) if layout.answers else row.get(key)
    if not isinstance(word, str) or word not in meanings:
        at = (*layout.at, key) if layout.answers else (key,)
        raise InvalidPayload([Fault(pointer_of(at), f"Input should be one of {', '.join(meanings)}")])
    return meanings[word]


def _format_by_field(holder: Row, layout: Layout) -> str:
    found = next((format for key, format in layout.by_field.items() if key in holder), None)
    if found is None:
        reason = f"the body must have one of the fields {', '.join(layout.by_field)}: bodies of other models are not read"
        raise InvalidPayload([Fault(pointer_of(layout.at), reason)], likeness(holder))
    return found


class _Pointers(NamedTuple):
    """Translates pointers into a request made of fields of a row."""

    layout: Layout
    named: str
    before: int
    """How many messages there are before those that continue them."""

    def of(self, continued: Sequence[str] | None, *, alone: bool = False) -> Callable[[str], str]:
        """The translation for the conversation that what is at a place continues, or for that of the messages.

        The place may hold one message `alone`, and no list.
        """
        start = f"/{self.named}"

        def pointer(path: str) -> str:
            if path != start and not path.startswith(start + "/"):
                return pointer_of(self.layout.at) + path
            rest = path[len(start) :].split("/")[1:]
            number = int(rest[0]) if rest and rest[0].isdecimal() else -1
            if continued is not None and number >= self.before:
                index = [] if alone else [str(number - self.before)]
                return "/".join([pointer_of(continued), *index, *rest[1:]])
            return "/".join([pointer_of((*self.layout.at, self.layout.listed or "")), *rest])

        return pointer


def _with_fields(row: Row, layout: Layout, source: str, named: str, made: Row) -> Row:
    """The row with the fields of a request in place of those that it was."""
    holder = object_at(row, layout.at)
    out: Row = {}
    made = {**made}
    # A field with the name that the format has for messages gets that of the other format.
    name = named if layout.listed == _listed(source) else layout.listed or ""
    for key, value in holder.items():
        if key == layout.listed:
            if named in made:
                out[name] = made.pop(named)
        elif key not in layout.beside:
            out[key] = value
        elif key in made:
            out[key] = made.pop(key)
    for key, value in made.items():
        if key in out:
            raise InvalidPayload(
                [
                    Fault(
                        pointer_of((*layout.at, key)),
                        "the row already has a field with this name, which the conversation needs",
                    )
                ]
            )
        out[key] = value
    return _put(row, layout.at, out)


def _put(row: Row, path: Sequence[str], value: Any) -> Row:
    if not path:
        return {**value}
    return row | {path[0]: _put(row[path[0]], path[1:], value) if len(path) > 1 else value}


def _rest(whole: Any, first: Row, named: str, prompt: Json) -> list[Any] | None:
    """The messages of a whole conversation after those of its beginning; None if it does not begin with them."""
    messages: Json = whole.get(named)
    if not isinstance(messages, list) or not isinstance(prompt, list) or messages[: len(prompt)] != prompt:
        return None
    others = [{key: value for key, value in one.items() if key != named} for one in (whole, first)]
    return messages[len(prompt) :] if others[0] == others[1] else None


# Batch files


def files_of(layout: Layout) -> BatchFiles:
    """The batch files that a row of this layout is in."""
    return next(files for files in _FILES if layout in (*files.requests.values(), *files.results.values()))


def _batches_of(format: Format) -> Batches | None:
    """What a format knows of rows."""
    return None if format.batch is None else format.batch()


def _files_for(format: Format) -> BatchFiles | None:
    """The batch files that requests of a format go into."""
    batches = _batches_of(format)
    return None if batches is None else batches.files


def _as_request(row: Row, layout: Layout, target: str | Format, body: Any) -> tuple[Row, list[Loss]]:
    """A row of a batch file with a request, in the target's layout."""
    files = None if target == OWN else _files_for(format_of(target))
    if files is None:
        return _put(row, layout.at, body), []
    made = files.asked(body, format_of(target))
    written = row | made if files is files_of(layout) else _around(row, layout, files, made)
    return written, []


def _around(row: Row, layout: Layout, files: BatchFiles, made: Row) -> Row:
    """These fields, and the id, in place of those that are the layout's own."""
    own = files_of(layout)
    out: Row = {files.id: row.get(own.id), **made}
    return out | {key: value for key, value in row.items() if key not in own.fields and key not in out}


def _as_result(row: Row, layout: Layout, target: str | Format, body: Any) -> tuple[Row, list[Loss]]:
    """A row of results with the response, in the target's layout; one without a response says why there is none."""
    own = files_of(layout)
    files = None if target == OWN else _files_for(format_of(target))
    if files is None or files is own:
        out = row if body is None else _put(row, layout.at, body)
        return out, []
    failure = own.failure(row) if body is None else None
    made = files.answered(body) if failure is None else _failed(failure, files, layout, format_of(target))
    losses = [Loss(path, None, "dropped", files.without) for path in own.lost(row)]
    return _around(row, layout, files, made), losses


def _failed(failure: Failure, files: BatchFiles, layout: Layout, target: Format) -> Row:
    error = read_error(failure.body, status=failure.status, origin=layout.format)
    return files.failed(failure, target.own_error(error, FORMATS[layout.format]), target)
