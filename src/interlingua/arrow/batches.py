"""Batches of conversations in Arrow, for engines that run a function over each batch: Ray, Spark, datasets, Polars, DuckDB.

Each function takes a `RecordBatch` (or a `Table`) and returns one with the same rows in the same order: other columns stay as
they are, and new columns are added. The functions are pure and can be pickled, also as a `functools.partial`. Engines that need
the schema first get it from `output_schema`. Source and target are names of formats, or `"interlingua"` for canonical messages,
requests and conversations. A malformed row does not stop the work: its fault is in the column `error`.

The column with the conversations holds JSON text (string or binary, also large, as views, with a dictionary, or as Arrow's
extension type `arrow.json`), or structs and lists, or only nulls. In structs, Arrow writes null for a field that is absent, so
fields that are null are left out. JSON text is returned in the column's type, structs as JSON text. Lists keep their nulls,
maps with text as keys become objects, and JSON text of the type `arrow.json` is read wherever it is. A type that JSON does not
have (bytes, dates, decimals) is refused before any row is read.

Needs the extra `arrow`.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The stubs of pyarrow say nothing about the types that arrays hold.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import pyarrow as pa
from pydantic import ValidationError
from pydantic_core import to_json

from ..checking.checks import check
from ..codec.format import Format
from ..conversion.canonical import OWN, read_any, read_own
from ..conversion.json_text import parse
from ..conversion.layouts import LAYOUTS, layout_of, name_of
from ..conversion.requests import JSON_TEXT, convert
from ..conversion.rows import convert_payload, convert_row
from ..conversion.sources import request_form
from ..errors import Fault, InterlinguaError, InvalidPayload, Loss, LossyConversion, Problem, error_body, escape
from ..formats import FormatName, format_of
from ..history.fingerprints import fingerprint
from ..model.base import Json
from .columns import MESSAGES, REST, index_of, is_messages, message_rows, messages_in, values_of

BatchT = TypeVar("BatchT", pa.RecordBatch, pa.Table)
Form: TypeAlias = "FormatName | Format | Literal['interlingua', 'auto']"
Target: TypeAlias = "FormatName | Format | Literal['interlingua']"
Prefer: TypeAlias = "Iterable[FormatName | Format]"
OnError = Literal["column", "raise", "drop"]
"""What to do with a malformed row: put its fault into the column `error`, raise `InvalidPayload`, or leave the row out."""


def _struct_of(kind: Any) -> pa.StructType:
    return pa.struct([pa.field(name, pa.string()) for name in kind._fields])


ERROR = _struct_of(Fault)
"""The type of the column `error`: the first fault of a row, as a JSON Pointer into its conversation, and a reason."""
LOSSES = pa.list_(_struct_of(Loss))
"""The type of the column `losses`; in each, `path` points into the conversation as it was, `at` into the new one."""
PROBLEMS = pa.list_(_struct_of(Problem))
"""The type of the column `problems`; in each, `path` points into the conversation."""


def convert_batch(
    batch: BatchT,
    *,
    source: Form,
    target: Target,
    column: str = "messages",
    on_error: OnError = "column",
    prefix: str = "",
    prefer: Prefer = (),
    strict: bool = False,
    model: str | None = None,
    stream: bool | None = None,
) -> BatchT:
    """Convert the conversations in a column; adds the columns `losses` and `error`.

    A malformed row gets null in place of its conversation, and its fault in `error`. `prefix` is put before the names of the
    added columns. `strict`, `model` and `stream` are as for `convert`; with `strict`, a loss is a fault. Raises
    `UnknownFormat`, and `ValueError` if the column is missing or of a type that is not read, if the name of an added column is
    taken, and for a target whose bodies hold bytes.
    """
    wanted = _target(target)
    options: dict[str, Any] = {"strict": strict, "model": model, "stream": stream}

    def step(payload: Any, form: Any) -> Sequence[Any]:
        made = convert_payload(payload, form, wanted, **options)
        return to_json(made.payload), made.losses

    def row(payload: Any, layout: str) -> Sequence[Any]:
        made = convert_row(payload, LAYOUTS[layout], wanted, **options)
        return to_json(made.payload), made.losses, made.source, layout

    plan = _plan(column, source, on_error, prefix, {prefix + "losses": LOSSES}, _type_of_text)
    return _stepped(batch, _of_source(step, source, prefer, row), plan)


def fingerprint_batch(
    batch: BatchT,
    *,
    source: Form = "interlingua",
    column: str = "messages",
    on_error: OnError = "column",
    prefix: str = "",
    prefer: Prefer = (),
) -> BatchT:
    """Add the column `fingerprint`, with `interlingua.fingerprint` of each conversation in a column.

    It is null for a malformed row. Raises as `convert_batch` does.
    """

    def step(payload: Any, form: Any) -> Sequence[Any]:
        return (fingerprint(read_any(payload, form)),)

    return _stepped(
        batch, _of_source(step, source, prefer), _plan(column, source, on_error, prefix, {prefix + "fingerprint": pa.string()})
    )


def load_batch(
    batch: BatchT,
    *,
    source: Form,
    column: str = "messages",
    on_error: OnError = "column",
    prefix: str = "",
    prefer: Prefer = (),
) -> BatchT:
    """Load the conversations in a column: the column becomes one of canonical messages, of the type `MESSAGES`.

    Anything else in a conversation (tools, settings, an id) is in the column `<column>_rest`, as JSON text of a `Request` or a
    `Conversation` without its messages, or null if there are only messages. With `source="interlingua"`, the functions of
    this module read such a column, together with `<column>_rest` if there is one. Raises as `convert_batch` does.
    """

    def step(payload: Any, form: Any) -> Sequence[Any]:
        value = read_any(payload, form)
        if isinstance(value, list):
            return message_rows([message.to_dict() for message in value]), None
        data = value.to_dict()
        return message_rows(data.pop("messages")), to_json(data)

    added: dict[str, pa.DataType] = {column + REST: pa.string()}
    plan = _plan(column, source, on_error, prefix, added, _type_of_messages)
    return _stepped(batch, _of_source(step, source, prefer), plan)


def validate_batch(
    batch: BatchT,
    *,
    source: Form = "interlingua",
    column: str = "messages",
    on_error: OnError = "column",
    prefix: str = "",
    prefer: Prefer = (),
) -> BatchT:
    """Validate the conversations in a column, which stays as it is; adds the column `error`.

    With `on_error="drop"`, only valid rows remain. Raises as `convert_batch` does.
    """

    def step(payload: Any, form: Any) -> Sequence[Any]:
        read_any(payload, form)
        return ()

    return _stepped(batch, _of_source(step, source, prefer), _plan(column, source, on_error, prefix, {}))


def check_batch(
    batch: BatchT,
    *,
    target: FormatName | Format,
    source: Form | None = None,
    column: str = "messages",
    on_error: OnError = "column",
    prefix: str = "",
    prefer: Prefer = (),
) -> BatchT:
    """Check the conversations in a column for what the target's provider would refuse; adds the column `problems`.

    They are in the target's format, or in that of `source`; the latter are checked as the bodies that a conversion would write.
    Raises as `convert_batch` does.
    """
    wanted = format_of(target)
    given: Form = wanted if source is None else source

    def step(payload: Any, form: Any) -> Sequence[Any]:
        if form == OWN:
            return (check(read_own(payload), wanted),)
        if form.name == wanted.name:
            return (check(payload, wanted),)
        return (convert(payload, source=form, target=wanted, check=True).problems,)

    plan = _plan(column, given, on_error, prefix, {prefix + "problems": PROBLEMS})
    return _stepped(batch, _of_source(step, given, prefer), plan)


def output_schema(step: Callable[[pa.RecordBatch], pa.RecordBatch], schema: pa.Schema) -> pa.Schema:
    """The schema of the batches that a function returns for batches of `schema`.

    Pass one of the functions of this module as `step`, with its arguments:
    `output_schema(partial(convert_batch, source="verifiers", target="openrouter"), batch.schema)`.
    """
    kinds: list[Any] = schema.types
    return step(pa.RecordBatch.from_arrays([pa.nulls(0, kind) for kind in kinds], schema=schema)).schema


# What is done with one conversation


def _form(named: Form) -> Any:
    return named if named == OWN else format_of(named)


def _target(named: Target) -> Any:
    target = _form(named)
    if isinstance(target, Format) and target.json_form is not None:
        raise ValueError(f"{target.name} has bytes, which JSON text cannot hold: convert to {target.json_form}")
    return target


def _of_source(
    step: Callable[[Any, Any], Sequence[Any]],
    source: Form,
    prefer: Prefer,
    row: Callable[[Any, str], Sequence[Any]] | None = None,
) -> Callable[[Any], Sequence[Any]]:
    """A step for payloads of this source; where that is found out, it says for each what it was taken for.

    Rows of a layout are done by `row`, and refused without one.
    """
    if source != "auto":
        form = _form(source)
        return lambda payload: step(payload, form)
    preferred = [format_of(each) for each in prefer]

    def found(payload: Any) -> Sequence[Any]:
        data = parse(payload) if isinstance(payload, JSON_TEXT) else payload
        layout = None if row is None else layout_of(data)
        if row is not None and layout is not None:
            return row(data, layout)
        form = request_form(data, preferred)
        return (*step(data, form), name_of(form), None)

    return found


# What is done with a batch


class _Plan(NamedTuple):
    """How a batch is worked on: the column and its format, the added columns before `error`, and the type that it gets."""

    column: str
    source: Any
    on_error: OnError
    prefix: str
    added: dict[str, pa.DataType]
    becomes: Callable[[Any], Any] | None = None


def _plan(
    column: str,
    source: Form,
    on_error: OnError,
    prefix: str,
    added: dict[str, pa.DataType],
    becomes: Callable[[Any], Any] | None = None,
) -> _Plan:
    if source == "auto":
        added = added | {prefix + "source": pa.string(), prefix + "layout": pa.string()}
    return _Plan(column, source, on_error, prefix, added, becomes)


def _stepped(batch: BatchT, step: Callable[[Any], Sequence[Any]], plan: _Plan) -> BatchT:
    """A batch whose column was worked on; a step gives the new conversation, if any, and the values of the added columns."""
    if plan.on_error not in ("column", "raise", "drop"):
        raise ValueError('on_error must be "column", "raise" or "drop"')
    at = index_of(batch.schema, plan.column)
    read = _reader(batch.schema.field(at).type, own=plan.source == OWN)
    schema = _schema(batch.schema, at, plan)
    if isinstance(batch, pa.Table):
        pieces = batch.to_batches()
        starts = accumulate((piece.num_rows for piece in pieces), initial=0)
        made = [_one_batch(piece, at, read, step, schema, plan, start) for piece, start in zip(pieces, starts, strict=False)]
        return pa.Table.from_batches(made, schema=schema)
    return _one_batch(batch, at, read, step, schema, plan, 0)


def _schema(schema: pa.Schema, at: int, plan: _Plan) -> pa.Schema:
    added = {**plan.added, f"{plan.prefix}error": ERROR}
    for name in added:
        if name in schema.names:
            raise ValueError(f"the batch already has a column {name!r}: rename or drop it, or pass another prefix")
    if plan.becomes is not None:
        field = schema.field(at)
        kind = plan.becomes(field.type)
        schema = schema.set(at, field.with_nullable(True) if kind == field.type else pa.field(field.name, kind))
    for name, kind in added.items():
        schema = schema.append(pa.field(name, kind))
    return schema


def _one_batch(
    batch: pa.RecordBatch,
    at: int,
    read: Callable[[Any], Any],
    step: Callable[[Any], Sequence[Any]],
    schema: pa.Schema,
    plan: _Plan,
    first: int,
) -> pa.RecordBatch:
    kinds = list(plan.added.values())
    if plan.becomes is not None:
        kinds.insert(0, schema.field(at).type)
    nothing = [() if kind in (LOSSES, PROBLEMS) else None for kind in kinds]
    rows: list[Sequence[Any]] = []
    faults: list[Fault | None] = []
    for number, value in enumerate(_payloads(batch, at), first):
        try:
            rows.append(step(_present(read(_readable(value)))))
            faults.append(None)
        except (InterlinguaError, ValidationError) as error:
            if plan.on_error == "raise":
                raise _in_row(error, f"/{number}/{escape(plan.column)}") from None
            rows.append(nothing)
            faults.append(Fault(**error_body(error, most=1)["errors"][0]))
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in kinds]
    made = list(map(_array, columns, kinds))
    arrays = batch.columns
    if plan.becomes is not None:
        arrays[at] = made.pop(0)
    arrays += made
    arrays.append(pa.array([None if fault is None else fault._asdict() for fault in faults], ERROR))
    result = pa.RecordBatch.from_arrays(arrays, schema=schema)
    return _without(result, faults) if plan.on_error == "drop" else result


def _without(batch: pa.RecordBatch, faults: Sequence[Fault | None]) -> pa.RecordBatch:
    """The rows that have no fault; Arrow's own filter does not know all types of columns."""
    ends = accumulate(len(list(run)) for _, run in groupby(faults, lambda fault: fault is None))
    runs = pairwise(chain([0], ends))
    good = [batch.slice(start, end - start) for start, end in runs if faults[start] is None]
    made = pa.Table.from_batches(good, schema=batch.schema).combine_chunks().to_batches()
    return made[0] if made else batch.slice(0, 0)


