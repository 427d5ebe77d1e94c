"""Dump messages as steps; `steps.py` loads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from ...codec.carrying import unreadable
from ...codec.dump import NOTHING_LEFT
from ...codec.fields import Content, Wire, copy_wire, spelling
from ...codec.hosted.code_runs import CodeRun
from ...codec.hosted.page_fetches import PageFetch
from ...codec.hosted.server_calls import foreign_call
from ...codec.readable import send_as_media, send_as_text
from ...model.base import Json
from ...model.messages import content_of, pieces_of
from ...model.parts import TextPart
from .base import FAMILY, LONGEST_NAME, InteractionsDump
from .parts import dump_part, is_of_step
from .steps import dump_call, dump_thought, is_model_step, rank_of

Pointed: TypeAlias = tuple[str, Any]
"""A part, a call or a text of a message, with its pointer."""


def write(messages: Sequence[Any], start: int, out: list[Wire], base: InteractionsDump) -> None:
    """Append the steps of the messages from `start`."""
    for i in range(start, len(messages)):
        message = messages[i]
        path = f"/messages/{i}"
        d = base.rules_for(message)
        count = len(out)
        if message.role == "opaque":
            _append_own(message, "message", path, out, d)
            continue
        if d.exact and spelling(message, "item_type") == "turn":
            _write_turn(message, path, out, d)
        elif message.role == "assistant":
            write_assistant(message, path, out, d)
            has_added = len(out) > count and not d.exact
            if count and has_added and _joins_turn(messages, out[count - 1], count - 1, base):
                d.report("changed", path, None, "consecutive steps of the model are one turn in the Interactions API")
        elif message.role == "tool":
            _append(_dump_result(message, path, d.place(out), d), path, out, d)
        else:
            _write_given(message, path, out, d)
        if len(out) == count:
            d.drop(path, NOTHING_LEFT)


def _joins_turn(messages: Sequence[Any], step: Wire, number: int, base: InteractionsDump) -> bool:
    """Whether a message's steps would be loaded as one message with the step of this number, which is before them."""
    if not is_model_step(step):
        return False
    path = base.places.get(f"/input/{number}") or base.places.get(f"/input/{number}/content/0")
    return path is None or not base.rules_for(messages[int(path.split("/")[2])]).exact


def _append(step: Wire, path: str, out: list[Wire], d: InteractionsDump) -> None:
    d.places[d.place(out)] = path
    out.append(step)


def _append_own(owner: Any, what: str, path: str, out: list[Wire], d: InteractionsDump) -> None:
    """Append a step that was kept whole."""
    if (step := d.own_value(owner, path, what)) is not None:
        _append(step, path, out, d)


def _append_call(called: CodeRun | PageFetch, part: Any, path: str, out: list[Wire], d: InteractionsDump) -> None:
    """Append the steps of a call that another provider's server ran."""
    from .server_calls import write_call  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    for i, step in enumerate(write_call(called, part, path, d.place(out), d)):
        if i:
            d.report("added", path, d.place(out), f"the result of {called.what} is a separate step")
        _append(step, path, out, d)


# Messages to the model


def _write_given(message: Any, path: str, out: list[Wire], d: InteractionsDump) -> None:
    """Dump a message of the user or the application; each tool result in it is a step."""
    role: str = message.role
    if role != "user":
        what = "completion-style text" if role == "text" else f"a {role} message in this place"
        d.report("changed", path, d.place(out), f"the Interactions API does not take {what}: it becomes a user message")
    content: Content = message.content
    if not content and d.exact:
        step: Wire = {"type": "user_input", "content": list[Wire]()}
        word = spelling(message, "content")
        if word is not None:
            step["content"] = None
        if word == "absent":
            del step["content"]
        _append_framed(message, step, path, out, d)
        return
    framed = False
    given: Any = (TextPart(text=content),) if isinstance(content, str) else content
    pieces = [(path + "/content", given[0])] if isinstance(content, str) else pieces_of(content, path)
    for is_result, run in groupby(pieces, lambda piece: piece[1].type == "tool_result"):
        if is_result:
            for where, part in run:
                _append(_dump_result(part, where, d.place(out), d), where, out, d)
        elif parts := dump_parts(run, d.place(out) + "/content", d, "user"):
            step = {"type": "user_input", "content": parts}
            if framed:
                _append(step, path, out, d)
            else:
                _append_framed(message, step, path, out, d)
            framed = True
    if not framed:
        drop_frame(message, path, d)


def dump_parts(pieces: Iterable[Pointed], at: str, d: InteractionsDump, role: str, step: Wire | None = None) -> list[Wire]:
    """Dump these as content, without what has no place."""
    written: list[Wire] = []
    for where, part in pieces:
        if (made := dump_part(part, where, f"{at}/{len(written)}", d, role, step)) is not None:
            written.append(made)
    return written


def _append_framed(message: Any, step: Wire, path: str, out: list[Wire], d: InteractionsDump) -> None:
    """Append the step of a message, with the message's other fields."""
    d.drop_named(message, path, "name", "cache_control")
    d.lay_provider_data(message, step, path)
    _append(step, path, out, d)


def drop_frame(message: Any, path: str, d: InteractionsDump) -> None:
    """Report the fields of a message besides its content, if no step has a place for them."""
    d.drop_named(message, path, "name", "cache_control")
    d.drop_fields(message, path)


