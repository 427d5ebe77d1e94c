"""One fault is one problem: what a rule says of the shape of a body, the wire types do not say again."""

import copy
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

import interlingua as il
from formats.cases import cases
from formats.refused import refused
from interlingua.testing.lawbook.documents import is_array, is_object

LONGEST = 400
DAMAGES: tuple[Any, ...] = (None, 7, "x", [], {}, {"q": 1})

FORMATS = sorted({case.format for case in refused()} - {"bedrock_boto3"})
"""The formats with rules; bedrock_boto3 has those of bedrock_converse."""

DIFFERENT = {
    ("anthropic", "empty-message"): "the shape lacks a role",
    ("anthropic", "error-result-content"): "the shape lacks a type",
    ("bedrock_converse", "empty-message"): "the shape lacks a role",
    (
        "bedrock_converse",
        "tools-missing-for-history",
    ): "the shape is of another kind, and what it must hold is said by the rule",
    ("deepseek", "json-object-needs-word"): "the rule is about the texts of all messages",
    ("openai_chat", "call-without-result"): "the shape lacks a function",
}
"""The rules that may find an error at the place of one of the shape, and why it is another."""


def requests(format: str) -> Iterator[Any]:
    """The small requests of a format that are in the tests' files."""
    found = [*(case.accepted for case in refused() if case.format == format)]
    found += [case.read("request") for case in cases("request") if case.format == format]
    yield from (body for body in found if len(json.dumps(body, default=str)) <= LONGEST)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything in a body."""
    items: Iterable[tuple[Any, Any]] = ()
    if is_object(value):
        items = value.items()
    elif is_array(value):
        items = enumerate(value[:3])
    for key, item in items:
        yield (*at, key)
        yield from places(item, (*at, key))


def damaged(body: Any) -> Iterator[Any]:
    """The body with one thing in it missing, or of another kind."""
    for place in places(body):
        for number in range(len(DAMAGES) + 1):
            whole = copy.deepcopy(body)
            owner = whole
            for key in place[:-1]:
                owner = owner[key]
            if number == len(DAMAGES):
                del owner[place[-1]]
            else:
                owner[place[-1]] = DAMAGES[number]
            yield whole


def twice(problems: list[il.Problem]) -> list[tuple[str, str, str]]:
    """The errors of rules at the place of an error of the shape."""
    shape = {each.path: each.message for each in problems if each.code == "shape"}
    ruled = [each for each in problems if each.code != "shape" and each.severity == "error" and each.path in shape]
    return [(each.code, shape[each.path], each.message) for each in ruled]


@pytest.mark.deep
def test_what_is_refused_is_reported_once() -> None:
    found = {(case.format, each) for case in refused() for each in twice(il.check(case.refused, case.format))}
    assert found == set()


@pytest.mark.deep
@pytest.mark.parametrize("format", FORMATS)
def test_one_fault_is_reported_once(format: str) -> None:
    found: set[tuple[str, str, str]] = set()
    tried = 0
    for body in requests(format):
        for wrong in damaged(body):
            problems = il.check(wrong, il.format_of(format))
            tried += any(each.code == "shape" for each in problems)
            found |= {each for each in twice(problems) if (format, each[0]) not in DIFFERENT}
    assert found == set()
    assert tried > 20
