"""Nothing is lost silently between canonical messages and each format."""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook import spoke
from interlingua.testing.lawbook.documents import is_array, is_object

# A prompt is one text, which no list of messages comes back from; the laws of its own format and of pairs are all it has.
FORMATS = [name for name, format in il.FORMATS.items() if format.listed != "prompt"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("rest", [[], [{"role": "user", "content": "Hm?"}]], ids=["alone", "before a question"])
@pytest.mark.parametrize("role", ["system", "developer"])
def test_a_leading_message_that_says_nothing_makes_no_difference(role: str, rest: list[Any], format: str) -> None:
    said: list[list[Any]] = [["Be brief.", []], [[], "Be brief."], [[], "Be brief.", []]]
    for leading in said:
        messages = il.validate([*({"role": role, "content": content} for content in leading), *rest])
        dumped = spoke.Spoke.of(il.Request(messages=messages), il.FORMATS[format])
        assert [*dumped.faults(), *spoke.differences(dumped)] == []
        assert [loss for loss in dumped.losses if "become one" in loss.detail] == []


# The judge, judged

TOOL: dict[str, Any] = {
    "type": "function",
    "name": "add",
    "description": "Adds.",
    "parameters": {"type": "object", "properties": {"x": {}}},
}
CONVERSATION = il.validate(
    [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                {"type": "text", "text": "And that?"},
            ],
        },
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                {"id": "a", "name": "add", "arguments": '{"x": 1}'},
                {"id": "b", "name": "add", "arguments": '{"x": 2}'},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "tool", "tool_call_id": "b", "content": "two"},
        {"role": "assistant", "content": "Done."},
    ]
)

REQUEST = il.Request(messages=CONVERSATION, tools=[TOOL], model="m")

Fault = Callable[[Any, Any], None]
"""Spoils a payload, and the record of its dump."""


def spoilt(name: str, fault: Fault) -> il.Format:
    """The format, its dumps spoilt."""
    real = il.FORMATS[name]

    def dump(request: il.Request, messages: Sequence[Any], record: Any) -> dict[str, Any]:
        payload = copy.deepcopy(real.dump(request, messages, record))
        fault(payload, record)
        return payload

    return replace(real, dump=dump)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if is_object(value):
        yield value
    for item in value.values() if is_object(value) else value if is_array(value) else ():
        yield from objects(item)


def the_text(payload: Any, text: str) -> tuple[dict[str, Any], str]:
    """What holds a text, and under which key."""
    return next((held, key) for held in objects(payload) for key in ("text", "content") if held.get(key) == text)


def drop_a_part(payload: Any, record: Any) -> None:
    next(message["content"] for message in payload["messages"] if message["role"] == "user").pop()


def drop_the_image(payload: Any, record: Any) -> None:
    parts = next(message["content"] for message in payload["messages"] if message["role"] == "user")
    at = next(f"/messages/{i}/content" for i, message in enumerate(payload["messages"]) if message["content"] is parts)
    del parts[1]
    record.places[f"{at}/1"] = record.places.pop(f"{at}/2")


def drop_the_last_message(payload: Any, record: Any) -> None:
    payload["messages"].pop()


def drop_a_call(payload: Any, record: Any) -> None:
    for held in objects(payload):
        for key in ("tool_calls", "content"):
            calls: Any = held.get(key)
            if is_array(calls) and (key == "tool_calls" or calls[-1]["type"] == "tool_use"):
                calls.pop()
                return


def swap_the_ids(payload: Any, record: Any) -> None:
    for held in objects(payload):
        for key in ("tool_call_id", "tool_use_id"):
            if key in held:
                held[key] = "b" if held[key] == "a" else "a"


def change_a_text(payload: Any, record: Any) -> None:
    held, key = the_text(payload, "What is this?")
    held[key] += " "


def change_a_result(payload: Any, record: Any) -> None:
    held, key = the_text(payload, "two")
    held[key] = "too"


def change_the_arguments(payload: Any, record: Any) -> None:
    for held in objects(payload):
        if held.get("arguments") == '{"x": 1}':
            held["arguments"] = '{"x": 1.0}'
        if held.get("input") == {"x": 1}:
            held["input"] = {"x": 1.0}


