"""Runs a task over all documents, in this process or in several; outcomes are written in order, as they arrive.

`_outcomes` performs the task, in worker processes by the batch; `_Sink` writes what they return, counts it, and keeps a
checkpoint from which a later run goes on. An interrupt is held back while a line is written or a process started.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import Any, Self

from ..errors import Fault
from . import report
from .document import Damaged, Document
from .documents import PARQUET, TOO_LARGE, Source, parquet
from .output import Checkpoint, Part, expect_different
from .report import Counts, Progress
from .work import Options, Outcome, Task, converted_columns, perform

_DOCUMENTS = 200
_BYTES = 1_000_000
"""How many documents, and about how many bytes of them, another process gets at a time."""
_WAITING = 3
"""How many such batches there are for each process."""
_PATIENCE = 0.2
"""Seconds to wait for a batch until interrupts are let through, and the processes are looked at."""
_EVERY = 2.0
"""Seconds between two checkpoints."""
_NOTES = 20
"""How many different notes are printed, each once."""
_MIXED = "convert them separately, or pass --say-source"
"""What to do with documents of several shapes."""


@dataclass(frozen=True)
class Setting:
    """How a task is run."""

    done: str
    """The word of the summary for the documents that it was done with."""
    out: str | None = None
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """Other outputs, by name."""
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    """The words of the summary for documents that go elsewhere than to `out`, by the names of the outputs.

    The outputs need not be written.
    """
    place: Callable[[Outcome], str] = lambda _outcome: "out"
    """The name of the output that a document goes to, `out` or another; called for each that has not failed, in order."""
    resumable: bool = True
    errors: str | None = None
    losses: str | None = None
    jobs: int = 1
    quiet: bool = False
    resume: bool = False
    lines: Callable[[Outcome], Iterable[str]] = lambda outcome: [] if outcome.output is None else [outcome.output]
    """What goes to the output."""
    as_json: bool = False
    """Whether what goes to standard error is JSON, a line each."""
    one_shape: bool = False
    """Whether all that is written must have the shape of the first."""


class Interrupted(KeyboardInterrupt):
    """The user has had enough."""


class _Interrupts:
    """Interrupts where nothing is half done: no line half written, no process half started, no module half imported.

    Only the first one counts. They are held back until they are released for the first time.
    """

    def __init__(self) -> None:
        self._busy = True
        self._asked = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # After an interrupt the process ends, and nothing is to interrupt that: Python's own end restores other handlers.
        signal.signal(signal.SIGINT, signal.SIG_IGN if self._asked else self._before)

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        if self._asked:
            return
        self._asked = True
        if not self._busy:
            raise Interrupted

    @contextmanager
    def postponed(self) -> Generator[None]:
        """Hold interrupts back meanwhile, and for good from the processes that are started."""
        self._busy = True
        with _blocked():
            yield
        self.release()

    def release(self) -> None:
        """Let interrupts come, also one that was held back."""
        self._busy = False
        if self._asked:
            raise Interrupted


@contextmanager
def _blocked() -> Generator[None]:
    """Block SIGINT, where that is possible: a process inherits it, and has it blocked before its first line runs."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run(task: Task, source: Source, options: Options, setting: Setting) -> int:
    """Do a task with all documents of a source. Returns the exit status."""
    with _Interrupts() as interrupts:
        sink = _Sink(source, setting, options, task)
        counts = sink.counts
        progress = Progress(source, counts)
        try:
            interrupts.release()
            documents = islice(source, counts.done, None)
            made = _outcomes(task, documents, options, setting.jobs, interrupts)
            with progress.shown(wanted=not setting.quiet), closing(made):
                for outcomes in made:
                    with interrupts.postponed():
                        sink.take(outcomes)
                        progress.step()
        except Interrupted:
            report.say(f"interlingua: interrupted after {counts.done:,} documents{sink.keep()}")
            return 130
        except Damaged as error:
            report.say(f"interlingua: {error}")
            sink.keep()
            return 1
        except MemoryError:
            report.say(f"interlingua: {TOO_LARGE}, after {counts.done:,} others{sink.keep()}")
            return 1
        except ValueError:
            sink.keep()
            raise
        except BrokenProcessPool:
            report.say(f"interlingua: a process ended unexpectedly after {counts.done:,} documents{sink.keep()}")
            return 1
    try:
        sink.end()
    except ValueError:
        sink.keep()
        raise
    return int(counts.failed > 0)


