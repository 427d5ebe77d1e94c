"""Recorded histories of agents, as real chat templates print them: what is not there, a loss or a problem says."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.checking.templates.rendering import Rendered, open_template
from interlingua.model.base import Json

SOURCES = Path(__file__).parents[3] / ".venv-templates" / "sources"
TEMPLATES = [
    *("trl/qwen3", "trl/qwen3_training", "trl/qwen3_6", "trl/gptoss", "trl/llama3_1", "trl/gemma4", "trl/glm4moe"),
    *("trl/nemotron_3_nano", "vllm/tool_chat_template_mistral3", "vllm/tool_chat_template_hermes", "trl/phi3"),
]
APIS: tuple[il.FormatName, ...] = ("openai_chat", "anthropic", "openai_responses")

pytestmark = [
    pytest.mark.templates,
    pytest.mark.traffic,
    pytest.mark.skipif(not SOURCES.exists(), reason="the templates are not there: run make templates"),
]


def histories(folder: Path) -> Iterator[tuple[str, Any, il.Conversion[Any]]]:
    """The accepted requests with an answer in them, and what chat templates get of them."""
    for api in APIS:
        for line in (folder / f"{api}.requests.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if any(200 <= status < 300 for status in row.get("statuses", [200])):
                converted = il.convert(row["body"], source=api, target="hf_chat_template")
                if any(message["role"] == "assistant" for message in converted.payload["messages"]):
                    yield row["id"], row["body"], converted


def texts(value: Json, path: str = "") -> Iterator[tuple[str, str]]:
    """Each text and number of a value, with its pointer."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from texts(each, f"{path}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from texts(each, f"{path}/{number}")
    elif isinstance(value, str) and value.strip():
        yield path, value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, str(value)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def is_printed(text: str, printed: str) -> bool:
    """Whether a text is in what is printed, as it is or escaped; white space is not compared."""
    once = (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1], repr(text)[1:-1], escape(text))
    again = (json.dumps(each)[1:-1] for each in once[1:3])
    twice = (json.dumps(each, ensure_ascii=False)[1:-1] for each in once[1:3])
    return any(squeezed(each) in printed for each in (*once, *again, *twice))


def content(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a template should print of a body."""
    for number, message in enumerate(body["messages"]):
        fields = {name: message[name] for name in ("content", "reasoning_content") if name in message}
        for path, text in texts(fields, f"/messages/{number}"):
            if not path.endswith("/type") and not re.search(r"/(image|video|audio|url|path|base64)(_url)?(/|$)", path):
                yield path, text
        for at, call in enumerate(message.get("tool_calls") or ()):
            yield from texts(
                {name: call["function"][name] for name in ("name", "arguments")},
                f"/messages/{number}/tool_calls/{at}/function",
            )
    for number, tool in enumerate(body.get("tools") or ()):
        function = tool.get("function", {})
        yield from texts(
            {name: function[name] for name in ("name", "description") if name in function}, f"/tools/{number}/function"
        )


def is_named(path: str, problems: list[il.Problem]) -> bool:
    """Whether a problem is about a place, or about all."""
    return any(
        problem.code in ("template-raises", "roles-must-alternate") or f"{path}/".startswith(f"{problem.path}/")
        for problem in problems
    )


def unreported(body: Any, converted: il.Conversion[Any]) -> Iterator[str]:
    """The texts of a source that are neither in what chat templates get of it nor in a loss."""
    kept = squeezed(json.dumps(converted.payload, ensure_ascii=False))
    for field in ("messages", "input", "system", "instructions", "tools"):
        for path, text in texts(body.get(field), f"/{field}"):
            words = len(text) > 20 and " " in text
            if (
                words
                and not is_printed(text, kept)
                and not any(f"{path}/".startswith(f"{loss.path}/") for loss in converted.losses)
            ):
                yield path


def is_phantom(problem: il.Problem, body: dict[str, Any], printed: str) -> bool:
    """Whether a problem says that a long text is lost which is printed, and which the body has once."""
    lost = [text for path, text in content(body) if f"{path}/".startswith(f"{problem.path}/") and len(text) > 60]
    whole = json.dumps(body, ensure_ascii=False)
    unique = [text for text in lost if whole.count(json.dumps(text, ensure_ascii=False)[1:-1]) == 1]
    return problem.code.endswith("-dropped") and any(is_printed(text, printed) for text in unique)


def test_nothing_of_a_history_is_lost_in_silence(traffic: Path, record_property: Callable[[str, object], None]) -> None:
    counted: Counter[str] = Counter()
    silent: list[tuple[str, str, str]] = []
    phantoms: list[tuple[str, str, il.Problem]] = []
    found = list(histories(traffic))
    assert [(id, path) for id, body, converted in found for path in unreported(body, converted)] == []
    for name in TEMPLATES:
        source = (SOURCES / f"{name}.jinja").read_text("utf-8")
        for id, _, converted in found:
            problems = il.check(converted.payload, "hf_chat_template", template=source)
            counted["checked"] += 1
            with open_template(source) as template:
                plain = template.render(converted.payload)
            printed = squeezed(plain.text) if isinstance(plain, Rendered) else ""
            phantoms += [(name, id, each) for each in problems if is_phantom(each, converted.payload, printed)]
            for path, text in content(converted.payload):
                if is_printed(text, printed):
                    counted["printed"] += 1
                elif is_named(path, problems):
                    counted["named"] += 1
                else:
                    silent.append((name, id, path))
    record_property("histories rendered with chat templates", counted["checked"])
    assert silent == []
    assert phantoms == []
    assert len(found) >= 300
    assert len(TEMPLATES) >= 10
    assert counted["printed"] > counted["named"] > 1000
