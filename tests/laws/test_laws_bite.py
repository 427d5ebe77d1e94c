"""The judges, judged: an honest conversion passes them, and each sabotage of it is caught by the law that forbids it."""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook import documents, doors
from laws import laws, oracles, owners, sdks

CONVERSATION: dict[str, Any] = {
    "model": "m",
    "max_tokens": 100,
    "temperature": 0.5,
    "tools": [
        {
            "type": "function",
            "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object", "required": []}},
        }
    ],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "name": "ann",
            "content": [
                {"type": "text", "text": "What is"},
                {"type": "text", "text": "this?"},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
            ],
        },
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"x": 1, "y": [2.5, null]}'}},
                {"id": "b", "type": "function", "function": {"name": "add", "arguments": '{"x": 3}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "tool", "tool_call_id": "b", "content": "two"},
        {"role": "assistant", "content": "Done."},
    ],
}


@dataclass
class Result:
    payload: Any
    losses: list[il.Loss] = field(default_factory=list[il.Loss])
    places: dict[str, str] = field(default_factory=dict[str, str])


def honest(payload: Any, *, source: str, target: str) -> Result:
    """Between two dialects whose payloads are the same."""
    payload = copy.deepcopy(payload)
    return Result(payload, [], {owner.pointer: owner.pointer for owner in owners.owners(payload, source)})


def sabotaged(change: Callable[[Result], None]) -> laws.Convert:
    """Honest on the way back."""

    def convert(payload: Any, *, source: str, target: str) -> Result:
        result = honest(payload, source=source, target=target)
        if source == "openai_chat":
            change(result)
        return result

    return convert


def messages(result: Result) -> Any:
    return result.payload["messages"]


def test_honest_conversions_pass() -> None:
    for law in (laws.law3, laws.law4):
        assert law(CONVERSATION, "openai_chat", "litellm", honest) == []
    assert laws.law2(CONVERSATION, "openai_chat", lambda payload, _: payload) == []


def drop_a_field(result: Result) -> None:
    del messages(result)[1]["name"]


def drop_a_request_field(result: Result) -> None:
    del result.payload["temperature"]


def drop_a_nested_field(result: Result) -> None:
    del messages(result)[1]["content"][2]["image_url"]["detail"]


def drop_a_part(result: Result) -> None:
    del messages(result)[1]["content"][2], result.places["/messages/1/content/2"]


def drop_a_message(result: Result) -> None:
    del messages(result)[5], result.places["/messages/5"], result.places["/messages/5/content"]


def drop_a_tool(result: Result) -> None:
    del result.payload["tools"], result.places["/tools/0"]


def change_a_tool(result: Result) -> None:
    del result.payload["tools"][0]["function"]["description"]


def join_texts(result: Result) -> None:
    parts = messages(result)[1]["content"]
    parts[0]["text"] += " " + parts.pop(1)["text"]
    for old, new in ((2, 1),):
        result.places[f"/messages/1/content/{new}"] = f"/messages/1/content/{old}"
    del result.places["/messages/1/content/2"]


def pad_a_text(result: Result) -> None:
    messages(result)[5]["content"] += " "


def split_a_text(result: Result) -> None:
    messages(result)[5]["content"] = [{"type": "text", "text": "Do"}, {"type": "text", "text": "ne."}]
    del result.places["/messages/5/content"]
    result.places |= dict.fromkeys(["/messages/5/content/0", "/messages/5/content/1"], "/messages/5/content")


def reorder_parts(result: Result) -> None:
    messages(result)[1]["content"].reverse()
    result.places["/messages/1/content/0"] = "/messages/1/content/2"
    result.places["/messages/1/content/2"] = "/messages/1/content/0"


def reorder_messages(result: Result) -> None:
    held = messages(result)
    held[3], held[4] = held[4], held[3]
    for one, other in ((3, 4), (4, 3)):
        for rest in ("", "/content"):
            result.places[f"/messages/{one}{rest}"] = f"/messages/{other}{rest}"


