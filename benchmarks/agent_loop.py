"""Measures an agent loop that sends its whole history at every step, with the builder's dumps and with plain ones.

A step appends an assistant message with two calls, and their two results, in the words of workload.py; then it dumps. Run
by run.py with the other tables, or by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import workload
from measure import best_of_medians, show

import interlingua as il

STEPS = 200
TARGETS: tuple[il.FormatName, ...] = ("openai_chat", "anthropic")
CACHED, PLAIN = "ChatMessageBuilder.dump", "dump of all messages"


def steps() -> list[list[dict[str, Any]]]:
    """What each step appends: an assistant message with calls, and the results of these."""
    made: list[list[dict[str, Any]]] = []
    while len(made) < STEPS:
        for message in workload.openai_chat()["messages"]:
            if "tool_calls" in message:
                calls = [call | {"id": f"{call['id']}_{len(made)}"} for call in message["tool_calls"]]
                made.append([message | {"tool_calls": calls}])
            elif message["role"] == "tool":
                made[-1].append(message | {"tool_call_id": f"{message['tool_call_id']}_{len(made) - 1}"})
    return made[:STEPS]


def loops(target: il.FormatName) -> dict[str, Callable[[], object]]:
    """The same loop twice, with either kind of dump."""
    appended = steps()

    def run(dump: Callable[[il.ChatMessageBuilder], object]) -> None:
        builder = il.ChatMessageBuilder("You are an agent.")
        builder.append_openai_message({"role": "user", "content": "Go on until it is done."})
        for step in appended:
            for message in step:
                builder.append_openai_message(message)
            dump(builder)

    return {
        CACHED: lambda: run(lambda builder: builder.dump(target, on_loss="raise")),
        PLAIN: lambda: run(lambda builder: il.dump(builder.messages, target, on_loss="raise")),
    }


def main() -> None:
    for target in TARGETS:
        title = f"An agent of {STEPS} steps that sends all of its history to {target} each time"
        show(title, best_of_medians(loops(target), blocks=3, rounds=5), {"plain": PLAIN})


if __name__ == "__main__":
    main()
