"""What a payload looks like: a table of the marks by which providers' shapes are known.

A mark is a fact about a payload: a key that is there (`choices[].delta`), a word that it has (`type=message_start`), text or a
number in it (`error:text`), the end of a word (`type=*_DATE`), or objects of a list without a `type` (`content[].!type`). The
facts of a payload are collected once, from a bounded part of it; a shape fits where it has all of the marks it needs, and the
shapes with the most marks are the likeliest. The module is imported when an error is reported or `detect` is called.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel

from .codec.format import Format
from .formats import FORMATS
from .model.base import parse_json

Kind: TypeAlias = Literal["request", "messages", "response", "chunk", "error"]


class Detected(NamedTuple):
    """A shape that a payload may have: the format, what it is there, and the marks that say so.

    `supported` is whether `format` is one of `FORMATS`; other APIs have names of their own, such as `gemini`.
    """

    format: str
    kind: Kind
    reasons: tuple[str, ...]
    supported: bool


# The table


class _Shape(NamedTuple):
    format: str
    kind: Kind
    needed: str
    """The marks that must all be there; a bare list is taken for the first of them."""
    any: str = ""
    """Marks of which one must be there, if there are any."""
    more: str = ""
    """Marks that make it likelier."""
    never: str = ""
    """Marks of something else."""


_CHUNKS_OF_BLOCKS = "message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping"
_MORE_OF_BLOCKS = (
    "messages[].role=user messages[].role=assistant messages[].content[].type=tool_use "
    "messages[].content[].type=tool_result messages[].content[].type=document messages[].content[].type=image "
    "messages[].content[].type=thinking messages[].content[].cache_control messages[].content[].source.media_type "
    "system system[].type=text system[].cache_control stop_sequences thinking.type top_k anthropic_version "
    "tools[].input_schema tools[].cache_control tool_choice.type=auto tool_choice.type=any tool_choice.type=tool "
    "metadata.user_id mcp_servers context_management output_config output_format cache_control betas billing_policy compaction "
    "container diagnostics fallback_credit_token fallbacks inference_geo speed thread user_profile_id workspace_id "
    "service_tier=standard_only tool_choice.type=none tool_choice.disable_parallel_tool_use tools[].type=*_DATE "
    "tools[].type=tool_search_tool_bm25 tools[].type=tool_search_tool_regex tools[].type=mcp_toolset tools[].defer_loading "
    "messages[].content[].type=redacted_thinking messages[].content[].type=search_result "
    "messages[].content[].type=server_tool_use messages[].content[].type=*_tool_result messages[].content[].type=mcp_tool_use "
    "messages[].content[].type=container_upload messages[].content[].type=compaction messages[].content[].type=tool_reference "
    "messages[].content[].citations"
)
_NEVER_OF_BLOCKS = (
    "contents inferenceConfig messages[].tool_calls messages[].role=tool tools[].function schemaVersion version:number"
)
_CHUNKS_OF_COHERE = "message content tool-plan tool-call citation"
_ANY_OF_CONVERSE = (
    "inferenceConfig toolConfig additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig outputConfig "
    "performanceConfig promptVariables requestMetadata serviceTier system[].!type messages[].content[].!type"
)
_MORE_OF_CONVERSE = (
    "messages[].content[].text messages[].content[].toolUse messages[].content[].toolResult system[].!type guardrailConfig "
    "messages[].content[].image messages[].content[].document messages[].content[].reasoningContent "
    "messages[].role=user messages[].role=assistant"
)

_SHAPES = (
    _Shape(
        "openai_chat",
        "request",
        "messages",
        more="messages[].role=system messages[].role=developer messages[].role=user messages[].role=assistant "
        "messages[].role=tool messages[].role=function messages[].tool_calls[].function messages[].function_call "
        "messages[].tool_call_id messages[].content[].type=image_url messages[].content[].type=input_audio "
        "messages[].content[].type=file messages[].content[].prompt_cache_breakpoint "
        "messages[].reasoning_content tools[].function tool_choice:text tool_choice.function "
        "functions max_completion_tokens n stop stream_options response_format parallel_tool_calls reasoning_effort logprobs "
        "seed logit_bias frequency_penalty presence_penalty user store modalities top_logprobs random_seed audio function_call "
        "moderation prediction prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier verbosity "
        "web_search_options service_tier=default service_tier=flex service_tier=priority service_tier=fast "
        "tool_choice.type=function tool_choice.type=allowed_tools tool_choice.type=custom tools[].custom "
        "messages[].content[].type=refusal messages[].content[].type=video_url messages[].refusal messages[].audio "
        "messages[].tool_calls[].custom messages[].reasoning",
        never="contents version:number",
    ),
    _Shape(
        "anthropic",
        "request",
        "messages",
        more=_MORE_OF_BLOCKS,
        never=_NEVER_OF_BLOCKS,
    ),
    *(
        _Shape(name, "request", f"messages anthropic_version={version}", "", _MORE_OF_BLOCKS, _NEVER_OF_BLOCKS)
        for name, version in (("anthropic_bedrock", "bedrock-2023-05-31"), ("anthropic_vertex", "vertex-2023-10-16"))
    ),
    _Shape(
        "openrouter",
        "request",
        "messages",
        "provider.order provider.only provider.sort transforms models route usage.include reasoning.max_tokens "
        "reasoning.effort reasoning.enabled messages[].reasoning_details",
        "messages[].role=system messages[].role=user messages[].role=assistant messages[].role=tool tools[].function "
        "messages[].tool_calls[].function messages[].tool_call_id tool_choice:text stream_options max_completion_tokens stop",
    ),
    _Shape(
        "verifiers",
        "request",
        "messages",
        "messages[].tool_calls[].arguments:text",
        "messages[].role=user messages[].role=assistant messages[].role=tool messages[].tool_call_id",
        never="messages[].tool_calls[].function messages[].wire messages[].provider_data origin",
    ),
    _Shape(
        "asktable",
        "request",
        "messages",
        "messages[].content[].input:text",
        "messages[].role=user messages[].role=assistant messages[].content[].type=tool_use "
        "messages[].content[].type=tool_result system",
    ),
    _Shape(
        "openai_completions",
        "request",
        "prompt",
        "prompt:text prompt[]:text model",
        "max_tokens best_of echo suffix n logprobs stop",
        never="prompt.id options keep_alive template input messages anthropic_version max_tokens_to_sample max_gen_len "
        "completion response chosen rejected",
    ),
    _Shape(
        "openai_responses",
        "request",
        "input",
        "model instructions previous_response_id input[].type=message input[].type=function_call "
        "input[].type=function_call_output input[].type=reasoning input[].content[].type=input_text "
        "input[].content[].type=output_text input[].content[].type=input_image input[].content[].type=input_file "
        "input[].type=item_reference input[].type=computer_call_output input[].type=custom_tool_call_output "
        "max_output_tokens max_tool_calls truncation background conversation text.format text.verbosity",
        "include store reasoning input[].role input[].call_id tools[].type=function tools[].parameters",
        never="messages contents system_instruction generation_config object=response",
    ),
    _Shape(
        "openai_responses",
        "request",
        "prompt.id",
        more="input model instructions previous_response_id prompt.version prompt.variables max_output_tokens include store",
        never="messages object=response",
    ),
    _Shape("gemini_interactions", "request", "input model", "system_instruction generation_config", never="instructions"),
    _Shape(
        "gemini",
        "request",
        "contents",
        "contents[].parts contents.parts",
        "contents[].role=user contents[].role=model contents[].parts[].text contents[].parts[].functionCall "
        "contents[].parts[].functionResponse contents[].parts[].inlineData contents[].parts[].inline_data "
        "contents[].parts[].function_call contents[].parts[].function_response "
        "generationConfig systemInstruction system_instruction safetySettings tools[].functionDeclarations "
        "tools[].function_declarations toolConfig cachedContent",
        never="contents[].parts[].type contents[].content config",
    ),
    _Shape(
        "google_genai",
        "request",
        "contents",
        "config contents:text contents[]:text",
        "contents[].parts contents.parts contents[].role=user contents[].role=model contents[].parts[].text "
        "contents[].parts[].function_call contents[].parts[].function_response contents[].parts[].inline_data "
        "config.system_instruction config.max_output_tokens config.tools[].function_declarations",
        never="contents[].parts[].type contents[].content generationConfig",
    ),
    _Shape(
        "bedrock_converse",
        "request",
        "messages",
        _ANY_OF_CONVERSE,
        _MORE_OF_CONVERSE,
        never="schemaVersion modelId",
    ),
    _Shape("bedrock_boto3", "request", "messages modelId", _ANY_OF_CONVERSE, _MORE_OF_CONVERSE, never="schemaVersion"),
    _Shape(
        "cohere",
        "request",
        "messages model",
        "documents citation_options safety_mode p k strict_tools",
        "messages[].role=user messages[].role=system messages[].role=assistant messages[].role=tool",
    ),
    _Shape(
        "cohere_v1",
        "request",
        "message:text",
        "chat_history preamble connectors model",
        "documents conversation_id prompt_truncation",
    ),
    _Shape(
        "ollama",
        "request",
        "messages model",
        "options keep_alive format think",
        "messages[].images messages[].role=user messages[].role=system messages[].role=assistant messages[].role=tool "
        "tools[].function messages[].tool_calls[].function",
    ),
    _Shape("ollama_generate", "request", "prompt model", "options keep_alive template context raw format", "system images"),
    _Shape(
        "langchain",
        "request",
        "messages",
        "messages[].type=human messages[].type=ai messages[].type=AIMessageChunk messages[].role=human messages[].role=ai "
        "messages[].lc messages[].data.content",
        "messages[].content messages[].additional_kwargs messages[].response_metadata messages[].type=system "
        "messages[].type=tool",
    ),
    _Shape(
        "ai_sdk",
        "request",
        "messages",
        "messages[].parts[].type messages[].content[].type=tool-call messages[].content[].type=tool-result "
        "messages[].content[].toolCallId",
        "messages[].role=user messages[].role=assistant messages[].role=system messages[].role=tool messages[].id",
    ),
    _Shape(
        "sharegpt",
        "request",
        "conversations",
        "conversations[].from:text",
        "conversations[].from=human conversations[].from=gpt conversations[].value:text system tools:text",
    ),
    _Shape(
        "alpaca",
        "request",
        "instruction:text",
        "output:text input:text",
        "output:text input:text history system",
        never="input[]",
    ),
    _Shape(
        "interlingua",
        "request",
        "messages",
        "messages[].wire messages[].provider_data origin provider_data wire version messages[].role=opaque "
        "messages[].role=text messages[].content[].source.type=file_id messages[].content[].issuer",
        "messages[].role=user messages[].role=assistant messages[].role=system messages[].role=developer messages[].role=tool "
        "messages[].content[].type=tool_use messages[].content[].type=tool_result messages[].tool_calls[].arguments",
        never="anthropic_version system tools[].input_schema tools[].function messages[].tool_calls[].function",
    ),
    # Responses and chunks
    _Shape(
        "interlingua",
        "response",
        "choices",
        "origin choices[].stop_reason choices[].message.wire",
        "choices[].message choices[].message.content usage.input_tokens model id",
    ),
    _Shape(
        "openai_chat",
        "response",
        "choices",
        "object=chat.completion choices[].message",
        "choices[].finish_reason choices[].message.content created usage.prompt_tokens",
        never="choices[].delta object=chat.completion.chunk",
    ),
    _Shape(
        "openai_chat",
        "chunk",
        "choices",
        "object=chat.completion.chunk choices[].delta prompt_filter_results",
        "choices[].finish_reason created choices[].delta.content choices[].delta.role",
    ),
    _Shape(
        "openrouter",
        "response",
        "choices",
        "choices[].native_finish_reason provider:text usage.cost choices[].message.reasoning_details",
        "object=chat.completion choices[].message choices[].finish_reason choices[].message.content created "
        "usage.prompt_tokens",
        never="choices[].delta object=chat.completion.chunk",
    ),
    _Shape(
        "openrouter",
        "chunk",
        "choices",
        "choices[].native_finish_reason provider:text usage.cost choices[].delta.reasoning_details",
        "object=chat.completion.chunk choices[].finish_reason created choices[].delta choices[].delta.content "
        "choices[].delta.role",
        never="choices[].message object=chat.completion",
    ),
    _Shape(
        "deepseek",
        "response",
        "choices usage.prompt_cache_hit_tokens",
        more="choices[].message.reasoning_content object=chat.completion choices[].message choices[].finish_reason created "
        "choices[].message.content usage.prompt_tokens",
        never="choices[].delta object=chat.completion.chunk",
    ),
    _Shape(
        "openai_completions", "response", "choices", "object=text_completion choices[].text", "choices[].finish_reason created"
    ),
    _Shape(
        "anthropic",
        "response",
        "content",
        "type=message stop_reason",
        "role=assistant stop_sequence content[].type usage.input_tokens usage.output_tokens model",
        never="messages",
    ),
    _Shape("anthropic_bedrock", "chunk", "chunk.bytes"),
    _Shape(
        "anthropic", "chunk", "type", " ".join(f"type={word}" for word in _CHUNKS_OF_BLOCKS.split()), "delta.type message index"
    ),
    *(
        _Shape(
            "gemini",
            kind,  # its chunks have the shape of its responses
            "",
            "candidates promptFeedback usageMetadata usage_metadata prompt_feedback",
            "candidates[].content.parts candidates[].finishReason modelVersion responseId",
        )
        for kind in ("response", "chunk")
    ),
    _Shape(
        "openai_responses",
        "response",
        "",
        "object=response object=response.compaction output[].type",
        "output[].content[].type=output_text status incomplete_details created_at previous_response_id usage.input_tokens",
        never="choices",
    ),
    _Shape("openai_responses", "chunk", "type=response.*", more="sequence_number output_index item_id response delta:text"),
    _Shape("gemini_interactions", "response", "object=interaction", more="steps outputs status"),
    _Shape("gemini_interactions", "chunk", "", "event_type=interaction.* event_type=step.* type=interaction.* type=step.*"),
    _Shape(
        "bedrock_converse",
        "response",
        "output",
        "output.message stopReason",
        "usage.inputTokens metrics output.message.content",
    ),
    _Shape(
        "bedrock_converse",
        "chunk",
        "",
        "contentBlockIndex messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop stopReason "
        "metadata.usage metrics.latencyMs",
        "delta contentBlockDelta.delta",
        never="output",
    ),
    _Shape(
        "cohere", "response", "message finish_reason", more="message.content message.tool_calls usage.tokens usage.billed_units"
    ),
    _Shape(
        "cohere",
        "chunk",
        "type",
        " ".join(f"type={w}-{e}" for w in _CHUNKS_OF_COHERE.split() for e in ("start", "delta", "end")),
    ),
    _Shape(
        "cohere_v1", "response", "text:text", "generation_id chat_history response_id", "meta finish_reason", never="event_type"
    ),
    _Shape(
        "cohere_v1",
        "chunk",
        "event_type",
        "event_type=stream-start event_type=text-generation event_type=stream-end event_type=citation-generation "
        "event_type=search-results event_type=tool-calls-generation event_type=search-queries-generation",
    ),
    *(_Shape("ollama", kind, "message done", more="message.role created_at total_duration") for kind in ("response", "chunk")),
    *(_Shape("ollama_generate", kind, "response:text done", more="created_at context") for kind in ("response", "chunk")),
    # Errors
    _Shape("anthropic", "error", "type=error error", more="error.type error.message request_id"),
    _Shape("gemini", "error", "error.status:text", more="error.code error.message error.details"),
    _Shape(
        "openrouter",
        "error",
        "error.code:number error.message",
        more="error.metadata user_id error",
        never="error.type error.status:text",
    ),
    *(
        _Shape(name, "error", "error", more="error.message error.type error.param error.code", never="error.status:text")
        for name in ("openai_chat", "openai_responses")
    ),
    _Shape("cohere", "error", "id:text message:text", never="model"),
    _Shape("openai_responses", "error", "type=error code message", more="param sequence_number"),
    _Shape(
        "bedrock_converse",
        "error",
        "",
        "message:text Message:text __type Error.Code internalServerException.message modelStreamErrorException.message "
        "serviceUnavailableException.message throttlingException.message validationException.message",
        "Error.Message ResponseMetadata",
        never="model messages chat_history role content",
    ),
)

_CANONICAL = _Shape(
    "interlingua",
    "request",
    "messages",
    more="messages[].role=system messages[].role=developer messages[].role=user messages[].role=assistant messages[].role=tool "
    "messages[].tool_call_id messages[].reasoning_content messages[].tool_calls[].arguments:text "
    "messages[].content[].type=tool_use messages[].content[].type=tool_result messages[].content[].type=image "
    "messages[].content[].type=thinking messages[].content[].type=file messages[].content[].type=image_url "
    "messages[].content[].type=input_audio messages[].content[].cache_control messages[].content[].source.media_type "
    "messages[].content[].input:text messages[].refusal messages[].content[].type=refusal "
    "messages[].content[].type=redacted_thinking messages[].content[].citations",
)
"""What canonical messages share with those of most providers: no reason to take them for those of one."""


# The facts


_FACTS = 2000
"""How many values of a payload are looked at."""
_ITEMS = 100
"""How many of one list or object."""
_LEVELS = 6
_LONGEST = 80
"""The longest word that is a mark."""
_KINDS: dict[type, str] = {str: ":text", int: ":number", float: ":number", list: ":list", tuple: ":list"}


_ENDS = re.compile(r"_(20\d{6})$|_tool_result$")
"""Ends of words that are marks: the date of a version, and what the results of an API's own tools have in common."""

