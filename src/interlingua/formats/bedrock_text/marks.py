"""The marks by which text bodies for InvokeModel are recognised.

Some families have other APIs with the same bodies, which have `model` or `meta` besides.
"""

from __future__ import annotations

from ...codec.marks import Kind, Marks, Shape

_KINDS: tuple[Kind, ...] = ("response", "chunk")
MARKS = Marks(
    (
        Shape("bedrock_text", "request", "inputText", more="textGenerationConfig", never="normalize dimensions embeddingTypes"),
        Shape("bedrock_text", "request", "prompt prompt:text max_gen_len", more="temperature top_p"),
        Shape(
            "bedrock_text",
            "request",
            "prompt prompt:text max_tokens_to_sample",
            more="stop_sequences top_k top_p",
            never="model",
        ),
        Shape(
            "bedrock_text",
            "request",
            "prompt prompt:text",
            "maxTokens topP numResults countPenalty presencePenalty",
            "stopSequences temperature",
            never="max_tokens",
        ),
        Shape(
            "bedrock_text",
            "request",
            "prompt prompt:text",
            "num_generations k:number p:number return_likelihoods truncate",
            "max_tokens stop_sequences temperature",
            never="model",
        ),
        Shape(
            "bedrock_text",
            "request",
            "prompt prompt:text max_tokens top_k",
            more="temperature top_p stop",
            never="model k p max_tokens_to_sample",
        ),
        Shape(
            "bedrock_text",
            "request",
            "message:text",
            "chat_history preamble p:number k:number stop_sequences",
            "documents",
            never="model stream connectors conversation_id",
        ),
        Shape("bedrock_text", "response", "inputTextTokenCount", "results[].outputText"),
        Shape("bedrock_text", "response", "completions", "completions[].data.text", "prompt id"),
        Shape("bedrock_text", "response", "outputs", "outputs[].text", "outputs[].stop_reason"),
        Shape(
            "bedrock_text",
            "response",
            "generations",
            "generations[].text",
            "id prompt generations[].finish_reason",
            never="meta",
        ),
        Shape(
            "bedrock_text",
            "response",
            "text:text",
            "generation_id chat_history response_id finish_reason",
            "finish_reason",
            never="meta event_type is_finished",
        ),
        *(
            Shape("bedrock_text", kind, "generation", "generation_token_count prompt_token_count stop_reason")
            for kind in _KINDS
        ),
        Shape("bedrock_text", "response", "completion", "stop_reason stop type=completion", never="model"),
        Shape("bedrock_text", "chunk", "completion:text", more="stop_reason stop type=completion", never="model prompt"),
        Shape("bedrock_text", "chunk", "outputText", "index completionReason totalOutputTextTokenCount inputTextTokenCount"),
        Shape("bedrock_text", "chunk", "is_finished", "text:text finish_reason", never="event_type"),
        Shape(
            "bedrock_text",
            "chunk",
            "event_type",
            "event_type=text-generation event_type=stream-end",
        ),
        Shape("bedrock_titan", "request", "inputText", "normalize dimensions embeddingTypes"),
        Shape("bedrock_titan", "response", "inputTextTokenCount", "embedding"),
    ),
    {"bedrock_text": "Bedrock's text models", "bedrock_titan": "Amazon's Titan embeddings"},
    also_called={"titan": "bedrock_text", "llama": "bedrock_text"},
)
