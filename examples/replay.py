"""A server on this machine that answers each path with what was prepared for it, and keeps what it was sent."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self


def event(chunk: dict[str, Any]) -> str:
    """A server-sent event; where the chunks have types, these are the names of the events, too."""
    name = f"event: {chunk['type']}\r\n" if "type" in chunk else ""
    return f"{name}data: {json.dumps(chunk)}\r\n\r\n"


def with_status(answer: list[Any] | dict[str, Any]) -> tuple[int, Any]:
    """The status of an answer, and what is sent with it: 200, unless the answer is a list of another one and a body."""
    if isinstance(answer, list) and isinstance(answer[0], int):
        return answer[0], answer[1]
    return 200, answer


class Replay:
    """`answers` has a list for each path, given in order: a body, the list of a stream's chunks, or a status and a body."""

    def __init__(self, answers: dict[str, list[Any]]) -> None:
        self.requests: list[tuple[str, Any]] = []
        self.left = {path: [*prepared] for path, prepared in answers.items()}
        waiting, requests = self.left, self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                requests.append((self.path, json.loads(self.rfile.read(int(self.headers["content-length"])))))
                found = waiting.get(self.path)
                nothing = {"error": {"message": f"no answer is left for {self.path}"}}
                status, answer = with_status(found.pop(0) if found else [404, nothing])
                self.send_response(status)
                chunks: list[Any] | None = None if isinstance(answer, dict) else answer
                events = "".join(map(event, chunks or ()))
                text = events if chunks is not None else json.dumps(answer)
                self.send_header("content-type", "text/event-stream" if chunks is not None else "application/json")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: object) -> None:
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