def _outcomes(
    task: Task, documents: Iterator[Document], options: Options, jobs: int, interrupts: _Interrupts
) -> Generator[list[Outcome]]:
    if jobs == 1:
        for document in documents:
            with interrupts.postponed():
                outcome = perform(task, document, options)
            yield [outcome]
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
        waiting: deque[Future[list[Outcome]]] = deque()
        workers = set[Any]()
        try:
            for batch in _batches(documents):
                with interrupts.postponed():
                    waiting.append(pool.submit(_perform_all, task, batch, options))
                    workers.update(multiprocessing.active_children())
                if len(waiting) > jobs * _WAITING:
                    yield _result(waiting.popleft(), pool, workers, interrupts)
            while waiting:
                yield _result(waiting.popleft(), pool, workers, interrupts)
        finally:
            with interrupts.postponed():
                for future in waiting:
                    future.cancel()


def _result(future: Future[list[Outcome]], pool: Any, workers: Iterable[Any], interrupts: _Interrupts) -> list[Outcome]:
    """What came of a batch. Raises `BrokenProcessPool` if a process has died.

    Interrupts are held back meanwhile: one that came just when the lock of the future is taken would leave it locked, and the
    pool would wait for it for ever.

    A pool also waits for ever for the rest of an answer that a process was sending when it died (CPython 3.11), until every end
    of the pipe is closed: those of the other processes, and its own.
    """
    while True:
        with interrupts.postponed():
            if wait([future], _PATIENCE).done:
                return future.result()
            if not all(worker.is_alive() for worker in workers):
                for worker in workers:
                    worker.kill()
                pool._result_queue._writer.close()  # noqa: SLF001 -- only this ends the wait for killed workers


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _perform_all(task: Task, batch: list[Document], options: Options) -> list[Outcome]:
    return [perform(task, document, options) for document in batch]


