"""Strategies for valid conversations, in which each message fits those before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from ..codec.format import Format
from ..codec.strategies.primitives import BASE64, NAMES, text
from ..codec.strategies.shapes import given
from ..formats import FormatName, format_of
from ..model import messages as m, parts as p
from ..model.base import exact_object
from .takes import Takes, takes_of, takes_texts

T = TypeVar("T")


def conversations(valid_for: FormatName | Format | None = None) -> st.SearchStrategy[list[m.Message]]:
    """Valid conversations of one to about thirty messages, like the history of an agent in which nothing went wrong.

    System or developer messages come first. User and assistant take turns. Each tool call of the assistant is answered before
    the assistant goes on, in any order; ids are unique. Every message is in either spelling: reasoning and calls in fields or
    in blocks, results as tool messages or in a user message. Only the assistant has reasoning. A conversation may end with the
    user's words, with results, or with an answer. The text of arguments may be malformed, as models sometimes write it.

    With `valid_for`, a format or its name, a conversation has only what that format carries without loss:
    `il.dump(conversation, valid_for, on_loss="raise")` gives a payload, and its provider accepts it. For one format, there is
    one system message and no developer message, the user begins, reasoning is signed, arguments are objects, no text is blank,
    and nobody has a name. For another, there is no reasoning, no error flag, and no media in results. For a third, there are
    only texts.
    Custom tools, opaque parts and `provider_data` are drawn, too; with `valid_for`, only those that the format's provider is
    known to accept. There are no opaque messages; `messages()` draws them.

    Shrinks to few messages in the flat spelling, with the text `a` or none.
    """
    takes = Takes() if valid_for is None else takes_of(format_of(valid_for))
    if takes is None and valid_for is not None:
        most = 3 if takes_texts(format_of(valid_for)) else 1
        return st.lists(given(m.TextMessage, {"content": text(blank=False)}, {}), min_size=1, max_size=most)
    return _conversation(takes or Takes())


# To shrink well, a conversation must stay valid without any of its pieces. So each piece is a strategy, drawn a number of times
# (the shrinker lowers that number), and what a piece draws never depends on the others. There may be a question that nobody
# asks, and an answer to nothing.


@st.composite
def _conversation(draw: st.DrawFn, takes: Takes) -> list[m.Message]:
    talk = _Talk(takes)
    _several(draw, 0, takes.leaders, _leader(talk))
    _several(draw, 1, 3, _turn(talk))
    return talk.messages


class _Talk:
    """A conversation under way."""

    def __init__(self, takes: Takes) -> None:
        self.takes = takes
        self.messages: list[m.Message] = []
        self.begun = False
        """Whether anybody has said anything, instructions aside."""
        self.pending: m.AssistantMessage | None = None
        """What the assistant will say before the user goes on."""
        self.calls = 0

    def say(self, *messages: m.Message) -> None:
        if self.pending is not None:
            self.messages.append(self.pending)
        self.messages += messages
        self.begun = True
        self.pending = None


@st.composite
def _leader(draw: st.DrawFn, talk: _Talk) -> None:
    takes = talk.takes
    kind = draw(st.sampled_from(takes.leading))
    talk.messages.append(
        kind(content=_content(draw, takes, takes.leading_texts, marks=takes.marks), **_frame(draw, takes, "system"))
    )


@st.composite
def _turn(draw: st.DrawFn, talk: _Talk) -> None:
    """The user says something; the assistant calls tools, time and again, and answers; unless it all ends before that."""
    takes = talk.takes
    asked = takes.user_first or _often(draw)
    question = m.UserMessage(content=_content(draw, takes, takes.shown, marks=takes.marks), **_frame(draw, takes, "user"))
    if asked or talk.begun:
        talk.say(question)
    _several(draw, 0, 2 if takes.calls else 0, _round(talk))
    answered = draw(_EITHER)
    talk.pending = _spoken(draw, takes)
    if answered or not talk.begun:
        talk.say()


@st.composite
def _round(draw: st.DrawFn, talk: _Talk) -> None:
    """Tool calls of the assistant, and the result of each."""
    takes = talk.takes
    calls = _several(draw, 1, 3, _call(talk))
    talk.say(_spoken(draw, takes, [call.call for call in calls]))
    answered = _ordered(draw, calls)
    more = draw(takes.texts) if _seldom(draw) else []
    if draw(_EITHER):
        results: list[Any] = [p.ToolResultPart(tool_use_id=call.call.id, **call.result) for call in answered]
        talk.say(m.UserMessage(content=(*results, *more)))
    else:
        talk.say(*[m.ToolMessage(tool_call_id=call.call.id, **call.result) for call in answered])


class _Answered(NamedTuple):
    call: p.ToolCall
    result: dict[str, Any]


@st.composite
def _call(draw: st.DrawFn, talk: _Talk) -> _Answered:
    takes = talk.takes
    talk.calls += 1
    stem = draw(st.sampled_from(takes.ids))
    custom: dict[str, Any] = {"custom": True} if takes.custom and _seldom(draw) else {}
    arguments = draw(text() if custom else takes.argument_texts)
    data = _data(draw, takes, "tool_use")
    data |= _signature(draw, takes, "tool_use")
    call = p.ToolCall(id=f"{stem}_{talk.calls}", name=draw(NAMES), arguments=arguments, **custom, **data)
    result = _data(draw, takes, "tool")
    if takes.errors and _seldom(draw):
        result["is_error"] = draw(_EITHER)
    if takes.tool_names and not custom and _seldom(draw):
        result["name"] = call.name
    result["content"] = _content(draw, takes, takes.failures if result.get("is_error") else takes.results)
    return _Answered(call, result)


# One message


def _spoken(draw: st.DrawFn, takes: Takes, calls: Sequence[p.ToolCall] = ()) -> m.AssistantMessage:
    """What the assistant says, and calls."""
    thinking = draw(takes.thinking)
    if calls and takes.reasoned_calls and not thinking:
        thinking = [p.ThinkingPart(thinking=draw(takes.words))]
    fields = (_blocks if draw(_EITHER) else _flat)(draw, takes, thinking, calls)
    return m.AssistantMessage(**fields, **_frame(draw, takes, "assistant"))


def _flat(draw: st.DrawFn, takes: Takes, thinking: list[Any], calls: Sequence[p.ToolCall]) -> dict[str, Any]:
    fields: dict[str, Any] = {"thinking_blocks": thinking} if thinking else {}
    readable = "".join(part.thinking for part in thinking if isinstance(part, p.ThinkingPart))
    if readable and _seldom(draw):
        fields["reasoning_content"] = readable
    elif not thinking and takes.unsigned_thinking and _seldom(draw):
        fields["reasoning_content"] = draw(takes.words)
    if calls:
        fields["tool_calls"] = calls
        if draw(_EITHER):
            fields["content"] = None if _seldom(draw) else draw(takes.words)
    elif takes.refusals and not thinking and _seldom(draw):
        fields["refusal"] = draw(takes.words)
    else:
        fields["content"] = draw(takes.words)
    return fields


def _blocks(draw: st.DrawFn, takes: Takes, thinking: list[Any], calls: Sequence[p.ToolCall]) -> dict[str, Any]:
    may_refuse = takes.refusals and not (calls or thinking)
    if may_refuse and _seldom(draw):
        return {"content": (p.RefusalPart(refusal=draw(takes.words)),)}
    texts = draw(takes.texts) if not calls or draw(_EITHER) else []
    as_objects = draw(_EITHER)
    if texts:
        texts[-1] = texts[-1].replace(**_data(draw, takes, "text"), **_signature(draw, takes, "text"), **_cited(draw, takes))
    # Opaque parts may belong together.
    groups = [
        *_each(thinking),
        *_each(texts),
        draw(takes.opaque),
        *_each(_tool_use(call, as_object=as_objects) for call in calls),
    ]
    content = _joined(groups)
    if takes.any_order:
        shuffled = _joined(_ordered(draw, groups))
        if shuffled[-1].type not in ("thinking", "redacted_thinking"):  # which lead to something
            content = shuffled
    return {"content": content}


def _each(parts: Iterable[Any]) -> list[list[Any]]:
    return [[part] for part in parts]


def _joined(groups: Iterable[list[Any]]) -> list[Any]:
    return [part for group in groups for part in group]


def _tool_use(call: p.ToolCall, *, as_object: bool) -> p.ToolUsePart:
    parsed = exact_object(call.arguments) if as_object else None
    given = {name: getattr(call, name) for name in call.model_fields_set - {"arguments"}}
    return p.ToolUsePart(**given, input=call.arguments if parsed is None or call.custom else parsed)


def _content(draw: st.DrawFn, takes: Takes, listed: st.SearchStrategy[list[Any]], *, marks: bool = False) -> Any:
    """Text, or parts, the last of them with a cache mark now and then."""
    if not draw(_EITHER):
        return draw(takes.words)
    parts = draw(listed)
    if marks and _seldom(draw):
        parts[-1] = parts[-1].replace(cache_control=p.CacheControl())
    return parts


def _frame(draw: st.DrawFn, takes: Takes, role: str) -> dict[str, Any]:
    name = {"name": draw(NAMES)} if takes.names and _seldom(draw) else {}
    return name | _data(draw, takes, role)


def _data(draw: st.DrawFn, takes: Takes, owner: str) -> dict[str, Any]:
    """The field `provider_data` of an owner, now and then."""
    return {"provider_data": draw(takes.data[owner])} if owner in takes.data and _seldom(draw) else {}


def _signature(draw: st.DrawFn, takes: Takes, kind: str) -> dict[str, Any]:
    """The fields `signature` and `issuer` of a part, now and then."""
    if kind not in takes.signed or not _seldom(draw):
        return {}
    return {"signature": draw(BASE64), "issuer": draw(st.sampled_from(takes.signed[kind]))}


def _cited(draw: st.DrawFn, takes: Takes) -> dict[str, Any]:
    """The field `citations` of a text, now and then."""
    if takes.citations is None or not _seldom(draw):
        return {}
    return {"citations": draw(st.lists(takes.citations, min_size=1, max_size=2))}


# Chance

_EITHER = st.booleans()
_ONE_IN_FOUR = st.integers(0, 3)
_ORDER = st.integers(0, 5039)


def _several(draw: st.DrawFn, least: int, most: int, strategy: st.SearchStrategy[T]) -> list[T]:
    return [draw(strategy) for _ in range(draw(st.integers(least, most)))]


def _seldom(draw: st.DrawFn) -> bool:
    return draw(_ONE_IN_FOUR) == 3


def _often(draw: st.DrawFn) -> bool:
    return draw(_ONE_IN_FOUR) > 0


def _ordered(draw: st.DrawFn, items: Sequence[T]) -> list[T]:
    """The items in any order; one number, however many there are."""
    number = draw(_ORDER)
    rest = list(items)
    out: list[T] = []
    while rest:
        number, at = divmod(number, len(rest))
        out.append(rest.pop(at))
    return out
