"""The shape of the code: how complex functions are, and how long files."""

import ast
import math
import re
from collections.abc import Iterator
from functools import cache
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


LONG = {
    "model/base.py": "what all models do, which pydantic wants in one class",
    "model/parts.py": "the parts, with their documentation",
    "display/outline.py": "what is shown of each kind of value",
    "formats/openai_chat/rules/request.py": "the rules about messages, of hosts that differ",
    "formats/openai_responses/items.py": "each kind of item, to and fro",
    "testing/takes.py:takes_of": "a line for each question to a format",
}
"""Files of more than 500 lines, and functions of more than 60, and why; none by more than a fifth."""


def lengths(file: Path) -> Iterator[tuple[str, int, int]]:
    """The file and its functions: their names, their lengths, and the most that is usual."""
    name, source = str(file.relative_to(PACKAGE)), file.read_text("utf-8")
    yield name, len(source.splitlines()), 500
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name}:{node.name}", (node.end_lineno or 0) - node.lineno + 1, 60


def test_no_file_and_no_function_is_too_long() -> None:
    found = {name: (length, usual) for file in PACKAGE.rglob("*.py") for name, length, usual in lengths(file)}
    long = {name: (length, usual) for name, (length, usual) in found.items() if length > usual}
    assert set(long) == set(LONG)
    assert {name: length for name, (length, usual) in long.items() if length > usual * 1.2} == {}


def test_the_top_of_the_package_has_few_entries() -> None:
    """What only type checkers read does not count."""
    entries = {entry.name for entry in PACKAGE.iterdir()} - {"__pycache__", "py.typed", "_signatures.pyi"}
    assert len(entries) <= 15, sorted(entries)


def test_nothing_is_written_that_cython_misreads() -> None:
    """Some wheels are compiled. Both faults are those of Cython 3.3."""
    found = [
        f"{file.name}:{node.lineno}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.expr) and (is_assignment_as_index(node) or is_negated_chain(node))
    ]
    assert found == []


def is_assignment_as_index(node: ast.expr) -> bool:
    """Whether it is `a[b := c]`, which Cython cannot parse."""
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.NamedExpr)


def is_negated_chain(node: ast.expr) -> bool:
    """Whether it is `not (a is b is c)`, which Cython compiles as `a is not b is c`."""
    if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Compare)):
        return False
    first, *more = node.operand.ops
    return bool(more) and isinstance(first, ast.Is | ast.IsNot | ast.In | ast.NotIn)


def members(union: ast.expr) -> Iterator[str]:
    """The types of a union, in their order."""
    if isinstance(union, ast.BinOp) and isinstance(union.op, ast.BitOr):
        yield from members(union.left)
        yield from members(union.right)
    else:
        yield ast.unparse(union)


def test_a_union_has_one_order() -> None:
    """Unions of other orders are equal, and `typing` keeps the first: a schema would depend on what was imported before."""
    orders: dict[object, set[tuple[tuple[str, ...], ...]]] = {}
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Subscript):
                arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                order = tuple(tuple(members(argument)) for argument in arguments)
                orders.setdefault((ast.unparse(node.value), *map(frozenset, order)), set()).add(order)
    assert sum(len(each) > 1 for found in orders.values() for order in found for each in order) > 100
    assert [found for found in orders.values() if len(found) > 1] == []


FOLDERS = sorted(file.parent.name for file in PACKAGE.glob("formats/*/__init__.py"))
"""The folder of each provider."""
SPELT = {
    "anthropic": "anthropic|claude",
    "gemini": "gemini(?!_interactions)|genai",
    "bedrock_converse": "bedrock|converse(?!d|s)",
    "openai_chat": "openai(?!_completions|_responses)",
}
"""How the name of a provider looks in code, if not as that of its folder."""