def move_a_part(result: Result) -> None:
    messages(result)[5]["content"] = [messages(result)[1]["content"].pop(), {"type": "text", "text": "Done."}]
    result.places["/messages/5/content/0"] = result.places.pop("/messages/1/content/2")
    result.places["/messages/5/content/1"] = result.places.pop("/messages/5/content")


def swap_ids(result: Result) -> None:
    messages(result)[3]["tool_call_id"], messages(result)[4]["tool_call_id"] = "b", "a"


def one_id_of_two(result: Result) -> None:
    messages(result)[2]["tool_calls"][1]["id"] = "a"
    messages(result)[4]["tool_call_id"] = "a"


def rename_an_id(result: Result) -> None:
    messages(result)[2]["tool_calls"][0]["id"] = messages(result)[3]["tool_call_id"] = "call_1"


def round_an_argument(result: Result) -> None:
    messages(result)[2]["tool_calls"][0]["function"]["arguments"] = '{"x": 1, "y": [2, null]}'


def drop_a_null_argument(result: Result) -> None:
    messages(result)[2]["tool_calls"][0]["function"]["arguments"] = '{"x": 1, "y": [2.5]}'


def float_for_int(result: Result) -> None:
    messages(result)[2]["tool_calls"][1]["function"]["arguments"] = '{"x": 3.0}'


def invent_a_message(result: Result) -> None:
    messages(result).append({"role": "user", "content": "Go on."})


def invent_a_field(result: Result) -> None:
    result.payload["stream"] = True


def change_a_role(result: Result) -> None:
    messages(result)[0]["role"] = "developer"


def send_places_astray(result: Result) -> None:
    result.places["/messages/9"] = "/messages/0"


def point_outside(result: Result) -> None:
    result.losses.append(il.Loss("/messages/9", None, "dropped", "no such message"))


def tell_another_field(result: Result) -> None:
    del messages(result)[1]["name"]
    result.losses.append(il.Loss("/messages/1/content/0/text", None, "dropped", "not what was dropped"))


def tell_another_owner(result: Result) -> None:
    drop_a_part(result)
    result.losses.append(il.Loss("/messages/1/content/1", None, "dropped", "not what was dropped"))


SILENT = [
    drop_a_field,
    drop_a_request_field,
    drop_a_nested_field,
    drop_a_part,
    drop_a_message,
    drop_a_tool,
    change_a_tool,
    join_texts,
    pad_a_text,
    split_a_text,
    reorder_parts,
    reorder_messages,
    move_a_part,
    swap_ids,
    one_id_of_two,
    rename_an_id,
    round_an_argument,
    drop_a_null_argument,
    float_for_int,
    invent_a_message,
    invent_a_field,
    change_a_role,
    send_places_astray,
    point_outside,
    tell_another_field,
    tell_another_owner,
]


@pytest.mark.parametrize("change", SILENT, ids=lambda change: change.__name__)
def test_a_silent_loss_is_heard(change: Callable[[Result], None]) -> None:
    assert laws.law3(CONVERSATION, "openai_chat", "litellm", sabotaged(change))


def loud(path: str, kind: Any, at: str | None = None) -> il.Loss:
    return il.Loss(path, at, kind, "as it should be")


REPORTED: dict[str, tuple[Callable[[Result], None], il.Loss]] = {
    "a field": (drop_a_field, loud("/messages/1/name", "dropped")),
    "a field of the request": (drop_a_request_field, loud("/temperature", "dropped")),
    "a nested field": (drop_a_nested_field, loud("/messages/1/content/2/image_url/detail", "dropped")),
    "a part": (drop_a_part, loud("/messages/1/content/2", "dropped")),
    "a message": (drop_a_message, loud("/messages/5", "dropped")),
    "a role": (change_a_role, loud("/messages/0", "changed", "/messages/0")),
    "a place": (move_a_part, loud("/messages/1/content/2", "moved", "/messages/5/content/0")),
    "arguments": (round_an_argument, loud("/messages/2/tool_calls/0", "changed", "/messages/2/tool_calls/0")),
    "an addition": (invent_a_message, loud("", "added", "/messages/6")),
}


