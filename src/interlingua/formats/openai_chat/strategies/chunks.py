"""Chat Completions responses, cut into the chunks that OpenAI and its hosts send; from documentation and recorded streams."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from ....codec.strategies.cutting import Chunk, Hosts, Track, cut, habit, interleave, is_list, often, pieces
from ..profiles import REASONING_TEXTS


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    if "choices" not in body:
        return None  # an error, not a response
    body = copy.deepcopy(body)
    body["object"] = "chat.completion"
    if body.get("usage", 0) is None:
        del body["usage"]  # the chunks before the last have null
    for index, choice in enumerate(body["choices"]):
        choice["index"] = index
        choice.pop("delta", None)
        if not isinstance(choice.get("finish_reason"), str):
            choice["finish_reason"] = "stop"  # the chunks before the last have null
        message = choice.setdefault("message", {})
        message["role"] = "assistant"
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        for call in calls:
            call.pop("index", None)  # framing in a stream
        if message.get("tool_calls"):
            message.pop("function_call", None)  # either one, or the other
    return body


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    known = ("id", "created", "model", "system_fingerprint", "service_tier")
    frame = {key: body[key] for key in known if key in body} | {"object": "chat.completion.chunk"}
    others = {key: value for key, value in body.items() if key not in (*known, "object", "choices", "usage")}
    everywhere = {key: value for key, value in others.items() if often(random)}
    bodies = [_choice(choice, random) for choice in body["choices"]]
    if len(bodies) == 1 and habit(random, 0.2):
        _remove_index(bodies[0], random)
    chunks = _chunks(interleave(bodies, random), frame | everywhere, random)
    if not chunks or (others and random.random() < 0.3):
        chunks.insert(0, {**frame, **everywhere, "choices": []})  # Azure begins with its filter results
    random.choice(chunks).update(others)
    _use(body, chunks, {**frame, **everywhere}, random)
    if often(random):
        for chunk in chunks:
            chunk["obfuscation"] = "x" * random.randint(0, 9)
    return [*chunks, "[DONE]"] if random.random() < 0.8 else list(chunks)


def _chunks(choices: list[dict[str, Any]], frame: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    """A chunk for each choice, or sometimes for several with different indices."""
    chunks: list[dict[str, Any]] = []
    for choice in choices:
        joins = chunks and random.random() < 0.1
        if joins and choice.get("index") not in [each.get("index") for each in chunks[-1]["choices"]]:
            chunks[-1]["choices"].append(choice)
        else:
            chunks.append({**frame, "choices": [choice]})
    return chunks


def _remove_index(choices: list[dict[str, Any]], random: Random) -> None:
    """Leave out the index of the only choice, or set it to null."""
    for choice in choices:
        choice["index"] = None
        if often(random):
            del choice["index"]


def _use(body: dict[str, Any], chunks: list[dict[str, Any]], frame: dict[str, Any], random: Random) -> None:
    if "usage" not in body:
        return
    habit = random.choice(["own chunk", "last choice", "cumulative", "every chunk"])
    if habit == "own chunk":
        for chunk in chunks:
            if often(random):
                chunk["usage"] = None
        chunks.append({**frame, "choices": [], "usage": body["usage"]})
    elif habit == "last choice":
        chunks[-1]["usage"] = body["usage"]
    else:
        for at, chunk in enumerate(chunks):
            chunk["usage"] = dict(body["usage"])
            if habit == "cumulative" and at < len(chunks) - 1 and isinstance(body["usage"].get("completion_tokens"), int):
                chunk["usage"]["completion_tokens"] = min(at, body["usage"]["completion_tokens"])


def _choice(choice: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    """The chunks of one choice, each with its part of the choice."""
    message = choice["message"]
    rest = {key: value for key, value in choice.items() if key not in ("index", "message", "finish_reason", "logprobs")}
    first, deltas = _deltas(message, random)
    placeholders: dict[str, Any] = {}
    if often(random):  # every delta has every field
        placeholders = {key: None for key, value in message.items() if value is None or isinstance(value, str)}
        del placeholders["role"]
        if message.get("tool_calls"):
            placeholders["tool_calls"] = None
        if isinstance(message.get("content"), str) and often(random):
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
    if often(random):
        made.append({"delta": {}})
    nulls = {} if random.random() < 0.2 else {"finish_reason": None}
    for piece in made[:-1]:
        piece.update(nulls)
    made[-1]["finish_reason"] = choice["finish_reason"]
    _logprobs(choice, made, random)
    random.choice(made).update(rest)
    for piece in made:
        piece["index"] = choice["index"]
    return made


def _logprobs(choice: dict[str, Any], made: list[dict[str, Any]], random: Random) -> None:
    if "logprobs" not in choice:
        return
    logprobs = choice["logprobs"]
    if logprobs is None:
        for piece in made:
            piece["logprobs"] = None
        return
    places = sorted(random.sample(range(len(made)), random.randint(1, len(made))))
    lists = {key: cut(value, len(places) - 1, random) for key, value in logprobs.items() if is_list(value)}
    for number, place in enumerate(places):
        made[place]["logprobs"] = {key: lists[key][number] if key in lists else value for key, value in logprobs.items()}


def _deltas(message: dict[str, Any], random: Random) -> tuple[dict[str, Any], Track]:
    """The first delta, with the role and the null or empty fields, and all other deltas."""
    first: dict[str, Any] = {"role": "assistant"}
    tracks: list[Track] = []
    rest = dict(message)
    rest.pop("role", None)
    tracks += _reasoning(rest, random)
    for key, value in rest.items():
        if value is None or value == []:
            first[key] = value
        else:
            tracks.append(_field(key, value, first, random))
    has_calls = bool(rest.keys() & {"tool_calls", "function_call"})
    if first.get("content", 0) is None and not has_calls and often(random):
        tracks.append([{"content": None}])
    return first, interleave(tracks, random)


def _field(key: str, value: Any, first: dict[str, Any], random: Random) -> Track:
    """The deltas of one message field; its text may begin as an empty text in the first delta."""
    if key == "content" and is_list(value):
        if often(random):
            first["content"] = ""  # Mistral's first delta, whatever follows
        return _list(value, random)
    if key in ("content", "refusal", *REASONING_TEXTS) and isinstance(value, str):
        if key != "refusal" and often(random):
            first[key] = ""
        return [{key: piece} for piece in pieces(value, random)]
    if key == "tool_calls":
        return _calls(value, random)
    if key == "function_call":
        return _call(value, ("arguments",), partial(_within, "function_call"), random)
    if key == "audio":
        return _audio(value, random)
    if key == "annotations":
        some = cut(value, random.randint(0, len(value) - 1) if isinstance(random, Hosts) else 0, random)
        return [{key: parcel} for parcel in some]
    return [{key: value}]


def _reasoning(rest: dict[str, Any], random: Random) -> list[Track]:
    """The fragments of reasoning entries; a text that repeats them is cut in the same places, or on its own."""
    track: Track = []
    tracks: list[Track] = []
    if isinstance(rest.get("reasoning"), str) and rest.get("reasoning") == rest.get("reasoning_content"):
        text = rest.pop("reasoning")
        del rest["reasoning_content"]
        tracks.append([{"reasoning": piece, "reasoning_content": piece} for piece in pieces(text, random)])
    key = next((key for key in ("reasoning_details", "thinking_blocks") if rest.get(key)), None)
    if key is None:
        return tracks
    entries = rest.pop(key)
    whole = "".join(entry.get("text", entry.get("summary", "")) or "" for entry in entries)
    mirrored = key == "reasoning_details" and rest.get("reasoning") == whole and often(random)
    if mirrored:
        del rest["reasoning"]
    for entry in entries:
        track += _entry(key, entry, random, mirrored=mirrored)
    if mirrored and not whole:
        track[0]["reasoning"] = ""
    return [*tracks, track]


def _entry(key: str, entry: dict[str, Any], random: Random, *, mirrored: bool) -> Track:
    """The fragments of an entry of reasoning; its signature comes with the last of them, or by itself."""
    signed = {"signature": entry["signature"]} if "signature" in entry else {}
    field = next((name for name in ("text", "summary", "thinking") if isinstance(entry.get(name), str)), None)
    fields = {name: value for name, value in entry.items() if name not in (field, "signature")}
    if field is None:
        return [{key: [fields | signed]}]
    framing = {name: fields[name] for name in ("type", "index", "format") if name in fields}
    track: Track = []
    for at, piece in enumerate(pieces(entry[field], random)):
        delta: dict[str, Any] = {key: [(framing if at else fields) | {field: piece}]}
        track.append(delta | ({"reasoning": piece} if mirrored else {}))
    if signed and often(random):
        track[-1][key][0] |= signed
    elif signed:
        track.append({key: [framing | signed]})
    return track


def _list(parts: list[dict[str, Any]], random: Random) -> Track:
    """Mistral's list content: fragments of reasoning as lists, text as a list first and as strings after."""
    track: Track = []
    for part in parts:
        inner = part.get("thinking")
        if part["type"] == "thinking" and is_list(inner) and [set(item) for item in inner] == [{"type", "text"}]:
            for piece in pieces(inner[0]["text"], random):
                track.append({"content": [{**part, "thinking": [{"type": inner[0]["type"], "text": piece}]}]})
        elif part["type"] == "text" and set(part) == {"type", "text"}:
            for at, piece in enumerate(pieces(part["text"], random)):
                as_text = at and often(random)
                track.append({"content": piece if as_text else [{"type": "text", "text": piece}]})
        else:
            track.append({"content": [part]})
    return track


