"""What the functions of Ollama's chat share: the validators, the state of a dump, and which images are addresses."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import Wire
from ...codec.ids import IdRules, Unanswered

FAMILY = "ollama"
LONGEST_NAME = 2**31
"""Names of tools may have any length."""
IDS = IdRules(".", 2**31, unique=False)


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


class OllamaDump(Dump):
    """A dump to Ollama's chat."""

    longest_name = LONGEST_NAME
    is_response = False
    """Whether a response is dumped."""

    def begin(self) -> None:
        """Begin without calls."""
        self.calls: dict[str, str] = {}
        """The function of each call, by the source's id."""
        self.without_id = Unanswered()
        """The calls without an id that have no result yet, by number."""
        self.numbers = 0

    def fork(self, written: Any, copied: Any, /) -> Any:
        """An independent copy."""
        made = super().fork(written, copied)
        made.calls = self.calls.copy()
        made.without_id = self.without_id.copy()
        return made

    def note_call(self, id: str | None, name: str) -> None:
        """Remember the function of a call, for its result."""
        if id is not None:
            self.calls[id] = name
        else:
            self.numbers += 1
            self.without_id.add(str(self.numbers), name)

    def answered(self, id: str | None, name: str | None) -> str | None:
        """The function that a result answers; without an id, it answers the first call without an id that has no result yet."""
        if id is not None:
            return self.calls.get(id) if name is None else name
        call = self.without_id.take(name)
        return name if call is None else call[1]

    def fitting_name(self, raw: str, longest: int) -> str:
        """The name itself: Ollama accepts any."""
        return raw if self.same_family else raw[:longest]


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a part or tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}


def is_address(image: str) -> bool:
    """Whether an image is a URL or a data URI, where only base64 is allowed."""
    return image[:5].lower() in ("data:", "http:", "https")
