"""What a judge of a format knows: its official SDK's types, extra keys forbidden, and where its published schema is."""

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from interlingua.testing.lawbook.documents import is_object
from laws.closed import Closed, Fault, typed_faults

Judging = Callable[[Any], list[Fault]]


def as_it_is(value: Any) -> Any:
    return value


class Judge(NamedTuple):
    """What the official SDK of a format knows of its wire; `formats/<name>/judge.py` has each format's."""

    request: Judging
    """The faults of a request body."""
    response: Judging | None = None
    """The faults of a whole response."""
    chunk: Judging | None = None
    """The faults of one chunk of a stream."""
    fold: Callable[[list[Any]], dict[str, Any]] | None = None
    """The whole response that the SDK makes of a stream; None where it makes none."""
    required: Mapping[str, Any] = {}
    """What the SDK requires of a response, and no other provider's response says."""
    missing: tuple[str, ...] = ()
    """The pointers of what only the caller knows: nothing is invented, so what was not given is missing."""
    spec: tuple[str, str] | None = None
    """The file and the name of the published schema of a request; `post/path` for that of a path, which has no name."""
    spec_of: Callable[[Any], Any] = as_it_is
    """The components of the specification, made fit to be judged by."""
    specified: Callable[[Any], Any] = as_it_is
    """A request with what its specification requires and the server does not."""
    known: Callable[[Any], Any] = as_it_is
    """A request without what no published type knows, which is nobody's to judge; it may be changed in place."""
    complete: Callable[[Any], Any] = as_it_is
    """A chunk of a stream with what the SDK requires, and its source does not say or not yet: that is not invented."""


@functools.cache
def closed(params: Any) -> TypeAdapter[Any]:
    """The SDK's type of a request, extra keys forbidden."""
    return TypeAdapter(Closed().hint(params))


@functools.cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The SDK's type of a response."""
    return TypeAdapter(kind)


def faults_in(kind: Any, value: Any) -> list[Fault]:
    """What the SDK's type of a response finds wrong with one."""
    return typed_faults(adapter(kind), value)


def with_defaults(value: Any, defaults: Any) -> Any:
    """An object with what it does not say, in the objects in it too."""
    if not (is_object(value) and is_object(defaults)):
        return value
    return dict(defaults) | {key: with_defaults(item, defaults.get(key)) for key, item in value.items()}
