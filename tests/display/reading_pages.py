"""What is in a page, read by the standard library's parser: its elements, their attributes, and its text."""

from functools import cached_property
from html.parser import HTMLParser
from typing import NamedTuple

# What pages are made of. Nothing here loads, runs, submits or moves anything.
GLOBAL = {"class", "id", "dir", "lang"}
PLAIN = (
    "html head body title style header footer section h1 h2 h3 p div span bdi strong code pre ul ol li dl dt dd mark del ins h4"
)
ALLOWED: dict[str, set[str]] = {
    **{name: set() for name in f"{PLAIN} details summary figure figcaption".split()},
    "main": {"tabindex"},
    "nav": {"aria-label"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "meta": {"charset", "http-equiv", "content", "name"},
}
VOID = {"img", "meta"}
IMAGES = tuple(f"data:image/{kind};base64," for kind in ("png", "jpeg", "gif", "webp"))


class Element(NamedTuple):
    name: str
    attributes: dict[str, str | None]


class Read(HTMLParser):
    """A page, read; raises `AssertionError` where elements are not nested or not among those that pages are made of."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.style = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        assert len(attributes) == len(attrs)
        assert attributes.keys() <= ALLOWED[tag] | GLOBAL, (tag, attributes)
        assert str(attributes.get("href", "#")).startswith("#")
        assert tag != "img" or str(attributes["src"]).startswith(IMAGES)
        self.elements.append(Element(tag, attributes))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data[:80]}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data[:80]}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data[:80]}")

    @cached_property
    def text(self) -> str:
        """All text, without white space."""
        return squeezed("".join(self.texts))


def squeezed(text: str) -> str:
    """A text without white space: JSON is shown with line breaks of its own."""
    return "".join(text.split())
