"""What the maps of Anthropic Messages share: the profile, a dump under way, cache marks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, Self

from pydantic import TypeAdapter

from ...codec.fields import Wire
from ...codec.format import Format
from ...codec.ids import IdRules
from ...codec.turns import BlockDump
from ...model.base import Json

FAMILY = "anthropic"


@cache
def adapter() -> TypeAdapter[Any]:
    """The validator of a request body, built on first use."""
    from .wire import Request  # noqa: PLC0415 -- the wire types, too, are made on first use

    return TypeAdapter(Request)


LONGEST_NAME = 128
IDS = IdRules("[A-Za-z0-9_-]", 128, unique=True)
TEXT_TYPES = frozenset({"application/json", "application/xml", "application/yaml"})
IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
MOST_MARKS = 4
CACHE_TIMES = frozenset({"5m", "1h"})
EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})


class AnthropicProfile(NamedTuple):
    """One host's or model's habits in the Messages shape; the defaults suit them all."""

    system_in_conversation: bool = False
    """Whether system messages may stand among the others; they become user messages where not."""
    prefill: bool = True
    """Whether the last message may be the assistant's."""
    sampling: bool = False
    """Whether temperature, top_p and top_k may be sent (gone from the types of anthropic 2.11.0)."""
    input_as_text: bool = False
    """Whether tool input is JSON text (AskTable)."""
    content: Literal["keep", "string", "list"] = "keep"
    """Whether content is written as it is spelled, as one string where it is text alone, or always as a list (AskTable)."""
    unsigned_thinking: bool = False
    """Whether thinking without a signature may be sent."""
    issuers: frozenset[str] = frozenset({"anthropic"})
    """Whose signatures, encrypted reasoning and file ids may be sent here."""


class Mark(NamedTuple):
    """A cache mark: where it was written, whose it is, and whether its owner is written exactly."""

    at: str
    path: str
    exact: bool


class MessagesDump(BlockDump):
    """A dump to the Messages shape."""

    def __init__(self, target: Format, source: Format | None, **options: Any) -> None:
        super().__init__(target, source, **options)
        self.profile: AnthropicProfile = target.profile
        self.content = self.profile.content
        self.reads_input = not self.profile.input_as_text
        self.marks: list[Mark] = []

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, where `copied` takes the place of the messages written so far."""
        made = super().fork(written, copied)
        made.marks = self.marks.copy()
        return made

    def is_foreign(self, issuer: str | None) -> bool:
        """Whether what this issuer made means nothing here."""
        return not self.exact and issuer is not None and issuer not in self.profile.issuers


# Cache marks


def load_cache(wire: Wire, out: dict[str, Any], taken: set[str]) -> None:
    mark: Json = wire.get("cache_control")
    if type(mark) is not dict or mark.get("type") != "ephemeral":
        return
    if len(mark) == 1 or (len(mark) == 2 and type(mark.get("ttl")) is str):
        out["cache_control"] = mark
        taken.add("cache_control")


def dump_cache(owner: Any, out: Wire, path: str, at: str, d: MessagesDump) -> None:
    mark: Wire = owner.cache_control.to_dict()
    d.marks.append(Mark(at, path, d.exact))
    if not d.exact and mark.get("ttl", "5m") not in CACHE_TIMES:
        del mark["ttl"]
        d.drop(path + "/cache_control/ttl", "cache times here are 5m and 1h")
    out["cache_control"] = mark
