"""What the fields of a canonical request are called in a request of Gemini."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.fields import Wire, join
from ...codec.pointers import Kind, walk
from ...model.base import Json
from .base import list_in, object_in, snake, value_of
from .maps import body_of, in_call
from .tools import functions_in


def _spelled(*paths: str) -> tuple[str, ...]:
    """The paths with each of their fields in either spelling."""
    out: list[str] = []
    for path in paths:
        made = [""]
        for token in path.split("/"):
            made = [f"{before}/{name}" for before in made for name in dict.fromkeys((token, snake(token)))]
        out += [each[1:] for each in made]
    return tuple(out)


_CONFIG = {
    "max_tokens": ("maxOutputTokens",),
    "temperature": ("temperature",),
    "top_p": ("topP",),
    "top_k": ("topK",),
    "stop": ("stopSequences",),
    "reasoning_budget": ("thinkingConfig/thinkingBudget",),
    "reasoning_effort": ("thinkingConfig/thinkingLevel",),
    "response_format": ("responseMimeType",),
    "response_format/json_schema": ("responseSchema", "responseJsonSchema"),
}
_CALLING = "toolConfig/functionCallingConfig"
_MEDIA = ("inlineData", "fileData")
_KINDS: Mapping[str, Kind] = {
    "request": Kind(
        names={name: _spelled(*(f"generationConfig/{path}" for path in paths)) for name, paths in _CONFIG.items()}
        | {"tool_choice": _spelled(_CALLING), "tool_choice/name": _spelled(f"{_CALLING}/allowedFunctionNames")}
    ),
    "message": Kind(),
    "tool": Kind(names={"parameters": _spelled("parameters", "parametersJsonSchema")}),
    "part": Kind(
        names={
            "thinking": "text",
            "signature": _spelled("thoughtSignature"),
            "source": _spelled(*_MEDIA),
            "source/data": _spelled("inlineData/data"),
            "source/media_type": _spelled(*(f"{key}/mimeType" for key in _MEDIA)),
            "source/url": _spelled("fileData/fileUri"),
            "source/file_id": _spelled("fileData/fileUri"),
            "filename": _spelled(*(f"{key}/displayName" for key in _MEDIA)),
            "name": _spelled("functionCall/name", "functionResponse/name"),
            "id": _spelled("functionCall/id"),
            "input": _spelled("functionCall/args"),
            "tool_use_id": _spelled("functionResponse/id"),
            "is_error": _spelled("functionResponse/response"),
            "content": _spelled("functionResponse/response"),
        }
    ),
}


def locate(wire: Wire, pointer: str) -> str:
    """Where a request has what its canonical form has at a pointer."""
    first, *rest = pointer[1:].split("/")
    if first == "messages" and rest:
        return _in_message(wire, rest)
    if first == "tools" and rest:
        return _in_tools(wire, int(rest[0]), rest[1:])
    if first == "messages":
        return "/contents"
    return pointer if pointer in ("", "/tools", "/model") else walk(_KINDS, "request", wire, [first, *rest], "")


def locate_in_call(wire: Wire, pointer: str) -> str:
    """The same for the arguments of a call of google-genai."""
    at = in_call(locate(body_of(wire), pointer))
    return at.replace("/contents/0", "/contents", 1) if type(wire["contents"]) is str else at


def _in_message(wire: Wire, tokens: list[str]) -> str:
    number = int(tokens[0])
    held: Json = value_of(wire, "systemInstruction")
    at = "/systemInstruction" if wire.get("systemInstruction") is not None else "/system_instruction"
    if held is None or number:
        number -= held is not None
        held, at = _item(list_in(wire, "contents"), number), f"/contents/{number}"
    if type(held) is not dict:
        return at
    if len(tokens) < 3 or tokens[1] != "content":
        return at + "/parts" if tokens[1:] == ["content"] else walk(_KINDS, "message", held, tokens[1:], at)
    if type(held.get("parts")) is dict:
        return _in_part(object_in(held, "parts"), tokens[3:], at + "/parts")
    return _in_part(_item(list_in(held, "parts"), int(tokens[2])), tokens[3:], f"{at}/parts/{tokens[2]}")


def _item(held: list[Any], index: int) -> Any:
    return held[index] if index < len(held) else {}


def _in_part(part: Wire, tokens: list[str], at: str) -> str:
    result = object_in(part, "functionResponse")
    if not result or tokens[:1] != ["content"] or len(tokens) < 2:
        return walk(_KINDS, "part", part, tokens, at)
    at += "/functionResponse" if part.get("functionResponse") is not None else "/function_response"
    index = int(tokens[1]) - bool(result.get("response"))
    if index < 0:
        return at + "/response"
    return walk(_KINDS, "part", _item(list_in(result, "parts"), index), tokens[2:], f"{at}/parts/{index}")


def _in_tools(wire: Wire, index: int, tokens: list[str]) -> str:
    alone = type(wire.get("tools")) is dict
    for i, entry in enumerate([object_in(wire, "tools")] if alone else list_in(wire, "tools")):
        at = "/tools" if alone else f"/tools/{i}"
        declared = functions_in(entry)
        if index < len(declared):
            key = "functionDeclarations" if entry.get("functionDeclarations") is not None else "function_declarations"
            return walk(_KINDS, "tool", declared[index], tokens, f"{at}/{key}/{index}")
        index -= len(declared)
        if not declared or len(entry) > 1:  # what an object has besides functions is a tool by itself
            if not index:
                return at + join(tokens[1:] if tokens[:1] == ["value"] else tokens)
            index -= 1
    return "/tools"
