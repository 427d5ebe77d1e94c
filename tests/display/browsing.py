"""A browser for tests of pages: Debian's Chromium, of which every request, message and dialog is recorded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import pytest

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
WIDE, PHONE = 1280, 390


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser; its program is that of the variable CHROMIUM, or the one that is installed."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.fail("Chromium is not installed: apt-get install --no-install-recommends chromium, or set CHROMIUM to a program")
    # Without types where types are checked: another environment has it.
    playwright: Any = import_module("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    package: Any = import_module("axe_playwright_python")
    return Path(package.__file__).with_name("axe.min.js").read_text("utf-8")


class Visited:
    """A page in the browser, with all that it asked for and said."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.requests: list[str] = []
        self.refused: list[str] = []
        self.messages: list[str] = []
        page.on("request", self._request)
        page.on("requestfailed", self._failed)
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.on("dialog", self._dialog)
        page.context.on("page", self._window)

    def _request(self, request: Any) -> None:
        self.requests.append(request.url)

    def _failed(self, request: Any) -> None:
        if request.failure == "csp":
            self.refused.append(request.url)

    def _console(self, message: Any) -> None:
        self.messages.append(message.text)

    def _error(self, error: Any) -> None:
        self.messages.append(str(error))

    def _dialog(self, dialog: Any) -> None:
        self.messages.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _window(self, page: Any) -> None:
        self.messages.append(f"a window: {page.url}")

    def evaluate(self, script: str) -> Any:
        """What a script returns, which the page's policy has no say in."""
        return self.page.evaluate(script)

    def expect_inert(self) -> None:
        """Nothing has been loaded but the page and the images in it; nothing has run, and nothing has been refused."""
        assert [url[:200] for url in self.requests if not url.startswith("data:image/")] == [self.address]
        assert self.messages == []
        assert self.evaluate("window.ran") is None
        assert self.evaluate("window.frames.length") == 0
        assert self.page.url.partition("#")[0] == self.address

    def open_all(self) -> None:
        """Open what is folded."""
        self.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")

    def expect_accessible(self, axe: str) -> None:
        """Axe finds nothing at all, whether parts are folded or not; and nothing goes beyond the width of the window."""
        self.evaluate(axe)
        for _ in range(2):
            found = self.evaluate("axe.run().then(found => found.violations)")
            assert [(each["id"], each["impact"], each["nodes"][0]["html"]) for each in found] == []
            self.open_all()
        self.expect_no_scrolling()

    def expect_no_scrolling(self) -> None:
        """Nothing goes beyond the width of the window, when everything is open."""
        self.open_all()
        assert self.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def _only_files(route: Any) -> None:
    """Let nothing leave: what is not the page itself is an error."""
    if route.request.url.startswith("file:"):
        route.continue_()
    else:
        route.abort()


class Visit(Protocol):
    """Open HTML in a browser."""

    def __call__(
        self, html: str, *, dark: bool = False, width: int = WIDE, policy: bool = True, scripts: bool = True
    ) -> Visited: ...


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Visit]:
    """Opens HTML as a file; `policy=False` ignores its Content-Security-Policy."""
    contexts: list[Any] = []

    def opened(html: str, *, dark: bool = False, width: int = WIDE, policy: bool = True, scripts: bool = True) -> Visited:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(html, "utf-8")
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            bypass_csp=not policy,
            java_script_enabled=scripts,
        )
        contexts.append(context)
        context.route("**/*", _only_files)
        visited = Visited(context.new_page(), file.as_uri())
        visited.page.goto(file.as_uri())
        return visited

    yield opened
    for context in contexts:
        context.close()
