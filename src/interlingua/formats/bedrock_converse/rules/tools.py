"""What Bedrock's Converse refuses in tools, structured answers and fields' names."""

from __future__ import annotations

import re

from ....codec.rules import claude, schemas, spelling, tools
from ....codec.rules.rule import about_schemas, errors, fault, warnings
from ....codec.rules.schemas import strict_nodes, tool_nodes
from ....codec.rules.view import Found, SchemaView, View, object_of
from ....model.base import Json
from ..schemas import STRICT

_NAME = re.compile("[a-zA-Z0-9_-]{1,64}")
_BODY = spelling.words(
    "additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig inferenceConfig messages modelId",
    "outputConfig performanceConfig promptVariables requestMetadata serviceTier system toolConfig",
)
_INFERENCE = spelling.words("maxTokens stopSequences temperature topP")
_CONFIG = spelling.words("toolChoice tools")
_MESSAGE = spelling.words("content role")
_SPEC = spelling.words("description inputSchema name strict type")


@fault("tool-name-refused")
def tool_name_pattern(view: View) -> Found:
    """The name of a tool, in its definition or in a call, must have 1 to 64 letters, digits, underscores and hyphens.

    Evidence: ToolName in the service model; openclaw/openclaw#12949, aws-samples/remote-swe-agents#457, elastic/kibana#206487.
    """
    return tools.unlike_names(view, _NAME)


@about_schemas
def schema_root_not_object(view: SchemaView) -> Found:
    """The schema of a tool's input must be of type object.

    Evidence: the server's text "inputSchema.json.type must be one of the following: object" (cognitect-labs/aws-api#272,
    aws/aws-sdk-net#3377).
    """
    return schemas.other_roots(tool_nodes(view))


@fault("list-empty")
def empty_tools_array(view: View) -> Found:
    """`toolConfig` must be left out if the request has no tools.

    Evidence: the server's text "Value at 'toolConfig.tools' failed to satisfy constraint: Member must have length greater than
    or equal to 1" (Portkey-AI/gateway#1124, genkit-ai/aws-bedrock-js-plugin#43).
    """
    if object_of(view.body, "toolConfig").get("tools") == []:
        yield "/toolConfig/tools", "`toolConfig` must have tools: leave it out if there are none"


def tool_description_empty(view: View) -> Found:
    """The description of a tool must not be empty: leave it out.

    Evidence: the server's text "Value '' at 'toolConfig.tools.15.member.toolSpec.description' failed to satisfy constraint:
    Member must have length greater than or equal to 1" (vercel/ai#10260, anomalyco/opencode#48582).
    """
    for tool in view.tools:
        if tool.value.get("description") == "":
            yield f"{tool.at}/description", "the description of a tool must not be empty: leave it out"


def schema_definitions_refused(view: View) -> Found:
    """The schema of a tool for Amazon's Nova must not have definitions: write each one where it is used.

    Evidence: the server's text "inputSchema/json: extraneous key [definitions] is not permitted" (zed-industries/zed#28521);
    pydantic-ai inlines them for Nova (pydantic/pydantic-ai#1623).
    """
    model: Json = view.body.get("modelId")
    is_nova = "amazon.nova" in model if isinstance(model, str) else "schemaVersion" in view.body
    for tool in view.tools if is_nova else ():
        schema = object_of(object_of(tool.value, "inputSchema"), "json")
        for key in ("$defs", "definitions"):
            if key in schema:
                at = f"{tool.at}/inputSchema/json/{key}"
                yield at, f"a schema for Nova must not have `{key}`: write each definition where it is used"


def tool_choice_unknown(view: View) -> Found:
    """A tool choice must name a tool of the request.

    Evidence: the server of Claude's own API refuses others; no text of Bedrock was seen.
    """
    choice = object_of(object_of(object_of(view.body, "toolConfig"), "toolChoice"), "tool")
    return tools.missing_choices(view, [("/toolConfig/toolChoice/tool/name", choice.get("name"))])


@about_schemas
def strict_schema_keyword(view: SchemaView) -> Found:
    """The schema of a strict tool must not have bounds of numbers, nor maxItems.

    Evidence: pydantic-ai's source (`providers/bedrock.py`) with its cassettes, of Claude on Bedrock.
    """
    return schemas.not_taken(strict_nodes(view), STRICT)


@fault("schema-open")
@about_schemas
def strict_additional_properties(view: SchemaView) -> Found:
    """Each object in the schema of a strict tool must have additionalProperties: false.

    Evidence: pydantic-ai's source (`providers/bedrock.py`) with its cassettes, of Claude on Bedrock.
    """
    return schemas.open_objects(strict_nodes(view))


@about_schemas
def strict_schema_too_large(view: SchemaView) -> Found:
    """The strict schemas of a request must have together at most 24 optional properties, and 16 schemas of several types.

    Evidence: the limits of Claude's own API, which Claude on Bedrock has, too (strands-agents/harness-sdk#2664,
    vercel/ai#17268); those of other models are not known.
    """
    return claude.too_large_schemas(view)


@about_schemas
def strict_schema_too_complex(view: SchemaView) -> Found:
    """A single strict schema must have fewer optional properties and schemas of several types than a whole request may have.

    Evidence: the recorded refusals of Claude's own API; no text of Bedrock was seen.
    """
    return claude.too_complex_schemas(view)


@about_schemas
def strict_schema_empty(view: SchemaView) -> Found:
    """Each schema inside a strict one must refuse some value: it must not be `true`, `{}`, or have annotations alone.

    Evidence: the recorded refusals of Claude's own API, whose other texts about strict schemas Bedrock repeats word for word
    (vercel/ai#20681).
    """
    return schemas.accepting_anything(strict_nodes(view))


def strict_tools_too_many(view: View) -> Found:
    """A request must have at most 20 strict tools.

    Evidence: the recorded refusals of Claude's own API; pydantic-ai's source (`providers/bedrock.py`).
    """
    return claude.too_many_strict_tools(view, "/toolConfig/tools")


def field_misspelt(view: View) -> Found:
    """An unknown field must not be a misspelling of a known one.

    Evidence: ConverseRequest in the service model.
    """
    for key, known in (("inferenceConfig", _INFERENCE), ("toolConfig", _CONFIG)):
        yield from spelling.misspelt([(f"/{key}", object_of(view.body, key))], known)
    yield from spelling.misspelt([("", view.body)], _BODY)
    yield from spelling.misspelt(((turn.at, turn.value) for turn in view.turns), _MESSAGE)
    yield from spelling.misspelt(((tool.at, tool.value) for tool in view.tools), _SPEC)


RULES = (
    *errors(empty_tools_array, schema_root_not_object, tool_description_empty, tool_name_pattern),
    *warnings(
        field_misspelt,
        schema_definitions_refused,
        strict_additional_properties,
        strict_schema_empty,
        strict_schema_keyword,
        strict_schema_too_complex,
        strict_schema_too_large,
        strict_tools_too_many,
        tool_choice_unknown,
    ),
)
"""The rules of both calling forms."""
