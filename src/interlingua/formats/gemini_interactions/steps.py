"""Load steps: a run of the model's steps is one message, and every other step is one message.

In the model's message, each content of a model output becomes a part, and every other step is one part. If two model outputs
follow one another, the first part of the second is recorded as the beginning of a `new` step. A step without a canonical
form, such as a search that Google runs, is kept whole as a part. The API's first version has turns in place of steps, with
content, thoughts, calls and results in one list: such a message is recorded as a `turn`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from ...codec.arguments import fit_arguments
from ...codec.carrying import issuer_of, unreadable
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...model.base import Json
from .base import FAMILY, ISSUER, LONGEST_NAME, InteractionsDump, keep_whole
from .parts import PART_FIELDS, load_part
from .wire import CONTENT_TYPES, is_turn

Pointers: TypeAlias = list[tuple[str, dict[str, Any]]]
"""The parts that a step becomes, each with its pointer inside the step."""

# From steps to messages


def load_messages(items: Sequence[Wire]) -> list[dict[str, Any]]:
    """Load the messages of validated steps, of user content among the steps, and of turns."""
    return [load_run(run, start)[0] if run else _load_given(items[start]) for start, run in grouped(items)]


def grouped(items: Iterable[Wire]) -> list[tuple[int, list[Wire]]]:
    """For each message, the index of its first step, and the run of the model's steps there; empty for any other step."""
    found: list[tuple[int, list[Wire]]] = []
    run: list[Wire] = []
    for at, item in enumerate(items):
        if not is_model_step(item):
            found.append((at, []))
            run = []
        elif run:
            run.append(item)
        else:
            run = [item]
            found.append((at, run))
    return found


def is_model_step(item: Wire) -> bool:
    """Whether a step belongs to the model's turn, as steps of tools that Google runs do too."""
    kind: Json = item.get("type")
    return type(kind) is str and kind not in ("user_input", "function_result", *CONTENT_TYPES)


def load_run(run: Sequence[Wire], start: int) -> tuple[dict[str, Any], list[str]]:
    """Load the model's steps from `start` as a message; also return the pointers of its parts."""
    parts: list[dict[str, Any]] = []
    pointers: list[str] = []
    for at, item in enumerate(run, start):
        for pointer, part in load_step(item, parts[-1] if parts else None):
            parts.append(part)
            pointers.append(f"/input/{at}{pointer}")
    return {"role": "assistant", "content": parts}, pointers


def _load_given(item: Wire) -> dict[str, Any]:
    """Load a message of the user or the application, or a turn."""
    kind = item.get("type")
    if kind == "function_result":
        return _load_result(item, {"role": "tool"}, "tool_call_id")
    if kind == "user_input":
        return _load_user(item)
    return _load_turn(item) if is_turn(item) else {"role": "opaque", "format": FAMILY, "value": item}


def _load_user(item: Wire) -> dict[str, Any]:
    reader = FieldReader(item, "type", "content")
    content: list[Wire] | None = item.get("content")
    if content is None:
        reader.spelling["content"] = "null" if "content" in item else "absent"
    return reader.keep({"role": "user", "content": load_content(content or (), "user")}, FAMILY)


def load_content(content: Iterable[Wire], role: str) -> list[dict[str, Any]]:
    """Load content as parts."""
    return [load_part(part, role) for part in content]


def _load_result(item: Wire, out: dict[str, Any], id: str) -> dict[str, Any]:
    """Load a function's result as a message or a part, in which the field `id` has the id of the call."""
    reader = FieldReader(item, "type", "result")
    result: Json = item["result"]
    if type(result) is list:
        out["content"] = load_content(result, "tool")
    else:
        out["content"] = [{"type": "json", "value": result}] if type(result) is dict else result
    reader.move(out, "name", "is_error", call_id=id)
    return reader.keep(out, FAMILY)


# Steps of the model


def load_step(item: Wire, before: dict[str, Any] | None) -> Pointers:
    """Load a step of the model as parts, each with its pointer inside the step; `before` is the part before them."""
    if item["type"] != "model_output":
        return [("", load_single(item))]
    content: list[Wire] = item.get("content") or []
    made = [(f"/content/{i}", load_part(part, "assistant")) for i, part in enumerate(content)]
    if not made:
        return [("", keep_whole(item))]
    for _, part in made:
        if part["type"] == "opaque":
            _spell(part, "opaque", "content")
    first = made[0][1]
    rest = {key: value for key, value in item.items() if key not in ("type", "content")}
    if rest:
        overlay: Wire = first.setdefault("provider_data", {}).setdefault(FAMILY, {})
        if first["type"] == "opaque" or not rest.keys().isdisjoint({"text", *PART_FIELDS, *overlay}):
            return [("", keep_whole(item))]
        overlay |= rest
    if before is not None and _rank(before) == 0:
        _spell(first, "item", "new")
    return made


def load_single(item: Wire) -> dict[str, Any]:
    """Load a step of the model that is a single part."""
    kind = item["type"]
    if kind == "thought":
        return _load_thought(item)
    return _load_call(item) if kind == "function_call" else keep_whole(item)


def _rank(part: dict[str, Any]) -> int:
    return rank_of(part["type"], part.get("wire", {}).get("spelling", {}).get("opaque"))


