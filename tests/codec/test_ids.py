"""Tool-call ids across formats: bijections, so that ids round-trip over any formats, stay paired and never merge."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.codec.ids import ANY_ID, IdRules, ToolIds, escape_id, number_id, split_number, unescape_id
from interlingua.testing.lawbook import share

STRICT = IdRules("[A-Za-z0-9_-]", 128, unique=True)
LOOSE = IdRules(".", 64, unique=False)
DOTTED = IdRules("[A-Za-z0-9_.:-]", 64, unique=True)
REPEATED = IdRules("[a-zA-Z0-9_-]", 64, unique=False)
NINE = IdRules("[A-Za-z0-9]", 9, unique=True)

REVERSIBLE = {"strict": STRICT, "loose": LOOSE, "dotted": DOTTED, "repeated": REPEATED, "any": ANY_ID}

PIECES = ["il_", "il", "_", "__", "_5f_", "5f", "_2e_", "2e", ".", "-", "a", "b", "0", "e", "il2_", "il2", "il3-", "é", ""]
RAW = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


def made(draw: st.DrawFn, base: st.SearchStrategy[str]) -> str:
    """An id, escaped and numbered a few times: what conversions write."""
    id = draw(base)
    for step in draw(st.lists(st.integers(0, 4), max_size=3)):
        id = escape_id(id) if step == 0 else number_id(id, step)
    return id


ID = st.composite(made)(RAW | st.text(max_size=6)).filter(lambda made: 0 < len(made) <= 40)

Step: TypeAlias = tuple[bool, str]
"""A call or a result, and its id."""


@st.composite
def dialogues(draw: st.DrawFn, rules: IdRules) -> list[Step]:
    """Calls in turns, each with its result, with ids that the rules allow: none is in use twice."""
    steps: list[Step] = []
    used: set[str] = set()
    for ids in draw(st.lists(st.lists(ID.filter(rules.accepts), max_size=4, unique=True), max_size=4)):
        fresh = [id for id in ids if not (rules.unique and id in used)]
        used.update(fresh)
        steps += [(True, id) for id in fresh] + [(False, id) for id in draw(st.permutations(fresh))]
    return steps


def converted(steps: Sequence[Step], source: IdRules | None, target: IdRules, hashes: list[str] | None = None) -> list[Step]:
    """The steps with the target's ids. Where a list for hashes is given, they are added to it; else there is none."""
    losses: list[il.Loss] = []
    ids = ToolIds(target, losses)
    made = [(is_call, ids.call(id, "/x", source) if is_call else ids.result(id, "/y", "/id", source)) for is_call, id in steps]
    assert hashes is not None or not losses
    if hashes is not None:
        hashes += [loss.detail.rpartition(" ")[2] for loss in losses]
    return made


def answered(steps: Sequence[Step]) -> list[int]:
    """For each result, which call it answers: the last before it with its id."""
    latest: dict[str, int] = {}
    found: list[int] = []
    for i, (is_call, id) in enumerate(steps):
        if is_call:
            latest[id] = i
        else:
            found.append(latest.get(id, -1))
    return found


def in_use_twice(steps: Sequence[Step], rules: IdRules) -> Iterator[str]:
    used: set[str] = set()
    for is_call, id in steps:
        if is_call and id in used:
            yield id
        if is_call:
            used.add(id)
        elif not rules.unique:
            used.discard(id)


@given(ID, st.integers(1, 20))
def test_escapes_and_numbers_are_undone(raw: str, number: int) -> None:
    assert unescape_id(escape_id(raw)) == raw
    base, first = split_number(raw)
    assert split_number(number_id(base, first + number)) == (base, first + number)
    assert STRICT.accepts(escape_id(raw)) or len(escape_id(raw)) > 128


