"""How the hosts of the Chat Completions shape differ, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ...codec.limits import LONGEST_USER

# The fields that OpenAI documents and that have no canonical form (openai 3.52.0). `random_seed` is another name of `seed`;
# each host has one of the two.
REQUEST_FIELDS = frozenset(
    "audio frequency_penalty function_call functions logit_bias logprobs modalities moderation n prediction presence_penalty "
    "prompt_cache_key prompt_cache_options prompt_cache_retention random_seed safety_identifier seed service_tier store "
    "stream_options tool_choice top_logprobs verbosity web_search_options response_format stop".split()
)
LONGEST_USER_OF_OPENROUTER = 128
"""The most characters of `user` at OpenRouter; the rule `user-too-long` names the evidence."""
REFUSED_BY_GEMINI = frozenset("frequency_penalty metadata prompt_cache_key seed store web_search_options".split())
"""The fields that Google's endpoint of this shape refuses; the rule `openai-field-unknown` names the evidence."""
STANDARD_ONLY = {"standard_only": "default", "on_demand": "default"}
"""What hosts call standard capacity alone, for which the shared word is `default`.

At Mistral and Anthropic, it is `standard_only`; at Groq, `on_demand` (groq 1.7.0, `completion_create_params.py`).
"""
REASONING_TEXTS = ("reasoning_content", "reasoning", "reasoning_text")
"""The fields of messages and deltas with reasoning as text, at any host.

`reasoning_text` is that of GitHub Copilot (ericc-ch/copilot-api#152, earendil-works/pi#1502).
"""


