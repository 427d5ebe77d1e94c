"""Which rows of the tables of refusals the rules for xAI's chat cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "assistant-empty": "message-without-content",
    "xai-penalty-stop": "penalty-or-stop-refused",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "effort-unsupported-model": "which models take it is not known from the request",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds; none were recorded."""

UNPREDICTED: dict[str, str] = {}
"""The recorded refusals that a request does not decide, and why."""
