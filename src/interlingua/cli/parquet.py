"""Parquet files as files of rows: read and written by the row group, so that memory does not grow with the file.

A row is read as an object: JSON text stays text, structs and lists become JSON without the fields that are null, and other
values (dates, times, durations, decimals, NaN and infinity) are read as text. A row is written with the columns of the input,
in their types, unless a conversation in them was converted; those columns, and new ones, are text: JSON text, where they hold
anything but text.

Needs the extra `arrow`.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The stubs of pyarrow say nothing about the types that arrays hold.

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyarrow import compute as pc, parquet as pq
from pydantic_core import to_json

from ..arrow.batches import is_json, json_reader
from .document import Damaged, Document
from .output import followed

_BATCH = 256
_ROWS = 10_000
_BYTES = 32_000_000
"""How many rows, and how many bytes of them, are read at a time, and make a row group."""
PAYLOAD = "payload"
"""The column for documents that are no rows."""


# Reading


def read_rows(name: str, file: IO[bytes], moved: Callable[[float], None]) -> Iterator[Document]:
    """The rows of a file as documents; `moved` is called with the share of the file that has been read. Raises `Damaged`."""
    try:
        parquet = pq.ParquetFile(file)
        readers = [_reader(field) for field in parquet.schema_arrow]
        if len({*parquet.schema_arrow.names}) < len(readers):
            raise ValueError(f"the columns of {name} must have different names")
        number = 0
        for batch in parquet.iter_batches(_BATCH):
            for text in _rows(batch, readers):
                number += 1
                yield Document(name, number, text)
            moved(number / parquet.metadata.num_rows)
    except (pa.ArrowInvalid, OSError):
        raise Damaged(name) from None


def _rows(batch: Any, readers: Sequence[Callable[[Any], list[Any]]]) -> Iterator[bytes]:
    """The rows of a batch as JSON text; one with text that is not UTF-8 as no JSON, so that it fails alone."""
    try:
        columns = [read(column) for read, column in zip(readers, batch.columns, strict=True)]
    except UnicodeDecodeError:
        if batch.num_rows == 1:
            yield b'"\xff"'
        else:
            yield from chain.from_iterable(_rows(batch.slice(row, 1), readers) for row in range(batch.num_rows))
    else:
        names = batch.schema.names
        rows = (dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True))
        yield from (to_json(row, inf_nan_mode="strings") for row in rows)  # JSON has no word for them


def schema_of(names: Sequence[str]) -> pa.Schema | None:
    """The schema of the first of these files, if that is a Parquet file; None for a damaged one, which reading reports."""
    if not names or not is_parquet(names[0]):
        return None
    try:
        return pq.read_schema(names[0])
    except (pa.ArrowInvalid, OSError):
        return None


def is_parquet(name: str) -> bool:
    """Whether the name of a file says that it is a Parquet file."""
    return Path(name).suffix.lower() == ".parquet"


def _reader(field: Any) -> Callable[[Any], list[Any]]:
    """What makes JSON data of a column. Raises `ValueError` for a type that has none."""
    if is_json(field.type):
        return lambda column: column.storage.to_pylist()
    try:
        read = json_reader(field.type)
    except ValueError:
        if not _is_cast(field.type):
            raise ValueError(f"the column {field.name} has values of type {field.type}, which JSON does not have") from None
        return lambda column: column.cast(pa.string()).to_pylist()
    return lambda column: [read(value) for value in column.to_pylist()]


def _is_cast(kind: Any) -> bool:
    """Whether values are read as text, of which they can be made again."""
    return pa.types.is_temporal(kind) or pa.types.is_decimal(kind)


# Writing


class ParquetPart:
    """A Parquet file under way, `FILE.part`, which becomes FILE when it is finished.

    `schema` is that of the input, if it has one; the columns `converted` are not written in its types. Where that is None, a
    document is no row, and becomes the one column `payload`. The first row group says what columns there are.
    """

    def __init__(self, name: str, schema: pa.Schema | None, converted: frozenset[str] | None, more: Sequence[str] = ()) -> None:
        self.name = name
        self._target = followed(name)
        self._path = Path(f"{self._target}.part")
        self._file = self._path.open("wb")
        self._known = schema
        self._converted = converted
        self._more = more
        self._rows: list[dict[str, Any]] = []
        self._size = 0
        self._writer: pq.ParquetWriter | None = None
        self._columns = pa.schema([])

    def write(self, lines: Iterable[str]) -> None:
        """Write rows, each a JSON text. Raises `ValueError` for one that does not fit those before it."""
        for line in lines:
            self._rows.append({PAYLOAD: line} if self._converted is None else json.loads(line))
            self._size += len(line)
            if len(self._rows) == _ROWS or self._size >= _BYTES:
                self._write_group()

    def flush(self) -> int:
        """Nothing: a Parquet file cannot be continued."""
        return 0

    def finish(self) -> None:
        """Give the file its name."""
        self._write_group()
        if self._writer is not None:
            self._writer.close()
        self._file.close()
        self._path.replace(self._target)

    def leave(self) -> None:
        """Remove what there is, which cannot be continued."""
        if self._writer is not None:
            self._writer.close()  # it writes to the file now, instead of when it is collected
        self._file.close()
        self._path.unlink(missing_ok=True)

    def _write_group(self) -> None:
        if self._writer is None:
            self._columns = self._schema()
            self._writer = pq.ParquetWriter(self._file, self._columns, compression="zstd")
        schema = self._columns
        names = {*schema.names}
        for row in self._rows:
            if not row.keys() <= names:
                new = min(row.keys() - names)
                raise ValueError(f"{self.name}: a row has a column {new!r}, which the first {_ROWS:,} do not have")
        if self._rows:
            arrays = [_array([row.get(field.name) for row in self._rows], field, self.name) for field in schema]
            self._writer.write_batch(pa.record_batch(arrays, schema=schema))
        self._rows = []
        self._size = 0

    def _schema(self) -> pa.Schema:
        """The columns of the input that there still are, and those that the rows have besides."""
        found: dict[str, list[Any]] = {}
        for row in self._rows:
            for name, value in row.items():
                found.setdefault(name, []).append(value)
        if self._converted is None:
            return pa.schema([pa.field(PAYLOAD, pa.string())])
        given = self._known or ()
        known = [field for field in given if not found or field.name in found or field.name not in self._converted]
        fields = [pa.field(field.name, pa.string()) if field.name in self._converted else field for field in known]
        names = {field.name for field in fields}
        for name in dict.fromkeys((*found, *self._more)):
            if name not in names:
                as_text = self._known is not None or name in self._converted
                fields.append(pa.field(name, _type_of([] if as_text else found.get(name, []))))
        return pa.schema(fields)


def _type_of(values: Sequence[Any]) -> pa.DataType:
    """The type of a column of JSON values: truth values, numbers, or text, which stands for everything else."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64()
    return pa.float64() if kinds and kinds <= {int, float} else pa.string()