TABLES = {"formats/__init__.py", "formats/bodies.py"}
"""The table of formats, and what is generated from it."""
PUBLIC = {"__init__.py"}
"""The public names, which may be those of any provider."""
BUILDER = "public methods, which are older than the rule"
NAMED: dict[str, dict[str, str]] = {
    "anthropic": {
        "history/builder.py": BUILDER,
        "codec/rules/claude.py": "the limits of the models that Anthropic and Bedrock share",
    },
    "openai_chat": {
        "history/builder.py": BUILDER,
        "conversion/detection.py": "a function of LangChain that makes such messages",
    },
}
"""The modules outside `formats` whose code names a provider, and why: at most two for each, and as a rule none."""

OPENAI = "OpenAI's APIs are declared relatives: they share rules, batch files, words of errors, and an issuer"
ISSUER = "whose signatures and file ids there are"
DIALECT = "a dialect, which another provider's shape has"
GOOGLE = "Google's two APIs are declared relatives: they share media, labels, schemas, and an issuer"
SHAPE = "a dialect with a folder of its own is a declared relative: it has the maps of that shape"
FAMILIES = "families of models at Bedrock, which are known by the ids of the models"
RELATED: dict[str, dict[str, str]] = {
    "anthropic": {
        "bedrock_converse/base.py": "whose signatures there are, and some of whose blocks Converse has too",
        "bedrock_converse/batches.py": "whose bodies its batch files have",
        "bedrock_converse/citable.py": "some of whose blocks Converse has too",
        "bedrock_converse/rules/request.py": "the rules of its models, Claude's, there",
        "bedrock_converse/rules/settings.py": "likewise",
        "bedrock_converse/rules/tools.py": "likewise",
        "bedrock_converse/schemas.py": "the limits of its models, Claude's, there",
        "bedrock_text/invoke.py": FAMILIES,
        "bedrock_text/rows.py": FAMILIES,
        "openai_chat/native.py": ISSUER,
        "openai_chat/parts.py": ISSUER,
        "openai_chat/profiles.py": ISSUER,
        "openai_chat/reasoning.py": ISSUER,
        "openai_chat/rules/hosts.py": "the limits of its models at other hosts",
        "openai_chat/strategies/__init__.py": ISSUER,
        "openai_chat/strategies/responses.py": ISSUER,
        "openai_completions/marks.py": "a field of its own former API, which is none of these",
    },
    "gemini": {
        "gemini_interactions/__init__.py": GOOGLE,
        "gemini_interactions/base.py": GOOGLE,
        "gemini_interactions/hosted.py": GOOGLE,
        "gemini_interactions/maps.py": GOOGLE,
        "gemini_interactions/marks.py": "what people call the API",
        "gemini_interactions/native.py": GOOGLE,
        "gemini_interactions/parts.py": GOOGLE,
        "gemini_interactions/strategies/__init__.py": ISSUER,
        "openai_chat/__init__.py": DIALECT,
        "openai_chat/beside.py": ISSUER,
        "openai_chat/profiles.py": DIALECT,
        "openai_chat/reasoning.py": ISSUER,
        "openai_chat/rules/hosts.py": DIALECT,
        "openai_chat/rules/request.py": DIALECT,
        "openai_chat/rules/tools.py": DIALECT,
        "openai_chat/schemas.py": DIALECT,
        "openai_chat/strategies/responses.py": ISSUER,
        "openai_chat/strategies/signatures.py": ISSUER,
    },
    "bedrock_converse": {
        "anthropic/__init__.py": DIALECT,
        "anthropic/base.py": "some of whose blocks Anthropic has too",
        "anthropic/citable.py": "likewise",
        "anthropic/marks.py": DIALECT,
        "anthropic/rules/hosts.py": DIALECT,
        "anthropic/rules/request.py": DIALECT,
        "bedrock_text/__init__.py": "the same service, in another of its APIs",
        "bedrock_text/invoke.py": "likewise",
        "bedrock_text/marks.py": "likewise",
        "bedrock_text/rows.py": "likewise",
        "openai_chat/profiles.py": ISSUER,
        "openai_chat/reasoning.py": ISSUER,
    },
    "openai_chat": {
        "bedrock_text/invoke.py": "whose models it names in an error",
        "harmony/__init__.py": "the words of errors, which text completions share",
        "harmony/marks.py": "what people call the format: OpenAI's library for it",
        "harmony/prologue.py": "what the system message says the model is",
        "harmony/responses.py": "the counts of a usage, which text completions share",
        "hf_chat_template/__init__.py": SHAPE,
        "hf_chat_template/maps.py": SHAPE,
        "hf_chat_template/marks.py": SHAPE,
        "hf_chat_template/rules.py": SHAPE,
        "hf_chat_template/wire.py": SHAPE,
        "mistral/__init__.py": SHAPE,
        "mistral/batches.py": SHAPE,
        "mistral/marks.py": SHAPE,
        "mistral/rules.py": SHAPE,
        "mistral/strategies.py": SHAPE,
        "openai_completions/__init__.py": OPENAI,
        "openai_completions/answers.py": OPENAI,
        "openai_completions/rules.py": OPENAI,
        "openai_completions/stream.py": OPENAI,
        "openai_responses/__init__.py": OPENAI,
        "openai_responses/base.py": OPENAI,
        "openai_responses/maps.py": OPENAI,
        "openai_responses/marks.py": OPENAI,
        "openai_responses/parts.py": OPENAI,
        "openai_responses/rules/items.py": OPENAI,
        "openai_responses/rules/request.py": OPENAI,
        "openai_responses/rules/settings.py": OPENAI,
        "openai_responses/strategies/__init__.py": OPENAI,
    },
    "cohere": {"bedrock_text/rows.py": FAMILIES},
    "mistral": {"bedrock_text/rows.py": FAMILIES, "bedrock_text/strategies.py": FAMILIES},
    "openai_completions": {
        "harmony/__init__.py": SHAPE,
        "harmony/maps.py": SHAPE,
        "harmony/responses.py": SHAPE,
        "harmony/stream.py": SHAPE,
        "harmony/writing.py": SHAPE,
        "openai_chat/batches.py": OPENAI,
    },
    "openai_responses": {"openai_chat/batches.py": OPENAI},
}
"""The modules of other formats whose code names a provider, and why; as a rule none."""


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


