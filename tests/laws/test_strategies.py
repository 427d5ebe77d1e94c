"""The strategies of `interlingua.testing`: what they give is valid, of every kind, and small where it can be."""

import base64
import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import Phase, find, given, settings, strategies as st
from hypothesis.errors import NoSuchExample
from pydantic import ValidationError

import interlingua as il
from interlingua import testing
from interlingua.formats import anthropic, openai_chat
from interlingua.model.base import Model, members
from interlingua.testing import faults
from laws import oracles, over, sdks
from laws.everything import Transcript
from laws.families import MAIN
from laws.soundness import results, unsound

T = TypeVar("T")


def some(strategy: st.SearchStrategy[T], number: int = 100) -> list[T]:
    """So many values, the same every time."""
    found: list[T] = []

    @settings(max_examples=number, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    collect()
    return found


def drawn_until(enough: Callable[[list[T]], bool], strategy: st.SearchStrategy[T], most: int) -> list[T]:
    """Values, the same every time, until they are enough; so many at most."""
    found: list[T] = []

    def collect(value: T) -> bool:
        found.append(value)
        return enough(found)

    once = settings(max_examples=most, derandomize=True, database=None, phases=[Phase.generate])
    with contextlib.suppress(NoSuchExample):
        find(strategy, collect, settings=once)
    return found


def kinds(values: Iterable[object]) -> set[type[Any]]:
    """The types of the values."""
    return {type(value) for value in values}


def kinds_of(strategy: st.SearchStrategy[Any], expected: set[type[Any]]) -> set[type[Any]]:
    """The types of what a strategy gives, out of as many values as it takes to see those that are expected."""
    return kinds(drawn_until(lambda found: len(found) >= 50 and kinds(found) >= expected, strategy, 400))


def test_every_name_is_there_and_no_other() -> None:
    assert all(getattr(testing, name).__doc__ for name in testing.__all__)
    assert set(testing.__all__) <= set(dir(testing))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = getattr(testing, "nonsense")  # noqa: B009 -- type checkers know that it is not there


# By type


def is_model(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Model) and not value.__subclasses__()


MODELS: list[type[Model]] = [getattr(il, name) for name in il.__all__ if is_model(getattr(il, name))]


def unseen(model: type[Model], values: Sequence[Model]) -> Iterator[str]:
    """What these values of a model do not show of its fields."""
    for name, field in model.model_fields.items():
        if not any(name in value for value in values):
            yield f"{name} is never given"
        if not field.is_required():
            if all(name in value for value in values):
                yield f"{name} is never left out"
            if field.default is None and not any(name in value and getattr(value, name) is None for value in values):
                yield f"{name} is never null"


@pytest.mark.deep
@pytest.mark.parametrize("model", MODELS)
def test_every_model_has_a_strategy_that_gives_and_leaves_out_every_field(model: type[Model]) -> None:
    values = drawn_until(lambda found: len(found) >= 50 and not any(unseen(model, found)), st.from_type(model), 100)
    for value in values:
        assert type(value) is model
        assert model.model_validate(value.to_dict()) == value == model.model_validate_json(value.model_dump_json())
    assert list(unseen(model, values)) == []


@pytest.mark.parametrize("union", ["Message", "Part", "AnyTool", "Event"])
def test_a_union_gives_each_of_its_members(union: str) -> None:
    named = getattr(il, union)
    assert kinds_of(st.from_type(named), set(members(named))) == set(members(named))


@pytest.mark.parametrize(("base", "union"), [(il.MessageBase, il.Message), (il.PartBase, il.Part)])
def test_a_base_gives_what_its_union_gives(base: type[Model], union: Any) -> None:
    assert kinds_of(st.from_type(base), set(members(union))) == set(members(union))
    assert all(issubclass(member, base) for member in members(union))


def test_a_strategy_of_many_kinds_gives_each() -> None:
    for strategy, union in ((testing.messages(), il.Message), (testing.parts(), il.Part), (testing.events(), il.Event)):
        assert kinds_of(strategy, set(members(union))) == set(members(union))


@pytest.mark.deep
def test_no_kind_of_part_is_rare_in_messages() -> None:
    messages = some(testing.messages(), 500)
    parts = Counter[type[Model]](type(part) for message in messages for part in message.parts)
    holding = Counter[type[Model]](kind for message in messages for kind in {type(part) for part in message.parts})
    for kind in members(il.Part):
        assert parts[kind] > 0.03 * parts.total(), kind
        assert holding[kind] > 0.03 * len(messages), kind


def test_a_model_of_the_users_own_is_filled_with_messages() -> None:
    def held(transcripts: list[Transcript]) -> set[type[Any]]:
        return kinds(message for transcript in transcripts for message in transcript.messages)

    expected = set(members(il.Message))
    assert held(drawn_until(lambda found: held(found) >= expected, st.from_type(Transcript), 100)) == expected


def test_what_is_asked_for_by_another_type_is_none_of_ours() -> None:
    mapping: Any = Mapping  # which every model of ours is
    assert not any(isinstance(value, Model) for value in some(st.from_type(mapping)))


RESOLVES = """
from hypothesis import Phase, find, settings, strategies as st
first = settings(database=None, derandomize=True, phases=[Phase.generate])
for asked in (il.UserMessage, il.Usage, il.Message, il.Event):
    print(type(find(st.from_type(asked), lambda value: True, settings=first)).__module__)
"""
ORDERS = {
    "Hypothesis first": "import hypothesis, interlingua as il" + RESOLVES,
    "the models first": "import interlingua as il, interlingua.model.events; il.UserMessage; import hypothesis" + RESOLVES,
    "some models first": "import interlingua.model.messages, hypothesis; import interlingua as il" + RESOLVES,
    "the strategies first": "import interlingua.testing, interlingua as il" + RESOLVES,
}


@pytest.mark.parametrize("code", ORDERS.values(), ids=ORDERS.keys())
def test_hypothesis_finds_the_strategies_by_itself_whatever_is_imported_first(code: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    homes = ["messages", "exchange", "messages", "events"]
    assert (run.stderr, run.stdout.split()) == ("", [f"interlingua.model.{home}" for home in homes])


def test_it_knows_them_from_the_entry_point_of_the_installed_package() -> None:
    ours = [entry.value for entry in entry_points(group="hypothesis") if entry.value.startswith("interlingua")]
    assert ours == ["interlingua.testing"], "is the package installed?"


def test_importing_hypothesis_imports_neither_models_nor_pydantic() -> None:
    code = "import hypothesis, sys; print(*[name for name in sys.modules if name.startswith(('interlingua', 'pydantic'))])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {"interlingua", "interlingua.testing", "interlingua.testing.registration"}


# Conversations

OWN = [
    openai_chat.format_for(openai_chat.openhands_profile(cache=True, vision=True), "openhands that sees"),
    openai_chat.format_for(openai_chat.ChatProfile(content="list", reasoning="reasoning"), "lists"),
    anthropic.format_for(anthropic.AnthropicProfile(content="string"), "strings"),
]


def meaning(conversation: Sequence[il.Message]) -> Iterator[tuple[Any, ...]]:
    """What a conversation says, however it is spelled; some formats name the tool of each result, others that of its call."""
    tools = {call.id: call.name for message in conversation for call in message.tool_uses}
    for message in conversation:
        assert not isinstance(message, il.OpaqueMessage)
        for part in results(message) if isinstance(message, il.ToolMessage) else message.parts:
            if isinstance(part, il.ToolResultPart):
                content = [il.TextPart(text=part.content)] if isinstance(part.content, str) else part.content or ()
                given = [said(inner) for inner in content]
                yield (
                    "result",
                    part.tool_use_id,
                    part.is_error or None,
                    part.name or tools.get(part.tool_use_id),
                    given,
                    part.provider_data,
                )
            else:
                yield message.role, message.name, said(part), message.provider_data


def said(part: il.Part) -> tuple[Any, ...]:
    marked = part.cache_control is not None
    match part:
        case il.TextPart():
            cited = [{key: value for key, value in one.items() if value is not None} for one in part.citations or ()]
            return "text", part.text, marked, part.provider_data, part.signature, cited
        case il.JsonPart():
            return said(il.TextPart(text=json.dumps(part.value, ensure_ascii=False)))
        case il.ThinkingPart():
            return "thinking", part.thinking, part.signature, bool(part.summary)
        case il.RedactedThinkingPart():
            return "redacted", part.data
        case il.RefusalPart():
            return "refusal", part.refusal
        case il.ToolUsePart():
            arguments = part.arguments if part.custom or part.parsed is None else part.parsed
            return "call", part.id, part.name, part.custom, arguments, part.provider_data, part.signature
        case il.OpaquePart():
            return "opaque", part.format, part.value | ({"cache_control": part["cache_control"]} if marked else {})
        case il.ImageUrlPart():
            return "image", part.image_url.url, unusual(part.image_url.detail), marked
        case il.ImagePart():
            return "image", media(part.source), unusual(part.detail), marked
        case il.InputAudioPart():
            return "audio", f"data:audio/{part.input_audio.format};base64,{part.input_audio.data}", marked
        case il.AudioPart():
            return "audio", media(part.source), marked
        case il.FilePart():
            return "file", media(part.source), part.filename, marked
        case _:
            raise AssertionError(f"{part.type} in a conversation that was carried")


def unusual(detail: str | None) -> str | None:
    """The detail of an image, where it is not the usual one."""
    return None if detail == "auto" else detail


def media(source: il.UrlSource | il.Base64Source | il.FileIdSource | il.TextSource) -> str:
    if isinstance(source, il.TextSource):
        data = base64.b64encode(source.text.encode()).decode()
        return f"data:text/plain;base64,{data}"
    if isinstance(source, il.Base64Source):
        return f"data:{source.media_type};base64,{source.data}"
    return source.url if isinstance(source, il.UrlSource) else source.file_id


@given(testing.conversations())
def test_a_conversation_is_sound(conversation: list[il.Message]) -> None:
    assert conversation
    assert list(unsound(conversation)) == []


@over.formats([*il.FORMATS.values(), *OWN])
@given(data=st.data())
def test_a_conversation_for_a_format_is_carried_whole(format: il.Format, data: st.DataObject) -> None:
    conversation = data.draw(testing.conversations(valid_for=format))
    payload = il.dump(conversation, format, on_loss="raise")
    assert list(meaning(il.load(payload, format).messages)) == list(meaning(conversation))
    if format.name in sdks.SDKS:
        assert sdks.request_faults(payload, format.name) == []
    if format.listed == "prompt":
        return
    assert list(unsound(conversation)) == []
    if format.family in ("openai", "anthropic"):
        family = "anthropic" if format.family == "anthropic" else "openai_chat"
        assert oracles.server_faults(payload, format.name if format.name in il.FORMATS else family) == []


CARRIES = {
    "openai_chat": "json assistant_first leaders developer name media refusal mark broken data custom",
    "verifiers": "json assistant_first leaders thinking media refusal broken data",
    "litellm": "json assistant_first leaders developer name thinking media shown_by_tools refusal mark broken data custom"
    " signed",
    "gemini_openai": "json assistant_first leaders media refusal broken data signed",
    "openhands": "json assistant_first leaders name refusal broken data custom",
    "clacky": "json assistant_first leaders name thinking media refusal mark broken data custom",
    "deepseek": "json assistant_first leaders name thinking broken data",
    "openrouter": "json assistant_first leaders developer name thinking media shown_by_tools refusal mark broken data custom"
    " signed",
    "anthropic": "json cited thinking media shown_by_tools error mark opaque data",
    "asktable": "json cited thinking media shown_by_tools error mark broken opaque data",
}
"""What conversations may have that only some formats carry."""
UNCARRIED = {"typed", "any_order"}
"""What none of them carries."""


def features(conversation: Sequence[il.Message]) -> Iterator[str]:
    leaders = [message for message in conversation if isinstance(message, il.SystemMessage | il.DeveloperMessage)]
    if len(leaders) > 1:
        yield "leaders"
    if not isinstance(conversation[len(leaders)], il.UserMessage):
        yield "assistant_first"
    for message in conversation:
        if isinstance(message, il.DeveloperMessage):
            yield "developer"
        if not isinstance(message, il.ToolMessage | il.OpaqueMessage) and message.name is not None:
            yield "name"
        if not isinstance(message, il.OpaqueMessage) and message.provider_data is not None:
            yield "data"
        parts = [*message.parts, *[part for result in results(message) for part in parts_of(result)]]
        if results(message):
            yield "results as messages" if isinstance(message, il.ToolMessage) else "results as parts"
        if any(result.is_error is not None for result in results(message)):
            yield "error"
        if any(not isinstance(part, il.TextPart | il.JsonPart) for result in results(message) for part in parts_of(result)):
            yield "shown_by_tools"
        for part in parts:
            if part.cache_control is not None:
                yield "mark"
            if part.provider_data is not None:
                yield "data"
            if isinstance(part, il.OpaquePart):
                yield "opaque"
            if isinstance(part, il.JsonPart):
                yield "json"
            if isinstance(part, il.TextPart) and part.citations:
                yield "cited"
            if isinstance(part, il.TextPart | il.ToolUsePart) and part.signature is not None:
                yield "signed"
            if isinstance(part, il.ImagePart) and isinstance(part.source, il.UrlSource) and part.source.media_type is not None:
                yield "typed"
            if isinstance(part, il.ImagePart | il.ImageUrlPart | il.AudioPart | il.InputAudioPart | il.VideoPart | il.FilePart):
                yield "media"
            if isinstance(part, il.ThinkingPart | il.RefusalPart):
                yield part.type
            if isinstance(part, il.ToolUsePart) and part.custom:
                yield "custom"
            elif isinstance(part, il.ToolUsePart) and part.parsed is None:
                yield "broken"
        if isinstance(message, il.AssistantMessage):
            kinds = [part.type for part in message.parts]
            if message.tool_uses:
                yield "flat calls" if message.tool_calls else "calls as parts"
            if "text" in kinds and "tool_use" in kinds and kinds.index("tool_use") < kinds.index("text"):
                yield "any_order"


def parts_of(result: il.ToolResultPart) -> Sequence[il.Part]:
    return () if result.content is None or isinstance(result.content, str) else result.content


SPELLINGS = {"results as messages", "results as parts", "flat calls", "calls as parts"}


def seen(conversations: st.SearchStrategy[list[il.Message]], wanted: set[str]) -> set[str]:
    """What they have, but for the spellings, which they have all; as many are drawn as it takes to see what is wanted."""
    found: set[str] = set()

    def all_seen(drawn: list[list[il.Message]]) -> bool:
        found.update(features(drawn[-1]))
        return len(drawn) >= 75 and found >= wanted | SPELLINGS

    drawn_until(all_seen, conversations, 300)
    assert found >= SPELLINGS
    return found - SPELLINGS


@pytest.mark.deep
@pytest.mark.parametrize("format", CARRIES)
def test_a_conversation_for_a_format_may_have_all_that_it_carries(format: il.FormatName) -> None:
    carried = set(CARRIES[format].split())
    assert seen(testing.conversations(format), carried) == carried


@pytest.mark.deep
def test_a_conversation_for_none_may_have_everything() -> None:
    everything = {word for words in CARRIES.values() for word in words.split()} | UNCARRIED
    assert seen(testing.conversations(), everything) == everything


def test_a_format_without_strategies_is_unknown_to_them() -> None:
    novel = replace(il.FORMATS["openai_chat"], name="novel", strategies=None)
    for strategies in (testing.payloads, testing.responses, testing.chunks):
        with pytest.raises(il.UnknownFormat, match="novel"):
            strategies(novel)
    with pytest.raises(il.UnknownFormat, match="does not have responses"):
        testing.responses("alpaca")


@given(testing.stored_conversations())
def test_a_stored_conversation_is_read_back(stored: il.Conversation) -> None:
    assert il.validate(stored.model_dump_json(), il.Conversation) == stored
    assert list(unsound(stored.messages)) == []


# The smallest


def smallest(conversations: st.SearchStrategy[list[il.Message]], planted: Callable[[list[il.Message]], bool]) -> list[Any]:
    profile = settings(
        max_examples=5000, derandomize=False, deadline=None, database=None, phases=[Phase.generate, Phase.shrink]
    )
    return [message.to_dict() for message in find(conversations, planted, settings=profile, random=Random(0))]


def answered(conversation: list[il.Message]) -> list[il.ToolUsePart]:
    ids = {result.tool_use_id for message in conversation for result in results(message)}
    return [part for message in conversation for part in message.tool_uses if part.id in ids]


CALL = {"id": "call_1", "name": "f", "arguments": "{}"}


def test_a_fault_in_an_answered_call_shrinks_to_the_call_and_its_result() -> None:
    assert smallest(testing.conversations(), lambda conversation: bool(answered(conversation))) == [
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": ""},
    ]


@pytest.mark.deep
def test_a_fault_in_an_argument_shrinks_to_one_call_with_one_argument() -> None:
    def planted(conversation: list[il.Message]) -> bool:
        return any(not (part.custom or part.arguments.isascii()) for part in answered(conversation))

    called, result = smallest(testing.conversations(), planted)
    [call] = called.pop("tool_calls")
    assert called == {"role": "assistant"}
    assert len(call.pop("arguments")) <= len('{"": "é"}') + 3
    assert call == {"id": "call_1", "name": "f"}
    assert result == {"role": "tool", "tool_call_id": "call_1", "content": ""}


PLANTED: dict[str, tuple[Callable[[list[il.Message]], bool], list[str]]] = {
    "two calls": (lambda talk: len(answered(talk)) > 1, ["user", "assistant", "tool", "tool"]),
    "thinking": (lambda talk: any(message.thinking for message in talk), ["user", "assistant"]),
    "a word": (lambda talk: any("漢" in message.text for message in talk if message.role == "user"), ["user"]),
}


@pytest.mark.parametrize(("planted", "roles"), PLANTED.values(), ids=PLANTED.keys())
def test_a_fault_shrinks_to_what_the_format_needs_around_it(
    planted: Callable[[list[il.Message]], bool], roles: list[str]
) -> None:
    assert [message["role"] for message in smallest(testing.conversations("anthropic"), planted)] == roles


# Streams


@over.formats(MAIN)
@given(data=st.data())
def test_chunks_are_those_of_the_official_client(format: il.FormatName, data: st.DataObject) -> None:
    for chunk in data.draw(testing.chunks(format)):
        faults = sdks.chunk_faults(chunk, format)
        assert [fault for fault in faults if fault.rule != "sdk extra"] == []  # such as OpenAI's obfuscation


def test_choices_and_calls_alternate_and_usage_is_sent_early_or_late() -> None:
    streams = some(testing.chunks("openai_chat"), 200)
    assert any(alternate([chunk["choices"][0]["index"] for chunk in stream if chunk["choices"]]) for stream in streams)
    calls = [
        [call["index"] for chunk in stream for choice in chunk["choices"] for call in choice["delta"].get("tool_calls") or ()]
        for stream in streams
        if len({choice["index"] for chunk in stream for choice in chunk["choices"]}) == 1
    ]
    assert any(map(alternate, calls))
    assert all(list(dict.fromkeys(indexes)) == sorted(set(indexes)) for indexes in calls), "calls begin in their order"
    for place in (0, -1):
        assert any("usage" in stream[place] for stream in streams)
        assert any("usage" not in stream[place] for stream in streams)


def alternate(indexes: list[int]) -> bool:
    return indexes != sorted(indexes)


def test_what_anthropic_used_is_sent_once_or_again() -> None:
    streams = some(testing.chunks("anthropic"), 40)
    ends = [chunk["usage"] for stream in streams for chunk in stream if chunk["type"] == "message_delta"]
    assert {"input_tokens" in usage for usage in ends} == {True, False}


# Canonical responses, and what is wrong


@given(testing.malformed())
def test_one_fault_in_messages_is_reported_with_its_place(malformed: tuple[list[dict[str, Any]], str]) -> None:
    data, pointer = malformed
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(data)
    assert [fault.path for fault in caught.value.faults] == [pointer]


@given(testing.malformed())
def test_one_fault_in_a_model_of_the_users_own_is_one_error(malformed: tuple[list[dict[str, Any]], str]) -> None:
    data, pointer = malformed
    with pytest.raises(ValidationError) as caught:
        Transcript.model_validate({"title": "", "messages": data})
    [error] = caught.value.errors()
    assert "()" not in error["msg"]  # the name of a function says nothing to users
    assert [entry["path"] for entry in il.error_body(caught.value)["errors"]] == ["/messages" + pointer]


def test_anything_can_be_wrong_with_messages() -> None:
    expected = {"0", "role", "type", "content", "mood", "name", "cache_control"}

    def wrong(found: list[tuple[list[dict[str, Any]], str]]) -> set[str]:
        return {pointer.rpartition("/")[2] for _, pointer in found}

    assert wrong(drawn_until(lambda found: wrong(found) >= expected, testing.malformed(), 800)) >= expected


def test_a_number_in_place_of_another_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    cited = il.TextPart(text="a", citations=[il.DocumentCitation(document=0, source_start=1, source_end=2)])
    monkeypatch.setattr(faults, "messages", lambda: st.just(il.AssistantMessage(content=[cited])))
    for data, _ in some(testing.malformed(), 50):
        with pytest.raises(il.InvalidPayload):
            il.validate(data)


@pytest.mark.deep
def test_a_first_example_is_not_slow_where_hypothesis_never_ran(tmp_path: Path) -> None:
    program = """
from hypothesis import given, strategies as st
import interlingua as il
from interlingua import testing

@given(testing.conversations(valid_for="anthropic"))
def test_conversations(conversation): pass

@given(st.from_type(il.UserMessage))
def test_messages(message): pass

test_conversations()
test_messages()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode:  # Hypothesis asks a clock, and a busy machine may be late once
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
