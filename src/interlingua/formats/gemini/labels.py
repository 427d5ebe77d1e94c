"""The labels of a request, by which Vertex AI bills: other formats' metadata, within the limits of Google Cloud."""

import re
from typing import Any

from ...codec.dump import Dump
from ...codec.fields import Wire, copy_wire
from ...errors import escape
from .base import GeminiDump

_LABEL = re.compile("[a-z][a-z0-9_-]{0,62}").fullmatch
_LABEL_VALUE = re.compile("[a-z0-9_-]{0,63}").fullmatch
_MOST_LABELS = 64


def dump_labels(metadata: dict[str, Any], out: Wire, d: GeminiDump) -> None:
    """Write the metadata of a request as labels; report what cannot be a label."""
    if not (d.same_family or d.profile.labels):
        d.drop("/metadata", "only Vertex AI takes labels: to send metadata as labels, use `GeminiProfile(labels=True)`")
        return
    kept = metadata if d.same_family else fitting_labels(metadata, d)
    if kept or d.same_family:
        out["labels"] = copy_wire(kept)


def fitting_labels(metadata: dict[str, Any], d: Dump) -> Wire:
    """The metadata that can be labels; the rest is reported."""
    kept: Wire = {}
    for key, value in metadata.items():
        is_label = type(value) is str and _LABEL(key) and _LABEL_VALUE(value)
        if is_label and len(kept) < _MOST_LABELS:
            kept[key] = value
        else:
            d.drop(
                "/metadata/" + escape(key),
                f"there must be at most {_MOST_LABELS} labels, each of at most 63 lower-case letters, digits, _ and -",
            )
    return kept
