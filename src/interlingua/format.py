"""What a format is: a frozen record of functions, and the notes one dump takes while they run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .exchange import Request
from .losses import Ledger, Loss

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Wire = dict[str, Any]

SPELLING = "<spelling>"
"""The key of an owner's `provider_data[family]` that records which of several wire spellings it came in."""


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """One provider's wire shape and the functions that map it to and from the canonical one.

    `family` names the formats that share `provider_data`; `load` maps a wire request to the data of a `Request`, and may
    stop with pydantic's `ValidationError` at the first fault; `adapter` builds, on first use, the validator that finds them
    all; `dump` writes a request's body, telling its losses to the `Dumping`; `locate(wire, pointer)` translates a pointer
    into the canonical request to one into the wire, and `owners_stay(wire)` tells whether owners have the same in both.
    """

    name: str
    family: str
    adapter: Callable[[], TypeAdapter[Any]]
    load: Callable[[Wire], dict[str, Any]]
    dump: Callable[[Request, Dumping], Wire]
    locate: Callable[[Wire, str], str]
    owners_stay: Callable[[Wire], bool]
    profile: Any = None

    def __repr__(self) -> str:
        return f"Format({self.name!r})"


class Dumping(Ledger):
    """One dump under way: whether it goes home, and what has been told so far."""

    __slots__ = ("family", "home", "losses", "places")

    def __init__(self, family: str, *, home: bool) -> None:
        super().__init__()
        self.family = family
        self.home = home

    def extras(self, owner: Any, out: Wire, path: str, at: str, accepts: Callable[[str], bool] | None = None) -> None:
        """Lay the owner's provider data over what was written for it; tell what belongs to others or is not accepted."""
        for family, overlay in owner.provider_data.items():
            for key, value in overlay.items():
                if key == SPELLING:
                    continue
                if family == self.family and (self.home or accepts is None or accepts(key)):
                    lay_over(out, key, value)
                elif value is not None and value != []:
                    self.tell("dropped", f"{path}/provider_data/{family}/{escape(key)}", None, f"only {family} has this field")

    def drop(self, path: str, detail: str) -> None:
        """Tell that what is at `path` is left out."""
        self.losses.append(Loss(path, None, "dropped", detail))


def lay_over(out: Wire, key: str, value: Any) -> None:
    """Add a recorded field to what was written: objects merge, nothing written is replaced."""
    if key not in out:
        out[key] = copy_plain(value)
    elif isinstance(value, dict) and isinstance(out[key], dict):
        for inner, item in value.items():
            lay_over(out[key], inner, item)


def copy_plain(value: Any) -> Any:
    """A copy of validated JSON data, so that the caller owns what it gets."""
    if isinstance(value, dict):
        return {key: copy_plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_plain(item) for item in value]
    return value


def leave(out: dict[str, Any], wire: Wire, taken: frozenset[str], family: str, spelling: Wire | None = None) -> dict[str, Any]:
    """Put what `load` did not take from `wire` into `out`'s provider data, with the spelling where it is worth recording."""
    rest = {key: value for key, value in wire.items() if key not in taken}
    if spelling:
        rest[SPELLING] = spelling
    if rest:
        out["provider_data"] = {family: rest}
    return out


def spelling(owner: Any, family: str, key: str) -> Any:
    """How the owner's wire spelled `key`, where that was recorded for this family."""
    data = owner.provider_data
    if data is None:
        return None
    overlay = data.get(family)
    if overlay is None or SPELLING not in overlay:
        return None
    return overlay[SPELLING].get(key)


def escape(token: str) -> str:
    """A token of a JSON Pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")
