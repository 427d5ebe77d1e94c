"""A conversion makes no fault: what a target would refuse in its result was wrong, or missing, in what was converted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import share
from interlingua.testing.wire import payloads
from laws import over, recorded
from laws.families import LISTED
from laws.sdks import SDKS


def said(request: il.Request) -> list[il.Message]:
    """The messages besides system text and what only one format knows."""
    return [message for message in request.messages if message.role not in ("system", "developer", "opaque")]


def parts(request: il.Request) -> Iterator[Any]:
    """The parts of all messages, and those in results."""
    for message in request.messages:
        for part in getattr(message, "parts", ()):
            yield part
            held: Any = part.content if part.type == "tool_result" else ()
            yield from () if isinstance(held, str) else held


def something(message: Any) -> bool:
    """Whether a message says anything."""
    return any(part.type != "text" or part.text.strip() for part in getattr(message, "parts", ()))


def unpaired(request: il.Request) -> bool:
    """Whether a call and its result are not in neighbouring messages of the assistant and the user, or one is missing."""
    if request.origin == "openai_responses":
        return missing(request)
    waiting: Counter[str | None] = Counter()
    for message in request.messages:
        held = list(getattr(message, "parts", ()))
        answered = [part.tool_use_id for part in held if part.type == "tool_result"]
        answers: Counter[str | None] = Counter(answered)
        if isinstance(message, il.ToolMessage):
            answers[message.tool_call_id] += 1
        if answers - waiting:
            return True
        waiting -= answers
        if waiting and not answers:
            return True
        waiting += Counter(part.id for part in held if part.type == "tool_use")
    return bool(waiting)


def missing(request: il.Request) -> bool:
    """Whether a call or a result is missing; in Responses, other messages may stand between the two."""
    waiting: Counter[str | None] = Counter()
    for message in request.messages:
        held = list(getattr(message, "parts", ()))
        answered: Counter[str | None] = Counter(part.tool_use_id for part in held if part.type == "tool_result")
        if isinstance(message, il.ToolMessage):
            answered[message.tool_call_id] += 1
        if answered - waiting:
            return True
        waiting += Counter(part.id for part in held if part.type == "tool_use")
        waiting -= answered
    return bool(waiting)


def begins(request: il.Request) -> bool:
    """Whether the first who says something is the assistant."""
    return next((message.role for message in said(request) if something(message)), "user") == "assistant"


def untyped(part: Any) -> bool:
    return part.type == "file" and part.source.type == "base64" and part.source.media_type is None


def names(request: il.Request) -> list[str]:
    return [tool.name for tool in request.tools or () if isinstance(tool, il.Tool)]


def out_of_range(request: il.Request) -> bool:
    """Whether a number is so small that no provider takes it, or a probability more than 1; a high temperature is lowered."""
    least = (request.temperature, 0), (request.top_p, 1e-9), (request.max_tokens, 1)
    return any(value is not None and value < limit for value, limit in least) or (request.top_p or 0) > 1


JUDGED = [name for name in LISTED if name in SDKS]
"""The formats of conversations whose provider nobody else speaks for."""

BEFORE: dict[str, tuple[str, Callable[[il.Request], bool]]] = {
    "max-tokens-missing": ("nobody gave a limit", lambda request: request.max_tokens is None),
    "no-messages": ("nobody says anything", lambda request: not any(map(something, said(request)))),
    "tools-missing-for-history": ("the request has no tools", lambda request: not names(request)),
    "call-without-result": ("a call is not answered next", unpaired),
    "result-without-call": ("a result answers no call before it", unpaired),
    "result-count-mismatch": ("calls and results differ", unpaired),
    "call-turn-misplaced": ("the assistant begins", begins),
    "tool-name-duplicate": ("two tools have one name", lambda request: len(set(names(request))) < len(names(request))),
    "stop-sequences-too-many": ("there are as many", lambda request: len(request.stop or ()) > 4),
    "too-many-documents": (
        "there are as many documents, and nobody can say which to leave out",
        lambda request: sum(part.type == "file" for part in parts(request)) > 5,
    ),
    "number-out-of-range": ("a number is too large or too small", out_of_range),
    "cache-ttl-order": ("the marks are in this order", lambda request: "1h" in str(request.to_dict())),
    "pdf-refused": ("the bytes are the caller's", lambda request: "application/pdf" in str(request.to_dict())),
    "file-data-format": ("a file has no media type", lambda request: any(map(untyped, parts(request)))),
    "json-object-needs-word": (
        "no text has the word",
        lambda request: "json" not in "".join(map(text_of, request.messages)).lower(),
    ),
    **dict.fromkeys(
        ("strict-additional-properties", "strict-required-all", "schema-root-not-object"),
        ("the schema is the caller's", lambda request: bool(names(request) or request.response_format)),
    ),
}
"""What may be refused in the result of a conversion, why that was wrong before, and how to see it in what was converted."""


def text_of(message: Any) -> str:
    return str(getattr(message, "text", ""))


LEFT = frozenset({"no-messages", "call-turn-misplaced"})
"""What may be wrong with the rest where parts of messages are dropped, and reported."""


def new_faults(request: il.Request, target: str) -> list[str]:
    """The errors in what the target gets that were not there before."""
    found = {problem.code: problem for problem in il.check(request, il.format_of(target)) if problem.severity == "error"}
    known = {code for code, (_, before) in BEFORE.items() if code in found and before(request)}
    if found.keys() & LEFT:
        losses: list[il.Loss] = []
        il.dump(request, il.format_of(target), on_loss=losses.append)
        if any(loss.kind == "dropped" and loss.path.startswith("/messages/") for loss in losses):
            known |= LEFT
    return [str(problem) for code, problem in found.items() if code not in known]


@over.pairs(JUDGED)
@given(data=st.data())
def test_a_conversion_makes_no_fault(target: str, sources: list[il.FormatName], data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sources))
    payload = data.draw(testing.payloads(source) | payloads(il.format_of(source), odd=False))
    if share.judged(not any(problem.severity == "error" for problem in il.check(payload, source)), least=0.65):
        assert new_faults(il.load(payload, source), target) == []


@pytest.mark.traffic
@pytest.mark.parametrize(
    ("api", "source", "target"),
    [(api, source, target) for api, source in recorded.READ_AS for target in JUDGED if target != source],
)
def test_a_conversion_of_what_was_accepted_makes_no_fault(traffic: Path, api: str, source: str, target: str) -> None:
    found = {
        record.id: new_faults(il.load(record.body, il.format_of(source)), target) for record in recorded.requests(traffic, api)
    }
    assert {id: faults for id, faults in found.items() if faults} == {}


def test_a_fault_that_was_there_is_seen() -> None:
    """The conditions above are met by what they are about, and not by a conversation that is right."""
    right = il.Request(
        messages=[
            il.UserMessage(content="2 + 2?"),
            il.AssistantMessage(tool_calls=[il.ToolCall(id="a", name="add", arguments="{}")]),
            il.ToolMessage(tool_call_id="a", content="4"),
        ],
        tools=[il.Tool(name="add", parameters={"type": "object", "properties": {}})],
        max_tokens=1,
        temperature=1,
    )
    apart = {"strict-additional-properties", "strict-required-all", "schema-root-not-object", "json-object-needs-word"}
    assert [code for code, (_, before) in BEFORE.items() if code not in apart and before(right)] == []
    assert unpaired(right.replace(messages=right.messages[:2]))
    assert unpaired(right.replace(messages=[right.messages[0], right.messages[2]]))
