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

<!-- Written by tools/rules.py from the rules' docstrings: do not edit. -->

What `check` knows that each provider refuses.

An *error* has strong evidence: a specification, the SDK's documentation, a recorded refusal, or the provider's own error text
that people met. A *warning* has weaker evidence, or depends on the model, whose name is not looked at. Codes are stable.

Where `repair` can remove the fault without inventing anything, the second column says how.
"""

SHAPE = "The body has the types that the provider's specification gives it."
"""What the one code demands that belongs to no rule."""


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
    yield f"## {listed(names)}"
    yield ""
    yield row("rule", "what the provider requires", "evidence")
    yield row("---", "---", "---")
    yield row(f"{anchored('shape', names)}, error", SHAPE, "the specification")
    for rule, formats in having.items():
        only = "" if formats == names else f"; {which(formats, names)}"
        treated = repair(rule)
        repaired = f" *Repair:* {treated}" if treated else ""
        yield row(f"{anchored(rule.code, formats)}, {rule.severity}{only}", f"{rule.says}{repaired}", rule.evidence)
    yield ""


def anchored(code: str, formats: list[str]) -> str:
    """A code, with an anchor for each of the formats: `interlingua check` prints it."""
    return "".join(f'<a id="{name}-{code}"></a>' for name in formats) + f"`{code}`"


def which(formats: list[str], names: list[str]) -> str:
    """Some of the formats of a section, in the fewest words."""
    others = [name for name in names if name not in formats]
    return f"not {listed(others)}" if len(others) < len(formats) else f"only {listed(formats)}"


def listed(names: list[str]) -> str:
    """Names, as code."""
    return ", ".join(f"`{name}`" for name in names)


def repair(rule: Rule) -> str:
    """What `repair` does about what a rule finds."""
    treat = None if rule.fault is None else TREATED[rule.fault]
    return "" if treat is None else (getdoc(getattr(treat, "func", treat)) or "").splitlines()[0]


if __name__ == "__main__":
    sys.exit(run(DOCS / "rules.md", text, "rules.py"))
