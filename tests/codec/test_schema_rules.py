"""What rules find in schemas is what the metaschema of JSON Schema 2020-12 finds, and they look at every schema in a schema."""

from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from interlingua.codec.rules.schemas import arrays_without_items, malformed
from interlingua.codec.schemas.nodes import nodes

ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems")
LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
NAMED = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
OTHERS = ("title", "description", "pattern", "format", "enum", "required", "type", "uniqueItems", "const", "default", "x-unit")
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 0.5, 1.0, -1.5, "", "a", "object", "null"),
    *([], {}, [{}], [True], [3], ["a"], ["object", "null"], ["object", 3], {"a": {}}, {"a": False}, {"a": 3}, {"a": "object"}),
    *({"type": 3}, {"a": {"type": 3}}, [{"type": 3}], {"type": "a"}, {"minimum": "a"}),
]
METASCHEMA: Any = Draft202012Validator(Draft202012Validator.META_SCHEMA)
SCHEMAS = st.dictionaries(
    st.sampled_from([*ONE, *LISTED, *NAMED, *COUNTS, *NUMBERS, *OTHERS]), st.sampled_from(VALUES), max_size=3
)


@given(SCHEMAS)
def test_what_is_malformed_is_what_the_metaschema_refuses(schema: dict[str, Any]) -> None:
    found = list(malformed(nodes(schema, ""), older=False))
    refused = list(METASCHEMA.iter_errors(schema))
    assert bool(found) == bool(refused), (found, refused)


@pytest.mark.parametrize("keyword", [*ONE, "unevaluatedProperties", *LISTED, *NAMED])
def test_a_schema_is_looked_at_wherever_it_is(keyword: str) -> None:
    array: dict[str, Any] = {"type": "array"}
    held: Any = [{}, array] if keyword in LISTED else {"a/b": array} if keyword in NAMED else array
    place = {**dict.fromkeys(LISTED, "/1"), **dict.fromkeys(NAMED, "/a~1b")}.get(keyword, "")
    assert [path for path, _ in arrays_without_items(nodes({keyword: held}, "/s"))] == [f"/s/{keyword}{place}"]


def test_what_is_no_schema_is_not_looked_at() -> None:
    array = {"type": "array"}
    values: dict[str, Any] = {
        "const": array,
        "default": array,
        "enum": [array],
        "examples": [array],
        "items": [array],
        "properties": [array],
    }
    assert list(arrays_without_items(nodes(values, ""))) == []


def test_the_types_of_a_schema_are_read_in_every_spelling() -> None:
    spellings: list[Any] = ["array", "ARRAY", ["null", "array"], 5, "arrays", True, 50, 0, None, [5], {}]
    read = [("array",), ("array",), ("null", "array"), ("array",), ("arrays",), (), (), (), (), (), ()]
    assert [nodes({"type": said}, "").pop().types for said in spellings] == read


@pytest.mark.parametrize("keyword", ["items", "properties"])
def test_schemas_nested_very_deep_are_left_alone(keyword: str) -> None:
    schema: dict[str, Any] = {"type": "array"}
    for _ in range(5000):
        schema = {keyword: {"a": schema} if keyword in NAMED else schema}
    assert len(nodes(schema, "")) == 101
