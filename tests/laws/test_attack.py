"""An attacker at every door: only the package's errors come out, and what is taken is neither changed nor lost.

`make test` tries a few thousand cases, `make attack` 300,000. A failure names the seed of its case, by which `--attack-seed`
runs it alone.
"""

import asyncio
import contextlib
import json
import sys
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from random import Random
from typing import Any, Literal, NamedTuple, get_args

import pytest

import interlingua as il
from interlingua.model.base import Json
from interlingua.testing.lawbook import documents, share
from laws.attacking import Seeds, as_events, changed, events_of, is_plain, json_text, reordered, spoiled_text
from laws.families import ANSWERING, STREAMING, Names, is_sse

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

ALL: Names = get_args(il.FormatName)
SEEDS = 12
"""How many sound documents of each kind and format there are to begin with."""


class Case(NamedTuple):
    """One attack: a name for its door, and what to do there."""

    door: str
    attack: Callable[[], object]
    document: Any


def three(random: Random, names: Names) -> tuple[il.FormatName, il.FormatName, il.FormatName]:
    """A source, a target, and a format whose documents lend something."""
    return random.choice(names), random.choice(names), random.choice(names)


# Requests


def requests(random: Random, seeds: Seeds) -> Iterator[Case]:
    source, target, other = three(random, ALL)
    document = changed(
        random,
        random.choice(seeds.of("requests", source)),
        random.choice(seeds.of("requests", other)),
        python=random.random() < 0.1,
    )
    yield Case(f"load {source}", lambda: at_home(document, source), document)
    yield Case(f"convert {source} to {target}", lambda: converted(document, source, target), document)
    yield Case(f"check {source}", lambda: il.check(document, source), document)
    yield Case(f"repair, check for {target}", lambda: repaired(il.load(document, source), target), document)
    yield Case(f"history of {source}", lambda: history(il.load(document, source)), document)
    yield Case("detect", lambda: il.detect(document), document)
    yield Case("validate", lambda: il.validate(document), document)


def at_home(document: Any, format: il.FormatName) -> None:
    request = il.load(document, format)
    back = il.dump(request, format, on_loss="raise")
    if isinstance(document, dict) and is_plain(document):
        assert documents.canonical(back) == documents.canonical(document), "a dump to the same format changes it"


def converted(document: Any, source: il.FormatName, target: il.FormatName) -> None:
    result = il.convert(document, source=source, target=target, check=True)
    for loss in result.losses if isinstance(document, dict | list) else ():
        path = loss.path.rpartition("/")[0] if loss.kind == "added" else loss.path
        assert documents.resolves(document, path), f"a loss whose path is not in the input: {loss}"
        assert loss.at is None or documents.resolves(result.payload, loss.at), f"a loss whose `at` is not in the output: {loss}"
    if json_text(document) is not None and documents.is_json(result.payload):
        json.dumps(result.payload).encode()


def repaired(request: il.Request, format: il.FormatName) -> None:
    policies: tuple[Literal["drop", "placeholder"], ...] = ("drop", "placeholder")
    for policy in policies:
        fixed, _repairs = il.repair(request, format, policy=policy, warnings=True)
        il.dump(fixed, format, on_loss="ignore")


def history(request: il.Request) -> None:
    messages = list(request.messages)
    il.units(messages)
    il.trim(messages, keep=3, count=lambda _message: 1)
    il.merge_runs(messages)
    il.strip_reasoning(messages)
    il.fingerprint(request)
    il.outline(request)
    il.html(request)
    assert not il.diff(request, request, exact=True)
    assert il.validate([message.to_dict() for message in messages]) == messages
    for message in messages:
        il.tool_use_ids(message)
        il.is_tool_result(message)


# Text


def texts(random: Random, seeds: Seeds) -> Iterator[Case]:
    source, target = random.choice(ALL), random.choice(ALL)
    text = spoiled_text(random, json.dumps(random.choice(seeds.of("requests", source)), default=bytes.hex))
    yield Case(f"load {source}", lambda: il.load(text, source), text)
    yield Case(f"convert {source} to {target}", lambda: il.convert(text, source=source, target=target), text)
    yield Case(f"check {source}", lambda: il.check(text, source), text)
    yield Case("detect", lambda: il.detect(text), text)
    yield Case("validate", lambda: il.validate(text), text)
    if source in ANSWERING:
        answer = spoiled_text(random, json.dumps(random.choice(seeds.of("responses", source)), default=bytes.hex))
        yield Case(f"load_response {source}", lambda: il.load_response(answer, source), answer)


