"""Load and dump messages and their parts: each `dump_x` undoes its `load_x`.

The functions that write a part have one signature: the part, its pointer (`path`), the pointer in the output (`at`), the dump
with the rules for the part's message (`d`), and the role of that message. They return None, and report it, if the part has
no place there. If `d.exact` is true, the part is written as it was loaded; otherwise the rules of the API apply.
"""

from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.carrying import issuer_of, unreadable, why_silent
from ...codec.fields import Wire, copy_wire, spelling
from ...codec.hosted.code_runs import CodeRun
from ...codec.hosted.server_calls import foreign_call
from ...codec.ids import given_id
from ...codec.readable import readable_text, send_as_media, send_as_text
from ...codec.turns import Turns
from ...model.base import Json
from ...model.messages import pieces_of
from ...model.parts import to_json
from .base import FAMILY, OF_MODEL, ROLES, GeminiDump, WireReader, keep_whole, value_of
from .lone_parts import as_spelled
from .media import dump_media, load_media
from .spellings import spellings
from .stand_ins import is_stand_in, note_first_call

# Parts


def load_part(wire: Wire) -> dict[str, Any]:
    """Load a part; one without a canonical form is kept whole."""
    if len(wire) == 1 and type(wire.get("text")) is str:
        return {"type": "text", "text": wire["text"]}
    reader = WireReader(wire)
    out = next((load(reader) for member, load in _LOADERS.items() if value_of(wire, member) is not None), None)
    if out is None:
        return keep_whole(wire)
    if is_stand_in(signature := reader.take("thoughtSignature", str)):
        reader.spelling["stand_in"] = signature
    elif signature is not None:
        out |= {"signature": signature, "issuer": issuer_of(signature, FAMILY)}
    return reader.keep(out, FAMILY)


def dump_part(part: Any, path: str, at: str, d: GeminiDump, role: str) -> Wire | list[Wire] | None:
    """Dump a part; None, with a report, if it has no place there."""
    kind = part.type
    if role == "system" and kind not in ("text", "opaque") and not d.exact:
        return d.refuse(path, f"Gemini does not take {kind.replace('_', ' ')} parts in the system instruction")
    if kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    if kind == "redacted_thinking":
        return d.refuse(path, unreadable(part))
    if kind == "opaque" and role == "assistant" and isinstance(run := foreign_call(part, d), CodeRun):
        return _write_run(run, part, path, at, d)
    out: Wire | None
    if kind == "opaque":
        out = _dump_opaque(part, path, at, d, role)
    elif kind == "tool_result":
        out = dump_result(part, path, at, d)
    else:
        out = _WRITERS.get(kind, dump_media)(part, path, at, d, role)
    if out is None:
        return None
    d.places[at] = path
    finish(part, out, path, d)
    return out


def _write_run(run: CodeRun, part: Any, path: str, at: str, d: GeminiDump) -> list[Wire] | None:
    from .code_runs import write_run  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return write_run(run, part, path, at, d)


def _dump_opaque(part: Any, path: str, at: str, d: GeminiDump, role: str) -> Wire | None:
    if (text := send_as_text(part, path, at, d)) is not None:
        return {"text": text}
    if role != "system" and (media := send_as_media(part, path, at, d, "image", "audio")) is not None:
        return dump_media(media, path, at, d, role)
    return d.own_value(part, path, "part")


def finish(owner: Any, out: Wire, path: str, d: GeminiDump) -> None:
    """Write the fields that every part may have: a signature and provider data."""
    if owner.cache_control is not None:
        d.drop(path + "/cache_control", NO_MARKS)
    if owner.signature is not None and (signature := d.sent_signature(owner, path)) is not None:
        out[d.key(owner, "thoughtSignature")] = signature
    elif owner.wire is not None and d.same_family and is_stand_in(stand_in := spelling(owner, "stand_in")):
        out[d.key(owner, "thoughtSignature")] = stand_in
    if owner.provider_data is not None:  # true of most parts
        d.lay_provider_data(owner, out, path)


NO_MARKS = "Gemini has no cache marks: use `cachedContent`"


# Text and reasoning


def _load_text(reader: WireReader) -> dict[str, Any] | None:
    text = reader.take("text", str)
    if text is None:
        return None
    if reader.wire.get("thought") is not True:
        return {"type": "text", "text": text}
    reader.know("thought")
    return {"type": "thinking", "thinking": text}


