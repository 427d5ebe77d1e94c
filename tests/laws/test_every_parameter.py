"""Every public function with every wrong value at every one of its parameters: only the package's errors come out.

The functions and their parameters are those of `interlingua.__all__`, so that a new one without a good call fails here.
Programming mistakes may also be a `TypeError` or a `ValueError` that the package raises itself and that says what is wrong.
"""

import inspect
import reprlib
import traceback
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_serializer

import interlingua as il
from laws.test_wrong_types import WRONG, one

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning", "ignore::UserWarning")


class Odd(BaseModel):
    """An SDK's object that has no JSON form."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="allow")

    messages: Any = None


class Failing(BaseModel):
    """An SDK's object that fails when it is dumped."""

    messages: int = 1

    @field_serializer("messages")
    def _fail(self, _value: int) -> int:
        raise RuntimeError("no")


class Base64(BaseModel):
    """An SDK's object with bytes, some of which are not what its fields say."""

    model_config = ConfigDict(ser_json_bytes="base64", extra="allow")

    contents: Any = None


@cache
def deep(depth: int, *, key: str | None = None) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value] if key is None else {key: value}
    return value


def endless() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


def as_is(value: Any) -> Any:
    return value


ODD: list[Callable[[], Any]] = [
    *(
        partial(as_is, value)
        for value in ("\ud800", "a\ud800", '[{"role": "user", "content": "\ud800"}]', "null", "[]", "9" * 5000)
    ),
    *(
        partial(as_is, value)
        for value in (b"\xff", b"\xed\xa0\x80", b'["\xff"]', bytearray(b"\xff"), memoryview(b"[]"), b"\x00")
    ),
    *(partial(as_is, value) for value in (float("inf"), -1, 0, 2**70, 10**5000, 1j, ..., range(3))),
    *(partial(as_is, value) for value in (int, il.Request, il.UserMessage, len, print, il.FORMATS, Exception)),
    *(partial(as_is, value) for value in ("anthropicc", "OPENAI_CHAT", "openai-chat", "\x00", "x" * 10_000)),
    *(partial(deep, depth) for depth in (150, 250, 10_000)),
    *(partial(deep, depth, key="messages") for depth in (250, 10_000)),
    lambda: {"messages": deep(10_000)},
    lambda: {"contents": deep(10_000, key="parts")},
    lambda: {"messages": endless()},
    endless,
    lambda: {1, "a"},
    lambda: frozenset({("a",)}),
    lambda: {b"a": 1, (): 2, None: 3},
    lambda: {"messages": {b"a": 1}, "contents": {1: 2}},
    lambda: {"\ud800": "\ud800"},
    lambda: {"messages": [{"role": "user", "content": "\ud800"}]},
    lambda: {"messages": [{"role": "user", "content": b"\xff"}]},
    lambda: {"messages": [{"role": "user", "content": float("nan")}]},
    lambda: (value for value in ({"role": "user"}, 5)),
    lambda: Odd(messages=object()),
    lambda: Odd(messages=b"\xff"),
    lambda: Odd(messages=deep(10_000)),
    lambda: Odd(messages=[{1: {2}}]),
    lambda: Odd(messages="\ud800"),
    lambda: [Odd(messages=object())],
    lambda: {"messages": [Odd(messages=endless())]},
    Failing,
    lambda: [Failing()],
    lambda: Base64(contents={"a": b"a", "b": {b"x": b"y"}}),
    lambda: Base64(contents=[{b"a"}, (b"b",), {1: b"c"}]),
    lambda: Base64(contents=iter([b"a"])),
    il.Tool.model_construct,
    lambda: il.Tool(name="f"),
    lambda: il.ProviderError("no", body={"a": object()}),
    lambda: il.ProviderError(body=deep(10_000), origin="anthropic"),
]

