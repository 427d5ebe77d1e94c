"""Finds the characters of a rendering that the assistant wrote, so that a model can be trained on these alone.

The `{% generation %}` blocks of a template mark them, and transformers makes the same mask from these. In any other template,
marks show the words of each message; a message begins with what `add_generation_prompt` adds, and ends as a rendering ends
whose last message is the assistant's.
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
"""The messages to train on.

Those of one role or of several; `"last"`, the last one of the assistant; or `"marked"`, all of the assistant's except those
with a field `weight` that is 0 or `train` that is false.
"""

SpanKind: TypeAlias = Literal["message", "text", "reasoning", "tool_call"]


class TrainedSpan(NamedTuple):
    """A span of the rendering: the characters that a message printed, or a text, a reasoning or a call in it.

    `path` points into the request. `trained` is whether the span is to be trained on.
    """

    start: int
    end: int
    kind: SpanKind
    path: str
    trained: bool


class TrainingMask(NamedTuple):
    """A rendering, the spans that each message printed, and the characters to train on."""

    text: str
    spans: tuple[TrainedSpan, ...]
    trained: tuple[tuple[int, int], ...]
    """the ranges of characters to train on, in order and without overlaps"""

    def of_tokens(self, offsets: Sequence[tuple[int, int]]) -> list[int]:
        """A list with 1 for each token to train on, and 0 for any other.

        `offsets` has the start and the end of each token in the text, in order. A token counts if any part of it is to be
        trained on, as in transformers.
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
    """Render a request with a chat template, and find the characters that each message printed and those to train on.

    `request` is a body of the format; or a `Request`, a `Conversation` or a list of messages, which is dumped to it. The paths
    of spans point into `request`. `train_on` is a role or several roles, `"last"` for the last assistant message, or `"marked"`
    for all assistant messages except those with `weight: 0` or `train: false`. The assistant wrote what is in the `{%
    generation %}` blocks of the template, as in `apply_chat_template(..., return_assistant_tokens_mask=True)`. If a template
    has none, it wrote the words of its messages, the tags around them and the end of its turn, but not the generation prompt.
    Needs the extra `templates`. Raises `InvalidPayload` if the request is malformed or the template does not render it, and
    `BrokenTemplate`.
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
    """The mask of a body; raises `InvalidPayload` if the template does not render it, or not with marks as without."""
    printed = template.render(body)
    if not isinstance(printed, Rendered):
        raise InvalidPayload([Fault("", f"the template does not render this request, because {why(printed, template.source)}")])
    marked = mark(body)
    rendered = template.render(marked.body)
    unmarked = unmark(rendered.text, marked) if isinstance(rendered, Rendered) else None
    if not isinstance(rendered, Rendered) or unmarked is None or unmarked.text != printed.text:
        reason = "the template prints other texts differently from these, so their places cannot be found"
        raise InvalidPayload([Fault("", reason)])
    located = locate(rendered.text, marked)
    chosen = _chosen(body, train_on)
    messages = dict(_generated(body, marked, located, rendered) if rendered.generated else _bounds(template, marked, located))

    def made(start: int, end: int, kind: SpanKind, path: str) -> TrainedSpan:
        return TrainedSpan(unmarked.position(start), unmarked.position(end), kind, path, _message(path) in chosen)

    spans: list[TrainedSpan] = []
    for number, ranges in messages.items():
        spans += [made(start, end, "message", f"/messages/{number}") for start, end in ranges]
    spans += [made(*each) for each in _parts(marked, located)]
    spans.sort(key=lambda span: (span.start, -span.end))
    whole = [(span.start, span.end) for span in spans if span.kind == "message" and span.trained and span.end > span.start]
    return TrainingMask(printed.text, tuple(spans), tuple(_joined(whole)))


def _message(path: str) -> int:
    return int(path.split("/")[2])


def _chosen(body: Body, train_on: TrainOn) -> set[int]:
    """The indices of the messages to train on."""
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
    """The spans of texts, reasoning and calls in messages."""
    calls: dict[str, list[Place]] = {}
    for number, each in enumerate(marked.marks):
        extent = located.extent(number)
        if extent is None or not each.owner.startswith("/messages/"):
            continue
        field = each.owner.split("/")[3]
        if field == "tool_calls":
            calls.setdefault(each.owner, []).append(extent)
        else:
            kind: SpanKind = "reasoning" if field in REASONING else "text"
            yield extent.start, extent.end, kind, each.path
    for owner, places in calls.items():
        yield min(places).start, max(place.end for place in places), "tool_call", owner


def _words(marked: Marked, located: Located) -> dict[int, list[Place]]:
    """The places of the marked words of each message, by its index."""
    found: dict[int, list[Place]] = {}
    for number, each in enumerate(marked.marks):
        extent = located.extent(number)
        if extent is not None and each.owner.startswith("/messages/"):
            found.setdefault(_message(each.owner), []).append(extent)
    return found


Ranges: TypeAlias = list[tuple[int, int]]


def _generated(body: Body, marked: Marked, located: Located, rendered: Rendered) -> Iterator[tuple[int, Ranges]]:
    """Each message with its `{% generation %}` blocks, or with its words if it has no block."""
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
        else:  # a block without words belongs to the next assistant message, which has none
            following = bisect_right(assistant, last)
            last = assistant[following] if following < len(assistant) else last
        blocks.setdefault(last, []).append((start, end))
    for number in {*words, *blocks}:
        places = words.get(number, [])
        yield number, blocks.get(number) or [(min(places).start, max(place.end for place in places))]


def _bounds(template: Template, marked: Marked, located: Located) -> Iterator[tuple[int, Ranges]]:
    """Each message with the range of its words; for the assistant also the tags around them and the end of its turn."""
    words = _words(marked, located)
    ranges = {number: (min(places).start, max(place.end for place in places)) for number, places in words.items()}
    order = sorted(ranges, key=lambda number: ranges[number])
    prompt = _prompt(template, marked)
    ending = _ending(template)
    alone = _RENDERED_ALONE
    for before, number, after in zip((None, *order), order, (*order[1:], None), strict=False):
        start, end = ranges[number]
        if marked.body["messages"][number].get("role") == "assistant":
            begin = 0 if before is None else ranges[before][1]
            lead = located.text[begin:start]
            stop = None if after is None else ranges[after][0]
            tail = located.text[end:stop]
            length = _end(tail, ending)
            if length is None and alone:  # such as a call, which ends differently from a text
                alone -= 1
                length = _common(tail, _ending_of(template, marked, number))
            start -= len(lead) - _end_of_prompt(lead, prompt)
            end += length or 0
        yield number, [(start, end)]


_RENDERED_ALONE = 16
"""The most messages that are rendered with only those before them, to see how they end."""


def _prompt(template: Template, marked: Marked) -> str:
    """What `add_generation_prompt` adds: the beginning of an assistant message."""
    body = {**marked.body, "add_generation_prompt": False}
    without = template.render(body)
    with_it = template.render({**body, "add_generation_prompt": True})
    if not (isinstance(without, Rendered) and isinstance(with_it, Rendered) and with_it.text.startswith(without.text)):
        return ""
    return with_it.text[len(without.text) :][:_LONGEST_PROMPT]


_LONGEST_PROMPT = 400


def _end_of_prompt(lead: str, prompt: str) -> int:
    """The end of the prompt in the text before a message; the prompt may be longer than the beginning of the message."""
    for length in range(len(prompt), 0, -1):
        at = lead.rfind(prompt[:length])
        if at >= 0:
            return at + length
    return len(lead)


def _ending(template: Template) -> str:
    """The end of a rendering after a text of the assistant, without trailing white space."""
    for content in (_TEXT, [{"type": "text", "text": _TEXT}]):
        messages = [{"role": "user", "content": content}, {"role": "assistant", "content": content}]
        rendered = template.render({"messages": messages})
        if isinstance(rendered, Rendered) and _TEXT in rendered.text:
            ending = rendered.text.rpartition(_TEXT)[2]
            return ending.rstrip() or ending
    return ""


_TEXT = "Zq00words"


def _end(tail: str, ending: str) -> int | None:
    """The position in `tail` after the ending, or after a long enough beginning of it; None if neither is there."""
    if not ending:
        return None
    for length in range(len(ending), min(len(ending), _SHORTEST_ENDING) - 1, -1):
        at = tail.find(ending[:length])
        if at >= 0:
            return at + length
    return None


_SHORTEST_ENDING = 4
"""Fewer characters are not enough to recognise an ending."""


def _ending_of(template: Template, marked: Marked, number: int) -> str:
    """The end of the rendering of the messages up to this one, without trailing white space."""
    body = {**marked.body, "messages": marked.body["messages"][: number + 1], "add_generation_prompt": False}
    rendered = template.render(body)
    if not isinstance(rendered, Rendered):
        return ""
    words = _words(marked, locate(rendered.text, marked)).get(number)
    ending = rendered.text[max(place.end for place in words) :] if words else ""
    return ending.rstrip() or ending


def _common(text: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (one, two) in pairs if one != two), min(len(text), len(other)))


def _joined(ranges: Ranges) -> Iterator[tuple[int, int]]:
    """The ranges in order; those that touch or overlap are joined."""
    edges = sorted(ranges)
    if not edges:
        return
    start, end = edges[0]
    for begin, stop in edges[1:]:
        if begin > end:
            yield start, end
            start = begin
            end = stop
        end = max(end, stop)
    yield start, end
