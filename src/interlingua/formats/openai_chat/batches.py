"""Rows of batch files, one shape for OpenAI's three APIs, and rows of datasets of Chat messages.

Sources: OpenAI's guides to fine-tuning, direct preference optimization and reinforcement fine-tuning, and to the Batch API
(developers.openai.com, `BatchRequestInput` and `BatchRequestOutput` in its OpenAPI document); Azure's guide to batches
(learn.microsoft.com), whose URL of Chat Completions has no version; TRL's `dataset_formats`
(huggingface.co); Verifiers' `docs/source/api_reference.md`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...codec.batches import Batches, BatchFiles, Failure, Layout, Preference, Row, object_at
from ...codec.format import Format
from ...errors import ProviderError
from ...model.base import Json
from .profiles import ChatProfile

_URLS = {
    "/v1/chat/completions": "openai_chat",
    "/chat/completions": "openai_chat",
    "/v1/responses": "openai_responses",
    "/v1/completions": "openai_completions",
}
_OBJECTS = {"chat.completion": "openai_chat", "response": "openai_responses"}
_TOOLS = ("tools", "functions", "parallel_tool_calls")
_NOT_EXECUTED = {
    "expired": {"code": "batch_expired", "message": "The request was not executed before the batch expired."},
    "canceled": {"code": "batch_cancelled", "message": "The batch was canceled before the request was executed."},
}
_KINDS = {error["code"]: kind for kind, error in _NOT_EXECUTED.items()}


def _asked(body: Any, format: Format) -> Row:
    url = {} if format.path is None else {"url": f"/v1{format.path(body.get('model') or '', False)}"}
    return {"method": "POST", **url, "body": body}


def _answered(body: Any) -> Row:
    return {"response": {"status_code": 200, "body": body}, "error": None}


def _failed(failure: Failure, error: ProviderError, _format: Format) -> Row:
    own = {"code": error.code or error.type, "message": error.message}
    return {"response": None, "error": _NOT_EXECUTED.get(failure.kind, own)}


def _failure(row: Row) -> Failure | None:
    error: Json = row.get("error")
    if isinstance(error, dict):
        code = str(error.get("code"))
        return Failure(_KINDS.get(code, code), {"error": error})
    response = object_at(row, ("response",))
    status: Any = response.get("status_code")
    errored = isinstance(status, int) and not 200 <= status < 300
    return Failure("errored", response.get("body"), status) if errored else None


def _lost(row: Row) -> list[str]:
    response: Json = row.get("response")
    found = ["/id"] if row.get("id") is not None else []
    if isinstance(response, dict) and response.get("request_id") is not None:
        found.append("/response/request_id")
    return found


BATCH_FILES = BatchFiles(
    requests={
        "openai_batch": Layout("openai_chat", ("body",), says=("url", _URLS), marks=("custom_id", "method", "url", "body")),
    },
    results={
        "openai_batch_results": Layout(
            "openai_chat",
            ("response", "body"),
            answers=True,
            says=("object", _OBJECTS),
            marks=("custom_id", "response", "error"),
        ),
    },
    fields=frozenset({"custom_id", "method", "url", "body", "id", "response", "error"}),
    asked=_asked,
    answered=_answered,
    failed=_failed,
    failure=_failure,
    lost=_lost,
    without="results of OpenAI's batches have no field for this",
)
DATASETS = {
    "openai_preference": Layout(
        "openai_chat",
        ("input",),
        listed="messages",
        beside=_TOOLS,
        continued=("preferred_output", "non_preferred_output"),
        tunes=True,
        marks=("input", "preferred_output", "non_preferred_output"),
    ),
    "openai_finetuning": Layout("openai_chat", listed="messages", beside=_TOOLS, tunes=True),
    "trl": Layout("openai_chat", listed="messages", beside=("tools",)),
    "trl_preference": Layout(
        "openai_chat",
        listed="prompt",
        beside=("tools",),
        continued=("chosen", "rejected"),
        marks=("prompt", "chosen", "rejected"),
    ),
    "verifiers": Layout("verifiers", listed="prompt", continued=("completion",), marks=("prompt", "completion", "reward")),
    "trl_completion": Layout(
        "openai_chat", listed="prompt", beside=("tools",), continued=("completion",), marks=("prompt", "completion")
    ),
}


def _tuned(format: Any) -> Any:
    """Rows of Chat messages with weights, for tuning; OpenAI's other APIs have none."""
    profile = format.profile
    if not isinstance(profile, ChatProfile):
        return format
    return format.made_for(replace(profile, message_fields=profile.message_fields | {"weight"}), format.name)


def _written(prompt: Row, preferred: list[Any], other: list[Any]) -> Row:
    return {"input": prompt, "preferred_output": preferred, "non_preferred_output": other}


def _in_order(_row: Row, /) -> tuple[int, int]:
    """The first answer of a row is the preferred one."""
    return 0, 1


BATCHES = Batches(
    BATCH_FILES,
    DATASETS,
    tuning="openai_finetuning",
    preference=Preference("openai_preference", _in_order, _written),
    tuned=_tuned,
)
