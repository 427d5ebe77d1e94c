"""The comparison with other libraries: its judge sees harm, and this package does none in silence."""

import copy
from collections import Counter
from pathlib import Path
from typing import Any

import fidelity
import pytest
from fidelity import Case, Hub


def test_this_package_changes_nothing_in_silence() -> None:
    found = Counter(fidelity.outcomes(fidelity.ours(), fidelity.corpus()).values())
    assert found.keys() == {"unchanged", "changed, reported"}
    counts = fidelity.row(*(found[outcome] for outcome in fidelity.OUTCOMES)).removeprefix("|")
    assert f"{counts}\n" in PERFORMANCE.read_text(encoding="utf-8")


PERFORMANCE = Path(__file__).parents[2] / "docs" / "performance.md"

CASE = Case(
    "case",
    "openai_chat",
    {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Is it warm in Oslo?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"city": "Oslo"}'}}
                ],
            },
            {
                "role": "tool",
                "tool_call_id": "call_1",
                "content": [{"type": "text", "text": "4"}, {"type": "text", "text": " °C"}],
            },
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}],
    },
)


Edit = tuple[str, Any]
"""A pointer without its first slash, and the value that is set there; None removes what is there."""


def judged(form: Hub, edits: list[Edit], *, reported: int = 0) -> str:
    """The judgement of a library that converts as this one does, but for edits of its payloads in a format."""

    def convert(payload: Any, source: Hub, target: Hub) -> tuple[Any, int]:
        done = copy.deepcopy(dict(fidelity.ours()(payload, source, target)[0]))
        for path, value in edits if target == form else ():
            *above, last = path.split("/")
            owner: Any = done
            for key in above:
                owner = owner[int(key) if isinstance(owner, list) else key]
            place: Any = int(last) if isinstance(owner, list) else last
            if value is None:
                del owner[place]
            else:
                owner[place] = value
        return done, reported

    return fidelity.judged(convert, CASE)


@pytest.mark.parametrize(
    "edit",
    [
        ("messages/0", None),
        ("messages/0/role", "user"),
        ("messages/1/content", "Is it warm?"),
        ("messages/1/name", "mira"),
        ("messages/2/tool_calls/0/function/arguments", '{"city": "Rome"}'),
        ("messages/2/tool_calls", None),
        ("messages/3/content", "4\n °C"),
        ("messages/3/tool_call_id", "call_2"),
        ("tools/0", None),
    ],
)
def test_harm_is_seen(edit: Edit) -> None:
    assert judged("openai_chat", [edit]) == "changed, not reported"
    assert judged("openai_chat", [edit], reported=1) == "changed, reported"


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [("messages/3/content", "4 °C")],
        [("messages/2/tool_calls/0/function/arguments", '{"city":"Oslo"}')],
        [("messages/2/content", "")],
        [("messages/2/tool_calls/0/id", "a"), ("messages/3/tool_call_id", "a")],
        [("messages/0/role", "developer"), ("messages/0/cache_control", {"type": "ephemeral"})],
    ],
)
def test_another_spelling_is_no_harm(edits: list[Edit]) -> None:
    assert judged("openai_chat", edits) == "unchanged"


def test_what_the_provider_would_refuse_is_seen() -> None:
    assert judged("anthropic", [("messages/1/content/0/name", "f 1")]) == "invalid on the way"
    assert judged("anthropic", [("messages/2/content/0/tool_use_id", "call_2")]) == "invalid on the way"
    assert judged("anthropic", [("messages", None)]) == "not converted"
