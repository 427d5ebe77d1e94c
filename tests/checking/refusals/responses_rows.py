"""Which recorded refusals and which rows of the tables the rules for the Responses API cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "array-schema-missing-items": "array-items-missing",
    "responses-tool-call-unanswered": "call-without-result",
    "responses-tool-output-orphan": "result-without-call",
    "schema-node-malformed": "schema-invalid",
    "tool-schema-top-level-combinator": "schema-root-combinator",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "previous-response-missing": "the server knows which responses it keeps",
    "responses-encrypted-content-invalid": "the server knows what it encrypted, and for whom",
    "responses-output-without-reasoning": "the server knows whether a stored response began with reasoning",
    "role-developer-refused": "of DeepSeek's Responses API, for which there is no format",
    "sampling-param-unsupported": "depends on the model",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {
    "00adffb6d7ba915a": Refusal("openai_responses", "responses-max-output-min", "/max_output_tokens"),
    "0eeb6b0a56454176": Refusal("openai_responses", "responses-reasoning-without-follower", "/input/1"),
    "2cd5c97f55333957": Refusal("openai_responses", "number-out-of-range", "/temperature"),
    "3a8dbfb7a170a928": Refusal("openai_responses", "file-data-format", "/input/3/output/0/file_data"),
    "4bc88d79178e0c4c": Refusal("openai_responses", "strict-additional-properties", "/text/format/schema"),
}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "0cbb9601b0d39775": "there is no such model",
    "61bd083c7e99c4d9": "there is no such model",
    "71c2511bec047e63": "there is no such model",
    "d0cbc666c33db5a4": "there is no such model",
    "eb036bb03390d3c2": "the API key is wrong",
}
"""The recorded refusals that a request does not decide, and why."""