_Value: TypeAlias = Mapping[str, Any] | BaseModel | list[Any] | tuple[Any, ...] | str | float | None


def _facts(payload: Any) -> set[str]:
    """The facts of a payload, level by level, until there are enough."""
    found: set[str] = set()
    waiting: deque[tuple[str, _Value, int]] = deque([("", payload, 0)])
    for _ in range(_FACTS):
        if not waiting:
            break
        path, value, level = waiting.popleft()
        found.update((path, path + _KINDS.get(type(value), "")))
        if isinstance(value, str):
            if len(value) <= _LONGEST:
                found.update((f"{path}={value}", f"{path}={value.partition('.')[0]}.*"))
                if (end := _ENDS.search(value)) is not None:
                    found.add(f"{path}=*{'_DATE' if end[1] else end[0]}")
        elif level < _LEVELS:
            waiting.extend((path + token, item, level + 1) for token, item in _members(value, path, found))
    return found


def _members(value: _Value, path: str, found: set[str]) -> Iterator[tuple[str, Any]]:
    """What a value holds, each with the end of its path; null says nothing."""
    if isinstance(value, Mapping):
        dot = "." if path else ""
        if path.endswith("[]") and value.get("type") is None:
            found.add(path + ".!type")
        fields = islice(value.items(), _ITEMS)
        yield from ((f"{dot}{key}", item) for key, item in fields if item is not None and len(str(key)) <= _LONGEST)
    elif isinstance(value, BaseModel):
        yield from _members(vars(value), path, found)
    elif isinstance(value, list | tuple):
        yield from (("[]", item) for item in islice(value, _ITEMS))


