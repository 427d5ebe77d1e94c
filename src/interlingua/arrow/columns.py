"""Stored conversations as columns: a schema without unions, from which rows come back exactly as they were.

Every field of a canonical value is a column or a field of a struct, under its own name. All kinds of messages share one struct,
and so do all kinds of parts. A field that holds text or something else has a second column for the latter: `content_parts` and
`input_object`. Free JSON and rare objects (citations, cache marks, provider data) are JSON text. Arrow does not distinguish an
absent field from one that is null, so each struct lists the names of fields that are null in `nulls`.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The stubs of pyarrow say nothing about the types that arrays hold.

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import pyarrow as pa
from pydantic_core import to_json

from ..conversion.json_text import parse
from ..conversion.requests import exactly, request_of, validate
from ..errors import Fault, InvalidPayload
from ..model.exchange import VERSION, Conversation
from ..model.messages import MessageBase

Shape: TypeAlias = Mapping[str, Any]
"""The columns of a value, and what each holds: a type, `JSON`, the shape of a struct, or a list with the shape of its items."""

TEXT: Final = pa.string()
FLAG: Final = pa.bool_()
JSON: Final = "JSON text"

_COMMON: Shape = {"cache_control": JSON, "signature": TEXT, "issuer": TEXT, "provider_data": JSON, "wire": JSON}
_SOURCE: Shape = dict.fromkeys("type url data file_id text media_type issuer".split(), TEXT)
_IMAGE_URL: Shape = {"url": TEXT, "detail": TEXT, "provider_data": JSON, "wire": JSON}
_INPUT_AUDIO: Shape = {"data": TEXT, "format": TEXT, "provider_data": JSON, "wire": JSON}
_RESULT_PART: Shape = {
    "type": TEXT,
    "text": TEXT,
    "citations": JSON,
    "source": _SOURCE,
    "detail": TEXT,
    "filename": TEXT,
    "image_url": _IMAGE_URL,
    "input_audio": _INPUT_AUDIO,
    "format": TEXT,
    "value": JSON,
    **_COMMON,
}
_PART: Shape = {
    **_RESULT_PART,
    "thinking": TEXT,
    "summary": FLAG,
    "data": TEXT,
    "refusal": TEXT,
    "id": TEXT,
    "name": TEXT,
    "input": TEXT,
    "input_object": JSON,
    "custom": FLAG,
    "tool_use_id": TEXT,
    "content": TEXT,
    "content_parts": [_RESULT_PART],
    "is_error": FLAG,
}
_THINKING_BLOCK: Shape = {"type": TEXT, "thinking": TEXT, "summary": FLAG, "data": TEXT, **_COMMON}
_TOOL_CALL: Shape = {"id": TEXT, "name": TEXT, "arguments": TEXT, "custom": FLAG, **_COMMON}
_MESSAGE: Shape = {
    "role": TEXT,
    "name": TEXT,
    "content": TEXT,
    "content_parts": [_PART],
    "reasoning_content": TEXT,
    "thinking_blocks": [_THINKING_BLOCK],
    "refusal": TEXT,
    "tool_calls": [_TOOL_CALL],
    "tool_call_id": TEXT,
    "is_error": FLAG,
    "format": TEXT,
    "value": JSON,
    "cache_control": JSON,
    "provider_data": JSON,
    "wire": JSON,
    "extra": JSON,
}
_TOOL: Shape = {
    "type": TEXT,
    "name": TEXT,
    "description": TEXT,
    "parameters": JSON,
    "strict": FLAG,
    "format": TEXT,
    "value": JSON,
    "cache_control": JSON,
    "provider_data": JSON,
    "wire": JSON,
}
CONVERSATION: Shape = {"version": pa.int32(), "id": TEXT, "messages": [_MESSAGE], "tools": [_TOOL], "metadata": JSON}

_BESIDE = {"content": "content_parts", "input": "input_object"}
"""The columns of fields that may be text, for what is no text."""
_FIELDS = {column: field for field, column in _BESIDE.items()}


def _fields(shape: Shape) -> list[Any]:
    return [*(pa.field(column, _type(kind)) for column, kind in shape.items()), pa.field("nulls", pa.list_(pa.string()))]


def _type(kind: Any) -> Any:
    if isinstance(kind, list):
        return pa.list_(_type(kind[0]))
    if isinstance(kind, Mapping):
        return pa.struct(_fields(kind))
    return TEXT if kind is JSON else kind


SCHEMA: Final[pa.Schema] = pa.schema(_fields(CONVERSATION))
"""The schema of stored conversations, one a row."""
MESSAGES: Final[pa.DataType] = SCHEMA.field("messages").type
"""The type of a column of canonical messages: a list of structs."""


REST: Final = "_rest"
"""What follows the name of a column of messages in that of the column with the rest of their conversations."""


def to_arrow(conversations: Iterable[Conversation | Iterable[MessageBase | dict[str, Any]]]) -> pa.RecordBatch:
    """Write conversations, or lists of messages, into a batch with `SCHEMA`, one in each row.

    A column of a batch holds at most 2 GB of text: write more in several batches. Raises `InvalidPayload` with paths into the
    list.
    """
    rows = [_row(_conversation(each, number).to_dict(), CONVERSATION) for number, each in enumerate(conversations)]
    return pa.RecordBatch.from_pylist(rows, SCHEMA)


def from_arrow(batch: pa.RecordBatch | pa.Table) -> list[Conversation]:
    """Read the conversations in a batch or table with the columns of `to_arrow`; other programs may have written it.

    A field whose column is missing is absent in all conversations; without `version`, they are of the latest version. Other
    columns are ignored. Raises `InvalidPayload` with paths into the list, and `ValueError` for two columns of the same name and
    for a batch of `load_batch`, whose rows may be requests.
    """
    if "messages" + REST in batch.schema.names:
        raise ValueError('these are columns of load_batch: convert_batch(..., source="interlingua") reads them')
    version = {} if "version" in batch.schema.names else {"version": VERSION}
    return [_stored(row, number, version) for number, row in enumerate(_rows(batch))]


def messages_in(value: Any) -> list[Any]:
    """The dicts of the messages in a value of the type `MESSAGES`, which are not validated."""
    return [_read(_MESSAGE, item) for item in value]


def is_messages(kind: Any) -> bool:
    """Whether the type of a column is `MESSAGES`, or what another program made of it."""
    item = getattr(kind, "value_type", None)
    return isinstance(item, pa.StructType) and item.get_field_index("content_parts") >= 0


def message_rows(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages as the values of a column of the type `MESSAGES`."""
    return [_row(message, _MESSAGE) for message in messages]


