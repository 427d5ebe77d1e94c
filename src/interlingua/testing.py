"""Hypothesis strategies for messages, requests and wire payloads, for this package's tests and for yours.

`messages()` and `requests()` give canonical values; `payloads(format)` gives wire requests that its provider accepts, with
the odd shapes that real ones have; `responses(format)` gives wire responses that it sends; `malformed(format)` gives
payloads with one thing wrong, and where.
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
    file: dict[str, st.SearchStrategy[Any]] = {"type": st.just("file"), "file": pdf | st.fixed_dictionaries({"file_id": NAMES})}
    sound: dict[str, st.SearchStrategy[Any]] = {
        "type": st.just("input_audio"),
        "input_audio": st.fixed_dictionaries({"data": BASE64, "format": st.just("wav")}),
    }
    return st.one_of(
        _fields({"type": st.just("text"), "text": text(blank=False)}, {**marks, **_extra(odd)}),
        _fields({"type": st.just("image_url"), "image_url": image}, marks),
        st.fixed_dictionaries(file),
        st.fixed_dictionaries(sound),
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
    no_parameters: dict[str, Any] = {"type": "object", "properties": {}}
    function = _fields(
        {"name": NAMES},
        {"description": text(), "parameters": st.just(no_parameters), "strict": st.booleans()},
    )
    tools = st.lists(st.fixed_dictionaries({"type": st.just("function"), "function": function}), min_size=1, max_size=2)
    opening = st.lists(
        st.sampled_from(["system", "developer"]).flatmap(lambda role: _openai_plain(role, text(blank=False), odd)), max_size=2
    )
    turns = st.lists(_openai_turn(odd, flat), min_size=1, max_size=3).map(lambda found: [x for turn in found for x in turn])
    settings: dict[str, st.SearchStrategy[Any]] = {
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
    return st.builds(_begun, opening, turns, _fields({}, settings))


def _begun(opening: list[Any], turns: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [*opening, *turns], **settings}


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
    no_parameters: dict[str, Any] = {"type": "object", "properties": {}}
    tool = _fields(
        {"name": NAMES, "input_schema": st.just(no_parameters)},
        {"description": text(), "strict": st.booleans(), "cache_control": st.just({"type": "ephemeral"})},
    )
    settings: dict[str, st.SearchStrategy[Any]] = {
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
    return st.builds(_begun, st.just([]), turns, _fields({}, settings))


def _renumbered(turns: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The turns one after the other, their tool calls told apart: Anthropic takes an id but once."""
    for i, turn in enumerate(turns):
        for message in turn:
            content: list[dict[str, Any]] | str = message["content"]
            for block in content if isinstance(content, list) else []:
                for key in ("id", "tool_use_id"):
                    if key in block:
                        block[key] += f"-{i}"
    return [message for turn in turns for message in turn]


# Wire responses


