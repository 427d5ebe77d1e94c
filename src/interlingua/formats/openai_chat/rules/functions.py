"""What OpenAI refuses in tools and structured answers, in Chat Completions and in the Responses API alike.

Many hosts have the shape of Chat Completions and fewer demands, so that most of these are errors in the Responses API alone.
"""

from __future__ import annotations

import re
from typing import Any

from ....codec.rules import schemas, tools
from ....codec.rules.rule import about_schemas, fault
from ....codec.rules.schemas import all_nodes, output_nodes, strict_nodes, tool_nodes
from ....codec.rules.view import Found, SchemaView, View, object_of
from ....model.base import Json
from ..schemas import STRICT, TOOL

_NAME = re.compile("[a-zA-Z0-9_-]{1,128}")
_ANSWER = re.compile("[a-zA-Z0-9_-]{1,64}")


def goes_on(body: dict[str, Any]) -> bool:
    """Whether a request to the Responses API continues what the server keeps, in which there may be more tools and messages."""
    return any(body.get(key) is not None for key in ("previous_response_id", "conversation", "prompt"))


@fault("tool-name-refused")
def tool_name_pattern(view: View) -> Found:
    """The name of a tool, in its definition or in a call, must have 1 to 128 letters, digits, underscores and hyphens.

    Evidence: the server's text "string does not match pattern '^[a-zA-Z0-9_-]+$'" (run-llama/llama_index#16093,
    mcp-use/mcp-use#90, github/copilot-cli#3394); the limit was 64, and 128 in measurements of October 2026.
    """
    return tools.unlike_names(view, _NAME)


def tool_choice_unknown(view: View) -> Found:
    """A tool choice must name a function among the tools.

    Evidence: the server's text "Tool choice '...' not found in 'tools' parameter", which many public files quote.
    """
    return tools.missing_choices(view, [] if goes_on(view.body) else tools.chosen_functions(view.body))


@about_schemas
def schema_root_not_object(view: SchemaView) -> Found:
    """The schema of a tool's parameters, and that of a strict answer, must be of type object.

    Evidence: the server's text "schema must be a JSON Schema of 'type:" object (browserbase/stagehand#1159,
    chatanywhere/GPT_API_free#403); Ollama accepted `{}`.
    """
    yield from schemas.other_roots(tool_nodes(view))
    yield from schemas.other_roots([node for node in output_nodes(view) if node.strict])


@about_schemas
def schema_root_combinator(view: SchemaView) -> Found:
    """The schema of a tool's parameters must not have oneOf, anyOf, allOf, enum or not at its root, strict or not.

    Evidence: the server's text "not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"
    (chatanywhere/GPT_API_free#403, langchain-ai/langchainjs#9804).
    """
    return schemas.combined_roots(tool_nodes(view), TOOL.not_at_root)


@fault("schema-name-refused")
@about_schemas
def schema_name_pattern(view: SchemaView) -> Found:
    """The name of an answer's schema must have 1 to 64 letters, digits, underscores and hyphens.

    Evidence: the server's text "Invalid 'response_format.json_schema.name': string does not match pattern"
    (dotnet/extensions#5504, pydantic/pydantic-ai#2271, neuron-core/neuron-ai#32); OpenAI's specification of both APIs.
    """
    of_chat = object_of(view.body, "response_format")
    of_responses = object_of(object_of(view.body, "text"), "format")
    for at, form, named in (
        ("/response_format/json_schema", of_chat, object_of(of_chat, "json_schema")),
        ("/text/format", of_responses, of_responses),
    ):
        name: Json = named.get("name")
        if form.get("type") == "json_schema" and isinstance(name, str) and not _ANSWER.fullmatch(name):
            yield f"{at}/name", "the name of an answer's schema must have 1 to 64 letters, digits, underscores and hyphens"


@about_schemas
def array_items_missing(view: SchemaView) -> Found:
    """Each array in a tool's schema must have items, strict or not.

    Evidence: the server's text "array schema missing items" (sigoden/aichat#1049, campfirein/byterover-cli#42 for lists of
    types, meilisearch/meilisearch-mcp#27 for the Responses API); other hosts accept it (langgenius/dify#32894).
    """
    return schemas.arrays_without_items(tool_nodes(view))


@about_schemas
def schema_invalid(view: SchemaView) -> Found:
    """The keywords of a schema must have values that JSON Schema allows.

    Evidence: the server's texts "[] is not of type 'object', 'boolean'" and "None is not of type 'array'" (yomorun/yomo#860,
    FoundationAgents/OpenManus#1162, apexive/odoo-llm#212).
    """
    return schemas.malformed(all_nodes(view), older=True)


@fault("schema-open")
@about_schemas
def strict_additional_properties(view: SchemaView) -> Found:
    """Each object in a strict schema must have additionalProperties: false.

    Evidence: recorded 4bc88d79178e0c4c, "'additionalProperties' is required to be supplied and to be false";
    openai/openai-agents-python#1023, google/adk-python#4039. OpenRouter accepted a schema without it.
    """
    return schemas.open_objects(strict_nodes(view))


@about_schemas
def strict_required_all(view: SchemaView) -> Found:
    """Each object in a strict schema must require all of its properties; an optional property must be nullable instead.

    Evidence: the server's text "'required' is required to be supplied and to be an array including every key in properties"
    (langchain-ai/langmem#113, laravel/ai#506, kevinwatt/mysql-mcp#5 for the Responses API).
    """
    return schemas.optional_properties(strict_nodes(view))


@about_schemas
def strict_schema_keyword(view: SchemaView) -> Found:
    """A strict schema must not have oneOf, allOf, not, if, patternProperties, uniqueItems or dependent properties.

    Evidence: the server's text "'oneOf' is not permitted" (ai-dynamo/dynamo#15153), OpenAI's guide on structured outputs as
    juspay/neurolink#1691 and saeedkolivand/ai-job-hunter-app#964 quote it.
    """
    return schemas.not_taken(strict_nodes(view), STRICT)


@about_schemas
def strict_ref_siblings(view: SchemaView) -> Found:
    """In a strict schema, a $ref must not have other keywords beside it.

    Evidence: the SDK's helper for strict schemas inlines such references, because they are refused (openai,
    `lib/_pydantic.py`); docker/docker-agent#4155. The server's text was not seen.
    """
    return schemas.references_with_siblings(strict_nodes(view))


@about_schemas
def strict_schema_too_large(view: SchemaView) -> Found:
    """A strict schema must have at most 5,000 properties, 10 levels, 1,000 enum values, 120,000 characters in names and values.

    Evidence: OpenAI's guide on structured outputs; the server's texts "144 parameters exceed the limit of 100" and "6 levels of
    nesting exceeds limit of 5" (openai/openai-node#1176, tidyverse/ellmer#671) are of the limits before. How levels are counted
    is not known: only objects count here.
    """
    return schemas.oversized(view, STRICT)
