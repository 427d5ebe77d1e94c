"""What a conversation and a response can hold, as small samples: one for each row of `docs/formats.md`.

A sample holds its concept, and beside it only what every format carries, so whatever is lost of it is lost of the concept.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import interlingua as il

Data = dict[str, Any]


class Concept(NamedTuple):
    """Something that a request may hold."""

    name: str
    messages: Sequence[Data]
    settings: Mapping[str, Any]

    @property
    def request(self) -> il.Request:
        return il.Request(messages=self.messages, **self.settings)


ASKED: Data = {"role": "user", "content": "Hi."}
SAID: Data = {"role": "assistant", "content": "Hello."}
PNG = "iVBORw0KGgo="
PDF = "JVBERi0xLjQK"
TOOL: Data = {
    "type": "function",
    "name": "f",
    "description": "Adds.",
    "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}},
}
CALL: Data = {"id": "call_1", "name": "f", "arguments": '{"x": 1}'}
SCHEMA: Data = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}


def says(*messages: Data, **settings: Any) -> tuple[Sequence[Data], Mapping[str, Any]]:
    return messages, settings


def shows(**part: Any) -> tuple[Sequence[Data], Mapping[str, Any]]:
    return says({"role": "user", "content": [{"type": "text", "text": "Hi."}, part]})


def answers(*parts: Data) -> tuple[Sequence[Data], Mapping[str, Any]]:
    return says(ASKED, {"role": "assistant", "content": parts}, ASKED)


def calls(*calls: Data, **fields: Any) -> tuple[Sequence[Data], Mapping[str, Any]]:
    """Calls, each with its result."""
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "2"} for call in calls]
    return says(ASKED, {"role": "assistant", "content": None, "tool_calls": calls, **fields}, *results, tools=[TOOL])


def returns(content: Any, **fields: Any) -> tuple[Sequence[Data], Mapping[str, Any]]:
    result = {"role": "tool", "tool_call_id": "call_1", "content": content, **fields}
    return says(ASKED, {"role": "assistant", "content": None, "tool_calls": [CALL]}, result, tools=[TOOL])


def sets(**settings: Any) -> tuple[Sequence[Data], Mapping[str, Any]]:
    return says(ASKED, **settings)


def _text(text: str, **fields: Any) -> Data:
    return {"type": "text", "text": text, **fields}


def _use(**fields: Any) -> Data:
    return {"type": "tool_use", "id": "call_1", "name": "f", "input": {"x": 1}, **fields}


_DATA: Data = {"type": "base64", "data": PNG, "media_type": "image/png"}
_WAV: Data = {"type": "base64", "data": "UklGRg==", "media_type": "audio/wav"}
_MP4: Data = {"type": "base64", "data": "AAAAGGZ0eXA=", "media_type": "video/mp4"}
_FILE: Data = {"type": "base64", "data": PDF, "media_type": "application/pdf"}
_MARK: Data = {"cache_control": {"type": "ephemeral"}}

GROUPS: Mapping[str, Mapping[str, tuple[Sequence[Data], Mapping[str, Any]]]] = {
    "Messages": {
        "system text": says({"role": "system", "content": "Be brief."}, ASKED),
        "system text later on": says(ASKED, SAID, {"role": "system", "content": "Be brief."}, ASKED),
        "developer's text": says({"role": "developer", "content": "Be brief."}, ASKED),
        "text in several parts": says({"role": "user", "content": [_text("Hi."), _text("Ho.")]}),
        "participant's name": says({**ASKED, "name": "mira"}),
        "cache mark on a part": says({"role": "user", "content": [_text("Hi.", **_MARK)]}),
        "refusal": answers({"type": "refusal", "refusal": "No."}),
        "citation of a page": answers(_text("Hello.", citations=[{"type": "url", "url": "https://a.example/", "title": "A"}])),
    },
    "Media": {
        "image, its URL": shows(type="image", source={"type": "url", "url": "https://a.example/a.png"}),
        "image, its data": shows(type="image", source=_DATA),
        "image, uploaded": shows(type="image", source={"type": "file_id", "file_id": "file_1"}),
        "image, its detail": shows(type="image_url", image_url={"url": f"data:image/png;base64,{PNG}", "detail": "low"}),
        "audio": shows(type="audio", source=_WAV),
        "video": shows(type="video", source=_MP4),
        "PDF": shows(type="file", source=_FILE),
        "PDF, its name": shows(type="file", source=_FILE, filename="report.pdf"),
        "PDF, its URL": shows(type="file", source={"type": "url", "url": "https://a.example/a.pdf"}),
        "text document": shows(type="file", source={"type": "text", "text": "x", "media_type": "text/plain"}),
    },
    "Reasoning": {
        "reasoning without a signature": answers({"type": "thinking", "thinking": "Hm."}, _text("Hello.")),
        "reasoning with a signature": answers({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, _text("Hello.")),
        "encrypted reasoning": answers({"type": "redacted_thinking", "data": "c2ln"}, _text("Hello.")),
        "summary of reasoning": answers({"type": "thinking", "thinking": "Hm.", "summary": True}, _text("Hello.")),
        "signature on a text": answers(_text("Hello.", signature="c2ln")),
        "signature on a call": calls({**CALL, "signature": "c2ln"}),
    },
    "Tools": {
        "tool call and its result": calls(CALL),
        "parallel calls": calls(CALL, {**CALL, "id": "call_2"}),
        "text before a call": calls(CALL, content="I add."),
        "text after a call": says(
            ASKED,
            {"role": "assistant", "content": [_use(), _text("I add.")]},
            {"role": "tool", "tool_call_id": "call_1", "content": "2"},
            tools=[TOOL],
        ),
        "arguments that are no JSON": calls({**CALL, "arguments": '{"x": '}),
        "call of a custom tool": calls({**CALL, "arguments": "x", "custom": True}),
        "result in several texts": returns([_text("2"), _text("3")]),
        "result as JSON": returns([{"type": "json", "value": {"sum": 2}}]),
        "result with an image": returns([{"type": "image", "source": _DATA}]),
        "result that is an error": returns("overflow", is_error=True),
        "strict tool": sets(tools=[{**TOOL, "parameters": SCHEMA, "strict": True}]),
        "cache mark on a tool": sets(tools=[{**TOOL, **_MARK}]),
        "tool choice: any tool": sets(tools=[TOOL], tool_choice={"type": "required"}),
        "tool choice: this tool": sets(tools=[TOOL], tool_choice={"type": "tool", "name": "f"}),
        "tool choice: none": sets(tools=[TOOL], tool_choice={"type": "none"}),
        "no parallel calls": sets(tools=[TOOL], tool_choice={"type": "auto"}, parallel_tool_calls=False),
    },
    "Settings": {
        "max_tokens": sets(max_tokens=2048),
        "temperature": sets(temperature=0.5),
        "top_p": sets(top_p=0.5),
        "top_k": sets(top_k=5),
        "stop": sets(stop=["x"]),
        "reasoning_effort": sets(reasoning_effort="low"),
        "reasoning_budget": sets(reasoning_budget=1024, max_tokens=2048),
        "response_format: JSON": sets(response_format={"type": "json_object"}),
        "response_format: schema": sets(response_format={"type": "json_schema", "json_schema": SCHEMA}),
        "response_format: its name": sets(response_format={"type": "json_schema", "name": "sum", "json_schema": SCHEMA}),
        "metadata": sets(metadata={"a": "b"}),
        "user": sets(user="u1"),
    },
}
"""The samples by name, in the order of the document."""

CONCEPTS = {name: Concept(name, *sample) for group in GROUPS.values() for name, sample in group.items()}


def replies(*parts: Data, stop: str = "stop", **fields: Any) -> Data:
    """A response of these parts."""
    return {"choices": [{"message": {"role": "assistant", "content": parts}, "stop_reason": stop}], **fields}


_HELLO = _text("Hello.")
_PAGE: Data = {"type": "url", "url": "https://a.example", "title": "A", "start": 0, "end": 5}

REPLIES: Mapping[str, Mapping[str, Data]] = {
    "Content": {
        "text": replies(_HELLO),
        "several texts": replies(_HELLO, _text("Bye.")),
        "text with a citation": replies(_text("Hello.", citations=[_PAGE])),
        "refusal": replies({"type": "refusal", "refusal": "No."}),
        "image": replies({"type": "image", "source": _DATA}),
        "audio": replies({"type": "audio", "source": _WAV}),
    },
    "Reasoning": {
        "reasoning without a signature": replies({"type": "thinking", "thinking": "Hm."}, _HELLO),
        "reasoning with a signature": replies({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, _HELLO),
        "encrypted reasoning": replies({"type": "redacted_thinking", "data": "c2ln"}, _HELLO),
        "summary of reasoning": replies({"type": "thinking", "thinking": "Hm.", "summary": True}, _HELLO),
        "signature on a text": replies(_text("Hello.", signature="c2ln")),
        "signature on a call": replies(_use(signature="c2ln"), stop="tool_calls"),
    },
    "Tools": {
        "tool call": replies(_use(), stop="tool_calls"),
        "parallel calls": replies(_use(), _use(id="call_2"), stop="tool_calls"),
        "text before a call": replies(_HELLO, _use(), stop="tool_calls"),
        "text after a call": replies(_use(), _HELLO, stop="tool_calls"),
        "arguments that are no JSON": replies(_use(input='{"x": '), stop="tool_calls"),
        "call of a custom tool": replies(_use(input="x", custom=True), stop="tool_calls"),
    },
    "Why it ended": {
        "too many tokens": replies(_HELLO, stop="length"),
        "stop sequence": replies(_HELLO, stop="stop_sequence"),
        "content filter": replies(_HELLO, stop="content_filter"),
        "full context window": replies(_HELLO, stop="context_window"),
        "pause": replies(_HELLO, stop="pause"),
        "refusal as the reason": replies(_HELLO, stop="refusal"),
        "error": replies(_HELLO, stop="error"),
    },
    "About the response": {
        "id": replies(_HELLO, id="a_1"),
        "model": replies(_HELLO, model="m"),
        "time": replies(_HELLO, created=1),
        "several answers": {"choices": [*replies(_HELLO)["choices"], *replies(_text("Hi."))["choices"]]},
        "tokens": replies(_HELLO, usage={"input_tokens": 1, "output_tokens": 1}),
        "tokens from a cache": replies(_HELLO, usage={"input_tokens": 1, "cache_read_tokens": 1, "output_tokens": 1}),
        "tokens into a cache": replies(_HELLO, usage={"input_tokens": 1, "cache_write_tokens": 1, "output_tokens": 1}),
        "tokens of reasoning": replies(_HELLO, usage={"input_tokens": 1, "output_tokens": 2, "reasoning_tokens": 1}),
    },
}
"""The samples of responses, as data, by name, in the order of the document."""