@dataclass(frozen=True)
class ChatProfile:
    """How one host uses the Chat Completions shape, for `format_for`; the defaults are OpenAI's API."""

    reasoning: (
        Literal["reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks", "content"] | None
    ) = None
    """The field of an assistant message that has its reasoning; None if the host has no such field.

    In `content`, reasoning comes first, as parts whose `thinking` is a list of texts.
    """
    reasoning_texts: tuple[str, ...] = REASONING_TEXTS
    """The fields of an assistant message that are read as reasoning text."""
    reasoning_stand_in: str | None = None
    """The `reasoning_content` to send if another provider's message has tool calls and no reasoning; None sends none.

    Some hosts with thinking enabled refuse such a message otherwise: DeepSeek and Kimi do.
    """
    tool_calls: Literal["nested", "flat"] = "nested"
    arguments: Literal["text", "object"] = "text"
    """Whether the arguments of a call are JSON text or an object."""
    whole_calls: bool = False
    """Whether a stream sends each tool call whole, in one chunk."""
    id_length: int | None = None
    """The number of letters and digits in a tool call's id; None if the host accepts any id."""
    custom_tools: bool = True
    """Whether the host has custom tools, whose input is free text; if not, their calls become function calls."""
    allowed_tools: bool = True
    """Whether a tool choice may limit the model to some of the tools."""
    web_search: bool = False
    """Whether another provider's request may turn web search on, as OpenAI's search models and some gateways accept."""
    server_tools: bool = False
    """Whether another provider's web search and web fetch become tools of the host, as at OpenRouter."""
    schema_required: bool = False
    """Whether a function must have `parameters`."""
    functions: bool = True
    """Whether an answer's `function_call` is sent as such, with a result of role `function`; if not, as `tool_calls`."""
    content: Literal["keep", "string", "list"] = "keep"
    """How content is written: as it was loaded, as one string if it is text alone, or always as a list."""
    string_roles: frozenset[str] = frozenset()
    """The roles of messages whose content must be a string."""
    empty_content: Literal["absent", "null", "empty", "null_beside_calls", "absent_beside_calls"] = "null"
    """The `content` of an assistant message without text; `null_beside_calls` is null beside calls, and else an empty text.

    With `absent_beside_calls`, a message with calls has no content, and any other an empty text.
    """
    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = "prompt_cache_breakpoint"
    """The field that marks a content part for the cache; None if the host has none."""
    text_beside_blocks: bool = False
    """Whether answers have the text of their blocks beside these, too.

    It is in `reasoning_content` at LiteLLM (docs.litellm.ai, reasoning content), and in `reasoning` beside `reasoning_details`.
    """
    message_cache: bool = False
    """Whether messages and calls may have `cache_control` too (litellm 1.110.2)."""
    tool_cache: bool = False
    """Whether tools may have a cache mark too, even where messages may not (OpenRouter's SDK, `ChatFunctionTool`)."""
    names: bool = True
    """Whether messages may have the `name` of their author."""
    free_names: bool = False
    r"""Whether `name` may have any characters. If not, white space and each of < | \ / > becomes an underscore."""
    tool_name: bool = False
    """Whether tool messages may have the `name` of the tool."""
    names_results: bool = False
    """Whether a tool message without a name gets the name of its call."""
    developer: bool = True
    """Whether the host accepts the role `developer`; if not, it becomes `system`."""
    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_completion_tokens"
    seed_field: Literal["seed", "random_seed"] = "seed"
    least_seed: int | None = None
    """The smallest seed that the host accepts, or None if it accepts any."""
    most_temperature: float | None = 2
    """The highest temperature that the host accepts, or None if it accepts any."""
    tiers: frozenset[str] = frozenset({"auto", "default", "flex", "scale", "priority", "fast"})
    """The service tiers that a request may ask for, unless the host is `open`."""
    most_stops: int | None = 4
    """The largest number of stop sequences that the host accepts, which may be 0; None if it has no limit."""
    most_choices: int = 128
    """The largest number of answers that a request may ask for with `n`."""
    user: bool = True
    """Whether a request may have a `user`."""
    longest_user: int | None = LONGEST_USER
    """The most characters that `user` may have; None if there is no limit."""
    metadata_without_store: bool = False
    """Whether a request may have `metadata` without `store: true`; the rule `metadata-without-store` names the evidence."""
    any_tool_name: bool = False
    """Whether the name of a tool may have any characters, as at vLLM and SGLang."""
    reasoning_with_tools: bool = False
    """Whether all models may reason beside function tools; the rule `effort-with-tools-on-chat` names the evidence."""
    sampling: Literal["always", "without_reasoning", "never"] = "without_reasoning"
    """When the host takes a temperature, `top_p` and penalties; `without_reasoning` covers `logit_bias` and logprobs, too.

    The rules `sampling-with-reasoning` and `sampling-fixed` name the evidence.
    """
    format_with_tools: bool = True
    """Whether an answer may have to be JSON beside tools; the rule `json-format-with-tools` names the evidence."""
    lone_refs: bool = False
    """Whether in schemas of tools, `$ref` must stand alone and `items` be one schema, as at Moonshot."""
    mixed_strictness: bool = True
    """Whether strict tools may stand beside others; the rule `strict-mixed` names the evidence."""
    answer_schemas: bool = True
    """Whether an answer may have to follow a schema; if not, it can only have to be a JSON object."""
    automatic_caching: bool = False
    """Whether a request may have a `cache_control` of its own, with which the host marks the last block."""
    efforts: frozenset[str] | None = None
    """The reasoning efforts that the host accepts, the nearest of which is sent for any other; None if it accepts all."""
    reasoning_settings: bool = False
    """Whether a request has its effort, or its budget as `max_tokens`, in an object `reasoning`, as at OpenRouter."""
    shows_reasoning: bool = False
    """Whether answers have the text of the reasoning, although the request does not ask for it."""
    thinking_mode: bool = False
    """Whether the model thinks unless `thinking` is `{"type": "disabled"}`, and must not be forced to call a tool then."""
    named_in_thinking: bool = True
    """Whether a tool choice may name a tool while the model thinks; the rule `named-tool-in-thinking` has the evidence."""
    forced_beside_format: bool = True
    """Whether a tool choice may force a call where the answer must be JSON; not at Mistral."""
    thinking_object: bool = False
    """Whether a request to Claude has Anthropic's `thinking` in place of an effort, as at LiteLLM.

    LiteLLM 1.110.2 passes it on, and adapts it to what the model accepts (`llms/anthropic/chat/transformation.py`).
    """
    thinking_switch: Literal["thinking", "enable_thinking"] | None = None
    """The field that disables reasoning: `thinking`, as at Z.AI and Moonshot, or `enable_thinking`, as at DashScope."""
    top_k: bool = False
    """Whether a request may have a `top_k`; every `open` host accepts it."""
    media: bool = True
    """Whether images, audio and files are accepted."""
    media_kinds: frozenset[str] = frozenset({"image", "audio", "file"})
    """The kinds of media that are accepted, if any are."""
    flat_media: bool = False
    """Whether a part has its document, audio or file id directly in its field, and not in an object."""
    media_by_uuid: bool = False
    """Whether a part may have a `uuid` in place of media that the server has seen, as at vLLM."""
    typed_media: bool = False
    """Whether an image, audio or video is beside the type of its part: `{"type": "image", "url": "..."}`."""
    refusals: bool = True
    """Whether the host has refusals; if not, they become text."""
    answer_images: bool = False
    """Whether answers have images, in the field `images` of their message, as at OpenRouter and LiteLLM."""
    annotations: bool = True
    """Whether answers have their citations in `annotations`."""
    tool_media: bool = False
    """Whether tool messages may have images and files."""
    tool_references: bool = False
    """Whether tools may be deferred, and tool messages may refer to them, as at vLLM and SGLang."""
    named_files: bool = True
    """Whether a file that is sent as data must have a name."""
    issuer: str = "openai"
    """The issuer of the file ids in this host's payloads, and of the signatures of reasoning in `content`."""
    issuers: frozenset[str] = frozenset({"openai"})
    """The issuers whose file ids the host accepts; `*` for all."""
    signers: frozenset[str] = frozenset()
    """The issuers whose signatures and encrypted reasoning the host accepts; `*` for all."""
    signatures: Literal["extra_content", "provider_specific_fields", "reasoning_details"] | None = None
    """The field with Gemini's signatures of calls and texts; None if the host has none."""
    signatures_in_ids: bool = False
    """Whether Gemini's signature may be at the end of a call's id, after `__thought__`, if no field has it."""
    held_usage: tuple[str, ...] = ("x_groq", "usage")
    """The path of the usage in a chunk without `usage`, as in Groq's older streams, which many programs read as OpenAI's."""
    reasoning_in_total: bool = False
    """Whether tokens of reasoning are counted in the total alone (Google's endpoint), so that it is more than its summands."""
    text_role: bool = False
    """Whether text without a role is a message of role `text`."""
    user_follows_result: bool = True
    """Whether a user message may follow a tool message; if not, an empty assistant message is put between them."""
    system_follows_answer: bool = True
    """Whether a system message may follow an assistant or tool message; if not, it becomes a user message there."""
    one_system: bool = False
    """Whether only the first message may be a system message; the rule `system-not-first` names the evidence.

    Those that directly follow it are joined to it, and any other becomes a user message.
    """
    prefill: Literal["prefix", "partial", "continue_final_message", "always"] | None = None
    """How a request says that the answer continues the assistant message at its end: a field of the message, or of the request.

    `always`: the host continues it without a field. None: the host begins a new message.
    """
    prefix: bool = False
    """Whether an assistant message at the end of a request must have the field `prefix`, whatever `prefill` says."""
    errors: Literal["object", "flat", "text"] = "object"
    """The form of an error body: an object `error`, its fields at the top level, or a text `error` with a `code`."""
    model_length: bool = False
    """Whether the finish reasons include `model_length` (a full context window) and `error`, and not `content_filter`."""
    content_filter: bool = True
    """Whether the finish reasons include `content_filter`; if not, a refusal ends with `stop`."""
    open: bool = False
    """Whether the host accepts fields that OpenAI does not document."""
    request_fields: frozenset[str] = REQUEST_FIELDS
    """The fields without a canonical form that a request may have, if the host is not `open`.

    A request's provider data may name the seed either way; it is sent as `seed_field`.
    """
    message_fields: frozenset[str] = frozenset({"audio"})
    """The fields without a canonical form that an assistant message in a request may have, if the host is not `open`."""
    answer_fields: frozenset[str] = frozenset({"audio", "annotations"})
    """The fields without a canonical form that the message of an answer may have, if the host is not `open`."""
    part_fields: frozenset[str] = frozenset()
    """The fields without a canonical form that a content part may have, if the host is not `open`."""
    own_parts: frozenset[str] = frozenset()
    """The types of parts without a canonical form that may be sent, if the host is not `open`."""
    rules: frozenset[str] = frozenset()
    """The codes of the rules that `check` applies to this host besides the rules for every host (`rules/by_code.py`)."""
    tolerated: frozenset[str] = frozenset()
    """The codes of rules for every host of which `check` only warns, because this host answers such requests."""


