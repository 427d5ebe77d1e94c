"""Optional properties of strict tools may be null, and such nulls are dropped from the arguments of calls."""

import json
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

import interlingua as il
from interlingua.codec.schemas.adapting import adapt_with_nulls
from interlingua.codec.schemas.dialects import Dialect
from interlingua.codec.schemas.nullable import without_nulls
from interlingua.testing.lawbook import share
from interlingua.testing.splitting import split
from laws.streaming import RANDOMS

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

NAMES = st.sampled_from(["a", "b", "c/d", "~e"])
LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [
        *({"type": kind} for kind in ("string", "integer", "boolean", "null")),
        *({"type": ["string", "null"]}, {"const": "x"}, {"type": "string", "enum": ["x", "y"]}, {"enum": [1, None]}),
        *({"$ref": "#/$defs/node"}, {"$ref": "#/$defs/text", "description": "A text."}, {"$ref": "#/properties/a"}),
        *({"$ref": "#"}, {"enum": ["x", 2]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        *({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}, {}, {"type": "integer", "minimum": 1}),
    ]
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Closed objects, some of whose properties are required."""

    def made(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
        kept = [name for name in required if name in properties]
        return {"type": "object", "properties": properties, "required": kept, "additionalProperties": False}

    return st.builds(made, st.dictionaries(NAMES, inner, min_size=1, max_size=3), st.lists(NAMES, max_size=2, unique=True))


def kinds(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A union of two objects that one property tells apart."""

    def made(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
        both = [
            {**each, "properties": {**each["properties"], "kind": {"const": kind}}}
            for each, kind in ((first, "1"), (second, "2"))
        ]
        return {"oneOf": [{**each, "required": [*each["required"], "kind"]} for each in both]}

    return st.builds(made, objects(inner), objects(inner))


def lists(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists of values of one schema."""
    return st.fixed_dictionaries({"type": st.just("array"), "items": inner})


INSIDE: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(objects(inner), kinds(inner), lists(inner)),
    max_leaves=6,
)
NODE = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
    "additionalProperties": False,
}


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Schemas of tools whose references lead somewhere."""
    made: dict[str, Any] = draw(objects(INSIDE))
    made["properties"].setdefault("a", {"type": "string"})
    if made["properties"]["a"] in ({"$ref": "#/properties/a"}, {"$ref": "#"}):
        made["properties"]["a"] = {"type": "string"}
    return {**made, "$defs": {"node": NODE, "text": {"type": "string"}}}


def strict(target: il.FormatName = "openai_chat") -> Dialect:
    """What the target takes as a strict tool."""
    format = il.format_of(target)
    assert format.dialects is not None
    return format.dialects(format).of("tool", strict=True)


@st.composite
def values(draw: st.DrawFn, schema: Any, root: Any, depth: int = 0) -> Any:
    """Values that satisfy an adapted schema, of the kinds that are drawn here."""
    if "$ref" in schema:
        found: Any = root
        for step in schema["$ref"].split("/")[1:]:
            token = step.replace("~1", "/").replace("~0", "~")
            found = found[int(token) if type(found) is list else token]
        return draw(values(found, root, depth + 1))
    if "anyOf" in schema:
        branches = schema["anyOf"]
        ends = [each for each in branches if each.get("type") == "null"]
        return draw(values(draw(st.sampled_from(ends if ends and depth > 3 else branches)), root, depth + 1))
    if "enum" in schema or "const" in schema:
        return draw(st.sampled_from(schema.get("enum", [schema.get("const")])))
    kind = draw(st.sampled_from([schema.get("type", "string")] if type(schema.get("type")) is not list else schema["type"]))
    if kind == "object":
        return {name: draw(values(each, root, depth + 1)) for name, each in schema["properties"].items()}
    if kind == "array":
        return [draw(values(schema["items"], root, depth + 1)) for _ in range(0 if depth > 3 else draw(st.integers(0, 2)))]
    return {"string": "s", "integer": draw(st.integers(1, 3)), "boolean": draw(st.booleans()), "null": None}[kind]


@given(data=st.data(), schema=schemas(), as_text=st.booleans())
def test_arguments_without_these_nulls_satisfy_the_clients_schema(data: st.DataObject, schema: Any, as_text: bool) -> None:
    made, nulls = adapt_with_nulls(schema, strict(), strict=True)
    if not made.strict:
        return
    try:
        arguments = data.draw(values(made.schema, made.schema))
    except RecursionError:  # a reference that no value ends
        return
    checked: Any = Draft202012Validator(made.schema)
    assert checked.is_valid(arguments), (made.schema, arguments)
    if nulls is None:
        dropped = arguments
    elif as_text:
        dropped = json.loads(without_nulls(json.dumps(arguments), nulls))
    else:
        dropped = without_nulls(arguments, nulls)
    if share.judged(dropped != arguments, least=0.3, of="have such nulls"):
        assert nulls is not None
        assert without_nulls(dropped, nulls) == dropped
    own: Any = Draft202012Validator(schema)
    assert own.is_valid(dropped), (schema, made.schema, arguments, dropped)


SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "after": {"type": ["string", "null"]},
        "sort": {"type": "object", "properties": {"by": {"type": "string"}, "down": {"type": "boolean"}}, "required": ["by"]},
    },
    "required": ["query"],
}
SENT = {"query": "é", "limit": None, "after": None, "sort": {"by": "x", "down": None}}
KEPT = {"query": "é", "after": None, "sort": {"by": "x"}}


def asked(target: il.FormatName, name: str = "my.search") -> il.Conversion[Any]:
    """The request of a client of Anthropic's, sent to another provider."""
    tools = [{"name": name, "strict": True, "input_schema": SEARCH}, {"name": "other", "input_schema": SEARCH}]
    request = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "tools": tools}
    return il.convert(request, source="anthropic", target=target)


def answered(target: il.FormatName, names: tuple[str, ...]) -> dict[str, Any]:
    """The answer of a provider that calls these tools."""
    calls = [il.ToolUsePart(id=f"call{i:05}", name=name, input=SENT) for i, name in enumerate(names)]
    message = il.AssistantMessage(content=[il.TextPart(text="null"), *calls])
    choice = il.Choice(message=message, stop_reason="tool_calls")
    response = il.Response(id="r", created=1, model="m", choices=[choice], origin=target)
    return il.dump_response(response, target, on_loss="ignore")


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
@given(random=RANDOMS)
def test_a_call_comes_back_as_the_clients_schema_has_it(target: Any, random: Random) -> None:
    conversion = asked(target)
    sent = conversion.payload["tools"]
    names = tuple(each.get("function", each)["name"] for each in sent)
    context = pickle.loads(pickle.dumps(conversion.context))  # noqa: S301 -- of our own making
    assert context == conversion.context
    body = answered(target, names)
    expected = [("my.search", KEPT), ("other", SENT)]

    def calls(response: il.Response) -> list[tuple[str, Any]]:
        return [(call.name, call.parsed) for call in response.message.tool_uses]

    before = json.dumps(body)
    response = il.load_response(body, target, request=context)
    assert calls(response) == expected
    for each in (response, il.load_response(body, target)):
        made = il.dump_response(each, "anthropic", request=context, on_loss="ignore")
        assert calls(il.load_response(made, "anthropic")) == expected
    chunks = split(body, target, random)
    written = list(il.restream(chunks, source=target, target="anthropic", request=conversion))
    reader = il.reader("anthropic")
    assert [event for chunk in written for event in reader.feed(chunk)]
    assert calls(reader.response) == expected
    own = il.reader(target, request=context)
    assert list(own.read(chunks))
    assert calls(own.response) == expected
    assert own.response.message.parts[0] == response.message.parts[0]
    writer, reader = il.writer("anthropic", request=conversion), il.reader("anthropic")
    for event in il.reader(target).read(chunks):
        for chunk in writer.feed(event):
            reader.feed(chunk)
    assert calls(reader.response) == expected
    assert json.dumps(body) == before


def test_a_stream_that_breaks_off_in_held_arguments_passes_on_what_came() -> None:
    conversion = asked("openai_chat", "search")
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "search", "arguments": '{"query": "a", "lim'}}
    chunks: list[Any] = [
        {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": delta}]}
        for delta in ({"role": "assistant", "content": "Hello."}, {"tool_calls": [call]})
    ]
    reader = il.reader("openai_chat", request=conversion)
    assert [event.type for event in reader.feed(chunks[0])][-1] == "text"
    assert [event.type for event in reader.feed(chunks[1])] == ["tool_use_start"]
    assert [event.type for event in reader.feed({"error": {"message": "Overloaded", "type": "server_error"}})] == [
        *("arguments", "error"),
    ]
    assert reader.response.message.tool_uses[0].arguments == '{"query": "a", "lim'


@pytest.mark.parametrize(
    "text", ["", "null", "[null]", '{"limit": null', '{"limit": null, "query": 1e999}', "[" * 100_000 + "null"]
)
def test_arguments_that_cannot_be_read_stay_as_they_are(text: str) -> None:
    nulls = adapt_with_nulls(SEARCH, strict(), strict=True)[1]
    assert nulls is not None
    assert without_nulls(text, nulls) == text


def test_a_reference_to_an_optional_property_still_means_what_it_did() -> None:
    text = {"type": "object", "properties": {"c": {"type": "string"}}, "required": ["c"], "additionalProperties": False}
    refs = {"x": {"$ref": "#/properties/a"}, "y": {"$ref": "#/properties/a/properties/c"}, "z": {"$ref": "#/properties/b"}}
    properties = {"a": text, "b": {"type": "string"}, **refs}
    schema = {"type": "object", "properties": properties, "required": ["x", "y", "z"], "additionalProperties": False}
    made = il.adapt_schema(schema, "openai_chat", strict=True)
    checked: Any = Draft202012Validator(made.schema)
    valid = {"a": None, "b": None, "x": {"c": ""}, "y": "", "z": ""}
    assert checked.is_valid(valid)
    assert not any(checked.is_valid({**valid, name: None}) for name in refs)


def test_a_null_that_one_alternative_takes_and_another_forces_is_told_apart() -> None:
    def kind(name: str, **more: Any) -> dict[str, Any]:
        properties = {"kind": {"const": name}, "of": {"type": ["string", "null"]} if more else {"type": "string"}}
        return {"type": "object", "properties": properties, "required": ["kind", *more], "additionalProperties": False}

    union = {"anyOf": [kind("a"), kind("b", of=True)]}
    nulls = adapt_with_nulls({"type": "object", "properties": {"x": union}, "required": ["x"]}, strict(), strict=True)[1]
    assert nulls is not None
    assert without_nulls({"x": {"kind": "a", "of": None}}, nulls) == {"x": {"kind": "a"}}
    assert without_nulls({"x": {"kind": "b", "of": None}}, nulls) == {"x": {"kind": "b", "of": None}}
