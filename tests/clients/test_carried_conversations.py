"""Conversations of five turns through a proxy: what a host signed or encrypted comes back to it as it was, in its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import interlingua as il
from clients.carrying_proxy import TURNS, Recorded, carried, conversations, turns
from interlingua.codec.carrying import NOT_UNPACKED

# What a host said, as it is read in an answer and in the next request: reasoning with what signs or encrypts it, texts, calls


def _items(items: list[Any]) -> list[Any]:
    """The reasoning, texts and calls among the items of the Responses API."""
    found: list[Any] = []
    for item in items:
        kind = item.get("type", "message")
        if kind == "reasoning" and (item.get("summary") or item.get("encrypted_content")):
            summary = "".join(part["text"] for part in item["summary"])
            found.append(("reasoning", summary, item.get("encrypted_content")))
        elif kind == "function_call":
            found.append(("call", item["call_id"], item["name"], json.loads(item["arguments"])))
        elif kind == "message" and item["role"] == "assistant":
            content = item["content"]
            text = content if isinstance(content, str) else "".join(part["text"] for part in content)
            found += [("text", text)] if text.strip() else []
    return found


def _blocks(blocks: list[Any]) -> list[Any]:
    """The reasoning, texts and calls among the blocks of Anthropic's."""
    found: list[Any] = []
    for block in blocks:
        if block["type"] == "thinking":
            found.append(("reasoning", block["thinking"], block["signature"]))
        elif block["type"] == "redacted_thinking":
            found.append(("reasoning", None, block["data"]))
        elif block["type"] == "text" and block["text"].strip():
            found.append(("text", block["text"]))
        elif block["type"] == "tool_use":
            found.append(("call", block["id"], block["name"], block["input"]))
    return found


def _chunks(answer: list[Any] | dict[str, Any]) -> list[Any]:
    """The chunks of a stream; none of a whole answer."""
    return [chunk for chunk in answer if type(chunk) is dict] if isinstance(answer, list) else []


def _items_of(answer: Any) -> list[Any]:
    """What an answer of the Responses API has, streamed or whole; nothing where that is not all known here.

    The last event of a stream has its reasoning once more, encrypted anew, when the items were sent on.
    """
    whole: Any = answer
    if events := _chunks(answer):
        done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
        whole = events[-1]["response"] | {"output": done}
    known = whole.get("status") == "completed" and all(_is_known(item) for item in whole["output"])
    return _items(whole["output"]) if known else []


def _is_known(item: Any) -> bool:
    if item["type"] == "message":
        return all(part["type"] == "output_text" for part in item["content"])
    return item["type"] != "custom_tool_call" and not item.get("namespace")


def _blocks_of(answer: Any) -> list[Any]:
    """What an answer of Anthropic's has, streamed or whole; nothing where it was cut off."""
    if chunks := _chunks(answer):
        reader = il.reader("anthropic")
        assert list(reader.read(chunks))
        answer = il.dump_response(reader.response, "anthropic")
    return _blocks(answer["content"]) if answer.get("stop_reason") in ("end_turn", "tool_use") else []


def _calls(parts: list[Any]) -> list[Any]:
    return [part for part in parts if part[0] == "call"]


def _names(conversation: list[Recorded]) -> list[str]:
    return sorted({call[2] for answer in conversation for call in _calls(answer.parts)})


SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": True}


def _in_chat(parts: list[Any]) -> list[Any]:
    """What is left of an answer in a message of Chat: reasoning, one text, calls."""
    text = "".join(part[1] for part in parts if part[0] == "text").strip()
    return [part for part in parts if part[0] == "reasoning"] + ([("text", text)] if text else []) + _calls(parts)


def _stripped(parts: list[Any]) -> list[Any]:
    return [("text", part[1].strip()) if part[0] == "text" else part for part in parts]


def _judge(said: list[Any], conversation: list[Recorded], turn: int) -> None:
    """Whether a request has all that the host said before, and nothing else of the assistant's."""
    assert said == [part for answer in conversation[:turn] for part in answer.parts]


# Anthropic's client, with the Responses API behind


@pytest.mark.traffic
def test_encrypted_reasoning_goes_through_anthropic_s_client(traffic: Path) -> None:
    apis = ("openai_responses", "azure_openai_responses", "openai_responses_compat")
    found = conversations(traffic, apis, "openai_responses", _items_of)
    with (
        carried("anthropic", "openai_responses") as (url, upstream, proxy),
        anthropic.DefaultHttpxClient(trust_env=False) as http,
    ):
        client: Any = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0, http_client=http)
        for conversation in found:
            tools: Any = [{"name": name, "input_schema": SCHEMA} for name in _names(conversation)]
            messages: list[Any] = [{"role": "user", "content": "Begin."}]
            asked: dict[str, Any] = {"model": "m", "max_tokens": 4096, "messages": messages}
            asked |= {"tools": tools} if tools else {}
            for turn, answer in enumerate(turns(conversation, upstream, "openai_responses")):
                got = _ask_anthropic(client, asked, streams=answer.streams)
                _judge(_items(upstream.requests[-1][1]["input"]), conversation, turn)
                messages.append({"role": "assistant", "content": got.content})
                results = [
                    {"type": "tool_result", "tool_use_id": block.id, "content": "Done."}
                    for block in got.content
                    if block.type == "tool_use"
                ]
                assert len(results) == len(_calls(answer.parts))
                messages.append({"role": "user", "content": results or "Go on."})
    assert len(found) >= 5
    assert len(upstream.requests) == TURNS * len(found)
    assert NOT_UNPACKED not in {loss.detail for loss in proxy.losses}
    assert {answer.streams for conversation in found for answer in conversation} == {True, False}