_OPEN = frozenset({"*"})
_CLAUDE = frozenset({"anthropic", "bedrock"})
"""The issuers of Claude's signatures, which are the same on all its hosts; on Bedrock, no other model signs."""


def limits_budget(model: object) -> bool:
    """Whether a gateway's model is Claude, whose budget of reasoning must be at least 1024 and less than `max_tokens`."""
    return isinstance(model, str) and "claude" in model.lower()


_FOLLOWER = ChatProfile(
    free_names=True,
    functions=False,
    cache=None,
    developer=False,
    allowed_tools=False,
    token_field="max_tokens",
    most_stops=None,
    named_files=False,
    longest_user=None,
    metadata_without_store=True,
    reasoning_with_tools=True,
    sampling="always",
    open=True,
)
"""What most hosts that follow OpenAI's shape have in common."""
FUNCTIONS = replace(_FOLLOWER, custom_tools=False)
"""What hosts without custom tools have in common."""
_GATEWAY = replace(
    _FOLLOWER,
    functions=True,
    cache="cache_control",
    developer=True,
    allowed_tools=True,
    tool_media=True,
    media_kinds=frozenset({"image", "audio", "video", "file"}),
)
"""What hosts that pass requests on to many providers have in common."""

IMAGES = frozenset({"image"})
_SERVED_MEDIA = frozenset({"image", "audio", "video"})
"""The media that self-hosted servers accept."""
_SERVED_EFFORTS = frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"})
"""The efforts that self-hosted servers accept; which ones a model has depends on its chat template."""
USUAL_EFFORTS = frozenset({"low", "medium", "high"})
"""The efforts of most models that reason; few accept `none` too."""
_GROQ_FIELDS = frozenset(
    "citation_options compound_custom disable_tool_validation documents exclude_domains include_domains include_reasoning n "
    "reasoning_format response_format search_settings seed service_tier stop stream_options tool_choice".split()
)
"""groq 1.7.0 (`completion_create_params.py`): the fields except those that it documents as accepted by no model, and
`stream_options`, which was recorded."""
_XAI_FIELDS = frozenset(
    "deferred logprobs n response_format search_parameters seed stop stream_options tool_choice top_logprobs "
    "web_search_options".split()
)
"""xAI's reference of `/v1/chat/completions` (docs.x.ai), without penalties and the unsupported `logit_bias`.

Its models that reason refuse penalties and stop sequences; the rule `penalty-or-stop-refused` names the evidence.
"""
_HUGGINGFACE_FIELDS = frozenset(
    "frequency_penalty logit_bias logprobs n presence_penalty response_format seed stop stream_options tool_choice tool_prompt "
    "top_logprobs".split()
)
"""The published schema of the task (`chat-completion/spec/input.json` in huggingface/huggingface.js)."""