@pytest.mark.parametrize(("change", "loss"), REPORTED.values(), ids=REPORTED)
def test_a_reported_loss_is_neither_silent_nor_phantom(change: Callable[[Result], None], loss: il.Loss) -> None:
    def both(result: Result) -> None:
        if resolvable(result, loss):
            change(result)
            result.losses.append(loss)

    convert = sabotaged(both)
    assert laws.law3(CONVERSATION, "openai_chat", "litellm", convert) == []
    assert laws.law4(CONVERSATION, "openai_chat", "litellm", convert) == []


def resolvable(result: Result, loss: il.Loss) -> bool:
    """Law 4 converts again without what was reported as dropped; then there is nothing to drop."""
    return loss.kind != "dropped" or documents.resolves(result.payload, loss.path)


PHANTOMS = {
    "a dropped field that is there": loud("/messages/1/name", "dropped"),
    "a dropped part that is there": loud("/messages/1/content/2", "dropped"),
    "a changed part that is the same": loud("/messages/1/content/0", "changed", "/messages/1/content/0"),
    "a changed message that is the same": loud("/messages/1", "changed", "/messages/1"),
    "a changed call that is the same": loud("/messages/2/tool_calls/0", "changed", "/messages/2/tool_calls/0"),
    "a changed field that is the same": loud("/messages/1/content/2/image_url/detail", "changed"),
    "a moved part that stands where it stood": loud("/messages/1/content/2", "moved", "/messages/1/content/2"),
    "an addition that was there": loud("/messages/1", "added", "/messages/1"),
    "what is not there at all": loud("/messages/9", "dropped"),
    "the whole request": loud("", "changed", ""),
    "all the messages": loud("/messages", "dropped"),
}


@pytest.mark.parametrize("loss", PHANTOMS.values(), ids=PHANTOMS)
def test_a_phantom_loss_is_seen_through(loss: il.Loss) -> None:
    convert = sabotaged(lambda result: result.losses.append(loss))
    assert laws.law4(CONVERSATION, "openai_chat", "litellm", convert)


def test_a_loss_reported_twice_is_once_too_often() -> None:
    def twice(result: Result) -> None:
        result.payload.pop("temperature", None)
        result.losses += [loud("/temperature", "dropped")] * 2

    found = laws.law4(CONVERSATION, "openai_chat", "litellm", sabotaged(twice))
    assert any("twice" in fault for fault in found)


def change_a_spelling(payload: Any) -> None:
    payload["messages"][0]["content"] = [{"type": "text", "text": "Be brief."}]


def say_null(payload: Any) -> None:
    payload["messages"][0]["name"] = None


def make_an_int_a_float(payload: Any) -> None:
    payload["max_tokens"] = 100.0


def lose_a_message(payload: Any) -> None:
    payload["messages"].pop()


@pytest.mark.parametrize("spoil", [change_a_spelling, say_null, make_an_int_a_float, lose_a_message])
def test_a_dump_to_the_same_format_must_be_exact(spoil: Callable[[Any], None]) -> None:
    def home(payload: Any, _: str) -> Any:
        spoil(payload)
        return payload

    assert laws.law2(CONVERSATION, "openai_chat", home)


