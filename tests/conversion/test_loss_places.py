"""A loss says no more than what is lost: what says nothing is no loss, and a path holds nothing that arrived."""

import copy
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

import interlingua as il
from formats.cases import facts
from interlingua.formats.gemini.spellings import snake
from interlingua.model.base import Json
from interlingua.testing.lawbook import documents
from laws.attacking import Seeds
from laws.families import MAIN

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

DRAWN = 60
"""How many requests of each format are tried."""

NOTHING = facts("nothing")
"""Fields of requests with values that say nothing."""


@pytest.fixture(scope="module")
def seeds() -> Seeds:
    return Seeds(DRAWN)


def losses(payload: Any, source: il.FormatName, target: il.FormatName) -> list[tuple[str, str]]:
    return sorted((loss.path, loss.kind) for loss in il.convert(payload, source=source, target=target).losses)


@pytest.mark.deep
@pytest.mark.parametrize("source", NOTHING)
def test_what_says_nothing_is_no_loss(source: il.FormatName, seeds: Seeds) -> None:
    tested = 0
    others: list[il.FormatName] = [target for target in MAIN if target != source]
    for payload in seeds.of("requests", source):
        without = {target: losses(payload, source, target) for target in others}
        for field, value in NOTHING[source].items():
            if not documents.is_object(payload) or {field, snake(field)} & payload.keys():
                continue
            more = {**payload, field: copy.deepcopy(value)}
            assert documents.canonical(il.dump(il.load(more, source), source, on_loss="raise")) == documents.canonical(more)
            for target in others:
                assert losses(more, source, target) == without[target], (field, target)
                tested += 1
    assert tested > DRAWN * len(NOTHING[source])


MARKED = ("gemini", "gemini_interactions", "bedrock_converse")
"""The formats that mark a result as an error."""


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("target", [name for name in MAIN if name != "anthropic"])
def test_a_flag_that_says_no_is_no_loss(target: il.FormatName, failed: bool) -> None:
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done", "is_error": failed}
    messages: list[Any] = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}]},
        {"role": "user", "content": [result]},
    ]
    found = losses({"model": "m", "max_tokens": 99, "messages": messages}, "anthropic", target)
    lost = [(path, kind) for path, kind in found if kind != "added"]  # Gemini's call gets a stand-in for its signature
    assert lost == ([("/messages/2/content/0/is_error", "dropped")] if failed and target not in MARKED else [])


def test_an_empty_object_that_turns_something_on_is_a_loss() -> None:
    payload: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "web_search_options": {}}
    assert losses(payload, "openai_chat", "cohere") == [("/web_search_options", "dropped")]
    assert losses(payload, "openai_chat", "gemini") == [("/web_search_options", "changed")]


REASONING: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": [], "content": [], "encrypted_content": "gAAAA"}
SUMMARY = {"type": "summary_text", "text": "I think."}


@pytest.mark.parametrize("target", [name for name in MAIN if name != "openai_responses"])
@pytest.mark.parametrize("summary", [[], [SUMMARY], [SUMMARY, SUMMARY]], ids=len)
def test_the_id_of_reasoning_that_is_left_out_is_a_loss(target: il.FormatName, summary: list[Any]) -> None:
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}
    payload = {"model": "m", "input": [{"role": "user", "content": "Go."}, {**REASONING, "summary": summary}, answer]}
    found = losses(payload, "openai_responses", target)
    assert ("/input/1/id", "response_only") in found
    assert ("/input/1/encrypted_content", "dropped") in found
    assert not {path for path, _ in found} & {"/input/1/summary", "/input/1/content", "/input/1"}
    assert il.dump(il.load(payload, "openai_responses"), "openai_responses", on_loss="raise") == payload


# Paths that are too wide


WIDE: list[tuple[il.FormatName, dict[str, Any]]] = [
    (
        "bedrock_converse",
        {
            "messages": [
                {"role": "user", "content": [{"guardContent": {"text": {"text": "Guarded.", "qualifiers": ["query"]}}}]}
            ]
        },
    ),
    ("bedrock_converse", {"messages": [{"role": "user", "content": [{"guardContent": {"text": {"text": "Guarded."}}}]}]}),
    (
        "gemini",
        {
            "contents": [
                {"role": "user", "parts": [{"text": "Go."}]},
                {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"error": "It failed."}}}]},
            ]
        },
    ),
    (
        "gemini",
        {"contents": [{"role": "user", "parts": [{"fileData": {"mimeType": "image/png", "fileUri": "https://a.example/b"}}]}]},
    ),
]
SAID = frozenset("text content output result error thinking tool_plan fileUri system instructions system_instruction".split())
"""The fields that hold what somebody says."""