@given(ID)
def test_only_what_is_an_escape_is_taken_for_one(id: str) -> None:
    assert unescape_id(id) is None or escape_id(unescape_id(id) or "") == id
    assert number_id(*split_number(id)) == id
    assert split_number("il2_" + id) == ("il2_" + id, 1)


@pytest.mark.parametrize("rules", REVERSIBLE.values(), ids=REVERSIBLE)
@given(id=ID)
def test_every_format_writes_texts_as_ids_and_reads_them_again(rules: IdRules, id: str) -> None:
    assert rules.read(rules.write(id)) == id
    assert not rules.accepts(id) or rules.write(rules.read(id)) == id


@given(st.data())
def test_a_chain_of_conversions_ends_with_the_ids_that_it_began_with(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(REVERSIBLE)), min_size=2, max_size=4))
    chain = [REVERSIBLE[name] for name in names]
    first = steps = data.draw(dialogues(chain[0]))
    for source, target in zip(chain, [*chain[1:], chain[0]], strict=True):
        hashes: list[str] = []
        steps = converted(steps, source, target, hashes)
        if not share.judged(not hashes, least=0.9):  # an escape of an escape may be too long
            assert any(not target.accepts(number_id(target.write(source.read(id)), 9)) for _, id in first + steps)
            return
        assert all(target.accepts(id) for _, id in steps)
        assert answered(steps) == answered(first)
        assert not list(in_use_twice(steps, target))
    assert steps == first


@given(st.data(), st.sampled_from([None, *REVERSIBLE.values(), NINE]), st.sampled_from([*REVERSIBLE.values(), NINE]))
def test_faulty_ids_stay_paired_and_apart(data: st.DataObject, source: IdRules | None, target: IdRules) -> None:
    anything = dialogues(ANY_ID)  # with all that the source refuses, or uses once
    steps = data.draw(anything if source is None else anything | dialogues(source))
    hashes: list[str] = []
    there = converted(steps, source, target, hashes)
    assert answered(there) == answered(steps)
    assert not list(in_use_twice(there, target))
    assert all(target.accepts(id) for _, id in there)
    is_sound = source is not None and all(source.accepts(id) for _, id in steps)
    if share.judged(is_sound and source is not target and not hashes, least=0.25) and source is not None:
        assert not source.unique or list(in_use_twice(steps, source)) or converted(there, target, source, hashes) == steps


@given(st.lists(ID, max_size=8, unique=True))
def test_where_no_escape_fits_ids_are_hashed_apart(ids: list[str]) -> None:
    hashes: list[str] = []
    steps = converted([(True, id) for id in ids], LOOSE, NINE, hashes)
    there = [id for _, id in steps]
    assert len(set(there)) == len(there)
    # A hash of an earlier id, as an id of its own.
    again = converted([*((True, id) for id in ids), *((True, id) for id in hashes)], LOOSE, NINE, [])
    assert [id for _, id in again][: len(ids)] == there
    assert len({id for _, id in again}) == len(ids) + len(set(hashes))


def test_results_without_a_call_answer_none() -> None:
    second = number_id("a", 2)
    steps = [(True, "a"), (False, "a"), (True, number_id("a", 3)), (False, second), (False, "b.c")]
    hashes: list[str] = []
    there = converted(steps, STRICT, LOOSE, hashes)
    assert answered(there) == answered(steps) == [0, -1, -1]
    assert hashes == [there[3][1]]


def test_calls_without_an_id_get_one_that_no_call_has() -> None:
    ids = ToolIds(STRICT, [])
    assert ids.call("call-1", "", LOOSE) == "call-1"
    assert [ids.call_without_id("f"), ids.call_without_id("g"), ids.call_without_id("f")] == ["call-2", "call-3", "call-4"]
    asked = [ids.result_without_id(name) for name in ("g", "f", None, "g", "g")]
    assert asked == [("call-3", True), ("call-2", True), ("call-4", False), ("call-1", False), ("call-5", False)]
    assert ids.call("call-5", "", LOOSE) == number_id("call-5", 2)


