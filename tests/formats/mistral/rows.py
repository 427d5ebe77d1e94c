"""Which rows of the tables of refusals the rules for Mistral's chat cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "extra-field-refused": "message-field-refused",
    "mistral-call-id-format": "call-id-format",
    "reasoning-field-refused": "message-field-refused",
    "tool-call-count-mismatch": "call-without-result",
    "tool-result-orphan": "result-without-call",
    "user-after-tool": "user-after-result",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds; none were recorded."""

UNPREDICTED: dict[str, str] = {}
"""The recorded refusals that a request does not decide, and why."""
