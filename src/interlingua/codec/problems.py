"""What a provider would refuse in a request's body, found without sending it: by the wire types, and by the format's rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ..errors import Problem, faults_of
from ..model.base import Json
from .dump import Dump
from .format import Format
from .rules.view import SchemaView

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


def report_schemas(body: Any, format: Format, request: Any, d: Dump) -> None:
    """Report the schemas of answers and of strict tools that the target refuses, and the source does not.

    They are sent all the same: a dump does not change what a schema demands.
    """
    fields = {
        f"/tools/{i}": f"/tools/{i}/parameters"
        for i, tool in enumerate(request.tools or ())
        if getattr(tool, "strict", None) and tool.parameters is not None
    }
    form = request.response_format
    if form is not None and form.type == "json_schema":
        fields["/response_format"] = "/response_format" if form.json_schema is None else "/response_format/json_schema"
    found = _schema_faults(body, format, request, fields, d.places)
    if found and d.source is not None:
        own: Dump = d.source.new_dump(d.source, d.source, same_format=True, formats=d.formats)
        own.heard = False
        before = _schema_faults(d.source.dump(request, (), own), d.source, request, fields, own.places)
        found = {key: problem for key, problem in found.items() if key not in before}
    for (field, _), problem in found.items():
        why = f"{format.name} refuses this schema, which is sent unchanged: {problem.message}"
        d.report("changed", field, problem.path, why)


def _schema_faults(
    body: Any, format: Format, request: Any, fields: Mapping[str, str], places: Mapping[str, str]
) -> dict[tuple[str, str], Problem]:
    """What is wrong with schemas, by their fields in the request and the rules' codes.

    `fields` has the fields of the schemas by the pointers of their owners in the request. Nothing else is looked at.
    """
    if format.rules is None:
        return {}
    known = format.rules(format)
    answers = "/response_format" in fields
    outputs = known.outputs(body) if answers else []
    tools = known.tools(body) if len(fields) > answers else []
    seen = SchemaView(body, [tool for tool in tools if _origin(tool.schema_at, places) in fields], outputs)
    wrong = [(rule, path, message) for rule, find in known.about_schemas for path, message in find(seen)]
    if not wrong:
        return {}  # as nearly always
    origins = _origins(body, format, request, places)
    found: dict[tuple[str, str], Problem] = {}
    for rule, path, message in wrong:
        owner = _origin(path, origins)
        if owner in fields:
            problem = Problem(rule.code, path, message, rule.severity, rule.evidence)
            found.setdefault((fields[owner], rule.code), problem)
    return found


def of_dump(body: Any, format: Format, request: Any, places: Mapping[str, str], *, bare: bool) -> list[Problem]:
    """The problems of a body that a dump wrote, with paths into the request in canonical form.

    `places` is that of the dump. A path is that of the narrowest owner or setting which is known to hold the place. `bare`
    messages are not blamed for what only a whole request has.
    """
    found = problems(body, format)
    if not found:
        return found
    origins = _origins(body, format, request, places)
    placed = [each._replace(path=_origin(each.path, origins)) for each in found]
    return [each for each in placed if each.path.startswith(("/messages", "/tools"))] if bare else placed


def _origins(body: Any, format: Format, request: Any, places: Mapping[str, str]) -> dict[str, str]:
    """The pointers into the request of all places in a body that are known."""
    locate = format.locating(body)
    settings = {pointer: f"/{name}" for name in request.model_fields_set for pointer in locate(f"/{name}") if pointer}
    return {**settings, **places}


def _origin(pointer: str, origins: Mapping[str, str]) -> str:
    while pointer and pointer not in origins:
        pointer = pointer.rpartition("/")[0]
    return origins.get(pointer, "")
