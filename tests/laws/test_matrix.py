"""The tables of what formats carry: each cell, judged by what comes back, without a look at how the tables are made."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

import pytest

import interlingua as il
import matrix
from concepts import ANSWERED, CONCEPTS, REPLIES, SENT
from interlingua.testing.lawbook import share, spoke, spoke_responses
from interlingua.testing.lawbook.documents import canonical, is_array, is_object
from laws.families import MAIN


def test_the_document_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, matrix.__file__, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Said(NamedTuple):
    """What an owner says, and whose it is."""

    whose: str
    kind: str
    meaning: str
    details: dict[str, Any]


def said(request: il.Request) -> list[Said]:
    """What a request says, in its order: its settings, its owners without their places, and its cache marks."""
    data = request.to_dict()
    roles = {f"/messages/{i}": message["role"].replace("tool", "user") for i, message in enumerate(data["messages"])}
    found = [Said("", "cache marks", str(sum(1 for _ in marks(data))), {})]
    owners = spoke.owners(data)
    results = {owner.pointer for owner in owners if owner.kind == "result"}
    for owner in owners:
        within = "result" if owner.parent in results else ""
        whose = owner.pointer if owner.kind == "setting" else within or roles.get("/".join(owner.pointer.split("/")[:3]), "")
        meaning = _as_json(owner) if owner.kind in ("text", "json") else owner.meaning
        if owner.kind not in spoke.HOLDERS or owner.details:
            kind = owner.kind.replace("json", "text")
            found.append(Said(whose, kind, canonical(meaning), dict(owner.details)))
    return sorted(found, key=lambda one: (one.kind != "setting", one.whose if one.kind == "setting" else ""))


ADDED = {"filename", "source/media_type"}


def has_arrived(request: il.Request, back: il.Request) -> bool:
    """Whether all that a request says came back; a name or a media type may be added where a format needs one."""
    mine, others = said(request), said(back)
    return [one[:3] for one in mine] == [one[:3] for one in others] and all(
        other.details.get(key) == one.details.get(key)
        for one, other in zip(mine, others, strict=True)
        for key in one.details.keys() | (other.details.keys() - ADDED)
    )


def _as_json(owner: spoke.Owner) -> Any:
    try:
        return json.loads(owner.meaning) if owner.kind == "text" else owner.meaning
    except ValueError:
        return owner.meaning


def marks(value: Any) -> Iterator[Any]:
    if is_object(value):
        yield from (mark for mark in [value.get("cache_control")] if mark is not None)
    for item in value.values() if is_object(value) else value if is_array(value) else ():
        yield from marks(item)


def judged(request: il.Request, target: str, cell: matrix.Outcome) -> list[str]:
    """What is wrong with a cell."""
    looked_at = spoke.Spoke.of(request, il.FORMATS[target])
    faults = looked_at.faults()
    whole = has_arrived(request, looked_at.back)
    if cell.word == "carried" and any(loss.kind != "added" for loss in looked_at.losses):
        faults.append("carried, and a loss is reported")
    if whole != (cell.word in ("carried", "in part")):
        faults.append(f"{cell.word} ({cell.why}), but {'all' if whole else 'not all'} of it comes back")
    return faults


@pytest.mark.parametrize("target", MAIN)
def test_a_cell_says_what_comes_of_what_was_built_by_hand(target: str) -> None:
    faults = {name: judged(concept.request, target, matrix.built(concept, target)) for name, concept in CONCEPTS.items()}
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize(("source", "target"), [*permutations(MAIN, 2)])
def test_a_cell_says_what_comes_of_what_was_read_from_another_format(source: str, target: str) -> None:
    faults: dict[str, list[str]] = {}
    for name, concept in CONCEPTS.items():
        request, cell = matrix.loaded(concept, source), matrix.converted(concept, source, target)
        # Ollama, which has the fewest fields, carries 16 of the 52 concepts.
        is_carried = share.judged(request is not None and cell is not None, least=0.3, of=f"from {source}")
        if is_carried and request is not None and cell is not None:
            faults[name] = judged(request, target, cell)
    assert {name: found for name, found in faults.items() if found} == {}


STANDS_FOR_NOTHING = {("anthropic", "reasoning without a signature")}
"""What is written with a stand-in, and so `changed`: an empty signature, which is none when it is read again."""


@pytest.mark.parametrize("target", MAIN)
def test_a_cell_says_what_comes_of_a_response(target: str) -> None:
    format = il.FORMATS[target]
    faults: dict[str, list[str]] = {}
    for name, data in [item for group in REPLIES.values() for item in group.items()]:
        response = il.validate(data, il.Response)
        made = il.load_response(il.dump_response(response, format, on_loss="ignore"), format)
        is_whole = spoke_responses.unreported(response, made, []) == []
        faults[name] = spoke_responses.lost_between(response, format)
        if (target, name) in STANDS_FOR_NOTHING:
            assert is_whole
        elif is_whole != (matrix.replied(response, target).word == "carried"):
            faults[name].append(f"{'all' if is_whole else 'not all'} of it comes back")
    assert {name: found for name, found in faults.items() if found} == {}


BACK = {"labels": il.format_for(il.GeminiProfile(labels=True), "vertex")}
"""The format in which fields come back that the main format of their provider does not write for others."""


def inside(value: Any, fields: Any) -> bool:
    """Whether a value has all of these fields, and so have the objects in it."""
    if is_object(fields):
        return is_object(value) and all(inside(value.get(key), item) for key, item in fields.items())
    if is_array(fields):
        return is_array(value) and len(value) == len(fields) and all(map(inside, value, fields))
    return bool(value == fields)


@pytest.mark.parametrize("name", [name for group in SENT.values() for name in group])
def test_a_cell_says_what_comes_of_the_fields_of_one_provider(name: str) -> None:
    """What is carried comes back as it was; what is dropped does not."""
    sample = next(group[name] for group in SENT.values() if name in group)
    for target in MAIN:
        word = matrix.sent(sample, target).word
        if word not in ("carried", "dropped"):
            continue
        there = il.convert(sample.payload, source=sample.source, target=il.format_of(target))
        streams = there.endpoint.stream or None
        back = il.convert(there.payload, source=il.format_of(target), target=BACK.get(name, sample.source), stream=streams)
        assert inside(back.payload, sample.fields) is (word == "carried"), (target, back.payload)


@pytest.mark.parametrize("name", [name for group in ANSWERED.values() for name in group])
def test_a_cell_says_what_comes_of_an_answer_of_one_provider(name: str) -> None:
    """What is carried comes back as it was; what is dropped does not."""
    sample = next(group[name] for group in ANSWERED.values() if name in group)
    whole = il.load_response(sample.body, sample.source)
    for target in MAIN:
        word = matrix.answered(sample, target).word
        if word not in ("carried", "dropped"):
            continue
        there = il.dump_response(whole, il.format_of(target), on_loss="ignore")
        back = il.dump_response(il.load_response(there, target), sample.source, on_loss="ignore")
        assert inside(back, sample.body) is (word == "carried"), (target, back)


def test_every_sample_says_something_of_its_own() -> None:
    """Two samples that say the same could not be distinguished by any judge."""
    every = [json.dumps(said(concept.request)) for concept in CONCEPTS.values()]
    assert len(set(every)) == len(every)
