"""Write streams of OpenAI Responses: turn a message into events, item by item.

A block is a part; the parts of one item follow one another, so an item is done when a part of another item begins, or when
the message ends. The last event has the whole response, with what became known of parts after their end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.answers import take_probabilities
from ...codec.error_words import ErrorWords, nearest
from ...codec.fields import Wire, copy_wire
from ...codec.format import Format, Formats
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape
from ...codec.streams.block_stream import BlockWriting, made_of
from ...model import events as ev
from ...model.base import Json
from ...model.deltas import LIGHT
from ...model.exchange import Response
from .base import FAMILY, GROWTHS, ItemsDump
from .drawing import as_drawn
from .items import begins_item, drop_frame, write_item
from .responses import OBJECT, add_probabilities, dump_envelope, finish_item
from .server_calls import begun_call, events_of_call

_FRAMES = {"content": "content_part", "summary": "reasoning_summary_part"}
"""The events around a part, by the field of its item that has it."""
_OWN = frozenset({"output_item", "reasoning_part", *_FRAMES.values(), *(name for _, name in GROWTHS.values())})
"""The names of events of items and parts; opaque events of these are not passed on, nor those of the response."""


_TEXT = "output_text"


class _Part:
    """The sent state of a block."""

    def __init__(self, block: Block, part: Wire, where: Wire) -> None:
        self.block = block
        self.text, self.events = _growth_of(part)
        self.is_text = part.get("type") == _TEXT
        self.where = where
        """The indices in its events."""
        self.index: int = where["output_index"]
        """The index of its item."""
        self.annotations = 0
        self.pieces: list[str] = []
        """The deltas of its text."""

    def event(self, stage: str, fields: Wire) -> Wire:
        """An event about its text, with the fields that the official SDK requires."""
        made: Wire = {**self.where, "logprobs": [], **fields} if self.is_text else {**self.where, **fields}
        made["type"] = f"response.{self.events}.{stage}"
        return made


class _Item:
    """An output item that has begun."""

    def __init__(self, index: int, wire: Wire, d: ItemsDump) -> None:
        self.index = index
        self.wire = wire
        """The item, as far as it was sent."""
        self.d = d
        self.parts: list[_Part] = []
        self.counts = dict.fromkeys(_FRAMES, 0)
        self.done = False
        self.amended = False
        self.parted = False

    @property
    def is_closed(self) -> bool:
        """Whether the next part must begin another item."""
        return self.done or self.parted


class ItemsShape(BlockShape):
    """Writes the events of one stream."""

    amends = True

    def __init__(self, words: ErrorWords | None) -> None:
        self._words = words
        self._items: list[_Item] = []
        self._last: Any = None
        """The last part, which may have had no place."""
        self._parts: dict[int, _Part] = {}
        """What was sent of each block, by its number."""
        self._id: str | None = None
        self._begun: Wire = {"object": OBJECT}
        """The response as it was when it began."""
        self._dump: ItemsDump | None = None
        """The dump of the parts."""
        self._started = False
        self._is_native = False
        """Whether the stream comes from this API."""
        self._stopped = False
        self._failed = False
        self._ended: tuple[int, Wire] | None = None
        """How many items the response had at its end, and its other fields; None before."""
        self._texts = 0
        """How many texts were sent."""
        self._tokens: list[Wire] = []
        """The log probabilities of another provider's answer, as far as they are known."""
        self._unsent: list[Wire] = []
        """The log probabilities that no delta has had."""

    def ready(self, block: Block, _d: ItemsDump) -> bool:
        # A part's first event tells its type, and its text follows. Parts of unknown types have no id, but items do.
        if block.kind == "opaque":
            return block.fold.has("id")
        return block.has_content

    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]:
        if isinstance(event, ev.ErrorEvent):
            return [] if self._failed else self._error(event.error)  # the last event has the error of a failed response
        kind: Json = event.value.get("type")
        name, dot, _ = kind.removeprefix("response.").partition(".") if type(kind) is str else ("", "", "")
        passes = self._started and event.format == FAMILY and dot and name not in _OWN
        return [_event(str(kind), copy_wire({k: v for k, v in event.value.items() if k != "obfuscation"}))] if passes else []

    def _error(self, error: Wire) -> list[Wire]:
        """The event of an error, and the end of the response, because some clients, such as Codex, read errors only there.

        If the source has this API, it ends the response itself.
        """
        fields: Wire = {"message": "", "param": None, "code": None} | copy_wire(error)
        code = fields["code"]
        if code is None:
            code = error.get("type")
        elif type(code) is int and self._words is not None:  # some hosts put the HTTP status there
            code = nearest(self._words.types, code)
        fields["code"] = code = code if type(code) is str else None
        reported = _event("error", fields)
        if self._ended is not None or self._is_native:
            return [reported]
        chunks = self._close()
        is_known = self._words is not None and self._words.has(code)
        failed: Wire = {"code": code if is_known else "server_error", "message": fields["message"]}
        body = self._begun | {"status": "failed", "error": failed, "output": [item.wire for item in self._items]}
        return [*chunks, reported, _event("response.failed", {"response": copy_wire(body)})]

    # The envelope

    def _envelope(self, response: Response, output: Sequence[Wire], d: ItemsDump) -> Wire:
        """The fields besides the output; log probabilities of an answer's tokens go into its text."""
        body = dump_envelope(response, response.choices[0], output, d)
        add_probabilities(response.choices[0], output, d)
        return body

    def message_start(self, response: Response, d: ItemsDump) -> list[Wire]:
        self._id = response.id
        self._started = True
        self._is_native = d.same_family
        choice = response.choices[0]
        if choice.provider_data and not d.same_family:
            choice = choice.replace(provider_data=None)  # whether log probabilities have a place is known only with the text
        body = dump_envelope(response.replace(usage=None), choice, (), d)
        body |= {"status": "in_progress", "output": list[Wire]()}
        self._begun = body
        return [_event(f"response.{stage}", {"response": copy_wire(body)}) for stage in ("created", "in_progress")]

    def message_stop(self, response: Response, d: ItemsDump) -> list[Wire]:
        # What arrived after the message stopped is open until the end.
        chunks = [] if self._stopped else self._close()
        self._stopped = True
        if self._dump is not None:
            self._dump.drop_unanswered()
        body = self._envelope(response, [item.wire for item in self._items], d)
        self._failed = body.get("status") == "failed" and type(body.get("error")) is dict
        drop_frame(response.message, MESSAGE, d)
        return chunks

    def end(self, response: Response, d: ItemsDump) -> list[Wire]:
        chunks = self._close()  # what arrived after the message stopped
        amended = [item for item in self._items if item.amended]
        for item in amended:
            item.wire = self._whole(item)
            item.amended = False
        output = [item.wire for item in self._items]
        body = self._envelope(response, output, d)
        if "status" not in body and not d.same_family:
            d.report("added", "/choices/0/stop_reason", "/status", "a stream must say how it ended: sent as completed")
            body["status"] = "completed"
        if self._ended == (len(output), body) and not amended:
            return chunks
        self._ended = len(output), body
        last = status if (status := body.get("status")) in ("failed", "incomplete") else "completed"
        return [*chunks, _event(f"response.{last}", {"response": copy_wire(body | {"output": output})})]

    def beside(self, block: Block, data: Wire, d: ItemsDump) -> list[Wire]:
        if (taken := take_probabilities(data, "/choices/0", d.trial(), in_texts=False)) is None:
            return []
        self._tokens += taken[0]
        self._unsent += taken[0]
        sent = self._parts.get(block.number)
        return [sent.event("delta", {"delta": ""} | self._next_tokens(sent))] if sent and sent.is_text else []

    def _next_tokens(self, sent: _Part) -> Wire:
        """The log probabilities that no delta has had, if they belong to this text."""
        if not (self._unsent and sent.is_text and self._texts == 1):
            return {}
        unsent = self._unsent
        self._unsent = []
        return {"logprobs": copy_wire(unsent)}

    def _add_tokens(self, item: Wire) -> None:
        """Write the log probabilities known by now into the text of an item, if there is no other text."""
        for part in item["content"] if self._texts == 1 and item.get("type") == "message" else ():
            if part.get("type") == _TEXT:
                part["logprobs"] = copy_wire(self._tokens)

    # Items and their parts

    def block_start(self, block: Block, part: Any, _at: str, d: ItemsDump) -> list[Wire] | None:
        item = self._items[-1] if self._items else None
        self._dump = d
        trial = d.trial()
        if (wire := self._written([(block.path, part)], len(self._items), trial)) is None:
            d.losses += trial.losses
            if item is not None:  # it separates the parts before and after it
                item.parted = item.parted or begins_item(self._last, part)
                self._last = part
            return None
        begun = begun_call(wire)
        is_call = begun is not None and part.format != FAMILY  # a call from Responses comes with its events
        drawn = as_drawn(part, block.path, trial)
        is_drawn = drawn is not part
        part = drawn
        chunks: list[Wire] = []
        if item is None or item.is_closed or begins_item(self._last, part):
            chunks = self._close()
            item = _Item(len(self._items), wire, d)
            self._items.append(item)
            start = _cleared(wire) | {key: list[Wire]() for key in _FRAMES if _list_of(wire) and key in wire}
            start |= {"status": "in_progress"} if "status" in wire or wire.get("type") == "message" else {}
            start |= {"result": None} if is_drawn else {}
            start |= begun if begun is not None and is_call else {}
            chunks.append(_event("response.output_item.added", copy_wire({"output_index": item.index, "item": start})))
        self._last = part
        chunks += self._begin_part(block, item, wire)
        return chunks + events_of_call(wire, self._parts[block.number].where) if is_call else chunks

    def _begin_part(self, block: Block, item: _Item, wire: Wire) -> list[Wire]:
        """The events that begin a part, with what is known of its text."""
        where: Wire = {"output_index": item.index, "item_id": item.wire.get("id")}
        field = _list_of(wire)
        part: Wire = wire if field is None else wire[field][0]
        sent = self._parts[block.number] = _Part(block, part, where)
        item.parts.append(sent)
        self._texts += sent.is_text
        if self._tokens and sent.is_text and self._texts > 1:  # it is not known which text they belong to
            for other in self._items:
                other.amended |= other.done
        chunks: list[Wire] = []
        block.at = f"/output/{item.index}"
        if field is not None:
            block.at += f"/{field}/{item.counts[field]}"
            where[f"{field}_index"] = item.counts[field]
            item.counts[field] += 1
            chunks.append(_event(f"response.{_FRAMES[field]}.added", copy_wire(where | {"part": _cleared(part)})))
        return chunks + self._delta(sent, part.get(sent.text, "")) + self._annotate(sent, part.get("annotations"))

    def _delta(self, sent: _Part, text: Any) -> list[Wire]:
        if not sent.text or type(text) is not str or not text:
            return []
        sent.pieces.append(text)
        delta: Wire = {"delta": text}
        if self._unsent:
            delta |= self._next_tokens(sent)
        return [sent.event("delta", delta)]

    def _annotate(self, sent: _Part, annotations: Json) -> list[Wire]:
        chunks: list[Wire] = []
        if type(annotations) is not list:
            return chunks  # the part of an item that is kept whole, and may have any fields
        for annotation in annotations[sent.annotations :]:
            more = {"annotation_index": sent.annotations, "annotation": annotation}
            chunks.append(_event("response.output_text.annotation.added", copy_wire(sent.where | more)))
            sent.annotations += 1
        return chunks

    def grow(self, block: Block, event: Any, _d: ItemsDump) -> list[Wire]:
        block.fold.add(event)
        sent = self._parts[block.number]
        item = self._items[sent.index]
        item.amended |= item.done
        grows = event.type in ("text", "thinking", "refusal") if block.done else event.type in LIGHT and not item.done
        return self._delta(sent, getattr(event, event.type)) if grows else []

    def block_stop(self, block: Block, d: ItemsDump) -> list[Wire]:
        if block.kind == "tool_use":
            return self._close()
        sent = self._parts[block.number]
        part = made_of(block.fold.part)
        item = self._written([(block.path, part)], sent.index, d.trial()) or {}
        if (field := _list_of(item)) is None:
            return self._close() if self._items[sent.index].wire.get("type") != "reasoning" else []
        if self._tokens:
            self._add_tokens(item)
        wire: Wire = item[field][0]
        chunks = self._annotate(sent, wire.get("annotations")) + self._end_text(sent, wire)
        return [*chunks, _event(f"response.{_FRAMES[field]}.done", copy_wire(sent.where | {"part": wire}))]

    def _end_text(self, sent: _Part, wire: Wire) -> list[Wire]:
        if sent.text not in wire:
            return []
        tokens: Wire = {"logprobs": copy_wire(wire["logprobs"])} if sent.is_text and wire.get("logprobs") else {}
        return [sent.event("done", {sent.text: wire[sent.text]} | tokens)]

    def _close(self) -> list[Wire]:
        """The events that end the open item."""
        item = self._items[-1] if self._items else None
        if item is None or item.done:
            return []
        item.done = True
        item.wire = self._whole(item)
        chunks = self._end_text(item.parts[0], item.wire) if _growth_of(item.wire)[0] else []
        return [*chunks, _event("response.output_item.done", copy_wire({"output_index": item.index, "item": item.wire}))]

    def _whole(self, item: _Item) -> Wire:
        run = [(sent.block.path, made_of(sent.block.fold.part)) for sent in item.parts]
        wire = self._written(run, item.index, item.d) or item.wire
        first = item.parts[0]
        if first.block.kind == "tool_use" and first.text and not item.d.exact:
            wire[first.text] = "".join(first.pieces)  # as the source spells it
        if self._tokens:
            self._add_tokens(wire)
        return wire

    def _written(self, run: list[tuple[str, Any]], index: int, d: ItemsDump) -> Wire | None:
        """Dump the item of these parts; None, with a report, if they have no place."""
        out: list[Wire] = []
        d.is_response = True
        d.offset = index
        write_item([(where, as_drawn(part, where, d)) for where, part in run], MESSAGE, out, d)
        if not out:
            return None
        if type(content := out[0].get("content")) is str and out[0].get("role") == "assistant":
            out[0] |= {"type": "message", "content": [{"type": "output_text", "text": content}]}
        return out[0] if d.exact else finish_item(out[0], index, self._id)


