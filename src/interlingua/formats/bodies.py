"""The names of typed bodies. Written by `tools/body_names.py`: do not edit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.exchange import Request, Response

    OpenaiChatBody = Request
    VerifiersBody = Request
    LitellmBody = Request
    GeminiOpenaiBody = Request
    OpenhandsBody = Request
    ClackyBody = Request
    DeepseekBody = Request
    OpenrouterBody = Request
    GroqBody = Request
    XaiBody = Request
    HuggingfaceBody = Request
    VllmBody = Request
    SglangBody = Request
    AnthropicBody = Request
    AsktableBody = Request
    AnthropicBedrockBody = Request
    AnthropicVertexBody = Request
    GeminiBody = Request
    GoogleGenaiBody = Request
    BedrockConverseBody = Request
    BedrockNovaBody = Request
    BedrockTextBody = Request
    OpenaiCompletionsBody = Request
    OpenaiResponsesBody = Request
    HarmonyBody = Request
    GeminiInteractionsBody = Request
    MistralBody = Request
    HfChatTemplateBody = Request
    CohereBody = Request
    OllamaBody = Request
    OllamaGenerateBody = Request
    SharegptBody = Request
    AlpacaBody = Request
    OpenaiChatResponseBody = Response
    VerifiersResponseBody = Response
    LitellmResponseBody = Response
    GeminiOpenaiResponseBody = Response
    OpenhandsResponseBody = Response
    ClackyResponseBody = Response
    DeepseekResponseBody = Response
    OpenrouterResponseBody = Response
    GroqResponseBody = Response
    XaiResponseBody = Response
    HuggingfaceResponseBody = Response
    VllmResponseBody = Response
    SglangResponseBody = Response
    AnthropicResponseBody = Response
    AsktableResponseBody = Response
    AnthropicBedrockResponseBody = Response
    AnthropicVertexResponseBody = Response
    GeminiResponseBody = Response
    GoogleGenaiResponseBody = Response
    BedrockConverseResponseBody = Response
    BedrockNovaResponseBody = Response
    BedrockTextResponseBody = Response
    OpenaiCompletionsResponseBody = Response
    OpenaiResponsesResponseBody = Response
    HarmonyResponseBody = Response
    GeminiInteractionsResponseBody = Response
    MistralResponseBody = Response
    CohereResponseBody = Response
    OllamaResponseBody = Response
    OllamaGenerateResponseBody = Response
__all__ = [
    "AlpacaBody",
    "AnthropicBedrockBody",
    "AnthropicBedrockResponseBody",
    "AnthropicBody",
    "AnthropicResponseBody",
    "AnthropicVertexBody",
    "AnthropicVertexResponseBody",
    "AsktableBody",
    "AsktableResponseBody",
    "BedrockConverseBody",
    "BedrockConverseResponseBody",
    "BedrockNovaBody",
    "BedrockNovaResponseBody",
    "BedrockTextBody",
    "BedrockTextResponseBody",
    "ClackyBody",
    "ClackyResponseBody",
    "CohereBody",
    "CohereResponseBody",
    "DeepseekBody",
    "DeepseekResponseBody",
    "GeminiBody",
    "GeminiInteractionsBody",
    "GeminiInteractionsResponseBody",
    "GeminiOpenaiBody",
    "GeminiOpenaiResponseBody",
    "GeminiResponseBody",
    "GoogleGenaiBody",
    "GoogleGenaiResponseBody",
    "GroqBody",
    "GroqResponseBody",
    "HarmonyBody",
    "HarmonyResponseBody",
    "HfChatTemplateBody",
    "HuggingfaceBody",
    "HuggingfaceResponseBody",
    "LitellmBody",
    "LitellmResponseBody",
    "MistralBody",
    "MistralResponseBody",
    "OllamaBody",
    "OllamaGenerateBody",
    "OllamaGenerateResponseBody",
    "OllamaResponseBody",
    "OpenaiChatBody",
    "OpenaiChatResponseBody",
    "OpenaiCompletionsBody",
    "OpenaiCompletionsResponseBody",
    "OpenaiResponsesBody",
    "OpenaiResponsesResponseBody",
    "OpenhandsBody",
    "OpenhandsResponseBody",
    "OpenrouterBody",
    "OpenrouterResponseBody",
    "SglangBody",
    "SglangResponseBody",
    "SharegptBody",
    "VerifiersBody",
    "VerifiersResponseBody",
    "VllmBody",
    "VllmResponseBody",
    "XaiBody",
    "XaiResponseBody",
]
REQUESTS = {
    "OpenaiChatBody": "openai_chat",
    "VerifiersBody": "verifiers",
    "LitellmBody": "litellm",
    "GeminiOpenaiBody": "gemini_openai",
    "OpenhandsBody": "openhands",
    "ClackyBody": "clacky",
    "DeepseekBody": "deepseek",
    "OpenrouterBody": "openrouter",
    "GroqBody": "groq",
    "XaiBody": "xai",
    "HuggingfaceBody": "huggingface",
    "VllmBody": "vllm",
    "SglangBody": "sglang",
    "AnthropicBody": "anthropic",
    "AsktableBody": "asktable",
    "AnthropicBedrockBody": "anthropic_bedrock",
    "AnthropicVertexBody": "anthropic_vertex",
    "GeminiBody": "gemini",
    "GoogleGenaiBody": "google_genai",
    "BedrockConverseBody": "bedrock_converse",
    "BedrockNovaBody": "bedrock_nova",
    "BedrockTextBody": "bedrock_text",
    "OpenaiCompletionsBody": "openai_completions",
    "OpenaiResponsesBody": "openai_responses",
    "HarmonyBody": "harmony",
    "GeminiInteractionsBody": "gemini_interactions",
    "MistralBody": "mistral",
    "HfChatTemplateBody": "hf_chat_template",
    "CohereBody": "cohere",
    "OllamaBody": "ollama",
    "OllamaGenerateBody": "ollama_generate",
    "SharegptBody": "sharegpt",
    "AlpacaBody": "alpaca",
}
"""The format of each type of requests."""
RESPONSES = {
    "OpenaiChatResponseBody": "openai_chat",
    "VerifiersResponseBody": "verifiers",
    "LitellmResponseBody": "litellm",
    "GeminiOpenaiResponseBody": "gemini_openai",
    "OpenhandsResponseBody": "openhands",
    "ClackyResponseBody": "clacky",
    "DeepseekResponseBody": "deepseek",
    "OpenrouterResponseBody": "openrouter",
    "GroqResponseBody": "groq",
    "XaiResponseBody": "xai",
    "HuggingfaceResponseBody": "huggingface",
    "VllmResponseBody": "vllm",
    "SglangResponseBody": "sglang",
    "AnthropicResponseBody": "anthropic",
    "AsktableResponseBody": "asktable",
    "AnthropicBedrockResponseBody": "anthropic_bedrock",
    "AnthropicVertexResponseBody": "anthropic_vertex",
    "GeminiResponseBody": "gemini",
    "GoogleGenaiResponseBody": "google_genai",
    "BedrockConverseResponseBody": "bedrock_converse",
    "BedrockNovaResponseBody": "bedrock_nova",
    "BedrockTextResponseBody": "bedrock_text",
    "OpenaiCompletionsResponseBody": "openai_completions",
    "OpenaiResponsesResponseBody": "openai_responses",
    "HarmonyResponseBody": "harmony",
    "GeminiInteractionsResponseBody": "gemini_interactions",
    "MistralResponseBody": "mistral",
    "CohereResponseBody": "cohere",
    "OllamaResponseBody": "ollama",
    "OllamaGenerateResponseBody": "ollama_generate",
}
"""The format of each type of responses."""
