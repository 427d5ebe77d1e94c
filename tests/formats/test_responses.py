"""The laws over the responses of all cases: the same JSON comes back, and the official SDK and `detect` know them."""

import json

import pytest

import interlingua as il
from formats.cases import Case, cases, dialects, written_alike
from interlingua.testing.lawbook import share
from laws import sdks

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

CASES = cases("response")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_response_comes_back_exactly(case: Case) -> None:
    body = case.read("response")
    for format in (case.format, *dialects(case.format)):
        assert il.dump_response(il.load_response(body, format), format, on_loss="raise") == body
        assert il.dump_response(il.load_response(json.dumps(body), format), format, on_loss="raise") == body
        assert body == case.read("response")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_response_looks_like_one_of_its_format(case: Case) -> None:
    found = {(one.kind, one.format) for one in il.detect(case.read("response"))}
    if share.judged(bool(found), least=0.9):  # nothing but a list, or null, looks like nothing
        assert found & {("response", name) for name in written_alike(case.format)}


def faulty_places(case: Case) -> list[str]:
    """Where the SDK finds faults, without the names of the variants that it tried."""
    faults = sdks.response_faults(case.read("response"), sdks.judge_of(case.format))
    return sorted({"/".join(fault.pointer.split("/")[:3]) for fault in faults})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_official_sdk_finds_what_the_case_says(case: Case) -> None:
    """`faults.json` has what is odd on purpose; a case without one is what the SDK's types take."""
    assert faulty_places(case) == (case.read("faults") if case.has("faults") else [])
