"""What a provider sends instead of a response: read whatever its shape, written in another's, never taken for a response."""

import base64
import copy
import dataclasses
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import interlingua as il
from conversion.test_detection import EXAMPLES
from formats.cases import cases
from interlingua.codec.error_words import status_of
from interlingua.testing.lawbook import documents
from interlingua.testing.lawbook.response_laws import ERRORS
from laws import over, recorded
from laws.families import ANSWERING


def caught(body: Any, format: il.FormatName, status: int | None = None) -> il.ProviderError:
    with pytest.raises(il.ProviderError) as raised:
        il.load_response(body, format, status=status)
    return raised.value


def says(error: il.ProviderError) -> tuple[Any, ...]:
    return error.message, error.type, error.code, error.status


ANYTHING: list[Any] = ["upstream connect error", "<html>", b"\xff", "", '"Unauthorized"', "[]", "null", ["a"], {}, None, 5]


@pytest.mark.parametrize("key", ["detail", "errors", "fault", "Error"])
@pytest.mark.parametrize("said", [5, True, 1.5, [5], [None], {"x": 1}, [[]], {"error": {}}, [{}], ""])
def test_a_field_that_says_nothing_of_an_error_makes_none(key: str, said: Any) -> None:
    for format in ANSWERING:
        with pytest.raises(il.InvalidPayload):
            il.load_response({key: said}, format)
        if not isinstance(said, bool):
            assert str(caught({key: said}, format, 500)).startswith("the provider reports an error (500)")


@pytest.mark.parametrize("body", [{"error": None, "detail": None}, {"error": False}, {"error": None, "errors": []}])
def test_fields_of_errors_that_are_empty_make_no_error(body: Any) -> None:
    with pytest.raises(il.InvalidPayload):
        il.load_response(body, "openai_chat")


def test_an_error_that_says_nothing_says_so() -> None:
    assert str(caught({"error": {}}, "openai_chat")) == "the provider reports an error (no type given) without a message"


QUOTED: list[tuple[Any, str]] = [
    (
        '{"type": "error", "error": {"type": "invalid_request_error", "message": "two tools have this name"}}',
        "two tools have this name",
    ),
    ('{"message": "slow down"}', "slow down"),
    ('{"error": "no such model"}', "no such model"),
    ({"error": {"message": "no"}}, "no"),
    ("upstream is down\n", "upstream is down"),
    ('{"error": {}}', '{"error": {}}'),
    ("[" * 10_000, "[" * 10_000),
]


@pytest.mark.parametrize(("raw", "message"), QUOTED)
def test_the_error_that_a_gateway_quotes_is_in_the_message(raw: Any, message: str) -> None:
    body = {"error": {"message": "Provider returned error", "code": 400, "metadata": {"provider_name": "P", "raw": raw}}}
    error = caught(body, "openrouter", 400)
    assert error.message == f"Provider returned error: {message}"
    assert il.dump_error(error, "anthropic")["error"]["message"] == error.message
    assert il.dump_error(error, "openrouter") == body


@pytest.mark.parametrize("metadata", [None, [], {}, {"raw": None}, {"raw": ""}, {"raw": 5}, {"raw": {}}, {"raw": "no"}])
def test_a_gateway_may_quote_nothing_new(metadata: Any) -> None:
    assert caught({"error": {"message": "no", "code": 400, "metadata": metadata}}, "openrouter").message == "no"


def test_an_error_may_stand_in_the_last_delta_of_a_stream() -> None:
    chunk = {"type": "end", "delta": {"error": "no", "error_type": "INVALID_TOOL", "reason": "ERROR"}}
    assert says(caught(chunk, "openai_chat")) == ("no", "INVALID_TOOL", None, None)


