"""Formats that other packages register under the entry point `interlingua.formats`, found by the real `importlib.metadata`."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path
from typing import Any, cast

import pytest

import interlingua as il
from formats import interlingua_toy
from interlingua.cli import main
from interlingua.codec import table
from interlingua.conversion import detection

WIRE: dict[str, Any] = {"engine": "toy-1", "turns": [{"role": "human", "items": [{"kind": "text", "text": "Rain?"}]}]}
CHAT: dict[str, Any] = {"model": "toy-1", "messages": [{"role": "user", "content": [{"type": "text", "text": "Rain?"}]}]}

PACKAGES = {
    "toy-package": {"toy": "formats.interlingua_toy:FORMAT"},
    "broken-import": {"missing": "no_module_of_this_name:FORMAT", "absent": "formats.interlingua_toy:NOTHING"},
    "broken-module": {"raising": "raising_module:FORMAT"},
    "broken-values": {"worded": "formats.interlingua_toy:MARKS", "renamed": "formats.interlingua_toy:FORMAT"},
    "broken-marks": {"unmarked": "unmarked_module:FORMAT"},
    "first-of-two": {"twice": "formats.interlingua_toy:FORMAT"},
    "second-of-two": {"twice": "formats.interlingua_toy:FORMAT"},
    "greedy": {"anthropic": "formats.interlingua_toy:FORMAT"},
}
"""The formats that each package registers."""
MODULES = {
    "raising_module": "raise TypeError('Format() got an unexpected keyword argument')",
    "unmarked_module": (
        "from dataclasses import replace\n"
        "from formats import interlingua_toy\n"
        "FORMAT = replace(interlingua_toy.FORMAT, name='unmarked', marks=lambda: missing_function())\n"
    ),
}

BROKEN = {
    "missing": ("broken-import", "ModuleNotFoundError: No module named 'no_module_of_this_name'"),
    "absent": ("broken-import", "AttributeError: module 'formats.interlingua_toy' has no attribute 'NOTHING'"),
    "raising": ("broken-module", "TypeError: Format() got an unexpected keyword argument"),
    "worded": ("broken-values", "formats.interlingua_toy:MARKS is not a Format"),
    "renamed": ("broken-values", "its Format must have this name, but has 'toy'"),
    "twice": ("first-of-two, second-of-two", "only one package may register a name"),
}


def install(folder: Path, *packages: str) -> None:
    """Write what an installer leaves of these packages."""
    for package in packages:
        about = folder / f"{package.replace('-', '_')}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        points = [f"{name} = {value}" for name, value in PACKAGES[package].items()]
        (about / "entry_points.txt").write_text("\n".join(["[interlingua.formats]", *points]), encoding="utf-8")
    for name, code in MODULES.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")


def forget() -> None:
    """Let the entry points and the marks be read anew."""
    table.outside.cache_clear()
    vars(detection)["_marks"].cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, which has none yet."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    invalidate_caches()
    imported: dict[str, il.Format] = vars(il.FORMATS)["_imported"]
    monkeypatch.setattr(il.FORMATS, "_imported", imported.copy())
    forget()
    yield tmp_path
    forget()


@pytest.fixture
def toy(site: Path) -> il.FormatName:
    """The name of the toy, whose package is installed: checkers know only the names of the package's own formats."""
    install(site, "toy-package")
    return cast("il.FormatName", "toy")


def test_every_door_takes_its_name(toy: il.FormatName) -> None:
    assert il.format_of("toy") is il.FORMATS["toy"] is interlingua_toy.FORMAT
    assert "toy" in il.FORMATS
    request = il.load(WIRE, toy)
    assert request.origin == "toy"
    assert il.dump(request, toy, on_loss="raise") == WIRE
    assert il.convert(WIRE, source=toy, target="openai_chat").payload["messages"] == CHAT["messages"]
    assert il.convert(CHAT, source="openai_chat", target=toy).payload == WIRE
    assert il.check(WIRE, toy) == []
    assert il.json_schema(toy)["$id"] == "urn:interlingua:v1:toy"
    assert il.ChatMessageBuilder("Be brief.").dump(toy)["turns"][0]["items"] == [{"kind": "text", "text": "Be brief."}]
    assert copy.deepcopy(il.FORMATS["toy"]) is interlingua_toy.FORMAT
    assert pickle.loads(pickle.dumps(il.FORMATS["toy"])) is interlingua_toy.FORMAT  # noqa: S301 -- of our own making
    with pytest.raises(il.UnknownFormat, match="'toy' does not have streams"):
        il.reader(toy)


