"""Which recorded refusals and which rows of the tables the rules for Anthropic's shape cover, and why not the others."""

from refusals.rows import Refusal

RULE_OF: dict[str, str] = {}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = {
    "args-not-object",
    "beta-flag-invalid",
    "cache-mark-on-empty",
    "cache-marks-too-many",
    "cache-ttl-order",
    "effort-unsupported",
    "empty-message",
    "empty-text",
    "envelope-version",
    "error-result-content",
    "first-not-user",
    "forced-tool-unsupported",
    "forced-tool-with-thinking",
    "image-too-large-bytes",
    "image-too-large-pixels",
    "lone-surrogate",
    "max-tokens-too-large",
    "media-type-mismatch",
    "media-type-unsupported",
    "no-messages",
    "pdf-refused",
    "prefill-unsupported",
    "prompt-too-long",
    "reasoning-signature-invalid",
    "result-duplicate",
    "roles-not-alternating",
    "sampling-removed",
    "schema-invalid",
    "schema-root-combinator",
    "stop-sequence-blank",
    "system-role-refused",
    "temperature-and-top-p",
    "temperature-with-thinking",
    "thinking-budget-range",
    "thinking-changed",
    "thinking-empty",
    "thinking-last-block",
    "thinking-must-lead",
    "thinking-type-unsupported",
    "thinking-while-disabled",
    "tool-id-duplicate",
    "tool-id-pattern",
    "tool-name-duplicate",
    "tool-name-pattern",
    "tools-missing-for-history",
    "trailing-whitespace",
    "unknown-field",
    "unpaired-server-tool",
    "url-source-unsupported",
}
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "8f4cbaa555d0bf7a": "needs the model's tokenizer and its limit",
    "f1b5e5d404e282db": "the model does not know this effort",
}
"""The recorded refusals that a request does not decide, and why."""
