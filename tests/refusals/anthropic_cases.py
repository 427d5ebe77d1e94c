"""A refused body and a near miss for each rule of Anthropic Messages."""

from typing import Any

from refusals.cases import Case


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


CASES = [
    Case(
        "anthropic",
        "call-without-result",
        body(said(call("a"), call("b")), user(result("a")), user(result("b"))),
        "/messages/1/content/1",
        body(said(call("a"), call("b")), user(result("b"), result("a"))),
    ),
    Case(
        "anthropic",
        "result-without-call",
        body(user(result("a"))),
        "/messages/1/content/0",
        body(said(call("a")), user(result("a"))),
    ),
    Case(
        "anthropic",
        "result-id-mismatch",
        body(said(call("a")), user(result("b"))),
        "/messages/2/content/0/tool_use_id",
        body(said(call("a")), user(result("a"))),
    ),
]
