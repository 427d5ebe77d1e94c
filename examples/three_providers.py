"""An agent that changes its provider in the middle of its work: OpenAI Responses, then Gemini, then Claude on Bedrock.

The three are asked over HTTP in the same way: `dump` gives the body, `endpoint` the path. Every loss is printed. Run by
`make demo`, against a server on this machine that replays answers; for the real ones, give their addresses and the headers
with your keys.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request as HttpRequest, urlopen

import interlingua as il
from replay import Replay


class Provider(NamedTuple):
    """Who is asked, and with which settings of a request."""

    title: str
    format: il.FormatName
    settings: Mapping[str, Any]
    url: str
    headers: Mapping[str, str] = {}


def temperature(city: str) -> dict[str, Any]:
    return {"city": city, "celsius": {"Oslo": 4, "Rome": 13, "Madrid": 11}[city]}


TOOLS = [
    il.Tool(
        name="temperature",
        description="The temperature in a city, in °C.",
        parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    )
]


def ask(provider: Provider, messages: Sequence[il.Message]) -> il.AssistantMessage:
    """The answer to a conversation, whole or streamed. Raises `ProviderError`."""
    request = il.Request(messages=messages, tools=TOOLS, **provider.settings)
    body = il.dump(request, il.format_of(provider.format), on_loss=lambda loss: print(f"  lost: {loss}"))
    path = il.endpoint(request, provider.format).path
    headers = {"content-type": "application/json", **provider.headers}
    try:
        with urlopen(HttpRequest(provider.url + (path or ""), json.dumps(body).encode(), headers)) as answer:  # noqa: S310 -- the address is the caller's
            if not request.stream:
                return il.load_response(answer.read(), provider.format).message
            reader = il.reader(provider.format)
            for event in reader.read(answer):
                if event.type == "thinking":
                    print(f"  (arriving: {event.thinking})")
            return reader.response.message
    except HTTPError as error:
        il.load_response(error.read(), provider.format, status=error.code)
        raise


def take_turn(provider: Provider, messages: list[il.Message]) -> None:
    """One answer, and the results of its calls."""
    print(f"{provider.title}, asked with {len(messages)} messages")
    answer = ask(provider, messages)
    messages.append(answer)
    for part in answer.parts:
        match part:
            case il.ThinkingPart():
                print(f"  thinks: {part.thinking or '(encrypted)'}")
            case il.TextPart():
                print(f"  says: {part.text}")
            case il.ToolUsePart():
                print(f"  calls: {part.name}{part.arguments}")
            case _:
                print(f"  sends: {part.type}")
    results = [{"id": call.id, "content": temperature(**(call.parsed or {}))} for call in answer.tool_uses]
    messages += il.tool_results(answer, results)


def main(url: str) -> list[il.Message]:
    openai = Provider(
        "OpenAI",
        "openai_responses",
        {
            "model": "gpt-5",
            "reasoning_effort": "low",
            "provider_data": {"openai_responses": {"store": False, "include": ["reasoning.encrypted_content"]}},
        },
        url,
    )
    gemini = Provider("Gemini", "gemini", {"model": "gemini-3-pro", "reasoning_effort": "low", "stream": True}, url)
    claude = Provider(
        "Claude",
        "bedrock_converse",
        {"model": "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "max_tokens": 4000, "reasoning_budget": 2000},
        url,
    )
    messages: list[il.Message] = [
        il.SystemMessage(content="You are a weather bot."),
        il.UserMessage(content="Where is it warmest: Oslo, Rome or Madrid?"),
    ]
    for provider in (openai, gemini, claude):
        take_turn(provider, messages)
    print("In the end,", messages[-1].text)
    return messages


if __name__ == "__main__":
    answers = json.loads((Path(__file__).parent / "three_providers.json").read_text(encoding="utf-8"))
    with Replay(answers) as server:
        main(server.url)