def test_results_without_a_name_answer_calls_without_an_id_in_order() -> None:
    ids = ToolIds(STRICT, [])
    calls = [ids.call_without_id(name) for name in ("f", "g", "f")]
    assert [ids.result_without_id(None)[0] for _ in calls] == calls


# Whole requests


CHAT, ANTHROPIC = il.FORMATS["openai_chat"], il.FORMATS["anthropic"]
FORMATS = [
    CHAT,
    il.FORMATS["verifiers"],
    ANTHROPIC,
    *(replace(CHAT, name=name, family=name, ids=REVERSIBLE[name]) for name in ("dotted", "repeated")),
]


def request_in(home: il.Format, turns: Sequence[Sequence[str]]) -> dict[str, Any]:
    """A request of a format: a message of calls for each turn, and results that name their call, which is `f<number>`."""
    messages: list[il.Message] = [il.UserMessage(content="go")]
    number = 0
    for ids in turns:
        calls = [il.ToolCall(id=id, name=f"f{number + i}", arguments="{}") for i, id in enumerate(ids)]
        number += len(ids)
        messages.append(il.AssistantMessage(tool_calls=calls))
        messages += [il.ToolMessage(tool_call_id=call.id, content=call.name) for call in reversed(calls)]
    written: dict[str, Any] = home.dump(
        il.Request(messages=()), messages, home.new_dump(home, home, same_format=True, formats=il.FORMATS)
    )
    return written


def read_calls(payload: dict[str, Any], format: il.Format) -> tuple[list[str | None], list[bool]]:
    """The ids of all calls, and whether each result answers the call that it names."""
    names: dict[str | None, str] = {}
    ids: list[str | None] = []
    paired: list[bool] = []
    for message in il.load(payload, format).messages:
        for call in message.tool_uses:
            ids.append(call.id)
            names[call.id] = call.name
        results = [message.result] if isinstance(message, il.ToolMessage) else message.parts
        for result in results:
            if isinstance(result, il.ToolResultPart):
                text = result.content if isinstance(result.content, str) else "".join(map(str, result.content or ()))
                paired.append(names.get(result.tool_use_id) == text)
    return ids, paired


@given(st.data(), st.lists(st.sampled_from(FORMATS), min_size=2, max_size=4))
def test_requests_return_from_a_chain_of_formats_with_their_ids(data: st.DataObject, chain: list[il.Format]) -> None:
    home = chain[0]
    assert home.ids is not None
    own = data.draw(st.lists(st.lists(ID.filter(home.ids.accepts), max_size=4, unique=True), min_size=1, max_size=3))
    turns = [[id for id in ids if not (home.ids.unique and any(id in t for t in own[:i]))] for i, ids in enumerate(own)]
    wire = payload = request_in(home, [ids for ids in turns if ids])
    hashed = False
    for source, target in zip(chain, [*chain[1:], home], strict=True):
        result = il.convert(payload, source=source, target=target)
        payload = result.payload
        hashed |= any("sent as" in loss.detail for loss in result.losses)
        ids, paired = read_calls(payload, target)
        assert all(paired)
        for turn in filter(None, turns):  # all of a turn are unanswered at the same time
            assert len({*ids[: len(turn)]}) == len(turn)
            ids = ids[len(turn) :]
    if share.judged(not hashed, least=0.9):
        assert read_calls(payload, home) == read_calls(wire, home)


def test_look_alikes_of_escapes_stay_apart_in_one_message() -> None:
    wire = request_in(CHAT, [["il_il_5f_a", "il_a", "a", "il__61_"]])
    there = il.convert(wire, source=CHAT, target=ANTHROPIC).payload
    back = il.convert(there, source=ANTHROPIC, target=CHAT).payload
    assert read_calls(back, CHAT) == read_calls(wire, CHAT)
    assert all(read_calls(there, ANTHROPIC)[1])
