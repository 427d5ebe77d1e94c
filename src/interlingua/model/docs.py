"""Reads the docstrings under the fields of models when a schema is made; pydantic would read them at every import."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

_PACKAGE = __name__.partition(".")[0]


def field_docs(model: type[Any]) -> Mapping[str, str]:
    """The descriptions of a model's fields, those that it inherits from models of this package included."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if base.__module__.partition(".")[0] == _PACKAGE:
            found |= _written(base.__module__).get(base.__name__, {})
    return found


@cache
def _written(module: str) -> Mapping[str, dict[str, str]]:
    try:
        source = inspect.getsource(sys.modules[module])
    except OSError:  # installed without its source: the fields go without
        return {}
    return {node.name: dict(_docs_in(node)) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}


def _docs_in(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of a class that have a docstring under them, and its text on one line."""
    for field, doc in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(doc, ast.Expr):
            text = doc.value.value if isinstance(doc.value, ast.Constant) else None
            if isinstance(text, str):
                yield field.target.id, " ".join(text.split())
