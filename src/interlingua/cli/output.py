"""Writes output to standard output, or to files that keep another name until they are whole, so that a run can be resumed.

A `Part` writes to `FILE.part` and renames it at the end. A `Checkpoint` beside it records how long all files were at a moment
when everything was on the disk; a later run cuts them there and goes on.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Protocol

import zstandard


class _Stream(Protocol):
    def write(self, data: bytes, /) -> object: ...
    def close(self) -> None: ...


def expect_different(outputs: Iterable[str], sources: Iterable[str]) -> None:
    """Raise `ValueError` if an output would go to the same file as another, or over a file that is read."""
    read = {resolved(name) for name in sources if name != "-"}
    written = set[Path]()
    for name in outputs:
        if name == "-":
            raise ValueError("- is not a file: leave out --out for standard output, or write /dev/stdout")
        if _is_direct(name):
            continue
        target = resolved(name)
        paths = {Path(f"{target}{suffix}") for suffix in ("", ".part", ".part.json")}
        if paths & read:
            raise ValueError(f"{name} would overwrite an input file")
        if paths & written:
            raise ValueError(f"two outputs cannot go to one file: {name}")
        written |= paths


def _is_direct(name: str) -> bool:
    return Path(name).exists() and not Path(name).is_file()


def followed(name: str) -> Path:
    """The file that is written: where the name is a link, what it leads to, so that it stays one."""
    return resolved(name) if Path(name).is_symlink() else Path(name)


def resolved(name: str) -> Path:
    """The path without links, of a file that need not be there. Raises `OSError` for links that lead to one another."""
    with suppress(FileNotFoundError):
        Path(name).stat()
    return Path(name).resolve()


class Part:
    """A file under way, `FILE.part`, which becomes FILE when it is finished; compressed if FILE's name says so.

    A pipe or a device is written to directly, and stays what it is.
    """

    def __init__(self, name: str, size: int = 0) -> None:
        self.name = name
        self._direct = _is_direct(name)
        self._target = followed(name)
        self._path = Path(name if self._direct else f"{self._target}.part")
        if size and self._path.stat().st_size < size:
            raise ValueError(f"{self._path} has become shorter since the interrupted run")
        self._file: IO[bytes] = self._path.open("r+b" if size else "wb")
        if not self._direct:
            self._file.truncate(size)
            self._file.seek(size)
        self._stream: _Stream | None = None

    def write(self, lines: Iterable[str]) -> None:
        """Write lines."""
        data = "".join(f"{line}\n" for line in lines).encode()
        if data:
            if self._stream is None:
                self._stream = _compressing(self.name, self._file)
            self._stream.write(data)

    def flush(self) -> int:
        """Put all that was written on the disk; returns the size of the file, at which it can be cut and continued."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        self._file.flush()
        if self._direct:
            return 0
        os.fsync(self._file.fileno())
        return self._file.tell()

    def finish(self) -> None:
        """Give the file its name."""
        self.flush()
        self._file.close()
        if not self._direct:
            self._path.replace(self._target)

    def leave(self) -> None:
        """Leave the file as it is, to be continued."""
        self.flush()
        self._file.close()


class _Uncompressed:
    def __init__(self, file: IO[bytes]) -> None:
        self.write = file.write

    def close(self) -> None:
        """Leave the file open: there is nothing to end."""


def _compressing(name: str, file: IO[bytes]) -> _Stream:
    """What compresses into a file, up to its end, which does not close the file."""
    match Path(name).suffix.lower():
        case ".gz":
            return gzip.GzipFile(fileobj=file, mode="wb", mtime=0)
        case ".zst" | ".zstd":
            return zstandard.ZstdCompressor().stream_writer(file, closefd=False)
        case _:
            return _Uncompressed(file)


class Checkpoint:
    """What is known of an interrupted run: which run it was, how it fared, and how long its files were by then."""

    def __init__(self, name: str, run: dict[str, Any]) -> None:
        self._path = Path(f"{name}.part.json")
        self._run = run

    def read(self) -> dict[str, Any] | None:
        """The state of the interrupted run; None if there is none. Raises `ValueError` for another run's."""
        try:
            saved = json.loads(self._path.read_bytes())
            run = saved["run"]
            state = saved["state"]
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{self._path} is damaged") from None
        if run != self._run:
            raise ValueError("the interrupted run had different files or options: repeat its command with --resume")
        known: dict[str, Any] = state
        return known

    def write(self, state: dict[str, Any]) -> None:
        """Replace the state."""
        beside = self._path.with_suffix(".json.new")
        with beside.open("w", encoding="utf-8") as file:
            json.dump({"run": self._run, "state": state}, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)

    def remove(self) -> None:
        """Forget the run, which has ended."""
        self._path.unlink(missing_ok=True)
