"""An error reaches each provider's clients in that provider's words, in bodies and in streams, from wherever it comes."""

import json
import re
from typing import Any, get_args

import pytest
from anthropic.types.shared.error_type import ErrorType

import interlingua as il
from interlingua.codec.error_words import ErrorWords

FAMILIES: tuple[il.FormatName, ...] = ("openai_chat", "openai_responses", "anthropic", "gemini", "bedrock_converse")

WORDS: dict[str, dict[il.FormatName, tuple[str | None, ...]]] = {
    # What is wrong: what the formats call it, which is the type and the code, or the type alone, and in streams, if it differs.
    "a bad request": {
        "openai_chat": ("invalid_request_error", None),
        "openai_responses": ("invalid_request_error", None),
        "anthropic": ("invalid_request_error",),
        "gemini": ("INVALID_ARGUMENT",),
        "bedrock_converse": ("ValidationException", "validationException"),
    },
    "a wrong key": {
        "openai_chat": ("invalid_request_error", "invalid_api_key"),
        "openai_responses": ("invalid_request_error", "invalid_api_key"),
        "anthropic": ("authentication_error",),
        "gemini": ("UNAUTHENTICATED",),
        "bedrock_converse": ("AccessDeniedException", "validationException"),
    },
    "no right": {
        "openai_chat": ("invalid_request_error", None),
        "openai_responses": ("invalid_request_error", None),
        "anthropic": ("permission_error",),
        "gemini": ("PERMISSION_DENIED",),
        "bedrock_converse": ("AccessDeniedException", "validationException"),
    },
    "no such model": {
        "openai_chat": ("invalid_request_error", None),
        "openai_responses": ("invalid_request_error", None),
        "anthropic": ("not_found_error",),
        "gemini": ("NOT_FOUND",),
        "bedrock_converse": ("ResourceNotFoundException", "validationException"),
    },
    "too many requests": {
        "openai_chat": ("rate_limit_exceeded", "rate_limit_exceeded"),
        "openai_responses": ("rate_limit_exceeded", "rate_limit_exceeded"),
        "anthropic": ("rate_limit_error",),
        "gemini": ("RESOURCE_EXHAUSTED",),
        "bedrock_converse": ("ThrottlingException", "throttlingException"),
    },
    "a fault of the server": {
        "openai_chat": ("server_error", None),
        "openai_responses": ("server_error", None),
        "anthropic": ("api_error",),
        "gemini": ("INTERNAL",),
        "bedrock_converse": ("InternalServerException", "internalServerException"),
    },
    "a busy server": {
        "openai_chat": ("server_error", None),
        "openai_responses": ("server_error", None),
        "anthropic": ("overloaded_error",),
        "gemini": ("UNAVAILABLE",),
        "bedrock_converse": ("ServiceUnavailableException", "serviceUnavailableException"),
    },
}
STATUS: dict[str, dict[il.FormatName, int]] = {
    "a bad request": {},
    "a wrong key": {"bedrock_converse": 403},
    "no right": {},
    "no such model": {},
    "too many requests": {},
    "a fault of the server": {},
    "a busy server": {"anthropic": 529},
}
USUAL = dict(zip(WORDS, (400, 401, 403, 404, 429, 500, 503), strict=True))

