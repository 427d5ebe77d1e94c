"""What the maps of Chat Completions share: validators, the state of a dump, cache marks, and the other fields of messages."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, NamedTuple, Self

from pydantic import TypeAdapter

from ...codec.caching import report_marked
from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.hosted.references import defer
from ...codec.ids import IdRules, tool_name
from ...codec.settings import cache_time
from ...codec.shared import is_usual
from ...errors import excerpt
from ...model.base import Json
from .profiles import STANDARD_ONLY, ChatProfile
from .versions import why_unmarked

FAMILY = "openai"


@cache
def adapter(name: Literal["Frame", "Message", "Request", "Response"]) -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use: a body without its messages, a message, a whole body, or a response."""
    from . import wire  # noqa: PLC0415 -- building the wire types takes long

    return TypeAdapter(getattr(wire, name))


to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
LONGEST_NAME = 64
LONGEST_KNOWN_NAME = 128
"""The longest name of a tool that a request of this shape may already have; the rule `tool-name-pattern` has the evidence."""
_FREE_IDS = IdRules(".", 64, unique=False)


def id_rules(profile: ChatProfile) -> IdRules:
    """The rules of the host for the ids of tool calls."""
    length = profile.id_length
    return _FREE_IDS if length is None else IdRules("[A-Za-z0-9]", length, unique=False, shortest=length)


REASONING = ("thinking", "redacted_thinking")
"""The types of parts with reasoning."""
SEED_FIELDS = frozenset({"seed", "random_seed"})
"""The names of the field for the seed; each host has one."""
NOT_OF_CHAT = frozenset({"messages", "tools", "functions", "prompt", "suffix", "echo", "best_of"})
CACHE_FIELDS = frozenset({"cache_control", "prompt_cache_breakpoint", "copilot_cache_control"})
STRUCTURED = "structured_outputs"
"""What an answer must fit, at vLLM: a schema is in its field `json`, or in `guided_json` in older versions."""


def own_fields(owner: Any) -> Wire:
    """The provider data of this family."""
    overlays: Wire = owner.provider_data or {}
    fields: Wire = overlays.get(FAMILY, {})
    return fields


def spell(out: dict[str, Any], field: str, word: str) -> None:
    """Record how a field was spelled, in the data that a loader has made."""
    record = out["wire"] = {**out.get("wire", {})}
    record["spelling"] = {**record.get("spelling", {}), field: word}


class FunctionCall(NamedTuple):
    """The call in `function_call`, which has no id: its result is the message of role `function` with the same name."""

    name: str
    from_response: bool


@dataclass
class Progress:
    """What has been written so far, as far as it affects the messages that follow."""

    messages: list[Wire]
    strays: list[tuple[str, Any]]
    """Images and files of tool messages, which go into a user message after the results."""
    ends_with_results: bool = False
    ends_exactly: bool = False
    """Whether the last message was written as it was loaded."""
    function_call: FunctionCall | None = None
    """The `function_call` of the last message, until its result is written."""
    called: Mapping[str | int, str] | None = None
    """The names of the last answer's calls, if results must have them: by id, or by number among the calls without an id."""
    answered: int = 0
    """How many calls without an id have a result."""

    def name_called(self, id: str | None) -> str | None:
        """The name of the call with this id; without an id, the name of the next call without one, which now has its result."""
        name = None if self.called is None else self.called.get(self.answered if id is None else id)
        self.answered += id is None
        return name


