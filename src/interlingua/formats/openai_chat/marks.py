"""The marks by which payloads of Chat Completions, and of hosts with its shape, are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Meaning, Shape

MESSAGES = (
    "messages[].role=system messages[].role=developer messages[].role=user messages[].role=assistant messages[].role=tool "
    "messages[].role=function messages[].tool_calls[].function messages[].function_call messages[].tool_call_id "
    "messages[].content[].type=image_url messages[].content[].type=input_audio messages[].content[].type=file "
    "messages[].content[].prompt_cache_breakpoint messages[].reasoning_content tools[].function tool_choice=auto "
    "tool_choice=none tool_choice=required tool_choice.function functions max_completion_tokens n stop stream_options "
    "response_format response_format.json_schema.name response_format.json_schema.schema parallel_tool_calls "
    "reasoning_effort logprobs seed logit_bias frequency_penalty presence_penalty user store modalities top_logprobs "
    "random_seed audio function_call moderation prediction prompt_cache_key prompt_cache_options prompt_cache_retention "
    "safety_identifier verbosity web_search_options service_tier=default service_tier=flex service_tier=priority "
    "service_tier=fast tool_choice.type=function tool_choice.type=allowed_tools tool_choice.type=custom tools[].custom "
    "messages[].content[].type=refusal messages[].content[].type=video_url messages[].refusal messages[].audio "
    "messages[].tool_calls[].custom messages[].reasoning messages[].name "
    "tools[].function.strict top_p metadata"
)
"""The marks of requests of Chat Completions."""
HOSTS = (
    "max_tokens thinking.type top_k cache_control messages[].content[].cache_control tools[].cache_control metadata.user_id "
    "fallbacks messages[].content[].type=image documents messages[].citations chat_template_kwargs enable_thinking"
)
"""Marks of other formats that Chat Completions requests may have too, at some hosts."""
SERVED = " min_p repetition_penalty chat_template_kwargs stop_token_ids ignore_eos min_tokens continue_final_message"
"""Marks of requests to self-hosted servers."""
ANSWERS = (
    "object=chat.completion choices[].message choices[].finish_reason choices[].message.content created usage.prompt_tokens"
)
CHUNKS = (
    "object=chat.completion.chunk choices[].finish_reason created choices[].delta choices[].delta.content choices[].delta.role"
)

GROQ = ("groq", "huggingface")
"""The hosts that send Groq's answers: the second passes on answers of many hosts."""

