"""Which recorded refusals and which rows of the tables the rules for the Responses API cover, and why not the others."""

from refusals.rows import Refusal

RULE_OF: dict[str, str] = {}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = {
    "array-schema-missing-items",
    "content-null",
    "extra-field-refused",
    "file-data-format",
    "image-data-invalid",
    "json-object-needs-word",
    "number-out-of-range",
    "previous-response-missing",
    "responses-call-id-length",
    "responses-duplicate-item",
    "responses-encrypted-content-invalid",
    "responses-item-id-format",
    "responses-item-not-stored",
    "responses-item-status-refused",
    "responses-max-output-min",
    "responses-output-without-reasoning",
    "responses-param-moved",
    "responses-part-type-wrong",
    "responses-reasoning-without-follower",
    "responses-role-tool",
    "responses-tool-call-unanswered",
    "responses-tool-output-orphan",
    "role-developer-refused",
    "sampling-param-unsupported",
    "schema-node-malformed",
    "strict-additional-properties",
    "strict-required-all",
    "strict-schema-keyword",
    "tool-name-pattern",
    "tool-schema-top-level-combinator",
    "tool-shape-wrong",
    "tool-with-minimal-effort",
    "4bc88d79178e0c4c",
    "00adffb6d7ba915a",
    "3a8dbfb7a170a928",
    "2cd5c97f55333957",
    "0eeb6b0a56454176",
}
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "0cbb9601b0d39775": "there is no such model",
    "61bd083c7e99c4d9": "there is no such model",
    "71c2511bec047e63": "there is no such model",
    "d0cbc666c33db5a4": "there is no such model",
    "eb036bb03390d3c2": "the API key is wrong",
}
"""The recorded refusals that a request does not decide, and why."""
