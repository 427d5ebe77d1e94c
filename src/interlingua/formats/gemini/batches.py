"""Rows of Gemini's batch files, at AI Studio and at Vertex AI.

At AI Studio a row has a `key`, and a `request`, a `response`, or a status in `error` (ai.google.dev, "Batch API"). At Vertex AI
a row of a request file has only the `request`; a row of results has the outcome too: `status` is empty, or the error as text
(docs.cloud.google.com, "Batch prediction from Cloud Storage"). Dumps write rows of AI Studio.

A row for tuning is a conversation with its system text and its tools; one of preferences has two completions, with the score
1 and 0 (docs.cloud.google.com, "Prepare supervised fine-tuning data" and "Prepare preference tuning data for Gemini models").
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...codec.batches import Batches, BatchFiles, Failure, Layout, Preference, Row
from ...codec.format import Format
from ...errors import ProviderError
from ...model.base import Json, parse_json

_CODES = {1: 499, 3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 13: 500, 14: 503, 16: 401}
"""The HTTP status of each code of `google.rpc.Code`."""
_NUMBERS = {status: code for code, status in _CODES.items()}
_INTERNAL = 13
_BESIDE = ("systemInstruction", "system_instruction", "tools", "toolConfig")
_NOT_EXECUTED = {
    "expired": {"code": 4, "message": "The request was not executed before the batch expired."},
    "canceled": {"code": 1, "message": "The batch was canceled before the request was executed."},
}


def _asked(body: Any, _format: Format) -> Row:
    return {"request": body}


def _answered(body: Any) -> Row:
    return {"response": body}


def _failed(failure: Failure, error: ProviderError, _format: Format) -> Row:
    own = {"code": _NUMBERS.get(error.status or 500, _INTERNAL), "message": error.message}
    return {"error": _NOT_EXECUTED.get(failure.kind, own)}


def _failure(row: Row) -> Failure | None:
    error: Json = row.get("error")
    if isinstance(error, dict):
        code: Json = error.get("code")
        status = _CODES.get(code, code) if type(code) is int else None
        return Failure("errored", {"error": error}, status)
    text: Json = row.get("status")
    return Failure("errored", _error_in(text)) if isinstance(text, str) and text else None


def _error_in(text: str) -> Any:
    """The error body in the text of a status; if it has none, the text."""
    try:
        body: Json = parse_json(text[text.index("{") :])
    except (ValueError, RecursionError):
        return text
    return body if isinstance(body, dict) else text


def _lost(row: Row) -> list[str]:
    return [f"/{key}" for key in ("request", "processed_time", "metadata") if row.get(key) is not None]


def _order(row: Row) -> tuple[int, int] | None:
    scores: list[Json] = [item.get("score") for item in row["completions"]]
    return (scores.index(1), scores.index(0)) if scores in ([0, 1], [1, 0]) else None


def _written(prompt: Row, preferred: list[Any], other: list[Any]) -> Row | None:
    if len(preferred) != 1 or len(other) != 1:
        return None
    return prompt | {"completions": [{"score": 1, "completion": preferred[0]}, {"score": 0, "completion": other[0]}]}


def _tuned(format: Any) -> Any:
    """Gemini's contents without stand-ins for signatures of calls, which only a server checks."""
    return format.made_for(replace(format.profile, stand_ins=False), format.name)


BATCHES = Batches(
    BatchFiles(
        requests={
            "gemini_batch": Layout("gemini", ("request",), marks=("key", "request")),
            "vertex_batch": Layout("gemini", ("request",)),
        },
        results={
            "gemini_batch_results": Layout(
                "gemini", ("response",), answers=True, marks=("key", "response"), failed=("key", "error")
            ),
            "vertex_batch_results": Layout(
                "gemini", ("response",), answers=True, marks=("status", "processed_time", "request", "response")
            ),
        },
        fields=frozenset({"key", "request", "response", "error", "status", "processed_time", "metadata"}),
        asked=_asked,
        answered=_answered,
        failed=_failed,
        failure=_failure,
        lost=_lost,
        without="results of Gemini's batches have no field for this",
        id="key",
    ),
    {
        "gemini_preference": Layout(
            "gemini",
            listed="contents",
            beside=_BESIDE,
            continued=("completions",),
            wrapped="completion",
            tunes=True,
            marks=("contents", "completions"),
        ),
        "gemini_tuning": Layout("gemini", listed="contents", beside=_BESIDE, tunes=True),
    },
    tuning="gemini_tuning",
    preference=Preference("gemini_preference", _order, _written),
    tuned=_tuned,
)