def _dump_result(owner: Any, path: str, at: str, d: InteractionsDump) -> Wire:
    """Dump a tool result from a tool message or from a part."""
    id, _ = d.result_id(owner, path, at)
    step: Wire = {"type": "function_result"}
    if id is not None:
        step["call_id"] = id
    if owner.name is not None:
        step["name"] = owner.name if d.exact else d.tool_name(d.full_name(owner, path), path, LONGEST_NAME)
    content: Content = owner.content
    if isinstance(content, str):
        step["result"] = content
    else:
        step["result"] = _dump_content(pieces_of(content, path), f"{at}/result", d)
    if owner.is_error is not None:
        step["is_error"] = owner.is_error
    d.drop_named(owner, path, "cache_control")
    if "role" not in vars(owner):
        d.drop_unplaced(owner, path)
    d.lay_provider_data(owner, step, path)
    return step


def _dump_content(pieces: Iterable[Pointed], at: str, d: InteractionsDump) -> Any:
    """Dump the content of a result: content, or an object if that is all of it."""
    written: list[Wire] = []
    last: Any = None
    for where, part in pieces:
        if (made := dump_part(part, where, f"{at}/{len(written)}", d, "tool")) is not None:
            written.append(made)
            last = part
    value: Json = last.value if last is not None and last.type == "json" else None
    if type(value) is dict and len(written) == 1 and written[0].keys() == {"type", "text"}:
        d.places[at] = d.places.pop(at + "/0")
        return copy_wire(value)
    return written if written or d.exact else ""


# Messages of the model


def _as_part(piece: Any) -> Any:
    """A piece of a content as a part."""
    return TextPart(text=piece) if type(piece) is str else piece


def write_assistant(message: Any, path: str, out: list[Wire], d: InteractionsDump) -> None:
    """Append the steps of an assistant message."""
    pieces = [(where, _as_part(piece)) for where, piece in content_of(message, path)]
    for run in _steps_of(pieces if d.exact else _placed(pieces, d), d):
        write_step(run, out, d)
    drop_frame(message, path, d)


def write_step(run: Sequence[Pointed], out: list[Wire], d: InteractionsDump) -> None:
    """Append the step of these parts; if they have no place, that is reported."""
    where, first = run[0]
    at = d.place(out)
    kind = first.__dict__.get("type", "tool_use")  # a flat call has no type
    if kind == "tool_use":
        _append(dump_call(first, where, at, d), where, out, d)
    elif kind == "redacted_thinking":
        d.drop(where, unreadable(first))
    elif kind == "thinking":
        thought = dump_thought(first, where, at, d)
        if thought is not None:
            out.append(thought)
    elif _rank_of(first) < 0 and isinstance(called := foreign_call(first, d), CodeRun | PageFetch):
        _append_call(called, first, where, out, d)
    elif _rank_of(first) < 0:
        _append_own(first, "part", where, out, d)
    else:
        step: Wire = {"type": "model_output"}
        parts = dump_parts(run, at + "/content", d, "assistant", step)
        if parts:
            out.append(step | {"content": parts})


def _placed(pieces: Iterable[Pointed], d: InteractionsDump) -> Iterator[Pointed]:
    """The pieces, with the text or the image of another provider's step in place of the step."""
    for where, piece in pieces:
        if piece.__dict__.get("type") != "opaque":
            yield where, piece
        elif (text := send_as_text(piece, where, None, d)) is not None:
            yield where, TextPart(text=text)
        else:
            yield where, send_as_media(piece, where, None, d, "image") or piece


def _steps_of(pieces: Iterable[Pointed], d: InteractionsDump) -> Iterator[list[Pointed]]:
    """Group the pieces of a message by step."""
    run: list[Pointed] = []
    for pointed in pieces:
        if run and begins_step(run[-1][1], pointed[1], d):
            yield run
            run = []
        run.append(pointed)
    if run:
        yield run


def begins_step(before: Any, piece: Any, d: InteractionsDump) -> bool:
    """Whether a part begins a new step, and does not join the step of the part before it.

    A text after a text begins a new step, unless one step had both: in streams only the step tells two texts apart.
    """
    if _rank_of(before) < 0 or _rank_of(piece) < 0 or spelling(piece, "item") == "new":
        return True
    if not d.exact and before.type == piece.type == "text":
        return True
    overlays: Wire = piece.provider_data or {}
    return any(is_of_step(piece, key) for key in overlays.get(FAMILY, ()))


def _rank_of(piece: Any) -> int:
    fields: Wire = piece.__dict__
    return rank_of(fields.get("type", "tool_use"), spelling(piece, "opaque"))


# Turns of the API's first version


def _write_turn(message: Any, path: str, out: list[Wire], d: InteractionsDump) -> None:
    """Append a turn as it was loaded."""
    at = d.place(out)
    written = [
        made
        for i, (where, part) in enumerate(pieces_of(message.content, path))
        if (made := dump_flat(part, where, f"{at}/content/{i}", d)) is not None
    ]
    turn: Wire = {"role": "user" if message.role == "user" else "model", "content": written}
    if spelling(message, "content") == "text" and len(written) == 1 and written[0].keys() == {"type", "text"}:
        turn["content"] = written[0]["text"]
        d.places[f"{at}/content"] = d.places.pop(f"{at}/content/0")
    d.lay_provider_data(message, turn, path)
    _append(turn, path, out, d)


def dump_flat(part: Any, path: str, at: str, d: InteractionsDump) -> Wire | None:
    """Dump an item in the list of a turn, or of a response without steps."""
    if part.type == "tool_use":
        return dump_call(part, path, at, d)
    if part.type == "thinking":
        return dump_thought(part, path, at, d)
    if part.type == "tool_result":
        d.places[at] = path
        return _dump_result(part, path, at, d)
    return dump_part(part, path, at, d, "assistant")
