"""The package's own form as a source and a target beside the formats: messages, a request or a conversation, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import InvalidPayload, Loss, LossyConversion
from ..model.base import Model
from ..model.exchange import Conversation, Request
from ..model.messages import Message
from .json_text import parse
from .losses import unexpected
from .requests import JSON_TEXT, dump, load, validate

OWN = "interlingua"
"""The name of this form where that of a format is expected."""


def read_own(payload: Any) -> Request | Conversation | list[Message]:
    """A conversation in the package's own form: a request, a conversation, messages, or (a line of a file) one message."""
    if isinstance(payload, JSON_TEXT):
        payload = parse(payload)
    if not isinstance(payload, dict):
        return validate(payload)
    if "messages" not in payload:
        return validate([payload])
    try:
        return validate(payload, Request)
    except InvalidPayload as error:
        try:
            return validate(payload, Conversation)
        except InvalidPayload:
            raise error from None


def read_any(payload: Any, source: Any, **in_url: Any) -> Request | Conversation | list[Message]:
    """A payload of a format, or of the package's own form; a bare list gives messages. `in_url` is as for `load`."""
    if isinstance(payload, JSON_TEXT):
        payload = parse(payload)
    if source == OWN:
        return read_own(payload)
    request = load(payload, source, **in_url)
    return list(request.messages) if isinstance(payload, list) else request


def messages_of(value: Request | Conversation | list[Message]) -> Sequence[Message]:
    """The messages of what `read_any` returns."""
    return value if isinstance(value, list) else value.messages


def convert_own(payload: Any, source: Any, target: Any, *, strict: bool = False, **in_url: Any) -> tuple[Any, Sequence[Loss]]:
    """Convert a payload from or to the package's own form; `strict`, `in_url` and the errors are as for `convert`."""
    value = read_any(payload, source, **in_url)
    if target == OWN:
        own = value.to_dict() if isinstance(value, Model) else [message.to_dict() for message in value]
        return own, ()
    losses: list[Loss] = []
    made = dump(value, target, on_loss=losses.append)
    if strict and unexpected(losses):
        raise LossyConversion(losses)
    return made, losses
