"""Measures conversion, validation and import, beside what others take for the same, and prints one table each.

The contestants take turns within every round, so that a busy machine slows them alike; each is given its fairest entry:
dict in, dict out. The figure is the best of several medians. Packages that are not installed are left out, and it is said.
Run by `make bench`; under a minute.
"""

from __future__ import annotations

import copy
import gc
import importlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from statistics import median
from time import perf_counter
from typing import Any

import agent_loop
import bare
import by_hand
import streams
import workload

import interlingua as il

OURS = "interlingua"
FLOOR = "by hand, unvalidated"
LINGUAFRANCA = "martian-linguafranca"
BLOCKS, ROUNDS = 7, 15
IMPORT_BLOCKS, IMPORT_ROUNDS = 3, 9

Contestants = dict[str, Callable[[], object]]


def best_of_medians(contestants: Contestants, blocks: int = BLOCKS, rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds for one call of each: the best of `blocks` medians of `rounds` interleaved calls."""
    best = dict.fromkeys(contestants, float("inf"))
    for call in contestants.values():
        call()
    gc.collect()
    gc.freeze()  # so that nobody's call pays for walking through what all the packages keep
    for _ in range(blocks):
        taken: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(rounds):
            for name, call in contestants.items():
                gc.collect()
                start = perf_counter()
                call()
                taken[name].append(perf_counter() - start)
        for name, times in taken.items():
            best[name] = min(best[name], median(times))
    return best


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
            print(f"{name} is left out: {error}")
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


def validations() -> Contestants:
    """JSON text of canonical messages, ours and bare pydantic's."""
    text = json.dumps(workload.canonical())
    return {
        "interlingua.validate": lambda: il.validate(text),
        "bare pydantic models": lambda: bare.MESSAGES.validate_json(text),
    }


def import_times(blocks: int = IMPORT_BLOCKS, rounds: int = IMPORT_ROUNDS) -> dict[str, float]:
    """Seconds that the import itself takes, in fresh interpreters that take turns: the best of several medians."""
    statements = (
        "import interlingua",
        "from interlingua import UserMessage",
        "from interlingua import convert",
        "from pydantic import BaseModel",
    )
    best: dict[str, float] = dict.fromkeys(statements, float("inf"))
    # Whoever installs a package has its bytecode written, once.
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


def show(title: str, seconds: dict[str, float], against: dict[str, str], per: int = 0) -> None:
    """One table: milliseconds, microseconds a message, and a ratio to each of the named contestants."""
    columns = {head: _find(seconds, name) for head, name in against.items()}
    width = max(map(len, seconds))
    print(f"\n{title}")
    print(f"  {'':{width}}  {'ms':>8}" + ("  µs/message" if per else "") + "".join(f"  {'/ ' + head:>14}" for head in columns))
    for name, time in sorted(seconds.items(), key=lambda item: item[1]):
        ratios = "".join(f"  {time / base:>14.3g}" if base else f"  {'-':>14}" for base in columns.values())
        print(f"  {name:{width}}  {time * 1e3:>8.2f}" + (f"  {time * 1e6 / per:>10.2f}" if per else "") + ratios)


def _find(seconds: dict[str, float], name: str) -> float | None:
    return next((time for full, time in seconds.items() if full.startswith(name)), None)


def main() -> None:
    payload = json.loads(workload.TRACE.read_text())
    if payload != workload.openai_chat():
        raise SystemExit(f"{workload.TRACE.name} is not what workload.py builds; run it")
    print(f"Python {platform.python_version()}, pydantic {version('pydantic')}")
    show(
        f"Convert OpenAI Chat to Anthropic: {workload.MESSAGES} messages, {len(workload.as_json(payload))} bytes",
        best_of_medians(conversions(payload)),
        {"linguafranca": LINGUAFRANCA, "by hand": FLOOR},
        workload.MESSAGES,
    )
    show(
        "Validate the same messages from JSON text",
        best_of_medians(validations()),
        {"bare": "bare"},
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


if __name__ == "__main__":
    main()