def _call(
    call: dict[str, Any], growing: tuple[str, ...], wrap: Callable[[dict[str, Any]], dict[str, Any]], random: Random
) -> Track:
    """A call's own object: its name first, then what grows."""
    field = next((key for key in growing if key in call), None)
    fields = {key: value for key, value in call.items() if key != field}
    if field is None:
        return [wrap(fields)]
    value = call[field]
    if not isinstance(value, str):
        return [wrap(fields | {field: value})]
    some: list[str | None] = [*pieces(value, random)]
    if often(random):
        some.insert(0, None if habit(random, 0.2) else "")
    return [wrap((fields if at == 0 else {}) | {field: piece}) for at, piece in enumerate(some)]


def _calls(calls: list[dict[str, Any]], random: Random) -> Track:
    """The deltas of parallel calls, begun in order, whose arguments alternate; keyed by index, by id or by arrival."""
    habit = _habit_of_calls(calls, random)
    with_index = habit in ("index", "index and id") or (habit == "whole" and often(random))
    tracks = [_fragments(call, index if with_index else None, habit, random) for index, call in enumerate(calls)]
    return _calls_in(_alternating(tracks, random, at_end=habit in ("arrival", "whole")), random)


def _habit_of_calls(calls: list[dict[str, Any]], random: Random) -> str:
    """How a host marks which call a fragment belongs to, among the ways that fit these calls."""
    ids = [call.get("id") for call in calls]
    keyed = ["index", "index and id"]
    if all(isinstance(id, str) and id for id in ids) and len(set(ids)) == len(ids):
        keyed += ["id", "arrival"]
    if all("function" in call and isinstance(call["function"].get("arguments"), str) for call in calls):
        keyed += ["whole"]
    return random.choice(keyed) if isinstance(random, Hosts) else "index"