def _batches(documents: Iterator[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document.text)
        if len(batch) == _DOCUMENTS or size >= _BYTES:
            yield batch
            batch = []
            size = 0
    if batch:
        yield batch


class _Sink:
    """Where outcomes go, and how far they have gone."""

    def __init__(self, source: Source, setting: Setting, options: Options, task: Task) -> None:
        self._setting = setting
        self._names = {"out": setting.out, "errors": setting.errors, "losses": setting.losses, **setting.more}
        expect_different((name for name in self._names.values() if name is not None), source.names)
        self._checkpoint: Checkpoint | None = None
        if setting.out is not None and setting.resumable and not _is_parquet(setting.out):
            self._checkpoint = Checkpoint(setting.out, _identity(source, options, task, self._names))
        state: dict[str, Any] | None = None
        if self._checkpoint is not None and setting.resume:
            state = self._checkpoint.read()
        self.counts = Counts()
        self._shape: str | None = None
        sizes: dict[str, int] = {}
        if state is not None:
            self.counts = Counts.from_json(state["counts"])
            self._shape = state.get("shape")
            sizes = state["sizes"]
        self._parts: dict[str, Any] = {}
        for key, name in self._names.items():
            if name is not None:
                is_table = _is_parquet(name)
                part = _table(key, name, source, options, setting) if is_table else Part(name, sizes.get(key, 0))
                self._parts[key] = part
        self._last = monotonic()
        self._lined = self.counts.done > 0
        self._noted: set[str] = set()

    def take(self, outcomes: list[Outcome]) -> None:
        """Write what came of some documents."""
        for outcome in map(self._shaped, outcomes):
            self.counts.add(outcome)
            self._lined = self._lined or outcome.line is not None
            name = "out"
            if not outcome.failed:
                name = self._setting.place(outcome)
                self.counts.placed[name] += 1
            self._write(name, self._setting.lines(outcome))
            self._report(outcome)
        if "out" not in self._parts:
            sys.stdout.flush()
        if self._checkpoint is not None and monotonic() - self._last >= _EVERY:
            self._save(self._checkpoint)

    def _shaped(self, outcome: Outcome) -> Outcome:
        """An outcome that has the shape of the first one, or else one that failed."""
        if not self._setting.one_shape or outcome.failed:
            return outcome
        self._shape = self._shape or outcome.shape
        if outcome.shape == self._shape:
            return outcome
        reason = f"the first document became {self._shape}, and this document would become {outcome.shape}: {_MIXED}"
        return Outcome(outcome.where, outcome.line, outcome.id, faults=[Fault("", reason)], failed=True)

    def _write(self, key: str, lines: Iterable[str]) -> None:
        if key in self._parts:
            self._parts[key].write(lines)
        elif key == "out":
            sys.stdout.writelines(f"{line}\n" for line in lines)

    def _report(self, outcome: Outcome) -> None:
        if "errors" in self._parts:
            self._parts["errors"].write(json.dumps(record) for record in report.fault_records(outcome))
        if "losses" in self._parts:
            self._parts["losses"].write(json.dumps(record) for record in report.loss_records(outcome))
        if self._setting.quiet:
            return
        for note in outcome.notes:
            if note not in self._noted and len(self._noted) < _NOTES:
                self._noted.add(note)
                self._tell([f"{outcome.where}: {note}"], [{"where": outcome.where, "note": note}])
        if "errors" not in self._parts:
            self._tell(report.fault_lines(outcome), report.fault_records(outcome))
        if "losses" not in self._parts and (outcome.line is None or outcome.failed):
            self._tell(report.loss_lines(outcome), report.loss_records(outcome))

    def _tell(self, lines: Iterable[str], records: Iterable[dict[str, Any]]) -> None:
        """Say something to people, or to programs."""
        _say(map(json.dumps, records) if self._setting.as_json else lines)

    def _save(self, checkpoint: Checkpoint) -> None:
        sizes = {key: part.flush() for key, part in self._parts.items()}
        checkpoint.write({"counts": self.counts.to_json(), "sizes": sizes, "shape": self._shape})
        self._last = monotonic()

    def keep(self) -> str:
        """Keep what there is for another run; returns how to go on with it, as the end of a message."""
        if self._checkpoint is not None:
            self._save(self._checkpoint)
        for part in self._parts.values():
            part.leave()
        return "" if self._checkpoint is None else "; the same command with --resume continues"

    def end(self) -> None:
        """Finish the files, and print the summary; files of one document have none, unless it has something to add."""
        for part in self._parts.values():
            part.finish()
        if self._checkpoint is not None:
            self._checkpoint.remove()
        setting = self._setting
        has_summary = self._lined or not self.counts.done or setting.others or setting.as_json
        if has_summary and not setting.quiet:
            outputs = dict(setting.others)
            if setting.done:
                outputs = {"out": setting.done, **outputs}
            self._tell(self.counts.summary(outputs), [self.counts.record(outputs)])


def _is_parquet(name: str) -> bool:
    return Path(name).suffix.lower() == PARQUET


def _table(key: str, name: str, source: Source, options: Options, setting: Setting) -> Any:
    """A Parquet file under way. What goes to it has the columns of the input; of the losses and errors, those of their own."""
    module = parquet()
    if key not in ("out", *setting.more):
        return module.ParquetPart(name, None, frozenset())
    converted, more = converted_columns(options)
    return module.ParquetPart(name, module.schema_of(source.names), converted, more)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        report.say(line)


def _identity(source: Source, options: Options, task: Task, names: dict[str, str | None]) -> dict[str, Any]:
    """What makes a run the same as another."""
    return {
        "files": [[name, *_state(name)] for name in source.names],
        "options": repr(options),
        "task": getattr(task, "__name__", ""),
        "names": names,
    }


def _state(name: str) -> tuple[int, ...]:
    """What changes with a file's content: its size and time. Nothing is known of pipes."""
    if name == "-" or not Path(name).is_file():
        return ()
    status = Path(name).stat()
    return status.st_size, status.st_mtime_ns
