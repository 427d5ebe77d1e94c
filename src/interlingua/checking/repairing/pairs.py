"""Pairs of calls and results: moves results after their call, and leaves out or answers a call or result without a partner.

`pairs_of` goes through the messages once and pairs by id, or by order where there is no id. `_Fixing` then decides for each
message with calls what goes and what moves, and builds the new list of messages at the end. It treats only the units of the
history in which `check` has found a problem.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ...model.base import members
from ...model.messages import Message, ToolMessage, UserMessage, content_of, is_call
from ...model.parts import ResultContentPart, ToolResultPart
from ...model.turns import spans
from .draft import GONE, Draft, FieldValue

Policy: TypeAlias = Literal["drop", "placeholder"]
"""What becomes of a call without a result: it goes, with its whole message and the results of the other calls in it; or it gets
a result that says that there is none."""

PLACEHOLDER = "[No result: the call was interrupted.]"
"""The content of the result that `policy="placeholder"` adds."""


@dataclass
class Call:
    """A call, and its result."""

    message: int
    at: str
    value: Any
    result: Result | None = None

    @property
    def id(self) -> str | None:
        id: str | None = self.value.id
        return id


@dataclass
class Result:
    """A result, and the call that it answers."""

    message: int
    at: str
    value: Any
    """The tool message, or the part."""
    call: Call | None = None

    @property
    def id(self) -> str | None:
        value: ToolMessage | ToolResultPart = self.value
        return value.tool_call_id if isinstance(value, ToolMessage) else value.tool_use_id


@dataclass
class Pairs:
    """The calls and results of a history, in order, by the index of their message."""

    calls: defaultdict[int, list[Call]] = field(default_factory=lambda: defaultdict(list))
    results: defaultdict[int, list[Result]] = field(default_factory=lambda: defaultdict(list))

    def all_calls(self) -> list[Call]:
        """All calls."""
        return [call for calls in self.calls.values() for call in calls]

    def all_results(self) -> list[Result]:
        """All results."""
        return [result for results in self.results.values() for result in results]


def pairs_of(messages: Sequence[Message]) -> Pairs:
    """Pair each result with the latest call of its id that has none, else with a later one; those without an id in order."""
    found = Pairs()
    matching = _Matching()
    for i, message in enumerate(messages):
        for result in results_in(message, i):
            found.results[i].append(result)
            matching.answer(result)
        for call in calls_in(message, i):
            found.calls[i].append(call)
            matching.begin(call)
    matching.finish()
    return found


def calls_in(message: Any, i: int) -> list[Call]:
    """The calls of a message."""
    if message.role != "assistant":
        return []
    at = f"/messages/{i}"
    return [Call(i, path, piece) for path, piece in content_of(message, at) if is_call(piece)]


def results_in(message: Any, i: int) -> list[Result]:
    """The results in a message, in either spelling."""
    at = f"/messages/{i}"
    if message.role == "tool":
        return [Result(i, at, message)]
    content: FieldValue = None if message.role == "opaque" else message.content
    if not isinstance(content, tuple):
        return []
    return [Result(i, f"{at}/content/{n}", part) for n, part in enumerate(content) if part.type == "tool_result"]


class _Matching:
    """The calls without a result so far."""

    def __init__(self) -> None:
        self.open: dict[str, list[tuple[int, deque[Call]]]] = defaultdict(list)
        """By id, and by message: the latest message answers first, and in it the first call."""
        self.step: defaultdict[str | None, deque[Call]] = defaultdict(deque)
        """The calls since the last results, all of them and by name, which results without an id answer in order."""
        self.answered = False
        self.early: list[Result] = []
        """The results whose call may come later."""
        self.unnamed: list[tuple[Result, deque[Call]]] = []
        """The results with an empty id, each with the calls that it may answer if no other result does."""

    def begin(self, call: Call) -> None:
        if self.answered:
            self.step = defaultdict(deque)
            self.answered = False
        self.step[None].append(call)
        self.step[call.value.name].append(call)
        if call.id:
            waiting = self.open[call.id]
            if not waiting or waiting[-1][0] != call.message:
                waiting.append((call.message, deque()))
            waiting[-1][1].append(call)

    def answer(self, result: Result) -> None:
        self.answered = True
        if result.id == "":
            self.unnamed.append((result, self.step[None]))
            return
        call = _first(self.step[result.value.name]) if result.id is None else self._with_id(result.id)
        if call is not None:
            _pair(call, result)
        else:
            self.early.append(result)

    def _with_id(self, id: str) -> Call | None:
        waiting = self.open.get(id, [])
        while waiting:
            _, calls = waiting[-1]
            call = _first(calls)
            if call is not None:
                return call
            waiting.pop()
        return None

    def finish(self) -> None:
        """Pair the results that answer no earlier call with later calls of their ids, and those with an empty id in order."""
        left: dict[str, deque[Call]] = {}
        for id, waiting in self.open.items():
            left[id] = deque()
            for _, calls in waiting:
                left[id].extend(calls)
        for result in self.early:
            call = _first(left.get(result.id or "", deque()))
            if call is not None and call.message > result.message:
                _pair(call, result)
        for result, calls in self.unnamed:
            if (call := _first(calls)) is not None:
                _pair(call, result)


def _pair(call: Call, result: Result) -> None:
    call.result = result
    result.call = call


def _first(calls: deque[Call]) -> Call | None:
    """The first of the calls that has no result; it and those before it are removed."""
    while calls:
        call = calls.popleft()
        if call.result is None:
            return call
    return None


# The repair


def fix_pairs(draft: Draft, found: Mapping[str, str], policy: Policy) -> bool:
    """Put results after their calls; leave out results without a call, and leave out or answer calls without a result.

    `found` has the codes of problems by pointer; only their units are repaired. Returns whether anything changed.
    """
    return (
        leave_out_misplaced(draft, found)
        or _Fixing(draft, found, policy).run()
        or _leave_out(draft, _misplaced_before(draft, found))
    )


def leave_out_misplaced(draft: Draft, found: Mapping[str, str]) -> bool:
    """Leave out the calls with problems that are not the assistant's."""
    return _leave_out(draft, {pointer: code for at, code in found.items() for pointer in _misplaced(draft, at)})


