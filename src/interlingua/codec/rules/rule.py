"""A rule is a small function that finds what a provider refuses; its docstring has the evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import getdoc
from typing import Any, Literal, TypeAlias, TypeVar

from ...errors import Problem, Severity
from .view import Found, OutputSchema, SchemaView, ToolDefinition, View

Find: TypeAlias = Callable[[View], Found]
FindT = TypeVar("FindT", bound=Callable[..., Found])

FaultKind: TypeAlias = Literal[
    "written-otherwise",
    "id-missing",
    "out-of-place",
    "call-without-result",
    "result-without-call",
    "result-repeated",
    "results-differ",
    "arguments-refused",
    "id-refused",
    "id-repeated",
    "tool-name-refused",
    "tool-repeated",
    "participant-refused",
    "participant-unknown",
    "filename-refused",
    "filename-missing",
    "media-type-unsaid",
    "schema-name-refused",
    "schema-open",
    "role-word",
    "list-empty",
    "reasoning-refused",
    "reasoning-alone",
    "signature-missing",
    "item-repeated",
    "reasoning-not-first",
    "mark-refused",
    "text-blank",
    "text-ends-blank",
    "content-null",
    "content-missing",
    "says-nothing",
    "begins-without-user",
    "turns-not-alternating",
]
"""The kinds of faults that `repair` mends, for all providers."""
FindInSchemas: TypeAlias = Callable[[SchemaView], Found]
FindInSchemasT = TypeVar("FindInSchemasT", bound=FindInSchemas)

_ABOUT_SCHEMAS: dict[Find, FindInSchemas] = {}


def about_schemas(function: FindInSchemasT) -> FindInSchemasT:
    """Mark a rule as one that reads only schemas: a conversion reports what it finds, unless the source refuses it, too."""
    _ABOUT_SCHEMAS[function] = function
    return function


@dataclass(frozen=True)
class Rule:
    """A rule of one format.

    `code` is stable: the function's name with hyphens. `says` is what the provider demands, and `evidence` how that is known:
    the first and the last paragraph of the function's docstring. An `error` has strong evidence: a specification, the SDK's
    documentation, a recorded refusal or an error text of the provider that was seen. Everything else, and what depends on the
    model, is a `warning`. `in_schemas` finds the faults in a body's schemas, if the rule reads only schemas.
    """

    find: Find
    severity: Severity
    code: str
    says: str
    evidence: str
    fault: FaultKind | None = None
    """The kind of the faults that it finds, if `repair` mends them."""
    in_schemas: FindInSchemas | None = None
    of_shape: bool = False
    """Whether the wire types may find the same error; then the rule reports it instead, in words that explain more."""

    def problems(self, view: View) -> list[Problem]:
        """The problems that this rule finds."""
        return [Problem(self.code, path, message, self.severity, self.evidence) for path, message in self.find(view)]


@dataclass(frozen=True)
class RuleSet:
    """Makes the view of a format's bodies, and has the rules for them.

    `tools` and `outputs` list only the tools in a request's settings, and only the schemas of structured answers.
    """

    view: Callable[[dict[str, Any]], View]
    rules: tuple[Rule, ...]
    tools: Callable[[dict[str, Any]], list[ToolDefinition]]
    outputs: Callable[[dict[str, Any]], list[OutputSchema]]

    @cached_property
    def about_schemas(self) -> list[tuple[Rule, FindInSchemas]]:
        """The rules that read only schemas, each with the function that finds its faults in them."""
        return [(rule, rule.in_schemas) for rule in self.rules if rule.in_schemas is not None]


def errors(*functions: Find) -> tuple[Rule, ...]:
    """Rules with strong evidence."""
    return tuple(_rule(function, "error") for function in functions)


def warnings(*functions: Find) -> tuple[Rule, ...]:
    """Rules with weak evidence, and rules that depend on the model."""
    return tuple(_rule(function, "warning") for function in functions)


def fault(kind: FaultKind) -> Callable[[FindT], FindT]:
    """Mark a rule with the kind of its faults, so that `repair` mends them."""

    def marked(find: FindT) -> FindT:
        vars(find)["fault"] = kind
        return find

    return marked


def of_shape(find: FindT) -> FindT:
    """Mark a rule whose faults the wire types may find at the same place: then only the rule reports them."""
    vars(find)["of_shape"] = True
    return find


def _rule(function: Find, severity: Severity) -> Rule:
    paragraphs: Sequence[str] = [" ".join(each.split()) for each in re.split(r"\n\s*\n", getdoc(function) or "")]
    name: str = getattr(function, "__name__", "")
    evidence = paragraphs[-1].removeprefix("Evidence: ")
    code = name.replace("_", "-")
    kind = vars(function).get("fault")
    has_shape = severity == "error" and "of_shape" in vars(function)
    return Rule(function, severity, code, paragraphs[0], evidence, kind, _ABOUT_SCHEMAS.get(function), has_shape)
