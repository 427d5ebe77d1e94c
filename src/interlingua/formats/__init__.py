"""Every format, dialects included, by name: the one table."""

from __future__ import annotations

import copyreg
from collections.abc import Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..codec.dump import Dump
from ..codec.format import Format
from ..errors import UnknownFormat
from . import alpaca, anthropic, bedrock_converse, gemini, openai_chat, openai_completions, openai_responses, sharegpt

if TYPE_CHECKING:
    from .._signatures import FormatName as FormatName  # pyright: ignore[reportMissingModuleSource] -- for checkers alone


class _Formats(Mapping[str, Format]):
    """A mapping that does not change, and is one in each process: what is pickled with it refers to it."""

    def __init__(self, formats: dict[str, Format]) -> None:
        self._formats = formats

    def __getitem__(self, name: str) -> Format:
        return self._formats[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._formats)

    def values(self) -> ValuesView[Format]:
        """The formats; faster than one by one."""
        return self._formats.values()

    def __len__(self) -> int:
        return len(self._formats)

    def __repr__(self) -> str:
        return repr(self._formats)

    def __reduce__(self) -> str:
        return "FORMATS"


FORMATS: Mapping[str, Format] = _Formats(
    {
        **openai_chat.DIALECTS,
        **anthropic.DIALECTS,
        **gemini.DIALECTS,
        **bedrock_converse.DIALECTS,
        **{
            format.name: format
            for format in (openai_completions.FORMAT, openai_responses.FORMAT, sharegpt.FORMAT, alpaca.FORMAT)
        },
    }
)
"""Every format by name."""

if not TYPE_CHECKING:
    FormatName = Literal[tuple(FORMATS)]

MADE_FOR: dict[type[Any], Any] = {
    openai_chat.ChatProfile: openai_chat.format_for,
    anthropic.AnthropicProfile: anthropic.format_for,
    gemini.GeminiProfile: gemini.format_for,
    bedrock_converse.ConverseProfile: bedrock_converse.format_for,
    openai_responses.ResponsesProfile: openai_responses.format_for,
}
"""What makes the format of a profile, by the profile's class."""


Profile: TypeAlias = (
    anthropic.AnthropicProfile
    | openai_chat.ChatProfile
    | gemini.GeminiProfile
    | bedrock_converse.ConverseProfile
    | openai_responses.ResponsesProfile
)
"""What one host or model accepts, for each family."""


def format_for(profile: Profile, name: str | None = None) -> Format:
    """A format for the host or model that the profile describes; its requests have the shape of the profile's family.

    Without a name, it is another form of the family's main format: what was loaded from there is dumped exactly. Raises
    `TypeError`.
    """
    for kind, make in MADE_FOR.items():
        if isinstance(profile, kind) and (name is None or type(name) is str):
            format: Format = make(profile, name) if name else make(profile)
            return format
    raise TypeError("a profile is one of this package's classes of profiles, and its name is text")


def _reduce(format: Format) -> tuple[Any, ...]:
    """How a format is pickled: as its profile, or else as its name."""
    for kind, make in MADE_FOR.items():
        if isinstance(format.profile, kind):
            return make, (format.profile, format.name)
    return format_of, (format.name,)


copyreg.pickle(Format, _reduce)


def format_of(format: str | Format) -> Format:
    """The format that a caller named; raises `UnknownFormat`."""
    if isinstance(format, Format):
        return format
    try:
        return FORMATS[format]
    except (KeyError, TypeError):
        raise UnknownFormat(format, FORMATS) from None


def new_dump(target: Format, origin: str | None) -> Dump:
    """A dump of what was loaded from the format named `origin`, or of what was built by hand."""
    made: Dump = target.new_dump(target, FORMATS.get(origin or ""), same_format=origin == target.name, formats=FORMATS)
    return made
