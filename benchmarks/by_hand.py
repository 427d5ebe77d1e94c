"""The floor: the loop that one writes by hand for just this payload: no validation, no losses, no places."""

from __future__ import annotations

import json
from typing import Any


def openai_chat_to_anthropic(payload: dict[str, Any]) -> dict[str, Any]:
    system: list[dict[str, Any]] = []
    messages: list[dict[str, Any]] = []
    results: list[dict[str, Any]] | None = None
    for message in payload["messages"]:
        role = message["role"]
        if role == "tool":
            result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
            if results is None:
                results = [result]
                messages.append({"role": "user", "content": results})
            else:
                results.append(result)
            continue
        results = None
        if role == "system":
            system.append({"type": "text", "text": message["content"]})
            continue
        content: str | list[dict[str, Any]] | None = message["content"]
        if type(content) is list:
            content = [_part(part) for part in content]
        calls = message.get("tool_calls")
        if calls:
            blocks = [{"type": "text", "text": content}] if content else []
            blocks += [
                {
                    "type": "tool_use",
                    "id": call["id"],
                    "name": call["function"]["name"],
                    "input": json.loads(call["function"]["arguments"]),
                }
                for call in calls
            ]
            content = blocks
        messages.append({"role": role, "content": content})
    return {"model": payload["model"], "system": system, "messages": messages}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == "image_url":
        return {"type": "image", "source": {"type": "url", "url": part["image_url"]["url"]}}
    return {"type": "text", "text": part["text"]}
