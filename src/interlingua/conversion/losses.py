"""How losses are reported: to a function, as an error, or by one warning a call."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from inspect import currentframe
from os import sep
from pathlib import Path
from typing import Literal, TypeAlias

import pydantic

from ..codec.dump import NOTHING_LEFT
from ..errors import Loss, LossWarning, LossyConversion, new_loss
from ..formats import FORMATS

OnLoss: TypeAlias = Literal["warn", "raise", "ignore"] | Callable[[Loss], object]
"""How to report losses: warn, raise `LossyConversion`, do nothing, or call a function with each loss."""


def report(losses: Sequence[Loss], on_loss: OnLoss, target: str) -> None:
    """Report the losses of a dump to the target as the caller asked. Raises `LossyConversion` under `"raise"`."""
    if not losses:
        return
    if callable(on_loss):
        for loss in losses:
            on_loss(loss)
    elif on_loss == "warn" and (lost := unexpected(losses)):
        warn(summary(lost, target))
    elif on_loss == "raise" and unexpected(losses):
        raise LossyConversion(losses)
    elif on_loss not in ("warn", "raise", "ignore"):
        raise ValueError('on_loss must be "warn", "raise", "ignore" or a callable')


FILLED = "the source has no value for this field: `fill` adds one"


def unexpected(losses: Iterable[Loss]) -> list[Loss]:
    """The losses that are a reason to warn or to raise.

    What only a response can have is lost by every conversion of one, and what is filled in was asked for.
    """
    return [loss for loss in losses if loss.kind != "response_only" and loss.detail is not FILLED]


_INDEX = re.compile(r"/\d+(?=/|$)")
_ONE_CASE = re.compile("; (sent as|raised from) .*", re.DOTALL)
"""What a detail says of the one case: what became of it."""


def summary(losses: Iterable[Loss], target: str) -> str:
    """The losses in a sentence that is the same for all dumps which lose the same: no counts, no indices, no new names.

    Python shows a warning once for its text and place, so a loop warns once.
    """
    kinds = {(loss.kind, _INDEX.sub("/*", loss.path)[:200], _ONE_CASE.sub("", loss.detail[:200])) for loss in losses}
    shown = [f"{kind} {path or '(the whole)'}: {detail}" for kind, path, detail in sorted(kinds)]
    more = "; …" if len(shown) > 3 else ""
    return f"{target} cannot carry everything: {'; '.join(shown[:3])}{more} (on_loss=print shows each loss)"


_NOT_THE_USERS = tuple(f"{folder}{sep}" for folder in (Path(__file__).parents[1], Path(pydantic.__file__).parent))


def warn(text: str) -> None:
    """Issue a `LossWarning` at the line of the user's code that called this package, through pydantic or not."""
    frame = currentframe()
    level = 1
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_THE_USERS):
        frame = frame.f_back
        level = level + 1
    warnings.warn(text, LossWarning, stacklevel=level)


@lru_cache(64)  # a name of a family may be anybody's
def _metadata(family: str) -> frozenset[str]:
    """The fields about their making that the responses of a family have."""
    return frozenset[str]().union(*(format.response_metadata for format in FORMATS.of_family(family)))


def of_response(losses: Iterable[Loss]) -> list[Loss]:
    """The losses of a response, those of its metadata as `response_only`: no other provider's response can have them."""
    return [new_loss((*loss[:2], "response_only", loss.detail)) if _is_metadata(loss.path) else loss for loss in losses]


def _is_metadata(path: str) -> bool:
    if path.startswith("/usage/native/"):
        return True
    if "/provider_data/" not in path:
        return False
    tokens = path.split("/")
    owner = tokens[3:] if tokens[1:2] == ["choices"] else tokens[1:]
    prefix = "message/" if owner[:1] == ["message"] else ""
    data = owner[1:] if prefix else owner
    return len(data) > 2 and data[0] == "provider_data" and prefix + data[2] in _metadata(data[1])


def once(losses: list[Loss]) -> tuple[Loss, ...]:
    """The losses, without repeated ones of things left out; a part written in several pieces has the same loss for each."""
    return tuple({(loss, 0 if loss.kind in _LEFT_OUT else n): loss for n, loss in enumerate(losses)}.values())


_LEFT_OUT = ("dropped", "response_only")


def distinct(losses: list[Loss], cut: int = 0) -> tuple[Loss, ...]:
    """Each loss once, without those inside an owner that was dropped as a whole.

    If nothing of a message is left, and all that it held was dropped for one reason, its loss gives that reason. `cut`
    characters are removed from the front of each path.
    """
    if cut:
        losses = [loss._replace(path=loss.path[cut:]) for loss in losses]
    if len(losses) < 2:
        return tuple(losses)
    dropped = {path for path, _, kind, _ in losses if kind == "dropped" and path}
    if not dropped:
        return tuple(dict.fromkeys(losses))
    shortest = min(map(len, dropped))
    found: dict[Loss, None] = {}
    reasons: dict[str, set[str]] = {}
    has_emptied = False
    for loss in losses:
        path, _, kind, detail = loss
        end = path.rfind("/")
        while end >= shortest and path[:end] not in dropped:
            end = path.rfind("/", 0, end)
        is_inside = end >= shortest
        is_covered = is_inside or (kind != "dropped" and path in dropped)
        if is_inside and kind == "dropped":
            reasons.setdefault(path[:end], set()).add(detail)
        if kind == "added" or not is_covered:
            found[loss] = None
        if detail == NOTHING_LEFT:
            has_emptied = True
    kept = list(_without_emptied(found) if has_emptied else found)
    return tuple([_explained(loss, reasons.get(loss.path, ())) for loss in kept]) if reasons else tuple(kept)


def _without_emptied(losses: Iterable[Loss]) -> Iterator[Loss]:
    """The losses, without "nothing is left" of a message that is itself reported as dropped."""
    gone: set[str] = set()
    for loss in losses:
        if loss.detail != NOTHING_LEFT or loss.path not in gone:
            yield loss
        if loss.kind == "dropped":
            gone.add(loss.path)


def _explained(loss: Loss, reasons: Collection[str]) -> Loss:
    """The loss; if nothing of a message is left, with the one reason for which all that it held was dropped."""
    return loss._replace(detail=next(iter(reasons))) if loss.detail == NOTHING_LEFT and len(reasons) == 1 else loss
