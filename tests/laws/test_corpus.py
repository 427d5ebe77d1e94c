"""The laws over the cases written by hand, and the losses that each case must report."""

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
from formats.cases import Case, cases
from laws import families, laws, legs, owners
from laws.judging import ALONE, PAIRED, SPOKE, report, violations

CASES = cases("request")
WITH_LOSSES = cases("losses")

TESTS = Path(__file__).parents[1]

# Read by their family as well: what these formats hold is also what other hosts of the same shape were sent.
ALSO: dict[str, tuple[il.FormatName, ...]] = {"openai_chat": ("litellm", "openrouter", "deepseek", "clacky", "openhands")}

# The other family, for which losses.json has the losses.
ACROSS: dict[str, il.FormatName] = {"openai_chat": "anthropic", "anthropic": "openai_chat"}

# (law, case) -> why this case cannot keep this law. Aim: none.
KNOWN: dict[tuple[str, str], str] = {}


def sources(case: Case) -> Iterator[il.FormatName]:
    yield case.format
    yield from ALSO.get(case.format, ())


@pytest.mark.parametrize("law", [*ALONE, *PAIRED, *SPOKE])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_laws(case: Case, law: str) -> None:
    if law in PAIRED and next(sources(case)) not in families.KNOWN:
        return  # judged by the spokes, for no judge knows its wire
    report(law, {f"{case} as {source}": violations(law, case.read("request"), source) for source in sources(case)}, KNOWN)


@pytest.mark.parametrize("case", WITH_LOSSES, ids=str)
def test_losses(case: Case) -> None:
    reported = il.convert(case.read("request"), source=case.format, target=ACROSS[case.format]).losses
    expected = case.read("losses")
    assert sorted((loss.path, loss.kind) for loss in reported) == sorted((loss["path"], loss["kind"]) for loss in expected)


def test_fields_and_losses_have_the_same_order_in_every_process() -> None:
    def said(seed: str) -> str:
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(TESTS)}
        command = [sys.executable, "-m", "laws.order"]
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


@pytest.mark.parametrize("case", WITH_LOSSES, ids=str)
def test_losses_kept_to_itself_are_missed(case: Case) -> None:
    """Law 3 bites between the families too: a loss that is not reported is found."""
    expected = [loss for loss in case.read("losses") if loss["kind"] != "added"]

    def silent(payload: Any, *, source: il.FormatName, target: il.FormatName) -> legs.Outcome:
        outcome = il.convert(payload, source=source, target=target)
        return Silent(outcome.payload, () if source == case.format else outcome.losses, outcome.places)

    if expected:
        assert laws.law3(case.read("request"), case.format, ACROSS[case.format], silent)


def test_every_format_has_cases() -> None:
    folders = {case.format for case in CASES}
    assert folders <= il.FORMATS.keys()
    assert {*families.ANTHROPIC, "openai_chat", "openai_completions"} <= folders


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
    assert errors[0]["path"] == path or owners.under(errors[0]["path"], path)
    assert errors[0]["reason"]
