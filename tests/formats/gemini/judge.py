"""google-genai judges Gemini, and so does the discovery document.

The SDK forbids extra keys by itself, and reads base64 from JSON alone.
"""

import json
from typing import Any

from pydantic import ValidationError

from interlingua.testing.lawbook.documents import is_object
from laws.closed import Fault, pointer_of
from laws.judge import Judge, adapter


def _request(payload: Any) -> list[Fault]:
    from google.genai import types
    from pydantic.alias_generators import to_camel

    fields: dict[str, Any] = {
        "contents": list[types.Content],
        "systemInstruction": types.Content,
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "safetySettings": list[types.SafetySetting],
        "generationConfig": types.GenerationConfig,
        "cachedContent": str,
        "labels": dict[str, str],
        "serviceTier": types.ServiceTier,
        "model": str,
    }
    faults: list[Fault] = []
    for key, value in payload.items():
        kind = fields.get(key) or fields.get(to_camel(key))  # the server reads either spelling, as the SDK does below
        if kind is None:
            faults.append(Fault(f"/{key}", "sdk extra", "a request has no such field"))
        else:
            faults += [fault._replace(pointer=f"/{key}{fault.pointer}") for fault in _as_json(kind, value)]
    return faults


def _as_json(kind: Any, value: Any) -> list[Fault]:
    try:
        adapter(kind).validate_json(json.dumps(value))
    except AttributeError as error:  # what its enums raise for the numbers of protobuf
        return [Fault("", "sdk enum", str(error))]
    except ValidationError as error:
        return [Fault(pointer_of(item["loc"]), f"sdk {item['type']}", item["msg"]) for item in error.errors(include_url=False)]
    return []


def _response(body: Any) -> list[Fault]:
    from google.genai import types

    return _as_json(types.GenerateContentResponse, body)


def _discovered(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas of a Google discovery document as JSON Schema, closed: what they do not name is forbidden."""

    def closed(schema: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return {"$ref": f"#/components/schemas/{schema['$ref']}"} if schema["$ref"] in schemas else {}
        out: dict[str, Any] = {} if schema.get("type") == "any" else {"type": schema.get("type", "object")}
        if "enum" in schema:
            out = {"anyOf": [{"enum": schema["enum"]}, {"type": "integer"}]}  # protobuf's JSON takes the number too
        elif schema.get("format") in ("int64", "uint64"):
            out = {"type": ["string", "integer"]}
        if "properties" in schema:
            out |= {"properties": {key: closed(value) for key, value in schema["properties"].items()}}
            out["additionalProperties"] = False
        if is_object(schema.get("additionalProperties")):
            out["additionalProperties"] = closed(schema["additionalProperties"])
        if "items" in schema:
            out["items"] = closed(schema["items"])
        return out

    found = {name: closed(schema) for name, schema in schemas.items()}
    # The document is older than google-genai 3.4.0, whose results may have media by URI.
    found["FunctionResponsePart"]["properties"].setdefault("fileData", found["FileData"])
    return found


JUDGE = Judge(
    _request,
    _response,
    _response,
    missing=("/model",),
    spec=("google-generativelanguage-discovery.lingua.json", "GenerateContentRequest"),
    spec_of=_discovered,
)
