"""What OpenAI's Chat Completions, and hosts of the same shape, refuse.

An error is what OpenAI and Azure were seen to refuse and what no other host of this shape was seen to accept. What some hosts
accept, and what depends on the model, is a warning. Dialects that are a library's spelling have the rules of every host.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ....codec.rules import pairing, surrogates, texts
from ....codec.rules.media import see_uri
from ....codec.rules.packed import packed_in
from ....codec.rules.rule import RuleSet, errors, fault, of_shape, warnings
from ....codec.rules.view import (
    Block,
    Call,
    Found,
    Media,
    OutputSchema,
    Result,
    Text,
    Thought,
    ToolDefinition,
    Turn,
    View,
    object_of,
    objects,
)
from ....errors import word
from ....model.base import Json
from ..base import NOT_IN_NAMES
from . import hosts as chat_hosts, media as chat_media, models, servers, settings as chat_settings, tools as chat_tools

# The view

_USUAL_ROLES = frozenset({"user", "assistant", "system"})
_RESULT = frozenset({"role", "content", "tool_call_id"})
_CALLS = frozenset({"role", "content", "tool_calls"})
_LONG = 1_048_576


def view(body: dict[str, Any]) -> View:
    """The view of a request's body. Most messages are only a text, calls or a result, and are recognised at once."""
    seen = View(body, _tools(body), _outputs(body), unseen_texts=_texts)
    for at, message in objects(body.get("messages"), "/messages"):
        stated: Json = message.get("role")
        role = stated if isinstance(stated, str) else None
        content: Json = message.get("content")
        turn = len(seen.turns)
        seen.turns.append(Turn(at, role, message))
        if isinstance(content, str):
            if len(content) > _LONG or not content.isascii():
                seen.wide.append(Text(f"{at}/content", content, turn))
            if len(message) == 2 and role in _USUAL_ROLES:
                continue
        elif isinstance(content, list):
            _see_parts(content, at, turn, seen)
        if role == "tool":
            seen.results.append(Result(at, turn, message.get("tool_call_id"), f"{at}/tool_call_id"))
            if isinstance(content, str) and message.keys() == _RESULT:
                continue
        elif role == "assistant":
            _see_assistant(message, at, turn, seen)
            if not isinstance(content, list) and message.keys() == _CALLS and message["tool_calls"]:
                continue
        seen.special.append(seen.turns[-1])
    return seen


def _tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The tools of a body."""
    return [_tool(tool, at) for at, tool in objects(body.get("tools"), "/tools")]


def _outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schema of a structured answer in a body."""
    answer = object_of(object_of(body, "response_format"), "json_schema")
    at = "/response_format/json_schema/schema"
    return [OutputSchema(answer["schema"], at, answer.get("strict") is True)] if "schema" in answer else []


def _see_parts(content: list[Json], at: str, turn: int, seen: View) -> None:
    for at_part, part in objects(content, f"{at}/content"):
        kind: Json = part.get("type")
        seen.parts.append(Block(at_part, turn, kind if isinstance(kind, str) else "", part))
        _see_part(part, kind, at_part, turn, seen)


def _see_assistant(message: dict[str, Any], at: str, turn: int, seen: View) -> None:
    if "tool_calls" in message:
        for at_call, call in objects(message["tool_calls"], f"{at}/tool_calls"):
            _see_call(call, at_call, turn, seen)
    if isinstance(thinking := message.get("reasoning_content"), str):
        seen.thoughts.append(Thought(f"{at}/reasoning_content", turn, None, {"thinking": thinking}))


