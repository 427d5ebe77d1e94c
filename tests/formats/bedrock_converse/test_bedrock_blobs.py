"""Base64 that is wrong, where boto3 takes bytes: it is left out and reported, and is never other bytes."""

from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook.documents import is_array, is_object

BAD = ["hello!", "aGk", "a", "aG!k=", "aGk=\n", "aGk-a+k_", "é", "=", "aGk=aGk="]


def _image(data: str) -> dict[str, Any]:
    return {"image": {"format": "png", "source": {"bytes": data}}}


def _source(data: Any) -> Any:
    return {"source": {"bytes": data}}


def _result(*blocks: Any, **more: Any) -> Any:
    return {"toolResult": {"toolUseId": "t", "content": [*blocks], **more}}


def places(data: str) -> dict[str, Any]:
    """The places in a block that hold blobs, with these data."""
    return {
        "redacted": {"reasoningContent": {"redactedContent": data}},
        "an image": _image(data),
        "an image of an unknown format": {"image": {"format": "x", **_source(data)}},
        "a guarded image": {"guardContent": _image(data)},
        "two fields": {"text": "a", "image": _source(data)},
        "a field beside text": {"text": "a", "x": _source(data)},
        "a list": {"x": _source([data, "aGk="])},
        "a result": _result(_image(data)),
        "a result, beside": _result(**_source(data)),
    }


PLACES = list(places(""))


def request(place: str, data: str) -> dict[str, Any]:
    block = places(data)[place]
    if place.startswith("a result"):
        return {"messages": [{"role": "user", "content": [block]}]}
    return {"messages": [{"role": "user" if "image" in block else "assistant", "content": [{"text": "Hi."}, block]}]}


def blobs(value: Any) -> list[bytes]:
    """The bytes in a value; a text in their place is a fault."""
    if is_object(value):
        assert not isinstance(value.get("redactedContent"), str)
        assert not isinstance(value.get("bytes"), str)
        return [blob for item in value.values() for blob in blobs(item)]
    if is_array(value):
        return [blob for item in value for blob in blobs(item)]
    return [value] if isinstance(value, bytes) else []


@pytest.mark.parametrize("data", BAD)
@pytest.mark.parametrize("place", PLACES)
def test_a_request_is_written_without_them(place: str, data: str) -> None:
    body = request(place, data)
    made = il.convert(body, source="bedrock_converse", target="bedrock_boto3")
    assert set(blobs(made.payload)) <= {b"hi"}
    assert "dropped" in {loss.kind for loss in made.losses}
    assert il.convert(body, source="bedrock_converse", target="bedrock_converse").payload == body
    good = il.convert(request(place, "aGk="), source="bedrock_converse", target="bedrock_boto3")
    assert set(blobs(good.payload)) == {b"hi"}
    assert good.losses == ()


@pytest.mark.parametrize("data", BAD)
@pytest.mark.parametrize("place", PLACES)
def test_a_message_of_boto3_that_was_changed(place: str, data: str) -> None:
    messages = [message.to_dict() for message in il.load(request(place, data), "bedrock_converse").messages]
    for message in messages:
        message.pop("wire", None)
    losses: list[il.Loss] = []
    changed = il.Request(messages=il.validate(messages), origin="bedrock_boto3")
    assert set(blobs(il.dump(changed, "bedrock_boto3", on_loss=losses.append))) <= {b"hi"}
    assert losses != []


@pytest.mark.parametrize("data", BAD)
@pytest.mark.parametrize("place", PLACES)
def test_an_answer_and_a_stream_are_written_without_them(place: str, data: str) -> None:
    message = {"role": "assistant", "content": [places(data)[place]]}
    response = il.load_response({"output": {"message": message}, "stopReason": "end_turn"}, "bedrock_converse")
    losses: list[il.Loss] = []
    assert set(blobs(il.dump_response(response, "bedrock_boto3", on_loss=losses.append))) <= {b"hi"}
    assert losses != []
    chunks: list[Any] = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": places(data)["redacted"], "contentBlockIndex": 0}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
    ]
    stream = il.restream(chunks, source="bedrock_converse", target="bedrock_boto3", on_loss=losses.append)
    assert blobs(list(stream)) == []


def test_an_image_in_the_url_safe_alphabet_is_written_as_its_bytes() -> None:
    made = il.convert(request("an image", "aGk-aGk_"), source="bedrock_converse", target="bedrock_boto3")
    assert set(blobs(made.payload)) == {b"hi>hi?"}
    assert {loss.kind for loss in made.losses} == {"changed"}