class ResponsesWriting(BlockWriting):
    """Writes one stream, and numbers its events."""

    def __init__(self, format: Format, formats: Formats) -> None:
        super().__init__(format, formats, ItemsShape(format.error_words), at="/output")
        self._number = 0

    def write(self, event: ev.Event) -> list[Wire]:
        # A response of this API has begun before its error; that it is one must be known by then.
        begins = event.type == "error" and self._d is not None and self._d.exact
        chunks = self._message_start() if begins else []
        chunks += super().write(event)
        for number, chunk in enumerate(chunks, self._number):
            chunk["sequence_number"] = number
        self._number += len(chunks)
        return chunks


def _list_of(item: Wire) -> str | None:
    """The field of an item that has parts."""
    fields = _FRAMES if item.get("type") in ("message", "reasoning") else ()
    return next((field for field in fields if _has_part(item.get(field))), None)


def _has_part(items: Json) -> bool:
    """Whether a list begins with a part; an item that is kept verbatim may have anything there."""
    return type(items) is list and bool(items) and type(items[0]) is dict


def _growth_of(wire: Wire) -> tuple[str, str]:
    """The text field of a part or an item, and the name of its events; empty if its text does not grow."""
    kind: Json = wire.get("type")
    return GROWTHS.get(kind, ("", "")) if type(kind) is str else ("", "")


def _cleared(wire: Wire) -> Wire:
    """A part or an item as it begins: without its text, and without the fields that come with the text."""
    text, _ = _growth_of(wire)
    cited: Wire = {"annotations": []} if wire.get("type") == "output_text" else {}
    return wire | cited | ({text: ""} if text else {})


def _event(name: str, fields: Wire) -> Wire:
    return {**fields, "type": name}
