"""Strategies for streams: a whole wire response, cut into the chunks that its provider would send it in.

Written from the providers' documentation and from recorded streams; nothing here knows how a stream is read. A `Hosts` as the
source of chance adds the habits of other hosts. `streamable` gives the part of a whole response that a stream can tell: what a
chunk has for framing alone is the same in every whole.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st
from typing_extensions import TypeIs

from ..codec.format import Format
from ..formats import format_of
from ..model.base import Json
from ..payloads import FormatName
from .wire import responses

Chunk = Any
"""A dict, or `[DONE]`."""
Track = list[dict[str, Any]]
"""Deltas that stay in this order, whatever comes between them."""
WholeT = TypeVar("WholeT", str, bytes, list[Any])


class Hosts(Random):
    """Chance for streams as all hosts cut them; any other `Random` cuts them as OpenAI and Anthropic themselves do."""


def chunks(format: FormatName | Format, of: dict[str, Any] | None = None) -> st.SearchStrategy[list[dict[str, Any]]]:
    """The chunks of one stream, as the format's provider sends them: those of any response, or those `of` this one.

    Text and arguments are cut anywhere; several choices, text and calls, parallel calls alternate; usage comes at
    the end, or from the start. What they make, read in order, is `il.load_response` of the whole. The whole is one of
    `responses(format, odd=False)`, or has no fields but those.
    """

    def cut(whole: dict[str, Any], random: Random) -> list[dict[str, Any]]:
        return [chunk for chunk in split(whole, format, random) if chunk != "[DONE]"]

    wholes = responses(format, odd=False) if of is None else st.just(of)
    return st.builds(cut, wholes, st.randoms(use_true_random=False))


def streamable(body: dict[str, Any], format: FormatName | Format) -> dict[str, Any] | None:
    """The part of a whole response that its stream carries; None where such a response has no stream."""
    return _messages_streamable(body) if format_of(format).family == "anthropic" else _chat_streamable(body)


def split(body: dict[str, Any], format: FormatName | Format, random: Random) -> list[Chunk]:
    """The chunks of one stream of a response that is streamable."""
    return copy.deepcopy((_messages if format_of(format).family == "anthropic" else _chat)(body, random))


def cut(whole: WholeT, number: int, random: Random) -> list[WholeT]:
    """The whole cut at so many places, anywhere."""
    places: list[int] = sorted(random.randint(0, len(whole)) for _ in range(number))
    return [whole[start:end] for start, end in zip([0, *places], [*places, len(whole)], strict=True)]


def _pieces(text: str, random: Random, most: int = 6) -> list[str]:
    """The text cut anywhere, empty pieces among them."""
    return cut(text, random.randint(0, most), random)


def _is_list(value: object) -> TypeIs[list[Any]]:
    return isinstance(value, list)


def _often(random: Random) -> bool:
    return random.random() < 0.5


def habit(random: Random, often: float) -> bool:
    """Whether this stream, or this chunk, has a habit that only other hosts have."""
    return isinstance(random, Hosts) and random.random() < often


def _interleave(tracks: list[Track], random: Random) -> Track:
    """One sequence of all deltas, each track in its own order."""
    waiting: list[Track] = [list(reversed(track)) for track in tracks if track]
    out: Track = []
    while waiting:
        track = random.choice(waiting)
        out.append(track.pop())
        waiting = [track for track in waiting if track]
    return out


# Chat Completions


def _chat_streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    if "choices" not in body:
        return None  # an error, not a response
    body = copy.deepcopy(body)
    body["object"] = "chat.completion"
    if body.get("usage", 0) is None:
        del body["usage"]  # null is what chunks before the last say
    for index, choice in enumerate(body["choices"]):
        choice["index"] = index
        choice.pop("delta", None)
        if not isinstance(choice.get("finish_reason"), str):
            choice["finish_reason"] = "stop"  # null is what chunks before the last say
        message = choice.setdefault("message", {})
        message["role"] = "assistant"
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        for call in calls:
            call.pop("index", None)  # framing in a stream
        if message.get("tool_calls"):
            message.pop("function_call", None)  # either one, or the other
    return body


def _chat(body: dict[str, Any], random: Random) -> list[Chunk]:
    known = ("id", "created", "model", "system_fingerprint", "service_tier")
    frame = {key: body[key] for key in known if key in body} | {"object": "chat.completion.chunk"}
    others = {key: value for key, value in body.items() if key not in (*known, "object", "choices", "usage")}
    everywhere = {key: value for key, value in others.items() if _often(random)}
    bodies = [_chat_choice(choice, random) for choice in body["choices"]]
    if len(bodies) == 1 and habit(random, 0.2):
        for choice in bodies[0]:
            choice["index"] = None
            if _often(random):
                del choice["index"]
    chunks: list[dict[str, Any]] = []
    for choice in _interleave(bodies, random):
        if chunks and random.random() < 0.1 and choice.get("index") not in [c.get("index") for c in chunks[-1]["choices"]]:
            chunks[-1]["choices"].append(choice)  # several in one chunk
        else:
            chunks.append({**frame, **everywhere, "choices": [choice]})
    if not chunks or (others and random.random() < 0.3):
        chunks.insert(0, {**frame, **everywhere, "choices": []})  # Azure begins with what it filtered
    random.choice(chunks).update(others)
    _chat_use(body, chunks, {**frame, **everywhere}, random)
    if _often(random):
        for chunk in chunks:
            chunk["obfuscation"] = "x" * random.randint(0, 9)
    return [*chunks, "[DONE]"] if random.random() < 0.8 else list(chunks)


def _chat_use(body: dict[str, Any], chunks: list[dict[str, Any]], frame: dict[str, Any], random: Random) -> None:
    if "usage" not in body:
        return
    habit = random.choice(["own chunk", "last choice", "cumulative", "every chunk"])
    if habit == "own chunk":
        for chunk in chunks:
            if _often(random):
                chunk["usage"] = None
        chunks.append({**frame, "choices": [], "usage": body["usage"]})
    elif habit == "last choice":
        chunks[-1]["usage"] = body["usage"]
    else:
        for at, chunk in enumerate(chunks):
            chunk["usage"] = dict(body["usage"])
            if habit == "cumulative" and at < len(chunks) - 1 and isinstance(body["usage"].get("completion_tokens"), int):
                chunk["usage"]["completion_tokens"] = min(at, body["usage"]["completion_tokens"])


def _chat_choice(choice: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    """The choices of the chunks that tell one choice."""
    message = choice["message"]
    rest = {key: value for key, value in choice.items() if key not in ("index", "message", "finish_reason", "logprobs")}
    first, deltas = _chat_deltas(message, random)
    placeholders: dict[str, Any] = {}
    if _often(random):  # every delta has every field
        placeholders = {key: None for key, value in message.items() if value is None or isinstance(value, str)}
        del placeholders["role"]
        if message.get("tool_calls"):
            placeholders["tool_calls"] = None
        if isinstance(message.get("content"), str) and _often(random):
            placeholders["content"] = ""
    made: list[dict[str, Any]] = [{"delta": first}]
    for delta in deltas:
        filled = placeholders | delta if random.random() < 0.3 else delta
        if habit(random, 0.5):
            filled = {"role": "assistant", **filled}
        last = made[-1]["delta"]
        if random.random() < 0.15 and not last.keys() & (filled.keys() - {"role"}):
            last.update(filled)
        else:
            made.append({"delta": filled})
    if _often(random):
        made.append({"delta": {}})
    nulls = {} if random.random() < 0.2 else {"finish_reason": None}
    for piece in made[:-1]:
        piece.update(nulls)
    made[-1]["finish_reason"] = choice["finish_reason"]
    _chat_logprobs(choice, made, random)
    random.choice(made).update(rest)
    for piece in made:
        piece["index"] = choice["index"]
    return made


def _chat_logprobs(choice: dict[str, Any], made: list[dict[str, Any]], random: Random) -> None:
    if "logprobs" not in choice:
        return
    logprobs = choice["logprobs"]
    if logprobs is None:
        for piece in made:
            piece["logprobs"] = None
        return
    places = sorted(random.sample(range(len(made)), random.randint(1, len(made))))
    lists = {key: cut(value, len(places) - 1, random) for key, value in logprobs.items() if _is_list(value)}
    for number, place in enumerate(places):
        made[place]["logprobs"] = {key: lists[key][number] if key in lists else value for key, value in logprobs.items()}


def _chat_deltas(message: dict[str, Any], random: Random) -> tuple[dict[str, Any], Track]:
    """The first delta, with the role and what is null or empty, and all others."""
    first: dict[str, Any] = {"role": "assistant"}
    tracks: list[Track] = []
    rest = dict(message)
    rest.pop("role", None)
    tracks += _chat_reasoning(rest, random)
    for key, value in rest.items():
        if value is None or value == []:
            first[key] = value
        elif key == "content" and _is_list(value):
            if _often(random):
                first["content"] = ""  # Mistral's first delta, whatever follows
            tracks.append(_chat_list(value, random))
        elif key in ("content", "refusal", "reasoning_content", "reasoning") and isinstance(value, str):
            if key != "refusal" and _often(random):
                first[key] = ""
            tracks.append([{key: piece} for piece in _pieces(value, random)])
        elif key == "tool_calls":
            tracks.append(_chat_calls(value, random))
        elif key == "function_call":
            tracks.append(_chat_call(value, ("arguments",), partial(_within, "function_call"), random))
        elif key == "audio":
            tracks.append(_chat_audio(value, random))
        elif key == "annotations":
            some = cut(value, random.randint(0, len(value) - 1) if isinstance(random, Hosts) else 0, random)
            tracks.append([{key: parcel} for parcel in some])
        else:
            tracks.append([{key: value}])
    if first.get("content", 0) is None and not (rest.keys() & {"tool_calls", "function_call"}) and _often(random):
        tracks.append([{"content": None}])
    return first, _interleave(tracks, random)


def _chat_reasoning(rest: dict[str, Any], random: Random) -> list[Track]:
    """Entries of reasoning, in fragments; a text that repeats them is cut alike, or on its own."""
    track: Track = []
    key = next((key for key in ("reasoning_details", "thinking_blocks") if rest.get(key)), None)
    if key is None:
        if isinstance(rest.get("reasoning"), str) and rest.get("reasoning") == rest.get("reasoning_content"):
            text = rest.pop("reasoning")
            del rest["reasoning_content"]
            return [[{"reasoning": piece, "reasoning_content": piece} for piece in _pieces(text, random)]]
        return []
    entries = rest.pop(key)
    whole = "".join(entry.get("text", entry.get("summary", "")) or "" for entry in entries)
    mirrored = key == "reasoning_details" and rest.get("reasoning") == whole and _often(random)
    if mirrored:
        del rest["reasoning"]
    for entry in entries:
        field = next((name for name in ("text", "summary", "thinking") if isinstance(entry.get(name), str)), None)
        held = {name: value for name, value in entry.items() if name not in (field, "signature")}
        if field is None:
            track.append({key: [held | ({"signature": entry["signature"]} if "signature" in entry else {})]})
            continue
        framing = {name: held[name] for name in ("type", "index", "format") if name in held}
        for at, piece in enumerate(_pieces(entry[field], random)):
            delta: dict[str, Any] = {key: [(framing if at else held) | {field: piece}]}
            track.append(delta | ({"reasoning": piece} if mirrored else {}))
        if "signature" in entry:
            if _often(random):
                track[-1][key][0]["signature"] = entry["signature"]
            else:
                track.append({key: [framing | {"signature": entry["signature"]}]})
    if mirrored and not whole:
        track[0]["reasoning"] = ""
    return [track]


def _chat_list(parts: list[dict[str, Any]], random: Random) -> Track:
    """Mistral's list content: fragments of reasoning as lists, text as a list first and as strings after."""
    track: Track = []
    for part in parts:
        inner = part.get("thinking")
        if part["type"] == "thinking" and _is_list(inner) and [set(item) for item in inner] == [{"type", "text"}]:
            for piece in _pieces(inner[0]["text"], random):
                track.append({"content": [{**part, "thinking": [{"type": inner[0]["type"], "text": piece}]}]})
        elif part["type"] == "text" and set(part) == {"type", "text"}:
            for at, piece in enumerate(_pieces(part["text"], random)):
                as_text = at and _often(random)
                track.append({"content": piece if as_text else [{"type": "text", "text": piece}]})
        else:
            track.append({"content": [part]})
    return track