def texts(value: Json) -> Iterator[str]:
    """What is said in a value."""
    waiting: list[tuple[str, Json]] = [("text", value)]
    while waiting:
        key, held = waiting.pop()
        if documents.is_object(held):
            waiting += held.items()
        elif documents.is_array(held):
            waiting += [(key, item) for item in held]
        elif isinstance(held, str) and key in SAID and len(held) > 3:
            yield held


def numbered(value: Json, numbers: Iterator[int], key: str = "") -> Json:
    """The value with a number behind each text that somebody says, so that no two are equal."""
    if documents.is_object(value):
        return {name: numbered(item, numbers, name) for name, item in value.items()}
    if documents.is_array(value):
        return [numbered(item, numbers, key) for item in value]
    return f"{value} {next(numbers)}." if isinstance(value, str) and key in SAID else value


def too_wide(payload: Any, source: il.FormatName, target: il.FormatName) -> Iterator[str]:
    """The losses of kind `dropped` that hold a text which arrived."""
    given = numbered(payload, itertools.count())
    made = il.convert(given, source=source, target=target)
    arrived = set(texts(made.payload))
    for loss in made.losses:
        if loss.kind == "dropped" and not arrived.isdisjoint(texts(documents.resolve(given, loss.path))):
            yield str(loss)


@pytest.mark.parametrize("source", MAIN)
def test_what_arrived_is_not_inside_of_what_was_dropped(source: il.FormatName, seeds: Seeds) -> None:
    given = [*seeds.of("requests", source), *(payload for format, payload in WIDE if format == source)]
    found = {
        loss: target for target in MAIN if target != source for payload in given for loss in too_wide(payload, source, target)
    }
    assert found == {}


@pytest.mark.parametrize(("source", "payload"), WIDE)
def test_what_was_around_it_is_a_loss(source: il.FormatName, payload: dict[str, Any]) -> None:
    assert losses(payload, source, "openai_chat") != []
    assert losses(payload, source, source) == []


@pytest.mark.parametrize("target", [name for name in MAIN if name != "openai_responses"])
def test_the_fields_of_a_result_are_no_loss_where_a_part_of_it_is_dropped(target: il.FormatName) -> None:
    image = {"type": "input_image", "file_id": "f", "detail": "low"}
    call = {"type": "custom_tool_call", "name": "f", "input": "", "call_id": "call_1"}
    result = {"type": "custom_tool_call_output", "call_id": "call_1", "output": [image]}
    payload = {"model": "m", "input": [{"role": "user", "content": "a"}, call, result]}
    assert not {path for path, _ in losses(payload, "openai_responses", target)} & {"/input/2/call_id", "/input/2/output"}


@pytest.mark.parametrize("target", il.FORMATS)
def test_losses_of_a_content_without_parts_point_at_what_there_is(target: il.FormatName) -> None:
    asked: dict[str, Any] = {"contents": [{"role": "user"}, {"role": "model"}, {"role": "user", "parts": [{"text": "Hi."}]}]}
    for loss in il.convert(asked, source="gemini", target=target).losses:
        assert not loss.path.endswith("/parts"), loss


NAMES_CHOICES = [name for name in MAIN if name not in ("cohere", "ollama")]
"""The formats in which a tool choice may name a tool."""


@pytest.mark.parametrize("source", NAMES_CHOICES)
def test_a_renamed_tool_is_reported_where_its_name_is(source: il.FormatName) -> None:
    request = il.Request(
        messages=[il.UserMessage(content="Go.")],
        model="m",
        max_tokens=99,
        tools=[il.Tool(name="fs_read", parameters={"type": "object", "properties": {}})],
        tool_choice=il.ToolChoice(type="tool", name="fs_read"),
    )
    payload = json.loads(json.dumps(il.dump(request, source)).replace("fs_read", "fs.read"))
    target: il.FormatName = "openai_chat" if source == "anthropic" else "anthropic"
    found = [documents.resolve(payload, loss.path) for loss in il.convert(payload, source=source, target=target).losses]
    assert [value for value in found if "fs.read" in value] in (["fs.read", "fs.read"], ["fs.read", ["fs.read"]])
