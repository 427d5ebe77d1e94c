"""What OpenAI's Chat Completions, and hosts of the same shape, refuse in tools, structured answers and fields' names."""

from __future__ import annotations

from collections import Counter

from ....codec.rules import schemas, spelling, tools
from ....codec.rules.rule import Rule, about_schemas, errors, fault, of_shape, warnings
from ....codec.rules.schemas import tool_nodes
from ....codec.rules.view import Found, SchemaView, View, object_of
from ....model.base import Json
from . import functions as openai_tools, hosts

_MOST = 128
_LONGEST = 64
_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})

_BODY = spelling.words(
    "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata",
    "modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options",
    "prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream",
    "stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options",
    # of hosts and their clients
    "best_of cache_control chat_template chat_template_kwargs clear_thinking enable_thinking extra_body extra_headers",
    "extra_query guided_json ignore_eos include_reasoning length_penalty min_p min_tokens models plugins prefix prompt_mode",
    "provider random_seed reasoning reasoning_format repetition_penalty route safe_prompt search_parameters search_settings",
    "session_id stop_token_ids structured_outputs suffix thinking thinking_budget timeout top_a top_k top_n trace transforms",
    "typical_p usage",
)
_MESSAGE = spelling.words(
    "annotations audio cache_control content function_call id images index name parsed partial phase prefix reasoning",
    "reasoning_content reasoning_details reasoning_signature refusal role signature thinking thinking_blocks token_ids tokens",
    "tool_call_id tool_calls tool_name type weight",
)
_FUNCTION = spelling.words("description name parameters response strict type cache_control input_schema")


@fault("tool-name-refused")
def tool_name_too_long(view: View) -> Found:
    """The name of a tool must have at most 64 characters.

    Evidence: the server's text "string too long. Expected a string with maximum length 64" (danny-avila/LibreChat#7435,
    nanbingxyz/5ire#403 for OpenAI and DeepSeek, NousResearch/hermes-agent#92659). OpenAI's own limit is 128 by now.
    """
    for tool in view.tools:
        if isinstance(tool.name, str) and len(tool.name) > _LONGEST:
            yield (
                tool.name_at,
                f"many hosts limit the name of a tool to {_LONGEST} characters; this one has {len(tool.name)}",
            )


@of_shape
def tool_shape_wrong(view: View) -> Found:
    """A tool must have its name and parameters inside `function`.

    Evidence: the server's text "Missing required parameter: 'tools[0].type'" (openai/openai-cookbook#1248).
    """
    for tool in view.tools:
        if tool.value.get("type", "function") in ("function", None) and "function" not in tool.value and "name" in tool.value:
            yield f"{tool.at}/function", "the name and parameters of a tool must be inside `function`"


def tools_too_many(view: View) -> Found:
    """A request must have at most 128 tools, and a message at most 128 calls.

    Evidence: the server's text "Invalid 'tools': array too long. Expected an array with maximum length 128"
    (zed-industries/zed#42393, musistudio/claude-code-router#686; openai/openai-dotnet#317 for calls). Other hosts take more.
    """
    named: Json = view.body.get("tools")
    if isinstance(named, list) and len(named) > _MOST:
        yield "/tools", f"many hosts take at most {_MOST} tools; the request has {len(named)}"
    for turn, count in Counter(call.turn for call in view.calls).items():
        if count > _MOST:
            yield (
                f"{view.turns[turn].at}/tool_calls",
                f"many hosts take at most {_MOST} tool calls in a message; this one has {count}",
            )


@fault("list-empty")
def tool_calls_empty(view: View) -> Found:
    """A message's list of calls must not be empty: leave it out.

    Evidence: the server's text "'messages[1].tool_calls': empty array. Expected an array with minimum length 1"
    (openai/openai-node#1341, chatboxai/chatbox#2079); other hosts may take it.
    """
    for turn in view.special:
        if turn.value.get("tool_calls") == []:
            yield f"{turn.at}/tool_calls", "`tool_calls` must not be empty: leave it out if there are none"


