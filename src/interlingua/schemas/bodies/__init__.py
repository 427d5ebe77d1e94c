"""Typed bodies: types for annotations, one for each format's requests and one for its responses.

A type validates the provider's shape wherever pydantic validates, gives the canonical `Request` or `Response`, and is one
component of an OpenAPI document. Its name follows from the format's: `openai_chat` has `OpenaiChatBody` and
`OpenaiChatResponseBody`. For type checkers, the names are aliases of `Request` and `Response`, in `names`.
"""
