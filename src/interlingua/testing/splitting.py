"""Strategies for streams: a whole wire response, cut into the chunks that its provider would send it in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from ..codec.format import Format
from ..formats import format_of
from .wire import responses

Chunk = dict[str, Any]
Track = list[Chunk]
"""Deltas that come in this order, whatever comes between them."""


def chunks(format: str | Format, of: dict[str, Any] | None = None) -> st.SearchStrategy[list[dict[str, Any]]]:
    """The chunks of one stream, as the format's provider sends them: those of any response, or those `of` this one.

    Text and arguments are cut anywhere; several choices, text and calls, parallel calls alternate; usage comes at
    the end, or from the start. What they make, read in order, is `il.load_response` of the whole. The whole is one of
    `responses(format, odd=False)`, or has no fields but those.
    """
    wholes = responses(format, odd=False) if of is None else st.just(of)
    return (_messages_stream if format_of(format).family == "anthropic" else _chat_stream)(wholes)


def _cut(draw: st.DrawFn, field: str, text: str, **frame: Any) -> Track:
    """Deltas whose field has the text, cut anywhere; empty pieces are pieces too."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=3)))
    return [{**frame, field: text[start:end]} for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def _without(whole: dict[str, Any], *fields: str) -> dict[str, Any]:
    return {key: value for key, value in whole.items() if key not in fields}


def _alternate(draw: st.DrawFn, tracks: Iterable[Track], *, in_turn: bool = False) -> Track:
    """One track of several; if `in_turn`, none begins before the one in front of it."""
    waiting = [list(track) for track in tracks if track]
    begun = 0
    out: Track = []
    while waiting:
        open = min(begun + 1, len(waiting)) if in_turn else len(waiting)
        at = draw(st.integers(0, open - 1))
        begun = max(begun, at + 1)
        out.append(waiting[at].pop(0))
        if not waiting[at]:
            del waiting[at]
            begun -= 1
    return out


# Chat Completions


@st.composite
def _chat_stream(draw: st.DrawFn, wholes: st.SearchStrategy[dict[str, Any]]) -> list[Chunk]:
    body = draw(wholes)
    frame = _without(body, "choices", "usage") | {"object": "chat.completion.chunk"}
    choices = _alternate(draw, [_chat_choice(draw, choice) for choice in body["choices"]])
    out: list[Chunk] = [{**frame, "choices": [choice]} for choice in choices]
    if "usage" in body:
        match draw(st.sampled_from(["by itself", "at the end", "all along"])):
            case "by itself":
                out.append({**frame, "choices": [], "usage": body["usage"]})
            case "at the end":
                out[-1]["usage"] = body["usage"]
            case _:
                for chunk in out:
                    chunk["usage"] = body["usage"]
    return out


def _chat_choice(draw: st.DrawFn, choice: dict[str, Any]) -> Track:
    """What the chunks say of one choice."""
    deltas = _chat_deltas(draw, choice["message"]) + draw(st.lists(st.builds(dict[str, Any]), max_size=1))
    pieces: Track = [{"index": choice["index"], "delta": delta, "finish_reason": None} for delta in deltas]
    pieces[-1]["finish_reason"] = choice["finish_reason"]
    pieces[draw(st.integers(0, len(pieces) - 1))].update(_without(choice, "index", "message", "finish_reason"))
    return pieces


def _chat_deltas(draw: st.DrawFn, message: dict[str, Any]) -> Track:
    """The first delta, with the role and what is null, and then all others."""
    first: Chunk = {"role": "assistant"}
    tracks: list[Track] = []
    for key, value in _without(message, "role").items():
        if value is None or value == []:
            first[key] = value
        elif key == "tool_calls":
            calls = [_chat_call(draw, index, call) for index, call in enumerate(value)]
            tracks.append(_alternate(draw, calls, in_turn=True))
        elif key == "function_call":
            tracks.append([{key: delta} for delta in _growing(draw, value, "arguments")])
        elif key == "audio":
            tracks.append([{key: delta} for delta in _growing(draw, value, "data", "transcript")])
        elif isinstance(value, str):
            tracks.append(_cut(draw, key, value))
        else:
            tracks.append([{key: value}])
    return [first, *_alternate(draw, tracks)]


def _chat_call(draw: st.DrawFn, index: int, call: dict[str, Any]) -> Track:
    """A call's deltas: its id and name first, then pieces of its arguments."""
    kind = call["type"]
    grown = _growing(draw, call[kind], "arguments" if kind == "function" else "input")
    deltas: Track = [{"index": index, kind: delta} for delta in grown]
    deltas[0] |= _without(call, kind)
    return [{"tool_calls": [delta]} for delta in deltas]


def _growing(draw: st.DrawFn, whole: dict[str, Any], *fields: str) -> Track:
    """An object's deltas: what it has beside the fields that grow, and then their pieces, one field after the other."""
    deltas = [delta for field in fields for delta in _cut(draw, field, whole[field])]
    first = deltas.pop(0) if draw(st.booleans()) else {fields[0]: ""}
    return [_without(whole, *fields) | first, *deltas]


# Anthropic Messages

_AT_THE_END = ("stop_reason", "stop_sequence", "stop_details", "container")
_COUNTED_LATE = ("output_tokens_details", "server_tool_use")


@st.composite
def _messages_stream(draw: st.DrawFn, wholes: st.SearchStrategy[dict[str, Any]]) -> list[Chunk]:
    body = draw(wholes)
    usage: dict[str, Any] = body["usage"]
    first = _without(usage, *_COUNTED_LATE) | {"output_tokens": draw(st.integers(0, usage["output_tokens"]))}
    last = {key: usage[key] for key in ("output_tokens", *_COUNTED_LATE) if key in usage}
    if draw(st.booleans()):  # all numbers again, as they are cumulative
        last = {key: value for key, value in usage.items() if value is not None}
    empty: Chunk = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": first}
    message = _without(body, *_AT_THE_END) | empty
    out: list[Chunk] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(body["content"]):
        out += [chunk | {"index": index} for chunk in _block(draw, block)]
        if draw(st.integers(0, 3)) == 3:
            out.append({"type": "ping"})
    last_fields = {key: body[key] for key in _AT_THE_END if key in body}
    return [*out, {"type": "message_delta", "delta": last_fields, "usage": last}, {"type": "message_stop"}]


def _block(draw: st.DrawFn, block: dict[str, Any]) -> list[Chunk]:
    start = dict(block)
    deltas: Track = []
    match block["type"]:
        case "text":
            start["text"] = ""
            words = _cut(draw, "text", block["text"], type="text_delta")
            cited: Track = []
            if block.get("citations"):
                start["citations"] = []
                cited = [{"type": "citations_delta", "citation": citation} for citation in block["citations"]]
            deltas = _alternate(draw, [words, cited])
        case "thinking":
            start |= {"thinking": "", "signature": ""}
            deltas = _cut(draw, "thinking", block["thinking"], type="thinking_delta")
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case "tool_use" | "server_tool_use":
            start["input"] = {}
            text = json.dumps(block["input"], ensure_ascii=False)
            kind = {"type": "input_json_delta"}
            deltas = [{**kind, "partial_json": ""}, *_cut(draw, "partial_json", text, **kind)]
        case _:
            pass  # whole from the start
    content: list[Chunk] = [{"type": "content_block_delta", "delta": delta} for delta in deltas]
    return [{"type": "content_block_start", "content_block": start}, *content, {"type": "content_block_stop"}]
