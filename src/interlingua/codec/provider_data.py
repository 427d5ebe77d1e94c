"""Writes the settings of a request that have no canonical field, if the target has them, too; see `shared`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..errors import escape, excerpt
from ..model.base import Json
from .dump import Dump
from .fields import Wire, has_place, join, lay_over, read_in_part, value_at
from .shared import KINDS, Path, Setting, at_path, is_usual, without


def lay_request_data(d: Dump, request: Any, out: Wire, accepts: Callable[[str], bool] | None = None) -> None:
    """Add a request's provider data to what was written, and write the settings of other families that the target also has."""
    data: Mapping[str, Wire] | None = request.provider_data
    if not data:
        return
    partial, standalone = read_in_part(request.wire)
    left: Wire = {}
    for key, value in data[d.family].items() if d.family in data else ():
        if not (d.exact or accepts is None or accepts(key)):
            if not is_usual(key, value):
                left[key] = value
        elif has_place(key, out, partial, standalone):
            lay_over(out, key, value)
        elif not d.exact:  # the rest of an object that a relative writes in another field
            left[key] = value
    overlays = {family: left if family == d.family else overlay for family, overlay in data.items()}
    carried = {family: _carry(d, request, family, overlay, out) for family, overlay in overlays.items() if overlay}
    for family, overlay in overlays.items() if d.collect_losses else ():
        done = carried.get(family)
        unwritten, pointers = without(overlay, partial, done) if done else (overlay, partial)
        if unwritten:
            unwritten, pointers = _without_sent(d, unwritten, pointers, family, request, out)
            d.drop_overlay(f"/provider_data/{family}", unwritten, family, pointers)


def _carry(d: Dump, request: Any, family: str, overlay: Wire, out: Wire) -> list[Path]:
    """Write settings that the target has in another place, or under another name, unless they are already written.

    `overlay` is the provider data of a family that the target does not write as they are.
    Returns the paths of the settings that need no further report.
    """
    source = d.format_of(family)
    done: list[Path] = []
    for name in source.shared_in(overlay):
        setting = source.shared[name]
        value, path = setting.read(overlay)
        if type(value) is float and KINDS[name] == (int,) and value.is_integer():
            value = int(value)
        if type(value) in KINDS[name] and _is_carried(d, name, value, path, family, request, out):
            done += setting.repeated(overlay, path) if setting.others or setting.item is not None else (path,)
            if setting.left_out is not None:
                at = _pointer(family, path)
                for pointer in setting.left_out(value_at(overlay, path)):
                    d.drop(at + pointer, d.no_place("this field", family))
    return _with_lists(d, family, overlay, done) if done else done


def _with_lists(d: Dump, family: str, overlay: Wire, done: list[Path]) -> list[Path]:
    """The paths of settings, with a list in place of its entries; reports the entries of such a list that are not carried."""
    lists = {path[:-1]: None for path in done if path[-1].isdigit()}
    for path in lists:
        for i in range(len(value_at(overlay, path))):
            if (entry := (*path, str(i))) not in done:
                d.drop(_pointer(family, entry), d.no_place("this field", family))
    return [path for path in done if path[:-1] not in lists] + [*lists] if lists else done


def _without_sent(
    d: Dump, overlay: Wire, partial: Collection[str], family: str, request: Any, out: Wire
) -> tuple[Wire, Collection[str]]:
    """The provider data without the values that a canonical field has in part; reports what is lost of these."""
    reads = d.format_of(family).sent_in_part
    sent: Mapping[Path, str] = {} if reads is None else reads(overlay)
    if not sent:
        return overlay, partial
    is_whole = d.target.sent_in_part is not None and bool(d.target.sent_in_part(out))
    if not is_whole and any(tool.type == "function" for tool in request.tools or ()):  # it is about calls of functions
        for path, detail in sent.items():
            d.report("changed", _pointer(family, path), None, detail)
    return without(overlay, partial, list(sent))


def calls_follow_schemas(d: Dump, request: Any) -> bool:
    """Whether another provider's data say that calls must follow the schemas, of which a canonical choice has only a part."""
    data: Mapping[str, Wire] = request.provider_data or {}
    found = ((d.format_of(family).sent_in_part, overlay) for family, overlay in data.items() if family != d.family)
    return any(reads is not None and bool(reads(overlay)) for reads, overlay in found)


