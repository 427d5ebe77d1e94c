"""Which rows of the tables of refusals the rules for SGLang cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "tool-arguments-not-json": "arguments-not-object",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "effort-unsupported-model": "0.5.23 takes all of them, and older servers three",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds; none were recorded."""

UNPREDICTED: dict[str, str] = {}
"""The recorded refusals that a request does not decide, and why."""
