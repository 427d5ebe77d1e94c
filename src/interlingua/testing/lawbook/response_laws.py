"""Laws of answers: exact in their own format, lost nowhere in silence, fit for the next request, errors among them."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ...checking.checks import check
from ...codec.format import Format
from ...codec.strategies.primitives import json_values
from ...conversion.requests import load
from ...conversion.responses import dump_error, dump_response, load_response
from ...errors import InvalidPayload, Loss, ProviderError
from ...history.results import tool_results
from ...model.exchange import Response
from ...model.messages import AssistantMessage, Message, UserMessage
from ..wire import payloads, responses
from . import share
from .documents import canonical, difference, is_array, is_json, is_object
from .drawn import answering, responses_of, spoilt, written_alike, written_by
from .law import Enact, Trial
from .loss_laws import astray
from .payload_laws import detected
from .spoke_responses import lost_between
from .spoke_texts import faults_of

JSON = json_values(max_leaves=20)


def responses_same_format_exact(format: Format) -> Trial | None:
    """A response that is loaded and dumped in the format is the same JSON, and is not changed by that."""
    if format.load_response is None:
        return None

    def judge(body: Any) -> Iterator[str]:
        before = canonical(body)
        yield from _not_exact(copy.deepcopy(body), format)
        whole = load_response(body, format)
        if canonical(body) != before:
            yield "it was changed"
        if is_json(body):
            yield from _not_exact(json.loads(json.dumps(body)), format)
            if load_response(json.dumps(body), format) != whole:
                yield "as text, it is read as another"

    return Trial(responses(format), judge)


def _not_exact(body: Any, format: Format) -> Iterator[str]:
    again = dump_response(load_response(body, format), format, on_loss="raise")
    if canonical(again) != canonical(body):
        yield f"it does not come back the same: {difference(body, again)}"


def malformed_responses_are_refused_as_invalid(format: Format) -> Trial | None:
    """Whatever JSON comes as a response, it is read, or raises `InvalidPayload` or the provider's error; it is not changed."""
    if format.load_response is None:
        return None

    def judge(body: Any) -> Iterator[str]:
        before = canonical(body)
        try:
            response = load_response(body, format)
        except (InvalidPayload, ProviderError):
            share.judged(False, least=0.1)
        else:
            share.judged(True, least=0.1)
            dump_response(response, format, on_loss="ignore")
        if canonical(body) != before:
            yield "it was changed"

    wrong = spoilt(responses(format))
    return Trial(JSON | wrong | wrong, judge)


def responses_lose_nothing_silently(format: Format) -> Trial | None:
    """A response that goes from the format to another, or from another to it: what it says, the other says, or a loss names."""
    if format.load_response is None:
        return None

    def judge(case: tuple[Format, Any, Format]) -> Iterator[str]:
        source, body, target = case
        lost = lost_between(load_response(body, source), target)
        yield from (f"from {source.name} to {target.name}: {fault}" for fault in lost)

    other = answering(format)
    away = st.tuples(st.just(format), responses(format), other)
    return Trial(away | responses_of(other).map(lambda found: (*found, format)), judge)


def any_response_is_dumped(format: Format) -> Trial | None:
    """Any canonical response is dumped as JSON, without being changed, and losses point into it and into what is written."""
    if format.load_response is None:
        return None

    def judge(response: Response) -> Iterator[str]:
        before = response.to_dict()
        losses: list[Loss] = []
        body = dump_response(response, format, on_loss=losses.append)
        if is_json(body) and json.loads(json.dumps(body)) != body:
            yield "what is written is not JSON"
        if canonical(response.to_dict()) != canonical(before):
            yield "the response was changed"
        yield from astray(losses, before, body)

    return Trial(responses(), judge)


def an_answer_goes_on_in_the_next_request(format: Format) -> Trial | None:
    """An answer and the results of its calls go on in a valid next request, without a change, or what only responses have."""
    if format.load_response is None:
        return None

    def judge(case: tuple[dict[str, Any], dict[str, Any]]) -> Iterator[str]:
        payload, body = case
        message = load_response(body, format).message
        if share.judged(bool(message.parts), least=0.2):  # one that says nothing has no place in a request
            yield from _continued(payload, message, format)

    return Trial(st.tuples(payloads(format, odd=False), responses(format, odd=False)), judge)


_LOST = ("dropped", "moved", "added")
"""What becomes of nothing in an answer; a call without an id gets one, which is a change."""


