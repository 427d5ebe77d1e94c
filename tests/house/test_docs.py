"""The documents: their tables are up to date and whole, and their links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import columns
import delays
import interlingua as il
import links
import outcomes
import reference
import rules
import tables
from laws.samples import canonical_classes

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("tool", [tables, rules, columns, delays, reference, outcomes], ids=lambda tool: tool.__name__)
def test_the_tables_are_up_to_date(tool: ModuleType) -> None:
    command = [sys.executable, str(tool.__file__), "--check"]
    from_sources = os.environ | {"PYTHONPATH": str(ROOT / "src")}  # as they are written, whatever is installed
    done = subprocess.run(command, env=from_sources, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_class_and_field_has_its_place() -> None:
    text = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ("fields.md", "events.md"))
    described = dict(re.findall(r"^###? (\w+)\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))
    for cls in canonical_classes():
        assert [name for name in cls.model_fields if f"\n| `{name}` |" not in described[cls.__name__]] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"`[^`\n]*`", "", prose)
    found = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", prose)
    for path, anchor in found:
        target = document.parent / path if path else document
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("name", ["CHANGELOG.md", "CONTRIBUTING.md"])
def test_what_the_site_includes_has_no_links_into_the_repository(name: str) -> None:
    """They would lead elsewhere from the page that includes it."""
    prose = re.sub(r"`[^`\n]*`", "", (ROOT / name).read_text("utf-8"))
    assert re.findall(r"\]\((?!https:)[^)]*\)", prose) == []


def anchors(document: Path) -> set[str]:
    text = document.read_text("utf-8")
    headings = re.findall(r"^#+ (.*)$", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text), re.MULTILINE)
    written = re.findall(r'<a id="([^"]+)">', text)
    return {*written, *re.findall(r"^::: (\S+)$", text, re.MULTILINE)} | {
        re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings
    }


def test_every_rule_has_an_anchor() -> None:
    """`interlingua check` prints it."""
    written = re.findall(r'<a id="([^"]+)">', (ROOT / "docs" / "rules.md").read_text("utf-8"))
    codes = {f"{name}-{rule.code}" for name, known in rules.RULES.items() for rule in known.rules}
    assert sorted(written) == sorted({*codes, *(f"{name}-shape" for name in rules.RULES)})


def test_pages_do_not_say_what_wrote_them() -> None:
    """A comment at the top says it to those who would edit them."""
    shown = {page: re.sub(r"<!--.*?-->", "", page.read_text("utf-8"), flags=re.DOTALL) for page in DOCUMENTS}
    said = r"(?:written|generated) by `?(?:python )?tools/|do not edit|tools/\w+\.py` writes this page"
    assert [page.name for page, text in shown.items() if re.search(said, text, re.IGNORECASE)] == []


def test_the_reference_has_every_public_name_once() -> None:
    text = "".join(page.read_text("utf-8") for page in sorted((ROOT / "docs" / "reference").glob("*.md")))
    assert sorted(re.findall(r"^::: interlingua\.(\w+)$", text, re.MULTILINE)) == sorted([*il.__all__, "codec", "testing"])


def test_the_signatures_of_each_reference_page_are_in_the_repository() -> None:
    """The site alone makes signatures of the directives; each page says where a reader of the repository finds them."""
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        text = page.read_text("utf-8")
        assert ("\n::: " in text) == ('<div class="in-repository" markdown>\n\n' in text), page.name


def test_every_page_has_its_place_in_the_navigation() -> None:
    listed = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md"))


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 200


@pytest.mark.parametrize("name", ["README.md", "docs/hosts.md"])
def test_every_format_is_named(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    unnamed = [format for format in il.FORMATS if f"`{format}`" not in text]
    assert not unnamed, f"{name} does not name {', '.join(unnamed)}"


PAGES = {
    "index.html": '<h1 id="top"></h1><a href="a/#there">1</a><a href="a/">2</a><a href="#top">3</a>',
    "a/index.html": '<p id="there"></p><a href="../#top">1</a><img src="../picture.svg"><img src="data:image/png;base64,AA">',
    "picture.svg": "",
}


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ('<a href="b/">', "no such page"),
        ('<a href="a/#elsewhere">', "no such anchor"),
        ('<a href="#elsewhere">', "no such anchor"),
        ('<a href="https://nowhere">', "not an address"),
        ('<a href="http://example.com">', "not an address"),
        ('<script src="https://example.com/x.js">', "another host"),
        ('<link rel="stylesheet" href="//example.com/x.css">', "another host"),
        ('<img src="a/picture.svg">', "no such page"),
        ('<a href="https://example.com/x"><a href="#top">', ""),
    ],
)
def test_links_of_the_site(link: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in PAGES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + link * (name == "index.html"), encoding="utf-8")
    assert links.main(str(tmp_path)) == (1 if said else 0)
    *faults, summary = capsys.readouterr().out.splitlines()
    assert [said in fault for fault in faults if fault] == [True] * bool(said), summary
