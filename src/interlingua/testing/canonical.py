"""Strategies for the canonical models: every field of every class, in either spelling.

Each value is valid by itself, but the values do not fit together. `conversations()` draws messages that do.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from hypothesis import strategies as st

from ..codec.strategies.primitives import IMAGE_URIS, NAMES, SCHEMAS, URLS, arguments, json_objects, text
from ..codec.strategies.shapes import COMMON, given, of_model, values
from ..formats import FORMATS
from ..model import events as e, exchange as x, messages as m, parts as p
from ..model.base import ModelT, members
from .dialogues import conversations
from .known import FAMILIES, REASONING_FORMATS, THINKERS

_SPELLINGS = {
    "arguments": "object null absent",
    "call": "flat nested",
    "content": "null",
    "format": " ".join(REASONING_FORMATS),
    "image_url": "text",
    "index": "position absent",
    "max_tokens": "max_tokens max_completion_tokens",
    "prompt": "list",
    "reasoning": "both reasoning",
    "role": "absent function",
    "stop": "text",
    "system": "message",
    "text": "absent",
    "thinking": "thinking_blocks reasoning_details",
    "tool_calls": "function_call",
    "type": "other function custom",
    "novel": "word",
}
_WORDS: dict[str, Any] = {field: st.sampled_from(words.split()) for field, words in _SPELLINGS.items()}
_POINTERS = st.lists(st.sampled_from(["/a", "/a/b", "/x~1y", "/function", "not a pointer"]), max_size=2)
_FAMILIES = st.sampled_from(FAMILIES)
_PROVIDER_DATA: st.SearchStrategy[dict[str, Any]] = st.dictionaries(_FAMILIES, json_objects(), max_size=1)
_NUMBERS = st.sampled_from([0, 1, 0.5])
_STOP_REASONS = st.sampled_from([*get_args(x.StopReason), "eos"])

HINTS: dict[str, st.SearchStrategy[Any]] = {
    **COMMON,
    "arguments": arguments(),
    "choice": st.integers(0, 2),
    "created": st.integers(0, 2**33) | st.floats(0, 2**33),
    "format": _FAMILIES,
    "index": st.integers(0, 3),
    "input": arguments() | json_objects(),
    "issuer": st.sampled_from(THINKERS),
    "json_schema": SCHEMAS,
    "max_tokens": st.integers(1, 10**6),
    "native": _PROVIDER_DATA,
    "origin": st.sampled_from([*FORMATS, "else"]),
    "partial": _POINTERS,
    "provider_data": _PROVIDER_DATA,
    "reasoning_budget": st.integers(1024, 10**5),
    "reasoning_effort": st.sampled_from(["low", "high", "minimal"]),
    "spelling": st.fixed_dictionaries({}, optional=_WORDS),
    "standalone": _POINTERS,
    "stop": st.lists(text(), max_size=5),
    "stop_reason": _STOP_REASONS,
    "temperature": _NUMBERS,
    "top_k": st.integers(1, 100),
    "top_p": _NUMBERS,
    "ttl": st.sampled_from(["5m", "1h", "30m"]),
    "Caching.messages": st.integers(0, 4),
    "Conversation.messages": conversations(),
    "ErrorEvent.error": json_objects(),
    "ImageUrl.url": URLS | IMAGE_URIS,
    "InputAudio.format": st.sampled_from(["wav", "mp3"]),
    "MessageStart.spelling": st.sampled_from(["flat", "blocks"]),
    "Response.choices": st.deferred(lambda: st.lists(of(x.Choice), min_size=1, max_size=2)),
    "TextSource.media_type": st.just("text/plain"),
    "Update.data": json_objects(),
    # Fields that depend on one another.
    "ToolChoice": given(
        x.ToolChoice, {"type": st.sampled_from(["auto", "none", "required"])}, {"name": st.none(), "allowed": st.none()}
    )
    | given(
        x.ToolChoice, {"type": st.sampled_from(["auto", "required"]), "allowed": st.lists(NAMES, min_size=1, max_size=3)}, {}
    )
    | given(x.ToolChoice, {"type": st.just("tool"), "name": NAMES}, {}),
    "ResponseFormat": given(x.ResponseFormat, {"type": st.sampled_from(["text", "json_object"])}, {})
    | given(
        x.ResponseFormat,
        {"type": st.just("json_schema")},
        {"name": NAMES, "description": text(), "json_schema": SCHEMAS, "strict": st.booleans()},
    ),
}
"""What the types of the models do not say, by field, by class and field, or by class."""


def of(model: type[ModelT]) -> st.SearchStrategy[ModelT]:
    """Values of a model."""
    kind: Any = model  # which is hashable, though type checkers think of its values
    return _of(kind)


@cache
def _of(model: Any) -> st.SearchStrategy[Any]:
    return values(model, HINTS)


def _any_of(union: Any) -> st.SearchStrategy[Any]:
    return st.one_of(*map(of, members(union)))


@st.composite
def _content(draw: st.DrawFn, parts: st.SearchStrategy[Any]) -> Any:
    """Parts, oftener than text: in a union with it, each of the kinds of text would count as much as all parts."""
    return draw(text() if draw(st.integers(0, 4)) == 0 else st.lists(parts, max_size=6))


_PARTS = _any_of(p.Part)
for _role in "System", "Developer", "User", "Tool", "Assistant":
    HINTS[f"{_role}Message.content"] = _content(_PARTS)
# A flat message's content has no tool calls, for they are next to it.
_FLAT = st.one_of(*[of(part) for part in members(p.Part) if part is not p.ToolUsePart])
HINTS["AssistantMessage"] = of_model(m.AssistantMessage, HINTS | {"AssistantMessage.tool_calls": st.just([])}) | of_model(
    m.AssistantMessage, HINTS | {"AssistantMessage.content": _content(_FLAT)}
)


def parts() -> st.SearchStrategy[p.Part]:
    """Any part of a message's content, tool calls and results among them."""
    return _PARTS


def messages() -> st.SearchStrategy[m.Message]:
    """Any valid message, in either spelling.

    It has any parts in any order, ids that match no other message, and fields that only one provider knows. For messages that
    fit together, use `conversations()`.
    """
    return _any_of(m.Message)


def requests() -> st.SearchStrategy[x.Request]:
    """Canonical requests, with any `messages()` and any settings."""
    return of(x.Request)


def stored_conversations() -> st.SearchStrategy[x.Conversation]:
    """Stored conversations: the messages are those of `conversations()`."""
    return of(x.Conversation)


def events() -> st.SearchStrategy[e.Event]:
    """Any valid event. For events that make a response, read the chunks of `chunks(format)` with a reader."""
    return _any_of(e.Event)
