"""A conversation that grows by messages and chunks, and can be dumped to any provider at any time.

Messages that no later chunk can change are settled. The current turn is a stream reader, whose message is built only when it is
needed; tool results that arrive before the turn ends wait until it has ended. For each format in use, the dump of the settled
messages is kept (`growing`), so the next dump only has to write what is new.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from pydantic import BaseModel

from ..codec.format import Format
from ..conversion.losses import OnLoss, distinct, report
from ..conversion.requests import load, validate
from ..conversion.responses import load_response
from ..conversion.streams import reader
from ..errors import Fault, InvalidPayload, Loss, ProviderError
from ..formats import FormatName, anthropic, format_of, new_dump, openai_chat
from ..formats.openai_chat.appended import mark_end, typed, typed_chunk, unlist_single_texts
from ..model.base import Json, Model
from ..model.events import ErrorEvent, Event, RefusalDelta, TextDelta, ThinkingDelta, ToolUse
from ..model.exchange import Request
from ..model.messages import AssistantMessage, Message, ToolMessage
from ..model.parts import ToolResultPart
from .growing import GrowingHistory
from .results import answers, result_message

if TYPE_CHECKING:
    from .._signatures import type_of_dump_history  # pyright: ignore[reportMissingModuleSource] -- for checkers alone
else:
    from ..conversion.requests import as_is as type_of_dump_history

Shown: TypeAlias = TextDelta | ThinkingDelta | RefusalDelta | ToolUse | ErrorEvent
"""The events of a stream that a front end shows: deltas of text, complete tool calls, and errors."""

_SHOWN: dict[type[Any], str] = {
    TextDelta: "text",
    ThinkingDelta: "thinking",
    RefusalDelta: "refusal",
    ToolUse: "name",
    ErrorEvent: "error",
}

_CHAT: FormatName = "openrouter"
"""The dialect that Chat messages and chunks are read as: it knows every spelling of reasoning."""

_OPENAI = openai_chat.format_for(openai_chat.ChatProfile(empty_content="empty"))
_OPENAI_MARKED = openai_chat.format_for(openai_chat.ChatProfile(empty_content="empty", cache="cache_control"))
_ANTHROPIC = anthropic.format_for(anthropic.AnthropicProfile(content="list"))

_MOST_FORMATS = 8
"""The number of formats whose last dump is kept."""


class ChatMessageBuilder:
    """Builds a conversation from messages and chunks of streams, and dumps it to any format.

    Whatever is appended is copied, and a dump is the caller's to change. While an assistant's turn arrives in chunks,
    `messages` has what has arrived of it. The turn ends with its last chunk, or when another message is appended. A turn
    without content adds no message.
    """

    def __init__(self, system_prompt: str | None = None) -> None:
        self._settled: list[Message] = []
        self._turn: _Turn | None = None
        self._after: list[Message] = []
        self._dumps = _Dumps()
        self.system_prompt = system_prompt

    @property
    def system_prompt(self) -> str | None:
        """The text of the leading system and developer messages, or None. Setting it replaces them with one system message."""
        lead = self._lead()
        return "\n\n".join(message.text for message in lead) if lead else None

    @system_prompt.setter
    def system_prompt(self, text: str | None) -> None:
        lead = self._lead()
        wanted = [] if text is None else [_one({"role": "system", "content": text})]
        if wanted != lead:
            self._settled[: len(lead)] = wanted
            self._dumps = _Dumps()

    def _lead(self) -> list[Message]:
        return list(takewhile(_is_instruction, self._settled))

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation so far. Raises `StreamError` if the chunks of a turn do not make a valid message."""
        return (*self._settled, *self._under_way(), *self._after)

    # Appending

    def append(self, message: Message | Mapping[str, Any]) -> None:
        """Append a canonical message, or its dict. Raises `InvalidPayload`."""
        self._add(_one(message))

    def append_openai_message(self, message: Mapping[str, Any] | BaseModel) -> None:
        """Append a Chat Completions message: a dict or an SDK's object. Raises `InvalidPayload`."""
        if isinstance(message, Model):
            return self._add(_one(message))
        wire: Json = typed(_as_dict(message))
        if isinstance(message, BaseModel) and isinstance(wire, dict) and wire.get("role") == "assistant":
            # The object comes from a response, and may have fields that a request may not.
            try:
                return self._add(load_response({"choices": [{"message": wire}]}, _CHAT).message)
            except InvalidPayload as error:
                raise _within(error, "/choices/0/message") from None
        try:
            (made,) = load([wire], _CHAT).messages
        except InvalidPayload as error:
            raise _within(error, "/0") from None
        return self._add(made)

    def append_tool_result(self, tool_call_id: str, content: Any, *, is_error: bool | None = None) -> ToolResultPart:
        """Append the result of a tool call, any JSON value as in `tool_results`. Returns the part to show in a front end.

        Raises `InvalidPayload`.
        """
        flag = {} if is_error is None else {"is_error": is_error}
        message = result_message({"tool_call_id": tool_call_id, "content": content, **flag})
        self._add(message)
        return message.result

    def append_openai_delta(self, chunk: Any) -> Shown | list[Shown] | None:
        """Append a chunk of a Chat Completions stream: a dict, an SDK's object, or the data of a server-sent event.

        Returns what there is to show: nothing, one event, or a list of several. Tool calls are shown when they are complete,
        which is when the turn ends. Raises `StreamError`.
        """
        wire = typed_chunk(_chunk(chunk))
        id = wire.get("id") if isinstance(wire, dict) else None
        return self._feed(_CHAT, wire, goes_on=self._goes_on(id), id=id)

    def append_anthropic_event(self, event: Any) -> Shown | list[Shown] | None:
        """Append an event of a Messages stream: a dict, an SDK's object, or the data of a server-sent event.

        Returns what there is to show: nothing, one event, or a list of several. Raises `StreamError`.
        """
        wire = _chunk(event)
        begins = isinstance(wire, dict) and wire.get("type") == "message_start"
        return self._feed("anthropic", wire, goes_on=not begins, id=None)

    # Dumping

    @type_of_dump_history
    def dump(self, target: FormatName | Format, *, on_loss: OnLoss = "warn") -> Any:
        """The result of `dump(messages, target)`; only what is new since the last dump is written. Raises `UnknownFormat`."""
        format = format_of(target)
        payload, losses = self._dump(format)
        report(losses, on_loss, format.name)
        return payload

    def dump_openai(self, cache_control: bool = False, *, on_loss: OnLoss = "warn") -> list[Any]:
        """The messages for Chat Completions, the system prompt first; content that is one text is a string.

        With `cache_control`, a user message at the end gets a cache mark, for the hosts that accept Anthropic's.
        """
        payload, losses = self._dump(_OPENAI_MARKED if cache_control else _OPENAI)
        messages: list[Any] = payload["messages"]
        moved = unlist_single_texts(messages)
        if cache_control and messages and messages[-1]["role"] == "user":
            mark_end(messages[-1])
        report([loss._replace(at=moved.get(loss.at or "", loss.at)) for loss in losses], on_loss, "openai_chat")
        return messages

    def dump_anthropic(self, *, on_loss: OnLoss = "warn") -> list[Any]:
        """The messages for Anthropic, with content as lists of blocks; send `system_prompt` with them."""
        if all(map(_is_instruction, self.messages)):
            return []
        payload, losses = self._dump(_ANTHROPIC)
        report(losses, on_loss, "anthropic")
        messages: list[Any] = payload["messages"]
        return messages

    def get_unresolved_tool_use_blocks(self) -> list[dict[str, Any]]:
        """The tool calls of the last assistant message that have no result yet, as blocks with their input as JSON text."""
        answered: Counter[str | None] = Counter()
        for message in reversed(self.messages):
            if isinstance(message, AssistantMessage):
                break
            answered.update(answers(message))
        else:
            return []
        open: list[dict[str, Any]] = []
        for part in message.tool_uses:
            if part.id is None and answered[None] > 0:
                answered[None] -= 1  # results that name no call answer those without an id
            elif part.id is None or part.id not in answered:
                open.append(part.to_dict() | {"input": part.arguments})
        return open

    # The turn under way

    def _under_way(self) -> list[Message]:
        message = None if self._turn is None else self._turn.message
        return [] if message is None else [message]

    def _add(self, message: Message) -> None:
        if self._turn is not None:
            if isinstance(message, ToolMessage) and not self._turn.reader.complete:
                # The tool ran before the turn ended: the message of the call may still grow.
                self._after.append(message)
                return
            self._settle()
        self._settled.append(message)

    def _settle(self) -> None:
        """End the turn under way."""
        try:
            self._settled += self._under_way()
        finally:  # chunks that make no valid message are left out after the error
            self._settled += self._after
            self._turn = None
            self._after = []

    def _goes_on(self, id: Any) -> bool:
        """Whether the chunk with this id belongs to the turn under way."""
        turn = self._turn
        if turn is None:
            return False
        if not turn.reader.complete and not self._after:
            return True
        return turn.id == id if turn.id and id else not self._after

    def _feed(self, source: FormatName, chunk: Any, *, goes_on: bool, id: Any) -> Shown | list[Shown] | None:
        turn = self._turn
        if turn is None or turn.source != source or not goes_on:
            if chunk == "[DONE]":
                return None  # the end of a turn that another message has ended already
            self._settle()
            turn = self._turn = _Turn(source)
        turn.id = turn.id or id
        shown = turn.feed(chunk)
        if not shown:
            return None
        return shown[0] if len(shown) == 1 else shown

    def _dump(self, format: Format) -> tuple[Any, tuple[Loss, ...]]:
        return self._dumps.dump(self.messages, len(self._settled), format)


