"""Rows of Bedrock's files for batch inference, with bodies of any model or of Converse, and rows for tuning.

A row of results has the request too, and either the response or an error. A row for tuning is a conversation of
Converse. Sources: Amazon Bedrock's user guide ("Format and upload your batch inference data", "View the results of a batch
inference job", "Prepare data for fine-tuning text-to-text models", "Provide your own prompts for data preparation").
"""

from __future__ import annotations

from typing import Any

from ...codec.batches import Batches, BatchFiles, Failure, Layout, Row
from ...codec.format import Format
from ...errors import ProviderError
from ...model.base import Json

_INPUTS = {"anthropic_version": "anthropic_bedrock", "schemaVersion": "bedrock_nova", "messages": "bedrock_converse"}
_OUTPUTS = {"output": "bedrock_converse", "content": "anthropic_bedrock"}
_NOT_EXECUTED = {
    "expired": "The request was not executed before the batch expired.",
    "canceled": "The batch was canceled before the request was executed.",
}


def _asked(body: Any, _format: Format) -> Row:
    return {"modelInput": body}


def _answered(body: Any) -> Row:
    return {"modelOutput": body}


def _failed(failure: Failure, error: ProviderError, _format: Format) -> Row:
    code = {} if error.status is None else {"errorCode": error.status}
    return {"error": code | {"errorMessage": _NOT_EXECUTED.get(failure.kind, error.message)}}


def _failure(row: Row) -> Failure | None:
    error: Json = row.get("error")
    if not isinstance(error, dict):
        return None
    status: Json = error.get("errorCode")
    body = {"message": error.get("errorMessage")}
    return Failure("errored", body, status if type(status) is int else None)


def _lost(row: Row) -> list[str]:
    return ["/modelInput"] if "modelInput" in row else []


BATCHES = Batches(
    BatchFiles(
        requests={
            "bedrock_batch": Layout("bedrock_converse", ("modelInput",), by_field=_INPUTS, marks=("recordId", "modelInput")),
        },
        results={
            "bedrock_batch_results": Layout(
                "bedrock_converse",
                ("modelOutput",),
                answers=True,
                by_field=_OUTPUTS,
                marks=("recordId", "modelInput", "modelOutput"),
                failed=("recordId", "modelInput", "error"),
            ),
        },
        fields=frozenset({"recordId", "modelInput", "modelOutput", "error"}),
        asked=_asked,
        answered=_answered,
        failed=_failed,
        failure=_failure,
        lost=_lost,
        without="results of Bedrock's batches have no field for this",
        id="recordId",
    ),
    {
        "bedrock_tuning": Layout(
            "bedrock_converse",
            listed="messages",
            beside=("system", "toolConfig"),
            tunes=True,
            constants={"schemaVersion": "bedrock-conversation-2024"},
            marks=("schemaVersion", "messages"),
        ),
    },
    tuning="bedrock_tuning",
)
