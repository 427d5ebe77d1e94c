"""`bedrock_invoke`: any body of Amazon Bedrock's InvokeModel, which is read and written in the format of its family of models.

A body is read as the format whose fields it has: Claude's (`anthropic_bedrock`), Nova's (`bedrock_nova`), or a prompt
(`bedrock_text`). A request is written in the format of its model's id; if the id says nothing, in the format that it was loaded
from, and else as Claude's. Whatever has no body, such as a schema, is Claude's, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...codec.fields import Wire, value_at
from ...codec.format import Choice, Format, Formats, Reading, Writing
from ...errors import Fault, InvalidPayload
from ...errors.late import late
from ...model.base import Json
from ...model.events import Event
from ..anthropic import FORMATS as _OF_CLAUDE
from .rows import base_id, row_of_model

CLAUDE = "anthropic_bedrock"
NOVA = "bedrock_nova"
TEXT = "bedrock_text"
_OTHERS = frozenset("ai21 deepseek google minimax moonshot moonshotai nvidia openai qwen writer zai".split())
"""Providers whose models have bodies of Chat Completions, or of none of these formats."""
_PROMPTS = frozenset({"prompt", "inputText", "message", "texts", "taskType"})
"""Fields of requests that have a prompt, or a text to embed, in place of messages."""
_OF_NOVA = frozenset({"schemaVersion", "inferenceConfig", "toolConfig"})
"""Fields that only Nova's requests have, and not Claude's."""
_ANSWERS_OF_TEXT = frozenset(
    "results generation outputs generations completions completion text outputText is_finished event_type embedding".split()
)
"""Fields of which responses and chunks of `bedrock_text` have one."""
_ANSWERS_OF_NOVA = frozenset(
    "output stopReason messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop metadata".split()
)
"""The same of `bedrock_nova`."""


def _of_model(model: str | None) -> tuple[str, ...]:
    """The formats that a model takes, the usual one first; empty if its id does not say it. Raises `InvalidPayload`."""
    name = base_id(model)
    if name.startswith("anthropic."):
        return (CLAUDE, TEXT)
    if name.startswith("amazon.nova-"):
        return (NOVA,)
    if row_of_model(model) is not None:
        return (TEXT,)
    if "." in name and name.partition(".")[0] in _OTHERS:
        why = "bedrock_invoke has no bodies for this model: name the format that it takes, such as openai_chat"
        raise InvalidPayload([Fault("/model", why)])
    return ()


def of_request(body: Json, model: str | None) -> str:
    """The format of a request body."""
    if type(body) is not dict or "anthropic_version" in body:
        return CLAUDE
    if "messages" not in body and not _PROMPTS.isdisjoint(body):
        return TEXT
    if not _OF_NOVA.isdisjoint(body) or _is_untyped(body.get("messages")):
        return NOVA
    return NOVA if base_id(model).startswith("amazon.nova-") else CLAUDE


def _is_untyped(messages: Json) -> bool:
    """Whether the first part of the first message with a list of parts has no type, as Nova's have none."""
    message: Json
    for message in messages if type(messages) is list else ():
        content: list[Json] | None = value_at(message, ("content",))
        if type(content) is list and content:
            return type(content[0]) is dict and "type" not in content[0]
    return False


def of_response(body: Json) -> str:
    """The format of a response body or of a chunk; Claude's for an error."""
    if type(body) is not dict:
        return CLAUDE
    if not _ANSWERS_OF_TEXT.isdisjoint(body):
        return TEXT
    return CLAUDE if _ANSWERS_OF_NOVA.isdisjoint(body) else NOVA


def to_write(model: str | None, origin: str | None) -> str:
    """The format to write for a model's id, and for what was loaded from a format. Raises `InvalidPayload`."""
    names = _of_model(model) or (CLAUDE, NOVA, TEXT)
    return next((name for name in names if name == origin), names[0])


class _Chosen:
    """Reads one stream as its first chunk shows that it is to be read."""

    def __init__(self) -> None:
        self._reading: Any = None

    def grow(self, chunk: Wire) -> list[Event] | None:
        """Return the events of a chunk that only adds text, once it is known what reads it."""
        events: list[Event] | None = None if self._reading is None else self._reading.grow(chunk)
        return events

    def read(self, chunk: Wire) -> list[Event]:
        """Return the events of a chunk."""
        if self._reading is None:
            format: Any = late("format_of")(of_response(chunk))
            self._reading = format.reading(format)
        events: list[Event] = self._reading.read(chunk)
        return events

    def end(self) -> list[Event]:
        """The last events, if no chunk follows."""
        return [] if self._reading is None else self._reading.end()


class _ChosenWriting:
    """Writes one stream in the format that its first event names."""

    def __init__(self, formats: Formats) -> None:
        self._formats = formats
        self._writing: Any = None
        self.losses: list[Any] = []
        self.names: dict[str, str] = {}

    def write(self, event: Any) -> list[Wire]:
        """The chunks for an event."""
        if self._writing is None:
            name = to_write(getattr(event, "model", None), getattr(event, "origin", None))
            format: Any = self._formats.get(name)
            self._writing = format.writing(format, self._formats)
            self._writing.names.update(self.names)
            self._writing.losses = self.losses
        chunks: list[Wire] = self._writing.write(event)
        return chunks


def _read(_format: Format) -> Reading:
    return _Chosen()


def _write(_format: Format, formats: Formats) -> Writing:
    return _ChosenWriting(formats)


FORMAT = replace(
    _OF_CLAUDE[CLAUDE],
    name="bedrock_invoke",
    made_for=None,
    with_content=None,
    reading=_read,
    writing=_write,
    pieces_in=None,
    choice=Choice(of_request, of_response, to_write),
)
FORMATS = {FORMAT.name: FORMAT}
