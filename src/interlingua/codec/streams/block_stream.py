"""Writes streams for formats that send a message as blocks: one block is open at a time, and later parts wait for their turn.

This module decides which part an event belongs to, what waits, in which order the parts of a flat message are sent, and what to
report when more of a part comes after its block has ended. A `BlockShape`, one for each stream, makes the chunks. The work for
an event does not depend on how many parts wait.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, ClassVar

from pydantic import ValidationError

from ...errors import Loss, StreamError, faults_of
from ...model import events as ev
from ...model.deltas import LIGHT, DeltaMaker
from ...model.exchange import Response
from ...model.folding import FLAT_FIELDS, Fold
from ...model.messages import flat_call, is_blank
from ...model.parts import ToolUsePart
from ..fields import Wire
from ..format import Format, Formats
from .block_shape import MESSAGE, Block, BlockShape

_KINDS = {"signature": "thinking", "tool_use_start": "tool_use", "arguments": "tool_use"}
"""The kind of part that an event begins, if it differs from the event's type."""
_FLAT_ORDER = {"thinking": 0, "redacted_thinking": 0, "text": 1, "opaque": 1, "refusal": 2, "tool_use": 3}
"""The order of the parts of a flat message, which has reasoning and calls in separate fields."""
_TEXTS = ("text", "thinking", "refusal")
"""The kinds of deltas that can go on in another block."""
_AFFORDED = 10
"""How many fields of the envelope may be read for each event, which keeps the work for a stream linear."""
_AFTER_THE_END = Loss("", None, "dropped", "the stream ended many times: later events are left out")
_TEXT_ONLY = -1
"""The index for reasoning that a flat message has only as text."""
_TEXT_DELTAS = DeltaMaker(ev.ThinkingDelta(index=0, thinking=""))
"""Makes the deltas of that reasoning."""


