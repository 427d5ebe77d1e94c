"""The code blocks of README and of every page in `docs/` run, and print what the pages say."""

from __future__ import annotations

import re
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import blocks

RUN = ("python", "console")
OLD = "py"
"""The language of blocks that are another library's code."""
TEXT = ("text", "json", "toml", "yaml", "typescript", "javascript")
"""The languages of blocks that are only read; `text` is also what cannot run here."""

FORMATS = {
    "/v1/messages": "anthropic",
    "/v1/chat/completions": "openai_chat",
    "/v1/responses": "openai_responses",
}
"""The formats of requests, by the paths of the server; another path belongs to Gemini or Bedrock."""


def pages() -> Iterator[object]:
    for page in blocks.PAGES:
        if any(block.language in RUN for block in blocks.blocks(page)) and not blocks.makes_packages(page):
            yield pytest.param(page, marks=engines_of(page) if blocks.needs_engines(page) else [], id=blocks.name_of(page))


def engines_of(page: Path) -> list[pytest.MarkDecorator]:
    """The marks of a page that needs engines; their warnings are theirs."""
    without_java = page.stem == "spark" and shutil.which("java") is None
    left_out = pytest.mark.skipif(without_java, reason="Spark is left out: there is no Java here")
    return [pytest.mark.engines, pytest.mark.filterwarnings("ignore"), left_out]


@pytest.mark.parametrize("page", [*pages()])
def test_the_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*blocks.ADDRESSES, *blocks.SETTINGS):
        monkeypatch.setenv(name, "")  # and puts back what was there
    connected = connections(monkeypatch)
    with blocks.provider(page) as server:
        blocks.run(page, tmp_path)
    if not blocks.needs_engines(page):  # which keep theirs until the process ends
        assert [connection for connection in connected if connection.fileno() != -1] == []
    assert not any(server.left.values())
    faults = [str(fault) for path, body in server.requests for fault in faults_of(path, body)]
    assert faults == []


def connections(monkeypatch: pytest.MonkeyPatch) -> list[socket.socket]:
    """The connections that this thread makes from now on: one that a page leaves open fails a later test with a warning."""
    made: list[socket.socket] = []
    connect = socket.socket.connect

    def noting(self: socket.socket, address: Any) -> None:
        if threading.current_thread() is threading.main_thread():
            made.append(self)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noting)
    return made


@pytest.mark.rivals
@pytest.mark.filterwarnings("default")  # the warnings of other libraries are theirs
@pytest.mark.parametrize(
    "page",
    [page for page in blocks.PAGES if any(block.language == OLD for block in blocks.blocks(page))],
    ids=blocks.name_of,
)
def test_the_code_of_other_libraries_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # no look at the network for prices
    for name in (*blocks.ADDRESSES, *blocks.SETTINGS):
        monkeypatch.setenv(name, "")
    with blocks.provider(page):
        blocks.run(page, tmp_path, language=OLD)


def faults_of(path: str, body: dict[str, Any]) -> list[object]:
    """What is wrong with a request, by the types of the provider's own client."""
    from laws import oracles, sdks

    default = "gemini" if "generateContent" in path else "bedrock_converse"
    format = FORMATS.get(path.partition("?")[0], default)
    rules = oracles.server_faults(body, format) if format in ("anthropic", "openai_chat") else []
    return [*sdks.request_faults(body, format), *rules]


@pytest.mark.parametrize("page", blocks.PAGES, ids=blocks.name_of)
def test_blocks_say_what_they_are(page: Path) -> None:
    assert [block for block in blocks.blocks(page) if block.language not in (*RUN, OLD, *TEXT)] == []


EXTRAS = {
    "cli": r"^\$ (?:.*\| )?interlingua ",
    "fastapi": r"interlingua\.fastapi import",
    "litestar": r"interlingua\.schemas\.litestar import",
    "testing": r"interlingua(?:\.| import )testing",
    "arrow": r"interlingua(?:\.| import )arrow",
}
"""What the blocks of a page have that need an extra."""


@pytest.mark.parametrize("page", blocks.PAGES, ids=blocks.name_of)
def test_a_page_installs_the_extras_that_it_uses(page: Path) -> None:
    code = "".join(block.code for block in blocks.blocks(page) if block.language in RUN)
    installed = "".join(re.findall(r"^\$ pip install .*interlingua.*$", code, re.MULTILINE))
    used = {extra for extra, use in EXTRAS.items() if re.search(use, code, re.MULTILINE)} if installed else set[str]()
    assert {extra for extra in used if not re.search(rf"\[[\w,]*\b{extra}\b", installed)} == set()


@pytest.mark.parametrize(
    "page",
    [
        "```python\nprint(1)\n# > 2\n```\n",
        "```python\nprint(1)\n```\n",
        "```console\n$ echo 1\n2\n```\n",
        '```json title="a.json"\n[]\n```\n\n```console\n$ cat a.json\n{}\n```\n',
        "```console\n$ interlingua formats --json --nonsense\n```\n",
    ],
)
def test_other_output_is_refused(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    with pytest.raises(blocks.Wrong, match=r"^page\.md:"):
        blocks.run(tmp_path / "page.md", tmp_path)


def test_what_other_threads_print_is_not_a_blocks_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(blocks, "ROOT", tmp_path)
    logging = "from threading import Thread\n\nlog = Thread(target=print, args=('a log',))\nlog.start()\nlog.join()\n"
    (tmp_path / "page.md").write_text(f"```python\n{logging}print(1)\n# > 1\n```\n", encoding="utf-8")
    blocks.run(tmp_path / "page.md", tmp_path)
    assert capsys.readouterr().out == "a log\n"
