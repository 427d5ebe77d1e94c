"""Carries signatures and encrypted reasoning of one provider in the opaque fields of another provider's format.

A client sends the value of such a field back unchanged and does not read it. So it can carry what another provider issued:
packed together with the issuer's name, as base64 text that begins with `PREFIX`, which includes the version. Text is unpacked
only if its checksum is right, and what was unpacked is not unpacked again.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

from ..errors import excerpt

PREFIX = "interlingua1"
"""The beginning of packed text: valid base64, because some providers require that in their fields."""
ISSUER = "interlingua"
"""The issuer of packed text itself, which no provider can verify or read."""
NOT_UNPACKED = "this value was packed for another provider: load it unchanged with `carry=True`"
LONGEST = 4_000_000
"""The most characters of packed text; a longer value is not packed."""
EMPTY_TEXT = "empty_text"
_SUM = 6  # bytes of the checksum
_USUAL_ALPHABET = str.maketrans("-_", "+/")


class Carried(NamedTuple):
    """What is packed: a value, its issuer, and what it belongs to.

    `kind` is `redacted_thinking` for encrypted reasoning, `thinking` for a signature of the reasoning in `text`, `signature`
    for a signature on the part that it signs, and the type of another part for a signature that is not on the part it signs:
    then `number` is the index of the signed part among the parts of this type in its message, counted from 0 without empty
    texts. `empty_text` is for a signature of an empty text, because clients leave empty texts out. `summary` marks a summary,
    which providers do not sign: it has no value and takes the place of the signature.
    """

    kind: str
    issuer: str
    value: str
    text: str = ""
    number: int = 0


def _checksum(body: bytes) -> bytes:
    from hashlib import sha256  # noqa: PLC0415 -- few conversions need it, and importing the package should cost little

    return sha256(body).digest()[:_SUM]


def pack(carried: Carried) -> str | None:
    """Packed text, in base64 without padding; None if it would be too long, or if the value is packed text already."""
    body = json.dumps(carried, separators=(",", ":")).encode()
    body += b" " * (-len(body) % 3)
    packed = PREFIX + b64encode(_checksum(body) + body).decode()
    return None if len(packed) > LONGEST or is_packed(carried.value) else packed


def unpack(text: Any) -> Carried | None:
    """What was packed; None for any other value, and for packed text that was changed or cut. Takes linear time.

    A client with a field of bytes may send it back in the other alphabet of base64.
    """
    if type(text) is not str or not text.startswith(PREFIX) or len(text) > LONGEST:
        return None
    text = text.translate(_USUAL_ALPHABET)
    try:
        packed = b64decode(text[len(PREFIX) :], validate=True)
        body = packed[_SUM:]
        if packed[:_SUM] != _checksum(body):
            return None
        fields: Any = json.loads(body)
        if fields.__class__ is not list or [type(field) for field in fields] != [str, str, str, str, int]:
            return None
        carried = Carried(*fields)
        "".join(fields[:4]).encode()  # fails for half of a surrogate pair
    except (ValueError, RecursionError):
        return None
    return carried if carried.issuer and carried.number >= 0 and pack(carried) == text else None


def is_packed(value: Any) -> bool:
    """Whether a value begins like packed text, even if it cannot be unpacked."""
    return type(value) is str and value.startswith(PREFIX)


def issuer_of(value: str, issuer: str) -> str:
    """The issuer of a value that was loaded: `ISSUER` if it is packed, else the provider's."""
    return ISSUER if is_packed(value) else issuer


def opaque_value(owner: Any) -> str | None:
    """The signature or the encrypted reasoning of a part, a call or an event."""
    fields: dict[str, Any] = owner.__dict__  # a flat call has no type
    data: str | None = fields.get("data")
    value: str | None = owner.signature if data is None else data
    return value


class Sending(Protocol):
    """What this module needs of a dump under way."""

    of_response: bool
    exact: bool

    def is_foreign(self, issuer: str | None) -> bool: ...


def is_unreadable(owner: Any, d: Sending) -> bool:
    """Whether the target cannot verify or read the signature or the encrypted reasoning of a part, a call or an event.

    Packed text is never sent in a request, whatever issuer it names.
    """
    return d.is_foreign(owner.issuer) or (not d.of_response and is_packed(opaque_value(owner)))


def why_silent(part: Any, d: Sending) -> str | None:
    """Why reasoning is left out of a request: it has neither text nor a signature that the target can read."""
    if part.thinking or d.exact or d.of_response:
        return None
    if part.signature is None:
        return "empty reasoning is left out"
    return unreadable(part) if is_unreadable(part, d) else None


@cache
def _summary() -> str | None:
    return pack(Carried("summary", ISSUER, ""))


# Packing, in responses


