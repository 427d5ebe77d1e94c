"""The fold: makes a response of events and, for writers, a part of the events of one part.

Each choice keeps its open parts by index. Each part keeps its pieces of text in a list, which is joined only when the response
is needed, so adding an event costs the same however long the response is. `Fold.TAKES` has the method for each class of events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, get_args

from pydantic import ValidationError

from .base import Json, Model, exact_object, members
from .deltas import Delta, LightArguments, LightRefusal, LightText, LightThinking
from .events import (
    ArgumentsDelta,
    ErrorEvent,
    Event,
    MessageStart,
    OpaqueEvent,
    PartStop,
    RedactedThinking,
    RefusalDelta,
    SignatureDelta,
    Stop,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    ToolUseStart,
    Update,
    UsageUpdate,
    WholePart,
)
from .exchange import Response, Usage
from .parts import Part, to_json


class _Joined(list[str]):
    """Text that is still growing."""


def merge(into: dict[str, Any], data: dict[str, Any], *, join: bool = False) -> None:
    """Merge fields as an `Update` does, without sharing objects with `data`."""
    value: Json
    for key, value in data.items():
        old: Json = into.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merge(old, value, join=join)
        elif type(old) is list and isinstance(value, list):
            old += _own(value)
        elif join and isinstance(value, str):
            if not isinstance(old, _Joined):
                old = into[key] = _Joined([old] if isinstance(old, str) else ())
            old.append(value)
        else:
            into[key] = _own(value)


def _own(value: Json) -> Any:
    """A copy in which growing text is joined."""
    if isinstance(value, dict):
        return {key: item if isinstance(item, _SCALARS) else _own(item) for key, item in value.items()}
    if isinstance(value, _Joined):
        return "".join(value)
    if isinstance(value, list):
        return [item if isinstance(item, _SCALARS) else _own(item) for item in value]
    return value


_SCALARS = (str, int, float, type(None))
"""The types of values that need not be copied."""


class _OpenPart:
    """A part under way: its kind, the text so far, and its other fields."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.text: list[str] = []
        self.data: dict[str, Any] = {}
        self.stopped = False


class _OpenChoice:
    """An answer under way."""

    def __init__(self) -> None:
        self.spelling = "flat"
        self.parts: dict[int, _OpenPart] = {}
        self.reasoning_text: list[str] | None = None
        """The pieces of `reasoning_content`, which is reasoning outside of parts."""
        self.message: dict[str, Any] = {}
        self.data: dict[str, Any] = {}
        self.stopped = False


_TEXT_FIELDS = {"text": "text", "thinking": "thinking", "refusal": "refusal"}


class _Takes(dict[type[Any], Any]):
    def __missing__(self, kind: type[Any]) -> Any:
        raise TypeError(f"an event must be an instance of an event class, not {kind.__name__}")


