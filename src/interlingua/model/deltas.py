"""Light deltas: the fields of delta events, without models, for conversions, in which users do not see them.

Nearly all events of a stream are deltas, and making a model takes as long as everything else that is done with one (500 ns, and
150 ns for these). With models, the conversion of a stream would cost 46 % more (instructions, compiled). The fold and the
writers read both in the same way, by `type` and the other fields. Readers give users the events.
"""

from __future__ import annotations

from typing import Any

from .base import Model, known


class Delta:
    """More of a part."""

    __slots__ = ("added", "choice", "index", "maker", "type")

    type: str
    """The type of its event, and the name of the field with what is added."""
    added: str
    choice: int
    index: int
    maker: DeltaMaker
    """What made it."""


_ADDED: Any = vars(Delta)["added"]
"""The slot, which each class has under the name of its event's field too."""


class LightText(Delta):
    """Stands for a `TextDelta`."""

    __slots__ = ()
    text = _ADDED


class LightThinking(Delta):
    """Stands for a `ThinkingDelta`."""

    __slots__ = ()
    thinking = _ADDED

    @property
    def field(self) -> Any:
        """Where a flat message has its reasoning."""
        return self.maker.data["field"]


class LightRefusal(Delta):
    """Stands for a `RefusalDelta`."""

    __slots__ = ()
    refusal = _ADDED


class LightArguments(Delta):
    """Stands for an `ArgumentsDelta`."""

    __slots__ = ()
    arguments = _ADDED


LIGHT: dict[str, type[Delta]] = {
    "text": LightText,
    "thinking": LightThinking,
    "refusal": LightRefusal,
    "arguments": LightArguments,
}
"""The classes by the types of the events that they stand for."""
LIGHT_TYPES = frozenset(LIGHT.values())


class DeltaMaker:
    """Makes the deltas of a part, from an event with any of them.

    They are events themselves once an event was asked for: then somebody sees them.
    """

    def __init__(self, like: Any) -> None:
        self._light = LIGHT[like.type]
        self._model: type[Model] = like.__class__
        self._type: str = like.type
        self._given: set[str] = like.model_fields_set
        self.data: dict[str, Any] = vars(like)
        self._choice: int = like.choice
        self._index: int = like.index
        self._is_seen = False

    def more(self, text: str) -> Any:
        """A delta with this text. A lone surrogate raises pydantic's `ValidationError`."""
        if self._is_seen:  # validated alone, since validation costs more than all else
            data = self.data.copy()
            data[self._type] = text
            made: Any = known(self._model, data, self._given)
            return made if text.isascii() or is_unicode(text) else made.replace(**{self._type: text})
        if not (text.isascii() or is_unicode(text)):
            self.event(text)
        light = self._light
        made = light()
        made.type = self._type
        made.added = text
        made.choice = self._choice
        made.index = self._index
        made.maker = self
        return made

    def event(self, text: str) -> Any:
        """The event of a delta with this text."""
        self._is_seen = True
        return self.more(text)


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can encode a text, which may have lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(event: Any) -> Any:
    """The event itself, or the one that a delta stands for."""
    return event.maker.event(event.added) if isinstance(event, Delta) else event


def in_first_choice(event: Any) -> Any:
    """An event as if it were one of the first choice."""
    event = whole(event)
    return known(event.__class__, event.__dict__ | {"choice": 0}, event.model_fields_set)
