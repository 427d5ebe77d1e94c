"""Measures all kinds of work beside what others take for the same, and prints one table each.

Each contestant is given its fairest entry: dict in, dict out. Packages that are not installed are left out, and it is said.
Run by `make bench`; about two minutes. `python run.py FILE` writes the tables to a file too.
"""

from __future__ import annotations

import copy
import importlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import agent_loop
import by_hand
import streams
import table
import workload
from measure import SAID, Contestants, best_of_medians, say, show

import interlingua as il

OURS = "interlingua"
FLOOR = "by hand, unvalidated"
LINGUAFRANCA = "martian-linguafranca"
IMPORT_BLOCKS, IMPORT_ROUNDS = 3, 9


def conversions(payload: dict[str, Any]) -> Contestants:
    """One contestant each: OpenAI Chat Completions to Anthropic Messages."""

    def ours() -> object:
        result = il.convert(payload, source="openai_chat", target="anthropic")
        return result.payload, len(result.losses), len(result.places)

    contestants: Contestants = {OURS: ours, FLOOR: lambda: by_hand.openai_chat_to_anthropic(payload)}
    for name, prepare in (
        (LINGUAFRANCA, _linguafranca),
        ("llm-rosetta", _llm_rosetta),
        ("litellm", _litellm),
    ):
        try:
            call = prepare(payload)
        except ImportError as error:
            say(f"{name} is left out: {error}")
            continue
        before = copy.deepcopy(payload)
        call()
        if payload != before:
            raise AssertionError(f"{name} changes what it is given, so the rounds after the first would measure something else")
        contestants[f"{name} {version(name)}"] = call
    return contestants


def _linguafranca(payload: dict[str, Any]) -> Callable[[], object]:
    lf = importlib.import_module("linguafranca")
    source, target = lf.FormatName.OPENAI_CHAT_COMPLETIONS, lf.FormatName.ANTHROPIC_MESSAGES
    return lambda: lf.convert_request_json(payload, source_format=source, target_format=target)


def _llm_rosetta(payload: dict[str, Any]) -> Callable[[], object]:
    rosetta = importlib.import_module("llm_rosetta")
    return lambda: rosetta.convert(payload, "anthropic", "openai_chat")


def _litellm(payload: dict[str, Any]) -> Callable[[], object]:
    """Its two message functions alone: `transform_request` calls them and more."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    factory = importlib.import_module("litellm.litellm_core_utils.prompt_templates.factory")
    config = importlib.import_module("litellm.llms.anthropic.chat.transformation").AnthropicConfig()

    def call() -> object:
        messages = list(payload["messages"])
        system = config.translate_system_message(messages=messages)  # takes them out of the list
        return system, factory.anthropic_messages_pt(messages=messages, model="claude-x", llm_provider="anthropic")

    return call


_MODEL = "from pydantic import BaseModel; M = type('M', (BaseModel,), {'__annotations__': {'x': int}}); M(x=1)"
_CONVERSION = (
    "import interlingua as il; "
    "il.convert({'messages': [{'role': 'user', 'content': 'hi'}]}, source='openai_chat', target='anthropic')"
)
STARTS = {
    "import interlingua": "import interlingua",
    "from interlingua import UserMessage": "from interlingua import UserMessage",
    "from interlingua import convert": "from interlingua import convert",
    "first conversion": _CONVERSION,
    "one pydantic model": _MODEL,
}
"""What a new process does."""


def start_times(blocks: int = IMPORT_BLOCKS, rounds: int = IMPORT_ROUNDS) -> dict[str, float]:
    """Seconds that each of them takes, in fresh interpreters that take turns: the best of several medians."""
    # Installing a package writes its bytecode, once.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    builds = {"": env}
    if table.UNPACKED.is_dir():
        builds[", compiled"] = env | {"PYTHONPATH": str(table.UNPACKED)}
    programs = {
        name + build: (f"from time import perf_counter as t; s = t(); {code}; print(t() - s)", its_env)
        for build, its_env in builds.items()
        for name, code in STARTS.items()
        if not build or "interlingua" in code
    }
    best: dict[str, float] = dict.fromkeys(programs, float("inf"))
    for _ in range(blocks):
        taken: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(rounds):
            for name, (program, its_env) in programs.items():
                out = subprocess.run([sys.executable, "-c", program], env=its_env, capture_output=True, text=True, check=True)
                taken[name].append(float(out.stdout))
        for name, times in taken.items():
            best[name] = min(best[name], median(times))
    return best


def main(*out: str) -> None:
    """Print every table; with a path, write them to that file too."""
    payload = json.loads(workload.TRACE.read_text())
    if payload != workload.openai_chat():
        raise SystemExit(f"{workload.TRACE.name} is not what workload.py builds; run it")
    say(f"Python {platform.python_version()}, pydantic {version('pydantic')}")
    table.main()
    show(
        f"Convert OpenAI Chat to Anthropic: {workload.MESSAGES} messages, {len(workload.as_json(payload))} bytes",
        best_of_medians(conversions(payload)),
        {"linguafranca": LINGUAFRANCA, "by hand": FLOOR},
        workload.MESSAGES,
    )
    agent_loop.main()
    show(
        f"Read a stream of {streams.CHUNKS} OpenAI chunks into events and a response (wanted: {streams.LEAST:.3f} of openai)",
        best_of_medians(streams.readings(), *streams.TIMES),
        {"openai": "openai"},
    )
    show(
        f"The same, by the chunk, in a stream of {streams.MANY} (wanted: {streams.GROWTH} of that)",
        streams.by_the_chunk(best_of_medians(streams.growing(), *streams.TIMES)),
        {"few": f"{streams.CHUNKS}"},
    )
    show("Start, in fresh interpreters", start_times(), {"one model": "one pydantic model"})
    for path in out:
        Path(path).write_text("\n".join(SAID) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
