"""Tools that several providers run on their servers: web search, web fetch of a page at a URL, and code execution.

Their settings have names that all formats share: `allowed_domains`, `blocked_domains`, `user_location` (`city`, `country`,
`region`, `timezone`), `context_size` (`low`, `medium`, `high`: how much of the results the model reads), `max_uses` and
`max_content_tokens`. Each provider has some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from ...errors import escape
from ...model.base import Json
from ..fields import Wire

WEB_SEARCH = "web search"
WEB_FETCH = "web fetch"
CODE_EXECUTION = "code execution"
PLACE = ("city", "country", "region", "timezone")
"""The fields of a user's location."""
CONTEXT_USES = {"low": 1, "medium": 5, "high": 10}
"""The number of searches for each context size, for a provider that limits the number and not the size."""


class Setting(NamedTuple):
    """A setting of a tool: its pointer and its value."""

    pointer: str
    value: Json


class ToolSettings(NamedTuple):
    """The settings that were read from a provider's tool."""

    settings: Mapping[str, Setting]
    """The settings, by their shared names."""
    rest: Sequence[str] = ()
    """Pointers to the fields without a shared name."""
    pointer: str = ""
    """The pointer of the tool in the object that was read, which may have several tools."""
    beside: Sequence[str] = ()
    """Pointers to whatever else that object has."""


@dataclass(frozen=True, eq=False)
class ServerTool:
    """A provider's form of a tool that its server runs: an object among the tools, a field of the request, or either."""

    read: Callable[[Wire], ToolSettings | None]
    """Reads a tool; None for any other tool."""
    write: Callable[[Mapping[str, Json]], Wire] | None = None
    """Writes it with these settings; None if requests of other providers must not get it."""
    takes: frozenset[str] = frozenset()
    """The names of the settings that it has."""
    name: str | None = None
    """The name of the tool, which no function may have."""
    alone: str | None = None
    """Why the target refuses this tool, and its other own tools, beside functions; None if it accepts them."""
    option: str | None = None
    """The field of a request that turns it on, if there is one."""
    read_option: Callable[[Wire], ToolSettings | None] | None = None
    """Reads that field."""
    in_option: bool = False
    """Whether `write` makes that field, and not a tool."""


ServerTools: TypeAlias = Mapping[str, ServerTool]
"""Forms of tools by their names."""


def search_by_option(tools: ServerTools, fields: Wire) -> tuple[ToolSettings, str] | None:
    """The web search that a field of a request turns on, and the name of that field."""
    search = tools.get(WEB_SEARCH)
    if search is None or search.option is None or search.read_option is None:
        return None
    options: Json = fields.get(search.option)
    found = search.read_option(options) if type(options) is dict else None
    return None if found is None else (found, search.option)


def settings_in(options: Json, words: Mapping[str, str], pointer: str, known: Sequence[str] = ()) -> ToolSettings:
    """The settings in an object, by the shared names of its fields, and pointers to the other fields that are not `known`."""
    found: dict[str, Setting] = {}
    rest: list[str] = []
    for key, value in options.items() if type(options) is dict else ():
        is_unset = value is None or value is False or value in ([], {})
        if key in words and _is_setting(words[key], value):
            found[words[key]] = Setting(f"{pointer}/{key}", value)
        elif key not in known and not is_unset:
            rest.append(f"{pointer}/{escape(key)}")
    return ToolSettings(found, rest)


def _is_setting(word: str, value: Json) -> bool:
    if word.endswith("domains"):
        return type(value) is list and bool(value) and all(type(each) is str for each in value)
    if word == "user_location":
        return type(value) is dict and value.get("type", "approximate") == "approximate"
    return type(value) is int if word in ("max_uses", "max_content_tokens") else type(value) is str


def _unknown_in_location(value: Json, pointer: str) -> list[str]:
    """Pointers to the fields of a user's location that `location` leaves out."""
    if type(value) is not dict:
        return []
    place: Json = value.get("approximate")
    if type(place) is dict:
        return [
            *settings_in(value, {}, pointer, ("type", "approximate")).rest,
            *_unknown_in_location(place, f"{pointer}/approximate"),
        ]
    known = [key for key in PLACE if type(value.get(key)) is str]
    return [*settings_in(value, {}, pointer, ("type", *known)).rest]


def location(value: Json) -> Wire:
    """A user's location in the form that most providers use."""
    place: Json = value.get("approximate", value) if isinstance(value, dict) else {}
    known = {key: place[key] for key in PLACE if isinstance(place.get(key), str)} if isinstance(place, dict) else {}
    return {"type": "approximate", **known}


def fit_settings(
    kind: str, found: ToolSettings, form: ServerTool, inside: str, d: Any
) -> tuple[dict[str, Json], list[tuple[str, str]]]:
    """The settings of a tool that the target has, too, and the changes to report: a pointer and a detail for each.

    `inside` is the pointer of the tool's object, and `d` the `Dump`, which this module cannot import. Reports what is left out.
    """
    settings = {name: setting.value for name, setting in found.settings.items() if name in form.takes}
    changes: list[tuple[str, str]] = []
    rest = list(found.rest)
    if "user_location" in settings:
        where, place = found.settings["user_location"]
        rest += _unknown_in_location(place, where)
        settings["user_location"] = location(place)
    for name, (pointer, value) in found.settings.items():
        uses = CONTEXT_USES.get(value) if name == "context_size" and isinstance(value, str) else None
        if name in settings:
            continue
        if uses is not None and "max_uses" in form.takes and "max_uses" not in found.settings:
            settings["max_uses"] = uses
            changes.append((inside + pointer, f"{d.target.name} limits the number of searches instead; sent as {uses}"))
        else:
            d.drop(inside + pointer, f"{d.target.name} does not have this setting of {kind}")
    for pointer in rest:
        d.drop(inside + pointer, f"{d.target.name} does not have this setting of {kind}")
    return settings, changes
