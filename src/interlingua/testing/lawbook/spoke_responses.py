"""A judge between a canonical response and another that was made of it, which knows no wire format.

The second has the content of the first, in the same order and without additions, unless a loss names it. Losses point into
`response.to_dict()` of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...codec.fields import Content
from ...codec.format import Format
from ...conversion.responses import dump_response, load_response
from ...errors import Loss
from ...formats import FORMATS
from ...model.exchange import Choice, Response, Usage
from ...model.messages import AssistantMessage
from ...model.parts import OpaquePart
from .documents import USUAL_FIELDS, canonical, escaped, is_hollow, leaves
from .spoke import HOLDERS, Owner, message_owners, same

_COUNTS = frozenset(f"/usage/{name}" for name in Usage.model_fields if name != "native")
_CACHED = ("cache_read_tokens", "cache_write_tokens")
_EMPTY: tuple[Any, ...] = (None, [], {})
FURTHER = "the text continues in another block, because other blocks came in between"
"""What is reported once for each part, after the first, that something becomes in a stream."""


def unreported(response: Response, made: Response, losses: Sequence[Loss]) -> list[str]:
    """What `made` lacks, or has besides, without a loss that names it: a pointer and a reason each."""
    return [*_choices(response, made, losses), *_fields(response, made, losses)]


def lost_between(response: Response, format: Format) -> list[str]:
    """What is lost silently where the format writes the response as a whole."""
    losses: list[Loss] = []
    body = dump_response(response, format, on_loss=losses.append)
    made = load_response(body, format)
    return [*unreported(response, made, losses), *_own(response, made, losses, format.family, canonical(body))]


def _choices(response: Response, made: Response, losses: Sequence[Loss]) -> Iterator[str]:
    kept = _kept(response, losses)
    if len(kept) != len(made.choices):
        yield f"/choices: {len(made.choices)} of {len(kept)}"
        return
    moved = [owner for start, own in _with_losses(response, losses, "moved") for owner in _owners(start, own)]
    for (start, own), choice in zip(kept, made.choices, strict=True):
        owners = _owners(start, own) + (moved if start == "/choices/0" else [])
        content: Content = own.message.content
        listed = enumerate(content if isinstance(content, tuple) else ())
        parts = {f"{start}/message/content/{i}": part for i, part in listed}
        mine = [read for owner in owners for read in _as_read(owner, parts.get(owner.pointer), made.origin)]
        if moved:  # reasoning with the id of a call that joined its message is the signature of that call
            signatures = {call.signature for call in choice.message.tool_uses}
            mine = [each for each in mine if each.kind != "redacted_thinking" or each.meaning not in signatures]
        theirs = spoken(f"{start}/message", choice.message.to_dict())
        yield from in_order(mine, theirs, losses, readable=_readable(own.message, made.origin))
        for name in ("stop_reason", "stop_sequence"):
            was, is_now = getattr(own, name), getattr(choice, name)
            if was != is_now and not named(losses, f"{start}/{name}"):
                yield f"{start}/{name}: {is_now!r}, not {was!r}"


def _as_read(owner: Owner, part: Any, name: str | None) -> list[Owner]:
    """What a format reads in an opaque part of its family, which it writes as it is; all else is itself."""
    format = FORMATS.get(name or "")
    if format is None or not isinstance(part, OpaquePart) or part.format != format.family:
        return [owner]
    found = _read_alone(AssistantMessage(content=[part]), owner.pointer, format)
    return [each._replace(pointer=owner.pointer, parent=owner.parent) for each in found] or [owner]


def _readable(message: AssistantMessage, name: str | None) -> int:
    """The number of parts that a format may read in the fields that only its family has, which others keep as they are."""
    format = FORMATS.get(name or "")
    own = {} if format is None else _fields_of(message.provider_data, format.family)
    if format is None or not own:
        return 0
    return len(_read_alone(AssistantMessage(provider_data={format.family: own}), "", format))


def _read_alone(message: AssistantMessage, pointer: str, format: Format) -> list[Owner]:
    """What a format reads in the answer that it writes for a message."""
    body = dump_response(Response(choices=[Choice(message=message)]), format, on_loss="ignore")
    return spoken(pointer, load_response(body, format).message.to_dict())


def _kept(response: Response, losses: Sequence[Loss]) -> list[tuple[str, Choice]]:
    """The choices that no loss says are left out, with their pointers."""
    gone = [pointer for pointer, _ in _with_losses(response, losses, "dropped", "moved")]
    return [(pointer, choice) for pointer, choice in _numbered(response) if pointer not in gone]


def _with_losses(response: Response, losses: Sequence[Loss], *kinds: str) -> list[tuple[str, Choice]]:
    """The choices that a loss of one of these kinds names, with their pointers."""
    return [found for found in _numbered(response) if any(named(losses, found[0], kind) for kind in kinds)]


def _numbered(response: Response) -> list[tuple[str, Choice]]:
    return [(f"/choices/{i}", choice) for i, choice in enumerate(response.choices)]


def _owners(start: str, choice: Choice) -> list[Owner]:
    return spoken(f"{start}/message", choice.message.to_dict())


def _own(response: Response, made: Response, losses: Sequence[Loss], family: str, written: str) -> Iterator[str]:
    """What the fields of a family say of an answer, where another format of the family lacks them.

    `written` is the body as canonical JSON, where a field may belong to another object than before.
    """
    pairs: list[tuple[str, Any, Any]] = [("", response, made)]
    for (start, mine), other in zip(_kept(response, losses), made.choices, strict=False):
        pairs += [(start, mine, other), (f"{start}/message", mine.message, other.message)]
    for start, mine, other in pairs:
        kept = _fields_of(other.provider_data, family)
        for key, value in _fields_of(mine.provider_data, family).items():
            pointer = f"{start}/provider_data/{family}/{escaped(key)}"
            is_there = key in kept or canonical({key: value})[1:-1] in written
            is_kept = is_there or value == USUAL_FIELDS.get(key)
            if not (is_hollow(value) or is_kept or _touched(losses, pointer)):
                yield f"{pointer} is missing"
    yield from _own_counts(response.usage, made.usage, losses, family)


def _own_counts(mine: Usage | None, other: Usage | None, losses: Sequence[Loss], family: str) -> Iterator[str]:
    """What the family's own usage object says, in whichever field; a lost count changes those that include it."""
    recounted = any(loss.path in _COUNTS for loss in losses)
    values = [value for _, value in leaves(_fields_of(other and other.native, family))]
    for pointer, value in leaves(_fields_of(mine and mine.native, family)):
        where = f"/usage/native/{family}{pointer}"
        is_excused = recounted and type(value) is int
        if value not in (*_EMPTY, 0) and value not in values and not is_excused and not named(losses, where):
            yield f"{where} is missing"


def _fields_of(data: Mapping[str, dict[str, Any]] | None, family: str) -> dict[str, Any]:
    return (data or {}).get(family, {})


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


def in_order(mine: Sequence[Owner], others: Sequence[Owner], losses: Sequence[Loss], *, readable: int = 0) -> Iterator[str]:
    """Every owner that no loss names is there, in the same order. Others are there only if a loss says "changed" or "moved".

    `readable` is how many more may be there without a loss.
    """
    at = 0
    spare = 0
    excused = readable
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
    yield from _counts(_counted(response.usage), _counted(made.usage), losses)


def _counts(counts: dict[str, int], others: dict[str, int], losses: Sequence[Loss]) -> Iterator[str]:
    """The counts that differ; a kind of input that is not counted apart becomes a part of the other input."""
    for name in _CACHED:
        if named(losses, f"/usage/{name}"):
            counts["input_tokens"] += counts[name] - others[name]
    for name, count in counts.items():
        if count != others[name] and not named(losses, f"/usage/{name}"):
            yield f"/usage/{name}: {others[name]}, not {count}"


def _counted(usage: Usage | None) -> dict[str, int]:
    return {name: getattr(usage, name, None) or 0 for name in Usage.model_fields if name != "native"}
