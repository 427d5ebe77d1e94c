"""The state of writing a Chat Completions stream, and the chunks around its deltas."""

from __future__ import annotations

from collections import deque
from typing import Any

from ...codec.fields import Wire, copy_wire, is_empty
from ...codec.format import Format, Formats
from ...codec.one_text import following_block
from ...codec.streams.open_arguments import ArgumentScan, OpenArguments
from ...errors import Loss, LossKind, escape
from ...model.base import Json
from ...model.events import OpaqueEvent, Stop
from ...model.exchange import Usage
from .base import FAMILY, ChatDump
from .beside import Beside
from .repeated_blocks import repeat_blocks
from .responses import CHUNK_OBJECT
from .spoken import FIELD as AUDIO

_KINDS = ("text", "thinking", "redacted", "call", "refusal", "image", "opaque")
"""The kinds of parts."""
_MOST_CHOICES = 128
"""How many choices a request may ask for."""


class WrittenPart(Beside):
    """A part that is being written: its path in the folded response, and its position among the parts of its kind."""

    def __init__(self, choice: WrittenChoice, kind: str, path: str, position: int) -> None:
        super().__init__(path, {}, is_text=kind == "text")
        self.choice = choice
        self.kind = kind
        self.position = position
        self.data: Wire = {}
        """Its fields besides the text that are not written yet."""
        self.drawn: OpaqueEvent | None = None
        """What has arrived of another provider's part that may become an image."""
        self.due = False
        """Whether any of a block of reasoning is still to be written."""

        self.has_text = False
        """Whether text, arguments, or the first fragment of a block was written."""
        self.ended = False
        """Whether this is a call that was complete."""
        self.listed = False
        """Whether this is text that is written as a part of list content, or as a transcript."""
        self.spoken = False
        """Whether this is the transcript of an answer's audio, and is written there."""
        self.has_probabilities = False
        """Whether the probabilities of its tokens were written."""
        self.summary = False
        self.custom = False
        self.inside: OpenArguments | None = None
        """The text of a free-form tool's call, which goes into an object where a function is called."""
        self.place: Wire | None = None
        """The fields that identify a call or a block in its fragments; None for a call in the legacy spelling."""
        self.collected: list[str] | None = None
        """The arguments of a call that are written when complete: as an object, or together with the whole call."""
        self.entry: Wire | None = None
        """What has arrived of a call that is written whole."""
        self.scan: ArgumentScan | None = None
        """Tells when a call that is written whole has all its arguments."""
        self.ready = False
        """Whether a call that is written whole has all its arguments."""

    def delta(self, text: str) -> Wire:
        """The delta that adds text to this part in a list, or to this transcript."""
        return {AUDIO: {"transcript": text}} if self.spoken else {"content": [{"type": "text", "text": text}]}


