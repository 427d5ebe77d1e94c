"""Load and dump items: a run of the assistant's items is one message, and every other item is one message.

In the assistant's message, each part of a reasoning item or message item becomes a part, and the parts of one item stay
together. Two adjacent items remain separate if their parts would be out of order in one item; otherwise the first part of the
second is recorded as the beginning of a `new` item. A call is one part. An item without a canonical form is kept whole: as a
part, if the model or the provider's server made it, and otherwise as a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import groupby
from typing import Any, TypeAlias

from ...codec.carrying import is_unreadable, issuer_of, unreadable
from ...codec.dump import NOTHING_LEFT
from ...codec.fields import Content, FieldReader, Wire, spelling
from ...codec.hosted.server_calls import ServerCall, foreign_call
from ...codec.readable import send_as_text
from ...model.base import Json
from ...model.messages import content_of, pieces_of
from ...model.parts import TextPart
from .base import FAMILY, ISSUER, LONGEST_NAME, RESPONSE_ONLY, ItemsDump
from .drawing import as_drawn
from .parts import PART_FIELDS, dump_part, is_of_item, keep_whole, lay_fields, load_part, spell_fields
from .wire import id_field, is_message

Pointed: TypeAlias = tuple[str, Any]
"""A part, a call or a text of a message, with its pointer."""
Pointers: TypeAlias = list[tuple[str, dict[str, Any]]]
"""The parts that an item becomes, each with its pointer inside the item."""


# From items to messages


def load_messages(items: Sequence[Wire]) -> list[dict[str, Any]]:
    """Load the messages of validated items."""
    calls: dict[str, str] = {}
    messages: list[dict[str, Any]] = []
    for start, run in grouped(items):
        if not run:
            messages.append(_load_given(items[start], calls))
            continue
        messages.append(load_run(run, start)[0])
        for item in run:
            id: Json = item.get(id_field(item))
            kind: Json = item.get("type")
            if type(id) is str and id and type(kind) is str and kind.endswith("_call"):
                calls[id] = kind
    return messages


def grouped(items: Iterable[Wire]) -> list[tuple[int, list[Wire]]]:
    """For each message, the index of its first item, and the run of the assistant's items there; empty for any other item."""
    found: list[tuple[int, list[Wire]]] = []
    run: list[Wire] = []
    for at, item in enumerate(items):
        if not is_assistant_item(item):
            found.append((at, []))
            run = []
        elif run:
            run.append(item)
        else:
            run = [item]
            found.append((at, run))
    return found


def is_assistant_item(item: Wire) -> bool:
    """Whether an item belongs to the assistant's turn."""
    kind: Json = item.get("type")
    if kind is None or kind == "message":
        return item.get("role") == "assistant" and is_message(item)
    if type(kind) is not str or kind in _GIVEN:
        return False
    if kind == "tool_search_output":
        return item.get("execution") == "server"
    return kind == "program_output" or not kind.endswith(("_output", "_response"))


_GIVEN = frozenset({"item_reference", "additional_tools", "configuration_update", "compaction_trigger"})
"""Types of items that clients make, besides messages, outputs of their tools and their answers."""


def load_run(run: Sequence[Wire], start: int) -> tuple[dict[str, Any], list[str]]:
    """Load the assistant's items from `start` as a message; if it is not one text, also return the pointers of its parts."""
    first = run[0]
    if len(run) == 1 and type(first.get("content")) is str and is_message(first):
        return _load_message(first), []
    parts: list[dict[str, Any]] = []
    pointers: list[str] = []
    for at, item in enumerate(run, start):
        for pointer, part in load_assistant_item(item, parts[-1] if parts else None):
            parts.append(part)
            pointers.append(f"/input/{at}{pointer}")
    return {"role": "assistant", "content": parts}, pointers