# What providers say: which of the kinds it is, and the fields of the error.
SAID: dict[il.FormatName, list[tuple[str, dict[str, Any]]]] = {
    "openai_chat": [
        ("a bad request", {"type": "invalid_request_error", "param": "stop", "code": "unsupported_parameter"}),
        ("a bad request", {"type": "invalid_request_error", "param": None, "code": "context_length_exceeded"}),
        ("a wrong key", {"type": "invalid_request_error", "param": None, "code": "invalid_api_key"}),
        ("no such model", {"type": "invalid_request_error", "param": None, "code": "model_not_found"}),
        ("too many requests", {"type": "tokens", "param": None, "code": "rate_limit_exceeded"}),
        ("too many requests", {"type": "requests", "param": None, "code": None}),
        ("too many requests", {"type": "insufficient_quota", "param": None, "code": "insufficient_quota"}),
        ("a fault of the server", {"type": "server_error", "param": None, "code": None}),
    ],
    "openai_responses": [
        ("a bad request", {"code": "invalid_prompt", "param": None}),
        ("too many requests", {"code": "rate_limit_exceeded", "param": None}),
        ("a fault of the server", {"code": "server_error", "param": None}),
    ],
    "anthropic": [
        ("a bad request", {"type": "invalid_request_error"}),
        ("a wrong key", {"type": "authentication_error"}),
        ("no right", {"type": "permission_error"}),
        ("no such model", {"type": "not_found_error"}),
        ("too many requests", {"type": "rate_limit_error"}),
        ("a fault of the server", {"type": "api_error"}),
        ("a busy server", {"type": "overloaded_error"}),
    ],
    "gemini": [
        ("a bad request", {"code": 400, "status": "INVALID_ARGUMENT"}),
        ("a bad request", {"code": 400, "status": "FAILED_PRECONDITION"}),
        ("a wrong key", {"code": 401, "status": "UNAUTHENTICATED"}),
        ("no right", {"code": 403, "status": "PERMISSION_DENIED"}),
        ("no such model", {"code": 404, "status": "NOT_FOUND"}),
        ("too many requests", {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "x"}]}),
        ("a fault of the server", {"code": 500, "status": "INTERNAL"}),
        ("a busy server", {"code": 503, "status": "UNAVAILABLE"}),
    ],
    "bedrock_converse": [
        ("a bad request", {"__type": "ValidationException"}),
        ("no right", {"__type": "AccessDeniedException"}),
        ("no such model", {"__type": "ResourceNotFoundException"}),
        ("too many requests", {"__type": "ThrottlingException"}),
        ("a fault of the server", {"__type": "InternalServerException"}),
        ("a busy server", {"__type": "ServiceUnavailableException"}),
    ],
}
CASES = [(source, kind, said) for source, rows in SAID.items() for kind, said in rows]

BEGUN: dict[il.FormatName, Any] = {
    "openai_chat": {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hi."}, "finish_reason": None}]},
    "openai_responses": {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}},
    "anthropic": {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}},
    "gemini": {"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": "Hi."}]}}]},
    "bedrock_converse": {"messageStart": {"role": "assistant"}},
}


def body_of(source: il.FormatName, said: dict[str, Any]) -> Any:
    """The body of an error, as its provider sends it."""
    fields = {"message": "no", **said}
    if source == "bedrock_converse":
        return fields
    return {"type": "error", "error": fields} if source == "anthropic" else {"error": fields}


def chunk_of(source: il.FormatName, said: dict[str, Any]) -> Any:
    """The chunk of a stream that reports an error."""
    if source == "openai_responses":
        return {"type": "error", "message": "no", "sequence_number": 1, **said}
    if source == "bedrock_converse":
        name = str(said["__type"])
        return {name[0].lower() + name[1:]: {"message": "no"}}
    return body_of(source, said)


def words_of(target: il.FormatName, body: Any) -> tuple[str | None, ...]:
    """The type and the code of a body of an error."""
    error = body if target == "bedrock_converse" else body["error"]
    fields = {"bedrock_converse": ("__type",), "gemini": ("status",), "anthropic": ("type",)}.get(target, ("type", "code"))
    return tuple(error.get(field) for field in fields)


def texts(value: Any) -> set[str]:
    """All keys and texts of a value."""
    return set(re.findall(r'"([^"]*)"', json.dumps(value)))


def vocabulary(words: ErrorWords) -> set[str]:
    return {*words.types.values(), *words.codes.values(), *words.others}


def foreign_words(target: il.FormatName) -> set[str]:
    """The words that other providers have and this one has not."""
    own = il.FORMATS[target].error_words
    assert own is not None
    others = {word for each in il.FORMATS.values() if each.error_words is not None for word in vocabulary(each.error_words)}
    return others - vocabulary(own)


def error_of(body: Any, source: il.FormatName, status: int | None) -> il.ProviderError:
    with pytest.raises(il.ProviderError) as caught:
        il.load_response(body, source, status=status)
    return caught.value