@dataclass(frozen=True, eq=False)
class OpaqueFields:
    """The fields of a format that its clients send back unchanged, without reading them.

    `issuer` is the issuer of their values in this format. `kinds` are the types of parts with such a field, and `part` if every
    part can have a signature. Signatures of calls and texts from an issuer in `signers`, and reasoning from one in `labelled`,
    have their own fields and are not packed. `tells_summaries` is whether the format marks reasoning as a summary, and
    `signs_late` whether a stream can sign reasoning after its text was sent.
    """

    issuer: str
    kinds: frozenset[str]
    signers: frozenset[str] = frozenset()
    labelled: frozenset[str] = frozenset()
    tells_summaries: bool = False
    signs_late: bool = True

    def packs(self, kind: str, value: str | None, issuer: str | None) -> bool:
        """Whether the value of a part must be packed: it is known to come from another provider."""
        others = self.labelled if kind in ("thinking", "redacted_thinking") else self.signers
        return bool(value and issuer) and issuer not in (ISSUER, self.issuer, *others)

    def signature(self, kind: str, issuer: str, value: str) -> str | None:
        """The packed signature of a part; None if parts of its type have no field for it."""
        return pack(Carried("signature", issuer, value)) if kind in self.kinds or "part" in self.kinds else None

    def summary(self) -> str | None:
        """The mark of an unsigned summary, for the field of its signature; None if there is no field or no need."""
        return None if self.tells_summaries or self.kinds.isdisjoint(("thinking", "part")) else _summary()

    def block(self, carried: Carried) -> dict[str, Any] | None:
        """A part of reasoning that contains what has no field on its own part; None if it is too long."""
        packed = pack(carried)
        if packed is None:
            return None
        if "redacted_thinking" in self.kinds:
            return {"type": "redacted_thinking", "data": packed}
        return {"type": "thinking", "thinking": "", "signature": packed}

    def parts(self, parts: Iterable[Any]) -> list[Any] | None:
        """The parts of a message with their values packed; None if there is nothing to pack."""
        out: list[Any] = []
        numbers: dict[str, int] = {}
        changed = False
        for part in parts:
            kind = _kind_of(part)
            number = numbers[kind] = numbers.get(kind, -1) + 1
            made = self._part(part, number)
            changed = changed or made != [part]
            out += made
        return out if changed else None

    def _part(self, part: Any, number: int) -> list[Any]:
        kind = part.type
        value = opaque_value(part)
        is_unsigned_summary = kind == "thinking" and value is None and part.summary
        if is_unsigned_summary and (summary := self.summary()) is not None:
            return [part.to_dict() | {"signature": summary}]
        if value is None or not self.packs(kind, value, part.issuer):
            return [part]
        data = {name: item for name, item in part.to_dict().items() if name not in ("signature", "issuer")}
        if kind == "redacted_thinking":
            block = self.block(Carried(kind, part.issuer, value))
            return [part] if block is None else [block]
        if (signature := self.signature(kind, part.issuer, value)) is not None:
            return [data | {"signature": signature}]
        text = part.thinking if kind == "thinking" else ""
        block = self.block(Carried(_kind_of(part), part.issuer, value, text, number))
        return [part] if block is None else [data, block]


def _kind_of(part: Any) -> str:
    kind: str = part.type
    return EMPTY_TEXT if kind == "text" and not part.text else kind


# Unpacking, in requests