def _array(values: list[Any], field: Any, name: str) -> Any:
    """Values of JSON as a column. Raises `ValueError` if they have another type."""
    kind = field.type
    try:
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            return pa.array([value if value is None or isinstance(value, str) else _text(value) for value in values], kind)
        if _is_cast(kind):
            return _cast(pa.array(values, pa.string()), kind)
        return pa.array(_with_floats(values, kind), kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        raise ValueError(f"{name}: a value of the column {field.name} must be a {kind}, as in the rows before") from None


_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""The numbers that JSON has no words for, as they are read."""


def _with_floats(values: list[Any], kind: Any) -> list[Any]:
    """The values of a column, with the numbers that were read as text."""
    change = _number_of(kind)
    return values if change is None else [None if value is None else change(value) for value in values]


def _number_of(kind: Any) -> Callable[[Any], Any] | None:
    """What makes the numbers in a value of texts; None if values of this type have no floats."""
    if pa.types.is_floating(kind):
        return lambda value: _FLOATS.get(value, value) if isinstance(value, str) else value
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        item = kind.value_type
        if _number_of(item) is not None:
            return lambda value: _with_floats(value, item) if isinstance(value, list) else value
    if pa.types.is_struct(kind):
        fields: dict[str, Callable[[Any], Any]] = {}
        for field in kind:
            change = _number_of(field.type)
            if change is not None:
                fields[field.name] = change
        if fields:
            return lambda value: _with_fields(value, fields) if isinstance(value, dict) else value
    return None


def _with_fields(value: dict[str, Any], fields: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    out = dict(value)
    for key, change in fields.items():
        if out.get(key) is not None:
            out[key] = change(out[key])
    return out


def _cast(texts: Any, kind: Any) -> Any:
    """Texts as the values that they were made of; Arrow itself casts no text to times of day and durations."""
    if pa.types.is_time(kind):
        return pc.binary_join_element_wise("1970-01-01", texts, " ").cast(pa.timestamp(kind.unit)).cast(kind)
    return texts.cast(pa.int64()).cast(kind) if pa.types.is_duration(kind) else texts.cast(kind)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
