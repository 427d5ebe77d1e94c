"""Documents for the schemas, and the judges of them: what is accepted here, by jsonschema-rs, and by Ajv on Node."""

from __future__ import annotations

import base64
import copy
import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis_jsonschema
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from pydantic import TypeAdapter, ValidationError

import interlingua as il
from interlingua import testing
from interlingua.model.base import Json
from interlingua.schemas import json_schema as schema

INTEROP = Path(__file__).parent / "interop"

needs_node = pytest.mark.skipif(shutil.which("npm") is None, reason="Node and npm are not on this machine: left out")
"""For what needs Node; where there is Node, a package of it that is not installed is a failure."""


# Documents


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Examples of a strategy, the same in every run."""
    found: list[Any] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(strategy)
    def draw(value: Any) -> None:
        found.append(value)

    draw()
    return found


def from_models(kind: str, count: int) -> list[Any]:
    """Documents that the models, or the providers, write."""
    if kind in il.FORMATS:
        return [as_json(payload) for payload in drawn(testing.payloads(il.FORMATS[kind]), count)]
    return [value.to_dict() for value in drawn(st.from_type(schema.canonical(kind)), count)]


def as_json(payload: Any) -> Any:
    """A payload as JSON has it, with base64 text for bytes."""
    return json.loads(json.dumps(payload, default=lambda held: base64.b64encode(held).decode()))


# Not all of it is typed.
_instances: Callable[[Any], st.SearchStrategy[Any]] = vars(hypothesis_jsonschema)["from_schema"]


def from_schemas(definition: dict[str, Any], count: int) -> list[Any]:
    """Documents made of the schema, definition by definition: what one refers to is an instance of the other."""
    return copy.deepcopy(_made_of(json.dumps([definition["$ref"], definition["$defs"]]), count))


@cache
def _made_of(text: str, count: int) -> list[Any]:
    """Dialects share a schema, but for its name."""
    root: str
    definitions: dict[str, Any]
    root, definitions = json.loads(text)
    made: dict[str, list[Any]] = {}

    def make(name: str, count: int) -> list[Any]:
        return _instances_of(json.dumps(resolved(definitions[name])), count)

    def resolved(node: Json) -> Any:
        if isinstance(node, list):
            return [resolved(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name: str = node["$ref"].removeprefix("#/$defs/")
            if name not in made:
                made[name] = make(name, max(3, count // 4))
            return {"enum": made[name]}
        if node.get("additionalProperties") is True:
            node = {**node, "additionalProperties": {"enum": _FREE}, "maxProperties": len(node.get("properties", ())) + 1}
        # The alternatives of ours exclude one another; a schema that says so costs the generator a validation of each.
        return {("anyOf" if key == "oneOf" else key): resolved(item) for key, item in node.items() if key not in _NOTES}

    return make(root.removeprefix("#/$defs/"), count)


@cache
def _instances_of(text: str, count: int) -> list[Any]:
    """Schemas share definitions."""
    return drawn(_instances(json.loads(text)), count)


_FREE: list[Json] = [None, False, 7, "x", [], [1.5], {}, {"a": None}]
_NOTES = frozenset({"discriminator", "description", "title", "default"})


class Instances:
    """Random documents of a schema, of its own tags and names wherever it leaves a choice.

    An object that may be anything looks like one that the schema describes, with fields missing, too many, or of others.
    """

    def __init__(self, definition: dict[str, Any], chance: random.Random) -> None:
        self._root, self._definitions = definition["$ref"], definition["$defs"]
        self._chance = chance
        self._tags, self._names = words(definition)
        self._is_valid = jsonschema_rs.validator_for(definition).is_valid
        fields = [model.get("properties", {}) for model in self._definitions.values()]
        self._fields = [held for held in fields if held]

    def __iter__(self) -> Iterator[Any]:
        """Documents without an end, all of them valid."""
        while True:
            document = self._of({"$ref": self._root}, 12)
            if self._is_valid(document):
                yield document

    def _of(self, node: Any, depth: int) -> Any:
        if "$ref" in node:
            node = self._definitions[node["$ref"].removeprefix("#/$defs/")]
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return self._chance.choice(node["enum"])
        if alternatives := node.get("anyOf") or node.get("oneOf"):
            return self._of(self._chance.choice(alternatives), depth)
        match node.get("type"):
            case "object":
                return self._object(node, depth - 1)
            case "array":
                return [self._of(node.get("items", {}), depth - 1) for _ in range(self._length(depth))]
            case "string":
                # What is not one of the known tags of its place may be one of another place.
                tagged = "not" in node or self._chance.random() < 0.3
                return self._chance.choice(self._tags if tagged else _TEXTS)
            case str(kind):
                return self._chance.choice(_SCALARS[kind])
            case _:
                return self._anything(depth - 1)

    def _object(self, node: Any, depth: int) -> Any:
        properties: dict[str, Any] = node.get("properties", {})
        if not properties:
            return self._any_object(depth)
        required = node.get("required", ())
        keys = [key for key in properties if key in required or (depth > 0 and self._chance.random() < 0.3)]
        made: dict[str, Any] = {} if "additionalProperties" in node else self._any_object(depth)
        made |= {key: self._of(properties[key], depth) for key in keys}
        if node.get("additionalProperties") is True and depth > 0 and self._chance.random() < 0.3:
            made.setdefault(self._chance.choice(self._names), self._anything(depth))
        return made

    def _any_object(self, depth: int) -> dict[str, Any]:
        """An object that may be anything."""
        made: dict[str, Any] = {}
        for key, node in self._chance.choice(self._fields).items():
            if self._chance.random() < (0.7 if depth > 0 else 0.2):
                made[key] = self._of(node, depth) if self._chance.random() < 0.8 else self._anything(depth)
        for key in ("type", "role"):
            if self._chance.random() < 0.4:
                made[key] = self._chance.choice(self._tags)
        return made

    def _anything(self, depth: int) -> Any:
        kind = self._chance.choice(("object", "array", "string", "integer", "number", "boolean", "null"))
        return self._any_object(depth - 1) if kind == "object" else self._of({"type": kind}, depth)

    def _length(self, depth: int) -> int:
        return self._chance.choice((0, 1, 2, 3, 4)) if depth > 0 else 0


_TEXTS = ("", " ", "x", "x", "{}", '{"a": 1', "il_a", "application/pdf", "https://x.example", "data:image/png;base64,eA==")
_SCALARS: dict[str, tuple[Any, ...]] = {
    "integer": (0, 1, -1, 7, 2**70),
    "number": (0, 1, 0.5, -1.5, 2.5e-300),
    "boolean": (True, False),
    "null": (None,),
}


def places(value: Json) -> Iterator[tuple[Any, Any]]:
    """Every container in a document, with each key or index in it."""
    if isinstance(value, dict | list):
        held: Any = value
        for key in value if isinstance(value, dict) else range(len(value)):
            yield held, key
            yield from places(held[key])


def mutated(document: Any, tags: list[str], names: list[str], chance: random.Random) -> Any:
    """The document with something dropped, retyped, renamed, added, moved or under another tag, once or twice."""
    whole = [copy.deepcopy(document)]
    for _ in range(chance.choice((1, 1, 1, 2))):
        found = list(places(whole))
        held, key = chance.choice(found)
        inner, at = chance.choice(found)
        match chance.choice(("drop", "retype", "rename", "add", "add", "tag", "tag", "move")):
            case "drop" if held is not whole:
                del held[key]
            case "retype":
                held[key] = copy.deepcopy(chance.choice(_OTHERS))
            case "rename" if isinstance(key, str):
                held[chance.choice(names)] = held.pop(key)
            case "add" if isinstance(key, str):
                held[chance.choice(names)] = copy.deepcopy(chance.choice((*_OTHERS, inner[at])))
            case "tag":
                held, key = chance.choice([place for place in found if place[1] in ("role", "type")] or [(held, key)])
                held[key] = chance.choice(tags)
            case _:
                held[key] = copy.deepcopy(inner[at])
    return whole[0]


_OTHERS: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, 2**70, "", "x", [], {}, [None], [{}], ["x"], {"x": 1})


def words(definition: Any) -> tuple[list[str], list[str]]:
    """The tags and the field names that a schema knows, and one of each that it does not."""
    tags, names = {"x_unknown"}, {"x_unknown"}

    def look(node: Json) -> None:
        if isinstance(node, dict):
            names.update(node.get("properties", {}))
            tags.update(tag for tag in (node.get("const"), *node.get("enum", ())) if isinstance(tag, str))
        if isinstance(node, dict | list):
            for item in node.values() if isinstance(node, dict) else node:
                look(item)

    look(definition)
    return sorted(tags), sorted(names)


# Judges


def accepted(kind: str) -> Callable[[Any], bool]:
    """Whether a document is accepted here."""
    if kind in il.FORMATS:
        return lambda document: isinstance(document, dict) and _raises_nothing(il.load, document, kind)
    adapter = TypeAdapter[Any](schema.canonical(kind))
    return lambda document: _raises_nothing(adapter.validate_python, document)


def _raises_nothing(function: Callable[..., Any], *arguments: Any) -> bool:
    try:
        function(*arguments)
    except (il.InvalidPayload, ValidationError):
        return False
    return True


def by_rust(definition: dict[str, Any], documents: list[Any]) -> list[bool]:
    """The verdicts of jsonschema-rs."""
    judge = jsonschema_rs.validator_for(definition)
    return [judge.is_valid(document) for document in documents]


def by_ajv(definition: dict[str, Any], documents: list[Any]) -> list[bool]:
    """The verdicts of Ajv, under Node."""
    node = shutil.which("node")
    assert node is not None
    lines = "".join(json.dumps(each) + "\n" for each in [definition, *documents])
    done = subprocess.run([node, "judge.mjs"], cwd=INTEROP, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [line == "true" for line in done.stdout.split()]
