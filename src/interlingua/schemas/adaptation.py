"""`adapt_schema`: rewrites a JSON Schema so that a provider accepts it."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from ..codec.fields import copy_wire
from ..codec.format import Format
from ..codec.schemas.adapting import adapt
from ..codec.schemas.dialects import Adaptation, Purpose
from ..errors import Fault, InvalidPayload, faults_of
from ..formats import FormatName, format_of
from ..model.exchange import Tool


def adapt_schema(
    schema: dict[str, Any], target: FormatName | Format, purpose: Purpose = "tool", *, strict: bool = False
) -> Adaptation:
    """Rewrite a JSON Schema so that the target accepts it for a tool or a response; returns the schema and its losses.

    A keyword that the target refuses is replaced by one of the same or nearly the same meaning, or put into the schema's
    `description` in words, or left out. If the schema cannot be kept under `strict`, the result is not strict. The paths of the
    losses point into `schema`. Without a loss of kind `changed` or `dropped`, the result accepts nothing that `schema` refuses.
    An adapted schema is not changed by adapting it again. `dump` and `convert` adapt schemas of requests that come from another
    format, and never those of the target's own. Raises `InvalidPayload` for anything that is not a JSON object, and
    `UnknownFormat`.
    """
    if purpose not in ("tool", "response"):
        raise ValueError('purpose must be "tool" or "response"')
    format = format_of(target)
    try:
        checked = Tool.model_validate({"type": "function", "name": "tool", "parameters": schema}).parameters
    except ValidationError as error:
        cut = len("/parameters")
        raise InvalidPayload([fault._replace(path=fault.path[cut:]) for fault in faults_of(error)]) from None
    if checked is None:
        raise InvalidPayload([Fault("", "a schema must be a JSON object")])
    dialects = format.known_dialects
    if dialects is None:
        return Adaptation(copy_wire(checked), (), strict)
    return adapt(checked, dialects.of(purpose, strict=strict), strict=strict)
