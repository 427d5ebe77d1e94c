"""What is particular to Responses: a conversation is a list of items, of which a run of the assistant's is one message."""

import json
from typing import Any

import pytest
from hypothesis import given

import interlingua as il
from formats import cases
from interlingua import testing
from interlingua.testing.lawbook.documents import canonical

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def case(name: str) -> Any:
    return cases.Case("openai_responses", name).read("request")


def loaded(*items: Any) -> tuple[il.Message, ...]:
    return il.load({"input": [*items]}, "openai_responses").messages


def dumped(*messages: Any) -> tuple[Any, list[tuple[str, str]]]:
    """The items of messages, and the kinds and paths of the losses."""
    losses: list[il.Loss] = []
    payload = il.dump(il.validate(list(messages)), "openai_responses", on_loss=losses.append)
    return payload["input"], [(loss.kind, loss.path) for loss in losses]


def home(wire: Any) -> Any:
    return il.dump(il.load(wire, "openai_responses"), "openai_responses", on_loss="raise")


# Items and messages


@given(wire=testing.payloads("openai_responses"))
def test_messages_of_items_can_be_taken_apart_anywhere(wire: Any) -> None:
    """Each message holds all that its items were: written alone, it is the items that it was made of."""
    request = il.load(wire, "openai_responses")
    messages = request.messages["instructions" in wire :]
    bare = il.Request(messages=(), origin="openai_responses")
    alone: list[Any] = [il.dump(bare.replace(messages=[message]), "openai_responses", on_loss="raise") for message in messages]
    given = wire["input"] if isinstance(wire["input"], list) else [{"role": "user", "content": wire["input"]}]
    assert canonical([item for body in alone for item in body["input"]]) == canonical(given)


def test_a_run_of_the_assistants_items_is_one_message() -> None:
    messages = il.load(case("agent_loop"), "openai_responses").messages
    assert [message.role for message in messages] == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]
    kinds = [part.type for part in messages[2].parts]
    assert kinds == ["thinking", "thinking", "redacted_thinking", "text", "tool_use", "redacted_thinking", "tool_use"]
    assert [call.id for call in messages[2].tool_uses] == ["call_1", "call_2"]
    assert messages[2].thinking == "Two cities.Two calls."


def test_what_is_kept_whole_stands_where_it_stood() -> None:
    messages = il.load(case("built_in_tools"), "openai_responses").messages
    roles = [message.role for message in messages]
    assert roles == [
        *["opaque"] * 2,
        "user",
        "assistant",
        "opaque",
        "tool",
        "opaque",
        "assistant",
        "opaque",
        "assistant",
        "opaque",
    ]
    kept = [part.value["type"] for part in messages[3].parts if isinstance(part, il.OpaquePart)]
    called = ["web_search_call", "mcp_list_tools", "mcp_call", "tool_search_call", "tool_search_output", "local_shell_call"]
    assert kept == called
    assert [part.type for part in messages[3].parts][5:] == ["tool_use", "opaque"]


def test_an_answer_of_text_alone_is_flat() -> None:
    assert loaded({"role": "assistant", "content": "Hi."}) == (il.AssistantMessage(content="Hi."),)
    [easy] = loaded({"type": "message", "role": "assistant", "content": "Hi.", "phase": "final_answer"})
    assert (easy.text, easy.get("provider_data")) == ("Hi.", {"openai_responses": {"phase": "final_answer"}})


def test_the_fields_of_an_item_go_with_its_first_part() -> None:
    [message] = loaded(
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "a"}], "encrypted_content": "eA=="},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": "b", "annotations": [], "logprobs": []},
            {"type": "output_text", "text": "c", "annotations": []},
        ]},
    )  # fmt: skip
    own = [(part.provider_data or {}).get("openai_responses") for part in message.parts]
    assert own == [{"id": "rs_1"}, None, {"id": "msg_1", "status": "completed", "logprobs": []}, None]
    # Without its first part, an item has no id any longer.
    assert isinstance(message, il.AssistantMessage)
    assert dumped(message.replace(content=message.parts[3:]))[0] == [{"role": "assistant", "content": "c"}]


