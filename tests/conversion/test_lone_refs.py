"""Schemas of tools for Moonshot, which refuses most keywords beside a reference, and a list in `items`."""

from typing import Any

import pytest

import interlingua as il

MOONSHOT = il.format_for(il.HOSTS["moonshot"], "moonshot")
NAMED = {"type": "string", "minLength": 1}
DESCRIBED = {**NAMED, "description": "A port."}


def sent(schema: Any, **definitions: Any) -> tuple[Any, list[tuple[str, str]]]:
    """The schema of a property as Moonshot gets it, and the losses."""
    parameters = {"type": "object", "properties": {"a": schema}, "$defs": definitions}
    body: Any = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi."}],
        "tools": [{"type": "function", "function": {"name": "f", "description": "d", "parameters": parameters}}],
    }
    made: Any = il.convert(body, source="openai_chat", target=MOONSHOT)
    root = "/tools/0/function/parameters/properties/a"
    losses = [(loss.kind, loss.path.removeprefix(root)) for loss in made.losses]
    return made.payload["tools"][0]["function"]["parameters"]["properties"]["a"], losses


REF: dict[str, Any] = {"$ref": "#/$defs/Port"}


@pytest.mark.parametrize(
    ("beside", "named", "expected", "losses"),
    [
        ({}, NAMED, {}, []),
        ({"description": "Where?"}, NAMED, {"description": "Where?"}, []),
        ({"type": "string"}, NAMED, {}, []),
        ({"type": "string", "minLength": 1, "description": "A port."}, DESCRIBED, {}, []),
        ({"description": "Where?"}, DESCRIBED, {}, [("dropped", "/description")]),
        ({"format": "uuid"}, DESCRIBED, {}, [("dropped", "/format")]),
        (
            {"format": "uuid", "description": "Where?"},
            NAMED,
            {"description": "Where?\n\n{format: uuid}"},
            [("changed", "/format"), ("changed", "/description")],
        ),
    ],
)
def test_a_reference_stands_alone(beside: Any, named: Any, expected: Any, losses: list[tuple[str, str]]) -> None:
    assert sent(REF | beside, Port=named) == (REF | expected, losses)


def test_a_reference_in_a_definition_stands_alone() -> None:
    """As Codex sends it (lidge-jun/opencodex#2673)."""
    made: Any = il.convert(
        {
            "model": "m",
            "input": "Hi.",
            "tools": [
                {
                    "type": "function",
                    "name": "f",
                    "strict": False,
                    "parameters": {
                        "type": "object",
                        "properties": {"a": {"$ref": "#/$defs/Target"}},
                        "$defs": {"Target": {"type": "string", "$ref": "#/$defs/Id"}, "Id": {"type": "string", "minLength": 1}},
                    },
                }
            ],
        },
        source="openai_responses",
        target=MOONSHOT,
        strict=True,
    ).payload
    assert made["tools"][0]["function"]["parameters"]["$defs"]["Target"] == {"$ref": "#/$defs/Id"}


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([{"type": "string"}, {"type": "number"}], {"anyOf": [{"type": "string"}, {"type": "number"}]}),
        ([{"type": "string"}, {"type": "string"}], {"type": "string"}),
        ([{"type": "string"}, True], {}),
        ([False], {}),
    ],
)
def test_items_are_one_schema(items: Any, expected: Any) -> None:
    assert sent({"type": "array", "items": items}) == ({"type": "array", "items": expected}, [("changed", "/items")])


def test_what_is_left_out_in_an_item_is_reported_where_it_was() -> None:
    items = [{"type": "number"}, REF | {"format": "uuid"}]
    schema, losses = sent({"type": "array", "items": items}, Port=DESCRIBED)
    assert schema["items"] == {"anyOf": [{"type": "number"}, REF]}
    assert losses == [("changed", "/items"), ("dropped", "/items/1/format")]


def test_a_description_further_on_counts_too() -> None:
    schema, losses = sent(REF | {"description": "Where?"}, Port={"$ref": "#/$defs/Next"}, Next=DESCRIBED)
    assert (schema, losses) == (REF, [("dropped", "/description")])


def test_true_is_not_one() -> None:
    schema, losses = sent(REF | {"default": True}, Port=DESCRIBED | {"default": 1})
    assert (schema, losses) == (REF, [("dropped", "/default")])


def test_others_get_the_schema_as_it_was() -> None:
    body: Any = {"type": "object", "properties": {"a": REF | {"description": "Where?"}}, "$defs": {"Port": DESCRIBED}}
    tools = [{"type": "function", "function": {"name": "f", "description": "d", "parameters": body}}]
    request: Any = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "tools": tools}
    for target in ("openai_chat", "groq", "vllm"):
        made: Any = il.convert(request, source="deepseek", target=target, strict=True).payload
        assert made["tools"][0]["function"]["parameters"] == body
