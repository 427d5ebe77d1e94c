"""`show`, `html` and their like: conversations and differences, printed or as pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from ..checking.checks import check
from ..conversion.converted import Conversion
from ..conversion.requests import dump, request_of
from ..conversion.responses import dump_response
from ..formats import FormatName, format_of
from ..model.exchange import Conversation, Request, Response
from .forms import Forms, forms
from .outline import Mark, Outline, Showable, marks_of, outline
from .page import page

if TYPE_CHECKING:
    from ..codec.format import Format
    from ..errors import Loss
    from ..model.messages import Message


def show(
    value: Showable,
    target: FormatName | Format | None = None,
    *,
    formats: Iterable[FormatName | Format] = (),
    reasoning: bool = False,
    full: bool = False,
    width: int | None = None,
    file: TextIO | None = None,
) -> None:
    """Print a value for people, as `interlingua show` does, to a file or, by default, to standard output.

    With a `target`, marks show what its provider would refuse and what it cannot carry. With `formats`, the dumps to these
    formats are shown side by side, with their losses. `reasoning` shows all of the reasoning; `full` also shows all settings,
    marks and tools. Only a terminal gets colours. Raises `InvalidPayload`, `UnknownFormat`, and `ImportError` without rich,
    which is in the extra `cli`.
    """
    if file is not None and not callable(getattr(file, "write", None)):
        raise TypeError("file must be a text file, which has a method write")
    seen = view(value, target, formats)
    from .printing import print_view  # noqa: PLC0415 -- it needs rich, an extra

    print_view(seen, reasoning=reasoning, full=full, width=width, file=file)


def html(
    value: Showable,
    target: FormatName | Format | None = None,
    *,
    formats: Iterable[FormatName | Format] = (),
    title: str | None = None,
) -> str:
    """Show a value as a whole page of HTML, as `interlingua show --html` does: one file without scripts, which loads nothing.

    `target` and `formats` are those of `show`. Raises `InvalidPayload` and `UnknownFormat`.
    """
    _expect(title, str, "title must be a string")
    return page(view(value, target, formats), title)


# What the command does, too


def view(
    value: Showable, target: FormatName | Format | None = None, formats: Iterable[FormatName | Format] = ()
) -> Outline | Forms:
    """What is shown of a value: its outline, with marks if there is a target, or what it becomes in formats."""
    several = _several(formats)
    if target is None and not several:
        return outline(value)
    if target is not None and several:
        raise ValueError("target and formats exclude each other: pass one of them")
    if isinstance(value, Outline | Conversion):
        raise TypeError("with target or formats, the value must be a Request, a Conversation, a Response or a list of messages")
    known = value if isinstance(value, Request | Conversation | Response) else list(request_of(value).messages)
    if target is None:
        return forms(known, several)
    return outline(known, marks=_marks_for(known, format_of(target)))


def _expect(value: Any, kind: type, message: str) -> None:
    """Raise `TypeError` for an option that is of another kind."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(message)


def _several(formats: Iterable[FormatName | Format]) -> list[Format]:
    if isinstance(formats, str):
        raise TypeError("formats must be a list of names: for one, pass [name]")
    try:
        listed = list(formats)
    except TypeError:
        raise TypeError("formats must be a list of names") from None
    return [format_of(each) for each in listed]


def _marks_for(value: Request | Conversation | Response | list[Message], format: Format) -> Iterator[Mark]:
    """What a format's provider would refuse in a value, and what it cannot carry."""
    losses: list[Loss] = []
    if isinstance(value, Response):
        dump_response(value, format, on_loss=losses.append)
    else:
        yield from marks_of(check(value, format), format.name)
        dump(value, format, on_loss=losses.append)
    yield from marks_of(losses, format.name)
