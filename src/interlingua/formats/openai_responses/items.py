"""The maps of items: a run of items of the assistant is one message, every other item is a message of its own.

In the assistant's message, reasoning items and messages become a part for each of their parts, and the parts of one item stand
together. Two items follow each other where their parts would not be in the order of one item; where they would, the first part
of the second is recorded as the beginning of a `new` item. A call is one part. An item without canonical meaning is kept whole:
as a part, if the model or the provider's server made it, else as a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from typing import Any, NamedTuple, TypeAlias

from ...codec.fields import Content, FieldReader, Wire, copy_wire, spelling
from ...model.base import Json
from ...model.messages import content_of
from ...model.parts import TextPart
from .base import FAMILY, ISSUER, LONGEST_NAME, RESPONSE_ONLY, ItemsDump
from .parts import PART_FIELDS, dump_part, is_of_item, keep_whole, lay_fields, load_part, spell_fields
from .wire import is_message

Pointed: TypeAlias = tuple[str, Any]
"""A part, a call or a text of a message, with its pointer."""
Pointers: TypeAlias = list[tuple[str, dict[str, Any]]]
"""The parts that an item becomes, each with its pointer in the item."""


class Turn(NamedTuple):
    """A message that was loaded, and where it stands on the wire."""

    message: dict[str, Any]
    at: int
    """The index of its first item."""
    parts: list[str]
    """The pointers of the parts of a message of several items, from the input on."""


# From items to messages


def load_items(items: Sequence[Wire]) -> list[dict[str, Any]]:
    """The messages of validated items."""
    return [turn.message for turn in load_turns(items)]


def load_turns(items: Sequence[Wire]) -> Iterator[Turn]:
    """The messages of validated items, each with where it stands."""
    custom: set[str] = set()
    count = 0
    while count < len(items):
        start = count
        while count < len(items) and is_said(items[count]):
            count += 1
        if count > start:
            run = items[start:count]
            custom |= {item["call_id"] for item in run if item.get("type") == "custom_tool_call" and item.get("call_id")}
            yield _load_run(run, start)
        else:
            count += 1
            yield Turn(_load_given(items[start], custom), start, [])


def is_said(item: Wire) -> bool:
    """Whether an item belongs to the assistant's turn."""
    if is_message(item):
        return bool(item["role"] == "assistant")
    kind: Json = item.get("type")
    if type(kind) is not str or kind in _GIVEN:
        return False
    if kind == "tool_search_output":
        return item.get("execution") == "server"
    return kind == "program_output" or not kind.endswith(("_output", "_response"))


_GIVEN = frozenset({"message", "item_reference", "additional_tools", "configuration_update", "compaction_trigger"})
"""Types of items that clients make, besides outputs of their tools and their answers."""


def _load_run(run: Sequence[Wire], start: int) -> Turn:
    first = run[0]
    if len(run) == 1 and type(first.get("content")) is str and is_message(first):
        return Turn(_load_message(first), start, [])
    parts: list[dict[str, Any]] = []
    pointers: list[str] = []
    for i, item in enumerate(run, start):
        for pointer, part in load_said(item, parts[-1] if parts else None):
            parts.append(part)
            pointers.append(f"/input/{i}{pointer}")
    return Turn({"role": "assistant", "content": parts}, start, pointers)


def _load_message(wire: Wire) -> dict[str, Any]:
    """A message that one item holds."""
    role: str = wire["role"]
    if type(wire["content"]) is str and len(wire) == 2:
        return wire  # most messages
    out = {"role": role, "content": _load_content(wire["content"], role)}
    reader = FieldReader(wire, *out)
    if reader.take("type") is not None:
        reader.spelling["item_type"] = "message"
    return reader.keep(out, FAMILY)


def _load_content(content: str | list[Wire], role: str) -> str | list[dict[str, Any]]:
    return content if isinstance(content, str) else [load_part(part, role) for part in content]


