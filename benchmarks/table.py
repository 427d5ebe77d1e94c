"""The table of workloads: requests, responses, streams and validation, over the kinds of work that users have.

Requests and responses are compared with linguafranca, and with a deep copy of the input; streams with `json.loads` of the same
chunks; validation with bare pydantic models of the same fields; checks with a conversion of the same requests. The other
formats have rows without a rival. Where `make bench` has built the compiled wheel, the same rows are measured with it, in a
process of its own. `python table.py requests` prints one of the tables.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import bare
import batches
import streams
import workload
from measure import Row, Times, measured, table

import interlingua as il
from interlingua.model.base import members
from interlingua.model.messages import Message
from interlingua.model.parts import Citation, Part, Source

Payload = dict[str, Any]
Pair = tuple[il.FormatName, Payload]

HUBS: tuple[il.FormatName, ...] = ("openai_chat", "anthropic")
TITLES: dict[il.FormatName, str] = {"openai_chat": "Chat", "anthropic": "Anthropic"}
HUBS_RECORDED = ("Chat", "compatible hosts", "Anthropic")
TARGETS: dict[str, il.FormatName] = {
    "openai_chat": "anthropic",
    "openrouter": "anthropic",
    "deepseek": "anthropic",
    "anthropic": "openai_chat",
}


def _peer(what: str) -> Callable[[Payload, il.FormatName], object] | None:
    """Linguafranca's conversion of a request or response to the other family; None where it is not installed."""
    try:
        lf = importlib.import_module("linguafranca")
    except ImportError:
        return None
    chat, messages = lf.FormatName.OPENAI_CHAT_COMPLETIONS, lf.FormatName.ANTHROPIC_MESSAGES
    convert = getattr(lf, f"convert_{what}_json")
    forms = {"openai_chat": (chat, messages), "anthropic": (messages, chat)}

    def call(payload: Payload, target: il.FormatName) -> object:
        source_format, target_format = forms["anthropic" if target == "openai_chat" else "openai_chat"]
        return convert(payload, source_format=source_format, target_format=target_format)

    return call


def _convert(payload: Payload, source: il.FormatName) -> object:
    result = il.convert(payload, source=source, target=TARGETS[source])
    return result.payload, result.losses, result.places


def _convert_response(payload: Payload, source: il.FormatName) -> object:
    losses: list[il.Loss] = []
    return il.dump_response(il.load_response(payload, source), TARGETS[source], on_loss=losses.append), losses


def _works(call: Callable[[Payload, il.FormatName], object], payload: Payload, name: il.FormatName) -> bool:
    try:
        call(payload, name)
    except Exception:  # noqa: BLE001 -- whatever a library raises for a payload that it does not take
        return False
    return True


def _row(
    name: str,
    pairs: list[Pair],
    ours: Callable[[Payload, il.FormatName], object],
    theirs: Callable[[Payload, il.FormatName], object] | None,
) -> Row | None:
    """One row: all payloads that both take, converted one after the other; None where there are none."""
    taken = [pair for pair in pairs if theirs is None or _works(theirs, pair[1], TARGETS[pair[0]])]
    if not taken:
        return None
    if len(taken) < len(pairs):
        name = f"{name} ({len(taken)} of {len(pairs)})"
    before = copy.deepcopy(taken)

    def over(call: Callable[[Payload, il.FormatName], object]) -> Callable[[], None]:
        def run() -> None:
            for source, payload in taken:
                call(payload, TARGETS[source])

        return run

    def mine() -> None:
        for source, payload in taken:
            ours(payload, source)

    row = Row(name, mine, None if theirs is None else over(theirs), lambda: copy.deepcopy([payload for _, payload in taken]))
    mine()
    if taken != before:
        raise AssertionError(f"{name}: a payload was changed")
    return row


def _requests() -> Iterator[Row | None]:
    theirs = _peer("request")
    for source in HUBS:
        for kind in workload.KINDS:
            pairs: list[Pair] = [(source, payload) for payload in workload.requests(kind, source)]
            yield _row(f"{TITLES[source]}: {kind}", pairs, _convert, theirs)
    for row in HUBS_RECORDED:
        yield _row(f"recorded: {row}", workload.recorded(row, "requests"), _convert, theirs)


def _responses() -> Iterator[Row | None]:
    theirs = _peer("response")
    for source in HUBS:
        pairs: list[Pair] = [(source, payload) for payload in workload.responses(source)]
        yield _row(f"{TITLES[source]}: text and calls", pairs, _convert_response, theirs)
    for row in HUBS_RECORDED:
        yield _row(f"recorded: {row}", workload.recorded(row, "responses"), _convert_response, theirs)


# The other formats, to and from Chat: what no library here can be compared with

OTHERS: dict[il.FormatName, str] = {"openai_responses": "Responses", "gemini": "Gemini", "bedrock_converse": "Bedrock"}
OTHERS_KINDS = ("plain text", "list content", "small, with 20 tools")


def _other_requests() -> Iterator[Row]:
    for name, title in OTHERS.items():
        for kind in OTHERS_KINDS:
            chat = workload.requests(kind, "openai_chat")
            there = [copy.deepcopy(dict(il.convert(each, source="openai_chat", target=name).payload)) for each in chat]
            yield _alone(f"Chat to {title}: {kind}", chat, partial(_one_request, "openai_chat", name))
            yield _alone(f"{title} to Chat: {kind}", there, partial(_one_request, name, "openai_chat"))
        if recorded := [body for _, body in workload.recorded(title, "requests")]:
            yield _alone(f"recorded: {title} to Chat", recorded, partial(_one_request, name, "openai_chat"))


def _one_request(source: il.FormatName, target: il.FormatName, payload: Payload) -> object:
    result = il.convert(payload, source=source, target=il.format_of(target))
    return result.payload, result.losses, result.places


