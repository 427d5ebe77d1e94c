"""One document of a file, and the error of a file that cannot be read."""

from __future__ import annotations

from typing import NamedTuple


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
    """A file cannot be read to its end: it is damaged or cut, or has a line that is larger than the memory."""

    def __init__(self, name: str, reason: str = "the file is damaged or truncated") -> None:
        super().__init__(f"cannot read {name}: {reason}")
