"""An answer knows its request: its calls name tools that the client has, whatever their names became on the way."""

import json
import pickle
from collections.abc import Callable, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.codec.free_text import FreeText, free_text
from interlingua.codec.ids import tool_name
from interlingua.codec.strategies.cutting import cut
from interlingua.conversion.context import RequestContext
from interlingua.testing.splitting import split
from laws import over
from laws.families import CALLING, STREAMING
from laws.streaming import RANDOMS

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

NAMES = st.one_of(
    st.sampled_from(["get_weather", "srv.tool", "srv/tool", "srv tool", "_srv", "1st", "größe", "t" * 64, "t" * 65, "t." * 80]),
    st.text("ab._-/ ü", min_size=1, max_size=8),
).flatmap(lambda name: st.sampled_from([name, name, tool_name(name, 64), tool_name(name, 128), tool_name(f"_{name}.", 128)]))
"""Names of tools, some of which are what others become."""


def request_with(names: list[str], format: il.FormatName) -> dict[str, Any]:
    """A request of a client, whose tools have these names exactly."""
    tools = [il.Tool(name=name, parameters={"type": "object"}) for name in names]
    calls = [il.ToolUsePart(id=f"call{number:05}", name=name, input="{}") for number, name in enumerate(names[::-1])]
    answer = il.AssistantMessage(content=calls)
    messages = [il.UserMessage(content="Hi"), answer, *il.tool_results(answer, {call.id or "": "ok" for call in calls})]
    request = il.Request(model="m", max_tokens=9, messages=messages, tools=tools, origin=format)
    payload: dict[str, Any] = il.dump(request, il.FORMATS[format], on_loss="ignore")
    return payload


def answer_of(names: list[str], format: il.FormatName) -> dict[str, Any]:
    """A response of a provider that calls these tools."""
    parts = [il.ToolUsePart(id=f"call{number:05}", name=name, input="{}") for number, name in enumerate(names)]
    message = il.AssistantMessage(content=parts)
    choice = il.Choice(message=message, stop_reason="tool_calls")
    response = il.Response(id="r", created=1, model="m", choices=[choice], origin=format)
    verbatim = il.RequestContext(tools={name: {"name": name} for name in names})
    return il.dump_response(response, format, on_loss="ignore", request=verbatim)


def calls_of(message: il.Message) -> Sequence[il.ToolUsePart]:
    return message.tool_uses if isinstance(message, il.AssistantMessage) else ()


def tools_of(payload: Any, format: il.FormatName) -> list[str]:
    return [tool.name for tool in il.load(payload, format).tools or () if isinstance(tool, il.Tool)]


def called(body: Any, format: il.FormatName) -> list[str]:
    return [call.name for call in il.load_response(body, format).message.tool_uses]


@over.pairs(CALLING)
@given(data=st.data(), names=st.lists(NAMES, min_size=1, max_size=4, unique=True), random=RANDOMS)
def test_a_call_names_a_tool_of_the_clients_request(
    data: st.DataObject, names: list[str], random: Random, target: il.FormatName, sources: list[il.FormatName]
) -> None:
    source = data.draw(st.sampled_from(sources))
    request = request_with(names, source)
    conversion = il.convert(request, source=source, target=target)
    sent = tools_of(conversion.payload, target)
    assert len(set(sent)) == len(names)
    assert {call.name for message in il.load(conversion.payload, target).messages for call in calls_of(message)} <= set(sent)
    body = answer_of(sent, target)
    context = pickle.loads(pickle.dumps(conversion.context))  # noqa: S301 -- of our own making
    assert context == conversion.context

    response = il.load_response(body, target, request=conversion)
    assert [call.name for call in response.message.tool_uses] == names
    assert called(il.dump_response(response, source, request=context), source) == names
    assert called(il.dump_response(il.load_response(body, target), source, request=conversion), source) == names

    if source in STREAMING and target in STREAMING:
        chunks = split(body, target, random)
        made = list(il.restream(chunks, source=target, target=source, request=context))
        reader = il.reader(source)
        assert [event for chunk in made for event in reader.feed(chunk)]
        assert sorted(call.name for call in reader.response.message.tool_uses) == sorted(names)  # calls begin in any order
        writer, reader = il.writer(source, request=conversion), il.reader(source)
        for event in il.reader(target).read(split(body, target, random)):
            for chunk in writer.feed(event):
                reader.feed(chunk)
        assert sorted(call.name for call in reader.response.message.tool_uses) == sorted(names)