def exchange_the_texts(payload: Any, record: Any) -> None:
    (one, key), (other, name) = the_text(payload, "What is this?"), the_text(payload, "And that?")
    one[key], other[name] = other[name], one[key]


def invent_a_message(payload: Any, record: Any) -> None:
    payload["messages"].append({"role": "user", "content": "Go on."})


def drop_a_setting(payload: Any, record: Any) -> None:
    del payload["model"]


def change_a_setting(payload: Any, record: Any) -> None:
    payload["model"] = "n"


def drop_the_tools(payload: Any, record: Any) -> None:
    del payload["tools"]


def change_a_tool(payload: Any, record: Any) -> None:
    for held in objects(payload["tools"]):
        if "description" in held:
            held["description"] += " "


def report_what_is_there(payload: Any, record: Any) -> None:
    record.drop("/messages/1/content/0", "it is there")


def report_twice(payload: Any, record: Any) -> None:
    for detail in ("it is there", "it is still there"):
        record.report("changed", "/messages/1/content/0", "/messages/1/content/0", detail)


PLANTED = [
    drop_a_part,
    drop_the_image,
    drop_the_last_message,
    drop_a_call,
    swap_the_ids,
    change_a_text,
    change_a_result,
    change_the_arguments,
    exchange_the_texts,
    invent_a_message,
    drop_a_setting,
    change_a_setting,
    drop_the_tools,
    change_a_tool,
    report_what_is_there,
    report_twice,
]


@pytest.mark.parametrize("format", ["openai_chat", "openrouter", "anthropic"])
@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found(fault: Fault, format: il.FormatName) -> None:
    assert spoke.faults(REQUEST, il.FORMATS[format]) == []
    assert spoke.faults(REQUEST, spoilt(format, fault))


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_a_loss_of_what_makes_a_difference_is_found(format: il.FormatName) -> None:
    def report_a_setting(payload: Any, record: Any) -> None:
        record.drop("/model", "it is there")

    assert list(spoke.differences(spoke.Spoke.of(REQUEST, il.FORMATS[format]))) == []
    assert list(spoke.differences(spoke.Spoke.of(REQUEST, spoilt(format, report_a_setting))))


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_a_loss_that_is_not_reported_is_found(format: il.FormatName) -> None:
    """What the formats do lose: a refusal and a redaction, an error, the name of a user."""
    lossy = il.validate(
        [
            {"role": "user", "name": "ann", "content": "q"},
            {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "eA==", "issuer": "x"}, "a"][:1]},
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]},
            {"role": "tool", "tool_call_id": "a", "is_error": True, "content": "no"},
        ]
    )

    def keep_silent(payload: Any, record: Any) -> None:
        record.losses.clear()

    assert spoke.faults(lossy, il.FORMATS[format]) == []
    assert spoke.faults(lossy, spoilt(format, keep_silent))


@pytest.mark.parametrize("format", FORMATS)
def test_an_escape_that_is_undone_takes_no_other_calls_id(format: il.FormatName) -> None:
    calls = [{"id": id, "name": "f", "arguments": "{}"} for id in ("il_a_2e_b", "a.b")]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": call["id"]} for call in calls]
    messages = il.validate([{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": calls}, *results])
    assert spoke.faults(messages, il.FORMATS[format]) == []


@pytest.mark.parametrize("format", FORMATS)
def test_a_name_that_says_which_call_a_result_answers_is_not_lost(format: il.FormatName) -> None:
    calls = [{"type": "tool_use", "name": name, "input": "{}"} for name in ("f", "g")]
    results = [{"type": "tool_result", "name": name, "content": name} for name in ("g", "f", "h")]
    told: list[Any] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": results},
    ]
    judged = spoke.Spoke.of(il.Request(messages=il.validate(told)), il.FORMATS[format])
    assert [*judged.faults(), *spoke.differences(judged)] == []


def test_nulls_of_a_citation_are_no_part_of_it() -> None:
    place = {"type": "document", "unit": "character", "document": 0, "source_start": 0, "source_end": 1, "cited_text": "a"}
    cited = {**place, "provider_data": {"anthropic": {"document_title": None}}}
    told = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [{"type": "text", "text": "a", "citations": [cited]}]},
    ]
    assert spoke.faults(il.validate(told), il.FORMATS["bedrock_converse"]) == []
