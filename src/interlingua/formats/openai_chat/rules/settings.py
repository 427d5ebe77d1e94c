"""What OpenAI's Chat Completions, and hosts of the same shape, refuse in the settings of a request."""

from __future__ import annotations

from ....codec.limits import LONGEST_USER
from ....codec.rules import settings
from ....codec.rules.view import Found, View, object_of
from ....errors import escape
from ....model.base import Json

LIMITS: settings.Limits = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "n": (1, 128),
    "top_logprobs": (0, 20),
}


def number_out_of_range(view: View) -> Found:
    """Numbers must be in range: temperature from 0 to 2, top_p from 0 to 1, penalties from -2 to 2, n from 1 to 128.

    Evidence: recorded refusal 2cd5c97f55333957, "Invalid 'temperature': decimal below minimum value"; minimum and maximum in
    OpenAI's specification.
    """
    return settings.out_of_range(view.body, LIMITS)


def number_not_integer(view: View) -> Found:
    """`n`, `seed` and `top_logprobs` must be integers, without a fraction.

    Evidence: the server's text "1710180280865.0 is not of type 'integer' - 'seed'" (namankhurpia/Easy-open-ai#35).
    """
    return settings.not_integers(view.body, ("n", "seed", "top_logprobs"))


def max_tokens_too_small(view: View) -> Found:
    """The limit of tokens must be at least 1.

    Evidence: the server's text "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1" (it-at-m/mucgpt#608,
    YSocialTwin/YClient#6); other hosts were recorded to take 0.
    """
    return settings.out_of_range(view.body, {"max_tokens": (1, None), "max_completion_tokens": (1, None)})


def max_tokens_twice(view: View) -> Found:
    """A request must not have both max_tokens and max_completion_tokens.

    Evidence: the server's text "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported"
    (langchain-ai/langgraph#5943, smallmain/vscode-unify-chat-provider#279); other hosts may take both.
    """
    return settings.both(view.body, "max_tokens", "max_completion_tokens")


def stream_options_without_stream(view: View) -> Found:
    """A request with stream_options must have stream: true.

    Evidence: the server's text "The 'stream_options' parameter is only allowed when 'stream' is enabled"
    (BerriAI/litellm#5803, aliasrobotics/cai#78).
    """
    if view.body.get("stream_options") is not None and view.body.get("stream") is not True:
        yield "/stream_options", "`stream_options` needs `stream: true`: set it, or leave `stream_options` out"


def metadata_without_store(view: View) -> Found:
    """A request with metadata must have store: true.

    Evidence: the server's text "The 'metadata' parameter is only allowed when 'store' is enabled" (QwenLM/qwen-code#243,
    tmc/langchaingo#1484, spiceai/spiceai#5231); other hosts may take metadata without.
    """
    if view.body.get("metadata") and view.body.get("store") is not True:
        yield "/metadata", "OpenAI takes `metadata` only with `store: true`: set it, or leave `metadata` out"


def metadata_too_large(view: View) -> Found:
    """Metadata must have at most 16 keys of at most 64 characters, with strings of at most 512.

    Evidence: Metadata in OpenAI's specification; other hosts may have no such limit.
    """
    metadata = object_of(view.body, "metadata")
    if len(metadata) > 16:
        yield "/metadata", f"`metadata` must have at most 16 keys; it has {len(metadata)}"
    for key, value in metadata.items():
        if len(str(key)) > 64 or not isinstance(value, str) or len(value) > 512:
            yield (
                f"/metadata/{escape(key)}",
                "`metadata` must have keys of at most 64 characters, and strings of at most 512 as values",
            )


def top_logprobs_without_logprobs(view: View) -> Found:
    """A request with top_logprobs must have logprobs: true.

    Evidence: OpenAI's specification, "logprobs must be set to true if this parameter is used".
    """
    if view.body.get("top_logprobs") is not None and view.body.get("logprobs") is not True:
        yield "/top_logprobs", "`top_logprobs` needs `logprobs: true`: set it, or leave `top_logprobs` out"


def audio_settings_missing(view: View) -> Found:
    """A request for an answer in audio must have the settings of the audio.

    Evidence: OpenAI's specification of audio, "Required when audio output is requested".
    """
    modalities: Json = view.body.get("modalities")
    if isinstance(modalities, list) and "audio" in modalities and not view.body.get("audio"):
        yield "/modalities", "an answer in audio needs the field `audio`, which sets its voice and format"


def stop_too_many(view: View) -> Found:
    """A request must have at most 4 stop sequences.

    Evidence: the server's text "Invalid 'stop': array too long. Expected an array with maximum length 4"
    (QwenLM/Qwen-Agent#228, continuedev/continue#2461); DeepSeek takes up to 16.
    """
    if isinstance(view.body.get("stop"), list):
        yield from settings.too_long(view.body, ["stop"], 4)


def setting_too_long(view: View) -> Found:
    """user, safety_identifier and prompt_cache_key must have at most 64 characters.

    Evidence: "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64"
    (earendil-works/pi#4720), and maxLength 64 of safety_identifier in the specification; other hosts may have no limit.
    """
    return settings.too_long(view.body, ["user", "safety_identifier", "prompt_cache_key"], LONGEST_USER)


def json_object_needs_word(view: View) -> Found:
    """With a response format of type json_object, the messages must contain the word JSON.

    Evidence: the server's text "'messages' must contain the word 'json' in some form" (meta-llama/PurpleLlama#94,
    0zd3m1r/koreader-xray-plugin#18), DeepSeek's "Prompt must contain the word 'json'" (yubing744/trading-gpt#75).
    """
    asked = object_of(view.body, "response_format").get("type") == "json_object"
    if asked and not any("json" in text.text.lower() for text in view.texts):
        yield "/messages", "for a format of type json_object, a message must contain the word JSON: ask for JSON in the prompt"
