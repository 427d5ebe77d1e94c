"""Errors are values: they compare, they can be pickled, and they say what is wrong without showing the input."""

import json
import pickle
import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, cast, get_args

import pytest
from hypothesis import given as drawn, strategies as st
from pydantic import BaseModel, Discriminator, Field, Tag, TypeAdapter, ValidationError

import interlingua as il
from interlingua import testing
from interlingua.errors.faults import TAGS, Fault, faults_of
from interlingua.model.base import members
from interlingua.model.parts import Source
from interlingua.testing.lawbook import share
from laws import over


def refused(content: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        il.UserMessage(content=content)
    return caught.value


LOSS = il.Loss("/messages/0/name", None, "dropped", "Anthropic messages have no `name` field")
ERRORS = [
    il.UnknownFormat("morse", ["openai_chat"]),
    il.UnknownFormat("alpaca", lacks="streams"),
    il.InvalidPayload([Fault("/a", "no")], "it looks like a request"),
    il.LossyConversion([LOSS]),
    il.StreamError("broken"),
    il.ProviderError("busy", type="overloaded_error", code="x", status=529, body={"a": [1]}, origin="anthropic"),
]


@pytest.mark.parametrize("error", ERRORS, ids=str)
def test_errors_are_equal_by_what_they_carry_and_survive_pickling(error: il.InterlinguaError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own bytes
    assert (again, hash(again), str(again)) == (error, hash(error), str(error))
    assert error not in [other for other in ERRORS if other is not error]


@pytest.mark.parametrize(
    ("error", "entries"),
    [
        (il.InvalidPayload([Fault("/a", "no"), Fault("/b", "nor")]), [("/a", "no"), ("/b", "nor")]),
        (il.LossyConversion([LOSS]), [("/messages/0/name", "dropped: Anthropic messages have no `name` field")]),
        (il.StreamError("broken"), [("", "broken")]),
        (refused(5), [("/content", "Input should be text or a list of parts")]),
        (KeyError("a secret"), [("", "KeyError")]),
    ],
)
def test_the_body_of_an_error_has_a_path_and_a_reason_for_each_fault(error: Exception, entries: list[tuple[str, str]]) -> None:
    assert il.error_body(error) == {"errors": [{"path": path, "reason": reason} for path, reason in entries]}


@pytest.mark.parametrize("name", ["openai_chat", "mistral", "ollama"])
def test_arguments_that_are_neither_text_nor_an_object_are_told_what_they_should_be(name: il.FormatName) -> None:
    calls = [{"id": "callA0001", "type": "function", "function": {"name": "weigh", "arguments": 42}}]
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "", "tool_calls": calls}]
    with pytest.raises(il.InvalidPayload) as caught:
        il.convert({"model": "m", "messages": messages}, source=name, target="anthropic")
    fault = Fault("/messages/1/tool_calls/0/function/arguments", "Input should be JSON text or an object")
    assert list(caught.value.faults) == [fault]


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ({"role": "user", "content": "x", "<text>": 1}, "/0/<text>"),
        ({"role": "user", "content": [{"type": "text", "text": "x", "<parts>": 1}]}, "/0/content/0/<parts>"),
        (
            {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "x", "a/b": 1}}]},
            "/0/content/0/source/a~1b",
        ),
    ],
)
def test_an_unknown_key_is_named_whatever_it_looks_like(message: dict[str, Any], path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate([message])
    assert [fault.path for fault in caught.value.faults] == [path]


def tags_of(union: Any, field: str) -> set[str]:
    """The tags of a union of models."""
    return {tag for model in members(union) for tag in get_args(model.model_fields[field].annotation)}


def test_the_tags_are_those_of_the_models() -> None:
    typed = (tags_of(union, "type") for union in (il.Part, il.Citation, il.AnyTool, il.Event, Source))
    assert tags_of(il.Message, "role").union(*typed) == TAGS


class Held(BaseModel):
    """Unions of ours in a model of the user's own."""

    history: list[il.Message] = []
    tools: list[il.AnyTool] = []
    events: list[il.Event] = []


URL = "/history/0/content/0/source/url"
THINKING = {"type": "thinking", "thinking": 7}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"history": [{"role": "user", "content": [{"type": "text", "text": 7}]}]}, "/history/0/content/0/text"),
        ({"history": [{"role": "assistant", "thinking_blocks": [THINKING]}]}, "/history/0/thinking_blocks/0/thinking"),
        (
            {"history": [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": 7}]}]},
            "/history/0/tool_calls/0/arguments",
        ),
        ({"history": [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": 7}}]}]}, URL),
        ({"tools": [{"type": "function", "name": 7}]}, "/tools/0/name"),
        ({"events": [{"type": "arguments", "index": 0, "arguments": 7}]}, "/events/0/arguments"),
        ({"events": [{"type": "usage", "usage": {"input_tokens": "7"}}]}, "/events/0/usage/input_tokens"),
    ],
)
def test_a_path_has_the_fields_and_not_the_tags(value: Any, path: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Held.model_validate(value)
    assert [entry["path"] for entry in il.error_body(caught.value)["errors"]] == [path]


def test_a_path_into_wire_data_has_every_field_that_is_named_like_a_tag() -> None:
    class Wire(BaseModel):
        parts: list[dict[str, int]]

    with pytest.raises(ValidationError) as caught:
        Wire.model_validate({"parts": [{"text": "x"}]})
    assert [fault.path for fault in faults_of(caught.value, wire=True)] == ["/parts/0/text"]


def test_the_body_of_an_error_is_bounded() -> None:
    body = il.error_body(il.InvalidPayload([Fault(f"/{i}" * 300, "no" * 300) for i in range(5)]), most=2)
    assert (len(body["errors"]), body["more"]) == (2, 3)
    assert all(len(text) <= 201 for entry in body["errors"] for text in entry.values())


def test_the_body_of_an_error_can_be_sent_whatever_was_given() -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.tool_results(il.AssistantMessage(), {"\ud800": "x"})
    assert json.dumps(il.error_body(caught.value), ensure_ascii=False).encode()


def one_of(value: Any) -> str | None:
    return {"int": "integer", "list": "list", "bool": "flag"}.get(type(value).__name__)


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Own(BaseModel):
    """Unions of the user's own, with a field or a function for the tag."""

    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    size: Annotated[Annotated[int, Tag("integer")] | Annotated[list[int], Tag("list")], Discriminator(one_of)] = 0


@pytest.mark.parametrize(
    ("given", "path", "reason"),
    [
        ({"pet": {"kind": "eel"}}, "/pet/kind", "unknown kind; must be one of 'cat', 'dog'"),
        ({"pet": {}}, "/pet/kind", "Field required: it says which kind of object this is"),
        ({"size": "big"}, "/size", "Input should be one of several kinds"),
        ({"size": True}, "/size", "Input should be one of 'integer', 'list'"),
    ],
)
def test_a_fault_in_a_union_of_the_users_own_has_its_own_words(given: Any, path: str, reason: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Own.model_validate(given)
    assert il.error_body(caught.value) == {"errors": [{"path": path, "reason": reason}]}


UNTAGGED: list[tuple[Any, Any, str, str]] = [
    ([{}], list[il.Message], "/0/role", "message"),
    ({"messages": [{}]}, il.Request, "/messages/0/role", "message"),
    ({"messages": [], "tools": [{"name": "f"}]}, il.Request, "/tools/0/type", "tool"),
    ([{"role": "user", "content": [{"text": "x"}]}], list[il.Message], "/0/content/0/type", "part"),
    ([{"role": "assistant", "thinking_blocks": [{}]}], list[il.Message], "/0/thinking_blocks/0/type", "part"),
    ([{"type": "tool_result", "content": [{}]}], list[il.Part], "/0/content/0/type", "part"),
    ([{"type": "part", "index": 0, "part": {}}], list[il.Event], "/0/part/type", "part"),
    ([{"type": "image", "source": {"url": "https://example.org"}}], list[il.Part], "/0/source/type", "source"),
    ([{"type": "text", "text": "x", "citations": [{}]}], list[il.Part], "/0/citations/0/type", "citation"),
    ([{}], list[il.Event], "/0/type", "object"),
]


@pytest.mark.parametrize(("given", "of", "path", "kind"), UNTAGGED)
def test_a_missing_tag_is_asked_for_by_the_kind_of_its_object(given: Any, of: Any, path: str, kind: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(of).validate_python(given)
    assert il.error_body(caught.value) == {
        "errors": [{"path": path, "reason": f"Field required: it says which kind of {kind} this is"}]
    }


@pytest.mark.parametrize(
    ("function", "faults"),
    [
        (5, [("/messages/0/tool_calls/0/function", "Input should be a valid dictionary")]),
        ({"arguments": "{}"}, [("/messages/0/tool_calls/0/function/name", "Field required")]),
    ],
)
def test_a_wrong_function_in_a_wire_request_is_that_fault(function: Any, faults: list[tuple[str, str]]) -> None:
    call = {"id": "c", "type": "function", "function": function}
    with pytest.raises(il.InvalidPayload) as caught:
        il.load({"messages": [{"role": "assistant", "tool_calls": [call]}]}, "openai_chat")
    assert [tuple(fault) for fault in caught.value.faults] == faults


@pytest.mark.parametrize("kind", [{"type": "function"}, {"type": None}, {}], ids=repr)
def test_a_wrong_function_of_a_chat_tool_is_that_fault_with_or_without_its_type(kind: dict[str, Any]) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load({"messages": [], "tools": [{**kind, "function": {"name": 5}}]}, "openai_chat")
    assert [fault.path for fault in caught.value.faults] == ["/tools/0/function/name"]


@pytest.mark.parametrize("given", [5, "text", {"messages": []}, il.UserMessage(content="x")])
def test_what_is_no_list_of_messages_is_not_dumped(given: Any) -> None:
    with pytest.raises(il.InvalidPayload, match="a Request, a Conversation or a list of messages"):
        il.dump(given, "openai_chat")


def test_a_format_without_streams_says_so() -> None:
    for begin in (il.reader, il.writer):
        with pytest.raises(il.UnknownFormat, match="alpaca"):
            begin("alpaca")


# Hints

CONTENTS: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}
ASKED: dict[str, Any] = {"role": "user", "content": "Hi."}
MCP: dict[str, Any] = {"name": "f", "inputSchema": {"type": "object"}}
OWN_TOOLS: list[tuple[str, dict[str, Any]]] = [
    ("openai_chat", {"function": {"name": "f"}}),
    ("openai_chat", {"type": "custom", "custom": {"name": "f"}}),
    ("anthropic", {"name": "f", "input_schema": {"type": "object"}}),
    ("anthropic", {"type": "custom", "name": "f", "input_schema": {"type": "object"}}),
    ("anthropic", {"type": "web_search_20250305", "name": "web_search"}),
    ("openai_responses", {"type": "web_search"}),
    ("openai_responses", {"type": "mcp", "server_label": "x"}),
    ("gemini", {"functionDeclarations": [{"name": "f"}]}),
    ("gemini", {"googleSearch": {}}),
    ("bedrock_converse", {"toolSpec": {"name": "f", "inputSchema": {"json": {}}}}),
    ("bedrock_converse", {"cachePoint": {"type": "default"}}),
]


NESTED: dict[str, Any] = {"type": "function", "function": {"name": "f"}}


HINTS: dict[str, tuple[Callable[[], object], str]] = {
    "a request as messages": (lambda: il.validate({"messages": [ASKED]}), 'use il.load(payload, "openai_chat")'),
    "text of a request as messages": (
        lambda: il.validate(json.dumps({"messages": [ASKED], "max_tokens": 9, "system": "x"})),
        'il.load(payload, "anthropic")',
    ),
    "a request as a canonical one": (
        lambda: il.validate({"messages": [ASKED], "tools": [NESTED]}, il.Request),
        'il.load(payload, "openai_chat")',
    ),
    "a response as a canonical one": (
        lambda: il.validate({"choices": [{"message": ASKED}]}, il.Response),
        'il.load_response(body, "openai_chat")',
    ),
    "a request as what is dumped": (
        lambda: il.dump(cast("il.Request", {"messages": [ASKED]}), "anthropic"),
        'il.load(payload, "openai_chat")',
    ),
    "LangChain's messages": (lambda: il.validate([{"type": "human", "content": "Hi."}]), "messages of LangChain"),
    "LangChain's messages as OpenAI's": (
        lambda: il.load([{"type": "human", "content": "Hi."}], "openai_chat"),
        "messages of LangChain",
    ),
    "LangChain's role": (
        lambda: il.validate([{"role": "human", "content": "Hi."}]),
        "('human' is LangChain's word for 'user')",
    ),
    "Gemini's role": (lambda: il.validate([{"role": "model", "parts": []}]), "('model' is Gemini's word for 'assistant')"),
    "Gemini's request": (lambda: il.load(CONTENTS, "openai_chat"), "a request of Gemini (contents, contents[].parts"),
    "Gemini's request converted": (
        lambda: il.convert(CONTENTS, source="anthropic", target="openai_chat"),
        "a request of Gemini",
    ),
    "a request of Responses": (
        lambda: il.load({"model": "m", "input": "Hi."}, "anthropic"),
        "a request of OpenAI's Responses API or Gemini's Interactions API (input, model)",
    ),
    "a part of Responses": (
        lambda: il.validate([{"role": "user", "content": [{"type": "input_text", "text": "Hi."}]}]),
        "('input_text' is the Responses API's word for 'text')",
    ),
    "a misspelt role": (
        lambda: il.validate([{"role": "asistant", "content": "Hi."}]),
        "unknown role (did you mean 'assistant'?)",
    ),
    "a role in capitals": (lambda: il.validate([{"role": "USER", "content": "Hi."}]), "(did you mean 'user'?)"),
    "a misspelt type": (
        lambda: il.validate([{"role": "user", "content": [{"type": "txt", "text": "Hi."}]}]),
        "(did you mean 'text'?)",
    ),
    "a nested tool": (lambda: il.validate(NESTED, il.Tool), "this is a provider's tool"),
    "a nested tool built": (lambda: il.Tool(**NESTED), "this is a provider's tool"),
    "Anthropic's tool": (lambda: il.validate({"name": "f", "input_schema": {}}, il.Tool), 'il.load(..., "anthropic")'),
    "Chat's tool": (lambda: il.validate(NESTED, il.Tool), 'il.load(..., "openai_chat")'),
    **{
        f"a tool of {name}: {json.dumps(tool)}": (
            partial(il.validate, {"messages": [ASKED], "tools": [tool]}, il.Request),
            f'give the request to il.load(..., "{name}")',
        )
        for name, tool in OWN_TOOLS
    },
    "a tool of MCP": (
        lambda: il.validate({"messages": [ASKED], "tools": [MCP]}, il.Request),
        "rename its inputSchema to parameters",
    ),
    "a role in a builder": (
        lambda: il.ChatMessageBuilder().append({"role": "asistant", "content": "Hi."}),
        "/role: unknown role (did you mean",
    ),
}


@pytest.mark.parametrize("name", HINTS)
def test_an_error_says_what_was_meant(name: str) -> None:
    refuse, words = HINTS[name]
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        refuse()
    assert "Hi." not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        [{"role": "user", "content": 5}],
        [{"role": "wizard", "content": "Hi."}],
        [{"role": "user", "content": [{"type": "image", "source": {"type": "url"}}]}],
        [{"role": "x" * 10**6}],
        [{"role": {"a": 1}}],
        {},
        5,
    ],
)
def test_what_is_only_wrong_has_no_hint(given: Any) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(given)
    assert caught.value.hint is None
    assert "did you mean" not in str(caught.value)


@over.formats([name for name, format in il.FORMATS.items() if format.listed != "prompt"])
@drawn(data=st.data())
def test_the_call_that_a_hint_names_reads_the_payload(format: il.FormatName, data: st.DataObject) -> None:
    payload = data.draw(testing.payloads(format, odd=False))
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(payload)
    named = re.search(r'il\.load\(payload, "(\w+)"\)', caught.value.hint or "")
    assert "interlingua has no format for it" not in (caught.value.hint or "")
    if share.judged(named is not None, least=0.9) and named is not None:  # an empty list of messages looks like nothing
        assert il.load(payload, il.format_of(named[1])).origin == named[1]


def test_the_first_faults_alone_say_what_was_meant() -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate([{"role": f"asistant{i}", "content": "Hi."} for i in range(1000)])
    reasons = [fault.reason for fault in caught.value.faults]
    assert (len(reasons), sum("did you mean" in reason for reason in reasons)) == (1000, 20)


MISSPELT = {
    "openai-chat": "openai_chat",
    "OpenAI Chat": "openai_chat",
    "openai": "openai_chat",
    "antropic": "anthropic",
    "Anthropic": "anthropic",
    "claude": "anthropic",
    "gemni": "gemini",
    "bedrock": "bedrock_converse",
    "bedrock-converse": "bedrock_converse",
    "openai_response": "openai_responses",
    "google-genai": "google_genai",
}
SSE: Callable[..., object] = il.sse
RESTREAM: Callable[..., object] = il.restream
DUMP: Callable[..., object] = il.dump
CONVERT: Callable[..., object] = il.convert
DOORS: dict[str, Callable[[Any], object]] = {
    "format_of": il.format_of,
    "load": lambda name: il.load({}, name),
    "dump": lambda name: DUMP([], name),
    "convert from": lambda name: il.convert({}, source=name, target="anthropic"),
    "convert to": lambda name: CONVERT({"messages": []}, source="anthropic", target=name),
    "load_response": lambda name: il.load_response({}, name),
    "dump_error": lambda name: il.dump_error(il.ProviderError("x"), name),
    "check": lambda name: il.check([], name),
    "repair": lambda name: il.repair([], name),
    "reader": il.reader,
    "writer": il.writer,
    "restream from": lambda name: RESTREAM([], source=name, target="anthropic"),
    "restream to": lambda name: RESTREAM([], source="anthropic", target=name),
    "sse": lambda name: SSE([], name),
    "endpoint": lambda name: il.endpoint(il.Request(messages=()), name),
    "json_schema": il.json_schema,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", MISSPELT)
def test_a_misspelt_format_is_answered_with_the_one_that_is_meant(name: str, door: str) -> None:
    with pytest.raises(
        il.UnknownFormat, match=re.escape(f"{name!r} (did you mean {MISSPELT[name]!r}?); must be one of")
    ) as caught:
        DOORS[door](name)
    assert caught.value.__reduce__() == (il.UnknownFormat, (name, caught.value.known, None))


@pytest.mark.parametrize("name", ["nothing", "", "x" * 10**6, None, 5])
def test_what_is_like_no_format_has_no_suggestion(name: Any) -> None:
    with pytest.raises(il.UnknownFormat) as caught:
        il.format_of(name)
    assert "did you mean" not in str(caught.value)


CUT = '{"messages": [{"role": "user", "content": "Hello'


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n", "\t"])
@pytest.mark.parametrize("text", [CUT, CUT[:27], CUT[:20], '["a', CUT + "\\", CUT + "\\u12", CUT + "\\ud83d"])
def test_text_that_is_cut_is_said_to_end(text: str, end: str) -> None:
    doors: tuple[Callable[[Any], object], ...] = (
        il.validate,
        partial(il.load, source="anthropic"),
        lambda one: il.check(one, "gemini"),
    )
    for refuse in doors:
        for given in (text + end, (text + end).encode()):
            with pytest.raises(il.InvalidPayload, match=r"not JSON: EOF while parsing a string at line 1"):
                refuse(given)


@pytest.mark.parametrize("text", ['{"a": "x\ny"}', '["\t"]', '["a\nb', '["a\nb\n'])
def test_a_control_character_is_what_is_wrong_where_it_does_not_end_the_text(text: str) -> None:
    with pytest.raises(il.InvalidPayload, match="control character"):
        il.validate(text)