USER = il.UserMessage(content="a")
ANSWER = il.AssistantMessage(tool_calls=[il.ToolCall(id="1", name="f", arguments="{}")])
CHAT = {"messages": [{"role": "user", "content": "a"}]}
RESPONSE = {"choices": [{"message": {"role": "assistant", "content": "a"}}]}
CHUNKS = [{"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]}]
NAMES = {"source": "openai_chat", "target": "anthropic"}

GOOD: dict[str, dict[str, Any]] = {
    "accumulate": {"events": [il.MessageStart(), il.TextDelta(text="a", index=0), il.StreamEnd()]},
    "adapt_schema": {"schema": {"type": "object", "properties": {}}, "target": "anthropic"},
    "check": {"value": CHAT, "format": "openai_chat"},
    "convert": {"payload": CHAT, **NAMES},
    "detect": {"payload": CHAT},
    "diff": {"a": [USER], "b": [ANSWER]},
    "dump": {"messages": [USER], "target": "openai_chat"},
    "dump_error": {"error": il.ProviderError("no"), "target": "anthropic"},
    "dump_response": {"response": il.load_response(RESPONSE, "openai_chat"), "target": "anthropic", "on_loss": "ignore"},
    "endpoint": {"request": il.Request(messages=[USER]), "target": "gemini"},
    "error_body": {"error": il.StreamError("no")},
    "fingerprint": {"messages": [USER]},
    "format_for": {"profile": il.ChatProfile(), "name": "x"},
    "format_of": {"format": "anthropic"},
    "html": {"value": [USER]},
    "is_tool_result": {"message": USER},
    "json_schema": {"kind": "openai_chat"},
    "load": {"payload": CHAT, "source": "openai_chat"},
    "load_batch": {"rows": [{"custom_id": "1", "body": CHAT}], "layout": "mistral_batch", "source": "openai_chat"},
    "load_response": {"body": RESPONSE, "source": "openai_chat"},
    "merge_runs": {"messages": [USER, USER]},
    "openapi": {"format": "openai_chat", "version": "3.0"},
    "outline": {"value": [USER]},
    "reader": {"source": "openai_chat"},
    "repair": {"value": [USER], "format": "openai_chat"},
    "restream": {"chunks": CHUNKS, **NAMES, "on_loss": "ignore"},
    "show": {"value": [USER]},
    "sse": {"chunks": CHUNKS, "target": "openai_chat", "on_loss": "ignore"},
    "strip_reasoning": {"messages": [USER]},
    "template_report": {"template": "{{ messages[0].content }}"},
    "tool_results": {"message": ANSWER, "results": {"1": "a"}},
    "tool_use_ids": {"message": ANSWER},
    "training_mask": {"request": CHAT, "template": "{{ messages[0].content }}"},
    "trim": {"messages": [USER], "keep": 1, "count": one},
    "units": {"messages": [USER]},
    "validate": {"data": [USER.to_dict()]},
    "writer": {"target": "anthropic"},
}
"""A call of each function that succeeds."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(il, name) for name in il.__all__ if inspect.isfunction(getattr(il, name))
}
SIGNATURES = {name: inspect.signature(function) for name, function in FUNCTIONS.items()}
PARAMETERS = [(name, parameter) for name, signature in SIGNATURES.items() for parameter in signature.parameters]
CALLABLES = {("trim", "count"), *((name, "on_loss") for name in FUNCTIONS)}
"""Parameters that take a function of the caller's, whose errors are the caller's."""
PYTHON = ("is not iterable", "requires an object with")
"""What Python itself says of an argument that has to be iterable."""


def call(name: str, arguments: Mapping[str, Any]) -> Any:
    """A call, and the use of what it returns."""
    bound = SIGNATURES[name].bind(**arguments)
    made = FUNCTIONS[name](*bound.args, **bound.kwargs)
    return list(made) if name in ("restream", "sse") else made


def complaint(name: str, arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with the error that a call raises, if it raises one."""
    try:
        call(name, arguments)
    except il.InterlinguaError as error:
        text = str(error)
        return f"{error!r} shows an object" if " at 0x" in text or len(text) > 4000 else None
    except (TypeError, ValueError) as error:
        if isinstance(error, ValidationError):
            return f"pydantic's: {error!r}"
        raised = traceback.extract_tb(error.__traceback__)[-1]
        said = "/interlingua/" in raised.filename and (raised.line or "").startswith("raise ")
        return None if said or any(words in str(error) for words in PYTHON) else f"{raised}: {str(error)[:200]}"
    except Exception as error:  # noqa: BLE001 -- any other error is what this test looks for
        return f"{traceback.extract_tb(error.__traceback__)[-1]}: {type(error).__name__} {str(error)[:200]}"
    return None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_good_call_succeeds_and_has_only_known_parameters(name: str) -> None:
    assert name in GOOD, f"{name} is a new public function: add a call of it that succeeds"
    call(name, GOOD[name])


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_a_wrong_value_gives_an_error_of_the_package(name: str, parameter: str) -> None:
    faults: list[str] = []
    tried = 0
    for make in (*WRONG, *ODD):
        value = make()
        if callable(value) and (name, parameter) in CALLABLES:
            continue
        tried += 1
        if fault := complaint(name, {**GOOD[name], parameter: value}):
            faults.append(f"{reprlib.repr(value) if not isinstance(value, BaseModel) else type(value)}: {fault}")
    assert faults == []
    assert tried >= 70


DOORS = ["load", "load_response", "check", "repair", "convert"]


@pytest.mark.parametrize("format", il.FORMATS)
@pytest.mark.parametrize("name", DOORS)
def test_wrong_data_are_refused_in_every_format(name: str, format: str) -> None:
    names = [key for key in ("source", "format") if key in GOOD[name]]
    data = next(iter(GOOD[name]))
    arguments: dict[str, Any] = {**GOOD[name], **dict.fromkeys(names, format)}
    faults: list[str] = []
    for make in (*WRONG, *ODD):
        value = make()
        for wrapped in (value, [value], {il.FORMATS[format].listed: value}, {il.FORMATS[format].listed: [value]}):
            fault = complaint(name, {**arguments, data: wrapped})
            faults += [fault] if fault else []
    assert faults == []
