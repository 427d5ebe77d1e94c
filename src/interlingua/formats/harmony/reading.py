"""Read the text of an answer, whole or in pieces that are cut anywhere, also inside of special tokens.

The text goes on after `<|start|>assistant`. Where it stops to be messages of the assistant, such as in a text without its
special tokens, the rest stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from .messages import AnswerPart, part_of
from .texts import CHANNEL, ENDS, MESSAGE, SPECIAL, START, complete_length, read_header


class Step(NamedTuple):
    """What a piece of text adds: it begins a part, adds text to it, or ends it."""

    kind: Literal["begin", "more", "end"]
    part: AnswerPart
    """The part that begins, whose text is empty; for others, the text that is added."""


_END = Step("end", AnswerPart("", ""))


class TextReader:
    """Reads one answer."""

    def __init__(self) -> None:
        self._state: Literal["header", "content", "between", "rest"] = "header"
        self._pending = ""
        """The beginning of what may be a special token."""
        self._before = ""
        """What stands before the header: nothing before the first, whose role is in the prompt."""
        self._header: list[str] = []

    @property
    def is_within_content(self) -> bool:
        """Whether text without the beginning of a special token is content of the part that is open."""
        return self._state == "content" and not self._pending

    def feed(self, text: str) -> Iterator[Step]:
        """The steps of more text."""
        text = self._pending + text
        end = complete_length(text)
        self._pending = text[end:]
        yield from self._read(text[:end])

    def end(self) -> Iterator[Step]:
        """The last steps."""
        pending = self._pending
        self._pending = ""
        yield from self._read(pending)
        if self._state == "header" and (self._before or self._header):
            yield from self._stay_text(self._raw_header())
        if self._state in ("content", "rest"):
            self._state = "between"
            yield _END

    def _read(self, text: str) -> Iterator[Step]:
        at = 0
        for token in SPECIAL.finditer(text):
            yield from self._take(text[at : token.start()])
            yield from self._take_token(token[0])
            at = token.end()
        yield from self._take(text[at:])

    def _take(self, text: str) -> Iterator[Step]:
        if not text:
            return
        if self._state == "header":
            self._header.append(text)
        elif self._state == "between":
            yield from self._stay_text(text)
        else:
            yield Step("more", AnswerPart("", text))

    def _take_token(self, token: str) -> Iterator[Step]:
        if self._state == "rest":
            yield Step("more", AnswerPart("", token))
        elif self._state == "header":
            yield from self._take_in_header(token)
        elif self._state == "content":
            yield _END
            self._state = "between"
            if token not in ENDS:
                yield from self._stay_text(token)
        elif token == START:
            self._state = "header"
            self._before = START
        else:
            yield from self._stay_text(token)

    def _take_in_header(self, token: str) -> Iterator[Step]:
        if token != MESSAGE:
            self._header.append(token)
            if token not in (CHANNEL, "<|constrain|>"):
                yield from self._stay_text(self._raw_header())
            return
        header = "".join(self._header)
        message = read_header(header if self._before else f"assistant{header}")
        part = None if message is None else part_of(message)
        if part is None or message is None:
            yield from self._stay_text(self._raw_header() + token)
            return
        self._header.clear()
        self._state = "content"
        is_preamble = part.kind == "text" and message.channel == "commentary"
        yield Step("begin", part._replace(channel="commentary") if is_preamble else part)

    def _raw_header(self) -> str:
        return self._before + "".join(self._header)

    def _stay_text(self, text: str) -> Iterator[Step]:
        self._state = "rest"
        yield Step("begin", AnswerPart("opaque", ""))
        yield Step("more", AnswerPart("", text))


def parts_in(text: str) -> list[AnswerPart]:
    """The parts of a whole answer."""
    reader = TextReader()
    parts: list[AnswerPart] = []
    texts: list[str] = []
    for step in (*reader.feed(text), *reader.end()):
        if step.kind == "begin":
            parts.append(step.part)
        elif step.kind == "more":
            texts.append(step.part.text)
        else:
            parts[-1] = parts[-1]._replace(text="".join(texts))
            texts.clear()
    return parts
