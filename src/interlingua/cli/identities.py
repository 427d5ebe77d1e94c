"""`dedupe` and `split`: leaves out rows with the same conversation, and splits data without leakage.

Each row gets a key, the fingerprint of its messages. `first_only` compares the keys with those so far, and `by_share` derives
the side of a split from the key alone, so that the same conversation is always on the same side.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from itertools import takewhile

from ..conversion.rows import within
from ..history.fingerprints import fingerprint
from ..history.items import canonical_json
from ..model.messages import Message
from .document import Document
from .work import Options, Outcome, id_of, layout_for, messages_in, parsed, pieces

KEPT = "out"
"""Where a row goes that is the first of its kind."""

DUPLICATES = "duplicates"
"""Where a row goes that repeats an earlier one."""


# What identifies a row


def identify_document(document: Document, options: Options, outcome: Outcome) -> None:
    """Keep a document as it stands, with the fingerprint of its content."""
    messages = _read(document, options, outcome)
    outcome.key = outcome.key or fingerprint(messages)


def identify_prompt(document: Document, options: Options, outcome: Outcome) -> None:
    """The same with the fingerprint of what stands before the first answer."""
    prompt: list[Message] = list(takewhile(_is_prompt, _read(document, options, outcome)))
    outcome.key = outcome.key or fingerprint(prompt)


def _is_prompt(message: Message) -> bool:
    return message.role != "assistant"


def _read(document: Document, options: Options, outcome: Outcome) -> list[Message]:
    """The messages of a document: those of all columns, or of all conversations of a row, one after another.

    A row without a conversation, such as the error of a batch, is identified by its JSON.
    """
    data = parsed(document)
    outcome.id = id_of(data)
    layout = layout_for(data, options, outcome)
    conversations = list(pieces(data, options, outcome))
    if layout is not None and layout.continued:
        conversations = conversations[1:]  # the first is what all others begin with
    if not conversations:
        outcome.key = canonical_json(data)
    messages: list[Message] = []
    for conversation, answers in conversations:
        with within(conversation.pointer):
            messages += messages_in(conversation, answers=answers)
    as_it_stands = document.line is not None and not options.ascii_only
    outcome.output = document.text.strip().decode() if as_it_stands else json.dumps(data)
    return messages


# Duplicates

_BYTES = 16
_SHARDS = 256
_SLOTS = 16
_EMPTY = bytes(_BYTES)


class Seen:
    """The fingerprints so far, 16 bytes of the hash of each, in 24 to 48 bytes: where a set of Python needs 100 to 200.

    Tables with open addressing, of which two thirds are full at most; there are many, so that only a small one is copied when
    it grows. Two different conversations are taken for the same with a probability of 10^-21 among 10^9.
    """

    def __init__(self) -> None:
        self._tables = [bytearray(_SLOTS * _BYTES) for _ in range(_SHARDS)]
        self._counts = [0] * _SHARDS

    @property
    def size(self) -> int:
        """How many bytes the tables take."""
        return sum(map(len, self._tables))

    def add(self, key: str) -> bool:
        """Whether a key is new."""
        digest = hashlib.sha256(key.encode()).digest()
        shard = digest[_BYTES]
        entry = digest[:_BYTES]
        if not _put(self._tables[shard], entry):
            return False
        self._counts[shard] += 1
        if self._counts[shard] * _BYTES * 3 > len(self._tables[shard]) * 2:
            self._tables[shard] = _grown(self._tables[shard])
        return True


def _put(table: bytearray, entry: bytes) -> bool:
    at = int.from_bytes(entry[:8], "big") * _BYTES % len(table)
    while True:
        present = bytes(table[at : at + _BYTES])
        if present == entry:
            return False
        if present == _EMPTY:
            table[at : at + _BYTES] = entry
            return True
        at = (at + _BYTES) % len(table)


def _grown(table: bytearray) -> bytearray:
    made = bytearray(2 * len(table))
    for at in range(0, len(table), _BYTES):
        entry = bytes(table[at : at + _BYTES])
        if entry != _EMPTY:
            _put(made, entry)
    return made


def first_only() -> Callable[[Outcome], str]:
    """Says where rows go, one after another: to `KEPT` or, where one like it came before, to `DUPLICATES`."""
    seen = Seen()
    return lambda outcome: KEPT if seen.add(outcome.key or "") else DUPLICATES


# Sides of a split


def by_share(shares: Mapping[str, float], seed: str) -> Callable[[Outcome], str]:
    """Says where rows go, each by its key alone: the same key to the same side, whatever else there is.

    The side is decided by the first 8 bytes of the SHA-256 of `SEED:KEY`, as a number between 0 and 1: the shares follow one
    another, and the last has the rest.
    """
    *sides, rest = shares
    limits = [sum(list(shares.values())[: number + 1]) * 2**64 for number in range(len(sides))]

    def side(outcome: Outcome) -> str:
        number = int.from_bytes(hashlib.sha256(f"{seed}:{outcome.key}".encode()).digest()[:8], "big")
        return next((name for name, limit in zip(sides, limits, strict=True) if number < limit), rest)

    return side
