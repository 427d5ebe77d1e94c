"""A proxy: the clients of one provider in front, a host of another behind.

It converts requests, answers, streams and errors, and logs what it cannot carry. When a client hangs up, the request to the
host ends. To serve it:

    pip install 'interlingua[fastapi]' httpx2 uvicorn
    OPENAI_API_KEY=sk-... uvicorn --app-dir examples --factory proxy:for_anthropic_clients

and give your client `base_url="http://127.0.0.1:8000"`. docs/guides/proxy.md builds it step by step.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from fastapi import FastAPI

import interlingua as il
from interlingua.fastapi import Proxy


class Host:
    """The host behind the proxy. `models` has its names of models, by the names that clients use."""

    def __init__(self, url: str, headers: dict[str, str], models: dict[str, str], **defaults: Any) -> None:
        self.client = httpx2.AsyncClient(base_url=url, headers=headers, timeout=httpx2.Timeout(600, connect=10))
        self.models = models
        self.defaults = defaults  # settings for requests that do not have them

    async def send(self, asked: il.Conversion[Any]) -> httpx2.Response:
        """Send a request."""
        path, model, _ = asked.endpoint
        body = {**self.defaults, **asked.payload, "model": self.models.get(model or "", model)}
        return await self.client.send(self.client.build_request("POST", path or "", json=body), stream=True)

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncGenerator[None]:
        """Close the connections when the application ends."""
        async with self.client:
            yield


def for_anthropic_clients(
    format: il.FormatName | il.Format = "anthropic", behind: il.FormatName | il.Format = "openai_chat"
) -> FastAPI:
    """Anthropic's Messages, answered by a Chat Completions host."""
    host = chat_host({"claude-x": "gpt-x"})
    app = FastAPI(lifespan=host.lifespan)
    app.post("/v1/messages")(Proxy(format, behind, host.send, unreachable=httpx2.HTTPError).answer)
    return app


def chat_host(models: dict[str, str]) -> Host:
    """OpenAI, or another host of Chat Completions."""
    url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    return Host(url, {"authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}, models)


def for_openai_clients(format: il.FormatName | il.Format = "openai_chat") -> FastAPI:
    """Chat Completions or Responses, answered by Anthropic."""
    url = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
    headers = {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"}
    host = Host(url, headers, {"gpt-x": "claude-x"}, max_tokens=8192)
    responses = format == "openai_responses"
    proxy = Proxy(format, "anthropic", host.send, unreachable=httpx2.HTTPError, fill=True, carry=responses)
    app = FastAPI(lifespan=host.lifespan)
    app.post("/v1/responses" if responses else "/v1/chat/completions")(proxy.answer)
    return app


def for_gemini_clients() -> FastAPI:
    """Gemini's `generateContent`, answered by a Chat Completions host."""
    host = chat_host({"gemini-x": "gpt-x"})
    proxy = Proxy("gemini", "openai_chat", host.send, unreachable=httpx2.HTTPError)
    app = FastAPI(lifespan=host.lifespan)
    app.post("/{version}/models/{model}:generateContent")(proxy.answer)
    app.post("/{version}/models/{model}:streamGenerateContent")(proxy.answer)
    return app
