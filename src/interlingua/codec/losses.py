"""What one dump reports as it goes: losses, and where each owner of the output came from."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import Loss, LossKind


class Ledger:
    """The losses and places of one dump.

    Paths are JSON Pointers into the canonical request or response. The caller of the dump translates them into its document.
    """

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self.places: dict[str, str] = {}

    def report(self, kind: LossKind, path: str, at: str | None, detail: str) -> None:
        """Report one loss."""
        self.losses.append(Loss(path, at, kind, detail))

    def drop(self, path: str, detail: str) -> None:
        """Report that what is at `path` is left out."""
        self.losses.append(Loss(path, None, "dropped", detail))


def summary(losses: Iterable[Loss]) -> str:
    """The losses in one sentence for a warning: the first three, and how many more."""
    reported = tuple(losses)
    shown = "; ".join(str(loss) for loss in reported[:3])
    more = "; …" if len(reported) > 3 else ""
    return f"{len(reported)} loss{'es' if len(reported) > 1 else ''}: {shown}{more}"
