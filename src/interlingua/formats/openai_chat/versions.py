"""What OpenAI's models accept, as far as their names say."""

from __future__ import annotations

import re

from ...model.base import Json

REASONS_ALONE = (5, 4)
"""The first version of OpenAI's models that takes function tools at Chat Completions only without reasoning."""

REASONS_BY_DEFAULT = (5, 5)
"""The first version since then that reasons if a request does not say how much."""

_MARKED = (5, 6)
"""The first version that takes cache marks."""

_MODEL = re.compile(r"gpt-(\d{1,3})(?:\.(\d{1,3}))?(?=-|$)")
_ANY_MODEL = re.compile(r"(?:ft:)?(?:chatgpt-|o\d|gpt-(\d{1,3})(?:\.(\d{1,3}))?(?![.\d]))")
_MARKS_REFUSED = "models of OpenAI before GPT-5.6 take no cache marks: they cache by themselves"


def version_of(model: Json) -> tuple[int, int]:
    """The version in the name of a GPT model, or (0, 0): of other models, and of those that chat without reasoning."""
    found = _MODEL.match(model) if isinstance(model, str) and "-chat" not in model else None
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def why_unmarked(model: Json) -> str | None:
    """Why a model of OpenAI takes no cache marks; None if it takes them, or if the name is not known to be OpenAI's."""
    found = _ANY_MODEL.match(model) if isinstance(model, str) else None
    is_older = found is not None and (int(found[1] or 0), int(found[2] or 0)) < _MARKED
    return _MARKS_REFUSED if is_older else None
