"""The maps between Anthropic Messages requests and the canonical ones: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic_core import from_json

from ...exchange import INVENTED_NAME, Caching, OpaqueTool, Request, ResponseFormat, Tool, ToolChoice
from ...format import SPELLING, Dumping, Wire, copy_plain, leave, spelling
from ...ids import IdRules, ToolIds
from ...media import decode_text, invented_filename, media_type_of, read_data_uri
from ...messages import Message, RefusalPart, ThinkingPart, ToolCall, ToolMessage, ToolResultPart, ToolUsePart, UserMessage

FAMILY = "anthropic"


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a request body, built on first use."""
    from .wire import Request  # noqa: PLC0415 -- the wire types, too, are made on first use

    return TypeAdapter(Request)


IDS = IdRules("[A-Za-z0-9_-]", 128, unique=True)
_IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MOST_MARKS = 4
_EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})


@dataclass(frozen=True)
class AnthropicProfile:
    """One host's or model's habits in the Messages shape; the defaults suit them all."""

    system_in_conversation: bool = False
    """Whether system messages may stand among the others; they become user messages where not."""
    prefill: bool = True
    """Whether the last message may be the assistant's."""
    sampling: bool = False
    """Whether temperature, top_p and top_k may be sent (gone from the types of anthropic 2.11.0)."""
    input_as_text: bool = False
    """Whether tool input is JSON text (AskTable)."""
    content: Literal["keep", "string", "list"] = "keep"
    """Whether content is written as it is spelled, as one string where it is text alone, or always as a list (AskTable)."""
    unsigned_thinking: bool = False
    """Whether thinking without a signature may be sent."""
    issuers: frozenset[str] = frozenset({"anthropic"})
    """Whose signatures, encrypted reasoning and file ids may be sent here."""


class MessagesDumping:
    """One dump to the Messages shape: its profile, its notes, its ids."""

    def __init__(self, notes: Dumping, profile: AnthropicProfile) -> None:
        self.notes = notes
        self.home = notes.home
        self.profile = profile
        self.reads_input = not profile.input_as_text
        self.run: Wire | None = None
        """The last message written, as long as it is a run of tool results that a user message may still join."""
        self.ids = ToolIds(
            IDS,
            notes.source_ids,
            lambda path, new: notes.tell("changed", path, None, f"ids are at most {IDS.longest} characters; sent as {new}"),
        )

    def foreign(self, issuer: str | None) -> bool:
        """Whether what this issuer made means nothing here."""
        return not self.home and issuer is not None and issuer not in self.profile.issuers


# Cache marks


def _load_cache(wire: Wire, out: dict[str, Any], taken: set[str]) -> None:
    mark = wire.get("cache_control")
    if type(mark) is dict and mark.get("type") == "ephemeral":
        if len(mark) == 1 or (len(mark) == 2 and type(mark.get("ttl")) is str):
            out["cache_control"] = mark
            taken.add("cache_control")


def _dump_cache(owner: Any, out: Wire, path: str, d: MessagesDumping) -> None:
    mark: Wire = owner.cache_control.to_dict()
    if not d.home and mark.get("ttl", "5m") not in ("5m", "1h"):
        del mark["ttl"]
        d.notes.drop(path + "/cache_control/ttl", "cache times here are 5m and 1h")
    out["cache_control"] = mark


# Blocks