GROUPS = st.sampled_from(["a", "a__b", "mcp.srv", "x y"])
OWN_NAMES = st.sampled_from(["a", "b", "b__a", "a__b__a", "srv.tool", "t" * 70])
TOOLS = st.lists(
    st.tuples(st.none() | GROUPS, OWN_NAMES, st.sampled_from(["function", "custom"])),
    min_size=1,
    max_size=5,
    unique_by=lambda tool: tool[:2],
)
"""Groups, names and kinds of tools at the Responses API."""
TEXTS = st.text(min_size=1, max_size=9) | st.sampled_from(['{"input": "a"}', '"', "\\", "\n", "\\u12", "\U0001f600"])


def responses_request(tools: list[tuple[str | None, str, str]]) -> dict[str, Any]:
    """A request with these tools, those of a group in one namespace."""
    listed: list[dict[str, Any]] = []
    groups: dict[str, list[dict[str, Any]]] = {}
    for group, name, kind in tools:
        tool: dict[str, Any] = {"type": kind, "name": name}
        if kind == "function":
            tool |= {"parameters": {"type": "object", "properties": {}}, "strict": False}
        (listed if group is None else groups.setdefault(group, [])).append(tool)
    listed += [{"type": "namespace", "name": group, "description": "d", "tools": members} for group, members in groups.items()]
    return {"model": "m", "input": "Hi", "tools": listed}


def response_calling(tools: list[il.Tool], texts: dict[str, str], format: il.FormatName) -> dict[str, Any]:
    """A response that calls each tool, with a text where its only argument is one."""
    parts: list[il.ToolUsePart] = []
    for number, tool in enumerate(tools):
        takes_text = "input" in (tool.parameters or {}).get("properties", {})
        arguments = {"input": texts[tool.name]} if takes_text else {"n": 1}
        parts.append(il.ToolUsePart(id=f"call{number:05}", name=tool.name, input=arguments))
    choice = il.Choice(message=il.AssistantMessage(content=parts), stop_reason="tool_calls")
    response = il.Response(id="r", created=1, model="m", choices=[choice], origin=format)
    verbatim = il.RequestContext(tools={tool.name: {"name": tool.name} for tool in tools})
    return il.dump_response(response, format, on_loss="ignore", request=verbatim)


def items_of(body: dict[str, Any]) -> list[tuple[str | None, str, str]]:
    """The group, the name and the input of each call in a response of the Responses API."""
    found: list[tuple[str | None, str, str]] = []
    for item in body["output"]:
        free = item["type"] == "custom_tool_call"
        assert free or item["type"] == "function_call"
        said = item["input"] if free else json.dumps(json.loads(item["arguments"]))
        found.append((item.get("namespace"), item["name"], said))
    return found


@over.formats([format for format in CALLING if format != "openai_responses" and format in STREAMING], "target")
@given(data=st.data(), tools=TOOLS, random=RANDOMS)
def test_groups_and_free_form_tools_are_called_as_the_client_has_them(
    data: st.DataObject, tools: list[tuple[str | None, str, str]], random: Random, target: il.FormatName
) -> None:
    conversion = il.convert(responses_request(tools), source="openai_responses", target=target)
    sent = [tool for tool in il.load(conversion.payload, target).tools or () if isinstance(tool, il.Tool)]
    opaque = [tool for tool in il.load(conversion.payload, target).tools or () if not isinstance(tool, il.Tool)]
    assert len({tool.name for tool in sent}) == len(sent)
    assert len(sent) + len(opaque) == len(tools)  # a free-form tool stays one where the target has them
    texts = {tool.name: data.draw(TEXTS) for tool in sent}
    body = response_calling(sent, texts, target)
    expected: set[tuple[str | None, str, str]] = set()
    for tool in sent:
        fields = conversion.context.tools.get(tool.name, {"name": tool.name})
        group = fields.get("provider_data", {}).get("openai_responses", {}).get("namespace")
        free = (group, fields["name"], "custom") in tools
        assert free or (group, fields["name"], "function") in tools
        expected.add((group, fields["name"], texts[tool.name] if free else '{"n": 1}'))

    response = il.load_response(body, target, request=conversion)
    for each in (response, il.load_response(body, target)):
        made = il.dump_response(each, "openai_responses", request=conversion, on_loss="ignore")
        assert set(items_of(made)) == expected
        assert len(items_of(made)) == len(sent)
    chunks = list(il.restream(split(body, target, random), source=target, target="openai_responses", request=conversion))
    assert set(items_of(chunks[-1]["response"])) == expected
    assert set(items_of({"output": [c["item"] for c in chunks if c["type"] == "response.output_item.done"]})) == expected


@given(text=st.text(), ascii=st.booleans(), random=RANDOMS)
def test_the_text_of_a_free_form_call_is_read_however_its_arguments_are_cut(text: str, ascii: bool, random: Random) -> None:
    arguments = json.dumps({"input": text}, ensure_ascii=ascii)
    reading = FreeText()
    read = "".join(reading.add(piece) for piece in cut(arguments, 4, random)) + reading.end()
    assert (read, reading.others) == free_text(arguments) == (text, None)


