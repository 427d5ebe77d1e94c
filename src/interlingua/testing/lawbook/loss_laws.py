"""Laws of conversions between canonical requests, the format and others: what is lost is reported, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...conversion.requests import load
from ...errors import Loss
from ...model.exchange import Request
from ...model.messages import Message
from ..canonical import requests
from ..dialogues import conversations
from ..wire import payloads
from .documents import canonical, is_json, resolves
from .doors import mistaken
from .drawn import conversing, others, requests_of, written_by
from .law import Enact, Trial
from .spoke import Spoke, differences, faults
from .spoke_texts import faults_of_text


def conversations_lose_nothing_silently(format: Format) -> Trial | None:
    """Canonical conversations: what is missing or different when they come back is reported, and what is reported is so."""
    if not conversing(format):
        return None

    def judge(conversation: list[Message]) -> list[str]:
        return faults(conversation, format)

    return Trial(conversations(), judge)


def nothing_is_lost_silently_on_the_way_to_others(format: Format) -> Trial | None:
    """A request that goes from the format to another and back: each way, what is lost is reported, and nothing else is."""
    if not conversing(format):
        return None

    def judge(case: tuple[Any, Format]) -> Iterator[str]:
        payload, other = case
        there = Spoke.of(load(payload, format), other)
        yield from (f"to {other.name}: {fault}" for fault in _all_faults(there))
        yield from (f"and back from {other.name}: {fault}" for fault in _all_faults(Spoke.of(there.back, format)))

    return Trial(st.tuples(payloads(format), others(format)), judge)


def nothing_of_others_is_lost_silently(format: Format) -> Trial | None:
    """A request that goes from another format to this one and on: each way, what is lost is reported, and nothing else is."""
    if not conversing(format):
        return None

    def judge(case: tuple[tuple[Format, Any], Format]) -> Iterator[str]:
        (source, payload), further = case
        there = Spoke.of(load(payload, source), format)
        yield from (f"from {source.name}: {fault}" for fault in _all_faults(there))
        yield from (f"and on to {further.name}: {fault}" for fault in _all_faults(Spoke.of(there.back, further)))

    return Trial(st.tuples(requests_of(others(format)), others(format)), judge)


def texts_lose_nothing_silently(format: Format) -> Trial | None:
    """What a format with one text for all messages writes of a conversation, it reads again, or a loss names it."""
    if not format.in_text or conversing(format):
        return None

    def judge(messages: list[Message]) -> list[str]:
        return faults_of_text(Request(messages=messages), format)

    return Trial(conversations(), judge)


def requests_of_others_lose_nothing_silently_in_a_text(format: Format) -> Trial | None:
    """What a format with one text for all messages writes of another format's request, it reads again, or a loss names it."""
    if not format.in_text or conversing(format):
        return None

    def judge(case: tuple[Format, Any]) -> Iterator[str]:
        source, payload = case
        yield from (f"from {source.name}: {fault}" for fault in faults_of_text(load(payload, source), format))

    return Trial(requests_of(others(format)), judge)


def _all_faults(spoke: Spoke) -> list[str]:
    return [*spoke.faults(), *differences(spoke)]


def conversions_change_nothing_passed_in(format: Format) -> Trial | None:
    """A conversion changes and keeps nothing of what it is given, is a load and a dump, and reports losses that are there."""
    if not conversing(format):
        return None

    def judge(case: tuple[Format, Any, Format]) -> Iterator[str]:
        source, payload, target = case
        yield from (f"from {source.name} to {target.name}: {fault}" for fault in mistaken(payload, source, target))

    other = others(format)
    away = st.tuples(st.just(format), payloads(format), other)
    return Trial(away | requests_of(other).map(lambda found: (*found, format)), judge)


def any_request_is_dumped(format: Format) -> Trial:
    """Any canonical request is dumped as JSON, without being changed, and losses point into it and into what is written."""

    def judge(request: Request) -> Iterator[str]:
        before = request.to_dict()
        losses: list[Loss] = []
        payload = written_by(format, request, losses)
        if is_json(payload) and json.loads(json.dumps(payload)) != payload:
            yield "what is written is not JSON"
        if canonical(request.to_dict()) != canonical(before):
            yield "the request was changed"
        yield from astray(losses, before, payload)

    return Trial(requests(), judge)


def astray(losses: list[Loss], document: Any, written: Any) -> Iterator[str]:
    """The losses that lead nowhere, by `path` in the document or by `at` in what is written.

    What was added has no place in the document, and stands beneath one that has.
    """
    for loss in losses:
        path = loss.path.rpartition("/")[0] if loss.kind == "added" else loss.path
        if not resolves(document, path):
            yield f"{loss.path}: a loss whose path leads nowhere"
        if loss.at is not None and not resolves(written, loss.at):
            yield f"{loss.path}: its `at`, {loss.at}, leads nowhere"


LAWS: tuple[Enact, ...] = (
    conversations_lose_nothing_silently,
    nothing_is_lost_silently_on_the_way_to_others,
    nothing_of_others_is_lost_silently,
    texts_lose_nothing_silently,
    requests_of_others_lose_nothing_silently_in_a_text,
    conversions_change_nothing_passed_in,
    any_request_is_dumped,
)
