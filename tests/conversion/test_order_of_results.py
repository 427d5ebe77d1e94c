"""Calls and results that are not next to each other, which some providers accept and others refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.testing.lawbook import share
from laws.families import MAIN

TARGETS = ("openai_chat", "anthropic", "gemini", "bedrock_converse")
TOOLS: list[Any] = [
    {"type": "function", "name": "look_up", "parameters": {"type": "object", "properties": {}}, "strict": False}
]


def call(id: str) -> Any:
    return {"type": "function_call", "call_id": id, "name": "look_up", "arguments": "{}"}


def output(id: str) -> Any:
    return {"type": "function_call_output", "call_id": id, "output": f"of {id}"}


def said(text: str, role: str = "user") -> Any:
    return {"role": role, "content": text}


def converted(items: list[Any], target: Any) -> il.Conversion[Any]:
    body: Any = {"model": "m", "max_output_tokens": 100, "tools": TOOLS, "input": [said("Hi."), *items, said("End.")]}
    return il.convert(body, source="openai_responses", target=il.format_of(target))


BETWEEN = {
    "a user": [call("a"), said("Wait."), output("a")],
    "a developer": [call("a"), said("Wait.", "developer"), output("a")],
    "the system": [call("a"), said("Wait.", "system"), output("a")],
    "the assistant": [call("a"), said("Wait.", "assistant"), output("a")],
    "a user and the assistant": [call("a"), said("Wait."), said("I do.", "assistant"), output("a")],
    "parallel calls": [call("a"), call("b"), said("Wait."), output("b"), said("Go."), output("a")],
    "interleaved calls": [call("a"), said("Wait."), call("b"), output("b"), said("Go."), output("a")],
    "the assistant between results": [call("a"), call("b"), output("a"), said("One.", "assistant"), output("b")],
    "a call between results": [call("a"), call("b"), output("a"), call("c"), output("c"), said("Wait."), output("b")],
    "another turn": [call("a"), said("Wait."), output("a"), call("b"), said("Wait."), output("b")],
    "an item of no other format": [call("a"), {"type": "item_reference", "id": "msg_0"}, said("Wait."), output("a")],
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("items", BETWEEN.values(), ids=BETWEEN)
def test_results_follow_the_turn_of_their_calls(items: list[Any], target: Any) -> None:
    result = converted(items, target)
    assert [problem for problem in il.check(result.payload, target) if problem.severity == "error"] == []
    assert {loss.path.split("/")[1] for loss in result.losses} <= {"input"}
    back = il.load(result.payload, target)
    texts = [text for item in items if isinstance(text := item.get("content", item.get("output")), str)]
    assert all(text in str(back.to_dict()) for text in texts)


@pytest.mark.parametrize("target", TARGETS)
def test_what_moves_is_reported(target: Any) -> None:
    result = converted(BETWEEN["a user and the assistant"], target)
    moved = {loss.path: loss.at for loss in result.losses if loss.kind == "moved"}
    assert {"/input/3", "/input/4"} <= moved.keys()
    assert result.places[moved["/input/4"] or ""] == "/input/4"


def test_parallel_calls_stay_together_and_others_follow_the_results() -> None:
    messages = converted(BETWEEN["interleaved calls"], "openai_chat").payload["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "user", "user", "user"]
    assert [called["id"] for called in messages[1]["tool_calls"]] == ["a", "b"]
    assert [message["content"] for message in messages[2:]] == ["of b", "of a", "Wait.", "Go.", "End."]


def test_an_item_that_is_left_out_moves_nothing() -> None:
    items = [call("a"), {"type": "item_reference", "id": "msg_0"}, output("a")]
    assert [loss.kind for loss in converted(items, "openai_chat").losses] == ["dropped"]


@pytest.mark.parametrize("items", [[call("a"), said("Wait.")], [said("Wait."), output("a")], [output("a"), call("a")]])
def test_without_a_result_behind_its_call_the_order_stays(items: list[Any]) -> None:
    assert "moved" not in {loss.kind for loss in converted(items, "anthropic").losses}


def test_a_fault_that_the_conversation_already_had_stays() -> None:
    """Only Responses accepts such an order; a list of messages, or a request of another format, was wrong before."""
    request = il.load(BETWEEN["a user"], "openai_responses")
    written = il.dump(list(request.messages), "openai_chat", on_loss="ignore")["messages"]
    assert [message["role"] for message in written] == ["assistant", "user", "tool"]
    moved = il.dump(request, "openai_chat", on_loss="ignore")["messages"]
    assert [message["role"] for message in moved] == ["assistant", "tool", "user"]


def test_a_message_that_was_built_joins_the_turn_too() -> None:
    request = il.load([call("a")], "openai_responses")
    built = il.AssistantMessage(content="Wait.", tool_calls=[il.ToolCall(id="b", name="look_up", arguments="{}")])
    user, results = il.UserMessage(content="Hm."), [il.ToolMessage(tool_call_id=id, content=id) for id in "ab"]
    longer = request.replace(messages=[*request.messages, user, built, *results])
    losses: list[il.Loss] = []
    messages = il.dump(longer, "openai_chat", on_loss=losses.append)["messages"]
    assert [called["id"] for called in messages[0]["tool_calls"]] == ["a", "b"]
    assert [message["role"] for message in messages] == ["assistant", "tool", "tool", "user"]
    assert {"/messages/2", "/messages/3", "/messages/4"} <= {loss.path for loss in losses if loss.kind == "moved"}
    assert "call-without-result" not in {problem.code for problem in il.check(longer, "openai_chat")}


@pytest.mark.parametrize("target", TARGETS)
@given(data=st.data())
def test_every_result_follows_its_call(target: Any, data: st.DataObject) -> None:
    """The law: whatever the order in Responses, no conversion leaves a call and its result apart."""
    items = data.draw(st.lists(st.sampled_from(["call", "user", "assistant", "developer", "output"]), max_size=12))
    ids, waiting, drawn = 0, list[str](), list[Any]()
    for kind in items:
        if kind == "call":
            ids += 1
            waiting.append(f"call_{ids}")
            drawn.append(call(waiting[-1]))
        elif kind == "output" and waiting:
            drawn.append(output(waiting.pop(data.draw(st.integers(0, len(waiting) - 1)))))
        elif kind != "output":
            drawn.append(said(f"{kind} {len(drawn)}", kind))
    drawn += [output(id) for id in waiting]
    result = converted(drawn, target)
    assert [problem for problem in il.check(result.payload, target) if problem.severity == "error"] == []
    assert {result.places[at] for at in result.places} >= {
        f"/input/{i + 1}" for i, item in enumerate(drawn) if "call_id" in item
    }


# Functions, whose results OpenAI accepts anywhere

CALLED: Any = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
RETURNED: Any = {"role": "function", "name": "f", "content": "of f"}


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock_converse", "deepseek"])
@pytest.mark.parametrize(
    "between", [[said("Wait.")], [said("Wait.", "assistant"), said("Go.")], [CALLED, said("Wait."), RETURNED]]
)
def test_results_of_functions_follow_their_calls(between: list[Any], target: il.FormatName) -> None:
    body = {"model": "m", "max_tokens": 9, "functions": [{"name": "f"}], "messages": [said("Hi."), CALLED, *between, RETURNED]}
    result = il.convert(body, source="openai_chat", target=target)
    assert [problem.code for problem in il.check(result.payload, target) if problem.severity == "error"] == []
    assert [loss.path for loss in result.losses if loss.kind == "moved"] != []
    assert all(text in str(result.payload) for text in ("Hi.", "Wait.", "of f"))


def test_results_of_functions_stay_in_their_own_format_and_where_they_follow() -> None:
    body = {"model": "m", "max_tokens": 9, "messages": [said("Hi."), CALLED, said("Wait."), RETURNED]}
    assert il.convert(body, source="openai_chat", target="openai_chat").payload == body
    body["messages"] = [said("Hi."), CALLED, RETURNED, CALLED, RETURNED, said("End.")]
    losses = il.convert(body, source="openai_chat", target="anthropic").losses
    assert "moved" not in {loss.kind for loss in losses}


# Results in several messages, and calls in several


def called(name: str) -> Any:
    return {"functionCall": {"name": name, "args": {}}}


def returned(name: str) -> Any:
    return {"functionResponse": {"name": name, "response": {"result": f"of {name}"}}}


def conversation_of_gemini(*turns: tuple[str, list[Any]]) -> Any:
    declared = [{"name": name, "parameters": {"type": "OBJECT"}} for name in "xy"]
    contents = [{"role": role, "parts": parts} for role, parts in [("user", [{"text": "Hi."}]), *turns]]
    return {"contents": contents, "tools": [{"functionDeclarations": declared}]}


RESULTS_APART = conversation_of_gemini(
    ("model", [called("x"), called("y")]), ("user", [returned("x")]), ("user", [returned("y")])
)
"""Gemini accepted results in several contents: crewAI's cassette `test_gemini_parallel_native_tool_calling`."""


