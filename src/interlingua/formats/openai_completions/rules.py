"""What OpenAI's legacy Completions, and hosts of the same shape, refuse: only settings, as a prompt may be any text."""

from __future__ import annotations

from ...codec.rules import settings
from ...codec.rules.rule import RuleSet, errors, warnings
from ...codec.rules.view import Found, View
from ..openai_chat.rules import settings as chat_settings

_LIMITS: settings.Limits = {**chat_settings.LIMITS, "logprobs": (0, 5), "best_of": (0, 20), "max_tokens": (0, None)}


def number_out_of_range(view: View) -> Found:
    """Numbers must be in range: as in Chat, with logprobs from 0 to 5, and best_of from 0 to 20.

    Evidence: minimum and maximum in OpenAI's specification of completions.
    """
    return settings.out_of_range(view.body, _LIMITS)


RULES = RuleSet(
    View,
    (*errors(number_out_of_range), *warnings(chat_settings.stop_too_many, chat_settings.setting_too_long)),
    tools=lambda _body: [],
    outputs=lambda _body: [],
)
