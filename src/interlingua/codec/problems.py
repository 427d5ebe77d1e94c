"""What a provider would refuse in a request's body, found without sending it: by the wire types, and by the format's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from ..errors import Problem, faults_of
from ..model.base import Json
from .format import Format

_SHAPE = "the wire types of this format, which follow the provider's specification and its SDK"


def problems(body: Json, format: Format) -> list[Problem]:
    """What the provider of a format would refuse in a request's body, each fault once: its shape, then what each rule finds."""
    found: list[Problem] = []
    try:
        format.adapter().validate_python(body)
    except ValidationError as error:
        found = [Problem("shape", path, reason, "error", _SHAPE) for path, reason in faults_of(error, wire=True)]
    if format.rules is not None and isinstance(body, dict):
        known = format.rules(format)
        seen = known.view(body)
        for rule in known.rules:
            reported = rule.problems(seen)
            if rule.of_shape and found and reported:
                found = _without(found, {each.path for each in reported})
            found += reported
    return found


def has_wrong_shape(found: list[Problem], format: Format) -> bool:
    """Whether the wire types refuse something, which a rule may have reported in their place."""
    if not found or format.rules is None:
        return bool(found)
    codes = {"shape", *(rule.code for rule in format.rules(format).rules if rule.of_shape)}
    return any(each.code in codes for each in found)


def _without(found: list[Problem], paths: set[str]) -> list[Problem]:
    """The problems without those of the shape at these places, or of an object whose `type` is missing there."""
    return [each for each in found if each.code != "shape" or not {each.path, f"{each.path}/type"} & paths]


def of_dump(
    body: Any, format: Format, request: Any, places: Mapping[str, str], *, bare: bool, also: Iterable[Problem] = ()
) -> list[Problem]:
    """The problems of a body that a dump wrote, and others of it, with paths into the request in canonical form.

    `places` is that of the dump. A path is that of the narrowest owner or setting which is known to hold the place. `bare`
    messages are not blamed for what only a whole request has.
    """
    found = [*problems(body, format), *also]
    if not found:
        return found
    origin = placing(body, format, request, places)
    placed = [each._replace(path=origin(each.path)) for each in found]
    return [each for each in placed if each.path.startswith(("/messages", "/tools"))] if bare else placed


def placing(body: Any, format: Format, request: Any, places: Mapping[str, str]) -> Callable[[str], str]:
    """Translates pointers into a body that a dump wrote to those into its request in canonical form."""
    origins = _origins(body, format, request, places)
    return lambda pointer: _origin(pointer, origins)


def _origins(body: Any, format: Format, request: Any, places: Mapping[str, str]) -> dict[str, str]:
    """The pointers into the request of all places in a body that are known."""
    locate = format.locating(body)
    settings = {pointer: f"/{name}" for name in request.model_fields_set for pointer in locate(f"/{name}") if pointer}
    return {**settings, **places}


def _origin(pointer: str, origins: Mapping[str, str]) -> str:
    while pointer and pointer not in origins:
        pointer = pointer.rpartition("/")[0]
    return origins.get(pointer, "")
