"""Write streams of Ollama's chat: each chunk is a response with more of the message, or with a whole call or image."""

from __future__ import annotations

from typing import Any

from ...codec.error_bodies import read_error
from ...codec.fields import Wire, copy_wire
from ...codec.one_text import following
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape
from ...codec.streams.text_streams import take_late, take_tokens
from ...model import events as ev
from ...model.base import Json, exact_object
from ...model.exchange import Response
from .base import OllamaDump
from .messages import ANSWER_JOINED, CALL, IMAGE, MOVED, THINKING, Content, dump_call
from .responses import dump_envelope, dump_frame

_GROWING = {"text": "content", "refusal": "content", "thinking": "thinking"}
"""The message field that a part grows in, by the kind of the part."""


class OllamaShape(BlockShape):
    """Writes the chunks of one stream."""

    amends = True
    whole_calls = True
    signed = ()

    def __init__(self) -> None:
        self._frame: Wire = {}
        """The fields of every chunk: who answers, and when."""
        self._calls = 0
        self._images = 0
        self._furthest = THINKING
        self._moved: set[str] = set()
        """The pointers of the parts that are reported as moved."""
        self._begun: dict[str, list[Block]] = {"content": [], "thinking": []}
        """The blocks that were sent in each field."""
        self._tokens: list[Wire] = []
        """The log probabilities that texts of another provider have."""
        self._ended: Wire = {}
        """The fields of the last chunk that was sent."""

    def ready(self, block: Block, d: OllamaDump, /) -> bool:
        if block.kind == "tool_use":
            return not d.exact and block.scan.complete
        return block.kind == "opaque" or block.has_content

    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]:
        return [{"error": read_error({"error": event.error}).message}] if isinstance(event, ev.ErrorEvent) else []

    # The envelope

    def message_start(self, response: Response, d: OllamaDump) -> list[Wire]:
        dump_frame(response, self._frame, d)
        return []

    def message_stop(self, _response: Response, _d: OllamaDump) -> list[Wire]:
        return []  # the usage may become known later

    def end(self, response: Response, d: OllamaDump) -> list[Wire]:
        d.drop_named(response.message, MESSAGE, "name", "cache_control")
        message: Wire = {"role": "assistant", "content": ""}
        d.lay_provider_data(response.message, message, MESSAGE)
        out: Wire = {**self._frame, "message": message, "done": True}
        dump_envelope(response, out, d, streamed=True)
        if self._tokens:
            out["logprobs"] = self._tokens
        if out == self._ended:
            return []
        self._ended = out
        return [copy_wire(out)]

    def _chunk(self, **fields: Any) -> list[Wire]:
        return [{**self._frame, "message": {"role": "assistant", "content": "", **fields}, "done": False}]

    # Parts

    def block_start(self, block: Block, part: Any, _at: str, d: OllamaDump, /) -> list[Wire] | None:
        d.is_response = True
        if block.kind == "tool_use":
            return self._call(block, part, d)
        if block.kind == "text" and part.provider_data:
            part = part.replace(**take_tokens(block, {"provider_data": part.provider_data}, self._tokens, d))
        content = Content("/message", "assistant", d)
        content.take(block.path, part)
        kind = next((kind for kind, found in content.fields.items() if found), None)
        if kind is None:
            return None
        self._note_order(kind, block, d)
        made: str = content.fields[kind][0][1]
        if kind == IMAGE:
            block.at = f"/message/images/{self._images}"
            d.places[block.at] = block.path
            self._images += 1
            return self._chunk(images=[made])
        key = "thinking" if kind == THINKING else "content"
        block.at = f"/message/{key}"
        before = self._begun[key]
        goes_on = block.path in [each.path for each in before]  # together with a part that another one interrupted
        if before and not d.exact and not goes_on:
            for each in (before[0], block) if len(before) == 1 else (block,):
                if each.path not in self._moved:
                    d.report("changed", each.path, block.at, ANSWER_JOINED)
        else:
            d.places[block.at] = block.path
        if before and not d.exact and block.path != before[-1].path:
            made = following(made, block.kind, before[-1].kind)
        before.append(block)
        return self._chunk(**{key: made})

    def _note_order(self, kind: int, block: Block, d: OllamaDump) -> None:
        if kind < self._furthest and not d.same_family:
            d.report("moved", block.path, None, MOVED)
            self._moved.add(block.path)
        self._furthest = max(self._furthest, kind)

    def _call(self, block: Block, part: Any, d: OllamaDump) -> list[Wire]:
        self._note_order(CALL, block, d)
        block.at = f"/message/tool_calls/{self._calls}"
        given: Json = getattr(part, "input", None)
        value = exact_object(given) if d.exact and isinstance(given, str) else None
        if value is not None:
            part = part.replace(input=value)
        call = dump_call(part, block.path, block.at, d, self._calls)
        self._calls += 1
        return self._chunk(tool_calls=[call])

    def grow(self, block: Block, event: Any, d: OllamaDump, /) -> list[Wire]:
        key = _GROWING.get(event.type)
        if key is not None:
            text: str = getattr(event, event.type)
            return self._chunk(**{key: text}) if text else []
        if event.type == "signature":
            d.sent_signature(event, block.path)
        elif event.type == "arguments":
            if event.arguments.strip(" \t\r\n"):
                d.report("changed", block.path, block.at, "more of the arguments came after the call had been sent")
        elif type(event) is ev.Update:
            take_late(block, event.data, self._tokens, d)
        return []

    def block_stop(self, _block: Block, _d: OllamaDump, /) -> list[Wire]:
        return []
