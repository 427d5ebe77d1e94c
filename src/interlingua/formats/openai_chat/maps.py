"""The maps between Chat Completions requests and the canonical ones: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ..._model import copy_json
from ...exchange import INVENTED_NAME, OpaqueTool, Request, ResponseFormat, Tool, ToolChoice
from ...format import SPELLING, Dumping, Wire, copy_plain, escape, leave, spelling
from ...ids import IdRules, ToolIds
from ...media import Media, data_uri, encode_text, invented_filename, read_data_uri
from ...messages import (
    AnyPart,
    AssistantMessage,
    CacheControl,
    FilePart,
    Message,
    RedactedThinkingPart,
    TextMessage,
    ThinkingPart,
    ToolCall,
    ToolMessage,
    ToolResultPart,
    ToolUsePart,
    UserMessage,
)
from .profiles import ChatProfile

FAMILY = "openai"


@cache
def validators() -> tuple[Any, Any, Any]:
    """The validators of a body without its messages, of one message, and of a whole body, built on first use."""
    from . import wire  # noqa: PLC0415 -- the wire types, too, are made on first use

    return TypeAdapter(wire.Frame), TypeAdapter(wire.Message), TypeAdapter(wire.Request)


_to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
IDS = IdRules(".", 64, unique=False)

# What OpenAI documents beyond the canonical fields (openai 3.52.0); a strict profile sends nothing else elsewhere.
_REQUEST_FIELDS = frozenset(
    "audio frequency_penalty function_call functions logit_bias logprobs modalities moderation n prediction presence_penalty "
    "prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier seed service_tier store stream_options "
    "tool_choice top_logprobs verbosity web_search_options response_format stop".split()
)
_NOT_OF_CHAT = frozenset({"messages", "tools", "functions", "prompt", "suffix", "echo", "best_of"})
_MESSAGE_FIELDS = frozenset({"audio"})
_CACHE_FIELDS = frozenset({"cache_control", "prompt_cache_breakpoint"})
_NO_FIELDS: frozenset[str] = frozenset()
EVERY: frozenset[str] = frozenset({"*"})


class ChatDumping:
    """One dump to a Chat host: its profile, its notes, its ids."""

    def __init__(self, notes: Dumping, profile: ChatProfile) -> None:
        self.notes = notes
        self.home = notes.home
        self.profile = profile
        self.strays: list[tuple[str, AnyPart]] = []
        self.ends_with_results = False
        self.messages: list[Wire] = []
        self.ids = ToolIds(
            IDS,
            notes.source_ids,
            lambda path, new: notes.tell("changed", path, None, f"ids are at most {IDS.longest} characters; sent as {new}"),
        )

    def extras(
        self, owner: Any, out: Wire, path: str, at: str, known: frozenset[str], refused: frozenset[str] = frozenset()
    ) -> None:
        """The owner's own fields, where this host takes them."""
        takes = (lambda key: key not in refused) if self.profile.open and refused is not EVERY else known.__contains__
        self.notes.extras(owner, out, path, at, takes)


# Cache marks


def load_cache(wire: Wire, out: dict[str, Any], taken: set[str], field: str | None) -> None:
    """Take the cache mark of a part, a message or a tool from the host's field, where it can be understood."""
    mark = wire.get(field) if field is not None else None
    if type(mark) is not dict:
        return
    if field == "cache_control" and _is_mark(mark, "type", "ephemeral"):
        out["cache_control"] = mark
        taken.add("cache_control")
    elif field == "prompt_cache_breakpoint" and _is_mark(mark, "mode", "explicit"):
        out["cache_control"] = {"type": "ephemeral", **({"ttl": mark["ttl"]} if "ttl" in mark else {})}
        taken.add("prompt_cache_breakpoint")


def _is_mark(mark: Wire, key: str, value: str) -> bool:
    return mark.get(key) == value and (len(mark) == 1 or (len(mark) == 2 and type(mark.get("ttl")) is str))


def dump_cache(owner: Any, out: Wire, path: str, at: str, d: ChatDumping, *, allowed: bool = True) -> None:
    """Write the owner's cache mark as it was spelled, or as the host spells it."""
    mark: CacheControl = owner.cache_control
    field = d.profile.cache
    if field is None or not (allowed or d.home):
        d.notes.drop(path + "/cache_control", "there is no cache mark in this place")
    elif field == "cache_control":
        out[field] = mark.to_dict()
    else:
        out[field] = {"mode": "explicit"}
        if mark.ttl is not None:
            if d.home or mark.ttl in ("30m", "12h"):
                out[field]["ttl"] = mark.ttl
            else:
                d.notes.drop(path + "/cache_control/ttl", "cache times here are 30m and 12h")


# Parts

_IMAGE_URL_FIELDS = frozenset({"url", "detail"})