def _chat_call(
    call: dict[str, Any], growing: tuple[str, ...], wrap: Callable[[dict[str, Any]], dict[str, Any]], random: Random
) -> Track:
    """A call's own object: its name first, then what grows."""
    field = next((key for key in growing if key in call), None)
    held = {key: value for key, value in call.items() if key != field}
    if field is None:
        return [wrap(held)]
    value = call[field]
    if not isinstance(value, str):
        return [wrap(held | {field: value})]
    some: list[str | None] = [*_pieces(value, random)]
    if _often(random):
        some.insert(0, None if habit(random, 0.2) else "")
    return [wrap((held if at == 0 else {}) | {field: piece}) for at, piece in enumerate(some)]


def _chat_calls(calls: list[dict[str, Any]], random: Random) -> Track:
    """Parallel calls, begun in their order, whose arguments alternate; keyed by index, by id or by arrival."""
    ids = [call.get("id") for call in calls]
    keyed = ["index", "index and id"]
    if all(isinstance(id, str) and id for id in ids) and len(set(ids)) == len(ids):
        keyed += ["id", "arrival"]
    if all("function" in call and isinstance(call["function"].get("arguments"), str) for call in calls):
        keyed += ["whole"]
    habit = random.choice(keyed) if isinstance(random, Hosts) else "index"
    with_index = habit in ("index", "index and id") or (habit == "whole" and _often(random))
    tracks: list[Track] = []
    for index, call in enumerate(calls):
        inner = next((key for key in ("function", "custom") if key in call), None)
        if inner is None or habit == "whole":
            track: Track = [dict(call)]
        else:
            track = _chat_call(call[inner], ("arguments", "input"), partial(_within, inner), random)
            track[0] |= {key: value for key, value in call.items() if key != inner}
        for at, delta in enumerate(track):
            if with_index:
                delta["index"] = index
            elif _often(random):
                delta["index"] = None
            if at and habit in ("id", "index and id") and "id" in call:
                delta["id"] = call["id"]
                if habit == "index and id" and inner is not None and _often(random):
                    delta.update({"type": call["type"]} if "type" in call else {})
                    delta[inner]["name"] = call[inner]["name"]
        tracks.append(track)
    alternating: Track = []
    begun = 0
    for track in tracks:  # each begins when the one before it has begun
        start = len(alternating) if habit in ("arrival", "whole") else random.randint(begun, len(alternating))
        alternating[start:] = [track[0], *_interleave([alternating[start:], track[1:]], random)]
        begun = start + 1
    out: Track = []
    for delta in alternating:
        if out and random.random() < 0.15:
            out[-1]["tool_calls"].append(delta)
        else:
            out.append({"tool_calls": [delta]})
    return out


