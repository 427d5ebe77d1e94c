"""The laws of a format."""

from __future__ import annotations

from inspect import cleandoc

from ...codec.format import Format
from ...errors import UnknownFormat
from ...formats import FormatName, format_of
from . import history_laws, loss_laws, payload_laws, response_laws, stream_laws
from .law import Law

ENACTED = (*payload_laws.LAWS, *loss_laws.LAWS, *history_laws.LAWS, *response_laws.LAWS, *stream_laws.LAWS)
"""All laws, in the order in which a format is best made to hold them."""


def laws(format: FormatName | Format) -> list[Law]:
    """The laws that apply to a format, each a callable without arguments that raises an `AssertionError` where it is broken.

    A law has a `name`, and what it demands as its docstring. It draws cases from the format's own `strategies` and from
    `conversations()`, with the settings of the Hypothesis profile that is loaded. A law that could test too few of its cases is
    broken, too. The format must be registered under its name, unless it has a profile. Raises `UnknownFormat` for a format
    whose `strategies`, or whose strategies for responses, are missing.
    """
    known = format_of(format)
    if known.strategies is None:
        raise UnknownFormat(known.name, lacks="strategies, from which its laws draw requests,")
    if known.load_response is not None and known.strategies().responses is None:
        raise UnknownFormat(known.name, lacks="strategies for responses, although it has `load_response`,")
    trials = ((enact, enact(known)) for enact in ENACTED)
    return [Law(enact.__name__, cleandoc(enact.__doc__ or ""), known, trial) for enact, trial in trials if trial is not None]