def responses(format: str, *, odd: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Whole wire responses as the format's provider sends them: text, reasoning, refusals, tool calls, several choices.

    With `odd`, also what its hosts make of that: reasoning and unknown fields of every spelling, nulls and absent fields,
    ids that are missing, arguments that are broken, content as a list, counts that do not add up.
    """
    return _anthropic_responses(odd=odd) if format_of(format).family == "anthropic" else _openai_responses(odd=odd)


def _usual(required: dict[str, Any], usual: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects of these fields: required, there as a rule, there now and then."""

    def drawn(first: dict[str, Any], more: dict[str, Any], left_out: str | None) -> dict[str, Any]:
        return {key: value for key, value in (first | more).items() if key != left_out}

    return st.builds(
        drawn,
        st.fixed_dictionaries(required | usual),
        _fields({}, optional),
        st.sampled_from([None, None, None, *usual]),
    )


_COUNTS = st.integers(0, 10**6)


@st.composite
def _openai_usage(draw: st.DrawFn, *, odd: bool) -> dict[str, Any]:
    cached, written, audio, uncached, output = (draw(_COUNTS) for _ in range(5))
    disjoint = odd and cached > uncached and draw(st.booleans())
    prompt = uncached if disjoint else cached + written + audio + uncached
    completion = output + draw(_COUNTS)
    usage: dict[str, Any] = {
        "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
    }  # fmt: skip
    read = {"cached_tokens": cached, "audio_tokens": audio} | ({"cache_write_tokens": written} if draw(st.booleans()) else {})
    spent = {"reasoning_tokens": output, "accepted_prediction_tokens": 0, "audio_tokens": draw(st.integers(0, completion))}
    if "cache_write_tokens" not in read and not disjoint:
        usage["prompt_tokens"] -= written
        usage["total_tokens"] -= written
    if draw(st.booleans()):
        usage |= {"prompt_tokens_details": read, "completion_tokens_details": spent}
    if odd:
        usage |= draw(
            _fields(
                {},
                {
                    "prompt_tokens_details": st.none() | st.just(dict[str, Any]()),
                    "cost": st.just(0.25),
                    "queue_time": st.floats(0, 1),
                    "completion_tokens": st.none(),
                    "total_tokens": st.just(1.5) | st.none(),
                    "x_details": json_objects(),
                },
            )
        )
    return usage


def _openai_reasoning(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """The reasoning fields of one message: none, a text, OpenRouter's entries with or without the text, LiteLLM's blocks."""
    if not odd:
        return st.just({})

    def detailed(found: list[dict[str, Any]], shared: bool, as_text: bool) -> dict[str, Any]:
        for index, detail in enumerate(found):
            detail["index"] = 0 if shared and len({item["type"] for item in found}) == len(found) else index
        told = "".join(detail.get("text", detail.get("summary", "")) for detail in found)
        return {"reasoning_details": found} | ({"reasoning": told} if as_text else {})

    labels = st.sampled_from(["anthropic-claude-v1", "openai-responses-v1", "google-gemini-v1", "unknown"])
    shared_fields = {"format": labels, "id": NAMES}
    entry = st.one_of(
        _fields({"type": st.just("reasoning.text"), "text": text()}, {"signature": BASE64, **shared_fields}),
        _fields({"type": st.just("reasoning.summary"), "summary": text()}, shared_fields),
        _fields({"type": st.just("reasoning.encrypted"), "data": BASE64}, shared_fields),
    )
    entries = st.builds(detailed, st.lists(entry, min_size=1, max_size=3), st.booleans(), st.booleans())
    thought = _fields({"type": st.just("thinking"), "thinking": text()}, {"signature": BASE64})
    redacted = st.fixed_dictionaries({"type": st.just("redacted_thinking"), "data": BASE64})
    blocks = st.lists(thought, max_size=1).flatmap(lambda first: st.lists(redacted, max_size=1).map(lambda then: first + then))
    return st.one_of(
        st.just({}),
        _fields({}, {"reasoning_content": st.none() | text()}),
        _fields({}, {"reasoning": st.none() | text()}),
        text().map(lambda told: {"reasoning_content": told, "reasoning": told}),
        entries,
        blocks.map(lambda found: {"thinking_blocks": found} if found else {}),
    )


@st.composite
def _openai_answer_calls(draw: st.DrawFn, *, odd: bool) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = []
    for id in draw(st.lists(IDS, min_size=1, max_size=3, unique=True)):
        call: dict[str, Any] = {"id": id, "type": "function"}
        function: dict[str, Any] = {"name": draw(NAMES), "arguments": draw(arguments(broken=odd))}
        call["function"] = function
        if odd:
            match draw(st.sampled_from(["", "", "", "", "object", "custom", "no type", "extra", "index"])):
                case "object":
                    function["arguments"] = draw(json_objects())
                case "custom":
                    call = {"id": id, "type": "custom", "custom": {"name": draw(NAMES), "input": draw(text())}}
                case "no type":
                    del call["type"]
                case "extra":
                    call["extra_content"] = {"google": {"thought_signature": draw(BASE64)}}
                case "index":
                    call["index"] = len(calls)
                case _:
                    pass
        calls.append(call)
    if odd and draw(st.integers(0, 9)) == 0:
        for call in calls:
            del call["id"]
    return calls


def _openai_listed(*, calls: bool) -> st.SearchStrategy[Any]:
    """Content as a list: Mistral's reasoning before the text."""
    thought = st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)}).map(lambda said: [said])
    thinking = _fields({"type": st.just("thinking"), "thinking": thought}, {"closed": st.just(value=True)})
    words = st.fixed_dictionaries({"type": st.just("text"), "text": text(blank=False)})

    def joined(first: Any, last: list[Any]) -> list[Any]:
        return [first, *last]

    return st.builds(joined, thinking, st.lists(words, min_size=0 if calls else 1, max_size=1))


