"""Data for fine-tuning at OpenAI, made of a folder of logs: of any provider, each line a request and its response.

Each line is detected, loaded and repaired; reasoning is left out, and so are duplicates; what is left is split into training
and test data, always in the same way. Everything that is lost is counted. `make demo` runs it with the logs beside this file;
`python examples/fine_tuning.py LOGS OUT` with yours.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import interlingua as il

TRAIN = 0.8


def conversations(logs: Path) -> Iterator[il.Conversation | str]:
    """The conversation of each line, or why there is none."""
    for file in sorted(logs.glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield conversation(json.loads(line))
                except (il.InvalidPayload, il.UnknownFormat, json.JSONDecodeError) as error:
                    print(f"{file.name}:{number}: {error}")
                    yield "malformed"
                except il.ProviderError:
                    yield "the provider failed"


def conversation(row: dict[str, Any]) -> il.Conversation | str:
    """What was asked and answered; or why that is no example to follow."""
    found = il.detect(row["response"])  # a response looks like one provider's, where a request may look like many
    if not found:
        return "of no known provider"
    format = il.format_of(found[0].format)
    response = il.load_response(row["response"], format)
    request = il.load(row["request"], format)
    if response.stop_reason not in ("stop", "tool_calls"):
        return "cut off or refused"
    asked, _ = il.repair(request.messages, "openai_chat")  # of the history only: the answer may end with a call
    messages = il.strip_reasoning([*asked, response.message])  # without this, `dump` reports reasoning as lost
    return il.Conversation(messages=messages, tools=request.tools)


def main(logs: Path, out: Path) -> Counter[str]:
    """Write `train.jsonl` and `test.jsonl`. Returns what became of the lines, and what was lost."""
    counts: Counter[str] = Counter()
    seen: set[str] = set()

    def count(loss: il.Loss) -> None:
        if loss.kind != "response_only":
            counts[f"lost: {loss.detail}"] += 1

    with (out / "train.jsonl").open("w", encoding="utf-8") as train, (out / "test.jsonl").open("w", encoding="utf-8") as test:
        for found in conversations(logs):
            if isinstance(found, str):
                counts[found] += 1
                continue
            key = il.fingerprint(found)
            if key in seen:
                counts["said before"] += 1
                continue
            seen.add(key)
            side = "train" if int(key[-8:], 16) / 2**32 < TRAIN else "test"
            counts[side] += 1
            body = il.dump(found, "openai_chat", on_loss=count)
            print(json.dumps(body, ensure_ascii=False), file=train if side == "train" else test)
    return counts


if __name__ == "__main__":
    folders = [Path(name) for name in sys.argv[1:]] or [Path(__file__).parent / "logs", Path(tempfile.mkdtemp())]
    for what, number in main(*folders).most_common():
        print(f"{number:6} {what}")
    for name in ("train.jsonl", "test.jsonl"):
        print(f"\n{folders[1] / name}:\n{(folders[1] / name).read_text(encoding='utf-8')}", end="")