class ChatDump(Dump):
    """A dump to a Chat host."""

    profile: ChatProfile
    is_response = False
    """Whether a response is dumped: its message has one text, and may have fields that requests must not have."""
    model: str | None = None
    """The model of the request, if it is known."""
    search_options: Wire | None = None
    """The setting of another provider's request that turns web search on, as a field of this request."""

    def begin(self) -> None:
        """Begin without messages."""
        self.content = self.profile.content
        """How content is written: as it was loaded, as one `string` if it is text alone, or always as a `list`."""
        self.progress = Progress([], [])
        self.takes_custom = self.profile.custom_tools

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, in which `copied` replaces the messages written so far."""
        made = super().fork(written, copied)
        made.progress = replace(self.progress, messages=copied, strays=self.progress.strays.copy())
        return made

    def adopt(self, family: str, overlay: Wire, out: Wire, /) -> Wire:
        """Write the mark of a tool that another provider's request defers."""
        return defer(family, overlay, out, self) if self.refers else overlay

    def is_foreign(self, issuer: str | None) -> bool:
        """Whether this host can neither verify nor read what the issuer made."""
        return not self.exact and issuer is not None and not self.profile.signers & {issuer, "*"}

    def fitting_name(self, raw: str, longest: int, /) -> str:
        """The name itself, or a similar name that the host accepts; answers keep the names that another host's calls have."""
        if self.profile.any_tool_name or (self.same_family and (self.is_response or self.of_response)):
            return raw
        return tool_name(raw, LONGEST_KNOWN_NAME if self.same_family else longest)

    def own_value(self, owner: Any, path: str, what: str) -> Wire | None:
        """A copy of a value that is kept verbatim; None, with a report, if this host has no place for it."""
        if self.exact or self.profile.open:
            return super().own_value(owner, path, what)
        return self.refuse(path, self.no_place_for(owner, what))

    def keep_fields(self, owner: Any, out: Wire, path: str, known: Container[str] = (), refused: Container[str] = ()) -> None:
        """Write an object's provider data: all that an open host accepts, or the fields that OpenAI documents."""
        if owner.provider_data is not None:
            is_open = self.profile.open
            self.lay_provider_data(owner, out, path, lambda key: key not in refused if is_open else key in known)


def fit_tier(out: Wire, d: ChatDump) -> None:
    """Leave out a service tier that only other hosts of this shape have, or write the host's word for it."""
    tier: Json = out.get("service_tier")
    if tier is None or d.exact:
        return
    where, why = tier_refused(d.profile)
    is_other = type(tier) is str and tier in _STANDARD and not d.of_response and tier not in d.profile.tiers
    own = next(iter(_STANDARD & d.profile.tiers), None) if is_other else None
    if own is not None:
        out["service_tier"] = own
        d.report("changed", where, "/service_tier", f"{d.target.name} has this service tier under the name {own}")
    elif not takes_tier(tier, d.profile):
        del out["service_tier"]
        if d.of_response or not is_usual("service_tier", tier):
            d.drop(where, why)


_STANDARD = frozenset({"default", *STANDARD_ONLY})
"""The words for standard capacity alone, of which each host has at most one."""


def takes_tier(tier: Json, profile: ChatProfile) -> bool:
    """Whether the host is known to have this service tier."""
    return profile.open or type(tier) is not str or tier in profile.tiers


def tier_refused(profile: ChatProfile) -> tuple[str, str]:
    """The field of a service tier that the host does not have, and why it is left out."""
    return f"/provider_data/{FAMILY}/service_tier", f"`service_tier` must be one of {', '.join(sorted(profile.tiers))}"


# Cache marks


_MARKS = {
    "cache_control": ("type", "ephemeral"),
    "prompt_cache_breakpoint": ("mode", "explicit"),
    "copilot_cache_control": ("type", "ephemeral"),
}
"""The fields of cache marks, and the key and value that a mark must have in each.

GitHub Copilot has `copilot_cache_control` on messages and tools (github/gh-aw, `sample_copilot_log.txt`).
"""


def _is_mark(mark: Wire, key: str, value: str) -> bool:
    """Whether a cache mark has a known form: this key and value, and perhaps a duration as text."""
    return mark.get(key) == value and type(mark.get("ttl", "")) is str


def load_cache(fields: FieldReader, out: dict[str, Any], usual: str | None) -> None:
    """Take the cache mark of a part, message, tool or call if its form is known: from the usual field, else from another."""
    if CACHE_FIELDS.isdisjoint(fields.wire):
        return
    for field in sorted(_MARKS, key=lambda name: name != usual):
        mark: Json = fields.wire.get(field)
        key, value = _MARKS[field]
        if type(mark) is dict and _is_mark(mark, key, value):
            out["cache_control"] = {"type": "ephemeral"}
            inner = fields.inside(field)
            inner.know(key)
            inner.move(out["cache_control"], "ttl")
            if field != usual:
                fields.spelling["cache"] = field
            return


