"""Type checkers find no errors in the programs in `typing/`, and in those in `typing/wrong/` exactly the ones noted there.

A note is on the line of its errors: `# error: mypy[index], pyright[reportIndexIssue]`.
"""

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple, TypeAlias

import pytest
import typing_extensions
from pydantic import TypeAdapter
from typing_extensions import TypeAliasType

import blocks
import interlingua as il
import keys
import signatures
from interlingua.formats import CHOICES, bodies
from interlingua.model.base import Model, members
from laws.everything import EVERYTHING, models

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "house" / "typing"


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


def run(folder: Path, module: str, *arguments: str) -> str:
    environment = os.environ | {"MYPYPATH": str(ROOT / "src"), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr  # 1 is for errors found
    return done.stdout


def mypy(folder: Path, cache: Path) -> Iterator[Error]:
    # Without a configuration, as for users who have none.
    for line in run(
        folder, "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", "--output=json", "--no-error-summary", "."
    ).splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield Error(Path(found["file"]).name, found["line"], found["code"])


def pyright(folder: Path, _: Path) -> Iterator[Error]:
    report = json.loads(run(folder, "pyright", "--project", ".", "--pythonpath", sys.executable, "--outputjson"))
    for found in report["generalDiagnostics"]:
        yield Error(Path(found["file"]).name, found["range"]["start"]["line"] + 1, found["rule"])


Check: TypeAlias = Callable[[Path, Path], Iterator[Error]]
checkers = pytest.mark.parametrize("check", [mypy, pyright])


@checkers
def test_a_checker_finds_the_errors_that_are_noted_and_no_others(check: Check, pytestconfig: pytest.Config) -> None:
    assert pytestconfig.cache is not None
    expected = set(noted(check.__name__))
    assert {error.program for error in expected} == {path.name for path in PROGRAMS.glob("wrong/*.py")}
    found = set(check(PROGRAMS, pytestconfig.cache.mkdir("mypy")))
    assert (sorted(expected - found), sorted(found - expected)) == ([], [])  # those missing, those too many


def test_pyright_sees_every_public_name_of_an_installed_package(tmp_path: Path) -> None:
    """It treats what it finds among installed packages more strictly than what it finds in a folder of sources."""
    installed = tmp_path / "venv" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    installed.mkdir(parents=True)
    for package in ("pydantic", "pydantic_core", "annotated_types", "typing_inspection"):
        (installed / package).symlink_to(Path(importlib.import_module(package).__file__ or "").parent)
    (installed / "interlingua").symlink_to(ROOT / "src" / "interlingua")
    (installed / "typing_extensions.py").symlink_to(Path(typing_extensions.__file__))
    settings = {"venvPath": str(tmp_path), "venv": "venv", "include": ["program.py"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    names = [*il.__all__, *bodies.__all__]
    program = "import interlingua as il\n" + "".join(f"print(il.{name})\n" for name in names)
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    found = json.loads(run(tmp_path, "pyright", "--project", ".", "--outputjson"))
    assert [each["message"] for each in found["generalDiagnostics"]] == []
    assert found["summary"]["filesAnalyzed"] == 1


MISSPELT = """\
import interlingua as il

def misspelt(messages: list[il.Message], request: il.Request, name: str) -> None:
    il.load({}, "antropic")
    il.dump(messages, "antropic")
    il.dump(request, name, on_loss="raise", check="raise")
    il.dump(request, "anthropic", on_loss="rise")
    il.convert({}, source="opnai_chat", target="anthropic")
    il.convert({}, source="openai_chat", target="antropic")
    il.convert({}, source="auto", target=name)
    il.ChatMessageBuilder().dump("antropic")
    il.restream(messages, source="openai_chat", target="antropic")
    il.sse(messages, name)
    il.repair(request, "antropic")
"""
MISSPELT_LINES = [number for number, line in enumerate(MISSPELT.splitlines(), 1) if "    il." in line]


def test_a_misspelt_format_costs_one_line_of_mypy(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(MISSPELT, encoding="utf-8")
    assert pytestconfig.cache is not None
    cache = pytestconfig.cache.mkdir("mypy")
    lines = run(tmp_path, "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", "--no-error-summary", ".").splitlines()
    assert [int(line.split(":")[1]) for line in lines] == MISSPELT_LINES
    assert all("'anthropic'" in line or "'raise'" in line for line in lines)  # each error lists the known words


def test_a_misspelt_format_costs_one_error_of_pyright(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(MISSPELT, encoding="utf-8")
    settings = json.loads((PROGRAMS / "pyrightconfig.json").read_text(encoding="utf-8")) | {"extraPaths": [str(ROOT / "src")]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    assert [error.line for error in pyright(tmp_path, tmp_path)] == MISSPELT_LINES


UNTYPED = {
    "docs/guides/adding-a-format.md": "makes a package, whose format has a name that no checker can know",
    "docs/guides/django-ninja.md": "Django has no types",
    "docs/coming-from": "needs other libraries, which are not installed with this one",
    "docs/scale": "needs engines, likewise",
}
"""The pages that checkers are not shown, and why."""
TYPED = [page for page in blocks.PAGES if not blocks.name_of(page).startswith(tuple(UNTYPED))]


def programs(page: Path) -> list[str]:
    """The Python of a page; a block that imports the package begins a program, which the blocks after it continue."""
    found = [""]
    for block in blocks.blocks(page):
        if block.language == "python":
            found += [""] if "import interlingua as il" in block.code else []
            found[-1] += block.code + "\n"
    return found


@checkers
def test_a_checker_finds_no_errors_in_the_documents(check: Check, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    assert pytestconfig.cache is not None
    settings = json.loads((PROGRAMS / "pyrightconfig.json").read_text(encoding="utf-8"))
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings | {"extraPaths": [str(ROOT / "src")]}))
    for number, program in enumerate(program for page in TYPED for program in programs(page)):
        (tmp_path / f"snippet_{number}.py").write_text(program, encoding="utf-8")
    assert list(check(tmp_path, pytestconfig.cache.mkdir("mypy"))) == []


@pytest.mark.parametrize("tool", [keys, signatures], ids=lambda tool: tool.__name__)
def test_the_generated_stubs_are_up_to_date(tool: ModuleType) -> None:
    assert tool.__file__ is not None
    done = subprocess.run([sys.executable, tool.__file__, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "function",
    [il.dump, il.convert, il.ChatMessageBuilder.dump, il.restream, il.sse, il.repair],
    ids=lambda function: function.__qualname__,
)
def test_what_has_a_generated_type_is_a_documented_function_at_run_time(function: Callable[..., Any]) -> None:
    assert inspect.isfunction(function)
    assert function.__doc__
    assert inspect.signature(function).parameters.keys() & {"target", "format"}


def test_a_dialect_has_the_payload_types_of_its_format_and_a_format_without_any_has_a_dict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chat = il.FORMATS["openai_chat"]
    added = {"relative": replace(chat, name="relative"), "new": replace(chat, name="new", payloads=None)}
    monkeypatch.setattr(signatures, "FORMATS", {**il.FORMATS, **added})
    types = {name: (row.payload, row.messages) for row in signatures.rows() for name in row.names}
    assert types["relative"] == types["openai_chat"] == ("ChatPayload", "ChatMessages")
    assert types["new"] == ("dict[str, Any]", "dict[str, Any]")


def test_a_key_holds_what_its_type_says() -> None:
    for model in (model for message in il.validate(EVERYTHING) for model in models(message)):
        for key, value in model.model_dump().items():
            types = " | ".join(keys.json_types(type(model).model_fields[key].annotation))
            held: Any = eval(types, {"Any": Any, "Literal": Literal})  # noqa: S307 -- of our own making
            TypeAdapter(held).validate_python(value, strict=True)


def offered(folder: Path, typed: Sequence[str]) -> list[set[str]]:
    """What Pyright's language server offers at the end of each line, which is typed in a program of its own."""
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT / "src")]}), encoding="utf-8")
    root = folder.as_uri()
    workspace: dict[str, Any] = {
        "processId": None,
        "rootUri": root,
        "capabilities": {},
        "workspaceFolders": [{"uri": root, "name": "user"}],
    }
    sent: list[dict[str, Any]] = [
        {"id": "start", "method": "initialize", "params": workspace},
        {"method": "initialized", "params": {}},
    ]
    for number, line in enumerate(typed):
        document: dict[str, Any] = {"uri": (folder / f"user_{number}.py").as_uri()}
        text = {"languageId": "python", "version": 1, "text": f"import interlingua as il\n{line}"}
        sent.append({"method": "textDocument/didOpen", "params": {"textDocument": document | text}})
        place = {"textDocument": document, "position": {"line": 1, "character": len(line)}}
        sent.append({"id": number, "method": "textDocument/completion", "params": place})
    environment = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    command = [sys.executable, "-m", "pyright.langserver", "--stdio"]
    answers: dict[str | int | None, Any] = {}
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        limit = threading.Timer(60, server.stdin.close)  # at which the server ends
        limit.daemon = True
        limit.start()
        for message in sent:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            server.stdin.flush()
            while "id" in message and message["id"] not in answers:
                size = int(server.stdout.readline().removeprefix(b"Content-Length: "))
                server.stdout.readline()
                answer = json.loads(server.stdout.read(size))
                answers[answer.get("id")] = answer
        limit.cancel()
    labels = [[item["label"] for item in answers[number]["result"]["items"]] for number in range(len(typed))]
    return [{label.strip('"') for label in found if not label.endswith("=")} for found in labels]  # no names of parameters


def test_a_language_server_offers_the_keys_of_every_model_and_the_names_of_formats(tmp_path: Path) -> None:
    shown: dict[str, Any] = {name: getattr(il, name) for name in il.__all__}
    models = {name: kind for name, kind in shown.items() if isinstance(kind, type) and issubclass(kind, Model)}
    concrete = {*models.values()} - {il.MessageBase, il.PartBase, il.CitationBase}
    expected: dict[str, set[str]] = {}
    for name, model in models.items():
        kinds = [set(kind.model_fields) for kind in concrete if issubclass(kind, model)]
        expected[f'def use(value: il.{name}) -> None: value["'] = kinds[0].intersection(*kinds)
    # After `value["`, Pyright offers the keys of no union but one of TypedDicts. `get` takes keys of related kinds.
    unions = {name: set(members(union)) for name, union in shown.items() if isinstance(union, TypeAliasType)}
    for name, union in unions.items():
        related = set[type[Model]]().union(*(other for other in unions.values() if union & other))
        expected[f'def use(value: il.{name}) -> None: value.get("'] = {key for kind in related for key in kind.model_fields}
    for call in ("il.dump(request, ", 'il.convert({}, source="auto", target=', "il.ChatMessageBuilder().dump("):
        expected[f'def use(request: il.Request) -> None: {call}"'] = {*il.FORMATS, *CHOICES}
    assert dict(zip(expected, offered(tmp_path, list(expected)), strict=True)) == expected
