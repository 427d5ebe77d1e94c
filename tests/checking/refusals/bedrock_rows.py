"""Which recorded refusals and which rows of the tables the rules for Bedrock's Converse cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "cache-mark-unsupported": "depends on the model",
    "forced-tool-unsupported": "depends on the model",
    "model-takes-no-tools": "depends on the model",
    "prefill-unsupported": "depends on the model; older ones continue the message",
    "sampling-removed": "depends on the model",
    "system-unsupported": "depends on the model; system messages are `system-role-refused`",
    "temperature-and-top-p": "depends on the model",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

_IN_RESULT = "/messages/2/content/0/toolResult/content/0"

PREDICTED: dict[str, Refusal] = {
    "1892d0347692ed0a": Refusal("bedrock_converse", "block-type-unsupported", f"{_IN_RESULT}/video"),
    "59e3f3c212657e41": Refusal("bedrock_converse", "url-source-unsupported", f"{_IN_RESULT}/image/source/s3Location"),
    "6de873c9b346aebe": Refusal(
        "bedrock_converse", "url-source-unsupported", "/messages/2/content/2/document/source/s3Location"
    ),
    "703b3da3757edbf3": Refusal("bedrock_converse", "url-source-unsupported", "/messages/2/content/1/image/source/s3Location"),
}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "0d90d14a57afb06d": "there is no such model",
}
"""The recorded refusals that a request does not decide, and why."""