def _leave_out(draft: Draft, calls: Mapping[str, str]) -> bool:
    for pointer, code in calls.items():
        draft.note(code, pointer, "a tool call that is not in an assistant message is left out", gone=True)
    draft.edit(dict.fromkeys(calls, lambda _: GONE))
    return bool(calls)


def _misplaced_before(draft: Draft, found: Mapping[str, str]) -> dict[str, str]:
    """The calls before problems that are not the assistant's: providers that do not pair by id count them too."""
    places = {int(at.split("/")[2]): code for at, code in found.items() if at.startswith("/messages/")}
    last = max(places, default=0)
    return {at: places[last] for i in range(last) for at in _misplaced(draft, f"/messages/{i}")}


def _misplaced(draft: Draft, pointer: str) -> list[str]:
    """The calls at a pointer, or in the message there, if that message is not the assistant's."""
    tokens = pointer.split("/")
    if tokens[1:2] != ["messages"] or len(tokens) == 2:
        return []
    at = "/".join(tokens[:3])
    message: Any = draft.messages[int(tokens[2])]
    content: FieldValue = None if message.role in ("assistant", "opaque") else message.content
    if not isinstance(content, tuple):
        return []
    if pointer == at:
        return [f"{at}/content/{i}" for i, part in enumerate(content) if part.type == "tool_use"]
    if tokens[3] != "content" or len(tokens) != 5 or int(tokens[4]) >= len(content):
        return []
    return [pointer] if content[int(tokens[4])].type == "tool_use" else []


