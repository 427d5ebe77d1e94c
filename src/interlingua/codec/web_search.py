"""Web search, which several providers have as a tool of their own: what each says of it, in the words of all.

The words are `allowed_domains`, `blocked_domains`, `user_location` (`city`, `country`, `region`, `timezone`), `context_size`
(`low`, `medium`, `high`: how much of the results the model reads) and `max_uses`. A provider has some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..model.base import Json
from .fields import Wire

PLACE = ("city", "country", "region", "timezone")
"""What a user's location may say."""
CONTEXT_USES = {"low": 1, "medium": 5, "high": 10}
"""How many searches stand for a size of the context, where a provider limits the one and not the other."""


class Setting(NamedTuple):
    """One setting of a search: where it stands, and its value."""

    pointer: str
    value: Json


class WebSearch(NamedTuple):
    """A search, as it is read from a provider's tool."""

    settings: Mapping[str, Setting]
    """The settings that have a word."""
    rest: Sequence[str] = ()
    """Pointers to what has none."""


@dataclass(frozen=True)
class SearchForm:
    """How a provider has web search."""

    read: Callable[[Wire], WebSearch | None]
    """Reads a tool; None for any other tool."""
    write: Callable[[Mapping[str, Json]], Wire] | None = None
    """Writes a tool, or the field of the request, with these settings; None where requests of others may not ask for it."""
    takes: frozenset[str] = frozenset()
    """The settings that it has."""
    name: str | None = None
    """The name that the tool has among the functions, which no other may have."""
    alone: bool = False
    """Whether there must be no functions beside it."""
    option: str | None = None
    """The request field that turns search on, at providers where search is a setting and not a tool."""


def settings_in(options: Json, words: Mapping[str, str], pointer: str, known: Sequence[str] = ()) -> WebSearch:
    """The settings that an object has under these words, and pointers to its other fields, without those that are `known`."""
    found: dict[str, Setting] = {}
    rest: list[str] = []
    for key, value in options.items() if type(options) is dict else ():
        is_unset = value is None or value is False or value in ([], {})
        if key in words and _is_setting(words[key], value):
            found[words[key]] = Setting(f"{pointer}/{key}", value)
        elif key not in known and not is_unset:
            rest.append(f"{pointer}/{key}")
    return WebSearch(found, rest)


def _is_setting(word: str, value: Json) -> bool:
    if word.endswith("domains"):
        return type(value) is list and bool(value) and all(type(each) is str for each in value)
    if word == "user_location":
        return type(value) is dict and value.get("type", "approximate") == "approximate"
    return type(value) is int if word == "max_uses" else type(value) is str


def location(value: Json) -> Wire:
    """A user's location as most providers have it."""
    place: Json = value.get("approximate", value) if isinstance(value, dict) else {}
    known = {key: place[key] for key in PLACE if isinstance(place.get(key), str)} if isinstance(place, dict) else {}
    return {"type": "approximate", **known}