def test_the_table_iterates_over_its_own_rows(toy: il.FormatName) -> None:
    assert il.load(WIRE, toy)
    assert "toy" not in list(il.FORMATS)
    assert len(list(il.FORMATS.values())) == len(il.FORMATS)


def test_its_data_are_those_of_its_family_elsewhere(toy: il.FormatName) -> None:
    request = il.load({**WIRE, "seed": 3}, toy)
    losses: list[il.Loss] = []
    il.dump(request, "anthropic", on_loss=losses.append)
    assert [str(loss) for loss in losses] == [
        "dropped /provider_data/toy/seed: anthropic has no place for this field of the toy family"
    ]


def test_it_is_detected(toy: il.FormatName) -> None:
    assert [(one.format, one.kind, one.supported) for one in il.detect(WIRE)] == [("toy", "request", True)]
    with pytest.raises(il.InvalidPayload, match="toy"):
        il.load(WIRE, "openai_chat")


def test_a_misspelt_name_is_told_about_it(toy: il.FormatName) -> None:
    with pytest.raises(il.UnknownFormat, match="did you mean 'toy'") as caught:
        il.format_of("tooy")
    assert caught.value.known[-1] == "toy"


def test_the_command_takes_its_name(toy: il.FormatName, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(WIRE), encoding="utf-8")
    assert main(["convert", "--from", "toy", "--to", "openai_chat", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["messages"] == CHAT["messages"]
    assert main(["detect", str(file)]) == 0
    assert '"toy"' in capsys.readouterr().out
    assert main(["convert", "--from", "auto", "--to", "toy", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == WIRE
    assert main(["formats"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["toy", "toy"]
    assert main(["schema", str(tmp_path / "schemas"), "--format", "toy"]) == 0
    assert [file.name for file in (tmp_path / "schemas").rglob("toy.json")] == ["toy.json"]


def test_batches_of_arrow_take_its_name(toy: il.FormatName) -> None:
    arrow = pytest.importorskip("interlingua.arrow")
    pa = pytest.importorskip("pyarrow")
    batch = pa.RecordBatch.from_pydict({"said": [json.dumps(WIRE)]})
    made = arrow.convert_batch(batch, column="said", source=toy, target="openai_chat")
    assert json.loads(made.column("said")[0].as_py())["messages"] == CHAT["messages"]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_package_is_named(name: str, site: Path) -> None:
    install(site, *PACKAGES)
    package, reason = BROKEN[name]
    with pytest.raises(il.BrokenFormat) as caught:
        il.format_of(name)
    assert str(caught.value) == f"the format {name!r} of the package {package!r} cannot be used: {reason}"
    assert (caught.value.name, caught.value.package, caught.value.reason) == (name, package, reason)
    assert copy.deepcopy(caught.value).args == caught.value.args


def test_a_broken_package_harms_nobody_else(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, *PACKAGES)
    with pytest.warns(RuntimeWarning, match="cannot be used") as caught:
        found = il.detect(WIRE)
    assert [one.format for one in found] == ["toy"]
    assert {str(warning.message).split("'")[1] for warning in caught} == {*BROKEN, "unmarked"}
    assert il.FORMATS["anthropic"].family == "anthropic"
    assert main(["formats"]) == 0
    said = capsys.readouterr()
    assert [line.split()[0] for line in said.out.splitlines()] == [*il.FORMATS, "toy", "unmarked"]
    assert said.err.count("cannot be used") == len(BROKEN)
    assert main(["convert", "--from", "raising", "--to", "openai_chat", "x.json"]) == 2
    assert "broken-module" in capsys.readouterr().err


def test_nothing_is_looked_up_for_the_packages_own_formats() -> None:
    code = (
        "import sys, interlingua as il\n"
        "chat = {'messages': [{'role': 'user', 'content': 'Rain?'}]}\n"
        "il.convert(chat, source='openai_chat', target='anthropic')\n"
        "from interlingua.codec import table\n"
        "print(table.outside.cache_info().misses, [n for n in sys.modules if n.startswith('interlingua.formats.gemini')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0 []\n"
