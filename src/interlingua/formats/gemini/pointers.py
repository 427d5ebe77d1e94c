"""Where the fields of a canonical request are in a request of Gemini, in the usual spelling."""

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, join
from ...codec.pointers import Items, Kind, Locate, locator
from ...model.base import Json
from .base import list_in, object_in, value_of
from .calls import body_of, groups_in, in_call
from .lone_parts import NESTED, Group, tokens_in
from .maps import NUMBERS, functions_in
from .spellings import snake


def _messages(wire: Wire) -> Items:
    """The system instruction and the contents."""
    system = value_of(wire, "systemInstruction")
    lifted = [] if system is None else [(_name(wire, "systemInstruction"), system)]
    alone: Json = wire.get("contents")
    if type(alone) is dict:
        return [*lifted, ("contents", alone)]
    return [*lifted, *((f"contents/{i}", content) for i, content in enumerate(list_in(wire, "contents")))]


def _tools(wire: Wire) -> Items:
    """Each declared function, and the rest of an object that also has functions, which is a tool by itself."""
    out: list[tuple[str, Json]] = []
    alone: Json = wire.get("tools")
    for i, entry in enumerate([alone] if type(alone) is dict else list_in(wire, "tools")):
        at = "tools" if type(alone) is dict else f"tools/{i}"
        declared = functions_in(entry)
        out += [(f"{at}/{_name(entry, 'functionDeclarations')}/{j}", one) for j, one in enumerate(declared)]
        if not declared or len(entry) > 1:
            out.append((at, entry))
    return out


def _result_items(part: Wire) -> Items:
    """The text and the media of a result."""
    result = object_in(part, "functionResponse")
    at = _name(part, "functionResponse")
    response = [(f"{at}/response", None)] if result.get("response") else []
    return [*response, *((f"{at}/parts/{i}", media) for i, media in enumerate(list_in(result, "parts")))]


def _name(wire: Wire, name: str) -> str:
    return name if wire.get(name) is not None else snake(name)


_CONFIG = {name: key for key, name in NUMBERS.items()} | {
    "reasoning_budget": "thinkingConfig/thinkingBudget",
    "reasoning_effort": "thinkingConfig/thinkingLevel",
    "response_format": "responseMimeType",
}
_CALLING = "toolConfig/functionCallingConfig"
_MEDIA = ("inlineData", "fileData")
_NAMES: dict[str, Any] = {
    "thinking": "text",
    "signature": "thoughtSignature",
    "source": _MEDIA,
    "source/data": "inlineData/data",
    "source/media_type": tuple(f"{key}/mimeType" for key in _MEDIA),
    "source/url": "fileData/fileUri",
    "source/file_id": "fileData/fileUri",
    "filename": tuple(f"{key}/displayName" for key in _MEDIA),
    "detail": "mediaResolution/level",
    "name": ("functionCall/name", "functionResponse/name"),
    "id": "functionCall/id",
    "input": "functionCall/args",
    "tool_use_id": "functionResponse/id",
    "is_error": "functionResponse/response",
    "content": "functionResponse/response",
}
_REQUEST: dict[str, Any] = {name: f"generationConfig/{path}" for name, path in _CONFIG.items()} | {
    "messages": "contents",
    "metadata": "labels",
    "response_format/json_schema": tuple(f"generationConfig/response{kind}Schema" for kind in ("", "Json")),
    "tool_choice": _CALLING,
    "tool_choice/name": f"{_CALLING}/allowedFunctionNames",
    "tool_choice/allowed": f"{_CALLING}/allowedFunctionNames",
}
locating = locator(
    {
        "request": Kind(_REQUEST, {"messages": "message", "tools": "tool"}, {"messages": _messages, "tools": _tools}),
        "message": Kind({"content": "parts"}, {"content": "part"}),
        "tool": Kind({"parameters": ("parameters", "parametersJsonSchema")}),
        "part": Kind(_NAMES, {"content": "part"}, {"content": _result_items}),
    },
    respell=snake,
)


def _in_groups(pointer: str, found: Sequence[Group], *, depth: int) -> list[str]:
    """The pointers into a call of a pointer into the body, which has the messages that the call's contents stand for."""
    tokens = pointer.split("/")
    if tokens[1:2] != ["contents"] or len(tokens) < depth:
        return [pointer]
    number = int(tokens[2]) if depth > 2 else 0
    begun, _, form, items = found[number]
    rest = tokens[depth:]
    if form is None:
        return [begun + join(rest)]
    if rest[:1] == ["parts"] and len(rest) > 1:
        at, item = items[int(rest[1])]
        return [at + join(tokens_in(item, rest[2:]))]
    return [begun] if form == NESTED else [at for at, _ in items]


def locating_in_call(wire: Wire) -> Locate:
    """`locating` for the arguments of a google-genai call."""
    found = groups_in(wire)
    locate = locating(body_of(wire, found))
    depth = 2 if type(wire["contents"]) is dict else 3

    def located(pointer: str) -> list[str]:
        places = [in_call(at) for at in locate(pointer)]
        return places if found is None else [at for place in places for at in _in_groups(place, found, depth=depth)]

    return located