def _within(name: str, part: dict[str, Any]) -> dict[str, Any]:
    return {name: part}


def _chat_audio(audio: dict[str, Any], random: Random) -> Track:
    held = {key: value for key, value in audio.items() if key not in ("data", "transcript", "expires_at")}
    growing: list[Track] = [
        [{key: piece} for piece in _pieces(audio[key], random)] for key in ("data", "transcript") if key in audio
    ]
    last = [{"expires_at": audio["expires_at"]}] if "expires_at" in audio else []
    return [{"audio": delta} for delta in [held, *_interleave(growing, random), *last] if delta]


# Formats of blocks: each block starts, grows by deltas, and stops

Growing = Callable[[dict[str, Any], str, Random], "tuple[Any, list[Any]] | None"]
"""How a field of a block comes: what it is at the start, and its pieces; None where it is whole at the start."""


class Growth(NamedTuple):
    """A field of a block that comes in deltas."""

    field: str
    delta: str
    """The type of the deltas."""
    piece: str
    """The field of a delta that holds a piece."""
    cut: Growing


Kinds = Mapping[str, tuple[tuple[Growth, ...], ...]]
"""The fields of each kind of block that grow: tracks that alternate, in each of which one field follows another."""


def _block(block: dict[str, Any], kinds: Kinds, random: Random) -> tuple[dict[str, Any], Track]:
    """The block as it starts, and its deltas."""
    start = dict(block)
    tracks: list[Track] = []
    for growths in kinds.get(block["type"], ()):
        tracks.append([])
        for field, delta, piece, grow in growths:
            if field in block and (grown := grow(block, field, random)) is not None:
                start[field] = grown[0]
                tracks[-1] += [{"type": delta, piece: each} for each in grown[1]]
    return start, _interleave(tracks, random)


