"""Writes `docs/rules.md`: what `check` knows that each provider refuses, with the evidence.

Run `python tools/rules.py` after a change of a rule. With `--check` it writes nothing and reports whether the file is stale.
"""

import sys
from collections.abc import Iterator
from inspect import getdoc

import interlingua as il
from generated import run
from interlingua.checking.repairing import TREATED
from interlingua.codec.rules.rule import Rule
from tables import DOCS, row

RULES = {name: format.rules(format) for name, format in il.FORMATS.items() if format.rules is not None}

HEAD = """\
# Rules

What `check` knows that each provider refuses. Written by `tools/rules.py` from the rules' docstrings: do not edit.

An *error* has strong evidence: a specification, the SDK's documentation, a recorded refusal, or the provider's own error text
that people met. A *warning* has weaker evidence, or depends on the model, whose name is not looked at. Codes are stable. The
code `shape` is an error of every format: the body is not of the types that the provider's specification gives it.

The last column says what `repair` does about it: nothing, where it would have to invent something.
"""


def text() -> str:
    """The text of `docs/rules.md`."""
    return "\n".join([HEAD, *(line for module in modules() for line in section(module))])


def modules() -> dict[str, list[str]]:
    """The formats of each module of rules, by the module's name."""
    found: dict[str, list[str]] = {}
    for name, known in RULES.items():
        found.setdefault(known.view.__module__, []).append(name)
    return found


def section(module: str) -> Iterator[str]:
    """The rules of the formats of a module; where they differ, the formats that have one."""
    names = modules()[module]
    having: dict[Rule, list[str]] = {}
    for name in names:
        for rule in RULES[name].rules:
            having.setdefault(rule, []).append(name)
    yield f"## {', '.join(f'`{name}`' for name in names)}"
    yield ""
    yield row("code", "severity", "what is demanded", "evidence", "repair")
    yield row("---", "---", "---", "---", "---")
    for rule, formats in having.items():
        only = "" if formats == names else f" (only {', '.join(f'`{name}`' for name in formats)})"
        yield row(f"`{rule.code}`{only}", rule.severity, rule.says, rule.evidence, repair(rule))
    yield ""


def repair(rule: Rule) -> str:
    """What `repair` does about what a rule finds."""
    treat = None if rule.fault is None else TREATED[rule.fault]
    return "" if treat is None else (getdoc(getattr(treat, "func", treat)) or "").splitlines()[0]


if __name__ == "__main__":
    sys.exit(run(DOCS / "rules.md", text, "rules.py"))
