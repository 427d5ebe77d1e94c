"""Which recorded refusals and which rows of the tables the rules for Chat's shape cover, and why not the others."""

from checking.refusals.rows import Refusal

RULE_OF: dict[str, str] = {
    "array-schema-missing-items": "array-items-missing",
    "content-bad-type": "shape",
    "duplicate-tool-name": "tool-name-duplicate",
    "image-not-in-user": "media-not-in-user",
    "json-body-lone-surrogate": "lone-surrogate",
    "role-developer-refused": "role-invalid",
    "schema-node-malformed": "schema-invalid",
    "tool-call-id-duplicate": "result-duplicate",
    "tool-call-unanswered": "call-without-result",
    "tool-result-orphan": "result-without-call",
    "tool-schema-root-object": "schema-root-not-object",
    "tool-schema-top-level-combinator": "schema-root-combinator",
    "unknown-field": "openai-field-unknown",
}
"""The rules of rows that have another code."""

UNDECIDED: dict[str, str] = {
    "body-argument-unrecognized": "which fields are known depends on the version of the API; field-misspelt finds slips",
    "effort-unsupported-model": "which models take it is not known from the request",
    "last-message-assistant": "only a model that was retired, deepseek-reasoner",
    "max-tokens-over-limit": "which models take it is not known from the request",
    "max-tokens-renamed": "which models take it is not known from the request",
    "message-name-refused": "at Azure for some days of 2024 only",
    "openrouter-reasoning-mandatory": "which models take it is not known from the request",
    "output-limit-reached": "how many tokens the model needs is not known from the request",
    "parallel-tool-calls-unsupported": "which models take it is not known from the request",
    "roles-must-alternate": "only a model that was retired, deepseek-reasoner",
    "sampling-param-unsupported": "which models take it is not known from the request",
    "stop-unsupported-model": "which models take it is not known from the request",
    "web-search-options-unsupported": "which models take it is not known from the request",
}
"""Rows without a rule, and why a request does not decide them."""

NOT_YET: set[str] = set()
"""Rows and recorded refusals whose rules are not there yet."""

PREDICTED = {
    "0d14fbf62f745cb6": Refusal("openai_chat", "file-data-format", "/messages/0/content/1/file/file_data"),
    "89fb0500c7a10e41": Refusal("openai_chat", "effort-with-tools-on-chat", "/reasoning_effort"),
    "c86b7d48cb091df1": Refusal("openai_chat", "part-type-missing", "/messages/1/content/0/type"),
}
"""The recorded refusals that a rule finds."""

UNPREDICTED: dict[str, str] = {
    "049711daea4760e5": "the model takes no stop sequences",
    "4922f9aa1876da8a": "the server cannot fetch the image",
    "639b7710d368d8e4": "the server cannot fetch the image",
    "763a48bc0c3da0eb": "needs the host's tokenizer and its limit",
    "7c346df5fa6f8d6f": "the model takes no audio",
    "8280449780bf1e55": "the model takes no developer messages",
    "86011a6065fe36ed": "the model takes no audio",
    "b1704e92575e0075": "the model used up the limit of tokens, which was valid",
    "d944050e049520b0": "the model takes no system messages",
    "fe05c450de2a3ee9": "the model does not search the web",
}
"""The recorded refusals that a request does not decide, and why."""