class _Fixing:
    """The repair of some units of a draft."""

    def __init__(self, draft: Draft, found: Mapping[str, str], policy: Policy) -> None:
        self.draft = draft
        self.policy = policy
        self.messages = draft.messages
        self.pairs = pairs_of(self.messages)
        self.code: dict[int, str] = {}
        """The code of the problem that a message's unit has."""
        reported: dict[int, str] = {}
        for pointer, code in found.items():
            if pointer.startswith("/messages/"):
                reported.setdefault(int(pointer.split("/")[2]), code)
        last: str | None = None
        for span in spans(self.messages):
            codes = [reported[i] for i in range(span.start, span.end) if i in reported]
            if codes:
                last = codes[0]
            elif span.role != "system":
                last = None  # providers that do not pair by id count results in system text as those of the unit before it
            if last is not None:
                self.code |= {i: reported.get(i, last) for i in range(span.start, span.end)}
        self.taken: dict[int, set[int]] = defaultdict(set)
        """The results, by id of the object, that leave their place in a message, or go."""
        self.behind: dict[int, list[Any]] = {}
        """The messages to be put after one, instead of its results."""
        self.changed = False

    def run(self) -> bool:
        """Repair the units; whether anything changed."""
        self._drop_orphans()
        dropped: set[int] = set()
        for i, calls in self.pairs.calls.items():
            holders = [call.result.message for call in calls if call.result is not None]
            codes = [self.code[message] for message in (i, *holders) if message in self.code]
            if not codes:
                continue
            code = codes[0]
            if self.policy == "drop" and any(call.result is None for call in calls):
                dropped.add(i)
                self._drop(i, calls, code)
            else:
                self._order(i, calls, code)
        if self.changed:
            self.draft.set_messages(list(self._arranged(dropped)))
        return self.changed

    def _drop_orphans(self) -> None:
        answered = {call.id for call in self.pairs.all_calls() if call.result is not None}
        for result in self.pairs.all_results():
            if result.call is None and result.message in self.code:
                twice = result.id is not None and result.id in answered
                reason = "its call has another result" if twice else "its call is missing"
                self._take(result)
                self._note(self.code[result.message], result.at, f"the tool result is left out: {reason}", gone=True)

    def _drop(self, i: int, calls: Sequence[Call], code: str) -> None:
        self._note(code, f"/messages/{i}", "the message is left out, because a tool call in it has no result", gone=True)
        for call in calls:
            if call.result is not None:
                self._take(call.result)
                self._note(code, call.result.at, "the tool result is left out with its call", gone=True)

    def _order(self, i: int, calls: Sequence[Call], code: str) -> None:
        """Put the results of a message's calls right after it."""
        results = [call.result for call in calls if call.result is not None]
        results.sort(key=lambda result: result.message)
        missing = [call for call in calls if call.result is None]
        moved = self._moved(i, results)
        if not moved and not all(isinstance(result.value, ToolMessage) for result in results):
            # Parts must be in one message.
            moved = [result for result in results if result.message != results[0].message]
        if not missing and not moved:
            return
        for call in missing:
            self._note(code, call.at, "the tool call gets a placeholder as its result")
        for result in moved:
            self._note(code, result.at, "the tool result is moved directly after its call")
        for result in results:
            self._take(result)
        self.behind[i] = self._messages_of(i, results, missing, code)

    def _take(self, result: Result) -> None:
        self.taken[result.message].add(id(result.value))

    def _note(self, code: str, pointer: str, message: str, *, gone: bool = False) -> None:
        self.draft.note(code, pointer, message, gone=gone)
        self.changed = True

    def _moved(self, i: int, results: Iterable[Result]) -> list[Result]:
        """The results that must be moved: they are not right after the message, or in a message of another role than usual."""
        moved: list[Result] = []
        at = i + 1
        for result in results:
            while at < result.message and self._leaves(at):
                at += 1
            is_elsewhere = not i <= result.message <= at
            has_another_role = self.messages[result.message].role not in ("user", "tool")
            if is_elsewhere or has_another_role:
                moved.append(result)
            elif isinstance(result.value, ToolMessage):
                at = result.message + 1
        return moved

    def _leaves(self, i: int) -> bool:
        """Whether all of a message leaves its place."""
        message = self.messages[i]
        if isinstance(message, ToolMessage):
            return id(message) in self.taken[i]
        content: FieldValue = None if message.role == "opaque" else message.content
        return isinstance(content, tuple) and content != () and all(id(part) in self.taken[i] for part in content)

    def _messages_of(self, i: int, results: Sequence[Result], missing: Sequence[Call], code: str) -> list[Any]:
        """The results as messages: of tools if all are, else as one of the user, with the other parts of that message."""
        in_parts = [result.message for result in results if not isinstance(result.value, ToolMessage)]
        if not in_parts:
            return [*(result.value for result in results), *map(self._placeholder, missing)]
        parts = [self._as_part(result.value, result.at, code) for result in results]
        parts += [self._as_part(self._placeholder(call), call.at, code) for call in missing]
        first = in_parts[0]
        holder: Any = self.messages[first]
        rest = [part for part in holder.content if part.type != "tool_result"]
        if holder.role != "user" or not all(map(self._leaves, range(i + 1, first))):
            return [UserMessage(content=tuple(parts))]
        self.taken[first] |= set(map(id, rest))
        made = holder.replace(content=(*parts, *rest))
        self.draft.adopt(made, *self.draft.origins(holder))
        return [made]

    def _as_part(self, result: ToolMessage | ToolResultPart, at: str, code: str) -> ToolResultPart:
        """A result as a part, without what only a message may hold."""
        if isinstance(result, ToolResultPart):
            return result
        content: FieldValue = result.content
        if isinstance(content, tuple):
            kinds = members(ResultContentPart)
            reason = "the part is left out, because a tool result cannot have it"
            for k, part in enumerate(content):
                if not isinstance(part, kinds):
                    self._note(code, f"{at}/content/{k}", reason, gone=True)
            content = tuple(part for part in content if isinstance(part, kinds))
        changes: dict[str, Any] = {"content": content}
        made = result.replace(**changes).result
        self.draft.adopt(made, *self.draft.origins(result))
        return made

    def _arranged(self, dropped: set[int]) -> Iterable[Any]:
        for i, message in enumerate(self.messages):
            if i not in dropped:
                taken = self.taken.get(i)
                left = self._left(message, taken) if taken else message
                if left is not GONE:
                    yield left
            yield from self.behind.get(i, ())

    def _left(self, message: Any, taken: set[int]) -> Any:
        if isinstance(message, ToolMessage):
            return GONE
        content = tuple(part for part in message.content if id(part) not in taken)
        if not content:
            return GONE
        made = message.replace(content=content)
        self.draft.adopt(made, *self.draft.origins(message))
        return made

    def _placeholder(self, call: Call) -> ToolMessage:
        """A result that says that there is none; of a call without an id it has the name."""
        partner: dict[str, Any] = {"name": call.value.name} if call.id is None else {"tool_call_id": call.id}
        made = ToolMessage(**partner, content=PLACEHOLDER)
        self.draft.adopt(made, *self.draft.origins(call.value))
        return made
