"""Settings that a target takes only in part."""

import pytest

import interlingua as il

LEAST = "a thinking budget must be at least 1024; sent as 1024"
BELOW = "a thinking budget must be less than `max_tokens`; sent as 2999"
NONE = "a thinking budget must be at least 1024 and less than `max_tokens`: raise `max_tokens`"


@pytest.mark.parametrize(
    ("budget", "limit", "sent", "why"),
    [
        (500, None, 1024, LEAST),
        (500, 3000, 1024, LEAST),
        (500, 1024, None, NONE),
        (1024, 1025, 1024, None),
        (2000, 3000, 2000, None),
        (3000, 3000, 2999, BELOW),
        (9000, 1024, None, NONE),
    ],
)
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
def test_a_budget_of_reasoning_becomes_one_that_is_taken(
    target: il.FormatName, budget: int, limit: int | None, sent: int | None, why: str | None
) -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_budget=budget, max_tokens=limit)
    losses: list[il.Loss] = []
    body = il.dump(request, target, on_loss=losses.append)
    thinking = body.get("additionalModelRequestFields", body).get("thinking")
    assert thinking == (None if sent is None else {"type": "enabled", "budget_tokens": sent})
    assert [loss.detail for loss in losses if loss.path == "/reasoning_budget"] == ([] if why is None else [why])
    assert "thinking-budget-range" not in [problem.code for problem in il.check(body, target)]


def test_a_budget_stays_as_it_is_at_home() -> None:
    body = {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "a"}],
        "thinking": {"type": "enabled", "budget_tokens": 5},
    }
    assert il.dump(il.load(body, "anthropic"), "anthropic", on_loss="raise") == body