def _fits(shape: _Shape, facts: set[str], *, bare: bool) -> tuple[str, ...] | None:
    """The marks of a shape that a payload has; None if it is not of this shape."""
    needed = shape.needed.split()
    if bare:
        if shape.kind != "request":
            return None
        # The list stands for the field that holds one.
        listed, needed = needed[0].partition(":")[0], needed[1:]
        facts = {listed + fact for fact in facts}
    if not facts.issuperset(needed) or not facts.isdisjoint(shape.never.split()):
        return None
    one = [mark for mark in shape.any.split() if mark in facts]
    if shape.any and not one:
        return None
    marks = (*needed, *one, *(mark for mark in shape.more.split() if mark in facts))
    return marks or None


# The public function, and hints for errors


def detect(payload: Any) -> list[Detected]:
    """The formats that a request, response, chunk or error body looks like: those with the most marks, or none.

    `payload` is a dict, a bare list of messages, an SDK's object, or JSON text. Looks at a bounded part of it.
    """
    return _likeliest(payload, _SHAPES)


def _likeliest(payload: Any, shapes: Iterable[_Shape]) -> list[Detected]:
    if isinstance(payload, str | bytes | bytearray):
        try:
            payload = parse_json(payload)
        except (ValueError, RecursionError):
            return []
    bare = isinstance(payload, list | tuple)
    facts = _facts(payload)
    fitting = [(shape, marks) for shape in shapes if (marks := _fits(shape, facts, bare=bare)) is not None]
    most = max((len(marks) for _, marks in fitting), default=0)
    return [
        Detected(shape.format, "messages" if bare else shape.kind, marks, shape.format in FORMATS)
        for shape, marks in fitting
        if len(marks) == most
    ]


