"""Typed bodies: what they take, what they refuse and where, what their errors say, and their components."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError, create_model

import interlingua as il
from formats.cases import HAS_BYTES, Case, cases
from interlingua.formats import bodies as names
from interlingua.model.base import Json
from interlingua.schemas.json_schema import OWNERS
from laws import recorded

TOOLS = Path(__file__).parents[3] / "tools"
SECRET = "swordfish"


def body_of(format: str, *, response: bool = False) -> Any:
    """The type of a format's requests or responses."""
    table = names.RESPONSES if response else names.REQUESTS
    [name] = [each for each, of in table.items() if of == format]
    return getattr(il, name)


def alike(owner: str) -> list[str]:
    """The format and its dialects, which take the same requests."""
    return [name for name, of in OWNERS.items() if of == owner and name not in HAS_BYTES]


def faults(body: Any, value: Any) -> list[tuple[str | int, ...]]:
    """The places of what a type finds wrong."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(body).validate_python(value)
    return [each["loc"] for each in caught.value.errors()]


def test_every_format_has_its_types() -> None:
    """All but those with bytes, which JSON does not have."""
    assert set(names.REQUESTS.values()) == il.FORMATS.keys() - set(HAS_BYTES)
    answering = {name for name, format in il.FORMATS.items() if format.load_response is not None}
    assert set(names.RESPONSES.values()) == answering - set(HAS_BYTES)
    assert set(names.__all__) <= set(dir(il))
    done = subprocess.run([sys.executable, TOOLS / "body_names.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_name_without_a_format() -> None:
    name = "NothingBody"
    with pytest.raises(AttributeError, match=name):
        getattr(il, name)


WITHOUT_ROLES = {
    "openai_completions": "a prompt",
    "harmony": "a prompt",
    "ollama_generate": "a prompt",
    "bedrock_text": "a prompt",
    "alpaca": "rows of an instruction, an input and an output",
}
"""The formats whose bodies hold no messages with roles, and what they hold."""


def test_every_format_with_messages_closes_their_roles() -> None:
    assert {format.name for format in il.FORMATS.values() if not format.roles} == WITHOUT_ROLES.keys()


# What they take


ROLES = {
    "bedrock_converse/odd_members": ("messages", 1, "role"),
    "cohere/unknown": ("messages", 1, "role"),
    "ollama/odd": ("messages", 0, "role"),
    "ollama/unknown": ("messages", 2, "role"),
    "openai_chat/unknown_parts_fields_roles": ("messages", 3, "role"),
    "openai_responses/built_in_tools": ("input", 18, "role"),
    "sharegpt/spellings": ("conversations", 5, "from"),
}
"""The cases with a role that nobody has, which `load` keeps."""


def takes(case: Case) -> bool:
    """Whether a type takes the request of a case."""
    return case.format not in HAS_BYTES and str(case) not in ROLES


@pytest.mark.parametrize("case", [*filter(takes, cases("request"))], ids=str)
def test_a_request(case: Case) -> None:
    """What came in is what `payload` is, and what is written; the schema of the component accepts it."""
    adapter: TypeAdapter[il.Request] = TypeAdapter(body_of(case.format))
    wire = case.read("request")
    for request in (adapter.validate_python(wire), adapter.validate_json(json.dumps(wire))):
        assert type(request) is il.Request
        assert request == il.load(wire, case.format)
        assert request.payload == adapter.dump_python(request) == json.loads(adapter.dump_json(request)) == wire
        assert adapter.validate_python(request) is request
    assert jsonschema_rs.is_valid(adapter.json_schema(), wire)


@pytest.mark.parametrize("case", [case for case in cases("response") if case.format not in HAS_BYTES], ids=str)
def test_a_response(case: Case) -> None:
    adapter: TypeAdapter[il.Response] = TypeAdapter(body_of(case.format, response=True))
    wire = case.read("response")
    response = adapter.validate_python(wire)
    assert response == il.load_response(wire, case.format)
    assert response.payload == adapter.dump_python(response) == wire
    assert adapter.validate_python(response) is response
    assert jsonschema_rs.is_valid(adapter.json_schema(mode="serialization"), wire)


@pytest.mark.parametrize("case", [case for case in cases("request") if str(case) in ROLES], ids=str)
def test_a_role_that_nobody_has(case: Case) -> None:
    assert faults(body_of(case.format), case.read("request")) == [ROLES[str(case)]]


def test_payload_follows_what_is_replaced() -> None:
    request = il.load({"model": "m", "max_tokens": 9, "messages": []}, "anthropic")
    assert request.replace(model="n").payload == {"model": "n", "max_tokens": 9, "messages": []}


@pytest.mark.parametrize("value", [il.Request(messages=[]), il.Response(choices=[])])
def test_what_was_not_loaded_has_no_payload(value: il.Request | il.Response) -> None:
    with pytest.raises(ValueError, match="not loaded"):
        assert value.payload


def test_a_request_of_another_format_is_written_in_that_of_the_type() -> None:
    request = il.load({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}, "anthropic")
    assert TypeAdapter(il.OpenaiChatBody).dump_python(request) == il.dump(request, "openai_chat", on_loss="ignore")


ACCEPTED = [("anthropic_count_tokens", "anthropic"), *recorded.TYPED]


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "format"), ACCEPTED)
def test_what_providers_accepted(api: str, format: str, traffic: Path) -> None:
    adapter: TypeAdapter[il.Request] = TypeAdapter(body_of(format))
    schema = jsonschema_rs.validator_for(adapter.json_schema())
    for record in recorded.requests(traffic, api):
        assert adapter.validate_python(record.body).payload == record.body, record.id
        assert schema.is_valid(record.body), record.id


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "format"), recorded.TYPED)
def test_what_providers_answered(api: str, format: str, traffic: Path) -> None:
    adapter: TypeAdapter[il.Response] = TypeAdapter(body_of(format, response=True))
    for record in recorded.responses(traffic, api):
        try:
            expected = il.load_response(record.body, il.format_of(format))
        except il.ProviderError:
            assert faults(body_of(format, response=True), record.body) == [()]
        else:
            assert adapter.validate_python(record.body) == expected, record.id


# What they refuse

CALL: dict[str, Any] = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
WRONG: dict[str, list[tuple[Any, tuple[str | int, ...]]]] = {
    "openai_chat": [
        ({"messages": [{"role": "usr", "content": SECRET}]}, ("messages", 0, "role")),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": 7}]}]}, ("messages", 0, "content", 0, "text")),
        ({"messages": [{"role": "user", "content": SECRET, "nmae": "x"}]}, ("messages", 0, "nmae")),
        (
            {"messages": [{"role": "assistant", "tool_calls": [CALL | {"function": {"arguments": "{}"}}]}]},
            ("messages", 0, "tool_calls", 0, "function", "name"),
        ),
        ({"messages": [{"role": "tool", "content": SECRET, "tool_cal_id": "c"}]}, ("messages", 0, "tool_cal_id")),
        ({"messages": [], "tools": [{"type": "function", "function": {"nam": "f"}}]}, ("tools", 0, "function", "nam")),
        ({"messages": [], "temprature": 1}, ("temprature",)),
        ({"messages": [], "temperature": "hot"}, ("temperature",)),
    ],
    "anthropic": [
        ({"messages": [{"role": "tool", "content": SECRET}]}, ("messages", 0, "role")),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, ("messages", 0, "content", 0, "text")),
        (
            {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "is_eror": True}]}]},
            ("messages", 0, "content", 0, "is_eror"),
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": 7}}]}]},
            ("messages", 0, "content", 0, "source", "url"),
        ),
        ({"messages": [], "tools": [{"name": "f", "input_schema": []}]}, ("tools", 0, "input_schema")),
        ({"messages": [], "max_tokesn": 7}, ("max_tokesn",)),
    ],
    "gemini": [
        ({"contents": [{"role": "assistant", "parts": [{"text": SECRET}]}]}, ("contents", 0, "role")),
        ({"contents": [{"role": "user", "parts": [{"text": 7}]}]}, ("contents", 0, "parts", 0, "text")),
        ({"contents": [{"role": "user", "parts": [{"txet": SECRET}]}]}, ("contents", 0, "parts", 0, "txet")),
        ({"contents": [], "generationConfig": {"topP": SECRET}}, ("generationConfig", "topP")),
    ],
    "bedrock_converse": [
        ({"messages": [{"role": "usr", "content": [{"text": SECRET}]}]}, ("messages", 0, "role")),
        ({"messages": [{"role": "user", "content": [{"text": 7}]}]}, ("messages", 0, "content", 0, "text")),
        ({"messages": [], "inferenceConfig": {"maxToken": 7, "maxTokesn": 7}}, ("inferenceConfig", "maxTokesn")),
    ],
    "openai_responses": [
        ({"input": [{"role": "usr", "content": SECRET}]}, ("input", 0, "role")),
        ({"input": [{"type": "message", "role": "usr", "content": SECRET}]}, ("input", 0, "role")),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": 7}]}]}, ("input", 0, "content", 0, "text")),
        ({"input": [{"type": "function_call", "name": "f", "arguments": {}}]}, ("input", 0, "arguments")),
        ({"input": [{"type": "function_call_output", "calll_id": "c", "output": SECRET}]}, ("input", 0, "calll_id")),
    ],
    "cohere": [
        ({"messages": [{"role": "developer", "content": SECRET}]}, ("messages", 0, "role")),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": 7}]}]}, ("messages", 0, "content", 0, "text")),
    ],
    "ollama": [
        ({"messages": [{"role": "developer", "content": SECRET}]}, ("messages", 0, "role")),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": SECRET}]}]}, ("messages", 0, "content")),
        ({"messages": [], "tools": [{"type": "function", "function": {"nam": "f"}}]}, ("tools", 0, "function", "name")),
        ({"messages": [], "options": {"temprature": 1}}, ("options", "temprature")),
    ],
    "ollama_generate": [
        ({"prompt": 7}, ("prompt",)),
        ({"prompt": SECRET, "options": {"temperature": "hot"}}, ("options", "temperature")),
    ],
    "gemini_interactions": [
        ({"input": [{"role": "usr", "content": SECRET}]}, ("input", 0, "role")),
        (
            {"input": [{"type": "user_input", "content": [{"type": "text", "text": 7}]}]},
            ("input", 0, "content", 0, "text"),
        ),
        ({"input": [{"type": "function_call", "name": "f", "argumnts": {}}]}, ("input", 0, "argumnts")),
        ({"input": SECRET, "generation_config": {"temperature": "hot"}}, ("generation_config", "temperature")),
    ],
    "hf_chat_template": [
        ({"messages": [{"role": "usr", "content": SECRET}]}, ("messages", 0, "role")),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": 7}]}]}, ("messages", 0, "content", 0, "text")),
        ({"messages": [], "add_generation_promt": True}, ("add_generation_promt",)),
    ],
    "sharegpt": [
        ({"conversations": [{"from": "humna", "value": SECRET}]}, ("conversations", 0, "from")),
        ({"conversations": [{"from": "human", "value": 7}]}, ("conversations", 0, "value")),
    ],
    "google_genai": [
        ({"contents": [{"role": "assistant", "parts": [{"text": SECRET}]}]}, ("contents", 0, "role")),
        ({"contents": [{"role": "user", "parts": [{"text": 7}]}]}, ("contents", 0, "parts", 0, "text")),
    ],
    "alpaca": [({"instruction": 7, "output": SECRET}, ("instruction",))],
    "bedrock_text": [({"inputText": 7}, ("inputText",)), ({"prompt": SECRET, "max_gne_len": 7}, ("max_gne_len",))],
    "openai_completions": [({"prompt": 7}, ("prompt",)), ({"prompt": SECRET, "max_tokesn": 7}, ("max_tokesn",))],
    "harmony": [({"prompt": 7}, ("prompt",)), ({"prompt": SECRET, "max_tokesn": 7}, ("max_tokesn",))],
}
"""For each format, requests with one fault, and its place."""


@pytest.mark.parametrize(
    ("format", "wire", "place"),
    [(format, wire, place) for owner, rows in WRONG.items() for wire, place in rows for format in alike(owner)],
)
def test_a_fault_and_its_place(format: str, wire: Any, place: tuple[str | int, ...]) -> None:
    """Also inside a model, and in JSON text."""
    body = body_of(format)
    assert faults(body, wire) == [place]
    job = create_model("Job", body=(body, ...))
    with pytest.raises(ValidationError) as caught:
        job.model_validate_json(json.dumps({"body": wire}))
    [error] = caught.value.errors()
    assert error["loc"] == ("body", *place)
    assert error["input"] is None
    assert SECRET not in caught.value.json() + str(caught.value) + repr(error)


def test_every_wire_shape_has_wrong_requests() -> None:
    assert {format for owner in WRONG for format in (*alike(owner), *HAS_BYTES)} == il.FORMATS.keys()


CLOSED = "openai_chat anthropic bedrock_converse openai_responses cohere gemini_interactions hf_chat_template sharegpt"


@pytest.mark.parametrize("owner", CLOSED.split())
def test_the_schema_closes_the_roles(owner: str) -> None:
    """But for Gemini's, whose schema of a message is also that of the system's, and Ollama's, which is of all messages."""
    wire, place = copy.deepcopy(WRONG[owner][0])
    assert place[-1] == il.FORMATS[owner].role_field
    schema = jsonschema_rs.validator_for(TypeAdapter(body_of(owner)).json_schema())
    assert not schema.is_valid(wire)
    wire[place[0]][0][place[-1]] = min(il.FORMATS[owner].roles - {"tool", "function", "function_call"})
    assert schema.is_valid(wire)


