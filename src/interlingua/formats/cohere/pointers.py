"""Where the fields of a canonical request are in a request of Cohere's Chat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire
from ...codec.pointers import Items, Kind, Locate, locator
from ...model.base import Json
from .base import PLAN
from .citations import placed_citations


def _parts(message: Any) -> Items:
    """The parts of a message: a plan, the content, and the calls."""
    content: Json = message.get("content")
    items: list[tuple[str, Any]] = []
    if type(content) is str:
        items.append(("content", content))
    elif type(content) is list:
        items += [(f"content/{i}", part) for i, part in enumerate(content)]
    if message.get("role") != "assistant":
        return items
    if message.get(PLAN):
        items.insert(0, (PLAN, message[PLAN]))
    return items + [(f"tool_calls/{i}", call) for i, call in enumerate(message.get("tool_calls") or ())]


_locating = locator(
    {
        "request": Kind(
            {
                "top_p": "p",
                "top_k": "k",
                "stop": "stop_sequences",
                "reasoning_budget": ("thinking/token_budget", "thinking"),
            },
            {"messages": "message", "tools": "tool"},
        ),
        "tool": Kind({key: f"function/{key}" for key in ("name", "description", "parameters")}),
        "message": Kind(owners={"content": "part"}, items={"content": _parts}),
        "part": Kind(
            {
                "name": "function/name",
                "input": "function/arguments",
                "value": "document/data",
                "text": ("text", "document/data"),
            },
            {"image_url": "media"},
        ),
    },
)
_CITATION = re.compile(r"/messages/(\d+)/content/(\d+)/citations(?:/(\d+)(.*))?").fullmatch


def locating(wire: Wire) -> Locate:
    """Translate canonical pointers into pointers to the request; the citations of a text are in a field of the message."""
    locate = _locating(wire)
    cited: dict[str, dict[int, list[int]]] = {}
    """The citations of each text, by the number of the message; found only when a pointer needs them."""

    def located(pointer: str) -> Sequence[str]:
        found = _CITATION(pointer) if "/citations" in pointer else None
        if found is None:
            return locate(pointer)
        message: Wire = wire["messages"][int(found[1])]
        if found[1] not in cited:
            cited[found[1]] = _by_text(message)
        at = f"/messages/{found[1]}/citations"
        index = int(found[2])
        if message.get(PLAN):
            index -= 1  # the plan is the first part of the canonical content
        own = cited[found[1]].get(index, [])
        if found[3] is None or int(found[3]) >= len(own):
            return [f"{at}/{n}" for n in own] or [at]
        rest = re.sub("^/provider_data/[^/]+", "", found[4])
        return [f"{at}/{own[int(found[3])]}{rest}"]

    return located


def _by_text(message: Wire) -> dict[int, list[int]]:
    """The numbers of each text's citations, by the index of the text in the content."""
    content = message.get("content")
    kinds = ["text"] if type(content) is str else [part["type"] for part in content or ()]
    found: dict[int, list[int]] = {}
    for number, place in enumerate(placed_citations(message.get("citations") or [], kinds)):
        found.setdefault(place, []).append(number)
    return found
