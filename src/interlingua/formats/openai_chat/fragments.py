"""The parts of a streamed message that come in fragments, and the events that each fragment becomes.

A complete part is read once more, by the loader that reads whole messages: its fields beyond its text are what that loader
makes of them.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...errors import StreamError
from ...model import events as e
from ...model.base import Json
from .assistant import DETAIL_FIELDS, load_block, load_call, load_detail
from .base import FAMILY, to_json
from .profiles import ChatProfile

MISSING: Any = object()


class Part:
    """A part under way; `where` are the fields of its events that identify it."""

    def __init__(self, where: dict[str, Any]) -> None:
        self.index: int = where["index"]
        self.where = where
        self.listed = False
        """Whether this is text that came as a part of list content."""

    def complete(self) -> list[e.Event]:
        """The last events of the part, when no more fragments are expected."""
        return [e.PartStop(**self.where)]

    def update(self, data: Wire) -> e.Update:
        """Canonical fields of the part."""
        return e.Update(of="part", **self.where, data=data)


class Block(Part):
    """A block of reasoning, from a field of blocks or of details."""

    def __init__(self, where: dict[str, Any], kind: str) -> None:
        super().__init__(where)
        self.kind = kind
        self.field = DETAIL_FIELDS.get(kind, "thinking")
        self.known: Wire = {}
        """The fields so far, without those that the attributes below hold; empty before the first fragment."""
        self.signature: str | None = None
        self.format: str | None = None
        self.has_text = False
        self.issuer: str | None = None

    def add(self, raw: Wire, field: e.ThinkingField) -> list[e.Event]:
        """The events of a fragment; `field` is where a flat message has its text."""
        text, signature, label = raw.get(self.field), raw.get("signature"), raw.get("format")
        handled = {"type", self.field}
        if type(signature) is not str or self.kind == "reasoning.summary":
            signature = None
        else:
            handled.add("signature")
        if type(label) is str and self.kind in DETAIL_FIELDS:
            # The issuer decides how the format is kept, and a later fragment may name it.
            self.format = label
            handled.add("format")
        news = {key: value for key, value in raw.items() if key not in handled and self.known.get(key, MISSING) != value}
        events = self._grow(text, news, field)
        self.known |= {"type": self.kind, **news}
        self.has_text = self.has_text or type(text) is str
        if signature is not None and signature != self.signature and (signature or self.signature is None):
            self.signature = signature
            if signature:
                events.append(self._signed())
        return events

    def _grow(self, text: str | None, news: Wire, field: e.ThinkingField) -> list[e.Event]:
        events: list[e.Event] = []
        update: Wire = {"provider_data": {FAMILY: news}} if news else {}
        if not self.known and self.kind == "reasoning.summary":
            update["summary"] = True
        if not self.known and (update or not text):
            # An empty text begins the part.
            events.append(e.ThinkingDelta(**self.where, thinking="", field=field))
        if update:
            events.append(self.update(update))
        if text:
            events.append(e.ThinkingDelta(**self.where, thinking=text, field=field))
        return events

    def _signed(self) -> e.SignatureDelta:
        self.issuer = self._loaded()["issuer"]
        return e.SignatureDelta(**self.where, signature=self.signature or "", issuer=self.issuer)

    def _loaded(self) -> dict[str, Any]:
        is_detail = self.kind in DETAIL_FIELDS
        text = "" if self.has_text or not is_detail else None
        fields = {self.field: text, "signature": self.signature, "format": self.format}
        block = {"type": self.kind} | {key: value for key, value in fields.items() if value is not None}
        return (load_detail if is_detail else load_block)(block) or {}

    def complete(self) -> list[e.Event]:
        loaded = self._loaded()
        events: list[e.Event] = [self._signed()] if self.signature == "" else []
        late: Wire = {
            key: loaded[key] for key in ("issuer", "provider_data", "wire") if loaded.get(key) not in (None, self.issuer)
        }
        if late:
            events.append(self.update(late))
        return [*events, e.PartStop(**self.where)]


class Listed(Part):
    """A part of list content that has an inner list, which comes in fragments."""

    def __init__(self, where: dict[str, Any], raw: Wire) -> None:
        super().__init__(where)
        self.rest = {key: value for key, value in raw.items() if key != "thinking"}
        self.inner: list[Any] = list(raw["thinking"])
        self.fragments = 1

    def add(self, raw: Wire) -> list[e.Event]:
        """The events of a further fragment."""
        news = {key: value for key, value in raw.items() if key != "thinking" and self.rest.get(key, MISSING) != value}
        event = self.update({"value": {**news, "thinking": raw["thinking"]}})
        self.rest.update(news)
        self.inner += raw["thinking"]
        self.fragments += 1
        return [event]

    def complete(self) -> list[e.Event]:
        if self.fragments == 1:
            return super().complete()
        value = {**self.rest, "thinking": _joined(self.inner)}
        return [e.OpaqueEvent(**self.where, format=FAMILY, value=value), *super().complete()]


def _joined(items: list[Any]) -> list[Any]:
    """The items, with neighbouring texts joined into one."""
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
    """A tool call."""

    def __init__(self, where: dict[str, Any], profile: ChatProfile) -> None:
        super().__init__(where)
        self.profile = profile
        self.id: str | None = None
        self.name: str | None = None
        self.kind: str | None = None
        """How the call is spelled: function, custom, flat or legacy; None before its name is known."""
        self.outer: Wire = {}
        """Other fields of the call."""
        self.inner: Wire = {}
        """Other fields of the object that holds the name and the arguments."""
        self.pieces: list[str] = []
        self.arguments: Json = MISSING
        """What the arguments are: "" for text, {} for an object, None for null, or `MISSING`."""
        self.empty_object = False
        """Whether the arguments so far are an object without fields, which may stand for arguments that are yet to come."""
        self.started = False
        self.reported: Wire = {}
        """The fields that an update has reported."""

    def add(self, raw: Wire, kind: str | None, inner: Wire) -> list[e.Event]:
        """The events of a fragment; `inner` holds the name and the arguments."""
        events: list[e.Event] = []
        id, name = raw.get("id"), inner.get("name")
        if name is not None and type(name) is not str:
            raise StreamError("the name of a tool call is no text")
        field = "input" if kind == "custom" else "arguments"
        self._keep_fields(raw, kind, inner, field)
        if name and not self.name:
            self.name = name
            self.kind = self.kind or kind
        if id and not self.id:
            self.id = id
            if self.started:
                events.append(self.update({"id": id}))
        growth = self._add_arguments(inner[field]) if field in inner else []
        return events + (growth if self.started or not self.name else self._begin())

    def grows_by(self, arguments: Any) -> bool:
        """Whether a fragment with only these arguments adds text, and reports nothing else."""
        return type(arguments) is str and bool(arguments) and self.started and self.arguments == "" and not self.empty_object

    def _keep_fields(self, raw: Wire, kind: str | None, inner: Wire, field: str) -> None:
        handled = {"index", "id", kind} if inner is not raw else {"index", "id", "name", "arguments"}
        for key, value in raw.items():
            if key not in handled:
                _keep_known(self.outer, key, value)
        if inner is not raw:
            for key, value in inner.items():
                if key not in ("name", field):
                    _keep_known(self.inner, key, value)
        if "id" in raw and not self.id:
            self.outer["id"] = raw["id"]

    def _identity(self) -> dict[str, Any]:
        """The fields that the first and the last event of the call have in common."""
        id: dict[str, Any] = {"id": self.id} if self.id else {}
        custom: dict[str, Any] = {"custom": True} if self.kind == "custom" else {}
        return {**self.where, **id, **custom, "name": self.name or ""}

    def _begin(self) -> list[e.Event]:
        self.started = True
        events: list[e.Event] = [e.ToolUseStart(**self._identity())]
        # Report early what is likely to stay; the end reports what later fragments change.
        self.reported = self._record(early=True)
        if self.reported:
            events.append(self.update(self.reported))
        if self.pieces:
            events.append(e.ArgumentsDelta(**self.where, arguments="".join(self.pieces)))
        return events

    def _add_arguments(self, arguments: Json) -> list[e.Event]:
        if type(arguments) is dict:
            if type(self.arguments) is not str:
                self.arguments = {}
            self.empty_object = self.empty_object or not (arguments or self.pieces)
            arguments = _as_text(arguments) if arguments else ""
        elif type(arguments) is str:
            if type(self.arguments) is not dict or arguments:
                self.arguments = ""
        elif arguments is not None:
            raise StreamError("the arguments of a tool call are neither text nor an object")
        elif self.arguments is MISSING:
            self.arguments = None
        if not arguments:
            return []
        self.empty_object = False
        self.pieces.append(arguments)
        return [e.ArgumentsDelta(**self.where, arguments=arguments)] if self.started else []

    def complete(self) -> list[e.Event]:
        events: list[e.Event] = []
        if not self.started:
            self.started = True
            events.append(e.ToolUseStart(**self._identity()))
            if self.pieces:
                events.append(e.ArgumentsDelta(**self.where, arguments="".join(self.pieces)))
        if self.empty_object:
            events.append(e.ArgumentsDelta(**self.where, arguments="{}"))
            self.pieces, self.empty_object = ["{}"], False
        text = "".join(self.pieces)
        self.pieces = [text]
        record = self._record()
        lost = _spelling_in(self.reported).keys() - _spelling_in(record).keys()
        if lost:
            record.setdefault("wire", {})["spelling"] = _spelling_in(record) | dict.fromkeys(sorted(lost), "usual")
        if news := _news(self.reported, record):
            events.append(self.update(news))
            self.reported = record
        if not self.id and self.outer.get("id") == "":
            events.append(self.update({"id": ""}))
        return [*events, e.ToolUse(**self._identity(), arguments=text), e.PartStop(**self.where)]

    def _record(self, *, early: bool = False) -> Wire:
        """What the loader keeps of the call besides its canonical fields."""
        loaded = self._loaded(early=early)
        return {key: loaded[key] for key in ("provider_data", "wire") if key in loaded}

    def _loaded(self, *, early: bool = False) -> dict[str, Any]:
        """The call so far, loaded; with `early`, arguments that are null or missing may still come."""
        outer: Wire = ({"id": self.id} if self.id else {}) | self.outer
        if self.kind == "legacy":
            return {"provider_data": {FAMILY: self.inner}} if self.inner else {}
        if self.kind == "flat":
            return load_call({**outer, "name": "", "arguments": ""}, self.profile)
        inner: Wire = {"name": "", **self.inner}
        if self.kind == "custom":
            return load_call({**outer, "custom": {**inner, "input": ""}}, self.profile)
        if early and type(self.arguments) is not dict:
            inner["arguments"] = ""
        elif self.arguments is not MISSING:
            inner["arguments"] = self.arguments
        return load_call({**outer, "function": inner}, self.profile)


def _spelling_in(record: Wire) -> dict[str, str]:
    spelling: dict[str, str] = record.get("wire", {}).get("spelling", {})
    return spelling


def _news(old: Wire, new: Wire) -> Wire:
    """The update that turns `old` into `new` when it is merged; lists only grow."""
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


def _keep_known(into: Wire, key: str, value: Json) -> None:
    """Keep a field that later fragments may repeat as null."""
    if value is not None or key not in into:
        keep_last(into, key, value)


def _as_text(arguments: Wire) -> str:
    """An object as JSON text; raises `ValidationError` where it is not JSON."""
    # The event validates free JSON and holds a copy that can be written.
    return to_json(e.Update(of="part", data=arguments).data)
