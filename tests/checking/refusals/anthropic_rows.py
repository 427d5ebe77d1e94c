"""Which recorded refusals and which rows of the tables the rules for Anthropic's shape cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "first-not-user": "not refused since 2024 (recorded a39b03025f4ffce4 was accepted)",
    "forced-tool-unsupported": "depends on the model",
    "max-tokens-too-large": "depends on the model; that it is missing is `max-tokens-missing`",
    "prefill-unsupported": "depends on the model; older ones continue the message",
    "prompt-too-long": "needs the model's tokenizer and its limit",
    "roles-not-alternating": "not refused since 2024: the server joins neighbours of one role",
    "sampling-removed": "depends on the model",
    "temperature-and-top-p": "depends on the model",
    "thinking-changed": "needs what the model returned",
    "thinking-type-unsupported": "depends on the model",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "8f4cbaa555d0bf7a": "needs the model's tokenizer and its limit",
    "f1b5e5d404e282db": "the model does not know this effort",
}
"""The recorded refusals that a request does not decide, and why."""
