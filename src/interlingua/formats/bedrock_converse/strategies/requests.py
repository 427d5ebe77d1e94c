"""Converse requests, with the constraints that the wire types do not express; also as arguments of boto3."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from ....codec.strategies.spoiling import NO_CONTENT, NO_MESSAGE
from ..blobs import holds_blobs, with_bytes

Wires = st.SearchStrategy[dict[str, Any]]

_TEXT = p.text(blank=False)
_BYTES = st.fixed_dictionaries({"bytes": p.BASE64})
_S3 = st.fixed_dictionaries(
    {"s3Location": p.fields({"uri": st.just("s3://bucket/a.png")}, {"bucketOwner": st.just("123456789012")})}
)
_WORDS = st.fixed_dictionaries({"text": _TEXT})
_POINT = p.fields({"type": st.just("default")}, {"ttl": st.sampled_from(["5m", "1h"])}).map(lambda point: {"cachePoint": point})


def _block(key: str, content: st.SearchStrategy[Any]) -> Wires:
    return st.fixed_dictionaries({key: content})


_IMAGE = _block("image", p.fields({"format": st.sampled_from(["png", "jpeg", "webp"]), "source": _BYTES | _S3}, {}))
_VIDEO = _block("video", p.fields({"format": st.sampled_from(["mp4", "mpg", "three_gp"]), "source": _BYTES | _S3}, {}))
_AUDIO = _block("audio", p.fields({"format": st.sampled_from(["mp3", "wav", "x-aac"]), "source": _BYTES}, {}))
_BAD_BLOBS = st.sampled_from(["aGk", "hello!", "a", "aGk=\n", "é", "aGk-aGk_"])
"""Text that some hosts send in place of a blob, and that boto3 cannot send."""
_TEXTS = st.lists(_WORDS, min_size=1, max_size=2)
_DOCUMENT = _block(
    "document",
    p.fields(
        {"name": st.integers(0, 99).map("Report {}".format), "source": _BYTES | _S3 | _WORDS | _block("content", _TEXTS)},
        {"format": st.sampled_from(["pdf", "txt", "docx"]), "context": _TEXT, "citations": st.just({"enabled": True})},
    ),
)
_GUARDED = _block("guardContent", _block("text", p.fields({"text": _TEXT}, {"qualifiers": st.just(["query"])})))
_SEARCHED = _block("searchResult", st.just({"source": "https://a", "title": "a", "content": [{"text": "a"}]}))


def locations() -> Wires:
    """The locations of citations."""
    place = p.fields({"documentIndex": p.COUNTS}, {"start": p.COUNTS, "end": p.COUNTS})
    found = p.fields({"searchResultIndex": p.COUNTS, "start": p.COUNTS, "end": p.COUNTS}, {})
    web = p.fields({"url": p.URLS}, {"domain": st.just("a.example")})
    return st.one_of(
        *[_block(key, place) for key in ("documentChar", "documentPage", "documentChunk")],
        _block("searchResultLocation", found),
        _block("web", web),
    )


def citations() -> Wires:
    """The citations of a text."""
    return p.fields({"location": locations()}, {"title": p.NAMES, "source": _TEXT, "sourceContent": _TEXTS})


@cache
def spoken(odd: bool) -> Wires:
    """The assistant's blocks other than calls."""
    text = _block("reasoningText", p.fields({"text": _TEXT}, {"signature": p.BASE64}))
    texts = _TEXTS if odd else st.tuples(_WORDS).map(list)
    cited = p.fields({"content": texts, "citations": st.lists(citations(), min_size=1, max_size=2)}, {})
    kinds: list[Wires] = [
        _WORDS,
        _block("reasoningContent", text | _block("redactedContent", p.BASE64 | _BAD_BLOBS if odd else p.BASE64)),
        _block("citationsContent", cited | p.fields({"citations": st.lists(citations(), min_size=1, max_size=2)}, {})),
    ]
    if odd:
        kinds.append(_block("citationsContent", st.just({"citations": []})))
    return st.one_of(kinds)


