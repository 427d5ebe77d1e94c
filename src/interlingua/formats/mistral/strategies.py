"""Hypothesis strategies for payloads of Mistral's chat, as far as they differ from Chat Completions."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ...codec.strategies import primitives as p
from ...codec.strategies.spoiling import spoil_messages
from ...codec.strategies.wire import Known, ResponseStrategies, Strategies
from ..openai_chat.strategies import chunks

_Wires = st.SearchStrategy[dict[str, Any]]
_WORDS = p.text(blank=False)
_IDS = st.integers(0, 999).map("call{:05d}".format) | st.sampled_from(["Caf7Pyrd8", "000000000", "ilhABC123"])


def _part(kind: str, field: str, value: st.SearchStrategy[Any], more: dict[str, Any] | None = None) -> _Wires:
    return p.fields({"type": st.just(kind), field: value}, more or {})


_TEXT = _part("text", "text", _WORDS)


@cache
def _thinking(odd: bool) -> _Wires:
    words = st.lists(_TEXT, min_size=1, max_size=1)
    if odd:  # an unknown type, which is kept whole
        reference = _part("reference", "reference_ids", st.lists(st.integers(0, 9), max_size=2))
        words |= st.lists(_TEXT | reference, max_size=3)
    return _part("thinking", "thinking", words, {"closed": st.booleans(), "signature": p.BASE64})


@cache
def _user_parts(odd: bool) -> _Wires:
    image = st.fixed_dictionaries({"url": p.URLS | p.IMAGE_URIS})
    documents = p.URLS | p.BASE64.map("data:application/pdf;base64,{}".format)
    parts = [
        _TEXT,
        _part("image_url", "image_url", image | p.URLS if odd else image),
        _part("document_url", "document_url", documents, {"document_name": p.NAMES}),
        _part("file", "file_id", p.NAMES),
        _part("input_audio", "input_audio", p.URLS | p.BASE64),
    ]
    if odd:
        parts.append(_part("reference", "reference_ids", st.lists(st.integers(0, 9), max_size=2)))
    return st.one_of(parts)


@cache
def _call(odd: bool) -> _Wires:
    """A call; its id is added later."""
    arguments: st.SearchStrategy[Any] = p.arguments(broken=odd)
    if odd:
        arguments |= p.json_objects()
    function = st.fixed_dictionaries({"name": p.NAMES, "arguments": arguments})
    return p.fields({"id": st.none(), "type": st.just("function"), "function": function}, p.unknown_fields(odd))


@cache
def _answer(odd: bool) -> st.SearchStrategy[Any]:
    """The content of an answer: text, perhaps with reasoning before it."""
    reasoned = st.tuples(_thinking(odd=False), _TEXT).map(list)
    usual = _WORDS | reasoned
    return usual | st.lists(_thinking(odd=True) | _TEXT, min_size=1, max_size=3) if odd else usual


@st.composite
def _turn(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    """A user message and, often, calls with their results, and an answer."""
    content = p.text(blank=odd) | st.lists(_user_parts(odd), min_size=1, max_size=3)
    turn = [draw(p.fields({"role": st.just("user"), "content": content}, p.unknown_fields(odd)))]
    ids = draw(st.lists(_IDS, max_size=3, unique=True))
    if ids:
        calls = [draw(_call(odd)) | {"id": id} for id in ids]
        turn.append({"role": "assistant", "content": draw(st.just("") | _answer(odd)), "tool_calls": calls})
        result = p.fields({"role": st.just("tool"), "content": p.text(blank=odd)}, {"name": p.NAMES, **p.unknown_fields(odd)})
        turn += [draw(result) | {"tool_call_id": id} for id in draw(st.permutations(ids))]
    answer = p.fields({"role": st.just("assistant"), "content": _answer(odd)}, p.unknown_fields(odd))
    return [*turn, draw(answer)]


@cache
def _requests(odd: bool) -> _Wires:
    function = p.fields({"name": p.NAMES, "parameters": p.SCHEMAS}, {"description": p.text(), "strict": st.booleans()})
    tool = st.fixed_dictionaries({"type": st.just("function"), "function": function})
    opening = st.lists(st.fixed_dictionaries({"role": st.just("system"), "content": _WORDS}), max_size=1)
    question = st.fixed_dictionaries({"role": st.just("user"), "content": _WORDS}).map(lambda message: [message])
    turns = st.lists(_turn(odd), max_size=2).map(lambda drawn: [message for turn in drawn for message in turn])
    messages = st.tuples(opening, turns, question).map(lambda drawn: [message for some in drawn for message in some])
    settings: dict[str, st.SearchStrategy[Any]] = {
        "model": p.NAMES,
        "tools": st.lists(tool, min_size=1, max_size=2),
        "tool_choice": st.sampled_from(["auto", "none", "any", "required"]),
        "parallel_tool_calls": st.booleans(),
        "max_tokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 1, 0.5]),
        "stop": _WORDS | st.lists(_WORDS, min_size=1, max_size=5),
        "reasoning_effort": st.sampled_from(["high", "none"]),
        "random_seed": st.integers(0, 9),
        "top_k": st.integers(1, 9),
        "repetition_penalty": st.sampled_from([1, 1.5]),
        "safe_prompt": st.booleans(),
        "prompt_mode": st.just("reasoning"),
        **p.unknown_fields(odd),
    }
    return p.whole(messages, settings)


def _choice(odd: bool) -> _Wires:
    calls = st.lists(_call(odd=False), min_size=1, max_size=2)

    def numbered(some: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [call | {"id": f"call0000{index}"} for index, call in enumerate(some)]

    fields = {"role": st.just("assistant"), "tool_calls": st.none(), "content": _answer(odd=False)}
    answer = st.fixed_dictionaries({"message": st.fixed_dictionaries(fields)})
    reasons = ["stop", "length", "model_length", *(["error"] if odd else [])]
    called = st.fixed_dictionaries({**fields, "tool_calls": calls.map(numbered), "content": st.just("") | _answer(odd=False)})
    return st.builds(p.merged, answer, st.fixed_dictionaries({"finish_reason": st.sampled_from(reasons)})) | (
        st.fixed_dictionaries({"message": called, "finish_reason": st.just("tool_calls")})
    )


@cache
def _bodies(odd: bool) -> _Wires:
    def numbered(body: dict[str, Any]) -> dict[str, Any]:
        choices = [{"index": index, **choice} for index, choice in enumerate(body["choices"])]
        counts = body["usage"]
        usage = counts | {"total_tokens": counts["prompt_tokens"] + counts["completion_tokens"]}
        return body | {"choices": choices, "usage": usage}

    details = p.COUNTS.map(lambda count: {"cached_tokens": 0, "audio_tokens": count}) if odd else st.just({"cached_tokens": 0})
    more = {"prompt_tokens_details": details, **({"prompt_audio_seconds": st.integers(0, 9)} if odd else {})}
    body = {
        "id": p.NAMES,
        "object": st.just("chat.completion"),
        "created": st.integers(0, 2**33),
        "model": p.NAMES,
        "choices": st.lists(_choice(odd), min_size=1, max_size=2),
        "usage": p.fields({"prompt_tokens": p.COUNTS, "completion_tokens": p.COUNTS}, more),
    }
    return p.fields(body, p.unknown_fields(odd)).map(numbered)


def _asked(_: Any, odd: bool) -> _Wires:
    return _requests(odd)


def _answered(_: Any, odd: bool) -> _Wires:
    return _bodies(odd)


STRATEGIES = Strategies(
    _asked,
    spoil_messages,
    ResponseStrategies(_answered, chunks.streamable, chunks.split),
    Known("mistral", data={"assistant": {"prefix": True}}),
)
