"""Finds tool calls and tool results that are not paired, for formats that pair them by id."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from re import Pattern

from ...model.base import Json
from .view import Call, Found, Partners, Result, Unpaired, View


def by_turn(view: View) -> tuple[dict[int, list[Call]], dict[int, list[Result]]]:
    """The calls by turn, and the results by turn."""
    if view.by_turn is None:
        calls: dict[int, list[Call]] = {}
        results: dict[int, list[Result]] = {}
        for call in view.calls:
            calls.setdefault(call.turn, []).append(call)
        for result in view.results:
            results.setdefault(result.turn, []).append(result)
        view.by_turn = calls, results
    return view.by_turn


def _following(results: dict[int, list[Result]], turn: int) -> list[Result]:
    """The results right after a turn: all those of the run of turns with results that follows it."""
    found: list[Result] = []
    at = turn + 1
    while at in results:
        found += results[at]
        at += 1
    return found


def unanswered(view: View) -> Found:
    """The calls without a result in the run of results right after them."""
    for call in _unanswered(view):
        yield call.at, "the result of a tool call must follow the call directly: add one, or leave the call out"


def _unanswered(view: View) -> Iterator[Call]:
    calls, results = by_turn(view)
    for turn, made in calls.items():
        answered = {result.id for result in _following(results, turn) if isinstance(result.id, str)}
        for call in made:
            if isinstance(call.id, str) and call.id not in answered:
                yield call


def orphans(view: View) -> Found:
    """The results whose call is not in the turn right before their run of results."""
    for result in _orphans(view):
        yield result.at, "a tool result must directly follow the call that has its id"


def _orphans(view: View) -> Iterator[Result]:
    calls, results = by_turn(view)
    called: set[str] = set()
    previous = -2
    for turn, answers in results.items():
        if turn - 1 != previous:
            called = {call.id for call in calls.get(turn - 1, ()) if isinstance(call.id, str)}
        previous = turn
        for result in answers:
            if isinstance(result.id, str) and result.id not in called:
                yield result


def partners_in_runs(view: View) -> Partners:
    """The calls and results that are not paired, for a provider that accepts results in several turns after the calls."""
    if view.partners is None:
        view.partners = _partners(list(_unanswered(view)), list(_orphans(view)))
    return view.partners


def partners_in_turns(view: View) -> Partners:
    """The calls and results that are not paired, for a provider that requires all results in the turn after the calls."""
    if view.partners is None:
        found = unpaired(view)
        calls = [each.calls for each in found]
        results = [each.results for each in found]
        view.partners = _partners(list(chain.from_iterable(calls)), list(chain.from_iterable(results)))
    return view.partners


def _partners(calls: list[Call], results: list[Result]) -> Partners:
    """Pair each result, in order, with the latest earlier call that has its id and is not paired yet."""
    if not calls or not results:
        return Partners(calls, results, [])
    waiting: dict[str, list[Call]] = {}
    orphans: list[Result] = []
    far: list[Result] = []
    seen = 0
    for result in results:
        while seen < len(calls) and calls[seen].turn < result.turn:
            waiting.setdefault(calls[seen].id, []).append(calls[seen])
            seen += 1
        if waiting.get(result.id):
            waiting[result.id].pop()
            far.append(result)
        else:
            orphans.append(result)
    left = {call.at for call in calls[seen:]}
    for called in waiting.values():
        left.update([call.at for call in called])
    return Partners([call for call in calls if call.at in left], orphans, far)


def far(found: Partners) -> Found:
    """The results whose call is in an earlier turn than it must be."""
    for result in found.far:
        yield result.at, "a tool result must directly follow its call: move it before the messages in between"


def repeated_results(view: View, *, run: bool) -> Found:
    """The results of calls that already have one; an empty id, which some hosts send, is ignored."""
    seen: set[str] = set()
    previous = -2
    for result in view.results:
        if result.turn != previous and not (run and result.turn - 1 == previous):
            seen = set()
        previous = result.turn
        if isinstance(result.id, str) and result.id:
            if result.id in seen:
                yield result.id_at, "a tool call must have one result, and another result has the same id: leave one out"
            seen.add(result.id)


def unpaired(view: View, *, joined: bool = False) -> list[Unpaired]:
    """The calls and results without a partner, if all results of a turn's calls must be in the next turn.

    With `joined`, the provider treats consecutive assistant messages as one turn.
    """
    if view.unpaired is None:
        calls, results = by_turn(view)
        found = list(_unpaired(calls, results))
        if found and joined:
            found = list(_unpaired(_joined_calls(view, calls), results))
        view.unpaired = found
    return view.unpaired


def _joined_calls(view: View, calls: dict[int, list[Call]]) -> dict[int, list[Call]]:
    """The calls of each run of consecutive assistant messages, by the last turn of the run."""
    ends: dict[int, int] = {}
    for turn in range(len(view.turns) - 1, -1, -1):
        goes_on = turn + 1 < len(view.turns) and view.turns[turn + 1].role == "assistant"
        ends[turn] = ends[turn + 1] if goes_on else turn
    joined: dict[int, list[Call]] = {}
    for turn, made in calls.items():
        joined.setdefault(ends.get(turn, turn), []).extend(made)  # calls in the system text belong to no turn
    return joined


def _unpaired(calls: dict[int, list[Call]], results: dict[int, list[Result]]) -> Iterator[Unpaired]:
    for turn in sorted({*calls, *(turn - 1 for turn in results)}):
        made = calls.get(turn, ())
        answers = results.get(turn + 1, ())
        called = {each.id for each in made if is_id(each.id)}
        answered = {each.id for each in answers if is_id(each.id)}
        if called != answered:
            yield Unpaired(
                turn,
                [each for each in made if is_id(each.id) and each.id not in answered],
                [each for each in answers if is_id(each.id) and each.id not in called],
            )


def is_id(value: Json) -> bool:
    return isinstance(value, str)


def unlike_ids(view: View, pattern: Pattern[str]) -> Found:
    """The ids of calls and results that do not match the provider's pattern."""
    ids = (*((call.id, call.id_at) for call in view.calls), *((result.id, result.id_at) for result in view.results))
    for id, at in ids:
        if isinstance(id, str) and not pattern.fullmatch(id):
            yield at, f"the id of a tool call must match {pattern.pattern}"


def repeated_ids(calls: list[Call]) -> Found:
    """The calls with the id of an earlier call in this list; an empty id is ignored."""
    if len(calls) > 1:
        seen: set[str] = set()
        for call in calls:
            if isinstance(call.id, str) and call.id:
                if call.id in seen:
                    yield call.id_at, "the ids of tool calls must differ, and another call has this id"
                seen.add(call.id)


def unanswered_anywhere(view: View) -> Found:
    """The calls without a result anywhere."""
    answered = {result.id for result in view.results if isinstance(result.id, str)}
    for call in view.calls:
        if isinstance(call.id, str) and call.id not in answered:
            yield call.at, "a tool call must have a result after it: add one, or leave the call out"


def orphans_anywhere(view: View) -> Found:
    """The results without a call anywhere before them."""
    turns: dict[str, int] = {}
    for call in view.calls:
        if isinstance(call.id, str):
            turns.setdefault(call.id, call.turn)
    for result in view.results:
        if isinstance(result.id, str) and turns.get(result.id, result.turn) >= result.turn:
            yield result.at, "a tool result must have the id of a call before it"
