"""Converts the two conversations in this folder to the other provider and back, and shows what changes.

Each has tools called in parallel, an image and a PDF; Anthropic's has signed thinking and a failed tool. Run by `make demo`.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

import interlingua as il

HERE = Path(__file__).parent
WIDTH = 110

Json: TypeAlias = dict[str, Any] | list[Any] | str | int | float | bool | None


def show(source: il.FormatName, target: il.FormatName) -> None:
    """One conversation, from its provider to the other and back."""
    file = HERE / f"{source}.json"
    original = json.loads(file.read_text(encoding="utf-8"))
    there = il.convert(original, source=source, target=target)
    back = il.convert(there.payload, source=target, target=source)

    print(f"═══ {file.name}: {source} → {target} ".ljust(WIDTH, "═"))
    print("\nPayload, with long texts cut:")
    for text in outline(there.payload):
        print(f"  {text}")
    print(f"\nLosses, {len(there.losses)}:")
    for loss in there.losses:
        print(f"  {loss}")
    print("\nPlaces, output ← input:")
    pairs = (
        f"{at or '(request)'}\N{NO-BREAK SPACE}←\N{NO-BREAK SPACE}{path or '(request)'}" for at, path in there.places.items()
    )
    print(textwrap.fill("   ".join(pairs), WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))
    print(f"\nThe way back, {target} → {source}:")
    changes = list(differences(original, back.payload))
    print("  equal to the original" + (", but for these:" if changes else ""))
    for path, change in changes:
        origin = there.places.get(back.places.get(path, ""))
        print(f"  {path} {change}" + (f", it was at {origin}" if change == "is new here" and origin else ""))
    for loss in back.losses:
        print(f"  lost on the way back: {loss}")
    print()


def outline(payload: dict[str, Any]) -> Iterator[str]:
    """The payload's fields, one line each; its messages, one line for each part of them."""
    value: Json
    for key, value in payload.items():
        if key != "messages":
            yield line(f"{key}: ", value)
    for i, message in enumerate(payload["messages"]):
        yield f"messages/{i}: {message['role']}"
        for key, value in message.items():
            if isinstance(value, list):
                yield from (line(f"    {key}/{j}: ", item) for j, item in enumerate(value))
            elif key != "role":
                yield line(f"    {key}: ", value)


def line(head: str, value: Any) -> str:
    """One line of JSON after a heading, cut to the width of the page."""
    text = head + json.dumps(cut(value), ensure_ascii=False)
    return text if len(text) < WIDTH else text[: WIDTH - 2] + " …"


def cut(value: Json, most: int = 60) -> Any:
    """The value with texts cut to `most` characters."""
    match value:
        case str() if len(value) > most:
            return f"{value[: most // 2]}… ({len(value)} characters)"
        case dict():
            return {key: cut(item) for key, item in value.items()}
        case list():
            return [cut(item) for item in value]
        case _:
            return value


def differences(before: Json, after: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """Where two JSON values differ, and how."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            at = f"{path}/{key}"
            if key in before and key in after:
                yield from differences(before[key], after[key], at)
            else:
                yield at, "is new here" if key in after else "did not come back"
    elif isinstance(before, list) and isinstance(after, list):
        for old, new in aligned(before, after):
            if old is None:
                yield f"{path}/{new}", "is new here"
            elif new is None:
                yield f"{path}/{old}", "did not come back"
            else:
                yield from differences(before[old], after[new], f"{path}/{old}")
    elif after == [{"type": "text", "text": before}]:
        yield path, "is the same text, as a list of one part"
    elif before != after:
        yield path, f"was {json.dumps(cut(before))}, is {json.dumps(cut(after))}"


def aligned(before: list[Any], after: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    """The positions of two lists' items in pairs; None where the other list has no matching item."""
    a, b = ([json.dumps(item, sort_keys=True) for item in items] for items in (before, after))
    for _, old, old_end, new, new_end in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        yield from zip_longest(range(old, old_end), range(new, new_end))


if __name__ == "__main__":
    show("openai_chat", "anthropic")
    show("anthropic", "openai_chat")