def _see_part(part: dict[str, Any], kind: Json, at: str, turn: int, seen: View) -> None:
    if kind == "text":
        text: Json = part.get("text")
        if isinstance(text, str) and (len(text) > _LONG or not text.isascii()):
            seen.wide.append(Text(f"{at}/text", text, turn))
    elif kind == "image_url":
        image: Json = part.get("image_url")
        if isinstance(image, dict):
            see_uri(image.get("url"), "image", f"{at}/image_url/url", turn, seen)
        else:
            see_uri(image, "image", f"{at}/image_url", turn, seen)
    elif kind == "input_audio":
        audio = object_of(part, "input_audio")
        data: Json = audio.get("data")
        format: Json = audio.get("format")
        media_type = f"audio/{format}" if isinstance(format, str) else None
        seen.media.append(Media(f"{at}/input_audio", turn, "audio", media_type, data if isinstance(data, str) else None, None))
    elif kind == "file":
        see_uri(object_of(part, "file").get("file_data"), "file", f"{at}/file/file_data", turn, seen)


def _see_call(call: dict[str, Any], at: str, turn: int, seen: View) -> None:
    """A call of a function, of a custom tool, or in Verifiers' flat spelling."""
    function = call
    place = at
    key = "arguments"
    if "function" in call:
        function = object_of(call, "function")
        place = f"{at}/function"
    elif "custom" in call:
        function = object_of(call, "custom")
        place = f"{at}/custom"
        key = "input"
    arguments: Json = function.get(key)
    if isinstance(arguments, str) and not arguments.isascii():
        seen.wide.append(Text(f"{place}/{key}", arguments, turn))
    name: Json = function.get("name")
    signature: Json = None
    if "extra_content" in call:
        signature = object_of(object_of(call, "extra_content"), "google").get("thought_signature")
    seen.calls.append(Call(at, turn, call.get("id"), f"{at}/id", name, f"{place}/name", arguments, f"{place}/{key}", signature))


def _tool(tool: dict[str, Any], at: str) -> ToolDefinition:
    function = object_of(tool, "function")
    strict = function.get("strict") is True
    at_function = f"{at}/function"
    return ToolDefinition(
        at,
        function.get("name"),
        f"{at_function}/name",
        function.get("parameters"),
        f"{at_function}/parameters",
        strict,
        tool,
    )


def _texts(seen: View) -> Iterator[Text]:
    """All texts of the messages."""
    for index, turn in enumerate(seen.turns):
        content: Json = turn.value.get("content")
        if isinstance(content, str):
            yield Text(f"{turn.at}/content", content, index, turn.role == "tool")
    for part in seen.parts:
        if part.kind == "text" and isinstance(part.value.get("text"), str):
            yield Text(f"{part.at}/text", part.value["text"], part.turn, seen.turns[part.turn].role == "tool")


# Rules of messages


@of_shape
def no_messages(view: View) -> Found:
    """A request must have at least one message.

    Evidence: the server's text "Invalid 'messages': empty array. Expected an array with minimum length 1"
    (CopilotKit/CopilotKit#529, microsoft/agent-framework#2384).
    """
    if view.body.get("messages") == []:
        yield "/messages", "`messages` must not be empty"


_ROLES = frozenset({"developer", "system", "user", "assistant", "tool", "function"})


def role_invalid(view: View) -> Found:
    """The role of a message must be developer, system, user, assistant, tool or function.

    Evidence: the server's text "is not one of ['system', 'assistant', 'user', 'function'] - 'messages.21.role'"
    (lss233/kirara-ai#1028), to which OpenAI's specification adds developer and tool.
    """
    for turn in view.special:
        if turn.role is not None and turn.role not in _ROLES:
            yield (
                f"{turn.at}/role",
                f"the role must be developer, system, user, assistant, tool or function, not {word(turn.role)}",
            )


_INSTEAD_OF_CONTENT = (
    *("tool_calls", "function_call", "refusal", "audio"),
    # of other hosts
    *("reasoning", "reasoning_content", "reasoning_details", "thinking_blocks", "images"),
)
_NEED_CONTENT = frozenset({"developer", "system", "user", "assistant"})


