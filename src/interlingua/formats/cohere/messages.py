"""Load and dump messages: each `dump_x` undoes its `load_x`.

An assistant message has its reasoning and its text in `content`, a plan before its calls in `tool_plan`, and the calls in
`tool_calls`. The plan is reasoning: Cohere describes it as a "chain-of-thought style reflection and plan", and the templates
that it publishes for its models put it between the tokens for thinking. So it is loaded as a thinking part before all other
parts, with a record of its field; other providers get it in their form of reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.dump import NOTHING_LEFT
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.one_by_one import Writers, dump_each
from ...model.messages import content_of, piece_kind, pieces_of
from ...model.parts import TextPart, to_json
from .base import FAMILY, LONGEST_NAME, PLAN, CohereDump, is_plan, own_data
from .citations import add_rest, dump_citations, load_citations
from .parts import Pointed, dump_part, finish_part, load_content, load_part

# Messages to the assistant


def load_message(wire: Wire) -> dict[str, Any]:
    """Load a validated message; one of an unknown role is kept whole."""
    role: str = wire["role"]
    if role == "assistant":
        return load_assistant(wire)
    if role not in ("system", "user", "tool"):
        return {"role": "opaque", "format": FAMILY, "value": wire}
    fields = FieldReader(wire, "role", "content")
    out = {"role": role, "content": load_content(wire["content"], role)}
    if role == "tool":
        fields.move(out, "tool_call_id")
    return fields.keep(out, FAMILY)


def dump_messages(messages: Sequence[Any], start: int, out: list[Wire], base: CohereDump) -> None:
    """Append the wire forms of the messages from `start`."""
    dump_each(messages, start, out, base, _WRITERS)


_ROLES = {
    "developer": ("system", "Cohere has no developer role: it becomes a system message"),
    "text": ("user", "Cohere has no completion-style text: it becomes a user message"),
}
"""For each role that Cohere lacks, the role that replaces it, and the text that is reported."""


def _dump_given(message: Any, path: str, at: str, d: CohereDump) -> Wire | None:
    """Dump a message of the user or the application."""
    role: str = message.role
    if role in _ROLES:
        role, why = _ROLES[role]
        d.report("changed", path, at, why)
    content: Any = message.content
    if type(content) is str:
        d.places[at + "/content"] = path + "/content"
    else:
        content = _dump_parts(pieces_of(content, path), at, d, role)
        if not content and not d.exact:
            return d.refuse(path, NOTHING_LEFT)
    out: Wire = {"role": role, "content": content}
    _dump_frame(message, out, path, d)
    return out


def _dump_frame(message: Any, out: Wire, path: str, d: CohereDump) -> None:
    """Write and report the fields of a message besides its content."""
    d.drop_named(message, path, "name", "cache_control")
    if message.provider_data is not None:
        d.lay_provider_data(message, out, path)


def _dump_parts(pieces: Pointed, at: str, d: CohereDump, role: str) -> list[Wire]:
    """Dump these as content parts, without those that have no place."""
    written: list[Wire] = []
    for path, part in pieces:
        made = dump_part(part, path, f"{at}/content/{len(written)}", d, role)
        if made is not None:
            written.append(made)
    return written


# Results


def _dump_rest(message: Any, rest: Pointed, path: str, at: str, d: CohereDump) -> Wire | None:
    """Dump a user message without its tool results."""
    content = _dump_parts(rest, at, d, "user")
    if not content:
        d.drop_named(message, path, "name", "cache_control")
        d.drop_fields(message, path)
        return None
    made: Wire = {"role": "user", "content": content}
    _dump_frame(message, made, path, d)
    return made


def _dump_result(owner: Any, path: str, at: str, d: CohereDump) -> Wire:
    """Dump a tool result, from a tool message or from a part, as a message."""
    id, named = d.result_id(owner, path, at)
    out: Wire = {"role": "tool"} if id is None else {"role": "tool", "tool_call_id": id}
    content: Any = owner.content
    if type(content) is tuple:
        parts = _dump_parts(pieces_of(content, path), at, d, "tool")
        out["content"] = parts if parts or d.exact else ""
    else:
        out["content"] = content or ""
    if owner.name is not None and not named:
        d.drop(path + "/name", "Cohere's tool messages have no `name` field")
    d.drop_named(owner, path, "cache_control")
    d.drop_error_flag(owner, path)
    if "role" not in vars(owner):
        d.drop_unplaced(owner, path)
    d.lay_provider_data(owner, out, path)
    return out


# Messages of the assistant


def load_assistant(wire: Wire) -> dict[str, Any]:
    """Load an assistant message: its plan, its content and its calls become the parts of the message."""
    fields = FieldReader(wire)
    fields.take("role")
    out: dict[str, Any] = {"role": "assistant"}
    content = wire.get("content")
    plan = wire.get(PLAN)
    calls = wire.get("tool_calls")
    is_text = type(content) is str
    parts: list[dict[str, Any]] = []
    if is_text:
        parts = [{"type": "text", "text": content}]
    elif content:
        parts = [load_part(part, "assistant") for part in content]
    cited = load_citations(fields, parts)
    if not (plan or calls or cited):
        if "content" in wire:
            out["content"] = content if content is None or is_text else parts
            fields.know("content")
        return fields.keep(out, FAMILY)
    if is_text:
        parts[0]["wire"] = {"spelling": {"content": "text"}}
    if parts:
        fields.know("content")
    if plan:
        fields.know(PLAN)
        parts.insert(0, load_plan(plan))
    if calls:
        fields.know("tool_calls")
        parts += [load_call(call) for call in calls]
    out["content"] = parts
    return fields.keep(out, FAMILY)


def load_plan(text: str) -> dict[str, Any]:
    """Load the plan of a message as reasoning."""
    return {"type": "thinking", "thinking": text, "wire": {"spelling": {"place": PLAN}}}


def dump_assistant(message: Any, path: str, at: str, d: CohereDump) -> Wire | None:
    """Dump an assistant message; None, with a report, if nothing in it has a place."""
    out: Wire = {"role": "assistant"}
    pieces = content_of(message, path)
    if not pieces and message.content == "":
        pieces = [(path + "/content", "")]
    content, calls = _sort(pieces, out, at, d, own=_is_own(message, d))
    if calls:
        out["tool_calls"] = [dump_call(call, where, f"{at}/tool_calls/{i}", d) for i, (where, call) in enumerate(calls)]
    _dump_content(message, content, out, at, d)
    if len(out) == 1 and not d.exact and not d.is_response:
        return d.refuse(path, NOTHING_LEFT)
    if "citations" in out:
        add_rest(own_data(message).get("citations"), out)
    _dump_frame(message, out, path, d)
    return out


def _is_own(message: Any, d: CohereDump) -> bool:
    """Whether a message was loaded from Cohere's form, in which the order of content and calls has no meaning."""
    return d.exact or d.same_family or (message.wire is not None and message.wire.origin == d.target.name)


