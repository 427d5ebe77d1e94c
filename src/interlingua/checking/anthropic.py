"""What Anthropic's Messages API, and hosts of the same shape, refuse."""

from __future__ import annotations

from . import pairing
from .anthropic_view import view
from .rules import RuleSet, errors, warnings
from .view import Found, View


def call_without_result(view: View) -> Found:
    """Every tool call is answered in the message directly after its own, and all calls of a message in the same one.

    Evidence: the server's text "`tool_use` ids were found without `tool_result` blocks immediately after"
    (anthropics/claude-code#1237, OpenHands/OpenHands#7512; results split over messages: MoonshotAI/kosong#45).
    """
    for turn, calls, results in pairing.unpaired(view):
        if len(calls) > len(results) and turn < len(view.turns) - 1:
            yield from ((call.at, "this call has no result in the next message") for call in calls)


def result_without_call(view: View) -> Found:
    """A result answers a call of the message directly before it.

    Evidence: the server's text "unexpected `tool_use_id` found in `tool_result` blocks" (decocms/studio#1803,
    anthropics/claude-code#13460, microsoft/vscode#267837, tghamm/Anthropic.SDK#184).
    """
    for _, calls, results in pairing.unpaired(view):
        if len(results) > len(calls):
            yield from ((result.at, "no call in the message before has this result's id") for result in results)


def result_id_mismatch(view: View) -> Found:
    """A result has the id of a call, also where there are as many results as calls.

    Evidence: the server's text as for results without a call; in 2024 the numbers were compared, and not the ids, and such a
    request was accepted (recorded 8e58a1de12d0e778).
    """
    for _, calls, results in pairing.unpaired(view):
        if len(results) <= len(calls):
            yield from ((result.id_at, "no call in the message before has this id") for result in results)


_RULES = (*errors(call_without_result, result_without_call), *warnings(result_id_mismatch))

RULES = {name: RuleSet(view, _RULES) for name in ("anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex")}
"""The rules of each host's format, by its name."""