def anthropic_body(*content: Any, **more: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": list(content)}], **more}


def text(value: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": value, **more}


def turn(*blocks: Any, answers: Iterator[str] | tuple[str, ...] = ()) -> dict[str, Any]:
    """A question, an assistant's turn of these blocks, and results for these ids."""
    results = [{"type": "tool_result", "tool_use_id": id, "content": "r"} for id in answers]
    held = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": list(blocks)},
        {"role": "user", "content": results},
    ]
    return {"model": "m", "max_tokens": 9, "messages": held if results else held[:2]}


def use(id: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "f", "input": {}, **more}


REFUSED_BY_ANTHROPIC: dict[str, dict[str, Any]] = {
    "an empty text": anthropic_body(text("")),
    "a blank text": anthropic_body(text(" \n")),
    "an unknown key": anthropic_body(text(foo=1)),
    "an unknown field": anthropic_body(text(), foo=1),
    "an OpenAI part": anthropic_body({"type": "image_url", "image_url": {"url": "https://example.org/"}}),
    "an image type": anthropic_body({"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": "aaaa"}}),
    "base64 that is none": anthropic_body(
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "a*"}}
    ),
    "a system message first": {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]},
    "a tool role": {"messages": [{"role": "user", "content": "q"}, {"role": "tool", "content": "r"}]},
    "no content": {"messages": [{"role": "user", "content": []}]},
    "text before results": {
        "messages": [
            *turn(use("a"))["messages"],
            {"role": "user", "content": [text(), {"type": "tool_result", "tool_use_id": "a"}]},
        ]
    },
    "a call without a result": {"messages": [*turn(use("a"))["messages"], {"role": "user", "content": "q"}]},
    "a result without a call": turn(text(), answers=("a",)),
    "two results for one call": turn(use("a"), answers=("a", "a")),
    "an id twice": turn(use("a"), use("a"), answers=("a", "a")),
    "an illegal id": turn(use("a.b"), answers=("a.b",)),
    "a long name": turn(use("a", name="f" * 129), answers=("a",)),
    "an input of text": turn(use("a", input="{}"), answers=("a",)),
    "unsigned thinking": turn({"type": "thinking", "thinking": "t", "signature": ""}, text()),
    "thinking without a signature": turn({"type": "thinking", "thinking": "t"}, text()),
    "an image in an error": anthropic_body(),
    "five cache marks": anthropic_body(*(text(cache_control={"type": "ephemeral"}) for _ in range(5))),
    "a cut-off space": {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "Yes, "}]},
    "a tool without a name": anthropic_body(text(), tools=[{"input_schema": {"type": "object"}}]),
}


@pytest.mark.parametrize("body", REFUSED_BY_ANTHROPIC.values(), ids=REFUSED_BY_ANTHROPIC)
def test_what_anthropic_refuses_is_found(body: dict[str, Any]) -> None:
    assert oracles.server_faults(body, "anthropic") + sdks.request_faults(body, "anthropic")


def openai_turn(calls: tuple[str, ...], *after: dict[str, Any]) -> dict[str, Any]:
    made = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in calls]
    return {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": made}, *after]}


def tool(id: str, content: Any = "r") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}

REFUSED_BY_OPENAI: dict[str, dict[str, Any]] = {
    "no messages": {"messages": []},
    "an unknown key": {"messages": [{"role": "user", "content": [text(cache_control={"type": "ephemeral"})]}]},
    "an unknown field": {"messages": [{"role": "user", "content": "q"}], "thinking": {}},
    "an Anthropic part": {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}]},
    "empty content": {"messages": [{"role": "user", "content": []}]},
    "an assistant of nothing": {"messages": [{"role": "assistant"}]},
    "a result too many": openai_turn(("a",), tool("a"), tool("b")),
    "a result twice": openai_turn(("a",), tool("a"), tool("a")),
    "a call without a result": openai_turn(("a", "b"), tool("a"), {"role": "user", "content": "q"}),
    "a message between": openai_turn(("a",), {"role": "user", "content": "q"}, tool("a")),
    "an image in a result": openai_turn(("a",), tool("a", [IMAGE])),
    "an image by the assistant": {"messages": [{"role": "assistant", "content": [IMAGE]}]},
    "a long id": openai_turn(("a" * 65,), tool("a" * 65)),
    "a name with a space": {"messages": [{"role": "user", "content": "q", "name": "Ann B"}]},
    "a file without a name": {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_data": "aaaa"}}]}]},
    "five stops": {"messages": [{"role": "user", "content": "q"}], "stop": list("abcde")},
    "arguments as an object": {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {}}}]},
        ]
    },
    "refusal beside text": {"messages": [{"role": "assistant", "content": [text(), {"type": "refusal", "refusal": "No."}]}]},
}


@pytest.mark.parametrize("body", REFUSED_BY_OPENAI.values(), ids=REFUSED_BY_OPENAI)
def test_what_openai_refuses_is_found(body: dict[str, Any]) -> None:
    assert oracles.server_faults(body, "openai_chat") + sdks.request_faults(body, "openai_chat")


