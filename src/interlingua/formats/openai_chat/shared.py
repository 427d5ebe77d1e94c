"""Settings without a canonical form that Chat Completions shares with other formats."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...codec.fields import Wire, value_at
from ...codec.shared import HIDDEN, SEALED, SHOWN, Path, Setting, Shared, automatic_caching, read_modalities, same
from ...model.base import Json
from .profiles import STANDARD_ONLY, ChatProfile, limits_budget
from .versions import FIXED, REASONING, SAMPLING, reasons

_LIMITED = {
    "frequency_penalty": Setting(("frequency_penalty",), least=-2, most=2),
    "presence_penalty": Setting(("presence_penalty",), least=-2, most=2),
    "top_logprobs": Setting(("top_logprobs",), least=0, most=20, needs="logprobs"),
}
"""The numbers that have a range (OpenAI's specification); `top_logprobs` is refused without `logprobs`."""
_SAME = same(
    *"logprobs moderation prompt_cache_key prompt_cache_options prompt_cache_retention".split(),
    *"safety_identifier store verbosity".split(),
)
_STREAMED = {name: Setting(("stream_options", name)) for name in ("include_obfuscation", "include_usage")}
_USAGE = {"include_usage": Setting(("stream_options", "include_usage"), others=(("usage", "include"),))}
"""OpenRouter's own field for usage, `usage.include`; it no longer has an effect (OpenRouter's SDK)."""
_HIDDEN = {"thought_summaries": Setting(("reasoning", "exclude"), words={True: "none", False: "auto"})}
"""Whether answers leave out the reasoning (OpenRouter's guide to reasoning)."""
_DRAWN = {name: Setting(("image_config", name)) for name in ("aspect_ratio", "image_size")}
"""The form of the images that a model draws (OpenRouter's guide to image generation)."""


_SHOWN_BY_GOOGLE = Setting(
    ("extra_body", "google", "thinking_config", "include_thoughts"),
    words={True: "auto", False: "none"},
    nearest={"concise": True, "detailed": True},
    fits=lambda out: "reasoning_effort" not in out,
)
"""Whether reasoning is shown at Google's endpoint, which takes either an object for thinking or an effort."""


def _refuse_modalities(answered: Collection[str], modalities: Any) -> str | None:
    """Why a host does not answer in these modalities; audio needs settings of its own, which other formats lack."""
    is_known = all(each in answered for each in modalities)
    return None if is_known else f"`modalities` may only have {' and '.join(sorted(answered))}"


def _samples(out: Wire) -> bool:
    """Whether a body may have sampling settings, which models refuse while they reason."""
    return not reasons(out.get("model"), out.get("reasoning_effort"))


_SWITCHES: dict[Path, Json] = {
    ("thinking", "type"): "enabled",
    ("enable_thinking",): True,
    ("reasoning", "enabled"): True,
}
"""Where a request can enable reasoning without saying how much, with the value for each place."""


def _thinking(profile: ChatProfile) -> Setting:
    """Reasoning that is enabled, where the model decides how much it reasons."""
    key = "reasoning" if profile.reasoning_settings else profile.thinking_switch
    own = next((path for path in _SWITCHES if path[0] == key), None)
    others = tuple(path for path in _SWITCHES if path != own)
    path, *rest = others if own is None else (own, *others)
    setting = Setting(
        path, others=tuple(rest), reads=_is_enabled, writes=lambda _: _SWITCHES[path], fits=_never, implied=_says_to_reason
    )
    if profile.thinking_object:
        return replace(setting, writes=_adaptive, fits=_takes_thinking)
    return setting if own is None else replace(setting, fits=_says_no_effort)


def _is_enabled(value: Json) -> Json:
    return True if value is True or (type(value) is str and value in ("enabled", "adaptive")) else None


def _says_no_effort(out: Wire) -> bool:
    """Whether a body does not say how much to reason; hosts refuse the switch beside an effort."""
    return "reasoning_effort" not in out and "reasoning" not in out


def _says_to_reason(out: Wire) -> bool:
    """Whether a body says how much to reason."""
    effort = out.get("reasoning_effort") or value_at(out, ("reasoning", "effort")) or value_at(out, ("reasoning", "max_tokens"))
    return effort not in (None, "none")


USUAL_FIELDS: Wire = {
    "format": "unknown",
    "delta": {"role": "assistant", "content": ""},
    "stream_options": {"include_usage": False, "include_obfuscation": False},
}
"""Fields that say nothing with these values: of reasoning that nobody signed, beside the message of a whole answer of
Perplexity, and of streams, which are as other providers send them anyway."""


def unasked(profile: ChatProfile) -> Mapping[str, tuple[Json, ...]]:
    """The values of shared settings that ask for what a host's answers have anyway."""
    seals = profile.reasoning in ("reasoning_details", "thinking_blocks")
    shown = HIDDEN if profile.reasoning is None else {}
    return (SEALED if seals else {}) | (SHOWN if profile.shows_reasoning else shown)


def _adaptive(_: Any) -> Json:
    return "adaptive"


def _takes_thinking(out: Wire) -> bool:
    return limits_budget(out.get("model")) and _says_no_effort(out)


def _never(_: Wire) -> bool:
    return False


_SHOWN_BY_GROQ = {
    "thought_summaries": Setting(("reasoning_format",), words={"parsed": "auto", "hidden": "none"}, fits=_never),
}
"""Whether answers have the reasoning in a separate field; it is never written, as some models refuse it (Groq's guide)."""


def shared_settings(profile: ChatProfile) -> Shared:
    """The shared settings that a host accepts."""
    tiers = None if profile.open else {tier: STANDARD_ONLY.get(tier, tier) for tier in sorted(profile.tiers)}
    seed = Setting((profile.seed_field,), others=(("seed",), ("random_seed",)), least=profile.least_seed)
    answered = {"text", "image"} if profile.open else {"text"}
    own = {
        "modalities": Setting(("modalities",), reads=read_modalities, writes=list, check=partial(_refuse_modalities, answered)),
        "n": Setting(("n",), least=1, most=profile.most_choices),
        "seed": seed,
        "service_tier": Setting(("service_tier",), words=tiers),
    }
    if profile.reasoning_settings:
        own |= _USAGE | _HIDDEN
    if "reasoning_format" in profile.request_fields and not profile.open:
        own |= _SHOWN_BY_GROQ
    if profile.automatic_caching:
        own["automatic_caching"] = automatic_caching()
    known = _SAME | _LIMITED | _STREAMED | own | (_DRAWN if profile.answer_images else {})
    if profile.signatures == "extra_content":  # Google's own endpoint
        return {name: one for name, one in known.items() if one.path[0] in profile.request_fields} | {
            "thought_summaries": _SHOWN_BY_GOOGLE
        }
    if profile.sampling == "without_reasoning":
        known |= {name: replace(known[name], fits=_samples, unfit=REASONING) for name in SAMPLING & known.keys()}
    elif profile.sampling == "never":
        known = {name: one for name, one in known.items() if name not in FIXED}
    if not profile.open:
        taken = {name: one for name, one in known.items() if one.path[0] in profile.request_fields}
        known = {"include_usage": replace(known["include_usage"], fits=_never)} | taken
    return known | {"adaptive_thinking": _thinking(profile)}
