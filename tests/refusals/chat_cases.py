"""A refused body and a near miss for each rule of Chat Completions."""

from typing import Any

from refusals import chat_tools_cases
from refusals.cases import Case


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "What is 2 + 2?"}, *messages], **fields}


def call(*ids: str, **fields: Any) -> dict[str, Any]:
    made = [{"id": id, "type": "function", "function": {"name": "add", "arguments": "{}"} | fields} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(id: str, content: Any = "4") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


CASES = [
    *chat_tools_cases.CASES,
    Case(
        "openai_chat",
        "call-without-result",
        body(call("a", "b"), result("a")),
        "/messages/1/tool_calls/1",
        body(call("a", "b"), result("b"), result("a")),
    ),
    Case(
        "openai_chat",
        "result-without-call",
        body(result("a")),
        "/messages/1",
        body(call("a"), result("a")),
    ),
    Case(
        "openai_chat",
        "result-duplicate",
        body(call("a"), result("a"), result("a")),
        "/messages/3/tool_call_id",
        body(call("a"), result("a"), call("a"), result("a")),
    ),
]
