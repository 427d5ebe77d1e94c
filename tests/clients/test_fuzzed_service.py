"""Schemathesis against the example, over HTTP: what its OpenAPI document allows is taken, what it does not is refused."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, get_args

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies as st
from pydantic_core import from_json, to_json
from schemathesis import GenerationMode

import interlingua as il
import interlingua.testing
from clients.streaming_app import served
from fastapi_app import app

ALWAYS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
"""What holds of every answer: no error of the server's own, and nothing that the document does not declare."""

checks: Any = import_module("schemathesis.checks")  # its own types are known in part only

pytestmark = pytest.mark.scale

CASES = 20
"""How many requests of each kind are made, the same ones every time; with --scale 20, so many times as many."""


def fuzz(scale: int, least: int = 0) -> settings:
    return settings(
        max_examples=max(CASES * scale, least),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


class Service:
    """The example as it is served, and its operations as Schemathesis reads them from its document."""

    def __init__(self, url: str, session: requests.Session, scale: int) -> None:
        checks.load_all_checks()
        self.session = session
        self.scale = scale
        self.answered = 0
        schema: Any = schemathesis.openapi.from_url(f"{url}/openapi.json")
        self.operations: dict[str, Any] = {path: schema[path]["POST"] for path in schema}

    def send(self, case: Any, *rules: str) -> Any:
        """The answer, of which all that is checked holds."""
        answer = case.call(session=self.session)
        self.answered += 1
        case.validate_response(answer, checks=checks.CHECKS.get_by_names([*ALWAYS, *rules]))
        return answer


@pytest.fixture(scope="module")
def running(scale: int) -> Iterator[Service]:
    """The example, served."""
    with served(app) as url, requests.Session() as session:
        session.trust_env = False
        yield Service(url, session, scale)


@pytest.fixture
def service(running: Service, record_property: Callable[[str, object], None]) -> Iterator[Service]:
    """The example, whose answers are counted."""
    before = running.answered
    yield running
    record_property("requests answered", running.answered - before)


def statuses(service: Service, strategy: st.SearchStrategy[Any], *rules: str) -> Counter[int]:
    """How many answers of each status a strategy's requests get."""
    found: Counter[int] = Counter()

    @fuzz(service.scale)
    @given(case=strategy)
    def send(case: Any) -> None:
        found[service.send(case, *rules).status_code] += 1

    send()
    assert found.total() >= CASES * service.scale
    return found


def test_messages_that_the_schema_allows_are_taken(service: Service) -> None:
    allowed = service.operations["/turns"].as_strategy(GenerationMode.POSITIVE)
    assert statuses(service, allowed, "positive_data_acceptance").keys() == {200}


def test_messages_that_the_schema_does_not_allow_are_refused(service: Service) -> None:
    wrong = service.operations["/turns"].as_strategy(GenerationMode.NEGATIVE)
    assert statuses(service, wrong, "negative_data_rejection").keys() <= {400, 422}


@pytest.mark.parametrize(("mode", "rules"), [("POSITIVE", ()), ("NEGATIVE", ("negative_data_rejection",))])
def test_whatever_is_to_be_converted_is_answered_as_declared(mode: str, rules: tuple[str, ...], service: Service) -> None:
    # What each provider demands of a payload is not in the document, so not all that it allows is taken.
    found = statuses(service, service.operations["/convert/{source}/{target}"].as_strategy(GenerationMode[mode]), *rules)
    assert found.keys() <= {200, 400, 422}


@pytest.mark.parametrize("source", ["openai_chat", "anthropic", "openai_completions"])
def test_payloads_are_converted_to_every_format(source: il.FormatName, service: Service) -> None:
    operation = service.operations["/convert/{source}/{target}"]
    targets: Iterator[il.FormatName] = itertools.cycle(get_args(il.FormatName))
    sent: set[str] = set()

    @fuzz(service.scale, least=len(il.FORMATS))
    @given(payload=interlingua.testing.payloads(source))
    def send(payload: Any) -> None:
        target = next(targets)
        way = {"source": source, "target": target}
        answer = service.send(operation.Case(path_parameters=way, body=payload, media_type="application/json"))
        assert answer.status_code == 200
        converted = il.convert(payload, source=source, target=target).payload
        assert answer.json()["payload"] == from_json(to_json(converted, bytes_mode="base64"))
        sent.add(target)

    send()
    assert sent == set(il.FORMATS)
