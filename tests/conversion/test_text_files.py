"""Files of text, at providers that take no files or not this type: their text is sent."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

import interlingua as il

NOTES: dict[str, Any] = {"type": "text", "media_type": "text/plain", "data": "Rain by noon."}
QUESTION = {"type": "text", "text": "What does it say?"}
WITHOUT_FILES: list[il.FormatName] = [
    "deepseek",
    "groq",
    "xai",
    "vllm",
    "hf_chat_template",
    "cohere",
    "ollama",
    "harmony",
    "openai_completions",
    "sharegpt",
]


def request_of(*content: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": [*content]}]}


def file_of(text: bytes, media_type: str, filename: str = "notes") -> dict[str, Any]:
    data = f"data:{media_type};base64,{base64.b64encode(text).decode()}"
    part = {"type": "input_file", "filename": filename, "file_data": data}
    return {"model": "m", "input": [{"role": "user", "content": [part, {"type": "input_text", "text": "q"}]}]}


def about(losses: Any, path: str) -> list[tuple[str, str]]:
    return [(loss.kind, loss.path) for loss in losses if loss.path == path or loss.kind == "dropped"]


@pytest.mark.parametrize("target", WITHOUT_FILES)
def test_the_text_of_a_document_is_sent_under_its_title(target: il.FormatName) -> None:
    made = il.convert(
        request_of({"type": "document", "source": NOTES, "title": "Forecast"}, QUESTION), source="anthropic", target=target
    )
    assert json.dumps("Forecast\n\nRain by noon.")[1:-1] in json.dumps(made.payload)
    assert not [loss for loss in made.losses if loss.kind == "dropped" and loss.path.startswith("/messages")]
    whole = "/messages/0" if target == "openai_completions" else "/messages/0/content/0"
    assert "changed" in [loss.kind for loss in made.losses if loss.path == whole]


@pytest.mark.parametrize(
    "media_type",
    [
        *("text/csv", "text/markdown", "text/x-python", "application/json", "application/yaml", "application/x-yaml"),
        *("application/javascript", "application/x-ndjson", "application/ld+json", "application/atom+xml; charset=utf-8"),
    ],
)
def test_a_file_whose_type_is_text_is_sent_as_text(media_type: str) -> None:
    made = il.convert(file_of(b"a,b", media_type), source="openai_responses", target="deepseek")
    assert made.payload["messages"][0]["content"][0] == {"type": "text", "text": "notes\n\na,b"}
    assert about(made.losses, "/input/0/content/0") == [("changed", "/input/0/content/0")]


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        *((b"\xff\xfe", "text/plain"), (b"  ", "text/plain"), (b"PK", "application/zip"), (b"%PDF-", "application/pdf")),
        (b"<svg/>", "image/svg+xml"),
    ],
)
def test_a_file_without_readable_text_is_left_out(data: bytes, media_type: str) -> None:
    made = il.convert(file_of(data, media_type), source="openai_responses", target="deepseek")
    assert made.payload["messages"][0]["content"] == [{"type": "text", "text": "q"}]
    assert about(made.losses, "/input/0/content/0") == [("dropped", "/input/0/content/0")]


@pytest.mark.parametrize("target", ["openai_chat", "deepseek", "groq", "xai", "cohere", "ollama"])
def test_the_text_stays_in_the_result_of_its_tool(target: il.FormatName) -> None:
    """Only text may be in a tool message of these."""
    messages: list[Any] = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "document", "source": NOTES}]}],
        },
    ]
    tools: list[Any] = [{"name": "look", "input_schema": {"type": "object", "properties": {}}}]
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": messages, "tools": tools}
    made = il.convert(body, source="anthropic", target=target)
    *_, last = made.payload["messages"]
    assert last["role"] == "tool"
    assert last["content"] in ("Rain by noon.", [{"type": "text", "text": "Rain by noon."}])
    where = "/messages/2/content/0/content/0"
    assert [loss.kind for loss in made.losses if loss.path == where] == ["changed"]


def test_a_host_that_takes_files_gets_the_file() -> None:
    made = il.convert(file_of(b"a", "text/csv"), source="openai_responses", target="openai_chat")
    assert made.payload["messages"][0]["content"][0]["type"] == "file"


def test_a_file_goes_back_to_its_own_host_as_it_was() -> None:
    part = {"type": "file", "file": {"filename": "a.txt", "file_data": "data:text/plain;base64,YQ=="}}
    body = {"model": "m", "messages": [{"role": "user", "content": [part]}]}
    assert il.dump(il.load(body, "deepseek"), "deepseek", on_loss="raise") == body


def test_converse_takes_any_type_of_text_as_plain_text() -> None:
    made = il.convert(file_of(b"a: 1", "application/yaml"), source="openai_responses", target="bedrock_converse")
    document = made.payload["messages"][0]["content"][0]["document"]
    assert (document["format"], document["source"]) == ("txt", {"bytes": "YTogMQ=="})


@pytest.mark.parametrize("target", ["deepseek", "ollama", "harmony", "sharegpt"])
def test_the_text_of_a_file_is_apart_from_the_texts_beside_it(target: il.FormatName) -> None:
    file = {"type": "file", "file": {"file_data": f"data:text/plain;base64,{base64.b64encode(b'Rain.').decode()}"}}
    begun = {"role": "assistant", "content": [{"type": "text", "text": "It says:"}, file, {"type": "text", "text": "So."}]}
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, begun, {"role": "user", "content": "r"}]}
    assert json.dumps("It says:\nRain.\nSo.")[1:-1] in json.dumps(il.convert(body, source="openai_chat", target=target).payload)
