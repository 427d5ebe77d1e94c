"""The service tier that an answer names: most providers have it, each in another place and with other words.

The tier stays in the provider data of the answer or of its usage. A dump to another provider that has a word for it writes it
there; otherwise the field is reported like any other. The shared words are OpenAI's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import escape
from ..model.exchange import Response
from .dump import Dump
from .fields import Wire, join, value_at
from .shared import Path, without


def _found(overlays: Any, d: Dump, *, in_usage: bool) -> tuple[str, Path] | None:
    """The target's word for the tier in the source's data, and the tier's path there; None if either has none."""
    source = d.source
    target = d.target.tier
    if d.same_family or not overlays:
        return None
    if source is None or source.tier is None or target is None:
        return None
    if source.tier.in_usage is not in_usage:
        return None
    shared, path = source.tier.read(overlays.get(source.family) or {})
    word = None if shared is None else target.own.get(shared)
    return None if word is None else (word, path)


def lay_tier(response: Response, out: Wire, d: Dump) -> None:
    """Write the tier of another provider's answer, and remove its loss, which was reported with the other fields."""
    source = d.source
    target = d.target.tier
    if source is None or source.tier is None or target is None:
        return
    overlays = response.provider_data
    at = "/provider_data"
    in_usage = source.tier.in_usage
    if in_usage:
        overlays = None if response.usage is None else response.usage.native
        at = "/usage/native"
    found = _found(overlays, d, in_usage=in_usage)
    if found is None:
        return
    if value_at(out, target.path) is not None:
        return
    word, path = found
    *holder, key = target.path
    holding: Wire = out.setdefault(holder[0], {**target.beside}) if holder else out
    holding[key] = word
    if d.losses:
        pointer = at + join((escape(source.family), path[0]))
        d.losses[:] = [loss for loss in d.losses if loss.path != pointer]


def take_tier(overlays: Mapping[str, Wire] | None, d: Dump, *, in_usage: bool) -> tuple[str, dict[str, Wire]] | None:
    """The target's word for the tier in an event's data, and the data without it; None if no tier can be written."""
    found = _found(overlays, d, in_usage=in_usage)
    if found is None or overlays is None or d.source is None:
        return None
    family = d.source.family
    left, _ = without(overlays[family], (), [found[1]])
    return found[0], {**overlays, family: left}
