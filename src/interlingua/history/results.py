"""Tool results: which calls a message answers, and a result for each call of a message.

Applications have results in many forms: JSON values by the id of the call, dicts, canonical messages and parts. `tool_results`
makes a tool message of each, in the order of the calls, and refuses a result that answers no call.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from ..conversion.requests import validate
from ..errors import Fault, InvalidPayload, escape, faults_of
from ..model.base import Json, Model, copy_json, members
from ..model.exchange import Response
from ..model.messages import AssistantMessage, Message, ToolMessage, UserMessage
from ..model.parts import Part, ToolResultPart, to_json

MISSING = json.dumps({"error": "The result of this tool call is missing"})
"""The content of the error result for a call without a result; the model reads it."""

_ID_KEYS = ("id", "tool_call_id", "tool_use_id")


def is_tool_result(message: Message | Mapping[str, Any]) -> bool:
    """Whether a message, or its dict, has a tool result: a tool message, or a user message with a tool-result part.

    Raises `InvalidPayload` for anything else.
    """
    return bool(answers(message))


def tool_use_ids(message: Message | Mapping[str, Any]) -> list[str]:
    """The ids of the tool calls that a message, or its dict, has results for. Raises `InvalidPayload` for anything else."""
    return [id for id in answers(message) if id is not None]


def answers(message: Message | Mapping[str, Any] | None) -> list[str | None]:
    """The id of the call of each tool result in a message; None if the result names no call."""
    if isinstance(message, ToolMessage):
        return [message.tool_call_id]
    if isinstance(message, UserMessage):
        return [part.tool_use_id for part in message.parts if isinstance(part, ToolResultPart)]
    if isinstance(message, Model):
        return []
    if not isinstance(message, Mapping):
        raise InvalidPayload([Fault("", "Input should be a message or its dict")])
    return _answers_in_dict(message)


def _answers_in_dict(message: Mapping[str, Any]) -> list[str | None]:
    role = message.get("role")
    content: Sequence[Mapping[str, Any] | None] | None = message.get("content")
    if role == "tool":
        return [_id(message.get("tool_call_id"))]
    if role != "user" or not isinstance(content, list | tuple):
        return []
    return [_id(part.get("tool_use_id")) for part in content if isinstance(part, Mapping) and part.get("type") == "tool_result"]


def _id(value: object) -> str | None:
    return value if isinstance(value, str) else None


def tool_results(
    message: AssistantMessage | Response | Mapping[str, Any], results: Mapping[str, Any] | Iterable[Any]
) -> list[ToolMessage]:
    """The results of a message's tool calls: one `ToolMessage` for each call, in the order of the calls.

    `results` maps a call's id to what the tool gave back, or lists results: dicts with an `id`, a `content` and perhaps
    `is_error`, or tool messages, tool-result parts and their dicts. What a tool gave back is any JSON value. Text stays as it
    is, a list whose items all have the `type` of a part is content, and any other value becomes JSON text. Messages are flat
    whichever spelling the call has; `to_blocks()` gives a user message. A call without a result gets an error result that says
    so; results without an id answer the calls without one. Raises `InvalidPayload` for a result that answers no call of the
    message, or one that already has a result.
    """
    by_id, faults = _by_id(results)
    known = set[str | None]()
    out: list[ToolMessage] = []
    for call in _assistant(message).tool_uses:
        known.add(call.id)
        waiting = by_id.get(call.id)
        out.append(waiting.popleft()[1] if waiting else _missing(call.id))
    for id, left in by_id.items():
        reason = "a tool result must have the id of a call of this message"
        if id in known:
            reason = "a tool call must have one result, and this one has another already"
        faults += [Fault(path, reason) for path, _ in left]
    if faults:
        raise InvalidPayload(faults)
    return out


def _by_id(
    results: Mapping[str, Any] | Iterable[Any],
) -> tuple[dict[str | None, deque[tuple[str, ToolMessage]]], list[Fault]]:
    """The results by the id of their call, each with its pointer; and the faults of those that are malformed."""
    by_id: dict[str | None, deque[tuple[str, ToolMessage]]] = {}
    faults: list[Fault] = []
    entries = _entries(results)
    field = "/content" if isinstance(results, Mapping) else ""  # a value of the mapping is the content
    for path, entry in entries:
        try:
            made = _result(entry)
        except InvalidPayload as error:
            faults += [Fault(path + fault.path.removeprefix(field), fault.reason) for fault in error.faults]
        else:
            by_id.setdefault(made.tool_call_id, deque()).append((path, made))
    return by_id, faults


_PART_TYPES = frozenset(get_args(kind.model_fields["type"].annotation)[0] for kind in members(Part))


def result_message(data: Mapping[str, Any], *, raw: bool = True) -> ToolMessage:
    """A tool message of these fields; a `raw` content is any JSON value. Raises `InvalidPayload`."""
    try:
        content = {"content": _content(data["content"])} if raw and "content" in data else {}
        message = ToolMessage.model_validate({"role": "tool", **data, **content})
        if raw:
            _ = message.result  # which has fewer kinds of parts than a message
    except ValidationError as error:
        faults = [fault._replace(reason=fault.reason + _meant_as_json(fault.path)) for fault in faults_of(error)]
    except PydanticCustomError as error:
        faults = [Fault("/content" + (error.context or {})["at"], error.message())]
    else:
        return message
    raise InvalidPayload(faults)


def _content(value: Any) -> Any:
    """What a tool gave back as content: text and parts as they are, any other JSON value as its text."""
    return value if isinstance(value, str) or _are_parts(value) else to_json(copy_json(value))


def _are_parts(value: Json) -> bool:
    """Whether a value is a list of parts, valid or not."""
    items = cast("Sequence[Mapping[str, Any] | None]", value if isinstance(value, list | tuple) else ())
    return bool(items) and all(isinstance(item, Mapping) and str(item.get("type")) in _PART_TYPES for item in items)


def _meant_as_json(path: str) -> str:
    """A hint for a fault in a part, which may have been meant as JSON."""
    if not path.startswith("/content/"):
        return ""
    return " (read as parts, for every item has the `type` of a part; give other JSON as text)"


def _missing(id: str | None) -> ToolMessage:
    """The result of a call that has none."""
    if id is None:
        return ToolMessage(content=MISSING, is_error=True)
    return ToolMessage(tool_call_id=id, content=MISSING, is_error=True)


def _assistant(message: AssistantMessage | Response | Mapping[str, Any]) -> Message:
    if isinstance(message, Response):
        return message.message
    if isinstance(message, AssistantMessage):
        return message
    try:
        return validate([message])[0]
    except InvalidPayload as error:
        faults = [fault._replace(path=fault.path.removeprefix("/0")) for fault in error.faults]
        raise InvalidPayload(faults, error.hint) from None


def _entries(results: Iterable[Any] | None) -> Iterable[tuple[str, Any]]:
    """Each result with a pointer to it."""
    if isinstance(results, Model | str | bytes) or not isinstance(results, Iterable):
        raise InvalidPayload([Fault("", "Input should be an object of contents by id, or a list of results")])
    if isinstance(results, Mapping):
        contents = cast("Mapping[str, Any]", results)
        return [("/" + escape(str(id)), {"id": id, "content": content}) for id, content in contents.items()]
    return [(f"/{i}", result) for i, result in enumerate(results)]


def _result(entry: ToolMessage | ToolResultPart | Mapping[str, Any] | None) -> ToolMessage:
    if isinstance(entry, ToolMessage):
        return entry
    if isinstance(entry, ToolResultPart):
        (made,), _ = UserMessage(content=(entry,)).to_flat()
        return cast("ToolMessage", made)
    if not isinstance(entry, Mapping):
        raise InvalidPayload([Fault("", "Input should be an object")])
    key = next((key for key in _ID_KEYS if key in entry), None)
    data = {"tool_call_id" if name == key else name: value for name, value in entry.items()}
    if data.get("type") == "tool_result":
        del data["type"]
    return result_message(data, raw=not {"role", "type"} & entry.keys())
