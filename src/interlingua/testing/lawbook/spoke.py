"""A judge between a canonical request and one format, which knows no wire format.

A format dumps a request, and loads what it dumped. Between the two stand owners: messages, parts, calls and results, tools and
settings, each with a pointer, and `places` and `locate` say which of them became which. Nothing may be missing or different
unless a loss reports it, a result must answer the call that it answered, and what a loss reports as dropped must not be there,
nor make a difference. That `load` invents and hides nothing is another law's business: a payload that is loaded and dumped in
one format is the same.
"""

from __future__ import annotations

import base64
import copy
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...codec.fields import spelling
from ...codec.format import Format
from ...conversion.losses import distinct
from ...conversion.requests import load, validate
from ...errors import InvalidPayload, Loss
from ...formats import new_dump
from ...model.exchange import INVENTED_NAME, Request
from ...model.messages import Message
from . import share
from .documents import arguments, canonical, is_absent, is_array, is_object, removed, resolves, squeezed, tool_schema, without

Data = Mapping[str, Any]


class Owner(NamedTuple):
    """Something in a canonical request that has a meaning, or contains something that has one."""

    pointer: str
    kind: str
    meaning: Any
    """What must come back; None for what only holds others."""
    parent: str
    details: Data
    """Other fields that must come back, by name."""


HOLDERS = ("message", "result")
BESIDE = ("provider_data", "cache_control", "wire", "extra", "signature", "citations")
"""Fields that are not part of the content of an owner."""
NO_SETTINGS = ("messages", "tools", "caching", "origin", "provider_data", "wire")


def owners(request: Data) -> list[Owner]:
    """All owners of a request as data, holders before what they hold."""
    messages = enumerate(request["messages"])
    return [*_settings(request), *(owner for i, message in messages for owner in message_owners(f"/messages/{i}", message))]


def _settings(request: Data) -> Iterator[Owner]:
    for i, tool in enumerate(request.get("tools") or ()):
        if tool["type"] == "opaque":
            yield Owner(f"/tools/{i}", "opaque", _in_one_spelling(tool["value"]), "", {})
        else:
            declared = tool["name"], tool_schema(tool.get("parameters"))
            # An empty description says nothing, and `strict` that is false is the same as absent.
            details = _details(tool, *(name for name in ("description", "strict") if tool.get(name)))
            yield Owner(f"/tools/{i}", "tool", declared, "", details)
    for name, value in request.items():
        if name not in NO_SETTINGS and not is_absent(name, value):
            meaning = OFF if OFF.get(name, ...) == value else _form(value) if name == "response_format" else value
            yield Owner(f"/{name}", "setting", meaning, "", {})


OFF: Data = {"reasoning_effort": "none", "reasoning_budget": 0}
"""The two settings that say that a model must not reason. Each means the same, and a format may have only one."""


def setting_in(owner: Owner, others: Iterable[Owner]) -> Owner | None:
    """The setting among others that stands for a setting: it has the same name, or both say that a model must not reason."""
    settings = [other for other in others if other.kind == "setting"]
    alike = [other for other in settings if owner.meaning == other.meaning == OFF]
    return next((other for other in settings if other.pointer == owner.pointer), alike[0] if alike else None)


def _form(form: dict[str, Any]) -> Data:
    """A response format without what says nothing: a name that is invented or the title, and `strict`.

    A format without the field always follows the schema, so an answer fits either way.
    """
    nothing = ["name"] if form.get("name") in (INVENTED_NAME, _title(form)) else []
    return without(form, "strict", *nothing)


def _title(form: Any) -> Any:
    """The title of an answer's schema, which is its name where a format has no names."""
    schema: Data = form.get("json_schema") or {}
    return schema.get("title")


def _in_one_spelling(value: Any) -> Any:
    """A tool with its fields in snake_case: some APIs have them in camelCase, and their SDKs in either."""
    if is_array(value):
        return [_in_one_spelling(item) for item in value]
    if not is_object(value):
        return value
    return {
        re.sub("(?<=[a-z0-9])[A-Z]", lambda match: "_" + match[0].lower(), key): _in_one_spelling(value[key]) for key in value
    }