def _load_message(wire: Wire) -> dict[str, Any]:
    """Load the message in a single item."""
    role: str = wire["role"]
    out = {"role": role, "content": _load_content(wire["content"], role)}
    reader = FieldReader(wire, *out)
    if reader.take("type") is not None:
        reader.spelling["item_type"] = "message"
    return reader.keep(out, FAMILY)


def _load_content(content: str | list[Wire], role: str) -> str | list[dict[str, Any]]:
    return content if isinstance(content, str) else [load_part(part, role) for part in content]


def _load_given(item: Wire, calls: Mapping[str, str]) -> dict[str, Any]:
    """Load an item that the assistant did not make; `calls` has the types of the calls before it by their ids."""
    if is_message(item):
        return _load_message(item)
    id: Json = item.get("call_id")
    call = calls.get(id, FUNCTION_CALL) if type(id) is str else FUNCTION_CALL
    if (kind := item.get("type")) not in OUTPUTS or call not in CALLS:  # a call that is kept whole takes its output along
        return {"role": "opaque", "format": FAMILY, "value": item}
    reader = FieldReader(item, "type", "output")
    out: dict[str, Any] = {"role": "tool", "content": _load_content(item["output"], "tool")}
    reader.move_typed(out, str, "name", call_id="tool_call_id")
    if kind != FUNCTION_OUTPUT or call != FUNCTION_CALL:
        reader.spelling["item_type"] = kind
    return reader.keep(out, FAMILY)


FUNCTION_CALL = "function_call"
CALLS = (FUNCTION_CALL, "custom_tool_call")
"""The types of the calls of functions and of custom tools."""
FUNCTION_OUTPUT = "function_call_output"
CUSTOM_OUTPUT = "custom_tool_call_output"
OUTPUTS = (FUNCTION_OUTPUT, CUSTOM_OUTPUT)
"""The types of the outputs of functions and of custom tools."""


# Items of the assistant


def load_assistant_item(item: Wire, before: dict[str, Any] | None) -> Pointers:
    """Load an item of the assistant as parts, each with its pointer inside the item; `before` is the part before them."""
    load = ASSISTANT_LOADERS.get(item.get("type", ""))
    made = load(item) if load is not None else _load_assistant_message(item) if is_message(item) else _load_opaque(item)
    if before is not None and _joins(_rank(before), _rank(made[0][1])):
        _spell(made[0][1], "item", "new")
    return made


def _rank(part: dict[str, Any]) -> int:
    return rank_of(part["type"], part.get("summary"), part.get("wire", {}).get("spelling", {}).get("opaque"))


def rank_of(kind: str, summary: bool | None, place: str | None) -> int:
    """0 for a part of a message, 1 to 3 for the parts of a reasoning item in their order, -1 for a part that is an item itself.

    `place` tells whether an opaque part is in the content of a message.
    """
    if kind == "thinking":
        return 1 if summary else 2
    if kind == "redacted_thinking":
        return 3
    return -1 if kind == "tool_use" or (kind == "opaque" and place is None) else 0


def _joins(before: int, rank: int) -> bool:
    """Whether a part joins the item of the part before it."""
    if before == 0:
        return rank == 0
    return 1 <= before <= rank and before != 3


def _spell(part: dict[str, Any], key: str, word: str) -> None:
    part.setdefault("wire", {}).setdefault("spelling", {})[key] = word


def _with_fields(made: Pointers, rest: Wire, item: Wire) -> Pointers:
    """Add the item's fields to the first of its parts; if a part has a field of the same name, the item is kept whole."""
    if not rest:
        return made
    overlay: Wire = made[0][1].setdefault("provider_data", {}).setdefault(FAMILY, {})
    if not rest.keys().isdisjoint({"text", "refusal", *PART_FIELDS, *overlay, *made[0][1].get("value", ())}):
        return _load_opaque(item)
    overlay |= rest
    return made


def _load_opaque(item: Wire) -> Pointers:
    return [("", keep_whole(item))]


