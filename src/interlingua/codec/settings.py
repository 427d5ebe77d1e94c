"""Settings of requests that several formats write alike: stop sequences, and the choice among tools."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.exchange import ToolChoice, choice_without_tool
from .format import Dump


def fit_stop(sequences: Sequence[str] | None, d: Dump) -> list[str] | None:
    """The stop sequences that have more than white space; None where nothing is to be written."""
    kept: list[str] = []
    for i, sequence in enumerate(sequences or ()):
        if d.exact or sequence.strip():
            kept.append(sequence)
        else:
            d.drop(f"/stop/{i}", "stop sequences of white space are refused")
    return kept if kept or (d.exact and sequences is not None) else None


def fit_choice(choice: ToolChoice | None, sent: Sequence[str], longest: int, d: Dump) -> tuple[ToolChoice | None, str | None]:
    """The choice among the tools whose names are `sent`, if it can be written, and the name that it is written with."""
    name = choice.name if choice is not None else None
    if d.exact:
        return choice, name
    name = None if name is None else d.tool_name(name, "/tool_choice", longest)
    if choice_without_tool(choice, sent, name):
        d.drop("/tool_choice", "none of the tools to choose from can be sent")
        return None, None
    return choice, name
