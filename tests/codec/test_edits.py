"""An edit wins over what was recorded of the wire, and what was appended follows the rules of the format it goes to."""

from typing import Any, cast

import pytest

import interlingua as il

USER = {"role": "user", "content": "Is it warm in Oslo?"}


def home(request: il.Request) -> dict[str, Any]:
    return il.dump(request, il.format_of(request.origin or ""), on_loss="raise")


def loaded(format: il.FormatName = "openai_chat", **settings: Any) -> il.Request:
    return il.load({"messages": [USER], **settings}, format)


@pytest.mark.parametrize(
    ("wire", "edit", "expected"),
    [
        ({"stop": "x"}, {"stop": ("y",)}, {"stop": "y"}),
        ({"stop": "x"}, {"stop": ("y", "z")}, {"stop": ["y", "z"]}),
        ({"max_tokens": 5}, {"max_tokens": 7}, {"max_tokens": 7}),
        ({"max_completion_tokens": 5}, {"max_tokens": 7}, {"max_completion_tokens": 7}),
        ({"stop": "x"}, {"stop": None}, {}),
        (
            {"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}},
            {"tool_choice": il.ToolChoice(type="tool", name="f")},
            {"tool_choice": {"type": "function", "function": {"name": "f"}}},
        ),
        (
            {"response_format": {"type": "grammar", "grammar": "x"}},
            {"response_format": il.ResponseFormat(type="json_object")},
            {"response_format": {"type": "json_object"}},
        ),
    ],
)
def test_a_setting_that_is_edited_is_written_as_edited(
    wire: dict[str, Any], edit: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert home(loaded(**wire).replace(**edit)) == {"messages": [USER], **expected}


@pytest.mark.parametrize(
    ("field", "object"),
    [
        ("user", {"metadata": {"user_id": "u", "team": 1}}),
        ("reasoning_effort", {"output_config": {"effort": "low", "more": 1}}),
    ],
)
def test_what_stood_beside_a_field_that_is_cleared_stays(field: str, object: dict[str, Any]) -> None:
    request = loaded("anthropic", max_tokens=5, **object)
    ((key, given),) = object.items()
    left = {name: value for name, value in given.items() if value == 1}
    assert home(request.replace(**cast("Any", {field: None}))) == {"messages": [USER], "max_tokens": 5, key: left}


def test_a_detail_that_is_added_to_an_image_given_as_a_bare_url_is_written() -> None:
    part = {"type": "image_url", "image_url": "https://e.org/a.png"}
    request = il.load({"messages": [{"role": "user", "content": [part]}]}, "openai_chat")
    image = cast("il.ImageUrlPart", request.messages[0].parts[0])
    edited = image.replace(image_url=image.image_url.replace(detail="low"))
    body = home(request.replace(messages=(il.UserMessage(content=(edited,)),)))
    assert body["messages"][0]["content"][0]["image_url"] == {"url": "https://e.org/a.png", "detail": "low"}


def test_an_id_that_is_given_to_a_legacy_call_is_written() -> None:
    said = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    request = il.load({"messages": [USER, said]}, "openai_chat")
    message = cast("il.AssistantMessage", request.messages[1])
    assert message.tool_calls is not None
    edited = message.replace(tool_calls=(message.tool_calls[0].replace(id="c"),))
    body = home(request.replace(messages=(request.messages[0], edited)))
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    assert body["messages"][1] == {"role": "assistant", "content": None, "tool_calls": [call]}


def test_a_time_that_caches_do_not_have_is_reported() -> None:
    request = loaded(model="m").replace(caching=il.Caching(ttl="2d"))
    reported: list[il.Loss] = []
    il.dump(request, "anthropic", on_loss=reported.append)
    assert [(loss.path, loss.kind) for loss in reported] == [("/caching/ttl", "dropped")]


def test_arguments_that_came_as_an_object_and_are_edited_into_text_go_as_text() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
    request = il.load({"messages": [USER, {"role": "assistant", "tool_calls": [call]}]}, "openai_chat")
    message = cast("il.AssistantMessage", request.messages[1])
    assert message.tool_calls is not None
    edited = message.replace(tool_calls=(message.tool_calls[0].replace(arguments="{bro"),))
    body = home(request.replace(messages=(request.messages[0], edited)))
    assert body["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{bro"


FLAT = (
    il.AssistantMessage(content="", tool_calls=(il.ToolCall(id="a.b", name="f", arguments='{"x":1}'),)),
    il.ToolMessage(tool_call_id="a.b", content="ok"),
)


def test_flat_messages_appended_to_an_anthropic_request_become_blocks_that_anthropic_takes() -> None:
    request = loaded("anthropic")
    body = home(request.replace(messages=(*request.messages, *FLAT)))
    assert body["messages"] == [
        USER,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "il_a_2e_b", "name": "f", "input": {"x": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "il_a_2e_b", "content": "ok"}]},
    ]


def test_blocks_appended_to_a_chat_request_become_flat_messages() -> None:
    request = loaded()
    blocks = [message.to_blocks() for message in FLAT]
    body = home(request.replace(messages=(*request.messages, *blocks)))
    assert body["messages"] == [
        USER,
        {
            "role": "assistant",
            "content": [{"type": "text", "text": ""}],
            "tool_calls": [{"id": "a.b", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}],
        },
        {"role": "tool", "tool_call_id": "a.b", "content": "ok"},
    ]


def test_a_legacy_result_answers_the_call_of_its_name() -> None:
    def call(name: str) -> dict[str, Any]:
        return {"role": "assistant", "content": None, "function_call": {"name": name, "arguments": "{}"}}

    messages = [USER, call("a"), USER, call("b"), {"role": "function", "name": "b", "content": "from b"}]
    body = il.convert({"messages": messages}, source="openai_chat", target="anthropic").payload
    calls = {block["name"]: block["id"] for message in body["messages"][1:4:2] for block in message["content"]}
    assert body["messages"][-1]["content"][0]["tool_use_id"] == calls["b"] != calls["a"]


def test_text_beside_flat_calls_has_not_moved() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    said = {"role": "assistant", "content": [{"type": "text", "text": "Wait."}], "tool_calls": [call]}
    assert il.convert({"messages": [USER, said]}, source="openai_chat", target="openrouter", strict=True).losses == ()


def test_at_most_four_cache_marks_go_out_and_the_rest_is_reported() -> None:
    marked = [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]
    result = il.convert({"messages": [{"role": "user", "content": marked}] * 6}, source="litellm", target="anthropic")
    kept = [message["content"][0].get("cache_control") for message in result.payload["messages"]]
    assert kept == [None, None, *[{"type": "ephemeral"}] * 4]
    assert [loss.path for loss in result.losses] == [f"/messages/{i}/content/0/cache_control" for i in range(2)]


def test_a_typo_in_on_loss_is_an_error() -> None:
    with pytest.raises(ValueError, match="on_loss"):
        il.dump([il.UserMessage(content="x", name="n")], "anthropic", on_loss=cast("Any", "error"))


def test_messages_of_errors_are_bounded() -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate([{"role": "user", "content": "x", "k" * 10**6: 1}])
    assert len(str(caught.value)) < 1000
    assert len(str(il.Loss("/" + "k" * 10**6, None, "dropped", "x"))) < 1000


def test_a_tool_name_that_is_too_long_is_shortened_alike_everywhere_and_reported() -> None:
    name = "x" * 100
    wire: dict[str, Any] = {
        "messages": [
            USER,
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": name, "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "ok"}]},
        ],
        "tools": [{"name": name, "input_schema": {"type": "object"}}, {"name": name + "y", "input_schema": {"type": "object"}}],
        "tool_choice": {"type": "tool", "name": name},
    }
    result = il.convert(wire, source="anthropic", target="openai_chat")
    body = cast("dict[str, Any]", result.payload)
    first, second = (tool["function"]["name"] for tool in body["tools"])
    assert len(first) == 64
    assert first != second
    assert body["messages"][1]["tool_calls"][0]["function"]["name"] == first
    assert body["tool_choice"] == {"type": "function", "function": {"name": first}}
    reported = ["/messages/1/content/0/name", "/tools/0/name", "/tools/1/name", "/tool_choice/name"]
    assert [(loss.kind, loss.path) for loss in result.losses if loss.kind != "added"] == [
        ("changed", path) for path in reported
    ]


def test_an_edit_wins_over_a_value_that_could_not_be_read() -> None:
    schema: dict[str, Any] = {"name": "n", "schema": {}, "strict": "yes"}
    wire: dict[str, Any] = {"messages": [], "response_format": {"type": "json_schema", "json_schema": schema}}
    request = il.load(wire, "openai_chat")
    assert il.dump(request, "openai_chat") == wire
    assert request.response_format is not None
    edited = request.replace(response_format=request.response_format.replace(strict=True))
    written: dict[str, Any] = dict(il.dump(edited, "openai_chat"))
    assert written["response_format"]["json_schema"] == schema | {"strict": True}
