"""Finds which messages of a history belong together, joins messages, and removes their reasoning.

A unit is kept or dropped as a whole: system text, a user's turn, or a round of the assistant with the results of its calls.
`spans` goes through the messages once. A message joins the unit before it if a call in that unit is still unanswered
(`_answered`), if the message says nothing itself, or if signed reasoning binds it to that unit.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal, NamedTuple, TypeAlias

from .messages import AssistantMessage, Message, content_of, piece_kind

UnitRole: TypeAlias = Literal["system", "user", "assistant"]


class Span(NamedTuple):
    """Where a unit is in its history."""

    role: UnitRole
    start: int
    end: int


def spans(messages: Sequence[Message]) -> list[Span]:
    """Where the units of a history are."""
    finding = _Finding(_answered(messages))
    for i, message in enumerate(messages):
        finding.add(i, message)
    return finding.spans


def _answered(messages: Sequence[Message]) -> list[bool]:
    """For each message, whether a call before it is answered by it or behind it."""
    calls: dict[str, int] = {}
    nameless = _CallsWithoutIds()
    change = [0] * (len(messages) + 1)
    """How many more calls are open at a message than at the one before."""
    for i, message in enumerate(messages):
        for result in results_of(message):
            call = nameless.answered_by(result.name) if result.id is None else calls.pop(result.id, None)
            if call is not None:
                change[call + 1] += 1
                change[i + 1] -= 1
        if message.role == "assistant":
            for made in calls_of(message):
                if made.id is None:
                    nameless.add(made.name, i)
                else:
                    calls[made.id] = i
    return [count > 0 for count in accumulate(change)]


@dataclass
class _Waiting:
    """A call without an id, by the index of its message."""

    message: int
    answered: bool = False


class _CallsWithoutIds:
    """The calls without an id; results without an id answer them in order, those of a name the calls of that name."""

    def __init__(self) -> None:
        self._waiting: dict[str | None, deque[_Waiting]] = defaultdict(deque)

    def add(self, name: str, message: int) -> None:
        call = _Waiting(message)
        self._waiting[None].append(call)
        self._waiting[name].append(call)

    def answered_by(self, name: str | None) -> int | None:
        """The message of the call that a result without an id answers."""
        waiting = self._waiting[name]
        while waiting:
            call = waiting.popleft()
            if not call.answered:
                call.answered = True
                return call.message
        return None


def calls_of(message: Any) -> list[Any]:
    """The calls of an assistant message, as it spells them."""
    content: str | tuple[Any, ...] | None = message.content
    inline = [part for part in content if part.type == "tool_use"] if isinstance(content, tuple) else []
    return [*inline, *(message.tool_calls or ())]


class ResultOf(NamedTuple):
    """The call that a result answers: its id, and the name of its tool, as far as the result says them."""

    id: str | None
    name: str | None


def results_of(message: Any) -> list[ResultOf]:
    """What the results in a message answer, in either spelling."""
    if message.role == "tool":
        return [ResultOf(message.tool_call_id, message.name)]
    content: str | tuple[Any, ...] = message.content if message.role == "user" else ()
    parts = content if isinstance(content, tuple) else ()
    return [ResultOf(part.tool_use_id, part.name) for part in parts if part.type == "tool_result"]


class _Finding:
    """The units found so far."""

    def __init__(self, answered: Sequence[bool]) -> None:
        self.spans: list[Span] = []
        self.answered = answered
        self.speaker: UnitRole | None = None
        """Whose turn it is, system text aside."""
        self.resumed = False
        """Whether results have arrived in the last unit, so that the assistant's next words are a new round."""
        self.bound: set[str | None] = set()
        """Who signed reasoning of the assistant's turn so far."""

    def add(self, i: int, message: Message) -> None:
        """Put the next message into the last unit, or begin one."""
        results = bool(results_of(message))
        role = self._role(message, results=results)
        leading, signers = _signers(message)
        is_blank = role is None and self.speaker is not None
        is_new_round = self.resumed and message.role == "assistant" and self.bound <= leading
        if self.answered[i] or is_blank:
            self._join(i)
        elif role == "system":
            self.spans.append(Span("system", i, i + 1))
        elif role != "assistant":
            self._add_user(i, message)
        elif self.speaker == "assistant" and not is_new_round:
            self._join(i)
        else:
            self.spans.append(Span("assistant", i, i + 1))
            self.speaker = "assistant"
            self.resumed = False
        self.bound |= signers
        self.resumed = self.resumed or results

    def _role(self, message: Message, *, results: bool) -> UnitRole | None:
        """Whose turn a message is; None for one that says nothing."""
        if is_system(message):
            return "system"
        if results or message.role in ("assistant", "opaque"):
            return "assistant"
        return "user" if says_something(message) else None

    def _add_user(self, i: int, message: Message) -> None:
        self.speaker = "user"
        self.bound = set()
        last = self.spans[-1] if self.spans else None
        if last is not None and last.role == "user" and message.role == "user":
            self._join(i)
        else:
            self.spans.append(Span("user", i, i + 1))

    def _join(self, i: int) -> None:
        """Add a message to the last unit that is not system text, with the system text in between."""
        while self.spans[-1].role == "system":
            self.spans.pop()
        self.spans[-1] = self.spans[-1]._replace(end=i + 1)