class _Turn:
    """An assistant turn that arrives in chunks."""

    def __init__(self, source: FormatName) -> None:
        self.source = source
        self.reader = reader(source)
        self.id: Any = None
        self._read = True
        self._message: AssistantMessage | None = None

    @property
    def message(self) -> AssistantMessage | None:
        """The message so far; None while it is empty."""
        if not self._read:
            try:
                message = self.reader.response.message
            except ProviderError:  # and nothing else
                message = AssistantMessage()
            self._message = message if _has_content(message) else None
            self._read = True
        return self._message

    def feed(self, chunk: Any) -> list[Shown]:
        self._read = False
        return [event for event in self.reader.feed(chunk) if _is_shown(event)]


class _Dumps:
    """The dumps of one conversation, by format."""

    def __init__(self) -> None:
        self._growing: dict[Format, GrowingHistory] = {}

    def dump(self, messages: Sequence[Message], settled: int, format: Format) -> tuple[Any, tuple[Loss, ...]]:
        """The payload and its losses; the first `settled` messages include those of the last call."""
        # Removed while in use, so that no failed dump is kept, and none is shared between threads.
        growing = self._growing.pop(format, None)
        if growing is None and format.history is not None:
            growing = GrowingHistory(new_dump(format, None), format.history)
        if growing is None:
            d = new_dump(format, None)
            payload = format.dump(Request(messages=()), messages, d)
            losses = d.losses
        else:
            payload, losses = growing.dump(messages, settled)
            self._growing[format] = growing
            if len(self._growing) > _MOST_FORMATS:
                del self._growing[next(iter(self._growing))]
        return payload, distinct(losses, len("/messages"))


