"""Rows of batch files and of datasets, as data: where in a row the conversations are, and of which format.

The row, or an object in it, is a request; or some of its fields make one up: the messages and the settings beside them.
Other fields may continue the conversation, as a completion continues a prompt. Everything else in a row stays as it is.
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
    """The format of the conversations, unless the row says it."""
    at: tuple[str, ...] = ()
    """The path of the object that is a request or a response, or has the fields of one; without a path, the row."""
    listed: str | None = None
    """Its field with the messages; None if the whole object is a request or a response."""
    beside: tuple[str, ...] = ()
    """Its other fields that are part of the request."""
    continued: tuple[str, ...] = ()
    """The fields of the row with messages that continue the conversation."""
    whole: bool = False
    """Whether these fields have whole conversations instead, which continue nothing."""
    wrapped: str | None = None
    """The field with the message, if those fields are lists of objects with one message each."""
    tunes: bool = False
    """Whether rows are examples for a provider's tuning of its models."""
    answers: bool = False
    """Whether it is a response."""
    says: tuple[str, Mapping[str, str]] | None = None
    """The field that says the format, and what its values mean: of the row, or of the object of a response."""
    by_field: Mapping[str, str] = field(default_factory=dict[str, str])
    """The formats that the object may be of, by a field that it has then: the first that is there says it."""
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    """The fields of a row that only say which layout it has, with their values."""
    marks: tuple[str, ...] = ()
    """The fields by which such a row is known, if it is known by them and its constants alone."""
    failed: tuple[str, ...] = ()
    """Those of a row that has an error in place of the response, if they are others."""


class Failure(NamedTuple):
    """Why a row has no response: its request `expired` or was `canceled`, or it has the `body` of an error instead."""

    kind: str
    body: Any = None
    status: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether there is an error; a request that was not executed has none."""
        return self.kind not in ("expired", "canceled")


# The formats in the signatures are `Format`s, which refer to this module.


@dataclass(frozen=True)
class BatchFiles:
    """The batch files of a provider: a row for each request, and a row for each result."""

    requests: dict[str, Layout]
    """The layouts of rows with requests, by name."""
    results: dict[str, Layout]
    """The layouts of rows with results, by name."""
    fields: frozenset[str]
    """The fields that its rows of requests and of results have."""
    asked: Callable[[Any, Any], Row]
    """The fields of a row with a request of a format: its body, and the format."""
    answered: Callable[[Any], Row]
    """The fields of a row with the body of a response."""
    failed: Callable[[Failure, ProviderError, Any], Row]
    """The fields of a row without a response: why, the error in the format's words, and the format."""
    failure: Callable[[Row], Failure | None]
    """Why a row has no response, if it has none. Raises `InvalidPayload`."""
    lost: Callable[[Row], list[str]]
    """Pointers to the fields of a row of results that other providers' rows have no place for."""
    without: str
    """Why these fields are lost in a row of this provider."""
    id: str = "custom_id"
    """The field with the id of a row."""


NONE: Mapping[str, Layout] = MappingProxyType({})


class Preference(NamedTuple):
    """The rows of a provider's datasets with two answers to a prompt, of which one is preferred."""

    layout: str
    """The name of their layout."""
    order: Callable[[Row], tuple[int, int] | None]
    """Which of the answers in a row is preferred, and which is not; None where the row does not say it of two."""
    written: Callable[[Row, list[Any], list[Any]], Row | None]
    """A row of a prompt's fields, and the messages of the preferred answer and of the other; None where it has no place."""


class Batches(NamedTuple):
    """The rows of files and datasets that a format has."""

    files: BatchFiles | None = None
    """The batch files that its requests go into."""
    datasets: Mapping[str, Layout] = NONE
    """The layouts of rows of datasets in this format, by name; of two that fit a row, the first is more precise."""
    tuning: str | None = None
    """That of rows for tuning by example: a row of another provider's such layout becomes one."""
    preference: Preference | None = None
    """Its rows with preferences: those of another provider's such layout become some of these."""
    tuned: Callable[[Any], Any] | None = None
    """The format as it is in rows for tuning, where that is not as in requests."""


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
    """The value of a field of the object at a path of a row. Raises `InvalidPayload`."""
    if not isinstance(holder, dict) or key not in holder:
        raise InvalidPayload([Fault(pointer_of((*at, key)), "the row must have this field")])
    return holder[key]
