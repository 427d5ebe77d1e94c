"""Requests of Gemini: spellings, shapes, tools, and what of them other formats get."""

import base64
import json
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.formats.gemini import GeminiProfile, format_for
from interlingua.formats.gemini.strategies.requests import respelled
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import canonical, is_array, is_object

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def dumped(request: Any, target: il.FormatName | il.Format) -> tuple[dict[str, Any], list[il.Loss]]:
    losses: list[il.Loss] = []
    return il.dump(request, target, on_loss=losses.append), losses


def plain(value: Any) -> Any:
    """Canonical data without the records of how they were spelled, what is kept whole in one spelling."""
    if is_object(value):
        held = value | ({"value": respelled(value["value"])} if value.get("type") == "opaque" else {})
        return {key: plain(item) for key, item in held.items() if key not in ("wire", "origin")}
    return [plain(item) for item in value] if is_array(value) else value


# Spellings


@given(testing.payloads("gemini", odd=False))
def test_either_spelling_means_the_same_and_is_kept(payload: dict[str, Any]) -> None:
    snaked = respelled(payload)
    camel, snake = il.load(payload, "gemini"), il.load(snaked, "gemini")
    assert plain([m.to_dict() for m in snake.messages]) == plain([m.to_dict() for m in camel.messages])
    assert snake.response_format == camel.response_format
    assert (snake.tool_choice, snake.max_tokens, snake.stop) == (camel.tool_choice, camel.max_tokens, camel.stop)
    assert canonical(il.dump(snake, "gemini")) == canonical(snaked)


@given(testing.payloads("gemini", odd=False))
def test_a_call_of_the_sdk_says_what_the_body_says(payload: dict[str, Any]) -> None:
    call = il.convert(payload, source="gemini", target="google_genai")
    back = il.convert(call.payload, source="google_genai", target="gemini")
    assert {loss.kind for loss in (*call.losses, *back.losses)} <= {"changed"}  # a schema in Google's dialect
    assert set(call.payload) <= {"contents", "config"}
    assert canonical(plain(il.load(back.payload, "gemini").to_dict()["messages"])) == canonical(
        plain(il.load(payload, "gemini").to_dict()["messages"])
    )


def test_what_only_a_call_has_is_left_out_of_a_body() -> None:
    call = {"model": "m", "contents": "Hi.", "config": {"http_options": {"timeout": 1}, "temperature": 1}}
    body = il.convert(call, source="google_genai", target="gemini")
    assert body.payload == {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}], "generationConfig": {"temperature": 1}}
    assert [loss.path for loss in body.losses] == ["/config/http_options"]


@given(st.binary(max_size=40) | st.binary(max_size=37).map(lambda data: data + b"\xff" * 3), st.booleans())
def test_base64_of_urls_is_kept_and_is_standard_elsewhere(data: bytes, padded: bool) -> None:
    text = base64.urlsafe_b64encode(data).decode()
    part = {"inlineData": {"mimeType": "image/png", "data": text if padded else text.rstrip("=")}}
    payload = {"contents": [{"role": "user", "parts": [part]}]}
    assert il.dump(il.load(payload, "gemini"), "gemini", on_loss="raise") == payload
    if share.judged(bool({"-", "_"} & set(text)), least=0.5):
        [image] = il.load(payload, "gemini").messages[0].parts
        assert isinstance(image, il.ImagePart)
        assert isinstance(image.source, il.Base64Source)
        assert base64.b64decode(image.source.data, validate=True) == data


@given(st.text("aZ9-_+/=", max_size=9))
def test_what_is_base64_of_no_alphabet_is_kept_as_it_is(text: str) -> None:
    part = {"inlineData": {"mimeType": "image/png", "data": text}}
    payload = {"contents": [{"role": "user", "parts": [part]}]}
    assert il.dump(il.load(payload, "gemini"), "gemini", on_loss="raise") == payload
    content = {"model": "m", "input": [{"type": "image", "mime_type": "image/png", "data": text}]}
    assert il.dump(il.load(content, "gemini_interactions"), "gemini_interactions", on_loss="raise") == content


# Calls and results


