"""Which formats there are, by what the laws ask of them; each set follows from the table of formats."""

from collections.abc import Mapping
from typing import cast

import interlingua as il

Names = tuple[il.FormatName, ...]


def _those(names: object) -> Names:
    return cast("Names", tuple(cast("list[str]", names)))


LISTED = _those([name for name, format in il.FORMATS.items() if format.listed != "prompt"])
"""The formats of conversations. A prompt is one text, which no list of messages comes back from."""
MESSAGE_BY_MESSAGE = _those([name for name in LISTED if name != "alpaca"])
"""Those that write each message for itself. A row of Alpaca has one place for each side's last words."""
ANSWERING = _those([name for name, format in il.FORMATS.items() if format.load_response is not None])
STREAMING = _those([name for name, format in il.FORMATS.items() if format.reading is not None])
CALLING = _those([name for name in ANSWERING if name in LISTED])
"""Those whose answers may have calls and reasoning. The answer to a prompt is one text, and a loss names all else."""
CHAT = _those([name for name in LISTED if il.FORMATS[name].family == "openai"])
ANTHROPIC = _those([name for name in LISTED if il.FORMATS[name].family == "anthropic"])
KNOWN: Names = (*CHAT, *ANTHROPIC)
"""The two hubs and their dialects, whose wire the judges read as the providers document it (`owners`, `answers`)."""
KNOWN_ANSWERING = _those([name for name in KNOWN if name in ANSWERING])
CHAT_ANSWERING = _those([name for name in CHAT if name in ANSWERING])
"""Those of them that have answers."""


def main_formats(formats: Mapping[str, il.Format]) -> list[str]:
    """The first format of each family that has conversations and answers, those of one provider side by side."""
    first: dict[str, str] = {}
    for name, format in formats.items():
        if format.listed != "prompt" and format.load_response is not None:
            first.setdefault(format.family, name)
    providers = [name.partition("_")[0] for name in first.values()]
    return sorted(first.values(), key=lambda name: providers.index(name.partition("_")[0]))


MAIN = _those(main_formats(il.FORMATS))
"""One format of each wire shape of conversations."""


def main_of(format: str) -> il.FormatName | None:
    """The main format of a dialect: the one of its family."""
    family = il.FORMATS[format].family
    return next((name for name in MAIN if il.FORMATS[name].family == family and format in LISTED), None)


def is_sse(format: str) -> bool:
    """Whether its streams are server-sent events."""
    return il.FORMATS[format].stream_type == "text/event-stream"
