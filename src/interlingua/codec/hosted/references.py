"""References to tools that the client has found: parts of a tool's result, each with the name of a deferred tool.

The server puts the definition of the tool in place of the reference. Until then, the model does not see a deferred tool: so
tools are deferred for another provider only in a conversation that has a reference, and thus a client that searches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...errors import escape
from ...model.base import Json
from ..fields import Wire, is_empty

KIND = "tool_reference"
"""The type of a reference, which all providers that have references share."""


class References(NamedTuple):
    """How a provider spells the rest."""

    name: str
    """The field of the reference with the name of the tool."""
    deferral: str = "defer_loading"
    """The field that marks a tool as deferred."""


# In what follows, `d` is the `Dump`, which this module cannot import.


def reference_of(part: Any, d: Any) -> str | None:
    """The name of the tool that another provider's part refers to; None for any other part, or a target without references."""
    source = None if part.format == d.family or d.of_response else d.format_of(part.format)
    form = source.references if source is not None and source.family == part.format else None
    if form is None or d.target.references is None or part.value.get("type") != KIND:
        return None
    name: Json = part.value.get(form.name)
    return name if type(name) is str else None


def write_reference(part: Any, path: str, at: str, d: Any, longest: int) -> Wire | None:
    """Write another provider's reference to a tool, which is reported as changed; None for any other part."""
    name = reference_of(part, d)
    form = d.target.references
    theirs = d.format_of(part.format).references
    if name is None or form is None or theirs is None:
        return None
    d.report("changed", path, at, f"the reference to a tool is written as {d.target.name} has it")
    for key, value in part.value.items():
        if key not in ("type", theirs.name) and not is_empty(value):
            d.drop(f"{path}/value/{escape(key)}", d.no_place("this field", part.format))
    d.refers |= {name}
    return {"type": KIND, form.name: d.tool_name(name, path, longest, f"/value/{theirs.name}")}


def defer(family: str, overlay: Wire, out: Wire, d: Any) -> Wire:
    """Defer a tool that another provider's request defers, if its client searches; returns the provider data that are left."""
    theirs = d.format_of(family).references
    ours = d.target.references
    if not d.refers or theirs is None or ours is None or overlay.get(theirs.deferral) is not True:
        return overlay
    out[ours.deferral] = True
    return {key: value for key, value in overlay.items() if key != theirs.deferral}