def test_losses_point_at_the_item_that_has_the_field() -> None:
    losses = il.convert(case("agent_loop"), source="openai_responses", target="anthropic").losses
    paths = {loss.path for loss in losses}
    assert {"/input/2/phase", "/input/2/id", "/input/3/id", "/input/4/encrypted_content"} <= paths
    assert not [path for path in paths if "provider_data" in path or "messages" in path]


def test_the_ids_and_states_of_items_are_no_reason_to_warn() -> None:
    made = {"id": "x_1", "status": "completed"}
    items: list[dict[str, Any]] = [
        {"role": "user", "content": "a"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "b"}], **made},
        {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}", **made},
        {"type": "function_call_output", "call_id": "call_1", "output": "c", **made},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "d", "phase": "e"}], **made},
    ]
    losses = il.convert({"input": items}, source="openai_responses", target="gemini").losses
    expected = [("response_only", f"/input/{i}/{key}") for i in range(1, 5) for key in made]
    rest = [("changed", "/input/1/summary/0"), ("dropped", "/input/4/content/0/phase")]
    added = ("added", "/input/2")  # what stands for the signature of the call
    assert sorted((loss.kind, loss.path) for loss in losses) == sorted([*expected, *rest, added])


def test_places_lead_back_to_items() -> None:
    places = il.convert(case("agent_loop"), source="openai_responses", target="openai_chat").places
    assert places["/messages/2/tool_calls/0"] == "/input/3"
    assert places["/messages/0"] == "/instructions"
    assert places["/messages/3"] == "/input/6"


# From elsewhere


def test_a_conversation_from_elsewhere_keeps_the_order_of_its_parts() -> None:
    items, losses = dumped(
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi."},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "a", "summary": True},
                {"type": "redacted_thinking", "data": "eA==", "issuer": "openai"},
                {"type": "text", "text": "b"},
                {"type": "tool_use", "id": "call_1", "name": "f", "input": {"q": 1}},
                {"type": "text", "text": "c"},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "d"}, {"type": "text", "text": "e"}],
        },
    )  # fmt: skip
    assert losses == []
    assert items == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi."},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}], "encrypted_content": "eA=="},
        {"role": "assistant", "content": "b"},
        {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": '{"q": 1}'},
        {"role": "assistant", "content": "c"},
        {"type": "function_call_output", "call_id": "call_1", "output": "d"},
        {"role": "user", "content": [{"type": "input_text", "text": "e"}]},
    ]


def test_encrypted_reasoning_passes_between_openais_apis_and_to_nobody_else() -> None:
    wire = case("agent_loop")
    there = il.convert(wire, source="openai_responses", target="openrouter").payload
    details = [detail for message in there["messages"] for detail in message.get("reasoning_details", ())]
    assert [detail["data"] for detail in details if "data" in detail] == ["ZW5jcnlwdGVk", "bW9yZQ=="]
    back: Any = il.convert(there, source="openrouter", target="openai_responses").payload
    assert [item.get("encrypted_content") for item in back["input"] if item.get("type") == "reasoning"] == [
        "ZW5jcnlwdGVk",
        "bW9yZQ==",
    ]
    assert "ZW5jcnlwdGVk" not in json.dumps(il.convert(wire, source="openai_responses", target="anthropic").payload)


@pytest.mark.parametrize(
    ("part", "reported"),
    [
        ({"type": "thinking", "thinking": "a"}, "changed"),
        ({"type": "thinking", "thinking": "a", "signature": "s", "issuer": "anthropic"}, "dropped"),
        ({"type": "redacted_thinking", "data": "s", "issuer": "anthropic"}, "dropped"),
    ],
)
def test_other_reasoning_is_a_summary_or_reported(part: dict[str, Any], reported: str) -> None:
    items, losses = dumped({"role": "assistant", "content": [part, {"type": "text", "text": "b"}]})
    assert losses == [(reported, "/0/content/0")]
    assert [item.get("summary") for item in items] == (
        [None] if reported == "dropped" else [[{"type": "summary_text", "text": "a"}], None]
    )


