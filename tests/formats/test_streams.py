"""The laws over the streams of all cases: they fold into the response, and the official SDK takes what is written of them."""

import copy
from random import Random
from typing import Any

import pytest

import interlingua as il
from formats.cases import Case, cases, dialects
from interlingua.testing.lawbook import share
from laws import sdks, sse
from laws.families import MAIN, is_sse, main_of

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

CASES = cases("stream")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_stream_folds_into_its_response(case: Case) -> None:
    for format in (case.format, *dialects(case.format)):
        reader = il.reader(format)
        events = list(reader.read(case.read("stream")))
        assert reader.response == il.accumulate(events) == il.load_response(case.read("response"), format)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_bytes_of_a_stream_say_the_same(case: Case) -> None:
    random = Random(str(case))
    chunks: list[Any] = case.read("stream")
    # The others come as lines of JSON, or as messages of an AWS event stream.
    data = sse.body_of(chunks, random) if is_sse(case.format) else b"".join(il.sse(chunks, il.format_of(case.format)))
    reader = il.reader(case.format)
    for piece in sse.cuts(data, random):
        reader.feed_bytes(piece)
    reader.close()
    assert reader.response == il.load_response(case.read("response"), case.format)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_stream_written_again_says_the_same(case: Case) -> None:
    chunks: list[Any] = case.read("stream")
    written = list(il.restream(chunks, source=case.format, target=case.format, on_loss="raise"))
    again = il.reader(case.format)
    list(again.read(copy.deepcopy(written)))
    assert again.response == il.load_response(case.read("response"), case.format)
    judge = sdks.judge_of(case.format)
    if share.judged(not case.has("faults"), least=0.6):
        assert [fault for chunk in written for fault in sdks.chunk_faults(sdks.complete(chunk, judge), judge)] == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_stream_says_elsewhere_what_its_response_says_there(case: Case) -> None:
    for target in MAIN:
        says_the_same(case, target)


def says_the_same(case: Case, target: il.FormatName) -> None:
    chunks: list[Any] = case.read("stream")
    passed_on = il.restream(chunks, source=case.format, target=target, usage=True, on_loss="ignore")
    again = il.reader(target)
    list(again.read(list(passed_on)))
    whole = il.load_response(il.dump_response(il.load_response(case.read("response"), case.format), target), target)
    assert again.response.message.text == whole.message.text
    assert [use.name for use in again.response.message.tool_uses] == [use.name for use in whole.message.tool_uses]
    given = il.load_response(case.read("response"), case.format).message.tool_uses
    if share.judged(all(use.parsed is not None for use in given), least=0.9):  # arguments that are none are sent as they come
        assert [use.parsed for use in again.response.message.tool_uses] == [use.parsed for use in whole.message.tool_uses]
    assert again.response.stop_reason == whole.stop_reason


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_chunk_looks_like_one_of_its_format(case: Case) -> None:
    alike = {case.format, main_of(case.format)}
    for chunk in case.read("stream"):
        found = {(one.kind, one.format) for one in il.detect(chunk)}
        if share.judged(chunk != "[DONE]", least=0.8):
            assert found & {(kind, format) for kind in ("chunk", "response") for format in alike}