_TITLES = {
    "gemini": "Gemini",
    "gemini_interactions": "Gemini's Interactions API",
    "openai_responses": "OpenAI's Responses API",
    "bedrock_converse": "Bedrock Converse",
    "cohere": "Cohere",
    "cohere_v1": "Cohere's API v1",
    "ollama": "Ollama",
    "ollama_generate": "Ollama's generate",
    "langchain": "LangChain",
    "ai_sdk": "the AI SDK",
    "interlingua": "this package",
}

_NOUNS: dict[Kind, str] = {
    "request": "a request",
    "messages": "messages",
    "response": "a response",
    "chunk": "a chunk of a stream",
    "error": "an error body",
}
_CALLS: dict[Kind, str] = {
    "request": 'il.load(payload, "{}")',
    "messages": 'il.load(messages, "{}")',
    "response": 'il.load_response(body, "{}")',
    "chunk": 'il.reader("{}").feed(chunk)',
    "error": 'il.load_response(body, "{}")',
}
_OTHER_CALLS: dict[tuple[str, Kind], str] = {
    ("interlingua", "request"): "il.validate(data, il.Request), or il.Conversation",
    ("interlingua", "messages"): "il.validate(messages)",
    ("langchain", "messages"): 'langchain_core\'s convert_to_openai_messages, then il.load(messages, "openai_chat")',
}