def _ask_anthropic(client: Any, asked: dict[str, Any], *, streams: bool) -> Any:
    if not streams:
        return client.messages.create(**asked)
    with client.messages.stream(**asked) as stream:
        return stream.get_final_message()


# OpenAI's client, with Anthropic behind


@pytest.fixture
def anthropic_conversations(traffic: Path) -> list[list[Recorded]]:
    found = conversations(traffic, ("anthropic", "anthropic_vertex"), "anthropic", _blocks_of)
    assert len(found) >= 3
    assert {answer.streams for conversation in found for answer in conversation} == {True, False}
    return found


@pytest.mark.traffic
def test_signed_thinking_goes_through_openai_s_client(anthropic_conversations: list[list[Recorded]]) -> None:
    with carried("openai_responses", "anthropic") as (url, upstream, proxy), openai.DefaultHttpxClient(trust_env=False) as http:
        client: Any = openai.OpenAI(base_url=url, api_key="none", max_retries=0, http_client=http)
        for conversation in anthropic_conversations:
            tools: Any = [{"type": "function", "name": name, "parameters": SCHEMA} for name in _names(conversation)]
            history: list[Any] = [{"role": "user", "content": "Begin."}]
            asked: dict[str, Any] = {"model": "m", "max_output_tokens": 4096, "input": history, "tools": tools, "store": False}
            for turn, answer in enumerate(turns(conversation, upstream, "anthropic")):
                got = _ask_responses(client, asked, streams=answer.streams)
                _judge(_said_in(upstream.requests[-1][1]), conversation, turn)
                history += got.output
                results = [
                    {"type": "function_call_output", "call_id": item.call_id, "output": "Done."}
                    for item in got.output
                    if item.type == "function_call"
                ]
                assert len(results) == len(_calls(answer.parts))
                history += results or [{"role": "user", "content": "Go on."}]
    assert len(upstream.requests) == TURNS * len(anthropic_conversations)
    assert NOT_UNPACKED not in {loss.detail for loss in proxy.losses}


def _ask_responses(client: Any, asked: dict[str, Any], *, streams: bool) -> Any:
    if not streams:
        return client.responses.create(**asked)
    with client.responses.stream(**asked) as stream:
        return stream.get_final_response()


def _said_in(body: Any) -> list[Any]:
    contents = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
    return [part for content in contents for part in _blocks(_as_blocks(content))]


def _as_blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


@pytest.mark.traffic
@pytest.mark.parametrize("front", ["openrouter", "litellm"])
def test_signed_thinking_goes_through_openai_s_client_of_chat(
    front: il.FormatName, anthropic_conversations: list[list[Recorded]]
) -> None:
    with carried(front, "anthropic") as (url, upstream, proxy), openai.DefaultHttpxClient(trust_env=False) as http:
        client: Any = openai.OpenAI(base_url=url, api_key="none", max_retries=0, http_client=http)
        for conversation in anthropic_conversations:
            functions = [{"name": name, "parameters": SCHEMA} for name in _names(conversation)]
            messages: list[Any] = [{"role": "user", "content": "Begin."}]
            asked: dict[str, Any] = {"model": "m", "max_tokens": 4096, "messages": messages}
            if functions:
                asked["tools"] = [{"type": "function", "function": function} for function in functions]
            for turn, answer in enumerate(turns(conversation, upstream, "anthropic")):
                got = _ask_chat(client, asked, streams=answer.streams)
                expected = [part for answer in conversation[:turn] for part in _in_chat(answer.parts)]
                assert _stripped(_said_in(upstream.requests[-1][1])) == expected
                messages.append(got)
                results = [{"role": "tool", "tool_call_id": call.id, "content": "Done."} for call in got.tool_calls or ()]
                assert len(results) == len(_calls(answer.parts))
                messages += results or [{"role": "user", "content": "Go on."}]
    assert len(upstream.requests) == TURNS * len(anthropic_conversations)
    assert NOT_UNPACKED not in {loss.detail for loss in proxy.losses}


def _ask_chat(client: Any, asked: dict[str, Any], *, streams: bool) -> Any:
    if not streams:
        return client.chat.completions.create(**asked).choices[0].message
    with client.chat.completions.stream(**asked) as stream:
        return stream.get_final_completion().choices[0].message