def _sort(pieces: Pointed, out: Wire, at: str, d: CohereDump, *, own: bool) -> tuple[Pointed, Pointed]:
    """Sort parts into the content and the calls; write the plan, and report parts that change their place."""
    content: Pointed = []
    calls: Pointed = []
    for where, given in pieces:
        piece: Any = TextPart(text=given) if type(given) is str else given
        kind = piece_kind(piece)
        if kind == "tool_use":
            calls.append((where, piece))
            continue
        if is_plan(piece) and PLAN not in out and own:
            out[PLAN] = piece.thinking
            d.places[f"{at}/{PLAN}"] = where
            finish_part(piece, {}, where, d)
            continue
        content.append((where, piece))
        if calls and not own and not _is_silent(piece):
            d.report("moved", where, None, "Cohere puts text and reasoning before the tool calls")
    return content, calls


def _is_silent(part: Any) -> bool:
    return part.type == "text" and not part.text


def _dump_content(message: Any, content: Pointed, out: Wire, at: str, d: CohereDump) -> None:
    """Write the content of an assistant message, and its citations."""
    content = [(where, part) for where, part in content if not is_left_out(part, where, d)]
    if not content:
        is_alone = not message.content and len(out) == 1
        if d.exact and "content" in message and is_alone:
            out["content"] = None if message.content is None else []
        return
    written: list[Wire] = []
    cited: list[Wire] = []
    where = at + "/content"
    for path, part in content:
        made = dump_part(part, path, f"{where}/{len(written)}", d, "assistant")
        if made is None:
            continue
        if part.type == "text" and part.citations:
            cited += dump_citations(part, path, len(written), d)
        written.append(made)
    if _is_string(message, content, written, d):
        out["content"] = written[0]["text"]
        d.places[where] = d.places.pop(where + "/0")
    elif written or d.exact:
        out["content"] = written
    if cited:
        out["citations"] = cited


