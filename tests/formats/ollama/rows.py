"""Which rows of the tables of refusals the rules for Ollama's chat cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "images-not-base64": "image-not-base64",
    "ollama-content-not-string": "content-not-string",
    "ollama-think": "think-invalid",
    "ollama-top-logprobs": "number-out-of-range",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {"model-takes-no-tools": "depends on the model"}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {}
"""The recorded refusals that a rule finds; none were recorded."""

UNPREDICTED: dict[str, str] = {}
"""The recorded refusals that a request does not decide, and why."""