def index_of(schema: pa.Schema, column: str) -> int:
    """The index of a column. Raises `ValueError` if there is none, or more than one, of this name."""
    found = schema.get_all_field_indices(column)
    if len(found) != 1:
        had = f"{len(found)} columns of the name" if found else "no column of the name"
        raise ValueError(f"the batch has {had} {column!r}; its columns are {', '.join(schema.names)}")
    return found[0]


_AT_ONCE = 64
"""How many values become Python's at a time: one by one is slow, and all at once is a copy of the batch."""


def values_of(array: Any) -> Iterator[Any]:
    """The values of an array one by one; an error in place of one that cannot be read."""
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    for start in range(0, len(array), _AT_ONCE):
        piece = array.slice(start, _AT_ONCE)
        try:
            values = piece.to_pylist()
        except UnicodeDecodeError:  # Arrow reads files without a look at their text
            values = [_value(scalar) for scalar in piece]
        yield from values


def _value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return InvalidPayload([Fault("", "the text must be UTF-8")])


def _conversation(value: Any, number: int) -> Conversation:
    with _within(number):
        if isinstance(value, Conversation):
            return exactly(Conversation, value)
        return Conversation(messages=request_of(value).messages)


@contextmanager
def _within(number: int) -> Generator[None]:
    """Errors about an item of a list, with paths into the list."""
    try:
        yield
    except InvalidPayload as error:
        raise InvalidPayload([Fault(f"/{number}{path}", reason) for path, reason in error.faults], error.hint) from None


def _rows(batch: Any) -> Iterator[Any]:
    """The rows as dicts of the columns of conversations; an error in place of one that cannot be read."""
    known = batch.select([index_of(batch.schema, name) for name in SCHEMA.names if name in batch.schema.names])
    for piece in known.to_batches() if isinstance(known, pa.Table) else [known]:
        yield from values_of(piece.to_struct_array())


def _stored(row: Any, number: int, version: dict[str, Any]) -> Conversation:
    with _within(number):
        if isinstance(row, InvalidPayload):
            raise row
        return validate(_owner(version | row, CONVERSATION), Conversation)


def _row(owner: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """The columns of a canonical value."""
    row: dict[str, Any] = {}
    nulls: list[str] = []
    for field, value in owner.items():
        column = field if isinstance(value, str) else _BESIDE.get(field, field)
        if value is None:
            nulls.append(field)
        else:
            row[column] = _written(shape[column], value)
    return row | {"nulls": nulls} if nulls else row


def _written(kind: Any, value: Any) -> Any:
    if kind is JSON:
        return to_json(value)
    if isinstance(kind, list):
        return [_row(item, kind[0]) for item in value]
    return _row(value, kind) if isinstance(kind, Mapping) else value


def _owner(row: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """The canonical value of a row's columns, not yet validated: a field that is not known stays, and is refused."""
    nulls: Any = row.get("nulls") or []
    if not isinstance(nulls, list) or any(type(name) is not str for name in nulls):
        raise InvalidPayload([Fault("", "nulls must be a list of the names of fields")])
    owner: dict[str, Any] = dict.fromkeys(nulls)
    for column, value in row.items():
        if value is not None and column != "nulls":
            field = _FIELDS.get(column, column)
            if owner.get(field) is not None:
                raise InvalidPayload([Fault("", f"only one of {field} and {_BESIDE[field]} may have a value")])
            owner[field] = _read(shape.get(column), value)
    return owner


def _read(kind: Any, value: Any) -> Any:
    if kind is JSON and isinstance(value, str):
        return parse(value)
    if isinstance(kind, list) and isinstance(value, list):
        return [_read(kind[0], item) for item in value]
    return _owner(value, kind) if isinstance(kind, Mapping) and isinstance(value, dict) else value