def called(*results: dict[str, Any]) -> dict[str, Any]:
    calls = [{"functionCall": {"name": name, "args": {"n": n}}} for n, name in enumerate(["f", "g", "f"])]
    return {
        "contents": [
            {"role": "user", "parts": [{"text": "q"}]},
            {"role": "model", "parts": calls},
            {"role": "user", "parts": [{"functionResponse": result} for result in results]},
        ]
    }


def test_results_without_ids_answer_the_calls_of_their_function_in_order() -> None:
    payload: dict[str, Any] = called(
        *({"name": name, "response": {"output": text}} for name, text in [("g", "1"), ("f", "0"), ("f", "2")])
    )
    written = il.convert(payload, source="gemini", target="openai_chat").payload["messages"]
    ids = [call["id"] for call in written[1]["tool_calls"]]
    assert [(ids.index(message["tool_call_id"]), message["content"]) for message in written[2:]] == [
        (1, "1"),
        (0, "0"),
        (2, "2"),
    ]


def test_results_without_ids_and_names_are_of_the_functions_of_the_calls_without() -> None:
    calls = [{"type": "tool_use", "name": name, "input": "{}"} for name in ("f", "g", "f", "h")]
    results = [{"role": "tool", "content": "", **named} for named in ({}, {"name": "f"}, {}, {}, {})]
    body, losses = dumped(il.validate([{"role": "assistant", "content": calls}, *results]), "gemini")
    names = [part["functionResponse"]["name"] for part in body["contents"][1]["parts"]]
    assert names == ["f", "f", "g", "h", "tool"]
    assert [(loss.kind, loss.path) for loss in losses] == [("added", "/5"), ("added", "/0/content/0")]


@pytest.mark.parametrize(("order", "count"), [([0, 1, 2], 0), ([1, 0, 2], 0), ([2, 0, 1], 2)])
def test_a_host_without_ids_gets_results_by_function_and_order(order: list[int], count: int) -> None:
    old = format_for(GeminiProfile(ids=False, stand_ins=False), "old")
    calls = [{"id": f"c{n}", "name": name, "arguments": "{}"} for n, name in enumerate(["f", "g", "f"])]
    results = [{"role": "tool", "tool_call_id": f"c{n}", "content": str(n)} for n in order]
    body, losses = dumped(il.validate([{"role": "assistant", "tool_calls": calls}, *results]), old)
    assert "id" not in json.dumps(body)
    assert [loss.kind for loss in losses] == ["changed"] * count
    assert [part["functionResponse"]["name"] for part in body["contents"][1]["parts"]] == [calls[n]["name"] for n in order]


