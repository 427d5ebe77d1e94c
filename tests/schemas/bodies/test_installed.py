"""Typed bodies in an application with `install`, whose answers name the place of each fault by a JSON Pointer."""

import json
from functools import cache
from typing import Any

import fastapi
import fastapi.testclient
import pytest

import interlingua as il
from formats.cases import HAS_BYTES
from formats.refused import Refused, refused
from interlingua.errors import escape
from interlingua.fastapi import install
from schemas.bodies.test_bodies import WRONG, body_of

CASES = [case for case in refused() if case.format not in HAS_BYTES]
DEEP = json.loads('{"a":' * 300 + "0" + "}" * 300)


@cache
def client_of(body: Any) -> fastapi.testclient.TestClient:
    """A client of an application that takes a body."""

    def answer(body: Any) -> None:
        del body

    answer.__annotations__ = {"body": body}
    app = fastapi.FastAPI()
    install(app)
    app.post("/")(answer)
    return fastapi.testclient.TestClient(app)


def pointers(body: Any, wire: Any) -> set[str]:
    """The places that an application names which refuses a body."""
    done = client_of(body).post("/", content=json.dumps(wire), headers={"content-type": "application/json"})
    assert done.status_code == 422
    return {fault["path"] for fault in done.json()["errors"]}


@pytest.mark.parametrize("format", sorted({case.format for case in CASES}))
def test_what_check_finds_has_its_place(format: str) -> None:
    assert [str(case) for case in CASES if case.format == format and not has_its_places(case)] == []


def has_its_places(case: Refused) -> bool:
    """Whether an application names the places of the errors that `check` finds, and no others."""
    wire = json.loads(json.dumps(case.refused))
    errors = {problem.path for problem in il.check(wire, case.format) if problem.severity == "error"}
    checked: Any = il.Checked
    found = pointers(checked[body_of(case.format)], wire) if errors else errors
    if case.code == "part-type-missing" and case.format in ("openai_chat", "vllm"):
        found = {f"{place}/type" for place in found}  # the type of a body has a fault at the part
    return found == errors


@pytest.mark.parametrize("format", WRONG)
def test_what_a_body_refuses_has_its_place(format: str) -> None:
    for wire, place in WRONG[format]:
        assert pointers(body_of(format), wire) == {"".join("/" + escape(str(key)) for key in place)}


@pytest.mark.parametrize("value", ["text", 7, [1], DEEP, {"a": "\ud800"}], ids=["text", "number", "list", "deep", "half"])
def test_a_value_that_is_no_free_json_is_the_clients_fault(value: Any) -> None:
    result = {"functionResponse": {"name": "t", "response": value}}
    place = "/contents/0/parts/0/functionResponse/response"
    [found] = pointers(il.GeminiBody, {"contents": [{"role": "user", "parts": [result]}]})
    assert found.startswith(place)
