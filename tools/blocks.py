"""Runs the code blocks of the documents, as a reader would, and compares what they print with what the document says.

A block begins with three backticks and its language:

- `python`: run; the blocks of a page share one namespace. A line `# > text` is what the lines before it print.
- `console`: a line `$ command` is run by the shell, and the lines after it are what it prints. `$ pip install` is run only
  where the page is read in an empty environment (`tools/newcomer.py`).
- `py`: the same for the code of another library, which is run where that is installed, in `make rivals`.
- with `title="name.suffix"`, any language: a file of this name, which later blocks of the page find in their folder, and
  which is not run. Blocks of the same title are one file.
- `text`: not run.

The official clients of providers find a server on this machine in place of the provider. It gives the answers in
`tests/house/pages/PAGE.json` (for `docs/guides/agent.md`, `guides-agent.json`), by path: a body, the list of a stream's
chunks, or a status and a body.

A page that begins with `<!-- engines -->` needs the environment of `make engines`; one that begins with `<!-- packages -->`
makes packages, and is read in an empty environment alone. The program prints how many blocks there
are; `python tools/blocks.py PAGE...` runs pages, and prints how long each took.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import types
import warnings
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "examples"))

from replay import Replay  # noqa: E402 -- found once its folder is known

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
ENGINES = "<!-- engines -->"
PACKAGES = "<!-- packages -->"

_BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w-]*)(?P<options>[^\n]*)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
_FILE = re.compile(r"\.\w+$")
_SHELL = re.compile(r"[|<>;&$*?`\\~]")
_MODULE = "page"
"""The module whose namespace the blocks of a page share."""


class Block(NamedTuple):
    """A block: what it is written in, the file that it is, if any, its text, and the line of the page before its first."""

    language: str
    title: str | None
    code: str
    line: int


class Wrong(AssertionError):
    """A block prints something else than the page says."""


class _Printed(io.StringIO):
    """What this thread prints; what other threads print, such as the log of an engine, goes where it would have gone."""

    def __init__(self) -> None:
        super().__init__()
        self._thread = threading.get_ident()
        self._others = sys.stdout

    def write(self, text: str, /) -> int:
        """Keep the text, or pass it on. Returns its length."""
        return super().write(text) if threading.get_ident() == self._thread else self._others.write(text)


def name_of(page: Path) -> str:
    """The path of a page, for people."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [_block(match, text) for match in _BLOCK.finditer(text)]


def _block(match: re.Match[str], text: str) -> Block:
    title = re.search(r'title="([^"]+)"', match["options"])
    line = text.count("\n", 0, match.start("code"))
    return Block(match["language"], title and title[1], textwrap.dedent(match["code"]), line)


def needs_engines(page: Path) -> bool:
    """Whether a page says that its blocks need more than the package and the clients of providers."""
    return page.read_text(encoding="utf-8").startswith(ENGINES)


def makes_packages(page: Path) -> bool:
    """Whether a page makes packages and installs them, which needs an environment of its own."""
    return page.read_text(encoding="utf-8").startswith(PACKAGES)


@contextmanager
def provider(page: Path) -> Generator[Replay]:
    """A server with the answers for a page, which the official clients find by the environment."""
    slug = page.relative_to(ROOT).with_suffix("").as_posix().removeprefix("docs/").replace("/", "-")
    prepared = ROOT / "tests" / "house" / "pages" / f"{slug}.json"
    answers: dict[str, list[Any]] = json.loads(prepared.read_text(encoding="utf-8")) if prepared.exists() else {}
    with Replay(answers) as server:
        os.environ |= {name: server.url + path for name, path in ADDRESSES.items()} | SETTINGS
        yield server


ADDRESSES = {
    "ANTHROPIC_BASE_URL": "",
    "OPENAI_BASE_URL": "/v1",
    "GOOGLE_GEMINI_BASE_URL": "",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "",
}
"""Where the clients look for the address of their provider, and the path that belongs to it."""

SETTINGS = {
    **dict.fromkeys(
        ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "none"
    ),
    "AWS_DEFAULT_REGION": "us-east-1",
    "NO_PROXY": "127.0.0.1",
}
"""What else they want to find."""


