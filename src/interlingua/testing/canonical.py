"""Strategies for canonical parts and messages: every field of every class, in either spelling.

Each is valid by itself and no more: what stands beside what makes no sense here. Sense is what `conversations()` makes.
"""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st

from ..model import messages as m, parts as p
from ..model.base import Model
from .primitives import BASE64, DATA_URIS, IDS, MEDIA_TYPES, NAMES, URLS, arguments, json_objects, text

ModelT = TypeVar("ModelT", bound=Model)
Strategies = dict[type[Model], st.SearchStrategy[Any]]


def given(model: type[ModelT], required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[ModelT]:
    """Values of a model: fields that are always given, and fields that are given now and then, or null where they may be."""
    nullable = {
        name: st.none() | value if model.model_fields[name].default is None else value for name, value in optional.items()
    }
    return st.fixed_dictionaries(required, optional=nullable).map(lambda fields: model(**fields))


def any_of(strategies: Strategies) -> st.SearchStrategy[Any]:
    """Any value of any of these models."""
    return st.one_of(*strategies.values())


ISSUERS = st.sampled_from(["anthropic", "openai"])
FAMILIES = st.sampled_from(["openai", "anthropic", "else"])
PROVIDER_DATA: st.SearchStrategy[dict[str, Any]] = st.dictionaries(FAMILIES, json_objects(), max_size=1)
CACHE_CONTROL = given(p.CacheControl, {}, {"ttl": st.sampled_from(["5m", "1h", "30m"])})
_SPELLINGS = {
    "arguments": "object null absent",
    "call": "flat nested",
    "content": "null",
    "format": "anthropic-claude-v1",
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
WIRE = given(
    p.WireRecord,
    {},
    {
        "origin": st.sampled_from(["openai_chat", "litellm", "anthropic", "else"]),
        "response": st.booleans(),
        "spelling": st.fixed_dictionaries({}, optional=_WORDS),
        "partial": _POINTERS,
        "standalone": _POINTERS,
    },
)
OWN: dict[str, st.SearchStrategy[Any]] = {"provider_data": PROVIDER_DATA, "wire": WIRE}
SHARED: dict[str, st.SearchStrategy[Any]] = {"cache_control": CACHE_CONTROL, **OWN}

SOURCES: Strategies = {
    p.UrlSource: given(p.UrlSource, {"url": URLS}, {}),
    p.Base64Source: given(p.Base64Source, {"data": BASE64}, {"media_type": MEDIA_TYPES}),
    p.FileIdSource: given(p.FileIdSource, {"file_id": NAMES}, {"issuer": ISSUERS}),
    p.TextSource: given(p.TextSource, {"text": text()}, {"media_type": st.just("text/plain")}),
}
_SOURCE = {"source": any_of(SOURCES)}
_IMAGE_URL = given(p.ImageUrl, {"url": URLS | DATA_URIS}, {"detail": NAMES, **OWN})
_INPUT_AUDIO = given(p.InputAudio, {"data": BASE64, "format": st.sampled_from(["wav", "mp3"])}, OWN)

_RESULT_CONTENT: Strategies = {
    p.TextPart: given(p.TextPart, {"text": text()}, SHARED),
    p.ImagePart: given(p.ImagePart, _SOURCE, {"detail": NAMES, **SHARED}),
    p.AudioPart: given(p.AudioPart, _SOURCE, SHARED),
    p.VideoPart: given(p.VideoPart, _SOURCE, SHARED),
    p.FilePart: given(p.FilePart, _SOURCE, {"filename": NAMES, **SHARED}),
    p.ImageUrlPart: given(p.ImageUrlPart, {"image_url": _IMAGE_URL}, SHARED),
    p.InputAudioPart: given(p.InputAudioPart, {"input_audio": _INPUT_AUDIO}, SHARED),
    p.OpaquePart: given(p.OpaquePart, {"format": FAMILIES, "value": json_objects()}, SHARED),
}
_THINKING: Strategies = {
    p.ThinkingPart: given(
        p.ThinkingPart, {"thinking": text()}, {"signature": BASE64, "issuer": ISSUERS, "summary": st.booleans(), **SHARED}
    ),
    p.RedactedThinkingPart: given(p.RedactedThinkingPart, {"data": BASE64}, {"issuer": ISSUERS, **SHARED}),
}
_RESULT = {
    "content": text() | st.lists(any_of(_RESULT_CONTENT), max_size=2),
    "is_error": st.booleans(),
    "name": NAMES,
    **SHARED,
}
_CALL: dict[str, Any] = {"id": IDS, "custom": st.booleans(), **SHARED}
PARTS: Strategies = {
    **_RESULT_CONTENT,
    **_THINKING,
    p.RefusalPart: given(p.RefusalPart, {"refusal": text()}, SHARED),
    p.ToolUsePart: given(p.ToolUsePart, {"name": NAMES, "input": arguments() | json_objects()}, _CALL),
    p.ToolResultPart: given(p.ToolResultPart, {}, {"tool_use_id": IDS, **_RESULT}),
}

_SAID: dict[str, Any] = {"content": text() | st.lists(any_of(PARTS), max_size=3)}
_FRAME: dict[str, Any] = {"name": NAMES, "extra": json_objects(), **SHARED}
_TOOL_CALL = given(p.ToolCall, {"name": NAMES, "arguments": arguments()}, _CALL)
# A flat message's content has no tool calls, for they are beside it.
_FLAT = st.lists(any_of({kind: value for kind, value in PARTS.items() if kind is not p.ToolUsePart}), max_size=3)
_FLAT_FIELDS: dict[str, Any] = {
    "content": text() | _FLAT,
    "reasoning_content": text(),
    "thinking_blocks": st.lists(any_of(_THINKING), max_size=2),
    "refusal": text(),
    "tool_calls": st.lists(_TOOL_CALL, max_size=2),
    **_FRAME,
}
MESSAGES: Strategies = {
    m.UserMessage: given(m.UserMessage, _SAID, _FRAME),
    m.AssistantMessage: given(m.AssistantMessage, {}, _FLAT_FIELDS) | given(m.AssistantMessage, _SAID, _FRAME),
    m.ToolMessage: given(m.ToolMessage, _SAID, {"tool_call_id": IDS, "is_error": st.booleans(), **_FRAME}),
    m.SystemMessage: given(m.SystemMessage, _SAID, _FRAME),
    m.DeveloperMessage: given(m.DeveloperMessage, _SAID, _FRAME),
    m.TextMessage: given(m.TextMessage, {"content": text()}, _FRAME),
    m.OpaqueMessage: given(
        m.OpaqueMessage, {"format": FAMILIES, "value": json_objects()}, {"wire": WIRE, "extra": json_objects()}
    ),
}

CONTENT: Strategies = {
    **SOURCES,
    **PARTS,
    **MESSAGES,
    p.CacheControl: CACHE_CONTROL,
    p.WireRecord: WIRE,
    p.ImageUrl: _IMAGE_URL,
    p.InputAudio: _INPUT_AUDIO,
    p.ToolCall: _TOOL_CALL,
}
"""What messages are made of, and they themselves."""


def parts() -> st.SearchStrategy[p.AnyPart]:
    """Any part of a message's content, tool calls and results among them."""
    return any_of(PARTS)


def messages() -> st.SearchStrategy[m.Message]:
    """Any message, in either spelling: valid by itself, whatever sense it makes.

    Its parts are any, in any order; its ids answer to nothing; it has what one provider alone knows. Messages that follow
    one another as they should are what `conversations()` gives.
    """
    return any_of(MESSAGES)
