"""Parts and texts that stand among the contents of a google-genai call, without a message around them.

The client puts neighbouring ones of one role into one message: function calls are the model's, everything else is the user's.
A list among the contents has the parts of one message of the user (google-genai 3.6.1, `_transformers.t_contents`).
A message that is written as a dict stays where it stands, although the client sends it before the parts in front of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...codec.fields import Wire, spelling
from ...model.base import Json
from .base import GeminiDump, value_of
from .spellings import spellings

LONE = "part"
"""The spelling of a message whose parts stand by themselves."""
NESTED = "list"
"""The spelling of a message that is a list of parts."""
TEXT = "text"
FILE = "file"
PARTS_LAST = "parts"
"""The spelling of contents in which no message follows lone parts."""


class Group(NamedTuple):
    """A message that the client sends, and what it makes the message of."""

    at: str
    """The pointer of the message, or of its first part."""
    content: Any
    """The message, or a text alone."""
    form: str | None
    """How the call spells it; None for a message."""
    items: list[tuple[str, Any]]
    """The message, or the parts that stand by themselves or in a list, each with its pointer."""


def is_part(item: Json, known: frozenset[str]) -> bool:
    """Whether an item of the contents is a part, which has one of the `known` fields, or is a file."""
    if type(item) is not dict or item.get("role") is not None or item.get("parts") is not None:
        return False
    return any(item.get(key) is not None for key in known) or _is_file(item) or _is_uploaded(item)


def _is_file(item: Wire) -> bool:
    """Whether an object is a file, which the client puts into a part."""
    return type(value_of(item, "fileUri")) is str and item.keys() <= _FILE_FIELDS


_FILE_FIELDS = frozenset({"fileUri", "file_uri", "mimeType", "mime_type", "displayName", "display_name"})


def _is_uploaded(item: Wire) -> bool:
    """Whether an object is the client's record of an uploaded file. The client sends its address and type."""
    is_whole = type(item.get("uri")) is str and type(value_of(item, "mimeType")) is str
    return is_whole and item.keys() <= _UPLOADED_FIELDS


_UPLOADED_FIELDS = spellings(
    *"name displayName mimeType sizeBytes createTime expirationTime updateTime sha256Hash uri downloadUri state source".split(),
    *("videoMetadata", "error"),
)


def part_of(given: Any) -> Any:
    """The part that the client makes of a text, a part or a file."""
    item: Json = given
    if type(item) is str:
        return {"text": item}
    if type(item) is dict and _is_uploaded(item):
        if "mime_type" in item:
            return {"file_data": {"file_uri": item["uri"], "mime_type": item["mime_type"]}}
        return {"fileData": {"fileUri": item["uri"], "mimeType": item["mimeType"]}}
    is_file = type(item) is dict and _is_file(item)
    return {"file_data" if "file_uri" in given else "fileData": given} if is_file else given


def form_of(item: Json) -> str | None:
    """How a part is spelled among the contents or in a list, unless it is a part."""
    if type(item) is str:
        return TEXT
    return FILE if type(item) is dict and _is_file(item) else None


def tokens_in(item: Any, tokens: list[str]) -> list[str]:
    """The tokens of a pointer into an item, from those into the part that the client makes of it."""
    if type(item) is str:
        return []
    if _is_uploaded(item):
        return ["uri" if token in ("fileUri", "file_uri") else token for token in tokens[1:]]
    return tokens[1:] if _is_file(item) else tokens


def groups(contents: Sequence[tuple[str, Any]], known: frozenset[str]) -> list[Group]:
    """The messages that the client makes of contents, given with their pointers."""
    out: list[Group] = []
    for at, given in contents:
        item: Json = given
        if type(item) is list:
            listed: list[Any] = item
            nested = [(f"{at}/{i}", part) for i, part in enumerate(listed)]
            out.append(Group(at, {"role": "user", "parts": [*map(part_of, listed)]}, NESTED, nested))
        elif type(item) is not str and not is_part(item, known):
            out.append(Group(at, item, None, [(at, item)]))
        elif out and out[-1].form in (TEXT, LONE) and _role(out[-1].items[0][1]) == _role(item):
            out[-1] = _longer(out[-1], at, item)
        elif type(item) is str:
            out.append(Group(at, item, TEXT, [(at, item)]))
        else:
            out.append(Group(at, {"role": _role(item), "parts": [part_of(item)]}, LONE, [(at, item)]))
    return out


def _longer(group: Group, at: str, item: Any) -> Group:
    """A text or a run of parts with one more of them."""
    content: Wire = {"role": "user", "parts": [part_of(group.content)]} if group.form == TEXT else group.content
    content["parts"].append(part_of(item))
    group.items.append((at, item))
    return Group(group.at, content, LONE, group.items)


