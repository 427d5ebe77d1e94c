"""Native messages: what a format's own dump writes exactly, and what follows the rules for conversions."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.codec.native import is_native
from interlingua.formats import FORMATS, new_dump
from interlingua.model.base import Model
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import is_array, is_json, is_object
from laws import families, over

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

ANSWERING = [name for name, format in FORMATS.items() if format.load_response is not None]
LISTED = families.MESSAGE_BY_MESSAGE  # elsewhere, a message changes how all others are written


# The check agrees with the dump


def plain(value: Any) -> Any:
    """An owner's data without our own record of how it stood on the wire; free JSON stays as it is."""
    if isinstance(value, Model):
        data = {name: getattr(value, name) for name in value.model_fields_set if name not in ("wire", "extra")}
        return {"": type(value).__name__} | {name: plain(field) for name, field in data.items()}
    items: Any = value
    return [plain(item) for item in items] if isinstance(value, tuple) else value


def as_of_request(message: il.Message) -> il.Message:
    """The message without its origin, as one of the request's own."""
    fields = {name: getattr(message, name) for name in message.model_fields_set - {"extra"}}
    if fields.get("wire") is not None:
        record = fields["wire"]
        kept = {name: getattr(record, name) for name in record.model_fields_set - {"origin", "response"}}
        fields["wire"] = il.WireRecord(**kept)
    return type(message)(**fields)


def everything(_: Any) -> bool:
    return True


def comes_back(message: il.Message, name: il.FormatName) -> bool:
    """Whether the message, written exactly whatever it is, is loaded as it was."""
    exact = replace(FORMATS[name], native=everything)
    message = as_of_request(message)
    request = il.Request(messages=[message], origin=name)
    try:
        back = il.load(exact.dump(request, request.messages, new_dump(exact, name)), name)
    except (il.InvalidPayload, TypeError, AttributeError):  # a message of another format may have no exact form
        return False
    return json.dumps([plain(m) for m in back.messages], sort_keys=True) == json.dumps([plain(message)], sort_keys=True)


# The messages of one format are checked against it and two others at a time, so that test time grows with the formats alone.
SOME = st.lists(st.sampled_from(get_args(il.FormatName)), min_size=2, max_size=2, unique=True)


def disagreements(message: il.Message, names: Sequence[il.FormatName]) -> list[str]:
    """The formats whose check of the message does not say what its dump does."""
    return [
        f"{name}: {'native, but does not come back' if is_native(message, FORMATS[name]) else 'comes back, but is not native'}"
        for name in names
        if share.judged(is_native(message, FORMATS[name]), least=0.1) != comes_back(message, name)
    ]


@over.formats(FORMATS)
@given(message=testing.messages())
def test_any_message_is_native_where_it_comes_back(format: il.FormatName, message: il.Message) -> None:
    assert disagreements(message, [format]) == []


@given(testing.conversations(), SOME)
def test_a_message_of_a_conversation_is_native_where_it_comes_back(
    conversation: list[il.Message], names: list[il.FormatName]
) -> None:
    for message in conversation:
        assert disagreements(message, names) == []


@over.formats(FORMATS, "source")
@given(data=st.data())
def test_a_loaded_message_is_native_where_it_comes_back(source: il.FormatName, data: st.DataObject) -> None:
    names: list[il.FormatName] = [source, *data.draw(SOME)]
    for message in il.load(data.draw(testing.payloads(source)), source).messages:
        assert disagreements(message, names) == []
        assert is_native(message, FORMATS[source])


@over.formats(ANSWERING, "source")
@given(data=st.data())
def test_an_answer_is_native_where_it_comes_back(source: il.FormatName, data: st.DataObject) -> None:
    names: list[il.FormatName] = [source, *data.draw(SOME)]
    for choice in il.load_response(data.draw(testing.responses(source)), source).choices:
        assert disagreements(choice.message, names) == []