def message_owners(pointer: str, message: Data) -> Iterator[Owner]:
    """The owners of one message, the message first."""
    if message["role"] == "opaque":
        yield Owner(pointer, "opaque", message["value"], "", {})
        return
    kind = "result" if message["role"] == "tool" else "message"
    yield Owner(pointer, kind, None, "", _details(message, "is_error" if kind == "result" else "name"))
    blocks: list[dict[str, Any]] = message.get("thinking_blocks") or []
    reasoning = message.get("reasoning_content")
    if reasoning and reasoning != "".join(block.get("thinking", "") for block in blocks):
        yield Owner(f"{pointer}/reasoning_content", "thinking", reasoning, pointer, {})
    for i, block in enumerate(blocks):
        yield from _part(f"{pointer}/thinking_blocks/{i}", block, pointer)
    yield from _content(f"{pointer}/content", message.get("content"), pointer)
    if message.get("refusal"):
        yield Owner(f"{pointer}/refusal", "refusal", message["refusal"], pointer, {})
    for i, call in enumerate(message.get("tool_calls") or ()):
        yield from _part(f"{pointer}/tool_calls/{i}", {**call, "type": "tool_use"}, pointer)


def _content(pointer: str, content: Any, parent: str) -> Iterator[Owner]:
    if isinstance(content, str) and content:
        yield Owner(pointer, "text", content, parent, {})
    elif is_array(content):
        for i, part in enumerate(content):
            yield from _part(f"{pointer}/{i}", part, parent)


def _part(pointer: str, part: Data, parent: str) -> Iterator[Owner]:
    kind = part["type"]
    if kind == "tool_result":
        yield Owner(pointer, "result", None, parent, _details(part, "is_error", "signature"))
        yield from _content(f"{pointer}/content", part.get("content"), pointer)
    elif kind == "tool_use":
        given = part.get("input", part.get("arguments"))
        value = given if part.get("custom") else arguments(given)
        yield Owner(pointer, "call", (part["name"], value), parent, _details(part, "signature"))
    elif kind == "opaque":  # whose cache mark may stand inside its value
        yield Owner(pointer, kind, part["value"] | _details(part, "cache_control"), parent, {})
    elif kind in _CONTENT_FIELD:
        yield Owner(pointer, kind, part[_CONTENT_FIELD[kind]], parent, _details(part, "signature") | _cited(part))
    else:
        yield Owner(pointer, "media", *_media(part, parent))


_CONTENT_FIELD = {"text": "text", "json": "value", "thinking": "thinking", "redacted_thinking": "data", "refusal": "refusal"}


def _cited(part: Data) -> dict[str, Any]:
    """What a text refers to; and that reasoning is a summary."""
    out: dict[str, Any] = {}
    if part.get("citations"):
        out["citations"] = [_citation(each) for each in part["citations"]]
    if part.get("summary"):
        out["summary"] = True
    return out


def _citation(citation: dict[str, Any]) -> dict[str, Any]:
    """The content of a citation, without our own record of how that stood on the wire, and without nulls.

    Where a title is required, null says that there is none.
    """
    own: dict[str, Any] = squeezed(citation.get("provider_data") or {})
    kept = {f"provider_data/{family}": fields for family, fields in own.items() if fields}
    out: dict[str, Any] = squeezed(without(citation, "wire", "provider_data"))
    return out | kept


def _media(part: Data, parent: str) -> tuple[Any, str, Data]:
    """Media without their spelling: data are the same in a data URL and in a source of their own."""
    if part["type"] == "image_url":
        return _data(part["image_url"]["url"]), parent, _details(part["image_url"], "detail")
    if part["type"] == "input_audio":
        return part["input_audio"]["data"], parent, {}
    source = part["source"]
    text = base64.b64encode(source.get("text", "").encode()).decode()
    data = source.get("data") or source.get("url") or source.get("file_id") or text
    # The name that a file without one gets where a format needs a name is none where a format needs none.
    named = {} if (part.get("filename") or "").startswith("document.") else _details(part, "filename")
    elsewhere = _details(source, "media_type") if source["type"] in ("url", "file_id") else {}
    typed = {f"source/{name}": value for name, value in elsewhere.items()}
    return _data(data), parent, named | _details(part, "detail", "signature") | typed


