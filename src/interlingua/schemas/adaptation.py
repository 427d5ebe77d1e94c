"""`adapt_schema`: a JSON Schema as a provider takes it."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from ..codec.adapting import adapt
from ..codec.dialects import Adaptation, Purpose
from ..codec.fields import copy_wire
from ..codec.format import Format
from ..errors import Fault, InvalidPayload, faults_of
from ..formats import FormatName, format_of
from ..model.exchange import Tool


def adapt_schema(
    schema: dict[str, Any], target: FormatName | Format, purpose: Purpose = "tool", *, strict: bool = False
) -> Adaptation:
    """A JSON Schema as the target takes it for a tool or for a response, and what that cost.

    What is refused is written otherwise where that means the same or nearly, or goes into the schema's `description` in words,
    or is left out. `strict` is given up where the schema cannot be kept under it. The paths of the losses point into `schema`,
    and those without loss of kind `changed` or `dropped` accept nothing that `schema` refuses. Adapting a schema that was
    adapted changes nothing. `dump` and `convert` adapt the schemas of other formats so, and never those of their own. Raises
    `InvalidPayload` for anything that is not a JSON object, and `UnknownFormat`.
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
