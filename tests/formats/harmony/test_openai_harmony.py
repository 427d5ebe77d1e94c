"""OpenAI's own package writes the same text of a conversation, and reads what we write as the same messages."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.formats.harmony.texts import OPEN, WireMessage, messages_of
from interlingua.formats.harmony.typescript import read_type, write_type

pytestmark = [pytest.mark.rivals, pytest.mark.filterwarnings("ignore::interlingua.LossWarning")]

VOCABULARY = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""The name under which tiktoken, and so litellm, stores `o200k_base.tiktoken`: the hash of its address."""
USUAL: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string", "description": "What"}}, "required": ["q"]}

SCHEMAS: dict[str, dict[str, Any]] = {
    "none": {"type": "object", "properties": {}},
    "text": USUAL,
    "words": {"type": "object", "properties": {"unit": {"type": "string", "enum": ["c", "f"], "default": "c"}}},
    "numbers": {"type": "object", "properties": {"n": {"type": "integer", "default": 3}, "x": {"type": "number"}}},
    "truth": {"type": "object", "properties": {"b": {"type": "boolean", "default": False}}, "required": ["b"]},
    "lists": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "array"}}},
    "objects": {
        "type": "object",
        "properties": {"at": {"type": "object", "description": "A place", "properties": {"x": {"type": "number"}}}},
    },
    "deep": {
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": USUAL}}}}},
    },
    "listed objects": {"type": "object", "properties": {"a": {"type": "array", "items": USUAL}}},
    "several types": {
        "type": "object",
        "properties": {"a": {"type": ["integer", "null"]}, "b": {"type": ["string", "number"]}},
    },
    "nullable": {"type": "object", "properties": {"a": {"type": "string", "nullable": True, "default": "x"}}},
    "about": {
        "type": "object",
        "description": "params object",
        "properties": {"s": {"type": "string", "title": "STRING", "description": "A string", "examples": ["hello", "world"]}},
    },
    "variants": {
        "type": "object",
        "properties": {
            "v": {
                "description": "a oneof",
                "default": 20,
                "oneOf": [
                    {"type": "string", "default": "in it"},
                    {"type": "number", "description": "numbers can happen too"},
                ],
            }
        },
    },
    "anything": {"type": "object", "properties": {"a": {}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
}

CONVERSATIONS: dict[str, list[dict[str, Any]]] = {
    "question": [{"role": "user", "content": "What is 2 + 2?"}],
    "instructions": [{"role": "developer", "content": "Be brief.\n\nBe kind."}, {"role": "user", "content": "Hi."}],
    "turns": [
        {"role": "user", "content": "漢字 🙂"},
        {"role": "assistant", "content": "4"},
        {"role": "user", "content": "And 9 / 2?"},
    ],
    "call": [
        {"role": "user", "content": "Weather?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "I need the weather."},
                {"type": "text", "text": "One moment."},
                {"type": "tool_use", "name": "f", "input": '{"q": "SF"}'},
            ],
        },
        {"role": "tool", "name": "f", "content": '{"sunny": true}'},
    ],
    "two calls": [
        {"role": "user", "content": "Weather?"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "name": "f", "input": '{"q": "SF"}'},
                {"type": "tool_use", "name": "f", "input": '{"q": "LA"}'},
            ],
        },
        {"role": "tool", "name": "f", "content": "1"},
        {"role": "tool", "name": "f", "content": "2"},
    ],
}


