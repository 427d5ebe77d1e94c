"""`fill=`: adds the fields that the official client's models require of a response, where the source did not have them.

The caller passes the values, or functions that make them, because this package reads no clock and draws no random numbers. Each
added value is reported once, as a loss of kind `added`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from ..codec.fields import Wire
from ..codec.format import Format, Writing
from ..codec.required import RequiredFields, fill_in
from ..errors import InvalidPayload, Loss, faults_of
from ..formats import FORMATS
from ..model.exchange import Response, Usage
from .losses import FILLED

if TYPE_CHECKING:
    from ..model.events import MessageStart, Update

_IDENTITY: Final = ("id", "model", "created")
_LATE = "the source's value came after another one had been filled in and sent"


@dataclass(frozen=True)
class Fill:
    """The values that `fill=` adds to a response that lacks them; None stands for the value that `fill=True` adds.

    Each is a value, or a function without arguments, which is called at most once for each response or stream, and only if the
    value is missing. `created` is in seconds since 1970; a fraction is cut off. A value for which the target has no field is
    not written. Raises `InvalidPayload` for a value that a `Response` does not accept; the result of a function is checked when
    it is called.
    """

    id: str | Callable[[], str] | None = None
    model: str | Callable[[], str] | None = None
    created: float | Callable[[], float] | None = None
    usage: Usage | Callable[[], Usage] | None = None

    def __post_init__(self) -> None:
        for name in (*_IDENTITY, "usage"):
            value = getattr(self, name)
            if not (value is None or callable(value)):
                _checked(name, value)


def _checked(name: str, value: Any) -> Any:
    """The value as a response has it. Raises `InvalidPayload`."""
    try:
        made = getattr(Response(choices=(), **{name: value}), name)
    except ValidationError as error:
        raise InvalidPayload(faults_of(error)) from None
    return int(made) if name == "created" else made


_NEUTRAL = Fill()


class Filling:
    """What is filled into one response, whole or in pieces."""

    def __init__(self, format: Format, fill: Fill) -> None:
        self._fill = fill
        self._format = format
        self.required: RequiredFields = format.required or RequiredFields({})
        self._seen = set[str]()

    def value(self, name: str) -> Any:
        """The value of a canonical field, made anew; None if there is nothing to fill."""
        if name not in self.required.fields:
            return None
        given = getattr(self._fill, name)
        value = given() if callable(given) else given
        if value is None:
            value = self.required.fields[name][1]
        return None if value is None else _checked(name, value)

    def identity(self, response: Any, *but: str) -> dict[str, Any]:
        """The values of what says which response it is, where `response` does not have them."""
        missing = [name for name in _IDENTITY if getattr(response, name) is None and name not in but]
        values = {name: self.value(name) for name in missing}
        return {name: value for name, value in values.items() if value is not None}

    def added(self, name: str, origin: str | None) -> Loss:
        """The report of a canonical field; a response of this family may spell the field in another way."""
        source = FORMATS.get(origin or "")
        is_own = source is not None and source.family == self._format.family
        at = None if is_own else f"/{self.required.fields[name][0]}"
        return Loss(f"/{name}", at, "added", FILLED)

    def whole(self, response: Response, write: Callable[[Response, Any], Wire], d: Any) -> Wire:
        """The body of a response, whose losses the dump gets."""
        values = self.identity(response)
        if not _has_counts(response.usage) and (usage := self.value("usage")) is not None:
            values["usage"] = usage
        body = write(response.replace(**values), d)
        d.losses += [self.added(name, response.origin) for name in values]
        d.losses += [Loss("", at, "added", FILLED) for at in fill_in(body, self.required.body)]
        return body

    def chunk(self, chunk: Wire) -> Iterator[Loss]:
        """Fill a chunk; the losses that are new."""
        for at in fill_in(chunk, self.required.chunks):
            if at not in self._seen:
                self._seen.add(at)
                frame = self.required.frame
                yield Loss("", at.removeprefix(frame) if at.startswith(frame) else None, "added", FILLED)


class FilledWriting:
    """A writing of a stream whose events and chunks are filled."""

    def __init__(self, writing: Writing, filling: Filling) -> None:
        self._writing = writing
        self._filling = filling
        self.losses = writing.losses
        self.names = writing.names
        self._origin: str | None = None
        self._known = set[str]()
        """What was said before the message began."""
        self._values: dict[str, Any] | None = None
        """What was filled in when the message began."""
        self._sent = self._counted = False

    def write(self, event: Any) -> list[Wire]:
        """The chunks of an event."""
        kind = event.type
        chunks: list[Wire] = []
        if kind == "message_start":
            event = self._begin(event)
        elif kind == "usage":
            self._counted = self._counted or _has_counts(event.usage)
        elif kind == "update" and event.of == "response":
            event = self._without_late(event)
        elif kind == "end" and self._values is not None and not self._counted:
            chunks = self._count()
        chunks += self._writing.write(event)
        if chunks and self._values and not self._sent:
            self._sent = True
            self.losses += [self._filling.added(name, self._origin) for name in self._values]
        for chunk in chunks:
            self.losses += self._filling.chunk(chunk)
        return chunks

    def _begin(self, event: MessageStart) -> MessageStart:
        if self._values is None:
            self._origin = event.origin
            self._values = self._filling.identity(event, *self._known)
        return event.replace(**self._values) if self._values else event

    def _without_late(self, event: Update) -> Update:
        """An update of the response without what was sent as another value; before it is sent, the source's value counts."""
        given = {name for name, value in event.data.items() if value is not None}
        self._counted |= "usage" in given
        if self._values is None:
            self._known |= given
            return event
        late = given & self._values.keys()
        if not self._sent:
            self._values = {name: value for name, value in self._values.items() if name not in late}
            return event
        self.losses += [Loss(f"/{name}", None, "dropped", _LATE) for name in sorted(late)]
        return event.replace(data={name: value for name, value in event.data.items() if name not in late}) if late else event

    def _count(self) -> list[Wire]:
        """The usage of a stream that has none at its end."""
        self._counted = True
        usage = self._filling.value("usage")
        if usage is None:
            return []
        from ..model.events import UsageUpdate  # noqa: PLC0415 -- events are imported on first use

        count = len(self.losses)
        chunks = self._writing.write(UsageUpdate(usage=usage))
        if len(self.losses) == count:  # else the stream does not take it
            self.losses.append(self._filling.added("usage", self._origin))
        return chunks


def _has_counts(usage: Usage | None) -> bool:
    """Whether a usage says how many tokens there were, and not only what a provider has beside the counts."""
    return usage is not None and any(count is not None for count in (usage.input_tokens, usage.output_tokens))


def filling_of(format: Format, fill: bool | Fill) -> Filling:
    """What is filled into a response of this format. Raises `TypeError` for what is neither True nor a `Fill`."""
    if fill is not True and not isinstance(fill, Fill):
        raise TypeError("fill must be True, False or a Fill")
    return Filling(format, _NEUTRAL if fill is True else fill)


def filled(writing: Writing, format: Format, fill: bool | Fill) -> Writing:
    """A writing that fills what it writes."""
    return FilledWriting(writing, filling_of(format, fill))
