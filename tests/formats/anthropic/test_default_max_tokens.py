"""The number of tokens that a profile adds to requests that have none."""

from typing import Any

import pytest

import interlingua as il

ROOMY = il.format_for(il.AnthropicProfile(max_tokens=4096), "anthropic_roomy")
SAID: list[dict[str, Any]] = [{"role": "user", "content": "2 + 2?"}]
REQUESTS: dict[str, tuple[dict[str, Any], int, bool]] = {
    # litellm and langchain-anthropic send a number of their own where the caller gives none.
    "none": ({"model": "m", "messages": SAID}, 4096, True),
    # That of the caller goes first, in either of OpenAI's fields.
    "max_tokens": ({"model": "m", "messages": SAID, "max_tokens": 9}, 9, False),
    "max_completion_tokens": ({"model": "m", "messages": SAID, "max_completion_tokens": 9}, 9, False),
}


@pytest.mark.parametrize(("body", "expected", "added"), REQUESTS.values(), ids=REQUESTS)
def test_the_profile_adds_what_the_request_lacks(body: dict[str, Any], expected: int, added: bool) -> None:
    converted = il.convert(body, source="openai_chat", target=ROOMY, check=True)
    payload: Any = converted.payload
    assert payload["max_tokens"] == expected
    assert [(loss.kind, loss.path, loss.at) for loss in converted.losses] == ([("added", "", "/max_tokens")] if added else [])
    assert converted.problems == ()


def test_nothing_is_added_by_default_or_at_home_or_to_messages_alone() -> None:
    body: dict[str, Any] = {"model": "m", "messages": SAID}
    converted: Any = il.convert(body, source="openai_chat", target="anthropic").payload
    assert "max_tokens" not in converted
    assert il.dump(il.load(body, ROOMY), ROOMY, on_loss="raise") == body
    assert il.dump(il.validate(SAID), ROOMY, on_loss="raise") == {"messages": SAID}
    request = il.load(body, "openai_chat")
    assert il.dump(request, ROOMY, on_loss="raise", settings=False) == {"messages": SAID}
