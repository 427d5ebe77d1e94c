"""Options that take one of several names; the error for a misspelt name suggests the right one."""

from __future__ import annotations

from typing import Any

import click

from ..conversion.canonical import OWN
from ..conversion.layouts import LAYOUTS
from ..errors import BrokenFormat, similar
from ..formats import CHOICES, FORMATS
from .work import AUTO


class Names(click.Choice[str]):
    """A choice among names."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """What is wrong with a value that is none of the names."""
        message = super().get_invalid_choice_message(value, ctx)
        meant = similar(str(value), self.choices)
        return message if meant is None else f"{message} Did you mean {meant!r}?"


class FormatNames(Names):
    """A choice among formats and other words; the formats of other packages come last, because finding them takes time."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; fails for one that is unknown, or whose package is broken."""
        try:
            return value if value in FORMATS else super().convert(value, param, ctx)
        except BrokenFormat as error:
            self.fail(str(error), param, ctx)


SOURCES = FormatNames([*FORMATS, *CHOICES, OWN, AUTO])
TARGETS = FormatNames([*FORMATS, *CHOICES, OWN])
PROVIDERS = FormatNames([*FORMATS, *CHOICES])
KNOWN_LAYOUTS = Names([*LAYOUTS])
PREFER = click.option(
    "--prefer",
    multiple=True,
    type=PROVIDERS,
    metavar="FORMAT",
    help="With --from auto, the format to use if several fit. Can be repeated: the first that fits is used.",
)
