"""Differences between Amazon Nova's bodies for InvokeModel and Converse's bodies.

Sources: the request and response schemas in Nova's user guides (docs.aws.amazon.com, "Complete request schema" and, for Nova
2, "Request and response schema"), and recorded traffic, which also has the former names of settings.
"""

from __future__ import annotations

from typing import Any

from ...codec.efforts import effort_for_budget, nearest_effort
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.settings import drop_effort, fit_effort, report_budget
from ...codec.usage import UsageTable
from ...model.exchange import Request, Usage
from .base import FAMILY, ConverseDump, ConverseProfile

VERSION = "messages-v1"
FIELDS = frozenset({"schemaVersion", "system", "messages", "inferenceConfig", "toolConfig"})
"""The fields of a request: a server refuses any other ("extraneous key", continuedev/continue#4103)."""

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("inputTokens",),
        "cache_read_tokens": ("cacheReadInputTokenCount",),
        "cache_write_tokens": ("cacheWriteInputTokenCount",),
        "output_tokens": ("outputTokens",),
    },
    total=("totalTokens",),
)
_COUNTS = {"cacheReadInputTokenCount": "cacheReadInputTokens", "cacheWriteInputTokenCount": "cacheWriteInputTokens"}
"""The counts that have other names in Converse."""
BESIDE = "amazon-bedrock-"
"""The prefix of the fields that the service adds to a model's answer, and to the last event of its stream."""
METADATA = frozenset(f"{BESIDE}{name}" for name in ("guardrailAction", "invocationMetrics", "trace"))
_NAMES = {"topK": "top_k", "max_new_tokens": "max_tokens", "top_p": "top_p", "top_k": "top_k"}
"""The setting that Converse has no field for, and former names of settings."""
_EFFORTS = frozenset({"low", "medium", "high"})
_NEAREST = {"minimal": "low", "xhigh": "high", "max": "high"}


def load_inference(config: FieldReader, out: dict[str, Any]) -> None:
    """Load the settings that Nova has and Converse does not."""
    for name, key in _NAMES.items():
        if key not in out:
            config.move_typed(out, float if key == "top_p" else int, **{name: key})
            if key in out and name != "topK":
                config.spelling[key] = name
    reasoning = config.inside("reasoningConfig")
    kind = reasoning.take("type")
    if kind == "enabled" and reasoning.wire.get("maxReasoningEffort") != "none":
        reasoning.move_typed(out, str, maxReasoningEffort="reasoning_effort")
    elif kind == "disabled" and len(reasoning.wire) == 1:
        out["reasoning_budget"] = 0
    if out.keys().isdisjoint(("reasoning_effort", "reasoning_budget")):
        reasoning.forget()


def dump_inference(request: Request, config: Wire, d: ConverseDump) -> Wire:
    """Dump the settings; `config` has those that Converse has too."""
    if request.top_k is not None:
        config["topK"] = request.top_k
    if d.exact:
        for written, key in (("maxTokens", "max_tokens"), ("topP", "top_p"), ("topK", "top_k")):
            name = spelling(request, key)
            if name is not None and written in config:
                config[name] = config.pop(written)
    reasoning = _dump_reasoning(request, d)
    return config | {"reasoningConfig": reasoning} if reasoning else config


def _dump_reasoning(request: Request, d: ConverseDump) -> Wire:
    at = "/inferenceConfig/reasoningConfig/maxReasoningEffort"
    if request.reasoning_budget == 0:
        if not d.exact and request.reasoning_effort != "none":
            drop_effort(request, d)
        return {"type": "disabled"}
    effort = effort_for_budget(request, at, d, _EFFORTS)
    if effort is None:
        if not d.exact:
            report_budget(request, d)
        effort = nearest_effort(fit_effort(request, None, d), _NEAREST, at, d)
    if effort == "none":
        return {"type": "disabled"}  # which means the same
    return {} if effort is None else {"type": "enabled", "maxReasoningEffort": effort}


def drop_others(request: Request, d: ConverseDump) -> None:
    """Report the fields that Nova's bodies have no place for."""
    d.drop_named(request, "", "response_format", "metadata", "user", "parallel_tool_calls")


def usage_for(usage: Usage, d: ConverseDump) -> Usage:
    """The usage of a response; between Nova and Converse, with counts named as in the bodies of the target."""
    native: Wire | None = (usage.native or {}).get(FAMILY)
    from_nova = d.source is not None and isinstance(d.source.profile, ConverseProfile) and d.source.profile.nova
    if native is None or from_nova == d.profile.nova:
        return usage
    names = _COUNTS if from_nova else {theirs: own for own, theirs in _COUNTS.items()}
    # A name that counts something for the target alone is a field like any other to the source.
    foreign = [theirs for own, theirs in names.items() if theirs in native and native[theirs] != native.get(own)]
    for key in foreign:
        why = "the target would read this field as a count, which the source has under another name"
        d.drop(f"/usage/native/{FAMILY}/{key}", why)
    renamed = {names.get(key, key): value for key, value in native.items() if key not in foreign}
    return usage.replace(native={**(usage.native or {}), FAMILY: renamed})


def drop_added(out: Wire, d: ConverseDump) -> None:
    """Remove from an answer of Converse what the service adds to models' answers."""
    if d.profile.nova or d.same_format:
        return
    for key in [key for key in out if key in METADATA]:
        del out[key]
        d.report("response_only", f"/provider_data/{FAMILY}/{key}", None, "only answers of InvokeModel have this field")
