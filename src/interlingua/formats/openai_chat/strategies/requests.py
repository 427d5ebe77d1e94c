"""Chat Completions requests, as OpenAI and other hosts accept them, with the constraints that the wire types do not express."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies.primitives import (
    BASE64,
    IDS,
    IMAGE_URIS,
    NAMES,
    URLS,
    arguments,
    called,
    fields,
    json_values,
    text,
    unknown_fields,
    whole,
)
from ....codec.strategies.shapes import COMMON, of_object
from .. import wire
from ..profiles import ChatProfile
from .signatures import signed

_TEXT = text(blank=False)
_FILE = {"file_data": BASE64.map("data:application/pdf;base64,{}".format)}
_VIDEO = fields(
    {"type": st.just("video_url"), "video_url": fields({"url": URLS | BASE64.map("data:video/mp4;base64,{}".format)}, {})}, {}
)
_UPLOADED = st.fixed_dictionaries({"file_id": NAMES})
_HINTS: dict[str, st.SearchStrategy[Any]] = {
    **COMMON,
    "file": fields(_FILE, {"filename": NAMES}) | _UPLOADED,
    "format": st.just("wav"),
    "image_url": fields({"url": URLS | IMAGE_URIS}, {"detail": st.sampled_from(["low", "high", "auto"])}),
    "input": text(),
    "text": _TEXT,
}


class _Host(NamedTuple):
    """What a host accepts, where requests differ; odd requests have what any host accepts."""

    odd: bool
    flat: bool
    marks: bool
    names: bool
    refusals: bool
    developer: bool
    kinds: frozenset[str]
    efforts: tuple[str, ...]
    named_files: bool


_EFFORTS = ("low", "high", "minimal")


def _host(profile: ChatProfile, odd: bool) -> _Host:
    taken = ChatProfile() if odd else profile
    return _Host(
        odd,
        profile.tool_calls == "flat",
        taken.cache == "prompt_cache_breakpoint",
        taken.names,
        taken.refusals,
        taken.developer,
        taken.media_kinds if taken.media else frozenset(),
        tuple(effort for effort in _EFFORTS if taken.efforts is None or effort in taken.efforts),
        profile.named_files and not odd,
    )


@cache
def _user_parts(host: _Host) -> st.SearchStrategy[dict[str, Any]]:
    """The parts of a user's message, without the media that the host refuses."""
    mark = {"prompt_cache_breakpoint": st.just({"mode": "explicit"})} if host.marks else {}
    named = {"file": fields({**_FILE, "filename": NAMES}, {}) | _UPLOADED} if host.named_files else {}
    media = {
        "image": of_object(wire.ImageUrlPart, _HINTS, mark),
        "file": of_object(wire.FilePart, _HINTS | named),
        "audio": of_object(wire.InputAudioPart, _HINTS),
        "video": _VIDEO,
    }
    words = of_object(wire.TextPart, _HINTS, {**mark, **unknown_fields(host.odd)})
    return st.one_of(words, *(part for kind, part in media.items() if kind in host.kinds))


@cache
def _message(role: str, content: st.SearchStrategy[Any], host: _Host) -> st.SearchStrategy[dict[str, Any]]:
    name = {} if host.names else {"name": st.nothing()}
    return of_object(wire.PlainMessage, {**_HINTS, **name, "role": st.just(role), "content": content}, unknown_fields(host.odd))


@st.composite
def _turn(draw: st.DrawFn, host: _Host) -> list[dict[str, Any]]:
    """A user message and, often, calls with their results, in any order."""
    odd = host.odd
    turn = [draw(_question(host))]
    ids = draw(st.lists(IDS, max_size=3, unique=True))
    if ids:
        turn.append(draw(_calling(odd)))
        turn[-1]["tool_calls"] = [draw(_call(odd, host.flat)) | {"id": id} for id in ids]
        if odd and draw(st.integers(0, 2)) == 0:
            turn[-1] = draw(signed(turn[-1]))
        turn += [draw(_result(odd)) | {"tool_call_id": id} for id in draw(st.permutations(ids))]
    if draw(st.booleans()):
        answer = _answer(host)
        turn.append(draw(answer | answer.flatmap(signed) if odd else answer))
    return turn


@cache
def _question(host: _Host) -> st.SearchStrategy[dict[str, Any]]:
    return _message("user", text(blank=host.odd) | st.lists(_user_parts(host), min_size=1, max_size=3), host)


@cache
def _calling(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return fields({"role": st.just("assistant")}, {"content": st.none() | text(blank=odd)})


@cache
def _answer(host: _Host) -> st.SearchStrategy[dict[str, Any]]:
    answer = {"role": st.just("assistant"), "content": _TEXT}
    more: dict[str, st.SearchStrategy[Any]] = {"refusal": st.none()} if host.refusals else {}
    return fields(answer, more | ({"name": NAMES} if host.names else {}) | unknown_fields(host.odd))


@cache
def _result(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """A result; its call's id is added later."""
    listed = st.lists(of_object(wire.TextPart, _HINTS), min_size=1, max_size=2)
    known = {"role": st.just("tool"), "tool_call_id": st.none(), "content": text(blank=odd) | listed}
    return fields(known, unknown_fields(odd))


@cache
def _call(odd: bool, flat: bool) -> st.SearchStrategy[dict[str, Any]]:
    """A call; its id is added later."""
    function = {"name": called(odd), "arguments": arguments(broken=odd)}
    known = {"id": st.none(), "type": st.just("function")}
    nested = st.fixed_dictionaries({**known, "function": st.fixed_dictionaries(function)})
    usual = st.fixed_dictionaries({"id": st.none(), **function}) if flat else nested
    if not odd:
        return usual
    custom = of_object(wire.CustomCall, {**_HINTS, "id": st.none()}, {"type": st.just("custom")}, ("id", "type"))
    extended = fields({**known, "function": fields(function, {"x_unknown": json_values(max_leaves=2)})}, unknown_fields(odd))
    return usual | nested | extended | custom


def requests(format: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _requests(_host(format.profile, odd))


_CHOICES = [{"type": "function", "function": {"name": name}} for name in ("f", "fs.read")]


@cache
def _requests(host: _Host) -> st.SearchStrategy[dict[str, Any]]:
    odd = host.odd
    tool = of_object(wire.FunctionTool, {**_HINTS, "type": st.just("function")}, always=("type",))
    if not odd:
        tool = tool.map(lambda drawn: drawn | {"function": {"name": "f", **drawn["function"]}})
    roles = ["system", "developer"] if host.developer else ["system"]
    opening = st.lists(st.sampled_from(roles).flatmap(lambda role: _message(role, _TEXT, host)), max_size=2)
    turns = st.lists(_turn(host), min_size=1, max_size=3)
    messages = st.tuples(opening, turns).map(lambda drawn: [*drawn[0], *(x for turn in drawn[1] for x in turn)])
    settings: dict[str, st.SearchStrategy[Any]] = {
        "model": NAMES,
        "tools": st.lists(tool, min_size=1, max_size=2),
        "tool_choice": st.sampled_from(["auto", "none", "required", *(_CHOICES if odd else ())]),
        "parallel_tool_calls": st.booleans(),
        "max_completion_tokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 1, 0.5]),
        "stop": _TEXT | st.lists(_TEXT, min_size=1, max_size=4),
        "reasoning_effort": st.sampled_from(host.efforts),
        "user": NAMES,
        "seed": st.integers(0, 9) | (st.none() if odd else st.nothing()),
        **unknown_fields(odd),
    }
    return whole(messages, settings)
