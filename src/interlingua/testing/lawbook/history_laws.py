"""Laws of the messages in a request: which are written exactly, what joins them, and what is refused of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from ...checking.checks import check
from ...codec.format import Format
from ...codec.native import is_native
from ...conversion.losses import distinct
from ...conversion.requests import load
from ...errors import Loss
from ...formats import new_dump
from ...history.growing import GrowingHistory
from ...model.exchange import Request
from ...model.messages import Message
from ..canonical import messages
from ..dialogues import conversations
from ..wire import payloads
from . import share
from .documents import canonical, difference, resolve, ruin
from .drawn import keeps_ids, main_formats, others, requests_of, writes_each_message, written_by
from .foreign import NOVEL, answered, appended, begun, called, counted, joined, marks, reported
from .law import Enact, Trial
from .natives import comes_back, disagreements, edited, without_record


def native_is_true(format: Format) -> Trial | None:
    """A loaded message is native where the format's own dump and load give it back, as those of the format do."""
    if not writes_each_message(format):
        return None

    def judge(case: tuple[list[Message], list[Message]]) -> Iterator[str]:
        own, foreign = case
        for message in own + foreign:
            yield from disagreements(message, [format], least=0.2)
        if not all(is_native(message, format) for message in own):
            yield "a message that was loaded from the format is not native to it"

    own = payloads(format).map(lambda payload: list(load(payload, format).messages))
    foreign = requests_of(others(format)).map(lambda case: list(load(case[1], case[0]).messages))
    return Trial(st.tuples(own, foreign), judge)


def native_is_true_of_any_message(format: Format) -> Trial:
    """Any canonical message is native where the format's own dump and load give it back, and nowhere else."""

    def judge(message: Message) -> Iterator[str]:
        if is_native(message, format) != comes_back(message, format):
            yield "it is native, but does not come back" if is_native(message, format) else "it comes back, but is not native"

    return Trial(messages(), judge)


def native_messages_with_other_data_come_back(format: Format) -> Trial | None:
    """A loaded message with other provider data comes back, if it is still said to be native."""
    if not writes_each_message(format):
        return None

    def judge(message: Message) -> Iterator[str]:
        if share.judged(is_native(message, format), least=0.5) and not comes_back(message, format):
            yield "it is native, but does not come back"

    return Trial(edited(format), judge)


MOST_MARKS = 4
"""How many cache marks some provider takes in a request; further ones are lost."""


def foreign_messages_are_written_as_alone(format: Format) -> Trial | None:
    """Messages of others that are appended to a loaded request are written as they are alone, behind what was loaded."""
    if not writes_each_message(format):
        return None

    def judge(case: tuple[dict[str, Any], list[Message]]) -> Iterator[str]:
        payload, more = case
        request = load(payload, format)
        listed = format.listed
        if not share.judged(marks(payload) + marks([each.to_dict() for each in more]) <= MOST_MARKS, least=0.9):
            return
        losses: list[Loss] = []
        alone = written_by(format, more, losses)
        whole, all_losses = joined(request, more, format)
        start = len(payload[listed])
        if format.history is None:  # the whole list may be spelled anew
            respelled = whole[listed][: len(whole[listed]) - len(alone[listed])]
            if _are_alike(load(payload | {listed: respelled}, format), request):
                start = len(respelled)
                payload = payload | {listed: respelled}
        start, all_losses = _without_what_joins(whole, all_losses, losses, f"/{listed}", start)
        if canonical(whole[listed][: len(payload[listed])]) != canonical(payload[listed]):
            yield f"what was loaded is changed: {difference(payload[listed], whole[listed][: len(payload[listed])])}"
        if canonical(whole[listed][start:]) != canonical(alone[listed]):
            yield f"what was appended is another than alone: {difference(alone[listed], whole[listed][start:])}"
        if reported(all_losses, str(len(request.messages)), str(start)) != reported(losses, "0", "0"):
            yield "the losses of what was appended are others than alone"

    return Trial(st.tuples(begun(format), appended(format, NOVEL)), judge)


def _are_alike(one: Request, other: Request) -> bool:
    """Whether two requests have the same messages, however spelled."""
    return canonical([*map(without_record, one.messages)]) == canonical([*map(without_record, other.messages)])


