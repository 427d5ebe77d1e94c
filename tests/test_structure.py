"""The shape of the code: how complex functions are, and how long files."""

import ast
import math
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import interlingua

# It has no types.
radon: Any = import_module("radon.complexity")

PACKAGE = Path(interlingua.__file__).parent
FOR_TESTS = "strategies"
"""The folders of what draws data for tests, which is measured nowhere yet."""


def functions(blocks: list[Any]) -> Iterator[tuple[int, str]]:
    for block in blocks:
        yield from functions(getattr(block, "methods", []) + getattr(block, "closures", []))
        if not hasattr(block, "methods"):
            yield block.complexity, block.name


def complexities(folder: str) -> list[tuple[int, str]]:
    files = sorted(file for file in (PACKAGE / folder).rglob("*.py") if FOR_TESTS not in file.parts)
    return sorted(
        {
            (number, f"{file.name}:{name}")
            for file in files
            for number, name in functions(radon.cc_visit(file.read_text("utf-8")))
        }
    )


@pytest.mark.parametrize("folder", ["formats", "codec", "model"])
def test_no_function_is_too_complex(folder: str) -> None:
    found = complexities(folder)
    assert found[-1][0] <= 20, found[-5:]
    assert found[math.ceil(len(found) * 0.95) - 1][0] <= 14


def test_no_file_is_too_long() -> None:
    lengths = {str(file.relative_to(PACKAGE)): len(file.read_text("utf-8").splitlines()) for file in PACKAGE.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > 600} == {}


def test_no_chain_of_identities_is_negated() -> None:
    """Cython 3.3 compiles `not (a is b is c)` as if it were `a is not b is c`, and some wheels are compiled."""
    negated = [
        f"{file.name}:{node.lineno}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        if isinstance(node.operand, ast.Compare) and len(node.operand.ops) > 1
        if isinstance(node.operand.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn)
    ]
    assert negated == []


PROVIDERS = {
    "anthropic": "anthropic|claude",
    "gemini": "gemini|genai",
    "bedrock": "bedrock|converse(?!d|s)",
    "openai": "openai",
}
NAMED: dict[str, set[str]] = {
    "anthropic": {"codec/rules/claude.py", "conversion/detection.py", "history/builder.py"},
    "gemini": set(),
    "bedrock": set(),
    "openai": {"codec/error_words.py", "conversion/detection.py", "history/builder.py"},
}
"""The modules outside `formats` whose code names a provider, besides those that name all of them: the models that Anthropic
and Bedrock share, calls of other libraries in hints, the builder's public methods, OpenAI's words of
errors, which its three APIs share."""
NAMED_BY_ALL = {"__init__.py", "testing/canonical.py", "testing/takes.py"}
"""The public names, and what canonical values of any provider are drawn from."""


def words(tree: ast.AST) -> Iterator[str]:
    """The names and the texts in the code of a module; docstrings and comments are none."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ImportFrom(module=str(name)):
                yield name
            case ast.Constant(value=str(text)) if id(node) not in documentation:
                yield text
            case _:
                pass


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_is_named_in_its_folder_and_nowhere_else(provider: str) -> None:
    pattern = re.compile(PROVIDERS[provider], re.IGNORECASE)
    naming = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*.py")
        if file.relative_to(PACKAGE).parts[0] != "formats"
        if any(map(pattern.search, words(ast.parse(file.read_text("utf-8")))))
    }
    assert naming - NAMED_BY_ALL == NAMED[provider]
