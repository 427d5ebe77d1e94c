"""The table of formats is complete: each format has a module, a row and cases, and its name is known to the types."""

import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter

import interlingua as il
from formats import cases
from interlingua import formats
from interlingua.codec.format import Format
from laws.families import MAIN

FOLDERS = [folder for folder in Path(__file__).parent.iterdir() if (folder / "cases").is_dir()]
MODULES = {module.name for module in pkgutil.iter_modules(formats.__path__) if module.ispkg}


def test_every_module_has_its_row() -> None:
    assert set(il.FORMATS) >= MODULES
    beside = {module.name for module in pkgutil.iter_modules(formats.__path__)} - MODULES
    assert beside == {"bodies"}  # the names of typed bodies, generated from the table


@pytest.mark.parametrize("module", sorted(MODULES))
def test_what_is_tested_of_a_format_is_complete(module: str) -> None:
    """Each folder of the package has its strategies and marks, its cases of all kinds, and what judges it."""
    format, folder = il.FORMATS[module], cases.FOLDER / module
    had = {kind for kind in get_args(cases.Kind) if any(case.format == module for case in cases.cases(kind))}
    answers, tests = format.load_response is not None, f"tests/formats/{module}"
    wanted = {
        f"{tests}/cases/*/request.json": "request" in had,
        f"{tests}/cases/*/response.json": not answers or "response" in had,
        f"{tests}/cases/*/stream.json": format.reading is None or "stream" in had,
        f"{tests}/cases/*/error.json": not answers or "error" in had,
        f"{tests}/refused/*.json": format.rules is None or any((folder / "refused").glob("*.json")),
        f"{tests}/judge.py": (folder / "judge.py").is_file(),
        f"{tests}/schemas.py": format.reading is None or (folder / "schemas.py").is_file(),
        f"{tests}/paths.json": format.path is None or module in cases.facts("paths"),
        f"{tests}/errors.json": format.error_words is None or module not in MAIN or module in cases.facts("errors"),
        f"{tests}/nothing.json": module not in MAIN or module in cases.facts("nothing"),
        "the format's field `marks`": format.marks is not None,
        "the format's field `strategies`": format.strategies is not None,
        "`responses` of its strategies": format.strategies is None or answers == (format.strategies().responses is not None),
    }
    missing = [f"{what} is missing" for what, is_there in wanted.items() if not is_there]
    assert not missing, f'{module}: {"; ".join(missing)}. See "To add a format" in CONTRIBUTING.md'


def test_every_case_has_its_losses() -> None:
    without = [str(case) for case in cases.cases("request") if not case.has("losses")]
    assert not without, f"{', '.join(without)}: losses.json is missing: run python tools/cases.py"


@pytest.mark.parametrize("case", cases.cases("stream"), ids=str)
def test_a_stream_has_its_response(case: cases.Case) -> None:
    assert case.has("response")


def test_every_folder_of_cases_has_its_row() -> None:
    assert {folder.name for folder in FOLDERS} <= set(il.FORMATS)


def test_type_checkers_know_every_name() -> None:
    # The stub, which checkers read, has the same: see test_typing.py.
    assert get_args(il.FormatName) == (*il.FORMATS, *formats.CHOICES)


@pytest.mark.parametrize("name", il.FORMATS)
def test_a_row_is_named_after_its_format(name: str) -> None:
    format = il.FORMATS[name]
    assert isinstance(format, Format)
    assert format.name == name
    assert isinstance(format.adapter(), TypeAdapter)
    assert repr(format) == f"Format({name!r})"


def test_an_unknown_name_says_which_are_known() -> None:
    with pytest.raises(il.UnknownFormat) as caught:
        il.load({}, "morse")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] -- which is the point
    assert caught.value.name == "morse"
    assert set(caught.value.known) == {*il.FORMATS, *formats.CHOICES}


def test_the_package_shows_what_it_says_and_imports_nothing_before() -> None:
    program = (
        "import sys, interlingua as il; early = {m for m in sys.modules if m.startswith('pydantic')}\n"
        "shown = [getattr(il, name) for name in il.__all__]; print(len(early), len(shown), set(il.__all__) <= set(dir(il)))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert out == ["0", str(len(il.__all__)), "True"]


def test_a_name_that_the_package_does_not_show_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = il.nothing  # type: ignore[attr-defined] # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue] -- likewise