def _text(block: dict[str, Any], field: str, random: Random) -> tuple[str, list[Any]]:
    some = _pieces(block[field], random)
    if not block[field] and _often(random):
        return "", []
    return (some.pop(0) if random.random() < 0.1 else ""), some


def _items(block: dict[str, Any], field: str, random: Random) -> tuple[list[Any], list[Any]] | None:
    return ([], block[field]) if block[field] and _often(random) else None


def _signature(block: dict[str, Any], field: str, random: Random) -> tuple[str, list[Any]] | None:
    value: Json = block[field]
    return ("", [value]) if isinstance(value, str) and (value or _often(random)) else None


def _alone(block: dict[str, Any], field: str, random: Random) -> tuple[None, list[Any]] | None:
    return (None, [block[field]]) if block.keys() == {"type", field} and _often(random) else None


def _as_json(block: dict[str, Any], field: str, random: Random) -> tuple[Any, list[Any]] | None:
    value: Json = block[field]
    if not isinstance(value, dict) or (value and random.random() < 0.1):
        return None  # whole at the start, as a call inside a code execution is
    if not value and _often(random):
        return value, [] if _often(random) else [""]
    text = json.dumps(value, ensure_ascii=_often(random), indent=random.choice([None, None, 1]))
    return {}, ["", *_pieces(text, random)]


