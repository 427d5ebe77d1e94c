"""Writes conversations for formats whose messages are lists of parts.

A format says how its parts, calls and results look (`Turns`). This module does what such formats share: it reads both spellings
of a message, joins tool results into one user message, moves system text out of the list, drops messages that come out empty,
and writes content as one text or as a list. Every function gets the pointer of its input in the canonical request (`path`), the
pointer of its output (`at`), and the dump with the rules for this message (`d`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias

from ..model.base import Json
from ..model.messages import content_of
from .dump import NOTHING_LEFT, Dump
from .fields import Content, Wire, spelling
from .hosted.code_runs import CodeRuns

_ALTERNATE = "roles must alternate: the message joins the one before it"
_TOGETHER = "the results of all calls of a turn must be in one message: the message joins the one before it"

Lift: TypeAlias = Callable[[Wire, Any, Sequence[Any]], None]
"""Writes leading messages, whose system text leaves the list, to a body."""


class ResultRun:
    """The last message written, if others may join it because it has a run of tool results or because roles must alternate."""

    message: Wire | None = None
    results_join: bool = False
    """Whether only more results may join it, because a user message has brought results."""


def _has_frame(message: Any) -> bool:
    """Whether a message has anything besides its content that `Turns.frame` writes or reports."""
    return message.name is not None or message.cache_control is not None or message.provider_data is not None


class BlockDump(Dump):
    """A dump to a format whose messages are lists of parts."""

    content = "keep"
    """How content is written: as it was loaded, as one `string` if it is only text, or always as a `list`."""
    code_runs: CodeRuns | None = None
    """The code of other providers' servers in the current message; None before the first."""

    def begin(self) -> None:
        """Start without a message that others may join."""
        self.run = ResultRun()

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, in which `copied` replaces the messages written so far."""
        made = super().fork(written, copied)
        made.run = ResultRun()
        if written and self.run.message is written[-1]:
            made.run.message = copied[-1]
            made.run.results_join = self.run.results_join
        return made


@dataclass(frozen=True, eq=False)
class Turns:
    """How one format writes messages that are lists of parts."""

    part: Callable[[Any, str, str, Any, str], Wire | list[Wire] | None]
    call: Callable[[Any, Any, str, str, Any], Wire | list[Wire]]
    result: Callable[[Any, str, str, Any], Wire | list[Wire]]
    frame: Callable[[Any, Wire, str, str, Any], None]
    """Writes the fields of a message other than its content."""
    text: Callable[[str], Wire]
    content: str = "content"
    roles: Mapping[str, str] = field(default_factory=lambda: {"user": "user", "assistant": "assistant"})
    later_system: bool = False
    """Whether a later system message keeps its role if the profile allows it; otherwise it becomes a user message."""
    blank: Callable[[str], bool] | None = None
    """Whether a text is refused, besides the empty text."""
    respell: Callable[[Wire, str, str, Any], None] | None = None
    """Rewrites content in the form that the dump's `content` names, unless that is `keep`."""
    exactly: Callable[[Any, Wire], Any] | None = None
    """Writes a message that is dumped exactly in the spelling that its record has."""
    end: Callable[[list[Wire], str, str, Any], None] | None = None
    """Removes parts that must not end an answer; gets the parts, the path of the answer, and the prefix of their pointers."""
    order: Callable[[list[tuple[str, Any]], str, Any], list[tuple[str, Any]]] | None = None
    """The order of an answer's content, given as paths and parts, where the target refuses another; reports what it moves."""
    one_text: bool = False
    """Whether content may be a single text instead of a list."""
    joins: Literal["results", "role"] | None = None
    """What must join: the results of one turn, and a user message behind tool messages; or all messages of one role."""

    def write(self, messages: Sequence[Any], start: int, out: list[Wire], base: BlockDump, most: int | None = None) -> None:
        """Append `most` messages from `start` in wire form; consecutive tool messages become one user message."""
        under = f"/{base.target.listed}/"
        content = self.content
        same_format = base.same_format
        run = base.run
        places = base.places
        respell = self.respell if base.content != "keep" else None
        exactly = self.exactly
        for i in range(start, len(messages))[:most]:
            message = messages[i]
            role = message.role
            path = f"/messages/{i}"
            d = base.rules_for(message) if same_format or message.wire is not None else base
            if role == "tool":
                self._add_result(message, path, under, out, d)
                continue
            at = f"{under}{len(out)}"
            if role == "opaque":
                self._add_opaque(message, path, at, out, d)
                continue
            if run.message is not None and self._joins_run(message, role, run.message, d):
                self._join_run(message, path, f"{under}{len(out) - 1}", run.message, d)
                continue
            written = (
                self.answer(message, path, at, d) if role == "assistant" else self._other_message(message, role, path, at, d)
            )
            if not (written[content] or d.exact):
                d.drop(path, NOTHING_LEFT)
                continue
            places[at] = path
            run.message = written if not d.exact and self._begins_run(message, role, run) else None
            if respell is not None and not d.exact:
                respell(written, path, at, d)
            if _has_frame(message):
                self.frame(message, written, path, at, d)
            out.append(exactly(message, written) if exactly is not None and d.exact and message.wire else written)

    # System text that leaves the list

    def write_all(self, messages: Sequence[Any], out: list[Wire], d: BlockDump, lift: Lift, body: Wire) -> None:
        """Write the messages of a request; `lift` writes to the body the leading messages whose system text leaves the list."""
        count = count_lifted(messages, d)
        self.write(messages, count, out, d)
        while count and not out and not d.same_format:
            # A request must have a message, so the last system text becomes a user message.
            count -= 1
            self.write(messages, count, out, d, most=1)
        if count:
            # The system text is written last, because its extent depends on the messages; its losses are reported first.
            losses = d.losses.copy()
            d.losses.clear()
            lift(body, d, messages[:count])
            d.losses += losses

    def lift(self, messages: Sequence[Any], holder: Wire, at: str, place: str, base: BlockDump) -> list[Any]:
        """Append the content of leading system messages to the parts of `holder`, at `at`; they become one message, at `place`.

        Returns the messages that are not empty.
        """
        parts: list[Wire] = holder[self.content]
        lifted: list[Any] = []
        origins: list[tuple[str, int]] = []
        for i, message in enumerate(messages):
            path = f"/messages/{i}"
            count = len(parts)
            d = base.rules_for(message) if base.same_format or message.wire is not None else base
            self.add(message, path, at, d, parts, of="system")
            if len(parts) == count and not d.exact:
                d.drop(path, NOTHING_LEFT)
                continue
            d.places.setdefault(place, path)
            lifted.append(message)
            origins.append((path, count))
            if _has_frame(message):
                self.frame(message, holder, path, at, d)
        if len(lifted) > 1:
            for path, count in origins:
                here = f"{at}/{self.content}/{count}"
                base.report("changed", path, here, "the leading system messages become one system prompt")
        elif lifted and lifted[0].role == "developer":
            base.report("changed", origins[0][0], place, f"{base.target.name} has no developer role: it becomes system text")
        return lifted

    def _other_message(self, message: Any, role: str, path: str, at: str, d: BlockDump) -> Wire:
        text = message.content
        word = self.roles.get(role)
        if word is None and self._stays(message, d):
            word = role
        elif word is None:
            d.report(
                "changed", path, at, f"{d.target.name} does not take a {role} message in this place: it becomes a user message"
            )
            word = self.roles["user"]
            d = d.by_rules()
        if not (self.one_text and type(text) is str):
            return {"role": word, self.content: self.add(message, path, at, d, [])}
        return {"role": word, self.content: "" if self._refuses(text, d) else text}

    def _add_opaque(self, message: Any, path: str, at: str, out: list[Wire], d: BlockDump) -> None:
        if (opaque := d.own_value(message, path, "message")) is not None:
            d.places[at] = path
            d.run.message = None
            out.append(opaque)

    # Assistant messages

    def answer(self, message: Any, path: str, at: str, d: BlockDump) -> Wire:
        """An assistant message with its role and content, which may be empty, and no other fields."""
        text: Content = message.content
        word = self.roles["assistant"]
        beside = message.reasoning_content is not None or message.refusal is not None
        if self.one_text and type(text) is str and not (beside or message.thinking_blocks or message.tool_calls):
            return {"role": word, self.content: "" if self._refuses(text, d) else text}
        parts = self.add(message, path, at, d, [])
        if self.end is not None and not d.exact:
            self.end(parts, path, f"{at}/{self.content}/", d)
        alone = f"{at}/{self.content}/0"
        is_text_alone = type(text) is str and len(parts) == 1
        if self.one_text and is_text_alone and d.places.get(alone) == path + "/content":
            del d.places[alone]
            return {"role": word, self.content: text}
        return {"role": word, self.content: parts}

    # Parts

    def add(self, message: Any, path: str, at: str, d: BlockDump, parts: list[Wire], *, of: str | None = None) -> list[Wire]:
        """Append the content of a message to `parts`, in order but tool results first; `of` replaces the message's role."""
        role: str = of or message.role
        under = f"{at}/{self.content}/"
        pieces = content_of(message, path)
        if role == "user" and not d.exact and _holds_results(message):
            pieces = _results_first(pieces, at, d)
        elif self.order is not None and role == "assistant" and not d.exact:
            pieces = self.order(pieces, at, d)
        for where, piece in pieces:
            here = f"{under}{len(parts)}"
            written = self._text(piece, where, here, d, role) if type(piece) is str else self.piece(piece, where, here, d, role)
            if isinstance(written, list):  # the part, and parts that go with it
                parts += written
            elif written is not None:
                parts.append(written)
        return parts

    def piece(self, piece: Any, where: str, here: str, d: BlockDump, role: str) -> Wire | list[Wire] | None:
        """A part in wire form, or a call of a flat message; None, with a report, if the target cannot have it."""
        if "type" in vars(piece):
            return self.part(piece, where, here, d, role)
        return self.call(piece, piece.arguments, where, here, d)

    def _text(self, text: str, where: str, here: str, d: BlockDump, role: str) -> Wire | None:
        if not self._refuses(text, d):
            d.places[here] = where
            return self.text(text)
        if text and role == "assistant":
            d.drop(where, f"{d.target.name} refuses blank text: it is left out")
        return None

    def _refuses(self, text: str, d: BlockDump) -> bool:
        return not d.exact and (not text or (self.blank is not None and self.blank(text)))

    # Tool results

    def _add_result(self, message: Any, path: str, under: str, out: list[Wire], d: BlockDump) -> None:
        """Write a tool message as a part of the user message for its run of results."""
        run = d.run.message
        if run is None or run["role"] != self.roles["user"]:
            begun: Wire = {"role": self.roles["user"], self.content: []}
            run = d.run.message = begun
            d.run.results_join = False
            d.places[f"{under}{len(out)}"] = path
            out.append(run)
        at = f"{under}{len(out) - 1}/{self.content}/{len(run[self.content])}"
        d.places[at] = path
        written = self.result(message, path, at, d)
        results = written if isinstance(written, list) else (written,)  # the result, and parts that go with it
        if _has_frame(message):
            self.frame(message, results[0], path, at, d)
        run[self.content] += results

    def _begins_run(self, message: Any, role: str, run: ResultRun) -> bool:
        """Whether others may join a message, unless it is native."""
        if self.joins != "results":
            return self.joins == "role"
        run.results_join = role == "user" and _is_of_results(message)
        return run.results_join

    def _joins_run(self, message: Any, role: str, run: Wire, d: BlockDump) -> bool:
        """Whether a message joins the one before it; a native message does not."""
        if self.joins == "role":
            return not d.exact and run["role"] == self.roles.get(role, self.roles["user"]) and not self._stays(message, d)
        if role != "user" or self.joins is None or d.exact:
            return False
        return _holds_results(message) or not d.run.results_join

    def _stays(self, message: Any, d: BlockDump) -> bool:
        """Whether a system message after the first messages keeps its role."""
        if message.role != "system" or not self.later_system:
            return False
        return (
            spelling(message, "system") == "message"
            if d.exact
            else bool(getattr(d.target.profile, "system_in_conversation", False))
        )

    def _join_run(self, message: Any, path: str, at: str, run: Wire, d: BlockDump) -> None:
        """Join a message with the one before it, which has only tool results or the same role."""
        parts: list[Wire] = run[self.content]
        count = len(parts)
        self.add(message, path, at, d, parts)
        if len(parts) == count:
            d.drop(path, NOTHING_LEFT)
            return
        if d.places[at] != d.places.get(f"{at}/{self.content}/0") or message.role not in self.roles:
            d.report("changed", path, at, _ALTERNATE if self.joins == "role" else _TOGETHER)
        else:  # that has only results
            d.places[at] = path
        self.frame(message, run, path, at, d)
        if self.joins == "results":
            d.run.results_join = True
            if not _is_of_results(message):
                d.run.message = None


