"""What a format says of its stream of blocks: the chunks for each step, and the blocks that they are about."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Protocol

from ...model import events as ev
from ...model.exchange import Response
from ...model.folding import PartFold
from ...model.parts import TextPart
from ..fields import Wire
from .open_arguments import ArgumentScan, OpenArguments

MESSAGE = "/choices/0/message"
"""The pointer of the written message in the response."""


class Block:
    """A part that is written: its events are folded while it waits, and sent at once while its block is open."""

    def __init__(self, kind: str, path: str, number: int, order: int) -> None:
        self.kind = kind
        self.path = path
        self.position = 0
        """Its index among the parts of the content."""
        self.number = number
        self.order = order
        """The rank of its kind in a flat message, whose parts are sent in this order."""
        self.fold = PartFold()
        self.has_content = False
        self.signed = False
        self.stopped = False
        self.queued = False
        self.done = False
        self.named = False
        self.is_whole = False
        """Whether one event brought the whole part."""
        self.blank = False
        """Whether it has no block because it is still empty; more of it may come."""
        self.before: Block | None = None
        """The blank part that it continues."""
        self.empty = False
        """Whether it had no text at all when it turned out blank, not even white space."""
        self.cited = 0
        """How many of its citations are known."""
        self.input_is_text = False
        """Whether the input of a call is a text, and not an object in the form of text."""
        self.scan = ArgumentScan()
        """Tells when the arguments of a call are complete."""
        self.arguments: OpenArguments | None = None
        """The arguments of a call that began before they were complete, if the format needs an object."""
        self.written: int | None = None
        """The index of its block."""
        self.at: str | None = None
        """The pointer of its block in the whole response; None until it has one."""


class BlockShape(Protocol):
    """Makes the chunks of one format's stream; each method returns the chunks to send."""

    # Whether `grow` accepts events of a part whose block has ended.
    amends: bool = False
    # Whether a call is sent as a whole, once its arguments are complete.
    whole_calls: bool = False
    # The kinds of parts that may be signed.
    signed: Container[str] = ("thinking",)

    # Returns why reasoning that is only text has no block; None if it has one.
    def refuses_plain(self) -> str | None:
        return None

    # Whether enough of a part is known to begin its block before the part is complete.
    def ready(self, block: Block, d: Any, /) -> bool: ...

    # Writes an event that does not belong to a part.
    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]: ...

    # Writes new data of the answer other than its parts, while a block is open.
    def beside(self, _block: Block, _data: Wire, _d: Any, /) -> list[Wire]:
        return []

    # Begins the message.
    def message_start(self, response: Response, d: Any, /) -> list[Wire]: ...

    # Begins a block, with what is known of its part; None, with a report, if the format cannot have the part. A shape that has
    # blocks in several lists sets their `at`.
    def block_start(self, block: Block, part: Any, at: str, d: Any, /) -> list[Wire] | None: ...

    # Writes more of the open block.
    def grow(self, block: Block, event: Any, d: Any, /) -> list[Wire]: ...

    # Ends a block.
    def block_stop(self, block: Block, d: Any, /) -> list[Wire]: ...

    # Writes the stop reason and the usage; called again when more is known.
    def message_stop(self, response: Response, d: Any, /) -> list[Wire]: ...

    # Ends the stream.
    def end(self, response: Response, d: Any, /) -> list[Wire]: ...


def sent_before(field: str) -> str:
    """Why a field that becomes known late is lost to clients."""
    return f"clients read `{field}` in the first event, which was sent before the value was known"


def added_text(event: Any, block: Block, d: Any) -> str | None:
    """The text that an event adds to an open block; None if there is nothing to send."""
    kind: str = event.type
    is_known = kind == "arguments" and d.exact and block.input_is_text
    text: str | None = d.sent_signature(event, block.path) if kind == "signature" else getattr(event, kind, None)
    return None if is_known else text


def late_citations(block: Block, data: Wire, d: Any) -> list[tuple[Any, str]]:
    """The citations that an update adds to the open block of a text, with their pointers; reports other, late data."""
    cited: list[tuple[Any, str]] = []
    for key, value in data.items():
        if key == "citations" and block.kind == "text":
            for citation in TextPart(text="", citations=value).citations or ():
                path = f"{block.path}/citations/{block.cited}"
                block.cited += 1
                if block.done:
                    d.drop(path, "the citation came after the block of its text had ended")
                else:
                    cited.append((citation, path))
        elif key == "provider_data":
            d.drop_fields(TextPart(text="", provider_data=value), block.path)
        elif key not in ("input", "wire") and value not in (None, [], ""):  # the input repeats the arguments
            d.drop(f"{block.path}/{key}", "this field came after its block had started")
    return cited
