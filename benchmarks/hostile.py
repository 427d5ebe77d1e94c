"""Inputs of every kind, ordinary and hostile, each as a function of its size: what the table of growth measures.

An entry doubles when its size doubles. What is deep is as deep as is allowed, and there is more of it; what is long is one long
text, or one long key with many values under it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Wire = dict[str, Any]
Make = Callable[[int], Any]

_DEEP = 60


def _nested(depth: int) -> Any:
    return [_nested(depth - 1)] if depth else []


def chat_call(i: int, id: str | None = None, arguments: str = '{"path": "a.txt"}', name: str = "read") -> Wire:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{i}" if id is None else id, "type": "function", "function": function}


def _use(i: int, id: str | None = None, name: str = "read", **more: Any) -> Wire:
    return {"type": "tool_use", "id": f"toolu_{i}" if id is None else id, "name": name, "input": {"path": "a.txt"}} | more


def _tool(i: int) -> Wire:
    return {"name": f"tool_{i}", "description": "Reads", "parameters": {"type": "object", "properties": {}}}


def _free(n: int) -> Wire:
    """Free JSON of every shape that a fault in one place may make slow."""
    return {
        **{f"key_{i}": i for i in range(n)},
        "k" * n: [[] for _ in range(n)],
        "l" * n: {f"{i}": None for i in range(n)},
        "deep": [_nested(_DEEP) for _ in range(n // 16)],
        "texts": ["é"] * n,
    }


# Requests


def _chat(*messages: Wire, **more: Any) -> Wire:
    return {"model": "m", "messages": list(messages)} | more


def _user(**more: Any) -> Wire:
    return {"role": "user", "content": "Hello"} | more


def _chat_calls(n: int, id: Callable[[int], str], name: str = "read") -> Wire:
    """One message with n calls, and their results."""
    calls = [chat_call(i, id(i), name=f"{name}{i}" if len(name) > 64 else name) for i in range(n)]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "text"} for call in calls]
    return _chat(_user(), {"role": "assistant", "content": None, "tool_calls": calls}, *results)


def _chat_turns(n: int, id: Callable[[int], str]) -> Wire:
    """n turns with a call and its result each."""
    turns = [
        message
        for i in range(n)
        for message in (
            {"role": "assistant", "content": "I look.", "tool_calls": [chat_call(i, id(i))]},
            {"role": "tool", "tool_call_id": id(i), "content": "text"},
        )
    ]
    return _chat(_user(), *turns)


def _chat_marks(n: int) -> Wire:
    mark = {"type": "ephemeral"}
    return _chat(*[_user(content=[{"type": "text", "text": "a", "cache_control": mark}]) for _ in range(n)])


def _thought(i: int) -> Wire:
    return {"type": "thinking", "thinking": f"thought {i}", "signature": f"signature {i}"}


_CHAT_REQUESTS: dict[str, Make] = {
    "messages": lambda n: _chat(*[{"role": ("user", "assistant")[i % 2], "content": "Hello"} for i in range(n)]),
    "a long text": lambda n: _chat(_user(content="a" * 20 * n)),
    "a long text, not ASCII": lambda n: _chat(_user(content="é" * 20 * n)),
    "text parts": lambda n: _chat(_user(content=[{"type": "text", "text": "a"}] * n)),
    "parts of the assistant": lambda n: _chat(_user(), {"role": "assistant", "content": [{"type": "text", "text": "a"}] * n}),
    "unknown parts": lambda n: _chat(_user(content=[{"type": f"kind_{i}", "x": i} for i in range(n)])),
    "images": lambda n: _chat(_user(content=[{"type": "image_url", "image_url": {"url": f"https://x/{i}"}} for i in range(n)])),
    "a long image": lambda n: _chat(
        _user(content=[{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "AAAA" * 5 * n}}])
    ),
    "names": lambda n: _chat(*[_user(name=f"name {i}") for i in range(n)]),
    "empty texts": lambda n: _chat(*[_user(content="") for _ in range(n)]),
    "system messages in front": lambda n: _chat(*[{"role": "system", "content": "a"}] * n, _user()),
    "system messages between": lambda n: _chat(*[_user(), {"role": "system", "content": "a"}] * n),
    "calls in one message": lambda n: _chat_calls(n, lambda i: f"call_{i}"),
    "turns with a call": lambda n: _chat_turns(n, lambda i: f"call_{i}"),
    "turns with the same id": lambda n: _chat_turns(n, lambda _: "call_0"),
    "turns with two ids": lambda n: _chat_turns(n, lambda i: f"call_{i % 2}"),
    "calls with the same id": lambda n: _chat_calls(n, lambda _: "call_0"),
    "ids that are refused": lambda n: _chat_calls(n, lambda i: f"call {i}!"),
    "ids that look encoded": lambda n: _chat_turns(n, lambda i: f"il{i}-_call-2"),
    "ids that are invented elsewhere": lambda n: _chat_calls(n, lambda i: f"call-{i + 1}" if i % 2 else ""),
    "a long id": lambda n: _chat_turns(4, lambda _: "é" * 20 * n),
    "long names of tools": lambda n: _chat_calls(n, lambda i: f"call_{i}", "tool " * 15),
    "results without calls": lambda n: _chat(*[{"role": "tool", "tool_call_id": f"{i}", "content": "a"} for i in range(n)]),
    "calls without results": lambda n: _chat(
        *[{"role": "assistant", "content": None, "tool_calls": [chat_call(i, "x")]} for i in range(n)]
    ),
    "calls without ids": lambda n: _chat(
        *[
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"type": "function", "function": {"name": "a", "arguments": ""}}],
            }
        ]
        * n
    ),
    "long arguments": lambda n: _chat(
        _user(), {"role": "assistant", "content": None, "tool_calls": [chat_call(1, arguments='{"a": "' + "b" * 20 * n + '"}')]}
    ),
    "arguments that are no JSON": lambda n: _chat(
        _user(), {"role": "assistant", "content": None, "tool_calls": [chat_call(i, arguments="[" * 40) for i in range(n)]}
    ),
    "blocks of reasoning": lambda n: _chat(
        _user(), {"role": "assistant", "content": "a", "thinking_blocks": [_thought(i) for i in range(n)]}
    ),
    "details of reasoning": lambda n: _chat(
        _user(),
        {
            "role": "assistant",
            "content": "a",
            "reasoning_details": [{"type": "reasoning.text", "text": "a", "index": i} for i in range(n)],
        },
    ),
    "tools": lambda n: _chat(_user(), tools=[{"type": "function", "function": _tool(i)} for i in range(n)]),
    "functions": lambda n: _chat(_user(), functions=[_tool(i) for i in range(n)]),
    "unknown tools": lambda n: _chat(_user(), tools=[{"type": f"kind_{i}"} for i in range(n)]),
    "unknown messages": lambda n: _chat(*[{"role": f"role_{i}", "content": "a"} for i in range(n)]),
    "cache marks": _chat_marks,
    "stop texts": lambda n: _chat(_user(), stop=[f"stop {i}" for i in range(n)]),
    "logit bias": lambda n: _chat(_user(), logit_bias={str(i): 1 for i in range(n)}),
    "unknown fields": lambda n: _chat(_user()) | _free(n),
    "unknown fields of a message": lambda n: _chat(_user(**_free(n))),
    "unknown fields of a part": lambda n: _chat(_user(content=[{"type": "text", "text": "a"} | _free(n)])),
    "metadata": lambda n: _chat(_user(), metadata=_free(n)),
    "parameters of a tool": lambda n: _chat(
        _user(), tools=[{"type": "function", "function": _tool(1) | {"parameters": _free(n)}}]
    ),
}


def _said(content: Any, role: str = "user", **more: Any) -> Wire:
    return {"role": role, "content": content} | more


def _messages(*messages: Wire, **more: Any) -> Wire:
    return {"model": "m", "max_tokens": 9, "messages": list(messages)} | more


def _results(uses: list[Wire], **more: Any) -> Wire:
    return _said([{"type": "tool_result", "tool_use_id": use["id"], "content": "a"} | more for use in uses])


def _uses(uses: list[Wire]) -> Wire:
    return _messages(_said("a"), _said(uses, "assistant"), _results(uses))


def _use_turns(uses: list[Wire]) -> Wire:
    return _messages(_said("a"), *[message for use in uses for message in (_said([use], "assistant"), _results([use]))])


_TEXT = {"type": "text", "text": "a"}

_ANTHROPIC_REQUESTS: dict[str, Make] = {
    "messages": lambda n: _messages(*[_said("Hello", ("user", "assistant")[i % 2]) for i in range(n)]),
    "a long text": lambda n: _messages(_said([{"type": "text", "text": "é" * 20 * n}])),
    "text blocks": lambda n: _messages(_said([_TEXT] * n)),
    "text blocks of the assistant": lambda n: _messages(_said("a"), _said([_TEXT] * n, "assistant")),
    "system blocks": lambda n: _messages(_said("a"), system=[_TEXT] * n),
    "thinking blocks": lambda n: _messages(_said("a"), _said([_thought(i) for i in range(n)], "assistant")),
    "redacted blocks": lambda n: _messages(_said("a"), _said([{"type": "redacted_thinking", "data": "x"}] * n, "assistant")),
    "thinking and text in turn": lambda n: _messages(_said("a"), _said([_thought(1), _TEXT] * n, "assistant")),
    "texts and calls in turn": lambda n: _messages(
        _said("a"), _said([part for i in range(n) for part in (_TEXT, _use(i))], "assistant")
    ),
    "unknown blocks": lambda n: _messages(_said([{"type": f"kind_{i}", "x": i} for i in range(n)])),
    "images": lambda n: _messages(
        _said([{"type": "image", "source": {"type": "url", "url": f"https://x/{i}"}} for i in range(n)])
    ),
    "calls in one message": lambda n: _uses([_use(i) for i in range(n)]),
    "turns with a call": lambda n: _use_turns([_use(i) for i in range(n)]),
    "turns with the same id": lambda n: _use_turns([_use(i, "toolu_0") for i in range(n)]),
    "calls with the same id": lambda n: _uses([_use(i, "toolu_0") for i in range(n)]),
    "ids that look encoded": lambda n: _use_turns([_use(i, f"il{i}-_call-2") for i in range(n)]),
    "long names of tools": lambda n: _uses([_use(i, name=f"{'tool' * 32}{i}"[-128:]) for i in range(n)]),
    "results between texts": lambda n: _messages(
        _said([_use(i) for i in range(n)], "assistant"),
        _said(
            [block for i in range(n) for block in (_TEXT, {"type": "tool_result", "tool_use_id": f"toolu_{i}", "content": "a"})]
        ),
    ),
    "parts of a result": lambda n: _messages(
        _said([_use(1)], "assistant"), _said([{"type": "tool_result", "tool_use_id": "toolu_1", "content": [_TEXT] * n}])
    ),
    "cache marks": lambda n: _messages(*[_said([_TEXT | {"cache_control": {"type": "ephemeral"}}])] * n),
    "tools": lambda n: _messages(
        _said("a"), tools=[{"name": f"tool_{i}", "input_schema": {"type": "object"}} for i in range(n)]
    ),
    "unknown tools": lambda n: _messages(_said("a"), tools=[{"type": f"kind_{i}", "name": f"tool_{i}"} for i in range(n)]),
    "stop sequences": lambda n: _messages(_said("a"), stop_sequences=[f"stop {i}" for i in range(n)]),
    "citations": lambda n: _messages(
        _said("a"), _said([_TEXT | {"citations": [{"type": "x", "i": i} for i in range(n)]}], "assistant")
    ),
    "unknown fields": lambda n: _messages(_said("a")) | _free(n),
    "unknown fields of a message": lambda n: _messages(_said("a") | _free(n)),
    "unknown fields of a block": lambda n: _messages(_said([_TEXT | _free(n)])),
    "input of a call": lambda n: _uses([_use(1, input=_free(n))]),
}

REQUESTS = {"openai_chat": _CHAT_REQUESTS, "anthropic": _ANTHROPIC_REQUESTS}
"""Requests that load."""

BAD_REQUESTS: dict[str, Make] = {
    "messages that are none": lambda n: _chat(*[{"content": 5}] * n),
    "wrong contents": lambda n: _chat(*[_user(content=5) for _ in range(n)]),
    "wrong parts": lambda n: _chat(_user(content=[{"type": "text", "text": 5}] * n)),
    "wrong tools": lambda n: _chat(_user(), tools=[5] * n),
    "wrong texts": lambda n: _chat(*[_user(content="\ud800")] * n),
    "numbers that are none": lambda n: _chat(_user(x=[float("nan")] * n)),
    "a number that is none, after much": lambda n: _chat(_user(x=[*[[]] * n, float("nan")])),
    "a number that is none, under long keys": lambda n: _chat(_user(**{"k" * n: {"k" * n: [[[]] * n, float("nan")]}})),
    "wrong bias under a long key": lambda n: _chat(_user(), logit_bias={"k" * n: ["x"] * n}),
    "too deep": lambda n: _chat(_user(x=_nested(300)), *[_user()] * n),
    "not a list": lambda n: _chat(_user(), messages={str(i): i for i in range(n)}),
    "nulls": lambda n: _chat() | {"messages": [None] * n},
}
"""Requests that neither format loads."""

ERRORS: dict[str, Make] = {
    "an error of a long text": lambda n: {"error": {"type": "t", "message": "a" * 20 * n}},
    "an error with much beside": lambda n: {"error": {"type": "t", "message": "m"} | _free(n)} | _free(n),
    "an error of errors": lambda n: {"error": {"message": "m", "details": [{"error": {"message": str(i)}} for i in range(n)]}},
    "errors inside text": lambda n: {"error": {"message": "m", "metadata": {"raw": '{"error": ' * n}}},
    "a list of details": lambda n: {"detail": [{"msg": str(i), "loc": ["body", i]} for i in range(n)]},
    "no error and no response": _free,
}
"""Bodies that are no response."""

CANONICAL: dict[str, Make] = {
    "unknown fields": lambda n: [{"role": "user", "content": "a"} | {f"key_{i}": i for i in range(n)}],
    "unknown fields of a part": lambda n: [_user(content=[_TEXT | {f"key_{i}": i for i in range(n)}])],
    "unknown roles": lambda n: [{"role": f"role_{i}"} for i in range(n)],
    "unknown types": lambda n: [_user(content=[{"type": f"type_{i}"} for i in range(n)])],
    "no roles": lambda n: [Wire()] * n,
    "nested calls": lambda n: [{"role": "assistant", "tool_calls": [chat_call(i) for i in range(n)]}],
    "wrong calls": lambda n: [{"role": "assistant", "tool_calls": [{"name": 5}] * n}],
    "wrong records": lambda n: [_user(wire={"spelling": {f"key_{i}": 5 for i in range(n)}, "partial": [5] * n})],
    "wrong provider data": lambda n: [_user(provider_data={f"key_{i}": 5 for i in range(n)})],
    "wrong values under a long key": lambda n: [_user(provider_data={"k" * n: {f"{i}": float("nan") for i in range(n)}})],
    "wrong sources": lambda n: [_user(content=[{"type": "image", "source": {"type": "x"}}] * n)],
    "families": lambda n: [_user(provider_data={f"family_{i}": {"a": 1} for i in range(n)})],
    "pointers": lambda n: [_user(provider_data={"openai": {}}, wire={"partial": [f"/key_{i}" for i in range(n)]})],
    "partial objects": lambda n: [
        _user(
            provider_data={"openai": {f"key_{i}": {"a": {"b": 1}} for i in range(n)}},
            wire={"partial": [pointer for i in range(n) for pointer in (f"/key_{i}", f"/key_{i}/a")]},
        )
    ],
    "origins": lambda n: [
        {"role": "assistant", "content": "a", "wire": {"origin": ("anthropic", "openai_chat")[i % 2], "response": True}}
        for i in range(n)
    ],
    "opaque messages": lambda n: [{"role": "opaque", "format": "openai", "value": {"role": "x"}} for _ in range(n)],
    "opaque parts": lambda n: [_user(content=[{"type": "opaque", "format": "anthropic", "value": {"type": "x"}}] * n)],
    "data of the application": lambda n: [_user(extra={f"key_{i}": i for i in range(n)})],
    "custom calls": lambda n: [
        {"role": "assistant", "tool_calls": [{"id": f"{i}", "name": "a", "arguments": "x", "custom": True} for i in range(n)]}
    ],
}
"""Canonical messages, valid and not."""

# Responses


def _completion(*choices: Wire, **more: Any) -> Wire:
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": list(choices)} | more


def _answer(index: int = 0, finish: str = "stop", beside: Wire | None = None, **message: Any) -> Wire:
    choice = {"index": index, "finish_reason": finish, "message": {"role": "assistant", "content": "a"} | message}
    return choice | (beside or {})


_CHAT_RESPONSES: dict[str, Make] = {
    "choices": lambda n: _completion(*[_answer(i) for i in range(n)]),
    "a long text": lambda n: _completion(_answer(content="é" * 20 * n)),
    "calls": lambda n: _completion(_answer(tool_calls=[chat_call(i) for i in range(n)])),
    "calls with the same id": lambda n: _completion(_answer(tool_calls=[chat_call(i, "x") for i in range(n)])),
    "blocks of reasoning": lambda n: _completion(_answer(thinking_blocks=[_thought(i) for i in range(n)])),
    "annotations": lambda n: _completion(_answer(annotations=[{"type": "x", "i": i} for i in range(n)])),
    "log probabilities": lambda n: _completion(
        _answer(beside={"logprobs": {"content": [{"token": "a", "logprob": -1.0} for _ in range(n)]}})
    ),
    "counts": lambda n: _completion(_answer(), usage={"prompt_tokens": 1} | {f"key_{i}": i for i in range(n)}),
    "unknown fields": lambda n: _completion(_answer()) | _free(n),
    "unknown fields of an answer": lambda n: _completion(_answer(**_free(n))),
    "unknown fields of a choice": lambda n: _completion(_answer(beside=_free(n))),
}


def _reply(*content: Wire, **more: Any) -> Wire:
    out = {"id": "x", "type": "message", "role": "assistant", "model": "m", "content": list(content), "stop_reason": "end_turn"}
    return out | {"stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}} | more


_ANTHROPIC_RESPONSES: dict[str, Make] = {
    "text blocks": lambda n: _reply(*[_TEXT] * n),
    "calls": lambda n: _reply(*[_use(i) for i in range(n)]),
    "calls with the same id": lambda n: _reply(*[_use(i, "x") for i in range(n)]),
    "thinking and text in turn": lambda n: _reply(*[_thought(1), _TEXT] * n),
    "unknown blocks": lambda n: _reply(*[{"type": f"kind_{i}"} for i in range(n)]),
    "citations": lambda n: _reply(_TEXT | {"citations": [{"type": "x", "i": i} for i in range(n)]}),
    "counts": lambda n: _reply(_TEXT, usage={"input_tokens": 1, "output_tokens": 1} | {f"key_{i}": i for i in range(n)}),
    "unknown fields": lambda n: _reply(_TEXT) | _free(n),
    "unknown fields of a block": lambda n: _reply(_TEXT | _free(n)),
}

RESPONSES = {"openai_chat": _CHAT_RESPONSES, "anthropic": _ANTHROPIC_RESPONSES}

# Streams


def _chunk(*choices: Wire, **more: Any) -> Wire:
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": list(choices)} | more


def _delta(delta: Wire, index: int = 0, finish: str | None = None, beside: Wire | None = None) -> Wire:
    return {"index": index, "delta": delta, "finish_reason": finish} | (beside or {})


def _streamed(*chunks: Wire) -> list[Wire]:
    """The chunks of one choice, around these."""
    return [_chunk(_delta({"role": "assistant", "content": ""})), *chunks, _chunk(_delta({}, finish="stop"))]


def _deltas(deltas: list[Wire]) -> list[Wire]:
    return _streamed(*[_chunk(_delta(delta)) for delta in deltas])


def _fragment(index: int, arguments: str, **more: Any) -> Wire:
    return {"tool_calls": [{"index": index, "function": {"arguments": arguments} | more}]}


def _begun(index: int, id: str | None = None) -> Wire:
    call = {"index": index, "type": "function", "function": {"name": "read", "arguments": ""}}
    return {"tool_calls": [call | ({} if id is None else {"id": id})]}


def _interleaved(n: int) -> list[Wire]:
    return [*[_begun(i, f"call_{i}") for i in range(n)], *[_fragment(i, "{}") for i in range(n)]]


def _finishes(n: int) -> list[Wire]:
    return [_chunk(_delta({"content": "a"}, finish=("stop", "length")[i % 2])) for i in range(n)]


def _usage(i: int) -> Wire:
    return {"prompt_tokens": 1, "completion_tokens": i, "total_tokens": i + 1}


_CHAT_STREAMS: dict[str, Make] = {
    "texts": lambda n: _deltas([{"content": "a"}] * n),
    "texts, not ASCII": lambda n: _deltas([{"content": "é"}] * n),
    "a long text": lambda n: _deltas([{"content": "é" * 20 * n}]),
    "a new field in each chunk": lambda n: _streamed(*[_chunk(_delta({"content": "a"}), **{f"key_{i}": i}) for i in range(n)]),
    "a new list in each chunk": lambda n: _streamed(*[_chunk(_delta({"content": "a"}), **{f"key_{i}": [i]}) for i in range(n)]),
    "a new object in each chunk": lambda n: _streamed(*[_chunk(_delta({}), **{f"key_{i}": {"a": i}}) for i in range(n)]),
    "a field that changes": lambda n: _streamed(*[_chunk(_delta({"content": "a"}), key=i) for i in range(n)]),
    "an object that grows": lambda n: _streamed(*[_chunk(_delta({"content": "a"}), key={f"key_{i}": i}) for i in range(n)]),
    "many fields, then many chunks": lambda n: _streamed(
        _chunk(_delta({}), **{f"key_{i}": i for i in range(n)}), *[_chunk(_delta({"content": "a"})) for _ in range(n)]
    ),
    "many lists, then many chunks": lambda n: _streamed(
        _chunk(_delta({}), **{f"key_{i}": [i] for i in range(n)}), *[_chunk(_delta({"content": "a"}), key=i) for i in range(n)]
    ),
    "a new field in each choice": lambda n: _streamed(*[_chunk(_delta({}, beside={f"key_{i}": i})) for i in range(n)]),
    "a new list in each choice": lambda n: _streamed(*[_chunk(_delta({}, beside={f"key_{i}": [i]})) for i in range(n)]),
    "a new null in each choice": lambda n: _streamed(*[_chunk(_delta({}, beside={f"key_{i}": None})) for i in range(n)]),
    "a new null in each choice, after the end": lambda n: [
        *_streamed(),
        *[_chunk(_delta({}, beside={f"key_{i}": None})) for i in range(n)],
    ],
    "a new field in each choice, after the end": lambda n: [
        *_streamed(),
        *[_chunk(_delta({}, beside={f"key_{i}": i})) for i in range(n)],
    ],
    "a new field in each chunk, after the end": lambda n: [*_streamed(), *[_chunk(**{f"key_{i}": i}) for i in range(n)]],
    "a new text in each delta": lambda n: _deltas([{f"key_{i}": "a"} for i in range(n)]),
    "a new number in each delta": lambda n: _deltas([{f"key_{i}": i} for i in range(n)]),
    "a new null in each delta": lambda n: _deltas([{f"key_{i}": None} for i in range(n)]),
    "a text that grows": lambda n: _deltas([{"key": "a"}] * n),
    "a list that grows": lambda n: _deltas([{"key": [i]} for i in range(n)]),
    "names": lambda n: _deltas([{"name": f"{i}"} for i in range(n)]),
    "refusals": lambda n: _deltas([{"refusal": "a"}] * n),
    "calls": lambda n: _deltas([delta for i in range(n) for delta in (_begun(i, f"call_{i}"), _fragment(i, "{}"))]),
    "calls, interleaved": lambda n: _deltas(_interleaved(n)),
    "calls in one delta": lambda n: _deltas([{"tool_calls": [_begun(i, f"c{i}")["tool_calls"][0] for i in range(n)]}]),
    "calls of the same index": lambda n: _deltas([_begun(0, f"call_{i}") for i in range(n)]),
    "calls of the same id": lambda n: _deltas([_begun(i, "call_0") for i in range(n)]),
    "calls without ids": lambda n: _deltas([_begun(i) for i in range(n)]),
    "arguments": lambda n: _deltas([_begun(0, "call_0"), *[_fragment(0, "a") for _ in range(n)]]),
    "arguments as objects": lambda n: _deltas(
        [_begun(0, "call_0"), *[{"tool_calls": [{"index": 0, "function": {"arguments": {f"key_{i}": i}}}]} for i in range(n)]]
    ),
    "a new field in each fragment of a call": lambda n: _deltas(
        [_begun(0, "call_0"), *[_fragment(0, "a", **{f"key_{i}": i}) for i in range(n)]]
    ),
    "an older call": lambda n: _deltas([{"function_call": {"name": "a", "arguments": "b"}}] * n),
    "blocks of reasoning": lambda n: _deltas([{"thinking_blocks": [_thought(i) | {"index": i}]} for i in range(n)]),
    "signatures": lambda n: _deltas([{"thinking_blocks": [_thought(i) | {"index": 0}]} for i in range(n)]),
    "details of reasoning": lambda n: _deltas(
        [{"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "text": "a", "index": 0}]} for _ in range(n)]
    ),
    "many details of reasoning": lambda n: _deltas(
        [{"reasoning_details": [{"type": "reasoning.text", "text": "a", "index": i}]} for i in range(n)]
    ),
    "a new field in each detail": lambda n: _deltas(
        [{"reasoning_details": [{"type": "reasoning.text", "text": "a", "index": 0, f"key_{i}": i}]} for i in range(n)]
    ),
    "encrypted details": lambda n: _deltas(
        [{"reasoning_details": [{"type": "reasoning.encrypted", "data": f"{i}", "index": i}]} for i in range(n)]
    ),
    "reasoning as text": lambda n: _deltas([{"reasoning_content": "a"}] * n),
    "reasoning in two fields": lambda n: _deltas([{("reasoning", "reasoning_content")[i % 2]: "a"} for i in range(n)]),
    "text and blocks of reasoning in turn": lambda n: _deltas(
        [{"reasoning_content": "a"}, {"thinking_blocks": [{"type": "thinking", "thinking": "b"}]}] * n
    ),
    "list content": lambda n: _deltas([{"content": [_TEXT]}] * n),
    "unknown parts": lambda n: _deltas([{"content": [{"type": "x", "i": i}]} for i in range(n)]),
    "thinking in list content": lambda n: _deltas([{"content": [{"type": "thinking", "thinking": [_TEXT]}]}] * n),
    "a new field in each part": lambda n: _deltas([{"content": [_TEXT | {f"key_{i}": i}]} for i in range(n)]),
    "audio": lambda n: _deltas([{"audio": {"id": "a", "data": "b", "transcript": "c"}}] * n),
    "audio with new fields": lambda n: _deltas([{"audio": {"id": "a", f"key_{i}": i}} for i in range(n)]),
    "log probabilities": lambda n: _streamed(
        *[_chunk(_delta({"content": "a"}, beside={"logprobs": {"content": [{"token": "a"}]}}))] * n
    ),
    "choices": lambda n: [_chunk(_delta({"content": "a"}, i, "stop")) for i in range(n)],
    "choices in one chunk": lambda n: [_chunk(*[_delta({"content": "a"}, i, "stop") for i in range(n)])],
    "choices, interleaved": lambda n: [
        *[_chunk(_delta({"content": "a"}, i)) for i in range(n)],
        *[_chunk(_delta({"content": "a"}, i, "stop")) for i in range(n)],
    ],
    "many choices, then many chunks": lambda n: [
        *[_chunk(_delta({"content": "a"}, i + 1, "stop")) for i in range(n)],
        *[_chunk(_delta({"content": "a"}))] * n,
    ],
    "counts": lambda n: _streamed(*[_chunk(_delta({"content": "a"}), usage=_usage(i)) for i in range(n)]),
    "counts after the end": lambda n: [*_streamed(), *[_chunk(usage=_usage(i)) for i in range(n)]],
    "counts after many choices": lambda n: [
        *[_chunk(_delta({"content": "a"}, i, "stop")) for i in range(n)],
        *[_chunk(usage=_usage(i)) for i in range(n)],
    ],
    "a new count in each chunk": lambda n: _streamed(
        *[_chunk(_delta({"content": "a"}), usage=_usage(1) | {f"key_{i}": i}) for i in range(n)]
    ),
    "new counts and fields after the end": lambda n: [
        *_streamed(),
        *[_chunk(usage=_usage(i), **{f"key_{i}": i}) for i in range(n)],
    ],
    "finish reasons": lambda n: _streamed(*_finishes(n)),
    "finish reasons and new fields": lambda n: _streamed(*[chunk | {f"key_{i}": i} for i, chunk in enumerate(_finishes(n))]),
    "errors": lambda n: [*_streamed(), *[{"error": {"message": "x"}}] * n],
    "pings": lambda n: _streamed(*[_chunk()] * n),
    "chunks without choices, after the end": lambda n: [*_streamed(), *[_chunk()] * n],
}


def _start(**more: Any) -> Wire:
    message = _reply(stop_reason=None) | more
    return {"type": "message_start", "message": message}


def _block(i: int, block: Wire) -> Wire:
    return {"type": "content_block_start", "index": i, "content_block": block}


def _grow(i: int, kind: str, **fields: Any) -> Wire:
    return {"type": "content_block_delta", "index": i, "delta": {"type": kind, **fields}}


def _stop(i: int) -> Wire:
    return {"type": "content_block_stop", "index": i}


def _end(**more: Any) -> Wire:
    return {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": None},
        "usage": {"output_tokens": 1},
    } | more


def _message(*chunks: Wire) -> list[Wire]:
    return [_start(), *chunks, _end(), {"type": "message_stop"}]


def _one_block(block: Wire, deltas: list[Wire]) -> list[Wire]:
    return _message(_block(0, block), *deltas, _stop(0))


_EMPTY_TEXT = {"type": "text", "text": ""}
_EMPTY_USE: Wire = {"type": "tool_use", "id": "x", "name": "read", "input": {}}
_EMPTY_THOUGHT = {"type": "thinking", "thinking": "", "signature": ""}

_ANTHROPIC_STREAMS: dict[str, Make] = {
    "texts": lambda n: _one_block(_EMPTY_TEXT, [_grow(0, "text_delta", text="a")] * n),
    "a long text": lambda n: _one_block(_EMPTY_TEXT, [_grow(0, "text_delta", text="é" * 20 * n)]),
    "arguments": lambda n: _one_block(_EMPTY_USE, [_grow(0, "input_json_delta", partial_json="a")] * n),
    "thinking": lambda n: _one_block(_EMPTY_THOUGHT, [_grow(0, "thinking_delta", thinking="a")] * n),
    "signatures": lambda n: _one_block(_EMPTY_THOUGHT, [_grow(0, "signature_delta", signature="a")] * n),
    "citations": lambda n: _one_block(_EMPTY_TEXT, [_grow(0, "citations_delta", citation={"i": i}) for i in range(n)]),
    "deltas of an unknown block": lambda n: _one_block({"type": "x"}, [_grow(0, "text_delta", text="a")] * n),
    "citations of an unknown block": lambda n: _one_block({"type": "x"}, [_grow(0, "citations_delta", citation={})] * n),
    "compactions": lambda n: _one_block(
        {"type": "compaction"}, [_grow(0, "compaction_delta", **{f"k{i}": i}) for i in range(n)]
    ),
    "new fields in deltas": lambda n: _one_block(
        _EMPTY_TEXT, [_grow(0, "text_delta", text="a", **{f"k{i}": i}) for i in range(n)]
    ),
    "new fields next to deltas": lambda n: _one_block(
        _EMPTY_TEXT, [_grow(0, "text_delta", text="a") | {f"k{i}": i} for i in range(n)]
    ),
    "unknown deltas": lambda n: _one_block(_EMPTY_TEXT, [_grow(0, f"kind_{i}") for i in range(n)]),
    "blocks": lambda n: _message(
        *[chunk for i in range(n) for chunk in (_block(i, _EMPTY_TEXT), _grow(i, "text_delta", text="a"), _stop(i))]
    ),
    "calls": lambda n: _message(
        *[
            chunk
            for i in range(n)
            for chunk in (_block(i, _use(i, input={})), _grow(i, "input_json_delta", partial_json="{}"), _stop(i))
        ]
    ),
    "thinking and text in turn": lambda n: _message(
        *[
            chunk
            for i in range(n)
            for chunk in (
                _block(i, (_EMPTY_THOUGHT, _EMPTY_TEXT)[i % 2]),
                *([_grow(i, "text_delta", text="a")] if i % 2 else []),
                _stop(i),
            )
        ]
    ),
    "blocks, interleaved": lambda n: _message(
        *[_block(i, _EMPTY_USE | {"id": f"{i}"}) for i in range(n)],
        *[_grow(i, "input_json_delta", partial_json="{}") for i in range(n)],
        *[_stop(i) for i in range(n)],
    ),
    "blocks that never stop": lambda n: _message(*[_block(i, _EMPTY_TEXT) for i in range(n)]),
    "blocks of the same index": lambda n: _message(*[_block(0, _EMPTY_TEXT) for _ in range(n)]),
    "deltas without blocks": lambda n: _message(*[_grow(i, "text_delta", text="a") for i in range(n)]),
    "deltas after the stop": lambda n: _one_block(_EMPTY_TEXT, [_stop(0), *[_grow(0, "text_delta", text="a")] * n]),
    "stops": lambda n: _one_block(_EMPTY_TEXT, [_stop(0)] * n),
    "starts": lambda n: [*[_start(id=f"{i}") for i in range(n)], *_message()],
    "starts with a new field": lambda n: [*[_start(**{f"key_{i}": i}) for i in range(n)], *_message()],
    "starts with blocks": lambda n: _message(_start(id="y", content=[_TEXT] * n)),
    "whole messages": lambda n: [*_message(), *[_reply(_TEXT)] * n],
    "a new field in each end": lambda n: _message(
        *[{"type": "message_delta", "delta": Wire()} | {f"key_{i}": i} for i in range(n)]
    ),
    "a new list in each end": lambda n: _message(*[{"type": "message_delta", "delta": {f"key_{i}": [i]}} for i in range(n)]),
    "an object that changes": lambda n: _message(*[{"type": "message_delta", "delta": {"key": {"a": i}}} for i in range(n)]),
    "counts": lambda n: _message(
        *[{"type": "message_delta", "delta": Wire(), "usage": {"output_tokens": i}} for i in range(n)]
    ),
    "a new count in each end": lambda n: _message(
        *[{"type": "message_delta", "delta": Wire(), "usage": {f"key_{i}": i}} for i in range(n)]
    ),
    "ends": lambda n: _message(*[_end(usage={"output_tokens": i}) for i in range(n)]),
    "ends with new fields": lambda n: _message(*[_end(**{f"key_{i}": i}) for i in range(n)]),
    "ends after many blocks": lambda n: _message(
        *[_block(i, _EMPTY_TEXT) for i in range(n)], *[_end(usage={"output_tokens": i}) for i in range(n)]
    ),
    "different ends": lambda n: _message(
        *[_end(delta={"stop_reason": ("end_turn", "max_tokens")[i % 2], "stop_sequence": None}) for i in range(n)]
    ),
    "different ends with new fields": lambda n: _message(
        *[_end(delta={"stop_reason": ("end_turn", "max_tokens")[i % 2], f"key_{i}": i}) for i in range(n)]
    ),
    "a new field after the end": lambda n: [*_message(), *[{"type": "message_stop", f"key_{i}": i} for i in range(n)]],
    "pings": lambda n: _message(*[{"type": "ping"}] * n),
    "unknown events": lambda n: _message(*[{"type": f"kind_{i}"} for i in range(n)]),
    "errors": lambda n: _message(*[{"type": "error", "error": {"type": "x"}}] * n),
}

STREAMS = {"openai_chat": _CHAT_STREAMS, "anthropic": _ANTHROPIC_STREAMS}

BAD_STREAMS: dict[str, Make] = {
    "chunks that are none": lambda n: [5] * n,
    "choices that are none": lambda n: [_chunk() | {"choices": [5]}] * n,
    "blocks that are none": lambda n: [_block(0, {}) | {"content_block": 5}] * n,
    "texts that are none": lambda n: [*_streamed(), *[_chunk(_delta({"content": "\ud800"}))] * n],
    "text that is no JSON": lambda n: ["{"] * n,
}
