"""Write streams of Gemini: each chunk is a response with one new part, or with more of the text before it."""

from functools import partial
from typing import Any

from ...codec.answers import take_probabilities
from ...codec.fields import Wire, copy_wire, spelling
from ...codec.format import Format, Formats
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape, late_citations
from ...codec.streams.block_stream import BlockWriting, made_of
from ...errors import Loss
from ...model import events
from ...model.base import Json, exact_object
from ...model.deltas import in_first_choice
from ...model.exchange import Choice, Response
from .base import FAMILY, GeminiDump
from .citations import write_grounding
from .parts import dump_call, dump_frame, dump_part
from .responses import dump_envelope, dump_frame_of, dump_probabilities, write_probabilities

_TEXTS = ("text", "thinking", "refusal")


class GeminiWriting:
    """Writes one stream: each candidate by itself, and the fields of the response together with the first."""

    def __init__(self, format: Format, formats: Formats) -> None:
        self._new = partial(BlockWriting, format, formats, at="/candidates/0/content/parts")
        self._candidates: dict[int, BlockWriting] = {}
        self._origin: str | None = None
        self.losses: list[Loss] = []
        self.names: dict[str, str] = {}

    def write(self, event: Any) -> list[Wire]:
        """The chunks of an event."""
        if type(event) is events.StreamEnd:
            return [chunk for number in self._candidates or (0,) for chunk in self._write(number, event)]
        number: int = getattr(event, "choice", 0)
        if type(event) is events.MessageStart:
            self._origin = self._origin or event.origin
            event = event.replace(origin=self._origin)
        return self._write(number, in_first_choice(event) if number else event)

    def _write(self, number: int, event: Any) -> list[Wire]:
        writing = self._candidates.get(number)
        if writing is None:
            writing = self._candidates[number] = self._new(shape=GeminiShape(number))
            writing.names = self.names
        count = len(writing.losses)
        chunks = writing.write(event)
        for path, at, kind, detail in writing.losses[count:]:
            place = None if at is None else at.replace("/candidates/0", f"/candidates/{number}", 1)
            self.losses.append(Loss(path.replace("/choices/0", f"/choices/{number}", 1), place, kind, detail))
        return chunks


def _not_sent(fields: Wire, sent: Wire) -> Wire:
    """The fields that were not sent yet, or were sent with another value."""
    return {key: value for key, value in fields.items() if sent.get(key, ...) != value}


