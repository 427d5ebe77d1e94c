"""The JSON Schemas: they say what is accepted here, no more and no less, and the files of them are fresh."""

from __future__ import annotations

import compileall
import copy
import json
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter

import interlingua as il
from interlingua.cli import main
from interlingua.schemas import json_schema as schema
from interlingua.testing.lawbook.documents import is_array, is_object
from schemas.parity import accepted, by_ajv, by_rust, from_models, from_schemas, mutated, needs_node, places, words

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "schemas"

CANONICAL = [kind for kind in schema.KINDS if kind not in il.FORMATS]
NAMES = (*dict.fromkeys((*schema.KINDS, *il.FORMATS)),)
"""Whatever has a schema: the canonical kinds, and every format."""
kinds = pytest.mark.parametrize("kind", NAMES)


# Parity


Verdicts = tuple[bool, bool, bool]
"""Whether a document is accepted by this package, by jsonschema-rs, by Ajv."""

ALL = 1400
"""How many documents there are of all kinds; with --scale 20, more than 20,000."""


def judged(kind: str, definition: dict[str, Any], count: int) -> list[tuple[Any, Verdicts]]:
    """So many different documents of the models, of the schema, and mutations of both, with their verdicts."""
    tags, names = words(definition)
    chance = random.Random(kind)
    drawn = min(40, count // 6)
    bases = [*from_models(kind, drawn), *from_schemas(definition, drawn)]
    found = {json.dumps(document, sort_keys=True): document for document in bases}
    while len(found) < count:
        document = mutated(chance.choice(bases), tags, names, chance)
        if len(found) % 2 and accepted(kind)(document):  # as most are where a schema leaves much open
            document = mutated(document, tags, names, chance)
        found[json.dumps(document, sort_keys=True)] = document
    documents = list(found.values())
    ours = [accepted(kind)(document) for document in documents]
    verdicts = zip(ours, by_rust(definition, documents), by_ajv(definition, documents), strict=True)
    return list(zip(documents, verdicts, strict=True))


def disagreements(found: list[tuple[Any, Verdicts]]) -> list[tuple[str, Verdicts]]:
    """The documents that the judges disagree about, the shortest first; but for rules that the schema leaves unsaid."""
    wrong = [(document, verdicts) for document, verdicts in found if len(set(verdicts)) > 1]
    reported = [
        (json.dumps(document), verdicts)
        for document, verdicts in wrong
        if not (verdicts == (False, True, True) and (holds_whole_float(document) or calls_twice(document)))
    ]
    return sorted(reported, key=lambda each: len(each[0]))


def calls_twice(document: Any) -> bool:
    """Whether a message in the document has its tool calls in both spellings: the rule `one-spelling`."""
    twice = [each["content"] for each in objects([document]) if each.get("tool_calls") and is_array(each.get("content"))]
    return any(is_object(part) and part.get("type") == "tool_use" for content in twice for part in content)


def holds_whole_float(document: Any) -> bool:
    """Whether an integer may be written with a fraction or an exponent somewhere in the document."""
    values = [held[key] for held, key in places([document])]
    return any(isinstance(value, float) and value.is_integer() for value in values)


@needs_node
@pytest.mark.scale
@pytest.mark.deep
@kinds
def test_a_document_is_accepted_by_the_schema_exactly_when_it_is_accepted_here(
    kind: str, scale: int, record_property: Callable[[str, object], None]
) -> None:
    found = judged(kind, il.json_schema(kind), ALL * scale // len(NAMES))
    record_property("documents judged", len(found))
    assert not disagreements(found)
    yes = sum(verdicts[0] for _, verdicts in found)
    # Neither verdict is rare.
    assert len(found) / 10 < yes < len(found) * 9 / 10


@needs_node
@pytest.mark.deep
@pytest.mark.parametrize(("kind", "name", "field"), [("part", "TextPart", "text"), ("anthropic", "TextBlock", "text")])
def test_a_field_that_is_optional_on_one_side_is_found(kind: str, name: str, field: str) -> None:
    planted = il.json_schema(kind)
    planted["$defs"][name]["required"].remove(field)
    found = disagreements(judged(kind, planted, 400))
    assert found
    assert {verdicts for _, verdicts in found} == {(False, True, True)}


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


CALL: dict[str, Any] = {"type": "tool_use", "name": "f", "input": {}}
UNCHECKED: dict[str, tuple[str, Any]] = {
    "valid-text": ("message", {"role": "user", "content": "\ud800"}),
    "depth": ("tool", {"type": "opaque", "format": "x", "value": {"x": nested(200)}}),
    "whole-number": ("request", {"messages": [], "max_tokens": 2.0}),
    "finite": ("request", {"messages": [], "temperature": float("inf")}),
    "digits": ("request", {"messages": [], "max_tokens": 10**4300}),
    "one-spelling": ("message", {"role": "assistant", "content": [CALL], "tool_calls": [{"name": "f", "arguments": "{}"}]}),
}


@pytest.mark.parametrize("rule", UNCHECKED)
def test_the_rules_that_a_schema_leaves_unsaid_are_named_in_it(rule: str) -> None:
    kind, document = UNCHECKED[rule]
    definition = il.json_schema(kind)
    assert f"{rule}: {schema.UNCHECKED[rule]}" in definition["$comment"]
    jsonschema.validate(document, definition)
    assert not accepted(kind)(document)
    assert UNCHECKED.keys() == schema.UNCHECKED.keys()


def test_an_integer_of_4300_characters_is_written_and_read() -> None:
    largest, smallest = 10**4300 - 1, 1 - 10**4299
    request = il.Request(messages=[], max_tokens=largest, metadata={"n": smallest})
    assert il.validate(request.model_dump_json(), il.Request) == request
    for longer in (largest + 1, smallest - 1):
        with pytest.raises(il.InvalidPayload, match=r"/metadata/n: .*4300 characters"):
            il.validate({"messages": [], "metadata": {"n": longer}}, il.Request)


# What they look like


def objects(node: Any) -> Iterator[dict[str, Any]]:
    return (held[key] for held, key in places([node]) if isinstance(held[key], dict))


@kinds
def test_a_schema_is_one_and_stands_alone(kind: str) -> None:
    definition = il.json_schema(kind)
    jsonschema.Draft202012Validator.check_schema(definition)
    assert definition["$id"] == f"urn:interlingua:v1:{kind if kind in schema.KINDS else schema.OWNERS[kind]}"
    named = {f"#/$defs/{name}" for name in definition["$defs"]}
    assert {each["$ref"] for each in objects(definition) if "$ref" in each} == named


@kinds
def test_what_has_a_name_says_what_it_is(kind: str) -> None:
    for name, each in il.json_schema(kind)["$defs"].items():
        if not name.startswith("_"):
            assert each["description"], name
            assert each["title"] == name.rpartition("__")[2], name


@kinds
def test_a_canonical_union_is_distinguished_by_a_tag_that_is_required(kind: str) -> None:
    definition = il.json_schema(kind)
    unions = [each for each in objects(definition) if "discriminator" in each]
    assert bool(unions) == (kind not in il.FORMATS)
    for union in unions:
        assert union["discriminator"].keys() == {"propertyName"}
        tag = union["discriminator"]["propertyName"]
        for alternative in union["oneOf"]:
            model = definition["$defs"][alternative["$ref"].rpartition("/")[2]]
            assert tag in model["required"]
            assert "const" in model["properties"][tag]


def test_unions_have_names() -> None:
    named = il.json_schema("conversation")["$defs"]
    assert {"Message", "Part", "Source", "AnyTool", "ThinkingBlock", "ResultContentPart"} <= named.keys()
    inner = [each for model in named.values() for each in objects(model.get("properties", {}))]
    assert not [each for each in inner if "discriminator" in each]


@pytest.mark.parametrize("dialect", sorted(il.FORMATS.keys() - set(schema.KINDS)))
def test_a_dialect_has_the_schema_of_its_format(dialect: str) -> None:
    owner = il.json_schema(schema.OWNERS[dialect])
    assert il.json_schema(dialect) == owner
    assert dialect in owner["description"]
    # Which is what it takes.
    taken = [il.FORMATS[name].adapter().json_schema() for name in (dialect, schema.OWNERS[dialect])]
    assert taken[0] == taken[1]


@pytest.mark.parametrize("kind", CANONICAL)
def test_every_field_and_union_has_a_description(kind: str) -> None:
    plain: Any = TypeAdapter(schema.canonical(kind)).json_schema()  # as an OpenAPI document has it
    for name, model in [*il.json_schema(kind)["$defs"].items(), *plain["$defs"].items(), (kind, plain)]:
        assert model.get("description") or "$ref" in model, name
        assert [field for field, held in model.get("properties", {}).items() if not held.get("description")] == [], name


@pytest.mark.parametrize("kind", CANONICAL)
def test_free_json_is_said_to_be_open_and_nothing_is_negated(kind: str) -> None:
    for each in objects(il.json_schema(kind)):
        assert "not" not in each
        if each.get("type") == "object" and "oneOf" not in each:
            assert "additionalProperties" in each


def test_fields_have_the_descriptions_of_the_models() -> None:
    thinking = il.json_schema("part")["$defs"]["ThinkingPart"]["properties"]
    assert thinking["issuer"]["description"] == (
        "Who signed it. A signature without an issuer is sent to any provider that has a place for one."
    )
    assert il.json_schema("message")["$defs"]["UserMessage"]["properties"]["name"]["description"] == "The participant's name."


def test_a_schema_is_the_callers_own() -> None:
    first = il.json_schema("message")
    kept = copy.deepcopy(first)
    first["$defs"].clear()
    assert il.json_schema("message") == kept


def test_a_kind_that_there_is_not_is_an_error() -> None:
    with pytest.raises(il.UnknownFormat, match="unknown format 'nothing'; must be one of message, part"):
        il.json_schema("nothing")


# The files


def command(*arguments: str | Path, source: Path = ROOT / "src") -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "interlingua", "schema", *map(str, arguments)]
    return subprocess.run(words, cwd=source, env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=False)


def test_the_files_are_fresh() -> None:
    assert schema.stale(SCHEMAS) == []
    assert command("--check", SCHEMAS).returncode == 0


def test_a_model_that_changes_without_its_schema_is_red(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    changed = tmp_path / "src/interlingua/model/parts.py"
    text = changed.read_text()
    changed.write_text(text.replace("    refusal: Text\n", "    refusal: Text\n    reason: Label | None = None\n", 1))
    assert changed.read_text() != text
    done = command("--check", SCHEMAS, source=tmp_path / "src")
    assert done.returncode == 1
    reported = sorted(Path(line.removesuffix(": stale")).name for line in done.stderr.splitlines())
    kinds = ["conversation", "event", "message", "part", "request", "response"]
    assert reported == sorted(["interlingua.d.ts", *(f"{kind}.json" for kind in kinds)])


def schemas(*arguments: str | Path) -> int:
    """The exit status of `interlingua schema`."""
    return main(["schema", *map(str, arguments)])


def test_files_are_written_and_what_is_missing_or_surplus_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert schemas(tmp_path) == schemas("--check", tmp_path) == 0
    (tmp_path / "part.json").unlink()
    (tmp_path / "formats/forgotten.json").write_text("{}")
    assert schemas("--check", tmp_path) == 1
    reported = [f"{tmp_path / name}: stale" for name in ("formats/forgotten.json", "part.json")]
    assert capsys.readouterr() == ("", "\n".join([*reported, ""]))


def test_the_types_in_typescript_are_written_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert schemas(tmp_path) == 0
    types = tmp_path / "typescript/interlingua.d.ts"
    exported = set(re.findall(r"^export (?:type|interface) (\w+) ", types.read_text(), re.MULTILINE))
    assert exported == {name for kind in CANONICAL for name in il.json_schema(kind)["$defs"]}
    types.write_text(types.read_text().replace("?: string", ": string", 1))
    assert schemas("--check", tmp_path) == 1
    assert capsys.readouterr().err == f"{types}: stale\n"


def test_a_wheel_has_the_schemas_and_the_types_in_typescript(tmp_path: Path) -> None:
    building = ["-m", "uv", "build", "--quiet", "--wheel", "--out-dir", tmp_path, ROOT]
    subprocess.run([sys.executable, *map(str, building)], check=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        for name, text in schema.files().items():
            assert packed.read(f"interlingua/schemas/{name}").decode() == text


def test_one_format_alone_is_written_and_checked(tmp_path: Path) -> None:
    assert schemas("--format", "anthropic", tmp_path) == 0
    assert [path.name for path in tmp_path.rglob("*.json")] == ["anthropic.json"]
    assert schemas("--check", "--format", "anthropic", tmp_path) == 0
    assert schemas("--check", "--format", "deepseek", tmp_path) == 1


def test_a_file_that_is_no_text_is_stale_and_others_are_not_looked_at(tmp_path: Path) -> None:
    assert schemas("--format", "anthropic", tmp_path) == 0
    (tmp_path / "part.json").write_bytes(b"\xff")
    assert schemas("--check", "--format", "anthropic", tmp_path) == 0
    (tmp_path / "formats/anthropic.json").write_bytes(b"\xff")
    assert schemas("--check", "--format", "anthropic", tmp_path) == 1


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert schemas(tmp_path / "file") == 2
    assert capsys.readouterr().err.startswith(f"interlingua: {tmp_path / 'file'}")


def test_without_sources_fields_have_no_descriptions(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(tmp_path / "src", quiet=1, legacy=True)
    for source in (tmp_path / "src").rglob("*.py"):
        source.unlink()
    assert command("--format", "anthropic", tmp_path / "out", source=tmp_path / "src").returncode == 0
    assert command(tmp_path / "out", source=tmp_path / "src").returncode == 0
    part = json.loads((tmp_path / "out/part.json").read_text())["$defs"]["ThinkingPart"]
    assert "description" not in part["properties"]["issuer"]


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in a schema, at any depth."""
    if is_object(value):
        yield value
        value = [*value.values()]
    if is_array(value):
        for item in value:
            yield from objects_in(item)


@pytest.mark.parametrize("kind", schema.KINDS)
def test_no_open_object_is_read_as_an_empty_one(kind: str) -> None:
    """openapi-typescript makes an empty object of one that says neither its fields nor that it may have any."""
    found = [each for each in objects_in(il.json_schema(kind)) if each.get("type") == "object" and "not" in each]
    assert [each for each in found if each.get("additionalProperties") is not True] == []