def _data(url: str) -> str:
    return url.partition(",")[2] if url.startswith("data:") and ";base64," in url else url


def _details(data: Data, *names: str) -> dict[str, Any]:
    return {name: data[name] for name in names if not is_absent(name, data.get(name))}


@dataclass(frozen=True)
class Spoke:
    """A request, what a format makes of it, and how the owners on both sides belong together."""

    request: Request
    format: Format
    payload: dict[str, Any]
    back: Request
    """The request as the format loads what it dumped."""
    before: list[Owner]
    after: list[Owner]
    losses: Sequence[Loss]
    calls_before: Mapping[str, str | None]
    """For each result, by pointer, the call that it answers."""
    calls_after: Mapping[str, str | None]
    wire: dict[str, str]
    """Where the payload has each owner that came back."""
    sources: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """For each owner that came back, by pointer, the one that it was made of."""
    images: dict[str, list[Owner]] = field(default_factory=dict[str, list[Owner]])
    """For each owner, by pointer, those that were made of it."""

    @classmethod
    def of(cls, request: Request, format: Format) -> Spoke:
        payload, losses, places = dumped(request, format)
        back = load(copy.deepcopy(payload), format)
        in_url = {name: getattr(request, name) for name in format.in_url if getattr(request, name) is not None}
        back = back.replace(**in_url)
        given = request.to_dict()
        loaded = back.to_dict()
        before = owners(given)
        after = owners(loaded)
        wire = {owner.pointer: format.locate(payload, owner.pointer) for owner in after}
        calls = (answers(given["messages"]), answers(loaded["messages"]))
        made = cls(request, format, payload, back, before, after, losses, *calls, wire)
        known = {owner.pointer for owner in before}
        for owner in after:
            found = made.numbered(owner, places.get(wire[owner.pointer]) or made.inherited(owner, known))
            made.sources[owner.pointer] = found
            if found is not None:
                made.images.setdefault(found, []).append(owner)
        for owner in before:
            if owner.meaning == OFF and owner.pointer not in made.images:
                made.images[owner.pointer] = [other for other in after if other.meaning == OFF and made.sources[other.pointer]]
        return made

    def inherited(self, owner: Owner, known: set[str]) -> str | None:
        """The source of what needs no place: a setting, or a text that is a field of its owner, as of its owner's source.

        What is reported as added has none.
        """
        if any(loss.kind == "added" and loss.at == self.wire[owner.pointer] for loss in self.losses):
            return None
        if owner.kind == "setting":
            setting = setting_in(owner, self.before)
            return None if setting is None else setting.pointer
        source = self.sources.get(owner.parent)
        if source is None:
            return None
        fields = (owner.pointer[len(owner.parent) :], "/content")
        return next((source + name for name in fields if source + name in known), None)

    def numbered(self, owner: Owner, found: str | None) -> str | None:
        """The source of one of several calls or tools that stand in one text, and so have one place: by its number."""
        if owner.kind not in ("call", "tool") or any(one.pointer == found and one.kind == owner.kind for one in self.before):
            return found
        at = self.wire[owner.pointer]
        alike = [other for other in self.after if other.kind == owner.kind and self.wire[other.pointer] == at]
        holder = "" if owner.kind == "tool" else self.sources.get(owner.parent)
        sources = [one for one in self.before if one.kind == owner.kind and one.parent == holder]
        number = alike.index(owner)
        return sources[number].pointer if number < len(sources) else None

    def reported(self, pointer: str) -> bool:
        """Whether a loss names this or its content, or reports all of what holds it as dropped or changed."""
        return any(_reports(loss, pointer) for loss in self.losses if loss.kind != "added")

    def lost_mark(self, pointer: str) -> str | None:
        """The field of a cache mark, if that of this owner is reported."""
        return "cache_control" if any(f"{loss.path}/".startswith(pointer + "/cache_control/") for loss in self.losses) else None

    def children(self, of: str, owners: Sequence[Owner]) -> list[Owner]:
        return [owner for owner in owners if owner.parent == of]

    def faults(self) -> list[str]:
        """What is lost silently, invented or reported wrongly: a pointer and a reason each."""
        return [*_missing(self), *_details_lost(self), *_unpaired(self), *_phantoms(self), *_invented(self)]


