"""Recorded streams: what they say, judged by another reader of them."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from conversion.test_responses import read_as
from interlingua.codec.strategies.cutting import Hosts
from interlingua.testing.lawbook import documents
from laws import recorded, sse
from laws.streaming import as_dicts, judged, read, unfinished

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


# Recorded streams


class Accumulated:
    """What a recorded stream says, added up without a look at how it is read."""

    def __init__(self) -> None:
        self.text: dict[int, str] = {}
        self.refusal: dict[int, str] = {}
        self.thinking: dict[int, str] = {}
        self.signatures: list[str] = []
        self.part_signatures: list[str] = []
        """Signatures of parts of any kind."""
        self.arguments: dict[Any, str] = {}
        self.names: dict[Any, str] = {}
        self.whole: list[str] = []
        """Texts of messages that came whole in a chunk."""

    def add(self, chunk: dict[str, Any]) -> None:
        choices: list[dict[str, Any]] = chunk.get("choices") or []
        for choice in choices:
            self._delta(choice.get("index") or 0, choice.get("delta") or {})
        kind = chunk.get("type")
        for name, add in READERS.items():
            if name in chunk:
                add(self, chunk[name])
        if str(kind).startswith("response."):
            self._item(chunk)
        if "is_finished" in chunk:
            self.plain(chunk.get("text", ""))
        if chunk.get("event_type") == "step.delta":
            self._step_delta(chunk["delta"])
        if kind == "content_block_start":
            self._block(chunk["index"], chunk["content_block"])
        elif kind == "content_block_delta":
            self._block_delta(chunk["index"], chunk["delta"])
        elif kind in ("content-delta", "tool-plan-delta", "tool-call-start", "tool-call-delta"):
            self._said(chunk.get("index", 0), chunk["delta"]["message"])
        elif "done" in chunk:
            self._line(chunk["message"] if "message" in chunk else {"content": chunk["response"], **chunk})
        elif kind == "message":
            self.whole += [str(block.get("text", block.get("thinking", ""))) for block in chunk["content"]]

    def _grow(self, into: dict[Any, str], key: Any, text: Any) -> None:
        if isinstance(text, str):
            into[key] = into.get(key, "") + text

    def _delta(self, choice: int, delta: dict[str, Any]) -> None:
        content = delta.get("content")
        self._grow(self.text, choice, content)
        parts: list[dict[str, Any]] = content if documents.is_array(content) else []
        for part in parts:
            self._grow(self.text, choice, part.get("text"))
            inner: list[dict[str, Any]] = part.get("thinking") or []
            for item in inner:
                self._grow(self.thinking, choice, item["text"])
        self._grow(self.refusal, choice, delta.get("refusal"))
        plain = [delta[key] for key in ("reasoning_content", "reasoning", "reasoning_text") if isinstance(delta.get(key), str)]
        details: list[dict[str, Any]] = delta.get("reasoning_details") or []
        if plain:
            self._grow(self.thinking, choice, plain[0])
        else:
            for detail in details:
                self._grow(self.thinking, choice, detail.get("text", detail.get("summary")))
        self.signatures += [detail["signature"] for detail in details if detail.get("signature")]
        calls: list[dict[str, Any]] = delta.get("tool_calls") or []
        for place, call in enumerate(calls):
            # No recorded stream leaves out the index of a call that comes in pieces.
            key = (choice, call["index"] if call.get("index") is not None else place)
            function: dict[str, Any] = call.get("function") or {}
            self.names.setdefault(key, function["name"]) if function.get("name") else None
            self._grow(self.arguments, key, function.get("arguments"))

    def candidates(self, candidates: list[dict[str, Any]]) -> None:
        for choice, candidate in enumerate(candidates):
            content: dict[str, Any] = candidate.get("content") or {}
            parts: list[dict[str, Any]] = content.get("parts") or []
            for part in parts:
                self._grow(self.thinking if part.get("thought") else self.text, choice, part.get("text"))
                signature = part.get("thoughtSignature", part.get("thought_signature"))
                call: dict[str, Any] | None = part.get("functionCall", part.get("function_call"))
                self.part_signatures += [signature] if signature and (call or "text" in part) else []
                if call and "name" in call:
                    key = len(self.names)
                    self.names[key] = call["name"]
                    if not call.get("willContinue"):
                        self.arguments[key] = json.dumps(call.get("args") or {})

    def plain(self, text: str) -> None:
        self._grow(self.text, 0, text)

    def bedrock_start(self, event: dict[str, Any]) -> None:
        start: dict[str, Any] = event.get("start") or {}
        called: dict[str, Any] | None = start.get("toolUse")
        if called and called.get("type") != "server_tool_use":
            self.names[event["contentBlockIndex"]] = called["name"]

    def bedrock_delta(self, event: dict[str, Any]) -> None:
        delta, index = event["delta"], event["contentBlockIndex"]
        called: dict[str, Any] = delta.get("toolUse") or {}
        reasoning: dict[str, Any] = delta.get("reasoningContent") or {}
        self._grow(self.text, 0, delta.get("text"))
        self._grow(self.thinking, 0, reasoning.get("text"))
        self.signatures += [reasoning["signature"]] if reasoning.get("signature") else []
        if index in self.names:
            self._grow(self.arguments, index, called.get("input"))

    def _item(self, event: dict[str, Any]) -> None:
        kind, key = event["type"], event.get("output_index")
        if kind == "response.output_text.delta":
            self._grow(self.text, 0, event["delta"])
        elif kind == "response.refusal.delta":
            self._grow(self.refusal, 0, event["delta"])
        elif kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            self._grow(self.thinking, 0, event["delta"])
        elif kind == "response.output_item.added" and event["item"]["type"] in ("function_call", "custom_tool_call"):
            self.names[key] = event["item"]["name"]
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            self._grow(self.arguments, key, event["delta"])

    def _step_delta(self, delta: dict[str, Any]) -> None:
        kind = delta["type"]
        if kind == "text":
            self._grow(self.text, 0, delta["text"])
        elif kind == "thought_summary":
            self._grow(self.thinking, 0, delta["content"].get("text"))
        elif kind == "thought_signature":
            self.signatures.append(delta["signature"])

    def _said(self, index: int, message: dict[str, Any]) -> None:
        content: dict[str, Any] = message.get("content") or {}
        called: dict[str, Any] = message.get("tool_calls") or {}
        call: dict[str, Any] = called.get("function") or {}
        self._grow(self.text, 0, content.get("text"))
        self._grow(self.thinking, 0, content.get("thinking", message.get("tool_plan")))
        if "name" in call:
            self.names[index] = call["name"]
        self._grow(self.arguments, index, call.get("arguments"))

    def _line(self, message: dict[str, Any]) -> None:
        self._grow(self.text, 0, message["content"])
        self._grow(self.thinking, 0, message.get("thinking"))
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        for call in calls:
            place = len(self.names)
            self.names[place] = call["function"]["name"]
            self.arguments[place] = json.dumps(call["function"]["arguments"])

    def _block(self, index: int, block: dict[str, Any]) -> None:
        self._grow(self.text, 0, block["text"] if block["type"] == "text" else "")
        self._grow(self.thinking, 0, block["thinking"] if block["type"] == "thinking" else "")
        if block["type"] == "tool_use":
            self.names[index] = block["name"]
            self.arguments[index] = json.dumps(block["input"]) if block["input"] else ""

    def _block_delta(self, index: int, delta: dict[str, Any]) -> None:
        kind = delta["type"]
        if kind == "text_delta":
            self._grow(self.text, 0, delta["text"])
        elif kind == "thinking_delta":
            self._grow(self.thinking, 0, delta["thinking"])
        elif kind == "signature_delta":
            self.signatures.append(delta["signature"])
        elif kind == "input_json_delta" and index in self.names:
            self._grow(self.arguments, index, delta["partial_json"])


READERS: dict[str, Callable[[Accumulated, Any], None]] = {
    "candidates": Accumulated.candidates,
    "contentBlockStart": Accumulated.bedrock_start,
    "contentBlockDelta": Accumulated.bedrock_delta,
    **dict.fromkeys(("outputText", "generation", "completion"), Accumulated.plain),
}
"""What reads a chunk that has a field of this name."""


def not_accounted_for(record: recorded.Record, format: il.FormatName) -> Iterator[str]:
    """What a recorded stream says that is not in its events, or not in their fold."""
    chunks = record.body
    said = Accumulated()
    for chunk in chunks:
        if documents.is_object(chunk):
            said.add(chunk)
    reader, events = read(chunks, format)
    for number, text in said.text.items():
        reported = "".join(event.text for event in events if isinstance(event, il.TextDelta) and event.choice == number)
        if reported != text:
            yield f"text events of choice {number} are {reported!r:.100}, not {text!r:.100}"
    for text in said.whole:
        if not _is_kept(text, events):
            yield f"the text of a whole message is lost: {text!r:.100}"
    started = [chunk for chunk in chunks if documents.is_object(chunk) and chunk.get("type") == "message_start"]
    if len(started) < 2 and not said.whole:
        yield from _folded(said, reader)
    failed = any(documents.is_object(chunk) and fails(chunk) for chunk in chunks)
    if failed != any(isinstance(event, il.ErrorEvent) for event in events):
        yield "an error is not reported as one"
    if not reader.complete and not failed and not said.whole:
        yield "not complete at its end"
    stopped = any(isinstance(event, il.Stop) for event in events)  # a failure may be the reason to stop
    if any(choice.incomplete for choice in reader.response.choices) != (failed and not stopped):
        yield "marked incomplete, or not"


def fails(chunk: dict[str, Any]) -> bool:
    """Whether a chunk says that the stream has failed."""
    in_delta = documents.is_object(chunk.get("delta")) and "error" in chunk["delta"]
    return in_delta or ("error" in chunk and "choices" not in chunk) or chunk.get("type") == "response.failed"


def _is_kept(text: str, events: list[Any]) -> bool:
    return any(text in leaf for event in events for leaf in _leaves(event.to_dict()))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    items: Iterable[Any] = value.values() if documents.is_object(value) else value if documents.is_array(value) else ()
    for item in items:
        yield from _leaves(item)


def _folded(said: Accumulated, reader: il.Reader) -> Iterator[str]:
    response = reader.response
    for number, choice in enumerate(response.choices):
        message = choice.message
        # Mistral's reasoning stays a part of its own.
        kept = "".join(
            leaf
            for part in message.parts
            if isinstance(part, il.OpaquePart) and part.value.get("type") == "thinking"
            for leaf in (item["text"] for item in part.value["thinking"])
        )
        refusal = "".join(part.refusal for part in message.parts if isinstance(part, il.RefusalPart))
        for what, mine, others in (
            ("text", said.text.get(number, ""), message.text),
            ("refusal", said.refusal.get(number, ""), refusal),
            ("reasoning", said.thinking.get(number, ""), kept + message.thinking),
        ):
            if mine != others:
                yield f"the {what} of choice {number} is {others!r:.100}, not {mine!r:.100}"
    uses = [use for choice in response.choices for use in choice.message.tool_uses]
    if [use.name for use in uses] != list(said.names.values()):
        yield f"tools called are {[use.name for use in uses]}, not {list(said.names.values())}"
    for use, key in zip(uses, said.names, strict=False):
        text = said.arguments.get(key)
        if text is None:
            continue  # it comes in pieces at paths
        mine = use.input if isinstance(use.input, str) else documents.canonical(use.input)
        expected = text if isinstance(use.input, str) else documents.canonical(documents.arguments(text or "{}"))
        if mine != expected:
            yield f"arguments are {mine!r:.100}, not {expected!r:.100}"
    signatures = [
        part.signature for choice in response.choices for part in choice.message.parts if isinstance(part, il.ThinkingPart)
    ]
    signed = [part for choice in response.choices for part in choice.message.parts if part.signature]
    every = [part.signature for part in signed if not isinstance(part, il.OpaquePart)]
    if every != said.part_signatures if said.part_signatures else [each for each in signatures if each] != said.signatures:
        yield f"signatures are {every!r:.100}"


@pytest.mark.traffic
@read_as
def test_recorded_streams_are_accounted_for(traffic: Path, api: str, format: il.FormatName) -> None:
    judged(recorded.streams(traffic, api), lambda record: not_accounted_for(record, format))


@pytest.mark.traffic
@read_as
def test_recorded_streams_can_be_cut_off_after_any_chunk(traffic: Path, api: str, format: il.FormatName) -> None:
    judged(recorded.streams(traffic, api), lambda record: unfinished(record.body, format))


@pytest.mark.traffic
@read_as
def test_recorded_streams_as_bytes_give_the_same_events(traffic: Path, api: str, format: il.FormatName) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        reader, random = il.reader(format), Hosts(record.id)
        body = sse.body_of(record.body, random)
        events = [event for piece in sse.cuts(body, random) for event in reader.feed_bytes(piece)]
        events += reader.close()
        if as_dicts(events) != as_dicts(read(record.body, format)[1]):
            yield "the bytes give other events"

    judged(recorded.streams(traffic, api), judge)


@pytest.mark.traffic
@read_as
def test_streams_that_were_recorded_without_their_end_are_errors(traffic: Path, api: str, format: il.FormatName) -> None:
    for record in recorded.streams(traffic, api, cut_short=True):
        with pytest.raises(il.StreamError):
            read(record.body, format)


@pytest.mark.traffic
def test_every_recorded_stream_of_these_formats_is_read(traffic: Path) -> None:
    here = {file.name.removesuffix(".streams.jsonl") for file in traffic.glob("anthropic*.streams.jsonl")}
    assert here <= set(recorded.ANTHROPIC)
    assert any((traffic / f"{api}.streams.jsonl").is_file() for api in recorded.CHAT)
