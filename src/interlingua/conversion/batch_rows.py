"""The rows of batch files, read: each with its id, its request, and the response or the error that it became."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..codec.batches import BatchFiles, Failure, Layout, Row, object_at
from ..codec.error_bodies import read_error
from ..codec.format import Format
from ..errors import Fault, InvalidPayload, ProviderError
from ..formats import FormatName, format_of
from ..model.exchange import Request, Response
from .json_text import parse
from .layouts import LAYOUTS, conversations, files_of, layout_of
from .requests import JSON_TEXT, load
from .responses import load_response
from .rows import within

_NAMES = tuple(name for name, layout in LAYOUTS.items() if layout.listed is None)
"""The layouts of batch files; the others are of datasets."""


class BatchRow(NamedTuple):
    """A row of a batch file.

    A row of requests has its `request`. A row of results has the `response`, or the `error` that the provider reported; if
    the request was not executed, the error's `type` is `expired` or `canceled`. Some providers repeat the request there. A
    malformed row has an `InvalidPayload` as its `error`, with paths into the row.
    """

    number: int
    """Which row it is, from 1; blank lines count."""
    id: str | None
    request: Request | None = None
    response: Response | None = None
    error: ProviderError | InvalidPayload | None = None
    layout: str | None = None
    """The name of its layout; None if it is not known."""


def load_batch(
    rows: Iterable[str | bytes | Mapping[str, Any]],
    *,
    layout: str | None = None,
    source: FormatName | Format | None = None,
) -> Iterator[BatchRow]:
    """Load the rows of a batch file, one after another: the lines of an open file, or dicts.

    The fields of a row show its layout, except for layouts that share their fields: for those, give `layout`, the name of the
    layout of all rows (`interlingua formats --layouts`). `source` is the format of the bodies, if it is not the layout's.
    Raises `UnknownFormat`, `ValueError` for a layout that is not of batch files, and `TypeError`; what is wrong with a row is
    its `error`.
    """
    if isinstance(rows, str | bytes | bytearray | memoryview | Mapping) or not hasattr(rows, "__iter__"):
        raise TypeError("rows must be an iterable of lines or dicts, such as an open file, not one text or dict")
    if layout is not None and layout not in [*_NAMES]:  # which takes what has no hash
        raise ValueError(f"unknown layout of batch files; must be one of {', '.join(_NAMES)}")
    format = None if source is None else format_of(source)
    return _rows(rows, layout, format)


def _rows(rows: Iterable[Any], name: str | None, source: Format | None) -> Iterator[BatchRow]:
    for number, row in enumerate(rows, 1):
        if isinstance(row, JSON_TEXT) and not row.strip():
            continue
        read = BatchRow(number, None, layout=name)
        try:
            data: Any = parse(row) if isinstance(row, JSON_TEXT) else row
            fields = object_at(data, ())
            found = name or _known(fields)
            layout = LAYOUTS[found]
            id = fields.get(files_of(layout).id)
            read = read._replace(id=id if type(id) is str else None, layout=found)
            yield read._replace(**_read(fields, layout, source))
        except InvalidPayload as error:
            yield read._replace(error=error)


def _known(row: Row) -> str:
    """The layout of a row that is known by its fields. Raises `InvalidPayload`."""
    found = layout_of(row)
    if found not in _NAMES:
        raise InvalidPayload([Fault("", "it does not look like a row of a batch file: name its layout")])
    return found


def _read(row: Row, layout: Layout, source: Format | None) -> dict[str, Any]:
    """What a row has. Raises `InvalidPayload`."""
    if not layout.answers:
        return {"request": _request(row, layout, source)}
    files = files_of(layout)
    repeated = _repeated(row, files)
    failure = files.failure(row)
    if failure is not None:
        return {"error": _error(failure, layout), **_request_beside(row, repeated, source)}
    asked = _request_beside(row, repeated, source)
    [answer] = conversations(row, layout, None if source is None else source.name)
    try:
        with within(answer.pointer):
            return {"response": load_response(answer.payload, source or format_of(answer.format)), **asked}
    except ProviderError as error:
        return {"error": error, **asked}


def _request(row: Row, layout: Layout, source: Format | None) -> Request:
    [asked] = conversations(row, layout, None if source is None else source.name)
    with within(asked.pointer):
        found: Request = load(asked.payload, source or format_of(asked.format))
        return found


def _repeated(row: Row, files: BatchFiles) -> Layout | None:
    """The layout of the request that a row of results repeats, if it does."""
    return next((layout for layout in files.requests.values() if layout.at[0] in row), None)


def _request_beside(row: Row, layout: Layout | None, source: Format | None) -> dict[str, Any]:
    """The request beside a result; nothing if it cannot be read, which does not make the result worse."""
    try:
        return {} if layout is None else {"request": _request(row, layout, source)}
    except InvalidPayload:
        return {}


def _error(failure: Failure, layout: Layout) -> ProviderError:
    error = read_error(failure.body, status=failure.status, origin=layout.format)
    if failure.is_error:
        return error
    return ProviderError(error.message, type=failure.kind, body=failure.body, origin=layout.format)
