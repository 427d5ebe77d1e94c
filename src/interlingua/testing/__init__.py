"""Hypothesis strategies for conversations with language models, for tests of code that handles them.

Canonical values: `conversations()` draws messages that fit together, and `conversations(valid_for=format)` only those that the
format can carry. `messages()`, `parts()`, `requests()`, `responses()`, `events()` and `stored_conversations()` draw any valid
values. `st.from_type(il.UserMessage)` works, too, for every public model and union: Hypothesis finds the strategies by itself
where the package is installed.

Wire data: `payloads(format)` draws requests that the provider accepts, `responses(format)` what it sends, both with the odd
shapes of real traffic, and `chunks(format)` draws streams.

Faults: `spoiled_histories()` draws valid messages that do not fit together. `malformed()` draws messages, and
`malformed(format)` payloads, with exactly one fault, and its place.

Laws: `laws(format)` has the laws that every format keeps, for packages that have a format of their own.

Needs the extra `testing`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from . import registration as registration

if TYPE_CHECKING:
    from ..codec.strategies.primitives import arguments, json_objects, json_values, text
    from .canonical import events, messages, parts, requests, stored_conversations
    from .dialogues import conversations
    from .faults import malformed
    from .histories import spoiled_histories
    from .lawbook.book import laws
    from .splitting import chunks
    from .wire import payloads, responses

__all__ = [
    "arguments",
    "chunks",
    "conversations",
    "events",
    "json_objects",
    "json_values",
    "laws",
    "malformed",
    "messages",
    "parts",
    "payloads",
    "requests",
    "responses",
    "spoiled_histories",
    "stored_conversations",
    "text",
]

_HOMES = {
    "canonical": "events messages parts requests stored_conversations",
    "dialogues": "conversations",
    "faults": "malformed",
    "histories": "spoiled_histories",
    "lawbook.book": "laws",
    ".codec.strategies.primitives": "arguments json_objects json_values text",
    "splitting": "chunks",
    "wire": "payloads responses",
}
"""Which module has what. Hypothesis imports this module; the others are imported on first use."""


if not TYPE_CHECKING:  # or they would take any name for one of ours

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = next(module for module, names in _HOMES.items() if name in names.split())
        value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
