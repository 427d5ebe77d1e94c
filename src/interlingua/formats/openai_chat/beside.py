"""Data about text and calls that Chat puts into fields of the message: Gemini's signatures, and citations.

Hosts of Gemini put the signature of a call, and the signature of the text at the end of the content, into different fields:
Google's own endpoint into `extra_content`, LiteLLM (1.106.2) into `provider_specific_fields`, OpenRouter into encrypted
`reasoning_details` with the id of the call. OpenAI's `annotations` cite what the content refers to. When a message has
either, its text is loaded as a part; dumping to the same format writes that part as a string again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...codec.carrying import is_packed, issuer_of
from ...codec.citations import dump_page, load_page
from ...codec.fields import FieldReader, Wire, lay_over, spelling, value_at
from ...errors import LossKind
from ...model.base import Json
from .base import FAMILY, ChatDump, spell, to_json
from .parts import Pointed, has_place
from .profiles import ChatProfile
from .repeated_blocks import HOLDER, know_copy

SIGNER = "gemini"
"""The provider that signs calls and texts."""
CALL_PLACES = {
    "extra_content": ("extra_content", "google", "thought_signature"),
    "provider_specific_fields": ("provider_specific_fields", "thought_signature"),
    "function": ("function", "provider_specific_fields", "thought_signature"),
}
"""The path of a call's signature inside the call, by the name of its place."""
TEXT_PLACES = {
    "extra_content": CALL_PLACES["extra_content"],
    "provider_specific_fields": ("provider_specific_fields", "thought_signatures"),
}
"""The path of a text's signature inside the message; `provider_specific_fields` lists it among the calls' signatures."""
_PLACES = {*CALL_PLACES, "reasoning_details", "id"}
IN_ID = "__thought__"
"""The separator that LiteLLM (1.110.2) puts between a call's id and Gemini's signature, if no field has the signature."""
_BASE64 = re.compile("[A-Za-z0-9+/_-]+={0,2}")
_DETAIL = {"type": "reasoning.encrypted", "format": "google-gemini-v1"}
TYPES: Wire = {"annotations": list, "extra_content": dict, "provider_specific_fields": dict, "reasoning_details": list}
"""The types of the fields of messages that this module writes."""
FIELDS = frozenset(TYPES) - {"reasoning_details"}
"""The fields of messages that this module reads."""


def load_beside(fields: FieldReader, out: Wire, profile: ChatProfile) -> None:
    """Take the signature of the text at the end of the content, and the citations of content that is one text."""
    if FIELDS.isdisjoint(fields.wire):
        return  # true of most messages
    if HOLDER in fields.wire:
        know_copy(fields)
    for word in [word for word, path in TEXT_PLACES.items() if path[0] in fields.wire]:
        _load_text_signature(word, fields, out, profile)
    cited: Json = fields.wire.get("annotations")
    content: Json = out.get("content")
    is_alone = type(content) is str or (type(content) is list and len(content) == 1)
    if type(cited) is not list or not all(type(one) is dict for one in cited):
        return
    if cited and is_alone and _ends_with_text(out):
        fields.know("annotations")
        _as_part(fields, out)["citations"] = [_load_citation(one) for one in cited]


def _load_text_signature(word: str, fields: FieldReader, out: Wire, profile: ChatProfile) -> None:
    path = TEXT_PLACES[word]
    repeated = list[str]()
    value = value_at(fields.wire, path)
    found: Json = [value]
    if word == "provider_specific_fields":
        found = value
        repeated = [call["signature"] for call in out.get("tool_calls") or () if "signature" in call]
    if type(found) is not list or not found or not all(type(one) is str for one in found):
        return
    before = max(0, len(found) - len(repeated))
    if found[before:] != repeated or before > _ends_with_text(out, without="signature"):
        return
    fields.know_inside(*path, standalone=True)
    if repeated:
        fields.spelling["signatures"] = "all"
    if before:
        _sign(_as_part(fields, out), str(found[0]), word, profile)


def _ends_with_text(out: Wire, without: str = "") -> bool:
    content: Any = out.get("content")
    return type(content) is str or (bool(content) and content[-1]["type"] == "text" and without not in content[-1])


