"""Laws of `adapt_schema`: what it gives is taken, accepts no more than it says, and is not changed again."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from referencing.exceptions import Unresolvable

import interlingua as il
from interlingua.codec.rules.view import OutputSchema, SchemaView, ToolDefinition
from interlingua.codec.schemas.adapting import Adapting
from interlingua.codec.schemas.dialects import Purpose
from interlingua.codec.schemas.fitting import fits
from interlingua.testing.lawbook import share
from laws.families import MAIN

TARGETS = [name for name in il.FORMATS if il.format_of(name).dialects is not None]
RULES = {name: format.rules(format) for name in TARGETS if (format := il.format_of(name)).rules is not None}
UNRULED = ("gemini", *(name for name in TARGETS if name not in RULES or not RULES[name].about_schemas))
"""The targets that refuse no schema; Gemini's rules are about an older field, which is not written."""
PURPOSES: tuple[Purpose, ...] = ("tool", "response")
NAMES = st.sampled_from(["a", "b", "c"])
SMALL = st.integers(0, 3)
KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems"), SMALL),
    **dict.fromkeys(("minProperties", "maxProperties"), SMALL),
    "multipleOf": st.integers(1, 3),
    "uniqueItems": st.booleans(),
    "pattern": st.sampled_from(["^a", "b$"]),
    "format": st.sampled_from(["email", "uri", "int32"]),
    "enum": st.lists(st.one_of(SMALL, NAMES, st.none()), min_size=1, max_size=3),
    "const": st.one_of(SMALL, NAMES),
    "required": st.lists(NAMES, max_size=2, unique=True),
    "description": NAMES,
    "default": st.one_of(st.none(), SMALL),
    "$ref": st.sampled_from(["#/$defs/x", "#/$defs/y", "#", "#/properties/a"]),
}
WORDS = ["string", "integer", "number", "boolean", "array", "object", "null"]
TYPES = st.one_of(st.sampled_from(WORDS), st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique=True))
DOCUMENTS: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), SMALL, NAMES),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=5,
)


def _grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named, listed = st.dictionaries(NAMES, inner, max_size=3), st.lists(inner, min_size=1, max_size=2)
    held: dict[str, st.SearchStrategy[Any]] = {
        **dict.fromkeys(("items", "not", "if", "then", "contains", "additionalProperties"), inner),
        **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), listed),
        "properties": named,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "^b"]), inner, max_size=1),
    }
    own: st.SearchStrategy[Any] = st.fixed_dictionaries(
        {}, optional={"type": TYPES} | {key: KEYWORDS[key] for key in ("required", "enum", "$ref")}
    )
    few = st.lists(st.sampled_from(sorted(held)), max_size=2, unique=True)
    more = few.flatmap(lambda keys: st.fixed_dictionaries({key: held[key] for key in keys}))
    return st.one_of(st.tuples(own, more).map(lambda both: both[0] | both[1]), st.booleans())


