"""JSON text that a caller passes, and what is wrong with it."""

from __future__ import annotations

from typing import Any

from ..errors import Fault, InvalidPayload
from ..model.base import parse_json


def parse(text: str | bytes | bytearray) -> Any:
    """The data of a JSON text. Raises `InvalidPayload`."""
    try:
        return parse_json(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPayload([Fault("", f"not JSON: {_reason(text, error)}")]) from None


def _reason(text: str | bytes | bytearray, error: Exception) -> str:
    """Why a text is not JSON: where a line was cut within a string, the line's end is not what is wrong with it."""
    try:
        parse_json(text.rstrip())
    except (ValueError, RecursionError) as other:
        return str(other)
    return str(error)