@pytest.mark.parametrize(("source", "target"), [("gemini", "google_genai"), ("google_genai", "gemini")])
@pytest.mark.parametrize("id", [{"id": "x"}, {}])
def test_a_result_without_a_name_gets_none_from_its_own_provider(
    source: il.FormatName, target: il.FormatName, id: dict[str, str]
) -> None:
    call: Any = {"functionCall": {**id, "name": "f", "args": {}}}
    result: Any = {"functionResponse": {**id, "response": {"a": 1}}}
    contents: list[Any] = [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
    converted = il.convert({"model": "m", "contents": contents}, source=source, target=target)
    assert converted.payload["contents"] == contents
    assert converted.losses == ()


@given(testing.json_values(max_leaves=4), st.booleans())
def test_any_json_is_a_result(value: Any, is_error: bool) -> None:
    part = {"type": "tool_result", "tool_use_id": "1", "name": "f", "content": [{"type": "json", "value": value}]}
    messages = il.validate([{"role": "user", "content": [part | ({"is_error": True} if is_error else {})]}])
    body, losses = dumped(messages, "gemini")
    [result] = il.load(body, "gemini").messages[0].parts
    assert isinstance(result, il.ToolResultPart)
    content = result.to_dict()["content"]
    said = content if isinstance(content, str) else content[0]["value"]
    assert [loss.detail for loss in losses] == (
        ["a JSON value that is a string becomes text"] if isinstance(value, str) else []
    )
    assert canonical(said) == canonical(value)
    assert bool(result.is_error) is is_error


def test_signatures_stay_on_their_parts_and_with_their_issuer() -> None:
    parts: list[dict[str, Any]] = [
        {"type": "tool_use", "id": "1", "name": "f", "input": {}, "signature": "own", "issuer": "gemini"},
        {"type": "text", "text": "", "signature": "last", "issuer": "gemini"},
        {"type": "thinking", "thinking": "t", "signature": "no", "issuer": "anthropic"},
    ]
    body, losses = dumped(il.validate([{"role": "assistant", "content": parts}]), "gemini")
    written = body["contents"][0]["parts"]
    assert [part.get("thoughtSignature") for part in written] == ["own", "last", None]
    assert [loss.path for loss in losses] == ["/0/content/2/signature"]
    body, losses = dumped(il.load(body, "gemini"), "anthropic")
    assert {"/messages/0/content/0/signature"} < {loss.path for loss in losses}


# Tools and settings


def test_google_schemas_are_json_schemas_elsewhere() -> None:
    google = {
        "type": "OBJECT",
        "properties": {"type": {"type": "STRING"}, "n": {"type": "ARRAY", "items": {"type": "INTEGER"}}},
    }
    numbers = {"type": 6, "properties": {"type": {"type": 1}, "n": {"type": 5, "items": {"type": 3}}}}
    usual = {"type": "object", "properties": {"type": {"type": "string"}, "n": {"type": "array", "items": {"type": "integer"}}}}
    for schema in (google, numbers, usual):
        payload = {"contents": [], "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}]}
        request = il.load(payload, "gemini")
        assert request.tools is not None
        assert request.tools[0].to_dict()["parameters"] == usual
        assert canonical(il.dump(request, "gemini", on_loss="raise")) == canonical(payload)


GROUPS: list[list[Any]] = [
    [{"functionDeclarations": [{"name": "a"}, {"name": "b"}]}, {"functionDeclarations": [{"name": "c"}]}],
    [{"functionDeclarations": [{"name": "a"}], "googleSearch": {}, "urlContext": {}}, {"codeExecution": {}}],
    [{"function_declarations": []}, {"functionDeclarations": [{"name": "a"}]}, {"functionDeclarations": [{"x": 1}]}],
]


@pytest.mark.parametrize("tools", GROUPS)
def test_functions_stay_in_their_objects(tools: list[Any]) -> None:
    payload: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "q"}]}], "tools": tools}
    request = il.load(payload, "gemini")
    assert il.dump(request, "gemini", on_loss="raise") == payload
    names = [tool.name for tool in request.tools or () if isinstance(tool, il.Tool)]
    assert names == [one["name"] for entry in tools for one in entry.get("functionDeclarations", ()) if "name" in one]


@pytest.mark.parametrize(
    ("calling", "choice"),
    [
        ({"mode": "ANY", "allowedFunctionNames": ["f"]}, {"type": "tool", "name": "f"}),
        ({"mode": "ANY", "allowedFunctionNames": ["f", "g"]}, {"type": "required", "allowed": ["f", "g"]}),
        ({"mode": "none"}, {"type": "none"}),
        ({"mode": 1}, {"type": "auto"}),
        ({"mode": "VALIDATED"}, {"type": "auto"}),
        ({"mode": "Any"}, None),
    ],
)
def test_the_choice_among_functions(calling: dict[str, Any], choice: dict[str, Any] | None) -> None:
    payload: dict[str, Any] = {"contents": [], "toolConfig": {"functionCallingConfig": calling}}
    request = il.load(payload, "gemini")
    assert (None if request.tool_choice is None else request.tool_choice.to_dict()) == choice
    assert il.dump(request, "gemini", on_loss="raise") == payload


def test_a_budget_goes_before_an_effort() -> None:
    request = il.Request(messages=[il.UserMessage(content="q")], reasoning_effort="high", reasoning_budget=5)
    body, losses = dumped(request, "gemini")
    assert body["generationConfig"] == {"thinkingConfig": {"thinkingBudget": 5}}
    assert [loss.path for loss in losses] == ["/reasoning_effort"]
    body, losses = dumped(request.replace(reasoning_budget=None), "gemini")
    assert (body["generationConfig"], losses) == ({"thinkingConfig": {"thinkingLevel": "HIGH"}}, [])


