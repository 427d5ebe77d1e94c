"""What the first bytes of media say, and texts that were cut inside a character, wherever they are."""

import base64
from typing import Any

import pytest

import interlingua as il
from interlingua.codec.magic import kind_of
from interlingua.codec.rules import images
from interlingua.codec.rules.media import is_base64
from interlingua.codec.rules.view import Media

HEADS = {
    "png": ("image/png", "iVBORw0KGgoAAAANSUhEUgAAASwAAAAJ"),
    "gif": ("image/gif", "R0lGODdhLAEJAA=="),
    "jpeg": (
        "image/jpeg",
        f"/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP{'/' * 86}wAALCAAJASwBAREA",
    ),
    "progressive": (
        "image/jpeg",
        f"/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP{'/' * 86}wgALCAAJASwBAREA",
    ),
    "lossy": ("image/webp", "UklGRjoAAABXRUJQVlA4IC4AAACwAwCdASosAQkA"),
    "lossless": ("image/webp", "UklGRiAAAABXRUJQVlA4TBQAAAAvKwECAAcQEf0PAAnh"),
    "extended": ("image/webp", "UklGRmIAAABXRUJQVlA4WAoAAAAIAAAAKwEACAAA"),
}
"""How images of 300 by 9 pixels begin, written by Pillow 12."""


def held(data: str) -> Media:
    return Media("", 0, "image", None, data, None)


@pytest.mark.parametrize("name", HEADS)
def test_the_first_bytes_show_what_an_image_is_and_its_size(name: str) -> None:
    kind, data = HEADS[name]
    first = images.head(held(data))
    assert (kind_of(first), images.size_of(first)) == (kind, images.Size(300, 9))
    assert [images.size_of(first[:end]) for end in range(len(first) - 4)] == [None] * (len(first) - 4)


def test_a_jpeg_may_have_tables_and_padding_before_its_size() -> None:
    tables = b"\xff\xc4\x00\x04\x00\x00\xff\xc8\x00\x02\xff\xcc\x00\x02\xff\xff\xff\xe1\x00\x03\x00"
    frame = b"\xff\xc2\x00\x0b\x08\x00\x09\x01\x2c\x01"
    assert images.size_of(b"\xff\xd8" + tables + frame) == images.Size(300, 9)
    assert images.size_of(b"\xff\xd8" + tables + b"\x00" + frame) is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [("JVBERi0xLjc=", "application/pdf"), *((text, None) for text in ("aGVsbG8=", "", "data:image/png", "_-8=", "é"))],
)
def test_what_is_no_image_has_no_size(data: str, kind: str | None) -> None:
    first = images.head(held(data))
    assert (kind_of(first), images.size_of(first)) == (kind, None)


def test_base64_may_be_cut_into_lines_or_of_the_alphabet_for_urls() -> None:
    kind, data = HEADS["jpeg"]
    lines = "\r\n".join(data[at : at + 5] for at in range(0, len(data), 5)).replace("+", "-").replace("/", "_")
    assert images.size_of(images.head(held(lines))) == images.Size(300, 9)
    assert kind_of(images.head(held(lines))) == kind


def test_line_breaks_do_not_count_as_letters_of_base64() -> None:
    for length in range(1, 200):
        assert is_base64(base64.encodebytes(b"x" * length).decode())
    assert not any(map(is_base64, ("", "=", "\n", "a", "abcde", "abcd\ne", "ab cd", "\u00e9bcd")))


def requests(value: Any) -> list[tuple[str, Any, str]]:
    """Bodies of both formats of blocks with a value as the input of a call."""
    asked: Any = {"type": "object", "properties": {}}
    use = {"type": "tool_use", "id": "a", "name": "f", "input": value}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "4"}
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    anthropic: Any = {"model": "m", "max_tokens": 1, "messages": messages, "tools": [{"name": "f", "input_schema": asked}]}
    called = {"toolUse": {"toolUseId": "a", "name": "f", "input": value}}
    answered = {"toolResult": {"toolUseId": "a", "content": [{"text": "4"}]}}
    converse: Any = {
        "messages": [
            {"role": "user", "content": [{"text": "Hi"}]},
            {"role": "assistant", "content": [called]},
            {"role": "user", "content": [answered]},
        ],
        "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": asked}}}]},
    }
    return [
        ("anthropic", anthropic, "/messages/1/content/0/input"),
        ("bedrock_converse", converse, "/messages/1/content/0/toolUse/input"),
    ]