NEW: dict[str, Any] = {
    "openai_chat": {
        "messages": [
            {"role": "user", "content": [{"type": "input_smell", "smell": {}}, {"type": "text", "text": "hi", "mood": 7}]},
        ],
        "tools": [{"type": "teleport", "where": "Rome"}, {"type": "function", "function": {"name": "f", "defer": True}}],
        "warp": 9,
    },
    "anthropic": {
        "messages": [{"role": "user", "content": [{"type": "smell"}, {"type": "text", "text": "hi", "mood": 7}], "x": 1}],
        "tools": [{"type": "teleport_20270101", "name": "teleport"}],
        "warp": 9,
    },
    "gemini": {"contents": [{"parts": [{"smell": {}}]}], "tools": [{"teleport": {}}], "warp": 9},
    "openai_responses": {"input": [{"type": "smell", "role": "dog"}], "tools": [{"type": "teleport"}], "warp": 9},
    "bedrock_converse": {"messages": [{"role": "user", "content": [{"smell": {}}, {"text": "x", "mood": 7}]}], "warp": 9},
    "cohere": {"messages": [{"role": "user", "content": [{"type": "smell"}]}], "tools": [{"type": "teleport"}], "warp": 9},
}
"""Requests with types of parts, tools and fields that a provider may have tomorrow."""