def test_names_begin_with_a_letter() -> None:
    tools = [{"type": "function", "name": "0f", "parameters": {"type": "object"}}]
    body, losses = dumped(il.validate({"messages": [], "tools": tools}, il.Request), "gemini")
    assert body["tools"][0]["functionDeclarations"][0]["name"].startswith("_0f")
    assert [(loss.path, loss.kind) for loss in losses] == [("/tools/0/name", "changed")]


def test_pointers_lead_into_the_body() -> None:
    payload: dict[str, Any] = {
        "system_instruction": {"parts": [{"text": "s"}]},
        "contents": [
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}]},
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "name": "f",
                            "response": {"output": "x"},
                            "parts": [{"inlineData": {"mimeType": "video/mp4", "data": "AA=="}}],
                        }
                    }
                ],
            },
        ],
        "tools": [{"googleSearch": {}}, {"functionDeclarations": [{"name": "f", "behavior": "BLOCKING"}]}],
        "generationConfig": {"topP": 0.5, "seed": 1},
    }
    found = {loss.path for loss in il.convert(payload, source="gemini", target="anthropic").losses}
    assert found >= {
        "/contents/0/parts/0/thoughtSignature",
        "/contents/1/parts/0/functionResponse/parts/0",
        "/tools/0",
        "/tools/1/functionDeclarations/0/behavior",
        "/generationConfig/topP",
        "/generationConfig/seed",
    }
    places = il.convert(payload, source="gemini", target="anthropic").places
    assert places["/system"] == "/system_instruction"
    assert places["/messages/1/content/0/content/0"] == "/contents/1/parts/0/functionResponse/response"


FUNCTIONS: Any = [{"name": "f"}, {"name": "g g"}]


@pytest.mark.parametrize("key", ["functionDeclarations", "function_declarations"])
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("source", ["gemini", "google_genai"])
@pytest.mark.parametrize("target", ["gemini", "google_genai"])
def test_every_function_has_its_place(
    key: str, listed: bool, source: Literal["gemini", "google_genai"], target: Literal["gemini", "google_genai"]
) -> None:
    tools: Any = {key: FUNCTIONS, "googleSearch": {}}
    several: list[Any] = [{"codeExecution": {}}, {key: FUNCTIONS}, tools]
    settings: dict[str, Any] = {"tools": several if listed else tools}
    payload: dict[str, Any] = {"contents": [], **(settings if source == "gemini" else {"config": settings})}
    result = il.convert(payload, source=source, target=target)
    held = [(value_at(result.payload, at), value_at(payload, path)) for at, path in result.places.items()]
    assert [after["name"] for after, _ in held if "name" in after] == ["f", "g g"] * (2 if listed else 1)
    assert [before["name"] for after, before in held if "name" in after] == ["f", "g g"] * (2 if listed else 1)
    assert len(held) == (6 if listed else 3)


