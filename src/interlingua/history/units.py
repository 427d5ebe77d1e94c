"""Splits a history into units, which are kept or dropped as a whole, and trims, merges and strips histories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from ..conversion.requests import request_of
from ..model.base import Model
from ..model.messages import Message, MessageBase
from ..model.turns import Span, UnitRole, is_system, joined, joins, spans, without_reasoning

T = TypeVar("T", bound="MessageBase | dict[str, Any]")


class Unit(NamedTuple):
    """Consecutive messages that are kept or dropped together, and the role whose turn they are."""

    role: UnitRole
    messages: tuple[Message, ...]


def units(messages: Iterable[MessageBase | dict[str, Any]]) -> list[Unit]:
    """Split a history into its units, in order; every message is in exactly one unit.

    There are three kinds of units: system text; the user's messages up to the assistant's answer; and one round of the
    assistant, which is what it says with its reasoning, its calls and all results of these calls, in either spelling. If the
    assistant goes on after the results, a new round begins, which is a separate unit. A round of calls that does not begin
    with signed reasoning stays in the unit of the signed reasoning before it, because providers refuse it without that.
    Raises `InvalidPayload`.
    """
    models = _listed(messages)[1]
    return [Unit(span.role, tuple(models[span.start : span.end])) for span in spans(models)]


def trim(messages: Iterable[T], *, keep: int, count: Callable[[T], int]) -> list[T]:
    """Drop the oldest units until the `count` of the remaining messages is at most `keep`; returns the messages that remain.

    `count` is called once for each message, and the counts are added. System text always stays. The rest begins with a user's
    turn: if only some of the rounds that answer a turn must be dropped, that turn stays and its oldest rounds are dropped. The
    last unit, with the user's turn that it answers, stays even if it alone counts more than `keep`.
    Returns the caller's own messages. Raises `InvalidPayload`.
    """
    if type(keep) is not int:
        raise TypeError("keep must be an integer")
    if not callable(count):
        raise TypeError("count must be a function of a message")
    listed, models = _listed(messages)
    counts: list[Any] = [count(message) for message in listed]
    if not all(isinstance(each, int | float) for each in counts):
        raise TypeError("count must return a number for each message")
    if sum(counts) <= keep:
        return listed
    before = [0, *accumulate(counts)]
    system_counts = [size if is_system(model) else 0 for size, model in zip(counts, models, strict=True)]
    system_before = [0, *accumulate(system_counts)]
    asked = Span("user", 0, 0)
    cut = 0
    for asked, cut in _cuts(spans(models)):
        asked_size = before[asked.end] - before[asked.start]
        rest_size = before[-1] - before[cut]
        if system_before[cut] + asked_size + rest_size <= keep:
            break
    kept: list[T] = []
    for i, message in enumerate(listed):
        is_asked = asked.start <= i < asked.end
        if i >= cut or is_asked or is_system(models[i]):
            kept.append(message)
    return kept


def merge_runs(messages: Iterable[MessageBase | dict[str, Any]]) -> list[Message]:
    """Join consecutive messages of the user into one message, and likewise those of the assistant.

    Messages with different names are not joined. Raises `InvalidPayload`.
    """
    runs: list[list[Message]] = []
    for message in _listed(messages)[1]:
        if runs and joins(runs[-1][-1], message) and _name(runs[-1][0]) == _name(message):
            runs[-1].append(message)
        else:
            runs.append([message])
    return [joined(run) for run in runs]


def _name(message: Message) -> str | None:
    name: str | None = getattr(message, "name", None)
    return name


def strip_reasoning(messages: Iterable[MessageBase | dict[str, Any]]) -> list[Message]:
    """Remove the assistant's reasoning, and messages that consist of nothing else. Raises `InvalidPayload`."""
    stripped = map(without_reasoning, _listed(messages)[1])
    return [message for message in stripped if message is not None]


def _cuts(found: Sequence[Span]) -> Iterable[tuple[Span, int]]:
    """Where a history may be cut, the longest rest first, each time with the user's turn before the cut that stays.

    Where the user says anything at all, what comes before that is not answered by anything, and goes first.
    """
    turns = [span for span in found if span.role != "system"]
    first = next((i for i, span in enumerate(turns) if span.role == "user"), 0)
    asked = Span("user", 0, 0)
    for span in turns[first:]:
        if span.role == "user":
            yield Span("user", 0, 0), span.start
            asked = span
        else:
            yield asked, span.start


def _listed(messages: Iterable[Any]) -> tuple[list[Any], Sequence[Message]]:
    """The caller's messages, and each of them as a model. Raises `InvalidPayload`."""
    listed: list[Any] | None = None
    if hasattr(messages, "__iter__") and not isinstance(messages, Model | Mapping | str | bytes):
        listed = list(messages)
    models = request_of(messages if listed is None else listed).messages
    if listed is None:
        listed = list(models)
    return listed, models