def dump_cache(owner: Any, out: Wire, path: str, d: ChatDump, *, allowed: bool = True) -> None:
    """Write the cache mark of an object as it was loaded, or in the host's field."""
    mark = owner.cache_control
    if mark is None:
        return
    field = spelling(owner, "cache") if d.exact else None
    if field not in CACHE_FIELDS:
        field = d.profile.cache if allowed else None
    if field is None:
        d.drop(path + "/cache_control", f"{d.target.name} does not take a cache mark in this place")
    elif field != "prompt_cache_breakpoint":
        out[field] = mark.to_dict()
    elif not d.exact and (why := why_unmarked(d.model)) is not None:
        d.drop(path + "/cache_control", why)
    else:
        out[field] = {"mode": "explicit", **cache_time(d, mark.ttl, path + "/cache_control", "30m", "12h")}


def _mark_message(message: Any, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Write a message's cache mark: on its last part if the host has marks on parts alone."""
    is_own = d.profile.message_cache or (d.exact and spelling(message, "cache") in CACHE_FIELDS)
    if is_own or d.profile.cache is None:
        dump_cache(message, out, path, d, allowed=is_own)
        return
    content: Json = out.get("content")
    if d.profile.cache != "cache_control" and (why := why_unmarked(d.model)) is not None:
        d.drop(path + "/cache_control", why)
        return
    if not content or (type(content) is str and d.profile.content == "string"):
        d.drop(path + "/cache_control", "a cache mark must be on a part, and the message has none")
        return
    parts: list[Any] = content if type(content) is list else [{"type": "text", "text": content}]
    here = f"{at}/content/{len(parts) - 1}"
    if not CACHE_FIELDS.isdisjoint(parts[-1]) or parts[-1].get("type") == "refusal":
        d.drop(path + "/cache_control", "the last part has a cache mark already, or cannot have one")
        return
    if content is not parts:
        out["content"] = parts
        d.places[here] = path + "/content"
    moved = "a cache mark must be on a part: that of the message is put on its last part"
    d.report("moved", path + "/cache_control", f"{here}/{d.profile.cache}", moved)
    dump_cache(message, parts[-1], path, d)
    report_marked(path, here, d)


NOT_IN_NAMES = re.compile(r"[\s<|\\/>]")
"""What OpenAI refuses in the name of an author."""


def _author(name: str, path: str, at: str, d: ChatDump) -> str | None:
    """The name of a message's author as OpenAI accepts it, if any; the rule `message-name-pattern` names the evidence."""
    if not name:
        d.drop(path + "/name", "the name of an author must not be empty")
        return None
    fitted = NOT_IN_NAMES.sub("_", name)
    if fitted != name:
        why = f"the name of an author must not have white space or any of < | \\ / >; sent as {excerpt(fitted)}"
        d.report("changed", path + "/name", at + "/name", why)
    return fitted


def dump_frame(message: Any, out: Wire, path: str, at: str, d: ChatDump, *, named: bool = False) -> None:
    """Write a message's name, cache mark and provider data; if `named`, its name is in its call."""
    fields = message.__dict__
    if fields.get("name") is None and fields.get("cache_control") is None and fields.get("provider_data") is None:
        return  # true of most messages
    if message.name is not None:
        if d.exact or (d.profile.tool_name if out["role"] == "tool" else d.profile.names):
            if out["role"] == "tool" and not d.exact:
                out["name"] = d.tool_name(d.full_name(message, path), path, LONGEST_NAME)
            elif d.exact or d.profile.free_names:
                out["name"] = message.name
            elif (author := _author(message.name, path, at, d)) is not None:
                out["name"] = author
        elif not named:
            d.drop(path + "/name", f"{d.target.name} does not take `name` in messages of role {excerpt(out['role'])}")
    if message.cache_control is not None:
        _mark_message(message, out, path, at, d)
    known = d.profile.answer_fields if d.is_response else d.profile.message_fields
    d.keep_fields(message, out, path, known if out["role"] == "assistant" else ())