def _as_part(fields: FieldReader, out: Wire) -> Wire:
    """Make the text at the end of the content a part, and return it."""
    content: Any = out["content"]
    if type(content) is str:
        fields.spelling["content"] = "text"
        content = [{"type": "text", "text": content}]
    part: Wire = {**content[-1]}
    out["content"] = [*content[:-1], part]
    return part


# Signatures


def signer_of(signature: str) -> str:
    """The issuer of a signature of a call or a text."""
    return issuer_of(signature, SIGNER)


def at_path(path: Sequence[str], value: Any) -> Wire:
    """Build nested objects with the value at this path."""
    return {path[0]: at_path(path[1:], value) if path[1:] else value}


def load_call_signature(fields: FieldReader, out: Wire, profile: ChatProfile) -> None:
    """Take the signature of a call, after its function has been read."""
    for word, path in CALL_PLACES.items():
        if path[0] in fields.wire and type(signature := value_at(fields.wire, path)) is str:
            fields.know_inside(*path, standalone=path[0] != "function")
            out |= {"signature": signature, "issuer": signer_of(signature)}
            if word != profile.signatures:
                fields.spelling["signature"] = word
            return
    if profile.signatures_in_ids and type(id := out.get("id")) is str:
        signature = id.partition(IN_ID)[2]
        if signature and _BASE64.fullmatch(signature):
            out |= {"signature": signature, "issuer": signer_of(signature)}
            fields.spelling["signature"] = "id"


def _sign(owner: Wire, signature: str, word: str, profile: ChatProfile) -> None:
    owner |= {"signature": signature, "issuer": signer_of(signature)}
    if word != profile.signatures:
        spell(owner, "signature", word)


def is_signature(detail: Json) -> bool:
    """Whether an entry of `reasoning_details` may be the signature of the call that it names, or of the text."""
    if type(detail) is not dict or not detail.items() >= _DETAIL.items() or type(detail.get("data")) is not str:
        return False
    index = detail.get("index", 0)
    id = detail.get("id", "")
    return type(index) is int and 0 <= index < 1000 and type(id) is str and detail.keys() <= {*_DETAIL, "data", "id", "index"}


def load_detail_signatures(details: list[Any], fields: FieldReader, out: Wire, profile: ChatProfile) -> int:
    """Take the signatures at the end of the details, if they are in the order of calls and text; return how many are left."""
    start = len(details)
    while start and is_signature(details[start - 1]):
        start -= 1
    owners: dict[str | None, Wire] = {None: out} if _ends_with_text(out) else {}
    owners |= {call["id"]: call for call in out.get("tool_calls") or () if call.get("id") and "signature" not in call}
    order = {id: position for position, id in enumerate(owners)}
    found = [order.get(detail.get("id"), -1) for detail in details[start:]]
    if -1 in found or sorted(set(found)) != found:
        return len(details)
    for detail in details[start:]:
        owner = owners[detail["id"]] if "id" in detail else _as_part(fields, out)
        _sign(owner, detail["data"], "reasoning_details", profile)
        if "index" in detail:
            spell(owner, "signature_index", str(detail["index"]))
    return start


def signature_place(word: str | None, signed: Any, d: ChatDump) -> str | None:
    """The place to write a signature to: the place `word` where it was, or the host's place; None if it has no place."""
    if is_packed(signed.signature) or (not d.exact and signed.issuer not in (None, SIGNER)):
        return None
    return word if word in _PLACES and (d.exact or d.from_target) else d.profile.signatures


# Citations


def _load_citation(wire: Wire) -> Wire:
    """Load an annotation; if it does not cite a web page, it is kept whole."""
    cited: Json = wire.get("url_citation")
    page = FieldReader(cited if wire.get("type") == "url_citation" and type(cited) is dict else {})
    if (out := load_page(page)) is None:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    fields = FieldReader(wire, "type")
    fields.left("url_citation", page.rest)
    return fields.keep(out, FAMILY)


def _dump_citation(citation: Any, path: str, span: tuple[int, int], d: ChatDump) -> Wire | None:
    """Dump a citation of the text at `span` of the content; None, with a report, if it has no place."""
    if citation.type == "opaque":
        return d.own_value(citation, path, "citation")
    if citation.type != "url":
        return d.refuse(path, f"{d.target.name} has only citations of web pages")
    out: Wire = {"type": "url_citation", "url_citation": dump_page(citation, path, None, span, d)}
    d.keep_fields(citation, out, path)
    return out


