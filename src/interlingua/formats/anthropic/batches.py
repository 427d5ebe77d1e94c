"""Rows of Anthropic's batch files.

Source: Anthropic's SDK 2.11 (`types/messages/batch_create_params.py`, `message_batch_individual_response.py`).
"""

from __future__ import annotations

from typing import Any

from ...codec.batches import Batches, BatchFiles, Failure, Layout, Row, object_at
from ...codec.format import Format
from ...errors import ProviderError
from .responses import dump_error


def _asked(body: Any, _format: Format) -> Row:
    return {"params": body}


def _answered(body: Any) -> Row:
    return {"result": {"type": "succeeded", "message": body}}


def _failed(failure: Failure, error: ProviderError, _format: Format) -> Row:
    if not failure.is_error:
        return {"result": {"type": failure.kind}}
    return {"result": {"type": "errored", "error": dump_error(error)}}


def _failure(row: Row) -> Failure | None:
    result = object_at(row, ("result",))
    return None if result.get("type") == "succeeded" else Failure(str(result.get("type")), result.get("error"))


def _lost(_row: Row) -> list[str]:
    return []


BATCHES = Batches(
    BatchFiles(
        requests={"anthropic_batch": Layout("anthropic", ("params",), marks=("custom_id", "params"))},
        results={
            "anthropic_batch_results": Layout("anthropic", ("result", "message"), answers=True, marks=("custom_id", "result")),
        },
        fields=frozenset({"custom_id", "params", "result"}),
        asked=_asked,
        answered=_answered,
        failed=_failed,
        failure=_failure,
        lost=_lost,
        without="results of Anthropic's batches have no field for this",
    )
)
