"""Which rows of the tables of refusals the rules for Gemini's Interactions API cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {"interactions-shape": "tool-field-wrapped"}
"""The rules of rows that have another code; this one also has `content-type-unknown`, `result-field-id`, `call-id-missing`."""

UNDECIDED: dict[str, str] = {}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {
    "ab776d327c9cb706": Refusal("gemini_interactions", "tool-field-wrapped", "/tools/0/function"),
    "5c42367dc2f7e2ec": Refusal("gemini_interactions", "tool-field-wrapped", "/tools/0/function"),
    "fb854649456c1fc1": Refusal("gemini_interactions", "tool-field-wrapped", "/tools/0/function_declarations"),
    "ebac8fd9f28d114d": Refusal("gemini_interactions", "content-type-unknown", "/input/2/content/0/type"),
    "3f03b2f3a63db675": Refusal("gemini_interactions", "result-field-id", "/input/2/content/0/id"),
    "a61318bde910770e": Refusal("gemini_interactions", "call-id-missing", "/input/2/content/0"),
}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {"21ace0c8f036bfbc": "the provider does not say what is wrong"}
"""The recorded refusals that a request does not decide, and why."""