@fault("content-null")
@of_shape
def content_null(view: View) -> Found:
    """A message must have content; an assistant message may have calls, a refusal, audio or reasoning instead.

    Evidence: the server's text "Invalid value for 'content': expected a string, got null" (docker/docker-agent#63,
    langchain-ai/langchainjs#4153, langgenius/dify#12881).
    """
    for turn in view.special:
        empty = turn.value.get("content") is None and turn.role in _NEED_CONTENT
        if empty and not (turn.role == "assistant" and any(map(turn.value.get, _INSTEAD_OF_CONTENT))):
            yield (
                f"{turn.at}/content",
                f"a message of role {word(turn.role)} must have content: give it some, or leave the message out",
            )


@fault("says-nothing")
def empty_message(view: View) -> Found:
    """A list of parts must not be empty, except beside calls, and a tool message must have content.

    Evidence: required, with minItems 1, in OpenAI's specification, which the server was seen not to enforce for the system
    (openai/openai-python#1812); Mistral was recorded to accept an empty list beside calls.
    """
    for turn in view.special:
        content: Json = turn.value.get("content")
        has_empty_list = content == [] and not turn.value.get("tool_calls")
        has_no_result = content is None and turn.role == "tool"
        if has_empty_list or has_no_result:
            yield (
                f"{turn.at}/content",
                f"a message of role {word(turn.role)} must have content: give it some, or leave the message out",
            )


_LONGEST_NAME = 64


@fault("participant-refused")
def message_name_pattern(view: View) -> Found:
    r"""The name of a message's author must not have white space or any of < | \ / >.

    Evidence: the server's text "Invalid 'messages[1].name': string does not match pattern", of 2026 with this pattern and
    before with letters, digits, _ and - alone (langchain-ai/langchain#35054, ag2ai/ag2#451, dotnet/extensions#6827).
    """
    for turn in view.special:
        name: Json = turn.value.get("name")
        is_refused = isinstance(name, str) and (name == "" or NOT_IN_NAMES.search(name))
        if is_refused and turn.role != "tool":
            yield (
                f"{turn.at}/name",
                "the name of an author must not be empty, and must not have white space or any of < | \\ / >",
            )


def message_name_too_long(view: View) -> Found:
    """The name of a message's author must have at most 64 characters.

    Evidence: the pattern "^[a-zA-Z0-9_-]{1,64}$" in texts of the server until 2024; it was widened since.
    """
    for turn in view.special:
        name: Json = turn.value.get("name")
        if isinstance(name, str) and len(name) > _LONGEST_NAME:
            yield (
                f"{turn.at}/name",
                f"the name of an author must have at most {_LONGEST_NAME} characters; this one has {len(name)}",
            )


@of_shape
def function_name_missing(view: View) -> Found:
    """A message of role function must have the name of the function.

    Evidence: the server's text "messages with role 'function' must have a 'name'" (langchain-ai/langchainjs#6570,
    open-compass/T-Eval#66).
    """
    for turn in view.special:
        if turn.role == "function" and not turn.value.get("name"):
            yield f"{turn.at}/name", "a message of role function must have the `name` of the function"


_RESPONSE_FIELDS = frozenset({"parsed", "context", "id", "date"})


def extra_field_refused(view: View) -> Found:
    """A message must not have fields that only objects of an SDK have, such as parsed or context.

    Evidence: "Additional properties are not allowed ('parsed' was unexpected)" on Azure (microsoft/azurechat#503,
    lucgagan/auto-playwright#50); OpenAI accepts some unknown fields.
    """
    for turn in view.special:
        if turn.role in _ROLES and not _RESPONSE_FIELDS.isdisjoint(turn.value):
            for name in sorted(_RESPONSE_FIELDS.intersection(turn.value)):
                yield f"{turn.at}/{name}", f"messages of requests must not have `{name}`, which only answers have: leave it out"


_MOST_MESSAGES = 2048


def messages_too_many(view: View) -> Found:
    """A request must have at most 2048 messages.

    Evidence: the server's text "Invalid 'messages': array too long. Expected an array with maximum length 2048"
    (obot-platform/obot#1009, of 2024).
    """
    if len(view.turns) > _MOST_MESSAGES:
        yield "/messages", f"a request must have at most {_MOST_MESSAGES} messages; it has {len(view.turns)}"