def _reports(loss: Loss, pointer: str) -> bool:
    if loss.path == pointer:
        return True
    if loss.path.startswith(pointer + "/"):
        return loss.path[len(pointer) :].split("/")[1] not in BESIDE
    return pointer.startswith(loss.path + "/") and loss.kind in ("dropped", "changed")


def dumped(request: Request, format: Format) -> tuple[dict[str, Any], Sequence[Loss], Mapping[str, str]]:
    """The payload of a request, with its losses and places."""
    dump = new_dump(format, request.origin)
    payload = format.dump(request, request.messages, dump)
    return payload, distinct(dump.losses), dump.places


def faults(request: Request | Sequence[Message], format: Format) -> list[str]:
    """The faults between a request, or bare messages, and the format."""
    return Spoke.of(request if isinstance(request, Request) else Request(messages=request), format).faults()


def _missing(spoke: Spoke) -> Iterator[str]:
    for owner in spoke.before:
        if spoke.reported(owner.pointer) or owner.meaning == "" or asks_nothing(owner, spoke.after):
            continue
        found = spoke.images.get(owner.pointer, [])
        if owner.kind in HOLDERS:
            children = spoke.children(owner.pointer, spoke.before)
            has_children = children and all(spoke.images.get(child.pointer) for child in children)
            if not found and not has_children:
                yield f"{owner.pointer}: the {owner.kind} is missing"
        elif not found and not (_went_with_holder(spoke, owner) or _is_default(spoke, owner)):
            yield f"{owner.pointer}: the {owner.kind} is missing"
        elif found and not any(same(owner, image, but=spoke.lost_mark(owner.pointer)) for image in found):
            yield f"{owner.pointer}: the {owner.kind} is different"


def _is_default(spoke: Spoke, owner: Owner) -> bool:
    """Whether a setting is only a default of its source, and would be reported if the source had written it."""
    name = owner.pointer.removeprefix("/")
    if owner.kind != "setting" or spelling(spoke.request, name) != "absent":
        return False
    _, losses, _ = dumped(spoke.request.replace(wire=None), spoke.format)
    return any(loss.path == owner.pointer for loss in losses)


def asks_nothing(owner: Owner, after: Sequence[Owner]) -> bool:
    """Whether an owner asks for what happens anyway: text, `auto` among all tools, or either word without tools."""
    if owner.pointer == "/response_format":
        return bool(owner.meaning == {"type": "text"})
    if owner.pointer != "/tool_choice":
        return False
    has_tools = any(each.pointer.startswith("/tools/") for each in after)
    kind = owner.meaning["type"]
    return (kind == "auto" and not owner.meaning.get("allowed")) or (kind in ("auto", "none") and not has_tools)


def same(owner: Owner, image: Owner, *, but: str | None = None) -> bool:
    """Whether two owners mean the same, but for a field that is reported as lost; JSON is the same as its text."""
    if {owner.kind, image.kind} == {"json", "text"}:
        return canonical(_as_json(owner)) == canonical(_as_json(image))
    if owner.kind != image.kind:
        return False
    return canonical(_meaning(owner, but)) == canonical(_meaning(image, but))


def _meaning(owner: Owner, but: str | None) -> Any:
    return without(owner.meaning, but) if but and is_object(owner.meaning) else owner.meaning


def _as_json(owner: Owner) -> Any:
    """What a tool gave back as JSON, which some formats have as its text."""
    try:
        return json.loads(owner.meaning) if owner.kind == "text" else owner.meaning
    except ValueError:
        return {"text": owner.meaning}


def _went_with_holder(spoke: Spoke, owner: Owner) -> bool:
    """Whether a text stands in what was made of its holder, without a place of its own."""
    made = spoke.images.get(owner.parent, [])
    return any(same(owner, child) for holder in made for child in spoke.children(holder.pointer, spoke.after))


def _details_lost(spoke: Spoke) -> Iterator[str]:
    for owner in spoke.before:
        found = spoke.images.get(owner.pointer, [])
        for name, value in owner.details.items():
            lost = spoke.reported(owner.pointer) or spoke.reported(f"{owner.pointer}/{name}")
            if found and not lost and all(image.details.get(name) != value for image in found):
                yield f"{owner.pointer}: its {name} is missing or different"


