"""The marks by which payloads of Mistral's chat are recognised among those of Chat's shape."""

from __future__ import annotations

from ...codec.marks import Marks, Shape
from ..openai_chat.marks import HOSTS, MESSAGES

_OTHERS = "max_completion_tokens seed stream_options"

MARKS = Marks(
    (
        Shape(
            "mistral",
            "request",
            "messages",
            "random_seed safe_prompt prompt_mode guardrails tool_choice=any messages[].prefix "
            "messages[].content[].document_url:text messages[].content[].type=document_url messages[].content[].type=reference "
            "messages[].content[].thinking:list messages[].content[].input_audio:text",
            f"{MESSAGES} messages[].content[].type=thinking",
            never=_OTHERS,
            rare=HOSTS,
        ),
        Shape(
            "mistral",
            "response",
            "choices",
            "choices[].message.content[].thinking:list usage.prompt_audio_seconds usage.num_cached_tokens "
            "choices[].finish_reason=model_length",
            "object=chat.completion choices[].message choices[].finish_reason choices[].message.content created "
            "usage.prompt_tokens",
            never="choices[].delta object=chat.completion.chunk",
        ),
        Shape(
            "mistral",
            "chunk",
            "choices",
            "choices[].delta.content[].thinking:list usage.prompt_audio_seconds choices[].finish_reason=model_length",
            "object=chat.completion.chunk choices[].finish_reason created choices[].delta choices[].delta.content "
            "choices[].delta.role",
            never="choices[].message object=chat.completion",
        ),
        Shape("mistral", "error", "object=error message", more="type param code raw_status_code", never="error"),
        Shape("mistral", "error", "message:text request_id:text", never="error type object code"),
        *(Shape("mistral_text", kind, "outputs", "outputs[].text", "outputs[].stop_reason") for kind in ("response", "chunk")),
    ),
    {"mistral_text": "Mistral's prompts"},
    also_called={"mistralai": "mistral"},
)