@cache
def words_of_modules() -> dict[str, str]:
    """The words in the code of each module, a line each, by its path."""
    files = {str(file.relative_to(PACKAGE)): file for file in PACKAGE.rglob("*.py")}
    return {name: "\n".join(words(ast.parse(file.read_text("utf-8")))) for name, file in files.items()}


def naming(provider: str) -> set[str]:
    """The modules whose code names a provider, outside its folder; `TABLES` name them all."""
    pattern = re.compile(SPELT.get(provider, provider), re.IGNORECASE)
    return {
        name
        for name, said in words_of_modules().items()
        if name not in TABLES and not name.startswith(f"formats/{provider}/") and pattern.search(said)
    }


def test_every_provider_is_looked_for() -> None:
    assert {*SPELT, *NAMED, *RELATED} <= set(FOLDERS)


@pytest.mark.parametrize("provider", FOLDERS)
def test_a_provider_is_named_in_its_folder_and_nowhere_else(provider: str) -> None:
    outside = {name for name in naming(provider) if not name.startswith("formats/")} - PUBLIC
    assert outside == set(NAMED.get(provider, ()))
    assert len(outside) <= 2


@pytest.mark.parametrize("provider", [folder for folder in FOLDERS if not folder.startswith("openai")])
def test_documentation_outside_of_formats_names_a_provider_in_three_modules_at_most(provider: str) -> None:
    """OpenAI is named more often: its words are those of the canonical fields."""
    pattern = re.compile(SPELT.get(provider, provider), re.IGNORECASE)
    outside = [file for file in PACKAGE.rglob("*.py") if not file.is_relative_to(PACKAGE / "formats")]
    named = {str(file.relative_to(PACKAGE)) for file in outside if pattern.search(file.read_text("utf-8"))}
    assert len(named) <= 3, named


@pytest.mark.parametrize("provider", FOLDERS)
def test_formats_name_one_another_only_as_dialects_and_issuers(provider: str) -> None:
    inside = {name.removeprefix("formats/") for name in naming(provider) if name.startswith("formats/")}
    assert inside == set(RELATED.get(provider, ()))