@pytest.mark.parametrize("text", ['{"x": 1}', "[]", "", "{", '{"in', ' {"input": 5}', '"x"', " " * 500, '{"inp ut": "a"}'])
def test_arguments_without_such_a_text_stay_as_they_are(text: str) -> None:
    assert free_text(text) == (text, None)
    reading = FreeText()
    assert "".join(map(reading.add, text)) + reading.end() == text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"input": "a\\', "a\\"),
        ('{"input": "\\ud83d"}', "\\ud83d"),
        ('{"input": "a\\q"}', "a\\q"),
        ('{"input": "\\uzzzzzzzzzzzz"}', '\\uzzzzzzzzzzzz"}'),
    ],
)
def test_malformed_text_is_kept(arguments: str, text: str) -> None:
    assert free_text(arguments) == (text, None)


QUESTION = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
STREAM: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "role": "assistant", "usage": {"input_tokens": 3, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]


ASKED = {"include_usage": True}
NOT_ASKED: list[dict[str, Any]] = [{}, *({"stream_options": value} for value in (None, {"include_usage": False}, 5))]


@pytest.mark.parametrize(("options", "expected"), [({"stream_options": ASKED}, True), *((each, False) for each in NOT_ASKED)])
def test_a_stream_has_usage_if_the_clients_request_asks_for_it(options: dict[str, Any], expected: bool) -> None:
    conversion = il.convert({**QUESTION, **options}, source="openai_chat", target="anthropic")
    assert conversion.context.usage is expected
    chunks = list(il.restream(STREAM, source="anthropic", target="openai_chat", request=conversion))
    assert any("usage" in chunk for chunk in chunks) is expected
    writer = il.writer("openai_chat", request=conversion)
    written = [chunk for event in il.reader("anthropic").read(STREAM) for chunk in writer.feed(event)]
    assert any("usage" in chunk for chunk in written) is expected
    assert any(
        "usage" in chunk
        for chunk in il.restream(STREAM, source="anthropic", target="openai_chat", usage=True, request=conversion)
    )


def test_what_no_conversion_made_is_refused() -> None:
    wrong: Any = {"tools": {}}
    with pytest.raises(TypeError, match="request must be a Conversion"):
        il.load_response({"choices": []}, "openai_chat", request=wrong)


def _other(*fields: Any) -> RequestContext:
    """A context as a pickle may have it, which no constructor looked at."""
    return tuple[Any, ...].__new__(RequestContext, fields)


