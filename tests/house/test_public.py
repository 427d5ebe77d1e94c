"""The public interface is what `public.txt` says, and the changelog has its form: a change of either shows in a diff."""

import re
import tomllib
from pathlib import Path

import pytest

import interlingua as il
import public

ROOT = Path(__file__).parents[2]


def test_the_snapshot_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = public.main(["--check"])
    difference = capsys.readouterr().out
    assert status == 0, f"{difference}\nThe public interface has changed. If it should: python tools/public.py"


def test_a_difference_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said = [line.replace("-> str", "-> bytes") if "interlingua.fingerprint(" in line else line for line in public.lines()]
    monkeypatch.setattr(public, "lines", lambda: said)
    assert public.main(["--check"]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert [line[0] for line in shown] == ["-", "+", "@", "-", "+"]
    assert shown[-1].endswith("-> bytes")


def test_every_type_of_a_payload_is_public() -> None:
    used = {kind.__name__ for format in il.FORMATS.values() if format.payloads for kind in format.payloads(format)}
    assert used
    assert used - set(il.__all__) == set()


KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert [name for name, date in versions if not date] == ["Unreleased"]
    assert versions[0][0] == "Unreleased"
    assert len(versions) == len(re.findall(r"^## ", text, re.MULTILINE))
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] in dict(versions)
    assert re.findall(r"^\[(.+?)\]: https://\S+$", text, re.MULTILINE) == [name for name, _ in versions]
    for version in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)$", version, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]
