"""Writes `docs/reference/names.md`: the names of all pages of the reference, with signatures and what each is for.

The site makes the same of docstrings; this page is for readers of the repository. Run `python tools/reference.py` after a
change of the public interface or of a docstring. With `--check` it writes nothing and reports whether the file is stale.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import interlingua as il
from generated import PACKAGE, run
from public import MODULES, described, home_of

PAGES = PACKAGE.parents[1] / "docs" / "reference"
SOURCE = "https://github.com/interlingua/interlingua/blob/main/src/"

HEAD = """\
# All names

<!-- Written by tools/reference.py from the source: do not edit. -->

Every public name, with its signature, its fields and methods, and one sentence on what it is for. Each name links to its
source. The pages of the reference have the whole docstrings, which only the site shows.
"""


def text() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *(line for page in sorted(PAGES.glob("*.md")) for line in section(page))])


def section(page: Path) -> Iterator[str]:
    """The names of a page of the reference."""
    listed = re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
    if listed:
        [title] = re.findall(r"^# (.*)$", page.read_text("utf-8"), re.MULTILINE)[:1]
        yield f"## [{title}]({page.name})"
        yield ""
    for full in listed:
        module, _, name = full.rpartition(".")
        if full in MODULES:  # of which the page has all names
            for each in import_module(full).__all__:
                yield from entry(full, each)
        else:
            yield from entry(module, name)


def entry(module: str, name: str) -> Iterator[str]:
    """A name: its source, its signature, and the first sentence of its docstring."""
    home = import_module(module)
    value = getattr(home, name)
    yield f"### [`{name}`]({SOURCE}{path_of(module_of(name, home))})"
    yield ""
    if (inspect.isfunction(value) or inspect.isclass(value)) and (doc := inspect.getdoc(value)):
        yield " ".join(doc.partition("\n\n")[0].split())
        yield ""
    yield "```text"
    yield from (line.replace(f"{module}.{name}", name, 1) for line in described(f"{module}.{name}", name, value, home))
    yield "```"
    yield ""


def module_of(name: str, home: ModuleType) -> ModuleType:
    """The module that defines a name of a public module."""
    value = getattr(home, name)
    if inspect.isfunction(value) or inspect.isclass(value):
        return import_module(value.__module__)
    return home_of(name) if home is il else home


def path_of(module: ModuleType) -> str:
    """The path of a module's source under `src`."""
    path = module.__name__.replace(".", "/")
    return f"{path}/__init__.py" if hasattr(module, "__path__") else f"{path}.py"


if __name__ == "__main__":
    sys.exit(run(PAGES / "names.md", text, "reference.py"))
