"""An error of any provider, written for another one's client, which raises its own class for it, over HTTP on the loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import cohere
import groq
import httpx
import ollama
import openai
import pytest
from botocore.exceptions import ClientError
from cohere.core.api_error import ApiError
from google.genai._interactions_errors import APIError as InteractionsError
from google.genai.errors import APIError as GoogleError
from mistralai.client import Mistral
from mistralai.client.errors import SDKError

import interlingua as il
from clients.official import PROVIDERS, Replay, json_answer
from clients.streaming_app import served
from clients.test_live_clients import opened
from formats.cases import facts
from interlingua.codec.error_words import status_of

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "proxy.md"
HI: dict[str, Any] = {"messages": [{"role": "user", "content": "hi"}]}
OF_AWS = {
    400: "ValidationException",
    401: "UnrecognizedClientException",
    403: "AccessDeniedException",
    404: "ResourceNotFoundException",
    429: "ThrottlingException",
    500: "InternalServerException",
    503: "ServiceUnavailableException",
    529: "ServiceUnavailableException",
}
OF_GOOGLE = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    529: "UNAVAILABLE",
}
OF_COHERE = {
    400: "BadRequestError",
    401: "UnauthorizedError",
    403: "ForbiddenError",
    404: "NotFoundError",
    429: "TooManyRequestsError",
    500: "InternalServerError",
    503: "ServiceUnavailableError",
}
BY_STATUS = {
    400: "BadRequestError",
    401: "AuthenticationError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    429: "RateLimitError",
    500: "InternalServerError",
    503: "InternalServerError",
    529: "InternalServerError",
}
"""The classes of the clients of OpenAI and of Anthropic, which has subclasses of the last for 503 and 529."""

REFUSALS: tuple[type[Exception], ...] = (
    openai.APIStatusError,
    anthropic.APIStatusError,
    GoogleError,
    ClientError,
    ApiError,
    SDKError,
    groq.APIStatusError,
    ollama.ResponseError,
    InteractionsError,
)
"""What the clients raise for the answers of a server."""

Raised = Callable[[], Any]
"""Asks, and returns what is raised."""


def caught(ask: Callable[[], Any]) -> Any:
    with pytest.raises(REFUSALS) as raised:
        ask()
    return raised.value


def _http() -> Any:
    """What sends; Mistral's client asks for types that httpx's own methods do not quite have."""
    return httpx.Client(trust_env=False)


@contextmanager
def asking(target: il.FormatName, url: str) -> Generator[Raised]:
    """The official client of a format."""
    if target in ("openai_chat", "anthropic"):
        client, resource = opened(target, url)
        with client:
            yield lambda: caught(lambda: resource.create(model="m", max_tokens=9, **HI))
    elif target == "cohere":
        with _http() as http:
            client = cohere.ClientV2("none", base_url=url, httpx_client=http)
            yield lambda: caught(lambda: client.chat(model="m", request_options={"max_retries": 0}, **HI))
    elif target == "mistral":
        with _http() as http, Mistral("none", server_url=url, client=http) as client:
            yield lambda: caught(lambda: client.chat.complete(model="m", **HI))
    elif target == "groq":
        with _http() as http, groq.Groq(api_key="none", base_url=url, http_client=http, max_retries=0) as client:
            yield lambda: caught(lambda: client.chat.completions.create(model="m", messages=HI["messages"]))
    elif target == "ollama":
        local: Any = ollama.Client(url, trust_env=False)
        yield lambda: caught(lambda: local.chat("m", HI["messages"]))
        local.close()
    else:
        provider = PROVIDERS[target]
        client = provider.client(url)
        payload: Any = il.dump([il.UserMessage(content="hi")], il.format_of(provider.keywords))
        yield lambda: caught(lambda: client.ask({"modelId" if target == "bedrock_converse" else "model": "m", **payload}))
        client.shut()


def judge(target: il.FormatName, raised: Any, error: il.ProviderError, status: int) -> None:
    """The class is that of the client for this kind of error, and it says the same."""
    kinds = {kind.__name__ for kind in type(raised).__mro__}
    if target == "bedrock_converse":
        assert raised.response["Error"]["Code"] == OF_AWS[status]
        assert OF_AWS[status] in kinds or status == 401  # of all services of AWS, for which the client has no class
    elif target == "gemini":
        assert ("ClientError" if status < 500 else "ServerError") in kinds
        assert (raised.code, raised.status) == (status, OF_GOOGLE[status])
    elif target == "cohere":
        assert OF_COHERE.get(status, "ApiError") in kinds
        assert raised.status_code == status
    elif target in ("mistral", "ollama"):
        assert kinds & {"SDKError", "ResponseError"}
        assert raised.status_code == status
    else:
        assert BY_STATUS[status] in kinds
    assert error.message.splitlines()[0][:40] in str(raised)  # which the clients write as Python or as JSON does


TARGETS: tuple[il.FormatName, ...] = (
    "openai_chat",
    "openai_responses",
    "anthropic",
    "gemini",
    "bedrock_converse",
    "cohere",
    "mistral",
    "groq",
    "ollama",
    "gemini_interactions",
)


CLIENTS: dict[str, il.FormatName] = {
    "anthropic": "anthropic",
    "openai": "openai_chat",
    "google-genai": "gemini",
    "boto3": "bedrock_converse",
    "cohere": "cohere",
    "mistralai": "mistral",
    "groq": "groq",
    "ollama": "ollama",
    "google.genai.interactions": "gemini_interactions",
}


def tables() -> dict[str, dict[int, list[str]]]:
    """The class of the exception and the words in the guide, by the client and the HTTP status."""
    found: dict[str, dict[int, list[str]]] = {}
    for table in re.findall(r"^\| error \| status \|.*\n(?:\|.*\n)+", GUIDE.read_text("utf-8"), re.MULTILINE):
        header, _line, *rows = ([cell.strip() for cell in row.split("|")[2:-1]] for row in table.splitlines())
        for i, client in enumerate(header[1:], 1):
            found[client.strip("`")] = {int(row[0]): re.findall(r"`([^`]+)`", row[i]) for row in rows}
    return found


def words_in(body: dict[str, Any]) -> list[str]:
    """The provider's words for an error in a body of it."""
    held = body.get("error", body)
    if isinstance(held, str):  # which is all that some providers say
        return []
    return [held[name] for name in ("type", "__type", "code", "status") if isinstance(held.get(name), str)]


