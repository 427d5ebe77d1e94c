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


class Sent(NamedTuple):
    """Fields of one provider's request, which a canonical request may have no field for."""

    source: il.FormatName
    fields: Data

    @property
    def payload(self) -> Data:
        return BODIES[self.source] | self.fields


BODIES: Mapping[str, Data] = {
    "openai_chat": {"model": "m", "messages": [ASKED]},
    "openai_responses": {"model": "m", "input": [ASKED]},
    "anthropic": {"model": "m", "max_tokens": 2048, "messages": [ASKED]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]},
    "bedrock_converse": {"messages": [{"role": "user", "content": [{"text": "Hi."}]}]},
    "cohere": {"model": "m", "messages": [ASKED]},
}
"""A request of each provider, to which the fields are added."""


def _function(name: str, **fields: Any) -> Data:
    return {"type": "function", "function": {"name": name, "description": "Adds.", "parameters": SCHEMA, **fields}}


def _claude(name: str, **fields: Any) -> Data:
    return {"name": name, "description": "Adds.", "input_schema": SCHEMA, **fields}


def _flat(name: str, **fields: Any) -> Data:
    return {"type": "function", "name": name, "description": "Adds.", "parameters": SCHEMA, "strict": False, **fields}


def _asks(*blocks: Data) -> Data:
    return {"messages": [{"role": "user", "content": [*blocks, _text("Hi.")]}]}


_ALLOWED = [{"type": "function", "function": {"name": name}} for name in ("f", "g")]
_CHUNKS: Data = {"type": "content", "content": [_text("A."), _text("B.")]}
_DECLARED = [{"functionDeclarations": [{"name": name, "description": "Adds."} for name in ("f", "g", "h")]}]
_WEB_CALL: Data = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "a", "sources": [{"type": "url", "url": "https://a.example"}]},
}
_SAID: Data = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi.", "annotations": []}]}
_WEB_BLOCKS: list[Data] = [
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": [{"type": "web_search_result", "title": "A", "url": "https://a.example", "encrypted_content": "ZQ=="}],
    },
]

SENT: Mapping[str, Mapping[str, Sent]] = {
    "OpenAI's": {
        "seed": Sent("openai_chat", {"seed": 7}),
        "several answers": Sent("openai_chat", {"n": 2}),
        "penalties": Sent("openai_chat", {"presence_penalty": 1, "frequency_penalty": 0.5}),
        "log probabilities": Sent("openai_chat", {"logprobs": True, "top_logprobs": 2}),
        "tier of service": Sent("openai_chat", {"service_tier": "default"}),
        "key of the cache": Sent("openai_chat", {"prompt_cache_key": "k"}),
        "storing the answer": Sent("openai_chat", {"store": True}),
        "verbosity": Sent("openai_chat", {"verbosity": "low"}),
        "identifier for safety": Sent("openai_chat", {"safety_identifier": "u1"}),
        "usage in streams": Sent("openai_chat", {"stream": True, "stream_options": {"include_usage": True}}),
        "web search of Chat": Sent("openai_chat", {"web_search_options": {}}),
        "web search of Responses": Sent("openai_responses", {"tools": [{"type": "web_search"}]}),
        "allowed tools": Sent(
            "openai_chat",
            {
                "tools": [_function("f"), _function("g"), _function("h")],
                "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": _ALLOWED}},
            },
        ),
        "custom tool": Sent("openai_responses", {"tools": [{"type": "custom", "name": "f", "description": "Adds."}]}),
        "tools in a namespace": Sent(
            "openai_responses", {"tools": [{"type": "namespace", "name": "n", "tools": [_flat("f")]}]}
        ),
        "deferred tools of Responses": Sent(
            "openai_responses", {"tools": [_flat("f", defer_loading=True), {"type": "tool_search"}]}
        ),
        "compaction of Responses": Sent(
            "openai_responses", {"context_management": [{"type": "compaction", "compact_threshold": 60000}]}
        ),
        "function without strict": Sent(
            "openai_responses", {"tools": [{"type": "function", "name": "f", "parameters": SCHEMA}]}
        ),
        "a search that Responses ran": Sent("openai_responses", {"input": [ASKED, _WEB_CALL, _SAID, ASKED]}),
    },
    "Anthropic's": {
        "tier of service of Anthropic": Sent("anthropic", {"service_tier": "standard_only"}),
        "adaptive thinking": Sent("anthropic", {"thinking": {"type": "adaptive"}}),
        "web search of Anthropic": Sent("anthropic", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
        "deferred tools of Anthropic": Sent(
            "anthropic",
            {
                "tools": [
                    _claude("f", defer_loading=True),
                    {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
                ]
            },
        ),
        "document in chunks": Sent("anthropic", _asks({"type": "document", "title": "A", "source": _CHUNKS})),
        "citations of a document": Sent(
            "anthropic",
            _asks(
                {
                    "type": "document",
                    "title": "A",
                    "citations": {"enabled": True},
                    "source": {"type": "text", "media_type": "text/plain", "data": "A."},
                }
            ),
        ),
        "a search that Anthropic ran": Sent(
            "anthropic", {"messages": [ASKED, {"role": "assistant", "content": [*_WEB_BLOCKS, _text("Hi.")]}, ASKED]}
        ),
        "search result": Sent(
            "anthropic", _asks({"type": "search_result", "source": "https://a.example", "title": "A", "content": [_text("A.")]})
        ),
    },
    "Google's": {
        "several candidates": Sent("gemini", {"generationConfig": {"candidateCount": 2}}),
        "labels": Sent("gemini", {"labels": {"a": "b"}}),
        "allowed functions": Sent(
            "gemini",
            {
                "tools": _DECLARED,
                "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f", "g"]}},
            },
        ),
        "Google Search": Sent("gemini", {"tools": [{"googleSearch": {}}]}),
        "video, its URL": Sent(
            "gemini",
            {
                "contents": [
                    {
                        "role": "user",
                        "parts": [
                            {"fileData": {"fileUri": "https://a.example/a.mp4", "mimeType": "video/mp4"}},
                            {"text": "Hi."},
                        ],
                    }
                ]
            },
        ),
    },
    "Bedrock's and Cohere's": {
        "metadata of Converse": Sent("bedrock_converse", {"requestMetadata": {"a": "b"}}),
        "tier of service of Converse": Sent("bedrock_converse", {"serviceTier": {"type": "default"}}),
        "penalties of Cohere": Sent("cohere", {"presence_penalty": 0.5, "frequency_penalty": 0.5}),
        "seed of Cohere": Sent("cohere", {"seed": 7}),
    },
}
"""What requests of one provider have, by name, in the order of the document."""


