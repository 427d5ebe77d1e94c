"""Read streams of OpenAI Responses: turn the wire's events into canonical events.

A stream has snapshots of the response, the last of which is the response itself, and its items in between: each is added,
grows by deltas of its parts, and is done, which repeats it whole (openai 3.54.0, `types/responses/response_stream_event.py`).
Deltas are read as they arrive. Where a whole value follows, new fields are added and different ones replaced, so that the
events fold into the last snapshot. Events of several items may alternate; if an item begins while parts of another are still
unknown, its events wait until that one ends. Some hosts leave out deltas, indices, and the ends of parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from ...codec.error_bodies import is_error
from ...codec.fields import Wire
from ...codec.streams.part_events import PartEvents, StreamedPart, field_of
from ...errors import StreamError
from ...model import events as ev
from ...model.base import Json
from .arriving import ITEMS, PARTS, Item, call_id_of, rest_of_text, without_void
from .base import FAMILY, GROWTHS
from .chunks import DELTAS, FRAMING, GROWN, OWNERS, become, checked, error_in, late_delta, list_of, owner_of, renamed, rest_of
from .responses import load_item, load_response, meaning
from .unnamed import UnnamedCalls

Events: TypeAlias = list[ev.Event]

_CITED = "output_text.annotation"
_FRAMES = frozenset({"content_part", "reasoning_part", "reasoning_summary_part", "output_item", _CITED})
"""The events that begin or end a part or an item, and those with a citation of a text."""
_KINDS: dict[str, tuple[str, ...]] = {
    "message": ("text", "refusal"),
    "reasoning": ("thinking",),
    "function_call": ("tool_use",),
    "custom_tool_call": ("tool_use",),
}
"""The kinds of parts that grow in each type of item."""
_TEXTS = {"text": "text", "thinking": "thinking", "refusal": "refusal", "tool_use": "input"}
"""The field of each kind of part that grows."""
_ADDED = "response.output_item.added"
_FINAL = frozenset({"completed", "incomplete", "failed", "cancelled", "done", "error"})
"""The last part of the types of events with a final snapshot; clients also expect `done`, as in the Realtime API."""
_NO_ENDS: Mapping[str, Wire] = MappingProxyType({})


class ResponsesReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = PartEvents()
        self._items: dict[int, Item] = {}
        self._ids: dict[int, str] = {}
        """The ids of the items that were added, by output index."""
        self._moved: dict[str | int, int] = {}
        """The output indices that replace those of items that share one, by the item's id, and by the shared index."""
        self._named: dict[str, int] = {}
        """The output indices of items in events without an index, by their id or the id of their call."""
        self._free = 0
        """An output index above all that came."""
        self._unfinished: dict[int, None] = {}
        """The output indices of the items that are not done."""
        self._last: dict[str, Any] | None = None
        """The last part, as far as it is known."""
        self._current = 0
        """The output index meant by events without one."""
        self._open: int | None = None
        """The output index of the item that may still begin parts."""
        self._waiting: dict[int, list[Wire]] = {}
        """The events of items that wait until the open item ends."""
        self._unnamed = UnnamedCalls()
        self._reported: dict[int, dict[str, Any]] = {}
        """What was reported of each part besides its text."""
        self._ended_calls: dict[str, Item] = {}
        """The calls that have ended as messages without content, by the ids of the calls."""
        self._cited: dict[int, list[Json]] = {}
        """The citations of each part that came one by one; most hosts repeat them at the end of the part."""
        self._last_error: Json = None
        """The message of the last error, which `response.failed` repeats."""
        self._envelope: dict[str, Any] = {}
        self._started = self._ended = False

    def grow(self, chunk: Wire) -> list[ev.Event] | None:
        """Return the delta of an event that only adds text to an open part."""
        if self._moved:
            return None
        try:
            index = chunk["output_index"]
            text = chunk["delta"]
            item = self._items[index]
            is_summary = "summary_index" in chunk
            number = chunk["summary_index"] if is_summary else chunk["content_index"]
            part: Any = item.begun["summary" if is_summary else "content", number]
            if self._ended or self._open not in (None, index) or item.first_arguments or item.type != GROWN[chunk["type"]]:
                return None
            is_sound = type(index) is int and type(number) is int and type(text) is str and text
            if is_sound and part.maker and FRAMING.issuperset(chunk):
                grown = part.maker.more(text)
                self._current = index
                part.pieces.append(text)
                return [grown]
        except (KeyError, TypeError, ValueError):
            pass  # any other event, or not an event
        return None

    def read(self, chunk: Wire) -> Events:
        """Return the events of a chunk."""
        kind = field_of(chunk, "type", str)
        # Some gateways send `response.error` in place of `error`, or of `response.failed` if it has a snapshot.
        is_fault = kind == "error" or (kind == "response.error" and type(chunk.get("response")) is not dict)
        if is_fault or (kind is None and is_error(chunk)):
            found = error_in(chunk)
            self._last_error = found.error.get("message")
            return [found]
        name, _, stage = (kind or "").removeprefix("response.").rpartition(".")
        if self._ended and stage == "created":
            self._begin_again()
        self._ended = False
        if chunk.get("object") == "response" or type(chunk.get("response")) is dict:
            events = self._snapshot(chunk.get("response") or chunk, final=kind is None or (not name and stage in _FINAL))
            return events + rest_of(chunk) if kind else events
        if name in (DELTAS if stage == "delta" else _FRAMES):
            return self._of_item(chunk) + rest_of(chunk)
        if name.partition(".")[0] in DELTAS or kind == "keepalive":
            return self._late(chunk) + rest_of(chunk)  # other events about a text repeat it, or are repeated when it ends
        usual = renamed(chunk)
        return self.read(usual) if usual else [ev.OpaqueEvent(format=FAMILY, value=chunk)]

    def end(self) -> Events:
        """The last events, if no snapshot follows."""
        events = self._release(final=True) + self._take_unnamed([])
        return [*events, ev.Stop()] if self._started and not self._ended else events

    def _begin_again(self) -> None:
        """Read the following events as another response, whose items come after the earlier items."""
        self._items = {}
        self._ids = {}
        self._moved = {}
        self._named = {}
        self._free = 0
        self._unfinished = {}
        self._waiting = {}
        self._ended_calls = {}
        self._last = None
        self._current = 0
        self._open = None

    def _late(self, chunk: Wire) -> Events:
        """Read an event that ends a text, when its turn comes, or one that says nothing new."""
        index: Json = chunk.get("output_index")
        if type(index) is not int or self._moved or late_delta(chunk) is None:
            return []
        if self._open in (None, index):
            delta = self._missing(chunk, index)
            return [] if delta is None else self._of_item(delta)
        if index in self._items or index in self._waiting:
            self._waiting.setdefault(index, []).append(chunk)
        return []

    def _missing(self, chunk: Wire, index: int) -> Wire | None:
        """What an event that ends a text says after its pieces, as a delta: some hosts send the text only there."""
        item = self._items.get(index)
        delta = None if item is None or item.done else late_delta(chunk)
        field = list_of(chunk)
        number: Json = chunk.get(f"{field}_index", 0 if item is None else item.latest.get(field, 0))
        if item is None or delta is None or type(number) is not int or item.type != GROWN[delta["type"]]:
            return None
        part = item.begun.get((field, number))
        return delta if part is None else rest_of_text(delta, part)

    # The envelope

    def _snapshot(self, response: Wire, *, final: bool) -> Events:
        """Read a snapshot of the response, so far or at the end."""
        data = load_response(response if final else {**response, "output": []})
        choice: dict[str, Any] = data.pop("choices")[0]
        usage = data.pop("usage", None) if not final or data.get("usage") is not None else None
        events = self._start({key: data[key] for key in ("id", "model", "created") if key in data})
        if final:
            output: list[Wire] = response.get("output") or []
            ends = {wire["id"]: wire for wire in output if type(wire.get("id")) is str}
            events += self._release(final=True, ends=ends) + self._take_unnamed(output) + self._settle_output(output)
            events += [ev.UsageUpdate(usage=usage)] if usage is not None else []
        news = {key: value for key, value in data.items() if self._envelope.get(key, ...) != value}
        self._envelope |= news
        events += [ev.Update(of="response", data=news, overwrite=True)] if news else []
        if not final:
            return events
        self._ended = True
        del choice["message"]
        if "native_stop_reason" in choice:  # some hosts leave the items out of the last snapshot
            choice["stop_reason"] = meaning(choice["native_stop_reason"], (item.type for item in self._items.values()))
        events.append(ev.Stop(**choice))
        error: Json = response.get("error")
        if type(error) is dict and (self._last_error is None or error.get("message") != self._last_error):
            events.append(ev.ErrorEvent(error=error))
        return [*events, ev.StreamEnd()]

    def _start(self, known: dict[str, Any]) -> Events:
        if self._started:
            return []
        self._started = True
        self._envelope |= known
        return [ev.MessageStart(**known, origin=self._name, spelling="blocks")]

    # Items

    def _of_item(self, chunk: Wire) -> Events:
        """Read an event that belongs to an item; none of its events are returned yet if it must wait."""
        index = field_of(chunk, "output_index", int)
        self._current = index = self._unindexed(chunk) if index is None else self._index_of(chunk, index)
        has_begun = index in self._items or index in self._waiting
        chunks = [chunk] if has_begun else self._unnamed.take(chunk, index)
        if not chunks:
            return self._start({})
        if self._open not in (None, index):
            self._waiting.setdefault(index, []).extend(chunks)
            return []
        events = self._start({})
        for each in chunks:
            events += self._take(each, index)
        return events + self._release(final=False)

    def _take_unnamed(self, output: list[Wire]) -> Events:
        """Read the events of calls whose name has not come, at the end of the stream."""
        events: Events = []
        for index, chunks in self._unnamed.rest(output):
            for chunk in chunks:
                events += self._take(chunk, index)
            events += self._release(final=True)
        return events

    def _index_of(self, chunk: Wire, given: int) -> int:
        """The output index of the item that an event belongs to; some hosts give one to several items, each with its own id."""
        wire: Json = chunk.get("item")
        id: Json = wire.get("id") if type(wire) is dict else chunk.get("item_id")
        index = self._moved.get(given, given)
        self._free = max(self._free, index + 1)
        if type(id) is not str:
            return index
        index = self._moved.get(id, index)
        if chunk["type"] == _ADDED:
            self._named[id] = index
            other = self._ids.setdefault(index, id)
            is_other = other != id
        else:
            other = self._ids.get(index, id)
            is_other = other != id and index in self._items and self._items[index].differs(owner_of(chunk))
        if not is_other:
            return index
        free = self._free
        self._free += 1
        self._ids[free] = id
        self._moved |= {other: index, id: free, given: free}
        return free

    def _unindexed(self, chunk: Wire) -> int:
        """The output index of an event without one: that of the item with its id, else of the current item, or a new one.

        llama.cpp's server sends no indices, begins its items one after another, and ends them all at the end.
        """
        wire: Json = chunk.get("item")
        ids = (wire.get("id"), wire.get("call_id")) if type(wire) is dict else (chunk.get("item_id"),)
        names = [id for id in ids if type(id) is str]
        index = next((self._named[name] for name in names if name in self._named), None)
        if index is None:
            index = self._current
            if self._is_new(chunk):
                index = self._free
                self._free += 1
                self._open = None
        self._named |= dict.fromkeys(names, index)
        return index

    def _is_new(self, chunk: Wire) -> bool:
        """Whether an event without an index, whose item has not been named, is the first of an item."""
        current = self._items.get(self._current)
        if chunk["type"] == _ADDED or current is None:
            return chunk["type"] == _ADDED or not self._free
        return current.differs(owner_of(chunk)) or (current.done and owner_of(chunk) in ITEMS)

    def _release(self, *, final: bool, ends: Mapping[str, Wire] = _NO_ENDS) -> Events:
        """Read the waiting events, item by item, while no item is open; at the end, also end items without an event for it.

        Such an item ends as it is in `ends`, the items of the last snapshot by id, as some hosts have its text only there.
        """
        events: Events = []
        while True:
            for index in list(self._unfinished) if final else ():
                id: Json = self._items[index].wire.get("id")
                self._end_item(ends.get(id) if type(id) is str else None, index, events)
            if self._open is not None or not self._waiting:
                return events
            index = next(iter(self._waiting))
            for chunk in self._waiting.pop(index):
                news = chunk if late_delta(chunk) is None else self._missing(chunk, index)
                events += [] if news is None else self._take(news, index)

    def _take(self, chunk: Wire, index: int) -> Events:
        name, _, stage = chunk["type"].removeprefix("response.").rpartition(".")
        events: Events = []
        if name == "output_item":
            wire = field_of(chunk, "item", dict)
            if stage == "added":
                self._add_item(wire or {}, index, events)
            else:
                self._end_item(wire, index, events)
            return events
        wire = {"type": DELTAS[name]} if name in DELTAS else field_of(chunk, "part", dict) or PARTS.get(name, {})
        if name == _CITED:
            self._cite(chunk, index, events)
            return events
        part = self._part(chunk, wire, index, events)
        if part is not None and stage == "delta" and part.kind in _TEXTS:
            if part.kind not in _KINDS[GROWN[chunk["type"]]]:
                raise StreamError(f"/type: the item has become {part.kind}, so it cannot get this event")
            self._grow(part, self._items[index], field_of(chunk, "delta", str) or "", events)
        elif part is not None and stage == "done":
            item = self._items[index]
            if (data := self._load_part(item, list_of(chunk), wire, first=part is item.parts[0])) is not None:
                self._settle(part, data, events)
            self._stop(part, events)
        return events

    def _grow(self, part: StreamedPart, item: Item, text: str, events: Events) -> None:
        """Add a delta, unless it repeats the arguments that its call was added with, as at vLLM."""
        repeats = text == item.first_arguments and text.startswith("{")  # no JSON object begins with the same piece twice
        item.first_arguments = ""
        if not repeats:
            self._parts.grow(part, text, events)

    def _cite(self, chunk: Wire, index: int, events: Events) -> None:
        part = self._part(chunk, {"type": "output_text"}, index, events)
        citation = field_of(chunk, "annotation", dict)
        if part is None or part.kind != "text" or citation is None:
            return
        wire: Wire = {"type": "output_text", "text": "", "annotations": [citation]}
        data = self._load_part(self._items[index], "content", wire, first=False) or {}
        self._cited.setdefault(part.index, []).extend(data.get("citations", ()))

    def _add_item(self, wire: Wire, index: int, events: Events) -> None:
        if index in self._items or not wire:
            return
        item = Item(wire, self._last)
        if item.type in ("message", "reasoning"):
            self._items[index] = item
            self._unfinished[index] = None
            self._open = index
            return
        if self._ended_calls:
            self._void_before(wire, events)
        defaults = ITEMS.get(item.type, {}) if type(item.type) is str else {}
        (data,) = load_item(checked(defaults | wire), item.before)
        self._items[index] = item
        self._unfinished[index] = None
        item.begun["content", 0] = self._begin(item, data, events)
        item.first_arguments = data["input"] if item.type == "function_call" else ""

    def _void_before(self, wire: Wire, events: Events) -> None:
        """Replace a call that begins again by the message that it has ended as."""
        before = self._ended_calls.pop(call_id_of(wire) or "", None)
        if before is not None and before.void is not None:
            (data,) = load_item(checked(before.void), before.before)
            self._settle(before.parts[0], data, events)

    def _end_item(self, wire: Wire | None, index: int, events: Events) -> None:
        """End an item, as `wire` has it if that is known."""
        self._add_item(wire or {}, index, events)
        if (item := self._items.get(index)) is None:
            return
        ends_as_less = wire is not None and item.says_more_than(wire)
        if ends_as_less and item.type == "function_call" and call_id_of(item.wire):
            item.void = wire
            self._ended_calls[item.wire["call_id"]] = item
        loaded = load_item(checked(item.completed(wire)), item.before) if wire and not ends_as_less else ()
        for place, data in enumerate(loaded):
            if place < len(item.parts):
                self._settle(item.parts[place], data, events)
            else:
                self._begin(item, data, events)
            self._last = data
        for part in item.parts:
            self._stop(part, events)
        item.done = True
        self._unfinished.pop(index, None)
        self._open = None if self._open == index else self._open

    def _settle_output(self, output: list[Wire]) -> Events:
        """Replace the items by the items of the last snapshot."""
        events: Events = []
        self._last = None
        known = without_void(self._items, output)
        for place, wire in enumerate(output):
            index = known[place] if place < len(known) else max(known, default=-1) + 1 + place
            if index in self._items:
                self._items[index].before = self._last
            self._end_item(wire, index, events)
        return events

    # Parts

    def _part(self, chunk: Wire, wire: Wire, index: int, events: Events) -> StreamedPart | None:
        """The part that an event belongs to, begun if it is new; None if its item has no such parts."""
        kind: str = field_of(wire, "type", str, "/part") or ""
        owner = OWNERS.get(kind, kind)
        if index not in self._items:
            if owner in ("function_call", "custom_tool_call"):
                raise StreamError(
                    "/output_index: the arguments of a tool call must follow the start of its item, which has its name"
                )
            self._add_item(ITEMS.get(owner, {}), index, events)
        if (item := self._items.get(index)) is None or (owner != item.type and owner in ITEMS):
            return None
        if item.type not in ("message", "reasoning"):
            return item.parts[0] if item.parts else None
        field = list_of(chunk)
        number = field_of(chunk, f"{field}_index", int)
        place = field, item.latest.get(field, 0) if number is None else number
        if place not in item.begun and not item.done:
            if kind in OWNERS:
                text, _ = GROWTHS[kind]
                wire = {"type": kind, text: wire.get(text, "")}
            if (data := self._load_part(item, field, wire, first=not item.parts)) is None:
                return None
            item.begun[place] = self._begin(item, data, events)
            item.latest[field] = place[1]
        return item.begun.get(place)

    def _load_part(self, item: Item, field: str, wire: Wire, *, first: bool) -> dict[str, Any] | None:
        """Load a part of an item; the first part also has the fields of the item. None in an item that is kept whole."""
        whole = {key: value for key, value in item.wire.items() if key not in ("content", "summary")}
        # Two parts, since a single one may be spelled as a text.
        loaded = load_item(checked(ITEMS.get(str(item.type), {}) | whole | {field: [wire, wire]}), item.before)
        if len(loaded) < 2:
            return None
        return loaded[0] if first else loaded[1]

    def _begin(self, item: Item, data: dict[str, Any], events: Events) -> StreamedPart:
        self._last = data
        field = _TEXTS.get(data["type"])
        part = self._parts.begin({**data}, events)
        self._reported[part.index] = {key: value for key, value in data.items() if key not in ("type", field)}
        item.parts.append(part)
        if field == "input":
            self._parts.grow(part, data["input"], events)
        elif part.kind == "opaque" and not part.rest:
            events.append(ev.OpaqueEvent(index=part.index, format=part.format, value=part.value))
        return part

    def _settle(self, part: StreamedPart, data: dict[str, Any], events: Events) -> None:
        """Report the fields of a part that the events have not reported yet."""
        field = _TEXTS.get(data["type"])
        text = data.get(_TEXTS.get(data["type"], ""), "")
        fields = {key: value for key, value in data.items() if key not in ("type", field)}
        if fields.get("name") == "":  # some hosts leave it out at the end (router-for-me/CLIProxyAPI#1004)
            del fields["name"]
        if not fields.get("citations") and self._reported[part.index].get("citations"):
            fields.pop("citations", None)
        news = {key: value for key, value in fields.items() if self._reported[part.index].get(key, ...) != value}
        is_other = part.kind != data["type"] or ("custom" in self._reported[part.index] and "custom" not in data)
        self._reported[part.index] |= fields
        if is_other:
            become(part, data, text)
            events.append(ev.WholePart(index=part.index, part=data))
            return
        if field is not None:
            if self._replaces(part, text, events):
                news[field] = text
        elif part.kind == "opaque" and part.open:  # its end tells what it is
            part.value = data["value"]
            part.rest = {key: data[key] for key in fields if key not in ("format", "value")}
            news = {}
        if news:
            events.append(ev.Update(of="part", index=part.index, data=news, overwrite=True))

    def _replaces(self, part: StreamedPart, text: str, events: Events) -> bool:
        """Whether a part's whole text must replace what has arrived; if it only continues that, the rest is added."""
        grown = "".join(part.pieces)
        if grown and not text:
            return False  # some hosts leave it out at the end
        if not text.startswith(grown):
            part.pieces = [text]
            return True
        self._parts.grow(part, text[len(grown) :], events)
        # A call that has ended does not grow: its input counts.
        return part.kind == "tool_use" and not part.open and text != grown

    def _stop(self, part: StreamedPart, events: Events) -> None:
        reported = self._reported[part.index]
        if (cited := self._cited.pop(part.index, None)) and not reported.get("citations"):
            reported["citations"] = cited
            events.append(ev.Update(of="part", index=part.index, data={"citations": cited}, overwrite=True))
        if not part.open:
            return
        if part.kind == "tool_use":
            part.pieces = ["".join(part.pieces)]
            self._parts.update(part, {"input": part.pieces[0]}, events)  # which the fold would make an object
        self._parts.end(part, events)
