"""Prompts in harmony: conversations with reasoning, calls and results."""

from __future__ import annotations

import copy
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.cutting import Chunk, Track, interleave, often, pieces
from ...codec.strategies.primitives import COUNTS, NAMES, arguments, fields, text, unknown_fields
from ...codec.strategies.spoiling import spoil_prompt
from ...codec.strategies.wire import ResponseStrategies, Strategies
from .prologue import USUAL, write_developer, write_form, write_system, write_tools
from .reading import parts_in
from .responses import write_text

_TEXT = text(blank=False)
_IDENTITIES = st.sampled_from([USUAL["model_identity"], "You are a parrot."])
_DATES = st.sampled_from([None, "2025-06-28"])
_SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "object", "properties": {}},
    {"type": "object", "properties": {"q": {"type": "string", "description": "What to find"}}, "required": ["q"]},
    {"type": "object", "properties": {"unit": {"type": "string", "enum": ["c", "f"], "default": "c"}}},
    {"type": "object", "properties": {"at": {"type": "object", "properties": {"x": {"type": ["number", "null"]}}}}},
)
TOOLS = st.lists(
    fields({"name": NAMES}, {"description": _TEXT, "parameters": st.sampled_from(_SCHEMAS)}), min_size=1, max_size=2
)


_FORMS = fields({"name": NAMES, "json_schema": st.sampled_from(_SCHEMAS)}, {"description": _TEXT}).map(write_form)


def message(header: str, content: str, end: str = "<|end|>") -> str:
    """A message as text."""
    return f"<|start|>{header}<|message|>{content}{end}"


@cache
def _system() -> st.SearchStrategy[str]:
    efforts = st.sampled_from(["low", "medium", "high", None])

    def made(identity: str, date: str | None, effort: str | None, has_functions: bool) -> str:
        lines = {**USUAL, "model_identity": identity, "conversation_start_date": date}
        return message("system", write_system(lines, effort, has_functions=has_functions))

    return st.builds(made, _IDENTITIES, _DATES, efforts, st.booleans())


@cache
def _developer() -> st.SearchStrategy[str]:
    listed = TOOLS.map(write_tools)
    written = st.builds(write_developer, _TEXT, st.just("") | listed, st.just("") | _FORMS)
    written = written | st.builds(write_developer, st.none(), listed, st.just("") | _FORMS)
    return st.just("") | written.map(lambda content: message("developer", content))


@cache
def _turn() -> st.SearchStrategy[str]:
    asked = _TEXT.map(lambda text: message("user", text))
    return st.builds("{}{}{}{}".format, asked, _thought(), st.just("") | _round(), _final())


def _thought() -> st.SearchStrategy[str]:
    return st.just("") | _TEXT.map(lambda text: message("assistant<|channel|>analysis", text))


def _final() -> st.SearchStrategy[str]:
    return _TEXT.map(lambda text: message("assistant<|channel|>final", text))


def _round() -> st.SearchStrategy[str]:
    """A call and its result, perhaps after a preamble."""

    def made(before: str, name: str, given: str, result: str) -> str:
        preamble = message("assistant<|channel|>commentary", before) if before else ""
        call = message(f"assistant to=functions.{name}<|channel|>commentary <|constrain|>json", given, "<|call|>")
        return preamble + call + message(f"functions.{name} to=assistant<|channel|>commentary", result)

    return st.builds(made, st.just("") | _TEXT, NAMES, arguments(broken=False), _TEXT)


_TEMPLATED = write_tools([{"name": "f", "parameters": _SCHEMAS[2]}]).replace("default: c", "default: c,")
"""Tools as the template of gpt-oss lists them."""
_ODD = st.sampled_from(
    [
        "x",
        "<|start|>",
        "<|start|>assistant",
        "<|start|>user<|message|>",
        message("user", "a<|channel|>b"),
        message("user:ann", "a"),
        message("robot", "a"),
        message("developer", "no heading"),
        message("developer", _TEMPLATED),
        message("system", "a\n\nb"),
        message("assistant", "no channel"),
        message("assistant<|channel|>commentary", "a preamble alone"),
        message("assistant<|channel|>commentary to=functions.f<|constrain|>json", "{}", "<|call|>"),
        message("assistant<|channel|>analysis to=python code", "1 + 1", "<|call|>"),
        message("python to=assistant<|channel|>analysis", "2"),
        message("assistant<|channel|>final", "a", "<|return|>"),
    ]
)