class BlockWriting:
    """Writes one stream."""

    def __init__(self, format: Format, formats: Formats, shape: BlockShape, at: str) -> None:
        self._format = format
        self._at = at
        """The pointer of the list of blocks in the whole response."""
        self._formats = formats
        self._shape = shape
        self.names: dict[str, str] = {}
        self._left_out: list[tuple[Block, Loss]] = []
        """Losses of flat texts without a block, with paths relative to the text, until they are reported."""
        self.losses: list[Loss] = []
        self._reported: set[Loss] = set()
        """The losses that were reported; they are not reported again."""
        self._latest: Block | None = None
        """The part whose block was sent last."""
        self._events = self._looked_at = 0
        self._fold = Fold()
        """Folds the response without its parts."""
        self._kinds = set[str]()
        """The kinds of the parts that say something, as `kinds_of` has them of a whole message."""
        self._d: Any = None
        self._started = self._stopped = False
        self._failed = False
        """Whether there was an error."""
        self._ended = 0
        """The number of the event that ended the stream; 0 before."""
        self._parts: dict[int, Block] = {}
        self._begun: list[Block] = []
        self._completed = 0
        """How many of the begun parts were completed because the message ended."""
        self._last: dict[str, int] = {}
        """The index of the last part in each field of the folded message."""
        self._flat = True
        self._queue: list[tuple[int, int, Block]] = []
        """A heap of the waiting parts; those of a flat message are sent in the order of its fields."""
        self._late: set[int] = set()
        """The numbers of waiting parts that can begin; in a flat message, they end the reasoning."""
        self._open: Block | None = None
        self._blocks = 0
        self._furthest = 0
        self._reasoning_text: list[str] = []
        self._thinking: list[str] = []
        self._compared = (0, 0), False
        """How many pieces of both texts were compared last, and whether the texts were equal."""
        self._text_only_is_written = False

    def write(self, event: Any) -> list[Wire]:
        """The chunks for an event; raises `StreamError` if the events do not make a message."""
        self._events += 1
        if self._d is not None and (write := self._OF_PARTS.get(event.type)) is not None and not event.choice:
            return write(self, event)  # most events
        if isinstance(event, ev.MessageStart) and (not event.choice or self._fold.is_empty):
            # The choice that begins first describes the response as a whole.
            self._fold.add(event)
            self._flat = event.spelling == "flat"
        if choice := getattr(event, "choice", 0):
            return self._report(
                [
                    Loss(
                        f"/choices/{choice}",
                        None,
                        "dropped",
                        f"a stream of {self._format.name} has one answer; the others are left out",
                    )
                ]
            )
        if isinstance(event, ev.ErrorEvent):
            self._failed = True
            stop = self._message_stop() if self._fold.complete else []
            return stop + self._shape.pass_on(self._in_own_words(event))
        if isinstance(event, ev.OpaqueEvent) and event.index is None:
            return self._shape.pass_on(event)
        if isinstance(event, ev.UsageUpdate) or (isinstance(event, ev.Update) and event.of != "part"):
            return self._write_envelope(event)
        if isinstance(event, ev.ToolUse) or (self._failed and self._d is None and isinstance(event, ev.StreamEnd)):
            return []
        return self._write_part(event)

    def _write_envelope(self, event: ev.UsageUpdate | ev.Update) -> list[Wire]:
        """Fold data of the response other than its parts; most of it is sent at the end of the message."""
        self._fold.add(event)
        if isinstance(event, ev.Update):
            block = self._open if event.of == "choice" else None
            return [] if block is None else self._shape.beside(block, event.data, self._d)
        return self._send(self._shape.message_stop) if self._stopped and self._affords_more() else []

    def _in_own_words(self, event: ev.ErrorEvent) -> ev.ErrorEvent:
        error = self._format.own_stream_error(event.error, None if self._d is None else self._d.source)
        return event if error is event.error else ev.ErrorEvent(error=error)

    def _write_part(self, event: Any) -> list[Wire]:
        if self._d is None:
            self._fold.add(ev.MessageStart())
            dump = self._new_dump(made_of(self._fold.response))
            dump.losses = dump.ids.losses = self.losses
            # A flat message did not come from a format with blocks.
            self._d = dump.by_rules() if self._flat else dump
        if isinstance(event, ev.MessageStart):
            return []
        if isinstance(event, ev.Stop | ev.StreamEnd):
            return self._end(event)
        return self._stop_part(event) if isinstance(event, ev.PartStop) else self._take(event)

    def _report(self, losses: list[Loss]) -> list[Wire]:
        """Report losses that are new; returns no chunks."""
        news = [loss for loss in losses if loss not in self._reported]
        self._reported.update(news)
        self.losses += news
        return []

    # The envelope

    def _new_dump(self, response: Response) -> Any:
        source = self._formats.get(origin := response.origin or "")
        d = self._format.new_dump(self._format, source, same_format=origin == self._format.name, formats=self._formats)
        d.names = self.names
        d.of_response = True
        return d

    def _send(self, method: Any, but: str | None = None, *, last: bool = False) -> list[Wire]:
        """The chunks to send for the response now; each loss is reported once, those of usage only at the `last` call."""
        response = made_of(self._fold.response)
        d = self._new_dump(response)
        d.kinds = self._kinds
        self._looked_at += _size(response)
        chunks: list[Wire] = method(response, d)
        if self._stopped:
            self._report_text_only(response, d)
        return chunks + self._report([loss for loss in d.losses if loss.path != but and (last or loss.path[:6] != "/usage")])

    def _message_start(self) -> list[Wire]:
        """The start of the message, sent as late as possible because it contains all that is known by then."""
        if self._started:
            return []
        self._started = True
        # The answer is not finished, so `incomplete` is not a loss.
        return self._send(self._shape.message_start, but="/choices/0/incomplete")

    def _report_left_out(self) -> None:
        """Report the losses of flat texts that have no block, with the paths that they have in the whole message."""
        self._report([loss._replace(path=part.path + loss.path) for part, loss in self._left_out])
        self._left_out.clear()

    def _end(self, event: ev.Stop | ev.StreamEnd) -> list[Wire]:
        for part in self._begun[self._completed :]:
            self._complete(part)
        self._completed = len(self._begun)
        self._report_left_out()
        chunks = [*self._message_start(), *self._advance()]
        self._fold.add(event)
        source: Format | None = self._d.source
        if isinstance(event, ev.Stop) and source is not None and source.may_stop_again(self._format):
            return chunks
        chunks += self._message_stop()
        if isinstance(event, ev.Stop):
            return chunks
        before = self._ended
        self._ended = self._events
        if before == self._events - 1:
            return chunks  # the end came twice
        if before and not self._affords_more():
            return chunks + self._report([_AFTER_THE_END])
        return chunks + self._send(self._shape.end, last=True)

    def _message_stop(self) -> list[Wire]:
        """The stop reason, unless it was sent."""
        if self._stopped:
            return []
        self._stopped = True
        return self._send(self._shape.message_stop)

    def _affords_more(self) -> bool:
        return self._looked_at <= _AFFORDED * self._events

    def _report_text_only(self, response: Response, d: Any) -> None:
        """Report reasoning that was only text and was not sent, unless it repeats the blocks."""
        text_only = "".join(self._reasoning_text) if self._reasoning_text else response.message.reasoning_content
        why = self._shape.refuses_plain()
        repeats = bool(self._thinking) and text_only == "".join(self._thinking)
        is_lost = why is not None or not text_only
        if text_only is not None and is_lost and not repeats:
            d.drop(f"{MESSAGE}/reasoning_content", why or "reasoning without text is left out")

    # Parts

    def _stop_part(self, event: ev.PartStop) -> list[Wire]:
        if (part := self._parts.get(event.index)) is None:
            return []
        if not (part.done or self._d.exact or self._flat):
            part.fold.add(event)
        self._complete(part)
        return self._advance()

    def _complete(self, part: Block) -> None:
        part.stopped = True
        if not (part.done or part is self._open):
            self._enqueue(part, ready=True)

    def _take(self, event: Any) -> list[Wire]:
        index = event.index
        kind = event.type
        if kind == "thinking":
            if event.field != "block":
                self._reasoning_text.append(event.thinking)
            if event.field == "text":
                if self._shape.refuses_plain() is not None:
                    return []
                index = _TEXT_ONLY
                event = _TEXT_DELTAS.more(event.thinking)
            else:
                self._thinking.append(event.thinking)
        part = self._parts.get(index) or self._begin(event, index)
        if part is self._open and kind == part.kind and kind in _TEXTS:
            return self._shape.grow(part, event, self._d)  # most events
        if part.kind == "text" and kind != "text" and self._flat:
            part.path = f"{MESSAGE}/content/{part.position}"  # text with other fields makes content a list
        if part.done:
            return self._take_late(part, index, event)
        if kind == "arguments":
            part.scan.add(event.arguments)
        if part is not self._open:
            return self._wait(part, event)
        if kind == "signature" and part.kind not in self._shape.signed:
            self._d.drop(
                part.path + "/signature",
                f"{self._format.name} has no field for the signature of this {part.kind.replace('_', ' ')}",
            )
            return []
        if kind == "part":
            self._d.report(
                "changed",
                part.path,
                part.at,
                "the whole part came after its block had begun",
            )
            self._replace(part, index, event)
            return self._advance()
        chunks = self._shape.grow(part, event, self._d)
        return chunks + self._advance() if kind == "arguments" and self._queue else chunks

    def _begin(self, event: Any, index: int) -> Block:
        """Begin the part of an event."""
        kind: str = _KINDS.get(event.type) or event.type
        if isinstance(event, ev.WholePart | ev.Update):
            kind = event.part.type if isinstance(event, ev.WholePart) else str(event.data.get("type", "text"))
        part = self._new(kind, MESSAGE + "/reasoning_content" if index == _TEXT_ONLY else self._path(kind))
        part.position = self._last.get("content", 0)
        self._parts[index] = part
        return part

    def _new(self, kind: str, path: str) -> Block:
        self._begun.append(Block(kind, path, len(self._begun), _FLAT_ORDER.get(kind, 1) if self._flat else 0))
        return self._begun[-1]

    def _path(self, kind: str) -> str:
        """The pointer of the next part of this kind in the folded response."""
        field = FLAT_FIELDS.get(kind, "content") if self._flat else "content"
        count = self._last[field] = self._last.get(field, -1) + 1
        return f"{MESSAGE}/{field}" if self._flat and kind in ("text", "refusal") else f"{MESSAGE}/{field}/{count}"

    def _take_late(self, part: Block, index: int, event: Any) -> list[Wire]:
        """Write an event of a part whose block has ended, as an amendment or, for text, as another block; or report it."""
        if self._ignores(part, event):
            return []
        kind = event.type
        is_text = event.type in _TEXTS
        may_amend = kind not in ("arguments", "part") and (self._d.exact or not is_text)
        amends = self._shape.amends and part.at is not None and may_amend
        if not part.blank and (kind == "update" or amends):
            return self._shape.grow(part, event, self._d)
        if is_text:
            self._d.report(
                "changed", part.path, part.at, "the text continues in another block, because other blocks came in between"
            )
            further = self._parts[index] = self._new(part.kind, part.path)
            further.before = part if part.blank else None
            return self._wait(further, event)
        if part.blank:
            if part.empty:
                self._report([Loss(part.path, None, "dropped", "reasoning without text is left out")])
        elif kind == "arguments":
            if event.arguments.strip(" \t\r\n"):  # white space after a complete value means nothing
                path = part.path + ("/arguments" if self._flat else "/input")
                self._report([Loss(path, None, "dropped", "more of the arguments came after their block had ended")])
        else:
            self._d.report("changed", part.path, part.at, "more of the part came after its block had ended")
            if kind == "part":
                self._replace(part, index, event)
        return []

    def _ignores(self, part: Block, event: Any) -> bool:
        """Whether an event adds nothing to a part whose block has ended: it has no block, or the event is only an empty id."""
        has_no_block = part.written is None and not part.blank
        return has_no_block or (event.type == "update" and event.data == {"id": ""} and not self._d.exact)

    def _replace(self, part: Block, index: int, event: ev.WholePart) -> None:
        """If a part turns out to be of another kind after its block has begun, ignore the rest of it."""
        if event.part.type != part.kind:
            part.stopped = True
            gone = self._parts[index] = Block(part.kind, part.path, part.number, part.order)
            gone.done = True

    def _wait(self, part: Block, event: Any) -> list[Wire]:
        """Fold an event into a waiting part, update what is known of the part, and send what can be sent."""
        part.fold.add(event)
        kind = event.type
        if kind == "part":
            part.kind = event.part.type
            part.is_whole = True
        waits_for_all = kind == "arguments" and self._shape.whole_calls
        if part.has_content and kind in LIGHT and not waits_for_all:
            return []  # nothing new is known, so nothing more can begin
        self._note_kind(part, event.part if kind == "part" else event)
        if kind == "signature":
            part.signed = True
        elif kind == "update":
            part.input_is_text = part.input_is_text or "input" in event.data
        else:
            part.named = part.named or kind in ("tool_use_start", "part")
            part.has_content = part.has_content or _says_something(kind, event, exact=self._d.exact)
        # A client that waits for a call must learn that the message has begun.
        started = self._message_start() if kind == "tool_use_start" and not self._d.exact else []
        self._enqueue(part, ready=self._is_ready(part))
        return started + self._advance()

    def _note_kind(self, part: Block, piece: Any) -> None:
        """Note the kind of a part: that of a text or a refusal with its first words."""
        if part.kind not in ("text", "refusal") or (piece.type == part.kind and not is_blank(piece)):
            self._kinds.add(part.kind)

    def _enqueue(self, part: Block, *, ready: bool) -> None:
        """Put a part into the queue. In a flat message, a part with nothing to send must not delay others."""
        if part.kind == "thinking":
            is_empty = not (part.has_content or part.signed or part.stopped)
        else:  # calls keep their order
            is_empty = part.kind == "opaque" and not (ready or part.stopped)
        if not (part.queued or (is_empty and self._flat)):
            part.queued = True
            heappush(self._queue, (part.order, part.number, part))
        if ready and part.order:
            self._late.add(part.number)

    def _gives_way(self, part: Block) -> bool:
        """Whether the open block ends because another part can begin.

        A call gives way once its arguments are complete; text and reasoning of a flat message can go on in another block.
        """
        if self._d.exact or not self._queue or not self._may_begin(self._queue[0][2]):
            return False
        return part.scan.complete if part.kind == "tool_use" else self._flat

    def _is_over(self, part: Block) -> bool:
        """Whether a part is complete; the reasoning of a flat message is complete when a later part can begin."""
        return part.stopped or (self._flat and not part.order and bool(self._late))

    def _advance(self) -> list[Wire]:
        """Send what can be sent: one block at a time, and the next one when that has ended."""
        chunks: list[Wire] = []
        while self._open is not None or (self._queue and self._may_begin(self._queue[0][2])):
            part = self._open
            if part is None:
                part = heappop(self._queue)[2]
                self._late.discard(part.number)
                chunks += self._start(part)
            elif self._is_over(part) or self._gives_way(part):
                chunks += self._shape.block_stop(part, self._d)
                part.done = True
                part.fold.made = None
                self._open = None
            else:
                break
        return chunks

    def _may_begin(self, part: Block) -> bool:
        is_blank = self._flat and part.kind in ("text", "refusal") and bool(self._late)  # a later part can begin
        return is_blank or self._is_over(part) or (not self._may_repeat(part) and self._is_ready(part))

    def _is_ready(self, part: Block) -> bool:
        # Arguments must wait for the name of their call.
        return (part.named or part.kind != "tool_use") and self._shape.ready(part, self._d)

    def _may_repeat(self, part: Block) -> bool:
        """Whether this is reasoning that a flat message may have twice, as text and in blocks, and both are known."""
        text_only = self._parts.get(_TEXT_ONLY)
        return part.kind == "thinking" and text_only is not None and (part is not text_only or bool(self._thinking))

    def _repeats(self, part: Block) -> bool:
        """Whether the same reasoning is also in the other field, and is written from there."""
        counts = len(self._reasoning_text), len(self._thinking)
        if self._compared[0] != counts:
            self._compared = counts, "".join(self._reasoning_text) == "".join(self._thinking)
        is_text_only = part is self._parts[_TEXT_ONLY]
        return self._compared[1] and is_text_only != self._text_only_is_written  # text that is written in part goes on

    def _start(self, part: Block) -> list[Wire]:
        """The start of a part's block, with the known data; empty, with a report, if the format cannot have the part."""
        whole = made_of(part.fold.part)
        written = flat_call(whole) if self._flat and isinstance(whole, ToolUsePart) else whole
        if self._latest is not None and self._latest.written is not None:  # which may have got another block since
            self._blocks = max(self._blocks, self._latest.written + 1)
        part.written = self._blocks
        part.cited = len(getattr(written, "citations", None) or ())
        if self._may_repeat(part) and self._repeats(part):
            part.done = True
            if part is not self._parts[_TEXT_ONLY]:
                self._d.drop(part.path, "the text of this reasoning was already sent")
            return []
        started = self._message_start()
        part.at = f"{self._at}/{self._blocks}"
        count = len(self.losses)
        chunks = self._shape.block_start(part, written, part.at, self._d)
        if chunks is None:
            part.written = part.at = None
            part.done = True
            part.blank = not part.has_content
            if self._flat and part.blank:  # its place is known only when more of it comes
                self._left_out = [(other, loss) for other, loss in self._left_out if other is not part.before]
                for loss in self.losses[count:]:
                    self._left_out.append((part, loss._replace(path=loss.path.removeprefix(part.path))))
                del self.losses[count:]
            part.empty = whole.type != "opaque" and not getattr(whole, whole.type, "")
            return started
        self._text_only_is_written |= part is self._parts.get(_TEXT_ONLY)
        if part.order < self._furthest:
            self._d.report("moved", part.path, part.at, "the blocks of parts that began later were sent before it")
        self._furthest = max(self._furthest, part.order)
        self._blocks = part.written + 1  # a part may have several blocks
        self._latest = part
        self._open = part
        return started + chunks

    _OF_PARTS: ClassVar[dict[str, Callable[..., list[Wire]]]] = dict.fromkeys((*LIGHT, "signature", "tool_use_start"), _take)
    _OF_PARTS["part_stop"] = _stop_part
    """The methods for events that always belong to a part."""


def _size(response: Response) -> int:
    native = response.usage.native if response.usage is not None else None
    overlays = (response.provider_data or {}, native or {})
    return len(response.choices) + sum(len(fields) for overlay in overlays for fields in overlay.values())


def _says_something(kind: str, event: Any, *, exact: bool) -> bool:
    if kind in ("text", "refusal"):
        return (exact and kind == "text") or not is_blank(event)
    return kind in ("arguments", "part") or (kind == "thinking" and event.thinking != "")


def made_of(fold: Callable[[], Any]) -> Any:
    """What the events fold into; raises `StreamError` if they do not make a valid one."""
    try:
        return fold()
    except ValidationError as error:
        fault = faults_of(error)[0]
        raise StreamError(f"{fault.path}: {fault.reason}") from None
