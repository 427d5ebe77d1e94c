"""Every loader, against documents generated from the schema of what it reads: whatever that allows is read."""

from __future__ import annotations

import contextlib
import copy
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

import interlingua as il
from interlingua.formats.anthropic import base as anthropic
from interlingua.formats.bedrock_converse import base as bedrock
from interlingua.formats.gemini import base as gemini
from interlingua.formats.openai_chat import base as openai_chat
from interlingua.formats.openai_responses import base as openai_responses
from laws.families import STREAMING
from laws.owners import canonical
from schemas.parity import Instances

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

DOCUMENTS = 10_000
"""How many documents there are for all loaders; with --scale 20, 200,000."""
NAMES: tuple[il.FormatName, ...] = tuple(name for name in get_args(il.FormatName) if name != "bedrock_boto3")
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


def of_types(*adapters: TypeAdapter[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The schemas of wire types, and the definitions that they refer to."""
    found, shared = TypeAdapter.json_schemas([(number, "validation", each) for number, each in enumerate(adapters)])
    return [found[number, "validation"] for number in range(len(adapters))], shared["$defs"]


def fields(**known: Any) -> dict[str, Any]:
    """The schema of an open object that has all of these fields."""
    return {"type": "object", "properties": known, "required": [*known], "additionalProperties": True}


def anthropic_chunk(envelope: Any, response: Any, block: Any) -> Any:
    index = {"enum": [0, 1, 2]}
    kinds = ("text_delta", "thinking_delta", "signature_delta", "input_json_delta", "citations_delta", "compaction_delta", "x")
    texts = {key: {"type": "string"} for key in ("text", "thinking", "signature", "partial_json")}
    delta = fields(type={"enum": [*kinds]}, **texts, citation={"type": "object"})
    return {
        "anyOf": [
            fields(type={"const": "message_start"}, message=response),
            fields(type={"const": "content_block_start"}, index=index, content_block=block),
            fields(type={"const": "content_block_delta"}, index=index, delta=delta),
            fields(type={"const": "content_block_stop"}, index=index),
            fields(type={"const": "message_delta"}, delta=envelope, usage={"type": "object"}),
            fields(type={"const": "message_stop"}),
        ]
    }


def bedrock_chunk(envelope: Any, block: Any) -> Any:
    at, text, anything = {"contentBlockIndex": {"type": "integer"}}, {"type": "string"}, {"type": "object"}
    deltas = [
        fields(text=text),
        fields(toolUse=fields(input=text)),
        fields(toolResult={"type": "array"}),
        fields(reasoningContent=anything),
        fields(citation=anything),
        fields(image=anything),
    ]
    return {
        "anyOf": [
            fields(messageStart=fields(role=text)),
            fields(contentBlockStart=fields(start=block, **at)),
            fields(contentBlockDelta=fields(delta={"anyOf": deltas}, **at)),
            fields(contentBlockStop=fields(**at)),
            fields(messageStop=envelope),
            fields(metadata=envelope),
        ]
    }


def chat_chunk(response: Any, message: Any) -> Any:
    choice = fields(index={"enum": [0, 0, 1]}, delta=message)
    choice["properties"]["finish_reason"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    chunk = fields(choices={"type": "array", "items": choice})
    chunk["properties"] |= {key: schema for key, schema in response["properties"].items() if key != "choices"}
    return chunk


def responses_chunk(response: Any, item: Any) -> Any:
    """An event of OpenAI Responses: of the whole response, of an item, of a part, or of a piece of one."""
    text, index = {"type": "string"}, {"enum": [0, 0, 1]}
    stages = [f"response.{stage}" for stage in ("created", "in_progress", "completed", "incomplete")]
    pieces = [f"response.{kind}.delta" for kind in ("output_text", "refusal", "reasoning_text", "function_call_arguments", "x")]
    items, parts = ([f"response.{kind}.{stage}" for stage in ("added", "done")] for kind in ("output_item", "content_part"))
    part = fields(type={"enum": ["output_text", "refusal", "x"]}, text=text, refusal=text)
    at = {"output_index": index, "content_index": index}
    return {
        "anyOf": [
            fields(type={"enum": stages}, response=response),
            fields(type={"enum": items}, output_index=index, item=item),
            fields(type={"enum": parts}, part=part, **at),
            fields(type={"enum": pieces}, delta=text, **at),
        ]
    }


def definition(name: il.FormatName, kind: str) -> dict[str, Any]:
    """The schema of what a loader reads, or of a list of chunks."""
    if kind == "request":
        return il.json_schema(name)
    if il.FORMATS[name].family == "bedrock":
        (response, envelope, block), shared = of_types(*map(bedrock.adapter, ("Response", "Envelope", "Block")))
        chunk = bedrock_chunk(envelope, block)
    elif il.FORMATS[name].family == "anthropic":
        (response, envelope, block), shared = of_types(*map(anthropic.adapter, ("Response", "Envelope", "SaidBlock")))
        chunk = anthropic_chunk(envelope, response, block)
    elif il.FORMATS[name].family == "gemini":
        (response,), shared = of_types(gemini.adapter("Response"))
        chunk = response
    elif il.FORMATS[name].family == "openai_responses":
        (response, item), shared = of_types(*map(openai_responses.adapter, ("Response", "Item")))
        chunk = responses_chunk(response, item)
    else:
        assert il.FORMATS[name].family == "openai", f"the schemas of {name} are not known here"
        (response,), shared = of_types(openai_chat.adapter("Response"))
        chunk = chat_chunk(shared["Response"], {"$ref": "#/$defs/SaidMessage"})
    root = response if kind == "response" else {"type": "array", "items": chunk}
    return {"$ref": "#/$defs/Root", "$defs": {**shared, "Root": root}}


def with_answer(schema: dict[str, Any], name: il.FormatName) -> dict[str, Any]:
    """The schema of responses that have an answer, which the wire types do not require."""
    found: dict[str, Any] = copy.deepcopy(schema)
    response = found["$defs"]["Root"]
    while "$ref" in response:
        response = found["$defs"][response["$ref"].rpartition("/")[2]]
    response["required"] = [*response.get("required", ()), ANSWER[il.FORMATS[name].family]]
    return found


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
        assert ANSWER[il.FORMATS[name].family] not in document  # a body without the answer need not be one
        return False
    assert canonical(il.dump_response(response, name, on_loss="raise")) == canonical(document)
    il.dump_response(response, other)
    return True


ANSWER = {
    "openai": "choices",
    "anthropic": "content",
    "gemini": "candidates",
    "bedrock": "output",
    "openai_responses": "output",
}
"""The field of a response that holds the answer."""


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
