"""Write streams of text completions: each chunk has more of the text of an answer.

Whether a call follows a text is not known when the text begins: a text of another provider is in the channel `final`.
"""

from __future__ import annotations

from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.error_bodies import read_error
from ...codec.fields import Wire, copy_wire
from ...codec.one_text import following
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape, added_text, late_citations
from ...codec.streams.block_stream import made_of
from ...model import events as ev
from ...model.exchange import Choice, Response
from ...model.parts import to_json
from ..openai_completions.answers import OBJECT, STOPS
from .base import HarmonyDump
from .dumps import JOINED, NEUTRAL, call_name, dump_text, dump_thinking
from .messages import AnswerPart, call_header, channel_header
from .responses import COUNTS, METADATA
from .texts import CALL, END, MESSAGE as CONTENT, OPEN, RETURN, SPECIAL, START, complete_length, escaped, neutral

_AT = "/choices/0/text"
_NO_REASON = "a stream must end with a finish_reason: stop is added"


class HarmonyShape(BlockShape):
    """Writes the chunks of one stream."""

    signed = ()

    def __init__(self) -> None:
        self._frame: Wire = {}
        """The fields of every chunk: who answers, and when."""
        self._ending = ""
        """The token that ends the last message, unless another one ends the whole text."""
        self._last = ""
        """The kind of the last message."""
        self._text = ""
        """The kind of the last block, if it is text, to which the next text is joined."""
        self._joined = False
        self._begun = False
        self._pending = ""
        """The beginning of what may be a special token, at the end of the text so far."""
        self._stopped = False
        self._usage: Wire = {}

    def ready(self, block: Block, d: HarmonyDump, /) -> bool:
        if block.kind == "tool_use":
            return d.exact or not made_of(block.fold.part).custom  # whose text becomes the field of an object
        return block.kind == "opaque" or block.has_content

    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]:
        if not isinstance(event, ev.ErrorEvent):
            return []
        error = read_error({"error": event.error})
        return [{"error": {"message": error.message, "type": error.type, "param": None, "code": error.code}}]

    # The envelope

    def message_start(self, response: Response, _d: HarmonyDump) -> list[Wire]:
        known = {key: getattr(response, key) for key in ("id", "created", "model")}
        self._frame = {key: value for key, value in known.items() if value is not None} | {"object": OBJECT}
        return []

    def message_stop(self, _response: Response, _d: HarmonyDump) -> list[Wire]:
        return []  # the usage may become known later

    def end(self, response: Response, d: HarmonyDump) -> list[Wire]:
        self.message_start(response, d)  # of which more may be known
        chunks: list[Wire] = []
        choice = response.choices[0] if response.choices else Choice(message=response.message)
        d.drop_named(response.message, MESSAGE, "name", "cache_control")
        d.drop_fields(response.message, MESSAGE)
        ending = RETURN if self._last == "final" else self._ending
        last: Wire = {"index": 0, "text": self._rest() + ending, "finish_reason": None}
        word = d.stop_word(STOPS, choice, "/choices/0", "/choices/0/finish_reason")
        if word is None:
            d.report("added", "/choices/0/stop_reason", "/choices/0/finish_reason", _NO_REASON)
        last["finish_reason"] = word or "stop"
        if choice.stop_sequence is not None:
            d.drop("/choices/0/stop_sequence", "responses of text completions have no field for the stop sequence")
        d.lay_provider_data(choice, last, "/choices/0", None if d.exact else frozenset({"logprobs"}).__contains__)
        usage = {} if response.usage is None else COUNTS.dump(response.usage, d.unsaid, d.drop)
        rest: Wire = {}
        d.lay_provider_data(response, rest, "", None if d.exact else METADATA.__contains__)
        if not self._stopped:
            self._stopped = True
            chunks.append({**self._frame, **rest, "choices": [last]})
        if usage and usage != self._usage:
            self._usage = copy_wire(usage)
            chunks.append({**self._frame, "choices": [], "usage": usage})
        return chunks

    def _chunk(self, text: str) -> list[Wire]:
        return [{**self._frame, "choices": [{"index": 0, "text": text, "finish_reason": None}]}] if text else []

    # Parts

    def block_start(self, block: Block, part: Any, _at: str, d: HarmonyDump, /) -> list[Wire] | None:
        d.at = _AT
        made = self._part(block, part, d)
        if made is None:
            return None
        block.at = _AT
        d.places[_AT] = MESSAGE
        last = self._text
        self._text = block.kind if made.kind == "text" and not d.from_target else ""
        if last and self._text:
            return self._join(following(made.text, block.kind, last), block, d)
        before = self._rest() + self._ending + (START if self._begun else "")
        self._begun = True
        self._last = made.kind
        if made.kind == "opaque":
            self._ending = ""
            return self._chunk(before.removesuffix(START) + made.text)
        channel = "analysis" if made.kind == "thinking" else made.channel or "final"
        if made.kind == "tool_use":
            header = call_header(made.name, as_model=True)
        else:
            self._last = channel
            header = channel_header(channel)
        self._ending = CALL if made.kind == "tool_use" else END
        if before == "":
            header = header.removeprefix(OPEN.removeprefix(START))
        return self._chunk(f"{before}{header}{CONTENT}{self._safe(made.text, block, d)}")

    def _join(self, text: str, block: Block, d: HarmonyDump) -> list[Wire]:
        """Add a text to the one before it. That the texts of an answer are joined is reported once, as for a whole response."""
        if not self._joined:
            self._joined = True
            d.report("changed", MESSAGE, _AT, JOINED)
        return self._chunk(self._safe(text, block, d))

    def _part(self, block: Block, part: Any, d: HarmonyDump) -> AnswerPart | None:
        """What is known of a part; None, with a report, if it cannot be written."""
        if block.kind == "tool_use":
            text: str = part.arguments
            if part.custom and not d.exact:
                text = to_json(fit_arguments(part, text, block.path, _AT, d))
            return AnswerPart("tool_use", text, call_name(part, block.path, d))
        if block.kind in ("thinking", "redacted_thinking"):
            return dump_thinking(part, block.path, d, streamed=True)
        found = dump_text(part, block.path, MESSAGE, d, streamed=True)
        return found[0] if found else None

    def _rest(self) -> str:
        """What was held back of a text because more text could have made it a special token."""
        rest = self._pending
        self._pending = ""
        return rest

    def _safe(self, text: str, block: Block, d: HarmonyDump) -> str:
        """The text as a content may have it, without what may become a special token with more text."""
        text = self._pending + text
        end = complete_length(text)
        self._pending = text[end:]
        text = text[:end]
        if SPECIAL.search(text) is None:
            return text
        d.report("changed", block.path, _AT, NEUTRAL)
        return escaped(text) if block.kind == "tool_use" else neutral(text)

    def grow(self, block: Block, event: Any, d: HarmonyDump, /) -> list[Wire]:
        if type(event) is ev.Update:
            if event.data.get("citations") and not block.cited:
                block.cited = len(event.data["citations"])
                d.drop(block.path + "/citations", f"{d.target.name} has no field `citations`")
            late_citations(block, {key: value for key, value in event.data.items() if key != "citations"}, d)
            return []
        text = added_text(event, block, d)
        if event.type == "signature":
            return []
        return self._chunk(self._safe(text, block, d)) if text else []

    def block_stop(self, _block: Block, _d: HarmonyDump, /) -> list[Wire]:
        return [] if self._text else self._chunk(self._rest())
