"""Hypothesis strategies for messages, requests and wire payloads, for this package's tests and for yours.

`messages()` and `requests()` give canonical values; `payloads(format)` gives wire requests that its provider accepts, with
the odd shapes that real ones have; `malformed(format)` gives payloads with one thing wrong, and where.
Needs the extra `testing`.
"""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

from hypothesis import strategies as st

from . import messages as m
from .exchange import Request
from .formats import FORMATS, format_of

# JSON

# What breaks converters, and then anything at all: few draws each, so that conversations stay cheap to make and to shrink.
PHRASES = ("a", "Hi there.", "é 漢字 🙂", "line\nbreak", '"quoted" \\', " led by a space", "\u0000\u202e", "0", "null", "{}")
OBJECTS: tuple[dict[str, Any], ...] = (
    {},
    {"q": "x"},
    {"a": 2**70, "b": -0.0, "c": 1.0, "d": 1},
    {"nested": {"list": [None, True, {"": []}]}, "a/b": "~"},
)


def text(*, blank: bool = True) -> st.SearchStrategy[str]:
    """Valid text; with something in it that can be seen, and no white space at its end, unless `blank`."""
    seen = st.sampled_from(PHRASES)
    return st.sampled_from(("", " ", "\n\t")) | seen | st.text(max_size=5) if blank else seen


def json_values(*, max_leaves: int = 5) -> st.SearchStrategy[Any]:
    """Any JSON value: big integers, floats, nulls, nesting."""
    numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(), inner, max_size=3),
        max_leaves=max_leaves,
    )


def json_objects() -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects."""
    return st.sampled_from(OBJECTS).map(copy.deepcopy) | st.dictionaries(text(), json_values(max_leaves=2), max_size=2)


def _fields(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional=optional)


NAMES = st.sampled_from(("f", "get_weather", "n-0", "Z9"))
PORTABLE_IDS = st.integers(0, 999).map("call_{}".format)
IDS = PORTABLE_IDS | st.sampled_from(["a.b", "a:b", "a b", "il_a_2e_b", "il2_x", "functions.f:0", "é"])
BASE64 = st.integers(0, 9).map(lambda n: base64.b64encode(b"data%d" % n).decode())
MEDIA_TYPES = st.sampled_from(["image/png", "image/jpeg", "image/gif", "image/webp"])
URLS = st.integers(0, 99).map("https://media.example/{}.png".format)


def arguments(*, broken: bool = True) -> st.SearchStrategy[str]:
    """A tool call's argument text: a JSON object as a rule, and what models make of it if `broken`."""
    sound = json_objects().map(lambda value: json.dumps(value, ensure_ascii=False))
    odd = st.sampled_from(["", "{", "[1]", "null", '{"a": 1, "a": 2}', '{"a": 1e999}', '{"a": NaN}', " {} ", '{"a":1.0}'])
    return sound | odd if broken else sound


# Canonical values


def _provider_data() -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(["openai", "anthropic", "else"]), json_objects(), max_size=1)


_SHARED: dict[str, st.SearchStrategy[Any]] = {
    "cache_control": st.none() | st.builds(m.CacheControl),
    "provider_data": st.none() | _provider_data(),
}
_SOURCES = (
    st.builds(m.UrlSource, url=URLS)
    | st.builds(m.Base64Source, data=BASE64, media_type=MEDIA_TYPES)
    | st.builds(m.FileIdSource, file_id=NAMES, issuer=st.sampled_from([None, "openai", "anthropic"]))
)