def _load_assistant_message(item: Wire) -> Pointers:
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
    first = made[0][1]
    form = "text" if type(content) is str else "list"
    kind = item.get("type", "absent")
    made = _with_fields(made, {key: value for key, value in item.items() if key not in ("type", "role", "content")}, item)
    if form != usual_form(first.keys(), len(made)):
        _spell(first, "content", form)
    if kind != _USUAL_TYPES[form]:
        _spell(first, "item_type", kind or "null")
    return made


_USUAL_TYPES = {"text": "absent", "list": "message"}
"""The usual type of a message item of one text, and of one with a list."""


def usual_form(given: AbstractSet[str], count: int) -> str:
    """The usual form of a message with this many parts, whose first has these fields: one text or a list."""
    return "text" if count == 1 and "text" in given and given <= _BARE_TEXT else "list"


_BARE_TEXT = frozenset({"type", "text", "wire"})


def _load_reasoning(item: Wire) -> Pointers:
    made: Pointers = []
    fields = FieldReader(item, "type")
    for key, (kind, more) in _REASONING.items():
        parts: Json = item.get(key)
        if type(parts) is not list or not (parts or key == "summary"):
            continue
        if not all(type(part) is dict and _is_reasoning(part, kind) for part in parts):
            return _load_opaque(item)
        fields.know(key)
        for i, part in enumerate(parts):
            reader = FieldReader(part, "type", "text")
            spell_fields(reader)
            if part["type"] != kind:
                reader.spelling["text_type"] = part["type"]
            made.append((f"/{key}/{i}", reader.keep({"type": "thinking", "thinking": part["text"], **more}, FAMILY)))
    if data := fields.take("encrypted_content", str):
        made.append(("/encrypted_content", {"type": "redacted_thinking", "data": data, "issuer": issuer_of(data, ISSUER)}))
    if not made:
        return _load_opaque(item)
    if type(item.get("summary")) is not list:
        _spell(made[0][1], "summary", "absent")
    if data == "":
        _spell(made[0][1], "encrypted_content", "empty")
    return _with_fields(made, fields.rest, item)


def _is_reasoning(part: Wire, kind: str) -> bool:
    """Whether a part is a text of this type, or reasoning that is only called text, as Codex reads it, too."""
    known = part.get("type") == kind or (part.get("type") == "text" and kind == "reasoning_text")
    return known and type(part.get("text")) is str


_REASONING: dict[str, tuple[str, dict[str, Any]]] = {
    "summary": ("summary_text", {"summary": True}),
    "content": ("reasoning_text", {}),
}


def _load_call(item: Wire) -> Pointers:
    reader = FieldReader(item, "type")
    custom = item["type"] == "custom_tool_call"
    out: dict[str, Any] = {"type": "tool_use"} | ({"custom": True} if custom else {})
    out["input"] = reader.take("input" if custom else "arguments")
    if (field := id_field(item)) == "id":
        reader.spelling["call_id"] = "null" if "call_id" in item else field
        reader.know("call_id")
    reader.move(out, "name", **{field: "id"})
    return [("", reader.keep(out, FAMILY))]


ASSISTANT_LOADERS = {"reasoning": _load_reasoning, "function_call": _load_call, "custom_tool_call": _load_call}
"""The loader of each type of assistant item that has a canonical form, except messages."""


# From messages to items


def write(messages: Sequence[Any], start: int, out: list[Wire], base: ItemsDump) -> None:
    """Append the items of the messages from `start`."""
    # Messages before `start` may have written nothing. If the last item is the assistant's, one of these two roles wrote it.
    earlier = (messages[i] for i in range(start - 1, -1, -1))
    before: Any = next((message for message in earlier if message.role in ("assistant", "opaque")), None)
    for i in range(start, len(messages)):
        message = messages[i]
        path = f"/messages/{i}"
        d = base.rules_for(message)
        count = len(out)
        if message.role == "opaque":
            _write_opaque(message, "message", path, out, d)
            before = message
            continue
        if message.role == "assistant":
            write_assistant(message, path, out, d)
            if before is not None and _joins_turn(before, out, count, base, d):
                d.report("changed", path, None, "the Responses API joins consecutive items of the assistant into one turn")
        elif message.role == "tool":
            _write_result(message, path, out, d)
        else:
            _write_given(message, path, out, d)
        if len(out) == count:
            d.drop(path, NOTHING_LEFT)
        else:
            before = message


