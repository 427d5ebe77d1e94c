"""What several formats do alike with the fields of a request: system text, stop sequences, the choice among tools, the rest."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from ..errors import LossKind
from ..model.exchange import Request, ToolChoice, choice_without_tool
from .fields import FieldReader, Wire, spelling
from .format import Dump


def load_system(reader: FieldReader) -> list[dict[str, Any]]:
    """The message of the field `system`, if it has text; an empty text is recorded."""
    if (text := reader.take("system")) == "":
        reader.spelling["system"] = "empty"
    return [{"role": "system", "content": text}] if text else []


def dump_empty_system(request: Request, d: Dump) -> Wire:
    """The start of a body: an empty system text, where it is recorded."""
    return {"system": ""} if d.same_format and spelling(request, "system") == "empty" else {}


def fit_stop(sequences: Sequence[str] | None, d: Dump) -> list[str] | None:
    """The stop sequences that have more than white space; None where nothing is to be written."""
    kept: list[str] = []
    for i, sequence in enumerate(sequences or ()):
        if d.exact or sequence.strip():
            kept.append(sequence)
        else:
            d.drop(f"/stop/{i}", "stop sequences of white space are refused")
    return kept if kept or (d.exact and sequences is not None) else None


def fit_choice(
    choice: ToolChoice | None, sent: Sequence[str], longest: int, d: Dump, kind: LossKind = "dropped"
) -> tuple[ToolChoice | None, str | None]:
    """The choice among the tools whose names are `sent`, if it can be written, and the name that it is written with."""
    name = choice.name if choice is not None else None
    if d.exact:
        return choice, name
    name = None if name is None else d.tool_name(name, "/tool_choice", longest)
    if choice_without_tool(choice, sent, name):
        d.report(kind, "/tool_choice", None, "none of the tools to choose from can be sent")
        return None, None
    return choice, name


def dump_rest(request: Request, out: Wire, d: Dump, written: Sequence[str], fields: Container[str] = ()) -> Wire:
    """The body, finished: settings other than these are reported, and provider data that are `fields` of it laid over it."""
    for key in request:
        if key not in ("messages", "origin", "provider_data", "wire", *written) and getattr(request, key) not in (None, ()):
            d.drop("/" + key, "there is no such field")
    d.lay_provider_data(request, out, "", fields.__contains__)
    return out
