"""Every canonical value, in part or whole: copied, changed, hashed, stored and sent, and still the same value."""

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import files as package_files, version
from pathlib import Path
from types import GenericAlias
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError, create_model

import interlingua as il
from interlingua import testing
from interlingua.model.base import Model, members
from interlingua.testing.lawbook import share
from laws.everything import is_list, is_object
from laws.samples import REQUEST, RESPONSE, canonical_classes, sorted_json, values
from laws.steps import steps
from model.travelling import same

TESTS = Path(__file__).parents[1]
VALUES = values()


def test_the_samples_have_every_field_of_every_class() -> None:
    given: dict[type[Model], set[str]] = {}
    for value in VALUES:
        given.setdefault(type(value), set()).update(value.model_fields_set)
    assert given == {cls: set(cls.model_fields) for cls in canonical_classes()}
    assert {*members(il.Event), *members(il.Message), *members(il.Part), il.Request, il.Response} <= given.keys()


# Copies


COPIES: dict[str, Callable[[Model], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": lambda value: value.replace(),
    "__replace__": lambda value: value.__replace__(),
    "model_copy": lambda value: value.model_copy(),
    "deep model_copy": lambda value: value.model_copy(deep=True),
    "to_dict": lambda value: il.validate(value.to_dict(), type(value)),
    "JSON": lambda value: il.validate(value.model_dump_json(), type(value)),
    "JSON with escapes": lambda value: il.validate(json.dumps(value.to_dict()).encode(), type(value)),
    "keywords": lambda value: type(value)(**value),
    "oldest pickle": lambda value: pickle.loads(pickle.dumps(value, 2)),  # noqa: S301 -- pickled in this line
    "newest pickle": lambda value: pickle.loads(pickle.dumps(value, -1)),  # noqa: S301 -- pickled in this line
}
if sys.version_info >= (3, 13):
    COPIES["copy.replace"] = copy.replace


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES.keys())
def test_a_copy_is_the_same_value(make: Callable[[Model], Any]) -> None:
    for value in VALUES:
        before = sorted_json(value.to_dict())
        same(value, make(value))
        assert sorted_json(value.to_dict()) == before


# Changes


def model_copy(value: Model, /, **changes: Any) -> Model:
    return value.model_copy(update=changes)


def deep_model_copy(value: Model, /, **changes: Any) -> Model:
    return value.model_copy(update=changes, deep=True)


CHANGES: list[Callable[..., Any]] = [Model.replace, Model.__replace__, model_copy, deep_model_copy]
if sys.version_info >= (3, 13):
    CHANGES.append(copy.replace)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__qualname__)
def test_a_change_is_validated_and_leaves_the_original(change: Callable[..., Any]) -> None:
    for value in VALUES:
        cls, before = type(value), value.to_dict()
        fullest = max((other for other in VALUES if type(other) is cls), key=len)
        for name, held in fullest.items():
            if name == "tool_calls" and "tool_use" in sorted_json(before):
                continue  # a message has its calls once
            changed = change(value, **{name: getattr(fullest, name)})
            assert type(changed) is cls
            assert sorted_json(changed.to_dict()) == sorted_json(before | {name: held})
            assert (changed == value) == (name in before and sorted_json(before[name]) == sorted_json(held))
            with pytest.raises(ValidationError):
                change(value, **{name: object()})
        with pytest.raises(ValidationError):
            change(value, novel=1)
        assert sorted_json(value.to_dict()) == sorted_json(before)


# Equality and hashes


def reordered(value: Any) -> Any:
    """The same JSON, with every object's keys the other way round."""
    if is_object(value):
        return {key: reordered(item) for key, item in reversed(value.items())}
    return [reordered(item) for item in value] if is_list(value) else value


def spoil(data: Any) -> None:
    """Empty every dict and list in it."""
    for item in data.values() if is_object(data) else data if is_list(data) else ():
        spoil(item)
    if is_object(data) or is_list(data):
        data.clear()