PROFILES = {
    "openai_chat": ChatProfile(),
    "verifiers": replace(
        _FOLLOWER,
        reasoning="thinking_blocks",
        tool_calls="flat",
        names=False,
        token_field="max_completion_tokens",
        signers=_CLAUDE,
        text_role=True,
    ),
    "litellm": replace(
        _GATEWAY,
        reasoning="thinking_blocks",
        text_beside_blocks=True,
        message_cache=True,
        tool_cache=True,
        tool_name=True,
        web_search=True,
        signers=_CLAUDE,
        signatures="provider_specific_fields",
        signatures_in_ids=True,
        answer_images=True,
        thinking_object=True,
        prefill="prefix",
    ),
    "gemini_openai": replace(
        FUNCTIONS,
        most_stops=4,
        names=False,
        issuers=frozenset(),
        signatures="extra_content",
        reasoning_in_total=True,
        efforts=frozenset({"none", "minimal", "low", "medium", "high"}),
        metadata_without_store=False,
        open=False,
        request_fields=REQUEST_FIELDS - REFUSED_BY_GEMINI,
    ),
    "openhands": replace(_FOLLOWER, content="string", tool_name=True, media=False),
    "clacky": replace(_FOLLOWER, reasoning="reasoning_content", cache="cache_control"),
    # DeepSeek V4 accepts a space and refuses an empty text; older models accept either (NousResearch/hermes-agent#18263).
    # LiteLLM also sends a space. It refuses null for the content of a message without calls (can1357/oh-my-pi#788), and tools
    # without a `function` (danny-avila/LibreChat#12804). Its guide of the thinking mode names these efforts (quoted in
    # theopenco/llmgateway#3072 and can1357/oh-my-pi#8405). It takes a list as the content only in user messages.
    "deepseek": replace(
        FUNCTIONS,
        string_roles=frozenset({"system", "assistant", "tool"}),
        efforts=frozenset({"low", "medium", "high", "xhigh", "max"}),
        reasoning="reasoning_content",
        reasoning_stand_in=" ",
        shows_reasoning=True,
        empty_content="null_beside_calls",
        thinking_mode=True,
        thinking_switch="thinking",
        prefill="prefix",
        media=False,
        refusals=False,
        answer_schemas=False,
    ),
    # OpenRouter's reference has the mark of a request itself (`AnthropicCacheControlDirective`).
    "openrouter": replace(
        _GATEWAY,
        reasoning="reasoning_details",
        text_beside_blocks=True,
        issuers=_OPEN,
        signers=_OPEN,
        signatures="reasoning_details",
        answer_images=True,
        longest_user=LONGEST_USER_OF_OPENROUTER,
        automatic_caching=True,
        tool_cache=True,
        reasoning_settings=True,
        shows_reasoning=True,
        server_tools=True,
        prefill="always",
    ),
    # groq 1.7.0 (`types/chat`): parts are texts, images and JSON documents, messages have no refusal, and no finish reason is
    # that of one. Groq refuses fields that it does not know (ServiceStack/llms#17, fanenr/chatbot#21), and, by its guide, names
    # of participants.
    "groq": replace(
        FUNCTIONS,
        most_stops=4,
        reasoning="reasoning",
        names=False,
        developer=True,
        string_roles=frozenset({"tool"}),
        prefill="always",
        token_field="max_completion_tokens",
        tiers=frozenset({"auto", "on_demand", "flex", "performance"}),
        most_choices=1,
        content_filter=False,
        efforts=USUAL_EFFORTS,
        media_kinds=IMAGES,
        refusals=False,
        annotations=False,
        open=False,
        request_fields=_GROQ_FIELDS,
        message_fields=frozenset(),
        answer_fields=frozenset({"executed_tools"}),
        own_parts=frozenset({"document"}),
    ),
    # xAI refused messages without content (charmbracelet/crush#964, langchain-ai/langchain#34140); later recordings show it
    # accepting calls alone. It accepts reasoning that is sent back.
    "xai": replace(
        FUNCTIONS,
        most_stops=0,
        reasoning="reasoning_content",
        empty_content="absent_beside_calls",
        token_field="max_completion_tokens",
        efforts=USUAL_EFFORTS,
        media_kinds=IMAGES,
        refusals=False,
        errors="text",
        open=False,
        request_fields=_XAI_FIELDS,
        message_fields=frozenset(),
    ),
    # The router passes a request on to one of many providers, which accept what the schema of the task has: no reasoning, which
    # some refuse (Groq), and of media only images.
    "huggingface": replace(
        FUNCTIONS,
        most_stops=4,
        user=False,
        media_kinds=IMAGES,
        refusals=False,
        open=False,
        request_fields=_HUGGINGFACE_FIELDS,
        message_fields=frozenset(),
    ),
    # vllm 0.33.0 (`entrypoints/openai/chat_completion/protocol.py`, `renderers/chat_utils`): it does not accept files.
    "vllm": replace(
        FUNCTIONS,
        most_stops=4,
        most_temperature=None,
        reasoning="reasoning",
        shows_reasoning=True,
        token_field="max_completion_tokens",
        efforts=_SERVED_EFFORTS,
        media_kinds=_SERVED_MEDIA,
        media_by_uuid=True,
        tool_references=True,
        any_tool_name=True,
        prefill="continue_final_message",
    ),
    # sglang 0.5.23 (`srt/entrypoints/openai/protocol.py`): user messages have no name, and no message has a refusal.
    "sglang": replace(
        FUNCTIONS,
        most_temperature=None,
        reasoning="reasoning_content",
        shows_reasoning=True,
        names=False,
        tool_name=True,
        token_field="max_completion_tokens",
        efforts=_SERVED_EFFORTS,
        media_kinds=_SERVED_MEDIA,
        tool_references=True,
        any_tool_name=True,
        refusals=False,
        prefill="continue_final_message",
        errors="flat",
    ),
}


def openhands_profile(*, cache: bool = False, vision: bool = False, function_calling: bool = False) -> ChatProfile:
    """OpenHands' profile for a model: content is a list if the model has any of these capabilities, else a string."""
    return replace(
        PROFILES["openhands"],
        content="list" if cache or vision or function_calling else "string",
        cache="cache_control" if cache else None,
        media=vision,
    )