class WrittenChoice:
    """A choice that is being written."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.path = f"/choices/{number}"
        self.blocks = False
        """Whether the message comes from a format of blocks."""
        self.role_due = False
        self.begun = False
        self.stopped = False
        self.parts: dict[int, WrittenPart] = {}
        self.waiting: deque[WrittenPart] = deque()
        """The calls that are written whole, from the first one that is not ready."""
        self.paths: dict[str, list[str]] = {kind: [] for kind in _KINDS}
        """The paths of the parts so far, by kind."""
        self.list_lengths = {"content": 0, "tool_calls": 0, "thinking_blocks": 0}
        self.spelled: Wire = {}
        self.beside_due = False
        """Whether a part has a signature or citations to be written when the message is complete."""
        self.overlay: Wire = {}
        """Message fields that are written once, when they are complete."""
        self.beside: Wire = {}
        """Fields of the choice that are written at the end."""
        self.has_content = False
        self.refused: WrittenPart | None = None
        """The refusal at the end of the content, where the host has refusals as text."""
        self.listed = False
        self.block: WrittenPart | None = None
        """The last block of reasoning."""

        # Reasoning for a host that has only one field for it
        self.thinking: dict[bool, list[str]] = {True: [], False: []}
        """The reasoning that arrived as text (True), and in blocks (False)."""
        self.text_is_first: bool | None = None
        self.thinking_is_empty = False
        """Whether there is reasoning, but so far without any text."""
        self.second: list[tuple[WrittenPart, str]] = []
        """What arrived in the other form than the first piece, which it may repeat; it is written at the end."""
        self.thought: WrittenPart | None = None
        """The part whose reasoning was last written into the one text."""

    def parted(self, part: WrittenPart, text: str) -> str:
        """Reasoning for the one text, with a blank line after that of another part."""
        last, self.thought = self.thought, part
        return text if last in (None, part) else following_block(text)


class WrittenStream:
    """A stream that is being written; the paths of `losses` point into the response that the events fold into."""

    def __init__(self, format: Format, formats: Formats, *, usage: bool = True) -> None:
        self._format = format
        self._formats = formats
        self.losses: list[Loss] = []
        self.dropped: set[str] = set()
        """The paths that were reported as left out."""
        self.early: list[Wire] = []
        """The data of response updates that came before the origin was known."""
        self.frame: Wire = {"object": CHUNK_OBJECT}
        self.once: Wire = {}
        """Fields for the next chunk alone: fields that are merged, and fields that clients do not know."""
        self.unwritten = False
        """Whether the fields of the response have changed since the last chunk."""
        self.usage_is_wanted = usage
        self.usage_beside_stop = format.writing_without_usage is None
        """Whether the usage is in the chunk with the finish reason, as at a host whose streams always have it."""
        self.usage_elsewhere: Json = None
        """The usage that goes back into another field than `usage`, until its event comes."""
        self.unwritten_usage: Usage | None = None
        self.usage: Wire | None = None
        """The usage that was written, which further chunks repeat."""
        self.choices: dict[int, WrittenChoice] = {}
        self.changed: dict[int, WrittenChoice] = {}
        """The choices that may have more to write."""
        self.in_order = 0
        """All choices with lower numbers have begun."""
        self.begun = self.stopped = 0
        """How many choices have begun, and how many have stopped."""
        self.stops: dict[int, Stop] = {}
        """The last stop reason of each choice, if it is written at the end, because another may follow, or the usage."""
        self.chunks: list[Wire] = []
        """The chunks of the event that is being written."""
        self.pending: WrittenPart | None = None
        """A call whose first chunk waits for an update that may follow."""
        self.names: dict[str, str] = {}
        self.set_origin(None)

    def set_origin(self, origin: str | None) -> None:
        """Choose the rules for writing, by the format that the stream was read from."""
        self.same_format = origin == self._format.name
        self.d = ChatDump(self._format, self._formats.get(origin or ""), same_format=self.same_format, formats=self._formats)
        self.d.names = self.names
        self.d.of_response = True
        self.d.losses = self.losses
        self.d.is_response = True
        self.d.ids.losses = self.losses
        self.profile = self.d.profile
        self.accepts_any = self.same_format or self.profile.open
        """Whether fields and parts of this family that OpenAI does not document are written."""
        self.reasoning = "as read" if self.same_format else self.profile.reasoning

    def own_error(self, error: Wire) -> Wire:
        """An error that the stream reports, in this provider's form."""
        return self._format.own_stream_error(error, self.d.source)

    def drop(self, path: str, detail: str, kind: LossKind = "dropped") -> None:
        """Report, once for each path, that its value is left out."""
        if path not in self.dropped:
            self.dropped.add(path)
            if kind == "dropped":
                self.d.drop(path, detail)
            else:
                self.d.report(kind, path, None, detail)

    def own_fields(self, data: Wire, path: str, known: frozenset[str]) -> Wire:
        """The fields of this family in an update that the host accepts; the others are reported."""
        own: Wire = {}
        overlays: Wire = data.get("provider_data") or {}
        for family, overlay in overlays.items():
            source = self.d.format_of(family)
            for key, value in overlay.items():
                if family == FAMILY and (self.accepts_any or key in known):
                    own[key] = value
                elif not (is_empty(value) or value == source.usual_fields.get(key)):
                    kind: LossKind = "response_only" if key in source.item_fields else "dropped"
                    self.drop(f"{path}/provider_data/{family}/{escape(key)}", self.d.no_place("this field", family), kind)
        return own

    def repeated(self, choice: WrittenChoice, delta: Wire) -> Wire:
        """A delta with its blocks a second time, if the message had them twice."""
        return repeat_blocks(delta, choice.spelled.get("blocks")) if self.same_format else delta

    # Choices and parts

    def choice(self, number: int) -> WrittenChoice:
        """The choice of this number, which may be new."""
        if number not in self.choices:
            self.choices[number] = WrittenChoice(number)
        choice = self.changed[number] = self.choices[number]
        return choice

    def part(self, event: Any) -> WrittenPart | None:
        """The part of an event; None if it has not begun."""
        number = event.choice
        choice = self.changed[number] = self.choices.get(number) or self.choice(number)
        return choice.parts.get(event.index or 0)

    def grown(self, event: Any, kind: str, field: str = "content") -> WrittenPart:
        """The part that an event adds to, which may be new; the caller must write all of the event at once."""
        try:
            return self.choices[event.choice].parts[event.index]
        except KeyError:
            return self.part(event) or self.new_part(event, kind, field)

    def new_part(self, event: Any, kind: str, field: str = "content") -> WrittenPart:
        """The part that an event begins; `field` is the field of a flat message that has it."""
        choice = self.choices[event.choice]
        paths = choice.paths[kind]
        path = f"{choice.path}/message/{field}"
        if choice.blocks:
            path = f"{choice.path}/message/content/{len(choice.parts)}"
        elif field in choice.list_lengths:
            path = f"{path}/{choice.list_lengths[field]}"
            choice.list_lengths[field] += 1
        part = choice.parts[event.index or 0] = WrittenPart(choice, kind, path, len(paths))
        paths.append(path)
        may_join = not choice.listed and not self.same_format
        if choice.blocks and not self.same_format:
            self._report_order(choice, kind, path)
        elif field == "content" and kind == "text" and may_join:
            self._report_joined(kind, paths)
        return part

    def place_text(self, part: WrittenPart, data: Wire) -> None:
        """Decide from an update where a text is written: in a list, as a transcript, or simply as the content."""
        has_audio = self.d.same_family and (self.accepts_any or AUDIO in self.profile.answer_fields)
        if has_audio and part.spelled.get("place") == AUDIO:
            part.listed = part.spoken = True
        elif data.get("type") == "text" and self.same_format:
            part.listed = part.choice.has_content = True

    def _report_order(self, choice: WrittenChoice, kind: str, path: str) -> None:
        """Report a new part that loses its place among the others, or that is joined with another."""
        paths = choice.paths
        follows_content = paths["text"] or paths["refusal"] or paths["call"]
        if kind in ("text", "refusal"):
            if paths["call"]:
                self.d.report("moved", path, None, f"{self.d.target.name} puts text before the tool calls")
            elif paths["image"]:
                self.d.report("moved", path, None, f"{self.d.target.name} puts the text before the images")
            self._report_joined(kind, paths[kind])
        elif kind == "thinking" and self.profile.reasoning is not None and follows_content:
            self.d.report("moved", path, None, f"{self.d.target.name} puts reasoning before the text and the tool calls")

    def _report_joined(self, kind: str, paths: list[str]) -> None:
        """Report what the last part of a kind is joined with."""
        for joined in newly_joined(paths):
            if not joined.endswith("/refusal"):  # it became text, and that is reported already
                self.d.report("changed", joined, None, f"a message has one {kind}: its {kind}s are joined")

    # Chunks

    def send(self, choice: WrittenChoice | None, delta: Wire, finish: str | None = None, beside: Wire | None = None) -> None:
        """Add the chunk of a delta, after the chunks that must come first; without a delta, a chunk without choices."""
        if choice is None:
            choices = list[Wire]()
        else:
            if not choice.begun:
                choice.begun = True
                self.begun += 1
                # The official client finds a choice by its position, so the choices must begin in order.
                while self.in_order < min(choice.number, _MOST_CHOICES):
                    lower = self.choice(self.in_order)
                    self.in_order += 1
                    if not lower.begun:
                        self.send(lower, {})
            if choice.role_due:
                choice.role_due = False
                delta = {"role": "assistant", **delta}
            written = {"index": choice.number, "delta": delta, "finish_reason": finish}
            choices = [{**written, **beside} if beside else written]
        out = self.frame.copy()
        out["choices"] = choices
        if self.once:
            out = out | self.once
            self.once = {}
        if self.usage is not None:
            out["usage"] = copy_wire(self.usage)  # the official client keeps the last chunk's value
        self.unwritten = False
        self.chunks.append(out)


def newly_joined(paths: list[str]) -> list[str]:
    """The paths of parts that are newly joined: the first two, then each further one."""
    return paths if len(paths) == 2 else paths[max(2, len(paths) - 1) :]