@pytest.mark.parametrize("body", ANYTHING)
def test_the_status_alone_makes_a_body_an_error(body: Any) -> None:
    for status in (302, 404, 500, 529):
        error = caught(body, "anthropic", status)
        assert error.status == status
    assert caught("upstream connect error", "anthropic", 503).message == "upstream connect error"
    with pytest.raises(il.InvalidPayload):
        il.load_response(body, "anthropic")
    with pytest.raises(il.InvalidPayload):
        il.load_response(body, "anthropic", status=200)


@pytest.mark.parametrize("bad", [float("nan"), "\ud800", {1: 2}, {"a"}])
def test_an_error_body_that_json_cannot_hold_is_invalid(bad: Any) -> None:
    for body, status in (({"error": {"message": "x", "more": bad}}, None), ({"more": bad}, 500)):
        with pytest.raises(il.InvalidPayload, match="more"):
            il.load_response(body, "openai_chat", status=status)


CHAT: dict[str, Any] = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi."}}]}
SAID: dict[str, Any] = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi."}]}
ASKED: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi."}]}


NO_RESPONSES: list[tuple[il.FormatName, Any, str | None]] = [
    ("openai_chat", {}, None),
    ("anthropic", {}, None),
    ("anthropic", {"input_tokens": 9}, None),
    ("openai_chat", {"id": "x", "model": "m", "usage": {}}, None),
    ("openai_chat", SAID, 'il.load_response(body, "anthropic")'),
    ("deepseek", SAID, 'il.load_response(body, "anthropic")'),
    ("anthropic", CHAT, 'il.load_response(body, "openai_chat")'),
    ("anthropic", {"candidates": [{"content": {"parts": []}}]}, "a response of Gemini"),
    ("openai_chat", {"object": "response", "output": [{"type": "message"}]}, "a response of OpenAI's Responses API"),
    ("openai_chat", ASKED, 'il.load(payload, "'),
    ("anthropic", ASKED, 'il.load(payload, "'),
    ("anthropic", {"type": "message_start", "message": SAID}, 'il.reader("anthropic")'),
]


@pytest.mark.parametrize(("format", "body", "hint"), NO_RESPONSES)
def test_what_is_no_response_of_the_format_is_invalid(format: il.FormatName, body: Any, hint: str | None) -> None:
    for given_body in (body, json.dumps(body)):
        with pytest.raises(il.InvalidPayload, match="a response of") as raised:
            il.load_response(given_body, format)
        assert (raised.value.hint is None) == (hint is None)
        assert (hint or "") in (raised.value.hint or "")


# In another provider's shape

CARRIED = {"openai": ("message", "type", "code"), "anthropic": ("message", "type")}
"""What a provider's error bodies say; those whose `error` is a text have no type."""


@over.formats(ANSWERING)
@given(error=ERRORS)
def test_an_error_says_the_same_in_the_shape_of_any_provider(format: il.FormatName, error: il.ProviderError) -> None:
    body = il.dump_error(error, format)
    again = caught(body, format, error.status)
    for name in CARRIED.get(il.FORMATS[format].family, ("message",)):
        if name == "type" and type(body.get("error")) is str:
            continue
        # An error without these gets the target's words for its status: Anthropic's have a type, and OpenAI's a code as well.
        if not (name in ("type", "code") and getattr(error, name) in (None, "")):
            assert getattr(again, name) == getattr(error, name)
    known = status_of(error)
    if il.FORMATS[format].family == "gemini" and error.status is None:  # Google's errors have a status
        assert again.status == (500 if known is None else known)
    else:
        assert again.status == error.status
    assert il.dump_error(again, format) == body
    assert [one.kind for one in il.detect(body)][:1] == ["error"]


@pytest.mark.parametrize(("status", "type"), [(429, "rate_limit_error"), (401, "authentication_error"), (None, "api_error")])
def test_an_error_without_a_type_gets_anthropics_by_its_status(status: int | None, type: str) -> None:
    assert il.dump_error(il.ProviderError("no", status=status), "anthropic") == {
        "type": "error",
        "error": {"type": type, "message": "no"},
    }


