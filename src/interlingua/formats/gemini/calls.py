"""Load and dump the calls of google-genai: the arguments of `client.models.generate_content`, which sends them as a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire
from ...model.base import Json
from ...model.exchange import Request
from .base import ARGUMENTS, FAMILY, OF_CALL, GeminiDump, adapter
from .lone_parts import LONE, NESTED, PARTS_LAST, TEXT, Group, form_of, groups, is_part, parts_are_last, place_lone_parts
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
    found = groups_in(wire)
    out = load_body_of(body_of(wire, found))
    if found is None:
        return out
    for message, group in zip(out["messages"][-len(found) :], found, strict=True):
        if group.form in (LONE, NESTED):
            _record_form(message, group)
    word = TEXT if type(contents) is str else PARTS_LAST if type(contents) is list and parts_are_last(found) else None
    if word is not None:
        out.setdefault("wire", {}).setdefault("spelling", {})["contents"] = word
    return out


def _record_form(message: dict[str, Any], group: Group) -> None:
    """Record that a message was parts alone or a list of parts, and which of them were texts or files."""
    message.setdefault("wire", {}).setdefault("spelling", {})["content"] = group.form
    for part, (_, item) in zip(message["content"], group.items, strict=True):
        if (form := form_of(item)) is not None:
            part.setdefault("wire", {}).setdefault("spelling", {})["part"] = form


def groups_in(call: Wire) -> list[Group] | None:
    """The messages that the client makes of the contents; None if the contents have only messages."""
    contents: Json = call["contents"]
    if type(contents) is list:
        if all(type(item) is dict and not is_part(item, PARTS) for item in contents):
            return None
        return groups([(f"/contents/{i}", item) for i, item in enumerate(contents)], PARTS)
    return groups([("/contents", contents)], PARTS) if type(contents) is str or is_part(contents, PARTS) else None


def body_of(call: Wire, found: Sequence[Group] | None) -> Wire:
    """The body that a call sends, without the arguments that only the client uses; `found` are its messages by `groups_in`."""
    config: Wire = call.get("config") or {}
    out = {key: value for key, value in config.items() if key in _BESIDE_SETTINGS}
    settings = {key: value for key, value in config.items() if key not in _BESIDE_SETTINGS}
    contents: Json = call["contents"]
    if found is None:
        out["contents"] = contents
    elif type(contents) is dict:
        out["contents"] = found[0].content
    else:
        out["contents"] = [group.content for group in found]
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
    if d.same_format:
        place_lone_parts(request, body, d)
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
