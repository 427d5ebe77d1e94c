"""What type checkers say of agent code: nothing of the programs in `typing/`; of those in `typing/wrong/`, what is noted there.

A note stands on the line of its errors: `# error: mypy[index], pyright[reportIndexIssue]`.
"""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from pydantic import TypeAdapter

import interlingua as il
from everything import EVERYTHING, models

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "tests" / "typing"
KEYS = ROOT / "tools" / "keys.py"


class Error(NamedTuple):
    program: str
    line: int
    code: str


def noted(checker: str) -> Iterator[Error]:
    for path in PROGRAMS.rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            _, _, note = line.partition("# error: ")
            for codes in re.findall(rf"{checker}\[(.+?)\]", note):
                yield from (Error(path.name, number, code) for code in codes.split(", "))


def run(module: str, *arguments: str) -> str:
    environment = os.environ | {"MYPYPATH": str(ROOT / "src"), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=PROGRAMS, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr  # 1 is for errors found
    return done.stdout


def mypy(cache: Path) -> Iterator[Error]:
    # Without a configuration, as it is for whoever has none.
    for line in run("mypy", "--strict", "--config-file=", f"--cache-dir={cache}", "--output=json", ".").splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield Error(Path(found["file"]).name, found["line"], found["code"])


def pyright(cache: Path) -> Iterator[Error]:
    report = json.loads(run("pyright", "--project", ".", "--pythonpath", sys.executable, "--outputjson"))
    for found in report["generalDiagnostics"]:
        yield Error(Path(found["file"]).name, found["range"]["start"]["line"] + 1, found["rule"])


@pytest.mark.parametrize("check", [mypy, pyright])
def test_a_checker_finds_the_errors_that_are_noted_and_no_others(
    check: Callable[[Path], Iterator[Error]], pytestconfig: pytest.Config
) -> None:
    assert pytestconfig.cache is not None
    expected = set(noted(check.__name__))
    assert {error.program for error in expected} == {path.name for path in PROGRAMS.glob("wrong/*.py")}
    found = set(check(pytestconfig.cache.mkdir("mypy")))
    assert (sorted(expected - found), sorted(found - expected)) == ([], [])  # those missing, those too many


def test_what_checkers_know_of_the_keys_is_what_the_models_have() -> None:
    done = subprocess.run([sys.executable, str(KEYS), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_key_holds_what_its_type_says() -> None:
    json_types: Callable[[Any], tuple[str, ...]] = runpy.run_path(str(KEYS))["json_types"]
    for model in (model for message in il.validate(EVERYTHING) for model in models(message)):
        for key, value in model.model_dump().items():
            types = " | ".join(json_types(type(model).model_fields[key].annotation))
            held: Any = eval(types, {"Any": Any, "Literal": Literal})  # noqa: S307 -- of our own making
            TypeAdapter(held).validate_python(value, strict=True)
