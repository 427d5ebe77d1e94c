"""A proxy that carries reasoning through the client, and conversations that go through it, against recorded answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

import interlingua as il
from clients.official import Answer, Replay, json_answer, stream_answer
from clients.streaming_app import served
from laws import recorded

TURNS = 5


class Recorded(NamedTuple):
    """An answer of the host: its body, or the chunks of a stream, and its parts."""

    body: Any
    parts: list[Any]

    @property
    def streams(self) -> bool:
        return isinstance(self.body, list)

    def sent(self, host: il.FormatName) -> Answer:
        return stream_answer(self.body, host) if self.streams else json_answer(self.body)


def conversations(
    traffic: Path, apis: Iterable[str], host: il.FormatName, parts_in: Callable[[Any], list[Any]]
) -> list[list[Recorded]]:
    """The recorded answers with reasoning that the host alone can read, in conversations of five, streamed in turn."""
    found: dict[bool, list[Recorded]] = {False: [], True: []}
    for api in apis:
        for record in (*recorded.responses(traffic, api), *recorded.streams(traffic, api)):
            answer = Recorded(record.body, parts_in(record.body))
            if any(each[0] == "reasoning" and each[-1] for each in answer.parts):
                found[answer.streams].append(answer)
    mixed = [each for pair in zip_longest(*found.values()) for each in pair if each is not None]
    return [mixed[at : at + TURNS] for at in range(0, len(mixed) - TURNS + 1, TURNS)]


class CarryingProxy:
    """Converts each request and its answer, with `carry`, `request` and `fill`."""

    def __init__(self, front: il.Format, host: il.Format, url: str) -> None:
        self._front, self._host, self._url = front, host, url
        self.losses: list[il.Loss] = []

    @property
    def app(self) -> Starlette:
        return Starlette(routes=[Route("/{path:path}", self._answer, methods=["POST"])])

    async def _answer(self, request: Request) -> Response:
        front, host = self._front, self._host
        asked = il.convert(await request.body(), source=front, target=host, carry=True)
        self.losses += asked.losses
        async with httpx2.AsyncClient(trust_env=False) as client:
            answer = await client.post(self._url + (asked.endpoint.path or ""), json=asked.payload)
        if asked.endpoint.stream:
            chunks = il.restream(
                [answer.content], source=host, target=front, request=asked, fill=True, carry=True, on_loss="ignore"
            )
            return StreamingResponse(il.sse(chunks, front, on_loss="ignore"), media_type="text/event-stream")
        response = il.load_response(answer.content, host, status=answer.status_code, request=asked)
        return JSONResponse(il.dump_response(response, front, request=asked, fill=True, carry=True, on_loss="ignore"))


@contextmanager
def carried(front: il.FormatName, host: il.FormatName) -> Generator[tuple[str, Replay, CarryingProxy]]:
    """The URL of a proxy, the host behind it, and the proxy."""
    upstream = Replay()
    with served(upstream) as url:
        proxy = CarryingProxy(il.format_of(front), il.format_of(host), url)
        with served(proxy.app) as front_url:
            yield front_url, upstream, proxy


def turns(conversation: list[Recorded], upstream: Replay, host: il.FormatName) -> Iterator[Recorded]:
    """The answers of a conversation, each when the host is to give it."""
    for answer in conversation:
        upstream.answers.append(answer.sent(host))
        yield answer