@pytest.mark.parametrize("empty", ["", None])
def test_empty_encrypted_reasoning_is_none(empty: str | None) -> None:
    """llama.cpp's server sends it so."""
    thought = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "a"}]}
    wire = {"input": [{"role": "user", "content": "x"}, thought | {"encrypted_content": empty}]}
    assert home(wire) == wire
    [_, answer] = loaded(*wire["input"])
    assert [part.type for part in answer.parts] == ["thinking"]
    there = il.convert(wire, source="openai_responses", target="deepseek")
    assert [(loss.kind, loss.at) for loss in there.losses] == [("added", "/messages/1/content")]


def test_a_host_of_open_models_gets_reasoning_as_text() -> None:
    host = il.format_for(il.ResponsesProfile(reasoning_text=True))
    message = il.AssistantMessage(content="b", reasoning_content="a")
    [reasoning, _] = il.dump([message], host, on_loss="raise")["input"]
    assert reasoning == {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "a"}]}


def test_results_of_custom_tools_follow_their_calls() -> None:
    call = {"type": "tool_use", "id": "a", "name": "sql", "input": "select 1", "custom": True}
    items, losses = dumped({"role": "assistant", "content": [call]}, {"role": "tool", "tool_call_id": "a", "content": "1"})
    assert [item["type"] for item in items] == ["custom_tool_call", "custom_tool_call_output"]
    assert losses == []
    # Also behind calls that were loaded, where the result is the user's own.
    request = il.load({"input": items[:1]}, "openai_responses")
    more = request.replace(messages=[*request.messages, il.ToolMessage(tool_call_id="a", content="1")])
    assert il.dump(more, "openai_responses", on_loss="raise") == {"input": items}


def test_custom_tools_of_chat_are_sent() -> None:
    grammar = {"syntax": "regex", "definition": "a+"}
    chat = {"name": "c", "format": {"type": "grammar", "grammar": grammar}}
    wire = {"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "custom", "custom": chat}]}
    result = il.convert(wire, source="openai_chat", target="openai_responses")
    assert result.payload.get("tools") == [{"type": "custom", "name": "c", "format": {"type": "grammar", **grammar}}]
    assert [(loss.kind, loss.path) for loss in result.losses] == [("changed", "/tools/0")]


def test_functions_stay_as_strict_as_they_were() -> None:
    tools = [{"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "g", "strict": True}}]
    wire = {"messages": [{"role": "user", "content": "x"}], "tools": tools}
    sent: Any = il.convert(wire, source="openai_chat", target="openai_responses").payload
    assert [tool["strict"] for tool in sent["tools"]] == [False, True]


def test_a_user_message_of_results_alone_loses_nothing_silently() -> None:
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "json", "value": {"x": 1}}], "is_error": True}
    items, losses = dumped({"role": "user", "name": "ann", "content": [result]})
    assert items == [{"type": "function_call_output", "call_id": "a", "output": [{"type": "input_text", "text": '{"x": 1}'}]}]
    assert sorted(losses) == [("dropped", "/0/content/0/is_error"), ("dropped", "/0/name")]


def test_citations_are_annotations() -> None:
    cited = [
        {"type": "url", "url": "https://a", "title": "A", "start": 0, "end": 1},
        {"type": "url", "url": "https://b", "cited_text": "b"},
        {"type": "document", "file_id": "file_1", "issuer": "openai", "title": "f"},
        {"type": "document", "document": 0},
    ]
    [item], losses = dumped({"role": "assistant", "content": [{"type": "text", "text": "abc", "citations": cited}]})
    assert item["content"][0]["annotations"] == [
        {"type": "url_citation", "url": "https://a", "title": "A", "start_index": 0, "end_index": 1},
        {"type": "url_citation", "url": "https://b", "title": "", "start_index": 0, "end_index": 3},
        {"type": "file_citation", "file_id": "file_1", "filename": "f", "index": 0},
    ]
    where = "/0/content/0/citations/"
    assert sorted(losses) == [
        ("changed", where + "1"),
        ("changed", where + "2"),
        ("dropped", where + "1/cited_text"),
        ("dropped", where + "3"),
    ]


