"""What a stream has told so far of a choice and its parts, and the events that the next fragment of a part becomes.

A part that is complete is read once more, by the loader that would have read it whole: what it has beyond its text is what that
loader makes of it.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...errors import StreamError
from ...model.base import Json, known
from ...model.events import (
    ArgumentsDelta,
    Event,
    OpaqueEvent,
    PartStop,
    SignatureDelta,
    TextDelta,
    ThinkingDelta,
    ThinkingField,
    ToolUse,
    ToolUseStart,
    Update,
)
from .assistant import load_call
from .base import FAMILY, to_json
from .parts import load_block
from .profiles import ChatProfile
from .reasoning import DETAIL_FIELDS, load_detail

MISSING: Any = object()


class Part:
    """A part under way."""

    def __init__(self, choice: OpenChoice, *, listed: bool = False) -> None:
        self.index = choice.count
        self.where: dict[str, Any] = choice.where | {"index": choice.count}
        self.profile = choice.profile
        self.listed = listed
        choice.count += 1
        choice.open[self.index] = self

    def complete(self) -> list[Event]:
        """What is left to tell now that nothing more is awaited."""
        return [PartStop(**self.where)]

    def own(self, data: Wire) -> Update:
        """Fields of the part that only this family has."""
        return self.update({"provider_data": {FAMILY: data}})

    def update(self, data: Wire) -> Update:
        """Canonical fields of the part."""
        return Update(of="part", **self.where, data=data)


class Block(Part):
    """A block of reasoning that comes in fragments, from a field of blocks or of details."""

    def __init__(self, choice: OpenChoice, kind: str) -> None:
        super().__init__(choice)
        self.kind = kind
        self.field = DETAIL_FIELDS.get(kind, "thinking")
        self.known: Wire = {}
        self.signature: str | None = None
        self.format: str | None = None
        self.has_text = False
        self.issuer: str | None = None

    def add(self, raw: Wire, told: ThinkingField) -> list[Event]:
        """The events of a fragment; `told` is where a flat message has its text."""
        events: list[Event] = []
        text, signature, label = raw.get(self.field), raw.get("signature"), raw.get("format")
        signed = type(signature) is str and self.kind != "reasoning.summary"
        apart = {"type", self.field} | ({"signature"} if signed else set[str]())
        if type(label) is str and self.kind in DETAIL_FIELDS:
            # Who made it decides how the format is kept, and may be told later.
            self.format = label
            apart.add("format")
        first = not self.known and not self.has_text and self.signature is None
        news = {key: value for key, value in raw.items() if key not in apart and self.known.get(key, MISSING) != value}
        if first:
            self.known = {"type": self.kind}
            update: Wire = {"provider_data": {FAMILY: news}} if news else {}
            if self.kind == "reasoning.summary":
                update["summary"] = True
            events.append(ThinkingDelta(**self.where, thinking="" if update else text or "", field=told))
            if update:
                events.append(self.update(update))
                if text:
                    events.append(ThinkingDelta(**self.where, thinking=text, field=told))
        else:
            if news:
                events.append(self.own(news))
            if text:
                events.append(ThinkingDelta(**self.where, thinking=text, field=told))
        self.known.update(news)
        self.has_text = self.has_text or type(text) is str
        if signed and signature != self.signature and (signature or self.signature is None):
            self.signature = signature
            if signature:
                events.append(self._signed())
        return events

    def _signed(self) -> SignatureDelta:
        self.issuer = self._loaded()["issuer"]
        return SignatureDelta(**self.where, signature=self.signature or "", issuer=self.issuer)

    def _loaded(self) -> dict[str, Any]:
        held: Wire = {"type": self.kind}
        held |= {self.field: ""} if self.has_text or self.kind not in DETAIL_FIELDS else {}
        held |= {"signature": self.signature} if self.signature is not None else {}
        held |= {"format": self.format} if self.format is not None else {}
        return (load_detail if self.kind in DETAIL_FIELDS else load_block)(held) or {}

    def complete(self) -> list[Event]:
        loaded = self._loaded()
        events: list[Event] = [self._signed()] if self.signature == "" else []
        late: Wire = {
            key: loaded[key] for key in ("issuer", "provider_data", "wire") if loaded.get(key) not in (None, self.issuer)
        }
        if late:
            events.append(self.update(late))
        return [*events, PartStop(**self.where)]


class Listed(Part):
    """A part of list content whose inner list comes in fragments."""

    def __init__(self, choice: OpenChoice, raw: Wire) -> None:
        super().__init__(choice, listed=True)
        self.rest = {key: value for key, value in raw.items() if key != "thinking"}
        self.inner: list[Any] = list(raw["thinking"])
        self.fragments = 1

    def add(self, raw: Wire) -> list[Event]:
        """The events of a further fragment."""
        news = {key: value for key, value in raw.items() if key != "thinking" and self.rest.get(key, MISSING) != value}
        event = self.update({"value": {**news, "thinking": raw["thinking"]}})
        self.rest.update(news)
        self.inner += raw["thinking"]
        self.fragments += 1
        return [event]

    def complete(self) -> list[Event]:
        if self.fragments == 1:
            return [PartStop(**self.where)]
        value = {**self.rest, "thinking": _joined(self.inner)}
        return [OpaqueEvent(**self.where, format=FAMILY, value=value), PartStop(**self.where)]


def _joined(items: list[Any]) -> list[Any]:
    """The items with texts that are neighbours made one."""
    out: list[Any] = []
    texts: list[str] = []
    item: Json
    for item in [*items, None]:
        if type(item) is dict and len(item) == 2 and item.get("type") == "text" and type(item.get("text")) is str:
            texts.append(item["text"])
            continue
        if texts:
            out.append({"type": "text", "text": "".join(texts)})
            texts = []
        if item is not None:
            out.append(item)
    return out


class Call(Part):
    """A tool call that comes in fragments."""

    def __init__(self, choice: OpenChoice) -> None:
        super().__init__(choice)
        self.id: str | None = None
        self.name: str | None = None
        self.kind: str | None = None
        self.wire: Wire = {}
        self.inner: Wire = {}
        self.pieces: list[str] = []
        self.arguments: Json = MISSING
        """What kind the arguments are: text, an object, null, or not there."""
        self.held: str | None = None
        """An object without fields, as long as it may stand for arguments that are yet to come."""
        self.started = False
        self.told: Wire = {}

    def add(self, raw: Wire, kind: str | None, inner: Wire) -> list[Event]:
        """The events of a fragment; `inner` holds the name and the arguments."""
        events: list[Event] = []
        id, name = raw.get("id"), inner.get("name")
        if name is not None and type(name) is not str:
            raise StreamError("the name of a tool call is no text")
        field = "input" if kind == "custom" else "arguments"
        told = inner.get(field, MISSING)
        self._keep(raw, kind, inner, field)
        if name and not self.name:
            self.name = name
            self.kind = self.kind or kind
        if type(id) is str and id and not self.id:
            self.id = id
            if self.started:
                events.append(self.update({"id": id}))
        more = [] if told is MISSING else self._argue(told)
        if self.name and not self.started:
            events.append(self._start())
            # Told early what is likely to stay; what a later fragment changes is told at the end.
            self.told = self._record(early=True)
            if self.told:
                events.append(self.update(self.told))
            if self.pieces:
                events.append(ArgumentsDelta(**self.where, arguments="".join(self.pieces)))
            return events
        return events + more

    def takes(self, told: Any) -> bool:
        """Whether this is more of the argument text, and tells nothing besides."""
        return type(told) is str and bool(told) and self.started and self.arguments == "" and self.held is None

    def _keep(self, raw: Wire, kind: str | None, inner: Wire, field: str) -> None:
        for key, value in raw.items():
            if key not in ("index", "id", kind) and not (inner is raw and key in ("name", "arguments")):
                _keep(self.wire, key, value)
        if inner is not raw:
            for key, value in inner.items():
                if key not in ("name", field):
                    _keep(self.inner, key, value)
        if "id" in raw and not self.id:
            self.wire["id"] = raw["id"]

    def _start(self) -> ToolUseStart:
        self.started = True
        given: dict[str, Any] = {"id": self.id} if self.id else {}
        if self.kind == "custom":
            given["custom"] = True
        return ToolUseStart(**self.where, **given, name=self.name or "")

    def _argue(self, told: Json) -> list[Event]:
        if told is None:
            self.arguments = None if self.arguments is MISSING else self.arguments
            return []
        if type(told) is dict:
            if type(self.arguments) is not str:
                self.arguments = {}
            if not told:
                self.held = "{}" if not self.pieces else self.held
                return []
            told = _as_text(told)
        elif type(told) is str:
            if type(self.arguments) is not dict or told:
                self.arguments = ""
        else:
            raise StreamError("the arguments of a tool call are neither text nor an object")
        if not told:
            return []
        self.held = None
        self.pieces.append(told)
        return [ArgumentsDelta(**self.where, arguments=told)] if self.started else []

    def complete(self) -> list[Event]:
        events: list[Event] = []
        if not self.started:
            events.append(self._start())
            if self.pieces:
                events.append(ArgumentsDelta(**self.where, arguments="".join(self.pieces)))
        if self.held is not None:
            events.append(ArgumentsDelta(**self.where, arguments=self.held))
            self.pieces, self.held = [self.held], None
        text = "".join(self.pieces)
        self.pieces = [text]
        record = self._record()
        gone = _spelling_in(self.told).keys() - _spelling_in(record).keys()
        if gone:
            record.setdefault("wire", {})["spelling"] = _spelling_in(record) | dict.fromkeys(sorted(gone), "usual")
        if news := _news(self.told, record):
            events.append(self.update(news))
            self.told = record
        if not self.id and self.wire.get("id") == "":
            events.append(self.update({"id": ""}))
        given: dict[str, Any] = {"id": self.id} if self.id else {}
        if self.kind == "custom":
            given["custom"] = True
        return [*events, ToolUse(**self.where, **given, name=self.name or "", arguments=text), PartStop(**self.where)]

    def _record(self, *, early: bool = False) -> Wire:
        """What the loader keeps of the call beside its canonical fields."""
        loaded = self._loaded(early=early)
        return {key: loaded[key] for key in ("provider_data", "wire") if key in loaded}

    def _loaded(self, *, early: bool = False) -> dict[str, Any]:
        """What the call is as far as told; `early`, arguments that are null or not there may still come."""
        wire: Wire = ({"id": self.id} if self.id else {}) | self.wire
        if self.kind == "legacy":
            return {"provider_data": {FAMILY: self.inner}} if self.inner else {}
        if self.kind == "flat":
            return load_call({**wire, "name": "", "arguments": ""}, self.profile)
        inner: Wire = {"name": "", **self.inner}
        if self.kind == "custom":
            return load_call({**wire, "custom": {**inner, "input": ""}}, self.profile)
        if early and type(self.arguments) is not dict:
            inner["arguments"] = ""
        elif self.arguments is not MISSING:
            inner["arguments"] = self.arguments
        return load_call({**wire, "function": inner}, self.profile)


def _spelling_in(record: Wire) -> dict[str, str]:
    spelling: dict[str, str] = record.get("wire", {}).get("spelling", {})
    return spelling


def _news(old: Wire, new: Wire) -> Wire:
    """What `new` has that `old` has not, so that merging it into `old` gives `new`; lists only grow."""
    news: Wire = {}
    before: Json
    value: Json
    for key, value in new.items():
        before = old.get(key, MISSING)
        if type(before) is dict and type(value) is dict:
            if inner := _news(before, value):
                news[key] = inner
        elif type(before) is list and type(value) is list:
            if added := value[len(before) :]:
                news[key] = added
        elif before is MISSING or before != value:
            news[key] = value
    return news


def keep_last(into: Wire, key: str, value: Json) -> None:
    """Keep a field that later fragments may repeat or add to."""
    old: Json = into.get(key)
    if type(old) is dict and type(value) is dict:
        old.update(value)
    else:
        into[key] = dict(value) if type(value) is dict else value


def _keep(into: Wire, key: str, value: Json) -> None:
    """The same, of one that later fragments may leave null."""
    if value is not None or key not in into:
        keep_last(into, key, value)


def _as_text(arguments: Wire) -> str:
    """An object as JSON text; free JSON that is none is a broken chunk."""
    # The event that validates free JSON gives a copy, which holds nothing that cannot be written.
    return to_json(Update(of="part", data=arguments).data)


class OpenChoice:
    """One choice under way."""

    def __init__(self, number: int, profile: ChatProfile) -> None:
        self.number = number
        self.profile = profile
        self.where: dict[str, Any] = {"choice": number} if number else {}
        self.text_given = {"type", *self.where, "index", "text"}
        self.arguments_given = {"type", *self.where, "index", "arguments"}
        self.count = 0
        self.open: dict[int, Part] = {}
        self.role: str | None = None
        self.text: Part | None = None
        """The text that is growing: the last part of the content, unless that is none."""
        self.last_listed: Listed | None = None
        self.said: set[str] = set()
        """The fields of the message that had a value."""
        self.nulls: dict[str, None] = {}
        self.choice_nulls: dict[str, None] = {}
        self.choice_said: set[str] = set()
        self.beside: Wire = {}
        """The fields beside the deltas, as they were last."""
        self.own: Wire = {}
        """Fields of the message without canonical meaning that replace what was there."""
        self.logprobs: set[str] = set()
        self.audio: Wire | None = None
        self.name: str | None = None
        self.has_content = False
        self.plain: Part | None = None
        self.refusal: Part | None = None
        self.reasoning_field: str | None = None
        self.block_field: str | None = None
        self.blocks: dict[tuple[str, int], Block] = {}
        self.last_block: Block | None = None
        self.redacted: dict[tuple[str, int], str] = {}
        self.calls: dict[int, Call] = {}
        self.call_ids: dict[str, Call] = {}
        self.last_call: Call | None = None
        self.legacy: Call | None = None
        self.call_count = 0
        self.finish: str | None = None
        self.finish_is_null = False
        self.goes_on = False
        self.closed = False

    def more(self, delta: Wire) -> Event | None:
        """The event of a delta that has more of a text or of a call's arguments alone; None where it has anything else.

        Nearly all deltas are of this kind. Raises `KeyError`, `TypeError` or `ValueError` for what is no delta.
        """
        if len(delta) != 1:
            return None
        if "content" in delta and self.text is not None:
            text, part = delta["content"], self.text
            if type(text) is not str or not text:
                return None
            if not text.isascii():
                return TextDelta(**part.where, text=text)
            data = {"type": "text", "choice": self.number, "index": part.index, "text": text}
            return known(TextDelta, data, self.text_given)
        raw: Wire
        (raw,) = delta["tool_calls"] if len(delta["tool_calls"]) == 1 else ({},)
        call, inner = self.calls.get(raw["index"]), raw["function"]
        told = inner["arguments"]
        if call is None or len(raw) != 2 or len(inner) != 1 or type(raw["index"]) is not int or not call.takes(told):
            return None
        if told.isascii():
            data = {"type": "arguments", "choice": self.number, "index": call.index, "arguments": told}
            event = known(ArgumentsDelta, data, self.arguments_given)
        else:
            event = ArgumentsDelta(**call.where, arguments=told)
        call.pieces.append(told)
        self.last_call = call
        return event

    def message(self, data: Wire, *, join: bool = False) -> Update:
        """Canonical fields of the message."""
        joined: dict[str, Any] = {"join": True} if join else {}
        return Update(of="message", **self.where, data=data, **joined)

    def own_message(self, data: Wire, *, join: bool = False) -> Update:
        """Fields of the message that only this family has."""
        return self.message({"provider_data": {FAMILY: data}}, join=join)

    def spelled(self, key: str, value: str) -> Update:
        """The record of how the message is spelled."""
        return self.message({"wire": {"spelling": {key: value}}})

    def reopen(self, part: Part) -> None:
        """Note that a part goes on, though it may have been complete."""
        self.open[part.index] = part
