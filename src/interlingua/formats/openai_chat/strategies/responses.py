"""Chat Completions responses, as OpenAI and other hosts send them, with the constraints that the wire types do not express."""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from ....codec.strategies.shapes import COMMON, Strategy, of_object
from ....model.base import Json
from .. import wire
from ..profiles import REASONING_TEXTS
from .signatures import signed

_HINTS = {**COMMON, "text": p.text(blank=False), "input": p.text()}
_KINDS = ("content", "content", "tool_calls", "tool_calls", "refusal", "function_call", "audio")
"""The field that most of a message is in."""
_REASONS = {"content": ["stop", "length", "content_filter"], "tool_calls": ["tool_calls"], "function_call": ["function_call"]}
"""The finish reason of a message that has this field, if not `stop`."""


@st.composite
def _usage(draw: st.DrawFn, odd: bool) -> dict[str, Any]:
    cached, written, audio, uncached, reasoning = (draw(p.COUNTS) for _ in range(5))
    read = {"cached_tokens": cached, "audio_tokens": audio} | ({"cache_write_tokens": written} if draw(st.booleans()) else {})
    disjoint = odd and cached > uncached and draw(st.booleans())
    prompt = uncached + (0 if disjoint else sum(read.values()))
    completion = reasoning + draw(p.COUNTS)
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    spent = {"reasoning_tokens": reasoning, "accepted_prediction_tokens": 0, "audio_tokens": draw(st.integers(0, completion))}
    details = {"prompt_tokens_details": read, "completion_tokens_details": spent} if draw(st.booleans()) else {}
    wrong = {"completion_tokens": st.none(), "total_tokens": st.just(1.5) | st.none()}
    none = {"prompt_tokens_details": st.none() | st.just(dict[str, Any]())}
    hosts = {**wrong, **none, "cost": st.just(0.25), "queue_time": st.floats(0, 1), "x_details": p.json_objects()}
    return usage | details | draw(p.fields({}, hosts if odd else {}))


def _reasoning() -> Strategy:
    """The reasoning fields of one message: none, a text, OpenRouter's entries with or without the text, LiteLLM's blocks."""

    def detailed(found: list[dict[str, Any]], shared: bool, as_text: bool) -> dict[str, Any]:
        shared = shared and len({entry["type"] for entry in found}) == len(found)
        entries = [entry | {"index": 0 if shared else index} for index, entry in enumerate(found)]
        text = "".join(entry.get("text", entry.get("summary", "")) for entry in found)
        return {"reasoning_details": entries} | ({"reasoning": text} if as_text else {})

    labels = ["anthropic-claude-v1", "openai-responses-v1", "google-gemini-v1", "unknown"]
    known = {"format": st.sampled_from(labels), "id": p.NAMES}
    entry = st.one_of(
        p.fields({"type": st.just("reasoning.text"), "text": p.text()}, {"signature": p.BASE64, **known}),
        p.fields({"type": st.just("reasoning.summary"), "summary": p.text()}, known),
        p.fields({"type": st.just("reasoning.encrypted"), "data": p.BASE64}, known),
    )
    thought = of_object(wire.ThinkingPart, _HINTS, {"signature": p.BASE64})
    redacted = of_object(wire.RedactedThinkingPart, _HINTS)
    return st.one_of(
        st.just({}),
        *(p.fields({}, {key: st.none() | p.text()}) for key in REASONING_TEXTS),
        p.text().map(lambda words: {"reasoning_content": words, "reasoning": words}),
        st.builds(detailed, st.lists(entry, min_size=1, max_size=3), st.booleans(), st.booleans()),
        st.builds(operator.add, st.lists(thought, max_size=1), st.lists(redacted, max_size=1)).map(
            lambda found: {"thinking_blocks": found} if found else {}
        ),
    )


def _calls(odd: bool) -> Strategy:
    def spelled(calls: list[dict[str, Any]], habit: str) -> list[dict[str, Any]]:
        if habit == "index":
            return [call | {"index": index} for index, call in enumerate(calls)]
        return [{key: value for key, value in call.items() if key != habit} for call in calls]

    hints = {**_HINTS, "arguments": p.arguments(broken=odd) | (p.json_objects() if odd else st.nothing())}
    hints["function"] = of_object(wire.Function, hints, always=("arguments",))
    call = of_object(wire.FunctionCall, hints, {"type": st.just("function"), **p.unknown_fields(odd)}, ("id", "type"))
    if odd:
        call = call | call | of_object(wire.CustomCall, hints, {"type": st.just("custom")}, ("id", "type"))
    calls = st.lists(call, min_size=1, max_size=3, unique_by=operator.itemgetter("id"))
    return st.builds(spelled, calls, st.sampled_from(["", "", "", "", "type", "index", "id"] if odd else [""]))


