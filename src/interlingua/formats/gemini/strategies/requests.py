"""Gemini requests, with the constraints that the wire types do not express; also as arguments of calls of google-genai."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from ....codec.strategies.spoiling import NO_CONTENT, NO_MESSAGE
from ....model.base import Json
from ..spellings import snake

Wires = st.SearchStrategy[dict[str, Any]]

_TEXT = p.text(blank=False)
NOTHING: Wires = st.builds(dict[str, Any])
_SIGNED: dict[str, Any] = {"thoughtSignature": p.BASE64}
_FREE = frozenset(
    {"args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema", "x_unknown"}
)
"""Fields whose values have keys that the caller chooses."""


def respelled(value: Json) -> Any:
    """The value with its fields in snake case."""
    if isinstance(value, list):
        return [respelled(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {snake(key): item if key in _FREE else respelled(item) for key, item in value.items()}


@cache
def _media() -> Wires:
    blob = p.fields({"mimeType": p.MEDIA_TYPES | st.just("audio/wav"), "data": p.IMAGES}, {})
    document = p.fields({"mimeType": st.just("application/pdf"), "data": p.BASE64}, {"displayName": p.NAMES})
    uris = p.URLS | st.sampled_from(["gs://bucket/a.png", "https://generativelanguage.googleapis.com/v1beta/files/abc"])
    file = p.fields({"fileUri": uris, "mimeType": p.MEDIA_TYPES | st.just("video/mp4")}, {})
    return p.fields({"inlineData": blob | document}, {}) | p.fields({"fileData": file}, {})


@cache
def _user_parts(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    texts = p.fields({"text": p.text(blank=odd)}, p.unknown_fields(odd))
    video = p.fields(
        {"fileData": st.just({"fileUri": "https://www.youtube.com/watch?v=x"})}, {"videoMetadata": st.just({"fps": 1})}
    )
    levels = st.sampled_from(["MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_HIGH", *(["MEDIA_RESOLUTION_MEDIUM"] if odd else [])])
    seen = p.fields(
        {"inlineData": p.BASE64.map(lambda data: {"mimeType": "image/png", "data": data})},
        {"mediaResolution": p.fields({"level": levels}, {})},
    )
    kinds = st.one_of(texts, texts, _media(), seen, video) if odd else st.one_of(texts, _media(), seen)
    return st.lists(kinds, min_size=1, max_size=3)


@cache
def _spoken(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    words = p.fields({"text": p.text(blank=odd)}, _SIGNED if odd else {})
    thought = p.fields({"text": _TEXT, "thought": st.just(True)}, _SIGNED)
    code = st.just({"executableCode": {"language": "PYTHON", "code": "1"}})
    result = p.fields({"codeExecutionResult": st.just({"outcome": "OUTCOME_OK", "output": "1"})}, _SIGNED)
    return st.lists(st.one_of(words, thought, code, result), max_size=3)


@cache
def _results(odd: bool) -> Wires:
    key = st.sampled_from(["output", "output", "result", "error"])
    return st.dictionaries(key, p.text(blank=odd) | p.json_values(max_leaves=2), min_size=1, max_size=1) | p.json_objects()


@st.composite
def _turn(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    turn: list[dict[str, Any]] = [{"role": "user", "parts": draw(_user_parts(odd))}]
    parts = draw(_spoken(odd))
    named = draw(st.booleans())
    calls = [(f"call_{n}", draw(p.NAMES)) for n in draw(st.lists(st.integers(0, 999), max_size=3, unique=True))]
    results: list[dict[str, Any]] = []
    for id, name in calls:
        call: dict[str, Any] = {"name": name, "args": draw(p.json_objects())}
        if odd and not call["args"] and draw(st.booleans()):
            del call["args"]
        result: dict[str, Any] = {"name": name, "response": draw(_results(odd))}
        if draw(st.integers(0, 3)) == 0:
            result["parts"] = draw(st.lists(_media(), max_size=2))
        spelled = {"id": id} if named else {}
        parts.append(draw(p.fields({"functionCall": st.just(call | spelled)}, _SIGNED)))
        if odd and named and draw(st.integers(0, 3)) == 0:
            del result["name"]
        results.append({"functionResponse": result | spelled})
    turn.append({"role": "model", "parts": parts or [{"text": draw(_TEXT)}]})
    if results:
        turn.append({"role": draw(st.sampled_from(["user", "function", "tool", "model"])) if odd else "user", "parts": results})
        turn.append({"role": "model", "parts": [{"text": draw(_TEXT)}]})
    return turn


@cache
def _tools() -> st.SearchStrategy[list[dict[str, Any]]]:
    google = st.just({"type": "OBJECT", "properties": {"type": {"type": "STRING"}}})
    schema = p.fields({}, {"parametersJsonSchema": p.SCHEMAS}) | p.fields({"parameters": google | p.SCHEMAS}, {})
    function = st.builds(p.merged, p.fields({"name": p.NAMES}, {"description": p.text()}), schema)
    functions = st.lists(function, min_size=1, max_size=2, unique_by=lambda function: function["name"])
    own = p.fields({"functionDeclarations": functions}, {"codeExecution": NOTHING})
    of_google: Wires = p.fields({"googleSearch": NOTHING}, {}) | p.fields({"urlContext": NOTHING}, {})
    return st.lists(own | of_google, min_size=1, max_size=3)


@cache
def _config(odd: bool) -> Wires:
    without_schema: Any = p.fields({}, {"responseMimeType": st.sampled_from(["application/json", "text/plain"])})
    schema = p.fields({"responseMimeType": st.just("application/json")}, {"responseJsonSchema": p.SCHEMAS})
    rest = {
        "maxOutputTokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 0.5, 1.0]),
        "topP": st.sampled_from([0.5, 1.0]),
        "topK": st.integers(1, 40),
        "stopSequences": st.lists(_TEXT, max_size=2),
        "thinkingConfig": p.fields({}, {"includeThoughts": st.booleans(), "thinkingBudget": st.sampled_from([-1, 0, 1024])})
        | st.sampled_from([{"thinkingLevel": "HIGH"}, {"thinkingLevel": "low"}]),
        "seed": st.integers(0, 9),
        **p.unknown_fields(odd),
    }
    return st.builds(p.merged, p.fields({}, rest), without_schema | schema)


_SYSTEM: st.SearchStrategy[Any] = st.builds(
    p.merged,
    st.lists(p.fields({"text": _TEXT}, {}), min_size=1, max_size=2).map(lambda parts: {"parts": parts}),
    p.fields({}, {"role": st.just("user")}),
)


@cache
def _bodies(odd: bool) -> Wires:
    contents = st.lists(_turn(odd), min_size=1, max_size=3).map(lambda turns: [content for turn in turns for content in turn])
    modes: list[dict[str, Any]] = [
        {"mode": "AUTO"},
        {"mode": "ANY"},
        {"mode": "NONE"},
        {"mode": "ANY", "allowedFunctionNames": ["f", "Z9"]},
        {"mode": "VALIDATED"},
        {"mode": "VALIDATED", "allowedFunctionNames": ["f"]},
    ]
    settings = {
        "systemInstruction": _SYSTEM,
        "tools": _tools(),
        "toolConfig": st.sampled_from(modes).map(lambda config: {"functionCallingConfig": dict(config)}),
        "safetySettings": st.just([{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}]),
        "generationConfig": _config(odd),
    }
    whole = st.builds(p.merged, p.fields({"contents": contents}, {}), p.fields({}, settings))
    if not odd:
        return whole
    odd_shapes = st.sampled_from(["systemInstruction", "tools", "contents", "role", "capitals", "model", None, None])
    return st.builds(_oddly, whole, odd_shapes, st.booleans())


def _oddly(body: dict[str, Any], what: str | None, snaked: bool) -> dict[str, Any]:
    """The body in another shape that Google accepts, or in snake case."""
    if what == "systemInstruction" and what in body:
        body[what] = {"role": "model", "parts": body[what]["parts"][0]}
    elif (what == "tools" and what in body) or what == "contents":
        body[what] = body[what][0]
    elif what == "capitals":
        for content in body["contents"]:
            if content["role"] in ("user", "model"):
                content["role"] = content["role"].upper()
    elif what == "role":
        del body["contents"][0]["role"]
    elif what == "model":
        body["model"] = "models/gemini-x"
    return respelled(body) if snaked else body


def requests(format: Format, odd: bool) -> Wires:
    return _calls(odd) if format.profile.as_call else _bodies(odd)


@cache
def _calls(odd: bool) -> Wires:
    either = st.booleans() if odd else st.just(False)
    return st.builds(_as_call, _bodies(odd), p.NAMES, st.booleans() if odd else st.just(True), either)


def _as_call(body: dict[str, Any], model: str, snaked: bool, alone: bool) -> dict[str, Any]:
    body = respelled(body) if snaked else body
    contents: Json = body["contents"]
    listed: list[Any] = contents if alone and type(contents) is list else []
    if listed:
        body["contents"] = [item for content in listed for item in _unwrapped(content)]
    config = body.pop("generation_config", {}) | body.pop("generationConfig", {})
    return {
        "model": model,
        "contents": body.pop("contents"),
        "config": config | {k: v for k, v in body.items() if k != "model"},
    }


def _unwrapped(content: dict[str, Any]) -> list[Any]:
    """The parts of a content, by themselves or in a list, if the client makes the same content of them."""
    given: Json = content["parts"]
    if content.get("role") not in ("user", "model") or type(given) is not list:
        return [content]
    parts: list[Any] = given
    if content["role"] == "model":
        are_calls = bool(parts) and all(part.keys() & {"functionCall", "function_call"} for part in parts)
        return parts if are_calls else [content]
    texts = [part["text"] if part.keys() == {"text"} else part for part in parts]
    return [texts] if len(parts) > 2 else texts


def spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil one of the contents."""
    given: Json = payload["contents"]
    contents: list[Any] = given if type(given) is list else [given]
    payload["contents"] = contents
    index = draw(st.integers(0, len(contents) - 1))
    what = draw(st.sampled_from(["content", "parts", "part"]))
    pointer = f"/contents/{index}"
    if what == "content":
        contents[index] = draw(NO_MESSAGE.filter(lambda value: value != "x"))
        if "config" in payload and type(contents[index]) is list:  # a call's contents may have lists of parts
            pointer += "/0"
    elif what == "parts":
        contents[index]["parts"] = draw(NO_CONTENT.filter(lambda value: not isinstance(value, dict)))
        pointer += "/parts"
    else:
        contents[index]["parts"] = [{"text": draw(NO_CONTENT)}]
        pointer += "/parts/0/text"
    return pointer