_LEAF: st.SearchStrategy[Any] = st.lists(st.sampled_from(sorted(KEYWORDS)), max_size=2, unique=True).flatmap(
    lambda keys: st.fixed_dictionaries({key: KEYWORDS[key] for key in keys}, optional={"type": TYPES})
)
INSIDE: st.SearchStrategy[Any] = st.recursive(_LEAF, _grown, max_leaves=6)
ROOTS: st.SearchStrategy[Any] = st.one_of(
    INSIDE, st.fixed_dictionaries({"type": st.just("object"), "properties": st.dictionaries(NAMES, INSIDE)})
)


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Schemas with definitions that their references may mean, also one another."""
    root: Any = draw(ROOTS)
    made: dict[str, Any] = {} if isinstance(root, bool) else deepcopy(root)
    if made.get("$ref") in ("#", "#/properties/a"):
        del made["$ref"]
    if "#/$defs" in json.dumps(made):
        made["$defs"] = {
            "x": draw(_LEAF),
            "y": {"type": "object", "properties": {"a": draw(INSIDE), "b": {"$ref": "#/$defs/x"}}},
        }
        made["$defs"]["x"].pop("$ref", None)
    return made


def problems(schema: Any, target: str, purpose: str, *, strict: bool) -> list[tuple[str, str]]:
    """What the rules about schemas find in a schema."""
    format = il.format_of(target)
    assert format.rules is not None
    always = purpose == "response" and target.startswith(("anthropic", "bedrock"))
    tools = [ToolDefinition("", "f", "", schema, "", strict, {})] if purpose == "tool" else []
    outputs = [OutputSchema(schema, "", strict or always)] if purpose == "response" else []
    seen = SchemaView({}, [] if target in ("gemini", "google_genai") else tools, outputs)
    return [(rule.code, at) for rule, find in format.rules(format).about_schemas for at, _ in find(seen)]


@pytest.mark.parametrize("target", MAIN)
@pytest.mark.parametrize("purpose", PURPOSES)
@given(schema=schemas(), strict=st.booleans())
def test_what_is_adapted_is_taken_and_not_changed_again(target: Any, purpose: Any, schema: Any, strict: bool) -> None:
    before = deepcopy(schema)
    made = il.adapt_schema(schema, target, purpose, strict=strict)
    assert schema == before
    assert problems(made.schema, target, purpose, strict=made.strict and target != "gemini") == []
    again = il.adapt_schema(made.schema, target, purpose, strict=made.strict)
    assert again == (made.schema, (), made.strict)
    refused = problems(schema, target, purpose, strict=strict and target != "gemini")
    assert made.losses or not refused or made.schema != schema
    share.judged(refused != [], least=0 if target in UNRULED else 0.2, of=f"refused by {target}, {purpose}")


def never_ends(schema: Any, root: Any, open_refs: frozenset[str] = frozenset()) -> bool:
    """Whether checking one value comes back to the same schema, with the same value."""
    if schema.__class__ is not dict:
        return False
    ref: Any = schema.get("$ref")
    if ref in open_refs:
        return True
    inside: list[tuple[Any, frozenset[str]]] = [(schema.get(key), open_refs) for key in ("not", "if", "then", "else")]
    inside += [(each, open_refs) for key in ("anyOf", "oneOf", "allOf") for each in schema.get(key, ())]
    if ref is not None:
        inside.append((at_pointer(root, ref), open_refs | {ref}))
    return any(never_ends(each, root, refs) for each, refs in inside)


def at_pointer(root: Any, ref: str) -> Any:
    """What a local reference means; None where it leads nowhere."""
    found: Any = root
    for name in ref.split("/")[1:]:
        found = found.get(name) if found.__class__ is dict else None
    return found


def subschemas(value: Any) -> Iterator[Any]:
    """Every object in a schema."""
    if value.__class__ is dict:
        yield value
        for each in value.values():
            yield from subschemas(each)
    elif value.__class__ is list:
        for each in value:
            yield from subschemas(each)


def accepts(schema: Any, document: Any) -> bool | None:
    """Whether a document is valid under a schema; None where that never ends, or a reference leads nowhere."""
    if any(never_ends(each, schema) for each in subschemas(schema)):
        return None
    try:
        validator: Any = Draft202012Validator(schema)
        return bool(validator.is_valid(document))
    except (Unresolvable, RecursionError):  # a reference to itself among alternatives
        return None


@pytest.mark.parametrize("target", MAIN)
@pytest.mark.parametrize("purpose", PURPOSES)
@given(schema=schemas(), strict=st.booleans(), documents=st.lists(DOCUMENTS, min_size=1, max_size=8))
def test_what_only_the_adapted_schema_accepts_is_a_loss(
    target: Any, purpose: Any, schema: Any, strict: bool, documents: list[Any]
) -> None:
    made = il.adapt_schema(schema, target, purpose, strict=strict)
    for document in documents:
        before, after = accepts(schema, document), accepts(made.schema, document)
        if before is False and after:
            assert {loss.kind for loss in made.losses} & {"changed", "dropped"}, (made, document)
        if before and after is False:
            assert made.losses, (made, document)
    share.judged(made.schema != schema, least=0 if target in ("gemini", "cohere") else 0.2, of=f"changed for {target}")


SIMPLE = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(NAMES, st.fixed_dictionaries({"type": st.sampled_from(WORDS)}))},
    optional={"required": st.just(["a"]), "additionalProperties": st.just(False), "description": NAMES, "x-own": st.none()},
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("purpose", PURPOSES)
@given(schema=st.one_of(SIMPLE, schemas()), strict=st.booleans())
def test_a_schema_that_fits_at_a_glance_is_one_that_the_steps_leave_as_it_is(
    target: Any, purpose: Any, schema: Any, strict: bool
) -> None:
    format = il.format_of(target)
    assert format.dialects is not None
    dialect = format.dialects(format).of(purpose, strict=strict)
    if share.judged(fits(schema, dialect), least=0.05):
        adapting = Adapting(schema, dialect)
        assert (adapting.whole(), adapting.losses) == (schema, [])


@pytest.mark.parametrize("target", MAIN)
@given(
    schema=st.dictionaries(st.sampled_from([*KEYWORDS, "type", "properties", "$defs", "items", "anyOf", "oneOf"]), DOCUMENTS)
)
def test_a_malformed_schema_raises_nothing(target: Any, schema: Any) -> None:
    for purpose in PURPOSES:
        for strict in (False, True):
            made = il.adapt_schema(schema, target, purpose, strict=strict)
            assert il.adapt_schema(made.schema, target, purpose, strict=made.strict).losses == ()


@pytest.mark.parametrize("target", TARGETS)
def test_a_deep_schema_is_cut_and_a_reference_to_itself_ends(target: Any) -> None:
    deep: dict[str, Any] = {"type": "object", "properties": {}}
    for _ in range(5000):
        deep = {"type": "object", "properties": {"a": deep}, "required": ["a"]}
    with pytest.raises(il.InvalidPayload):
        il.adapt_schema(deep, target)
    nested: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        nested = {"type": "array", "items": nested}
    made = il.adapt_schema({"type": "object", "properties": {"a": nested}, "required": ["a"]}, target)
    assert [loss.kind for loss in made.losses] == ["dropped"]
    assert il.adapt_schema(made.schema, target).losses == ()
    for schema in ({"$ref": "#"}, {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}):
        il.adapt_schema(schema, target, strict=True)


def test_strict_is_given_up_where_a_schema_cannot_be_kept_under_it() -> None:
    counts = {"type": "object", "properties": {"by": {"type": "object", "additionalProperties": {"type": "integer"}}}}
    made = il.adapt_schema(counts, "openai_chat", strict=True)
    assert (made.schema, made.strict) == (counts, False)
    assert [loss.path for loss in made.losses] == ["/properties/by/additionalProperties"]
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    made = il.adapt_schema({**node, "$defs": {"node": node}}, "openai_responses", "response", strict=True)
    assert not made.strict


def test_a_union_at_the_root_becomes_the_properties_of_all() -> None:
    union = {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "array"}}, "required": ["kind", "x"]},
            {"$ref": "#/$defs/b"},
        ],
        "$defs": {"b": {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]}},
    }
    made = il.adapt_schema(union, "openai_chat")
    kind = {"anyOf": [{"const": "a"}, {"const": "b"}]}
    assert made.schema["properties"] == {"kind": kind, "x": {"type": "array", "items": {}}}
    assert (made.schema["type"], made.schema["required"]) == ("object", ["kind"])
    assert [(loss.path, loss.kind) for loss in made.losses] == [
        ("/oneOf", "changed"),
        ("", "changed"),
    ]


@pytest.mark.parametrize("value", [None, 3, "{}", [], {"a": object()}, {1: 2}])
def test_what_is_no_json_object_is_refused(value: Any) -> None:
    with pytest.raises(il.InvalidPayload):
        il.adapt_schema(value, "anthropic")


def _nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": False}
    return schema


def _wide(count: int, **more: Any) -> dict[str, Any]:
    properties = {f"p{number}": {"type": "string", **more} for number in range(count)}
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _optional(count: int) -> dict[str, Any]:
    return {**_wide(count), "required": []}


def _values(count: int) -> dict[str, Any]:
    return _wide(1, enum=[str(number) for number in range(count)])


def _characters(count: int) -> dict[str, Any]:
    return _wide(2, enum=["x" * (count // 2 - 2)])


def _nullable(count: int) -> dict[str, Any]:
    return _wide(count, type=["string", "null"])


LARGEST: list[tuple[il.FormatName, Any, int]] = [
    ("openai_chat", _nested, 10),
    ("openai_responses", _wide, 5000),
    ("openai_chat", _values, 1000),
    ("openai_chat", _characters, 120_000),
    ("anthropic", _optional, 23),
    ("anthropic", _nullable, 15),
    ("bedrock_converse", _optional, 23),
    ("bedrock_converse", _nullable, 15),
]


@pytest.mark.parametrize(("target", "schema_of", "most"), LARGEST)
def test_a_schema_that_is_too_large_is_not_sent_as_a_strict_one(target: Any, schema_of: Any, most: int) -> None:
    fitting, larger = schema_of(most), schema_of(most + 2)
    assert il.adapt_schema(fitting, target, strict=True).strict
    assert problems(fitting, target, "tool", strict=True) == []
    made = il.adapt_schema(larger, target, strict=True)
    assert (made.schema, made.strict) == (larger, False)
    assert [(loss.path, loss.kind) for loss in made.losses] == [("", "changed")]
    assert [code for code, _ in problems(larger, target, "tool", strict=True)] == ["strict-schema-too-large"]


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
@pytest.mark.parametrize("schema", [_optional(24), _nullable(16)], ids=["optional", "unions"])
def test_one_schema_that_takes_all_of_the_totals_is_not_sent_as_a_strict_one(target: Any, schema: dict[str, Any]) -> None:
    assert [code for code, _ in problems(schema, target, "tool", strict=True)] == ["strict-schema-too-complex"]
    made = il.adapt_schema(schema, target, strict=True)
    assert (made.schema, made.strict) == (schema, False)


# Schemas that take any value

ANYTHING: list[Any] = [True, {}, {"title": "A", "description": "Any value."}]


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
@pytest.mark.parametrize("anything", [*ANYTHING, False], ids=str)
@pytest.mark.parametrize("holder", [None, "items", "anyOf"])
def test_a_schema_with_one_that_takes_any_value_is_not_sent_as_a_strict_one(
    target: Any, anything: Any, holder: str | None
) -> None:
    held = {"items": {"type": "array", "items": anything}, "anyOf": {"anyOf": [anything]}}
    properties = {"value": anything if holder is None else held[holder]}
    schema = {"type": "object", "properties": properties, "required": ["value"], "additionalProperties": False}
    assert [code for code, _ in problems(schema, target, "tool", strict=True)] == ["strict-schema-empty"]
    made = il.adapt_schema(schema, target, strict=True)
    assert (made.schema, made.strict) == (schema, False)
    assert [(loss.path.startswith("/properties/value"), loss.kind) for loss in made.losses] == [(True, "changed")]
    assert problems(made.schema, target, "tool", strict=False) == []


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
@pytest.mark.parametrize("anything", ANYTHING, ids=str)
def test_an_answer_cannot_have_any_value(target: Any, anything: Any) -> None:
    schema = {"type": "object", "properties": {"value": anything}, "required": ["value"], "additionalProperties": False}
    made = il.adapt_schema(schema, target, "response")
    said: dict[str, Any] = {} if anything is True else anything
    assert made.schema["properties"]["value"] == {**said, "type": ["string", "number", "boolean", "null"]}
    assert [(loss.path, loss.kind) for loss in made.losses] == [("/properties/value", "changed")]


@pytest.mark.parametrize(("schema", "path"), [({"minimum": 1}, "/minimum"), ({"$ref": "#"}, "/$ref")], ids=str)
def test_an_answer_has_types_where_nothing_else_is_left(schema: dict[str, Any], path: str) -> None:
    root = {"type": "object", "properties": {"value": schema}, "required": ["value"], "additionalProperties": False}
    made = il.adapt_schema(root, "anthropic", "response")
    assert made.schema["properties"]["value"]["type"] == ["string", "number", "boolean", "null"]
    at = "/properties/value"
    assert {loss.path for loss in made.losses} == {at, at + path}


def test_ollama_has_an_object_for_each_property() -> None:
    union = {"anyOf": [True, {"type": "object", "properties": {"a": False}}]}
    schema = {"type": "object", "properties": {"any": True, "none": False, "union": union}}
    made = il.adapt_schema(schema, "ollama")
    empty: dict[str, Any] = {}
    inside = {"anyOf": [empty, {"type": "object", "properties": {"a": {"not": empty}}}]}
    assert made.schema == {"type": "object", "properties": {"any": empty, "none": {"not": empty}, "union": inside}}
    assert made.losses == ()
    assert il.adapt_schema(schema, "ollama", "response").schema == schema


def test_a_name_that_is_required_twice_is_required_once_for_claude() -> None:
    """Claude's server takes no schema that the metaschema refuses (lidge-jun/opencodex#270)."""
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b", "a"]}
    adapted = il.adapt_schema(schema, "anthropic", purpose="tool")
    assert adapted.schema == schema | {"required": ["a", "b"]}
    assert [(loss.kind, loss.path) for loss in adapted.losses] == [("changed", "/required")]
    tool = {"name": "f", "input_schema": schema}
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "a"}], "tools": [tool]}
    assert [problem.code for problem in il.check(asked, "anthropic")] == ["schema-invalid"]


@pytest.mark.parametrize(("required", "kept"), [(["a", "b"], ["a"]), (["b"], [])])
def test_a_list_that_names_what_is_not_defined_is_shortened(required: list[str], kept: list[str]) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}, "required": required}
    adapted = il.adapt_schema(schema, "gemini_openai", purpose="tool")
    assert adapted.schema == schema | {"required": kept}
    assert [(loss.kind, loss.path) for loss in adapted.losses] == [("changed", "/required")]