def _load_given(item: Wire, custom: set[str]) -> dict[str, Any]:
    if is_message(item):
        return _load_message(item)
    kind = item.get("type")
    if kind not in OUTPUTS:
        return {"role": "opaque", "format": FAMILY, "value": item}
    reader = FieldReader(item, "type", "output")
    out: dict[str, Any] = {"role": "tool", "content": _load_content(item["output"], "tool")}
    for key, name in (("call_id", "tool_call_id"), ("name", "name")):
        if (text := reader.take(key, str)) is not None:
            out[name] = text
    if kind != OUTPUTS[0] or out.get("tool_call_id") in custom:
        reader.spelling["item_type"] = kind
    return reader.keep(out, FAMILY)


OUTPUTS = ("function_call_output", "custom_tool_call_output")
"""The types of the outputs of functions and of custom tools."""


# Items of the assistant


def load_said(item: Wire, before: dict[str, Any] | None) -> Pointers:
    """The parts of an item of the assistant, each with its pointer in the item; `before` is the part before them."""
    load = _load_said_message if is_message(item) else SAID_LOADERS.get(item.get("type", ""), _load_opaque)
    made = load(item)
    first = made[0][1]
    if before is not None and _joins(_rank(before), _rank(first)):
        _spell(first, "item", "new")
    return made


def _rank(part: dict[str, Any]) -> int:
    record = part.get("wire")
    content = record is not None and "opaque" in record.get("spelling", {})
    return rank_of(part["type"], summary=part.get("summary"), content=content)


def rank_of(kind: str, *, summary: bool | None, content: bool) -> int:
    """0 for a part of a message, 1 to 3 for the parts of a reasoning item in their order, -1 for what is an item itself."""
    if kind == "thinking":
        return 1 if summary else 2
    if kind == "redacted_thinking":
        return 3
    return -1 if kind == "tool_use" or (kind == "opaque" and not content) else 0


def _joins(before: int, rank: int) -> bool:
    """Whether a part goes into the item of the part before it."""
    return before == rank == 0 or (1 <= before <= rank and before != 3)


def _spell(part: dict[str, Any], key: str, word: str) -> None:
    part.setdefault("wire", {}).setdefault("spelling", {})[key] = word


def _leave_item(made: Pointers, rest: Wire, item: Wire) -> Pointers:
    """The parts of an item, the first with the item's own fields; the item as a whole, where they could not be told apart."""
    first = made[0][1]
    overlay: Wire = first.setdefault("provider_data", {}).setdefault(FAMILY, {}) if rest else {}
    if not rest.keys().isdisjoint(overlay.keys() | PART_FIELDS):
        return _load_opaque(item)
    overlay |= rest
    return made


def _load_opaque(item: Wire) -> Pointers:
    return [("", keep_whole(item))]


def _load_said_message(item: Wire) -> Pointers:
    content = item["content"]
    if type(content) is str:
        made: Pointers = [("/content", {"type": "text", "text": content})]
    else:
        made = [(f"/content/{i}", load_part(part, "assistant")) for i, part in enumerate(content)]
    if not made:
        return _load_opaque(item)
    for _, part in made:
        if part["type"] == "opaque":
            _spell(part, "opaque", "content")
    first, form, kind = made[0][1], "text" if type(content) is str else "list", item.get("type", "absent")
    made = _leave_item(made, {key: value for key, value in item.items() if key not in ("type", "role", "content")}, item)
    if form != usual_form(first.keys(), len(made)):
        _spell(first, "content", form)
    if kind != _USUAL_TYPES[form]:
        _spell(first, "item_type", kind or "null")
    return made


_USUAL_TYPES = {"text": "absent", "list": "message"}
"""The type of a message item of one text, and of one with a list, unless it is spelled."""


def usual_form(given: AbstractSet[str], count: int) -> str:
    """Whether a message of so many parts, the first with these fields, is one text or a list, unless it is spelled."""
    return "text" if count == 1 and "text" in given and given <= _PLAIN else "list"


_PLAIN = frozenset({"type", "text", "wire"})


