"""The documents: their tables are up to date and whole, and their links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rules
import tables
from samples import canonical_classes

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("tool", [tables, rules], ids=lambda tool: tool.__name__)
def test_the_tables_are_up_to_date(tool: ModuleType) -> None:
    command = [sys.executable, str(tool.__file__), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_class_and_field_has_its_place() -> None:
    text = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("fields.md", "events.md"))
    described = dict(re.findall(r"^###? (\w+)\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))
    for cls in canonical_classes():
        assert [name for name in cls.model_fields if f"\n| `{name}` |" not in described[cls.__name__]] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", prose)
    for path, anchor in links:
        target = document.parent / path if path else document
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


def anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
