"""Writes the pages of HTML of `show` and `diff`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click

from ..display.forms import Forms
from ..display.outline import Outline
from ..display.page import pages
from . import report
from .document import Document
from .output import Part, expect_different

_MOST = 100
"""How many conversations are on a page, unless another number is asked for."""


def expect_another_file(name: str, sources: Sequence[str]) -> None:
    """Raise `UsageError` if a page would overwrite one of the files that it shows."""
    try:
        expect_different([] if name == "-" else [name], sources)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"cannot write {error.filename}: {error.strerror}") from None


def write(name: str, page: str) -> None:
    """Write a page to a file, which is there when it is whole, or to standard output."""
    if name == "-":
        sys.stdout.buffer.write(page.encode())
        return
    part = Part(name)
    part.write([page.removesuffix("\n")])
    part.finish()


class Page:
    """A page under way: it is written when everything that it shows is there. `name` is its file, or `-`.

    Raises `UsageError` if it would overwrite one of the files that are shown.
    """

    def __init__(self, name: str, sources: Sequence[str]) -> None:
        expect_another_file(name, sources)
        self._name = name
        self._title = ", ".join("standard input" if source == "-" else Path(source).name for source in sources[:3])
        if len(sources) > 3:
            self._title += ", …"
        self._shown: list[tuple[str, Outline | Forms]] = []

    def add(self, where: str, whole: Outline | Forms) -> None:
        """Show something, under a title."""
        self._shown.append((where, whole))

    def finish(self, left: Iterator[Document]) -> None:
        """Write the page, if there is anything on it; say it where there are documents `left`."""
        if not self._shown:
            return
        write(self._name, pages(self._shown, self._title))
        if next(left, None) is not None:
            report.say(f"only the first {_MOST} conversations are on the page: --limit N shows more")


def first(documents: Iterator[Document], limit: int | None) -> Iterator[Document]:
    """The documents that a page shows."""
    return documents if limit is not None else islice(documents, _MOST)