def _present(payload: Any) -> Any:
    if payload is None:
        raise InvalidPayload([Fault("", "the row must have a conversation, but its column is null")])
    return payload


def _in_row(error: InterlinguaError | ValidationError, at: str) -> Exception:
    """An error whose paths point into the rows of the batch."""
    if isinstance(error, LossyConversion):
        return LossyConversion([loss._replace(path=at + loss.path) for loss in error.losses])
    faults = [Fault(at + fault["path"], fault["reason"]) for fault in error_body(error)["errors"]]
    return InvalidPayload(faults, error.hint if isinstance(error, InvalidPayload) else None)


# Reading and writing arrays


def _payloads(batch: pa.RecordBatch, at: int) -> Iterator[Any]:
    """The values of a column; those of canonical messages with what else there is of their conversations."""
    field = batch.schema.field(at)
    values = values_of(batch.column(at))
    rest = field.name + REST
    if not is_messages(field.type) or rest not in batch.schema.names:
        return values
    return zip(values, values_of(batch.column(index_of(batch.schema, rest))), strict=True)


def _canonical(value: Any) -> Any:
    """A payload of the package's own form, of a value of `_payloads`."""
    messages, rest = value if isinstance(value, tuple) else (value, None)
    if messages is None:
        return None
    if rest is None:
        return messages_in(messages)
    data: Json = parse(rest) if isinstance(rest, JSON_TEXT) else None
    if not isinstance(data, dict):
        raise InvalidPayload([Fault("", "the rest of a conversation must be a JSON object")])
    return {**data, "messages": messages_in(messages)}


