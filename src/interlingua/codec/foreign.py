"""Opaque parts of other providers that the target has, too: where they come from, and what is reported of them.

`d` is the `Dump`, which this module cannot import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def other_format(part: Any, d: Any) -> Any | None:
    """The format that an opaque part comes from; None for a part of the target's own family."""
    source = d.format_of(part.format) if part.format != d.family else None
    return source if source is not None and source.family == part.format else None


def report_carried(part: Any, rest: Sequence[str], path: str, at: str | None, detail: str, what: str, d: Any) -> None:
    """Report that an opaque part becomes one of the target, and which of its fields are left out; `what` names the part."""
    d.report("changed", path, at, detail)
    for pointer in rest:
        d.drop(f"{path}/value{pointer}", f"{d.target.name} does not have this field of {what}")
    d.drop_named(part, path, "cache_control")
    d.drop_unplaced(part, path)
    d.drop_fields(part, path)
