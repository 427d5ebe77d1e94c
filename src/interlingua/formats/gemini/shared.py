"""The settings without a canonical field that Gemini shares with other formats (google-genai 3.4.0, the discovery document)."""

from __future__ import annotations

from itertools import product
from typing import Any

from ...codec.shared import Path, Setting, Shared, read_modalities
from ...model.base import Json
from .base import GeminiProfile
from .spellings import snake

_CONFIG = "generationConfig"
_SHOWN = {"concise": True, "detailed": True}
_TIERS = {"standard": "default", "flex": "flex", "priority": "priority", "unspecified": "auto"}


def shared_settings(profile: GeminiProfile) -> Shared:
    """The shared settings that a host or model accepts, in either spelling."""

    def setting(*path: str, **limits: Any) -> Setting:
        written = tuple(map(snake, path)) if profile.as_call else path
        read: list[Path] = [*product(*((name, snake(name)) for name in path))]
        return Setting(written, others=tuple(each for each in read if each != written), **limits)

    def penalty(name: str) -> Setting:
        return setting(_CONFIG, name, least=-2, most=2, check=None if profile.penalties else _refuse_penalty)

    return {
        "adaptive_thinking": setting(
            _CONFIG,
            "thinkingConfig",
            "thinkingBudget",
            unless="thinking_level" if profile.as_call else "thinkingLevel",
            reads=_no_setting,
            writes=_chosen_by_the_model,
            changed="adaptive thinking becomes a budget that the model chooses",
        ),
        "aspect_ratio": setting(_CONFIG, "imageConfig", "aspectRatio"),
        "cached_content": setting("cachedContent"),
        "frequency_penalty": penalty("frequencyPenalty"),
        "image_size": setting(_CONFIG, "imageConfig", "imageSize"),
        "logprobs": setting(_CONFIG, "responseLogprobs"),
        "modalities": setting(
            _CONFIG, "responseModalities", reads=read_modalities, writes=_in_capitals, check=refuse_mixed_audio
        ),
        "n": setting(_CONFIG, "candidateCount", least=1, most=8),
        "presence_penalty": penalty("presencePenalty"),
        "seed": setting(_CONFIG, "seed", least=-(2**31), most=2**31 - 1),
        "service_tier": setting("serviceTier", words=_TIERS, nearest={"fast": "priority"}),
        "thought_summaries": setting(
            _CONFIG, "thinkingConfig", "includeThoughts", words={True: "auto", False: "none"}, nearest=_SHOWN
        ),
        "top_logprobs": setting(_CONFIG, "logprobs", least=0, most=20, needs="logprobs"),
    }


def _no_setting(_budget: Json) -> Json:
    """None: a budget is canonical."""
    return None


def _chosen_by_the_model(_adaptive: Any) -> Json:
    return -1


def _in_capitals(modalities: Any) -> Json:
    return [str(each).upper() for each in modalities]


def refuse_mixed_audio(modalities: Any) -> str | None:
    """Gemini refuses TEXT and AUDIO together: an answer is either."""
    if "audio" in modalities and len(modalities) > 1:
        return "Gemini does not give text and audio in one answer"
    return None


VALIDATED_AS_AUTO = "the target does not make calls follow their schemas: where tools have `strict`, set it"


def _refuse_penalty(_value: Any) -> str:
    return "newer models refuse penalties; to send them, use `GeminiProfile(penalties=True)`"
