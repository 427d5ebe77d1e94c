"""The treatments of reasoning, of the ids of its items, and of cache marks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from ...codec.fields import spelling
from ...model.base import Json, Model
from ...model.messages import Message, OpaqueMessage
from ...model.parts import OpaquePart
from ...model.turns import without_reasoning
from .draft import GONE, Change, Draft, FieldValue, owners_in
from .treatments import Codes, Edit, apply, gone, in_messages, unsetting


def leave_out_reasoning(draft: Draft, codes: Codes) -> bool:
    """Leave out all reasoning of a message, if some of it is refused, and refused signatures of anything else."""
    edits: dict[str, Edit] = {}
    for pointer, code in codes.items():
        owner = draft.find(pointer)
        if not _thinks(owner) and _is_signed(owner):
            edits[pointer] = Edit(code, unsetting("signature", "issuer"), "the signature of the reasoning is left out")
        elif pointer.startswith("/messages/"):
            at = "/".join(pointer.split("/")[:3])
            edits[at] = Edit(code, _without_reasoning, "the reasoning of this message is left out")
    return apply(draft, edits)


def _is_signed(owner: Any) -> bool:
    return isinstance(owner, Model) and getattr(owner, "signature", None) is not None


def _without_reasoning(message: Any) -> Any:
    return without_reasoning(message) or GONE


def lead_with_reasoning(draft: Draft, codes: Codes) -> bool:
    """Put the reasoning of a message before everything else in it."""
    does = "the reasoning is moved to the front of the message"
    return apply(draft, {f"/messages/{i}": Edit(code, _led, does) for i, code in in_messages(codes).items()})


def _led(message: Any) -> Any:
    content: FieldValue = message.content
    if not isinstance(content, tuple):
        return message
    reasoning = [part for part in content if _thinks(part)]
    others = [part for part in content if not _thinks(part)]
    return message.replace(content=reasoning + others)


def _thinks(part: Any) -> bool:
    return getattr(part, "type", None) in ("thinking", "redacted_thinking")


def sign_calls(draft: Draft, codes: Codes) -> bool:
    """Give calls that lack a required signature the stand-in that the provider documents."""
    stand_in = draft.format.with_stand_in
    if stand_in is None:
        return False
    does = "the call gets the documented stand-in for its signature"
    return apply(draft, {pointer: Edit(code, stand_in, does) for pointer, code in codes.items() if draft.find(pointer)})


def leave_out_item_reasoning(draft: Draft, codes: Codes) -> bool:
    """Leave out reasoning items that are refused: parts in a row, or one that is kept whole."""
    edits: dict[str, Edit] = {}
    for pointer, code in codes.items():
        for at in _item_at(draft, pointer):
            edits[at] = Edit(code, gone, "the reasoning is left out")
    return apply(draft, edits)


def _item_at(draft: Draft, pointer: str) -> list[str]:
    """The pointers of the parts of the item that begins with the part at a pointer."""
    at, _, index = pointer.rpartition("/")
    if not pointer.startswith("/messages/"):
        return []
    is_in_message = index.isdigit() and at.startswith("/messages/")
    parts: FieldValue = draft.find(at) if is_in_message else None
    if not isinstance(parts, tuple):
        return [pointer]
    begin = int(index)
    end = begin + 1
    if _thinks(parts[begin]):
        while end < len(parts) and _thinks(parts[end]) and spelling(parts[end], "item") != "new":
            end += 1
    return [f"{at}/{i}" for i in range(begin, end)]


def leave_out_item_ids(draft: Draft, codes: Codes) -> bool:
    """Leave out an id that another item has too; leave out reasoning and references, which mean nothing without an id."""
    family = draft.format.family
    found = in_messages(codes)
    seen: set[str] = set()
    edits: dict[str, Edit] = {}
    for i, message in enumerate(draft.messages):
        for pointer, owner in owners_in(message, f"/messages/{i}"):
            id = _item_id(owner, family)
            if not isinstance(id, str):
                continue
            if id in seen and i in found:
                if isinstance(owner, OpaqueMessage | OpaquePart) or _thinks(owner):
                    edit = Edit(found[i], gone, "the item is left out, because another item is identical")
                    edits |= dict.fromkeys(_item_at(draft, pointer), edit)
                else:
                    edits[pointer] = Edit(found[i], _without_data(family, "id"), "the id of its item is left out")
            seen.add(id)
    return apply(draft, edits)


def _item_id(owner: Any, family: str) -> Json:
    """The id of the item that an owner was or was part of."""
    if isinstance(owner, OpaqueMessage | OpaquePart):
        return owner.value.get("id")
    by_family: dict[str, Any] = getattr(owner, "provider_data", None) or {}
    data: dict[str, Any] = by_family.get(family, {})
    return data.get("id")


def _without_data(family: str, key: str) -> Change:
    """An owner without a field that one family has."""

    def change(owner: Any) -> Any:
        data: dict[str, dict[str, Any]] = dict(owner.provider_data or {})
        if key not in data.get(family, {}):
            return owner
        left = {name: value for name, value in data.pop(family).items() if name != key}
        if left:
            data[family] = left
        return owner.replace(provider_data=data) if data else unsetting("provider_data")(owner)

    return change


def leave_out_marks(draft: Draft, codes: Codes) -> bool:
    """Leave out cache marks: of an owner, of a message that is joined to it in what is sent, or of the request."""
    does = "the cache mark is left out"
    unmarked = _without_data(draft.format.family, "cache_control")
    edits: dict[str, Edit] = {}
    for pointer, code in codes.items():
        owner = draft.find(pointer)
        if pointer == "/provider_data":
            edits[""] = Edit(code, unmarked, does)
        elif isinstance(owner, OpaquePart):
            edits[pointer] = Edit(code, gone, does)
        elif isinstance(owner, Model) and unmarked(owner) is not owner:
            edits[pointer] = Edit(code, unmarked, does)
        else:
            edits |= {place: Edit(code, unsetting("cache_control"), does) for place in _marked(draft, pointer)}
    return apply(draft, edits)


def _marked(draft: Draft, pointer: str) -> list[str]:
    """What has the mark that is sent for an owner: its thoughts, else the last mark in it, or in what is joined to it."""
    for place in (pointer, *_joined_from(draft, pointer)):
        marked = [at for at, owner in owners_in(draft.find(place), place) if _is_marked(owner)]
        if marked:
            return [at for at in marked if _thinks(draft.find(at))] or marked[-1:]
    return []


def _joined_from(draft: Draft, pointer: str) -> Iterator[str]:
    """The message of an owner, and those after it that are joined to it in what is sent."""
    tokens = pointer.split("/")
    if tokens[1:2] == ["messages"] and len(tokens) > 2:
        first = int(tokens[2])
        rest = draft.messages[first:]
        run = takewhile(lambda message: message.role in (rest[0].role, "opaque") or _is_blank(message), rest)
        yield from (f"/messages/{first + i}" for i, _ in enumerate(run))


def _is_blank(message: Message) -> bool:
    """Whether a message has nothing that is sent, such as blank text alone."""
    return all(part.type == "opaque" or (part.type == "text" and not part.text.strip()) for part in message.parts)


def _is_marked(owner: Any) -> bool:
    return isinstance(owner, Model) and getattr(owner, "cache_control", None) is not None