def value_at(value: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        value = value[int(token) if is_array(value) else token]
    return value


@pytest.mark.parametrize("tools", [[{"function_declarations": FUNCTIONS}], {"functionDeclarations": FUNCTIONS}])
def test_problems_of_a_second_function_point_at_it(tools: Any) -> None:
    request = il.load({"contents": [{"role": "user", "parts": [{"text": "Hi."}]}], "tools": tools}, "gemini")
    assert [problem.path for problem in il.check(request, "gemini")] == ["/tools/1"]


OF_GOOGLE: list[dict[str, Any]] = [
    {"google_search": {"time_range_filter": {"start_time": "s", "end_time": "e"}, "search_types": {"web_search": {}}}},
    {"code_execution": {}, "url_context": {}},
    {"mcp_servers": [{"streamable_http_transport": {"url": "u", "headers": {"x_key": "k", "xKey": "k"}}}]},
    {"parallel_ai_search": {"custom_configs": {"max_results": {"of_each": 1}}}},
]
AS_BODY: list[dict[str, Any]] = [
    {"googleSearch": {"timeRangeFilter": {"startTime": "s", "endTime": "e"}, "searchTypes": {"webSearch": {}}}},
    {"codeExecution": {}, "urlContext": {}},
    {"mcpServers": [{"streamableHttpTransport": {"url": "u", "headers": {"x_key": "k", "xKey": "k"}}}]},
    {"parallelAiSearch": {"customConfigs": {"max_results": {"of_each": 1}}}},
]


def test_a_tool_of_google_is_spelled_as_where_it_goes() -> None:
    body: dict[str, Any] = {"contents": [], "tools": AS_BODY}
    call: dict[str, Any] = {"contents": [], "config": {"tools": OF_GOOGLE}}
    sent, called = (
        il.convert(call, source="google_genai", target="gemini"),
        il.convert(body, source="gemini", target="google_genai"),
    )
    assert (sent.payload, called.payload) == (body, call)
    assert sent.losses == called.losses == ()
    assert il.dump(il.load(called.payload, "google_genai"), "google_genai") == call


@pytest.mark.parametrize(
    "tool",
    [{"google_search": {}, "googleSearch": {}}, {"googleSearch": {"X_y": 1, "_z": 1, "9": 1, "": 1}}, {"X-y": {"é_a": 1}}],
)
def test_a_name_that_is_no_field_stays(tool: dict[str, Any]) -> None:
    call: dict[str, Any] = {"contents": [], "config": {"tools": [tool]}}
    assert il.convert(call, source="google_genai", target="gemini").payload == {"contents": [], "tools": [tool]}


@pytest.mark.parametrize(
    "tools", [OF_GOOGLE, AS_BODY, [OF_GOOGLE[0] | AS_BODY[1] | {"function_declarations": [{"name": "f"}]}]]
)
def test_a_tool_of_google_keeps_its_spelling(tools: list[Any]) -> None:
    body: dict[str, Any] = {"contents": [], "tools": tools}
    call: dict[str, Any] = {"contents": [], "config": {"tools": tools}}
    assert il.dump(il.load(body, "gemini"), "gemini") == body
    assert il.dump(il.load(call, "google_genai"), "google_genai") == call


def test_types_of_a_schema_that_are_spelled_in_several_ways_come_back_and_mean_the_same() -> None:
    properties = {"a": {"type": "string"}, "b": {"type": "ARRAY", "items": {"type": "null"}}, "c": {"type": 3}}
    schema = {"type": "OBJECT", "properties": properties}
    body = {"contents": [], "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}]}
    request = il.load(body, "gemini")
    assert il.dump(request, "gemini", on_loss="raise") == body
    usual = {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "null"}}, "c": {"type": "integer"}}
    assert dumped(request, "openai_chat")[0]["tools"][0]["function"]["parameters"] == {"type": "object", "properties": usual}


def test_arguments_of_a_call_that_are_not_known_come_back_and_are_reported_one_by_one() -> None:
    call: dict[str, Any] = {"contents": [], "url": 1, "": {"a": 2}, "config": None}
    request = il.load(call, "google_genai")
    assert il.dump(request, "google_genai", on_loss="raise") == call
    losses = il.convert(call, source="google_genai", target="gemini").losses
    assert [(loss.path, loss.kind) for loss in losses] == [("/url", "dropped"), ("/", "dropped")]


def test_a_field_of_a_body_that_is_called_as_the_arguments_of_a_call_is_kept() -> None:
    call = il.convert({"contents": [], "arguments": "x"}, source="gemini", target="google_genai").payload
    assert call == {"contents": [], "arguments": "x"}


def test_a_name_that_changes_is_reported_of_the_call_and_not_of_a_result_that_has_no_name() -> None:
    name = "n" * 100
    body: dict[str, Any] = {
        "messages": [
            {"role": "user", "content": "x"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": name, "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "y"}]},
        ]
    }
    result = il.convert(body, source="anthropic", target=format_for(GeminiProfile(stand_ins=False)))
    assert [loss.path for loss in result.losses] == ["/messages/1/content/0/name"]
    contents: Any = result.payload["contents"]
    called, answered = contents[1]["parts"][0]["functionCall"], contents[2]["parts"][0]["functionResponse"]
    assert called["name"] == answered["name"] != name