@fault("list-empty")
def empty_tools_array(view: View) -> Found:
    """A list of tools must not be empty: leave it out.

    Evidence: OpenAI's texts "Invalid 'tools': empty array. Expected an array with minimum length 1" (continuedev/continue#3370)
    and "[] is too short - 'tools'" (scottleibrand/slackAskBot#9; earendil-works/pi#3649 for DashScope); DeepSeek refuses it
    (runebookai/tome#87). Hugging Face and Ollama were recorded to accept it.
    """
    if view.body.get("tools") == []:
        yield "/tools", "`tools` must not be empty: leave it out if there are none"


@about_schemas
def object_schema_missing_properties(view: SchemaView) -> Found:
    """The schema of a tool's parameters must have properties, which may be an empty object.

    Evidence: the server's text "In context=(), object schema missing properties" (spring-projects/spring-ai#4776).
    """
    return schemas.objects_without_properties([node for node in tool_nodes(view) if node.root], empty=False)


def tool_choice_without_tools(view: View) -> Found:
    """A request with a tool choice or a setting of parallel calls must have tools.

    Evidence: the server's text "'tool_choice' is only allowed when 'tools' are specified" (writer/writer-framework#1013,
    dotnet/extensions#6827 for parallel_tool_calls). Mistral accepted auto.
    """
    if not view.body.get("tools"):
        for key in ("tool_choice", "parallel_tool_calls"):
            if view.body.get(key) is not None:
                yield f"/{key}", f"`{key}` needs `tools`: add tools, or leave it out"


@of_shape
@about_schemas
def response_format_shape(view: SchemaView) -> Found:
    """A response format must be an object whose `type` names a format; a schema must be inside its `json_schema`.

    Evidence: the server's text "Invalid value: 'object'. Supported values are: 'json_object', 'json_schema', and 'text'"
    (epuerta9/deep-research-py#19, openai-php/client#265).
    """
    form: Json = view.body.get("response_format")
    if isinstance(form, str):
        yield "/response_format", '`response_format` must be an object with a `type`, such as {"type": "json_object"}'
    elif isinstance(form, dict) and isinstance(form.get("type"), str) and form["type"] in _TYPES:
        yield (
            "/response_format/type",
            "`type` of `response_format` must be json_schema, json_object or text; a schema goes inside `json_schema`",
        )


def schema_name_missing(view: View) -> Found:
    """A response format of type json_schema must have a name in its `json_schema`.

    Evidence: the server's text "Missing required parameter: 'response_format.json_schema.name'" (edubruell/tidyllm#40 for
    Azure, databricks/databricks-ai-bridge#211); Perplexity was recorded to do without.
    """
    form = object_of(view.body, "response_format")
    schema: Json = form.get("json_schema")
    if form.get("type") == "json_schema" and isinstance(schema, dict) and schema.get("name") is None:
        yield "/response_format/json_schema", "OpenAI requires a `name` of the schema in `json_schema`: add one"


@about_schemas
def json_schema_missing(view: SchemaView) -> Found:
    """A response format of type json_schema must have the field `json_schema`, with its name and its schema.

    Evidence: the server's text "Missing required parameter: 'response_format.json_schema'" (livekit/agents#4588,
    sherifkozman/the-llm-council#8); vLLM failed before it refused it (vllm-project/vllm#35438, #35510). SGLang takes a schema
    beside the type.
    """
    form = object_of(view.body, "response_format")
    if form.get("type") == "json_schema" and not isinstance(form.get("json_schema"), dict):
        yield "/response_format", "a format of type json_schema must have `json_schema`, with a `name` and a `schema` inside"


@about_schemas
def json_schema_unavailable(view: SchemaView) -> Found:
    """A response format must not be of type json_schema for DeepSeek.

    Evidence: the server's text "This response_format type is unavailable now" (google/adk-python#1849, ItzCrazyKns/Vane#969).
    """
    if object_of(view.body, "response_format").get("type") == "json_schema":
        yield (
            "/response_format/type",
            "DeepSeek does not take json_schema: use json_object, and put the schema into the prompt or a strict tool",
        )


