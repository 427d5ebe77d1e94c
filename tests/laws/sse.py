"""The body of server-sent events that carries a stream, in the ways of many hosts, cut anywhere."""

import json
from random import Random

from interlingua.codec.strategies.cutting import Chunk, Hosts, cut, habit
from interlingua.testing.lawbook.documents import is_object


def body_of(chunks: list[Chunk], random: Random, *, ends: bool = True) -> bytes:
    """The body that carries the chunks: any line end, comments, fields in any order, data of several lines."""
    end = random.choice(["\n", "\r\n", "\r"]) if isinstance(random, Hosts) else "\n"
    lines: list[str] = [": a comment"] if habit(random, 0.5) else []
    for chunk in chunks:
        text = chunk if isinstance(chunk, str) else json.dumps(chunk, ensure_ascii=False, indent=_indent(random))
        space = "" if habit(random, 0.1) else " "
        data = [f"data:{space}{line}" for line in text.split("\n")]
        name = chunk.get("type") if is_object(chunk) else None
        event = [f"event: {name}"] if isinstance(name, str) else []
        fields = [*data, *event] if habit(random, 0.3) else [*event, *data]
        if habit(random, 0.1):
            fields.insert(random.randint(0, len(fields)), random.choice([":", ": keep-alive", "id: 1", "retry: 9", "x"]))
        lines += [*fields, ""]
        if habit(random, 0.1):
            lines.append("")
    text = end.join(lines) + end
    if not ends:
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if habit(random, 0.3) else b"") + text.encode()


def _indent(random: Random) -> int | None:
    return 0 if habit(random, 0.1) else None


def cuts(data: bytes, random: Random) -> list[bytes]:
    """The bytes cut anywhere: in a character, between the two of a line end."""
    if random.random() < 0.2:
        return [data[at : at + 1] for at in range(len(data))]
    return cut(data, random.randint(0, 20), random)


def json_body(chunks: list[Chunk], random: Random) -> bytes:
    """The body that carries the chunks as one JSON list, or as one JSON text after another, printed in any way."""
    end = random.choice(["\n", "\r\n"])
    indent, ascii = random.choice([None, 0, 2]), random.random() < 0.5
    if random.random() < 0.5:
        text = json.dumps(chunks, indent=indent, ensure_ascii=ascii)
    else:
        text = "".join(json.dumps(chunk, indent=indent, ensure_ascii=ascii) + "\n" for chunk in chunks)
    text = random.choice(["", " ", end]) + text.replace("\n", end) + random.choice(["", end])
    return random.choice([b"", b"\xef\xbb\xbf"]) + text.encode()
