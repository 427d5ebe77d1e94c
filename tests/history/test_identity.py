"""Fingerprints: what counts and what does not, in both spellings, through every format, and in another language."""

from __future__ import annotations

import copy
import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

import interlingua as il
from interlingua import testing
from interlingua.history.fingerprints import reduced
from interlingua.history.items import canonical_json, canonical_text
from interlingua.model.base import Model
from laws.everything import everything, nested, put
from laws.steps import steps
from schemas.parity import INTEROP, drawn, needs_node

ROOT = Path(__file__).parents[2]
VECTORS_FILE = ROOT / "schemas" / "fingerprints" / "vectors.json"
VECTORS: dict[str, Any] = json.loads(VECTORS_FILE.read_text("utf-8"))


def said_by(*messages: dict[str, Any]) -> str:
    return il.fingerprint(list(messages))


# Vectors


def test_the_vectors_never_change() -> None:
    assert (
        hashlib.sha256(VECTORS_FILE.read_bytes()).hexdigest()
        == "af43912b12e5304d43ad53d8beed297ec5bbafc3a5b0e54a4dc8c9bde87c9b4c"
    )


@pytest.mark.parametrize("vector", VECTORS["conversations"], ids=lambda vector: vector["note"])
def test_vectors_of_conversations(vector: dict[str, Any]) -> None:
    assert reduced(vector["messages"]) == vector["items"]
    assert il.fingerprint(vector["messages"]) == vector["fingerprint"]


def test_vectors_of_json() -> None:
    assert [[text, canonical_text(text)] for text, _ in VECTORS["json"]] == VECTORS["json"]


def node(lines: Sequence[str], *options: str) -> list[str]:
    """What the implementation in JavaScript makes of lines."""
    command = ["node", str(INTEROP / "fingerprint.mjs"), *options]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, encoding="utf-8", check=True)
    return done.stdout.split("\n")[:-1]


@needs_node
def test_another_language_gets_the_same(scale: int) -> None:
    conversations = [vector["messages"] for vector in VECTORS["conversations"]]
    generated = drawn(testing.conversations() | st.lists(testing.messages(), max_size=4), 25 * scale)
    conversations += [[message.to_dict() for message in each] for each in generated]
    assert node([json.dumps(each) for each in conversations]) == [il.fingerprint(each) for each in conversations]


@needs_node
def test_another_language_reads_the_same_json(scale: int) -> None:
    texts: list[str] = [text for text, _ in VECTORS["json"]]
    texts += drawn(testing.arguments(), 50 * scale) + drawn(
        st.text('{}[]",:\\u019eE+-.ndfatrulse \n', max_size=12), 100 * scale
    )
    expected = ["" if (made := canonical_text(text)) is None else made for text in texts]
    assert node([json.dumps(text) for text in texts], "--json") == expected


# What counts: the table in the documents


def table() -> Iterator[tuple[str, tuple[set[str], set[str], set[str]]]]:
    text = (ROOT / "docs" / "fingerprint.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[A-Z].*?`) \|(.*?)\|(.*?)\|(.*?)\|$", text, re.MULTILINE)
    for classes, *cells in rows:
        for name in re.findall(r"`(\w+)`", classes):
            if cells[2].strip() == "all of it":
                yield name, (set(), set(), set(getattr(il, name).model_fields))
            else:
                counts, links, others = (set(re.findall(r"`(\w+)`", cell)) for cell in cells)
                yield name, (counts, links, others)


TABLE = dict(table())
NOTHING = {"CacheControl", "WireRecord", "UrlCitation", "DocumentCitation", "SearchResultCitation", "OpaqueCitation"}
"""Classes of which nothing counts: they are in fields that do not."""


def models_in(value: Any, path: str = "") -> Iterator[tuple[str, Model]]:
    """The models of messages, each with its pointer."""
    if isinstance(value, BaseModel):
        assert isinstance(value, Model)
        yield path, value
        for name in value.model_fields_set:
            yield from models_in(getattr(value, name), f"{path}/{name}")
    elif type(value) in (list, tuple):
        for i, item in enumerate(value):
            yield from models_in(item, f"{path}/{i}")


def base() -> list[dict[str, Any]]:
    """Messages with every field, in which reasoning text does not repeat that of the blocks, and so counts."""
    data = everything()
    put(data, "/3/reasoning_content", "so")
    return data


FIELDS = [
    (type(model).__name__, path, name)
    for path, model in models_in(il.validate(base()))
    for name in sorted(model.model_fields_set)
]
"""Every field of every model in a conversation that has them all."""


