"""Fingerprints: a hash of what a conversation means, which does not depend on its spelling or its provider.

A conversation is reduced to a list of items, one for each part that has a meaning; the fingerprint is a hash of the list as
JSON. `docs/fingerprint.md` has the algorithm for other languages, and `schemas/fingerprints/vectors.json` has examples with
their fingerprints. Stored fingerprints must stay valid, so the algorithm never changes: another one would get another prefix.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from pydantic_core import to_json

from ..conversion.requests import exactly, request_of
from ..model.exchange import Conversation, Request
from ..model.messages import MessageBase
from .items import Item, located

PREFIX = "il1:"
"""What fingerprints of this algorithm begin with."""


def fingerprint(messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]]) -> str:
    """A hash of what a conversation says: `il1:` and 64 hexadecimal digits, the same in every process and every release.

    It covers who says what, and in which order: text, reasoning, calls with their arguments as JSON, results with the calls
    that they answer, and media by their bytes or URL. It is the same in both spellings, and after a conversion without losses.
    It leaves out ids, `wire`, `extra`, cache marks, signatures, encrypted reasoning, citations and `provider_data`, and
    everything in a request or conversation but its messages. docs/fingerprint.md has the algorithm. Raises `InvalidPayload`.
    """
    return PREFIX + hashlib.sha256(to_json(reduced(messages))).hexdigest()


def reduced(messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]]) -> list[Item]:
    """The items that the fingerprint is a hash of. Raises `InvalidPayload`."""
    request = exactly(Request, messages) if isinstance(messages, Request) else request_of(messages)
    return [item for _, item in located((message, "") for message in request.messages)]
