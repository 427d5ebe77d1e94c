"""What a dump could not carry, as values with paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["dropped", "changed", "moved", "added", "response_only"]


class Loss(NamedTuple):
    """One thing that a conversion could not carry as it was.

    `path` is a JSON Pointer into what the caller passed and names the narrowest owner or field that holds what was lost;
    `at` points into the output, where there is something to point at; `detail` is a reason for a person to read.
    """

    path: str
    at: str | None
    kind: Kind
    detail: str

    def __str__(self) -> str:
        place = f" (now {self.at})" if self.at is not None else ""
        path = self.path if len(self.path) <= 200 else self.path[:200] + "…"
        return f"{self.kind} {path or '(the whole)'}{place[:200]}: {self.detail[:200]}"


class Ledger:
    """What one dump notes down as it goes: the losses, and where each owner of the output came from.

    Paths are pointers into the canonical request; whoever called for the dump translates them into the caller's document.
    """

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self.places: dict[str, str] = {}

    def tell(self, kind: Kind, path: str, at: str | None, detail: str) -> None:
        """Note one loss."""
        self.losses.append(Loss(path, at, kind, detail))


def summary(losses: Iterable[Loss]) -> str:
    """The losses in one sentence for a warning: the first few, and how many more."""
    told = tuple(losses)
    shown = "; ".join(str(loss) for loss in told[:3])
    return f"{len(told)} loss{'es' if len(told) > 1 else ''}: {shown}" + ("; …" if len(told) > 3 else "")
