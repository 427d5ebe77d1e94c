"""Which characters of a rendering the assistant wrote, so that a model can be trained on these alone.

A template with `{% generation %}` blocks says so itself, and transformers makes the same mask of them. Of any other template,
the words of each message are found by marks, its beginning by what `add_generation_prompt` adds, and its end by how a rendering
ends whose last message is the assistant's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from ...codec.format import Format
from ...errors import Fault, InvalidPayload
from ...formats import TEMPLATED, FormatName, format_of
from .bodies import body_of
from .locating import Located, Place, locate, unmark
from .marks import Marked, mark
from .rendering import REASONING, Body, Rendered, Template, messages_of, open_template, why

TrainOn: TypeAlias = str | Collection[str]
"""Which messages to train on: those of a role or of some, `"last"`, the last of the assistant, or `"marked"`, those of the
assistant that no mark excludes: a field `weight` that is 0, or `train` that is false.
"""

SpanKind: TypeAlias = Literal["message", "text", "reasoning", "tool_call"]


class TrainedSpan(NamedTuple):
    """A span of the rendering: the characters that a message, or a text, a reasoning or a call in it made.

    `path` points into the request. `trained` says whether it is to be trained on.
    """

    start: int
    end: int
    kind: SpanKind
    path: str
    trained: bool


class TrainingMask(NamedTuple):
    """A rendering, what each message made of it, and which characters to train on."""

    text: str
    spans: tuple[TrainedSpan, ...]
    trained: tuple[tuple[int, int], ...]
    """the characters to train on, in order, none of them twice"""

    def of_tokens(self, offsets: Sequence[tuple[int, int]]) -> list[int]:
        """1 for each token to train on and 0 for any other, given where tokens begin and end in the text, in order.

        A token counts if a part of it does, as in transformers.
        """
        mask: list[int] = []
        at = 0
        for start, end in offsets:
            while at < len(self.trained) and start >= self.trained[at][1]:
                at += 1
            mask.append(int(at < len(self.trained) and end > self.trained[at][0]))
        return mask


def training_mask(
    request: Any, *, template: str, train_on: TrainOn = "assistant", format: FormatName | Format = TEMPLATED
) -> TrainingMask:
    """A request as a chat template prints it, with the characters that each message made, and which of them to train on.

    `request` is a body of the format, or a `Request`, a `Conversation` or a list of messages, which are dumped to it; paths of
    spans point into it. `train_on` is a role or several, `"last"` for the last message of the assistant, or `"marked"` for
    those without a `weight` of 0 and without `train: false`. What the assistant wrote are the `{% generation %}` blocks of the
    template, as in `apply_chat_template(..., return_assistant_tokens_mask=True)`. In a template without them, it is its words
    with the tags around them and what ends its turn, but for what the generation prompt has. Needs the extra `templates`.
    Raises `InvalidPayload` for a request that is malformed or that the template does not render, and `BrokenTemplate`.
    """
    format = format_of(format)
    if not format.rendered:
        raise ValueError(f"format must be one that chat templates render, such as {TEMPLATED}")
    if not _are_roles(train_on):
        raise TypeError('train_on must be a role, a collection of roles, "last" or "marked"')
    body, place = body_of(request, format)
    with open_template(template) as opened:
        mask = mask_of(opened, body, train_on)
    return mask._replace(spans=tuple(span._replace(path=place(span.path)) for span in mask.spans))


def _are_roles(value: Any) -> bool:
    return type(value) is str or (type(value) in (list, tuple, set, frozenset) and all(isinstance(each, str) for each in value))


def mask_of(template: Template, body: Body, train_on: TrainOn) -> TrainingMask:
    """The mask of a body; raises `InvalidPayload` if the template does not render it, or prints other texts otherwise."""
    printed = template.render(body)
    if not isinstance(printed, Rendered):
        raise InvalidPayload([Fault("", f"the template does not render this request, because {why(printed, template.source)}")])
    marked = mark(body)
    rendered = template.render(marked.body)
    if not isinstance(rendered, Rendered) or (unmarked := unmark(rendered.text, marked)).text != printed.text:
        reason = "the template prints other texts otherwise than these, so that their places cannot be found"
        raise InvalidPayload([Fault("", reason)])
    located = locate(rendered.text, marked)
    chosen = _chosen(body, train_on)
    messages = dict(_generated(body, marked, located, rendered) if rendered.generated else _bounds(template, marked, located))

    def made(start: int, end: int, kind: SpanKind, path: str) -> TrainedSpan:
        return TrainedSpan(unmarked.position(start), unmarked.position(end), kind, path, _message(path) in chosen)

    spans = [
        *(made(*each, "message", f"/messages/{number}") for number, ranges in messages.items() for each in ranges),
        *(made(*each) for each in _parts(marked, located)),
    ]
    spans.sort(key=lambda span: (span.start, -span.end))
    whole = [(span.start, span.end) for span in spans if span.kind == "message" and span.trained and span.end > span.start]
    return TrainingMask(printed.text, tuple(spans), tuple(_joined(whole)))


def _message(path: str) -> int:
    return int(path.split("/")[2])


def _chosen(body: Body, train_on: TrainOn) -> set[int]:
    """The numbers of the messages to train on."""
    messages = messages_of(body)
    assistant = _of_assistant(body)
    if train_on == "last":
        return {*assistant[-1:]}
    if train_on == "marked":
        return {number for number in assistant if not _excluded(messages[number])}
    roles = {train_on} if isinstance(train_on, str) else {*train_on}
    return {number for number, message in enumerate(messages) if message.get("role") in roles}


def _of_assistant(body: Body) -> list[int]:
    return [number for number, message in enumerate(messages_of(body)) if message.get("role") == "assistant"]


def _excluded(message: dict[str, Any]) -> bool:
    return message.get("weight") == 0 or message.get("train") is False


def _parts(marked: Marked, located: Located) -> Iterator[tuple[int, int, SpanKind, str]]:
    """The spans of texts, reasoning and calls."""
    calls: dict[str, list[Place]] = {}
    for number, each in enumerate(marked.marks):
        extent = located.extent(number)
        if extent is None or not each.owner.startswith("/messages/"):
            continue
        field = each.owner.split("/")[3]
        if field == "tool_calls":
            calls.setdefault(each.owner, []).append(extent)
        else:
            yield extent.start, extent.end, "reasoning" if field in REASONING else "text", each.path
    for owner, places in calls.items():
        yield min(places).start, max(place.end for place in places), "tool_call", owner


def _words(marked: Marked, located: Located) -> dict[int, list[Place]]:
    """The places of the marks of each message."""
    found: dict[int, list[Place]] = {}
    for number, each in enumerate(marked.marks):
        extent = located.extent(number)
        if extent is not None and each.owner.startswith("/messages/"):
            found.setdefault(_message(each.owner), []).append(extent)
    return found


Ranges: TypeAlias = list[tuple[int, int]]


def _generated(body: Body, marked: Marked, located: Located, rendered: Rendered) -> Iterator[tuple[int, Ranges]]:
    """Each message with its `{% generation %}` blocks; one without, with its words."""
    words = _words(marked, located)
    begins = sorted((place.start, number) for number, places in words.items() for place in places)
    starts = [start for start, _ in begins]
    assistant = _of_assistant(body)
    blocks: dict[int, Ranges] = {}
    last = -1
    for start, end in rendered.generated:
        at = bisect_left(starts, start)
        if at < len(starts) and starts[at] < end:
            last = begins[at][1]
        else:  # a block without words is that of the next message, which has none
            following = bisect_right(assistant, last)
            last = assistant[following] if following < len(assistant) else last
        blocks.setdefault(last, []).append((start, end))
    for number in {*words, *blocks}:
        places = words.get(number, [])
        yield number, blocks.get(number) or [(min(places).start, max(place.end for place in places))]


def _bounds(template: Template, marked: Marked, located: Located) -> Iterator[tuple[int, Ranges]]:
    """Each message with its words, and with what surrounds them if it is the assistant's: tags, and what ends it."""
    words = _words(marked, located)
    ranges = {number: (min(places).start, max(place.end for place in places)) for number, places in words.items()}
    order = sorted(ranges, key=lambda number: ranges[number])
    prompt, ending = _prompt(template, marked), _ending(template)
    alone = _RENDERED_ALONE
    for before, number, after in zip((None, *order), order, (*order[1:], None), strict=False):
        start, end = ranges[number]
        if marked.body["messages"][number].get("role") == "assistant":
            lead = located.text[0 if before is None else ranges[before][1] : start]
            tail = located.text[end : None if after is None else ranges[after][0]]
            length = _end(tail, ending)
            if length is None and alone:  # such as a call, which ends otherwise than a text
                alone -= 1
                length = _common(tail, _ending_of(template, marked, number))
            start -= len(lead) - _end_of_prompt(lead, prompt)
            end += length or 0
        yield number, [(start, end)]


