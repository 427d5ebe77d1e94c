"""OpenAI's names of errors in its three APIs."""

from ...codec.error_words import ErrorWords

OPENAI_WORDS = ErrorWords(
    {400: "invalid_request_error", 402: "insufficient_quota", 429: "rate_limit_exceeded", 500: "server_error"},
    {401: "invalid_api_key", 402: "insufficient_quota", 429: "rate_limit_exceeded"},
    frozenset(
        "tokens requests model_not_found context_length_exceeded content_filter invalid_prompt invalid_value unsupported_value "
        "unsupported_parameter missing_required_parameter slow_down server_is_overloaded vector_store_timeout".split()
    ),
)
"""The error types of OpenAI in all its formats: one type for every error in a request."""