def errors_of(body: Any, format: Any) -> list[str]:
    """The errors of a body, without those about settings that every request must have."""
    codes = [problem.code for problem in il.check(body, format) if problem.severity == "error"]
    return [code for code in codes if code not in ("max-tokens-missing", "model-missing")]


@pytest.mark.parametrize("target", MAIN)
def test_results_of_one_turn_are_sent_together(target: Any) -> None:
    result = il.convert(RESULTS_APART, source="gemini", target=il.format_of(target))
    assert errors_of(result.payload, target) == []
    assert all(text in str(result.payload) for text in ("of x", "of y"))


def test_results_in_several_messages_become_one_message_of_anthropic() -> None:
    result = il.convert(RESULTS_APART, source="gemini", target="anthropic")
    assert [message["role"] for message in result.payload["messages"]] == ["user", "assistant", "user"]
    assert [block["content"] for block in result.payload["messages"][2]["content"]] == ["of x", "of y"]
    assert [(loss.kind, loss.at) for loss in result.losses if loss.path == "/contents/3"] == [("changed", "/messages/2")]
    assert result.places["/messages/2"] == "/contents/2"
    assert result.places["/messages/2/content/1"] == "/contents/3/parts/0"
    assert il.convert(RESULTS_APART, source="gemini", target="gemini").payload == RESULTS_APART