@pytest.mark.parametrize("format", NEW)
def test_a_providers_new_words_pass(format: str) -> None:
    adapter: TypeAdapter[il.Request] = TypeAdapter(body_of(format))
    assert adapter.validate_python(NEW[format]).payload == NEW[format]
    assert jsonschema_rs.is_valid(adapter.json_schema(), NEW[format])


@pytest.mark.parametrize("value", [None, 7, "{}", b"{ }", [], [{"role": "user", "content": "hi"}]])
def test_a_body_is_an_object(value: Any) -> None:
    """`load` also takes JSON text and bare lists; a body's schema says that it is an object."""
    assert faults(il.OpenaiChatBody, value) == [()]


def test_a_response_that_is_none() -> None:
    assert faults(il.AnthropicResponseBody, {"content": [{"type": "text", "text": 7}]}) == [("content", 0, "text")]
    assert faults(il.AnthropicResponseBody, {"nothing": SECRET}) == [()]
    assert faults(il.AnthropicResponseBody, {"type": "error", "error": {"type": "x", "message": SECRET}}) == [()]


def test_text_that_json_cannot_hold() -> None:
    assert faults(il.OpenaiChatBody, {"messages": [{"role": "user", "content": "\ud800"}]}) == [("messages", 0, "content")]
    assert faults(il.OpenaiChatBody, {"messages": [], "a/b~": {"x": "\ud800"}}) == [("a/b~", "x")]


