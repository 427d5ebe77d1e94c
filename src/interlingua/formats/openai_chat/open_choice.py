"""What a stream has sent so far of one choice: its own fields, and the parts of its message, which arrive in fragments.

The loader of whole messages reads each complete part again, and returns its fields other than the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from ...codec.fields import Wire
from ...errors import StreamError
from ...model import events as e
from ...model.base import Json
from ...model.deltas import DeltaMaker
from .assistant import load_call, load_legacy_call
from .base import FAMILY, to_json
from .beside import signer_of
from .listed import joined, load_listed
from .parts import load_block
from .profiles import ChatProfile
from .reasoning import DETAIL_FIELDS, load_detail

MISSING: Any = object()
_NOUNS: dict[type, str] = {str: "text", list: "a list", dict: "an object"}


def expect(value: Any, kind: type, name: str) -> Any:
    """Return the value if it has this type; raise `StreamError` otherwise."""
    if type(value) is not kind:
        raise StreamError(f"{name} must be {_NOUNS[kind]}")
    return value


class Part:
    """A part that is still arriving; `where` are the fields of its events that identify it."""

    def __init__(self, where: dict[str, Any]) -> None:
        self.where = where
        self.maker: DeltaMaker | None = None
        """Makes the deltas that add to it, once there is a maker."""
        self.listed = False
        """Whether this is text from a part of list content."""

    def grown(self, event: e.Event) -> e.Event:
        """An event that adds to the part."""
        self.maker = DeltaMaker(event)
        return event

    def complete(self) -> Iterator[e.Event]:
        """The last events of the part, after its last fragment."""
        yield e.PartStop(**self.where)

    def update(self, data: Wire) -> e.Update:
        """An event that sets canonical fields of the part."""
        return e.Update(of="part", **self.where, data=data)

    def report(self, data: Wire) -> Iterator[e.Event]:
        """The events that set canonical fields of the part, its signature included."""
        rest: Wire = {key: data[key] for key in ("citations", "provider_data", "wire") if key in data}
        if rest:
            yield self.update(rest)
        if "signature" in data:
            yield e.SignatureDelta(**self.where, signature=data["signature"], issuer=signer_of(data["signature"]))


class Block(Part):
    """A block of reasoning, from a field of blocks or of details."""

    def __init__(self, where: dict[str, Any], kind: str) -> None:
        super().__init__(where)
        self.kind = kind
        self.field = DETAIL_FIELDS.get(kind, "thinking")
        self.wire: Wire = {"type": kind} if kind in DETAIL_FIELDS else {"type": kind, self.field: ""}
        """The fields that the loader reads, with empty text."""
        self.known: Wire = {}
        """The type and the other fields so far; empty before the first fragment."""
        self.issuer: str | None = None
        self.has_null = False
        """Whether a fragment had null as the signature, which a later one replaces."""

    def add(self, raw: Wire, field: e.ThinkingField) -> Iterator[e.Event]:
        """The events of a fragment; `field` is the text field of a flat message."""
        text = raw.get(self.field)
        signature = raw.get("signature")
        label = raw.get("format")
        handled = {"type", self.field}
        if type(label) is str and self.kind in DETAIL_FIELDS:
            # The format names the issuer, who decides how it is kept, and may come only in a later fragment.
            self.wire["format"] = label
            handled.add("format")
        is_signed = type(signature) is str and self.kind != "reasoning.summary"
        self.has_null |= signature is None and "signature" in raw
        if is_signed or signature is None:
            handled.add("signature")
        news = {key: value for key, value in raw.items() if key not in handled and self.known.get(key, MISSING) != value}
        yield from self._grow(text, news, field)
        self.known |= {"type": self.kind, **news}
        if type(text) is str:
            self.wire[self.field] = ""
        if is_signed and ("signature" not in self.wire or signature not in ("", self.wire["signature"])):
            self.wire["signature"] = signature
            if signature:
                yield self._signed()

    def _grow(self, text: str | None, news: Wire, field: e.ThinkingField) -> Iterator[e.Event]:
        update: Wire = {"provider_data": {FAMILY: news}} if news else {}
        if not self.known and self.kind == "reasoning.summary":
            update["summary"] = True
        if not self.known and (update or not text):
            # An empty text begins the part.
            yield e.ThinkingDelta(**self.where, thinking="", field=field)
        if update:
            yield self.update(update)
        if text:
            yield e.ThinkingDelta(**self.where, thinking=text, field=field)

    def _signed(self) -> e.SignatureDelta:
        self.issuer = self._loaded()["issuer"]
        return e.SignatureDelta(**self.where, signature=self.wire["signature"], issuer=self.issuer)

    def _loaded(self) -> dict[str, Any]:
        return (load_detail if self.kind in DETAIL_FIELDS else load_block)(self.wire) or {}

    def complete(self) -> Iterator[e.Event]:
        loaded = self._loaded()
        if self.wire.get("signature") == "":
            yield self._signed()
        elif self.has_null and "signature" not in self.wire | self.known:
            yield self.update({"provider_data": {FAMILY: {"signature": None}}})
        late = {key: loaded[key] for key in ("issuer", "provider_data", "wire") if loaded.get(key) not in (None, self.issuer)}
        if late:
            yield self.update(late)
        yield from super().complete()


class ListedBlock(Block):
    """A block of reasoning at the beginning of the content, whose text is in lists."""

    def __init__(self, where: dict[str, Any], issuer: str) -> None:
        super().__init__(where, "thinking")
        self._signer = issuer

    def _loaded(self) -> dict[str, Any]:
        return load_listed(self.wire | {"thinking": [{"type": "text", "text": ""}]}, self._signer) or {}


class Listed(Part):
    """A part of list content with a list inside, sent in fragments."""

    def __init__(self, where: dict[str, Any], raw: Wire) -> None:
        super().__init__(where)
        self.rest = {key: value for key, value in raw.items() if key != "thinking"}
        self.inner: list[Any] = list(raw["thinking"])
        self.has_more = False

    def add(self, raw: Wire) -> e.Event:
        """The event of another fragment."""
        news = {key: value for key, value in raw.items() if key != "thinking" and self.rest.get(key, MISSING) != value}
        self.rest.update(news)
        self.inner += raw["thinking"]
        self.has_more = True
        return self.update({"value": {**news, "thinking": raw["thinking"]}})

    def complete(self) -> Iterator[e.Event]:
        if self.has_more:
            value = {**self.rest, "thinking": list(joined(self.inner))}
            yield e.OpaqueEvent(**self.where, format=FAMILY, value=value)
        yield from super().complete()


class Call(Part):
    """A tool call."""

    def __init__(self, where: dict[str, Any], profile: ChatProfile) -> None:
        super().__init__(where)
        self.profile = profile
        self.id: str | None = None
        self.name: str | None = None
        self.kind: str | None = None
        """The call's spelling: function, custom, flat or legacy; None until its name is known."""
        self.outer: Wire = {}
        """Other fields of the call."""
        self.inner: Wire = {}
        """Other fields of the object with the name and the arguments."""
        self.pieces: list[str] = []
        self.arguments: Json = MISSING
        """What the arguments are: "" for text, {} for an object, None for null, or `MISSING`."""
        self.empty_object = False
        """Whether the arguments so far are an empty object, which may be a placeholder for arguments that follow."""
        self.started = self.is_reported = False
        """Whether the start of the call was reported; whether all its other fields were, if its arguments are text."""
        self.reported: Wire = {}
        """The fields that updates have reported."""

    def add(self, raw: Wire, kind: str | None, inner: Wire) -> Iterator[e.Event]:
        """The events of a fragment; `inner` is the object with the name and the arguments."""
        self.is_reported = False
        id = raw.get("id")
        name = inner.get("name")
        if name is not None:
            expect(name, str, "the name of a tool call")
        field = "input" if kind == "custom" else "arguments"
        self._keep_fields(raw, kind, inner, field)
        if name and not self.name:
            self.name = name
            self.kind = self.kind or kind
        if id and not self.id:
            self.id = id
            if self.started:
                yield self.update({"id": id})
        added = self._add_arguments(inner[field]) if field in inner else ""
        if self.name and not self.started:
            # Report early what is likely to stay; the end of the call reports what later fragments change.
            yield from self._begin(early=True)
        elif added and self.started:
            yield self.grown(e.ArgumentsDelta(**self.where, arguments=added))

    def _keep_fields(self, raw: Wire, kind: str | None, inner: Wire, field: str) -> None:
        is_flat = inner is raw
        handled = {"index", "id", "name", "arguments"} if is_flat else {"index", "id", kind}
        inner_fields: Wire = {} if is_flat else inner
        for into, fields, known in ((self.outer, raw, handled), (self.inner, inner_fields, {"name", field})):
            for key, value in fields.items():
                # Later fragments may repeat a field as null.
                if key not in known and (value is not None or key not in into):
                    keep_last(into, key, value)
        if "id" in raw and not self.id:
            self.outer["id"] = raw["id"]

    def _identity(self) -> dict[str, Any]:
        """The fields that the first and the last event of the call have in common."""
        id: dict[str, Any] = {"id": self.id} if self.id else {}
        custom: dict[str, Any] = {"custom": True} if self.kind == "custom" else {}
        return {**self.where, **id, **custom, "name": self.name or ""}

    def _begin(self, *, early: bool) -> Iterator[e.Event]:
        self.started = self.is_reported = True
        yield e.ToolUseStart(**self._identity())
        self.reported = self.record(early=early)
        yield from self.report(self.reported)
        if self.pieces:
            yield e.ArgumentsDelta(**self.where, arguments="".join(self.pieces))

    def _add_arguments(self, arguments: Json) -> str:
        """Add to the arguments, and return the text added."""
        text = arguments if type(arguments) is str else ""
        if type(arguments) is dict:
            if type(self.arguments) is not str:
                self.arguments = {}
            self.empty_object |= not (arguments or self.pieces)
            # The event's copy of free JSON is validated, so it can be written as text.
            text = to_json(e.Update(of="part", data=arguments).data) if arguments else ""
        elif type(arguments) is str:
            self.arguments = "" if type(self.arguments) is not dict or text else self.arguments
        elif arguments is not None:
            raise StreamError("the arguments of a tool call must be text or an object")
        elif self.arguments is MISSING:
            self.arguments = None
        if text:
            self.empty_object = False
            self.pieces.append(text)
        return text

    def complete(self) -> Iterator[e.Event]:
        if not self.started:
            yield from self._begin(early=False)
        if self.empty_object:
            yield e.ArgumentsDelta(**self.where, arguments="{}")
            self.pieces = ["{}"]
            self.empty_object = False
        self.pieces = ["".join(self.pieces)]
        if not self.is_reported or self.arguments != "":
            record = self.record()
            lost = spelling_of(self.reported).keys() - spelling_of(record).keys()
            if lost:
                record.setdefault("wire", {})["spelling"] = spelling_of(record) | dict.fromkeys(sorted(lost), "usual")
            if news := _news(self.reported, record):
                yield from self.report(news)
                self.reported = record
        if not self.id and self.outer.get("id") == "":
            yield self.update({"id": ""})
        yield e.ToolUse(**self._identity(), arguments=self.pieces[0])
        yield from super().complete()

    def record(self, *, early: bool = False) -> Wire:
        """What the loader returns for the call, except its id, its name and its arguments.

        If `early`, arguments that are null or missing so far may still follow.
        """
        call: Wire = ({"id": self.id} if self.id else {}) | self.outer
        inner: Wire = {"name": "", **self.inner}
        if self.kind == "flat":
            call |= {"name": "", "arguments": ""}
        elif self.kind == "custom":
            call["custom"] = {**inner, "input": ""}
        else:
            call["function"] = inner
            if early and type(self.arguments) is not dict:
                inner["arguments"] = ""
            elif self.arguments is not MISSING:
                inner["arguments"] = self.arguments
        loaded = load_legacy_call(inner) if self.kind == "legacy" else load_call(call, self.profile)
        return {key: loaded[key] for key in ("signature", "provider_data", "wire") if key in loaded}


