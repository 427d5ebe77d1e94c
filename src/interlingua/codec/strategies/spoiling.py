"""Plant one fault in a valid wire request, and return the JSON Pointer of the fault."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NO_CONTENT = st.sampled_from([5, True, 1.5, {"a": 1}])
"""Values that are neither text nor a list."""
NO_MESSAGE = st.sampled_from([5, None, "x", [1]])
"""Values that are not messages."""


def spoil_messages(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Plant a fault in one of `messages`; each message has a role and content."""
    index = draw(st.integers(0, len(payload["messages"]) - 1))
    message = payload["messages"][index]
    pointer = f"/messages/{index}"
    what = draw(st.sampled_from(["content", "role", "message", "part"]))
    if what == "message":
        payload["messages"][index] = draw(NO_MESSAGE)
    elif what == "role":
        del message["role"]  # then the message as a whole has no known kind
    elif what == "part":
        payload["messages"][index] = {"role": "user", "content": [{"type": "text", "text": draw(NO_CONTENT)}]}
        pointer += "/content/0/text"
    else:
        message["content"] = draw(NO_CONTENT)
        pointer += "/content"
    return pointer


def spoil_items(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Plant a fault in one item of `input`."""
    items = payload["input"]
    if isinstance(items, str):
        payload["input"] = draw(NO_CONTENT)
        return "/input"
    index = draw(st.integers(0, len(items) - 1))
    pointer = f"/input/{index}"
    what = draw(st.sampled_from(["item", "content", "part", "call"]))
    if what == "item":
        items[index] = draw(NO_MESSAGE)
    elif what == "content":
        items[index] = {"role": "user", "content": draw(NO_CONTENT)}
        pointer += "/content"
    elif what == "part":
        items[index] = {"role": "user", "content": [{"type": "input_text", "text": draw(NO_CONTENT)}]}
        pointer += "/content/0/text"
    else:
        items[index] = {"type": "function_call", "call_id": "a", "name": "f", "arguments": draw(NO_CONTENT)}
        pointer += "/arguments"
    return pointer


def spoil_prompt(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Plant a fault in `prompt`."""
    payload["prompt"] = draw(NO_CONTENT)
    return "/prompt"
