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


def import_times(blocks: int = IMPORT_BLOCKS, rounds: int = IMPORT_ROUNDS) -> dict[str, float]:
    """Seconds that the import itself takes, in fresh interpreters that take turns: the best of several medians."""
    statements = (
        "import interlingua",
        "from interlingua import UserMessage",
        "from interlingua import convert",
        "from pydantic import BaseModel",
    )
    best: dict[str, float] = dict.fromkeys(statements, float("inf"))
    # Installing a package writes its bytecode, once.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(blocks):
        taken: dict[str, list[float]] = {statement: [] for statement in statements}
        for _ in range(rounds):
            for statement in statements:
                program = f"from time import perf_counter as t; s = t(); {statement}; print(t() - s)"
                command = [sys.executable, "-c", program]
                out = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
                taken[statement].append(float(out))
        for statement, times in taken.items():
            best[statement] = min(best[statement], median(times))
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
    show("Import, in fresh interpreters", import_times(), {"pydantic": "from pydantic"})
    for path in out:
        Path(path).write_text("\n".join(SAID) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
