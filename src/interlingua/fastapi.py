"""Responses of a FastAPI application: `EventStream` for streams, and `error_body` for bad input, bounded and without values.

FastAPI's own response to an invalid request repeats the input in every entry: a secret in an unknown field, an image of twenty
megabytes. Here each fault is a path and a reason. A path is a JSON Pointer into the request's body. A path that does not begin
with a slash names a parameter outside the body: `query/limit`, `path/id`, `header/x-key`. The paths of `LossyConversion` and
`InvalidPayload` point into what was converted, which is the body where the endpoint converts its body.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, Iterable, Mapping
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request as HttpRequest
from fastapi.concurrency import run_in_threadpool
from fastapi.exception_handlers import request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field

from .codec.format import Format
from .conversion.losses import OnLoss
from .conversion.restreaming import aclose, close, sse
from .errors import (
    Fault,
    InterlinguaError,
    InvalidPayload,
    LossyConversion,
    ProviderError,
    StreamError,
    UnknownFormat,
    error_body,
)
from .errors.faults import Detail, faults_in, pointer_in
from .formats import FormatName, format_of
from .model.base import members
from .model.events import Event
from .model.exchange import AnyTool, Conversation, Request, Response, Usage
from .model.messages import Message
from .model.parts import Part

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

logger = logging.getLogger("interlingua")

MOST = 100
"""How many faults are reported; the others are counted."""


class Refusal(BaseModel):
    """FastAPI's own response to a body that cannot be read at all."""

    detail: str


class ErrorEntry(BaseModel, extra="forbid"):
    """One thing wrong with a request."""

    path: str = Field(max_length=201)
    reason: str = Field(max_length=201)


class ErrorBody(BaseModel, extra="forbid"):
    """What is wrong with a request; `more` counts the faults that are not listed."""

    errors: list[ErrorEntry] = Field(max_length=MOST)
    more: int = Field(default=0, ge=0)


STATUSES: dict[type[Exception], int] = {
    RequestValidationError: 422,
    InvalidPayload: 422,
    LossyConversion: 422,
    UnknownFormat: 422,
    StreamError: 502,
    ProviderError: 502,
}
"""The errors that the client or the provider caused. Any other error is the server's: FastAPI answers with 500, no details."""

RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal, "description": "The body is not text, or nested too deep to be read"},
    422: {"model": ErrorBody, "description": "The request is malformed, or cannot be converted"},
    502: {"model": ErrorBody, "description": "The provider reports an error, or its stream is broken"},
}
"""The declarations of these responses, for the `responses` of an application, a router or an endpoint."""

BODIES: tuple[type[BaseModel], ...] = (
    Conversation,
    Request,
    Response,
    Usage,
    *(cls for union in (Message, Part, AnyTool, Event) for cls in members(union)),
)
"""The models that may be a request's whole body. FastAPI silences one of pydantic's warnings while it builds the validator of a
body, so the validator must not be deferred."""


def install(app: FastAPI) -> None:
    """Answer invalid requests, and this package's errors, with an `ErrorBody`; existing handlers stay.

    An `InvalidPayload` or `UnknownFormat` that leaves an endpoint is reported as the client's fault. Where an endpoint reads a
    provider's response, or data of the server, catch these errors there. An application that is mounted in another needs a
    call of its own.

    The routes that are added afterwards declare 400 and 422. Routes that read a provider's stream declare 502 themselves, with
    `responses={502: RESPONSES[502]}`.
    """
    for model in BODIES:
        model.model_config["defer_build"] = False
    for kind in STATUSES:
        if app.exception_handlers.get(kind) in (None, request_validation_exception_handler):
            app.add_exception_handler(kind, _answer)
    app.router.responses = {400: RESPONSES[400], 422: RESPONSES[422], **app.router.responses}


async def _answer(request: HttpRequest, error: Exception) -> JSONResponse:
    if request.scope["type"] != "http":
        raise error  # the framework closes a WebSocket, which is the only response there
    status = next(status for kind, status in STATUSES.items() if isinstance(error, kind))
    return JSONResponse(_body(error) if isinstance(error, RequestValidationError) else error_body(error), status)


def _body(error: RequestValidationError) -> dict[str, Any]:
    cause = error.__cause__
    if isinstance(cause, JSONDecodeError):
        return error_body(InvalidPayload([Fault("", f"not JSON: {cause.msg}, at character {cause.pos}")]))
    details = error.errors()
    listed = details[:MOST]  # finding the place of a fault costs more than counting it
    faults = faults_in(listed, lambda detail: _place(detail, error.body))
    body = error_body(InvalidPayload(faults), most=MOST)
    if len(details) > MOST:
        body["more"] = len(details) - MOST
    return body


def _place(detail: Detail, body: Any) -> str:
    where, *loc = detail["loc"]
    if where != "body":
        return "/".join(map(str, detail["loc"]))
    return pointer_in(body, {**detail, "loc": loc})


class EventStream(StreamingResponse):
    """A stream as the target's own server sends it, as a rule in server-sent events: of its chunks, or of events.

    Where that sends lines of JSON or an AWS event stream, so does this, with its content type. The `chunks` are closed when the
    response ends, also where the client is gone. Errors of the stream are sent to the client as an event, and logged. Losses
    are reported as by `sse`.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        chunks: Iterable[Any] | AsyncIterable[Any],
        target: FormatName | Format,
        *,
        on_loss: OnLoss = "warn",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._chunks = chunks
        self._events: Any = sse(chunks, target, on_loss=on_loss)
        kind = format_of(target).stream_type
        super().__init__(self._events, headers={"cache-control": "no-cache", **(headers or {})}, media_type=kind)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        except InterlinguaError as error:
            logger.warning("a stream ended with an error: %s", error)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            for each in (self._events, self._chunks):  # the second, in case that the first has not begun
                if hasattr(each, "__aiter__"):
                    await aclose(each)
                else:
                    await run_in_threadpool(close, each)