def test_sound_requests_have_no_faults() -> None:
    sound = turn({"type": "thinking", "thinking": "", "signature": "s"}, text(), use("a"), use("b"), answers=("b", "a"))
    sound["system"] = [text(cache_control={"type": "ephemeral", "ttl": "1h"})]
    sound["tools"] = [{"name": "f", "input_schema": {"type": "object", "properties": {}, "additionalProperties": False}}]
    assert oracles.server_faults(sound, "anthropic") == []
    assert sdks.request_faults(sound, "anthropic") == []
    assert sdks.spec_faults(sound, "anthropic") == []
    for oracle in (oracles.server_faults, sdks.request_faults, sdks.spec_faults):
        assert oracle(CONVERSATION, "openai_chat") == []


def test_a_fault_of_the_input_is_not_the_conversions() -> None:
    """An orphaned result is passed through, for others to repair; an unknown key that is carried over is never excused."""

    def carried(payload: Any, *, source: str, target: str) -> Result:
        return Result({"messages": payload["messages"]}, [], {"/messages/0": "/messages/0"})

    orphan = {"messages": [tool("a")]}
    assert oracles.law5(orphan, "openai_chat", "litellm", carried) == []
    extra = {"messages": [{"role": "user", "content": "q", "foo": 1}]}
    assert oracles.law5(extra, "litellm", "openai_chat", carried)


@pytest.mark.parametrize(("lost", "excused"), [("/input/0", True), ("/input/1/id", False)])
def test_an_answer_comes_first_only_where_what_was_before_it_is_dropped(lost: str, excused: bool) -> None:
    said = {"role": "assistant", "content": "b"}

    def carried(payload: Any, *, source: str, target: str) -> Result:
        return Result({"model": "m", "max_tokens": 1, "messages": [said]}, [il.Loss(lost, None, "dropped", "")], {})

    wire = {"input": [{"role": "user", "content": "a"}, said]}
    assert (oracles.law5(wire, "openai_responses", "anthropic", carried) == []) == excused


def test_an_item_of_one_format_alone_is_not_a_turn() -> None:
    tool = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False}
    items = [
        {"type": "additional_tools", "role": "developer", "tools": [tool]},
        {"type": "new_item", "note": "n"},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": "b"},
    ]
    for target in ("openai_chat", "anthropic"):
        assert oracles.law5({"model": "m", "input": items, "max_output_tokens": 16}, "openai_responses", target) == []


def test_the_specifications_bite() -> None:
    for format in sdks.SDKS:
        if sdks.SDKS[format].spec is None:
            continue
        if sdks.spec_type(format) is None:
            pytest.skip("no published specifications here")
        assert sdks.spec_faults({"messages": [{"role": "nobody", "content": 1}], "input": 5, "prompt": {}}, format)


def test_law7_sees_what_is_mutated_or_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = il.convert

    def mutating(payload: Any, **named: Any) -> Any:
        payload["messages"].pop()
        return real(payload, **named)

    monkeypatch.setattr(doors, "convert", mutating)
    assert any("mutated" in fault for fault in laws.law7(copy.deepcopy(CONVERSATION), "openai_chat", "anthropic"))

    def keeping(payload: Any, **named: Any) -> Any:
        result = real(payload, **named)
        result.payload["messages"].append(payload["messages"][1])
        return result

    monkeypatch.setattr(doors, "convert", keeping)
    assert any("pieces" in fault for fault in laws.law7(copy.deepcopy(CONVERSATION), "openai_chat", "anthropic"))


def test_numbers_and_booleans_are_distinguished() -> None:
    assert documents.canonical({"a": 1}) != documents.canonical({"a": True})
    assert documents.arguments('{"a": 1, "a": 2}') != documents.arguments('{"a": 2}')
    assert documents.arguments("{") == {"<not json>": "{"}
    assert documents.arguments(json.dumps({"a": 2**80})) == {"a": 2**80}