class Answered(NamedTuple):
    """An answer of one provider."""

    source: il.FormatName
    body: Data


def _of_responses(*items: Data) -> Answered:
    return Answered("openai_responses", {"object": "response", "status": "completed", "output": [*items]})


def _of_anthropic(*blocks: Data) -> Answered:
    body: Data = {"type": "message", "role": "assistant", "content": [*blocks], "stop_reason": "end_turn"}
    return Answered("anthropic", body)


def _of_chat(message: Data, **fields: Any) -> Answered:
    choice: Data = {"index": 0, "message": {"role": "assistant", "content": "Hi.", **message}, "finish_reason": "stop"}
    return Answered("openai_chat", {"choices": [choice | fields]})


def _of_gemini(*parts: Data) -> Answered:
    return Answered("gemini", {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP"}]})


_CITED_PAGE: Data = {"url": "https://a.example", "title": "A"}
_CITED: Data = {"start_index": 0, "end_index": 2, **_CITED_PAGE}
_LOG: Data = {"token": "Hi.", "logprob": -0.5, "bytes": [72, 105, 46], "top_logprobs": []}
_GOOGLE: Data = {"toolType": "GOOGLE_SEARCH_WEB", "id": "t"}

ANSWERED: Mapping[str, Mapping[str, Answered]] = {
    "Searches of the web": {
        "search of Responses": _of_responses(_WEB_CALL, _SAID),
        "search of Anthropic": _of_anthropic(*_WEB_BLOCKS, _text("Hi.")),
        "search of Gemini": _of_gemini(
            {"toolCall": {**_GOOGLE, "args": {"queries": ["a"]}}}, {"toolResponse": _GOOGLE}, {"text": "Hi."}
        ),
        "citation of Chat": _of_chat({"annotations": [{"type": "url_citation", "url_citation": _CITED}]}),
        "citation of Responses": _of_responses(
            {**_SAID, "content": [{"type": "output_text", "text": "Hi.", "annotations": [{"type": "url_citation", **_CITED}]}]}
        ),
    },
    "Besides": {
        "log probabilities of Chat": _of_chat({}, logprobs={"content": [_LOG], "refusal": None}),
        "image that Gemini made": _of_gemini(
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}, {"text": "Hi."}
        ),
        "tier of Chat": Answered("openai_chat", _of_chat({}).body | {"service_tier": "default"}),
        "compaction of Responses, done": _of_responses(
            {"type": "compaction", "id": "cmp_1", "encrypted_content": "ZQ=="}, _SAID
        ),
    },
}
"""What answers of one provider have, by name, in the order of the document."""