def says_something(message: Any) -> bool:
    """Whether a message of the user has more than blank text."""
    content: str | tuple[Any, ...] = message.content
    if isinstance(content, str):
        return bool(content) and not content.isspace()
    return any(part.type not in ("text", "opaque") or (part.type == "text" and part.text.strip()) for part in content)


def _signers(message: Message) -> tuple[set[str | None], set[str | None]]:
    """Who signed what an assistant message begins with, or calls; and who signed anything in it."""
    leading: set[str | None] = set()
    signers: set[str | None] = set()
    leads = True
    pieces: list[tuple[str, Any]] = content_of(message, "") if message.role == "assistant" else []
    for _, piece in pieces:
        if isinstance(piece, str):
            leads = False
            continue
        kind = piece_kind(piece)
        thinks = kind in ("thinking", "redacted_thinking")
        leads = leads and thinks
        if kind == "redacted_thinking" or getattr(piece, "signature", None) is not None:
            signers.add(piece.issuer)
            if leads or not thinks:
                leading.add(piece.issuer)
    return leading, signers


# Messages


def is_system(message: Message) -> bool:
    """Whether a message is system text."""
    return message.role in ("system", "developer")


def joins(first: Message, second: Message) -> bool:
    """Whether two neighbouring messages are both of the user, or both of the assistant."""
    return first.role == second.role and first.role in ("user", "assistant")


def joined(run: Sequence[Any]) -> Message:
    """Messages of the user, or of the assistant, as one; if they have other fields, those of the first count."""
    first: Message = run[0]
    if len(run) == 1:
        return first
    kept: dict[str, Any] = {}
    for message in run:
        kept = {name: getattr(message, name) for name in message.model_fields_set - _CONTENT_FIELDS} | kept
    if run[-1].cache_control is not None:
        kept["cache_control"] = run[-1].cache_control
    content = tuple(part for message in run for part in message.parts if part.type != "text" or part.text)
    made: Message = type(run[0])(**kept, content=content)
    return made


_CONTENT_FIELDS = frozenset({"content", "reasoning_content", "thinking_blocks", "refusal", "tool_calls"})
_REASONING = ("thinking", "redacted_thinking")


def without_reasoning(message: Message) -> Message | None:
    """A message without its reasoning; itself if it has none, and None if it says nothing else."""
    if message.role != "assistant" or not any(part.type in _REASONING for part in message.parts):
        return message
    kept = {name: getattr(message, name) for name in message.model_fields_set - {"reasoning_content", "thinking_blocks"}}
    content: str | tuple[Any, ...] | None = kept.get("content")
    if isinstance(content, tuple):
        kept["content"] = tuple(part for part in content if part.type not in _REASONING)
    left = AssistantMessage(**kept)
    has_content = left.content or left.refusal is not None or left.tool_calls
    return left if has_content else None
