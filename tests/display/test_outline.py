"""The outline: everything that a conversation says is in it once, with its calls and results paired and its marks in place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, cast

import pytest
from hypothesis import given, settings

import interlingua as il
from interlingua import testing
from interlingua.display.outline import Fact, Mark, Outline, Piece, marks_of, outline
from interlingua.display.texts import harmless, one_line, size_in_words, without_base64
from interlingua.model.base import Json
from laws.everything import EVERYTHING
from laws.samples import REQUEST, RESPONSE, STORED

CALL: dict[str, Any] = {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": '{"a": 1}'}]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "c", "content": "done"}
USER: dict[str, Any] = {"role": "user", "content": "hi"}
USERS_CALL: dict[str, Any] = {"role": "user", "content": [{"type": "tool_use", "name": "f", "input": {}}]}


def nodes(value: object) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in cast("tuple[object, ...]", value):
            yield from nodes(item)
    elif is_dataclass(value):
        yield value
        for field in fields(value):
            yield from nodes(getattr(value, field.name))


def pieces(whole: Outline) -> list[Piece]:
    return [node for node in nodes(whole) if isinstance(node, Piece)]


def at(whole: Outline, pointer: str) -> Piece:
    (found,) = [piece for piece in pieces(whole) if piece.at == pointer]
    return found


def said(value: Json, key: str = "") -> Iterator[str]:
    """The texts of messages' dicts, read from their JSON."""
    if isinstance(value, dict):
        if value.get("type") in ("opaque", "json"):
            return
        for name, item in value.items():
            yield from said(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from said(item, key)
    elif isinstance(value, str) and key in ("content", "text", "thinking", "refusal", "arguments", "reasoning_content"):
        yield value


# Nothing is left out


@given(testing.stored_conversations())
@settings(max_examples=30)
def test_every_text_is_in_the_outline_and_no_owner_twice(conversation: il.Conversation) -> None:
    found = pieces(outline(conversation))
    assert len(found) == len({piece.at for piece in found})
    shown = [piece.text for piece in found]
    for message in conversation.to_dict()["messages"]:
        joined = "".join(block.get("thinking", "") for block in message.get("thinking_blocks") or ())
        for text in said(message):
            assert text in shown or text in ("", joined)


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)
def test_what_is_stored_has_an_outline(file: Any) -> None:
    conversation = il.validate(file.read_text("utf-8"), il.Conversation)
    assert len(outline(conversation).turns) == len(conversation.messages)
    json.dumps(outline(conversation).to_dict())


def test_a_response_has_a_turn_for_each_answer_and_its_usage() -> None:
    whole = outline(il.Response(**RESPONSE))
    facts = {node.at: node.text for node in nodes(whole) if isinstance(node, Fact)}
    assert {turn.at for turn in whole.turns} == {f"/choices/{i}" for i in range(len(RESPONSE["choices"]))}
    assert (facts["/choices/0/stop_reason"], facts["/usage/output_tokens"], facts["/id"]) == ("stop_sequence", "4", "r")
    called = il.Response(choices=[il.Choice(message=il.validate(CALL, il.AssistantMessage))])
    assert at(outline(called), "/choices/0/message/tool_calls/0").marks == ()


def test_settings_and_tools_of_a_request_are_in_it() -> None:
    whole = outline(il.Request(**REQUEST))
    facts = {fact.name: fact.text for fact in whole.facts}
    assert facts.keys() == REQUEST.keys() - {"messages", "tools", "wire"}
    assert (facts["temperature"], json.loads(facts["stop"])) == ("0", ["\n", ""])
    assert [tool.name for tool in whole.tools] == ["f", ""]


def test_a_conversion_shows_its_losses_and_problems() -> None:
    payload = {"model": "m", "messages": [{"role": "user", "name": "mira", "content": "hi"}]}
    result = il.convert(payload, source="openai_chat", target="anthropic", check=True)
    whole = outline(result)
    assert [(mark.kind, mark.path) for mark in whole.marks] == [("loss", "/messages/0/name"), ("error", "")]
    assert whole.title == "Conversion, 1 loss, 1 problem"


# Calls and results


def test_a_result_is_beside_its_call_and_nowhere_else() -> None:
    whole = outline([USER, CALL, RESULT, {"role": "user", "content": "and?"}])
    call = at(whole, "/1/tool_calls/0")
    assert [(result.at, result.label, result.parts[0].text) for result in call.results] == [("/2", "result of f", "done")]
    assert (whole.turns[2].parts, whole.turns[2].answers, call.marks) == ((), ("/2",), ())


@pytest.mark.parametrize(
    ("messages", "pointer", "note"),
    [
        ([CALL], "/0/tool_calls/0", "no result yet"),
        ([CALL, USER], "/0/tool_calls/0", "no result answers this call"),
        ([USER, RESULT], "/1", "no earlier call waits for this result"),
        ([RESULT, CALL, USER], "/0", "no earlier call waits for this result"),
        ([CALL, RESULT, RESULT], "/2", "no earlier call waits for this result"),
        ([USERS_CALL, USER], "/0/content/0", "no result answers"),
    ],
)
def test_what_has_no_partner_is_noted(messages: list[Any], pointer: str, note: str) -> None:
    (mark,) = at(outline(messages), pointer).marks
    assert (mark.kind, mark.text[: len(note)]) == ("note", note)


