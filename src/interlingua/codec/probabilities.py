"""The log probabilities of an answer's tokens: where a format has them, and their shared form, which is OpenAI's.

A token in this form has `token`, `logprob`, `bytes` and `top_logprobs` (the likeliest tokens in its place). Data in a form that
the provider does not document are not read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import NamedTuple

from ..model.base import Json
from .fields import Wire, value_at

_KEYS = frozenset({"token", "logprob", "bytes", "top_logprobs"})


class Read(NamedTuple):
    """The tokens in provider data, their field, and the loss detail for other data that other providers do not have."""

    tokens: list[Wire]
    field: str
    others: str | None = None


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Where the answers of a format have the probabilities of tokens."""

    read: Callable[[Wire], Read | None]
    """Reads them from the provider data of an answer or a text; None if it has none."""
    in_texts: bool = False
    """Whether each text has a list of its own."""
    has_bytes: bool = True
    """Whether tokens have a field for their bytes."""


def token_of(token: str, logprob: float, top: list[Wire] | None = None) -> Wire:
    """A token in the shared form; its bytes are the UTF-8 of its text."""
    made: Wire = {"token": token, "logprob": logprob, "bytes": list(token.encode())}
    return made if top is None else made | {"top_logprobs": top}


def read_tokens(tokens: Json) -> list[Wire] | None:
    """Copies of tokens in OpenAI's form; None if an item has another form."""
    if type(tokens) is not list or not tokens:
        return None
    made: list[Wire] = []
    for item in tokens:
        top: Json = value_at(item, ("top_logprobs",)) or []
        if type(top) is not list or not all(map(_is_token, [item, *top])):
            return None
        made.append(_whole(item) | {"top_logprobs": [_whole(other) for other in top]})
    return made


def _is_token(item: Json) -> bool:
    return (
        type(item) is dict
        and item.keys() <= _KEYS
        and type(item.get("token")) is str
        and type(item.get("logprob")) in (int, float)
        and type(item.get("bytes")) in (list, NoneType)
    )


def _whole(token: Wire) -> Wire:
    given = token.get("bytes")
    return token_of(token["token"], token["logprob"]) | ({} if given is None else {"bytes": [*given]})


def has_other_bytes(tokens: list[Wire]) -> bool:
    """Whether any token's bytes differ from those of its text, as they do if it is a part of a character."""
    return any(one["bytes"] != list(one["token"].encode()) for each in tokens for one in (each, *each["top_logprobs"]))