def test_a_form_without_its_schema_is_any_json() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "x"}}
    result = il.convert({"messages": [], "response_format": form}, source="openai_chat", target="gemini")
    assert result.payload.get("generationConfig") == {"responseMimeType": "application/json"}
    assert ("changed", "/response_format/type") in [(loss.kind, loss.path) for loss in result.losses]


@pytest.mark.parametrize("key", ["generationConfig", "generation_config"])
def test_settings_that_are_null_say_nothing_in_a_call(key: str) -> None:
    contents = [{"role": "user", "parts": [{"text": "Hi."}]}]
    body: dict[str, Any] = {"contents": contents, key: None, "tools": [{"google_search": {}}]}
    call = il.convert(body, source="gemini", target="google_genai", check=True)
    assert call.payload == {"contents": contents, "config": {"tools": [{"google_search": {}}]}}
    assert call.losses == ()
    assert il.convert({"contents": contents, key: None}, source="gemini", target="google_genai").payload == {
        "contents": contents
    }


@pytest.mark.parametrize("key", ["generationConfig", "generation_config"])
@pytest.mark.parametrize("odd", [5, "x", True, [], [{"temperature": 1}]])
def test_settings_of_a_call_that_are_not_an_object_are_left_out(key: str, odd: Any) -> None:
    request = il.Request(messages=[il.UserMessage(content="Hi.")], provider_data={"gemini": {key: odd}})
    call, losses = dumped(request, "google_genai")
    assert call == {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}
    assert [(loss.path, loss.kind) for loss in losses] == [(f"/provider_data/gemini/{key}", "dropped")]


def test_settings_in_both_spellings_become_those_of_one() -> None:
    body: dict[str, Any] = {"contents": [], "generationConfig": {"temperature": 1}, "generation_config": {"top_p": 0.5}}
    call = il.convert(body, source="gemini", target="google_genai")
    assert call.payload == {"contents": [], "config": {"temperature": 1}}
    assert [loss.path for loss in call.losses] == ["/generation_config"]


@pytest.mark.parametrize(("format", "listed"), [("gemini", "functionResponse"), ("google_genai", "function_response")])
@pytest.mark.parametrize("name", [{}, {"name": None}])
def test_a_result_that_names_its_call_by_id_alone_gains_no_name(format: il.FormatName, listed: str, name: Any) -> None:
    call = "functionCall" if format == "gemini" else "function_call"
    contents: list[Any] = [
        {"role": "user", "parts": [{"text": "Hi."}]},
        {"role": "model", "parts": [{call: {"id": "a", "name": "look_up", "args": {}}}]},
        {"role": "user", "parts": [{listed: {"id": "a", "response": {"output": "done"}, **name}}]},
    ]
    request = il.load({"contents": contents}, format)
    assert il.dump(request, format, on_loss="raise") == {"contents": contents}
    built = il.UserMessage(content=[il.ToolResultPart(tool_use_id="a", content="done")])
    longer = request.replace(messages=(*request.messages[:2], built))
    (made,) = il.dump(longer, format, on_loss="raise")["contents"][2]["parts"]
    assert made["functionResponse"]["name"] == "look_up"


@pytest.mark.parametrize("target", ["gemini", "google_genai"])
@pytest.mark.parametrize("url", ["https://e.example/a.pdf", "https://e.example/a"])
def test_a_document_at_a_url_gets_the_media_type_that_the_server_wants(url: str, target: il.FormatName) -> None:
    document = {"type": "document", "source": {"type": "url", "url": url}}
    payload = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [document]}]}
    made = il.convert(payload, source="anthropic", target=target)
    [part] = il.load(made.payload, target).messages[0].parts
    assert isinstance(part, il.FilePart)
    assert part.source.media_type == "application/pdf"
    assert [loss.kind for loss in made.losses] == ["added"]


