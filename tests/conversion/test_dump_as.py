"""One message in a provider's form."""

import json
import warnings
from typing import Any

import pytest

import interlingua as il
from laws.everything import Transcript, assistant, user

CALLING = assistant(content="text", tool_calls=[{"id": "c", "name": "f", "arguments": '{"a": 1}'}])
IN_ANTHROPIC = {
    "role": "assistant",
    "content": [{"type": "text", "text": "text"}, {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}],
}
IN_OPENAI = {
    "role": "assistant",
    "content": "text",
    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
}


@pytest.mark.parametrize(
    ("format", "expected"), [("anthropic", IN_ANTHROPIC), ("openai_chat", IN_OPENAI), ("verifiers", CALLING.to_dict())]
)
def test_one_message_in_a_providers_form(format: il.FormatName, expected: dict[str, Any]) -> None:
    for target in (format, il.FORMATS[format]):
        assert CALLING.dump_as(target, on_loss="raise") == expected
        assert CALLING.model_dump(context={"format": target}) == expected
        assert json.loads(CALLING.model_dump_json(context={"format": target})) == expected
    assert CALLING.model_dump(context={"other": 1}) == CALLING.model_dump(context={}) == CALLING.to_dict()


def test_the_context_reaches_messages_in_a_model_of_the_users_own() -> None:
    transcript = Transcript(title="t", messages=[user(content="x"), CALLING], last=CALLING)
    expected = {"title": "t", "messages": [{"role": "user", "content": "x"}, IN_ANTHROPIC], "last": IN_ANTHROPIC}
    assert transcript.model_dump(context={"format": "anthropic"}) == expected
    assert json.loads(transcript.model_dump_json(context={"format": "anthropic"})) == expected


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_content_as_string_or_list(format: il.FormatName) -> None:
    text, parts = user(content="x"), user(content=[{"type": "text", "text": "x"}])
    blocks = [{"type": "text", "text": "x"}]
    assert text.dump_as(format, content="keep")["content"] == "x"
    assert parts.dump_as(format, content="keep")["content"] == blocks
    for message in (text, parts):
        assert message.dump_as(format, content="string")["content"] == "x"
        assert message.dump_as(format, content="list")["content"] == blocks
        assert message.model_dump(context={"format": format, "content": "list"})["content"] == blocks


def test_what_one_message_loses() -> None:
    message = user(content="x", name="mira")
    with pytest.raises(il.LossyConversion) as caught:
        message.dump_as("anthropic", on_loss="raise")
    assert [(loss.kind, loss.path) for loss in caught.value.losses] == [("dropped", "/name")]
    reported: list[il.Loss] = []
    assert message.dump_as("anthropic", on_loss=reported.append) == {"role": "user", "content": "x"}
    assert tuple(reported) == caught.value.losses
    with pytest.warns(il.LossWarning, match="/name"):
        message.dump_as("anthropic")
    with pytest.warns(il.LossWarning, match="/name"):
        assert message.model_dump(context={"format": "anthropic"}) == {"role": "user", "content": "x"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert message.dump_as("anthropic", on_loss="ignore") == {"role": "user", "content": "x"}


SEVERAL = user(content=[{"type": "tool_result", "tool_use_id": c, "content": "x"} for c in "cd"])


@pytest.mark.parametrize(
    ("message", "format"),
    [(il.SystemMessage(content="x"), "anthropic"), (SEVERAL, "openai_chat"), (user(content=""), "anthropic")],
    ids=["lifted", "several", "none"],
)
def test_what_is_not_exactly_one_message_there(message: il.UserMessage, format: il.FormatName) -> None:
    with pytest.raises(ValueError, match="dump"):
        message.dump_as(format, on_loss="ignore")
    with pytest.warns(il.LossWarning, match="dump"):
        assert message.model_dump(context={"format": format}) == message.to_dict()


def test_an_opaque_message_has_a_form_in_its_own_format_only() -> None:
    wire = {"role": "novel", "content": [1]}
    message = il.OpaqueMessage(format="anthropic", value=wire)
    assert message.dump_as("anthropic", on_loss="raise") == wire
    assert message.model_dump(context={"format": "anthropic"}) == wire
    with pytest.raises(ValueError, match="dump"):
        message.dump_as("openai_chat", on_loss="ignore")
    with pytest.warns(il.LossWarning, match="dump"):
        assert message.model_dump(context={"format": "openai_chat"}) == message.to_dict()


def test_a_format_that_nobody_knows() -> None:
    with pytest.raises(il.UnknownFormat):
        CALLING.dump_as(il.format_of("novel"))
