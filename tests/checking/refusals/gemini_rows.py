"""Which recorded refusals and which rows of the tables the rules for Gemini cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {"result-not-object": "shape"}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "json-mode-with-tools": "depends on the model: Gemini 3 takes both",
    "model-takes-no-tools": "depends on the model",
    "penalty-unsupported": "depends on the model",
    "prefill-unsupported": "depends on the model",
    "prompt-too-long": "needs the model's tokenizer and its limit",
    "roles-not-alternating": "no longer so: recorded requests with contents of one role in a row were accepted",
    "schema-too-complex": "the limit is not documented and depends on the model",
    "system-unsupported": "depends on the model",
    "thinking-budget-model": "depends on the model",
    "unknown-field": "new fields come with every version of the API; misspelt ones are found",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED: dict[str, Refusal] = {"72741bb057f71cac": Refusal("gemini", "role-invalid", "/contents/0/role")}
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