def test_a_value_that_is_shared_many_times_is_looked_at_once() -> None:
    value: Any = {"a": "\ud83d"}
    for _ in range(60):
        value = {"a": value, "b": value}
    for format, body, _ in requests(value):
        assert [problem.code for problem in il.check(body, il.format_of(format))] == ["lone-surrogate"]


def test_half_a_pair_is_found_in_settings_and_in_tools() -> None:
    for format, body, at in requests({"a": ["é", {"b": "\udc00"}], "c": 1}):
        assert [problem.path for problem in il.check(body, il.format_of(format))] == [f"{at}/a/1/b"]
    [(_, body, _), _] = requests({})
    tools = [*body["tools"], {"name": "g", "description": "\ud83d"}]
    body |= {"stop_sequences": ["\ud83d"], "system": "\ud83d", "tools": tools}
    found = sorted(problem.path for problem in il.check(body, "anthropic") if problem.code == "lone-surrogate")
    assert found == ["/stop_sequences/0", "/system", "/tools/1/description"]


@pytest.mark.parametrize("data", ["é", "/w==", "a", "", "YQ==\n"])
def test_base64_of_a_text_that_is_none_is_no_foreign_error(data: str) -> None:
    source = {"type": "base64", "media_type": "text/plain", "data": data}
    body = {"messages": [{"role": "user", "content": [{"type": "document", "source": source}, {"type": "text", "text": "a"}]}]}
    inline = {
        "contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "text/plain", "data": data}}, {"text": "a"}]}]
    }
    il.check(body, "anthropic")
    il.repair(il.load(body, "anthropic"), "anthropic")
    il.repair(il.load(inline, "gemini"), "anthropic")
    assert il.convert(inline, source="gemini", target="anthropic").losses


ACCEPTED: dict[il.FormatName, list[Any]] = {
    "gemini": [
        {"contents": [{"role": "user", "parts": [{"text": "a"}, {"videoMetadata": {"fps": 1}}]}]},
        {"contents": [{"role": "user", "parts": [{"text": "a"}]}, {"role": "model", "parts": [{"thoughtSignature": "c2ln"}]}]},
    ],
    "anthropic": [
        {
            "messages": [
                {"role": "user", "content": "a"},
                {"role": "system", "content": "b"},
                {"role": "system", "content": "c"},
                {"role": "assistant", "content": "d"},
            ]
        },
        {
            "messages": [
                {"role": "user", "content": "a"},
                {
                    "role": "assistant",
                    "content": [
                        {
                            "type": "tool_search_tool_result",
                            "tool_use_id": "srvtoolu_1",
                            "content": {"type": "tool_search_tool_search_result", "tool_references": []},
                        }
                    ],
                },
            ]
        },
    ],
    "bedrock_converse": [
        {"messages": [{"role": "user", "content": [{"video": {"format": "video/mp4", "source": {"bytes": "aGk="}}}]}]},
        {
            "messages": [
                {"role": "user", "content": [{"text": "a"}]},
                {
                    "role": "assistant",
                    "content": [{"toolUse": {"type": "tool_use", "toolUseId": "t", "name": "f", "input": {}}}],
                },
                {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": "x"}]}}]},
            ],
            "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]},
        },
    ],
    "openai_responses": [
        {
            "input": [
                {"role": "user", "content": "a"},
                {"type": "tool_search_output", "call_id": "c", "execution": "client", "tools": []},
                {"role": "user", "content": "b"},
            ]
        }
    ],
}
"""Requests of shapes that providers' own hosts answered."""


@pytest.mark.parametrize("format", ACCEPTED)
def test_what_hosts_accepted_is_no_error_and_stays_as_it_is(format: il.FormatName) -> None:
    for body in ACCEPTED[format]:
        assert [problem.code for problem in il.check(body, format) if problem.severity == "error"] == []
        request = il.load(body, format)
        assert il.repair(request, format) == (request, [])
