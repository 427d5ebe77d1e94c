"""What recorded requests and responses are taken for, whole and in part: the counts of a confusion table."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import interlingua as il
from laws import recorded

FAMILIES: dict[str, str] = {
    **dict.fromkeys(("anthropic_count_tokens", *recorded.ANTHROPIC), "anthropic"),
    **dict.fromkeys(("mistral", *recorded.CHAT), "openai"),
    "openai_responses": "openai_responses",
    "openai_responses_compat": "openai_responses",
    "openai_responses_compact": "openai_responses",
    "openai_responses_count_tokens": "openai_responses",
    "azure_openai_responses": "openai_responses",
    "gemini": "gemini",
    "gemini_count_tokens": "gemini",
    "bedrock_converse": "bedrock",
    "cohere": "cohere",
    "cohere_v1": "cohere_v1",
    "gemini_interactions": "gemini_interactions",
    "ollama": "ollama",
    "ollama_generate": "ollama",
}
"""The family of each API's format, or the name of an API that has none."""

EXCEPTIONS = {
    "d3f900564fe8c15c": "an error body with the status 200",
    "ae8b1a79c044db88": "Chat's temperature beside the messages, which Ollama ignores",
    "3604d4021d857c92": "likewise",
    "7abaf50a219b25a8": "Chat's tools, which the Interactions API refuses",
    "1058498c86b1030c": "likewise",
}
"""What was recorded and is not what its provider reads."""

KINDS = {"request": "requests", "response": "responses"}


class Row(NamedTuple):
    """One line of the table: what was recorded, which part of it, and the families that it was taken for."""

    kind: str
    truth: str
    part: str
    taken: tuple[str, ...]

    @property
    def verdict(self) -> str:
        if not self.taken:
            return "none"
        if self.truth not in self.taken:
            return "wrong"
        return "one" if len(self.taken) == 1 else "among others"


def parts(kind: str, body: Any) -> Iterator[tuple[str, Any]]:
    """A body and what may be left of it, by what that is called."""
    yield "whole", body
    for key in ("model", "tools") if kind == "request" else ("model", "usage"):
        if key in body:
            yield f"without {key}", {name: value for name, value in body.items() if name != key}
    for listed in ("messages", "contents", "input") if kind == "request" else ():
        if isinstance(body.get(listed), list):
            yield "messages alone", {listed: body[listed]}
            yield "a list of messages", body[listed]


def detected(kind: str, body: Any) -> list[str]:
    """The formats that `detect` names, with the kind where that is another."""
    kinds = {"request": ("request", "messages"), "response": ("response",)}[kind]
    return [one.format if one.kind in kinds else f"{one.format}, {one.kind}" for one in il.detect(body)]


def family(name: str) -> str:
    return il.format_of(name).family if name in il.FORMATS else name


def rows(traffic: Path, kind: str, taken: Callable[[str, Any], list[str]] = detected) -> Iterator[tuple[str, Row]]:
    """The id and the row of each body of the traffic, and of each part of it."""
    for api, truth in FAMILIES.items():
        file = traffic / f"{api}.{KINDS[kind]}.jsonl"
        for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
            record = json.loads(line)
            if record["id"] in EXCEPTIONS:
                continue
            for part, body in parts(kind, record["body"]):
                yield record["id"], Row(kind, truth, part, tuple(dict.fromkeys(map(family, taken(kind, body)))))


def table(counts: Counter[Row]) -> Iterator[str]:
    """The lines of a table in Markdown: how many of each API's bodies and parts are taken for what."""
    verdicts = ("one", "among others", "none", "wrong")
    yield f"| recorded | of | part | {' | '.join(verdicts)} |"
    yield f"|---|---|---|{'--:|' * len(verdicts)}"
    for kind, truth, part in dict.fromkeys(row[:3] for row in counts):
        numbers = Counter[str]()
        for row, number in counts.items():
            if row[:3] == (kind, truth, part):
                numbers[row.verdict] += number
        yield f"| {kind}s | {truth} | {part} | {' | '.join(str(numbers[verdict]) for verdict in verdicts)} |"


def main(traffic: Path) -> None:
    """Print the table of the traffic in a folder."""
    counts = Counter(row for kind in KINDS for _, row in rows(traffic, kind))
    sys.stdout.writelines(f"{line}\n" for line in table(counts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
