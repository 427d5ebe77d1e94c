"""The boundary of a web service: what its OpenAPI document says, what it takes and gives, and how it refuses, over HTTP."""

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

import httpx2
import jsonschema_rs
import pydantic
import pytest
from fastapi import Body, FastAPI, Header, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from fastapi.testclient import TestClient
from pydantic import BaseModel, Field, Json, TypeAdapter

import interlingua as il
import interlingua.fastapi
from clients.streaming_app import served
from fastapi_app import app as example
from interlingua.errors import Fault
from interlingua.model.base import members
from interlingua.model.parts import Source
from laws.everything import EVERYTHING, LISTS, OBJECTS, STRINGS, entries, everything, faults, is_object, put, same
from model.test_messages import PRESENCE

JSON_TYPE = {"content-type": "application/json"}


# An application with models and errors of its own


class Owner(BaseModel):
    name: str


class Note(BaseModel):
    """Its fields are called as tags of ours are."""

    text: dict[str, int] = {}
    user: Owner | None = None
    type: str = "text"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    dog: Owner


class Own(BaseModel, extra="forbid"):
    notes: list[Note] = []
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]] = []
    messages: list[il.Message] = []
    ids: list[int | Literal["all"]] = []
    by_name: dict[str, Owner] = {}
    text: Json[int] = 0


own = FastAPI()
interlingua.fastapi.install(own)


@own.post("/own/{number}")
def take(number: int, body: Own, *, limit: int = 0, x_key: Annotated[int, Header()] = 0) -> Own:
    return body


@own.post("/conversations")
def keep(conversation: il.Conversation) -> il.Conversation:
    return conversation


@own.post("/responses")
def respond(body: il.Response) -> il.Response:
    return body


@own.post("/requests")
def ask(body: il.Request) -> il.Request:
    return body


BROKEN: dict[str, Exception] = {
    "payload": il.InvalidPayload([Fault("/a", "no"), Fault("/b", "nor")]),
    "lossy": il.LossyConversion([il.Loss("/messages/0/name", None, "dropped", "Anthropic messages have no `name` field")]),
    "format": il.UnknownFormat("morse", ["openai_chat"]),
    "stream": il.StreamError("broken"),
    "own": KeyError("sk-12345"),
}


@own.post("/broken/{kind}", responses={502: interlingua.fastapi.RESPONSES[502]})
def fail(kind: str) -> None:
    raise BROKEN[kind]


@own.post("/by_hand")
def refuse(body: list[dict[str, Any]]) -> None:
    raise RequestValidationError(body, body={"a": [{"b": 1}]})


@pytest.fixture(scope="module", name="turns")
def _turns() -> Iterator[httpx2.Client]:
    with served(example) as url, httpx2.Client(base_url=url, trust_env=False, timeout=60) as client:
        yield client


@pytest.fixture(scope="module", name="client")
def _client() -> Iterator[httpx2.Client]:
    with served(own) as url, httpx2.Client(base_url=url, trust_env=False, timeout=60) as client:
        yield client


# What the OpenAPI document says


DOCUMENT = example.openapi()
COMPONENTS: dict[str, Any] = DOCUMENT["components"]["schemas"]
ERROR_BODY = jsonschema_rs.validator_for({"$ref": "#/components/schemas/ErrorBody", "components": {"schemas": COMPONENTS}})
CLASSES: list[type[BaseModel]] = [*members(il.Message), *members(il.Part), *members(il.Citation), *members(Source)]
UNIONS = {
    "role": {cls.__name__ for cls in members(il.Message)},
    "type": {cls.__name__ for cls in (*members(il.Part), *members(il.Citation), *members(Source))},
}


def name_of(ref: str) -> str:
    return ref.removeprefix("#/components/schemas/")


