"""Finds what a provider would refuse in a request's body, without sending it: by wire types and by the format's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from ..errors import Problem, faults_of
from ..model.base import Json
from .format import Format

_SHAPE = "the wire types of this format, which follow the provider's specification and its SDK"


def problems(body: Json, format: Format) -> list[Problem]:
    """What a format's provider would refuse in a request's body, each fault once: faults of shape, then those of rules."""
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
    """Whether the wire types refuse something, or a rule that reports such faults in their place."""
    if not found or format.rules is None:
        return bool(found)
    codes = {"shape", *(rule.code for rule in format.rules(format).rules if rule.of_shape)}
    return any(each.code in codes for each in found)


def _without(found: list[Problem], paths: set[str]) -> list[Problem]:
    """The problems except those of shape at these paths, or at the `type` of an object there."""
    return [each for each in found if each.code != "shape" or not {each.path, f"{each.path}/type"} & paths]


def of_dump(
    body: Any, format: Format, request: Any, places: Mapping[str, str], *, bare: bool, also: Iterable[Problem] = ()
) -> list[Problem]:
    """The problems of a body that a dump wrote, and `also` other ones, with paths into the canonical request.

    `places` comes from the dump. A path points at the narrowest owner (message, part, call or tool) or setting known to contain
    the fault. `bare` messages have no problems that concern only a whole request.
    """
    found = [*problems(body, format), *also]
    if not found:
        return found
    origin = placing(body, format, request, places)
    placed = [each._replace(path=origin(each.path)) for each in found]
    return [each for each in placed if each.path.startswith(("/messages", "/tools"))] if bare else placed


def placing(body: Any, format: Format, request: Any, places: Mapping[str, str]) -> Callable[[str], str]:
    """Translates pointers into a body that a dump wrote to pointers into its canonical request."""
    origins = _origins(body, format, request, places)
    return lambda pointer: _origin(pointer, origins)


def _origins(body: Any, format: Format, request: Any, places: Mapping[str, str]) -> dict[str, str]:
    """The pointer into the canonical request for each known place in a body."""
    locate = format.locating(body)
    settings = {pointer: f"/{name}" for name in request.model_fields_set for pointer in locate(f"/{name}") if pointer}
    return {**settings, **places}


def _origin(pointer: str, origins: Mapping[str, str]) -> str:
    while pointer and pointer not in origins:
        pointer = pointer.rpartition("/")[0]
    return origins.get(pointer, "")