def hint(payload: Any, kind: Kind, format: Format | None = None) -> str | None:
    """What a payload looks like and what reads it, if it is not what was expected; None where nothing can be said.

    `format` is the format that it should have, or None for canonical data.
    """
    found = _likeliest(payload, (*_SHAPES, _CANONICAL) if format is None else _SHAPES)
    if not found or any(_is_expected(one, kind, format) for one in found):
        return None
    first = found[0]
    names = " or ".join(dict.fromkeys(_TITLES.get(one.format, one.format) for one in found[:2] if one.kind == first.kind))
    marks = ", ".join(first.reasons[:3])
    if (call := _OTHER_CALLS.get((first.format, first.kind))) is None:
        call = _CALLS[first.kind].format(first.format) if first.supported else ""
    return f"it looks like {_NOUNS[first.kind]} of {names} ({marks}): " + (
        f"use {call}" if call else "no format here reads that"
    )


def _is_expected(found: Detected, kind: Kind, format: Format | None) -> bool:
    if format is None:
        return found.format == "interlingua" and found.kind == kind
    known = FORMATS.get(found.format, format)
    same = known.dump is format.dump if kind in ("request", "messages") else known.dump_response is format.dump_response
    return ((same and found.supported) or found.format == format.name) and (
        found.kind == kind or {found.kind, kind} == {"request", "messages"}
    )