@st.composite
def edited(draw: st.DrawFn, source: il.FormatName) -> il.Message:
    """A loaded message, one of whose owners has a field of the wire's in its provider data."""
    payload = draw(testing.payloads(source))
    data = draw(st.sampled_from(il.load(payload, source).messages)).to_dict()
    owner = draw(st.sampled_from([held for held in objects(data) if held.keys() & {"role", "type", "arguments"}]))
    key = draw(st.sampled_from(sorted({key for held in objects(payload) for key in held})))
    given = [held[key] for held in objects(payload) if key in held and is_json(held[key])]
    values = (st.sampled_from(given) if given else st.nothing()) | testing.json_values(max_leaves=2)
    if "value" not in owner:
        owner["provider_data"] = {FORMATS[source].family: {key: draw(values)}}
    return il.validate([data])[0]


def objects(value: Any) -> list[dict[str, Any]]:
    """All objects in the data that may be owners, the data itself first."""
    if is_array(value):
        return [found for item in value for found in objects(item)]
    if not is_object(value):
        return []
    others = ("input", "value", "provider_data", "arguments", "source", "cache_control", "wire")  # free JSON, or no owners
    return [value, *[found for key, item in value.items() if key not in others for found in objects(item)]]


@over.formats(LISTED, "source")
@given(data=st.data())
def test_a_message_with_other_provider_data_comes_back_where_it_is_native(source: il.FormatName, data: st.DataObject) -> None:
    message = data.draw(edited(source))
    relatives: list[il.FormatName] = [name for name in LISTED if FORMATS[name].family == FORMATS[source].family]
    others: list[il.FormatName] = [data.draw(st.sampled_from(each)) for each in (relatives, relatives, LISTED)]
    native: list[il.FormatName] = [
        name for name in (source, *others) if share.judged(is_native(message, FORMATS[name]), least=0.45)
    ]
    assert [name for name in native if not comes_back(message, name)] == []


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


@pytest.mark.parametrize("left", [[], {}, None, "x"])
def test_what_is_left_of_an_object_is_an_object(left: Any) -> None:
    record = {"partial": ["/function"]}
    call = {"id": "c", "name": "f", "arguments": "{}", "provider_data": {"openai": {"function": left}}, "wire": record}
    [message] = il.validate([{"role": "assistant", "tool_calls": [call]}])
    assert is_native(message, FORMATS["openai_chat"]) == comes_back(message, "openai_chat")


# Other messages among native ones


@st.composite
def begun(draw: st.DrawFn, target: il.FormatName) -> dict[str, Any]:
    """A payload that may end anywhere."""
    payload = draw(testing.payloads(target).filter(lambda payload: is_array(payload[FORMATS[target].listed])))
    listed = payload[FORMATS[target].listed]
    del listed[draw(st.integers(0, len(listed))) :]
    return payload


@st.composite
def answers(draw: st.DrawFn, target: il.FormatName, ids: st.SearchStrategy[str]) -> list[il.Message]:
    """Messages that a request of the target does not write exactly, from the user or the assistant on."""
    origin = draw(st.sampled_from([name for name in LISTED if name != target]))
    conversation = [m for m in draw(testing.conversations()) if not isinstance(m, il.SystemMessage | il.DeveloperMessage)]
    renamed = renamings(draw, conversation, ids)
    made: list[il.Message] = []
    for message in conversation:
        given = rename(message, renamed)
        native = is_native(given, FORMATS[target])
        if native or draw(st.booleans()):
            given = given.replace(
                wire={"origin": origin, "response": True} if given.role == "assistant" else {"origin": origin}
            )
        made.append(given)
    return made


def renamings(draw: st.DrawFn, conversation: Sequence[il.Message], ids: st.SearchStrategy[str]) -> dict[str, str]:
    used = [call.id for message in conversation for call in message.tool_uses if call.id is not None]
    others = draw(st.lists(ids, min_size=len(used), max_size=len(used), unique=True))
    return dict(zip(used, others, strict=True))


