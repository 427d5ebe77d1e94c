"""What Bedrock's Converse refuses."""

from __future__ import annotations

from functools import partial

from . import bedrock_tools, pairing
from .bedrock_view import view
from .rules import RuleSet, errors
from .view import Found, View


def call_without_result(view: View) -> Found:
    """Every tool call is answered in the message directly after its own, and all calls of a message in the same one.

    Evidence: the server's text "Expected toolResult blocks ... for the following Ids" (maximhq/bifrost#1164,
    genkit-ai/aws-bedrock-js-plugin#664).
    """
    for turn, calls, _ in pairing.unpaired(view):
        if turn < len(view.turns) - 1:
            yield from ((call.at, "this call has no result in the next message") for call in calls)


def result_without_call(view: View) -> Found:
    """A result answers a call of the message directly before it.

    Evidence: the server's text "number of toolResult blocks ... exceeds the number of toolUse blocks"
    (OpenHands/OpenHands#4912, pydantic/pydantic-ai#2327, strands-agents/harness-sdk#1435).
    """
    for _, _, results in pairing.unpaired(view):
        yield from ((result.at, "no call in the message before has this result's id") for result in results)


_RULES = (*errors(call_without_result, result_without_call), *bedrock_tools.RULES)

RULES = {
    "bedrock_converse": RuleSet(view, _RULES),
    "bedrock_boto3": RuleSet(partial(view, sdk=True), _RULES),
}
"""The rules of each calling form's format, by its name."""