def test_counts_of_schemas_may_be_texts() -> None:
    counted = {"type": "ARRAY", "items": {"type": "STRING", "maxLength": "9"}, "minItems": "1", "maxItems": "5"}
    schema = {"type": "OBJECT", "properties": {"a": counted, "b": {"type": "STRING", "minLength": 2}}}
    body: dict[str, Any] = {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseSchema": schema},
    }
    loaded = il.load(body, "gemini")
    assert il.dump(loaded, "gemini", on_loss="raise") == body
    tools = [tool.parameters for tool in loaded.tools or () if isinstance(tool, il.Tool)]
    expected = {
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"type": "string", "maxLength": 9}, "minItems": 1, "maxItems": 5},
            "b": {"type": "string", "minLength": 2},
        },
    }
    assert tools == [expected]
    for odd in ("x", "01", "", "1.5", None):
        strange = {"type": "ARRAY", "items": {"type": "STRING"}, "minItems": odd, "maxItems": "5"}
        declared = [{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "properties": {"a": strange}}}]}]
        assert il.dump(il.load(body | {"tools": declared}, "gemini"), "gemini", on_loss="raise") == body | {"tools": declared}


def test_a_text_in_place_of_a_result_in_the_models_turn_is_the_users() -> None:
    result = {"functionResponse": {"name": "f", "response": {"output": "1"}}}
    message: Any = il.load({"contents": [{"role": "model", "parts": [result]}]}, "gemini").messages[0]
    assert il.dump([message.replace(content=[il.TextPart(text="2")])], "gemini") == {
        "contents": [{"role": "user", "parts": [{"text": "2"}]}]
    }


def test_the_media_of_results_are_left_out_for_a_model_that_refuses_them() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "see", "input": {}}
    seen = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "a"}, image]}
    messages: list[Any] = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [seen, image]}]
    body: dict[str, Any] = {"max_tokens": 9, "messages": [{"role": "user", "content": "Look."}, *messages]}
    older = format_for(GeminiProfile(result_media=False, stand_ins=False), "older")
    made = il.convert(body, source="anthropic", target=older)
    result, beside = made.payload["contents"][2]["parts"]
    assert result["functionResponse"] == {"name": "see", "id": "toolu_1", "response": {"output": "a"}}
    assert beside["inlineData"]["mimeType"] == "image/png"
    assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/messages/2/content/0/content/1")]
    own = il.convert(body, source="anthropic", target="gemini").payload
    assert own["contents"][2]["parts"][0]["functionResponse"]["parts"] == [beside]
    assert il.dump(il.load(own, older), older, on_loss="raise") == own


def test_a_part_among_the_contents_of_a_call_is_a_message() -> None:
    image = {"inline_data": {"mime_type": "image/png", "data": "aW1n"}, "media_resolution": {"level": "MEDIA_RESOLUTION_LOW"}}
    asked: dict[str, Any] = {"function_call": {"name": "crop", "id": "a1", "args": {}}}
    found = {"function_response": {"name": "crop", "id": "a1", "response": {"output": "ok"}}}
    call: dict[str, Any] = {
        "model": "m",
        "contents": ["What is this?", image, asked, found, {"role": "user", "parts": [{"text": "And?"}]}],
    }
    request = il.load(call, "google_genai")
    assert [message.role for message in request.messages] == ["user", "assistant", "user", "user"]
    assert il.dump(request, "google_genai", on_loss="raise") == call
    body = il.convert(call, source="google_genai", target="gemini")
    assert [(content["role"], content["parts"]) for content in body.payload["contents"][:3]] == [
        ("user", [{"text": "What is this?"}, image]),
        ("model", [asked]),
        ("user", [found]),
    ]
    assert (body.places["/contents/0/parts/1"], body.places["/contents/1/parts/0"]) == ("/contents/1", "/contents/2")
    assert [problem.path for problem in il.check(call, "google_genai") if problem.severity == "error"] == []


@pytest.mark.parametrize("contents", [{"text": "Hi."}, [{"text": "Hi."}]])
def test_a_part_alone_is_a_message_of_the_user(contents: Any) -> None:
    call: dict[str, Any] = {"model": "m", "contents": contents}
    converted = il.convert(call, source="google_genai", target="openai_chat")
    assert converted.payload["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Hi."}]}]
    assert [*converted.losses] == []
    assert il.dump(il.load(call, "google_genai"), "google_genai", on_loss="raise") == call
    with pytest.raises(il.InvalidPayload):
        il.load({"model": "m", "contents": [{"text": 5}]}, "google_genai")