def _joins_turn(before: Any, out: list[Wire], count: int, base: ItemsDump, d: ItemsDump) -> bool:
    """Whether a message's items, from index `count`, would be loaded as one message with the items of the message before."""
    if before.role != "assistant" or d.exact or base.rules_for(before).exact:
        return False
    if not (len(out) > count > 0 and is_assistant_item(out[count - 1])):
        return False
    return not (is_message(out[count]) and out[count].get("content"))  # a text stays a text, although both are in one turn


def _append(item: Wire, path: str, out: list[Wire], d: ItemsDump) -> None:
    d.places[d.place(out)] = path
    out.append(item)


def _write_opaque(owner: Any, what: str, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append an item that was kept whole; if it comes from a response, without what must not be sent back."""
    called = foreign_call(owner, d) if what == "part" else None
    item = d.own_value(owner, path, what) if called is None else _write_run(called, owner, path, d.place(out), d)
    if item is None:
        return
    for key in [key for key in item if key in RESPONSE_ONLY] if d.from_response else ():
        del item[key]
        d.report("response_only", f"{path}/value/{key}", None, f"requests must not have `{key}`, which only responses have")
    _append(item, path, out, d)


def _write_run(called: ServerCall, part: Any, path: str, at: str, d: ItemsDump) -> Wire | None:
    from .server_calls import write_call  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return write_call(called, part, path, at, d)


# Messages to the assistant


def _write_given(message: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Dump a message of the user or the application; each tool result in it is an item."""
    role = message.role
    content = message.content
    if role == "text":
        d.report("changed", path, d.place(out), "the Responses API has no completion-style text: it becomes a user message")
        role = "user"
    if type(content) is str or (d.exact and not content):
        _append_message(message, {"role": role, "content": content if type(content) is str else []}, path, out, d)
        return
    framed = False
    for is_result, run in groupby(pieces_of(content, path), lambda piece: piece[1].type == "tool_result"):
        if is_result:
            for where, part in run:
                _write_result(part, where, out, d)
        elif parts := _write_parts(run, d.place(out) + "/content", d, role):
            item = {"role": role, "content": parts}
            if framed:
                _append(item, path, out, d)
            else:
                _append_message(message, item, path, out, d)
            framed = True
    if not framed:
        drop_frame(message, path, d)


def _write_parts(pieces: Iterable[Pointed], at: str, d: ItemsDump, role: str, item: Wire | None = None) -> list[Wire]:
    """Dump these as content parts, without those that have no place."""
    parts: list[Wire] = []
    for where, part in pieces:
        if (made := dump_part(part, where, f"{at}/{len(parts)}", d, role, item)) is not None:
            parts.append(made)
    return parts


def _append_message(message: Any, item: Wire, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append the item of a message, with the message's other fields."""
    if d.exact and spelling(message, "item_type") == "message":
        item["type"] = "message"
    if message.name is not None or message.cache_control is not None or message.provider_data is not None:
        d.drop_named(message, path, "name", "cache_control")
        d.lay_provider_data(message, item, path)
    _append(item, path, out, d)


def drop_frame(message: Any, path: str, d: ItemsDump) -> None:
    """Report the fields of a message besides its content, if no item has a place for them."""
    if message.name is not None or message.cache_control is not None or message.provider_data is not None:
        d.drop_named(message, path, "name", "cache_control")
        d.drop_fields(message, path)


def _write_result(owner: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append a tool result from a tool message or from a part."""
    at = d.place(out)
    id, named = d.result_id(owner, path, at)
    spelled = spelling(owner, "item_type") if d.exact else None
    kind = spelled or (CUSTOM_OUTPUT if id in d.custom_calls else FUNCTION_OUTPUT)
    item: Wire = {"type": kind} if id is None else {"type": kind, "call_id": id}
    if owner.name is not None and (d.exact or kind == FUNCTION_OUTPUT):
        item["name"] = owner.name if d.exact else d.tool_name(d.full_name(owner, path), path, LONGEST_NAME)
    elif owner.name is not None and not named:
        d.drop(path + "/name", "the outputs of custom tools have no `name` field")
    content: Content = owner.content
    if isinstance(content, str):
        item["output"] = content
    else:
        parts = _write_parts(pieces_of(content, path), at + "/output", d, "tool")
        item["output"] = parts if parts or d.exact else ""
    d.drop_error_flag(owner, path)
    d.drop_named(owner, path, "cache_control")
    if "role" not in vars(owner):
        d.drop_unplaced(owner, path)
    d.lay_provider_data(owner, item, path)
    _append(item, path, out, d)


# Messages of the assistant


def _as_part(piece: Any) -> Any:
    return TextPart(text=piece) if type(piece) is str else piece


def write_assistant(message: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append the items of an assistant message."""
    content = message.content
    has_reasoning = message.reasoning_content is not None or message.thinking_blocks
    has_more = has_reasoning or message.tool_calls or message.refusal is not None
    if type(content) is str and not has_more:
        d.places[d.place(out) + "/content"] = path + "/content"  # it may be loaded as one part of several
        _append_message(message, {"role": "assistant", "content": content}, path, out, d)
        return
    pieces = content_of(message, path)
    if type(content) is str:
        pieces = [(where, _as_part(piece)) for where, piece in pieces]
    for run in _items_of(pieces if d.exact else _placed(pieces, d)):
        write_item(run, path, out, d)
    if d.unanswered:
        d.drop_unanswered()
    drop_frame(message, path, d)


def write_item(run: Sequence[Pointed], path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append the item of these parts of the message at `path`; if they have no place, that is reported."""
    where, first = run[0]
    rank = _rank_of(first)
    if rank == 0:
        _write_message(run, path, out, d)
    elif rank > 0:
        _write_reasoning(run, path, out, d)
    elif "value" in vars(first):
        _write_opaque(first, "part", where, out, d)
    else:
        _write_call(first, where, out, d)


def _placed(pieces: Iterable[Pointed], d: ItemsDump) -> Iterator[Pointed]:
    """The pieces to write; reasoning and opaque parts that cannot be sent are left out, with a report, and separate nothing."""
    for where, piece in pieces:
        rank = _rank_of(piece)
        if rank > 0 and (refused := _refusal_of(piece, d)) is not None:
            d.drop(where, refused)
        elif rank < 0 and _is_foreign(piece) and not _is_carried(piece, where, d):
            if (text := send_as_text(piece, where, None, d)) is not None:
                yield where, TextPart(text=text)
            else:
                d.drop(where, d.no_place_for(piece, "part"))
        else:
            yield where, as_drawn(piece, where, d) if d.is_response else piece


def _is_foreign(piece: Any) -> bool:
    """Whether a part is opaque, and another provider's."""
    return "value" in vars(piece) and piece.format != FAMILY


def _is_carried(piece: Any, where: str, d: ItemsDump) -> bool:
    """Whether a part belongs to a search of tools, or to another call that another provider's server ran."""
    return d.is_searched(where) or foreign_call(piece, d) is not None


def _items_of(pieces: Iterable[Pointed]) -> Iterator[list[Pointed]]:
    """Group the pieces of a message by item."""
    run: list[Pointed] = []
    for pointed in pieces:
        if run and begins_item(run[-1][1], pointed[1]):
            yield run
            run = []
        run.append(pointed)
    if run:
        yield run


def begins_item(before: Any, piece: Any) -> bool:
    """Whether a part begins a new item: it has an item's fields, is recorded so, or is out of order."""
    if not _joins(_rank_of(before), _rank_of(piece)):
        return True
    return _has_item(piece) or spelling(piece, "item") == "new"


def _has_item(piece: Any) -> bool:
    """Whether a part has fields of the item that begins with it."""
    overlays: Wire = piece.provider_data or {}
    return any(is_of_item(piece, key) for key in overlays.get(FAMILY, ()))


def _rank_of(piece: Any) -> int:
    fields: Wire = piece.__dict__  # a flat call has no type
    return rank_of(fields.get("type", "tool_use"), fields.get("summary"), spelling(piece, "opaque"))


def _write_message(run: Sequence[Pointed], path: str, out: list[Wire], d: ItemsDump) -> None:
    at = d.place(out)
    first = run[0][1]
    item: Wire = {"role": "assistant", "content": []}
    parts = item["content"] = _write_parts(run, at + "/content", d, "assistant", item)
    if not parts:
        return
    if not d.exact:
        is_bare = len(item) == 2 and parts == [{"type": "output_text", "text": parts[0].get("text"), "annotations": []}]
        form, kind = ("text", "absent") if is_bare else ("list", "message")
    else:
        usual = spelling(first, "content") or usual_form(first.model_fields_set, len(run))
        form = "list" if len(parts) > 1 or len(parts[0]) > 2 else usual
        kind = spelling(first, "item_type") or _USUAL_TYPES[form]
    if form == "text" and "text" in parts[0]:
        item["content"] = parts[0]["text"]
        d.places[at + "/content"] = d.places.pop(at + "/content/0")
    if kind != "absent":
        item = {"type": None if kind == "null" else kind, **item}
    _append(item, path, out, d)


def _write_reasoning(run: Sequence[Pointed], path: str, out: list[Wire], d: ItemsDump) -> None:
    at = d.place(out)
    item = _empty_reasoning(run[0][1], d)
    for pointer, part in run:
        if (refused := _refusal_of(part, d)) is not None:
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
            made |= {"type": (spelling(part, "text_type") if d.exact else None) or kind, "text": part.thinking}
            item[key].append(made)
            if not part.summary and not as_text:
                d.report("changed", pointer, here, "the Responses API takes reasoning as a summary; sent as one")
        d.places[here] = pointer
        d.drop_named(part, pointer, "cache_control", "signature")
        if part.provider_data is not None:
            lay_fields(part, made, item, pointer, d)
    if len(item) > 2 or item.get("summary") or d.exact:
        _append(item, path, out, d)


def _empty_reasoning(first: Any, d: ItemsDump) -> Wire:
    """An item of reasoning without its parts, of which `first` has the record of how the item was spelled."""
    item: Wire = {"type": "reasoning", "summary": []}
    if d.exact and spelling(first, "summary") == "absent":
        del item["summary"]
    if d.exact and spelling(first, "encrypted_content") == "empty":
        item["encrypted_content"] = ""
    return item


def _refusal_of(part: Any, d: ItemsDump) -> str | None:
    """Why reasoning in a part is not sent."""
    # An empty signature is that of a host which signs nothing.
    is_text = part.type == "thinking" and (d.is_response or part.signature == "")
    if is_unreadable(part, d) and not is_text:
        return unreadable(part)
    is_empty = part.type == "thinking" and not part.thinking and not d.exact
    return "empty reasoning is left out" if is_empty else None


def _write_call(call: Any, path: str, out: list[Wire], d: ItemsDump) -> None:
    """Append a tool call, of either spelling."""
    item: Wire = {"type": "custom_tool_call" if call.custom else "function_call"}
    if (id := d.call_id(call, path, d.place(out))) is not None:
        d.lay_id(item, call, id)
    item["name"] = call.name if d.exact else d.tool_name(d.full_name(call, path), path, LONGEST_NAME)
    item["input" if call.custom else "arguments"] = call.arguments
    d.drop_named(call, path, "cache_control")
    d.drop_unplaced(call, path)
    d.lay_provider_data(call, item, path)
    _append(item, path, out, d)
