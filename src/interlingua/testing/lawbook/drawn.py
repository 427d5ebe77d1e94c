"""What several laws draw: the formats to convert from and to, bodies with something wrong, streams."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.cutting import Hosts
from ...conversion.requests import dump, load
from ...errors import Loss
from ...formats import FORMATS
from ...model.messages import AssistantMessage, ToolMessage, UserMessage
from ...model.parts import ToolCall
from ..splitting import split, streamable
from ..wire import payloads, responses
from . import share
from .documents import is_array, is_object

# Formats


def conversing(format: Format) -> bool:
    """Whether a format has conversations. A prompt is one text, which cannot be loaded as a list of messages."""
    return format.listed != "prompt"


def main_formats(but: str = "") -> list[Format]:
    """The first format of each family that has conversations and answers, without the one of this name."""
    first: dict[str, Format] = {}
    for format in FORMATS.values():
        if conversing(format) and format.load_response is not None:
            first.setdefault(format.family, format)
    return [format for format in first.values() if format.name != but]


def others(format: Format) -> st.SearchStrategy[Format]:
    """Another format of this package that has conversations: one of the main ones, one of the same family, or any."""

    def converses(each: Format) -> bool:
        return conversing(each) and bool(each.strategies)

    return _another(format, converses)


def answering(format: Format, *, streams: bool = False) -> st.SearchStrategy[Format]:
    """Another format of this package that has answers: one of the main ones, one of the same family, or any."""

    def answers(each: Format) -> bool:
        return each.load_response is not None and (each.reading is not None or not streams)

    return _another(format, answers)


def _another(format: Format, is_meant: Callable[[Format], bool]) -> st.SearchStrategy[Format]:
    known = [each for each in FORMATS.values() if is_meant(each) and each.name != format.name]
    relatives = [each for each in known if each.family == format.family]
    main = [*filter(is_meant, main_formats(format.name))]
    return st.one_of([st.sampled_from(each) for each in (main, relatives, known) if each])


def written_alike(format: Format) -> set[str]:
    """The format's name, and those of formats that write the same shape."""
    return {format.name} | {
        name
        for name, other in FORMATS.items()
        if other.dump is format.dump or (other.dump_response is not None and other.dump_response is format.dump_response)
    }


_ASKED = UserMessage(content="a")
_ANSWERED = AssistantMessage(content="b")
_CALLED = AssistantMessage(tool_calls=[ToolCall(id="call_1", name="f", arguments="{}")])
_ANSWER = ToolMessage(tool_call_id="call_1", content="c")
_EXCHANGE = (_ASKED, _CALLED, _ANSWER)


def writes_each_message(format: Format) -> bool:
    """Whether its list has an entry for each message, and not one for each question with its answer."""
    if not conversing(format):
        return False
    written = written_by(format, [_ASKED, _ANSWERED, _ASKED, _ANSWERED])[format.listed]
    return is_array(written) and len(written) == 4


def keeps_ids(format: Format) -> bool:
    """Whether calls have ids there."""
    back = load(written_by(format, _EXCHANGE), format)
    return [call.id for message in back.messages for call in message.tool_uses] == ["call_1"]


def written_by(format: Format, messages: Any, losses: list[Loss] | None = None) -> Any:
    """The body of bare messages, or of a request."""
    return dump(messages, format, on_loss="ignore" if losses is None else losses.append)


# Bodies with something wrong

MISSING = object()
WRONG: tuple[Any, ...] = (MISSING, None, 5, 1.5, True, "x", [], {}, [1], [None], [[]], {"a": 1})


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    """Every place beneath a JSON value, as paths."""
    items: Iterable[tuple[Any, Any]] = ()
    if is_object(value):
        items = value.items()
    elif is_array(value):
        items = enumerate(value)
    for key, item in items:
        yield (key,)
        for rest in places(item):
            yield (key, *rest)


def spoil(value: Any, place: tuple[Any, ...], wrong: Any) -> Any:
    """The value with what is at a place deleted or replaced, in place."""
    holder = value
    for key in place[:-1]:
        holder = holder[key]
    if wrong is MISSING:
        del holder[place[-1]]
    else:
        holder[place[-1]] = copy.deepcopy(wrong)
    return value


@st.composite
def spoilt(draw: st.DrawFn, bodies: st.SearchStrategy[Any]) -> Any:
    """A body with something missing, or of another kind, at any one place."""
    body = copy.deepcopy(draw(bodies))
    return spoil(body, draw(st.sampled_from(list(places(body)))), draw(st.sampled_from(WRONG)))


def _members(value: Any) -> list[tuple[dict[str, Any], str]]:
    """Every member of every object in a JSON value: the object, and the key."""
    if is_object(value):
        return [each for key in value for each in ((value, key), *_members(value[key]))]
    return [each for item in value for each in _members(item)] if is_array(value) else []


@st.composite
def defaced(draw: st.DrawFn, bodies: st.SearchStrategy[Any]) -> Any:
    """A body with one field left out, null or empty, or with an unknown one in its place."""
    body = copy.deepcopy(draw(bodies))
    found = _members(body)
    holder, key = found[draw(st.integers(0, len(found) - 1))]
    value = holder.pop(key)
    match draw(st.sampled_from(["absent", "null", "empty", "replaced"])):
        case "null":
            holder[key] = None
        case "empty":
            holder[key] = type(value)() if is_object(value) or is_array(value) else ""
        case "replaced":
            holder["x_unknown"] = key
        case _:
            pass
    return body


# What is converted


@st.composite
def requests_of(draw: st.DrawFn, sources: st.SearchStrategy[Format]) -> tuple[Format, Any]:
    """A format, and a request of it."""
    source = draw(sources)
    return source, draw(payloads(source))


@st.composite
def responses_of(draw: st.DrawFn, sources: st.SearchStrategy[Format]) -> tuple[Format, Any]:
    """A format, and a response of it."""
    source = draw(sources)
    return source, draw(responses(source))


@st.composite
def streams_of(draw: st.DrawFn, sources: st.SearchStrategy[Format]) -> tuple[Format, Any, list[Any]]:
    """A format, what a stream of it carries of a whole response, and the chunks of that stream, as any host may cut them."""
    source = draw(sources)
    streams = responses(source).map(lambda body: streamable(body, source))
    body = draw(share.such(streams, lambda body: body is not None))
    return source, body, split(body or {}, source, draw(RANDOMS))


RANDOMS = st.integers(0, 2**32).map(Hosts)