def test_every_field_is_decided() -> None:
    used = {cls for cls, _, _ in FIELDS} - NOTHING
    assert used == TABLE.keys()
    for name, (counts, links, others) in TABLE.items():
        assert counts | links | others == set(getattr(il, name).model_fields), name
        assert counts & links == counts & others == links & others == set(), name


OTHERS: dict[str, Any] = {
    "source": {"type": "base64", "data": "b3RoZXI=", "media_type": "image/gif"},
    "image_url": {"url": "https://example.com/other"},
    "input_audio": {"data": "b3RoZXI=", "format": "mp3"},
}


def changed(name: str, value: Any) -> Iterator[Any]:
    """Other values of a field; not all of them are valid."""
    if name in OTHERS:
        yield OTHERS[name]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield from (value + "x", value + "\u0301", f"{value}A")
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, dict):
        yield value | {"novel": 1}
    elif isinstance(value, list):
        yield [{"novel": 1}, *value]
        yield value[1:]


def variants(path: str, name: str) -> Iterator[tuple[list[il.Message], bool]]:
    """The conversation with other values of one field, and whether the field is there."""
    for other in (*changed(name, at(base(), f"{path}/{name}")), None, ...):
        data = base()
        if other is ...:
            del at(data, path)[name]
        else:
            put(data, f"{path}/{name}", other)
        try:
            yield il.validate(data), other is not ... and (other is not None or name == "value")
        except il.InvalidPayload:
            continue


def at(data: Any, path: str) -> Any:
    for token in path.split("/")[1:]:
        data = data[int(token) if isinstance(data, list) else token]
    return data


WHOLE = il.fingerprint(base())
INERT = (("custom", False), ("is_error", False), ("media_type", "text/plain"))
"""Values that mean the same as none."""


@pytest.mark.parametrize("cls", sorted({cls for cls, _, _ in FIELDS}))
def test_included_fields_count_and_others_do_not(cls: str) -> None:
    counts, links, _ = TABLE.get(cls, (set(), set(), set()))
    tried: set[str] = set()
    for _, path, name in [field for field in FIELDS if field[0] == cls][:24]:
        inside = any(token in path for token in ("/citations/", "/wire", "/cache_control"))
        if name in links:
            continue  # the next test
        for messages, there in variants(path, name):
            tried.add(name)
            expected = name in counts and not inside and (there or (name, at(base(), f"{path}/{name}")) not in INERT)
            assert (il.fingerprint(messages) != WHOLE) == expected, f"{path}/{name}"
    untested = {name for name in getattr(il, cls).model_fields if name not in links} - tried
    assert untested <= {"role", "type", "unit"}, untested


LINKED: list[dict[str, Any]] = [
    {"role": "assistant", "content": [{"type": "tool_use", "id": i, "name": "f", "input": {}} for i in ("a", "b")]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "x"}]},
    {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}]},
    {"role": "tool", "tool_call_id": "a", "content": "x"},
    {"role": "tool", "tool_call_id": "c", "content": "x"},
]


def test_ids_count_by_what_they_link() -> None:
    text = json.dumps(LINKED)
    assert il.fingerprint(
        json.loads(re.sub(r'"(id|tool_use_id|tool_call_id)": "(\w)"', r'"\1": "call_\2"', text))
    ) == il.fingerprint(LINKED)
    for path, other in (
        ("/1/content/0/tool_use_id", "a"),
        ("/3/tool_call_id", "b"),
        ("/0/content/0/id", "z"),
        ("/2/tool_calls/0/id", "a"),
    ):
        data = copy.deepcopy(LINKED)
        put(data, path, other)
        assert il.fingerprint(data) != il.fingerprint(LINKED), path


def test_names_of_results_link_where_there_are_no_ids() -> None:
    calls = {"role": "assistant", "tool_calls": [{"name": name, "arguments": "{}"} for name in ("f", "g")]}
    first, second = ({"role": "tool", "content": "x", "name": name} for name in ("f", "g"))
    assert said_by(calls, first) != said_by(calls, second)
    linked = {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]}
    named = {"role": "tool", "tool_call_id": "a", "content": "x", "name": "anything"}
    assert said_by(linked, named) == said_by(linked, {"role": "tool", "tool_call_id": "a", "content": "x"})


def test_roles_order_and_boundaries_of_texts_count() -> None:
    roles = ("system", "developer", "user", "assistant", "text")
    assert len({said_by({"role": role, "content": "x"}) for role in roles}) == len(roles)
    a, b = {"role": "user", "content": "a"}, {"role": "user", "content": "b"}
    assert said_by(a, b) != said_by(b, a)
    assert said_by(a, b) != said_by({"role": "user", "content": "ab"})
    assert said_by({"role": "user", "content": "é"}) != said_by({"role": "user", "content": "e\u0301"})