class Fold:
    """Folds events into a response.

    `failed` is whether the provider has reported an error, `noted` whether a reader has to look at an event once more.
    """

    def __init__(self) -> None:
        self._choices: dict[int, _OpenChoice] = {}
        self._data: dict[str, Any] = {}
        self._usage: Usage | None = None
        self._open_choices = 0
        self.ended = False
        self.failed = False
        self.noted = False

    @property
    def takes(self) -> dict[type[Any], Callable[[Any], None]]:
        """What to call with an event, by its type; for readers, which fold many events."""
        return {kind: take.__get__(self) for kind, take in self.TAKES.items()}

    @property
    def complete(self) -> bool:
        """Whether the stream, or each of its messages, has ended."""
        return self.ended or (bool(self._choices) and not self._open_choices)

    @property
    def is_empty(self) -> bool:
        """Whether no message has begun."""
        return not self._choices

    def add(self, event: Event) -> None:
        """Take one event."""
        self.TAKES[type(event)](self, event)

    def note(self, event: Any) -> None:
        """Take one event, and note it."""
        self.noted = True
        self.add(event)

    def extend(self, events: Iterable[Event]) -> None:
        """Take several events."""
        for event in events:
            self.TAKES[type(event)](self, event)

    def _choice(self, number: int) -> _OpenChoice:
        choice = self._choices.get(number)
        if choice is None:
            choice = self._choices[number] = _OpenChoice()
            self._open_choices += 1
        return choice

    def _part(self, event: Any, kind: str) -> _OpenPart:
        parts = self._choice(event.choice).parts
        part = parts.get(event.index)
        if part is None:
            part = parts[event.index] = _OpenPart(kind)
        return part

    def _start(self, event: MessageStart) -> None:
        self._choice(event.choice).spelling = event.spelling
        self._data |= _given(event, "id", "model", "created", "origin")

    def _text(self, event: TextDelta) -> None:
        fields = event.__dict__
        try:  # most events
            self._choices[fields["choice"]].parts[fields["index"]].text.append(fields["text"])
        except KeyError:
            self._part(event, "text").text.append(event.text)

    def _more(self, event: Delta) -> None:
        try:
            self._choices[event.choice].parts[event.index].text.append(event.added)
        except KeyError:
            self._part(event, "tool_use" if event.type == "arguments" else event.type).text.append(event.added)

    def _thinking(self, event: ThinkingDelta) -> None:
        field = event.field
        if field != "block":
            choice = self._choice(event.choice)
            if choice.reasoning_text is None:
                choice.reasoning_text = []
            choice.reasoning_text.append(event.thinking)
        if field != "text":
            self._part(event, "thinking").text.append(event.thinking)

    def _signature(self, event: SignatureDelta) -> None:
        self._part(event, "thinking").data |= _given(event, "signature", "issuer")

    def _redacted(self, event: RedactedThinking) -> None:
        self._part(event, "redacted_thinking").data |= _given(event, "data", "issuer")

    def _refusal(self, event: RefusalDelta) -> None:
        self._part(event, "refusal").text.append(event.refusal)

    def _tool_use_start(self, event: ToolUseStart) -> None:
        self._part(event, "tool_use").data |= _given(event, "id", "name", "custom")

    def _arguments(self, event: ArgumentsDelta) -> None:
        try:
            self._choices[event.choice].parts[event.index].text.append(event.arguments)
        except KeyError:
            self._part(event, "tool_use").text.append(event.arguments)

    def _whole(self, event: WholePart) -> None:
        data = event.part.to_dict()
        part = self._choice(event.choice).parts[event.index] = _OpenPart(data.pop("type"))
        if part.kind in _TEXT_FIELDS:
            part.text.append(data.pop(_TEXT_FIELDS[part.kind], ""))
        part.data = data

    def _part_stop(self, event: PartStop) -> None:
        part = self._choice(event.choice).parts.get(event.index)
        if part is not None:
            part.stopped = True

    def _update(self, event: Update) -> None:
        if event.overwrite:
            self._updated(event).update(_own(event.data))
        else:
            merge(self._updated(event), event.data, join=bool(event.join))

    def _use(self, event: UsageUpdate) -> None:
        self._usage = event.usage

    def _stop(self, event: Stop) -> None:
        choice = self._choice(event.choice)
        if not choice.stopped:
            choice.stopped = True
            self._open_choices -= 1
        choice.data |= _given(event, "stop_reason", "native_stop_reason", "stop_sequence")

    def _end(self, _: StreamEnd) -> None:
        self.ended = True

    def _error(self, _: ErrorEvent) -> None:
        self.failed = True

    def _opaque(self, event: OpaqueEvent) -> None:
        if event.index is not None:
            self._part(event, "opaque").data |= {"format": event.format, "value": _own(event.value)}

    def _nothing(self, _: Event) -> None:
        """An event that only repeats others."""

    def _updated(self, event: Update) -> dict[str, Any]:
        if event.of == "response":
            return self._data
        if event.of == "part":
            return self._part(event, event.data.get("type", "text")).data
        choice = self._choice(event.choice)
        return choice.data if event.of == "choice" else choice.message

    def response(self) -> Response:
        """The response so far. A message that has not ended is marked `incomplete`, and its argument text stays text."""
        data = _own(self._data)
        data["choices"] = []
        for _, choice in sorted(self._choices.items()):
            made: dict[str, Any] = {"message": _message(choice, data.get("origin"))} | _own(choice.data)
            if not (choice.stopped or self.ended):
                made["incomplete"] = True
            data["choices"].append(made)
        if self._usage is not None:
            data["usage"] = self._usage
        return Response.model_validate(data)

    TAKES: ClassVar[dict[type[Any], Any]] = _Takes(
        {
            MessageStart: _start,
            TextDelta: _text,
            ThinkingDelta: _thinking,
            SignatureDelta: _signature,
            RedactedThinking: _redacted,
            RefusalDelta: _refusal,
            ToolUseStart: _tool_use_start,
            ArgumentsDelta: _arguments,
            ToolUse: _nothing,
            WholePart: _whole,
            PartStop: _part_stop,
            Update: _update,
            UsageUpdate: _use,
            Stop: _stop,
            StreamEnd: _end,
            OpaqueEvent: _opaque,
            ErrorEvent: _error,
            LightText: _more,
            LightThinking: _thinking,
            LightRefusal: _more,
            LightArguments: _more,
        }
    )
    """What takes an event, by its type. Raises `TypeError` for anything else."""