# Both


@dataclass
class Beside:
    """A text or a call, with the data about it that goes into fields of the message."""

    path: str
    spelled: dict[str, str]
    signature: str | None = None
    issuer: str | None = None
    id: str | None = None
    """The id, if this is a call."""
    is_text: bool = True
    length: int = 0
    """The number of characters, if this is a text."""
    ends: bool = False
    """Whether this is the text at the end of the content."""
    citations: list[Any] = field(default_factory=list[Any])


def dump_beside(owners: Iterable[Beside], out: Wire, d: ChatDump, *, repeat: bool, before: int = 0) -> None:
    """Write citations and signatures, except a signature inside its call, which is written again if `repeat`.

    `before` is the number of details that the message has already.
    """
    start = 0
    for one in owners:
        if one.citations:
            _dump_citations(one, start, out, d)
        start += one.length
        if one.signature is None:
            continue
        is_text = one.is_text
        place = signature_place(one.spelled.get("signature"), one, d)
        if is_text and (place is None or not one.ends):
            d.drop(
                one.path + "/signature",
                f"{d.target.name} has no field for the signature of this text",
            )
        elif place == "reasoning_details":
            out.setdefault(place, []).append(_detail(one, str(before + len(out[place])), d))
        elif is_text and place == "extra_content":
            lay_over(out, place, at_path(TEXT_PLACES[place][1:], one.signature))
        elif is_text:
            repeat |= not d.exact  # as LiteLLM does
            out.setdefault("provider_specific_fields", {})["thought_signatures"] = [one.signature]
        if repeat and place is not None and not is_text:
            out.setdefault("provider_specific_fields", {}).setdefault("thought_signatures", []).append(one.signature)


def _detail(one: Beside, index: str, d: ChatDump) -> Wire:
    """The entry of `reasoning_details` for a signature."""
    index = one.spelled.get("signature_index", "") if d.exact or d.from_target else index
    out: Wire = {**_DETAIL, "data": one.signature} | ({} if one.id is None else {"id": one.id})
    return out | ({"index": int(index)} if index.isdecimal() and len(index) < 9 else {})


def _dump_citations(one: Beside, start: int, out: Wire, d: ChatDump) -> None:
    if not (d.exact or (d.is_response and d.profile.annotations)):
        kind: LossKind = "response_only" if d.from_response else "dropped"
        what = "answers" if d.is_response else "requests"
        d.report(kind, one.path + "/citations", None, f"{what} of {d.target.name} have no citations")
        return
    for n, citation in enumerate(one.citations):
        if (written := _dump_citation(citation, f"{one.path}/citations/{n}", (start, start + one.length), d)) is not None:
            out.setdefault("annotations", []).append(written)


def dump_message_beside(message: Any, parts: Pointed, calls: Pointed, out: Wire, d: ChatDump) -> None:
    """Write the signatures and citations of a message's texts and calls; most messages have none."""
    if not (_has_beside(parts) or _has_beside(calls)):
        return
    owners: list[Beside] = []
    last = max((i for i, (_, part) in enumerate(parts) if has_place(part, "assistant", d)), default=-1)
    for i, (path, part) in enumerate(parts):
        if part.type in ("text", "json"):
            text = part.text if part.type == "text" else to_json(part.value)
            of_text = True, len(text), i == last, list(part.__dict__.get("citations") or ())
            owners.append(Beside(path, _spelling_of(part), part.signature, part.issuer, None, *of_text))
    for (path, call), wire in zip(calls, out.get("tool_calls") or (), strict=False):
        owners.append(Beside(path, _spelling_of(call), call.signature, call.issuer, wire.get("id"), is_text=False))
    dump_beside(owners, out, d, repeat=d.exact and spelling(message, "signatures") == "all")


def _has_beside(owners: Pointed) -> bool:
    """Whether any of these texts and calls has a signature or citations."""
    for _, owner in owners:
        fields = owner.__dict__
        if fields.get("signature") is not None or fields.get("citations"):
            return True
    return False


def _spelling_of(owner: Any) -> dict[str, str]:
    return (owner.wire and owner.wire.spelling) or {}