def test_what_a_value_gives_is_the_readers_own_and_what_it_holds_is_not_the_givers() -> None:
    value: Any
    for value in values():
        before = sorted_json(value.to_dict())
        given = value.to_dict()
        made = type(value)(**given)
        changed = value.replace(**given)
        spoil(given)
        spoil(value.to_dict())
        spoil(value.model_dump())
        spoil(list(value.values()))
        spoil([item for _, item in value.items()])
        for name in value:
            spoil(value[name])
            spoil(value.get(name))
        spoil(getattr(value, "parsed", None))
        for call in getattr(value, "tool_uses", ()):
            spoil(call.parsed)
        assert [sorted_json(one.to_dict()) for one in (value, made, changed)] == [before] * 3


def test_the_order_of_keys_does_not_count() -> None:
    for value in VALUES:
        other = il.validate(reordered(value.to_dict()), type(value))
        assert other == value
        assert other == value.to_dict()
        assert hash(other) == hash(value)


def test_values_are_equal_where_their_class_and_json_are() -> None:
    texts = [(type(value), sorted_json(value.to_dict())) for value in VALUES]
    assert len(set(VALUES)) == len(set(texts))
    for value, text in zip(VALUES, texts, strict=True):
        assert [value == other for other in VALUES] == [text == other for other in texts]


def part(**given: Any) -> il.ToolUsePart:
    return il.ToolUsePart(name="f", input=given)


NUMBERS: list[Any] = [
    0,
    0.0,
    -0.0,
    False,
    1,
    1.0,
    True,
    10**40,
    1e40,
    10**40 + 1,
    2**53,
    2.0**53,
    2**53 + 1,
    -(10**4299) + 1,
    5e-324,
]


def test_numbers_that_are_written_differently_differ_and_stay() -> None:
    found = [part(n=number) for number in NUMBERS]
    assert [[a == b for b in found] for a in found] == [[i == j for j in range(len(found))] for i in range(len(found))]
    assert len(set(found)) == len(NUMBERS)
    for value, number in zip(found, NUMBERS, strict=True):
        for make in COPIES.values():
            again = make(value).input["n"]
            assert (type(again), str(again)) == (type(number), str(number))


def test_lists_are_equal_in_their_order_only() -> None:
    assert part(a=[1, 2]) != part(a=[2, 1])
    assert il.Request(messages=(), stop=("a", "b")) != il.Request(messages=(), stop=("b", "a"))


# In an envelope of the user's, and in another process


class Envelope(BaseModel):
    conversation: il.Conversation
    request: il.Request
    response: il.Response
    tools: list[il.Tool]
    usage: il.Usage
    choice: il.Choice
    note: str | None = None


def test_wholes_are_exact_in_a_model_of_the_users_own() -> None:
    wire = {
        "conversation": {"version": 1, "messages": [{"role": "assistant"}], "id": None},
        "request": REQUEST,
        "response": RESPONSE,
        "tools": [{"type": "function", "name": "f"}, {"type": "function", "name": "f", "parameters": None}],
        "usage": {"input_tokens": 0},
        "choice": {"message": {"role": "assistant", "content": None}},
        "note": None,
    }
    envelope = Envelope.model_validate(wire)
    for dumped in (envelope.model_dump(), envelope.model_dump(mode="json"), json.loads(envelope.model_dump_json())):
        assert sorted_json(dumped) == sorted_json(wire)
    small = Envelope.model_validate(wire | {"request": {"messages": []}, "response": {"choices": []}})
    assert small.model_dump()["request"] == {"messages": []}
    assert small.model_dump()["response"] == {"choices": []}
    assert Envelope.model_validate(small.model_dump()) == small
    assert Envelope.model_json_schema(mode="serialization")["$defs"] == Envelope.model_json_schema()["$defs"]


