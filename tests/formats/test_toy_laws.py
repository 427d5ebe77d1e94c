"""The laws that the package ships, held over two small formats; and faults planted there, each caught by a law."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings

import interlingua as il
from formats import interlingua_toy, toy_blocks, toys
from interlingua import formats, testing
from interlingua.codec.format import Format, Steps
from interlingua.codec.marks import Marks, Shape
from interlingua.codec.native import is_native
from interlingua.codec.rules.rule import RuleSet, errors
from interlingua.codec.rules.view import Found, View
from interlingua.codec.streams.block_stream import BlockWriting
from interlingua.codec.table import Row
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import is_array, is_object
from interlingua.testing.lawbook.law import Law
from laws import over

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

TOY, BLOCKS = interlingua_toy.FORMAT, toy_blocks.FORMAT
LAWS = [law for format in (TOY, BLOCKS) for law in testing.laws(format)]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As the entry points of another package do."""
    for format in (TOY, BLOCKS):
        monkeypatch.setitem(formats.ROWS, format.name, Row(format.family, toys.__name__))
    yield
    for format in (TOY, BLOCKS):
        vars(formats.FORMATS)["_imported"].pop(format.name, None)


@pytest.mark.hypothesis
@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law}-{law.format.name}")
def test_a_small_format_keeps_the_laws(law: Law) -> None:
    law(settings(max_examples=over.examples(6)))


def test_a_format_has_the_laws_of_what_it_has() -> None:
    toy, blocks = ({law.name for law in LAWS if law.format is format} for format in (TOY, BLOCKS))
    assert toy < blocks
    assert {"streams_fold_into_the_whole", "errors_are_read_back", "check_accepts_sound_requests"} <= blocks - toy
    plain = {law.name for law in testing.laws(replace(TOY, marks=None))}
    assert toy - plain == {"requests_are_detected"}


# Faults


def dumps(format: Format, fault: Callable[[Any, Any, Any], None]) -> Format:
    """The format, whose dumps are spoilt: the payload, the messages, and the record of the dump."""

    def dump(request: Any, messages: Any, d: Any) -> Any:
        payload = copy.deepcopy(format.dump(request, messages, d))
        fault(payload, messages, d)
        return payload

    return replace(format, dump=dump)


def loads(format: Format, fault: Callable[[Any], None]) -> Format:
    """The format, whose loader does something to its input before it reads it."""

    def load(wire: Any) -> Any:
        fault(wire)
        return format.load(wire)

    return replace(format, load=load)


def drop_a_part(payload: Any, _messages: Any, _d: Any) -> None:
    for turn in payload["turns"]:
        del turn["items"][1:]


def report_what_is_there(payload: Any, messages: Any, d: Any) -> None:
    if payload["turns"] and messages[0].role == "user":
        d.drop("/messages/0/content", "nobody dropped it")


def report_a_place_that_is_not_there(payload: Any, messages: Any, d: Any) -> None:
    if messages:
        d.report("changed", "/messages/0", f"/turns/{len(payload['turns'])}", "it is somewhere else")


def swap_ids(payload: Any, _messages: Any, _d: Any) -> None:
    results = [item for turn in payload["turns"] for item in turn["items"] if item["kind"] == "result" and "id" in item]
    for one, other in zip(results[::2], results[1::2], strict=False):
        one["id"], other["id"] = other["id"], one["id"]


def lose_unknown_fields(format: Format) -> Format:
    def load(wire: Any) -> Any:
        data = format.load(wire)
        data.pop("provider_data", None)
        return data

    return replace(format, load=load)


def note_that_it_was_read(wire: Any) -> None:
    if isinstance(wire, dict):
        wire["x_seen"] = True


def look_without_care(wire: Any) -> None:
    _ = [turn["items"] for turn in wire["turns"]]


def forgive_roles(format: Format) -> Format:
    def load(wire: Any) -> Any:
        wire = copy.deepcopy(wire)
        turns: Any = wire.get("turns") if is_object(wire) else None
        for turn in turns if is_array(turns) else []:
            if is_object(turn) and turn.get("role") not in ("guide", "human", "bot"):
                turn["role"] = "human"
        return format.load(wire)

    return replace(format, load=load)


class Forgetful(toy_blocks.BlocksReading):
    """Takes short pieces for nothing."""

    def read(self, chunk: Any) -> Any:
        return [] if len(chunk.get("more") or "long") < 2 else super().read(chunk)


class Careless(toy_blocks.BlocksShape):
    """Writes no text of one character."""

    def grow(self, block: Any, event: Any, d: Any) -> Any:
        return [chunk for chunk in super().grow(block, event, d) if len(chunk["more"]) > 1]


def written_carelessly(format: Format, table: Any) -> Any:
    return BlockWriting(format, table, Careless(), at="/blocks")


def without_usage(response: Any, d: Any) -> Any:
    body = toy_blocks.dump_response(response, d)
    body.pop("usage", None)
    return body