@pytest.mark.parametrize(
    ("settings", "sent", "reported"),
    [
        ({"max_tokens": 5}, {"max_output_tokens": 16}, ["/max_tokens"]),
        ({"reasoning_effort": "low"}, {"reasoning": {"effort": "low"}}, []),
        ({"reasoning_effort": "novel"}, {}, ["/reasoning_effort"]),
        ({"stop": ["x"], "top_k": 1, "caching": {}}, {}, ["/top_k", "/stop", "/caching"]),
        ({"response_format": {"type": "json_object"}}, {"text": {"format": {"type": "json_object"}}}, []),
        ({"tool_choice": {"type": "required"}}, {}, ["/tool_choice"]),
    ],
)  # fmt: skip
def test_settings_follow_the_rules_of_the_api(settings: dict[str, Any], sent: dict[str, Any], reported: list[str]) -> None:
    losses: list[il.Loss] = []
    request = il.validate({"messages": [{"role": "user", "content": "x"}], **settings}, il.Request)
    payload = il.dump(request, "openai_responses", on_loss=losses.append)
    assert payload == {"input": [{"role": "user", "content": "x"}], **sent}
    assert [loss.path for loss in losses] == reported


@pytest.mark.parametrize(
    "given", [{}, {"input": None}, {"input": []}, {"input": "Hi."}, {"instructions": None}, {"instructions": "x"}]
)
def test_a_request_may_have_no_items(given: Any) -> None:
    wire = {"model": "m", "previous_response_id": "resp_1", "prompt": {"id": "pmpt_1"}, **given}
    assert canonical(home(wire)) == canonical(wire)


def test_what_only_responses_have_is_not_sent_back() -> None:
    item = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "a",
        "name": "f",
        "arguments": "{}",
        "created_by": "x",
        "novel": 1,
    }
    message = il.load_response({"id": "resp_1", "output": [item], "status": "completed"}, "openai_responses").message
    losses: list[il.Loss] = []
    payload = il.dump([message], "openai_responses", on_loss=losses.append)
    assert payload["input"] == [{key: value for key, value in item.items() if key not in ("created_by", "novel")}]
    assert sorted(loss.path.rpartition("/")[2] for loss in losses if loss.kind == "response_only") == ["created_by", "novel"]


def test_a_text_stays_a_text_until_something_else_is_said() -> None:
    request = il.load({"input": "Hi."}, "openai_responses")
    assert il.dump(request, "openai_responses") == {"input": "Hi."}
    more = request.replace(messages=[*request.messages, il.AssistantMessage(content="Hello.")])
    assert il.dump(more, "openai_responses") == {
        "input": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    }


NO_REQUESTS: list[tuple[Any, str]] = [
    ({"input": 5}, "/input"),
    ({"input": [5]}, "/input/0"),
    ({"input": [{"role": "user", "content": 5}]}, "/input/0/content"),
    ({"input": [{"role": "assistant", "content": [{"type": "refusal"}]}]}, "/input/0/content/0/refusal"),
    ({"input": [{"type": "function_call", "name": "f", "arguments": {}}]}, "/input/0/arguments"),
    ({"input": [{"type": "function_call_output", "output": None}]}, "/input/0/output"),
    ({"input": "x", "tools": [{"type": "function"}]}, "/tools/0/name"),
]


@pytest.mark.parametrize(("wire", "path"), NO_REQUESTS)
def test_what_no_provider_takes_is_one_error(wire: Any, path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load(wire, "openai_responses")
    assert [fault.path for fault in caught.value.faults] == [path]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "message", "role": "assistant", "status": "completed", "content": [{"type": "novel", "status": "x"}]},
        {"type": "message", "role": "assistant", "id": "msg_0", "content": [{"type": "novel", "id": "n_0", "x": 1}]},
        {"role": "assistant", "text": "of the item", "content": [{"type": "output_text", "text": "of the part"}]},
    ],
)
def test_a_field_of_an_item_that_its_part_has_too_comes_back(item: dict[str, Any]) -> None:
    wire = {"input": [{"role": "user", "content": "x"}, item]}
    assert canonical(home(wire)) == canonical(wire)


