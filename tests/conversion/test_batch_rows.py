"""The rows of batch files of every provider, read as canonical requests, responses and errors."""

import io
import json
from typing import Any

import pytest

import interlingua as il
from formats.cases import facts
from interlingua.conversion.layouts import LAYOUTS

ROWS: dict[str, dict[str, Any]] = {
    name: row for rows in facts("batches").values() for name, row in rows.items() if LAYOUTS[name].listed is None
}
IDS = ("custom_id", "key", "recordId")


@pytest.mark.parametrize("name", ROWS)
def test_a_row_has_its_id_and_its_request_or_its_response(name: str) -> None:
    layout, row = LAYOUTS[name], ROWS[name]
    for rows in ([row], io.StringIO(json.dumps(row) + "\n\n"), [json.dumps(row).encode()]):
        [read] = il.load_batch(rows, layout=name)
        assert (read.number, read.layout, read.error) == (1, name, None)
        assert read.id == next((row[key] for key in IDS if key in row), None)
        body: Any = row
        for key in layout.at:
            body = body[key]
        if layout.answers:
            assert read.response == il.load_response(body, il.format_of(layout.format))
            assert (read.request is None) == ("request" not in row and "modelInput" not in row)
        else:
            assert (read.request, read.response) == (il.load(body, il.format_of(layout.format)), None)


@pytest.mark.parametrize("name", [name for name in ROWS if LAYOUTS[name].marks])
def test_a_row_is_known_by_its_fields(name: str) -> None:
    assert [read.layout for read in il.load_batch([ROWS[name]])] == [name]


def test_a_row_for_azure_has_a_url_without_a_version() -> None:
    row = ROWS["openai_batch"]
    [read], [usual] = il.load_batch([row | {"url": "/chat/completions"}]), il.load_batch([row])
    assert read == usual


FAILED: list[tuple[dict[str, Any], str, str | None, int | None]] = [
    ({"custom_id": "1", "result": {"type": "expired"}}, "", "expired", None),
    ({"custom_id": "1", "response": None, "error": {"code": "batch_cancelled", "message": "x"}}, "x", "canceled", None),
    ({"recordId": "1", "modelInput": {}, "error": {"errorCode": 400, "errorMessage": "no"}}, "no", None, 400),
    ({"key": "1", "error": {"code": 8, "message": "slow", "status": "RESOURCE_EXHAUSTED"}}, "slow", "RESOURCE_EXHAUSTED", 429),
    ({"status": "Internal error", "processed_time": "t", "request": {}, "response": {}}, "Internal error", None, None),
]


@pytest.mark.parametrize(("row", "message", "kind", "status"), FAILED, ids=json.dumps)
def test_a_row_without_a_response_has_the_providers_error(row: Any, message: str, kind: str | None, status: int | None) -> None:
    [read] = il.load_batch([row])
    assert isinstance(read.error, il.ProviderError)
    assert (read.error.message, read.error.type, read.error.status, read.response) == (message, kind, status, None)


def test_a_malformed_row_does_not_stop_the_others() -> None:
    broken: list[Any] = [
        "{",
        {"x": 1},
        [],
        {"custom_id": "a", "params": {"messages": 5}},
        {"recordId": "b", "modelInput": {"inputText": "Hm?"}},
        ROWS["gemini_batch"],
    ]
    read = list(il.load_batch(broken))
    assert [row.number for row in read] == [1, 2, 3, 4, 5, 6]
    assert [row.id for row in read] == [None, None, None, "a", "b", "1"]
    faults = [row.error.faults[0].path if isinstance(row.error, il.InvalidPayload) else None for row in read]
    assert faults[3:] == ["/params/messages", "/modelInput", None]
    assert read[5].request is not None


def test_the_format_of_the_bodies_may_be_another() -> None:
    row = {"custom_id": "1", "body": {"messages": [{"role": "user", "content": "Hm?"}]}}
    [read] = il.load_batch([row], layout="mistral_batch", source="openai_chat")
    assert read.request is not None
    assert read.request.origin == "openai_chat"


def test_a_wrong_use_is_refused_at_once() -> None:
    rows: Any = "{}"
    with pytest.raises(TypeError, match="lines or dicts"):
        il.load_batch(rows)
    with pytest.raises(ValueError, match="must be one of openai_batch"):
        il.load_batch([], layout="trl")
