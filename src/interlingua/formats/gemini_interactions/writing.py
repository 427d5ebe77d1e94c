"""Write streams of the Interactions API: turn a message into events, step by step.

A block is a part. A call, a thought, and a step that is kept whole are one step each. The contents of a model output follow
one another in one step, which ends when a part of another step begins, or when the stream ends.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire, copy_wire, spelling
from ...codec.readable import send_as_media
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape, added_text, late_citations
from ...codec.streams.open_arguments import OpenArguments, without_arguments
from ...model import events as ev
from ...model.base import Json
from ...model.exchange import Response
from ...model.parts import to_json
from .base import FAMILY, InteractionsDump
from .messages import begins_step, drop_frame, write_step
from .parts import dump_citations
from .responses import dump_envelope

_OWN = ("interaction.", "step.")
"""The prefixes of the types of a stream's own events; opaque events of these types are not passed on."""


class InteractionsShape(BlockShape):
    """Writes the events of one stream."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._steps = 0
        """How many steps were begun."""
        self._contents: int | None = None
        """How many contents the open model output has; None if no model output is open."""
        self._last: Any = None
        """The last part that was written."""
        self._texts: dict[int, list[str]] = {}
        """The pieces of each text, by the number of its block."""
        self._cited: dict[int, list[Any]] = {}
        """The citations of each text, which follow it."""
        self._sent: Wire = {}

    def ready(self, block: Block, d: InteractionsDump) -> bool:
        if block.kind == "opaque":
            return block.fold.is_of(FAMILY)
        if block.kind == "tool_use":
            # The other fields of a call of this format come before its arguments, and some hosts send the id after the name.
            return block.has_content or (not d.exact and block.fold.has_id())
        if block.kind == "thinking":
            return block.has_content or block.signed
        return block.kind in ("text", "refusal") and block.has_content

    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]:
        if isinstance(event, ev.ErrorEvent):
            return [{"event_type": "error", "error": copy_wire(event.error)}]
        kind: Json = event.value.get("event_type")
        passes = event.format == FAMILY and type(kind) is str and not kind.startswith(_OWN)
        return [copy_wire(event.value)] if passes else []

    # The envelope

    def message_start(self, response: Response, d: InteractionsDump) -> list[Wire]:
        self._id = response.id
        envelope = dump_envelope(response.replace(usage=None), d)
        envelope["status"] = "in_progress"
        return [{"event_type": "interaction.created", "interaction": envelope}]

    def message_stop(self, response: Response, d: InteractionsDump) -> list[Wire]:
        drop_frame(response.message, MESSAGE, d)
        return []  # the last output may go on, and the usage may become known later

    def end(self, response: Response, d: InteractionsDump) -> list[Wire]:
        chunks = self._close_output()
        envelope = dump_envelope(response, d)
        if envelope == self._sent:
            return chunks
        self._sent = copy_wire(envelope)
        return [*chunks, {"event_type": "interaction.completed", "interaction": envelope}]

    # Steps

    def block_start(self, block: Block, part: Any, _at: str, d: InteractionsDump) -> list[Wire] | None:
        d.is_response = True
        d.offset = self._steps
        begun = ""
        if block.kind == "tool_use" and not (block.stopped or d.exact):
            part, field, begun = without_arguments(part)
            block.arguments = OpenArguments(
                f"{block.path}/{field}", f"/steps/{self._steps}/arguments", custom=bool(part.custom)
            )
        if block.kind == "opaque":
            part = send_as_media(part, block.path, None, d, "image") or part
        written: list[Wire] = []
        write_step([(block.path, part)], written, d)
        if not written:
            return None
        *first, step = written
        if block.arguments is not None:
            step["arguments"] = {}
        chunks: list[Wire] = []
        is_whole = block.kind == "opaque" and part.type == "opaque" and spelling(part, "opaque") is None
        if step["type"] == "model_output" and self._contents is not None and not begins_step(self._last, part, d):
            block.at = f"/steps/{self._steps - 1}/content/{self._contents}"
        else:
            chunks = self._close_output()
            for before in first:  # of code that came with its result
                self._begin_step(before, block, chunks, is_whole=is_whole)
                chunks.append(self._stop())
            self._begin_step(step, block, chunks, is_whole=is_whole)
        self._last = part
        if not is_whole:
            chunks += self._first_deltas(step, block, part)
        if block.arguments is not None:
            chunks += self._arguments(block.arguments.add(begun, whole=block.is_whole))
        return chunks

    def _begin_step(self, step: Wire, block: Block, chunks: list[Wire], *, is_whole: bool) -> None:
        """The start of a step, without what its deltas bring; a step that is kept whole is all in its start."""
        kind = "" if is_whole else step["type"]
        start: Wire = {**step}
        block.at = f"/steps/{self._steps}"
        if kind == "model_output":
            del start["content"]
            self._contents = 0
            block.at += "/content/0"
        elif kind == "thought":
            start = {key: value for key, value in step.items() if key not in ("summary", "signature")}
        elif kind == "function_call" and step.get("arguments"):
            start["arguments"] = {}
        chunks.append({"event_type": "step.start", "index": self._steps, "step": start})
        self._steps += 1

    def _first_deltas(self, step: Wire, block: Block, part: Any) -> list[Wire]:
        """The deltas of what is known of a part when its step begins."""
        kind = step["type"]
        if kind == "thought":
            chunks = [self._summary(text["text"]) for text in step.get("summary", ()) if text["text"] or block.stopped]
            return [*chunks, *([self._delta("thought_signature", signature=step["signature"])] if "signature" in step else [])]
        if kind == "function_call":
            arguments: Json = step.get("arguments")
            text = arguments if type(arguments) is str else to_json(arguments) if arguments else ""
            return self._arguments(text)
        if kind != "model_output" or self._contents is None:
            return []
        self._contents += 1
        [content] = step["content"]
        if content["type"] != "text":
            return [self._delta(**content)]
        self._cited[block.number] = list(getattr(part, "citations", None) or ())
        delta = {key: value for key, value in content.items() if key != "annotations"}
        if not content["text"] and len(delta) == 2:
            self._texts[block.number] = []
            return []  # until there is text
        self._texts[block.number] = [content["text"]]
        return [self._delta(**delta)]

    def grow(self, block: Block, event: Any, d: InteractionsDump) -> list[Wire]:
        if event.type in ("text", "refusal"):
            text: str = getattr(event, event.type)
            if not text:
                return []
            self._texts.setdefault(block.number, []).append(text)
            return [self._delta("text", text=text)]
        if type(event) is ev.Update:
            self._cited.setdefault(block.number, []).extend(citation for citation, _ in late_citations(block, event.data, d))
            return []
        if block.arguments is not None and event.type == "arguments":
            return self._arguments(block.arguments.add(event.arguments))
        added = added_text(event, block, d)
        if not added:
            return []
        if event.type == "signature":
            return [self._delta("thought_signature", signature=added)]
        if event.type == "arguments":
            return self._arguments(added)
        return [self._summary(added)]

    def block_stop(self, block: Block, d: InteractionsDump) -> list[Wire]:
        chunks: list[Wire] = []
        if block.arguments is not None:
            chunks += self._arguments(block.arguments.end(d))
        if self._texts.get(block.number) == []:
            chunks.append(self._delta("text", text=""))  # a text that is empty; without it, the output has no content
        cited = self._cited.pop(block.number, [])
        if cited:
            text = "".join(self._texts.get(block.number, ()))
            annotations = dump_citations(cited, text, block.path, d)
            if annotations:
                chunks.append(self._delta("text_annotation_delta", annotations=annotations))
        if self._contents is None:
            chunks.append(self._stop())
        return chunks

    def _close_output(self) -> list[Wire]:
        """End the open model output."""
        if self._contents is None:
            return []
        self._contents = None
        return [self._stop()]

    # Events

    def _stop(self) -> Wire:
        return {"event_type": "step.stop", "index": self._steps - 1}

    def _delta(self, type: str, **fields: Any) -> Wire:
        return {"event_type": "step.delta", "index": self._steps - 1, "delta": {"type": type, **fields}}

    def _summary(self, text: str) -> Wire:
        return self._delta("thought_summary", content={"type": "text", "text": text})

    def _arguments(self, text: str) -> list[Wire]:
        return [self._delta("arguments_delta", arguments=text)] if text else []
