"""What a call of another provider's model gets in place of Gemini's signature, and what becomes of it elsewhere."""

import json
from typing import Any

import httpx
import pytest
from google import genai
from google.genai.types import HttpOptions

import interlingua as il
from interlingua.formats.gemini import GeminiProfile, format_for

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

STAND_IN = "skip_thought_signature_validator"
ENCODED = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

SAID: dict[str, Any] = {"role": "user", "content": "Go on."}


def asked(*ids: str, **signed: str) -> dict[str, Any]:
    """An answer with calls; the first has a signature."""
    calls: list[dict[str, Any]] = [{"id": id, "name": "f", "arguments": "{}"} for id in ids]
    calls[0] |= signed
    return {"role": "assistant", "tool_calls": calls}


def results(*ids: str) -> list[dict[str, Any]]:
    return [{"role": "tool", "tool_call_id": id, "content": "1"} for id in ids]


HISTORIES: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    # Of parallel calls, Gemini signs the first alone, and so litellm sends one stand-in a message.
    "parallel calls": ([SAID, asked("a", "b"), *results("a", "b")], ["/contents/1/parts/0"]),
    # pydantic-ai and the AI SDK give every step of a run its own.
    "each step": (
        [SAID, asked("a"), *results("a"), asked("b"), *results("b")],
        ["/contents/1/parts/0", "/contents/3/parts/0"],
    ),
    # Google checks the running turn alone; the OpenAI Agents SDK likewise signs what is still open.
    "turns that are over": ([SAID, asked("a"), *results("a"), SAID, asked("b"), *results("b")], ["/contents/4/parts/0"]),
    "nothing that runs": ([SAID, asked("a"), *results("a"), SAID], []),
    # What another model signed is no signature for Gemini (pydantic-ai sends the stand-in in its place).
    "another's signature": ([SAID, asked("a", signature="c2ln", issuer="anthropic"), *results("a")], ["/contents/1/parts/0"]),
    "Gemini's signature": ([SAID, asked("a", "b", signature="c2ln", issuer="gemini"), *results("a", "b")], []),
    "a signature of nobody": ([SAID, asked("a", signature="c2ln"), *results("a")], []),
    "text before the call": (
        [SAID, asked("a") | {"content": "I look."}, *results("a")],
        ["/contents/1/parts/1"],
    ),
}


def signed(body: Any) -> list[str]:
    """Where a body has the stand-in."""
    return [
        f"/contents/{i}/parts/{j}"
        for i, content in enumerate(body["contents"])
        for j, part in enumerate(content["parts"])
        if STAND_IN in (part.get("thoughtSignature"), part.get("thought_signature"))
    ]


@pytest.mark.parametrize("target", ["gemini", "google_genai"])
@pytest.mark.parametrize(("history", "expected"), HISTORIES.values(), ids=HISTORIES)
def test_the_first_call_of_each_running_step_gets_the_stand_in(
    history: list[dict[str, Any]], expected: list[str], target: il.FormatName
) -> None:
    losses: list[il.Loss] = []
    body = il.dump(il.validate(history), target, on_loss=losses.append)
    assert signed(body) == expected
    key = "thoughtSignature" if target == "gemini" else "thought_signature"
    assert [loss.at for loss in losses if loss.kind == "added"] == [f"{at}/{key}" for at in expected]
    assert il.check(body, target) == []


def test_a_history_that_grows_gets_what_it_gets_at_once() -> None:
    for history, expected in HISTORIES.values():
        builder = il.ChatMessageBuilder()
        for message in il.validate(history):
            builder.append(message)
            builder.dump("gemini", on_loss="ignore")
        assert signed(builder.dump("gemini", on_loss="ignore")) == expected


def test_a_profile_sends_none() -> None:
    older = format_for(GeminiProfile(stand_ins=False))
    for history, _ in HISTORIES.values():
        assert signed(il.dump(il.validate(history), older, on_loss="ignore")) == []


def test_the_client_sends_the_text_itself() -> None:
    """google-genai encodes bytes as base64, which the server refuses, and sends text as it is."""
    sent: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        return httpx.Response(200, json={"candidates": []})

    transport = httpx.Client(transport=httpx.MockTransport(answer))
    client: Any = genai.Client(api_key="k", http_options=HttpOptions(httpx_client=transport))
    history, _ = HISTORIES["parallel calls"]
    client.models.generate_content(model="gemini-3-pro", **il.dump(il.validate(history), "google_genai", on_loss="ignore"))
    assert sent[0]["contents"][1]["parts"][0]["thoughtSignature"] == STAND_IN


def body_with(signature: str, key: str = "thoughtSignature") -> dict[str, Any]:
    call: dict[str, Any] = {"functionCall": {"name": "f", "args": {}, "id": "a"}, key: signature}
    result: dict[str, Any] = {"functionResponse": {"name": "f", "id": "a", "response": {"output": "1"}}}
    return {
        "contents": [
            {"role": "user", "parts": [{"text": "Go on."}]},
            {"role": "model", "parts": [call]},
            {"role": "user", "parts": [result]},
        ]
    }


@pytest.mark.parametrize("signature", [STAND_IN, ENCODED, "context_engineering_is_the_way_to_go"])
@pytest.mark.parametrize("key", ["thoughtSignature", "thought_signature"])
def test_a_stand_in_is_kept_at_home_and_is_no_signature_elsewhere(signature: str, key: str) -> None:
    body = body_with(signature, key)
    request = il.load(body, "gemini")
    assert il.dump(request, "gemini") == body
    assert "signature" not in request.messages[1].to_dict()["content"][0]
    assert il.convert(body, source="gemini", target="google_genai").payload["contents"] == body["contents"]
    for target in ("openai_chat", "anthropic", "litellm", "openrouter"):
        converted = il.convert(body, source="gemini", target=target)
        assert (converted.losses, "thought" in json.dumps(converted.payload)) == ((), False)


def test_repair_gives_the_stand_in_to_calls_that_gemini_did_not_sign() -> None:
    body = body_with("c2ln")
    call: dict[str, Any] = {"functionCall": {"name": "f", "args": {}, "id": "b"}}
    result: dict[str, Any] = {"functionResponse": {"name": "f", "id": "b", "response": {"output": "1"}}}
    body["contents"] += [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
    request = il.load(body, "gemini")
    assert il.dump(request, "gemini") == body
    fixed, repairs = il.repair(request, "gemini", warnings=True)
    assert [(each.code, each.path) for each in repairs] == [("thought-signature-missing", "/messages/3/content/0")]
    assert signed(il.dump(fixed, "gemini")) == ["/contents/3/parts/0"]
    assert il.check(fixed, "gemini") == []
