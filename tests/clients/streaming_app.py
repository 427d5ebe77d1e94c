"""A provider on the loopback: replays prepared responses and streams, and refuses requests that the SDKs' types refuse.

`Provider` is a bare ASGI application; `served` puts uvicorn around it, in a thread, on a free port of 127.0.0.1. A server takes
a third of a second to end, so the tests of a module share one: their applications take turns behind its `Door`.
"""

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import uvicorn

from laws import oracles, sdks

PATHS = {"/v1/chat/completions": "openai_chat", "/v1/messages": "anthropic"}

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Provider:
    """Gives its answers one after the other: bytes of server-sent events to a request that streams, else a body."""

    def __init__(self) -> None:
        self.answers: deque[list[bytes] | dict[str, Any]] = deque()
        self.requests: list[Any] = []
        """The requests that were valid, as they came."""
        self.faults: list[str] = []
        """What was wrong with the others."""

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = await _body(receive)
        format = PATHS[scope["path"]]
        faults = [*sdks.request_faults(request, format), *oracles.server_faults(request, format)]
        if faults:
            self.faults += map(str, faults)
            await _send_json(send, 422, {"error": {"type": "invalid_request_error", "message": "; ".join(map(str, faults))}})
            return
        self.requests.append(request)
        answer = self.answers.popleft()
        if isinstance(answer, dict) == bool(request.get("stream")):
            self.faults.append("the answer that was prepared is of the other kind")
        if isinstance(answer, dict):
            await _send_json(send, 200, answer)
        else:
            await _send_events(send, answer)


class Door:
    """Hands each request to the application behind it."""

    def __init__(self, url: str = "") -> None:
        self.url = url
        self.app: Callable[..., Awaitable[None]] = Provider()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


async def _body(receive: Receive) -> Any:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return json.loads(body)


def _start(status: int, kind: bytes) -> Message:
    return {"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]}


async def _send_json(send: Send, status: int, value: Any) -> None:
    await send(_start(status, b"application/json"))
    await send({"type": "http.response.body", "body": json.dumps(value).encode()})


async def _send_events(send: Send, pieces: list[bytes]) -> None:
    await send(_start(200, b"text/event-stream"))
    for piece in pieces:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body"})


@contextmanager
def served(app: Callable[..., Any], lifespan: Literal["on", "off"] = "off") -> Generator[str]:
    """The URL under which the application answers for as long as the context lasts."""
    with socket.socket(proto=socket.IPPROTO_TCP) as listening:  # of which asyncio knows that it need not wait to send
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="error", lifespan=lifespan, ws="none", timeout_graceful_shutdown=1)  # pyright: ignore[reportArgumentType] -- its ASGI types want more than it calls
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        waiting = time.monotonic() + 10
        while not server.started and time.monotonic() < waiting:
            time.sleep(0.01)
        assert server.started
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