def _fragments(call: dict[str, Any], index: int | None, habit: str, random: Random) -> Track:
    """The fragments of one call; without an index, some fragments have null in its place."""
    inner = next((key for key in ("function", "custom") if key in call), None)
    if inner is None or habit == "whole":
        track: Track = [dict(call)]
    else:
        track = _call(call[inner], ("arguments", "input"), partial(_within, inner), random)
        track[0] |= {key: value for key, value in call.items() if key != inner}
    repeats_id = habit in ("id", "index and id") and "id" in call
    for at, delta in enumerate(track):
        if index is not None or often(random):
            delta["index"] = index
        if at and repeats_id:
            delta["id"] = call["id"]
            if habit == "index and id" and inner is not None and often(random):
                delta.update({"type": call["type"]} if "type" in call else {})
                delta[inner]["name"] = call[inner]["name"]
    return track


def _alternating(tracks: list[Track], random: Random, *, at_end: bool) -> Track:
    """The fragments of all calls; each call begins when the one before it has begun, or, if `at_end`, when that has ended."""
    alternating: Track = []
    begun = 0
    for track in tracks:
        start = len(alternating) if at_end else random.randint(begun, len(alternating))
        alternating[start:] = [track[0], *interleave([alternating[start:], track[1:]], random)]
        begun = start + 1
    return alternating


def _calls_in(deltas: Track, random: Random) -> Track:
    """Message deltas, each with the call deltas of one call or of several."""
    out: Track = []
    for delta in deltas:
        if out and random.random() < 0.15:
            out[-1]["tool_calls"].append(delta)
        else:
            out.append({"tool_calls": [delta]})
    return out


def _within(name: str, part: dict[str, Any]) -> dict[str, Any]:
    return {name: part}


def _audio(audio: dict[str, Any], random: Random) -> Track:
    fields = {key: value for key, value in audio.items() if key not in ("data", "transcript", "expires_at")}
    growing: list[Track] = [
        [{key: piece} for piece in pieces(audio[key], random)] for key in ("data", "transcript") if key in audio
    ]
    last = [{"expires_at": audio["expires_at"]}] if "expires_at" in audio else []
    return [{"audio": delta} for delta in [fields, *interleave(growing, random), *last] if delta]