def load_block(wire: Wire) -> dict[str, Any]:
    """A content block; what has no canonical meaning is kept whole."""
    kind = wire["type"]
    if kind == "text" and len(wire) == 2:
        return wire
    loader = _LOADERS.get(kind)
    taken = {"type"}
    out: dict[str, Any] | None = None if loader is None else loader(wire, taken)
    if out is None:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    if len(taken) == len(wire) and "<nested>" not in out:
        return out
    if kind not in ("thinking", "redacted_thinking"):
        _load_cache(wire, out, taken)
    nested = out.pop("<nested>", None)
    rest = {key: value for key, value in wire.items() if key not in taken}
    if nested:
        rest["source"] = nested
        rest[SPELLING] = {"within": ["source"]}
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _load_text(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("text")
    return {"type": "text", "text": wire["text"]}


def _load_source(source: Wire) -> tuple[dict[str, Any], Wire] | None:
    kind = source["type"]
    if kind == "base64":
        out = {"type": kind, "data": source["data"], "media_type": source["media_type"]}
        known = {"type", "data", "media_type"}
    elif kind == "url":
        out, known = {"type": kind, "url": source["url"]}, {"type", "url"}
    elif kind == "file":
        out, known = {"type": "file_id", "file_id": source["file_id"], "issuer": FAMILY}, {"type", "file_id"}
    elif kind == "text" and type(source.get("data")) is str:
        out = {"type": kind, "text": source["data"], "media_type": source["media_type"]}
        known = {"type", "data", "media_type"}
    else:
        return None
    return out, {key: value for key, value in source.items() if key not in known}


def _dump_source(source: Any) -> Wire:
    if source.type == "base64":
        return {"type": "base64", "data": source.data} | ({} if source.media_type is None else {"media_type": source.media_type})
    if source.type == "url":
        return {"type": "url", "url": source.url}
    if source.type == "file_id":
        return {"type": "file", "file_id": source.file_id}
    return {"type": "text", "data": source.text, "media_type": source.media_type or "text/plain"}


def _load_media(wire: Wire, taken: set[str]) -> dict[str, Any] | None:
    read = _load_source(wire["source"])
    if read is None or (wire["type"] == "image" and read[0]["type"] == "text"):
        return None
    source, rest = read
    taken.add("source")
    out: dict[str, Any] = {"type": "image" if wire["type"] == "image" else "file", "source": source}
    if wire["type"] == "document" and wire.get("title") is not None:
        out["filename"] = wire["title"]
        taken.add("title")
    if rest:
        out["<nested>"] = rest
    return out


def _load_thinking(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("thinking")
    out = {"type": "thinking", "thinking": wire["thinking"]}
    if wire.get("signature") is not None:
        taken.add("signature")
        out |= {"signature": wire["signature"], "issuer": FAMILY}
    return out


def _load_redacted(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("data")
    return {"type": "redacted_thinking", "data": wire["data"], "issuer": FAMILY}


def _load_tool_use(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken |= {"id", "name", "input"}
    return {"type": "tool_use", "id": wire["id"], "name": wire["name"], "input": wire["input"]}


def _load_tool_result(wire: Wire, taken: set[str]) -> dict[str, Any]:
    taken.add("tool_use_id")
    out: dict[str, Any] = {"type": "tool_result", "tool_use_id": wire["tool_use_id"]}
    if "content" in wire:
        content = wire["content"]
        out["content"] = [_load_result_block(block) for block in content] if type(content) is list else content
        taken.add("content")
    if wire.get("is_error") is not None:
        out["is_error"] = wire["is_error"]
        taken.add("is_error")
    return out


def _load_result_block(wire: Wire) -> dict[str, Any]:
    if wire["type"] in ("text", "image", "document"):
        return load_block(wire)
    return {"type": "opaque", "format": FAMILY, "value": wire}


_LOADERS: dict[str, Any] = {
    "text": _load_text,
    "image": _load_media,
    "document": _load_media,
    "thinking": _load_thinking,
    "redacted_thinking": _load_redacted,
    "tool_use": _load_tool_use,
    "tool_result": _load_tool_result,
}


def dump_block(part: Any, path: str, at: str, d: MessagesDumping, role: str) -> Wire | None:
    """A content block for a message of `role`; None, and told, where it has no place there."""
    kind = part.type
    out: Wire | None
    if kind == "text":
        if not d.home and not part.text.strip():
            if part.text or part.cache_control is not None or part.provider_data is not None or role != "assistant":
                d.notes.drop(path, "empty text is refused")
            return None
        out = {"type": "text", "text": part.text}
    elif kind == "opaque":
        if part.format != FAMILY:
            d.notes.drop(path, f"only {part.format} knows parts of this type")
            return None
        out = copy_plain(part.value)
    elif kind == "tool_use":
        return dump_call(part, part.input, path, at, d)
    elif kind == "tool_result":
        out = _dump_result(part, part.tool_use_id, path, at, d)
    elif kind in ("thinking", "redacted_thinking"):
        out = _dump_thinking(part, path, at, d)
    elif kind == "refusal" and role == "assistant":
        if d.home or (part.refusal and not part.refusal.isspace()):
            out = {"type": "text", "text": part.refusal}
            d.notes.tell("changed", path, at, "a refusal becomes text")
        else:
            out = None
            d.notes.drop(path, "empty text is refused")
    elif not d.home and role in ("assistant", "system"):
        out = None
        d.notes.drop(path, f"{kind} parts have no place in a message of role {role}")
    else:
        out = _dump_media(part, path, d)
    if out is None:
        return None
    d.notes.places[at] = path
    if kind != "opaque":
        if part.cache_control is not None:
            if kind in ("thinking", "redacted_thinking") and not d.home:
                d.notes.drop(path + "/cache_control", "thinking holds no cache mark")
            else:
                _dump_cache(part, out, path, d)
        if part.provider_data is not None:
            d.notes.extras(part, out, path, at)
    return out


def _dump_thinking(part: Any, path: str, at: str, d: MessagesDumping) -> Wire | None:
    if d.foreign(part.issuer):
        d.notes.drop(path, f"only {part.issuer} can verify or read it")
        return None
    if part.type == "redacted_thinking":
        return {"type": "redacted_thinking", "data": part.data}
    if part.signature is None:
        if not (d.home or d.profile.unsigned_thinking):
            d.notes.drop(path, "thinking without a signature is refused")
            return None
        return {"type": "thinking", "thinking": part.thinking}
    if part.summary is not None:
        d.notes.tell("changed", path, at, "summaries are not marked as such")
    return {"type": "thinking", "thinking": part.thinking, "signature": part.signature}


def _dump_media(part: Any, path: str, d: MessagesDumping) -> Wire | None:
    if part.type == "image_url":
        image = part.image_url
        source = _image_source(image.url)
        if source is None:
            d.notes.drop(path, "images are JPEG, PNG, GIF or WebP, in base64 or by URL")
            return None
        if image.detail is not None:
            d.notes.drop(path + "/image_url/detail", "there is no detail of images")
        if image.provider_data is not None:
            d.notes.extras(image, {}, path + "/image_url", "", lambda _: False)
        return {"type": "image", "source": source}
    if part.type == "image":
        if part.detail is not None:
            d.notes.drop(path + "/detail", "there is no detail of images")
        return _sourced("image", part, path, d)
    if part.type == "file":
        return _sourced("document", part, path, d)
    d.notes.drop(path, f"{part.type.replace('_', ' ')} is not taken")
    return None


def _image_source(url: str) -> Wire | None:
    if not url.startswith("data:"):
        return {"type": "url", "url": url} if url.startswith(("https:", "http:")) else None
    media = read_data_uri(url)
    if media is None or media.media_type not in _IMAGE_TYPES:
        return None
    return {"type": "base64", "data": media.data, "media_type": media.media_type}


def _sourced(kind: str, part: Any, path: str, d: MessagesDumping) -> Wire | None:
    source = part.source
    out: Wire = {"type": kind, "source": _dump_source(source)}
    if not d.home:
        if source.type == "file_id" and d.foreign(source.issuer):
            d.notes.drop(path, f"the file id is known to {source.issuer} only")
            return None
        if source.type == "base64":
            repaired = _base64_source(kind, source, part)
            if repaired is None:
                d.notes.drop(path, "images are JPEG, PNG, GIF or WebP, documents are PDF or plain text")
                return None
            out["source"] = repaired
        elif source.type == "url" and source.url.startswith("data:"):
            d.notes.drop(path, "this data URI cannot be read")
            return None
    if kind == "document" and part.filename is not None:
        # A name that a format made up for want of one is not a title.
        if d.home or out["source"].get("media_type") is None or part.filename != invented_filename(out["source"]["media_type"]):
            out["title"] = part.filename
    return out


def _base64_source(kind: str, source: Any, part: Any) -> Wire | None:
    media_type = source.media_type or (media_type_of(part.filename, source.data) if kind == "document" else None)
    if kind == "image" and media_type in _IMAGE_TYPES or kind == "document" and media_type == "application/pdf":
        return {"type": "base64", "data": source.data, "media_type": media_type}
    text = decode_text(source.data) if kind == "document" and media_type == "text/plain" else None
    return {"type": "text", "data": text, "media_type": "text/plain"} if text else None


# Tool calls and results


def dump_call(call: ToolCall | ToolUsePart, given: Any, path: str, at: str, d: MessagesDumping) -> Wire:
    """A tool call."""
    d.notes.places[at] = path
    raw = call.id
    if d.home:
        out: Wire = {"type": "tool_use", "name": call.name, "input": copy_plain(given)}
        if raw is not None:
            out["id"] = raw
    else:
        if raw is not None:
            raw = d.ids.call(raw, path)
        else:
            raw = d.ids.call_without_id()
            d.notes.tell("changed", path, at, "tool calls need an id")
        if type(given) is str and d.reads_input and not call.custom:
            value, wrong = read_arguments(given)
            if wrong is not None:
                field = "/input" if type(call) is ToolUsePart else "/arguments"
                d.notes.tell("changed", path + field, at + "/input", wrong)
        else:
            value = _other_input(call, given, path, at, d)
        out = {"type": "tool_use", "id": raw, "name": call.name, "input": value}
    if call.cache_control is not None:
        _dump_cache(call, out, path, d)
    if call.provider_data is not None:
        d.notes.extras(call, out, path, at)
    return out


def _other_input(call: Any, given: Any, path: str, at: str, d: MessagesDumping) -> Any:
    if call.custom:
        d.notes.tell("changed", path, at, "a custom tool's text becomes the input of a function")
        return {"input": given}
    if type(given) is str:
        return given
    return copy_plain(given) if d.reads_input else json.dumps(given, ensure_ascii=False)


def read_arguments(text: str) -> tuple[dict[str, Any], str | None]:
    """A call's argument text as the object that Anthropic wants, and what that loses, where it loses anything."""
    if text == "":
        return {}, "no arguments become an empty object"
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return {"INVALID_JSON": text}, "the arguments are not JSON; they are sent as text inside an object"
    if type(value) is not dict:
        return {"INVALID_JSON": text}, "the arguments are not an object; they are sent as text inside one"
    if len(value) == text.count(":"):
        for item in value.values():
            if type(item) is not str and type(item) is not int:
                break
        else:
            return value, None
    return _read_carefully(text, value)


def _read_carefully(text: str, value: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    repeated = False

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        made = dict(found)
        repeated = repeated or len(made) != len(found)
        return made

    if not _finite(json.loads(text, object_pairs_hook=pairs)):
        return {"INVALID_JSON": text}, "a number is beyond what a float can be; the arguments are sent as text inside an object"
    return value, "keys are given twice; the last one counts" if repeated else None


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(_finite(item) for item in value.values())
    return not isinstance(value, list) or all(_finite(item) for item in value)


def _dump_result(owner: ToolMessage | ToolResultPart, raw: str | None, path: str, at: str, d: MessagesDumping) -> Wire:
    out: Wire = {"type": "tool_result"}
    if d.home:
        if raw is not None:
            out["tool_use_id"] = raw
    elif raw is not None:
        out["tool_use_id"] = d.ids.result(raw, path + ("/tool_call_id" if isinstance(owner, ToolMessage) else "/tool_use_id"))
    else:
        out["tool_use_id"] = d.ids.result_without_id() or d.ids.call_without_id()
        d.notes.tell("changed", path, at, "tool results need the id of a call")
    content = owner.content
    if isinstance(content, str):
        if content or d.home:
            out["content"] = content
    elif content is None:
        if d.home and "content" in owner:
            out["content"] = None
    else:
        blocks: list[Wire] = []
        for i, part in enumerate(content):
            block = dump_block(part, f"{path}/content/{i}", f"{at}/content/{len(blocks)}", d, "tool")
            if block is not None:
                blocks.append(block)
        if blocks or d.home:
            out["content"] = blocks
    if owner.is_error is not None:
        out["is_error"] = owner.is_error
    return out


# Messages


def load_message(wire: Wire) -> dict[str, Any]:
    """A message; one of an unknown role, or a system message without content, is kept whole."""
    role = wire["role"]
    content = wire.get("content")
    if role not in ("user", "assistant", "system") or content is None:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    out = {"role": role, "content": content if type(content) is str else [load_block(block) for block in content]}
    if role == "system":
        return leave(out, wire, frozenset(out), FAMILY, {"system": "message"})
    return out if len(wire) == 2 else leave(out, wire, frozenset(out), FAMILY)


def dump_messages(messages: Sequence[Message], start: int, out: list[Wire], d: MessagesDumping) -> None:
    """Append the wire forms of the messages from `start`; a run of tool messages becomes one user message."""
    places = d.notes.places
    for i in range(start, len(messages)):
        message = messages[i]
        role = message.role
        path = f"/messages/{i}"
        if role == "tool":
            _add_result(message, path, out, d)
            continue
        at = f"/messages/{len(out)}"
        if role == "opaque":
            if message.format == FAMILY:
                places[at] = path
                out.append(copy_plain(message.value))
            else:
                d.notes.drop(path, f"only {message.format} knows messages of this kind")
            continue
        if role == "assistant":
            written = _dump_assistant(message, path, at, d)
        elif role == "user" and d.run is not None and d.run is out[-1] and not _holds_results(message):
            _join_run(message, path, f"/messages/{len(out) - 1}", d)
            continue
        else:
            content = message.content
            if type(content) is str and role == "user" and (d.home or (content and not content.isspace())):
                written = {"role": role, "content": content}
            else:
                written = _dump_message(message, path, at, d)
        if not (written["content"] or d.home):
            d.notes.drop(path, "nothing that it holds has a place here")
            continue
        places[at] = path
        if d.profile.content != "keep" and not d.home:
            _respell(written, path, at, d)
        _dump_frame(message, written, path, at, d)
        out.append(written)


def _respell(written: Wire, path: str, at: str, d: MessagesDumping) -> None:
    """Content as the list, or the one string where it is text alone, that the profile wants."""
    content = written["content"]
    if isinstance(content, str):
        if d.profile.content == "list":
            d.notes.places[at + "/content/0"] = path + "/content"
            written["content"] = [{"type": "text", "text": content}]
    elif d.profile.content == "string" and all(block.keys() == {"type", "text"} for block in content):
        written["content"] = "\n".join(block["text"] for block in content)
        for i in range(len(content)):
            origin = d.notes.places.pop(f"{at}/content/{i}")
            if len(content) > 1:
                d.notes.tell("changed", origin, at + "/content", "its texts are joined with line breaks into one")
            elif origin != path + "/content":
                d.notes.places[at + "/content"] = origin


def _dump_message(message: Any, path: str, at: str, d: MessagesDumping) -> Wire:
    role = message.role
    if role != "user":
        native = spelling(message, FAMILY, "system") if d.home else d.profile.system_in_conversation
        if role == "system" and native:
            role = "system"
        else:
            role = "user"
            d.notes.tell("changed", path, at, f"a {message.role} message in this place becomes a user message")
    content = message.content
    if type(content) is str:
        return {"role": role, "content": content if d.home or not content.isspace() else ""}
    blocks: list[Wire] = []
    dump_content(content, role, path, at, d, blocks)
    return {"role": role, "content": blocks}


def _dump_assistant(message: Any, path: str, at: str, d: MessagesDumping) -> Wire:
    content, calls = message.content, message.tool_calls
    more = message.reasoning_content is not None or message.thinking_blocks or message.refusal is not None
    if type(content) is str and not calls and not more:
        return {"role": "assistant", "content": content if d.home or not content.isspace() else ""}
    blocks: list[Wire] = []
    if more:
        _dump_reasoning(message, path, at, d, blocks)
    if content:
        dump_content(content, "assistant", path, at, d, blocks)
    if message.refusal is not None:
        refusal = RefusalPart(refusal=message.refusal)
        block = dump_block(refusal, path + "/refusal", f"{at}/content/{len(blocks)}", d, "assistant")
        if block is not None:
            blocks.append(block)
    if calls:
        for i, call in enumerate(calls):
            blocks.append(dump_call(call, call.arguments, f"{path}/tool_calls/{i}", f"{at}/content/{len(blocks)}", d))
    elif type(content) is str and len(blocks) == 1 and d.notes.places.get(at + "/content/0") == path + "/content":
        del d.notes.places[at + "/content/0"]
        return {"role": "assistant", "content": content}
    return {"role": "assistant", "content": blocks}


def dump_content(content: Any, role: str, path: str, at: str, d: MessagesDumping, blocks: list[Wire]) -> None:
    """Append a message's content as blocks; tool results lead, as the server wants."""
    if type(content) is str:
        if d.home or (content and not content.isspace()):
            d.notes.places[f"{at}/content/{len(blocks)}"] = path + "/content"
            blocks.append({"type": "text", "text": content})
        elif content and role == "assistant":
            d.notes.drop(path + "/content", "blank text is refused")
        return
    numbered = enumerate(content)
    if role == "user" and not d.home and any(part.type == "tool_result" for part in content):
        numbered = _results_first(content, path, at, d)
    for i, part in numbered:
        block = dump_block(part, f"{path}/content/{i}", f"{at}/content/{len(blocks)}", d, role)
        if block is not None:
            blocks.append(block)


def _dump_reasoning(message: Any, path: str, at: str, d: MessagesDumping, blocks: list[Wire]) -> None:
    thinking = [(f"{path}/thinking_blocks/{i}", block) for i, block in enumerate(message.thinking_blocks or ())]
    text = message.reasoning_content
    if text is not None and text != "".join(block.thinking for _, block in thinking if block.type == "thinking"):
        thinking.insert(0, (path + "/reasoning_content", ThinkingPart(thinking=text)))
    for where, part in thinking:
        block = dump_block(part, where, f"{at}/content/{len(blocks)}", d, "assistant")
        if block is not None:
            blocks.append(block)


def _results_first(content: Sequence[Any], path: str, at: str, d: MessagesDumping) -> list[tuple[int, Any]]:
    results = [(i, part) for i, part in enumerate(content) if part.type == "tool_result"]
    rest = [(i, part) for i, part in enumerate(content) if part.type != "tool_result"]
    for i, _ in rest:
        if i < results[-1][0]:
            d.notes.tell("moved", f"{path}/content/{i}", at, "tool results come first")
    return results + rest


def _add_result(message: Any, path: str, out: list[Wire], d: MessagesDumping) -> None:
    """A tool message as a block of the user message that holds its run."""
    if d.run is None or d.run is not out[-1]:
        d.run = {"role": "user", "content": []}
        d.notes.places[f"/messages/{len(out)}"] = path
        out.append(d.run)
    blocks = d.run["content"]
    at = f"/messages/{len(out) - 1}/content/{len(blocks)}"
    content, raw = message.content, message.tool_call_id
    d.notes.places[at] = path
    if type(content) is str and content and raw is not None and not d.home:
        block: Wire = {"type": "tool_result", "tool_use_id": d.ids.result(raw, path + "/tool_call_id"), "content": content}
        if message.is_error is not None:
            block["is_error"] = message.is_error
    else:
        block = _dump_result(message, raw, path, at, d)
    if raw is not None and spelling(message, "openai", "role") == "function":
        d.notes.tell("changed", path, at, "a function message becomes a tool result")
    _dump_frame(message, block, path, at, d)
    blocks.append(block)


def _join_run(message: UserMessage, path: str, at: str, d: MessagesDumping) -> None:
    """A user message behind a run of tool results, in the same message as they."""
    assert d.run is not None  # noqa: S101 -- told by the caller
    blocks = d.run["content"]
    count = len(blocks)
    dump_content(message.content, "user", path, at, d, blocks)
    if len(blocks) == count:
        d.notes.drop(path, "nothing that it holds has a place here")
        return
    d.notes.places[at] = path
    _dump_frame(message, d.run, path, at, d)
    d.run = None


def _holds_results(message: UserMessage) -> bool:
    content = message.content
    return type(content) is tuple and any(part.type == "tool_result" for part in content)


def _dump_frame(message: Any, out: Wire, path: str, at: str, d: MessagesDumping) -> None:
    """Name, cache mark and provider data of a message."""
    if message.name is message.cache_control is message.provider_data:
        return  # all three are None: the rule
    if message.name is not None:
        d.notes.drop(path + "/name", "messages have no name here")
    if message.cache_control is not None:
        _mark_last(message, out, path, at if out.get("type") == "tool_result" else at + "/content", d)
    if message.provider_data is not None:
        d.notes.extras(message, out, path, at)


def _mark_last(message: Any, out: Wire, path: str, at: str, d: MessagesDumping) -> None:
    if out.get("type") == "tool_result":
        _dump_cache(message, out, path, d)
        return
    if isinstance(out["content"], str):
        out["content"] = [{"type": "text", "text": out["content"]}]
        d.notes.places[f"{at}/0"] = path + "/content"
    block = out["content"][-1]
    here = f"{at}/{len(out['content']) - 1}/cache_control"
    d.notes.tell("moved", path + "/cache_control", here, "cache marks stand on blocks")
    if "cache_control" not in block and block.get("type") not in ("thinking", "redacted_thinking"):
        _dump_cache(message, block, path, d)
        where = here.removesuffix("/cache_control")
        if where in d.notes.places:
            d.notes.tell("changed", d.notes.places[where], where, "it takes the cache mark of its message")


# Tools and the choice among them

_TOOL_FIELDS = {"name": "name", "description": "description", "input_schema": "parameters", "strict": "strict"}


def load_tool(wire: Wire) -> dict[str, Any]:
    """A tool that the client runs; a server's tool is kept whole."""
    if wire.get("type") not in (None, "custom") or "name" not in wire:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    out: dict[str, Any] = {"type": "function"}
    taken = set[str]()
    for key, name in _TOOL_FIELDS.items():
        if wire.get(key) is not None:
            out[name] = wire[key]
            taken.add(key)
    _load_cache(wire, out, taken)
    if wire.get("type") == "custom":
        return leave(out, wire, frozenset(taken | {"type"}), FAMILY, {"type": "custom"})
    return leave(out, wire, frozenset(taken), FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: MessagesDumping) -> Wire | None:
    """A tool."""
    if isinstance(tool, OpaqueTool):
        if tool.format == FAMILY:
            d.notes.places[at] = path
            return copy_plain(tool.value)  # type: ignore[no-any-return]
        d.notes.drop(path, f"only {tool.format} has this tool")
        return None
    d.notes.places[at] = path
    out: Wire = {"name": tool.name}
    if d.home and spelling(tool, FAMILY, "type") == "custom":
        out["type"] = "custom"
    if tool.description is not None:
        out["description"] = tool.description
    if tool.parameters is not None:
        out["input_schema"] = copy_plain(tool.parameters)
    if not d.home:
        schema = out.setdefault("input_schema", {})
        if schema.get("type") != "object":
            if schema:
                d.notes.tell("changed", path + "/parameters", at + "/input_schema", "a schema is of type object")
            else:
                d.notes.tell("added", path, at + "/input_schema", "a tool has a schema of type object")
            out["input_schema"] = schema | {"type": "object"} if schema else {"type": "object", "properties": {}}
    if tool.strict is not None:
        out["strict"] = tool.strict
    if tool.cache_control is not None:
        _dump_cache(tool, out, path, d)
    if tool.provider_data is not None:
        d.notes.extras(tool, out, path, at)
    return out


_CHOICES = {"auto": "auto", "none": "none", "any": "required"}


def load_tool_choice(wire: Wire) -> tuple[dict[str, Any], bool | None, Wire] | None:
    """The choice among tools, whether calls may be parallel, and what else was said; None for an unknown type."""
    kind = wire.get("type")
    rest = {key: value for key, value in wire.items() if key != "type"}
    if kind == "tool" and type(wire.get("name")) is str:
        choice = {"type": "tool", "name": rest.pop("name")}
    elif kind in _CHOICES if type(kind) is str else False:
        choice = {"type": _CHOICES[kind]}
    else:
        return None
    one = rest.get("disable_parallel_tool_use")
    if type(one) is bool:
        del rest["disable_parallel_tool_use"]
        return choice, not one, rest
    return choice, None, rest


def dump_tool_choice(request: Request, out: Wire, d: MessagesDumping) -> None:
    """The choice among tools, which also says whether calls may be parallel."""
    choice, parallel = request.tool_choice, request.parallel_tool_calls
    if choice is not None:
        out["tool_choice"] = {"type": "any" if choice.type == "required" else choice.type}
        if choice.name is not None:
            out["tool_choice"]["name"] = choice.name
    if parallel is None:
        return
    if choice is None and not parallel and request.tools:
        d.notes.tell("added", "", "/tool_choice", "parallel calls are switched off in the choice of tools")
        out["tool_choice"] = {"type": "auto"}
    elif choice is None or (choice.type == "none" and not d.home):
        d.notes.drop("/parallel_tool_calls", "it is said with the choice of tools, and there is none")
        return
    out["tool_choice"]["disable_parallel_tool_use"] = not parallel


# Requests


def load_request(wire: Wire) -> dict[str, Any]:
    """A request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    wire = adapter().validate_python(wire)
    out: dict[str, Any] = {}
    taken, rest = set[str](), dict[str, Any]()
    if "messages" in wire:
        out["messages"] = [load_message(message) for message in wire["messages"]]
        taken.add("messages")
        system = wire.get("system")
        if system is not None:
            content = system if type(system) is str else [load_block(block) for block in system]
            out["messages"].insert(0, {"role": "system", "content": content})
            taken.add("system")
    for key in ("model", "max_tokens", "temperature", "top_p", "top_k", "stream"):
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    if wire.get("stop_sequences") is not None:
        out["stop"] = wire["stop_sequences"]
        taken.add("stop_sequences")
    if wire.get("tools") is not None:
        out["tools"] = [load_tool(tool) for tool in wire["tools"]]
        taken.add("tools")
    if wire.get("tool_choice") is not None and (choice := load_tool_choice(wire["tool_choice"])) is not None:
        out["tool_choice"], parallel, rest["tool_choice"] = choice
        if parallel is not None:
            out["parallel_tool_calls"] = parallel
        taken.add("tool_choice")
    _load_reasoning(wire, out, taken, rest)
    metadata = wire.get("metadata")
    if metadata is not None and type(metadata.get("user_id")) is str:
        out["user"] = metadata["user_id"]
        rest["metadata"] = {key: value for key, value in metadata.items() if key != "user_id"}
        taken.add("metadata")
    rest = {key: value for key, value in rest.items() if value}
    if rest:
        rest[SPELLING] = {"within": list(rest)}
    rest |= {key: value for key, value in wire.items() if key not in taken}
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _load_reasoning(wire: Wire, out: dict[str, Any], taken: set[str], rest: Wire) -> None:
    thinking, config = wire.get("thinking"), wire.get("output_config")
    if thinking is not None and thinking.get("type") == "enabled" and type(thinking.get("budget_tokens")) is int:
        out["reasoning_budget"] = thinking["budget_tokens"]
        rest["thinking"] = {key: value for key, value in thinking.items() if key not in ("type", "budget_tokens")}
        taken.add("thinking")
    if config is None:
        return
    more = dict(config)
    if type(more.get("effort")) is str:
        out["reasoning_effort"] = more.pop("effort")
    form = more.get("format")
    if type(form) is dict and form.get("type") == "json_schema" and type(form.get("schema")) is dict:
        out["response_format"] = {"type": "json_schema", "json_schema": form["schema"]}
        more["format"] = {key: value for key, value in form.items() if key not in ("type", "schema")}
        if not more["format"]:
            del more["format"]
    if len(more) < len(config) or more != config:
        rest["output_config"] = more
        taken.add("output_config")


def dump_request(request: Request, given: Sequence[Any], notes: Dumping, profile: AnthropicProfile) -> Wire:
    """A request body."""
    d = MessagesDumping(notes, profile)
    out = _dump_conversation(given, d, keep=0)
    if not out["messages"] and "system" in out and not d.home:
        # A request needs a message: what would be the last system text stays, as the user's.
        notes.losses.clear()
        notes.places.clear()
        d = MessagesDumping(notes, profile)
        out = _dump_conversation(given, d, keep=1)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    if request.caching is not None:
        _dump_caching(request.caching, out)
    return out


def _dump_conversation(given: Sequence[Any], d: MessagesDumping, keep: int) -> Wire:
    messages: list[Wire] = []
    out: Wire = {"messages": messages}
    start = _dump_system(given, out, d, keep)
    dump_messages(given, start, messages, d)
    if not d.home:
        _trim_end(messages, d)
    return out


def _dump_system(messages: Sequence[Any], out: Wire, d: MessagesDumping, keep: int) -> int:
    """Lift the leading system messages but the last `keep` to the top; gives the index of the first that stays."""
    if d.home:
        if not messages or messages[0].role != "system" or spelling(messages[0], FAMILY, "system") == "message":
            return 0
        count = 1
    else:
        count = 0
        while count < len(messages) and messages[count].role in ("system", "developer"):
            count += 1
        count = max(count - keep, 0)
    lifted: Any = messages[:count]
    if not lifted:
        return 0
    first = lifted[0]
    if count == 1 and type(first.content) is str:
        if d.home or first.content.strip():
            out["system"] = first.content
            d.notes.places["/system"] = "/messages/0"
        else:
            d.notes.drop("/messages/0", "empty text is refused")
    else:
        blocks: list[Wire] = []
        for i, message in enumerate(lifted):
            _lift(message, f"/messages/{i}", blocks, d, alone=count == 1)
        if blocks or d.home:
            out["system"] = blocks
    for i, message in enumerate(lifted):
        path = f"/messages/{i}"
        if message.role == "developer" and (count == 1 or type(message.content) is not str):
            d.notes.tell("changed", path, "/system", "the developer role becomes system")
        if "system" in out:
            holder: Wire = {"role": "system", "content": out["system"]}
            if message.name is not None:
                d.notes.drop(path + "/name", "messages have no name here")
            if message.cache_control is not None:
                _mark_last(message, holder, path, "/system", d)
                out["system"] = holder["content"]
            if message.provider_data is not None:
                d.notes.extras(message, {}, path, "/system", lambda _: False)
    return count


def _lift(message: Any, path: str, blocks: list[Wire], d: MessagesDumping, *, alone: bool) -> None:
    count = len(blocks)
    if type(message.content) is str:
        if message.content and not message.content.isspace():
            d.notes.places[f"/system/{count}"] = path + "/content"
            blocks.append({"type": "text", "text": message.content})
    else:
        for i, part in enumerate(message.content):
            block = dump_block(part, f"{path}/content/{i}", f"/system/{len(blocks)}", d, "system")
            if block is not None:
                blocks.append(block)
    if len(blocks) == count:
        if not d.home:
            d.notes.drop(path, "nothing that it holds has a place here")
    else:
        if alone or path == "/messages/0":
            d.notes.places["/system"] = path
        if not alone:
            d.notes.tell("changed", path, f"/system/{count}", "the leading system messages become one")


def _trim_end(messages: list[Wire], d: MessagesDumping) -> None:
    """The last message may not end in white space where it is the assistant's."""
    if not messages or messages[-1].get("role") != "assistant":
        return
    last, at = messages[-1], f"/messages/{len(messages) - 1}"
    path = d.notes.places[at]
    if isinstance(last["content"], str):
        text, holder, key, where, here = last["content"], last, "content", path + "/content", at + "/content"
    elif last["content"] and last["content"][-1].get("type") == "text":
        holder, key = last["content"][-1], "text"
        here = f"{at}/content/{len(last['content']) - 1}"
        text, where = holder["text"], d.notes.places[here]
    else:
        return
    if text != text.rstrip():
        holder[key] = text.rstrip()
        d.notes.tell("changed", where, here, "a final assistant text may not end in white space")


def _dump_settings(request: Request, out: Wire, d: MessagesDumping) -> None:
    for key in ("model", "max_tokens", "stream"):
        if getattr(request, key) is not None:
            out[key] = getattr(request, key)
    for key in ("temperature", "top_p", "top_k"):
        if getattr(request, key) is not None:
            if d.home or d.profile.sampling:
                out[key] = getattr(request, key)
            else:
                d.notes.drop("/" + key, "sampling is no longer a setting here")
    if request.stop is not None:
        stop = []
        for i, sequence in enumerate(request.stop):
            if d.home or sequence.strip():
                stop.append(sequence)
            else:
                d.notes.drop(f"/stop/{i}", "stop sequences of white space are refused")
        if stop or d.home:
            out["stop_sequences"] = stop
    if request.tools is not None:
        tools: list[Wire] = []
        for i, tool in enumerate(request.tools):
            dumped = dump_tool(tool, f"/tools/{i}", f"/tools/{len(tools)}", d)
            if dumped is not None:
                tools.append(dumped)
        if tools or d.home:
            out["tools"] = tools
    if request.tool_choice is not None or request.parallel_tool_calls is not None:
        dump_tool_choice(request, out, d)
    if request.reasoning_budget is not None:
        out["thinking"] = {"type": "enabled", "budget_tokens": request.reasoning_budget}
    if request.reasoning_effort is not None:
        _dump_effort(request, request.reasoning_effort, out, d)
    if request.response_format is not None:
        _dump_format(request.response_format, out, d)
    if request.user is not None:
        if d.home or len(request.user) <= 256:
            out["metadata"] = {"user_id": request.user}
        else:
            d.notes.drop("/user", "user ids have at most 256 characters")
    if request.metadata is not None:
        d.notes.drop("/metadata", "there is no metadata but the user's id")
    if request.provider_data is not None:
        d.notes.extras(request, out, "", "")


def _dump_effort(request: Request, effort: str, out: Wire, d: MessagesDumping) -> None:
    if not d.home and effort not in _EFFORTS:
        d.notes.drop("/reasoning_effort", "there is no such effort")
        return
    out["output_config"] = {"effort": effort}
    if not d.home and "thinking" not in out and "thinking" not in (request.provider_data or {}).get(FAMILY, {}):
        out["thinking"] = {"type": "adaptive"}
        d.notes.tell("added", "", "/thinking", "effort is spent where thinking is on")


def _dump_format(form: ResponseFormat, out: Wire, d: MessagesDumping) -> None:
    if form.type != "json_schema" or form.json_schema is None:
        d.notes.drop("/response_format", "answers have a form by JSON Schema only")
        return
    out.setdefault("output_config", {})["format"] = {"type": "json_schema", "schema": copy_plain(form.json_schema)}
    for key in ("name", "description", "strict"):
        if getattr(form, key) is not None and not (key == "name" and form.name == INVENTED_NAME):
            d.notes.drop(f"/response_format/{key}", "a schema stands alone here")


def _dump_caching(caching: Caching, out: Wire) -> None:
    """Set the cache marks that the request asks for, as far as the server takes them."""
    mark: Wire = {"type": "ephemeral"} | ({} if caching.ttl is None else {"ttl": caching.ttl})
    left = _MOST_MARKS - json.dumps(out).count('"cache_control": {')
    holders: list[tuple[Wire, str]] = []
    if caching.tools and out.get("tools"):
        holders.append((out, "tools"))
    if caching.system and out.get("system"):
        holders.append((out, "system"))
    if caching.messages:
        holders += [(message, "content") for message in out["messages"][-caching.messages :]]
    for holder, key in holders:
        if isinstance(holder[key], str):
            holder[key] = [{"type": "text", "text": holder[key]}]
        last = holder[key][-1] if holder[key] else {}
        if left > 0 and last and "cache_control" not in last and last.get("type") not in ("thinking", "redacted_thinking"):
            last["cache_control"] = dict(mark)
            left -= 1


# Pointers


def owners_stay(wire: Wire) -> bool:
    """Whether every owner has the same pointer in the wire request and in its canonical form."""
    return wire.get("system") is None

_REQUEST_POINTERS = {
    "stop": "/stop_sequences",
    "reasoning_budget": "/thinking",
    "reasoning_effort": "/output_config/effort",
    "user": "/metadata/user_id",
    "parallel_tool_calls": "/tool_choice/disable_parallel_tool_use",
}


def locate(wire: Wire, pointer: str) -> str:
    """Where the wire request holds what a pointer into its canonical form points at."""
    tokens = pointer.split("/")[1:]
    if not tokens:
        return ""
    head, *rest = tokens
    if head == "messages" and rest and rest[0].isdigit():
        lifted = wire.get("system") is not None
        index = int(rest[0]) - lifted
        if index < 0:
            return "/system" + _locate_in_message({"content": wire["system"]}, rest[1:]).removeprefix("/content")
        return f"/messages/{index}" + _locate_in_message(wire["messages"][index], rest[1:])
    if head == "provider_data":
        return _join(rest[1:])
    if head == "tools" and len(rest) > 1:
        field = {"parameters": "input_schema"}.get(rest[1], rest[1])
        more = rest[2:]
        return _join(["tools", rest[0], *(more[1:] if field == "provider_data" else more if field == "value" else [field, *more])])
    if head in _REQUEST_POINTERS:
        return _REQUEST_POINTERS[head] + _join(rest)
    if head == "response_format":
        return "/output_config/format" + _join(["schema", *rest[1:]] if rest[:1] == ["json_schema"] else rest)
    return pointer


def _join(tokens: Sequence[str]) -> str:
    return "".join("/" + token for token in tokens)


def _locate_in_message(wire: Wire, tokens: Sequence[str]) -> str:
    if not tokens:
        return ""
    field, *rest = tokens
    if field == "provider_data":
        return _join(rest[1:])
    if field == "value":
        return _join(rest)
    if field == "content" and len(rest) > 1:
        return f"/content/{rest[0]}" + _locate_in_block(wire["content"][int(rest[0])], rest[1:])
    return _join(tokens)


def _locate_in_block(wire: Wire, tokens: Sequence[str]) -> str:
    field, *rest = tokens
    if field == "content" and len(rest) > 1:
        return _locate_in_message(wire, tokens)
    if field == "provider_data":
        return _join(rest[1:])
    if field == "value":
        return _join(rest)
    if field == "filename":
        return "/title"
    if field == "source" and rest == ["text"]:
        return "/source/data"
    return _join(tokens)