@pytest.mark.parametrize("client", CLIENTS)
def test_the_guide_says_what_a_client_raises(client: str) -> None:
    target, listed = CLIENTS[client], tables()[client]
    assert listed.keys() == BY_STATUS.keys()
    app = Replay()
    with served(app) as url, asking(target, url) as ask:
        for status, (kind, *words) in listed.items():
            body = il.dump_error(il.ProviderError("no", status=status), target)
            app.answers.append(json_answer(body, status))
            assert kind in {base.__name__ for base in type(ask()).__mro__}
            assert words_in(body) == (words or ([kind] if target == "bedrock_converse" else []))  # whose words are its classes


def raise_all(target: il.FormatName, errors: list[il.ProviderError]) -> int:
    app = Replay()
    judged = 0
    with served(app) as url, asking(target, url) as ask:
        for error in errors:
            status = status_of(error)
            assert status is not None
            app.answers.append(json_answer(il.dump_error(error, target), status))
            judge(target, ask(), error, status)
            judged += 1
    return judged


def error_of(body: Any, source: str, status: int | None) -> il.ProviderError:
    with pytest.raises(il.ProviderError) as raised:
        il.load_response(body, il.format_of(source), status=status)
    return raised.value


ERRORS = facts("errors")


@pytest.mark.parametrize("target", TARGETS)
def test_the_client_raises_its_class_for_every_kind_of_error(target: il.FormatName) -> None:
    errors = [
        error_of(said["body"], source, None)
        for source, held in ERRORS.items()
        for said in held["said"]
        if il.FORMATS[source].error_words is not il.FORMATS[target].error_words
    ]
    assert raise_all(target, errors) >= 20


SOURCES = {
    "anthropic": "anthropic",
    "bedrock": "bedrock_converse",
    "cohere": "cohere",
    "gemini": "gemini",
    "openrouter": "openrouter",
    "openai_responses": "openai_responses",
}
"""The format of recorded errors, by the beginning of their file's name; all others are Chat's."""


@pytest.mark.traffic
@pytest.mark.parametrize("target", TARGETS)
def test_the_client_raises_its_class_for_recorded_errors(
    target: il.FormatName, traffic: Path, record_property: Callable[[str, object], None]
) -> None:
    errors: list[il.ProviderError] = []
    for file in sorted(traffic.glob("*.errors.jsonl")):
        source = next((name for begin, name in SOURCES.items() if file.name.startswith(begin)), "openai_chat")
        if il.FORMATS[source].family == il.FORMATS[target].family:
            continue  # what is written for its own clients is the body that came
        for line in file.read_text("utf-8").splitlines():
            record = json.loads(line)
            errors.append(error_of(record["body"], source, record["status"]))
    judged = raise_all(target, errors)
    assert judged >= 40
    record_property(f"recorded errors raised by the client of {target}", judged)
