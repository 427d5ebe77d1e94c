"""What the command prints about its work: lines for faults and losses, a summary, and progress on a terminal."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..formats import FORMATS
from .documents import Source
from .work import Outcome

_GROUPS = 10
"""How many kinds of losses the summary has."""
_KINDS = 1000
"""How many kinds of losses are counted; names of fields may differ from row to row, without an end."""
_OTHERS = "losses of other kinds"
_RULES = "https://interlingua.github.io/interlingua/rules/"
"""The page that has an anchor for each rule of each format."""


@dataclass
class Counts:
    """How the documents fared so far, and the losses by kind and place."""

    done: int = 0
    failed: int = 0
    losses: Counter[str] = field(default_factory=Counter[str])
    placed: Counter[str] = field(default_factory=Counter[str])
    """How many of them went to which output."""

    def add(self, outcome: Outcome) -> None:
        """Count a document."""
        self.done += 1
        self.failed += outcome.failed
        for loss in outcome.losses:
            text = f"{loss.kind} {_anywhere(loss.path)}: {loss.detail}"
            is_counted = text in self.losses or len(self.losses) < _KINDS
            kind = text if is_counted else _OTHERS
            self.losses[kind] += 1

    def to_json(self) -> dict[str, Any]:
        """The counts as JSON."""
        return {"done": self.done, "failed": self.failed, "losses": dict(self.losses), "placed": dict(self.placed)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Counts:
        """The counts from JSON."""
        return cls(data["done"], data["failed"], Counter(data["losses"]), Counter(data["placed"]))

    def record(self, outputs: Mapping[str, str]) -> dict[str, Any]:
        """The summary, for programs."""
        placed = {words: self.placed[name] for name, words in outputs.items()}
        return {**placed, "failed": self.failed, "losses": dict(self.losses.most_common())}

    def summary(self, outputs: Mapping[str, str]) -> Iterator[str]:
        """The summary in lines; `outputs` are the words for what each output has."""
        placed = [_counted(self.placed[name], words) for name, words in outputs.items()]
        yield ", ".join([*placed, f"{self.failed:,} failed"])
        for text, count in self.losses.most_common(_GROUPS):
            yield f"{count:,} × {text}"
        if len(self.losses) > _GROUPS:
            others = len(self.losses) - _GROUPS
            yield f"and {others} other {'kind' if others == 1 else 'kinds'} of losses"


def _counted(count: int, words: str) -> str:
    """How many documents an output has, in words; of one, "duplicates left out" are a duplicate."""
    return f"{count:,} {words.replace('duplicates', 'duplicate') if count == 1 else words}"


def _anywhere(path: str) -> str:
    """A path without its indices."""
    return "/".join("*" if key.isdecimal() else key for key in path.split("/")) or "(the whole)"


# Lines


def fault_lines(outcome: Outcome) -> Iterator[str]:
    """Why a document could not be used."""
    for fault in outcome.faults:
        yield f"{outcome.where}: {fault.path or '(the whole)'}: {fault.reason}"


def loss_lines(outcome: Outcome) -> Iterator[str]:
    """What a document lost."""
    for loss in outcome.losses:
        yield f"{outcome.where}: {loss}"


def fault_records(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """The faults of a document as JSON."""
    for fault in outcome.faults:
        yield {"where": outcome.where, "line": outcome.line, "id": outcome.id, "path": fault.path, "reason": fault.reason}
    if outcome.failed and not outcome.faults and outcome.losses:
        yield {"where": outcome.where, "line": outcome.line, "id": outcome.id, "path": "", "reason": "it would lose something"}


def loss_records(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """The losses of a document as JSON."""
    for loss in outcome.losses:
        yield {"where": outcome.where, "line": outcome.line, "id": outcome.id, **loss._asdict()}


def rule_address(target: str, code: str) -> str | None:
    """The address of a rule in the documentation, which has the formats of this package alone."""
    return f"{_RULES}#{target}-{code}" if target in tuple(FORMATS) else None


def problem_lines(outcome: Outcome, target: str) -> Iterator[str]:
    """What a provider would refuse in a document: the place, an excerpt, how it is known, and where to read about it."""
    for problem, excerpt in outcome.problems:
        yield f"{outcome.where}: {problem}"
        yield f"    {excerpt}"
        yield f"    evidence: {problem.evidence}"
        address = rule_address(target, problem.code)
        if address is not None:
            yield f"    see: {address}"


def problem_records(outcome: Outcome, target: str, *, ascii_only: bool) -> Iterator[str]:
    """The same as JSON, a line each."""
    for problem, excerpt in outcome.problems:
        where = {"where": outcome.where, "line": outcome.line, "id": outcome.id}
        record = {**where, **problem._asdict(), "excerpt": excerpt, "url": rule_address(target, problem.code)}
        yield json.dumps(record, ensure_ascii=ascii_only)


def verdict(outcome: Outcome) -> list[str]:
    """Whether a document is valid, and why not, as a line of JSON."""
    faults = [fault._asdict() for fault in outcome.faults]
    found = {"valid": not outcome.failed, "messages": outcome.count, "errors": faults}
    return [json.dumps({"where": outcome.where, "line": outcome.line, "id": outcome.id, **found})]


def candidates(outcome: Outcome) -> list[str]:
    """What a document may be, or why it cannot be read, as a line of JSON."""
    errors = [fault._asdict() for fault in outcome.faults]
    return [outcome.output or json.dumps({"where": outcome.where, "candidates": [], "errors": errors})]


def one_line(text: str) -> str:
    """The text with line breaks and control characters escaped: paths hold keys of the input."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def say(line: str) -> None:
    """Print a line to standard error."""
    sys.stderr.write(one_line(line) + "\n")
    sys.stderr.flush()  # a program that replaces it may keep it


# Progress


class Progress:
    """How far the work is: shown on a terminal, and nowhere else."""

    def __init__(self, source: Source, counts: Counts) -> None:
        self._source = source
        self._counts = counts
        self._bar: Any = None
        self._task: Any = None

    def step(self) -> None:
        """Show what has been done."""
        if self._bar is not None:
            description = f"{self._counts.done:,} done, {self._counts.failed:,} failed"
            self._bar.update(self._task, completed=self._source.position, description=description)

    @contextmanager
    def shown(self, *, wanted: bool) -> Generator[None]:
        """Show the progress while the work goes on, if it is wanted and there is a terminal."""
        if not (wanted and sys.stderr.isatty()):
            yield
            return
        from rich import progress  # noqa: PLC0415 -- for terminals alone
        from rich.console import Console  # noqa: PLC0415 -- likewise

        columns = [
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(),
        ]
        with progress.Progress(*columns, console=Console(stderr=True), transient=True) as self._bar:
            self._task = self._bar.add_task("", total=self._source.size)
            yield
        self._bar = None