def unpack_messages(messages: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Unpack the values in the data of messages, in place.

    Returns the former pointers of parts that have moved, by their new pointers.
    """
    moved: dict[str, str] = {}
    for i, message in enumerate(messages):
        if message["role"] == "assistant":
            _unpack_message(message, f"/messages/{i}", moved)
    return moved


class _Waiting(NamedTuple):
    """A signature in a part of reasoning that signs another part, and the part that contains it."""

    carried: Carried
    holder: dict[str, Any]


def _unpack_message(message: dict[str, Any], path: str, moved: dict[str, str]) -> None:
    waiting: list[_Waiting] = []
    read: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for field in ("content", "thinking_blocks"):
        parts: Any = message.get(field)
        if type(parts) in (list, tuple):
            read[field] = _unpack_parts(parts, waiting)
            message[field] = [part for _, part in read[field]]
    for call in message.get("tool_calls") or ():
        carried = unpack(call.get("signature"))
        if carried is not None and carried.kind == "signature":
            call.update(signature=carried.value, issuer=carried.issuer)
    spent = _sign_owners(message, waiting) if waiting else ()
    for field, found in read.items():
        kept = [(old, part) for old, part in found if id(part) not in spent]
        moved.update((f"{path}/{field}/{new}", f"{path}/{field}/{old}") for new, (old, _) in enumerate(kept) if new != old)
        message[field] = [part for _, part in kept]
        if found and not kept and field == "thinking_blocks":
            del message[field]


def _unpack_parts(parts: Iterable[dict[str, Any]], waiting: list[_Waiting]) -> list[tuple[int, dict[str, Any]]]:
    """The parts and their former indices; signatures for other parts are added to `waiting` until the whole message is read.

    Packed text in a part of the wrong type, where only a client can have put it, stays as it is.
    """
    kept: list[tuple[int, dict[str, Any]]] = []
    for number, part in enumerate(parts):
        kind = part["type"]
        carried = unpack(part.get("data" if kind == "redacted_thinking" else "signature"))
        if carried is None or not _may_hold(kind, carried):
            kept.append((number, part))
        elif carried.kind == "summary":
            kept.append((number, _unsigned(part) | {"summary": True}))
        elif carried.kind == "signature":
            kept.append((number, part | {"signature": carried.value, "issuer": carried.issuer}))
        elif carried.kind not in ("thinking", "redacted_thinking", EMPTY_TEXT):
            kept.append((number, part))
            waiting.append(_Waiting(carried, part))
        else:
            first = number
            if part.get("thinking"):  # a client joined it with other reasoning
                kept.append((number, _unsigned(part)))
            if carried.kind == "thinking":
                start = _start_of(carried.text, kept)
                first = kept[start][0] if start < len(kept) else number
                del kept[start:]
            kept.append((first, _whole(carried)))
    return kept


def _may_hold(kind: str, carried: Carried) -> bool:
    """Whether `parts` packs such a value into a part of this type."""
    if carried.kind == "summary":
        return kind == "thinking"
    return kind != "redacted_thinking" if carried.kind == "signature" else kind in ("thinking", "redacted_thinking")


def _unsigned(part: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in ("signature", "issuer")}


def _start_of(text: str, kept: list[tuple[int, dict[str, Any]]]) -> int:
    """The index of the first of the last unsigned parts whose texts together are this text; the number of parts if none are."""
    start = len(kept)
    end = len(text)
    while start and _is_unsigned(part := kept[start - 1][1]) and text.endswith(part["thinking"], 0, end):
        start = start - 1
        end = end - len(part["thinking"])
    return len(kept) if end else start


def _is_unsigned(part: dict[str, Any]) -> bool:
    return part["type"] == "thinking" and "signature" not in part


def _whole(carried: Carried) -> dict[str, Any]:
    """The part of reasoning, or the empty text, that was packed as a whole."""
    if carried.kind == EMPTY_TEXT:
        return {"type": "text", "text": "", "signature": carried.value, "issuer": carried.issuer}
    if carried.kind == "redacted_thinking":
        return {"type": "redacted_thinking", "data": carried.value, "issuer": carried.issuer}
    return {"type": "thinking", "thinking": carried.text, "signature": carried.value, "issuer": carried.issuer}


def _sign_owners(message: dict[str, Any], waiting: Iterable[_Waiting]) -> set[int]:
    """Put signatures on the parts that they sign; returns the `id()` of the parts that contained nothing else.

    A signature stays in place if the part that it signs is no longer in the message; the dump reports it.
    """
    owners: dict[str, list[dict[str, Any]]] = {}
    spent: set[int] = set()
    for carried, holder in waiting:
        if carried.kind not in owners:
            owners[carried.kind] = _owners(message, carried.kind)
        if carried.number < len(owners[carried.kind]):
            owners[carried.kind][carried.number].update(signature=carried.value, issuer=carried.issuer)
            if holder.get("thinking"):
                del holder["signature"], holder["issuer"]
            else:
                spent.add(id(holder))
    return spent


def _owners(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The parts of a type in a message, and its calls if that is `tool_use`; content that is a text becomes a part."""
    content: Any = message.get("content")
    parts: list[dict[str, Any]] = content if content.__class__ is list else []
    if kind == "text" and isinstance(content, str) and content:
        message["content"] = parts = [{"type": "text", "text": content}]
    calls = list(message.get("tool_calls") or ()) if kind == "tool_use" else []
    return [part for part in parts if part["type"] == kind] + calls


def place_before(path: str, moved: dict[str, str]) -> str:
    """The pointer that this pointer was before the unpacking."""
    owner = "/".join(path.split("/", 5)[:5])
    return moved[owner] + path[len(owner) :] if owner in moved else path


def unverifiable(owner: Any) -> str:
    """Why the signature of a part or an event is sent only to its issuer."""
    return NOT_UNPACKED if is_packed(owner.signature) else f"only {excerpt(owner.issuer)} can verify this signature"


def unreadable(part: Any) -> str:
    """Why reasoning is sent only to its issuer."""
    if is_packed(opaque_value(part)):
        return NOT_UNPACKED
    return f"only {excerpt(part.issuer or 'its issuer')} can verify or read this reasoning"
