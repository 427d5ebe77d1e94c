"""What a rule is: a small function that finds what a provider refuses, with its evidence in its docstring."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import getdoc
from typing import Any, NamedTuple, TypeAlias

from ...errors import Problem, Severity
from .view import Found, View

Find: TypeAlias = Callable[[View], Found]


@dataclass(frozen=True)
class Rule:
    """A rule of one format.

    `code` is stable: the function's name with hyphens. `says` is what the provider demands, and `evidence` how that is known:
    the first and the last paragraph of the function's docstring. An `error` has strong evidence: a specification, the SDK's
    documentation, a recorded refusal or a provider's error text that was seen; all else, and what depends on the model, is a
    `warning`.
    """

    find: Find
    severity: Severity
    code: str
    says: str
    evidence: str

    def problems(self, view: View) -> list[Problem]:
        """What this rule finds."""
        return [Problem(self.code, path, message, self.severity, self.evidence) for path, message in self.find(view)]


class RuleSet(NamedTuple):
    """How a format's bodies are looked at, and the rules that they have to keep."""

    view: Callable[[dict[str, Any]], View]
    rules: tuple[Rule, ...]


def errors(*functions: Find) -> tuple[Rule, ...]:
    """Rules whose evidence is strong."""
    return tuple(_rule(function, "error") for function in functions)


def warnings(*functions: Find) -> tuple[Rule, ...]:
    """Rules whose evidence is weak, or which depend on the model."""
    return tuple(_rule(function, "warning") for function in functions)


def _rule(function: Find, severity: Severity) -> Rule:
    paragraphs: Sequence[str] = [" ".join(each.split()) for each in re.split(r"\n\s*\n", getdoc(function) or "")]
    name: str = getattr(function, "__name__", "")
    return Rule(function, severity, name.replace("_", "-"), paragraphs[0], paragraphs[-1].removeprefix("Evidence: "))
