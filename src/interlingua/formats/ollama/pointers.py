"""Where the fields of a canonical request are in a request of Ollama's chat."""

from __future__ import annotations

from typing import Any

from ...codec.pointers import Items, Kind, locator


def _parts(message: Any) -> Items:
    """The parts of a message: reasoning, images, text and calls; only the text if the content is a string."""
    text = message.get("content")
    images = message.get("images") or ()
    items: list[tuple[str, Any]] = []
    if message.get("thinking"):
        items.append(("thinking", message["thinking"]))
    items += [(f"images/{i}", image) for i, image in enumerate(images)]
    if text:
        items.append(("content", text))
    return items + [(f"tool_calls/{i}", call) for i, call in enumerate(message.get("tool_calls") or ())]


_OPTIONS = {"max_tokens": "num_predict", "temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "stop": "stop"}
SETTINGS = {
    **{name: f"options/{key}" for name, key in _OPTIONS.items()},
    "reasoning_effort": "think",
    "reasoning_budget": "think",
    "response_format": "format",
    "response_format/json_schema": "format",
}
"""The names of the settings."""
locating = locator(
    {
        "request": Kind(
            SETTINGS,
            {"messages": "message", "tools": "tool"},
        ),
        "tool": Kind({key: f"function/{key}" for key in ("name", "description", "parameters")}),
        "message": Kind({"name": "tool_name"}, {"content": "part"}, {"content": _parts}),
        "part": Kind({"name": "function/name", "input": "function/arguments"}),
    },
)