_RENDERED_ALONE = 16
"""How many messages are rendered with those before them, to see how they end."""


def _prompt(template: Template, marked: Marked) -> str:
    """What `add_generation_prompt` adds: how a message of the assistant begins."""
    body = {**marked.body, "add_generation_prompt": False}
    without, with_it = template.render(body), template.render({**body, "add_generation_prompt": True})
    if not (isinstance(without, Rendered) and isinstance(with_it, Rendered) and with_it.text.startswith(without.text)):
        return ""
    return with_it.text[len(without.text) :][:_LONGEST_PROMPT]


_LONGEST_PROMPT = 400


def _end_of_prompt(lead: str, prompt: str) -> int:
    """Where the prompt ends in what is before a message; it may end in more than the message begins with."""
    for length in range(len(prompt), 0, -1):
        at = lead.rfind(prompt[:length])
        if at >= 0:
            return at + length
    return len(lead)


def _ending(template: Template) -> str:
    """How a rendering ends after a text of the assistant, without white space at the end."""
    for content in (_TEXT, [{"type": "text", "text": _TEXT}]):
        messages = [{"role": "user", "content": content}, {"role": "assistant", "content": content}]
        rendered = template.render({"messages": messages})
        if isinstance(rendered, Rendered) and _TEXT in rendered.text:
            ending = rendered.text.rpartition(_TEXT)[2]
            return ending.rstrip() or ending
    return ""


