"""Native messages: what a format's own dump writes exactly, and what follows the rules for conversions."""

from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.codec.native import is_native
from interlingua.formats import FORMATS
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.natives import comes_back, disagreements, edited
from laws import families, over

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

ANSWERING = [name for name, format in FORMATS.items() if format.load_response is not None]
LISTED = families.MESSAGE_BY_MESSAGE  # elsewhere, a message changes how all others are written


# The check agrees with the dump


# The messages of one format are checked against it and two others at a time, so that test time grows with the formats alone.
SOME = st.lists(st.sampled_from(get_args(il.FormatName)), min_size=2, max_size=2, unique=True)


@given(testing.conversations(), SOME)
def test_a_message_of_a_conversation_is_native_where_it_comes_back(
    conversation: list[il.Message], names: list[il.FormatName]
) -> None:
    for message in conversation:
        assert disagreements(message, [*map(il.format_of, names)]) == []


@over.formats(FORMATS, "source")
@given(data=st.data())
def test_a_loaded_message_is_native_where_it_comes_back(source: il.FormatName, data: st.DataObject) -> None:
    names: list[il.FormatName] = [source, *data.draw(SOME)]
    for message in il.load(data.draw(testing.payloads(source)), source).messages:
        assert disagreements(message, [*map(il.format_of, names)]) == []
        assert is_native(message, FORMATS[source])


@over.formats(ANSWERING, "source")
@given(data=st.data())
def test_an_answer_is_native_where_it_comes_back(source: il.FormatName, data: st.DataObject) -> None:
    names: list[il.FormatName] = [source, *data.draw(SOME)]
    for choice in il.load_response(data.draw(testing.responses(source)), source).choices:
        assert disagreements(choice.message, [*map(il.format_of, names)]) == []


@over.formats(LISTED, "source")
@given(data=st.data())
def test_a_message_with_other_provider_data_comes_back_where_it_is_native(source: il.FormatName, data: st.DataObject) -> None:
    message = data.draw(edited(FORMATS[source]))
    relatives: list[il.FormatName] = [name for name in LISTED if FORMATS[name].family == FORMATS[source].family]
    others: list[il.FormatName] = [data.draw(st.sampled_from(each)) for each in (relatives, relatives, LISTED)]
    native: list[il.FormatName] = [
        name for name in (source, *others) if share.judged(is_native(message, FORMATS[name]), least=0.45)
    ]
    assert [name for name in native if not comes_back(message, FORMATS[name])] == []


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ("gemini", {"role": "user", "content": [{"type": "text", "text": "a"}], "provider_data": {"gemini": {"parts": None}}}),
        ("sharegpt", {"role": "user", "content": "a", "provider_data": {"sharegpt": {"value": None}}}),
    ],
)
def test_a_null_of_what_the_message_says_is_not_native(format: il.FormatName, message: Any) -> None:
    [given] = il.validate([message])
    assert not is_native(given, FORMATS[format])


SPELLED: list[tuple[il.FormatName, dict[str, Any]]] = [
    (
        "openai_chat",
        {"role": "assistant", "content": [{"type": "text", "text": "a"}], "wire": {"spelling": {"content": "text"}}},
    ),
    ("gemini_interactions", {"role": "system", "content": "a", "wire": {"spelling": {"item_type": "message"}}}),
    ("harmony", {"role": "assistant", "content": "", "wire": {"response": True}}),
    ("gemini", {"role": "system", "content": [{"type": "text", "text": "a"}], "wire": {"spelling": {"system": "message"}}}),
]


@pytest.mark.parametrize(("format", "message"), SPELLED)
def test_a_message_that_another_format_spelled_is_native_where_it_comes_back(format: il.FormatName, message: Any) -> None:
    [given] = il.validate([message])
    assert disagreements(given, [il.FORMATS[format]]) == []


@pytest.mark.parametrize("left", [[], {}, None, "x"])
def test_what_is_left_of_an_object_is_an_object(left: Any) -> None:
    record = {"partial": ["/function"]}
    call = {"id": "c", "name": "f", "arguments": "{}", "provider_data": {"openai": {"function": left}}, "wire": record}
    [message] = il.validate([{"role": "assistant", "tool_calls": [call]}])
    assert is_native(message, FORMATS["openai_chat"]) == comes_back(message, FORMATS["openai_chat"])


@pytest.mark.parametrize("name", ["mistral", "openai_chat", "litellm", "openrouter"])
def test_an_empty_list_of_reasoning_is_native_only_where_it_comes_back(name: il.FormatName) -> None:
    format = il.FORMATS[name]
    message = il.AssistantMessage(thinking_blocks=[])
    body = il.dump(il.Request(messages=[message], origin=name), name, on_loss="ignore")
    if format.native(message):
        assert il.load(body, name).messages == (message,)