def _is_instruction(message: Message) -> bool:
    return message.role in ("system", "developer")


def _has_content(message: AssistantMessage) -> bool:
    """Whether a message has any content."""
    values = (message.content, message.reasoning_content, message.thinking_blocks, message.refusal, message.tool_calls)
    return any(values) or any((message.provider_data or {}).values())


def _is_shown(event: Event) -> TypeGuard[Shown]:
    name = _SHOWN.get(type(event))
    return name is not None and bool(getattr(event, name)) and getattr(event, "choice", 0) == 0


# What is appended, as canonical messages or dicts


def _one(message: Any) -> Message:
    """One canonical message, validated."""
    try:
        return validate([message])[0]
    except InvalidPayload as error:
        raise _within(error, "/0") from None


def _within(error: InvalidPayload, place: str) -> InvalidPayload:
    """The error with pointers into the one message that it is about, which was at `place`."""
    return InvalidPayload([Fault(fault.path.removeprefix(place), fault.reason) for fault in error.faults], error.hint)


def _as_dict(value: BaseModel | Mapping[str, Any] | None) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
    return dict(value) if isinstance(value, Mapping) else value


def _chunk(chunk: BaseModel | dict[str, Any] | str | None) -> Json:
    """A chunk as a dict if it is an object; the reader reports what is wrong with any other."""
    if type(chunk) is dict:
        return chunk
    if isinstance(chunk, str):
        try:
            read: Json = json.loads(chunk)
        except (ValueError, RecursionError):
            return chunk.strip()
        return read
    wire: Json = _as_dict(chunk)
    return wire