def _load_reasoning(item: Wire) -> Pointers:
    made: Pointers = []
    rest = {key: value for key, value in item.items() if key != "type"}
    for key, (kind, more) in _REASONING.items():
        parts: Json = item.get(key)
        if type(parts) is list and (parts or key == "summary"):
            if not all(type(part) is dict and part.get("type") == kind and type(part.get("text")) is str for part in parts):
                return _load_opaque(item)
            del rest[key]
            for i, part in enumerate(parts):
                reader = FieldReader(part, "type", "text")
                if not spell_fields(reader):
                    return _load_opaque(item)
                made.append((f"/{key}/{i}", reader.keep({"type": "thinking", "thinking": part["text"], **more}, FAMILY)))
    if type(data := item.get("encrypted_content")) is str:
        del rest["encrypted_content"]
        made.append(("/encrypted_content", {"type": "redacted_thinking", "data": data, "issuer": ISSUER}))
    if not made:
        return _load_opaque(item)
    if type(item.get("summary")) is not list:
        _spell(made[0][1], "summary", "absent")
    return _leave_item(made, rest, item)


_REASONING: dict[str, tuple[str, dict[str, Any]]] = {
    "summary": ("summary_text", {"summary": True}),
    "content": ("reasoning_text", {}),
}


def _load_call(item: Wire) -> Pointers:
    reader = FieldReader(item, "type")
    out: dict[str, Any] = {"type": "tool_use"}
    if item["type"] == "custom_tool_call":
        out |= {"custom": True, "input": reader.take("input")}
    else:
        out["input"] = reader.take("arguments")
    reader.move(out, "name", call_id="id")
    return [("", reader.keep(out, FAMILY))]


SAID_LOADERS = {"reasoning": _load_reasoning, "function_call": _load_call, "custom_tool_call": _load_call}
"""The function that reads an item of the assistant, for each type with canonical meaning besides messages."""


# From messages to items


def write(messages: Sequence[Any], start: int, out: list[Wire], base: ItemsDump) -> None:
    """Append the items of the messages from `start`."""
    for i in range(start, len(messages)):
        message, path = messages[i], f"/messages/{i}"
        d, count = base.rules_for(message), len(out)
        if message.role == "assistant":
            write_said(message, path, out, d)
        elif message.role == "opaque":
            if message.format == FAMILY:
                _append(_copy_item(message.value, path, d), path, out, d)
            else:
                d.drop(path, d.no_place("a message of this kind", message.format))
            continue
        elif message.role == "tool":
            _write_result(message, path, out, d)
        else:
            _write_given(message, path, out, d)
        if len(out) == count:
            d.drop(path, "nothing that it holds has a place here")


def _append(item: Wire, path: str, out: list[Wire], d: ItemsDump) -> None:
    d.places[f"/input/{len(out)}"] = path
    out.append(item)


def _copy_item(value: Wire, path: str, d: ItemsDump) -> Wire:
    """An item that was kept whole; of one from a response, what may be sent back."""
    item: Wire = copy_wire(value)
    for key in RESPONSE_ONLY & item.keys() if d.from_response else ():
        del item[key]
        d.report("response_only", f"{path}/value/{key}", None, "requests have no such field")
    return item


# What the assistant is given


