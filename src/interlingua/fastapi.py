"""For FastAPI applications: `EventStream` for streams, a `Proxy` for clients, `install` for bounded errors without values.

FastAPI's own response to an invalid request repeats the input in every entry: a secret in an unknown field, an image of twenty
megabytes. Here each fault is a path and a reason. A path is a JSON Pointer into the request's body. A path that does not begin
with a slash names a parameter outside the body: `query/limit`, `path/id`, `header/x-key`. The paths of `LossyConversion` and
`InvalidPayload` point into what was converted, which is the body where the endpoint converts its body.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from fastapi import FastAPI, Request as HttpRequest
from fastapi.concurrency import run_in_threadpool
from fastapi.exception_handlers import request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response as HttpResponse, StreamingResponse
from pydantic import BaseModel, Field

from .codec.format import Format
from .conversion.converted import Conversion
from .conversion.losses import OnLoss
from .conversion.requests import convert
from .conversion.responses import dump_error, dump_response, load_response
from .conversion.restreaming import aclose, close, restream, sse
from .errors import (
    Fault,
    InterlinguaError,
    InvalidPayload,
    Loss,
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

    from .conversion.filling import Fill

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
    """A stream, given as chunks or as events, as the target's own server sends it: usually as server-sent events.

    If that server sends lines of JSON or an AWS event stream, so does this, with its content type. The `chunks` are closed when
    the response ends, even if the client is gone. Errors of the stream are sent to the client as an event, and logged. Losses
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


# A proxy


class HostAnswer(Protocol):
    """The response of an HTTP client whose body is not read yet, as those of httpx and httpx2 are with `stream=True`."""

    @property
    def status_code(self) -> int:
        """The HTTP status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by names that may be lower-case."""
        ...

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """The bytes of the body as they come."""
        ...

    async def aclose(self) -> None:
        """Close the connection."""
        ...


SendRequest: TypeAlias = "Callable[[Conversion[Any]], Awaitable[HostAnswer]]"
"""Sends a converted request to the host: its `payload`, to the `path` of its `endpoint`."""


def log_loss(loss: Loss) -> None:
    """Log what is lost, but not what an answer always loses or gains, such as the id of an item."""
    if loss.kind not in ("response_only", "added"):
        logger.warning("%s", loss)


class Proxy:
    """An endpoint for the clients of one provider, which the model of another provider, the host, answers.

    Give `answer` to the application as a route: `app.post("/v1/messages")(proxy.answer)`. `send` sends the converted request
    to the host with an HTTP client of yours; `unreachable` are the client's exceptions for a host that cannot be reached.

    Requests, answers, streams and errors are those of `format`. A request is refused, with the status 400, if it is malformed,
    or if the conversion loses a whole message or a history that the client's provider stores. The host's errors keep their
    status, but 401 and 403 become 502: they are about the proxy's key, not the client's. Any other failure of the host is a
    502. `retry-after` is passed on. The connection to the host is closed with the answer, even if the client is gone.

    If the client's provider reads the model from the URL, the route must have the path parameter `model`; whether to stream is
    read from the end of the URL. `fill` and `carry` are as for `dump_response`, and `carry` also for `convert`. `on_loss` gets
    each loss, in both directions.
    """

    def __init__(
        self,
        format: FormatName | Format,
        host: FormatName | Format,
        send: SendRequest,
        *,
        unreachable: type[Exception] | tuple[type[Exception], ...] = OSError,
        fill: bool | Fill = False,
        carry: bool = False,
        on_loss: Callable[[Loss], object] = log_loss,
    ) -> None:
        self.format = format_of(format)
        self.host = format_of(host)
        self._send = send
        self._unreachable = unreachable
        self._fill = fill
        self._carry = carry
        self._on_loss = on_loss

    async def answer(self, request: HttpRequest) -> HttpResponse:
        """The host's answer to a request, or what went wrong, in the words of the client's provider."""
        headers: dict[str, str] = {}
        try:
            asked = self._converted(await request.body(), request)
            answer = await self._send(asked)
            if (wait := answer.headers.get("retry-after")) is not None:
                headers["retry-after"] = wait
            if asked.endpoint.stream and 200 <= answer.status_code < 300:
                return await self._streamed(answer, asked)
            return await self._whole(answer, asked)
        except self._unreachable:
            logger.exception("the host cannot be reached")
            failure = ProviderError("the host cannot be reached", status=502)
        except InterlinguaError as error:
            failure = _failure(error)
        return JSONResponse(dump_error(failure, self.format), failure.status or 502, headers)

    def _converted(self, body: bytes, request: HttpRequest) -> Conversion[Any]:
        model = request.path_params.get("model")
        streams = None
        if "stream" in self.format.in_url and self.format.path is not None:
            call = self.format.path("", True).partition("?")[0].rpartition("/")[2]
            streams = request.url.path.endswith(call) or None
        asked = convert(body, source=self.format, target=self.host, model=model, stream=streams, carry=self._carry)
        for loss in asked.losses:
            if _is_grave(loss, self.format):
                raise LossyConversion([loss])
            self._on_loss(loss)
        return asked

    async def _whole(self, answer: HostAnswer, asked: Conversion[Any]) -> HttpResponse:
        try:
            body = b"".join([piece async for piece in answer.aiter_bytes()])
        finally:
            await answer.aclose()
        try:
            response = load_response(body, self.host, status=answer.status_code, request=asked)
        except InvalidPayload as error:
            raise StreamError(f"the host's answer: {error}") from error
        written = dump_response(response, self.format, request=asked, fill=self._fill, carry=self._carry, on_loss=self._on_loss)
        return JSONResponse(written)

    async def _streamed(self, answer: HostAnswer, asked: Conversion[Any]) -> HttpResponse:
        try:
            chunks = restream(
                _Pieces(answer, self._unreachable),
                source=self.host,
                target=self.format,
                request=asked,
                fill=self._fill,
                carry=self._carry,
                on_loss=self._on_loss,
            )
            return EventStream(chunks, self.format, on_loss=self._on_loss, headers={"x-accel-buffering": "no"})
        except InterlinguaError:  # a format without streams, or without bytes for them
            await answer.aclose()
            raise


class _Pieces:
    """The bytes of an answer; `restream` closes it, and so the connection, however the stream ends."""

    def __init__(self, answer: HostAnswer, unreachable: type[Exception] | tuple[type[Exception], ...]) -> None:
        self._answer = answer
        self._unreachable = unreachable

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._answer.aiter_bytes():
                yield piece
        except self._unreachable as error:
            raise StreamError(f"the connection to the host broke: {error}") from error

    async def aclose(self) -> None:
        await self._answer.aclose()


def _is_grave(loss: Loss, format: Format) -> bool:
    """Whether a message is lost, or a history that the client's provider stores: the answer would be to another question."""
    is_message = re.fullmatch(rf"/{format.listed}/\d+", loss.path) is not None
    return loss.kind == "dropped" and (is_message or loss.path in ("/previous_response_id", "/conversation"))


def _failure(error: InterlinguaError) -> ProviderError:
    """The error that the client gets; its status says whose fault it is."""
    if isinstance(error, InvalidPayload | LossyConversion):
        return ProviderError(str(error), status=400)
    if isinstance(error, ProviderError) and error.status not in (401, 403):
        return error
    if isinstance(error, ProviderError):  # with this status, the client would take its own key for wrong
        logger.error("the host refuses the proxy's key: %s", error)
        return ProviderError("the host refuses the proxy", status=502)
    return ProviderError(str(error), status=502)
