"""The families of models whose bodies for InvokeModel have a prompt of plain text: a row each, with the names of its fields.

Sources: "Inference request parameters and response fields for foundation models" in Amazon Bedrock's user guide, and recorded
traffic. Which family a body is of follows from its fields; what writes a body knows it from the model's id, or from the body
that was loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...codec.fields import Wire
from ...codec.required import RequiredFields
from ...codec.usage import StopTable, UsageTable

FAMILY = "bedrock_text"
BESIDE = "amazon-bedrock-"
"""The prefix of the fields that the service adds to a model's answer, and to the last chunk of its stream."""
METRICS = f"{BESIDE}invocationMetrics"
GUARDRAIL = f"{BESIDE}guardrailAction"
METADATA = frozenset(f"{BESIDE}{name}" for name in ("guardrailAction", "invocationMetrics", "trace"))

_NEAREST = {
    **dict.fromkeys(("context_window", "pause", "compaction"), "length"),
    **dict.fromkeys(("tool_calls", "stop_sequence", "refusal", "content_filter", "malformed", "error", "cancelled"), "stop"),
}
"""The reason to write for one that a family has no word for."""


def _stops(words: Mapping[str, str]) -> StopTable:
    """A family's words for why an answer ended; the first one is the usual one."""
    usual, *_ = words
    own = {reason: word for word, reason in words.items()}
    nearest = {reason: own.get(near, usual) for reason, near in _NEAREST.items()} | {"stop": usual}
    return StopTable(words, {reason: word for reason, word in nearest.items() if reason not in own}, usual)


class Row(NamedTuple):
    """The names of one family's fields."""

    name: str
    prompt: str
    """The field with the prompt."""
    settings: Mapping[str, str]
    """The field of each canonical setting that it has."""
    marks: tuple[str, ...]
    """The fields of requests by which it is known from the families in the rows below."""
    text: tuple[str, ...]
    """The path of the text in an answer."""
    reason: tuple[str, ...]
    """The path of the word for why an answer ended."""
    stops: StopTable
    within: str | None = None
    """The object that has the settings."""
    listed: str | None = None
    """The list that has the answers; None if a response is one answer."""
    several: bool = False
    """Whether a request may ask for several answers."""
    counts: UsageTable = UsageTable(FAMILY, {})
    counted: str | None = None
    """The count that is in the one answer, and not beside it."""
    has_id: bool = False
    """Whether a response has an id."""
    sequence: str | None = None
    """The field of an answer with the stop sequence."""

    @property
    def written(self) -> tuple[str, ...]:
        """The canonical settings that a request may have."""
        return ("model", "stream", *self.settings)


_NAMES = {"max_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "stop": "stop"}
_COHERE = _NAMES | {"top_p": "p", "top_k": "k", "stop": "stop_sequences"}
_COHERE_STOPS = _stops({"COMPLETE": "stop", "MAX_TOKENS": "length", "ERROR_TOXIC": "content_filter", "ERROR": "error"})
_CAMEL = {"temperature": "temperature", "top_p": "topP", "stop": "stopSequences"}
_ROWS = (
    Row(
        "titan",
        "inputText",
        {"max_tokens": "maxTokenCount", **_CAMEL},
        ("inputText", "textGenerationConfig"),
        ("outputText",),
        ("completionReason",),
        _stops(
            {"FINISH": "stop", "LENGTH": "length", "STOP_CRITERIA_MET": "stop_sequence", "CONTENT_FILTERED": "content_filter"}
        ),
        within="textGenerationConfig",
        listed="results",
        counts=UsageTable(FAMILY, {"input_tokens": ("inputTextTokenCount",), "output_tokens": ("tokenCount",)}),
        counted="tokenCount",
    ),
    Row(
        "llama",
        "prompt",
        {"max_tokens": "max_gen_len", "temperature": "temperature", "top_p": "top_p"},
        ("max_gen_len",),
        ("generation",),
        ("stop_reason",),
        _stops({"stop": "stop", "length": "length"}),
        counts=UsageTable(FAMILY, {"input_tokens": ("prompt_token_count",), "output_tokens": ("generation_token_count",)}),
    ),
    Row(
        "claude",
        "prompt",
        _NAMES | {"max_tokens": "max_tokens_to_sample", "stop": "stop_sequences"},
        ("max_tokens_to_sample",),
        ("completion",),
        ("stop_reason",),
        _stops({"stop_sequence": "stop_sequence", "max_tokens": "length"}),
        sequence="stop",
    ),
    Row(
        "command_r",
        "message",
        _COHERE,
        ("message", "chat_history"),
        ("text",),
        ("finish_reason",),
        _COHERE_STOPS,
    ),
    Row(
        "command",
        "prompt",
        _COHERE,
        ("p", "k", "num_generations", "return_likelihoods", "stop_sequences"),
        ("text",),
        ("finish_reason",),
        _COHERE_STOPS,
        listed="generations",
        several=True,
        has_id=True,
    ),
    Row(
        "mistral",
        "prompt",
        _NAMES,
        ("max_tokens", "top_k", "stop"),
        ("text",),
        ("stop_reason",),
        _stops({"stop": "stop", "length": "length"}),
        listed="outputs",
    ),
    Row(
        "jurassic",
        "prompt",
        {"max_tokens": "maxTokens", **_CAMEL},
        ("maxTokens", "numResults", "topP", "stopSequences"),
        ("data", "text"),
        ("finishReason", "reason"),
        _stops({"endoftext": "stop", "length": "length", "stop": "stop_sequence"}),
        listed="completions",
        several=True,
    ),
)
ROWS = {row.name: row for row in _ROWS}
USUAL = ROWS["llama"]
"""The family where neither a mark nor the model's id says which it is."""
COUNTS = UsageTable(FAMILY, USUAL.counts.fields, repeated=(*ROWS["titan"].counts.fields.values(),))
"""The counts of all families."""
REQUIRED = RequiredFields({"usage": ("prompt_token_count", None)})
"""No client has models of responses, so none requires a field."""

_MODELS = (
    ("amazon.titan-", "titan"),
    ("meta.", "llama"),
    ("anthropic.", "claude"),
    ("cohere.command-r", "command_r"),
    ("cohere.", "command"),
    ("mistral.", "mistral"),
    ("ai21.j2-", "jurassic"),
)
"""How the ids of each family's models begin."""
_REGIONS = frozenset({"us", "us-gov", "eu", "apac", "ap", "au", "ca", "jp", "sa", "me", "af", "global"})


def base_id(model: str | None) -> str:
    """The id of a foundation model in that of an inference profile or in an ARN: without what stands before its provider."""
    name = (model or "").rpartition("/")[2]
    region, _, rest = name.partition(".")
    return rest if region in _REGIONS else name


def row_of_model(model: str | None) -> Row | None:
    """The family of a model's id; None if the id does not say it."""
    name = base_id(model)
    return next((ROWS[row] for prefix, row in _MODELS if name.startswith(prefix)), None)


def row_of_request(wire: Wire) -> Row:
    """The family of a request body."""
    return next((row for row in _ROWS if any(wire.get(key) is not None for key in row.marks)), USUAL)


def row_of_response(wire: Wire) -> Row:
    """The family of a response body."""
    return next((row for row in _ROWS if wire.get(row.listed or row.text[0]) is not None), USUAL)


def row_to_write(model: str | None, recorded: str | None) -> Row:
    """The family to write: that of the model's id, else that of the body that was loaded, else the usual one."""
    return row_of_model(model) or ROWS.get(recorded or "", USUAL)
