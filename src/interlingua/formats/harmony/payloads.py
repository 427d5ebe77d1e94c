"""The return types of dumps to harmony."""

from typing import Any

from typing_extensions import TypedDict

from ...codec.payloads import PayloadTypes


class HarmonyPrompt(TypedDict, total=False):
    """Bare messages as a prompt, which is left out if the list is empty."""

    prompt: str


class HarmonyPayload(TypedDict, total=False):
    """A request body of a text completion with a prompt in harmony."""

    prompt: str | list[Any]
    model: str
    max_tokens: int
    temperature: float
    top_p: float
    stop: str | list[str]
    user: str
    stream: bool


PAYLOADS = PayloadTypes(HarmonyPayload, HarmonyPrompt, HarmonyPrompt)