def write_from_the_last(messages: Any, start: int, out: Any, d: Any) -> None:
    toy_blocks.TURNS.write(messages, max(start - 1, 0), out, d)


def anything(view: View) -> Found:
    """Nothing is good enough.

    Evidence: none.
    """
    yield "/log", "it is not good enough"


def drop_an_answer(payload: Any, messages: Any, d: Any) -> None:
    wire = messages[-1].wire if messages else None
    if wire is not None and wire.response:
        payload["log"].pop()
        d.drop(f"/messages/{len(messages) - 1}", "it came in a response")


def never(_message: Any) -> bool:
    return False


def without_words(error: il.ProviderError) -> Any:
    return {"error": {"type": error.type}}


def picky(_format: Format) -> RuleSet:
    return PICKY


NOTHING = Marks((Shape("toy", "request", "nothing", "nothing[].at_all"),))
PICKY = RuleSet(View, errors(anything), tools=lambda _: [], outputs=lambda _: [])

PLANTED: dict[str, tuple[Format, str]] = {
    "a part is dropped silently": (dumps(TOY, drop_a_part), "conversations_lose_nothing_silently"),
    "a part of others is dropped silently": (dumps(TOY, drop_a_part), "nothing_of_others_is_lost_silently"),
    "a loss is reported that is none": (dumps(TOY, report_what_is_there), "conversations_lose_nothing_silently"),
    "a loss has a place that is not there": (dumps(TOY, report_a_place_that_is_not_there), "any_request_is_dumped"),
    "ids of results are exchanged": (dumps(TOY, swap_ids), "conversations_lose_nothing_silently"),
    "ids of appended results are exchanged": (dumps(TOY, swap_ids), "results_answer_the_same_calls"),
    "an unknown field is lost at home": (lose_unknown_fields(TOY), "same_format_exact"),
    "the input is changed": (loads(TOY, note_that_it_was_read), "conversions_change_nothing_passed_in"),
    "odd input raises KeyError": (loads(TOY, look_without_care), "anything_else_is_refused_as_invalid"),
    "everything is native": (replace(TOY, native=bool), "native_is_true"),
    "nothing is native": (replace(TOY, native=never), "native_is_true"),
    "the loader takes what the schema refuses": (forgive_roles(TOY), "schema_accepts_what_load_accepts"),
    "a fault is overlooked": (forgive_roles(TOY), "one_fault_is_one_error"),
    "the marks name nothing": (replace(TOY, marks=lambda: NOTHING), "requests_are_detected"),
    "the name is not registered": (replace(TOY, name="toy_of_nobody"), "copies_are_the_format"),
    "a stream that is cut loses text": (replace(BLOCKS, reading=Forgetful), "streams_fold_into_the_whole"),
    "a written stream loses text": (replace(BLOCKS, writing=written_carelessly), "streams_written_again_say_the_same"),
    "a stream of others loses text": (replace(BLOCKS, writing=written_carelessly), "streams_lose_nothing_silently"),
    "the usage is lost": (replace(BLOCKS, dump_response=without_usage), "responses_lose_nothing_silently"),
    "the usage is lost at home": (replace(BLOCKS, dump_response=without_usage), "responses_same_format_exact"),
    "a growing history repeats a message": (
        replace(BLOCKS, history=Steps(write_from_the_last)),
        "a_growing_history_is_dumped_as_the_whole",
    ),
    "an answer has no place in a request": (dumps(BLOCKS, drop_an_answer), "an_answer_goes_on_in_the_next_request"),
    "an error is dumped without words": (
        replace(BLOCKS, dump_error=without_words),
        "errors_are_read_back",
    ),
    "sound requests are refused": (replace(BLOCKS, rules=picky), "check_accepts_sound_requests"),
}
"""Faults, each with a format that has it, and the law that catches it."""


@pytest.mark.parametrize(("format", "name"), PLANTED.values(), ids=PLANTED)
def test_a_planted_fault_is_caught(format: Format, name: str) -> None:
    [law] = [each for each in testing.laws(format) if each.name == name]
    with pytest.raises(AssertionError, match=name):
        law(settings(max_examples=200))
    share.current.clear()  # of what a law tested until it was broken, nobody asks


def test_a_law_that_is_broken_says_what_is_wrong_and_with_what() -> None:
    [law] = [each for each in testing.laws(dumps(TOY, drop_a_part)) if each.name == "conversations_lose_nothing_silently"]
    with pytest.raises(AssertionError) as caught:
        law(settings(max_examples=200))
    assert "toy breaks the law conversations_lose_nothing_silently: Canonical conversations" in str(caught.value)
    assert "/messages/" in str(caught.value)
    assert "conversations_lose_nothing_silently_of_toy(" in "".join(caught.value.__notes__)
    assert (str(law), law.__name__) == (law.name, "conversations_lose_nothing_silently")
    assert is_native(il.UserMessage(content=[il.TextPart(text="a")]), TOY)