def _without_what_joins(
    whole: dict[str, Any], found: list[Loss], alone: list[Loss], listed: str, start: int
) -> tuple[int, list[Loss]]:
    """Where the appended messages begin, and their losses, without what their neighbours make necessary, reported as added.

    That is a message put before the first of them, or a field. A field is removed from `whole`.
    """
    bridge = [loss for loss in found if loss.kind == "added" and loss.at == f"{listed}/{start}"]
    start += len(bridge)
    known = {counted(loss.at, "0") for loss in alone if loss.kind == "added"}
    fields = [loss for loss in found if loss.kind == "added" and counted(loss.at, str(start)) not in known]
    for loss in fields:
        if loss not in bridge and loss.at is not None:
            holder, _, field = loss.at.rpartition("/")
            resolve(whole, holder).pop(field)
    return start, [loss for loss in found if loss not in bridge and loss not in fields]


@st.composite
def _with_ids_again(draw: st.DrawFn, format: Format) -> tuple[dict[str, Any], list[Message]]:
    payload = draw(begun(format, calling=True))
    return payload, draw(appended(format, st.sampled_from(called(payload, format)) | NOVEL))


def results_answer_the_same_calls(format: Format) -> Trial | None:
    """Results answer the calls that they answered, where appended messages use the ids of a loaded request again."""
    if not (writes_each_message(format) and keeps_ids(format)):
        return None

    def judge(case: tuple[dict[str, Any], list[Message]]) -> Iterator[str]:
        payload, more = case
        request = load(payload, format)
        whole, _ = joined(request, more, format)
        before = list(answered([*request.messages, *more]))
        after = list(answered(load(whole, format).messages))
        if after != before:
            yield f"results answered the calls {before}, and now {after}"

    return Trial(_with_ids_again(format), judge)


def a_growing_history_is_dumped_as_the_whole(format: Format) -> Trial | None:
    """Dumps of a history that grows, each of which writes only what is new, are those of the whole history."""
    steps = format.history
    if steps is None:
        return None

    def judge(history: list[tuple[list[Message], list[Message]]]) -> Iterator[str]:
        growing = GrowingHistory(new_dump(format, None), steps)
        settled: list[Message] = []
        for more, tried in history:
            settled = [*settled, *more]
            now = [*settled, *tried]
            losses: list[Loss] = []
            want = written_by(format, now, losses)
            got, found = growing.dump(now, len(settled))
            if canonical(got) != canonical(want):
                yield f"the dump of {len(now)} messages is not that of the whole: {difference(want, got)}"
            if distinct(found, len("/messages")) != tuple(losses):
                yield f"the losses of {len(now)} messages are not those of the whole"
            ruin(got)

    some = st.lists(messages(), max_size=3) | conversations()
    return Trial(st.lists(st.tuples(some, st.lists(messages(), max_size=2)), min_size=1, max_size=3), judge)


def check_accepts_sound_requests(format: Format) -> Trial | None:
    """`check` finds no error in most of what the format's strategies draw as sound, nor in what becomes of it at home."""
    if format.rules is None:
        return None

    def judge(payload: Any) -> Iterator[str]:
        before = canonical(payload)
        if share.judged(not _errors(payload, format), least=0.5):
            yield from sorted(_errors(written_by(format, load(payload, format)), format))
        if canonical(payload) != before:
            yield "it was changed"

    return Trial(payloads(format, odd=False), judge)


@st.composite
def _carried(draw: st.DrawFn, others: st.SearchStrategy[Format]) -> tuple[list[Message], Format]:
    other = draw(others)
    return draw(conversations(valid_for=other)), other


def conversions_add_no_errors(format: Format) -> Trial | None:
    """A conversation that was loaded from another format has the same errors in this one as it has by itself, or fewer."""
    if format.rules is None or not writes_each_message(format):
        return None

    def judge(case: tuple[list[Message], Format]) -> Iterator[str]:
        conversation, other = case
        loaded = load(written_by(other, conversation), other)
        found = _errors(written_by(format, loaded), format) - _errors(written_by(format, conversation), format)
        yield from (f"from {other.name}: {code}" for code in sorted(found))

    return Trial(_carried(st.sampled_from(main_formats(format.name))), judge)


def _errors(body: Any, format: Format) -> set[str]:
    return {problem.code for problem in check(body, format) if problem.severity == "error"}


LAWS: tuple[Enact, ...] = (
    native_is_true,
    native_is_true_of_any_message,
    native_messages_with_other_data_come_back,
    foreign_messages_are_written_as_alone,
    results_answer_the_same_calls,
    a_growing_history_is_dumped_as_the_whole,
    check_accepts_sound_requests,
    conversions_add_no_errors,
)