def _role(item: Json) -> str:
    return "user" if value_of(item, "functionCall") is None else "model"


def parts_are_last(found: Sequence[Group]) -> bool:
    """Whether no message follows lone parts: if it is not an object of the client, the client sends it before them."""
    return not any(before.form in (LONE, TEXT) and after.form is None for before, after in pairwise(found))


# Dumps


class LoneParts(NamedTuple):
    """A message as the parts that stand in its place, and as the message that it is."""

    items: list[Any]
    message: Wire


def as_spelled(message: Any, written: Wire) -> LoneParts | list[Any] | Wire:
    """A message as lone parts or as a list of parts, if it was loaded from them; otherwise the message."""
    form = spelling(message, "content")
    parts: list[Any] | Wire | None = written.get("parts")
    if not isinstance(parts, list) or not written.keys() <= {"role", "parts"} or len(parts) != len(message.content):
        return written
    if form == TEXT:
        text: Json = parts[0].get("text") if len(parts) == 1 and len(parts[0]) == 1 else None
        return LoneParts([text], written) if type(text) is str else written
    spelled = [_item(part, wire) for part, wire in zip(message.content, parts, strict=True)]
    if form == NESTED:
        return spelled if message.role == "user" else written
    roles = {_role(part) for part in parts}
    return LoneParts(spelled, written) if roles == {written.get("role")} else written


def _item(part: Any, wire: Wire) -> Any:
    """A part as the text or the file that it was in the call."""
    form = spelling(part, "part")
    if form is None or len(wire) != 1:
        return wire
    [field] = wire
    value: Json = wire[field]
    is_file = field in ("fileData", "file_data") and type(value) is dict and _is_file(value)
    return value if (form == TEXT and field == "text") or (form == FILE and is_file) else wire


def place_lone_parts(request: Any, body: Wire, d: GeminiDump) -> None:
    """Put the lone parts of a dump into its contents, and correct the pointers that lead there."""
    is_alone = type(body["contents"]) is not list
    items: list[Any] = [body["contents"]] if is_alone else body["contents"]
    if all(map(_is_message, items)):
        return
    if spelling(request, "contents") in (PARTS_LAST, TEXT, "object") and not _stand_apart(items):
        items = [item.message if type(item) is LoneParts else item for item in items]
    placed = [each for item in items for each in (item.items if type(item) is LoneParts else (item,))]
    is_text = spelling(request, "contents") == TEXT and type(placed[0]) is str
    is_one = len(placed) == 1 and (is_alone or is_text)
    body["contents"] = placed[0] if is_one else placed
    places = _Places(items, is_alone=is_alone, is_one=is_one)
    d.places.update({places.of(at): d.places.pop(at) for at in sorted(d.places, key=len) if at.startswith("/contents")})
    d.losses[:] = [loss if loss.at is None else loss._replace(at=places.of(loss.at)) for loss in d.losses]


def _is_message(item: Any) -> bool:
    return type(item) is dict


def _stand_apart(items: Sequence[Any]) -> bool:
    """Whether the client would make exactly these messages, in this order.

    It joins neighbouring lone parts of one role, and sends a message before the lone parts in front of it.
    """
    waiting: str | None = None
    for item in items:
        if _is_message(item) and waiting is not None:
            return False
        before = waiting
        waiting = item.message["role"] if type(item) is LoneParts else None
        if waiting is not None and waiting == before:
            return False
    return True


class _Places:
    """Where the messages of a dump and their parts are in the contents of a call."""

    def __init__(self, items: Sequence[Any], *, is_alone: bool, is_one: bool) -> None:
        self._depth = 2 if is_alone else 3
        self._found: dict[str, tuple[str, Sequence[str]]] = {}
        """The place of each message, and those of its parts if they stand there without it."""
        count = 0
        for i, item in enumerate(items):
            at = "/contents" if is_one else f"/contents/{count}"
            parts: Sequence[str] = ()
            if type(item) is LoneParts:
                parts = [at] if is_one else [f"/contents/{count + j}" for j in range(len(item.items))]
            elif not _is_message(item):
                parts = [f"{at}/{j}" for j, _ in enumerate(item)]
            self._found["/contents" if is_alone else f"/contents/{i}"] = at, parts
            count += len(parts) if type(item) is LoneParts else 1

    def of(self, pointer: str) -> str:
        """The pointer into the call of a pointer into the body."""
        tokens = pointer.split("/")
        found = self._found.get("/".join(tokens[: self._depth]))
        if found is None:
            return pointer
        at, parts = found
        rest = tokens[self._depth :]
        if parts and rest[:1] == ["parts"]:
            at = parts[int(rest[1])] if len(rest) > 1 else at
            rest = rest[2:]
        return at + "".join(f"/{token}" for token in rest)
