"""The rows of the tables of refusals that people met, and which families of formats each is about.

The tables are data beside the recorded traffic, in `REFUSALS-OPENAI.md` and `REFUSALS-BLOCKS.md`; `rows.py` of the family's
main format says of each strong row which rule it has, or why it cannot have one.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import interlingua as il
from checking.rule_sets import RULES

FAMILIES = {
    "chat": ("openai_chat", "deepseek", "openrouter", "gemini_openai"),
    "groq": ("groq",),
    "xai": ("xai",),
    "vllm": ("vllm",),
    "sglang": ("sglang",),
    "mistral": ("mistral",),
    "responses": ("openai_responses",),
    "anthropic": ("anthropic", "anthropic_bedrock", "anthropic_vertex"),
    "gemini": ("gemini",),
    "interactions": ("gemini_interactions",),
    "ollama": ("ollama",),
    "bedrock": ("bedrock_converse",),
}
"""The formats of each family, the main one first, any of which may have a row's rule."""

_HOSTS = {
    "REFUSALS-OPENAI.md": {
        "chat": re.compile(r"OpenAI Chat|and Chat\b|Azure|DeepSeek|OpenRouter|OpenAI \(|OpenAI,"),
        "groq": re.compile(r"\bGroq\b"),
        "xai": re.compile(r"\bxAI\b"),
        "vllm": re.compile(r"\bvLLM\b"),
        "sglang": re.compile(r"\bSGLang\b"),
        "mistral": re.compile(r"\bMistral\b(?! templates|/)"),
        "responses": re.compile(r"Responses"),
    },
    "REFUSALS-BLOCKS.md": {
        "chat": re.compile(r"\bGM-OC"),
        "anthropic": re.compile(r"\bAN(?!-compat)\b"),
        "gemini": re.compile(r"\bGM(?!-OC)\b|Code Assist"),
        "interactions": re.compile(r"Gemini Interactions API"),
        "ollama": re.compile(r"\bOL\b"),
        "bedrock": re.compile(r"(?<!AN-)\bBR\b"),
    },
}
"""How each table names the hosts of a family; the other hosts have no format here."""


class Row(NamedTuple):
    code: str
    families: tuple[str, ...]
    strong: bool


class Refusal(NamedTuple):
    """A recorded refusal that a rule finds: its request's format, the rule, and the place that the provider named."""

    format: il.FormatName
    code: str
    path: str


def table_rows(folder: Path) -> Iterator[Row]:
    """The rows of both tables."""
    for file, hosts in _HOSTS.items():
        for row in _table((folder / file).read_text(encoding="utf-8")):
            code = row["code"].strip("`")
            of_responses = code.startswith("responses-")
            families = [
                name for name, said in hosts.items() if said.search(row["hosts"]) and not (of_responses and name == "chat")
            ]
            yield Row(code, tuple(families), row["strength"] == "strong")


def _table(text: str) -> Iterator[dict[str, str]]:
    """The rows of the tables that say of each row how strong its evidence is."""
    names: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            names = []
        elif not names:
            names = cells
        elif "strength" in names and not cells[0].startswith("---"):
            yield dict(zip(names, cells, strict=True))


def codes_of(family: str) -> set[str]:
    """The codes of a family's rules, and that of the shape, which the wire types check."""
    return {"shape", *(rule.code for name in FAMILIES[family] for rule in RULES[name].rules)}
