"""`fill=`: what is filled is what the official client's models require, by those models, of drawn and of recorded responses."""

import contextlib
import copy
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import loss_laws, share
from interlingua.testing.lawbook.documents import canonical, is_array, is_object
from interlingua.testing.splitting import split, streamable
from laws import families, over, recorded, sdks
from laws.closed import Fault
from laws.families import ANSWERING, STREAMING, Names
from laws.streaming import RANDOMS, read

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning", "ignore:.* is not a valid:UserWarning")

TARGETS: Names = tuple(name for name in ANSWERING if name in sdks.SDKS)
"""The formats that an official client reads."""


def faults_of(body: Any, target: str) -> list[Fault]:
    """What the SDK's models refuse; a field that they do not have is none of it."""
    return [fault for fault in sdks.response_faults(body, target) if fault.rule != "sdk extra"]


def chunk_faults_of(chunk: Any, target: str) -> list[Fault]:
    if chunk == "[DONE]" or "error" in chunk:  # the clients raise an error before they validate one
        return []
    found = [fault for fault in sdks.chunk_faults(chunk, target) if fault.rule != "sdk extra"]
    # The SDK's types of deltas know calls of functions alone.
    return [fault for fault in found if not ("/delta/tool_calls/" in fault.pointer and fault.pointer.endswith("/type"))]


def within(part: Any, whole: Any) -> bool:
    """Whether all that one JSON value says is in another, where null may be something and objects may have more."""
    if part is None:
        return True
    if is_object(part):
        return is_object(whole) and all(key in whole and within(value, whole[key]) for key, value in part.items())
    if is_array(part):
        return is_array(whole) and len(part) == len(whole) and all(map(within, part, whole))
    return canonical(part) == canonical(whole)


# Drawn responses