def load_part(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A content part; what has no canonical meaning is kept whole."""
    kind = wire["type"]
    if kind == "text" and len(wire) == 2:
        return wire
    loader = _PART_LOADERS.get(kind)
    out: dict[str, Any] | None = None
    taken, spelled = {"type"}, dict[str, Any]()
    if loader is not None:
        out = loader(wire, taken, spelled)
    if out is None:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    if len(wire) > 2:
        load_cache(wire, out, taken, profile.cache)
    nested = out.pop("<nested>", None)
    rest = {key: value for key, value in wire.items() if key not in taken}
    if nested:
        rest.update(nested)
        spelled["within"] = list(nested)
    if spelled:
        rest[SPELLING] = spelled
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _load_text(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    taken.add("text")
    return {"type": "text", "text": wire["text"]}


def _load_image(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    taken.add("image_url")
    image = wire["image_url"]
    if type(image) is str:
        spelled["image_url"] = "text"
        return {"type": "image_url", "image_url": {"url": image}}
    known = {key: image[key] for key in ("url", "detail") if image.get(key) is not None}
    if type(known.get("detail", "")) is not str:
        del known["detail"]
    rest = {key: value for key, value in image.items() if key not in known}
    if rest:
        known["provider_data"] = {FAMILY: rest}
    return {"type": "image_url", "image_url": known}


def _load_audio(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    audio = wire["input_audio"]
    if type(audio) is not dict:
        return None
    taken.add("input_audio")
    known = {key: audio[key] for key in ("data", "format")}
    rest = {key: value for key, value in audio.items() if key not in known}
    if rest:
        known["provider_data"] = {FAMILY: rest}
    return {"type": "input_audio", "input_audio": known}


def _load_file(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    file = dict(wire["file"])
    data, file_id = file.get("file_data"), file.get("file_id")
    if data is not None:
        media = read_data_uri(data)
        if media is not None:
            source = {"type": "base64", "data": media.data, "media_type": media.media_type}
        elif data.startswith(("http:", "https:", "data:")):
            source = {"type": "url", "url": data}
        else:
            source = {"type": "base64", "data": data}
        del file["file_data"]
    elif file_id is not None:
        source = {"type": "file_id", "file_id": file_id, "issuer": FAMILY}
        del file["file_id"]
    else:
        return None
    taken.add("file")
    out: dict[str, Any] = {"type": "file", "source": source}
    if file.get("filename") is not None:
        out["filename"] = file.pop("filename")
    if file:
        out["<nested>"] = {"file": file}
    return out


def _load_refusal(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    taken.add("refusal")
    return {"type": "refusal", "refusal": wire["refusal"]}


def load_thinking(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    """A thinking block in Anthropic's shape; whoever signed it is Anthropic, whichever host passes it on."""
    if type(wire.get("thinking")) is not str:
        return None
    taken.add("thinking")
    out = {"type": "thinking", "thinking": wire["thinking"]}
    if type(wire.get("signature")) is str:
        taken.add("signature")
        out |= {"signature": wire["signature"], "issuer": "anthropic"}
    return out


def load_redacted(wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any] | None:
    """A redacted thinking block in Anthropic's shape."""
    if type(wire.get("data")) is not str:
        return None
    taken.add("data")
    return {"type": "redacted_thinking", "data": wire["data"], "issuer": "anthropic"}


_PART_LOADERS: dict[str, Any] = {
    "text": _load_text,
    "image_url": _load_image,
    "input_audio": _load_audio,
    "file": _load_file,
    "refusal": _load_refusal,
    "thinking": load_thinking,
    "redacted_thinking": load_redacted,
}


def dump_part(part: AnyPart, path: str, at: str, d: ChatDumping, role: str) -> Wire | None:
    """A content part for a message of `role`; None, and told, where it has no place there."""
    if part.type == "text":
        out: Wire | None = {"type": "text", "text": part.text}
    elif part.type == "opaque":
        if part.format == FAMILY and (d.home or d.profile.open):
            d.notes.places[at] = path
            return copy_plain(part.value)  # type: ignore[no-any-return]
        d.notes.drop(path, f"only {part.format} knows parts of this type")
        return None
    elif part.type == "refusal" and (role == "assistant" or d.home):
        out = {"type": "refusal", "refusal": part.refusal}
    elif part.type in ("thinking", "redacted_thinking"):
        out = dump_thinking(part, path, d)
    elif not d.home and (not d.profile.media or role not in ("user", "tool") or (role == "tool" and not d.profile.tool_media)):
        out = None
        d.notes.drop(path, f"{part.type} parts have no place in a message of role {role}")
    else:
        out = _dump_media(part, path, at, d)
    if out is None:
        return None
    d.notes.places[at] = path
    if part.cache_control is not None:
        dump_cache(part, out, path, at, d, allowed=part.type != "refusal")
    if part.provider_data is not None:
        d.extras(part, out, path, at, _NO_FIELDS, _CACHE_FIELDS)
    return out


def _dump_media(part: AnyPart, path: str, at: str, d: ChatDumping) -> Wire | None:
    if part.type == "image_url":
        if d.home and spelling(part, FAMILY, "image_url") == "text":
            return {"type": "image_url", "image_url": part.image_url.url}
        image: Wire = {"url": part.image_url.url}
        if part.image_url.detail is not None:
            image["detail"] = part.image_url.detail
        if part.image_url.provider_data is not None:
            d.extras(part.image_url, image, path + "/image_url", at + "/image_url", _NO_FIELDS)
        return {"type": "image_url", "image_url": image}
    if part.type == "input_audio":
        audio: Wire = {"data": part.input_audio.data, "format": part.input_audio.format}
        if part.input_audio.provider_data is not None:
            d.extras(part.input_audio, audio, path + "/input_audio", at + "/input_audio", _NO_FIELDS)
        return {"type": "input_audio", "input_audio": audio}
    if part.type == "image":
        return _dump_image(part, path, d)
    if part.type == "file":
        return _dump_file(part, path, at, d)
    if part.type == "audio" and part.source.type == "base64":
        kind = (part.source.media_type or "").removeprefix("audio/")
        if kind in ("wav", "mp3") or (kind and d.profile.open):
            return {"type": "input_audio", "input_audio": {"data": part.source.data, "format": kind}}
    d.notes.drop(path, f"{part.type} parts have no place here")
    return None


def _dump_image(part: Any, path: str, d: ChatDumping) -> Wire | None:
    source = part.source
    if source.type == "url":
        image = {"url": source.url}
    elif source.type == "base64" and source.media_type is not None:
        image = {"url": data_uri(Media(source.media_type, source.data))}
    else:
        d.notes.drop(path, "images are given by URL or by base64 with a media type")
        return None
    if part.detail is not None:
        image["detail"] = part.detail
    return {"type": "image_url", "image_url": image}


def _dump_file(part: FilePart, path: str, at: str, d: ChatDumping) -> Wire | None:
    source = part.source
    file: Wire = {}
    if source.type == "file_id":
        if not d.home and source.issuer is not None and not d.profile.issuers & {source.issuer, "*"}:
            d.notes.drop(path, f"the file id is known to {source.issuer} only")
            return None
        file["file_id"] = source.file_id
    elif source.type == "url":
        if not d.home and d.profile.cache != "cache_control" and not source.url.startswith("data:"):
            d.notes.drop(path, "documents are not taken by URL")
            return None
        file["file_data"] = source.url
    elif source.type == "base64":
        file["file_data"] = source.data if source.media_type is None else data_uri(Media(source.media_type, source.data))
    else:
        file["file_data"] = data_uri(Media(source.media_type or "text/plain", encode_text(source.text)))
    if part.filename is not None:
        file["filename"] = part.filename
    elif not d.notes.native and source.type in ("base64", "text"):
        kind = (file["file_data"].removeprefix("data:")).partition(";")[0]
        file["filename"] = invented_filename(kind)
        d.notes.tell("added", path, at + "/file/filename", "file data needs a file name")
    return {"type": "file", "file": file}


def dump_thinking(part: ThinkingPart | RedactedThinkingPart, path: str, d: ChatDumping) -> Wire | None:
    """A thinking block in Anthropic's shape."""
    if part.type == "redacted_thinking":
        if _foreign(part, d):
            d.notes.drop(path, f"only {part.issuer} can read it")
            return None
        return {"type": "redacted_thinking", "data": part.data}
    out = {"type": "thinking", "thinking": part.thinking}
    if part.signature is not None:
        if _foreign(part, d):
            d.notes.drop(path + "/signature", f"only {part.issuer} can verify it")
        else:
            out["signature"] = part.signature
    return out


def _foreign(part: ThinkingPart | RedactedThinkingPart, d: ChatDumping) -> bool:
    return not d.home and part.issuer is not None and not d.profile.signers & {part.issuer, "*"}


# Content


def load_content(wire: Wire, out: dict[str, Any], spelled: Wire, profile: ChatProfile) -> None:
    """A message's content, where it cannot be null: null is recorded, and read as no text."""
    content = wire["content"]
    if content is None:
        spelled["content"] = "null"
        out["content"] = ""
    else:
        out["content"] = content if type(content) is str else [load_part(part, profile) for part in content]


def dump_content(content: str | tuple[AnyPart, ...], path: str, at: str, d: ChatDumping, role: str) -> Any:
    """Content as text or list, as the profile says; None where all of it had to be left out."""
    if isinstance(content, str):
        return content if d.home or d.profile.content != "list" else [{"type": "text", "text": content}]
    parts: list[Wire] = []
    for i, part in enumerate(content):
        out = dump_part(part, f"{path}/content/{i}", f"{at}/content/{len(parts)}", d, role)
        if out is not None:
            parts.append(out)
    return as_profiled(parts, path, at, d) if parts or d.home else None


def as_profiled(parts: list[Wire], path: str, at: str, d: ChatDumping) -> Any:
    """A list of parts, or the one string that a host wants where they are text alone."""
    if d.home:
        return parts
    if d.profile.content != "string" or not all(part.get("type") == "text" for part in parts):
        return parts if parts else ""
    for i, part in enumerate(parts):
        origin = d.notes.places.pop(f"{at}/content/{i}")
        if len(parts) > 1:
            d.notes.tell("changed", origin, f"{at}/content", "its texts are joined with line breaks into one")
        else:
            d.notes.places[f"{at}/content"] = origin
        for key in part.keys() - {"type", "text"}:
            field = "cache_control" if key in _CACHE_FIELDS else f"provider_data/{FAMILY}/{escape(key)}"
            d.notes.drop(f"{origin}/{field}", "text without parts holds no fields")
    for i in reversed(range(len(d.notes.losses))):
        loss = d.notes.losses[i]
        if loss.at is None or not loss.at.startswith(at):
            break
        if loss.at.startswith(f"{at}/content/"):
            d.notes.losses[i] = loss._replace(at=f"{at}/content")
    return "\n".join(part["text"] for part in parts)


# Messages

_ROLES = frozenset({"system", "developer", "user", "tool", "function"})


def load_messages(wires: list[Any], profile: ChatProfile) -> list[Any]:
    """Messages not yet validated canonically; raises pydantic's `ValidationError` at the first bad one."""
    out = []
    for wire in wires:
        # The commonest messages are canonical as they stand: the canonical validation is the one look that they need.
        if type(wire) is dict and type(wire.get("content")) is str:
            role = wire.get("role")
            if len(wire) == 2 and (role == "user" or role == "assistant" or role == "system"):
                out.append(wire)
                continue
            if len(wire) == 3 and role == "tool" and type(wire.get("tool_call_id")) is str:
                out.append(wire)
                continue
        out.append(load_message(wire, profile))
    return out


def load_message(wire: Any, profile: ChatProfile) -> dict[str, Any]:
    """A message; one of an unknown role is kept whole."""
    if profile.tool_calls == "nested" and type(wire) is dict and (plain := _load_plain_calls(wire)):
        return plain
    wire = validators()[1].validate_python(wire)
    role = wire["role"]
    if role == "assistant":
        return load_assistant(wire, profile)
    if role == "text" and profile.text_role and type(wire.get("content")) is str:
        return leave({"role": role, "content": wire["content"]}, wire, frozenset({"role", "content"}), FAMILY)
    if role not in _ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    taken, spelled = {"role", "content"}, dict[str, Any]()
    out: dict[str, Any] = {"role": role}
    if role == "function":
        out["role"] = "tool"
        spelled["role"] = "function"
    load_content(wire, out, spelled, profile)
    for key in ("name", "tool_call_id") if out["role"] == "tool" else ("name",):
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    load_cache(wire, out, taken, profile.cache if profile.message_cache else None)
    return leave(out, wire, frozenset(taken), FAMILY, spelled)


def dump_message(message: Message, path: str, d: ChatDumping) -> None:
    """Append a message's wire form, one or several messages, to those written so far."""
    if d.strays and message.role != "tool":
        flush_strays(d)
    at = f"/messages/{len(d.messages)}"
    after_results, d.ends_with_results = d.ends_with_results, False
    if message.role == "assistant":
        dump_assistant(message, path, at, d)
    elif message.role == "tool":
        dump_tool_message(message, message, path, d)
    elif message.role == "opaque":
        if message.format == FAMILY and (d.home or d.profile.open):
            d.notes.places[at] = path
            d.messages.append(copy_plain(message.value))
        else:
            d.notes.drop(path, f"only {message.format} knows messages of this kind")
    elif message.role == "text":
        kept = d.home or d.profile.text_role
        d.messages.append({"role": "text" if kept else "user", "content": message.content})
        d.notes.places[at] = path
        if not kept:
            d.notes.tell("changed", path, at, "completion text becomes a user message")
        _dump_frame(message, d.messages[-1], path, at, d)
    elif message.role == "user" and type(message.content) is tuple and any(p.type == "tool_result" for p in message.content):
        dump_results(message, path, d)
    else:
        if after_results and message.role == "user" and not d.home:
            d.notes.tell("moved", path, at, "nothing keeps it apart from the tool results before it")
        _dump_plain(message, path, at, d)


def _dump_plain(message: Any, path: str, at: str, d: ChatDumping) -> None:
    role: str = message.role
    if role == "developer" and not d.profile.developer and not d.home:
        role = "system"
        d.notes.tell("changed", path, at, "the developer role becomes system")
    out: Wire = {"role": role}
    content = dump_content(message.content, path, at, d, role)
    if content is None:
        d.notes.drop(path, "nothing that it holds has a place here")
        return
    if d.home and content == "" and spelling(message, FAMILY, "content") == "null":
        content = None
    out["content"] = content
    d.notes.places[at] = path
    if role == "system" and type(message.content) is str and type(content) is str:
        # Where system text stands alone, the text and its message are one place, so neither goes without saying.
        d.notes.places[at + "/content"] = path + "/content"
    _dump_frame(message, out, path, at, d)
    d.messages.append(out)


def _dump_frame(message: Any, out: Wire, path: str, at: str, d: ChatDumping) -> None:
    """Name, cache mark and provider data."""
    if message.name is not None:
        if d.home or (d.profile.tool_name if out["role"] == "tool" else d.profile.names):
            out["name"] = message.name
        else:
            d.notes.drop(path + "/name", f"messages of role {out['role']} have no name here")
    if message.cache_control is not None:
        dump_cache(message, out, path, at, d, allowed=d.profile.message_cache)
    if message.provider_data is not None:
        d.extras(message, out, path, at, _MESSAGE_FIELDS)


def dump_tool_message(message: ToolMessage | ToolResultPart, owner: Any, path: str, d: ChatDumping) -> None:
    """A tool's result as a message of its own; what it cannot hold waits for the user message behind the results."""
    at = f"/messages/{len(d.messages)}"
    out: Wire = {"role": "tool"}
    raw = message.tool_call_id if isinstance(message, ToolMessage) else message.tool_use_id
    legacy = spelling(owner, FAMILY, "role") == "function"
    if d.home and legacy:
        out["role"] = "function"
    if d.home:
        if raw is not None:
            out["tool_call_id"] = raw
    elif raw is not None:
        out["tool_call_id"] = d.ids.result(raw, f"{path}/{'tool_call_id' if isinstance(message, ToolMessage) else 'tool_use_id'}")
    else:
        out["tool_call_id"] = d.ids.result_without_id() or d.ids.call_without_id()
        d.notes.tell("changed", path, at, "results need the id of a call")
    content = message.content
    if content is None:
        content = ""
    elif not d.home and not isinstance(content, str) and not d.profile.tool_media:
        strays = [(f"{path}/content/{i}", part) for i, part in enumerate(content) if part.type not in ("text", "opaque")]
        d.strays += strays if d.profile.media else []
        kept = [(i, part) for i, part in enumerate(content) if part.type in ("text", "opaque") or not d.profile.media]
        parts: list[Wire] = []
        for i, part in kept:
            dumped = dump_part(part, f"{path}/content/{i}", f"{at}/content/{len(parts)}", d, "tool")
            if dumped is not None:
                parts.append(dumped)
        content = as_profiled(parts, path, at, d)
    else:
        content = dump_content(content, path, at, d, "tool")
        if content is None:
            content = ""
    if d.home and content == "" and spelling(owner, FAMILY, "content") == "null":
        content = None
    out["content"] = content
    d.notes.places[at] = path
    if message.is_error is not None:
        d.notes.drop(path + "/is_error", "results have no error flag here")
    _dump_frame(message, out, path, at, d)
    d.messages.append(out)


def dump_results(message: UserMessage, path: str, d: ChatDumping) -> None:
    """A user message with tool results: the results first, each its own message, then the rest."""
    assert isinstance(message.content, tuple)  # noqa: S101 -- told by the caller
    rest: list[tuple[str, AnyPart]] = []
    late = [i for i, part in enumerate(message.content) if part.type == "tool_result"][-1]
    for i, part in enumerate(message.content):
        where = f"{path}/content/{i}"
        if part.type == "tool_result":
            dump_tool_message(part, part, where, d)
        else:
            rest.append((where, part))
            if i < late:
                d.notes.tell("moved", where, None, "tool results come first")
    strays, d.strays = d.strays, []
    at = f"/messages/{len(d.messages)}"
    out: Wire = {"role": "user"}
    parts: list[Wire] = []
    for where, part in strays + rest:
        dumped = dump_part(part, where, f"{at}/content/{len(parts)}", d, "user")
        if dumped is not None:
            if (where, part) in strays:
                d.notes.tell("moved", where, f"{at}/content/{len(parts)}", "tool messages hold text only")
            parts.append(dumped)
    if parts:
        out["content"] = as_profiled(parts, path, at, d)
        if rest:
            d.notes.places[at] = path
        else:
            d.notes.tell("added", path, at, "a user message for what tool messages cannot hold")
        d.messages.append(out)
    else:
        d.ends_with_results = True
    _dump_frame(message, out, path, at, d)


def flush_strays(d: ChatDumping) -> None:
    """The images and files of the tool messages before, as a user message behind them."""
    strays, d.strays = d.strays, []
    at = f"/messages/{len(d.messages)}"
    parts: list[Wire] = []
    for path, part in strays:
        dumped = dump_part(part, path, f"{at}/content/{len(parts)}", d, "user")
        if dumped is not None:
            d.notes.tell("moved", path, f"{at}/content/{len(parts)}", "tool messages hold text only")
            if not parts:
                d.notes.tell("added", path, at, "a user message for what tool messages cannot hold")
            parts.append(dumped)
    if parts:
        d.messages.append({"role": "user", "content": parts})


# Assistant messages


def load_assistant(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """An assistant message, flat; reasoning is read from whichever fields hold it."""
    out: dict[str, Any] = {"role": "assistant"}
    taken, spelled = {"role"}, dict[str, Any]()
    if "content" in wire:
        content = wire["content"]
        out["content"] = content if content is None or type(content) is str else [load_part(p, profile) for p in content]
        taken.add("content")
    calls = wire.get("tool_calls")
    if calls is not None:
        out["tool_calls"] = [load_call(call, profile) for call in calls]
        taken.add("tool_calls")
    if len(taken) < len(wire):
        for key in ("refusal", "name"):
            if wire.get(key) is not None:
                out[key] = wire[key]
                taken.add(key)
        if not calls and wire.get("function_call") is not None:
            legacy = dict(wire["function_call"])
            call = {"name": legacy.pop("name"), "arguments": legacy.pop("arguments")}
            if type(call["arguments"]) is str:
                out["tool_calls"] = [call | ({"provider_data": {FAMILY: legacy}} if legacy else {})]
                spelled["tool_calls"] = "function_call"
                taken.add("function_call")
                if calls is not None:
                    spelled["also"] = "tool_calls"
        load_reasoning(wire, out, taken, spelled, profile)
        load_cache(wire, out, taken, profile.cache if profile.message_cache else None)
        return leave(out, wire, frozenset(taken), FAMILY, spelled)
    return out


def dump_assistant(message: AssistantMessage, path: str, at: str, d: ChatDumping) -> None:
    """An assistant message, flat; the order of thinking, text and calls is told where it is lost."""
    out: Wire = {"role": "assistant"}
    content, calls = message.content, [(f"{path}/tool_calls/{i}", call) for i, call in enumerate(message.tool_calls or ())]
    thinking: list[tuple[str, Any]] = []
    late: set[str] = set()
    if isinstance(content, tuple):
        parts: list[Wire] = []
        for i, part in enumerate(content):
            where = f"{path}/content/{i}"
            if part.type == "tool_use":
                calls.append((where, part))  # type: ignore[arg-type]
            elif part.type in ("thinking", "redacted_thinking") and not d.home:
                thinking.append((where, part))
                if parts or calls:
                    late.add(where)
            else:
                dumped = dump_part(part, where, f"{at}/content/{len(parts)}", d, "assistant")
                if dumped is not None:
                    if calls and not d.home:
                        d.notes.tell("moved", where, f"{at}/content/{len(parts)}", "text stands before the tool calls")
                    parts.append(dumped)
        content = as_profiled(parts, path, at, d) if parts or d.home else None
    dump_reasoning(message, thinking, late, out, path, at, d)
    if calls:
        _dump_calls(message, calls, out, at, d)
    elif message.tool_calls is not None and d.home:
        out["tool_calls"] = []
    elif "tool_calls" in message and d.home:
        out["tool_calls"] = None
    if message.refusal is not None:
        out["refusal"] = message.refusal
    if isinstance(content, str) and d.profile.content == "list" and not d.home:
        content = [{"type": "text", "text": content}]
    said = len(out) > 1
    _dump_frame(message, out, path, at, d)
    if content is not None or (d.home and "content" in message):
        out["content"] = content
    elif not d.home:
        if not said and "audio" not in out:
            d.notes.drop(path, "nothing that it says has a place here")
            return
        if d.profile.empty_content != "absent":
            out["content"] = None if d.profile.empty_content == "null" else ""
    d.notes.places[at] = path
    d.messages.append(out)


# Reasoning

_DETAIL_FIELDS = {"reasoning.text": "text", "reasoning.summary": "summary", "reasoning.encrypted": "data"}
_DETAIL_ISSUERS = {"anthropic": "anthropic", "openai": "openai", "azure": "openai", "google": "gemini", "xai": "xai"}
_DETAIL_FORMATS = {"anthropic": "anthropic-claude-v1", "openai": "openai-responses-v1", "gemini": "google-gemini-v1"}


def load_reasoning(wire: Wire, out: dict[str, Any], taken: set[str], spelled: Wire, profile: ChatProfile) -> None:
    """Reasoning text from `reasoning_content` or `reasoning`, blocks from `thinking_blocks` or `reasoning_details`."""
    text, other = wire.get("reasoning_content"), wire.get("reasoning")
    if type(text) is str:
        out["reasoning_content"] = text
        taken.add("reasoning_content")
        if text == other:
            taken.add("reasoning")
            spelled["reasoning"] = "both"
        elif profile.reasoning == "reasoning":
            spelled["reasoning"] = "reasoning_content"
    elif type(other) is str:
        out["reasoning_content"] = other
        taken.add("reasoning")
        if profile.reasoning != "reasoning":
            spelled["reasoning"] = "reasoning"
    blocks = wire.get("thinking_blocks")
    if type(blocks) is list:
        read = [_load_block(block) for block in blocks]
        if None not in read:
            out["thinking_blocks"] = read
            taken.add("thinking_blocks")
            if profile.reasoning == "reasoning_details":
                spelled["thinking"] = "thinking_blocks"
            return
    details = wire.get("reasoning_details")
    if type(details) is list:
        read = [_load_detail(detail) for detail in details]
        if None not in read:
            out["thinking_blocks"] = read
            taken.add("reasoning_details")
            if profile.reasoning != "reasoning_details":
                spelled["thinking"] = "reasoning_details"


def _load_block(block: Any) -> dict[str, Any] | None:
    if type(block) is not dict or block.get("type") not in ("thinking", "redacted_thinking"):
        return None
    taken, spelled = {"type"}, dict[str, Any]()
    out = (load_thinking if block["type"] == "thinking" else load_redacted)(block, taken, spelled)
    return None if out is None else leave(out, block, frozenset(taken), FAMILY)


def _load_detail(detail: Any) -> dict[str, Any] | None:
    field = _DETAIL_FIELDS.get(detail.get("type")) if type(detail) is dict and type(detail.get("type")) is str else None
    if field is None or type(detail.get(field, "")) is not str:
        return None
    taken, spelled = {"type", field}, dict[str, Any]()
    text = detail.get(field)
    if text is None:
        if field == "data":
            return None
        text, spelled["text"] = "", "absent"
    label = detail.get("format")
    issuer = _DETAIL_ISSUERS.get(label.partition("-")[0], label) if type(label) is str else "openrouter"
    out: dict[str, Any] = {"type": "thinking", "thinking": text}
    if field == "data":
        out = {"type": "redacted_thinking", "data": text, "issuer": issuer}
    elif field == "summary":
        out["summary"] = True
    elif type(detail.get("signature")) is str:
        taken.add("signature")
        out |= {"signature": detail["signature"], "issuer": issuer}
    if "issuer" in out and _DETAIL_FORMATS.get(issuer) == label:
        # The issuer tells the format; it is written again from there.
        taken.add("format")
        spelled["format"] = label
    return leave(out, detail, frozenset(taken), FAMILY, spelled)


def dump_reasoning(
    message: AssistantMessage,
    thinking: list[tuple[str, Any]],
    late: Container[str],
    out: Wire,
    path: str,
    at: str,
    d: ChatDumping,
) -> None:
    """Reasoning in the fields it came in, or in the one field that the host has; told where there is none."""
    blocks = [(f"{path}/thinking_blocks/{i}", block) for i, block in enumerate(message.thinking_blocks or ())] + thinking
    text = message.reasoning_content
    if d.home:
        if "reasoning_content" in message:
            field = spelling(message, FAMILY, "reasoning") or ("reasoning" if d.profile.reasoning == "reasoning" else "reasoning_content")
            out.update(dict.fromkeys(("reasoning_content", "reasoning") if field == "both" else (field,), text))
        if "thinking_blocks" in message:
            field = spelling(message, FAMILY, "thinking") or (
                "reasoning_details" if d.profile.reasoning == "reasoning_details" else "thinking_blocks"
            )
            out[field] = None if message.thinking_blocks is None else _dump_blocks(blocks, field, at, d)
        return
    field = d.profile.reasoning
    if field in ("thinking_blocks", "reasoning_details"):
        if text is not None and text != "".join(b.thinking for _, b in blocks if b.type == "thinking"):
            blocks.insert(0, (f"{path}/reasoning_content", ThinkingPart(thinking=text)))
            if field == "thinking_blocks":
                del blocks[0]
        if text is not None and field == "thinking_blocks":
            out["reasoning_content"] = text
            d.notes.places[at + "/reasoning_content"] = path + "/reasoning_content"
        written = _dump_blocks(blocks, field, at, d, late)
        if written:
            out[field] = written
    elif field is None:
        if text is not None:
            d.notes.drop(path + "/reasoning_content", "there is no place for reasoning")
        for where, _ in blocks:
            d.notes.drop(where, "there is no place for reasoning")
    else:
        _dump_reasoning_text(text, blocks, late, field, out, path, at, d)


def _dump_reasoning_text(
    text: str | None,
    blocks: list[tuple[str, Any]],
    late: Container[str],
    field: str,
    out: Wire,
    path: str,
    at: str,
    d: ChatDumping,
) -> None:
    readable = [block for _, block in blocks if block.type == "thinking"]
    told = "".join(block.thinking for block in readable)
    whole = told if text is None or text == told else text + told
    if whole or text is not None:
        out[field] = whole
        if text is not None and not (len(readable) == 1 and whole == told):
            d.notes.places[f"{at}/{field}"] = path + "/reasoning_content"
    for where, block in blocks:
        if block.type == "redacted_thinking" or field not in out:
            d.notes.drop(where, "only readable reasoning has a place")
        elif len(readable) > 1 or whole != told:
            d.notes.tell("changed", where, f"{at}/{field}", "all reasoning becomes one text")
        else:
            d.notes.places[f"{at}/{field}"] = where
            if where in late:
                d.notes.tell("moved", where, f"{at}/{field}", _LATE)
            if block.summary is not None:
                d.notes.tell("changed", where, f"{at}/{field}", "summaries are not marked as such")
            for key in ("signature", "cache_control"):
                if getattr(block, key) is not None:
                    d.notes.drop(f"{where}/{key}", "reasoning is text alone")
            if block.provider_data is not None:
                d.extras(block, {}, where, f"{at}/{field}", _NO_FIELDS, EVERY)


_LATE = "reasoning stands before the text and the calls"


def _dump_blocks(
    blocks: list[tuple[str, Any]], field: str, at: str, d: ChatDumping, late: Container[str] = frozenset()
) -> list[Wire]:
    written: list[Wire] = []
    for where, block in blocks:
        here = f"{at}/{field}/{len(written)}"
        out = dump_thinking(block, where, d)
        if out is None:
            continue
        if field == "reasoning_details":
            out = _as_detail(block, out, d)
        elif block.type == "thinking" and block.summary is not None:
            d.notes.tell("changed", where, here, "summaries are not marked as such")
        if where in late:
            d.notes.tell("moved", where, here, _LATE)
        d.notes.places[here] = where
        if block.cache_control is not None:
            dump_cache(block, out, where, here, d)
        if block.provider_data is not None:
            d.extras(block, out, where, here, _NO_FIELDS)
        written.append(out)
    return written


def _as_detail(block: Any, out: Wire, d: ChatDumping) -> Wire:
    if block.type == "redacted_thinking":
        detail: Wire = {"type": "reasoning.encrypted", "data": out["data"]}
    elif block.summary:
        detail = {"type": "reasoning.summary", "summary": out["thinking"]}
    else:
        detail = {"type": "reasoning.text", "text": out["thinking"]}
        if spelling(block, FAMILY, "text") == "absent" and not block.thinking:
            del detail["text"]
        if "signature" in out:
            detail["signature"] = out["signature"]
    overlay = (block.provider_data or {}).get(FAMILY, {})
    label = spelling(block, FAMILY, "format")
    if label is None and not d.home and "format" not in overlay:
        label = _DETAIL_FORMATS.get(block.issuer)
    if label is not None:
        detail["format"] = label
    return detail


# Tool calls


def _load_plain_calls(wire: Wire) -> dict[str, Any] | None:
    """An assistant message of text and calls in the plainest shape, which needs no validation but the canonical one."""
    content, calls = wire.get("content"), wire.get("tool_calls")
    if len(wire) != 3 or wire.get("role") != "assistant" or type(calls) is not list or "content" not in wire:
        return None
    if content is not None and type(content) is not str:
        return None
    read = []
    for call in calls:
        if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
            return None
        function, raw = call.get("function"), call.get("id")
        if type(function) is not dict or len(function) != 2 or type(raw) is not str:
            return None
        name, arguments = function.get("name"), function.get("arguments")
        if type(name) is not str or type(arguments) is not str:
            return None
        read.append({"id": raw, "name": name, "arguments": arguments})
    return {"role": "assistant", "content": content, "tool_calls": read}


def load_call(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A tool call, nested or flat, of a function or a custom tool."""
    if "function" in wire:
        function = wire["function"]
        arguments = function["arguments"]
        out = {"name": function["name"], "arguments": arguments if type(arguments) is str else _to_json(copy_json(arguments))}
        if wire.get("id") is not None:
            out["id"] = wire["id"]
        if len(wire) == 3 and len(function) == 2 and type(arguments) is str and "id" in out and wire.get("type") == "function":
            if profile.tool_calls == "flat":
                out["provider_data"] = {FAMILY: {SPELLING: {"call": "nested"}}}
            return out
        inner = {key: value for key, value in function.items() if key not in ("name", "arguments")}
        spelled: Wire = {"call": "nested"} if profile.tool_calls == "flat" else {}
        if type(arguments) is not str:
            spelled["arguments"] = "object"
        return _leave_call(out, wire, "function", inner, spelled)
    if "custom" in wire:
        custom = wire["custom"]
        out = {"name": custom["name"], "arguments": custom["input"], "custom": True}
        if wire.get("id") is not None:
            out["id"] = wire["id"]
        inner = {key: value for key, value in custom.items() if key not in ("name", "input")}
        return _leave_call(out, wire, "custom", inner, {})
    out = {key: wire[key] for key in ("id", "name", "arguments") if wire.get(key) is not None}
    spelled = {} if profile.tool_calls == "flat" else {"call": "flat"}
    taken = set(out)
    if wire.get("type") == "function":
        taken.add("type")
        spelled["type"] = "function"
    return leave(out, wire, frozenset(taken), FAMILY, spelled)


def _leave_call(out: dict[str, Any], wire: Wire, kind: str, inner: Wire, spelled: Wire) -> dict[str, Any]:
    rest = {key: value for key, value in wire.items() if key not in ("type", kind) and not (key == "id" and "id" in out)}
    if wire.get("type") != kind:
        if "type" in wire:
            rest["type"] = wire["type"]
        spelled["type"] = "other"
    if inner:
        rest[kind] = inner
        spelled["within"] = [kind]
    if spelled:
        rest[SPELLING] = spelled
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _dump_calls(message: AssistantMessage, calls: list[tuple[str, Any]], out: Wire, at: str, d: ChatDumping) -> None:
    legacy = spelling(message, FAMILY, "tool_calls") == "function_call"
    if legacy and d.home and len(calls) == 1:
        call = calls[0][1]
        out["function_call"] = {"name": call.name, "arguments": call.arguments}
        if call.provider_data is not None:
            d.extras(call, out["function_call"], calls[0][0], at + "/function_call", _NO_FIELDS)
        if spelling(message, FAMILY, "also") == "tool_calls":
            out["tool_calls"] = []
        return
    out["tool_calls"] = [dump_call(call, path, f"{at}/tool_calls/{i}", d) for i, (path, call) in enumerate(calls)]


def dump_call(call: ToolCall | ToolUsePart, path: str, at: str, d: ChatDumping) -> Wire:
    """A tool call as the host spells it."""
    d.notes.places[at] = path
    arguments = call.arguments
    out: Wire = {}
    if d.home:
        if call.id is not None:
            out["id"] = call.id
    elif call.id is not None:
        out["id"] = d.ids.call(call.id, path)
    else:
        out["id"] = d.ids.call_without_id()
        d.notes.tell("changed", path, at, "tool calls need an id")
    shape = (d.home and spelling(call, FAMILY, "call")) or d.profile.tool_calls
    typed = not (d.home and spelling(call, FAMILY, "type") == "other")
    if shape == "flat":
        out |= {"name": call.name, "arguments": arguments}
        if d.home and spelling(call, FAMILY, "type") == "function":
            out["type"] = "function"
        if call.custom:
            d.notes.tell("changed", path, at, "a custom tool's call becomes a function's")
    elif call.custom:
        out |= {"type": "custom"} if typed else {}
        out["custom"] = {"name": call.name, "input": arguments}
    else:
        out |= {"type": "function"} if typed else {}
        as_object = d.home and spelling(call, FAMILY, "arguments") == "object"
        out["function"] = {"name": call.name, "arguments": json.loads(arguments) if as_object else arguments}
    if call.cache_control is not None:
        d.notes.drop(path + "/cache_control", "there is no cache mark in this place")
    if call.provider_data is not None:
        # What stood inside a nested call has no place in a flat one.
        refused = frozenset({"function", "custom"}) if shape == "flat" else _NO_FIELDS
        d.extras(call, out, path, at, _NO_FIELDS, refused)
    return out


# Tools and the choice among them

_FUNCTION_FIELDS = ("name", "description", "parameters", "strict")


def load_tool(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A function tool; any other is kept whole."""
    function = wire.get("function")
    if wire.get("type") not in (None, "function") or type(function) is not dict or type(function.get("name")) is not str:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    out, inner = _load_function(function)
    taken, spelled = {"function"}, dict[str, Any]()
    if wire.get("type") == "function":
        taken.add("type")
    else:
        spelled["type"] = "other"
    load_cache(wire, out, taken, profile.cache if profile.message_cache else None)
    rest = {key: value for key, value in wire.items() if key not in taken}
    if inner:
        rest["function"] = inner
        spelled["within"] = ["function"]
    if spelled:
        rest[SPELLING] = spelled
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _load_function(function: Wire) -> tuple[dict[str, Any], Wire]:
    known = {key: function[key] for key in _FUNCTION_FIELDS if function.get(key) is not None}
    return {"type": "function", **known}, {key: value for key, value in function.items() if key not in known}


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: ChatDumping, *, legacy: bool = False) -> Wire | None:
    """A tool as it was, or as the host spells a function."""
    if isinstance(tool, OpaqueTool):
        custom = tool.format == FAMILY and tool.value.get("type") == "custom"
        if tool.format == FAMILY and (d.home or d.profile.open or custom):
            d.notes.places[at] = path
            return copy_plain(tool.value)  # type: ignore[no-any-return]
        d.notes.drop(path, f"only {tool.format} has this tool")
        return None
    d.notes.places[at] = path
    function: Wire = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = copy_plain(tool.parameters)
    if tool.strict is not None:
        function["strict"] = tool.strict
    out: Wire = function if legacy else {"type": "function", "function": function}
    if d.home and spelling(tool, FAMILY, "type") == "other":
        del out["type"]
    if tool.cache_control is not None:
        dump_cache(tool, out, path, at, d, allowed=d.profile.message_cache)
    if tool.provider_data is not None:
        d.extras(tool, out, path, at, _NO_FIELDS)
    return out


def load_tool_choice(choice: Any) -> dict[str, Any] | None:
    """The choice among tools; None for what only this format can say."""
    if choice in ("auto", "none", "required") if type(choice) is str else False:
        return {"type": choice}
    if type(choice) is dict and choice.keys() == {"type", "function"} and choice["type"] == "function":
        function = choice["function"]
        if type(function) is dict and function.keys() == {"name"} and type(function["name"]) is str:
            return {"type": "tool", "name": function["name"]}
    return None


def dump_tool_choice(choice: ToolChoice, *, legacy: bool = False) -> Any:
    """The choice among tools."""
    if choice.type != "tool":
        return choice.type
    return {"name": choice.name} if legacy else {"type": "function", "function": {"name": choice.name}}


def load_response_format(wire: Wire) -> tuple[dict[str, Any], Wire] | None:
    """The form that the answer is to have, and what else was said of it; None for an unknown type."""
    kind = wire.get("type")
    if kind in ("text", "json_object"):
        return {"type": kind}, {key: value for key, value in wire.items() if key != "type"}
    schema = wire.get("json_schema")
    if kind != "json_schema" or type(schema) is not dict:
        return None
    checks = {"name": str, "description": str, "strict": bool, "schema": dict}
    known = {key: schema[key] for key, of in checks.items() if type(schema.get(key)) is of}
    rest = {key: value for key, value in wire.items() if key not in ("type", "json_schema")}
    inner = {key: value for key, value in schema.items() if key not in known}
    if inner:
        rest["json_schema"] = inner
    if "schema" in known:
        known["json_schema"] = known.pop("schema")
    return {"type": kind} | known, rest


def dump_response_format(form: ResponseFormat, d: ChatDumping) -> Wire:
    """The form that the answer is to have."""
    if form.type != "json_schema":
        return {"type": form.type}
    schema: Wire = {key: getattr(form, key) for key in ("name", "description", "strict") if getattr(form, key) is not None}
    if form.json_schema is not None:
        schema["schema"] = copy_plain(form.json_schema)
    if "name" not in schema and not d.notes.native:
        schema["name"] = INVENTED_NAME
        d.notes.tell("added", "/response_format", "/response_format/json_schema/name", "a schema needs a name")
    return {"type": form.type, "json_schema": schema}


# Requests

_SAME = ("model", "temperature", "top_p", "top_k", "parallel_tool_calls", "reasoning_effort", "metadata", "user", "stream")


def load_request(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A request body as the data of a canonical request; raises pydantic's `ValidationError`, at the first bad message."""
    wire = validators()[0].validate_python(wire)
    out: dict[str, Any] = {}
    taken, spelled, rest = set[str](), dict[str, Any](), dict[str, Any]()
    if "messages" in wire:
        out["messages"] = load_messages(wire["messages"], profile)
        taken.add("messages")
    for key in _SAME:
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    for key in ("max_completion_tokens", "max_tokens"):
        if wire.get(key) is not None and "max_tokens" not in out:
            out["max_tokens"] = wire[key]
            taken.add(key)
            if key != profile.token_field:
                spelled["max_tokens"] = key
    stop = wire.get("stop")
    if stop is not None:
        out["stop"] = [stop] if type(stop) is str else stop
        taken.add("stop")
        if type(stop) is str:
            spelled["stop"] = "text"
    _load_tools(wire, out, taken, spelled, profile)
    form = wire.get("response_format")
    if form is not None and (read := load_response_format(form)) is not None:
        out["response_format"], more = read
        taken.add("response_format")
        if more:
            rest["response_format"] = more
            spelled["within"] = ["response_format"]
    rest |= {key: value for key, value in wire.items() if key not in taken}
    if spelled:
        rest[SPELLING] = spelled
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _load_tools(wire: Wire, out: dict[str, Any], taken: set[str], spelled: Wire, profile: ChatProfile) -> None:
    tools, functions = wire.get("tools"), wire.get("functions")
    if tools is not None:
        out["tools"] = [load_tool(tool, profile) for tool in tools]
        taken.add("tools")
    elif functions is not None and all(type(function.get("name")) is str for function in functions):
        out["tools"] = []
        for function in functions:
            tool, inner = _load_function(function)
            out["tools"].append(tool | ({"provider_data": {FAMILY: inner}} if inner else {}))
        taken.add("functions")
        spelled["tools"] = "functions"
    for key in ("tool_choice", "function_call"):
        if wire.get(key) is not None and "tool_choice" not in out:
            choice = load_tool_choice(wire[key])
            if key == "function_call" and type(wire[key]) is dict and wire[key].keys() == {"name"}:
                choice = {"type": "tool", "name": wire[key]["name"]} if type(wire[key]["name"]) is str else None
            if choice is not None:
                out["tool_choice"] = choice
                taken.add(key)
                if key == "function_call":
                    spelled["tool_choice"] = key


def dump_request(request: Request, given: Sequence[Message], notes: Dumping, profile: ChatProfile) -> Wire:
    """A request body."""
    d = ChatDumping(notes, profile)
    out: Wire = {"messages": d.messages}
    for i, message in enumerate(given):
        dump_message(message, f"/messages/{i}", d)
    if d.strays:
        flush_strays(d)
    if len(request.model_fields_set) == 1:
        return out
    for key in _SAME:
        value = getattr(request, key)
        if value is None:
            continue
        if key == "top_k" and not (d.home or profile.open):
            notes.drop("/top_k", "there is no such field")
        else:
            out[key] = copy_plain(value)
    if request.max_tokens is not None:
        out[(d.home and spelling(request, FAMILY, "max_tokens")) or profile.token_field] = request.max_tokens
    if request.stop is not None:
        _dump_stop(request, request.stop, out, d)
    if request.tools is not None:
        _dump_tools(request, request.tools, out, d)
    if request.tool_choice is not None:
        legacy = d.home and spelling(request, FAMILY, "tool_choice") == "function_call"
        out["function_call" if legacy else "tool_choice"] = dump_tool_choice(request.tool_choice, legacy=legacy)
    if request.response_format is not None:
        out["response_format"] = dump_response_format(request.response_format, d)
    for key in ("reasoning_budget", "caching"):
        if getattr(request, key) is not None:
            notes.drop("/" + key, "there is no such field")
    if request.provider_data is not None:
        d.extras(request, out, "", "", _REQUEST_FIELDS, _NOT_OF_CHAT)
    return out


def _dump_tools(request: Request, tools: tuple[Any, ...], out: Wire, d: ChatDumping) -> None:
    legacy = d.home and spelling(request, FAMILY, "tools") == "functions"
    key = "functions" if legacy else "tools"
    written: list[Wire] = []
    for i, tool in enumerate(tools):
        dumped = dump_tool(tool, f"/tools/{i}", f"/{key}/{len(written)}", d, legacy=legacy)
        if dumped is not None:
            written.append(dumped)
    if written or d.home:
        out[key] = written


def _dump_stop(request: Request, stop: tuple[str, ...], out: Wire, d: ChatDumping) -> None:
    if d.home and len(stop) == 1 and spelling(request, FAMILY, "stop") == "text":
        out["stop"] = stop[0]
        return
    most = len(stop) if d.home or d.profile.open else 4
    for i in reversed(range(most, len(stop))):
        d.notes.drop(f"/stop/{i}", "there are at most 4 stop sequences")
    out["stop"] = list(stop[:most])


# Pointers


def owners_stay(wire: Wire) -> bool:
    """Whether every owner has the same pointer in the wire request and in its canonical form."""
    if "functions" in wire:
        return False
    for message in wire["messages"]:
        if "reasoning" in message or "reasoning_details" in message or "function_call" in message:
            return False
    return True


def locate(wire: Wire, pointer: str) -> str:
    """Where the wire request holds what a pointer into its canonical form points at."""
    tokens = pointer.split("/")[1:]
    if not tokens:
        return ""
    head = tokens[0]
    if head == "messages" and len(tokens) > 2 and tokens[1].isdigit():
        return f"/messages/{tokens[1]}" + _locate_in_message(wire["messages"][int(tokens[1])], tokens[2:])
    if head == "tools":
        legacy = wire.get("tools") is None and "functions" in wire
        return ("/functions" if legacy else "/tools") + _locate_in_tool(tokens[1:], legacy=legacy)
    if head == "provider_data":
        return _join(tokens[2:])
    if head == "max_tokens":
        return "/max_tokens" if wire.get("max_completion_tokens") is None else "/max_completion_tokens"
    if head == "tool_choice":
        return "/tool_choice" if wire.get("tool_choice") is not None else "/function_call"
    if head == "stop" and type(wire.get("stop")) is str:
        return "/stop"
    if head == "response_format" and len(tokens) > 1 and tokens[1] != "type":
        return "/response_format/json_schema" + _join(["schema" if tokens[1] == "json_schema" else tokens[1], *tokens[2:]])
    return pointer


def _join(tokens: list[str]) -> str:
    return "".join("/" + token for token in tokens)


def _locate_in_tool(tokens: list[str], *, legacy: bool) -> str:
    if len(tokens) < 2:
        return _join(tokens)
    index, field, *rest = tokens
    if field == "provider_data":
        return _join([index, *rest[1:]])
    if field == "value":
        return _join([index, *rest])
    if field in _FUNCTION_FIELDS and not legacy:
        return _join([index, "function", field, *rest])
    return _join(tokens)


def _locate_in_message(wire: Wire, tokens: list[str]) -> str:
    field, *rest = tokens
    if field == "provider_data":
        return _join(rest[1:])
    if field == "value":
        return _join(rest)
    if field == "reasoning_content" and type(wire.get("reasoning_content")) is not str:
        return "/reasoning"
    if field == "cache_control":
        return _locate_cache(wire, rest)
    if field == "thinking_blocks":
        details = type(wire.get("thinking_blocks")) is not list
        name = "reasoning_details" if details else "thinking_blocks"
        if len(rest) > 1 and rest[1] == "provider_data":
            return _join([name, rest[0], *rest[3:]])
        if details and len(rest) > 1 and rest[1] == "thinking":
            return _join([name, rest[0], _DETAIL_FIELDS[wire[name][int(rest[0])]["type"]]])
        return _join([name, *rest])
    if field == "tool_calls" and rest:
        return _locate_in_call(wire, rest)
    if field == "content" and len(rest) > 1 and type(wire.get("content")) is list:
        return f"/content/{rest[0]}" + _locate_in_part(wire["content"][int(rest[0])], rest[1:])
    return _join(tokens)


def _locate_cache(wire: Wire, rest: list[str]) -> str:
    return _join(["prompt_cache_breakpoint" if "prompt_cache_breakpoint" in wire else "cache_control", *rest])


def _locate_in_call(wire: Wire, tokens: list[str]) -> str:
    calls = wire.get("tool_calls")
    legacy = not calls
    prefix = "/function_call" if legacy else f"/tool_calls/{tokens[0]}"
    if len(tokens) == 1:
        return prefix
    field, *rest = tokens[1:]
    if field == "provider_data":
        return prefix + _join(rest[1:])
    call: Wire = {} if legacy or not calls else calls[int(tokens[0])]
    if field in ("name", "arguments"):
        if "function" in call:
            return f"{prefix}/function/{field}"
        if "custom" in call:
            return f"{prefix}/custom/{'input' if field == 'arguments' else field}"
    return prefix + _join([field, *rest])


def _locate_in_part(wire: Wire, tokens: list[str]) -> str:
    field, *rest = tokens
    if field == "provider_data":
        return _join(rest[1:])
    if field == "value":
        return _join(rest)
    if field == "cache_control":
        return _locate_cache(wire, rest)
    if len(rest) > 1 and rest[0] == "provider_data":
        return _join([field, *rest[2:]])
    if wire.get("type") == "file":
        file = wire.get("file", {})
        if field == "source":
            return "/file/file_data" if file.get("file_data") is not None else "/file/file_id"
        if field == "filename":
            return "/file/filename"
    if field == "image_url" and type(wire.get("image_url")) is str:
        return "/image_url"
    return _join(tokens)
