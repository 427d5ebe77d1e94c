"""Signatures and encrypted reasoning of one provider in the opaque fields of another's format.

A client sends back what such a field holds, as it came, and does not look into it. So what another provider issued can pass
through it: packed with its issuer, as base64 text that begins with `PREFIX`, which has the version. Only what has the right
checksum is unpacked, and what is unpacked is never unpacked again.
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
"""How packed text begins: valid base64, as the fields of some providers must be."""
ISSUER = "interlingua"
"""The issuer of packed text, which no provider can verify or read."""
NOT_UNPACKED = "this value was packed for another provider: load it unchanged with `carry=True`"
LONGEST = 4_000_000
"""The most characters that packed text may have; what would be longer is not packed."""
EMPTY_TEXT = "empty_text"
_SUM = 6  # bytes of the checksum
_USUAL_ALPHABET = str.maketrans("-_", "+/")


class Carried(NamedTuple):
    """What was packed: a value of an issuer, and what it belongs to.

    `kind` is `redacted_thinking` for encrypted reasoning, `thinking` for a signature of the reasoning in `text`, `signature`
    for one that stands on its own part, and the type of another part for a signature that stands elsewhere: `number` then
    says which part of this type in its message it signs, counted from 0 without empty texts. `empty_text` is for a signature of
    an empty text, which clients leave out. A `summary` is a mark without a value, in place of the signature of a summary, which
    providers do not sign.
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
    """Packed text, in base64 without padding; None where it would be too long, or its value is packed text itself."""
    body = json.dumps(carried, separators=(",", ":")).encode()
    body += b" " * (-len(body) % 3)
    packed = PREFIX + b64encode(_checksum(body) + body).decode()
    return None if len(packed) > LONGEST or is_packed(carried.value) else packed


def unpack(text: Any) -> Carried | None:
    """What was packed; None for all other values, and for packed text that was changed or cut. Takes linear time.

    Clients that have such fields as bytes may send them back in the other alphabet of base64.
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
        "".join(fields[:4]).encode()  # no text has half of a surrogate pair
    except (ValueError, RecursionError):
        return None
    return carried if carried.issuer and carried.number >= 0 and pack(carried) == text else None


def is_packed(value: Any) -> bool:
    """Whether a value begins as packed text does, whether or not it can be unpacked."""
    return type(value) is str and value.startswith(PREFIX)


def issuer_of(value: str, issuer: str) -> str:
    """The issuer of a value that was read: the provider's, or our own for what is packed."""
    return ISSUER if is_packed(value) else issuer


def opaque_value(owner: Any) -> str | None:
    """The signature, or the encrypted reasoning, of a part or an event."""
    fields: dict[str, Any] = owner.__dict__  # a flat call has no type
    data: str | None = fields.get("data")
    value: str | None = owner.signature if data is None else data
    return value


class Sending(Protocol):
    """What is known of a dump under way."""

    of_response: bool

    def is_foreign(self, issuer: str | None) -> bool: ...


def is_unreadable(owner: Any, d: Sending) -> bool:
    """Whether the target of a dump cannot verify or read the signature or the encrypted reasoning of a part or an event.

    Packed text is never sent in a request, whatever issuer it names.
    """
    return d.is_foreign(owner.issuer) or (not d.of_response and is_packed(opaque_value(owner)))


@cache
def _summary() -> str | None:
    return pack(Carried("summary", ISSUER, ""))


# Into a client's fields


@dataclass(frozen=True)
class OpaqueFields:
    """The fields of a format that its clients send back without looking into them.

    `issuer` is the issuer that the format's loader gives their values. `kinds` are the types of parts that have one, including
    `part` if every part may have a signature. Signatures of calls and texts by one of `signers` have a field of their own.
    Reasoning of one of `labelled` has a field for its issuer. `tells_summaries` is whether reasoning is marked as a summary,
    and `signs_late` whether a stream can sign reasoning whose text was sent.
    """

    issuer: str
    kinds: frozenset[str]
    signers: frozenset[str] = frozenset()
    labelled: frozenset[str] = frozenset()
    tells_summaries: bool = False
    signs_late: bool = True

    def packs(self, kind: str, value: str | None, issuer: str | None) -> bool:
        """Whether the value of a part is packed: one that another provider is known to have issued."""
        others = self.labelled if kind in ("thinking", "redacted_thinking") else self.signers
        return bool(value and issuer) and issuer not in (ISSUER, self.issuer, *others)

    def signature(self, kind: str, issuer: str, value: str) -> str | None:
        """The signature of a part, where parts of its type have a field for one."""
        return pack(Carried("signature", issuer, value)) if kind in self.kinds or "part" in self.kinds else None

    def summary(self) -> str | None:
        """What marks unsigned reasoning as a summary, in the field for its signature; None where nothing does, or needs to."""
        return None if self.tells_summaries or self.kinds.isdisjoint(("thinking", "part")) else _summary()

    def block(self, carried: Carried) -> dict[str, Any] | None:
        """A part of reasoning that holds what has no field on its own part; None where it is too long."""
        packed = pack(carried)
        if packed is None:
            return None
        if "redacted_thinking" in self.kinds:
            return {"type": "redacted_thinking", "data": packed}
        return {"type": "thinking", "thinking": "", "signature": packed}

    def parts(self, parts: Iterable[Any]) -> list[Any] | None:
        """The parts of a message with what is packed; None where there is nothing to pack."""
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


