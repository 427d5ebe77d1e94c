"""Where the fields of a canonical request are in a request of Gemini, in the usual spelling."""

from typing import Any

from ...codec.fields import Wire
from ...codec.pointers import Items, Kind, Locate, locator
from ...model.base import Json
from .base import list_in, object_in, value_of
from .calls import body_of, in_call, parts_alone
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


def _of_part(pointer: str, parts: frozenset[str]) -> str:
    """A pointer into the contents, where these are parts and not messages."""
    at, _, rest = pointer.partition("/parts")
    return at + rest if at in parts else pointer


def locating_in_call(wire: Wire) -> Locate:
    """`locating` for the arguments of a google-genai call."""
    locate = locating(body_of(wire))
    as_text = type(wire["contents"]) is str
    parts = parts_alone(wire)

    def located(pointer: str) -> list[str]:
        places = [_of_part(in_call(at), parts) if parts else in_call(at) for at in locate(pointer)]
        return [at.replace("/contents/0", "/contents", 1) for at in places] if as_text else places

    return located