# Responses


def responses(random: Random, seeds: Seeds) -> Iterator[Case]:
    source, target, other = three(random, ANSWERING)
    document = changed(
        random,
        random.choice(seeds.of("responses", source)),
        random.choice(seeds.of("responses", other)),
        python=random.random() < 0.1,
    )
    yield Case(f"load_response {source}", lambda: answer_at_home(document, source), document)
    yield Case(f"response of {source} to {target}", lambda: answered(document, source, target), document)
    yield Case(f"error of {source} to {target}", lambda: refused(document, source, target), document)


def answer_at_home(document: Any, format: il.FormatName) -> None:
    back = il.dump_response(il.load_response(document, format), format, on_loss="raise")
    if is_plain(document):
        assert documents.canonical(back) == documents.canonical(document), "a dump to the same format changes it"


def answered(document: Any, source: il.FormatName, target: il.FormatName) -> None:
    response = il.load_response(document, source)
    body = il.dump_response(response, target, on_loss="ignore")
    if json_text(document) is not None and documents.is_json(body):
        json.dumps(body).encode()
    message = response.message
    results = il.tool_results(message, {call.id: "done" for call in message.tool_uses if call.id})
    il.dump([il.UserMessage(content="Hi"), message, *results], target, on_loss="ignore")


def refused(document: Any, source: il.FormatName, target: il.FormatName) -> None:
    try:
        il.load_response(document, source, status=500)
    except il.ProviderError as error:
        json.dumps(il.dump_error(error, target)).encode()
        json.dumps(il.error_body(error)).encode()


# Streams


def streams(random: Random, seeds: Seeds) -> Iterator[Case]:
    source, target, other = three(random, STREAMING)
    chunks = random.choice(seeds.of("streams", source))
    others = random.choice(seeds.of("streams", other))
    made = reordered(random, chunks, others) if random.random() < 0.6 else list(chunks)
    for at in random.sample(range(len(made)), min(len(made), random.choice((0, 1, 1, 2)))):
        made[at] = changed(random, made[at], random.choice(others), python=random.random() < 0.1)
    yield Case(f"read {source}", lambda: read(made, source), made)
    yield Case(f"restream {source} to {target}", lambda: list(restreamed(made, source, target)), made)
    yield Case(f"restream {source} to itself", lambda: list(restreamed(made, source, source)), made)
    yield Case(f"async restream {source} to {target}", lambda: asyncio.run(later(made, source, target)), made)
    if is_sse(source):
        yield Case(f"sse {source}", lambda: list(il.sse(made, source, on_loss="ignore")), made)
    if json_text(made) is not None:
        body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in made)
        cut = spoiled_text(random, body) if random.random() < 0.5 else body
        data = cut.encode("utf-8", "surrogatepass") if isinstance(cut, str) else cut
        step = random.randrange(1, 40)
        yield Case(f"bytes of {source}", lambda: read_bytes(data, source, step), data)


def read(chunks: list[Any], format: il.FormatName) -> None:
    reader = il.reader(format)
    events: list[il.Event] = []
    fed = 0
    for chunk in chunks:
        with contextlib.suppress(il.StreamError):  # a caller may go on, without the events of this chunk
            events += reader.feed(chunk)
            fed += 1
    try:
        whole = reader.response
    except il.InterlinguaError:
        share.judged(False, least=0.4, of="streams read whole")
        return
    if share.judged(fed == len(chunks), least=0.4, of="streams read whole"):
        assert il.accumulate(events).to_dict() == whole.to_dict(), "the fold of the events is not the response"


def restreamed(chunks: list[Any], source: il.FormatName, target: il.FormatName) -> Iterator[Any]:
    for chunk in il.restream(chunks, source=source, target=target, on_loss="ignore"):
        if il.FORMATS[target].name != "bedrock_boto3":
            json.dumps(chunk).encode()
        yield chunk


async def later(chunks: list[Any], source: il.FormatName, target: il.FormatName) -> None:
    async def given() -> AsyncIterator[Any]:
        for chunk in chunks:
            yield chunk

    async for _ in il.restream(given(), source=source, target=target, on_loss="ignore"):
        pass


def read_bytes(data: bytes, format: il.FormatName, step: int) -> None:
    reader = il.reader(format)
    for at in range(0, len(data), step):
        reader.feed_bytes(data[at : at + step])
    reader.close()


# Events