@pytest.mark.parametrize("model", canonical_classes(), ids=lambda model: model.__name__)
def test_any_value_is_exact_in_a_model_of_the_users_own(model: type[Model]) -> None:
    several: Any = GenericAlias(list, (model,))
    own: Any = create_model("Own", held=(model, ...), several=(several, ...))
    for value in (value for value in VALUES if type(value) is model):
        wire = {"held": value.to_dict(), "several": [value.to_dict()]}
        envelope = own(held=value, several=[value])
        for dumped in (envelope.model_dump(), envelope.model_dump(mode="json"), json.loads(envelope.model_dump_json())):
            assert sorted_json(dumped) == sorted_json(wire)
    assert own.model_json_schema(mode="serialization") == own.model_json_schema()


def test_a_context_reaches_the_messages_of_a_whole() -> None:
    conversation = il.Conversation(messages=(il.ToolMessage(tool_call_id="c", content="x"),))
    form = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "x"}]}
    envelope = {"of the user's": conversation}
    assert conversation.model_dump(context={"format": "anthropic"})["messages"] == [form]
    dumped = TypeAdapter(dict[str, il.Conversation]).dump_python(envelope, context={"format": "anthropic"})
    assert dumped["of the user's"]["messages"] == [form]


OWN = "{}.{}".format(*sys.version_info)
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def environment(seed: int) -> dict[str, str]:
    """For a process with its own hashes; pyenv's versions are where uv looks for them."""
    path = os.environ.get("PATH", "").split(os.pathsep)
    roots = {Path.home() / ".pyenv", *(Path(folder).parent for folder in path if Path(folder).name == "shims")}
    path = [str(folder) for root in sorted(roots) for folder in sorted(root.glob("versions/*/bin"))] + path
    return {
        **os.environ,
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)]),
        "PYTHONHASHSEED": str(seed),
        "UV_HTTP_RETRIES": "0",
    }


def interpreter(name: str) -> list[str] | None:
    """The command of a version of Python with the same pydantic; None where there is none, and uv cannot bring it."""
    if name == OWN:
        return [sys.executable]
    same_here = [f"--with={package}=={version(package)}" for package in ("pydantic", "pytest", "typing-extensions")]
    command = [sys.executable, "-m", "uv", "run", "--no-project", "--quiet", f"--python={name}", *same_here, "python"]
    check = "import sys, pydantic; print('{}.{}'.format(*sys.version_info))"
    done = subprocess.run([*command, "-c", check], env=environment(0), capture_output=True, text=True, check=False, timeout=300)
    return command if done.stdout.strip() == name else None


@pytest.mark.pythons
def test_values_travel_between_processes_and_versions_of_python(
    tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] | None = request.config.getoption("--pythons")
    commands = {name: command for name in {OWN, *(asked or PYTHONS)} if (command := interpreter(name))}
    with capsys.disabled():
        sys.stdout.write(f" values travel between Python {', '.join(sorted(commands))} ")
    assert not set(asked or ()) - commands.keys()
    for name, command in commands.items():
        run(command, "write", tmp_path / name, seed=1)
    for command in commands.values():
        assert run(command, "read", *map(tmp_path.joinpath, commands), seed=2) == f"{len(VALUES) * len(commands)}\n"


