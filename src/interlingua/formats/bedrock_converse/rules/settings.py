"""What Bedrock's Converse refuses in settings."""

from __future__ import annotations

from typing import Any

from ....codec.rules import claude
from ....codec.rules.settings import Limits, out_of_range
from ....codec.rules.view import Found, View, object_of, strings
from ....model.base import Json

_LIMITS: Limits = {"temperature": (0, 1), "topP": (0, 1), "maxTokens": (1, None)}


def number_out_of_range(view: View) -> Found:
    """`temperature` and `topP` must be from 0 to 1, and `maxTokens` must be at least 1.

    Evidence: the service model (botocore 1.44.5, `InferenceConfiguration`).
    """
    return out_of_range(object_of(view.body, "inferenceConfig"), _LIMITS, "/inferenceConfig")


def stop_sequence_blank(view: View) -> Found:
    """A stop sequence must not be empty.

    Evidence: the service model (botocore 1.44.5, `NonEmptyString`).
    """
    for at, sequence in strings(object_of(view.body, "inferenceConfig").get("stopSequences"), "/inferenceConfig/stopSequences"):
        if not sequence:
            yield at, "a stop sequence must not be empty: leave it out"


def entries_too_many(view: View) -> Found:
    """A request must have at most 2500 stop sequences, 10 paths of response fields, and 16 fields of metadata.

    Evidence: the service model (botocore 1.44.5, `InferenceConfiguration`, `ConverseRequest`, `RequestMetadata`).
    """
    for owner, at, key, most in (
        (object_of(view.body, "inferenceConfig"), "/inferenceConfig", "stopSequences", 2500),
        (view.body, "", "additionalModelResponseFieldPaths", 10),
        (view.body, "", "requestMetadata", 16),
    ):
        entries: Json = owner.get(key)
        if isinstance(entries, list | dict) and len(entries) > most:
            yield f"{at}/{key}", f"`{key}` must have at most {most} entries; it has {len(entries)}"


def beta_flag_invalid(view: View) -> Found:
    """Claude's betas must be known to Bedrock.

    Evidence: the server's text "invalid beta flag" (anthropics/claude-code#49370, BerriAI/litellm#19877, cline/cline#5568); the
    list depends on the model.
    """
    flags: Any = object_of(view.body, "additionalModelRequestFields").get("anthropic_beta")
    return claude.refused_betas(flags, "/additionalModelRequestFields/anthropic_beta")