def test_what_has_no_error_bodies_says_so() -> None:
    plain = dataclasses.replace(il.FORMATS["anthropic"], name="plain", dump_error=None)
    with pytest.raises(il.UnknownFormat, match="errors"):
        il.dump_error(il.ProviderError("no"), plain)


def read_and_written(body: Any, status: int, format: il.FormatName) -> il.ProviderError:
    """The error of a recorded body, which is the same in its own format and says the same in every other shape."""
    error = caught(body, format, status)
    assert (error.status, caught(body, format).message) == (status, error.message)
    assert il.dump_error(error, format) == body
    for target in (
        format for format in il.FORMATS.values() if format.dump_error is not None
    ):  # rows of datasets have no errors
        again = il.dump_error(error, target)
        if target.load_response is not None:
            with pytest.raises(il.ProviderError) as raised:
                il.load_response(again, target)
            assert raised.value.message == error.message
    return error


@pytest.mark.traffic
def test_recorded_errors_are_read_and_written(traffic: Path, record_property: Callable[[str, object], None]) -> None:
    read = 0
    for file in sorted(traffic.glob("*.errors.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            record = json.loads(line)
            for error in (read_and_written(record["body"], record["status"], name) for name in BUSY):
                assert error.message
                assert len(str(error)) <= 201
            read += 1
    assert read > 50
    record_property("recorded error bodies read", read)


@pytest.mark.traffic
def test_the_azure_error_of_200_is_one(traffic: Path) -> None:
    bodies = [record.body for record in recorded.responses(traffic, "azure_openai_chat") if "error" in record.body]
    for body in bodies:
        error = caught(body, "openai_chat")
        assert (error.code, error.status) == ("content_filter", 400)
        assert il.dump_error(error, "openai_chat") == body


# What it shows

PICTURE = base64.b64encode(bytes(range(256))).decode()


@pytest.mark.parametrize(
    "message",
    [
        "x " * 10**6,
        f"Invalid image: data:image/png;base64,{PICTURE}",
        f"Invalid image {PICTURE}",
        f"Invalid file '{PICTURE[:76]}\n{PICTURE[76:152]}'",
        "data:text/plain;base64,SGVsbG8sIFdvcmxkIQ==",
        "\ud800 lone",
    ],
)
def test_the_text_of_an_error_is_bounded_and_without_base64(message: str) -> None:
    for error in (il.ProviderError(message), il.ProviderError(type=message), il.ProviderError(code=message)):
        for text in (str(error), repr(error), json.dumps(il.error_body(error))):
            assert len(text) < 300
            assert not any(PICTURE[i : i + 32] in text for i in range(0, 300, 4))
            assert "SGVsbG8" not in text
            text.encode()
        assert message in (error.message, error.type, error.code)


# In streams

BEGUN: dict[il.FormatName, list[Any]] = {
    "openai_chat": [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hi."}, "finish_reason": None}]}],
    "anthropic": [
        {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hi."}},
    ],
}
BUSY: dict[il.FormatName, Any] = {
    "openai_chat": {"error": {"message": "busy", "type": "server_error", "code": 503}},
    "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}, "request_id": "r"},
}


@pytest.mark.parametrize("format", BUSY)
def test_a_stream_that_is_an_error_has_no_response(format: il.FormatName) -> None:
    reader = il.reader(format)
    (event,) = reader.feed(BUSY[format])
    assert isinstance(event, il.ErrorEvent)
    with pytest.raises(il.ProviderError, match="busy") as raised:
        _ = reader.response
    assert raised.value == reader.error
    assert il.dump_error(raised.value, format) == BUSY[format]


@pytest.mark.parametrize("format", BUSY)
def test_an_error_in_a_stream_is_an_event_then_raised_and_what_came_before_stays(format: il.FormatName) -> None:
    reader = il.reader(format)
    events: list[il.Event] = []
    with pytest.raises(il.ProviderError, match="busy") as raised:
        events.extend(reader.read([*BEGUN[format], BUSY[format]]))
    assert isinstance(events[-1], il.ErrorEvent)
    assert raised.value == reader.error
    assert reader.response.choices[0].incomplete
    assert reader.response.message.text == "Hi."
    other: il.FormatName = "anthropic" if format == "openai_chat" else "openai_chat"
    passed_on = il.restream([*BEGUN[format], BUSY[format]], source=format, target=other)
    chunks: list[Any] = []
    with pytest.raises(il.ProviderError) as raised:
        chunks.extend(passed_on)
    assert chunks[-1]["error"]["message"] == "busy"
    assert raised.value == passed_on.reader.error == reader.error


# Probes

WRONG: tuple[Any, ...] = (None, 5, 1.5, True, "x", "", [], {}, [1], [None], [[]], {"a": 1}, {"error": "x"}, float("inf"))


def pool() -> tuple[list[Any], list[Any]]:
    """Responses of both families with the answers of the cases; and all kinds of other bodies."""
    requests: list[Any] = [case.read("request") for case in cases("request")]
    answers = [message for request in requests for message in request.get("messages", []) if message.get("role") == "assistant"]
    frame = {"id": "x", "model": "m", "usage": {"input_tokens": 1, "prompt_tokens": 1}}
    responses: list[Any] = [{**frame, "choices": [{"message": message, "finish_reason": "stop"}]} for message in answers]
    responses += [{**frame, "type": "message", "stop_reason": "end_turn", **message} for message in answers]
    others = [payload for _, _, payload in EXAMPLES] + [case.read("error")["body"] for case in cases("error")]
    return responses, [*others, *WRONG, *requests]


def mutated(value: Any, others: list[Any], random: random.Random) -> Any:
    """The value with something else at a random place of it, or with the fields of another body."""
    if documents.is_object(value) and value and random.random() < 0.7:
        key = random.choice(list(value))
        changed = {name: item for name, item in value.items() if name != key or random.random() < 0.8}
        if key in changed:
            changed[key] = mutated(value[key], others, random)
        if random.random() < 0.2 and documents.is_object(more := random.choice(others)):
            changed |= dict(random.sample(sorted(more.items()), min(2, len(more))))
        return changed
    if documents.is_array(value) and value and random.random() < 0.7:
        index = random.randrange(len(value))
        return [*value[:index], mutated(value[index], others, random), *value[index + 1 :]]
    return copy.deepcopy(random.choice(WRONG if random.random() < 0.8 else others))


PROBED: tuple[il.FormatName, ...] = ("openai_chat", "anthropic", "openrouter", "asktable")


def probes(count: int) -> Iterator[Any]:
    chance, (responses, others) = random.Random(6), pool()
    for _ in range(count):
        body = chance.choice(responses if chance.random() < 0.5 else others)
        for _ in range(chance.choice([0, 1, 1, 2, 5])):
            body = mutated(body, others, chance)
        yield json.dumps(body) if chance.random() < 0.1 else body


@pytest.mark.scale
def test_any_body_is_a_response_an_error_or_invalid(scale: int, record_property: Callable[[str, object], None]) -> None:
    count = 5_000 * scale
    found: Counter[str] = Counter()
    for number, body in enumerate(probes(count)):
        format = PROBED[number % len(PROBED)]
        wire: Any = json.loads(body) if isinstance(body, str) and body[:1] in "{[" and body else body
        try:
            il.load_response(body, format)
        except (il.InvalidPayload, il.ProviderError) as error:
            found[type(error).__name__] += 1
        else:
            found["Response"] += 1
            assert set(il.FORMATS[format].response_fields) & wire.keys(), wire
    for name, number in found.items():
        record_property(f"probes of responses: {name}", number)
    assert found.total() == count
    assert min(found.values()) > count / 20
