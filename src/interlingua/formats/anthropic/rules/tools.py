"""What Anthropic's Messages API, and hosts of the same shape, refuse in tools, structured answers and fields' names."""

from __future__ import annotations

import re

from ....codec.rules import claude, schemas, spelling, tools
from ....codec.rules.rule import about_schemas, errors, fault, warnings
from ....codec.rules.schemas import strict_nodes, tool_nodes
from ....codec.rules.view import Found, SchemaView, View, object_of
from ..schemas import STRICT, TOOL

_NAME = re.compile("[a-zA-Z0-9_-]{1,128}")
_BODY = spelling.words(
    "anthropic_beta anthropic_version betas billing_policy cache_control compaction container context_management diagnostics",
    "fallback_credit_token fallbacks inference_geo max_tokens mcp_servers messages metadata model output_config output_format",
    "service_tier speed stop_sequences stream system temperature thinking thread tool_choice tools top_k top_p",
    "user_profile_id workspace_id",
    # of hosts and clients
    "extra_body extra_headers extra_query models plugins provider route timeout top_a user",
)
_MESSAGE = spelling.words("cache_control content id model role stop_reason type usage")
_TOOL = spelling.words(
    "allowed_callers allowed_domains allowed_tools blocked_domains cache_control caching citations configs default_config",
    "defer_loading description display_height_px display_number display_width_px eager_input_streaming enable_zoom",
    "input_examples input_schema max_characters max_content_tokens max_tokens max_uses mcp_server_name model name",
    "response_inclusion strict type url_sources use_cache user_location",
)
_OF_CHAT = (
    *("frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens", "n"),
    *("parallel_tool_calls", "presence_penalty", "reasoning_effort", "response_format", "seed", "stop", "stream_options"),
)
_OF_CHAT_MESSAGES = ("name", "tool_calls", "tool_call_id", "reasoning_content", "refusal")


@fault("tool-name-refused")
def tool_name_pattern(view: View) -> Found:
    """The name of a tool must have 1 to 128 letters, digits, underscores and hyphens.

    Evidence: the server's texts "String should match pattern" and "at most 128 characters" (anthropics/claude-code#96152,
    BerriAI/litellm#26788); the limit was 64 until 2025.
    """
    return tools.unlike_names(view, _NAME, calls=False)


@fault("tool-repeated")
def tool_name_duplicate(view: View) -> Found:
    """Tools must have different names, including those of the server.

    Evidence: the server's text "tools: Tool names must be unique" (tailcallhq/forgecode#892, anthropics/claude-code#10687,
    microsoft/vscode#276110).
    """
    return tools.repeated_names(view)


@about_schemas
def schema_root_not_object(view: SchemaView) -> Found:
    """The schema of a tool's input must be of type object.

    Evidence: the server's text "tools.0.custom.input_schema.type: Field required", which many public files quote; the SDK's
    type of `input_schema` (anthropic 2.12.0, `types/tool_param.py`).
    """
    return schemas.other_roots(tool_nodes(view))


@about_schemas
def schema_root_combinator(view: SchemaView) -> Found:
    """The schema of a tool's input must not have oneOf, allOf or anyOf at its root.

    Evidence: the server's text "input_schema does not support oneOf, allOf, or anyOf at the top level"
    (dearlordylord/huly-mcp#66, anthropics/claude-code#40075, langchain-ai/langchain#39271).
    """
    return schemas.combined_roots(tool_nodes(view), TOOL.not_at_root)


@about_schemas
def schema_invalid(view: SchemaView) -> Found:
    """The schema of a tool's input must be valid in JSON Schema 2020-12.

    Evidence: the server's text "JSON schema is invalid. It must match JSON Schema draft 2020-12"
    (anthropics/claude-code#7365, #8900, #9605, #63673).
    """
    return schemas.malformed(tool_nodes(view), older=False)


@fault("schema-open")
@about_schemas
def strict_additional_properties(view: SchemaView) -> Found:
    """Each object in the schema of a strict tool or of an answer must have additionalProperties: false.

    Evidence: the server's text "For 'object' type, 'additionalProperties' must be explicitly set to false", which many public
    files quote, for output_config.format and for strict tools.
    """
    return schemas.open_objects(strict_nodes(view))


@about_schemas
def strict_schema_keyword(view: SchemaView) -> Found:
    """The schema of a strict tool or of an answer must not have bounds of numbers or lists, nor oneOf, not, if or contains.

    Evidence: the server's texts "Schema type 'oneOf' is not supported" and "For 'integer' type, property 'minimum' is not
    supported", as a public test suite quotes them; pydantic-ai's cassettes for Bedrock.
    """
    return schemas.not_taken(strict_nodes(view), STRICT)


