"""A proxy: the clients of one provider in front, a host of another behind.

It converts requests, answers, streams and errors, and logs what it cannot carry. When a client hangs up, the request to the
host ends. To serve it:

    pip install 'interlingua[fastapi]' httpx2 uvicorn
    OPENAI_API_KEY=sk-... uvicorn --app-dir examples --factory proxy:for_anthropic_clients

and give your client `base_url="http://127.0.0.1:8000"`. docs/guides/proxy.md builds it step by step.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

import interlingua as il
from interlingua.fastapi import EventStream

logger = logging.getLogger("proxy")


@dataclass(frozen=True)
class Host:
    """The host behind the proxy, and what the proxy adds to a request."""

    format: il.FormatName | il.Format
    url: str
    headers: dict[str, str]
    defaults: dict[str, Any] = field(default_factory=dict[str, Any])
    """Settings for requests that do not have them."""
    models: dict[str, str] = field(default_factory=dict[str, str])
    """The host's names of models, by the names that clients use."""


@dataclass(frozen=True)
class Proxy:
    """The endpoint that clients call, in the format of their provider."""

    format: il.FormatName | il.Format
    host: Host
    fill: bool | il.Fill = False
    """Values for what the models of the client require and the host does not send."""
    carry: bool = False
    """Whether the client keeps the host's signatures of reasoning in an opaque field, and sends them back."""

    async def answer(self, request: Request) -> Response:
        """Send a request on, and its answer back."""
        conversion = il.convert(
            await request.body(),
            source=self.format,
            target=self.host.format,
            model=request.path_params.get("model"),  # Gemini's clients name the model in the URL
            stream=request.url.path.endswith(":streamGenerateContent") or None,
            carry=self.carry,
        )
        for loss in conversion.losses:
            if is_grave(loss):
                raise il.LossyConversion([loss])
            log(loss)
        path, model, streams = conversion.endpoint
        body = {**self.host.defaults, **conversion.payload}
        if model in self.host.models:
            body["model"] = self.host.models[model]
        client: httpx2.AsyncClient = request.app.state.client
        answer = await client.send(client.build_request("POST", path or "", json=body), stream=True)
        request.state.wait = answer.headers.get("retry-after")
        if streams and answer.is_success:
            return self.streamed(answer, conversion)
        return await self.whole(answer, conversion)

    async def whole(self, answer: httpx2.Response, asked: il.Conversion[Any]) -> JSONResponse:
        """An answer in one piece. Raises `ProviderError` where it is an error."""
        try:
            response = il.load_response(await answer.aread(), self.host.format, status=answer.status_code, request=asked)
        except il.InvalidPayload as error:
            raise il.StreamError(f"the host's answer: {error}") from error
        finally:
            await answer.aclose()
        fill, carry = self.fill, self.carry
        return JSONResponse(il.dump_response(response, self.format, request=asked, fill=fill, carry=carry, on_loss=log))

    def streamed(self, answer: httpx2.Response, asked: il.Conversion[Any]) -> EventStream:
        """An answer in many pieces, each of which is sent as soon as it arrives."""
        source, target, fill, carry = self.host.format, self.format, self.fill, self.carry
        pieces = Pieces(answer)
        chunks = il.restream(pieces, source=source, target=target, request=asked, fill=fill, carry=carry, on_loss=log)
        return EventStream(chunks, target, on_loss=log)


class Pieces:
    """The bytes of an answer; `restream` closes it, and so the connection, however the stream ends."""

    def __init__(self, answer: httpx2.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The bytes as they come."""
        try:
            async for piece in self._answer.aiter_bytes():
                yield piece
        except httpx2.HTTPError as error:
            raise il.StreamError(f"the connection to the host broke: {error}") from error

    async def aclose(self) -> None:
        """Close the connection."""
        await self._answer.aclose()


def is_grave(loss: il.Loss) -> bool:
    """Whether a message is lost, or a history that the client's provider stores: the answer would be to another question."""
    is_message = re.fullmatch(r"/(messages|input|contents)/\d+", loss.path) is not None
    return loss.kind == "dropped" and (is_message or loss.path in ("/previous_response_id", "/conversation"))


def log(loss: il.Loss) -> None:
    """Note what is lost on either way."""
    if loss.kind not in ("response_only", "added"):  # such as an item's id, or a request for the usage
        logger.warning("%s", loss)


def create_app(proxy: Proxy, *paths: str) -> FastAPI:
    """The application that clients call at these paths."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        host, timeout = proxy.host, httpx2.Timeout(600, connect=10)
        async with httpx2.AsyncClient(base_url=host.url, headers=host.headers, timeout=timeout) as app.state.client:
            yield

    async def failed(request: Request, error: Exception) -> JSONResponse:
        failure, wait = failure_of(error), getattr(request.state, "wait", None)
        headers = {"retry-after": wait} if wait is not None else None
        return JSONResponse(il.dump_error(failure, proxy.format), failure.status or 502, headers)

    app = FastAPI(lifespan=lifespan)
    for path in paths:
        app.add_api_route(path, proxy.answer, methods=["POST"], response_model=None)
    app.add_exception_handler(il.InterlinguaError, failed)
    app.add_exception_handler(httpx2.HTTPError, failed)
    return app


def failure_of(error: Exception) -> il.ProviderError:
    """The error that the client gets; its status says whose fault it is."""
    if isinstance(error, il.ProviderError) and error.status not in (401, 403):  # the host's
        return error
    if isinstance(error, il.InvalidPayload | il.LossyConversion):  # the client's
        return il.ProviderError(str(error), status=400)
    if isinstance(error, il.ProviderError):  # with this status, the client would take its own key for wrong
        logger.error("the host refuses the proxy's key: %s", error)
        return il.ProviderError("the host refuses the proxy", status=502)
    if isinstance(error, httpx2.HTTPError):
        logger.error("the host cannot be reached: %s", error)
        return il.ProviderError("the host cannot be reached", status=502)
    return il.ProviderError(str(error), status=502)


def for_anthropic_clients(
    format: il.FormatName | il.Format = "anthropic", behind: il.FormatName | il.Format = "openai_chat"
) -> FastAPI:
    """Anthropic's Messages, answered by a Chat Completions host."""
    return create_app(Proxy(format, chat_host(behind, {"claude-x": "gpt-x"})), "/v1/messages")


def chat_host(format: il.FormatName | il.Format, models: dict[str, str]) -> Host:
    """OpenAI, or another host of Chat Completions."""
    url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    return Host(format, url, headers={"authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}, models=models)


def for_openai_clients(format: il.FormatName | il.Format = "openai_chat") -> FastAPI:
    """Chat Completions or Responses, answered by Anthropic."""
    host = Host(
        "anthropic",
        url=os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
        headers={"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"},
        defaults={"max_tokens": 8192},
        models={"gpt-x": "claude-x"},
    )
    if format == "openai_responses":
        return create_app(Proxy(format, host, fill=True, carry=True), "/v1/responses")
    return create_app(Proxy(format, host, fill=True), "/v1/chat/completions")


def for_gemini_clients() -> FastAPI:
    """Gemini's `generateContent`, answered by a Chat Completions host."""
    proxy = Proxy("gemini", chat_host("openai_chat", {"gemini-x": "gpt-x"}))
    model = "/{version}/models/{model}"
    return create_app(proxy, f"{model}:generateContent", f"{model}:streamGenerateContent")
