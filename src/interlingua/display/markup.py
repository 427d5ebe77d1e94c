"""HTML that cannot be left: every text is escaped where it becomes part of an element, by its type.

`Markup` is what `element` returns. Any other string is text, so that what is forgotten is shown and not run.
"""

from __future__ import annotations

from html import escape

from .texts import harmless


class Markup(str):
    """HTML, safe as it stands."""

    __slots__ = ()


NOTHING = Markup()


def element(name: str, css: str | None, /, *children: str, **attributes: str | None) -> Markup:
    """An element with a class. An attribute that is None is left out; in names, `_` stands for `-`."""
    return Markup(f"<{name}{_attributes(css, attributes)}>{joined(*children)}</{name}>")


def void(name: str, css: str | None = None, /, **attributes: str | None) -> Markup:
    """An element that has no content."""
    return Markup(f"<{name}{_attributes(css, attributes)}>")


def joined(*children: str) -> Markup:
    """Elements and texts one after another."""
    return Markup("".join([child if type(child) is Markup else escape(harmless(child)) for child in children]))


def _attributes(css: str | None, attributes: dict[str, str | None]) -> str:
    present = {name: value for name, value in {"class": css, **attributes}.items() if value is not None}
    return "".join([f' {name.replace("_", "-")}="{escape(harmless(value))}"' for name, value in present.items()])
