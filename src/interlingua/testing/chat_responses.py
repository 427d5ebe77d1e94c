"""Chat Completions responses, as OpenAI sends them, and as its hosts do."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from . import primitives as p


@st.composite
def _usage(draw: st.DrawFn, *, odd: bool) -> dict[str, Any]:
    cached, written, audio, uncached, output = (draw(p.COUNTS) for _ in range(5))
    disjoint = odd and cached > uncached and draw(st.booleans())
    prompt = uncached if disjoint else cached + written + audio + uncached
    completion = output + draw(p.COUNTS)
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
            p.fields(
                {},
                {
                    "prompt_tokens_details": st.none() | st.just(dict[str, Any]()),
                    "cost": st.just(0.25),
                    "queue_time": st.floats(0, 1),
                    "completion_tokens": st.none(),
                    "total_tokens": st.just(1.5) | st.none(),
                    "x_details": p.json_objects(),
                },
            )
        )
    return usage


def _reasoning(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """The reasoning fields of one message: none, a text, OpenRouter's entries with or without the text, LiteLLM's blocks."""
    if not odd:
        return st.just({})

    def detailed(found: list[dict[str, Any]], shared: bool, as_text: bool) -> dict[str, Any]:
        for index, detail in enumerate(found):
            detail["index"] = 0 if shared and len({item["type"] for item in found}) == len(found) else index
        said = "".join(detail.get("text", detail.get("summary", "")) for detail in found)
        return {"reasoning_details": found} | ({"reasoning": said} if as_text else {})

    labels = st.sampled_from(["anthropic-claude-v1", "openai-responses-v1", "google-gemini-v1", "unknown"])
    shared_fields = {"format": labels, "id": p.NAMES}
    entry = st.one_of(
        p.fields({"type": st.just("reasoning.text"), "text": p.text()}, {"signature": p.BASE64, **shared_fields}),
        p.fields({"type": st.just("reasoning.summary"), "summary": p.text()}, shared_fields),
        p.fields({"type": st.just("reasoning.encrypted"), "data": p.BASE64}, shared_fields),
    )
    entries = st.builds(detailed, st.lists(entry, min_size=1, max_size=3), st.booleans(), st.booleans())
    thought = p.fields({"type": st.just("thinking"), "thinking": p.text()}, {"signature": p.BASE64})
    redacted = st.fixed_dictionaries({"type": st.just("redacted_thinking"), "data": p.BASE64})
    blocks = st.lists(thought, max_size=1).flatmap(lambda first: st.lists(redacted, max_size=1).map(lambda then: first + then))
    return st.one_of(
        st.just({}),
        p.fields({}, {"reasoning_content": st.none() | p.text()}),
        p.fields({}, {"reasoning": st.none() | p.text()}),
        p.text().map(lambda said: {"reasoning_content": said, "reasoning": said}),
        entries,
        blocks.map(lambda found: {"thinking_blocks": found} if found else {}),
    )


@st.composite
def _calls(draw: st.DrawFn, *, odd: bool) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = []
    for id in draw(st.lists(p.IDS, min_size=1, max_size=3, unique=True)):
        call: dict[str, Any] = {"id": id, "type": "function"}
        function: dict[str, Any] = {"name": draw(p.NAMES), "arguments": draw(p.arguments(broken=odd))}
        call["function"] = function
        if odd:
            match draw(st.sampled_from(["", "", "", "", "object", "custom", "no type", "extra", "index"])):
                case "object":
                    function["arguments"] = draw(p.json_objects())
                case "custom":
                    call = {"id": id, "type": "custom", "custom": {"name": draw(p.NAMES), "input": draw(p.text())}}
                case "no type":
                    del call["type"]
                case "extra":
                    call["extra_content"] = {"google": {"thought_signature": draw(p.BASE64)}}
                case "index":
                    call["index"] = len(calls)
                case _:
                    pass
        calls.append(call)
    if odd and draw(st.integers(0, 9)) == 0:
        for call in calls:
            del call["id"]
    return calls


def _listed(*, calls: bool) -> st.SearchStrategy[Any]:
    """Content as a list: Mistral's reasoning before the text."""
    thought = st.fixed_dictionaries({"type": st.just("text"), "text": p.text(blank=False)}).map(lambda said: [said])
    thinking = p.fields({"type": st.just("thinking"), "thinking": thought}, {"closed": st.just(value=True)})
    words = st.fixed_dictionaries({"type": st.just("text"), "text": p.text(blank=False)})

    def joined(first: Any, last: list[Any]) -> list[Any]:
        return [first, *last]

    return st.builds(joined, thinking, st.lists(words, min_size=0 if calls else 1, max_size=1))