@over.pairs(ANSWERING, targets=TARGETS)
@given(data=st.data())
def test_the_official_sdk_takes_a_filled_response_of_any_format(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    response = il.load_response(data.draw(testing.responses(source, odd=False)), source)
    faults = faults_of(il.dump_response(response, target, fill=True), target)
    assert without_reasons_of_relatives(faults, source, target) == []


def without_reasons_of_relatives(faults: list[Fault], source: il.FormatName, target: il.FormatName) -> list[Fault]:
    """The faults without those of the reason why an answer ended: a relative's own word for it stays."""
    if il.FORMATS[source].family != il.FORMATS[target].family:
        return faults
    return [fault for fault in faults if not fault.pointer.endswith("/finish_reason")]


@over.pairs(STREAMING, targets=TARGETS)
@given(data=st.data())
def test_the_official_sdk_takes_each_chunk_of_a_filled_stream_of_any_format(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    body = streamable(data.draw(testing.responses(source, odd=False)), source)
    if share.judged(body is not None, least=0.5) and body is not None:
        chunks = split(body, source, data.draw(RANDOMS))
        written = [*il.restream(chunks, source=source, target=target, usage=True, fill=True)]
        faults = [fault for chunk in written for fault in chunk_faults_of(chunk, target)]
        assert without_reasons_of_relatives(faults, source, target) == []


@over.formats(TARGETS)
@given(data=st.data())
def test_the_official_sdk_takes_a_filled_response_of_its_own_provider(format: il.FormatName, data: st.DataObject) -> None:
    response = il.load_response(data.draw(testing.responses(format)), format)
    if share.judged(faults_of(sdks.whole(il.dump_response(response, format), format), format) == [], least=0.1):
        assert faults_of(il.dump_response(response, format, fill=True), format) == []


@over.formats(ANSWERING)
@given(data=st.data())
def test_a_response_in_its_own_format_gets_only_what_is_missing(format: il.FormatName, data: st.DataObject) -> None:
    response = il.load_response(data.draw(testing.responses(format)), format)
    before, losses = copy.deepcopy(response.to_dict()), list[il.Loss]()
    plain = il.dump_response(response, format)
    filled = il.dump_response(response, format, fill=True, on_loss=losses.append)
    assert within(plain, filled)
    assert {loss.kind for loss in losses} <= {"added"}
    assert bool(losses) == (canonical(plain) != canonical(filled))
    assert [*loss_laws.astray(losses, before, filled)] == []
    assert canonical(response.to_dict()) == canonical(before)
    assert il.dump_response(il.load_response(filled, format), format, fill=True, on_loss="raise") == filled


@over.pairs(STREAMING)
@given(data=st.data())
def test_a_filled_stream_has_the_callers_values_that_the_filled_whole_has(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    streamed = streamable(data.draw(testing.responses(source, odd=False)), source)
    if not share.judged(streamed is not None, least=0.5) or streamed is None:
        return
    hold_filled_stream(split(streamed, source, data.draw(RANDOMS)), source, target)


@pytest.mark.parametrize("target", [name for name in STREAMING if name != "bedrock_text"])
def test_a_filled_stream_has_no_id_of_its_source_before_that_comes(target: il.FormatName) -> None:
    chunks: list[Any] = [{"text": "a", "is_finished": False}, {"text": "", "finish_reason": "COMPLETE", "id": "s"}]
    hold_filled_stream(chunks, "bedrock_text", target)


def hold_filled_stream(chunks: list[Any], source: il.FormatName, target: il.FormatName) -> None:
    """Hold a filled stream to the values of the filled whole."""
    reader, events = read(chunks, source)
    ids, times = count(1), count(1_700_000_000)
    fill = il.Fill(
        id=lambda: f"made-{next(ids)}", model="m", created=lambda: next(times), usage=il.Usage(input_tokens=3, output_tokens=4)
    )
    body = il.dump_response(reader.response, target, fill=fill)
    whole = il.load_response(body, target)
    made = next(ids), next(times)
    writer = il.writer(target, fill=fill)
    again, _ = read([chunk for event in events for chunk in writer.feed(event)], target)
    # An id or a time that comes when the message has begun is filled in before: one of the two is left out.
    began = next(event for event in events if isinstance(event, il.MessageStart))
    late_id, late_time = (
        all(getattr(said, name) is not None for said in (reader.response, whole)) and getattr(began, name) is None
        for name in ("id", "created")
    )
    assert (next(ids) - made[0], next(times) - made[1]) == (made[0] + late_id, made[1] - 1_700_000_000 + 1 + late_time)
    folded = again.response
    assert (folded.model, folded.usage is None) == (whole.model, whole.usage is None)
    if reader.response.usage is None and whole.usage is not None:
        assert folded.usage == whole.usage
    if reader.response.id is None and whole.id is not None:
        assert (whole.id, folded.id) == ("made-1", "made-3")
    if reader.response.created is None and whole.created is not None:
        assert (whole.created, folded.created) == (1_700_000_000, 1_700_000_002)
    left_out = {loss.path for loss in writer.losses if loss.kind == "dropped"}
    if late_id:
        assert folded.id == whole.id or (folded.id, "/id" in left_out) == (f"made-{made[0] + 1}", True)
    if late_time:
        assert folded.created == whole.created or (folded.created, "/created" in left_out) == (made[1] + 1, True)
    added = [loss for loss in writer.losses if loss.kind == "added"]
    assert len(added) == len(set(added))
    assert [*loss_laws.astray(added, folded.to_dict(), body)] == []


# Recorded responses

UNKNOWN = frozenset({"3f9560686221a882", "dd492a74f27c4262"})
"""Answers that their SDK's types do not take, with a field of a block and a guardrail's trace that any dialect keeps."""


class Judged(NamedTuple):
    """What an official client finds wrong with a recorded answer that was converted."""

    id: str
    filled: list[Fault]
    plain: list[Fault]
    excused: bool
    """Whether the client refuses what its own provider sent, whatever is filled in."""


@pytest.mark.traffic
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("api", "source"), recorded.READ_AS)
def test_the_official_sdk_takes_what_recorded_answers_are_filled_to(
    traffic: Path, api: str, source: il.FormatName, target: il.FormatName, record_property: Callable[[str, int], None]
) -> None:
    for kind, judge in (("responses", _whole), ("streams", _streamed)):
        found = list(judge(traffic, api, source, target))
        pair = f"{kind} of {source} as {target}"
        record_property(f"{pair}, all", len(found))
        record_property(f"{pair}, taken with fill", sum(not one.filled for one in found))
        record_property(f"{pair}, taken without", sum(not one.plain for one in found))
        assert [one for one in found if one.filled and not one.excused] == []


def _whole(traffic: Path, api: str, source: il.FormatName, target: il.FormatName) -> Iterator[Judged]:
    for record in recorded.responses(traffic, api):
        try:
            response = il.load_response(record.body, source)
        except il.ProviderError:
            continue  # recorded with the status 200, but an error and nothing else
        plain, filled = (il.dump_response(response, target, fill=fill) for fill in (False, True))
        excused = _is_odd(plain, source, target)
        yield Judged(record.id, faults_of(filled, target), faults_of(plain, target), excused)


def _is_odd(plain: Any, source: il.FormatName, target: il.FormatName) -> bool:
    """Whether an answer is one that the SDK of its own shape refuses, which is no better in a dialect of that shape."""
    judges = {sdks.judge_of(source), target}
    related = len({families.main_of(judge) for judge in judges}) == 1
    return related and any(faults_of(sdks.whole(plain, judge), judge) for judge in judges)


def _streamed(traffic: Path, api: str, source: il.FormatName, target: il.FormatName) -> Iterator[Judged]:
    if not (traffic / f"{api}.streams.jsonl").is_file():
        return
    for record in recorded.streams(traffic, api):
        plain, filled = (_passed_on(record.body, source, target, fill=fill) for fill in (False, True))
        completed = (sdks.complete(chunk, target) for chunk in plain)
        excused = sdks.judge_of(source) == target and any(chunk_faults_of(chunk, target) for chunk in completed)
        excused = excused or (record.id in UNKNOWN and families.main_of(source) == families.main_of(target))
        with_fill, without = ([fault for chunk in out for fault in chunk_faults_of(chunk, target)] for out in (filled, plain))
        yield Judged(record.id, with_fill, without, excused)


def _passed_on(chunks: list[Any], source: il.FormatName, target: il.FormatName, *, fill: bool) -> list[Any]:
    out: list[Any] = []
    passed_on = il.restream(iter(chunks), source=source, target=target, usage=True, fill=fill)
    with contextlib.suppress(il.InterlinguaError):  # of the provider, at the end
        out.extend(passed_on)
    return out