RESULT_PARTS = [il.UserMessage(content=[il.ToolResultPart(tool_use_id=id, content=id)]) for id in "ab"]
RESULT_MESSAGES = [il.ToolMessage(tool_call_id=id, content=id) for id in "ab"]
THANKS = il.UserMessage(content="Thanks.")
RESULT, TEXT = "tool_result", "text"


@pytest.mark.parametrize(
    ("messages", "kinds", "changed"),
    [
        (RESULT_MESSAGES, [[RESULT, RESULT]], []),
        (RESULT_PARTS, [[RESULT, RESULT]], ["/1"]),
        ([RESULT_MESSAGES[0], RESULT_PARTS[1]], [[RESULT, RESULT]], []),
        ([RESULT_PARTS[0], RESULT_MESSAGES[1]], [[RESULT, RESULT]], []),
        ([*RESULT_MESSAGES, THANKS], [[RESULT, RESULT, TEXT]], []),
        ([*RESULT_PARTS, THANKS], [[RESULT, RESULT], [TEXT]], ["/1"]),
        ([RESULT_MESSAGES[0], THANKS, RESULT_PARTS[1]], [[RESULT, TEXT], [RESULT]], []),
        ([RESULT_PARTS[0], THANKS, RESULT_PARTS[1]], [[RESULT], [TEXT], [RESULT]], []),
        ([RESULT_PARTS[0], il.AssistantMessage(content="So."), RESULT_PARTS[1]], [[RESULT], [TEXT], [RESULT]], []),
    ],
)
def test_results_join_only_results_at_anthropic(messages: list[Any], kinds: list[list[str]], changed: list[str]) -> None:
    losses: list[il.Loss] = []
    written: list[Any] = list(il.dump(messages, "anthropic", on_loss=losses.append)["messages"])
    contents = [[{"type": TEXT}] if type(each["content"]) is str else each["content"] for each in written]
    assert [[block["type"] for block in content] for content in contents] == kinds
    assert [loss.path for loss in losses if loss.kind == "changed"] == changed


def test_what_anthropic_had_in_several_messages_stays_so() -> None:
    body = il.dump([il.UserMessage(content="Hi.")], "anthropic")
    body["messages"] += [{"role": "user", "content": [part.to_dict()]} for one in RESULT_PARTS for part in one.parts]
    assert il.dump(il.load(body, "anthropic"), "anthropic") == body


def used(id: str) -> Any:
    return {"type": "tool_use", "id": id, "name": "look_up", "input": {}}


def calls_apart(source: Any) -> Any:
    """A request with calls in two messages of the assistant, whose results come behind both.

    Anthropic accepted one: pydantic-ai's cassette `test_cross_provider_capability_replay`.
    """
    if source == "gemini":
        return conversation_of_gemini(
            ("model", [{"text": "Wait."}, called("x")]), ("model", [called("y")]), ("user", [returned("x"), returned("y")])
        )
    blocks = [[{"type": "text", "text": "Wait."}, used("x")], [used("y")]]
    results = [{"type": "tool_result", "tool_use_id": id, "content": f"of {id}"} for id in "xy"]
    messages = [said("Hi."), *({"role": "assistant", "content": each} for each in blocks), {"role": "user", "content": results}]
    tools = [{"name": "look_up", "input_schema": {"type": "object"}}]
    return {"model": "m", "max_tokens": 9, "tools": tools, "messages": messages}