def spelling_of(data: Wire) -> dict[str, str]:
    """The spelling that an update records."""
    record: Wire = data.get("wire") or {}
    return record.get("spelling") or {}


def _news(old: Wire, new: Wire) -> Wire:
    """The update that turns `old` into `new` when merged; lists only grow."""
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
        elif before != value:
            news[key] = value
    return news


def keep_last(into: Wire, key: str, value: Json) -> None:
    """Keep the last value of a field that later fragments may repeat or add to."""
    old: Json = into.get(key)
    if type(old) is dict and type(value) is dict:
        old.update(value)
    else:
        into[key] = dict(value) if type(value) is dict else value


# Choices

PartT = TypeVar("PartT", bound=Part)


class SeenFields:
    """Fields of an object that later chunks repeat or add to."""

    def __init__(self) -> None:
        self.valued: dict[str, bool] = {}
        """The fields, in their order, and whether they had a value."""
        self.filled: set[str] = set()
        """The message fields that had a value which is not empty."""
        self.latest: Wire = {}
        """The latest values of fields that a new value replaces."""

    def only_null(self) -> Wire:
        """The fields that were only ever null."""
        return {key: None for key, valued in self.valued.items() if not valued}

    def changed(self, key: str, value: Json) -> Any:
        """What is new about a value, which is then the latest; `MISSING` if the chunk repeats it."""
        old: Json = self.latest.get(key, MISSING)
        if type(old) is type(value) and old == value:
            return MISSING
        if type(old) is dict and type(value) is dict:
            value = {name: item for name, item in value.items() if old.get(name, MISSING) != item}
        keep_last(self.latest, key, value)
        return value