@st.composite
def _openai_choice(draw: st.DrawFn, *, odd: bool) -> dict[str, Any]:
    kind = draw(st.sampled_from(["text", "text", "calls", "calls", "refusal", "legacy", "audio"]))
    message: dict[str, Any] = {"role": "assistant", "content": None}
    reason = "stop"
    if kind == "text":
        message["content"] = draw(text())
        reason = draw(st.sampled_from(["stop", "length", "content_filter"]))
    elif kind == "calls":
        message["tool_calls"] = draw(_openai_answer_calls(odd=odd))
        if draw(st.booleans()):
            message["content"] = draw(text())
        reason = "tool_calls"
    elif kind == "refusal":
        message["refusal"] = draw(text(blank=False))
    elif kind == "legacy":
        message["function_call"] = {"name": draw(NAMES), "arguments": draw(arguments(broken=odd))}
        reason = "function_call"
    else:
        message["audio"] = draw(
            st.fixed_dictionaries({"id": NAMES, "data": BASE64, "expires_at": _COUNTS, "transcript": text(blank=False)})
        )
    cited = st.fixed_dictionaries({"start_index": _COUNTS, "end_index": _COUNTS, "title": text(), "url": URLS})
    annotation = st.fixed_dictionaries({"type": st.just("url_citation"), "url_citation": cited})
    message |= draw(_fields({}, {"annotations": st.lists(annotation, max_size=2)}))
    if "refusal" not in message and draw(st.booleans()):
        message["refusal"] = None
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": reason}
    token = {"token": text(), "logprob": st.just(-0.5), "bytes": st.none() | st.lists(st.integers(0, 255), max_size=2)}
    told = st.fixed_dictionaries({**token, "top_logprobs": st.lists(st.fixed_dictionaries(token), max_size=1)})
    probabilities = st.fixed_dictionaries({"content": st.none() | st.lists(told, max_size=3), "refusal": st.none()})
    choice |= draw(_fields({}, {"logprobs": st.none() | probabilities}))
    if odd:
        _spoil_choice(draw, kind, choice)
    return choice


def _spoil_choice(draw: st.DrawFn, kind: str, choice: dict[str, Any]) -> None:
    message = choice["message"]
    if kind in ("text", "calls") and draw(st.integers(0, 5)) == 0:
        message["content"] = draw(_openai_listed(calls=kind == "calls"))
    if message["content"] is None and draw(st.integers(0, 3)) == 0:
        del message["content"]
    message |= draw(_openai_reasoning(odd=True))
    unset: dict[str, st.SearchStrategy[Any]] = {
        key: st.none() for key in ("audio", "function_call", "annotations") if key not in message
    }
    if "tool_calls" not in message and "function_call" not in message:
        unset["tool_calls"] = st.none() | st.just([])
    metadata = st.just({"gateway": {"cost": "0", "attempts": [{"ok": True}]}})
    message |= draw(_fields({}, {**unset, "provider_metadata": metadata, "x_unknown": json_values(max_leaves=3)}))
    filtered: st.SearchStrategy[Any] = st.just(dict[str, Any]()) | st.just({"hate": {"filtered": False, "severity": "safe"}})
    choice |= draw(
        _fields(
            {},
            {
                "content_filter_results": filtered,
                "native_finish_reason": NAMES,
                "stop_reason": st.none() | st.integers(0, 9),
                "x_unknown": json_values(max_leaves=2),
                "finish_reason": st.sampled_from(["stop", "eos", "error", "tool_calls", "length"]),
            },
        )
    )


