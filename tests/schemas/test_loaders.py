"""Every loader, against documents generated from the schema of what it reads: whatever that allows is read."""

from __future__ import annotations

import contextlib
import copy
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook.documents import canonical
from laws.families import STREAMING, main_of
from schemas.parity import Instances
from schemas.wires import Schemas

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

DOCUMENTS = 10_000
"""How many documents there are for all loaders; with --scale 20, 200,000."""
NAMES: tuple[Any, ...] = tuple(name for name in il.FORMATS if name != "bedrock_boto3")
"""All formats but the one whose blobs are bytes, which no JSON document has."""
STREAMED: tuple[il.FormatName, ...] = tuple(name for name in NAMES if il.FORMATS[name].reading is not None)
LOADERS: list[tuple[il.FormatName, str]] = [
    *((name, "request") for name in NAMES),
    *((name, "response") for name in STREAMED),
    *((name, "stream") for name in STREAMED),
]


def shape(name: il.FormatName, kind: str) -> tuple[str, str, str]:
    """What dialects share, who share the documents of a shape too."""
    return il.FORMATS[name].family, il.FORMATS[name].listed, kind


SHAPES = Counter(shape(*loader) for loader in LOADERS)


def definition(name: il.FormatName, kind: str) -> dict[str, Any]:
    """The schema of what a loader reads, or of a list of chunks."""
    if kind == "request":
        return il.json_schema(name)
    known: Schemas = import_module(f"formats.{main_of(name) or name}.schemas").schemas()
    root = known.response if kind == "response" else {"type": "array", "items": known.chunk}
    return {"$ref": "#/$defs/Root", "$defs": {**known.shared, "Root": root}}


def with_answer(schema: dict[str, Any], name: il.FormatName) -> dict[str, Any]:
    """The schema of responses that have an answer, which the wire types do not require."""
    found: dict[str, Any] = copy.deepcopy(schema)
    response = found["$defs"]["Root"]
    while "$ref" in response:
        response = found["$defs"][response["$ref"].rpartition("/")[2]]
    response["required"] = [*response.get("required", ()), answer_of(name)]
    return found


def answer_of(name: il.FormatName) -> str:
    """The field of a response that holds the answer."""
    return il.FORMATS[name].response_fields[0]


def documents(name: il.FormatName, kind: str, count: int) -> Iterable[Any]:
    schema, seed = definition(name, kind), random.Random(f"{name} {kind}")
    if kind == "response":  # a fifth of them may lack the answer
        yield from islice(Instances(schema, seed), count // 5)
        schema, count = with_answer(schema, name), count - count // 5
    yield from islice(Instances(schema, seed), count)


def read_request(document: Any, name: il.FormatName, other: il.FormatName) -> bool:
    assert canonical(il.dump(il.load(document, name), name, on_loss="raise")) == canonical(document)
    il.convert(document, source=name, target=other)
    return True


def read_response(document: Any, name: il.FormatName, other: il.FormatName) -> bool:
    try:
        response = il.load_response(document, name)
    except il.InterlinguaError:
        assert answer_of(name) not in document  # a body without the answer need not be one
        return False
    assert canonical(il.dump_response(response, name, on_loss="raise")) == canonical(document)
    il.dump_response(response, other)
    return True


def read_stream(document: Any, name: il.FormatName, other: il.FormatName) -> bool:
    reader, writer = il.reader(name), il.writer(other)
    count = 0
    try:
        for event in reader.read(document):
            writer.feed(event)
            count += event.type not in ("opaque", "message_start", "end")
        assert reader.response
    except il.StreamError:
        pass
    return count > 0


READERS: dict[str, Callable[[Any, il.FormatName, il.FormatName], bool]] = {
    "request": read_request,
    "response": read_response,
    "stream": read_stream,
}
"""What is read of a document; they say whether it had anything to read."""

LEAST = {"request": 1.0, "response": 0.8, "stream": 0.5}
"""The share of the documents of a kind that has something to read, or the law would hold of nothing."""


@pytest.mark.scale
@pytest.mark.parametrize(("name", "kind"), LOADERS)
def test_whatever_the_schema_allows_is_read(
    name: il.FormatName, kind: str, scale: int, record_property: Callable[[str, object], None]
) -> None:
    other: il.FormatName = next(each for each in NAMES if il.FORMATS[each].family != il.FORMATS[name].family)
    count = math.ceil(DOCUMENTS * scale / len(SHAPES) / SHAPES[shape(name, kind)])
    read = 0
    for document in documents(name, kind, count):
        try:
            read += READERS[kind](document, name, other)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {document}") from error
    assert read >= LEAST[kind] * count, f"only {read} of {count} documents of {name} ({kind}) had something to read"
    record_property("documents read", read)


def result(block: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": [block]}]}]}


FOUND: list[tuple[str, str, Any]] = [
    ("anthropic", "request", {"messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "text"}}]}]}),
    ("anthropic", "request", result({"type": "image", "source": {"type": "text", "data": "x"}})),
    ("asktable", "request", result({"type": "document", "source": {"type": "x"}})),
    ("openai_chat", "request", {"messages": [{"role": "tool", "content": [], "tool_call_id": None}]}),
    ("openai_chat", "request", {"messages": [], "function_call": {"type": "function", "function": {"name": "f"}}}),
    ("openai_chat", "response", {"choices": [{"message": {"function_call": {"name": "f"}}}]}),
    ("openai_chat", "response", {"choices": [{"message": {"name": None, "tool_calls": [{"function": {"name": "f"}}]}}]}),
    ("openai_responses", "response", {"id": "x", "output": [{"role": "assistant", "content": "a"}]}),
    ("openai_responses", "response", {"output": [{"type": "message", "role": "assistant", "content": "a"}]}),
    ("clacky", "stream", [{"choices": [{"delta": {"tool_calls": [{"name": "f", "custom": None}]}}]}]),
]
"""Documents that some loader did not read."""


@pytest.mark.parametrize(("name", "kind", "document"), FOUND)
def test_what_some_loader_did_not_read(name: il.FormatName, kind: str, document: Any) -> None:
    READERS[kind](document, name, "openai_chat" if il.FORMATS[name].family == "anthropic" else "anthropic")


TEXT_WITH_HALF_A_CHARACTER = '[{"role": "user", "content": "a\ud800"}]'
"""A `str` as `errors="surrogateescape"` makes it: the half itself is in it, not an escape."""


@pytest.mark.parametrize("format", il.FORMATS)
def test_json_text_with_half_a_character_is_refused_at_every_door(format: il.FormatName) -> None:
    text = TEXT_WITH_HALF_A_CHARACTER
    doors: list[Callable[[], object]] = [
        lambda: il.validate(text),
        lambda: il.load(text, format),
        lambda: il.convert(text, source=format, target="anthropic"),
    ]
    if il.FORMATS[format].load_response is not None:
        doors.append(lambda: il.load_response(text, format))
    for door in doors:
        with pytest.raises(il.InvalidPayload):
            door()
    il.detect(text)  # which never raises
    with contextlib.suppress(il.InvalidPayload):
        il.check(text, format)  # which reports it for the formats whose requests are lists of such messages


@pytest.mark.parametrize("format", STREAMING)
def test_a_chunk_of_json_text_with_half_a_character_is_refused_at_the_latest_when_the_stream_ends(
    format: il.FormatName,
) -> None:
    with pytest.raises(il.StreamError):
        list(il.reader(format).read(['{"x": "a\ud800"}']))
