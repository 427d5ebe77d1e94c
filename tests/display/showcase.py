"""A conversation with everything that a page shows: calls, results, a failure, reasoning, media, losses, problems."""

import base64
import struct
import zlib
from typing import Any

import interlingua as il
from interlingua.display.outline import Outline, marks_of, outline


def picture(width: int = 240, height: int = 120) -> str:
    """A PNG image as base64 text."""
    row = b"\0" + b"".join(bytes((40 + x * 180 // width, 120, 180)) for x in range(width))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(row * height), b"IEND": b""}
    made = b"\x89PNG\r\n\x1a\n"
    for name, data in chunks.items():
        made += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return base64.b64encode(made).decode()


SCRIPT = """import json


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        for city in json.load(file):
            print(city["name"])
"""
MEASURED = {
    "station": "Blindern",
    "celsius": 4.0,
    "hours": [3.1, 3.4, 4.0],
    "measured": "2026-11-22T09:00:00Z",
    "by": "met.example",
}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You are a weather bot. Be brief, and say where a figure is from."},
    {
        "role": "user",
        "name": "mira",
        "content": [
            {"type": "text", "text": "Is it warmer in Oslo or in Rome?\n\nI took this picture this morning, from my window."},
            {"type": "image", "source": {"type": "base64", "data": picture(), "media_type": "image/png"}},
            {
                "type": "file",
                "filename": "forecast.pdf",
                "source": {"type": "base64", "data": "JVBERi0xLjQK" * 900, "media_type": "application/pdf"},
            },
            {"type": "image", "source": {"type": "url", "url": "https://example.com/2026/11/window-over-the-harbour.jpg"}},
        ],
    },
    {
        "role": "assistant",
        "content": [
            {
                "type": "thinking",
                "thinking": "The user wants a comparison. I have to look up both cities. " * 5,
                "signature": "c2lnbmVk" * 40,
                "issuer": "anthropic",
            },
            {"type": "text", "text": "One moment, I look it up."},
            {
                "type": "tool_use",
                "id": "toolu_1",
                "name": "temperature",
                "input": {"city": "Oslo", "days": 3, "at": ["Blindern"]},
            },
            {
                "type": "tool_use",
                "id": "toolu_2",
                "name": "write_file",
                "input": {"path": "cities.py", "content": SCRIPT, "mode": "0644"},
            },
            {"type": "tool_use", "id": "toolu_3", "name": "temperature", "input": '{"city": "Rome"'},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "json", "value": MEASURED}]},
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "wrote 7 lines\n" * 40},
            {"type": "tool_result", "tool_use_id": "toolu_3", "is_error": True, "content": "Expecting ',': column 16"},
            {"type": "text", "text": "Rome is spelled with one m, by the way. שלום, כמה חם?"},
        ],
    },
    {
        "role": "assistant",
        "reasoning_content": "The second call failed: its arguments were cut off.",
        "content": "It is 4 °C in Oslo; I try Rome again.",
        "tool_calls": [{"id": "call_9", "name": "temperature", "arguments": '{"city": "Rome"}'}],
    },
    {"role": "tool", "tool_call_id": "call_9", "content": "13 °C", "name": "temperature"},
    {
        "role": "assistant",
        "content": "Rome is warmer: 13 °C, against 4 °C.",
        "refusal": "I cannot say anything about tomorrow.",
    },
    {"role": "user", "content": "And where is it from?", "cache_control": {"type": "ephemeral", "ttl": "1h"}},
    {"role": "assistant", "tool_calls": [{"id": "call_10", "name": "sources", "arguments": "{}"}]},
    {"role": "opaque", "format": "openai", "value": {"type": "item_reference", "id": "rs_123"}},
]
REQUEST = il.Request(
    model="claude-x",
    messages=MESSAGES,
    tools=[
        il.Tool(
            name="temperature",
            description="The temperature in a city, measured or forecast.",
            parameters={
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
                "required": ["city"],
            },
        ),
        il.Tool(name="write_file", description="Writes a file."),
        il.OpaqueTool(format="anthropic", value={"type": "web_search_20250305", "name": "web_search", "max_uses": 3}),
    ],
    max_tokens=1000,
    temperature=0.2,
    stop=["END"],
    metadata={"team": "weather"},
    provider_data={"anthropic": {"service_tier": "auto", "container": {"id": "c_1", "skills": [{"type": "anthropic"}]}}},
)


def marked(target: il.FormatName = "openai_chat") -> Outline:
    """The outline of the request, with what a format cannot carry or would refuse."""
    losses: list[il.Loss] = []
    il.dump(REQUEST, target, on_loss=losses.append)
    return outline(REQUEST, marks=[*marks_of(losses, target), *marks_of(il.check(REQUEST, target), target)])


def response() -> il.Response:
    """An answer with its usage."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [{"type": "text", "text": "13 °C in Rome."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "cache_read_input_tokens": 90, "output_tokens": 7},
    }
    return il.load_response(body, "anthropic")


def conversion() -> il.Conversion[Any]:
    """A conversion with losses and a problem."""
    payload = il.dump(REQUEST, "anthropic", on_loss="ignore")
    return il.convert(payload, source="anthropic", target="openai_chat", check=True)
