"""Writing streams of Chat Completions: events into chunks that the official client folds into the message they make.

A message that goes home is written as it was told, fields without canonical meaning included; elsewhere the host's profile
decides, as for whole responses. What grows is written as it comes; the rest of a message when it is whole, as a client that
adds up deltas can take it once only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ...codec.fields import Wire, copy_wire, lay_over
from ...codec.format import Format
from ...errors import Loss, escape
from ...model.base import Json
from ...model.events import (
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
    merge,
)
from .base import FAMILY, LONGEST_NAME, RESPONSE_FIELDS, ChatDump
from .profiles import ChatProfile
from .reasoning import DETAIL_FORMATS, block_field, plain_fields
from .responses import CHOICE_FIELDS, CHUNK_OBJECT, COUNTS, FRAME_FIELDS, STOPS


class _WrittenPart:
    """A part that is being written: where it stands in the folded response, and at which place of its list it is written."""

    def __init__(self, kind: str, path: str, position: int = 0) -> None:
        self.kind = kind
        self.path = path
        self.position = position
        self.listed = False
        self.summary = False
        self.label: str | None = None
        self.own: Wire = {}
        self.spelled: Wire = {}
        self.has_text = False
        """Whether a text was written, or arguments."""
        self.held: list[str] | None = None
        """Arguments that are written as the object that they make when they are whole."""
        self.start: ToolUseStart | None = None
        self.place: dict[str, Any] | None = None
        """How the fragments of a call name it; None for a call in the legacy spelling."""


class _WrittenChoice:
    """A choice that is being written."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.path = f"/choices/{number}"
        self.blocks = False
        self.role_due = False
        self.begun = False
        self.stopped = False
        self.parts: dict[int, _WrittenPart] = {}
        self.spelled: Wire = {}
        self.overlay: Wire = {}
        """Fields of the message that are written once, when they are whole."""
        self.beside: Wire = {}
        self.has_content = False
        self.listed = False
        self.told: dict[bool, list[str]] = {True: [], False: []}
        """The reasoning so far, as text and in blocks."""
        self.reasons: dict[str, bool] = {}
        self.second: list[tuple[_WrittenPart, str]] = []
        self.kinds: dict[str, list[str]] = {"text": [], "thinking": [], "call": [], "refusal": [], "opaque": []}
        """The paths of the parts so far, by kind."""
        self.counts: dict[str, int] = {}

    def listed_count(self, name: str) -> int:
        """How many parts stood in a list of the message so far, now that there is one more."""
        number = self.counts.get(name, 0)
        self.counts[name] = number + 1
        return number


