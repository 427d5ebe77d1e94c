"""Prompts in harmony: conversations with reasoning, calls and results."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.primitives import NAMES, arguments, fields, text, unknown_fields
from ...codec.strategies.spoiling import spoil_prompt
from ...codec.strategies.wire import Strategies
from .prologue import USUAL, write_developer, write_system

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
    written = st.builds(write_developer, _TEXT, st.just([]) | TOOLS) | st.builds(write_developer, st.none(), TOOLS)
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


STRATEGIES = Strategies(requests, spoil_prompt)
