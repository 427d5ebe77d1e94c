"""What OpenAI's Responses API refuses in the settings, tools and fields of a request."""

from __future__ import annotations

from ....codec.rules import settings, spelling
from ....codec.rules.rule import about_schemas, errors, of_shape, warnings
from ....codec.rules.view import Found, SchemaView, View, object_of, objects
from ....errors import word
from ....model.base import Json
from ...openai_chat.rules import functions as openai_tools, models, settings as chat_settings

_MOVED = {
    "reasoning_effort": "reasoning.effort",
    "response_format": "text.format",
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    "messages": "input",
    "verbosity": "text.verbosity",
}
_OF_CHAT = ("audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "modalities", "n")
_OF_CHAT_TOO = ("prediction", "presence_penalty", "seed", "stop", "web_search_options")
_LIMITS: settings.Limits = {"temperature": (0, 2), "top_p": (0, 1), "top_logprobs": (0, 20)}
_FEWEST = 16

_BODY = spelling.words(
    "access_programs background background_options context_management conversation image include input instructions",
    "max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt",
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream",
    "stream_options temperature text tool_choice tools top_logprobs top_p truncation user",
    # of hosts and clients
    "extra_body extra_headers extra_query max_tokens min_p models plugins provider route session_id timeout top_a top_k",
    " ".join((*_MOVED, *_OF_CHAT, *_OF_CHAT_TOO)),
)
_ITEM = spelling.words(
    "acknowledged_safety_checks action actions annotations approval_request_id approve arguments async call_id caller code",
    "container_id content created_by encrypted_content environment error execution fingerprint id image_url input logprobs",
    "max_output_length moderation name namespace operation output output_format outputs partial pending_safety_checks phase",
    "prefix quality queries reason reasoning refusal result results revised_prompt role server_label size status summary",
    "svg_usage text tool_call_id tool_calls tools type metadata cache_control",
)
_TOOL = spelling.words(
    "action allowed_callers allowed_domains allowed_tools async authorization background cache_control connector_id container",
    "defer_loading description display_height display_width environment execution external_web_access filters format function",
    "headers input_fidelity input_image_mask max_num_results model moderation name output_compression output_format",
    "output_schema parameters partial_images quality ranking_options require_approval search_content_types",
    "search_context_size server_description server_label server_url size strict tools tunnel_id type user_location",
    "vector_store_ids",
)


def responses_param_moved(view: View) -> Found:
    """A request must have the Responses API's names of settings, not those of Chat Completions.

    Evidence: the server's text "Unsupported parameter: 'reasoning_effort'. In the Responses API, this parameter has moved to
    'reasoning.effort'" (lobehub/lobehub#8163).
    """
    for old, new in _MOVED.items():
        if old in view.body:
            yield f"/{old}", f"`{old}` is a setting of Chat Completions: in the Responses API, use `{new}`"


def responses_param_unknown(view: View) -> Found:
    """A request must not have settings that only Chat Completions has.

    Evidence: OpenAI's specification of the Responses API has none of them; other hosts may.
    """
    for name in (*_OF_CHAT, *_OF_CHAT_TOO):
        if name in view.body:
            yield f"/{name}", f"the Responses API does not have `{name}`: leave it out"


def responses_max_output_min(view: View) -> Found:
    """max_output_tokens must be at least 16.

    Evidence: recorded 00adffb6d7ba915a, "integer below minimum value. Expected a value >= 16". Other hosts may take less.
    """
    most: Json = view.body.get("max_output_tokens")
    if type(most) is int and most < _FEWEST:
        yield "/max_output_tokens", f"OpenAI requires `max_output_tokens` of at least {_FEWEST}; this is {most}"


def number_out_of_range(view: View) -> Found:
    """`temperature` must be from 0 to 2, `top_p` from 0 to 1, and `top_logprobs` from 0 to 20.

    Evidence: recorded 2cd5c97f55333957, "Invalid 'temperature': decimal below minimum value"; OpenAI's specification.
    """
    return settings.out_of_range(view.body, _LIMITS)


def response_and_conversation(view: View) -> Found:
    """A request must not continue both an earlier response and a conversation.

    Evidence: OpenAI's specification of previous_response_id: "Cannot be used in conjunction with `conversation`".
    """
    return settings.both(view.body, "conversation", "previous_response_id")


def no_messages(view: View) -> Found:
    """The input must not be empty, unless the request continues something or names a prompt.

    Evidence: LiteLLM refuses to send an empty input; the server's text was not seen.
    """
    if view.body.get("input") in ("", []) and not openai_tools.goes_on(view.body):
        yield "/input", "`input` must not be empty"


def json_object_needs_word(view: View) -> Found:
    """With a text format of type json_object, the input must contain the word JSON.

    Evidence: the server's text "must contain the word 'json' in some form" (meta-llama/PurpleLlama#94,
    0zd3m1r/koreader-xray-plugin#18).
    """
    if object_of(object_of(view.body, "text"), "format").get("type") != "json_object":
        return
    if openai_tools.goes_on(view.body):
        return
    if not any("json" in text.text.lower() for text in view.texts):
        yield "/text/format", "for a format of type json_object, a text must contain the word JSON: ask for JSON in the prompt"


@of_shape
@about_schemas
def response_format_shape(view: SchemaView) -> Found:
    """A text format of type json_schema must have its name and schema beside its type.

    Evidence: OpenAI's specification, which requires both; in Chat Completions they are inside json_schema.
    """
    form = object_of(object_of(view.body, "text"), "format")
    if form.get("type") == "json_schema":
        for key in ("name", "schema"):
            if form.get(key) is None:
                yield "/text/format", f"a format of type json_schema must have a `{key}` beside its type"


@of_shape
def tool_shape_wrong(view: View) -> Found:
    """A function tool must have its name and parameters beside its type.

    Evidence: the server's text "Missing required parameter: 'tools[0].name'" (microsoft/autogen#6935,
    GCWing/OpenBitFun#806); in Chat Completions they are inside `function`.
    """
    for tool in view.tools:
        if "function" in tool.value and "name" not in tool.value:
            yield f"{tool.at}/name", "the name and parameters of a function must be beside its `type`, not inside `function`"


def tool_choice_without_tools(view: View) -> Found:
    """A request whose tool choice forces a call must have tools.

    Evidence: the server's texts "'tool_choice' is only allowed when 'tools' are specified" and "Tool choice '...' not found in
    'tools' parameter", which many public files quote; auto without tools was recorded as accepted.
    """
    choice: Json = view.body.get("tool_choice")
    forced = isinstance(choice, dict) or choice == "required"
    has_tools = view.body.get("tools") or view.tools
    if forced and not has_tools and not openai_tools.goes_on(view.body):
        yield "/tool_choice", "a `tool_choice` that forces a tool needs `tools`: add tools, or leave it out"


def tool_with_minimal_effort(view: View) -> Found:
    """With minimal reasoning effort, a request must not have a tool that searches the web.

    Evidence: the server's text "The following tools cannot be used with reasoning.effort 'minimal': web_search"
    (openai/codex#3559).
    """
    if object_of(view.body, "reasoning").get("effort") == "minimal":
        for at, tool in objects(view.body.get("tools"), "/tools"):
            kind: Json = tool.get("type")
            if isinstance(kind, str) and kind.startswith("web_search"):
                yield (
                    at,
                    (
                        f"with minimal reasoning effort, a tool of type {word(kind)} "
                        "is refused: raise the effort, or leave the tool out"
                    ),
                )


def field_misspelt(view: View) -> Found:
    """An unknown field must not be a misspelling of a known one.

    Evidence: the fields of the SDK's types (openai 3.52.0), and what hosts of the API were recorded to take.
    """
    yield from spelling.misspelt([("", view.body)], _BODY)
    yield from spelling.misspelt(((turn.at, turn.value) for turn in view.special), _ITEM)
    yield from spelling.misspelt(((tool.at, tool.value) for tool in view.tools), _TOOL)


RULES = (
    *errors(
        number_out_of_range,
        openai_tools.schema_invalid,
        openai_tools.schema_name_pattern,
        openai_tools.tool_choice_unknown,
        openai_tools.tool_name_pattern,
        response_and_conversation,
        response_format_shape,
        responses_param_moved,
        tool_choice_without_tools,
        tool_shape_wrong,
    ),
    *warnings(
        chat_settings.metadata_too_large,
        chat_settings.setting_too_long,
        models.cache_mark_refused,
        models.sampling_with_reasoning,
        field_misspelt,
        json_object_needs_word,
        no_messages,
        openai_tools.array_items_missing,
        openai_tools.schema_root_combinator,
        openai_tools.schema_root_not_object,
        openai_tools.strict_additional_properties,
        openai_tools.strict_ref_siblings,
        openai_tools.strict_required_all,
        openai_tools.strict_schema_keyword,
        openai_tools.strict_schema_too_large,
        responses_max_output_min,
        responses_param_unknown,
        tool_with_minimal_effort,
    ),
)
