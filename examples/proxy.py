"""A proxy: clients of Anthropic's API in front, a host of OpenAI's Chat Completions behind.

Requests, answers and streams are converted; what cannot be carried is logged; errors of the host become Anthropic's; and a
client that hangs up ends the request to the host. To serve it:

    pip install 'interlingua[fastapi]' httpx2 uvicorn
    UPSTREAM=https://api.openai.com/v1 UPSTREAM_KEY=sk-... uvicorn --app-dir examples --factory proxy:create_app

and give your client `base_url="http://127.0.0.1:8000"`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

import interlingua as il
from interlingua.fastapi import EventStream

logger = logging.getLogger("proxy")

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
"""Anthropic's words for what a status says; any other one is an `api_error`."""


def create_app(upstream: str | None = None) -> FastAPI:
    """The proxy to a host, by default that in the environment."""
    key = os.environ.get("UPSTREAM_KEY")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with httpx2.AsyncClient(
            base_url=upstream or os.environ["UPSTREAM"],
            headers={"authorization": f"Bearer {key}"} if key else {},
            timeout=httpx2.Timeout(600, connect=10),
        ) as app.state.client:
            yield

    app = FastAPI(title="Anthropic's API in front of Chat Completions", lifespan=lifespan)
    app.add_api_route("/v1/messages", messages, methods=["POST"], response_model=None)
    app.add_exception_handler(il.InterlinguaError, refused)
    app.add_exception_handler(httpx2.HTTPError, unreachable)
    return app


async def messages(request: Request) -> Response:
    """One request, converted, and its answer, converted back."""
    conversion = il.convert(await request.body(), source="anthropic", target="openai_chat")
    for loss in conversion.losses:
        logger.warning("request: %s", loss)
    body, streams = dict(conversion.payload), conversion.endpoint.stream
    if streams:
        body["stream_options"] = {"include_usage": True}  # else there are no counts of tokens
    client: httpx2.AsyncClient = request.app.state.client
    answer = await client.send(client.build_request("POST", "/chat/completions", json=body), stream=True)
    if streams and answer.is_success:
        chunks = il.restream(Pieces(answer), source="openai_chat", target="anthropic", on_loss=log_answer)
        return EventStream(chunks, "anthropic", on_loss=log_answer)
    try:
        response = il.load_response(await answer.aread(), "openai_chat", status=answer.status_code)
    except il.InvalidPayload as error:
        raise il.StreamError(f"the host's answer: {error}") from error
    finally:
        await answer.aclose()
    return JSONResponse(il.dump_response(response, "anthropic", on_loss=log_answer))


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


def log_answer(loss: il.Loss) -> None:
    if loss.kind != "response_only":
        logger.warning("answer: %s", loss)


async def refused(_request: Request, error: Exception) -> JSONResponse:
    """An error of the host, with its status; or of the client, whose request is no request of Anthropic's."""
    if isinstance(error, il.ProviderError):
        return failed(error.status or 502, error.message)
    return failed(502 if isinstance(error, il.StreamError) else 400, str(error))


async def unreachable(_request: Request, error: Exception) -> JSONResponse:
    logger.error("the host cannot be reached: %s", error)
    return failed(502, "the host cannot be reached")


def failed(status: int, message: str) -> JSONResponse:
    error = il.ProviderError(message, type=TYPES.get(status, "api_error"), status=status)
    return JSONResponse(il.dump_error(error, "anthropic"), status)
