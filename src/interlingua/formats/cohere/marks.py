"""The marks by which payloads of Cohere's Chat are recognised, and those of its API v1, which has no format."""

from __future__ import annotations

from ...codec.marks import Marks, Meaning, Shape

_CHUNKS = (
    "message-start content-start content-delta content-end tool-plan-delta tool-call-start tool-call-delta tool-call-end "
    "citation-start citation-end message-end debug"
)
_REASONS = "COMPLETE STOP_SEQUENCE MAX_TOKENS TOOL_CALL ERROR TIMEOUT"
MARKS = Marks(
    (
        Shape(
            "cohere",
            "request",
            "messages",
            more="messages[].tool_plan messages[].content[].document.data messages[].citations documents[].data strict_tools "
            "citation_options safety_mode thinking.token_budget tool_choice=REQUIRED tool_choice=NONE "
            "response_format.json_schema.type p:number k:number messages[].citations[].sources documents stop_sequences "
            "messages[].content[].type=thinking messages[].content[].type=document messages[].content[].type=image_url "
            "messages[].role=user messages[].role=assistant messages[].role=system messages[].role=tool tools[].function "
            "messages[].tool_calls[].function messages[].tool_call_id response_format seed logprobs "
            "frequency_penalty presence_penalty",
            never="contents inferenceConfig schemaVersion version:number system tools[].input_schema stop",
            rare="max_tokens thinking.type",
        ),
        Shape(
            "cohere",
            "response",
            "message finish_reason",
            " ".join(f"finish_reason={word}" for word in _REASONS.split()),
            "message.role=assistant message.content usage.billed_units usage.tokens message.tool_plan id",
            never="choices",
        ),
        Shape(
            "cohere",
            "chunk",
            "type",
            " ".join(f"type={word}" for word in _CHUNKS.split()),
            "delta.message delta.finish_reason index",
        ),
        Shape(
            "cohere_v1",
            "request",
            "message:text",
            "chat_history preamble connectors model stream p:number k:number stop_sequences",
            "documents conversation_id prompt_truncation",
        ),
        Shape(
            "cohere_v1",
            "response",
            "text:text",
            "generation_id chat_history response_id",
            "meta finish_reason",
            never="event_type",
        ),
        Shape(
            "cohere_v1",
            "chunk",
            "event_type",
            "event_type=stream-start event_type=text-generation event_type=stream-end event_type=citation-generation "
            "event_type=search-results event_type=tool-calls-generation event_type=search-queries-generation",
        ),
        Shape(
            "cohere_generate",
            "request",
            "prompt prompt:text",
            "num_generations k:number p:number return_likelihoods truncate",
            "max_tokens stop_sequences temperature",
        ),
        Shape("cohere_generate", "response", "generations", "generations[].text", "id prompt generations[].finish_reason"),
        Shape("cohere_generate", "chunk", "is_finished", "text:text finish_reason"),
        Shape(
            "cohere",
            "error",
            "message:text",
            more="id",
            never="model messages chat_history role content type code",
        ),
    ),
    {"cohere": "Cohere", "cohere_v1": "Cohere's API v1", "cohere_generate": "Cohere's former text generation"},
    words={"role": {"chatbot": Meaning("Cohere's", "assistant")}},
)
