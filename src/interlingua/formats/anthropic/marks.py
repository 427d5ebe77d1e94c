"""The marks by which payloads of Anthropic Messages, and of hosts with its shape, are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Meaning, Shape

_CHUNKS_OF_BLOCKS = "message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping"
_MORE_OF_BLOCKS = (
    "messages[].role=user messages[].role=assistant messages[].content[].type=tool_use messages[].content[].source.type "
    "messages[].content[].type=tool_result messages[].content[].type=document messages[].content[].type=image "
    "messages[].content[].type=thinking messages[].content[].cache_control messages[].content[].source.media_type system "
    "system[].type=text system[].cache_control stop_sequences thinking.type top_k anthropic_version tools[].input_schema "
    "tools[].cache_control tool_choice.type=auto tool_choice.type=any tool_choice.type=tool max_tokens top_p metadata "
    "metadata.user_id mcp_servers context_management output_config output_format cache_control betas billing_policy "
    "compaction container diagnostics fallback_credit_token fallbacks inference_geo speed thread user_profile_id "
    "workspace_id service_tier=standard_only tool_choice.type=none tool_choice.disable_parallel_tool_use "
    "tools[].type=*_DATE tools[].type=tool_search_tool_bm25 tools[].type=tool_search_tool_regex tools[].type=mcp_toolset "
    "tools[].defer_loading messages[].content[].type=redacted_thinking messages[].content[].type=search_result "
    "messages[].content[].type=server_tool_use messages[].content[].type=*_tool_result "
    "messages[].content[].type=mcp_tool_use messages[].content[].type=container_upload messages[].content[].type=compaction "
    "messages[].content[].type=tool_reference messages[].content[].citations"
)
_RARE_OF_BLOCKS = "messages[].role=system"
_NEVER_OF_BLOCKS = (
    "contents inferenceConfig messages[].tool_calls messages[].role=tool tools[].function schemaVersion version:number"
)
MARKS = Marks(
    (
        Shape(
            "anthropic",
            "request",
            "messages",
            more=_MORE_OF_BLOCKS,
            never=_NEVER_OF_BLOCKS,
            rare=_RARE_OF_BLOCKS,
        ),
        *(
            Shape(
                name, "request", f"messages anthropic_version={version}", "", _MORE_OF_BLOCKS, _NEVER_OF_BLOCKS, _RARE_OF_BLOCKS
            )
            for name, version in (("anthropic_bedrock", "bedrock-2023-05-31"), ("anthropic_vertex", "vertex-2023-10-16"))
        ),
        Shape(
            "asktable",
            "request",
            "messages",
            "messages[].content[].input:text",
            _MORE_OF_BLOCKS,
        ),
        Shape(
            "anthropic",
            "response",
            "content",
            "type=message stop_reason",
            "role=assistant stop_sequence content[].type usage.input_tokens usage.output_tokens model",
            never="messages",
        ),
        Shape("anthropic_bedrock", "chunk", "chunk.bytes"),
        Shape(
            "anthropic",
            "chunk",
            "type",
            " ".join(f"type={word}" for word in _CHUNKS_OF_BLOCKS.split()),
            "delta.type message index",
        ),
        Shape("anthropic_text", "request", "prompt prompt:text max_tokens_to_sample", more="stop_sequences top_k top_p model"),
        *(Shape("anthropic_text", kind, "completion", "stop_reason stop type=completion") for kind in ("response", "chunk")),
        Shape("anthropic", "error", "type=error error", more="error.type error.message request_id"),
    ),
    {"anthropic_text": "Anthropic's former text completions"},
    also_called={"claude": "anthropic", "vertex": "anthropic_vertex"},
    words={
        "type": {"document": Meaning("Anthropic's", "file")},
    },
    tool_fields={"input_schema": "anthropic"},
    tool_types={r"[a-z_]+_20\d{6}": "anthropic"},
)
