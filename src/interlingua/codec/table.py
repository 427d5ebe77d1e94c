"""The table of formats: a row for each name, and the formats that other packages register.

A row names the module of the format, which is imported when the format is first used. A name without a row is looked up among
the entry points of the group `interlingua.formats`; they are read once in a process, for the first such name. Each entry point
is one format, under its name; its package is imported when the format is used.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ..errors import BrokenFormat
from .format import Format

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "interlingua.formats"
"""The group of entry points in which other packages register their formats."""


class Row(NamedTuple):
    """Where a format is: its module has a table `FORMATS` with the format under its name."""

    family: str
    module: str


class Table(Mapping[str, Format]):
    """Formats by name. Iteration yields only the formats with rows; a lookup also finds those of other packages.

    So does it find `choices`: names that stand for several of the formats.
    """

    def __init__(self, rows: Mapping[str, Row], choices: Mapping[str, Row] = MappingProxyType({})) -> None:
        self._rows = rows
        self._choices = choices
        self._families: dict[str, list[str]] = {}
        """The names of the rows of each family."""
        for name, row in rows.items():
            self._families.setdefault(row.family, []).append(name)
        self._imported: dict[str, Format] = {}

    def __getitem__(self, name: str) -> Format:
        """The format with this name; raises `KeyError`, or `BrokenFormat` if it is another package's and cannot be imported."""
        if (found := self._imported.get(name)) is None:
            found = self._imported[name] = self._find(name)
        return found

    def _find(self, name: str) -> Format:
        if (row := self._rows.get(name) or self._choices.get(name)) is not None:
            found: Format = import_module(row.module).FORMATS[name]
            return found
        if not name or name not in outside():
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def of_family(self, family: str) -> Iterator[Format]:
        """The formats of a family: those with rows, and those of other packages that are in use."""
        for name in self._families.get(family, ()):
            yield self[name]
        for name, format in tuple(self._imported.items()):
            if name not in self._rows and name not in self._choices and format.family == family:
                yield format

    def __repr__(self) -> str:
        return f"<formats {', '.join(self)}>"


NO_FORMATS = Table({})


@cache
def outside() -> Mapping[str, tuple[EntryPoint, ...]]:
    """The entry points for the formats of installed packages, by name; nothing is imported."""
    from importlib.metadata import entry_points  # noqa: PLC0415 -- it costs as much as a format, and few need it

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


@contextmanager
def blamed(name: str) -> Generator[None]:
    """Blame the package that registers this format for anything that fails inside: raises `BrokenFormat`."""
    try:
        yield
    except BrokenFormat:
        raise
    except Exception as error:
        raise BrokenFormat(name, _packages(name), f"{type(error).__name__}: {error}") from error


def _packages(name: str) -> str:
    return ", ".join(sorted(entry.dist.name if entry.dist is not None else entry.module for entry in outside()[name]))


def _load(name: str) -> Format:
    """Import the format that another package registers; raises `BrokenFormat`."""
    entry, *others = outside()[name]
    if others:
        raise BrokenFormat(name, _packages(name), "only one package may register a name")
    with blamed(name):
        found = entry.load()
    if not isinstance(found, Format):
        raise BrokenFormat(name, _packages(name), f"{entry.value} is not a Format")
    if found.name != name:
        raise BrokenFormat(name, _packages(name), f"its Format must have this name, but has {found.name!r}")
    return found