class GeminiShape(BlockShape):
    """Writes the chunks of one candidate."""

    whole_calls = True
    signed = ("text", "thinking", "tool_use", "image", "audio", "video", "file")

    def __init__(self, number: int) -> None:
        self._index: Wire = {"index": number} if number else {}
        self._frame: Wire = {}
        """The fields of every chunk."""
        self._sent: tuple[Wire, Wire] = {}, {}
        """The fields of the response and of its candidate that have been sent."""
        self._stopped = False
        """Whether a reason for the end was added, which the source did not say."""
        self._last: Wire = {}
        """The last part that was sent."""
        self._calls = False
        self._texts: list[Block] = []
        """The texts that were sent; each collects its further text, as citations refer to the whole."""
        self._tokens: dict[int, list[Wire]] = {}
        """The log probabilities that another provider's texts have, by the number of their block."""

    def ready(self, block: Block, d: GeminiDump, /) -> bool:
        if block.kind == "tool_use":
            is_signed = block.signed or d.source is None or not d.source.signs_calls_last  # a call is sent with its signature
            return not d.exact and is_signed and block.scan.complete
        if block.kind == "opaque":
            return block.fold.is_of(FAMILY)  # another format's image is known only at its end
        return block.has_content

    def pass_on(self, event: events.ErrorEvent | events.OpaqueEvent) -> list[Wire]:
        return [{"error": copy_wire(event.error)}] if isinstance(event, events.ErrorEvent) else []

    # The response besides its parts

    def message_start(self, response: Response, d: GeminiDump) -> list[Wire]:
        out = dump_envelope(response, d)
        self._frame = {key: out[key] for key in ("responseId", "modelVersion", "response_id", "model_version") if key in out}
        return []

    def message_stop(self, response: Response, d: GeminiDump) -> list[Wire]:
        """A chunk with what is new about the response and its candidate, if anything is."""
        out = dump_envelope(response, d)
        choice = response.choices[0] if response.choices else Choice(message=response.message)
        if choice.stop_reason is None and not d.same_family:
            if not self._stopped:
                d.report("added", "/choices/0/stop_reason", None, "a stream must say why it ended: sent as STOP")
            self._stopped = True
            choice = choice.replace(stop_reason="tool_calls" if self._calls else "stop")
        is_absent = d.exact and spelling(choice, "candidate") == "absent"
        candidate: Wire = {} if is_absent else self._candidate(choice, response, d)
        cited = [(text.written or 0, made_of(text.fold.part), text.path) for text in self._texts]
        grounding = write_grounding(cited, d)
        if grounding:
            candidate[d.key(None, "groundingMetadata")] = grounding
        sent, sent_candidate = self._sent
        news = _not_sent(out, sent)
        about = _not_sent(candidate, sent_candidate)
        self._sent = sent | out, sent_candidate | candidate
        if about:
            news["candidates"] = [about | self._index]
        return [copy_wire(self._frame | news)] if news else []

    end = message_stop

    def _candidate(self, choice: Choice, response: Response, d: GeminiDump) -> Wire:
        """The candidate without the parts that have been sent."""
        candidate = dump_frame_of(choice, 0, d, calls=self._calls)
        dump_probabilities(choice, 0, candidate, d, streamed=True)
        if self._tokens:
            write_probabilities([token for tokens in self._tokens.values() for token in tokens], candidate, d)
        content: Wire = {}
        if not self._last and spelling(choice, "content") != "absent":
            content["role"] = "model"
            if spelling(response.message, "parts") != "absent":
                content["parts"] = []
        dump_frame(response.message, content, MESSAGE, "/candidates/0/content", d)
        return candidate | {"content": content} if content else candidate

    # Parts

    def _chunk(self, *parts: Wire) -> list[Wire]:
        self._last = parts[-1]
        return [{"candidates": [{"content": {"role": "model", "parts": [*parts]}, **self._index}], **self._frame}]

    def block_start(self, block: Block, part: Any, at: str, d: GeminiDump, /) -> list[Wire] | None:
        d.in_response = True
        wire: Wire | list[Wire] | None
        if block.kind == "tool_use":
            given: Json = getattr(part, "input", None) or part.arguments
            value = exact_object(given) if d.exact and isinstance(given, str) else None
            wire = dump_call(part, given if value is None else value, block.path, at, d)
            self._calls = True
        else:
            if block.kind == "text" and part.provider_data:
                part = part.replace(**self._take_tokens(block, {"provider_data": part.provider_data}, d))
            wire = dump_part(part, block.path, at, d, "assistant")
        if wire is None:
            return None
        if isinstance(wire, list):
            return self._chunk(*wire)
        if block.kind == "text":
            self._texts.append(block)
        # A client would read the text as more of the text before it.
        joins = block.kind in _TEXTS and self._last.keys() == wire.keys() and wire.keys() <= {"text", "thought"}
        return self._chunk(*([wire | {"text": ""}] if joins else []), wire)

    def grow(self, block: Block, event: Any, d: GeminiDump, /) -> list[Wire]:
        if block.kind == "text":
            block.fold.add(event)
        if event.type in _TEXTS:
            text: str = getattr(event, event.type)
            return self._chunk({"text": text} | ({"thought": True} if block.kind == "thinking" else {})) if text else []
        if type(event) is events.SignatureDelta:
            return self._sign(block, event, d)
        if event.type == "arguments":
            if event.arguments.strip(" \t\r\n"):
                d.report("changed", block.path, block.at, "more of the arguments came after the call had been sent")
        elif type(event) is events.Update:
            data = event.data
            if block.kind == "text":
                data = self._take_tokens(block, {k: v for k, v in data.items() if k != "citations"}, d)
            late_citations(block, data, d)
        return []

    def _take_tokens(self, block: Block, data: Wire, d: GeminiDump) -> Wire:
        """Keep the log probabilities of a text for the end of the candidate, and return the data without them."""
        if (taken := take_probabilities(data, block.path, d, in_texts=True)) is None:
            return data
        self._tokens[block.number], data = taken
        return data

    def _sign(self, block: Block, event: Any, d: GeminiDump) -> list[Wire]:
        """Write a signature that comes after its part was sent: in an empty text, as Gemini does; a call's has no place."""
        if (signature := d.sent_signature(event, block.path)) is None:
            return []
        if block.kind not in _TEXTS:
            d.drop(block.path + "/signature", "the signature came after its part had been sent")
            return []
        d.report("changed", block.path, None, "the signature came after the text had been sent, and is sent after it")
        block.written = 1 + (block.written or 0)
        thought: Wire = {"thought": True} if block.kind == "thinking" else {}
        return self._chunk({"text": "", **thought, d.key(None, "thoughtSignature"): signature})

    def block_stop(self, _block: Block, _d: GeminiDump, /) -> list[Wire]:
        return []
