"""Packed values that were changed, moved or forged: what was not packed is not unpacked, and nothing else is lost."""

from __future__ import annotations

import json
import random
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

import interlingua as il
from conversion.test_carry import ANSWERS, CLIENTS, PACKED, events_of, history, issued
from interlingua.codec import carrying
from interlingua.codec.carrying import LONGEST, PREFIX, Carried, pack, unpack
from laws.steps import steps

CARRIED = Carried("thinking", "anthropic", "c2lnbmF0dXJl" * 20, "Why? Because \u00e9\u4e2d\U0001f600.", 3)
WHOLE = str(pack(CARRIED))
FOREIGN = [
    "",
    "interlingua",
    PREFIX,
    "litellm_enc:bW9kZWxfaWQ6Z3B0O2l0ZW1faWQ6cnNfMQ==",
    "gAAAAABpN3b5wJGYeGBX_VyM",
    "skip_thought_signature_validator",
    "context_engineering_is_the_way_to_go",
    "rs_05bf8ea94da6e78901693",
    "EjQKMgEMOdbH6gxsIYFsLmcH",
    "CAIS6AIKhwEIEBgCKkDdaBcX",
    '{"version": 1, "provider": "openai", "value": "c2ln"}',
]
"""What other libraries and providers put into such fields, or how it begins."""


