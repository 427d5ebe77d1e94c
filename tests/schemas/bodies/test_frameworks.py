"""Typed bodies in FastAPI, Litestar and Django Ninja: what each takes, gives, refuses and documents."""

import json
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import fastapi
import fastapi.testclient
import litestar
import litestar.testing
import pydantic
import pytest
from litestar.params import JSONBody
from openapi_spec_validator import validate
from pydantic import BaseModel

import interlingua as il
from formats.cases import HAS_BYTES, cases
from interlingua.formats import bodies as names
from interlingua.schemas.litestar import InterlinguaPlugin, InvalidBody
from laws import recorded
from schemas.bodies.test_bodies import ROLES, SECRET, WRONG, alike, references

settings: Any = import_module("django.conf").settings  # Django has no types
if not settings.configured:
    settings.configure()
ninja: Any = import_module("ninja")  # wants the settings
ninja_testing: Any = import_module("ninja.testing")

Loc = tuple[str | int, ...]


class Service(NamedTuple):
    """A service with a path for each format, which gives back what it gets."""

    post: Callable[[str, bytes], Any]
    """Its answer to a body."""
    faults: Callable[[Any], list[Loc]]
    """The places in the body that an answer with 422 names."""
    document: Callable[[], Any]


REQUESTS: dict[str, Any] = {format: getattr(il, name) for name, format in names.REQUESTS.items()}
RESPONSES: dict[str, Any] = {format: getattr(il, name) for name, format in names.RESPONSES.items()}


class Job(BaseModel):
    """A model of a user's, with a body and canonical values in it."""

    request: il.AnthropicBody
    others: list[il.OpenaiChatBody | None] = []
    messages: list[il.Message] = []


PATHS: dict[str, tuple[Any, Any]] = {
    **{f"/{format}": (body, body) for format, body in REQUESTS.items()},
    **{f"/{format}/answer": (REQUESTS[format], body) for format, body in RESPONSES.items()},
    "/checked": (il.Checked[il.AnthropicBody], il.AnthropicBody),
    "/job": (Job, Job),
    "/messages": (list[il.Message], list[il.Message]),
}
"""What each path takes and gives."""
ANSWER = il.Response(choices=[il.Choice(message=il.AssistantMessage(content="hi"), stop_reason="stop")])


def given_back(path: str, body: Any) -> Any:
    return ANSWER if path.endswith("/answer") else body


def name_of(path: str) -> str:
    return path[1:].replace("/", "_")


def _post(client: Any, path: str, body: bytes) -> Any:
    return client.post(path, content=body, headers={"content-type": "application/json"})


def _post_as_data(client: Any, path: str, body: bytes) -> Any:
    return client.post(path, body, content_type="application/json")


def _places(field: str, before: int, answer: Any) -> list[Loc]:
    """The places in an answer's field, without so many elements that stand before the body's own."""
    faults: list[dict[str, Any]] = answer.json()[field]
    return [tuple(each["loc"][before:]) for each in faults]


def of_fastapi() -> Service:
    def handler(path: str, takes: Any, gives: Any) -> Any:
        def answer(body: Any) -> Any:
            return given_back(path, body)

        answer.__annotations__ = {"body": takes, "return": gives}
        return answer

    # Pydantic 2.12 gives what refers to other components a name for each direction, also where the two are the same.
    app = fastapi.FastAPI(separate_input_output_schemas=not pydantic.VERSION.startswith("2.12."))
    for path, types in PATHS.items():
        app.post(path, operation_id=name_of(path))(handler(path, *types))
    client = fastapi.testclient.TestClient(app)
    return Service(
        partial(_post, client),
        partial(_places, "detail", 1),
        app.openapi,
    )


def of_litestar() -> Service:
    body_marker: Any = JSONBody

    def handler(path: str, takes: Any, gives: Any) -> Any:
        def answer(data: Any) -> Any:
            return given_back(path, data)

        answer.__annotations__ = {"data": body_marker[takes], "return": gives}
        options: dict[str, Any] = {"status_code": 200, "operation_id": name_of(path), "raises": [InvalidBody]}
        return litestar.post(path, sync_to_thread=False, **options)(answer)

    plugins = [InterlinguaPlugin()]
    app = litestar.Litestar([handler(path, *types) for path, types in PATHS.items()], plugins=plugins, logging_config=None)
    client = litestar.testing.TestClient(app)
    return Service(
        partial(_post, client),
        partial(_places, "extra", 0),
        app.openapi_schema.to_schema,
    )


def of_ninja() -> Service:
    def handler(path: str, takes: Any) -> Any:
        def answer(request: Any, body: Any) -> Any:
            return given_back(path, body)

        answer.__annotations__ = {"body": takes}
        return answer

    api = ninja.NinjaAPI(urls_namespace="bodies")
    for path, (takes, gives) in PATHS.items():
        api.post(path, response=gives, operation_id=name_of(path))(handler(path, takes))
    client = ninja_testing.TestClient(api)
    return Service(
        partial(_post_as_data, client),
        partial(_places, "detail", 2),
        lambda: json.loads(json.dumps(api.get_openapi_schema(path_prefix="/"))),
    )