def _readable(value: Any) -> Any:
    """A value of `_payloads`. Raises `InvalidPayload` if it could not be read."""
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, InvalidPayload):
            raise each
    return value


def _reader(kind: Any, *, own: bool) -> Callable[[Any], Any]:
    """What makes the payload of a column's value. Raises `ValueError` for a type that holds no conversations."""
    if _is_text(kind):
        return _same
    if is_messages(kind):
        if not own:
            raise ValueError('the column has canonical messages: pass source="interlingua"')
        return _canonical
    if isinstance(kind, pa.StructType) or _is_list(kind):
        return json_reader(kind)
    raise ValueError(f"a column of conversations must have JSON text, structs or lists, not {kind}")


def _same(value: Any) -> Any:
    return value


def json_reader(kind: Any) -> Callable[[Any], Any]:
    """What makes JSON data of the Python values of an Arrow type: without the fields of structs that are null."""
    if isinstance(kind, pa.StructType):
        return _struct_reader(kind)
    if pa.types.is_map(kind):
        if not any(holds(kind.key_type) for holds in _TEXTS):
            raise ValueError("a map in a column of conversations must have strings as keys")
        read = json_reader(kind.item_type)
        return lambda value: value if value is None else {key: read(item) for key, item in value}
    if _is_list(kind):
        read = json_reader(kind.value_type)
        return lambda value: value if value is None else [read(item) for item in value]
    if pa.types.is_dictionary(kind):
        return json_reader(kind.value_type)
    if is_json(kind):
        return lambda value: value if value is None else parse(value)
    if any(holds(kind) for holds in _JSON_TYPES):
        return _same
    raise ValueError(f"a column of conversations must not have values of type {kind}, which JSON does not have: cast them")