def _write_given(message: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """A message of the user or the application; each tool result in it is an item."""
    role, content = message.role, message.content
    if role == "text":
        d.report("changed", path, f"/input/{len(out)}", "a text becomes a user message")
        role = "user"
    if type(content) is str:
        _append_message(message, {"role": role, "content": content}, path, out, d)
        return
    framed = False
    item: Wire | None = None
    for i, part in enumerate(content):
        where = f"{path}/content/{i}"
        if part.type == "tool_result":
            item = None
            _write_result(part, where, out, d)
            continue
        parts: list[Wire] = item["content"] if item is not None else []
        at = f"/input/{len(out) - (item is not None)}/content/{len(parts)}"
        if (made := dump_part(part, where, at, d, role)) is not None:
            parts.append(made)
            if item is None:
                item = {"role": role, "content": parts}
                _append_message(None if framed else message, item, path, out, d)
                framed = True
    if d.exact and not content:
        _append_message(message, {"role": role, "content": []}, path, out, d)
    elif not framed:
        drop_frame(message, path, d)


def _append_message(message: Any, item: Wire, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Add an item, with what its message has besides its content."""
    if message is not None:
        if d.exact and spelling(message, "item_type") == "message":
            item["type"] = "message"
        drop_frame(message, path, d, item)
    _append(item, path, out, d)


def drop_frame(message: Any, path: str, d: ItemsDump, item: Wire | None = None) -> None:
    """Report what a message has besides its content, but for what its one item takes up."""
    if not (message.name is message.cache_control is message.provider_data):
        d.drop_fields(message, path, "name", "cache_control")
        if message.provider_data is not None:
            d.lay_provider_data(message, {} if item is None else item, path, None if item is not None else _refuse)


def _refuse(_key: str) -> bool:
    return False


def _write_result(owner: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """A tool's result, of a message or of a part."""
    at = f"/input/{len(out)}"
    id, named = d.result_id(owner, path, at)
    item: Wire = {}
    if id is not None:
        item["call_id"] = id
    kind = (spelling(owner, "item_type") if d.exact else None) or OUTPUTS[item.get("call_id") in d.custom_calls]
    item = {"type": kind, **item, "output": owner.content}
    if owner.name is not None and (d.exact or kind == OUTPUTS[0]):
        item["name"] = owner.name
    elif owner.name is not None and not named:
        d.drop(path + "/name", "results of custom tools have no name here")
    content: Content = owner.content
    if not isinstance(content, str):
        parts: list[Wire] = []
        for i, part in enumerate(content or ()):
            if (made := dump_part(part, f"{path}/content/{i}", f"{at}/output/{len(parts)}", d, "tool")) is not None:
                parts.append(made)
        item["output"] = parts if parts or d.exact else ""
    _append(item, path, out, d)
    d.drop_fields(owner, path, "is_error", "cache_control")
    if "role" not in vars(owner):
        d.drop_unplaced(owner, path)
    if owner.provider_data is not None:
        d.lay_provider_data(owner, item, path)


# What the assistant says


def write_said(message: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append the items of an assistant message."""
    content = message.content
    flat = message.reasoning_content is message.refusal is None and not message.thinking_blocks and not message.tool_calls
    if flat and type(content) is str:
        d.places[f"/input/{len(out)}/content"] = path + "/content"  # which may be read as one part of several
        _append_message(message, {"role": "assistant", "content": content}, path, out, d)
        return
    pieces = [piece for piece in content_of(message, path) if piece[1] != "" or type(piece[1]) is not str]
    for run in _items_of(pieces, d):
        write_item(run, path, out, d)
    drop_frame(message, path, d)


def write_item(run: Sequence[Pointed], path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append the item of these parts of the message at `path`; none, and reported, where they have no place."""
    where, first = run[0]
    rank = _rank_of(first)
    if rank == 0:
        _write_message(run, path, out, d)
    elif rank > 0:
        _write_reasoning(run, path, out, d)
    elif "value" not in vars(first):
        _write_call(first, where, out, d)
    elif first.format == FAMILY:
        _append(_copy_item(first.value, where, d), where, out, d)
    else:
        d.drop(where, d.no_place("a part of this type", first.format))


def _items_of(pieces: Iterable[Pointed], d: ItemsDump) -> Iterator[list[Pointed]]:
    """The pieces of a message, those that one item holds together.

    Texts of a request that no item held together are messages of their own: one text needs no id, as a list of them would.
    """
    run: list[Pointed] = []
    for pointed in pieces:
        piece = pointed[1]
        apart = not (d.exact or d.is_response) and _rank_of(piece) == 0 and not (run and _has_item(run[0][1]))
        if run and (apart or begins_item(run[-1][1], piece)):
            yield run
            run = []
        run.append(pointed)
    if run:
        yield run


def begins_item(before: Any, piece: Any) -> bool:
    """Whether a part is not in the item of the part before it: it has an item's fields, is recorded so, or is out of order."""
    if not _joins(_rank_of(before), _rank_of(piece)):
        return True
    return type(piece) is not str and (_has_item(piece) or spelling(piece, "item") == "new")


def _has_item(piece: Any) -> bool:
    """Whether a part has fields of an item that begins with it."""
    if type(piece) is str or piece.provider_data is None:
        return False
    return any(is_of_item(piece, key) for key in piece.provider_data.get(FAMILY, ()))


def _rank_of(piece: Any) -> int:
    if type(piece) is str:
        return 0
    if "type" not in vars(piece):
        return -1
    kind = piece.type
    return rank_of(
        kind,
        summary=piece.summary if kind == "thinking" else None,
        content=kind == "opaque" and spelling(piece, "opaque") == "content",
    )


def _write_message(run: Sequence[Pointed], path: str, out: list[Wire], d: ItemsDump) -> None:
    at, first = f"/input/{len(out)}", run[0][1]
    item: Wire = {"role": "assistant", "content": []}
    parts: list[Wire] = item["content"]
    for pointer, piece in run:
        part = TextPart(text=piece) if type(piece) is str else piece
        if (made := dump_part(part, pointer, f"{at}/content/{len(parts)}", d, "assistant", item)) is not None:
            parts.append(made)
    if not parts:
        return
    if d.exact:
        form = (
            "list"
            if len(parts) > 1 or len(parts[0]) > 2
            else spelling(first, "content") or usual_form(first.model_fields_set, len(run))
        )
        kind = spelling(first, "item_type") or _USUAL_TYPES[form]
    else:
        plain = len(item) == 2 and len(parts) == 1 and parts[0].get("annotations") == [] and len(parts[0]) == 3
        form, kind = ("text", "absent") if plain else ("list", "message")
    if form == "text" and len(parts) == 1 and "text" in parts[0]:
        item["content"] = parts[0]["text"]
        d.places[at + "/content"] = d.places.pop(at + "/content/0")
    if kind != "absent":
        item = {"type": None if kind == "null" else kind, **item}
    _append(item, path, out, d)


def _write_reasoning(run: Sequence[Pointed], path: str, out: list[Wire], d: ItemsDump) -> None:
    at, first = f"/input/{len(out)}", run[0][1]
    item: Wire = {"type": "reasoning", "summary": []}
    if d.exact and spelling(first, "summary") == "absent":
        del item["summary"]
    for pointer, part in run:
        refused = None if d.exact else _refusal_of(part, d)
        if refused is not None:
            d.drop(pointer, refused)
            continue
        made: Wire = {}
        if part.type == "redacted_thinking":
            item["encrypted_content"] = part.data
            here = at + "/encrypted_content"
        else:
            as_text = not part.summary and (d.exact or d.same_family or d.is_response or d.profile.reasoning_text)
            key, kind = ("content", "reasoning_text") if as_text else ("summary", "summary_text")
            here = f"{at}/{key}/{len(item.setdefault(key, []))}"
            made |= {"type": kind, "text": part.thinking}
            item[key].append(made)
            if not part.summary and not as_text:
                d.report("changed", pointer, here, "reasoning is sent as a summary")
        d.places[here] = pointer
        d.drop_fields(part, pointer, "cache_control", "signature")
        if part.provider_data is not None:
            lay_fields(part, made, item, pointer, d)
    if len(item) > 2 or item.get("summary") or d.exact:
        _append(item, path, out, d)


def _refusal_of(part: Any, d: ItemsDump) -> str | None:
    """Why a part of the reasoning is not sent."""
    if d.is_foreign(part.issuer) and not (d.is_response and part.type == "thinking"):
        return f"only {part.issuer} can verify or read it"
    return "empty reasoning is left out" if part.type == "thinking" and not part.thinking else None


def _write_call(call: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """A tool call, of either spelling."""
    at = f"/input/{len(out)}"
    item: Wire = {"type": "custom_tool_call" if call.custom else "function_call"}
    if (id := d.call_id(call, path, at)) is not None:
        item["call_id"] = id
    item["name"] = call.name if d.exact else d.tool_name(call.name, path, LONGEST_NAME)
    item["input" if call.custom else "arguments"] = call.arguments
    if call.custom and "call_id" in item:
        d.custom_calls.add(item["call_id"])
    d.drop_fields(call, path, "cache_control")
    d.drop_unplaced(call, path)
    if call.provider_data is not None:
        d.lay_provider_data(call, item, path)
    _append(item, path, out, d)
