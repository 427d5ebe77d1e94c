"""What other projects expect of the same conversions, by their public tests and sources, and how this package answers.

Each file beside this one is a project. A case has a payload of the source and what that project has in the target's payload: a
value at a JSON Pointer, any value there (`present`), or nothing (`absent`); at the pointer of the whole, nothing stands for a
project that refuses to convert. Its outcome is `equal`; `differs`, on purpose, for the reason that it gives; or `reported`: the
value is not carried, a loss at `lost` says so, and the reason says why. `ours` is what this package has there. Where an option
makes it equal, `equal_with` has it; `profile` is that of the project's own server. The payloads are our own.
`tools/outcomes.py` counts the cases.
"""

import json
import re
import warnings
from pathlib import Path
from typing import Any, cast

import pytest

import interlingua as il

PROJECTS = sorted(Path(__file__).parent.glob("*.json"))
CASES: list[Any] = [
    pytest.param(case, id=f"{file.stem}: {case['title']}") for file in PROJECTS for case in json.loads(file.read_text())
]
MISSING = object()
PROFILES = {"anthropic": il.AnthropicProfile, "gemini": il.GeminiProfile, "openai_chat": il.ChatProfile}


def converted(case: dict[str, Any], *, fill: bool = False, profile: dict[str, Any] | None = None) -> tuple[Any, list[str]]:
    """The payload of the target, and the paths of what was lost."""
    source: il.FormatName = case["source"]
    name: il.FormatName = case["target"]
    profile = case.get("profile", {}) | (profile or {})
    target = il.format_for(PROFILES[name](**profile)) if profile else il.format_of(name)
    payload: dict[str, Any] = case["payload"]
    if case["kind"] == "request":
        result = il.convert(payload, source=source, target=target)
        return result.payload, [loss.path for loss in result.losses]
    if case["kind"] == "error":
        with pytest.raises(il.ProviderError) as caught:
            il.load_response(payload, source, status=case.get("status"))
        return il.dump_error(caught.value, target), []
    lost: list[il.Loss] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", il.LossWarning)
        if case["kind"] == "stream":
            pieces: list[Any] = case["payload"]
            stream = il.restream(pieces, source=source, target=target, usage=case.get("usage", False), fill=fill)
            chunks = list(stream)
            return chunks, [loss.path for loss in stream.losses]
        body = il.dump_response(il.load_response(payload, source), target, on_loss=lost.append, fill=fill)
    return body, [loss.path for loss in lost]


def is_list(value: object) -> bool:
    return isinstance(value, list)


def in_items(items: list[Any], step: str, rest: str) -> Any:
    wanted = items if step == "*" else items[int(step) :][:1]
    return next((value for value in (found(item, rest) for item in wanted) if value is not MISSING), MISSING)


def found(payload: Any, pointer: str) -> Any:
    """What is at the pointer; `*` is any item of a list, of which the first that has the rest is taken."""
    step, _, rest = pointer.removeprefix("/").partition("/")
    if not pointer:
        return payload
    rest = f"/{rest}" if rest else ""
    if is_list(payload):
        return in_items(payload, step, rest)
    key = step.replace("~1", "/").replace("~0", "~")
    fields = cast("dict[str, Any]", payload) if isinstance(payload, dict) else {}
    return found(fields[key], rest) if key in fields else MISSING


def agrees(payload: Any, expected: dict[str, Any]) -> bool:
    value = found(payload, expected["at"])
    if "value" in expected:
        return bool(value == expected["value"])
    return (value is MISSING) is bool(expected.get("absent"))


@pytest.mark.parametrize("case", CASES)
def test_what_another_project_expects_has_the_outcome_that_is_noted(case: dict[str, Any]) -> None:
    payload, lost = converted(case)
    same = all(agrees(payload, expected) for expected in case["expected"])
    assert same == (case["outcome"] == "equal"), payload
    assert (case["outcome"] == "equal") == ("reason" not in case)
    assert all(agrees(payload, ours) for ours in case.get("ours", [])), payload
    if "lost" in case:
        assert any(path == "" or case["lost"] == path or case["lost"].startswith(f"{path}/") for path in lost), lost
    assert case["outcome"] in ("equal", "differs") or (case["outcome"] == "reported" and "lost" in case)
    assert "lost" in case or not re.search(r"\bloss\b|\breported\b", case.get("reason", "")), "the loss must be named"


@pytest.mark.parametrize("case", [param for param in CASES if "equal_with" in param.values[0]])
def test_an_option_makes_it_equal(case: dict[str, Any]) -> None:
    payload, _ = converted(case, **case["equal_with"])
    assert all(agrees(payload, expected) for expected in case["expected"]), payload


@pytest.mark.parametrize("file", PROJECTS, ids=[file.stem for file in PROJECTS])
def test_each_project_has_a_dozen_cases_with_titles_of_their_own(file: Path) -> None:
    titles = [case["title"] for case in json.loads(file.read_text())]
    assert len(set(titles)) == len(titles) >= 12
