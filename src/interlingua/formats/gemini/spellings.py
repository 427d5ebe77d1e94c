"""The two spellings of a field: lower camel case, and the snake case of the protocol buffers."""

import re
from functools import cache


@cache
def snake(name: str) -> str:
    """The protocol buffers' name of a field."""
    return re.sub("[A-Z]", lambda match: "_" + match[0].lower(), name)


def camel(name: str) -> str:
    """The name in lower camel case of a field in snake case."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def spellings(*names: str) -> frozenset[str]:
    """The names in either spelling."""
    return frozenset(names) | {snake(name) for name in names}