def _continued(payload: dict[str, Any], message: AssistantMessage, format: Format) -> Iterator[str]:
    request = load(payload, format)
    listed = format.listed
    asked: list[Message] = [*request.messages]
    if asked and asked[-1].role == "assistant":
        asked.append(UserMessage(content="a"))
    before = written_by(format, request.replace(messages=tuple(asked)))
    losses: list[Loss] = []
    more = () if message.tool_uses else (UserMessage(content="b"),)  # a history that ends with an answer is no next request
    written = written_by(format, request.replace(messages=(*asked, message, *more)), losses)
    yield from (f"{loss.path} is lost: {loss.kind}, {loss.detail}" for loss in losses if loss.kind in _LOST)
    if is_array(before.get(listed)) and is_array(written.get(listed)):
        start = len(before[listed])
        if canonical(written[listed][:start]) != canonical(before[listed]):
            yield f"what was asked is changed: {difference(before[listed], written[listed][:start])}"
        sent = sorted(format.response_only & _keys(written[listed][start:]) - _declared(format))
        yield from (f"{key} is sent back, which only responses have" for key in sent)
    yield from faults_of(request.replace(messages=(*asked, message, *more)), format)
    results = tool_results(message, [{"id": call.id, "content": "b"} for call in message.tool_uses])
    alone = written_by(format, [UserMessage(content="a"), message, *results])
    known = _errors(before, format) | _errors(alone, format)
    whole = written_by(format, request.replace(messages=(*asked, message, *results)))
    load(written, format)
    load(whole, format)
    yield from (f"the next request has a new error: {code}" for code in sorted(_errors(whole, format) - known))


def _errors(body: Any, format: Format) -> set[str]:
    return {problem.code for problem in check(body, format) if problem.severity == "error"} if format.rules else set()


def _keys(value: Any) -> set[str]:
    """The fields of all objects in a JSON value."""
    if is_object(value):
        return {*value}.union(*map(_keys, value.values()))
    return set[str]().union(*map(_keys, value)) if is_array(value) else set()


@cache
def _declared(format: Format) -> frozenset[str]:
    """The fields of requests, by the JSON Schema."""
    schema = format.adapter().json_schema()
    known: list[dict[str, Any]] = [schema, *schema.get("$defs", {}).values()]
    return frozenset(key for each in known for key in each.get("properties", {}))


def responses_are_detected(format: Format) -> Trial | None:
    """What `detect` says of a response names the format, or one that writes the same shape."""
    if format.load_response is None or format.marks is None:
        return None

    def judge(body: Any) -> Iterator[str]:
        named = {one.format for one in detected(body, format) if one.kind == "response"}
        if not named & written_alike(format):
            yield f"it looks like {sorted(named) or 'no response'}"

    return Trial(responses(format, odd=False), judge)


ERRORS = st.builds(
    ProviderError,
    st.text(),
    type=st.none() | st.text(),
    code=st.none() | st.text(min_size=4) | st.integers(1000),
    status=st.none() | st.integers(400, 599),
    body=st.none() | st.just({"x": 1}),
    origin=st.none() | st.just("elsewhere"),
)


def errors_are_read_back(format: Format) -> Trial | None:
    """An error that is dumped in the format is read as an error that says the same, and is dumped as it came.

    A format whose errors always have a status gives one to an error without.
    """
    if format.dump_error is None or format.load_response is None:
        return None

    def judge(error: ProviderError) -> Iterator[str]:
        body = dump_error(error, format)
        try:
            load_response(body, format, status=error.status)
        except ProviderError as again:
            yield from _differs(error, again, ("message",) if error.status is None else ("message", "status"))
            if (second := dump_error(again, format)) != body:
                yield f"it is dumped as another: {difference(body, second)}"
            try:
                load_response(second, format, status=error.status)
            except ProviderError as last:
                yield from _differs(again, last, ("message", "type", "code", "status"))
        else:
            yield "it is read as a response"

    return Trial(ERRORS, judge)


def _differs(one: ProviderError, other: ProviderError, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if getattr(one, name) != getattr(other, name):
            yield f"its {name} is {getattr(other, name)!r}, not {getattr(one, name)!r}"


LAWS: tuple[Enact, ...] = (
    responses_same_format_exact,
    malformed_responses_are_refused_as_invalid,
    responses_lose_nothing_silently,
    any_response_is_dumped,
    an_answer_goes_on_in_the_next_request,
    responses_are_detected,
    errors_are_read_back,
)