def _dump_text(part: Any, path: str, at: str, d: GeminiDump, role: str) -> Wire | None:
    if part.citations is not None and not d.in_response:
        _drop_citations(part.citations, path + "/citations", d)
    may_be_empty = d.exact or d.same_family or part.signature is not None
    if part.text or may_be_empty:
        return {"text": part.text}
    has_more = part.provider_data is not None or part.cache_control is not None or part.citations
    if has_more or role != "assistant":
        d.drop(path, "an empty text is left out")
    return None


def _drop_citations(citations: Any, path: str, d: GeminiDump) -> None:
    for i, citation in enumerate(citations):
        own = citation.wire is not None if citation.type != "opaque" else citation.format == FAMILY
        d.report("response_only" if own else "dropped", f"{path}/{i}", None, "Gemini has citations only in responses")


def _dump_thinking(part: Any, path: str, at: str, d: GeminiDump, role: str) -> Wire | None:
    if not part.thinking and (why := why_silent(part, d)) is not None:
        return d.refuse(path, why)
    if part.summary is not None:
        d.report("changed", path, at, "Gemini does not mark thoughts as summaries")
    return {"text": part.thinking, "thought": True}


def _dump_as_text(part: Any, path: str, at: str, d: GeminiDump, role: str) -> Wire | None:
    text, what = (part.refusal, "a refusal") if part.type == "refusal" else (to_json(part.value), "JSON outside a result")
    if not text:
        return d.refuse(path, "an empty text is left out")
    d.report("changed", path, at, f"Gemini does not take {what}: it becomes text")
    return {"text": text}


# Calls of functions


def _load_call(reader: WireReader) -> dict[str, Any] | None:
    call = reader.inside("functionCall")
    name = call.take("name", str)
    args = call.take("args", dict)
    if name is None:
        return None
    out: dict[str, Any] = {"type": "tool_use", "name": name, "input": {} if args is None else args}
    if args is None:
        reader.spelling["args"] = "absent"
    call.move(out, "id")
    return out


def dump_call(call: Any, arguments: Any, path: str, at: str, d: GeminiDump) -> Wire:
    """Dump a call of a function; `arguments` is its input, or its argument text."""
    d.places[at] = path
    name: str = call.name
    id = given_id(call.id, exact=d.exact)
    body: Wire = {"name": name}
    if d.exact:
        if id is not None:
            body["id"] = d.ids.exact_call(id)
        if arguments != {} or spelling(call, "args") != "absent":
            body["args"] = copy_wire(arguments)
    else:
        args = fit_arguments(call, arguments, path, f"{at}/{d.key(call, 'functionCall')}/args", d)
        name = d.full_name(call, path)
        body = {"name": d.tool_name(name, path), "args": args}
        if id is not None and d.profile.ids:
            body["id"] = d.ids.call(id, path, d.source_ids)
    d.note_call(id, name)
    out: Wire = {d.key(call, "functionCall"): body}
    finish(call, out, path, d)
    if not (d.exact or d.in_response):
        note_first_call(call, out, path, at, d)
    return out


# Results of functions

_TEXT_KEYS = ("output", "result", "error")
"""The keys for the text of a result: `output` and `error` as documented, `result` as google-genai writes it."""


def _load_result(reader: WireReader) -> dict[str, Any] | None:
    result = reader.inside("functionResponse")
    out: dict[str, Any] = {"type": "tool_result"}
    _load_answered(reader, result, out)
    response = result.take("response", dict)
    parts = result.take("parts", list)
    key = next((key for key in _TEXT_KEYS if response is not None and response.keys() == {key}), None)
    value: Json = response if response is None or key is None else response[key]
    is_wrapped_object = key == "output" and type(value) is dict
    if key == "error":
        out["is_error"] = True
    elif response is None or key == "result" or is_wrapped_object:
        reader.spelling["response"] = key or "absent"
    if parts == []:
        reader.spelling["parts"] = "empty"
    if parts is None and type(value) is str:
        out["content"] = value
    else:
        says_nothing = key is None and not response
        first = [] if says_nothing else [_load_value(value)]
        out["content"] = [*first, *map(_load_result_part, parts or ())]
    return out if len(result.rest) < len(result.wire) else None


def _load_value(value: Json) -> Wire:
    """Load the part for the text of a result."""
    return {"type": "text", "text": value} if type(value) is str else {"type": "json", "value": value}


def _load_answered(reader: WireReader, result: WireReader, out: dict[str, Any]) -> None:
    """Load a result's call and function; if the name is missing, record that, as a result that a program builds gets one."""
    result.move(out, "name", id="tool_use_id")
    if "name" not in out:
        reader.spelling["name"] = "absent"


def _load_result_part(wire: Wire) -> dict[str, Any]:
    part = load_part(wire)
    return part if "source" in part else keep_whole(wire)


