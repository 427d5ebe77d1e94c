"""What a case of a rule is: a body that it catches, and a near miss that it lets by."""

from typing import Any, NamedTuple

import interlingua as il


class Case(NamedTuple):
    format: il.FormatName
    code: str
    refused: dict[str, Any]
    path: str
    """Where the problem is."""
    accepted: dict[str, Any]
    """As much like the refused body as can be, and without any error."""