@cache
def _prompts(odd: bool) -> st.SearchStrategy[str]:
    last = st.sampled_from(["<|start|>assistant"])
    sound = st.builds("{}{}{}{}".format, _system(), _developer(), st.lists(_turn(), max_size=2).map("".join), _last())
    pieces = st.lists(_ODD | _system() | _developer() | _turn(), max_size=3).map("".join)
    return sound | st.builds("{}{}".format, pieces, last | st.just("")) if odd else sound


def _last() -> st.SearchStrategy[str]:
    return _TEXT.map(lambda text: message("user", text) + "<|start|>assistant")


def requests(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Request bodies."""
    return _requests(odd)


@cache
def _requests(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return fields(
        {"prompt": _prompts(odd)},
        {"model": NAMES, "max_tokens": st.integers(1, 9), "seed": st.integers(0, 9), **unknown_fields(odd)},
    )


# Responses


@cache
def _texts(odd: bool) -> st.SearchStrategy[str]:
    """The texts of answers, as the model writes them after `<|start|>assistant`."""

    def called(thought: str, before: str, name: str, given: str) -> str:
        header = f"assistant<|channel|>commentary to=functions.{name} <|constrain|>json"
        preamble = message("assistant<|channel|>commentary", before) if before else ""
        return thought + preamble + message(header, given, "<|call|>")

    ended = _TEXT.map(lambda text: message("assistant<|channel|>final", text, "<|return|>"))
    answered = st.builds("{}{}".format, _thought(), ended)
    calling = st.builds(called, _thought(), st.just("") | _TEXT, NAMES, arguments(broken=odd))
    sound = (answered | calling).map(lambda text: text.removeprefix("<|start|>assistant"))
    cut = st.sampled_from(["", "<|channel|>analysis<|message|>a", "<|channel|>final<|message|>a<|end|>", "a", "<|channel|>"])
    return st.one_of(sound, sound, sound, sound, cut, _ODD) if odd else sound


@cache
def _choice(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    words = st.sampled_from(["stop", "stop", "length", *([None] if odd else [])])
    more = {"logprobs": st.none(), **unknown_fields(odd)}
    return fields({"text": _texts(odd), "finish_reason": words}, more)


def _numbered(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [choice | {"index": i} for i, choice in enumerate(choices)]


def _usage(given: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": given[0], "completion_tokens": given[1], "total_tokens": sum(given)}


def responses(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Response bodies."""
    return _responses(odd)


@cache
def _responses(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    one = st.lists(_choice(odd), min_size=1, max_size=1)
    choices = (st.one_of(one, one, st.lists(_choice(odd), min_size=2, max_size=2)) if odd else one).map(_numbered)
    usual = {
        "id": st.just("cmpl-1"),
        "object": st.just("text_completion"),
        "created": st.integers(0, 2**31),
        "model": NAMES,
        "choices": choices,
    }
    usage = st.tuples(COUNTS, COUNTS).map(_usage)
    more = {"usage": usage | st.none() if odd else usage, **unknown_fields(odd)}
    return fields(usual, more)


# Streams


def _streamable(body: dict[str, Any]) -> dict[str, Any]:
    """The part of a response that its stream has: one answer that has ended, and is spelled as the model spells it."""
    body = copy.deepcopy(body)
    if body.get("usage", True) is None:
        del body["usage"]
    body.pop("x_unknown", None)
    choice = body["choices"][0]
    choice.pop("x_unknown", None)
    choice["finish_reason"] = choice["finish_reason"] or "stop"
    for _ in range(2):  # a text before something that cannot be read is a preamble
        choice["text"] = write_text(parts_in(choice["text"]))
    return body | {"choices": [choice]}


def _split(body: dict[str, Any], random: Random) -> list[Chunk]:
    """The chunks of a stream: the text is cut anywhere, also inside of special tokens."""
    frame = {key: value for key, value in body.items() if key not in ("choices", "usage")}
    tracks: list[Track] = []
    for choice in body["choices"]:
        open_choice = choice | {"finish_reason": None}
        track = [open_choice | {"text": piece} for piece in pieces(choice["text"], random, most=12)]
        tracks.append([*track, choice | {"text": ""}])
    chunks: list[Chunk] = [{**frame, "choices": [delta]} for delta in interleave(tracks, random)]
    if "usage" in body:
        chunks.append({**frame, "choices": [], "usage": body["usage"]})
    return [*chunks, "[DONE]"] if often(random) else chunks


RESPONSES = ResponseStrategies(responses, _streamable, _split)
STRATEGIES = Strategies(requests, spoil_prompt, RESPONSES)