# Anthropic Messages

_INPUT = ((Growth("input", "input_json_delta", "partial_json", _as_json),),)
_BLOCKS: Kinds = {
    "text": (
        (Growth("text", "text_delta", "text", _text),),
        (Growth("citations", "citations_delta", "citation", _items),),
    ),
    "thinking": (
        (
            Growth("thinking", "thinking_delta", "thinking", _text),
            Growth("signature", "signature_delta", "signature", _signature),
        ),
    ),
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), _INPUT),
    "compaction": ((Growth("content", "compaction_delta", "content", _alone),),),
}
_AT_THE_END = ("stop_reason", "stop_sequence", "stop_details", "container")
_COUNTED_LATE = ("server_tool_use", "output_tokens_details", "iterations")


def _messages_streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    if body.get("type", "message") != "message" or "content" not in body:
        return None
    return copy.deepcopy(body) | {"type": "message", "role": "assistant"}


def _messages(body: dict[str, Any], random: Random) -> list[Chunk]:
    start = {key: value for key, value in body.items() if key not in ("stop_details", "context_management")}
    start |= {"content": []} | {key: None for key in ("stop_reason", "stop_sequence") if key in body}
    if _often(random):
        start.pop("container", None)
    end: dict[str, Any] = {"type": "message_delta", "delta": {key: body[key] for key in _AT_THE_END if key in body}}
    end |= {key: body[key] for key in ("context_management",) if key in body}
    if "usage" in body:
        start["usage"], end["usage"] = _messages_use(body["usage"], random)
    chunks: list[Chunk] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(body["content"]):
        begun, deltas = _block(block, _BLOCKS, random)
        chunks.append({"type": "content_block_start", "index": index, "content_block": begun})
        chunks += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        chunks.append({"type": "content_block_stop", "index": index})
    chunks += [end, {"type": "message_stop"}]
    for _ in range(random.randint(0, 2)):
        chunks.insert(random.randint(1, len(chunks) - 1), {"type": "ping"})
    return chunks


def _messages_use(usage: dict[str, Any], random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was used when the message began, and the cumulative numbers at its end, which may leave fields out."""
    first = {key: value for key, value in usage.items() if key not in _COUNTED_LATE}
    if isinstance(first.get("output_tokens"), int):
        first["output_tokens"] = random.randint(0, min(5, first["output_tokens"]))
    always = (*_COUNTED_LATE, "output_tokens")
    return first, {key: value for key, value in usage.items() if key in always or (value is not None and _often(random))}
