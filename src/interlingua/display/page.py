"""Pages that stand alone, and fragments for notebooks.

`page(outline)` is a whole page: one file without scripts. Its policy (Content-Security-Policy) allows its style and the images
in it, and nothing else, so no request leaves it. `pages` has several conversations on one. `fragment(outline)` is what a
notebook shows of a value: the same elements without headings and anchors, in its own colours, and only as much as fits.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files

from .difference import Difference
from .drawing import NOTEBOOK, PAGE, Room, drawn
from .forms import Forms
from .markup import Markup, element, joined, void
from .outline import Outline
from .side_by_side import drawn_difference, drawn_forms
from .texts import counted, one_line


def page(shown: Outline | Forms, title: str | None = None) -> str:
    """A page of an outline, or of forms; `title` is what it is a page of, such as the name of a file."""
    return document(title or shown.title, *_drawn(shown, PAGE, title), wide=isinstance(shown, Forms))


def pages(shown: Sequence[tuple[str, Outline | Forms]], title: str) -> str:
    """A page of several outlines or forms, each with its title, and a list of them that leads to each."""
    if len(shown) == 1:
        return page(shown[0][1], shown[0][0])
    sections = [
        element("section", "il-one", *_drawn(whole, replace(PAGE, prefix=f"c{number}-", deeper=1), name), id=f"c{number}")
        for number, (name, whole) in enumerate(shown, 1)
    ]
    items = [element("li", None, element("a", None, name, href=f"#c{number}")) for number, (name, _) in enumerate(shown, 1)]
    head = [
        element("h1", "il-title", title),
        element("p", "il-quiet", counted(len(shown), "conversation")),
        element("nav", "il-list", element("ol", None, *items), aria_label="Conversations"),
    ]
    return document(title, joined(*head), *sections, wide=any(isinstance(whole, Forms) for _, whole in shown))


def page_of_difference(found: Difference, names: tuple[str, str]) -> str:
    """A page of what differs between two conversations, with their names."""
    return document(f"{names[0]} and {names[1]}", *drawn_difference(found, names, PAGE), wide=True)


def _drawn(shown: Outline | Forms, room: Room, title: str | None) -> tuple[Markup, Markup]:
    return drawn(shown, room, title) if isinstance(shown, Outline) else drawn_forms(shown, room, title)


def fragment(outline: Outline) -> str:
    """What a notebook shows of an outline."""
    return joined(element("style", None, Markup(style())), element("div", "il il-inside", *drawn(outline, NOTEBOOK)))


def document(title: str, head: Markup, *body: Markup, wide: bool = False) -> str:
    """A whole page, with what is above its main part and what is in it; columns need a wide one."""
    policy = f"default-src 'none'; style-src '{_style_hash()}'; img-src data:; base-uri 'none'; form-action 'none'"
    meta = [
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=policy),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("meta", name="referrer", content="no-referrer"),
        element("title", None, one_line(title)),
        element("style", None, Markup(style())),
    ]
    inside = [
        element("a", "il-skip", "Skip to the conversation", href="#main"),
        element("header", "il-top", head),
        element("main", "il-main", *body, id="main", tabindex="-1"),
        element("footer", "il-foot", "Made by interlingua. This page is complete: it loads nothing and runs nothing."),
    ]
    whole = element(
        "html",
        None,
        element("head", None, *meta),
        element("body", "il il-page il-wide" if wide else "il il-page", *inside),
        lang="en",
    )
    return f"<!doctype html>\n{whole}\n"


@cache
def style() -> str:
    """The style of pages and fragments."""
    return files(__package__ or "").joinpath("page.css").read_text("utf-8")


@cache
def _style_hash() -> str:
    return f"sha256-{b64encode(sha256(style().encode()).digest()).decode()}"
