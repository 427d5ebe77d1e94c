"""Writes `docs/delays.md`: how many chunks `restream` reads before it sends the first piece of a text, of reasoning, of a call.

Run `python tools/delays.py` after a change of a reader or a writer. With `--check` it writes nothing and reports whether the
file is stale. Each figure is counted on a stream that the writer of the source makes.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import interlingua as il
from generated import run
from tables import DOCS, row

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from laws.families import MAIN

PIECES = 20
"""How many pieces each text and each call of the streams has."""

HEAD = f"""\
# Delays

<!-- Written by tools/delays.py from conversions: do not edit. -->

How many chunks of the source `restream` reads before a client of the target gets the first piece of a text, of reasoning or
of a call's arguments. The column *at the source* has the same figure for a client that reads the source itself: where both are
equal, nothing is held back. Each stream has {PIECES} pieces of what its table is about. Gemini sends every call whole, so a
stream to Gemini has to wait for the end of the call. The figures come from real conversions.
"""

TITLES = {"text": "A text", "thinking": "Reasoning", "call": "A call", "second": "A second call"}

FORMATS: list[il.FormatName] = ["deepseek", *MAIN]
"""DeepSeek is the dialect of Chat with reasoning; Anthropic takes reasoning that Claude signed, and no other."""


def answer(kind: str) -> Iterator[il.Event]:
    """The events of an answer that has what a table is about."""
    yield il.MessageStart(id="c", model="m", created=1)
    if kind in ("text", "thinking"):
        for number in range(PIECES):
            piece = f"word{number} "
            if kind == "text":
                yield il.TextDelta(index=0, text=piece)
            else:
                yield il.ThinkingDelta(index=0, thinking=piece, field="text")
    else:
        for index in range(2 if kind == "second" else 1):
            yield il.ToolUseStart(index=index, id=f"call_{index}", name="write")
            for piece in ('{"text": "', *["word "] * (PIECES - 2), '"}'):
                yield il.ArgumentsDelta(index=index, arguments=piece)
    yield il.Stop(stop_reason="stop" if kind in ("text", "thinking") else "tool_calls")
    yield il.StreamEnd()


def is_piece(event: il.Event, kind: str) -> bool:
    """Whether the event is a piece of what the table is about."""
    if isinstance(event, il.TextDelta):
        return kind == "text" and event.text != ""
    if isinstance(event, il.ThinkingDelta):
        return kind == "thinking" and event.thinking != ""
    return isinstance(event, il.ArgumentsDelta) and event.index == (1 if kind == "second" else 0) and event.arguments != ""


def carries(name: il.FormatName, kind: str) -> bool:
    """Whether a stream of the format has what the table is about."""
    writer, reader = il.writer(name), il.reader(name)
    chunks = [chunk for event in answer(kind) for chunk in writer.feed(event)]
    return any(is_piece(event, kind) for chunk in chunks for event in reader.feed(chunk))


def first(steps: Iterator[list[il.Event]], kind: str) -> str:
    """The number of the first step that has a piece, from 1."""
    return str(next(number for number, events in enumerate(steps, 1) if any(is_piece(event, kind) for event in events)))


def at_target(chunks: list[Any], source: il.FormatName, target: il.FormatName) -> Iterator[list[il.Event]]:
    """What a client of the target reads after each chunk."""
    reader, writer, client = il.reader(source), il.writer(target), il.reader(target)
    for chunk in chunks:
        made = [each for event in reader.feed(chunk) for each in writer.feed(event)]
        yield [event for each in made for event in client.feed(each)]


def text() -> str:
    """The text of `docs/delays.md`."""
    lines = [HEAD]
    for kind, title in TITLES.items():
        names: list[il.FormatName] = [name for name in FORMATS if carries(name, kind)] if kind == "thinking" else [*MAIN]
        lines += [f"## {title}", "", row("from", "chunks", "at the source", *(f"to `{name}`" for name in names))]
        lines.append("|" + "---|" * (len(names) + 3))
        for source in names:
            writer, reader = il.writer(source), il.reader(source)
            chunks = [chunk for event in answer(kind) for chunk in writer.feed(event)]
            start = first((reader.feed(chunk) for chunk in chunks), kind)
            cells = ["" if target == source else first(at_target(chunks, source, target), kind) for target in names]
            lines.append(row(f"`{source}`", str(len(chunks)), start, *cells))
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(run(DOCS / "delays.md", text, "delays.py"))