def text_too_long(view: View) -> Found:
    """A text must have at most 1048576 characters.

    Evidence: the server's text "string too long. Expected a string with maximum length 1048576" (gptscript-ai/clio#41, of
    2024); the Responses API takes ten times as many (VectorlyApp/bluebox#31).
    """
    return texts.too_long(view.wide, _LONG)


def lone_surrogate(view: View) -> Found:
    """A text must not contain a lone surrogate, such as half of an emoji.

    Evidence: "unexpected end of hex escape" on DeepSeek (esengine/DeepSeek-Reasonix#1906,
    JohnnyZ93/oai-compatible-copilot#206) and Cerebras (elizaOS/eliza#18079); OpenAI's parser too (anomalyco/opencode#17758).
    """
    yield from texts.lone_surrogates(view.wide)
    yield from surrogates.broken_strings((f"/{key}", value) for key, value in view.body.items() if key != "messages")


# Rules of calls and results


@fault("call-without-result")
def call_without_result(view: View) -> Found:
    """Every tool call must have its result in the tool messages directly after its message.

    Evidence: the server's text "must be followed by tool messages responding to each 'tool_call_id'" (agno-agi/agno#3105,
    BerriAI/litellm#10083); DeepSeek's "insufficient tool messages", where a message stood between too (gptme/gptme#3421).
    """
    return pairing.unanswered(view)


@fault("result-without-call")
def result_without_call(view: View) -> Found:
    """A tool message must answer a call of the assistant message before its run of tool messages.

    Evidence: the server's text "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
    (itmisx/deepx-code#94, FoundationAgents/OpenManus#23).
    """
    return pairing.orphans(view)


@fault("result-repeated")
def result_duplicate(view: View) -> Found:
    """A tool call must have only one result.

    Evidence: the server's text "Duplicate value for 'tool_call_id'" (agno-agi/agno#5116, fatwang2/search2ai#30).
    """
    return pairing.repeated_results(view, run=True)


@fault("id-missing")
@of_shape
def tool_call_id_missing(view: View) -> Found:
    """A tool message must have the id of the call that it answers.

    Evidence: the server's text "messages with role 'tool' must have a 'tool_call_id'" (langchain-ai/langchain#22600,
    run-llama/multi-agent-concierge#16).
    """
    for result in view.results:
        if result.id is None:
            yield result.id_at, "a tool result must have `tool_call_id`: set it to the id of its call"


def call_id_missing(view: View) -> Found:
    """A tool call must have an id.

    Evidence: required in OpenAI's specification; hosts that make no ids, such as Ollama, accept calls without.
    """
    for call in view.calls:
        if call.id is None or call.id == "":
            yield call.id_at, "a tool call must have an `id`: give the call and its result the same id"


@fault("id-repeated")
def tool_id_duplicate(view: View) -> Found:
    """The calls of one message must have different ids.

    Evidence: "duplicate tool_call_id" of OpenAI-compatible APIs (openclaw/openclaw#40996), and "tool call result does not
    follow tool call" (can1357/oh-my-pi#2055).
    """
    for made in pairing.by_turn(view)[0].values():
        yield from pairing.repeated_ids(made)


_LONGEST_ID = 64


@fault("id-refused")
def tool_call_id_too_long(view: View) -> Found:
    """The id of a tool call must have at most 64 characters.

    Evidence: the server's text "tool_calls[0].id': string too long. Expected a string with maximum length 40"
    (microsoft/autogen#6377, BerriAI/litellm#17343); 64 since 2026 (openclaw/openclaw#875, jin-bo/agentao#321).
    """
    ids = [*((call.id, call.id_at) for call in view.calls), *((result.id, result.id_at) for result in view.results)]
    for id, at in ids:
        if isinstance(id, str) and len(id) > _LONGEST_ID:
            yield at, f"the id of a tool call must have at most {_LONGEST_ID} characters; this one has {len(id)}"


