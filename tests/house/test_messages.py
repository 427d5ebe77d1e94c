"""What people read says what must be, and names the thing: turns of phrase that do neither are in none of the texts."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import interlingua

PACKAGE = Path(interlingua.__file__).parent

WINGS = {
    "rules": ("codec/rules/*.py", "formats/*/rules/*.py", "formats/*/rules.py"),
    "losses": ("codec/*.py", "formats/*/*.py"),
    "errors": tuple(
        f"{folder}/*.py"
        for folder in ("errors", "model", "conversion", "history", "checking", "checking/templates", "arrow", "display")
    ),
    "repairs": ("checking/repairing/*.py",),
    "command": ("cli/*.py", "fastapi.py"),
}

WORDS = ("detection.py", "error_words.py", "marks.py")
"""The modules that hold lists of words."""

STYLE = {
    r"\bhere\b": "name the provider, the field or the place",
    r"\bat (least|most)[.,;:]?$": "say `at least 16`",
    r"\bof (this|that) (type|kind)\b": "say which",
    r"(^|[:;,] )there (is|are) not?\b|\bno such\b": "say what must be, or who does not have it",
    r"\b(is|are|was) no\b(?! longer)": "say `is not`",
    r"\b(has|have) to\b": "say `must`",
    r"\bare the most\b|\bis the most\b": "say `must have at most`",
    r"\bone another\b": "say `each other`",
    r"\b(1|one) (losses|messages|problems|documents|duplicates|conversations|turns)\b": "say `1 loss`",
    r"\bof the (user|assistant)'?$|\bmessages? of the (user|assistant)\b": "say `a user message`",
}
"""Turns of phrase that texts for people do without, and what to do instead."""


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that are not its documentation, each with its line; `{}` stands for what is put in."""
    tree = ast.parse(file.read_text("utf-8"))
    parts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(value) for value in node.values}
        elif isinstance(node, ast.Expr):
            parts.add(id(node.value))
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(value.value) if isinstance(value, ast.Constant) else "{}" for value in node.values)


def sentences(file: Path) -> Iterator[tuple[int, str]]:
    """Those of several words, which are not names of things."""
    return ((line, text) for line, text in texts(file) if len(text.split()) > 1)


@pytest.mark.parametrize("wing", WINGS)
def test_texts_say_what_must_be(wing: str) -> None:
    files = [file for pattern in WINGS[wing] for file in sorted(PACKAGE.glob(pattern)) if file.name not in WORDS]
    found = {(str(file.relative_to(PACKAGE)), line, text) for file in files for line, text in sentences(file)}
    assert len(found) > 20
    wrong = [
        (*place, text, instead)
        for *place, text in sorted(found)
        for phrase, instead in STYLE.items()
        if re.search(phrase, text)
    ]
    assert wrong == []


@pytest.mark.parametrize("wrong", ["no field has it here", "an answer may have 16 tokens at least", "a part of this type"])
def test_a_wrong_text_is_found(wrong: str) -> None:
    assert any(re.search(phrase, wrong) for phrase in STYLE)
