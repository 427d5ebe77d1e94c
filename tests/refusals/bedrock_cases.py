"""A refused body and a near miss for each rule of Converse."""

from typing import Any

from refusals import bedrock_tools_cases
from refusals.cases import Case


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    asked = {"role": "user", "content": [{"text": "What is 2 + 2?"}]}
    return {"messages": [asked, *messages], "toolConfig": {"tools": [TOOL]}, **fields}


TOOL: dict[str, Any] = {"toolSpec": {"name": "add", "inputSchema": {"json": {"type": "object", "properties": {}}}}}


def user(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return {"role": "user", "content": [{"text": each} if isinstance(each, str) else each for each in blocks]}


def said(*blocks: dict[str, Any] | str) -> dict[str, Any]:
    return user(*blocks) | {"role": "assistant"}


def call(id: str, **fields: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": id, "name": "add", "input": {}, **fields}}


def result(id: str, *content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": id, "content": list(content) or [{"text": "4"}], **fields}}


CASES = [
    *bedrock_tools_cases.CASES,
    Case(
        "bedrock_converse",
        "call-without-result",
        body(said(call("a"), call("b")), user(result("a")), user(result("b"))),
        "/messages/1/content/1/toolUse",
        body(said(call("a"), call("b")), user(result("b"), result("a"))),
    ),
    Case(
        "bedrock_converse",
        "result-without-call",
        body(said(call("a")), user(result("a")), said("4"), user(result("a"))),
        "/messages/4/content/0/toolResult",
        body(said(call("a")), user(result("a")), said(call("a")), user(result("a"))),
    ),
]