@about_schemas
def strict_schema_too_large(view: SchemaView) -> Found:
    """The strict schemas of a request together must have at most 24 optional properties, and 16 schemas of several types.

    Evidence: "Schema complexity limits" in the guide "Structured outputs" of platform.claude.com; the server's texts "Schemas
    contains too many optional parameters (25), ... (limit: 24)" and "too many parameters with union types (17 ... limit: 16
    ...)", which 0xPlaygrounds/rig has recorded. How the server counts references and schemas inside others is not known.
    """
    return claude.too_large_schemas(view)


@about_schemas
def strict_schema_too_complex(view: SchemaView) -> Found:
    """A single strict schema must have fewer optional properties and schemas of several types than a whole request may have.

    Evidence: the server's text "Schema is too complex for compilation", which 0xPlaygrounds/rig has recorded for one schema
    of 24 optional properties and one of 16 unions; in several schemas, as many were accepted. Smaller ones may be refused, too.
    """
    return claude.too_complex_schemas(view)


@about_schemas
def strict_schema_empty(view: SchemaView) -> Found:
    """Each schema inside a strict one must refuse some value: it must not be `true`, `{}`, or have annotations alone.

    Evidence: the server's texts "For 'object' type, property 'properties' is not supported" for `true`, which 0xPlaygrounds/rig
    has recorded (`boolean_true_subschema_is_rejected_by_strict_compiler`), "Empty schema that accepts any JSON value is not
    supported" for `{}`, and "Schema type is missing" (dxos/dxos#12752, and further public files).
    """
    return schemas.accepting_anything(strict_nodes(view))


@about_schemas
def strict_schema_recursive(view: SchemaView) -> Found:
    """The schema of a strict tool or of an answer must not refer to itself.

    Evidence: the server's text "Circular reference detected in schema definitions ... Self-referencing or mutually-referencing
    definitions are not supported" (egonSchiele/agency-lang#487, which saw OpenAI and Gemini take the same schema).
    """
    return schemas.recursive(view)


def strict_tools_too_many(view: View) -> Found:
    """A request must have at most 20 strict tools.

    Evidence: the server's text "Too many strict tools (21). The maximum number of strict tools supported is 20", which
    0xPlaygrounds/rig has recorded; "Schema complexity limits" in the guide "Structured outputs" of platform.claude.com.
    """
    return claude.too_many_strict_tools(view, "/tools")


def tool_choice_unknown(view: View) -> Found:
    """A tool choice must name a tool of the request.

    Evidence: the server's text "Tool 'web_search' not found in provided tools", which many public files quote, three of them as
    an answer of the server.
    """
    choice = object_of(view.body, "tool_choice")
    named = choice.get("type") == "tool" and not view.body.get("mcp_servers")
    return tools.missing_choices(view, [("/tool_choice/name", choice.get("name"))] if named else [])


def tool_choice_without_tools(view: View) -> Found:
    """A request with a tool choice must have tools.

    Evidence: the server's text "tool_choice may only be specified while providing tools", which many public files quote.
    """
    if view.body.get("tool_choice") is not None and not view.body.get("tools") and not view.body.get("mcp_servers"):
        yield "/tool_choice", "`tool_choice` needs `tools`: add tools, or leave it out"


def unknown_field(view: View) -> Found:
    """A request must not have settings of Chat Completions, nor its messages fields of Chat Completions.

    Evidence: the server's text "Extra inputs are not permitted" (langchain-ai/langchain#31208, anthropics/claude-code#4378,
    Aider-AI/aider#3367). Hosts of the same shape may take them.
    """
    for name in _OF_CHAT:
        if name in view.body:
            yield f"/{name}", f"`{name}` is a setting of Chat Completions: leave it out, or convert the request"
    for turn in view.turns:
        if len(turn.value) > 2:
            for name in _OF_CHAT_MESSAGES:
                if name in turn.value:
                    yield f"{turn.at}/{name}", f"`{name}` is a field of Chat Completions: leave it out, or convert the request"


def field_misspelt(view: View) -> Found:
    """An unknown field must not be a misspelling of a known one.

    Evidence: the fields of the SDK's types (anthropic 2.12.0), and what hosts of the same shape were recorded to take.
    """
    yield from spelling.misspelt([("", view.body)], _BODY)
    yield from spelling.misspelt(((turn.at, turn.value) for turn in view.turns), _MESSAGE)
    yield from spelling.misspelt(((tool.at, tool.value) for tool in view.tools), _TOOL)


RULES = (
    *errors(
        schema_invalid,
        schema_root_combinator,
        schema_root_not_object,
        strict_additional_properties,
        strict_schema_empty,
        strict_tools_too_many,
        tool_name_duplicate,
        tool_name_pattern,
    ),
    *warnings(
        field_misspelt,
        strict_schema_keyword,
        strict_schema_recursive,
        strict_schema_too_complex,
        strict_schema_too_large,
        tool_choice_unknown,
        tool_choice_without_tools,
        unknown_field,
    ),
)
"""The rules of every host of the shape."""
