"""The documents in files: JSON or JSON lines, plain or compressed, one after another and never all in memory.

The suffix of a file says whether it has lines; without a suffix that says so, its first line that is not blank does. Compressed
files are unpacked piece by piece, and a hostile one cannot make a piece large.
"""

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
from typing import IO, Any

import zstandard
from pydantic_core import from_json

from .document import Damaged, Document

LINES = frozenset({".jsonl", ".ndjson"})
PARQUET = ".parquet"
_BOM = b"\xef\xbb\xbf"
_MAGIC = 0xFD2FB528
"""What a frame of Zstandard begins with (RFC 8878)."""
_SKIPPED = 0x184D2A50
"""What a frame to be skipped begins with, but for its last four bits."""
_REPEATED = 1
"""The kind of a block that is one byte, repeated."""
_AT_ONCE = 65_536
_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError)
"""The errors that say that a compressed file is damaged."""


TOO_LARGE = "a document does not fit into memory"


class Source:
    """The documents of some files, in order; `position` is how many bytes of `size` have been read."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.size = None if "-" in names else sum([Path(name).stat().st_size for name in names])
        self._read = 0
        self._share = 0.0
        """How much has been read of a file that is not read from its beginning to its end."""
        self._raw: IO[bytes] | None = None

    @property
    def position(self) -> int:
        """How many bytes of the files have been read, compressed as they are."""
        if self._share:
            return self._read + round(self._share * Path(self._name).stat().st_size)
        if self._raw is not None and self._raw.seekable():
            return self._read + self._raw.tell()
        return self._read

    def __iter__(self) -> Iterator[Document]:
        for name in self.names:
            if name == "-":
                yield from _within_memory("<stdin>", documents("<stdin>", sys.stdin.buffer))
                continue
            if Path(name).suffix.lower() == PARQUET:
                yield from _within_memory(name, self._rows(name))
                continue
            with Path(name).open("rb") as raw, closing(decompressed(name, raw)) as file:
                self._raw = raw
                try:
                    yield from _within_memory(name, documents(name, file))
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


def _within_memory(name: str, found: Iterator[Document]) -> Iterator[Document]:
    """The documents of a file. Raises `Damaged` if one is too large to be read."""
    while True:
        try:
            document = next(found, None)
        except MemoryError:
            raise Damaged(name, TOO_LARGE) from None
        if document is None:
            return
        yield document


def parquet() -> Any:
    """The module for Parquet files. Raises `ValueError` if its packages are missing."""
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
        names = [pattern]
        if pattern != "-" and not Path(pattern).exists():
            names = sorted(glob(pattern, recursive=True)) or names  # noqa: PTH207 -- absolute patterns, too
        for name in names:
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
    """What the frames of a Zstandard file hold, unpacked block by block.

    Raises `EOFError` for a cut one, which zstandard's own reader accepts. A block stands for 128 KiB at most, but takes four
    bytes where they are all the same: more than one at a time could need any amount of memory.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._unpacked = self._blocks()
        self._rest = memoryview(b"")
        """What has been unpacked and not yet been read."""

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Unpack a little into the buffer. Returns how many bytes that was, 0 at the end."""
        while not self._rest:
            unpacked = next(self._unpacked, None)
            if unpacked is None:
                return 0
            self._rest = memoryview(unpacked)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def _blocks(self) -> Iterator[bytes]:
        """The content of each block of each frame (RFC 8878, section 3.1)."""
        while start := self._file.read(1):
            start += self._exactly(3)
            magic = int.from_bytes(start, "little")
            if magic & 0xFFFFFFF0 == _SKIPPED:
                self._skip(int.from_bytes(self._exactly(4), "little"))
            elif magic == _MAGIC:
                yield from self._blocks_of_frame(start)
            else:
                raise zstandard.ZstdError

    def _blocks_of_frame(self, start: bytes) -> Iterator[bytes]:
        frame = zstandard.ZstdDecompressor().decompressobj()
        descriptor = self._exactly(1)[0]
        is_single = bool(descriptor & 0b100000)
        size_of_window = 0 if is_single else 1
        size_of_dictionary = (0, 1, 2, 4)[descriptor & 0b11]
        size_of_content = (0, 2, 4, 8)[descriptor >> 6]
        if is_single and size_of_content == 0:
            size_of_content = 1
        rest = self._exactly(size_of_window + size_of_dictionary + size_of_content)
        yield frame.decompress(start + bytes([descriptor]) + rest)
        is_last = False
        while not is_last:
            header = self._exactly(3)
            value = int.from_bytes(header, "little")
            is_last = bool(value & 1)
            kind = value >> 1 & 0b11
            size = 1 if kind == _REPEATED else value >> 3
            yield frame.decompress(header + self._exactly(size))
        if descriptor & 0b100:
            yield frame.decompress(self._exactly(4))  # the checksum

    def _skip(self, size: int) -> None:
        while size:
            size -= len(self._exactly(min(size, _AT_ONCE)))

    def _exactly(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) < size:
            raise EOFError
        return data


def kind(name: str) -> str:
    """The suffix that says what a file holds, that of compression aside."""
    path = Path(name)
    return Path(path.stem).suffix.lower() if path.suffix.lower() in (".gz", ".zst", ".zstd") else path.suffix.lower()


def documents(name: str, file: IO[bytes]) -> Iterator[Document]:
    """The documents of a file: lines if its suffix or its first line says so, else the whole."""
    lines = enumerate(file, 1)
    first = (1, b"")
    for number, line in lines:
        content = line.removeprefix(_BOM)
        if content.strip():
            first = (number, content)
            break
    suffix = kind(name)
    if suffix in LINES or (suffix != ".json" and is_document(first[1])):
        yield from _lines(name, chain([first], lines))
        return
    every_line = [first, *lines]
    whole = b"".join([line for _, line in every_line])
    may_be_lines = suffix != ".json" and len(every_line) > 1 and not is_document(whole)
    if may_be_lines and any(is_document(line) for _, line in every_line):
        yield from _lines(name, iter(every_line))
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