REFUSING = ("openai_chat", "deepseek", "groq", "mistral", "cohere")


@pytest.mark.parametrize("target", REFUSING)
@pytest.mark.parametrize("source", ["anthropic", "gemini"])
def test_calls_of_one_turn_are_one_message_where_results_must_follow_them(source: Any, target: Any) -> None:
    result = il.convert(calls_apart(source), source=source, target=target)
    messages: list[Any] = result.payload["messages"]
    assert errors_of(result.payload, target) == []
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool"]
    assert "Wait." in str(messages[1]["content"])
    assert len(messages[1]["tool_calls"]) == 2
    listed = "contents" if source == "gemini" else "messages"
    assert [(loss.path, loss.at) for loss in result.losses if loss.kind == "moved"] == [(f"/{listed}/2", "/messages/1")]
    inside = "parts" if source == "gemini" else "content"
    assert result.places["/messages/1"] == f"/{listed}/1"
    assert result.places["/messages/1/tool_calls/1"] == f"/{listed}/2/{inside}/0"
    assert result.places["/messages/3"] == f"/{listed}/3/{inside}/1"


OTHERS = [name for name in [*MAIN, "anthropic_vertex", "google_genai", "harmony"] if name not in REFUSING]


@pytest.mark.parametrize("target", OTHERS)
@pytest.mark.parametrize("source", ["anthropic", "gemini"])
def test_calls_of_one_turn_stay_in_their_messages_elsewhere(source: Any, target: Any) -> None:
    result = il.convert(calls_apart(source), source=source, target=il.format_of(target))
    assert errors_of(result.payload, target) == []
    assert "moved" not in {loss.kind for loss in result.losses}
    if target == source:
        assert result.payload == calls_apart(source)


def test_text_between_a_call_and_its_result_comes_before_the_call() -> None:
    body = calls_apart("anthropic")
    body["messages"][2]["content"] = [{"type": "text", "text": "Soon."}]
    body["messages"][3]["content"].pop()
    result = il.convert(body, source="anthropic", target="openai_chat")
    assert errors_of(result.payload, "openai_chat") == []
    assert [part["text"] for part in result.payload["messages"][1]["content"]] == ["Wait.", "Soon."]
    assert {"/messages/2", "/messages/2/content/0"} == {loss.path for loss in result.losses if loss.kind == "moved"}