def is_left_out(part: Any, path: str, d: CohereDump) -> bool:
    """Whether a part is an empty text by another provider, which is left out; its other fields are reported."""
    if d.exact or not _is_silent(part):
        return False
    if not part.model_fields_set <= {"type", "text", "wire"}:
        d.drop(path, "an empty text is left out")
    return True


def _is_string(message: Any, content: Pointed, written: list[Wire], d: CohereDump) -> bool:
    """Whether to write the content as a string: it is one text, and was loaded from a string."""
    if len(written) != 1 or len(content) != 1 or written[0].keys() != {"type", "text"}:
        return False
    if d.is_response and not d.exact:
        return False
    if type(message.content) is str:
        return True
    return spelling(content[0][1], "content") == "text" and (d.exact or d.same_family)


# Calls


_NO_ARGUMENTS = "{}"
"""The arguments of a call whose field for them is null or absent."""


def load_call(wire: Wire) -> dict[str, Any]:
    """Load a call of a function; its arguments stay text."""
    fields = FieldReader(wire)
    function = dict(wire["function"])
    out: dict[str, Any] = {"type": "tool_use"}
    fields.move(out, "id")
    out["name"] = function.pop("name")
    word = "null" if "arguments" in function else "absent"
    arguments = function.pop("arguments", None)
    out["input"] = _NO_ARGUMENTS if arguments is None else arguments
    if arguments is None:
        fields.spelling["arguments"] = word
    if wire.get("type") == "function":
        fields.know("type")
    else:
        fields.spelling["type"] = "other"
    fields.left("function", function)
    return fields.keep(out, FAMILY)


def dump_call(call: Any, path: str, at: str, d: CohereDump) -> Wire:
    """Dump a call, from a flat message or from a part."""
    d.places[at] = path
    out: Wire = {}
    id = d.call_id(call, path, at)
    if id is not None:
        out["id"] = id
    if not (d.exact and spelling(call, "type") == "other"):
        out["type"] = "function"
    function = out["function"] = {
        "name": call.name if d.exact else d.tool_name(d.full_name(call, path), path, LONGEST_NAME),
        "arguments": to_json({"input": call.arguments}) if call.custom else call.arguments,
    }
    word = spelling(call, "arguments") if d.exact and call.arguments == _NO_ARGUMENTS else None
    if word == "absent":
        del function["arguments"]
    elif word == "null":
        function["arguments"] = None
    if call.custom:
        d.report("changed", path, at, "Cohere has no custom tools: the call becomes a function call")
    if call.cache_control is not None:
        d.drop(path + "/cache_control", "Cohere has no cache marks")
    d.drop_unplaced(call, path)
    d.lay_provider_data(call, out, path)
    return out


_WRITERS = Writers(assistant=dump_assistant, result=_dump_result, given=_dump_given, rest=_dump_rest)
