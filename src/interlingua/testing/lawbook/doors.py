"""A judge of conversions of requests: they change and keep nothing of what they are given, and their doors agree."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from pydantic import ValidationError

from ...codec.format import Format
from ...conversion.requests import convert, dump, load
from ...errors import InterlinguaError, Loss, LossWarning, LossyConversion
from ...formats import FormatName, format_of
from . import share
from .documents import canonical, difference, resolves, ruin, under


class Reported(Protocol):
    """What the judge needs of a loss."""

    @property
    def path(self) -> str:
        """Where it is in the source."""
        ...

    @property
    def kind(self) -> str:
        """What became of it."""
        ...

    @property
    def detail(self) -> str:
        """Why."""
        ...


def mistaken(payload: Any, source: FormatName | Format, target: FormatName | Format) -> list[str]:
    """What is wrong with a conversion: a pointer and a reason each."""
    format = format_of(source)
    before = copy.deepcopy(payload)
    text = canonical(payload)
    try:
        request = load(payload, format)
        kept = canonical(request.to_dict())
        reported: list[Loss] = []
        dumped = dump(request, target, on_loss=reported.append)
        outcome = convert(payload, source=format, target=target)
    except (InterlinguaError, ValidationError):
        share.judged(False, least=1, of="conversions of any request")
        return [] if canonical(payload) == text else [": mutated by a call that failed"]
    share.judged(True, least=1, of="conversions of any request")
    found: list[str] = []
    if canonical(payload) != text or payload != before:
        found.append(": mutated")
    if canonical(dumped) != canonical(outcome.payload):
        found.append(f": convert is not dump after load: {difference(outcome.payload, dumped)}")
    found += _unlike(_located(reported, payload, format), outcome.losses)
    given = request.to_dict()
    found += [f"{loss.path}: a loss of dump that is not in to_dict" for loss in reported if not resolves(given, loss.path)]
    found += _strictness(payload, format, target, outcome.losses)
    found += _warned(request, target, outcome.losses)
    # Last, for it breaks what is shared.
    for output in (dumped, outcome.payload, request.to_dict()):
        ruin(output)
    if canonical(payload) != text:
        found.append(": what came out holds pieces of what went in")
    if canonical(request.to_dict()) != kept:
        found.append(": what came out holds pieces of the request")
    return found


def _located(reported: Sequence[Loss], payload: Any, format: Format) -> set[tuple[str, str, str]]:
    """The losses of a dump, where the payload has what they name."""
    locate = format.locating(payload)
    located: set[tuple[str, str, str]] = set()
    for loss in reported:
        for path in locate(loss.path):
            kind = "changed" if path in format.in_text else loss.kind
            located.add((path, kind, loss.detail))
    if format.beside is not None:
        # What goes with a part that is dropped is inside it for dump, and beside it on the wire.
        beside = format.beside(payload, locate)
        for loss in reported:
            for path in beside(loss.path) if loss.kind == "dropped" else ():
                kind = "response_only" if path.split("/")[-1] in format.item_fields else "dropped"
                located.add((path, kind, loss.detail))
    return located


def _unlike(reported: set[tuple[str, str, str]], converted: Sequence[Reported]) -> Iterator[str]:
    """Where dump's losses, seen on the wire, are not those of convert, which reports nothing beneath what is dropped."""
    dropped = [path for path, kind, _ in reported if kind == "dropped"]

    def is_inside(path: str, kind: str) -> bool:
        """Whether a loss is of something that is dropped as a whole."""
        return kind != "added" and any(under(path, owner) or (path == owner and kind != "dropped") for owner in dropped)

    expected = {loss for loss in reported if not is_inside(loss[0], loss[1])}
    for path, kind, detail in expected ^ {(loss.path, loss.kind, loss.detail) for loss in converted}:
        yield f"{path}: only one of dump and convert reports: {kind}, {detail}"


def _strictness(payload: Any, source: Format, target: FormatName | Format, losses: Sequence[Loss]) -> Iterator[str]:
    """Whether a strict conversion raises what the other reports."""
    try:
        convert(payload, source=source, target=target, strict=True)
    except LossyConversion as error:
        if not losses:
            yield ": strict refuses a conversion without losses"
        if len(error.losses) != len(losses):
            yield ": strict reports other losses"
    else:
        if _unexpected(losses):
            yield ": strict lets a loss pass"


def _warned(request: Any, target: FormatName | Format, losses: Sequence[Loss]) -> Iterator[str]:
    """Whether a dump warns once if there are losses."""
    warn: Callable[..., Any] = dump
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn(request, target)
    reported = [warning for warning in caught if issubclass(warning.category, LossWarning)]
    expected = _unexpected(losses)
    if len(reported) != (1 if expected else 0):
        yield f": {len(reported)} warnings for {len(expected)} losses"


def _unexpected(losses: Sequence[Loss]) -> list[Loss]:
    return [loss for loss in losses if loss.kind != "response_only"]