@st.composite
def _choice(draw: st.DrawFn, *, odd: bool) -> dict[str, Any]:
    kind = draw(st.sampled_from(["text", "text", "calls", "calls", "refusal", "legacy", "audio"]))
    message: dict[str, Any] = {"role": "assistant", "content": None}
    reason = "stop"
    if kind == "text":
        message["content"] = draw(p.text())
        reason = draw(st.sampled_from(["stop", "length", "content_filter"]))
    elif kind == "calls":
        message["tool_calls"] = draw(_calls(odd=odd))
        if draw(st.booleans()):
            message["content"] = draw(p.text())
        reason = "tool_calls"
    elif kind == "refusal":
        message["refusal"] = draw(p.text(blank=False))
    elif kind == "legacy":
        message["function_call"] = {"name": draw(p.NAMES), "arguments": draw(p.arguments(broken=odd))}
        reason = "function_call"
    else:
        message["audio"] = draw(
            st.fixed_dictionaries({"id": p.NAMES, "data": p.BASE64, "expires_at": p.COUNTS, "transcript": p.text(blank=False)})
        )
    cited = st.fixed_dictionaries({"start_index": p.COUNTS, "end_index": p.COUNTS, "title": p.text(), "url": p.URLS})
    annotation = st.fixed_dictionaries({"type": st.just("url_citation"), "url_citation": cited})
    message |= draw(p.fields({}, {"annotations": st.lists(annotation, max_size=2)}))
    if "refusal" not in message and draw(st.booleans()):
        message["refusal"] = None
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": reason}
    token = {"token": p.text(), "logprob": st.just(-0.5), "bytes": st.none() | st.lists(st.integers(0, 255), max_size=2)}
    said = st.fixed_dictionaries({**token, "top_logprobs": st.lists(st.fixed_dictionaries(token), max_size=1)})
    probabilities = st.fixed_dictionaries({"content": st.none() | st.lists(said, max_size=3), "refusal": st.none()})
    choice |= draw(p.fields({}, {"logprobs": st.none() | probabilities}))
    if odd:
        _spoil_choice(draw, kind, choice)
    return choice


def _spoil_choice(draw: st.DrawFn, kind: str, choice: dict[str, Any]) -> None:
    message = choice["message"]
    if kind in ("text", "calls") and draw(st.integers(0, 5)) == 0:
        message["content"] = draw(_listed(calls=kind == "calls"))
    if message["content"] is None and draw(st.integers(0, 3)) == 0:
        del message["content"]
    message |= draw(_reasoning(odd=True))
    if draw(st.integers(0, 5)) == 0:
        del message["role"]
    unset: dict[str, st.SearchStrategy[Any]] = {
        key: st.none() for key in ("audio", "function_call", "annotations") if key not in message
    }
    if "tool_calls" not in message and "function_call" not in message:
        unset["tool_calls"] = st.none() | st.just([])
    metadata = st.just({"gateway": {"cost": "0", "attempts": [{"ok": True}]}})
    message |= draw(p.fields({}, {**unset, "provider_metadata": metadata, "x_unknown": p.json_values(max_leaves=3)}))
    filtered: st.SearchStrategy[Any] = st.just(dict[str, Any]()) | st.just({"hate": {"filtered": False, "severity": "safe"}})
    choice |= draw(
        p.fields(
            {},
            {
                "content_filter_results": filtered,
                "native_finish_reason": p.NAMES,
                "stop_reason": st.none() | st.integers(0, 9),
                "x_unknown": p.json_values(max_leaves=2),
                "finish_reason": st.sampled_from(["stop", "eos", "error", "tool_calls", "length"]),
            },
        )
    )


def wire_responses(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    def numbered(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for index, choice in enumerate(choices):
            choice["index"] = index
        return choices

    choices = st.lists(_choice(odd=odd), min_size=1, max_size=2).map(numbered)
    frame = {
        "id": p.NAMES,
        "object": st.just("chat.completion"),
        "created": st.integers(0, 2**33),
        "model": p.NAMES,
        "choices": choices,
    }
    said = {"usage": _usage(odd=odd)}
    more = {"system_fingerprint": st.none() | p.NAMES, "service_tier": st.none() | st.just("default")}
    if not odd:
        return st.builds(p.merged, st.fixed_dictionaries(frame), p.fields({}, {**said, **more}))
    hosts: dict[str, st.SearchStrategy[Any]] = {
        "provider": p.NAMES,
        "citations": st.lists(p.URLS, max_size=2),
        "x_groq": st.just({"id": "req_0"}),
        "prompt_filter_results": st.just([{"prompt_index": 0, "content_filter_results": dict[str, Any]()}]),
        "x_unknown": p.json_values(max_leaves=3),
    }
    return p.usual_fields({"choices": frame.pop("choices")}, frame | said, {**more, **hosts})