MAKERS: dict[str, Callable[[], Service]] = {"fastapi": of_fastapi, "litestar": of_litestar, "ninja": of_ninja}


@pytest.fixture(scope="module", params=MAKERS)
def service(request: pytest.FixtureRequest) -> Service:
    return MAKERS[request.param]()


def sent(service: Service, path: str, body: Any) -> tuple[int, Any]:
    answer = service.post(path, json.dumps(body).encode())
    return answer.status_code, answer.json()


def test_requests_come_back_as_they_went(service: Service) -> None:
    tried = [case for case in cases("request") if case.format not in HAS_BYTES and str(case) not in ROLES]
    assert {case.format for case in tried} >= {"openai_chat", "anthropic", "gemini", "bedrock_converse", "openai_responses"}
    for case in tried:
        wire = case.read("request")
        assert sent(service, f"/{case.format}", wire) == (200, wire), case


@pytest.mark.filterwarnings("ignore::interlingua.LossWarning")
@pytest.mark.parametrize("format", RESPONSES)
def test_an_answer_of_any_origin_is_written_in_the_format(service: Service, format: str) -> None:
    [wire] = [row for owner, row in RIGHT.items() if format in alike(owner)]
    status, body = sent(service, f"/{format}/answer", wire)
    assert status == 200
    assert il.load_response(body, il.format_of(format)).message.text == "hi"


RIGHT: dict[str, Any] = {
    "openai_chat": {"messages": [{"role": "user", "content": "hi"}]},
    "anthropic": {"messages": [{"role": "user", "content": "hi"}]},
    "gemini": {"contents": [{"parts": [{"text": "hi"}]}]},
    "google_genai": {"contents": "hi"},
    "bedrock_converse": {"messages": [{"role": "user", "content": [{"text": "hi"}]}]},
    "bedrock_text": {"inputText": "hi"},
    "openai_responses": {"input": "hi"},
    "gemini_interactions": {"input": "hi"},
    "cohere": {"messages": [{"role": "user", "content": "hi"}]},
    "ollama_generate": {"prompt": "hi"},
    "openai_completions": {"prompt": "hi"},
    "ollama": {"messages": [{"role": "user", "content": "hi"}]},
    "harmony": {"prompt": "<|start|>user<|message|>hi<|end|><|start|>assistant"},
}


def test_faults_have_their_places(service: Service) -> None:
    rows = [(format, wire, place) for owner, rows in WRONG.items() for wire, place in rows for format in alike(owner)]
    for format, wire, place in rows:
        answer = service.post(f"/{format}", json.dumps(wire).encode())
        assert answer.status_code == 422, (format, wire)
        assert service.faults(answer) == [place], (format, wire)
        assert SECRET not in json.dumps(answer.json())


def test_a_model_and_check(service: Service) -> None:
    right: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
    others: list[Any] = [None, {"messages": []}]
    job = {"request": right, "others": others, "messages": right["messages"]}
    assert sent(service, "/job", job) == (200, job)
    assert sent(service, "/messages", right["messages"]) == (200, right["messages"])
    assert sent(service, "/checked", right) == (200, right)
    del right["max_tokens"]
    answer = service.post("/checked", json.dumps(right).encode())
    assert (answer.status_code, service.faults(answer)) == (422, [("max_tokens",)])
    answer = service.post("/job", json.dumps({"request": {"messages": [{"role": "usr"}]}}).encode())
    assert (answer.status_code, service.faults(answer)) == (422, [("request", "messages", 0, "role")])


def test_the_document(service: Service) -> None:
    document = service.document()
    validate(document)
    schemas = document["components"]["schemas"]
    assert set(references(document)) == schemas.keys()
    assert names.REQUESTS.keys() | names.RESPONSES.keys() <= schemas.keys()
    assert not [name for name in schemas if "_" in name or "-" in name]
    for path, types in PATHS.items():
        if path == "/messages":
            continue
        operation = document["paths"][path]["post"]
        for content, kind in zip((operation["requestBody"], operation["responses"].get("200", {})), types, strict=True):
            name = kind.__name__.removeprefix("Checked")
            assert content["content"]["application/json"]["schema"] == {"$ref": f"#/components/schemas/{name}"}


def test_the_components_are_the_same_everywhere() -> None:
    documents = [MAKERS[name]().document()["components"]["schemas"] for name in ("fastapi", "litestar")]
    for name in names.__all__:
        assert documents[0][name] == documents[1][name]


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "format"), [("anthropic_count_tokens", "anthropic"), *recorded.TYPED])
def test_what_providers_accepted(service: Service, api: str, format: str, traffic: Path) -> None:
    for record in recorded.requests(traffic, api):
        assert sent(service, f"/{format}", record.body) == (200, record.body), record.id