@cache
def call(odd: bool) -> Wires:
    """A call; its id is added later."""
    use = p.fields({"toolUseId": st.none(), "name": p.called(odd), "input": p.json_objects()}, {})
    return _block("toolUse", use)


@cache
def _result(odd: bool) -> Wires:
    shown = st.one_of(_WORDS, _block("json", p.json_objects()), _IMAGE, _DOCUMENT, _VIDEO, _SEARCHED)
    result = p.fields(
        {"toolUseId": st.none(), "content": st.lists(shown, min_size=1, max_size=2)},
        {"status": st.sampled_from(["success", "error"])},
    )
    return _block("toolResult", result)


@cache
def _asked(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    kinds: list[Wires] = [_WORDS, _WORDS, _IMAGE, _DOCUMENT, _VIDEO, _AUDIO, _GUARDED, _SEARCHED]
    more = [_block("x_unknown", p.json_objects()), _POINT] if odd else []
    return st.lists(st.one_of(*kinds, *more), min_size=1, max_size=3)


@st.composite
def _turn(draw: st.DrawFn, odd: bool, number: int) -> list[dict[str, Any]]:
    asked = [draw(_WORDS), *draw(_asked(odd))]
    if draw(st.booleans()):
        asked.append(draw(_POINT))
    blocks = draw(st.lists(spoken(odd), max_size=3)) or [draw(_WORDS)]
    if "reasoningContent" not in blocks[-1] and draw(st.booleans()):
        blocks.append(draw(_POINT))
    ids = draw(st.lists(p.PORTABLE_IDS, max_size=3, unique=True))
    for id in ids:
        made = draw(call(odd))
        made["toolUse"]["toolUseId"] = f"{id}-{number}"
        blocks.append(made)
    turn: list[dict[str, Any]] = [{"role": "user", "content": asked}, {"role": "assistant", "content": blocks}]
    if ids:
        results: list[dict[str, Any]] = []
        for id in draw(st.permutations(ids)):
            made = draw(_result(odd))
            made["toolResult"]["toolUseId"] = f"{id}-{number}"
            results.append(made)
        turn.append({"role": "user", "content": results + draw(st.lists(_POINT | _WORDS, max_size=1))})
        turn.append({"role": "assistant", "content": [draw(_WORDS)]})
    return turn


@st.composite
def _messages(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    return [message for number in range(draw(st.integers(1, 3))) for message in draw(_turn(odd, number))]


@cache
def _tools(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    known = {"name": p.called(odd), "inputSchema": _block("json", p.SCHEMAS)}
    spec = p.fields(known, {"description": _TEXT, "strict": st.booleans()})
    return st.lists(
        _block("toolSpec", spec) | _block("systemTool", st.just({"name": "nova_grounding"})), min_size=1, max_size=2
    )


@st.composite
def _tool_config(draw: st.DrawFn, odd: bool) -> dict[str, Any]:
    tools: list[dict[str, Any]] = draw(_tools(odd))
    named = [{"tool": {"name": each["toolSpec"]["name"]}} for each in tools if "toolSpec" in each] if odd else []
    if draw(st.booleans()):
        tools.append(draw(_POINT))
    choice = draw(st.sampled_from([{}, {"auto": {}}, {"any": {}}, *named]))
    return {"tools": tools, "toolChoice": choice} if choice else {"tools": tools}


def _with_tools(body: dict[str, Any]) -> dict[str, Any]:
    """The body, with a tool added if its messages have calls and it has no tools, which the server refuses."""
    called = any("toolUse" in block for message in body["messages"] for block in message["content"])
    tool = {"name": "look_up", "inputSchema": {"json": {"type": "object"}}}
    return {"toolConfig": {"tools": [{"toolSpec": tool}]}} | body if called else body


def requests(format: Format, odd: bool) -> Wires:
    if format.profile.nova:
        return _for_nova(odd)
    sdk: bool = format.profile.sdk
    return _requests(odd, sdk).filter(holds_blobs).map(with_bytes) if sdk else _requests(odd, sdk)


@cache
def _requests(odd: bool, sdk: bool) -> Wires:
    inference = {
        "maxTokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 0.5, 1.0]),
        "topP": st.sampled_from([0.5, 1]),
        "stopSequences": st.lists(_TEXT, min_size=1, max_size=3),
    }
    schema = st.sampled_from(['{"type": "object"}', '{"type":"object"}'])
    form = _block("jsonSchema", p.fields({"schema": schema}, {"name": p.NAMES, "description": _TEXT}))
    text_format = st.fixed_dictionaries({"type": st.just("json_schema"), "structure": form})
    more = {
        "thinking": st.just({"type": "enabled", "budget_tokens": 2048}),
        "top_k": p.COUNTS,
        "x": p.json_values(max_leaves=2),
    }
    settings: dict[str, Any] = {
        "system": st.lists(_WORDS | _GUARDED, min_size=1, max_size=2) | st.tuples(_WORDS, _POINT).map(list),
        "inferenceConfig": p.fields({}, inference),
        "toolConfig": _tool_config(odd),
        "additionalModelRequestFields": p.fields({}, more),
        "outputConfig": p.fields({}, {"effort": st.sampled_from(["low", "max"]), "textFormat": text_format}),
        "requestMetadata": st.dictionaries(p.NAMES, st.just("a b"), max_size=2),
        "guardrailConfig": st.just({"guardrailIdentifier": "g", "guardrailVersion": "1"}),
        "performanceConfig": st.just({"latency": "standard"}),
        **({"modelId": p.NAMES} if sdk or odd else {}),
        **p.unknown_fields(odd),
    }
    if odd:
        settings["system"] |= st.just([])
    bodies = p.whole(_messages(odd), settings)
    if not odd:
        bodies = bodies.map(_with_tools)
    return bodies.map(lambda body: {"modelId": "m", **body}) if sdk else bodies


def _joined(one: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return one | more


@cache
def _for_nova(odd: bool) -> Wires:
    """Nova's bodies for InvokeModel."""
    effort = p.fields({"type": st.just("enabled"), "maxReasoningEffort": st.sampled_from(["low", "high"])}, {})
    inference = {
        "temperature": st.sampled_from([0, 0.5, 1.0]),
        "topP": st.sampled_from([0.5, 1]),
        "topK": p.COUNTS,
        "stopSequences": st.lists(_TEXT, min_size=1, max_size=3),
        "reasoningConfig": effort | st.just({"type": "disabled"}),
    }
    lengths = st.sampled_from(["maxTokens", "max_new_tokens"] if odd else ["maxTokens"])
    limits = st.dictionaries(lengths, st.integers(1, 10**6), max_size=1)
    settings: dict[str, Any] = {
        "schemaVersion": st.just("messages-v1"),
        "system": st.lists(_WORDS, min_size=1, max_size=2),
        "inferenceConfig": st.builds(_joined, p.fields({}, inference), limits),
        "toolConfig": _tool_config(odd),
        **p.unknown_fields(odd),
    }
    bodies = p.whole(_messages(odd), settings)
    return bodies if odd else bodies.map(_with_tools)


def spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil one of the messages."""
    index = draw(st.integers(0, len(payload["messages"]) - 1))
    pointer = f"/messages/{index}"
    what = draw(st.sampled_from(["content", "role", "message", "text"]))
    if what == "message":
        payload["messages"][index] = draw(NO_MESSAGE)
    elif what == "role":
        del payload["messages"][index]["role"]
    elif what == "text":
        payload["messages"][index] = {"role": "user", "content": [{"text": draw(NO_CONTENT)}]}
        pointer += "/content/0/text"
    else:
        payload["messages"][index]["content"] = draw(NO_CONTENT | st.just("x"))
        pointer += "/content"
    return pointer