_TEXT = "Zq00words"


def _end(tail: str, ending: str) -> int | None:
    """Where the ending ends in what follows a message, or as much of it as is there; None if little of it is."""
    if not ending:
        return None
    for length in range(len(ending), min(len(ending), _SHORTEST_ENDING) - 1, -1):
        at = tail.find(ending[:length])
        if at >= 0:
            return at + length
    return None


_SHORTEST_ENDING = 4
"""Fewer characters than these may be the beginning of anything."""


def _ending_of(template: Template, marked: Marked, number: int) -> str:
    """How the rendering of the messages up to this one ends, without white space at the end."""
    body = {**marked.body, "messages": marked.body["messages"][: number + 1], "add_generation_prompt": False}
    rendered = template.render(body)
    if not isinstance(rendered, Rendered):
        return ""
    words = _words(marked, locate(rendered.text, marked)).get(number)
    ending = rendered.text[max(place.end for place in words) :] if words else ""
    return ending.rstrip() or ending


def _common(text: str, other: str) -> int:
    """How long the common beginning of two texts is."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (one, two) in pairs if one != two), min(len(text), len(other)))


def _joined(ranges: Ranges) -> Iterator[tuple[int, int]]:
    """The ranges in order, those that touch or overlap as one."""
    edges = sorted(ranges)
    if not edges:
        return
    start, end = edges[0]
    for begin, stop in edges[1:]:
        if begin > end:
            yield start, end
            start, end = begin, stop
        end = max(end, stop)
    yield start, end
