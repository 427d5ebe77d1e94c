"""Checks the links of a built site: `python tools/links.py site`.

Every link inside the site leads to a page or file that is there, and to an anchor that is there; addresses of other hosts have
the right form (they are not asked for); and no page loads anything from another host.
"""

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("link", "href"), ("form", "action")}
"""What a browser loads by itself, or sends to."""

HERE = "https://here.invalid/"


class Page(HTMLParser):
    """The links of a page, with the tag that has them, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag has of links and anchors."""
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src", "action") and value is not None:
                self.links.append((tag, name, value))


@cache
def read(file: Path) -> Page:
    """The links and anchors of a file."""
    return Page(file.read_text(encoding="utf-8"))


def faults(site: Path, file: Path, counts: dict[str, int]) -> Iterator[str]:
    """What is wrong with the links of a page."""
    place = file.relative_to(site).as_posix()
    # The page for what is not found is shown in any place, so it has the site's own address in its links.
    base = HERE + ("" if place == "404.html" else place)
    for tag, name, link in read(file).links:
        parts = urlsplit(urljoin(base, link))
        if f"{parts.scheme}://{parts.netloc}/" != HERE:
            counts["to other hosts"] = counts.get("to other hosts", 0) + 1
            if (tag, name) in LOADED and parts.scheme != "data":
                yield f"{place}: <{tag}> loads from another host: {link}"
            elif parts.scheme not in ("https", "mailto", "data") or (parts.scheme == "https" and "." not in parts.netloc):
                yield f"{place}: not an address: {link}"
            continue
        counts["within"] = counts.get("within", 0) + 1
        target = site / unquote(parts.path).lstrip("/")
        target = target / "index.html" if target.is_dir() else target
        if not target.is_file():
            yield f"{place}: no such page: {link}"
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in read(target).anchors:
            yield f"{place}: no such anchor: {link}"


def main(folder: str) -> int:
    """Check a site. Returns the exit status."""
    site, counts = Path(folder), dict[str, int]()
    files = sorted(site.rglob("*.html"))
    found = [fault for file in files for fault in faults(site, file, counts)]
    print("\n".join([*found, f"{len(files)} pages, links: {counts}, {len(found)} wrong"]))
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