def rank_of(kind: str, place: str | None) -> int:
    """0 for a part of a model output, -1 for a part that is a step itself; `place` tells which of these an opaque part is."""
    return -1 if kind in ("thinking", "redacted_thinking", "tool_use") or (kind == "opaque" and place is None) else 0


def _spell(part: dict[str, Any], key: str, word: str) -> None:
    part.setdefault("wire", {}).setdefault("spelling", {})[key] = word


def _load_thought(item: Wire) -> dict[str, Any]:
    """Load a thought; its summary is usually one text, and otherwise the lengths of its texts are recorded."""
    reader = FieldReader(item, "type")
    summary: list[Wire] | None = item.get("summary")
    out: dict[str, Any] = {"type": "thinking", "thinking": ""}
    if summary is not None:
        if not all(is_bare_text(part) for part in summary):
            return keep_whole(item)
        reader.know("summary")
        texts: list[str] = [part["text"] for part in summary]
        out["thinking"] = "".join(texts)
        if len(texts) != 1 or not texts[0]:
            reader.spelling["texts"] = " ".join(map(str, map(len, texts))) or "none"
    if (signature := reader.take("signature", str)) is not None:
        out |= {"signature": signature, "issuer": issuer_of(signature, ISSUER)}
    return reader.keep(out, FAMILY)


def is_bare_text(part: Wire) -> bool:
    """Whether a part of a summary is nothing but text."""
    return part.keys() == {"type", "text"} and part["type"] == "text" and type(part["text"]) is str


def dump_thought(part: Any, path: str, at: str, d: InteractionsDump) -> Wire | None:
    """Dump a thought; None, with a report, for reasoning that tells the model nothing."""
    signature: str | None = part.signature
    if signature is not None and not part.thinking and d.is_foreign(part.issuer):
        return d.refuse(path, unreadable(part))
    if signature is not None:
        signature = d.sent_signature(part, path)
    if not (part.thinking or signature is not None or d.exact):
        return d.refuse(path, "empty reasoning is left out")
    out: Wire = {"type": "thought"}
    if signature is not None:
        out["signature"] = signature
    lengths = spelling(part, "texts") if d.exact else None
    if part.thinking or lengths is not None:
        texts = _texts_of(part.thinking, lengths)
        out["summary"] = [{"type": "text", "text": text} for text in texts]
    if part.summary is not None:
        d.report("changed", path, at, "the Interactions API does not distinguish summaries from other reasoning")
    d.places[at] = path
    d.drop_named(part, path, "cache_control")
    d.lay_provider_data(part, out, path)
    return out


def _texts_of(text: str, lengths: str | None) -> list[str]:
    """Cut a summary into its texts by the recorded lengths; if it has changed, it is one text."""
    if lengths is None or (lengths == "none" and text):
        return [text]
    texts: list[str] = []
    at = 0
    for length in () if lengths == "none" else lengths.split():
        end = at + int(length) if length.isdecimal() and len(length) < _DIGITS else len(text) + 1
        texts.append(text[at:end])
        at = end
    return texts if at == len(text) else [text]


_DIGITS = 12


def _load_call(item: Wire) -> dict[str, Any]:
    reader = FieldReader(item, "type", "arguments")
    arguments: Wire | None = item.get("arguments")
    if arguments is None:
        reader.spelling["arguments"] = "null" if "arguments" in item else "absent"
    out: dict[str, Any] = {"type": "tool_use", "input": {} if arguments is None else arguments}
    reader.move(out, "id", "name")
    return reader.keep(out, FAMILY)


def dump_call(call: Any, path: str, at: str, d: InteractionsDump) -> Wire:
    """Dump a call of a function, of either spelling."""
    out: Wire = {"type": "function_call"}
    if (id := d.call_id(call, path, at)) is not None:
        out["id"] = id
    given: Any = call.input if "input" in vars(call) else call.arguments
    if d.exact:
        out["name"] = call.name
        word = spelling(call, "arguments") if given in ({}, "{}") else None  # the argument text comes from a stream
        if word != "absent":
            out["arguments"] = None if word == "null" else copy_wire(given)
    else:
        out["name"] = d.tool_name(d.full_name(call, path), path, LONGEST_NAME)
        out["arguments"] = fit_arguments(call, given, path, f"{at}/arguments", d)
        d.drop_unplaced(call, path)
    d.places[at] = path
    d.drop_named(call, path, "cache_control")
    d.lay_provider_data(call, out, path)
    return out


# Turns


def load_flat(wire: Wire, role: str) -> dict[str, Any]:
    """Load an item in the list of a turn, or of a response without steps."""
    kind = wire["type"]
    if kind == "function_result":
        return keep_whole(wire) if role == "assistant" else _load_result(wire, {"type": "tool_result"}, "tool_use_id")
    if kind in ("thought", "function_call"):
        return load_single(wire) if role == "assistant" else keep_whole(wire)
    return load_part(wire, role)


def _load_turn(item: Wire) -> dict[str, Any]:
    reader = FieldReader(item, "role", "content")
    role = "user" if item["role"] == "user" else "assistant"
    content: str | list[Wire] = item["content"]
    reader.spelling["item_type"] = "turn"
    if isinstance(content, str):
        reader.spelling["content"] = "text"
        content = [{"type": "text", "text": content}]
    return reader.keep({"role": role, "content": [load_flat(part, role) for part in content]}, FAMILY)
