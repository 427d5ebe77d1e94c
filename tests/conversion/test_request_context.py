"""An answer knows its request: its calls name tools that the client has, whatever their names became on the way."""

import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.codec.ids import tool_name
from interlingua.testing.splitting import split
from laws import over
from laws.families import ANSWERING, LISTED, STREAMING
from laws.streaming import RANDOMS

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

CALLING = sorted(set(ANSWERING) & set(LISTED))
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
        assert [call.name for call in reader.response.message.tool_uses] == names
        writer, reader = il.writer(source, request=conversion), il.reader(source)
        for event in il.reader(target).read(split(body, target, random)):
            for chunk in writer.feed(event):
                reader.feed(chunk)
        assert [call.name for call in reader.response.message.tool_uses] == names


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
