"""What Gemini refuses in schemas of Google's dialect: those in `parameters` and `responseSchema`.

A tool or an output of the view is `strict` where its schema is of this dialect; `parametersJsonSchema` takes JSON Schema.
"""

from __future__ import annotations

from ....codec.rules import schemas
from ....codec.rules.rule import about_schemas, errors, warnings
from ....codec.rules.schemas import strict_nodes, tool_nodes
from ....codec.rules.view import Found, SchemaView, View
from ....model.base import Json
from ..schemas import KEYWORDS
from ..spellings import spellings

_KNOWN = KEYWORDS | spellings("additionalProperties", "defs", "ref")
"""The keywords of Google's Schema, and those of Vertex AI's."""


@about_schemas
def schema_unknown_keyword(view: SchemaView) -> Found:
    """A schema in `parameters` or `responseSchema` must have only the keywords of Google's Schema, and one type.

    Evidence: the server's texts 'Unknown name "const" ...: Cannot find field' and "Proto field is not repeating, cannot start
    list" (musistudio/claude-code-router#187, zed-industries/zed#44875, #53919); the keywords are those of the discovery
    document, and of google-genai 3.4.0, Schema.
    """
    for node in strict_nodes(view):
        for key in node.schema.keys() - _KNOWN:
            yield (
                f"{node.at}/{key}",
                (
                    f"Google's schemas do not have `{key}`; to send JSON Schema, "
                    "use `parametersJsonSchema` or `responseJsonSchema`"
                ),
            )
        if isinstance(node.schema.get("type"), list):
            yield f"{node.at}/type", "`type` in Google's schemas must be one type; to allow null, use `nullable: true`"


@about_schemas
def schema_additional_properties(view: SchemaView) -> Found:
    """A schema must not have additionalProperties on AI Studio; on Vertex AI, it may.

    Evidence: the server's text 'Unknown name "additionalProperties" ...: Cannot find field' (ax-llm/ax#293,
    glowingjade/obsidian-smart-composer#455); the field is in Vertex AI's reference and in google-genai 3.4.0, Schema.
    """
    for node in strict_nodes(view):
        if "additionalProperties" in node.schema:
            yield (
                f"{node.at}/additionalProperties",
                (
                    "AI Studio's schemas do not have `additionalProperties`; to send "
                    "JSON Schema, use `parametersJsonSchema` or `responseJsonSchema`"
                ),
            )


@about_schemas
def array_items_missing(view: SchemaView) -> Found:
    """The schema of an array must have items.

    Evidence: the server's text "parameters.properties[tags].items: missing field" (cline/cline#7339,
    knocklabs/agent-toolkit#24).
    """
    return schemas.arrays_without_items(strict_nodes(view))


@about_schemas
def schema_type_missing(view: SchemaView) -> Found:
    """Every schema must have a type on Vertex AI.

    Evidence: the server's text "schema didn't specify the schema type field" (QuantumNous/new-api#3022); AI Studio was seen to
    take schemas without one (watt-mind/coach#280).
    """
    for node in strict_nodes(view):
        if not node.schema.keys() & {"type", "anyOf", "any_of", "$ref", "ref"}:
            yield node.at, "Vertex AI requires a `type` in every schema: add one"


@about_schemas
def schema_enum_not_string(view: SchemaView) -> Found:
    """The values of an enum must be strings.

    Evidence: the server's text "Invalid value at '...enum[0]' (TYPE_STRING), 0" (thClaws/thClaws#172,
    microsoft/azure-devops-mcp#145).
    """
    for node in strict_nodes(view):
        values: Json = node.schema.get("enum")
        if isinstance(values, list) and not all(isinstance(value, str) for value in values):
            yield f"{node.at}/enum", "the values of an `enum` must be strings"


@about_schemas
def schema_required_undefined(view: SchemaView) -> Found:
    """The required names must be among the properties.

    Evidence: the server's text "parameters.required[0]: property is not defined" (probelabs/probe#569,
    NousResearch/hermes-agent#64054).
    """
    return schemas.undefined_required(strict_nodes(view))


def object_properties_empty(view: View) -> Found:
    """The schema of an object must have properties.

    Evidence: the server's text "properties: should be non-empty for OBJECT type". Parameters without any property were recorded
    as accepted, so that only objects inside of them are looked at.
    """
    inner = [node for node in strict_nodes(view) if not node.root]
    return schemas.objects_without_properties(inner)


@about_schemas
def schema_props_on_non_object(view: SchemaView) -> Found:
    """A schema with properties must be of type object.

    Evidence: the server's text "properties: only allowed for OBJECT type" (anomalyco/opencode#11888).
    """
    for node in strict_nodes(view):
        kinds = node.types
        if node.schema.get("properties") and kinds and "object" not in kinds:
            yield f"{node.at}/properties", "only a schema of type object may have `properties`"


@about_schemas
def schema_anyof_alongside(view: SchemaView) -> Found:
    """A schema with anyOf must not have other keywords on Vertex AI.

    Evidence: the server's text "When using any_of, it must be the only field set"; AI Studio takes them.
    """
    for node in strict_nodes(view):
        if node.schema.get("anyOf") and len(node.schema) > 1:
            yield f"{node.at}/anyOf", "Vertex AI refuses other keywords beside `anyOf`: move them into its schemas"


@about_schemas
def schema_root_not_object(view: SchemaView) -> Found:
    """The parameters of a function must be of type object.

    Evidence: google-genai 3.4.0, FunctionDeclaration.parameters; "parameters schema should be of type OBJECT".
    """
    return schemas.other_roots([node for node in tool_nodes(view) if node.strict], untyped=False)


RULES = (
    *errors(
        schema_unknown_keyword,
        array_items_missing,
        schema_enum_not_string,
        schema_required_undefined,
        schema_props_on_non_object,
        schema_root_not_object,
    ),
    *warnings(schema_additional_properties, schema_type_missing, object_properties_empty, schema_anyof_alongside),
)