@pytest.mark.parametrize("target", FAMILIES)
@pytest.mark.parametrize(("source", "kind", "said"), CASES, ids=json.dumps)
def test_an_error_body_has_the_words_of_its_target(
    source: il.FormatName, kind: str, said: dict[str, Any], target: il.FormatName
) -> None:
    body = body_of(source, said)
    own = il.FORMATS[source].error_words is il.FORMATS[target].error_words
    for status in (None, STATUS[kind].get(source, USUAL[kind])):
        written = il.dump_error(error_of(body, source, status), target)
        assert not foreign_words(target) & texts(written)
        if own:
            assert words_of(target, written) == words_of(target, body)
        else:
            expected = WORDS[kind][target]
            assert words_of(target, written) == (expected[:1] if target == "bedrock_converse" else expected)


@pytest.mark.parametrize("target", FAMILIES)
@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize(("source", "kind", "said"), CASES, ids=json.dumps)
def test_an_error_in_a_stream_has_the_words_of_its_target(
    source: il.FormatName, kind: str, said: dict[str, Any], target: il.FormatName, *, begun: bool
) -> None:
    chunks = [*([BEGUN[source]] if begun else []), chunk_of(source, said)]
    out: list[Any] = []
    with pytest.raises(il.ProviderError):
        out.extend(il.restream(chunks, source=source, target=target, on_loss="ignore"))
    events = [event for chunk in chunks for event in il.reader(source).feed(chunk)]
    writer = il.writer(target)
    written = [chunk for event in events for chunk in writer.feed(event)]
    for last in (out[-1], written[-1]):
        assert not foreign_words(target) & texts(last)
        if source == target:
            assert {**last, "sequence_number": 0} == {**chunks[-1], "sequence_number": 0}
            continue
        assert is_like(target, last, WORDS[kind][target] if shares_no_words(source, target) else None)


def shares_no_words(source: il.FormatName, target: il.FormatName) -> bool:
    return il.FORMATS[source].error_words is not il.FORMATS[target].error_words


def is_like(target: il.FormatName, chunk: Any, expected: tuple[str | None, ...] | None) -> bool:
    """Whether a chunk reports an error, in these words."""
    if target == "bedrock_converse":
        return expected is not None and chunk == {expected[-1]: {"message": "no"}}
    if target == "openai_responses":
        code = chunk["code"]
        return chunk["type"] == "error" and (expected is None or code == (expected[1] or expected[0]))
    return expected is None or words_of(target, chunk) == expected


@pytest.mark.parametrize("status", [*USUAL.values(), 402, 408, 409, 413, 418, 422, 424, 499, 501, 502, 504, 529, 599])
@pytest.mark.parametrize("target", FAMILIES)
def test_each_status_has_a_word_of_the_target(target: il.FormatName, status: int) -> None:
    own = il.FORMATS[target].error_words
    assert own is not None
    for source in FAMILIES:
        if shares_no_words(source, target):
            error = il.ProviderError("no", type="a_word_that_is_new", status=status, origin=source)
            kind = words_of(target, il.dump_error(error, target))[0]
            assert kind in own.types.values()
            again = error_of(il.dump_error(error, target), target, status)
            assert il.dump_error(again, target) == il.dump_error(error, target)


def test_words_that_no_provider_is_known_to_have_stay() -> None:
    for target, field in (("openai_chat", "type"), ("anthropic", "type"), ("gemini", "status")):
        format: Any = il.format_of(target)
        assert il.dump_error(il.ProviderError("no", type="a_new_word"), format)["error"][field] == "a_new_word"
        assert il.dump_error(il.ProviderError("no", type="x" * 10**6), format)["error"][field] == "x" * 10**6


def test_the_types_of_anthropic_are_those_of_its_client() -> None:
    known = set(get_args(ErrorType))
    own = il.FORMATS["anthropic"].error_words
    assert own is not None
    assert vocabulary(own) - known == {"request_too_large"}  # documented: the proxy in front of the API sends it
