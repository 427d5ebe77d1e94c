"""The judges of each format that are not ours: its official SDK's types, and its published schema."""

import functools
import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault, pointer_of
from laws.families import main_of
from laws.judge import Judge, with_defaults

SPECS = Path(os.environ.get("INTERLINGUA_SPECS", Path(__file__).resolve().parents[3] / "shared" / "specs"))
_FORMATS = Path(__file__).parents[1] / "formats"

_JUDGES: dict[str, Judge | None] = {
    file.parent.name: import_module(f"formats.{file.parent.name}.judge").JUDGE for file in sorted(_FORMATS.glob("*/judge.py"))
}
SDKS: dict[str, Judge] = {name: judge for name, judge in _JUDGES.items() if judge is not None}
"""Each format that has a judge of its own with it; that of most dialects is their main format's."""


def judge_of(format: str) -> str:
    """The name of the judge of a format: its own, if it has one or says why not, or that of its main format."""
    return format if format in _JUDGES else main_of(format) or format


def request_faults(payload: Any, format: str) -> list[Fault]:
    """What the SDK finds wrong with a request, but for what only the caller knows; `stream` has a request type of its own."""
    judge = SDKS[format]
    return [fault for fault in judge.request(payload) if fault.pointer not in (*judge.missing, "/stream")]


def response_faults(body: Any, format: str) -> list[Fault]:
    """What the SDK finds wrong with a response."""
    judge = SDKS[format].response
    assert judge is not None, f"{format} has no judge of responses"
    return judge(body)


def chunk_faults(chunk: Any, format: str) -> list[Fault]:
    """What the SDK finds wrong with a chunk of a stream."""
    judge = SDKS[format].chunk
    assert judge is not None, f"{format} has no judge of chunks"
    return judge(chunk)


def whole(body: Any, format: str) -> Any:
    """A response with what the SDK requires, and its source does not say: that is not invented."""
    return with_defaults(body, SDKS[format].required)


def complete(chunk: Any, format: str) -> Any:
    """A chunk of a stream with what the SDK requires, and its source does not say or not yet: that is not invented."""
    return SDKS[format].complete(chunk)


# The published specifications


@functools.cache
def spec_type(format: str) -> Any:
    """The validator of a format's published request schema, or None where the specifications are not at hand."""
    judge = SDKS[format]
    if judge.spec is None or not (SPECS / judge.spec[0]).is_file():
        return None
    import jsonschema_rs

    name, schema = judge.spec
    schemas = judge.spec_of(_schemas(name))
    components = {"schemas": schemas}
    reference = "#/components/schemas/" + schema.replace("/", "~1")
    return jsonschema_rs.Draft202012Validator({"$ref": reference, "components": components})


@functools.cache
def _schemas(name: str) -> Any:
    """The schemas of a specification, those of requests without a name as `post/path`; one in YAML takes a second to read."""
    if name.endswith(".json"):
        return json.loads((SPECS / name).read_text("utf-8"))["schemas"]
    import yaml

    document = yaml.load((SPECS / name).read_text("utf-8"), yaml.CSafeLoader)
    found = document["components"]["schemas"]
    for path, item in document["paths"].items():
        content = item.get("post", {}).get("requestBody", {}).get("content", {})
        if (schema := content.get("application/json", {}).get("schema")) is not None:
            found[f"post{path}"] = schema
    return _with_null(json.loads(json.dumps(found, default=str)))  # YAML reads dates, JSON has none


def _with_null(schema: Any) -> Any:
    """A schema of OpenAPI 3.0, which takes null where it says `nullable`, as JSON Schema has it."""
    if is_array(schema):
        return [_with_null(item) for item in schema]
    if not is_object(schema):
        return schema
    made = {key: _with_null(value) for key, value in schema.items()}
    return {"if": {"not": {"type": "null"}}, "then": made} if made.get("nullable") is True else made


def spec_faults(payload: Any, format: str) -> list[Fault]:
    """What the published schema finds wrong with a request, but for what only the caller knows."""
    validator = spec_type(format)
    if validator is None:
        return []
    judge = SDKS[format]
    missing = [f'"{pointer[1:]}"' for pointer in judge.missing]
    return [
        Fault(pointer_of(error.instance_path), "spec", error.message[:200])
        for error in validator.iter_errors(json.loads(json.dumps(judge.specified(payload))))
        if not (error.instance_path == [] and any(name in error.message for name in missing))
    ]
