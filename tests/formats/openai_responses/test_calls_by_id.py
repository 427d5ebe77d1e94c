"""Calls whose items have only `id`, to which results refer, as some clients and hosts write them."""

from typing import Any

import pytest

import interlingua as il

FUNCTION: dict[str, Any] = {"type": "function_call", "id": "call_7", "name": "f", "arguments": '{"a": 1}'}
CUSTOM: dict[str, Any] = {"type": "custom_tool_call", "id": "call_7", "name": "f", "input": "a"}
OUTPUTS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
CALLS: list[dict[str, Any]] = [FUNCTION, CUSTOM, FUNCTION | {"call_id": None}]
RESPONSE: dict[str, Any] = {"id": "resp_1", "object": "response", "model": "m", "status": "completed"}


def asked(call: dict[str, Any]) -> dict[str, Any]:
    output = {"type": OUTPUTS[call["type"]], "call_id": "call_7", "output": "b"}
    return {"model": "m", "input": [{"role": "user", "content": "Hi."}, call, output]}


@pytest.mark.parametrize("ids", [{"id": ""}, {"id": None}, {"id": 5}, {"id": "", "call_id": None}, {"id": "x", "call_id": ""}])
@pytest.mark.parametrize("call", [FUNCTION, CUSTOM])
def test_a_call_without_a_usable_id_comes_back(call: dict[str, Any], ids: dict[str, Any]) -> None:
    call = {key: value for key, value in call.items() if key != "id"} | ids
    body: dict[str, Any] = RESPONSE | {"output": [call]}
    assert il.dump_response(il.load_response(body, "openai_responses"), "openai_responses", on_loss="raise") == body
    request: dict[str, Any] = {"model": "m", "input": [{"role": "user", "content": "Hi."}, call]}
    assert il.dump(il.load(request, "openai_responses"), "openai_responses", on_loss="raise") == request


def test_a_null_beside_the_id_is_no_loss_in_a_history() -> None:
    response = il.load_response(RESPONSE | {"output": [FUNCTION | {"call_id": None}]}, "openai_responses")
    lost: list[il.Loss] = []
    il.dump([response.message], "openai_responses", on_loss=lost.append)
    assert lost == []


@pytest.mark.parametrize("call", CALLS)
def test_a_result_belongs_to_the_call_with_its_id(call: dict[str, Any]) -> None:
    made: Any = il.convert(asked(call), source="openai_responses", target="anthropic")
    assert made.payload["messages"][1]["content"][0]["id"] == "call_7"
    assert made.payload["messages"][2]["content"][0]["tool_use_id"] == "call_7"
    assert not [loss for loss in made.losses if loss.path == "/input/1/id"]


@pytest.mark.parametrize("call", CALLS)
def test_a_request_comes_back(call: dict[str, Any]) -> None:
    assert il.dump(il.load(asked(call), "openai_responses"), "openai_responses") == asked(call)


@pytest.mark.parametrize("call", CALLS)
def test_an_answer_comes_back_and_its_call_is_sent_with_call_id(call: dict[str, Any]) -> None:
    body: dict[str, Any] = RESPONSE | {"output": [call]}
    response = il.load_response(body, "openai_responses")
    assert il.dump_response(response, "openai_responses") == body
    assert response.message.tool_uses[0].id == "call_7"
    written: Any = il.dump([response.message], "openai_responses")
    [sent] = written["input"]
    assert sent["call_id"] == "call_7"
    assert "id" not in sent


def test_an_edited_id_is_written_as_call_id() -> None:
    request = il.load(asked(FUNCTION), "openai_responses")
    answer: Any = request.messages[1]
    edited: Any = answer.replace(content=[answer.content[0].replace(id="call_8")])
    written: Any = il.dump([edited], "openai_responses")
    [item] = written["input"]
    assert (item.get("id"), item.get("call_id")) == (None, "call_8")


def test_a_call_with_both_has_its_call_id() -> None:
    made: Any = il.convert(
        asked(FUNCTION | {"id": "fc_1", "call_id": "call_7"}), source="openai_responses", target="openai_chat"
    )
    assert made.payload["messages"][1]["tool_calls"][0]["id"] == "call_7"


def test_a_stream_has_the_id_of_the_item() -> None:
    begun: dict[str, Any] = FUNCTION | {"arguments": ""}
    chunks: list[Any] = [
        {"type": "response.created", "response": RESPONSE | {"status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "call_7", "arguments": '{"a": 1}'},
        {"type": "response.output_item.done", "output_index": 0, "item": FUNCTION},
        {"type": "response.completed", "response": RESPONSE | {"output": [FUNCTION]}},
    ]
    sent: list[Any] = list(il.restream(chunks, source="openai_responses", target="openai_chat"))
    assert sent[0]["choices"][0]["delta"]["tool_calls"][0]["id"] == "call_7"
    again: list[Any] = list(il.restream(chunks, source="openai_responses", target="openai_responses"))
    assert again[-1]["response"]["output"] == [FUNCTION]


def test_a_call_without_an_id_does_not_take_that_of_its_item() -> None:
    call: dict[str, Any] = {"type": "tool_use", "name": "f", "input": "{}"}
    message: Any = {"role": "assistant", "content": [call | {"provider_data": {"openai_responses": {"id": "fc_1"}}}]}
    written: Any = il.dump([message], "openai_responses", on_loss="ignore")
    [item] = written["input"]
    assert item["call_id"] != "fc_1"
