"""Which rows of the tables of refusals the rules for vLLM cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "tool-arguments-not-json": "arguments-not-object",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "max-tokens-over-limit": "the context of the model is not known from the request",
    "mistral-call-id-format": "only with Mistral's tokenizer, which is not known from the request",
    "vllm-auto-tool-choice-off": "how the server was started is not known from the request",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds; none were recorded."""

UNPREDICTED: dict[str, str] = {}
"""The recorded refusals that a request does not decide, and why."""