def _given(cls: type[Any], required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[Any]:
    return _fields(required, optional).map(lambda given: cls(**given))


def parts() -> st.SearchStrategy[m.AnyPart]:
    """Any part but tool calls and results."""
    thinking = {"signature": BASE64, "issuer": st.sampled_from([None, "anthropic", "openai"]), "summary": st.booleans()}
    return st.one_of(
        _given(m.TextPart, {"text": text()}, _SHARED),
        _given(m.ImagePart, {"source": _SOURCES}, {"detail": NAMES, **_SHARED}),
        _given(m.AudioPart, {"source": _SOURCES}, _SHARED),
        _given(m.VideoPart, {"source": _SOURCES}, _SHARED),
        _given(m.FilePart, {"source": _SOURCES}, {"filename": NAMES, **_SHARED}),
        _given(m.ImageUrlPart, {"image_url": st.builds(m.ImageUrl, url=URLS)}, _SHARED),
        _given(m.InputAudioPart, {"input_audio": st.builds(m.InputAudio, data=BASE64, format=st.just("wav"))}, _SHARED),
        _given(m.ThinkingPart, {"thinking": text()}, thinking),
        _given(m.RedactedThinkingPart, {"data": BASE64}, {"issuer": st.sampled_from([None, "anthropic"])}),
        _given(m.RefusalPart, {"refusal": text()}, {}),
        st.builds(m.OpaquePart, format=st.sampled_from(["openai", "anthropic"]), value=json_objects()),
    )


def _tool_uses() -> st.SearchStrategy[m.ToolUsePart]:
    return _given(m.ToolUsePart, {"id": IDS, "name": NAMES, "input": arguments() | json_objects()}, _SHARED)


def _tool_results() -> st.SearchStrategy[m.ToolResultPart]:
    content = text() | st.lists(_given(m.TextPart, {"text": text()}, {}), max_size=2)
    return _given(m.ToolResultPart, {"tool_use_id": IDS}, {"content": content, "is_error": st.booleans(), **_SHARED})


def messages() -> st.SearchStrategy[m.Message]:
    """Any canonical message, in either spelling."""
    content = text() | st.lists(parts(), max_size=3)
    shared = {"name": NAMES, **_SHARED}
    calls = st.lists(_given(m.ToolCall, {"id": IDS, "name": NAMES, "arguments": arguments()}, {}), max_size=2)
    return st.one_of(
        _given(m.SystemMessage, {"content": content}, shared),
        _given(m.DeveloperMessage, {"content": content}, shared),
        _given(m.UserMessage, {"content": text() | st.lists(parts() | _tool_results(), max_size=3)}, shared),
        _given(
            m.AssistantMessage,
            {},
            {
                "content": st.none() | content,
                "reasoning_content": st.none() | text(),
                "refusal": text(),
                "tool_calls": calls,
                **shared,
            },
        ),
        _given(m.AssistantMessage, {"content": st.lists(parts() | _tool_uses(), max_size=4)}, shared),
        _given(m.ToolMessage, {"tool_call_id": IDS, "content": content}, {"is_error": st.booleans(), **shared}),
        _given(m.TextMessage, {"content": text()}, {}),
        st.builds(m.OpaqueMessage, format=st.sampled_from(["openai", "anthropic"]), value=json_objects()),
    )


def requests() -> st.SearchStrategy[Request]:
    """Canonical requests."""
    return _given(
        Request,
        {"messages": st.lists(messages(), max_size=5)},
        {"model": NAMES, "max_tokens": st.integers(1, 10**6), "stop": st.lists(text(), max_size=5), "user": NAMES},
    )


# Wire payloads


def payloads(format: str, *, odd: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Wire requests of a sound conversation; with unknown fields, nulls and broken arguments if `odd`."""
    known = format_of(format)
    if known.family == "anthropic":
        return _anthropic(odd=odd, as_text=format == "asktable")
    if format == "openai_completions":
        return _fields(
            {"prompt": text() | st.lists(text(), min_size=1, max_size=3)}, {"model": NAMES, "seed": st.integers(0, 9)}
        )
    return _openai(odd=odd, flat=format == "verifiers")


def malformed(format: str) -> st.SearchStrategy[tuple[dict[str, Any], str]]:
    """Payloads with one thing wrong, and the JSON Pointer of it."""
    wrong = st.sampled_from([5, True, 1.5, {"a": 1}])

    @st.composite
    def spoilt(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
        payload = draw(payloads(format, odd=False))
        if "prompt" in payload:
            payload["prompt"] = draw(wrong)
            return payload, "/prompt"
        index = draw(st.integers(0, len(payload["messages"]) - 1))
        message = payload["messages"][index]
        what = draw(st.sampled_from(["content", "role", "message", "part"]))
        pointer = f"/messages/{index}"
        if what == "message":
            payload["messages"][index] = draw(st.sampled_from([5, None, "x", [1]]))
        elif what == "role":
            del message["role"]
            pointer += "/role" if FORMATS[format].family == "never" else ""
        elif what == "part":
            message.clear()
            message |= {"role": "user", "content": [{"type": "text", "text": draw(wrong)}]}
            pointer += "/content/0/text"
        else:
            message["content"] = draw(wrong)
            pointer += "/content"
        return payload, pointer

    return spoilt()


def _extra(odd: bool) -> dict[str, st.SearchStrategy[Any]]:
    return {"x_unknown": json_values(max_leaves=2)} if odd else {}


def _openai_user_parts(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    data_uris = st.builds("data:{};base64,{}".format, MEDIA_TYPES, BASE64)
    image = _fields({"url": URLS | data_uris}, {"detail": st.sampled_from(["low", "high", "auto"])})
    pdf = st.fixed_dictionaries({"file_data": BASE64.map("data:application/pdf;base64,{}".format), "filename": NAMES})
    marks = {"prompt_cache_breakpoint": st.just({"mode": "explicit"})}
    return st.one_of(
        _fields({"type": st.just("text"), "text": text(blank=False)}, {**marks, **_extra(odd)}),
        _fields({"type": st.just("image_url"), "image_url": image}, marks),
        st.fixed_dictionaries({"type": st.just("file"), "file": pdf | st.fixed_dictionaries({"file_id": NAMES})}),
        st.fixed_dictionaries(
            {"type": st.just("input_audio"), "input_audio": st.fixed_dictionaries({"data": BASE64, "format": st.just("wav")})}
        ),
    )


def _openai_plain(role: str, content: st.SearchStrategy[Any], odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _fields({"role": st.just(role), "content": content}, {"name": NAMES, **_extra(odd)})


@st.composite
def _openai_turn(draw: st.DrawFn, odd: bool, flat: bool) -> list[dict[str, Any]]:
    """A user's words and, often, calls with their results, answered in any order."""
    said = text(blank=odd)
    content = said | st.lists(_openai_user_parts(odd), min_size=1, max_size=3)
    turn = [draw(_openai_plain("user", content, odd))]
    ids = draw(st.lists(IDS, max_size=3, unique=True))
    if ids:
        turn.append(draw(_fields({"role": st.just("assistant")}, {"content": st.none() | said})))
        turn[-1]["tool_calls"] = [draw(_openai_call(id, odd, flat)) for id in ids]
        turn += [draw(_openai_plain_result(id, said, odd)) for id in draw(st.permutations(ids))]
    if draw(st.booleans()):
        answer = {"role": st.just("assistant"), "content": text(blank=False)}
        turn.append(draw(_fields(answer, {"refusal": st.none(), "name": NAMES, **_extra(odd)})))
    return turn


def _openai_plain_result(id: str, said: st.SearchStrategy[str], odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    listed = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)}), min_size=1, max_size=2)
    return _fields({"role": st.just("tool"), "tool_call_id": st.just(id), "content": said | listed}, _extra(odd))


