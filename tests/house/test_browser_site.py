"""The documentation site in a browser: everybody can read its pages, and they ask no other host for anything."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from display.browsing import PHONE, WIDE, Visited

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
PAGES = ("", "first-steps/", "concepts/losses/", "formats/", "rules/", "reference/conversion/", "command/", "guides/agent/")
"""One of each kind: prose, code, wide tables, signatures, the picture."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, check=True)
    return folder


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("dark", "width"), [(False, WIDE), (True, PHONE)], ids=["light, wide", "dark, phone"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page(chromium: Any, axe: str, address: str, path: str, dark: bool, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
    visited = Visited(context.new_page(), address + path)
    visited.page.goto(visited.address)
    visited.page.wait_for_selector(".md-typeset__scrollwrap[tabindex], article:not(:has(table))", state="attached")
    visited.evaluate(axe)
    serious = "found.violations.filter(each => ['serious', 'critical'].includes(each.impact))"
    found = visited.evaluate(f"axe.run().then(found => {serious})")
    assert [(each["id"], each["nodes"][0]["html"][:150]) for each in found] == []
    assert [url for url in visited.requests if not url.startswith((address, "data:", "blob:"))] == []
    assert visited.messages == []
    assert visited.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()


@pytest.mark.parametrize("width", [360, PHONE, 700, WIDE])
def test_the_picture_is_whole(chromium: Any, address: str, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto(address)
    [box] = [each.bounding_box() for each in page.locator(".hub svg").all() if each.is_visible()]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("Array.from(document.querySelectorAll('.hub'), each => each.scrollWidth - each.clientWidth)") == [0]
    page.close()


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_the_address_of_a_rule_leads_to_it(chromium: Any, address: str, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{address}rules/#mistral-no-messages")
    assert page.locator("tr", has=page.locator("#mistral-no-messages")).is_visible()
    box = page.locator("#mistral-no-messages + code").bounding_box()
    assert 0 <= box["y"] <= 900
    page.close()
