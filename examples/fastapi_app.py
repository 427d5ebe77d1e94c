"""A web service that runs the tools a conversation calls for, and one that converts requests between providers.

Its OpenAPI document has every message and part, and its responses to bad input. To serve it:
`pip install 'interlingua[fastapi]' uvicorn`, then `uvicorn --app-dir examples fastapi_app:app`.
"""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic_core import from_json, to_json

import interlingua as il
from interlingua.fastapi import install

app = FastAPI(title="Turns")
install(app)


class Turns(BaseModel, extra="forbid"):
    """A conversation, up to its last turn."""

    messages: list[il.Message]


@app.post("/turns")
def run_tools(conversation: Turns) -> Turns:
    """The conversation, with a result for each tool call of its last message."""
    messages = conversation.messages
    last = messages[-1] if messages else None
    calls = last.tool_uses if isinstance(last, il.AssistantMessage) else ()
    return Turns(messages=[*messages, *(run(call) for call in calls)])


TOOLS: dict[str, Callable[[str], str]] = {"word_count": lambda text: str(len(text.split())), "reverse": lambda text: text[::-1]}


def run(call: il.ToolUsePart) -> il.ToolMessage:
    """The result of one call, which may be an error for the model to read."""
    tool, text = TOOLS.get(call.name), (call.parsed or {}).get("text")
    if tool is None:
        return il.ToolMessage(tool_call_id=call.id, content="There is no such tool.", is_error=True)
    if not isinstance(text, str):
        return il.ToolMessage(tool_call_id=call.id, content="The arguments should be an object with a text.", is_error=True)
    return il.ToolMessage(tool_call_id=call.id, content=tool(text))


class Lost(BaseModel):
    """What a conversion did not carry: a pointer into the request, one into the payload, and why."""

    path: str
    at: str | None
    kind: str
    detail: str


class Converted(BaseModel):
    """A request in the target's shape, what it lost, and where each part of it came from."""

    payload: dict[str, Any]
    losses: list[Lost]
    places: dict[str, str]


@app.post("/convert/{source}/{target}")
def convert(source: il.FormatName, target: il.FormatName, payload: dict[str, Any], *, strict: bool = False) -> Converted:
    """A request of one provider as a request of another."""
    done = il.convert(payload, source=source, target=target, strict=strict)
    payload = from_json(to_json(done.payload, bytes_mode="base64"))  # boto3 has media as bytes
    return Converted(payload=payload, losses=[Lost(**loss._asdict()) for loss in done.losses], places=dict(done.places))