class Writing:
    """Writes one stream; `losses` point into the response that the events make."""

    def __init__(self, format: Format, formats: Mapping[str, Format]) -> None:
        self._formats = formats
        self._format = format
        self._profile: ChatProfile = format.profile
        self.losses: list[Loss] = []
        self._dropped: set[str] = set()
        self._early: list[Update] = []
        """What was told of the response before it was told where it comes from."""
        self._frame: Wire = {"object": CHUNK_OBJECT}
        self._once: Wire = {}
        self._stale = False
        self._usage: Wire | None = None
        self._usage_is_written = False
        self._choices: dict[int, _WrittenChoice] = {}
        self._waiting: tuple[_WrittenChoice, int] | None = None
        self._set_out(None)
        self._writers: dict[type[Any], Callable[[Any], list[Wire]]] = {
            MessageStart: self._start,
            TextDelta: self._text,
            ThinkingDelta: self._thinking,
            SignatureDelta: self._signature,
            RedactedThinking: self._redacted,
            RefusalDelta: self._refusal,
            ToolUseStart: self._tool_use_start,
            ArgumentsDelta: self._arguments,
            ToolUse: self._tool_use,
            PartStop: self._part_stop,
            Update: self._update,
            UsageUpdate: self._use,
            Stop: self._stop,
            StreamEnd: self._end,
            OpaqueEvent: self._opaque,
            ErrorEvent: self._error,
        }

    def write(self, event: Event) -> list[Wire]:
        """The chunks that an event becomes."""
        waiting = self._waiting
        if waiting is None:
            return self._writers[type(event)](event)
        choice, index = waiting
        if type(event) is Update and (event.of, event.choice, event.index) == ("part", choice.number, index):
            return self._writers[Update](event)
        self._waiting = None
        part = choice.parts[index]
        begin = {"call": self._begin_call, "redacted": self._encrypted}.get(part.kind, self._begin_block)
        return begin(choice, part) + self._writers[type(event)](event)

    # Frames

    def _set_out(self, origin: str | None) -> None:
        self._home = origin == self._format.name
        source = self._formats.get(origin or "")
        self._d = ChatDump(self._format, source, same_format=self._home, formats=self._formats)
        self._d.losses = self.losses

    def _start(self, event: MessageStart) -> list[Wire]:
        if not self._choices:
            self._set_out(event.origin)
            self._catch_up()
        for key in ("id", "model", "created"):
            if key in event:
                self._frame[key] = event[key]
        choice = self._choice(event.choice)
        choice.blocks = event.spelling == "blocks"
        # At home the role is written where it was; elsewhere a message has one.
        choice.role_due = not self._home
        return []

    def _catch_up(self) -> None:
        early, self._early = self._early, []
        for event in early:
            self._update_response(event.data)

    def _choice(self, number: int) -> _WrittenChoice:
        choice = self._choices.get(number)
        if choice is None:
            choice = self._choices[number] = _WrittenChoice(number)
        return choice

    def _chunk(self, choice: _WrittenChoice, delta: Wire, finish: str | None = None, **beside: Any) -> list[Wire]:
        chunks: list[Wire] = []
        if not choice.begun:
            choice.begun = True
            # The official client finds a choice by its index, and so needs them in their order.
            for number in range(min(choice.number, _MOST_CHOICES)):
                lower = self._choice(number)
                if not lower.begun:
                    chunks += self._chunk(lower, {})
        if choice.role_due:
            choice.role_due = False
            delta = {"role": "assistant", **delta}
        chunks.append(self._framed([{"index": choice.number, "delta": delta, **beside, "finish_reason": finish}]))
        return chunks

    def _framed(self, choices: list[Wire]) -> Wire:
        out: Wire = {key: self._frame[key] for key in ("id", "object", "created", "model") if key in self._frame}
        out["choices"] = choices
        out |= {key: value for key, value in self._frame.items() if key not in out} | self._once
        if self._usage_is_written and self._usage is not None:
            out["usage"] = copy_wire(self._usage)  # the official client keeps that of the last chunk
        self._once = {}
        self._stale = False
        return out

    def _use(self, event: UsageUpdate) -> list[Wire]:
        usage = COUNTS.dump(event.usage, self._drop)
        self._stale = self._stale or usage != self._usage
        self._usage = usage
        self._usage_is_written = self._usage_is_written and not self._stale
        started = [choice for choice in self._choices.values() if choice.begun]
        return self._last() if started and all(choice.stopped for choice in started) else []

    def _last(self) -> list[Wire]:
        """What is left to write of the response as a whole."""
        if not self._stale and not self._once and (self._usage is None or self._usage_is_written):
            return []
        self._usage_is_written = self._usage is not None
        return [self._framed([])]

    def _end(self, _: StreamEnd) -> list[Wire]:
        self._catch_up()
        return self._rest() + self._last()

    def _rest(self) -> list[Wire]:
        """What is left to write of the messages."""
        return [chunk for choice in list(self._choices.values()) for chunk in self._flush(choice)]

    def _error(self, event: ErrorEvent) -> list[Wire]:
        return [*self._rest(), {"error": copy_wire(event.error)}]

    def _stop(self, event: Stop) -> list[Wire]:
        choice = self._choice(event.choice)
        chunks = self._flush(choice)
        finish = None
        if event.stop_reason is not None:
            finish, same = STOPS.dump(
                event.stop_reason, event.native_stop_reason, same_family=self._d.same_family, accepts_any=self._profile.open
            )
            if not same:
                self._tell("changed", f"{choice.path}/stop_reason", f"there is no such reason; {finish} is")
        if event.stop_sequence is not None and not self._home:
            self._drop(f"{choice.path}/stop_sequence", "which sequence was hit is not told here")
        beside, choice.beside = choice.beside, {}
        choice.stopped = True
        return chunks + self._chunk(choice, {}, finish, **beside)

    def _flush(self, choice: _WrittenChoice) -> list[Wire]:
        chunks = self._compare(choice)
        overlay, choice.overlay = choice.overlay, {}
        if overlay or not choice.begun or choice.role_due:
            chunks += self._chunk(choice, overlay)
        return chunks

    def _tell(self, kind: Any, path: str, detail: str) -> None:
        self.losses.append(Loss(path, None, kind, detail))

    def _drop(self, path: str, detail: str) -> None:
        if path not in self._dropped:
            self._dropped.add(path)
            self._tell("dropped", path, detail)

    # Parts

    def _part(self, event: Any, kind: str, listed: str = "content") -> tuple[_WrittenChoice, _WrittenPart, bool]:
        """The choice and the part of an event, and whether the part is new."""
        choice = self._choice(event.choice)
        part = choice.parts.get(event.index)
        if part is not None:
            return choice, part, False
        paths = choice.kinds[kind]
        message = f"{choice.path}/message"
        if choice.blocks:
            path = f"{message}/content/{len(choice.parts)}"
        elif listed == "content":
            path = f"{message}/content/{len(choice.kinds['text']) + len(choice.kinds['opaque'])}"
        elif listed in ("tool_calls", "thinking_blocks"):
            path = f"{message}/{listed}/{choice.listed_count(listed)}"
        else:
            path = f"{message}/{listed}"
        part = choice.parts[event.index] = _WrittenPart(kind, path, len(paths))
        if not self._home and choice.blocks:
            self._order(choice, kind, path)
        paths.append(path)
        return choice, part, True

    def _order(self, choice: _WrittenChoice, kind: str, path: str) -> None:
        """Tell where the order of the parts is lost, or what parts they were."""
        kinds = choice.kinds
        if kind == "text":
            if kinds["call"]:
                self._tell("moved", path, "text stands before the tool calls")
            for joined in (*(kinds["text"] if len(kinds["text"]) == 1 else ()), *((path,) if kinds["text"] else ())):
                self._tell("changed", joined, "its texts are joined into one")
        elif kind == "thinking" and (kinds["text"] or kinds["call"]) and self._profile.reasoning is not None:
            self._tell("moved", path, "reasoning stands before the text and the calls")

    def _text(self, event: TextDelta) -> list[Wire]:
        choice, part, _ = self._part(event, "text")
        if part.listed or choice.listed:
            return self._chunk(choice, {"content": [{"type": "text", "text": event.text}]})
        if not event.text and choice.has_content:
            return []
        choice.has_content = True
        return self._chunk(choice, {"content": event.text})

    def _refusal(self, event: RefusalDelta) -> list[Wire]:
        choice, _, _ = self._part(event, "refusal", "refusal")
        return self._chunk(choice, {"refusal": event.refusal})

    def _opaque(self, event: OpaqueEvent) -> list[Wire]:
        if event.index is None:
            return []
        choice, part, new = self._part(event, "opaque")
        if event.format != FAMILY or not (self._home or self._profile.open):
            self._drop(part.path, f"only {event.format} knows parts of this type")
            return []
        if not new:
            return []  # told again, whole
        choice.has_content = choice.listed = True
        part.own = {"type": event.value.get("type")}
        return self._chunk(choice, {"content": [copy_wire(event.value)]})

    # Reasoning

    def _thinking(self, event: ThinkingDelta) -> list[Wire]:
        in_text = event.field == "text"
        choice, part, new = self._part(event, "thinking", "reasoning_content" if in_text else "thinking_blocks")
        if self._home:
            return self._thinking_home(choice, part, event, new=new)
        field = self._profile.reasoning
        if field is None:
            self._drop(part.path, "there is no place for reasoning")
            return []
        if field == "thinking_blocks":
            delta = {"reasoning_content": event.thinking} if event.field != "block" else {}
            return self._chunk(choice, delta if in_text else delta | self._fragment(choice, part, text=event.thinking))
        if new and field != "reasoning_details":
            self._tell_joined(choice)
        # The text and the blocks may tell the same: what came second waits until that is known.
        choice.told[in_text].append(event.thinking)
        if event.field == "both":
            choice.told[True].append(event.thinking)
        first = choice.reasons.setdefault("first", in_text)
        if first is not in_text:
            choice.second.append((part, event.thinking))
            return []
        return self._reason(choice, part, event.thinking)

    def _thinking_home(self, choice: _WrittenChoice, part: _WrittenPart, event: ThinkingDelta, *, new: bool) -> list[Wire]:
        in_text = event.field == "text"
        part.has_text = part.has_text or in_text
        if not event.thinking:
            # What else the block has comes next.
            self._waiting = (choice, event.index) if new and not in_text else None
            return []
        delta: Wire = dict.fromkeys(self._plain_fields(choice), event.thinking) if event.field != "block" else {}
        return self._chunk(choice, delta if in_text else delta | self._fragment(choice, part, text=event.thinking))

    def _begin_block(self, choice: _WrittenChoice, part: _WrittenPart) -> list[Wire]:
        more = {key: value for key, value in part.own.items() if key != "index"}
        text = None if self._block_field(choice) == "reasoning_details" else ""
        return self._chunk(choice, self._fragment(choice, part, text=text, **copy_wire(more)))

    def _reason(self, choice: _WrittenChoice, part: _WrittenPart, text: str) -> list[Wire]:
        """Reasoning for a host that has one field of it."""
        if not text:
            return []
        field = self._profile.reasoning
        if field == "reasoning_details":
            return self._chunk(choice, self._fragment(choice, part, text=text))
        return self._chunk(choice, {str(field): text})

    def _tell_joined(self, choice: _WrittenChoice) -> None:
        told = choice.kinds["thinking"]
        for path in told if len(told) == 2 else told[-1:] if len(told) > 2 else ():
            if not path.endswith("/reasoning_content"):
                self._tell("changed", path, "all reasoning becomes one text")

    def _compare(self, choice: _WrittenChoice) -> list[Wire]:
        """Write the reasoning that came second, unless it is what came first."""
        second, choice.second = choice.second, []
        if not second:
            return []
        if "".join(choice.told[True]) != "".join(choice.told[False]):
            chunks: list[Wire] = []
            for part, text in second:
                chunks += self._reason(choice, part, text)
            return chunks
        if self._profile.reasoning == "reasoning_details" and choice.reasons["first"]:
            for path in dict.fromkeys(part.path for part, _ in second):
                self._drop(path, "its text was told before it came")
        return []

    def _plain_fields(self, choice: _WrittenChoice) -> tuple[str, ...]:
        return plain_fields(choice.spelled.get("reasoning"), self._profile)

    def _block_field(self, choice: _WrittenChoice) -> str:
        return block_field(choice.spelled.get("thinking") if self._home else None, self._profile)

    def _fragment(self, choice: _WrittenChoice, part: _WrittenPart, text: str | None = None, **more: Any) -> Wire:
        """A fragment of a block of reasoning, as a field of a delta."""
        field = self._block_field(choice)
        details = field == "reasoning_details"
        kind, key = ("reasoning.summary", "summary") if part.summary else ("reasoning.text", "text")
        entry: Wire = {"type": kind} if details else {"type": "thinking"}
        if not self._home:
            entry["index"] = part.position
        elif "index" in part.own:
            entry["index"] = part.own["index"]
        if text is not None:
            entry[key if details else "thinking"] = text
            part.has_text = True
        return {field: [entry | more]}

    def _signature(self, event: SignatureDelta) -> list[Wire]:
        choice, part, _ = self._part(event, "thinking", "thinking_blocks")
        field = self._profile.reasoning
        if self._home:
            return self._chunk(choice, self._fragment(choice, part, signature=event.signature))
        if field is None:
            self._drop(part.path, "there is no place for reasoning")
            return []
        if not event.signature:
            return []
        if field in ("reasoning_content", "reasoning"):
            self._drop(f"{part.path}/signature", "reasoning is text alone")
            return []
        if self._is_foreign(event.issuer):
            self._drop(f"{part.path}/signature", f"only {event.issuer} can verify it")
            return []
        if part.summary and field == "reasoning_details":
            self._drop(f"{part.path}/signature", "summaries are not signed here")
            return []
        if choice.reasons.get("first"):
            # Its text waits, and perhaps for nothing.
            self._drop(f"{part.path}/signature", "it came after a text that is not its own")
            return []
        more: Wire = {"signature": event.signature}
        label = DETAIL_FORMATS.get(event.issuer or "")
        if label is not None and field == "reasoning_details":
            more["format"] = label
        return self._chunk(choice, self._fragment(choice, part, **more))

    def _redacted(self, event: RedactedThinking) -> list[Wire]:
        choice, part, _ = self._part(event, "thinking", "thinking_blocks")
        field = self._block_field(choice)
        if not self._home:
            if self._profile.reasoning not in ("thinking_blocks", "reasoning_details"):
                self._drop(part.path, "only readable reasoning has a place")
                return []
            if self._is_foreign(event.issuer):
                self._drop(part.path, f"only {event.issuer} can read it")
                return []
        details = field == "reasoning_details"
        entry: Wire = {"type": "reasoning.encrypted" if details else "redacted_thinking", "data": event.data}
        part.kind = "redacted"
        part.has_text = True
        if self._home:
            # What else it has comes next, and must stand in the same entry.
            part.own = entry
            self._waiting = (choice, event.index)
            return []
        entry["index"] = part.position
        label = DETAIL_FORMATS.get(event.issuer or "")
        if label is not None and details:
            entry["format"] = label
        return self._chunk(choice, {field: [entry]})

    def _encrypted(self, choice: _WrittenChoice, part: _WrittenPart) -> list[Wire]:
        label = part.spelled.get("format")
        return self._chunk(choice, {self._block_field(choice): [part.own | ({"format": label} if label else {})]})

    def _is_foreign(self, issuer: str | None) -> bool:
        return issuer is not None and not self._profile.signers & {issuer, "*"}

    # Tool calls

    def _tool_use_start(self, event: ToolUseStart) -> list[Wire]:
        choice, part, new = self._part(event, "call", "tool_calls")
        if not new:
            return []
        part.start = event
        if self._home:
            # How the call is spelled comes next.
            self._waiting = (choice, event.index)
            return []
        return self._begin_call(choice, part)

    def _begin_call(self, choice: _WrittenChoice, part: _WrittenPart) -> list[Wire]:
        event = part.start
        assert event is not None  # noqa: S101 -- a call that waits has begun
        entry: Wire = {"index": part.position}
        part.place = {"index": part.position}
        name, legacy = event.name, False
        if self._home:
            legacy = choice.spelled.get("tool_calls") == "function_call"
            if event.id is not None:
                entry["id"] = event.id
        else:
            name = self._d.tool_name(name, part.path, LONGEST_NAME)
            if event.id is not None:
                entry["id"] = self._d.ids.call(event.id, part.path, self._d.source_ids)
            else:
                entry["id"] = self._d.ids.call_without_id(name)
                self._tell("changed", part.path, "tool calls need an id")
        shape = part.spelled.get("call") or self._profile.tool_calls
        given = {"arguments": ""} if part.spelled.get("arguments") != "object" else {}
        if not given:
            part.held = []
        if legacy:
            part.place = None
            body: Wire = {"name": name, **given}
            for key, value in part.own.items():
                lay_over(body, key, value)
            return self._chunk(choice, {"function_call": body})
        if shape == "flat":
            entry |= {"name": name, **given}
            if part.spelled.get("type") == "function":
                entry["type"] = "function"
            if event.custom:
                self._tell("changed", part.path, "a custom tool's call becomes a function's")
        else:
            if part.spelled.get("type") != "other":
                entry["type"] = "custom" if event.custom else "function"
            entry |= {"custom": {"name": name, "input": ""}} if event.custom else {"function": {"name": name, **given}}
        for key, value in part.own.items():
            lay_over(entry, key, value)
        return self._chunk(choice, {"tool_calls": [entry]})

    def _more_call(self, choice: _WrittenChoice, part: _WrittenPart, arguments: Any) -> list[Wire]:
        part.has_text = True
        if part.place is None:
            return self._chunk(choice, {"function_call": {"arguments": arguments}})
        shape = part.spelled.get("call") or self._profile.tool_calls
        custom = part.start is not None and part.start.custom
        if shape == "flat":
            more: Wire = {"arguments": arguments}
        else:
            more = {"custom": {"input": arguments}} if custom else {"function": {"arguments": arguments}}
        return self._chunk(choice, {"tool_calls": [{**part.place, **more}]})

    def _arguments(self, event: ArgumentsDelta) -> list[Wire]:
        choice, part, _ = self._part(event, "call", "tool_calls")
        if part.held is not None:
            part.held.append(event.arguments)
            return []
        return self._more_call(choice, part, event.arguments)

    def _tool_use(self, event: ToolUse) -> list[Wire]:
        choice, part, _ = self._part(event, "call", "tool_calls")
        if part.held is not None:
            text, part.held = "".join(part.held), None
            return self._more_call(choice, part, _as_object(text)) if text else []
        if not part.has_text and not self._d.same_family and not event.custom:
            # Elsewhere a call without arguments may have no text of them; here it is an object without fields.
            return self._more_call(choice, part, event.arguments or "{}")
        return []

    def _part_stop(self, event: PartStop) -> list[Wire]:
        choice = self._choice(event.choice)
        part = choice.parts.get(event.index)
        if part is None or not self._home:
            return []
        if part.kind == "thinking" and not part.has_text and part.spelled.get("text") != "absent":
            return self._chunk(choice, self._fragment(choice, part, text=""))
        return []

    # Fields

    def _update(self, event: Update) -> list[Wire]:
        data = event.data
        if event.of == "response":
            if "origin" in data:
                self._set_out(data["origin"])
                self._catch_up()
            elif not self._choices:
                self._early.append(event)
                return []
            return self._update_response(data)
        if event.of == "part":
            return self._update_part(event, data)
        choice = self._choice(event.choice)
        if event.of == "choice":
            own = self._own(data, choice.path, CHOICE_FIELDS)
            logprobs = own.pop("logprobs", None)
            chunks = self._chunk(choice, {}, logprobs=logprobs) if logprobs is not None else []
            if logprobs is None and "logprobs" in _own_of(data):
                own["logprobs"] = None
            merge(choice.beside, own)
            if choice.stopped and choice.beside:
                beside, choice.beside = choice.beside, {}
                chunks += self._chunk(choice, {}, **beside)
            return chunks
        return self._update_message(choice, data, join=bool(event.join))

    def _update_message(self, choice: _WrittenChoice, data: Wire, *, join: bool) -> list[Wire]:
        choice.spelled |= _spelling_of(data)
        if data.get("role") == "assistant":
            choice.role_due = True
        path = f"{choice.path}/message"
        own = self._own(data, path, RESPONSE_FIELDS)
        delta: Wire = own if join else {}
        if not join:
            merge(choice.overlay, own)
        if "content" in data and not choice.has_content:
            choice.has_content = data["content"] == ""
            delta["content"] = data["content"]
        if data.get("reasoning_content") == "":
            if self._home or self._profile.reasoning == "thinking_blocks":
                delta |= dict.fromkeys(self._plain_fields(choice), "")
            elif self._profile.reasoning in (None, "reasoning_details"):
                self._drop(f"{path}/reasoning_content", "empty reasoning is left out")
            else:
                delta[self._profile.reasoning] = ""
        if data.get("refusal") == "":
            delta["refusal"] = ""
        if self._home:
            for key, field in (("name", "name"), ("tool_calls", "tool_calls"), ("thinking_blocks", self._block_field(choice))):
                if key in data:
                    delta[field] = copy_wire(data[key])
        elif data.get("name") is not None:
            if self._profile.names:
                delta["name"] = data["name"]
            else:
                self._drop(f"{path}/name", "answers have no name here")
        if choice.stopped and choice.overlay:
            delta = {**choice.overlay, **delta}
            choice.overlay = {}
        return self._chunk(choice, delta) if delta else []

    def _update_response(self, data: Wire) -> list[Wire]:
        for key in ("id", "model", "created"):
            if key in data:
                self._frame[key] = data[key]
                self._stale = True
        if "usage" in data and self._d.same_family:
            self._frame.setdefault("usage", data["usage"])
        if self._home and _spelling_of(data).get("object") == "absent":
            self._frame.pop("object", None)
        for key, value in self._own(data, "", FRAME_FIELDS).items():
            if type(value) in (dict, list):
                merge(self._once, {key: value})
            elif key in self._once:
                self._once[key] = value
            else:
                self._frame[key] = value
                self._stale = True
        return []

    def _update_part(self, event: Update, data: Wire) -> list[Wire]:
        choice = self._choice(event.choice)
        part = choice.parts.get(event.index or 0)
        if part is None:
            choice, part, _ = self._part(event, "text")
        part.spelled |= _spelling_of(data)
        own = self._own(data, part.path, frozenset())
        if part.kind == "call":
            return self._update_call(choice, part, data, own)
        if part.kind == "redacted":
            if self._home:
                part.own |= own
                return []
            return self._chunk(choice, {self._block_field(choice): [{"index": part.position, **own}]}) if own else []
        if part.kind == "thinking":
            return self._update_thinking(choice, part, data, own)
        if part.kind == "opaque":
            value: Json = data.get("value")
            if type(value) is dict and choice.listed:
                return self._chunk(choice, {"content": [{**part.own, **copy_wire(value)}]})
            return []
        if data.get("type") == "text" and self._home:
            part.listed = choice.has_content = True
        if own and (part.listed or choice.listed):
            return self._chunk(choice, {"content": [{"type": "text", "text": "", **own}]})
        if own:
            for key in own:
                self._drop(f"{part.path}/provider_data/{FAMILY}/{escape(key)}", "text without parts holds no fields")
        return []

    def _update_call(self, choice: _WrittenChoice, part: _WrittenPart, data: Wire, own: Wire) -> list[Wire]:
        if self._waiting is not None:
            merge(part.own, own)
            return []
        if part.place is None:
            return self._chunk(choice, {"function_call": own}) if own else []
        entry: Wire = {**part.place, **copy_wire(own)}
        if type(data.get("id")) is str and self._home:
            entry["id"] = data["id"]
        return self._chunk(choice, {"tool_calls": [entry]}) if len(entry) > 1 else []

    def _update_thinking(self, choice: _WrittenChoice, part: _WrittenPart, data: Wire, own: Wire) -> list[Wire]:
        if data.get("summary"):
            part.summary = True
            if not self._home and self._profile.reasoning not in (None, "reasoning_details"):
                self._tell("changed", part.path, "summaries are not marked as such")
        merge(part.own, own)
        if self._waiting is not None:
            return []
        more = {key: value for key, value in own.items() if key != "index"}
        if not self._home:
            if self._profile.reasoning not in ("thinking_blocks", "reasoning_details"):
                for key in own:
                    self._drop(f"{part.path}/provider_data/{FAMILY}/{escape(key)}", "reasoning is text alone")
                return []
            return self._chunk(choice, self._fragment(choice, part, **copy_wire(more))) if more else []
        if part.spelled.get("format") and part.label is None:
            part.label = more["format"] = part.spelled["format"]
        # An index alone is a field as well, where no other fragment would tell it.
        return self._chunk(choice, self._fragment(choice, part, **copy_wire(more))) if more or own else []

    def _own(self, data: Wire, path: str, known: frozenset[str]) -> Wire:
        """The fields of this family that have a place here; the others are told."""
        own: Wire = {}
        overlays: Wire = data.get("provider_data") or {}
        for family, overlay in overlays.items():
            for key, value in overlay.items():
                if family == FAMILY and (self._home or self._profile.open or key in known):
                    own[key] = value
                elif value is not None and value != []:
                    self._drop(f"{path}/provider_data/{family}/{escape(key)}", f"only {family} has this field")
        return own


_MOST_CHOICES = 128
"""How many choices a request may ask for."""


def _as_object(text: str) -> Any:
    """Arguments as the object that they were; told as several, they are none."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if type(value) is dict else text


def _own_of(data: Wire) -> Wire:
    overlays: Wire = data.get("provider_data") or {}
    return overlays.get(FAMILY) or {}


def _spelling_of(data: Wire) -> dict[str, str]:
    record: Wire = data.get("wire") or {}
    return record.get("spelling") or {}
