"""The arguments of a call as an object and the schema of a tool as an object's, for formats that accept only these."""

import json
import re
from typing import Any

from pydantic_core import from_json

from ..errors import LossKind
from ..model.base import Json, exact_number
from ..model.exchange import INVENTED_NAME
from ..model.parts import to_json
from .dump import Dump
from .fields import Wire, copy_wire
from .schemas.adapting import adapt, adapt_with_nulls
from .schemas.dialects import Purpose
from .schemas.fitting import fits


def fit_arguments(call: Any, arguments: Any, path: str, at: str, d: Dump) -> Any:
    """The object to write at `at` for a call's input or argument text; another value is put inside an object, and reported."""
    if call.custom:
        d.report(
            "changed",
            path,
            at.rpartition("/")[0],
            "the text of a custom tool's call becomes the field `input` of a function's arguments",
        )
        return {"input": arguments if type(arguments) is str else to_json(arguments)}
    if type(arguments) is not str:
        return copy_wire(arguments)
    value, wrong = read_arguments(arguments)
    if wrong is not None:
        d.report("changed", path + ("/input" if "input" in vars(call) else "/arguments"), at, wrong)
    return value


def read_arguments(text: str) -> tuple[dict[str, Any], str | None]:
    """A call's argument text as an object, and a loss detail if the object is not the same."""
    try:
        value: Json = from_json(text, allow_inf_nan=False)
    except ValueError:
        value = None
    if type(value) is not dict:
        if text.strip(BLANK) in ("", "null"):  # some models write null where a call has no arguments
            return {}, "arguments must be an object: a call without arguments is sent with {}"
        return {INVALID: text}, "arguments must be a JSON object; these are sent as text inside one"
    try:
        try:
            _CAREFUL.decode(text)
        except KeyError:
            json.loads(text, parse_float=exact_number)
            return value, "the arguments repeat a key, and the last value counts"
    except ValueError:
        return {INVALID: text}, "a number in the arguments does not fit into a double; sent as text inside an object"
    return value, None


BLANK = " \t\r\n"
"""The white space of JSON."""
INVALID = "INVALID_JSON"
"""The field for arguments that are not an object."""


def fault_of(text: str, *, already_sent: bool = False) -> str | None:
    """What is wrong with a call's argument text; None if it is an object.

    `already_sent` is whether its pieces were sent before the fault was known.
    """
    value, wrong = read_arguments(text)
    if already_sent and wrong is not None and value.keys() == {INVALID}:
        return wrong.partition(";")[0] + "; these were sent as they came"
    return wrong


def is_object(text: str) -> bool:
    """Whether a call's argument text is sent as the object that it is, and not as text inside an object."""
    value, wrong = read_arguments(text)
    return wrong is None or value.keys() != {INVALID}


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise KeyError


_CAREFUL = json.JSONDecoder(object_pairs_hook=_once, parse_float=exact_number)


def fit_schema(
    schema: Wire, purpose: Purpose, *, strict: bool | None = None, path: str, at: str, d: Dump, tool: str = ""
) -> tuple[Wire, bool | None]:
    """The schema as the target accepts it, to be written at `at`, and the value of `strict` to write.

    It is adapted if the source accepts other schemas than the target; `path` is the pointer of its field in the request. `tool`
    is the name of its tool as sent: under this name, `d.nulls` has the nulls that mean an absent property.
    """
    dialects = None if d.exact else d.dialects
    if dialects is None:
        return copy_wire(schema), strict
    dialect = dialects.of(purpose, strict=bool(strict))
    if fits(schema, dialect):
        return copy_wire(schema), strict
    made, nulls = adapt_with_nulls(schema, dialect, strict=bool(strict))
    if nulls is not None:
        d.nulls[tool] = nulls
    owner = path.rpartition("/")[0]
    for loss in () if owner in d.free_form else made.losses:
        d.report(loss.kind, path + loss.path, None if loss.kind == "dropped" else at, loss.detail)
    if strict and not made.strict:
        d.drop(owner + "/strict", "the target cannot keep this schema under `strict`; sent without `strict`")
        return made.schema, None
    return made.schema, strict


_IN_SCHEMA = {"name": "title", "description": "description"}
"""The field of a schema that takes the place of a field of the response format."""
_ALONE = ("$ref", "anyOf")
"""Keywords beside which some providers refuse further text about a schema."""
_NAME = re.compile("[a-zA-Z0-9_-]{1,64}")


def describe_answer(form: Any, schema: Wire, at: str, d: Dump) -> list[str]:
    """Put the name and the description of a response format into its schema, which is at `at`.

    For targets that have no other place for them. Returns which of the two are now in the schema or not needed; a schema keeps
    its own title and description.
    """
    placed: list[str] = []
    for key, field in _IN_SCHEMA.items():
        value = getattr(form, key)
        if value is None or (key == "name" and value in (INVENTED_NAME, schema.get(field))):
            placed.append(key)
        elif field not in schema and schema.keys().isdisjoint(_ALONE):
            schema[field] = value
            placed.append(key)
            why = f"the {key} of the response format becomes the {field} of its schema"
            for path in (f"/response_format/{key}", "/response_format/json_schema"):
                d.report("changed", path, f"{at}/{field}", why)
    return placed


def name_answer(form: Any, at: str, d: Dump) -> str:
    """A name for a response format that must have one: the title of its schema if that is valid, else an invented name."""
    schema: Wire = form.json_schema or {}
    title: Json = schema.get("title")
    if type(title) is str and _NAME.fullmatch(title):
        name = title
        whence = "the title of the schema"
    else:
        name = INVENTED_NAME
        whence = "an invented one"
    d.report("added", "/response_format", at, f"the schema of an answer must have a name; sent with {whence}")
    return name


def fit_answer(schema: Wire, at: str, d: Dump) -> Wire:
    """The schema of an answer as the target accepts it, to be written at `at`, for targets without a field `strict`."""
    return fit_schema(schema, "response", path="/response_format/json_schema", at=at, d=d)[0]


EMPTY: Wire = {"type": "object", "properties": {}}
"""The schema of a tool without parameters."""


def fit_parameters(schema: Wire | None, path: str, at: str, d: Dump, *, strict: bool | None = None) -> tuple[Wire, bool | None]:
    """The schema of a tool's parameters, which is required, to be written at `at`, and the value of `strict` to write."""
    if schema:
        return fit_schema(schema, "tool", strict=strict, path=path + "/parameters", at=at, d=d)
    empty: Wire = copy_wire(EMPTY)
    if d.dialects is not None:
        empty = adapt(EMPTY, d.dialects.of("tool", strict=bool(strict)), strict=bool(strict)).schema
    # A strict one is closed, and so says more than a tool without parameters does.
    kind: LossKind = "added" if empty == EMPTY else "changed"
    d.report(kind, path, at, "a tool must have a schema of type object; sent with an empty one")
    return empty, strict