MARKS = Marks(
    (
        Shape(
            "openai_chat",
            "request",
            "messages",
            more=MESSAGES,
            never="contents version:number",
            rare=HOSTS,
        ),
        Shape(
            "openrouter",
            "request",
            "messages",
            "provider.order provider.only provider.sort transforms models route usage.include reasoning.max_tokens "
            "reasoning.effort reasoning.enabled messages[].reasoning_details",
            MESSAGES,
            rare=HOSTS,
        ),
        Shape(
            "verifiers",
            "request",
            "messages",
            "messages[].tool_calls[].arguments:text",
            MESSAGES,
            never="messages[].tool_calls[].function messages[].wire messages[].provider_data origin",
            rare=HOSTS,
        ),
        Shape(
            "openai_chat",
            "response",
            "choices",
            "object=chat.completion choices[].message",
            "choices[].finish_reason choices[].message.content created usage.prompt_tokens",
            never="object=chat.completion.chunk",
        ),
        Shape(
            "openai_chat",
            "chunk",
            "choices",
            "object=chat.completion.chunk choices[].delta",
            "choices[].finish_reason created choices[].delta.content choices[].delta.role",
        ),
        Shape(
            "openai_chat",
            "chunk",
            "choices prompt_filter_results",
            never="choices[].message object=chat.completion object=chat.completion.chunk",
        ),
        Shape(
            "openrouter",
            "response",
            "choices",
            "choices[].native_finish_reason provider:text usage.cost choices[].message.reasoning_details",
            "object=chat.completion choices[].message choices[].finish_reason choices[].message.content created "
            "usage.prompt_tokens",
            never="choices[].delta object=chat.completion.chunk",
        ),
        Shape(
            "openrouter",
            "chunk",
            "choices",
            "choices[].native_finish_reason provider:text usage.cost choices[].delta.reasoning_details",
            "object=chat.completion.chunk choices[].finish_reason created choices[].delta choices[].delta.content "
            "choices[].delta.role",
            never="choices[].message object=chat.completion",
        ),
        Shape(
            "deepseek",
            "response",
            "choices usage.prompt_cache_hit_tokens",
            more="choices[].message.reasoning_content object=chat.completion choices[].message choices[].finish_reason created "
            "choices[].message.content usage.prompt_tokens",
            never="choices[].delta object=chat.completion.chunk",
        ),
        Shape(
            "groq",
            "request",
            "messages",
            "reasoning_format include_reasoning search_settings compound_custom citation_options disable_tool_validation "
            "service_tier=on_demand service_tier=performance tools[].type=browser_search tools[].type=code_interpreter",
            MESSAGES,
            rare=HOSTS,
        ),
        Shape(
            "xai",
            "request",
            "messages",
            "search_parameters deferred",
            MESSAGES,
            rare=HOSTS,
        ),
        Shape("huggingface", "request", "messages tool_prompt", more=MESSAGES, rare=HOSTS),
        Shape(
            "vllm",
            "request",
            "messages",
            "structured_outputs guided_json guided_regex guided_choice guided_grammar guided_decoding_backend vllm_xargs "
            "use_beam_search truncate_prompt_tokens mm_processor_kwargs thinking_token_budget",
            MESSAGES + SERVED,
            rare=HOSTS,
        ),
        Shape(
            "sglang",
            "request",
            "messages",
            "regex ebnf separate_reasoning stream_reasoning no_stop_trim lora_path stop_regex rid",
            MESSAGES + SERVED,
            rare=HOSTS,
        ),
        *(
            Shape(
                name,
                "response",
                "choices",
                "x_groq usage.queue_time usage_breakdown choices[].message.executed_tools",
                ANSWERS,
                never="choices[].delta object=chat.completion.chunk",
            )
            for name in GROQ
        ),
        *(
            Shape(
                name,
                "chunk",
                "choices",
                "x_groq usage.queue_time choices[].delta.executed_tools",
                CHUNKS,
                never="choices[].message object=chat.completion",
            )
            for name in GROQ
        ),
        Shape(
            "xai",
            "response",
            "choices",
            "usage.num_sources_used usage.cost_in_usd_ticks",
            ANSWERS,
            never="choices[].delta object=chat.completion.chunk",
        ),
        Shape(
            "xai",
            "chunk",
            "choices",
            "usage.num_sources_used usage.cost_in_usd_ticks",
            CHUNKS,
            never="choices[].message object=chat.completion",
        ),
        Shape(
            "vllm",
            "response",
            "choices",
            "kv_transfer_params prompt_logprobs prompt_token_ids ec_transfer_params",
            f"{ANSWERS} choices[].stop_reason choices[].token_ids choices[].message.reasoning",
            never="choices[].delta object=chat.completion.chunk",
        ),
        Shape(
            "sglang",
            "response",
            "choices",
            "choices[].matched_stop sglext",
            f"{ANSWERS} choices[].message.reasoning_content usage.reasoning_tokens metadata",
            never="choices[].delta object=chat.completion.chunk",
        ),
        Shape(
            "sglang",
            "chunk",
            "choices",
            "choices[].matched_stop sglext",
            CHUNKS,
            never="choices[].message object=chat.completion",
        ),
        Shape("xai", "error", "error:text code:text", never="type object message"),
        Shape(
            "openrouter",
            "error",
            "error.code:number error.message",
            more="error.metadata user_id error",
            never="error.type error.status:text",
        ),
        Shape(
            "openai_chat", "error", "error", more="error.message error.type error.param error.code", never="error.status:text"
        ),
    ),
    also_called=dict.fromkeys(("openai", "chat", "chat_completions", "azure", "azure_openai", "gpt"), "openai_chat")
    | {"grok": "xai", "x_ai": "xai", "hf": "huggingface", "tgi": "huggingface", "groqcloud": "groq"},
    words={
        "role": {"function": Meaning("OpenAI's first", "tool")},
        "type": {"function": Meaning("OpenAI's", "tool_use")},
    },
    tool_fields={"function": "openai_chat", "custom": "openai_chat"},
    nested_call='a nested tool call is OpenAI\'s wire format: give the request to load(..., "openai_chat")',
)
