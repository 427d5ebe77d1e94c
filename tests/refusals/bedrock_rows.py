"""Which recorded refusals and which rows of the tables the rules for Bedrock's Converse cover, and why not the others."""

from refusals.rows import Refusal

RULE_OF: dict[str, str] = {}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = {
    "args-not-object",
    "beta-flag-invalid",
    "block-type-unsupported",
    "cache-mark-misplaced",
    "cache-mark-unsupported",
    "document-name-charset",
    "document-name-duplicate",
    "document-without-text",
    "empty-message",
    "empty-text",
    "error-result-content",
    "first-not-user",
    "forced-tool-unsupported",
    "forced-tool-with-thinking",
    "image-too-large-pixels",
    "model-takes-no-tools",
    "prefill-unsupported",
    "reasoning-not-accepted-back",
    "result-not-object",
    "result-with-other-content",
    "roles-not-alternating",
    "sampling-removed",
    "system-unsupported",
    "temperature-and-top-p",
    "temperature-with-thinking",
    "thinking-budget-range",
    "too-many-documents",
    "tool-id-duplicate",
    "tool-id-pattern",
    "tools-missing-for-history",
    "trailing-whitespace",
    "url-source-unsupported",
    "59e3f3c212657e41",
    "1892d0347692ed0a",
    "6de873c9b346aebe",
    "703b3da3757edbf3",
}
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "0d90d14a57afb06d": "there is no such model",
}
"""The recorded refusals that a request does not decide, and why."""