def _openai_call(id: str, odd: bool, flat: bool) -> st.SearchStrategy[dict[str, Any]]:
    called = {"name": NAMES, "arguments": arguments(broken=odd)}
    nested = st.fixed_dictionaries({"id": st.just(id), "type": st.just("function"), "function": st.fixed_dictionaries(called)})
    usual = st.fixed_dictionaries({"id": st.just(id), **called}) if flat else nested
    if not odd:
        return usual
    custom = st.fixed_dictionaries({"name": NAMES, "input": text()})
    extended = _fields(
        {"id": st.just(id), "type": st.just("function"), "function": _fields(called, {"x_unknown": json_values(max_leaves=2)})},
        _extra(odd),
    )
    return usual | nested | extended | st.fixed_dictionaries({"id": st.just(id), "type": st.just("custom"), "custom": custom})


def _openai(*, odd: bool, flat: bool) -> st.SearchStrategy[dict[str, Any]]:
    function = _fields(
        {"name": NAMES},
        {"description": text(), "parameters": st.just({"type": "object", "properties": {}}), "strict": st.booleans()},
    )
    tools = st.lists(st.fixed_dictionaries({"type": st.just("function"), "function": function}), min_size=1, max_size=2)
    opening = st.lists(
        st.sampled_from(["system", "developer"]).flatmap(lambda role: _openai_plain(role, text(blank=False), odd)), max_size=2
    )
    turns = st.lists(_openai_turn(odd, flat), min_size=1, max_size=3).map(lambda found: [x for turn in found for x in turn])
    settings = {
        "model": NAMES,
        "tools": tools,
        "tool_choice": st.sampled_from(["auto", "none", "required"]),
        "parallel_tool_calls": st.booleans(),
        "max_completion_tokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 1, 0.5]),
        "stop": text(blank=False) | st.lists(text(blank=False), min_size=1, max_size=4),
        "reasoning_effort": st.sampled_from(["low", "high", "minimal"]),
        "user": NAMES,
        "seed": st.integers(0, 9) | (st.none() if odd else st.nothing()),
        **_extra(odd),
    }
    return st.builds(lambda first, rest, more: {"messages": [*first, *rest], **more}, opening, turns, _fields({}, settings))


