"""Profiles: what a host or a model takes, as data of the caller's own; and what dialects say of one another's fields."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import canonical
from laws import over
from laws.families import CHAT, LISTED

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

USER: dict[str, Any] = {"role": "user", "content": "Hi."}
ASKED: list[dict[str, Any]] = [USER, {"role": "assistant", "content": "Hello."}, USER]

# Cache marks

MARKS = [
    {"cache_control": {"type": "ephemeral"}},
    {"cache_control": {"type": "ephemeral", "ttl": "1h"}},
    {"prompt_cache_breakpoint": {"mode": "explicit"}},
]


def marked(place: str, mark: dict[str, Any]) -> dict[str, Any]:
    """A request with a mark on a part, a message or a tool."""
    part: dict[str, Any] = {"type": "text", "text": "Hi."} | (mark if place == "part" else {})
    tool: dict[str, Any] = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    return {
        "messages": [{"role": "user", "content": [part]} | (mark if place == "message" else {})],
        "tools": [tool | (mark if place == "tool" else {})],
    }


@pytest.mark.parametrize("mark", MARKS, ids=str)
@pytest.mark.parametrize("place", ["part", "message", "tool"])
@pytest.mark.parametrize("source", CHAT)
def test_a_cache_mark_reaches_anthropic_from_any_dialect(source: il.FormatName, place: str, mark: dict[str, Any]) -> None:
    payload = marked(place, mark)
    assert canonical(il.dump(il.load(payload, source), source, on_loss="raise")) == canonical(payload)
    result = il.convert(payload, source=source, target="anthropic")
    body: Any = result.payload
    holder = body["tools"][0] if place == "tool" else body["messages"][0]["content"][0]
    assert holder["cache_control"] == mark.get("cache_control", {"type": "ephemeral"})
    assert [loss.kind for loss in result.losses if "cache" in loss.path] == (["moved"] if place == "message" else [])


@pytest.mark.parametrize("name", CHAT)
def test_a_mark_that_a_user_adds_is_sent_where_the_host_has_one(name: il.FormatName) -> None:
    request = il.load(marked("part", {}), name)
    added = il.UserMessage(content=[il.TextPart(text="x", cache_control=il.CacheControl())])
    losses: list[il.Loss] = []
    payload = il.dump(request.replace(messages=[*request.messages, added]), name, on_loss=losses.append)
    profile = il.FORMATS[name].profile
    part = payload["messages"][-1]["content"][0]
    assert (
        (profile.cache in part)
        if profile.cache is not None
        else [loss.path for loss in losses] == ["/messages/1/content/0/cache_control"]
    )


# Profiles of the caller's own

SETTINGS = {"temperature": 0.5, "top_p": 0.9, "top_k": 5}


@pytest.mark.parametrize("key", SETTINGS)
def test_sampling_settings_follow_the_profile(key: str) -> None:
    request = il.Request.model_validate({"messages": ASKED, key: SETTINGS[key]})
    older = il.format_for(il.AnthropicProfile(sampling=True))
    assert il.dump(request, older, on_loss="raise")[key] == SETTINGS[key]
    losses: list[il.Loss] = []
    assert key not in il.dump(request, "anthropic", on_loss=losses.append)
    assert [(loss.path, loss.kind) for loss in losses] == [(f"/{key}", "dropped")]
    assert "AnthropicProfile(sampling=True)" in losses[0].detail


def test_a_system_message_in_mid_conversation_follows_the_profile() -> None:
    messages = il.validate([*ASKED, {"role": "system", "content": "Be brief."}])
    own = il.format_for(il.AnthropicProfile(system_in_conversation=True), "own")
    assert own.name == "own"
    assert il.dump(messages, own, on_loss="raise")["messages"][-1] == {"role": "system", "content": "Be brief."}
    losses: list[il.Loss] = []
    assert il.dump(messages, "anthropic", on_loss=losses.append)["messages"][-1]["role"] == "user"
    assert [loss.path for loss in losses] == ["/3"]


def test_a_chat_host_of_the_callers_own() -> None:
    host = il.format_for(il.ChatProfile(cache="cache_control", reasoning="reasoning_content"), "host")
    said = il.AssistantMessage(content=[il.ThinkingPart(thinking="Hm."), il.TextPart(text="Hi.")])
    assert il.dump([said], host, on_loss="ignore")["messages"][0]["reasoning_content"] == "Hm."
    assert il.format_for(il.ChatProfile()).name == "openai_chat"


def test_a_host_may_hold_the_usage_of_its_streams_elsewhere() -> None:
    reader = il.reader(il.format_for(il.ChatProfile(held_usage=("meta", "usage")), "host"))
    reader.feed({"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]})
    events = reader.feed({"choices": [], "meta": {"usage": {"prompt_tokens": 2}}})
    assert [event.usage.input_tokens for event in events if isinstance(event, il.UsageUpdate)] == [2]


# Reasons


@over.pairs(LISTED)
@given(data=st.data())
def test_no_family_is_said_to_have_a_field_alone(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    for loss in il.convert(data.draw(testing.payloads(source)), source=source, target=target).losses:
        assert not loss.detail.startswith(("only openai has", "only anthropic has", "only openai knows parts"))
        family = il.FORMATS[source].family
        if share.judged("has no place for" in loss.detail, least=0.25):
            assert loss.detail.startswith(target)
            assert loss.detail.endswith(f"of the {family} family") == (family != il.FORMATS[target].family)
