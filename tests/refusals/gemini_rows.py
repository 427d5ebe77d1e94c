"""Which recorded refusals and which rows of the tables the rules for Gemini cover, and why not the others."""

from refusals.rows import Refusal

RULE_OF: dict[str, str] = {}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = {
    "array-items-missing",
    "cached-content-conflict",
    "call-turn-misplaced",
    "empty-message",
    "empty-text",
    "json-mode-with-tools",
    "media-type-unsupported",
    "model-takes-no-tools",
    "native-and-function-tools",
    "no-messages",
    "object-properties-empty",
    "part-without-data",
    "penalty-unsupported",
    "prefill-unsupported",
    "prompt-too-long",
    "reasoning-signature-invalid",
    "result-count-mismatch",
    "result-not-object",
    "result-with-other-content",
    "result-without-call",
    "role-invalid",
    "roles-not-alternating",
    "schema-anyof-alongside",
    "schema-enum-not-string",
    "schema-props-on-non-object",
    "schema-required-undefined",
    "schema-root-not-object",
    "schema-too-complex",
    "schema-type-missing",
    "schema-unknown-keyword",
    "system-unsupported",
    "thinking-budget-model",
    "thinking-level-and-budget",
    "thought-signature-missing",
    "tool-id-duplicate",
    "tool-name-duplicate",
    "tool-name-pattern",
    "unknown-field",
    "72741bb057f71cac",
}
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "6d170c84250c7cc0": "needs the model's tokenizer and its limit",
    "91fdfa6ccce34832": "the server cannot fetch the URL",
    "bec80d84ac80265f": "the API key is wrong",
    "d2564e4952eb8d13": "the server cannot fetch the URL",
    "ef499fa161503d83": "the API key is wrong",
    "f9333e3d4d0c255a": "the server cannot fetch the URL",
}
"""The recorded refusals that a request does not decide, and why."""
