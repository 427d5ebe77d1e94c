"""Google's subset of OpenAPI, in `parameters` and `responseSchema`: load it as JSON Schema, and dump it again.

Types are in capitals, or spelled as they were loaded, and a type that may be null is `nullable`. Counts, such as `minItems`,
may be texts, as Google's discovery document has them (`"type": "string", "format": "int64"`).
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

from ...codec.fields import Wire, copy_wire, spelling
from ...model.base import Json
from .base import GeminiDump, WireReader, Words, object_in

_TYPES = Words(("", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"))
"""The types in Google's subset of OpenAPI."""
_LIST = "list"
"""The recorded spelling of a type that is a list with null, which Google's schemas write as `nullable`."""


def _retyped(schema: Json, change: Callable[[Wire], None]) -> Any:
    """Apply `change` to each schema inside a schema that has a type."""
    if type(schema) is list:
        return [_retyped(item, change) for item in schema]
    if type(schema) is not dict:
        return schema
    out: Wire = {key: _retyped(value, change) if key in _HOLDS_SCHEMAS else value for key, value in schema.items()}
    if "type" in out:
        change(out)
    if named := object_in(schema, "properties"):
        out["properties"] = {name: _retyped(named[name], change) for name in named}
    return out


_HOLDS_SCHEMAS = frozenset({"items", "anyOf", "any_of", "prefixItems", "additionalProperties"})


def _read_type(words: list[str], schema: Wire) -> None:
    """Write a type in small letters, and `nullable` as a type; record how the type was spelled."""
    value: Json = schema["type"]
    if _without_null(value) is not None:
        words.append(_LIST)
        return
    name, word = _TYPES.read(value)
    if name is None:
        return
    words.append((word or "upper") + (_TEXT if _read_counts(schema) else ""))
    schema["type"] = name.lower()
    values: Json = schema.get("enum")
    has_null = type(values) is list and None in values
    if schema.get("nullable") is True and name != "NULL" and not has_null:
        del schema["nullable"]
        schema["type"] = [name.lower(), "null"]
        if type(values) is list:
            schema["enum"] = [*values, None]


_TEXT = "/text"
"""The end of a recorded spelling of a type beside which the counts are texts."""
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")


def _read_counts(schema: Wire) -> bool:
    """Make numbers of a schema's counts if all of them are texts; whether they were."""
    found: dict[str, Json] = {key: schema[key] for key in _COUNTS if key in schema}
    numbers = {key: int(text) for key, text in found.items() if type(text) is str and len(text) < 20 and text.isdecimal()}
    if not numbers or {key: str(number) for key, number in numbers.items()} != found:
        return False
    schema.update(numbers)
    return True


def _write_type(words: Iterator[str], schema: Wire) -> None:
    """Write a type in its next recorded spelling, and null beside it as `nullable`."""
    value: Json = schema["type"]
    alone = _without_null(value)
    if (name := _TYPES.read(value if alone is None else alone)[0]) is None:
        return
    word, text, _ = next(words, "lower").partition(_TEXT)
    if alone is not None and word == _LIST:
        return
    schema["type"] = _TYPES.write(name, word)
    if text:
        schema.update({key: str(schema[key]) for key in _COUNTS if type(schema.get(key)) is int})
    if alone is not None:
        schema["nullable"] = True
        values: Json = schema.get("enum")
        if type(values) is list and values[-1:] == [None]:
            schema["enum"] = values[:-1]


def _without_null(value: Json) -> str | None:
    """The other type in a list of null and one type in small letters."""
    if type(value) is not list or len(value) != 2 or value[1] != "null":
        return None
    return value[0] if value[0] != "null" and _TYPES.read(value[0])[1] == "lower" else None


def load_schema(reader: WireReader, own: str, standard: str, field: str) -> Wire | None:
    """Load a JSON Schema from the field `standard`, or a schema of Google's subset from the field `own`."""
    schema: Wire | None = reader.take(standard, dict)
    if schema is not None or (schema := reader.take(own, dict)) is None:
        return schema
    words: list[str] = []
    read: Wire = _retyped(schema, partial(_read_type, words))
    reader.spelling[field] = " ".join(words if len({*words}) > 1 else words[:1]) or "lower"
    return {**read}


def schema_field(owner: Any, own: str, standard: str, field: str, d: GeminiDump) -> str:
    """The field to write a schema to: the one that it was loaded from, or the one of the profile."""
    is_own = spelling(owner, field) is not None if d.exact else d.profile.openapi_schemas
    return d.key(owner, own if is_own else standard)


def dump_schema(owner: Any, schema: Wire, field: str, d: GeminiDump) -> Wire:
    """Dump a schema with its types as loaded, or in capitals for Google's subset."""
    word = spelling(owner, field) if d.exact else None
    if not d.exact and d.profile.openapi_schemas:
        word = "upper"
    if word is None:
        return schema
    written: Wire = copy_wire(_retyped(schema, partial(_write_type, cycle(word.split()))))
    return written