def lead(lift: Lift, messages: Sequence[Any], out: Wire, d: BlockDump) -> int:
    """`Steps.lead` for a format whose system text leaves the list; `lift` writes the leading messages."""
    if count := count_lifted(messages, d):
        lift(out, d, messages[:count])
    return count


def count_lifted(messages: Sequence[Any], d: BlockDump) -> int:
    """The number of leading messages whose system text leaves the list."""
    if d.same_format:
        return int(bool(messages) and messages[0].role == "system" and spelling(messages[0], "system") != "message")
    count = 0
    for message in messages:
        if message.role not in ("system", "developer"):
            break
        count += 1
    return count


def is_silent(message: Any) -> bool:
    """Whether a message has no content and no other fields."""
    if message.content is not None or message.reasoning_content is not None or message.refusal is not None:
        return False
    return not (message.thinking_blocks or message.tool_calls)


def _holds_results(message: Any) -> bool:
    content: Content = message.content
    return type(content) is tuple and "tool_result" in [part.type for part in content]


def _is_of_results(message: Any) -> bool:
    """Whether a user message has tool results alone."""
    content: Content = message.content
    return type(content) is tuple and all(part.type == "tool_result" for part in content)


def _results_first(pieces: list[tuple[str, Any]], at: str, d: BlockDump) -> list[tuple[str, Any]]:
    last = max(i for i, (_, part) in enumerate(pieces) if part.type == "tool_result")
    for where, part in pieces[:last]:
        if part.type != "tool_result":
            d.report("moved", where, at, "tool results must come first in their message")
    return sorted(pieces, key=lambda piece: piece[1].type != "tool_result")  # keeps the order otherwise


def trim_end(written: list[Wire], messages: Sequence[Any], d: Dump) -> None:
    """Trim white space at the end of a final assistant message, because the server refuses it; a native message keeps it."""
    if not written or written[-1].get("role") != "assistant":
        return
    if d.same_format and messages and d.rules_for(messages[-1]).exact:
        return
    holder = written[-1]
    key = "content"
    under = f"/messages/{len(written) - 1}"
    content: list[Json] | str | None = holder.get("content")
    at = under + "/content"
    path = d.places.get(under, "") + "/content"
    if isinstance(content, list) and content and isinstance(content[-1], dict):
        holder = content[-1]
        key = "text"
        at = f"{at}/{len(content) - 1}"
        path = d.places.get(at, path)
    text: Json = holder.get(key) if holder.get("type", "text") == "text" else None
    if type(text) is str and text != text.rstrip():
        holder[key] = text.rstrip()
        if not any(loss.path == path and loss.kind == "changed" for loss in d.losses):  # unless a refusal became text there
            d.report("changed", path, at, "a final assistant text must not end in white space: it is trimmed")
