"""Bodies of Anthropic Messages, from which the cases are made."""

from base64 import b64decode, b64encode
from typing import Any


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    asked = {"role": "user", "content": "What is 2 + 2?"}
    return {"model": "m", "max_tokens": 4096, "messages": [asked, *messages], "tools": [TOOL], **fields}


TOOL: dict[str, Any] = {"name": "add", "description": "Adds.", "input_schema": {"type": "object", "properties": {}}}


def user(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return {"role": "user", "content": [text(each) if isinstance(each, str) else each for each in blocks]}


def said(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return user(*blocks) | {"role": "assistant"}


def text(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **fields}


def call(id: str, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "add", "input": {}, **fields}


def result(id: str, content: Any = "4", **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **fields}


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
THINK = {"type": "thinking", "thinking": "Add them.", "signature": "c2ln"}
ENABLED = {"type": "enabled", "budget_tokens": 1024}
MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


def image(data: str = PNG, media_type: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def document(data: bytes, media_type: str = "application/pdf") -> dict[str, Any]:
    source = {"type": "base64", "media_type": media_type, "data": b64encode(data).decode()}
    return {"type": "document", "source": source}


def png(width: int, height: int = 1) -> str:
    return b64encode(b64decode(PNG)[:16] + width.to_bytes(4) + height.to_bytes(4) + b64decode(PNG)[24:]).decode()


def server_call(id: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "2 + 2"}}


def server_result(id: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": id, "content": []}


def system(content: Any) -> dict[str, Any]:
    return {"role": "system", "content": content}


def hosted(version: str, **fields: Any) -> dict[str, Any]:
    """A body of InvokeModel or rawPredict."""
    return {key: value for key, value in body(**fields).items() if key != "model"} | {"anthropic_version": version} | fields


BEDROCK = "bedrock-2023-05-31"
ANSWERED = (said(call("a")), user(result("a")))