# Out of them again


def unpack_messages(messages: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Unpack what the data of messages have, in place.

    Returns where owners stood whose place is another now: their former pointers by the new ones.
    """
    moved: dict[str, str] = {}
    for i, message in enumerate(messages):
        if message["role"] == "assistant":
            _unpack_message(message, f"/messages/{i}", moved)
    return moved


class _Waiting(NamedTuple):
    """A signature that stands in a part of reasoning, and not on the part that it signs."""

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
    """The parts with their former numbers; signatures of parts elsewhere wait until all of the message is read.

    What a client put where nothing of its kind is packed stays as it is.
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
    """Whether a part of this type is where such a value is packed."""
    if carried.kind == "summary":
        return kind == "thinking"
    return kind != "redacted_thinking" if carried.kind == "signature" else kind in ("thinking", "redacted_thinking")


def _unsigned(part: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in ("signature", "issuer")}


def _start_of(text: str, kept: list[tuple[int, dict[str, Any]]]) -> int:
    """The number of the first of the unsigned parts at the end that say this text; how many parts there are, if none do."""
    start = len(kept)
    end = len(text)
    while start and _is_unsigned(part := kept[start - 1][1]) and text.endswith(part["thinking"], 0, end):
        start = start - 1
        end = end - len(part["thinking"])
    return len(kept) if end else start


def _is_unsigned(part: dict[str, Any]) -> bool:
    return part["type"] == "thinking" and "signature" not in part


def _whole(carried: Carried) -> dict[str, Any]:
    """A part of reasoning, or an empty text, that was packed whole."""
    if carried.kind == EMPTY_TEXT:
        return {"type": "text", "text": "", "signature": carried.value, "issuer": carried.issuer}
    if carried.kind == "redacted_thinking":
        return {"type": "redacted_thinking", "data": carried.value, "issuer": carried.issuer}
    return {"type": "thinking", "thinking": carried.text, "signature": carried.value, "issuer": carried.issuer}


def _sign_owners(message: dict[str, Any], waiting: Iterable[_Waiting]) -> set[int]:
    """Put signatures on the parts that they sign; the ids of the parts that held them, and hold nothing else.

    A signature whose part is not in the message any more stays where it is, for the dump to report.
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
    """The parts of a type in a message, in either spelling; a text that is signed becomes a part."""
    content: Any = message.get("content")
    parts: list[dict[str, Any]] = content if content.__class__ is list else []
    if kind == "text" and isinstance(content, str) and content:
        message["content"] = parts = [{"type": "text", "text": content}]
    calls = list(message.get("tool_calls") or ()) if kind == "tool_use" else []
    return [part for part in parts if part["type"] == kind] + calls


def place_before(path: str, moved: dict[str, str]) -> str:
    """Where a pointer pointed before the unpacking."""
    owner = "/".join(path.split("/", 5)[:5])
    return moved[owner] + path[len(owner) :] if owner in moved else path


def unverifiable(owner: Any) -> str:
    """Why the signature of a part or an event is not sent to anyone but its issuer."""
    return NOT_UNPACKED if is_packed(owner.signature) else f"only {excerpt(owner.issuer)} can verify this signature"


def unreadable(part: Any) -> str:
    """Why reasoning is not sent to anyone but its issuer."""
    if is_packed(opaque_value(part)):
        return NOT_UNPACKED
    return f"only {excerpt(part.issuer or 'its issuer')} can verify or read this reasoning"
