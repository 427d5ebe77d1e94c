"""The laws of a conversion as properties, over every format and every pair of formats."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import documents, share
from laws import laws, oracles, over
from laws.families import KNOWN, LISTED, MAIN

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


@given(st.lists(testing.messages(), max_size=4))
def test_messages_are_read_back_as_they_were(messages: list[il.Message]) -> None:
    plain = [message.to_dict() for message in messages]
    for again in (il.validate(plain), il.validate(json.dumps(plain)), il.validate(json.dumps(plain).encode())):
        assert again == messages
        assert [documents.canonical(message.to_dict()) for message in again] == [documents.canonical(data) for data in plain]
        assert [hash(message) for message in again] == [hash(message) for message in messages]


@given(testing.messages())
def test_a_message_is_the_mapping_of_its_dict(message: il.Message) -> None:
    plain = message.to_dict()
    mapping: Any = message
    assert dict(message) == plain == {**message} == message.model_dump() == json.loads(message.model_dump_json())
    assert [mapping[key] for key in mapping] == [plain[key] for key in plain]
    assert message == plain


def is_of_parts(message: il.Message) -> bool:
    return not isinstance(message, il.OpaqueMessage | il.TextMessage | il.ToolMessage)


@given(share.such(testing.messages(), is_of_parts))
def test_a_message_respelled_in_blocks_means_the_same(message: Any) -> None:
    assert message.to_blocks().parts == message.parts


CONVERSATION = {
    *(field for format in il.FORMATS.values() for field in (format.listed, format.system)),
    *("tools", "functions", "strict_tools", "toolConfig", "config", "system_instruction"),
    *("instruction", "input", "system", "output", "history"),  # of datasets
    "inputText",  # the prompt of Titan
    "anthropic_version",  # which is in every body of its hosts
}
"""The fields of bodies that hold messages and tools."""


def without_tools(data: Mapping[str, Any], source: il.Format) -> dict[str, Any]:
    """The provider data of a request without the settings that become tools elsewhere."""
    adding = {tool.option for tool in source.server_tools.values()} | {source.mcp and source.mcp.field}
    return {family: {key: value for key, value in fields.items() if key not in adding} for family, fields in data.items()}


@over.formats(il.FORMATS)
@given(data=st.data())
def test_a_dump_without_settings_is_the_messages_and_tools_of_the_whole(format: il.FormatName, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(get_args(il.FormatName)))
    loaded = testing.payloads(source).map(lambda payload: il.load(payload, il.format_of(source)))
    request = data.draw(loaded | testing.requests())
    if request.tool_choice is not None and request.tool_choice.allowed:
        request = request.replace(tool_choice=None)  # a setting that may say which tools are sent
    loaded_from = il.FORMATS.get(request.origin or "")
    if request.provider_data is not None and loaded_from is not None:
        request = request.replace(provider_data=without_tools(request.provider_data, loaded_from))
    if il.FORMATS[format].in_text:  # whose text has these settings, too
        request = request.replace(reasoning_effort=None, reasoning_budget=None, response_format=None, provider_data=None)
    losses: tuple[list[il.Loss], list[il.Loss]] = [], []
    whole = il.dump(request, format, on_loss=losses[0].append)
    alone = il.dump(request, format, on_loss=losses[1].append, settings=False)
    for key in ("toolConfig", "config"):  # where tools stand among settings
        if key in alone:
            whole[key] = {name: value for name, value in whole[key].items() if name in alone[key]}
        else:
            whole.pop(key, None)
    for mark in [loss for loss in losses[0] if (loss.at or "").endswith("/prefix")]:
        # Without settings the messages are a history, which may end with an answer that is complete.
        losses[0].remove(mark)
        assert whole["messages"][-1].pop("prefix") is getattr(il.FORMATS[format].profile, "prefix", False) is True
    own = (request.provider_data or {}).get(il.FORMATS[format].family, {})  # such as ShareGPT's tools that are no JSON
    fields = CONVERSATION
    if any(loss.at == "/web_search_options" for loss in losses[0]):
        fields |= {"web_search_options"}  # which a tool of another provider has become
    kept = {key: whole[key] for key in whole if key in fields and not (format in ("sharegpt", "alpaca") and key in own)}
    assert documents.canonical(alone) == documents.canonical(kept)
    assert losses[1] == [loss for loss in losses[0] if loss.path.startswith(("/messages", "/tools", "/caching"))]


@over.pairs(KNOWN)
@given(data=st.data())
def test_a_conversion_loses_nothing_silently_reports_nothing_untrue_and_mutates_nothing(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    payload = data.draw(testing.payloads(source))
    assert laws.law3(payload, source, target) == []
    assert laws.law4(payload, source, target) == []
    assert laws.law7(payload, source, target) == []


@over.pairs(KNOWN)
@given(data=st.data())
def test_what_comes_out_of_a_sound_conversation_is_valid_there(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    payload = data.draw(testing.payloads(source, odd=False))
    assert oracles.law5(payload, source, target) == []


@over.pairs(LISTED, targets=MAIN)
@given(data=st.data())
def test_the_official_sdk_takes_what_any_format_is_converted_to(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    payload = data.draw(testing.payloads(source, odd=False))
    assert oracles.law5(payload, source, target) == []
    assert laws.law7(payload, source, target) == []


@pytest.mark.parametrize("target", MAIN)
def test_an_empty_list_of_stop_sequences_is_valid_where_it_is_converted_to(target: il.FormatName) -> None:
    payload: dict[str, Any] = {
        "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
        "generationConfig": {"stopSequences": []},
    }
    assert oracles.law5(payload, "gemini", target) == []
