"""What `carry=True` packed for another provider, in a request that would send it as it is."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.base import Json
from ..carrying import is_packed
from .rule import Find
from .view import Found, View


def packed_in(*paths: str) -> Find:
    """The rule for a format whose messages have opaque fields at these paths, such as `content/*/signature`."""
    places = [path.split("/") for path in paths]

    def packed_value(view: View) -> Found:
        """A signature or encrypted reasoning is the provider's own, and not one that was packed for another provider.

        Evidence: what is packed is text of this package, which no provider can verify or read.
        """
        for turn in view.turns:
            for first, *rest in places:
                if first in turn.value:
                    for at in _packed(turn.value[first], rest, f"{turn.at}/{first}"):
                        yield (
                            at,
                            "this value was packed for another provider: load the request with `carry=True`, or leave it out",
                        )

    return packed_value


def _packed(value: Json, path: list[str], at: str) -> Iterator[str]:
    """The pointers of the packed values at a path, where `*` is any item of a list, or the one that stands without a list."""
    if not path:
        if is_packed(value):
            yield at
    elif path[0] == "*" and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _packed(item, path[1:], f"{at}/{index}")
    elif path[0] == "*":
        yield from _packed(value, path[1:], at)
    elif isinstance(value, dict) and path[0] in value:
        yield from _packed(value[path[0]], path[1:], f"{at}/{path[0]}")
