"""Rows of Mistral's batch files (docs.mistral.ai, "Batch inference"; `BatchRequest` in its OpenAPI document).

A row of requests has an id and a body; its API and its model are named for the file as a whole. A row of results is one of
OpenAI's. Neither is known by its fields alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...codec.batches import Batches, Layout, Row
from ...codec.format import Format
from ..openai_chat.batches import BATCH_FILES


def _asked(body: Any, _format: Format) -> Row:
    return {"body": body}


BATCHES = Batches(
    replace(
        BATCH_FILES,
        requests={"mistral_batch": Layout("mistral", ("body",))},
        results={"mistral_batch_results": Layout("mistral", ("response", "body"), answers=True)},
        asked=_asked,
        fields=frozenset({"custom_id", "body", "id", "response", "error"}),
        without="results of Mistral's batches have no field for this",
    )
)
