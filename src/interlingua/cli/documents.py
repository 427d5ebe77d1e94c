"""The documents in files: JSON or JSON lines, plain or compressed, one after another and never all in memory."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from glob import glob
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

import zstandard
from pydantic_core import from_json

LINES = frozenset({".jsonl", ".ndjson"})
PARQUET = ".parquet"
_BOM = b"\xef\xbb\xbf"
_PACKED = 4096
"""How many compressed bytes are unpacked at a time: they may stand for a thousand times as many."""
_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError)
"""The errors that say that a compressed file is damaged."""


class Document(NamedTuple):
    """One JSON text, and its place: the name of the file, and the number of the line in a file of lines."""

    file: str
    line: int | None
    text: bytes

    @property
    def where(self) -> str:
        """The place, for people."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Damaged(Exception):
    """A compressed file is damaged, or is cut."""


class Source:
    """The documents of some files, in order; `position` is how many bytes of `size` have been read."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.size = sum(0 if name == "-" else Path(name).stat().st_size for name in names) if "-" not in names else None
        self._read = 0
        self._share = 0.0
        """How much has been read of a file that is not read from its beginning to its end."""
        self._raw: IO[bytes] | None = None

    @property
    def position(self) -> int:
        """How many bytes of the files have been read, compressed as they are."""
        if self._share:
            return self._read + round(self._share * Path(self._name).stat().st_size)
        return self._read + (self._raw.tell() if self._raw is not None and self._raw.seekable() else 0)

    def __iter__(self) -> Iterator[Document]:
        for name in self.names:
            if name == "-":
                yield from documents("<stdin>", sys.stdin.buffer)
                continue
            if Path(name).suffix.lower() == PARQUET:
                yield from self._rows(name)
                continue
            with Path(name).open("rb") as raw, closing(decompressed(name, raw)) as file:
                self._raw = raw
                try:
                    yield from documents(name, file)
                except _DAMAGE:
                    raise Damaged(name) from None
                self._raw = None
            self._read += Path(name).stat().st_size

    def _rows(self, name: str) -> Iterator[Document]:
        read_rows = parquet().read_rows
        self._name = name

        def moved(share: float) -> None:
            self._share = share

        with Path(name).open("rb") as file:
            yield from read_rows(name, file, moved)
        self._share = 0
        self._read += Path(name).stat().st_size


def parquet() -> Any:
    """The module for Parquet files. Raises `ValueError` where its packages are missing."""
    try:
        return import_module("interlingua.cli.parquet")
    except ImportError as error:
        if error.name is None or not error.name.startswith("pyarrow"):
            raise
        raise ValueError("Parquet files need more packages: pip install 'interlingua[arrow]'") from None


def files(patterns: Sequence[str]) -> list[str]:
    """The files that names and patterns stand for, in order. Raises `OSError` for one that cannot be read."""
    found: list[str] = []
    for pattern in patterns:
        matching = [pattern] if pattern == "-" or Path(pattern).exists() else sorted(glob(pattern, recursive=True))  # noqa: PTH207 -- absolute patterns, too
        for name in matching or [pattern]:
            if name != "-" and not Path(name).is_fifo():  # whose writer would be gone once it is closed
                with Path(name).open("rb"):
                    pass
            found.append(name)
    return found


def decompressed(name: str, file: IO[bytes]) -> IO[bytes]:
    """What a file holds, unpacked if its name says that it is compressed."""
    match Path(name).suffix.lower():
        case ".gz":
            return io.BufferedReader(gzip.GzipFile(fileobj=file))
        case ".zst" | ".zstd":
            return io.BufferedReader(_Frames(file))
        case _:
            return file


class _Frames(io.RawIOBase):
    """What the frames of a Zstandard file hold. Raises `EOFError` for a cut one, which zstandard's own reader accepts."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._frame: Any = None
        self._packed = b""
        self._held = memoryview(b"")

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Unpack a little into the buffer. Returns how many bytes that was, 0 at the end."""
        while not self._held:
            packed = self._packed or self._file.read(_PACKED)
            if not packed and self._frame is not None:
                raise EOFError
            if not packed:
                return 0
            frame = self._frame or zstandard.ZstdDecompressor().decompressobj()
            self._held = memoryview(frame.decompress(packed))
            self._packed, self._frame = frame.unused_data, None if frame.eof else frame
        count = min(len(buffer), len(self._held))
        buffer[:count], self._held = self._held[:count], self._held[count:]
        return count


def kind(name: str) -> str:
    """The suffix that says what a file holds, that of compression aside."""
    path = Path(name)
    return Path(path.stem).suffix.lower() if path.suffix.lower() in (".gz", ".zst", ".zstd") else path.suffix.lower()


def documents(name: str, file: IO[bytes]) -> Iterator[Document]:
    """The documents of a file: lines if its suffix or its first line says so, else the whole."""
    lines = enumerate(file, 1)
    first = next(((number, line) for number, line in lines if line.removeprefix(_BOM).strip()), (1, b""))
    first = (first[0], first[1].removeprefix(_BOM))
    suffix = kind(name)
    if suffix in LINES or (suffix != ".json" and is_document(first[1])):
        yield from _lines(name, chain([first], lines))
        return
    held = [first, *lines]
    whole = b"".join(line for _, line in held)
    if suffix != ".json" and len(held) > 1 and not is_document(whole) and any(is_document(line) for _, line in held):
        yield from _lines(name, iter(held))
    else:
        yield Document(name, None, whole)


def _lines(name: str, lines: Iterator[tuple[int, bytes]]) -> Iterator[Document]:
    for number, line in lines:
        if line.strip():
            yield Document(name, number, line)


def is_document(text: bytes) -> bool:
    """Whether a text is JSON of an object or a list."""
    try:
        return isinstance(from_json(text), dict | list)
    except ValueError:
        return False
