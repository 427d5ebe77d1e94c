"""The marks by which payloads of Ollama's chat, and of its generate, are recognised."""

from __future__ import annotations

from ...codec.marks import Kind, Marks, Shape

_KINDS: tuple[Kind, ...] = ("response", "chunk")
_OWN = "options keep_alive format think messages[].images messages[].thinking messages[].tool_name"
"""Marks of requests that no request of Chat has. Without any, `temperature` marks Chat: Ollama has it in `options`."""
_MESSAGES = (
    "messages[].role=user messages[].role=system messages[].role=assistant messages[].role=tool "
    "tools[].function messages[].tool_calls[].function messages[].tool_call_id logprobs top_logprobs"
)
_NEVER = "contents inferenceConfig system tools[].input_schema version:number messages[].tool_calls[].function.arguments:text"
MARKS = Marks(
    (
        Shape("ollama", "request", "messages", _OWN, more=_MESSAGES, never=_NEVER),
        Shape("ollama", "request", "messages", more=_MESSAGES, never=f"{_NEVER} {_OWN} temperature"),
        *(Shape("ollama", kind, "message done", more="message.role created_at total_duration") for kind in _KINDS),
    ),
    {"ollama": "Ollama"},
)
GENERATE = Marks(
    (
        Shape(
            "ollama_generate",
            "request",
            "prompt prompt:text",
            more="model options keep_alive template context raw format system images suffix logprobs think",
            never="input messages choices completion response chosen rejected max_tokens_to_sample max_gen_len",
        ),
        *(Shape("ollama_generate", kind, "response:text done", more="created_at context") for kind in _KINDS),
    ),
    {"ollama_generate": "Ollama's generate"},
)
