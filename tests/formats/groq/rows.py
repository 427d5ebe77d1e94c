"""Which rows of the tables of refusals the rules for Groq's chat cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "content-must-be-string": "result-not-string",
    "reasoning-field-refused": "message-field-refused",
    "extra-field-refused": "message-field-refused",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "tool-use-failed": "what the model calls is not known from the request",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds; of three, two name a model that Groq does not have."""

UNPREDICTED: dict[str, str] = {
    "2baa39bfbc5e6c84": "the model did not call the tool that it was asked to",
}
"""The recorded refusals that a request does not decide, and why."""
