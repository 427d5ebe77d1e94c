"""What the maps of Chat Completions share: the family, a dump under way, cache marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ..._model import Json
from ...format import Dumping, Wire
from ...ids import IdRules, ToolIds
from ...messages import (
    AnyPart,
    CacheControl,
)
from .profiles import ChatProfile

FAMILY = "openai"


@cache
def validators() -> tuple[Any, Any, Any]:
    """The validators of a body without its messages, of one message, and of a whole body, built on first use."""
    from . import wire  # noqa: PLC0415 -- the wire types, too, are made on first use

    return TypeAdapter(wire.Frame), TypeAdapter(wire.Message), TypeAdapter(wire.Request)


make_named = tuple[Any, ...].__new__
"""Makes a named tuple of all its fields, past the constructor that takes them by name."""
to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
LONGEST_NAME = 64
IDS = IdRules(".", 64, unique=False, shortest=0)

# What OpenAI documents beyond the canonical fields (openai 3.52.0); a strict profile sends nothing else elsewhere.
REQUEST_FIELDS = frozenset(
    "audio frequency_penalty function_call functions logit_bias logprobs modalities moderation n prediction presence_penalty "
    "prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier seed service_tier store stream_options "
    "tool_choice top_logprobs verbosity web_search_options response_format stop".split()
)
NOT_OF_CHAT = frozenset({"messages", "tools", "functions", "prompt", "suffix", "echo", "best_of"})
MESSAGE_FIELDS = frozenset({"audio"})
RESPONSE_FIELDS = frozenset({"audio", "annotations"})
CACHE_FIELDS = frozenset({"cache_control", "prompt_cache_breakpoint"})
NO_FIELDS: frozenset[str] = frozenset()
EVERY: frozenset[str] = frozenset({"*"})


class ChatDumping:
    """One dump to a Chat host: its profile, its notes, its ids."""

    def __init__(self, notes: Dumping, profile: ChatProfile) -> None:
        self.notes = notes
        self.home = notes.home
        self.profile = profile
        self.strays: list[tuple[str, AnyPart]] = []
        self.ends_with_results = False
        self.response = False
        """Whether a response is being written: its message holds one text, and fields that requests do not take."""
        self.messages: list[Wire] = []
        self.ids = ToolIds(
            IDS,
            notes.source_ids,
            lambda path, new: notes.tell("changed", path, None, f"ids are at most {IDS.longest} characters; sent as {new}"),
        )

    def fork(self, messages: list[Wire]) -> ChatDumping:
        """The same so far, to go on apart, with copies of the messages."""
        made = ChatDumping(self.notes.fork(), self.profile)
        made.strays = self.strays.copy()
        made.ends_with_results = self.ends_with_results
        made.messages = messages
        made.ids = self.ids.fork(made.ids.hashed)
        return made

    def extras(self, owner: Any, out: Wire, path: str, known: frozenset[str], refused: frozenset[str] = frozenset()) -> None:
        """The owner's own fields, where this host takes them."""
        takes: Callable[[str], bool] = (
            (lambda key: key not in refused) if self.profile.open and refused is not EVERY else known.__contains__
        )
        self.notes.extras(owner, out, path, takes)


# Cache marks


def load_cache(wire: Wire, out: dict[str, Any], taken: set[str], field: str | None) -> None:
    """Take the cache mark of a part, a message or a tool from the host's field, where it can be understood."""
    mark: Json = wire.get(field) if field is not None else None
    if type(mark) is not dict:
        return
    if field == "cache_control" and _is_mark(mark, "type", "ephemeral"):
        out["cache_control"] = mark
        taken.add("cache_control")
    elif field == "prompt_cache_breakpoint" and _is_mark(mark, "mode", "explicit"):
        out["cache_control"] = {"type": "ephemeral", **({"ttl": mark["ttl"]} if "ttl" in mark else {})}
        taken.add("prompt_cache_breakpoint")


def _is_mark(mark: Wire, key: str, value: str) -> bool:
    return mark.get(key) == value and (len(mark) == 1 or (len(mark) == 2 and type(mark.get("ttl")) is str))


def dump_cache(owner: Any, out: Wire, path: str, at: str, d: ChatDumping, *, allowed: bool = True) -> None:
    """Write the owner's cache mark as it was spelled, or as the host spells it."""
    mark: CacheControl = owner.cache_control
    field = d.profile.cache
    if field is None or not (allowed or d.home):
        d.notes.drop(path + "/cache_control", "there is no cache mark in this place")
    elif field == "cache_control":
        out[field] = mark.to_dict()
    else:
        out[field] = {"mode": "explicit"}
        if mark.ttl is not None:
            if d.home or mark.ttl in ("30m", "12h"):
                out[field]["ttl"] = mark.ttl
            else:
                d.notes.drop(path + "/cache_control/ttl", "cache times here are 30m and 12h")


def dump_frame(message: Any, out: Wire, path: str, at: str, d: ChatDumping) -> None:
    """Name, cache mark and provider data."""
    if message.name is not None:
        if d.home or (d.profile.tool_name if out["role"] == "tool" else d.profile.names):
            out["name"] = message.name
        else:
            d.notes.drop(path + "/name", f"messages of role {out['role']} have no name here")
    if message.cache_control is not None:
        dump_cache(message, out, path, at, d, allowed=d.profile.message_cache)
    if message.provider_data is not None:
        d.extras(message, out, path, RESPONSE_FIELDS if d.response else MESSAGE_FIELDS)
