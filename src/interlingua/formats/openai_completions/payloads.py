"""The return types of dumps to OpenAI's text completions."""

from typing import Any

from typing_extensions import TypedDict

from ...codec.payloads import PayloadTypes


class CompletionsPrompt(TypedDict, total=False):
    """Bare messages as the prompt of legacy Completions, which is left out if the list is empty."""

    prompt: str | list[str]


class CompletionsPayload(TypedDict, total=False):
    """A request body of legacy Completions."""

    prompt: str | list[Any]
    model: str
    max_tokens: int
    temperature: float
    top_p: float
    stop: str | list[str]
    user: str
    stream: bool


PAYLOADS = PayloadTypes(CompletionsPayload, CompletionsPrompt, CompletionsPrompt)
