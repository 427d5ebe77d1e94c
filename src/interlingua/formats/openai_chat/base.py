"""What the maps of Chat Completions share: the family, a dump under way, cache marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self

from pydantic import TypeAdapter

from ...codec.fields import Wire
from ...codec.format import Dump, Format
from ...codec.ids import IdRules
from ...model.base import Json
from ...model.messages import (
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


new_tuple = tuple[Any, ...].__new__
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


class Progress:
    """What has been written so far, and what the next messages must know of it."""

    def __init__(self, messages: list[Wire]) -> None:
        self.messages = messages
        self.strays: list[tuple[str, AnyPart]] = []
        """Images and files of tool messages, which go into a user message behind the results."""
        self.ends_with_results = False

    def copy(self, messages: list[Wire]) -> Progress:
        """An independent copy, with copies in the place of the messages."""
        made = Progress(messages)
        made.strays, made.ends_with_results = self.strays.copy(), self.ends_with_results
        return made


class ChatDump(Dump):
    """A dump to a Chat host."""

    def __init__(self, target: Format, source: Format | None, **options: Any) -> None:
        super().__init__(target, source, **options)
        self.profile: ChatProfile = target.profile
        self.progress = Progress([])
        self.is_response = False
        """Whether a response is being written: its message holds one text, and fields that requests do not accept."""

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, where `copied` takes the place of the messages written so far."""
        made = super().fork(written, copied)
        made.progress = self.progress.copy(copied)
        return made

    def keep_fields(
        self, owner: Any, out: Wire, path: str, known: frozenset[str], refused: frozenset[str] = frozenset()
    ) -> None:
        """Write the owner's own fields, where this host accepts them."""
        accepts: Callable[[str], bool] = (
            (lambda key: key not in refused) if self.profile.open and refused is not EVERY else known.__contains__
        )
        self.lay_provider_data(owner, out, path, accepts)


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


def dump_cache(owner: Any, out: Wire, path: str, at: str, d: ChatDump, *, allowed: bool = True) -> None:
    """Write the owner's cache mark as it was spelled, or as the host spells it."""
    mark: CacheControl = owner.cache_control
    field = d.profile.cache
    if field is None or not (allowed or d.exact):
        d.drop(path + "/cache_control", "there is no cache mark in this place")
    elif field == "cache_control":
        out[field] = mark.to_dict()
    else:
        out[field] = {"mode": "explicit"}
        if mark.ttl is not None:
            if d.exact or mark.ttl in ("30m", "12h"):
                out[field]["ttl"] = mark.ttl
            else:
                d.drop(path + "/cache_control/ttl", "cache times here are 30m and 12h")


def dump_frame(message: Any, out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Name, cache mark and provider data."""
    if message.name is not None:
        if d.exact or (d.profile.tool_name if out["role"] == "tool" else d.profile.names):
            out["name"] = message.name
        else:
            d.drop(path + "/name", f"messages of role {out['role']} have no name here")
    if message.cache_control is not None:
        dump_cache(message, out, path, at, d, allowed=d.profile.message_cache)
    if message.provider_data is not None:
        d.keep_fields(message, out, path, RESPONSE_FIELDS if d.is_response else MESSAGE_FIELDS)
