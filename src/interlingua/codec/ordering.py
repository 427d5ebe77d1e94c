"""The order of messages, for formats in which tool results must directly follow their calls.

Responses accepts other messages between a call and its output; the other formats refuse them. A conversion from Responses moves
the results directly after the turn with their calls. Assistant messages in between join this turn, so that parallel calls stay
together; all other messages come after the results. Consecutive assistant messages of Responses are one canonical message; they
become several messages again, up to the first call of a turn. OpenAI's old functions, from before there were tools, have no
ids, and their results may also be anywhere. Some formats take consecutive assistant messages as one turn, with the results
after the last of them (`Format.split_calls`); for a target that wants each result after the message with its call, such
messages become one. An answer may have results of calls that the server ran itself (`Format.answered_calls`). For a target of
another family, it is split at them. A request from any other source keeps its order: a result in the wrong place was then a
fault of the conversation already.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from ..errors import Loss
from ..model.exchange import Request
from ..model.light import Light
from ..model.messages import AssistantMessage, UserMessage, content_of
from ..model.parts import TextPart, ToolUsePart
from ..model.turns import calls_of, results_of
from .dump import Dump
from .fields import Content, Wire, spelling
from .format import Format

_MOVED = "a tool result must directly follow its call"
_ANSWERED = "tool results must be messages of their own: the assistant message is split at them"
_ONE_TURN = "assistant text after a tool call belongs to the message of the call: this message joins those before it"
_JOINED = "a tool result must directly follow its call: the assistant message in between joins the turn of the call"


def is_history(request: Request) -> bool:
    """Whether a request has no settings, so that its messages may end with an answer."""
    return request.model_fields_set <= {"messages", "origin", "wire"}


def _prefill_of(request: Request, d: Dump) -> str | None:
    """The path of the assistant message that a request for an answer ends with."""
    last = request.messages[-1] if request.messages else None
    if last is None or last.role != "assistant" or not d.settings or calls_of(last):
        return None
    if is_history(request) and not _is_marked(last, d):
        return None
    return f"/messages/{len(request.messages) - 1}"


def _is_marked(last: Any, d: Dump) -> bool:
    """Whether a field of the last message itself says that the answer continues it, for a target that has such a field, too."""
    marks = () if d.source is None or d.target.goes_on != "marked" else d.source.prefill_marks
    data: dict[str, Wire] = last.provider_data or {}
    return any(overlay.get(mark) is True for overlay in data.values() for mark in marks)


def dump_request(format: Format, request: Request, d: Dump) -> Wire:
    """The body of a request, with its messages in an order that the format accepts."""
    d.begun = _prefill_of(request, d)
    order = None if format.free_results or d.source is None else _order(request.messages, d.source, d)
    answered = _answered(request.messages, d)
    if order is None and answered:
        order = _unchanged(request.messages)
    if order is None:
        return format.dump(request, request.messages, d)
    groups, moved = order
    lost = len(d.losses)
    made = [piece for group in groups for piece in _split(_joined(request.messages, group, d))]
    about_joined = d.losses[lost:]
    del d.losses[lost:]
    body = format.dump(request, [each.message for each in made], d)
    d.losses[:] = [original for loss in d.losses for original in _original_losses(loss, made)]
    for at, path in d.places.items():
        d.places[at] = _original(path, made)
    d.losses += about_joined
    written = {path: at for at, path in reversed(d.places.items())}
    for group in groups:
        place = written.get(f"/messages/{group[0]}")
        for index in group[1:]:
            d.report("moved", f"/messages/{index}", place, _JOINED)
    for index in moved:
        if (path := f"/messages/{index}") in written:
            d.report("moved", path, written[path], _MOVED)
    for index in answered:
        d.report("moved", f"/messages/{index}", written.get(f"/messages/{index}"), _ANSWERED)
    _report_one_turn(request.messages, written, d)
    return body


def _report_one_turn(messages: Sequence[Any], written: dict[str, str], d: Dump) -> None:
    """Report each message of Responses after a call that became part of another message, unless its move is reported."""
    reported = {loss.path for loss in d.losses}
    for i, message in enumerate(messages):
        before = _boundaries(message)
        for part in _begun(message)[len(before) :]:
            path = f"/messages/{i}/content/{part}"
            if path in written and path not in reported:
                d.report("changed", path, written[path], _ONE_TURN)


def _answered(messages: Sequence[Any], d: Dump) -> list[int]:
    """The answers with results inside, which the target does not accept."""
    if d.source is None or d.same_family or not d.source.answered_calls:
        return []
    return [i for i, message in enumerate(messages) if message.role == "assistant" and _results_in(message)]


def _results_in(message: Any) -> list[int]:
    """The indices of the parts that are results."""
    content: Content = message.content
    return [i for i, part in enumerate(content) if part.type == "tool_result"] if isinstance(content, tuple) else []


# The order


Order: TypeAlias = tuple[list[list[int]], list[int]]
"""The indices of the messages in their new order, grouped if they are joined; and the indices of the results that moved."""


def _order(messages: Sequence[Any], source: Format, d: Dump) -> Order | None:
    """The new order, if the source allows results in other places; None if the messages stay as they are."""
    if source.free_functions and not d.same_format:
        for message in messages:
            if message.role == "tool" and message.tool_call_id is None:
                return _arranged(messages, _results_of_functions(messages))
    if source.split_calls == "accepted" and d.target.split_calls == "refused":
        return _in_turns(messages)
    if not source.free_results or _is_usual(messages):
        return None
    order = _arranged(messages, _results(messages))
    if order is None and any(_begun(message) for message in messages):
        return _unchanged(messages)
    return order


def _unchanged(messages: Sequence[Any]) -> Order:
    return [[i] for i in range(len(messages))], []


def _in_turns(messages: Sequence[Any]) -> Order | None:
    """The messages in their order, where those of a turn are joined from its first call on; None if none are.

    A turn without results keeps its messages, because it would be refused as one message, too.
    """
    roles = [message.role for message in messages]
    if ("assistant", "assistant") not in pairwise(roles):
        return None
    turns: list[list[int]] = []
    for i, role in enumerate(roles):
        first = turns[-1][0] if turns else None
        if role == "assistant" and first is not None and roles[first] == role and calls_of(messages[first]):
            turns[-1].append(i)
        else:
            turns.append([i])
    groups: list[list[int]] = []
    for turn in turns:
        behind = turn[-1] + 1
        is_answered = behind < len(messages) and bool(results_of(messages[behind]))
        groups += [turn] if is_answered else [[i] for i in turn]
    return (groups, []) if len(groups) < len(messages) else None


def _is_usual(messages: Sequence[Any]) -> bool:
    """Whether each result follows the turn with its call, and each turn is one message; may be False without need."""
    called: tuple[str | None, ...] = ()
    for message in messages:
        role: str = message.role
        content: Content
        if role == "tool":
            if message.tool_call_id not in called:
                return False
        elif role == "assistant":
            content = message.content
            called = ()
            if type(content) is tuple and len(content) == 1:
                called = (content[0].id,) if content[0].type == "tool_use" else ()
            elif type(content) is tuple:
                if _begun(message):
                    return False
                called = tuple([part.id for part in content if part.type == "tool_use"])
            if message.tool_calls:
                return False
        elif role != "opaque":
            called = ()
            content = message.content
            if role == "user" and type(content) is tuple and "tool_result" in [part.type for part in content]:
                return False
    return True


def _arranged(messages: Sequence[Any], results: dict[int, set[int]]) -> Order | None:
    """The new order of the messages; None if they stay as they are."""
    groups: list[list[int]] = []
    moved: list[int] = []
    turn: list[int] = []
    behind: list[list[int]] = []
    waiting: set[int] = set()
    for i, message in enumerate(messages):
        if waiting and i in waiting:
            waiting.discard(i)
            groups.append([i])
            if behind:
                moved.append(i)
        elif waiting and message.role == "assistant":
            turn.append(i)
            waiting |= results.get(i, set())
        elif waiting and message.role != "opaque":  # opaque messages stay, as no other format writes them
            behind.append([i])
        elif waiting:
            groups.append([i])
        else:
            turn = [i]
            groups.append(turn)
            waiting = set(results.get(i, ()))
        if not waiting:
            groups += behind
            behind = []
    changed = bool(moved) or any(len(group) > 1 for group in groups)
    return (groups, moved) if changed else None


def _results(messages: Sequence[Any]) -> dict[int, set[int]]:
    """For each message with calls, the indices of the messages with their results; a call without a result is ignored."""
    called: dict[str, int] = {}
    found: dict[int, set[int]] = {}
    for i, message in enumerate(messages):
        content: Content = None if message.role == "opaque" else message.content
        parts: tuple[Any, ...] = content if isinstance(content, tuple) else ()
        if message.role == "assistant":
            calls = [part.id for part in parts if part.type == "tool_use"]
            calls += [call.id for call in message.tool_calls or ()]
            called |= {id: i for id in calls if id is not None}
            continue
        answered = [part.tool_use_id for part in parts if part.type == "tool_result"]
        if message.role == "tool":
            answered = [message.tool_call_id]
        for id in answered:
            if id is not None and id in called:
                found.setdefault(called.pop(id), set()).add(i)
    return found


def _results_of_functions(messages: Sequence[Any]) -> dict[int, set[int]]:
    """The same for calls and results without ids: a result answers the first unanswered call of its function."""
    called: dict[str, deque[int]] = {}
    found: dict[int, set[int]] = {}
    for i, message in enumerate(messages):
        if message.role == "assistant":
            for call in message.tool_calls or ():
                if call.id is None:
                    called.setdefault(call.name, deque()).append(i)
        elif message.role == "tool" and message.tool_call_id is None and called.get(message.name):
            found.setdefault(called[message.name].popleft(), set()).add(i)
    return found


# Joining and splitting messages


@dataclass(frozen=True, eq=False)
class _Arranged:
    """A message in its new place, with the pointer that it had."""

    message: Any
    path: str
    parts: tuple[str, ...] = ()
    """The original pointers of its parts, if messages were joined or split to make it."""
    is_piece: bool = False
    """Whether the message was one of several that are a single message in the request."""


def _joined(messages: Sequence[Any], group: Sequence[int], d: Dump) -> _Arranged:
    first = messages[group[0]]
    path = f"/messages/{group[0]}"
    if len(group) == 1:
        return _Arranged(first, path)
    parts: list[Any] = []
    pointers: list[str] = []
    for index in group:
        message = messages[index]
        for pointer, piece in content_of(message, f"/messages/{index}"):
            parts.append(_as_part(piece))
            pointers.append(pointer)
        if index != group[0]:
            d.drop_named(message, f"/messages/{index}", "name", "cache_control")
            d.drop_fields(message, f"/messages/{index}")
    kept = {name: value for name in _FRAME if (value := getattr(first, name)) is not None}
    return _Arranged(_message("assistant", first, parts, kept), path, tuple(pointers))


_FRAME = ("name", "cache_control", "provider_data", "wire")


def _begun(message: Any) -> list[int]:
    """The indices of the parts that begin another assistant message of Responses."""
    content: Content = message.content if message.role == "assistant" else None
    if not isinstance(content, tuple):
        return []
    begun: list[int] = []
    for i, part in enumerate(content):
        may_begin = i > 0 and part.wire is not None and part.type in ("text", "refusal")
        if may_begin and spelling(part, "item") == "new":
            begun.append(i)
    return begun


def _boundaries(message: Any) -> list[int]:
    """The indices of such parts before the first call."""
    if not (found := _begun(message)):
        return found
    calls = [i for i, part in enumerate(message.content) if part.type == "tool_use"]
    return [i for i in found if not calls or i < calls[0]]


def _split(arranged: _Arranged) -> list[_Arranged]:
    """The assistant messages that one canonical message stands for, with its results between them."""
    message = arranged.message
    results = set(_results_in(message)) if message.role == "assistant" else set[int]()
    boundaries = _boundaries(message)
    if not boundaries and not results:
        return [arranged]
    count = len(message.content)
    edges = [i for i in range(1, count) if (i in results) != (i - 1 in results)]
    places = sorted({*boundaries, *edges})
    pointers = arranged.parts or tuple(f"{arranged.path}/content/{i}" for i in range(count))
    made: list[_Arranged] = []
    for start, end in zip([0, *places], [*places, count], strict=True):
        frame = {name: getattr(message, name) for name in _FRAME} if start == 0 else {}
        fields = {name: value for name, value in frame.items() if value is not None}
        if message.wire is not None:
            fields["wire"] = message.wire
        path = pointers[start] if start else arranged.path
        role: Literal["user", "assistant"] = "user" if start in results else "assistant"
        piece = _message(role, message, message.content[start:end], fields)
        made.append(_Arranged(piece, path, pointers[start:end], is_piece=True))
    return made


def _message(role: Literal["user", "assistant"], like: Any, parts: Sequence[Any], fields: dict[str, Any]) -> Any:
    """A message with these parts: a model or a light value, like the other message."""
    if not isinstance(like, Light):
        return (UserMessage if role == "user" else AssistantMessage)(content=tuple(parts), **fields)
    made: Any = object.__new__(type(like))
    made.__dict__ = {"role": role, "content": tuple(parts), **fields}
    return made


def _as_part(piece: Any) -> Any:
    """The part for a call or a text of a flat message."""
    if isinstance(piece, str):
        return TextPart(text=piece)
    if "type" in vars(piece):
        return piece
    fields: dict[str, Any] = {name: getattr(piece, name) for name in piece.model_fields_set if name != "arguments"}
    return ToolUsePart(input=piece.arguments, **fields)


def _original_losses(loss: Loss, made: Sequence[_Arranged]) -> list[Loss]:
    """A loss with its original pointer; if a piece of a message is dropped, one loss for each of its parts."""
    number = loss.path.removeprefix("/messages/")
    if loss.kind == "dropped" and number.isdecimal() and (arranged := made[int(number)]).is_piece:
        return [loss._replace(path=pointer) for pointer in arranged.parts]
    return [loss._replace(path=_original(loss.path, made))]


def _original(path: str, made: Sequence[_Arranged]) -> str:
    """The original pointer for a pointer into the messages in their new order."""
    if not path.startswith("/messages/"):
        return path
    number, slash, rest = path[len("/messages/") :].partition("/")
    arranged = made[int(number)]
    if arranged.parts and rest.startswith("content/"):
        place, deeper, inner = rest[len("content/") :].partition("/")
        return arranged.parts[int(place)] + deeper + inner
    return arranged.path + slash + rest