class OpenBlocks:
    """Blocks of reasoning."""

    def __init__(self) -> None:
        self.field: str | None = None
        self.twice = False
        """Whether the message has its blocks a second time, in another field."""
        self.by_index: dict[tuple[str, int], Block] = {}
        """The blocks that have an index, by their type and index."""
        self.last: Block | None = None
        self.signatures: list[Wire] = []
        """The last details, kept back while they may be signatures of calls or of the text."""
        self.encrypted = SeenFields()
        """The data of encrypted blocks that have an index, by their type and index."""


class OpenChoice:
    """One choice that is still arriving."""

    def __init__(self, number: int, profile: ChatProfile, frame: SeenFields) -> None:
        self.profile = profile
        self.frame = frame  # the fields of the response
        self.cited = False  # whether its citations are known, or it is not alone
        self.where: dict[str, Any] = {"choice": number} if number else {}
        """The fields of its events that identify it."""
        self.parts = 0
        """How many parts have begun."""
        self.open: dict[int, Part] = {}
        # The fields next to the deltas, and how the choice ended
        self.fields = SeenFields()
        self.logprobs: set[str] = set()  # its fields so far
        self.finish: str | None = None
        self.last_word: str | None = None  # sent in place of null; the finish reason if no other comes
        self.matched: str | None = None
        """The stop sequence that ended the choice."""
        self.finish_was_null = self.closed = self.was_open = False
        """`was_open` is whether a chunk had no `finish_reason`, or null."""

        # The fields of the message
        self.role: str | None = None
        self.message = SeenFields()
        self.beside: Wire = {}
        """Fields of the message with data about its text and its calls."""

        # The content and the refusal
        self.has_content = False
        self.content_parts = 0
        self.text: Part | None = None
        """The text that grows: the last part of the content, if it is text."""
        self.last_listed: Listed | None = None
        self.refusal: Part | None = None
        self.spoken: Part | None = None
        """The transcript of its audio."""
        self.has_empty_transcript = False
        """Whether an empty transcript came; more of it may follow."""

        # Reasoning, as text and in blocks
        self.thinking: Part | None = None
        self.thinking_field: str | None = None
        self.blocks = OpenBlocks()

        # Tool calls
        self.calls: list[Call] = []
        self.calls_by_index: dict[int, Call] = {}
        self.calls_by_id: dict[str, Call] = {}
        self.last_call: Call | None = None
        self.empty_calls: list[Wire] = []
        """Fragments before the first call that have no id, no name and no arguments."""
        self.legacy_call: Call | None = None

    def more(self, key: str, value: Any) -> Any:
        """The delta that adds text, reasoning or arguments in this field; None if this delta does more.

        Raises `KeyError`, `TypeError` or `ValueError` for a value that no delta may have.
        """
        if key == "tool_calls":
            return self._more_arguments(value)
        part = self.text if key == "content" else self.thinking
        maker = None if part is None else part.maker
        return None if maker is None or type(value) is not str or not value else maker.more(value)

    def _more_arguments(self, calls: Any) -> Any:
        raw: Wire
        (raw,) = calls
        index = raw["index"]
        inner = raw["function"]
        call = self.calls_by_index.get(index)
        text = inner["arguments"]
        has_text_alone = len(raw) == 2 and len(inner) == 1 and type(index) is int and type(text) is str
        if call is None or not has_text_alone or not text:
            return None
        if not call.started or call.arguments != "" or call.empty_object:
            return None
        event = call.maker.more(text) if call.maker else call.grown(e.ArgumentsDelta(**call.where, arguments=text))
        call.pieces.append(text)
        self.last_call = call
        return event

    def next_place(self) -> dict[str, Any]:
        """The fields that identify a new part."""
        self.parts += 1
        return {**self.where, "index": self.parts - 1}

    def keep_open(self, part: PartT) -> PartT:
        """Mark a part as open, even one that was complete before."""
        self.open[part.where["index"]] = part
        return part

    def complete_parts(self) -> list[e.Event]:
        """The last events of the open parts."""
        parts = self.open
        self.open = {}
        return [event for _, part in sorted(parts.items()) for event in part.complete()]

    def update(self, data: Wire, *, join: bool = False) -> e.Update:
        """An event that sets canonical fields of the message."""
        joined: dict[str, Any] = {"join": True} if join else {}
        return e.Update(of="message", **self.where, data=data, **joined)

    def update_own(self, data: Wire, *, join: bool = False) -> e.Update:
        """An event that sets message fields of this family alone."""
        return self.update({"provider_data": {FAMILY: data}}, join=join)

    def update_frame(self, data: Wire) -> e.Update:
        """An event that sets choice fields of this family alone."""
        return e.Update(of="choice", **self.where, data={"provider_data": {FAMILY: data}})

    def spelled(self, key: str, value: str) -> e.Update:
        """An event that records how the message is spelled."""
        return self.update({"wire": {"spelling": {key: value}}})
