"""Load and dump the calls of google-genai: the arguments of `client.models.generate_content`, which sends them as a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, spelling
from ...model.base import Json
from ...model.exchange import Request
from .base import ARGUMENTS, FAMILY, OF_CALL, GeminiDump, adapter, value_of
from .maps import dump_request, load_body_of
from .parts import PARTS
from .spellings import spellings

_BESIDE_SETTINGS = spellings(
    *"systemInstruction tools toolConfig safetySettings cachedContent labels modelArmorConfig serviceTier store".split(),
    *OF_CALL,
    "continuationToken",
)
"""The fields of `config` that belong to the body or to the call; all others go into `generationConfig`."""


def load_call(wire: Wire) -> dict[str, Any]:
    """Load the arguments of a call as the data of a canonical request; raises pydantic's `ValidationError`."""
    wire = adapter("Call").validator.validate_python(wire)
    contents: Json = wire["contents"]
    body = body_of(wire)
    out = load_body_of(body)
    if type(contents) is str:
        out.setdefault("wire", {}).setdefault("spelling", {})["contents"] = "text"
    elif body["contents"] is not contents:
        items: list[Json] = contents if type(contents) is list else [contents]
        for message, item in zip(out["messages"][-len(items) :], items, strict=True):
            if is_part(item):
                message["wire"]["spelling"]["content"] = "part"
    return out


def is_part(item: Json) -> bool:
    """Whether an item of the contents is a part, which the client puts into a message."""
    if type(item) is not dict or item.get("role") is not None or item.get("parts") is not None:
        return False
    return any(item.get(key) is not None for key in PARTS)


def parts_alone(call: Wire) -> frozenset[str]:
    """The pointers of the parts among the contents."""
    contents: Json = call["contents"]
    if type(contents) is list:
        return frozenset(f"/contents/{i}" for i, item in enumerate(contents) if is_part(item))
    return frozenset({"/contents"} if is_part(contents) else ())


def _contents_of(contents: Json) -> Any:
    """The contents that the client sends: a text or a part becomes a message."""
    if type(contents) is str:
        return [contents]
    if type(contents) is list:
        return [_content_of(item) for item in contents] if any(map(is_part, contents)) else contents
    return _content_of(contents)


def _content_of(item: Any) -> Any:
    """The content for an item of the contents: a part belongs to the user, a function call to the model."""
    if not is_part(item):
        return item
    return {"role": "user" if value_of(item, "functionCall") is None else "model", "parts": item}


def body_of(call: Wire) -> Wire:
    """The body that a call sends, without the arguments that only the client uses."""
    config: Wire = call.get("config") or {}
    out = {key: value for key, value in config.items() if key in _BESIDE_SETTINGS}
    settings = {key: value for key, value in config.items() if key not in _BESIDE_SETTINGS}
    out["contents"] = _contents_of(call["contents"])
    if "model" in call:
        out["model"] = call["model"]
    if settings:
        out["generationConfig"] = settings
    read = {"model", "contents"}
    if config:  # an empty one is kept with the rest
        read.add("config")
    rest = {key: value for key, value in call.items() if key not in read}
    if rest:
        out[ARGUMENTS] = rest
    return out


def dump_call_of(request: Request, messages: Sequence[Any], d: GeminiDump) -> Wire:
    """Dump the arguments of a call."""
    body = dump_request(request, messages, d)
    if d.exact and spelling(request, "contents") == "text" and [*map(type, body["contents"])] == [str]:
        [body["contents"]] = body["contents"]
    config = _settings_in(body, d)
    config |= {key: body.pop(key) for key in [*body] if key in _BESIDE_SETTINGS}
    rest: Json = body.pop(ARGUMENTS, {})
    d.places.update({in_call(at): d.places.pop(at) for at in [*d.places] if at != in_call(at)})
    d.losses[:] = [loss if loss.at is None else loss._replace(at=in_call(loss.at)) for loss in d.losses]
    return body | (rest if type(rest) is dict else {ARGUMENTS: rest}) | ({"config": config} if config else {})


def _settings_in(body: Wire, d: GeminiDump) -> Wire:
    """Take the settings out of a body, in either spelling; null is ignored, and a value that is not an object is reported."""
    config: Wire | None = None
    for key in ("generationConfig", "generation_config"):
        value: Json = body.pop(key, None)
        if type(value) is dict and config is None:
            config = value
        elif value is not None:
            d.drop(f"/provider_data/{FAMILY}/{key}", "the `config` of a call must be one object")
    return config or {}


def in_call(pointer: str) -> str:
    """Turn a pointer into the body into a pointer into the arguments of a call."""
    first, _, rest = pointer[1:].partition("/")
    if first == ARGUMENTS:
        return f"/{rest}"
    if first in ("generationConfig", "generation_config"):
        return "/config" + (f"/{rest}" if rest else "")
    return f"/config{pointer}" if first in _BESIDE_SETTINGS else pointer
