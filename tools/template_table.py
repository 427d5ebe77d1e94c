"""Writes `docs/templates.md`: what each chat template of TRL and vLLM carries.

`python tools/template_table.py` is run by `make templates`, in the environment that has the templates. With `--check` it writes
nothing and reports whether the file is stale. The page has names and findings; the templates stay where they are.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import interlingua as il
from generated import run

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / ".venv-templates" / "sources"
"""Where `tools/template_sources.py` writes them."""

HEAD = """\
# Chat templates of TRL and vLLM

<!-- Written by tools/template_table.py from renderings: do not edit. -->

What each template of TRL 1.16.0 (`trl/chat_templates`) and of vLLM 0.33.0 (`examples`, and the defaults in
`vllm/transformers_utils/chat_templates`) carries.
[`template_report`](reference/checking.md#interlingua.template_report) found it by rendering marked values: *yes* is printed
whole, *part* in part, *no* not at all; *python* is printed as Python prints a list; *raises* is refused.
[The guide](guides/templates.md) explains how, and how to check a request with a template.
"""

COLUMNS: dict[str, tuple[str, ...]] = {
    "system": ("system message",),
    "parts": ("several texts",),
    "calls": ("tool call", "arguments"),
    "parallel": ("parallel calls",),
    "text beside a call": ("text beside a call",),
    "results": ("tool result",),
    "tools": ("tool names", "tool descriptions", "tool schemas"),
    "reasoning: last": ("reasoning of the last answer",),
    "between calls": ("reasoning between calls",),
    "earlier": ("reasoning of earlier answers",),
    "documents": ("documents",),
    "images": ("images",),
}
"""The columns of the table, and the kinds of content in them."""
WORST = ("raises", "no", "part", "python", "yes")
"""Of several kinds in one column, the worst is shown."""


def sources(package: str) -> dict[str, str]:
    """The templates of a package by name."""
    return {file.stem: file.read_text("utf-8") for file in sorted((SOURCES / package).glob("*.jinja"))}


def shown(report: il.TemplateReport) -> list[str]:
    """The cells of a template."""
    carries = {str(name): verdict for name, verdict in report.carries.items()}
    cells: list[str] = [min((carries[name] for name in names), key=WORST.index) for names in COLUMNS.values()]
    alternate, stable = ("yes" if value else "no" for value in (report.roles_alternate, report.prefix_stable))
    return [*cells, report.null_content, alternate, stable, "yes" if report.generation_blocks else "no"]


def text() -> str:
    """The whole page."""
    titles = ["template", *COLUMNS, "null content prints", "roles alternate", "prefix stable", "generation blocks"]
    parts = [HEAD]
    for package, name in (("trl", "TRL"), ("vllm", "vLLM")):
        found = sources(package)
        if not found:
            sys.exit(f"{SOURCES / package} has no templates: run tools/template_sources.py")
        with ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(il.template_report, found.values()))
        rows = [[f"`{each}`", *shown(report)] for each, report in zip(found, reports, strict=True)]
        lines = [f"| {' | '.join(cells)} |" for cells in (titles, ["---"] * len(titles), *rows)]
        parts.append(f"\n## {name}\n\n" + "\n".join(lines) + "\n")
    return "".join(parts)


if __name__ == "__main__":
    sys.exit(run(ROOT / "docs" / "templates.md", text, "template_table.py"))
