"""Settings that go to another format: what is said, sent and lost, and what comes back."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import interlingua as il

MESSAGES: dict[str, Any] = {
    "openai_responses": {"input": [{"role": "user", "content": "a"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "a"}]}]},
    "google_genai": {"model": "m", "contents": [{"role": "user", "parts": [{"text": "a"}]}]},
    "gemini_interactions": {"input": "a"},
    "bedrock_converse": {"messages": [{"role": "user", "content": [{"text": "a"}]}]},
}
CHAT = {"messages": [{"role": "user", "content": "a"}]}


class Case(NamedTuple):
    source: il.FormatName
    said: dict[str, Any]
    target: il.FormatName
    sent: dict[str, Any]
    lost: Sequence[tuple[str, str]] = ()
    back: bool = True
    """Whether the way back gives what was said."""
    hand: bool = True
    """Whether the same request built by hand, which has no host, gives the same."""


def settings(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in ("messages", "input", "contents", "model")}


def check_carried(case: Case) -> None:
    """Check a case, and that the same request that was built by hand gives the same body."""
    body = MESSAGES.get(case.source, CHAT) | case.said
    result = il.convert(body, source=case.source, target=case.target)
    assert settings(result.payload) == case.sent
    assert sorted((loss.kind, loss.path) for loss in result.losses) == [*case.lost]
    back = il.convert(result.payload, source=case.target, target=case.source)
    if case.back:
        assert (settings(back.payload), back.losses) == (settings(body), ())
    if not case.hand:
        return
    # Built by hand, without a record of how it stood on the wire, it is the same.
    loaded = il.load(body, case.source)
    by_hand = il.Request(**{name: getattr(loaded, name) for name in loaded.model_fields_set if name not in ("wire", "origin")})
    assert il.dump(by_hand, case.target, on_loss="ignore") == result.payload
    assert il.dump(loaded, case.source, on_loss="raise") == body
