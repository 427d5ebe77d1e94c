"""Load messages, and write them again: each `write_x` undoes what `load_messages` reads.

Consecutive messages of the assistant are one canonical message: `analysis` is reasoning, `commentary` with a function as the
recipient is a call, any other `commentary` and `final` are text; `final` ends the message. The spelling of a message that would
be written otherwise is recorded, and is written again as long as it has the same meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...codec.fields import spelling
from .base import FAMILY
from .prologue import INSTRUCTIONS, function_of, write_developer
from .texts import CALL, CHANNEL, FUNCTIONS, SPECIAL, WireMessage, messages_of, write_message

# Messages of the assistant


class AnswerPart(NamedTuple):
    """A part of an assistant message: reasoning, text, a call, or a text that is not of messages."""

    kind: str
    text: str
    name: str = ""
    """The function that is called."""
    channel: str = ""
    """The channel of a text, if it is not the usual one."""


def write_answer(parts: Sequence[AnswerPart], *, as_model: bool = False) -> str:
    """The text of an assistant message; the last text is final if nothing follows it.

    The recipient of a call stands before the channel, or behind it `as_model`, which is how the model writes it.
    """
    out: list[str] = []
    for i, part in enumerate(parts):
        if part.kind == "opaque":
            out.append(part.text)
        elif part.kind == "tool_use":
            out.append(write_message(call_header(part.name, as_model=as_model), part.text, CALL))
        else:
            channel = part.channel or ("final" if i == len(parts) - 1 else "commentary")
            out.append(write_message(channel_header("analysis" if part.kind == "thinking" else channel), part.text))
    return "".join(out)


def call_header(name: str, *, as_model: bool = False) -> str:
    """The header of a call."""
    recipient = f" to={FUNCTIONS}{name}"
    where = f"{CHANNEL}commentary{recipient}" if as_model else f"{recipient}{CHANNEL}commentary"
    return f"assistant{where} <|constrain|>json"


def channel_header(channel: str) -> str:
    """The header of an assistant message in a channel."""
    return f"assistant{CHANNEL}{channel}"


def part_of(message: WireMessage | str) -> AnswerPart | None:
    """The part that a message of the assistant is; None for any other message."""
    if isinstance(message, str) or message.author != "assistant" or message.name is not None:
        return None
    function = function_of(message.recipient)
    if function is not None:
        return AnswerPart("tool_use", message.content, function)
    if message.recipient is not None or message.channel not in (None, "analysis", "commentary", "final"):
        return None
    return AnswerPart("thinking" if message.channel == "analysis" else "text", message.content)


def load_answer(parts: Sequence[AnswerPart], text: str) -> dict[str, Any]:
    """Load an assistant message from its text; a final text alone is a string."""
    content: str | list[dict[str, Any]] = [load_part(part) for part in parts]
    if len(parts) == 1 and parts[0].kind == "text":
        content = parts[0].text
    return _spelled({"role": "assistant", "content": content}, text, write_answer(parts))


def load_part(part: AnswerPart) -> dict[str, Any]:
    """Load a part of an assistant message."""
    if part.kind == "tool_use":
        return {"type": "tool_use", "name": part.name, "input": part.text}
    if part.kind == "opaque":
        return {"type": "opaque", "format": FAMILY, "value": {"text": part.text}}
    channel: dict[str, Any] = {"wire": {"spelling": {"channel": part.channel}}} if part.channel else {}
    return {"type": part.kind, part.kind: part.text} | channel


def _spelled(out: dict[str, Any], text: str, usual: str) -> dict[str, Any]:
    return out if text == usual else out | {"wire": {"spelling": {"text": text}}}


# All messages


def load_messages(found: Iterable[WireMessage | str]) -> Iterator[dict[str, Any]]:
    """Load the messages of a text."""
    parts: list[AnswerPart] = []
    texts: list[str] = []
    for message in found:
        part = part_of(message)
        if part is not None and not isinstance(message, str):
            parts.append(part)
            texts.append(message.text)
        if parts and (part is None or getattr(message, "channel", None) == "final"):
            yield load_answer(parts, "".join(texts))
            parts = []
            texts = []
        if part is None:
            yield _load_message(message)
    if parts:
        yield load_answer(parts, "".join(texts))


def _load_message(message: WireMessage | str) -> dict[str, Any]:
    """Load a message that is not of the assistant; any other is kept as it is."""
    if isinstance(message, str):
        return {"role": "opaque", "format": FAMILY, "value": {"text": message}}
    function = function_of(message.author)
    if function is not None and message.name is None:
        usual = write_result(function, message.content)
        return _spelled({"role": "tool", "name": function, "content": message.content}, message.text, usual)
    if message.author not in ("system", "developer", "user") or (message.name and message.author != "user"):
        return _load_message(message.text)
    content = message.content
    if message.author == "developer":
        content = content.removeprefix(INSTRUCTIONS)
    out: dict[str, Any] = {"role": message.author, "content": content}
    if message.name:
        out["name"] = message.name
    return _spelled(out, message.text, write_given(message.author, content, message.name))


def write_given(role: str, content: str, name: str | None = None) -> str:
    """The text of a message from the user or the application."""
    if role == "developer":
        content = write_developer(content)
    return write_message(f"{role}:{name}" if name else role, content)


def write_result(function: str, content: str) -> str:
    """The text of a tool message."""
    return write_message(f"{FUNCTIONS}{function} to=assistant{CHANNEL}commentary", content)


def recorded_text(message: Any) -> str | None:
    """The recorded text of a message, if it still has the same meaning."""
    text = spelling(message, "text")
    return text if text is not None and _means(text, message) else None


def _means(text: str, message: Any) -> bool:
    """Whether a text is loaded as this message."""
    found = [_bare(one) for one in load_messages(messages_of(text))]
    return found == [_bare(message.to_dict())]


def is_read_back(message: Any) -> bool:
    """Whether a message with a string as its content is loaded again from its text, wherever that stands in a prompt."""
    name: str | None = message.get("name")
    is_usual = spelling(message, "text") is None and SPECIAL.search(message.content) is None
    if is_usual and (NAME.fullmatch(name) if name is not None else message.role == "user"):
        return True  # nearly always
    if message.role == "tool":
        usual = write_result(name or "", message.content)
    else:
        usual = write_given(message.role, message.content, name)
    return recorded_text(message) is not None or _means(usual, message)


NAME = re.compile(r"[A-Za-z0-9_-]+")
"""Names of users and functions that a header can have."""


def _bare(message: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in message.items() if key not in ("wire", "extra")}, sort_keys=True)