def test_a_message_of_calls_behind_another_of_the_assistant_is_reported_as_joined() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    said = [{"role": "assistant", "content": "a"}, {"role": "assistant", "tool_calls": [call]}]
    body = {"messages": [{"role": "user", "content": "q"}, *said, {"role": "tool", "tool_call_id": "c", "content": "r"}]}
    losses = il.convert(body, source="openai_chat", target="openai_responses").losses
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/messages/2")]


TEXTS: Any = [{"type": "output_text", "text": text, "annotations": []} for text in "ab"]


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_a_message_of_several_texts_stays_one_message(format: il.FormatName) -> None:
    asked, said = {"role": "user", "content": "q"}, [{"type": "text", "text": text} for text in "ab"]
    body = {"messages": [asked, {"role": "assistant", "content": said}, asked]}
    there = il.convert(body, source=format, target="openai_responses", check=True)
    item = {"type": "message", "role": "assistant", "content": TEXTS}
    sent: Any = there.payload
    assert (sent["input"], there.losses, there.problems) == ([asked, item, asked], (), ())
    back = il.convert(there.payload, source="openai_responses", target=format)
    assert [message["content"] for message in back.payload["messages"]] == ["q", said, "q"]
    again: Any = il.convert(back.payload, source=format, target="openai_responses").payload
    assert again["input"] == sent["input"]


@pytest.mark.parametrize(
    "source",
    [
        {"type": "url", "url": "https://a.example/b.pdf"},
        {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"},
    ],
)
def test_only_a_file_that_is_sent_as_data_has_a_name(source: dict[str, str]) -> None:
    document = {"type": "document", "title": "b.pdf", "source": source}
    body = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": [document]}]}
    found = il.convert(body, source="anthropic", target="openai_responses", check=True)
    payload: Any = found.payload
    [part] = payload["input"][0]["content"]
    is_data = source["type"] == "base64"
    assert ("filename" in part) is is_data
    assert [loss.path for loss in found.losses] == ([] if is_data else ["/messages/0/content/0/title"])
    assert found.problems == ()


@pytest.mark.parametrize("key", [1, None, b"x"])
@pytest.mark.parametrize("place", ["text", "reasoning"])
def test_a_part_with_a_key_that_is_no_text_is_invalid(key: Any, place: str) -> None:
    items: dict[str, list[Any]] = {
        "text": [{"role": "assistant", "content": [{"type": "output_text", "text": "a", key: 1}]}],
        "reasoning": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a", key: 1}]},
            {"role": "assistant", "content": "b"},
        ],
    }
    with pytest.raises(il.InvalidPayload):
        il.load({"model": "m", "input": items[place]}, "openai_responses")
    with pytest.raises(il.InvalidPayload):
        il.convert({"model": "m", "input": items[place]}, source="openai_responses", target="anthropic")


@pytest.mark.parametrize("role", ["user", "assistant", "developer"])
def test_a_text_as_chat_has_it_is_text_elsewhere(role: str) -> None:
    parts = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
    body = {"model": "m", "input": [{"role": role, "content": parts}]}
    assert il.convert(body, source="openai_responses", target="openai_responses", strict=True).payload == body
    assert (
        il.convert(body, source="openai_responses", target="openai_chat", strict=True).payload["messages"][0]["content"]
        == parts
    )


@pytest.mark.parametrize("text", [None, 5, {"value": "One."}])
def test_a_text_as_chat_has_it_without_its_text_is_kept_as_it_is(text: Any) -> None:
    body = {"model": "m", "input": [{"role": "user", "content": [{"type": "text", "text": text}]}]}
    assert il.dump(il.load(body, "openai_responses"), "openai_responses") == body
    lost = il.convert(body, source="openai_responses", target="openai_chat").losses
    assert [(loss.kind, loss.path) for loss in lost] == [("dropped", "/input/0")]