def dump_result(owner: Any, path: str, at: str, d: GeminiDump) -> Wire:
    """Dump the result of a function, from a tool message or from a part."""
    field = d.key(owner, "functionResponse")
    at = f"{at}/{field}"
    body = _dump_answered(owner, path, at, d)
    values: list[tuple[str, Any]] = []
    parts: list[Wire] = []
    for where, piece in pieces_of(owner.content, path):
        if isinstance(piece, str):
            values.append((where, piece))
        elif piece.type in ("text", "json") or (piece.type == "opaque" and readable_text(piece, d) is not None):
            if parts and not d.exact:
                d.report("moved", where, at, "the text of a function response must come before its media")
            values.append((where, _as_json(piece, where, at, d)))
        elif not (d.exact or d.profile.result_media):
            d.drop(where, "models before Gemini 3 take only text and JSON in a function's response")
        elif (written := dump_part(piece, where, f"{at}/parts/{len(parts)}", d, "tool")) is not None:
            parts += written if isinstance(written, list) else [written]
    _dump_response(owner, values, at + "/response", body, d)
    if parts or (d.same_family and spelling(owner, "parts") == "empty"):
        body["parts"] = parts
    return {field: body}


def _dump_answered(owner: Any, path: str, at: str, d: GeminiDump) -> Wire:
    """Write the function and the call that a result answers."""
    field = "tool_call_id" if "role" in vars(owner) else "tool_use_id"
    raw = given_id(getattr(owner, field), exact=d.exact)
    given = None if owner.name is None else d.full_name(owner, path)
    called = d.answered(raw, given)
    nameless = _is_nameless(owner, raw, d)
    name = given if nameless or (d.exact and raw is None) else called
    if name is None and not (d.exact or nameless):
        name = "tool"
        d.report("added", path, at + "/name", "a function response must name its function; sent as `tool`")
    body: Wire = {} if name is None else {"name": _sent_name(name, owner, path, d)}
    if raw is not None and d.exact:
        body["id"] = d.ids.exact_result(raw)
    elif raw is not None and d.profile.ids:
        body["id"] = d.ids.result(raw, path, "/" + field, d.source_ids)
    elif raw is not None and d.is_out_of_order(raw, name):
        d.report(
            "changed",
            path,
            at.rpartition("/")[0],
            "without ids, Gemini pairs a function's responses with its calls only by their order",
        )
    return body


def _sent_name(name: str, owner: Any, path: str, d: GeminiDump) -> str:
    """The function name to send with a result; if the name came from the call, its change is already reported there."""
    if d.exact:
        return name
    sent = d.names.get(name) if owner.name is None else None
    return sent or d.tool_name(name, path)


def _is_nameless(owner: Any, id: str | None, d: GeminiDump) -> bool:
    """Whether a result was loaded without a name, and may be dumped without one."""
    as_loaded = d.exact or (d.same_family and (id is None or d.profile.ids))
    return as_loaded and spelling(owner, "name") == "absent"


def _as_json(part: Any, path: str, at: str, d: GeminiDump) -> Any:
    """The content of a result's part as JSON; its other fields are lost."""
    if part.cache_control is not None:
        d.drop(path + "/cache_control", NO_MARKS)
    if part.signature is not None:
        d.drop(path + "/signature", "a function response has no field for the signature of a text in it")
    d.drop_fields(part, path)
    if part.type == "opaque":
        return send_as_text(part, path, at, d)
    if part.type == "json":
        if type(part.value) is str and not d.exact:
            d.report("changed", path, at, "a JSON value that is a string becomes text")
        return part.value
    if part.citations is not None:
        _drop_citations(part.citations, path + "/citations", d)
    return part.text


def _dump_response(owner: Any, values: list[tuple[str, Any]], at: str, body: Wire, d: GeminiDump) -> None:
    """Dump the object of a result: its text under the fitting key, or the object that it is."""
    word = spelling(owner, "response") if d.same_family else None
    if not values:
        if word != "absent":
            body["response"] = {"error": ""} if owner.is_error and not d.exact else {}
        return
    value: Json = values[0][1]
    if len(values) > 1:
        value = "\n".join(each if type(each) is str else to_json(each) for _, each in values)
        for path, _ in values:
            d.report("changed", path, at, "a function response has one text: its texts are joined with line breaks")
    d.places[at] = values[0][0]
    if owner.is_error:
        key = "error"
    elif word == "result":
        key = "result"
    else:
        key = "output"
    bare = type(value) is dict and len(value) > 0 and not (len(value) == 1 and value.keys() <= {*_TEXT_KEYS})
    body["response"] = copy_wire(value) if bare and key not in ("error", word) else {key: copy_wire(value)}


