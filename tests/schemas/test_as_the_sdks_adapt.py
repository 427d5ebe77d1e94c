"""Schemas are adapted as the official clients' own helpers adapt those of pydantic models."""

from typing import Annotated, Literal

import pytest
from anthropic import transform_schema
from openai.lib._pydantic import to_strict_json_schema
from pydantic import BaseModel, Field

import interlingua as il


class Cat(BaseModel):
    """A cat."""

    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=1, le=9, description="How many.")]


class Home(BaseModel):
    cat: Cat
    others: list[Cat] | None = Field(max_length=3)
    inner: Annotated[Cat, Field(description="The one inside.")]


class Tree(BaseModel):
    value: Annotated[float, Field(multiple_of=2)]
    children: list["Tree"]


class Search(BaseModel):
    text: Annotated[str, Field(json_schema_extra={"format": "mail"})]
    most: int = 3


@pytest.mark.parametrize("model", [Cat, Tree, Search])
def test_for_anthropic(model: type[BaseModel]) -> None:
    schema = model.model_json_schema()
    ours = il.adapt_schema(schema, "anthropic", "response").schema
    theirs = transform_schema(schema)
    if model is Cat:  # the client leaves out the type beside a value
        theirs["properties"]["kind"]["type"] = "string"
    if model is Search:  # defaults are taken, and the client puts them in words
        theirs["properties"]["most"] = schema["properties"]["most"]
    if model is Tree:
        del theirs["$defs"]["Tree"]["properties"]["children"]["title"]
        del ours["$defs"]["Tree"]["properties"]["children"]["title"]
        # The client keeps a reference by which a schema refers to itself, and the server refuses it, as it does no type.
        simple = {"type": ["string", "number", "boolean", "null"], "description": "{$ref: #/$defs/Tree}"}
        theirs["$defs"]["Tree"]["properties"]["children"]["items"] = simple
    assert ours == theirs


@pytest.mark.parametrize("model", [Cat, Home, Tree, Search])
def test_for_openai(model: type[BaseModel]) -> None:
    ours = il.adapt_schema(model.model_json_schema(), "openai_chat", "response", strict=True)
    theirs = to_strict_json_schema(model)
    if model is Home:  # the client writes what a reference means in its place
        inner = {"$ref": "#/$defs/Cat"}
        theirs["properties"]["inner"] = {"anyOf": [inner], "description": "The one inside."}
    if model is not Tree:
        assert ours.schema == theirs
    else:  # and leaves a reference at the root, which is refused
        assert ours.schema["properties"] == theirs["$defs"]["Tree"]["properties"]
    assert ours.strict