@fault("tool-repeated")
def tool_name_duplicate(view: View) -> Found:
    """Tools must have different names.

    Evidence: DeepSeek's text "Tool names must be unique" (decolua/9router#3333, liliMozi/openhanako#789), Gemini's "Duplicate
    function declaration found" (owndev/Open-WebUI-Functions#135). OpenAI and others take such lists.
    """
    return tools.repeated_names(view)


@about_schemas
def schema_required_undefined(view: SchemaView) -> Found:
    """The names that Gemini's functions require must be among their properties.

    Evidence: the server's texts "property is not defined" and "requires unspecified property" (Gitlawb/openclaude#82,
    MarkusPfundstein/mcp-obsidian#105).
    """
    return schemas.undefined_required(tool_nodes(view))


def object_properties_empty(view: View) -> Found:
    """An object in the parameters of Gemini's functions must have properties.

    Evidence: the server's text "properties: should be non-empty for OBJECT type", which many public files quote; parameters
    without any were recorded as accepted, so that only objects inside of them are looked at.
    """
    return schemas.objects_without_properties([node for node in tool_nodes(view) if not node.root])


def field_misspelt(view: View) -> Found:
    """An unknown field must not be a misspelling of a known one.

    Evidence: the fields of the SDK's types (openai 3.52.0), and what hosts of the same shape were recorded to take.
    """
    yield from spelling.misspelt([("", view.body)], _BODY)
    yield from spelling.misspelt(((turn.at, turn.value) for turn in view.special), _MESSAGE)
    functions = [(f"{tool.at}/function", object_of(tool.value, "function")) for tool in view.tools]
    yield from spelling.misspelt(functions, _FUNCTION)


_ERRORS = (
    openai_tools.schema_invalid,
    openai_tools.tool_choice_unknown,
    openai_tools.tool_name_pattern,
    response_format_shape,
    tool_shape_wrong,
)
_WARNINGS = (
    field_misspelt,
    object_schema_missing_properties,
    openai_tools.schema_root_combinator,
    openai_tools.schema_root_not_object,
    openai_tools.strict_additional_properties,
    openai_tools.strict_ref_siblings,
    openai_tools.strict_required_all,
    openai_tools.strict_schema_keyword,
    openai_tools.strict_schema_too_large,
    tool_calls_empty,
    tool_choice_without_tools,
    tool_name_too_long,
    tools_too_many,
)
_ITEMS = openai_tools.array_items_missing

RULES: tuple[Rule, ...] = (*errors(*_ERRORS), *warnings(*_WARNINGS, _ITEMS))
"""The rules of most hosts of the shape."""

OPENAI_RULES: tuple[Rule, ...] = (
    *RULES,
    *errors(openai_tools.schema_name_pattern),
    *warnings(empty_tools_array, schema_name_missing),
)
"""The rules of OpenAI, and of hosts that only their user knows."""

VLLM_RULES: tuple[Rule, ...] = (
    *errors(openai_tools.tool_choice_unknown, json_schema_missing, response_format_shape, tool_shape_wrong),
    *warnings(openai_tools.schema_invalid, openai_tools.tool_name_pattern, *_WARNINGS, _ITEMS),
)
"""The rules of vLLM, which takes any name of a tool, and looks at a schema where a call is demanded."""

SGLANG_RULES: tuple[Rule, ...] = (
    *errors(*(each for each in _ERRORS if each is not openai_tools.tool_name_pattern)),
    *warnings(openai_tools.tool_name_pattern, *_WARNINGS, _ITEMS),
)
DEEPSEEK_RULES: tuple[Rule, ...] = (
    *errors(*_ERRORS, empty_tools_array, json_schema_unavailable, tool_name_duplicate),
    *warnings(*_WARNINGS, _ITEMS),
)
XAI_RULES: tuple[Rule, ...] = (
    *errors(*_ERRORS, hosts.tool_choice_without_tools),
    *warnings(*(each for each in _WARNINGS if each is not tool_choice_without_tools), _ITEMS),
)
GEMINI_RULES: tuple[Rule, ...] = (
    *errors(*_ERRORS, _ITEMS, schema_required_undefined, tool_name_duplicate),
    *warnings(*_WARNINGS, object_properties_empty),
)