# The tables

_LOADERS: dict[str, Callable[[WireReader], dict[str, Any] | None]] = {
    "text": _load_text,
    "inlineData": load_media,
    "fileData": load_media,
    "functionCall": _load_call,
    "functionResponse": _load_result,
}
LOADED = tuple(_LOADERS)
"""The fields with a part's data that have a canonical form; a part has one of these."""
PARTS = spellings(*LOADED, "executableCode", "codeExecutionResult", "toolCall", "toolResponse")
"""The fields with a part's data."""
_WRITERS: dict[str, Callable[[Any, str, str, GeminiDump, str], Wire | None]] = {
    "text": _dump_text,
    "thinking": _dump_thinking,
    "refusal": _dump_as_text,
    "json": _dump_as_text,
}
"""The function that dumps each canonical type of part; any other part is media."""


# Messages, which Gemini calls contents


def _are_results(parts: Json) -> bool:
    """Whether all parts are function results: the user's, though Google's Antigravity puts them in the model's turn."""
    found = parts if type(parts) is list else []
    return bool(found) and all(type(part) is dict and value_of(part, "functionResponse") is not None for part in found)


def load_content(wire: Wire | str) -> dict[str, Any]:
    """Load a message; one of an unknown role is kept whole."""
    if isinstance(wire, str):
        return {"role": "user", "content": [{"type": "text", "text": wire}], "wire": {"spelling": {"content": "text"}}}
    role = wire.get("role")
    if role is not None and role not in ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    if role in OF_MODEL and not _are_results(wire.get("parts")):
        return load_body(WireReader(wire), "assistant", ("model",))
    return load_body(WireReader(wire), "user", ("user",))


def load_body(reader: WireReader, role: str, usual: Container[str]) -> dict[str, Any]:
    """Load a content's parts as a message of this role, whose wire spelling is usually one of `usual`."""
    word = reader.take("role")
    reader.know("role")
    if word not in usual:
        reader.spelling["role"] = word if word is not None else "<null>" if "role" in reader.wire else "<absent>"
    parts: Json = reader.take("parts")
    if type(parts) is not list:
        reader.spelling["parts"] = "object" if parts is not None else "null" if "parts" in reader.wire else "absent"
        reader.know("parts")
        parts = [] if parts is None else [parts]
    return reader.keep({"role": role, "content": [load_part(part) for part in parts]}, FAMILY)


def dump_frame(message: Any, out: Wire, path: str, at: str, d: GeminiDump) -> None:
    """Write the name, cache mark and provider data of a message."""
    if message.name is not None and message.role != "tool":
        d.drop(path + "/name", "Gemini contents have no `name` field")
    if message.cache_control is not None:
        d.drop(path + "/cache_control", NO_MARKS)
    d.lay_provider_data(message, out, path)


def respell(message: Any, out: Wire, *, any_role: bool = False) -> Any:
    """Restore a content that is written exactly: its role and parts as they were spelled, or the text that it was.

    `any_role` is for system instructions and responses, where a role other than the usual one has no effect.
    """
    role = spelling(message, "role")
    parts = spelling(message, "parts")
    is_text = any_role and spelling(message, "content") == "text"
    if is_text and out["parts"] == [{"text": message.text}] and out.keys() <= {"role", "parts"}:
        return message.text
    # among the contents of a request, the message would become the user's or the model's
    is_of_model = role in OF_MODEL and not _are_results(out["parts"])
    kept = is_of_model == (message.role == "assistant")
    if role is not None and (any_role or kept):
        out["role"] = None if role == "<null>" else role
        if role == "<absent>":
            del out["role"]
    if parts == "object" and len(out["parts"]) == 1:
        out["parts"] = out["parts"][0]
    elif parts in ("absent", "null") and not out["parts"]:
        out["parts"] = None
        if parts == "absent":
            del out["parts"]
    return out


def _respell_in_call(message: Any, out: Wire) -> Any:
    """Restore a content among those of a call: also one that the client made of parts."""
    written = respell(message, out)
    return written if spelling(message, "content") is None else as_spelled(message, written)


TURNS = Turns(
    part=dump_part,
    call=dump_call,
    result=dump_result,
    frame=dump_frame,
    text=lambda text: {"text": text},
    exactly=respell,
    content="parts",
    roles={"user": "user", "assistant": "model"},
)
TURNS_OF_CALL = replace(TURNS, exactly=_respell_in_call)
"""Writes the messages of a google-genai call, of which some may be parts alone or lists of parts."""