def answers(messages: Sequence[Data]) -> dict[str, str | None]:
    """Each result's pointer with that of the call it answers: the last before it that has its id.

    A result without an id answers the first call of its tool without one that has no answer yet.
    """
    latest: dict[str, str] = {}
    waiting: list[tuple[str, str]] = []
    found: dict[str, str | None] = {}
    for pointer, data in _linked(messages):
        is_call = "arguments" in data or "input" in data
        id = data.get("id") if is_call else data.get("tool_use_id", data.get("tool_call_id"))
        if is_call and id is not None:
            latest[id] = pointer
        elif is_call:
            waiting.append((data["name"], pointer))
        elif id is not None:
            found[pointer] = latest.get(id)
        else:
            call = next((call for call in waiting if data.get("name") in (None, call[0])), None)
            found[pointer] = None if call is None else call[1]
            waiting = [each for each in waiting if each != call]
    return found


def _linked(messages: Sequence[Data]) -> Iterator[tuple[str, Data]]:
    for i, message in enumerate(messages):
        if message["role"] == "tool":
            yield f"/messages/{i}", message
        for name in ("content", "tool_calls"):
            items = message.get(name)
            for j, item in enumerate(items if is_array(items) else []):
                if is_object(item) and (name == "tool_calls" or item["type"] in ("tool_use", "tool_result")):
                    yield f"/messages/{i}/{name}/{j}", item


def _unpaired(spoke: Spoke) -> Iterator[str]:
    for result, call in spoke.calls_after.items():
        source = spoke.sources.get(result)
        answered = spoke.calls_before.get(source or "")
        is_another = call is None or spoke.sources.get(call) != answered
        if answered is not None and is_another and not _has_no_id(spoke, source):
            yield f"{source}: the result answers another call"


def _has_no_id(spoke: Spoke, result: str | None) -> bool:
    """Whether it is reported that the id of a result is lost, which says that it answers the call at its place."""
    return any(loss.path in (f"{result}/tool_call_id", f"{result}/tool_use_id") for loss in spoke.losses)


def _phantoms(spoke: Spoke) -> Iterator[str]:
    for (path, _, _), times in Counter((loss.path, loss.kind, loss.at) for loss in spoke.losses).items():
        if times > 1:
            yield f"{path}: reported {times} times"
    details = {f"{owner.pointer}/{name}": (owner.pointer, name) for owner in spoke.before for name in owner.details}
    for loss in spoke.losses:
        pointer, name = details.get(loss.path, (loss.path, None))
        found = spoke.images.get(pointer, []) if loss.kind == "dropped" else []
        if any(name in image.details if name is not None else image.meaning != "" for image in found):
            yield f"{loss.path}: reported as dropped, and there"


def differences(spoke: Spoke) -> Iterator[str]:
    """What is reported as dropped, but makes a difference: without it the payload is another. Takes a dump for each."""
    given = spoke.request.to_dict()
    for loss in spoke.losses:
        if loss.kind not in ("dropped", "response_only") or loss.path == "":
            continue
        if not resolves(given, loss.path):
            yield f"{loss.path}: reported as {loss.kind}, but not in the request"
            continue
        others: list[Any] = []
        for candidate in removed(given, loss.path):
            try:
                request = validate(candidate, Request)
            except InvalidPayload:
                continue  # what was removed is required there; the next spelling of absence may do
            others.append(dumped(request, spoke.format)[0])
        share.judged(bool(others), least=0.95, of="losses that can be left out")
        if others and all(canonical(other) != canonical(spoke.payload) for other in others):
            yield f"{loss.path}: reported as {loss.kind}, but without it the payload is another"


def _invented(spoke: Spoke) -> Iterator[str]:
    for owner in spoke.after:
        if spoke.sources[owner.pointer] is None and owner.kind not in HOLDERS and owner.meaning not in ("", None):
            at = spoke.wire[owner.pointer]
            if not any(loss.at is not None and (at == loss.at or at.startswith(loss.at + "/")) for loss in spoke.losses):
                yield f"{owner.pointer}: {owner.kind} made of nothing"