def events(random: Random, seeds: Seeds) -> Iterator[Case]:
    source, target, other = three(random, STREAMING)
    sound = events_of(random.choice(seeds.of("streams", source)), source)
    made = as_events(random, sound, events_of(random.choice(seeds.of("streams", other)), other))
    yield Case("accumulate", lambda: il.accumulate(made), made)
    yield Case(f"write {target}", lambda: written(made, target), made)
    if is_sse(target):
        yield Case(f"sse {target}", lambda: list(il.sse(made, target, on_loss="ignore")), made)


def written(made: list[il.Event], format: il.FormatName) -> None:
    writer = il.writer(format)
    for event in made:
        json.dumps(writer.feed(event), default=lambda value: value.hex()).encode()


# The package's own form


def canonical(random: Random, seeds: Seeds) -> Iterator[Case]:
    target = random.choice(ALL)
    sound = random.choice(seeds.of("canonical requests", target))
    made: Json = changed(random, sound, random.choice(seeds.of("canonical requests", target)), python=random.random() < 0.1)
    messages: Any = made.get("messages") if type(made) is dict else None
    yield Case("validate", lambda: il.validate(messages), made)
    yield Case("validate a request", lambda: stored(made), made)
    yield Case(f"dump to {target}", lambda: il.dump(messages, target, on_loss="ignore"), made)
    yield Case(f"dump a request to {target}", lambda: il.dump(il.validate(made, il.Request), target, on_loss="ignore"), made)
    yield Case(f"check for {target}", lambda: il.check(messages, target), made)
    yield Case(f"repair for {target}", lambda: repaired(il.validate(made, il.Request), target), made)
    yield Case("history", lambda: history(il.validate(made, il.Request)), made)
    yield Case(f"dump_as {target}", lambda: one_by_one(messages, target), made)


def stored(document: Any) -> None:
    request = il.validate(document, il.Request)
    assert il.validate(request.to_dict(), il.Request) == request
    assert il.validate(request.model_dump_json(), il.Request) == request


def one_by_one(messages: Any, format: il.FormatName) -> None:
    for message in il.validate(messages):
        try:
            message.dump_as(format, on_loss="ignore")
        except ValueError as error:
            if "does not become exactly one message" not in str(error):  # which is documented, and no fault
                raise


ATTACKS: dict[str, Callable[[Random, Seeds], Iterator[Case]]] = {
    "requests": requests,
    "texts": texts,
    "responses": responses,
    "streams": streams,
    "events": events,
    "canonical": canonical,
}


def wrong(case: Case) -> str | None:
    """What is wrong with what comes of a case: an error that is not the package's, or a document that is changed."""
    before = json_text(case.document)
    door = case.door.split()[0].rstrip(",")
    try:
        case.attack()
    except il.InterlinguaError:
        share.judged(False, least=0.1, of=door)
    except Exception as error:  # noqa: BLE001 -- it is what this test looks for
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/interlingua/" in frame.filename]
        where = f"{frames[-1].filename.rpartition('/interlingua/')[2]}:{frames[-1].lineno}" if frames else "the test"
        return f"{case.door.split()[0]} | {type(error).__name__} at {where} | {str(error)[:150]} | {case.door}"
    else:
        share.judged(True, least=0.1, of=door)
    return None if json_text(case.document) == before else f"{case.door.split()[0]} | its input is changed | {case.door}"


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pydantic-core say nothing where it cannot show a value in an error that is nested too deep for `repr`."""

    def ignore(unraisable: Any) -> None:
        assert unraisable.exc_type is RecursionError

    monkeypatch.setattr(sys, "unraisablehook", ignore)


@pytest.fixture(scope="module")
def seeds() -> Seeds:
    return Seeds(SEEDS)


@pytest.mark.deep
@pytest.mark.parametrize("kind", ATTACKS)
def test_only_the_errors_of_the_package_come_out(
    kind: str, seeds: Seeds, pytestconfig: pytest.Config, record_property: Callable[[str, object], None]
) -> None:
    most = int(pytestconfig.getoption("--attack") or 0) // len(ATTACKS)
    number = int(pytestconfig.getoption("--attack-seed") or 0)
    found: dict[str, str] = {}
    doors: Counter[str] = Counter()
    while doors.total() < most:
        for case in ATTACKS[kind](Random(f"{kind} {number}"), seeds):
            doors[case.door.split()[0]] += 1
            if (fault := wrong(case)) is not None:
                key = " | ".join(fault.split(" | ")[:2])
                found.setdefault(key, f"{fault} (seed {number})")
        number += 1
    for door, count in doors.items():
        record_property(f"attacks on {kind}, {door}", count)
    if found:
        pytest.fail("\n".join(found.values()), pytrace=False)