def rename(message: il.Message, ids: dict[str, str]) -> il.Message:
    """The message with other ids of calls, and other names of tools."""

    def renamed(value: Any) -> Any:
        if is_array(value):
            return [renamed(item) for item in value]
        if not is_object(value):
            return value
        out = {key: item if key in ("input", "arguments") else renamed(item) for key, item in value.items()}
        is_call = "name" in out and ("arguments" in out or "input" in out)
        for key in ("tool_call_id", "tool_use_id", *(("id",) if is_call else ())):
            if key in out:
                out[key] = ids.get(out[key], out[key])
        if is_call or (out.get("type") == "tool_result" and "name" in out):
            out["name"] = f"x.{out['name']}"
        return out

    return il.validate([renamed(message.to_dict())])[0]


def marks(value: Any) -> int:
    if is_array(value):
        return sum(map(marks, value))
    return ("cache_control" in value) + sum(map(marks, value.values())) if is_object(value) else 0


def joined(request: il.Request, others: Sequence[il.Message], name: il.FormatName) -> tuple[dict[str, Any], list[il.Loss]]:
    losses: list[il.Loss] = []
    return il.dump(request.replace(messages=[*request.messages, *others]), name, on_loss=losses.append), losses


def reported(losses: Sequence[il.Loss], path: str, at: str) -> list[tuple[Any, ...]]:
    """Losses of the messages from `path` on, counted from there; `at` is where the first stands in the output."""
    return sorted((str(counted(loss.path, path)), str(counted(loss.at, at)), loss.kind, loss.detail) for loss in losses)


def counted(pointer: str | None, start: str) -> str | None:
    if pointer is None:
        return None
    at, first = re.fullmatch(r"(?:/[a-z]+)?/(\d+)(.*)", pointer, re.DOTALL), int(start)
    return pointer if at is None else f"{int(at[1]) - first}{at[2]}"


NOVEL = st.integers(0, 999).map("zz_{}".format) | st.integers(0, 99).map("zz.{}".format)


@over.formats(LISTED, "target")
@given(data=st.data())
def test_other_messages_are_written_in_a_loaded_request_as_they_are_alone(target: il.FormatName, data: st.DataObject) -> None:
    payload = data.draw(begun(target))
    request = il.load(payload, target)
    others = data.draw(answers(target, NOVEL))
    most = 4 if FORMATS[target].family == "anthropic" else 10**6
    if not share.judged(marks(payload) + marks([m.to_dict() for m in others]) <= most, least=0.95):
        return
    losses: list[il.Loss] = []
    alone = il.dump(others, target, on_loss=losses.append)
    whole, all_losses = joined(request, others, target)
    listed = FORMATS[target].listed
    start = len(payload[listed])
    assert whole[listed][:start] == payload[listed]
    assert whole[listed][start:] == alone[listed]
    assert reported(all_losses, str(len(request.messages)), str(start)) == reported(losses, "0", "0")


def answered(messages: Sequence[il.Message]) -> Iterator[int | None]:
    """For each result, the number of the call that it answers: the last before it with its id."""
    calls: dict[str | None, int] = {}
    numbers = count()
    for message in messages:
        for call in message.tool_uses:
            calls[call.id] = next(numbers)
        results: list[il.Part] = [message.result] if isinstance(message, il.ToolMessage) else [*message.parts]
        yield from [calls.get(part.tool_use_id) for part in results if isinstance(part, il.ToolResultPart)]


def called(request: il.Request) -> list[str]:
    """The ids of calls."""
    return [call.id for message in request.messages for call in message.tool_uses if call.id is not None]


@over.formats([name for name in LISTED if name != "sharegpt"], "target")  # where calls have no ids
@given(data=st.data())
def test_results_answer_the_same_calls_where_ids_are_used_again(target: il.FormatName, data: st.DataObject) -> None:
    payload = data.draw(share.such(begun(target), lambda payload: called(il.load(payload, target)) != []))
    request = il.load(payload, target)
    others = data.draw(answers(target, st.sampled_from(called(request)) | NOVEL))
    whole, _ = joined(request, others, target)
    assert list(answered(il.load(whole, target).messages)) == list(answered([*request.messages, *others]))