def test_only_a_turn_with_calls_and_results_is_joined() -> None:
    body = calls_apart("anthropic")
    body["messages"].insert(1, {"role": "assistant", "content": "One."})
    messages = il.convert(body, source="anthropic", target="openai_chat").payload["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "assistant", "tool", "tool"]
    del body["messages"][4]
    messages = il.convert(body, source="anthropic", target="openai_chat").payload["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "assistant", "assistant"]


# Results in the answer with their calls, as of tools of an MCP server that Gemini calls itself

SERVED: list[Any] = [
    {"functionCall": {"name": "look_up", "args": {}}},
    {"functionResponse": {"name": "look_up", "response": {"output": "Rain."}}},
    {"text": "It rains."},
]


def asked(*answers: list[Any]) -> dict[str, Any]:
    """A request of Gemini whose contents of the model have these parts."""
    contents = [{"role": "model", "parts": parts} for parts in answers]
    user = {"role": "user", "parts": [{"text": "Why?"}]}
    declared: list[Any] = [
        {"functionDeclarations": [{"name": "look_up", "parametersJsonSchema": {"type": "object", "properties": {}}}]}
    ]
    return {"contents": [user, *contents, user], "tools": declared, "generationConfig": {"maxOutputTokens": 100}}


ELSEWHERE = [name for name in (*MAIN, "mistral") if name != "gemini"]


@pytest.mark.parametrize("target", ELSEWHERE)
@pytest.mark.parametrize("answers", [[SERVED], [[part] for part in SERVED]], ids=["one content", "three contents"])
def test_an_answer_with_results_is_split_at_them(answers: list[list[Any]], target: Any) -> None:
    body = asked(*answers)
    assert il.check(body, "gemini") == [] or len(answers) == 1
    assert il.dump(il.load(body, "gemini"), "gemini", on_loss="raise") == body
    result = il.convert(body, source="gemini", target=target, check=True)
    assert [problem for problem in result.problems if problem.severity == "error"] == []
    assert [loss.path for loss in result.losses if loss.kind in ("dropped", "moved")] == ["/contents/1"] * (len(answers) == 1)
    roles = " ".join(message.role for message in il.load(result.payload, target).messages)
    assert roles.replace("tool", "user") == "user assistant user assistant user"


# One message after another of the same role


def conversation(said: list[tuple[str, str]], source: Any) -> Any:
    """A request of texts alone."""
    messages = [
        il.AssistantMessage(content=text) if role == "assistant" else il.UserMessage(content=text) for role, text in said
    ]
    body: Any = {}
    match source:
        case "gemini":
            roles = {"assistant": "model", "user": "user"}
            body["contents"] = [{"role": roles[role], "parts": [{"text": text}]} for role, text in said]
        case "gemini_interactions":
            roles = {"assistant": "model", "user": "user"}
            body["input"] = [{"role": roles[role], "content": text} for role, text in said]
        case "bedrock_converse":
            body["messages"] = [{"role": role, "content": [{"text": text}]} for role, text in said]
        case _:
            body = il.dump(messages, il.format_of(source))
    return body


@pytest.mark.parametrize("source", MAIN)
@given(data=st.data())
def test_messages_stay_apart_there_and_back_or_a_loss_says_so(source: Any, data: st.DataObject) -> None:
    roles = data.draw(st.lists(st.sampled_from(["user", "assistant"]), min_size=1, max_size=6))
    body = conversation([(role, f"{role} {i}") for i, role in enumerate(roles)], source)
    for target in MAIN:
        if target == source:
            continue
        there = il.convert(body, source=il.format_of(source), target=il.format_of(target))
        back = il.convert(there.payload, source=il.format_of(target), target=il.format_of(source))
        listed = il.FORMATS[source].listed
        if share.judged(not there.losses and not back.losses, least=0.6):
            assert len(back.payload[listed]) == len(body[listed])


def test_two_messages_of_the_assistant_in_one_turn_stay_two() -> None:
    items = [said("One.", "assistant"), said("Two.", "assistant"), call("a"), output("a")]
    result = converted(items, "openai_chat")
    assert [message["role"] for message in result.payload["messages"]] == ["user", "assistant", "assistant", "tool", "user"]
    assert "tool_calls" in result.payload["messages"][2]
    assert result.losses == ()
    back = il.convert(result.payload, source=il.format_of("openai_chat"), target=il.format_of("openai_responses"))
    assert len(back.payload["input"]) == 6
    joined = converted(items, "bedrock_converse")
    assert [loss.kind for loss in joined.losses] == ["changed"]


def test_text_stands_before_the_calls_of_its_message_at_anthropic() -> None:
    """It refuses text between calls, and what follows a call in its message (BerriAI/litellm#22946, vercel/ai#16312)."""
    items = [call("a"), said("One.", "assistant"), call("b"), said("Two.", "assistant"), output("a"), output("b")]
    result = converted(items, "anthropic")
    assert [block["type"] for block in result.payload["messages"][1]["content"]] == ["text", "text", "tool_use", "tool_use"]
    assert [block["text"] for block in result.payload["messages"][1]["content"][:2]] == ["One.", "Two."]
    assert {"/input/2/content", "/input/4/content"} <= {loss.path for loss in result.losses if loss.kind == "moved"}
    assert result.problems == ()


def test_an_answer_of_anthropic_keeps_its_order() -> None:
    text = {"type": "text", "text": "Wait."}
    used: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "look_up", "input": {}}
    answer: Any = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": [used, text]}
    answer |= {"stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    response = il.load_response(answer, "anthropic")
    assert il.dump_response(response, "anthropic")["content"] == [used, text]
    history = il.dump([il.UserMessage(content="Hi."), response.message], "anthropic")
    assert history["messages"][1]["content"] == [used, text]


@pytest.mark.parametrize("target", [name for name in MAIN if name != "openai_responses"])
@given(data=st.data())
def test_messages_stay_apart_beside_calls_too_or_a_loss_says_so(target: Any, data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(["text", "text", "empty", "call"]), min_size=1, max_size=6))
    items = [
        call(f"c{i}") if kind == "call" else said("" if kind == "empty" else f"Text {i}.", "assistant")
        for i, kind in enumerate(kinds)
    ]
    items += [output(f"c{i}") for i, kind in enumerate(kinds) if kind == "call"]
    there = converted(items, target)
    back = il.convert(there.payload, source=il.format_of(target), target=il.format_of("openai_responses"))
    lost = [loss.path for loss in (*there.losses, *back.losses) if loss.kind != "added"]
    if share.judged(not lost, least=0.1):
        assert sum(item.get("content") != "" for item in back.payload["input"]) == len(items) + 2 - kinds.count("empty")
    texts = json.dumps(there.payload)
    dropped = [int(loss.path.split("/")[2]) - 1 for loss in there.losses if loss.kind == "dropped"]
    assert [i for i in dropped if f"Text {i}." in texts] == []
