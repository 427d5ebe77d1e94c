"""A judge between a canonical response and another that was made of it, which knows no wire format.

The second has the content of the first, in the same order and without additions, unless a loss names it. Losses point into
`response.to_dict()` of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...codec.format import Format
from ...conversion.responses import dump_response, load_response
from ...errors import Loss
from ...model.exchange import Response, Usage
from .documents import canonical
from .spoke import HOLDERS, Owner, message_owners, same

FURTHER = "the text goes on in a further block, as other blocks came between"
"""What is reported once for each part, after the first, that something becomes in a stream."""


def unreported(response: Response, made: Response, losses: Sequence[Loss]) -> list[str]:
    """What `made` lacks, or has besides, without a loss that names it: a pointer and a reason each."""
    return [*_choices(response, made, losses), *_fields(response, made, losses)]


def lost_between(response: Response, format: Format) -> list[str]:
    """What is lost silently where the format writes the response as a whole."""
    losses: list[Loss] = []
    body = dump_response(response, format, on_loss=losses.append)
    return unreported(response, load_response(body, format), losses)


def _choices(response: Response, made: Response, losses: Sequence[Loss]) -> Iterator[str]:
    given = response.to_dict()
    found = made.to_dict()["choices"]
    kept = [i for i in range(len(given["choices"])) if not named(losses, f"/choices/{i}", "dropped")]
    if len(kept) != len(found):
        yield f"/choices: {len(found)} of {len(kept)}"
        return
    for i, choice in zip(kept, found, strict=True):
        start = f"/choices/{i}"
        mine = spoken(f"{start}/message", given["choices"][i]["message"])
        yield from in_order(mine, spoken(f"{start}/message", choice["message"]), losses)
        for name in ("stop_reason", "stop_sequence"):
            if given["choices"][i].get(name) != choice.get(name) and not named(losses, f"{start}/{name}"):
                yield f"{start}/{name}: {choice.get(name)!r}, not {given['choices'][i].get(name)!r}"


def spoken(pointer: str, message: Any) -> list[Owner]:
    """All that an assistant's message says, in its order."""
    return [owner for owner in message_owners(pointer, message) if owner.kind not in HOLDERS and owner.meaning != ""]


def named(losses: Sequence[Loss], pointer: str, *kinds: str) -> bool:
    """Whether a loss names this, or all of what holds it."""
    holders = [pointer[:end] for end in range(1, len(pointer)) if pointer[end] == "/"]
    for loss in losses:
        is_of_kind = not kinds or loss.kind in kinds
        if loss.path == pointer and is_of_kind:
            return True
        if loss.path in holders and loss.kind == "dropped":
            return True
    return False


def _touched(losses: Sequence[Loss], pointer: str) -> bool:
    """Whether a loss names this, something of it, or what holds it."""
    return any(f"{loss.path}/".startswith(f"{pointer}/") or f"{pointer}/".startswith(f"{loss.path}/") for loss in losses)


def in_order(mine: Sequence[Owner], others: Sequence[Owner], losses: Sequence[Loss]) -> Iterator[str]:
    """Each owner that no loss names follows in its order; what remains is no more than what is reported as changed or moved."""
    at = 0
    spare = 0
    excused = 0
    for owner in mine:
        if _touched(losses, owner.pointer):
            # Reasoning that is said in two fields may be left in one of them.
            excused += not named(losses, owner.pointer, "dropped") or "/thinking_blocks/" in owner.pointer
            # A text that becomes a part of a list goes on in further blocks before that is known.
            excused += sum(loss.detail == FURTHER and f"{owner.pointer}/".startswith(f"{loss.path}/") for loss in losses)
            # What it becomes may have parts of its own, which are reported as added.
            excused += sum(loss.kind == "added" and loss.path == owner.pointer for loss in losses)
            continue
        place = next((i for i in range(at, len(others)) if same(owner, others[i])), None)
        if place is None:
            yield f"{owner.pointer}: the {owner.kind} is missing or different"
            continue
        for name, value in owner.details.items():
            if value != "" and canonical(others[place].details.get(name)) != canonical(value):
                yield f"{owner.pointer}: its {name} is missing or different"
        spare += place - at
        at = place + 1
    spare += len(others) - at
    if spare > excused:
        yield f": {spare} parts are there that nothing was made into"


def _fields(response: Response, made: Response, losses: Sequence[Loss]) -> Iterator[str]:
    for name in ("id", "model", "created"):
        mine = getattr(response, name)
        other = getattr(made, name)
        if mine is not None and canonical(mine) != canonical(other) and not named(losses, f"/{name}"):
            yield f"/{name}: {other!r}, not {mine!r}"
    for name in Usage.model_fields:
        mine, other = (getattr(each.usage, name, None) or 0 for each in (response, made))
        if name != "native" and mine != other and not named(losses, f"/usage/{name}"):
            yield f"/usage/{name}: {other}, not {mine}"
