"""Read streams of Ollama's chat, in which each line is a response with more of its message.

Reasoning and text grow; calls and images are sent whole. The last line has `done`, why the answer ended, and the usage. Each
line has the time at which it was made; the first line's counts. An error in the middle of a stream is a line with its text
(`server/routes.go`).
"""

from __future__ import annotations

from typing import Any

from ...codec.error_bodies import is_error
from ...codec.fields import FieldReader, Wire
from ...codec.streams.part_events import PartEvents, StreamedPart
from ...model.base import Json, copy_json
from ...model.events import ErrorEvent, Event, MessageStart, Stop, Update, UsageUpdate
from ...model.exchange import Usage
from .base import FAMILY, adapter
from .images import load_image
from .messages import load_call
from .responses import load_envelope, load_stop

_MESSAGE = frozenset({"content", "thinking", "images", "tool_calls"})
_USUAL = {"model", "created_at", "message", "done"}


class OllamaReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = PartEvents()
        self._growing: dict[str, StreamedPart] = {}
        """The reasoning and the text, by their kind."""
        self._calls = 0
        self._started = False
        self._known: Wire = {}
        """What is known of who answers, and from when."""
        self._model: str | None = None
        self._frame: Wire = {}
        """The other fields so far."""
        self._validate = adapter("Response").validator.validate_python

    def grow(self, chunk: Wire) -> list[Event] | None:
        """Return the delta of a chunk that only adds text to an open part."""
        try:
            message = chunk["message"]
            kind = "thinking" if message.get("thinking") else "text"
            text = message["content"] if kind == "text" else message["thinking"]
            part = self._growing[kind]
            is_usual = chunk["done"] is False and chunk["model"] == self._model and message["role"] == "assistant"
            alone = len(message) == 2 if kind == "text" else len(message) == 3 and message["content"] == ""
            is_bare = is_usual and alone and chunk.keys() == _USUAL
            is_text = type(text) is str and text != ""
            if is_bare and is_text and part.open:
                return [part.more(text)]
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # any other chunk, or not a chunk
        return None

    def read(self, chunk: Wire) -> list[Event]:
        """Return the events of a chunk."""
        error: Json = chunk.get("error")
        if error is not None and is_error(chunk):
            return [ErrorEvent(error={"message": error} if type(error) is str else chunk)]
        fields = FieldReader(self._validate(copy_json(chunk)))
        out: dict[str, Any] = {}
        is_last = fields.take("done") is True
        choice = load_envelope(fields, out)
        fields.know("done")
        events: list[Event] = []
        self._envelope(fields, out, events)
        answer = fields.take("message")
        if answer is not None:
            self._read_message(answer, events)
        stop = load_stop(fields, calls=self._calls > 0) if is_last else {}
        self._rest(fields, events)
        if choice:
            events.append(Update(of="choice", data=choice))
        if "usage" in out:
            events.append(UsageUpdate(usage=Usage(**out["usage"])))
        if is_last:
            events += self.end()
            events.append(Stop(**stop))
        return events

    def _envelope(self, fields: FieldReader, out: dict[str, Any], events: list[Event]) -> None:
        """Read who answers, and from when: the time of the first chunk that has one."""
        known: Wire = {key: out[key] for key in ("model", "created") if key in out and key not in self._known}
        self._known |= known
        if not self._started:
            self._started = True
            self._model = out.get("model")
            events.append(MessageStart(**known, origin=self._name, spelling="blocks"))
        elif known:
            events.append(Update(of="response", data=known))
        if "created" in known:
            spelled = {"created_at": fields.spelling["created_at"]}
            events.append(Update(of="response", data={"wire": {"spelling": spelled}}))

    def _rest(self, fields: FieldReader, events: list[Event]) -> None:
        """Read the provider's own fields: a list or an object replaces the earlier value."""
        news = {key: value for key, value in fields.rest.items() if key not in self._frame or self._frame[key] != value}
        if not news:
            return
        replaced = [key for key in news if type(self._frame.get(key)) in (dict, list)]
        if replaced:  # updates are merged, so the old value must be set to null first
            events.append(Update(of="response", data={"provider_data": {FAMILY: dict.fromkeys(replaced)}}))
        self._frame |= news
        events.append(Update(of="response", data={"provider_data": {FAMILY: news}}))

    def _read_message(self, answer: Wire, events: list[Event]) -> None:
        """Read more of the message."""
        self._add("thinking", answer.get("thinking"), events)
        for image in answer.get("images") or ():
            self._whole(load_image(image), events)
        self._add("text", answer.get("content"), events)
        for call in answer.get("tool_calls") or ():
            self._whole(load_call(call, self._calls), events)
            self._calls += 1
        known = _MESSAGE | {"role"} if answer.get("role") == "assistant" else _MESSAGE
        more = {key: value for key, value in answer.items() if key not in known}
        if more:
            events.append(Update(of="message", data={"provider_data": {FAMILY: more}}))

    def _add(self, kind: str, text: str | None, events: list[Event]) -> None:
        """Add reasoning or text: each is one part, and continues even if other parts came in between."""
        if not text:
            return
        part = self._growing.get(kind)
        if part is None:
            self._close(events)
            part = self._growing[kind] = self._parts.begin({"type": kind, kind: ""}, events)
        part.open = True
        self._parts.grow(part, text, events)

    def _whole(self, data: dict[str, Any], events: list[Event]) -> None:
        self._close(events)
        self._parts.end(self._parts.begin(data, events), events)

    def _close(self, events: list[Event]) -> None:
        for part in self._growing.values():
            if part.open:
                self._parts.end(part, events)

    def end(self) -> list[Event]:
        """The last events, if no chunk follows."""
        events: list[Event] = []
        self._close(events)
        return events
