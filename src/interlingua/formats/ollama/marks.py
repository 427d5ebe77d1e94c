"""The marks by which payloads of Ollama's chat and of its generate are known."""

from __future__ import annotations

from ...codec.marks import Kind, Marks, Shape

_KINDS: tuple[Kind, ...] = ("response", "chunk")
MARKS = Marks(
    (
        Shape(
            "ollama",
            "request",
            "messages",
            more="options keep_alive format think messages[].images messages[].thinking messages[].tool_name "
            "messages[].role=user messages[].role=system messages[].role=assistant messages[].role=tool "
            "tools[].function messages[].tool_calls[].function messages[].tool_call_id logprobs top_logprobs",
            never="contents inferenceConfig system tools[].input_schema version:number",
        ),
        Shape(
            "ollama_generate",
            "request",
            "prompt",
            more="prompt:text model options keep_alive template context raw format system images suffix logprobs think",
            never="prompt.id input messages choices completion response chosen rejected max_tokens_to_sample max_gen_len",
        ),
        *(Shape("ollama", kind, "message done", more="message.role created_at total_duration") for kind in _KINDS),
        *(Shape("ollama_generate", kind, "response:text done", more="created_at context") for kind in _KINDS),
    ),
    {"ollama": "Ollama", "ollama_generate": "Ollama's generate"},
)
