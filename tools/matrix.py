"""Writes `docs/formats.md`: what each format can carry, and what a conversion between any two of the main ones loses.

Run `python tools/matrix.py` after a change of a format. With `--check` it writes nothing and reports whether the file is stale.
Each cell is the result of a conversion of the concept's sample (`concepts.py`); `tests/laws/test_matrix.py` lets the judges of
the laws look at the same conversions.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import interlingua as il
from concepts import ANSWERED, CONCEPTS, GROUPS, REPLIES, SENT, Answered, Concept, Sent
from generated import run
from tables import DOCS, row

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from laws.families import MAIN

HEAD = """\
# Formats

<!-- Written by tools/matrix.py from conversions of the small conversations in tools/concepts.py: do not edit. -->

What each format can carry, and what a conversion loses. A dump in the same format is exact and is not shown here. Of anything
that a target cannot carry, a `Loss` is reported. The tables come from real conversions of small conversations.

*carried* arrives whole, *changed* arrives as something else, *moved* arrives in another place, *dropped* is left out, and
*in part* arrives without what only the source has.
"""

TO_ALL = """\
## What each format carries

Values that were built by hand, in the main format of each provider. What comes of them where they were read from another
provider is in [the tables of pairs](#conversions); signatures, encrypted reasoning and ids of uploads are sent only to those
who issued them.
"""

RESPONSES = """\
## What each format's responses carry

Responses that were built by hand, as `dump_response` writes them. What only a response has about its making is lost without a
warning.
"""

OWN = """\
## What goes from one provider's request to another's

Settings and tools that the canonical format has no field for, or that only some providers have, as a conversion of a request
of the provider that is named first carries them. – stands for the provider itself.
"""

ANSWERS = """\
## What goes from one provider's answer to another's

Parts and fields of answers that only some providers have, for a client of the provider at the top.
"""

DIALECTS = """\
## Dialects

What differs from the main format of the same provider. `openai_completions` has a prompt, which is one text.
"""

PAIRS = """\
## Conversions

Each table shows what the first format carries, when it is read from there and written to the others.
"""


class Outcome(NamedTuple):
    """What comes of a concept in a format."""

    word: str
    why: str


ORDER = ("dropped", "changed", "moved", "response_only", "added")
"""The kinds of losses, the worst first; what is added leaves the concept as it is."""


def outcome(losses: Sequence[il.Loss]) -> Outcome:
    """The worst of the losses; those of what only the source has come last."""
    ranked = sorted(losses, key=lambda loss: ("/provider_data/" in loss.path, ORDER.index(loss.kind)))
    worst = next((loss for loss in ranked if loss.kind != "added"), None)
    if worst is None:
        return Outcome("carried", "")
    return Outcome("in part" if "/provider_data/" in worst.path else worst.kind, worst.detail)


def written(request: il.Request, target: str) -> tuple[dict[str, object], Sequence[il.Loss]]:
    """The payload of a request and its losses."""
    losses: list[il.Loss] = []
    return il.dump(request, il.FORMATS[target], on_loss=losses.append), losses


def built(concept: Concept, target: str) -> Outcome:
    """What comes of a concept that was built by hand."""
    return outcome(written(concept.request, target)[1])


def loaded(concept: Concept, source: str) -> il.Request | None:
    """The sample as it is read from a format; None where that does not carry it."""
    payload, losses = written(concept.request, source)
    return None if outcome(losses).word != "carried" else il.load(payload, il.format_of(source))


def converted(concept: Concept, source: str, target: str) -> Outcome | None:
    """What comes of a concept between two formats; None where the source does not carry it."""
    request = loaded(concept, source)
    return None if request is None else outcome(written(request, target)[1])


def replied(response: il.Response, target: str) -> Outcome:
    """What comes of a response that was built by hand."""
    losses: list[il.Loss] = []
    il.dump_response(response, il.format_of(target), on_loss=losses.append)
    found = outcome(losses)
    return found._replace(word="dropped") if found.word == "response_only" else found


def sent(sample: Sent, target: str) -> Outcome:
    """What comes of the fields of one provider's request in another's."""
    if sample.source == target:
        return Outcome("–", "")
    return outcome(il.convert(sample.payload, source=sample.source, target=il.format_of(target)).losses)


def answered(each: Answered, target: str) -> Outcome:
    """What comes of the answer of one provider for a client of another's."""
    if each.source == target:
        return Outcome("–", "")
    losses: list[il.Loss] = []
    il.dump_response(il.load_response(each.body, each.source), il.format_of(target), on_loss=losses.append)
    kinds = {"dropped" if loss.kind == "response_only" else loss.kind for loss in losses if loss.kind != "added"}
    if len(kinds) > 1:
        return Outcome("in part", "")
    return Outcome(kinds.pop() if kinds else "carried", "")


def text() -> str:
    """The text of `docs/formats.md`."""
    lines = [HEAD, TO_ALL]
    results = {name: {target: built(concept, target) for target in il.FORMATS} for name, concept in CONCEPTS.items()}
    lines += grouped({name: [cells[target].word for target in MAIN] for name, cells in results.items()}, MAIN)
    lines += ["Why something is not carried:", ""]
    for target in MAIN:
        lines += reasons(target, {name: cells[target] for name, cells in results.items()})
    lines += ["", RESPONSES]
    responses = {name: il.validate(data, il.Response) for group in REPLIES.values() for name, data in group.items()}
    replies = {name: {target: replied(response, target) for target in MAIN} for name, response in responses.items()}
    lines += grouped({name: [cell.word for cell in cells.values()] for name, cells in replies.items()}, MAIN, REPLIES)
    lines += ["Why something is not carried:", ""]
    for target in MAIN:
        lines += reasons(target, {name: cells[target] for name, cells in replies.items()})
    lines += ["", OWN]
    own = {name: [sent(sample, target).word for target in MAIN] for group in SENT.values() for name, sample in group.items()}
    lines += grouped(own, MAIN, SENT)
    lines += ["", ANSWERS]
    answers = {
        name: [answered(each, target).word for target in MAIN] for group in ANSWERED.values() for name, each in group.items()
    }
    lines += grouped(answers, MAIN, ANSWERED)
    lines += [DIALECTS]
    lines += list(dialects(results))
    lines += ["", PAIRS]
    for source in MAIN:
        others = [target for target in MAIN if target != source]
        pairs = {name: [converted(concept, source, target) for target in others] for name, concept in CONCEPTS.items()}
        rows = {name: [cell.word for cell in cells if cell is not None] for name, cells in pairs.items() if None not in cells}
        lines += [f"### From {source}", "", *grouped(rows, others)]
    return "\n".join(lines)


def grouped(
    rows: Mapping[str, Sequence[str]], columns: Sequence[str], groups: Mapping[str, Mapping[str, object]] = GROUPS
) -> Iterator[str]:
    """A table whose rows stand in their groups."""
    yield row("", *(f"`{name}`" for name in columns))
    yield row("---", *("---" for _ in columns))
    for group, names in groups.items():
        if shown := [name for name in names if name in rows]:
            yield row(f"**{group}**", *("" for _ in columns))
            yield from (row(name, *rows[name]) for name in shown)
    yield ""


def reasons(target: str, cells: Mapping[str, Outcome]) -> Iterator[str]:
    why: dict[str, list[str]] = {}
    for name, cell in cells.items():
        if cell.word != "carried":
            why.setdefault(cell.why.partition(";")[0], []).append(name)
    yield f"- `{target}`"
    yield from (f"  - {', '.join(names)}: {reason}" for reason, names in why.items())


def dialects(results: Mapping[str, Mapping[str, Outcome]]) -> Iterator[str]:
    for name, format in il.FORMATS.items():
        home = next((main for main in MAIN if il.FORMATS[main].family == format.family), None)
        if name == home or format.listed == "prompt":
            continue
        same = {} if home is None else {concept: cells[home].word for concept, cells in results.items()}
        other = [f"{concept} {cells[name].word}" for concept, cells in results.items() if cells[name].word != same.get(concept)]
        yield f"- `{name}`, of `{home}`: {', '.join(other) or 'nothing'}."


if __name__ == "__main__":
    sys.exit(run(DOCS / "formats.md", text, "matrix.py"))