def _flipped(draw: random.Random, whole: str) -> str:
    held = bytearray(b64decode(whole))
    bit = draw.randrange(len(held) * 8)
    held[bit // 8] ^= 1 << bit % 8
    return b64encode(held).decode()


def _letter(draw: random.Random, whole: str) -> str:
    at = draw.randrange(len(whole))
    letters = "ABYZabyz0189+/-_= \n\t.\u00e9\u0000\u1160" + whole[at].swapcase()
    return whole[:at] + draw.choice(letters) + whole[at + 1 :]


def _cut(draw: random.Random, whole: str) -> str:
    start, end = sorted(draw.sample(range(len(whole) + 1), 2))
    return draw.choice([whole[:end], whole[start:], whole[:start] + whole[end:], PREFIX + whole[end:]])


def _version(draw: random.Random, whole: str) -> str:
    beginning = draw.choice(["interlingua0", "interlingua2", "Interlingua1", "interlingua01", "interlingua", "INTERLINGUA1"])
    return beginning + whole[len(PREFIX) :]


def _spelled(draw: random.Random, whole: str) -> str:
    """What was packed, in base64 of another kind."""
    body = b64decode(whole[len(PREFIX) :])
    return draw.choice(
        [
            PREFIX + body.hex(),
            PREFIX + b64encode(body, b"._").decode(),
            PREFIX + b64encode(b64encode(body)).decode(),
            PREFIX + b64encode(body + b"\0" * draw.randrange(1, 9)).decode(),
            b64encode(whole.encode()).decode(),
            whole + draw.choice(["=", "==", "A", "AAAA", "\n", " ", PREFIX, whole]),
            draw.choice([" ", "\n", "\ufeff", "data:", "<"]) + whole,
            "\n".join(whole[at : at + 76] for at in range(0, len(whole), 76)),
        ]
    )


def _foreign(draw: random.Random, whole: str) -> str:
    foreign = draw.choice(FOREIGN)
    noise = b64encode(draw.randbytes(draw.randrange(200))).decode()
    return draw.choice([foreign, foreign + noise, PREFIX + foreign, PREFIX + noise])


WRONG: list[list[Any]] = [
    [None, True, 1, [], "\ud800"],
    [None, True, 1, [], "\ud800", ""],
    [None, True, 1, {}, "\ud800", WHOLE],
    [None, True, 1, ["x"], "\ud800"],
    [None, True, 1.5, -1, "3", []],
]
"""What each field of a packed value must not be."""


def _forged(draw: random.Random, whole: str) -> str:
    """Other JSON than is packed, with the right checksum."""
    fields: list[Any] = json.loads(b64decode(whole[len(PREFIX) :])[6:])
    at = draw.randrange(5)
    fields[at] = draw.choice(WRONG[at])
    shapes: list[Any] = [fields, fields[:4], [*fields, 0], {"kind": "thinking"}, "text", None, [fields], []]
    text = json.dumps(draw.choice(shapes), separators=(",", ":"))
    body = draw.choice([text, text, "[" * draw.randrange(1, 9000), text + "]", "1" * 5000]).encode()
    body += b" " * (-len(body) % 3)
    return PREFIX + b64encode(sha256(body).digest()[:6] + body).decode()


CHANGES: list[Callable[[random.Random, str], str]] = [_flipped, _letter, _cut, _version, _spelled, _foreign, _forged]


def test_packed_text_is_base64() -> None:
    assert b64encode(b64decode(WHOLE, validate=True)).decode() == WHOLE
    assert "=" not in WHOLE
    assert unpack(WHOLE) == CARRIED


def test_nothing_but_what_was_packed_is_unpacked() -> None:
    draw = random.Random(0)
    tried: dict[str, set[str]] = {change.__name__: set() for change in CHANGES}
    for number in range(14_000):
        value = b64encode(draw.randbytes(draw.randrange(1, 400))).decode()
        carried = CARRIED._replace(value=value, text=draw.choice(["", "a", CARRIED.text]))
        whole = str(pack(carried))
        change = CHANGES[number % len(CHANGES)]
        text = change(draw, whole)
        if text.translate(str.maketrans("-_", "+/")) != whole:
            tried[change.__name__].add(text)
            assert unpack(text) is None, (change.__name__, text)
    assert sum(map(len, tried.values())) > 10_000
    assert min(map(len, tried.values())) > 400


@pytest.mark.parametrize("client", CLIENTS)
def test_a_changed_value_stays_as_it_is_and_is_not_sent(client: str) -> None:
    draw = random.Random(client)
    name = il.format_of(client)
    for number in range(300):
        text = CHANGES[number % len(CHANGES)](draw, WHOLE)
        body = history(_dumped({"type": "thinking", "thinking": "", "signature": "SWAP"}, client), client)
        sent = json.loads(json.dumps(body).replace('"SWAP"', json.dumps(text)))
        assert sent != body or text == "SWAP"
        try:
            request = il.load(sent, name, carry=True)
        except il.InvalidPayload:
            continue
        if unpack(text) is None:
            assert request == il.load(sent, name)
        for target in ("anthropic", "openai_responses", "openrouter"):
            assert f'"{PREFIX}' not in json.dumps(il.dump(request, il.format_of(target), on_loss="ignore"))


def _dumped(part: dict[str, Any], client: str) -> dict[str, Any]:
    """An answer that holds `SWAP` in the client's opaque field."""
    held = {"type": "redacted_thinking", "data": "SWAP"} if client == "openai_responses" else part
    own = il.format_of(client).opaque
    issuer = {} if own is None else {"issuer": own.issuer}
    message = {"role": "assistant", "content": [held | issuer, {"type": "text", "text": "t"}]}
    answer = il.validate({"choices": [{"message": message, "stop_reason": "stop"}]}, il.Response)
    return dict(il.dump_response(answer, il.format_of(client), on_loss="ignore"))


def test_values_in_the_other_alphabet_of_base64_are_unpacked() -> None:
    url_safe = urlsafe_b64encode(b64decode(WHOLE)).decode()
    assert url_safe != WHOLE
    assert "=" not in url_safe
    assert unpack(url_safe) == CARRIED


# Clients that move, repeat and edit what they hold


VALUES = {value: source for source in ANSWERS for value in issued(ANSWERS[source])}
READERS = {"gemini": {"gemini"}, "anthropic": {"anthropic", "bedrock_converse"}, "openai_responses": {"openai_responses"}}
"""Whose values a target is sent."""


def _holders(value: Any) -> list[tuple[Any, str]]:
    """The objects that have an opaque field, each with its name."""
    fields = ("signature", "data", "encrypted_content", "thoughtSignature", "redactedContent")
    items: list[Any] = value if value.__class__ is list else list(value.values()) if value.__class__ is dict else []
    own = [(value, key) for key in fields if value.__class__ is dict and type(value.get(key)) is str]
    if value.__class__ is dict and "parts" in value and value["role"] == "model":
        own += [(part, "thoughtSignature") for part in value["parts"]]
    return own + [found for item in items for found in _holders(item)]


def _said(request: il.Request) -> list[Any]:
    """The texts and the calls of a request."""
    parts = [part for message in request.messages for part in getattr(message, "parts", ())]
    return [part.text if part.type == "text" else part.name for part in parts if part.type in ("text", "tool_use")]


@pytest.mark.parametrize("client", [client for client in CLIENTS if client != "openrouter"])
def test_a_client_that_moves_values_loses_nothing_else_and_nobody_gets_what_is_another_s(client: str) -> None:
    draw = random.Random(client)
    name, moved = il.format_of(client), 0
    bodies = [
        il.dump_response(il.load_response(ANSWERS[source], il.format_of(source)), name, on_loss="ignore", carry=True)
        for source in ANSWERS
        if source != client
    ]
    for _ in range(200):
        sent = json.loads(json.dumps([turn for body in bodies for turn in (*history(body, client), *_question(client))]))
        holders = _holders(sent)
        for _ in range(draw.randrange(1, 6)):
            (one, key), (other, other_key) = draw.choice(holders), draw.choice(holders)
            first, second = one.get(key, PACKED), other.get(other_key, WHOLE)
            one[key], other[other_key] = draw.choice([(second, first), (first, first), (PACKED, first[:-4]), (first, WHOLE)])
            moved += 1
        request = il.load(sent, name, carry=True)
        assert _said(request) == _said(il.load(sent, name))
        for target, readers in READERS.items():
            if target != client:
                result = il.convert(sent, source=name, target=il.format_of(target), carry=True)
                assert PREFIX not in json.dumps(result.payload)
                for value in set(issued(result.payload)) & VALUES.keys():
                    assert VALUES[value] in readers
    assert moved > 500


def _question(client: str) -> list[Any]:
    if client == "gemini":
        return [{"role": "user", "parts": [{"text": "q"}]}]
    return [{"role": "user", "content": [{"text": "q"}] if client == "bedrock_converse" else "q"}]


def test_a_signature_whose_part_is_gone_is_reported() -> None:
    body = il.dump_response(il.load_response(ANSWERS["gemini"], "gemini"), "anthropic", on_loss="ignore", carry=True)
    left = [block for block in body["content"] if block["type"] == "redacted_thinking"]
    sent = [{"role": "assistant", "content": [{"type": "text", "text": "t"}, *left]}]
    result = il.convert(sent, source="anthropic", target="gemini", carry=True)
    assert [loss.path for loss in result.losses if loss.kind == "dropped"] == ["/0/content/1", "/0/content/2"]


# Time


@pytest.mark.parametrize("client", CLIENTS)
def test_very_many_values_take_linear_time(client: str) -> None:
    name = il.format_of(client)
    call = str(pack(Carried("tool_use", "gemini", "c2ln", "", 0)))
    field = {"type": "redacted_thinking", "data": "SWAP", "issuer": getattr(name.opaque, "issuer", None)}

    def steps_of(count: int) -> int:
        calls = [{"type": "tool_use", "id": f"c{i}", "name": "f", "input": "{}"} for i in range(count)]
        message = {"role": "assistant", "content": [part for each in calls for part in (each, field)]}
        answer = il.validate({"choices": [{"message": message, "stop_reason": "tool_calls"}]}, il.Response)
        sent = history(dict(il.dump_response(answer, name, on_loss="ignore")), client)
        body = json.loads(json.dumps(sent).replace('"SWAP"', json.dumps(call)))
        return steps(lambda: il.load(body, name, carry=True))

    steps_of(2)  # what is done once
    few, more, most = (steps_of(count) for count in (50, 100, 200))
    assert most - more < 2.15 * (more - few)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("long", [PREFIX + "A" * 10_000_000, WHOLE + "A" * (LONGEST - len(WHOLE))], ids=["prefix", "whole"])
def test_very_long_values_stay_as_they_are(client: str, long: str) -> None:
    name = il.format_of(client)
    part = {"type": "redacted_thinking", "data": "SWAP", "issuer": getattr(name.opaque, "issuer", None)}
    if client == "gemini":
        part = {"type": "thinking", "thinking": "a", "signature": "SWAP", "issuer": "gemini"}
    message = {"role": "assistant", "content": [part]}
    answer = il.validate({"choices": [{"message": message, "stop_reason": "stop"}]}, il.Response)
    sent = history(dict(il.dump_response(answer, name, on_loss="ignore")), client)
    body = json.loads(json.dumps(sent).replace('"SWAP"', json.dumps(long)))
    assert long in json.dumps(il.load(body, name, carry=True).to_dict())


@pytest.mark.parametrize("client", [client for client in CLIENTS if client != "openrouter"])
@pytest.mark.parametrize("kind", ["thinking", "redacted_thinking", "tool_use"])
def test_what_is_too_long_to_be_packed_is_reported_whole_and_streamed(
    client: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying, "LONGEST", 1000)
    value = "QUJD" * 250
    signed: dict[str, Any] = {"signature": value, "issuer": "new"}
    parts: dict[str, dict[str, Any]] = {
        "thinking": {"type": "thinking", "thinking": "a"} | signed,
        "redacted_thinking": {"type": "redacted_thinking", "data": value, "issuer": "new"},
        "tool_use": {"type": "tool_use", "id": "c", "name": "f", "input": "{}"} | signed,
    }
    message = {"role": "assistant", "content": [parts[kind], {"type": "text", "text": "t"}]}
    answer = il.validate({"choices": [{"message": message, "stop_reason": "stop"}]}, il.Response)
    losses: list[il.Loss] = []
    body = il.dump_response(answer, il.format_of(client), on_loss=losses.append, carry=True)
    writer = il.writer(il.format_of(client), carry=True)
    chunks = [chunk for event in events_of(answer, "elsewhere") for chunk in writer.feed(event)]
    assert value not in json.dumps([body, chunks])
    for found in (losses, writer.losses):
        assert [loss for loss in found if loss.kind == "dropped" and loss.path.startswith("/choices/0/message/")] != []