def run(command: list[str], *arguments: str | Path, seed: int) -> str:
    done = subprocess.run(
        [*command, "-m", "model.travelling", *arguments],
        env=environment(seed),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hashes_are_promised_within_a_process_only() -> None:
    script = "import interlingua as il; print(hash(il.UserMessage(content='x')))"
    found = {
        subprocess.run([sys.executable, "-c", script], env=environment(seed), capture_output=True, text=True, check=True).stdout
        for seed in (1, 2)
    }
    assert len(found) == 2
    assert "within a process" in (Model.__hash__.__doc__ or "")


# What a value looks like


@given(
    value=testing.messages()
    | testing.parts()
    | testing.requests()
    | testing.responses()
    | testing.events()
    | testing.stored_conversations()
)
def test_a_repr_is_short_and_shows_what_is_set(value: Model) -> None:
    shown = repr(value)
    assert shown == str(value)
    assert len(shown) <= 5000
    assert shown.startswith(type(value).__name__ + "(")
    data = value.to_dict()
    said = {name for name in data if data[name] is not None and name not in ("role", "type", "version")}
    assert [name for name in said if f"{name}=" not in shown] == []
    if share.judged("=None" not in sorted_json(data), least=0.9):
        assert "=None" not in shown


DEEP: Any = json.loads("[" * 199 + "]" * 199)
TEXT = "A" * 10**6


@pytest.mark.parametrize(
    "value",
    [
        il.TextMessage(content=TEXT),
        il.UserMessage(content=[il.ImagePart(source=il.Base64Source(data=TEXT))]),
        il.AssistantMessage(tool_calls=[il.ToolCall(name="f", arguments=TEXT)] * 1000),
        il.ToolUsePart(name="f", input={str(key): TEXT for key in range(1000)}),
        il.Request(messages=[il.UserMessage(content=[il.TextPart(text=TEXT)] * 1000)] * 1000, model="m"),
        il.Response(choices=[il.Choice(message=il.AssistantMessage(content=TEXT))] * 1000),
        il.Conversation(messages=[il.UserMessage(content=TEXT)], metadata={"deep": DEEP, "long": 10**4000}),
        il.TextDelta(index=0, text=TEXT),
        il.Loss("/" + TEXT, None, "dropped", TEXT),
        il.Conversion(
            {"messages": [TEXT] * 1000},
            (il.Loss("/" + TEXT, None, "dropped", TEXT),) * 1000,
            {TEXT: TEXT},
            il.Endpoint(TEXT, TEXT, None),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_repr_says_how_much_it_leaves_out(value: Any) -> None:
    shown = repr(value)
    assert len(shown) <= 5000
    assert "=None" not in shown
    if not isinstance(value, il.Loss):
        assert f"({len(TEXT)} characters)" in shown


def test_a_repr_costs_no_more_for_more() -> None:
    one = il.UserMessage(content=[il.TextPart(text="hi", provider_data={"x": {"y": [1, 2]}})])
    few, many = (il.Conversation(messages=[one] * count) for count in (100, 10_000))
    assert steps(lambda: repr(few)) == steps(lambda: repr(many))


def test_what_a_repr_shows_makes_the_value_again() -> None:
    message = il.AssistantMessage(content="Hi.", tool_calls=[il.ToolCall(id="a", name="f", arguments="{}")])
    assert repr(message) == "AssistantMessage(content='Hi.', tool_calls=(ToolCall(id='a', name='f', arguments='{}'),))"
    assert eval(repr(message), vars(il) | {"ToolCall": il.ToolCall, "AssistantMessage": il.AssistantMessage}) == message  # noqa: S307 -- our own text


# Where dicts are expected


@given(value=testing.messages() | testing.parts() | testing.events(), other=st.dictionaries(st.text(), st.integers()))
def test_a_value_is_a_dict_for_json_and_unions(value: Model, other: dict[str, int]) -> None:
    assert json.loads(json.dumps([value], default=dict)) == [value.to_dict()]
    for left, right in ((value, other), (other, value), (value, value)):
        joined = left | right
        assert type(joined) is dict
        assert joined == {**left, **right}
    with pytest.raises(TypeError):
        value | 5  # type: ignore[operator]  # which is the point
    with pytest.raises(TypeError):
        [] | value  # type: ignore[operator]  # likewise


def test_the_version_is_that_of_the_package() -> None:
    assert il.__version__ == version("interlingua")


def test_compiled_says_which_wheel_is_installed() -> None:
    files = [str(file) for file in (package_files("interlingua") or ()) if file.suffix != ".py"]
    assert il.__compiled__ is any("codec/fields." in file for file in files)
