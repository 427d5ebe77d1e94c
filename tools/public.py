"""Writes `tests/house/public.txt`: every public name, with the signatures of functions and methods and the fields of classes.

Run `python tools/public.py` after a change of the public interface; its diff shows what users will notice. With `--check` it
writes nothing, and prints the difference if the file is stale. All is read from the source, not from what Python makes of it,
so that every version of Python gives the same text.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import interlingua as il
from interlingua.model.base import Model

FILE = Path(__file__).parents[1] / "tests" / "house" / "public.txt"
MODULES = ("interlingua", "interlingua.arrow", "interlingua.codec", "interlingua.fastapi", "interlingua.testing")
HEAD = "The public interface, written by `python tools/public.py`: do not edit. docs/versioning.md says what may change.\n"


def text() -> str:
    """The whole file."""
    return "".join([HEAD, *(f"\n{line}\n" if not line.startswith(" ") else f"{line}\n" for line in lines())])


def lines() -> Iterator[str]:
    """The lines of all modules; what all models have in common comes first."""
    yield from described("interlingua.model.base.Model", "Model", Model, import_module(Model.__module__))
    for name in MODULES:
        module = import_module(name)
        for public in sorted(getattr(module, "__all__", None) or own_names(module), key=lambda each: (each.lower(), each)):
            yield from described(f"{name}.{public}", public, getattr(module, public), module)


def own_names(module: ModuleType) -> list[str]:
    """The public names that a module without `__all__` defines."""
    defined = {name for name, nodes in top(module).items() if not isinstance(nodes[0], ast.ImportFrom)}
    return [name for name in defined if not name.startswith("_") and name != "logger"]


def described(full: str, name: str, value: Any, module: ModuleType) -> Iterator[str]:
    """The lines of one name."""
    if get_origin(value) is Literal:
        yield f"{full} = Literal[{', '.join(map(repr, get_args(value)))}]"
        return
    found = definitions(
        name, import_module(value.__module__) if inspect.isfunction(value) or inspect.isclass(value) else module
    )
    if isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (f"{signature(node, full)}" for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    elif isinstance(found[0], ast.ClassDef):
        cls: Any = value
        yield f"class {full}({', '.join(map(ast.unparse, found[0].bases))})"
        yield from sorted(set(members(cls)), key=lambda line: ("def " in line, line))
    else:
        yield " ".join(ast.unparse(found[0]).replace(name, full, 1).split())


def definitions(name: str, module: ModuleType) -> list[ast.stmt]:
    """The definitions of a name in the module, or in the one that it is imported from."""
    if module is il:
        return definitions(name, home_of(name))
    found = [node for node in top(module)[name] if not isinstance(node, ast.ImportFrom)] or top(module)[name]
    if isinstance(found[0], ast.ImportFrom):
        package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
        return definitions(name, import_module("." * found[0].level + (found[0].module or ""), package))
    return found


def home_of(name: str) -> ModuleType:
    """The module that a name of the package comes from."""
    homes: dict[str, str] = vars(il)["_HOMES"]
    home = next((home for home, names in homes.items() if name in names.split()), "model.parts")
    return import_module(f"interlingua.{home}")


@cache
def top(module: ModuleType) -> dict[str, list[ast.stmt]]:
    """What a module defines, by name; a function with overloads has several definitions."""
    found: dict[str, list[ast.stmt]] = {}
    file = Path(str(module.__file__))  # of a compiled module, the source stands beside it
    for node in flat(ast.parse(file.with_name(file.name.partition(".")[0] + ".py").read_text("utf-8")).body):
        for name in names_of(node):
            found.setdefault(name, []).append(node)
    return found


def flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a body, and of those under an `if` or a `try` in it."""
    under = [outer.body + outer.orelse for outer in body if isinstance(outer, ast.If | ast.Try)]
    return body + [inner for inners in under for inner in inners]


def names_of(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
        case ast.ImportFrom(names=names):
            return [each.asname or each.name for each in names]
        case _:
            return []


def members(cls: type[Any]) -> Iterator[str]:
    """The public fields and methods of a class, those that it inherits within this package included; each once."""
    known: set[str] = set()
    for base in cls.__mro__:
        if not base.__module__.startswith("interlingua") or (base is Model and cls is not Model):
            continue
        [node] = [found for found in top(import_module(base.__module__))[base.__name__] if isinstance(found, ast.ClassDef)]
        for each in flat(node.body):
            new = [name for name in names_of(each) if name not in known and (not name.startswith("_") or name == "__init__")]
            if new and not isinstance(each, ast.Assign):
                yield from (f"    {line}" for line in member(each))
        known.update(name for each in flat(node.body) for name in names_of(each))


def member(node: ast.stmt) -> Iterator[str]:
    """A field or a method as a line."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        decorators = {ast.unparse(each).split(".")[-1] for each in node.decorator_list}
        if decorators & {"property", "cached_property"}:
            yield f"{node.name}: {ast.unparse(node.returns) if node.returns else 'Any'}  (property)"
        elif "overload" not in decorators:
            yield signature(node, node.name)
    elif isinstance(node, ast.AnnAssign):
        yield ast.unparse(node)


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> str:
    """A function's name and signature on a line."""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{word} {name}({ast.unparse(node.args)}){returns}"


def main(arguments: list[str]) -> int:
    """Write the file, or compare it."""
    if "--check" not in arguments:
        FILE.write_text(text(), encoding="utf-8")
        return 0
    before, after = (lines.splitlines() for lines in (FILE.read_text(encoding="utf-8"), text()))
    difference = list(difflib.unified_diff(before, after, "tests/house/public.txt", "the source", lineterm="", n=0))
    print(*difference, sep="\n", end="\n" if difference else "")
    return int(bool(difference))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