WRONG_TOOLS: list[Any] = [
    None,
    3,
    "f",
    b"f",
    [],
    True,
    ["f"],
    {"f": None},
    {"f": "g"},
    {"f": {}},
    {"f": []},
    {3: {"name": "g"}},
]
WRONG_FIELDS: list[Any] = [
    {"name": None},
    {"name": 3},
    {"name": ["g"]},
    {"name": "g", "custom": 1},
    {"name": "g", "id": "c"},
    {"name": "g", "type": "text"},
    {"name": "g", "signature": "s"},
    {"name": "g", "provider_data": 3},
    {"name": "g", "provider_data": {"openai": 3}},
]
WRONG_NULLS: list[Any] = [
    None,
    {},
    [],
    [3],
    [{"keys": "a"}],
    [{"keys": ["a"], "drop": [3]}],
    [{"keys": ["a"], "in": {"a": 1}}],
    [{"keys": ["a"], "in": ["a"]}],
    [{"keys": ["a"], "is": {"b": "c"}}],
    [{"any": [-1]}],
    [{"each": [True]}],
]
WRONG: list[Any] = [
    _other(),
    _other({}),
    _other({}, True),
    _other({}, True, {}, {}),
    *(_other(tools, True, {}) for tools in WRONG_TOOLS),
    *(_other({"f": fields}, True, {}) for fields in WRONG_FIELDS),
    *(_other({}, usage, {}) for usage in (None, "no", 1)),
    *(_other({}, True, {"f": nulls}) for nulls in WRONG_NULLS),
    SimpleNamespace(context=None),
    SimpleNamespace(context=_other()),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_context_with_wrong_types_is_refused_wherever_it_is_given(wrong: Any) -> None:
    response = il.load_response(ANSWER, "anthropic")
    calls: list[Callable[[], object]] = [
        lambda: il.load_response(ANSWER, "anthropic", request=wrong),
        lambda: il.dump_response(response, "openai_chat", request=wrong),
        lambda: il.restream(STREAM, source="anthropic", target="openai_chat", request=wrong),
        lambda: il.reader("anthropic", request=wrong),
        lambda: il.writer("anthropic", request=wrong),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="request must"):
            call()


ANSWER: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [
        {"type": "tool_use", "id": "c1", "name": "f", "input": {"input": "a"}},
        {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
        {"type": "tool_use", "id": "c2", "name": "unknown", "input": {"input": "a"}},
        {"type": "tool_use", "id": "c3", "name": "", "input": {}},
    ],
    "stop_reason": "tool_use",
}


@pytest.mark.parametrize("target", CALLING)
def test_calls_of_tools_that_the_request_does_not_have_stay_and_repeated_ones_are_restored_alike(target: str) -> None:
    tools: dict[str, dict[str, Any]] = {
        "f": {"name": "own.f", "custom": True},
        "g": {"name": "own.f"},
        "h": {"name": "unknown.h"},
    }
    context = RequestContext(tools)
    response = il.load_response(ANSWER, "anthropic", request=context)
    calls = response.choices[0].message.tool_uses
    assert [(call.id, call.name, call.custom) for call in calls] == [
        ("c1", "own.f", True),
        ("c1", "own.f", True),
        ("c2", "unknown", None),
        ("c3", "", None),
    ]
    written = il.dump_response(response, il.format_of(target), request=context, fill=True, on_loss="ignore")
    assert "own.f" in json.dumps(written)


@pytest.mark.parametrize("text", ["", "x", '{"a": 1}'])
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_the_text_of_a_free_form_call_is_the_same_in_a_stream(text: str, target: il.FormatName) -> None:
    request = {"model": "m", "max_output_tokens": 9, "input": "Go.", "tools": [{"type": "custom", "name": "raw"}]}
    asked = il.convert(request, source="openai_responses", target="anthropic")
    block = {"type": "tool_use", "id": "t", "name": "raw", "input": {"input": text}}
    whole: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": [block]}
    whole |= {"stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    delta = {"type": "input_json_delta", "partial_json": json.dumps({"input": text})}
    chunks: list[Any] = [
        {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block | {"input": {}}},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    streamed = il.restream(chunks, source="anthropic", target=target, request=asked)
    sent = [*streamed]
    [call] = il.load_response(whole, "anthropic", request=asked).message.tool_uses
    assert streamed.response is not None
    assert [each.to_dict() for each in streamed.response.message.tool_uses] == [call.to_dict()]
    if target == "openai_responses":
        assert sent[-1]["response"]["output"][0]["input"] == text


OTHERS = st.sampled_from(
    [{"cwd": "/"}, {"more": {"n": 1}, "none": None}, {"input ": ""}, {"deep": json.loads("[" * 150 + "]" * 150)}]
)


@over.formats([format for format in CALLING if format != "openai_responses" and format in STREAMING], "target")
@given(others=OTHERS, random=RANDOMS)
def test_what_the_arguments_have_beside_the_text_of_a_free_form_call_is_reported_and_never_sent(
    others: dict[str, Any], random: Random, target: il.FormatName
) -> None:
    context = RequestContext({"raw": {"name": "raw", "custom": True}})
    part = il.ToolUsePart(id="call00001", name="raw", input={"input": "ls", **others})
    choice = il.Choice(message=il.AssistantMessage(content=[part]), stop_reason="tool_calls")
    body = il.dump_response(
        il.Response(id="r", created=1, model="m", choices=[choice], origin=target), target, on_loss="ignore"
    )

    response = il.load_response(body, target, request=context)
    lost = [(f"/choices/0/message/{at}/0/provider_data/free_form/arguments", "dropped") for at in ("content", "tool_calls")]
    for each in (response, il.load_response(body, target)):
        losses: list[il.Loss] = []
        made = il.dump_response(each, "openai_responses", request=context, on_loss=losses.append)
        assert items_of(made) == [(None, "raw", "ls")]
        assert len([loss for loss in losses if (loss.path, loss.kind) in lost]) == 1
    losses = []
    sent = il.dump([il.UserMessage(content="Hi"), response.message], target, on_loss=losses.append)
    [*_, call] = [call for message in il.load(sent, target).messages for call in calls_of(message)]
    assert call.arguments == "ls" if call.custom else call.parsed == {"input": "ls"}
    assert [loss.kind for loss in losses if loss.path.endswith("/provider_data/free_form/arguments")] == ["dropped"]

    stream = il.restream(
        split(body, target, random), source=target, target="openai_responses", request=context, on_loss="ignore"
    )
    assert items_of([*stream][-1]["response"]) == [(None, "raw", "ls")]
    assert len([loss for loss in stream.losses if (loss.path, loss.kind) in lost]) == 1
    assert stream.response.message.tool_uses[0].provider_data is not None