def schemas(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in a document, with its place."""
    if is_object(value):
        yield path, value
    for key, item in entries(value):
        yield from schemas(item, f"{path}/{key}")


one_name = pytest.mark.skipif(
    pydantic.VERSION < "2.13",
    reason="pydantic 2.12 gives equal components of requests and responses two names, -Input and -Output",
)


@one_name
def test_every_message_and_part_is_a_component_for_requests_and_responses_alike() -> None:
    assert {cls.__name__ for cls in CLASSES} <= COMPONENTS.keys()
    assert [name for name in COMPONENTS if name.endswith(("-Input", "-Output"))] == []
    turn = DOCUMENT["paths"]["/turns"]["post"]
    bodies = [turn["requestBody"], turn["responses"]["200"]]
    assert [body["content"]["application/json"]["schema"] for body in bodies] == [{"$ref": "#/components/schemas/Turns"}] * 2


@one_name
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_component_is_closed_and_has_its_tag(cls: type[BaseModel]) -> None:
    schema = COMPONENTS[cls.__name__]
    tag = "role" if "role" in cls.model_fields else "type"
    assert tag in schema["required"]
    assert schema["properties"][tag]["const"] == get_args(cls.model_fields[tag].annotation)[0]
    assert schema["additionalProperties"] is False
    assert schema["properties"].keys() == cls.model_fields.keys()


@one_name
def test_every_union_of_objects_has_its_discriminator() -> None:
    found: dict[str, set[str]] = {"role": set(), "type": set()}
    for path, schema in schemas(DOCUMENT):
        for kind in {"anyOf", "oneOf", "allOf"} & schema.keys():
            refs = {name_of(option["$ref"]) for option in schema[kind] if "$ref" in option}
            if len(refs) < 2:
                continue
            discriminator = schema["discriminator"]
            tag = discriminator["propertyName"]
            assert kind == "oneOf", path
            assert len(refs) == len(schema[kind]), path
            assert {name_of(ref) for ref in discriminator["mapping"].values()} == refs, path
            assert all(
                COMPONENTS[name_of(ref)]["properties"][tag]["const"] == value for value, ref in discriminator["mapping"].items()
            )
            found[tag] |= refs
    assert found == UNIONS


@one_name
def test_a_union_is_a_component_with_its_name() -> None:
    for name, union in {"Message": il.Message, "Part": il.Part, "Source": Source}.items():
        assert {name_of(option["$ref"]) for option in COMPONENTS[name]["oneOf"]} == {cls.__name__ for cls in members(union)}
    assert name_of(COMPONENTS["Turns"]["properties"]["messages"]["items"]["$ref"]) == "Message"
    for name in ("UserMessage", "AssistantMessage", "SystemMessage", "DeveloperMessage", "ToolMessage"):
        lists = [option for option in COMPONENTS[name]["properties"]["content"]["oneOf"] if option["type"] == "array"]
        assert [name_of(option["items"]["$ref"]) for option in lists] == ["Part"]


@one_name
def test_no_schema_says_less_than_the_models_do() -> None:
    of_models = TypeAdapter[il.Message](il.Message).json_schema(ref_template="#/components/schemas/{model}")["$defs"]
    for _, schema in schemas(of_models):
        if schema.get("default", ...) is None:
            del schema["default"]  # OpenAPI has no null
    assert {name: COMPONENTS[name] for name in of_models} == of_models
    vague = [
        path
        for path, schema in schemas(of_models)
        if not schema
        or (path.count("/") == 3 and "/properties/" in path and not schema.keys() & {"type", "oneOf", "anyOf", "$ref", "const"})
    ]
    assert vague == ["/JsonPart/properties/value"]  # which is any JSON


def test_the_document_declares_what_is_answered_to_bad_input() -> None:
    for path in DOCUMENT["paths"].values():
        declared = path["post"]["responses"]
        assert declared["422"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ErrorBody"}
        assert declared["400"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Refusal"}
    assert "HTTPValidationError" not in COMPONENTS
    assert "ValidationError" not in COMPONENTS


# What goes through


def test_messages_come_back_as_they_were_sent(turns: httpx2.Client) -> None:
    for messages in (EVERYTHING, PRESENCE, []):
        answer = turns.post("/turns", json={"messages": messages})
        assert answer.status_code == 200
        assert same(answer.json(), {"messages": messages})


CALLS = [
    {"id": "a", "name": "word_count", "arguments": '{"text": "one two three"}'},
    {"name": "reverse", "arguments": '{"text": "Zürich 🙂"}'},
    {"id": "c", "name": "reverse", "arguments": "{"},
    {"id": "d", "name": "rm", "arguments": "{}"},
]


def test_tool_calls_are_answered(turns: httpx2.Client) -> None:
    asked = [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": CALLS}]
    answer = turns.post("/turns", json={"messages": asked}).json()["messages"]
    assert answer[:2] == asked
    results = [(message.get("tool_call_id"), message["content"], message.get("is_error")) for message in answer[2:]]
    assert results == [
        ("a", "3", None),
        (None, "🙂 hcirüZ", None),
        ("c", "The arguments should be an object with a text.", True),
        ("d", "There is no such tool.", True),
    ]


def test_a_request_is_converted(turns: httpx2.Client) -> None:
    payload = {"messages": [{"role": "user", "content": "Hi.", "name": "mira"}]}
    answer = turns.post("/convert/openai_chat/anthropic", json=payload)
    assert answer.json() == {
        "payload": {"messages": [{"role": "user", "content": "Hi."}]},
        "losses": [
            {"path": "/messages/0/name", "at": None, "kind": "dropped", "detail": "Anthropic messages have no `name` field"}
        ],
        "places": {"/messages/0": "/messages/0"},
    }


WHOLE: dict[str, list[dict[str, Any]]] = {
    "/conversations": [{"version": 1, "messages": EVERYTHING}, {"version": 1, "messages": [], "id": None, "tools": []}],
    "/requests": [{"messages": [], "tools": [{"type": "function", "name": "f"}]}, {"messages": [], "tools": None}],
    "/responses": [
        {"choices": []},
        {"id": None, "choices": [{"message": {"role": "assistant"}}], "usage": {"input_tokens": 1}},
    ],
}


@pytest.mark.parametrize("path", WHOLE)
def test_conversations_requests_and_responses_come_back_as_they_were_sent(path: str, client: httpx2.Client) -> None:
    for value in WHOLE[path]:
        answer = client.post(path, json=value)
        assert answer.status_code == 200
        assert same(answer.json(), value)


# What is refused


def reported(answer: httpx2.Response, status: int = 422) -> list[tuple[str, str]]:
    """The faults of an answer, which is what the document declares it to be."""
    assert answer.status_code == status, answer.text[:300]
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    ERROR_BODY.validate(body)
    return [(entry["path"], entry["reason"]) for entry in body["errors"]]


def paths(answer: httpx2.Response) -> list[str]:
    return [path for path, _ in reported(answer)]


@pytest.mark.parametrize("wrong", [5, {}, [], "novel"], ids=repr)
def test_a_fault_is_reported_as_validate_reports_it(wrong: Any, turns: httpx2.Client) -> None:
    places, differing = sorted({*STRINGS, *OBJECTS, *LISTS}), dict[str, Any]()
    for start in range(0, len(places), 25):  # a message for each place; an answer lists a hundred faults
        data = list[Any]()
        for place in places[start : start + 25]:
            _, number, *inside = place.split("/")
            data.append(everything()[int(number)])
            put(data, "/".join(["", str(len(data) - 1), *inside]), wrong)
        answer = turns.post("/turns", json={"messages": data})
        expected = [f"/messages{fault['path']}" for fault in faults(data)]
        if paths(answer) != expected:
            differing[places[start]] = (paths(answer), expected)
    assert differing == {}


def test_several_faults_are_one_entry_each(turns: httpx2.Client) -> None:
    wrong = [{"role": "user", "content": 5}, {"role": "nobody"}, {"role": "tool", "content": [{"type": "text", "text": 5}]}]
    assert reported(turns.post("/turns", json={"messages": wrong, "novel": 1})) == [
        ("/messages/0/content", "Input should be text or a list of parts"),
        (
            "/messages/1/role",
            "unknown role; must be one of 'system', 'developer', 'user', 'assistant', 'tool', 'text', 'opaque'",
        ),
        ("/messages/2/content/0/text", "Input should be a valid string"),
        ("/novel", "Extra inputs are not permitted"),
    ]


MISTAKES: list[tuple[Any, list[str]]] = [
    ({"notes": [{"text": {"lang": "x"}}]}, ["/notes/0/text/lang"]),
    ({"notes": [{}, {"user": {}}]}, ["/notes/1/user/name"]),
    ({"notes": [{"user": {"name": 5}}]}, ["/notes/0/user/name"]),
    ({"notes": [{"type": "text", "text": {"text": "x"}}]}, ["/notes/0/text/text"]),
    ({"notes": [{"type": 5}, 5]}, ["/notes/0/type", "/notes/1"]),
    ({"pets": [{"kind": "cat"}, {"kind": "dog", "dog": {}}]}, ["/pets/0/lives", "/pets/1/dog/name"]),
    ({"pets": [{"kind": "eel"}, {}]}, ["/pets/0/kind", "/pets/1/kind"]),
    ({"ids": [1, "all", None]}, ["/ids/2", "/ids/2"]),
    ({"by_name": {"a/b~": {}, "<text>": {"name": 5}}}, ["/by_name/a~1b~0/name", "/by_name/<text>/name"]),
    ({"by_name": 5, "messages": [{"role": "user"}]}, ["/messages/0/content", "/by_name"]),
    ({"text": "{", "ids": 5}, ["/ids", "/text"]),
    ([], [""]),
    (None, [""]),
]


@pytest.mark.parametrize(("body", "expected"), MISTAKES, ids=str)
def test_faults_in_models_of_the_users_own_are_pointed_at(body: Any, expected: list[str], client: httpx2.Client) -> None:
    assert paths(client.post("/own/1", json=body)) == expected


def test_errors_made_by_hand_are_reported_too(client: httpx2.Client) -> None:
    made = {"type": "value_error", "loc": ["body", "a", 0, "b"], "msg": "no"}
    assert reported(client.post("/by_hand", json=[made, made | {"loc": ["body"]}])) == [("/a/0/b", "no"), ("", "no")]
    assert reported(client.post("/by_hand", json=[])) == []


def test_a_parameter_is_named_by_where_it_stands(client: httpx2.Client) -> None:
    answer = client.post("/own/x?limit=y", json={"novel": 1}, headers={"x-key": "z"})
    assert paths(answer) == ["path/number", "query/limit", "header/x-key", "/novel"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "not JSON: Expecting property name enclosed in double quotes, at character 1"),
        (b"", "Field required"),
        (b'"x"', "Input should be a valid dictionary or object to extract fields from"),
    ],
)
def test_a_body_that_is_no_object_is_one_fault(body: bytes, reason: str, turns: httpx2.Client) -> None:
    assert reported(turns.post("/turns", content=body, headers=JSON_TYPE)) == [("", reason)]


@pytest.mark.parametrize("body", [b"\xff", b"[" * 100_000, b"1" * 5000], ids=["bytes", "deep", "long"])
def test_a_body_that_cannot_be_read_is_refused_as_declared(body: bytes, turns: httpx2.Client) -> None:
    answer = turns.post("/turns", content=body, headers=JSON_TYPE)
    assert answer.status_code == 400
    jsonschema_rs.validate(COMPONENTS["Refusal"], answer.json())


@pytest.mark.parametrize(
    "body",
    [
        rb'{"messages": [{"role": "user", "content": "\ud800"}]}',
        rb'{"messages": [{"role": "user", "content": "x", "\ud800": 1}]}',
        rb'{"messages": [{"role": "user", "content": "x", "provider_data": {"x": {"\ud800": 1}}}]}',
        rb'{"messages": [{"role": "user", "content": "x", "provider_data": {"x": {"a": NaN}}}]}',
        rb'{"messages": [], "\ud800": 1}',
    ],
)
def test_what_json_cannot_carry_is_refused(body: bytes, turns: httpx2.Client) -> None:
    assert len(reported(turns.post("/turns", content=body, headers=JSON_TYPE))) == 1
    assert len(reported(turns.post("/convert/openai_chat/verifiers", content=body, headers=JSON_TYPE))) == 1


@pytest.mark.parametrize(("kind", "status"), [("payload", 422), ("lossy", 422), ("format", 422), ("stream", 502)])
def test_our_errors_are_answered_with_their_body(kind: str, status: int, client: httpx2.Client) -> None:
    answer = client.post(f"/broken/{kind}")
    assert reported(answer, status)
    assert answer.json() == il.error_body(BROKEN[kind])
    assert str(status) in own.openapi()["paths"]["/broken/{kind}"]["post"]["responses"]


def test_an_error_of_the_servers_own_shows_nothing(client: httpx2.Client) -> None:
    answer = client.post("/broken/own")
    assert (answer.status_code, answer.text) == (500, "Internal Server Error")


def test_a_loss_under_strict_points_into_the_body(turns: httpx2.Client) -> None:
    payload = {"messages": [{"role": "user", "content": "Hi.", "name": "mira"}]}
    answer = turns.post("/convert/openai_chat/anthropic?strict=true", json=payload)
    assert reported(answer) == [("/messages/0/name", "dropped: Anthropic messages have no `name` field")]
    assert paths(turns.post("/convert/openai_chat/anthropic", json={"messages": [{"role": "user", "content": 5}]})) == [
        "/messages/0/content"
    ]
    [(path, reason)] = reported(turns.post("/convert/morse/anthropic", json=payload))
    assert (path, "openai_chat" in reason) == ("path/source", True)


# Bounded, and without an echo


IMAGE = "QUJD" * 5_000_000
SECRET = "sk-12345"


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "x", "image": IMAGE},
        {"role": "user", "content": "x", "name": [IMAGE]},
        {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "data": {"base64": IMAGE}}}]},
        {"role": "user", "content": [{"type": IMAGE}]},
        {"role": IMAGE},
        IMAGE,
    ],
    ids=["unknown field", "wrong field", "wrong shape", "unknown part", "unknown role", "no message"],
)
def test_an_image_of_twenty_megabytes_is_not_echoed(message: Any, turns: httpx2.Client) -> None:
    answer = turns.post("/turns", json={"messages": [message]})
    assert len(reported(answer)) == 1
    assert len(answer.content) < 1000
    assert "QUJD" not in answer.text


def test_a_hundred_thousand_faults_are_counted_and_a_hundred_reported(turns: httpx2.Client) -> None:
    answer = turns.post("/turns", json={"messages": [{"role": "user", "content": 5}] * 100_000})
    assert len(reported(answer)) == 100
    assert answer.json()["more"] == 99_900
    assert len(answer.content) < 20_000


def test_the_longest_answer_is_bounded(turns: httpx2.Client) -> None:
    answer = turns.post("/turns", json={"messages": [], **{"\x01" * 10_000 + str(i): 1 for i in range(200)}})
    assert len(reported(answer)) == 100
    assert {len(path) for path in paths(answer)} == {201}
    assert len(answer.content) < 200_000


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "x", "api_key": SECRET},
        {"role": "user", "content": {SECRET: SECRET}},
        {"role": "user", "content": "x", "name": {SECRET: 1}},
        {"role": SECRET, "content": "x"},
        {"role": "assistant", "tool_calls": [{"function": {"arguments": SECRET}}]},
        {"role": "user", "content": "x", "provider_data": {"x": SECRET}},
        SECRET,
    ],
    ids=str,
)
def test_a_secret_is_not_echoed(message: Any, turns: httpx2.Client) -> None:
    answer = turns.post("/turns", json={"messages": [message]})
    assert len(reported(answer)) == 1
    assert SECRET not in answer.text
    assert SECRET not in turns.post(f"/turns?{SECRET}={SECRET}", json={"messages": 5, "x": {"y": SECRET}}).text
    assert SECRET not in turns.post("/turns", content=SECRET.encode(), headers=JSON_TYPE).text


def test_fastapis_own_answer_would_echo_it() -> None:
    """What `install` is for; the day this fails, it may go."""
    bare = FastAPI()

    @bare.post("/")
    def turn(body: il.Conversation) -> None: ...

    with served(bare) as url:
        answer = httpx2.post(url, json={"messages": [], "api_key": SECRET}, trust_env=False)
    assert SECRET in answer.text


def test_an_applications_own_declarations_stay() -> None:
    declared: dict[int | str, dict[str, Any]] = {422: {"description": "mine"}}
    app = FastAPI(responses=declared)
    interlingua.fastapi.install(app)
    app.post("/")(take)
    answers = app.openapi()["paths"]["/"]["post"]["responses"]
    assert answers["422"]["description"] == "mine"
    assert json.dumps(answers["400"]).count("Refusal") == 1


def test_an_applications_own_handlers_stay() -> None:
    app = FastAPI()

    @app.exception_handler(il.InvalidPayload)
    async def own(request: Request, error: Exception) -> PlainTextResponse:
        return PlainTextResponse("own", 418)

    interlingua.fastapi.install(app)
    app.post("/validate")(lambda: il.validate([5]))
    app.post("/load")(lambda: il.load({}, il.format_of("nothing")))
    with TestClient(app) as client:
        assert [client.post(path).status_code for path in ("/validate", "/load")] == [418, 422]


def test_an_error_in_a_websocket_is_left_to_the_framework() -> None:
    app = FastAPI()
    interlingua.fastapi.install(app)

    @app.websocket("/")
    async def receive(socket: WebSocket) -> None:
        await socket.accept()
        il.validate(await socket.receive_text())

    def talk() -> None:
        with TestClient(app) as client, client.websocket_connect("/") as socket:
            socket.send_text("5")
            socket.receive_text()

    with pytest.raises(il.InvalidPayload):
        talk()


def test_what_is_missing_of_an_empty_body_is_named() -> None:
    app = FastAPI()
    interlingua.fastapi.install(app)

    @app.post("/")
    def take_two(one: il.UserMessage, number: Annotated[int, Body()]) -> None: ...

    with TestClient(app) as client:
        assert [entry["path"] for entry in client.post("/").json()["errors"]] == ["/one", "/number"]


def test_the_faults_of_a_typed_body_are_pointers_into_it() -> None:
    """Also where a field in another place has the name of one in its location."""
    app = FastAPI()
    interlingua.fastapi.install(app)

    @app.post("/")
    def ask(body: il.AnthropicBody) -> il.AnthropicBody:
        return body

    wrong = {"role": None, "content": None, "messages": [{"role": "usr", "content": "x"}, {"role": "user", "content": 7}]}
    answer = TestClient(app).post("/", json=wrong)
    assert answer.status_code == 422
    assert [each["path"] for each in answer.json()["errors"]] == ["/messages/1/content", "/messages/0/role"]