@fault("written-otherwise")
@of_shape
def arguments_not_string(view: View) -> Found:
    """The arguments of a call must be a string that contains JSON.

    Evidence: the server's texts "Invalid type for 'messages[2].tool_calls[0].function.arguments': expected a string, but got an
    object instead" (aaif-goose/goose-mobile#20) and "Missing required parameter:
    'messages[1].tool_calls[1].function.arguments'" (mark3labs/mcphost#117).
    """
    for call in view.calls:
        if isinstance(call.arguments, dict):
            yield call.arguments_at, "the arguments of a tool call must be a string of JSON, not an object"
        elif call.arguments is None and call.arguments_at.endswith("/function/arguments"):
            yield call.arguments_at, 'a tool call must have arguments: "{}" if the function needs none'


def call_shape_wrong(view: View) -> Found:
    """A call must have its name and arguments in the field function, and must have a type.

    Evidence: ChatCompletionMessageToolCall in OpenAI's specification requires type and function; Verifiers has flat calls.
    """
    for call in view.calls:
        if call.name_at == f"{call.at}/name":
            yield call.at, "the name and arguments of a tool call must be inside `function`"


packed_value = packed_in(
    "thinking_blocks/*/signature",
    "thinking_blocks/*/data",
    "reasoning_details/*/signature",
    "reasoning_details/*/data",
    "content/*/signature",
    "extra_content/google/thought_signature",
    "provider_specific_fields/thought_signatures/*",
    "tool_calls/*/extra_content/google/thought_signature",
    "tool_calls/*/provider_specific_fields/thought_signature",
    "tool_calls/*/function/provider_specific_fields/thought_signature",
)

_FOR_ALL = errors(
    packed_value,
    no_messages,
    result_duplicate,
    tool_call_id_missing,
    lone_surrogate,
    chat_media.part_type_missing,
    chat_media.image_data_invalid,
    chat_settings.number_out_of_range,
)

_ADJACENT = errors(call_without_result, result_without_call)
"""The rules of servers that refuse a result which does not directly follow its call."""

_COMPATIBLE = (
    *_FOR_ALL,
    *errors(chat_hosts.call_without_result, chat_hosts.result_without_call),
    *warnings(chat_hosts.result_far_from_call, chat_media.media_missing),
)
"""The rules of hosts that were not seen to refuse such a result."""

_OPENAI = (
    *errors(
        role_invalid,
        content_null,
        message_name_pattern,
        function_name_missing,
        tool_id_duplicate,
        arguments_not_string,
        chat_media.file_data_format,
        chat_media.image_url_scheme,
    ),
    *warnings(
        tool_call_id_too_long,
        chat_settings.json_object_needs_word,
        chat_settings.stream_options_without_stream,
        empty_message,
        message_name_too_long,
        extra_field_refused,
        messages_too_many,
        text_too_long,
        call_id_missing,
        call_shape_wrong,
        chat_media.part_type_unsupported,
        chat_media.refusal_not_alone,
        chat_media.image_url_not_object,
        chat_media.image_url_unreachable,
        chat_media.media_not_in_user,
        chat_media.media_type_unsupported,
        chat_media.image_too_large_bytes,
        chat_settings.max_tokens_twice,
        chat_settings.max_tokens_too_small,
        chat_settings.metadata_without_store,
        chat_settings.metadata_too_large,
        chat_settings.top_logprobs_without_logprobs,
        chat_settings.audio_settings_missing,
        chat_settings.stop_too_many,
        chat_settings.setting_too_long,
    ),
)

_DEEPSEEK = (
    *_FOR_ALL,
    *_ADJACENT,
    *errors(
        chat_hosts.role_invalid,
        chat_hosts.assistant_empty,
        chat_hosts.modality_unsupported_image,
        chat_hosts.forced_tool_choice_in_thinking,
        chat_settings.stream_options_without_stream,
        chat_settings.json_object_needs_word,
    ),
    *warnings(chat_hosts.reasoning_content_missing, chat_hosts.content_must_be_string, chat_hosts.thinking_not_disabled),
)