def test_only_the_messages_of_a_request_or_a_conversation_count() -> None:
    messages = il.validate([{"role": "user", "content": "a"}])
    tools = [il.Tool(name="f")]
    expected = il.fingerprint(messages)
    request = il.Request(messages=messages, model="m", tools=tools, temperature=0, origin="anthropic")
    stored = il.Conversation(messages=messages, id="x", tools=tools, metadata={"a": 1})
    generator = (message for message in messages)
    assert {il.fingerprint(each) for each in (request, stored, generator, [dict(messages[0])])} == {expected}


# Spellings


def respelt(message: il.Message) -> list[il.Message]:
    """A message in its other spelling; as it is where that would lose anything."""
    match message:
        case il.UserMessage():
            flat, lost = message.to_flat()
            return [message] if lost else list(flat)
        case il.AssistantMessage():
            one, lost = message.to_flat()
            return [message] if lost else [one]
        case _:
            return [message]


@given(testing.conversations())
def test_both_spellings_are_the_same(messages: list[il.Message]) -> None:
    expected = il.fingerprint(messages)
    assert il.fingerprint([one for message in messages for one in respelt(message)]) == expected
    blocks: list[Any] = [
        message if isinstance(message, il.OpaqueMessage | il.TextMessage) else message.to_blocks() for message in messages
    ]
    assert il.fingerprint(blocks) == expected


# Formats


SHARES = 4
FEW, MANY = 32, 125
"""How many conversations of each share go through every format, and with --scale N, N times how many: 10,000 in all for 20."""


@pytest.mark.scale
@pytest.mark.parametrize("share", range(SHARES))
def test_it_survives_every_format_that_reports_no_loss(
    share: int, scale: int, record_property: Callable[[str, object], None]
) -> None:
    formats = list(il.FORMATS.values())
    some = formats[share::SHARES]
    count = FEW if scale == 1 else MANY * scale
    kinds = [testing.conversations(), testing.spoiled_histories(), *map(testing.conversations, some)]
    survived = 0
    for messages in drawn(st.one_of(kinds), count):
        expected = il.fingerprint(messages)
        for format in formats:
            losses: list[il.Loss] = []
            payload = il.dump(messages, format, on_loss=losses.append)
            if all(loss.kind == "response_only" for loss in losses):
                assert il.fingerprint(il.load(payload, format)) == expected, format.name
                survived += 1
    assert survived > count
    record_property("conversions without loss, after which the fingerprint was the same", survived)


# Hostile values


HOSTILE: dict[str, Callable[[int], str]] = {
    "lists in lists": "[".__mul__,
    "lists in lists, closed": lambda n: "[" * n + "]" * n,
    "a string that does not end": lambda n: "[]" * n + '"' + '\\"' * n,
    "brackets in strings": lambda n: '["[{",' * n,
    "digits": lambda n: "1" * n + "." + "0" * n,
    "zeros": lambda n: f"0.{'0' * n}1",
    "an exponent": lambda n: "1e" + "9" * n,
    "keys": lambda n: "{" + ",".join(f'"{i}":[{i}.5]' for i in range(n)) + "}",
    "one key": lambda n: "{" + ",".join(['"a":1'] * n) + "}",
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_texts_of_any_kind_take_linear_time(make: Callable[[int], str]) -> None:
    few, more, most = (steps(partial(canonical_text, make(n))) for n in (300, 600, 1200))
    assert most - more <= max(2.15 * (more - few), 200)
    start = process_time()
    canonical_text(make(100_000))
    assert process_time() - start < 10  # what is done in C takes no steps


def test_free_json_of_any_depth_that_is_valid_has_a_canonical_text() -> None:
    assert canonical_json(nested(200)) == '{"a":' * 199 + "{}" + "}" * 199


def test_a_call_without_end_of_ids_takes_linear_time() -> None:
    def conversation(n: int) -> list[dict[str, Any]]:
        calls = [{"name": f"f{i % 3}", "arguments": "{}"} | ({"id": "a"} if i % 2 else {}) for i in range(n)]
        results = [
            {"role": "tool", "content": "x", "name": f"f{i % 5}"} | ({"tool_call_id": "a"} if i % 3 else {}) for i in range(n)
        ]
        return [{"role": "assistant", "tool_calls": calls}, *results]

    few, more, most = (steps(partial(il.fingerprint, conversation(n))) for n in (50, 100, 200))
    assert most - more <= 2.15 * (more - few)


@pytest.mark.parametrize("wrong", [None, 5, "[]", {"role": "user", "content": "a"}, [5], [{"role": "user"}], il.Tool(name="f")])
def test_what_is_no_conversation_is_refused(wrong: Any) -> None:
    with pytest.raises(il.InvalidPayload):
        il.fingerprint(wrong)