def test_a_type_makes_no_values() -> None:
    with pytest.raises(TypeError, match="annotations"):
        il.AnthropicBody(messages=[])


# With `check`


def test_checked() -> None:
    wire: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi", "mood": SECRET}]}
    assert TypeAdapter(il.AnthropicBody).validate_python(wire).payload == wire
    assert faults(il.Checked[il.AnthropicBody], wire) == [("max_tokens",)]
    assert faults(il.Checked[il.AnthropicBody], {"messages": [{"role": "usr"}]}) == [("messages", 0, "role")]
    right = wire | {"max_tokens": 9}
    assert TypeAdapter(il.Checked[il.AnthropicBody]).validate_python(right).payload == right
    assert il.Checked[il.AnthropicBody] is il.Checked[il.AnthropicBody]


@pytest.mark.parametrize("body", [il.Request, il.AnthropicResponseBody, dict])
def test_only_requests_are_checked(body: Any) -> None:
    marked: Any = il.Checked
    with pytest.raises(TypeError, match="requests"):
        marked[body]


# Components


def references(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def every_body() -> type[BaseModel]:
    """A model with all types of bodies, those with `check` too, and with the canonical models."""
    bodies: dict[str, Any] = {name: getattr(il, name) for name in names.__all__}
    marked: Any = il.Checked
    checked: dict[str, Any] = {f"Checked{name}": marked[bodies[name]] for name in names.REQUESTS}
    canonical: dict[str, Any] = {"request": il.Request, "messages": list[il.Message], "parts": list[il.Part], "a": il.Response}
    fields: dict[str, Any] = {name: (body, ...) for name, body in (bodies | checked | canonical).items()}
    return create_model("Everything", **fields)


def test_components_have_plain_names_and_are_all_used() -> None:
    """In one document with all of them; each is the same in input and output."""
    model = every_body()
    schemas = [model.model_json_schema(mode=mode) for mode in ("validation", "serialization")]
    assert schemas[0] == schemas[1]
    found = schemas[0]["$defs"]
    assert set(references(schemas[0])) == found.keys()
    assert not [name for name in found if "_" in name or "-" in name]
    assert names.REQUESTS.keys() | names.RESPONSES.keys() <= found.keys()
    titles = {name: each["title"] for name, each in found.items() if "title" in each}
    assert titles == {name: name for name in titles}
    for name in names.__all__:
        assert schemas[0]["properties"][name] == {"$ref": f"#/$defs/{name}"}
    for name in names.REQUESTS:
        assert schemas[0]["properties"][f"Checked{name}"] == {"$ref": f"#/$defs/{name}"}