_OPENROUTER = (
    *_COMPATIBLE,
    *errors(role_invalid, chat_hosts.reasoning_effort_and_budget),
    *warnings(chat_hosts.cache_marks_too_many, chat_hosts.reasoning_and_effort),
    *warnings(chat_hosts.thinking_budget_range, chat_hosts.user_too_long),
)

_GEMINI = (
    *_COMPATIBLE,
    *warnings(chat_hosts.thought_signature_missing, chat_hosts.json_mode_with_tools, chat_hosts.openai_field_unknown),
)

_GROQ = (
    *_COMPATIBLE,
    *errors(role_invalid, chat_hosts.message_field_refused, chat_hosts.host_field_unknown, chat_hosts.choices_too_many),
    *warnings(chat_hosts.result_not_string, chat_hosts.setting_unsupported, chat_hosts.response_format_with_tools),
)

_XAI = (*_COMPATIBLE, *errors(chat_hosts.message_without_content), *warnings(chat_hosts.penalty_or_stop_refused))

_PAIRING = (result_duplicate, tool_call_id_missing, chat_hosts.call_without_result, chat_hosts.result_without_call)
_SERVED = (
    *errors(packed_value, no_messages, lone_surrogate, chat_media.image_data_invalid),
    *errors(servers.number_out_of_range),
    *warnings(*_PAIRING, chat_hosts.result_far_from_call),
    *warnings(servers.system_not_first, servers.roles_must_alternate, servers.arguments_not_object),
)
"""The rules of servers that leave it to the model's chat template which results answer which calls."""

_VLLM = (
    *_SERVED,
    *errors(servers.part_type_missing, servers.tool_choice_alone, servers.server_setting_alone, chat_tools.empty_tools_array),
    *errors(servers.structured_outputs_not_one, servers.structured_outputs_with_tool, servers.continued_and_prompted),
    *warnings(servers.guided_field_ignored, chat_settings.stop_too_many),
)

_OPENAI_ALONE = (
    *errors(chat_media.filename_missing, chat_media.media_missing, chat_tools.json_schema_missing),
    *errors(chat_settings.number_not_integer, models.effort_with_tools_on_chat),
    *warnings(models.reasoning_with_tools_on_chat, models.cache_mark_refused, models.sampling_with_reasoning),
)
_SGLANG = (
    *_SERVED,
    *errors(chat_media.part_type_missing, chat_media.media_missing),
    *errors(servers.tool_demanded_alone, servers.setting_null, servers.role_unknown, servers.constraint_twice),
    *warnings(servers.constraint_with_tool),
)

rule_set = partial(RuleSet, view, tools=_tools, outputs=_outputs)
"""The rules of a host of this shape."""

RULES = {
    "openai_chat": rule_set((*_FOR_ALL, *_ADJACENT, *_OPENAI, *_OPENAI_ALONE, *chat_tools.OPENAI_RULES)),
    "deepseek": rule_set((*_DEEPSEEK, *chat_tools.DEEPSEEK_RULES)),
    "openrouter": rule_set((*_OPENROUTER, *chat_tools.RULES)),
    "gemini_openai": rule_set((*_GEMINI, *chat_tools.GEMINI_RULES)),
    "groq": rule_set((*_GROQ, *chat_tools.RULES)),
    "xai": rule_set((*_XAI, *chat_tools.XAI_RULES)),
    "huggingface": rule_set((*_COMPATIBLE, *chat_tools.RULES)),
    "vllm": rule_set((*_VLLM, *chat_tools.VLLM_RULES)),
    "sglang": rule_set((*_SGLANG, *chat_tools.SGLANG_RULES)),
    **{name: rule_set((*_COMPATIBLE, *chat_tools.RULES)) for name in ("verifiers", "litellm", "openhands", "clacky")},
}
"""The rules of each host's format, by its name."""

OTHERS = rule_set((*_COMPATIBLE, *_OPENAI, *chat_tools.OPENAI_RULES))
"""The rules of a host that only its user knows."""
