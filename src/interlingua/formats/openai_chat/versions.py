"""What OpenAI's models accept, as far as their names say."""

from __future__ import annotations

import re

from ...model.base import Json

REASONS_ALONE = (5, 4)
"""The first version of OpenAI's models that takes function tools at Chat Completions only without reasoning."""

REASONS_BY_DEFAULT = (5, 5)
"""The first version since then that reasons if a request does not say how much."""

FIXED = frozenset({"frequency_penalty", "presence_penalty", "temperature", "top_p"})
"""The settings for which some hosts accept only one value; the rule `sampling-fixed` names the evidence."""

SAMPLING = FIXED | {"logit_bias", "logprobs", "top_logprobs"}
"""The settings that OpenAI's models refuse while they reason; the rule `sampling-with-reasoning` names the evidence."""

REASONING = "models refuse this setting while they reason"

_MARKED = (5, 6)
"""The first version that takes cache marks."""

_MODEL = re.compile(r"gpt-(\d{1,3})(?:\.(\d{1,3}))?(?=-|$)")
_REASONER = re.compile(r"(?:ft:)?(?:o\d|codex-|gpt-5(?![.\d])|gpt-5\.\d+-(?:codex|pro))")
"""The models that always reason: the o-series, the first GPT-5 in its sizes, and the later ones for code or in size pro."""

_ANY_MODEL = re.compile(r"(?:ft:)?(?:chatgpt-|o\d|gpt-(\d{1,3})(?:\.(\d{1,3}))?(?![.\d]))")
_MARKS_REFUSED = "models of OpenAI before GPT-5.6 take no cache marks: they cache by themselves"


def version_of(model: Json) -> tuple[int, int]:
    """The version in the name of a GPT model, or (0, 0): of other models, and of those that chat without reasoning."""
    found = _MODEL.match(model) if isinstance(model, str) and "-chat" not in model else None
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def reasons(model: Json, effort: Json) -> bool:
    """Whether a model reasons when it is asked for an effort, or for none in particular."""
    if effort is not None:
        return effort != "none"
    if not isinstance(model, str) or "-chat" in model:
        return False
    return _REASONER.match(model) is not None or version_of(model) >= REASONS_BY_DEFAULT


def why_unmarked(model: Json) -> str | None:
    """Why a model of OpenAI takes no cache marks; None if it takes them, or if the name is not known to be OpenAI's."""
    found = _ANY_MODEL.match(model) if isinstance(model, str) else None
    is_older = found is not None and (int(found[1] or 0), int(found[2] or 0)) < _MARKED
    return _MARKS_REFUSED if is_older else None
