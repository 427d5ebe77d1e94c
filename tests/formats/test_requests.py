"""The laws over the requests of all cases, and the losses that each of them must report."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from formats.cases import Case, cases, dialects, losses, written_alike
from interlingua.testing.lawbook import documents, share
from laws import families, laws, legs
from laws.families import MAIN
from laws.judging import ALONE, PAIRED, SPOKE, report, violations
from laws.test_no_new_faults import new_faults

CASES = cases("request")

TESTS = Path(__file__).parents[1]

# The other family.
ACROSS: dict[str, il.FormatName] = {"openai_chat": "anthropic", "anthropic": "openai_chat"}

# (law, case) -> why this case cannot keep this law. Aim: none.
KNOWN: dict[tuple[str, str], str] = {}


def sources(case: Case) -> Iterator[il.FormatName]:
    yield case.format
    if case.format == "openai_chat":  # what other hosts of the same shape were sent as well
        yield from dialects(case.format)


def laws_of(case: Case) -> list[str]:
    """The laws that a case is judged by: a wire that no judge knows is judged by the spokes."""
    return [*ALONE, *(PAIRED if case.format in families.KNOWN else ()), *SPOKE]


@pytest.mark.parametrize(("case", "law"), [(case, law) for case in CASES for law in laws_of(case)], ids=str)
def test_laws(case: Case, law: str) -> None:
    report(law, {f"{case} as {source}": violations(law, case.read("request"), source) for source in sources(case)}, KNOWN)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_request_looks_like_one_of_its_format(case: Case) -> None:
    found = il.detect(case.read("request"))
    named = {one.format for one in found if one.kind in ("request", "messages")}
    # Messages of texts alone look like Chat's, and a row of nothing but a text like nothing.
    if share.judged(bool(found) and (named != {"openai_chat"} or case.format == "openai_chat"), least=0.9):
        assert named & written_alike(case.format)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_conversion_loses_what_the_case_says(case: Case) -> None:
    """`losses.json` has the losses by target, as `tools/cases.py` writes them; a line that changes is a change for users."""
    assert losses(case) == case.read("losses")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_conversion_makes_no_fault(case: Case) -> None:
    wire = case.read("request")
    if share.judged(not any(problem.severity == "error" for problem in il.check(wire, case.format)), least=0.8):
        request = il.load(wire, case.format)
        assert {target: faults for target in MAIN if (faults := new_faults(request, target))} == {}


def test_fields_and_losses_have_the_same_order_in_every_process() -> None:
    def said(seed: str) -> str:
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)]),
        }
        command = [sys.executable, "-m", "formats.order"]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    first = said("1")
    assert len(first.splitlines()) > len(CASES)
    assert said("2") == first
    assert said("3") == first


@dataclass(frozen=True)
class Silent:
    payload: Any
    losses: tuple[il.Loss, ...]
    places: Mapping[str, str]


SILENT = [case for case in CASES if case.format in ACROSS]


@pytest.mark.parametrize("case", SILENT, ids=str)
def test_losses_kept_to_itself_are_missed(case: Case) -> None:
    """Law 3 bites between the families too: a loss that is not reported is found."""
    target = ACROSS[case.format]

    def silent(payload: Any, *, source: il.FormatName, target: il.FormatName) -> legs.Outcome:
        outcome = il.convert(payload, source=source, target=target)
        return Silent(outcome.payload, () if source == case.format else outcome.losses, outcome.places)

    if share.judged(any(not line.startswith("added") for line in losses(case)[target]), least=0.5):
        assert laws.law3(case.read("request"), case.format, target, silent)


def user(content: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}]}


def used(input: Any) -> dict[str, Any]:
    return {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": input}]}]}


REFUSED: dict[str, tuple[str, Any, str]] = {
    "a lone surrogate in a text": ("openai_chat", user("\ud800"), "/messages/0/content"),
    "a lone surrogate in a part": ("anthropic", user([{"type": "text", "text": "\udfff"}]), "/messages/0/content/0/text"),
    "a lone surrogate in arguments": ("anthropic", used({"a": ["\ud800"]}), "/messages/0/content/0/input"),
    "a lone surrogate in a key": ("anthropic", used({"\ud800": 1}), "/messages/0/content/0/input"),
    "NaN in arguments": ("anthropic", used({"a": float("nan")}), "/messages/0/content/0/input"),
    "1e400 in arguments": ("anthropic", used({"a": json.loads("1e400")}), "/messages/0/content/0/input"),
    "NaN in a setting": ("openai_chat", {**user("x"), "temperature": float("nan")}, "/temperature"),
    "infinity in an unknown field": ("openai_chat", {**user("x"), "foo": {"bar": float("inf")}}, "/foo"),
    "content of a wrong type": ("openai_chat", user(7), "/messages/0/content"),
    "a text of a wrong type": ("openai_chat", user([{"type": "text", "text": 7}]), "/messages/0/content/0/text"),
    "a part that is no object": ("anthropic", user([7]), "/messages/0/content/0"),
    "a message that is no object": ("anthropic", {"messages": [7]}, "/messages/0"),
    "messages that are no list": ("openai_chat", {"messages": {}}, "/messages"),
}


@pytest.mark.parametrize(("format", "payload", "path"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_json_is_one_clear_error(format: il.FormatName, payload: Any, path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load(payload, format)
    errors = il.error_body(caught.value)["errors"]
    assert len(errors) == 1
    assert errors[0]["path"] == path or documents.under(errors[0]["path"], path)
    assert errors[0]["reason"]
