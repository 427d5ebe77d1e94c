"""The text of harmony: messages, each with a header and a content between special tokens.

`<|start|>author:name to=recipient<|channel|>channel <|constrain|>type<|message|>content<|end|>`, of which only the author is
required. The author is a role or, for a result, the name of a tool. A content has no special tokens, because a tokenizer makes
structure of them wherever they stand.
"""

from __future__ import annotations

import re
from typing import NamedTuple

START = "<|start|>"
MESSAGE = "<|message|>"
CHANNEL = "<|channel|>"
END = "<|end|>"
RETURN = "<|return|>"
CALL = "<|call|>"
ENDS = (END, RETURN, CALL)
OPEN = START + "assistant"
"""The end of a prompt, which the model goes on with."""
ROLES = ("system", "developer", "user", "assistant", "tool")
FUNCTIONS = "functions."
"""The beginning of the names of functions, which are a namespace."""

SPECIAL = re.compile(
    r"<\|(?:start|end|message|channel|constrain|return|call|startoftext|endoftext|endofprompt|refusal|untrusted"
    r"|end_untrusted|meta_sep|meta_end|reserved_[0-9]+)\|>"
)
"""The special tokens of the vocabulary `o200k_harmony`, and those that openai-harmony 0.0.8 knows besides."""

_WORD = r"[^\s<>|]+"
_HEADER = re.compile(
    rf"(?P<author>[^\s<>|:]+)(?::(?P<name>{_WORD}))?(?: to=(?P<to>{_WORD}))?"
    rf"(?:<\|channel\|>(?P<channel>{_WORD})(?: to=(?P<later>{_WORD}))?)?"
    rf"(?P<type> ?<\|constrain\|> ?{_WORD}| {_WORD})?"
)
"""The recipient may follow the author or the channel."""


class WireMessage(NamedTuple):
    """One message of a text."""

    text: str
    """All of it, with its special tokens."""
    author: str
    name: str | None
    recipient: str | None
    channel: str | None
    content: str
    end: str
    """The token that ends it; empty if the text ends before."""


def messages_of(text: str) -> list[WireMessage | str]:
    """The messages of a text, in order; what cannot be read as a message stays text."""
    before, *pieces = text.split(START)
    found: list[WireMessage | str] = [before] if before else []
    for i, piece in enumerate(pieces):
        found.append(_read(piece, is_last=i == len(pieces) - 1) or START + piece)
    return found


def _read(piece: str, *, is_last: bool) -> WireMessage | None:
    header, found, rest = piece.partition(MESSAGE)
    message = read_header(header) if found else None
    if message is None:
        return None
    token = SPECIAL.search(rest)
    content = rest if token is None else rest[: token.start()]
    end = "" if token is None else token[0]
    is_ended = end in ENDS and len(content) + len(end) == len(rest)
    if not (is_ended or (token is None and is_last)):
        return None
    return message._replace(text=START + piece, content=content, end=end)


def read_header(header: str) -> WireMessage | None:
    """The message that a header begins, without a content; None for any other text."""
    fields = _HEADER.fullmatch(header)
    if fields is None:
        return None
    recipient = fields["to"] or fields["later"]
    return WireMessage("", fields["author"], fields["name"], recipient, fields["channel"], "", "")


def write_message(header: str, content: str, end: str = END) -> str:
    """The text of one message."""
    return f"{START}{header}{MESSAGE}{content}{end}"


_PARTIAL = re.compile(r"<(?:\|[a-z0-9_]{0,15}\|?)?$")
_LONGEST = 18
"""The longest beginning of a special token."""


def complete_length(text: str) -> int:
    """The length of a text without the beginning of a special token at its end, which more text may complete."""
    found = _PARTIAL.search(text, max(len(text) - _LONGEST, 0))
    return len(text) if found is None else found.start()


# Text that must stay text


def neutral(text: str) -> str:
    """The text with a space inside each special token, so that a tokenizer reads it as text."""
    return SPECIAL.sub(lambda token: "<| " + token[0][2:], text)


def escaped(text: str) -> str:
    """JSON text with the special tokens in its strings escaped, which changes nothing of its meaning."""
    return SPECIAL.sub(lambda token: "\\u003c" + token[0][1:], text)


# Where a prompt ends


def split_end(text: str) -> tuple[str, str]:
    """The messages of a prompt, each ended as within a conversation, and how the prompt ends: open, return, or closed."""
    if text.endswith(OPEN):
        return text[: -len(OPEN)], "open"
    if text.endswith(RETURN):
        return text[: -len(RETURN)] + END, "return"
    return text, "closed"


def with_end(text: str, ending: str | None) -> str:
    """The prompt of these messages: the inverse of `split_end`; None is the usual end."""
    ending = ending or usual_end(text)
    if ending == "return" and text.endswith(END):
        return text[: -len(END)] + RETURN
    return text if ending == "closed" else text + OPEN


def usual_end(text: str) -> str:
    """How a prompt of these messages ends: open, unless the assistant has spoken last, as in data for training."""
    last = text[text.rfind(START) :] if START in text else ""
    if not last.startswith(OPEN):
        return "open"
    return "return" if last.startswith(f"{OPEN}{CHANNEL}final") and last.endswith(END) else "closed"
