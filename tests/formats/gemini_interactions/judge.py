"""google-genai judges the Interactions API: its types of requests, responses and events, extra keys forbidden.

Its unions take what they do not know whole; a member of a type that they know is a fault there, too.
"""

import json
from typing import Any

from pydantic import BaseModel, ValidationError

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault, pointer_of
from laws.judge import Judge, adapter

_UNLISTED = ("/object", "/role", "/outputs")
"""Recorded fields of responses that the SDK's types do not have; the last two are of the API's first version."""


def _faults(kind: Any, value: Any) -> list[Fault]:
    try:
        made = adapter(kind).validate_json(json.dumps(value))
    except ValidationError as error:
        return [Fault(_pointer(item["loc"]), f"sdk {item['type']}", item["msg"]) for item in error.errors(include_url=False)]
    return _inside(made, "")


def _pointer(loc: tuple[int | str, ...]) -> str:
    """The pointer of a fault, without the names of the members of unions."""
    return pointer_of(token for token in loc if isinstance(token, int) or "[" not in token)


def _inside(value: Any, pointer: str) -> list[Fault]:
    """What is left over in a model, and what of a known type it could only keep whole."""
    if is_array(value):
        return [fault for i, item in enumerate(value) for fault in _inside(item, f"{pointer}/{i}")]
    if not (isinstance(value, BaseModel) and type(value).model_fields):  # one without fields is any object
        return []
    if getattr(value, "is_unknown", False):
        return [Fault(pointer, "sdk unknown", "it is of no type that the SDK knows, or its body is not of its type")]
    faults = [Fault(f"{pointer}/{key}", "sdk extra", "there is no such field") for key in value.model_extra or ()]
    for name in value.model_fields_set & type(value).model_fields.keys():
        alias = type(value).model_fields[name].alias or name
        faults += _inside(vars(value)[name], f"{pointer}/{alias}")  # some warn that they are deprecated
    return faults


def _request(payload: Any) -> list[Fault]:
    from google.genai._gaos.types.interactions import CreateAgentInteraction, CreateModelInteraction

    return _faults(CreateAgentInteraction if "agent" in payload else CreateModelInteraction, payload)


def _listed(faults: list[Fault]) -> list[Fault]:
    return [fault for fault in faults if not (fault.rule == "sdk extra" and fault.pointer in _UNLISTED)]


def _response(body: Any) -> list[Fault]:
    from google.genai._gaos.types.interactions import Interaction

    return _listed(_faults(Interaction, body))


def _chunk(chunk: Any) -> list[Fault]:
    from google.genai._gaos.types.interactions import InteractionSSEEvent

    return _listed(_faults(InteractionSSEEvent, chunk))


def _complete(chunk: Any) -> Any:
    """An event with what the SDK requires of the interaction in it."""
    if is_object(chunk.get("interaction")):
        return chunk | {"interaction": {"id": "x", "status": "completed"} | chunk["interaction"]}
    return chunk


def _known(payload: Any) -> Any:
    """A request without the content and steps that the SDK does not know, and without turns of the API's first version."""
    if is_array(payload.get("input")):
        payload["input"] = [item for item in payload["input"] if not str(item.get("type", "x_")).startswith("x_")]
        for item in payload["input"]:
            for key in ("content", "result"):
                if is_object(item) and is_array(item.get(key)):
                    item[key] = [part for part in item[key] if not str(part.get("type")).startswith("x_")]
    return payload


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    required={"id": "x", "status": "completed"},
    missing=("/model",),
    known=_known,
    complete=_complete,
)