def _pointer(family: str, path: Path) -> str:
    return join(("provider_data", escape(family), *map(escape, path)))


def _is_carried(d: Dump, name: str, value: Json, path: Path, family: str, request: Any, out: Wire) -> bool:
    """Write a setting or report its loss; returns whether it needs no further report."""
    if name == "include_usage" and _is_moot(request, value, path, d):
        return True
    if value in d.target.unasked.get(name, ()):
        return True
    own = d.target.shared.get(name)
    if own is None:
        return is_usual(name, value)
    if own.implied is not None and own.implied(out):
        return True
    written, why = own.write(value)
    place, there = own.place(out)
    if there is not None:
        return bool(there == written)
    if own.unless is not None and value_at(out, (*place[:-1], own.unless)) is not None:
        return False
    pointer = _pointer(family, path)
    if not _fits(d, own, name, value, out):
        return _is_left_out(d, own, name, value, pointer)
    at = join(place)
    if why is not None:
        if not is_usual(name, value):
            d.drop(pointer, why)
        return True
    lay_over(out, place[0], at_path(place[1:], written))
    _report_changes(d, name, own, value, written, pointer, at)
    if own.needs is not None:
        _add_needed(d, name, d.target.shared[own.needs], out)
    return True


def _is_moot(request: Any, value: Json, path: Path, d: Dump) -> bool:
    """Whether it makes no difference that a request asks for usage, or does not want it.

    Every whole answer has its usage, but `stream_options` without a stream still count as lost.
    """
    if path[0] != "stream_options" and (value is not True or request.stream is not True):
        return True
    return value is True and request.stream is True and bool(d.target.always_counts)


def _report_changes(d: Dump, name: str, own: Setting, value: Json, written: Json, pointer: str, at: str) -> None:
    """Report how the written value of a setting differs from the given one."""
    if own.words is not None and own.words.get(written) != value:
        d.report(
            "changed",
            pointer,
            at,
            f"{d.target.name} does not have this value of `{name}`; sent as {excerpt(str(written))}",
        )
    least = own.least if own.raised else None
    if least is not None and type(value) is int and value < least:
        d.report("changed", pointer, at, f"`{own.path[0]}` must be at least {least:g}; raised from {value}")
    if own.changed is not None:
        d.report("changed", pointer, at, own.changed)


def _fits(d: Dump, own: Setting, name: str, value: Json, out: Wire) -> bool:
    """Whether a body may have a setting. A usual value is left out if the setting that it needs would have to be added."""
    if own.needs is not None and is_usual(name, value) and d.target.shared[own.needs].place(out)[1] is None:
        return False
    return own.fits is None or own.fits(out)


def _is_left_out(d: Dump, own: Setting, name: str, value: Json, pointer: str) -> bool:
    """Leave out a setting that the body may not have; return False if the caller must still report it."""
    if is_usual(name, value):
        return True
    if own.unfit is not None:
        d.drop(pointer, own.unfit)
    return own.unfit is not None


def _add_needed(d: Dump, name: str, needed: Setting, out: Wire) -> None:
    """Turn on a setting that the target requires beside another one."""
    path, there = needed.place(out)
    if there is None:
        lay_over(out, path[0], at_path(path[1:], True))
        d.report("added", "", join(path), f"`{name}` needs `{path[-1]}`, which is added")


def ask_for_usage(out: Wire, d: Dump) -> None:
    """Ask for the usage of a stream, if the source sends it unasked, and the target only if `stream_options` asks for it."""
    counts_unasked = d.source is not None and d.source.always_counts
    if d.exact or not counts_unasked or d.target.always_counts:
        return
    options: Json = out.get("stream_options")
    known = {} if options is None else options
    if type(known) is dict and "include_usage" not in known:
        out["stream_options"] = {**known, "include_usage": True}
        reason = f"a stream of {d.target.name} has its usage only if the request asks for it, so this field is added"
        d.report("added", "", "/stream_options/include_usage", reason)