@pytest.fixture(scope="module")
def encoding(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The encoding of openai-harmony, with the vocabulary that litellm ships: no download."""
    found = find_spec("litellm")
    stored = Path(str(found and found.origin)).parent / "litellm_core_utils" / "tokenizers" / VOCABULARY
    if not stored.is_file():
        pytest.skip("litellm does not ship the vocabulary")
    folder = tmp_path_factory.mktemp("vocabulary")
    shutil.copy(stored, folder / "o200k_base.tiktoken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_ENCODINGS_BASE", str(folder))
        yield library().load_harmony_encoding("HarmonyGptOss")


def library() -> Any:
    return pytest.importorskip("openai_harmony")


def rendered(encoding: Any, messages: list[dict[str, Any]], tools: Sequence[dict[str, Any]] = (), **system: Any) -> str:
    """The prompt that openai-harmony writes of canonical messages in blocks, with the reasoning."""
    oh = library()
    made: list[Any] = [oh.Message.from_role_and_content(oh.Role.SYSTEM, oh.SystemContent(**system))]
    described = [oh.ToolDescription.new(t["name"], t.get("description", ""), t.get("parameters")) for t in tools]
    first = messages[0]
    if tools or first["role"] == "developer":
        content = oh.DeveloperContent(instructions=first["content"] if first["role"] == "developer" else None)
        if described:
            content = content.with_function_tools(described)
        made.append(oh.Message.from_role_and_content(oh.Role.DEVELOPER, content))
    for message in messages[first["role"] == "developer" :]:
        made += _messages(message)
    config = oh.RenderConversationConfig(auto_drop_analysis=False)
    tokens = encoding.render_conversation_for_completion(oh.Conversation.from_messages(made), oh.Role.ASSISTANT, config)
    return str(encoding.decode_utf8(tokens))


def _messages(message: dict[str, Any]) -> list[Any]:
    oh = library()
    if message["role"] == "tool":
        author = oh.Author.new(oh.Role.TOOL, f"functions.{message['name']}")
        result = oh.Message.from_author_and_content(author, message["content"])
        return [result.with_recipient("assistant").with_channel("commentary")]
    if message["role"] != "assistant":
        return [oh.Message.from_role_and_content(oh.Role(message["role"]), message["content"])]
    content: Any = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [_part(part, is_last=i == len(parts) - 1) for i, part in enumerate(parts)]


def _part(part: dict[str, Any], *, is_last: bool) -> Any:
    oh = library()
    if part["type"] == "tool_use":
        call = oh.Message.from_role_and_content(oh.Role.ASSISTANT, part["input"]).with_channel("commentary")
        return call.with_recipient(f"functions.{part['name']}").with_content_type("<|constrain|>json")
    channel = "final" if is_last else "commentary"
    text = oh.Message.from_role_and_content(oh.Role.ASSISTANT, part[part["type"]])
    return text.with_channel("analysis" if part["type"] == "thinking" else channel)


def written(messages: list[dict[str, Any]], **fields: Any) -> str:
    request = il.Request.model_validate({"messages": messages, **fields})
    return str(il.dump(request, "harmony").get("prompt"))


@pytest.mark.parametrize("effort", ["low", "medium", "high"])
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_openai_harmony_writes_the_same_conversation(encoding: Any, name: str, effort: str) -> None:
    messages = CONVERSATIONS[name]
    assert written(messages, reasoning_effort=effort) == rendered(encoding, messages, reasoning_effort=effort.capitalize())


@pytest.mark.parametrize("name", SCHEMAS)
def test_openai_harmony_writes_the_same_tools(encoding: Any, name: str) -> None:
    tools: list[dict[str, Any]] = [
        {"type": "function", "name": "f", "description": "Does it.\nWell.", "parameters": SCHEMAS[name]},
        {"type": "function", "name": "g"},
    ]
    for messages in (CONVERSATIONS["question"], CONVERSATIONS["instructions"]):
        assert written(messages, tools=tools) == rendered(encoding, messages, tools)


def test_reasoning_of_the_turn_before_is_left_out_by_both(encoding: Any) -> None:
    oh = library()
    thought: dict[str, Any] = {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "2 + 2"}, {"type": "text", "text": "4"}],
    }
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "What is 2 + 2?"},
        thought,
        {"role": "user", "content": "And 9 / 2?"},
    ]
    made = [oh.Message.from_role_and_content(oh.Role.SYSTEM, oh.SystemContent.new())]
    made += [one for message in messages for one in _messages(message)]
    tokens = encoding.render_conversation_for_completion(oh.Conversation.from_messages(made), oh.Role.ASSISTANT)
    assert written(messages) == encoding.decode_utf8(tokens)


def read(encoding: Any, prompt: str) -> list[tuple[Any, ...]]:
    """What openai-harmony reads of a prompt: author, name, recipient, channel and text of each message."""
    tokens = encoding.encode(prompt.removesuffix(OPEN), allowed_special="all")
    found = encoding.parse_messages_from_completion_tokens(tokens, None)
    return [
        (
            one.author.name or one.author.role.value if one.author.role.value == "tool" else one.author.role.value,
            one.recipient,
            one.channel,
            "".join(content.text for content in one.content),
        )
        for one in found
    ]


def ours(prompt: str) -> list[tuple[Any, ...]]:
    found = messages_of(prompt.removesuffix(OPEN))
    assert all(isinstance(one, WireMessage) for one in found)
    return [(one.author, one.recipient, one.channel, one.content) for one in found if isinstance(one, WireMessage)]


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_openai_harmony_reads_the_same_messages(encoding: Any, name: str) -> None:
    prompt = written(CONVERSATIONS[name])
    theirs = read(encoding, prompt)
    assert [one[1:] for one in theirs] == [one[1:] for one in ours(prompt)]


TOKENS = (
    "<|start|>",
    "<|end|>",
    "<|message|>",
    "<|channel|>",
    "<|call|>",
    "<|reserved_200013|>",
    "<|",
    "|>",
    "<",
    "start",
    " ",
)
ATTACKS = st.lists(st.sampled_from(TOKENS), max_size=8).map("".join)


def attacked(text: str, thought: str, arguments: str) -> list[dict[str, Any]]:
    parts = [{"type": "thinking", "thinking": thought + "."}, {"type": "tool_use", "name": "f", "input": arguments}]
    return [
        {"role": "developer", "content": text},
        {"role": "user", "content": text},
        {"role": "assistant", "content": parts},
        {"role": "tool", "name": "f", "content": text},
    ]


@given(text=ATTACKS, thought=ATTACKS, arguments=ATTACKS)
def test_text_never_becomes_structure(encoding: Any, text: str, thought: str, arguments: str) -> None:
    """Whatever users, tools and models write, the official parser reads as many messages, from the same authors."""
    parameters = {"type": "object", "properties": {"a": {"description": thought}}}
    tools = [{"type": "function", "name": "f", "description": text, "parameters": parameters}]
    found = read(encoding, written(attacked(text, thought, arguments), tools=tools))
    usual = read(encoding, written(attacked("a", "b", "{}")))
    assert [one[:3] for one in found] == [one[:3] for one in usual]


KINDS: tuple[dict[str, Any], ...] = (
    {"type": "string"},
    {"type": "string", "enum": ["x", "y z"], "default": "x"},
    {"type": "integer", "default": 1},
    {"type": "boolean", "nullable": True},
    {"type": ["string", "null"], "default": None},
    {"type": "array"},
    {"type": "string", "default": "d", "title": "T", "examples": ["e"]},
    {},
)
Schemas = st.SearchStrategy[dict[str, Any]]


def of_properties(schemas: Schemas) -> Schemas:
    return st.dictionaries(st.sampled_from(["a", "b", "some_name"]), schemas, max_size=2)


def nested(schemas: Schemas) -> Schemas:
    def made(properties: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": properties, "required": [*properties][:1]}

    return schemas.map(lambda items: {"type": "array", "items": items}) | of_properties(schemas).map(made)


def described(schemas: Schemas) -> Schemas:
    texts = st.sampled_from(["a", "What: it is", "é // x"])
    return st.tuples(schemas, st.fixed_dictionaries({}, optional={"description": texts})).map(lambda pair: pair[0] | pair[1])


PROPERTIES = of_properties(
    st.recursive(described(st.sampled_from(KINDS)), lambda inner: described(nested(inner)), max_leaves=5)
)


@given(properties=PROPERTIES)
def test_drawn_schemas_are_written_the_same_and_read_again(encoding: Any, properties: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": properties}
    tools = [{"type": "function", "name": "f", "parameters": schema}]
    with warnings.catch_warnings(record=True):
        mine = written(CONVERSATIONS["question"], tools=tools)
    again = read_type(write_type(schema))
    if again is not None and write_type(again) == write_type(schema):
        assert mine == rendered(encoding, CONVERSATIONS["question"], tools)
    else:
        assert "type f = (_: any) => any;" in mine
