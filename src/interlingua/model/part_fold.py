"""The fold of one part, for writers: what is known of a part while its events come."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import ValidationError

from .base import Json, members
from .events import Event, Fold, block_of
from .parts import Part

_MODELS: dict[str, Any] = {get_args(model.model_fields["type"].annotation)[0]: model for model in members(Part)}


class PartFold(Fold):
    """Folds the events of one part of the first answer."""

    def __init__(self) -> None:
        super().__init__()
        self._answer = self._choice(0)
        self._answer.spelling = "blocks"
        self.made: Any = None
        """The part, if it was made after the last event."""

    def add(self, event: Event) -> None:
        """Take one event of the part."""
        self.made = None
        self.TAKES[type(event)](self, event)

    def has(self, field: str) -> bool:
        """Whether the value of an opaque part has a field by now."""
        (part,) = self._answer.parts.values()
        value: Json = part.data.get("value")
        return type(value) is dict and field in value

    def part(self) -> Any:
        """The part so far. Raises pydantic's `ValidationError` with the path that the part has in a response."""
        if self.made is None:
            (part,) = self._answer.parts.values()
            try:
                self.made = _MODELS[part.kind].model_validate(block_of(part))
            except (KeyError, ValidationError):
                self.made = self.response().message.parts[0]
        return self.made