def _anthropic_user_blocks(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    marks: dict[str, st.SearchStrategy[Any]] = {
        "cache_control": _fields({"type": st.just("ephemeral")}, {"ttl": st.sampled_from(["5m", "1h"])})
    }
    image = st.fixed_dictionaries(
        {"type": st.just("base64"), "media_type": MEDIA_TYPES, "data": BASE64}
    ) | st.fixed_dictionaries({"type": st.just("url"), "url": URLS})
    document = st.one_of(
        st.fixed_dictionaries({"type": st.just("base64"), "media_type": st.just("application/pdf"), "data": BASE64}),
        st.fixed_dictionaries({"type": st.just("url"), "url": URLS}),
        st.fixed_dictionaries({"type": st.just("file"), "file_id": NAMES}),
        st.fixed_dictionaries({"type": st.just("text"), "media_type": st.just("text/plain"), "data": text(blank=False)}),
    )
    return st.one_of(
        _fields({"type": st.just("text"), "text": text(blank=False)}, {**marks, **_extra(odd)}),
        _fields({"type": st.just("image"), "source": image}, marks),
        _fields({"type": st.just("document"), "source": document}, {"title": NAMES, "context": text(blank=False), **marks}),
    )


@st.composite
def _anthropic_turn(draw: st.DrawFn, odd: bool, as_text: bool) -> list[dict[str, Any]]:
    blocks = st.lists(_anthropic_user_blocks(odd), min_size=1, max_size=3)
    said_first: st.SearchStrategy[Any] = text(blank=False) | blocks
    turn: list[dict[str, Any]] = [{"role": "user", "content": draw(said_first)}]
    thinking = st.fixed_dictionaries({"type": st.just("thinking"), "thinking": text(), "signature": BASE64})
    redacted = st.fixed_dictionaries({"type": st.just("redacted_thinking"), "data": BASE64})
    words = st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)})
    said: list[dict[str, Any]] = draw(st.lists(thinking | redacted | words, max_size=3))
    ids = draw(st.lists(PORTABLE_IDS, max_size=3, unique=True))
    for id in ids:
        inputs: st.SearchStrategy[Any] = arguments(broken=odd) if as_text else json_objects()
        given = draw(inputs)
        said.insert(draw(st.integers(0, len(said))), {"type": "tool_use", "id": id, "name": draw(NAMES), "input": given})
    words_alone: str = draw(text(blank=False))
    turn.append({"role": "assistant", "content": said or words_alone})
    if ids:
        content = text(blank=False) | st.lists(words | _anthropic_images(), min_size=1, max_size=2)
        results = [
            draw(
                _fields(
                    {"type": st.just("tool_result"), "tool_use_id": st.just(id)},
                    {"content": content, "is_error": st.booleans()},
                )
            )
            for id in draw(st.permutations(ids))
        ]
        turn.append({"role": "user", "content": results + draw(st.lists(words, max_size=2))})
        turn.append({"role": "assistant", "content": draw(text(blank=False))})
    return turn


def _anthropic_images() -> st.SearchStrategy[dict[str, Any]]:
    source = st.fixed_dictionaries({"type": st.just("base64"), "media_type": MEDIA_TYPES, "data": BASE64})
    return st.fixed_dictionaries({"type": st.just("image"), "source": source})


def _anthropic(*, odd: bool, as_text: bool) -> st.SearchStrategy[dict[str, Any]]:
    words = st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)})
    tool = _fields(
        {"name": NAMES, "input_schema": st.just({"type": "object", "properties": {}})},
        {"description": text(), "strict": st.booleans(), "cache_control": st.just({"type": "ephemeral"})},
    )
    settings = {
        "model": NAMES,
        "max_tokens": st.integers(1, 10**6),
        "system": text(blank=False) | st.lists(words, min_size=1, max_size=2),
        "tools": st.lists(tool, min_size=1, max_size=2),
        "tool_choice": st.sampled_from(
            [{"type": "auto"}, {"type": "any", "disable_parallel_tool_use": True}, {"type": "none"}]
        ),
        "stop_sequences": st.lists(text(blank=False), min_size=1, max_size=6),
        "thinking": st.just({"type": "enabled", "budget_tokens": 2048}),
        "metadata": st.fixed_dictionaries({"user_id": NAMES}),
        **_extra(odd),
    }
    turns = st.lists(_anthropic_turn(odd, as_text), min_size=1, max_size=3).map(_renumbered)
    return st.builds(lambda messages, more: {"messages": messages, **more}, turns, _fields({}, settings))


def _renumbered(turns: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The turns one after the other, their tool calls told apart: Anthropic takes an id but once."""
    for i, turn in enumerate(turns):
        for message in turn:
            for block in message["content"] if isinstance(message["content"], list) else []:
                for key in ("id", "tool_use_id"):
                    if key in block:
                        block[key] += f"-{i}"
    return [message for turn in turns for message in turn]