def _openai_responses(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    def numbered(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for index, choice in enumerate(choices):
            choice["index"] = index
        return choices

    choices = st.lists(_openai_choice(odd=odd), min_size=1, max_size=2).map(numbered)
    frame = {
        "id": NAMES,
        "object": st.just("chat.completion"),
        "created": st.integers(0, 2**33),
        "model": NAMES,
        "choices": choices,
    }
    told = {"usage": _openai_usage(odd=odd)}
    more = {"system_fingerprint": st.none() | NAMES, "service_tier": st.none() | st.just("default")}
    if not odd:
        return st.builds(_merged, st.fixed_dictionaries(frame), _fields({}, {**told, **more}))
    hosts: dict[str, st.SearchStrategy[Any]] = {
        "provider": NAMES,
        "citations": st.lists(URLS, max_size=2),
        "x_groq": st.just({"id": "req_0"}),
        "prompt_filter_results": st.just([{"prompt_index": 0, "content_filter_results": dict[str, Any]()}]),
        "x_unknown": json_values(max_leaves=3),
    }
    return _usual({"choices": frame.pop("choices")}, frame | told, {**more, **hosts})


def _merged(first: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    return first | rest


def _citations() -> st.SearchStrategy[dict[str, Any]]:
    document = {"cited_text": text(blank=False), "document_index": _COUNTS, "document_title": st.none() | NAMES}
    spot = {"start_char_index": _COUNTS, "end_char_index": _COUNTS, "file_id": st.none() | NAMES}
    search = {"cited_text": text(blank=False), "url": URLS, "encrypted_index": BASE64, "title": st.none() | NAMES}
    return st.fixed_dictionaries({"type": st.just("char_location"), **document, **spot}) | st.fixed_dictionaries(
        {"type": st.just("web_search_result_location"), **search}
    )


@st.composite
def _anthropic_content(draw: st.DrawFn, *, odd: bool) -> list[dict[str, Any]]:
    words = _fields(
        {"type": st.just("text"), "text": text(blank=odd)}, {"citations": st.none() | st.lists(_citations(), max_size=2)}
    )
    thinking = st.fixed_dictionaries({"type": st.just("thinking"), "thinking": text(), "signature": BASE64})
    kinds = [words, thinking, st.fixed_dictionaries({"type": st.just("redacted_thinking"), "data": BASE64})]
    if odd:
        kinds += [
            _fields({"type": st.just("thinking"), "thinking": text(blank=False)}, {"signature": st.just("")}),
            _fields({"type": st.just("text"), "text": text()}, _extra(odd)),
            st.fixed_dictionaries({"type": st.just("x_unknown"), "value": json_values(max_leaves=2)}),
            st.fixed_dictionaries({"type": st.just("compaction"), "content": text(blank=False)}),
        ]
    content: list[dict[str, Any]] = draw(st.lists(st.one_of(kinds), max_size=4))
    caller = {"caller": st.just({"type": "direct"})}
    for number in draw(st.lists(st.integers(0, 99), max_size=3, unique=True)):
        called = {"type": st.just("tool_use"), "id": st.just(f"toolu_{number}"), "name": NAMES, "input": json_objects()}
        content.insert(draw(st.integers(0, len(content))), draw(_fields(called, caller)))
    if draw(st.integers(0, 4)) == 0:
        id, place = "srvtoolu_0", draw(st.integers(0, len(content)))
        searched = {"type": st.just("server_tool_use"), "id": st.just(id), "name": st.just("web_search")}
        found = {"type": "web_search_result", "url": "https://example.com", "title": "x", "encrypted_content": "eA=="}
        content[place:place] = [
            draw(_fields({**searched, "input": st.just({"query": "x"})}, caller)),
            {"type": "web_search_tool_result", "tool_use_id": id, "content": [{**found, "page_age": None}]},
        ]
    return content


def _anthropic_usage(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    optional: dict[str, st.SearchStrategy[Any]] = {
        "cache_read_input_tokens": _COUNTS | st.none(),
        "cache_creation_input_tokens": _COUNTS | st.none(),
        "cache_creation": st.fixed_dictionaries({"ephemeral_5m_input_tokens": _COUNTS, "ephemeral_1h_input_tokens": _COUNTS}),
        "service_tier": st.just("standard"),
        "server_tool_use": st.just({"web_search_requests": 1, "web_fetch_requests": 0}),
        "output_tokens_details": st.fixed_dictionaries({"thinking_tokens": _COUNTS}),
    }
    if odd:
        optional |= {"iterations": st.just([{"type": "message", "output_tokens": 1}]), "x_unknown": json_values(max_leaves=2)}
    return _fields({"input_tokens": _COUNTS, "output_tokens": _COUNTS}, optional)


def _anthropic_responses(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    def ended(body: dict[str, Any], word: str, stop: str) -> dict[str, Any]:
        called = any(block["type"] == "tool_use" for block in body["content"])
        body["stop_reason"] = "tool_use" if called else word
        body["stop_sequence"] = stop if body["stop_reason"] == "stop_sequence" else None
        return body

    words = ["end_turn", "end_turn", "max_tokens", "stop_sequence", "refusal", "pause_turn"]
    frame: dict[str, Any] = {
        "id": st.integers(0, 99).map("msg_{}".format),
        "type": st.just("message"),
        "role": st.just("assistant"),
        "model": NAMES,
        "content": _anthropic_content(odd=odd),
        "usage": _anthropic_usage(odd=odd),
    }
    details = _fields({"type": st.just("refusal")}, {"category": st.none() | st.just("cyber"), "explanation": text()})
    more = {
        "stop_details": st.none() | details,
        "container": st.none() | st.just({"id": "container_0", "expires_at": "2026-11-21T00:00:00Z"}),
    }
    if odd:
        words += ["model_context_window_exceeded", "x_unknown"]
        more |= {"context_management": st.just({"applied_edits": []}), "x_unknown": json_values(max_leaves=3)}
        content = frame.pop("content")
        bodies = _usual({"content": content}, frame, more)
    else:
        bodies = st.builds(_merged, st.fixed_dictionaries(frame), _fields({}, more))
    return st.builds(ended, bodies, st.sampled_from(words), text(blank=False))