def test_repeated_ids_are_paired_in_each_round() -> None:
    whole = outline([CALL, RESULT, CALL, {**RESULT, "content": "again", "is_error": True}])
    results = [at(whole, f"/{i}/tool_calls/0").results[0] for i in (0, 2)]
    assert [(result.parts[0].text, result.failed) for result in results] == [("done", False), ("again", True)]


# Media


def test_media_are_there_by_name_and_size() -> None:
    data = "QUJD" * 1000 + "QQ=="
    parts = [
        {"type": "file", "source": {"type": "base64", "data": data, "media_type": "application/pdf"}, "filename": "a.pdf"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}", "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}},
        {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
        {"type": "image", "source": {"type": "url", "url": "data:image/svg+xml,%3Csvg%3E"}},
        {"type": "file", "source": {"type": "text", "text": "Grüße"}},
        {"type": "opaque", "format": "x", "value": {"type": "scan", "data": data}},
        {"type": "text", "text": "x", "signature": data, "issuer": "gemini"},
    ]
    whole = outline([{"role": "user", "content": parts}])
    media = [piece.media for piece in pieces(whole) if piece.media is not None]
    assert [each.size for each in media] == [3001, 3001, 3001, None, 5, 7]
    assert whole.turns[0].parts[0].label == "file, a.pdf, application/pdf, 3.0 kB"
    assert (media[3].place, media[4].media_type, at(whole, "/0/content/5").text) == (
        "https://example.com/a.png",
        "image/svg+xml",
        "Grüße",
    )
    assert "QUJDQUJDQUJDQUJD" not in json.dumps(whole.to_dict())


# Marks


def test_marks_are_at_the_narrowest_owner() -> None:
    messages: list[dict[str, Any]] = [USER, CALL, RESULT, {"role": "user", "content": [{"type": "text", "text": "x"}]}]
    paths = {
        "": "",
        "/model": "",
        "/0/name": "/0",
        "/1/tool_calls/0/id": "/1/tool_calls/0/id",
        "/1/tool_calls/0/arguments": "/1/tool_calls/0",
        "/2": "/2",
        "/2/tool_call_id": "/2/tool_call_id",
        "/2/content/5/a": "/2/content",
        "/3/content/0/text": "/3/content/0",
        "/17": "",
    }
    whole = outline(messages, marks=[Mark("loss", "lost", path) for path in paths])
    found = {mark.path: getattr(node, "at", "") for node in nodes(whole) if not isinstance(node, Mark) for mark in node.marks}
    assert found == paths
    assert whole.turns[2].marks == ()


def test_losses_and_problems_become_marks() -> None:
    request = il.Request(messages=[], top_k=3)
    losses: list[il.Loss] = []
    il.dump(request, "openai_chat", on_loss=losses.append)
    marks = [*marks_of(losses, "openai_chat"), *marks_of(il.check(request, "anthropic"), "anthropic")]
    whole = outline(request, marks=marks)
    (top_k,) = [fact for fact in whole.facts if fact.name == "top_k"]
    assert [(mark.kind, mark.code, mark.format) for mark in top_k.marks] == [("loss", "dropped", "openai_chat")]
    assert [(mark.kind, mark.code, mark.format) for mark in whole.marks] == [("error", "no-messages", "anthropic")]


@pytest.mark.parametrize("message", EVERYTHING)
def test_a_mark_at_any_place_is_shown(message: dict[str, Any]) -> None:
    places = [f"/messages/0{pointer}" for pointer in pointers(message)]
    conversation = il.Conversation(messages=[message])
    whole = outline(conversation, marks=[Mark("loss", "lost", place) for place in places])
    marks = [node for node in nodes(whole) if isinstance(node, Mark) and node.kind == "loss"]
    assert sorted(mark.path for mark in marks) == sorted(places)


def pointers(value: Json) -> Iterator[str]:
    yield ""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        for rest in pointers(item):
            yield f"/{str(key).replace('~', '~0').replace('/', '~1')}{rest}"


# Texts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc", "a\nb\tc"),
        ("a\r\nb\rc", "a\nb␍c"),
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("\x9b2J\x7f", r"\x9b2J" + "␡"),
        ("a\u202eb\u2066c", r"a\u202eb\u2066c"),
        ("\U000e0041", r"\U000e0041"),
        ("\u2028", r"\u2028"),
        ("👩\u200d💻 é 日本", "👩\u200d💻 é 日本"),
        ("\ud800", r"\ud800"),
    ],
)
def test_control_characters_become_signs(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_base64_is_shortened_and_words_are_not() -> None:
    data = "QUJD" * 100
    assert without_base64(f"see {data}== there") == "see QUJDQUJDQUJD… (402 characters) there"
    lines = "\n".join([data[:76]] * 5)
    assert without_base64(lines) == "QUJDQUJDQUJD… (384 characters)"
    assert without_base64(json.dumps(lines)) == '"QUJDQUJDQUJD… (388 characters)"'
    words = "words " * 100 + "f" * 200
    assert without_base64(words) == words


def test_lines_and_sizes_are_short() -> None:
    assert one_line("a\nb\x1b" + "x" * 500) == "a b␛" + "x" * 195 + "…"
    assert [size_in_words(size) for size in (1, 999, 1000, 12_345_678)] == ["1 byte", "999 bytes", "1.0 kB", "12.3 MB"]
