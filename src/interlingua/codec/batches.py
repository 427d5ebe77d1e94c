"""Rows of batch files and of datasets, as data: where in a row the conversations are, and in which format.

The row, or an object in it, is a request; or some of its fields make up a request: the messages, and settings beside them.
Other fields may continue the conversation, as a completion continues a prompt. Everything else in a row is left unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..errors import Fault, InvalidPayload, ProviderError, escape
from ..model.base import Json

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Layout:
    """Where conversations are in a row."""

    format: str
    """The format of the conversations, unless the row names one."""
    at: tuple[str, ...] = ()
    """The path of the object that is a request or a response, or whose fields make one up; empty for the row itself."""
    listed: str | None = None
    """The field of this object with the messages; None if the whole object is a request or a response."""
    beside: tuple[str, ...] = ()
    """The other fields of this object that belong to the request."""
    continued: tuple[str, ...] = ()
    """The fields of the row with messages that continue the conversation."""
    whole: bool = False
    """Whether these fields have whole conversations, which do not continue others."""
    wrapped: str | None = None
    """The field with the message, if these fields are lists of objects with one message each."""
    tunes: bool = False
    """Whether the rows are examples with which a provider tunes its models."""
    answers: bool = False
    """Whether the object is a response."""
    says: tuple[str, Mapping[str, str]] | None = None
    """The field with the format, and the format for each value; a field of the row, or of the object of a response."""
    by_field: Mapping[str, str] = field(default_factory=dict[str, str])
    """The format of the object by a field that it may have; the first field that it has decides."""
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields with fixed values, which only show that a row has this layout."""
    marks: tuple[str, ...] = ()
    """The fields by which a row of this layout is recognised, if only these and its constants are needed."""
    failed: tuple[str, ...] = ()
    """The same fields for a row with an error in place of the response, if they differ."""


class Failure(NamedTuple):
    """Why a row has no response: its request is `expired` or was `canceled`, or there is an error with this `body`."""

    kind: str
    body: Any = None
    status: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether there was an error; a request that was not executed has no error."""
        return self.kind not in ("expired", "canceled")


# The `Any`s in these signatures are `Format`s, which refer to this module.


@dataclass(frozen=True)
class BatchFiles:
    """The batch files of a provider: a row for each request, and a row for each result."""

    requests: dict[str, Layout]
    """The layouts of rows with requests, by name."""
    results: dict[str, Layout]
    """The layouts of rows with results, by name."""
    fields: frozenset[str]
    """The fields of its rows of requests and of results."""
    asked: Callable[[Any, Any], Row]
    """Makes the fields of a row with a request, from its body and its format."""
    answered: Callable[[Any], Row]
    """Makes the fields of a row with a response, from its body."""
    failed: Callable[[Failure, ProviderError, Any], Row]
    """Makes the fields of a row without a response, from the reason, the error in the format's words, and the format."""
    failure: Callable[[Row], Failure | None]
    """Returns why a row has no response; None if it has one. Raises `InvalidPayload`."""
    lost: Callable[[Row], list[str]]
    """Returns pointers to the fields of a row of results that rows of other providers do not have."""
    without: str
    """The loss detail for these fields in a row of this provider."""
    id: str = "custom_id"
    """The field for the id of a row."""


NONE: Mapping[str, Layout] = MappingProxyType({})


class Preference(NamedTuple):
    """The rows of a provider's datasets with two answers to each prompt, one of which is preferred."""

    layout: str
    """The name of the layout of these rows."""
    order: Callable[[Row], tuple[int, int] | None]
    """Returns the index of the preferred answer in a row and of the other; None if the row does not choose between two."""
    written: Callable[[Row, list[Any], list[Any]], Row | None]
    """Makes a row of a prompt's fields and the messages of the preferred and the other answer; None if they do not fit."""


class Batches(NamedTuple):
    """The rows that a format has in batch files and datasets."""

    files: BatchFiles | None = None
    """The batch files for its requests."""
    datasets: Mapping[str, Layout] = NONE
    """The layouts of rows of datasets in this format, by name; if two fit a row, the first is more precise."""
    tuning: str | None = None
    """The name of the layout for tuning by examples; rows for tuning from other providers become rows of this layout."""
    preference: Preference | None = None
    """Its rows with preferences; those of other providers become rows of this kind."""
    tuned: Callable[[Any], Any] | None = None
    """Makes the format for rows for tuning, if requests differ there."""


def pointer_of(path: Sequence[str]) -> str:
    """The JSON Pointer of a path in a row."""
    return "".join("/" + escape(key) for key in path)


def object_at(row: Json, path: Sequence[str]) -> Row:
    """The object at a path of a row. Raises `InvalidPayload`."""
    value: Json = row
    for number, key in enumerate(path):
        value = field_at(value, key, path[:number])
    if not isinstance(value, dict):
        raise InvalidPayload([Fault(pointer_of(path), "Input should be an object")])
    return value


def field_at(holder: Json, key: str, at: Sequence[str]) -> Any:
    """The value of a field of an object, which is at a path of a row. Raises `InvalidPayload`."""
    if not isinstance(holder, dict) or key not in holder:
        raise InvalidPayload([Fault(pointer_of((*at, key)), "the row must have this field")])
    return holder[key]