def _message(kind: str, odd: bool) -> Strategy:
    content: Strategy = p.text()
    if odd:  # Mistral's reasoning before the text
        part = of_object(wire.TextPart, _HINTS).map(lambda text: [text])
        thinking = of_object(wire.ThinkingPart, {"thinking": part}, {"closed": st.just(value=True)}).map(lambda part: [part])
        content |= st.builds(operator.add, thinking, part if kind == "content" else part | st.just(list[Any]()))
    audio = {"id": p.NAMES, "data": p.BASE64, "expires_at": p.COUNTS, "transcript": p.text(blank=False)}
    fields = {
        "content": content,
        "tool_calls": _calls(odd),
        "refusal": p.text(blank=False),
        "function_call": st.fixed_dictionaries({"name": p.NAMES, "arguments": p.arguments(broken=odd)}),
        "audio": st.fixed_dictionaries(audio),
    }
    unset: dict[str, Strategy] = {key: st.none() if odd or key in ("content", "refusal") else st.nothing() for key in fields}
    if kind == "tool_calls":
        unset["content"] |= content
    elif odd and kind != "function_call":
        unset["tool_calls"] |= st.just(list[Any]())
    cited = st.fixed_dictionaries({"start_index": p.COUNTS, "end_index": p.COUNTS, "title": p.text(), "url": p.URLS})
    annotation = st.fixed_dictionaries({"type": st.just("url_citation"), "url_citation": cited})
    if odd:  # OpenRouter's excerpts, and what Groq cites
        more = {"title": st.none() | p.text(), "start_index": st.none() | p.COUNTS, "content": p.text()}
        page = p.fields({"url": p.URLS}, more)
        annotation |= st.fixed_dictionaries({"type": st.just("url_citation"), "url_citation": page})
        annotation |= st.just({"type": "document_citation", "document_citation": {"document_id": "a", "start_index": 0}})
    others = {
        "role": st.just("assistant"),
        "annotations": st.lists(annotation, max_size=2) | (st.none() if odd else st.nothing()),
        **p.unknown_fields(odd, provider_metadata=st.just({"gateway": {"cost": "0", "attempts": [{"ok": True}]}})),
    }
    hints = {"name": st.nothing()}
    always = (kind,) if odd else (kind, "role", "content")
    drawn = of_object(wire.SaidMessage, hints, {**unset, kind: fields[kind], **others}, always)
    if not odd:
        return drawn
    reasoned = st.builds(p.merged, drawn, _reasoning())
    return reasoned | reasoned | reasoned.flatmap(signed)


def _choice(kind: str, odd: bool) -> Strategy:
    token = {"token": p.text(), "logprob": st.just(-0.5), "bytes": st.none() | st.lists(st.integers(0, 255), max_size=2)}
    token_fields = st.fixed_dictionaries({**token, "top_logprobs": st.lists(st.fixed_dictionaries(token), max_size=1)})
    probabilities = st.fixed_dictionaries({"content": st.none() | st.lists(token_fields, max_size=3), "refusal": st.none()})
    filtered = st.sampled_from([{}, {"hate": {"filtered": False, "severity": "safe"}}])
    stop = st.none() | st.integers(0, 9) | p.text(blank=False)
    hosts = p.unknown_fields(odd, content_filter_results=filtered, native_finish_reason=p.NAMES, stop_reason=stop)
    reasons = _REASONS.get(kind, ["stop"]) + (["stop", "eos", "error", "tool_calls", "length"] if odd else [])
    hints = {"message": _message(kind, odd), "finish_reason": st.sampled_from(reasons)}
    return of_object(wire.Choice, hints, {"logprobs": st.none() | probabilities, **hosts}, hints)


def _split(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The choices with the calls of the first in one of their own, as GitHub Copilot sends them."""
    first, *others = choices
    message: dict[str, Any] = dict(first["message"])
    calls: Json = message.pop("tool_calls", None)
    if not calls:
        return choices
    only_calls = {"role": "assistant", "tool_calls": calls, "refusal": None, "annotations": list[Json]()}
    apart = {"finish_reason": "tool_calls", "logprobs": first.get("logprobs"), "message": only_calls}
    return [first | {"message": message, "finish_reason": "tool_calls"}, apart, *others]


def responses(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> Strategy:
    def numbered(body: dict[str, Any]) -> dict[str, Any]:
        return body | {"choices": [choice | {"index": index} for index, choice in enumerate(body["choices"])]}

    choices = st.lists(st.one_of([_choice(kind, odd) for kind in _KINDS]), min_size=1, max_size=2)
    choices = choices | choices.map(_split) if odd else choices
    hints = {"id": p.NAMES, "model": p.NAMES, "choices": choices, "usage": _usage(odd)}
    frame = {"object": st.just("chat.completion"), "created": st.integers(0, 2**33)}
    more = {"system_fingerprint": st.none() | p.NAMES, "service_tier": st.none() | st.just("default")}
    filtered = [{"prompt_index": 0, "content_filter_results": dict[str, Any]()}]
    groq = {"id": "req_0"}
    own = {"provider": p.NAMES, "x_groq": st.just(groq), "prompt_filter_results": st.just(filtered)}
    hosts = p.unknown_fields(odd, **own, citations=st.lists(p.URLS, max_size=2))
    usual = ["id", "model", *frame, *(["usage"] if odd else [])]
    bodies = of_object(wire.Response, hints, {**frame, **more, **hosts}, ("choices", *usual)).map(numbered)
    return p.but_for_one(bodies, usual) if odd else bodies