def _struct_reader(kind: Any) -> Callable[[Any], Any]:
    readers = {field.name: json_reader(field.type) for field in kind}
    if len(readers) < kind.num_fields:
        raise ValueError("the fields of a struct in the column of conversations must have different names")

    def read(value: Any) -> Any:
        return value if value is None else {name: readers[name](item) for name, item in value.items() if item is not None}

    return read


_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_JSON_TYPES = (*_TEXTS, pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_null)
_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)


def _is_list(kind: Any) -> bool:
    return hasattr(kind, "value_type") and not pa.types.is_dictionary(kind) and not pa.types.is_run_end_encoded(kind)


def is_json(kind: Any) -> bool:
    """Whether a type is JSON text as Arrow's extension type."""
    return isinstance(kind, pa.BaseExtensionType) and kind.extension_name == "arrow.json"


def _is_text(kind: Any) -> bool:
    """Whether values are JSON text, or nothing but nulls, whose type engines cannot know."""
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return is_json(kind) or any(holds(kind) for holds in (*_TEXTS, *_BYTES, pa.types.is_null))


def _type_of_text(kind: Any) -> Any:
    """The type of a column that conversions are written to."""
    if pa.types.is_dictionary(kind):
        return _type_of_text(kind.value_type)
    return kind if _is_text(kind) and not pa.types.is_null(kind) else pa.string()


def _type_of_messages(_kind: Any) -> Any:
    return MESSAGES


def _array(values: Iterable[Any], kind: Any) -> Any:
    """Values as an array of this type."""
    if kind in (LOSSES, PROBLEMS):
        return _lists(list(values), kind)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, _array(values, kind.storage_type))
    made = pa.array(values, kind)
    if isinstance(made, pa.ChunkedArray):
        raise ValueError(f"the results of this batch do not fit into a column of {kind}: pass smaller batches")  # noqa: TRY004 -- the type is right, the size is not
    return made


def _lists(rows: Sequence[Sequence[Any]], kind: Any) -> Any:
    """The named tuples of each row as lists of structs."""
    fields = list(kind.value_type)
    columns = list(zip(*chain.from_iterable(rows), strict=True)) or [()] * len(fields)
    items = pa.StructArray.from_arrays([pa.array(values, pa.string()) for values in columns], fields=fields)
    return pa.ListArray.from_arrays(pa.array([0, *accumulate(map(len, rows))], pa.int32()), items, type=kind)
