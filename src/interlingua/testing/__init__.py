"""Hypothesis strategies for conversations with language models, for tests of code that handles them.

Canonical values: `conversations()`, messages that follow one another as they should, or only such as one format can carry
(`conversations(valid_for=format)`); `messages()`, `parts()`, `requests()`, `responses()`, `events()`,
`stored_conversations()`, each of which is valid, and any. `st.from_type(il.UserMessage)` works as well, for every model and
union of them that the package shows: Hypothesis finds the strategies by itself where the package is installed.

What goes over the wire: `payloads(format)` gives requests that the provider accepts, `responses(format)` what it sends,
both with the odd shapes that real ones have, `chunks(format)` the same in pieces.

What is wrong: `spoiled_histories()` gives valid messages that do not fit together, `malformed()` messages, and
`malformed(format)` payloads, with one thing wrong, and where.

What every format keeps: `laws(format)`, for packages that have a format of their own.

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