def _other_responses() -> Iterator[Row]:
    chat = workload.responses("openai_chat")
    for name, title in OTHERS.items():
        there = [copy.deepcopy(_one_response("openai_chat", name, each)[0]) for each in chat]
        yield _alone(f"Chat to {title}", chat, partial(_one_response, "openai_chat", name))
        yield _alone(f"{title} to Chat", there, partial(_one_response, name, "openai_chat"))
        if recorded := [body for _, body in workload.recorded(title, "responses")]:
            yield _alone(f"recorded: {title} to Chat", recorded, partial(_one_response, name, "openai_chat"))


def _one_response(source: il.FormatName, target: il.FormatName, payload: Payload) -> tuple[Payload, list[il.Loss]]:
    losses: list[il.Loss] = []
    return il.dump_response(il.load_response(payload, source), target, on_loss=losses.append), losses


def _alone(name: str, payloads: list[Payload], ours: Callable[[Payload], object]) -> Row:
    """A row without a rival."""

    def mine() -> None:
        for payload in payloads:
            ours(payload)

    before = copy.deepcopy(payloads)
    mine()
    if payloads != before:
        raise AssertionError(f"{name}: a payload was changed")
    return Row(name, mine, None, lambda: copy.deepcopy(payloads))


def _validations() -> Iterator[Row | None]:
    _check_bare_fields()
    blocks: list[Payload] = [
        message.to_dict() for message in il.load(workload.requests("plain text", "anthropic")[0], "anthropic").messages
    ]
    spelled = {"plain": workload.canonical(), "lists": workload.canonical("list content"), "blocks": blocks}
    for name, messages in spelled.items():
        text = json.dumps(messages)
        yield Row(f"JSON, {name}", partial(il.validate, text), partial(bare.MESSAGES.validate_json, text))
        yield Row(f"Python, {name}", partial(il.validate, messages), partial(bare.MESSAGES.validate_python, messages))


def _check_bare_fields() -> None:
    """Refuse to compare with bare models that have other fields."""
    for union in (Message, Part, Citation, Source):
        for model in members(union):
            if model.model_fields.keys() != getattr(bare, model.__name__).model_fields.keys():
                raise AssertionError(f"benchmarks/bare.py: other fields in {model.__name__}")


def _checks() -> Iterator[Row]:
    """Checking a request beside converting it."""
    for source in HUBS:
        for kind in workload.KINDS:
            payloads = workload.requests(kind, source)
            check = partial(il.check, format=il.format_of(source))
            converted = partial(_convert, source=source)
            yield Row(f"{TITLES[source]}: {kind}", partial(_each, check, payloads), partial(_each, converted, payloads))


def _fingerprints() -> Iterator[Row]:
    """Fingerprints of loaded requests beside a hash of their sorted JSON, which differs between spellings."""
    for source in HUBS:
        for kind in workload.KINDS:
            payloads = workload.requests(kind, source)
            loaded = [il.load(payload, source) for payload in payloads]
            yield Row(f"{TITLES[source]}: {kind}", partial(_fingerprint_all, loaded), partial(_each, _hashed, payloads))


def _fingerprint_all(requests: list[il.Request]) -> None:
    for request in requests:
        il.fingerprint(request)


def _hashed(payload: Payload) -> str:
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def _each(call: Callable[[Payload], object], payloads: list[Payload]) -> None:
    for payload in payloads:
        call(payload)


class Work(NamedTuple):
    """One table: its rows, what they are compared with, and what no row should be above."""

    title: str
    rows: Callable[[], Iterator[Row | None]]
    peer: str
    floor: str
    most: float


TABLES = {
    "requests": Work("Convert requests, both ways", _requests, "linguafranca", "deep copy", 1.4),
    "responses": Work("Convert responses, both ways", _responses, "linguafranca", "deep copy", 1.4),
    "other requests": Work("Convert requests of the other formats", _other_requests, "-", "deep copy", 0),
    "other responses": Work("Convert responses of the other formats", _other_responses, "-", "deep copy", 0),
    "checks": Work("Check requests", _checks, "convert", "-", 1.5),
    "validation": Work("Validate canonical messages", _validations, "bare models", "-", 1.3),
    "fingerprints": Work("Fingerprints of loaded requests", _fingerprints, "hash of sorted JSON", "-", 3.5),
    "batches": Work("Convert batches in Arrow", batches.rows, "plain loop", "-", 1.25),
    "streams": Work("Read and convert streams of 2,000 chunks", partial(streams.rows, OTHERS), "json.loads", "-", 1.5),
}


UNPACKED = Path(__file__).parents[1] / ".wheels" / "unpacked"
"""What is in the compiled wheel."""
JSON = "--json"


def times_of(name: str) -> Times:
    """The times of one table, with the package that is imported here."""
    return measured(row for row in TABLES[name].rows() if row is not None)


def compiled_times_of(name: str) -> Times:
    """The same with the compiled wheel, in another process; empty where there is none."""
    if not UNPACKED.is_dir():
        return {}
    program = [sys.executable, __file__, JSON, name]
    done = subprocess.run(program, env=os.environ | {"PYTHONPATH": str(UNPACKED)}, capture_output=True, text=True, check=True)
    found: Times = json.loads(done.stdout.splitlines()[-1])
    return found


def main(*names: str) -> None:
    """Print the tables of these names, or all."""
    if names[:1] == (JSON,):
        print(json.dumps(times_of(names[1])))
        return
    for name in names or TABLES:
        work = TABLES[name]
        table(work.title, work.peer, work.floor, work.most, times_of(name), compiled_times_of(name))


if __name__ == "__main__":
    main(*sys.argv[1:])
