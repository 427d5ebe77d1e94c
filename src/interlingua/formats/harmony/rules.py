"""What is wrong with a prompt in harmony: a server completes any text, but the model was trained on these messages alone.

Errors are what openai-harmony cannot read, or would read as other messages than were meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...codec.rules.rule import RuleSet, errors, warnings
from ...codec.rules.view import Found, View
from .texts import ENDS, FUNCTIONS, MESSAGE, OPEN, RETURN, ROLES, SPECIAL, START, WireMessage, messages_of, split_end


def _texts(view: View) -> Iterator[tuple[str, str, Sequence[WireMessage | str]]]:
    """Each prompt with its pointer, its text and its messages."""
    prompt = view.body.get("prompt")
    if isinstance(prompt, str):
        yield "/prompt", prompt, messages_of(split_end(prompt)[0])


def _pieces(view: View) -> Iterator[tuple[str, int, str, bool]]:
    """What cannot be read as a message: the pointer of its prompt, its number and text, and whether it is the last."""
    for at, _, found in _texts(view):
        for i, message in enumerate(found):
            if isinstance(message, str):
                yield at, i, message, i == len(found) - 1


def text_outside_messages(view: View) -> Found:
    """A prompt must begin with `<|start|>`, and must have nothing between the end of a message and the next `<|start|>`.

    Evidence: openai-harmony 0.0.8 reads no other text (`StreamableParser`, "Unexpected token while expecting start token").
    """
    for at, i, text, _ in _pieces(view):
        _, found, rest = text.partition(MESSAGE)
        token = SPECIAL.search(rest)
        is_behind = found and token is not None and token[0] in ENDS and token.end() < len(rest)
        if is_behind or not text.startswith(START):
            yield at, f"there is text before or after message {i}: put it between `{MESSAGE}` and an end token"


def header_unreadable(view: View) -> Found:
    """A message must have a header and `<|message|>` before its content.

    Evidence: openai-harmony 0.0.8 (`StreamableParser`, "Unexpected EOS while waiting for message header to complete").
    """
    for at, i, text, is_last in _pieces(view):
        is_open_end = is_last and text == OPEN
        if text.startswith(START) and MESSAGE not in text and not is_open_end:
            yield at, f"message {i} has no `{MESSAGE}` between its header and its content"


def special_token_in_content(view: View) -> Found:
    """Content must not have special tokens: a tokenizer would read them as structure, so user text could pose as messages.

    Evidence: the guide of openai/harmony (`docs/format.md`), and `encode` of openai-harmony 0.0.8, which refuses such text.
    """
    for at, i, text, _ in _pieces(view):
        _, found, rest = text.partition(MESSAGE)
        token = SPECIAL.search(rest) if found and text.startswith(START) else None
        if token is not None and token[0] not in ENDS:
            yield at, f"the content of message {i} has a special token: write it differently, so that it stays text"


def message_not_ended(view: View) -> Found:
    """Each message but the last must end with `<|end|>`, `<|call|>` or `<|return|>`.

    Evidence: the guide of openai/harmony (`docs/format.md`, "Message format").
    """
    for at, i, text, is_last in _pieces(view):
        _, found, rest = text.partition(MESSAGE)
        is_message = found and text.startswith(START)
        if is_message and not is_last and SPECIAL.search(rest) is None:
            yield at, f"message {i} does not end: it must end with one of {', '.join(ENDS)}"


def role_unknown(view: View) -> Found:
    """A message must be from a role, or from a tool; the header of a tool must have a recipient.

    Evidence: openai-harmony 0.0.8 (`parse_header_from_string`, "Unknown role").
    """
    for at, _, found in _texts(view):
        for i, message in enumerate(found):
            if isinstance(message, str) or message.author in ROLES or message.author.startswith(FUNCTIONS):
                continue
            if message.recipient is None:
                yield at, f"the role of message {i} must be one of {', '.join(ROLES)}, or the name of a tool"


def channel_unknown(view: View) -> Found:
    """Assistant messages must be in the channel `analysis`, `commentary` or `final`.

    Evidence: the guide of openai/harmony (`docs/format.md`, "Channels"); a system message may name others.
    """
    for at, _, found in _texts(view):
        for i, message in enumerate(found):
            if isinstance(message, str) or message.author != "assistant":
                continue
            if message.channel not in ("analysis", "commentary", "final"):
                yield at, f"the channel of message {i} must be analysis, commentary or final"


def return_within_prompt(view: View) -> Found:
    """In a conversation that continues, a message must end with `<|end|>`; `<|return|>` only ends data for training.

    Evidence: the guide of openai/harmony (`docs/format.md`, "Chat conversation format", implementation note).
    """
    for at, _, found in _texts(view):
        for i, message in enumerate(found):
            if not isinstance(message, str) and message.end == RETURN:
                yield at, f"message {i} must end with <|end|>: only the last answer of data for training ends with {RETURN}"


RULES = RuleSet(
    View,
    (
        *errors(text_outside_messages, header_unreadable, special_token_in_content, message_not_ended, role_unknown),
        *warnings(channel_unknown, return_within_prompt),
    ),
    tools=lambda _body: [],
    outputs=lambda _body: [],
)