def run(page: Path, folder: Path, *, language: str = "python", installing: bool = False) -> float:
    """Run the blocks of a page in a folder: those of Python are in this language. Raises `Wrong`, or what a block raises.

    With `installing`, nothing is taken for granted: `pip install` is run, and the package's command is the one on the path.
    Returns the seconds that the installation took.
    """
    module = types.ModuleType(_MODULE)
    taken, files = 0.0, dict[str, str]()
    sys.modules[_MODULE] = module
    with contextlib.chdir(folder):
        for block in blocks(page):
            place = f"{name_of(page)}:{block.line + 1}"
            if block.title is not None and _FILE.search(block.title):
                files[block.title] = "\n\n".join(filter(None, (files.get(block.title), block.code)))
                Path(block.title).parent.mkdir(exist_ok=True)
                Path(block.title).write_text(files[block.title], encoding="utf-8")
            elif block.language == language:
                _compare(place, _run_python(block, page, module), re.findall(r"^\s*# ?> ?(.*)$", block.code, re.MULTILINE))
            elif block.language == "console":
                for command, said in _commands(block.code):
                    if not command.startswith("pip install"):
                        printed = _run_in_shell(command) if installing else _run_command(command)
                        _compare(f"{place}: {command}", printed, said)
                    elif installing:
                        taken += _install(command)
    return taken


def _install(command: str) -> float:
    """Run `pip install`. Returns the seconds that it took; raises `Wrong` where it fails."""
    start = time.monotonic()
    printed = _run_in_shell(f"{command} --quiet || echo failed")
    if printed.endswith("failed\n"):
        raise Wrong(f"{command}\n{printed}")
    invalidate_caches()
    return time.monotonic() - start


def _compare(place: str, printed: str, said: list[str]) -> None:
    if printed.splitlines() != said:
        expected = "\n".join(said)
        raise Wrong(f"{place}\n--- the page says:\n{expected}\n--- it prints:\n{printed}")


def _run_python(block: Block, page: Path, module: types.ModuleType) -> str:
    printed = _Printed()
    code = compile("\n" * block.line + block.code, str(page), "exec", dont_inherit=True)
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # `LossWarning`, which goes to standard error
        exec(code, vars(module))  # noqa: S102 -- our own documents
    return printed.getvalue()


def _commands(code: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it prints."""
    for command in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        first, *said = re.sub(r"\\\n>? *", "", command).splitlines()
        yield first, said


def _run_command(command: str) -> str:
    """What a command prints; the package's own without a new process, where it needs no shell."""
    words = [] if _SHELL.search(command) else shlex.split(command)
    if words[:1] != ["interlingua"]:
        return _run_in_shell(command)
    from interlingua.cli import main  # noqa: PLC0415 -- a page installs it first, in an empty environment

    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        main(words[1:])
    printed.seek(0)
    return printed.read()


def _run_in_shell(command: str) -> str:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    env = os.environ | {"PATH": path, "PYTHONIOENCODING": "utf-8"}
    shell = ["bash", "-c", command]
    return subprocess.run(shell, env=env, stdin=subprocess.DEVNULL, stdout=-1, stderr=-2, check=False).stdout.decode()


def count() -> str:
    """How many blocks the documents have, by language, and how many of them run."""
    found = Counter(block.language or "none" for page in PAGES for block in blocks(page))
    ran = found["python"] + found["console"] + found["py"]
    by_language = ", ".join(f"{number} {language}" for language, number in found.most_common())
    return f"{found.total()} blocks on {len(PAGES)} pages ({by_language}): {ran} are run, and what they print is compared"


def main(*names: str) -> None:
    """Run the pages of these names, as in an empty environment; without any, count the blocks of all."""
    if not names:
        print(count())
    for name in names:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, provider(ROOT / name):
            installing = run(ROOT / name, Path(folder), installing=True)
        taken = time.monotonic() - start - installing
        print(f"{name}: installed in {installing:.1f} s, {len(blocks(ROOT / name))} blocks in {taken:.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
