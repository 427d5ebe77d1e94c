"""Rows of Mistral's batch files (docs.mistral.ai, "Batch inference"; `BatchRequest` in its OpenAPI document).

A row of requests has an id and a body; the API and the model are named once for the file. A row of results has OpenAI's
shape. Neither can be recognised by its fields alone.

A row for fine-tuning is messages and tools; an assistant message with the `weight` 0 is not trained on (docs.mistral.ai, "Text
and vision fine-tuning"; mistralai/mistral-finetune, README).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...codec.batches import Batches, Layout, Row
from ...codec.format import Format
from ..openai_chat.batches import BATCH_FILES


def _asked(body: Any, _format: Format) -> Row:
    return {"body": body}


def _tuned(format: Any) -> Any:
    """Rows of Mistral's messages with weights, for tuning, without the prefix of an answer to be continued."""
    return format.made_for(replace(format.profile, prefix=False, message_fields=frozenset({"weight"})), format.name)


BATCHES = Batches(
    replace(
        BATCH_FILES,
        requests={"mistral_batch": Layout("mistral", ("body",))},
        results={"mistral_batch_results": Layout("mistral", ("response", "body"), answers=True)},
        asked=_asked,
        fields=frozenset({"custom_id", "body", "id", "response", "error"}),
        without="results of Mistral's batches have no field for this",
    ),
    {"mistral_finetuning": Layout("mistral", listed="messages", beside=("tools",), tunes=True)},
    tuning="mistral_finetuning",
    tuned=_tuned,
)