def _given(event: Model, *names: str) -> dict[str, Any]:
    """Those of these fields that are set; all of them are text, numbers or booleans."""
    given = event.model_fields_set
    return {name: getattr(event, name) for name in names if name in given}


def _message(choice: _OpenChoice, origin: str | None) -> dict[str, Any]:
    parts = [part for _, part in sorted(choice.parts.items())]
    out: dict[str, Any] = {"role": "assistant"}
    if choice.spelling == "blocks":
        out["content"] = [block_of(part) for part in parts]
    else:
        _flat(parts, choice, out)
    message: dict[str, Any] = _own(choice.message)
    if origin is not None:
        message["wire"] = {"origin": origin, "response": True, **(message.get("wire") or {})}
    return message | out


FLAT_FIELDS = {
    "thinking": "thinking_blocks",
    "redacted_thinking": "thinking_blocks",
    "refusal": "refusal",
    "tool_use": "tool_calls",
}
"""The field of a flat message that holds parts of a kind; the others are its content."""


def _flat(parts: list[_OpenPart], choice: _OpenChoice, out: dict[str, Any]) -> None:
    fields: dict[str, list[_OpenPart]] = {"content": [], "thinking_blocks": [], "refusal": [], "tool_calls": []}
    for part in parts:
        field = FLAT_FIELDS.get(part.kind, "content")
        if field == "refusal" and part.data:
            field = "content"  # the field has the words alone
        fields[field].append(part)
    content = fields["content"]
    thinking = fields["thinking_blocks"]
    refusals = fields["refusal"]
    calls = fields["tool_calls"]
    if any(part.kind != "text" or part.data for part in content):
        out["content"] = [block_of(part) for part in content]
    elif content:
        out["content"] = _joined(content)
    if choice.reasoning_text is not None:
        out["reasoning_content"] = "".join(choice.reasoning_text)
    if thinking:
        out["thinking_blocks"] = [block_of(part) for part in thinking]
    if refusals:
        out["refusal"] = _joined(refusals)
    if calls:
        out["tool_calls"] = [_call(part) for part in calls]


def _joined(parts: list[_OpenPart]) -> str:
    return "".join(text for part in parts for text in part.text)


def _call(part: _OpenPart) -> dict[str, Any]:
    data: dict[str, Any] = _own(part.data)
    arguments: Json = data.pop("input", None)  # of a call that arrived as a whole
    if arguments is None:
        arguments = "".join(part.text)
    return {"arguments": arguments if isinstance(arguments, str) else to_json(arguments)} | data


def block_of(part: _OpenPart) -> dict[str, Any]:
    """A part as data."""
    data: dict[str, Any] = _own(part.data)
    out: dict[str, Any] = {"type": part.kind}
    if part.kind in _TEXT_FIELDS:
        out[_TEXT_FIELDS[part.kind]] = "".join(part.text)
    elif part.kind == "tool_use":
        text = "".join(part.text)
        is_object = part.stopped and not part.data.get("custom")  # the input of a free-form tool is text
        out["input"] = _input(text) if is_object else text
    return out | data


def _input(text: str) -> Any:
    """Arguments as an object, or as text if they are not one that can be held; empty text is an empty object."""
    value = exact_object(text or "{}")
    return text if value is None else value


# One part

_MODELS: dict[str, Any] = {get_args(model.model_fields["type"].annotation)[0]: model for model in members(Part)}


class PartFold(Fold):
    """Folds the events of one part of the first answer."""

    def __init__(self) -> None:
        super().__init__()
        self._answer = self._choice(0)
        self._answer.spelling = "blocks"
        self.made: Any = None
        """The part, if it was made after the last event."""

    def add(self, event: Event) -> None:
        """Take one event of the part."""
        self.made = None
        self.TAKES[type(event)](self, event)

    def has(self, field: str) -> bool:
        """Whether the value of an opaque part has a field by now."""
        (part,) = self._answer.parts.values()
        value: Json = part.data.get("value")
        return type(value) is dict and field in value

    def has_id(self) -> bool:
        """Whether the id of a call is known by now."""
        (part,) = self._answer.parts.values()
        return part.data.get("id") is not None

    def is_of(self, family: str) -> bool:
        """Whether an opaque part is kept for this family."""
        (part,) = self._answer.parts.values()
        return part.data.get("format") == family

    def part(self) -> Any:
        """The part so far. Raises pydantic's `ValidationError` with the path that the part has in a response."""
        if self.made is None:
            (part,) = self._answer.parts.values()
            try:
                self.made = _MODELS[part.kind].model_validate(block_of(part))
            except (KeyError, ValidationError):
                self.made = self.response().message.parts[0]
        return self.made
