"""Where a request is sent: what a provider reads from the URL is not lost, and is taken from there."""

from typing import Any

import pytest

import interlingua as il
from formats.cases import facts

CHAT = {"max_completion_tokens": 9, "messages": [{"role": "user", "content": "Hi."}]}
SAID = [(model, stream) for model in ("m", None) for stream in (True, False, None)]
STREAMS_UNASKED = {"ollama", "ollama_generate"}
"""Formats in which a request for a whole answer says so, because one that says nothing asks for a stream."""
FORMATS = [format for format in il.FORMATS.values() if format.path is not None]


def chat(model: str | None, stream: bool | None) -> dict[str, Any]:
    return {key: value for key, value in {**CHAT, "model": model, "stream": stream}.items() if value is not None}


@pytest.mark.parametrize("format", FORMATS, ids=repr)
@pytest.mark.parametrize(("model", "stream"), SAID)
def test_the_body_and_the_url_say_all_together(format: il.Format, model: str | None, stream: bool | None) -> None:
    there = il.convert(chat(model, stream), source="openai_chat", target=format)
    assert there.endpoint[1:] == (model, stream)
    assert not {"/model", "/stream"} & {loss.path for loss in there.losses}
    alone = il.load(there.payload, format)
    if model is not None and format.name in STREAMS_UNASKED:
        stream = bool(stream)
    assert (alone.model, alone.stream) == (
        None if "model" in format.in_url else model,
        None if "stream" in format.in_url else stream,
    )
    back = il.convert(there.payload, source=format, target="openai_chat", model=model, stream=stream)
    assert (back.payload.get("model"), back.payload.get("stream")) == (model, stream)


@pytest.mark.parametrize("format", FORMATS, ids=repr)
@pytest.mark.parametrize(("model", "stream"), SAID)
def test_what_the_url_says_changes_no_body_of_its_format(format: il.Format, model: str | None, stream: bool | None) -> None:
    body = il.convert(chat(model, stream), source="openai_chat", target=format).payload
    if model is not None and format.name in STREAMS_UNASKED:
        stream = bool(stream)
    request = il.load(body, format, model=model, stream=stream)
    assert (request.model, request.stream) == (model, stream)
    assert il.dump(request, format, on_loss="raise") == body
    assert il.convert(body, source=format, target=format, model=model, stream=stream).payload == body
    assert il.endpoint(request, format) == il.convert(chat(model, stream), source="openai_chat", target=format).endpoint


PATHS = facts("paths")
"""The path of a request for the model `a/b:0@c`, whole and streamed."""


@pytest.mark.parametrize("name", PATHS)
def test_a_path_names_the_model_that_it_needs(name: il.FormatName) -> None:
    format = il.format_of(name)
    asked = [il.Request(messages=(), model="a/b:0@c", stream=stream) for stream in (None, True)]
    assert [il.endpoint(request, format).path for request in asked] == PATHS[name]
    unnamed = il.endpoint(il.Request(messages=()), format)
    assert (unnamed.path is None) == ("model" in format.in_url)


@pytest.mark.parametrize("model", ["gemini-x", "models/gemini-x"])
def test_a_model_of_gemini_is_a_resource(model: str) -> None:
    assert il.endpoint(il.Request(messages=(), model=model), "gemini").path == "/models/gemini-x:generateContent"


def test_what_the_url_says_is_what_counts() -> None:
    request = il.load(chat("of the body", True), "openai_chat", model="of the URL", stream=False)
    assert (request.model, request.stream) == ("of the URL", False)


@pytest.mark.parametrize("wrong", [{"model": 5}, {"model": "\ud800"}, {"stream": "yes"}, {"stream": 1}])
def test_what_no_url_says_is_invalid(wrong: dict[str, Any]) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load(CHAT, "openai_chat", **wrong)
    assert [fault.path for fault in caught.value.faults] == ["/" + next(iter(wrong))]
    with pytest.raises(il.InvalidPayload):
        il.convert(CHAT, source="openai_chat", target="anthropic", **wrong)


def test_a_format_of_the_callers_own_has_the_path_of_its_family() -> None:
    older = il.format_for(il.AnthropicProfile(sampling=True), "older")
    assert il.endpoint(il.Request(messages=()), older).path == "/v1/messages"


def test_a_path_of_the_callers_own_has_the_model_though_the_body_has_it_too() -> None:
    hosted = il.format_for(il.AnthropicProfile(paths=("/models/{}/messages", "/models/{}/stream")), "hosted")
    request = il.Request(messages=(), model="claude x")
    assert il.endpoint(request, hosted).path == "/models/claude%20x/messages"
    assert il.dump(request, hosted)["model"] == "claude x"
