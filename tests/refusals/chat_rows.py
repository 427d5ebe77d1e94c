"""Which recorded refusals and which rows of the tables the rules for Chat's shape cover, and why not the others."""

from refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "tool-call-unanswered": "call-without-result",
    "tool-result-orphan": "result-without-call",
    "tool-call-id-duplicate": "result-duplicate",
    "array-schema-missing-items": "array-items-missing",
    "duplicate-tool-name": "tool-name-duplicate",
    "schema-node-malformed": "schema-invalid",
    "tool-schema-root-object": "schema-root-not-object",
    "tool-schema-top-level-combinator": "schema-root-combinator",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = {
    "body-argument-unrecognized",
    "content-bad-type",
    "content-must-be-string",
    "content-null",
    "effort-unsupported-model",
    "effort-with-tools-on-chat",
    "extra-field-refused",
    "file-data-format",
    "forced-tool-choice-in-thinking",
    "image-data-invalid",
    "image-not-in-user",
    "image-url-not-object",
    "image-url-unreachable",
    "json-body-lone-surrogate",
    "json-mode-with-tools",
    "json-object-needs-word",
    "last-message-assistant",
    "max-tokens-over-limit",
    "max-tokens-renamed",
    "message-name-pattern",
    "message-name-refused",
    "modality-unsupported-image",
    "number-out-of-range",
    "openrouter-reasoning-mandatory",
    "output-limit-reached",
    "parallel-tool-calls-unsupported",
    "part-type-missing",
    "part-type-unsupported",
    "reasoning-content-missing",
    "role-developer-refused",
    "roles-must-alternate",
    "sampling-param-unsupported",
    "stop-unsupported-model",
    "stream-options-without-stream",
    "thought-signature-missing",
    "tool-call-id-missing",
    "tool-call-id-too-long",
    "unknown-field",
    "web-search-options-unsupported",
    "0d14fbf62f745cb6",
    "c86b7d48cb091df1",
}
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "049711daea4760e5": "the model takes no stop sequences",
    "2baa39bfbc5e6c84": "the model did not call the tool that it was asked to",
    "4922f9aa1876da8a": "the server cannot fetch the image",
    "639b7710d368d8e4": "the server cannot fetch the image",
    "763a48bc0c3da0eb": "needs the host's tokenizer and its limit",
    "7c346df5fa6f8d6f": "the model takes no audio",
    "8280449780bf1e55": "the model takes no developer messages",
    "86011a6065fe36ed": "the model takes no audio",
    "89fb0500c7a10e41": "the model takes no effort beside tools",
    "b1704e92575e0075": "the model used up the limit of tokens, which was valid",
    "d944050e049520b0": "the model takes no system messages",
    "fe05c450de2a3ee9": "the model does not search the web",
}
"""The recorded refusals that a request does not decide, and why."""
