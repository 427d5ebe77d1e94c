"""Gemini's signatures, which LiteLLM also puts into the ids of calls."""

from typing import Any

import pytest

import interlingua as il

ID = "call_1__thought__c2lnbmVk"


def history(id: str, **fields: Any) -> dict[str, Any]:
    call = {"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}, **fields}
    return {
        "model": "gemini/m",
        "messages": [
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": id, "content": "1"},
        ],
    }


CALLS: dict[str, tuple[dict[str, Any], str | None]] = {
    # litellm splits the id at the first mark, and sends what follows as the signature.
    "in the id": (history(ID), "c2lnbmVk"),
    # It reads the fields of the call and of its function first, and the id last.
    "in a field too": (history(ID, provider_specific_fields={"thought_signature": "b3RoZXI="}), "b3RoZXI="),
    "in a field": (history("call_1", provider_specific_fields={"thought_signature": "b3RoZXI="}), "b3RoZXI="),
    # What is no base64 is no signature: Gemini refuses it, and gets the stand-in.
    "not base64": (history("call_1__thought__no signature"), None),
    "nothing": (history("call_1__thought__"), None),
}


@pytest.mark.parametrize(("body", "signature"), CALLS.values(), ids=CALLS)
def test_the_signature_in_an_id_goes_to_gemini(body: dict[str, Any], signature: str | None) -> None:
    request = il.load(body, "litellm")
    assert il.dump(request, "litellm", on_loss="raise") == body
    assert request.messages[1].to_dict()["tool_calls"][0].get("signature") == signature
    converted = il.convert(body, source="litellm", target="gemini")
    part = converted.payload["contents"][1]["parts"][0]
    assert part["thoughtSignature"] == (signature or "skip_thought_signature_validator")
    assert [loss.kind for loss in converted.losses] == ([] if signature else ["added"])


def test_an_id_means_nothing_to_other_hosts() -> None:
    request = il.load(history(ID), "openai_chat")
    assert "signature" not in request.messages[1].to_dict()["tool_calls"][0]


def test_a_signature_that_is_edited_has_a_field() -> None:
    request = il.load(history(ID), "litellm")
    message: Any = request.messages[1]
    edited = message.replace(tool_calls=[message.tool_calls[0].replace(signature="b3RoZXI=")])
    body: Any = il.dump(request.replace(messages=[request.messages[0], edited, request.messages[2]]), "litellm")
    [call] = body["messages"][1]["tool_calls"]
    assert (call["id"], call["provider_specific_fields"]) == (ID, {"thought_signature": "b3RoZXI="})


def test_gemini_s_signature_goes_to_litellm_in_the_field_that_it_reads_first() -> None:
    body = il.convert(history(ID), source="litellm", target="gemini").payload
    back = il.convert(body, source="gemini", target="litellm").payload
    [call] = back["messages"][1]["tool_calls"]
    assert call["provider_specific_fields"] == {"thought_signature": "c2lnbmVk"}


def test_a_stream_has_the_signature_too() -> None:
    [call] = history(ID)["messages"][1]["tool_calls"]
    chunk: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    delta: dict[str, Any] = {"role": "assistant", "tool_calls": [{"index": 0, **call}]}
    chunks: list[dict[str, Any]] = [
        chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
    reader = il.reader("litellm")
    list(reader.read(chunks))
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, "tool_calls": [call]},
        "finish_reason": "tool_calls",
    }
    whole = il.load_response({**chunk, "object": "chat.completion", "choices": [choice]}, "litellm")
    assert [each.signature for each in reader.response.message.tool_uses] == ["c2lnbmVk"]
    assert il.fingerprint([reader.response.message]) == il.fingerprint([whole.message])
