"""What vLLM and SGLang themselves take: requests that are written for them, their answers, and what the rules refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from formats.cases import cases
from formats.refused import Refused, refused
from interlingua import testing
from interlingua.testing.lawbook import share
from laws import recorded, served

SERVERS: list[Any] = list(served.PROTOCOLS)
SOURCES: list[Any] = ["openai_chat", "anthropic", "gemini", "openai_responses", "mistral", "cohere", "deepseek"]
RULES_OF_MODELS = frozenset(
    {"server-setting-alone", "tool-choice-alone", "role-unknown", "setting-null", "empty-tools-array"}
) | {
    "structured-outputs-not-one",
    "structured-outputs-with-tool",
    "continued-and-prompted",
}
"""The rules whose evidence is in the models; that of the others is in what the server does with a request."""
HOSTS = frozenset({"localhost:8000", "api.inference.crusoecloud.com"})
"""Hosts of recorded traffic that answer as vLLM does."""


def faults(server: str, body: Any, model: str = "ChatCompletionRequest") -> list[str]:
    """What the server's model says is wrong, without that no model is named."""
    kind = getattr(served.models(server), model)
    try:
        kind.model_validate({"model": "m", **json.loads(json.dumps(body))})
    except Exception as error:  # noqa: BLE001 -- each server has errors of its own
        return str(error).splitlines()
    return []


@pytest.mark.parametrize("server", SERVERS)
@given(data=st.data())
def test_a_server_takes_what_is_written_for_it(server: Any, data: st.DataObject) -> None:
    served.models(server)
    source: il.FormatName = data.draw(st.sampled_from([server, *SOURCES]))
    body = data.draw(testing.payloads(source, odd=False))
    written: Any = il.convert(body, source=source, target=il.format_of(server)).payload
    if share.judged(not any(each.severity == "error" for each in il.check(written, server)), least=0.9):
        assert faults(server, written) == []


@pytest.mark.parametrize("case", [case for case in refused() if case.format in SERVERS], ids=str)
def test_a_server_refuses_what_its_rules_refuse(case: Refused) -> None:
    if case.code in RULES_OF_MODELS:
        assert faults(case.format, case.refused) != []
    assert faults(case.format, case.accepted) == []


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_knows_its_cases(server: Any) -> None:
    for case in cases("request"):
        if case.format == server:
            assert faults(server, case.read("request")) == []
    for case in cases("response"):
        if case.format == server:
            assert faults(server, case.read("response"), "ChatCompletionResponse") == []
    for case in cases("stream"):
        if case.format == server:
            chunks = [chunk for chunk in case.read("stream") if chunk != "[DONE]"]
            assert [fault for chunk in chunks for fault in faults(server, chunk, "ChatCompletionStreamResponse")] == []


@pytest.mark.traffic
def test_recorded_requests_of_vllm_come_back_and_are_taken(traffic: Path) -> None:
    bodies = [line["body"] for line in recorded.lines(traffic / "openai_compat.requests.jsonl") if line["host"] in HOSTS]
    assert bodies
    for body in bodies:
        assert il.dump(il.load(body, "vllm"), "vllm", on_loss="raise") == body
        assert [each for each in il.check(body, "vllm") if each.severity == "error"] == []
        assert faults("vllm", body) == []
