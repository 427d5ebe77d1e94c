"""An error reaches each provider's clients in that provider's words, in bodies and in streams, from wherever it comes."""

import json
import re
from itertools import product
from typing import Any, get_args

import pytest
from anthropic.types.shared.error_type import ErrorType

import interlingua as il
from formats.cases import facts
from interlingua.codec.error_words import ErrorWords
from interlingua.testing.lawbook import documents

ERRORS = facts("errors")
"""What the providers call errors, and say of them."""
FAMILIES = tuple(ERRORS)
USUAL = {
    "a bad request": 400,
    "a wrong key": 401,
    "no permission": 403,
    "no such model": 404,
    "too many requests": 429,
    "a server error": 500,
    "a busy server": 503,
}
"""The status of each kind of error, if a provider has no other."""
CASES = [(source, said["kind"], said["body"]) for source, errors in ERRORS.items() for said in errors["said"]]
IN_STREAMS = [(source, said["kind"], said["chunk"]) for source, errors in ERRORS.items() for said in errors["said"]]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_kind_of_error_has_a_word(name: il.FormatName) -> None:
    assert ERRORS[name]["words"].keys() == USUAL.keys()
    assert {*ERRORS[name].get("in_streams", USUAL), *ERRORS[name].get("status", ())} == USUAL.keys()


def words_of(target: il.FormatName, body: Any) -> tuple[str | None, ...]:
    """The type and the code of a body of an error."""
    return tuple(documents.resolve(body, at) if documents.resolves(body, at) else None for at in ERRORS[target]["at"])


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


@pytest.mark.parametrize(("source", "kind", "body"), CASES, ids=json.dumps)
def test_an_error_body_has_the_words_of_its_target(source: il.FormatName, kind: str, body: Any) -> None:
    for target, status in product(FAMILIES, (None, ERRORS[source].get("status", USUAL).get(kind, USUAL[kind]))):
        own = il.FORMATS[source].error_words is il.FORMATS[target].error_words
        written = il.dump_error(error_of(body, source, status), target)
        assert not foreign_words(target) & texts(written)
        if own:
            assert words_of(target, written) == words_of(target, body)
        else:
            assert words_of(target, written) == tuple(ERRORS[target]["words"][kind])


@pytest.mark.parametrize(("source", "kind", "chunk"), IN_STREAMS, ids=json.dumps)
def test_an_error_in_a_stream_has_the_words_of_its_target(source: il.FormatName, kind: str, chunk: Any) -> None:
    for target in FAMILIES:
        passes_on([ERRORS[source]["begun"], chunk], source, kind, target)
        passes_on([chunk], source, kind, target)


def passes_on(chunks: list[Any], source: il.FormatName, kind: str, target: il.FormatName) -> None:
    """Assert that the error at the end of a stream arrives in the words of the target."""
    out: list[Any] = []
    with pytest.raises(il.ProviderError):
        out.extend(il.restream(chunks, source=source, target=target, on_loss="ignore"))
    events = [event for chunk in chunks for event in il.reader(source).feed(chunk)]
    writer = il.writer(target)
    written = [chunk for event in events for chunk in writer.feed(event)]
    for last in (error_in(out), error_in(written)):
        assert not foreign_words(target) & texts(last)
        if source == target:
            assert {**last, "sequence_number": 0} == {**chunks[-1], "sequence_number": 0}
            continue
        assert is_like(target, last, kind if shares_no_words(source, target) else None)


def error_in(chunks: list[Any]) -> Any:
    """The chunk with the error; the end of a failed response repeats it."""
    *_, last = chunks
    if last.get("type") != "response.failed":
        return last
    error = chunks[-2]
    assert last["response"]["error"]["code"] in (error["code"], "server_error")
    return error


def shares_no_words(source: il.FormatName, target: il.FormatName) -> bool:
    return il.FORMATS[source].error_words is not il.FORMATS[target].error_words


def is_like(target: il.FormatName, chunk: Any, kind: str | None) -> bool:
    """Whether a chunk reports an error, in the words for this kind of it."""
    if kind is None:
        return True
    if "in_streams" in ERRORS[target]:
        return says(chunk, ERRORS[target]["in_streams"][kind])
    return words_of(target, chunk) == tuple(ERRORS[target]["words"][kind])


def says(value: Any, expected: Any) -> bool:
    """Whether a value is the expected one, or an object that has what the expected one has."""
    if documents.is_object(value) and documents.is_object(expected):
        return all(key in value and says(value[key], each) for key, each in expected.items())
    return bool(value == expected)


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
