"""The types of what a dump returns, for type checkers: precise at the top level, open below it.

The items of TypedDicts are invariant, so `list[Any]` is what lets `client.chat.completions.create(**dump(...))` type-check. A
dump of bare messages or of a conversation has another type than a dump of a request: it never has `model` or other settings,
which the caller passes separately. `tools/signatures.py` makes the overloads of `dump` and `convert` from the types of each
format.
"""

from typing import Any, NamedTuple


class Items(list[Any]):
    """A list of wire objects, only for type checkers: a dump returns a plain list.

    It is the type of the lists of a history, whose dict is passed to a client's call as a whole. If several fields of a dict
    have `Any` in their types, mypy does not choose among the overloads of such a call; this class has no `Any` in its name.
    """


class PayloadTypes(NamedTuple):
    """The types of what a dump to a format returns."""

    request: type[Any]
    """For a whole request."""
    history: type[Any]
    """For a conversation, or a request without its settings."""
    messages: type[Any]
    """For bare messages."""
